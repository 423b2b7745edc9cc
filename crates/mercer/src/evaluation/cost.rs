//! The choice of C by cross-validation over one Gram matrix.
//!
//! K is computed once and shared by all folds and all costs. A row that is held out gets the weight 0: it takes no
//! part in the training, and its kernel values are there when it is tested.

use std::sync::Arc;

use serde::Serialize;

use super::learner::{Fold, Tunable};
use crate::data::{Examples, Items, Selected, Split, TargetList};
use crate::error::{Error, Result};
use crate::gram::{Block, BulkKernel, Columns, Gram, Plan, PrecomputedGram};
use crate::kernel::Definiteness;
use crate::machine::FitOptions;
use crate::resources::Workers;
use crate::solver::Control;

/// Costs that are tried unless others are given.
pub const GRID: [f64; 7] = [0.1, 0.5, 2.0, 8.0, 32.0, 128.0, 512.0];

/// Rows that the choice looks at, at most.
const MOST_ROWS: usize = 3000;
/// Rows that it looks at however little memory there is.
const FEWEST_ROWS: usize = 100;
/// From so many rows on there are three folds instead of five.
const FEWER_FOLDS: usize = 1000;
/// Costs in a row that must do worse before larger ones are given up.
const PATIENCE: usize = 2;

/// A cost and how it did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tried {
    /// C
    pub cost: f64,
    /// How it did on the held-out rows of each fold: the share that was right, or for a regression the mean of the squared
    /// residuals (for quantiles and Huber's the mean loss).
    pub folds: Vec<f64>,
}

impl Tried {
    /// The mean of the folds.
    pub fn mean(&self) -> f64 {
        self.folds.iter().sum::<f64>() / self.folds.len() as f64
    }
}

/// A cost, and what it was chosen from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// The cost with the best mean; of equals the smallest.
    pub cost: f64,
    /// All that were tried, in ascending order.
    pub tried: Vec<Tried>,
    /// Rows that were looked at.
    pub rows: usize,
}

