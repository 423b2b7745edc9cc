//! Many classes by one machine for each of them against all others.
//!
//! The score of a class is the decision value of its machine, and the class of the highest is predicted; if two are
//! equal, the first. The machines are trained apart, so their values are comparable only in so far as all have the
//! margin 1 (Campbell §2.2). Each has all n rows: k problems of n rows where pairs are k(k − 1)/2 of about 2n/k.

use super::pair::{Pair, PairSolution, Start};
use super::side_by_side::{Problems, solve_all};
use super::training::{rows_by_class, to_new_bounds, variable_of};
use super::units::{at_bound, certify, offset, rounding, squared_norm, value};
use super::{FitProgress, Svc};
use crate::data::{Items, Labels};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, SymmetricGram};
use crate::kernel::Definiteness;
use crate::machine::attempt::{Attempt, Attempted, Earlier, fit_gram, fit_items};
use crate::machine::class_functions::ClassFunctions;
use crate::machine::class_model::{ClassModel, Multiclass};
use crate::machine::class_weights::costs;
use crate::machine::expansion::{Report, check_finite};
use crate::machine::formulation::{Scale, Slack};
use crate::machine::kept::Kept;
use crate::resources::Workers;
use crate::solver::{Accuracy, Control, Settings, Status};

/// What a training of one class against the rest on a Gram matrix gives: everything but the items.
#[derive(Clone, Debug)]
pub struct RestFit {
    /// The functions of all classes; `support` are positions in the Gram matrix.
    pub functions: ClassFunctions,
    /// How the training of each went.
    pub reports: Vec<Report>,
}

impl<K> Svc<K> {
    /// Trains a machine for each class against all others, with a weight per row, from an earlier fit of the same rows,
    /// and under the eyes of an observer, who may cancel.
    ///
    /// Every formulation and every option but the way to decide and probabilities, which are for pairs, works as in
    /// [`Svc::fit`].
    ///
    /// ```
    /// use mercer::data::{Labels, Vectors};
    /// use mercer::kernel::Expression;
    /// use mercer::machine::Svc;
    /// use mercer::solver::Control;
    /// let rows = Vectors::from_rows(&[[0.0, 2.0], [0.2, 1.8], [-2.0, -1.0], [-1.8, -1.2], [2.0, -1.0], [1.9, -0.8]])?;
    /// let labels = Labels::from_text(["up", "up", "left", "left", "right", "right"]);
    /// let machine = Svc::params("linear".parse::<Expression>()?).cost(10.0).check()?;
    /// let model = machine.fit_one_against_rest(&rows, &labels, None, None, &|_| Control::Continue)?;
    /// assert_eq!(model.predict_labels(&rows)?, ["up", "up", "left", "left", "right", "right"]);
    /// assert_eq!(model.reports().len(), 3);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Svc::fit_from`]; [`Error::Unsupported`] if probabilities are asked for.
    pub fn fit_one_against_rest<I: Items>(
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
        let costs = costs(labels, items.len(), self.cost, &self.class_weights, weights)?;
        let plan = self.options.plan(items.len())?;
        let kernel = BulkKernel::<I>::resolve_by(&self.kernel, items, weights, &plan)?;
        let convex = BulkKernel::<I>::definiteness(&kernel) == Definiteness::Guaranteed;
        let workers = Workers::checked(self.options.threads)?;
        let training = self.rest(labels, &costs, convex, &workers, observer)?;
        let largest = self.largest(&costs);
        let Attempted { layout, precision, fit, .. } =
            fit_items(&kernel, items, &self.options, largest, Earlier::machine(earlier), &training)?;
        let support = items.select(&fit.functions.support);
        let kept = Kept { items: support, kernel, layout, precision, threads: 0 };
        Ok(ClassModel::from_parts(kept, Multiclass::OneAgainstRest, fit.functions, fit.reports))
    }

