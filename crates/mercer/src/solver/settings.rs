//! When to stop, and whom to tell on the way.

use std::time::Duration;

use crate::error::{Error, Result};
use crate::resources::{Interrupt, default_budget};
use crate::solver::{Certificate, Method, Status};

/// What counts as solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stop {
    /// The largest violation of the optimality conditions over all pairs is at most this: the criterion
    /// of LIBSVM and scikit-learn.
    KktGap(f64),
    /// (P − D) / max(|P|, |D|) is at most this: an objective known to so many digits.
    DualityGap(f64),
}

impl Stop {
    /// The same criterion, of which a share is asked for.
    pub(crate) fn scaled(self, share: f64) -> Self {
        match self {
            Stop::KktGap(tolerance) => Stop::KktGap(share * tolerance),
            Stop::DualityGap(relative) => Stop::DualityGap(share * relative),
        }
    }

    /// Whether a certificate meets it.
    pub(crate) fn is_met(self, certificate: &Certificate) -> bool {
        match self {
            Stop::KktGap(tolerance) => certificate.kkt_gap <= tolerance,
            Stop::DualityGap(relative) => certificate.relative_gap() <= relative,
        }
    }
}

/// Settings of the solver; the defaults stand beside the fields.
///
/// ```
/// use std::time::Duration;
/// use mercer::solver::{Settings, Stop};
/// let settings = Settings {
///     stop: Stop::DualityGap(1e-6),
///     max_time: Some(Duration::from_secs(60)),
///     ..Settings::default()
/// };
/// assert!(settings.check().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How it is solved; default [`Method::Decomposition`].
    pub method: Method,
    /// What counts as solved; default `KktGap(1e-3)`.
    pub stop: Stop,
    /// Most steps of the inner method, each of which moves two variables or more; default unlimited.
    pub max_iterations: u64,
    /// Most wall time; default unlimited. It is looked at between working sets and every few thousand steps.
    pub max_time: Option<Duration>,
    /// Largest working set; default 4096, of which problems of fewer than 8192 variables use half at most.
    pub working_set: usize,
    /// Whether variables that are settled are put aside until the end; default true.
    pub shrinking: bool,
    /// Bytes that [`Method::InteriorPoint`] and [`Method::Chunking`] may take for K; default [`default_budget`].
    pub memory: u64,
    /// Who may end it at once, without a solution; default nobody.
    pub interrupt: Option<Interrupt>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            method: Method::default(),
            stop: Stop::KktGap(1e-3),
            max_iterations: u64::MAX,
            max_time: None,
            working_set: 4096,
            shrinking: true,
            memory: default_budget(),
            interrupt: None,
        }
    }
}

impl Settings {
    /// Checks the numbers.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(&self) -> Result<()> {
        let (name, value) = match self.stop {
            Stop::KktGap(tolerance) => ("tolerance", tolerance),
            Stop::DualityGap(relative) => ("duality gap", relative),
        };
        if !(value > 0.0 && value.is_finite()) {
            return Err(Error::Parameter { name, value, expected: "a finite number above 0" });
        }
        if self.working_set < 4 {
            let expected = "at least 4";
            return Err(Error::Parameter { name: "working_set", value: self.working_set as f64, expected });
        }
        Ok(())
    }

    /// Whether it is to end without a solution.
    fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(Interrupt::is_raised)
    }

    /// What was found, unless nobody wants it any more: an interrupted solve has been broken off anywhere.
    pub(super) fn uninterrupted<T>(&self, found: Result<T>) -> Result<T> {
        if self.is_interrupted() { Err(Error::Interrupted) } else { found }
    }

    /// What ends a solve that has come so far: the observer, who hears of it, or a limit.
    pub(super) fn ended(
        &self,
        progress: &Progress,
        observer: &mut dyn FnMut(&Progress) -> Control,
    ) -> Option<Status> {
        if self.is_interrupted() || observer(progress) == Control::Cancel {
            Some(Status::Cancelled)
        } else if progress.iterations >= self.max_iterations {
            Some(Status::IterationLimit)
        } else if self.max_time.is_some_and(|limit| progress.elapsed >= limit) {
            Some(Status::TimeLimit)
        } else {
            None
        }
    }
}

/// How far a solve has come; given to the observer at every outer iteration.
///
/// ```
/// use mercer::solver::{Control, Progress};
/// // An observer that is content with a thousand support vectors.
/// let observer = |progress: &Progress| match progress.support {
///     0..1000 => Control::Continue,
///     _ => Control::Cancel,
/// };
/// # let _: &dyn Fn(&Progress) -> Control = &observer;
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Working sets solved so far.
    pub outer_iterations: u64,
    /// Steps of the inner method so far.
    pub iterations: u64,
    /// Largest violation among the variables that are not put aside.
    pub kkt_gap: f64,
    /// Dual objective ½ βᵀQβ + pᵀβ + Σε|β| reached.
    pub objective: f64,
    /// Variables that are not zero.
    pub support: usize,
    /// Variables that are not put aside.
    pub active: usize,
    /// Time since the beginning.
    pub elapsed: Duration,
}

/// What the observer wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop and return the best feasible answer so far.
    Cancel,
}
