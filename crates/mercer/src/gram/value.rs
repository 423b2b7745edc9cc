//! Numbers that values of K are kept in, and moving them between blocks.

use crate::data::Real;
use crate::gram::{Block, Columns, Precision};

/// Numbers that values of K can be kept in: `f64` and `f32`.
///
/// ```
/// use mercer::gram::{Precision, Value};
/// assert_eq!(<f32 as Value>::PRECISION, Precision::F32);
/// assert_eq!(<f32 as Value>::from_f64(0.5), 0.5f32);
/// ```
pub trait Value: Real {
    /// [`Precision::F32`] or [`Precision::F64`].
    const PRECISION: Precision;

    /// The nearest number of this kind.
    fn from_f64(value: f64) -> Self;

    /// The numbers as a place for a block of values.
    fn block(values: &mut [Self], stride: usize) -> Block<'_>;
}

impl Value for f64 {
    const PRECISION: Precision = Precision::F64;

    fn from_f64(value: f64) -> f64 {
        value
    }

    fn block(values: &mut [f64], stride: usize) -> Block<'_> {
        Block::F64 { values, stride }
    }
}

impl Value for f32 {
    const PRECISION: Precision = Precision::F32;

    fn from_f64(value: f64) -> f32 {
        value as f32
    }

    fn block(values: &mut [f32], stride: usize) -> Block<'_> {
        Block::F32 { values, stride }
    }
}

impl Block<'_> {
    /// Writes row `r` of the block: the values at `columns` of a whole row of K.
    pub(crate) fn write_row<T: Value>(&mut self, r: usize, row: &[T], columns: &Columns<'_>) {
        if columns.is_empty() {
            return;
        }
        match self {
            Block::F32 { values, stride } => {
                gather(row, columns, &mut values[r * *stride..][..columns.len()], |v| v.to_f64() as f32);
            }
            Block::F64 { values, stride } => {
                gather(row, columns, &mut values[r * *stride..][..columns.len()], T::to_f64);
            }
        }
    }
}

/// The values at `columns` of a whole row, converted.
pub(crate) fn gather<T: Copy, U>(row: &[T], columns: &Columns<'_>, out: &mut [U], convert: impl Fn(T) -> U) {
    match columns {
        Columns::Range(range) => {
            out.iter_mut().zip(&row[range.clone()]).for_each(|(out, &v)| *out = convert(v));
        }
        Columns::List(list) => out.iter_mut().zip(*list).for_each(|(out, &c)| *out = convert(row[c])),
    }
}
