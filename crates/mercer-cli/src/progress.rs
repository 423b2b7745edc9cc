//! A line of progress on a terminal, nothing elsewhere; and an interrupt that ends the training, not the program.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mercer::machine::FitProgress;
use mercer::solver::Control;

use crate::print::{count, number};

/// Whether someone has pressed Ctrl-C.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// What a shell expects of a program that an interrupt has ended.
const INTERRUPT_CODE: i32 = 130;

pub struct Observer {
    visible: bool,
    begun: Instant,
}

impl Observer {
    /// From now on the first interrupt ends the training with what it has reached, a second one the program.
    pub fn new(quiet: bool) -> Self {
        // Where no handler can be set an interrupt ends the program as ever.
        let _ = ctrlc::try_set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPT_CODE);
            }
        });
        Observer { visible: !quiet && std::io::stderr().is_terminal(), begun: Instant::now() }
    }

    pub fn show(&self, seen: &FitProgress) -> Control {
        if self.visible && self.begun.elapsed() > Duration::from_millis(500) {
            let progress = &seen.progress;
            let mut terminal = std::io::stderr();
            let _ = write!(
                terminal,
                "\r\x1b[2Kproblem {} of {}: gap {}, {} support vectors, {:.0} s",
                seen.problem + 1,
                seen.problems,
                number(progress.kkt_gap),
                count(progress.support as u64),
                progress.elapsed.as_secs_f64()
            );
            let _ = terminal.flush();
        }
        if self.is_interrupted() { Control::Cancel } else { Control::Continue }
    }

    /// Whether someone has pressed Ctrl-C.
    pub fn is_interrupted(&self) -> bool {
        INTERRUPTED.load(Ordering::Relaxed)
    }

    pub fn clear(&self) {
        if self.visible {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
        }
    }
}
