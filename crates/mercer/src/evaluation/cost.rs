//! The choice of C by cross-validation over one Gram matrix.

use serde::Serialize;

use super::learner::Tunable;
use super::trials::{Trials, for_trials};
use crate::data::{Examples, Items};
use crate::error::{Error, Result};
use crate::gram::BulkKernel;
use crate::solver::Control;

/// Costs that are tried unless others are given.
pub const GRID: [f64; 7] = [0.1, 0.5, 2.0, 8.0, 32.0, 128.0, 512.0];

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
    /// Whether the search was cut short, so that a larger cost might have been better.
    pub cut_short: bool,
}

/// Chooses C among `costs` by cross-validation ([`Examples::folds`]), on a random sample if there are more than 3000 rows.
///
/// Costs are tried in ascending order until two in a row do worse than the best before them. The kernel is resolved
/// on the rows that are looked at. O(m²) kernel values and bytes for m rows, 3000 at most, whatever the number of costs.
/// Trials are solved by [`Method::Decomposition`](crate::solver::Method::Decomposition), whatever the machine's options say:
/// all methods find the same machine.
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
    let trials = Trials::new(machine, examples, seed)?;
    let control = |_: &_| if cancelled() { Control::Cancel } else { Control::Continue };
    let mut costs = costs.to_vec();
    costs.sort_by(f64::total_cmp);
    let mut tried: Vec<Tried> = Vec::new();
    let mut best = 0;
    let mut cut_short = false;
    for cost in costs {
        let options = for_trials(machine.fit_options());
        let machine = machine.clone().with_cost(cost).with_options(options);
        let folds = trials.each(|gram, fold| machine.try_on(gram, fold, &control))?;
        tried.push(Tried { cost, folds });
        if cancelled() {
            cut_short = true;
            // What was broken off says nothing, but something has to be said.
            if tried.len() > 1 {
                tried.pop();
            }
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
    Ok(Choice { cost: tried[best].cost, tried, rows: trials.rows(), cut_short })
}
