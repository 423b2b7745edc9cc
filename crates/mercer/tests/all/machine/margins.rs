//! Hard margins, shares ν, and machines of unit length.

use mercer::Error;
use mercer::data::{Items, Labels, Random, Vectors};
use mercer::gram::Precision;
use mercer::kernel::Expression;
use mercer::machine::{ClassWeights, PairReport, Probability, Scale, Slack, Svc, SvcParams};
use mercer::solver::{Control, Status};
use mercer_testkit::fixture;
use mercer_testkit::qp::{QpProblem, QpStatus};
use serde::Deserialize;

use super::small_set;

fn machine(kernel: &str, slack: Slack, scale: Scale) -> SvcParams<Expression> {
    let params = Svc::params(kernel.parse().unwrap()).slack(slack).scale(scale);
    params.tolerance(1e-7).precision(Precision::F64)
}

fn close(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{a} {b}");
    }
}

fn signs(labels: &Labels) -> Vec<f64> {
    labels.codes().iter().map(|&code| if code == 1 { 1.0 } else { -1.0 }).collect()
}

#[test]
fn nu_machines_are_those_of_scikit_learn() {
    #[derive(Deserialize)]
    struct Case {
        file: String,
        nu: f64,
        kernel: String,
        offsets: Vec<f64>,
        cost: Option<f64>,
        rows: Vec<usize>,
        decisions: Vec<f64>,
    }
    #[derive(Deserialize)]
    struct Fixture {
        nu_classes: Vec<Case>,
    }
    for case in fixture::read::<Fixture>("machines.json").nu_classes {
        let (rows, labels) = small_set(&case.file);
        let params = machine(&case.kernel, Slack::Nu { nu: case.nu }, Scale::Functional);
        let model = params.check().unwrap().fit(&rows, &labels).unwrap();
        assert_eq!(model.status(), Some(Status::Converged));
        close(&model.pairs().offsets, &case.offsets, 1e-5);
        close(&model.decision_values(&rows.select(&case.rows)).unwrap(), &case.decisions, 1e-5);
        let Some(cost) = case.cost else { continue };
        // It is the machine with the cost 1/ρ, certificate and all.
        let largest = model.pairs().coefficients.iter().fold(0.0f64, |most, b| most.max(b.abs()));
        close(&[largest], &[cost], 1e-5);
        let params = machine(&case.kernel, Slack::Linear, Scale::Functional).cost(largest);
        let with_cost = params.check().unwrap().fit(&rows, &labels).unwrap();
        let (a, b) = (&model.pairs().reports[0], &with_cost.pairs().reports[0]);
        close(
            &[a.certificate.dual, a.margin, a.slack_sum],
            &[b.certificate.dual, b.margin, b.slack_sum],
            1e-5,
        );
        assert!(a.relative_gap().unwrap() < 1e-5 && a.bounded == b.bounded);
    }
}

#[test]
fn nu_bounds_margin_errors_from_above_and_support_from_below() {
    let mut random = Random::new(11);
    for round in 0..20 {
        let n = 40 + 3 * round;
        let points: Vec<[f64; 2]> = (0..n).map(|_| [random.normal(), random.normal()]).collect();
        let labels = Labels::from_text(
            points.iter().map(|p| if p[0] + 0.7 * random.normal() > 0.2 { "a" } else { "b" }),
        );
        let rows = Vectors::from_rows(&points).unwrap();
        let most = 2.0 * *labels.counts().iter().min().unwrap() as f64 / n as f64;
        let nu = most * (0.3 + 0.69 * random.uniform());
        let params = machine("gaussian(gamma=1)", Slack::Nu { nu }, Scale::Functional);
        let model = params.check().unwrap().fit(&rows, &labels).unwrap();
        let report = &model.pairs().reports[0];
        let errors = model.slacks()[0].iter().filter(|(_, slack)| *slack > 1e-5).count();
        assert!(errors as f64 <= nu * n as f64 + 1e-6, "{errors} margin errors of {n}, nu {nu}");
        assert!(report.support as f64 >= nu * n as f64 - 1e-6, "{} support, nu {nu}", report.support);
        // The same in the form that knows no cost.
        let params = machine("gaussian(gamma=1)", Slack::Nu { nu }, Scale::Geometric);
        let unit = params.check().unwrap().fit(&rows, &labels).unwrap();
        let scaled: Vec<f64> =
            model.decision_values(&rows).unwrap().iter().map(|f| f * report.margin).collect();
        close(&unit.decision_values(&rows).unwrap(), &scaled, 1e-4);
        close(&[unit.pairs().reports[0].gamma.unwrap()], &[report.margin], 1e-5);
    }
}

