//! The dual problem of every machine, solved by a general interior-point program.
//!
//! ```text
//! min  ½ βᵀ(K + diag(d))β + pᵀβ + Σ εᵢ|βᵢ|    s.t.  L ≤ β ≤ U,   Σ_{i∈g} βᵢ = s_g   (0, 1 or 2 groups g)
//! ```
//!
//! [`QpProblem::solve`] hands this to Clarabel, which knows nothing of kernels, working sets or caches, and so
//! cannot share a mistake with the solvers under test. Dense and slow: a fraction of a second for n = 300, about
//! ten seconds for n = 1000.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus, SupportedConeT, ZeroConeT,
};

/// The problem as plain slices; all have one entry per variable unless stated.
///
/// ```
/// use mercer_testkit::qp::{QpProblem, QpStatus};
/// // The machine of the two points −1 and +1 on a line, with the linear kernel.
/// let kernel = [1.0, -1.0, -1.0, 1.0];
/// let labels = [-1.0, 1.0];
/// let (lower, upper) = QpProblem::class_box(&labels, &[10.0, 10.0]);
/// let linear = labels.map(|y: f64| -y);
/// let problem = QpProblem { group_sum: &[0.0], ..QpProblem::new(&kernel, &linear, &lower, &upper) };
/// let solution = problem.solve();
/// assert_eq!(solution.status, QpStatus::Solved);
/// assert!((solution.coefficients[1] - 0.5).abs() < 1e-8);
/// assert!((solution.objective + 0.5).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct QpProblem<'a> {
    /// K: n × n, row after row, symmetric and positive semi-definite.
    pub kernel: &'a [f64],
    /// p.
    pub linear: &'a [f64],
    /// L; `-INFINITY` where there is no bound.
    pub lower: &'a [f64],
    /// U; `INFINITY` where there is no bound.
    pub upper: &'a [f64],
    /// d, added to the diagonal of K; empty for zeros.
    pub diagonal: &'a [f64],
    /// ε ≥ 0; empty for zeros.
    pub insensitivity: &'a [f64],
    /// The group of each variable, a position in `group_sum`; `None` puts all into group 0.
    pub group: Option<&'a [u8]>,
    /// s, one entry per group; empty if no sum is prescribed.
    pub group_sum: &'a [f64],
}

/// How [`QpProblem::solve`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QpStatus {
    /// Solved to full accuracy (relative gap and residuals of about 1e-11).
    Solved,
    /// Progress stopped early, relative gap and residuals below 1e-8.
    Inaccurate,
    /// No β satisfies the bounds and sums.
    Infeasible,
    /// The objective falls for ever (for example a hard margin where there is none).
    Unbounded,
    /// Anything else; the numbers mean nothing.
    Failed,
}

/// What [`QpProblem::solve`] found.
#[derive(Clone, Debug)]
pub struct QpSolution {
    /// β, moved into the box (by about 1e-12).
    pub coefficients: Vec<f64>,
    /// λ of each group: (K + diag(d))β + p = λ for free variables with ε = 0, so the offset of a machine
    /// f(x) = Σ βᵢ k(xᵢ, x) + b with p = −y is b = −λ, and LIBSVM's `rho` is λ.
    ///
    /// Any value of an interval may be right where no variable of the group is free.
    pub multipliers: Vec<f64>,
    /// The objective at `coefficients`.
    pub objective: f64,
    /// How it ended.
    pub status: QpStatus,
}

impl<'a> QpProblem<'a> {
    /// A problem without d, ε and sums; the other fields are set by struct update.
    pub fn new(kernel: &'a [f64], linear: &'a [f64], lower: &'a [f64], upper: &'a [f64]) -> Self {
        QpProblem {
            kernel,
            linear,
            lower,
            upper,
            diagonal: &[],
            insensitivity: &[],
            group: None,
            group_sum: &[],
        }
    }

    /// The box of a classifier: [0, Cᵢ] where yᵢ > 0 and [−Cᵢ, 0] elsewhere.
    pub fn class_box(labels: &[f64], cost: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let side = |positive: bool, sign: f64| {
            labels
                .iter()
                .zip(cost)
                .map(|(&y, &c)| if (y > 0.0) == positive { sign * c } else { 0.0 })
                .collect()
        };
        (side(false, -1.0), side(true, 1.0))
    }

