//! Regions about rows or items that have no labels to be judged by.

use std::fmt;

use super::{Cell, Grid, Look, Measure, Table, Watch};
use crate::data::{Items, Random, Split, Vectors, check_weights};
use crate::error::{Error, Result};
use crate::evaluation::trials::for_trials;
use crate::gram::BulkKernel;
use crate::kernel::Expression;
use crate::machine::{NoveltyParams, Softness};
use crate::resources::Workers;
use crate::solver::{Control, Status};

/// By this part of its width the box that points are drawn from is larger than that of the rows, on either side.
const MARGIN: f64 = 0.1;
/// Standard errors by which the share outside may differ from the one that is wanted.
const NEAR: f64 = 2.0;

/// What is asked of a region.
///
/// ```
/// use mercer::evaluation::search::{Measure, RegionMeasure};
/// assert_eq!(RegionMeasure::Support.to_string(), "support_vectors");
/// assert_eq!(RegionMeasure::Free.as_score(0.9), 0.9);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionMeasure {
    /// The share of points, drawn evenly from a box about all rows, that are not inside.
    Free,
    /// The number of support vectors.
    Support,
    /// The share of the rows held out that are outside.
    Outside,
}

impl fmt::Display for RegionMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RegionMeasure::Free => "free",
            RegionMeasure::Support => "support_vectors",
            RegionMeasure::Outside => "outside",
        })
    }
}

impl Measure for RegionMeasure {
    fn as_score(&self, value: f64) -> f64 {
        match self {
            RegionMeasure::Free => value,
            RegionMeasure::Support | RegionMeasure::Outside => -value,
        }
    }
}

/// A search for the smallest region that leaves the wanted share of new rows outside.
///
/// Two things are asked of every setting, in every fold: which share of the rows held out is outside, and which share of points drawn
/// evenly from a box about all rows is inside. The first should be the quantile that is wanted: p of a distribution that n rows tell
/// about, within two standard errors √(p(1 − p)/n). Of the settings that meet it, the one with the fewest points inside is best; of
/// equals, and in many dimensions no point may be inside of any region, that with the fewest support vectors. Settings that do not
/// meet it are [`Look::Missed`]; if none does, the nearest is best, and [`Look::Nearest`].
///
/// ```
/// use mercer::data::{Random, Split, Vectors};
/// use mercer::evaluation::search::{Grid, Regions, Watch};
/// use mercer::kernel::Expression;
/// use mercer::machine::Novelty;
/// let mut random = Random::new(1);
/// let ring: Vec<[f64; 2]> = (0..200).map(|_| { let t = 6.3 * random.uniform(); [t.cos(), t.sin()] }).collect();
/// let rows = Vectors::from_rows(&ring)?;
/// let kernels = ["gaussian(gamma=0.01)", "gaussian(gamma=3)"].map(|k| k.parse::<Expression>());
/// let grid = Grid { kernels: kernels.into_iter().collect::<Result<_, _>>()?, costs: vec![0.1] };
/// let machine = Novelty::params(grid.kernels[0].clone());
/// let splits = Split::folds(200, 4, 0)?;
/// let table = Regions::new(0).cross_validate(&machine, &grid, &rows, None, &splits, Watch::nobody())?;
/// // The narrow one leaves the middle of the ring out.
/// assert_eq!(table.best().unwrap().kernel, 1);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regions {
    /// The share of new rows that may be outside; `None` for the ν of each setting.
    pub outside: Option<f64>,
    /// Number of points that are drawn.
    pub points: usize,
    /// Where they come from.
    pub seed: u64,
}

impl Regions {
    /// A thousand points, and the share ν outside.
    pub fn new(seed: u64) -> Self {
        Regions { outside: None, points: 1000, seed }
    }

    /// Tries a detector with the kernels of a grid, and with its costs: shares ν where the machine has one, and of no concern to a hard
    /// region. O(kernels · costs · folds) trainings, side by side; the result does not depend on the number of threads. If
    /// it is cancelled, what was done so far is returned.
    ///
    /// # Errors
    /// [`Error::Empty`] without rows, kernels, costs, splits or points; [`Error::Unsupported`] for sparse rows, about which there is
    /// no box, and if nothing says which share is wanted, or several shares ν do; [`Error::Interval`] for a share that is none; those of kernels and trainings.
    pub fn cross_validate(
        &self,
        machine: &NoveltyParams<Expression>,
        grid: &Grid<Expression>,
        rows: &Vectors<'_>,
        weights: Option<&[f64]>,
        splits: &[Split],
        watch: Watch<'_, Expression, RegionMeasure>,
    ) -> Result<Table<Expression, RegionMeasure>> {
        if matches!(rows, Vectors::Sparse(_)) {
            let what = "points are drawn from a box about the rows, which have to be dense".into();
            return Err(Error::Unsupported { what });
        }
        if self.points == 0 {
            return Err(Error::Empty { what: "points to draw" });
        }
        let values = self.check(machine.softness_of(), grid, rows.len(), splits)?;
        weights.map_or(Ok(()), |weights| check_weights(weights, rows.len()))?;
        let kernels = grid.kernels.iter().map(|kernel| kernel.resolve_weighted(rows, weights));
        let grid = Grid { kernels: kernels.collect::<Result<_>>()?, costs: values };
        let points = self.drawn(rows)?;
        let whole = rows.select(&(0..rows.len()).collect::<Vec<_>>());
        self.tried(machine, grid, (&whole, Some(&points)), weights, splits, watch)
    }

