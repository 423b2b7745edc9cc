//! Many problems side by side, within one limit of time and under one observer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::LinearOptions;
use crate::error::Result;
use crate::machine::svc::{Clock, FitProgress};
use crate::resources::{Interrupt, Workers};
use crate::solver::{Control, Progress, Status};

/// What one problem asks between two passes: whether it is to end.
pub(super) struct Watch<'a> {
    number: usize,
    count: usize,
    max_epochs: u64,
    begun: Instant,
    clock: &'a Clock,
    end: Option<std::time::Duration>,
    cancelled: &'a AtomicBool,
    interrupt: Option<&'a Interrupt>,
    observer: &'a (dyn Fn(&FitProgress) -> Control + Sync),
}

impl Watch<'_> {
    /// What ends a problem that has come so far; the time is filled in here.
    pub fn ended(&self, progress: Progress) -> Option<Status> {
        let progress = Progress { elapsed: self.begun.elapsed(), ..progress };
        let epochs = progress.outer_iterations;
        let seen = FitProgress { problem: self.number, problems: self.count, progress };
        if self.is_interrupted()
            || self.cancelled.load(Ordering::Relaxed)
            || (self.observer)(&seen) == Control::Cancel
        {
            self.cancelled.store(true, Ordering::Relaxed);
            Some(Status::Cancelled)
        } else if epochs >= self.max_epochs {
            Some(Status::IterationLimit)
        } else if self.clock.is_over(self.end) {
            Some(Status::TimeLimit)
        } else {
            None
        }
    }

    /// Whether nobody wants the result any more.
    fn is_interrupted(&self) -> bool {
        self.interrupt.is_some_and(Interrupt::is_raised)
    }

    /// Seconds since this problem began.
    pub fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }
}

/// `solve(0), …, solve(count − 1)`, of which each takes passes over `size` stored values.
pub(super) fn side_by_side<T: Send>(
    options: &LinearOptions,
    (count, size): (usize, usize),
    observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    solve: impl Fn(usize, &Watch<'_>) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let workers = Workers::checked(options.threads)?;
    let clock = Clock::new(options.max_time, std::iter::repeat_n(1, count), workers.threads());
    let cancelled = AtomicBool::new(false);
    // Threads take longer to begin than tiny problems to be solved.
    let worth = count * size > 16384;
    let solved = workers.map(count, worth, |number| {
        let end = clock.begin(number);
        let watch = Watch {
            number,
            count,
            max_epochs: options.max_epochs,
            begun: Instant::now(),
            clock: &clock,
            end,
            cancelled: &cancelled,
            interrupt: options.interrupt.as_ref(),
            observer,
        };
        let solved = solve(number, &watch);
        clock.finish(number);
        options.interrupt.as_ref().map_or(Ok(()), Interrupt::check)?;
        solved
    });
    solved.into_iter().collect()
}