    /// The same on a Gram matrix; `convex` says whether it is known to be positive semi-definite.
    ///
    /// # Errors
    /// As [`Svc::fit_one_against_rest`].
    pub fn fit_gram_one_against_rest(
        &self,
        gram: &dyn SymmetricGram,
        labels: &Labels,
        weights: Option<&[f64]>,
        convex: bool,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<RestFit> {
        let costs = costs(labels, gram.shape().0, self.cost, &self.class_weights, weights)?;
        let workers = Workers::checked(self.options.threads)?;
        let training = self.rest(labels, &costs, convex, &workers, observer)?;
        fit_gram(gram, &self.options.settings(), None, &training)
    }

    fn rest<'a>(
        &self,
        labels: &Labels,
        costs: &'a [f64],
        convex: bool,
        workers: &'a Workers,
        observer: &'a (dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Rest<'a>> {
        if self.probability.is_some() {
            let what = "probabilities come from pairs of classes: train one against one".into();
            return Err(Error::Unsupported { what });
        }
        let groups = rows_by_class(labels, costs);
        let mut class_of_row = vec![None; costs.len()];
        for (position, (_, rows)) in groups.iter().enumerate() {
            rows.iter().for_each(|&row| class_of_row[row] = Some(position));
        }
        let classes = groups.iter().map(|(class, _)| labels.classes()[*class].clone()).collect();
        let Svc { slack, scale, offset, accepts_no_margin, .. } = *self;
        Ok(Rest {
            slack,
            scale,
            offset,
            accepts_no_margin,
            classes,
            class_of_row,
            costs,
            convex,
            workers,
            observer,
        })
    }
}

/// What is trained on, whatever the Gram matrix.
struct Rest<'a> {
    slack: Slack,
    scale: Scale,
    offset: bool,
    accepts_no_margin: bool,
    classes: Vec<String>,
    /// The position of each row's class; none for rows that cost nothing.
    class_of_row: Vec<Option<usize>>,
    costs: &'a [f64],
    convex: bool,
    workers: &'a Workers,
    observer: &'a (dyn Fn(&FitProgress) -> Control + Sync),
}

/// All machines, solved.
struct Trained {
    solutions: Vec<PairSolution>,
    accuracy: Accuracy,
    /// max k(x, x)
    largest: f64,
}

impl Rest<'_> {
    /// A class against the rest, and where to begin.
    fn problem(
        &self,
        class: usize,
        earlier: Option<&ClassFunctions>,
        before: Option<&Trained>,
    ) -> Result<(Pair, Start)> {
        let rows: Vec<usize> =
            (0..self.costs.len()).filter(|&row| self.class_of_row[row].is_some()).collect();
        let positive: Vec<bool> = rows.iter().map(|&row| self.class_of_row[row] == Some(class)).collect();
        let costs: Vec<f64> = rows.iter().map(|&row| self.costs[row]).collect();
        let items = if rows.len() == self.costs.len() { Vec::new() } else { rows };
        let Rest { slack, scale, offset, accepts_no_margin, .. } = *self;
        let pair = Pair { positive, costs, items, slack, scale, offset, accepts_no_margin };
        pair.check_share()?;
        let mut start = Vec::new();
        let from =
            earlier.and_then(|earlier| earlier.classes.iter().position(|name| *name == self.classes[class]));
        if let (Some(earlier), Some(from)) = (earlier, from) {
            start = vec![0.0; pair.positive.len()];
            for (&row, of_row) in
                earlier.support.iter().zip(earlier.coefficients.chunks_exact(earlier.class_count()))
            {
                if let Some(variable) = variable_of(&pair.items, start.len(), row) {
                    start[variable] = of_row[from];
                }
            }
            to_new_bounds(&mut start, &pair);
        }
        let known = before.and_then(|before| before.solutions[class].known(&pair.items));
        Ok((pair, Start { coefficients: start, known }))
    }
}

