//! Vectors as long as AVX-512's, on any processor: the same bits as short ones.

use std::sync::Arc;

use crate::data::{Sparse, Vectors};
use crate::gram::simd::Unit;
use crate::gram::{Block, Columns, Evaluation, Gram, Precision, SparseGram, SymmetricGram};
use crate::kernel::vector::{Epilogue, Form, Measure};
use crate::resources::{InstructionSet, Workers};

#[test]
fn long_vectors_give_the_bits_of_short_ones() {
    let (n, columns) = (150, 40);
    let (mut offsets, mut indices, mut values) = (vec![0usize], Vec::new(), Vec::new());
    for i in 0..n {
        for k in (0..columns).filter(|k| (i * 13 + k * k * 7) % 6 == 0) {
            indices.push(k as u32);
            values.push(((i * 31 + k * 17) % 23) as f64 / 11.0);
        }
        offsets.push(indices.len());
    }
    let items: Vectors = Sparse::from_parts(offsets, indices, values, columns).unwrap().into();
    let workers = Arc::new(Workers::serial());
    let level = InstructionSet::Scalar;
    for (measure, epilogue) in [
        (Measure::Dot, Epilogue::Identity),
        (Measure::Dot, Epilogue::Cosine),
        (Measure::SquaredDistance, Epilogue::Exponential { rate: 0.2 }),
        (Measure::Minimum, Epilogue::Tanh { gamma: 0.3, constant: 0.0 }),
    ] {
        let form = Form { measure, epilogue, scales: None };
        for precision in [Precision::F32, Precision::F64] {
            let evaluation =
                Evaluation { form: &form, factor: 1.0, subset: None, precision, level, workers: &workers };
            for count in [1, 5, 9, 20, 70, 150] {
                let rows: Vec<usize> = (0..count).rev().collect();
                let weights: Vec<f64> = rows.iter().map(|&r| r as f64 - 2.5).collect();
                let [short, long] = [Unit::new(level).unwrap(), Unit::wide()].map(|unit| {
                    let gram = SparseGram::build(&items, None, &evaluation, unit).unwrap();
                    let (mut values, mut f) = (vec![0.0; count * n], vec![0.5; n]);
                    let out = Block::F64 { values: &mut values, stride: n };
                    gram.fill(&rows, Columns::Range(0..n), out).unwrap();
                    gram.accumulate(&rows, &weights, Columns::Range(0..n), &mut f).unwrap();
                    (gram.diagonal().to_vec(), values, f)
                });
                assert_eq!(short, long);
            }
        }
    }
}

/// Rows that stand several times are summed up once; what comes out is what each gives alone, to the bit.
#[test]
fn repeated_columns_get_the_sums_of_single_ones() {
    let (distinct, columns) = (40, 30);
    let items = |order: &[usize]| -> Vectors<'static> {
        let (mut offsets, mut indices, mut values) = (vec![0usize], Vec::new(), Vec::new());
        for &i in order {
            for k in (0..columns).filter(|k| (i * 13 + k * k * 7) % 6 == 0) {
                indices.push(k as u32);
                values.push(((i * 31 + k * 17) % 23) as f64 / 11.0);
            }
            offsets.push(indices.len());
        }
        Sparse::from_parts(offsets, indices, values, columns).unwrap().into()
    };
    let order: Vec<usize> = (0..300).map(|i| i * i % distinct).collect();
    let (rows, all) = (items(&(0..100).collect::<Vec<_>>()), items(&order));
    let weights: Vec<f64> = (0..100).map(|r| r as f64 - 42.5).collect();
    let asked: Vec<usize> = (0..100).collect();
    let form = Form {
        measure: Measure::SquaredDistance,
        epilogue: Epilogue::Exponential { rate: 0.2 },
        scales: None,
    };
    let workers = Arc::new(Workers::new(2));
    let level = InstructionSet::strongest();
    for precision in [Precision::F32, Precision::F64] {
        let evaluation =
            Evaluation { form: &form, factor: 1.0, subset: None, precision, level, workers: &workers };
        // Sums that were begun alike, and sums that were not.
        for begun in [|_| 0.5, |c: usize| (c % 3) as f64] {
            let mut together: Vec<f64> = (0..order.len()).map(begun).collect();
            let gram = SparseGram::cross(&rows, &all, &evaluation).unwrap();
            gram.accumulate(&asked, &weights, Columns::Range(0..order.len()), &mut together).unwrap();
            for (c, &i) in order.iter().enumerate() {
                let alone = items(&[i]);
                let gram = SparseGram::cross(&rows, &alone, &evaluation).unwrap();
                let mut f = [begun(c)];
                gram.accumulate(&asked, &weights, Columns::Range(0..1), &mut f).unwrap();
                assert_eq!(f[0], together[c], "column {c}");
            }
        }
    }
}

/// Entries that stand alone in their column count for an item with itself only; the bits are those of items that are compared with copies.
#[test]
fn columns_of_one_item_are_left_out_without_a_trace() {
    let n = 210;
    let (mut offsets, mut indices, mut values) = (vec![0usize], Vec::new(), Vec::new());
    for i in 0..n {
        // Some columns that many have, and three that nobody else has.
        let shared = (0..30).filter(|k| (i * 13 + k * k * 7) % 6 == 0);
        for k in shared.chain((0..3).map(|k| 30 + 3 * i + k)) {
            indices.push(k as u32);
            values.push(((i * 31 + k * 17) % 23) as f64 / 11.0 + 0.1);
        }
        offsets.push(indices.len());
    }
    let items: Vectors = Sparse::from_parts(offsets, indices, values, 30 + 3 * n).unwrap().into();
    let workers = Arc::new(Workers::new(2));
    let level = InstructionSet::strongest();
    for (measure, epilogue) in [
        (Measure::Dot, Epilogue::Identity),
        (Measure::SquaredDistance, Epilogue::Exponential { rate: 0.2 }),
        (Measure::Minimum, Epilogue::Identity),
    ] {
        let form = Form { measure, epilogue, scales: None };
        for precision in [Precision::F32, Precision::F64] {
            let evaluation =
                Evaluation { form: &form, factor: 1.0, subset: None, precision, level, workers: &workers };
            let own = SparseGram::symmetric(&items, &evaluation).unwrap();
            let other = SparseGram::cross(&items, &items, &evaluation).unwrap();
            for rows in [vec![7], (0..n).collect::<Vec<_>>(), (90..140).rev().collect()] {
                let weights: Vec<f64> = rows.iter().map(|&r| r as f64 - 42.5).collect();
                let both = [&own as &dyn Gram, &other].map(|gram| {
                    let (mut values, mut f) = (vec![0.0; rows.len() * n], vec![0.5; n]);
                    let out = Block::F64 { values: &mut values, stride: n };
                    gram.fill(&rows, Columns::Range(0..n), out).unwrap();
                    gram.accumulate(&rows, &weights, Columns::Range(0..n), &mut f).unwrap();
                    (values, f)
                });
                assert_eq!(both[0], both[1], "{measure:?} {precision:?} {} rows", rows.len());
            }
        }
    }
}
