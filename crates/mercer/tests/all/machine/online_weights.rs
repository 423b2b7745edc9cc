//! Weights of the examples of on-line machines: the limits are machines of repeated rows, and what has no weights says so.

use mercer::Error;
use mercer::data::{Items, Labels, Row, Vectors};
use mercer::gram::PrecomputedGram;
use mercer::io::{ModelFormat, SavedLearner};
use mercer::kernel::{Expression, Kernel};
use mercer::machine::online::{
    Answer, Budget, Online, OnlineState, PassLimits, PrimalPerceptron, RowMemory, Rule, Several,
    adatron_with_offset,
};
use mercer::machine::{Slack, Svc};
use mercer::solver::{Settings, Stop};
use mercer_testkit::random::Random;
use mercer_testkit::synthetic::two_gaussians;

const KERNEL: &str = "gaussian(gamma=2)";
const LIMITS: PassLimits = PassLimits { passes: 200_000, tolerance: 1e-13 };

fn memory(kernel: &str) -> RowMemory {
    RowMemory::new(kernel.parse().unwrap()).unwrap()
}

fn views<'a>(rows: &'a Vectors<'_>) -> Vec<Row<'a>> {
    (0..rows.len()).map(|i| rows.get(i)).collect()
}

fn weights(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i * 7 % 4) as f64).collect()
}

/// Each as often as it weighs.
fn repeated<T: Copy>(values: &[T], weights: &[f64]) -> Vec<T> {
    values.iter().zip(weights).flat_map(|(&value, &w)| vec![value; w as usize]).collect()
}

#[test]
fn the_limits_are_machines_of_repeated_rows() {
    let sample = two_gaussians(40, 2, 1.5, 9);
    let rows = Vectors::from_rows(&sample.rows).unwrap();
    let (items, weights) = (views(&rows), weights(rows.len()));
    for slack in [Slack::Linear, Slack::Quadratic] {
        let rule = Rule::PassiveAggressive { slack, cost: 0.8 };
        let mut weighted = Online::params(memory(KERNEL), rule.clone()).check().unwrap();
        let found = weighted.fit_weighted(&items, &sample.labels, Some(&weights), &LIMITS).unwrap();
        assert!(found.settled);
        let mut twice = Online::params(memory(KERNEL), rule).check().unwrap();
        twice.fit(&repeated(&items, &weights), &repeated(&sample.labels, &weights), &LIMITS).unwrap();
        let svc = Svc::params(KERNEL.parse::<Expression>().unwrap()).cost(0.8).slack(slack).offset(false);
        let labels = Labels::from_numbers(&sample.labels).unwrap();
        let batch = svc.tolerance(1e-9).check().unwrap().fit_weighted(&rows, &labels, &weights).unwrap();
        for (i, expected) in batch.decision_values(&rows).unwrap().into_iter().enumerate() {
            for machine in [&weighted, &twice] {
                let found = machine.function().value(items[i]).unwrap();
                assert!((found - expected).abs() < 1e-6, "{slack:?}, row {i}: {found} {expected}");
            }
        }
    }
    let mut random = Random::new(12);
    let targets: Vec<f64> = sample.rows.iter().map(|x| x[0].sin() + 0.1 * random.normal()).collect();
    for slack in [Slack::Linear, Slack::Quadratic] {
        let rule = Rule::Regression { tube: 0.1, slack, cost: 0.8 };
        let mut weighted = Online::params(memory(KERNEL), rule.clone()).check().unwrap();
        weighted.fit_weighted(&items, &targets, Some(&weights), &LIMITS).unwrap();
        let mut twice = Online::params(memory(KERNEL), rule).check().unwrap();
        twice.fit(&repeated(&items, &weights), &repeated(&targets, &weights), &LIMITS).unwrap();
        for (i, &item) in items.iter().enumerate() {
            let (found, expected) =
                (weighted.function().value(item).unwrap(), twice.function().value(item).unwrap());
            assert!((found - expected).abs() < 1e-6, "{slack:?}, row {i}: {found} {expected}");
        }
    }
}

