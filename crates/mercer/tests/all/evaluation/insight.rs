//! Wrong labels that were planted are found.

use mercer::data::{Labels, Scaling, ScalingKind, read_file};
use mercer::evaluation::insight::{SuspectOptions, suspects};
use mercer::kernel::Expression;
use mercer::machine::Svc;
use mercer_testkit::fixture;
use mercer_testkit::random::Random;

/// The share of planted wrong labels, a tenth of all, that stand in the first 15 % of the ranking.
fn found(path: std::path::PathBuf, times: usize, seed: u64) -> f64 {
    let table = read_file(path, &Default::default()).unwrap().table().unwrap();
    let rows = Scaling::fit(ScalingKind::Standardise, &table.vectors).unwrap().apply(&table.vectors).unwrap();
    let labels = table.targets.labels().unwrap();
    let n = labels.len();
    let mut order: Vec<usize> = (0..n).collect();
    Random::new(seed).shuffle(&mut order);
    let planted = &order[..n / 10];
    let mut codes = labels.codes().to_vec();
    for &row in planted {
        codes[row] = 1 - codes[row];
    }
    let noisy = Labels::from_codes(labels.classes().to_vec(), codes).unwrap();
    let machine = Svc::params("gaussian".parse::<Expression>().unwrap()).check().unwrap();
    let ranked =
        suspects(&machine, &rows, &noisy, &SuspectOptions { times, ..SuspectOptions::default() }).unwrap();
    let first: Vec<usize> = ranked[..n * 15 / 100].iter().map(|suspect| suspect.row).collect();
    let hits = planted.iter().filter(|row| first.contains(row)).count();
    println!("{hits} of {} planted labels in the first {} of {n} rows", planted.len(), first.len());
    hits as f64 / planted.len() as f64
}

#[test]
fn planted_label_noise_in_ionosphere_is_found() {
    for seed in 0..3 {
        let share = found(fixture::data("ionosphere.csv"), 3, seed);
        assert!(share >= 0.6, "{share}");
    }
}

#[test]
fn planted_label_noise_in_spam_is_found() {
    let Some(path) = fixture::large_data("spam/spam.csv.gz") else { return };
    let share = found(path, 1, 0);
    assert!(share >= 0.6, "{share}");
}

#[test]
fn the_only_row_of_a_class_is_contradicted_and_never_suggested() {
    let rows: Vec<[f64; 2]> = (0..40).map(|at| [f64::from(at), f64::from(at * 7 % 11)]).collect();
    let rows = mercer::data::Vectors::from_rows(&rows).unwrap();
    let machine = Svc::params("gaussian".parse::<Expression>().unwrap()).check().unwrap();
    // The others have one class: the machine without the row is its constant, and 2 y f(x) = −2.
    let labels = Labels::from_text((0..40).map(|at| if at == 17 { "rare" } else { "common" }));
    let ranked = suspects(&machine, &rows, &labels, &SuspectOptions::default()).unwrap();
    assert_eq!((ranked[0].row, ranked[0].margin), (17, -2.0));
    // They have two: it loses against both.
    let labels = Labels::from_text((0..40).map(|at| match at {
        17 => "rare",
        at if at < 20 => "low",
        _ => "high",
    }));
    let ranked = suspects(&machine, &rows, &labels, &SuspectOptions::default()).unwrap();
    let rare = ranked.iter().find(|suspect| suspect.row == 17).unwrap();
    assert!(rare.margin <= -1.0 && rare.suggested != rare.given, "{rare:?}");
    assert!(ranked.iter().all(|one| one.suggested != rare.given || one.margin > 0.0));
}
