//! What is tried, on rows as they are scaled.

use mercer::data::{Examples, Items as _, Scaling, ScalingKind, Table, TargetList, Vectors};
use mercer::evaluation::GRID;
use mercer::evaluation::search::{Grid, usual_costs, usual_shares};
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

/// The kernel that was found, in several widths.
fn in_widths(found: &Expression) -> mercer::Result<Vec<Expression>> {
    match &found.parameters()[..] {
        [width] => {
            let digits = |value: f64| rounded(value, DIGITS).parse().unwrap_or(value);
            WIDTHS.iter().map(|factor| found.with_parameters(&[digits(factor * width.value)])).collect()
        }
        _ => Ok(vec![found.clone()]),
    }
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
            ([], Some((targets, _))) if self.shares => usual_shares(&targets.strata()),
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
            // Those that were told; or else the one that was, in several widths if the data are to say how wide it is.
            None if self.told.is_empty() && !self.base.is_resolved() => {
                Grid { kernels: in_widths(&found[0])?, costs }
            }
            None => Grid { kernels: found, costs },
        };
        Ok((rows, grid))
    }

    /// What is done to the columns.
    pub fn scaling(&self) -> String {
        self.scaling.map_or_else(|| "none".to_string(), |kind| kind.to_string())
    }
}
