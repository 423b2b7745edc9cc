//! The problem of one example of Crammer and Singer's machine.
//!
//! ```text
//! min over τ   ½ A ‖τ‖² + Bᵀτ   subject to   Σ τ_c = 0,  τ_c ≤ C δ_cy
//! ```
//!
//! With D_c = B_c/A + C δ_cy the answer is τ_c = C δ_cy − max(0, D_c − θ), where θ is such that the maxima sum to C:
//! a projection on a simplex, which sorting D finds exactly (Crammer & Singer 2001, section 6). O(k log k). C is never added to
//! what it cancels again: of a large one the digits of τ would be lost.

/// Replaces τ by the best one. `slopes` are the derivatives of the whole objective by τ at the old one, `a` is k(x, x).
pub(crate) fn solve(
    a: f64,
    class: usize,
    cost: f64,
    slopes: &[f64],
    tau: &mut [f64],
    scratch: &mut Vec<f64>,
) {
    // D without C.
    let d = |c: usize, tau: &[f64]| slopes[c] / a - tau[c];
    let own = d(class, tau);
    scratch.clear();
    scratch.extend((0..tau.len()).filter(|&c| c != class).map(|c| d(c, tau)));
    scratch.sort_unstable_by(|x, y| y.total_cmp(x));
    // θ = (Σ of the r largest − C)/r for the first r with which the next one is not above it. Once D_y is among them, C cancels.
    let mut others = scratch.iter().peekable();
    let (mut sum, mut with_own) = (0.0, false);
    let mut theta = f64::NEG_INFINITY;
    for r in 1..=tau.len() {
        let is_own = !with_own && others.peek().is_none_or(|&&next| own + cost >= next);
        let (value, share) = match is_own {
            true => (own + cost, own),
            false => others.next().map_or((f64::NEG_INFINITY, 0.0), |&next| (next, next)),
        };
        if value <= theta {
            break;
        }
        with_own |= is_own;
        sum += share;
        theta = (sum - if with_own { 0.0 } else { cost }) / r as f64;
    }
    let of_own = (theta - own).clamp(0.0, cost);
    let mut given = 0.0;
    for c in (0..tau.len()).filter(|&c| c != class) {
        let taken = (d(c, tau) - theta).clamp(0.0, cost);
        given += taken;
        tau[c] = 0.0 - taken;
    }
    tau[class] = if of_own == cost { cost } else { given.min(cost) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_cost_takes_no_digits() {
        // No bound is met: τ is the mean of the slopes minus each of them.
        for cost in [1.0, 1e8, 1e15] {
            let mut tau = vec![0.0; 3];
            solve(1.0, 0, cost, &[-0.6, 0.0, 0.1], &mut tau, &mut Vec::new());
            let expected = [13.0 / 30.0, -1.0 / 6.0, -4.0 / 15.0];
            assert!(tau.iter().zip(expected).all(|(t, e)| (t - e).abs() < 1e-15), "C = {cost}: {tau:?}");
            assert!(tau.iter().sum::<f64>().abs() < 1e-16, "{tau:?}");
        }
    }

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
