//! The kernel adatron with an offset that is not penalised.
//!
//! One coefficient at a time cannot keep Σβ = 0, which such an offset asks for. But for a given b there is no constraint:
//!
//! ```text
//! h(b) = min ½ βᵀ(K + diag(d))β − yᵀβ + b Σβ   over the box
//! ```
//!
//! is the adatron's problem, h is concave and its slope is Σβ: the right b is where Σβ changes its sign. (T.-T. Frieß, N. Cristianini,
//! C. Campbell: The kernel-adatron algorithm, ICML 1998, look for it by the secant method; here the interval is kept, so that it is found always.)

use crate::data::check_weights;
use crate::error::{Error, Result};
use crate::gram::SymmetricGram;
use crate::machine::Slack;
use crate::solver::{Control, DualProblem, Settings, Status, reference::adatron};

/// What [`adatron_with_offset`] found.
#[derive(Clone, Debug, PartialEq)]
pub struct AdatronSolution {
    /// β = yα. Where K is singular it is not unique and may not sum to 0, but the function is the same.
    pub coefficients: Vec<f64>,
    /// b
    pub offset: f64,
    /// For how many offsets the adatron ran.
    pub trials: u64,
    /// How the last run ended.
    pub status: Status,
}

/// Most trials: halving an interval of doubles ends before.
const MOST_TRIALS: u64 = 200;

/// A soft-margin classifier with offset by the adatron: the box 0 ≤ α ≤ C for [`Slack::Linear`], 1/C on the diagonal for
/// [`Slack::Quadratic`]. An example of weight w has the cost wC, as if it stood there w times.
///
/// Some tens of runs of the [adatron](crate::solver::reference::adatron), each of which begins where the one before ended. For the hard
/// margin there is no such b in general (a hyperplane with another offset may separate nothing): say a large cost.
///
/// ```
/// use mercer::gram::PrecomputedGram;
/// use mercer::machine::Slack;
/// use mercer::machine::online::adatron_with_offset;
/// use mercer::solver::{Settings, Stop};
/// // Points 1 and 3 on the line: f(x) = x − 2.
/// let gram = PrecomputedGram::symmetric(vec![1.0, 3.0, 3.0, 9.0], 2)?;
/// let settings = Settings { stop: Stop::KktGap(1e-10), ..Settings::default() };
/// let found = adatron_with_offset(&gram, &[-1.0, 1.0], None, Slack::Linear, 10.0, &settings)?;
/// assert!((found.offset + 2.0).abs() < 1e-6);
/// // w = β₁ · 1 + β₂ · 3
/// assert!((found.coefficients[0] + 3.0 * found.coefficients[1] - 1.0).abs() < 1e-6);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`] for another slack, [`Error::Parameter`], [`Error::Shape`], [`Error::Entry`] for a label that is not ±1,
/// [`Error::OneClass`], weights that are negative or all 0, and a kernel that fails.
pub fn adatron_with_offset(
    gram: &dyn SymmetricGram,
    labels: &[f64],
    weights: Option<&[f64]>,
    slack: Slack,
    cost: f64,
    settings: &Settings,
) -> Result<AdatronSolution> {
    if !matches!(slack, Slack::Linear | Slack::Quadratic) {
        let what = "the adatron with an offset needs a cost, linear or quadratic".into();
        return Err(Error::Unsupported { what });
    }
    if !(cost.is_finite() && cost > 0.0) {
        return Err(Error::Parameter { name: "cost", value: cost, expected: "a finite number above 0" });
    }
    if let Some(index) = labels.iter().position(|y| y.abs() != 1.0) {
        return Err(Error::Entry { what: "label", index, value: labels[index], expected: "1 or -1" });
    }
    if let Some(weights) = weights {
        check_weights(weights, labels.len())?;
    }
    let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
    let mut counted = (0..labels.len()).filter(|&i| weight(i) > 0.0).map(|i| labels[i]);
    let first = counted.next();
    if counted.all(|y| Some(y) == first) {
        return Err(Error::OneClass { label: labels.first().map_or(String::new(), f64::to_string) });
    }
    let most = |i: usize| match (slack, weight(i)) {
        (_, 0.0) => 0.0,
        (Slack::Linear, weight) => cost * weight,
        _ => f64::INFINITY,
    };
    let lower = labels.iter().enumerate().map(|(i, &y)| if y > 0.0 { 0.0 } else { -most(i) }).collect();
    let upper = labels.iter().enumerate().map(|(i, &y)| if y > 0.0 { most(i) } else { 0.0 }).collect();
    let mut problem = DualProblem::new(labels.iter().map(|y| -y).collect(), lower, upper);
    if slack == Slack::Quadratic {
        let own = |i: usize| if weight(i) > 0.0 { 1.0 / (cost * weight(i)) } else { 0.0 };
        problem.diagonal = (0..labels.len()).map(own).collect();
    }
    let mut trials = 0;
    let mut solve = |b: f64, start: Vec<f64>| {
        problem.linear = labels.iter().map(|y| b - y).collect();
        problem.start = start;
        trials += 1;
        let found = adatron::solve(gram, &problem, settings, &mut |_| Control::Continue)?;
        let slope: f64 = found.coefficients.iter().sum();
        Ok::<_, Error>((found, slope))
    };
    let (mut found, mut slope) = solve(0.0, Vec::new())?;
    let (mut low, mut high, mut b) = (f64::NEG_INFINITY, f64::INFINITY, 0.0f64);
    for _ in 0..MOST_TRIALS {
        if slope == 0.0 {
            break;
        }
        // Σβ falls where b grows.
        if slope > 0.0 {
            low = b
        } else {
            high = b
        }
        let next = match (low.is_finite(), high.is_finite()) {
            (true, true) => 0.5 * (low + high),
            (true, false) => 2.0 * low.max(0.5),
            _ => 2.0 * high.min(-0.5),
        };
        if next == b || high - low <= 1e-13 * (1.0 + b.abs()) {
            break;
        }
        b = next;
        (found, slope) = solve(b, found.coefficients)?;
    }
    Ok(AdatronSolution { coefficients: found.coefficients, offset: b, trials, status: found.status })
}
