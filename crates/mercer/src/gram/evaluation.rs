//! What the Gram matrix of a vector kernel needs besides its items.

use std::sync::Arc;

use crate::data::Vectors;
use crate::error::{Error, Result};
use crate::gram::Precision;
use crate::gram::simd::Unit;
use crate::kernel::vector::Form;
use crate::resources::{InstructionSet, Workers};

/// How the entries of a vector kernel's Gram matrix are to be computed.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation<'a> {
    /// The kernel …
    pub form: &'a Form,
    /// … and what its values are multiplied by.
    pub factor: f64,
    /// The columns of the data that the kernel sees, in this order (`None`: all of them). Column scales of
    /// the form belong to positions in this list.
    pub subset: Option<&'a [usize]>,
    /// `F32` or `F64`; `Auto` is resolved by the number of training items.
    pub precision: Precision,
    /// The vector instructions to use.
    pub level: InstructionSet,
    /// The threads to use.
    pub workers: &'a Arc<Workers>,
}

impl Evaluation<'_> {
    /// Number of columns the kernel sees of these items.
    ///
    /// # Errors
    /// [`Error::Shape`] if a selected column does not exist or the scales are not one per column seen;
    /// [`Error::InstructionSet`] if the processor lacks the level.
    pub(crate) fn check(&self, items: &Vectors<'_>) -> Result<usize> {
        self.unit()?;
        if let Some(&column) = self.subset.into_iter().flatten().find(|&&k| k >= items.columns()) {
            return Err(Error::Shape {
                what: "columns of the data (selected by the kernel)",
                expected: column + 1,
                found: items.columns(),
            });
        }
        let seen = self.subset.map_or(items.columns(), <[usize]>::len);
        match &self.form.scales {
            Some(scales) if scales.len() != seen => {
                Err(Error::Shape { what: "column scales of the kernel", expected: seen, found: scales.len() })
            }
            _ => Ok(seen),
        }
    }

    /// The vectors of the level.
    ///
    /// # Errors
    /// [`Error::InstructionSet`] if the processor lacks the level.
    pub(in crate::gram) fn unit(&self) -> Result<Unit> {
        Unit::new(self.level).ok_or_else(|| Error::InstructionSet {
            asked: self.level.name().to_string(),
            problem: "this processor does not have these instructions",
        })
    }
}
