//! Rows of 0 and 1 as bits, and how many sets of bits two of them share.

use serde::de::{Deserialize, Deserializer, Error as _};

use crate::data::Row;
use crate::error::{Error, Result};

/// A row of truth values, as bits: what the kernels on assignments keep of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    words: Vec<u64>,
}

impl Assignment {
    /// From a row of 0 and 1, with so many variables if that is known.
    pub(super) fn new(row: &Row<'_>, variables: Option<usize>) -> Result<Self> {
        if let (Some(expected), Some(found)) = (variables, row.columns())
            && expected != found
        {
            return Err(Error::Shape { what: "variables", expected, found });
        }
        let mut words = vec![0u64; variables.unwrap_or(0).div_ceil(64)];
        let mut problem = None;
        row.for_each(|variable, value| {
            if value == 0.0 {
                return;
            }
            if value != 1.0 {
                let what = "truth value of variable";
                problem.get_or_insert(Error::Entry { what, index: variable, value, expected: "0 or 1" });
            }
            if let Some(expected) = variables
                && variable >= expected
            {
                problem.get_or_insert(Error::Shape { what: "variables", expected, found: variable + 1 });
                return;
            }
            if words.len() <= variable / 64 {
                words.resize(variable / 64 + 1, 0);
            }
            words[variable / 64] |= 1 << (variable % 64);
        });
        problem.map_or(Ok(Assignment { words }), Err)
    }

    /// How many variables are true in both.
    pub(super) fn both(&self, other: &Assignment) -> u64 {
        self.words.iter().zip(&other.words).map(|(a, b)| u64::from((a & b).count_ones())).sum()
    }

    /// How many variables have different values; both are of as many.
    pub(super) fn different(&self, other: &Assignment) -> u64 {
        self.words.iter().zip(&other.words).map(|(a, b)| u64::from((a ^ b).count_ones())).sum()
    }
}

/// Σ C(n, i) for i from 0 to `largest`, or to n.
pub(super) fn subsets(n: u64, largest: Option<u32>) -> f64 {
    let Some(largest) = largest.filter(|&largest| u64::from(largest) < n) else {
        return 2f64.powi(i32::try_from(n).unwrap_or(i32::MAX));
    };
    let (mut sum, mut term) = (1.0, 1.0);
    for i in 0..u64::from(largest) {
        term = term * (n - i) as f64 / (i + 1) as f64;
        sum += term;
    }
    sum
}

/// A number of literals.
pub(super) fn check_size(size: u32) -> Result<u32> {
    if size == 0 {
        return Err(Error::Parameter { name: "size", value: 0.0, expected: "a whole number of at least 1" });
    }
    Ok(size)
}

/// The same, of files.
pub(super) fn read_size<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    Option::<u32>::deserialize(from)?.map(check_size).transpose().map_err(D::Error::custom)
}
