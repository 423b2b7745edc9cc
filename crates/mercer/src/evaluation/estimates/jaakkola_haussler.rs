//! The estimate of Jaakkola and Haussler.

use super::Solved;

/// #{i : yᵢ (f(xᵢ) − βᵢ k(xᵢ, xᵢ)) ≤ 0} / ℓ over the support vectors: rows that are errors once their own term is taken from f.
///
/// In a machine without offset, of either norm, yᵢ f⁻ⁱ(xᵢ) ≥ yᵢ f(xᵢ) − αᵢ k(xᵢ, xᵢ) for the machine f⁻ⁱ without row i: the
/// estimate is an upper bound of the leave-one-out error. With an offset it is none, and usually close. O(ℓ), and
/// no kernel values but k(x, x).
///
/// ```
/// use mercer::data::Labels;
/// use mercer::evaluation::estimates::{Solved, jaakkola_haussler};
/// use mercer::gram::PrecomputedGram;
/// use mercer::machine::Svc;
/// let gram = PrecomputedGram::symmetric(vec![1.0, -1.0, -1.0, 1.0], 2)?;
/// let machine = Svc::params(()).cost(10.0).offset(false).check()?;
/// let solved = Solved::new(&machine, &gram, &Labels::from_text(["no", "yes"]), None)?;
/// // f(x) = x with α = ½ each: either point is right by the other alone.
/// assert_eq!(jaakkola_haussler(&solved), 0.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// T. Jaakkola, D. Haussler: Probabilistic kernel regression models. AI and Statistics 1999.
pub fn jaakkola_haussler(solved: &Solved<'_>) -> f64 {
    let is_error =
        |i: &usize| solved.is_support(*i) && solved.margin(*i) <= solved.alpha(*i) * solved.own_value(*i);
    (0..solved.len()).filter(is_error).count() as f64 / solved.len() as f64
}
