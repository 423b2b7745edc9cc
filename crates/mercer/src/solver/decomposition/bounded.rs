//! Refusing a problem without a least value.

use crate::error::{Error, Result};
use crate::gram::SymmetricGram;
use crate::solver::variables::Variables;

/// Last digits by which βᵀKβ may be wrong, beside (Σ|β|)² times the largest value of K.
const ROUNDING: f64 = 64.0;

/// Refuses a problem that β proves to have no least value: every multiple of β is feasible, and βᵀQβ is negative by more than rounding,
/// so that the objective falls for ever along β. Only of an indefinite matrix can it be. O(n)
///
/// `digit` is the relative error of values of K.
pub(super) fn check_bounded(variables: &Variables<'_>, gram: &dyn SymmetricGram, digit: f64) -> Result<()> {
    let Variables { problem, beta, f } = variables;
    let is_homogeneous = (0..problem.groups.count()).all(|g| problem.groups.sum(g) == 0.0);
    let can_grow = |i: usize| match beta[i] {
        b if b > 0.0 => problem.upper[i] == f64::INFINITY && problem.lower[i] <= 0.0,
        b if b < 0.0 => problem.lower[i] == f64::NEG_INFINITY && problem.upper[i] >= 0.0,
        _ => true,
    };
    if !(is_homogeneous && (0..problem.len()).all(can_grow)) {
        return Ok(());
    }
    // In units of the largest coefficient, as those that grow for ever are large already.
    let unit = beta.iter().fold(f64::MIN_POSITIVE, |most, b| most.max(b.abs()));
    let (mut curvature, mut size, mut sum, mut largest) = (0.0, 0.0, 0.0, 0.0f64);
    for (i, b) in beta.iter().map(|b| b / unit).enumerate() {
        curvature += b * ((f[i] - problem.linear[i]) / unit);
        size += b * b;
        sum += b.abs();
        largest = largest.max(gram.diagonal()[problem.item(i)].abs() + problem.diagonal(i));
    }
    let rounding = ROUNDING * digit.max(f64::EPSILON) * sum * sum * largest;
    match curvature {
        c if c.is_nan() => Err(Error::Unbounded { curvature: f64::NEG_INFINITY }),
        c if c < -rounding => Err(Error::Unbounded { curvature: c / size }),
        _ => Ok(()),
    }
}
