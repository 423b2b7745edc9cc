//! f(x) = Σ βᵢ k(xᵢ, x) + b over items that come and go.

use serde::{Deserialize, Serialize};

use super::budget::Budget;
use super::memory::Memory;
use crate::error::{Error, Result};
use crate::linalg::{Cholesky, Matrix};
use crate::resources::{Interrupt, Workers};

/// A function that learns: f(x) = Σ βᵢ k(xᵢ, x) + b over a [`Memory`].
///
/// The offset b = r Σ βᵢ is the weight of one more feature, which is √r for every item: r = 0 is no offset, r = 1 homogeneous
/// coordinates, and r = R² the bias step y·R² of the perceptron's table. So the machine has the kernel k + r and nothing else.
#[derive(Clone, Debug)]
pub struct GrowingFunction<M> {
    memory: M,
    state: FunctionState,
    /// k(xᵢ, xᵢ) + r.
    own: Vec<f64>,
    values: Vec<f64>,
}

/// All of a [`GrowingFunction`] but its memory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FunctionState {
    /// β, slot by slot.
    #[serde(skip)]
    pub coefficients: Vec<f64>,
    /// Σ δ·t over the steps δ that made up β, t examples having gone before; empty if no average is kept.
    #[serde(skip)]
    pub delayed: Vec<f64>,
    /// The numbers of the examples, slot by slot.
    #[serde(skip)]
    pub ids: Vec<u64>,
    /// When they were remembered: the smaller, the earlier.
    #[serde(skip)]
    pub born: Vec<u64>,
    /// r
    pub constant: f64,
    /// b
    pub offset: f64,
    /// Σ δ·t of the offset.
    pub delayed_offset: f64,
    /// Whether an average over all examples is kept.
    pub averaging: bool,
    /// Items that may be remembered.
    pub budget: Budget,
    /// Weights of the examples seen: their number where none has another weight than 1.
    pub clock: f64,
    /// Items that were ever remembered.
    pub births: u64,
}

impl<M: Memory> GrowingFunction<M> {
    pub(super) fn new(memory: M, constant: f64, budget: Budget, averaging: bool) -> Self {
        let state = FunctionState { constant, budget, averaging, ..FunctionState::default() };
        GrowingFunction { memory, state, own: Vec::new(), values: Vec::new() }
    }

    /// Joins a memory and what belongs to it.
    pub(super) fn join(memory: M, state: FunctionState) -> Result<Self> {
        let lengths = [
            ("coefficients (one per item)", state.coefficients.len()),
            ("numbers of examples (one per item)", state.ids.len()),
            ("times (one per item)", state.born.len()),
            ("delays (one per item)", if state.averaging { state.delayed.len() } else { memory.len() }),
        ];
        for (what, found) in lengths {
            if found != memory.len() {
                return Err(Error::Shape { what, expected: memory.len(), found });
            }
        }
        for (what, values) in [("coefficient", &state.coefficients), ("delay", &state.delayed)] {
            if let Some(index) = values.iter().position(|value| !value.is_finite()) {
                return Err(Error::Entry { what, index, value: values[index], expected: "a finite number" });
            }
        }
        let parts = [
            ("bias step", state.constant),
            ("offset", state.offset),
            ("delay", state.delayed_offset),
            ("clock", state.clock),
        ];
        if let Some(&(name, value)) = parts.iter().find(|(_, value)| !value.is_finite()) {
            return Err(Error::Parameter { name, value, expected: "a finite number" });
        }
        if state.constant < 0.0 {
            let expected = "a finite number of at least 0";
            return Err(Error::Parameter { name: "bias step", value: state.constant, expected });
        }
        state.budget.check()?;
        if let Some(most) = state.budget.items().filter(|&most| memory.len() > most) {
            return Err(Error::Shape {
                what: "items (at most the budget)",
                expected: most,
                found: memory.len(),
            });
        }
        let own = |slot| Ok(memory.own_value_at(slot)? + state.constant);
        let own = (0..memory.len()).map(own).collect::<Result<_>>()?;
        Ok(GrowingFunction { memory, state, own, values: Vec::new() })
    }

    /// The items.
    pub fn memory(&self) -> &M {
        &self.memory
    }

    pub(super) fn memory_mut(&mut self) -> &mut M {
        &mut self.memory
    }

    /// Coefficients, offset and counters.
    pub fn state(&self) -> &FunctionState {
        &self.state
    }

    /// β, slot by slot.
    pub fn coefficients(&self) -> &[f64] {
        &self.state.coefficients
    }

    /// b
    pub fn offset(&self) -> f64 {
        self.state.offset
    }

    /// f(x). O(remembered items) kernel values.
    ///
    /// # Errors
    /// An item that the kernel is not defined on.
    pub fn value(&self, item: M::Item<'_>) -> Result<f64> {
        let mut values = Vec::new();
        self.memory.compare(item, &mut values)?;
        Ok(sum(&self.state.coefficients, &values) + self.state.offset)
    }

