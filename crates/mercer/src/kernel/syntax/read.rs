//! Kernels on rows of numbers, of what was written.

use std::str::FromStr;

use crate::error::{Error, Result};
use crate::kernel::combine::{Product, Sum};
use crate::kernel::syntax::arguments::Arguments;
use crate::kernel::syntax::parse::{at, parse};
use crate::kernel::syntax::registry;
use crate::kernel::syntax::tree::{Part, Written};
use crate::kernel::{Constant, Expression};

impl FromStr for Expression {
    type Err = Error;

    /// Reads an expression; [`Error::Expression`] says at which character it could not be understood.
    fn from_str(text: &str) -> Result<Self> {
        Expression::read(parse(text)?)
    }
}

impl Expression {
    pub(crate) fn read(written: Written) -> Result<Expression> {
        let Written { position, part } = written;
        let all = |parts: Vec<Written>| parts.into_iter().map(Expression::read).collect::<Result<Vec<_>>>();
        Ok(match part {
            Part::Sum(parts) => Expression::Sum(Sum { terms: all(parts)? }),
            Part::Product(parts) => Expression::Product(Product { factors: all(parts)? }),
            Part::Scale(factor, part) => factor * Expression::read(*part)?,
            Part::Power(part, exponent) => Expression::read(*part)?.powi(exponent),
            Part::Constant(value) => at(position, Constant::new(value))?.into(),
            Part::Call(name, given) => {
                let entry = registry::find(&name, position)?;
                let mut arguments = Arguments::new(entry.name, position, given);
                let kernel = (entry.build)(&mut arguments)?;
                arguments.finish(entry.parameters)?;
                kernel
            }
        })
    }
}
