//! Vectors for any processor: arrays, which the compiler turns into whatever the target always has.

use crate::gram::simd::vector::Vector;

/// `L` numbers in an array.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Portable<T, const L: usize>([T; L]);

macro_rules! portable {
    ($t:ty, $bits:ty, $mantissa:expr) => {
        impl<const L: usize> Portable<$t, L> {
            #[inline(always)]
            fn zip(self, other: Self, f: impl Fn($t, $t) -> $t) -> Self {
                Portable(std::array::from_fn(|l| f(self.0[l], other.0[l])))
            }

            #[inline(always)]
            fn each(self, f: impl Fn($t) -> $t) -> Self {
                Portable(std::array::from_fn(|l| f(self.0[l])))
            }
        }

        impl<const L: usize> Vector for Portable<$t, L> {
            type Element = $t;
            type Mask = [bool; L];
            type Sum = [f64; L];
            const LANES: usize = L;

            #[inline(always)]
            fn splat(value: $t) -> Self {
                Portable([value; L])
            }
            #[inline(always)]
            unsafe fn load(from: *const $t) -> Self {
                // SAFETY: the caller vouches for L numbers; the array has no stricter alignment than they.
                unsafe { from.cast::<Self>().read() }
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $t) {
                // SAFETY: as for `load`.
                unsafe { to.cast::<Self>().write(self) }
            }
            #[inline(always)]
            unsafe fn store_f32(self, to: *mut f32) {
                for l in 0..L {
                    // SAFETY: the caller vouches for L numbers.
                    unsafe { to.add(l).write(self.0[l] as f32) }
                }
            }
            #[inline(always)]
            unsafe fn store_f64(self, to: *mut f64) {
                for l in 0..L {
                    // SAFETY: the caller vouches for L numbers.
                    unsafe { to.add(l).write(f64::from(self.0[l])) }
                }
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.zip(other, |a, b| a + b)
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.zip(other, |a, b| a - b)
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self.zip(other, |a, b| a * b)
            }
            #[inline(always)]
            fn div(self, other: Self) -> Self {
                self.zip(other, |a, b| a / b)
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                self.zip(other, |a, b| if a < b { a } else { b })
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                self.zip(other, |a, b| if a > b { a } else { b })
            }
            #[inline(always)]
            fn abs(self) -> Self {
                self.each(<$t>::abs)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                self.each(<$t>::sqrt)
            }
            #[inline(always)]
            fn fma(self, factor: Self, addend: Self) -> Self {
                // Not `mul_add`: without the instruction that is a call into a library, 50 times slower.
                Portable(std::array::from_fn(|l| self.0[l] * factor.0[l] + addend.0[l]))
            }
            #[inline(always)]
            fn round(self) -> Self {
                self.each(|a| (a + Self::SHIFTER) - Self::SHIFTER)
            }
            #[inline(always)]
            fn scale(self, n: Self) -> Self {
                // The sum's low bits are n as an integer; moved up they are added to the exponent.
                self.zip(n, |a, n| {
                    let n = (n + Self::SHIFTER).to_bits() << $mantissa;
                    <$t>::from_bits(a.to_bits().wrapping_add(n))
                })
            }
            #[inline(always)]
            fn less(self, other: Self) -> [bool; L] {
                std::array::from_fn(|l| self.0[l] < other.0[l])
            }
            #[inline(always)]
            fn equal(self, other: Self) -> [bool; L] {
                std::array::from_fn(|l| self.0[l] == other.0[l])
            }
            #[inline(always)]
            fn or(a: [bool; L], b: [bool; L]) -> [bool; L] {
                std::array::from_fn(|l| a[l] | b[l])
            }
            #[inline(always)]
            fn bits(mask: [bool; L]) -> u32 {
                mask.iter().enumerate().fold(0, |bits, (l, &m)| bits | u32::from(m) << l)
            }
            #[inline(always)]
            fn select(mask: [bool; L], yes: Self, no: Self) -> Self {
                Portable(std::array::from_fn(|l| if mask[l] { yes.0[l] } else { no.0[l] }))
            }
            #[inline(always)]
            unsafe fn load_sum(from: *const f64) -> [f64; L] {
                // SAFETY: the caller vouches for L numbers.
                unsafe { from.cast::<[f64; L]>().read() }
            }
            #[inline(always)]
            unsafe fn store_sum(sum: [f64; L], to: *mut f64) {
                // SAFETY: the caller vouches for L numbers.
                unsafe { to.cast::<[f64; L]>().write(sum) }
            }
            #[inline(always)]
            fn add_to_sum(self, weight: f64, sum: [f64; L]) -> [f64; L] {
                std::array::from_fn(|l| weight * f64::from(self.0[l]) + sum[l])
            }
        }

        impl<const L: usize> Portable<$t, L> {
            /// 1.5 · 2^mantissa: numbers below 2^(mantissa − 1) added to it lose their fraction.
            const SHIFTER: $t = 1.5 * ((1 as $bits) << $mantissa) as $t;
        }
    };
}

portable!(f32, u32, 23);
portable!(f64, u64, 52);

/// A vector's numbers as an array of the longest length there is.
#[inline(always)]
pub(super) fn to_array<V: Vector>(vector: V) -> [V::Element; 16] {
    let mut numbers = [V::Element::default(); 16];
    const { assert!(V::LANES <= 16) };
    // SAFETY: there are 16 numbers and at most 16 lanes.
    unsafe { vector.store(numbers.as_mut_ptr()) };
    numbers
}

/// The vector of the first numbers of an array.
#[inline(always)]
pub(super) fn from_array<V: Vector>(numbers: &[V::Element; 16]) -> V {
    const { assert!(V::LANES <= 16) };
    // SAFETY: there are 16 numbers and at most 16 lanes.
    unsafe { V::load(numbers.as_ptr()) }
}
