//! Who speaks for a prediction, and who against it.

use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::{Block, BulkKernel, Columns, WithLayout};
use crate::machine::Kept;

/// What one support item adds to a decision value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Influence {
    /// Its place among the support items.
    pub support: usize,
    /// β
    pub coefficient: f64,
    /// k(xᵢ, x): how alike they are.
    pub similarity: f64,
    /// β k(xᵢ, x): above 0 if it speaks for the later class, or for a larger number.
    pub contribution: f64,
}

/// The terms of f(x) = Σ βᵢ k(xᵢ, x) + b, the largest first. `coefficients` are pairs of a support item and its β, as a model has them;
/// `items` holds the one item that is asked about.
///
/// O(support items) kernel values.
///
/// ```
/// use mercer::data::{Labels, Vectors};
/// use mercer::evaluation::insight::influences;
/// use mercer::kernel::Expression;
/// use mercer::machine::Svc;
/// let rows = Vectors::from_rows(&[[0.0], [1.0], [4.0], [5.0]])?;
/// let labels = Labels::from_text(["a", "a", "b", "b"]);
/// let model = Svc::params("gaussian(gamma=0.1)".parse::<Expression>()?).check()?.fit(&rows, &labels)?;
/// let new = Vectors::from_rows(&[[3.5]])?;
/// let terms = influences(model.kept(), model.pairs().pair(0, 1), &new)?;
/// // The nearest row says most, and the sum is the decision value.
/// assert_eq!(model.pairs().support[terms[0].support], 2);
/// let sum: f64 = terms.iter().map(|term| term.contribution).sum();
/// assert!((sum + model.pairs().offsets[0] - model.decision_values(&new)?[0]).abs() < 1e-12);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`] for another number of items than one; an item that the kernel is not defined on.
pub fn influences<K, I, J>(
    kept: &Kept<K, I>,
    coefficients: impl IntoIterator<Item = (usize, f64)>,
    items: &J,
) -> Result<Vec<Influence>>
where
    K: WithLayout + BulkKernel<J>,
    I: Items,
    J: Items<Owned = I>,
{
    if items.len() != 1 {
        return Err(Error::Shape { what: "items to be explained", expected: 1, found: items.len() });
    }
    let coefficients: Vec<(usize, f64)> = coefficients.into_iter().collect();
    let rows: Vec<usize> = coefficients.iter().map(|&(support, _)| support).collect();
    let mut values = vec![0.0; rows.len()];
    if !rows.is_empty() {
        kept.compare(items, |gram, _| {
            gram.fill(&rows, Columns::Range(0..1), Block::F64 { values: &mut values, stride: 1 })
        })?;
    }
    let mut terms: Vec<Influence> = coefficients
        .into_iter()
        .zip(values)
        .map(|((support, coefficient), similarity)| Influence {
            support,
            coefficient,
            similarity,
            contribution: coefficient * similarity,
        })
        .collect();
    terms.sort_by(|a, b| {
        b.contribution.abs().total_cmp(&a.contribution.abs()).then(a.support.cmp(&b.support))
    });
    Ok(terms)
}
