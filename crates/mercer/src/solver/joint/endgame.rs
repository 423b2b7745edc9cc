//! The interior-point method for a working set that steps example by example cannot finish.
//!
//! Its variables are α ≥ 0. Weston & Watkins: α_c = −τ_c ≤ C of the classes c ≠ y, and with offsets the equations Σᵢ τᵢ_c = 0 of all
//! classes but the last, which follows from them. Crammer & Singer: α_c = C δ_cy − τ_c of all classes, which sum to C for each example.

use super::Joint;
use super::inner::Restricted;
use crate::linalg::Matrix;
use crate::solver::decomposition::block::BlockValue;
use crate::solver::interior::{Equations, Improved, InteriorPoint};

/// More variables than this are too many for factorizations.
const LARGEST: usize = 1024;
/// Matrices of the size of Q that are held at once.
const COPIES: u64 = 4;

impl<T: BlockValue> Restricted<'_, T> {
    /// Number of variables of the interior-point method, where there are not too many of them for it and this memory.
    pub fn endgame_size(&self, memory: u64) -> Option<usize> {
        let k = self.problem.classes;
        let per_example = if self.problem.machine == Joint::CrammerSinger { k } else { k - 1 };
        let variables = self.class.len() * per_example;
        let bytes = 8 * COPIES * (variables as u64).pow(2);
        (variables <= LARGEST && bytes <= memory).then_some(variables)
    }

    /// The interior-point method from the present τ; by how much the objective fell before `stop` said so. The values f are
    /// left as they are: who wants them computes them from τ.
    pub fn endgame(&mut self, tolerance: f64, stop: &mut dyn FnMut() -> bool) -> f64 {
        let (k, machine) = (self.problem.classes, self.problem.machine);
        let own_too = machine == Joint::CrammerSinger;
        // (slot, class) of each variable.
        let variables: Vec<(usize, usize)> = (0..self.class.len())
            .flat_map(|slot| (0..k).map(move |c| (slot, c)))
            .filter(|&(slot, c)| own_too || c != self.class[slot])
            .collect();
        let same = |a: usize, b: usize| f64::from(u8::from(a == b));
        let quadratic = Matrix::from_fn(variables.len(), variables.len(), |v, w| {
            let ((i, c), (j, d)) = (variables[v], variables[w]);
            let factor = match machine {
                Joint::CrammerSinger => same(c, d),
                Joint::WestonWatkins => {
                    let (y, z) = (self.class[i], self.class[j]);
                    same(y, z) - same(y, d) - same(c, z) + same(c, d)
                }
            };
            if factor == 0.0 { 0.0 } else { factor * self.row(i)[j].to_f64() }
        });
        let gradient: Vec<f64> = variables
            .iter()
            .map(|&(slot, c)| match machine {
                Joint::WestonWatkins => self.example(slot).slope(c),
                Joint::CrammerSinger => machine.margin() * same(c, self.class[slot]) - self.f[slot * k + c],
            })
            .collect();
        let alpha: Vec<f64> = variables
            .iter()
            .map(|&(slot, c)| {
                let cost = if own_too { self.cost[slot] * same(c, self.class[slot]) } else { 0.0 };
                (cost - self.tau[slot * k + c]).clamp(0.0, self.cost[slot])
            })
            .collect();
        let equations = match machine {
            Joint::CrammerSinger => {
                Equations::new(self.class.len(), variables.iter().map(|&(slot, _)| vec![(slot, 1.0)]))
            }
            Joint::WestonWatkins => {
                let count = if self.problem.offset { k - 1 } else { 0 };
                let terms = |&(slot, c): &(usize, usize)| -> Vec<(usize, f64)> {
                    let both = [(self.class[slot], 1.0), (c, -1.0)];
                    both.into_iter().filter(|&(class, _)| class < count).collect()
                };
                Equations::new(count, variables.iter().map(terms))
            }
        };
        let zero = vec![0.0; variables.len()];
        let upper: Vec<f64> = variables.iter().map(|&(slot, _)| self.cost[slot]).collect();
        let method = InteriorPoint {
            quadratic: &quadratic,
            gradient: &gradient,
            beta: &alpha,
            lower: &zero,
            upper: &upper,
            insensitivity: &zero,
            diagonal: &zero,
            equations: &equations,
            tolerance,
        };
        let Some(Improved { beta: alpha, decrease, .. }) = method.solve(&mut |_| stop()) else { return 0.0 };
        self.tau.fill(0.0);
        for (&(slot, c), alpha) in variables.iter().zip(alpha) {
            let own = self.class[slot];
            if c != own {
                self.tau[slot * k + c] = 0.0 - alpha;
            } else if alpha == 0.0 {
                // At its bound, whatever the sum of the others says.
                self.tau[slot * k + own] = self.cost[slot];
            }
        }
        for (slot, tau) in self.tau.chunks_exact_mut(k).enumerate() {
            let own = self.class[slot];
            if tau[own] == 0.0 {
                let sum = 0.0 - tau.iter().sum::<f64>();
                tau[own] = if own_too { sum.min(self.cost[slot]) } else { sum };
            }
        }
        decrease
    }
}
