//! Kernels on structured items: each item is looked at once, before any two are compared.
//!
//! Two kinds. A [`FeatureMap`] names the features of an item, and the kernel is the inner product of their values: Gram
//! matrices are then those of sparse rows. A [`DigestKernel`] has no such list, but compares what it has prepared.

use std::hash::Hash;

use crate::error::Result;
use crate::kernel::Definiteness;

/// A kernel that is an inner product of features which can be listed: k(x, z) = Σ φ_f(x) φ_f(z).
///
/// Substrings of a string, words of a text, refined labels of a graph. O(features of both items) per pair.
///
/// ```
/// use mercer::Result;
/// use mercer::kernel::{FeatureMap, inner_product};
/// #[derive(Clone)]
/// struct Letters;
/// impl FeatureMap<str> for Letters {
///     type Feature = char;
///     fn features(&self, item: &str) -> Result<Vec<(char, f64)>> {
///         Ok(item.chars().map(|letter| (letter, 1.0)).collect())
///     }
/// }
/// // Two e's and one e, one n and one n.
/// assert_eq!(inner_product(Letters.features("ceven")?, Letters.features("then")?), 3.0);
/// # Ok::<(), mercer::Error>(())
/// ```
pub trait FeatureMap<X: ?Sized>: Clone + Send + Sync {
    /// The name of a feature. Two features that differ have names that differ.
    type Feature: Clone + Eq + Hash + Ord + Send + Sync;

    /// The features of an item and their values, in any order; those of a feature that is named more than once add up.
    ///
    /// # Errors
    /// An item that the kernel is not defined on.
    fn features(&self, item: &X) -> Result<Vec<(Self::Feature, f64)>>;

    /// The same kernel with what the training items decide (weights of words, the parameters of a model) filled in. An item
    /// of weight w counts as w items.
    ///
    /// # Errors
    /// Items that it cannot be learned from.
    fn learn(&self, _items: &[&X], _weights: Option<&[f64]>) -> Result<Self> {
        Ok(self.clone())
    }
}

/// A kernel that prepares each item once, and compares what it has prepared.
///
/// ```
/// use mercer::Result;
/// use mercer::kernel::DigestKernel;
/// #[derive(Clone)]
/// struct CommonLetters;
/// impl DigestKernel<str> for CommonLetters {
///     type Digest = std::collections::BTreeSet<char>;
///     fn digest(&self, item: &str) -> Result<Self::Digest> {
///         Ok(item.chars().collect())
///     }
///     fn compare(&self, x: &Self::Digest, z: &Self::Digest) -> f64 {
///         x.intersection(z).count() as f64
///     }
/// }
/// let (x, z) = (CommonLetters.digest("kernel")?, CommonLetters.digest("margin")?);
/// assert_eq!(CommonLetters.compare(&x, &z), 2.0);
/// # Ok::<(), mercer::Error>(())
/// ```
pub trait DigestKernel<X: ?Sized>: Clone + Send + Sync {
    /// What is kept of an item.
    type Digest: Send + Sync;

    /// Prepares an item.
    ///
    /// # Errors
    /// An item that the kernel is not defined on.
    fn digest(&self, item: &X) -> Result<Self::Digest>;

    /// k(x, z) of prepared items.
    fn compare(&self, x: &Self::Digest, z: &Self::Digest) -> f64;

    /// k(x, x) of a prepared item.
    fn compare_self(&self, x: &Self::Digest) -> f64 {
        self.compare(x, x)
    }

    /// ln k(x, z) of prepared items, for kernels whose values may be beyond what a number can hold: at unit length, see
    /// [`Normalised`](crate::kernel::Normalised), they are not.
    fn log_compare(&self, x: &Self::Digest, z: &Self::Digest) -> f64 {
        self.compare(x, z).ln()
    }

    /// What to do about a value that is beyond what a number can hold, if there is something.
    fn beyond(&self) -> Option<&'static str> {
        None
    }

    /// The same kernel with what the training items decide filled in, see [`FeatureMap::learn`].
    ///
    /// # Errors
    /// Items that it cannot be learned from.
    fn learn(&self, _items: &[&X], _weights: Option<&[f64]>) -> Result<Self> {
        Ok(self.clone())
    }

    /// Whether every Gram matrix is positive semi-definite by construction.
    fn definiteness(&self) -> Definiteness {
        Definiteness::Guaranteed
    }
}

