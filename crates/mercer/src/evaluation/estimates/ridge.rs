//! Leave-one-out predictions of ridge regression, in closed form.

use super::bordered::Bordered;
use super::check_budget;
use crate::error::{Error, Result};
use crate::gram::{Block, Columns, SymmetricGram};
use crate::linalg::Matrix;

/// For each item what kernel ridge regression predicts for it if it is trained on all the others.
///
/// The machine is f(x) = Σ αⱼ k(xⱼ, x) + b with
///
/// ```text
/// (K + λI)α + b1 = y,   1ᵀα = 0        with an offset (the least-squares support vector machine, λ = 1/C)
/// (K + λI)α = y,        b = 0          without
/// ```
///
/// With the matrix H of that system the prediction for item i without it is yᵢ − αᵢ / (H⁻¹)ᵢᵢ. It is exact: no coefficient has a
/// bound that it could reach. For labels ±1 its sign is the decision of the least-squares classifier. O(n³) time and 32n² bytes.
///
/// ```
/// use mercer::evaluation::estimates::leave_one_out_ridge;
/// use mercer::gram::PrecomputedGram;
/// // Three points 0, 1 and 2 on the line, with the linear kernel: K = xxᵀ.
/// let gram = PrecomputedGram::symmetric(vec![0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 2.0, 4.0], 3)?;
/// let predictions = leave_one_out_ridge(&gram, &[0.0, 1.0, 2.0], 1.0, false, 1 << 20)?;
/// // Without the last point w = 1/(1 + λ).
/// assert!((predictions[2] - 2.0 * 0.5).abs() < 1e-12);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`] for targets of another number, or a single item where there is an offset; [`Error::Entry`] for one
/// that is not finite; [`Error::Parameter`] for a λ that is not a finite number above 0; [`Error::Budget`] if `memory` bytes are
/// not enough; [`Error::Pivot`] for a K that is not positive semi-definite.
///
/// # References
/// G. C. Cawley, N. L. C. Talbot: Fast exact leave-one-out cross-validation of sparse least-squares support vector machines.
/// Neural Networks 17, 2004.
pub fn leave_one_out_ridge(
    gram: &dyn SymmetricGram,
    targets: &[f64],
    lambda: f64,
    offset: bool,
    memory: u64,
) -> Result<Vec<f64>> {
    let n = gram.shape().0;
    if n == 0 {
        return Err(Error::Empty { what: "rows" });
    }
    if targets.len() != n {
        return Err(Error::Shape { what: "targets (one per row)", expected: n, found: targets.len() });
    }
    if let Some(index) = targets.iter().position(|y| !y.is_finite()) {
        let (what, expected) = ("target", "a finite number");
        return Err(Error::Entry { what, index, value: targets[index], expected });
    }
    if !(lambda > 0.0 && lambda.is_finite()) {
        let expected = "a finite number above 0";
        return Err(Error::Parameter { name: "lambda", value: lambda, expected });
    }
    if offset && n < 2 {
        let what = "rows (two at least, to leave one out)";
        return Err(Error::Shape { what, expected: 2, found: n });
    }
    let own = 8 * (n as u64).saturating_mul(n as u64);
    check_budget("leave-one-out of a ridge regression", own.saturating_add(Bordered::bytes(n)), memory)?;
    let mut matrix = Matrix::zeros(n, n);
    let all: Vec<usize> = (0..n).collect();
    gram.fill(&all, Columns::Range(0..n), Block::F64 { values: matrix.values_mut(), stride: n })?;
    (0..n).for_each(|i| matrix[(i, i)] += lambda);
    let inverse = Bordered::new(&matrix, offset)?;
    let (alpha, _) = inverse.times(targets, 0.0);
    Ok((0..n).map(|i| targets[i] - alpha[i] / inverse.at(i, i)).collect())
}
