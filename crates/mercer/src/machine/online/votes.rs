//! The voted perceptron: every function on the way has as many votes as examples in a row that it was right about.
//!
//! ```text
//! sgn Σₖ cₖ sgn fₖ(x),   fₖ = fₖ₋₁ + yₖ k(xₖ, ·)
//! ```
//!
//! All fₖ(x) are found in one walk along the updates, so that it costs no more kernel values than one function does.
//! (Y. Freund, R. Schapire: Large margin classification using the perceptron algorithm, Machine Learning 37 (1999).)

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The updates of a perceptron in their order, and how long each function lasted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Votes {
    /// Slot and step of each update.
    updates: Vec<(u64, f64)>,
    /// Examples that each function was right about; the first one is that before all updates.
    survived: Vec<u64>,
}

impl Votes {
    pub(super) fn update(&mut self, slot: usize, step: f64) {
        if self.survived.is_empty() {
            self.survived.push(0);
        }
        self.updates.push((slot as u64, step));
        self.survived.push(0);
    }

    pub(super) fn survived(&mut self) {
        match self.survived.last_mut() {
            Some(last) => *last += 1,
            None => self.survived.push(1),
        }
    }

    /// Σ cₖ sgn fₖ(x), given k(xᵢ, x) of all slots and r. A function that was never right has one vote, as in Freund and Schapire.
    pub(super) fn count(&self, values: &[f64], constant: f64) -> f64 {
        let (mut value, mut total) = (0.0, 0.0);
        for (&(slot, step), &survived) in self.updates.iter().zip(self.survived.iter().skip(1)) {
            value += step * (values[slot as usize] + constant);
            let votes = (survived + 1) as f64;
            total += if value > 0.0 { votes } else { -votes };
        }
        total
    }

    pub(super) fn check(&self, items: usize) -> Result<()> {
        match self.updates.iter().position(|&(slot, step)| slot >= items as u64 || !step.is_finite()) {
            Some(index) => {
                let value = self.updates[index].0 as f64;
                Err(Error::Entry { what: "vote", index, value, expected: "the slot of an item" })
            }
            None => Ok(()),
        }
    }
}
