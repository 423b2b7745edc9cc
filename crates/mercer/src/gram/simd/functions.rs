//! Elementary functions of vectors.

use crate::data::Real;
use crate::gram::simd::portable::{from_array, to_array};
use crate::gram::simd::vector::{Element, Vector};

/// c₀ + c₁ x + c₂ x² + …
#[inline(always)]
fn polynomial<V: Vector, const N: usize>(x: V, coefficients: [f64; N]) -> V {
    let mut sum = V::constant(coefficients[N - 1]);
    for k in (0..N - 1).rev() {
        sum = sum.fma(x, V::constant(coefficients[k]));
    }
    sum
}

/// The same for an even number of coefficients, even and odd powers apart: two shorter chains of operations,
/// each of which waits for the one before, instead of one.
#[inline(always)]
fn two_polynomials<V: Vector, const N: usize>(x: V, coefficients: [f64; N]) -> V {
    const { assert!(N.is_multiple_of(2)) };
    let square = x.mul(x);
    let mut even = V::constant(coefficients[N - 2]);
    let mut odd = V::constant(coefficients[N - 1]);
    for k in (0..N - 2).rev().step_by(2) {
        odd = odd.fma(square, V::constant(coefficients[k]));
        even = even.fma(square, V::constant(coefficients[k - 1]));
    }
    odd.fma(x, even)
}

/// Single precision.
#[allow(non_snake_case)]
pub(super) mod F32 {
    use super::*;

    /// 2^t for t ≥ −126 (below, as for −126: no denormal numbers), infinite or NaN from 128; 1 for 0.
    #[inline(always)]
    pub fn exponential<V: Vector>(t: V) -> V {
        decay(t.min(V::constant(128.0)))
    }

    /// The same for t ≤ 0.
    #[inline(always)]
    pub fn decay<V: Vector>(t: V) -> V {
        let t = t.max(V::constant(-126.0));
        let n = t.round();
        let x = t.sub(n);
        // Minimax among polynomials that are 1 at 0, relative error 2e-9 for |x| ≤ ½. In pairs, so that few of
        // the operations wait for each other: 1 + x·(c₁ + c₂x + x²·(c₃ + c₄x + x²·(c₅ + c₆x))).
        let square = x.mul(x);
        let low = x.fma(V::constant(0.24022647913498998), V::constant(0.6931472028559704));
        let middle = x.fma(V::constant(0.00961843736641887), V::constant(0.055503324696938736));
        let high = x.fma(V::constant(0.00015353360629290447), V::constant(0.0013398874866602268));
        let slope = square.fma(square.fma(high, middle), low);
        let power = x.fma(slope, V::constant(1.0));
        power.scale(n)
    }

    #[inline(always)]
    pub fn sine<V: Vector>(t: V) -> V {
        t.mul(polynomial(t.mul(t), const { first::<7>(&SINE) }))
    }

    #[inline(always)]
    pub fn small_tanh<V: Vector>(t: V) -> V {
        t.mul(polynomial(t.mul(t), const { first::<6>(&TANH) }))
    }
}

/// Double precision.
#[allow(non_snake_case)]
pub(super) mod F64 {
    use super::*;

    /// e^t for t ≥ −708 (0 below: no denormal numbers), infinite or NaN where it overflows; 1 for 0.
    #[inline(always)]
    pub fn exponential<V: Vector>(t: V) -> V {
        decay(t.min(V::constant(710.0)))
    }

    /// The same for t ≤ 0.
    #[inline(always)]
    pub fn decay<V: Vector>(t: V) -> V {
        let vanishes = t.less(V::constant(-708.0));
        let t = t.max(V::constant(-708.0));
        let n = t.mul(V::constant(std::f64::consts::LOG2_E)).round();
        // ln 2 in two parts: n times the first is exact, so t − n ln 2 keeps all its digits.
        let rest = n.fma(V::constant(-6.931471803691238e-1), t);
        let rest = n.fma(V::constant(-1.9082149292705877e-10), rest);
        const TAYLOR: [f64; 14] = {
            let (mut terms, mut k) = ([1.0; 14], 1);
            while k < 14 {
                terms[k] = terms[k - 1] / k as f64;
                k += 1;
            }
            terms
        };
        V::select(vanishes, V::constant(0.0), two_polynomials(rest, TAYLOR).scale(n))
    }

    #[inline(always)]
    pub fn sine<V: Vector>(t: V) -> V {
        t.mul(polynomial(t.mul(t), SINE))
    }

    #[inline(always)]
    pub fn small_tanh<V: Vector>(t: V) -> V {
        t.mul(polynomial(t.mul(t), TANH))
    }
}

/// sin(π t) / t in powers of t².
const SINE: [f64; 12] = [
    std::f64::consts::PI,
    -5.16771278004997,
    2.5501640398773455,
    -0.5992645293207921,
    0.08214588661112823,
    -0.0073704309457143504,
    0.00046630280576761255,
    -2.1915353447830217e-05,
    7.952054001475513e-07,
    -2.2948428997269873e-08,
    5.392664662608129e-10,
    -1.0518471716932065e-11,
];

/// tanh(t) / t in powers of t².
const TANH: [f64; 12] = [
    1.0,
    -1.0 / 3.0,
    2.0 / 15.0,
    -17.0 / 315.0,
    62.0 / 2835.0,
    -1382.0 / 155925.0,
    21844.0 / 6081075.0,
    -929569.0 / 638512875.0,
    6404582.0 / 10854718875.0,
    -443861162.0 / 1856156927625.0,
    18888466084.0 / 194896477400625.0,
    -113927491862.0 / 2900518163668125.0,
];

const fn first<const N: usize>(coefficients: &[f64; 12]) -> [f64; N] {
    let (mut kept, mut k) = ([0.0; N], 0);
    while k < N {
        kept[k] = coefficients[k];
        k += 1;
    }
    kept
}

/// sin²(π t) for |t| < 2²⁰.
#[inline(always)]
pub(super) fn sine_squared<V: Vector>(t: V) -> V {
    let sine = V::Element::sine(t.sub(t.round()));
    sine.mul(sine)
}

/// tanh(t), to the last bits also near 0.
#[inline(always)]
pub(super) fn tanh<V: Vector>(t: V) -> V {
    let size = t.abs();
    let one = V::constant(1.0);
    let e = V::Element::exponential(size.mul(V::constant(-2.0 * V::Element::EXPONENT_UNIT)));
    let large = one.sub(e).div(one.add(e));
    let zero = V::constant(0.0);
    let large = V::select(t.less(zero), zero.sub(large), large);
    V::select(size.less(V::constant(0.25)), V::Element::small_tanh(t), large)
}

/// base^exponent by repeated squaring.
#[inline(always)]
pub(super) fn integer_power<V: Vector>(base: V, exponent: u32) -> V {
    let (mut result, mut square, mut rest) = (V::constant(1.0), base, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            result = result.mul(square);
        }
        square = square.mul(square);
        rest >>= 1;
    }
    result
}

/// base^exponent, lane by lane in double precision.
#[inline(always)]
pub(super) fn real_power<V: Vector>(base: V, exponent: f64) -> V {
    let mut numbers = to_array(base);
    for number in &mut numbers[..V::LANES] {
        *number = V::Element::from_f64(number.to_f64().powf(exponent));
    }
    from_array(&numbers)
}
