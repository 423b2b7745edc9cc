//! A kernel on any kind of item, as it is written.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::kernel::syntax::parse::parse;
use crate::kernel::{Expression, StructureExpression};

/// A kernel on rows of numbers or on structured items: the names that are used decide.
///
/// ```
/// use mercer::kernel::AnyExpression;
/// assert!(matches!("normalise(gaussian)".parse()?, AnyExpression::Rows(_)));
/// assert!(matches!("normalise(spectrum(k=3))".parse()?, AnyExpression::Structures(_)));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum AnyExpression {
    /// On rows of numbers.
    Rows(Expression),
    /// On strings, trees, graphs, time series or records.
    Structures(StructureExpression),
}

impl FromStr for AnyExpression {
    type Err = Error;

    /// Reads a kernel; [`Error::Expression`] says at which character it could not be understood.
    fn from_str(text: &str) -> Result<Self> {
        let written = parse(text)?;
        let is_structured = written.names().iter().any(|(name, _)| super::kind_of(name).is_some());
        match is_structured {
            true => StructureExpression::read(written).map(AnyExpression::Structures),
            false => Expression::read(written).map(AnyExpression::Rows),
        }
    }
}

impl fmt::Display for AnyExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyExpression::Rows(kernel) => kernel.fmt(f),
            AnyExpression::Structures(kernel) => kernel.fmt(f),
        }
    }
}