    /// The mean of f(x) over all the functions that there were, one for each example.
    ///
    /// # Errors
    /// As [`GrowingFunction::value`]; [`Error::Unsupported`] if no average is kept.
    pub fn averaged_value(&self, item: M::Item<'_>) -> Result<f64> {
        let (coefficients, offset) = self.averaged()?;
        let mut values = Vec::new();
        self.memory.compare(item, &mut values)?;
        Ok(sum(&coefficients, &values) + offset)
    }

    /// β and b of the mean of all functions that there were: a step δ that was made when t of n examples (the weights of t and n) had been seen
    /// counts (n − t)/n.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if no average is kept.
    pub fn averaged(&self) -> Result<(Vec<f64>, f64)> {
        let state = &self.state;
        if !state.averaging {
            return Err(Error::Unsupported {
                what: "the machine keeps no average: ask for one first".into(),
            });
        }
        let examples = if state.clock > 0.0 { state.clock } else { 1.0 };
        let mean = |(&beta, &delayed): (&f64, &f64)| beta - delayed / examples;
        let coefficients = state.coefficients.iter().zip(&state.delayed).map(mean).collect();
        Ok((coefficients, state.offset - state.delayed_offset / examples))
    }

    /// ‖w‖² = Σᵢⱼ βᵢβⱼ (k(xᵢ, xⱼ) + r). O(remembered items²) kernel values.
    ///
    /// # Errors
    /// A kernel that fails.
    pub fn squared_norm(&self) -> Result<f64> {
        let (mut total, mut values) = (0.0, Vec::new());
        for (slot, beta) in self.state.coefficients.iter().enumerate() {
            Interrupt::checkpoint()?;
            self.memory.compare_own(slot, &mut values)?;
            total += beta * (sum(&self.state.coefficients, &values) + self.state.offset);
        }
        Ok(total)
    }

    /// f(x) and k(x, x) + r, without a new vector for each example.
    pub(super) fn look(&mut self, item: M::Item<'_>) -> Result<(f64, f64)> {
        self.memory.compare(item, &mut self.values)?;
        let value = sum(&self.state.coefficients, &self.values) + self.state.offset;
        Ok((value, self.memory.own_value(item)? + self.state.constant))
    }

    /// One more example was seen.
    pub(super) fn tick(&mut self, weight: f64) {
        self.state.clock += weight;
    }

    /// Where the example of this number stands.
    pub(super) fn slot_of(&self, id: u64) -> Option<usize> {
        self.state.ids.iter().position(|&other| other == id)
    }

    /// Whether a step leaves finite numbers everywhere but in coefficients that a projection changes.
    pub(super) fn can_step(&self, coefficient: f64, step: f64) -> bool {
        let (state, time) = (&self.state, self.state.clock);
        let offset = step * state.constant;
        [coefficient + step, state.offset + offset, step * time, state.delayed_offset + offset * time]
            .iter()
            .all(|number| number.is_finite())
    }

    /// Remembers an item without a coefficient, and finds what will leave the budget for it. On an error nothing has changed.
    pub(super) fn admit(&mut self, item: M::Item<'_>, own: f64, id: u64, step: f64) -> Result<Departure> {
        self.memory.remember(item)?;
        self.own.push(own);
        let state = &mut self.state;
        state.coefficients.push(0.0);
        if state.averaging {
            state.delayed.push(0.0);
        }
        state.ids.push(id);
        state.born.push(state.births);
        state.births += 1;
        let departure = self.departure(step);
        if departure.is_err() {
            self.dismiss();
        }
        departure
    }

    /// Undoes [`admit`](Self::admit).
    pub(super) fn dismiss(&mut self) {
        self.memory.forget(self.memory.len() - 1);
        self.own.pop();
        self.state.coefficients.pop();
        if self.state.averaging {
            self.state.delayed.pop();
        }
        self.state.ids.pop();
        self.state.born.pop();
        self.state.births -= 1;
    }

    /// Gives the item that was admitted its coefficient; what leaves the budget goes.
    pub(super) fn add(&mut self, step: f64, departure: Departure) {
        self.change(self.memory.len() - 1, step);
        let Departure { slot: Some(slot), shares } = departure else { return };
        let state = &mut self.state;
        let (beta, delayed) = (state.coefficients[slot], state.delayed.get(slot).copied());
        for (other, share) in shares {
            state.coefficients[other] += beta * share;
            state.offset += beta * share * state.constant;
            if let Some(delayed) = delayed {
                state.delayed[other] += delayed * share;
                state.delayed_offset += delayed * share * state.constant;
            }
        }
        self.forget(slot);
    }

