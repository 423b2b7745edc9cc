//! What settings are compared by when no row is held out.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::Measure;
use crate::error::{Error, Result};
use crate::evaluation::estimates::Estimate;

/// A number that a machine's own training rows give, the smaller the better.
///
/// ```
/// use mercer::evaluation::estimates::Estimate;
/// use mercer::evaluation::search::Criterion;
/// assert_eq!("span".parse::<Criterion>()?, Criterion::Estimate(Estimate::Span));
/// assert_eq!(Criterion::Bound.to_string(), "bound");
/// assert!("guess".parse::<Criterion>().unwrap_err().to_string().contains("xi-alpha"));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Criterion {
    /// An estimate of the error.
    Estimate(Estimate),
    /// The bound of the error that belongs to the formulation: [`of_formulation`](crate::evaluation::bounds::of_formulation), for the
    /// best of as many settings as are tried (Shawe-Taylor & Cristianini, Remarks 7.31 and 7.34).
    Bound,
}

impl Criterion {
    /// Every criterion.
    ///
    /// ```
    /// use mercer::evaluation::search::Criterion;
    /// assert!(Criterion::all().all(|one| one.name().parse::<Criterion>().unwrap() == one));
    /// ```
    pub fn all() -> impl Iterator<Item = Criterion> {
        Estimate::ALL.into_iter().map(Criterion::Estimate).chain([Criterion::Bound])
    }

    /// Its name.
    ///
    /// ```
    /// assert_eq!(mercer::evaluation::search::Criterion::Bound.name(), "bound");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Criterion::Estimate(estimate) => estimate.name(),
            Criterion::Bound => "bound",
        }
    }

    /// Whether it depends on what slack costs: the alignments look at the kernel alone.
    ///
    /// ```
    /// use mercer::evaluation::search::Criterion;
    /// assert!(!"alignment".parse::<Criterion>()?.knows_cost() && Criterion::Bound.knows_cost());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn knows_cost(self) -> bool {
        match self {
            Criterion::Estimate(estimate) => !estimate.is_alignment(),
            Criterion::Bound => true,
        }
    }
}

impl Measure for Criterion {
    fn as_score(&self, value: f64) -> f64 {
        -value
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Criterion {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Criterion::all().find(|one| one.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Criterion::all().map(Criterion::name).collect();
            Error::Unsupported {
                what: format!("no criterion is called {name}: there are {}", names.join(", ")),
            }
        })
    }
}

impl Serialize for Criterion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
