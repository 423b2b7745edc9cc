//! The span rule of Chapelle and Vapnik, and the rule of Opper and Winther.

use super::Solved;
use super::left_out::LeftOut;
use super::solved::Free;
use crate::error::Result;

/// S² of every row: by how much αᵢ times it the margin yᵢ f(xᵢ) shrinks when row i is left out and the others keep their kind
/// (no support vector, on the margin, at the bound).
///
/// With F the support vectors on the margin (0 < α < C), H their matrix K + diag(d), bordered by ones where there is an
/// offset, and d = 1/C for a 2-norm machine, else 0:
///
/// ```text
/// i ∈ F:              S² = 1/(H⁻¹)ᵢᵢ − dᵢ
/// αᵢ at its bound:    S² = k(xᵢ, xᵢ) − vᵀH⁻¹v,   v = (k(xⱼ, xᵢ) for j ∈ F; 1)
/// ```
///
/// Without diagonal, S is the distance of φ(xᵢ) from the affine hull of the others of F (from their linear hull, if there is no
/// offset). It is 0 for rows that are no support vectors, and ∞ where no other row on the margin can take over αᵢ. If K is singular
/// on F, as little as makes it invertible is added to its diagonal: 1e-10 of its largest value at most. O(m³ + sm²) for m rows in F
/// and s at the bound, 24m² bytes.
///
/// ```
/// use mercer::data::Labels;
/// use mercer::evaluation::estimates::{Solved, squared_spans};
/// use mercer::gram::PrecomputedGram;
/// use mercer::machine::Svc;
/// let gram = PrecomputedGram::symmetric(vec![2.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 5.0], 3)?;
/// let machine = Svc::params(()).cost(10.0).offset(false).check()?;
/// let solved = Solved::new(&machine, &gram, &Labels::from_text(["no", "no", "yes"]), None)?;
/// // The features are orthogonal: each is as far from the others' span as from the origin.
/// let spans = squared_spans(&solved)?;
/// assert!(spans.iter().zip([2.0, 3.0, 5.0]).all(|(s, k)| (s - k).abs() < 1e-9));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Budget`](crate::Error::Budget), and [`Error::Pivot`](crate::Error::Pivot) where K is not positive semi-definite.
pub fn squared_spans(solved: &Solved<'_>) -> Result<Vec<f64>> {
    spans(solved, solved.has_offset())
}

fn spans(solved: &Solved<'_>, has_border: bool) -> Result<Vec<f64>> {
    let Solved { gram, problem, solution, settings, .. } = solved;
    let free = Free::new(*gram, problem, &solution.coefficients, has_border, settings.memory)?;
    let span = |i: usize| -> Result<f64> {
        if !solved.is_support(i) {
            return Ok(0.0);
        }
        let own = solved.own_value(i);
        let Some(free) = &free else { return Ok(if has_border { f64::INFINITY } else { own }) };
        match free.variables.binary_search(&i) {
            Ok(slot) => {
                let diagonal = problem.diagonal(i);
                Ok(free.own(slot, own + diagonal).map_or(f64::INFINITY, |entry| 1.0 / entry - diagonal))
            }
            Err(_) => {
                let v = free.values(*gram, problem, i)?;
                let (solved, border) = free.inverse.times(&v, 1.0);
                Ok(own - border - v.iter().zip(&solved).map(|(a, b)| a * b).sum::<f64>())
            }
        }
    };
    solved.workers.map(solved.len(), true, span).into_iter().collect()
}

/// The span rule: #{i : αᵢ Sᵢ² ≥ yᵢ f(xᵢ)} / ℓ over the support vectors, with the S² of [`squared_spans`].
///
/// It is the leave-one-out error wherever leaving a row out makes no other row come to a bound of α or leave one. A row
/// whose span is ∞ (where no other lies on the margin) is left out by training again.
///
/// ```
/// use mercer::data::Labels;
/// use mercer::evaluation::estimates::{Solved, leave_one_out, span_rule};
/// use mercer::gram::PrecomputedGram;
/// use mercer::machine::Svc;
/// let x = [-2.0, -1.0, 1.0, 2.0];
/// let values: Vec<f64> = x.iter().flat_map(|a| x.map(|b| a * b)).collect();
/// let gram = PrecomputedGram::symmetric(values, 4)?;
/// let machine = Svc::params(()).cost(10.0).check()?;
/// let solved = Solved::new(&machine, &gram, &Labels::from_text(["no", "no", "yes", "yes"]), None)?;
/// // The inner points have α = ½ and are 2 apart: ½ · 2² ≥ 1. In truth the outer points, which are no support vectors yet, take
/// // over.
/// assert_eq!((span_rule(&solved)?, leave_one_out(&solved)?.error()), (0.5, 0.0));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`squared_spans`].
///
/// # References
/// V. Vapnik, O. Chapelle: Bounds on error expectation for support vector machines. Neural Computation 12, 2000.
/// O. Chapelle, V. Vapnik, O. Bousquet, S. Mukherjee: Choosing multiple parameters for support vector machines. Machine
/// Learning 46, 2002.
pub fn span_rule(solved: &Solved<'_>) -> Result<f64> {
    let spans = squared_spans(solved)?;
    let left_out = match spans.iter().any(|span| span.is_infinite()) {
        true => Some(LeftOut::new(solved.gram, &solved.problem, &solved.solution, &solved.settings)?),
        false => None,
    };
    let margin = |i: usize| match &left_out {
        Some(left_out) if spans[i].is_infinite() => Ok(solved.sign(i) * left_out.value(i)?.value),
        _ => Ok(solved.margin(i) - solved.alpha(i) * spans[i]),
    };
    let margins: Result<Vec<f64>> = solved.workers.map(solved.len(), true, margin).into_iter().collect();
    let is_error = |&(i, margin): &(usize, f64)| solved.is_support(i) && margin <= 0.0;
    Ok(margins?.into_iter().enumerate().filter(is_error).count() as f64 / solved.len() as f64)
}

/// The rule of Opper and Winther: the span rule with the linear hull in place of the affine one, as if there were no offset.
///
/// For the hard margin it is #{i : αᵢ / (K⁻¹)ᵢᵢ ≥ 1} / ℓ with K of the support vectors. Of a machine without offset it is
/// [`span_rule`].
///
/// ```
/// use mercer::data::Labels;
/// use mercer::evaluation::estimates::{Solved, opper_winther};
/// use mercer::gram::PrecomputedGram;
/// use mercer::machine::Svc;
/// let gram = PrecomputedGram::symmetric(vec![1.0, -1.0, -1.0, 1.0], 2)?;
/// let machine = Svc::params(()).cost(10.0).check()?;
/// let solved = Solved::new(&machine, &gram, &Labels::from_text(["no", "yes"]), None)?;
/// assert_eq!(opper_winther(&solved)?, 0.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`squared_spans`].
///
/// # References
/// M. Opper, O. Winther: Gaussian processes and SVM: mean field and leave-one-out. Advances in Large Margin Classifiers, 2000.
pub fn opper_winther(solved: &Solved<'_>) -> Result<f64> {
    let spans = spans(solved, false)?;
    let is_error = |&i: &usize| solved.is_support(i) && solved.margin(i) <= solved.alpha(i) * spans[i];
    Ok((0..solved.len()).filter(is_error).count() as f64 / solved.len() as f64)
}
