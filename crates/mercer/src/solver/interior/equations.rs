//! The linear equations whose left sides an interior-point method keeps.

use crate::linalg::{Cholesky, Matrix};

/// Attempts to factorize a matrix that is singular but for rounding, with ridges ten times as large each time.
const ATTEMPTS: usize = 12;
/// Rounds in which variables share what a sum is short of.
const ROUNDS: usize = 8;

/// A: which variables take part in which equations Σ aᵢvᵢ = s, and with which coefficients.
pub(in crate::solver) struct Equations {
    count: usize,
    /// The terms of variable i are `terms[starts[i]..starts[i + 1]]`.
    starts: Vec<usize>,
    /// (equation, coefficient)
    terms: Vec<(usize, f64)>,
    /// Whether no variable is in two equations and all coefficients are 1.
    are_groups: bool,
}

impl Equations {
    /// So many equations, and the terms (equation, coefficient) of each variable.
    pub fn new<T: IntoIterator<Item = (usize, f64)>>(
        count: usize,
        variables: impl IntoIterator<Item = T>,
    ) -> Self {
        let (mut starts, mut terms) = (vec![0], Vec::new());
        let mut are_groups = true;
        for of_variable in variables {
            let before = terms.len();
            terms.extend(of_variable);
            are_groups &= matches!(terms[before..], [] | [(_, 1.0)]);
            starts.push(terms.len());
        }
        Equations { count, starts, terms, are_groups }
    }

    /// The sums of disjoint groups of variables.
    pub fn groups(count: usize, group: &[u8]) -> Self {
        let term = |&group: &u8| (usize::from(group) < count).then_some((usize::from(group), 1.0));
        Equations::new(count, group.iter().map(term))
    }

    pub fn count(&self) -> usize {
        self.count
    }

    pub fn are_groups(&self) -> bool {
        self.are_groups
    }

    /// The terms (equation, coefficient) of a variable.
    pub fn of(&self, variable: usize) -> &[(usize, f64)] {
        &self.terms[self.starts[variable]..self.starts[variable + 1]]
    }

    /// Entry i of Aᵀμ.
    pub fn pull(&self, multipliers: &[f64], variable: usize) -> f64 {
        self.of(variable).iter().map(|&(e, a)| a * multipliers[e]).sum()
    }

    /// Av for the v that a function gives, each sum in the order of the variables.
    pub fn sums(&self, v: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut sums = vec![0.0; self.count];
        for i in 0..self.starts.len() - 1 {
            for &(e, a) in self.of(i) {
                sums[e] += a * v(i);
            }
        }
        sums
    }

    /// The least change of v, each variable measured by its room, that gives the equations back the values they have at
    /// `before`, with no variable beyond its bounds; false if there is none.
    pub fn restore(&self, before: &[f64], v: &mut [f64], lower: &[f64], upper: &[f64]) -> bool {
        let n = v.len();
        for round in 0..=ROUNDS {
            let missing = self.sums(|i| before[i] - v[i]);
            let sizes = self.sums_of_sizes(v);
            if missing.iter().zip(&sizes).all(|(missing, size)| missing.abs() <= 1e-12 * size) {
                return true;
            }
            if round == ROUNDS {
                break;
            }
            let weights: Vec<f64> =
                (0..n).map(|i| (upper[i] - v[i]).min(v[i] - lower[i]).max(0.0).powi(2)).collect();
            let mut matrix = Matrix::zeros(self.count, self.count);
            for (i, weight) in weights.iter().enumerate() {
                for &(e, a) in self.of(i) {
                    self.of(i).iter().for_each(|&(other, b)| matrix[(e, other)] += weight * a * b);
                }
            }
            let mut factors = missing;
            let Some(factor) = semidefinite(&matrix) else { return false };
            if factor.solve(&mut factors).is_err() {
                return false;
            }
            for i in 0..n {
                v[i] = (v[i] + weights[i] * self.pull(&factors, i)).clamp(lower[i], upper[i]);
            }
        }
        false
    }

    /// Σ |aᵢvᵢ| of each equation.
    fn sums_of_sizes(&self, v: &[f64]) -> Vec<f64> {
        let mut sizes = vec![0.0; self.count];
        for (i, v) in v.iter().enumerate() {
            self.of(i).iter().for_each(|&(e, a)| sizes[e] += (a * v).abs());
        }
        sizes
    }
}

/// A positive semi-definite matrix, factorized with the least ridge that lets it be. Rows of zeros count as those of the
/// identity: their equations ask for nothing.
pub(super) fn semidefinite(matrix: &Matrix) -> Option<Cholesky> {
    let n = matrix.rows();
    let largest = (0..n).map(|i| matrix[(i, i)].abs()).fold(f64::MIN_POSITIVE, f64::max);
    let mut ridge = 0.0;
    for _ in 0..ATTEMPTS {
        let mut ridged = matrix.clone();
        for i in 0..n {
            match ridged[(i, i)] {
                0.0 => ridged[(i, i)] = largest,
                _ => ridged[(i, i)] += ridge,
            }
        }
        if let Ok(factor) = Cholesky::new(&ridged) {
            return Some(factor);
        }
        ridge = if ridge == 0.0 { 1e-15 * largest } else { 10.0 * ridge };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flows_are_balanced_within_their_bounds() {
        // Flows 0 → 1, 1 → 2 and 2 → 0 on top of one of 0 → 2: what enters a node leaves it.
        let flows =
            [[(0, 1.0), (1, -1.0)], [(1, 1.0), (2, -1.0)], [(2, 1.0), (0, -1.0)], [(0, 1.0), (2, -1.0)]];
        let equations = Equations::new(3, flows);
        assert!(!equations.are_groups());
        let mut v = vec![0.5, 0.9, 1.0, 0.4];
        assert!(equations.restore(&[0.0; 4], &mut v, &[0.0; 4], &[1.0; 4]));
        // The third is at its bound, where it stays: 1.0 enters node 0, and as much must leave it.
        assert_eq!(v[2], 1.0);
        assert!(equations.sums(|i| v[i]).iter().all(|sum| sum.abs() < 1e-11), "{v:?}");
        assert!(v.iter().all(|v| (0.0..=1.0).contains(v)), "{v:?}");
        // Nothing can move.
        assert!(!equations.restore(&[0.0; 4], &mut [1.0, 0.0, 0.0, 0.0], &[0.0; 4], &[1.0; 4]));
    }

    #[test]
    fn groups_are_recognized() {
        let groups = Equations::groups(2, &[0, 1, 1, 2]);
        assert!(groups.are_groups());
        assert_eq!(groups.sums(|i| (i + 1) as f64), [1.0, 5.0]);
        assert_eq!((groups.pull(&[3.0, 4.0], 2), groups.pull(&[3.0, 4.0], 3)), (4.0, 0.0));
    }
}
