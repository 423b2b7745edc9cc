//! Going on from an earlier fit.

use std::time::Duration;

use mercer::data::{Items, Labels, ReadOptions, Scaling, ScalingKind, Vectors, read_file};
use mercer::error::Error;
use mercer::gram::Precision;
use mercer::kernel::Expression;
use mercer::machine::{Slack, Svc, SvcParams};
use mercer::solver::{Control, Status};
use mercer_testkit::fixture::large_data;
use mercer_testkit::synthetic;

use super::small_set;

fn machine() -> SvcParams<Expression> {
    Svc::params("gaussian(gamma=2)".parse().unwrap()).cost(50.0)
}

#[test]
fn a_stopped_fit_goes_on_and_ends_where_it_would_have_ended() {
    let sample = synthetic::checkerboard(900, 4, 5);
    let rows = Vectors::from_rows(&sample.rows).unwrap();
    let labels = Labels::from_numbers(&sample.labels).unwrap();
    let cold = machine().check().unwrap().fit(&rows, &labels).unwrap();
    let steps = cold.pairs().reports[0].iterations;
    let stopped = machine().max_iterations(steps / 2).check().unwrap().fit(&rows, &labels).unwrap();
    assert_eq!(stopped.status(), Some(Status::IterationLimit));
    let go_on = |earlier| {
        let machine = machine().check().unwrap();
        machine.fit_from(&rows, &labels, None, earlier, &|_| Control::Continue).unwrap()
    };
    let resumed = go_on(stopped.pairs());
    assert_eq!(resumed.status(), Some(Status::Converged));
    let (a, b) = (&resumed.pairs().reports[0], &cold.pairs().reports[0]);
    assert!(a.iterations < steps, "{} steps after {} against {steps}", a.iterations, steps / 2);
    assert!((a.certificate.dual / b.certificate.dual - 1.0).abs() < 1e-4);
    // From the solution itself there is nothing left to do.
    assert_eq!(go_on(cold.pairs()).pairs().reports[0].iterations, 0);
}

#[test]
fn more_classes_and_another_cost_are_no_hindrance() {
    let (rows, labels) = small_set("iris.csv");
    let fit = |cost: f64| machine().cost(cost).check().unwrap();
    let first = fit(1.0).fit(&rows, &labels).unwrap();
    for cost in [0.1, 10.0] {
        let cold = fit(cost).fit(&rows, &labels).unwrap();
        let warm = fit(cost).fit_from(&rows, &labels, None, first.pairs(), &|_| Control::Continue).unwrap();
        for (a, b) in warm.pairs().reports.iter().zip(&cold.pairs().reports) {
            assert_eq!(a.status, Status::Converged);
            assert!((a.certificate.dual / b.certificate.dual - 1.0).abs() < 1e-3);
        }
    }
}

#[test]
fn where_no_coefficient_is_free_a_warm_start_finds_the_same_offset() {
    let (rows, labels) = small_set("iris.csv");
    let fit = |cost: f64| machine().cost(cost).tolerance(1e-8).check().unwrap();
    for earlier in [1.0, 10.0] {
        let first = fit(earlier).fit(&rows, &labels).unwrap();
        for cost in [1e-2, 1e-3] {
            let cold = fit(cost).fit(&rows, &labels).unwrap();
            let warm =
                fit(cost).fit_from(&rows, &labels, None, first.pairs(), &|_| Control::Continue).unwrap();
            for (a, b) in warm.pairs().offsets.iter().zip(&cold.pairs().offsets) {
                assert!((a - b).abs() < 1e-9, "{a} instead of {b} for a cost of {cost}");
            }
            assert_eq!(warm.predict(&rows).unwrap(), cold.predict(&rows).unwrap());
        }
    }
}

#[test]
fn an_earlier_fit_of_more_rows_is_refused() {
    let (rows, labels) = small_set("iris.csv");
    let earlier = machine().check().unwrap().fit(&rows, &labels).unwrap();
    let few: Vec<usize> = (0..60).collect();
    let result = machine().check().unwrap().fit_from(
        &rows.select(&few),
        &labels.select(&few),
        None,
        earlier.pairs(),
        &|_| Control::Continue,
    );
    assert!(matches!(result, Err(Error::Entry { what: "support row of the earlier fit", .. })));
}

