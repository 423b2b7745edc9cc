//! Distances where floating point makes them hard: far from the origin, nearly equal items, steep kernels.

use mercer::data::{Dense, Items, Vectors};
use mercer::gram::{DenseGram, Precision, SymmetricGram};
use mercer::kernel::vector::{Epilogue, Form, Measure};
use mercer_testkit::oracle;
use mercer_testkit::random::Random;

use super::*;

/// Largest error of all entries in single precision.
fn largest_error(items: &Vectors<'_>, form: &Form, precision: Precision) -> f64 {
    let expected = oracle::gram(form, items, items, None);
    let mut largest = 0.0f64;
    for level in levels() {
        let gram = DenseGram::symmetric(items, &evaluation(form, precision, level, 1)).unwrap();
        let n = items.len();
        let values = whole(&gram);
        assert!((0..n).all(|i| gram.diagonal()[i] == 1.0 && values[i * n + i] == 1.0));
        for (found, expected) in values.iter().zip(&expected) {
            largest = largest.max((found - expected).abs());
        }
    }
    largest
}

fn normal(random: &mut Random, n: usize, d: usize, mean: f64, deviation: f64) -> Vec<f64> {
    (0..n * d).map(|_| mean + deviation * random.normal()).collect()
}

fn dense(values: Vec<f64>, d: usize) -> Vectors<'static> {
    let n = values.len() / d;
    Dense::new(values, n, d).unwrap().into()
}

#[test]
fn data_far_from_the_origin() {
    let mut random = Random::new(1);
    for d in [2, 20, 50, 200] {
        for mean in [10.0, 1e3, 1e6] {
            let items = dense(normal(&mut random, 60, d, mean, 1.0), d);
            for factor in [0.01, 1.0, 10.0] {
                let rate = factor / d as f64;
                let error = largest_error(&items, &gaussian(rate), Precision::F32);
                assert!(error < 2e-6, "d {d}, mean {mean}, rate {rate}: {error:e}");
                // The reference itself rounds differences of numbers near the mean.
                let error = largest_error(&items, &gaussian(rate), Precision::F64);
                assert!(error < 1e-13 * mean.max(10.0), "d {d}, mean {mean}, rate {rate}: {error:e}");
            }
        }
    }
}

#[test]
fn nearly_equal_items_and_steep_kernels() {
    let mut random = Random::new(2);
    for d in [40, 150] {
        // Pairs that differ by little beside norms of about √d.
        let mut values = normal(&mut random, 40, d, 0.0, 1.0);
        for i in (0..40).step_by(2) {
            let step = 10f64.powi(-(i as i32 % 7));
            for k in 0..d {
                values[(i + 1) * d + k] = values[i * d + k] + step * 0.1 * random.normal();
            }
        }
        // And one pair that does not differ at all.
        values.copy_within(0..d, d);
        let items = dense(values, d);
        for rate in [1e-6, 1e-3, 0.1, 1.0, 30.0] {
            let error = largest_error(&items, &gaussian(rate), Precision::F32);
            assert!(error < 4e-6, "d {d}, rate {rate}: {error:e}");
            let error = largest_error(&items, &gaussian(rate), Precision::F64);
            assert!(error < 1e-12, "d {d}, rate {rate}: {error:e}");
            for epilogue in [
                Epilogue::ExponentialRoot { rate: rate.sqrt() },
                Epilogue::Matern32 { rate: rate.sqrt() },
                Epilogue::Matern52 { rate: rate.sqrt() },
                Epilogue::RationalQuadratic { rate, alpha: 2.0 },
            ] {
                let form = Form { measure: Measure::SquaredDistance, epilogue, scales: None };
                let error = largest_error(&items, &form, Precision::F32);
                assert!(error < 4e-6, "d {d}, {epilogue:?}: {error:e}");
            }
        }
    }
}

#[test]
fn duplicates_have_the_value_one() {
    let mut random = Random::new(4);
    for d in [3, 33, 784, 3000] {
        // Equal numbers in every column: rounding errors of the norm all point the same way.
        for flat in [false, true] {
            let row: Vec<f64> = (0..d).map(|_| if flat { 0.7 } else { random.normal() }).collect();
            let other: Vec<f64> = (0..d).map(|_| if flat { -0.1 } else { random.normal() }).collect();
            let rows: Vec<Vec<f64>> =
                (0..40).map(|i| if i % 5 == 0 { row.clone() } else { other.clone() }).collect();
            let items = Vectors::from_rows(&rows).unwrap();
            for level in levels() {
                for precision in PRECISIONS {
                    let form = gaussian(0.01);
                    let gram = DenseGram::symmetric(&items, &evaluation(&form, precision, level, 1)).unwrap();
                    // Also under the decision for inner products, which other data would have led to.
                    let distances = mercer::gram::Distances { centre: Vec::new(), inner_products: true };
                    let forced = DenseGram::symmetric_with(
                        &items,
                        &evaluation(&form, precision, level, 1),
                        &distances,
                    )
                    .unwrap();
                    for values in [whole(&gram), whole(&forced)] {
                        for i in 0..40 {
                            for j in 0..40 {
                                if (i % 5 == 0) == (j % 5 == 0) {
                                    assert_eq!(values[i * 40 + j], 1.0, "{level:?} {precision:?} {d}");
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn inner_products_are_used_where_they_are_exact_enough() {
    let mut random = Random::new(6);
    let level = InstructionSet::Scalar;
    let decision = |items: &Vectors<'_>, form: &Form| {
        let evaluation = evaluation(form, Precision::F32, level, 1);
        mercer::gram::Distances::decide(items, &evaluation).unwrap().inner_products
    };
    let spread = dense(normal(&mut random, 100, 64, 5.0, 1.0), 64);
    assert!(decision(&spread, &gaussian(1.0 / 64.0)));
    assert!(!decision(&dense(normal(&mut random, 100, 8, 5.0, 1.0), 8), &gaussian(0.1)), "few columns");
    // Two tight clusters far apart: distances within them are small beside the norms.
    let mut values = normal(&mut random, 100, 64, 0.0, 1e-4);
    values[..50 * 64].iter_mut().for_each(|v| *v += 1.0);
    let clusters = dense(values, 64);
    assert!(!decision(&clusters, &gaussian(1e5)));
    assert!(largest_error(&clusters, &gaussian(1e5), Precision::F32) < 1e-4);
}
