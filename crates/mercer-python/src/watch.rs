//! Work that Ctrl-C can end, with the interpreter free meanwhile.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use mercer::Result;
use mercer::machine::FitProgress;
use mercer::resources::Interrupt;
use mercer::solver::Control;
use pyo3::prelude::*;

use crate::errors::raised;

/// How often signals are looked for.
const LOOK: Duration = Duration::from_millis(20);
/// How often progress is told.
const TELL: Duration = Duration::from_secs(1);

/// Who is shown the progress of a training.
pub type Observer<'a> = &'a (dyn Fn(&FitProgress) -> Control + Sync);

/// Trains on a thread of its own, while this one looks for signals: they reach Python on no other. A training that was ended
/// so leaves no model and raises what the signal's handler did, `KeyboardInterrupt` as a rule. With a name, progress is printed.
pub fn watched<T: Send>(
    py: Python<'_>,
    name: Option<&str>,
    train: impl FnOnce(Observer<'_>, &Interrupt) -> Result<T> + Send,
) -> PyResult<T> {
    let interrupt = Interrupt::new();
    // Signals reach the main thread only, which ends the work of other threads by theirs.
    let outer = Interrupt::current();
    let latest: Mutex<Option<FitProgress>> = Mutex::new(None);
    let observer = |progress: &FitProgress| {
        if name.is_some() {
            *latest.lock().unwrap_or_else(|broken| broken.into_inner()) = Some(progress.clone());
        }
        Control::Continue
    };
    let (outcome, signalled) = py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            scope.spawn(|| {
                // Nobody listens only if this thread is gone.
                let _ = sender.send(interrupt.scope(|| train(&observer, &interrupt)));
                drop(sender);
            });
            let mut signalled = None;
            let mut told = Instant::now();
            loop {
                match receiver.recv_timeout(LOOK) {
                    Ok(outcome) => return (Some(outcome), signalled),
                    // It panicked, which the end of the scope hands on.
                    Err(RecvTimeoutError::Disconnected) => return (None, signalled),
                    Err(RecvTimeoutError::Timeout) => {}
                }
                let due = name.filter(|_| told.elapsed() >= TELL);
                let signal = Python::attach(|py| {
                    if let (Some(name), Some(seen)) = (due, latest.lock().ok().and_then(|seen| seen.clone()))
                    {
                        tell(py, name, &seen)?;
                    }
                    py.check_signals()
                });
                if due.is_some() {
                    told = Instant::now();
                }
                if let Err(error) = signal {
                    interrupt.raise();
                    signalled = Some(error);
                }
                if outer.as_ref().is_some_and(Interrupt::is_raised) {
                    interrupt.raise();
                }
            }
        })
    });
    match (signalled, outcome) {
        (Some(error), _) => Err(error),
        (None, Some(outcome)) => outcome.map_err(raised),
        (None, None) => unreachable!("the end of the scope has panicked"),
    }
}

/// Ends what other threads of Python are doing.
#[pyclass(module = "mercer._mercer", frozen)]
pub struct Interruption {
    interrupt: Interrupt,
}

#[pymethods]
impl Interruption {
    #[new]
    fn new() -> Self {
        Interruption { interrupt: Interrupt::new() }
    }

    /// What a function says about one argument; all that the engine does for it meanwhile can be ended.
    fn scope<'py>(
        &self,
        work: &Bound<'py, PyAny>,
        argument: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.interrupt.scope(|| work.call1((argument,)))
    }

    /// Ends the work in all threads.
    fn end(&self) {
        self.interrupt.raise();
    }
}

/// How often a thread looks whether its turn has come.
const WAIT: Duration = Duration::from_millis(2);

/// Waits for a lock until the work of this thread is interrupted.
pub fn turn<T>(lock: &Mutex<T>) -> Result<MutexGuard<'_, T>> {
    loop {
        match lock.try_lock() {
            Ok(guard) => return Ok(guard),
            Err(TryLockError::Poisoned(broken)) => return Ok(PoisonError::into_inner(broken)),
            Err(TryLockError::WouldBlock) => {}
        }
        Interrupt::checkpoint()?;
        std::thread::sleep(WAIT);
    }
}

/// Prints a line of progress where Python prints.
fn tell(py: Python<'_>, name: &str, seen: &FitProgress) -> PyResult<()> {
    let FitProgress { problem, problems, progress } = seen;
    let which =
        if *problems > 1 { format!(" problem {} of {problems},", problem + 1) } else { String::new() };
    let line = format!(
        "[{name}]{which} {:.0} s, {} steps, {} support vectors, KKT gap {:.2e}",
        progress.elapsed.as_secs_f64(),
        progress.iterations,
        progress.support,
        progress.kkt_gap
    );
    py.import("builtins")?.getattr("print")?.call1((line,))?;
    Ok(())
}