#[test]
fn the_adatron_with_an_offset_is_that_of_repeated_rows() {
    let sample = two_gaussians(30, 2, 1.5, 3);
    let rows = Vectors::from_rows(&sample.rows).unwrap();
    let (items, weights) = (views(&rows), weights(rows.len()));
    let kernel: Expression = "gaussian(gamma=0.5)".parse().unwrap();
    let values = items.iter().flat_map(|x| items.iter().map(|z| kernel.eval(x, z)));
    let gram = PrecomputedGram::symmetric(values.collect::<Vec<_>>(), items.len()).unwrap();
    let settings = Settings { stop: Stop::KktGap(1e-10), ..Settings::default() };
    for slack in [Slack::Linear, Slack::Quadratic] {
        let found =
            adatron_with_offset(&gram, &sample.labels, Some(&weights), slack, 1.5, &settings).unwrap();
        let svc = Svc::params(kernel.clone()).cost(1.5).slack(slack).tolerance(1e-9);
        let labels = Labels::from_numbers(&sample.labels).unwrap();
        let batch = svc.check().unwrap().fit_weighted(&rows, &labels, &weights).unwrap();
        for (i, expected) in batch.decision_values(&rows).unwrap().into_iter().enumerate() {
            let value = |(x, beta): (&Row<'_>, &f64)| beta * kernel.eval(x, &items[i]);
            let found = items.iter().zip(&found.coefficients).map(value).sum::<f64>() + found.offset;
            assert!((found - expected).abs() < 1e-5, "{slack:?}, row {i}: {found} {expected}");
        }
    }
    // A class whose examples all have the weight 0 is not there.
    let one: Vec<f64> = sample.labels.iter().map(|&y| f64::from(u8::from(y > 0.0))).collect();
    let refused = adatron_with_offset(&gram, &sample.labels, Some(&one), Slack::Linear, 1.0, &settings);
    assert!(matches!(refused, Err(Error::OneClass { .. })));
}

#[test]
fn updates_of_perceptrons_are_multiplied() {
    let mut random = Random::new(5);
    for _ in 0..20 {
        let points: Vec<[f64; 2]> = (0..40).map(|_| [random.normal(), random.normal()]).collect();
        let kept: Vec<[f64; 2]> = points.into_iter().filter(|x| (x[0] + x[1]).abs() > 0.3).collect();
        let labels: Vec<f64> = kept.iter().map(|x| (x[0] + x[1]).signum()).collect();
        let weights: Vec<f64> =
            (0..kept.len()).map(|i| if i % 6 == 0 { 0.0 } else { 0.5 + random.uniform() }).collect();
        let rows = Vectors::from_rows(&kept).unwrap();
        let limits = PassLimits { passes: 10_000, ..PassLimits::default() };
        let primal = PrimalPerceptron::fit_weighted(&rows, &labels, Some(&weights), 10_000).unwrap();
        let mut dual = Online::params(memory("linear"), Rule::Perceptron)
            .bias_step(primal.squared_radius)
            .check()
            .unwrap();
        let found = dual.fit_weighted(&views(&rows), &labels, Some(&weights), &limits).unwrap();
        assert!(primal.settled && found.settled);
        assert_eq!((found.updates, found.passes), (primal.updates, primal.passes));
        assert!((dual.function().offset() - primal.offset).abs() < 1e-9 * primal.offset.abs().max(1.0));
        // Novikoff with weights: R²/γ² times the largest over the smallest.
        let margin = found.margin.unwrap();
        assert!(found.updates as f64 <= 3.0 * found.squared_radius / (margin * margin));
        let tally = dual.tally();
        assert!(margin <= tally.largest_margin().unwrap() * (1.0 + 1e-9));
        assert!(tally.weight > 0.5 * tally.updates as f64 && tally.weight < 1.5 * tally.updates as f64);
    }
}

/// Weights of 1 are no weights, one of 0 changes nothing, and a mean counts each function by its weight.
#[test]
fn means_count_examples_by_their_weights() {
    let rule = Rule::PassiveAggressive { slack: Slack::Linear, cost: 1.0 };
    let mut machine = Online::params(memory("linear"), rule).averaged(true).check().unwrap();
    let stream = [(1.0, 1.0, 2.0), (2.0, -1.0, 0.5), (-1.0, 1.0, 0.0), (-1.0, -1.0, 3.0)];
    let (mut total, mut sum) = (0.0, 0.0);
    for (x, y, weight) in stream {
        let before = machine.function().value(Row::Dense64(&[1.0])).unwrap();
        let outcome = machine.learn_weighted(Row::Dense64(&[x]), y, weight).unwrap();
        let after = machine.function().value(Row::Dense64(&[1.0])).unwrap();
        assert!(weight > 0.0 || (before == after && outcome.loss == 0.0 && !outcome.updated));
        total += weight;
        sum += weight * after;
    }
    let mean = machine.function().averaged_value(Row::Dense64(&[1.0])).unwrap();
    assert!((mean - sum / total).abs() < 1e-12, "{mean} {}", sum / total);
    assert_eq!(machine.tally().examples, 4);
}

#[test]
fn checkpoints_go_on_with_weights() {
    let sample = two_gaussians(60, 2, 1.5, 9);
    let rows = Vectors::from_rows(&sample.rows).unwrap();
    let mut random = Random::new(3);
    let weights: Vec<f64> = (0..60).map(|_| 2.0 * random.uniform()).collect();
    for rule in [Rule::Perceptron, Rule::PassiveAggressive { slack: Slack::Linear, cost: 0.5 }] {
        let machine = || {
            let params = Online::params(memory(KERNEL), rule.clone()).homogeneous().averaged(true);
            params.budget(Budget::Project { items: 15 }).check()
        };
        let mut saved =
            SavedLearner::new(Several::of_classes(vec!["a".into(), "b".into()], machine).unwrap());
        let learn = |learner: &mut Several<RowMemory>, range: std::ops::Range<usize>| {
            for i in range {
                let truth = Answer::Class(usize::from(sample.labels[i] > 0.0));
                learner.learn_weighted(rows.get(i), truth, weights[i]).unwrap();
            }
        };
        learn(&mut saved.learner, 0..30);
        for format in [ModelFormat::Binary, ModelFormat::Json] {
            let mut resumed = SavedLearner::from_bytes(&saved.to_bytes(format).unwrap()).unwrap();
            let mut whole = saved.learner.clone();
            learn(&mut whole, 30..60);
            learn(&mut resumed.learner, 30..60);
            assert_eq!(whole.machines()[0].state(), resumed.learner.machines()[0].state());
            assert_eq!(whole.tally(), resumed.learner.tally());
        }
    }
    // States of earlier versions have whole clocks, and tallies without weights.
    let mut machine = Online::params(memory("linear"), Rule::Perceptron).averaged(true).check().unwrap();
    machine.learn(Row::Dense64(&[1.0]), 1.0).unwrap();
    let text = serde_json::to_string(&machine.state()).unwrap();
    let earlier =
        text.replace("\"clock\":1.0", "\"clock\":1").replace(",\"weight\":1.0,\"squared_weight\":1.0", "");
    assert_ne!(text, earlier);
    let earlier: OnlineState = serde_json::from_str(&earlier).unwrap();
    assert_eq!(earlier.tally, machine.tally());
    assert_eq!(earlier.function.clock, 1.0);
}

#[test]
fn machines_without_weights_say_so() {
    let row = Row::Dense64(&[1.0]);
    let mut levels = Online::params(memory("linear"), Rule::ranking(3)).check().unwrap();
    let refused = levels.learn_weighted(row, 2.0, 0.5).unwrap_err();
    assert!(refused.to_string().contains("PRank has no weights"), "{refused}");
    levels.learn_weighted(row, 2.0, 1.0).unwrap();
    let mut voted = Online::params(memory("linear"), Rule::Perceptron).voted(true).check().unwrap();
    let refused = voted.learn_weighted(row, 1.0, 2.0).unwrap_err();
    assert!(refused.to_string().contains("every example is one vote"), "{refused}");

    let rule = Rule::PassiveAggressive { slack: Slack::Linear, cost: 1e300 };
    let mut machine = Online::params(memory("linear"), rule).check().unwrap();
    for weight in [-1.0, f64::NAN, f64::INFINITY, 1e10] {
        let refused = machine.learn_weighted(row, 1.0, weight);
        assert!(matches!(refused, Err(Error::Entry { what: "weight", .. })), "{weight}");
    }
    assert_eq!(machine.tally().examples, 0);
    let limits = PassLimits::default();
    assert!(matches!(machine.fit_weighted(&[row], &[1.0], Some(&[0.0]), &limits), Err(Error::Empty { .. })));
    assert!(matches!(
        machine.fit_weighted(&[row], &[1.0], Some(&[1.0, 1.0]), &limits),
        Err(Error::Shape { .. })
    ));
}
