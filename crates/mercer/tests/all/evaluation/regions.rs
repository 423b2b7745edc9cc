//! Regions without labels, against a naive loop; and settings on rows of their own.

use mercer::Error;
use mercer::data::{Examples, Items, Random, Sparse, Split, Vectors};
use mercer::evaluation::Metric;
use mercer::evaluation::search::{Cell, Grid, Look, Regions, RidgeCandidate, Search, Watch};
use mercer::kernel::Expression;
use mercer::machine::{FitOptions, Novelty, Region, Ridge, Softness, Svc};

use super::overlapping;

fn ring(n: usize) -> Vectors<'static> {
    let mut random = Random::new(5);
    let mut point = || {
        let angle = std::f64::consts::TAU * random.uniform();
        [angle.cos() + 0.05 * random.normal(), angle.sin() + 0.05 * random.normal()]
    };
    Vectors::from_rows(&(0..n).map(|_| point()).collect::<Vec<_>>()).unwrap()
}

fn kernels() -> Vec<Expression> {
    ["0.01", "1", "4", "5000"].iter().map(|g| format!("gaussian(gamma={g})").parse().unwrap()).collect()
}

#[test]
fn the_smallest_region_that_leaves_the_wanted_share_outside_is_found() {
    let (rows, splits) = (ring(300), Split::folds(300, 5, 1).unwrap());
    let grid = Grid { kernels: kernels(), costs: vec![0.1] };
    for region in [Region::Hyperplane, Region::Sphere] {
        let run = |threads: usize| {
            let machine = Novelty::params(grid.kernels[0].clone()).region(region).threads(threads);
            let mut table = Regions::new(3)
                .cross_validate(&machine, &grid, &rows, None, &splits, Watch::nobody())
                .unwrap();
            table.cells.iter_mut().for_each(|cell| cell.seconds = 0.0);
            table
        };
        let table = run(1);
        assert_eq!(table, run(2));
        // The share outside is that of a naive loop.
        for cell in &table.cells {
            let machine = Novelty::params(grid.kernels[cell.kernel].clone())
                .region(region)
                .softness(Softness::Nu(cell.nu.unwrap()));
            for (split, &outside) in splits.iter().zip(&cell.values[2]) {
                let model = machine.clone().check().unwrap().fit(&rows.select(&split.train)).unwrap();
                let novel = model.is_novel(&rows.select(&split.test)).unwrap();
                assert_eq!(outside, novel.iter().filter(|is| **is).count() as f64 / novel.len() as f64);
            }
        }
        // Those that leave about ν outside are in the race, and the one with the most free space wins.
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let is_near = |cell: &Cell| {
            let nu = cell.nu.unwrap();
            (mean(&cell.values[2]) - nu).abs() <= 2.0 * (nu * (1.0 - nu) / 300.0).sqrt()
        };
        for cell in &table.cells {
            assert_eq!(cell.look, if is_near(cell) { Look::Exact } else { Look::Missed }, "{cell:?}");
        }
        let near: Vec<&Cell> = table.cells.iter().filter(|cell| is_near(cell)).collect();
        let best = table.best().unwrap();
        assert!(near.iter().all(|cell| mean(&cell.values[0]) <= mean(&best.values[0])));
        // The narrowest kernel holds none of the rows that it has not seen, and has the most free space of all.
        assert!(near.len() > 1 && near.iter().all(|cell| cell.kernel < 3));
        assert!(
            table.to_csv().unwrap().starts_with("kernel,cost,nu,free_mean,free_std,support_vectors_mean")
        );
    }
}

#[test]
fn what_misses_the_share_least_is_best_for_want_of_better_and_says_so() {
    let (rows, splits) = (ring(100), Split::folds(100, 4, 1).unwrap());
    let narrow = ["300", "90000"].map(|g| format!("gaussian(gamma={g})").parse().unwrap()).to_vec();
    let machine = Novelty::params(kernels()[0].clone());
    let run = |costs: Vec<f64>| {
        let grid = Grid { kernels: narrow.clone(), costs };
        Regions::new(3).cross_validate(&machine, &grid, &rows, None, &splits, Watch::nobody())
    };
    let table = run(vec![0.05]).unwrap();
    let looks: Vec<Look> = table.cells.iter().map(|cell| cell.look).collect();
    assert_eq!(looks, [Look::Nearest, Look::Missed]);
    assert_eq!(table.best().unwrap().kernel, 0);
    // Each share would be judged by itself.
    assert!(matches!(run(vec![0.05, 0.1]), Err(Error::Unsupported { .. })));
}

