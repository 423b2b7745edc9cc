//! Runs that were worked out by hand.

use super::*;
use crate::data::{Labels, Random, Row, Vectors};
use crate::kernel::Expression;
use crate::machine::{Slack, Svc};

type Point = [f64; 2];

fn linear() -> Remembered<impl Fn(&Point, &Point) -> f64 + Send + Sync + Clone, Point> {
    Remembered::new(|x: &Point, z: &Point| x[0] * z[0] + x[1] * z[1])
}

fn on_line() -> Remembered<impl Fn(&f64, &f64) -> f64 + Send + Sync + Clone, f64> {
    Remembered::new(|x: &f64, z: &f64| x * z)
}

fn passes(passes: u64) -> PassLimits {
    PassLimits { passes, ..PassLimits::default() }
}

/// β by the number of the example.
fn by_example<M: Memory>(machine: &Online<M>, examples: u64) -> Vec<f64> {
    let state = machine.function().state();
    let of =
        |id: u64| state.ids.iter().position(|&other| other == id).map_or(0.0, |at| state.coefficients[at]);
    (0..examples).map(of).collect()
}

fn near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < 1e-12, "{found:?} {expected:?}");
    }
}

const CORNERS: [Point; 4] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
const AND: [f64; 4] = [-1.0, -1.0, -1.0, 1.0];

#[test]
fn exclusive_or_with_the_quadratic_kernel() {
    // (⟨x, z⟩ + 1)² is 9 for equal corners and 1 for others. From 0 the values are 0, −1, −1 + 1, −1 + 1 + 1: four mistakes.
    let corners: [Point; 4] = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];
    let kernel = |x: &Point, z: &Point| (x[0] * z[0] + x[1] * z[1] + 1.0).powi(2);
    let mut machine = Online::params(Remembered::new(kernel), Rule::Perceptron).check().unwrap();
    let items: Vec<&Point> = corners.iter().collect();
    let found = machine.fit(&items, &[-1.0, 1.0, 1.0, -1.0], &PassLimits::default()).unwrap();
    assert_eq!((found.passes, found.updates, found.settled), (2, 4, true));
    assert_eq!(by_example(&machine, 4), [-1.0, 1.0, 1.0, -1.0]);
    assert_eq!(machine.function().value(&corners[0]).unwrap(), -8.0);
    // ‖w‖² = 4 · 8: γ = 8/√32, R² = 9. Novikoff: 9 · 32/64 = 4.5, and there were 4.
    assert_eq!(found.squared_radius, 9.0);
    assert!((found.margin.unwrap() - 8.0 / 32f64.sqrt()).abs() < 1e-12);
    let tally = machine.tally();
    assert_eq!((tally.examples, tally.mistakes, tally.updates, tally.loss), (8, 4, 4, 4.0));
}

#[test]
fn and_by_the_tables() {
    // Nine passes, 17 updates; w = 7(1, 1) − 4(1, 0) − 3(0, 1), b = 2(7 − 3 − 4 − 3).
    let items: Vec<&Point> = CORNERS.iter().collect();
    let mut dual = Online::params(linear(), Rule::Perceptron).bias_step(2.0).check().unwrap();
    let found = dual.fit(&items, &AND, &PassLimits::default()).unwrap();
    assert_eq!((found.passes, found.updates, found.settled), (9, 17, true));
    assert_eq!(by_example(&dual, 4), [-3.0, -4.0, -3.0, 7.0]);
    assert_eq!(dual.function().offset(), -6.0);

    let rows = Vectors::from_rows(&CORNERS).unwrap();
    let primal = PrimalPerceptron::fit(&rows, &AND, 1000).unwrap();
    let expected = PrimalPerceptron {
        weights: vec![3.0, 4.0],
        offset: -6.0,
        updates: 17,
        passes: 9,
        settled: true,
        squared_radius: 2.0,
    };
    assert_eq!(primal, expected);
    // The first two passes alone: w = (2, 2), b = 0.
    let early = PrimalPerceptron::fit(&rows, &AND, 2).unwrap();
    assert_eq!((early.weights, early.offset, early.updates, early.settled), (vec![2.0, 2.0], 0.0, 4, false));
}

