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

    /// From a string of the characters 0 and 1, with so many variables if that is known.
    pub(super) fn of_text(text: &str, variables: Option<usize>) -> Result<Self> {
        let found = text.chars().count();
        if let Some(expected) = variables.filter(|&expected| expected != found) {
            return Err(Error::Shape { what: "variables", expected, found });
        }
        let mut words = vec![0u64; found.div_ceil(64)];
        for (variable, character) in text.chars().enumerate() {
            match character {
                '0' => {}
                '1' => words[variable / 64] |= 1 << (variable % 64),
                other => {
                    let what = format!(
                        "character {} is {other:?}: an assignment is written with 0 and 1",
                        variable + 1
                    );
                    return Err(Error::Unsupported { what });
                }
            }
        }
        Ok(Assignment { words })
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

/// How many variables a row has; of a sparse one, up to the last that is true.
pub(super) fn variables_of(row: &Row<'_>) -> usize {
    row.columns().unwrap_or_else(|| {
        let mut last = 0;
        row.for_each(|variable, _| last = variable + 1);
        last
    })
}

/// The number of variables, once it is known.
pub(super) fn known(variables: Option<usize>) -> Result<Option<usize>> {
    match variables {
        Some(variables) => Ok(Some(variables)),
        None => Err(Error::Unsupported {
            what:
                "how many variables there are is not known: name their number, or let the kernel learn first"
                    .into(),
        }),
    }
}

/// A kernel on assignments, written as rows of 0 and 1 or as strings of these characters. It says how many variables items must have
/// (`expected`), what its value is, and what it is `over` so many variables, if it was not told how many.
macro_rules! kernel_on_assignments {
    ($kernel:ident) => {
        impl<'r> $crate::kernel::DigestKernel<$crate::data::Row<'r>> for $kernel {
            type Digest = $crate::kernel::logic::Assignment;

            fn digest(&self, row: &$crate::data::Row<'r>) -> $crate::error::Result<Self::Digest> {
                Self::Digest::new(row, self.expected()?)
            }

            fn compare(&self, x: &Self::Digest, z: &Self::Digest) -> f64 {
                self.value(x, z)
            }

            fn learn(
                &self,
                rows: &[&$crate::data::Row<'r>],
                _: Option<&[f64]>,
            ) -> $crate::error::Result<Self> {
                let variables = rows.iter().map(|row| $crate::kernel::logic::assignment::variables_of(row));
                Ok(self.over(variables.max().unwrap_or(0)))
            }
        }

        impl $crate::kernel::DigestKernel<str> for $kernel {
            type Digest = $crate::kernel::logic::Assignment;

            fn digest(&self, text: &str) -> $crate::error::Result<Self::Digest> {
                Self::Digest::of_text(text, self.expected()?)
            }

            fn compare(&self, x: &Self::Digest, z: &Self::Digest) -> f64 {
                self.value(x, z)
            }

            fn learn(&self, texts: &[&str], _: Option<&[f64]>) -> $crate::error::Result<Self> {
                let variables = texts.iter().map(|text| text.chars().count());
                Ok(self.over(variables.max().unwrap_or(0)))
            }
        }

        $crate::kernel::kernel_by_digests!(['r] $kernel, $crate::data::Row<'r>);
        $crate::kernel::kernel_by_digests!($kernel, str);
    };
}
pub(super) use kernel_on_assignments;

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
