//! g: from the sum over columns to the value of the kernel; and when a distance must be formed anew.

use crate::gram::simd::dispatch::{Unit, Work};
use crate::gram::simd::functions::{integer_power, real_power, tanh};
use crate::gram::simd::portable::{from_array, to_array};
use crate::gram::simd::vector::{Element, Vector};
use crate::kernel::vector::Epilogue;

/// A factor times an [`Epilogue`], with their constants in the working precision.
#[derive(Clone, Copy, Debug)]
pub(in crate::gram) struct Ending<E> {
    function: Function<E>,
    factor: E,
}

/// g without its factor.
#[derive(Clone, Copy, Debug)]
enum Function<E> {
    Identity,
    Polynomial { gamma: E, constant: E, degree: u32 },
    Exponential { exponent: E },
    ExponentialRoot { exponent: E },
    Matern32 { rate: E },
    Matern52 { rate: E },
    RationalQuadratic { rate: E, alpha: f64 },
    Tanh { gamma: E, constant: E },
    Cosine,
}

impl<E: Element> Ending<E> {
    pub fn new(epilogue: Epilogue, factor: f64) -> Self {
        let e = E::from_f64;
        let function = match epilogue {
            Epilogue::Identity => Function::Identity,
            Epilogue::Polynomial { gamma, constant, degree } => {
                Function::Polynomial { gamma: e(gamma), constant: e(constant), degree }
            }
            Epilogue::Exponential { rate } => Function::Exponential { exponent: e(-rate * E::EXPONENT_UNIT) },
            Epilogue::ExponentialRoot { rate } => {
                Function::ExponentialRoot { exponent: e(-rate * E::EXPONENT_UNIT) }
            }
            Epilogue::Matern32 { rate } => Function::Matern32 { rate: e(rate) },
            Epilogue::Matern52 { rate } => Function::Matern52 { rate: e(rate) },
            Epilogue::RationalQuadratic { rate, alpha } => {
                Function::RationalQuadratic { rate: e(rate), alpha }
            }
            Epilogue::Tanh { gamma, constant } => Function::Tanh { gamma: e(gamma), constant: e(constant) },
            Epilogue::Cosine => Function::Cosine,
        };
        Ending { function, factor: e(factor) }
    }

    /// s itself.
    pub fn identity() -> Self {
        Ending::new(Epilogue::Identity, 1.0)
    }

    /// Whether it changes nothing.
    pub(super) fn is_identity(&self) -> bool {
        self.factor == E::from_f64(1.0) && matches!(self.function, Function::Identity)
    }

    /// The ending of a distance by name, if it is the most frequent one.
    pub(super) fn decay(&self) -> Option<Decay<E>> {
        match self.function {
            Function::Exponential { exponent }
                if self.factor == E::from_f64(1.0) && exponent <= E::default() =>
            {
                Some(Decay(exponent))
            }
            _ => None,
        }
    }
}

/// g known at compile time, or looked up for each vector.
pub(super) trait Finish<E: Element>: Copy {
    fn finish<V: Vector<Element = E>>(self, sum: V, norm_x: V, norm_z: V) -> V;
}

/// s
#[derive(Clone, Copy)]
pub(super) struct Identity;

impl<E: Element> Finish<E> for Identity {
    #[inline(always)]
    fn finish<V: Vector<Element = E>>(self, sum: V, _: V, _: V) -> V {
        sum
    }
}

/// exp(−rate · s) for rate ≥ 0 and a distance s.
#[derive(Clone, Copy)]
pub(super) struct Decay<E>(E);

impl<E: Element> Finish<E> for Decay<E> {
    #[inline(always)]
    fn finish<V: Vector<Element = E>>(self, sum: V, _: V, _: V) -> V {
        E::decay(sum.mul(V::splat(self.0)))
    }
}

impl<E: Element> Finish<E> for Ending<E> {
    #[inline(always)]
    fn finish<V: Vector<Element = E>>(self, sum: V, norm_x: V, norm_z: V) -> V {
        let one = V::constant(1.0);
        let value = match self.function {
            Function::Identity => sum,
            Function::Polynomial { gamma, constant, degree } => {
                integer_power(sum.fma(V::splat(gamma), V::splat(constant)), degree)
            }
            Function::Exponential { exponent } => E::exponential(sum.mul(V::splat(exponent))),
            Function::ExponentialRoot { exponent } => E::exponential(sum.sqrt().mul(V::splat(exponent))),
            Function::Matern32 { rate } => {
                let r = sum.sqrt().mul(V::splat(rate));
                one.add(r).mul(decay(r))
            }
            Function::Matern52 { rate } => {
                let r = sum.sqrt().mul(V::splat(rate));
                one.add(r).add(r.mul(r).mul(V::constant(1.0 / 3.0))).mul(decay(r))
            }
            Function::RationalQuadratic { rate, alpha } => real_power(sum.fma(V::splat(rate), one), -alpha),
            Function::Tanh { gamma, constant } => tanh(sum.fma(V::splat(gamma), V::splat(constant))),
            // √(n · n) is n to the bit, so an item's value with itself is 1.
            Function::Cosine => {
                let norms = norm_x.mul(norm_z);
                let zero = V::constant(0.0);
                V::select(norms.equal(zero), zero, sum.div(norms.sqrt()))
            }
        };
        // Where the factor is 1 this changes no bit.
        value.mul(V::splat(self.factor))
    }
}

