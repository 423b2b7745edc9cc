//! Nested cross-validation against a plain loop.

use std::cell::Cell;

use mercer::Error;
use mercer::data::{Examples, Items, Labels, Scaling, ScalingKind, Split, Vectors};
use mercer::evaluation::search::{Grid, Inner, Nested, Search, Watch};
use mercer::evaluation::{Average, Metric, Predicted, Truth};
use mercer::kernel::Expression;
use mercer::machine::{Svc, SvcParams};

use crate::machine::small_set;

const COSTS: [f64; 3] = [0.1, 1.0, 10.0];

fn machine() -> SvcParams<Expression> {
    Svc::params("linear".parse().unwrap()).tolerance(1e-7)
}

/// A kernel whose width waits for data is among them.
fn kernels() -> Vec<Expression> {
    ["linear", "gaussian(gamma=median)"].map(|text| text.parse().unwrap()).to_vec()
}

fn scaled(rows: &Vectors<'static>, train: &[usize]) -> Vectors<'static> {
    Scaling::fit(ScalingKind::Standardise, &rows.select(train)).unwrap().apply(rows).unwrap()
}

fn nested(
    search: &Search,
    (rows, labels): &(Vectors<'static>, Labels),
    outer: &[Split],
    watch: Watch<'_, Expression>,
) -> mercer::Result<Nested<Expression>> {
    let inner = |part: Examples<'_, Vectors<'static>, Labels>, train: &[usize]| {
        let grid = Grid { kernels: kernels(), costs: COSTS.to_vec() };
        let splits = Split::stratified(part.targets, 3, 1)?;
        Ok(Inner { machine: machine(), items: scaled(rows, train), grid, splits })
    };
    search.nested(Examples::new(rows, labels), outer, inner, watch)
}

/// How a single training does on other rows.
fn value(
    (kernel, cost): (&Expression, f64),
    (rows, labels): (&Vectors<'static>, &Labels),
    split: &Split,
    metric: Metric,
) -> f64 {
    let model = machine().kernel(kernel.clone()).cost(cost).check().unwrap();
    let model = model.fit(&rows.select(&split.train), &labels.select(&split.train)).unwrap();
    let (scores, truth) = (model.scores(&rows.select(&split.test)).unwrap(), labels.select(&split.test));
    let said = Predicted::Classes { classes: model.classes(), scores: &scores, probabilities: None };
    metric.value(said, Truth::Classes(&truth), None).unwrap()
}

#[test]
fn it_is_a_plain_loop_of_searches() {
    let metrics = vec![Metric::Accuracy, Metric::F1(Average::Macro)];
    let data = small_set("wine.csv");
    let outer = Split::stratified(&data.1, 3, 7).unwrap();
    let found = nested(&Search::exact(metrics.clone()), &data, &outer, Watch::nobody()).unwrap();
    assert_eq!(found.folds.len(), 3);
    let mut tested = Vec::new();
    for (split, fold) in outer.iter().zip(&found.folds) {
        let rows = scaled(&data.0, &split.train);
        let (own, labels) = (rows.select(&split.train), data.1.select(&split.train));
        let splits = Split::stratified(&labels, 3, 1).unwrap();
        let mut best: Option<(Expression, f64, f64)> = None;
        for kernel in kernels() {
            let kernel = kernel.resolve(&own).unwrap();
            for cost in COSTS {
                let values = splits.iter().map(|s| value((&kernel, cost), (&own, &labels), s, metrics[0]));
                let mean = values.sum::<f64>() / 3.0;
                if best.as_ref().is_none_or(|(_, _, most)| mean > most + 1e-12) {
                    best = Some((kernel.clone(), cost, mean));
                }
            }
        }
        let (kernel, cost, mean) = best.unwrap();
        assert_eq!((&fold.kernel, fold.cost), (&kernel, Some(cost)));
        assert!((fold.inner.mean - mean).abs() < 1e-12, "{} for {mean}", fold.inner.mean);
        for (metric, &found) in metrics.iter().zip(&fold.outer) {
            let expected = value((&kernel, cost), (&rows, &data.1), split, *metric);
            assert!((found - expected).abs() < 1e-12, "{metric}: {found} for {expected}");
        }
        tested.push(fold.outer[0]);
    }
    assert!((found.summary(0).unwrap().mean - tested.iter().sum::<f64>() / 3.0).abs() < 1e-12);
    let inner = found.folds.iter().map(|fold| fold.inner.mean).sum::<f64>() / 3.0;
    assert!((found.inner().unwrap().mean - inner).abs() < 1e-12);
}

#[test]
fn it_can_be_cancelled_and_refuses_what_makes_no_sense() {
    let data = small_set("wine.csv");
    let (search, outer) = (Search::new(vec![Metric::Accuracy]), Split::stratified(&data.1, 3, 7).unwrap());
    let never = Watch { cancelled: &|| true, seen: &|_| () };
    assert!(nested(&search, &data, &outer, never).unwrap().folds.is_empty());
    assert!(matches!(
        nested(&search, &data, &[], Watch::nobody()),
        Err(Error::Empty { what: "outer splits" })
    ));
    let asked = Cell::new(0);
    let few = |part: Examples<'_, Vectors<'static>, Labels>, train: &[usize]| {
        asked.set(asked.get() + 1);
        let grid = Grid { kernels: kernels(), costs: COSTS.to_vec() };
        let splits = Split::stratified(part.targets, 3, 1)?;
        Ok(Inner { machine: machine(), items: data.0.select(train), grid, splits })
    };
    let refused = search.nested(Examples::new(&data.0, &data.1), &outer, few, Watch::nobody());
    assert!(matches!(refused, Err(Error::Shape { what: "items of an inner search", .. })));
    assert_eq!(asked.get(), 1);
}
