//! Every way of dividing rows: what it promises, scikit-learn's splits (stored by tools/reference/splits.py), and its words.

use mercer::Error;
use mercer::data::{Labels, Split, Splitting, TimeSeries};
use mercer_testkit::random::Random;
use serde::Deserialize;

use super::split::{assert_division, random_labels};

#[derive(Deserialize)]
struct Fixture {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    splitting: String,
    rows: usize,
    groups: Option<Vec<u64>>,
    splits: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    train: Vec<usize>,
    test: Vec<usize>,
}

fn splitting(words: &str) -> Splitting {
    words.parse().unwrap_or_else(|error| panic!("{words}: {error}"))
}

#[test]
fn splits_without_chance_are_those_of_scikit_learn() {
    let fixture: Fixture = serde_json::from_str(include_str!("../../fixtures/splits.json")).unwrap();
    assert!(fixture.cases.len() >= 9);
    for case in fixture.cases {
        let splits = splitting(&case.splitting).splits(case.rows, None, case.groups.as_deref(), 7).unwrap();
        let listed: Vec<Split> =
            case.splits.into_iter().map(|Listed { train, test }| Split { train, test }).collect();
        assert_eq!(splits, listed, "{}", case.splitting);
    }
}

/// Rows with labels and groups; as many groups as folds at least.
fn random_rows(random: &mut Random, k: usize) -> (Labels, Vec<u64>) {
    let n = 4 * k + random.below(150);
    let classes = 1 + random.below(4);
    let labels = random_labels(random, n, classes);
    let groups = (0..n).map(|i| if i < 2 * k { i as u64 } else { random.below(3 * k) as u64 }).collect();
    (labels, groups)
}

#[test]
fn folds_test_every_row_once_and_repetitions_once_each() {
    let mut random = Random::new(21);
    for seed in 0..40 {
        let k = 2 + random.below(6);
        let (labels, groups) = random_rows(&mut random, k);
        let n = labels.len();
        for (words, times) in [
            (format!("{k}"), 1),
            (format!("stratified:{k}"), 1),
            (format!("grouped:{k}"), 1),
            (format!("stratified-grouped:{k}"), 1),
            (format!("repeated:{k}x3"), 3),
            (format!("stratified-repeated:{k}x3"), 3),
            ("loo".into(), 1),
            ("logo".into(), 1),
        ] {
            let splitting = splitting(&words);
            let splits = splitting.splits(n, Some(&labels), Some(&groups), seed).unwrap();
            splits.iter().for_each(|split| assert_division(split, n));
            assert!(splits.iter().all(|split| !split.test.is_empty() && !split.train.is_empty()), "{words}");
            for repetition in splits.chunks(splits.len() / times) {
                let mut tested: Vec<usize> = repetition.iter().flat_map(|split| split.test.clone()).collect();
                tested.sort_unstable();
                assert_eq!(tested, (0..n).collect::<Vec<_>>(), "{words}");
            }
            assert_eq!(splits, splitting.splits(n, Some(&labels), Some(&groups), seed).unwrap(), "{words}");
        }
    }
}

#[test]
fn repetitions_differ_and_begin_with_the_folds_of_the_seed() {
    let labels = Labels::from_text((0..60).map(|i| (i % 3).to_string()));
    let splits = splitting("stratified-repeated:5x4").splits(60, Some(&labels), None, 9).unwrap();
    assert_eq!(splits.len(), 20);
    assert_eq!(splits[..5], Split::stratified(&labels, 5, 9).unwrap());
    for (at, one) in splits.chunks(5).enumerate() {
        assert!(splits.chunks(5).skip(at + 1).all(|other| one != other), "repetition {at}");
        // Of every class its share, each time.
        for split in one {
            for class in 0..3 {
                let of_class = split.test.iter().filter(|&&row| labels.codes()[row] == class).count();
                assert_eq!(of_class, 4);
            }
        }
    }
    // Labels are no matter where nothing is stratified.
    let plain = splitting("repeated:5x2").splits(60, Some(&labels), None, 9).unwrap();
    assert_eq!(plain, splitting("repeated:5x2").splits(60, None, None, 9).unwrap());
    assert_ne!(plain, splitting("repeated:5x2").splits(60, None, None, 10).unwrap());
}

