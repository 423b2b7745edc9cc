//! When to stop, and whom to tell on the way.

use std::time::Duration;

use crate::error::{Error, Result};
use crate::resources::{Interrupt, default_budget};
use crate::solver::{Certificate, Method, Status};

/// The relative duality gap that a KKT gap within its tolerance may leave, at most, unless the tolerance is wide.
const LARGEST_GAP: f64 = 0.01;

/// Below this multiple of the first KKT gap that was aimed at, solvers that look for a duality gap give up.
const LAST_TOLERANCE: f64 = 1e-11;

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

    /// The relative duality gap beside which a convex problem counts as solved, at most.
    ///
    /// A KKT gap within its tolerance says little where coefficients may be large: what it leaves of the duality gap grows
    /// with C. Beyond a hundredth, or ten times a wide tolerance, the objective is not known well enough.
    pub(crate) fn largest_gap(self) -> f64 {
        match self {
            Stop::KktGap(tolerance) => LARGEST_GAP.max(10.0 * tolerance),
            Stop::DualityGap(relative) => relative,
        }
    }

    /// Whether the certificate of a convex problem meets it and its duality gap does not contradict it.
    pub(crate) fn is_met(self, certificate: &Certificate) -> bool {
        self.accuracy(true).is_met(certificate)
    }

    /// The criterion, with the duality gap that may stand beside it.
    pub(crate) fn accuracy(self, convex: bool) -> Accuracy {
        let largest_gap = if convex { self.largest_gap() } else { f64::INFINITY };
        Accuracy { stop: self, largest_gap }
    }
}

/// What a certificate must show for its solution to be called converged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Accuracy {
    stop: Stop,
    largest_gap: f64,
}

impl Accuracy {
    /// Whether a certificate shows it.
    pub fn is_met(self, certificate: &Certificate) -> bool {
        let is_reached = match self.stop {
            Stop::KktGap(tolerance) => certificate.kkt_gap <= tolerance,
            Stop::DualityGap(relative) => certificate.relative_gap() <= relative,
        };
        // A gap that is no number proves nothing.
        let is_known = !certificate.duality_gap().is_nan();
        is_reached
            && is_known
            && (self.largest_gap == f64::INFINITY || certificate.relative_gap() <= self.largest_gap)
    }

    /// The status beside a certificate, which it never contradicts: what is claimed to have converged and does not show it is
    /// [`Status::NumericalLimit`].
    pub fn verdict(self, status: Status, certificate: &Certificate) -> Status {
        match status {
            Status::Converged if !self.is_met(certificate) => Status::NumericalLimit,
            status => status,
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
    /// Largest relative duality gap (P − D) / max(|P|, |D|) with which a problem that meets [`Stop::KktGap`] counts as solved;
    /// default infinite. Machines whose kernel is known to be positive semi-definite set it; where the problem is not convex the
    /// gap means nothing.
    pub largest_gap: f64,
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
    /// Who may end it at once, without a solution; by default [`Interrupt::current`].
    pub interrupt: Option<Interrupt>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            method: Method::default(),
            stop: Stop::KktGap(1e-3),
            largest_gap: f64::INFINITY,
            max_iterations: u64::MAX,
            max_time: None,
            working_set: 4096,
            shrinking: true,
            memory: default_budget(),
            interrupt: Interrupt::current(),
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
        if self.largest_gap.is_nan() || self.largest_gap <= 0.0 {
            let expected = "a number above 0, or infinity";
            return Err(Error::Parameter { name: "largest_gap", value: self.largest_gap, expected });
        }
        if self.working_set < 4 {
            let expected = "at least 4";
            return Err(Error::Parameter { name: "working_set", value: self.working_set as f64, expected });
        }
        Ok(())
    }

    /// The same settings, of whose accuracy a share is asked for.
    pub(crate) fn shared(&self, share: f64) -> Settings {
        Settings { stop: self.stop.scaled(share), largest_gap: share * self.largest_gap, ..self.clone() }
    }

    /// What a certificate must show.
    pub(crate) fn accuracy(&self) -> Accuracy {
        Accuracy { stop: self.stop, largest_gap: self.largest_gap }
    }

    /// Whether a duality gap is asked for, so that the certificate must be computed where the KKT gap is small enough.
    pub(super) fn asks_for_gap(&self) -> bool {
        matches!(self.stop, Stop::DualityGap(_)) || self.largest_gap < f64::INFINITY
    }

    /// The KKT gap that a solver aims at first.
    pub(super) fn first_tolerance(&self) -> f64 {
        match self.stop {
            Stop::KktGap(tolerance) => tolerance,
            Stop::DualityGap(relative) => relative.max(1e-3),
        }
    }

    /// The KKT gap below which nothing is left to try for a smaller duality gap.
    pub(super) fn last_tolerance(&self) -> f64 {
        LAST_TOLERANCE * self.first_tolerance()
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
