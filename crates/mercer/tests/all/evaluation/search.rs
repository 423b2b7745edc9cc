//! A grid over shared kernel values: sharing and warm starts change nothing but the effort.

use mercer::Error;
use mercer::data::{Examples, Items, Labels, Random, Scaling, ScalingKind, Split, Vectors};
use mercer::evaluation::search::{Candidate, Cell, Grid, Look, Search, Shares, Watch, refined};
use mercer::evaluation::{Average, Metric, PerClass, Predicted, Regression, Truth, log_loss};
use mercer::kernel::Expression;
use mercer::machine::one_against_one::most_votes;
use mercer::machine::{Decision, JointSvc, Loss, Probability, Slack, Svc, SvcParams, Svr};

use super::overlapping;
use crate::machine::small_set;

/// Every cell in every fold, with the tolerance of the machine.
fn cross_validate<M: Candidate<Kernel = Expression>>(
    machine: &M,
    grid: &Grid<Expression>,
    examples: Examples<'_, Vectors<'static>, M::Targets>,
    splits: &[Split],
    metrics: &[Metric],
    cancelled: &(dyn Fn() -> bool + Sync),
) -> mercer::Result<Vec<Cell>> {
    let search = Search::exact(metrics.to_vec());
    Ok(without_times(
        search.cross_validate(machine, grid, examples, splits, Watch { cancelled, seen: &|_| () })?.cells,
    ))
}

/// Times are never the same twice.
fn without_times(cells: Vec<Cell>) -> Vec<Cell> {
    cells.into_iter().map(|cell| Cell { seconds: 0.0, ..cell }).collect()
}

fn kernel(text: &str) -> Expression {
    text.parse().unwrap()
}

fn standardised(name: &str) -> (Vectors<'static>, Labels) {
    let (rows, labels) = small_set(name);
    (Scaling::fit(ScalingKind::Standardise, &rows).unwrap().apply(&rows).unwrap(), labels)
}

fn machine() -> SvcParams<Expression> {
    Svc::params(kernel("linear")).tolerance(1e-7)
}

fn grid() -> Grid<Expression> {
    let kernels = ["linear", "gaussian(gamma=0.05)", "gaussian(gamma=median) * linear"].map(kernel).to_vec();
    Grid { kernels, costs: vec![4.0, 0.25, 1.0] }
}