impl Attempt for Rest<'_> {
    type Machine = ClassFunctions;
    type Trained = Trained;
    type Fit = RestFit;

    fn convex(&self) -> bool {
        self.convex
    }

    fn train(
        &self,
        gram: &dyn SymmetricGram,
        settings: &Settings,
        share: f64,
        earlier: Option<&ClassFunctions>,
        before: Option<&Trained>,
    ) -> Result<Trained> {
        let build = |class: usize| self.problem(class, earlier, before);
        let named = |class: usize| format!("class {} and the rest", self.classes[class]);
        let problems =
            Problems { sizes: vec![self.costs.len(); self.classes.len()], build: &build, classes: &named };
        let shared = settings.shared(share);
        let solutions = solve_all(gram, &problems, &shared, self.workers, self.observer)?;
        let largest = gram.largest();
        Ok(Trained { solutions, accuracy: settings.accuracy(), largest })
    }

    fn join(&self, trained: &Trained) -> Result<ClassFunctions> {
        let k = self.classes.len();
        let mut all = vec![0.0; k * self.costs.len()];
        for (class, PairSolution { problem, solution, factor, .. }) in trained.solutions.iter().enumerate() {
            check_finite("coefficient", &solution.coefficients)?;
            for i in solution.support() {
                all[problem.item(i) * k + class] = factor * solution.coefficients[i];
            }
        }
        let rows = || all.chunks_exact(k).enumerate().filter(|(_, of_row)| of_row.iter().any(|&b| b != 0.0));
        Ok(ClassFunctions {
            classes: self.classes.clone(),
            support: rows().map(|(row, _)| row).collect(),
            coefficients: rows().flat_map(|(_, of_row)| of_row.iter().copied()).collect(),
            offsets: trained
                .solutions
                .iter()
                .map(|solved| solved.factor * offset(&solved.solution))
                .collect(),
        })
    }

    fn seen(&self, trained: &Trained, row: usize, class: usize) -> Option<f64> {
        let PairSolution { problem, solution, factor, .. } = &trained.solutions[class];
        let i = variable_of(&problem.item, problem.len(), row)?;
        Some(factor * (value(problem, solution, i) + offset(solution)))
    }

    fn report(
        &self,
        trained: &Trained,
        functions: ClassFunctions,
        error: f64,
        before: Option<&RestFit>,
    ) -> RestFit {
        let report = |(class, solved): (usize, &PairSolution)| {
            let PairSolution { problem, solution, factor, .. } = solved;
            let error = (error / factor).max(rounding(solution, trained.largest));
            let certificate = certify(problem, solution, solved.slack, error);
            let earlier = before.map(|fit| &fit.reports[class]);
            Report {
                status: trained.accuracy.verdict(solution.status, &certificate),
                certificate,
                convex: self.convex,
                support: solution.support().count(),
                bounded: solution.support().filter(|&i| at_bound(problem, solution, i)).count(),
                norm: factor * squared_norm(problem, solution).max(0.0).sqrt(),
                iterations: solution.iterations + earlier.map_or(0, |report| report.iterations),
                rows_computed: solution.rows_computed + earlier.map_or(0, |report| report.rows_computed),
                seconds: solution.elapsed.as_secs_f64() + earlier.map_or(0.0, |report| report.seconds),
            }
        };
        RestFit { functions, reports: trained.solutions.iter().enumerate().map(report).collect() }
    }

    fn machine<'f>(&self, fit: &'f RestFit) -> &'f ClassFunctions {
        &fit.functions
    }

    fn ends(&self, fit: &RestFit) -> (Vec<Status>, u64) {
        let steps = fit.reports.iter().map(|report| report.iterations).max().unwrap_or(0);
        (fit.reports.iter().map(|report| report.status).collect(), steps)
    }

    fn statuses<'f>(&self, fit: &'f mut RestFit) -> Vec<&'f mut Status> {
        fit.reports.iter_mut().map(|report| &mut report.status).collect()
    }
}