/// Σ φ_f φ'_f of two lists of features, see [`FeatureMap::features`].
///
/// O((p + q) log (p + q)) for lists of p and q.
///
/// ```
/// use mercer::kernel::inner_product;
/// assert_eq!(inner_product(vec![('a', 2.0), ('b', 1.0), ('a', 1.0)], vec![('a', 0.5)]), 1.5);
/// ```
pub fn inner_product<F: Ord>(x: Vec<(F, f64)>, z: Vec<(F, f64)>) -> f64 {
    gathered_product(&gathered(x), &gathered(z))
}

/// The same of lists that are [`gathered`].
pub(crate) fn gathered_product<F: Ord>(x: &[(F, f64)], z: &[(F, f64)]) -> f64 {
    let mut sum = 0.0;
    let mut rest = z.iter().peekable();
    for (feature, value) in x {
        while rest.next_if(|(other, _)| other < feature).is_some() {}
        if let Some((_, other)) = rest.next_if(|(other, _)| other == feature) {
            sum += value * other;
        }
    }
    sum
}

/// Features in ascending order, each of them once.
pub fn gathered<F: Ord>(mut features: Vec<(F, f64)>) -> Vec<(F, f64)> {
    features.sort_by(|a, b| a.0.cmp(&b.0));
    features.dedup_by(|later, first| {
        let same = later.0 == first.0;
        if same {
            first.1 += later.1;
        }
        same
    });
    features
}

/// k(x, z) of a kernel by its features.
///
/// # Errors
/// As [`FeatureMap::features`].
pub fn eval_features<X: ?Sized, K: FeatureMap<X>>(kernel: &K, x: &X, z: &X) -> Result<f64> {
    Ok(inner_product(kernel.features(x)?, kernel.features(z)?))
}

/// k(x, z) of a kernel by its digests.
///
/// # Errors
/// As [`DigestKernel::digest`].
pub fn eval_digests<X: ?Sized, K: DigestKernel<X>>(kernel: &K, x: &X, z: &X) -> Result<f64> {
    Ok(kernel.compare(&kernel.digest(x)?, &kernel.digest(z)?))
}

/// [`Kernel`](crate::kernel::Kernel) of a [`FeatureMap`] for items of all types that it maps. An item that it is not
/// defined on gives NaN, and its error where there is room for one.
macro_rules! kernel_by_features {
    ($([$($generics:tt)*])? $kernel:ident, $item:ty) => {
        impl<$($($generics)*)?> $crate::kernel::Kernel<$item> for $kernel {
            fn eval(&self, x: &$item, z: &$item) -> f64 {
                $crate::kernel::eval_features(self, x, z).unwrap_or(f64::NAN)
            }

            fn try_eval(&self, x: &$item, z: &$item) -> $crate::error::Result<f64> {
                $crate::kernel::eval_features(self, x, z)
            }

            fn try_eval_diagonal(&self, x: &$item) -> $crate::error::Result<f64> {
                $crate::kernel::eval_features(self, x, x)
            }
        }
    };
}

/// The same for a [`DigestKernel`].
macro_rules! kernel_by_digests {
    ($([$($generics:tt)*])? $kernel:ident, $item:ty) => {
        impl<$($($generics)*)?> $crate::kernel::Kernel<$item> for $kernel {
            fn eval(&self, x: &$item, z: &$item) -> f64 {
                $crate::kernel::eval_digests(self, x, z).unwrap_or(f64::NAN)
            }

            fn eval_diagonal(&self, x: &$item) -> f64 {
                let digest = $crate::kernel::DigestKernel::<$item>::digest(self, x);
                digest.map_or(f64::NAN, |x| $crate::kernel::DigestKernel::<$item>::compare_self(self, &x))
            }

            fn try_eval(&self, x: &$item, z: &$item) -> $crate::error::Result<f64> {
                $crate::kernel::eval_digests(self, x, z)
            }

            fn try_eval_diagonal(&self, x: &$item) -> $crate::error::Result<f64> {
                let digest = $crate::kernel::DigestKernel::<$item>::digest(self, x)?;
                Ok($crate::kernel::DigestKernel::<$item>::compare_self(self, &digest))
            }
        }
    };
}

pub(crate) use {kernel_by_digests, kernel_by_features};
