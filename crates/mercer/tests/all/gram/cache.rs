use std::sync::Arc;

use mercer::gram::{CachedGram, Columns, Gram, PairsGram, Plan, Precision, SymmetricGram};
use mercer::resources::Workers;

use super::contract::{assert_bits, check_symmetric};

fn kernel(a: &f64, b: &f64) -> f64 {
    (-0.3 * (a - b) * (a - b)).exp()
}

fn plan(precision: Precision, threads: usize, cache_bytes: u64) -> Plan {
    let workers = Arc::new(Workers::new(threads));
    Plan { precision, workers, cache_bytes, ..Plan::new().unwrap() }
}

fn items(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i as f64 * 0.37).sin() * 4.0).collect()
}

#[test]
fn any_budget_and_any_number_of_threads_give_the_same_bits() {
    let n = 61;
    let items = items(n);
    for precision in [Precision::F64, Precision::F32] {
        let mut expected: Option<Vec<f64>> = None;
        for threads in [1, 2, 4] {
            let row = 8 * n as u64;
            for budget in [0, 1, row / 2, row, 3 * row + 1, 40 * row, 1 << 20] {
                let plan = plan(precision, threads, budget);
                let gram = PairsGram::symmetric(&items, &kernel, &plan).unwrap();
                let gram = CachedGram::new(gram, &plan).unwrap();
                check_symmetric(&gram);
                let mut f = vec![0.0; n];
                for round in 0..5 {
                    let rows: Vec<usize> = (0..n).map(|i| (i * (round + 2) + round) % n).collect();
                    let weights: Vec<f64> = rows.iter().map(|&r| (r as f64).sin()).collect();
                    gram.accumulate(&rows, &weights, Columns::Range(0..n), &mut f).unwrap();
                }
                assert!(gram.statistics().bytes <= budget);
                match &expected {
                    Some(expected) => assert_bits(&f, expected, "budget"),
                    None => expected = Some(f),
                }
            }
        }
    }
}

#[test]
fn a_row_is_computed_once_while_there_is_room() {
    let items = items(50);
    let plan = plan(Precision::F32, 2, 1 << 20);
    let gram = CachedGram::new(PairsGram::symmetric(&items, &kernel, &plan).unwrap(), &plan).unwrap();
    let mut f = vec![0.0; 50];
    for _ in 0..3 {
        gram.accumulate(&[4, 9, 4], &[1.0, 2.0, 3.0], Columns::Range(0..50), &mut f).unwrap();
    }
    let statistics = gram.statistics();
    assert_eq!((statistics.computed, statistics.hits, statistics.bytes), (2, 6, 2 * 50 * 4));
    let mut one = [0.0];
    gram.accumulate(&[9], &[1.0], Columns::Range(3..4), &mut one).unwrap();
    assert_eq!(gram.statistics().hits, 7);
    assert_eq!(gram.diagonal().len(), 50);
}

#[test]
fn the_least_recently_used_row_makes_room() {
    let items = items(10);
    let plan = plan(Precision::F64, 1, 2 * 80);
    let gram = CachedGram::new(PairsGram::symmetric(&items, &kernel, &plan).unwrap(), &plan).unwrap();
    let computed = |row: usize| {
        let before = gram.statistics().computed;
        gram.accumulate(&[row], &[1.0], Columns::Range(0..10), &mut [0.0; 10]).unwrap();
        gram.statistics().computed - before
    };
    assert_eq!([0, 1, 0, 2, 0, 1].map(computed), [1, 1, 0, 1, 0, 1]);
}

#[test]
fn a_restriction_takes_the_rows_along_and_shares_the_budget() {
    let items = items(40);
    // Room for three whole rows.
    let plan = plan(Precision::F64, 1, 3 * 320);
    let gram = CachedGram::new(PairsGram::symmetric(&items, &kernel, &plan).unwrap(), &plan).unwrap();
    gram.accumulate(&[1, 2, 3], &[1.0; 3], Columns::Range(0..40), &mut [0.0; 40]).unwrap();
    let kept: Vec<usize> = (0..20).collect();
    let half = gram.restrict(&kept).unwrap();
    assert!(gram.statistics().bytes <= 3 * 320);
    let before = gram.statistics().computed;
    half.accumulate(&[1, 2, 3], &[1.0; 3], Columns::Range(0..20), &mut [0.0; 20]).unwrap();
    assert_eq!(gram.statistics().computed, before);
    // New rows of the restriction push out rows of the whole matrix, not the other way round.
    half.accumulate(&[4, 5, 6], &[1.0; 3], Columns::Range(0..20), &mut [0.0; 20]).unwrap();
    let before = gram.statistics().computed;
    half.accumulate(&[1, 2, 3, 4, 5, 6], &[1.0; 6], Columns::Range(0..20), &mut [0.0; 20]).unwrap();
    assert_eq!(gram.statistics().computed, before);
    assert!(gram.statistics().bytes <= 3 * 320);
    drop(half);
    assert!(gram.statistics().bytes <= 320);
}

#[test]
fn many_threads_may_ask_at_once() {
    let n = 300;
    let items = items(n);
    let plan = plan(Precision::F64, 4, 20 * 8 * n as u64);
    let gram = CachedGram::new(PairsGram::symmetric(&items, &kernel, &plan).unwrap(), &plan).unwrap();
    let sums = Workers::new(4).map(16, true, |task| {
        let rows: Vec<usize> = (0..60).map(|i| (i * 7) % n).collect();
        let mut f = vec![0.0; n];
        for _ in 0..1 + task % 3 {
            f.fill(0.0);
            gram.accumulate(&rows, &vec![0.5; 60], Columns::Range(0..n), &mut f).unwrap();
        }
        f
    });
    for f in &sums {
        assert_bits(f, &sums[0], "tasks");
    }
}
