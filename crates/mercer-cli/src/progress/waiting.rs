//! Work without an observer: how long it has taken and how long it will take, within a limit of time, until Ctrl-C.

use std::io::Write;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mercer::resources::Interrupt;
use mercer::{Error, Result};

use super::{Ending, IN_A_LOG, ON_A_TERMINAL, UNFINISHED, deadline, interrupt};
use crate::failure::Failure;
use crate::print::{is_lively, note};
use crate::recipe::seconds;

/// The time that all the work should take, from its beginning on.
type Expected = Arc<Mutex<Option<Duration>>>;

/// Shows the elapsed and the remaining time of work now and then, until it is dropped.
pub struct Waiting {
    begun: Instant,
    expected: Expected,
    ended: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Waiting {
    /// From now on; an interrupt ends the program within a second, whatever is being done. `doing` names the work.
    pub fn new(quiet: bool, doing: &'static str) -> Self {
        UNFINISHED.store(true, Ordering::Relaxed);
        let (begun, expected) = (Instant::now(), Expected::default());
        if quiet {
            return Waiting { begun, expected, ended: None, thread: None };
        }
        let (ended, hears) = mpsc::channel::<()>();
        let is_terminal = is_lively(&std::io::stderr());
        let (patience, pause) = if is_terminal { ON_A_TERMINAL } else { IN_A_LOG };
        let known = Arc::clone(&expected);
        let thread = std::thread::spawn(move || {
            let mut next = patience;
            while hears.recv_timeout(next) == Err(mpsc::RecvTimeoutError::Timeout) {
                let expected = known.lock().ok().and_then(|expected| *expected);
                let line = in_words(doing, begun.elapsed(), expected);
                match is_terminal {
                    true => {
                        let _ = write!(std::io::stderr(), "\r\x1b[2K{line}");
                    }
                    false => note(format!("mercer: {line}")),
                }
                next = pause;
            }
            if is_terminal {
                let _ = write!(std::io::stderr(), "\r\x1b[2K");
            }
        });
        Waiting { begun, expected, ended: Some(ended), thread: Some(thread) }
    }

    /// All that is still to be done takes about so long.
    pub fn expect(&self, remaining: Duration) {
        if let Ok(mut expected) = self.expected.lock() {
            *expected = self.begun.elapsed().checked_add(remaining);
        }
    }

    /// So many of equal parts of the work are done.
    pub fn done(&self, parts: usize, all: usize) {
        if parts > 0 {
            self.expect(self.begun.elapsed().mul_f64(all.saturating_sub(parts) as f64 / parts as f64));
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        UNFINISHED.store(false, Ordering::Relaxed);
        drop(self.ended.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Work that a limit of time or Ctrl-C may end.
pub struct Timed {
    quiet: bool,
    /// When it has to end.
    pub deadline: Option<Instant>,
    interrupt: Interrupt,
}

impl Timed {
    /// Within so many seconds from the start of the program.
    ///
    /// # Errors
    /// No such time.
    pub fn new(quiet: bool, limit: Option<f64>) -> std::result::Result<Self, Failure> {
        let deadline = deadline(seconds(limit).map_err(Failure::Usage)?);
        Ok(Timed { quiet, deadline, interrupt: interrupt() })
    }

    /// Does the work, of which options, predictions and long loops hear when it has to end: they return [`Error::Interrupted`].
    pub fn run<T>(&self, doing: &'static str, work: impl FnOnce(&Waiting) -> Result<T>) -> Result<T> {
        let waiting = Waiting::new(self.quiet, doing);
        if let Some(deadline) = self.deadline {
            waiting.expect(deadline.saturating_duration_since(Instant::now()));
        }
        self.interrupt().scope(|| work(&waiting))
    }

    /// What ends the work, for options that are made before it.
    pub fn interrupt(&self) -> Interrupt {
        match self.deadline {
            Some(deadline) => self.interrupt.until(deadline),
            None => self.interrupt.clone(),
        }
    }

    /// What has ended the work, if anything has.
    pub fn ending(&self) -> Ending {
        match self.deadline {
            _ if self.interrupt.is_raised() => Ending::Interrupt,
            Some(deadline) if Instant::now() >= deadline => Ending::TimeLimit,
            _ => Ending::Done,
        }
    }

    /// The failure that an error is: an end without a result, or an error of the data. `before` is what did not come.
    pub fn failure(&self, error: Error, before: &str) -> Failure {
        match error {
            Error::Interrupted => self.ending().without_result(before),
            error => Failure::Data(error),
        }
    }
}

fn in_words(doing: &str, elapsed: Duration, expected: Option<Duration>) -> String {
    let seconds = elapsed.as_secs_f64();
    match expected.map(|expected| expected.as_secs_f64()) {
        Some(expected) if expected > seconds => {
            format!("{doing}, {seconds:.0} s, about {:.0} s left", expected - seconds)
        }
        Some(expected) => format!("{doing}, {seconds:.0} s, longer than the estimated {expected:.0} s"),
        None => format!("{doing}, {seconds:.0} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elapsed_and_remaining_time_are_shown() {
        let words = |elapsed, expected: Option<u64>| {
            in_words("training", Duration::from_secs(elapsed), expected.map(Duration::from_secs))
        };
        assert_eq!(words(10, Some(40)), "training, 10 s, about 30 s left");
        assert_eq!(words(50, Some(40)), "training, 50 s, longer than the estimated 40 s");
        assert_eq!(words(50, None), "training, 50 s");
    }

    #[test]
    fn parts_that_are_done_give_the_rest() {
        let waiting = Waiting::new(true, "training");
        waiting.done(0, 4);
        assert_eq!(*waiting.expected.lock().unwrap(), None);
        std::thread::sleep(Duration::from_millis(20));
        waiting.done(1, 4);
        let expected = waiting.expected.lock().unwrap().unwrap();
        assert!(expected >= Duration::from_millis(80), "{expected:?}");
    }
}
