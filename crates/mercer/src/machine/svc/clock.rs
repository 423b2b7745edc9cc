//! A limit of time, shared among the problems of a training.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The share of the limit that problems may look forward to: what they wait for takes some time too.
const CAUTION: f64 = 0.9;

/// Gives each problem its share of the time, by its size; one that needs more gets it as long as those that wait will
/// do with the rest, by what the others took.
pub(in crate::machine) struct Clock {
    begun: Instant,
    limit: Option<Duration>,
    /// The work of each problem, which grows with the square of its rows.
    work: Vec<f64>,
    threads: f64,
    state: Mutex<State>,
}

struct State {
    /// Work of the problems that have not begun, and of those that are done.
    waiting: f64,
    done: f64,
}

impl Clock {
    pub fn new(limit: Option<Duration>, sizes: impl Iterator<Item = usize>, threads: usize) -> Self {
        let work: Vec<f64> = sizes.map(|size| (size as f64).powi(2)).collect();
        let state = Mutex::new(State { waiting: work.iter().sum(), done: 0.0 });
        Clock { begun: Instant::now(), limit, work, threads: threads as f64, state }
    }

    /// A problem begins; how long after the beginning of all it should end.
    pub fn begin(&self, problem: usize) -> Option<Duration> {
        let elapsed = self.begun.elapsed();
        let left = self.limit?.saturating_sub(elapsed);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let share = self.threads * self.work[problem] / state.waiting;
        state.waiting -= self.work[problem];
        // A limit beyond all seconds that a number can tell is none.
        let own = Duration::try_from_secs_f64(left.as_secs_f64() * share.clamp(0.0, 1.0)).unwrap_or(left);
        Some(elapsed.saturating_add(own))
    }

    pub fn finish(&self, problem: usize) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).done += self.work[problem];
    }

    /// Whether a problem that should have ended then must do so now.
    pub fn is_over(&self, end: Option<Duration>) -> bool {
        let (Some(end), Some(limit)) = (end, self.limit) else { return false };
        let elapsed = self.begun.elapsed();
        elapsed >= limit || elapsed >= end && !self.others_have_time(elapsed, limit)
    }

    fn others_have_time(&self, elapsed: Duration, limit: Duration) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // What is being done took time as well: the estimate is on the safe side.
        let needed = elapsed.as_secs_f64() * state.waiting / state.done;
        state.waiting <= 0.0 || elapsed.as_secs_f64() + needed < CAUTION * limit.as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_has_its_share_of_the_time_that_is_left() {
        let ends = |threads| {
            let clock = Clock::new(Some(Duration::from_secs(6000)), [20, 10, 10].into_iter(), threads);
            // Next to nothing of the time has passed when all of them have begun.
            [0, 1, 2].map(|problem| (clock.begin(problem).unwrap().as_secs_f64() / 10.0).round())
        };
        assert_eq!(ends(1), [400.0, 300.0, 600.0]);
        assert_eq!(ends(2), [600.0, 600.0, 600.0]);
        assert_eq!(Clock::new(None, [1, 1].into_iter(), 1).begin(0), None);
    }

    #[test]
    fn a_problem_goes_on_while_the_others_have_time() {
        let clock = Clock::new(Some(Duration::from_secs(100)), [10, 10, 10].into_iter(), 1);
        let end = clock.begin(0);
        let at = |seconds| Duration::from_secs(seconds);
        assert!(!clock.is_over(end));
        // Nothing is known about what the others need.
        assert!(!clock.others_have_time(at(34), at(100)));
        clock.finish(0);
        clock.begin(1);
        // One took 30 s, so the last will do with what is left.
        assert!(clock.others_have_time(at(30), at(100)));
        assert!(!clock.others_have_time(at(60), at(100)));
        clock.begin(2);
        assert!(clock.others_have_time(at(99), at(100)));
    }
}
