//! Dense matrices of f64 or f32, one item per row.

use std::borrow::Cow;
use std::ops::Range;

use crate::error::{Error, Result};

/// Numbers that dense rows can be made of: `f64` and `f32`.
///
/// ```
/// use mercer::data::Real;
/// assert_eq!(0.5f32.to_f64(), 0.5);
/// ```
pub trait Real: Copy + Send + Sync + Default + PartialEq + std::fmt::Debug + 'static {
    /// The same number as f64 (exact).
    fn to_f64(self) -> f64;
}

impl Real for f64 {
    #[inline]
    fn to_f64(self) -> f64 {
        self
    }
}

impl Real for f32 {
    #[inline]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
}

/// A checked dense matrix in row-major order, borrowed or owned: every value is finite.
///
/// ```
/// use mercer::data::Dense;
/// let matrix = Dense::new(vec![1.0, 2.0, 3.0, 4.0], 2, 2)?;
/// assert_eq!(matrix.row(1), [3.0, 4.0]);
/// assert!(Dense::new(vec![1.0, f64::NAN], 1, 2).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Dense<'a, T: Real> {
    values: Cow<'a, [T]>,
    rows: usize,
    columns: usize,
}

impl<'a, T: Real> Dense<'a, T> {
    /// Takes `rows × columns` values, row after row.
    ///
    /// # Errors
    /// [`Error::Shape`] if the count is off, [`Error::NonFinite`] with the place of the first NaN or infinity.
    pub fn new(values: impl Into<Cow<'a, [T]>>, rows: usize, columns: usize) -> Result<Self> {
        let values = values.into();
        check_values(&values, rows, columns, |at| (at / columns, at % columns))?;
        Ok(Dense { values, rows, columns })
    }

    /// A matrix of values that have been looked at before.
    pub(super) fn checked(values: Vec<T>, rows: usize, columns: usize) -> Self {
        debug_assert_eq!(values.len(), rows * columns);
        Dense { values: Cow::Owned(values), rows, columns }
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
    pub fn row(&self, i: usize) -> &[T] {
        assert!(i < self.rows, "row {i} of {}", self.rows);
        &self.values[i * self.columns..][..self.columns]
    }

    /// All values, row after row.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// A view of the rows of a range.
    ///
    /// ```
    /// use mercer::data::Dense;
    /// let matrix = Dense::new(vec![1.0, 2.0, 3.0], 3, 1)?;
    /// assert_eq!(matrix.range(1..3).values(), [2.0, 3.0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the range is not within the rows.
    pub fn range(&self, rows: Range<usize>) -> Dense<'_, T> {
        let values = &self.values[rows.start * self.columns..rows.end * self.columns];
        Dense { values: Cow::Borrowed(values), rows: rows.len(), columns: self.columns }
    }

    /// The same matrix, borrowed.
    pub fn view(&self) -> Dense<'_, T> {
        Dense { values: Cow::Borrowed(&self.values), rows: self.rows, columns: self.columns }
    }

    /// Copies of the rows at these positions.
    ///
    /// ```
    /// use mercer::data::Dense;
    /// let matrix = Dense::new(vec![1.0, 2.0, 3.0], 3, 1)?;
    /// assert_eq!(matrix.select(&[2, 0]).values(), [3.0, 1.0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such row.
    pub fn select(&self, positions: &[usize]) -> Dense<'static, T> {
        let mut values = Vec::with_capacity(positions.len() * self.columns);
        for &i in positions {
            values.extend_from_slice(self.row(i));
        }
        Dense::checked(values, positions.len(), self.columns)
    }
}

/// That there are `rows × columns` values and all are finite; `place` gives the row and column of a position.
pub(super) fn check_values<T: Real>(
    values: &[T],
    rows: usize,
    columns: usize,
    place: impl Fn(usize) -> (usize, usize),
) -> Result<()> {
    let (what, found) = ("values of the matrix", values.len());
    let expected = rows.checked_mul(columns).ok_or(Error::Shape { what, expected: usize::MAX, found })?;
    if found != expected {
        return Err(Error::Shape { what, expected, found });
    }
    if let Some(at) = values.iter().position(|v| !v.to_f64().is_finite()) {
        let (row, column) = place(at);
        return Err(Error::NonFinite { row, column, value: values[at].to_f64() });
    }
    Ok(())
}
