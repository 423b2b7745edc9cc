//! From one exact solution to the next: the coefficient of one item moves, all others follow so that theirs stay optimal.
//!
//! While nobody changes its place, b and the coefficients of the margin are linear in the one that moves; the inverse of their matrix says
//! how. The way ends, or goes on in another direction, where the first item changes its place.

use super::{IncrementalSvc, Place};
use crate::error::{Error, Result};
use crate::machine::online::Memory;

/// What the moving coefficient is to become.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Goal {
    /// Larger, until it is optimal.
    Raised,
    /// Smaller, until it is optimal.
    Lowered,
    /// 0, optimal or not.
    Removed,
}

/// Who changes its place next, and after how much of the way.
pub(super) struct Event {
    pub length: f64,
    pub what: What,
    /// The slot of who changes it; none for the moving item, which comes before all others.
    pub who: Option<usize>,
}

pub(super) enum What {
    /// The moving item is where it should be: on the margin, at the cost, or gone.
    Arrived(Place),
    /// The item at this position of the margin leaves it.
    Leaves(usize, Place),
    /// This item comes to the margin.
    Comes(usize),
}

/// Rates are compared with this multiple of the largest k(x, x): less is rounding. The ridge makes true rates a hundred times larger, and
/// rounding divided by the ridge is a hundred times smaller.
const NO_RATE: f64 = 1e-8;

impl<M: Memory> IncrementalSvc<M> {
    /// Moves the coefficient of item c, which is not on the margin, to its goal. `row` are its kernel values with all items.
    pub(super) fn travel(&mut self, c: usize, row: &[f64], goal: Goal) -> Result<Place> {
        let sign = if goal == Goal::Raised { 1.0 } else { -1.0 };
        // Every step changes the place of an item; far more of them than there are items would be a circle.
        for _ in 0..100 * self.len() + 1000 {
            let (event, rates) = if self.margin.is_empty() {
                self.along_offset(c, sign * self.labels[c], goal)
            } else {
                self.along_coefficient(c, row, sign, goal)
            };
            let Some(Event { length, what, .. }) = event else {
                // Nobody is there who could take over what the removed item held: it held nothing.
                return Ok(Place::Other);
            };
            self.advance(c, sign, length, &rates);
            match what {
                What::Arrived(place) => return Ok(place),
                What::Leaves(position, place) => self.leave_margin(position, place),
                What::Comes(slot) => self.join_margin(slot)?,
            }
        }
        Err(Error::NoConvergence { what: "the exact update of the machine" })
    }

    /// Where nobody is on the margin only the offset can move.
    fn along_offset(&self, c: usize, direction: f64, goal: Goal) -> (Option<Event>, Rates) {
        let gradient: Vec<f64> = self.labels.iter().map(|y| y * direction).collect();
        let mut event = self.first_to_come(Some(c), &gradient, NO_RATE * self.largest);
        if goal != Goal::Removed {
            let what = What::Arrived(Place::Margin);
            event = earlier(event, Event { length: self.gradient[c].abs(), what, who: None });
        }
        (event, Rates { moving: 0.0, offset: direction, margin: Vec::new(), gradient })
    }

