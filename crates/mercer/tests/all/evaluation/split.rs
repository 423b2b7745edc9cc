//! Every division is one, and keeps what it promises.

use mercer::Error;
use mercer::data::{Labels, Split};
use mercer_testkit::random::Random;

pub fn random_labels(random: &mut Random, n: usize, classes: usize) -> Labels {
    Labels::from_text((0..n).map(|i| format!("c{}", if i < classes { i } else { random.below(classes) })))
}

/// Both sides ascending, nothing twice, everything there.
pub fn assert_division(split: &Split, n: usize) {
    let mut all: Vec<usize> = split.train.iter().chain(&split.test).copied().collect();
    assert!(split.train.is_sorted() && split.test.is_sorted());
    all.sort_unstable();
    assert_eq!(all, (0..n).collect::<Vec<_>>());
}

#[test]
fn folds_test_every_row_once() {
    let mut random = Random::new(1);
    for _ in 0..50 {
        let n = 2 + random.below(200);
        let k = 2 + random.below(n.min(12) - 1);
        let labels = random_labels(&mut random, n, 1 + n.min(4) / 2);
        let groups: Vec<u64> =
            (0..n).map(|i| if i < k { i as u64 } else { random.below(20) as u64 }).collect();
        for splits in [
            Split::folds(n, k, 3).unwrap(),
            Split::stratified(&labels, k, 3).unwrap(),
            Split::grouped(&groups, k, 3).unwrap(),
        ] {
            assert_eq!(splits.len(), k);
            let mut tested: Vec<usize> = splits.iter().flat_map(|split| split.test.clone()).collect();
            tested.sort_unstable();
            assert_eq!(tested, (0..n).collect::<Vec<_>>());
            splits.iter().for_each(|split| assert_division(split, n));
        }
    }
}

#[test]
fn sizes_and_shares_differ_by_one_at_most() {
    let mut random = Random::new(2);
    for _ in 0..50 {
        let n = 20 + random.below(300);
        let labels = random_labels(&mut random, n, 5);
        let k = 2 + random.below(8);
        let splits = Split::stratified(&labels, k, 11).unwrap();
        let spread = |count: &dyn Fn(&Split) -> usize| {
            let counts: Vec<usize> = splits.iter().map(count).collect();
            counts.iter().max().unwrap() - counts.iter().min().unwrap()
        };
        assert!(spread(&|split| split.test.len()) <= 1);
        for class in 0..5 {
            let of_class =
                |split: &Split| split.test.iter().filter(|&&row| labels.codes()[row] == class).count();
            assert!(spread(&of_class) <= 1, "class {class}");
        }
    }
}

#[test]
fn groups_stay_together() {
    let mut random = Random::new(3);
    let groups: Vec<u64> = (0..300).map(|_| random.below(40) as u64).collect();
    for split in Split::grouped(&groups, 5, 0).unwrap() {
        assert!(split.test.iter().all(|&a| split.train.iter().all(|&b| groups[a] != groups[b])));
        assert!((40..=80).contains(&split.test.len()), "{} of 300", split.test.len());
    }
}

#[test]
fn rows_held_out_have_the_shares_of_the_classes() {
    let labels = Labels::from_text((0..1000).map(|i| if i % 10 == 0 { "rare" } else { "frequent" }));
    let split = Split::held_out(&labels, 200, 4).unwrap();
    assert_division(&split, 1000);
    let rare = split.test.iter().filter(|&&row| labels.text(row) == "rare").count();
    assert_eq!((split.test.len(), rare), (200, 20));
    // Even if most rows are set aside a class of two rows has one to learn from.
    let labels = Labels::from_text(["a", "a", "b", "b", "b", "b"]);
    let split = Split::held_out(&labels, 4, 0).unwrap();
    assert!(split.train.iter().any(|&row| labels.text(row) == "a"));
    assert_eq!(Split::sample(&labels, 6, 0).unwrap(), [0, 1, 2, 3, 4, 5]);
    assert_eq!(Split::sample(&labels, 3, 0).unwrap().len(), 3);
}

#[test]
fn seeds_decide_and_nonsense_is_refused() {
    let labels = Labels::from_text((0..40).map(|i| (i % 2).to_string()));
    assert_eq!(Split::stratified(&labels, 4, 7).unwrap(), Split::stratified(&labels, 4, 7).unwrap());
    assert_ne!(Split::stratified(&labels, 4, 7).unwrap(), Split::stratified(&labels, 4, 8).unwrap());
    for outcome in [
        Split::folds(10, 1, 0),
        Split::folds(10, 11, 0),
        Split::stratified(&labels, 0, 0),
        Split::grouped(&[1, 1, 2], 3, 0),
    ] {
        assert!(matches!(outcome, Err(Error::Parameter { name: "folds", .. })));
    }
    for rows in [0, 40, 41] {
        assert!(Split::held_out(&labels, rows, 0).is_err());
    }
}
