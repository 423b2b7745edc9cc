//! Sparse rows: a group of items spread over the lanes meets other items one stored entry at a time.

use crate::gram::simd::dispatch::{Unit, Work};
use crate::gram::simd::ending::{Ending, Finish, Guard, Identity};
use crate::gram::simd::vector::{Element, Vector};

/// Items in a group: so many that an entry of another item is used as often as registers allow, or fewer if
/// there are no more.
pub(in crate::gram) fn group_width<E: Element>(unit: Unit, items: usize) -> usize {
    let lanes = E::tile(unit).1 / 2;
    match items.div_ceil(lanes) {
        0 | 1 => lanes,
        2 => 2 * lanes,
        _ => 4 * lanes,
    }
}

/// Items spread out: `spread[place · width + lane]` is what the item in that lane has in that place; place 0
/// is kept for columns that none of them has, and holds zeros.
pub(in crate::gram) struct Group<'a, E> {
    pub unit: Unit,
    pub width: usize,
    pub spread: &'a [E],
    /// Place of each column.
    pub places: &'a [u32],
    /// Offsets, columns and values of the items to meet the group.
    pub offsets: &'a [usize],
    pub indices: &'a [u32],
    pub values: &'a [E],
    /// Which of them; the t-th one's inner products go to `dots[t · width..]`.
    pub items: &'a [usize],
    pub dots: &'a mut [E],
}

impl<E: Element> Group<'_, E> {
    /// Inner products with each item of the group, summed over ascending columns. Columns that the other has
    /// not add an exact 0, so the bits are those of the sum over common columns, whoever is spread out.
    pub fn run(self) {
        E::dispatch(self.unit, true, self);
    }

    #[inline(always)]
    fn meet<V: Vector<Element = E>, const N: usize>(self) {
        let width = N * V::LANES;
        assert!(self.width == width && self.dots.len() >= self.items.len() * width);
        let places = self.spread.len() / width;
        for (t, &item) in self.items.iter().enumerate() {
            let range = self.offsets[item]..self.offsets[item + 1];
            let mut sums = [V::constant(0.0); N];
            for (&column, &value) in self.indices[range.clone()].iter().zip(&self.values[range]) {
                let place = self.places[column as usize] as usize;
                assert!(place < places);
                let value = V::splat(value);
                for v in 0..N {
                    // SAFETY: `spread` has N vectors for each of its places.
                    let spread = unsafe { V::load(self.spread.as_ptr().add(place * width + v * V::LANES)) };
                    sums[v] = value.fma(spread, sums[v]);
                }
            }
            for v in 0..N {
                // SAFETY: `dots` has N vectors for each item.
                unsafe { sums[v].store(self.dots.as_mut_ptr().add(t * width + v * V::LANES)) };
            }
        }
    }
}

impl<E: Element> Work<E> for Group<'_, E> {
    #[inline(always)]
    fn run<V: Vector<Element = E>, const R: usize>(self) {
        match self.width / V::LANES {
            1 => self.meet::<V, 1>(),
            2 => self.meet::<V, 2>(),
            _ => self.meet::<V, 4>(),
        }
    }
}

/// What the ending needs to know of some items.
#[derive(Clone, Copy)]
pub(in crate::gram) struct Norms<'a, E> {
    pub squared: &'a [E],
    /// What may be wrong with inner products of the item, beyond which a distance is trusted.
    pub doubt: &'a [E],
}

/// Sums of a group and other items, to be turned into kernel values in place.
pub(in crate::gram) struct Values<'a, E> {
    pub unit: Unit,
    pub ending: Ending<E>,
    /// If the sums are inner products, from which distances are to be formed.
    pub guard: Option<Guard<E>>,
    pub group: Norms<'a, E>,
    pub others: Norms<'a, E>,
    /// `[other][lane of the group]`
    pub sums: &'a mut [E],
    /// Gets the positions of values whose distance must be formed by differences.
    pub refused: &'a mut Vec<u32>,
}

impl<E: Element> Values<'_, E> {
    pub fn run(self) {
        let ending = self.ending;
        match ending.decay() {
            Some(decay) if self.guard.is_some() => self.with(decay),
            _ if ending.is_identity() => self.with(Identity),
            _ => self.with(ending),
        }
    }

    fn with<F: Finish<E>>(self, finish: F) {
        E::dispatch(self.unit, true, Finishing { values: self, finish });
    }
}

/// [`Values`] whose ending is known at compile time.
struct Finishing<'a, E, F> {
    values: Values<'a, E>,
    finish: F,
}

impl<E: Element, F: Finish<E>> Work<E> for Finishing<'_, E, F> {
    #[inline(always)]
    fn run<V: Vector<Element = E>, const R: usize>(self) {
        let Finishing { values: Values { guard, group, others, sums, refused, .. }, finish } = self;
        let width = group.squared.len();
        assert!(width.is_multiple_of(V::LANES) && group.doubt.len() == width);
        assert!(others.doubt.len() == others.squared.len());
        assert!(sums.len() == others.squared.len() * width);
        for t in 0..others.squared.len() {
            let norm_z = V::splat(others.squared[t]);
            let doubt_z = V::splat(others.doubt[t]);
            for lane in (0..width).step_by(V::LANES) {
                // SAFETY: norms and doubts have `width` numbers, whole vectors, and `sums` as many for each
                // other item.
                let (at, sum, norm_x, doubt_x) = unsafe {
                    let at = sums.as_mut_ptr().add(t * width + lane);
                    let norm_x = V::load(group.squared.as_ptr().add(lane));
                    (at, V::load(at), norm_x, V::load(group.doubt.as_ptr().add(lane)))
                };
                let value = match &guard {
                    None => finish.finish(sum, norm_x, norm_z),
                    Some(guard) => {
                        let norms = norm_x.add(norm_z);
                        let distance = sum.fma(V::constant(-2.0), norms).max(V::constant(0.0));
                        let value = finish.finish(distance, norm_x, norm_z);
                        let mut bits = guard.refused(norms, doubt_x.add(doubt_z), distance, value);
                        while bits != 0 {
                            refused.push((t * width + lane) as u32 + bits.trailing_zeros());
                            bits &= bits - 1;
                        }
                        value
                    }
                };
                // SAFETY: see above.
                unsafe { value.store(at) };
            }
        }
    }
}
