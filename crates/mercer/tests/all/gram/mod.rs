//! Gram matrices against naive oracles, and to the bit against themselves.

mod cache;
mod combined;
mod contract;
mod dense;
mod distances;
mod interruptible;
mod kernel_values;
mod mended;
mod mended_rows;
mod pairs;
mod precomputed;
mod sparse;
mod structured;
mod sums;
mod tokens;

use std::sync::Arc;

use mercer::data::{Dense, Vectors};
use mercer::gram::{Block, Columns, Combinations, Evaluation, Gram, Precision};
use mercer::kernel::vector::{Epilogue, Form, Measure};
use mercer::resources::{InstructionSet, Workers};
use mercer_testkit::random::Random;

/// The levels this processor has; says which ones are left out.
fn levels() -> Vec<InstructionSet> {
    let (there, missing): (Vec<_>, Vec<_>) =
        InstructionSet::ALL.into_iter().partition(|level| level.is_available());
    for level in missing {
        eprintln!("skipped: {} is not available on this processor", level.name());
    }
    there
}

const PRECISIONS: [Precision; 2] = [Precision::F32, Precision::F64];

const MEASURES: [Measure; 7] = [
    Measure::Dot,
    Measure::SquaredDistance,
    Measure::Manhattan,
    Measure::ChiSquareDistance,
    Measure::ChiSquareSimilarity,
    Measure::Minimum,
    Measure::SineSquared { period: 0.7 },
];

const EPILOGUES: [Epilogue; 9] = [
    Epilogue::Identity,
    Epilogue::Polynomial { gamma: 0.3, constant: 0.5, degree: 3 },
    Epilogue::Exponential { rate: 0.2 },
    Epilogue::ExponentialRoot { rate: 0.5 },
    Epilogue::Matern32 { rate: 0.6 },
    Epilogue::Matern52 { rate: 0.7 },
    Epilogue::RationalQuadratic { rate: 0.3, alpha: 1.5 },
    Epilogue::Tanh { gamma: 0.05, constant: -0.1 },
    Epilogue::Cosine,
];

/// Every measure with every epilogue that goes with it.
fn forms() -> Vec<Form> {
    let mut forms = Vec::new();
    for measure in MEASURES {
        for epilogue in EPILOGUES {
            if epilogue != Epilogue::Cosine || measure == Measure::Dot {
                forms.push(Form { measure, epilogue, scales: None });
            }
        }
    }
    forms
}

fn gaussian(rate: f64) -> Form {
    Form { measure: Measure::SquaredDistance, epilogue: Epilogue::Exponential { rate }, scales: None }
}

/// The computation of a form; threads live as long as the program.
fn evaluation(form: &Form, precision: Precision, level: InstructionSet, threads: usize) -> Evaluation<'_> {
    let workers = Box::leak(Box::new(Arc::new(Workers::new(threads))));
    Evaluation { form, factor: 1.0, subset: None, precision, level, workers }
}

/// Dense rows of numbers from 0 to 1.
fn uniform(random: &mut Random, rows: usize, columns: usize) -> Vectors<'static> {
    let values: Vec<f64> = (0..rows * columns).map(|_| random.uniform()).collect();
    Dense::new(values, rows, columns).unwrap().into()
}

/// All values as f64, by `fill`.
fn whole(gram: &dyn Gram) -> Vec<f64> {
    let (rows, columns) = gram.shape();
    block(gram, &(0..rows).collect::<Vec<_>>(), Columns::Range(0..columns))
}

/// A block of values as f64, by `fill`.
fn block(gram: &dyn Gram, rows: &[usize], columns: Columns<'_>) -> Vec<f64> {
    let width = columns.len();
    let mut values = vec![f64::NAN; rows.len() * width];
    gram.fill(rows, columns, Block::F64 { values: &mut values, stride: width }).unwrap();
    values
}

/// What an entry may be wrong by.
fn bound(precision: Precision, value: f64) -> f64 {
    let relative = if precision == Precision::F32 { 4e-6 } else { 1e-13 };
    relative * value.abs().max(1.0)
}

fn assert_close(found: &[f64], expected: &[f64], precision: Precision, context: &dyn std::fmt::Debug) {
    assert_eq!(found.len(), expected.len());
    for (at, (f, e)) in found.iter().zip(expected).enumerate() {
        assert!((f - e).abs() <= bound(precision, *e), "entry {at}: {f} is not {e}; {context:?}");
    }
}

fn assert_same_bits(found: &[f64], expected: &[f64], context: &dyn std::fmt::Debug) {
    assert_eq!(found.len(), expected.len());
    for (at, (f, e)) in found.iter().zip(expected).enumerate() {
        assert!(f.to_bits() == e.to_bits(), "entry {at}: {f:?} and {e:?} differ; {context:?}");
    }
}

