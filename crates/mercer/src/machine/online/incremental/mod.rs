//! The exact support vector machine of examples that come and go.

mod centre;
mod inverse;
mod path;

use super::function::sum;
use super::memory::Memory;
use crate::error::{Error, Result};
use inverse::Bordered;
use path::Goal;

/// The soft-margin classifier with offset of all examples that were added and not removed, exactly, after each of them.
///
/// ```text
/// max Σ αᵢ − ½ Σ αᵢαⱼ yᵢyⱼ k(xᵢ, xⱼ)   subject to   0 ≤ α ≤ C,   Σ yα = 0
/// ```
///
/// To add an example, its α grows from 0, and all others follow so that they stay optimal, until it is optimal too; to remove one, its α
/// shrinks to 0 (G. Cauwenberghs, T. Poggio: Incremental and decremental support vector machine learning, NIPS 2000). So leaving each
/// example out in turn takes no training.
///
/// With n examples, s of them on the margin: O(n·s + s²) for each example that changes its place on the way, n kernel values for each that
/// comes to the margin; memory O(n·s). Equal examples, and kernels of few dimensions, do no harm: on the way ½r‖α − p‖² is added to the objective, and
/// p follows α until they are equal (R. T. Rockafellar: Monotone operators and the proximal point algorithm, 1976).
///
/// ```
/// use mercer::machine::online::{IncrementalSvc, Remembered};
/// let memory = Remembered::new(|x: &f64, z: &f64| x * z);
/// let mut machine = IncrementalSvc::new(memory, 10.0)?;
/// machine.add(&1.0, -1.0)?;
/// machine.add(&3.0, 1.0)?;
/// assert!((machine.value(&2.0)?).abs() < 1e-5 && (machine.value(&3.0)? - 1.0).abs() < 1e-5);
/// // A nearer one moves the boundary to 1.5; without it the boundary is where it was.
/// let near = machine.add(&2.0, 1.0)?;
/// assert!((machine.value(&1.5)?).abs() < 1e-5);
/// machine.remove(near)?;
/// assert!((machine.value(&2.0)?).abs() < 1e-5);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct IncrementalSvc<M> {
    memory: M,
    cost: f64,
    /// r
    ridge: f64,
    largest: f64,
    labels: Vec<f64>,
    alpha: Vec<f64>,
    /// p
    centre: Vec<f64>,
    /// yᵢ f(xᵢ) − 1 + r(αᵢ − pᵢ)
    gradient: Vec<f64>,
    places: Vec<Place>,
    ids: Vec<u64>,
    offset: f64,
    /// Slots on the margin, in the order of the inverse, and their kernel values with all slots.
    margin: Vec<usize>,
    rows: Vec<Vec<f64>>,
    inverse: Bordered,
    next_id: u64,
    changes: u64,
}

/// Where an example stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// y f = 1, α anything.
    Margin,
    /// y f ≤ 1, α = C.
    AtCost,
    /// y f ≥ 1, α = 0.
    Other,
}

/// r, as a multiple of the first example's k(x, x).
const RIDGE: f64 = 1e-6;

/// After so many changes all values are computed anew, so that rounding does not add up.
const REFRESH: u64 = 64;

/// Residuals above this are more than rounding may leave.
const VISIBLE: f64 = 1e-9;

impl<M: Memory> IncrementalSvc<M> {
    /// A machine of no examples, with this cost.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a cost that is not above 0 and finite, [`Error::Shape`] for a memory that is not empty.
    pub fn new(memory: M, cost: f64) -> Result<Self> {
        if !(cost.is_finite() && cost > 0.0) {
            return Err(Error::Parameter { name: "cost", value: cost, expected: "a finite number above 0" });
        }
        if !memory.is_empty() {
            let what = "items in the memory of a new machine";
            return Err(Error::Shape { what, expected: 0, found: memory.len() });
        }
        Ok(IncrementalSvc {
            memory,
            cost,
            ridge: 0.0,
            largest: 0.0,
            labels: Vec::new(),
            alpha: Vec::new(),
            centre: Vec::new(),
            gradient: Vec::new(),
            places: Vec::new(),
            ids: Vec::new(),
            offset: 0.0,
            margin: Vec::new(),
            rows: Vec::new(),
            inverse: Bordered::default(),
            next_id: 0,
            changes: 0,
        })
    }

