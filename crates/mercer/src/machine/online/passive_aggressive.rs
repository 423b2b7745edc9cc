//! Passive–aggressive classification, which is the kernel adatron that sees each example once.
//!
//! ```text
//! α ← clip(α + (1 − y f − dα)/(k(x, x) + d), 0, C)
//! ```
//!
//! maximises the dual objective along one coefficient. From α = 0 it is the step of Crammer et al.: the smallest change of w after
//! which the margin is 1 (d = 0, C = ∞), or as much of it as the cost allows. The step 1 of the printed Algorithm 7.59 diverges where
//! k(x, x) > 2.

use super::rule::{Seen, limits};
use crate::machine::Slack;

/// The hinge loss.
pub(super) fn loss(value: f64, target: f64) -> (f64, bool) {
    ((1.0 - target * value).max(0.0), target * value <= 0.0)
}

pub(super) fn step(seen: Seen, slack: Slack, cost: f64) -> f64 {
    let (most, diagonal) = limits(slack, cost);
    let (alpha, curvature) = (seen.target * seen.coefficient, seen.own + diagonal);
    // An item of length 0 can be put on no side.
    if curvature <= 0.0 {
        return 0.0;
    }
    let wanted = alpha + (1.0 - seen.target * seen.value - diagonal * alpha) / curvature;
    seen.target * (wanted.clamp(0.0, most) - alpha)
}
