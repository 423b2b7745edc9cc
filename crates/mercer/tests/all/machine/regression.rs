//! Support vector regression: against scikit-learn, against its own primal problem, and its promises.

use mercer::Error;
use mercer::data::{Items, Random, Scaling, ScalingKind, Targets, Vectors};
use mercer::gram::Precision;
use mercer::kernel::Expression;
use mercer::machine::{Loss, Svr, SvrModel, SvrParams};
use mercer::solver::{Control, Status};
use mercer_testkit::fixture;
use serde::Deserialize;

const LOSSES: [Loss; 7] = [
    Loss::Linear { tube: 0.3 },
    Loss::Linear { tube: 0.0 },
    Loss::Quadratic { tube: 0.2 },
    Loss::Quadratic { tube: 0.0 },
    Loss::Huber { width: 0.4 },
    Loss::Quantile { level: 0.8 },
    Loss::Nu { nu: 0.4 },
];

fn machine(kernel: &str) -> SvrParams<Expression> {
    Svr::params(kernel.parse().unwrap()).tolerance(1e-8).precision(Precision::F64)
}

/// Miles per gallon, features standardised.
fn auto_mpg() -> (Vectors<'static>, Vec<f64>) {
    let table =
        mercer::data::read_file(fixture::data("auto_mpg.csv"), &Default::default()).unwrap().table().unwrap();
    let Targets::Numbers(targets) = table.targets else { panic!() };
    let scaling = Scaling::fit(ScalingKind::Standardise, &table.vectors).unwrap();
    (scaling.apply(&table.vectors).unwrap(), targets)
}

/// A noisy wave.
fn wave(n: usize, seed: u64) -> (Vectors<'static>, Vec<f64>) {
    let mut random = Random::new(seed);
    let points: Vec<[f64; 2]> = (0..n).map(|_| [3.0 * random.uniform(), random.normal()]).collect();
    let targets = points.iter().map(|p| (2.0 * p[0]).sin() + 0.3 * p[1] + 0.3 * random.normal()).collect();
    (Vectors::from_rows(&points).unwrap(), targets)
}

#[test]
fn scikit_learn_finds_the_same() {
    #[derive(Deserialize)]
    struct Case {
        loss: Loss,
        kernel: String,
        cost: f64,
        weighted: bool,
        offset: f64,
        size: f64,
        support: usize,
        predictions: Vec<f64>,
    }
    #[derive(Deserialize)]
    struct Fixture {
        regression: Vec<Case>,
    }
    let (rows, targets) = auto_mpg();
    let weights: Vec<f64> = (0..targets.len()).map(|i| 1.0 + (i % 3) as f64).collect();
    for case in fixture::read::<Fixture>("machines.json").regression {
        let (loss, go_on) = (case.loss, |_: &_| Control::Continue);
        let machine = machine(&case.kernel).cost(case.cost).loss(loss).check().unwrap();
        let weights = case.weighted.then_some(&weights[..]);
        let model = machine.fit_observed(&rows, &targets, weights, None, &go_on).unwrap();
        assert_eq!(model.report().unwrap().status, Status::Converged);
        let expansion = model.expansion();
        assert!(
            (expansion.offset - case.offset).abs() < 1e-5,
            "{loss}: {} {}",
            expansion.offset,
            case.offset
        );
        let found: f64 = expansion.coefficients.iter().map(|b| b.abs()).sum();
        assert!((found / case.size - 1.0).abs() < 1e-6, "{loss}: {found} {}", case.size);
        assert!(expansion.support.len().abs_diff(case.support) <= 1, "{loss}: {}", expansion.support.len());
        let first = model.predict(&rows.select(&[0, 1, 2, 3])).unwrap();
        assert_eq!(first.len(), case.predictions.len());
        for (f, expected) in first.iter().zip(case.predictions) {
            assert!((f - expected).abs() < 5e-5, "{loss}: {f} {expected}");
        }
    }
}

/// ½‖w‖² + Σ Cᵢ L(rᵢ), computed from predictions alone.
fn primal(model: &SvrModel<Expression, Vectors<'static>>, rows: &Vectors, targets: &[f64], cost: f64) -> f64 {
    let f = model.predict(rows).unwrap();
    let without = |i: usize| f[i] - model.expansion().offset;
    let expansion = model.expansion();
    let squared: f64 =
        expansion.support.iter().zip(&expansion.coefficients).map(|(&i, b)| b * without(i)).sum();
    let losses: f64 = targets.iter().zip(&f).map(|(y, f)| model.loss().value(y - f, model.tube())).sum();
    let for_tube = match model.loss() {
        Loss::Nu { nu } => nu * targets.len() as f64 * model.tube(),
        _ => 0.0,
    };
    0.5 * squared + cost * (losses + for_tube)
}