#[test]
fn a_share_that_cannot_be_is_refused_with_the_interval() {
    let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0], [3.0], [4.0]]).unwrap();
    let labels = Labels::from_text(["a", "a", "a", "a", "b"]);
    let params = machine("gaussian(gamma=1)", Slack::Nu { nu: 0.5 }, Scale::Functional);
    match params.check().unwrap().fit(&rows, &labels) {
        Err(Error::Interval { name: "nu", value, low, high }) => {
            assert_eq!((value, low, high), (0.5, 0.0, 0.4))
        }
        other => panic!("{:?}", other.map(|_| ())),
    }
    for nu in [0.0, -1.0, 1.5, f64::NAN] {
        let params = machine("linear", Slack::Nu { nu }, Scale::Functional);
        assert!(matches!(params.check(), Err(Error::Parameter { name: "nu", .. })));
    }
    // Too small a share: the hulls of the classes meet.
    let labels = Labels::from_text(["a", "b", "a", "b", "a"]);
    let params = machine("linear", Slack::Nu { nu: 0.1 }, Scale::Functional);
    assert!(matches!(params.check().unwrap().fit(&rows, &labels), Err(Error::NoMargin { nu: 0.1 })));
    let params = machine("linear", Slack::None, Scale::Geometric).offset(false);
    assert!(matches!(params.check(), Err(Error::Unsupported { .. })));
}

#[test]
fn a_share_without_a_margin_can_be_accepted() {
    let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0], [3.0], [4.0]]).unwrap();
    let labels = Labels::from_text(["a", "a", "a", "a", "b"]);
    let params = machine("gaussian(gamma=0.3)", Slack::Nu { nu: 0.6 }, Scale::Functional);
    let model = params.accept_no_margin(true).check().unwrap().fit(&rows, &labels).unwrap();
    assert_eq!(model.status(), Some(Status::Converged));
    // The coefficients of b sum to all that it has, 1, those of a to ½ν5.
    let kernel = gaussian(&rows, 0.3);
    let (y, zeros) = (signs(&labels), [0.0; 5]);
    let (lower, upper): (Vec<f64>, Vec<f64>) =
        y.iter().map(|&y| if y > 0.0 { (0.0, 1.0) } else { (-1.0, 0.0) }).unzip();
    let problem = QpProblem {
        group_sum: &[-1.5, 1.0],
        group: Some(&[0, 0, 0, 0, 1]),
        ..QpProblem::new(&kernel, &zeros, &lower, &upper)
    };
    let solution = problem.solve();
    assert_eq!(solution.status, QpStatus::Solved);
    let machines = model.pairs();
    let largest = machines.coefficients.iter().fold(0.0f64, |most, b| most.max(b.abs()));
    let mut found = [0.0; 5];
    machines.support.iter().zip(&machines.coefficients).for_each(|(&row, b)| found[row] = b / largest);
    close(&found, &solution.coefficients, 1e-4);

    // The hulls meet: values are 0 but for the tolerance.
    let labels = Labels::from_text(["a", "b", "a", "b", "a"]);
    let params = machine("linear", Slack::Nu { nu: 0.1 }, Scale::Functional).accept_no_margin(true);
    let model = params.check().unwrap().fit(&rows, &labels).unwrap();
    assert!(model.decision_values(&rows).unwrap().iter().all(|value| value.abs() < 1e-5));
}

#[test]
fn probabilities_of_a_share_that_is_too_large_without_some_rows() {
    // 8 of 20 rows are in b: ν is at most 0.8, and less without a row of b.
    let mut random = Random::new(4);
    let names: Vec<&str> = (0..20).map(|i| if i % 5 < 2 { "b" } else { "a" }).collect();
    let rows: Vec<[f64; 2]> = names
        .iter()
        .map(|name| [random.normal() + if *name == "b" { 2.0 } else { 0.0 }, random.normal()])
        .collect();
    let (rows, labels) = (Vectors::from_rows(&rows).unwrap(), Labels::from_text(names));
    let params = machine("gaussian(gamma=0.5)", Slack::Nu { nu: 0.8 }, Scale::Functional);
    let model = params.probability(Probability::Platt).check().unwrap().fit(&rows, &labels).unwrap();
    let probabilities = model.probabilities(&rows).unwrap();
    assert!(probabilities.iter().all(|p| (0.0..=1.0).contains(p)));
    let of_b = |name: &str| {
        let of_class: Vec<f64> =
            (0..20).filter(|&i| labels.text(i) == name).map(|i| probabilities[2 * i + 1]).collect();
        of_class.iter().sum::<f64>() / of_class.len() as f64
    };
    assert!(of_b("b") > of_b("a") + 0.2, "{} {}", of_b("b"), of_b("a"));
}