#[test]
fn groups_stay_together_and_classes_are_shared_out() {
    let mut random = Random::new(22);
    let (mut stratified, mut plain) = (0.0, 0.0);
    for seed in 0..30 {
        let n = 400;
        // Groups of about ten rows, most of one class.
        let groups: Vec<u64> = (0..n).map(|_| random.below(40) as u64).collect();
        let labels = Labels::from_text(groups.iter().map(|group| match random.below(10) {
            0 => "a".to_string(),
            _ => if group % 4 == 0 { "a" } else { "b" }.to_string(),
        }));
        let all_a = labels.counts()[0] as f64 / n as f64;
        let unevenness = |splits: &[Split]| -> f64 {
            let off = |split: &Split| {
                let a = split.test.iter().filter(|&&row| labels.codes()[row] == 0).count() as f64;
                (a / split.test.len() as f64 - all_a).abs()
            };
            splits.iter().map(off).sum()
        };
        let splits = splitting("stratified-grouped:5").splits(n, Some(&labels), Some(&groups), seed).unwrap();
        for split in &splits {
            assert!(split.test.iter().all(|&a| split.train.iter().all(|&b| groups[a] != groups[b])));
            assert!((60..=100).contains(&split.test.len()), "{} of 400", split.test.len());
        }
        stratified += unevenness(&splits);
        plain += unevenness(&Split::grouped(&groups, 5, seed).unwrap());
    }
    assert!(stratified < 0.3 * plain, "{stratified} {plain}");
}

#[test]
fn stratified_groups_of_one_row_are_strata_and_of_one_class_are_groups() {
    let mut random = Random::new(23);
    for seed in 0..20 {
        let n = 30 + random.below(100);
        let labels = random_labels(&mut random, n, 3);
        let alone: Vec<u64> = (0..n as u64).collect();
        let splits = Split::stratified_grouped(&labels, &alone, 4, seed).unwrap();
        for class in 0..3 {
            let of_class =
                |split: &Split| split.test.iter().filter(|&&row| labels.codes()[row] == class).count();
            let counts: Vec<usize> = splits.iter().map(of_class).collect();
            assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1, "{counts:?}");
        }
        let one_class = Labels::from_codes(vec!["all".into()], vec![0; n]).unwrap();
        let groups: Vec<u64> = (0..n).map(|i| if i < 4 { i } else { random.below(12) } as u64).collect();
        let splits = Split::stratified_grouped(&one_class, &groups, 4, seed).unwrap();
        assert_eq!(splits, Split::grouped(&groups, 4, seed).unwrap());
    }
}

#[test]
fn time_series_never_learn_from_the_future() {
    let mut random = Random::new(24);
    let mut tried = 0;
    for _ in 0..300 {
        let rows = 1 + random.below(60);
        let maybe = |random: &mut Random| Some(1 + random.below(8)).filter(|&number| number % 2 == 0);
        let series = TimeSeries {
            splits: 2 + random.below(5),
            gap: random.below(4),
            test: maybe(&mut random),
            most_train: maybe(&mut random),
        };
        let Ok(splits) = Splitting::TimeSeries(series).splits(rows, None, None, 0) else {
            // There is no past to learn from.
            let test = series.test.unwrap_or(rows / (series.splits + 1));
            assert!(test == 0 || series.gap + series.splits * test >= rows, "{series:?} of {rows}");
            continue;
        };
        tried += 1;
        assert_eq!(splits.len(), series.splits);
        for split in &splits {
            assert!(!split.train.is_empty());
            assert!(split.train.last().unwrap() + series.gap < split.test[0]);
            assert!(split.train.is_sorted() && split.test.is_sorted());
            assert!(split.train.len() <= series.most_train.unwrap_or(rows));
        }
        let tested: Vec<usize> = splits.iter().flat_map(|split| split.test.clone()).collect();
        assert_eq!(tested, (rows - tested.len()..rows).collect::<Vec<_>>());
    }
    assert!(tried > 100);
}

#[test]
fn rows_are_set_aside_again_and_again() {
    let labels = Labels::from_text((0..100).map(|i| if i % 10 == 0 { "rare" } else { "frequent" }));
    let splits = splitting("stratified-held-out:0.2x10").splits(100, Some(&labels), None, 3).unwrap();
    assert_eq!(splits.len(), 10);
    for split in &splits {
        assert_division(split, 100);
        let rare = split.test.iter().filter(|&&row| labels.text(row) == "rare").count();
        assert_eq!((split.test.len(), rare), (20, 2));
    }
    assert!(splits.windows(2).all(|pair| pair[0] != pair[1]));
    let plain = splitting("held-out:0.25x4").splits(10, None, None, 3).unwrap();
    // ⌈2.5⌉ rows.
    assert!(plain.len() == 4 && plain.iter().all(|split| split.test.len() == 3));
}

#[test]
fn words_are_read_as_they_are_printed() {
    for words in [
        "folds:5",
        "stratified:10",
        "grouped:3",
        "stratified-grouped:3",
        "repeated:5x10",
        "stratified-repeated:2x1",
        "leave-one-out",
        "leave-one-group-out",
        "time-series:5",
        "time-series:5,gap=2,test=10,train=100",
        "predefined:0,0,1,-1",
        "held-out:0.25",
        "held-out:0.25x10",
        "stratified-held-out:0.1x3",
    ] {
        assert_eq!(splitting(words).to_string(), words);
        assert_eq!(serde_json::to_string(&splitting(words)).unwrap(), format!("\"{words}\""));
    }
    assert_eq!(splitting(" 5 "), Splitting::Folds { k: 5 });
    assert_eq!(splitting("loo"), Splitting::LeaveOneOut);
    assert_eq!(splitting("logo"), Splitting::LeaveOneGroupOut);
}

