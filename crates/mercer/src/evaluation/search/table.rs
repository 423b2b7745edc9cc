//! All settings that were tried, and which did best.

use std::fmt::{Display, Write as _};

use serde::Serialize;

use super::{Cell, Look};
use crate::error::Result;
use crate::evaluation::{Metric, Summary};

/// What cells can be compared by: a [`Metric`] of predictions, or a [`Criterion`](super::Criterion) that needs none.
///
/// ```
/// use mercer::evaluation::Metric;
/// use mercer::evaluation::search::{Criterion, Measure};
/// assert_eq!(Measure::as_score(&Metric::Accuracy, 0.9), 0.9);
/// assert_eq!(Criterion::Bound.as_score(0.3), -0.3);
/// ```
pub trait Measure: Clone + Display {
    /// The value with the sign that makes the larger the better.
    fn as_score(&self, value: f64) -> f64;
}

impl Measure for Metric {
    fn as_score(&self, value: f64) -> f64 {
        Metric::as_score(self, value)
    }
}

/// How all cells of a search did, by metrics or by a criterion.
///
/// ```
/// use mercer::evaluation::Metric;
/// use mercer::evaluation::search::{Cell, Look, Table};
/// let cell = |cost: f64, values: [f64; 2]| {
///     let values = vec![values.to_vec()];
///     Cell { kernel: 0, cost: Some(cost), nu: None, values, seconds: 0.5, unfinished: 0, look: Look::Exact }
/// };
/// let cells = vec![cell(1.0, [0.8, 0.9]), cell(10.0, [0.9, 1.0])];
/// let table = Table { metrics: vec![Metric::Accuracy], kernels: vec!["linear"], cells };
/// assert_eq!(table.best().unwrap().cost, Some(10.0));
/// assert!(table.to_csv()?.starts_with("kernel,cost,accuracy_mean,accuracy_std,folds,seconds,look,rank\nlinear,1,0.85"));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound = "K: Display, M: Display")]
pub struct Table<K, M = Metric> {
    /// What was measured; the first decides.
    #[serde(serialize_with = "texts")]
    pub metrics: Vec<M>,
    /// The kernels, with all parameters that were found from the rows.
    #[serde(serialize_with = "texts")]
    pub kernels: Vec<K>,
    /// Every setting, in the order of the kernels and then of ascending costs.
    pub cells: Vec<Cell>,
}

fn texts<K: Display, S: serde::Serializer>(all: &[K], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(all.iter().map(K::to_string))
}

impl<K, M: Measure> Table<K, M> {
    /// The cell with the best mean of the first metric among those that were tried in all folds; of equals the one that was
    /// looked at most closely, then the one that is better by the next metric, then the first. `None` if there is none.
    pub fn best(&self) -> Option<&Cell> {
        self.ranked().first().map(|&at| &self.cells[at])
    }

    /// The mean score of a cell by the first metric, the larger the better; −∞ for one that was not tried to the end, or missed what
    /// is wanted.
    fn score(&self, cell: &Cell) -> f64 {
        match cell.look {
            Look::GivenUp | Look::Missed => f64::NEG_INFINITY,
            _ => self.score_by(0, cell),
        }
    }

    /// The mean score of a cell by a metric.
    fn score_by(&self, metric: usize, cell: &Cell) -> f64 {
        let mean = cell.summary(metric).ok().map(|summary| self.metrics[metric].as_score(summary.mean));
        mean.unwrap_or(f64::NEG_INFINITY)
    }

    /// Both tables as one: the cells of the other, of the same metrics in the same folds, come after these.
    pub fn and(mut self, other: Table<K, M>) -> Self {
        let before = self.kernels.len();
        self.kernels.extend(other.kernels);
        self.cells.extend(other.cells.into_iter().map(|cell| Cell { kernel: cell.kernel + before, ..cell }));
        self
    }

    /// Places of the cells that were tried in all folds, the best first.
    pub fn ranked(&self) -> Vec<usize> {
        let scores: Vec<f64> = self.cells.iter().map(|cell| self.score(cell)).collect();
        let mut order: Vec<usize> = (0..self.cells.len()).filter(|&at| scores[at].is_finite()).collect();
        let screened = |at: usize| self.cells[at].look == Look::Screened;
        let next = |at: usize| match self.metrics.len() {
            1 => 0.0,
            _ => self.score_by(1, &self.cells[at]),
        };
        order.sort_by(|&a, &b| {
            let by_score = scores[b].total_cmp(&scores[a]).then(screened(a).cmp(&screened(b)));
            by_score.then_with(|| next(b).total_cmp(&next(a))).then(a.cmp(&b))
        });
        order
    }

    /// Cells whose mean is no further from the best one's than a standard error of it, and no further than the differences between
    /// such cells and the best one leave open: the median of their standard errors.
    pub(super) fn near_best(&self) -> Result<Vec<usize>> {
        let Some(best) = self.best() else { return Ok(Vec::new()) };
        let behind = |at: usize| self.score(best) - self.score(&self.cells[at]);
        let within = |cells: Vec<usize>, error: f64| -> Vec<usize> {
            cells.into_iter().filter(|&at| behind(at) <= error).collect()
        };
        let near = within(self.ranked(), best.summary(0)?.standard_error.unwrap_or(0.0));
        let mut errors = Vec::new();
        for &at in near.iter().filter(|&&at| behind(at) > 0.0) {
            let differences = Summary::of_differences(&best.values[0], &self.cells[at].values[0])?;
            errors.extend(differences.standard_error);
        }
        errors.sort_by(f64::total_cmp);
        let error = errors.get(errors.len() / 2).copied().unwrap_or(0.0);
        Ok(within(near, error))
    }

    /// The table as comma-separated values: kernel, cost (and ν, where shares were tried), mean and standard deviation of each
    /// metric, folds, seconds, how closely it was looked at, and its rank.
    ///
    /// # Errors
    /// As [`Summary::new`].
    pub fn to_csv(&self) -> Result<String>
    where
        K: Display,
    {
        let has_nu = self.cells.iter().any(|cell| cell.nu.is_some());
        let mut text = String::from(if has_nu { "kernel,cost,nu" } else { "kernel,cost" });
        for metric in &self.metrics {
            let _ = write!(text, ",{metric}_mean,{metric}_std");
        }
        text.push_str(",folds,seconds,look,rank\n");
        let mut rank = vec![None; self.cells.len()];
        self.ranked().into_iter().enumerate().for_each(|(place, at)| rank[at] = Some(place + 1));
        for (at, cell) in self.cells.iter().enumerate() {
            let kernel = self.kernels[cell.kernel].to_string();
            let quoted = || format!("\"{}\"", kernel.replace('"', "\"\""));
            text.push_str(&if kernel.contains([',', '"']) { quoted() } else { kernel.clone() });
            let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
            let _ = write!(text, ",{}", number(cell.cost));
            if has_nu {
                let _ = write!(text, ",{}", number(cell.nu));
            }
            for metric in 0..self.metrics.len() {
                let summary = if cell.folds() == 0 { None } else { Some(cell.summary(metric)?) };
                let (mean, deviation) = (summary.map(|s| s.mean), summary.and_then(|s| s.deviation));
                let _ = write!(text, ",{},{}", number(mean), number(deviation));
            }
            let rank = rank[at].map_or_else(String::new, |rank| rank.to_string());
            let _ = writeln!(text, ",{},{:.6},{},{rank}", cell.folds(), cell.seconds, cell.look);
        }
        Ok(text)
    }
}
