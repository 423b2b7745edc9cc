//! Training of a regression.

use super::centre::Centred;
use super::{Loss, Svr, SvrModel};
use crate::data::{Items, check_weights};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, SymmetricGram};
use crate::kernel::Definiteness;
use crate::machine::attempt::{Attempted, Earlier, check_path, fit_gram, fit_gram_after, fit_items, goes_on};
use crate::machine::expansion::{ExpansionFit, OneProblem, Threshold};
use crate::machine::kept::Kept;
use crate::machine::svc::FitProgress;
use crate::machine::{Expansion, RegressionSample, Report};
use crate::solver::{Control, DualProblem, Status};

/// What a training on a Gram matrix gives: everything but the items.
#[derive(Clone, Debug)]
pub struct SvrFit {
    /// The function; `support` are positions in the Gram matrix.
    pub expansion: Expansion,
    /// How it went.
    pub report: Report,
    /// ε: the tube that was given, or that ν has found; 0 for losses without one.
    pub tube: f64,
    /// yᵢ − f(xᵢ) of all training items.
    pub residuals: Vec<f64>,
    /// What the training items say about new ones; none where its sums are beyond all numbers.
    pub sample: Option<RegressionSample>,
}

impl<K> Svr<K> {
    /// Trains on items and their targets.
    ///
    /// # Errors
    /// No rows, targets of another length or not finite, or a kernel that is not defined on the items.
    pub fn fit<I: Items>(&self, items: &I, targets: &[f64]) -> Result<SvrModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        self.fit_observed(items, targets, None, None, &|_| Control::Continue)
    }

    /// Trains with a weight per row (the row's cost is C times its weight, as if it stood there so many times), from an
    /// earlier fit of the same rows, and under the eyes of an observer, who may cancel.
    ///
    /// ```
    /// # use mercer::data::Vectors;
    /// # use mercer::kernel::Expression;
    /// # use mercer::machine::Svr;
    /// # use mercer::solver::Control;
    /// let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0]])?;
    /// let machine = Svr::params("linear".parse::<Expression>()?).check()?;
    /// let go_on = |_: &_| Control::Continue;
    /// let first = machine.fit_observed(&rows, &[0.0, 1.0, 9.0], Some(&[1.0, 1.0, 0.0]), None, &go_on)?;
    /// // The last target counts for nothing, so the function passes it by.
    /// assert!((first.predict(&rows)?[2] - 1.7).abs() < 0.01);
    /// let again = machine.fit_observed(&rows, &[0.0, 1.0, 9.0], None, Some(first.expansion()), &go_on)?;
    /// assert!(again.predict(&rows)?[2] > 2.0);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Svr::fit`], and weights that are negative or all 0.
    pub fn fit_observed<I: Items>(
        &self,
        items: &I,
        targets: &[f64],
        weights: Option<&[f64]>,
        earlier: Option<&Expansion>,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<SvrModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        let costs = self.costs(targets, items.len(), weights)?;
        let plan = self.options.plan(items.len())?;
        let kernel = BulkKernel::<I>::resolve_by(&self.kernel, items, weights, &plan)?;
        let convex = BulkKernel::<I>::definiteness(&kernel) == Definiteness::Guaranteed;
        let centred = self.centred(targets, &costs);
        let build = |_: &[f64]| centred.problem();
        let offset = |multipliers: &[f64]| centred.offset(multipliers);
        let shift = |found: &Threshold<'_>| centred.shift(found);
        let rounding = centred.rounding();
        let problem =
            OneProblem { build: &build, offset: &offset, shift: &shift, rounding, convex, observer };
        let largest = self.largest(&centred.targets, &costs);
        let Attempted { layout, precision, fit, .. } =
            fit_items(&kernel, items, &self.options, largest, Earlier::machine(earlier), &problem)?;
        let fit = self.finish(fit, &centred, targets);
        let kept =
            Kept { items: items.select(&fit.expansion.support), kernel, layout, precision, threads: 0 };
        Ok(SvrModel::new(kept, self.loss, fit))
    }

    /// Trains on a Gram matrix; `convex` says whether it is known to be positive semi-definite.
    ///
    /// # Errors
    /// As [`Svr::fit_observed`].
    pub fn fit_gram(
        &self,
        gram: &dyn SymmetricGram,
        targets: &[f64],
        weights: Option<&[f64]>,
        convex: bool,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<SvrFit> {
        let costs = self.costs(targets, gram.shape().0, weights)?;
        let centred = self.centred(targets, &costs);
        let build = |_: &[f64]| centred.problem();
        let offset = |multipliers: &[f64]| centred.offset(multipliers);
        let shift = |found: &Threshold<'_>| centred.shift(found);
        let rounding = centred.rounding();
        let problem =
            OneProblem { build: &build, offset: &offset, shift: &shift, rounding, convex, observer };
        let fit = fit_gram(gram, &self.options.settings(), None, &problem)?;
        Ok(self.finish(fit, &centred, targets))
    }

    /// Trains on a Gram matrix with one cost after the other in the place of the machine's own, each from where the one
    /// before ended.
    ///
    /// ```
    /// # use mercer::gram::PrecomputedGram;
    /// # use mercer::machine::Svr;
    /// # use mercer::solver::Control;
    /// let gram = PrecomputedGram::symmetric(vec![1.0, 0.1, 0.1, 1.0], 2)?;
    /// let machine = Svr::params(()).check()?;
    /// let path = machine.fit_gram_path(&gram, &[0.0, 5.0], None, true, &[0.1, 1.0], &|_| Control::Continue)?;
    /// // The more slack costs, the smaller the residuals.
    /// assert!(path[1].residuals[1].abs() < path[0].residuals[1].abs());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Svr::fit_observed`], and for costs that are not finite numbers above 0.
    pub fn fit_gram_path(
        &self,
        gram: &dyn SymmetricGram,
        targets: &[f64],
        weights: Option<&[f64]>,
        convex: bool,
        costs: &[f64],
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Vec<SvrFit>>
    where
        K: Clone,
    {
        check_path(costs)?;
        let mut path: Vec<SvrFit> = Vec::new();
        let mut last = None;
        for (at, &cost) in costs.iter().enumerate() {
            let goes_on = goes_on(costs, at);
            let costs = Svr { cost, ..self.clone() }.costs(targets, gram.shape().0, weights)?;
            let centred = self.centred(targets, &costs);
            let build = |_: &[f64]| centred.problem();
            let offset = |multipliers: &[f64]| centred.offset(multipliers);
            let shift = |found: &Threshold<'_>| centred.shift(found);
            let rounding = centred.rounding();
            let problem =
                OneProblem { build: &build, offset: &offset, shift: &shift, rounding, convex, observer };
            let earlier = Earlier {
                machine: path.last().filter(|_| goes_on).map(|fit| &fit.expansion),
                trained: last.as_ref().filter(|_| goes_on).map(|trained| (gram.precision(), trained)),
            };
            let (trained, fit) = fit_gram_after(gram, &self.options.settings(), earlier, &problem)?;
            let fit = self.finish(fit, &centred, targets);
            let is_cancelled = fit.report.status == Status::Cancelled;
            path.push(fit);
            if is_cancelled {
                break;
            }
            last = Some(trained);
        }
        Ok(path)
    }

    /// The dual problem for the targets of so many rows.
    ///
    /// Where there is an offset, training takes the median from the targets first and adds it to the offset: the solution is the
    /// same, but for rounding.
    ///
    /// ```
    /// use mercer::machine::{Loss, Svr};
    /// let machine = Svr::params(()).cost(5.0).loss(Loss::Linear { tube: 0.5 }).check()?;
    /// let problem = machine.problem(&[1.0, 2.0], 2, Some(&[1.0, 3.0]))?;
    /// assert_eq!((problem.lower[0], problem.upper[1]), (-5.0, 15.0));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Svr::fit_observed`], for targets and weights.
    pub fn problem(&self, targets: &[f64], rows: usize, weights: Option<&[f64]>) -> Result<DualProblem> {
        let costs = self.costs(targets, rows, weights)?;
        Ok(self.loss.problem(targets, &costs, self.offset))
    }

    /// The cost of each row.
    fn costs(&self, targets: &[f64], rows: usize, weights: Option<&[f64]>) -> Result<Vec<f64>> {
        if rows == 0 {
            return Err(Error::Empty { what: "rows" });
        }
        if targets.len() != rows {
            let what = "targets (one per row)";
            return Err(Error::Shape { what, expected: rows, found: targets.len() });
        }
        if let Some(index) = targets.iter().position(|y| !y.is_finite()) {
            let (what, expected) = ("target", "a finite number");
            return Err(Error::Entry { what, index, value: targets[index], expected });
        }
        if let Some(weights) = weights {
            check_weights(weights, rows)?;
        }
        Ok((0..rows).map(|i| self.cost * weights.map_or(1.0, |weights| weights[i])).collect())
    }

    /// How large a coefficient may become, for the choice of the precision.
    fn largest(&self, targets: &[f64], costs: &[f64]) -> f64 {
        let cost = costs.iter().copied().fold(0.0, f64::max);
        let spread = targets.iter().fold(0.0f64, |most, y| most.max(y.abs()));
        match self.loss {
            Loss::Quadratic { .. } => cost * spread,
            Loss::Huber { width } => cost * width,
            _ => cost,
        }
    }

    /// The targets that are trained on.
    fn centred<'a>(&self, targets: &[f64], costs: &'a [f64]) -> Centred<'a> {
        Centred::new(targets, costs, self.loss, self.offset)
    }

    /// The dual problem that training solves, and the constant that was taken from the targets.
    pub(crate) fn centred_problem(
        &self,
        targets: &[f64],
        rows: usize,
        weights: Option<&[f64]>,
    ) -> Result<(DualProblem, f64)> {
        let costs = self.costs(targets, rows, weights)?;
        let centred = self.centred(targets, &costs);
        Ok((centred.problem(), centred.centre))
    }

    fn finish(&self, fit: ExpansionFit, centred: &Centred<'_>, targets: &[f64]) -> SvrFit {
        let tube = self.loss.offset_and_tube(&fit.multipliers).1;
        // The offset of the machine is rounded: what is left of it is what the residuals see.
        let offset = fit.expansion.offset - centred.centre;
        let residuals: Vec<f64> =
            centred.targets.iter().zip(&fit.values).map(|(y, value)| y - value - offset).collect();
        let sample = RegressionSample::of(targets, &residuals, tube, self.offset, &fit.diagonal);
        SvrFit { expansion: fit.expansion, report: fit.report, tube, residuals, sample }
    }
}