    /// Adds to a coefficient; an item without one is forgotten, unless the average needs it.
    pub(super) fn step(&mut self, slot: usize, step: f64) {
        self.change(slot, step);
        if self.state.coefficients[slot] == 0.0 && !self.state.averaging {
            self.forget(slot);
        }
    }

    fn change(&mut self, slot: usize, step: f64) {
        let state = &mut self.state;
        let (time, to_offset) = (state.clock, step * state.constant);
        state.coefficients[slot] += step;
        state.offset += to_offset;
        if state.averaging {
            state.delayed[slot] += step * time;
            state.delayed_offset += to_offset * time;
        }
    }

    fn forget(&mut self, slot: usize) {
        let beta = self.state.coefficients[slot];
        // Its share of the offset goes with it; what its past adds to the average goes too.
        self.state.offset -= beta * self.state.constant;
        if self.state.averaging {
            let delayed = self.state.delayed.swap_remove(slot);
            self.state.delayed_offset -= delayed * self.state.constant;
        }
        self.memory.forget(slot);
        self.own.swap_remove(slot);
        self.state.coefficients.swap_remove(slot);
        self.state.ids.swap_remove(slot);
        self.state.born.swap_remove(slot);
        if self.memory.is_empty() {
            // Whatever rounding left.
            self.state.offset = 0.0;
        }
    }

    /// What leaves the budget when the newest item gets its coefficient.
    fn departure(&mut self, step: f64) -> Result<Departure> {
        let is_full = self.state.budget.items().is_some_and(|most| self.memory.len() > most);
        if !is_full {
            return Ok(Departure { slot: None, shares: Vec::new() });
        }
        let slot = self.least();
        let shares = match self.state.budget {
            Budget::Project { .. } => self.shares(slot, step)?,
            _ => Vec::new(),
        };
        Ok(Departure { slot: Some(slot), shares })
    }

    /// The slot with the smallest ‖βφ(x)‖, the newest left out; of equal ones the oldest.
    fn least(&self) -> usize {
        let size = |slot: usize| self.state.coefficients[slot].powi(2) * self.own[slot];
        let before = |&a: &usize, &b: &usize| {
            size(a).total_cmp(&size(b)).then(self.state.born[a].cmp(&self.state.born[b]))
        };
        (0..self.memory.len() - 1).min_by(before).unwrap_or(0)
    }

    /// The shares a of the other items in Σ aᵢ φ(xᵢ), which is nearest to φ(x) of this slot and takes its place, now and in all functions
    /// that there were: (K + r) a = k(x, ·) + r.
    fn shares(&mut self, slot: usize, step: f64) -> Result<Vec<(usize, f64)>> {
        let others: Vec<usize> = (0..self.memory.len()).filter(|&other| other != slot).collect();
        let (n, r) = (others.len(), self.state.constant);
        let mut kernel = Vec::with_capacity(n * n);
        for &other in &others {
            Interrupt::checkpoint()?;
            self.memory.compare_own(other, &mut self.values)?;
            kernel.extend(others.iter().map(|&column| self.values[column] + r));
        }
        self.memory.compare_own(slot, &mut self.values)?;
        let mut shares: Vec<f64> = others.iter().map(|&other| self.values[other] + r).collect();
        let (factor, _) = Cholesky::with_jitter(Matrix::new(kernel, n, n)?, &Workers::serial())?;
        factor.solve(&mut shares)?;
        let (state, newest) = (&self.state, self.memory.len() - 1);
        let (beta, delayed) = (state.coefficients[slot], state.delayed.get(slot).copied().unwrap_or(0.0));
        let (mut offset, mut delayed_offset) = (state.offset, state.delayed_offset);
        for (&other, &share) in others.iter().zip(&shares) {
            let own_step = if other == newest { step } else { 0.0 };
            let before = state.delayed.get(other).copied().unwrap_or(0.0) + own_step * state.clock;
            offset += beta * share * r + own_step * r;
            delayed_offset += (delayed * share + own_step * state.clock) * r;
            let after = [
                state.coefficients[other] + own_step + beta * share,
                before + delayed * share,
                offset,
                delayed_offset,
            ];
            if let Some(&value) = after.iter().find(|number| !number.is_finite()) {
                let expected = "a finite number: the coefficients outgrow the range of numbers";
                return Err(Error::Entry { what: "projected coefficient", index: other, value, expected });
            }
        }
        Ok(others.into_iter().zip(shares).collect())
    }
}

/// What leaves a budget, and what it leaves to the others.
#[derive(Debug)]
pub(super) struct Departure {
    slot: Option<usize>,
    /// Slots and their shares; none if what leaves is removed.
    shares: Vec<(usize, f64)>,
}

/// In the order of slots.
pub(super) fn sum(coefficients: &[f64], values: &[f64]) -> f64 {
    coefficients.iter().zip(values).fold(0.0, |total, (beta, value)| total + beta * value)
}
