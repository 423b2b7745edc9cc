//! The problem of one example of Crammer and Singer's machine.
//!
//! ```text
//! min over τ   ½ A ‖τ‖² + Bᵀτ   subject to   Σ τ_c = 0,  τ_c ≤ C δ_cy
//! ```
//!
//! With D_c = B_c/A + C δ_cy the answer is τ_c = C δ_cy − max(0, D_c − θ), where θ is such that the maxima sum to C:
//! a projection on a simplex, which sorting D finds exactly (Crammer & Singer 2001, section 6). O(k log k).

/// Replaces τ by the best one. `slopes` are the derivatives of the whole objective by τ at the old one, `a` is k(x, x).
pub(crate) fn solve(
    a: f64,
    class: usize,
    cost: f64,
    slopes: &[f64],
    tau: &mut [f64],
    scratch: &mut Vec<f64>,
) {
    let d = |c: usize, tau: &[f64]| slopes[c] / a - tau[c] + if c == class { cost } else { 0.0 };
    scratch.clear();
    scratch.extend((0..tau.len()).map(|c| d(c, tau)));
    scratch.sort_unstable_by(|x, y| y.total_cmp(x));
    // θ = (Σ of the r largest − C)/r for the first r with which the next one is not above it.
    let mut sum = 0.0;
    let mut theta = f64::NEG_INFINITY;
    for (r, &value) in scratch.iter().enumerate() {
        if value <= theta {
            break;
        }
        sum += value;
        theta = (sum - cost) / (r + 1) as f64;
    }
    for c in 0..tau.len() {
        let taken = (d(c, tau) - theta).clamp(0.0, cost);
        tau[c] = if c == class { cost - taken } else { 0.0 - taken };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_feasible_direction_goes_down() {
        let mut random = crate::solver::joint::tests::numbers(5);
        for _ in 0..2000 {
            let (k, a, cost) = (2 + (random() * 5.0) as usize, 0.1 + random(), 2.0 * random());
            let class = (random() * k as f64) as usize % k;
            let slopes: Vec<f64> = (0..k).map(|_| 3.0 * (random() - 0.5)).collect();
            let mut tau = vec![0.0; k];
            solve(a, class, cost, &slopes, &mut tau, &mut Vec::new());
            assert!(tau.iter().sum::<f64>().abs() < 1e-12);
            let bound = |c: usize| if c == class { cost } else { 0.0 };
            let after = |c: usize| slopes[c] + a * tau[c];
            for up in (0..k).filter(|&c| tau[c] < bound(c)) {
                for down in 0..k {
                    assert!(tau[up] <= bound(up) && after(up) - after(down) > -1e-9, "{tau:?}");
                }
            }
        }
    }
}
