//! The exact support vector machine of examples that come and go.

mod active_set;
mod direction;
mod exact;
mod inverse;
mod quality;
mod refit;

use super::memory::Memory;
use crate::error::{Error, Result};
use crate::resources::{Interrupt, default_budget};
use exact::{Coefficients, Sums};
use inverse::Bordered;

/// The soft-margin classifier with offset of all examples that were added and not removed, exactly, after each of them.
///
/// ```text
/// max Σ αᵢ − ½ Σ αᵢαⱼ yᵢyⱼ k(xᵢ, xⱼ)   subject to   0 ≤ α ≤ C,   Σ yα = 0
/// ```
///
/// To add an example, its α grows from 0, and the others follow so that they stay optimal; to remove one, its α shrinks to 0 (G. Cauwenberghs,
/// T. Poggio: Incremental and decremental support vector machine learning, NIPS 2000). Those whose conditions are violated then move in the same way
/// until none is. So leaving each example out in turn takes no training.
///
/// Repeated examples, and kernels of few dimensions, make coefficients that depend on each other: an active-set method exchanges them one for the
/// other, so that no ridge is needed. Coefficients and sums have twice the digits of double precision, so that the conditions of optimality hold within
/// 1e-9 also where values of f are sums of terms that are larger by far. Where rounding defeats the exact update, the machine is trained by the batch
/// solver, and [`IncrementalSvc::refits`] counts it; [`IncrementalSvc::status`] tells whether the conditions hold. Where the offset is not unique it is
/// that of [`Svc`](crate::machine::Svc): the middle of its interval.
///
/// Examples may have [weights](IncrementalSvc::add_weighted).
///
/// With n examples, s of them on the margin: O(n·s + s²) and n kernel values for each example that changes its place on the way; memory O(n·s).
///
/// ```
/// use mercer::machine::online::{IncrementalSvc, Remembered};
/// let memory = Remembered::new(|x: &f64, z: &f64| x * z);
/// let mut machine = IncrementalSvc::new(memory, 10.0)?;
/// machine.add(&1.0, -1.0)?;
/// machine.add(&3.0, 1.0)?;
/// assert!((machine.value(&2.0)?).abs() < 1e-9 && (machine.value(&3.0)? - 1.0).abs() < 1e-9);
/// // A nearer one moves the boundary to 1.5; without it the boundary is where it was.
/// let near = machine.add(&2.0, 1.0)?;
/// assert!((machine.value(&1.5)?).abs() < 1e-9);
/// machine.remove(near)?;
/// assert!((machine.value(&2.0)?).abs() < 1e-9);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct IncrementalSvc<M> {
    memory: M,
    cost: f64,
    /// max |k(x, x)| of all examples there were.
    largest: f64,
    labels: Vec<f64>,
    /// What each example counts: its cost is C times as much.
    weights: Vec<f64>,
    /// β = yα
    beta: Coefficients,
    /// max |β| there was since the last change began.
    largest_beta: f64,
    /// Kβ − y
    scores: Vec<f64>,
    /// By how much rounding may have moved the scores since they were computed from the coefficients.
    drift: f64,
    ids: Vec<u64>,
    offset: f64,
    /// Slots on the margin, in the order of the inverse, and their kernel values with all slots.
    margin: Vec<usize>,
    rows: Vec<Vec<f64>>,
    is_on_margin: Vec<bool>,
    inverse: Bordered,
    next_id: u64,
    refits: u64,
    memory_limit: u64,
    interrupt: Option<Interrupt>,
}

/// Rounding does not let the exact update go on.
#[derive(Clone, Copy, Debug)]
struct Stuck;

/// The conditions of optimality hold within this, or within rounding if that is more.
const TOLERANCE: f64 = 1e-9;

/// How closely the conditions of optimality are to hold.
#[derive(Clone, Copy, Debug)]
enum Accuracy {
    /// Within what the rounding of f allows.
    Full,
    /// Within what the rounding of plain sums allows.
    Plain,
}

/// A coefficient this near to a bound, as a multiple of the largest one, is at it, if that is less than what the conditions hold within.
const ROOM: f64 = 1e-13;

/// The largest cost: beyond it the digits of β are no longer those that f needs.
const LARGEST_COST: f64 = 1e12;

