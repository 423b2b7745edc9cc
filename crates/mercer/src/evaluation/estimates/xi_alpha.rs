//! Joachims' ξα-estimate.

use super::Solved;
use crate::error::{Error, Result};

/// Which radius the ξα-estimate measures with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XiAlphaRadius {
    /// One for all rows, as Joachims has it: the largest that any support vector needs.
    Common,
    /// That of each row, which is sharper.
    OfRow,
}

/// #{i : ραᵢR² + ξᵢ ≥ 1} / ℓ with ρ = 2 for a bound, and ρ = 1 for an estimate that is less pessimistic.
///
/// R² is half the largest ‖φ(xᵢ) − φ(xⱼ)‖² over rows j (Joachims' R_Δ² ≥ k(x, x) − k(x, x′) where all k(x, x) are the
/// same); without an offset half of k(xᵢ, xᵢ). For a 2-norm machine distances are those of K + diag(1/C), in whose feature space
/// there is no slack: ξ = 0. If a support vector is an error when it is left out, then 2αᵢR² + ξᵢ ≥ 1, so that ρ = 2 gives an
/// upper bound of the leave-one-out error:
///
/// - always for a 2-norm or hard margin, and without an offset;
/// - for a 1-norm machine with offset if the machines with and without the row have support vectors strictly between the bounds
///   that can take over αᵢ.
///
/// O(mℓ) kernel values for m support vectors, O(ℓ) memory; none without an offset.
///
/// ```
/// use mercer::data::Labels;
/// use mercer::evaluation::estimates::{Solved, XiAlphaRadius, xi_alpha};
/// use mercer::gram::PrecomputedGram;
/// use mercer::machine::Svc;
/// let x = [-2.0, -1.0, 1.0, 2.0];
/// let values: Vec<f64> = x.iter().flat_map(|a| x.map(|b| a * b)).collect();
/// let gram = PrecomputedGram::symmetric(values, 4)?;
/// let machine = Svc::params(()).cost(10.0).check()?;
/// let solved = Solved::new(&machine, &gram, &Labels::from_text(["no", "no", "yes", "yes"]), None)?;
/// // α = ½ for the two inner points, which are 3 away from the outer one of the other class: ½ · 9 ≥ 1.
/// assert_eq!(xi_alpha(&solved, 2.0, XiAlphaRadius::OfRow)?, 0.5);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Parameter`] for a ρ that is not a finite number above 0, and what a kernel of the user may fail with.
///
/// # References
/// T. Joachims: Estimating the generalization performance of an SVM efficiently. ICML 2000.
pub fn xi_alpha(solved: &Solved<'_>, rho: f64, radius: XiAlphaRadius) -> Result<f64> {
    if !(rho > 0.0 && rho.is_finite()) {
        return Err(Error::Parameter { name: "rho", value: rho, expected: "a finite number above 0" });
    }
    let support: Vec<usize> = (0..solved.len()).filter(|&i| solved.is_support(i)).collect();
    let mut squared = solved
        .workers
        .map(support.len(), true, |s| Ok(0.5 * solved.squared_reach(support[s])?))
        .into_iter()
        .collect::<Result<Vec<f64>>>()?;
    if radius == XiAlphaRadius::Common {
        let largest = squared.iter().copied().fold(0.0, f64::max);
        squared.fill(largest);
    }
    let is_error =
        |&(&i, radius): &(&usize, &f64)| rho * solved.alpha(i) * radius + solved.slack_at(i) >= 1.0;
    Ok(support.iter().zip(&squared).filter(is_error).count() as f64 / solved.len() as f64)
}
