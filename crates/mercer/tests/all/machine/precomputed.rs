//! Learning from kernel values alone, and from items that are no vectors.

use mercer::data::Labels;
use mercer::gram::{Pairwise, PrecomputedGram};
use mercer::machine::Svc;
use mercer::resources::Workers;
use mercer::solver::Control;
use mercer_testkit::fixture::{self, SvcFixture};

#[test]
fn a_precomputed_matrix_gives_what_libsvm_gives() {
    let fixture: SvcFixture = fixture::read("svc/precomputed.json");
    let all = fixture.data.lower_triangle.len();
    let value = |s: usize, t: usize| fixture.data.lower_triangle[s.max(t)][s.min(t)];
    let train: Vec<usize> = (0..all).step_by(2).collect();
    let test: Vec<usize> = (1..all).step_by(2).collect();
    let square: Vec<f64> = train.iter().flat_map(|&s| train.iter().map(move |&t| value(s, t))).collect();
    let across: Vec<f64> = train.iter().flat_map(|&s| test.iter().map(move |&t| value(s, t))).collect();
    let gram = PrecomputedGram::symmetric(square, train.len()).unwrap();
    let cross = PrecomputedGram::rectangular(across, train.len(), test.len()).unwrap();
    let codes: Vec<u32> = train.iter().map(|&s| fixture.data.codes[s] as u32).collect();
    let labels = Labels::from_codes(fixture.data.classes.clone(), codes).unwrap();
    for case in &fixture.cases {
        let machine = Svc::params(()).cost(case.cost).tolerance(1e-8).check().unwrap();
        let fit = machine.fit_gram(&gram, &labels, None, true, &|_| Control::Continue).unwrap();
        let objective = -fit.pairs.reports[0].certificate.dual;
        let expected = case.problems[0].exact_objective.unwrap();
        assert!(
            (objective - expected).abs() < 1e-7 * expected.abs(),
            "{}: {objective} {expected}",
            case.name
        );
        let decisions = fit.pairs.decisions(&cross, &fit.pairs.support, &Workers::serial()).unwrap();
        for (found, expected) in decisions.iter().zip(&case.test.as_ref().unwrap().decisions) {
            assert!((found + expected[0]).abs() < 1e-4, "{}: {found} {}", case.name, -expected[0]);
        }
    }
}

#[test]
fn strings_are_learned_through_a_kernel_of_ones_own() {
    // Common letters, with multiplicity: an inner product of letter counts.
    let common = |x: &String, z: &String| -> f64 {
        let count = |text: &str, letter: char| text.chars().filter(|&c| c == letter).count();
        ('a'..='z').map(|letter| (count(x, letter) * count(z, letter)) as f64).sum()
    };
    let words: Vec<String> =
        ["aab", "aba", "baa", "aac", "zzy", "yzz", "zyz", "zzx"].map(String::from).to_vec();
    let labels = Labels::from_text(["first", "first", "first", "first", "last", "last", "last", "last"]);
    let model = Svc::params(Pairwise::<_, String>::new(common))
        .cost(10.0)
        .check()
        .unwrap()
        .fit(&words, &labels)
        .unwrap();
    let new: Vec<String> = ["aaaa", "zz", "byz"].map(String::from).to_vec();
    assert_eq!(model.predict_labels(&new).unwrap(), ["first", "last", "last"]);
    assert!(model.support_items().len() <= words.len());
}
