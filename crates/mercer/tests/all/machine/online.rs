//! On-line machines against the machines that they become, against theory, and at speed.

use std::time::Instant;

use mercer::Error;
use mercer::data::{Items, Labels, Row, Scaling, ScalingKind, Vectors, read_file};
use mercer::evaluation::bounds::Updates;
use mercer::gram::{Columns, Gram, PrecomputedGram};
use mercer::kernel::{Expression, Kernel};
use mercer::machine::online::{
    ActiveLearner, Budget, IncrementalSvc, Memory, Online, PassLimits, PrimalPerceptron, Query, RowMemory,
    Rule, adatron_with_offset,
};
use mercer::machine::{Slack, Svc};
use mercer::resources::Interrupt;
use mercer::solver::{Control, DualProblem, DualSolution, Groups, Settings, Stop, solve};
use mercer_testkit::fixture;
use mercer_testkit::random::Random;
use mercer_testkit::synthetic::two_gaussians;

fn views<'a>(rows: &'a Vectors<'_>) -> Vec<Row<'a>> {
    (0..rows.len()).map(|i| rows.get(i)).collect()
}

fn memory(kernel: &str) -> RowMemory {
    RowMemory::new(kernel.parse().unwrap()).unwrap()
}

/// Values of a kernel between some rows, with something added to the diagonal.
fn gram(kernel: &str, rows: &[Row<'_>]) -> PrecomputedGram<'static> {
    let kernel: Expression = kernel.parse().unwrap();
    let n = rows.len();
    let values = (0..n * n).map(|at| {
        let (i, j) = (at / n, at % n);
        kernel.eval(&rows[i], &rows[j])
    });
    PrecomputedGram::symmetric(values.collect::<Vec<_>>(), n).unwrap()
}

fn solved(gram: &PrecomputedGram<'_>, problem: &DualProblem) -> DualSolution {
    let settings = Settings { stop: Stop::KktGap(1e-10), ..Settings::default() };
    solve(gram, problem, &settings, &mut |_| Control::Continue).unwrap()
}

/// The box of a classifier in β = yα.
fn classifier(labels: &[f64], cost: f64) -> DualProblem {
    let lower = labels.iter().map(|&y| if y > 0.0 { 0.0 } else { -cost }).collect();
    let upper = labels.iter().map(|&y| if y > 0.0 { cost } else { 0.0 }).collect();
    DualProblem::new(labels.iter().map(|y| -y).collect(), lower, upper)
}

#[test]
fn novikoff_holds_on_two_hundred_separable_sets() {
    let mut random = Random::new(53);
    let mut tightest = 0.0f64;
    for set in 0..200 {
        let (columns, n) = (2 + set % 5, 10 + set % 30);
        let direction: Vec<f64> = (0..columns).map(|_| random.normal()).collect();
        let length = direction.iter().map(|w| w * w).sum::<f64>().sqrt();
        let (mut points, mut labels) = (Vec::new(), Vec::new());
        while points.len() < n {
            let x: Vec<f64> = (0..columns).map(|_| random.normal()).collect();
            let distance = x.iter().zip(&direction).map(|(x, w)| x * w).sum::<f64>() / length;
            // Both classes are there, and a margin between them.
            let wanted = if points.len() % 2 == 0 { 1.0 } else { -1.0 };
            if wanted * distance > 0.1 {
                points.push(x);
                labels.push(wanted);
            }
        }
        let rows = Vectors::from_rows(&points).unwrap();
        let mut machine = Online::params(memory("linear"), Rule::Perceptron).check().unwrap();
        let limits = PassLimits { passes: 1_000_000, ..PassLimits::default() };
        let found = machine.fit(&views(&rows), &labels, &limits).unwrap();
        assert!(found.settled, "set {set}");

        // γ of the hard margin without offset, and the machine's own, which can only be smaller.
        let svm = Svc::params("linear".parse::<Expression>().unwrap()).slack(Slack::None).offset(false);
        let model = svm.tolerance(1e-8).check().unwrap();
        let model = model.fit(&rows, &Labels::from_numbers(&labels).unwrap()).unwrap();
        let margin = model.pairs().reports[0].margin;
        assert!(found.margin.unwrap() <= margin * (1.0 + 1e-6), "set {set}");
        let theorem = Updates { squared_radius: found.squared_radius, margin, bias: false };
        let bound = theorem.bound().unwrap().value;
        assert!(found.updates as f64 <= bound, "set {set}: {} {bound}", found.updates);
        tightest = tightest.max(found.updates as f64 / bound);

        // With the bias step of the tables: (2R/γ)², of which γ without offset is a lower bound.
        let primal = PrimalPerceptron::fit(&rows, &labels, 1_000_000).unwrap();
        let theorem = Updates { squared_radius: primal.squared_radius, margin, bias: true };
        assert!(primal.settled && primal.updates as f64 <= theorem.bound().unwrap().value, "set {set}");
        let dual = Online::params(memory("linear"), Rule::Perceptron).bias_step(primal.squared_radius);
        let found = dual.check().unwrap().fit(&views(&rows), &labels, &limits).unwrap();
        assert_eq!(found.updates, primal.updates, "set {set}");
    }
    assert!(tightest > 0.01, "the bound is not merely huge: {tightest}");
}

#[test]
fn the_limit_of_the_adatron_is_the_machine_without_offset() {
    let sample = two_gaussians(60, 3, 1.5, 9);
    let rows = Vectors::from_rows(&sample.rows).unwrap();
    let items = views(&rows);
    let kernel = "gaussian(gamma=2)";
    let limits = PassLimits { passes: 200_000, tolerance: 1e-13 };
    for (slack, cost) in [(Slack::Linear, 2.0), (Slack::Quadratic, 2.0), (Slack::None, 1.0)] {
        let rule = Rule::PassiveAggressive { slack, cost };
        let mut adatron = Online::params(memory(kernel), rule).check().unwrap();
        assert!(adatron.fit(&items, &sample.labels, &limits).unwrap().settled);
        let svm = Svc::params(kernel.parse::<Expression>().unwrap()).cost(cost).slack(slack).offset(false);
        let model = svm.tolerance(1e-9).check().unwrap();
        let model = model.fit(&rows, &Labels::from_numbers(&sample.labels).unwrap()).unwrap();
        for (i, expected) in model.decision_values(&rows).unwrap().into_iter().enumerate() {
            let found = adatron.function().value(items[i]).unwrap();
            // With 1/C on the diagonal and without slack, coefficients may be large.
            assert!((found - expected).abs() < 1e-5, "{slack:?}, row {i}: {found} {expected}");
        }
    }
}

#[test]
fn the_adatron_with_an_offset_is_the_machine_with_one() {
    let sample = two_gaussians(50, 2, 1.5, 3);
    let rows = Vectors::from_rows(&sample.rows).unwrap();
    let items = views(&rows);
    for (kernel, slack) in [("gaussian(gamma=0.5)", Slack::Linear), ("linear", Slack::Quadratic)] {
        let gram = gram(kernel, &items);
        let settings = Settings { stop: Stop::KktGap(1e-10), ..Settings::default() };
        let found = adatron_with_offset(&gram, &sample.labels, None, slack, 1.5, &settings).unwrap();
        let svm = Svc::params(kernel.parse::<Expression>().unwrap()).cost(1.5).slack(slack).tolerance(1e-9);
        let model = svm.check().unwrap().fit(&rows, &Labels::from_numbers(&sample.labels).unwrap()).unwrap();
        let expression: Expression = kernel.parse().unwrap();
        for (i, expected) in model.decision_values(&rows).unwrap().into_iter().enumerate() {
            let value = |(x, beta): (&Row<'_>, &f64)| beta * expression.eval(x, &items[i]);
            let found = items.iter().zip(&found.coefficients).map(value).sum::<f64>() + found.offset;
            assert!((found - expected).abs() < 1e-5, "{kernel}, row {i}: {found} {expected}");
        }
    }
    let settings = Settings::default();
    let gram = gram("linear", &items);
    assert!(adatron_with_offset(&gram, &sample.labels, None, Slack::None, 1.0, &settings).is_err());
    assert!(adatron_with_offset(&gram, &vec![1.0; 50], None, Slack::Linear, 1.0, &settings).is_err());
}

#[test]
fn the_limit_of_on_line_regression_is_the_machine_without_offset() {
    let mut random = Random::new(12);
    let points: Vec<[f64; 1]> = (0..40).map(|_| [random.between(-3.0, 3.0)]).collect();
    let targets: Vec<f64> = points.iter().map(|x| x[0].sin() + 0.1 * random.normal()).collect();
    let rows = Vectors::from_rows(&points).unwrap();
    let items = views(&rows);
    let (kernel, cost, tube) = ("gaussian(gamma=50)", 1.5, 0.1);
    let rule = Rule::Regression { tube, slack: Slack::Linear, cost };
    let mut machine = Online::params(memory(kernel), rule).check().unwrap();
    let limits = PassLimits { passes: 200_000, tolerance: 1e-13 };
    assert!(machine.fit(&items, &targets, &limits).unwrap().settled);

    let mut problem = DualProblem::new(targets.iter().map(|y| -y).collect(), vec![-cost; 40], vec![cost; 40]);
    problem.insensitivity = vec![tube; 40];
    let solution = solved(&gram(kernel, &items), &problem);
    let expression: Expression = kernel.parse().unwrap();
    for (i, x) in items.iter().enumerate() {
        let value = |(z, beta): (&Row<'_>, &f64)| beta * expression.eval(z, x);
        let expected = items.iter().zip(&solution.coefficients).map(value).sum::<f64>();
        let found = machine.function().value(*x).unwrap();
        assert!((found - expected).abs() < 1e-6, "row {i}: {found} {expected}");
    }
}

fn ionosphere() -> (Vectors<'static>, Vec<f64>) {
    let table = read_file(fixture::data("ionosphere.csv"), &Default::default()).unwrap().table().unwrap();
    let scaling = Scaling::fit(ScalingKind::Standardise, &table.vectors).unwrap();
    let labels = table.targets.labels().unwrap();
    let signs = labels.codes().iter().map(|&code| if code == 1 { 1.0 } else { -1.0 }).collect();
    (scaling.apply(&table.vectors).unwrap(), signs)
}

/// One class after the other, and kernels so wide that all values are nearly 1: all items of the first class are at their turning points at once.
#[test]
fn classes_may_come_one_after_the_other() {
    let mut random = Random::new(8);
    let mut rows: Vec<[f64; 4]> = (0..100)
        .map(|at| {
            std::array::from_fn(|_| (10.0 * (random.normal() + f64::from(u8::from(at >= 50)))).round() / 10.0)
        })
        .collect();
    rows[7] = rows[3];
    rows[60] = rows[3];
    let rows = Vectors::from_rows(&rows).unwrap();
    let items = views(&rows);
    let labels: Vec<f64> = (0..100).map(|at| if at < 50 { -1.0 } else { 1.0 }).collect();
    for (kernel, cost) in [
        ("gaussian(gamma=0.0007)", 0.006),
        ("gaussian(gamma=0.0007)", 6.0),
        ("gaussian(gamma=0.0007)", 600.0),
        ("gaussian(gamma=0.07)", 6.0),
        ("linear", 60.0),
    ] {
        let mut machine = IncrementalSvc::new(memory(kernel), cost).unwrap();
        for (&item, &label) in items.iter().zip(&labels) {
            machine.add(item, label).unwrap_or_else(|error| panic!("{kernel}, {cost}: {error}"));
        }
        let violation = machine.violation().unwrap();
        assert!(violation < 1e-7, "{kernel}, {cost}: {violation}");
        for id in 0..45 {
            machine.remove(id).unwrap_or_else(|error| panic!("{kernel}, {cost}, without {id}: {error}"));
        }
        let violation = machine.violation().unwrap();
        assert!(violation < 1e-7, "{kernel}, {cost}: {violation}");
        assert_eq!(machine.refits(), 0, "{kernel}, {cost}");
    }
}

/// Rows on a grid of nine points, most of them in both classes, at costs that leave many coefficients free: the conditions hold after every change,
/// and values, the offset among them, are those of a batch solver.
#[test]
fn repeated_rows_are_no_harm_at_any_cost() {
    let kernels = [
        "gaussian(gamma=0.3)",
        "gaussian(gamma=0.0007)",
        "linear",
        "polynomial(degree=2, gamma=1, constant=1)",
    ];
    for (kernel, cost) in kernels.iter().flat_map(|kernel| [1.0, 100.0, 1e4].map(|cost| (kernel, cost))) {
        for seed in 0..10 {
            let mut random = Random::new(seed);
            let mut coordinate = || random.below(3) as f64;
            let points: Vec<[f64; 2]> = (0..51).map(|_| [coordinate(), coordinate()]).collect();
            let signs: Vec<f64> = (0..51).map(|_| if random.below(2) == 0 { -1.0 } else { 1.0 }).collect();
            let rows = Vectors::from_rows(&points).unwrap();
            let items = views(&rows);
            let mut machine = IncrementalSvc::new(memory(kernel), cost).unwrap();
            let check = |machine: &IncrementalSvc<RowMemory>| {
                let violation = machine.violation().unwrap();
                let bound = 1e-8 * (cost / 100.0).max(1.0);
                assert!(violation < bound, "{kernel}, {cost}, {seed}, {}: {violation}", machine.len());
            };
            for (&item, &sign) in items.iter().zip(&signs) {
                machine.add(item, sign).unwrap();
                check(&machine);
            }
            let labels = Labels::from_text(signs.iter().map(|&y| if y > 0.0 { "b" } else { "a" }));
            let svc = Svc::params(kernel.parse::<Expression>().unwrap()).cost(cost).tolerance(1e-8);
            let batch = svc.check().unwrap().fit(&rows, &labels).unwrap();
            for (&item, expected) in items.iter().zip(batch.decision_values(&rows).unwrap()) {
                let found = machine.value(item).unwrap();
                assert!((found - expected).abs() < 1e-6, "{kernel}, {cost}, {seed}: {found} {expected}");
            }
            for id in 0..51 {
                machine.remove(id).unwrap();
                check(&machine);
            }
        }
    }
}

/// Where no coefficient is free, the offset is the middle of its interval, as that of the batch solver.
#[test]
fn an_offset_that_is_not_unique_is_that_of_the_batch_solver() {
    let points = [[-2.0], [-1.0], [0.5], [3.0]];
    let signs = [1.0, -1.0, 1.0, -1.0];
    let rows = Vectors::from_rows(&points).unwrap();
    let labels = Labels::from_text(["b", "a", "b", "a"]);
    let svc = Svc::params("gaussian(gamma=1)".parse::<Expression>().unwrap()).cost(0.01).tolerance(1e-8);
    let batch = svc.check().unwrap().fit(&rows, &labels).unwrap();
    let mut machine = IncrementalSvc::new(memory("gaussian(gamma=1)"), 0.01).unwrap();
    for (item, sign) in views(&rows).into_iter().zip(signs) {
        machine.add(item, sign).unwrap();
    }
    assert_eq!(machine.coefficients(), [0.01, -0.01, 0.01, -0.01]);
    for (item, expected) in views(&rows).into_iter().zip(batch.decision_values(&rows).unwrap()) {
        assert!((machine.value(item).unwrap() - expected).abs() < 1e-12);
    }
}

#[test]
fn a_change_can_be_interrupted() {
    let interrupt = Interrupt::new();
    let mut machine = IncrementalSvc::new(memory("linear"), 1.0).unwrap();
    machine.set_interrupt(Some(&interrupt));
    machine.add(Row::Dense64(&[1.0]), 1.0).unwrap();
    interrupt.raise();
    assert!(matches!(machine.add(Row::Dense64(&[-1.0]), -1.0), Err(Error::Interrupted)));
    // The next change makes the machine optimal.
    machine.set_interrupt(None);
    machine.add(Row::Dense64(&[-3.0]), -1.0).unwrap();
    assert!(machine.violation().unwrap() < 1e-9);
    assert!((machine.value(Row::Dense64(&[0.0])).unwrap()).abs() < 1e-9);
}

/// After every insertion and every removal: the solution of a solver that knows nothing of the way there.
#[test]
fn adding_and_removing_one_by_one_is_training_anew_on_ionosphere() {
    let (rows, labels) = ionosphere();
    let items = views(&rows);
    let (kernel, cost) = ("gaussian(gamma=0.03)", 2.0);
    let mut machine = IncrementalSvc::new(memory(kernel), cost).unwrap();
    let mut order: Vec<usize> = (0..items.len()).collect();
    Random::new(1).shuffle(&mut order);
    let mut present: Vec<usize> = Vec::new();
    let compare = |machine: &IncrementalSvc<RowMemory>, present: &[usize]| {
        let violation = machine.violation().unwrap();
        assert!(violation < 1e-7, "{} examples: {violation}", present.len());
        let signs: Vec<f64> = present.iter().map(|&i| labels[i]).collect();
        if signs.iter().all(|&y| y == signs[0]) {
            return;
        }
        let few: Vec<Row<'_>> = present.iter().map(|&i| items[i]).collect();
        let mut problem = classifier(&signs, cost);
        problem.groups = Groups::One { sum: 0.0 };
        let batch = gram(kernel, &few);
        let solution = solved(&batch, &problem);
        let difference = (machine.objective().abs() - solution.certificate.dual.abs()).abs();
        assert!(
            difference < 1e-7 * solution.certificate.dual.abs(),
            "{} examples: {difference}",
            present.len()
        );
        // ‖w − w′‖²: of rows that are nearly alike only the sum of the coefficients is certain.
        let ids = machine.ids();
        let coefficients = machine.coefficients();
        let apart: Vec<f64> = present
            .iter()
            .zip(&solution.coefficients)
            .map(|(&i, expected)| {
                let slot = ids.iter().position(|&id| order[id as usize] == i).unwrap();
                coefficients[slot] - expected
            })
            .collect();
        let mut moved = vec![0.0; present.len()];
        let all: Vec<usize> = (0..present.len()).collect();
        batch.accumulate(&all, &apart, Columns::Range(0..present.len()), &mut moved).unwrap();
        let squared: f64 = moved.iter().zip(&apart).map(|(a, b)| a * b).sum();
        assert!(squared < 1e-9, "{} examples: {squared}", present.len());
    };
    for (at, &i) in order.iter().enumerate() {
        assert_eq!(machine.add(items[i], labels[i]).unwrap(), at as u64);
        present.push(i);
        compare(&machine, &present);
    }
    // In another order.
    let mut leaving: Vec<usize> = (0..order.len()).collect();
    Random::new(2).shuffle(&mut leaving);
    for id in leaving {
        machine.remove(id as u64).unwrap();
        present.retain(|&i| i != order[id]);
        if !present.is_empty() {
            compare(&machine, &present);
        }
    }
    assert!(machine.is_empty());
}

#[test]
fn machines_with_a_budget_learn_a_stream_in_bounded_memory() {
    let Some(path) = fixture::large_data("skin_nonskin/skin_nonskin.csv.gz") else { return };
    let table = read_file(path, &Default::default()).unwrap().table().unwrap();
    let rows = Scaling::fit(ScalingKind::Standardise, &table.vectors).unwrap().apply(&table.vectors).unwrap();
    let labels = table.targets.labels().unwrap();
    let mut order: Vec<usize> = (0..rows.len()).collect();
    Random::new(3).shuffle(&mut order);
    for rule in [Rule::Perceptron, Rule::PassiveAggressive { slack: Slack::Linear, cost: 1.0 }] {
        let name = format!("{rule:?}");
        let machine = Online::params(memory("gaussian(gamma=1)"), rule).homogeneous();
        let mut machine = machine.budget(Budget::Remove { items: 100 }).check().unwrap();
        let start = Instant::now();
        for &i in &order {
            let y = if labels.codes()[i] == 1 { 1.0 } else { -1.0 };
            machine.learn(rows.get(i), y).unwrap();
        }
        let (seconds, tally) = (start.elapsed().as_secs_f64(), machine.tally());
        println!(
            "{name}: {:.0} examples a second, {:.2} % mistakes",
            tally.examples as f64 / seconds,
            100.0 * tally.mistakes as f64 / tally.examples as f64
        );
        assert_eq!(machine.function().coefficients().len(), 100);
        assert!((tally.mistakes as f64) < 0.05 * tally.examples as f64, "{name}: {tally:?}");
    }
}

/// Figure 8 of Campbell: the majority rule on strings of 20 bits, 200 to learn from and 200 to test; fewer samplings than his 100, which
/// `examples/active_learning.rs` has.
#[test]
fn half_of_the_labels_are_enough_if_they_are_asked_for() {
    let mut random = Random::new(8);
    let mut errors = [[0usize; 200]; 2];
    for sampling in 0..8 {
        let mut draw = || {
            let bits = |random: &mut Random| (0..20).map(|_| random.sign()).collect::<Vec<f64>>();
            let mut strings = Vec::new();
            while strings.len() < 400 {
                let string = bits(&mut random);
                let sum: f64 = string.iter().sum();
                if sum != 0.0 {
                    strings.push((string, sum.signum()));
                }
            }
            strings
        };
        let strings = draw();
        let (train, test) = strings.split_at(200);
        let pool: Vec<Row<'_>> = train.iter().map(|(bits, _)| Row::Dense64(bits)).collect();
        for (errors, query) in errors.iter_mut().zip([Query::Nearest, Query::Random]) {
            let machine = IncrementalSvc::new(memory("linear"), 1000.0).unwrap();
            let mut learner = ActiveLearner::new(machine, query, sampling);
            for wrong in errors.iter_mut() {
                let item = learner.ask(&pool).unwrap().unwrap();
                learner.answer(item, pool[item], usize::from(train[item].1 > 0.0)).unwrap();
                let is_wrong = |(bits, label): &&(Vec<f64>, f64)| {
                    learner.machines()[0].value(Row::Dense64(bits)).unwrap() * label <= 0.0
                };
                *wrong += test.iter().filter(is_wrong).count();
            }
            assert_eq!(learner.ask(&pool).unwrap(), None);
            assert!(learner.machines()[0].violation().unwrap() < 1e-5);
            // The dual objective grows, and does not any more once all support vectors are known.
            let objectives = learner.objectives();
            assert!(objectives.windows(2).all(|pair| pair[1] >= pair[0] * (1.0 - 1e-6)));
            if query == Query::Nearest {
                assert!(learner.has_settled(20, 1e-3));
            }
        }
    }
    let [asked, random] = errors;
    let reached = asked.iter().position(|&wrong| wrong <= random[199]).unwrap() + 1;
    println!(
        "{} errors of random labels after 200, reached after {reached} that were asked for",
        random[199]
    );
    assert!(reached <= 100, "{reached}");
}

#[test]
fn an_answer_can_be_taken_back() {
    let sample = two_gaussians(40, 2, 2.0, 6);
    let rows = Vectors::from_rows(&sample.rows).unwrap();
    let pool = views(&rows);
    for query in [Query::Nearest, Query::Band, Query::Uncertain] {
        let machine = IncrementalSvc::new(memory("gaussian(gamma=0.5)"), 5.0).unwrap();
        let mut learner = ActiveLearner::new(machine, query, 3);
        for _ in 0..20 {
            let item = learner.ask(&pool).unwrap().unwrap();
            learner.answer(item, pool[item], usize::from(sample.labels[item] > 0.0)).unwrap();
        }
        let values = |learner: &ActiveLearner<RowMemory>| -> Vec<f64> {
            pool.iter().map(|&x| learner.machines()[0].value(x).unwrap()).collect()
        };
        let (before, asked) = (values(&learner), learner.asked());
        let item = learner.ask(&pool).unwrap().unwrap();
        learner.answer(item, pool[item], usize::from(sample.labels[item] < 0.0)).unwrap();
        assert!(learner.answer(item, pool[item], 1).is_err());
        assert!(learner.answer(0, pool[0], 2).is_err());
        assert_eq!(learner.undo().unwrap(), Some(item));
        assert_eq!(learner.asked(), asked);
        for (a, b) in before.iter().zip(values(&learner)) {
            assert!((a - b).abs() < 1e-6, "{a} {b}");
        }
    }
}

/// A memory of rows has the values of single pairs, whatever comes and goes, dense or sparse, with columns that no row had before.
#[test]
fn a_memory_of_rows_has_the_values_of_single_pairs() {
    let kernels = [
        "linear",
        "2 * polynomial(degree=3, gamma=0.5, constant=1)",
        "gaussian(gamma=0.3)",
        "laplacian(gamma=0.3)",
        "matern(nu=1.5, length_scale=2)",
        "cosine",
        "chi2(gamma=0.2)",
        "intersection",
        "periodic(period=0.7, length_scale=1)",
        "gaussian(length_scale=[1, 2, 3, 4, 5, 6])",
        "linear + gaussian(gamma=0.3)",
    ];
    for text in kernels {
        let kernel: Expression = text.parse().unwrap();
        let mut memory = memory(text);
        let (mut random, mut kept, mut found) = (Random::new(5), Vec::<Vec<f64>>::new(), Vec::new());
        for step in 0..150 {
            // More columns as time goes by.
            let filled = (2 + step / 5).min(6);
            let row: Vec<f64> = (0..6)
                .map(|k| if k >= filled || random.uniform() < 0.3 { 0.0 } else { 0.1 + random.uniform() })
                .collect();
            let stored: Vec<u32> = (0..6).filter(|&k| row[k as usize] != 0.0).collect();
            let values: Vec<f64> = stored.iter().map(|&k| row[k as usize]).collect();
            let sparse = Row::Sparse { indices: &stored, values: &values };
            memory.compare(sparse, &mut found).unwrap();
            assert_eq!(found.len(), kept.len());
            for (z, &found) in kept.iter().zip(&found) {
                let expected = kernel.eval(&Row::Dense64(z), &Row::Dense64(&row));
                assert!((found - expected).abs() <= 1e-13 * expected.abs().max(1.0), "{text} at {step}");
            }
            let own = kernel.eval(&Row::Dense64(&row), &Row::Dense64(&row));
            assert!((memory.own_value(sparse).unwrap() - own).abs() <= 1e-13 * own.max(1.0), "{text}");
            memory.remember(sparse).unwrap();
            kept.push(row);
            if step % 3 == 2 {
                let slot = step * 7 % kept.len();
                memory.forget(slot);
                kept.swap_remove(slot);
            }
        }
        // How a row is written makes no difference to a bit.
        let row = &kept[0];
        let mut dense = Vec::new();
        memory.compare(Row::Dense64(row), &mut dense).unwrap();
        memory.compare_own(0, &mut found).unwrap();
        if text != "linear + gaussian(gamma=0.3)" {
            assert_eq!(dense, found, "{text}");
        }
    }
}
