//! The 2-norm soft margin and machines without an offset.

use mercer::data::{Items, Labels, Scaling, ScalingKind, Vectors};
use mercer::gram::Precision;
use mercer::kernel::Expression;
use mercer::machine::{Slack, Svc, SvcParams};
use mercer::solver::Status;
use mercer_testkit::fixture;
use mercer_testkit::qp::{QpProblem, QpStatus};
use serde::Deserialize;

use super::small_set;

fn standardised(name: &str) -> (Vectors<'static>, Labels) {
    let (rows, labels) = small_set(name);
    (Scaling::fit(ScalingKind::Standardise, &rows).unwrap().apply(&rows).unwrap(), labels)
}

fn machine(kernel: &str, slack: Slack, offset: bool) -> SvcParams<Expression> {
    let params = Svc::params(kernel.parse().unwrap()).slack(slack).offset(offset);
    params.tolerance(1e-8).precision(Precision::F64)
}

/// LIBLINEAR's squared hinge is C ξ², so that its C is half of ours.
#[test]
fn liblinear_finds_the_same() {
    #[derive(Deserialize)]
    struct Case {
        loss: String,
        cost: f64,
        decisions: Vec<f64>,
    }
    #[derive(Deserialize)]
    struct Fixture {
        linear: Vec<Case>,
    }
    let (rows, labels) = standardised("sonar.csv");
    for case in fixture::read::<Fixture>("machines.json").linear {
        let (slack, cost) = match case.loss.as_str() {
            "squared_hinge" => (Slack::Quadratic, 2.0 * case.cost),
            "hinge" => (Slack::Linear, case.cost),
            other => panic!("{other}"),
        };
        let model = machine("linear", slack, false).cost(cost).check().unwrap().fit(&rows, &labels).unwrap();
        assert_eq!(model.status(), Some(Status::Converged));
        assert_eq!(model.pairs().offsets, [0.0]);
        let found = model.decision_values(&rows.select(&[0, 1, 2, 3])).unwrap();
        assert_eq!(found.len(), case.decisions.len());
        for (f, expected) in found.iter().zip(case.decisions) {
            assert!((f - expected).abs() < 1e-5, "{slack:?}: {f} {expected}");
        }
    }
}

#[test]
fn clarabel_and_the_primal_agree() {
    let (rows, labels) = small_set("heart_scale");
    let n = rows.len();
    let cost = 3.0;
    for offset in [true, false] {
        let machine = machine("gaussian(gamma=0.05)", Slack::Quadratic, offset).cost(cost).check().unwrap();
        let model = machine.fit(&rows, &labels).unwrap();
        let report = &model.pairs().reports[0];
        assert!(report.relative_gap().unwrap() < 1e-6);
        // Slack is what the margin lacks, whatever the diagonal adds.
        let y = |i: usize| if labels.codes()[i] == 1 { 1.0 } else { -1.0 };
        let f = model.decision_values(&rows).unwrap();
        let slack: Vec<f64> = (0..n).map(|i| (1.0 - y(i) * f[i]).max(0.0)).collect();
        let b = model.pairs().offsets[0];
        let norm: f64 =
            model.pairs().pair(0, 1).map(|(s, beta)| beta * (f[model.pairs().support[s]] - b)).sum();
        let primal = 0.5 * norm + 0.5 * cost * slack.iter().map(|s| s * s).sum::<f64>();
        assert!((primal / report.certificate.dual - 1.0).abs() < 1e-6, "{primal} {:?}", report.certificate);
        assert!((slack.iter().sum::<f64>() - report.slack_sum).abs() < 1e-6 * report.slack_sum);
        // At the optimum α = C ξ, of all rows that miss the margin and of no others.
        for (s, beta) in model.pairs().pair(0, 1) {
            assert!((beta.abs() - cost * slack[model.pairs().support[s]]).abs() < 1e-6);
        }

        let kernel: Vec<f64> = (0..n * n)
            .map(|at| {
                let (x, z) = (rows.get(at / n).to_dense(13), rows.get(at % n).to_dense(13));
                (-0.05 * x.iter().zip(&z).map(|(a, b)| (a - b) * (a - b)).sum::<f64>()).exp()
            })
            .collect();
        let linear: Vec<f64> = (0..n).map(|i| -y(i)).collect();
        let (lower, upper): (Vec<f64>, Vec<f64>) =
            (0..n).map(|i| if y(i) > 0.0 { (0.0, f64::INFINITY) } else { (f64::NEG_INFINITY, 0.0) }).unzip();
        let diagonal = vec![1.0 / cost; n];
        let sums: &[f64] = if offset { &[0.0] } else { &[] };
        let problem = QpProblem {
            diagonal: &diagonal,
            group_sum: sums,
            ..QpProblem::new(&kernel, &linear, &lower, &upper)
        };
        let solution = problem.solve();
        assert_eq!(solution.status, QpStatus::Solved);
        assert!((-solution.objective / report.certificate.dual - 1.0).abs() < 1e-7);
    }
}

#[test]
fn weights_classes_and_precision_work_as_ever() {
    let (rows, labels) = standardised("wine.csv");
    let weights: Vec<f64> = (0..rows.len()).map(|i| (i % 3) as f64).collect();
    let repeated: Vec<usize> = (0..rows.len()).flat_map(|i| vec![i; i % 3]).collect();
    for (slack, offset) in [(Slack::Quadratic, true), (Slack::Quadratic, false), (Slack::Linear, false)] {
        let machine = machine("gaussian(gamma=0.05)", slack, offset).cost(2.0).check().unwrap();
        let weighted = machine.fit_weighted(&rows, &labels, &weights).unwrap();
        let plain = machine.fit(&rows.select(&repeated), &labels.select(&repeated)).unwrap();
        let (a, b) = (weighted.decision_values(&rows).unwrap(), plain.decision_values(&rows).unwrap());
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-5), "{slack:?} {offset}");
        let single = self::machine("gaussian(gamma=0.05)", slack, offset)
            .cost(2.0)
            .tolerance(1e-3)
            .precision(Precision::F32)
            .check()
            .unwrap()
            .fit(&rows, &labels)
            .unwrap();
        let double = machine.fit(&rows, &labels).unwrap();
        for (single, double) in single.pairs().reports.iter().zip(&double.pairs().reports) {
            let (bounds, optimum) = (single.certificate, double.certificate.dual);
            assert!(bounds.dual <= optimum * (1.0 + 1e-9) && optimum <= bounds.primal * (1.0 + 1e-9));
        }
        assert_eq!(single.predict(&rows).unwrap(), double.predict(&rows).unwrap());
    }
}
