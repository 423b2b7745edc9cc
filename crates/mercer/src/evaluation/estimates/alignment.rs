//! Kernel–target alignment: how well K agrees with the matrix yyᵀ that knows the labels.

use crate::error::{Error, Result};
use crate::gram::{Block, Columns, Gram};

/// Rows of K that are looked at together.
const ROWS: usize = 64;

/// A(K, yyᵀ) = ⟨K, yyᵀ⟩ / (‖K‖ ‖yyᵀ‖) = yᵀKy / (‖K‖ ‖y‖²), with the products and norms of Frobenius.
///
/// It is the cosine of the angle between two matrices: 1 if K knows the labels and nothing else. No machine is
/// trained. It is 0 where K or y is. It depends on where the origin of the feature space is: [`centred_alignment`] does not. O(n²)
/// kernel values, O(n) memory.
///
/// ```
/// use mercer::evaluation::estimates::alignment;
/// use mercer::gram::PrecomputedGram;
/// let knows = PrecomputedGram::symmetric(vec![1.0, -1.0, -1.0, 1.0], 2)?;
/// assert!((alignment(&knows, &[1.0, -1.0])? - 1.0).abs() < 1e-15);
/// let knows_each = PrecomputedGram::symmetric(vec![1.0, 0.0, 0.0, 1.0], 2)?;
/// assert!((alignment(&knows_each, &[1.0, -1.0])? - 0.5f64.sqrt()).abs() < 1e-15);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`] for another number of targets, [`Error::Entry`] for one that is not finite.
///
/// # References
/// N. Cristianini, J. Shawe-Taylor, A. Elisseeff, J. Kandola: On kernel-target alignment. NIPS 2001.
pub fn alignment(gram: &dyn Gram, targets: &[f64]) -> Result<f64> {
    let all: Vec<usize> = (0..gram.shape().0).collect();
    alignment_of(gram, &all, targets, false)
}

/// The alignment of K and yyᵀ after both are centred: with H = I − 11ᵀ/n, ⟨HKH, Hyyᵀ H⟩ / (‖HKH‖ ‖Hy‖²).
///
/// It does not change if a constant is added to K, and does not favour the larger class; it is 0 for a single class. O(n²) kernel values, O(n) memory.
///
/// ```
/// use mercer::evaluation::estimates::{alignment, centred_alignment};
/// use mercer::gram::PrecomputedGram;
/// let far_away = PrecomputedGram::symmetric(vec![11.0, 9.0, 9.0, 11.0], 2)?;
/// assert!(alignment(&far_away, &[1.0, -1.0])? < 0.1);
/// assert!((centred_alignment(&far_away, &[1.0, -1.0])? - 1.0).abs() < 1e-12);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`alignment`].
///
/// # References
/// C. Cortes, M. Mohri, A. Rostamizadeh: Algorithms for learning kernels based on centered alignment. JMLR 13, 2012.
pub fn centred_alignment(gram: &dyn Gram, targets: &[f64]) -> Result<f64> {
    let all: Vec<usize> = (0..gram.shape().0).collect();
    alignment_of(gram, &all, targets, true)
}

/// The alignment on some of the items.
pub(super) fn alignment_of(
    gram: &dyn Gram,
    items: &[usize],
    targets: &[f64],
    is_centred: bool,
) -> Result<f64> {
    let n = items.len();
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
    let mean = if is_centred { targets.iter().sum::<f64>() / n as f64 } else { 0.0 };
    // ⟨HKH, Hy(Hy)ᵀ⟩ = (Hy)ᵀK(Hy)
    let y: Vec<f64> = targets.iter().map(|target| target - mean).collect();
    let (mut agreement, mut squares) = (0.0, 0.0);
    let mut row_sums = vec![0.0; n];
    let mut values = vec![0.0; ROWS.min(n) * n];
    for start in (0..n).step_by(ROWS) {
        let rows = &items[start..n.min(start + ROWS)];
        gram.fill(rows, Columns::List(items), Block::F64 { values: &mut values, stride: n })?;
        for (r, row) in values.chunks_exact(n).take(rows.len()).enumerate() {
            let i = start + r;
            agreement += y[i] * row.iter().zip(&y).map(|(k, y)| k * y).sum::<f64>();
            squares += row.iter().map(|k| k * k).sum::<f64>();
            row_sums[i] = row.iter().sum();
        }
    }
    if is_centred {
        // ‖HKH‖² = ‖K‖² − 2‖K1‖²/n + (1ᵀK1)²/n²
        let (count, total) = (n as f64, row_sums.iter().sum::<f64>());
        squares += (total / count).powi(2) - 2.0 * row_sums.iter().map(|sum| sum * sum).sum::<f64>() / count;
    }
    let length: f64 = y.iter().map(|y| y * y).sum();
    let size = squares.max(0.0).sqrt() * length;
    Ok(if size > 0.0 { agreement / size } else { 0.0 })
}
