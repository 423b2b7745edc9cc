//! Dense matrices that lie in memory column by column (Fortran's order), read where they are.

use std::borrow::Cow;

use crate::data::dense::check_values;
use crate::data::{Dense, Real};
use crate::error::Result;

/// A checked dense matrix in column-major order, borrowed or owned: every value is finite.
///
/// Its rows are views with a stride, so that a kernel reads them without a copy of the matrix.
///
/// ```
/// use mercer::data::ColumnMajor;
/// let matrix = ColumnMajor::new(vec![1.0, 2.0, 3.0, 4.0], 2, 2)?;
/// assert_eq!(matrix.row(1).iter().collect::<Vec<_>>(), [2.0, 4.0]);
/// assert!(ColumnMajor::new(vec![1.0, f64::NAN], 1, 2).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnMajor<'a, T: Real> {
    values: Cow<'a, [T]>,
    rows: usize,
    columns: usize,
}

impl<'a, T: Real> ColumnMajor<'a, T> {
    /// The same matrix, borrowed.
    pub fn view(&self) -> ColumnMajor<'_, T> {
        ColumnMajor { values: Cow::Borrowed(&self.values), rows: self.rows, columns: self.columns }
    }

    /// Takes `rows × columns` values, column after column.
    ///
    /// # Errors
    /// [`Error::Shape`](crate::Error::Shape) if the count is off, [`Error::NonFinite`](crate::Error::NonFinite) with the
    /// place of the first NaN or infinity.
    pub fn new(values: impl Into<Cow<'a, [T]>>, rows: usize, columns: usize) -> Result<Self> {
        let values = values.into();
        check_values(&values, rows, columns, |at| (at % rows, at / rows))?;
        Ok(ColumnMajor { values, rows, columns })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// One row.
    ///
    /// # Panics
    /// If there is none at this position.
    pub fn row(&self, i: usize) -> Strided<'_, T> {
        assert!(i < self.rows, "row {i} of {}", self.rows);
        Strided { values: self.values.get(i..).unwrap_or_default(), step: self.rows }
    }

    /// Copies of these columns, one after the other.
    pub(crate) fn columns_of(&self, columns: impl Iterator<Item = usize>) -> Vec<T> {
        columns.flat_map(|k| &self.values[k * self.rows..][..self.rows]).copied().collect()
    }

    /// Copies of the rows at these positions, row after row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn select(&self, positions: &[usize]) -> Dense<'static, T> {
        let mut values = Vec::with_capacity(positions.len() * self.columns);
        for &i in positions {
            values.extend(self.row(i).iter());
        }
        Dense::checked(values, positions.len(), self.columns)
    }
}

/// Every `step`-th value of a slice, from the first on: one row of a [`ColumnMajor`] matrix.
///
/// ```
/// use mercer::data::ColumnMajor;
/// let matrix = ColumnMajor::new(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2, 3)?;
/// let row = matrix.row(0);
/// assert_eq!((row.len(), row.get(2), row.get(3)), (3, Some(5.0), None));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Strided<'a, T> {
    values: &'a [T],
    step: usize,
}

impl<'a, T: Real> Strided<'a, T> {
    /// Number of values.
    pub fn len(&self) -> usize {
        self.values.len().div_ceil(self.step)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value at position `k`.
    pub fn get(&self, k: usize) -> Option<T> {
        self.values.get(k.checked_mul(self.step)?).copied()
    }

    /// The values in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = T> + Clone + use<'a, T> {
        self.values.iter().step_by(self.step).copied()
    }
}

impl<T: Real> PartialEq for Strided<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}
