//! The slow and obvious way to compute what Mercer computes fast.

use mercer::data::{Items, Row, Vectors};
use mercer::kernel::vector::Form;

/// k(row item, column item) for all pairs, row after row, by the definition of the form.
///
/// `subset` selects the columns of the data that the kernel sees.
pub fn gram(form: &Form, rows: &Vectors<'_>, columns: &Vectors<'_>, subset: Option<&[usize]>) -> Vec<f64> {
    let (rows, columns) = (project(rows, subset), project(columns, subset));
    let mut values = Vec::with_capacity(rows.len() * columns.len());
    for x in &rows {
        for z in &columns {
            values.push(form.eval(&Row::Dense64(x), &Row::Dense64(z)));
        }
    }
    values
}

/// The selected columns of each row as dense numbers.
fn project(items: &Vectors<'_>, subset: Option<&[usize]>) -> Vec<Vec<f64>> {
    (0..items.len())
        .map(|i| {
            let row = items.get(i).to_dense(items.columns());
            match subset {
                Some(subset) => subset.iter().map(|&k| row[k]).collect(),
                None => row,
            }
        })
        .collect()
}

/// `f[c] + Σᵣ weights[r] · k(row r, column c)`, in the order of rows.
pub fn weighted_sums(gram: &[f64], columns: usize, weights: &[f64]) -> Vec<f64> {
    let mut f = vec![0.0; columns];
    for (row, weight) in gram.chunks(columns.max(1)).zip(weights) {
        f.iter_mut().zip(row).for_each(|(f, value)| *f += weight * value);
    }
    f
}

/// Σ over all sets of `degree` columns of the products of their terms, set by set.
pub fn interactions(terms: &[f64], degree: u32) -> f64 {
    let sets = (0u32..1 << terms.len()).filter(|set| set.count_ones() == degree);
    sets.map(|set| (0..terms.len()).filter(|k| set >> k & 1 == 1).map(|k| terms[k]).product::<f64>()).sum()
}