/// K of a set under gaussian(gamma), computed plainly.
fn gaussian(rows: &Vectors<'_>, gamma: f64) -> Vec<f64> {
    let n = rows.len();
    let dense: Vec<Vec<f64>> = (0..n).map(|i| rows.get(i).to_dense(rows.columns())).collect();
    let squared = |x: &[f64], z: &[f64]| x.iter().zip(z).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
    (0..n * n).map(|at| (-gamma * squared(&dense[at / n], &dense[at % n])).exp()).collect()
}

#[test]
fn hard_margins_of_both_forms_are_one_and_that_of_clarabel() {
    let (rows, labels) = small_set("heart_scale");
    let some: Vec<usize> = (0..150).collect();
    let (rows, labels) = (rows.select(&some), labels.select(&some));
    let fit = |scale, offset| {
        let params = machine("gaussian(gamma=0.5)", Slack::None, scale).offset(offset);
        params.check().unwrap().fit(&rows, &labels).unwrap()
    };
    let (functional, geometric) = (fit(Scale::Functional, true), fit(Scale::Geometric, true));
    let (a, b): (&PairReport, &PairReport) = (&functional.pairs().reports[0], &geometric.pairs().reports[0]);
    for report in [a, b] {
        assert_eq!(report.status, Status::Converged);
        assert!(report.relative_gap().unwrap() < 1e-5, "{:?}", report.certificate);
        close(&[report.gamma.unwrap()], &[report.margin], 1e-6);
        assert_eq!((report.bounded, report.margin_errors), (0, 0));
    }
    close(&[a.gamma.unwrap()], &[b.gamma.unwrap()], 1e-6);
    let scaled: Vec<f64> = functional.decision_values(&rows).unwrap().iter().map(|f| f * a.margin).collect();
    close(&geometric.decision_values(&rows).unwrap(), &scaled, 1e-5);
    // Every row is outside of the margin, which is met.
    let y = signs(&labels);
    let margins = functional.decision_values(&rows).unwrap();
    let least = margins.iter().zip(&y).map(|(f, y)| f * y).fold(f64::INFINITY, f64::min);
    close(&[least], &[1.0], 1e-5);

    let kernel = gaussian(&rows, 0.5);
    let linear: Vec<f64> = y.iter().map(|y| -y).collect();
    let (lower, upper): (Vec<f64>, Vec<f64>) =
        y.iter().map(|&y| if y > 0.0 { (0.0, f64::INFINITY) } else { (f64::NEG_INFINITY, 0.0) }).unzip();
    for (sums, model) in [(&[0.0][..], &functional), (&[][..], &fit(Scale::Functional, false))] {
        let problem = QpProblem { group_sum: sums, ..QpProblem::new(&kernel, &linear, &lower, &upper) };
        let solution = problem.solve();
        assert_eq!(solution.status, QpStatus::Solved);
        close(&[model.pairs().reports[0].certificate.dual], &[-solution.objective], 1e-6);
    }
}

#[test]
fn a_margin_that_can_be_seen_is_found() {
    // Two points of one class, two of the other: the line x = 1.5 has the margin 1.5.
    let rows = Vectors::from_rows(&[[0.0, 0.0], [0.0, 5.0], [3.0, 1.0], [4.0, 2.0]]).unwrap();
    let labels = Labels::from_text(["left", "left", "right", "right"]);
    for scale in [Scale::Functional, Scale::Geometric] {
        let model = machine("linear", Slack::None, scale).check().unwrap().fit(&rows, &labels).unwrap();
        close(&[model.pairs().reports[0].gamma.unwrap()], &[1.5], 1e-6);
        let unit = if scale == Scale::Geometric { 1.0 } else { 1.0 / 1.5 };
        close(&model.decision_values(&rows).unwrap(), &[-1.5, -1.5, 1.5, 2.5].map(|f| f * unit), 1e-6);
    }
}

