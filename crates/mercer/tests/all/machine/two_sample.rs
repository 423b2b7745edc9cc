//! The two-sample test: against its definition, and how often it errs.

use mercer::Error;
use mercer::data::{Random, Vectors};
use mercer::gram::PrecomputedGram;
use mercer::kernel::Expression;
use mercer::machine::{MatrixOptions, TwoSampleTest};

fn rows(n: usize, first: usize, shift: f64, seed: u64) -> Vec<[f64; 1]> {
    let mut random = Random::new(seed);
    (0..n).map(|i| [random.normal() + if i < first { 0.0 } else { shift }]).collect()
}

#[test]
fn the_statistic_is_that_of_the_definition() {
    let points = rows(25, 10, 0.7, 3);
    let k = |i: usize, j: usize| (-0.5 * (points[i][0] - points[j][0]).powi(2)).exp();
    let mean = |a: std::ops::Range<usize>, b: std::ops::Range<usize>, own: bool| {
        let pairs: Vec<f64> = a
            .flat_map(|i| b.clone().map(move |j| (i, j)))
            .filter(|(i, j)| own || i != j)
            .map(|(i, j)| k(i, j))
            .collect();
        pairs.iter().sum::<f64>() / pairs.len() as f64
    };
    let expected =
        |own| mean(0..10, 0..10, own) + mean(10..25, 10..25, own) - 2.0 * mean(0..10, 10..25, true);
    let kernel: Expression = "gaussian(gamma=0.5)".parse().unwrap();
    let items = Vectors::from_rows(&points).unwrap();
    let test = |threads, seed| {
        let options = MatrixOptions { threads, ..MatrixOptions::default() };
        TwoSampleTest::new(&kernel, &items, 10, 150, seed, &options).unwrap()
    };
    let found = test(1, 5);
    assert!(
        (found.statistic - expected(false)).abs() < 1e-12 && (found.biased - expected(true)).abs() < 1e-12
    );
    assert_eq!(found, test(3, 5));
    assert_eq!(found.permutations, 150);
}

#[test]
fn beyond_the_memory_values_are_computed_again() {
    let kernel: Expression = "gaussian(gamma=0.5)".parse().unwrap();
    let items = Vectors::from_rows(&rows(90, 40, 0.4, 8)).unwrap();
    let test = |memory, threads| {
        let options = MatrixOptions { memory, threads, ..MatrixOptions::default() };
        TwoSampleTest::new(&kernel, &items, 40, 200, 2, &options).unwrap()
    };
    let (held, again) = (test(1 << 30, 1), test(1000, 1));
    assert!(held.held && !again.held);
    assert!((held.statistic - again.statistic).abs() < 1e-12 && held.p_value == again.p_value);
    assert_eq!(again, test(1000, 3));
}

#[test]
fn it_errs_as_often_as_it_says_and_notices_what_is_there() {
    let kernel: Expression = "gaussian(gamma=0.5)".parse().unwrap();
    let options = MatrixOptions::default();
    let rejected = |shift: f64| {
        (0..200)
            .filter(|&seed| {
                let items = Vectors::from_rows(&rows(40, 20, shift, seed)).unwrap();
                TwoSampleTest::new(&kernel, &items, 20, 99, seed, &options).unwrap().p_value <= 0.1
            })
            .count()
    };
    // 20 of 200 by chance, with a deviation of 4.2.
    let by_chance = rejected(0.0);
    assert!((6..=34).contains(&by_chance), "{by_chance}");
    assert!(rejected(1.5) > 190);
}

#[test]
fn bad_input_is_refused_by_name() {
    let gram = PrecomputedGram::symmetric(vec![1.0; 25], 5).unwrap();
    let options = MatrixOptions::default();
    let test = |first, permutations, options| TwoSampleTest::of_gram(&gram, first, permutations, 0, options);
    assert!(matches!(test(1, 10, &options), Err(Error::Shape { expected: 2, found: 1, .. })));
    assert!(matches!(test(4, 10, &options), Err(Error::Shape { expected: 2, found: 1, .. })));
    assert!(matches!(test(9, 10, &options), Err(Error::Shape { expected: 2, found: 0, .. })));
    assert!(matches!(test(2, 0, &options), Err(Error::Parameter { name: "permutations", .. })));
    // Items that are all alike: every division is as good as the given one.
    assert_eq!(test(2, 10, &options).unwrap().p_value, 1.0);
}
