//! Elements in common.

use std::hash::Hash;

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::kernel::{FeatureMap, kernel_by_features};

/// The number of elements that two multisets have in common.
///
/// k(A, B) = Σ_e min(n_e(A), n_e(B)), where n_e(A) is how many times e is in A. Of sets without repetition that is |A ∩ B|.
/// Its features are "e is in A r times at least", for r = 1, 2, …, so it is positive semi-definite. The empty set has length 0.
///
/// An item is a slice in any order. O(n log n) per item of n elements, then the inner product of sparse rows.
///
/// ```
/// use mercer::kernel::{Kernel, set::MultisetIntersection};
/// let (x, z) = (["milk", "bread", "milk"], ["milk", "milk", "milk", "salt"]);
/// assert_eq!(MultisetIntersection.eval(&x[..], &z[..]), 2.0);
/// ```
///
/// # References
/// F. Odone, A. Barla & A. Verri, *Building kernels from binary strings for image matching*, IEEE Transactions on Image
/// Processing 14, 2005.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MultisetIntersection;

impl<T: Clone + Hash + Ord + Send + Sync> FeatureMap<[T]> for MultisetIntersection {
    /// An element, and which of its copies.
    type Feature = (T, usize);

    fn features(&self, elements: &[T]) -> Result<Vec<(Self::Feature, f64)>> {
        let mut sorted: Vec<&T> = elements.iter().collect();
        sorted.sort_unstable();
        let copies = sorted.chunk_by(|a, b| a == b);
        Ok(copies
            .flat_map(|same| same.iter().enumerate().map(|(copy, &element)| ((element.clone(), copy), 1.0)))
            .collect())
    }
}

kernel_by_features!([T: Clone + Hash + Ord + Send + Sync] MultisetIntersection, [T]);
