//! Ordinal regression: levels that have an order and no distances, told apart by thresholds along one function.

use serde::{Deserialize, Serialize};

use super::{Map, coordinates, rank_settings};
use crate::data::{Items, check_weights};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, SymmetricGram, WithLayout};
use crate::linalg::{Matrix, NewtonEnd, Smooth};
use crate::machine::whole::{MatrixOptions, bytes_of_outputs, matrix_options, trained};
use crate::machine::{FunctionModel, Functions};
use crate::resources::{InstructionSet, Interrupt, Workers};

/// The part of the gradient that is left at the end of each further search.
const CLOSER: f64 = 0.01;

/// How the learning of levels went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrdinalReport {
    /// The levels, the lowest first.
    pub levels: Vec<f64>,
    /// b between any two neighbours: one less than levels, and they do not fall.
    pub thresholds: Vec<f64>,
    /// The objective.
    pub objective: f64,
    /// By how much at most the objective is above its least value: the duality gap P − D. Not known of models from before it was kept.
    #[serde(default)]
    pub gap: Option<f64>,
    /// ‖gradient‖ where it ended.
    pub gradient: f64,
    /// Newton steps.
    pub steps: usize,
    /// Whether the gradient fell below the tolerance, and the gap below the same share of the objective.
    pub converged: bool,
    /// tr(K − GᵀG)/tr K: what the coordinates leave out.
    pub left_out: f64,
}

/// A function and thresholds.
pub type OrdinalModel<K, I> = FunctionModel<K, I, OrdinalReport>;

/// Parameters of the ordinal machine, not yet checked.
#[derive(Clone, Debug)]
pub struct OrdinalSvmParams<K> {
    kernel: K,
    cost: f64,
    rank: usize,
    tolerance: f64,
    max_steps: usize,
    options: MatrixOptions,
}

/// The ordinal machine with checked parameters, ready to be trained.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::Expression;
/// use mercer::machine::OrdinalSvm;
/// let rows = Vectors::from_rows(&[[0.0], [1.0], [4.0], [5.0], [8.0], [9.0]])?;
/// let machine = OrdinalSvm::params("linear".parse::<Expression>()?).cost(10.0).check()?;
/// let model = machine.fit(&rows, &[1.0, 1.0, 2.0, 2.0, 3.0, 3.0])?;
/// assert_eq!(model.levels(&Vectors::from_rows(&[[-5.0], [4.5], [99.0]])?)?, [1.0, 2.0, 3.0]);
/// assert!(model.report().thresholds[0] < model.report().thresholds[1]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct OrdinalSvm<K> {
    kernel: K,
    cost: f64,
    rank: usize,
    tolerance: f64,
    max_steps: usize,
    options: MatrixOptions,
}

impl<K> OrdinalSvm<K> {
    /// Parameters with their defaults: C = 1, coordinates of at most 1000 dimensions, a gradient of 1e-6 of that at 0.
    pub fn params(kernel: K) -> OrdinalSvmParams<K> {
        let options = MatrixOptions::default();
        OrdinalSvmParams { kernel, cost: 1.0, rank: 1000, tolerance: 1e-6, max_steps: 200, options }
    }

