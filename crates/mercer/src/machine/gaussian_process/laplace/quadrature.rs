//! The mean of a sigmoid over a normal distribution, by Gauss–Hermite quadrature.

use crate::error::Result;
use crate::linalg::{Matrix, SymmetricEigen};

/// Nodes: enough for twelve digits while the variance is at most 1, and four where it is 100.
const NODES: usize = 64;

/// Nodes and weights for ∫ g(z) N(z | 0, 1) dz ≈ Σ weight · g(node).
///
/// (G. H. Golub, J. H. Welsch: Calculation of Gauss quadrature rules, Math. Comp. 23 (1969).)
pub(super) struct Quadrature {
    nodes: Vec<(f64, f64)>,
}

impl Quadrature {
    pub fn new() -> Result<Self> {
        // The recurrence of Hermite's polynomials for the weight N(0, 1) has √k beside the diagonal.
        let beside = |i: usize, j: usize| if i.abs_diff(j) == 1 { (i.max(j) as f64).sqrt() } else { 0.0 };
        let eigen = SymmetricEigen::new(&Matrix::from_fn(NODES, NODES, beside))?;
        let node = |k: usize| (eigen.values()[k], eigen.vector(k)[0].powi(2));
        // Pairs that mirror each other, so that a mean of 0 gives ½ exactly enough.
        let nodes = (0..NODES)
            .map(|k| {
                let ((x, w), (y, v)) = (node(k), node(NODES - 1 - k));
                (0.5 * (x - y), 0.5 * (w + v))
            })
            .collect();
        Ok(Quadrature { nodes })
    }

    /// E σ(z) for z ~ N(mean, variance).
    pub fn sigmoid(&self, mean: f64, variance: f64) -> f64 {
        let deviation = variance.sqrt();
        let sigmoid = |z: f64| 1.0 / (1.0 + (-z).exp());
        self.nodes.iter().map(|(node, weight)| weight * sigmoid(mean + deviation * node)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_of_a_sigmoid_are_those_of_small_steps() {
        let quadrature = Quadrature::new().unwrap();
        let total: f64 = quadrature.nodes.iter().map(|(_, weight)| weight).sum();
        assert!((total - 1.0).abs() < 1e-12);
        for (mean, variance, tolerance) in [(0.3, 0.5, 1e-11), (-2.0, 4.0, 1e-6), (5.0, 100.0, 1e-3)] {
            let deviation = f64::sqrt(variance);
            let step = 1e-3;
            let at = |i: i32| {
                let z = f64::from(i) * step;
                (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt() / (1.0 + (-(mean + deviation * z)).exp())
            };
            let expected: f64 = (-10_000..=10_000).map(at).sum::<f64>() * step;
            let found = quadrature.sigmoid(mean, variance);
            assert!((found - expected).abs() < tolerance, "{mean} {variance}: {found} {expected}");
        }
    }
}
