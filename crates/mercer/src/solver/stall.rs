//! Noticing that a solver gets no further.

/// Notices when neither the gap nor the objective gets any better.
#[derive(Default)]
pub(super) struct Stall {
    least_gap: Option<f64>,
    /// The objective when something last got better.
    decreased: f64,
    rounds: u32,
    refreshed: bool,
}

/// What to do about it.
pub(super) enum Remedy {
    /// Compute the gradient anew.
    Refresh,
    /// It is as good as it gets.
    GiveUp,
}

impl Stall {
    /// Looks at the gap and at the sum of all decreases of the objective so far; what falls short of `visible`
    /// is not seen in the objective at the precision of K.
    pub fn notice(&mut self, gap: f64, decrease: f64, visible: f64, patience: u32) -> Option<Remedy> {
        let gap_fell = self.least_gap.is_none_or(|least| gap < 0.999 * least);
        let objective_fell = decrease - self.decreased > visible;
        if gap_fell || objective_fell {
            self.least_gap = Some(self.least_gap.map_or(gap, |least| gap.min(least)));
            self.decreased = decrease;
            self.rounds = 0;
            return None;
        }
        self.rounds += 1;
        if self.rounds < patience {
            return None;
        }
        self.rounds = 0;
        if std::mem::replace(&mut self.refreshed, true) {
            Some(Remedy::GiveUp)
        } else {
            Some(Remedy::Refresh)
        }
    }

    /// Nothing moved at all: do not wait for the patience to run out.
    pub fn hasten(&mut self) {
        self.rounds = u32::MAX - 1;
    }
}
