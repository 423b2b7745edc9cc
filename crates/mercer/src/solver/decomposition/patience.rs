//! When steps by pairs lead nowhere: they take too long, or rounding undoes what they gain.

use super::inner::{Outcome, Summary};

/// A gap that is so many times what a working set of all variables was solved to is the work of rounding.
const UNDONE: f64 = 10.0;

/// Notices when pairs do not get a working set solved.
#[derive(Default)]
pub(in crate::solver) struct Stubborn {
    /// Steps in rounds that ended at their limit since the last endgame.
    steps: u64,
    /// Endgames so far.
    pub answers: u32,
}

impl Stubborn {
    pub(super) fn saw(&mut self, summary: &Summary) {
        if summary.outcome == Outcome::Limit {
            self.unfinished(summary.steps);
        }
    }

    /// So many steps did not finish a working set.
    pub fn unfinished(&mut self, steps: u64) {
        self.steps += steps;
    }

    /// An interior-point solve of q members takes about as long as q²/2 steps: who waits for so many loses at
    /// most as much again by either choice. Each further one has to wait twice as long.
    pub fn is_due(&self, members: usize) -> bool {
        let cost = (members as u64).pow(2) / 2;
        self.steps > 0 && self.steps >= cost << self.answers.min(20)
    }

    pub fn answered(&mut self) {
        self.steps = 0;
        self.answers += 1;
    }
}

/// Notices when all variables together are solved to a tolerance again and again, and the gradient tells otherwise afterwards.
#[derive(Default)]
pub(super) struct Undone {
    /// What the last round was solved to, if it had all variables in its working set and found nothing more to do.
    pub promised: Option<f64>,
    /// The least gap since rounds are counted.
    least: f64,
    /// Rounds in succession that rounding has undone.
    pub rounds: u32,
}

impl Undone {
    /// Looks at the gap after a round; returns the number of rounds in succession that were undone. Where the gap falls by half, there
    /// is something to be gained all the same.
    pub fn notice(&mut self, gap: f64) -> u32 {
        let Some(tolerance) = self.promised.take() else { return self.rounds };
        if gap <= UNDONE * tolerance {
            self.rounds = 0;
        } else if self.rounds == 0 || gap < 0.5 * self.least {
            (self.rounds, self.least) = (1, gap);
        } else {
            self.rounds += 1;
        }
        self.rounds
    }
}