    /// The same for items of any kind, about which there is no box: of the settings that leave the wanted share of new items outside, the
    /// one with the fewest support vectors is best.
    ///
    /// That is the region with the shortest description, not with the least volume, which items such as strings do not have. It is a sign of
    /// how well the region generalises too: an item that is no support vector would be inside if it had been left out of the training, so that
    /// the share of new items outside is expected to be no more than that of the support vectors. Kernels that learn from items do so in
    /// every fold anew, from those to learn from alone.
    ///
    /// ```
    /// use mercer::data::{Split, Collection};
    /// use mercer::evaluation::search::{Grid, Regions, Watch};
    /// use mercer::gram::CollectionKernel;
    /// use mercer::machine::Novelty;
    /// let texts = (0..60).map(|i| format!("{} {}", ["iron", "coal", "salt"][i % 3], ["works", "mine"][i % 2]));
    /// let kernel: CollectionKernel = "normalised(bag_of_words(tfidf=true))".parse()?;
    /// let grid = Grid { kernels: vec![kernel.clone()], costs: vec![0.05, 0.2] };
    /// let search = Regions { outside: Some(0.1), ..Regions::new(0) };
    /// let (machine, splits) = (Novelty::params(kernel), Split::folds(60, 5, 0)?);
    /// let items = Collection::Strings(texts.collect());
    /// let table = search.cross_validate_items(&machine, &grid, &items, None, &splits, Watch::nobody())?;
    /// assert_eq!(table.metrics.len(), 2);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Regions::cross_validate`], but for those about the box.
    pub fn cross_validate_items<K, I>(
        &self,
        machine: &NoveltyParams<K>,
        grid: &Grid<K>,
        items: &I,
        weights: Option<&[f64]>,
        splits: &[Split],
        watch: Watch<'_, K, RegionMeasure>,
    ) -> Result<Table<K, RegionMeasure>>
    where
        K: BulkKernel<I>,
        I: Items<Owned = I>,
    {
        let values = self.check(machine.softness_of(), grid, items.len(), splits)?;
        weights.map_or(Ok(()), |weights| check_weights(weights, items.len()))?;
        let grid = Grid { costs: values, ..grid.clone() };
        self.tried(machine, grid, (items, None), weights, splits, watch)
    }

    /// All settings, in all folds, with points that should not be inside if there are such.
    fn tried<K, I>(
        &self,
        machine: &NoveltyParams<K>,
        grid: Grid<K>,
        (items, points): (&I, Option<&I>),
        weights: Option<&[f64]>,
        splits: &[Split],
        watch: Watch<'_, K, RegionMeasure>,
    ) -> Result<Table<K, RegionMeasure>>
    where
        K: BulkKernel<I>,
        I: Items<Owned = I>,
    {
        let (softness, Grid { kernels, costs: values }) = (machine.softness_of(), grid);
        let with = |value: f64| match softness {
            Softness::Hard => Softness::Hard,
            Softness::Nu(_) => Softness::Nu(value),
            Softness::Cost(_) => Softness::Cost(value),
            Softness::Quadratic(_) => Softness::Quadratic(value),
        };
        let options = for_trials(machine.fit_options());
        let attempt = |kernel: &K, value: f64, split: &Split| -> Result<Option<(Vec<f64>, f64)>> {
            let of = |rows: &[usize]| weights.map(|all| rows.iter().map(|&i| all[i]).collect::<Vec<f64>>());
            let control = |_: &_| if (watch.cancelled)() { Control::Cancel } else { Control::Continue };
            let trial =
                machine.clone().with_kernel(kernel.clone()).softness(with(value)).options(options.clone());
            let model = trial.check()?.fit_observed(
                &items.select(&split.train),
                of(&split.train).as_deref(),
                None,
                &control,
            )?;
            let report = model.report();
            if report.is_some_and(|report| report.status == Status::Cancelled) {
                return Ok(None);
            }
            let mut found = Vec::new();
            if let Some(points) = points {
                found.push(share(&model.is_novel(points)?, &vec![1.0; points.len()]));
            }
            found.push(model.expansion().support.len() as f64);
            let test_weights = of(&split.test).unwrap_or_else(|| vec![1.0; split.test.len()]);
            found.push(share(&model.is_novel(&items.select(&split.test))?, &test_weights));
            Ok(Some((found, report.map_or(0.0, |report| report.seconds))))
        };

        let mut metrics = vec![RegionMeasure::Support, RegionMeasure::Outside];
        if points.is_some() {
            metrics.insert(0, RegionMeasure::Free);
        }
        let is_share = matches!(softness, Softness::Nu(_));
        let cost = |value: f64| (!is_share && softness != Softness::Hard).then_some(value);
        let cell = |kernel: usize, value: f64| Cell {
            nu: is_share.then_some(value),
            ..Cell::new(kernel, cost(value), metrics.len())
        };
        let cells = (0..kernels.len()).flat_map(|kernel| values.iter().map(move |&value| (kernel, value)));
        let cells = cells.map(|(kernel, value)| cell(kernel, value)).collect();
        let mut table = Table { metrics, cells, kernels };
        let workers = Workers::checked(machine.fit_options().threads)?;
        for kernel in 0..table.kernels.len() {
            let found = workers.map_one_by_one(values.len() * splits.len(), |task| {
                attempt(&table.kernels[kernel], values[task / splits.len()], &splits[task % splits.len()])
            });
            for (task, found) in found.into_iter().enumerate() {
                let Some((found, seconds)) = found? else { continue };
                let cell = &mut table.cells[kernel * values.len() + task / splits.len()];
                cell.values.iter_mut().zip(found).for_each(|(all, one)| all.push(one));
                cell.seconds += seconds;
                if cell.folds() == splits.len() {
                    cell.look = Look::Exact;
                }
            }
            if (watch.cancelled)() {
                break;
            }
            (watch.seen)(&table);
        }
        let count = weights.map_or(items.len() as f64, |weights| {
            let (sum, squares) = weights.iter().fold((0.0, 0.0), |(s, q), w| (s + w, q + w * w));
            sum * sum / squares
        });
        self.judge(&mut table, count)?;
        Ok(table)
    }