    /// Number of variables.
    pub fn len(&self) -> usize {
        self.linear.len()
    }

    /// Whether there are no variables.
    pub fn is_empty(&self) -> bool {
        self.linear.is_empty()
    }

    /// dᵢ.
    pub fn diagonal_at(&self, i: usize) -> f64 {
        self.diagonal.get(i).copied().unwrap_or(0.0)
    }

    /// εᵢ.
    pub fn insensitivity_at(&self, i: usize) -> f64 {
        self.insensitivity.get(i).copied().unwrap_or(0.0)
    }

    /// The group of variable `i`, if any sum is prescribed.
    pub fn group_at(&self, i: usize) -> Option<usize> {
        match (self.group_sum.is_empty(), self.group) {
            (true, _) => None,
            (false, None) => Some(0),
            (false, Some(group)) => Some(usize::from(group[i])),
        }
    }

    /// Kβ, without the diagonal d.
    pub fn kernel_times(&self, beta: &[f64]) -> Vec<f64> {
        let n = self.len();
        (0..n).map(|i| self.kernel[i * n..][..n].iter().zip(beta).map(|(k, b)| k * b).sum()).collect()
    }

    /// ½ βᵀ(K + diag(d))β + pᵀβ + Σ εᵢ|βᵢ|.
    pub fn objective(&self, beta: &[f64]) -> f64 {
        let product = self.kernel_times(beta);
        (0..self.len())
            .map(|i| {
                let quadratic = 0.5 * (product[i] + self.diagonal_at(i) * beta[i]);
                beta[i] * (quadratic + self.linear[i]) + self.insensitivity_at(i) * beta[i].abs()
            })
            .sum()
    }

