//! Folds each of which is prepared by its own rows.

use std::time::Instant;

use super::{Candidate, Grid, Search, Table, Watch};
use crate::data::{Examples, Items, Split};
use crate::error::{Error, Result};
use crate::gram::BulkKernel;

impl Search {
    /// Tries all settings, with what depends on rows decided anew for each fold, by those that are learned from alone.
    ///
    /// [`Search::cross_validate`] takes rows that were scaled, and widths that were found, with those to be tested among them: it shares
    /// kernel values among folds, and no target is seen by that. Here `prepare` is given each split and returns all items as they are to be seen
    /// there and the settings to try, as many for every fold; those of `grid` stand for them in the table. Every cell is tried in every
    /// fold with the tolerance of the machine, and kernel values are computed for each fold. If it is cancelled, the folds that are complete
    /// are returned.
    ///
    /// ```
    /// use mercer::data::{Examples, Items, Labels, Random, Scaling, ScalingKind, Split, Vectors};
    /// use mercer::evaluation::Metric;
    /// use mercer::evaluation::search::{Grid, Search, Watch};
    /// use mercer::kernel::Expression;
    /// use mercer::machine::Svc;
    /// let mut random = Random::new(3);
    /// let points: Vec<[f64; 2]> = (0..80).map(|_| [random.normal(), 100.0 * random.normal()]).collect();
    /// let labels = Labels::from_text(points.iter().map(|p| if p[0] > 0.0 { "right" } else { "left" }));
    /// let (rows, kernel) = (Vectors::from_rows(&points)?, "gaussian".parse::<Expression>()?);
    /// let grid = Grid { kernels: vec![kernel.clone()], costs: vec![1.0, 10.0] };
    /// let splits = Split::stratified(&labels, 4, 0)?;
    /// let table = Search::exact(vec![Metric::Accuracy]).per_fold(
    ///     &Svc::params(kernel.clone()),
    ///     &grid,
    ///     Examples::new(&rows, &labels),
    ///     &splits,
    ///     |split| {
    ///         let scaling = Scaling::fit(ScalingKind::Standardise, &rows.select(&split.train))?;
    ///         let scaled = scaling.apply(&rows)?;
    ///         let found = kernel.resolve(&scaled.select(&split.train))?;
    ///         Ok((scaled, Grid { kernels: vec![found], ..grid.clone() }))
    ///     },
    ///     Watch::nobody(),
    /// )?;
    /// assert_eq!(table.best().unwrap().values[0].len(), 4);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] if `prepare` gives another number of items or settings than there are; those of `prepare` and of
    /// [`Search::cross_validate`].
    pub fn per_fold<M, I>(
        &self,
        machine: &M,
        grid: &Grid<M::Kernel>,
        examples: Examples<'_, I, M::Targets>,
        splits: &[Split],
        prepare: impl Fn(&Split) -> Result<(I, Grid<M::Kernel>)>,
        watch: Watch<'_, M::Kernel>,
    ) -> Result<Table<M::Kernel>>
    where
        M: Candidate,
        I: Items<Owned = I>,
        M::Kernel: BulkKernel<I>,
    {
        examples.check()?;
        if splits.is_empty() {
            return Err(Error::Empty { what: "splits" });
        }
        let (exact, quietly) = (Search::exact(self.metrics.clone()), Watch { seen: &|_| (), ..watch });
        let mut all: Option<Table<M::Kernel>> = None;
        let begun = Instant::now();
        for (at, split) in splits.iter().enumerate() {
            let exact = Search { max_time: self.share_of_time(begun, at, splits.len()), ..exact.clone() };
            let (items, own) = prepare(split)?;
            let one = std::slice::from_ref(split);
            for (what, expected, found) in [
                ("items of a fold", examples.items.len(), items.len()),
                ("kernels of a fold", grid.kernels.len(), own.kernels.len()),
                ("costs of a fold", grid.costs.len(), own.costs.len()),
            ] {
                if expected != found {
                    return Err(Error::Shape { what, expected, found });
                }
            }
            let of_fold =
                exact.cross_validate(machine, &own, Examples { items: &items, ..examples }, one, quietly)?;
            if (watch.cancelled)() && all.is_some() {
                break;
            }
            let table = match &mut all {
                None => all.insert(Table { kernels: grid.kernels.clone(), ..of_fold }),
                Some(table) => {
                    for (cell, new) in table.cells.iter_mut().zip(of_fold.cells) {
                        cell.seconds += new.seconds;
                        cell.unfinished += new.unfinished;
                        cell.values.iter_mut().zip(new.values).for_each(|(all, new)| all.extend(new));
                    }
                    table
                }
            };
            (watch.seen)(table);
        }
        all.ok_or(Error::Empty { what: "splits" })
    }

    /// The same for items that are taken as they are: what kernels learn from items (medians, weights of words, models of sequences) is
    /// learned anew for each fold, from the items that the machine learns from, with their weights.
    ///
    /// ```
    /// use mercer::data::{Examples, Labels, Split, Collection};
    /// use mercer::evaluation::Metric;
    /// use mercer::evaluation::search::{Grid, Search, Watch};
    /// use mercer::gram::CollectionKernel;
    /// use mercer::machine::Svc;
    /// let texts: Vec<String> = (0..24).map(|i| format!("{} {i}", ["iron and coal", "bread and salt"][i % 2])).collect();
    /// let labels = Labels::from_text((0..24).map(|i| ["smith", "baker"][i % 2]));
    /// let kernel: CollectionKernel = "normalised(bag_of_words(tfidf=true))".parse()?;
    /// let grid = Grid { kernels: vec![kernel.clone()], costs: vec![1.0] };
    /// let splits = Split::stratified(&labels, 4, 0)?;
    /// let items = Collection::Strings(texts);
    /// let table = Search::exact(vec![Metric::Accuracy]).learned_per_fold(
    ///     &Svc::params(kernel),
    ///     &grid,
    ///     Examples::new(&items, &labels),
    ///     &splits,
    ///     Watch::nobody(),
    /// )?;
    /// assert_eq!(table.best().unwrap().values[0], [1.0; 4]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Search::per_fold`].
    pub fn learned_per_fold<M, I>(
        &self,
        machine: &M,
        grid: &Grid<M::Kernel>,
        examples: Examples<'_, I, M::Targets>,
        splits: &[Split],
        watch: Watch<'_, M::Kernel>,
    ) -> Result<Table<M::Kernel>>
    where
        M: Candidate,
        I: Items<Owned = I>,
        M::Kernel: BulkKernel<I>,
    {
        examples.check()?;
        let all: Vec<usize> = (0..examples.items.len()).collect();
        let prepare = |split: &Split| {
            let known = examples.items.select(&split.train);
            let weights =
                examples.weights.map(|all| split.train.iter().map(|&i| all[i]).collect::<Vec<f64>>());
            let kernels = grid.kernels.iter().map(|kernel| kernel.resolve(&known, weights.as_deref()));
            let own = Grid { kernels: kernels.collect::<Result<_>>()?, costs: grid.costs.clone() };
            Ok((examples.items.select(&all), own))
        };
        self.per_fold(machine, grid, examples, splits, prepare, watch)
    }
}
