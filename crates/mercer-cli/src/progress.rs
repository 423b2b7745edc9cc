//! How far a training has come: a bar on a terminal, a line now and then in a log; and an interrupt that ends the
//! training, not the program.

mod waiting;

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use mercer::Error;
use mercer::machine::FitProgress;
use mercer::resources::Interrupt;
use mercer::solver::Control;

pub use self::waiting::{Timed, Waiting};
use crate::failure::Failure;
use crate::print::{count, is_lively, note, number};

/// Whether someone has pressed Ctrl-C.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the system wants the program to end, as it does before it shuts down.
static TERMINATED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Set by either, for the library to hear.
static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Whether there is nothing to show yet, so that an interrupt need not wait for the end of a step.
pub(super) static UNFINISHED: AtomicBool = AtomicBool::new(false);
/// How long it waits.
const PATIENCE: Duration = Duration::from_millis(700);

/// What a shell expects of a program that an interrupt, or the system, has ended.
const INTERRUPT_CODE: i32 = 130;
const TERMINATE_CODE: i32 = 143;

/// How long it is quiet, and how often it speaks up.
pub(super) const ON_A_TERMINAL: (Duration, Duration) =
    (Duration::from_millis(500), Duration::from_millis(100));
pub(super) const IN_A_LOG: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(10));

/// Cells of the bar.
const WIDTH: usize = 20;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    Nowhere,
    Terminal,
    Log,
}

/// When the program began: limits of time count from here.
static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Notes the time.
pub fn begin() {
    LazyLock::force(&BEGUN);
}

/// When the program has to end under a limit of time.
pub fn deadline(limit: Option<Duration>) -> Option<Instant> {
    BEGUN.checked_add(limit?)
}

/// The part of a limit that is left.
pub fn left(limit: Option<Duration>) -> Option<Duration> {
    Some(limit?.saturating_sub(BEGUN.elapsed()))
}

/// What has ended the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It was done.
    Done,
    /// The limit of time.
    TimeLimit,
    /// Ctrl-C.
    Interrupt,
}

impl Ending {
    /// Says that what follows is incomplete, if it is.
    pub fn tell(self) {
        match self {
            Ending::Done => {}
            Ending::TimeLimit => {
                note("mercer: the time limit was reached: what follows is of what was tried until then")
            }
            Ending::Interrupt => note("mercer: interrupted: what follows is of what was tried until then"),
        }
    }

    /// The outcome, which an interrupt makes a failure although it was told.
    pub fn of<T>(self, outcome: T) -> Result<T, Failure> {
        if self == Ending::Interrupt { Err(Failure::Interrupted) } else { Ok(outcome) }
    }

    /// There is nothing to tell: what was ended `before` what. Nothing but a limit of time ends work that nobody interrupts.
    pub fn without_result(self, before: &str) -> Failure {
        if self != Ending::Interrupt {
            let what = format!("the time limit was reached before {before}: more --time-limit is needed");
            return Failure::Data(Error::Unsupported { what });
        }
        note(format!("mercer: interrupted before {before}"));
        Failure::Interrupted
    }
}

pub struct Observer {
    /// When work that is asked has to end.
    deadline: Option<Instant>,
    place: Where,
    /// The gap to be reached.
    tolerance: f64,
    begun: Instant,
    state: Mutex<State>,
}

/// What was seen so far.
struct State {
    told: Option<Instant>,
    /// Problems seen to their end, about: those before the largest number that has reported.
    problem: usize,
    /// When this problem began, and the largest gap it had.
    since: Instant,
    largest: f64,
}

impl Observer {
    /// From now on the first interrupt (Ctrl-C, or SIGTERM) ends the training with what it has reached, a second one the program.
    pub fn new(quiet: bool, tolerance: f64) -> Self {
        hear_interrupts();
        let place = match (quiet, is_lively(&std::io::stderr())) {
            (true, _) => Where::Nowhere,
            (false, true) => Where::Terminal,
            (false, false) => Where::Log,
        };
        let begun = Instant::now();
        let state = Mutex::new(State { told: None, problem: 0, since: begun, largest: 0.0 });
        Observer { deadline: None, place, tolerance, begun, state }
    }

    /// One that knows of a limit of time too.
    pub fn until(self, deadline: Option<Instant>) -> Self {
        Observer { deadline, ..self }
    }

