//! What an on-line machine predicts from a value, what it suffers, and how it learns.

use serde::{Deserialize, Serialize};

use super::{passive_aggressive, perceptron, ranking, regression};
use crate::error::{Error, Result};
use crate::machine::Slack;

/// Larger targets could bring losses and coefficients out of the range of numbers, from where no later example brings them back.
const LARGEST_TARGET: f64 = 1e150;

/// How an on-line machine answers and learns.
///
/// | rule | target | loss | step of β |
/// |---|---|---|---|
/// | [`Rule::Perceptron`] | ±1 | 1 if y f ≤ 0 | y |
/// | [`Rule::PassiveAggressive`] | ±1 | max(0, 1 − y f) | y times the least that makes y f = 1 |
/// | [`Rule::Regression`] | a number, \|y\| ≤ 1e150 | max(0, \|y − f\| − ε) | the least that makes \|y − f\| = ε |
/// | [`Rule::Ranking`] | 1, 2, …, levels | how many levels away | the number of thresholds on the wrong side |
///
/// All are *conservative*: an example without loss changes nothing. Over a set of examples that are visited again and again
/// ([`Online::fit`](super::Online::fit)), the perceptron is Table 5.2, the second rule is the kernel adatron (Algorithm 7.59) and the third
/// on-line support vector regression (Algorithm 7.61).
///
/// An example may have a weight w ([`Online::learn_weighted`](super::Online::learn_weighted)). The step of the perceptron is w y; passive-aggressive rules have
/// the cost wC, so that the limit of [`Online::fit_weighted`](super::Online::fit_weighted) is the machine of examples that stand there w times (without slack
/// every weight above 0 is the same). A weight of 0 changes nothing. [`Rule::Ranking`] has no weights: its thresholds stay in order because all of
/// them move by whole steps.
///
/// ```
/// use mercer::machine::Slack;
/// use mercer::machine::online::Rule;
/// let rule = Rule::PassiveAggressive { slack: Slack::Linear, cost: 1.0 };
/// // A value of 0.25 for an example of the class +1.
/// let judgement = rule.judge(0.25, 1.0)?;
/// assert_eq!((judgement.prediction, judgement.loss, judgement.mistake), (1.0, 0.75, false));
/// assert!(rule.judge(0.25, 2.0).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Cristianini and Shawe-Taylor, Tables 5.1 and 5.2; Shawe-Taylor and Cristianini, section 7.4; K. Crammer et al.: Online
/// passive-aggressive algorithms, JMLR 7 (2006); K. Crammer, Y. Singer: Pranking with ranking, NIPS 2001.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// The perceptron.
    Perceptron,
    /// As far as it must go, and no further. [`Slack::None`] goes all the way, [`Slack::Linear`] keeps 0 ≤ α ≤ C (PA-I),
    /// [`Slack::Quadratic`] has 1/C on the diagonal of K (PA-II; the C of Crammer et al. is half of this one).
    PassiveAggressive {
        /// What a margin that is missed costs.
        slack: Slack,
        /// C
        cost: f64,
    },
    /// The same for numbers, with a tube about the function in which nothing is learned.
    Regression {
        /// ε
        tube: f64,
        /// What a miss costs.
        slack: Slack,
        /// C
        cost: f64,
    },
    /// Levels in order: PRank. The level is the first whose threshold is above f(x).
    Ranking {
        /// b₁ ≤ b₂ ≤ …, one fewer than levels; all 0 at first.
        thresholds: Vec<f64>,
    },
}

/// What a rule says about a value, once the truth is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// ±1, a number, or a level.
    pub prediction: f64,
    /// What is suffered.
    pub loss: f64,
    /// Whether the prediction was wrong; of numbers, outside of the tube. A value of 0 decides for no class: that is wrong too.
    pub mistake: bool,
}

/// What a step depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// f(x)
    pub value: f64,
    /// y
    pub target: f64,
    /// β of this example, 0 if it is new.
    pub coefficient: f64,
    /// k(x, x) + r
    pub own: f64,
    /// What the example counts; 1 by default.
    pub weight: f64,
}

impl Rule {
    /// PRank with so many levels.
    pub fn ranking(levels: usize) -> Self {
        Rule::Ranking { thresholds: vec![0.0; levels.saturating_sub(1)] }
    }

    /// Whether targets are ±1.
    pub fn is_classifier(&self) -> bool {
        matches!(self, Rule::Perceptron | Rule::PassiveAggressive { .. })
    }

    /// What is predicted where the function has this value. Positive values speak for the class +1; 0 is taken for −1.
    pub fn prediction(&self, value: f64) -> f64 {
        match self {
            Rule::Perceptron | Rule::PassiveAggressive { .. } => {
                if value > 0.0 {
                    1.0
                } else {
                    -1.0
                }
            }
            Rule::Regression { .. } => value,
            Rule::Ranking { thresholds } => ranking::level(value, thresholds),
        }
    }