#[test]
fn classes_that_cannot_be_separated_are_recognised() {
    let xor = Vectors::from_rows(&[[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]).unwrap();
    let of_xor = Labels::from_text(["same", "same", "different", "different"]);
    let (heart, of_heart) = small_set("heart_scale");
    let twice = Vectors::from_rows(&[[1.0], [2.0], [2.0], [3.0]]).unwrap();
    let of_twice = Labels::from_text(["a", "a", "b", "b"]);
    for (rows, labels, kernel) in
        [(&xor, &of_xor, "linear"), (&heart, &of_heart, "linear"), (&twice, &of_twice, "gaussian(gamma=1)")]
    {
        for (scale, offset) in
            [(Scale::Functional, true), (Scale::Geometric, true), (Scale::Functional, false)]
        {
            let params = machine(kernel, Slack::None, scale).offset(offset).tolerance(1e-3);
            match params.check().unwrap().fit(rows, labels) {
                Err(Error::NotSeparable { classes, gap, bound }) => {
                    let [first, second] = labels.classes() else { panic!("two classes") };
                    assert_eq!(classes, format!("the classes {first} and {second}"));
                    assert!(gap > -1e-3 && (0.0..1e-4).contains(&bound), "{gap} {bound}")
                }
                other => {
                    panic!("{kernel} {scale:?} {offset}: {:?}", other.map(|m| m.pairs().reports.clone()))
                }
            }
        }
    }
}

#[test]
fn the_two_norm_of_unit_length_is_the_two_norm() {
    let (rows, labels) = small_set("heart_scale");
    let params = |scale| machine("gaussian(gamma=0.05)", Slack::Quadratic, scale).cost(4.0);
    let functional = params(Scale::Functional).check().unwrap().fit(&rows, &labels).unwrap();
    let unit = params(Scale::Geometric).check().unwrap().fit(&rows, &labels).unwrap();
    let (a, b) = (&functional.pairs().reports[0], &unit.pairs().reports[0]);
    close(&[a.margin, a.certificate.dual], &[b.margin, b.certificate.dual], 1e-6);
    close(&[a.gamma.unwrap()], &[a.margin], 1e-6);
    // γ*² = αᵀGα + μ‖α‖² with Σα = 1: the distance of the hulls in the space of K + μ, not that of K.
    let beta: Vec<f64> = functional.pairs().pair(0, 1).map(|(_, beta)| beta).collect();
    let (sum, squares): (f64, f64) = beta.iter().fold((0.0, 0.0), |(s, q), b| (s + b.abs(), q + b * b));
    let own = (1.0 / a.margin.powi(2) + 0.25 * squares).sqrt() / sum;
    close(&[b.gamma.unwrap()], &[own], 1e-6);
    assert!(b.gamma.unwrap() < 0.99 * b.margin || b.gamma.unwrap() > 1.01 * b.margin);
    let scaled: Vec<f64> = functional.decision_values(&rows).unwrap().iter().map(|f| f * a.margin).collect();
    close(&unit.decision_values(&rows).unwrap(), &scaled, 1e-5);
    // Slack is a distance there.
    close(&[b.slack_sum], &[a.slack_sum * a.margin], 1e-5);
}

#[test]
fn a_bound_on_normalised_coefficients_is_a_share() {
    let (rows, labels) = small_set("heart_scale");
    let (n, nu) = (rows.len() as f64, 0.4);
    let params = machine("gaussian(gamma=0.05)", Slack::Linear, Scale::Geometric).cost(1.0 / (nu * n));
    let bounded = params.check().unwrap().fit(&rows, &labels).unwrap();
    let params = machine("gaussian(gamma=0.05)", Slack::Nu { nu }, Scale::Geometric);
    let share = params.check().unwrap().fit(&rows, &labels).unwrap();
    close(&bounded.decision_values(&rows).unwrap(), &share.decision_values(&rows).unwrap(), 1e-5);
    // A bound below which the coefficients cannot sum to 1.
    let params = machine("gaussian(gamma=0.05)", Slack::Linear, Scale::Geometric).cost(0.5 / n);
    assert!(matches!(params.check().unwrap().fit(&rows, &labels), Err(Error::Infeasible { .. })));
}

#[test]
fn costs_of_classes_are_bounds_or_diagonals_of_their_own() {
    let (rows, labels) = small_set("heart_scale");
    let y = signs(&labels);
    let factors = [0.5, 3.0];
    let given = labels.classes().iter().cloned().zip(factors).collect();
    let kernel = gaussian(&rows, 0.05);
    let linear: Vec<f64> = y.iter().map(|y| -y).collect();
    let cost = |y: &f64| if *y > 0.0 { 2.0 * factors[1] } else { 2.0 * factors[0] };
    for slack in [Slack::Linear, Slack::Quadratic] {
        let params = machine("gaussian(gamma=0.05)", slack, Scale::Functional).cost(2.0);
        let params = params.class_weights(ClassWeights::Given(Vec::clone(&given)));
        let model = params.check().unwrap().fit(&rows, &labels).unwrap();
        let bound = |y: &f64| if slack == Slack::Linear { cost(y) } else { f64::INFINITY };
        let (lower, upper): (Vec<f64>, Vec<f64>) =
            y.iter().map(|y| if *y > 0.0 { (0.0, bound(y)) } else { (-bound(y), 0.0) }).unzip();
        // λ₊ and λ₋
        let diagonal: Vec<f64> =
            y.iter().map(|y| if slack == Slack::Linear { 0.0 } else { 1.0 / cost(y) }).collect();
        let problem = QpProblem {
            diagonal: &diagonal,
            group_sum: &[0.0],
            ..QpProblem::new(&kernel, &linear, &lower, &upper)
        };
        let solution = problem.solve();
        assert_eq!(solution.status, QpStatus::Solved);
        close(&[model.pairs().reports[0].certificate.dual], &[-solution.objective], 1e-6);
    }
}

#[test]
fn whole_weights_are_repeated_rows() {
    let (rows, labels) = small_set("wine.csv");
    let rows = mercer::data::Scaling::fit(mercer::data::ScalingKind::Standardise, &rows)
        .and_then(|scaling| scaling.apply(&rows))
        .unwrap();
    let weights: Vec<f64> = (0..rows.len()).map(|i| (i % 3) as f64).collect();
    let repeated: Vec<usize> = (0..rows.len()).flat_map(|i| vec![i; i % 3]).collect();
    for (slack, scale) in [
        (Slack::Nu { nu: 0.3 }, Scale::Functional),
        (Slack::Nu { nu: 0.3 }, Scale::Geometric),
        (Slack::None, Scale::Functional),
        (Slack::None, Scale::Geometric),
        (Slack::Quadratic, Scale::Geometric),
    ] {
        let machine = machine("gaussian(gamma=0.05)", slack, scale).check().unwrap();
        let weighted = machine.fit_weighted(&rows, &labels, &weights).unwrap();
        let plain = machine.fit(&rows.select(&repeated), &labels.select(&repeated)).unwrap();
        close(&weighted.decision_values(&rows).unwrap(), &plain.decision_values(&rows).unwrap(), 1e-5);
    }
}

#[test]
fn a_stopped_fit_is_taken_up_again() {
    let (rows, labels) = small_set("heart_scale");
    for (slack, scale) in [
        (Slack::Nu { nu: 0.4 }, Scale::Functional),
        (Slack::Nu { nu: 0.4 }, Scale::Geometric),
        (Slack::None, Scale::Functional),
        (Slack::None, Scale::Geometric),
        (Slack::Quadratic, Scale::Functional),
        (Slack::Quadratic, Scale::Geometric),
    ] {
        let params = machine("gaussian(gamma=0.5)", slack, scale);
        let whole = params.clone().check().unwrap().fit(&rows, &labels).unwrap();
        let stopped = params.clone().max_iterations(40).check().unwrap().fit(&rows, &labels).unwrap();
        assert_eq!(stopped.status(), Some(Status::IterationLimit), "{slack:?} {scale:?}");
        assert!(stopped.decision_values(&rows).unwrap().iter().all(|f| f.is_finite()));
        let again = params
            .check()
            .unwrap()
            .fit_from(&rows, &labels, None, stopped.pairs(), &|_| Control::Continue)
            .unwrap();
        assert_eq!(again.status(), Some(Status::Converged));
        let dual = |model: &mercer::machine::SvcModel<_, _>| model.pairs().reports[0].certificate.dual;
        close(&[dual(&again)], &[dual(&whole)], 1e-6);
    }
}
