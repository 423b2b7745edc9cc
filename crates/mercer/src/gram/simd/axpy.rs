//! f += w · v with the roundings of a Gram matrix's own weighted sums.

use crate::gram::simd::dispatch::{Unit, Work};
use crate::gram::simd::vector::{Element, Vector};
use crate::resources::InstructionSet;

/// `f[i] += weight · values[i]`: the same bits as [`Gram::accumulate`](crate::gram::Gram::accumulate) of a row
/// with these values on the same level.
///
/// Panics if the lengths differ or the processor lacks the level.
pub fn axpy<E: Element>(level: InstructionSet, weight: f64, values: &[E], f: &mut [f64]) {
    axpy_with(Unit::new(level).expect("a level that the processor has"), weight, values, f);
}

/// [`axpy`] with the vectors of a unit.
pub(in crate::gram) fn axpy_with<E: Element>(unit: Unit, weight: f64, values: &[E], f: &mut [f64]) {
    E::dispatch(unit, true, Axpy { weight, values, f });
}

/// start + Σ weights[i] · values[i], in this order: the bits of as many calls of [`axpy`] for one element.
pub(in crate::gram) fn ordered_sum(unit: Unit, start: f64, weights: &[f64], values: &[f64]) -> f64 {
    let mut sum = [start; 16];
    f64::dispatch(unit, true, Ordered { weights, values, sum: &mut sum });
    sum[0]
}

struct Ordered<'a> {
    weights: &'a [f64],
    values: &'a [f64],
    sum: &'a mut [f64; 16],
}

impl Work<f64> for Ordered<'_> {
    #[inline(always)]
    fn run<V: Vector<Element = f64>, const R: usize>(self) {
        // All lanes do the same: what counts is that they round as those of `axpy` do.
        // SAFETY: there are 16 numbers, no vector has more.
        let mut sum = unsafe { V::load_sum(self.sum.as_ptr()) };
        for (&weight, &value) in self.weights.iter().zip(self.values) {
            sum = V::splat(value).add_to_sum(weight, sum);
        }
        // SAFETY: see above.
        unsafe { V::store_sum(sum, self.sum.as_mut_ptr()) };
    }
}

struct Axpy<'a, E> {
    weight: f64,
    values: &'a [E],
    f: &'a mut [f64],
}

impl<E: Element> Work<E> for Axpy<'_, E> {
    #[inline(always)]
    fn run<V: Vector<Element = E>, const R: usize>(self) {
        let Axpy { weight, values, f } = self;
        assert_eq!(values.len(), f.len());
        let whole = values.len() / V::LANES * V::LANES;
        for i in (0..whole).step_by(V::LANES) {
            // SAFETY: i + LANES ≤ the length of both.
            unsafe {
                let f = f.as_mut_ptr().add(i);
                let sum = V::load(values.as_ptr().add(i)).add_to_sum(weight, V::load_sum(f));
                V::store_sum(sum, f);
            }
        }
        let rest = values.len() - whole;
        if rest > 0 {
            let (mut v, mut s) = ([E::default(); 16], [0.0; 16]);
            v[..rest].copy_from_slice(&values[whole..]);
            s[..rest].copy_from_slice(&f[whole..]);
            // SAFETY: both arrays have 16 numbers, no vector more.
            unsafe {
                let sum = V::load(v.as_ptr()).add_to_sum(weight, V::load_sum(s.as_ptr()));
                V::store_sum(sum, s.as_mut_ptr());
            }
            f[whole..].copy_from_slice(&s[..rest]);
        }
    }
}