    /// Marks the cells that do not leave outside what is wanted; `count` rows tell of it.
    fn judge<K>(&self, table: &mut Table<K, RegionMeasure>, count: f64) -> Result<()> {
        let outside = table.metrics.len() - 1;
        let tried: Vec<usize> =
            (0..table.cells.len()).filter(|&at| table.cells[at].look == Look::Exact).collect();
        let mut missed = Vec::new();
        for &at in &tried {
            let cell = &table.cells[at];
            let wanted = self.outside.or(cell.nu).unwrap_or(0.0);
            let error = NEAR * (wanted * (1.0 - wanted) / count).sqrt();
            missed.push(((cell.summary(outside)?.mean - wanted).abs() - error).max(0.0));
        }
        let least = missed.iter().copied().fold(f64::INFINITY, f64::min);
        for (&at, missed) in tried.iter().zip(missed) {
            if missed > 0.0 {
                table.cells[at].look = if missed > least { Look::Missed } else { Look::Nearest };
            }
        }
        Ok(())
    }

    /// The costs or shares to try.
    fn check<K>(
        &self,
        softness: Softness,
        grid: &Grid<K>,
        items: usize,
        splits: &[Split],
    ) -> Result<Vec<f64>> {
        let values = match softness {
            Softness::Hard => vec![1.0],
            Softness::Nu(nu) if grid.costs.is_empty() => vec![nu],
            _ => grid.costs.clone(),
        };
        for (what, is_empty) in [
            ("rows", items == 0),
            ("kernels to try", grid.kernels.is_empty()),
            ("costs to try", values.is_empty()),
            ("splits", splits.is_empty()),
        ] {
            if is_empty {
                return Err(Error::Empty { what });
            }
        }
        match self.outside {
            Some(value) if !(value > 0.0 && value < 1.0) => {
                Err(Error::Interval { name: "outside", value, low: 0.0, high: 1.0 })
            }
            None if !matches!(softness, Softness::Nu(_)) => {
                let what = "a cost does not say which share of new rows may be outside: it has to be told";
                Err(Error::Unsupported { what: what.into() })
            }
            None if values.len() > 1 => {
                let what = "of several shares nu each wants its own share of new rows outside: which one is wanted has to be told";
                Err(Error::Unsupported { what: what.into() })
            }
            _ => Ok(values),
        }
    }

    /// Points, drawn evenly from a box about the rows.
    fn drawn(&self, rows: &Vectors<'_>) -> Result<Vectors<'static>> {
        let mut sides = vec![(f64::INFINITY, f64::NEG_INFINITY); rows.columns()];
        for i in 0..rows.len() {
            rows.get(i).for_each(|column, value| {
                let (low, high) = sides[column];
                sides[column] = (low.min(value), high.max(value));
            });
        }
        let mut random = Random::new(self.seed);
        let mut point = || -> Vec<f64> {
            let within = |&(low, high): &(f64, f64)| {
                let margin = MARGIN * (high - low);
                low - margin + (high - low + 2.0 * margin) * random.uniform()
            };
            sides.iter().map(within).collect()
        };
        let points: Vec<Vec<f64>> = (0..self.points).map(|_| point()).collect();
        Vectors::from_rows(&points)
    }
}

/// The share of the weight of those that are so; 0 where there is none.
fn share(are: &[bool], weights: &[f64]) -> f64 {
    let all: f64 = weights.iter().sum();
    let some: f64 = are.iter().zip(weights).filter(|(is, _)| **is).map(|(_, weight)| weight).sum();
    if all > 0.0 { some / all } else { 0.0 }
}
