//! Regressions.

use super::{Applicable, CONSTANT, RADIUS, UNKNOWN, Wishes};
use crate::error::Result;
use crate::evaluation::bounds::{Bound, Hyperplane, SquaredLoss, Tolerance, ToleranceOrder};
use crate::gram::WithLayout;
use crate::machine::{RegressionSample, SvrModel};

const ANYTHING: &str = "gamma is as large as the largest target: to say 0 of every row misses none by more";
const FOLDED: &str = "the offset counts as one more weight";
const FOUND: &str = "‖w‖ was found, the theorem asks for a bound that was fixed, as for tube and gamma: choices say how many were";

/// What the theorems say about a regression: 7.49 and Campbell's 4 about misses by more than γ, 7.39 about the squared error.
/// They are about functions of a bounded norm, whatever loss was minimised. O(1).
///
/// The offset is made part of w, as [`Hyperplane::folded`] does. B is ‖w‖, or for the squared error what it takes for all targets
/// to lie between −BR and BR.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::evaluation::bounds::{Quantity, Wishes, of_regression};
/// use mercer::kernel::Expression;
/// use mercer::machine::{Loss, Svr};
/// let x: Vec<f64> = (0..1000).map(|i| f64::from(i) / 500.0 - 1.0).collect();
/// let rows = Vectors::from_rows(&x.iter().map(|&x| [x]).collect::<Vec<_>>())?;
/// let machine = Svr::params("linear".parse::<Expression>()?).offset(false).loss(Loss::Linear { tube: 0.0 });
/// let model = machine.check()?.fit(&rows, &x)?;
/// let told = of_regression(&model, &Wishes { gamma: Some(2.0), ..Wishes::default() })?;
/// // ‖w‖ = 1 and tr(K) = Σx² ≈ 333: 4 · 18.3/(1000 · 2) + 3 √(ln 40/2000)
/// assert_eq!(told.bounds[0].quantity, Quantity::Miss { gamma: 2.0 });
/// assert!((told.bounds[0].value - 0.165_36).abs() < 1e-3);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// Wishes that make no sense.
pub fn of_regression<K: WithLayout, I>(model: &SvrModel<K, I>, wishes: &Wishes) -> Result<Applicable> {
    wishes.check()?;
    let of = "regression";
    let Some(report) = model.report() else {
        return Ok(Applicable::nothing(of, UNKNOWN));
    };
    let Some(sample) = model.sample() else {
        let because = "what the training rows say about new ones was not kept: train the model again";
        return Ok(Applicable::nothing(of, because));
    };
    let learned = Learned {
        norm: report.norm,
        tube: model.tube(),
        offset: model.expansion().offset,
        support: Some(report.support),
        convex: report.convex,
    };
    of_learned(of, sample, &learned, wishes)
}

/// A function that was learned.
pub(super) struct Learned {
    /// ‖w‖
    pub norm: f64,
    pub tube: f64,
    pub offset: f64,
    pub support: Option<usize>,
    /// Whether there is a feature space.
    pub convex: bool,
}

/// What the theorems say about a function, by what the training rows say about it.
pub(super) fn of_learned(
    of: &str,
    sample: &RegressionSample,
    learned: &Learned,
    wishes: &Wishes,
) -> Result<Applicable> {
    let mut all = Applicable::new(of);
    let RegressionSample { rows, trace, largest_squared_norm: squared_radius, .. } = *sample;
    let Learned { norm, tube, offset, .. } = *learned;
    for (name, value) in [
        ("rows", rows as f64),
        ("norm", norm),
        ("tube", tube),
        ("R²", squared_radius),
        ("trace of K", trace),
        ("sum of slacks", sample.slack_sum),
        ("sum of squared slacks", sample.slack_squares),
        ("sum of squared residuals", sample.residual_squares),
    ] {
        all.fact(name, value);
    }
    if let Some(support) = learned.support {
        all.fact("support vectors", support as f64);
    }
    if !learned.convex {
        let because =
            "the kernel is not known to be positive semi-definite, so there may be no feature space";
        all.refuse("all", because);
        return Ok(all);
    }
    // (w, b/R) in place of w and b: the trace and R² are those of a hyperplane of any margin.
    let own = sample.has_offset.then_some(offset);
    let plane = Hyperplane { rows, trace, squared_radius, margin: 1.0, offset: own }.folded();
    let norm = match own {
        Some(offset) => norm.hypot(offset / squared_radius.sqrt()),
        None => norm,
    };
    let Hyperplane { trace, squared_radius, .. } = plane;
    let folded = own.map(|_| FOLDED);
    let found = (wishes.choices == 1).then_some(FOUND);
    let notes = |more: &[&'static str]| -> Vec<&'static str> {
        more.iter().copied().chain(folded).chain(found).collect()
    };
    let slack_sum = sample.slack_sum;
    let tolerance = Tolerance { rows, trace, norm, tube, gamma: 0.0, slack_sum };
    let gamma = wishes.gamma.map_or_else(|| tolerance.gamma_for(wishes.share), Ok)?;
    let bound =
        wishes.apply(&Tolerance { gamma, ..tolerance }).map(|bound| match gamma >= sample.largest_target {
            true => Bound { trivial: 0.0, ..bound }.noted(ANYTHING),
            false => bound,
        });
    all.list("Theorem 7.49", bound, &notes(&[]));
    let (slack_squares, constant) = (sample.slack_squares, wishes.constant);
    let order =
        ToleranceOrder { rows, squared_radius, norm, tube, tolerance: gamma, slack_squares, constant };
    all.list("Campbell's Theorem 4", wishes.apply(&order), &notes(&[CONSTANT, RADIUS]));
    let theorem = SquaredLoss {
        rows,
        trace,
        squared_radius,
        norm: norm.max(sample.largest_target / squared_radius.sqrt()),
        residual_squares: sample.residual_squares,
        target_squares: sample.target_squares,
        largest_target: sample.largest_target,
    };
    all.list("Theorem 7.39", wishes.apply(&theorem), &notes(&[RADIUS]));
    Ok(all)
}
