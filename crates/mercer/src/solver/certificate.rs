//! How far a feasible β is from optimal, at most.
//!
//! For any multipliers μ the quadratic programme is bounded below: linearising the term ½βᵀKβ at β and
//! keeping the separable rest gives
//!
//! ```text
//! −P = −½ βᵀKβ + Σ_g μ_g s_g + Σᵢ min_{L≤v≤U} [ hᵢ v + ½ dᵢ v² + εᵢ|v| ],   h = Kβ + p − μ
//! ```
//!
//! For the soft-margin machine P is the primal objective ½‖w‖² + C Σξ at the offset b = −μ. The difference
//! between the objective at β and −P is a sum of terms none of which is negative, one per variable; it is
//! computed as that sum, so that no digits are lost by cancellation.
//!
//! Where values of K are rounded to single precision, the gradient is that of a matrix which is not quite K.
//! How far off it is has to be measured; the certificate is then widened by what that can do at most.

use serde::{Deserialize, Serialize};

use crate::solver::DualProblem;

/// The quality of a solution: the optimum of the problem lies between `dual` and `primal`.
///
/// ```
/// use mercer::solver::Certificate;
/// let certificate = Certificate { kkt_gap: 1e-3, dual: 99.9, primal: 100.0, scale: 0.0 };
/// assert!((certificate.relative_gap() - 1e-3).abs() < 1e-9);
/// // Of an optimum of 0 the gap is measured by the scale of the problem.
/// let certificate = Certificate { kkt_gap: 1e-9, dual: 0.0, primal: 1e-6, scale: 0.5 };
/// assert!((certificate.relative_gap() - 2e-6).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// Largest violation of the optimality conditions over all pairs of variables that could still move.
    #[serde(with = "crate::resources::number")]
    pub kkt_gap: f64,
    /// D = −(½ βᵀQβ + pᵀβ + Σε|β|): a lower bound of the optimum of the primal problem.
    #[serde(with = "crate::resources::number")]
    pub dual: f64,
    /// P ≥ D: the primal objective at this solution; infinite where β proves nothing.
    #[serde(with = "crate::resources::number")]
    pub primal: f64,
    /// [`DualProblem::scale`]: what a gap is compared with where the objectives are smaller.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub scale: f64,
}

fn is_zero(scale: &f64) -> bool {
    *scale == 0.0
}

impl Certificate {
    /// P − D ≥ 0.
    pub fn duality_gap(&self) -> f64 {
        self.primal - self.dual
    }

    /// (P − D) / max(|P|, |D|, scale); 0 if both objectives are 0.
    pub fn relative_gap(&self) -> f64 {
        let size = self.primal.abs().max(self.dual.abs()).max(self.scale);
        let gap = self.duality_gap();
        if gap == 0.0 {
            0.0
        } else if size.is_finite() {
            gap / size
        } else {
            f64::INFINITY
        }
    }
}

/// A feasible β with all that bounds its distance from the optimum.
pub(crate) struct Evidence<'a> {
    pub problem: &'a DualProblem,
    pub beta: &'a [f64],
    /// (K + diag(d))β + p
    pub gradient: &'a [f64],
    /// μ
    pub multipliers: &'a [f64],
    pub kkt_gap: f64,
    /// By how much an entry of the gradient may be wrong.
    pub error: f64,
}

impl Evidence<'_> {
    /// The certificate, widened by what the error of the gradient can do.
    pub fn certify(&self) -> Certificate {
        let problem = self.problem;
        let (mut gap, mut objective, mut size) = (0.0, 0.0, 0.0);
        for i in 0..problem.len() {
            let (b, d, e) = (self.beta[i], problem.diagonal(i), problem.insensitivity(i));
            let mu = self.multipliers.get(problem.groups.of(i)).copied().unwrap_or(0.0);
            let h = self.gradient[i] - d * b - mu;
            let term = |h: f64| shortfall(h, (b, d, e), (problem.lower[i], problem.upper[i]));
            // The term is convex in h: its largest value is at an end.
            gap += match self.error > 0.0 {
                true => term(h - self.error).max(term(h + self.error)),
                false => term(h),
            };
            objective += 0.5 * b * (self.gradient[i] + problem.linear[i]) + e * b.abs();
            size += b.abs();
        }
        // |½ βᵀ(error)| ≤ ½ Σ|β| · error
        let dual = -objective - 0.5 * size * self.error;
        Certificate {
            kkt_gap: self.kkt_gap + 2.0 * self.error,
            dual,
            primal: dual + gap + size * self.error,
            scale: problem.scale,
        }
    }
}

/// By how much h v + ½ d v² + e |v| at v = b is above its least value between two bounds: what one variable adds to the gap.
pub(super) fn shortfall(h: f64, (b, d, e): (f64, f64, f64), (low, high): (f64, f64)) -> f64 {
    let at = h * b + 0.5 * d * b * b + e * b.abs();
    (at - least_value(h, d, e, low, high)).max(0.0)
}

/// min over v in [low, high] of h v + ½ d v² + e |v|.
fn least_value(h: f64, d: f64, e: f64, low: f64, high: f64) -> f64 {
    let v = least_at(h, d, e, low, high);
    match v {
        0.0 => 0.0,
        v if v.is_infinite() => f64::NEG_INFINITY,
        v => h * v + 0.5 * d * v * v + e * v.abs(),
    }
}

/// The v in [low, high] for which h v + ½ d v² + e |v| is least.
pub(super) fn least_at(h: f64, d: f64, e: f64, low: f64, high: f64) -> f64 {
    // Convex in v: the minimum is where the slope changes sign, or at an end of the interval.
    let slope_right = h + e;
    let slope_left = h - e;
    let best = if slope_right < 0.0 {
        if d > 0.0 { -slope_right / d } else { f64::INFINITY }
    } else if slope_left > 0.0 {
        if d > 0.0 { -slope_left / d } else { f64::NEG_INFINITY }
    } else {
        0.0
    };
    best.clamp(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_value_is_found_by_search_too() {
        for (h, d, e, low, high) in [
            (1.0, 0.0, 0.0, -2.0, 3.0),
            (-1.5, 0.0, 0.5, -2.0, 3.0),
            (-1.5, 2.0, 0.5, -2.0, 3.0),
            (0.2, 0.0, 0.5, -1.0, 1.0),
            (4.0, 0.5, 0.1, -2.0, 1.0),
            (-0.3, 1.0, 0.0, 1.0, 2.0),
        ] {
            let search = (0..=100_000)
                .map(|k| low + (high - low) * f64::from(k) / 1e5)
                .map(|v: f64| h * v + 0.5 * d * v * v + e * v.abs())
                .fold(f64::INFINITY, f64::min);
            let exact = least_value(h, d, e, low, high);
            assert!((exact - search).abs() < 1e-6, "{h} {d} {e}: {exact} against {search}");
        }
        assert_eq!(least_value(-1.0, 0.0, 0.0, 0.0, f64::INFINITY), f64::NEG_INFINITY);
        assert_eq!(least_value(1.0, 0.0, 0.0, 0.0, f64::INFINITY), 0.0);
    }
}
