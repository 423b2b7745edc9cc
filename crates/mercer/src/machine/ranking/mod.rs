//! Machines that learn an order: which of two items comes first, and on which of some levels an item is.
//!
//! ```text
//! ranking:  min over w      ½‖w‖² + C Σ max(0, 1 − (f(xᵢ) − f(xⱼ)))²   over pairs of a query with yᵢ > yⱼ
//! levels:   min over w, b   ½‖w‖² + C Σᵢₖ max(0, 1 − sᵢₖ(bₖ − f(xᵢ)))²,   sᵢₖ = 1 if yᵢ ≤ level k, else −1
//! ```
//!
//! A row of weight w counts as w rows: its C is Cw, that of a pair the product of both.
//! f(x) = ⟨w, φ(x)⟩ in the coordinates of a pivoted Cholesky factorisation, as in [`KernelCca`](crate::machine::KernelCca): exact where the
//! rank reaches that of K, and what is left out is told. Sums over pairs take O(n log n), and no pair is ever written down. The
//! objective is strongly convex, so that ½‖gradient‖² is a bound on how far it is from its least value: the certificate.
//! (T. Joachims: Optimizing search engines using clickthrough data, KDD 2002; C.-P. Lee, C.-J. Lin: Large-scale linear RankSVM, Neural
//! Computation 26 (2014); W. Chu, S. S. Keerthi: Support vector ordinal regression, Neural Computation 19 (2007), implicit constraints.)

mod levels;
mod pairs;

pub use levels::{OrdinalModel, OrdinalReport, OrdinalSvm, OrdinalSvmParams};
pub use pairs::Preferences;

use serde::{Deserialize, Serialize};

use super::cca::Coordinates;
use super::whole::{MatrixOptions, matrix_options, trained};
use super::{FunctionModel, Functions};
use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, SymmetricGram, WithLayout};
use crate::linalg::{Matrix, NewtonEnd, Smooth};
use crate::resources::{InstructionSet, Interrupt, Workers};
use pairs::Active;

/// The largest gap, as a share of the objective, of a ranking that has converged.
const LARGEST_GAP: f64 = 0.01;
/// The share of tr K that coordinates may leave out.
const PRECISION: f64 = 1e-12;

/// How the learning of an order went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankReport {
    /// Pairs of items with different targets in the same query.
    pub pairs: u64,
    /// Pairs that f puts in the wrong order, or at the same place.
    pub swapped: u64,
    /// The objective.
    pub objective: f64,
    /// By how much at most the objective is above its least value: ½‖gradient‖².
    pub gap: f64,
    /// Newton steps.
    pub steps: usize,
    /// Whether the gradient fell below the tolerance, and the gap below a hundredth of the objective.
    pub converged: bool,
    /// tr(K − GᵀG)/tr K: what the coordinates leave out.
    pub left_out: f64,
}

/// A function that is larger for what comes first.
pub type RankModel<K, I> = FunctionModel<K, I, RankReport>;

/// Parameters of the ranking machine, not yet checked.
#[derive(Clone, Debug)]
pub struct RankSvmParams<K> {
    kernel: K,
    cost: f64,
    rank: usize,
    tolerance: f64,
    max_steps: usize,
    options: MatrixOptions,
}

/// The ranking machine with checked parameters, ready to be trained.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::Expression;
/// use mercer::machine::RankSvm;
/// // Two queries. In each, what is more relevant has the larger first column, whatever the query's own level is.
/// let rows = Vectors::from_rows(&[[0.1, 9.0], [0.9, 9.0], [0.5, 9.0], [0.2, -9.0], [0.8, -9.0]])?;
/// let machine = RankSvm::params("linear".parse::<Expression>()?).cost(100.0).check()?;
/// let model = machine.fit(&rows, &[0.0, 2.0, 1.0, 0.0, 3.0], Some(&[7, 7, 7, 8, 8]))?;
/// let f = model.predict(&rows)?;
/// assert!(f[1] > f[2] && f[2] > f[0] && f[4] > f[3]);
/// assert_eq!((model.report().pairs, model.report().swapped), (4, 0));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RankSvm<K> {
    kernel: K,
    cost: f64,
    rank: usize,
    tolerance: f64,
    max_steps: usize,
    options: MatrixOptions,
}

impl<K> RankSvm<K> {
    /// Parameters with their defaults: C = 1, coordinates of at most 1000 dimensions, a gradient of 1e-6 of that at 0.
    pub fn params(kernel: K) -> RankSvmParams<K> {
        let options = MatrixOptions::default();
        RankSvmParams { kernel, cost: 1.0, rank: 1000, tolerance: 1e-6, max_steps: 200, options }
    }

