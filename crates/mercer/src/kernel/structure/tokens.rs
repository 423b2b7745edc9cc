//! Kernels on strings that take tokens for symbols: `tokens(spectrum(k=2))`.

use super::Leaf;
use crate::data::Item;
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::kernel::string::Numbering;

/// Hands the kernels that do not care what symbols are to a macro: not those with an alphabet of letters, nor those that cut texts
/// into words themselves.
macro_rules! token_kernels {
    ($use:ident) => {
        $use! {
            Spectrum by FeatureMap, Blended by FeatureMap, Gappy by FeatureMap,
            Subsequences by DigestKernel, FixedSubsequences by DigestKernel, AllSubsequences by DigestKernel,
            WeightedDegree by DigestKernel, LocalityImproved by DigestKernel,
        }
    };
}
pub(crate) use token_kernels;

macro_rules! of_tokens {
    ($($kernel:ident by $by:ident),* $(,)?) => {
        impl Leaf {
            /// Refuses a kernel that needs letters.
            pub(super) fn check_tokens(&self) -> Result<()> {
                match self {
                    $(Leaf::$kernel(_) => Ok(()),)*
                    _ => Err(letters(self)),
                }
            }

            /// k(x, z) of texts as strings of tokens; NaN for items of another kind.
            pub(super) fn eval_tokens(&self, x: Item<'_>, z: Item<'_>) -> Result<f64> {
                let (Item::String(x), Item::String(z)) = (x, z) else { return Ok(f64::NAN) };
                let numbering = Numbering::of([x, z].into_iter());
                let (x, z) = (numbering.symbols(x), numbering.symbols(z));
                match self {
                    $(Leaf::$kernel(kernel) => Kernel::<[u32]>::try_eval(kernel, &x, &z),)*
                    _ => Err(letters(self)),
                }
            }
        }
    };
}
token_kernels!(of_tokens);

pub(crate) fn letters(leaf: &Leaf) -> Error {
    let what = format!(
        "{} does not take tokens: spectrum, blended, gappy, subsequence, fixed_subsequences, all_subsequences, \
         weighted_degree and locality_improved do",
        leaf.call().0
    );
    Error::Unsupported { what }
}
