//! Columns of very different scales, and kernel values beside which a margin of 1 is lost in rounding.

use std::time::{Duration, Instant};

use mercer::Error;
use mercer::data::{Labels, Vectors};
use mercer::kernel::Expression;
use mercer::machine::{Loss, Slack, Svc, Svr};
use mercer::solver::{Certificate, Status};
use mercer_testkit::general_qp::{Equation, minimise};
use mercer_testkit::random::Random;

use super::small_set;

/// Positive, skewed, correlated columns whose scales go from 1 to 1e6, and targets between 0 and 100 or so.
fn unscaled(n: usize) -> (Vec<Vec<f64>>, Vec<f64>) {
    const COLUMNS: usize = 21;
    let mut random = Random::new(5);
    let mixing: Vec<[f64; 5]> = (0..COLUMNS).map(|_| std::array::from_fn(|_| random.normal())).collect();
    let slope: Vec<f64> = (0..COLUMNS).map(|_| random.normal()).collect();
    let mut targets = Vec::new();
    let rows = (0..n)
        .map(|_| {
            let hidden: [f64; 5] = std::array::from_fn(|_| random.normal());
            let mut target = 80.0 + random.normal();
            let row = (0..COLUMNS).map(|j| {
                let common: f64 = mixing[j].iter().zip(&hidden).map(|(m, h)| m * h).sum();
                let value = (0.5 * common + 0.8 * random.normal()).exp();
                target += 3.0 * slope[j] * value.ln_1p();
                (100.0 * value * 10f64.powf(0.3 * j as f64)).round() / 100.0
            });
            let row = row.collect();
            targets.push(target);
            row
        })
        .collect();
    (rows, targets)
}

fn classes(targets: &[f64]) -> Vec<f64> {
    let mut sorted = targets.to_vec();
    sorted.sort_by(f64::total_cmp);
    targets.iter().map(|t| if *t > sorted[sorted.len() / 2] { 1.0 } else { -1.0 }).collect()
}

fn linear() -> Expression {
    "linear".parse().unwrap()
}