    /// Number of examples that are there.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Their numbers, as [`IncrementalSvc::add`] gave them.
    pub fn ids(&self) -> &[u64] {
        &self.ids
    }

    /// β = yα, in the order of [`IncrementalSvc::ids`].
    pub fn coefficients(&self) -> Vec<f64> {
        self.alpha.iter().zip(&self.labels).map(|(alpha, y)| alpha * y).collect()
    }

    /// The examples, in the same order.
    pub fn memory(&self) -> &M {
        &self.memory
    }

    /// Their labels, ±1.
    pub fn labels(&self) -> &[f64] {
        &self.labels
    }

    /// C
    pub fn cost(&self) -> f64 {
        self.cost
    }

    /// b
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// f(x). O(examples) kernel values.
    ///
    /// # Errors
    /// An item that the kernel is not defined on.
    pub fn value(&self, item: M::Item<'_>) -> Result<f64> {
        let mut values = Vec::new();
        self.memory.compare(item, &mut values)?;
        Ok(sum(&self.coefficients(), &values) + self.offset)
    }

    /// The dual objective Σ α − ½ αᵀQα.
    pub fn objective(&self) -> f64 {
        let half = |(alpha, g): (&f64, &f64)| alpha - 0.5 * alpha * (g + 1.0);
        self.alpha.iter().zip(&self.gradient).map(half).sum()
    }

    /// Adds an example; its number, by which it can be removed.
    ///
    /// # Errors
    /// [`Error::Entry`] for a label that is not ±1, an item that the kernel is not defined on: nothing has changed then.
    /// [`Error::NoConvergence`] if a kernel that is not positive semi-definite leads nowhere.
    pub fn add(&mut self, item: M::Item<'_>, label: f64) -> Result<u64> {
        if label.abs() != 1.0 {
            let expected = "1 or -1";
            return Err(Error::Entry { what: "label", index: self.len(), value: label, expected });
        }
        let own = self.memory.own_value(item)?;
        let mut row = Vec::new();
        self.memory.compare(item, &mut row)?;
        self.memory.remember(item)?;
        if self.ridge == 0.0 {
            self.ridge = RIDGE * own.abs().max(f64::MIN_POSITIVE);
        }
        self.largest = self.largest.max(own.abs());
        for (of, &slot) in self.rows.iter_mut().zip(&self.margin) {
            of.push(row[slot]);
        }
        row.push(own + self.ridge);
        self.labels.push(label);
        self.alpha.push(0.0);
        self.centre.push(0.0);
        self.places.push(Place::Other);
        self.ids.push(self.next_id);
        self.next_id += 1;
        let c = self.len() - 1;
        self.gradient.push(label * (sum(&self.coefficients(), &row) + self.offset) - 1.0);
        if self.gradient[c] < 0.0 {
            self.put_right(c, row, Goal::Raised)?;
            self.settle()?;
        }
        Ok(self.ids[c])
    }

    /// Removes the example of this number.
    ///
    /// # Errors
    /// [`Error::Entry`] if there is none, and as [`IncrementalSvc::add`].
    pub fn remove(&mut self, id: u64) -> Result<()> {
        let Some(c) = self.ids.iter().position(|&other| other == id) else {
            let expected = "the number of an example that is there";
            return Err(Error::Entry { what: "example", index: 0, value: id as f64, expected });
        };
        if self.places[c] != Place::Other {
            let row = match self.margin.iter().position(|&slot| slot == c) {
                Some(position) => {
                    let row = self.rows[position].clone();
                    let alpha = self.alpha[c];
                    self.leave_margin(position, Place::Other);
                    self.alpha[c] = alpha;
                    row
                }
                None => self.row(c)?,
            };
            self.travel(c, &row, Goal::Removed)?;
            self.alpha[c] = 0.0;
        }
        self.drop_slot(c);
        self.settle()
    }

