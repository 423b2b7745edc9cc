//! Bounds up to a constant: they say in which order models stand, not how good one is.
//!
//! "There is a constant c" say the theorems, and no more of it: it is a parameter here. At c = 1 a value is no bound of
//! anything, but of two models of the same rows the one with the smaller value has the better promise.

use super::bound::{Bound, Quantity, Term, Theorem};
use super::check::{confidence, not_negative, positive, rows};
use super::margin::LESS_SLACK;
use crate::error::{Error, Result};

const RADIUS: &str =
    "a larger margin for rows of this length: twice the margin makes it a quarter; or more rows";

/// The order of the error by the squares of slacks (Cristianini & Shawe-Taylor, Theorem 5.3; Campbell, Theorem 3).
///
/// ```text
/// P(y ≠ f(x))  ≤  (c/m) ( (R² + Σξ²)/γ² · log² m  +  log(1/δ) )
/// ```
///
/// ```
/// use mercer::evaluation::bounds::{SquaredSlackOrder, Theorem};
/// let theorem = SquaredSlackOrder { rows: 1000, squared_radius: 1.0, margin: 0.5, slack_squares: 2.0, constant: 1.0 };
/// // (3/0.25 · ln² 1000 + ln 20)/1000
/// let bound = theorem.bound(0.05)?;
/// assert!((bound.value - 0.575_601).abs() < 1e-6 && bound.constant == Some(1.0));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SquaredSlackOrder {
    /// m
    pub rows: usize,
    /// R², about the origin.
    pub squared_radius: f64,
    /// γ, a distance: ‖w‖ is 1.
    pub margin: f64,
    /// Σξ², squares of distances.
    pub slack_squares: f64,
    /// c, which is not known.
    pub constant: f64,
}

impl Theorem for SquaredSlackOrder {
    fn bound(&self, delta: f64) -> Result<Bound> {
        let (m, gamma) = (rows(self.rows)?, positive("margin", self.margin)?);
        let factor = m.ln().powi(2) / (gamma * gamma);
        let radius = positive("squared radius", self.squared_radius)? * factor;
        let slack = not_negative("slack", self.slack_squares)? * factor;
        let theorem = "Cristianini & Shawe-Taylor, Theorem 5.3; Campbell, Theorem 3";
        let order = Order { m, radius, slack, constant: self.constant };
        order.bound("order of squared slack", theorem, Quantity::Error, delta)
    }
}

/// The order of the error by the sum of slacks (Cristianini & Shawe-Taylor, Theorem 5.4).
///
/// ```text
/// P(y ≠ f(x))  ≤  (c/m) ( R²/γ² · log² m  +  Σξ/γ · log m  +  log(1/δ) )
/// ```
///
/// ```
/// use mercer::evaluation::bounds::{SlackOrder, Theorem};
/// let theorem = SlackOrder { rows: 1000, squared_radius: 1.0, margin: 0.5, slack_sum: 2.0, constant: 1.0 };
/// // (4 ln² 1000 + 4 ln 1000 + ln 20)/1000
/// assert!((theorem.bound(0.05)?.value - 0.221_495).abs() < 1e-6);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlackOrder {
    /// m
    pub rows: usize,
    /// R², about the origin.
    pub squared_radius: f64,
    /// γ, a distance: ‖w‖ is 1.
    pub margin: f64,
    /// Σξ, distances.
    pub slack_sum: f64,
    /// c, which is not known.
    pub constant: f64,
}

impl Theorem for SlackOrder {
    fn bound(&self, delta: f64) -> Result<Bound> {
        let (m, gamma) = (rows(self.rows)?, positive("margin", self.margin)?);
        let radius = positive("squared radius", self.squared_radius)? * (m.ln() / gamma).powi(2);
        let slack = not_negative("slack", self.slack_sum)? / gamma * m.ln();
        let theorem = "Cristianini & Shawe-Taylor, Theorem 5.4";
        let order = Order { m, radius, slack, constant: self.constant };
        order.bound("order of slack", theorem, Quantity::Error, delta)
    }
}

/// The order of the error by the square of the sum of slacks (Campbell, Theorem 2).
///
/// ```text
/// P(y ≠ f(x))  ≤  (c/m) ( (R² + (Σξ)² log(1/γ))/γ² · log² m  +  log(1/δ) )
/// ```
///
/// log(1/γ) has a meaning in the unit of length in which R is 1 alone, and there γ is at most 1: all lengths are divided by
/// R here. It serves the same purpose as [`SlackOrder`] and is another bound.
///
/// ```
/// use mercer::evaluation::bounds::{SlackSumSquaredOrder, Theorem};
/// let theorem =
///     SlackSumSquaredOrder { rows: 1000, squared_radius: 1.0, margin: 0.5, slack_sum: 2.0, constant: 1.0 };
/// // ((1 + 4 ln 2)/0.25 · ln² 1000 + ln 20)/1000
/// assert!((theorem.bound(0.05)?.value - 0.723_063).abs() < 1e-6);
/// let doubled = SlackSumSquaredOrder { squared_radius: 4.0, margin: 1.0, slack_sum: 4.0, ..theorem };
/// assert!((doubled.bound(0.05)?.value - theorem.bound(0.05)?.value).abs() < 1e-12);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlackSumSquaredOrder {
    /// m
    pub rows: usize,
    /// R², about the origin.
    pub squared_radius: f64,
    /// γ, a distance: ‖w‖ is 1. At most R.
    pub margin: f64,
    /// Σξ, distances.
    pub slack_sum: f64,
    /// c, which is not known.
    pub constant: f64,
}

