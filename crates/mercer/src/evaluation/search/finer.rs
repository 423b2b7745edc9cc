//! Grids about a setting, and grids that are drawn.

use super::{Cell, Grid, Measure, Table};
use crate::data::Random;
use crate::error::Result;
use crate::gram::CollectionKernel;
use crate::kernel::{Expression, Parameter};

/// Smaller steps than this are no longer seen in a score.
const SMALLEST_STEP: f64 = 1.05;

/// A kernel with parameters that a search may step over.
///
/// ```
/// use mercer::evaluation::search::Searchable;
/// use mercer::gram::CollectionKernel;
/// let kernel: CollectionKernel = "global_alignment(median=1)".parse()?;
/// let wider = kernel.with_parameters(&[2.0 * Searchable::parameters(&kernel)[0].value])?;
/// assert_eq!(wider.to_string(), "global_alignment(median=2)");
/// # Ok::<(), mercer::Error>(())
/// ```
pub trait Searchable: Clone + PartialEq {
    /// Its parameters, in an order of their own.
    fn parameters(&self) -> Vec<Parameter>;

    /// The same kernel with other values of its parameters.
    ///
    /// # Errors
    /// Another number of values, or one out of range.
    fn with_parameters(&self, values: &[f64]) -> Result<Self>;
}

impl Searchable for Expression {
    fn parameters(&self) -> Vec<Parameter> {
        Expression::parameters(self)
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Self> {
        Expression::with_parameters(self, values)
    }
}

impl Searchable for CollectionKernel {
    fn parameters(&self) -> Vec<Parameter> {
        self.expression().parameters()
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Self> {
        CollectionKernel::new(self.expression().with_parameters(values)?)
    }
}

impl<K: Searchable> Grid<K> {
    /// The setting itself, and for each parameter the setting with that one divided and multiplied by `step`: with the cost c and
    /// p parameters of the kernel on a logarithmic scale 1 + 2p kernels, each with the costs c/step, c and c·step.
    ///
    /// ```
    /// use mercer::evaluation::search::Grid;
    /// use mercer::kernel::Expression;
    /// let grid = Grid::around(&"gaussian(gamma=0.5)".parse::<Expression>()?, Some(8.0), 2.0)?;
    /// let kernels: Vec<String> = grid.kernels.iter().map(|k| k.to_string()).collect();
    /// assert_eq!(kernels, ["gaussian(gamma=0.5)", "gaussian(gamma=0.25)", "gaussian(gamma=1)"]);
    /// assert_eq!(grid.costs, [4.0, 8.0, 16.0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// A parameter that leaves the range in which the kernel is defined.
    pub fn around(kernel: &K, cost: Option<f64>, step: f64) -> Result<Self> {
        let parameters = kernel.parameters();
        let mut kernels = vec![kernel.clone()];
        for (at, parameter) in parameters.iter().enumerate() {
            if parameter.log_scale && parameter.value > 0.0 {
                for value in [parameter.value / step, parameter.value * step] {
                    let mut values: Vec<f64> = parameters.iter().map(|p| p.value).collect();
                    values[at] = short(value);
                    kernels.push(kernel.with_parameters(&values)?);
                }
            }
        }
        let costs = cost.map_or_else(|| vec![1.0], |cost| vec![short(cost / step), cost, short(cost * step)]);
        Ok(Grid { kernels, costs })
    }

