//! All images of structured items on the unit sphere.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::kernel::{Definiteness, DigestKernel, FeatureMap, Kernel, gathered};

/// A kernel normalised so that every item has length 1 in feature space: long strings and large trees count no more than
/// others.
///
/// k(x, z) = k₁(x, z) / √(k₁(x, x) k₁(z, z)), and 0 if either item has length 0. For a kernel that is not positive
/// semi-definite k₁(x, x) can be negative; the value is then NaN. On numeric rows this is
/// [`Normalise`](crate::kernel::combine::Normalise).
///
/// It prepares items as the kernel itself does, and knows their lengths: O(1) per pair besides what k₁ costs.
///
/// ```
/// use mercer::data::Tree;
/// use mercer::kernel::{Kernel, Normalised, tree::SubsetTree};
/// let (x, z): (Tree, Tree) = ("(NP (D the) (N dog))".parse()?, "(NP (D the) (N cat))".parse()?);
/// let kernel = Normalised::new(SubsetTree::new(1.0)?);
/// // 3 fragments in common, of 6 that each of them has.
/// assert!((kernel.eval(&x, &z) - 0.5).abs() < 1e-15);
/// assert_eq!(kernel.eval_diagonal(&x), 1.0);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Normalised<K> {
    kernel: K,
}

impl<K> Normalised<K> {
    /// The kernel, normalised.
    pub fn new(kernel: K) -> Self {
        Normalised { kernel }
    }

    /// The kernel that is normalised.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }
}

/// k / (|x| |z|), and 0 where a length is.
fn ratio(value: f64, x: f64, z: f64) -> f64 {
    let lengths = x * z;
    if lengths == 0.0 { 0.0 } else { value / lengths }
}

/// k(x, x) of the normalised kernel, for the square of a length.
fn own(square: f64) -> f64 {
    match square {
        0.0 => 0.0,
        square if square > 0.0 => 1.0,
        _ => f64::NAN,
    }
}

impl<X: ?Sized, K: Kernel<X>> Kernel<X> for Normalised<K> {
    fn eval(&self, x: &X, z: &X) -> f64 {
        self.try_eval(x, z).unwrap_or(f64::NAN)
    }

    fn eval_diagonal(&self, x: &X) -> f64 {
        own(self.kernel.eval_diagonal(x))
    }

    fn try_eval(&self, x: &X, z: &X) -> Result<f64> {
        let lengths = (self.kernel.try_eval_diagonal(x)?.sqrt(), self.kernel.try_eval_diagonal(z)?.sqrt());
        Ok(ratio(self.kernel.try_eval(x, z)?, lengths.0, lengths.1))
    }

    fn try_eval_diagonal(&self, x: &X) -> Result<f64> {
        self.kernel.try_eval_diagonal(x).map(own)
    }
}

impl<X: ?Sized, K: FeatureMap<X>> FeatureMap<X> for Normalised<K> {
    type Feature = K::Feature;

    fn features(&self, item: &X) -> Result<Vec<(K::Feature, f64)>> {
        let mut features = gathered(self.kernel.features(item)?);
        let length = features.iter().map(|(_, value)| value * value).sum::<f64>().sqrt();
        if length > 0.0 {
            features.iter_mut().for_each(|(_, value)| *value /= length);
        }
        Ok(features)
    }

    fn learn(&self, items: &[&X], weights: Option<&[f64]>) -> Result<Self> {
        self.kernel.learn(items, weights).map(Normalised::new)
    }
}

impl<X: ?Sized, K: DigestKernel<X>> DigestKernel<X> for Normalised<K> {
    /// That of the kernel, and the length √k₁(x, x).
    type Digest = (K::Digest, f64);

    fn digest(&self, item: &X) -> Result<Self::Digest> {
        let digest = self.kernel.digest(item)?;
        let length = self.kernel.compare_self(&digest).sqrt();
        Ok((digest, length))
    }

    fn compare(&self, x: &Self::Digest, z: &Self::Digest) -> f64 {
        ratio(self.kernel.compare(&x.0, &z.0), x.1, z.1)
    }

    fn compare_self(&self, x: &Self::Digest) -> f64 {
        own(x.1)
    }

    fn learn(&self, items: &[&X], weights: Option<&[f64]>) -> Result<Self> {
        self.kernel.learn(items, weights).map(Normalised::new)
    }

    fn definiteness(&self) -> Definiteness {
        self.kernel.definiteness()
    }
}
