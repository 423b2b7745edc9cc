//! Machines of two classes.

use super::{Applicable, CONSTANT, RADIUS, UNKNOWN, Wishes};
use crate::error::{Error, Result};
use crate::evaluation::bounds::{
    Bound, BoxConstraint, Compression, Diagonal, FatShattering, Grid, HardMargin, Hyperplane, LeaveOneOut,
    NuShare, PerceptronMargin, SlackOrder, SlackSumSquaredOrder, SoftMargin, SquaredSlack, SquaredSlackOrder,
    Updates,
};
use crate::machine::{PairMachines, PairReport, PairSample, Slack};
use crate::solver::Status;

/// The text's own form.
const PRINTED: &str =
    "as the text has it, which leaves it out of account that the margin is found (Remark 7.17)";
const NO_OFFSET: &str =
    "as the text has it, which leaves it out of account that margin and offset are found (Remark 7.17)";
pub(super) const FOUND: &str =
    "the margin was found, the theorem asks for one that was fixed: choices say how many were";
const NOT_KEPT: &str = "what the training rows say about new ones was not kept: train the model again";
const NO_FEATURE_SPACE: &str =
    "the kernel is not known to be positive semi-definite, so there may be no feature space";
pub(super) const FOLDED: &str = "the offset counts as one more weight";

/// What the theorems say about every pair of classes, each by itself: a row of one of the two classes is given the other. O(k²)
/// for k classes.
///
/// ```
/// use mercer::data::{Labels, Vectors};
/// use mercer::evaluation::bounds::{Wishes, of_pairs};
/// use mercer::kernel::Expression;
/// use mercer::machine::{Slack, Svc};
/// let rows: Vec<[f64; 1]> = (0..2000).map(|i| [if i % 2 == 0 { -1.0 } else { 1.0 }]).collect();
/// let labels = Labels::from_text((0..2000).map(|i| ["no", "yes"][i % 2]));
/// let machine = Svc::params("linear".parse::<Expression>()?).slack(Slack::None);
/// let model = machine.check()?.fit(&Vectors::from_rows(&rows)?, &labels)?;
/// let told = of_pairs(model.pairs(), &Wishes::default())?;
/// assert_eq!(told[0].of, "no against yes");
/// // Theorem 7.22: 4/√2000 + 3 √(ln 40/4000)
/// assert_eq!(told[0].bounds[0].name, "hard margin");
/// assert!((told[0].bounds[0].value - 0.180_547).abs() < 1e-4);
/// // Two support vectors make it: (2 ln(1000e) + ln 40 000)/1998
/// assert!((told[0].best().unwrap().value - 0.013_219).abs() < 1e-6);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// Wishes that make no sense.
pub fn of_pairs(machines: &PairMachines, wishes: &Wishes) -> Result<Vec<Applicable>> {
    wishes.check()?;
    let name = |report: &PairReport| {
        let class = |c: usize| machines.classes.get(c).map_or("?", String::as_str);
        format!("{} against {}", class(report.classes.0), class(report.classes.1))
    };
    if machines.reports.is_empty() {
        return Ok(vec![Applicable::nothing(machines.classes.join(", "), UNKNOWN)]);
    }
    machines.reports.iter().map(|report| of_pair(&name(report), report, wishes)).collect()
}

/// What the theorems say about one pair of classes. O(1).
///
/// The hard margin has Theorem 7.22, the 1-norm machine 7.30, the ν machine 7.33, the 2-norm machine 7.38, each as the text has
/// it. Beside them stand (7.8) or (7.13) with the offset made part of w, which hold as they stand if γ was fixed before: for more
/// than one choice it is one of a [`Grid`]. Theorem 5.2 is for machines that have all rows right, 7.56 and 7.57 for those that
/// their support vectors make.
///
/// # Errors
/// Wishes that make no sense.
pub fn of_pair(of: &str, report: &PairReport, wishes: &Wishes) -> Result<Applicable> {
    wishes.check()?;
    let Some(sample) = &report.sample else {
        return Ok(Applicable::nothing(of, NOT_KEPT));
    };
    let mut all = Applicable::new(of);
    all.margins.clone_from(&sample.margins);
    let pair = Pair { sample, report, wishes };
    for (name, value) in pair.facts() {
        all.fact(name, value);
    }
    if report.convex {
        pair.by_dual(&mut all);
        pair.by_margin(&mut all);
        pair.by_order(&mut all);
        pair.by_consistency(&mut all);
    } else {
        all.refuse("all about margins", NO_FEATURE_SPACE);
    }
    pair.by_support(&mut all);
    Ok(all)
}

