//! Agreement with LIBSVM and scikit-learn on the same data.

use mercer::data::{Items, Labels, Vectors};
use mercer::gram::Precision;
use mercer::kernel::Expression;
use mercer::machine::{ClassWeights, Svc, SvcModel};
use mercer::solver::Status;
use mercer_testkit::fixture::{self, KernelSpec, SvcCase, SvcFixture};

use super::{expression, source_rows};

fn fit(
    case: &SvcCase,
    rows: &Vectors<'_>,
    labels: &Labels,
    precision: Precision,
    tolerance: f64,
) -> SvcModel<Expression, Vectors<'static>> {
    let weights = labels.classes().iter().cloned().zip(case.class_weight.iter().copied()).collect();
    let machine = Svc::params(expression(&case.kernel))
        .cost(case.cost)
        .class_weights(ClassWeights::Given(weights))
        .precision(precision)
        .tolerance(tolerance)
        .check()
        .unwrap();
    match &case.sample_weight {
        Some(weights) => machine.fit_weighted(rows, labels, weights).unwrap(),
        None => machine.fit(rows, labels).unwrap(),
    }
}

/// Compares objectives, offsets, decision values and predictions.
fn compare(
    case: &SvcCase,
    set: &str,
    model: &SvcModel<Expression, Vectors<'static>>,
    rows: &Vectors<'_>,
    bound: f64,
) {
    let name = format!("{set}, {}", case.name);
    // Single precision may not be up to a tolerance; then it says so.
    let single = model.precision() == Precision::F32;
    let status = model.status().unwrap();
    assert!(status == Status::Converged || single && status == Status::NumericalLimit, "{name}: {status}");
    let reports = &model.pairs().reports;
    assert_eq!(reports.len(), case.problems.len(), "{name}");
    for (report, expected) in reports.iter().zip(&case.problems) {
        assert_eq!(report.classes, (expected.positive, expected.negative), "{name}");
        let objective = -report.certificate.dual;
        let reference = expected.exact_objective.unwrap_or(expected.objective);
        let off = (objective - reference).abs() / reference.abs();
        // In single precision the certificate allows for the rounding.
        let bound = bound + if single { report.certificate.relative_gap() } else { 0.0 };
        assert!(off < bound, "{name}: objective {objective} against {reference}, off by {off:e}");
        if let (Some(exact), true) = (expected.exact_objective, report.convex) {
            let (exact, c) = (-exact, report.certificate);
            let digits = 1e-9 * exact.abs();
            assert!(c.dual <= exact + digits && exact <= c.primal + digits, "{name}: {exact} outside {c:?}");
        }
    }
    // The fixtures' values speak for the first class of a pair, Mercer's for the second.
    let first: Vec<usize> = (0..case.train.decisions.len()).collect();
    let found = model.decision_values(&rows.select(&first)).unwrap();
    let expected: Vec<f64> = case.train.decisions.iter().flatten().copied().collect();
    assert_eq!(found.len(), expected.len(), "{name}");
    // LIBSVM and scikit-learn hold K in f32, so that their own answers are only so good.
    let slack = 2e-3 + 3.0 * case.problems.iter().map(|p| p.kkt_gap).fold(0.0, f64::max);
    // The objective is flat at its optimum: known to so many digits it says fewer about the decision values.
    let slack = slack.max(20.0 * bound);
    for (at, (f, e)) in found.iter().zip(&expected).enumerate() {
        assert!(
            (f + e).abs() < slack * e.abs().max(1.0),
            "{name}: decision value {at} is {f}, expected {}",
            -e
        );
    }
}

