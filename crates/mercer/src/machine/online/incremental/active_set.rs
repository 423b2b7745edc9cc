//! From any feasible coefficients to optimal ones, by an active-set method.
//!
//! The margin is a set of items whose coefficients are free and whose matrix [0 1ᵀ; 1 K] can be inverted. An item whose condition is
//! violated moves, and the margin follows so that its own conditions hold. The item stops at a bound, or where it is optimal, and then joins the
//! margin. Where an item of the margin reaches a bound first, it leaves, and the item goes on with the others. An item that depends on the margin,
//! as a repeated row does, meets no curvature: it goes on until somebody reaches a bound, and takes the place of that one. The objective falls
//! with every step that is not 0, and a step of 0 makes the margin smaller, so that the method ends.

use super::direction::Direction;
use super::{Accuracy, IncrementalSvc, Stuck};
use crate::error::Result;
use crate::machine::online::Memory;

/// Curvatures up to this multiple of the largest k(x, x) may be rounding.
const NO_CURVATURE: f64 = 1e-14;

/// Items of less curvature, as a multiple of the largest k(x, x), do not join the margin: the inverse would lose its digits.
const JOINING: f64 = 1e-11;

/// Corrections one after the other that leave what they should take out are of no use.
const CORRECTIONS: usize = 20;

/// Ends that are none, once the values are computed from the coefficients: more of them are rounding.
const MOST_ENDS: usize = 30;

/// Rates of coefficients up to this multiple of the largest one are rounding.
const NO_RATE: f64 = 1e-14;

/// What ends a step.
enum Event {
    /// The moving item is at its bound.
    Bound(f64),
    /// It is optimal.
    Optimal,
    /// The item at this position of the margin is at this bound.
    Leaves(usize, f64),
}

impl<M: Memory> IncrementalSvc<M> {
    /// Moves items until all conditions hold as closely as coefficients can carry it, or else as closely as plain sums can.
    pub(super) fn optimize_as_far_as_possible(&mut self) -> Result<Result<(), Stuck>> {
        match self.optimize(Accuracy::Full)? {
            Ok(()) => Ok(Ok(())),
            Err(Stuck) => self.optimize(Accuracy::Plain),
        }
    }

    /// Moves items until all conditions hold within the tolerance. The coefficients are feasible at every moment.
    fn optimize(&mut self, accuracy: Accuracy) -> Result<Result<(), Stuck>> {
        let (mut corrections, mut ends) = (0, 0);
        // Far more moves than there are items are rounding.
        for _ in 0..10 * self.len() + 200 {
            self.check_interrupt()?;
            let tolerance = self.tolerance(accuracy);
            if self.margin.is_empty() {
                let Some((rises, falls)) = self.violating_pair(tolerance) else {
                    if self.is_fresh(tolerance)? && self.is_tidy()? {
                        return Ok(Ok(()));
                    }
                    ends += 1;
                    if ends > MOST_ENDS {
                        return Ok(Err(Stuck));
                    }
                    continue;
                };
                self.start_margin(rises)?;
                if self.travel(falls)?.is_err() {
                    return Ok(Err(Stuck));
                }
                continue;
            }
            let residual =
                self.margin.iter().fold(0.0, |most: f64, &slot| most.max(self.residual(slot).abs()));
            let sum = self.beta.sum();
            if residual > tolerance || sum.abs() > self.tolerance_of_sum(accuracy) {
                corrections += 1;
                if corrections > CORRECTIONS || self.correct(sum).is_err() {
                    return Ok(Err(Stuck));
                }
                continue;
            }
            corrections = 0;
            match self.worst(tolerance) {
                // Rounding may have made it up.
                Some(slot)
                    if self.residual(slot).abs() <= 2.0 * self.drift && self.drift > 0.25 * tolerance =>
                {
                    self.refresh()?;
                    ends += 1;
                    if ends > MOST_ENDS {
                        return Ok(Err(Stuck));
                    }
                }
                Some(slot) if self.travel(slot)?.is_err() => return Ok(Err(Stuck)),
                Some(_) => {}
                None if self.is_fresh(tolerance)? && self.is_tidy()? => return Ok(Ok(())),
                None => {
                    ends += 1;
                    if ends > MOST_ENDS {
                        return Ok(Err(Stuck));
                    }
                }
            }
        }
        Ok(Err(Stuck))
    }