    /// Trains on items and the level of each. O(n · rank²) time for the coordinates, O(n · (rank + levels)) per product of a Newton step.
    ///
    /// # Errors
    /// No rows, levels of another number, not finite or all the same, a kernel that is not defined on the items; [`Error::Budget`].
    pub fn fit<I: Items>(&self, items: &I, levels: &[f64]) -> Result<OrdinalModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        self.fit_weighted(items, levels, None)
    }

    /// The same with a weight per item, if there are any: an item of weight w has the cost Cw, and counts as w items.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::kernel::Expression;
    /// use mercer::machine::OrdinalSvm;
    /// let rows = Vectors::from_rows(&[[0.0], [1.0], [4.0], [5.0], [9.0]])?;
    /// let machine = OrdinalSvm::params("linear".parse::<Expression>()?).cost(10.0).check()?;
    /// let model = machine.fit_weighted(&rows, &[1.0, 1.0, 2.0, 2.0, 7.0], Some(&[1.0, 1.0, 2.0, 1.0, 0.0]))?;
    /// assert_eq!(model.report().levels, [1.0, 2.0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`OrdinalSvm::fit`]; weights that are negative or all 0.
    pub fn fit_weighted<I: Items>(
        &self,
        items: &I,
        levels: &[f64],
        weights: Option<&[f64]>,
    ) -> Result<OrdinalModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        let (codes, all) = coded(items.len(), levels, weights)?;
        let plan = self.options.plan(0)?;
        let (kept, (functions, report)) = trained(&self.kernel, (items, weights), &plan, |gram| {
            let (pivots, functions, report) = self.directions(gram, (&codes, weights), all, &plan.workers)?;
            Ok((pivots, (functions, report)))
        })?;
        Ok(FunctionModel::new(kept, functions, report))
    }

    /// Trains on a Gram matrix, with a weight per item if there are any: the items that f is made of, f and how it was found.
    ///
    /// # Errors
    /// As [`OrdinalSvm::fit_weighted`].
    pub fn fit_gram(
        &self,
        gram: &dyn SymmetricGram,
        levels: &[f64],
        weights: Option<&[f64]>,
    ) -> Result<(Vec<usize>, Functions, OrdinalReport)> {
        let (codes, all) = coded(gram.shape().0, levels, weights)?;
        self.directions(gram, (&codes, weights), all, &self.options.workers()?)
    }

    fn directions(
        &self,
        gram: &dyn SymmetricGram,
        (codes, weights): (&[usize], Option<&[f64]>),
        levels: Vec<f64>,
        workers: &Workers,
    ) -> Result<(Vec<usize>, Functions, OrdinalReport)> {
        let thresholds = levels.len() - 1;
        // The slacks where Newton's method is, and where it looks.
        let needed = bytes_of_outputs(2, codes.len(), thresholds);
        let instead = "allow more memory, or take fewer levels (a regression needs none)";
        let options = self.options.beside("the slacks of all items and levels", needed, instead)?;
        let coordinates = coordinates(gram, weights, self.rank, &options)?;
        let rank = coordinates.rank();
        let objective = Levels {
            map: Map::new(&coordinates, workers)?,
            codes,
            weights,
            thresholds,
            cost: self.cost,
            rank,
        };
        let (end, gap) = self.least(&objective, vec![0.0; rank + thresholds])?;
        let is_near = gap <= self.tolerance * end.value.abs();
        let view = coordinates.view(&Matrix::new(end.x[..rank].to_vec(), 1, rank)?);
        let report = OrdinalReport {
            levels,
            thresholds: end.x[rank..].to_vec(),
            objective: end.value,
            gap: Some(gap),
            gradient: end.gradient,
            steps: end.steps,
            converged: end.converged && is_near,
            left_out: view.left_out,
        };
        Ok((view.pivots, view.functions, report))
    }

    /// The least point, and by how much it is above the least value at most. A gradient that is small beside that at 0 may still be far
    /// from the end where thresholds are bound to w only loosely: it is followed until the duality gap is small too.
    fn least(&self, objective: &Levels<'_>, start: Vec<f64>) -> Result<(NewtonEnd, f64)> {
        let run = |start: Vec<f64>, tolerance: f64, most: usize| {
            NewtonEnd::of(objective, start, tolerance, most)
                .map_err(|error| super::too_large(error, self.cost))
        };
        let mut end = run(start, self.tolerance, self.max_steps)?;
        let mut gap = objective.gap(&end.x)?;
        while gap > self.tolerance * end.value.abs() && end.converged && end.steps < self.max_steps {
            let further = run(end.x.clone(), CLOSER, self.max_steps - end.steps)?;
            let (steps, is_last) = (end.steps + further.steps, further.steps == 0 || !further.converged);
            // The gradient has met the tolerance already.
            end = NewtonEnd { steps, converged: true, ..further };
            gap = objective.gap(&end.x)?;
            if is_last {
                break;
            }
        }
        Ok((end, gap))
    }
}

/// The number of each item's level, and all levels of items with a weight above 0, from the lowest on.
fn coded(n: usize, levels: &[f64], weights: Option<&[f64]>) -> Result<(Vec<usize>, Vec<f64>)> {
    if n == 0 {
        return Err(Error::Empty { what: "rows" });
    }
    if levels.len() != n {
        return Err(Error::Shape { what: "levels (one per row)", expected: n, found: levels.len() });
    }
    if let Some(index) = levels.iter().position(|y| !y.is_finite()) {
        let (what, expected) = ("level", "a finite number");
        return Err(Error::Entry { what, index, value: levels[index], expected });
    }
    if let Some(weights) = weights {
        check_weights(weights, n)?;
    }
    let counts = |i: &usize| weights.is_none_or(|weights| weights[*i] > 0.0);
    let mut all: Vec<f64> = (0..n).filter(counts).map(|i| levels[i]).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    if all.len() < 2 {
        return Err(Error::OneClass { label: all[0].to_string() });
    }
    Ok((levels.iter().map(|level| all.partition_point(|l| l < level)).collect(), all))
}

rank_settings!(OrdinalSvmParams, OrdinalSvm);

/// The objective of levels; the thresholds stand behind w.
struct Levels<'a> {
    map: Map<'a>,
    codes: &'a [usize],
    weights: Option<&'a [f64]>,
    thresholds: usize,
    cost: f64,
    rank: usize,
}

/// x, and the slack of each item and threshold.
pub(super) struct Slacks {
    x: Vec<f64>,
    slacks: Vec<f64>,
}