/// Long before anyone would lose patience, though a test machine may be busy.
fn within_a_minute(begun: Instant) {
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[test]
fn a_classifier_of_unscaled_columns_ends_and_knows_how_near_it_is() {
    let (rows, targets) = unscaled(240);
    let labels = Labels::from_numbers(&classes(&targets)).unwrap();
    let rows = Vectors::from_rows(&rows).unwrap();
    for slack in [Slack::Linear, Slack::Quadratic] {
        let begun = Instant::now();
        let model = Svc::params(linear()).slack(slack).check().unwrap().fit(&rows, &labels).unwrap();
        within_a_minute(begun);
        let report = &model.pairs().reports[0];
        let gap = report.certificate.relative_gap();
        assert!(gap < 1.0, "{slack:?}: {:?} {:?}", report.status, report.certificate);
        assert_ne!(report.status, Status::TimeLimit);
        // What is reported is what the model does.
        let decisions = model.decision_values(&rows).unwrap();
        let slacks = decisions.iter().enumerate().map(|(i, f)| {
            let sign = if labels.codes()[i] == 0 { -1.0 } else { 1.0 };
            (1.0 - sign * f).max(0.0)
        });
        let loss: f64 = match slack {
            Slack::Quadratic => slacks.map(|s| 0.5 * s * s).sum(),
            _ => slacks.sum(),
        };
        let Certificate { primal, dual, .. } = report.certificate;
        assert!(
            (0.9 * dual..=1.1 * primal).contains(&loss),
            "{slack:?}: {loss} and {:?}",
            report.certificate
        );
    }
}

#[test]
fn a_regression_of_unscaled_columns_ends_and_knows_how_near_it_is() {
    let (rows, targets) = unscaled(200);
    let rows = Vectors::from_rows(&rows).unwrap();
    let begun = Instant::now();
    let machine = Svr::params(linear()).loss(Loss::Linear { tube: 0.1 }).cost(1.0).check().unwrap();
    let model = machine.fit(&rows, &targets).unwrap();
    within_a_minute(begun);
    let report = model.report().unwrap();
    let certificate = report.certificate;
    assert!(certificate.relative_gap() < 0.9, "{:?} {certificate:?}", report.status);
}

#[test]
fn beyond_the_digits_of_double_precision_it_ends_at_once_and_says_so() {
    // Rows of which some are equal and of both classes: what squared slack adds to the diagonal is a last digit of K.
    let columns = [46.0, 69.0, 69.0, 46.0, 69.0, 69.0, 69.0, 0.0].map(|x| [1e6 * x]);
    let rows = Vectors::from_rows(&columns).unwrap();
    let labels = Labels::from_numbers(&[0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0]).unwrap();
    let machine = Svc::params(linear()).slack(Slack::Quadratic).cost(100.0).check().unwrap();
    let begun = Instant::now();
    let model = machine.fit(&rows, &labels).unwrap();
    let report = &model.pairs().reports[0];
    assert_eq!(report.status, Status::NumericalLimit);
    assert!(report.iterations < 100_000, "{}", report.iterations);
    assert!(report.certificate.relative_gap() > 0.5, "no proof of a model that rounding has made");

    let (rows, labels) = small_set("iris.csv");
    let machine = Svc::params("1e22 * linear".parse::<Expression>().unwrap()).check().unwrap();
    let model = machine.fit(&rows, &labels).unwrap();
    within_a_minute(begun);
    let reports = &model.pairs().reports;
    assert!(reports.iter().all(|report| report.iterations < 1_000_000), "{reports:?}");
    // Classes that can be separated are, whatever the scale; slacks of 1e-15 are more than an objective of 1e-22, so that no
    // gap proves it.
    assert!(reports[0].certificate.kkt_gap < 1e-3, "{reports:?}");
    assert_eq!(reports[0].status, Status::NumericalLimit);
    assert_eq!(reports[2].status, Status::NumericalLimit);
    assert!(reports[2].certificate.relative_gap() > 1e-3);
}

#[test]
fn squared_losses_with_an_indefinite_kernel_are_refused_where_they_have_no_optimum() {
    let mut random = Random::new(3);
    let points: Vec<[f64; 2]> = (0..60).map(|_| [3.0 * random.normal(), 3.0 * random.normal()]).collect();
    let targets: Vec<f64> = points.iter().map(|p| p[0] * p[1] + random.normal()).collect();
    let rows = Vectors::from_rows(&points).unwrap();
    let kernel = || "sigmoid(gamma=2, constant=-1)".parse::<Expression>().unwrap();
    let squared = Svr::params(kernel()).loss(Loss::Quadratic { tube: 0.1 }).cost(1e4).check().unwrap();
    let error = squared.fit(&rows, &targets).unwrap_err();
    assert!(matches!(error, Error::Unbounded { curvature } if curvature < 0.0), "{error}");
    // The diagonal that a small C adds makes it positive definite; a box bounds it.
    let small = Svr::params(kernel()).loss(Loss::Quadratic { tube: 0.1 }).cost(1e-3).check().unwrap();
    assert!(small.fit(&rows, &targets).is_ok());
    let boxed = Svr::params(kernel()).loss(Loss::Linear { tube: 0.1 }).cost(1.0).max_iterations(100_000);
    assert!(boxed.check().unwrap().fit(&rows, &targets).is_ok());

    let labels = Labels::from_numbers(&targets.iter().map(|t| t.signum()).collect::<Vec<_>>()).unwrap();
    let hinge = Svc::params(kernel()).slack(Slack::Quadratic).cost(1e4).check().unwrap();
    match hinge.fit(&rows, &labels) {
        Err(error) => assert!(matches!(error, Error::Unbounded { .. }), "{error}"),
        Ok(model) => {
            let most = model.pairs().coefficients.iter().fold(0.0f64, |most, b| most.max(b.abs()));
            assert!(most < 1e12, "{most}");
        }
    }
}

/// The least ½‖w‖² + C Σξ over w and b, by a general interior-point program in w with every column divided by its largest value,
/// which changes the variables and not the problem.
fn least_primal(rows: &[Vec<f64>], signs: &[f64], cost: f64) -> f64 {
    let (n, d) = (rows.len(), rows[0].len());
    let scale: Vec<f64> =
        (0..d).map(|j| rows.iter().map(|row| row[j].abs()).fold(f64::MIN_POSITIVE, f64::max)).collect();
    // v = w·scale, b, ξ and what a margin has beyond 1. In units of C, so that coefficients are near to 1.
    let count = d + 1 + 2 * n;
    let quadratic: Vec<(usize, usize, f64)> =
        (0..d).map(|j| (j, j, 1.0 / (scale[j] * scale[j]) / cost)).collect();
    let mut linear = vec![0.0; count];
    let (mut lower, upper) = (vec![0.0; count], vec![f64::INFINITY; count]);
    lower[..=d].fill(f64::NEG_INFINITY);
    linear[d + 1..d + 1 + n].fill(1.0);
    let equations: Vec<Equation> = (0..n)
        .map(|i| {
            let mut terms: Vec<(usize, f64)> =
                (0..d).map(|j| (j, signs[i] * rows[i][j] / scale[j])).collect();
            terms.extend([(d, signs[i]), (d + 1 + i, 1.0), (d + 1 + n + i, -1.0)]);
            Equation { terms, right: 1.0 }
        })
        .collect();
    cost * minimise(&quadratic, &linear, (&lower, &upper), &equations).0
}

#[test]
fn objectives_of_unscaled_columns_are_near_those_of_another_method() {
    // With C = 0.01 the optimum can be told in double precision; with C = 1 scores are rounded by about 1.
    for (cost, most) in [(0.01, 1.02), (1.0, 2.5)] {
        let (rows, targets) = unscaled(240);
        let signs = classes(&targets);
        let least = least_primal(&rows, &signs, cost);
        let labels = Labels::from_numbers(&signs).unwrap();
        let rows = Vectors::from_rows(&rows).unwrap();
        let model = Svc::params(linear()).cost(cost).check().unwrap().fit(&rows, &labels).unwrap();
        let report = &model.pairs().reports[0];
        let Certificate { primal, dual, .. } = report.certificate;
        assert!(primal < most * least, "C = {cost}: {primal}, where {least} is the least");
        assert!(
            dual <= 1.001 * least && least <= 1.001 * primal,
            "C = {cost}: {least} not in {dual} to {primal}"
        );
        // What the model does on its own rows is what is reported.
        let decisions = model.decision_values(&rows).unwrap();
        let slack: f64 = decisions.iter().zip(&signs).map(|(f, y)| (1.0 - f * y).max(0.0)).sum();
        assert!(cost * slack <= 1.01 * primal, "C = {cost}: a loss of {} and {primal}", cost * slack);
        assert!(report.iterations < 2_000_000, "{}", report.iterations);
    }
}

#[test]
fn more_steps_leave_no_more_than_twice_the_gap() {
    let (rows, targets) = unscaled(240);
    let signs = classes(&targets);
    let labels = Labels::from_numbers(&signs).unwrap();
    let rows = Vectors::from_rows(&rows).unwrap();
    let mut least = f64::INFINITY;
    for steps in [3_000, 10_000, 30_000, 100_000, 200_000, 400_000] {
        let model = Svc::params(linear()).max_iterations(steps).check().unwrap().fit(&rows, &labels).unwrap();
        let report = &model.pairs().reports[0];
        // The last iterate is the answer unless an earlier one has half of its gap.
        let gap = report.certificate.duality_gap();
        assert!(gap <= 2.0 * least, "{steps} steps: a gap of {gap}, where fewer steps left {least}");
        least = least.min(gap);
    }
}