#[test]
fn words_without_meaning_are_refused() {
    for words in [
        "",
        "five",
        "5.5",
        "-5",
        "folds",
        "folds:",
        "repeated:5",
        "repeated:5x",
        "stratified-folds:5",
        "loo:3",
        "stratified-time-series:3",
        "time-series:3,lag=2",
        "time-series:3,gap",
        "predefined:",
        "predefined:0,x",
        "held-out:x3",
        "99999999999999999999999",
    ] {
        let outcome = words.parse::<Splitting>();
        assert!(matches!(outcome, Err(Error::Unsupported { .. })), "{words}: {outcome:?}");
    }
    for words in [
        "1",
        "0",
        "stratified:1",
        "grouped:0",
        "stratified-grouped:1",
        "repeated:1x5",
        "repeated:5x0",
        "time-series:1",
        "time-series:3,test=0",
        "time-series:3,train=0",
        "held-out:0",
        "held-out:1",
        "held-out:NaN",
        "held-out:0.5x0",
        "held-out:-0.1",
        "held-out:inf",
    ] {
        let outcome = words.parse::<Splitting>();
        assert!(matches!(outcome, Err(Error::Parameter { .. })), "{words}: {outcome:?}");
    }
}

#[test]
fn rows_that_cannot_be_divided_so_are_refused() {
    let labels = Labels::from_text(["a", "b", "a", "b"]);
    let groups = [1, 1, 2, 2];
    let refused = |words: &str, rows, labels: Option<&Labels>, groups: Option<&[u64]>| {
        splitting(words).splits(rows, labels, groups, 0).unwrap_err()
    };
    for words in
        ["2", "stratified:2", "grouped:2", "loo", "logo", "time-series:2", "held-out:0.5", "predefined:0"]
    {
        assert!(matches!(refused(words, 0, None, None), Error::Empty { .. }), "{words}");
        let error = refused(words, 5, Some(&labels), None);
        assert!(
            matches!(error, Error::Shape { what: "labels (one per row)", expected: 5, found: 4 }),
            "{words}"
        );
        let error = refused(words, 5, None, Some(&groups));
        assert!(matches!(error, Error::Shape { what: "groups (one per row)", .. }), "{words}");
    }
    assert!(matches!(refused("predefined:0,1", 4, None, None), Error::Shape { expected: 4, found: 2, .. }));
    for words in ["5", "stratified:5", "grouped:3", "stratified-grouped:3", "repeated:5x2", "time-series:4"] {
        let error = refused(words, 4, Some(&labels), Some(&groups));
        assert!(matches!(error, Error::Parameter { .. }), "{words}: {error}");
    }
    for words in
        ["stratified:2", "stratified-repeated:2x2", "stratified-held-out:0.5", "stratified-grouped:2"]
    {
        assert!(matches!(refused(words, 4, None, Some(&groups)), Error::Empty { .. }), "{words}");
    }
    for words in ["grouped:2", "logo", "stratified-grouped:2"] {
        assert!(matches!(refused(words, 4, Some(&labels), None), Error::Empty { .. }), "{words}");
    }
    for (words, rows) in [("loo", 1), ("held-out:0.9", 3), ("predefined:3,3", 2)] {
        assert!(matches!(refused(words, rows, None, None), Error::Parameter { .. }), "{words}");
    }
    assert!(matches!(refused("logo", 2, None, Some(&[7, 7])), Error::Parameter { name: "groups", .. }));
    assert!(matches!(refused("predefined:-1,-1", 2, None, None), Error::Empty { what: "rows to test" }));
    assert!(matches!(refused("predefined:0,-2", 2, None, None), Error::Entry { index: 1, .. }));
    assert!(matches!(Split::stratified_grouped(&labels, &[1, 2], 2, 0), Err(Error::Shape { .. })));
    assert!(matches!(Split::repeated(3, Some(&labels), 2, 2, 0), Err(Error::Shape { .. })));
    // Parameters that were put together without words.
    let series = TimeSeries { gap: usize::MAX, ..TimeSeries::new(usize::MAX) };
    assert!(Splitting::TimeSeries(series).splits(10, None, None, 0).is_err());
    assert!(
        Splitting::Repeated { k: 2, times: usize::MAX, stratified: false }.splits(4, None, None, 0).is_err()
    );
}

#[test]
fn lists_that_no_memory_holds_are_refused() {
    // 8 · 10¹² bytes.
    let rows = 1_000_000;
    for words in ["loo", "1000000", "repeated:2x10000000", "held-out:0.5x100000000"] {
        let outcome = splitting(words).splits(rows, None, None, 0);
        assert!(matches!(outcome, Err(Error::Budget { .. })), "{words}");
    }
}