impl Levels<'_> {
    /// P − D at a point, where P is the objective and D that of the dual,
    ///
    /// ```text
    /// D(a) = Σ a − ¼ Σ a²/C − ½‖Σᵢₖ sᵢₖ aᵢₖ φ(xᵢ)‖²,   a ≥ 0,   Σᵢ sᵢₖ aᵢₖ = 0 for each threshold k
    /// ```
    ///
    /// at the multipliers a = 2Cξ of the slacks, with the C of each item. For each threshold those of the side that outweighs the other are made smaller until the
    /// sides are equal, and all are taken times the factor for which D is largest. O(n · (rank + levels))
    fn gap(&self, x: &[f64]) -> Result<f64> {
        let point = self.at(x)?;
        let mut sides = vec![(0.0, 0.0); self.thresholds];
        for ((i, k), slack) in self.each().zip(&point.slacks) {
            let side = if self.sign(i, k) > 0.0 { &mut sides[k].0 } else { &mut sides[k].1 };
            *side += self.cost_of(i) * slack;
        }
        let (mut sum, mut squares) = (0.0, 0.0);
        let mut of_items = vec![0.0; self.codes.len()];
        for ((i, k), slack) in self.each().zip(&point.slacks) {
            let sign = self.sign(i, k);
            let (own, other) = if sign > 0.0 { sides[k] } else { (sides[k].1, sides[k].0) };
            let share = if own > other { other / own } else { 1.0 };
            let a = 2.0 * self.cost_of(i) * slack * share;
            sum += a;
            // a²/C
            squares += 2.0 * slack * share * a;
            of_items[i] += sign * a;
        }
        let size: f64 = self.map.back(&of_items)?.iter().map(|w| w * w).sum();
        let curvature = 0.5 * size + 0.25 * squares;
        let dual = if curvature > 0.0 { 0.25 * sum * sum / curvature } else { 0.0 };
        let gap = self.value(&point) - dual;
        // Sums that overflow prove nothing.
        Ok(if gap.is_nan() { f64::INFINITY } else { gap.max(0.0) })
    }

    /// C of an item.
    fn cost_of(&self, i: usize) -> f64 {
        self.cost * self.weights.map_or(1.0, |weights| weights[i])
    }

    /// What a threshold asks of f at an item: −1 to fall, 1 to rise.
    fn sign(&self, i: usize, k: usize) -> f64 {
        if self.codes[i] <= k { 1.0 } else { -1.0 }
    }

    fn each(&self) -> impl Iterator<Item = (usize, usize)> {
        let k = self.thresholds;
        (0..self.codes.len() * k).map(move |at| (at / k, at % k))
    }
}

impl Smooth for Levels<'_> {
    type Point = Slacks;

    fn at(&self, x: &[f64]) -> Result<Slacks> {
        let f = self.map.values(&x[..self.rank])?;
        let slack = |(i, k): (usize, usize)| (1.0 - self.sign(i, k) * (x[self.rank + k] - f[i])).max(0.0);
        Ok(Slacks { x: x.to_vec(), slacks: self.each().map(slack).collect() })
    }

    fn value(&self, point: &Slacks) -> f64 {
        let size: f64 = point.x[..self.rank].iter().map(|w| w * w).sum();
        0.5 * size + self.each().zip(&point.slacks).map(|((i, _), s)| self.cost_of(i) * s * s).sum::<f64>()
    }

    fn gradient(&self, point: &Slacks) -> Result<Vec<f64>> {
        let mut of_items = vec![0.0; self.codes.len()];
        let mut of_thresholds = vec![0.0; self.thresholds];
        for ((i, k), slack) in self.each().zip(&point.slacks) {
            let slope = 2.0 * self.cost_of(i) * slack * self.sign(i, k);
            of_items[i] += slope;
            of_thresholds[k] -= slope;
        }
        let mut gradient = self.map.back(&of_items)?;
        gradient.iter_mut().zip(&point.x).for_each(|(g, w)| *g += w);
        gradient.extend(of_thresholds);
        Ok(gradient)
    }

    fn curved(&self, point: &Slacks, v: &[f64]) -> Result<Vec<f64>> {
        let moved = self.map.values(&v[..self.rank])?;
        let mut of_items = vec![0.0; self.codes.len()];
        let mut of_thresholds = vec![0.0; self.thresholds];
        for ((i, k), slack) in self.each().zip(&point.slacks) {
            if *slack > 0.0 {
                let change = 2.0 * self.cost_of(i) * (moved[i] - v[self.rank + k]);
                of_items[i] += change;
                of_thresholds[k] -= change;
            }
        }
        let mut image = self.map.back(&of_items)?;
        image.iter_mut().zip(v).for_each(|(i, v)| *i += v);
        image.extend(of_thresholds);
        Ok(image)
    }
}

impl<K: WithLayout, I> OrdinalModel<K, I> {
    /// The level of each item: as many thresholds as f is above, so many levels from the lowest.
    ///
    /// # Errors
    /// As [`FunctionModel::predict`].
    pub fn levels<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<f64>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let OrdinalReport { levels, thresholds, .. } = self.report();
        let level = |f: &f64| levels[thresholds.iter().filter(|b| *f > **b).count()];
        Ok(self.predict(items)?.iter().map(level).collect())
    }
}