#[test]
fn the_primal_objective_of_every_loss_meets_its_dual() {
    let (rows, targets) = wave(150, 4);
    for loss in LOSSES {
        for offset in [true, false] {
            let Ok(machine) = machine("gaussian(gamma=0.7)").cost(3.0).loss(loss).offset(offset).check()
            else {
                assert!(matches!(loss, Loss::Nu { .. }) && !offset);
                continue;
            };
            let model = machine.fit(&rows, &targets).unwrap();
            let report = model.report().unwrap();
            assert_eq!(report.status, Status::Converged, "{loss}");
            let primal = primal(&model, &rows, &targets, 3.0);
            let dual = report.certificate.dual;
            assert!(
                primal >= dual - 1e-9 * dual.abs() && primal - dual < 1e-5 * dual.abs(),
                "{loss}: {primal} {dual}"
            );
            assert!(report.relative_gap().unwrap() < 1e-5, "{loss}");
            // What the model says about its training rows is what it predicts.
            let f = model.predict(&rows).unwrap();
            for ((r, y), f) in model.residuals().iter().zip(&targets).zip(&f) {
                assert!((r - (y - f)).abs() < 1e-9, "{loss}");
            }
            assert!(offset || model.expansion().offset == 0.0);
        }
    }
}

/// (K + I/C)β + b = y with Σβ = 0, solved by elimination.
#[test]
fn a_quadratic_loss_without_a_tube_is_ridge_regression_with_an_offset() {
    let (rows, targets) = wave(40, 5);
    let cost = 2.5;
    let model =
        machine("gaussian(gamma=0.7)").cost(cost).loss(Loss::Quadratic { tube: 0.0 }).check().unwrap();
    let model = model.fit(&rows, &targets).unwrap();
    let n = rows.len();
    let value = |i: usize, j: usize| {
        let (x, z) = (rows.get(i).to_dense(2), rows.get(j).to_dense(2));
        (-0.7 * ((x[0] - z[0]).powi(2) + (x[1] - z[1]).powi(2))).exp()
    };
    let mut system: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let mut row: Vec<f64> =
                (0..n).map(|j| value(i, j) + if i == j { 1.0 / cost } else { 0.0 }).collect();
            row.extend([1.0, targets[i]]);
            row
        })
        .collect();
    system.push([vec![1.0; n], vec![0.0, 0.0]].concat());
    let m = n + 1;
    for k in 0..m {
        let pivot = (k..m).max_by(|&a, &b| system[a][k].abs().total_cmp(&system[b][k].abs())).unwrap();
        system.swap(k, pivot);
        for i in (0..m).filter(|&i| i != k) {
            let factor = system[i][k] / system[k][k];
            let row = system[k].clone();
            system[i].iter_mut().zip(&row).for_each(|(a, b)| *a -= factor * b);
        }
    }
    let solution: Vec<f64> = (0..m).map(|i| system[i][m] / system[i][i]).collect();
    assert!((model.expansion().offset - solution[n]).abs() < 1e-7);
    for (&i, beta) in model.expansion().support.iter().zip(&model.expansion().coefficients) {
        assert!((beta - solution[i]).abs() < 1e-7);
    }
}

#[test]
fn whole_weights_are_repeated_rows() {
    let (rows, targets) = wave(60, 6);
    let weights: Vec<f64> = (0..60).map(|i| (i % 3) as f64).collect();
    let repeated: Vec<usize> = (0..60).flat_map(|i| vec![i; i % 3]).collect();
    let many: Vec<f64> = repeated.iter().map(|&i| targets[i]).collect();
    for loss in LOSSES {
        let machine = machine("gaussian(gamma=0.7) + 0.1 * linear").cost(3.0).loss(loss).check().unwrap();
        let weighted =
            machine.fit_observed(&rows, &targets, Some(&weights), None, &|_| Control::Continue).unwrap();
        let plain = machine.fit(&rows.select(&repeated), &many).unwrap();
        let (a, b) = (weighted.predict(&rows).unwrap(), plain.predict(&rows).unwrap());
        for (a, b) in a.iter().zip(&b) {
            assert!((a - b).abs() < 1e-5, "{loss}: {a} {b}");
        }
        assert!((weighted.tube() - plain.tube()).abs() < 1e-5, "{loss}");
    }
}