    /// Solves the problem with Clarabel.
    ///
    /// A term ε|β| whose sign the box does not decide becomes εt with t ≥ β and t ≥ −β. A variable with
    /// L = U becomes an equality.
    ///
    /// # Panics
    /// If lengths do not agree, K is not symmetric, some ε is negative or some L > U.
    pub fn solve(&self) -> QpSolution {
        self.check();
        let n = self.len();
        let (equalities, inequalities) = (self.equalities(), self.inequalities());
        let tubes = self.tubes();
        let variables = n + tubes.len();

        let mut linear = self.linear.to_vec();
        for i in 0..n {
            let epsilon = self.insensitivity_at(i);
            linear[i] += match self.sign(i) {
                Some(sign) => sign * epsilon,
                None => 0.0,
            };
        }
        linear.extend(tubes.iter().map(|&i| self.insensitivity_at(i)));

        let rows: Vec<&Constraint> = equalities.iter().chain(&inequalities).collect();
        let (mut row_of, mut column_of, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for (r, constraint) in rows.iter().enumerate() {
            for &(column, value) in &constraint.entries {
                row_of.push(r);
                column_of.push(column);
                values.push(value);
            }
        }
        let matrix = CscMatrix::new_from_triplets(rows.len(), variables, row_of, column_of, values);
        let right: Vec<f64> = rows.iter().map(|c| c.right).collect();
        let cones: Vec<SupportedConeT<f64>> =
            vec![ZeroConeT(equalities.len()), NonnegativeConeT(inequalities.len())];

        let mut solver =
            DefaultSolver::new(&self.quadratic(variables), &linear, &matrix, &right, &cones, settings())
                .expect("dimensions were checked");
        solver.solve();
        let status = match solver.solution.status {
            SolverStatus::Solved => QpStatus::Solved,
            SolverStatus::AlmostSolved => QpStatus::Inaccurate,
            SolverStatus::PrimalInfeasible | SolverStatus::AlmostPrimalInfeasible => QpStatus::Infeasible,
            SolverStatus::DualInfeasible | SolverStatus::AlmostDualInfeasible => QpStatus::Unbounded,
            _ => QpStatus::Failed,
        };
        let coefficients: Vec<f64> =
            (0..n).map(|i| solver.solution.x[i].max(self.lower[i]).min(self.upper[i])).collect();
        // Clarabel's Lagrangian is … + zᵀ(Aβ − b), so its z is −λ.
        let multipliers = solver.solution.z[..self.group_sum.len()].iter().map(|z| -z).collect();
        QpSolution { objective: self.objective(&coefficients), coefficients, multipliers, status }
    }

    fn check(&self) {
        let n = self.len();
        assert_eq!(self.kernel.len(), n * n, "kernel: n × n values");
        assert_eq!((self.lower.len(), self.upper.len()), (n, n), "bounds");
        assert!([0, n].contains(&self.diagonal.len()), "diagonal");
        assert!([0, n].contains(&self.insensitivity.len()), "insensitivity");
        assert!((0..n).all(|i| self.lower[i] <= self.upper[i]), "L ≤ U");
        assert!((0..n).all(|i| self.insensitivity_at(i) >= 0.0), "ε ≥ 0");
        for i in 0..n {
            for j in 0..i {
                let (a, b) = (self.kernel[i * n + j], self.kernel[j * n + i]);
                assert!((a - b).abs() <= 1e-12 * (a.abs() + b.abs()), "K[{i}, {j}] = {a}, K[{j}, {i}] = {b}");
            }
        }
        if let Some(group) = self.group {
            assert_eq!(group.len(), n, "group");
            let known = self.group_sum.len();
            assert!(known == 0 || group.iter().all(|&g| usize::from(g) < known), "a group without a sum");
        }
    }

    /// The sign that the box gives βᵢ: |βᵢ| = sign · βᵢ.
    fn sign(&self, i: usize) -> Option<f64> {
        if self.lower[i] >= 0.0 {
            Some(1.0)
        } else if self.upper[i] <= 0.0 {
            Some(-1.0)
        } else {
            None
        }
    }

    /// Variables whose |βᵢ| needs a variable t of its own, in the order of these.
    fn tubes(&self) -> Vec<usize> {
        (0..self.len()).filter(|&i| self.insensitivity_at(i) > 0.0 && self.sign(i).is_none()).collect()
    }

    /// Group sums first, then fixed variables.
    fn equalities(&self) -> Vec<Constraint> {
        let sums = self.group_sum.iter().enumerate().map(|(g, &right)| Constraint {
            entries: (0..self.len()).filter(|&i| self.group_at(i) == Some(g)).map(|i| (i, 1.0)).collect(),
            right,
        });
        let fixed = (0..self.len())
            .filter(|&i| self.lower[i] == self.upper[i])
            .map(|i| Constraint { entries: vec![(i, 1.0)], right: self.lower[i] });
        sums.chain(fixed).collect()
    }

    fn inequalities(&self) -> Vec<Constraint> {
        let n = self.len();
        let mut rows = Vec::new();
        for i in (0..n).filter(|&i| self.lower[i] < self.upper[i]) {
            if self.upper[i].is_finite() {
                rows.push(Constraint { entries: vec![(i, 1.0)], right: self.upper[i] });
            }
            if self.lower[i].is_finite() {
                rows.push(Constraint { entries: vec![(i, -1.0)], right: -self.lower[i] });
            }
        }
        for (t, i) in self.tubes().into_iter().enumerate() {
            rows.push(Constraint { entries: vec![(i, 1.0), (n + t, -1.0)], right: 0.0 });
            rows.push(Constraint { entries: vec![(i, -1.0), (n + t, -1.0)], right: 0.0 });
        }
        rows
    }

    /// The upper triangle of K + diag(d), with empty columns for the variables t.
    fn quadratic(&self, variables: usize) -> CscMatrix<f64> {
        let n = self.len();
        let (mut starts, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
        for j in 0..variables {
            for i in 0..=j.min(n - 1) {
                let value = if j < n {
                    self.kernel[i * n + j] + if i == j { self.diagonal_at(i) } else { 0.0 }
                } else {
                    0.0
                };
                if value != 0.0 {
                    rows.push(i);
                    values.push(value);
                }
            }
            starts.push(rows.len());
        }
        CscMatrix::new(variables, variables, starts, rows, values)
    }
}

/// One row of Aβ = b or Aβ ≤ b.
struct Constraint {
    entries: Vec<(usize, f64)>,
    right: f64,
}

pub(crate) fn settings() -> DefaultSettings<f64> {
    DefaultSettings {
        verbose: false,
        max_iter: 300,
        tol_gap_abs: 1e-12,
        tol_gap_rel: 1e-11,
        tol_feas: 1e-11,
        tol_ktratio: 1e-9,
        reduced_tol_gap_abs: 1e-8,
        reduced_tol_gap_rel: 1e-8,
        reduced_tol_feas: 1e-8,
        reduced_tol_infeas_abs: 1e-8,
        reduced_tol_infeas_rel: 1e-8,
        presolve_enable: false,
        ..DefaultSettings::default()
    }
}

/// The kernel matrix of variables that share items: entry (v, w) is `K[item[v], item[w]]`.
///
/// `kernel` is items × items, the result `item.len()` × `item.len()`.
pub fn repeat_items(kernel: &[f64], items: usize, item: &[usize]) -> Vec<f64> {
    assert_eq!(kernel.len(), items * items, "kernel: items × items values");
    item.iter().flat_map(|&v| item.iter().map(move |&w| kernel[v * items + w])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kkt::{check, duality_gap};

    const INF: f64 = f64::INFINITY;

    fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
        assert_eq!(found.len(), expected.len());
        for (i, (a, b)) in found.iter().zip(expected).enumerate() {
            assert!((a - b).abs() <= tolerance, "entry {i}: {a}, expected {b}");
        }
    }

    /// Solves and checks that the conditions hold too.
    fn solved(problem: &QpProblem) -> QpSolution {
        let solution = problem.solve();
        assert_eq!(solution.status, QpStatus::Solved);
        let report = check(problem, &solution.coefficients, 1e-6);
        assert!(report.gap < 1e-7, "{report:?}");
        assert!(report.box_violation == 0.0 && report.sum_violation < 1e-9, "{report:?}");
        solution
    }

    #[test]
    fn two_points_share_the_margin() {
        // α = 2/|x − z|² for both of them, cut at C.
        for (distance, cost) in [(1.0f64, 10.0), (2.0, 10.0), (1.0, 0.5)] {
            let kernel = [0.0, 0.0, 0.0, distance * distance];
            let (lower, upper) = QpProblem::class_box(&[-1.0, 1.0], &[cost, cost]);
            let problem =
                QpProblem { group_sum: &[0.0], ..QpProblem::new(&kernel, &[1.0, -1.0], &lower, &upper) };
            let alpha = (2.0 / (distance * distance)).min(cost);
            let solution = solved(&problem);
            assert_close(&solution.coefficients, &[-alpha, alpha], 1e-8);
            let objective = 0.5 * alpha * alpha * distance * distance - 2.0 * alpha;
            assert!((solution.objective - objective).abs() < 1e-9);
            if alpha < cost {
                // f(0) = b = −1 and λ = −b.
                assert_close(&solution.multipliers, &[1.0], 1e-8);
            }
        }
    }

    #[test]
    fn unconstrained_is_a_linear_system() {
        // [[2, 1], [1, 3]] β = (1, 2) has the solution (1/5, 3/5); as K = [[1, 1], [1, 2]] with d = 1.
        let (lower, upper) = ([-INF; 2], [INF; 2]);
        let problem = QpProblem {
            diagonal: &[1.0, 1.0],
            ..QpProblem::new(&[1.0, 1.0, 1.0, 2.0], &[-1.0, -2.0], &lower, &upper)
        };
        let solution = solved(&problem);
        assert_close(&solution.coefficients, &[0.2, 0.6], 1e-10);
        assert!((solution.objective + 0.7).abs() < 1e-11);
        assert!(solution.multipliers.is_empty());
    }

    #[test]
    fn separable_problems_clip_at_the_box() {
        // Without coupling each β is −p/k, cut to [L, U]; a fixed variable stays.
        let kernel = [1.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        let problem = QpProblem::new(
            &kernel,
            &[-5.0, 3.0, -0.25, -1.0],
            &[-1.0, -1.0, -INF, 0.5],
            &[1.0, INF, INF, 0.5],
        );
        assert_close(&solved(&problem).coefficients, &[1.0, -1.0, 0.25, 0.5], 1e-9);
    }

    #[test]
    fn insensitivity_is_a_soft_threshold() {
        let mut kernel = [0.0; 16];
        (0..4).for_each(|i| kernel[i * 5] = 1.0);
        let problem = QpProblem {
            insensitivity: &[0.5; 4],
            ..QpProblem::new(
                &kernel,
                &[-2.0, 0.3, 0.75, -2.0],
                &[-1.0, -1.0, -1.0, 0.0],
                &[1.0, 1.0, 1.0, INF],
            )
        };
        assert_close(&solved(&problem).coefficients, &[1.0, 0.0, -0.25, 1.5], 1e-8);
    }

    #[test]
    fn regression_through_two_points() {
        // Linear kernel, x = ±1, y = ±1, tube ε: w = 1 − ε, β = ±(1 − ε)/2, b = 0; cut when C is small.
        for (cost, epsilon) in [(10.0, 0.1), (10.0, 0.0), (0.2, 0.1), (10.0, 1.5)] {
            let kernel = [1.0, -1.0, -1.0, 1.0];
            let (lower, upper, tube) = ([-cost; 2], [cost; 2], [epsilon; 2]);
            let problem = QpProblem {
                insensitivity: &tube,
                group_sum: &[0.0],
                ..QpProblem::new(&kernel, &[1.0, -1.0], &lower, &upper)
            };
            let beta = ((1.0 - epsilon) / 2.0).max(0.0).min(cost);
            assert_close(&solved(&problem).coefficients, &[-beta, beta], 1e-7);
        }
    }

    #[test]
    fn two_groups_have_a_sum_each() {
        // min ½|β|² with β₀ + β₁ = 1 and β₂ + β₃ = −2, the last one bounded by −0.5.
        let mut kernel = [0.0; 16];
        (0..4).for_each(|i| kernel[i * 5] = 1.0);
        let problem = QpProblem {
            group: Some(&[0, 0, 1, 1]),
            group_sum: &[1.0, -2.0],
            ..QpProblem::new(&kernel, &[0.0; 4], &[-INF, -INF, -INF, -0.5], &[INF; 4])
        };
        let solution = solved(&problem);
        assert_close(&solution.coefficients, &[0.5, 0.5, -1.5, -0.5], 1e-9);
        assert_close(&solution.multipliers, &[0.5, -1.5], 1e-8);
    }

    #[test]
    fn a_hard_margin_that_does_not_exist_is_unbounded() {
        // Two equal points with opposite labels.
        let (lower, upper) = QpProblem::class_box(&[-1.0, 1.0], &[INF, INF]);
        let problem =
            QpProblem { group_sum: &[0.0], ..QpProblem::new(&[1.0; 4], &[1.0, -1.0], &lower, &upper) };
        assert_eq!(problem.solve().status, QpStatus::Unbounded);
    }

    #[test]
    fn sums_beyond_the_box_are_infeasible() {
        let problem = QpProblem {
            group_sum: &[3.0],
            ..QpProblem::new(&[1.0, 0.0, 0.0, 1.0], &[0.0; 2], &[0.0; 2], &[1.0; 2])
        };
        assert_eq!(problem.solve().status, QpStatus::Infeasible);
    }

    #[test]
    fn the_dual_bound_meets_the_objective() {
        // 40 points on a line under a Gaussian, labels in stripes, all terms present at once.
        let n = 40;
        let kernel: Vec<f64> =
            (0..n * n).map(|e| (-0.1 * ((e / n) as f64 - (e % n) as f64).powi(2)).exp()).collect();
        let labels: Vec<f64> = (0..n).map(|i| if (i / 3) % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let linear: Vec<f64> = labels.iter().map(|y| -y).collect();
        let cost: Vec<f64> = (0..n).map(|i| 1.0 + i as f64 / 10.0).collect();
        let (lower, upper) = (cost.iter().map(|c| -c).collect::<Vec<_>>(), cost);
        let (tube, diagonal) = (vec![0.05; n], vec![0.01; n]);
        let problem = QpProblem {
            insensitivity: &tube,
            diagonal: &diagonal,
            group_sum: &[0.5],
            ..QpProblem::new(&kernel, &linear, &lower, &upper)
        };
        let solution = solved(&problem);
        let gap = duality_gap(&problem, &solution.coefficients, &solution.multipliers);
        assert!((-1e-9..1e-8).contains(&gap), "{gap}");
    }

    #[test]
    fn shared_items_repeat_rows_and_columns() {
        assert_eq!(
            repeat_items(&[1.0, 2.0, 2.0, 3.0], 2, &[0, 1, 0]),
            [1.0, 2.0, 1.0, 2.0, 3.0, 2.0, 1.0, 2.0, 1.0]
        );
    }
}
