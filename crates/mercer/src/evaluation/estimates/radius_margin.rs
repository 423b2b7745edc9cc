//! The radius–margin quotient R²/(ℓγ²) and its derivatives.

use super::Solved;
use crate::data::{Items, Vectors};
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::kernel::vector::{Gaussian, Measure, VectorKernel, Width};
use crate::machine::Slack;
use crate::solver::{Control, DualProblem, Groups, Settings, Stop, solve};

/// The radius–margin quotient of a machine, with what its derivatives are made of.
///
/// ```text
/// T = R² · 2P / ℓ             for the hard margin and the 2-norm
/// T = (R² + 1/C) · 2P / ℓ     for the 1-norm
/// ```
///
/// P is the value of the primal problem: 2P = ‖w‖² = 1/γ² for the hard margin, 1/γ² in the feature space of K + diag(1/C) for the
/// 2-norm, ‖w‖² + 2 Σ Cᵢξᵢ for the 1-norm. R is the radius of the smallest ball about all rows, in the same feature space, with
///
/// ```text
/// R² = max over λ   Σ λᵢ k(xᵢ, xᵢ) − λᵀKλ,   λ ≥ 0, Σλ = 1
/// ```
///
/// Without an offset R is the largest distance from the origin. The leave-one-out error is at most T for a hard or 2-norm margin
/// without an offset, and at most 4T with one (D = 2R is a diameter). For the 1-norm T is the variant of Chung et al., which is
/// no bound, but has its least values where the error has them; C is then the mean cost of the rows. One quadratic
/// programme for the ball.
///
/// ```
/// use mercer::data::Labels;
/// use mercer::evaluation::estimates::{RadiusMargin, Solved};
/// use mercer::gram::PrecomputedGram;
/// use mercer::machine::{Slack, Svc};
/// let x = [-2.0, -1.0, 1.0, 2.0];
/// let values: Vec<f64> = x.iter().flat_map(|a| x.map(|b| a * b)).collect();
/// let gram = PrecomputedGram::symmetric(values, 4)?;
/// let machine = Svc::params(()).slack(Slack::None).check()?;
/// let solved = Solved::new(&machine, &gram, &Labels::from_text(["no", "no", "yes", "yes"]), None)?;
/// let quotient = RadiusMargin::new(&solved)?;
/// // The interval from −2 to 2 has the radius 2, and the margin is 1.
/// assert!((quotient.squared_radius() - 4.0).abs() < 1e-2);
/// assert!((quotient.value() - 1.0).abs() < 1e-2);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// C. Campbell: An introduction to kernel methods, section 2.6. O. Chapelle, V. Vapnik, O. Bousquet, S. Mukherjee: Choosing
/// multiple parameters for support vector machines. Machine Learning 46, 2002. K.-M. Chung, W.-C. Kao, C.-L. Sun, L.-L. Wang,
/// C.-J. Lin: Radius margin bounds for support vector machines with the RBF kernel. Neural Computation 15, 2003.
#[derive(Clone, Debug)]
pub struct RadiusMargin {
    squared_radius: f64,
    /// 2P
    squared_norm: f64,
    /// 1/C for the 1-norm, else 0.
    extra: f64,
    /// The row of each variable.
    rows: Vec<usize>,
    /// The centre of the ball, as Σ λᵢ φ(xᵢ); for the origin, the farthest row alone.
    ball: Vec<f64>,
    is_about_origin: bool,
    beta: Vec<f64>,
    /// dᵢ = 1/Cᵢ of the 2-norm.
    diagonal: Vec<f64>,
    /// Σ Cᵢξᵢ of the 1-norm.
    cost_of_slack: f64,
}

impl RadiusMargin {
    /// Finds the ball of a trained machine.
    ///
    /// # Errors
    /// What a kernel of the user may fail with.
    pub fn new(solved: &Solved<'_>) -> Result<Self> {
        let n = solved.len();
        let Solved { problem, solution, .. } = solved;
        let diagonal: Vec<f64> = (0..n).map(|i| problem.diagonal(i)).collect();
        let own: Vec<f64> = (0..n).map(|i| solved.own_value(i) + diagonal[i]).collect();
        let (squared_radius, ball) = match solved.has_offset() {
            true => smallest_ball(solved, &own)?,
            false => about_origin(&own),
        };
        let beta = solution.coefficients.clone();
        let terms = beta.iter().zip(&solution.gradient).zip(&problem.linear);
        let is_boxed = solved.slack == Slack::Linear;
        Ok(RadiusMargin {
            squared_radius,
            // −(½βᵀQβ + pᵀβ), doubled.
            squared_norm: -terms.map(|((b, slope), p)| b * (slope + p)).sum::<f64>(),
            extra: if is_boxed { n as f64 / solved.costs.iter().sum::<f64>() } else { 0.0 },
            rows: solved.rows(),
            ball,
            is_about_origin: !solved.has_offset(),
            beta,
            diagonal,
            cost_of_slack: (0..n).map(|i| solved.costs[i] * solved.slack_at(i)).sum(),
        })
    }

