//! All values of a Gram matrix at once.

use crate::error::Result;
use crate::gram::{Block, Columns, Held, SymmetricGram};
use crate::linalg::Matrix;
use crate::resources::Interrupt;

/// Rows of K that are computed at a time.
const STRIP: usize = 256;

/// All of K, in double precision. The upper triangle is computed, the lower one is its mirror image.
///
/// K[i, j] for all items i and j of one collection: n(n + 1)/2 values and a little, n² numbers of memory. Whoever can do with blocks
/// asks for [`fill`](crate::gram::Gram::fill) or [`accumulate`](crate::gram::Gram::accumulate) instead.
///
/// ```
/// use mercer::gram::{BulkKernel, Plan, CollectionKernel, whole};
/// use mercer::data::Collection;
/// let words = Collection::Strings(["banana", "ananas"].map(String::from).to_vec());
/// let kernel: CollectionKernel = "spectrum(k=2)".parse()?;
/// let plan = Plan::new()?;
/// let layout = kernel.layout(&words, &plan)?;
/// let matrix = whole(&*kernel.symmetric(&words, &layout, &plan)?)?;
/// assert_eq!(matrix.values(), [9.0, 8.0, 8.0, 9.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`fill`](crate::gram::Gram::fill).
pub fn whole(gram: &dyn SymmetricGram) -> Result<Matrix> {
    let mut matrix = upper(gram)?;
    if gram.held().is_none() {
        matrix.mirror_upper()?;
    }
    Ok(matrix)
}

/// The same on and above the diagonal; what is below it means nothing.
pub(crate) fn upper(gram: &dyn SymmetricGram) -> Result<Matrix> {
    let n = gram.shape().0;
    if let Some(Held::F64(values)) = gram.held() {
        let mut copy = Vec::with_capacity(n * n);
        for strip in values[..n * n].chunks(n.max(1) * STRIP) {
            Interrupt::checkpoint()?;
            copy.extend_from_slice(strip);
        }
        return Matrix::new(copy, n, n);
    }
    let mut matrix = Matrix::zeros(n, n);
    for first in (0..n).step_by(STRIP) {
        let rows: Vec<usize> = (first..n.min(first + STRIP)).collect();
        let values = &mut matrix.values_mut()[first * n + first..];
        gram.fill(&rows, Columns::Range(first..n), Block::F64 { values, stride: n })?;
    }
    Ok(matrix)
}
