//! Losses: what a prediction costs, with derivative and conjugate.

use crate::error::{Error, Result};

/// A loss: of classes a function of the margin z = yf(x), of numbers one of the residual r = y − f(x).
///
/// | loss | value | conjugate φ*(s) = sup sz − φ(z) |
/// |---|---|---|
/// | `ZeroOne` | 1 for z ≤ 0, else 0 | 0 at s = 0 |
/// | `Hinge` | max(0, 1 − z) | s for −1 ≤ s ≤ 0 |
/// | `SquaredHinge` | max(0, 1 − z)² | s + s²/4 for s ≤ 0 |
/// | `Logistic` | ln(1 + e⁻ᶻ) | t ln t + (1 − t) ln(1 − t), t = −s in \[0, 1\] |
/// | `Exponential` | e⁻ᶻ | t ln t − t, t = −s ≥ 0 |
/// | `Squared` | r² | s²/4 |
/// | `Insensitive` | max(0, \|r\| − ε) | ε\|s\| for \|s\| ≤ 1 |
/// | `Huber` | r²/2 up to δ, δ(\|r\| − δ/2) beyond | s²/2 for \|s\| ≤ δ |
/// | `Pinball` | τr for r ≥ 0, (τ − 1)r below | 0 for τ − 1 ≤ s ≤ τ |
///
/// Where nothing is said the conjugate is ∞. Dual problems are made of conjugates: that of min ½‖w‖² + C Σ φ(zᵢ) is
/// max −½‖Σ αᵢyᵢxᵢ‖² − C Σ φ*(−αᵢ/C).
///
/// ```
/// use mercer::machine::LossFunction;
/// let hinge = LossFunction::Hinge;
/// assert_eq!((hinge.value(0.25), hinge.derivative(0.25), hinge.conjugate(-0.5)), (0.75, -1.0, -0.5));
/// // Fenchel's inequality, with equality at the derivative.
/// let logistic = LossFunction::Logistic;
/// let s = logistic.derivative(0.3);
/// assert!((logistic.value(0.3) + logistic.conjugate(s) - 0.3 * s).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LossFunction {
    /// Whether the class is wrong.
    ZeroOne,
    /// That of support vector machines.
    Hinge,
    /// That of the 2-norm soft margin.
    SquaredHinge,
    /// That of logistic regression.
    Logistic,
    /// That of boosting.
    Exponential,
    /// That of least squares.
    Squared,
    /// That of support vector regression.
    Insensitive {
        /// ε ≥ 0: what costs nothing.
        tube: f64,
    },
    /// Squared for small residuals, linear for large ones.
    Huber {
        /// δ > 0: where it becomes linear.
        width: f64,
    },
    /// Makes f the τ-quantile.
    Pinball {
        /// τ between 0 and 1.
        level: f64,
    },
}

impl LossFunction {
    /// One of each, with usual parameters, in the order of the table above.
    pub const ALL: [LossFunction; 9] = [
        LossFunction::ZeroOne,
        LossFunction::Hinge,
        LossFunction::SquaredHinge,
        LossFunction::Logistic,
        LossFunction::Exponential,
        LossFunction::Squared,
        LossFunction::Insensitive { tube: 0.1 },
        LossFunction::Huber { width: 1.0 },
        LossFunction::Pinball { level: 0.5 },
    ];

    /// Checks the parameter.
    ///
    /// # Errors
    /// [`Error::Parameter`] if it makes no sense.
    pub fn check(self) -> Result<Self> {
        let (name, value, is_fine, expected) = match self {
            LossFunction::Insensitive { tube } => {
                ("tube", tube, tube >= 0.0 && tube.is_finite(), "a finite number of at least 0")
            }
            LossFunction::Huber { width } => {
                ("width", width, width > 0.0 && width.is_finite(), "a finite number above 0")
            }
            LossFunction::Pinball { level } => {
                ("level", level, level > 0.0 && level < 1.0, "a number between 0 and 1")
            }
            _ => return Ok(self),
        };
        if is_fine { Ok(self) } else { Err(Error::Parameter { name, value, expected }) }
    }

    /// Whether it is a function of the margin; else of the residual.
    pub fn is_of_margin(self) -> bool {
        use LossFunction::{Exponential, Hinge, Logistic, SquaredHinge, ZeroOne};
        matches!(self, ZeroOne | Hinge | SquaredHinge | Logistic | Exponential)
    }

