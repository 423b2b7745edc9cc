//! What is kept of the training rows for statements about new ones.

use serde::{Deserialize, Serialize};

use super::formulation::Slack;

/// The shares of rows whose margins are kept: the least, the quartiles, the largest, and 5 % from either end.
pub const MARGIN_SHARES: [f64; 7] = [0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0];

/// What the training rows of a pair of classes say about the error on new rows: the numbers that generalisation bounds
/// are made of.
///
/// Distances are those of the feature space, with ‖w‖ = 1, whatever scale the machine has. It takes O(n log n) for n
/// rows of the pair.
///
/// ```
/// use mercer::data::{Labels, Vectors};
/// use mercer::kernel::Expression;
/// use mercer::machine::{Slack, Svc};
/// let rows = Vectors::from_rows(&[[-3.0], [-1.0], [1.0], [2.0]])?;
/// let labels = Labels::from_text(["no", "no", "yes", "yes"]);
/// let machine = Svc::params("linear".parse::<Expression>()?).slack(Slack::None);
/// let model = machine.check()?.fit(&rows, &labels)?;
/// let sample = model.pairs().reports[0].sample.as_ref().unwrap();
/// assert_eq!((sample.rows, sample.trace, sample.largest_squared_norm), (4, 15.0, 9.0));
/// // The nearest rows are at distance 1 from the hyperplane, the farthest at 3.
/// assert!((sample.margins[0] - 1.0).abs() < 1e-6 && (sample.margins[6] - 3.0).abs() < 1e-6);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairSample {
    /// What slack cost.
    pub slack: Slack,
    /// ℓ: training rows of the two classes.
    pub rows: usize,
    /// C of every row for the functional margin 1, if it is the same for all and bounds or damps the coefficients.
    pub cost: Option<f64>,
    /// b/‖w‖, if the machine has an offset.
    pub offset: Option<f64>,
    /// tr(K) = Σ k(x, x).
    pub trace: f64,
    /// R²: the largest k(x, x).
    pub largest_squared_norm: f64,
    /// Σξ/γ: slacks as multiples of the margin.
    pub slack_sum: f64,
    /// Σξ²/γ².
    pub slack_squares: f64,
    /// Σα for the functional margin 1.
    pub coefficient_sum: f64,
    /// Σα² for the functional margin 1.
    pub coefficient_squares: f64,
    /// Quantiles of the margins y f(x)/‖w‖, for the shares [`MARGIN_SHARES`].
    pub margins: Vec<f64>,
}

/// What the training rows say about a hyperplane that was found by whatever means, such as a linear machine. Its offset, if it has one, is
/// the weight of one more feature.
///
/// ```
/// use mercer::data::{Labels, Vectors};
/// use mercer::machine::LinearSvc;
/// let rows = Vectors::from_rows(&[[-3.0], [-1.0], [1.0], [2.0]])?;
/// let labels = Labels::from_text(["no", "no", "yes", "yes"]);
/// let model = LinearSvc::params().cost(1e6).intercept(false).tolerance(1e-9).check()?.fit(&rows, &labels)?;
/// let sample = &model.samples()[0];
/// assert_eq!((sample.rows, sample.trace, sample.largest_squared_norm), (4, 15.0, 9.0));
/// assert!((sample.margins[0] - 1.0).abs() < 1e-3 && (sample.margins[6] - 3.0).abs() < 1e-3);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarginSample {
    /// ℓ: training rows.
    pub rows: usize,
    /// ‖w‖
    pub norm: f64,
    /// tr(K) = Σ k(x, x).
    pub trace: f64,
    /// R²: the largest k(x, x).
    pub largest_squared_norm: f64,
    /// Σξ, by which rows lie inside of the margin 1/‖w‖.
    pub slack_sum: f64,
    /// Σξ².
    pub slack_squares: f64,
    /// Quantiles of the margins y f(x)/‖w‖, for the shares [`MARGIN_SHARES`].
    pub margins: Vec<f64>,
}

impl MarginSample {
    /// From y f(x) and k(x, x) of the rows; none where w is 0 or a sum is beyond all numbers. O(n log n).
    pub(crate) fn of(values: &[f64], diagonal: &[f64], norm: f64) -> Option<Self> {
        let slack = |value: &f64| (1.0 - value).max(0.0) / norm;
        let sample = MarginSample {
            rows: values.len(),
            norm,
            trace: diagonal.iter().sum(),
            largest_squared_norm: diagonal.iter().copied().fold(0.0, f64::max),
            slack_sum: values.iter().map(slack).sum(),
            slack_squares: values.iter().map(|value| slack(value).powi(2)).sum(),
            margins: quantiles(values.iter().map(|value| value / norm).collect()),
        };
        let numbers = [sample.norm, sample.trace, sample.slack_squares];
        (norm > 0.0 && numbers.iter().all(|number| number.is_finite())).then_some(sample)
    }
}

/// What the training rows say about a regression that was found by whatever means; offsets as in [`MarginSample`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResidualSample {
    /// ‖w‖
    pub norm: f64,
    /// b, if it is no weight of a feature.
    pub offset: f64,
    /// Whether the kernel is known to be positive semi-definite, so that there is a feature space.
    pub convex: bool,
    /// What the rows say.
    pub sample: RegressionSample,
}

/// What the training rows of a regression say about the error on new rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegressionSample {
    /// ℓ: training rows.
    pub rows: usize,
    /// Whether the function has an offset.
    pub has_offset: bool,
    /// tr(K) = Σ k(x, x).
    pub trace: f64,
    /// R²: the largest k(x, x).
    pub largest_squared_norm: f64,
    /// Σξ: by how much targets lie outside of the tube, in all.
    pub slack_sum: f64,
    /// Σξ².
    pub slack_squares: f64,
    /// Σ (y − f(x))².
    pub residual_squares: f64,
    /// Σy².
    pub target_squares: f64,
    /// The largest |y|.
    pub largest_target: f64,
}

impl RegressionSample {
    /// From the residuals and the diagonal of K; none where a sum is beyond all numbers. O(n).
    pub(crate) fn of(
        targets: &[f64],
        residuals: &[f64],
        tube: f64,
        has_offset: bool,
        diagonal: &[f64],
    ) -> Option<Self> {
        let slack = |r: &f64| (r.abs() - tube).max(0.0);
        let squares = |values: &[f64]| values.iter().map(|v| v * v).sum();
        let sample = RegressionSample {
            rows: targets.len(),
            has_offset,
            trace: diagonal.iter().sum(),
            largest_squared_norm: diagonal.iter().copied().fold(0.0, f64::max),
            slack_sum: residuals.iter().map(slack).sum(),
            slack_squares: residuals.iter().map(|r| slack(r).powi(2)).sum(),
            residual_squares: squares(residuals),
            target_squares: squares(targets),
            largest_target: targets.iter().fold(0.0, |most, y| most.max(y.abs())),
        };
        let sums = [sample.trace, sample.slack_squares, sample.residual_squares, sample.target_squares];
        sums.iter().all(|sum| sum.is_finite()).then_some(sample)
    }
}

/// Quantiles of some numbers for the shares [`MARGIN_SHARES`].
pub(crate) fn quantiles(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| (share * (values.len() - 1) as f64).round() as usize;
    if values.is_empty() {
        Vec::new()
    } else {
        MARGIN_SHARES.iter().map(|&share| values[at(share)]).collect()
    }
}
