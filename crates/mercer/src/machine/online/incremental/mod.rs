//! The exact support vector machine of examples that come and go.

mod active_set;
mod direction;
mod inverse;
mod refit;

use super::function::sum;
use super::memory::Memory;
use crate::error::{Error, Result};
use crate::resources::{Interrupt, default_budget};
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
/// other, so that no ridge is needed. The conditions of optimality hold within 1e-9 (or rounding, where values of f are sums of larger numbers).
/// Where rounding defeats the exact update, the machine is trained by the batch solver, and [`IncrementalSvc::refits`] counts it. Where the offset is
/// not unique it is that of [`Svc`](crate::machine::Svc): the middle of its interval.
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
    /// β = yα
    beta: Vec<f64>,
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

/// A coefficient this near to a bound, as a multiple of the largest one, is at it.
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
            beta: Vec::new(),
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

    /// How many changes the batch solver made, because rounding defeated the exact update.
    ///
    /// ```
    /// use mercer::machine::online::{IncrementalSvc, Remembered};
    /// let mut machine = IncrementalSvc::new(Remembered::new(|x: &f64, z: &f64| x * z), 1.0)?;
    /// machine.add(&1.0, 1.0)?;
    /// machine.add(&-1.0, -1.0)?;
    /// assert_eq!(machine.refits(), 0);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn refits(&self) -> u64 {
        self.refits
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
        self.beta.clone()
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
        Ok(sum(&self.beta, &values) + self.offset)
    }

    /// The dual objective Σ α − ½ αᵀQα.
    pub fn objective(&self) -> f64 {
        let half = |((beta, y), score): ((&f64, &f64), &f64)| 0.5 * beta * (y - score);
        self.beta.iter().zip(&self.labels).zip(&self.scores).map(half).sum()
    }

    /// Adds an example; its number, by which it can be removed.
    ///
    /// # Errors
    /// [`Error::Entry`] for a label that is not ±1, an item that the kernel is not defined on: nothing has changed then.
    /// [`Error::NoConvergence`] if neither the exact update nor the batch solver ends at the conditions of optimality, [`Error::Budget`] if
    /// the batch solver is needed and K is too large, [`Error::Interrupted`].
    pub fn add(&mut self, item: M::Item<'_>, label: f64) -> Result<u64> {
        if label.abs() != 1.0 {
            let expected = "1 or -1";
            return Err(Error::Entry { what: "label", index: self.len(), value: label, expected });
        }
        let own = self.memory.own_value(item)?;
        let mut row = Vec::new();
        self.memory.compare(item, &mut row)?;
        self.memory.remember(item)?;
        self.largest = self.largest.max(own.abs());
        for (of, &slot) in self.rows.iter_mut().zip(&self.margin) {
            of.push(row[slot]);
        }
        self.scores.push(sum(&self.beta, &row) - label);
        self.labels.push(label);
        self.beta.push(0.0);
        self.is_on_margin.push(false);
        let id = self.next_id;
        self.ids.push(id);
        self.next_id += 1;
        let residual = self.scores[self.len() - 1] + self.offset;
        if self.margin.is_empty() || residual * label < 0.0 {
            let found = self.optimize()?;
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
        if self.beta[c] == 0.0 && !self.margin.is_empty() {
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
            Ok(()) => self.optimize()?,
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
            if self.beta[slot] == 0.0 && !self.margin.is_empty() {
                found.push(self.scores[slot] + self.labels[slot] + self.offset);
                continue;
            }
            self.memory.compare_own(slot, &mut row)?;
            row.swap_remove(slot);
            let mut without = self.clone();
            without.remove(self.ids[slot])?;
            found.push(sum(&without.beta, &row) + without.offset);
        }
        Ok(found)
    }

    /// By how much the conditions of optimality are violated, at most, with all values computed from the coefficients. O(examples · support
    /// vectors) kernel values.
    ///
    /// # Errors
    /// A kernel that fails.
    pub fn violation(&self) -> Result<f64> {
        let mut worst = self.beta.iter().sum::<f64>().abs();
        for (slot, score) in self.fresh_scores()?.into_iter().enumerate() {
            let (residual, beta) = (score + self.offset, self.beta[slot]);
            worst = worst.max(self.lower(slot) - beta).max(beta - self.upper(slot));
            if beta < self.upper(slot) {
                worst = worst.max(-residual);
            }
            if beta > self.lower(slot) {
                worst = worst.max(residual);
            }
        }
        Ok(worst)
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
    fn tolerance(&self) -> f64 {
        TOLERANCE + 8.0 * self.rounding()
    }

    /// What rounding makes of the scores.
    fn rounding(&self) -> f64 {
        f64::EPSILON * self.largest * self.size()
    }

    fn rounding_of_sum(&self) -> f64 {
        64.0 * f64::EPSILON * self.size().max(self.largest_beta)
    }

    /// Σ α
    fn size(&self) -> f64 {
        self.beta.iter().map(|beta| beta.abs()).sum()
    }

    fn room(&self) -> f64 {
        ROOM * self.largest_beta
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
        let mut scores: Vec<f64> = self.labels.iter().map(|y| -y).collect();
        let mut row = Vec::new();
        for (slot, &beta) in self.beta.iter().enumerate().filter(|(_, beta)| **beta != 0.0) {
            self.memory.compare_own(slot, &mut row)?;
            scores.iter_mut().zip(&row).for_each(|(score, k)| *score += beta * k);
        }
        Ok(scores)
    }
}
