//! Sparse rows: against the definition, against dense rows, and to the bit against themselves.

use mercer::data::{Items, Sparse, Vectors};
use mercer::gram::{Columns, Gram, Layout, Precision, SparseGram, SymmetricGram, VectorGram, VectorPlan};
use mercer::kernel::vector::{Epilogue, Form, Measure};
use mercer::resources::InstructionSet;
use mercer::{Error, gram::Distances};
use mercer_testkit::oracle;
use mercer_testkit::random::Random;

use super::*;

/// Rows of which about a share of `density` is stored, numbers from 0 to 1.
fn random_rows(random: &mut Random, n: usize, columns: usize, density: f64) -> Vectors<'static> {
    let (mut offsets, mut indices, mut values) = (vec![0usize], Vec::new(), Vec::new());
    for _ in 0..n {
        for k in 0..columns {
            if random.uniform() < density {
                indices.push(k as u32);
                values.push(random.uniform());
            }
        }
        offsets.push(indices.len());
    }
    Sparse::from_parts(offsets, indices, values, columns).unwrap().into()
}

#[test]
fn values_are_those_of_the_definition_and_bits_depend_on_the_pair_alone() {
    for level in levels() {
        for form in forms() {
            for precision in PRECISIONS {
                let mut random = Random::new(21);
                for (n, columns, density) in [(1, 4, 0.5), (21, 60, 0.1), (70, 30, 0.25)] {
                    let items = random_rows(&mut random, n, columns, density);
                    let context = (level, &form, precision, n, columns);
                    let evaluation = evaluation(&form, precision, level, 1);
                    let gram = SparseGram::symmetric(&items, &evaluation).unwrap();
                    let values = whole(&gram);
                    assert_close(&values, &oracle::gram(&form, &items, &items, None), precision, &context);
                    for i in 0..n {
                        for j in 0..i {
                            let (a, b) = (values[i * n + j], values[j * n + i]);
                            assert_eq!(a.to_bits(), b.to_bits(), "symmetric: {context:?}");
                        }
                        assert_same_bits(&gram.diagonal()[i..=i], &[values[i * n + i]], &context);
                    }
                    assert_value_contract(&gram, level, &mut random, &context);

                    let picked: Vec<usize> = (0..n).filter(|i| i % 3 == 0).collect();
                    let support = items.select(&picked);
                    let cross = SparseGram::cross(&support, &items, &evaluation).unwrap();
                    let expected: Vec<f64> =
                        picked.iter().flat_map(|&r| values[r * n..][..n].to_vec()).collect();
                    assert_same_bits(&whole(&cross), &expected, &context);
                    let cross = SparseGram::cross(&items.select(&[n - 1]), &support, &evaluation).unwrap();
                    let expected: Vec<f64> = picked.iter().map(|&c| values[c * n + n - 1]).collect();
                    assert_same_bits(&whole(&cross), &expected, &context);
                }
            }
        }
    }
}

