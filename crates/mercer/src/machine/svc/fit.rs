//! Training: from items or a Gram matrix to a model, in the precision that it takes.

use std::time::Instant;

use super::training::Training;
use super::{Svc, SvcModel};
use crate::data::{Items, Labels};
use crate::error::Result;
use crate::gram::{BulkKernel, Plan, Precision, SymmetricGram};
use crate::kernel::Definiteness;
use crate::machine::class_weights::costs;
use crate::machine::pair_machines::PairMachines;
use crate::machine::rounding;
use crate::resources::Workers;
use crate::solver::{Control, Progress, Settings, Status, Stop};

/// What a training on a Gram matrix gives: everything but the items.
#[derive(Clone, Debug)]
pub struct SvcFit {
    /// Decision functions and reports; `support` are positions in the Gram matrix.
    pub pairs: PairMachines,
    /// For each pair the training items that miss the margin, and their slack ξ > 0.
    pub slacks: Vec<Vec<(usize, f64)>>,
}

/// Progress of a training that consists of several problems.
#[derive(Clone, Debug)]
pub struct FitProgress {
    /// Which of the problems reports, from 0.
    pub problem: usize,
    /// How many there are.
    pub problems: usize,
    /// How far it has come.
    pub progress: Progress,
}

impl<K> Svc<K> {
    /// Trains on items and their labels.
    ///
    /// # Errors
    /// No rows, labels of another length, one class only, or a kernel that is not defined on the items.
    pub fn fit<I: Items>(&self, items: &I, labels: &Labels) -> Result<SvcModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        self.fit_observed(items, labels, None, &|_| Control::Continue)
    }

    /// Trains with a weight per row: the row's cost is C times its weight, as if it stood there so many times.
    ///
    /// ```
    /// # use mercer::data::{Labels, Vectors};
    /// # use mercer::kernel::Expression;
    /// # use mercer::machine::Svc;
    /// let rows = Vectors::from_rows(&[[0.0], [1.0], [0.9]])?;
    /// let labels = Labels::from_text(["low", "high", "low"]);
    /// let machine = Svc::params("linear".parse::<Expression>()?).cost(100.0).check()?;
    /// // The third label is doubted.
    /// let model = machine.fit_weighted(&rows, &labels, &[1.0, 1.0, 0.001])?;
    /// assert_eq!(model.predict_labels(&rows)?, ["low", "high", "high"]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Svc::fit`], and for weights that are negative, not finite, or leave a class without mass.
    pub fn fit_weighted<I: Items>(
        &self,
        items: &I,
        labels: &Labels,
        weights: &[f64],
    ) -> Result<SvcModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        self.fit_observed(items, labels, Some(weights), &|_| Control::Continue)
    }

    /// Trains under the eyes of an observer, who may cancel.
    ///
    /// ```
    /// # use mercer::data::{Labels, Vectors};
    /// # use mercer::kernel::Expression;
    /// # use mercer::machine::Svc;
    /// use mercer::solver::{Control, Status};
    /// let rows = Vectors::from_rows(&[[0.0], [1.0]])?;
    /// let labels = Labels::from_text(["low", "high"]);
    /// let machine = Svc::params("linear".parse::<Expression>()?).check()?;
    /// let model = machine.fit_observed(&rows, &labels, None, &|_| Control::Cancel)?;
    /// assert_eq!(model.status(), Some(Status::Cancelled));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Svc::fit_weighted`].
    pub fn fit_observed<I: Items>(
        &self,
        items: &I,
        labels: &Labels,
        weights: Option<&[f64]>,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<SvcModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        self.fit_vectors(items, labels, weights, None, observer)
    }

    /// Goes on from an earlier fit of the same rows: one that was stopped, or had another cost, tolerance or kernel.
    ///
    /// The coefficients begin where that fit left them, as far as the box of the new problem allows. Rows may have
    /// been added at the end since, or changed their weights or labels.
    ///
    /// ```
    /// # use mercer::data::{Labels, Vectors};
    /// # use mercer::kernel::Expression;
    /// # use mercer::machine::Svc;
    /// # use mercer::solver::{Control, Status};
    /// let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0], [3.0]])?;
    /// let labels = Labels::from_text(["low", "high", "low", "high"]);
    /// let machine = Svc::params("gaussian(gamma=1)".parse::<Expression>()?);
    /// let stopped = machine.clone().max_iterations(1).check()?.fit(&rows, &labels)?;
    /// assert_eq!(stopped.status(), Some(Status::IterationLimit));
    /// let machine = machine.check()?;
    /// let model = machine.fit_from(&rows, &labels, None, stopped.pairs(), &|_| Control::Continue)?;
    /// assert_eq!(model.status(), Some(Status::Converged));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Svc::fit_weighted`], and for an earlier fit with support rows that are not there.
    pub fn fit_from<I: Items>(
        &self,
        items: &I,
        labels: &Labels,
        weights: Option<&[f64]>,
        earlier: &PairMachines,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<SvcModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        self.fit_vectors(items, labels, weights, Some(earlier), observer)
    }

    fn fit_vectors<I: Items>(
        &self,
        items: &I,
        labels: &Labels,
        weights: Option<&[f64]>,
        earlier: Option<&PairMachines>,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<SvcModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        // Labels and weights are checked before the kernel looks at the items.
        let costs = costs(labels, items.len(), self.cost, &self.class_weights, weights)?;
        let kernel = BulkKernel::<I>::resolve(&self.kernel, items)?;
        let convex = BulkKernel::<I>::definiteness(&kernel) == Definiteness::Guaranteed;
        let plan = self.options.plan(items.len())?;
        let layout = BulkKernel::<I>::layout(&kernel, items, &plan)?;
        let training = Training { labels, costs: &costs, convex, workers: &plan.workers, observer };
        let settings = &self.options.solver;
        let done = |layout, precision, fit: SvcFit| {
            let support = items.select(&fit.pairs.support);
            Ok(SvcModel::new(kernel.clone(), layout, precision, support, fit))
        };
        let train = |layout, plan, settings: &Settings, share, earlier: Option<&PairMachines>| {
            let gram = BulkKernel::<I>::symmetric(&kernel, items, layout, plan)?;
            training.run(&*gram, settings, share, earlier)
        };
        if plan.precision != Precision::F32 {
            let trained = train(&layout, &plan, settings, DOUBLE_SHARE, earlier)?;
            return done(layout, plan.precision, trained.report(trained.join()?, 0.0));
        }

        // Single precision: asked for, or tried because there are many rows.
        let automatic = self.options.precision == Precision::Auto;
        let double = Plan { precision: Precision::F64, ..plan.clone() };
        let double_layout = BulkKernel::<I>::layout(&kernel, items, &double)?;
        let (single, precise) = ((&layout, &plan), (&double_layout, &double));
        let (Stop::KktGap(tolerance) | Stop::DualityGap(tolerance)) = settings.stop;
        let demand = (costs.iter().copied().fold(0.0, f64::max), tolerance);
        if automatic && !rounding::single_suffices(&kernel, items, single, precise, demand)? {
            let trained = train(&double_layout, &double, settings, DOUBLE_SHARE, earlier)?;
            return done(double_layout, double.precision, trained.report(trained.join()?, 0.0));
        }
        let begun = Instant::now();
        let mut before: Option<SvcFit> = None;
        let mut share = SINGLE_SHARE;
        loop {
            let left = left(settings, begun, before.as_ref());
            let trained =
                train(&layout, &plan, &left, share, before.as_ref().map(|fit| &fit.pairs).or(earlier))?;
            let pairs = trained.join()?;
            let seen = |row, pair| trained.seen(row, pair);
            let error = rounding::decision_error(&kernel, items, &pairs, &seen, precise)?;
            let fit = add_effort(trained.report(pairs, error), before);
            let has = |status| fit.pairs.reports.iter().any(|report| report.status == status);
            // Where a limit has ended it, there is nothing left to try again with.
            let ended = has(Status::TimeLimit) || has(Status::Cancelled) || is_short(settings, begun);
            if ended || !has(Status::NumericalLimit) {
                return done(layout, plan.precision, fit);
            }
            before = Some(fit);
            // Rounding took more than was set aside for it: set aside what it takes, if that leaves enough. Where
            // that is less than was set aside, it was not for rounding that the solver gave up.
            let left_by_rounding = match settings.stop {
                Stop::KktGap(tolerance) => 1.0 - 2.1 * error / tolerance,
                Stop::DualityGap(_) => 0.0,
            };
            if !(LEAST_SHARE..share).contains(&left_by_rounding) {
                break;
            }
            share = left_by_rounding.min(0.9 * share);
        }
        match before {
            Some(fit) if !automatic => done(layout, plan.precision, fit),
            before => {
                let left = left(settings, begun, before.as_ref());
                let earlier = before.as_ref().map(|fit| &fit.pairs);
                let trained = train(&double_layout, &double, &left, DOUBLE_SHARE, earlier)?;
                done(
                    double_layout,
                    double.precision,
                    add_effort(trained.report(trained.join()?, 0.0), before),
                )
            }
        }
    }

    /// Trains on a Gram matrix: for precomputed kernels, and wherever the items are of no concern.
    ///
    /// `convex` says whether the matrix is known to be positive semi-definite, so that a duality gap may be claimed.
    ///
    /// ```
    /// # use mercer::data::Labels;
    /// # use mercer::machine::Svc;
    /// # use mercer::solver::Control;
    /// use mercer::gram::PrecomputedGram;
    /// use mercer::resources::Workers;
    /// let gram = PrecomputedGram::symmetric(vec![1.0, -1.0, -1.0, 1.0], 2)?;
    /// let labels = Labels::from_text(["no", "yes"]);
    /// let machine = Svc::params(()).check()?;
    /// let fit = machine.fit_gram(&gram, &labels, None, true, &|_| Control::Continue)?;
    /// // Kernel values of the two training items (rows) with one new item (column).
    /// let new = PrecomputedGram::rectangular(vec![-3.0, 3.0], 2, 1)?;
    /// assert_eq!(fit.pairs.decisions(&new, &fit.pairs.support, &Workers::serial())?, [3.0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Svc::fit_weighted`].
    pub fn fit_gram(
        &self,
        gram: &dyn SymmetricGram,
        labels: &Labels,
        weights: Option<&[f64]>,
        convex: bool,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<SvcFit> {
        let costs = costs(labels, gram.shape().0, self.cost, &self.class_weights, weights)?;
        let workers = Workers::checked(self.options.threads)?;
        let training = Training { labels, costs: &costs, convex, workers: &workers, observer };
        let trained = training.run(gram, &self.options.solver, share(gram), None)?;
        Ok(trained.report(trained.join()?, 0.0))
    }
}

