//! Vectors as long as AVX-512's, on any processor: the same bits as short ones.

use std::sync::Arc;

use crate::data::{Dense, Vectors};
use crate::gram::simd::Unit;
use crate::gram::{Block, Columns, DenseGram, Distances, Evaluation, Gram, Precision, SymmetricGram};
use crate::kernel::vector::{Epilogue, Form, Measure};
use crate::resources::{InstructionSet, Workers};

fn items(n: usize, d: usize) -> Vectors<'static> {
    let values: Vec<f64> = (0..n * d).map(|i| ((i * i + 7 * i) % 101) as f64 / 101.0).collect();
    Dense::new(values, n, d).unwrap().into()
}

#[test]
fn long_vectors_give_the_bits_of_short_ones() {
    let measures = [
        Measure::Dot,
        Measure::SquaredDistance,
        Measure::Manhattan,
        Measure::ChiSquareDistance,
        Measure::ChiSquareSimilarity,
        Measure::Minimum,
        Measure::SineSquared { period: 0.3 },
    ];
    let epilogues = [
        Epilogue::Identity,
        Epilogue::Polynomial { gamma: 0.5, constant: 1.0, degree: 3 },
        Epilogue::Exponential { rate: 0.3 },
        Epilogue::Matern52 { rate: 0.5 },
        Epilogue::Tanh { gamma: 0.1, constant: 0.1 },
    ];
    let workers = Arc::new(Workers::serial());
    for measure in measures {
        for epilogue in epilogues {
            let form = Form { measure, epilogue, scales: None };
            for precision in [Precision::F32, Precision::F64] {
                for (n, d) in [(1, 1), (15, 3), (32, 8), (45, 35), (70, 50)] {
                    let items = items(n, d);
                    let level = InstructionSet::Scalar;
                    let evaluation = Evaluation {
                        form: &form,
                        factor: 1.0,
                        subset: None,
                        precision,
                        level,
                        workers: &workers,
                    };
                    for inner_products in [false, true] {
                        let distances = Distances { centre: Vec::new(), inner_products };
                        let [short, long] = [Unit::new(level).unwrap(), Unit::wide()].map(|unit| {
                            DenseGram::build(&items, None, &evaluation, &distances, unit).unwrap()
                        });
                        assert_eq!(short.diagonal(), long.diagonal());
                        compare(&short, &long, n);
                    }
                }
            }
        }
    }
}

fn compare(short: &DenseGram, long: &DenseGram, n: usize) {
    for (rows, columns) in [
        ((0..n).collect::<Vec<_>>(), 0..n),
        (vec![n / 2], n / 3..n),
        ((0..n).rev().step_by(2).collect(), 1.min(n)..n),
    ] {
        let weights: Vec<f64> = (0..rows.len()).map(|r| r as f64 - 2.5).collect();
        let [a, b] = [short, long].map(|gram| {
            let width = columns.len();
            let (mut values, mut single) = (vec![0.0; rows.len() * width], vec![0.0f32; rows.len() * width]);
            let mut f = vec![0.5; width];
            let range = Columns::Range(columns.clone());
            gram.fill(&rows, range.clone(), Block::F64 { values: &mut values, stride: width }).unwrap();
            gram.fill(&rows, range.clone(), Block::F32 { values: &mut single, stride: width }).unwrap();
            gram.accumulate(&rows, &weights, range, &mut f).unwrap();
            (values, single, f)
        });
        assert_eq!(a, b);
    }
}
