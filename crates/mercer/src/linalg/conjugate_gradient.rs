//! Linear systems with a positive definite matrix that is known by its products alone.
//!
//! (M. R. Hestenes, E. Stiefel: Methods of conjugate gradients for solving linear systems, J. Res. NBS 49 (1952); with a
//! preconditioner P ≈ A: Y. Saad: Iterative methods for sparse linear systems, algorithm 9.1.)

use crate::error::{Error, Result};
use crate::linalg::Matrix;

/// When [`ConjugateGradient`] is done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConjugateSettings {
    /// Largest ‖b − Ax‖/‖b‖ that counts as solved; default 1e-8.
    pub tolerance: f64,
    /// Most products with A; default 1000.
    pub max_iterations: usize,
}

impl Default for ConjugateSettings {
    fn default() -> Self {
        ConjugateSettings { tolerance: 1e-8, max_iterations: 1000 }
    }
}

/// Solutions of Ax = b for several b, by preconditioned conjugate gradients; every product with A serves all of them.
///
/// In exact arithmetic it ends after as many steps as P⁻¹A has different eigenvalues. A step costs a product of A with the
/// vectors that are not solved yet.
///
/// ```
/// use mercer::linalg::{ConjugateGradient, ConjugateSettings, Matrix};
/// use mercer::resources::Workers;
/// let matrix = Matrix::new(vec![4.0, 2.0, 2.0, 5.0], 2, 2)?;
/// let right = Matrix::new(vec![8.0, 12.0], 1, 2)?;
/// let multiply = |block: &Matrix| block.times(&matrix, &Workers::serial());
/// // The preconditioner replaces r by something like A⁻¹r: here, r divided by the diagonal.
/// let precondition = |r: &mut [f64]| r.iter_mut().zip([4.0, 5.0]).for_each(|(r, d)| *r /= d);
/// let solved = ConjugateGradient::new(&right, &multiply, &precondition, &ConjugateSettings::default())?;
/// assert!((solved.solutions()[(0, 0)] - 1.0).abs() < 1e-8 && (solved.solutions()[(0, 1)] - 2.0).abs() < 1e-8);
/// assert!(solved.is_converged() && solved.iterations() <= 3);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ConjugateGradient {
    solutions: Matrix,
    residuals: Vec<f64>,
    iterations: usize,
    converged: bool,
}

impl ConjugateGradient {
    /// Solves for every row of `right`. `multiply` gives A times each row of what it is given, and `precondition` replaces a vector
    /// by P⁻¹ times it. Reaching the limit of iterations is no error; see [`is_converged`](Self::is_converged).
    ///
    /// # Errors
    /// [`Error::Pivot`] if A turns out not to be positive definite, [`Error::NonFinite`], and those of `multiply`.
    pub fn new(
        right: &Matrix,
        multiply: &dyn Fn(&Matrix) -> Result<Matrix>,
        precondition: &dyn Fn(&mut [f64]),
        settings: &ConjugateSettings,
    ) -> Result<Self> {
        let (m, n) = (right.rows(), right.columns());
        if let Some(at) = right.values().iter().position(|v| !v.is_finite()) {
            return Err(Error::NonFinite { row: at / n, column: at % n, value: right.values()[at] });
        }
        let mut systems: Vec<System> = (0..m).map(|i| System::new(right.row(i), precondition)).collect();
        let mut iterations = 0;
        loop {
            let is_open = |s: &System| norm(&s.residual) > settings.tolerance * s.size;
            let mut open: Vec<&mut System> = systems.iter_mut().filter(|s| is_open(s)).collect();
            if open.is_empty() || iterations >= settings.max_iterations {
                break;
            }
            let directions = open.iter().flat_map(|s| s.direction.iter().copied()).collect();
            let images = multiply(&Matrix::new(directions, open.len(), n)?)?;
            for (i, system) in open.iter_mut().enumerate() {
                system.step(images.row(i), precondition, iterations)?;
            }
            iterations += 1;
        }
        let residuals: Vec<f64> =
            systems.iter().map(|s| if s.size == 0.0 { 0.0 } else { norm(&s.residual) / s.size }).collect();
        let converged = residuals.iter().all(|r| *r <= settings.tolerance);
        let solutions = systems.into_iter().flat_map(|s| s.solution).collect();
        Ok(ConjugateGradient { solutions: Matrix::new(solutions, m, n)?, residuals, iterations, converged })
    }

    /// x of each right-hand side, one per row.
    pub fn solutions(&self) -> &Matrix {
        &self.solutions
    }

    /// ‖b − Ax‖/‖b‖ of each, as the recurrence has it.
    pub fn residuals(&self) -> &[f64] {
        &self.residuals
    }

    /// Products with A that were taken.
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    /// Whether all are solved to the tolerance.
    pub fn is_converged(&self) -> bool {
        self.converged
    }
}

/// One right-hand side on its way.
struct System {
    /// ‖b‖
    size: f64,
    solution: Vec<f64>,
    residual: Vec<f64>,
    direction: Vec<f64>,
    /// rᵀP⁻¹r
    energy: f64,
}

impl System {
    fn new(right: &[f64], precondition: &dyn Fn(&mut [f64])) -> Self {
        let mut direction = right.to_vec();
        precondition(&mut direction);
        System {
            size: norm(right),
            solution: vec![0.0; right.len()],
            residual: right.to_vec(),
            energy: dot(right, &direction),
            direction,
        }
    }

    fn step(&mut self, image: &[f64], precondition: &dyn Fn(&mut [f64]), index: usize) -> Result<()> {
        let curvature = dot(&self.direction, image);
        // Written so that NaN is refused too.
        if !(curvature > 0.0 && curvature.is_finite()) {
            return Err(Error::Pivot { index });
        }
        let step = self.energy / curvature;
        self.solution.iter_mut().zip(&self.direction).for_each(|(x, p)| *x += step * p);
        self.residual.iter_mut().zip(image).for_each(|(r, q)| *r -= step * q);
        let mut next = self.residual.clone();
        precondition(&mut next);
        let energy = dot(&self.residual, &next);
        let turn = energy / self.energy;
        self.energy = energy;
        self.direction.iter_mut().zip(&next).for_each(|(p, z)| *p = z + turn * *p);
        Ok(())
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}
