//! Linear machines: against the kernel machines with a linear kernel, against LIBLINEAR, and their promises.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use mercer::Error;
use mercer::data::{Dense, Items, Labels, Random, Scaling, ScalingKind, Sparse, Targets, Vectors, read_file};
use mercer::gram::Precision;
use mercer::kernel::Expression;
use mercer::machine::{
    ClassWeights, Joint, JointSvc, LinearModel, LinearObjective, LinearSvc, LinearSvr, Loss, Slack, Svc, Svr,
    TubeLoss,
};
use mercer::solver::{Control, Status};
use mercer_testkit::fixture;
use serde::Deserialize;

use super::small_set;

const OBJECTIVES: [LinearObjective; 4] = [
    LinearObjective::Hinge,
    LinearObjective::SquaredHinge,
    LinearObjective::SparseSquaredHinge,
    LinearObjective::CrammerSinger,
];

const LOSSES: [TubeLoss; 4] = [
    TubeLoss::Linear { tube: 0.0 },
    TubeLoss::Linear { tube: 0.3 },
    TubeLoss::Squared { tube: 0.0 },
    TubeLoss::Squared { tube: 0.3 },
];

fn standardised(name: &str) -> (Vectors<'static>, Labels) {
    let (rows, labels) = small_set(name);
    (standardise(&rows), labels)
}

fn standardise(rows: &Vectors<'_>) -> Vectors<'static> {
    Scaling::fit(ScalingKind::Standardise, rows).unwrap().apply(rows).unwrap()
}

/// Miles per gallon, features standardised.
fn auto_mpg() -> (Vectors<'static>, Vec<f64>) {
    let table = read_file(fixture::data("auto_mpg.csv"), &Default::default()).unwrap().table().unwrap();
    let Targets::Numbers(targets) = table.targets else { panic!() };
    (standardise(&table.vectors), targets)
}

/// Overlapping clouds of so many classes in so many dimensions, and a number for each row.
fn clouds(n: usize, columns: usize, classes: usize, seed: u64) -> (Vectors<'static>, Labels, Vec<f64>) {
    let mut random = Random::new(seed);
    let centres: Vec<f64> = (0..classes * columns).map(|_| random.normal()).collect();
    let rows: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..columns).map(|j| centres[i % classes * columns + j] + random.normal()).collect())
        .collect();
    let targets = rows.iter().map(|row| row[0] - 2.0 * row[columns - 1] + 0.5 * random.normal()).collect();
    let labels = Labels::from_text((0..n).map(|i| format!("c{}", i % classes)));
    (Vectors::from_rows(&rows).unwrap(), labels, targets)
}

