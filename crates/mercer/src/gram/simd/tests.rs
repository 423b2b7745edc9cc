//! Elementary functions and small pieces, on every unit there is.

use crate::gram::simd::dispatch::{Unit, Work};
use crate::gram::simd::ending::{Ending, Guard, finish_all};
use crate::gram::simd::functions::{integer_power, sine_squared, tanh};
use crate::gram::simd::portable::{from_array, to_array};
use crate::gram::simd::vector::{Element, Vector};
use crate::gram::simd::{axpy, axpy_with};
use crate::kernel::vector::Epilogue;
use crate::resources::InstructionSet;

/// All units of this processor, and the one that is only as long as AVX-512's.
fn units() -> Vec<Unit> {
    let mut units = vec![Unit::wide()];
    for level in InstructionSet::ALL {
        match Unit::new(level) {
            Some(unit) => units.push(unit),
            None => eprintln!("skipped: {} is not available on this processor", level.name()),
        }
    }
    units
}

#[derive(Clone, Copy, Debug)]
enum Function {
    Exponential,
    SineSquared,
    Tanh,
    Fifth,
    /// Rounding, and scaling by the result.
    Scale,
    Order,
}

struct Map<'a, E>(Function, &'a mut [E]);

impl<E: Element> Work<E> for Map<'_, E> {
    #[inline(always)]
    fn run<V: Vector<Element = E>, const R: usize>(self) {
        for part in self.1.chunks_mut(V::LANES) {
            let mut numbers = [E::default(); 16];
            numbers[..part.len()].copy_from_slice(part);
            let x: V = from_array(&numbers);
            let y = match self.0 {
                Function::Exponential => E::exponential(x.mul(V::constant(E::EXPONENT_UNIT))),
                Function::SineSquared => sine_squared(x),
                Function::Tanh => tanh(x),
                Function::Fifth => integer_power(x, 5),
                Function::Scale => V::constant(1.5).scale(x.round()),
                Function::Order => {
                    // |x| below 1 → its root, 1 → 7, above → min and max of what surrounds it.
                    let one = V::constant(1.0);
                    let far = x.abs().max(V::constant(2.0)).min(V::constant(3.0));
                    let near = V::select(x.abs().equal(one), V::constant(7.0), far);
                    V::select(x.abs().less(one), x.abs().sqrt(), near)
                }
            };
            part.copy_from_slice(&to_array(y)[..part.len()]);
        }
    }
}

fn map<E: Element>(
    unit: Unit,
    function: Function,
    numbers: impl Iterator<Item = f64>,
) -> (Vec<f64>, Vec<f64>) {
    let mut values: Vec<E> = numbers.map(E::from_f64).collect();
    let arguments = values.iter().map(|v| v.to_f64()).collect();
    E::dispatch(unit, true, Map(function, &mut values));
    (arguments, values.iter().map(|v| v.to_f64()).collect())
}

fn grid(low: f64, high: f64) -> impl Iterator<Item = f64> + Clone {
    (0..=20_001).map(move |i| low + (high - low) * f64::from(i) / 20_001.0)
}

/// Largest |found − expected(x)| ≤ bound(x, expected).
fn check<E: Element>(
    function: Function,
    numbers: impl Iterator<Item = f64> + Clone,
    expected: fn(f64) -> f64,
    bound: fn(f64, f64) -> f64,
) {
    for unit in units() {
        let (arguments, values) = map::<E>(unit, function, numbers.clone());
        for (x, found) in arguments.into_iter().zip(values) {
            let expected = expected(x);
            let error = (found - expected).abs();
            assert!(error <= bound(x, expected), "{unit:?} {function:?}({x}) = {found}, not {expected}");
        }
    }
}

#[test]
fn exponential() {
    // In single precision the argument's own rounding counts: x ulps for e^−x.
    check::<f32>(Function::Exponential, grid(-87.0, 5.0), f64::exp, |x, y| y * (1.2e-7 + 1.2e-7 * x.abs()));
    check::<f64>(Function::Exponential, grid(-707.0, 5.0), f64::exp, |_, y| 1e-15 * y);
    check::<f64>(Function::Exponential, grid(-1.0, 0.0), f64::exp, |_, y| 5e-16 * y);
    for unit in units() {
        assert_eq!(map::<f32>(unit, Function::Exponential, [0.0, -0.0].into_iter()).1, [1.0, 1.0]);
        assert_eq!(map::<f64>(unit, Function::Exponential, [0.0, -0.0].into_iter()).1, [1.0, 1.0]);
        // Neither denormal numbers below, nor anything that looks like a number above.
        let far = [-1e4, -1e30, f64::NEG_INFINITY].into_iter();
        assert!(
            map::<f32>(unit, Function::Exponential, far.clone()).1.iter().all(|&v| v > 1e-38 && v < 2e-38)
        );
        assert!(map::<f64>(unit, Function::Exponential, far).1.iter().all(|&v| v == 0.0));
        let far = [89.0, 1e4].into_iter();
        assert!(map::<f32>(unit, Function::Exponential, far).1.iter().all(|v| !v.is_finite()));
        let far = [710.5, 1e4].into_iter();
        assert!(map::<f64>(unit, Function::Exponential, far).1.iter().all(|v| !v.is_finite()));
    }
}