#[test]
fn data_that_cannot_be_separated_end_by_the_limit() {
    let items: Vec<&Point> = vec![&CORNERS[1], &CORNERS[1]];
    let mut machine = Online::params(linear(), Rule::Perceptron).homogeneous().check().unwrap();
    let found = machine.fit(&items, &[1.0, -1.0], &passes(7)).unwrap();
    assert_eq!((found.passes, found.settled, found.margin), (7, false, None));
    let rows = Vectors::from_rows(&[[1.0], [1.0]]).unwrap();
    assert!(!PrimalPerceptron::fit(&rows, &[1.0, -1.0], 7).unwrap().settled);
}

#[test]
fn the_adatron_on_and() {
    // In homogeneous coordinates, as in the solver's own test: one sweep, two, and the limit 2x₁ + 2x₂ − 3.
    let items: Vec<&Point> = CORNERS.iter().collect();
    let rule = Rule::PassiveAggressive { slack: Slack::None, cost: 1.0 };
    let machine = || Online::params(linear(), rule.clone()).homogeneous().check().unwrap();
    let mut adatron = machine();
    adatron.fit(&items, &AND, &passes(1)).unwrap();
    near(&by_example(&adatron, 4), &[-1.0, 0.0, 0.0, 2.0 / 3.0]);
    adatron.fit(&items, &AND, &passes(1)).unwrap();
    near(&by_example(&adatron, 4), &[-5.0 / 3.0, -1.0 / 3.0, -1.0 / 6.0, 11.0 / 9.0]);
    let found = adatron.fit(&items, &AND, &PassLimits { passes: 100_000, tolerance: 1e-12 }).unwrap();
    assert!(found.settled);
    for (beta, expected) in by_example(&adatron, 4).iter().zip([0.0, -5.0, -5.0, 7.0]) {
        assert!((beta - expected).abs() < 1e-8, "{beta} {expected}");
    }
    assert!((adatron.function().offset() + 3.0).abs() < 1e-8);
}

#[test]
fn one_passive_aggressive_step() {
    // k(x, x) = 4, f = 0: α = ¼ makes y f = 1; the box stops at 0.1; 1/C = 1 on the diagonal gives 1/5.
    for (slack, cost, expected) in
        [(Slack::None, 1.0, 0.25), (Slack::Linear, 0.1, 0.1), (Slack::Quadratic, 1.0, 0.2)]
    {
        let mut machine = Online::params(on_line(), Rule::PassiveAggressive { slack, cost }).check().unwrap();
        let outcome = machine.learn(&2.0, -1.0).unwrap();
        assert_eq!((outcome.loss, outcome.mistake, outcome.updated), (1.0, true, true));
        near(machine.function().coefficients(), &[-expected]);
    }
    // An example with enough margin changes nothing.
    let mut machine =
        Online::params(on_line(), Rule::PassiveAggressive { slack: Slack::None, cost: 1.0 }).check().unwrap();
    machine.learn(&2.0, 1.0).unwrap();
    let outcome = machine.learn(&3.0, 1.0).unwrap();
    assert_eq!((outcome.value, outcome.loss, outcome.updated), (1.5, 0.0, false));
}

