//! The size of a kernel for classes, learned where its derivatives are not known.

use super::super::learning::{drawn, learnable};
use super::super::scale::{at_bounds, highest};
use super::mode::Signs;
use super::{LaplaceClassifier, LaplaceModel};
use crate::data::{Items, Labels};
use crate::error::{Error, Result};
use crate::gram::BulkKernel;
use crate::linalg::Matrix;
use crate::machine::fisher::check_weighted_labels;
use crate::machine::gaussian_process::LearnedKernel;
use crate::machine::whole::whole;

/// Most items that are looked at.
const MOST: usize = 1000;
/// Powers of ten that the size of the kernel, amplitude times the mean of its diagonal, lies between.
const SIZES: (f64, f64) = (-2.0, 4.0);
/// Steps that narrow the best of them down.
const NARROWER: usize = 4;

impl<K> LaplaceClassifier<K> {
    /// Learns the size of the kernel first, the same for all classes: that with the largest approximate log p(y), summed over them. For
    /// kernels whose derivatives are not known; `scaled` makes a·k of k. Some ten modes of at most 1000 random items, or as many as
    /// the memory allows; then as [`LaplaceClassifier::fit`].
    ///
    /// ```
    /// use mercer::data::{Labels, Collection};
    /// use mercer::gram::CollectionKernel;
    /// use mercer::machine::LaplaceClassifier;
    /// let words = Collection::Strings(["abab", "ababab", "cdcd", "cdcdc"].map(String::from).to_vec());
    /// let labels = Labels::from_text(["ab", "ab", "cd", "cd"]);
    /// let machine = LaplaceClassifier::params("normalised(spectrum(k=2))".parse::<CollectionKernel>()?).check()?;
    /// let scaled = |kernel: &CollectionKernel, by: f64| format!("{by} * ({kernel})").parse();
    /// let (learned, plain) = (machine.fit_scaled(&words, &labels, None, &scaled)?, machine.fit(&words, &labels)?);
    /// assert!(learned.likelihoods()[0] > plain.likelihoods()[0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`LaplaceClassifier::fit`], and those of `scaled`.
    pub fn fit_scaled<I: Items>(
        &self,
        items: &I,
        labels: &Labels,
        weights: Option<&[f64]>,
        scaled: &dyn Fn(&K, f64) -> Result<K>,
    ) -> Result<LaplaceModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        check_weighted_labels(items.len(), labels, weights)?;
        let counted: Vec<usize> =
            (0..items.len()).filter(|&i| weights.is_none_or(|weights| weights[i] > 0.0)).collect();
        let n = counted.len();
        let rows = learnable(self.options.memory, 4, n).min(MOST);
        if rows < n.min(2) {
            self.check_memory(4, n.min(2))?;
        }
        let some: Vec<usize> = drawn(rows, n, self.learning.seed).into_iter().map(|at| counted[at]).collect();
        let of_some: Option<Vec<f64>> = weights.map(|w| some.iter().map(|&row| w[row]).collect());
        let few = items.select(&some);
        let plan = self.options.plan(0)?;
        let kernel = BulkKernel::<I>::resolve(&self.kernel, items, weights)?;
        let layout = BulkKernel::<I::Owned>::layout(&kernel, &few, &plan)?;
        let matrix = whole(&*BulkKernel::<I::Owned>::symmetric(&kernel, &few, &layout, &plan)?)?;
        let count = |i: usize| of_some.as_ref().map_or(1.0, |weights| weights[i]);
        let copies = (0..rows).map(count).sum::<f64>();
        let size = (0..rows).map(|i| count(i) * matrix[(i, i)]).sum::<f64>() / copies;
        if !(size > 0.0 && size.is_finite()) {
            let (what, why) = ("the size of the kernel".into(), "all k(x, x) are 0".into());
            return Err(Error::Undefined { what, why });
        }
        let classes = labels.classes().len();
        let first = if classes == 2 { 1 } else { 0 };
        let positive = |class: usize| -> Vec<bool> {
            some.iter().map(|&row| labels.codes()[row] as usize == class).collect()
        };
        let mut evaluations = 0;
        let (power, likelihood) = highest(SIZES, 1.0, NARROWER, &mut |power| {
            evaluations += 1;
            let factor = 10f64.powf(power) / size;
            let larger = Matrix::from_fn(rows, rows, |i, j| factor * matrix[(i, j)]);
            let mut sum = 0.0;
            for class in first..classes {
                let positive = positive(class);
                let weights = of_some.as_deref();
                let signs = Signs { items: &few, positive: &positive, weights, plan: &plan };
                sum += signs.mode_of(&larger)?.likelihood;
            }
            Ok(sum)
        })?;
        let amplitude = 10f64.powf(power) / size;
        let bounds = (10f64.powf(SIZES.0) / size, 10f64.powf(SIZES.1) / size);
        let learned = LearnedKernel {
            ends: vec![Some(likelihood)],
            evaluations,
            rows: (rows < n).then_some(rows),
            converged: true,
            at_bounds: at_bounds(&[("amplitude", amplitude, bounds)]),
        };
        let machine = LaplaceClassifier { kernel: scaled(&self.kernel, amplitude)?, ..self.clone() };
        machine.fit_by(items, labels, weights, &|kernel, _| Ok((kernel, Some(learned.clone()))))
    }
}
