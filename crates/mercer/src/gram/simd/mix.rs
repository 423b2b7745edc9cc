//! Several weighted sums of a small block of values that is at hand.

use crate::gram::combinations::{Combinations, Cut};
use crate::gram::simd::dispatch::{Unit, Work};
use crate::gram::simd::vector::{Element, Vector};

/// `f[s · width + lane] += Σ weight · values[(row − first) · width + lane]` over the terms of each cut, in their
/// order; rounded as [`axpy`](crate::gram::simd::axpy) does.
pub(in crate::gram) struct Mix<'a, E> {
    pub unit: Unit,
    /// Lanes: one, two or four vectors.
    pub width: usize,
    pub values: &'a [E],
    /// The row that `values` begin with.
    pub first: usize,
    pub sums: &'a Combinations,
    pub cuts: &'a [Cut],
    pub f: &'a mut [f64],
}

impl<E: Element> Mix<'_, E> {
    pub fn run(self) {
        E::dispatch(self.unit, true, self);
    }

    #[inline(always)]
    fn mix<V: Vector<Element = E>, const N: usize>(self) {
        let Mix { width, values, first, sums, cuts, f, .. } = self;
        assert!(width == N * V::LANES);
        let (rows, weights) = sums.all_terms();
        let height = values.len() / width;
        for Cut { sum, terms } in cuts {
            let f = &mut f[sum * width..][..width];
            // Not `from_fn`: its closure might be compiled without the vector instructions.
            // SAFETY: `f` has N vectors of numbers.
            let mut totals = [unsafe { V::load_sum(f.as_ptr()) }; N];
            for v in 1..N {
                // SAFETY: see above.
                totals[v] = unsafe { V::load_sum(f.as_ptr().add(v * V::LANES)) };
            }
            for (&row, &weight) in rows[terms.clone()].iter().zip(&weights[terms.clone()]) {
                let at = row - first;
                assert!(at < height);
                for v in 0..N {
                    // SAFETY: `values` has N vectors for each of its rows.
                    let value = unsafe { V::load(values.as_ptr().add(at * width + v * V::LANES)) };
                    totals[v] = value.add_to_sum(weight, totals[v]);
                }
            }
            for v in 0..N {
                // SAFETY: see above.
                unsafe { V::store_sum(totals[v], f.as_mut_ptr().add(v * V::LANES)) };
            }
        }
    }
}

impl<E: Element> Work<E> for Mix<'_, E> {
    #[inline(always)]
    fn run<V: Vector<Element = E>, const R: usize>(self) {
        match self.width / V::LANES {
            1 => self.mix::<V, 1>(),
            2 => self.mix::<V, 2>(),
            _ => self.mix::<V, 4>(),
        }
    }
}
