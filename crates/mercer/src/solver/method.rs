//! Which method solves the quadratic programme.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The method that solves the quadratic programme.
///
/// All give the same answer within the accuracy asked for, with the same certificate. All but the first are
/// [reference implementations](crate::solver::reference): written to be read beside the textbook, and slower.
///
/// ```
/// use mercer::solver::Method;
/// assert_eq!("interior-point".parse::<Method>()?, Method::InteriorPoint);
/// assert_eq!(Method::default().to_string(), "decomposition");
/// assert!("simplex".parse::<Method>().unwrap_err().to_string().contains("decomposition, smo, adatron"));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Large working sets with lazy rows: the solver of every day.
    #[default]
    Decomposition,
    /// Platt's sequential minimal optimization: [`reference::smo`](crate::solver::reference::smo).
    Smo,
    /// The kernel adatron, for machines without offset: [`reference::adatron`](crate::solver::reference::adatron).
    Adatron,
    /// Chunking: [`reference::chunking`](crate::solver::reference::chunking).
    Chunking,
    /// An interior-point method on all of K:
    /// [`reference::interior_point`](crate::solver::reference::interior_point).
    InteriorPoint,
}

impl Method {
    /// Every method, the default first.
    ///
    /// ```
    /// use mercer::solver::Method;
    /// assert!(Method::ALL.iter().all(|method| method.name().parse::<Method>().unwrap() == *method));
    /// ```
    pub const ALL: [Method; 5] =
        [Method::Decomposition, Method::Smo, Method::Adatron, Method::Chunking, Method::InteriorPoint];

    /// Its name on the command line.
    ///
    /// ```
    /// assert_eq!(mercer::solver::Method::Smo.name(), "smo");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Method::Decomposition => "decomposition",
            Method::Smo => "smo",
            Method::Adatron => "adatron",
            Method::Chunking => "chunking",
            Method::InteriorPoint => "interior-point",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Method::ALL.into_iter().find(|method| method.name() == name).ok_or_else(|| Error::Unsupported {
            what: format!(
                "no solver is called {name}: there are {}",
                Method::ALL.map(Method::name).join(", ")
            ),
        })
    }
}
