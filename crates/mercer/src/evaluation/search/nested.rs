//! What a search is worth on rows that it has not seen: nested cross-validation.

use std::fmt::Display;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::{Candidate, Cell, Grid, Search, Table, Watch};
use crate::data::{Examples, Items, Split};
use crate::error::{Error, Result};
use crate::evaluation::{Metric, Summary};
use crate::gram::BulkKernel;

/// The fraction of the time of a fold that its search may take; the rest is for the training with what it found.
const SEARCHING: f64 = 0.75;

/// A search within the rows to learn from of one outer split.
pub struct Inner<M: Candidate, I> {
    /// The machine.
    pub machine: M,
    /// All items, those to be tested too, as the machine is to see them: scaled, for example, by those to learn from.
    pub items: I,
    /// What is tried.
    pub grid: Grid<M::Kernel>,
    /// Folds of the rows to learn from, by their places among these.
    pub splits: Vec<Split>,
}

/// What a search chose without the rows of one outer split, and how that did on them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound = "K: Display")]
pub struct NestedFold<K> {
    /// The kernel that was chosen, with all parameters that were found from the rows.
    #[serde(serialize_with = "text")]
    pub kernel: K,
    /// The cost that was chosen; `None` for a machine without.
    pub cost: Option<f64>,
    /// The share ν that was chosen, where shares were tried in place of costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nu: Option<f64>,
    /// How it did in the search, by the first metric.
    pub inner: Summary,
    /// How the machine that was learned with it, from all rows but those held out, did on these: one value per metric.
    pub outer: Vec<f64>,
}

fn text<K: Display, S: serde::Serializer>(kernel: &K, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(kernel)
}

/// Nested cross-validation, fold by fold.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound = "K: Display")]
pub struct Nested<K> {
    /// What was measured; the first decided.
    #[serde(serialize_with = "texts")]
    pub metrics: Vec<Metric>,
    /// One for each outer split; fewer if it was cancelled.
    pub folds: Vec<NestedFold<K>>,
}

fn texts<S: serde::Serializer>(metrics: &[Metric], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(metrics.iter().map(Metric::to_string))
}

impl<K> Nested<K> {
    /// The values of a metric, by its place in the list, on the rows that were held out from the searches, summed up: what a
    /// search like this is worth on new rows.
    ///
    /// # Errors
    /// As [`Summary::new`].
    pub fn summary(&self, metric: usize) -> Result<Summary> {
        Summary::new(&self.folds.iter().map(|fold| fold.outer[metric]).collect::<Vec<_>>())
    }

    /// The best means of the searches, summed up: too good, since they were chosen.
    ///
    /// # Errors
    /// As [`Summary::new`].
    pub fn inner(&self) -> Result<Summary> {
        Summary::new(&self.folds.iter().map(|fold| fold.inner.mean).collect::<Vec<_>>())
    }
}

