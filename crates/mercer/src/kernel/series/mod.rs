//! Kernels on time series: all alignments, the best alignment, or the shape of the autocorrelation.
//!
//! All compare [`Series`](crate::data::Series) of any lengths and the same number of channels. Widths that are not given are taken from the
//! training series by [`learn`](crate::kernel::DigestKernel::learn).
//!
//! ```
//! use mercer::data::Series;
//! use mercer::kernel::{Kernel, series::GlobalAlignment};
//! let (x, z) = (Series::univariate(vec![1.0, 2.0, 3.0])?, Series::univariate(vec![1.0, 2.0, 2.0, 3.0])?);
//! let similarity = GlobalAlignment::sigma(2.0)?.eval(&x, &z);
//! assert!(similarity > 0.8 && similarity < 1.0);
//! # Ok::<(), mercer::Error>(())
//! ```

mod autocorrelation;
mod dynamic_time_warping;
mod global_alignment;
mod width;

pub use autocorrelation::{Autocorrelation, AutocorrelationDigest, Comparison};
pub use dynamic_time_warping::{DtwDigest, DynamicTimeWarping};
pub use global_alignment::{AlignmentDigest, GlobalAlignment};
pub use width::Width;

/// `Kernel<Series>` by digests: two series of different numbers of channels are an error, or NaN where there can be none.
macro_rules! series_kernel {
    ($kernel:ty) => {
        impl crate::kernel::Kernel<crate::data::Series> for $kernel {
            fn eval(&self, x: &crate::data::Series, z: &crate::data::Series) -> f64 {
                self.try_eval(x, z).unwrap_or(f64::NAN)
            }

            fn eval_diagonal(&self, x: &crate::data::Series) -> f64 {
                self.try_eval_diagonal(x).unwrap_or(f64::NAN)
            }

            fn try_eval(
                &self,
                x: &crate::data::Series,
                z: &crate::data::Series,
            ) -> crate::error::Result<f64> {
                z.check_channels(x.channels())?;
                crate::kernel::eval_digests(self, x, z)
            }

            fn try_eval_diagonal(&self, x: &crate::data::Series) -> crate::error::Result<f64> {
                use crate::kernel::DigestKernel;
                Ok(self.compare_self(&self.digest(x)?))
            }
        }
    };
}

use series_kernel;