/// How much of the accuracy that the user wants is left to the solver, at first, and at least.
const SINGLE_SHARE: f64 = 0.75;
const LEAST_SHARE: f64 = 0.05;
const DOUBLE_SHARE: f64 = 0.999;

fn share(gram: &dyn SymmetricGram) -> f64 {
    if gram.precision() == Precision::F32 { SINGLE_SHARE } else { DOUBLE_SHARE }
}

/// Whether so much of the time is used up that another attempt, which begins with all decision values, has little left.
fn is_short(settings: &Settings, begun: Instant) -> bool {
    settings.max_time.is_some_and(|limit| 2 * begun.elapsed() > limit)
}

/// The settings with what is left of the limits.
fn left(settings: &Settings, begun: Instant, before: Option<&SvcFit>) -> Settings {
    let Some(before) = before else { return settings.clone() };
    let used = before.pairs.reports.iter().map(|report| report.iterations).max().unwrap_or(0);
    Settings {
        max_time: settings.max_time.map(|limit| limit.saturating_sub(begun.elapsed())),
        max_iterations: settings.max_iterations.saturating_sub(used),
        ..settings.clone()
    }
}

/// The fit with what it took to come to where it began.
fn add_effort(mut fit: SvcFit, before: Option<SvcFit>) -> SvcFit {
    let reports = before.map(|before| before.pairs.reports).unwrap_or_default();
    for (report, first) in fit.pairs.reports.iter_mut().zip(&reports) {
        report.iterations += first.iterations;
        report.rows_computed += first.rows_computed;
        report.seconds += first.seconds;
    }
    fit
}
