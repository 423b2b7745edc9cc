//! On-line support vector regression (Algorithm 7.61).
//!
//! ```text
//! α̂ ← α;   α ← α + (y − ε sgn(α) − dα − f)/(k(x, x) + d);   if α̂ α < 0 then α ← 0;   α ← clip(α, −C, C)
//! ```
//!
//! where sgn(0) is the number of [−1, 1] that makes the step smallest. The printed fragment has the step 1, which diverges where
//! k(x, x) > 2, and no clip, without which there is no cost. From α = 0 it is passive–aggressive regression.

use super::rule::{Seen, limits};
use crate::machine::Slack;

/// The ε-insensitive loss.
pub(super) fn loss(value: f64, target: f64, tube: f64) -> (f64, bool) {
    let loss = ((target - value).abs() - tube).max(0.0);
    (loss, loss > 0.0)
}

pub(super) fn step(seen: Seen, tube: f64, slack: Slack, cost: f64) -> f64 {
    let (most, diagonal) = limits(slack, cost);
    let (alpha, curvature) = (seen.coefficient, seen.own + diagonal);
    if curvature <= 0.0 {
        return 0.0;
    }
    let missed = seen.target - seen.value - diagonal * alpha;
    let missed = match alpha {
        0.0 => (missed.abs() - tube).max(0.0).copysign(missed),
        alpha => missed - tube.copysign(alpha),
    };
    let wanted = alpha + missed / curvature;
    let wanted = if alpha * wanted < 0.0 { 0.0 } else { wanted };
    wanted.clamp(-most, most) - alpha
}