/// What the theorem of its formulation says about one pair of classes: Theorem 7.22 about the hard margin, 7.30 about the
/// 1-norm machine, 7.33 about the ν machine, 7.38 about the 2-norm machine. Machines of one formulation can be compared by it. O(1).
///
/// ```
/// use mercer::data::{Labels, Vectors};
/// use mercer::evaluation::bounds::{Wishes, of_formulation};
/// use mercer::kernel::Expression;
/// use mercer::machine::{Slack, Svc};
/// let rows: Vec<[f64; 1]> = (0..2000).map(|i| [if i % 2 == 0 { -1.0 } else { 1.0 }]).collect();
/// let labels = Labels::from_text((0..2000).map(|i| ["no", "yes"][i % 2]));
/// let machine = Svc::params("linear".parse::<Expression>()?).slack(Slack::None);
/// let model = machine.check()?.fit(&Vectors::from_rows(&rows)?, &labels)?;
/// // Theorem 7.22: 4/√2000 + 3 √(ln 40/4000)
/// let bound = of_formulation(&model.pairs().reports[0], &Wishes::default())?;
/// assert!((bound.value - 0.180_547).abs() < 1e-4);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// Wishes that make no sense; [`Error::Unsupported`] with the reason for which it says nothing: a training that has not
/// converged, rows of different costs, a kernel that may not be positive semi-definite, or a training whose rows are not known.
pub fn of_formulation(report: &PairReport, wishes: &Wishes) -> Result<Bound> {
    wishes.check()?;
    let refuse = |what: &str| Err(Error::Unsupported { what: what.into() });
    match &report.sample {
        _ if !report.convex => refuse(NO_FEATURE_SPACE),
        None => refuse(NOT_KEPT),
        Some(sample) => Pair { sample, report, wishes }.of_dual(),
    }
}

struct Pair<'a> {
    sample: &'a PairSample,
    report: &'a PairReport,
    wishes: &'a Wishes,
}

