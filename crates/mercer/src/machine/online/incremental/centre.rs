//! The point p that the ridge draws to follows the coefficients, so that in the end it draws nowhere.

use super::path::{Event, Rates, What};
use super::{IncrementalSvc, VISIBLE};
use crate::error::{Error, Result};
use crate::machine::online::Memory;

/// Times that p follows α, at most. Each takes away a share r/(r + λ) of what is left in the direction of an eigenvalue λ of Q.
const ROUNDS: usize = 100;

/// Rates below this multiple of what rounding has to do with are rounding.
const NO_RATE: f64 = 1e-12;

impl<M: Memory> IncrementalSvc<M> {
    /// Moves p to α, all coefficients following so that they stay optimal, until r|α − p| does not show in any value.
    pub(super) fn take_out_ridge(&mut self) -> Result<()> {
        for _ in 0..ROUNDS {
            let way: Vec<f64> = self.alpha.iter().zip(&self.centre).map(|(alpha, p)| alpha - p).collect();
            let longest = way.iter().fold(0.0, |most: f64, step| most.max(step.abs()));
            if self.ridge * longest <= VISIBLE {
                break;
            }
            self.move_centre(&way)?;
        }
        Ok(())
    }

    fn move_centre(&mut self, way: &[f64]) -> Result<()> {
        let mut left = 1.0;
        // As many steps as in the way of a coefficient would be a circle here too.
        for _ in 0..100 * self.len() + 1000 {
            let (event, rates) = self.along_centre(way);
            let length = event.as_ref().map_or(left, |event| event.length.min(left));
            self.centre.iter_mut().zip(way).for_each(|(p, step)| *p += step * length);
            self.follow(length, &rates);
            left -= length;
            match event {
                Some(Event { what: What::Leaves(position, place), length: at, .. }) if at <= length => {
                    self.leave_margin(position, place);
                }
                Some(Event { what: What::Comes(slot), length: at, .. }) if at <= length => {
                    self.join_margin(slot)?;
                }
                _ => return Ok(()),
            }
        }
        Err(Error::NoConvergence { what: "the exact update of the machine" })
    }

    /// While p moves, values change by −r(step of p), and the margin makes good for it.
    fn along_centre(&self, way: &[f64]) -> (Option<Event>, Rates) {
        let mut gradient: Vec<f64> = way.iter().map(|step| -self.ridge * step).collect();
        let (mut offset, mut margin) = (0.0, Vec::new());
        if !self.margin.is_empty() {
            let drawn: Vec<f64> =
                std::iter::once(0.0).chain(self.margin.iter().map(|&slot| gradient[slot])).collect();
            let answer = self.inverse.times(&drawn);
            offset = -answer[0];
            margin = answer[1..].iter().map(|rate| -rate).collect();
        }
        gradient.iter_mut().zip(&self.labels).for_each(|(g, y)| *g += y * offset);
        for ((&slot, of), rate) in self.margin.iter().zip(&self.rows).zip(&margin) {
            let signed = rate * self.labels[slot];
            gradient.iter_mut().zip(of).zip(&self.labels).for_each(|((g, k), y)| *g += signed * k * y);
        }
        let fastest = margin.iter().fold(0.0, |most: f64, rate| most.max(rate.abs()));
        let event = self.first_to_come(None, &gradient, NO_RATE * self.largest * fastest);
        let event = self.first_to_leave(event, &margin);
        (event, Rates { moving: 0.0, offset, margin, gradient })
    }
}