impl Theorem for SlackSumSquaredOrder {
    fn bound(&self, delta: f64) -> Result<Bound> {
        let m = rows(self.rows)?;
        let radius = positive("squared radius", self.squared_radius)?.sqrt();
        let gamma = positive("margin", self.margin)? / radius;
        if gamma > 1.0 {
            return Err(Error::Interval { name: "margin", value: self.margin, low: 0.0, high: radius });
        }
        let sum = not_negative("slack", self.slack_sum)? / radius;
        let factor = (m.ln() / gamma).powi(2);
        let slack = sum * sum * (1.0 / gamma).ln() * factor;
        let theorem = "Campbell, Theorem 2";
        let order = Order { m, radius: factor, slack, constant: self.constant };
        order.bound("order of slack, squared", theorem, Quantity::Error, delta)
    }
}

/// The order in which targets are missed by more than a tolerance θ (Campbell, Theorem 4).
///
/// For a γ ≤ θ, and slacks outside of the tube θ − γ:
///
/// ```text
/// P(|y − f(x)| > θ)  ≤  (c/m) ( (‖w‖²R² + Σξ²)/γ² · log² m  +  log(1/δ) )
/// ```
///
/// ```
/// use mercer::evaluation::bounds::{Quantity, Theorem, ToleranceOrder};
/// let theorem = ToleranceOrder {
///     rows: 1000, squared_radius: 1.0, norm: 2.0, tube: 0.5, tolerance: 2.5, slack_squares: 4.0, constant: 1.0,
/// };
/// // γ = 2: ((4 + 4)/4 · ln² 1000 + ln 20)/1000
/// let bound = theorem.bound(0.05)?;
/// assert!((bound.value - 0.098_430).abs() < 1e-6);
/// assert_eq!(bound.quantity, Quantity::Miss { gamma: 2.5 });
/// assert!(ToleranceOrder { tolerance: 0.5, ..theorem }.bound(0.05).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToleranceOrder {
    /// m
    pub rows: usize,
    /// R², about the origin.
    pub squared_radius: f64,
    /// ‖w‖
    pub norm: f64,
    /// θ − γ, at least 0.
    pub tube: f64,
    /// θ, above the tube.
    pub tolerance: f64,
    /// Σξ² outside of the tube.
    pub slack_squares: f64,
    /// c, which is not known.
    pub constant: f64,
}

impl Theorem for ToleranceOrder {
    fn bound(&self, delta: f64) -> Result<Bound> {
        let m = rows(self.rows)?;
        let gamma = self.tolerance - not_negative("tube", self.tube)?;
        if !(gamma > 0.0 && gamma.is_finite()) {
            let expected = "a finite number, larger than the tube";
            return Err(Error::Parameter { name: "tolerance", value: self.tolerance, expected });
        }
        let factor = (m.ln() / gamma).powi(2);
        let squared = positive("squared radius", self.squared_radius)?;
        let radius = not_negative("norm", self.norm)?.powi(2) * squared * factor;
        let slack = not_negative("slack", self.slack_squares)? * factor;
        let quantity = Quantity::Miss { gamma: self.tolerance };
        let order = Order { m, radius, slack, constant: self.constant };
        order.bound("order of misses", "Campbell, Theorem 4", quantity, delta)
    }
}

/// (c/m)(radius + slack + log(1/δ))
struct Order {
    m: f64,
    radius: f64,
    slack: f64,
    constant: f64,
}

impl Order {
    fn bound(
        self,
        name: &'static str,
        theorem: &'static str,
        quantity: Quantity,
        delta: f64,
    ) -> Result<Bound> {
        confidence(delta)?;
        let constant = positive("constant", self.constant)?;
        let term = |name, value: f64, smaller_by| Term { name, value: constant / self.m * value, smaller_by };
        let terms = vec![
            term("complexity", self.radius, RADIUS),
            term("slack", self.slack, LESS_SLACK),
            term("confidence", (1.0 / delta).ln(), "more rows; a larger delta helps little"),
        ];
        let bound = Bound::new(name, theorem, quantity, terms).with_delta(delta);
        Ok(Bound { constant: Some(constant), ..bound })
    }
}
