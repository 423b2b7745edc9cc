//! Errors about a value, told in the words of the file that it stands in.

use std::path::Path;

use mercer::Error;
use mercer::data::{Items, ReadOptions, Scaling, Vectors, error_at};

/// Names line and column, and the value as it is written, where the library counts rows and columns from 0 and
/// may have seen the value scaled.
pub fn in_words_of_the_file(
    error: Error,
    data: &Path,
    options: &ReadOptions,
    written: &Vectors<'_>,
    scaling: Option<&Scaling>,
) -> Error {
    let (row, column, problem) = match error {
        Error::Negative { row, column, value, kernel } => {
            let original = value_at(written, row, column);
            let needs = format!("but {kernel} needs values of at least 0");
            let problem = match scaling {
                Some(scaling) if original >= 0.0 => {
                    format!("{original} is scaled to {value} by {}, {needs}", scaling.kind())
                }
                _ => format!("{original}, {needs}"),
            };
            (row, column, problem)
        }
        Error::NonFinite { row, column, value } => {
            let original = value_at(written, row, column);
            (row, column, format!("{original} is scaled to {value}, which is not a finite number"))
        }
        other => return other,
    };
    error_at(data, options, row, column, problem)
}

fn value_at(rows: &Vectors<'_>, row: usize, column: usize) -> f64 {
    let mut found = 0.0;
    rows.get(row).for_each(|at, value| {
        if at == column {
            found = value;
        }
    });
    found
}
