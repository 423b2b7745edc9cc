//! The problem of one example of Weston and Watkins' machine without offsets.
//!
//! ```text
//! min over α, d = α − α_old   Σ s_c d_c + ½ A (Σ d_c² + (Σ d_c)²)   subject to   0 ≤ α_c ≤ C,   c ≠ y
//! ```
//!
//! Given its sum S the best α is α_c = clip(v_c − S, 0, C) with v_c = α_old,c + Σ α_old − s_c/A, and S solves
//! Σ clip(v_c − S, 0, C) = S. The left side falls and is linear between the points v_c − C and v_c: sorting these finds S
//! exactly. O(k log k).

/// Replaces τ, whose entries are −α_c and for y their sum, by the best one. `slopes[c]` is s_c, `a` is k(x, x).
pub(super) fn solve(
    a: f64,
    class: usize,
    cost: f64,
    slopes: &[f64],
    tau: &mut [f64],
    scratch: &mut Vec<f64>,
) {
    let others = || (0..slopes.len()).filter(|&c| c != class);
    let total = tau[class];
    let v = |c: usize, tau: &[f64]| total - tau[c] - slopes[c] / a;
    scratch.clear();
    scratch.extend(others().flat_map(|c| [v(c, tau) - cost, v(c, tau)]).filter(|&point| point > 0.0));
    scratch.sort_unstable_by(f64::total_cmp);
    // The excess Σ clip(v_c − S, 0, C) − S is not negative at 0; walk to the interval in which it vanishes.
    let excess = |s: f64| others().map(|c| (v(c, tau) - s).clamp(0.0, cost)).sum::<f64>() - s;
    let crossing = scratch.partition_point(|&s| excess(s) > 0.0);
    let from = if crossing == 0 { 0.0 } else { scratch[crossing - 1] };
    let moving = others().filter(|&c| v(c, tau) - cost <= from && from < v(c, tau)).count();
    let s = from + excess(from) / (1 + moving) as f64;
    let mut sum = 0.0;
    for c in others() {
        let alpha = (v(c, tau) - s).clamp(0.0, cost);
        sum += alpha;
        tau[c] = 0.0 - alpha;
    }
    tau[class] = sum;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_feasible_direction_goes_down() {
        let mut random = crate::solver::joint::tests::numbers(7);
        for _ in 0..2000 {
            let (k, a, cost) = (2 + (random() * 5.0) as usize, 0.1 + random(), 2.0 * random());
            let class = (random() * k as f64) as usize % k;
            let slopes: Vec<f64> = (0..k).map(|_| 3.0 * (random() - 0.7)).collect();
            let mut tau = vec![0.0; k];
            // From 0, and once more from where that ended, with the slopes of there.
            solve(a, class, cost, &slopes, &mut tau, &mut Vec::new());
            let after: Vec<f64> = (0..k).map(|c| slopes[c] + a * (tau[class] - tau[c])).collect();
            for c in (0..k).filter(|&c| c != class) {
                let alpha = -tau[c];
                assert!((0.0..=cost).contains(&alpha));
                assert!(alpha == cost || after[c] > -1e-9, "{tau:?} {after:?}");
                assert!(alpha == 0.0 || after[c] < 1e-9, "{tau:?} {after:?}");
            }
            let again = tau.clone();
            solve(a, class, cost, &after, &mut tau, &mut Vec::new());
            assert!(tau.iter().zip(&again).all(|(x, y)| (x - y).abs() < 1e-9));
        }
    }
}
