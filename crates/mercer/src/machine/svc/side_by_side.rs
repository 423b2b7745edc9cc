//! Many problems over one Gram matrix, side by side and within one limit of time.

use std::sync::atomic::{AtomicBool, Ordering};

use super::FitProgress;
use super::clock::Clock;
use super::pair::{Pair, PairSolution, Start};
use crate::error::{Error, Result};
use crate::gram::SymmetricGram;
use crate::machine::options::check_classes;
use crate::resources::Workers;
use crate::solver::{Control, Settings, Status};

/// Problems to be solved: how many rows each has, and how the n-th is built, with its start.
pub(super) struct Problems<'a> {
    pub sizes: Vec<usize>,
    pub build: &'a (dyn Fn(usize) -> Result<(Pair, Start)> + Sync),
    /// The classes that the n-th is to separate.
    pub classes: &'a (dyn Fn(usize) -> String + Sync),
}

/// Numbers that a problem and its solution have for each row, and bytes that they take beside.
const NUMBERS: u64 = 9;
const BESIDE: u64 = 1 << 10;

/// Refuses problems that are too many for the memory: of thousands of classes.
fn check_memory(problems: &Problems<'_>, memory: u64) -> Result<()> {
    let of_problem = |size: &usize| NUMBERS.saturating_mul(8).saturating_mul(*size as u64) + BESIDE;
    let needed = problems.sizes.iter().map(of_problem).fold(0, u64::saturating_add);
    check_classes("one problem for each pair of classes, or each class and the rest,", needed, memory)
}

/// Solves all. The observer hears of each, and one word of it ends them all.
pub(super) fn solve_all(
    gram: &dyn SymmetricGram,
    problems: &Problems<'_>,
    settings: &Settings,
    workers: &Workers,
    observer: &(dyn Fn(&FitProgress) -> Control + Sync),
) -> Result<Vec<PairSolution>> {
    let count = problems.sizes.len();
    check_memory(problems, settings.memory)?;
    let cancelled = AtomicBool::new(false);
    let clock = Clock::new(settings.max_time, problems.sizes.iter().copied(), workers.threads());
    // Threads take longer to begin than tiny problems to be solved.
    let worth = count * gram.shape().0 > 4096;
    let solutions = workers.map(count, worth, |number| {
        let (pair, start) = (problems.build)(number)?;
        let settings = Settings { max_time: None, ..settings.clone() };
        let end = clock.begin(number);
        let mut is_over = false;
        let mut solved = pair.solve(gram, start, &settings, &mut |progress| {
            is_over = clock.is_over(end);
            if is_over {
                return Control::Cancel;
            }
            let seen = FitProgress { problem: number, problems: count, progress: progress.clone() };
            if cancelled.load(Ordering::Relaxed) || observer(&seen) == Control::Cancel {
                cancelled.store(true, Ordering::Relaxed);
                return Control::Cancel;
            }
            Control::Continue
        });
        if let Err(Error::NotSeparable { classes, .. }) = &mut solved {
            *classes = (problems.classes)(number);
        }
        let mut solved = solved?;
        if is_over && solved.solution.status == Status::Cancelled {
            solved.solution.status = Status::TimeLimit;
        }
        clock.finish(number);
        Ok(solved)
    });
    solutions.into_iter().collect()
}
