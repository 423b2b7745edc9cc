//! Dense rows: every level, measure, epilogue and precision.

use mercer::data::{Dense, Items, Vectors};
use mercer::gram::{Block, Columns, DenseGram, Gram, Precision, SymmetricGram};
use mercer::kernel::vector::{Epilogue, Form, Measure};
use mercer::resources::InstructionSet;
use mercer::{Error, gram::Distances};
use mercer_testkit::oracle;
use mercer_testkit::random::Random;

use super::*;

#[test]
fn values_are_those_of_the_definition() {
    for level in levels() {
        for form in forms() {
            for precision in PRECISIONS {
                let mut random = Random::new(7);
                for (n, d) in [(1, 1), (7, 2), (19, 5), (33, 17), (40, 33), (70, 45)] {
                    let items = uniform(&mut random, n, d);
                    let context = (level, &form, precision, n, d);
                    let gram = DenseGram::symmetric(&items, &evaluation(&form, precision, level, 1)).unwrap();
                    let expected = oracle::gram(&form, &items, &items, None);
                    let found = whole(&gram);
                    assert_close(&found, &expected, precision, &context);

                    let weights: Vec<f64> = (0..n).map(|_| random.normal()).collect();
                    let mut f = vec![0.0; n];
                    let rows: Vec<usize> = (0..n).collect();
                    gram.accumulate(&rows, &weights, Columns::Range(0..n), &mut f).unwrap();
                    let sums = oracle::weighted_sums(&found, n, &weights);
                    for (f, e) in f.iter().zip(&sums) {
                        assert!((f - e).abs() <= 1e-12 * (1.0 + e.abs() * n as f64), "{f} {e} {context:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn sums_over_many_blocks_of_rows_and_pieces_of_columns() {
    let mut random = Random::new(5);
    for level in levels() {
        for (n, d) in [(1500, 4), (420, 300)] {
            let items = uniform(&mut random, n, d);
            for precision in PRECISIONS {
                let form = forms()[0].clone();
                let gram = DenseGram::symmetric(&items, &evaluation(&form, precision, level, 2)).unwrap();
                let rows: Vec<usize> = (0..n).collect();
                let context = (level, n, d, precision);
                assert_combinations(&gram, &rows, Columns::Range(7..n - 3), &mut random, &context);
            }
        }
    }
}

#[test]
fn bits_depend_on_the_pair_alone() {
    for level in levels() {
        for form in forms() {
            for precision in PRECISIONS {
                let mut random = Random::new(11);
                for (n, d) in [(1, 3), (23, 4), (141, 40)] {
                    let items = uniform(&mut random, n, d);
                    let context = (level, &form, precision, n, d);
                    let evaluation = evaluation(&form, precision, level, 1);
                    let gram = DenseGram::symmetric(&items, &evaluation).unwrap();
                    let values = whole(&gram);
                    for i in 0..n {
                        for j in 0..i {
                            let (a, b) = (values[i * n + j], values[j * n + i]);
                            assert_eq!(a.to_bits(), b.to_bits(), "symmetric: {context:?}");
                        }
                        assert_same_bits(&gram.diagonal()[i..=i], &[values[i * n + i]], &context);
                    }
                    assert_value_contract(&gram, level, &mut random, &context);

                    // Prediction: the same items in other roles and batches.
                    let picked: Vec<usize> = (0..n).filter(|i| i % 3 == 0).collect();
                    let support = items.select(&picked);
                    let cross = DenseGram::cross(&support, &items, &evaluation, gram.distances()).unwrap();
                    let expected: Vec<f64> =
                        picked.iter().flat_map(|&r| values[r * n..][..n].to_vec()).collect();
                    assert_same_bits(&whole(&cross), &expected, &context);
                    let one = items.select(&[n - 1]);
                    let cross = DenseGram::cross(&one, &support, &evaluation, gram.distances()).unwrap();
                    let expected: Vec<f64> = picked.iter().map(|&c| values[c * n + n - 1]).collect();
                    assert_same_bits(&whole(&cross), &expected, &context);
                }
            }
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let mut random = Random::new(3);
    let items = uniform(&mut random, 3001, 37);
    let rows: Vec<usize> = (0..150).map(|r| r * 17 % 3001).collect();
    let weights: Vec<f64> = rows.iter().map(|_| random.normal()).collect();
    let form = gaussian(0.1);
    for level in levels() {
        for precision in PRECISIONS {
            let of = |threads: usize| {
                let gram =
                    DenseGram::symmetric(&items, &evaluation(&form, precision, level, threads)).unwrap();
                let mut f = vec![0.25; 2990];
                gram.accumulate(&rows, &weights, Columns::Range(5..2995), &mut f).unwrap();
                (block(&gram, &rows, Columns::Range(5..2995)), f)
            };
            let (values, f) = of(1);
            for threads in [2, 4] {
                let (other_values, other_f) = of(threads);
                assert_same_bits(&other_values, &values, &(level, precision, threads));
                assert_same_bits(&other_f, &f, &(level, precision, threads));
            }
        }
    }
}

#[test]
fn random_shapes_selections_and_scales() {
    let mut random = Random::new(5);
    for case in 0..60 {
        let (n, m, columns) = (random.below(50), random.below(50), random.below(70));
        let (rows, others) = (uniform(&mut random, n, columns), uniform(&mut random, m, columns));
        let subset: Option<Vec<usize>> = (case % 3 == 0 && columns > 0)
            .then(|| (0..random.below(40)).map(|_| random.below(columns)).collect());
        let seen = subset.as_ref().map_or(columns, Vec::len);
        let scales = (case % 2 == 0).then(|| (0..seen).map(|_| random.uniform() + 0.1).collect());
        let form = Form { scales, ..forms()[case % forms().len()].clone() };
        for level in levels() {
            for precision in PRECISIONS {
                let context = (case, level, precision, n, m, columns, &form);
                let mut evaluation = evaluation(&form, precision, level, 1);
                evaluation.subset = subset.as_deref();
                let distances = Distances::decide(&rows, &evaluation).unwrap();
                let gram = DenseGram::cross(&rows, &others, &evaluation, &distances).unwrap();
                let expected = oracle::gram(&form, &rows, &others, subset.as_deref());
                assert_close(&whole(&gram), &expected, precision, &context);
                assert_value_contract(&gram, level, &mut random, &context);
            }
        }
    }
}

#[test]
fn a_normal_kernel_is_one_on_the_diagonal() {
    let mut random = Random::new(9);
    for d in [1, 3, 40, 300] {
        let mut values: Vec<f64> = (0..30 * d).map(|_| 1e3 * random.normal()).collect();
        values[..d].fill(0.0);
        let items: Vectors = Dense::new(values, 30, d).unwrap().into();
        for epilogue in EPILOGUES {
            let measure = match epilogue {
                Epilogue::Cosine => Measure::Dot,
                Epilogue::Identity | Epilogue::Polynomial { .. } | Epilogue::Tanh { .. } => continue,
                _ => Measure::SquaredDistance,
            };
            let form = Form { measure, epilogue, scales: None };
            for level in levels() {
                for precision in PRECISIONS {
                    let gram = DenseGram::symmetric(&items, &evaluation(&form, precision, level, 1)).unwrap();
                    // The cosine with a row of zeros is 0.
                    let skip = usize::from(epilogue == Epilogue::Cosine);
                    assert!(gram.diagonal()[skip..].iter().all(|&v| v == 1.0), "{form:?} {precision:?}");
                }
            }
        }
    }
}

#[test]
fn sparse_and_single_precision_rows_are_understood() {
    let mut random = Random::new(13);
    let single: Vec<f32> = (0..20 * 6).map(|_| random.uniform() as f32).collect();
    let double: Vec<f64> = single.iter().map(|&v| f64::from(v)).collect();
    let (offsets, indices): (Vec<usize>, Vec<u32>) =
        ((0..=20).map(|r| 6 * r).collect(), (0..120).map(|k| k % 6).collect());
    let sparse: Vectors =
        mercer::data::Sparse::from_parts(offsets, indices, double.clone(), 6).unwrap().into();
    let double: Vectors = Dense::new(double, 20, 6).unwrap().into();
    let single: Vectors = Dense::new(single, 20, 6).unwrap().into();
    let form = gaussian(0.5);
    let evaluation = evaluation(&form, Precision::F64, InstructionSet::strongest(), 1);
    let expected = whole(&DenseGram::symmetric(&double, &evaluation).unwrap());
    for other in [&single, &sparse] {
        assert_same_bits(&whole(&DenseGram::symmetric(other, &evaluation).unwrap()), &expected, &());
    }
}

#[test]
fn values_out_of_range_are_reported_with_their_place() {
    let items = Vectors::from_rows(&[[1.0], [2.0], [1e13], [3.0]]).unwrap();
    let form = Form {
        measure: Measure::Dot,
        epilogue: Epilogue::Polynomial { gamma: 1.0, constant: 0.0, degree: 3 },
        scales: None,
    };
    for level in levels() {
        let evaluation = evaluation(&form, Precision::F32, level, 1);
        let error = DenseGram::symmetric(&items, &evaluation).unwrap_err();
        assert!(matches!(error, Error::KernelValue { row: 2, column: 2, .. }), "{error}");
        let rows = items.select(&[0, 1]);
        let gram = DenseGram::cross(&rows, &items, &evaluation, &Distances::default()).unwrap();
        let mut values = [0.0; 8];
        let out = Block::F64 { values: &mut values, stride: 4 };
        let error = gram.fill(&[1, 0], Columns::List(&[0, 1, 2, 3]), out).unwrap_err();
        assert!(matches!(error, Error::KernelValue { row: 1, column: 2, .. }), "{error}");
        let error = gram.accumulate(&[1, 0], &[1.0, 2.0], Columns::Range(0..4), &mut [0.0; 4]).unwrap_err();
        assert!(matches!(error, Error::KernelValue { row: 1, column: 2, .. }), "{error}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let items = Vectors::from_rows(&[[1.0, 2.0], [3.0, 1e25]]).unwrap();
    let form = gaussian(1.0);
    let level = InstructionSet::Scalar;
    let huge = DenseGram::symmetric(&items, &evaluation(&form, Precision::F32, level, 1));
    assert!(matches!(huge.unwrap_err(), Error::Unsupported { .. }));
    assert!(DenseGram::symmetric(&items, &evaluation(&form, Precision::F64, level, 1)).is_ok());

    let form = Form { scales: Some(vec![1.0]), ..gaussian(1.0) };
    let scales = DenseGram::symmetric(&items, &evaluation(&form, Precision::F64, level, 1));
    assert!(matches!(scales.unwrap_err(), Error::Shape { expected: 2, found: 1, .. }));

    let form = gaussian(1.0);
    let mut beyond = evaluation(&form, Precision::F64, level, 1);
    beyond.subset = Some(&[0, 2]);
    let beyond = DenseGram::symmetric(&items, &beyond);
    assert!(matches!(beyond.unwrap_err(), Error::Shape { expected: 3, found: 2, .. }));

    let others = Vectors::from_rows(&[[1.0]]).unwrap();
    let evaluation = evaluation(&form, Precision::F64, level, 1);
    let other = DenseGram::cross(&items, &others, &evaluation, &Distances::default());
    assert!(matches!(other.unwrap_err(), Error::Shape { expected: 2, found: 1, .. }));
}