    /// Prediction, loss and mistake for a value and the truth.
    ///
    /// # Errors
    /// [`Error::Entry`] for a target that the rule does not know.
    pub fn judge(&self, value: f64, target: f64) -> Result<Judgement> {
        self.check_target(target)?;
        let prediction = self.prediction(value);
        let (loss, mistake) = match self {
            Rule::Perceptron => perceptron::loss(value, target),
            Rule::PassiveAggressive { .. } => passive_aggressive::loss(value, target),
            Rule::Regression { tube, .. } => regression::loss(value, target, *tube),
            Rule::Ranking { .. } => ((prediction - target).abs(), prediction != target),
        };
        Ok(Judgement { prediction, loss, mistake })
    }

    /// By how much β of the example changes, and whether anything does: thresholds may move where β stays.
    pub(super) fn step(&mut self, seen: Seen) -> (f64, bool) {
        let step = match self {
            Rule::Perceptron => perceptron::step(seen),
            // No slack of it costs anything: it needs no coefficient.
            Rule::PassiveAggressive { .. } | Rule::Regression { .. } if seen.weight == 0.0 => {
                -seen.coefficient
            }
            Rule::PassiveAggressive { slack, cost } => {
                passive_aggressive::step(seen, *slack, *cost * seen.weight)
            }
            Rule::Regression { tube, slack, cost } => {
                regression::step(seen, *tube, *slack, *cost * seen.weight)
            }
            Rule::Ranking { thresholds } => return ranking::step(seen, thresholds),
        };
        (step, step != 0.0)
    }

    pub(super) fn check(&self) -> Result<()> {
        match self {
            Rule::Perceptron => Ok(()),
            Rule::PassiveAggressive { slack, cost } => check_cost(*slack, *cost),
            Rule::Regression { tube, slack, cost } => {
                if !tube.is_finite() || *tube < 0.0 {
                    let expected = "a finite number of at least 0";
                    return Err(Error::Parameter { name: "tube", value: *tube, expected });
                }
                check_cost(*slack, *cost)
            }
            Rule::Ranking { thresholds } => ranking::check(thresholds),
        }
    }

    /// Refuses a weight that is negative or not finite, one that makes a cost which is not, and any but 1 where weights make no sense.
    pub(super) fn check_weight(&self, weight: f64) -> Result<()> {
        let cost = match self {
            Rule::Perceptron => 1.0,
            Rule::PassiveAggressive { cost, .. } | Rule::Regression { cost, .. } => *cost,
            Rule::Ranking { .. } if weight != 1.0 => {
                let what = "PRank has no weights of examples: its thresholds stay in order because all of them move by whole steps";
                return Err(Error::Unsupported { what: what.into() });
            }
            Rule::Ranking { .. } => return Ok(()),
        };
        if weight >= 0.0 && weight.is_finite() && (weight * cost).is_finite() {
            return Ok(());
        }
        let expected = "a finite number of at least 0 that makes a finite cost";
        Err(Error::Entry { what: "weight", index: 0, value: weight, expected })
    }

    fn check_target(&self, target: f64) -> Result<()> {
        let expected = match self {
            Rule::Perceptron | Rule::PassiveAggressive { .. } if target.abs() != 1.0 => "1 or -1",
            Rule::Regression { .. } if !target.is_finite() => "a finite number",
            Rule::Regression { .. } if target.abs() > LARGEST_TARGET => {
                "a number of at most 1e150 in size: scale the targets"
            }
            Rule::Ranking { thresholds } if !ranking::is_level(target, thresholds) => {
                "a level: a whole number from 1 to the number of levels"
            }
            _ => return Ok(()),
        };
        Err(Error::Entry { what: "target", index: 0, value: target, expected })
    }
}

fn check_cost(slack: Slack, cost: f64) -> Result<()> {
    if let Slack::Nu { .. } = slack {
        let what = "an on-line machine does not see all rows, of which nu is a share: say a cost".into();
        return Err(Error::Unsupported { what });
    }
    if slack != Slack::None && !(cost.is_finite() && cost > 0.0) {
        return Err(Error::Parameter { name: "cost", value: cost, expected: "a finite number above 0" });
    }
    Ok(())
}

/// The upper end of the box and what is added to the diagonal of K.
pub(super) fn limits(slack: Slack, cost: f64) -> (f64, f64) {
    match slack {
        Slack::Linear => (cost, 0.0),
        Slack::Quadratic => (f64::INFINITY, 1.0 / cost),
        Slack::None | Slack::Nu { .. } => (f64::INFINITY, 0.0),
    }
}