    /// The name in a table.
    pub fn name(self) -> &'static str {
        match self {
            LossFunction::ZeroOne => "zero-one",
            LossFunction::Hinge => "hinge",
            LossFunction::SquaredHinge => "squared hinge",
            LossFunction::Logistic => "logistic",
            LossFunction::Exponential => "exponential",
            LossFunction::Squared => "squared",
            LossFunction::Insensitive { .. } => "insensitive",
            LossFunction::Huber { .. } => "Huber",
            LossFunction::Pinball { .. } => "pinball",
        }
    }

    /// φ at a margin or a residual.
    pub fn value(self, at: f64) -> f64 {
        match self {
            LossFunction::ZeroOne => f64::from(u8::from(at <= 0.0)),
            LossFunction::Hinge => (1.0 - at).max(0.0),
            LossFunction::SquaredHinge => (1.0 - at).max(0.0).powi(2),
            // Without overflow on either side.
            LossFunction::Logistic => (-at).max(0.0) + (-at.abs()).exp().ln_1p(),
            LossFunction::Exponential => (-at).exp(),
            LossFunction::Squared => at * at,
            LossFunction::Insensitive { tube } => (at.abs() - tube).max(0.0),
            LossFunction::Huber { width } if at.abs() <= width => 0.5 * at * at,
            LossFunction::Huber { width } => width * (at.abs() - 0.5 * width),
            LossFunction::Pinball { level } => (level * at).max((level - 1.0) * at),
        }
    }

    /// φ′ there; at a corner the one to its right.
    pub fn derivative(self, at: f64) -> f64 {
        let sign = |at: f64| if at >= 0.0 { 1.0 } else { -1.0 };
        match self {
            LossFunction::ZeroOne => 0.0,
            LossFunction::Hinge => {
                if at < 1.0 {
                    -1.0
                } else {
                    0.0
                }
            }
            LossFunction::SquaredHinge => -2.0 * (1.0 - at).max(0.0),
            LossFunction::Logistic => -1.0 / (1.0 + at.exp()),
            LossFunction::Exponential => -(-at).exp(),
            LossFunction::Squared => 2.0 * at,
            LossFunction::Insensitive { tube } if at >= tube => 1.0,
            LossFunction::Insensitive { tube } if at < -tube => -1.0,
            LossFunction::Insensitive { .. } => 0.0,
            LossFunction::Huber { width } if at.abs() <= width => at,
            LossFunction::Huber { width } => width * sign(at),
            LossFunction::Pinball { level } => {
                if at >= 0.0 {
                    level
                } else {
                    level - 1.0
                }
            }
        }
    }

    /// φ*(s) = sup over z of sz − φ(z).
    pub fn conjugate(self, s: f64) -> f64 {
        let within = |is_inside: bool, value: f64| if is_inside { value } else { f64::INFINITY };
        // t ln t, which is 0 at 0.
        let entropy = |t: f64| if t > 0.0 { t * t.ln() } else { 0.0 };
        match self {
            LossFunction::ZeroOne => within(s == 0.0, 0.0),
            LossFunction::Hinge => within((-1.0..=0.0).contains(&s), s),
            LossFunction::SquaredHinge => within(s <= 0.0, s + 0.25 * s * s),
            LossFunction::Logistic => within((-1.0..=0.0).contains(&s), entropy(-s) + entropy(1.0 + s)),
            LossFunction::Exponential => within(s <= 0.0, entropy(-s) + s),
            LossFunction::Squared => 0.25 * s * s,
            LossFunction::Insensitive { tube } => within(s.abs() <= 1.0, tube * s.abs()),
            LossFunction::Huber { width } => within(s.abs() <= width, 0.5 * s * s),
            LossFunction::Pinball { level } => within((level - 1.0..=level).contains(&s), 0.0),
        }
    }

    /// The loss of an item of the class y = 1 at each of these margins: residuals are then 1 − z. One line of the table of all losses.
    ///
    /// ```
    /// use mercer::machine::LossFunction;
    /// let at = [-1.0, 0.0, 1.0];
    /// assert_eq!(LossFunction::Hinge.against_margin(&at), [2.0, 1.0, 0.0]);
    /// assert_eq!(LossFunction::Squared.against_margin(&at), [4.0, 1.0, 0.0]);
    /// ```
    pub fn against_margin(self, margins: &[f64]) -> Vec<f64> {
        let at = |z: &f64| if self.is_of_margin() { *z } else { 1.0 - z };
        margins.iter().map(|z| self.value(at(z))).collect()
    }
}