#[test]
fn regions_by_cost_have_to_be_told_a_share_and_what_cannot_be_is_refused() {
    let (rows, splits) = (ring(100), Split::folds(100, 4, 1).unwrap());
    let machine = Novelty::params(kernels()[1].clone()).region(Region::Sphere).softness(Softness::Cost(1.0));
    let grid = Grid { kernels: kernels()[1..3].to_vec(), costs: vec![0.05, 0.1, 0.2] };
    let run = |search: Regions, rows: &Vectors<'_>, grid: &Grid<Expression>| {
        search.cross_validate(&machine, grid, rows, None, &splits, Watch::nobody())
    };
    let told = Regions { outside: Some(0.1), ..Regions::new(0) };
    let table = run(told, &rows, &grid).unwrap();
    assert!((table.best().unwrap().summary(2).unwrap().mean - 0.1).abs() < 0.1);
    assert!(table.cells.iter().all(|cell| cell.cost.is_some() && cell.nu.is_none()));
    assert!(matches!(run(Regions::new(0), &rows, &grid), Err(Error::Unsupported { .. })));
    let wrong = Regions { outside: Some(1.5), ..told };
    assert!(matches!(run(wrong, &rows, &grid), Err(Error::Interval { name: "outside", .. })));
    let none = Regions { points: 0, ..told };
    assert!(matches!(run(none, &rows, &grid), Err(Error::Empty { .. })));
    assert!(matches!(run(told, &rows, &Grid { kernels: vec![], ..grid.clone() }), Err(Error::Empty { .. })));
    let sparse: Vectors<'_> =
        Sparse::from_parts(vec![0, 1, 2], vec![0, 1], vec![1.0, 2.0], 2).unwrap().into();
    assert!(matches!(run(told, &sparse, &grid), Err(Error::Unsupported { .. })));
}

#[test]
fn ridge_regression_is_searched_like_any_machine() {
    let mut random = Random::new(8);
    let points: Vec<[f64; 1]> = (0..90).map(|_| [3.0 * random.uniform()]).collect();
    let targets: Vec<f64> = points.iter().map(|x| (2.0 * x[0]).sin() + 0.1 * random.normal()).collect();
    let rows = Vectors::from_rows(&points).unwrap();
    let splits = Split::folds(90, 3, 0).unwrap();
    let grid = Grid { kernels: kernels()[..3].to_vec(), costs: vec![0.01, 10.0] };
    let candidate = RidgeCandidate::new(Ridge::params(kernels()[0].clone()), FitOptions::default());
    let (search, examples) = (Search::exact(vec![Metric::MeanSquaredError]), Examples::new(&rows, &targets));
    let table = search.cross_validate(&candidate, &grid, examples, &splits, Watch::nobody()).unwrap();
    for cell in &table.cells {
        let machine = Ridge::params(grid.kernels[cell.kernel].clone()).lambda(0.5 / cell.cost.unwrap());
        for (split, &found) in splits.iter().zip(&cell.values[0]) {
            let of = |rows: &[usize]| rows.iter().map(|&row| targets[row]).collect::<Vec<f64>>();
            let (train, test) = (rows.select(&split.train), rows.select(&split.test));
            let model = machine.clone().check().unwrap().fit(&train, &of(&split.train)).unwrap();
            let predicted = model.predict(&test).unwrap();
            let errors = predicted.iter().zip(of(&split.test)).map(|(f, y)| (f - y).powi(2));
            let wanted = errors.sum::<f64>() / predicted.len() as f64;
            assert!((found - wanted).abs() < 1e-8 * (1.0 + wanted), "{found} is not {wanted}");
        }
    }
    assert!(table.best().unwrap().cost == Some(10.0) && table.best().unwrap().kernel > 0);
}

#[test]
fn a_validation_curve_is_the_search_and_the_test_on_own_rows() {
    let (rows, labels) = overlapping(150, 4);
    let splits = Split::stratified(&labels, 3, 2).unwrap();
    let grid = Grid { kernels: kernels()[..2].to_vec(), costs: vec![1.0, 100.0] };
    let machine = Svc::params(grid.kernels[0].clone());
    let (search, examples) = (Search::exact(vec![Metric::Accuracy]), Examples::new(&rows, &labels));
    let curve = search.validation_curve(&machine, &grid, examples, &splits, Watch::nobody()).unwrap();
    let table = search.cross_validate(&machine, &grid, examples, &splits, Watch::nobody()).unwrap();
    assert_eq!(curve.len(), 4);
    for (point, cell) in curve.iter().zip(&table.cells) {
        assert_eq!((point.held_out.kernel, point.held_out.cost), (cell.kernel, cell.cost));
        assert_eq!(point.held_out.values, cell.values);
        for (split, &own) in splits.iter().zip(&point.own.values[0]) {
            let trial = Svc::params(grid.kernels[cell.kernel].clone()).cost(cell.cost.unwrap());
            let (own_rows, truth) = (rows.select(&split.train), labels.select(&split.train));
            let predicted =
                trial.check().unwrap().fit(&own_rows, &truth).unwrap().predict(&own_rows).unwrap();
            let right = (0..truth.len()).filter(|&i| predicted[i] == truth.codes()[i] as usize).count();
            assert!((own - right as f64 / truth.len() as f64).abs() <= 1.001 / truth.len() as f64);
        }
    }
}
