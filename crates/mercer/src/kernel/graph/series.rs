//! Sums over walks of any length.

/// The terms 1ᵀ Aᵏ 1 of the sum over k = 0, 1, …, for a matrix A of no negative entries whose powers vanish, up to where the
/// rest is below 10⁻¹⁷ of the first one. `step(v, out)` sets `out` to A v.
///
/// With mₖ = max Aᵏ 1, which is the norm of Aᵏ, the rest after term k is at most (m₀ + … + mₖ) mₖ / (1 − mₖ) of the first term.
pub(super) fn terms(nodes: usize, mut step: impl FnMut(&[f64], &mut [f64])) -> Vec<f64> {
    let mut v = vec![1.0; nodes];
    let mut next = vec![0.0; nodes];
    let (mut terms, mut norms) = (vec![nodes as f64], 1.0);
    while nodes > 0 && terms.len() < MOST {
        step(&v, &mut next);
        std::mem::swap(&mut v, &mut next);
        let norm = v.iter().fold(0.0, |most: f64, &value| most.max(value));
        if norm == 0.0 {
            break;
        }
        terms.push(v.iter().sum());
        norms += norm;
        if norm < 0.5 && norms * norm / (1.0 - norm) <= 1e-17 {
            break;
        }
    }
    terms
}

/// More terms than the decays that are let in need.
const MOST: usize = 1 << 20;
