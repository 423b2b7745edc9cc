//! What a pairwise classifier has learned: the union of its support items and their coefficients.

use serde::{Deserialize, Serialize};

use super::attempt::Decides;
use super::expansion::check_finite;
use super::one_against_one::{Decision, first_scores, graph_scores, pairs, scores, winner};
use super::probability::Calibration;
use super::sample::PairSample;
use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::{Columns, Combinations, Gram};
use crate::resources::Workers;
use crate::solver::{Certificate, Status};

/// Decision functions f_ab(x) = Σᵢ βᵢ k(xᵢ, x) + offset of all pairs of classes over one set of support items.
///
/// ```
/// use mercer::data::{Labels, Vectors};
/// use mercer::kernel::Expression;
/// use mercer::machine::Svc;
/// let rows = Vectors::from_rows(&[[-1.0], [1.0]])?;
/// let labels = Labels::from_text(["no", "yes"]);
/// let model = Svc::params("linear".parse::<Expression>()?).cost(10.0).check()?.fit(&rows, &labels)?;
/// // f(x) = ½·x − ½·(−x): each point supports it with β = ±½, and the margin is 1.
/// let pairs = model.pairs();
/// assert_eq!(pairs.pair(0, 1).collect::<Vec<_>>(), [(0, -0.5), (1, 0.5)]);
/// assert_eq!(pairs.reports[0].margin, 1.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// The support items stand in the order of their classes. An item of class c takes part in the k − 1 pairs of
/// that class, so it has k − 1 coefficients, in the order of the other classes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairMachines {
    /// The classes, in order.
    pub classes: Vec<String>,
    /// Position of each support item in the training set.
    pub support: Vec<usize>,
    /// Support items `starts[c]..starts[c + 1]` belong to class c.
    pub starts: Vec<usize>,
    /// `coefficients[i * (k − 1) + o]`: β of support item i in the pair with its o-th other class.
    pub coefficients: Vec<f64>,
    /// The offset b of each pair.
    pub offsets: Vec<f64>,
    /// How the pairs decide.
    pub decision: Decision,
    /// How decision values become probabilities, if they do.
    pub calibration: Option<Calibration>,
    /// How the training of each pair went; empty where that is not known (a model of another program).
    pub reports: Vec<PairReport>,
}

/// How the training of one pair of classes went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairReport {
    /// The two classes (a, b), a < b; positive decision values speak for b.
    pub classes: (usize, usize),
    /// Why the solver stopped.
    pub status: Status,
    /// How far from optimal the solution is at most.
    pub certificate: Certificate,
    /// Whether the kernel is known to be positive semi-definite; if not, no duality gap can be claimed.
    pub convex: bool,
    /// Items with a coefficient.
    pub support: usize,
    /// Those of them whose coefficient is at its bound C.
    pub bounded: usize,
    /// The geometric margin in feature space: 1/‖w‖ for a functional margin of 1.
    #[serde(with = "crate::resources::number")]
    pub margin: f64,
    /// γ by the formula of the formulation's own algorithm; it is another number where the diagonal counts in it
    /// (the 2-norm machine of unit length). Not known of models from before it was kept.
    #[serde(default)]
    pub gamma: Option<f64>,
    /// Σξ: by how much the training items of the pair miss the margin, in all and in units of decision values; every
    /// item counts once.
    #[serde(with = "crate::resources::number")]
    pub slack_sum: f64,
    /// Training items that miss the margin by more than the tolerance.
    pub margin_errors: usize,
    /// What the training rows say about new ones. Not known of models from before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<PairSample>,
    /// Steps of the solver.
    pub iterations: u64,
    /// Rows of the Gram matrix asked for.
    pub rows_computed: u64,
    /// Seconds taken; not kept in files, so that the same training gives the same file.
    #[serde(default, skip_serializing)]
    pub seconds: f64,
}

impl PairReport {
    /// (P − D)/max(|P|, |D|), where it means something.
    pub fn relative_gap(&self) -> Option<f64> {
        self.convex.then(|| self.certificate.relative_gap())
    }
}

impl PairMachines {
    /// Number of classes.
    pub fn class_count(&self) -> usize {
        self.classes.len()
    }

    /// The coefficients of pair (a, b) as (support item, β), items of a first.
    ///
    /// # Panics
    /// If there are no such classes, or `a` is `b`.
    pub fn pair(&self, a: usize, b: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let width = self.class_count() - 1;
        let side = move |own: usize, other: usize| {
            let column = other - usize::from(other > own);
            (self.starts[own]..self.starts[own + 1]).map(move |i| (i, self.coefficients[i * width + column]))
        };
        side(a, b).chain(side(b, a)).filter(|&(_, beta)| beta != 0.0)
    }