/// Chooses C among `costs` by cross-validation ([`Examples::folds`]), on a random sample if there are more than 3000 rows.
///
/// Costs are tried in ascending order until two in a row do worse than the best before them. The kernel is resolved
/// on the rows that are looked at. O(m²) kernel values and bytes for m rows, whatever the number of costs; m is 3000 at
/// most, and less if the memory of the machine's options does not hold 8m² bytes.
///
/// ```
/// use mercer::data::{Examples, Labels, Random, Vectors};
/// use mercer::evaluation::{GRID, choose_cost};
/// use mercer::kernel::Expression;
/// use mercer::machine::Svc;
/// let mut random = Random::new(3);
/// let points: Vec<[f64; 2]> = (0..60).map(|_| [random.normal(), random.normal()]).collect();
/// let inside = points.iter().map(|p| if p[0] * p[0] + p[1] * p[1] < 1.2 { "in" } else { "out" });
/// let (labels, rows) = (Labels::from_text(inside), Vectors::from_rows(&points)?);
/// let params = Svc::params("gaussian(gamma=median)".parse::<Expression>()?);
/// let choice = choose_cost(&params, Examples::new(&rows, &labels), &GRID, 0, &|| false)?;
/// let best = choice.tried.iter().map(|tried| tried.mean()).fold(0.0, f64::max);
/// assert!(best > 0.85 && GRID.contains(&choice.cost));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// Those of a fit; [`Error::Empty`] for no costs, [`Error::Parameter`] if every class has one row only.
pub fn choose_cost<M, I>(
    machine: &M,
    examples: Examples<'_, I, M::Targets>,
    costs: &[f64],
    seed: u64,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Result<Choice>
where
    M: Tunable,
    I: Items,
    M::Kernel: BulkKernel<I::Owned>,
{
    // K of all pairs is held as a whole: it has to fit the memory for kernel values.
    let budget = (machine.fit_options().memory / size_of::<f64>() as u64).isqrt();
    let most = MOST_ROWS.min(usize::try_from(budget).unwrap_or(MOST_ROWS)).max(FEWEST_ROWS);
    let sample = Split::sample(&examples.targets.strata(), most, seed)?;
    let selected = examples.select(&sample);
    let splits = splits(selected.view(), seed)?;
    let Selected { items: some, targets, weights, .. } = selected;
    let weights = weights.unwrap_or_else(|| vec![1.0; some.len()]);

    let plan = machine.fit_options().plan(some.len())?;
    let kernel = machine.kernel()?.resolve(&some)?;
    let convex = kernel.definiteness() == Definiteness::Guaranteed;
    let gram = whole(&kernel, &some, &plan)?;

    let mut costs = costs.to_vec();
    costs.sort_by(f64::total_cmp);
    let mut tried: Vec<Tried> = Vec::new();
    let mut best = 0;
    for cost in costs {
        // Folds side by side, each on one thread.
        let options = FitOptions { threads: 1, ..machine.fit_options().clone() };
        let machine = machine.clone().with_cost(cost).with_options(options);
        let outcomes = plan.workers.map(splits.len(), true, |fold| {
            let Split { test, .. } = &splits[fold];
            let test_weights: Vec<f64> = test.iter().map(|&row| weights[row]).collect();
            let mut weights = weights.clone();
            test.iter().for_each(|&row| weights[row] = 0.0);
            let control = |_: &_| if cancelled() { Control::Cancel } else { Control::Continue };
            let (weights, test_weights) = (&weights[..], &test_weights[..]);
            machine.try_on(&gram, &Fold { targets: &targets, weights, test, test_weights, convex }, &control)
        });
        let folds = outcomes.into_iter().collect::<Result<Vec<f64>>>()?;
        tried.push(Tried { cost, folds });
        if cancelled() {
            break;
        }
        let last = tried.len() - 1;
        if M::is_better(tried[last].mean(), tried[best].mean()) {
            best = last;
        } else if last >= best + PATIENCE && M::is_better(tried[best].mean(), tried[last].mean()) {
            break;
        }
    }
    if tried.is_empty() {
        return Err(Error::Empty { what: "costs to choose from" });
    }
    Ok(Choice { cost: tried[best].cost, tried, rows: sample.len() })
}

/// Folds to learn without and to test on, in which no class is only tested.
fn splits<I: Items, Y: TargetList>(examples: Examples<'_, I, Y>, seed: u64) -> Result<Vec<Split>> {
    let (labels, n) = (examples.targets.strata(), examples.items.len());
    let counts = labels.counts();
    let counts_for = |row: usize| examples.weights.is_none_or(|weights| weights[row] > 0.0);
    let folds = if n < FEWER_FOLDS { 5 } else { 3 };
    let mut splits = examples.folds(folds.min(n), seed)?;
    // The only row of a class is learned from in every fold; one without weight says nothing.
    for split in &mut splits {
        split.test.retain(|&row| counts[labels.codes()[row] as usize] > 1 && counts_for(row));
    }
    // With groups a class may be in one fold alone.
    let learns_all = |split: &Split| {
        let mut left = counts.clone();
        split.test.iter().for_each(|&row| left[labels.codes()[row] as usize] -= 1);
        left.iter().zip(&counts).all(|(&left, &all)| left > 0 || all == 0)
    };
    splits.retain(|split| !split.test.is_empty() && learns_all(split));
    if splits.is_empty() {
        let expected = "two at least, to learn from one and test the other";
        let name = match examples.groups {
            None => "rows of the largest class",
            Some(_) => "groups that a class stands in",
        };
        return Err(Error::Parameter { name, value: 1.0, expected });
    }
    Ok(splits)
}

/// K of all pairs, in the precision of the plan.
fn whole<K, I>(kernel: &K, items: &I, plan: &Plan) -> Result<PrecomputedGram<'static, f64>>
where
    I: Items,
    K: BulkKernel<I>,
{
    let n = items.len();
    let layout = kernel.layout(items, plan)?;
    let gram = kernel.symmetric(items, &layout, &Plan { cache_bytes: 0, ..plan.clone() })?;
    let all: Vec<usize> = (0..n).collect();
    let mut values = vec![0.0; n * n];
    gram.fill(&all, Columns::Range(0..n), Block::F64 { values: &mut values, stride: n })?;
    PrecomputedGram::symmetric(values, n)?.with_resources(plan.level, Arc::new(Workers::serial()))
}