    /// So many kernels and costs, drawn at random: the parameters of the kernel that are searched on a logarithmic scale within a
    /// factor of `spread` either way, the costs between two ends. Of each the range is cut, on the logarithmic scale, into as many parts as there
    /// are draws, one in each, in random order (a Latin hypercube).
    ///
    /// Every kernel is combined with every cost, for costs are cheap once there are kernel values: more widths and more costs are
    /// seen than by a random search over pairs that takes as long.
    ///
    /// ```
    /// use mercer::evaluation::search::Grid;
    /// use mercer::kernel::Expression;
    /// let grid = Grid::drawn(&"gaussian(gamma=0.5)".parse::<Expression>()?, 100.0, (0.1, 1000.0), (4, 5), 7)?;
    /// assert_eq!((grid.kernels.len(), grid.costs.len()), (4, 5));
    /// assert!(grid.costs.iter().all(|c| (0.1..=1000.0).contains(c)));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// A parameter that leaves the range in which the kernel is defined.
    pub fn drawn(
        kernel: &K,
        spread: f64,
        ends: (f64, f64),
        (kernels, costs): (usize, usize),
        seed: u64,
    ) -> Result<Self> {
        let mut random = Random::new(seed);
        let mut values = vec![Vec::new(); kernels];
        for parameter in kernel.parameters() {
            let drawn = match parameter.log_scale && parameter.value > 0.0 {
                true => draws(parameter.value / spread, parameter.value * spread, kernels, &mut random),
                false => vec![parameter.value; kernels],
            };
            values.iter_mut().zip(drawn).for_each(|(of_kernel, value)| of_kernel.push(value));
        }
        let mut costs = draws(ends.0, ends.1, costs, &mut random);
        costs.sort_by(f64::total_cmp);
        let drawn = values.iter().map(|values| kernel.with_parameters(values)).collect::<Result<Vec<_>>>()?;
        Ok(Grid { kernels: drawn, costs })
    }
}

/// A number of four digits, which people read; no score tells more.
fn short(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// One number in each of `count` parts of a range that are equal on the logarithmic scale, in random order.
fn draws(low: f64, high: f64, count: usize, random: &mut Random) -> Vec<f64> {
    let part =
        |k: usize, u: f64| short(low * (high / low).powf((k as f64 + u) / count as f64)).clamp(low, high);
    let mut drawn: Vec<f64> = (0..count).map(|k| part(k, random.uniform())).collect();
    random.shuffle(&mut drawn);
    drawn
}

/// Goes down from a coarse grid to the best setting near its best one: looks at the neighbours of the best setting so far,
/// moves there if one is better, and takes the square root of the step if none is.
///
/// ```
/// use mercer::data::{Examples, Labels, Random, Splitting, Vectors};
/// use mercer::evaluation::Metric;
/// use mercer::evaluation::search::{Grid, Search, Watch, refined};
/// use mercer::kernel::Expression;
/// use mercer::machine::Svc;
/// let mut random = Random::new(3);
/// let points: Vec<[f64; 2]> = (0..80).map(|_| [random.normal(), random.normal()]).collect();
/// let inside = points.iter().map(|p| if p[0] * p[0] + p[1] * p[1] < 1.2 { "in" } else { "out" });
/// let (labels, rows) = (Labels::from_text(inside), Vectors::from_rows(&points)?);
/// let grid = Grid { kernels: vec!["gaussian(gamma=0.01)".parse::<Expression>()?], costs: vec![1.0] };
/// let (machine, search) = (Svc::params(grid.kernels[0].clone()), Search::new(vec![Metric::Accuracy]));
/// let splits = "stratified:4".parse::<Splitting>()?.splits(80, Some(&labels), None, 0)?;
/// let attempt = |grid: &Grid<Expression>| {
///     search.cross_validate(&machine, grid, Examples::new(&rows, &labels), &splits, Watch::nobody())
/// };
/// let coarse = attempt(&grid)?;
/// let before = coarse.best().unwrap().summary(0)?.mean;
/// let fine = refined(coarse, 4.0, 6, attempt)?;
/// assert!(fine.best().unwrap().summary(0)?.mean > before);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// Those of `attempt`.
pub fn refined<K: Searchable, M: Measure>(
    coarse: Table<K, M>,
    step: f64,
    rounds: usize,
    mut attempt: impl FnMut(&Grid<K>) -> Result<Table<K, M>>,
) -> Result<Table<K, M>> {
    let (mut table, mut step) = (coarse, step);
    for _ in 0..rounds {
        let Some(Cell { kernel, cost, nu, .. }) = table.best().cloned() else { break };
        let here = table.kernels[kernel].clone();
        let mut grid = Grid::around(&here, cost, step)?;
        if let Some(nu) = nu {
            // A larger share may be more than the classes allow.
            grid.costs = vec![nu];
        }
        let found = attempt(&grid)?;
        if found.best().is_none() {
            // It was cancelled.
            break;
        }
        table = table.and(found);
        let best = table.best().map(|best| (&table.kernels[best.kernel], best.cost));
        if best == Some((&here, cost)) {
            step = step.sqrt();
        }
        if step < SMALLEST_STEP {
            break;
        }
    }
    Ok(table)
}
