//! Kernels on sets, one per file: multisets of whatever can be put in order, and sets of numeric rows.
//!
//! A set of numeric rows is a [`Vectors`], or a [`Series`] of which the order is not looked at.

mod best_match;
mod multiset_intersection;
mod set_sum;

pub use best_match::BestMatch;
pub use multiset_intersection::MultisetIntersection;
pub use set_sum::SetSum;

use serde::{Deserialize, Serialize};

use crate::data::{Dense, Items, Series, Vectors};
use crate::error::{Error, Result};
use crate::kernel::{Definiteness, Expression, Kernel};

/// The rows of a series as a set: the order of time is not looked at.
pub(crate) fn rows_of(series: &Series) -> Result<Vectors<'_>> {
    Ok(Dense::new(series.values(), series.len(), series.channels())?.into())
}

/// A kernel on sets of rows, on the points of [`Series`] too.
macro_rules! set_kernel_on_series {
    ($kernel:ident) => {
        impl DigestKernel<Series> for $kernel {
            type Digest = Vectors<'static>;

            fn digest(&self, series: &Series) -> Result<Vectors<'static>> {
                self.rows.digest(&rows_of(series)?)
            }

            fn compare(&self, x: &Vectors<'static>, z: &Vectors<'static>) -> f64 {
                DigestKernel::<Vectors<'static>>::compare(self, x, z)
            }

            fn learn(&self, items: &[&Series], weights: Option<&[f64]>) -> Result<Self> {
                Series::common_channels(items.iter().copied())?;
                let sets: Vec<Vectors<'_>> = items.iter().map(|item| rows_of(item)).collect::<Result<_>>()?;
                DigestKernel::<Vectors<'_>>::learn(self, &sets.iter().collect::<Vec<_>>(), weights)
            }

            fn definiteness(&self) -> Definiteness {
                DigestKernel::<Vectors<'static>>::definiteness(self)
            }
        }

        kernel_by_digests!($kernel, Series);
    };
}
use set_kernel_on_series;

/// The kernel on rows that sets of rows are compared by, and the number of columns once it is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RowKernel {
    kernel: Expression,
    columns: Option<usize>,
}

impl RowKernel {
    pub(crate) fn new(kernel: impl Into<Expression>) -> Result<Self> {
        let kernel = kernel.into();
        if kernel.has_white_noise() {
            let what = format!("{kernel} has noise, which no row inside of a set has");
            return Err(Error::Unsupported { what });
        }
        Ok(RowKernel { kernel, columns: None })
    }

    pub(crate) fn kernel(&self) -> &Expression {
        &self.kernel
    }

    /// With what waits for data computed from the rows of all sets; a row of a set of weight w counts as w rows.
    pub(crate) fn learn(&self, sets: &[&Vectors<'_>], weights: Option<&[f64]>) -> Result<Self> {
        let rows = Vectors::stacked(sets)?;
        let weights: Option<Vec<f64>> = weights.map(|weights| {
            sets.iter()
                .zip(weights)
                .flat_map(|(set, &weight)| std::iter::repeat_n(weight, set.len()))
                .collect()
        });
        let kernel = self.kernel.resolve_weighted(&rows, weights.as_deref())?;
        Ok(RowKernel { kernel, columns: Some(rows.columns()) })
    }

    /// A copy of the rows, if the kernel is defined on them.
    pub(crate) fn digest(&self, rows: &Vectors<'_>) -> Result<Vectors<'static>> {
        if !self.kernel.is_resolved() {
            let what = format!("{} waits for training data: let the kernel on sets learn first", self.kernel);
            return Err(Error::Unsupported { what });
        }
        let found = rows.columns();
        let all: Vec<usize> = (0..rows.len()).collect();
        // An empty set has no columns to speak of.
        if rows.is_empty() {
            return Ok(rows.select(&all));
        }
        match (self.columns, rows) {
            (Some(columns), Vectors::Sparse(_)) if found <= columns => {}
            (Some(expected), _) if found != expected => {
                return Err(Error::Shape { what: "columns (as in training)", expected, found });
            }
            _ => {}
        }
        self.kernel.check(rows)?;
        Ok(rows.select(&all))
    }

    /// Calls `visit(a, b, k(a, b))` for all pairs of rows, row after row of x. Whether rows fit together is told first:
    /// dense ones have as many columns.
    pub(crate) fn for_each_pair(
        &self,
        x: &Vectors<'_>,
        z: &Vectors<'_>,
        mut visit: impl FnMut(usize, usize, f64),
    ) -> bool {
        let dense = |rows: &Vectors<'_>| !matches!(rows, Vectors::Sparse(_)) && !rows.is_empty();
        if dense(x) && dense(z) && x.columns() != z.columns() {
            return false;
        }
        for a in 0..x.len() {
            let row = x.get(a);
            for b in 0..z.len() {
                visit(a, b, self.kernel.eval(&row, &z.get(b)));
            }
        }
        true
    }

    pub(crate) fn definiteness(&self) -> Definiteness {
        self.kernel.definiteness()
    }
}
