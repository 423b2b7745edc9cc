//! Costs at which the box hardly binds.

use mercer::data::{Labels, Scaling, ScalingKind, Vectors};
use mercer::kernel::Expression;
use mercer::machine::Svc;
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
fn separable_data_with_a_huge_cost_have_a_small_gap() {
    // Every margin is met within the tolerance, but C times the tolerance would be a large slack.
    let sample = synthetic::two_gaussians(200, 2, 12.0, 11);
    let labels = Labels::from_numbers(&sample.labels).unwrap();
    let machine = Svc::params("linear".parse::<Expression>().unwrap()).cost(1e8).check().unwrap();
    let model = machine.fit(&Vectors::from_rows(&sample.rows).unwrap(), &labels).unwrap();
    assert_eq!(model.status(), Some(Status::Converged));
    let certificate = model.pairs().reports[0].certificate;
    assert!(certificate.relative_gap() < 1e-2, "{certificate:?}");
}
