//! Settings compared without held-out rows: what a search finds is what single trainings say.

use std::sync::atomic::{AtomicUsize, Ordering};

use mercer::Error;
use mercer::data::{Examples, Items, Labels, Scaling, ScalingKind, Vectors};
use mercer::evaluation::bounds::{Wishes, of_formulation};
use mercer::evaluation::estimates::{Estimate, estimate};
use mercer::evaluation::search::{ByCriterion, Cell, Criterion, Grid, Look, Table, Watch, refined};
use mercer::kernel::Expression;
use mercer::machine::{ClassWeights, Slack, Svc, SvcParams};

use crate::machine::small_set;

/// Every `step`th row of a set in `data/`, standardised.
fn some_of(name: &str, step: usize) -> (Vectors<'static>, Labels) {
    let (rows, labels) = small_set(name);
    let rows = Scaling::fit(ScalingKind::Standardise, &rows).unwrap().apply(&rows).unwrap();
    let some: Vec<usize> = (0..rows.len()).step_by(step).collect();
    (rows.select(&some), labels.select(&some))
}

fn grid(costs: &[f64]) -> Grid<Expression> {
    let kernels = ["gaussian(gamma=0.05)", "gaussian(gamma=median)"].map(|text| text.parse().unwrap());
    Grid { kernels: kernels.to_vec(), costs: costs.to_vec() }
}

fn machine() -> SvcParams<Expression> {
    Svc::params("linear".parse().unwrap()).tolerance(1e-9)
}