    /// Takes the coefficient of an item to 0, optimal or not.
    pub(super) fn drain(&mut self, c: usize) -> Result<Result<(), Stuck>> {
        let row = self.row(c)?;
        if let Some(position) = self.margin.iter().position(|&slot| slot == c) {
            self.leave_margin(position);
        }
        for _ in 0..10 * self.len() + 200 {
            if self.beta.rounded[c] == 0.0 {
                return Ok(Ok(()));
            }
            self.check_interrupt()?;
            let moving = -self.beta.rounded[c].signum();
            if self.margin.is_empty() {
                let Some(partner) = self.partner(c, moving) else {
                    // Nobody is there who could take over what it held: it held rounding.
                    let held = self.beta.rounded[c];
                    self.beta.set(c, 0.0);
                    self.scores.iter_mut().zip(&row).for_each(|(score, k)| *score -= held * k);
                    return Ok(Ok(()));
                };
                self.start_margin(partner)?;
            }
            let Some(direction) = self.direction_with_rebuilding(c, &row, moving) else {
                return Ok(Err(Stuck));
            };
            if self.margin.is_empty() {
                continue;
            }
            let (length, event) = self.first(&direction, (self.beta.way_to(c, 0.0).abs(), Event::Bound(0.0)));
            self.advance(Some(c), length, &direction);
            match event {
                Event::Leaves(position, bound) => self.leave_margin_at(position, bound),
                _ => self.beta.set(c, 0.0),
            }
        }
        Ok(Err(Stuck))
    }

    /// Moves an item towards its optimum, until it is there, at a bound, or the last of the margin.
    fn travel(&mut self, c: usize) -> Result<Result<(), Stuck>> {
        let row = self.row(c)?;
        loop {
            let residual = self.residual(c);
            let moving = -residual.signum();
            if !self.can_move(c, moving) || self.margin.is_empty() {
                return Ok(Ok(()));
            }
            let Some(direction) = self.direction_with_rebuilding(c, &row, moving) else {
                return Ok(Err(Stuck));
            };
            if self.margin.is_empty() {
                return Ok(Ok(()));
            }
            let curvature = moving * (direction.scores[c] + direction.offset);
            let bound = if moving > 0.0 { self.upper(c) } else { self.lower(c) };
            let mut limit = (self.beta.way_to(c, bound).abs(), Event::Bound(bound));
            if curvature > NO_CURVATURE * self.largest * direction.size {
                let length = residual.abs() / curvature;
                if length < limit.0 {
                    limit = (length, Event::Optimal);
                }
            }
            let (length, event) = self.first(&direction, limit);
            self.advance(Some(c), length, &direction);
            match event {
                Event::Bound(bound) => {
                    self.beta.set(c, bound);
                    return Ok(Ok(()));
                }
                Event::Optimal => {
                    if curvature > JOINING * self.largest {
                        let follow: Vec<f64> = std::iter::once(&direction.offset)
                            .chain(&direction.margin)
                            .map(|rate| moving * rate)
                            .collect();
                        self.inverse.expand(&follow, curvature);
                        self.put_on_margin(c, row);
                    }
                    return Ok(Ok(()));
                }
                Event::Leaves(position, bound) => self.leave_margin_at(position, bound),
            }
        }
    }

    /// Puts coefficients that rounding has left beside a bound at it, and takes those at a bound off the margin. Whether no value has changed.
    fn is_tidy(&mut self) -> Result<bool> {
        self.largest_beta = self.beta.rounded.iter().fold(0.0, |most, beta| most.max(beta.abs()));
        let mut tidy = true;
        for slot in 0..self.len() {
            let (lower, upper) = (self.lower(slot), self.upper(slot));
            let bound = match (self.can_move(slot, 1.0), self.can_move(slot, -1.0)) {
                (true, true) => continue,
                (true, false) => lower,
                (false, true) => upper,
                // All coefficients are 0.
                (false, false) => self.beta.rounded[slot],
            };
            if let Some(position) = self.margin.iter().position(|&other| other == slot) {
                self.leave_margin(position);
            }
            let step = self.beta.way_to(slot, bound);
            if step != 0.0 {
                let row = self.row(slot)?;
                self.scores.iter_mut().zip(&row).for_each(|(score, k)| *score += step * k);
                self.beta.set(slot, bound);
                tidy = false;
            }
        }
        Ok(tidy)
    }

