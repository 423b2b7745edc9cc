//! A line of progress on a terminal, nothing elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use mercer::machine::FitProgress;
use mercer::solver::Control;

use crate::print::{count, number};

pub struct Observer {
    visible: bool,
    begun: Instant,
}

impl Observer {
    pub fn new(quiet: bool) -> Self {
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
        Control::Continue
    }

    pub fn clear(&self) {
        if self.visible {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
        }
    }
}