#[test]
fn nu_bounds_the_share_outside_the_tube_and_the_share_of_support_vectors() {
    for seed in 0..6 {
        let (rows, targets) = wave(120, 100 + seed);
        for nu in [0.1, 0.35, 0.7, 1.0] {
            let machine = machine("gaussian(gamma=0.7)").cost(2.0).loss(Loss::Nu { nu }).check().unwrap();
            let model = machine.fit(&rows, &targets).unwrap();
            let outside = model.residuals().iter().filter(|r| r.abs() > model.tube() + 1e-6).count() as f64;
            let n = targets.len() as f64;
            assert!(outside <= nu * n + 1e-9, "{nu}: {outside} outside");
            assert!(model.expansion().support.len() as f64 >= nu * n - 1e-9, "{nu}");
            // The tube that was found, given, finds the same function.
            let given = machine_with_tube(model.tube()).fit(&rows, &targets).unwrap();
            let (a, b) = (model.predict(&rows).unwrap(), given.predict(&rows).unwrap());
            assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-4), "{nu}");
        }
    }
}

fn machine_with_tube(tube: f64) -> Svr<Expression> {
    machine("gaussian(gamma=0.7)").cost(2.0).loss(Loss::Linear { tube }).check().unwrap()
}

#[test]
fn quantiles_leave_their_share_below() {
    let (rows, targets) = wave(400, 8);
    for level in [0.1, 0.5, 0.9] {
        let machine =
            machine("gaussian(gamma=0.7)").cost(1.0).loss(Loss::Quantile { level }).check().unwrap();
        let model = machine.fit(&rows, &targets).unwrap();
        let share = |margin: f64| {
            model.residuals().iter().filter(|r| **r < margin).count() as f64 / targets.len() as f64
        };
        // Exactly, up to the rows that the function passes through.
        assert!(share(-1e-6) <= level + 1e-9 && share(1e-6) >= level - 1e-9, "{level}");
    }
}

#[test]
fn an_earlier_fit_is_a_head_start_and_a_stopped_one_can_be_taken_up() {
    let (rows, targets) = wave(3000, 9);
    let go_on = |_: &_| Control::Continue;
    // Of all losses on few rows, of two on so many that a head start shows in the rows of K.
    for loss in LOSSES {
        let (rows, targets) = wave(200, 12);
        let base = machine("gaussian(gamma=0.7)").loss(loss).cost(6.0);
        let machine = base.clone().check().unwrap();
        let whole = machine.fit(&rows, &targets).unwrap();
        let stopped = base.max_iterations(5).check().unwrap().fit(&rows, &targets).unwrap();
        assert_eq!(stopped.report().unwrap().status, Status::IterationLimit, "{loss}");
        assert!(stopped.predict(&rows).unwrap().iter().all(|f| f.is_finite()), "{loss}");
        let resumed = machine.fit_observed(&rows, &targets, None, Some(stopped.expansion()), &go_on).unwrap();
        let [whole, resumed] = [whole, resumed].map(|model| model.report().unwrap().certificate.dual);
        assert!((resumed / whole - 1.0).abs() < 1e-6, "{loss}: {resumed} {whole}");
    }
    for loss in [Loss::Linear { tube: 0.6 }, Loss::Nu { nu: 0.1 }] {
        let base = machine("gaussian(gamma=0.7)").loss(loss).tolerance(1e-4);
        let first = base.clone().cost(5.95).check().unwrap().fit(&rows, &targets).unwrap();
        let machine = base.clone().cost(6.0).check().unwrap();
        let cold = machine.fit(&rows, &targets).unwrap();
        let warm = machine.fit_observed(&rows, &targets, None, Some(first.expansion()), &go_on).unwrap();
        let (cold, warm) = (cold.report().unwrap(), warm.report().unwrap());
        assert!(warm.rows_computed < cold.rows_computed, "{} {}", warm.rows_computed, cold.rows_computed);
        let stopped = base.clone().cost(6.0).max_iterations(5).check().unwrap().fit(&rows, &targets).unwrap();
        assert_eq!(stopped.report().unwrap().status, Status::IterationLimit);
        let resumed = machine.fit_observed(&rows, &targets, None, Some(stopped.expansion()), &go_on).unwrap();
        let resumed = resumed.report().unwrap().certificate.dual;
        assert!((resumed / cold.certificate.dual - 1.0).abs() < 1e-6);
    }
}