#[test]
fn sine_and_tanh() {
    let exact = |t: f64| (std::f64::consts::PI * (t - t.round())).sin().powi(2);
    check::<f32>(Function::SineSquared, grid(-3.0, 3.0), exact, |_, y| 6e-7 * y + 1e-12);
    check::<f64>(Function::SineSquared, grid(-3.0, 3.0), exact, |_, y| 1e-15 * y + 1e-30);
    check::<f32>(Function::Tanh, grid(-12.0, 12.0), f64::tanh, |_, y| 4e-7 * y.abs());
    check::<f64>(Function::Tanh, grid(-25.0, 25.0), f64::tanh, |_, y| 1e-15 * y.abs());
    check::<f64>(Function::Tanh, grid(-1e-3, 1e-3), f64::tanh, |_, y| 4e-16 * y.abs());
}

#[test]
fn powers_rounding_and_order() {
    check::<f32>(Function::Fifth, grid(-4.0, 4.0), |x| x.powi(5), |_, y| 3e-7 * y.abs());
    check::<f64>(Function::Fifth, grid(-4.0, 4.0), |x| x.powi(5), |_, y| 6e-16 * y.abs());
    let scaled = |x: f64| 1.5 * x.round_ties_even().exp2();
    check::<f32>(Function::Scale, grid(-125.5, 126.0), scaled, |_, _| 0.0);
    check::<f64>(Function::Scale, grid(-1020.5, 1020.0), scaled, |_, _| 0.0);
    let order = |x: f64| match x.abs() {
        a if a < 1.0 => a.sqrt(),
        1.0 => 7.0,
        a => a.clamp(2.0, 3.0),
    };
    let numbers = grid(-4.0, 4.0).chain([1.0, -1.0]);
    check::<f32>(Function::Order, numbers.clone(), order, |_, y| 1e-7 * y);
    check::<f64>(Function::Order, numbers, order, |_, _| 0.0);
}

#[test]
fn axpy_is_elementwise() {
    let values: Vec<f64> = (0..67).map(|i| f64::from(i) / 7.0 - 3.0).collect();
    let single: Vec<f32> = values.iter().map(|&v| v as f32).collect();
    for unit in units() {
        let fused =
            [InstructionSet::Avx2, InstructionSet::Avx512].into_iter().any(|l| Unit::new(l) == Some(unit));
        let step = |w: f64, v: f64, f: f64| if fused { w.mul_add(v, f) } else { w * v + f };
        for length in [0, 1, 7, 8, 15, 16, 33, 67] {
            let mut f: Vec<f64> = (0..length).map(|i| 0.1 * i as f64).collect();
            let mut expected = f.clone();
            axpy_with(unit, 0.3, &values[..length], &mut f);
            axpy_with(unit, -1.7, &single[..length], &mut f);
            for i in 0..length {
                expected[i] = step(0.3, values[i], expected[i]);
                expected[i] = step(-1.7, f64::from(single[i]), expected[i]);
            }
            assert_eq!(f, expected, "{unit:?} {length}");
        }
    }
    let mut f = [1.0];
    axpy(InstructionSet::Scalar, 2.0, &[3.0f32], &mut f);
    assert_eq!(f, [7.0]);
}

#[test]
fn endings_at_the_origin() {
    for unit in units() {
        for epilogue in [
            Epilogue::Exponential { rate: 3.0 },
            Epilogue::ExponentialRoot { rate: 3.0 },
            Epilogue::Matern32 { rate: 3.0 },
            Epilogue::Matern52 { rate: 3.0 },
            Epilogue::RationalQuadratic { rate: 3.0, alpha: 0.7 },
        ] {
            let mut single = [0.0f32; 19];
            finish_all(unit, Ending::new(epilogue, 1.0), &mut single);
            assert_eq!(single, [1.0; 19], "{unit:?} {epilogue:?}");
            let mut double = [0.0f64; 19];
            finish_all(unit, Ending::new(epilogue, 1.0), &mut double);
            assert_eq!(double, [1.0; 19], "{unit:?} {epilogue:?}");
        }
    }
}

#[test]
fn the_guard_refuses_what_is_too_inexact() {
    let guard = Guard::<f32>::new(50, Epilogue::Exponential { rate: 0.5 }, 1.0);
    assert!(guard.refuses(100.0, 1e-4, 1.0), "nearly equal items");
    assert!(!guard.refuses(100.0, 80.0, 0.0), "far items");
    assert!(guard.refuses(1e4, 1.0, 0.6), "a steep kernel");
    assert!(!guard.refuses(1e4, 100.0, 1e-22), "where it has become flat");
}