    /// Takes out what rounding has left in the sum of the coefficients and in the values on the margin.
    fn correct(&mut self, sum: f64) -> Result<(), Stuck> {
        let target = |machine: &Self| -> Vec<f64> {
            std::iter::once(-sum).chain(machine.margin.iter().map(|&slot| -machine.residual(slot))).collect()
        };
        let direction = match self.direction_to(&target(self)) {
            Some(direction) => direction,
            None => {
                self.rebuild()?;
                self.direction_to(&target(self)).ok_or(Stuck)?
            }
        };
        let (length, event) = self.first(&direction, (1.0, Event::Optimal));
        self.advance(None, length, &direction);
        if let Event::Leaves(position, bound) = event {
            self.leave_margin_at(position, bound);
        }
        Ok(())
    }

    /// The direction of an item; if the inverse has lost its digits, with one that is computed from the beginning.
    fn direction_with_rebuilding(&mut self, c: usize, row: &[f64], moving: f64) -> Option<Direction> {
        if let Some(direction) = self.direction_of(c, row, moving) {
            return Some(direction);
        }
        self.rebuild().ok()?;
        self.direction_of(c, row, moving)
    }

    /// The inverse from the beginning. Items that hardly differ from the others leave the margin, and keep their coefficients.
    pub(super) fn rebuild(&mut self) -> Result<(), Stuck> {
        let (margin, rows) = (std::mem::take(&mut self.margin), std::mem::take(&mut self.rows));
        self.inverse = Default::default();
        for &slot in &margin {
            self.is_on_margin[slot] = false;
        }
        for (slot, row) in margin.into_iter().zip(rows) {
            self.join_if_independent(slot, row);
        }
        if self.margin.is_empty() { Err(Stuck) } else { Ok(()) }
    }

    /// Puts an item on the margin, unless it depends on those that are there.
    pub(super) fn join_if_independent(&mut self, slot: usize, row: Vec<f64>) {
        if self.margin.is_empty() {
            self.inverse.start(row[slot]);
            self.put_on_margin(slot, row);
            return;
        }
        let Some(direction) = self.direction_of(slot, &row, 1.0) else { return };
        let curvature = direction.scores[slot] + direction.offset;
        if curvature > JOINING * self.largest {
            let follow: Vec<f64> = std::iter::once(direction.offset).chain(direction.margin).collect();
            self.inverse.expand(&follow, curvature);
            self.put_on_margin(slot, row);
        }
    }

    /// The first event: that limit, or who leaves the margin before; of several at once the least slot.
    fn first(&self, direction: &Direction, limit: (f64, Event)) -> (f64, Event) {
        let fastest = direction.margin.iter().fold(direction.moving.abs(), |most, rate| most.max(rate.abs()));
        let (mut length, mut event) = limit;
        let mut who = None;
        for (position, &rate) in direction.margin.iter().enumerate() {
            if rate.abs() <= NO_RATE * fastest {
                continue;
            }
            let slot = self.margin[position];
            let bound = if rate > 0.0 { self.upper(slot) } else { self.lower(slot) };
            let at = (self.beta.way_to(slot, bound) / rate).max(0.0);
            if at < length || (at == length && who.is_some_and(|who| slot < who)) {
                (length, event, who) = (at, Event::Leaves(position, bound), Some(slot));
            }
        }
        (length, event)
    }

