//! Kernels made of kernels, one combinator per file.
//!
//! All of them keep positive semi-definiteness, except a negative factor of [`Scale`].

mod centre;
mod columns;
mod normalise;
mod power;
mod product;
mod scale;
mod sum;

pub use centre::Centre;
pub use columns::{Columns, Selection};
pub use normalise::Normalise;
pub use power::Power;
pub use product::Product;
pub use scale::Scale;
pub use sum::Sum;

use serde::de::{Deserialize, Deserializer, Error as _};

use crate::kernel::Expression;

/// Sums and products in files have at least two parts, as in text.
fn two_or_more<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Expression>, D::Error> {
    let parts = Vec::<Expression>::deserialize(from)?;
    if parts.len() < 2 {
        return Err(D::Error::custom("a sum or product needs two kernels or more"));
    }
    Ok(parts)
}
