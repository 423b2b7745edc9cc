//! From an instruction set, chosen at run time, to code compiled for it.

use crate::gram::simd::functions;
use crate::gram::simd::portable::Portable;
use crate::gram::simd::vector::{Element, Vector};
#[cfg(target_arch = "x86_64")]
use crate::gram::simd::{avx2, avx512};
use crate::resources::InstructionSet;

/// The vectors to compute with. Made from an instruction set that this processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// Portable vectors as long as those of AVX-512: their lengths and tails can be tested anywhere.
    #[cfg(test)]
    Wide,
}

impl Unit {
    /// `None` if the processor lacks these instructions.
    pub fn new(level: InstructionSet) -> Option<Unit> {
        if !level.is_available() {
            return None;
        }
        match level {
            InstructionSet::Scalar => Some(Unit(Kind::Portable)),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => Some(Unit(Kind::Avx2)),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => Some(Unit(Kind::Avx512)),
            #[cfg(not(target_arch = "x86_64"))]
            _ => None,
        }
    }

    #[cfg(test)]
    pub fn wide() -> Unit {
        Unit(Kind::Wide)
    }
}

/// Something to be done with vectors of any length, in register tiles of `R` rows.
pub trait Work<E: Element> {
    /// Must be `#[inline(always)]`: it is compiled inside the function that enables the instructions.
    fn run<V: Vector<Element = E>, const R: usize>(self);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn with_avx2<V: Vector, const R: usize, W: Work<V::Element>>(work: W) {
    work.run::<V, R>();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512dq,avx512bw,avx512vl")]
fn with_avx512<V: Vector, const R: usize, W: Work<V::Element>>(work: W) {
    work.run::<V, R>();
}

/// Plain code, written so that the compiler can use vector instructions.
pub(crate) trait Plain {
    type Output;

    /// Must be `#[inline(always)]`: it is compiled inside the function that enables the instructions.
    fn run(self) -> Self::Output;
}

/// Runs the code as compiled for the widest vectors of this processor. The compiler neither reorders nor joins
/// roundings, so the result does not depend on which they are.
pub(crate) fn widest<P: Plain>(work: P) -> P::Output {
    #[cfg(target_arch = "x86_64")]
    if InstructionSet::Avx2.is_available() {
        // SAFETY: the processor has the instructions.
        return unsafe { plain_avx2(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn plain_avx2<P: Plain>(work: P) -> P::Output {
    work.run()
}

macro_rules! element {
    ($t:ty, $module:ident, $short:expr, $wide:expr, {$($constant:item)*}) => {
        impl Element for $t {
            $($constant)*

            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                value as $t
            }

            #[inline(always)]
            fn exponential<V: Vector<Element = Self>>(t: V) -> V {
                functions::$module::exponential(t)
            }

            #[inline(always)]
            fn decay<V: Vector<Element = Self>>(t: V) -> V {
                functions::$module::decay(t)
            }

            #[inline(always)]
            fn sine<V: Vector<Element = Self>>(t: V) -> V {
                functions::$module::sine(t)
            }

            #[inline(always)]
            fn small_tanh<V: Vector<Element = Self>>(t: V) -> V {
                functions::$module::small_tanh(t)
            }

            fn tile(unit: Unit) -> (usize, usize) {
                match unit.0 {
                    Kind::Portable => (4, 2 * $short),
                    #[cfg(target_arch = "x86_64")]
                    Kind::Avx2 => (6, 2 * <avx2::$module as Vector>::LANES),
                    #[cfg(target_arch = "x86_64")]
                    Kind::Avx512 => (12, 2 * <avx512::$module as Vector>::LANES),
                    #[cfg(test)]
                    Kind::Wide => (12, 2 * $wide),
                }
            }

            fn dispatch<W: Work<Self>>(unit: Unit, one_row: bool, work: W) {
                match (unit.0, one_row) {
                    (Kind::Portable, false) => work.run::<Portable<$t, $short>, 4>(),
                    (Kind::Portable, true) => work.run::<Portable<$t, $short>, 1>(),
                    #[cfg(target_arch = "x86_64")]
                    (Kind::Avx2, false) => {
                        // SAFETY: a unit is only made when the processor has its instructions.
                        unsafe { with_avx2::<avx2::$module, 6, W>(work) }
                    }
                    #[cfg(target_arch = "x86_64")]
                    (Kind::Avx2, true) => {
                        // SAFETY: a unit is only made when the processor has its instructions.
                        unsafe { with_avx2::<avx2::$module, 1, W>(work) }
                    }
                    #[cfg(target_arch = "x86_64")]
                    (Kind::Avx512, false) => {
                        // SAFETY: a unit is only made when the processor has its instructions.
                        unsafe { with_avx512::<avx512::$module, 12, W>(work) }
                    }
                    #[cfg(target_arch = "x86_64")]
                    (Kind::Avx512, true) => {
                        // SAFETY: a unit is only made when the processor has its instructions.
                        unsafe { with_avx512::<avx512::$module, 1, W>(work) }
                    }
                    #[cfg(test)]
                    (Kind::Wide, false) => work.run::<Portable<$t, $wide>, 12>(),
                    #[cfg(test)]
                    (Kind::Wide, true) => work.run::<Portable<$t, $wide>, 1>(),
                }
            }
        }
    };
}

element!(f32, F32, 4, 16, {
    const ROUNDOFF: f64 = f32::EPSILON as f64 / 2.0;
    const TOLERANCE: f64 = 1e-6;
    const LARGEST_NORM: f64 = 1e37;
    const LARGEST: f64 = f32::MAX as f64;
    const EXPONENT_UNIT: f64 = std::f64::consts::LOG2_E;
});

element!(f64, F64, 2, 8, {
    const ROUNDOFF: f64 = f64::EPSILON / 2.0;
    const TOLERANCE: f64 = 1e-12;
    const LARGEST_NORM: f64 = 1e307;
    const LARGEST: f64 = f64::MAX;
    const EXPONENT_UNIT: f64 = 1.0;
});