#[test]
fn the_time_is_shared_among_the_pairs() {
    // No pair can be finished: each must still have had its turn.
    let (rows, labels) = small_set("iris.csv");
    let hard = Svc::params("1e6 * linear".parse::<Expression>().unwrap()).tolerance(1e-12).threads(1);
    let model = hard.max_time(Duration::from_secs(3)).check().unwrap().fit(&rows, &labels).unwrap();
    assert!(model.pairs().reports.iter().all(|report| report.iterations > 0));
}

#[test]
fn a_path_of_costs_takes_fewer_rows_than_a_fit_of_each() {
    let Some(path) = large_data("spam/spam.csv.gz") else { return };
    let table = read_file(path, &ReadOptions::default()).unwrap().table().unwrap();
    let labels = table.targets.labels().unwrap();
    let rows = Scaling::fit(ScalingKind::Standardise, &table.vectors).unwrap().apply(&table.vectors).unwrap();
    // 0.1, 0.215, … 100
    let costs: Vec<f64> = (0..10).map(|step| 10f64.powf(f64::from(step) / 3.0 - 1.0)).collect();
    let tolerance = 1e-3;
    let kernel: Expression = "gaussian(gamma=scale)".parse().unwrap();
    let machine = |cost| Svc::params(kernel.clone()).cost(cost).tolerance(tolerance).check().unwrap();
    let path = machine(1.0).fit_path(&rows, &labels, None, &costs, &|_| Control::Continue).unwrap();
    let (mut warm_rows, mut cold_rows) = (0, 0);
    for (cost, warm) in costs.iter().zip(&path) {
        let cold = machine(*cost).fit(&rows, &labels).unwrap();
        let (a, b) = (&warm.pairs().reports[0], &cold.pairs().reports[0]);
        assert_eq!((a.status, b.status), (Status::Converged, Status::Converged));
        eprintln!(
            "C = {cost:.3}: warm {} rows {} steps, cold {} rows {} steps; support {} bounded {}",
            a.rows_computed, a.iterations, b.rows_computed, b.iterations, b.support, b.bounded
        );
        assert!((a.certificate.dual / b.certificate.dual - 1.0).abs() < tolerance, "C = {cost}");
        warm_rows += a.rows_computed;
        cold_rows += b.rows_computed;
    }
    assert_eq!(path.len(), costs.len());
    assert!(warm_rows as f64 <= 0.6 * cold_rows as f64, "{warm_rows} rows instead of {cold_rows}");
}

#[test]
fn what_a_path_claims_is_true_of_each_model() {
    // The products that are taken over from fit to fit must be those of the coefficients, in either precision.
    let (rows, labels) = small_set("ionosphere.csv");
    for slack in [Slack::Linear, Slack::Quadratic, Slack::Nu { nu: 0.2 }] {
        for precision in [Precision::F32, Precision::F64] {
            let machine = |cost| {
                let params = Svc::params("gaussian(gamma=0.1)".parse::<Expression>().unwrap()).cost(cost);
                params.slack(slack).precision(precision).tolerance(1e-4).check().unwrap()
            };
            let costs = [0.1, 1.0, 0.3, 30.0];
            let path = machine(7.0).fit_path(&rows, &labels, None, &costs, &|_| Control::Continue).unwrap();
            for (&cost, model) in costs.iter().zip(&path) {
                let report = &model.pairs().reports[0];
                assert_eq!(report.status, Status::Converged, "{slack:?} C = {cost}");
                let cold = machine(cost).fit(&rows, &labels).unwrap();
                let expected = cold.decision_values(&rows).unwrap();
                for (value, wanted) in model.decision_values(&rows).unwrap().iter().zip(expected) {
                    assert!((value - wanted).abs() < 3e-3 * wanted.abs().max(1.0), "{value} {wanted}");
                }
                let dual = (report.certificate.dual, cold.pairs().reports[0].certificate.dual);
                assert!((dual.0 / dual.1 - 1.0).abs() < 1e-4, "{slack:?} C = {cost}: {dual:?}");
            }
        }
    }
}

#[test]
fn a_path_that_is_cancelled_ends_there_and_a_cost_of_nothing_is_named() {
    let (rows, labels) = small_set("iris.csv");
    let machine = machine().check().unwrap();
    let path = machine.fit_path(&rows, &labels, None, &[1.0, 2.0], &|_| Control::Cancel).unwrap();
    assert_eq!(path.iter().map(|model| model.status()).collect::<Vec<_>>(), [Some(Status::Cancelled)]);
    let refused = machine.fit_path(&rows, &labels, None, &[1.0, 0.0], &|_| Control::Continue);
    assert!(matches!(refused, Err(Error::Entry { what: "cost of the path", index: 1, .. })));
}