#[test]
fn three_passes_of_on_line_regression() {
    // x = 1, 2 with y = 1, 3 and ε = 0.1. α₁ = 0.9, α₂ = (3 − 1.8 − 0.1)/4; then 0.9 + (1 − 1.45 − 0.1) and 0.275 + 1.1/4;
    // in the third pass 0.35 − 0.55 has the other sign: 0.
    let rule = Rule::Regression { tube: 0.1, slack: Slack::None, cost: 1.0 };
    let mut machine = Online::params(on_line(), rule).check().unwrap();
    let (items, targets) = ([&1.0, &2.0], [1.0, 3.0]);
    for expected in [[0.9, 0.275], [0.35, 0.55], [0.0, 0.725]] {
        machine.fit(&items, &targets, &passes(1)).unwrap();
        near(&by_example(&machine, 2), &expected);
    }
    // Within the tube, sgn(0) makes the step 0.
    let rule = Rule::Regression { tube: 2.0, slack: Slack::None, cost: 1.0 };
    let mut machine = Online::params(on_line(), rule).check().unwrap();
    assert!(!machine.learn(&1.0, -1.5).unwrap().updated);
}

#[test]
fn ranking_by_hand() {
    let mut machine = Online::params(on_line(), Rule::ranking(3)).check().unwrap();
    // f = 0 is below no threshold: level 3. Both thresholds move away, f stays.
    let first = machine.learn(&1.0, 2.0).unwrap();
    assert_eq!((first.prediction, first.loss, first.updated), (3.0, 1.0, true));
    assert_eq!(*machine.rule(), Rule::Ranking { thresholds: vec![-1.0, 1.0] });
    // Level 2 where it should be 3: the second threshold is on the wrong side.
    let second = machine.learn(&2.0, 3.0).unwrap();
    assert_eq!((second.prediction, second.loss), (2.0, 1.0));
    assert_eq!(*machine.rule(), Rule::Ranking { thresholds: vec![-1.0, 0.0] });
    assert_eq!(machine.function().coefficients(), [1.0]);
    assert_eq!([-1.0, -0.25, 2.0].map(|x| machine.predict(&x).unwrap()), [1.0, 2.0, 3.0]);
    assert!(machine.learn(&1.0, 4.0).is_err() && machine.learn(&1.0, 1.5).is_err());
}

#[test]
fn averages_and_votes_by_hand() {
    // w after each example: 1, 1, 0. Their mean is 2/3; the first function has two votes, the last one, for −1.
    let machine = Online::params(on_line(), Rule::Perceptron).averaged(true).voted(true);
    let mut machine = machine.check().unwrap();
    for x in [1.0, 2.0, -1.0] {
        machine.learn(&x, 1.0).unwrap();
    }
    assert_eq!(machine.function().value(&3.0).unwrap(), 0.0);
    assert!((machine.function().averaged_value(&3.0).unwrap() - 2.0).abs() < 1e-12);
    assert_eq!([3.0, -3.0].map(|x| machine.predict_voted(&x).unwrap()), [1.0, -1.0]);
    assert_eq!(machine.predict_averaged(&-3.0).unwrap(), -1.0);
}

/// The mean of the functions, computed by keeping them all.
#[test]
fn the_average_is_that_of_all_functions() {
    let mut random = Random::new(8);
    let rule = Rule::PassiveAggressive { slack: Slack::Linear, cost: 0.5 };
    for budget in [Budget::Unlimited, Budget::Project { items: 3 }] {
        let machine = Online::params(linear(), rule.clone()).homogeneous().averaged(true).budget(budget);
        let mut machine = machine.check().unwrap();
        let probe = [0.3, -0.7];
        let mut total = 0.0;
        for _ in 0..50 {
            let x = [random.normal(), random.normal()];
            machine.learn(&x, if x[0] + 0.2 > x[1] { 1.0 } else { -1.0 }).unwrap();
            total += machine.function().value(&probe).unwrap();
        }
        let mean = machine.function().averaged_value(&probe).unwrap();
        // Three rows and the constant span the space: what is projected loses nothing.
        let tolerance = if budget == Budget::Unlimited { 1e-12 } else { 1e-6 };
        assert!((mean - total / 50.0).abs() < tolerance, "{mean} {}", total / 50.0);
    }
}