    /// Trains on items and one target of each; where queries are given, only items of the same query are compared.
    /// O(n · rank²) time for the coordinates, O(n · rank + n log n) per product of a Newton step, O(n · rank) memory.
    ///
    /// # Errors
    /// No rows, targets or queries of another number, targets that are not finite, no two items that differ within a query, a kernel
    /// that is not defined on the items; [`Error::Budget`].
    pub fn fit<I: Items>(
        &self,
        items: &I,
        targets: &[f64],
        queries: Option<&[u64]>,
    ) -> Result<RankModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        self.fit_weighted(items, targets, queries, None)
    }

    /// The same with a weight per item, if there are any: a pair has the product of both, as an item of weight w stands for w items.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::kernel::Expression;
    /// use mercer::machine::RankSvm;
    /// let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0]])?;
    /// let machine = RankSvm::params("linear".parse::<Expression>()?).cost(10.0).check()?;
    /// let model = machine.fit_weighted(&rows, &[1.0, 2.0, 0.0], None, Some(&[1.0, 1.0, 0.0]))?;
    /// assert_eq!((model.report().pairs, model.order(&rows)?), (1, vec![2, 1, 0]));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`RankSvm::fit`]; weights that are negative or all 0.
    pub fn fit_weighted<I: Items>(
        &self,
        items: &I,
        targets: &[f64],
        queries: Option<&[u64]>,
        weights: Option<&[f64]>,
    ) -> Result<RankModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        let preferences = Preferences::weighted(targets, queries, weights)?;
        check_rows(items.len(), targets)?;
        let plan = self.options.plan(0)?;
        let (kept, (functions, report)) = trained(&self.kernel, (items, weights), &plan, |gram| {
            let (pivots, functions, report) = self.directions(gram, &preferences, weights, &plan.workers)?;
            Ok((pivots, (functions, report)))
        })?;
        Ok(FunctionModel::new(kept, functions, report))
    }

    /// Trains on a Gram matrix, with a weight per item if there are any: the items that f is made of, f and how it was found.
    ///
    /// # Errors
    /// As [`RankSvm::fit_weighted`].
    pub fn fit_gram(
        &self,
        gram: &dyn SymmetricGram,
        targets: &[f64],
        queries: Option<&[u64]>,
        weights: Option<&[f64]>,
    ) -> Result<(Vec<usize>, Functions, RankReport)> {
        let preferences = Preferences::weighted(targets, queries, weights)?;
        check_rows(gram.shape().0, targets)?;
        self.directions(gram, &preferences, weights, &self.options.workers()?)
    }

    fn directions(
        &self,
        gram: &dyn SymmetricGram,
        preferences: &Preferences,
        weights: Option<&[f64]>,
        workers: &Workers,
    ) -> Result<(Vec<usize>, Functions, RankReport)> {
        let coordinates = coordinates(gram, weights, self.rank, &self.options)?;
        let objective = Ranking { map: Map::new(&coordinates, workers)?, preferences, cost: self.cost };
        let start = vec![0.0; coordinates.rank()];
        let end = NewtonEnd::of(&objective, start, self.tolerance, self.max_steps)
            .map_err(|error| too_large(error, self.cost))?;
        let f = objective.map.values(&end.x)?;
        let view = coordinates.view(&Matrix::new(end.x, 1, coordinates.rank())?);
        let gap = 0.5 * end.gradient * end.gradient;
        let report = RankReport {
            pairs: preferences.pairs(),
            swapped: preferences.swapped(&f),
            objective: end.value,
            gap,
            steps: end.steps,
            // A gradient that is small beside the first one may still leave most of the objective.
            converged: end.converged && gap <= LARGEST_GAP * end.value,
            left_out: view.left_out,
        };
        Ok((view.pivots, view.functions, report))
    }
}

/// Where the objective is beyond all numbers, it is the cost that made it so.
fn too_large(error: Error, cost: f64) -> Error {
    match error {
        Error::NoConvergence { .. } => {
            let expected = "so small that the objective and its slope are finite numbers";
            Error::Parameter { name: "cost", value: cost, expected }
        }
        other => other,
    }
}

fn check_rows(n: usize, targets: &[f64]) -> Result<()> {
    match targets.len() == n {
        true => Ok(()),
        false => Err(Error::Shape { what: "targets (one per row)", expected: n, found: targets.len() }),
    }
}

/// Coordinates within the memory that is allowed.
fn coordinates(
    gram: &dyn SymmetricGram,
    weights: Option<&[f64]>,
    rank: usize,
    options: &MatrixOptions,
) -> Result<Coordinates> {
    let n = gram.shape().0;
    // G, its centred form and its transpose.
    let needed = 24 * (n as u64) * (rank.min(n) as u64);
    if needed > options.memory {
        let (what, instead) = ("a coordinate system for all items", "allow more memory, or a smaller rank");
        return Err(Error::Budget { what, needed, allowed: options.memory, instead });
    }
    Coordinates::new(gram, weights, rank, PRECISION)
}

