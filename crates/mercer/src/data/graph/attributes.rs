//! Numbers that nodes or edges have, as many for each.

use crate::error::{Error, Result};

/// A table with a row per node or edge.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Attributes {
    values: Vec<f64>,
    each: usize,
}

impl Attributes {
    /// Cuts the values into `owners` rows.
    pub(super) fn new(what: &'static str, values: Vec<f64>, owners: usize) -> Result<Self> {
        let each = values.len().checked_div(owners).unwrap_or(0);
        if each * owners != values.len() {
            return Err(Error::Shape { what, expected: each * owners, found: values.len() });
        }
        match values.iter().position(|value| !value.is_finite()) {
            Some(at) => Err(Error::NonFinite { row: at / each, column: at % each, value: values[at] }),
            None => Ok(Attributes { values, each }),
        }
    }

    pub(super) fn of(&self, owner: usize) -> &[f64] {
        &self.values[owner * self.each..][..self.each]
    }

    pub(super) fn each(&self) -> usize {
        self.each
    }

    pub(super) fn into_values(self) -> Vec<f64> {
        self.values
    }
}