#[test]
fn a_budget_is_kept_and_projection_loses_nothing_that_the_others_can_say() {
    let mut random = Random::new(4);
    let run = |budget: Budget, random: &mut Random| {
        let machine = Online::params(linear(), Rule::Perceptron).homogeneous().budget(budget);
        let mut machine = machine.check().unwrap();
        for _ in 0..300 {
            let x = [random.normal(), random.normal()];
            machine.learn(&x, if x[0] > x[1] + 0.1 * random.normal() { 1.0 } else { -1.0 }).unwrap();
        }
        machine
    };
    let all = run(Budget::Unlimited, &mut random.clone());
    let projected = run(Budget::Project { items: 5 }, &mut random.clone());
    let removed = run(Budget::Remove { items: 5 }, &mut random);
    assert!(all.function().coefficients().len() > 20);
    for machine in [&projected, &removed] {
        assert_eq!(machine.function().coefficients().len(), 5);
        let sum: f64 = machine.function().coefficients().iter().sum();
        assert!((machine.function().offset() - sum).abs() < 1e-9);
    }
    // Five rows of two columns and the constant span all that there is.
    let probe = [1.0, -2.0];
    let (a, b) = (all.function().value(&probe).unwrap(), projected.function().value(&probe).unwrap());
    assert!((a - b).abs() < 1e-5 * a.abs().max(1.0), "{a} {b}");
}

#[test]
fn a_machine_goes_on_where_it_was() {
    let machine = || {
        let memory = RowMemory::new("gaussian(gamma=0.5)".parse().unwrap()).unwrap();
        let rule = Rule::PassiveAggressive { slack: Slack::Linear, cost: 1.0 };
        Online::params(memory, rule)
            .homogeneous()
            .averaged(true)
            .budget(Budget::Project { items: 6 })
            .check()
            .unwrap()
    };
    let (mut whole, mut half) = (machine(), machine());
    let mut random = Random::new(2);
    let examples: Vec<(Point, f64)> = (0..80)
        .map(|_| ([random.normal(), random.normal()], if random.uniform() < 0.5 { 1.0 } else { -1.0 }))
        .collect();
    for (at, (x, y)) in examples.iter().enumerate() {
        whole.learn(Row::Dense64(x), *y).unwrap();
        if at == 40 {
            let memory = half.function().memory();
            let rows = memory.rows().unwrap();
            let memory = RowMemory::with_rows(memory.kernel().clone(), &rows, memory.columns()).unwrap();
            half = Online::resume(memory, half.state()).unwrap();
        }
        half.learn(Row::Dense64(x), *y).unwrap();
    }
    assert_eq!(whole.state(), half.state());
    assert_eq!(whole.function().memory().rows().unwrap(), half.function().memory().rows().unwrap());
}

#[test]
fn parameters_that_make_no_sense_are_refused() {
    let refused = |params: OnlineParams<_>| params.check().map(|_| ()).unwrap_err().to_string();
    let machine = |rule: Rule| Online::params(on_line(), rule);
    assert_eq!(
        refused(machine(Rule::Perceptron).budget(Budget::Remove { items: 1 })),
        "budget = 1: expected 2 items or more"
    );
    assert_eq!(
        refused(machine(Rule::Perceptron).bias_step(-1.0)),
        "bias step = -1: expected a finite number of at least 0"
    );
    assert_eq!(refused(machine(Rule::ranking(1))), "levels = 1: expected 2 levels or more");
    let rule = Rule::PassiveAggressive { slack: Slack::Linear, cost: 0.0 };
    assert_eq!(refused(machine(rule)), "cost = 0: expected a finite number above 0");
    let rule = Rule::Regression { tube: -1.0, slack: Slack::None, cost: 1.0 };
    assert_eq!(refused(machine(rule)), "tube = -1: expected a finite number of at least 0");
    assert!(
        refused(machine(Rule::Perceptron).voted(true).budget(Budget::Remove { items: 5 })).contains("vote")
    );
    assert!(
        refused(machine(Rule::Perceptron).averaged(true).budget(Budget::Remove { items: 5 }))
            .contains("project")
    );
    let mut plain = machine(Rule::Perceptron).check().unwrap();
    assert!(plain.predict_voted(&1.0).is_err() && plain.predict_averaged(&1.0).is_err());
    assert_eq!(plain.learn(&1.0, 0.0).unwrap_err().to_string(), "target 0: 0, expected 1 or -1");
    assert!(plain.learn(&f64::NAN, 1.0).is_err());
    let error = plain.fit(&[&1.0, &f64::INFINITY], &[1.0, 1.0], &PassLimits::default()).unwrap_err();
    assert!(error.to_string().starts_with("item 1: kernel value"), "{error}");
    assert!(plain.fit(&[&1.0], &[1.0, 1.0], &PassLimits::default()).is_err());
}

