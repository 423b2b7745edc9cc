//! What is tried, on rows as they are scaled.

use mercer::data::{Examples, Items as _, Labels, Scaling, ScalingKind, Table, TargetList, Vectors};
use mercer::evaluation::GRID;
use mercer::evaluation::search::{Grid, usual_costs};
use mercer::kernel::Expression;

use crate::arguments::TuneArguments;
use crate::machines;
use crate::print::rounded;

/// Multiples of a width that was found from the data.
pub const WIDTHS: [f64; 9] = [0.01, 0.0316, 0.1, 0.316, 1.0, 3.16, 10.0, 31.6, 100.0];
/// Their digits, which people read.
const DIGITS: usize = 3;
/// The factor either way within which widths are drawn.
pub const SPREAD: f64 = 100.0;
/// Shares that are tried if nothing else is said, as far as the classes allow them.
const NUS: [f64; 12] = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
/// A little less than every pair of classes allows, so that the rows of a fold do too.
const OF_LARGEST: f64 = 0.95;

/// Those that were told; or else the one that was, in several widths if the data are to say how wide it is.
fn kernels(
    told: &[Expression],
    base: &Expression,
    rows: &Vectors<'_>,
    weights: Option<&[f64]>,
) -> mercer::Result<Vec<Expression>> {
    if !told.is_empty() {
        return Ok(told.to_vec());
    }
    let found = base.resolve_weighted(rows, weights)?;
    match &found.parameters()[..] {
        [width] if !base.is_resolved() => {
            let digits = |value: f64| rounded(value, DIGITS).parse().unwrap_or(value);
            WIDTHS.iter().map(|factor| found.with_parameters(&[digits(factor * width.value)])).collect()
        }
        _ => Ok(vec![found]),
    }
}

/// Shares that every pair of classes allows: ν is at most twice the share of the smaller class.
pub fn allowed(labels: &Labels) -> Vec<f64> {
    let counts = labels.counts().into_iter().filter(|&count| count > 0);
    let (least, most) = counts.fold((usize::MAX, 0), |(least, most), n| (least.min(n), most.max(n)));
    let largest = 2.0 * least as f64 / (least + most) as f64;
    NUS.into_iter().filter(|&share| share < OF_LARGEST * largest).collect()
}

/// What is tried, whatever the rows.
pub(super) struct Settings<'a> {
    pub arguments: &'a TuneArguments,
    /// The kernel, if no others were told.
    pub base: Expression,
    pub told: Vec<Expression>,
    pub scaling: Option<ScalingKind>,
    /// Whether shares ν are tried, in place of costs.
    pub shares: bool,
}

impl Settings<'_> {
    /// All rows scaled as those to learn from ask for, by their places, and the settings to try on these. Costs that were not told
    /// are found from the targets of the rows to learn from, in multiples of the unit, if there are targets.
    pub fn on<Y: TargetList>(
        &self,
        table: &Table<'_>,
        train: &[usize],
        targets: Option<(&Y, f64)>,
    ) -> mercer::Result<(Vectors<'static>, Grid<Expression>)> {
        let own = table.weights.as_ref().map(|all| train.iter().map(|&row| all[row]).collect::<Vec<f64>>());
        let weights = own.as_deref();
        let all: Vec<usize> = (0..table.vectors.len()).collect();
        let rows = match self.scaling {
            Some(kind) => {
                Scaling::fit_weighted(kind, &table.vectors.select(train), weights)?.apply(&table.vectors)?
            }
            None => table.vectors.select(&all),
        };
        let learned = rows.select(train);
        let found = match &self.told[..] {
            [] => vec![self.base.resolve_weighted(&learned, weights)?],
            told => told.to_vec(),
        };
        let unit = targets.map_or(1.0, |(_, unit)| unit);
        let costs: Vec<f64> = match (&self.arguments.costs[..], targets) {
            ([], Some(_)) if self.shares && !self.arguments.nus.is_empty() => self.arguments.nus.clone(),
            ([], Some((targets, _))) if self.shares => allowed(&targets.strata()),
            ([], Some((targets, _))) => {
                let examples = Examples { items: &learned, targets, weights, groups: None };
                let recipe = &self.arguments.recipe;
                let plan = machines::options(recipe)?.plan(learned.len())?;
                usual_costs(&found, examples, recipe.seed, &plan)?
            }
            ([], None) => GRID.to_vec(),
            (told, _) => told.to_vec(),
        };
        let costs: Vec<f64> = costs.into_iter().map(|cost| cost * unit).collect();
        let grid = match self.arguments.random {
            Some(count) => {
                let ends = (costs[0], costs[costs.len() - 1]);
                Grid::drawn(&found[0], SPREAD, ends, (count, count), self.arguments.recipe.seed)?
            }
            None => Grid { kernels: kernels(&self.told, &self.base, &learned, weights)?, costs },
        };
        Ok((rows, grid))
    }

    /// What is done to the columns.
    pub fn scaling(&self) -> String {
        self.scaling.map_or_else(|| "none".to_string(), |kind| kind.to_string())
    }
}