fn search(
    name: &str,
    machine: &SvcParams<Expression>,
    grid: &Grid<Expression>,
    (rows, labels): &(Vectors<'static>, Labels),
) -> mercer::Result<Table<Expression, Criterion>> {
    let examples = Examples::new(rows, labels);
    let mut table = ByCriterion::new(name.parse()?).search(machine, grid, examples, Watch::nobody())?;
    // Times are never the same twice.
    table.cells.iter_mut().for_each(|cell| cell.seconds = 0.0);
    Ok(table)
}

fn least(table: &Table<Expression, Criterion>) -> f64 {
    table.cells.iter().map(|cell| cell.values[0][0]).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_setting_has_the_value_of_a_single_training() {
    // Three classes are in wine, two in the other.
    for set in [some_of("ionosphere.csv", 3), some_of("wine.csv", 3)] {
        for slack in [Slack::Linear, Slack::Quadratic] {
            let (machine, grid) = (machine().slack(slack), grid(&[4.0, 0.25]));
            for one in Estimate::ALL {
                let table = search(one.name(), &machine, &grid, &set).unwrap();
                assert_eq!(table.cells.len(), if one.is_alignment() { 2 } else { 4 });
                for cell in &table.cells {
                    let single = machine.clone().kernel(table.kernels[cell.kernel].clone());
                    let single = single.cost(cell.cost.unwrap_or(1.0));
                    let expected = estimate(one, &single, &set.0, &set.1, None).unwrap();
                    let found = cell.values[0][0];
                    assert!((found - expected).abs() <= 1e-6 * expected, "{one}: {found} for {expected}");
                    assert_eq!((cell.look, cell.values[0].len(), cell.nu), (Look::Exact, 1, None));
                }
                assert_eq!(table.best().unwrap().values[0][0], least(&table), "{one}");
            }
        }
    }
}

#[test]
fn a_bound_is_for_the_best_of_as_many_settings_as_were_tried() {
    let set = some_of("ionosphere.csv", 2);
    let value = |machine: SvcParams<Expression>| {
        let model = machine.check().unwrap().fit(&set.0, &set.1).unwrap();
        let wishes = Wishes { choices: 6, ..Wishes::default() };
        of_formulation(&model.pairs().reports[0], &wishes).unwrap().value
    };
    let shares = [0.4, 0.1, 0.2];
    for (machine, tried) in [
        (machine().slack(Slack::Nu { nu: 0.3 }), shares),
        (machine(), [10.0, 0.1, 1.0]),
        (machine().slack(Slack::Quadratic), [10.0, 0.1, 1.0]),
    ] {
        let table = search("bound", &machine, &grid(&tried), &set).unwrap();
        assert_eq!(table.cells.len(), 6);
        for cell in &table.cells {
            let single = machine.clone().kernel(table.kernels[cell.kernel].clone());
            let single = match (cell.nu, cell.cost) {
                (Some(nu), None) => single.slack(Slack::Nu { nu }),
                (None, Some(cost)) => single.cost(cost),
                other => panic!("{other:?}"),
            };
            let (found, expected) = (cell.values[0][0], value(single));
            assert!((found - expected).abs() < 1e-5 * expected, "{found} for {expected}");
        }
        assert_eq!(table.best().unwrap().values[0][0], least(&table));
    }
    let own = search("bound", &machine().slack(Slack::Nu { nu: 0.1 }), &grid(&[]), &set).unwrap();
    assert!(own.cells.iter().all(|cell| cell.nu.is_none() && cell.cost.is_none()));
    let csv = search("bound", &machine().slack(Slack::Nu { nu: 0.1 }), &grid(&shares), &set);
    assert!(csv.unwrap().to_csv().unwrap().starts_with("kernel,cost,nu,bound_mean,bound_std,folds"));
}

#[test]
fn neither_threads_nor_memory_change_what_is_found() {
    let set = some_of("pima_diabetes.csv", 5);
    for name in ["span", "xi-alpha", "radius-margin", "bound"] {
        let table = |threads: usize, memory: u64| {
            let machine = machine().threads(threads).memory(memory).tolerance(1e-3);
            search(name, &machine, &grid(&[1.0, 10.0]), &set).unwrap()
        };
        let one = table(1, 1 << 30);
        assert_eq!(one, table(2, 1 << 30), "{name}");
        // The inverse for the spans takes 24m² bytes: so much does not hold K beside it for two kernels at a time.
        let n = set.0.len() as u64;
        assert_eq!(one, table(2, 31 * n * n), "{name}");
    }
    let refused = search("leave-one-out", &machine().memory(1000), &grid(&[1.0]), &set).unwrap_err();
    assert!(matches!(refused, Error::Budget { what: "leave-one-out", .. }), "{refused}");
    // Rows of K as they are asked for.
    let few = search("xi-alpha", &machine().memory(1000), &grid(&[1.0]), &set).unwrap();
    assert_eq!(few, search("xi-alpha", &machine(), &grid(&[1.0]), &set).unwrap());
}

#[test]
fn weights_count_as_rows_that_stand_there_as_often() {
    let (rows, labels) = some_of("pima_diabetes.csv", 6);
    let weights: Vec<f64> = (0..rows.len()).map(|i| f64::from(i % 3 != 0)).collect();
    let kept: Vec<usize> = (0..rows.len()).filter(|i| i % 3 != 0).collect();
    let grid = Grid { kernels: vec!["gaussian(gamma=0.1)".parse().unwrap()], costs: vec![0.5, 5.0] };
    let all = Examples { weights: Some(&weights), ..Examples::new(&rows, &labels) };
    let some = (rows.select(&kept), labels.select(&kept));
    for name in ["span", "support-vectors", "bound"] {
        let found = ByCriterion::new(name.parse().unwrap()).search(&machine(), &grid, all, Watch::nobody());
        let expected = search(name, &machine(), &grid, &some).unwrap();
        for (cell, expected) in found.unwrap().cells.iter().zip(&expected.cells) {
            let (found, expected) = (cell.values[0][0], expected.values[0][0]);
            assert!((found - expected).abs() < 1e-6, "{name}: {found} for {expected}");
        }
    }
}

#[test]
fn it_can_be_refined_watched_and_cancelled() {
    let set = some_of("ionosphere.csv", 3);
    let attempt = |grid: &Grid<Expression>| search("span", &machine(), grid, &set);
    let coarse = attempt(&grid(&[0.1])).unwrap();
    let before = least(&coarse);
    let fine = refined(coarse, 4.0, 4, attempt).unwrap();
    assert!(least(&fine) < before && fine.best().unwrap().values[0][0] == least(&fine));

    let shown = AtomicUsize::new(0);
    let seen = |table: &Table<Expression, Criterion>| {
        let known = table.cells.iter().filter(|cell| cell.look == Look::Exact).count();
        shown.fetch_max(known, Ordering::Relaxed);
    };
    let cancelled = || shown.load(Ordering::Relaxed) >= 2;
    let watch = Watch { cancelled: &cancelled, seen: &seen };
    let (machine, examples) = (machine().threads(1), Examples::new(&set.0, &set.1));
    let table = ByCriterion::new(Criterion::Bound).search(&machine, &grid(&[1.0, 2.0]), examples, watch);
    let done = |cell: &&Cell| cell.look == Look::Exact;
    assert_eq!(table.unwrap().cells.iter().filter(done).count(), 2);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let set = some_of("ionosphere.csv", 4);
    let refused = |name: &str, machine: SvcParams<Expression>, grid: Grid<Expression>| {
        search(name, &machine, &grid, &set).unwrap_err().to_string()
    };
    let none = Grid { kernels: Vec::new(), costs: vec![1.0] };
    assert_eq!(refused("span", machine(), none), "no kernels to try");
    assert_eq!(refused("span", machine(), grid(&[])), "no costs to try");
    assert!(refused("span", machine(), grid(&[-1.0])).starts_with("cost = -1"));
    assert!(refused("spam", machine(), grid(&[1.0])).contains("leave-one-out, span, span-bound"));
    let nu = machine().slack(Slack::Nu { nu: 0.2 });
    assert!(refused("span", nu.clone(), grid(&[0.2])).contains("no share nu"));
    assert!(refused("bound", nu.clone(), grid(&[2.0])).starts_with("nu = 2"));
    let balanced = machine().class_weights(ClassWeights::Balanced);
    assert!(refused("bound", balanced, grid(&[1.0])).contains("different ones"));
    let kernels = vec!["sigmoid(gamma=0.1)".parse().unwrap()];
    let error = refused("bound", machine(), Grid { kernels, costs: vec![1.0] });
    assert!(error.contains("semi-definite"), "{error}");
    let mut wrong = ByCriterion::new(Criterion::Bound);
    wrong.delta = 0.0;
    let examples = Examples::new(&set.0, &set.1);
    let error = wrong.search(&machine(), &grid(&[1.0]), examples, Watch::nobody()).unwrap_err();
    assert!(matches!(error, Error::Parameter { name: "delta", .. }), "{error}");
}
