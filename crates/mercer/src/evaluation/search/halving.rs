//! Samples of the rows, each three times the one before, and the cells that go on from one to the next.

use super::Table;
use crate::data::{Labels, Split};
use crate::evaluation::Metric;

/// One cell of so many goes on, and each sample is so many times the one before.
const FACTOR: usize = 3;
/// Rows of the first sample, at least.
const LEAST: usize = 400;
/// Cells that go on, at least.
const FEWEST: usize = 4;

/// The rows of each sample, smallest first; none if there are few rows. Every stratum is in it by its share: of the rows in
/// the order of their strata every so many-th is taken.
pub(super) fn samples(strata: &Labels) -> Vec<Vec<usize>> {
    let (n, all) = (strata.len(), (0..strata.len()).collect::<Vec<usize>>());
    let sizes = std::iter::successors(Some(n / FACTOR), |size| Some(size / FACTOR));
    let mut sizes: Vec<usize> = sizes.take_while(|&size| size >= LEAST).collect();
    sizes.reverse();
    sizes.into_iter().map(|size| sample(&all, strata, size)).collect()
}

/// So many of some rows, ascending, by the shares of their strata.
pub(super) fn sample(rows: &[usize], strata: &Labels, size: usize) -> Vec<usize> {
    let mut order = rows.to_vec();
    order.sort_by_key(|&row| (strata.codes()[row], row));
    let mut sample: Vec<usize> = (0..size).map(|k| order[k * rows.len() / size]).collect();
    sample.sort_unstable();
    sample
}

/// The splits of a sample of the rows, by the places in it; without those that nothing is left of.
pub(super) fn within(splits: &[Split], rows: &[usize]) -> Vec<Split> {
    let part = |of: &[usize]| of.iter().filter_map(|row| rows.binary_search(row).ok()).collect::<Vec<_>>();
    let splits = splits.iter().map(|split| Split { train: part(&split.train), test: part(&split.test) });
    splits.filter(|split| !split.train.is_empty() && !split.test.is_empty()).collect()
}

/// The best third of the cells by the first metric, and all that are as good as the last of them.
pub(super) fn keep<K>(table: &Table<K>, alive: &[usize]) -> Vec<usize> {
    let metric: &Metric = &table.metrics[0];
    let mean = |at: usize| {
        table.cells[at].summary(0).map_or(f64::NEG_INFINITY, |summary| metric.as_score(summary.mean))
    };
    let mut scores: Vec<f64> = alive.iter().map(|&at| mean(at)).collect();
    scores.sort_by(|a, b| b.total_cmp(a));
    let count = alive.len().div_ceil(FACTOR).max(FEWEST).min(alive.len());
    let least = scores[count - 1];
    alive.iter().copied().filter(|&at| mean(at) >= least).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::search::{Cell, Look};

    #[test]
    fn samples_have_the_classes_by_their_shares() {
        let strata = Labels::from_text((0..6000).map(|i| if i % 10 == 0 { "rare" } else { "usual" }));
        let samples = samples(&strata);
        assert_eq!(samples.iter().map(Vec::len).collect::<Vec<_>>(), [666, 2000]);
        for rows in &samples {
            let rare = rows.iter().filter(|&&row| row % 10 == 0).count();
            assert!(rare.abs_diff(rows.len() / 10) <= 1, "{rare} of {}", rows.len());
            assert!(rows.windows(2).all(|pair| pair[0] < pair[1]));
        }
        let splits = within(&[Split { train: vec![1, 9, 2], test: vec![4] }], &[2, 4, 9]);
        assert_eq!(splits, [Split { train: vec![2, 0], test: vec![1] }]);
        assert!(super::samples(&Labels::from_text(["a", "b"])).is_empty());
    }

    #[test]
    fn a_third_goes_on_and_equals_with_it() {
        let cell = |value: f64| Cell {
            kernel: 0,
            cost: Some(1.0),
            nu: None,
            values: vec![vec![value]],
            seconds: 0.0,
            unfinished: 0,
            look: Look::GivenUp,
        };
        let values = [0.1, 0.9, 0.5, 0.8, 0.7, 0.7, 0.2, 0.7, 0.3, 0.6, 0.4, 0.65];
        let cells = values.map(cell).to_vec();
        let table = Table { metrics: vec![Metric::Accuracy], kernels: vec!["linear"], cells };
        let all: Vec<usize> = (0..values.len()).collect();
        assert_eq!(keep(&table, &all), [1, 3, 4, 5, 7]);
    }
}
