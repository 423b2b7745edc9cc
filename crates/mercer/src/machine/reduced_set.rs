//! Reduced sets: an expansion of many terms replaced by one of few, with the error stated.
//!
//! ```text
//! w = Σ βᵢφ(xᵢ) over n items;   min over γ   ‖w − Σ γⱼφ(zⱼ)‖²,   z some of the items
//! γ = K_zz⁻¹K_zxβ,   ‖w − w'‖² = βᵀKβ − γᵀK_zzγ,   |f(x) − f'(x)| ≤ ‖w − w'‖ √k(x, x)
//! ```
//!
//! Items are chosen one by one: the next is the one that lowers the error of all functions together most, after all before it (orthogonal
//! least squares). (C. Burges: Simplified support vector decision rules, ICML 1996; B. Schölkopf et al.: Input space versus feature
//! space in kernel-based methods, IEEE Trans. Neural Networks 10 (1999), section V.)

use super::Functions;
use super::kept::Kept;
use super::whole::{MatrixOptions, whole};
use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, Interruptible, WithLayout};
use crate::kernel::Definiteness;
use crate::linalg::{Cholesky, Matrix};
use crate::resources::Workers;

/// An item of which less than this share is left has nothing to add but rounding.
const NOTHING: f64 = 1e-10;

/// A smaller expansion.
#[derive(Clone, Debug)]
pub struct ReducedSet<K: WithLayout, I> {
    /// Kernel and the items that were chosen.
    pub kept: Kept<K, I>,
    /// The functions in these items.
    pub functions: Functions,
    /// Which of the items they were, in the order of their choice.
    pub chosen: Vec<usize>,
    /// ‖w − w'‖ of each function: its values are at most that times √k(x, x) away.
    pub errors: Vec<f64>,
    /// ‖w‖ of each function, to compare with.
    pub norms: Vec<f64>,
}

impl<K: WithLayout, I> ReducedSet<K, I> {
    /// The best that is found with at most so many of the items. O(n²) kernel values, 8n² bytes, and O(n · count · functions)
    /// time besides O(n · count²).
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::kernel::Expression;
    /// use mercer::machine::{ReducedSet, Ridge};
    /// let rows = Vectors::from_rows(&(0..50).map(|i| [f64::from(i) / 10.0]).collect::<Vec<_>>())?;
    /// let targets: Vec<f64> = (0..50).map(|i| (f64::from(i) / 10.0).sin()).collect();
    /// let model = Ridge::params("gaussian(gamma=0.5)".parse::<Expression>()?).lambda(0.01).check()?.fit(&rows, &targets)?;
    /// let small = ReducedSet::of(model.kept(), model.functions(), 10)?;
    /// let (exact, about) = (model.predict(&rows)?, small.predict(&rows)?);
    /// assert_eq!(small.chosen.len(), 10);
    /// // k(x, x) = 1: the error that is stated holds everywhere.
    /// assert!(exact.iter().zip(&about).all(|(a, b)| (a - b).abs() <= small.errors[0] + 1e-9));
    /// assert!(small.errors[0] < 0.01 * small.norms[0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] for no items, [`Error::Unsupported`] for a kernel that is not known to be positive semi-definite, functions that do not fit the items, [`Error::Budget`].
    pub fn of(kept: &Kept<K, I>, functions: &Functions, count: usize) -> Result<Self>
    where
        I: Items<Owned = I>,
        K: BulkKernel<I>,
    {
        if count == 0 {
            return Err(Error::Parameter { name: "count", value: 0.0, expected: "at least 1" });
        }
        if kept.kernel.definiteness() != Definiteness::Guaranteed {
            let what = "a model can be compressed only if its kernel is positive semi-definite, and that is not known of this one: \
                        without a feature space there is no error to state";
            return Err(Error::Unsupported { what: what.into() });
        }
        functions.check(&kept.items)?;
        let (n, m) = (kept.items.len(), functions.outputs());
        let options = MatrixOptions { threads: kept.threads, ..MatrixOptions::default() };
        options.check_memory("the kernel values of all terms", 1, n, "allow more memory")?;
        let plan = options.plan(0)?;
        let gram = kept.kernel.symmetric(&kept.items, &kept.layout, &plan)?;
        let gram = whole(&Interruptible::new(gram, plan.interrupt.clone()))?;
        let workers = &plan.workers;
        // ⟨w, φ(xᵢ)⟩ of every function, one row each.
        let beta = Matrix::from_fn(m, n, |o, i| functions.coefficients[i * m + o]);
        let along = beta.times(&gram, workers)?;
        let squares: Vec<f64> = (0..m).map(|o| dot(beta.row(o), along.row(o)).max(0.0)).collect();
        let chosen = choose(&gram, &along, count.min(n), workers)?;
        let size = chosen.len();
        let inner = Matrix::from_fn(size, size, |a, b| gram[(chosen[a], chosen[b])]);
        let mut gamma = Matrix::from_fn(m, size, |o, j| along[(o, chosen[j])]);
        if size > 0 {
            let (factor, _) = Cholesky::with_jitter(inner.clone(), workers)?;
            factor.solve_rows(&mut gamma, workers)?;
        }
        let errors = (0..m).map(|o| error(&inner, gamma.row(o), &along, o, &chosen, squares[o])).collect();
        let coefficients = gamma.transposed().values().to_vec();
        Ok(ReducedSet {
            kept: Kept {
                kernel: kept.kernel.clone(),
                layout: kept.layout.clone(),
                precision: kept.precision,
                items: kept.items.select(&chosen),
                threads: kept.threads,
            },
            functions: Functions { coefficients, offsets: functions.offsets.clone() },
            chosen,
            errors,
            norms: squares.iter().map(|square| square.sqrt()).collect(),
        })
    }