impl<M: Memory> IncrementalSvc<M> {
    /// A machine of no examples, with this cost.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a cost that is not above 0 and at most 1e12, [`Error::Shape`] for a memory that is not empty.
    pub fn new(memory: M, cost: f64) -> Result<Self> {
        if !(cost > 0.0 && cost <= LARGEST_COST) {
            let expected = "a number above 0 and at most 1e12: beyond, double precision cannot carry the conditions of optimality";
            return Err(Error::Parameter { name: "cost", value: cost, expected });
        }
        if !memory.is_empty() {
            let what = "items in the memory of a new machine";
            return Err(Error::Shape { what, expected: 0, found: memory.len() });
        }
        Ok(IncrementalSvc {
            memory,
            cost,
            largest: 0.0,
            labels: Vec::new(),
            weights: Vec::new(),
            beta: Coefficients::default(),
            largest_beta: 0.0,
            scores: Vec::new(),
            drift: 0.0,
            ids: Vec::new(),
            offset: 0.0,
            margin: Vec::new(),
            rows: Vec::new(),
            is_on_margin: Vec::new(),
            inverse: Bordered::default(),
            next_id: 0,
            refits: 0,
            memory_limit: default_budget(),
            interrupt: None,
        })
    }

    /// Who may end a change, besides the one in whose [scope](Interrupt::scope) the thread works: it returns [`Error::Interrupted`] then, and has been
    /// made in part. Who wants the machine that there was before keeps a clone.
    pub fn set_interrupt(&mut self, interrupt: Option<&Interrupt>) {
        self.interrupt = interrupt.cloned();
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

    /// β = yα, in the order of [`IncrementalSvc::ids`], rounded to double precision: the machine itself goes by twice as many digits.
    pub fn coefficients(&self) -> Vec<f64> {
        self.beta.rounded.clone()
    }

    /// The examples, in the same order.
    pub fn memory(&self) -> &M {
        &self.memory
    }

    /// Their labels, ±1.
    pub fn labels(&self) -> &[f64] {
        &self.labels
    }

    /// Their weights.
    pub fn weights(&self) -> &[f64] {
        &self.weights
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
        Ok(self.beta.value(self.offset, &values))
    }

    /// Adds an example; its number, by which it can be removed.
    ///
    /// # Errors
    /// [`Error::Entry`] for a label that is not ±1, an item that the kernel is not defined on: nothing has changed then.
    /// [`Error::NoConvergence`] if neither the exact update nor the batch solver comes near the conditions of optimality, [`Error::Budget`] if
    /// the batch solver is needed and K is too large, [`Error::Interrupted`].
    pub fn add(&mut self, item: M::Item<'_>, label: f64) -> Result<u64> {
        self.add_weighted(item, label, 1.0)
    }

    /// Adds an example of this weight: its α is at most C times the weight, as if it stood there so many times. One of weight 0 is there, but changes
    /// nothing.
    ///
    /// ```
    /// use mercer::machine::online::{IncrementalSvc, Remembered};
    /// let points = [(-2.0, -1.0, 2), (-1.0, 1.0, 1), (1.0, -1.0, 3), (2.0, 1.0, 0)];
    /// let machine = || IncrementalSvc::new(Remembered::new(|x: &f64, z: &f64| x * z), 0.1);
    /// let (mut weighted, mut repeated) = (machine()?, machine()?);
    /// for (x, label, times) in points {
    ///     weighted.add_weighted(&x, label, f64::from(times))?;
    ///     for _ in 0..times {
    ///         repeated.add(&x, label)?;
    ///     }
    /// }
    /// assert!((weighted.value(&1.5)? - repeated.value(&1.5)?).abs() < 1e-12);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`IncrementalSvc::add`], and [`Error::Entry`] for a weight that is negative or not finite, or with which the cost is above 1e12.
    pub fn add_weighted(&mut self, item: M::Item<'_>, label: f64, weight: f64) -> Result<u64> {
        let index = self.len();
        if label.abs() != 1.0 {
            return Err(Error::Entry { what: "label", index, value: label, expected: "1 or -1" });
        }
        if !(weight >= 0.0 && weight * self.cost <= LARGEST_COST) {
            let expected = "a number of at least 0 that makes a cost of at most 1e12";
            return Err(Error::Entry { what: "weight", index, value: weight, expected });
        }
        let own = self.memory.own_value(item)?;
        let mut row = Vec::new();
        self.memory.compare(item, &mut row)?;
        self.memory.remember(item)?;
        self.largest = self.largest.max(own.abs());
        for (of, &slot) in self.rows.iter_mut().zip(&self.margin) {
            of.push(row[slot]);
        }
        self.scores.push(self.beta.value(-label, &row));
        self.labels.push(label);
        self.weights.push(weight);
        self.beta.push(0.0);
        self.is_on_margin.push(false);
        let id = self.next_id;
        self.ids.push(id);
        self.next_id += 1;
        let residual = self.scores[self.len() - 1] + self.offset;
        if self.margin.is_empty() || residual * label < 0.0 {
            let found = self.optimize_as_far_as_possible()?;
            self.settle(found)?;
        }
        Ok(id)
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
        if self.beta.rounded[c] == 0.0 && !self.margin.is_empty() {
            self.drop_slot(c);
            return Ok(());
        }
        let found = self.drain(c)?;
        if found.is_err() {
            // The batch solver finds coefficients of the others from the beginning.
            self.forget_coefficients();
        }
        self.drop_slot(c);
        let found = match found {
            Ok(()) => self.optimize_as_far_as_possible()?,
            stuck => stuck,
        };
        self.settle(found)
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
            self.check_interrupt()?;
            // Without an example of no coefficient nothing changes, unless the offset is not unique.
            if self.beta.rounded[slot] == 0.0 && !self.margin.is_empty() {
                found.push(self.scores[slot] + self.labels[slot] + self.offset);
                continue;
            }
            self.memory.compare_own(slot, &mut row)?;
            row.swap_remove(slot);
            let mut without = self.clone();
            without.remove(self.ids[slot])?;
            found.push(without.beta.value(without.offset, &row));
        }
        Ok(found)
    }