    fn along_coefficient(&self, c: usize, row: &[f64], sign: f64, goal: Goal) -> (Option<Event>, Rates) {
        let y = self.labels[c];
        let with_margin = self.margin.iter().map(|&i| y * self.labels[i] * row[i]);
        let column: Vec<f64> = std::iter::once(y).chain(with_margin).collect();
        let beta = self.inverse.times(&column);
        // Per unit of the moving coefficient, in the direction in which it moves.
        let offset = -sign * beta[0];
        let margin: Vec<f64> = beta[1..].iter().map(|b| -sign * b).collect();
        let mut gradient: Vec<f64> =
            (0..self.len()).map(|i| sign * self.labels[i] * y * row[i] + self.labels[i] * offset).collect();
        for ((&slot, of), rate) in self.margin.iter().zip(&self.rows).zip(&margin) {
            let signed = rate * self.labels[slot];
            gradient.iter_mut().zip(of).zip(&self.labels).for_each(|((g, k), y)| *g += signed * k * y);
        }
        let event = self.first_to_come(Some(c), &gradient, NO_RATE * self.largest);
        let mut event = self.first_to_leave(event, &margin);
        let (left, place) = match goal {
            Goal::Raised => (self.cost - self.alpha[c], Place::AtCost),
            Goal::Lowered | Goal::Removed => (self.alpha[c], Place::Other),
        };
        event = earlier(event, Event { length: left.max(0.0), what: What::Arrived(place), who: None });
        // Its own condition comes nearer, unless the margin already fixes it.
        if goal != Goal::Removed && sign * gradient[c] > NO_RATE * self.largest {
            let length = (self.gradient[c] / gradient[c]).abs();
            event = earlier(event, Event { length, what: What::Arrived(Place::Margin), who: None });
        }
        (event, Rates { moving: 1.0, offset, margin, gradient })
    }

    /// The first item, but for the one that moves, whose value reaches the margin, at those rates that are above the least.
    pub(super) fn first_to_come(&self, c: Option<usize>, rates: &[f64], least: f64) -> Option<Event> {
        let mut event = None;
        for (slot, &rate) in rates.iter().enumerate() {
            let toward = match self.places[slot] {
                Place::AtCost => rate,
                Place::Other => -rate,
                Place::Margin => continue,
            };
            if Some(slot) == c || toward <= least {
                continue;
            }
            let length = (self.gradient[slot].abs() / toward).max(0.0);
            event = earlier(event, Event { length, what: What::Comes(slot), who: Some(slot) });
        }
        event
    }

    /// The first of what comes and who leaves the margin, at these rates.
    pub(super) fn first_to_leave(&self, mut event: Option<Event>, margin: &[f64]) -> Option<Event> {
        for (position, &rate) in margin.iter().enumerate() {
            let slot = self.margin[position];
            let alpha = self.alpha[slot];
            let (left, place) = match rate {
                rate if rate > 0.0 => (self.cost - alpha, Place::AtCost),
                rate if rate < 0.0 => (alpha, Place::Other),
                _ => continue,
            };
            let length = (left / rate.abs()).max(0.0);
            let what = What::Leaves(position, place);
            event = earlier(event, Event { length, what, who: Some(slot) });
        }
        event
    }

    fn advance(&mut self, c: usize, sign: f64, length: f64, rates: &Rates) {
        self.alpha[c] += sign * rates.moving * length;
        self.follow(length, rates);
    }

    /// The margin, the offset and all values go so far at these rates.
    pub(super) fn follow(&mut self, length: f64, rates: &Rates) {
        self.offset += rates.offset * length;
        for (&slot, rate) in self.margin.iter().zip(&rates.margin) {
            self.alpha[slot] += rate * length;
        }
        for (g, rate) in self.gradient.iter_mut().zip(&rates.gradient) {
            *g += rate * length;
        }
        for &slot in &self.margin {
            self.gradient[slot] = 0.0;
        }
    }
}

/// What changes per unit of the way.
pub(super) struct Rates {
    pub moving: f64,
    pub offset: f64,
    pub margin: Vec<f64>,
    pub gradient: Vec<f64>,
}

/// The event that comes first. Where many items are at their turning points at once, as all of a class are before there is another, the
/// least slot goes first: with another order they may come and leave in a circle (K. G. Murty: Note on a Bard-type scheme for solving the
/// complementarity problem, 1974).
pub(super) fn earlier(event: Option<Event>, other: Event) -> Option<Event> {
    match event {
        Some(event) if (event.length, event.who) <= (other.length, other.who) => Some(event),
        _ => Some(other),
    }
}
