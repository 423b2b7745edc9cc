//! Pairs of things, each compared by a kernel of its own.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::kernel::{Definiteness, DigestKernel, FeatureMap, Kernel};

/// The tensor product of two kernels: a kernel on pairs.
///
/// k((a, b), (c, d)) = k₁(a, c) k₂(b, d): two pairs are alike if both their parts are. Its features are all products of a feature
/// of the first part and one of the second, so it is positive semi-definite if both kernels are. Costs what
/// both of them cost; by features, as many as the product of theirs.
///
/// ```
/// use mercer::kernel::{Kernel, TensorProduct};
/// let lengths = |a: &String, b: &String| (a.len() * b.len()) as f64;
/// let product = |a: &f64, b: &f64| a * b;
/// let kernel = TensorProduct::new(lengths, product);
/// assert_eq!(kernel.eval(&("ab".to_string(), 2.0), &("c".to_string(), 5.0)), 20.0);
/// ```
///
/// # References
/// J. Shawe-Taylor & N. Cristianini, *Kernel methods for pattern analysis*, 2004, section 9.1. A. Ben-Hur & W. S. Noble, *Kernel
/// methods for predicting protein–protein interactions*, Bioinformatics 21, 2005.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TensorProduct<A, B> {
    first: A,
    second: B,
}

impl<A, B> TensorProduct<A, B> {
    /// The kernels of the first and of the second part.
    pub fn new(first: A, second: B) -> Self {
        TensorProduct { first, second }
    }

    /// The kernel of the first part.
    pub fn first(&self) -> &A {
        &self.first
    }

    /// The kernel of the second part.
    pub fn second(&self) -> &B {
        &self.second
    }
}

impl<X, Y, A: Kernel<X>, B: Kernel<Y>> Kernel<(X, Y)> for TensorProduct<A, B> {
    fn eval(&self, x: &(X, Y), z: &(X, Y)) -> f64 {
        self.first.eval(&x.0, &z.0) * self.second.eval(&x.1, &z.1)
    }

    fn eval_diagonal(&self, x: &(X, Y)) -> f64 {
        self.first.eval_diagonal(&x.0) * self.second.eval_diagonal(&x.1)
    }

    fn try_eval(&self, x: &(X, Y), z: &(X, Y)) -> Result<f64> {
        Ok(self.first.try_eval(&x.0, &z.0)? * self.second.try_eval(&x.1, &z.1)?)
    }

    fn try_eval_diagonal(&self, x: &(X, Y)) -> Result<f64> {
        Ok(self.first.try_eval_diagonal(&x.0)? * self.second.try_eval_diagonal(&x.1)?)
    }
}

impl<X, Y, A: FeatureMap<X>, B: FeatureMap<Y>> FeatureMap<(X, Y)> for TensorProduct<A, B> {
    type Feature = (A::Feature, B::Feature);

    fn features(&self, item: &(X, Y)) -> Result<Vec<(Self::Feature, f64)>> {
        let (first, second) = (self.first.features(&item.0)?, self.second.features(&item.1)?);
        let with = |(feature, value): &(A::Feature, f64)| {
            let pairs =
                second.iter().map(|(other, factor)| ((feature.clone(), other.clone()), value * factor));
            pairs.collect::<Vec<_>>()
        };
        Ok(first.iter().flat_map(with).collect())
    }

    fn learn(&self, items: &[&(X, Y)], weights: Option<&[f64]>) -> Result<Self> {
        let (firsts, seconds): (Vec<&X>, Vec<&Y>) = items.iter().map(|item| (&item.0, &item.1)).unzip();
        Ok(TensorProduct {
            first: self.first.learn(&firsts, weights)?,
            second: self.second.learn(&seconds, weights)?,
        })
    }
}

impl<X, Y, A: DigestKernel<X>, B: DigestKernel<Y>> DigestKernel<(X, Y)> for TensorProduct<A, B> {
    type Digest = (A::Digest, B::Digest);

    fn digest(&self, item: &(X, Y)) -> Result<Self::Digest> {
        Ok((self.first.digest(&item.0)?, self.second.digest(&item.1)?))
    }

    fn compare(&self, x: &Self::Digest, z: &Self::Digest) -> f64 {
        self.first.compare(&x.0, &z.0) * self.second.compare(&x.1, &z.1)
    }

    fn compare_self(&self, x: &Self::Digest) -> f64 {
        self.first.compare_self(&x.0) * self.second.compare_self(&x.1)
    }

    fn learn(&self, items: &[&(X, Y)], weights: Option<&[f64]>) -> Result<Self> {
        let (firsts, seconds): (Vec<&X>, Vec<&Y>) = items.iter().map(|item| (&item.0, &item.1)).unzip();
        Ok(TensorProduct {
            first: self.first.learn(&firsts, weights)?,
            second: self.second.learn(&seconds, weights)?,
        })
    }

    fn definiteness(&self) -> Definiteness {
        self.first.definiteness().and(self.second.definiteness())
    }
}