    /// Whether work is to end: by an interrupt, or because the time is over.
    pub fn is_over(&self) -> bool {
        self.is_interrupted() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// What has ended work that asked this observer.
    pub fn ending(&self) -> Ending {
        match (self.is_interrupted(), self.is_over()) {
            (true, _) => Ending::Interrupt,
            (false, true) => Ending::TimeLimit,
            (false, false) => Ending::Done,
        }
    }

    pub fn show(&self, seen: &FitProgress) -> Control {
        let (patience, pause) = match self.place {
            Where::Terminal => ON_A_TERMINAL,
            Where::Log | Where::Nowhere => IN_A_LOG,
        };
        // Another thread that is telling tells enough.
        if self.place != Where::Nowhere
            && let Ok(mut state) = self.state.try_lock()
        {
            // While the cost is chosen there is nothing to tell of the model.
            let is_choice = seen.progress.kkt_gap.is_infinite();
            if !is_choice {
                state.see(seen);
            }
            let now = Instant::now();
            let due = state.told.is_none_or(|told| now - told >= pause);
            if due && self.begun.elapsed() > patience {
                state.told = Some(now);
                self.tell(&match is_choice {
                    true => format!("choosing C, {:.0} s", self.begun.elapsed().as_secs_f64()),
                    false => in_words(seen, state.share(seen, self.tolerance), state.since.elapsed()),
                });
            }
        }
        if self.is_interrupted() { Control::Cancel } else { Control::Continue }
    }

    fn tell(&self, line: &str) {
        match self.place {
            Where::Terminal => {
                let mut terminal = std::io::stderr();
                let _ = write!(terminal, "\r\x1b[2K{line}");
                let _ = terminal.flush();
            }
            Where::Log => note(format!("mercer: {:.0} s: {line}", self.begun.elapsed().as_secs_f64())),
            Where::Nowhere => {}
        }
    }

    /// Whether someone has pressed Ctrl-C, or the program is to end.
    pub fn is_interrupted(&self) -> bool {
        INTERRUPTED.load(Ordering::Relaxed) || TERMINATED.load(Ordering::Relaxed)
    }

    pub fn clear(&self) {
        if self.place == Where::Terminal {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
        }
    }
}

/// From now on the first interrupt ends the work, a second one the program.
fn hear_interrupts() {
    // Where no handler can be set an interrupt ends the program as ever.
    let _ = ctrlc::try_set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPT_CODE);
        }
        STOP.store(true, Ordering::Relaxed);
        std::thread::spawn(|| {
            std::thread::sleep(PATIENCE);
            if UNFINISHED.load(Ordering::Relaxed) {
                note("mercer: interrupted before the work was complete: nothing is saved");
                std::process::exit(INTERRUPT_CODE);
            }
        });
    });
    hear_termination();
}

/// Ctrl-C, and the word of the system, as the library hears them: for trainings that have nothing to show before their end.
pub fn interrupt() -> Interrupt {
    hear_interrupts();
    Interrupt::from(STOP.clone())
}

/// Once for all observers.
fn hear_termination() {
    static HEARD: LazyLock<()> = LazyLock::new(|| {
        let signal = signal_hook::consts::SIGTERM;
        let both =
            signal_hook::flag::register_conditional_shutdown(signal, TERMINATE_CODE, TERMINATED.clone())
                .and_then(|_| signal_hook::flag::register(signal, TERMINATED.clone()))
                .and_then(|_| signal_hook::flag::register(signal, STOP.clone()));
        // Where it cannot be heard it ends the program as ever.
        drop(both);
    });
    LazyLock::force(&HEARD);
}

/// The exit code of a program that was interrupted.
pub fn interrupt_code() -> u8 {
    let code = if TERMINATED.load(Ordering::Relaxed) { TERMINATE_CODE } else { INTERRUPT_CODE };
    u8::try_from(code).unwrap_or(u8::MAX)
}

impl State {
    fn see(&mut self, seen: &FitProgress) {
        // A new training begins with its first problem.
        let anew = seen.problems == 1 && seen.progress.outer_iterations <= 1;
        if anew || seen.problem < self.problem.saturating_sub(seen.problems / 2) {
            *self = State { told: self.told, problem: 0, since: Instant::now(), largest: 0.0 };
        }
        self.problem = self.problem.max(seen.problem);
        if seen.progress.kkt_gap.is_finite() {
            self.largest = self.largest.max(seen.progress.kkt_gap);
        }
    }

    /// The share of the work that is done: of many problems those done, of one the way that the gap has come.
    ///
    /// Gaps fall about evenly on a logarithmic scale.
    fn share(&self, seen: &FitProgress, tolerance: f64) -> f64 {
        if seen.problems > 1 {
            return self.problem as f64 / seen.problems as f64;
        }
        let way = |gap: f64| (self.largest / gap).ln();
        let whole = way(tolerance);
        if whole > 0.0 { (way(seen.progress.kkt_gap) / whole).clamp(0.0, 1.0) } else { 0.0 }
    }
}

fn in_words(seen: &FitProgress, share: f64, elapsed: Duration) -> String {
    let filled = (share * WIDTH as f64) as usize;
    let bar: String = (0..WIDTH).map(|cell| if cell < filled { '█' } else { '░' }).collect();
    let problem = match seen.problems {
        1 => String::new(),
        problems => format!("problem {} of {problems}, ", seen.problem + 1),
    };
    let seconds = elapsed.as_secs_f64();
    // Little work done says little about the rest.
    let left = match share > 0.05 {
        true => format!(", about {:.0} s left", seconds * (1.0 - share) / share),
        false => String::new(),
    };
    format!(
        "{bar} {problem}gap {}, {} support vectors, {seconds:.0} s{left}",
        number(seen.progress.kkt_gap),
        count(seen.progress.support as u64)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use mercer::solver::Progress;

    fn seen(problem: usize, problems: usize, kkt_gap: f64) -> FitProgress {
        let elapsed = Duration::from_secs(3);
        let progress = Progress {
            outer_iterations: 9,
            iterations: 9,
            kkt_gap,
            objective: 0.0,
            support: 1234,
            active: 1,
            elapsed,
        };
        FitProgress { problem, problems, progress }
    }

    #[test]
    fn the_bar_says_gap_support_vectors_and_time_left() {
        let mut state = State { told: None, problem: 0, since: Instant::now(), largest: 0.0 };
        state.see(&seen(0, 1, 1.0));
        let now = seen(0, 1, 0.01);
        let share = state.share(&now, 0.0001);
        assert!((share - 0.5).abs() < 1e-12);
        let line = in_words(&now, share, Duration::from_secs(10));
        assert_eq!(line, "██████████░░░░░░░░░░ gap 0.01, 1 234 support vectors, 10 s, about 10 s left");
        let line = in_words(&seen(3, 15, 0.5), 0.2, Duration::from_secs(2));
        assert!(
            line.ends_with("problem 4 of 15, gap 0.5, 1 234 support vectors, 2 s, about 8 s left"),
            "{line}"
        );
    }
}
