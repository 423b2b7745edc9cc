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
