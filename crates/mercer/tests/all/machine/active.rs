//! Questions about items without labels: of several classes, in batches, and when they end.

use mercer::Error;
use mercer::data::{Items, Labels, Row, Scaling, ScalingKind, Vectors, read_file};
use mercer::kernel::Expression;
use mercer::machine::Svc;
use mercer::machine::online::{ActiveLearner, IncrementalSvc, Query, RowMemory};
use mercer::resources::Interrupt;
use mercer_testkit::fixture;
use mercer_testkit::synthetic::two_gaussians;

fn views<'a>(rows: &'a Vectors<'_>) -> Vec<Row<'a>> {
    (0..rows.len()).map(|i| rows.get(i)).collect()
}

fn machine(kernel: &str, cost: f64) -> IncrementalSvc<RowMemory> {
    IncrementalSvc::new(RowMemory::new(kernel.parse().unwrap()).unwrap(), cost).unwrap()
}

/// A third of the labels of iris is enough for all ways of asking; a boundary between three classes is found.
#[test]
fn three_classes_are_told_apart_by_few_answers() {
    let table = read_file(fixture::data("iris.csv"), &Default::default()).unwrap().table().unwrap();
    let rows = Scaling::fit(ScalingKind::Standardise, &table.vectors).unwrap().apply(&table.vectors).unwrap();
    let labels = table.targets.labels().unwrap();
    let pool = views(&rows);
    let truth: Vec<usize> = labels.codes().iter().map(|&code| code as usize).collect();
    for query in [Query::Mixed, Query::Nearest, Query::Band, Query::Uncertain, Query::Random] {
        let machine = machine("gaussian(gamma=0.25)", 10.0);
        let mut learner = ActiveLearner::of_classes(machine, 3, query, 2).unwrap();
        assert_eq!(learner.machines().len(), 3);
        for _ in 0..50 {
            let item = learner.ask(&pool).unwrap().unwrap();
            learner.answer(item, pool[item], truth[item]).unwrap();
        }
        let known: Vec<(Row<'_>, usize)> = pool.iter().copied().zip(truth.iter().copied()).collect();
        let error = learner.error(&known).unwrap();
        assert!(error < 0.1, "{query:?}: {error}");
        // Machines of one class against the rest, each exact.
        for machine in learner.machines() {
            assert!(machine.violation().unwrap() < 1e-8, "{query:?}");
        }
        assert!(!learner.has_emptied(&pool, &known, -1.0).unwrap());
    }
}

/// What each machine without one example says is what a training without it says.
#[test]
fn values_of_examples_left_out_are_those_of_trainings_without_them() {
    let sample = two_gaussians(30, 2, 1.5, 4);
    let rows = Vectors::from_rows(&sample.rows).unwrap();
    let mut machine = machine("gaussian(gamma=0.5)", 3.0);
    for (row, &label) in views(&rows).into_iter().zip(&sample.labels) {
        machine.add(row, label).unwrap();
    }
    let left_out = machine.left_out_values().unwrap();
    let kernel: Expression = "gaussian(gamma=0.5)".parse().unwrap();
    let svc = Svc::params(kernel).cost(3.0).tolerance(1e-9).check().unwrap();
    for (at, found) in left_out.iter().enumerate() {
        let rest: Vec<usize> = (0..rows.len()).filter(|&row| row != at).collect();
        let labels =
            Labels::from_text(rest.iter().map(|&row| if sample.labels[row] > 0.0 { "b" } else { "a" }));
        let model = svc.fit(&rows.select(&rest), &labels).unwrap();
        let expected = model.decision_values(&rows.select(&[at])).unwrap()[0];
        assert!((found - expected).abs() < 1e-6, "{at}: {found} {expected}");
    }
}

/// A batch by nearness alone is a heap; with diversity its members are less alike.
#[test]
fn batches_can_be_made_of_different_items() {
    let sample = two_gaussians(120, 2, 2.0, 9);
    let rows = Vectors::from_rows(&sample.rows).unwrap();
    let pool = views(&rows);
    let kernel: Expression = "gaussian(gamma=1)".parse().unwrap();
    let mut learner = ActiveLearner::new(machine("gaussian(gamma=1)", 5.0), Query::Nearest, 1);
    for _ in 0..20 {
        let item = learner.ask(&pool).unwrap().unwrap();
        learner.answer(item, pool[item], usize::from(sample.labels[item] > 0.0)).unwrap();
    }
    let alike = |batch: &[usize]| {
        use mercer::kernel::Kernel;
        let mut total = 0.0;
        for (at, &a) in batch.iter().enumerate() {
            for &b in &batch[..at] {
                total += kernel.eval(&pool[a], &pool[b]);
            }
        }
        total
    };
    let near = learner.ask_some(&pool, 8, 0.0).unwrap();
    let wide = learner.ask_some(&pool, 8, 0.8).unwrap();
    assert_eq!((near.len(), wide.len()), (8, 8));
    assert_eq!(near[0], wide[0], "the first is the nearest");
    assert!(alike(&wide) < alike(&near), "{} {}", alike(&wide), alike(&near));
    let mut sorted = wide.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), 8);
    assert!(learner.ask_some(&pool, 1000, 0.5).unwrap().len() == pool.len() - 20);
    assert!(learner.ask_some(&pool, 8, 1.5).is_err());
    assert!(ActiveLearner::of_classes(machine("linear", 1.0), 1, Query::Nearest, 0).is_err());
    assert!(learner.error(&[]).is_err());
}

/// Questions and answers hear of the interrupt in whose scope the thread works, also while several items are chosen before there is a boundary.
#[test]
fn questions_and_answers_end_with_the_scope_of_an_interrupt() {
    let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0], [3.0], [4.0]]).unwrap();
    let pool = views(&rows);
    let mut learner = ActiveLearner::new(machine("linear", 1.0), Query::Nearest, 1);
    let interrupt = Interrupt::new();
    assert_eq!(interrupt.scope(|| learner.ask_some(&pool, 3, 0.5)).unwrap().len(), 3);
    interrupt.raise();
    assert!(matches!(interrupt.scope(|| learner.ask_some(&pool, 3, 0.5)), Err(Error::Interrupted)));
    learner.answer(0, pool[0], 0).unwrap();
    let before = learner.asked();
    assert!(matches!(interrupt.scope(|| learner.answer(4, pool[4], 1)), Err(Error::Interrupted)));
    assert!(matches!(interrupt.scope(|| learner.band(&pool)), Err(Error::Interrupted)));
    // The answer that was interrupted was taken back, and can be given again.
    assert_eq!((learner.asked(), learner.machines()[0].len()), (before, 1));
    learner.answer(4, pool[4], 1).unwrap();
    assert!(learner.machines()[0].violation().unwrap() < 1e-9);
}
