//! Single values of structured kernels, from what they say about each item.

/// [`Kernel`](crate::kernel::Kernel) for a [`FeatureMap`](crate::kernel::FeatureMap). An item that it is not defined on
/// gives an error, or NaN where there is no room for one.
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
pub(crate) use kernel_by_features;

/// The same for a [`DigestKernel`](crate::kernel::DigestKernel).
macro_rules! kernel_by_digests {
    ($([$($generics:tt)*])? $kernel:ident, $item:ty) => {
        impl<$($($generics)*)?> $crate::kernel::Kernel<$item> for $kernel {
            fn eval(&self, x: &$item, z: &$item) -> f64 {
                $crate::kernel::eval_digests(self, x, z).unwrap_or(f64::NAN)
            }

            fn eval_diagonal(&self, x: &$item) -> f64 {
                $crate::kernel::Kernel::<$item>::try_eval_diagonal(self, x).unwrap_or(f64::NAN)
            }

            fn try_eval(&self, x: &$item, z: &$item) -> $crate::error::Result<f64> {
                $crate::kernel::eval_digests(self, x, z)
            }

            fn try_eval_diagonal(&self, x: &$item) -> $crate::error::Result<f64> {
                use $crate::kernel::DigestKernel;
                Ok(self.compare_self(&self.digest(x)?))
            }
        }
    };
}
pub(crate) use kernel_by_digests;