impl Search {
    /// For each outer split, searches among the rows to learn from alone, learns from them with what was found, and tests on the
    /// rows held out.
    ///
    /// The mean of a search's best cell is too good, since it was chosen for it; the values here are of rows that had no part
    /// in the choice. `inner` makes the search of an outer split from the examples to learn from and their places: all that
    /// depends on rows (scaling, widths, spreads of targets) has to be decided there, for the score to be honest. As many searches
    /// ([`Search::cross_validate`]) as there are outer splits, one after the other, each on all threads.
    ///
    /// ```
    /// use mercer::data::{Examples, Labels, Random, Split, Vectors};
    /// use mercer::evaluation::Metric;
    /// use mercer::evaluation::search::{Grid, Inner, Search, Watch};
    /// use mercer::kernel::Expression;
    /// use mercer::machine::Svc;
    /// // Labels that are drawn: nothing can be learned.
    /// let mut random = Random::new(8);
    /// let points: Vec<[f64; 2]> = (0..90).map(|_| [random.normal(), random.normal()]).collect();
    /// let labels = Labels::from_text((0..90).map(|_| if random.uniform() < 0.5 { "heads" } else { "tails" }));
    /// let rows = Vectors::from_rows(&points)?;
    /// let kernels: Vec<Expression> = vec!["gaussian(gamma=1)".parse()?, "gaussian(gamma=20)".parse()?];
    /// let grid = Grid { kernels, costs: vec![0.1, 1.0, 10.0, 100.0] };
    /// let outer = Split::stratified(&labels, 5, 0)?;
    /// let found = Search::exact(vec![Metric::Accuracy]).nested(
    ///     Examples::new(&rows, &labels),
    ///     &outer,
    ///     |part, _| {
    ///         let machine = Svc::params(grid.kernels[0].clone());
    ///         Ok(Inner { machine, items: rows.clone(), grid: grid.clone(), splits: part.folds(5, 0)? })
    ///     },
    ///     Watch::nobody(),
    /// )?;
    /// // The best of eight looks better than it is.
    /// assert_eq!(found.folds.len(), 5);
    /// assert!(found.inner()?.mean > found.summary(0)?.mean);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] without outer splits, [`Error::Shape`] if `inner` gives another number of items; those of `inner` and of
    /// [`Search::cross_validate`].
    pub fn nested<M, I>(
        &self,
        examples: Examples<'_, I, M::Targets>,
        outer: &[Split],
        inner: impl Fn(Examples<'_, I, M::Targets>, &[usize]) -> Result<Inner<M, I>>,
        watch: Watch<'_, M::Kernel>,
    ) -> Result<Nested<M::Kernel>>
    where
        M: Candidate,
        I: Items<Owned = I>,
        M::Kernel: BulkKernel<I>,
    {
        examples.check()?;
        if outer.is_empty() {
            return Err(Error::Empty { what: "outer splits" });
        }
        let expected = examples.items.len();
        let mut nested = Nested { metrics: self.metrics.clone(), folds: Vec::new() };
        let begun = Instant::now();
        for (at, split) in outer.iter().enumerate() {
            let (share, own) = (self.share_of_time(begun, at, outer.len()), Instant::now());
            let within = |part: f64| {
                let time = share.map(|time| time.mul_f64(part).saturating_sub(own.elapsed()));
                Search { max_time: time, ..self.clone() }
            };
            let part = examples.select(&split.train);
            let Inner { machine, items, grid, splits } = inner(part.view(), &split.train)?;
            if items.len() != expected {
                return Err(Error::Shape { what: "items of an inner search", expected, found: items.len() });
            }
            let prepared = Examples { items: &items, ..examples };
            let part = prepared.select(&split.train);
            let table = within(SEARCHING).cross_validate(&machine, &grid, part.view(), &splits, watch)?;
            let Some(best) = table.best().filter(|_| !(watch.cancelled)()) else { break };
            let Some(tested) = within(1.0).test(&machine, &table, best, prepared, split, watch)? else {
                break;
            };
            nested.folds.push(NestedFold {
                kernel: table.kernels[best.kernel].clone(),
                cost: best.cost,
                nu: best.nu,
                inner: best.summary(0)?,
                outer: tested,
            });
        }
        Ok(nested)
    }

    /// The time of one fold of several, of which so many have been seen: an equal part of what is left.
    pub(super) fn share_of_time(&self, begun: Instant, seen: usize, folds: usize) -> Option<Duration> {
        Some(self.max_time?.saturating_sub(begun.elapsed()) / u32::try_from(folds - seen).unwrap_or(u32::MAX))
    }

    /// Learns with what was found, and tests; `None` if it is cancelled.
    fn test<M, I>(
        &self,
        machine: &M,
        table: &Table<M::Kernel>,
        best: &Cell,
        examples: Examples<'_, I, M::Targets>,
        split: &Split,
        watch: Watch<'_, M::Kernel>,
    ) -> Result<Option<Vec<f64>>>
    where
        M: Candidate,
        I: Items<Owned = I>,
        M::Kernel: BulkKernel<I>,
    {
        let kernels = vec![table.kernels[best.kernel].clone()];
        let grid = Grid { kernels, costs: vec![best.cost.or(best.nu).unwrap_or(1.0)] };
        let quietly = Watch { seen: &|_| (), ..watch };
        let exact = Search { max_time: self.max_time, ..Search::exact(self.metrics.clone()) };
        let split = std::slice::from_ref(split);
        let tested = exact.cross_validate(machine, &grid, examples, split, quietly)?;
        Ok(tested.best().map(|cell| cell.values.iter().map(|values| values[0]).collect()))
    }
}
