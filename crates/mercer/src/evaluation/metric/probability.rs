//! How much probabilities are surprised by the truth.

use crate::data::Labels;
use crate::error::{Error, Result};
use crate::evaluation::spread::mean;

/// A probability of 0 that turns out to be true is taken for this, as scikit-learn has it.
const LEAST: f64 = f64::EPSILON;

/// The mean of −ln p over the rows, p the probability of the true class; rows of a class that has none count as p = 0.
///
/// `probabilities` has for each row one per class of `classes`. O(n). Lower is better; knowing only how frequent k equal
/// classes are gives ln k. p is never taken for less than 2⁻⁵².
///
/// ```
/// use mercer::data::Labels;
/// use mercer::evaluation::log_loss;
/// let (truth, classes) = (Labels::from_text(["no", "yes"]), ["no".into(), "yes".into()]);
/// let loss = log_loss(&truth, &classes, &[0.5, 0.5, 0.25, 0.75], None)?;
/// assert!((loss - (2f64.ln() + (4f64 / 3.0).ln()) / 2.0).abs() < 1e-12);
/// let loss = log_loss(&truth, &classes, &[0.5, 0.5, 0.25, 0.75], Some(&[2.0, 0.0]))?;
/// assert_eq!(loss, 2f64.ln());
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`] unless there is one probability for each row and class, and one weight for each row if there are any.
pub fn log_loss(
    truth: &Labels,
    classes: &[String],
    probabilities: &[f64],
    weights: Option<&[f64]>,
) -> Result<f64> {
    check(truth, classes, probabilities, weights)?;
    let places = places(truth, classes);
    let of_row = |(&code, of_row): (&u32, &[f64])| {
        let p = places[code as usize].map_or(0.0, |class| of_row[class]);
        -p.clamp(LEAST, 1.0).ln()
    };
    Ok(mean(truth.codes().iter().zip(probabilities.chunks_exact(classes.len().max(1))).map(of_row), weights))
}

/// The mean over the rows of Σ_c (p_c − [c is true])² over the classes; half of that where there are two.
///
/// `probabilities` has for each row one per class of `classes`; a class of `truth` that is not among them has p = 0. O(n k).
/// Lower is better; for two classes it is Brier's (p − y)², from 0 to 1, for more it goes from 0 to 2.
///
/// ```
/// use mercer::data::Labels;
/// use mercer::evaluation::brier;
/// let truth = Labels::from_text(["no", "yes"]);
/// let score = brier(&truth, &["no".into(), "yes".into()], &[0.5, 0.5, 0.25, 0.75], None)?;
/// assert_eq!(score, (0.25 + 0.0625) / 2.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`log_loss`].
pub fn brier(
    truth: &Labels,
    classes: &[String],
    probabilities: &[f64],
    weights: Option<&[f64]>,
) -> Result<f64> {
    check(truth, classes, probabilities, weights)?;
    let places = places(truth, classes);
    let of_row = |(&code, of_row): (&u32, &[f64])| {
        let place = places[code as usize];
        let true_class = |class: usize| f64::from(u8::from(place == Some(class)));
        let known: f64 = of_row.iter().enumerate().map(|(class, p)| (p - true_class(class)).powi(2)).sum();
        known + f64::from(u8::from(place.is_none()))
    };
    let sum =
        mean(truth.codes().iter().zip(probabilities.chunks_exact(classes.len().max(1))).map(of_row), weights);
    let counts = |row: usize| weights.is_none_or(|weights| weights[row] > 0.0);
    let is_strange = |(row, &code): (usize, &u32)| places[code as usize].is_none() && counts(row);
    let strangers = truth.codes().iter().enumerate().any(is_strange);
    Ok(if classes.len() <= 2 && !strangers { 0.5 * sum } else { sum })
}

/// Refuses probabilities that are not one for each row and class, and weights that are not one for each row.
fn check(truth: &Labels, classes: &[String], probabilities: &[f64], weights: Option<&[f64]>) -> Result<()> {
    let rows = truth.len();
    for (what, expected, found) in [
        ("probabilities (one per row and class)", rows * classes.len(), probabilities.len()),
        ("weights (one per row)", rows, weights.map_or(rows, <[f64]>::len)),
    ] {
        if found != expected {
            return Err(Error::Shape { what, expected, found });
        }
    }
    Ok(())
}

/// Where the classes of the truth stand in a list, if they are there.
pub(super) fn places(truth: &Labels, classes: &[String]) -> Vec<Option<usize>> {
    truth.classes().iter().map(|name| classes.iter().position(|class| class == name)).collect()
}