#[test]
fn heart_with_default_settings_gives_the_numbers_everyone_knows() {
    let fixture: SvcFixture = fixture::read("svc/heart.json");
    let (rows, labels) = source_rows(&fixture.data.train).unwrap();
    let model = Svc::params("gaussian(gamma=auto)".parse::<Expression>().unwrap()).check().unwrap();
    let model = model.fit(&rows, &labels).unwrap();
    let report = &model.pairs().reports[0];
    assert!((-report.certificate.dual + 100.8773).abs() < 1e-3, "{:?}", report.certificate);
    assert!((-model.pairs().offsets[0] - 0.4245).abs() < 2e-3, "{:?}", model.pairs().offsets);
    assert!(model.pairs().support.len().abs_diff(132) <= 1, "{}", model.pairs().support.len());
    let predicted = model.predict(&rows).unwrap();
    let right = predicted.iter().zip(labels.codes()).filter(|(p, c)| **p == **c as usize).count();
    assert_eq!(right, 234);
    assert_eq!(model.kernel().to_string(), format!("gaussian(gamma={})", 1.0 / 13.0));
}

#[test]
fn small_sets_agree_in_double_precision() {
    for set in ["heart", "ionosphere", "iris", "wine", "heart_weights"] {
        let fixture: SvcFixture = fixture::read(&format!("svc/{set}.json"));
        let (rows, labels) = source_rows(&fixture.data.train).unwrap();
        assert_eq!(labels.classes(), fixture.data.classes, "{set}");
        for case in &fixture.cases {
            // tanh is not positive semi-definite: what is found there is a stationary point, not the minimum.
            let is_sigmoid = matches!(case.kernel, KernelSpec::Sigmoid { .. });
            let model = fit(case, &rows, &labels, Precision::F64, if is_sigmoid { 1e-6 } else { 1e-8 });
            compare(case, set, &model, &rows, if is_sigmoid { 1e-4 } else { 2e-8 });
            assert_eq!(model.pairs().reports[0].relative_gap().is_none(), is_sigmoid);
            if !is_sigmoid {
                let largest =
                    model.pairs().reports.iter().filter_map(|r| r.relative_gap()).fold(0.0, f64::max);
                assert!(largest < 1e-6, "{set}, {}: duality gap {largest:e}", case.name);
            }
        }
    }
}

#[test]
fn small_sets_agree_in_single_precision() {
    for set in ["heart", "ionosphere", "iris", "wine", "heart_weights"] {
        let fixture: SvcFixture = fixture::read(&format!("svc/{set}.json"));
        let (rows, labels) = source_rows(&fixture.data.train).unwrap();
        for case in fixture.cases.iter().filter(|case| !matches!(case.kernel, KernelSpec::Sigmoid { .. })) {
            let model = fit(case, &rows, &labels, Precision::F32, 1e-6);
            // Polynomials on raw iris have values of 1e4, which f32 rounds by 1e-3.
            let is_large = matches!(case.kernel, KernelSpec::Polynomial { .. }) && set == "iris";
            compare(case, set, &model, &rows, if is_large { 1e-3 } else { 1e-4 });
        }
    }
}

#[test]
fn larger_sets_agree_in_single_precision() {
    for set in ["a9a", "usps"] {
        let fixture: SvcFixture = fixture::read(&format!("svc/{set}.json"));
        let Some((rows, labels)) = source_rows(&fixture.data.train) else { continue };
        for case in &fixture.cases {
            let model = fit(case, &rows, &labels, Precision::F32, 1e-4);
            compare(case, set, &model, &rows, 1e-4);
            let near = |a: usize, b: usize| a.abs_diff(b) as f64 <= 0.01 * b as f64;
            let support = model.pairs().support.len();
            assert!(near(support, case.support_vectors), "{set}: {support} support vectors");
            if let (Some(test), Some(source)) = (&case.test, &fixture.data.test) {
                let (rows, labels) = source_rows(source).unwrap();
                let predicted = model.predict_labels(&rows).unwrap();
                let right = (0..rows.len()).filter(|&i| predicted[i] == labels.text(i)).count();
                let off = (right as f64 - test.correct as f64).abs() / rows.len() as f64;
                assert!(off < 0.003, "{set}: {right} right, LIBSVM {}", test.correct);
            }
        }
    }
}