    /// T
    pub fn value(&self) -> f64 {
        (self.squared_radius + self.extra) * self.squared_norm / self.rows.len() as f64
    }

    /// R²
    pub fn squared_radius(&self) -> f64 {
        self.squared_radius
    }

    /// 2P: ‖w‖² in the feature space in which the margin is hard.
    pub fn squared_norm(&self) -> f64 {
        self.squared_norm
    }

    /// ∂T/∂θ for a parameter θ of the kernel, given ∂k(xᵢ, xⱼ)/∂θ of rows i and j of the Gram matrix.
    ///
    /// At the optimum ∂(2P)/∂θ = −βᵀ(∂K/∂θ)β and ∂R²/∂θ = Σ λᵢ ∂k(xᵢ, xᵢ)/∂θ − λᵀ(∂K/∂θ)λ: how β and λ change with θ is no matter.
    /// O(m² + r²) derivatives for m support vectors and r rows on the surface of the ball. The machine has to be trained to a
    /// tolerance as small as the derivative is to be accurate.
    ///
    /// ```
    /// use mercer::data::Labels;
    /// use mercer::evaluation::estimates::{RadiusMargin, Solved};
    /// use mercer::gram::PrecomputedGram;
    /// use mercer::machine::{Slack, Svc};
    /// let gram = PrecomputedGram::symmetric(vec![1.0, -1.0, -1.0, 1.0], 2)?;
    /// let machine = Svc::params(()).slack(Slack::None).tolerance(1e-9).check()?;
    /// let solved = Solved::new(&machine, &gram, &Labels::from_text(["no", "yes"]), None)?;
    /// // A factor of the kernel changes radius and margin alike.
    /// let by_factor = RadiusMargin::new(&solved)?.kernel_derivative(|i, j| gram.values()[2 * i + j]);
    /// assert!(by_factor.abs() < 1e-6);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn kernel_derivative(&self, derivative: impl Fn(usize, usize) -> f64) -> f64 {
        let form = |v: &[f64]| -> f64 {
            let support: Vec<usize> = (0..v.len()).filter(|&i| v[i] != 0.0).collect();
            let row = |i: usize| -> f64 {
                support.iter().map(|&j| v[j] * derivative(self.rows[i], self.rows[j])).sum()
            };
            support.iter().map(|&i| v[i] * row(i)).sum()
        };
        let own = self.ball.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
        let own: f64 = own.map(|(i, weight)| weight * derivative(self.rows[i], self.rows[i])).sum();
        let radius = if self.is_about_origin { own } else { own - form(&self.ball) };
        self.combine(radius, -form(&self.beta))
    }

    /// ∂T/∂C for the cost C of a 2-norm or 1-norm machine, to which all costs of rows are in proportion.
    ///
    /// With d = 1/(Cw) of a row of weight w, ∂d/∂C = −d/C. O(ℓ)
    ///
    /// ```
    /// use mercer::data::Labels;
    /// use mercer::evaluation::estimates::{RadiusMargin, Solved};
    /// use mercer::gram::PrecomputedGram;
    /// use mercer::machine::{Slack, Svc};
    /// let gram = PrecomputedGram::symmetric(vec![1.0, -1.0, -1.0, 1.0], 2)?;
    /// let machine = Svc::params(()).slack(Slack::Quadratic).cost(2.0).tolerance(1e-9).check()?;
    /// let solved = Solved::new(&machine, &gram, &Labels::from_text(["no", "yes"]), None)?;
    /// // Two rows are as far from their centre as they are from the hyperplane, whatever is on the diagonal: T = 1/2.
    /// let quotient = RadiusMargin::new(&solved)?;
    /// assert!((quotient.value() - 0.5).abs() < 1e-6 && quotient.cost_derivative(2.0).abs() < 1e-6);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn cost_derivative(&self, cost: f64) -> f64 {
        let per_row =
            |v: &[f64]| -> f64 { v.iter().zip(&self.diagonal).map(|(v, d)| -v * v * d / cost).sum() };
        let own: f64 = self.ball.iter().zip(&self.diagonal).map(|(weight, d)| -weight * d / cost).sum();
        let radius = if self.is_about_origin { own } else { own - per_row(&self.ball) };
        self.combine(radius - self.extra / cost, 2.0 * self.cost_of_slack / cost - per_row(&self.beta))
    }

    /// ∂T for every parameter of a Gaussian kernel on the rows that the Gram matrix was made of, in the order of
    /// [`Gaussian::parameters`](VectorKernel::parameters): γ, σ or ℓ, or one ℓₖ per column, and the amplitude if there is one.
    ///
    /// ```text
    /// ∂k/∂γ = −‖x − z‖² k      ∂k/∂σ = ‖x − z‖²/σ³ k      ∂k/∂ℓₖ = (xₖ − zₖ)²/ℓₖ³ k      ∂k/∂a = k/a
    /// ```
    ///
    /// O((m² + r²)(c + p)) for c columns and p parameters.
    ///
    /// ```
    /// use mercer::data::{Labels, Vectors};
    /// use mercer::evaluation::estimates::{RadiusMargin, Solved};
    /// use mercer::gram::{BulkKernel, Plan};
    /// use mercer::kernel::{Expression, vector::Gaussian};
    /// use mercer::machine::{Slack, Svc};
    /// let rows = Vectors::from_rows(&[[0.0, 0.3], [0.2, 0.0], [1.0, 0.8], [0.7, 1.0]])?;
    /// let labels = Labels::from_text(["a", "a", "b", "b"]);
    /// let gaussian = Gaussian::length_scales(vec![1.0, 2.0])?;
    /// let (kernel, plan) = (Expression::from(gaussian.clone()), Plan::new()?);
    /// let layout = BulkKernel::<Vectors>::layout(&kernel, &rows, &plan)?;
    /// let gram = BulkKernel::<Vectors>::symmetric(&kernel, &rows, &layout, &plan)?;
    /// let machine = Svc::params(()).slack(Slack::Quadratic).tolerance(1e-8).check()?;
    /// let quotient = RadiusMargin::new(&Solved::new(&machine, &*gram, &labels, None)?)?;
    /// assert_eq!(quotient.gaussian_derivatives(&gaussian, &rows)?.len(), 2);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a γ that waits for data, [`Error::Shape`] for other rows.
    pub fn gaussian_derivatives(&self, kernel: &Gaussian, rows: &Vectors<'_>) -> Result<Vec<f64>> {
        if !kernel.is_resolved() {
            let what = "the width of the kernel is not decided: resolve it on the rows first".into();
            return Err(Error::Unsupported { what });
        }
        kernel.check(rows)?;
        if let Some(&row) = self.rows.iter().find(|&&row| row >= rows.len()) {
            return Err(Error::Shape {
                what: "rows of the Gram matrix",
                expected: row + 1,
                found: rows.len(),
            });
        }
        let value = |i: usize, j: usize| kernel.eval(&rows.get(i), &rows.get(j));
        let squared = |i: usize, j: usize| Measure::SquaredDistance.sum(&rows.get(i), &rows.get(j), None);
        let entry = |i: usize, k: usize| rows.get(i).value(k).expect("a column that is there");
        let square = |i: usize, j: usize, k: usize| (entry(i, k) - entry(j, k)).powi(2);
        let mut derivatives = match kernel.width() {
            Width::Gamma(_) => vec![self.kernel_derivative(|i, j| -squared(i, j) * value(i, j))],
            Width::Sigma(length) | Width::LengthScale(length) => {
                vec![self.kernel_derivative(|i, j| squared(i, j) / length.powi(3) * value(i, j))]
            }
            Width::LengthScales(lengths) => {
                let of_column = |(k, length): (usize, &f64)| {
                    self.kernel_derivative(|i, j| square(i, j, k) / length.powi(3) * value(i, j))
                };
                lengths.iter().enumerate().map(of_column).collect()
            }
        };
        if kernel.parameters().len() > derivatives.len() {
            derivatives.push(self.kernel_derivative(|i, j| value(i, j) / kernel.factor()));
        }
        Ok(derivatives)
    }

    /// The product rule.
    fn combine(&self, of_radius: f64, of_norm: f64) -> f64 {
        let squared = self.squared_radius + self.extra;
        (of_radius * self.squared_norm + squared * of_norm) / self.rows.len() as f64
    }
}