/// The value contract: the same bits by both verbs, in any block, in any order, after any restriction.
fn assert_value_contract(
    gram: &dyn Gram,
    level: InstructionSet,
    random: &mut Random,
    context: &dyn std::fmt::Debug,
) {
    let (rows, columns) = gram.shape();
    let all = whole(gram);
    let at = |r: usize, c: usize| all[r * columns + c];
    if rows == 0 || columns == 0 {
        return;
    }
    for round in 0..6 {
        // The last rounds have many rows and few columns: one in any order, one of neighbours.
        let count = if round < 4 { random.below(30) } else { 150 };
        let mut some: Vec<usize> = (0..count).map(|_| random.below(rows)).collect();
        if round == 5 {
            some = (0..rows).collect();
        }
        let width = if round < 4 { 50 } else { 5 };
        let list: Vec<usize> = (0..random.below(width)).map(|_| random.below(columns)).collect();
        let start = random.below(columns);
        let end = start + random.below(width.min(columns - start) + 1);
        for part in [Columns::List(&list), Columns::Range(start..end)] {
            let expected: Vec<f64> = some
                .iter()
                .flat_map(|&r| (0..part.len()).map(|c| at(r, part.at(c))).collect::<Vec<_>>())
                .collect();
            assert_same_bits(&block(gram, &some, part.clone()), &expected, context);
            // A block in single precision, with room between its rows.
            let stride = part.len() + 3;
            let mut single = vec![-7.0f32; some.len() * stride];
            gram.fill(&some, part.clone(), Block::F32 { values: &mut single, stride }).unwrap();
            for (r, row) in single.chunks(stride.max(1)).enumerate() {
                for c in 0..part.len() {
                    assert_eq!(row[c].to_bits(), (expected[r * part.len() + c] as f32).to_bits());
                }
                assert!(row[part.len()..].iter().all(|&v| v == -7.0), "nothing is written between rows");
            }
            // Sums have the bits of axpy row by row.
            let weights: Vec<f64> = some.iter().map(|_| random.normal()).collect();
            let mut f: Vec<f64> = (0..part.len()).map(|_| random.normal()).collect();
            let mut expected_f = f.clone();
            gram.accumulate(&some, &weights, part.clone(), &mut f).unwrap();
            for (r, &w) in weights.iter().enumerate() {
                let row = &expected[r * part.len()..][..part.len()];
                if gram.precision() == Precision::F32 {
                    let row: Vec<f32> = row.iter().map(|&v| v as f32).collect();
                    mercer::gram::simd::axpy(level, w, &row, &mut expected_f);
                } else {
                    mercer::gram::simd::axpy(level, w, row, &mut expected_f);
                }
            }
            assert_same_bits(&f, &expected_f, context);
            assert_combinations(gram, &some, part, random, context);
        }
        let restricted = gram.restrict(&list).unwrap();
        assert_eq!(restricted.shape(), (rows, list.len()));
        let expected: Vec<f64> =
            some.iter().flat_map(|&r| list.iter().map(|&c| at(r, c)).collect::<Vec<_>>()).collect();
        assert_same_bits(&block(&*restricted, &some, Columns::Range(0..list.len())), &expected, context);
        let (r, c) = (random.below(rows), random.below(columns));
        assert_same_bits(&block(gram, &[r], Columns::Range(c..c + 1)), &[at(r, c)], context);
    }
}

/// Several sums at once have the bits of each by itself.
fn assert_combinations(
    gram: &dyn Gram,
    rows: &[usize],
    columns: Columns<'_>,
    random: &mut Random,
    context: &dyn std::fmt::Debug,
) {
    let mut sums = Combinations::new();
    for share in [0.0, 0.3, 1.0] {
        let mut terms = Vec::new();
        for r in 0..rows.len() {
            if random.uniform() < share {
                terms.push((r, random.normal()));
            }
        }
        sums.push(terms);
    }
    let start: Vec<f64> = (0..3 * columns.len()).map(|_| random.normal()).collect();
    for threads in [1, 2] {
        let mut f = start.clone();
        gram.combine(rows, &sums, columns.clone(), &mut f, &Workers::new(threads)).unwrap();
        for sum in 0..3 {
            let (positions, weights) = sums.terms(sum);
            let of_sum: Vec<usize> = positions.iter().map(|&r| rows[r]).collect();
            let mut expected: Vec<f64> = start.iter().skip(sum).step_by(3).copied().collect();
            gram.accumulate(&of_sum, weights, columns.clone(), &mut expected).unwrap();
            let found: Vec<f64> = f.iter().skip(sum).step_by(3).copied().collect();
            assert_same_bits(&found, &expected, context);
        }
    }
}
