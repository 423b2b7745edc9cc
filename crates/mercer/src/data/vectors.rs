//! Numeric rows in any of their forms, behind one type.

use std::borrow::Cow;
use std::ops::Range;

use crate::data::{ColumnMajor, Dense, Items, Sparse, Strided};
use crate::error::{Error, Result};
use crate::resources::available_memory;

/// A view of one numeric row.
///
/// ```
/// use mercer::data::Row;
/// let row = Row::Sparse { indices: &[1, 3], values: &[5.0, 7.0] };
/// assert_eq!(row.to_dense(4), [0.0, 5.0, 0.0, 7.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Row<'a> {
    /// Double precision.
    Dense64(&'a [f64]),
    /// Single precision.
    Dense32(&'a [f32]),
    /// Double precision, the values apart from each other: a row of a matrix that lies column by column.
    Strided64(Strided<'a, f64>),
    /// The same in single precision.
    Strided32(Strided<'a, f32>),
    /// Only what is not zero: ascending columns and their values.
    Sparse {
        /// Columns, ascending.
        indices: &'a [u32],
        /// Their values.
        values: &'a [f64],
    },
}

impl Row<'_> {
    /// Calls `visit(column, value)` for each stored entry in ascending order of columns.
    ///
    /// ```
    /// use mercer::data::Row;
    /// let mut sum = 0.0;
    /// Row::Dense64(&[1.0, 2.0, 3.0]).for_each(|column, value| sum += column as f64 * value);
    /// assert_eq!(sum, 8.0);
    /// ```
    pub fn for_each(&self, mut visit: impl FnMut(usize, f64)) {
        match *self {
            Row::Dense64(row) => row.iter().enumerate().for_each(|(k, &v)| visit(k, v)),
            Row::Dense32(row) => row.iter().enumerate().for_each(|(k, &v)| visit(k, f64::from(v))),
            Row::Strided64(row) => row.iter().enumerate().for_each(|(k, v)| visit(k, v)),
            Row::Strided32(row) => row.iter().enumerate().for_each(|(k, v)| visit(k, f64::from(v))),
            Row::Sparse { indices, values } => {
                indices.iter().zip(values).for_each(|(&k, &v)| visit(k as usize, v));
            }
        }
    }

    /// The value in a column: 0 if nothing is stored there, none beyond the end of a dense row. O(1), or O(log stored
    /// entries) if the row is sparse.
    ///
    /// ```
    /// use mercer::data::Row;
    /// assert_eq!(Row::Dense64(&[1.0, 2.0]).value(1), Some(2.0));
    /// assert_eq!(Row::Dense64(&[1.0, 2.0]).value(2), None);
    /// assert_eq!(Row::Sparse { indices: &[1], values: &[5.0] }.value(7), Some(0.0));
    /// ```
    pub fn value(&self, column: usize) -> Option<f64> {
        match *self {
            Row::Dense64(row) => row.get(column).copied(),
            Row::Dense32(row) => row.get(column).map(|&v| f64::from(v)),
            Row::Strided64(row) => row.get(column),
            Row::Strided32(row) => row.get(column).map(f64::from),
            Row::Sparse { indices, values } => {
                let stored =
                    u32::try_from(column).ok().and_then(|column| indices.binary_search(&column).ok());
                Some(stored.map_or(0.0, |at| values[at]))
            }
        }
    }

    /// The number of columns; a sparse row does not know it.
    ///
    /// ```
    /// use mercer::data::Row;
    /// assert_eq!(Row::Dense32(&[1.0, 2.0]).columns(), Some(2));
    /// assert_eq!(Row::Sparse { indices: &[1], values: &[5.0] }.columns(), None);
    /// ```
    pub fn columns(&self) -> Option<usize> {
        match *self {
            Row::Dense64(row) => Some(row.len()),
            Row::Dense32(row) => Some(row.len()),
            Row::Strided64(row) => Some(row.len()),
            Row::Strided32(row) => Some(row.len()),
            Row::Sparse { .. } => None,
        }
    }

    /// The row as `columns` dense numbers; entries beyond are left out.
    pub fn to_dense(&self, columns: usize) -> Vec<f64> {
        let mut dense = vec![0.0; columns];
        self.for_each(|k, v| {
            if let Some(slot) = dense.get_mut(k) {
                *slot = v;
            }
        });
        dense
    }
}

/// A collection of numeric rows: dense f64 or f32, in rows or in columns, or sparse.
///
/// ```
/// use mercer::data::{Dense, Items, Row, Vectors};
/// let rows: Vectors = Dense::new(vec![0.0, 1.0, 1.0, 0.0], 2, 2)?.into();
/// assert_eq!((rows.len(), rows.columns()), (2, 2));
/// assert_eq!(rows.get(0), Row::Dense64(&[0.0, 1.0]));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Vectors<'a> {
    /// Dense rows in double precision.
    Dense64(Dense<'a, f64>),
    /// Dense rows in single precision.
    Dense32(Dense<'a, f32>),
    /// Dense rows in double precision that lie column by column.
    Columns64(ColumnMajor<'a, f64>),
    /// Dense rows in single precision that lie column by column.
    Columns32(ColumnMajor<'a, f32>),
    /// Sparse rows.
    Sparse(Sparse<'a>),
}

impl Vectors<'_> {
    /// Copies rows of equal length.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// assert_eq!(Vectors::from_rows(&[vec![1.0, 2.0], vec![3.0, 4.0]])?.columns(), 2);
    /// assert!(Vectors::from_rows(&[vec![1.0, 2.0], vec![3.0]]).is_err());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] for rows of different length, [`Error::NonFinite`].
    pub fn from_rows<R: AsRef<[f64]>>(rows: &[R]) -> Result<Vectors<'static>> {
        let columns = rows.first().map_or(0, |r| r.as_ref().len());
        let mut values = Vec::with_capacity(rows.len() * columns);
        for row in rows {
            if row.as_ref().len() != columns {
                return Err(Error::Shape {
                    what: "values in a row",
                    expected: columns,
                    found: row.as_ref().len(),
                });
            }
            values.extend_from_slice(row.as_ref());
        }
        Ok(Vectors::Dense64(Dense::new(values, rows.len(), columns)?))
    }

    /// The rows of several collections, one after the other: sparse if one of them is, with as many columns as the widest;
    /// otherwise in double precision.
    ///
    /// ```
    /// use mercer::data::{Items, Vectors};
    /// let (a, b) = (Vectors::from_rows(&[[1.0, 2.0]])?, Vectors::from_rows(&[[3.0, 4.0], [5.0, 6.0]])?);
    /// assert_eq!(Vectors::stacked(&[&a, &b])?, Vectors::from_rows(&[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])?);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] for dense rows of different length.
    pub fn stacked(parts: &[&Vectors<'_>]) -> Result<Vectors<'static>> {
        let parts = || parts.iter().filter(|part| !part.is_empty());
        let rows = parts().map(|part| part.len()).sum();
        let columns = parts().map(|part| part.columns()).max().unwrap_or(0);
        let sparse = parts().any(|part| matches!(part, Vectors::Sparse(_)));
        let unfit = |part: &&&Vectors<'_>| part.columns() != columns && !matches!(part, Vectors::Sparse(_));
        if let Some(part) = parts().find(unfit) {
            return Err(Error::Shape { what: "values in a row", expected: columns, found: part.columns() });
        }
        let (mut offsets, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        for part in parts() {
            for i in 0..part.len() {
                part.get(i).for_each(|column, value| {
                    if !sparse || value != 0.0 {
                        indices.push(column as u32);
                        values.push(value);
                    }
                });
                offsets.push(values.len());
            }
        }
        Ok(if sparse {
            Sparse::from_parts(offsets, indices, values, columns)?.into()
        } else {
            Dense::new(values, rows, columns)?.into()
        })
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        match self {
            Vectors::Dense64(m) => m.columns(),
            Vectors::Dense32(m) => m.columns(),
            Vectors::Columns64(m) => m.columns(),
            Vectors::Columns32(m) => m.columns(),
            Vectors::Sparse(m) => m.columns(),
        }
    }

    /// Number of stored values: rows × columns when dense.
    pub fn stored(&self) -> usize {
        match self {
            Vectors::Sparse(m) => m.stored(),
            dense => dense.len() * dense.columns(),
        }
    }

    /// The rows as dense f64, zeros filled in.
    ///
    /// # Errors
    /// [`Error::Budget`] if there is not the memory for it.
    ///
    /// ```
    /// use mercer::data::{Sparse, Vectors};
    /// let rows: Vectors = Sparse::new(&[0i64, 1], &[2i64], vec![5.0], 3)?.into();
    /// assert_eq!(rows.to_dense()?, Vectors::from_rows(&[[0.0, 0.0, 5.0]])?);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn to_dense(&self) -> Result<Vectors<'static>> {
        let needed = self.len() as u128 * self.columns() as u128 * 8;
        let allowed = available_memory().unwrap_or(u64::MAX / 2);
        if needed > u128::from(allowed) {
            return Err(Error::Budget {
                what: "making the rows dense",
                needed: u64::try_from(needed).unwrap_or(u64::MAX),
                allowed,
                instead: "keep them sparse",
            });
        }
        let columns = self.columns();
        let mut values = vec![0.0; self.len() * columns];
        for i in 0..self.len() {
            let out = &mut values[i * columns..][..columns];
            match self.get(i) {
                Row::Dense64(row) => out.copy_from_slice(row),
                row => row.for_each(|column, value| out[column] = value),
            }
        }
        Ok(Dense::new(values, self.len(), columns)?.into())
    }

    /// The same rows, one after the other in memory: these themselves, or a copy of the size that they have if they lie column
    /// by column. Worth it for who passes over the rows many times.
    ///
    /// ```
    /// use mercer::data::{ColumnMajor, Vectors};
    /// let rows = Vectors::from(ColumnMajor::new(vec![1.0, 3.0, 2.0, 4.0], 2, 2)?);
    /// assert_eq!(*rows.row_major(), Vectors::from_rows(&[[1.0, 2.0], [3.0, 4.0]])?);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn row_major(&self) -> Cow<'_, Self> {
        match self {
            Vectors::Columns64(_) | Vectors::Columns32(_) => {
                Cow::Owned(self.select(&(0..self.len()).collect::<Vec<_>>()))
            }
            _ => Cow::Borrowed(self),
        }
    }

    /// The rows of a range: where they are, if rows are dense and lie one after the other, else a copy. Panics if the range goes beyond
    /// the last row.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// let rows = Vectors::from_rows(&[[1.0], [2.0], [3.0]])?;
    /// assert_eq!(rows.range(1..3), Vectors::from_rows(&[[2.0], [3.0]])?);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn range(&self, rows: Range<usize>) -> Vectors<'_> {
        match self {
            Vectors::Dense64(m) => m.range(rows).into(),
            Vectors::Dense32(m) => m.range(rows).into(),
            _ => self.select(&rows.collect::<Vec<_>>()),
        }
    }

    /// The same rows, borrowed: nothing is copied.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// let rows = Vectors::from_rows(&[[1.0], [2.0]])?;
    /// assert_eq!(rows.view(), rows);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn view(&self) -> Vectors<'_> {
        match self {
            Vectors::Dense64(m) => Vectors::Dense64(m.view()),
            Vectors::Dense32(m) => Vectors::Dense32(m.view()),
            Vectors::Columns64(m) => Vectors::Columns64(m.view()),
            Vectors::Columns32(m) => Vectors::Columns32(m.view()),
            Vectors::Sparse(m) => Vectors::Sparse(m.view()),
        }
    }

    /// Mean over all entries, zeros included, and their population variance: what `gamma="scale"` is made of. A row of
    /// weight w counts as w rows.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// assert_eq!(Vectors::from_rows(&[[1.0, 3.0], [5.0, 7.0]])?.mean_and_variance(None), (4.0, 5.0));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn mean_and_variance(&self, weights: Option<&[f64]>) -> (f64, f64) {
        let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
        let count = (0..self.len()).map(weight).sum::<f64>() * self.columns() as f64;
        let (mut sum, mut squares) = (0.0, 0.0);
        for i in 0..self.len() {
            let weight = weight(i);
            self.get(i).for_each(|_, v| sum += weight * v);
        }
        let mean = sum / count;
        let mut stored = 0.0;
        for i in 0..self.len() {
            let weight = weight(i);
            self.get(i).for_each(|_, v| {
                squares += weight * ((v - mean) * (v - mean));
                stored += weight;
            });
        }
        squares += (count - stored) * mean * mean;
        (mean, squares / count)
    }
}

impl Items for Vectors<'_> {
    type Item<'b>
        = Row<'b>
    where
        Self: 'b;
    type Owned = Vectors<'static>;

    fn len(&self) -> usize {
        match self {
            Vectors::Dense64(m) => m.rows(),
            Vectors::Dense32(m) => m.rows(),
            Vectors::Columns64(m) => m.rows(),
            Vectors::Columns32(m) => m.rows(),
            Vectors::Sparse(m) => m.rows(),
        }
    }

    fn get(&self, i: usize) -> Row<'_> {
        match self {
            Vectors::Dense64(m) => Row::Dense64(m.row(i)),
            Vectors::Dense32(m) => Row::Dense32(m.row(i)),
            Vectors::Columns64(m) => Row::Strided64(m.row(i)),
            Vectors::Columns32(m) => Row::Strided32(m.row(i)),
            Vectors::Sparse(m) => {
                let (indices, values) = m.row(i);
                Row::Sparse { indices, values }
            }
        }
    }

    fn select(&self, positions: &[usize]) -> Vectors<'static> {
        match self {
            Vectors::Dense64(m) => Vectors::Dense64(m.select(positions)),
            Vectors::Dense32(m) => Vectors::Dense32(m.select(positions)),
            Vectors::Columns64(m) => Vectors::Dense64(m.select(positions)),
            Vectors::Columns32(m) => Vectors::Dense32(m.select(positions)),
            Vectors::Sparse(m) => Vectors::Sparse(m.select(positions)),
        }
    }
}

impl<'a> From<Dense<'a, f64>> for Vectors<'a> {
    fn from(rows: Dense<'a, f64>) -> Self {
        Vectors::Dense64(rows)
    }
}

impl<'a> From<Dense<'a, f32>> for Vectors<'a> {
    fn from(rows: Dense<'a, f32>) -> Self {
        Vectors::Dense32(rows)
    }
}

impl<'a> From<ColumnMajor<'a, f64>> for Vectors<'a> {
    fn from(rows: ColumnMajor<'a, f64>) -> Self {
        Vectors::Columns64(rows)
    }
}

impl<'a> From<ColumnMajor<'a, f32>> for Vectors<'a> {
    fn from(rows: ColumnMajor<'a, f32>) -> Self {
        Vectors::Columns32(rows)
    }
}

impl<'a> From<Sparse<'a>> for Vectors<'a> {
    fn from(rows: Sparse<'a>) -> Self {
        Vectors::Sparse(rows)
    }
}
