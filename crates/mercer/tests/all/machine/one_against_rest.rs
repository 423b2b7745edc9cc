//! One machine for each class against the rest.

use mercer::Error;
use mercer::data::{Items, Labels, Scaling, ScalingKind, Vectors};
use mercer::gram::Precision;
use mercer::kernel::Expression;
use mercer::machine::{Probability, Scale, Slack, Svc, SvcParams};
use mercer::solver::{Control, Status};

use super::small_set;

/// Of three classes at three rows.
const SCORES: [f64; 9] = [
    1.2327462761,
    -1.1351639824,
    -1.0917643490,
    -1.0703800318,
    0.9999999758,
    -0.9999999739,
    -1.1181700812,
    -1.7700426355,
    1.7175083796,
];

fn machine(kernel: &str) -> SvcParams<Expression> {
    Svc::params(kernel.parse().unwrap()).cost(2.0).tolerance(1e-8).precision(Precision::F64)
}

fn go_on(_: &mercer::machine::FitProgress) -> Control {
    Control::Continue
}

fn close(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{a} {b}");
    }
}

/// scikit-learn 1.9.1: OneVsRestClassifier(SVC(C=2, gamma=0.5, tol=1e-10)), decision values of rows 0, 60 and 120.
#[test]
fn scikit_learn_finds_the_same() {
    let (rows, labels) = small_set("iris.csv");
    let machine = machine("gaussian(gamma=0.5)").check().unwrap();
    let model = machine.fit_one_against_rest(&rows, &labels, None, None, &go_on).unwrap();
    assert_eq!(model.status(), Some(Status::Converged));
    close(&model.scores(&rows.select(&[0, 60, 120])).unwrap(), &SCORES, 1e-5);
    assert!(model.reports().iter().all(|report| report.relative_gap().unwrap() < 1e-6));
}

/// Each function is the machine of two classes, all others under one name.
#[test]
fn each_class_is_a_machine_of_two() {
    let (rows, labels) = small_set("wine.csv");
    let rows = Scaling::fit(ScalingKind::Standardise, &rows).unwrap().apply(&rows).unwrap();
    for (slack, scale) in [
        (Slack::Linear, Scale::Functional),
        (Slack::Quadratic, Scale::Geometric),
        (Slack::Nu { nu: 0.2 }, Scale::Functional),
        (Slack::None, Scale::Functional),
    ] {
        let machine = machine("gaussian(gamma=0.05)").slack(slack).scale(scale).check().unwrap();
        let model = machine.fit_one_against_rest(&rows, &labels, None, None, &go_on).unwrap();
        let scores = model.scores(&rows).unwrap();
        for (class, name) in labels.classes().iter().enumerate() {
            let two = Labels::from_text(
                (0..labels.len()).map(|row| if labels.text(row) == name { "this" } else { "other" }),
            );
            let alone = machine.fit(&rows, &two).unwrap();
            let (a, b) = (&model.reports()[class], &alone.pairs().reports[0]);
            close(&[a.certificate.dual], &[b.certificate.dual], 1e-6);
            let of_class: Vec<f64> = scores.iter().skip(class).step_by(3).copied().collect();
            close(&of_class, &alone.decision_values(&rows).unwrap(), 1e-4);
        }
        let predicted = model.predict_labels(&rows).unwrap();
        assert!((0..rows.len()).filter(|&row| predicted[row] == labels.text(row)).count() > 170);
    }
}

#[test]
fn weights_threads_and_warm_starts_work_as_ever() {
    let (rows, labels) = small_set("iris.csv");
    let machine = machine("gaussian(gamma=0.5)");
    let weights: Vec<f64> = (0..rows.len()).map(|i| (i % 3) as f64).collect();
    let repeated: Vec<usize> = (0..rows.len()).flat_map(|i| vec![i; i % 3]).collect();
    let checked = machine.clone().check().unwrap();
    let weighted = checked.fit_one_against_rest(&rows, &labels, Some(&weights), None, &go_on).unwrap();
    let copied = checked
        .fit_one_against_rest(&rows.select(&repeated), &labels.select(&repeated), None, None, &go_on)
        .unwrap();
    close(&weighted.scores(&rows).unwrap(), &copied.scores(&rows).unwrap(), 1e-5);

    let fit = |threads: usize| {
        let machine = machine.clone().threads(threads).check().unwrap();
        machine.fit_one_against_rest(&rows, &labels, None, None, &go_on).unwrap().scores(&rows).unwrap()
    };
    assert_eq!(fit(1), fit(4));

    let stopped = machine.clone().max_iterations(5).check().unwrap();
    let stopped = stopped.fit_one_against_rest(&rows, &labels, None, None, &go_on).unwrap();
    assert_eq!(stopped.status(), Some(Status::IterationLimit));
    let again =
        checked.fit_one_against_rest(&rows, &labels, None, Some(stopped.functions()), &go_on).unwrap();
    close(&again.scores(&rows).unwrap(), &fit(1), 1e-5);
    let single = machine.tolerance(1e-3).precision(Precision::F32).check().unwrap();
    let single = single.fit_one_against_rest(&rows, &labels, None, None, &go_on).unwrap();
    for (single, double) in single.reports().iter().zip(again.reports()) {
        let (bounds, optimum) = (single.certificate, double.certificate.dual);
        assert!(bounds.dual <= optimum * (1.0 + 1e-9) && optimum <= bounds.primal * (1.0 + 1e-9));
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let (rows, labels) = small_set("iris.csv");
    let fit = |params: SvcParams<Expression>, labels: &Labels| {
        params.check().unwrap().fit_one_against_rest(&rows, labels, None, None, &go_on).map(|_| ())
    };
    let params = machine("linear");
    assert!(matches!(
        fit(params.clone().probability(Probability::Platt), &labels),
        Err(Error::Unsupported { .. })
    ));
    // Of 150 rows 50 are of a class: ν can be ⅔ at most.
    match fit(params.clone().slack(Slack::Nu { nu: 0.7 }), &labels) {
        Err(Error::Interval { high, .. }) => assert!((high - 2.0 / 3.0).abs() < 1e-12),
        other => panic!("{other:?}"),
    }
    let one = Labels::from_text(vec!["same"; 150]);
    assert!(matches!(fit(params.clone(), &one), Err(Error::OneClass { .. })));
    let few = Labels::from_text(["a", "b"]);
    assert!(matches!(fit(params, &few), Err(Error::Shape { .. })));
    let empty = Vectors::from_rows(&Vec::<[f64; 4]>::new());
    assert!(empty.is_err() || empty.unwrap().is_empty());
}
