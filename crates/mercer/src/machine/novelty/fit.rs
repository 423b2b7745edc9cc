//! Training of a novelty detector.

use super::model::{Found, NoveltyModel, tolerance};
use super::region::problem;
use super::{Novelty, Region, scale};
use crate::data::{Items, check_weights};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, Columns, SymmetricGram};
use crate::kernel::Definiteness;
use crate::machine::attempt::{Attempted, Earlier, fit_gram, fit_items};
use crate::machine::expansion::{ExpansionFit, OneProblem, Threshold};
use crate::machine::kept::Kept;
use crate::machine::svc::FitProgress;
use crate::machine::{Expansion, FitOptions, Report};
use crate::solver::{Control, Settings, Stop};

/// What a training on a Gram matrix gives: everything but the items.
#[derive(Clone, Debug)]
pub struct NoveltyFit {
    /// v = Σ αᵢ φ(xᵢ) with Σα = 1; `support` are positions in the Gram matrix.
    pub expansion: Expansion,
    /// How the training went.
    pub report: Report,
    /// The region.
    pub found: Found,
}

impl<K> Novelty<K> {
    /// Trains on items.
    ///
    /// # Errors
    /// No rows, a cost below 1/ℓ, or a kernel that is not defined on the items.
    pub fn fit<I: Items>(&self, items: &I) -> Result<NoveltyModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        self.fit_observed(items, None, None, &|_| Control::Continue)
    }

    /// Trains with a weight per row (as if it stood there so many times), from an earlier fit of the same rows, and
    /// under the eyes of an observer, who may cancel.
    ///
    /// # Errors
    /// As [`Novelty::fit`], and weights that are negative or all 0.
    pub fn fit_observed<I: Items>(
        &self,
        items: &I,
        weights: Option<&[f64]>,
        earlier: Option<&Expansion>,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<NoveltyModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        let weights = checked_weights(weights, items.len())?;
        let sum = self.softness.sum(&weights)?;
        let plan = self.options.plan(items.len())?;
        let kernel = BulkKernel::<I>::resolve_by(&self.kernel, items, Some(&weights), &plan)?;
        if self.region == Region::Centre {
            return self.centre_of_mass(kernel, items, &weights);
        }
        let convex = BulkKernel::<I>::definiteness(&kernel) == Definiteness::Guaranteed;
        let (region, softness) = (self.region, self.softness);
        let unit = scale::of_items(&kernel, items, &weights, &plan)?;
        let build = |diagonal: &[f64]| problem(region, softness, &weights, diagonal, (sum, unit));
        let shift = |found: &Threshold<'_>| shift(region, found, sum);
        let one =
            OneProblem { build: &build, offset: &offset, shift: &shift, rounding: 0.0, convex, observer };
        let options =
            FitOptions { solver: in_units(&self.options.solver, convex, unit), ..self.options.clone() };
        let scaled = earlier.map(|earlier| times(earlier, sum));
        let largest = weights.iter().copied().fold(0.0, f64::max);
        let Attempted { layout, precision, fit, .. } =
            fit_items(&kernel, items, &options, largest, Earlier::machine(scaled.as_ref()), &one)?;
        let kept =
            Kept { items: items.select(&fit.expansion.support), kernel, layout, precision, threads: 0 };
        let diagonal = kept.diagonal(items)?;
        let NoveltyFit { expansion, report, found } = self.finish(fit, &diagonal, &weights, sum);
        Ok(NoveltyModel::from_parts(kept, self.region, self.softness, expansion, Some(report), found))
    }

    /// Trains on a Gram matrix; `convex` says whether it is known to be positive semi-definite.
    ///
    /// ```
    /// use mercer::gram::PrecomputedGram;
    /// use mercer::machine::{Novelty, Region, Softness};
    /// use mercer::solver::Control;
    /// // Points at 1, 2 and 3 on the line: the smallest interval about them is held by its ends.
    /// let gram = PrecomputedGram::symmetric(vec![1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 3.0, 6.0, 9.0], 3)?;
    /// let machine = Novelty::params(()).region(Region::Sphere).softness(Softness::Hard).check()?;
    /// let fit = machine.fit_gram(&gram, None, true, &|_| Control::Continue)?;
    /// assert_eq!(fit.expansion.support, [0, 2]);
    /// assert!((fit.found.threshold - 1.0).abs() < 1e-6);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Novelty::fit_observed`]; [`Error::Unsupported`] for the centre of mass, which takes no training.
    pub fn fit_gram(
        &self,
        gram: &dyn SymmetricGram,
        weights: Option<&[f64]>,
        convex: bool,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<NoveltyFit> {
        self.fit_matrix(gram, weights, convex, None, observer)
    }

    /// Goes on from an earlier fit on a Gram matrix: one that was stopped, or had another softness.
    ///
    /// ```
    /// use mercer::gram::PrecomputedGram;
    /// use mercer::machine::{Novelty, Region, Softness};
    /// use mercer::solver::Control;
    /// let gram = PrecomputedGram::symmetric(vec![1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 3.0, 6.0, 9.0], 3)?;
    /// let machine = Novelty::params(()).region(Region::Sphere).softness(Softness::Hard).check()?;
    /// let first = machine.fit_gram(&gram, None, true, &|_| Control::Continue)?;
    /// let again = machine.fit_gram_from(&gram, None, true, &first.expansion, &|_| Control::Continue)?;
    /// // Nothing is left to do.
    /// assert_eq!(again.report.iterations, 0);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Novelty::fit_gram`].
    pub fn fit_gram_from(
        &self,
        gram: &dyn SymmetricGram,
        weights: Option<&[f64]>,
        convex: bool,
        earlier: &Expansion,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<NoveltyFit> {
        self.fit_matrix(gram, weights, convex, Some(earlier), observer)
    }

    fn fit_matrix(
        &self,
        gram: &dyn SymmetricGram,
        weights: Option<&[f64]>,
        convex: bool,
        earlier: Option<&Expansion>,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<NoveltyFit> {
        if self.region == Region::Centre {
            let what = "the sphere about the centre of mass is made of items, not of a Gram matrix".into();
            return Err(Error::Unsupported { what });
        }
        let weights = checked_weights(weights, gram.shape().0)?;
        let sum = self.softness.sum(&weights)?;
        let (region, softness) = (self.region, self.softness);
        let unit = scale::of_gram(gram, &weights)?;
        let build = |diagonal: &[f64]| problem(region, softness, &weights, diagonal, (sum, unit));
        let shift = |found: &Threshold<'_>| shift(region, found, sum);
        let one =
            OneProblem { build: &build, offset: &offset, shift: &shift, rounding: 0.0, convex, observer };
        let settings = in_units(&self.options.settings(), convex, unit);
        let scaled = earlier.map(|earlier| times(earlier, sum));
        let fit = fit_gram(gram, &settings, scaled.as_ref(), &one)?;
        Ok(self.finish(fit, gram.diagonal(), &weights, sum))
    }

    /// Coefficients that sum to 1, and the region.
    fn finish(&self, fit: ExpansionFit, diagonal: &[f64], weights: &[f64], sum: f64) -> NoveltyFit {
        let found = self.found(&fit, diagonal, weights, sum);
        let expansion = Expansion {
            coefficients: fit.expansion.coefficients.iter().map(|beta| beta / sum).collect(),
            offset: 0.0,
            support: fit.expansion.support,
        };
        NoveltyFit { expansion, report: fit.report, found }
    }

    /// The region that the solution stands for.
    fn found(&self, fit: &ExpansionFit, diagonal: &[f64], weights: &[f64], sum: f64) -> Found {
        let squared = (fit.report.norm / sum).powi(2);
        let multiplier = -fit.expansion.offset / sum;
        // Of both shapes the values are ⟨v, φ(x)⟩ with v = Σ αᵢ φ(xᵢ).
        let score = |i: usize| match self.region {
            Region::Hyperplane => fit.values[i] / sum - multiplier,
            _ => (squared - 2.0 * multiplier) - (diagonal[i] - 2.0 * fit.values[i] / sum + squared),
        };
        let slack_sum = (0..weights.len()).map(|i| weights[i] * (-score(i)).max(0.0)).sum();
        Found {
            squared_norm: squared,
            threshold: match self.region {
                Region::Hyperplane => multiplier,
                // At a point of the surface 2⟨c, φ(x)⟩ − k(x, x) is −2 times the multiplier.
                _ => squared - 2.0 * multiplier,
            },
            slack_sum,
            largest_squared_norm: diagonal.iter().copied().fold(0.0, f64::max),
            items: weights.iter().sum(),
        }
    }

    /// The sphere about the mean of all items that reaches to the farthest of them.
    fn centre_of_mass<I: Items>(
        &self,
        kernel: K,
        items: &I,
        weights: &[f64],
    ) -> Result<NoveltyModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        let n = items.len();
        let plan = self.options.plan(n)?;
        let layout = BulkKernel::<I>::layout(&kernel, items, &plan)?;
        let all: f64 = weights.iter().sum();
        let support: Vec<usize> = (0..n).filter(|&i| weights[i] > 0.0).collect();
        let coefficients: Vec<f64> = support.iter().map(|&i| weights[i] / all).collect();
        let mut values = vec![0.0; n];
        let diagonal = {
            let gram: Box<dyn SymmetricGram> = BulkKernel::<I>::symmetric(&kernel, items, &layout, &plan)?;
            gram.accumulate(&support, &coefficients, Columns::Range(0..n), &mut values)?;
            gram.diagonal().to_vec()
        };
        let squared: f64 = support.iter().zip(&coefficients).map(|(&i, b)| b * values[i]).sum();
        let distance = |i: usize| diagonal[i] - 2.0 * values[i] + squared;
        let found = Found {
            squared_norm: squared,
            threshold: support.iter().map(|&i| distance(i)).fold(0.0, f64::max),
            slack_sum: 0.0,
            largest_squared_norm: diagonal.iter().copied().fold(0.0, f64::max),
            items: all,
        };
        let precision = plan.precision;
        let kept = Kept { items: items.select(&support), kernel, layout, precision, threads: 0 };
        let expansion = Expansion { support, coefficients, offset: 0.0 };
        Ok(NoveltyModel::from_parts(kept, self.region, self.softness, expansion, None, found))
    }
}

/// A weight for each of n rows.
fn checked_weights(weights: Option<&[f64]>, n: usize) -> Result<Vec<f64>> {
    if n == 0 {
        return Err(Error::Empty { what: "rows" });
    }
    if let Some(weights) = weights {
        check_weights(weights, n)?;
    }
    Ok(weights.map_or_else(|| vec![1.0; n], <[f64]>::to_vec))
}

/// The settings, with a tolerance in units of the kernel's values.
fn in_units(settings: &Settings, convex: bool, unit: f64) -> Settings {
    let stop = match settings.stop {
        Stop::KktGap(tolerance) => Stop::KktGap((tolerance * unit).max(f64::MIN_POSITIVE)),
        stop => stop,
    };
    // What stands beside it is no matter of units.
    let largest_gap = if convex { settings.stop.largest_gap() } else { f64::INFINITY };
    Settings { stop, largest_gap: settings.largest_gap.min(largest_gap), ..settings.clone() }
}

/// The variables of the problem: coefficients times their sum.
fn times(earlier: &Expansion, sum: f64) -> Expansion {
    let coefficients = earlier.coefficients.iter().map(|beta| beta * sum).collect();
    Expansion { coefficients, ..earlier.clone() }
}

/// The offset of the expansion from the multiplier of the sum.
fn offset(multipliers: &[f64]) -> f64 {
    -multipliers[0]
}

/// By how much the multiplier of the model's threshold differs from the solver's: the region is larger by the accuracy of the
/// solver, so that support items on the surface are inside.
fn shift(region: Region, found: &Threshold<'_>, sum: f64) -> f64 {
    let largest = found.diagonal.iter().copied().fold(0.0, f64::max);
    let multiplier = found.multipliers[0] / sum;
    let edge = |threshold: f64| tolerance(found.kkt_gap / sum, largest, threshold);
    match region {
        Region::Hyperplane => -sum * edge(multiplier),
        // r² is ‖c‖² less twice the multiplier.
        _ => -0.5 * sum * edge(found.squared_norm / (sum * sum) - 2.0 * multiplier),
    }
}
