//! The value contract of [`Gram`], checked on any of them.

use mercer::data::Real;
use mercer::gram::{Block, Columns, Gram, Precision, SymmetricGram};

/// All values, read at once in double precision.
pub fn whole(gram: &dyn Gram) -> Vec<f64> {
    let (rows, columns) = gram.shape();
    let mut values = vec![f64::NAN; rows * columns];
    let all: Vec<usize> = (0..rows).collect();
    let out = Block::F64 { values: &mut values, stride: columns.max(1) };
    gram.fill(&all, Columns::Range(0..columns), out).unwrap();
    values
}

/// Small whole numbers that look random, always the same.
fn scramble(i: usize, below: usize) -> usize {
    (i.wrapping_mul(2654435761) >> 7) % below.max(1)
}

/// Checks that bits depend on the entry alone: not on the verb, the block, its precision or a restriction.
pub fn check_contract(gram: &dyn Gram) {
    let (rows, columns) = gram.shape();
    let expected = whole(gram);
    check_values(gram, &expected);
    check_sums(gram, &expected);
    let kept: Vec<usize> = (0..columns).filter(|c| scramble(*c, 3) != 0).rev().collect();
    let kept = if kept.is_empty() { vec![0] } else { kept };
    let restricted = gram.restrict(&kept).unwrap();
    assert_eq!(restricted.shape(), (rows, kept.len()));
    assert_eq!(restricted.precision(), gram.precision());
    let part: Vec<f64> = (0..rows)
        .flat_map(|r| kept.iter().map(move |c| (r, *c)))
        .map(|(r, c)| expected[r * columns + c])
        .collect();
    assert_bits(&whole(&*restricted), &part, "restrict, fill");
    check_values(&*restricted, &part);
    check_sums(&*restricted, &part);
    let twice: Vec<usize> = (0..kept.len()).step_by(2).collect();
    let again = restricted.restrict(&twice).unwrap();
    let part: Vec<f64> = (0..rows)
        .flat_map(|r| twice.iter().map(move |c| (r, *c)))
        .map(|(r, c)| part[r * kept.len() + c])
        .collect();
    check_values(&*again, &part);
    check_sums(&*again, &part);
}

/// Symmetry to the bit, and a diagonal that is the diagonal; then as [`check_contract`].
pub fn check_symmetric(gram: &dyn SymmetricGram) {
    let (n, columns) = gram.shape();
    assert_eq!(n, columns);
    let values = whole(gram);
    for i in 0..n {
        assert_eq!(gram.diagonal()[i].to_bits(), values[i * n + i].to_bits(), "diagonal {i}");
        for j in 0..i {
            assert_eq!(values[i * n + j].to_bits(), values[j * n + i].to_bits(), "entry {i}, {j}");
        }
    }
    check_contract(gram);
}

fn check_values(gram: &dyn Gram, expected: &[f64]) {
    let (rows, columns) = gram.shape();
    for step in [1, 3] {
        let some_rows: Vec<usize> = (0..rows).rev().step_by(step).collect();
        let list: Vec<usize> = (0..columns / 2 + 1).map(|i| scramble(i + step, columns)).collect();
        for part in
            [Columns::Range(columns / 3..columns), Columns::Range(0..columns.min(1)), Columns::List(&list)]
        {
            let width = part.len();
            let entry = |at: usize| expected[some_rows[at / width] * columns + part.at(at % width)];
            let stride = width + 2;
            let mut wide = vec![f64::NAN; some_rows.len() * stride];
            gram.fill(&some_rows, part.clone(), Block::F64 { values: &mut wide, stride }).unwrap();
            let mut narrow = vec![f32::NAN; some_rows.len() * stride];
            gram.fill(&some_rows, part.clone(), Block::F32 { values: &mut narrow, stride }).unwrap();
            for at in 0..some_rows.len() * width {
                let place = at / width * stride + at % width;
                assert_eq!(wide[place].to_bits(), entry(at).to_bits(), "fill f64, entry {at}");
                assert_eq!(narrow[place].to_bits(), (entry(at) as f32).to_bits(), "fill f32, entry {at}");
                if gram.precision() == Precision::F32 {
                    assert_eq!(narrow[place].to_f64(), wide[place], "values in single precision");
                }
            }
            // Nothing beyond the block is touched.
            assert!(wide.chunks(stride).all(|row| row[width..].iter().all(|v| v.is_nan())));
        }
    }
}

fn check_sums(gram: &dyn Gram, expected: &[f64]) {
    let (rows, columns) = gram.shape();
    let some_rows: Vec<usize> = (0..2 * rows).map(|i| scramble(i, rows)).collect();
    let weights: Vec<f64> = (0..some_rows.len()).map(|i| (i as f64 * 0.7).sin()).collect();
    let list: Vec<usize> = (0..columns / 2 + 1).map(|i| scramble(i, columns)).collect();
    let start = |c: usize| 0.1 * c as f64;
    let mut full: Vec<f64> = (0..columns).map(start).collect();
    gram.accumulate(&some_rows, &weights, Columns::Range(0..columns), &mut full).unwrap();
    for c in 0..columns {
        // The order of rows is fixed; whether the chain is fused depends on the instruction set.
        let fused = some_rows
            .iter()
            .zip(&weights)
            .fold(start(c), |f, (r, w)| w.mul_add(expected[r * columns + c], f));
        let plain =
            some_rows.iter().zip(&weights).fold(start(c), |f, (r, w)| w * expected[r * columns + c] + f);
        assert!(
            full[c].to_bits() == fused.to_bits() || full[c].to_bits() == plain.to_bits(),
            "column {c}: {} {fused}",
            full[c]
        );
    }
    for part in [Columns::Range(columns / 4..columns - columns / 4), Columns::List(&list)] {
        let mut f: Vec<f64> = (0..part.len()).map(|c| start(part.at(c))).collect();
        gram.accumulate(&some_rows, &weights, part.clone(), &mut f).unwrap();
        for c in 0..part.len() {
            assert_eq!(f[c].to_bits(), full[part.at(c)].to_bits(), "accumulate, column {c}");
        }
        // Row by row is the same chain.
        let mut f: Vec<f64> = (0..part.len()).map(|c| start(part.at(c))).collect();
        for (&r, &w) in some_rows.iter().zip(&weights) {
            gram.accumulate(&[r], &[w], part.clone(), &mut f).unwrap();
        }
        for c in 0..part.len() {
            assert_eq!(f[c].to_bits(), full[part.at(c)].to_bits(), "accumulate by rows, column {c}");
        }
    }
}

pub fn assert_bits(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (at, (a, b)) in found.iter().zip(expected).enumerate() {
        assert_eq!(a.to_bits(), b.to_bits(), "{what}, entry {at}: {a} {b}");
    }
}