    /// The values of the smaller functions at these items: for each item those of all.
    ///
    /// # Errors
    /// Items that the kernel is not defined on, such as rows with another number of columns.
    pub fn predict<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<f64>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        if items.is_empty() {
            return Ok(Vec::new());
        }
        self.kept.compare(items, |gram, workers: &Workers| self.functions.values(gram, workers))
    }
}

/// ‖w − w'‖ for any γ, also one that a jitter moved: √(βᵀKβ − 2γᵀK_zxβ + γᵀK_zzγ).
fn error(inner: &Matrix, gamma: &[f64], along: &Matrix, o: usize, chosen: &[usize], square: f64) -> f64 {
    let crossed: f64 = gamma.iter().zip(chosen).map(|(g, &j)| g * along[(o, j)]).sum();
    let own: f64 = (0..gamma.len()).map(|a| gamma[a] * dot(inner.row(a), gamma)).sum();
    (square - 2.0 * crossed + own).max(0.0).sqrt()
}

/// Items one by one, each the one that takes most from the error that is left.
fn choose(gram: &Matrix, along: &Matrix, count: usize, workers: &Workers) -> Result<Vec<usize>> {
    let n = gram.rows();
    // What is left of ⟨w, φ(xᵢ)⟩ and of k(xᵢ, xᵢ) after the items that are chosen.
    let mut products = along.clone();
    let mut left: Vec<f64> = (0..n).map(|i| gram[(i, i)]).collect();
    let mut rows: Vec<Vec<f64>> = Vec::new();
    let mut chosen = Vec::new();
    while chosen.len() < count {
        workers.check()?;
        let gain = |i: usize| -> f64 {
            match left[i] > NOTHING * gram[(i, i)] {
                true => (0..products.rows()).map(|o| products[(o, i)].powi(2)).sum::<f64>() / left[i],
                false => 0.0,
            }
        };
        let next = (0..n).fold(0, |best, i| if gain(i) > gain(best) { i } else { best });
        if gain(next) <= 0.0 {
            break;
        }
        let root = left[next].sqrt();
        let mut row = gram.row(next).to_vec();
        for earlier in &rows {
            let share: f64 = earlier[next];
            row.iter_mut().zip(earlier).for_each(|(v, e)| *v -= share * e);
        }
        row.iter_mut().for_each(|v| *v /= root);
        for o in 0..products.rows() {
            let share = products[(o, next)] / root;
            for i in 0..n {
                products[(o, i)] -= share * row[i];
            }
        }
        left.iter_mut().zip(&row).for_each(|(l, v)| *l = (*l - v * v).max(0.0));
        left[next] = 0.0;
        rows.push(row);
        chosen.push(next);
    }
    Ok(chosen)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
