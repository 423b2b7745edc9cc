//! The share of support vectors.

use super::Solved;

/// #SV/ℓ, an upper bound of the leave-one-out error.
///
/// A row that is no support vector changes nothing when it is left out, and was on the right side of the margin. (Where no
/// support vector lies strictly between the bounds of α, the offset is not determined and the bound holds for one choice of it.)
/// Its expectation bounds that of the error of a machine that is trained on ℓ − 1 rows. O(ℓ)
///
/// ```
/// use mercer::data::Labels;
/// use mercer::evaluation::estimates::{Solved, support_vectors};
/// use mercer::gram::PrecomputedGram;
/// use mercer::machine::Svc;
/// let gram = PrecomputedGram::symmetric(vec![4.0, 2.0, -2.0, 2.0, 1.0, -1.0, -2.0, -1.0, 1.0], 3)?;
/// let machine = Svc::params(()).cost(10.0).check()?;
/// let solved = Solved::new(&machine, &gram, &Labels::from_text(["no", "no", "yes"]), None)?;
/// assert_eq!(support_vectors(&solved), 2.0 / 3.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// J. Shawe-Taylor, N. Cristianini: Kernel Methods for Pattern Analysis, Remark 7.57. Vapnik 1995, Theorem 5.2.
pub fn support_vectors(solved: &Solved<'_>) -> f64 {
    (0..solved.len()).filter(|&i| solved.is_support(i)).count() as f64 / solved.len() as f64
}
