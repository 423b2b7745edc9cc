//! How far a training has come: a bar on a terminal, a line now and then in a log; and an interrupt that ends the
//! training, not the program.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use mercer::machine::FitProgress;
use mercer::solver::Control;

use crate::print::{count, is_lively, note, number};

/// Whether someone has pressed Ctrl-C.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the system wants the program to end, as it does before it shuts down.
static TERMINATED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// What a shell expects of a program that an interrupt, or the system, has ended.
const INTERRUPT_CODE: i32 = 130;
const TERMINATE_CODE: i32 = 143;

/// How long it is quiet, and how often it speaks up.
const ON_A_TERMINAL: (Duration, Duration) = (Duration::from_millis(500), Duration::from_millis(100));
const IN_A_LOG: (Duration, Duration) = (Duration::from_secs(10), Duration::from_secs(10));

/// Cells of the bar.
const WIDTH: usize = 20;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    Nowhere,
    Terminal,
    Log,
}

pub struct Observer {
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
        // Where no handler can be set an interrupt ends the program as ever.
        let _ = ctrlc::try_set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPT_CODE);
            }
        });
        hear_termination();
        let place = match (quiet, is_lively(&std::io::stderr())) {
            (true, _) => Where::Nowhere,
            (false, true) => Where::Terminal,
            (false, false) => Where::Log,
        };
        let begun = Instant::now();
        let state = Mutex::new(State { told: None, problem: 0, since: begun, largest: 0.0 });
        Observer { place, tolerance, begun, state }
    }

    pub fn show(&self, seen: &FitProgress) -> Control {
        // While the cost is chosen there is nothing to tell of the model.
        if seen.progress.kkt_gap.is_infinite() {
            return if self.is_interrupted() { Control::Cancel } else { Control::Continue };
        }
        let (patience, pause) = match self.place {
            Where::Terminal => ON_A_TERMINAL,
            Where::Log | Where::Nowhere => IN_A_LOG,
        };
        // Another thread that is telling tells enough.
        if self.place != Where::Nowhere
            && let Ok(mut state) = self.state.try_lock()
        {
            state.see(seen);
            let now = Instant::now();
            let due = state.told.is_none_or(|told| now - told >= pause);
            if due && self.begun.elapsed() > patience {
                state.told = Some(now);
                self.tell(&in_words(seen, state.share(seen, self.tolerance), state.since.elapsed()));
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

/// Once for all observers.
fn hear_termination() {
    static HEARD: LazyLock<()> = LazyLock::new(|| {
        let signal = signal_hook::consts::SIGTERM;
        let both =
            signal_hook::flag::register_conditional_shutdown(signal, TERMINATE_CODE, TERMINATED.clone())
                .and_then(|_| signal_hook::flag::register(signal, TERMINATED.clone()));
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