#[test]
fn single_precision_says_what_it_lost_and_threads_change_nothing() {
    let (rows, targets) = wave(2500, 10);
    let base = Svr::params("gaussian(gamma=0.7)".parse::<Expression>().unwrap()).cost(2.0);
    let exact =
        base.clone().precision(Precision::F64).tolerance(1e-6).check().unwrap().fit(&rows, &targets).unwrap();
    let auto = base.clone().check().unwrap().fit(&rows, &targets).unwrap();
    assert_eq!(auto.kept().precision, Precision::F32);
    let (optimum, certificate) =
        (exact.report().unwrap().certificate.dual, auto.report().unwrap().certificate);
    assert!(certificate.dual <= optimum * (1.0 + 1e-9) && optimum <= certificate.primal * (1.0 + 1e-6));
    let one = base.clone().threads(1).check().unwrap().fit(&rows, &targets).unwrap();
    assert_eq!(one.expansion(), auto.expansion());
    assert_eq!(one.with_threads(1).predict(&rows).unwrap(), auto.predict(&rows).unwrap());
}

#[test]
fn what_makes_no_sense_is_refused() {
    let (rows, targets) = wave(20, 11);
    let ready = machine("linear").check().unwrap();
    assert!(matches!(ready.fit(&rows, &targets[1..]), Err(Error::Shape { .. })));
    let mut spoiled = targets.clone();
    spoiled[7] = f64::NAN;
    assert!(matches!(ready.fit(&rows, &spoiled), Err(Error::Entry { index: 7, .. })));
    for (loss, name) in [
        (Loss::Linear { tube: -0.1 }, "tube"),
        (Loss::Quadratic { tube: f64::NAN }, "tube"),
        (Loss::Huber { width: 0.0 }, "width"),
        (Loss::Quantile { level: 1.0 }, "level"),
        (Loss::Nu { nu: 0.0 }, "nu"),
        (Loss::Nu { nu: 1.5 }, "nu"),
    ] {
        match machine("linear").loss(loss).check() {
            Err(Error::Parameter { name: found, .. }) => assert_eq!(found, name),
            other => panic!("{other:?}"),
        }
    }
    assert!(machine("linear").cost(-1.0).check().is_err());
    // Targets that are all the same leave nothing to learn but themselves.
    let model = ready.fit(&rows, &[7.0; 20]).unwrap();
    assert!(model.predict(&rows).unwrap().iter().all(|f| (f - 7.0).abs() < 0.11));
}

/// Targets that are far from 0, against their primal objective as predictions give it.
#[test]
fn a_constant_in_all_targets_changes_the_offset_alone() {
    let mut random = Random::new(60);
    let points: Vec<[f64; 1]> = (0..60).map(|_| [6.0 * random.uniform()]).collect();
    let rows = Vectors::from_rows(&points).unwrap();
    let wave: Vec<f64> = points.iter().map(|p| p[0].sin() + 0.1 * random.normal()).collect();
    for loss in LOSSES {
        let machine = Svr::params("gaussian(gamma=1)".parse::<Expression>().unwrap()).loss(loss);
        let machine = machine.max_time(std::time::Duration::from_secs(20)).check().unwrap();
        let base = machine.fit(&rows, &wave).unwrap().predict(&rows).unwrap();
        for far in [1e6, 1e9, 1e12, 1e14, 1e16, -1e16] {
            let targets: Vec<f64> = wave.iter().map(|y| y + far).collect();
            let model = machine.fit(&rows, &targets).unwrap();
            let report = model.report().unwrap();
            assert_ne!(report.status, Status::TimeLimit, "{loss:?} {far:e}");
            let certificate = report.certificate;
            let gap = report.relative_gap().unwrap();
            assert!(report.status != Status::Converged || gap <= 0.01, "{loss:?} {far:e}: {report:?}");
            let found = model.predict(&rows).unwrap();
            if far.abs() <= 1e12 {
                assert_eq!(report.status, Status::Converged, "{loss:?} {far:e}: {report:?}");
                let ulp = f64::EPSILON * far.abs();
                // Two solutions within the tolerance, of targets that are rounded.
                let close = |(a, b): (&f64, &f64)| (a - far - b).abs() < 0.02 + 10.0 * ulp;
                assert!(found.iter().zip(&base).all(close), "{loss:?} {far:e}");
            }
            if !matches!(loss, Loss::Nu { .. }) {
                let lost: f64 = targets.iter().zip(&found).map(|(y, f)| loss.value(y - f, 0.0)).sum();
                let primal = 0.5 * report.norm.powi(2) + lost;
                let rounding = 1e-12 * primal;
                assert!(
                    certificate.primal >= primal - rounding,
                    "{loss:?} {far:e}: {primal} {certificate:?}"
                );
                assert!(certificate.dual <= primal + rounding, "{loss:?} {far:e}: {primal} {certificate:?}");
            }
        }
    }
}