    fn advance(&mut self, c: Option<usize>, length: f64, direction: &Direction) {
        if let Some(c) = c {
            self.beta.shift(c, direction.moving * length, f64::NEG_INFINITY, f64::INFINITY);
        }
        self.offset += direction.offset * length;
        for (&slot, rate) in self.margin.iter().zip(&direction.margin) {
            let (label, cost) = (self.labels[slot], self.cost * self.weights[slot]);
            self.beta.shift(slot, rate * length, lower(label, cost), upper(label, cost));
        }
        self.scores.iter_mut().zip(&direction.scores).for_each(|(score, rate)| *score += rate * length);
        let largest = self
            .margin
            .iter()
            .chain(&c)
            .fold(self.largest_beta, |most, &slot| most.max(self.beta.rounded[slot].abs()));
        self.largest_beta = largest;
        self.drift += f64::EPSILON * self.largest * length * direction.size;
    }

    /// Who should rise and who should fall most, if the conditions allow for no offset.
    fn violating_pair(&self, tolerance: f64) -> Option<(usize, usize)> {
        let (rises, falls) = self.extremes();
        let (rises, falls) = (rises?, falls?);
        (self.scores[falls] - self.scores[rises] > 2.0 * tolerance).then_some((rises, falls))
    }

    /// The item of the least score that can rise, and that of the largest that can fall; of equal ones the least slot.
    pub(super) fn extremes(&self) -> (Option<usize>, Option<usize>) {
        let (mut rises, mut falls): (Option<usize>, Option<usize>) = (None, None);
        for (slot, &score) in self.scores.iter().enumerate() {
            if self.can_move(slot, 1.0) && rises.is_none_or(|best| score < self.scores[best]) {
                rises = Some(slot);
            }
            if self.can_move(slot, -1.0) && falls.is_none_or(|best| score > self.scores[best]) {
                falls = Some(slot);
            }
        }
        (rises, falls)
    }

    /// Who can take over best what the item c gives up in this direction.
    fn partner(&self, c: usize, moving: f64) -> Option<usize> {
        let others = (0..self.len()).filter(|&slot| slot != c && self.can_move(slot, -moving));
        others.min_by(|&a, &b| (-moving * self.scores[a]).total_cmp(&(-moving * self.scores[b])))
    }

    /// The item off the margin whose condition is violated most.
    fn worst(&self, tolerance: f64) -> Option<usize> {
        let mut found = None;
        let mut most = tolerance;
        for slot in 0..self.len() {
            let residual = self.scores[slot] + self.offset;
            if residual.abs() > most && !self.is_on_margin[slot] && self.can_move(slot, -residual.signum()) {
                (found, most) = (Some(slot), residual.abs());
            }
        }
        found
    }

    fn start_margin(&mut self, slot: usize) -> Result<()> {
        let row = self.row(slot)?;
        self.inverse.start(row[slot]);
        self.offset = -self.scores[slot];
        self.put_on_margin(slot, row);
        Ok(())
    }

    fn put_on_margin(&mut self, slot: usize, row: Vec<f64>) {
        self.margin.push(slot);
        self.rows.push(row);
        self.is_on_margin[slot] = true;
    }

    pub(super) fn leave_margin(&mut self, position: usize) {
        let slot = self.margin.remove(position);
        self.rows.remove(position);
        self.inverse.contract(position);
        self.is_on_margin[slot] = false;
    }

    fn leave_margin_at(&mut self, position: usize, bound: f64) {
        self.beta.set(self.margin[position], bound);
        self.leave_margin(position);
    }

    /// yᵢ f(xᵢ) − 1, with the sign of the label: Kβ − y + b.
    fn residual(&self, slot: usize) -> f64 {
        self.scores[slot] + self.offset
    }

    /// Whether the coefficient of a slot has room in this direction.
    pub(super) fn can_move(&self, slot: usize, direction: f64) -> bool {
        let bound = if direction > 0.0 { self.upper(slot) } else { self.lower(slot) };
        self.beta.way_to(slot, bound).abs() > self.room()
    }

    pub(super) fn lower(&self, slot: usize) -> f64 {
        lower(self.labels[slot], self.cost * self.weights[slot])
    }

    pub(super) fn upper(&self, slot: usize) -> f64 {
        upper(self.labels[slot], self.cost * self.weights[slot])
    }
}

fn lower(label: f64, cost: f64) -> f64 {
    if label > 0.0 { 0.0 } else { -cost }
}

fn upper(label: f64, cost: f64) -> f64 {
    if label > 0.0 { cost } else { 0.0 }
}