/// exp(−r)
#[inline(always)]
fn decay<V: Vector>(r: V) -> V {
    V::Element::decay(r.mul(V::constant(-V::Element::EXPONENT_UNIT)))
}

/// Turns sums into values in place; the ending must not ask for norms.
pub(in crate::gram) fn finish_all<E: Element>(unit: Unit, ending: Ending<E>, sums: &mut [E]) {
    match ending.decay() {
        Some(ending) => E::dispatch(unit, true, FinishAll { ending, sums }),
        None => E::dispatch(unit, true, FinishAll { ending, sums }),
    }
}

struct FinishAll<'a, E, F> {
    ending: F,
    sums: &'a mut [E],
}

impl<E: Element, F: Finish<E>> Work<E> for FinishAll<'_, E, F> {
    #[inline(always)]
    fn run<V: Vector<Element = E>, const R: usize>(self) {
        let one = V::constant(1.0);
        let mut parts = self.sums.chunks_exact_mut(V::LANES);
        for part in &mut parts {
            // SAFETY: a part has as many numbers as a vector.
            unsafe { self.ending.finish(V::load(part.as_ptr()), one, one).store(part.as_mut_ptr()) };
        }
        let rest = parts.into_remainder();
        let mut numbers = [E::default(); 16];
        numbers[..rest.len()].copy_from_slice(rest);
        let values = to_array(self.ending.finish(from_array::<V>(&numbers), one, one));
        rest.copy_from_slice(&values[..rest.len()]);
    }
}

/// When |x|² + |z|² − 2⟨x, z⟩ is not good enough and the squared differences must be summed instead.
///
/// The first has an error of a few roundoffs of N = |x|² + |z|². That is too much where the distance itself
/// is no larger (items that are nearly the same), and where the kernel is steep: its slope there is at most
/// some constant times its value.
#[derive(Clone, Copy, Debug)]
pub(in crate::gram) struct Guard<E> {
    /// Distances below this times N are formed anew. No less than the worst error of equal items, so that
    /// their distance is exactly 0.
    relative: E,
    /// So are those with N · k(x, z) above this …
    steep: E,
    /// … times √s, if this is set.
    root: bool,
}

impl<E: Element> Guard<E> {
    /// For inner products of at most `terms` terms, and values that are multiplied by `factor`.
    pub fn new(terms: usize, epilogue: Epilogue, factor: f64) -> Self {
        let relative = (terms as f64 + 8.0).max(64.0) * E::ROUNDOFF;
        let slope = match epilogue {
            Epilogue::Exponential { rate } => rate,
            Epilogue::ExponentialRoot { rate } => rate / 2.0,
            Epilogue::Matern32 { rate } => rate * rate / 2.0,
            Epilogue::Matern52 { rate } => rate * rate / 6.0,
            Epilogue::RationalQuadratic { rate, alpha } => alpha * rate,
            _ => 0.0,
        };
        let steep = (factor.abs() * E::TOLERANCE / (slope * 4.0 * E::ROUNDOFF)).min(E::LARGEST);
        let root = matches!(epilogue, Epilogue::ExponentialRoot { .. });
        Guard { relative: E::from_f64(relative), steep: E::from_f64(steep), root }
    }

    /// Whether a pair with these norms, distance and value needs its distance formed anew.
    pub fn refuses(&self, norms: f64, distance: f64, value: f64) -> bool {
        let root = if self.root { distance.sqrt() } else { 1.0 };
        distance < self.relative.to_f64() * norms || self.steep.to_f64() * root < norms * value.abs()
    }

    /// [`Guard::refuses`] for each lane, as bits; distances below `doubt` are refused.
    #[inline(always)]
    pub(super) fn refused<V: Vector<Element = E>>(&self, norms: V, doubt: V, distance: V, value: V) -> u32 {
        let mut steep = V::splat(self.steep);
        if self.root {
            steep = steep.mul(distance.sqrt());
        }
        V::bits(V::or(distance.less(doubt), steep.less(norms.mul(value.abs()))))
    }

    /// The distance below which pairs with these norms are refused.
    #[inline(always)]
    pub(super) fn doubt<V: Vector<Element = E>>(&self, norms: V) -> V {
        norms.mul(V::splat(self.relative))
    }

    /// The part of one item in the doubt about inner products of at most `terms` terms.
    pub fn doubt_of(terms: usize, norm: f64) -> E {
        E::from_f64((terms as f64 + 8.0).max(64.0) * E::ROUNDOFF * norm)
    }
}
