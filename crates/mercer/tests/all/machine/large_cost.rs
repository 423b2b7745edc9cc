//! Costs at which the box hardly binds.

use std::time::Duration;

use mercer::Error;
use mercer::data::{Labels, Scaling, ScalingKind, Vectors};
use mercer::kernel::Expression;
use mercer::machine::{Slack, Svc};
use mercer::solver::Status;
use mercer_testkit::synthetic;

use super::small_set;

#[test]
fn few_columns_and_a_large_cost_do_not_take_for_ever() {
    let (rows, labels) = small_set("ionosphere.csv");
    let rows = Scaling::fit(ScalingKind::Standardise, &rows).unwrap().apply(&rows).unwrap();
    let mut last = 0.0;
    for (kernel, cost) in [("linear", 1e4), ("linear", 1e7), ("1e6 * linear", 1.0)] {
        let machine = Svc::params(kernel.parse::<Expression>().unwrap()).cost(cost).check().unwrap();
        let model = machine.fit(&rows, &labels).unwrap();
        let report = &model.pairs().reports[0];
        assert_eq!(report.status, Status::Converged, "{kernel}, cost {cost}");
        assert!(report.certificate.relative_gap() < 1e-3, "{kernel}, cost {cost}: {:?}", report.certificate);
        // Steps by pairs alone are not done after ten million.
        assert!(report.iterations < 1_000_000, "{kernel}, cost {cost}: {} steps", report.iterations);
        // Where all slack is paid for, the objective grows with C: D/C tends to the least sum of slacks.
        if kernel == "linear" {
            let share = report.certificate.dual / cost;
            assert!(last == 0.0 || (share / last - 1.0).abs() < 1e-3, "{last} and {share}");
            last = share;
        }
    }
}

#[test]
fn separable_data_with_a_huge_cost_reach_a_small_gap_if_asked_to() {
    // Every margin is met within the tolerance, but C times the tolerance is a large slack.
    let sample = synthetic::two_gaussians(200, 2, 12.0, 11);
    let labels = Labels::from_numbers(&sample.labels).unwrap();
    let rows = Vectors::from_rows(&sample.rows).unwrap();
    let machine = Svc::params("linear".parse::<Expression>().unwrap()).cost(1e6);
    let model = machine.duality_gap(1e-3).check().unwrap().fit(&rows, &labels).unwrap();
    assert_eq!(model.status(), Some(Status::Converged));
    let report = &model.pairs().reports[0];
    assert!(report.certificate.relative_gap() < 1e-3, "{:?}", report.certificate);
    // The gap is that of the model itself: ½‖w‖² + C Σξ from its own decision values.
    let decisions = model.decision_values(&rows).unwrap();
    let slack: f64 = decisions.iter().zip(&sample.labels).map(|(f, y)| (1.0 - f * y).max(0.0)).sum();
    let primal = 0.5 / report.margin.powi(2) + 1e6 * slack;
    assert!((primal / report.certificate.primal - 1.0).abs() < 1e-3, "{primal} and {:?}", report.certificate);
}

#[test]
fn the_slack_of_an_unfinished_model_is_that_of_its_decision_values() {
    let (rows, labels) = small_set("ionosphere.csv");
    for steps in [0, 1, 20, 1_000_000] {
        let machine = Svc::params("gaussian(gamma=scale)".parse::<Expression>().unwrap()).cost(100.0);
        let model = machine.max_iterations(steps).check().unwrap().fit(&rows, &labels).unwrap();
        let decisions = model.decision_values(&rows).unwrap();
        let sign = |i: usize| if labels.codes()[i] == 0 { -1.0 } else { 1.0 };
        let slack: f64 = decisions.iter().enumerate().map(|(i, f)| (1.0 - f * sign(i)).max(0.0)).sum();
        let report = &model.pairs().reports[0];
        assert!((report.slack_sum - slack).abs() <= 1e-6 * (1.0 + slack), "{steps}: {slack} and {report:?}");
        assert!(report.slack_sum.is_sign_positive());
    }
}

/// Thirty rows, of which every third is of the one class.
fn thirds() -> (Vectors<'static>, Labels) {
    let mut random = mercer::data::Random::new(3);
    let points: Vec<[f64; 2]> = (0..30).map(|_| [random.normal(), random.normal()]).collect();
    (
        Vectors::from_rows(&points).unwrap(),
        Labels::from_text((0..30).map(|i| if i % 3 == 0 { "a" } else { "b" })),
    )
}

#[test]
fn a_status_never_contradicts_the_gap_beside_it() {
    let (rows, labels) = thirds();
    let kernel = "gaussian(gamma=1)".parse::<Expression>().unwrap();
    let hard = Svc::params(kernel.clone()).slack(Slack::None).check().unwrap().fit(&rows, &labels).unwrap();
    let expected = hard.decision_values(&rows).unwrap();
    for cost in [1.0, 1e3, 1e6, 1e9, 1e12, 1e15, 1e16, 1e20, 1e100, 1e300] {
        let machine = Svc::params(kernel.clone()).cost(cost).max_time(Duration::from_secs(20));
        let model = machine.check().unwrap().fit(&rows, &labels).unwrap();
        let report = &model.pairs().reports[0];
        let gap = report.relative_gap().unwrap();
        assert!(report.status != Status::TimeLimit, "cost {cost:e}");
        assert!(report.status != Status::Converged || gap <= 0.01, "cost {cost:e}: {report:?}");
        // Beyond all precision the hard margin stands for it.
        if cost > 1e15 {
            assert_eq!(report.status, Status::Converged, "cost {cost:e}");
            let found = model.decision_values(&rows).unwrap();
            assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-2), "cost {cost:e}");
        }
    }
}

#[test]
fn a_cost_beyond_all_precision_is_refused_where_there_is_no_hard_margin() {
    let rows = Vectors::from_rows(&[[0.0], [1.0], [1.0], [2.0]]).unwrap();
    let labels = Labels::from_text(["a", "a", "b", "b"]);
    for (cost, fine) in [(1e10, true), (1e15, true), (1e16, false), (1e300, false)] {
        let machine = Svc::params("linear".parse::<Expression>().unwrap()).cost(cost).check().unwrap();
        match machine.fit(&rows, &labels) {
            Err(Error::Parameter { name: "cost", value, .. }) => assert!(!fine && value == cost),
            other => assert!(fine && other.is_ok(), "{cost:e}"),
        }
    }
}