/// Every cell and fold trained by itself, on the rows of the fold alone.
fn naive(
    machine: &SvcParams<Expression>,
    grid: &Grid<Expression>,
    (rows, labels): &(Vectors<'_>, Labels),
    splits: &[Split],
    metric: Metric,
) -> Vec<Vec<f64>> {
    let mut costs = grid.costs.clone();
    costs.sort_by(f64::total_cmp);
    let mut cells = Vec::new();
    for kernel in &grid.kernels {
        let kernel = kernel.resolve(rows).unwrap();
        for &cost in &costs {
            let machine = machine.clone().kernel(kernel.clone()).cost(cost).check().unwrap();
            let value = |split: &Split| {
                let model = machine.fit(&rows.select(&split.train), &labels.select(&split.train)).unwrap();
                let (scores, truth) =
                    (model.scores(&rows.select(&split.test)).unwrap(), labels.select(&split.test));
                let said =
                    Predicted::Classes { classes: model.classes(), scores: &scores, probabilities: None };
                metric.value(said, Truth::Classes(&truth), None).unwrap()
            };
            cells.push(splits.iter().map(value).collect());
        }
    }
    cells
}

#[test]
fn a_grid_is_what_single_fits_give() {
    for (set, splits) in [("ionosphere.csv", 4), ("wine.csv", 3)] {
        let data = standardised(set);
        let splits = Split::stratified(&data.1, splits, 7).unwrap();
        let metrics = [Metric::Accuracy, Metric::F1(Average::Macro)];
        let examples = Examples::new(&data.0, &data.1);
        let cells = cross_validate(&machine(), &grid(), examples, &splits, &metrics, &|| false).unwrap();
        assert_eq!(cells.len(), 9);
        assert_eq!((cells[3].kernel, cells[3].cost), (1, Some(0.25)));
        for (m, metric) in metrics.into_iter().enumerate() {
            let expected = naive(&machine(), &grid(), &data, &splits, metric);
            for (cell, expected) in cells.iter().zip(&expected) {
                assert_eq!(&cell.values[m], expected, "{set} {metric} {} {:?}", cell.kernel, cell.cost);
            }
        }
    }
}

#[test]
fn shares_are_what_single_fits_with_them_give() {
    let data = standardised("ionosphere.csv");
    let splits = Split::stratified(&data.1, 3, 7).unwrap();
    let shares = vec![0.4, 0.1];
    let grid = Grid { kernels: vec![kernel("gaussian(gamma=0.05)")], costs: shares };
    let examples = Examples::new(&data.0, &data.1);
    let metrics = [Metric::Accuracy];
    let cells = cross_validate(&Shares(machine()), &grid, examples, &splits, &metrics, &|| false).unwrap();
    let ends = cells.iter().map(|cell| (cell.cost, cell.nu)).collect::<Vec<_>>();
    assert_eq!(ends, [(None, Some(0.1)), (None, Some(0.4))]);
    for cell in &cells {
        let machine = machine().slack(Slack::Nu { nu: cell.nu.unwrap() });
        let single = Grid { costs: vec![1.0], ..grid.clone() };
        assert_eq!(vec![cell.values[0].clone()], naive(&machine, &single, &data, &splits, Metric::Accuracy));
    }
}

#[test]
fn a_share_that_leaves_no_margin_does_not_end_a_search() {
    let (rows, labels) = overlapping_classes();
    let splits = Split::stratified(&labels, 3, 7).unwrap();
    let grid = Grid { kernels: vec![kernel("linear")], costs: vec![0.01, 0.9] };
    let examples = Examples::new(&rows, &labels);
    let search = Search::new(vec![Metric::Accuracy]);
    let table = search.cross_validate(&Shares(machine()), &grid, examples, &splits, Watch::nobody()).unwrap();
    // A machine that says 0 of every row is right about one of the classes.
    assert!(table.cells[0].values[0].iter().all(|&accuracy| (accuracy - 0.5).abs() < 0.05));
    assert_eq!(table.best().unwrap().nu, Some(0.9));
    let single = machine().slack(Slack::Nu { nu: 0.01 });
    let told = cross_validate(&single, &grid, examples, &splits, &[Metric::Accuracy], &|| false).unwrap();
    assert_eq!(told[0].values, table.cells[0].values);
    assert!(single.check().unwrap().fit(&rows, &labels).is_err());
}

/// Two clouds on a line that share most of their places.
fn overlapping_classes() -> (Vectors<'static>, Labels) {
    let mut random = Random::new(2);
    let labels = Labels::from_text((0..90).map(|i| if i % 2 == 0 { "left" } else { "right" }));
    let points: Vec<[f64; 1]> =
        (0..90).map(|i| [random.normal() + if i % 2 == 0 { -0.7 } else { 0.7 }]).collect();
    (Vectors::from_rows(&points).unwrap(), labels)
}

#[test]
fn folds_can_be_prepared_by_their_own_rows_alone() {
    let (rows, labels) = small_set("wine.csv");
    let splits = Split::stratified(&labels, 3, 7).unwrap();
    let kernels = vec![kernel("gaussian"), kernel("gaussian(gamma=median) * linear")];
    let grid = Grid { kernels, costs: vec![0.5, 5.0] };
    let on = |split: &Split| {
        let scaled = Scaling::fit(ScalingKind::Standardise, &rows.select(&split.train))?.apply(&rows)?;
        let own = scaled.select(&split.train);
        let kernels =
            grid.kernels.iter().map(|kernel| kernel.resolve(&own)).collect::<mercer::Result<_>>()?;
        Ok((scaled, Grid { kernels, costs: grid.costs.clone() }))
    };
    let examples = Examples::new(&rows, &labels);
    let search = Search::new(vec![Metric::Accuracy]);
    let table = search.per_fold(&machine(), &grid, examples, &splits, on, Watch::nobody()).unwrap();
    assert_eq!(table.kernels, grid.kernels);
    for (fold, split) in splits.iter().enumerate() {
        let (scaled, grid) = on(split).unwrap();
        let one = std::slice::from_ref(split);
        let expected = naive(&machine(), &grid, &(scaled, labels.clone()), one, Metric::Accuracy);
        for (cell, expected) in table.cells.iter().zip(expected) {
            assert_eq!((cell.values[0][fold], cell.look), (expected[0], Look::Exact));
        }
    }
    let fewer = |_: &Split| Ok((rows.clone(), Grid { costs: vec![1.0], ..grid.clone() }));
    let error = search.per_fold(&machine(), &grid, examples, &splits, fewer, Watch::nobody());
    assert!(matches!(error, Err(Error::Shape { what: "costs of a fold", .. })), "{error:?}");
}

#[test]
fn neither_threads_nor_memory_change_what_is_found() {
    let data = standardised("ionosphere.csv");
    let splits = Split::folds(data.1.len(), 3, 1).unwrap();
    let cells = |threads: usize, memory: u64| -> Vec<Cell> {
        let machine = machine().threads(threads).memory(memory);
        let examples = Examples::new(&data.0, &data.1);
        cross_validate(&machine, &grid(), examples, &splits, &[Metric::Accuracy], &|| false).unwrap()
    };
    let one = cells(1, 1 << 30);
    assert_eq!(one, cells(2, 1 << 30));
    assert_eq!(one, cells(2, 1000));
}

#[test]
fn weights_count_when_learning_and_when_testing() {
    let (rows, labels) = overlapping(90, 3);
    let weights: Vec<f64> = (0..90).map(|i| f64::from(i / 3 % 3)).collect();
    let repeats: Vec<usize> = (0..90).flat_map(|i| vec![i; i / 3 % 3]).collect();
    let (repeated_rows, repeated_labels) = (rows.select(&repeats), labels.select(&repeats));
    // The same rows are held out, however often they stand there.
    let held_out = |i: usize| (i / 3).is_multiple_of(4);
    let split = |rows: Vec<usize>| {
        let (test, train) = (0..rows.len()).partition(|&at| held_out(rows[at]));
        vec![Split { train, test }]
    };
    let metrics = [Metric::Accuracy, Metric::RocAuc];
    let weighted = Examples { weights: Some(&weights), ..Examples::new(&rows, &labels) };
    let weighted =
        cross_validate(&machine(), &grid(), weighted, &split((0..90).collect()), &metrics, &|| false)
            .unwrap();
    let plain = Examples::new(&repeated_rows, &repeated_labels);
    let plain = cross_validate(&machine(), &grid(), plain, &split(repeats), &metrics, &|| false).unwrap();
    for (one, other) in weighted.iter().zip(&plain) {
        for m in 0..2 {
            assert!((one.values[m][0] - other.values[m][0]).abs() < 1e-9, "{one:?} {other:?}");
        }
    }
}

#[test]
fn regressions_and_machines_of_many_classes_are_tried_too() {
    let points: Vec<[f64; 1]> = (0..60).map(|i| [f64::from(i) / 10.0]).collect();
    let targets: Vec<f64> = points.iter().map(|p| p[0].sin()).collect();
    let rows = Vectors::from_rows(&points).unwrap();
    let splits = Split::folds(60, 5, 0).unwrap();
    let machine = Regression::new(Svr::params(kernel("linear")).loss(Loss::Linear { tube: 0.01 }));
    let tried = |grid: &Grid<Expression>| {
        let examples = Examples::new(&rows, &targets);
        let metrics = [Metric::R2, Metric::MeanAbsoluteError];
        cross_validate(&machine, grid, examples, &splits, &metrics, &|| false).unwrap()
    };
    let kernels = vec![kernel("linear"), kernel("gaussian(gamma=1)")];
    let cells = tried(&Grid { kernels, costs: vec![0.1, 10.0] });
    let best = cells[3].summary(0).unwrap();
    assert!(best.mean > 0.99 && best.mean > cells[1].summary(0).unwrap().mean + 0.3, "{cells:?}");
    // Single fits, again.
    let single = Svr::params(kernel("gaussian(gamma=1)")).loss(Loss::Linear { tube: 0.01 }).cost(10.0);
    let single = single.check().unwrap();
    for (fold, split) in splits.iter().enumerate() {
        let some = |of: &[usize]| of.iter().map(|&i| targets[i]).collect::<Vec<f64>>();
        let model = single.fit(&rows.select(&split.train), &some(&split.train)).unwrap();
        let said = model.predict(&rows.select(&split.test)).unwrap();
        let truth = some(&split.test);
        let error =
            Metric::MeanAbsoluteError.value(Predicted::Numbers(&said), Truth::Numbers(&truth), None).unwrap();
        assert!((cells[3].values[1][fold] - error).abs() < 2e-3, "{} {error}", cells[3].values[1][fold]);
    }

    let (rows, labels) = standardised("wine.csv");
    let splits = Split::stratified(&labels, 3, 0).unwrap();
    let all =
        [PerClass::Rest(Svc::params(kernel("linear"))), PerClass::Joint(JointSvc::params(kernel("linear")))];
    for machine in all {
        let grid = Grid { kernels: vec![kernel("gaussian(gamma=0.05)")], costs: vec![1.0, 10.0] };
        let examples = Examples::new(&rows, &labels);
        let cells =
            cross_validate(&machine, &grid, examples, &splits, &[Metric::Accuracy], &|| false).unwrap();
        assert!(cells.iter().all(|cell| cell.summary(0).unwrap().mean > 0.95), "{cells:?}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_and_cancelling_ends_it() {
    let (rows, labels) = overlapping(60, 3);
    let splits = Split::folds(60, 3, 0).unwrap();
    let run = |grid: &Grid<Expression>, splits: &[Split], metrics: &[Metric], cancelled: bool| {
        cross_validate(&machine(), grid, Examples::new(&rows, &labels), splits, metrics, &|| cancelled)
    };
    let accuracy = [Metric::Accuracy];
    let cut_short = run(&grid(), &splits, &accuracy, true).unwrap();
    assert!(cut_short.iter().all(|cell| cell.look == Look::GivenUp && cell.folds() == 0), "{cut_short:?}");
    let none = Grid { kernels: vec![], costs: vec![1.0] };
    assert!(matches!(run(&none, &splits, &accuracy, false), Err(Error::Empty { .. })));
    for costs in [vec![], vec![1.0, -1.0], vec![f64::NAN]] {
        assert!(run(&Grid { costs, ..grid() }, &splits, &accuracy, false).is_err());
    }
    assert!(matches!(run(&grid(), &[], &accuracy, false), Err(Error::Empty { .. })));
    assert!(matches!(run(&grid(), &splits, &[], false), Err(Error::Empty { .. })));
    assert!(run(&grid(), &splits, &[Metric::R2], false).is_err());
    // A share ν has no cost.
    let machine = machine().slack(Slack::Nu { nu: 0.5 });
    assert!(!Candidate::has_cost(&machine));
    let grid = Grid { kernels: vec![kernel("gaussian(gamma=0.1)")], costs: vec![] };
    let cells = cross_validate(&machine, &grid, Examples::new(&rows, &labels), &splits, &accuracy, &|| false)
        .unwrap();
    assert_eq!((cells.len(), cells[0].cost), (1, None));
}

#[test]
fn a_race_and_a_second_look_find_what_an_exhaustive_search_finds() {
    let data = standardised("ionosphere.csv");
    let splits = Split::stratified(&data.1, 6, 5).unwrap();
    let kernels =
        ["gaussian(gamma=0.0001)", "gaussian(gamma=0.02)", "gaussian(gamma=0.1)", "gaussian(gamma=50)"];
    let grid = Grid { kernels: kernels.map(kernel).to_vec(), costs: vec![0.01, 1.0, 4.0, 16.0] };
    let run = |search: &Search, threads: usize| {
        let machine = Svc::params(kernel("linear")).threads(threads);
        search
            .cross_validate(&machine, &grid, Examples::new(&data.0, &data.1), &splits, Watch::nobody())
            .unwrap()
    };
    let all = run(&Search::exact(vec![Metric::Accuracy]), 2);
    assert!(all.cells.iter().all(|cell| cell.look == Look::Exact && cell.folds() == 6));
    let search = Search::new(vec![Metric::Accuracy]);
    let raced = run(&search, 2);
    assert_eq!(without_times(raced.cells.clone()), without_times(run(&search, 1).cells));

    // What was given up was far behind, and given up early.
    let (best, found) = (all.best().unwrap(), raced.best().unwrap());
    let given_up: Vec<usize> =
        (0..raced.cells.len()).filter(|&at| raced.cells[at].look == Look::GivenUp).collect();
    assert!(given_up.len() >= 4, "{given_up:?}");
    for at in given_up {
        assert!(raced.cells[at].folds() < 6);
        let behind = best.summary(0).unwrap().mean - all.cells[at].summary(0).unwrap().mean;
        assert!(behind > best.summary(0).unwrap().standard_error.unwrap(), "cell {at} is {behind} behind");
    }
    // The best is the best: looked at with the same tolerance, it has the same values.
    assert_eq!((found.kernel, found.cost, found.look), (best.kernel, best.cost, Look::Exact));
    assert_eq!(found.values, best.values);
    // Exhaustive is every cell in every fold.
    let exhaustive = run(&Search { exhaustive: true, ..search }, 2);
    assert!(exhaustive.cells.iter().all(|cell| cell.folds() == 6 && cell.look != Look::GivenUp));

    let lines: Vec<String> = raced.to_csv().unwrap().lines().map(String::from).collect();
    assert_eq!(lines.len(), 17);
    assert!(lines.iter().all(|line| line.split(',').count() == 8), "{lines:?}");
    let json = serde_json::to_value(&raced).unwrap();
    assert_eq!(json["kernels"][1], "gaussian(gamma=0.02)");
    assert_eq!(json["cells"][0]["look"], "given_up");
}

#[test]
fn no_cell_that_was_looked_at_once_is_ahead_of_the_best() {
    let (rows, labels) = rings(1000);
    let splits = Split::stratified(&labels, 3, 5).unwrap();
    let kernels = ["gaussian(gamma=0.5)", "gaussian(gamma=1)", "gaussian(gamma=4)", "gaussian(gamma=16)"];
    let grid = Grid { kernels: kernels.map(kernel).to_vec(), costs: vec![1.0, 8.0, 64.0] };
    // So wide a tolerance that first looks say little.
    for screening in [500.0, 2000.0] {
        let search = Search { screening, ..Search::new(vec![Metric::Accuracy, Metric::CohenKappa]) };
        let examples = Examples::new(&rows, &labels);
        let machine = Svc::params(kernel("linear"));
        let table = search.cross_validate(&machine, &grid, examples, &splits, Watch::nobody()).unwrap();
        let best = table.best().unwrap();
        assert_eq!(best.look, Look::Exact);
        assert!(table.cells.iter().any(|cell| cell.look == Look::Screened));
        let mean = |cell: &Cell| cell.summary(0).unwrap().mean;
        let mut tried = table.cells.iter().filter(|cell| cell.look != Look::GivenUp);
        assert!(tried.all(|cell| mean(cell) <= mean(best)));
    }
}

#[test]
fn an_exhaustive_search_solves_every_cell_to_the_tolerance_of_the_machine() {
    let (rows, labels) = rings(1000);
    let splits = Split::stratified(&labels, 3, 5).unwrap();
    let kernels = ["gaussian(gamma=0.5)", "gaussian(gamma=16)"].map(kernel).to_vec();
    let grid = Grid { kernels, costs: vec![1.0, 64.0] };
    let examples = || Examples::new(&rows, &labels);
    let machine = Svc::params(kernel("linear"));
    let search = Search { exhaustive: true, ..Search::new(vec![Metric::Accuracy]) };
    let table = search.cross_validate(&machine, &grid, examples(), &splits, Watch::nobody()).unwrap();
    assert!(table.cells.iter().all(|cell| cell.look == Look::Exact));
    let exact = cross_validate(&machine, &grid, examples(), &splits, &[Metric::Accuracy], &|| false).unwrap();
    assert_eq!(without_times(table.cells), exact);
}

#[test]
fn cells_are_scored_by_what_the_machine_predicts_where_votes_are_equal() {
    let mut random = Random::new(4);
    let names = ["a", "b", "c", "d", "e", "f"];
    let labels = Labels::from_text((0..180).map(|i| names[i % 6]));
    let points: Vec<[f64; 2]> =
        (0..180).map(|i| [(i % 3) as f64 + random.normal(), (i % 2) as f64 + random.normal()]).collect();
    let rows = Vectors::from_rows(&points).unwrap();
    let splits = Split::stratified(&labels, 3, 1).unwrap();
    let mut all = Vec::new();
    for decision in [Decision::Votes, Decision::FirstVotes, Decision::Graph] {
        let machine = Svc::params(kernel("gaussian(gamma=1)")).decision(decision).tolerance(1e-7);
        let grid = Grid { kernels: vec![kernel("gaussian(gamma=1)")], costs: vec![10.0] };
        let examples = Examples::new(&rows, &labels);
        let cells =
            cross_validate(&machine, &grid, examples, &splits, &[Metric::Accuracy], &|| false).unwrap();
        let single = machine.cost(10.0).check().unwrap();
        for (split, value) in splits.iter().zip(&cells[0].values[0]) {
            let model = single.fit(&rows.select(&split.train), &labels.select(&split.train)).unwrap();
            let said = model.predict(&rows.select(&split.test)).unwrap();
            let right =
                split.test.iter().zip(&said).filter(|(row, class)| labels.codes()[**row] as usize == **class);
            assert!((right.count() as f64 / said.len() as f64 - value).abs() < 1e-12, "{decision:?}");
            if decision == Decision::FirstVotes {
                let decisions = model.decision_values(&rows.select(&split.test)).unwrap();
                let votes: Vec<usize> = decisions.chunks(15).map(|of_row| most_votes(6, of_row)).collect();
                assert_eq!(said, votes);
            }
        }
        all.push(cells[0].values[0].clone());
    }
    assert_ne!(all[0], all[1], "votes that are equal");
}

#[test]
fn costs_that_are_far_apart_are_learned_each_by_itself() {
    let data = standardised("wine.csv");
    let splits = Split::stratified(&data.1, 3, 7).unwrap();
    let costs = vec![1e-300, 1e-3, 10.0, 1e300];
    let grid = Grid { kernels: vec![kernel("gaussian(gamma=0.05)")], costs };
    let examples = Examples::new(&data.0, &data.1);
    let metrics = [Metric::Accuracy];
    let cells = cross_validate(&machine(), &grid, examples, &splits, &metrics, &|| false).unwrap();
    let expected = naive(&machine(), &grid, &data, &splits, Metric::Accuracy);
    let found: Vec<Vec<f64>> = cells.into_iter().map(|cell| cell.values[0].clone()).collect();
    assert_eq!(found, expected);
    let numbers: Vec<f64> = data.1.codes().iter().map(|&code| f64::from(code)).collect();
    let examples = Examples::new(&data.0, &numbers);
    let machine = Regression { machine: Svr::params(kernel("linear")), loss_in_spreads: false };
    let tried = |grid: &Grid<Expression>| {
        cross_validate(&machine, grid, examples, &splits, &[Metric::R2], &|| false).unwrap()
    };
    let with = |costs: Vec<f64>| tried(&Grid { costs, ..grid.clone() });
    assert_eq!(with(vec![1e-300, 10.0])[1].values, with(vec![10.0])[0].values);
}

#[test]
fn a_split_that_leaves_one_class_is_named() {
    let data = standardised("wine.csv");
    let mut splits = Split::stratified(&data.1, 3, 7).unwrap();
    splits[1].train.retain(|&row| data.1.codes()[row] == 0);
    let refused = cross_validate(
        &machine(),
        &grid(),
        Examples::new(&data.0, &data.1),
        &splits,
        &[Metric::Accuracy],
        &|| false,
    );
    assert!(refused.unwrap_err().to_string().contains("split 2 of 3"));
}

#[test]
fn probabilities_are_found_for_metrics_that_judge_them_and_for_no_others() {
    let data = standardised("wine.csv");
    let splits = Split::stratified(&data.1, 2, 7).unwrap();
    let gaussian = kernel("gaussian(gamma=0.05)");
    let grid = Grid { kernels: vec![gaussian.clone()], costs: vec![1.0] };
    let examples = Examples::new(&data.0, &data.1);
    let with = machine().probability(Some(Probability::Consistent));
    let tried = |machine: &SvcParams<Expression>, metric: Metric| {
        cross_validate(machine, &grid, examples, &splits, &[metric], &|| false)
    };
    let found = tried(&with, Metric::LogLoss).unwrap();
    for (split, &found) in splits.iter().zip(&found[0].values[0]) {
        let machine = with.clone().kernel(gaussian.clone()).cost(1.0).check().unwrap();
        let model = machine.fit(&data.0.select(&split.train), &data.1.select(&split.train)).unwrap();
        let test = data.0.select(&split.test);
        let probabilities = model.probabilities(&test).unwrap();
        let expected = log_loss(&data.1.select(&split.test), model.classes(), &probabilities, None).unwrap();
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
    assert!(matches!(tried(&machine(), Metric::LogLoss), Err(Error::Unsupported { .. })));
    assert_eq!(tried(&with, Metric::Accuracy).unwrap(), tried(&machine(), Metric::Accuracy).unwrap());
}

#[test]
fn trainings_that_a_limit_ends_are_counted() {
    let data = standardised("ionosphere.csv");
    let splits = Split::stratified(&data.1, 3, 7).unwrap();
    let grid = Grid { kernels: vec![kernel("linear")], costs: vec![100.0] };
    let examples = Examples::new(&data.0, &data.1);
    let unfinished = |machine: &SvcParams<Expression>| {
        cross_validate(machine, &grid, examples, &splits, &[Metric::Accuracy], &|| false).unwrap()[0]
            .unfinished
    };
    assert_eq!(unfinished(&machine().max_iterations(2)), 3);
    assert_eq!(unfinished(&machine()), 0);
}

/// Rings: the widths that tell them apart are far from the extremes of the grid.
fn rings(n: usize) -> (Vectors<'static>, Labels) {
    let mut random = Random::new(11);
    let points: Vec<[f64; 2]> = (0..n).map(|_| [2.0 * random.normal(), 2.0 * random.normal()]).collect();
    let mut ring = |p: &[f64; 2]| (p[0].hypot(p[1]) + 0.1 * random.normal()) % 2.0 < 1.0;
    let labels = Labels::from_text(points.iter().map(|p| if ring(p) { "in" } else { "out" }));
    (Vectors::from_rows(&points).unwrap(), labels)
}

#[test]
fn halving_finds_what_an_exhaustive_search_finds_with_fewer_trainings_on_all_rows() {
    let data = rings(1500);
    let splits = Split::stratified(&data.1, 4, 5).unwrap();
    let kernels = ["0.001", "0.05", "1", "20", "400"].map(|g| kernel(&format!("gaussian(gamma={g})")));
    let grid = Grid { kernels: kernels.to_vec(), costs: vec![0.01, 1.0, 10.0] };
    let run = |search: &Search, threads: usize| {
        let machine = Svc::params(kernel("linear")).threads(threads);
        let examples = Examples::new(&data.0, &data.1);
        search.cross_validate(&machine, &grid, examples, &splits, Watch::nobody()).unwrap()
    };
    let metrics = vec![Metric::Accuracy];
    let halved = run(&Search { halving: true, ..Search::new(metrics.clone()) }, 2);
    let again = run(&Search { halving: true, ..Search::new(metrics.clone()) }, 1);
    assert_eq!(without_times(halved.cells.clone()), without_times(again.cells));
    let all = run(&Search::exact(metrics), 2);
    let tried = halved.cells.iter().filter(|cell| cell.look != Look::GivenUp).count();
    assert!((1..=8).contains(&tried), "{tried} of {} went on", halved.cells.len());
    let (best, found) = (all.best().unwrap(), halved.best().unwrap());
    let error = best.summary(0).unwrap().standard_error.unwrap();
    let behind = best.summary(0).unwrap().mean - found.summary(0).unwrap().mean;
    assert!(behind <= error, "{behind} behind, standard error {error}");
    // What it says of a cell is what is true of it.
    let same = all.cells.iter().find(|cell| (cell.kernel, cell.cost) == (found.kernel, found.cost)).unwrap();
    assert_eq!(same.values, found.values);
}

#[test]
fn a_refinement_goes_on_from_the_best_cell_and_never_loses_it() {
    let data = rings(300);
    let splits = Split::stratified(&data.1, 4, 5).unwrap();
    let grid = Grid { kernels: vec![kernel("gaussian(gamma=0.02)")], costs: vec![1.0] };
    let machine = Svc::params(kernel("linear"));
    let mut steps = Vec::new();
    let search = Search::exact(vec![Metric::Accuracy]);
    let examples = Examples::new(&data.0, &data.1);
    let coarse = search.cross_validate(&machine, &grid, examples, &splits, Watch::nobody()).unwrap();
    let before = coarse.best().unwrap().summary(0).unwrap().mean;
    let fine = refined(coarse, 4.0, 5, |grid| {
        steps.push(grid.costs[2] / grid.costs[1]);
        assert_eq!((grid.kernels.len(), grid.costs.len()), (3, 3));
        search.cross_validate(&machine, grid, examples, &splits, Watch::nobody())
    })
    .unwrap();
    let best = fine.best().unwrap();
    assert!(best.summary(0).unwrap().mean > before + 0.1, "{before} to {best:?}");
    assert!(steps.windows(2).all(|pair| pair[1] <= pair[0]), "{steps:?}");
    // Every cell is known by its kernel, those of later rounds too.
    for cell in &fine.cells {
        let alone =
            Grid { kernels: vec![fine.kernels[cell.kernel].clone()], costs: vec![cell.cost.unwrap()] };
        let alone = search.cross_validate(&machine, &alone, examples, &splits, Watch::nobody()).unwrap();
        let (one, other) = (alone.cells[0].summary(0).unwrap().mean, cell.summary(0).unwrap().mean);
        assert!((one - other).abs() < 0.02, "{one} {other}");
    }
    assert_eq!(fine.to_csv().unwrap().lines().count(), fine.cells.len() + 1);
}
