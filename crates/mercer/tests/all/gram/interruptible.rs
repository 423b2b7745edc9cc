use std::sync::atomic::{AtomicUsize, Ordering};

use mercer::Error;
use mercer::gram::{
    Block, CachedGram, Columns, Combinations, Gram, Interruptible, PairsGram, Plan, Precision, SymmetricGram,
};
use mercer::resources::{Interrupt, Workers};

use super::contract::{assert_bits, check_symmetric};

fn kernel(a: &f64, b: &f64) -> f64 {
    (-0.3 * (a - b) * (a - b)).exp()
}

/// So many that a verb over all takes several pieces.
fn items() -> Vec<f64> {
    (0..700).map(|i| (f64::from(i) * 0.37).sin() * 4.0).collect()
}

#[test]
fn pieces_give_the_same_bits() {
    let items = items();
    let n = items.len();
    for precision in [Precision::F64, Precision::F32] {
        let plan = Plan { precision, ..Plan::new().unwrap() };
        let whole = PairsGram::symmetric(&items, &kernel, &plan).unwrap();
        let cut = PairsGram::symmetric(&items, &kernel, &plan).unwrap();
        let cut = Interruptible::new(cut, Some(Interrupt::new()));
        check_symmetric(&cut);
        assert_eq!(cut.diagonal(), whole.diagonal());
        let rows: Vec<usize> = (0..n).map(|i| (i * 3 + 1) % n).collect();
        let weights: Vec<f64> = rows.iter().map(|&r| (r as f64).sin()).collect();
        let sums = [&whole as &dyn Gram, &cut].map(|gram| {
            let mut f = vec![0.5; n];
            gram.accumulate(&rows, &weights, Columns::Range(0..n), &mut f).unwrap();
            gram.restrict(&[5, 3])
                .unwrap()
                .accumulate(&rows, &weights, Columns::Range(0..2), &mut f[..2])
                .unwrap();
            f
        });
        assert_bits(&sums[1], &sums[0], "accumulate");
        let blocks = [&whole as &dyn Gram, &cut].map(|gram| {
            let mut values = vec![0.0; n * n];
            gram.fill(&rows, Columns::Range(0..n), Block::F64 { values: &mut values, stride: n }).unwrap();
            values
        });
        assert_bits(&blocks[1], &blocks[0], "fill");
        let mut terms = Combinations::new();
        terms.push((0..n).map(|r| (r, (r as f64).cos())));
        terms.push((0..n).step_by(3).map(|r| (r, 0.1)));
        let combined = [&whole as &dyn Gram, &cut].map(|gram| {
            let mut f = vec![0.25; 2 * n];
            gram.combine(&rows, &terms, Columns::Range(0..n), &mut f, &Workers::serial()).unwrap();
            f
        });
        assert_bits(&combined[1], &combined[0], "combine");
    }
}

#[test]
fn a_verb_ends_between_two_pieces() {
    let items = items();
    let n = items.len();
    let all: Vec<usize> = (0..n).collect();
    for cache_bytes in [0, 1 << 30] {
        let interrupt = Interrupt::new();
        let calls = AtomicUsize::new(0);
        // Says so in the middle of the first sum.
        let kernel = |a: &f64, b: &f64| {
            if calls.fetch_add(1, Ordering::Relaxed) == 2 * n {
                interrupt.raise();
            }
            kernel(a, b)
        };
        let plan = Plan { cache_bytes, interrupt: Some(interrupt.clone()), ..Plan::new().unwrap() };
        let gram = CachedGram::new(PairsGram::symmetric(&items, &kernel, &plan).unwrap(), &plan).unwrap();
        let mut f = vec![0.0; n];
        let found = gram.accumulate(&all, &vec![1.0; n], Columns::Range(0..n), &mut f);
        assert!(matches!(found, Err(Error::Interrupted)));
        assert!(calls.load(Ordering::Relaxed) < n * n / 2, "it went on to the end");
        assert!(matches!(gram.restrict(&[1]).err(), Some(Error::Interrupted)));
    }
}
