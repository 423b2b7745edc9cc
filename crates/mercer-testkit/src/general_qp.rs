//! Any convex quadratic programme with bounds and equalities, solved by a general interior-point program.
//!
//! ```text
//! min  ½ xᵀQx + pᵀx    s.t.  L ≤ x ≤ U,   Ax = b
//! ```

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus, ZeroConeT};

use crate::qp::settings;

/// A linear equation `Σ coefficient · x_variable = right`.
#[derive(Clone, Debug)]
pub struct Equation {
    /// (variable, coefficient)
    pub terms: Vec<(usize, f64)>,
    /// What they sum to.
    pub right: f64,
}

/// The minimum of ½ xᵀQx + pᵀx over `lower ≤ x ≤ upper` and the equations, and where it is.
///
/// `quadratic` lists the entries (row, column, value) of Q's upper triangle.
///
/// ```
/// use mercer_testkit::general_qp::{Equation, minimise};
/// // The point of the line x + 2y = 5 nearest to the origin.
/// let line = Equation { terms: vec![(0, 1.0), (1, 2.0)], right: 5.0 };
/// let (value, x) = minimise(&[(0, 0, 1.0), (1, 1, 1.0)], &[0.0; 2], (&[-9.0; 2], &[9.0; 2]), &[line]);
/// assert!((value - 2.5).abs() < 1e-8 && (x[1] - 2.0).abs() < 1e-8);
/// ```
///
/// # Panics
/// If it cannot be solved to full accuracy.
pub fn minimise(
    quadratic: &[(usize, usize, f64)],
    linear: &[f64],
    (lower, upper): (&[f64], &[f64]),
    equations: &[Equation],
) -> (f64, Vec<f64>) {
    let n = linear.len();
    let (mut rows, mut columns, mut values, mut right) = (vec![], vec![], vec![], vec![]);
    let mut add = |terms: &[(usize, f64)], bound: f64| {
        for &(variable, coefficient) in terms {
            rows.push(right.len());
            columns.push(variable);
            values.push(coefficient);
        }
        right.push(bound);
    };
    equations.iter().for_each(|equation| add(&equation.terms, equation.right));
    let mut inequalities = 0;
    for i in 0..n {
        for (sign, bound) in [(1.0, upper[i]), (-1.0, lower[i])] {
            if bound.is_finite() {
                add(&[(i, sign)], sign * bound);
                inequalities += 1;
            }
        }
    }
    let matrix = CscMatrix::new_from_triplets(right.len(), n, rows, columns, values);
    let of = |part: fn(&(usize, usize, f64)) -> usize| quadratic.iter().map(part).collect::<Vec<_>>();
    let entries = quadratic.iter().map(|entry| entry.2).collect();
    let q = CscMatrix::new_from_triplets(n, n, of(|entry| entry.0), of(|entry| entry.1), entries);
    let cones = [ZeroConeT(equations.len()), NonnegativeConeT(inequalities)];
    let mut solver =
        DefaultSolver::new(&q, linear, &matrix, &right, &cones, settings()).expect("dimensions agree");
    solver.solve();
    let status = solver.solution.status;
    assert!(matches!(status, SolverStatus::Solved | SolverStatus::AlmostSolved), "{status:?}");
    (solver.solution.obj_val, solver.solution.x.clone())
}
