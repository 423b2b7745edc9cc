//! Numbers that values of K are kept in, and moving them between blocks.

use crate::data::Real;
use crate::gram::simd::axpy;
use crate::gram::{Block, Columns, Held, Precision, Room};
use crate::resources::InstructionSet;

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

    /// The nearest number in single precision.
    fn to_f32(self) -> f32;

    /// The numbers as a place for a block of values.
    fn block(values: &mut [Self], stride: usize) -> Block<'_>;

    /// The numbers as values of a matrix that is held.
    fn held(values: &[Self]) -> Held<'_>;

    /// The values of a matrix that is held, if they are of this kind.
    fn of(held: Held<'_>) -> Option<&[Self]>;

    /// The part of a room for such numbers.
    fn place(room: &mut Room) -> &mut Vec<Self>;

    /// f += weight · values, with the roundings of [`Gram::accumulate`](crate::gram::Gram::accumulate) on this
    /// level.
    ///
    /// # Panics
    /// If the lengths differ or the processor lacks the level.
    fn add_weighted(level: InstructionSet, weight: f64, values: &[Self], f: &mut [f64]);
}

impl Value for f64 {
    const PRECISION: Precision = Precision::F64;

    #[inline]
    fn from_f64(value: f64) -> f64 {
        value
    }

    #[inline]
    fn to_f32(self) -> f32 {
        self as f32
    }

    #[inline]
    fn block(values: &mut [f64], stride: usize) -> Block<'_> {
        Block::F64 { values, stride }
    }

    #[inline]
    fn held(values: &[f64]) -> Held<'_> {
        Held::F64(values)
    }

    #[inline]
    fn of(held: Held<'_>) -> Option<&[f64]> {
        match held {
            Held::F64(values) => Some(values),
            Held::F32(_) => None,
        }
    }

    #[inline]
    fn place(room: &mut Room) -> &mut Vec<f64> {
        &mut room.double
    }

    #[inline]
    fn add_weighted(level: InstructionSet, weight: f64, values: &[f64], f: &mut [f64]) {
        axpy(level, weight, values, f);
    }
}

impl Value for f32 {
    const PRECISION: Precision = Precision::F32;

    #[inline]
    fn from_f64(value: f64) -> f32 {
        value as f32
    }

    #[inline]
    fn to_f32(self) -> f32 {
        self
    }

    #[inline]
    fn block(values: &mut [f32], stride: usize) -> Block<'_> {
        Block::F32 { values, stride }
    }

    #[inline]
    fn held(values: &[f32]) -> Held<'_> {
        Held::F32(values)
    }

    #[inline]
    fn of(held: Held<'_>) -> Option<&[f32]> {
        match held {
            Held::F32(values) => Some(values),
            Held::F64(_) => None,
        }
    }

    #[inline]
    fn place(room: &mut Room) -> &mut Vec<f32> {
        &mut room.single
    }

    #[inline]
    fn add_weighted(level: InstructionSet, weight: f64, values: &[f32], f: &mut [f64]) {
        axpy(level, weight, values, f);
    }
}

impl Precision {
    /// The value as it is kept: rounded to single precision if that is the precision.
    pub(crate) fn round(self, value: f64) -> f64 {
        if self == Precision::F32 { f64::from(value as f32) } else { value }
    }
}

impl Block<'_> {
    /// Row `r` of the block and all below it, as a block of its own.
    pub(crate) fn below(&mut self, r: usize) -> Block<'_> {
        match self {
            Block::F32 { values, stride } => {
                Block::F32 { values: &mut values[r * *stride..], stride: *stride }
            }
            Block::F64 { values, stride } => {
                Block::F64 { values: &mut values[r * *stride..], stride: *stride }
            }
        }
    }

    /// Writes one value.
    pub(crate) fn set(&mut self, r: usize, c: usize, value: f64) {
        match self {
            Block::F32 { values, stride } => values[r * *stride + c] = value as f32,
            Block::F64 { values, stride } => values[r * *stride + c] = value,
        }
    }

    /// Writes row `r` of the block: the values at `columns` of a whole row of K.
    pub(crate) fn write_row<T: Value>(&mut self, r: usize, row: &[T], columns: &Columns<'_>) {
        if columns.is_empty() {
            return;
        }
        match self {
            Block::F32 { values, stride } => {
                gather(row, columns, &mut values[r * *stride..][..columns.len()], T::to_f32);
            }
            Block::F64 { values, stride } => {
                gather(row, columns, &mut values[r * *stride..][..columns.len()], T::to_f64);
            }
        }
    }
}

/// The values at `columns` of a whole row, converted.
#[inline]
pub(crate) fn gather<T: Copy, U>(row: &[T], columns: &Columns<'_>, out: &mut [U], convert: impl Fn(T) -> U) {
    match columns {
        Columns::Range(range) => {
            out.iter_mut().zip(&row[range.clone()]).for_each(|(out, &v)| *out = convert(v));
        }
        Columns::List(list) => out.iter_mut().zip(*list).for_each(|(out, &c)| *out = convert(row[c])),
    }
}
