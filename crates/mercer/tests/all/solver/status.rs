//! Every way a solve can end.

use std::time::Duration;

use mercer::solver::{Control, DualProblem, Groups, Settings, Status, Stop, solve};

use super::{cloud, run};

#[test]
fn converged() {
    let cloud = cloud(50, 1.0, 0.5, 6);
    let solution = run(&cloud.gram(), &cloud.classifier(1.0), &Settings::default());
    assert_eq!(solution.status, Status::Converged);
    assert!(solution.certificate.kkt_gap <= 1e-3);
}

#[test]
fn iteration_limit_returns_the_best_so_far_and_can_be_resumed() {
    let cloud = cloud(300, 1.0, 0.5, 6);
    let mut problem = cloud.classifier(100.0);
    let limited = Settings { max_iterations: 40, ..Settings::default() };
    let first = run(&cloud.gram(), &problem, &limited);
    assert_eq!(first.status, Status::IterationLimit);
    assert_eq!(first.iterations, 40);
    assert!(first.certificate.dual > 0.0 && first.certificate.kkt_gap > 1e-3);

    let cold = run(&cloud.gram(), &problem, &Settings::default());
    problem.start = first.coefficients;
    let resumed = run(&cloud.gram(), &problem, &Settings::default());
    assert_eq!(resumed.status, Status::Converged);
    let off = (resumed.certificate.dual - cold.certificate.dual).abs() / cold.certificate.dual;
    assert!(off < 1e-4, "{off}");

    problem.start = resumed.coefficients;
    let again = run(&cloud.gram(), &problem, &Settings::default());
    assert_eq!(again.iterations, 0, "a solution is its own warm start");
}

#[test]
fn time_limit() {
    let cloud = cloud(300, 1.0, 0.5, 6);
    let settings = Settings { max_time: Some(Duration::ZERO), ..Settings::default() };
    let solution = run(&cloud.gram(), &cloud.classifier(1.0), &settings);
    assert_eq!(solution.status, Status::TimeLimit);
    assert!(solution.coefficients.iter().all(|&b| b == 0.0));
}

#[test]
fn cancelled_by_the_observer() {
    let cloud = cloud(300, 1.0, 0.5, 6);
    let settings = Settings { working_set: 16, ..Settings::default() };
    let mut seen = Vec::new();
    let solution = solve(&cloud.gram(), &cloud.classifier(1.0), &settings, &mut |progress| {
        seen.push(progress.objective);
        if seen.len() == 4 { Control::Cancel } else { Control::Continue }
    })
    .unwrap();
    assert_eq!(solution.status, Status::Cancelled);
    assert_eq!(solution.outer_iterations, 3);
    assert!(seen.windows(2).all(|pair| pair[1] < pair[0]), "the objective falls: {seen:?}");
    let reported = -seen[3];
    assert!(
        (solution.certificate.dual - reported).abs() < 1e-9 * reported,
        "what was reported is what is returned"
    );
}

#[test]
fn numerical_limit() {
    // Gradients of size 1 are rounded to 1e-16: a gap of 1e-18 cannot be had.
    let cloud = cloud(80, 1.0, 0.5, 6);
    let settings = Settings { stop: Stop::KktGap(1e-18), ..Settings::default() };
    let solution = run(&cloud.gram(), &cloud.classifier(1.0), &settings);
    assert_eq!(solution.status, Status::NumericalLimit);
    assert!(
        solution.certificate.kkt_gap > 1e-18 && solution.certificate.kkt_gap < 1e-13,
        "{:?}",
        solution.certificate
    );
}

#[test]
fn an_infeasible_problem_is_an_error() {
    let cloud = cloud(4, 1.0, 0.5, 6);
    let mut problem = DualProblem::new(vec![0.0; 4], vec![0.0; 4], vec![1.0; 4]);
    problem.groups = Groups::One { sum: 5.0 };
    let error = solve(&cloud.gram(), &problem, &Settings::default(), &mut |_| Control::Continue).unwrap_err();
    assert!(error.to_string().contains("must sum to 5, but their bounds allow 0 to 4"), "{error}");
}