/// R² and λ of the smallest ball about all rows, in the feature space of K + diag(d), whose diagonal is `own`.
fn smallest_ball(solved: &Solved<'_>, own: &[f64]) -> Result<(f64, Vec<f64>)> {
    let n = own.len();
    let linear = own.iter().map(|own| -0.5 * own).collect();
    let mut problem = DualProblem::new(linear, vec![0.0; n], vec![1.0; n]);
    problem.diagonal = (0..n).map(|i| solved.problem.diagonal(i)).collect();
    problem.groups = Groups::One { sum: 1.0 };
    problem.item = solved.rows();
    // Relative to R² whatever the unit of K is.
    let (Stop::KktGap(accuracy) | Stop::DualityGap(accuracy)) = solved.settings.stop;
    let settings = Settings { stop: Stop::DualityGap(accuracy), ..solved.settings.clone() };
    let solution = solve(solved.gram, &problem, &settings, &mut |_| Control::Continue)?;
    let terms = solution.coefficients.iter().zip(&solution.gradient).zip(&problem.linear);
    let squared = -terms.map(|((weight, slope), linear)| weight * (slope + linear)).sum::<f64>();
    Ok((squared.max(0.0), solution.coefficients))
}

/// R² about the origin, and the row that decides it.
fn about_origin(own: &[f64]) -> (f64, Vec<f64>) {
    let mut farthest = 0;
    for (i, value) in own.iter().enumerate() {
        if *value > own[farthest] {
            farthest = i;
        }
    }
    let mut ball = vec![0.0; own.len()];
    ball[farthest] = 1.0;
    (own[farthest], ball)
}
