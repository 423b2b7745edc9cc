//! Training of a joint machine.

use super::JointSvc;
use super::training::{Training, classes_with_rows};
use crate::data::{Items, Labels};
use crate::error::Result;
use crate::gram::{BulkKernel, SymmetricGram};
use crate::kernel::Definiteness;
use crate::machine::attempt::{Attempted, Earlier, fit_gram, fit_items};
use crate::machine::class_weights::costs;
use crate::machine::kept::Kept;
use crate::machine::svc::FitProgress;
use crate::machine::{ClassFunctions, ClassModel, Report};
use crate::resources::Workers;
use crate::solver::Control;

/// What a training on a Gram matrix gives: everything but the items.
#[derive(Clone, Debug)]
pub struct JointFit {
    /// The functions of all classes; `support` are positions in the Gram matrix.
    pub functions: ClassFunctions,
    /// How it went.
    pub report: Report,
}

impl<K> JointSvc<K> {
    /// Trains on items and their labels.
    ///
    /// # Errors
    /// No rows, labels of another length, one class only, or a kernel that is not defined on the items.
    pub fn fit<I: Items>(&self, items: &I, labels: &Labels) -> Result<ClassModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        self.fit_observed(items, labels, None, None, &|_| Control::Continue)
    }

    /// Trains with a weight per row: the row's cost is C times its weight, as if it stood there so many times.
    ///
    /// ```
    /// # use mercer::data::{Labels, Vectors};
    /// # use mercer::kernel::Expression;
    /// # use mercer::machine::JointSvc;
    /// let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0], [0.9]])?;
    /// let labels = Labels::from_text(["low", "middle", "high", "low"]);
    /// let machine = JointSvc::params("gaussian(gamma=1)".parse::<Expression>()?).cost(100.0).check()?;
    /// // The last label is doubted.
    /// let model = machine.fit_weighted(&rows, &labels, &[1.0, 1.0, 1.0, 0.001])?;
    /// assert_eq!(model.predict_labels(&rows)?, ["low", "middle", "high", "middle"]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`JointSvc::fit`], and for weights that are negative, not finite, or leave a class without mass.
    pub fn fit_weighted<I: Items>(
        &self,
        items: &I,
        labels: &Labels,
        weights: &[f64],
    ) -> Result<ClassModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        self.fit_observed(items, labels, Some(weights), None, &|_| Control::Continue)
    }

    /// Trains with a weight per row, from an earlier fit of the same rows (one that was stopped, or had another cost,
    /// tolerance or kernel; rows may have been added at the end), and under the eyes of an observer, who may cancel.
    ///
    /// ```
    /// # use mercer::data::{Labels, Vectors};
    /// # use mercer::kernel::Expression;
    /// # use mercer::machine::JointSvc;
    /// # use mercer::solver::{Control, Status};
    /// let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0], [3.0]])?;
    /// let labels = Labels::from_text(["a", "b", "c", "a"]);
    /// let machine = JointSvc::params("gaussian(gamma=1)".parse::<Expression>()?);
    /// let stopped = machine.clone().max_iterations(1).check()?.fit(&rows, &labels)?;
    /// assert_eq!(stopped.reports()[0].status, Status::IterationLimit);
    /// let earlier = Some(stopped.functions());
    /// let model = machine.check()?.fit_observed(&rows, &labels, None, earlier, &|_| Control::Continue)?;
    /// assert_eq!(model.reports()[0].status, Status::Converged);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`JointSvc::fit_weighted`], and for an earlier fit with support rows that are not there.
    pub fn fit_observed<I: Items>(
        &self,
        items: &I,
        labels: &Labels,
        weights: Option<&[f64]>,
        earlier: Option<&ClassFunctions>,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<ClassModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        // Labels and weights are checked before the kernel looks at the items.
        let costs = costs(labels, items.len(), self.cost, &self.class_weights, weights)?;
        let plan = self.options.plan(items.len())?;
        let kernel = BulkKernel::<I>::resolve_by(&self.kernel, items, weights, &plan)?;
        let convex = BulkKernel::<I>::definiteness(&kernel) == Definiteness::Guaranteed;
        let workers = Workers::checked(self.options.threads)?;
        let largest = costs.iter().copied().fold(0.0, f64::max);
        let training = self.training(labels, costs, convex, &workers, observer);
        let Attempted { layout, precision, fit, .. } =
            fit_items(&kernel, items, &self.options, largest, Earlier::machine(earlier), &training)?;
        let support = items.select(&fit.functions.support);
        let kept = Kept { items: support, kernel, layout, precision, threads: 0 };
        Ok(ClassModel::from_parts(kept, self.machine.into(), fit.functions, vec![fit.report]))
    }

    /// Trains on a Gram matrix; `convex` says whether it is known to be positive semi-definite, so that a duality gap may
    /// be claimed.
    ///
    /// ```
    /// # use mercer::data::Labels;
    /// # use mercer::machine::JointSvc;
    /// # use mercer::solver::Control;
    /// use mercer::gram::PrecomputedGram;
    /// use mercer::resources::Workers;
    /// let gram = PrecomputedGram::symmetric(vec![1.0, -1.0, -1.0, 1.0], 2)?;
    /// let labels = Labels::from_text(["no", "yes"]);
    /// let fit = JointSvc::params(()).check()?.fit_gram(&gram, &labels, None, true, &|_| Control::Continue)?;
    /// // Kernel values of the two training items (rows) with one new item (column).
    /// let new = PrecomputedGram::rectangular(vec![-3.0, 3.0], 2, 1)?;
    /// let scores = fit.functions.scores(&new, &fit.functions.support, &Workers::serial())?;
    /// assert_eq!(scores, [-3.0, 3.0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`JointSvc::fit_weighted`].
    pub fn fit_gram(
        &self,
        gram: &dyn SymmetricGram,
        labels: &Labels,
        weights: Option<&[f64]>,
        convex: bool,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<JointFit> {
        self.fit_matrix(gram, labels, weights, convex, None, observer)
    }

    /// Goes on from an earlier fit on a Gram matrix, as [`JointSvc::fit_observed`] does from one on items.
    ///
    /// ```
    /// # use mercer::data::Labels;
    /// # use mercer::gram::PrecomputedGram;
    /// # use mercer::machine::JointSvc;
    /// # use mercer::solver::Control;
    /// let gram = PrecomputedGram::symmetric(vec![1.0, -1.0, -1.0, 1.0], 2)?;
    /// let labels = Labels::from_text(["no", "yes"]);
    /// let machine = JointSvc::params(()).check()?;
    /// let go_on = |_: &_| Control::Continue;
    /// let first = machine.fit_gram(&gram, &labels, None, true, &go_on)?;
    /// let again = machine.fit_gram_from(&gram, &labels, None, true, &first.functions, &go_on)?;
    /// // Nothing is left to do.
    /// assert_eq!(again.report.iterations, 0);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`JointSvc::fit_observed`].
    pub fn fit_gram_from(
        &self,
        gram: &dyn SymmetricGram,
        labels: &Labels,
        weights: Option<&[f64]>,
        convex: bool,
        earlier: &ClassFunctions,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<JointFit> {
        self.fit_matrix(gram, labels, weights, convex, Some(earlier), observer)
    }

    fn fit_matrix(
        &self,
        gram: &dyn SymmetricGram,
        labels: &Labels,
        weights: Option<&[f64]>,
        convex: bool,
        earlier: Option<&ClassFunctions>,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<JointFit> {
        let costs = costs(labels, gram.shape().0, self.cost, &self.class_weights, weights)?;
        let workers = Workers::checked(self.options.threads)?;
        let training = self.training(labels, costs, convex, &workers, observer);
        fit_gram(gram, &self.options.settings(), earlier, &training)
    }

    fn training<'a>(
        &self,
        labels: &Labels,
        costs: Vec<f64>,
        convex: bool,
        workers: &'a Workers,
        observer: &'a (dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Training<'a> {
        let (classes, class_of_row) = classes_with_rows(labels);
        let (machine, offset) = (self.machine, self.offset);
        Training { machine, offset, classes, class_of_row, costs, convex, workers, observer }
    }
}
