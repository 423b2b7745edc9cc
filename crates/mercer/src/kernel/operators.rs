//! `+`, `*` and powers of kernels in Rust.

use std::ops::{Add, Mul};

use crate::kernel::combine::{Centre, Columns, Normalise, Power, Product, Scale, Sum};
use crate::kernel::{Constant, Expression, White};

impl<K: Into<Expression>> Add<K> for Expression {
    type Output = Expression;

    fn add(self, other: K) -> Expression {
        Expression::Sum(Sum::of(self, other.into()))
    }
}

impl<K: Into<Expression>> Mul<K> for Expression {
    type Output = Expression;

    fn mul(self, other: K) -> Expression {
        Expression::Product(Product::of(self, other.into()))
    }
}

impl Mul<Expression> for f64 {
    type Output = Expression;

    fn mul(self, kernel: Expression) -> Expression {
        Expression::Scale(Scale { factor: self, kernel: Box::new(kernel) })
    }
}

impl Expression {
    /// The kernel to a whole power.
    pub fn powi(self, exponent: u32) -> Expression {
        Expression::Power(Power::new(self, exponent))
    }
}

/// Makes a kernel an [`Expression`] wherever operators ask for one.
macro_rules! kernel_operators {
    ($kernel:ident) => {
        impl From<$kernel> for $crate::kernel::Expression {
            fn from(kernel: $kernel) -> Self {
                $crate::kernel::Expression::$kernel(kernel)
            }
        }

        impl<K: Into<$crate::kernel::Expression>> std::ops::Add<K> for $kernel {
            type Output = $crate::kernel::Expression;

            fn add(self, other: K) -> $crate::kernel::Expression {
                $crate::kernel::Expression::from(self) + other
            }
        }

        impl<K: Into<$crate::kernel::Expression>> std::ops::Mul<K> for $kernel {
            type Output = $crate::kernel::Expression;

            fn mul(self, other: K) -> $crate::kernel::Expression {
                $crate::kernel::Expression::from(self) * other
            }
        }

        impl std::ops::Mul<$kernel> for f64 {
            type Output = $crate::kernel::Expression;

            fn mul(self, kernel: $kernel) -> $crate::kernel::Expression {
                self * $crate::kernel::Expression::from(kernel)
            }
        }

        impl $kernel {
            /// The kernel to a whole power.
            pub fn powi(self, exponent: u32) -> $crate::kernel::Expression {
                $crate::kernel::Expression::from(self).powi(exponent)
            }
        }
    };
}
pub(crate) use kernel_operators;

kernel_operators!(Constant);
kernel_operators!(White);
kernel_operators!(Normalise);
kernel_operators!(Centre);
kernel_operators!(Columns);

/// What operators made is an [`Expression`] already; these are for combinations made by hand.
macro_rules! from_combination {
    ($($kernel:ident),*) => {$(
        impl From<$kernel> for Expression {
            fn from(kernel: $kernel) -> Self {
                Expression::$kernel(kernel)
            }
        }
    )*};
}
from_combination!(Sum, Product, Scale, Power);