    /// Decision values of all columns of `gram`, whose rows `rows[i]` are the support items: for each column the
    /// values of all pairs. O(support · columns) kernel values and O(support · columns · k) additions.
    ///
    /// # Errors
    /// A kernel that fails.
    pub fn decisions(&self, gram: &dyn Gram, rows: &[usize], workers: &Workers) -> Result<Vec<f64>> {
        let columns = gram.shape().1;
        let mut decisions = self.offsets.repeat(columns);
        if self.class_count() == 2 {
            let (support, weights): (Vec<usize>, Vec<f64>) =
                self.pair(0, 1).map(|(i, beta)| (rows[i], beta)).unzip();
            gram.accumulate(&support, &weights, Columns::Range(0..columns), &mut decisions)?;
        } else {
            let mut sums = Combinations::new();
            pairs(self.class_count()).for_each(|(a, b)| sums.push(self.pair(a, b)));
            gram.combine(rows, &sums, Columns::Range(0..columns), &mut decisions, workers)?;
        }
        Ok(decisions)
    }

    /// Scores of the classes from the decision values of items: for each item one per class, of which the highest wins.
    ///
    /// For two classes they are −f and f.
    pub fn scores(&self, decisions: &[f64]) -> Vec<f64> {
        let classes = self.class_count();
        let of_item = |of_item: &[f64]| match (of_item, self.decision) {
            (&[f], _) => vec![-f, f],
            (_, Decision::Votes) => scores(classes, of_item),
            (_, Decision::FirstVotes) => first_scores(classes, of_item),
            (_, Decision::Graph) => graph_scores(classes, of_item),
        };
        decisions.chunks_exact(self.offsets.len()).flat_map(of_item).collect()
    }

    /// Probabilities of the classes from the decision values of items: for each item one per class.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for machines that were trained without.
    pub fn probabilities(&self, decisions: &[f64]) -> Result<Vec<f64>> {
        let Some(calibration) = &self.calibration else {
            let what = "the model has no probabilities: it has to be trained with them".into();
            return Err(Error::Unsupported { what });
        };
        let of_item = |of_item: &[f64]| {
            calibration.probabilities(self.class_count(), of_item, winner(&self.scores(of_item)))
        };
        Ok(decisions.chunks_exact(self.offsets.len()).flat_map(of_item).collect())
    }

    /// `Converged` if every pair has, otherwise the status of the first that has not; `None` if nothing is known.
    pub fn status(&self) -> Option<Status> {
        Status::of_all(self.reports.iter().map(|report| report.status))
    }

    /// Checks that all parts fit together, as those of a model that was trained do.
    ///
    /// # Errors
    /// [`Error::Shape`] or [`Error::Entry`] naming the part.
    pub fn check(&self, items: &impl Items) -> Result<()> {
        let k = self.class_count();
        let shape = |what, expected, found| match expected == found {
            true => Ok(()),
            false => Err(Error::Shape { what, expected, found }),
        };
        if k < 2 {
            return Err(Error::Shape { what: "classes (two or more)", expected: 2, found: k });
        }
        let (pairs, n) = (k * (k - 1) / 2, self.support.len());
        shape("support items", n, items.len())?;
        shape("starts of the classes", k + 1, self.starts.len())?;
        shape("end of the last class", n, self.starts[k])?;
        shape("coefficients", n.saturating_mul(k - 1), self.coefficients.len())?;
        shape("offsets (one per pair)", pairs, self.offsets.len())?;
        if !self.reports.is_empty() {
            shape("reports (one per pair)", pairs, self.reports.len())?;
        }
        if let Some(index) =
            self.reports.iter().zip(super::one_against_one::pairs(k)).position(|(r, pair)| r.classes != pair)
        {
            let value = self.reports[index].classes.0 as f64;
            return Err(Error::Entry {
                what: "classes of report",
                index,
                value,
                expected: "the pair it stands for",
            });
        }
        let in_order = self.starts[0] == 0 && self.starts.windows(2).all(|w| w[0] <= w[1]);
        if !in_order {
            let expected = "numbers that begin with 0 and never fall";
            return Err(Error::Entry {
                what: "start of class",
                index: 0,
                value: self.starts[0] as f64,
                expected,
            });
        }
        check_finite("coefficient", &self.coefficients)?;
        check_finite("offset", &self.offsets)?;
        self.calibration.as_ref().map_or(Ok(()), |calibration| calibration.check(pairs))
    }
}

impl Decides for PairMachines {
    fn support(&self) -> &[usize] {
        &self.support
    }

    fn outputs(&self) -> usize {
        self.offsets.len()
    }

    fn decisions(&self, gram: &dyn Gram, rows: &[usize], workers: &Workers) -> Result<Vec<f64>> {
        PairMachines::decisions(self, gram, rows, workers)
    }
}