    /// f(xᵢ) of the machine without example i, for all of them in the order of [`IncrementalSvc::ids`]: each is removed from a copy. One without a
    /// coefficient is not missed.
    ///
    /// O(support items) removals.
    ///
    /// ```
    /// use mercer::machine::online::{IncrementalSvc, Remembered};
    /// let mut machine = IncrementalSvc::new(Remembered::new(|x: &f64, z: &f64| x * z), 100.0)?;
    /// for (x, label) in [(1.0, -1.0), (2.0, -1.0), (4.0, 1.0), (5.0, 1.0)] {
    ///     machine.add(&x, label)?;
    /// }
    /// // Without 2 the boundary would be at 2.5, and f(2) = −1/3.
    /// assert!((machine.left_out_values()?[1] + 1.0 / 3.0).abs() < 1e-4);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`IncrementalSvc::remove`].
    pub fn left_out_values(&self) -> Result<Vec<f64>>
    where
        M: Clone,
    {
        let mut found = Vec::with_capacity(self.len());
        let mut row = Vec::new();
        for slot in 0..self.len() {
            if self.alpha[slot] == 0.0 {
                found.push(self.labels[slot] * (self.gradient[slot] + 1.0));
                continue;
            }
            self.memory.compare_own(slot, &mut row)?;
            row.swap_remove(slot);
            let mut without = self.clone();
            without.remove(self.ids[slot])?;
            found.push(sum(&without.coefficients(), &row) + without.offset);
        }
        Ok(found)
    }

    /// By how much the conditions of optimality are violated, at most, with all values computed anew. O(examples²) kernel values.
    ///
    /// # Errors
    /// A kernel that fails.
    pub fn violation(&self) -> Result<f64> {
        let mut worst = sum(&self.alpha, &self.labels).abs();
        for (slot, g) in self.fresh_gradient()?.into_iter().enumerate() {
            let alpha = self.alpha[slot];
            let g = g - self.ridge * (alpha - self.centre[slot]);
            worst = worst.max(-alpha).max(alpha - self.cost);
            if alpha < self.cost {
                worst = worst.max(-g);
            }
            if alpha > 0.0 {
                worst = worst.max(g);
            }
        }
        Ok(worst)
    }

    /// K\[slot, ·\] with the ridge.
    fn row(&self, slot: usize) -> Result<Vec<f64>> {
        let mut row = Vec::new();
        self.memory.compare_own(slot, &mut row)?;
        row[slot] += self.ridge;
        Ok(row)
    }

    fn join_margin(&mut self, slot: usize) -> Result<()> {
        let row = self.row(slot)?;
        self.join_margin_with(slot, row);
        Ok(())
    }

    fn join_margin_with(&mut self, slot: usize, row: Vec<f64>) {
        let y = self.labels[slot];
        let with: Vec<f64> = self.margin.iter().map(|&i| y * self.labels[i] * row[i]).collect();
        self.inverse.expand(y, &with, row[slot]);
        self.margin.push(slot);
        self.rows.push(row);
        self.places[slot] = Place::Margin;
        self.gradient[slot] = 0.0;
    }

    fn leave_margin(&mut self, position: usize, place: Place) {
        let slot = self.margin.remove(position);
        self.rows.remove(position);
        self.inverse.contract(position);
        self.places[slot] = place;
        self.gradient[slot] = 0.0;
        self.alpha[slot] = if place == Place::AtCost { self.cost } else { 0.0 };
    }

    /// The last slot takes the place of this one, which has no coefficient any more.
    fn drop_slot(&mut self, slot: usize) {
        let last = self.len() - 1;
        self.memory.forget(slot);
        self.labels.swap_remove(slot);
        self.alpha.swap_remove(slot);
        self.centre.swap_remove(slot);
        self.gradient.swap_remove(slot);
        self.places.swap_remove(slot);
        self.ids.swap_remove(slot);
        for row in &mut self.rows {
            row.swap_remove(slot);
        }
        for on_margin in &mut self.margin {
            if *on_margin == last {
                *on_margin = slot;
            }
        }
    }

