//! The novelty detector as a learner: judged by how often it calls rows novel that it has not seen.

use std::borrow::Cow;

use serde::Serialize;

use super::learner::{Learner, Outcome, Parameters};
use super::metric::area_under_roc;
use super::spread;
use crate::data::{Labels, TargetList, Vectors};
use crate::error::Result;
use crate::kernel::Expression;
use crate::machine::{FitOptions, FitProgress, NoveltyModel, NoveltyParams};
use crate::solver::{Control, Status};

/// A novelty detector, and the share of the training rows that its region is to leave outside.
///
/// ```
/// use mercer::data::{Examples, Random, Vectors};
/// use mercer::evaluation::{Aside, Detector, Recipe};
/// use mercer::kernel::Expression;
/// use mercer::machine::Novelty;
/// use mercer::solver::Control;
/// let mut random = Random::new(1);
/// let points: Vec<[f64; 2]> = (0..200).map(|_| [random.normal(), random.normal()]).collect();
/// let (rows, kinds) = (Vectors::from_rows(&points)?, Aside::unknown(200));
/// let detector = Detector::new(Novelty::params("gaussian(gamma=median)".parse::<Expression>()?));
/// let recipe = Recipe::new(detector);
/// let examples = Examples::new(&rows, &kinds);
/// let test = recipe.assess(examples, &examples.folds(5, 0)?, &|_| Control::Continue)?;
/// // ν = 0.1 is the share of the training rows outside, at most; new rows are not much worse off.
/// assert!((test.outcome.share() - 0.1).abs() < 0.05);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Detector {
    /// The machine.
    pub machine: NoveltyParams<Expression>,
    /// The share of the training rows outside, if the region is to be moved until it is so.
    pub contamination: Option<f64>,
}

impl Detector {
    /// The machine with its region as it is found.
    pub fn new(machine: NoveltyParams<Expression>) -> Self {
        Detector { machine, contamination: None }
    }
}

/// Labels that are put aside: a detector does not learn them, only a test is compared with them.
#[derive(Clone, Debug, PartialEq)]
pub struct Aside(pub Labels);

impl Aside {
    /// Rows of which nothing is known.
    ///
    /// ```
    /// use mercer::evaluation::Aside;
    /// assert_eq!(Aside::unknown(3).0.counts(), [3]);
    /// ```
    pub fn unknown(rows: usize) -> Self {
        Aside(Labels::from_text(std::iter::repeat_n("all", rows)))
    }
}

impl TargetList for Aside {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn select(&self, positions: &[usize]) -> Self {
        Aside(self.0.select(positions))
    }

    /// All rows are of one kind: nothing is to depend on the labels.
    fn strata(&self) -> Cow<'_, Labels> {
        Cow::Owned(Aside::unknown(self.0.len()).0)
    }

    fn suffice(&self, rows: &[usize]) -> bool {
        !rows.is_empty()
    }

    /// Nothing is to depend on the labels.
    fn unlike(&self, _one: usize, _other: usize) -> f64 {
        0.0
    }
}

/// What a test of a detector says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NoveltyTest {
    /// For each label the rows that have it.
    pub kinds: Vec<KindTested>,
    /// The share that was called novel in each fold.
    pub folds: Vec<f64>,
    /// For two labels, how often a row of the first looks more novel than one of the second; the mean over folds.
    pub auc: Option<f64>,
}

/// Rows with one label.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindTested {
    /// The label.
    pub label: String,
    /// Rows that have it.
    pub rows: usize,
    /// Those of them that were called novel.
    pub novel: usize,
    /// What the rows weigh: their number, if they have no weights.
    pub weight: f64,
    /// What those of them weigh that were called novel.
    pub novel_weight: f64,
}

impl KindTested {
    /// The share of the weight that was called novel; 0 where there is none.
    pub fn share(&self) -> f64 {
        if self.weight > 0.0 { self.novel_weight / self.weight } else { 0.0 }
    }
}

