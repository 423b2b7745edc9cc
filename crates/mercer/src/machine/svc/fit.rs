//! Training: from items or a Gram matrix to a model, in the precision that it takes.

use super::calibration::for_the_model;
use super::training::{Trained, Training};
use super::{Svc, SvcModel};
use crate::data::{Items, Labels};
use crate::error::Result;
use crate::gram::{BulkKernel, Plan, Precision, SymmetricGram};
use crate::kernel::Definiteness;
use crate::machine::FitOptions;
use crate::machine::attempt::{Attempted, Earlier, check_path, fit_gram, fit_gram_after, fit_items, goes_on};
use crate::machine::class_weights::costs as class_costs;
use crate::machine::formulation::Slack;
use crate::machine::kept::Kept;
use crate::machine::pair_machines::PairMachines;
use crate::resources::Workers;
use crate::solver::{Control, Progress, Status};

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
        Ok(self.fit_vectors(items, labels, weights, Earlier::machine(None), observer)?.0)
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
        Ok(self.fit_vectors(items, labels, weights, Earlier::machine(Some(earlier)), observer)?.0)
    }

    /// Trains with one cost C after the other in the place of the machine's own, each from where the one before ended.
    ///
    /// Where the coefficients that are at their bound move on to the next together, K times them does too, and the rows
    /// of K that a start otherwise costs are spared: with ascending costs a path of ten takes about half the rows of ten
    /// fits. A limit is one for each fit. If the observer cancels, the path ends with the model of that moment.
    ///
    /// ```
    /// # use mercer::data::{Labels, Vectors};
    /// # use mercer::kernel::Expression;
    /// # use mercer::machine::Svc;
    /// # use mercer::solver::Control;
    /// let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0], [3.0]])?;
    /// let labels = Labels::from_text(["low", "high", "low", "high"]);
    /// let machine = Svc::params("gaussian(gamma=1)".parse::<Expression>()?).check()?;
    /// let path = machine.fit_path(&rows, &labels, None, &[0.1, 1.0, 10.0], &|_| Control::Continue)?;
    /// // The more slack costs, the smaller the margin.
    /// let margins: Vec<f64> = path.iter().map(|model| model.pairs().reports[0].margin).collect();
    /// assert!(margins[0] > margins[1] && margins[1] > margins[2]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Svc::fit_weighted`], and for costs that are not finite numbers above 0.
    pub fn fit_path<I: Items>(
        &self,
        items: &I,
        labels: &Labels,
        weights: Option<&[f64]>,
        costs: &[f64],
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Vec<SvcModel<K, I::Owned>>>
    where
        K: Clone + BulkKernel<I> + BulkKernel<I::Owned>,
    {
        check_path(costs)?;
        let mut path: Vec<SvcModel<K, I::Owned>> = Vec::new();
        let mut last = None;
        for (at, &cost) in costs.iter().enumerate() {
            let machine = Svc { cost, ..self.clone() };
            let goes_on = goes_on(costs, at);
            let earlier = Earlier {
                machine: path.last().filter(|_| goes_on).map(SvcModel::pairs),
                trained: last.as_ref().filter(|_| goes_on).map(|(precision, trained)| (*precision, trained)),
            };
            let (model, precision, trained) =
                machine.fit_vectors(items, labels, weights, earlier, observer)?;
            let is_cancelled = model.status() == Some(Status::Cancelled);
            path.push(model);
            if is_cancelled {
                break;
            }
            last = Some((precision, trained));
        }
        Ok(path)
    }

    fn fit_vectors<I: Items>(
        &self,
        items: &I,
        labels: &Labels,
        weights: Option<&[f64]>,
        earlier: Earlier<'_, Training<'_>>,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<(SvcModel<K, I::Owned>, Precision, Trained)>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        // Labels and weights are checked before the kernel looks at the items.
        let costs = self.costs(labels, items.len(), weights)?;
        let plan = self.options.plan(items.len())?;
        let kernel = BulkKernel::<I>::resolve_by(&self.kernel, items, weights, &plan)?;
        let convex = BulkKernel::<I>::definiteness(&kernel) == Definiteness::Guaranteed;
        let workers = Workers::checked(self.options.threads)?;
        let training = self.training(labels, &costs, convex, &workers, observer);
        let largest = self.largest(&costs);
        let options = self.model_options();
        let Earlier { machine, trained } = earlier;
        let Attempted { layout, precision, trained, mut fit } =
            fit_items(&kernel, items, &options, largest, Earlier { machine, trained }, &training)?;
        if let Some(kind) = self.probability {
            let plan = Plan { precision, ..options.plan(items.len())? };
            let gram = BulkKernel::<I>::symmetric(&kernel, items, &layout, &plan)?;
            fit.pairs.calibration = training.calibrate(&*gram, &options.settings(), kind, weights, &fit)?;
        }
        let kept = Kept { items: items.select(&fit.pairs.support), kernel, layout, precision, threads: 0 };
        Ok((SvcModel::new(kept, fit), precision, trained))
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
        self.fit_matrix(gram, labels, weights, convex, None, observer)
    }

    /// Goes on from an earlier fit on a Gram matrix, as [`Svc::fit_from`] does from one on items.
    ///
    /// ```
    /// # use mercer::data::Labels;
    /// # use mercer::gram::PrecomputedGram;
    /// # use mercer::machine::Svc;
    /// # use mercer::solver::Control;
    /// let (no, yes) = ([1.0, 1.0, -1.0, -1.0], [-1.0, -1.0, 1.0, 1.0]);
    /// let gram = PrecomputedGram::symmetric([no, no, yes, yes].concat(), 4)?;
    /// let labels = Labels::from_text(["no", "no", "yes", "yes"]);
    /// let fit = |cost: f64| Svc::params(()).cost(cost).check();
    /// let first = fit(0.1)?.fit_gram(&gram, &labels, None, true, &|_| Control::Continue)?;
    /// let next = fit(0.2)?.fit_gram_from(&gram, &labels, None, true, &first.pairs, &|_| Control::Continue)?;
    /// // All coefficients were at their bound, and begin at the new one: nothing is left to do.
    /// assert_eq!(next.pairs.coefficients, [-0.2, -0.2, 0.2, 0.2]);
    /// assert_eq!(next.pairs.reports[0].iterations, 0);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Svc::fit_from`].
    pub fn fit_gram_from(
        &self,
        gram: &dyn SymmetricGram,
        labels: &Labels,
        weights: Option<&[f64]>,
        convex: bool,
        earlier: &PairMachines,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<SvcFit> {
        self.fit_matrix(gram, labels, weights, convex, Some(earlier), observer)
    }

    /// [`Svc::fit_path`] on a Gram matrix.
    ///
    /// ```
    /// # use mercer::data::Labels;
    /// # use mercer::gram::PrecomputedGram;
    /// # use mercer::machine::Svc;
    /// # use mercer::solver::Control;
    /// let (no, yes) = ([1.0, 1.0, -1.0, -1.0], [-1.0, -1.0, 1.0, 1.0]);
    /// let gram = PrecomputedGram::symmetric([no, no, yes, yes].concat(), 4)?;
    /// let labels = Labels::from_text(["no", "no", "yes", "yes"]);
    /// let machine = Svc::params(()).check()?;
    /// let path = machine.fit_gram_path(&gram, &labels, None, true, &[0.1, 0.2], &|_| Control::Continue)?;
    /// assert_eq!(path[1].pairs.coefficients, [-0.2, -0.2, 0.2, 0.2]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Svc::fit_path`].
    pub fn fit_gram_path(
        &self,
        gram: &dyn SymmetricGram,
        labels: &Labels,
        weights: Option<&[f64]>,
        convex: bool,
        costs: &[f64],
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Vec<SvcFit>> {
        check_path(costs)?;
        let workers = Workers::checked(self.options.threads)?;
        let settings = &self.model_options().settings();
        let mut path: Vec<SvcFit> = Vec::new();
        let mut last = None;
        for (at, &cost) in costs.iter().enumerate() {
            let of_rows = class_costs(labels, gram.shape().0, cost, &self.class_weights, weights)?;
            let training = self.training(labels, &of_rows, convex, &workers, observer);
            let goes_on = goes_on(costs, at);
            let earlier = Earlier {
                machine: path.last().filter(|_| goes_on).map(|fit| &fit.pairs),
                trained: last.as_ref().filter(|_| goes_on).map(|trained| (gram.precision(), trained)),
            };
            let (trained, mut fit) = fit_gram_after(gram, settings, earlier, &training)?;
            if let Some(kind) = self.probability {
                fit.pairs.calibration = training.calibrate(gram, settings, kind, weights, &fit)?;
            }
            let is_cancelled = fit.pairs.status() == Some(Status::Cancelled);
            path.push(fit);
            if is_cancelled {
                break;
            }
            last = Some(trained);
        }
        Ok(path)
    }

    fn fit_matrix(
        &self,
        gram: &dyn SymmetricGram,
        labels: &Labels,
        weights: Option<&[f64]>,
        convex: bool,
        earlier: Option<&PairMachines>,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<SvcFit> {
        let costs = self.costs(labels, gram.shape().0, weights)?;
        let workers = Workers::checked(self.options.threads)?;
        let training = self.training(labels, &costs, convex, &workers, observer);
        let settings = &self.model_options().settings();
        let mut fit = fit_gram(gram, settings, earlier, &training)?;
        if let Some(kind) = self.probability {
            fit.pairs.calibration = training.calibrate(gram, settings, kind, weights, &fit)?;
        }
        Ok(fit)
    }

    /// How large a coefficient may become, for the choice of the precision.
    pub(super) fn largest(&self, costs: &[f64]) -> f64 {
        match self.slack {
            // Nothing bounds them, and rounding must not make classes overlap.
            Slack::None => f64::INFINITY,
            _ => costs.iter().copied().fold(0.0, f64::max),
        }
    }

    /// The options for the model itself, which leave time for probabilities.
    fn model_options(&self) -> FitOptions {
        let mut options = self.options.clone();
        if self.probability.is_some() {
            options.solver.max_time = options.solver.max_time.map(for_the_model);
        }
        options
    }

    fn training<'a>(
        &self,
        labels: &'a Labels,
        costs: &'a [f64],
        convex: bool,
        workers: &'a Workers,
        observer: &'a (dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Training<'a> {
        Training {
            labels,
            costs,
            slack: self.slack,
            scale: self.scale,
            offset: self.offset,
            decision: self.decision,
            accepts_no_margin: self.accepts_no_margin,
            convex,
            workers,
            observer,
        }
    }
}