/// f = Gᵀw of all items, and G times a vector of the items.
struct Map<'a> {
    /// One row per coordinate.
    forward: &'a Matrix,
    /// One row per item.
    by_item: Matrix,
    workers: &'a Workers,
}

impl<'a> Map<'a> {
    fn new(coordinates: &'a Coordinates, workers: &'a Workers) -> Result<Self> {
        let forward = coordinates.centred();
        Ok(Map { forward, by_item: forward.transposed(), workers })
    }

    fn values(&self, w: &[f64]) -> Result<Vec<f64>> {
        let column = Matrix::new(w.to_vec(), w.len(), 1)?;
        Ok(self.by_item.times(&column, self.workers)?.values().to_vec())
    }

    fn back(&self, of_items: &[f64]) -> Result<Vec<f64>> {
        let column = Matrix::new(of_items.to_vec(), of_items.len(), 1)?;
        Ok(self.forward.times(&column, self.workers)?.values().to_vec())
    }
}

/// The objective of ranking.
struct Ranking<'a> {
    map: Map<'a>,
    preferences: &'a Preferences,
    cost: f64,
}

impl Smooth for Ranking<'_> {
    type Point = (Vec<f64>, Active);

    fn at(&self, w: &[f64]) -> Result<Self::Point> {
        let f = self.map.values(w)?;
        Ok((w.to_vec(), self.preferences.active(f)))
    }

    fn value(&self, (w, active): &Self::Point) -> f64 {
        0.5 * w.iter().map(|w| w * w).sum::<f64>() + self.cost * self.preferences.loss(active)
    }

    fn gradient(&self, (w, active): &Self::Point) -> Result<Vec<f64>> {
        let slopes = self.preferences.slopes(active);
        let mut gradient = self.map.back(&slopes)?;
        gradient.iter_mut().zip(w).for_each(|(g, w)| *g = w + self.cost * *g);
        Ok(gradient)
    }

    fn curved(&self, (_, active): &Self::Point, v: &[f64]) -> Result<Vec<f64>> {
        let moved = self.preferences.curved(active, &self.map.values(v)?);
        let mut image = self.map.back(&moved)?;
        image.iter_mut().zip(v).for_each(|(i, v)| *i = v + self.cost * *i);
        Ok(image)
    }
}

/// Setters and checks that both machines of this file share.
macro_rules! rank_settings {
    ($params:ident, $machine:ident) => {
        impl<K> $params<K> {
            /// C: what a unit of squared slack costs; default 1.
            pub fn cost(mut self, cost: f64) -> Self {
                self.cost = cost;
                self
            }

            /// Most dimensions of the coordinates; default 1000.
            pub fn rank(mut self, most: usize) -> Self {
                self.rank = most;
                self
            }

            /// The gradient that is small enough, as a share of that at 0; default 1e-6.
            pub fn tolerance(mut self, share: f64) -> Self {
                self.tolerance = share;
                self
            }

            /// Most Newton steps; default 200.
            pub fn max_steps(mut self, steps: usize) -> Self {
                self.max_steps = steps;
                self
            }

            matrix_options!(options);

            /// Checks the parameters.
            ///
            /// # Errors
            /// [`Error::Parameter`] with the name and value of the first that makes no sense.
            pub fn check(self) -> Result<$machine<K>> {
                let $params { kernel, cost, rank, tolerance, max_steps, options } = self;
                if !(cost > 0.0 && cost.is_finite()) {
                    let expected = "a finite number above 0";
                    return Err(Error::Parameter { name: "cost", value: cost, expected });
                }
                if !(tolerance > 0.0 && tolerance < 1.0) {
                    let expected = "a number between 0 and 1";
                    return Err(Error::Parameter { name: "tolerance", value: tolerance, expected });
                }
                for (name, value) in [("rank", rank), ("max_steps", max_steps)] {
                    if value == 0 {
                        return Err(Error::Parameter { name, value: 0.0, expected: "at least 1" });
                    }
                }
                Workers::checked(options.threads)?;
                Ok($machine { kernel, cost, rank, tolerance, max_steps, options })
            }
        }
    };
}
use rank_settings;

rank_settings!(RankSvmParams, RankSvm);

/// The order that values ask for: the positions of the largest first, equal ones as they stand.
///
/// ```
/// assert_eq!(mercer::machine::order_of(&[0.1, 3.0, 0.1]), [1, 0, 2]);
/// ```
pub fn order_of(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    order
}

impl<K: WithLayout, I> RankModel<K, I> {
    /// The order of items: the position of the one that comes first, and so on.
    ///
    /// # Errors
    /// As [`FunctionModel::predict`].
    pub fn order<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<usize>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        Ok(order_of(&self.predict(items)?))
    }
}