impl NoveltyTest {
    /// Compares verdicts (scores, and whether they stand for novel rows) with labels; rows without weight do not count.
    ///
    /// ```
    /// use mercer::data::Labels;
    /// use mercer::evaluation::NoveltyTest;
    /// let labels = Labels::from_text(["bad", "bad", "good", "good"]);
    /// let test = NoveltyTest::new(&labels, &[-2.0, 0.1, 0.2, 0.3], None, |score| score < 0.0);
    /// assert_eq!((test.kinds[0].novel, test.kinds[1].novel, test.share()), (1, 0, 0.25));
    /// assert_eq!(test.auc, Some(1.0));
    /// let weights = Some(&[3.0, 0.0, 1.0, 1.0][..]);
    /// let test = NoveltyTest::new(&labels, &[-2.0, 0.1, 0.2, 0.3], weights, |score| score < 0.0);
    /// assert_eq!((test.rows(), test.novel(), test.share()), (3, 1, 0.6));
    /// ```
    pub fn new(
        labels: &Labels,
        scores: &[f64],
        weights: Option<&[f64]>,
        is_novel: impl Fn(f64) -> bool,
    ) -> Self {
        let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
        let counted: Vec<usize> = (0..scores.len()).filter(|&row| weight(row) > 0.0).collect();
        let kind = |label: &String| KindTested {
            label: label.clone(),
            rows: 0,
            novel: 0,
            weight: 0.0,
            novel_weight: 0.0,
        };
        let mut kinds: Vec<KindTested> = labels.classes().iter().map(kind).collect();
        for &row in &counted {
            let kind = &mut kinds[labels.codes()[row] as usize];
            kind.rows += 1;
            kind.weight += weight(row);
            if is_novel(scores[row]) {
                kind.novel += 1;
                kind.novel_weight += weight(row);
            }
        }
        let auc = (kinds.len() == 2).then(|| {
            let strangeness: Vec<f64> = counted.iter().map(|&row| -scores[row]).collect();
            let first: Vec<bool> = counted.iter().map(|&row| labels.codes()[row] == 0).collect();
            area_under_roc(&strangeness, &first, None)
        });
        let mut test = NoveltyTest { kinds, folds: Vec::new(), auc: auc.flatten() };
        test.folds.push(test.share());
        test
    }

    /// Rows that were tested.
    pub fn rows(&self) -> usize {
        self.kinds.iter().map(|kind| kind.rows).sum()
    }

    /// Rows that were called novel.
    pub fn novel(&self) -> usize {
        self.kinds.iter().map(|kind| kind.novel).sum()
    }

    /// The share that was called novel, by weight.
    pub fn share(&self) -> f64 {
        let of = |weight: fn(&KindTested) -> f64| self.kinds.iter().map(weight).sum::<f64>();
        of(|kind| kind.novel_weight) / of(|kind| kind.weight)
    }

    /// How far the share may be off by chance: one standard error, from the spread of the folds, or from the number of
    /// rows where there is one part only.
    pub fn standard_error(&self) -> f64 {
        let p = self.share();
        spread::standard_error(&self.folds).unwrap_or_else(|| (p * (1.0 - p) / self.rows() as f64).sqrt())
    }
}

impl Outcome for NoveltyTest {
    /// Labels are put aside: nothing is to depend on them.
    const COMPARES: bool = false;

    fn score(&self) -> Option<f64> {
        None
    }

    fn join(tests: Vec<Self>) -> Self {
        let mut kinds = tests.first().map_or_else(Vec::new, |test| test.kinds.clone());
        for test in tests.iter().skip(1) {
            for (kind, more) in kinds.iter_mut().zip(&test.kinds) {
                kind.rows += more.rows;
                kind.novel += more.novel;
                kind.weight += more.weight;
                kind.novel_weight += more.novel_weight;
            }
        }
        let aucs: Vec<f64> = tests.iter().filter_map(|test| test.auc).collect();
        let auc = (!aucs.is_empty()).then(|| aucs.iter().sum::<f64>() / aucs.len() as f64);
        NoveltyTest { kinds, folds: tests.into_iter().flat_map(|test| test.folds).collect(), auc }
    }
}

impl Parameters for Detector {
    type Targets = Aside;

    fn fit_options(&self) -> &FitOptions {
        self.machine.fit_options()
    }

    fn with_options(self, options: FitOptions) -> Self {
        Detector { machine: self.machine.options(options), ..self }
    }
}

impl Learner for Detector {
    type Model = NoveltyModel<Expression, Vectors<'static>>;
    type Outcome = NoveltyTest;

    fn has_cost(&self) -> bool {
        false
    }

    fn fit(
        &self,
        rows: &Vectors<'_>,
        _: &Aside,
        weights: Option<&[f64]>,
        earlier: Option<&Self::Model>,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Self::Model> {
        let earlier = earlier.map(NoveltyModel::expansion);
        let model = self.machine.clone().check()?.fit_observed(rows, weights, earlier, observer)?;
        match self.contamination {
            Some(share) => model.with_contamination(rows, weights, share),
            None => Ok(model),
        }
    }

    fn test(
        &self,
        model: &Self::Model,
        rows: &Vectors<'_>,
        kinds: &Aside,
        weights: Option<&[f64]>,
    ) -> Result<NoveltyTest> {
        Ok(NoveltyTest::new(&kinds.0, &model.scores(rows)?, weights, |score| model.is_outside(score)))
    }

    fn renumbered(model: Self::Model, numbers: &[usize]) -> Self::Model {
        model.renumbered(numbers)
    }

    fn ends(model: &Self::Model) -> Vec<Status> {
        model.report().map(|report| report.status).into_iter().collect()
    }
}
