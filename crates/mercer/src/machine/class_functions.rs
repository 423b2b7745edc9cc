//! One function per class over the same support items: what machines learn that know no pairs.

use serde::{Deserialize, Serialize};

use super::attempt::Decides;
use super::expansion::check_finite;
use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::{Columns, Combinations, Gram};
use crate::resources::Workers;

/// f_c(x) = Σᵢ τᵢ_c k(xᵢ, x) + b_c for every class c, over some of the training items.
///
/// In joint machines the τ of an item sum to 0, and so do the offsets.
///
/// ```
/// use mercer::data::{Labels, Vectors};
/// use mercer::kernel::Expression;
/// use mercer::machine::JointSvc;
/// let rows = Vectors::from_rows(&[[-1.0], [1.0]])?;
/// let labels = Labels::from_text(["no", "yes"]);
/// let model = JointSvc::params("linear".parse::<Expression>()?).cost(10.0).check()?.fit(&rows, &labels)?;
/// // f_yes(x) = x and f_no(x) = −x: at either point the scores are 2 apart.
/// assert_eq!(model.functions().coefficients, [0.5, -0.5, -0.5, 0.5]);
/// assert_eq!(model.scores(&rows)?, [1.0, -1.0, -1.0, 1.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassFunctions {
    /// The classes, in order.
    pub classes: Vec<String>,
    /// Position of each support item in the training set, ascending.
    pub support: Vec<usize>,
    /// `coefficients[i * k + c]`: τ of support item i in the function of class c.
    pub coefficients: Vec<f64>,
    /// b of each class.
    pub offsets: Vec<f64>,
}

impl ClassFunctions {
    /// Number of classes.
    pub fn class_count(&self) -> usize {
        self.classes.len()
    }

    /// Scores at all columns of `gram`, whose rows `rows[i]` are the support items: for each column the values of all
    /// functions. O(support · columns) kernel values and O(support · columns · k) additions.
    ///
    /// # Errors
    /// A kernel that fails.
    pub fn scores(&self, gram: &dyn Gram, rows: &[usize], workers: &Workers) -> Result<Vec<f64>> {
        let (k, columns) = (self.class_count(), gram.shape().1);
        let mut scores = self.offsets.repeat(columns);
        let mut sums = Combinations::new();
        for c in 0..k {
            let of_class = self.coefficients.chunks_exact(k).map(|tau| tau[c]).enumerate();
            sums.push(of_class.filter(|&(_, tau)| tau != 0.0));
        }
        gram.combine(rows, &sums, Columns::Range(0..columns), &mut scores, workers)?;
        Ok(scores)
    }

    /// Checks that all parts fit together, as those of a model that was trained do.
    ///
    /// # Errors
    /// [`Error::Shape`] or [`Error::Entry`] naming the part.
    pub fn check(&self, items: &impl Items) -> Result<()> {
        let (k, n) = (self.class_count(), self.support.len());
        if k < 2 {
            return Err(Error::Shape { what: "classes (at least)", expected: 2, found: k });
        }
        for (what, expected, found) in [
            ("support items", n, items.len()),
            ("coefficients (one per support item and class)", n.saturating_mul(k), self.coefficients.len()),
            ("offsets (one per class)", k, self.offsets.len()),
        ] {
            if expected != found {
                return Err(Error::Shape { what, expected, found });
            }
        }
        check_finite("coefficient", &self.coefficients)?;
        check_finite("offset", &self.offsets)
    }
}

impl Decides for ClassFunctions {
    fn support(&self) -> &[usize] {
        &self.support
    }

    fn outputs(&self) -> usize {
        self.class_count()
    }

    fn decisions(&self, gram: &dyn Gram, rows: &[usize], workers: &Workers) -> Result<Vec<f64>> {
        self.scores(gram, rows, workers)
    }
}