#[test]
fn examples_that_are_added_and_removed_in_any_order() {
    let mut random = Random::new(6);
    let memory =
        Remembered::new(|x: &Point, z: &Point| (-(x[0] - z[0]).powi(2) - (x[1] - z[1]).powi(2)).exp());
    let mut machine = IncrementalSvc::new(memory, 3.0).unwrap();
    for step in 0..120 {
        let x = [random.normal(), random.normal()];
        machine.add(&x, if x[0] + 0.8 * random.normal() > 0.0 { 1.0 } else { -1.0 }).unwrap();
        if step % 3 == 2 {
            let id = machine.ids()[random.below(machine.len())];
            machine.remove(id).unwrap();
        }
        assert!(machine.violation().unwrap() < 1e-7, "step {step}: {}", machine.violation().unwrap());
    }
    // All of them, twins and single classes on the way.
    while let Some(&id) = machine.ids().first() {
        machine.remove(id).unwrap();
        assert!(machine.violation().unwrap() < 1e-7, "{} left", machine.len());
    }
    for y in [1.0, 1.0, -1.0, -1.0, 1.0] {
        machine.add(&[0.5, 0.5], y).unwrap();
        assert!(machine.violation().unwrap() < 1e-6, "{}", machine.violation().unwrap());
    }
    assert!(machine.remove(10_000).is_err() && machine.add(&[0.0, 0.0], 2.0).is_err());
}

/// With the linear kernel K has rank two, and coefficients are not unique; the function is, whatever the order of examples.
#[test]
fn kernels_of_few_dimensions_and_large_costs_are_exact() {
    let mut random = Random::new(7);
    let examples: Vec<(Point, f64)> = (0..60)
        .map(|_| {
            let x = [random.normal(), random.normal()];
            (x, if x[0] - x[1] + 0.7 * random.normal() > 0.0 { 1.0 } else { -1.0 })
        })
        .collect();
    let rows = Vectors::from_rows(&examples.iter().map(|(x, _)| *x).collect::<Vec<_>>()).unwrap();
    let labels = Labels::from_text(examples.iter().map(|(_, y)| if *y > 0.0 { "b" } else { "a" }));
    for cost in [1.0, 1e3, 1e5] {
        let machine = Svc::params("linear".parse::<Expression>().unwrap()).cost(cost).duality_gap(1e-10);
        let batch = machine.check().unwrap().fit(&rows, &labels).unwrap();
        let wanted = batch.decision_values(&rows).unwrap();
        let orders: [Vec<usize>; 2] = [(0..60).collect(), (0..60).rev().collect()];
        for order in orders {
            let mut machine = IncrementalSvc::new(linear(), cost).unwrap();
            for &at in &order {
                machine.add(&examples[at].0, examples[at].1).unwrap();
            }
            let extra = machine.add(&[0.1, 0.2], -1.0).unwrap();
            machine.remove(extra).unwrap();
            assert!(machine.violation().unwrap() < 1e-7, "{cost}: {}", machine.violation().unwrap());
            for ((x, _), wanted) in examples.iter().zip(&wanted) {
                let found = machine.value(x).unwrap();
                assert!((found - wanted).abs() < 1e-4, "{cost}: {found} {wanted}");
            }
        }
    }
}