impl Pair<'_> {
    fn facts(&self) -> [(&'static str, f64); 7] {
        let PairSample { rows, trace, largest_squared_norm, .. } = *self.sample;
        [
            ("rows", rows as f64),
            ("margin", self.margin()),
            ("R²", largest_squared_norm),
            ("trace of K", trace),
            ("sum of slacks", self.sample.slack_sum * self.margin()),
            ("sum of squared slacks", self.sample.slack_squares * self.margin().powi(2)),
            ("support vectors", self.report.support as f64),
        ]
    }

    /// γ: the least margin of all rows if there is no slack, else 1/‖w‖.
    fn margin(&self) -> f64 {
        match (self.sample.slack, self.sample.margins.first()) {
            (Slack::None, Some(&least)) => least,
            _ => self.report.margin,
        }
    }

    fn is_solved(&self) -> bool {
        self.report.status == Status::Converged
    }

    fn printed(&self) -> &'static str {
        if self.sample.offset.is_some() { NO_OFFSET } else { PRINTED }
    }

    /// The theorem that belongs to the formulation, by the dual solution.
    fn by_dual(&self, all: &mut Applicable) {
        let theorem = match self.sample.slack {
            Slack::None => "Theorem 7.22",
            Slack::Linear => "Theorem 7.30",
            Slack::Nu { .. } => "Theorem 7.33",
            Slack::Quadratic => "Theorem 7.38",
        };
        all.list(theorem, self.of_dual(), &[self.printed()]);
    }

    fn of_dual(&self) -> Result<Bound> {
        let PairSample { rows, trace, coefficient_sum: sum, .. } = *self.sample;
        let margin = self.report.margin;
        // √−W of coefficients that sum to 1.
        let root = 1.0 / (margin * sum);
        let refuse = |what: &str| Err(Error::Unsupported { what: what.into() });
        if !self.is_solved() {
            return refuse("it is about the solution, and the training has not converged");
        }
        if self.sample.slack == Slack::None {
            return self.wishes.apply(&HardMargin { rows, trace, margin: self.margin() });
        }
        let Some(cost) = self.sample.cost else {
            return refuse("it is about one cost, and rows or classes have different ones");
        };
        match self.sample.slack {
            Slack::Nu { nu } => self.wishes.apply(&NuShare { rows, trace, nu, root, margin }),
            Slack::Quadratic => {
                let (mu, squares) = (1.0 / cost, self.sample.coefficient_squares / (sum * sum));
                let margin = (root * root + mu * squares).sqrt();
                self.wishes.apply(&Diagonal { rows, trace, mu, squares, margin })
            }
            Slack::Linear | Slack::None => {
                self.wishes.apply(&BoxConstraint { rows, trace, cost: cost / sum, root, margin })
            }
        }
    }

    /// The hyperplane at this distance from rows, its offset made part of w.
    fn folded(&self, margin: f64) -> Hyperplane {
        let PairSample { rows, trace, largest_squared_norm: squared_radius, offset, .. } = *self.sample;
        Hyperplane { rows, trace, squared_radius, margin, offset }.folded()
    }

    /// The same with a margin that could have been fixed before, if there are choices.
    fn fixed(&self, margin: f64) -> Result<Hyperplane> {
        let found = self.folded(margin);
        if self.wishes.choices == 1 {
            return Ok(found);
        }
        match Grid::new(found.squared_radius.sqrt(), self.wishes.choices)?.at_most(found.margin) {
            Some(margin) => Ok(Hyperplane { margin, ..found }),
            None => {
                let (name, value) = ("margin", found.margin);
                Err(Error::Parameter { name, value, expected: "one of the choices, which end at R/1000" })
            }
        }
    }

    /// Σξ and Σξ², distances of the hyperplane whose offset is part of w.
    fn slacks(&self) -> (f64, f64) {
        let margin = self.folded(self.report.margin).margin;
        (self.sample.slack_sum * margin, self.sample.slack_squares * margin * margin)
    }

    fn notes(&self, more: &[&'static str]) -> Vec<&'static str> {
        let folded = self.sample.offset.map(|_| FOLDED);
        let found = (self.wishes.choices == 1).then_some(FOUND);
        more.iter().copied().chain(folded).chain(found).collect()
    }

    /// (7.8), or (7.13) where squares of slacks were minimised.
    fn by_margin(&self, all: &mut Applicable) {
        let more: &[&'static str] = if self.sample.offset.is_some() { &[RADIUS] } else { &[] };
        let notes = self.notes(more);
        let (slack_sum, slack_squares) = self.slacks();
        let plane = self.fixed(self.report.margin);
        if self.sample.slack == Slack::Quadratic {
            let bound = plane.and_then(|Hyperplane { rows, trace, margin, .. }| {
                self.wishes.apply(&SquaredSlack { rows, trace, margin, slack_squares })
            });
            return all.list("inequality (7.13)", bound, &notes);
        }
        let bound = plane.and_then(|Hyperplane { rows, trace, margin, .. }| {
            self.wishes.apply(&SoftMargin { rows, trace, margin, slack_sum })
        });
        all.list("inequality (7.8)", bound, &notes);
    }

    /// Theorems with a constant that they do not name.
    fn by_order(&self, all: &mut Applicable) {
        let constant = self.wishes.constant;
        let notes = self.notes(&[CONSTANT, RADIUS]);
        let (slack_sum, slack_squares) = self.slacks();
        let Hyperplane { rows, squared_radius, margin, .. } = match self.fixed(self.report.margin) {
            Ok(plane) => plane,
            Err(error) => return all.refuse("Theorems 5.3 and 5.4, Campbell's Theorem 2", error.to_string()),
        };
        let theorem = SquaredSlackOrder { rows, squared_radius, margin, slack_squares, constant };
        all.list("Theorem 5.3", self.wishes.apply(&theorem), &notes);
        let theorem = SlackOrder { rows, squared_radius, margin, slack_sum, constant };
        all.list("Theorem 5.4", self.wishes.apply(&theorem), &notes);
        let theorem = SlackSumSquaredOrder { rows, squared_radius, margin, slack_sum, constant };
        all.list("Campbell's Theorem 2", self.wishes.apply(&theorem), &notes);
    }

    /// Theorems about hyperplanes that have all rows right.
    fn by_consistency(&self, all: &mut Applicable) {
        let least = self.sample.margins.first().copied().unwrap_or(f64::NAN);
        if least.is_nan() || least <= 0.0 {
            let because = "it is about machines that have all training rows right";
            for theorem in ["Theorem 5.2", "Theorem 7.53", "Corollary 7.55"] {
                all.refuse(theorem, because);
            }
            return;
        }
        let bound = self.fixed(least).and_then(|Hyperplane { rows, squared_radius, margin, .. }| {
            let width = 2.0 * squared_radius.sqrt();
            self.wishes.apply(&FatShattering { rows, squared_radius, margin, width })
        });
        all.list("Theorem 5.2", bound, &self.notes(&[RADIUS]));
        let Hyperplane { rows, squared_radius, margin, .. } = self.folded(least);
        let folded = self.sample.offset.map(|_| "rows have one more feature, R, in place of an offset");
        let notes: Vec<&str> = folded.into_iter().collect();
        all.list("Theorem 7.53", Updates { squared_radius, margin, bias: false }.bound(), &notes);
        let theorem = PerceptronMargin { rows, squared_radius, margin };
        all.list("Corollary 7.55", self.wishes.apply(&theorem), &notes);
    }

    /// Theorems about machines that their support vectors make.
    fn by_support(&self, all: &mut Applicable) {
        let (rows, support) = (self.sample.rows, self.report.support);
        let because = match self.sample.slack {
            _ if !self.is_solved() => "it is about the solution, and the training has not converged",
            Slack::Nu { .. } => {
                "the support vectors alone have another share nu, and so make another machine"
            }
            _ => {
                let soft = match self.sample.slack {
                    Slack::None => None,
                    _ => Some(
                        "the text has it for the hard margin; at a cost that was fixed before the proof holds too",
                    ),
                };
                let notes: Vec<&str> = soft.into_iter().collect();
                all.list("Theorem 7.56", self.wishes.apply(&Compression { rows, support }), &notes);
                all.list("Remark 7.57", LeaveOneOut { rows, support }.bound(), &notes);
                return;
            }
        };
        for theorem in ["Theorem 7.56", "Remark 7.57"] {
            all.refuse(theorem, because);
        }
    }
}