    /// K\[slot, ·\]
    fn row(&self, slot: usize) -> Result<Vec<f64>> {
        let mut row = Vec::new();
        self.memory.compare_own(slot, &mut row)?;
        Ok(row)
    }

    /// The last slot takes the place of this one, which has no coefficient and is not on the margin.
    fn drop_slot(&mut self, slot: usize) {
        let last = self.len() - 1;
        self.memory.forget(slot);
        self.labels.swap_remove(slot);
        self.weights.swap_remove(slot);
        self.beta.swap_remove(slot);
        self.scores.swap_remove(slot);
        self.is_on_margin.swap_remove(slot);
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

    /// What is done after each change: where the exact update did not end, the batch solver; then the offset.
    fn settle(&mut self, found: Result<(), Stuck>) -> Result<()> {
        if found.is_err() {
            self.refit()?;
        }
        if self.margin.is_empty() {
            let inside = (0..self.len()).find(|&slot| self.can_move(slot, 1.0) && self.can_move(slot, -1.0));
            match inside {
                Some(slot) => {
                    let row = self.row(slot)?;
                    self.join_if_independent(slot, row);
                }
                None => self.offset = -self.middle(),
            }
        }
        if !self.margin.is_empty() {
            let total: f64 = self.margin.iter().map(|&slot| self.scores[slot]).sum();
            self.offset = -total / self.margin.len() as f64;
        }
        Ok(())
    }

    /// The middle of the interval that the conditions leave to −b.
    fn middle(&self) -> f64 {
        match self.extremes() {
            (Some(rises), Some(falls)) => 0.5 * (self.scores[rises] + self.scores[falls]),
            (Some(one), None) | (None, Some(one)) => self.scores[one],
            (None, None) => 0.0,
        }
    }

    /// What the conditions hold within.
    fn tolerance(&self, accuracy: Accuracy) -> f64 {
        let rounding = match accuracy {
            Accuracy::Full => self.rounding(),
            Accuracy::Plain => f64::EPSILON * self.largest * self.size(),
        };
        TOLERANCE + 8.0 * rounding
    }

    /// What rounding makes of scores that are computed from the coefficients.
    fn rounding(&self) -> f64 {
        f64::EPSILON * (self.offset.abs() + f64::EPSILON * self.largest * self.size())
    }

    /// What Σβ = 0 holds within.
    fn tolerance_of_sum(&self, accuracy: Accuracy) -> f64 {
        let plain = 64.0 * f64::EPSILON * self.size().max(self.largest_beta);
        match accuracy {
            Accuracy::Full => plain.min(TOLERANCE),
            Accuracy::Plain => plain,
        }
    }

    /// Σ α
    fn size(&self) -> f64 {
        self.beta.rounded.iter().map(|beta| beta.abs()).sum()
    }

    fn room(&self) -> f64 {
        (ROOM * self.largest_beta).min(0.1 * TOLERANCE / self.largest.max(f64::MIN_POSITIVE))
    }

    pub(in crate::machine::online) fn check_interrupt(&self) -> Result<()> {
        match &self.interrupt {
            Some(interrupt) if interrupt.is_raised() => Err(Error::Interrupted),
            _ => Interrupt::checkpoint(),
        }
    }

    /// Whether the scores can be relied on; if not, they are now, and conditions that were met may not be.
    fn is_fresh(&mut self, tolerance: f64) -> Result<bool> {
        if self.drift <= 0.25 * tolerance {
            return Ok(true);
        }
        self.refresh()?;
        Ok(false)
    }

    fn refresh(&mut self) -> Result<()> {
        self.scores = self.fresh_scores()?;
        self.drift = self.rounding();
        Ok(())
    }

    fn fresh_scores(&self) -> Result<Vec<f64>> {
        let mut scores = Sums::starting_at(self.labels.iter().map(|y| -y).collect());
        let mut row = Vec::new();
        for slot in (0..self.len()).filter(|&slot| self.beta.rounded[slot] != 0.0) {
            self.memory.compare_own(slot, &mut row)?;
            self.beta.add_to(&mut scores, slot, &row);
        }
        Ok(scores.rounded())
    }
}