/// The rows with the constant feature appended.
fn extended(rows: &Vectors<'_>, constant: f64) -> Vectors<'static> {
    let columns = rows.columns();
    let dense: Vec<Vec<f64>> = (0..rows.len())
        .map(|i| rows.get(i).to_dense(columns).into_iter().chain([constant]).collect())
        .collect();
    Vectors::from_rows(&dense).unwrap()
}

/// The rows without their zeros.
fn sparse(rows: &Vectors<'_>) -> Vectors<'static> {
    let (mut offsets, mut indices, mut values) = (vec![0i64], Vec::new(), Vec::new());
    for i in 0..rows.len() {
        rows.get(i).for_each(|column, value| {
            if value != 0.0 {
                indices.push(column as i64);
                values.push(value);
            }
        });
        offsets.push(indices.len() as i64);
    }
    Sparse::new(&offsets, &indices, values, rows.columns()).unwrap().into()
}

fn linear() -> Expression {
    "linear".parse().unwrap()
}

fn close(a: &[f64], b: &[f64], tolerance: f64, at: &str) {
    assert_eq!(a.len(), b.len(), "{at}");
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{at}: {a} and {b}");
    }
}

fn converged(model: &LinearModel) {
    assert_eq!(model.status(), Some(Status::Converged), "{:?}", model.reports());
}

/// Σ over the rows of cost times loss, plus the penalty, by the definition.
fn primal(
    model: &LinearModel,
    rows: &Vectors<'_>,
    labels: &Labels,
    costs: &[f64],
    constant: f64,
) -> Vec<f64> {
    let (functions, values) = (model.functions(), model.decision_values(rows).unwrap());
    let k = functions.count();
    let last = |at: usize| if constant > 0.0 { functions.intercepts[at] / constant } else { 0.0 };
    let squares = |at: usize| functions.weights_of(at).iter().chain([&last(at)]).map(|w| w * w).sum::<f64>();
    let of_row = |i: usize| &values[i * k..][..k];
    let class = |i: usize| labels.codes()[i] as usize;
    if model.objective() == LinearObjective::CrammerSinger {
        let margin = |i: usize| match of_row(i) {
            [f] => {
                if class(i) == 1 {
                    *f
                } else {
                    -f
                }
            }
            f => {
                let others = (0..k).filter(|&c| c != class(i)).map(|c| f[c]);
                f[class(i)] - others.fold(f64::NEG_INFINITY, f64::max)
            }
        };
        let loss: f64 = (0..rows.len()).map(|i| costs[i] * (1.0 - margin(i)).max(0.0)).sum();
        // Of two classes w₁ − w₀ is kept, and w₀ = −w₁.
        let factor = if k == 1 { 0.25 } else { 0.5 };
        return vec![factor * (0..k).map(squares).sum::<f64>() + loss];
    }
    let objective = |at: usize| {
        let positive = |i: usize| class(i) == if k == 1 { 1 } else { at };
        let slack = |i: usize| (1.0 - if positive(i) { 1.0 } else { -1.0 } * of_row(i)[at]).max(0.0);
        let sum = |power: i32| (0..rows.len()).map(|i| costs[i] * slack(i).powi(power)).sum::<f64>();
        let absolute = functions.weights_of(at).iter().map(|w| w.abs()).sum::<f64>() + last(at).abs();
        match model.objective() {
            LinearObjective::Hinge => 0.5 * squares(at) + sum(1),
            LinearObjective::SquaredHinge => 0.5 * squares(at) + sum(2),
            _ => absolute + sum(2),
        }
    };
    (0..k).map(objective).collect()
}

#[derive(Deserialize)]
struct Fixture {
    cases: Vec<Case>,
    regressions: Vec<Regression>,
}

#[derive(Deserialize)]
struct Case {
    file: String,
    objective: LinearObjective,
    cost: f64,
    intercept_scaling: f64,
    weights: Option<Vec<f64>>,
    functions: Vec<Vec<f64>>,
    objectives: Vec<f64>,
}

#[derive(Deserialize)]
struct Regression {
    file: String,
    squared: bool,
    tube: f64,
    cost: f64,
    intercept_scaling: f64,
    function: Vec<f64>,
    objective: f64,
}

/// Weights and objectives of LIBLINEAR, trained to a tolerance of 1e-9.
#[test]
fn liblinear_finds_the_same_classifiers() {
    for case in fixture::read::<Fixture>("linear.json").cases {
        let at = format!("{} {:?} {}", case.file, case.objective, case.cost);
        let (rows, labels) = standardised(&case.file);
        let mut params = LinearSvc::params().cost(case.cost).objective(case.objective).tolerance(1e-10);
        params = match case.intercept_scaling {
            0.0 => params.intercept(false),
            size => params.intercept_scaling(size),
        };
        let go_on = |_: &_| Control::Continue;
        let machine = params.check().unwrap();
        let model = machine.fit_observed(&rows, &labels, case.weights.as_deref(), None, &go_on).unwrap();
        let costs: Vec<f64> =
            (0..rows.len()).map(|i| case.cost * case.weights.as_ref().map_or(1.0, |w| w[i])).collect();
        let objectives = primal(&model, &rows, &labels, &costs, case.intercept_scaling);
        for ((found, theirs), report) in objectives.iter().zip(&case.objectives).zip(model.reports()) {
            assert_eq!(report.status, Status::Converged, "{at}: {report:?}");
            assert!(*found <= theirs * (1.0 + 1e-9), "{at}: {found} against {theirs}");
            close(&[report.certificate.primal], &[*found], 1e-9, &at);
            assert!(report.relative_gap().unwrap() < 1e-8, "{at}: {report:?}");
        }
        let functions = model.functions();
        for (k, theirs) in case.functions.iter().enumerate() {
            close(functions.weights_of(k), &theirs[..functions.columns], 1e-4, &at);
            let b = theirs[functions.columns..].first().map_or(0.0, |w| w * case.intercept_scaling);
            close(&[functions.intercepts[k]], &[b], 1e-4, &at);
        }
    }
}

#[test]
fn liblinear_finds_the_same_regressions() {
    for case in fixture::read::<Fixture>("linear.json").regressions {
        let at = format!("{} {} {} {}", case.file, case.squared, case.tube, case.cost);
        assert_eq!(case.file, "auto_mpg.csv");
        let (rows, targets) = auto_mpg();
        let tube = case.tube;
        let loss = if case.squared { TubeLoss::Squared { tube } } else { TubeLoss::Linear { tube } };
        let mut params = LinearSvr::params().cost(case.cost).loss(loss).tolerance(1e-9);
        params = match case.intercept_scaling {
            0.0 => params.intercept(false),
            size => params.intercept_scaling(size),
        };
        let model = params.check().unwrap().fit(&rows, &targets).unwrap();
        let report = model.report().unwrap();
        assert_eq!(report.status, Status::Converged, "{at}: {report:?}");
        assert!(report.relative_gap().unwrap() < 1e-9, "{at}: {report:?}");
        assert!(report.certificate.primal <= case.objective * (1.0 + 1e-9), "{at}: {report:?}");
        close(model.weights(), &case.function[..rows.columns()], 1e-3, &at);
        let b = case.function[rows.columns()..].first().map_or(0.0, |w| w * case.intercept_scaling);
        close(&[model.intercept()], &[b], 1e-3, &at);
    }
}

/// The machines with a linear kernel on rows with the constant feature, without offset, are the same.
#[test]
fn kernel_machines_find_the_same_classifiers() {
    for (rows, labels) in [standardised("iris.csv"), standardised("wine.csv"), standardised("ionosphere.csv")]
    {
        let longer = extended(&rows, 2.0);
        let two: Vec<usize> = (0..rows.len()).filter(|&i| labels.codes()[i] < 2).collect();
        let (rows, longer, labels) = (rows.select(&two), longer.select(&two), labels.select(&two));
        for cost in [0.01, 1.0, 30.0] {
            for (objective, slack, factor) in [
                (LinearObjective::Hinge, Slack::Linear, 1.0),
                (LinearObjective::SquaredHinge, Slack::Quadratic, 2.0),
            ] {
                let at = format!("{objective} {cost} {}", rows.len());
                let params = LinearSvc::params().cost(cost).objective(objective).intercept_scaling(2.0);
                let model = params.tolerance(1e-9).check().unwrap().fit(&rows, &labels).unwrap();
                converged(&model);
                let machine =
                    Svc::params(linear()).cost(factor * cost).slack(slack).offset(false).tolerance(1e-9);
                let kernel =
                    machine.precision(Precision::F64).check().unwrap().fit(&longer, &labels).unwrap();
                let report = &kernel.pairs().reports[0];
                let certificate = &model.reports()[0].certificate;
                close(&[certificate.dual], &[report.certificate.dual], 1e-8, &at);
                close(
                    &model.decision_values(&rows).unwrap(),
                    &kernel.decision_values(&longer).unwrap(),
                    1e-5,
                    &at,
                );
            }
        }
    }
}

#[test]
fn kernel_machines_find_the_same_regressions() {
    let (rows, targets) = auto_mpg();
    let longer = extended(&rows, 1.0);
    for (loss, kernel_loss, factor) in [
        (TubeLoss::Linear { tube: 1.0 }, Loss::Linear { tube: 1.0 }, 1.0),
        (TubeLoss::Squared { tube: 1.0 }, Loss::Quadratic { tube: 1.0 }, 2.0),
    ] {
        for cost in [0.01, 1.0, 100.0] {
            let at = format!("{loss} {cost}");
            let machine = LinearSvr::params().cost(cost).loss(loss).tolerance(1e-8).check().unwrap();
            let model = machine.fit(&rows, &targets).unwrap();
            let machine = Svr::params(linear()).cost(factor * cost).loss(kernel_loss).offset(false);
            let machine = machine.tolerance(1e-8).precision(Precision::F64).check().unwrap();
            let kernel = machine.fit(&longer, &targets).unwrap();
            let (report, theirs) = (model.report().unwrap(), kernel.report().unwrap());
            assert_eq!(report.status, Status::Converged, "{at}: {report:?}");
            close(&[report.certificate.dual], &[theirs.certificate.dual], 1e-8, &at);
            close(&model.predict(&rows).unwrap(), &kernel.predict(&longer).unwrap(), 1e-5, &at);
        }
    }
}

#[test]
fn the_joint_machine_finds_the_same() {
    for (rows, labels) in [standardised("iris.csv"), standardised("wine.csv")] {
        for cost in [0.05, 1.0] {
            let params = LinearSvc::params().cost(cost).objective(LinearObjective::CrammerSinger);
            let model = params.tolerance(1e-9).check().unwrap().fit(&rows, &labels).unwrap();
            converged(&model);
            let machine = JointSvc::params(linear()).cost(cost).machine(Joint::CrammerSinger).tolerance(1e-8);
            let machine = machine.precision(Precision::F64).check().unwrap();
            let kernel = machine.fit(&extended(&rows, 1.0), &labels).unwrap();
            let (ours, theirs) = (&model.reports()[0], &kernel.reports()[0]);
            close(&[ours.certificate.dual], &[theirs.certificate.dual], 1e-7, "objective");
            let scores = kernel.scores(&extended(&rows, 1.0)).unwrap();
            close(&model.scores(&rows).unwrap(), &scores, 1e-4, "scores");
        }
    }
}

/// Large costs and features that nearly depend on each other, where coordinate descent alone takes forever.
#[test]
fn tight_tolerances_are_reached_where_descent_crawls() {
    let (rows, labels) = standardised("breast_cancer_wdbc.csv");
    for objective in
        [LinearObjective::Hinge, LinearObjective::SquaredHinge, LinearObjective::SparseSquaredHinge]
    {
        for (cost, tolerance) in [(1.0, 1e-11), (1000.0, 1e-8)] {
            let params = LinearSvc::params().cost(cost).objective(objective).tolerance(tolerance);
            let model = params.max_epochs(3000).check().unwrap().fit(&rows, &labels).unwrap();
            let report = &model.reports()[0];
            println!(
                "{objective} {cost}: {} {} {:e}",
                report.status, report.iterations, report.certificate.kkt_gap
            );
            assert_eq!(report.status, Status::Converged, "{objective} {cost}: {report:?}");
        }
    }
    let (rows, targets) = auto_mpg();
    for loss in LOSSES {
        for (cost, tolerance) in [(1.0, 1e-10), (1000.0, 1e-8)] {
            let params = LinearSvr::params().cost(cost).loss(loss).tolerance(tolerance);
            let model = params.max_epochs(3000).check().unwrap().fit(&rows, &targets).unwrap();
            let report = model.report().unwrap();
            println!(
                "{loss} {cost}: {} {} {:e}",
                report.status, report.iterations, report.certificate.kkt_gap
            );
            assert_eq!(report.status, Status::Converged, "{loss} {cost}: {report:?}");
        }
    }
}

/// Small problems of all shapes: rows that stand there several times, more features than rows, small and large costs.
#[test]
fn small_problems_of_all_shapes_converge() {
    let mut random = Random::new(42);
    for trial in 0..100 {
        let (n, columns, classes) = (4 + random.below(60), 1 + random.below(8), 2 + random.below(3));
        let whole = random.below(2) == 0;
        let mut number = || if whole { random.below(4) as f64 - 1.0 } else { random.normal() };
        let rows: Vec<Vec<f64>> = (0..n).map(|_| (0..columns).map(|_| number()).collect()).collect();
        let targets: Vec<f64> = (0..n).map(|_| number()).collect();
        let class = |i: usize| if i < classes { i } else { (targets[i].abs() * 10.0) as usize % classes };
        let labels = Labels::from_text((0..n).map(|i| class(i).to_string()));
        let rows = Vectors::from_rows(&rows).unwrap();
        let cost = 10f64.powi(random.below(7) as i32 - 3);
        let intercept = random.below(3) > 0;
        let check = |report: &mercer::machine::Report, what: &str| {
            assert_eq!(report.status, Status::Converged, "{trial} {what} {cost}: {report:?}");
            assert!(report.relative_gap().unwrap() < 1e-5, "{trial} {what} {cost}: {report:?}");
        };
        for objective in OBJECTIVES {
            let params = LinearSvc::params().objective(objective).cost(cost).intercept(intercept);
            let model = params.tolerance(1e-8).check().unwrap().fit(&rows, &labels).unwrap();
            model.reports().iter().for_each(|report| check(report, &objective.to_string()));
        }
        for loss in LOSSES {
            let params = LinearSvr::params().loss(loss).cost(cost).intercept(intercept);
            let model = params.tolerance(1e-8).check().unwrap().fit(&rows, &targets).unwrap();
            check(model.report().unwrap(), &loss.to_string());
        }
    }
}

/// The same for all classes at once.
#[test]
fn tight_tolerances_are_reached_for_all_classes_at_once() {
    let (rows, labels, _) = clouds(400, 6, 4, 17);
    for (cost, tolerance) in [(0.1, 1e-10), (1.0, 1e-10), (100.0, 1e-8)] {
        let params = LinearSvc::params().cost(cost).objective(LinearObjective::CrammerSinger);
        let machine = params.tolerance(tolerance).max_epochs(3000).check().unwrap();
        let model = machine.fit(&rows, &labels).unwrap();
        let report = &model.reports()[0];
        println!("{cost}: {} {} {:e}", report.status, report.iterations, report.certificate.kkt_gap);
        assert_eq!(report.status, Status::Converged, "{cost}: {report:?}");
        let costs = vec![cost; 400];
        close(&[report.certificate.primal], &primal(&model, &rows, &labels, &costs, 1.0), 1e-9, "primal");
    }
}

/// More features than rows.
#[test]
fn wide_rows_are_solved_too() {
    let (rows, labels, targets) = clouds(60, 400, 2, 3);
    for objective in OBJECTIVES {
        let machine = LinearSvc::params().objective(objective).tolerance(1e-9).check().unwrap();
        converged(&machine.fit(&rows, &labels).unwrap());
    }
    for loss in LOSSES {
        let machine = LinearSvr::params().cost(100.0).loss(loss).tolerance(1e-9).check().unwrap();
        let model = machine.fit(&rows, &targets).unwrap();
        assert_eq!(model.report().unwrap().status, Status::Converged, "{loss}: {:?}", model.report());
    }
}

#[test]
fn the_duality_gap_falls_with_the_tolerance() {
    let (rows, labels) = standardised("wine.csv");
    for objective in OBJECTIVES {
        let gap = |tolerance: f64| {
            let machine = LinearSvc::params().objective(objective).tolerance(tolerance).check().unwrap();
            let model = machine.fit(&rows, &labels).unwrap();
            converged(&model);
            model.reports().iter().map(|report| report.relative_gap().unwrap()).fold(0.0, f64::max)
        };
        assert!(gap(1e-9) < 1e-8 && gap(1e-5) < 1e-3, "{objective}: {} {}", gap(1e-9), gap(1e-5));
        let machine = LinearSvc::params().objective(objective).duality_gap(1e-7).check().unwrap();
        let model = machine.fit(&rows, &labels).unwrap();
        converged(&model);
        assert!(model.reports().iter().all(|report| report.relative_gap().unwrap() <= 1e-7), "{objective}");
    }
}

#[test]
fn weights_are_repeated_rows() {
    let (rows, labels, targets) = clouds(50, 4, 3, 7);
    let weights: Vec<f64> = (0..50).map(|i| (i % 4) as f64).collect();
    let repeated: Vec<usize> = (0..50).flat_map(|i| vec![i; i % 4]).collect();
    for objective in OBJECTIVES {
        let machine = LinearSvc::params().objective(objective).tolerance(1e-10).check().unwrap();
        let model = machine.fit_weighted(&rows, &labels, &weights).unwrap();
        let copies = machine.fit(&rows.select(&repeated), &labels.select(&repeated)).unwrap();
        let at = objective.to_string();
        close(&model.functions().weights, &copies.functions().weights, 1e-6, &at);
        close(&model.functions().intercepts, &copies.functions().intercepts, 1e-6, &at);
    }
    let several: Vec<f64> = repeated.iter().map(|&i| targets[i]).collect();
    for loss in LOSSES {
        let machine = LinearSvr::params().loss(loss).tolerance(1e-10).check().unwrap();
        let go_on = |_: &_| Control::Continue;
        let model = machine.fit_observed(&rows, &targets, Some(&weights), None, &go_on).unwrap();
        let copies = machine.fit(&rows.select(&repeated), &several).unwrap();
        close(model.weights(), copies.weights(), 1e-6, &loss.to_string());
    }
}

/// A row of weight 0 changes no bit.
#[test]
fn rows_of_weight_0_are_not_there() {
    let (rows, labels, targets) = clouds(40, 3, 2, 11);
    let weights: Vec<f64> = (0..40).map(|i| if i % 5 == 0 { 0.0 } else { 1.0 }).collect();
    let others: Vec<usize> = (0..40).filter(|i| i % 5 != 0).collect();
    for objective in OBJECTIVES {
        let machine = LinearSvc::params().objective(objective).check().unwrap();
        let model = machine.fit_weighted(&rows, &labels, &weights).unwrap();
        let without = machine.fit(&rows.select(&others), &labels.select(&others)).unwrap();
        close(&model.functions().weights, &without.functions().weights, 1e-12, &objective.to_string());
    }
    let targets_of_others: Vec<f64> = others.iter().map(|&i| targets[i]).collect();
    for loss in LOSSES {
        let machine = LinearSvr::params().loss(loss).check().unwrap();
        let model =
            machine.fit_observed(&rows, &targets, Some(&weights), None, &|_| Control::Continue).unwrap();
        let without = machine.fit(&rows.select(&others), &targets_of_others).unwrap();
        assert_eq!(model.functions(), without.functions());
    }
}

#[test]
fn class_weights_are_weights_of_their_rows() {
    let (rows, labels, _) = clouds(40, 3, 2, 12);
    let factors = ClassWeights::Given(vec![("c1".into(), 3.0)]);
    let machine = LinearSvc::params().class_weights(factors).check().unwrap();
    let weights: Vec<f64> = labels.codes().iter().map(|&code| if code == 1 { 3.0 } else { 1.0 }).collect();
    let weighted = LinearSvc::params().check().unwrap().fit_weighted(&rows, &labels, &weights).unwrap();
    assert_eq!(machine.fit(&rows, &labels).unwrap().functions(), weighted.functions());
}

#[test]
fn storage_makes_no_difference() {
    let (rows, labels, targets) = clouds(80, 5, 3, 5);
    let single: Vec<f32> = (0..80).flat_map(|i| rows.get(i).to_dense(5)).map(|x| x as f32).collect();
    let single: Vectors = Dense::new(single, 80, 5).unwrap().into();
    for objective in OBJECTIVES {
        let machine = LinearSvc::params().objective(objective).tolerance(1e-9).check().unwrap();
        let model = machine.fit(&rows, &labels).unwrap();
        for (other, tolerance) in [(sparse(&rows), 1e-7), (single.clone(), 1e-4)] {
            let again = machine.fit(&other, &labels).unwrap();
            close(&again.functions().weights, &model.functions().weights, tolerance, &objective.to_string());
            let scores = (again.scores(&other).unwrap(), again.scores(&rows).unwrap());
            close(&scores.0, &scores.1, tolerance, "scores");
        }
    }
    let machine = LinearSvr::params().tolerance(1e-9).check().unwrap();
    let model = machine.fit(&rows, &targets).unwrap();
    close(machine.fit(&sparse(&rows), &targets).unwrap().weights(), model.weights(), 1e-7, "regression");
}

#[test]
fn bits_do_not_depend_on_threads() {
    let (rows, labels, _) = clouds(2000, 8, 4, 9);
    for objective in OBJECTIVES {
        let fit = |threads: usize, seed: u64| {
            let machine =
                LinearSvc::params().objective(objective).threads(threads).seed(seed).check().unwrap();
            let model = machine.fit(&rows, &labels).unwrap();
            (model.functions().clone(), model.dual().to_vec())
        };
        assert!(fit(1, 0) == fit(2, 0) && fit(1, 0) == fit(4, 0), "{objective}");
        assert!(fit(1, 0) != fit(1, 1), "{objective}");
    }
}

#[test]
fn limits_end_a_fit_with_a_true_certificate() {
    let (rows, labels) = standardised("breast_cancer_wdbc.csv");
    for objective in OBJECTIVES {
        let params = LinearSvc::params().objective(objective).cost(10.0).tolerance(1e-13);
        let best = params.clone().tolerance(1e-6).check().unwrap().fit(&rows, &labels).unwrap();
        let optimum = best.reports()[0].certificate;
        let check = |model: &LinearModel, status: Status| {
            let report = &model.reports()[0];
            assert_eq!(report.status, status, "{objective}: {report:?}");
            let slack = 1e-9 * optimum.primal;
            assert!(report.certificate.dual <= optimum.primal + slack, "{objective}: {report:?}");
            assert!(report.certificate.primal >= optimum.dual - slack, "{objective}: {report:?}");
        };
        let model = params.clone().max_epochs(3).check().unwrap().fit(&rows, &labels).unwrap();
        check(&model, Status::IterationLimit);
        assert_eq!(model.reports()[0].iterations, 3);
        let model = params.clone().max_time(Duration::ZERO).check().unwrap().fit(&rows, &labels).unwrap();
        check(&model, Status::TimeLimit);
        let calls = AtomicU64::new(0);
        let observer = |_: &_| match calls.fetch_add(1, Ordering::Relaxed) {
            0..4 => Control::Continue,
            _ => Control::Cancel,
        };
        let machine = params.check().unwrap();
        check(&machine.fit_observed(&rows, &labels, None, None, &observer).unwrap(), Status::Cancelled);
        assert_eq!(calls.load(Ordering::Relaxed), 5);
    }
}

#[test]
fn an_earlier_fit_saves_passes() {
    let (rows, labels, targets) = clouds(300, 6, 3, 21);
    let go_on = |_: &_| Control::Continue;
    for objective in OBJECTIVES {
        let machine = LinearSvc::params().objective(objective).tolerance(1e-6).check().unwrap();
        let first = machine.fit(&rows, &labels).unwrap();
        let again = machine.fit_observed(&rows, &labels, None, Some(&first), &go_on).unwrap();
        converged(&again);
        for (first, again) in first.reports().iter().zip(again.reports()) {
            assert!(3 * again.iterations <= first.iterations, "{objective}: {first:?} {again:?}");
        }
        // A fit of the first rows.
        let part: Vec<usize> = (0..250).collect();
        let less = machine.fit(&rows.select(&part), &labels.select(&part)).unwrap();
        converged(&machine.fit_observed(&rows, &labels, None, Some(&less), &go_on).unwrap());
        if objective != LinearObjective::SparseSquaredHinge {
            let more =
                machine.fit_observed(&rows.select(&part), &labels.select(&part), None, Some(&first), &go_on);
            assert!(matches!(more, Err(Error::Shape { expected: 300, found: 250, .. })));
        }
    }
    for loss in LOSSES {
        let machine = LinearSvr::params().loss(loss).tolerance(1e-6).check().unwrap();
        let first = machine.fit(&rows, &targets).unwrap();
        let again = machine.fit_observed(&rows, &targets, None, Some(&first), &go_on).unwrap();
        assert!(again.report().unwrap().iterations <= 3, "{:?}", again.report());
    }
}

#[test]
fn shrinking_changes_nothing_but_time() {
    let (rows, labels) = standardised("ionosphere.csv");
    for objective in OBJECTIVES {
        let params = LinearSvc::params().objective(objective).tolerance(1e-8);
        let with = params.clone().check().unwrap().fit(&rows, &labels).unwrap();
        converged(&with);
        let without = params.shrinking(false).check().unwrap().fit(&rows, &labels).unwrap();
        converged(&without);
        close(&with.functions().weights, &without.functions().weights, 1e-5, &objective.to_string());
    }
}

#[test]
fn the_l1_penalty_leaves_weights_at_0() {
    let (rows, labels) = standardised("breast_cancer_wdbc.csv");
    let count = |cost: f64| {
        let params = LinearSvc::params().objective(LinearObjective::SparseSquaredHinge).cost(cost);
        let model = params.check().unwrap().fit(&rows, &labels).unwrap();
        model.functions().weights.iter().filter(|w| **w != 0.0).count()
    };
    let (few, more) = (count(0.01), count(1.0));
    assert!(few > 0 && few < more && more < rows.columns(), "{few} {more}");
}

/// Rows of zeros without an intercept have no part in w.
#[test]
fn rows_of_zeros_do_no_harm() {
    let rows = Vectors::from_rows(&[[0.0, 0.0], [1.0, 0.0], [-1.0, 0.5], [0.0, 0.0]]).unwrap();
    let labels = Labels::from_text(["a", "b", "a", "b"]);
    for objective in OBJECTIVES {
        let params = LinearSvc::params().objective(objective).intercept(false).tolerance(1e-8);
        let model = params.check().unwrap().fit(&rows, &labels).unwrap();
        converged(&model);
        assert!(model.functions().weights.iter().all(|w| w.is_finite()), "{objective}");
    }
    for loss in LOSSES {
        let params = LinearSvr::params().loss(loss).intercept(false).tolerance(1e-8);
        let model = params.check().unwrap().fit(&rows, &[1.0, 1.0, 2.0, -3.0]).unwrap();
        assert_eq!(model.report().unwrap().status, Status::Converged, "{loss}");
    }
}

#[test]
fn bad_input_is_refused() {
    let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0]]).unwrap();
    let labels = Labels::from_text(["a", "b", "b"]);
    let machine = LinearSvc::params().check().unwrap();
    let regression = LinearSvr::params().check().unwrap();
    let no_rows = Vectors::from_rows(&[[0.0]]).unwrap().select(&[]);

    assert!(matches!(machine.fit(&no_rows, &labels.select(&[])), Err(Error::Empty { what: "rows" })));
    assert!(matches!(
        machine.fit(&rows, &labels.select(&[0, 1])),
        Err(Error::Shape { expected: 3, found: 2, .. })
    ));
    assert!(matches!(machine.fit(&rows, &Labels::from_text(["a"; 3])), Err(Error::OneClass { .. })));
    let weighted = |weights: &[f64]| machine.fit_weighted(&rows, &labels, weights);
    assert!(matches!(weighted(&[1.0, -1.0, 1.0]), Err(Error::Entry { index: 1, .. })));
    assert!(matches!(weighted(&[1.0, 1.0]), Err(Error::Shape { expected: 3, found: 2, .. })));
    assert!(matches!(weighted(&[0.0, 1.0, 1.0]), Err(Error::ClassWithoutWeight { .. })));
    assert!(matches!(regression.fit(&no_rows, &[]), Err(Error::Empty { what: "rows" })));
    assert!(matches!(regression.fit(&rows, &[1.0]), Err(Error::Shape { expected: 3, found: 1, .. })));
    assert!(matches!(regression.fit(&rows, &[1.0, f64::NAN, 2.0]), Err(Error::Entry { index: 1, .. })));
    let go_on = |_: &_| Control::Continue;
    let weighted = regression.fit_observed(&rows, &[1.0; 3], Some(&[0.0; 3]), None, &go_on);
    assert!(matches!(weighted, Err(Error::Empty { .. })));

    let earlier = machine.fit(&rows, &labels).unwrap();
    let other = LinearSvc::params().objective(LinearObjective::Hinge).check().unwrap();
    let refused = other.fit_observed(&rows, &labels, None, Some(&earlier), &go_on);
    assert!(matches!(refused, Err(Error::Unsupported { .. })));

    let wider = Vectors::from_rows(&[[0.0, 1.0]]).unwrap();
    let model = machine.fit(&rows, &labels).unwrap();
    assert!(matches!(model.predict(&wider), Err(Error::Shape { expected: 1, found: 2, .. })));
    let model = regression.fit(&rows, &[1.0, 2.0, 3.0]).unwrap();
    assert!(matches!(model.predict(&wider), Err(Error::Shape { expected: 1, found: 2, .. })));

    let name = |result: mercer::Result<LinearSvc>| match result {
        Err(Error::Parameter { name, .. }) => name,
        other => panic!("{other:?}"),
    };
    let params = LinearSvc::params;
    for cost in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(name(params().cost(cost).check()), "cost");
        assert_eq!(name(params().intercept_scaling(cost).check()), "intercept_scaling");
        assert_eq!(name(params().tolerance(cost).check()), "tolerance");
        assert_eq!(name(params().duality_gap(cost).check()), "duality gap");
    }
    assert_eq!(name(params().max_epochs(0).check()), "max_epochs");
    assert_eq!(name(params().threads(1_000_000).check()), "threads");
    for tube in [-1.0, f64::NAN, f64::INFINITY] {
        for loss in [TubeLoss::Linear { tube }, TubeLoss::Squared { tube }] {
            let refused = LinearSvr::params().loss(loss).check();
            assert!(matches!(refused, Err(Error::Parameter { name: "tube", .. })));
        }
    }
}
