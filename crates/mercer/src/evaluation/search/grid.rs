//! Every kernel with every cost, in every fold.

use super::parts::Parts;
use super::{Candidate, Cell, HeldOut};
use crate::data::{Examples, Items, Split, TargetList, check_weights};
use crate::error::{Error, Result};
use crate::evaluation::Metric;
use crate::evaluation::trials::for_trials;
use crate::gram::BulkKernel;
use crate::kernel::Definiteness;
use crate::solver::Control;

/// What is tried.
///
/// ```
/// use mercer::evaluation::search::Grid;
/// let grid = Grid { kernels: vec!["linear", "gaussian"], costs: vec![0.1, 1.0, 10.0] };
/// assert_eq!(grid.kernels.len() * grid.costs.len(), 6);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grid<K> {
    /// Kernels; what waits for data is found from all rows.
    pub kernels: Vec<K>,
    /// Costs, in any order; of no concern to a machine without.
    pub costs: Vec<f64>,
}

/// Tries a machine with every kernel and every cost of a grid on the rows that each split holds out.
///
/// Kernel values are computed once per kernel, and shared by all folds and costs, while n² of them (4 bytes each, 8 in double
/// precision) and the parts of as many folds as there are threads fit into the memory of the machine's options; beyond, every
/// fold computes the rows it asks for. Within a fold costs are tried in ascending order, each from where the one before
/// ended. Folds run side by side, each with one thread; the result does not depend on their number. Cells come in the order of
/// the kernels and then of ascending costs; if it is cancelled, those of the kernels that were done.
///
/// ```
/// use mercer::data::{Examples, Labels, Random, Splitting, Vectors};
/// use mercer::evaluation::Metric;
/// use mercer::evaluation::search::{Grid, cross_validate};
/// use mercer::kernel::Expression;
/// use mercer::machine::Svc;
/// let mut random = Random::new(3);
/// let points: Vec<[f64; 2]> = (0..80).map(|_| [random.normal(), random.normal()]).collect();
/// let inside = points.iter().map(|p| if p[0] * p[0] + p[1] * p[1] < 1.2 { "in" } else { "out" });
/// let (labels, rows) = (Labels::from_text(inside), Vectors::from_rows(&points)?);
/// let kernels = vec!["linear".parse::<Expression>()?, "gaussian(gamma=0.5)".parse()?];
/// let (grid, machine) = (Grid { kernels: kernels.clone(), costs: vec![1.0, 10.0] }, Svc::params(kernels[0].clone()));
/// let splits = "stratified:4".parse::<Splitting>()?.splits(80, Some(&labels), None, 0)?;
/// let examples = Examples::new(&rows, &labels);
/// let cells = cross_validate(&machine, &grid, examples, &splits, &[Metric::Accuracy], &|| false)?;
/// // A circle is no half-plane.
/// assert!(cells[3].summary(0)?.mean > cells[1].summary(0)?.mean + 0.2);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Empty`] without kernels, costs, splits or metrics, [`Error::Entry`] for a cost that is not a finite number above 0;
/// those of kernels, fits and metrics.
pub fn cross_validate<M, I>(
    machine: &M,
    grid: &Grid<M::Kernel>,
    examples: Examples<'_, I, M::Targets>,
    splits: &[Split],
    metrics: &[Metric],
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Cell>>
where
    M: Candidate,
    I: Items<Owned = I>,
    M::Kernel: BulkKernel<I>,
{
    examples.check()?;
    for (what, is_empty) in [
        ("kernels to try", grid.kernels.is_empty()),
        ("costs to try", grid.costs.is_empty() && machine.has_cost()),
        ("splits", splits.is_empty()),
        ("metrics", metrics.is_empty()),
    ] {
        if is_empty {
            return Err(Error::Empty { what });
        }
    }
    let mut costs = if machine.has_cost() { grid.costs.clone() } else { vec![1.0] };
    costs.sort_by(f64::total_cmp);
    let n = examples.items.len();
    let options = for_trials(machine.fit_options());
    let plan = machine.fit_options().plan(n)?;
    let machine = machine.clone().with_options(options);
    let control = |_: &_| if cancelled() { Control::Cancel } else { Control::Continue };
    let weights = examples.weights.map_or_else(|| vec![1.0; n], <[f64]>::to_vec);
    check_weights(&weights, n)?;

    let mut cells = Vec::new();
    for (place, kernel) in grid.kernels.iter().enumerate() {
        let kernel = kernel.resolve(examples.items, examples.weights)?;
        let convex = kernel.definiteness() == Definiteness::Guaranteed;
        let at_a_time = plan.workers.threads().min(splits.len());
        let parts = Parts::new(&kernel, examples.items, &plan, machine.fit_options().memory, at_a_time)?;
        let machine = machine.clone().with_kernel(kernel.clone());
        // For each cost the values of all metrics.
        let fold = |split: &Split| -> Result<Vec<Vec<f64>>> {
            let of = |rows: &[usize]| rows.iter().map(|&row| weights[row]).collect::<Vec<f64>>();
            let (targets, truth) =
                (examples.targets.select(&split.train), examples.targets.select(&split.test));
            let (train_weights, test_weights) = (of(&split.train), of(&split.test));
            let said = parts.of(split, |gram, cross| {
                let rows = HeldOut { gram, cross, targets: &targets, weights: &train_weights, convex };
                machine.say(&costs, &rows, &control)
            })?;
            said.iter()
                .map(|said| {
                    let compared = said.compare(M::truth(&truth), Some(&test_weights))?;
                    metrics.iter().map(|metric| compared.value(metric)).collect()
                })
                .collect()
        };
        let folds = plan.workers.map(splits.len(), true, |number| fold(&splits[number]));
        let folds = folds.into_iter().collect::<Result<Vec<_>>>()?;
        if cancelled() {
            break;
        }
        for (c, &cost) in costs.iter().enumerate() {
            let value = |metric: usize| folds.iter().map(|fold| fold[c][metric]).collect();
            let values = (0..metrics.len()).map(value).collect();
            cells.push(Cell { kernel: place, cost: machine.has_cost().then_some(cost), values });
        }
    }
    Ok(cells)
}
