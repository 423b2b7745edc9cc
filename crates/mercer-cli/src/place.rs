//! Errors about a value, told in the words of the file that it stands in.

use std::path::Path;

use mercer::Error;
use mercer::data::{Items, ReadOptions, Scaling, Vectors, error_at};

/// Rows of a file as they were read, and what was done to them.
pub struct Place<'a> {
    pub data: &'a Path,
    pub options: &'a ReadOptions,
    pub written: &'a Vectors<'a>,
    pub scaling: Option<&'a Scaling>,
    /// Rows of the file before these.
    pub before: usize,
}

impl Place<'_> {
    /// Names line and column, and the value as it is written, where the library counts rows and columns from 0 and
    /// may have seen the value scaled.
    pub fn name(&self, error: Error) -> Error {
        let (row, column, problem) = match error {
            Error::Negative { row, column, value, kernel } => {
                let original = self.value_at(row, column);
                let needs = format!("but {kernel} needs values of at least 0");
                let problem = match self.scaling {
                    Some(scaling) if original >= 0.0 => {
                        format!("{original} is scaled to {value} by {}, {needs}", scaling.kind())
                    }
                    _ => format!("{original}, {needs}"),
                };
                (row, column, problem)
            }
            Error::NonFinite { row, column, value } => {
                let original = self.value_at(row, column);
                (row, column, format!("{original} is scaled to {value}, which is not a finite number"))
            }
            other => return other,
        };
        error_at(self.data, self.options, self.before + row, column, problem)
    }

    fn value_at(&self, row: usize, column: usize) -> f64 {
        let mut found = 0.0;
        self.written.get(row).for_each(|at, value| {
            if at == column {
                found = value;
            }
        });
        found
    }
}