    /// Moves the coefficient of an item that is not on the margin to where it is optimal.
    fn put_right(&mut self, c: usize, row: Vec<f64>, goal: Goal) -> Result<()> {
        match self.travel(c, &row, goal)? {
            Place::Margin => self.join_margin_with(c, row),
            place => {
                self.alpha[c] = if place == Place::AtCost { self.cost } else { 0.0 };
                self.places[c] = place;
            }
        }
        Ok(())
    }

    /// Takes out what rounding left, and then the ridge.
    fn settle(&mut self) -> Result<()> {
        self.take_out_rounding()?;
        self.take_out_ridge()
    }

    /// On the margin by a step of Newton's method, and, where values are computed anew, of items that then are on the wrong side.
    fn take_out_rounding(&mut self) -> Result<()> {
        self.changes += 1;
        let rounding = self.newton();
        if rounding <= VISIBLE && !self.changes.is_multiple_of(REFRESH) {
            return Ok(());
        }
        for _ in 0..self.len() + 10 {
            self.gradient = self.fresh_gradient()?;
            let wrong = |slot: usize| match self.places[slot] {
                Place::Margin => 0.0,
                Place::AtCost => self.gradient[slot],
                Place::Other => -self.gradient[slot],
            };
            let worst = (0..self.len()).max_by(|&a, &b| wrong(a).total_cmp(&wrong(b)));
            let Some(slot) = worst.filter(|&slot| wrong(slot) > VISIBLE) else { break };
            let goal = if self.places[slot] == Place::Other { Goal::Raised } else { Goal::Lowered };
            let row = self.row(slot)?;
            self.put_right(slot, row, goal)?;
            self.newton();
        }
        for &slot in &self.margin {
            self.gradient[slot] = 0.0;
        }
        Ok(())
    }

    /// One step of Newton's method on the margin; the largest residual there was.
    fn newton(&mut self) -> f64 {
        if self.margin.is_empty() {
            return 0.0;
        }
        let coefficients = self.coefficients();
        let mut residual = vec![coefficients.iter().sum::<f64>()];
        for (&slot, row) in self.margin.iter().zip(&self.rows) {
            let value = self.labels[slot] * (sum(&coefficients, row) + self.offset);
            residual.push(value - self.ridge * self.centre[slot] - 1.0);
        }
        let step = self.inverse.times(&residual);
        self.offset -= step[0];
        for (g, y) in self.gradient.iter_mut().zip(&self.labels) {
            *g -= y * step[0];
        }
        for ((&slot, row), step) in self.margin.iter().zip(&self.rows).zip(&step[1..]) {
            let new = (self.alpha[slot] - step).clamp(0.0, self.cost);
            let moved = (new - self.alpha[slot]) * self.labels[slot];
            self.alpha[slot] = new;
            self.gradient.iter_mut().zip(row).zip(&self.labels).for_each(|((g, k), y)| *g += moved * k * y);
        }
        for &slot in &self.margin {
            self.gradient[slot] = 0.0;
        }
        residual.iter().fold(0.0, |most, value| most.max(value.abs()))
    }

    fn fresh_gradient(&self) -> Result<Vec<f64>> {
        let coefficients = self.coefficients();
        let mut values = vec![self.offset; self.len()];
        for (slot, &beta) in coefficients.iter().enumerate().filter(|(_, beta)| **beta != 0.0) {
            let row = self.row(slot)?;
            values.iter_mut().zip(&row).for_each(|(value, k)| *value += beta * k);
        }
        let values = values.iter().zip(&self.labels).zip(&self.centre);
        Ok(values.map(|((value, y), p)| y * value - self.ridge * p - 1.0).collect())
    }
}