#[test]
fn selections_and_scales() {
    let mut random = Random::new(22);
    let (rows, others) = (random_rows(&mut random, 17, 30, 0.2), random_rows(&mut random, 40, 30, 0.2));
    let subset = [7, 3, 29, 0, 12, 13, 14, 3];
    for form in forms() {
        let scales = Some((0..8).map(|_| random.uniform() + 0.1).collect());
        let form = Form { scales, ..form };
        for level in levels() {
            for precision in PRECISIONS {
                let mut evaluation = evaluation(&form, precision, level, 1);
                evaluation.subset = Some(&subset);
                let gram = SparseGram::cross(&rows, &others, &evaluation).unwrap();
                let expected = oracle::gram(&form, &rows, &others, Some(&subset));
                assert_close(&whole(&gram), &expected, precision, &(level, &form));
            }
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let mut random = Random::new(23);
    let items = random_rows(&mut random, 3500, 80, 0.2);
    let rows: Vec<usize> = (0..150).map(|r| r * 17 % 3500).collect();
    let weights: Vec<f64> = rows.iter().map(|_| random.normal()).collect();
    let form = gaussian(0.1);
    for level in levels() {
        for precision in PRECISIONS {
            let of = |threads: usize| {
                let evaluation = evaluation(&form, precision, level, threads);
                let gram = SparseGram::symmetric(&items, &evaluation).unwrap();
                let mut f = vec![0.25; 3490];
                gram.accumulate(&rows, &weights, Columns::Range(5..3495), &mut f).unwrap();
                (block(&gram, &rows, Columns::Range(5..3495)), f)
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
fn memory_follows_the_stored_entries() {
    // Columns as large as a hash may be: nothing may be allocated per column.
    let columns = vec![5u32, 4_000_000_000, 17, 4_000_000_000, 4_100_000_000];
    let items: Vectors =
        Sparse::from_parts(vec![0usize, 2, 4, 5], columns, vec![1.0, 2.0, 3.0, 1.0, 2.0], 4_200_000_000)
            .unwrap()
            .into();
    let form = Form { measure: Measure::Dot, epilogue: Epilogue::Identity, scales: None };
    let evaluation = evaluation(&form, Precision::F64, InstructionSet::strongest(), 1);
    let gram = VectorGram::symmetric(&items, &evaluation).unwrap();
    assert_eq!(gram.plan().layout, Layout::Sparse);
    assert_eq!(whole(&gram), [5.0, 2.0, 0.0, 2.0, 10.0, 0.0, 0.0, 0.0, 4.0]);
}

#[test]
fn distances_of_nearly_equal_rows() {
    let mut random = Random::new(24);
    let (mut offsets, mut indices, mut values) = (vec![0usize], Vec::new(), Vec::new());
    for i in 0..30 {
        let step = 10f64.powi(-(i % 6));
        for k in 0..40u32 {
            indices.push(3 * k);
            values.push(5.0 + f64::from(k) + 0.1 * step * random.normal());
        }
        offsets.push(indices.len());
    }
    let items: Vectors = Sparse::from_parts(offsets, indices, values, 1000).unwrap().into();
    for rate in [1e-4, 0.1, 1.0] {
        let form = gaussian(rate);
        for level in levels() {
            let evaluation = evaluation(&form, Precision::F64, level, 1);
            let gram = SparseGram::symmetric(&items, &evaluation).unwrap();
            assert!(gram.diagonal().iter().all(|&v| v == 1.0));
            assert_close(&whole(&gram), &oracle::gram(&form, &items, &items, None), Precision::F64, &rate);
        }
    }
}

#[test]
fn the_layout_is_the_training_sets_whatever_is_predicted() {
    let mut random = Random::new(25);
    let form = gaussian(0.3);
    let level = InstructionSet::strongest();
    let evaluation = evaluation(&form, Precision::F64, level, 1);
    let thin = random_rows(&mut random, 20, 50, 0.1);
    let thick = random_rows(&mut random, 20, 50, 0.6);
    let full = uniform(&mut random, 20, 50);
    for training in [&thin, &thick, &full] {
        let gram = VectorGram::symmetric(training, &evaluation).unwrap();
        let plan = gram.plan();
        assert_eq!(plan.layout, if std::ptr::eq(training, &thin) { Layout::Sparse } else { Layout::Dense });
        assert_eq!(plan, VectorPlan::decide(training, &evaluation).unwrap());
        for new in [&thin, &thick, &full] {
            let cross = VectorGram::cross(training, new, &evaluation, &plan).unwrap();
            assert_close(&whole(&cross), &oracle::gram(&form, training, new, None), Precision::F64, &());
        }
        // The training set again, filled up: the bits it had.
        let rows: Vec<Vec<f64>> = (0..20).map(|i| training.get(i).to_dense(50)).collect();
        let again = Vectors::from_rows(&rows).unwrap();
        let cross = VectorGram::cross(&again, training, &evaluation, &plan).unwrap();
        assert_same_bits(&whole(&cross), &whole(&gram), &plan);
    }
    assert_eq!(VectorGram::symmetric(&thin, &evaluation).unwrap().plan().distances, Distances::default());
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut random = Random::new(26);
    let (items, others) = (random_rows(&mut random, 5, 9, 0.2), random_rows(&mut random, 5, 8, 0.2));
    let form = gaussian(1.0);
    let evaluation = evaluation(&form, Precision::F64, InstructionSet::Scalar, 1);
    let error = SparseGram::cross(&items, &others, &evaluation).unwrap_err();
    assert!(matches!(error, Error::Shape { expected: 9, found: 8, .. }));
}
