//! `+` and `*` of kernels on records, and multiples of them.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::kernel::{Definiteness, DigestKernel, Kernel, check};

/// k₁ + k₂ of two kernels on the same items: alike in one way or in the other. Written `a + b`.
///
/// See [`record`](crate::kernel::record) for an example. Costs what both cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plus<A, B> {
    first: A,
    second: B,
}

/// k₁ · k₂ of two kernels on the same items: alike in one way and in the other. Written `a * b`.
///
/// See [`record`](crate::kernel::record) for an example. Costs what both cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Times<A, B> {
    first: A,
    second: B,
}

/// A kernel times a number above 0: what a column counts in a sum.
///
/// ```
/// use mercer::data::{Cell, CellKind, RecordSchema};
/// use mercer::kernel::{Kernel, record::{Category, Multiple}};
/// let schema = RecordSchema::new([("job", CellKind::Category), ("town", CellKind::Category)])?;
/// let kernel = Multiple::new(3.0, Category::new(&schema, "job")?)? + Category::new(&schema, "town")?;
/// let baker = schema.record(vec![Cell::Category("baker".into()), Cell::Category("Ulm".into())])?;
/// assert_eq!(kernel.eval_diagonal(&baker), 4.0);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Multiple<K> {
    #[serde(deserialize_with = "check::serde_with::positive")]
    factor: f64,
    kernel: K,
}

impl<K> Multiple<K> {
    /// `factor · kernel`.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) unless the factor is a finite number above 0.
    pub fn new(factor: f64, kernel: K) -> Result<Self> {
        Ok(Multiple { factor: check::positive("factor", factor)?, kernel })
    }

    /// The factor.
    pub fn factor(&self) -> f64 {
        self.factor
    }

    /// The kernel.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }
}

impl<X: ?Sized, K: Kernel<X>> Kernel<X> for Multiple<K> {
    fn eval(&self, x: &X, z: &X) -> f64 {
        self.factor * self.kernel.eval(x, z)
    }

    fn eval_diagonal(&self, x: &X) -> f64 {
        self.factor * self.kernel.eval_diagonal(x)
    }

    fn try_eval(&self, x: &X, z: &X) -> Result<f64> {
        Ok(self.factor * self.kernel.try_eval(x, z)?)
    }

    fn try_eval_diagonal(&self, x: &X) -> Result<f64> {
        Ok(self.factor * self.kernel.try_eval_diagonal(x)?)
    }
}

impl<X: ?Sized, K: DigestKernel<X>> DigestKernel<X> for Multiple<K> {
    type Digest = K::Digest;

    fn digest(&self, item: &X) -> Result<K::Digest> {
        self.kernel.digest(item)
    }

    fn compare(&self, x: &K::Digest, z: &K::Digest) -> f64 {
        self.factor * self.kernel.compare(x, z)
    }

    fn compare_self(&self, x: &K::Digest) -> f64 {
        self.factor * self.kernel.compare_self(x)
    }

    fn learn(&self, items: &[&X], weights: Option<&[f64]>) -> Result<Self> {
        Ok(Multiple { factor: self.factor, kernel: self.kernel.learn(items, weights)? })
    }

    fn definiteness(&self) -> Definiteness {
        self.kernel.definiteness()
    }
}

/// Two kernels joined by an operator.
macro_rules! joined {
    ($kind:ident, $operator:tt) => {
        impl<A, B> $kind<A, B> {
            /// The first kernel.
            pub fn first(&self) -> &A {
                &self.first
            }

            /// The second kernel.
            pub fn second(&self) -> &B {
                &self.second
            }
        }

        impl<X: ?Sized, A: Kernel<X>, B: Kernel<X>> Kernel<X> for $kind<A, B> {
            fn eval(&self, x: &X, z: &X) -> f64 {
                self.first.eval(x, z) $operator self.second.eval(x, z)
            }

            fn eval_diagonal(&self, x: &X) -> f64 {
                self.first.eval_diagonal(x) $operator self.second.eval_diagonal(x)
            }

            fn try_eval(&self, x: &X, z: &X) -> Result<f64> {
                Ok(self.first.try_eval(x, z)? $operator self.second.try_eval(x, z)?)
            }

            fn try_eval_diagonal(&self, x: &X) -> Result<f64> {
                Ok(self.first.try_eval_diagonal(x)? $operator self.second.try_eval_diagonal(x)?)
            }
        }

        impl<X: ?Sized, A: DigestKernel<X>, B: DigestKernel<X>> DigestKernel<X> for $kind<A, B> {
            type Digest = (A::Digest, B::Digest);

            fn digest(&self, item: &X) -> Result<Self::Digest> {
                Ok((self.first.digest(item)?, self.second.digest(item)?))
            }

            fn compare(&self, x: &Self::Digest, z: &Self::Digest) -> f64 {
                self.first.compare(&x.0, &z.0) $operator self.second.compare(&x.1, &z.1)
            }

            fn compare_self(&self, x: &Self::Digest) -> f64 {
                self.first.compare_self(&x.0) $operator self.second.compare_self(&x.1)
            }

            fn learn(&self, items: &[&X], weights: Option<&[f64]>) -> Result<Self> {
                let first = self.first.learn(items, weights)?;
                Ok($kind { first, second: self.second.learn(items, weights)? })
            }

            fn definiteness(&self) -> Definiteness {
                self.first.definiteness().and(self.second.definiteness())
            }
        }
    };
}
joined!(Plus, +);
joined!(Times, *);

impl<A, B> Plus<A, B> {
    pub(super) fn of(first: A, second: B) -> Self {
        Plus { first, second }
    }
}

impl<A, B> Times<A, B> {
    pub(super) fn of(first: A, second: B) -> Self {
        Times { first, second }
    }
}

/// `+` and `*` with any other kernel on records.
macro_rules! record_operators {
    ($kernel:ident $(<$($parameter:ident),*>)?) => {
        impl<$($($parameter,)*)? Other> std::ops::Add<Other> for $kernel$(<$($parameter),*>)? {
            type Output = $crate::kernel::record::Plus<Self, Other>;

            fn add(self, other: Other) -> Self::Output {
                $crate::kernel::record::Plus::of(self, other)
            }
        }

        impl<$($($parameter,)*)? Other> std::ops::Mul<Other> for $kernel$(<$($parameter),*>)? {
            type Output = $crate::kernel::record::Times<Self, Other>;

            fn mul(self, other: Other) -> Self::Output {
                $crate::kernel::record::Times::of(self, other)
            }
        }
    };
}
pub(super) use record_operators;

record_operators!(Plus<A, B>);
record_operators!(Times<A, B>);
record_operators!(Multiple<K>);
