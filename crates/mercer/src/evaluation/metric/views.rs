//! How far two views of the same things say the same about new ones.

use crate::error::{Error, Result};
use crate::linalg::Matrix;

/// The correlation of each component of two views over the same items, one row per item; `None` where one of them does not vary. Of the
/// components of [`KernelCca`](crate::machine::KernelCca) on items that had no part in the training it is what their own
/// correlations are worth. O(n · components).
///
/// ```
/// use mercer::evaluation::view_correlations;
/// use mercer::linalg::Matrix;
/// let first = Matrix::new(vec![1.0, 5.0, 2.0, 5.0, 3.0, 5.0], 3, 2)?;
/// let second = Matrix::new(vec![-2.0, 1.0, -4.0, 2.0, -6.0, 4.0], 3, 2)?;
/// assert_eq!(view_correlations(&first, &second)?, [Some(-1.0), None]);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`] for other numbers of items or components, [`Error::Empty`] without items.
pub fn view_correlations(first: &Matrix, second: &Matrix) -> Result<Vec<Option<f64>>> {
    check(first, second)?;
    let n = first.rows() as f64;
    let centred = |view: &Matrix, k: usize| -> Vec<f64> {
        let mean = (0..view.rows()).map(|i| view[(i, k)]).sum::<f64>() / n;
        (0..view.rows()).map(|i| view[(i, k)] - mean).collect()
    };
    let correlation = |k: usize| {
        let (a, b) = (centred(first, k), centred(second, k));
        let size = (dot(&a, &a) * dot(&b, &b)).sqrt();
        (size > 0.0).then(|| (dot(&a, &b) / size).clamp(-1.0, 1.0))
    };
    Ok((0..first.columns()).map(correlation).collect())
}

/// The share of items of the first view whose own item of the second is among the nearest, for each of these numbers of places: nearest
/// is what has the largest cosine of components, each of them multiplied by its weight, of equals the earlier. O(n² · components)
/// time, O(n · components) memory.
///
/// ```
/// use mercer::evaluation::retrieval;
/// use mercer::linalg::Matrix;
/// let first = Matrix::new(vec![1.0, 0.0, 0.0, 1.0, 1.0, 1.0], 3, 2)?;
/// let second = Matrix::new(vec![2.0, 0.1, 0.9, 1.0, 0.1, 3.0], 3, 2)?;
/// // The last two items of the second view are changed over.
/// let found = retrieval(&first, &second, &[1.0, 1.0], &[1, 2, 3])?;
/// assert_eq!(found, [1.0 / 3.0, 2.0 / 3.0, 1.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`view_correlations`]; [`Error::Shape`] for another number of weights than of components.
pub fn retrieval(first: &Matrix, second: &Matrix, weights: &[f64], places: &[usize]) -> Result<Vec<f64>> {
    check(first, second)?;
    if weights.len() != first.columns() {
        let (what, expected) = ("weights (one per component)", first.columns());
        return Err(Error::Shape { what, expected, found: weights.len() });
    }
    let n = first.rows();
    let unit = |view: &Matrix| -> Vec<Vec<f64>> {
        (0..n)
            .map(|i| {
                let row: Vec<f64> = view.row(i).iter().zip(weights).map(|(z, w)| z * w).collect();
                let length = dot(&row, &row).sqrt();
                // Nothing is near to what has no direction.
                if length > 0.0 { row.iter().map(|z| z / length).collect() } else { row }
            })
            .collect()
    };
    let (a, b) = (unit(first), unit(second));
    let before = |i: usize| {
        let own = dot(&a[i], &b[i]);
        let is_before = |&j: &usize| {
            let other = dot(&a[i], &b[j]);
            other > own || other == own && j < i
        };
        (0..n).filter(is_before).count()
    };
    let ranks: Vec<usize> = (0..n).map(before).collect();
    let share = |places: &usize| ranks.iter().filter(|rank| *rank < places).count() as f64 / n as f64;
    Ok(places.iter().map(share).collect())
}

fn check(first: &Matrix, second: &Matrix) -> Result<()> {
    if first.rows() == 0 {
        return Err(Error::Empty { what: "items" });
    }
    for (what, expected, found) in [
        ("items of a view (as many as of the first)", first.rows(), second.rows()),
        ("components of a view (as many as of the first)", first.columns(), second.columns()),
    ] {
        if expected != found {
            return Err(Error::Shape { what, expected, found });
        }
    }
    Ok(())
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
