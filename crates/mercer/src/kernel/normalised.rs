//! Kernels on structured items at unit length.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::kernel::{Definiteness, DigestKernel, FeatureMap, Kernel, gathered};

/// A kernel divided by the lengths of both items: the cosine in its feature space.
///
/// k(x, z) / √(k(x, x) k(z, z)). The length of an item counts all its features, those too that no training item has. An
/// item of length 0 (a string shorter than the substrings that are counted) has the value 0 with every item, itself
/// included; all others have the value 1 with themselves. As a [`FeatureMap`] it scales the features of each item, so
/// that Gram matrices cost what they cost without it.
///
/// ```
/// use mercer::kernel::string::Spectrum;
/// use mercer::kernel::{Kernel, Normalised};
/// let kernel = Normalised::new(Spectrum::new(2)?);
/// assert_eq!(kernel.eval("abab", "ab"), 2.0 / 5.0f64.sqrt());
/// assert_eq!(kernel.eval_diagonal("abab"), 1.0);
/// assert_eq!((kernel.eval("a", "abab"), kernel.eval_diagonal("a")), (0.0, 0.0));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Normalised<K> {
    kernel: K,
}

impl<K> Normalised<K> {
    /// This kernel at unit length.
    pub fn new(kernel: K) -> Self {
        Normalised { kernel }
    }

    /// The kernel whose values are divided.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }
}

/// k(x, x) of an item, as [`Normalised`] remembers it.
///
/// ```
/// use mercer::kernel::string::AllSubsequences;
/// use mercer::kernel::{DigestKernel, Normalised, Own};
/// let kernel = Normalised::new(AllSubsequences::new());
/// // C(1200, 600) subsequences, about 2¹¹⁹⁵.
/// let (_, own) = kernel.digest("a".repeat(600).as_str())?;
/// assert!(matches!(own, Own::Beyond { log } if (log / 2f64.ln()).round() == 1195.0));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Own {
    /// The value.
    Value(f64),
    /// One that is beyond what a number can hold.
    Beyond {
        /// Its logarithm.
        log: f64,
    },
}

impl Own {
    fn log(self) -> f64 {
        match self {
            Own::Value(value) => value.ln(),
            Own::Beyond { log } => log,
        }
    }
}

/// The value between items of lengths that are the roots of `own`.
fn divided(value: f64, own: (f64, f64)) -> f64 {
    match (own.0.sqrt(), own.1.sqrt()) {
        (0.0, _) | (_, 0.0) => 0.0,
        (a, b) => value / (a * b),
    }
}

/// k(x, x) of an item with this value. NaN where it is negative, as its root.
fn unit(own: f64) -> f64 {
    if own == 0.0 { 0.0 } else { own.sqrt() / own.sqrt() }
}

impl<X: ?Sized, K: Kernel<X>> Kernel<X> for Normalised<K> {
    fn eval(&self, x: &X, z: &X) -> f64 {
        divided(self.kernel.eval(x, z), (self.kernel.eval_diagonal(x), self.kernel.eval_diagonal(z)))
    }

    fn eval_diagonal(&self, x: &X) -> f64 {
        unit(self.kernel.eval_diagonal(x))
    }

    fn try_eval(&self, x: &X, z: &X) -> Result<f64> {
        let own = (self.kernel.try_eval_diagonal(x)?, self.kernel.try_eval_diagonal(z)?);
        Ok(divided(self.kernel.try_eval(x, z)?, own))
    }

    fn try_eval_diagonal(&self, x: &X) -> Result<f64> {
        Ok(unit(self.kernel.try_eval_diagonal(x)?))
    }
}

impl<X: ?Sized, K: FeatureMap<X>> FeatureMap<X> for Normalised<K> {
    type Feature = K::Feature;

    fn features(&self, item: &X) -> Result<Vec<(K::Feature, f64)>> {
        let mut features = gathered(self.kernel.features(item)?);
        // Relative to the largest value, whose square might be out of range.
        let largest = features.iter().fold(0.0f64, |most, (_, value)| most.max(value.abs()));
        if largest > 0.0 {
            let squares: f64 = features.iter().map(|(_, value)| (value / largest) * (value / largest)).sum();
            let length = squares.sqrt();
            features.iter_mut().for_each(|(_, value)| *value = *value / largest / length);
        }
        Ok(features)
    }

    fn learn(&self, items: &[&X], weights: Option<&[f64]>) -> Result<Self> {
        Ok(Normalised { kernel: self.kernel.learn(items, weights)? })
    }
}

impl<X: ?Sized, K: DigestKernel<X>> DigestKernel<X> for Normalised<K> {
    /// What the kernel keeps, and k(x, x).
    type Digest = (K::Digest, Own);

    fn digest(&self, item: &X) -> Result<Self::Digest> {
        let digest = self.kernel.digest(item)?;
        let own = match self.kernel.compare_self(&digest) {
            f64::INFINITY => Own::Beyond { log: self.kernel.log_compare(&digest, &digest) },
            value => Own::Value(value),
        };
        Ok((digest, own))
    }

    fn compare(&self, x: &Self::Digest, z: &Self::Digest) -> f64 {
        let value = self.kernel.compare(&x.0, &z.0);
        match (x.1, z.1) {
            (Own::Value(a), Own::Value(b)) if value.is_finite() => divided(value, (a, b)),
            (Own::Value(0.0), _) | (_, Own::Value(0.0)) => 0.0,
            (a, b) => (self.kernel.log_compare(&x.0, &z.0) - 0.5 * (a.log() + b.log())).exp(),
        }
    }

    fn compare_self(&self, x: &Self::Digest) -> f64 {
        match x.1 {
            Own::Value(own) => unit(own),
            Own::Beyond { log } if log.is_finite() => 1.0,
            Own::Beyond { .. } => f64::NAN,
        }
    }

    fn learn(&self, items: &[&X], weights: Option<&[f64]>) -> Result<Self> {
        Ok(Normalised { kernel: self.kernel.learn(items, weights)? })
    }

    fn definiteness(&self) -> Definiteness {
        self.kernel.definiteness()
    }
}
