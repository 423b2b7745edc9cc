//! A register full of numbers, and the two kinds of number it may hold.

use crate::data::Real;
use crate::gram::simd::dispatch::{Unit, Work};

/// `LANES` numbers that are computed with at once.
///
/// Every operation is rounded once and lane by lane, so a lane's result does not depend on its neighbours.
pub trait Vector: Copy {
    /// f32 or f64.
    type Element: Element;
    /// One truth value per lane.
    type Mask: Copy;
    /// `LANES` numbers of f64.
    type Sum: Copy;
    /// How many numbers there are, at most 16.
    const LANES: usize;

    fn splat(value: Self::Element) -> Self;

    /// # Safety
    /// `LANES` numbers can be read there.
    unsafe fn load(from: *const Self::Element) -> Self;
    /// # Safety
    /// `LANES` numbers can be written there.
    unsafe fn store(self, to: *mut Self::Element);
    /// Stores the numbers as f32.
    /// # Safety
    /// `LANES` numbers can be written there.
    unsafe fn store_f32(self, to: *mut f32);
    /// Stores the numbers as f64.
    /// # Safety
    /// `LANES` numbers can be written there.
    unsafe fn store_f64(self, to: *mut f64);

    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    /// The lesser; `other` if they do not compare.
    fn min(self, other: Self) -> Self;
    /// The greater; `other` if they do not compare.
    fn max(self, other: Self) -> Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    /// self · factor + addend; rounded once where the processor can, twice elsewhere.
    fn fma(self, factor: Self, addend: Self) -> Self;
    /// The nearest integer, ties to even; for numbers below 2²² in size.
    fn round(self) -> Self;
    /// self · 2ⁿ for an integral `n` whose result is a normal number.
    fn scale(self, n: Self) -> Self;

    fn less(self, other: Self) -> Self::Mask;
    fn equal(self, other: Self) -> Self::Mask;
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Bit l is the truth in lane l.
    fn bits(mask: Self::Mask) -> u32;
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// # Safety
    /// `LANES` numbers can be read there.
    unsafe fn load_sum(from: *const f64) -> Self::Sum;
    /// # Safety
    /// `LANES` numbers can be written there.
    unsafe fn store_sum(sum: Self::Sum, to: *mut f64);
    /// sum + weight · self, as [`Vector::fma`] in double precision.
    fn add_to_sum(self, weight: f64, sum: Self::Sum) -> Self::Sum;

    /// The same constant in every lane.
    #[inline(always)]
    fn constant(value: f64) -> Self {
        Self::splat(Self::Element::from_f64(value))
    }
}

/// f32 or f64, with what differs between them.
pub trait Element: Real + PartialOrd {
    /// Half the distance from 1 to the next number.
    const ROUNDOFF: f64;
    /// Entries may be wrong by this much.
    const TOLERANCE: f64;
    /// Items whose squared norm is above this are refused: sums of two, four times over, stay finite.
    const LARGEST_NORM: f64;
    const LARGEST: f64;
    /// [`Element::exponential`] is e^(t / UNIT): in single precision the factor log₂e goes into the rate.
    const EXPONENT_UNIT: f64;

    fn from_f64(value: f64) -> Self;
    fn exponential<V: Vector<Element = Self>>(t: V) -> V;
    /// The same for t ≤ 0.
    fn decay<V: Vector<Element = Self>>(t: V) -> V;
    /// sin(π t) for |t| ≤ ½.
    fn sine<V: Vector<Element = Self>>(t: V) -> V;
    /// tanh(t) for |t| ≤ ¼.
    fn small_tanh<V: Vector<Element = Self>>(t: V) -> V;

    /// Rows and columns of a register tile.
    fn tile(unit: Unit) -> (usize, usize);
    /// Runs the work compiled for this unit; in tiles of one row if so asked.
    fn dispatch<W: Work<Self>>(unit: Unit, one_row: bool, work: W);
}
