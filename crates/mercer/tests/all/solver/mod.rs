//! The dual solver against an interior-point oracle, its own certificate and its limits.

mod certificate;
mod decomposition;
mod oracle;
mod reference;
mod status;

use mercer::gram::{PrecomputedGram, SymmetricGram};
use mercer::solver::{Control, DualProblem, DualSolution, Settings, solve};
use mercer_testkit::random::Random;

/// Points of two overlapping classes in the plane with their labels, and the Gaussian kernel matrix.
pub struct Cloud {
    pub labels: Vec<f64>,
    pub kernel: Vec<f64>,
}

pub fn cloud(n: usize, overlap: f64, gamma: f64, seed: u64) -> Cloud {
    let mut random = Random::new(seed);
    let labels: Vec<f64> = (0..n).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
    let points: Vec<[f64; 2]> =
        labels.iter().map(|y| [y + overlap * random.normal(), -y + overlap * random.normal()]).collect();
    let mut kernel = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            let (a, b) = (points[i], points[j]);
            kernel[i * n + j] = (-gamma * ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2))).exp();
        }
    }
    Cloud { labels, kernel }
}

impl Cloud {
    pub fn gram(&self) -> PrecomputedGram<'_> {
        PrecomputedGram::symmetric(&self.kernel[..], self.labels.len()).unwrap()
    }

    /// The soft-margin machine.
    pub fn classifier(&self, cost: f64) -> DualProblem {
        let (lower, upper) =
            self.labels.iter().map(|&y| if y > 0.0 { (0.0, cost) } else { (-cost, 0.0) }).unzip();
        let mut problem = DualProblem::new(self.labels.iter().map(|y| -y).collect(), lower, upper);
        problem.groups = mercer::solver::Groups::One { sum: 0.0 };
        problem
    }
}

pub fn run(gram: &dyn SymmetricGram, problem: &DualProblem, settings: &Settings) -> DualSolution {
    solve(gram, problem, settings, &mut |_| Control::Continue).unwrap()
}
