//! Sparse rows (CSR): only what is not zero is stored.

use std::borrow::Cow;

use crate::error::{Error, Result};

/// Integers that column indices and row offsets may come in at the border.
///
/// ```
/// use mercer::data::Index;
/// assert_eq!(7i32.to_usize(), Some(7));
/// assert_eq!((-1i64).to_usize(), None);
/// ```
pub trait Index: Copy + Send + Sync {
    /// As a `usize`, if it is one.
    fn to_usize(self) -> Option<usize>;
}

macro_rules! index {
    ($($t:ty),*) => {$(
        impl Index for $t {
            fn to_usize(self) -> Option<usize> {
                usize::try_from(self).ok()
            }
        }
    )*};
}
index!(i32, i64, u32, u64, usize);

/// Checked sparse rows: within a row the columns ascend strictly, every value is finite.
///
/// Memory is proportional to the stored entries: 12 bytes each, and 8 per row.
///
/// ```
/// use mercer::data::Sparse;
/// // (0, 0, 2) and (1, 0, 0)
/// let rows = Sparse::new(&[0i64, 1, 2], &[2i64, 0], vec![2.0, 1.0], 3)?;
/// assert_eq!(rows.row(0), (&[2u32][..], &[2.0][..]));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sparse<'a> {
    offsets: Cow<'a, [usize]>,
    indices: Cow<'a, [u32]>,
    values: Cow<'a, [f64]>,
    columns: usize,
}

impl<'a> Sparse<'a> {
    /// The same matrix, borrowed.
    pub fn view(&self) -> Sparse<'_> {
        Sparse {
            offsets: Cow::Borrowed(&self.offsets),
            indices: Cow::Borrowed(&self.indices),
            values: Cow::Borrowed(&self.values),
            columns: self.columns,
        }
    }

    /// Takes the three arrays of compressed rows; `offsets` has one entry more than there are rows.
    ///
    /// Entries of a row may come in any order and are sorted; explicit zeros are kept out of the way by
    /// the readers, not here.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::SparseRow`] (falling offsets, a column twice or out of range) or
    /// [`Error::NonFinite`].
    pub fn new<O: Index, I: Index>(
        offsets: &[O],
        indices: &[I],
        values: impl Into<Cow<'a, [f64]>>,
        columns: usize,
    ) -> Result<Self> {
        let values = values.into();
        if indices.len() != values.len() {
            return Err(Error::Shape {
                what: "column indices (one per stored value)",
                expected: values.len(),
                found: indices.len(),
            });
        }
        let mut ends = Vec::with_capacity(offsets.len());
        for (row, &offset) in offsets.iter().enumerate() {
            let problem = "row offsets must start at 0, never fall and end at the number of values";
            let offset = offset.to_usize().ok_or(Error::SparseRow { row, problem })?;
            let low = ends.last().copied().unwrap_or(0);
            let last = row + 1 == offsets.len();
            if (row == 0 && offset != 0)
                || offset < low
                || (last && offset != values.len())
                || offset > values.len()
            {
                return Err(Error::SparseRow { row: row.saturating_sub(1), problem });
            }
            ends.push(offset);
        }
        if ends.is_empty() {
            return Err(Error::Shape { what: "row offsets (one more than rows)", expected: 1, found: 0 });
        }
        let mut columns_of = Vec::with_capacity(indices.len());
        for row in 0..ends.len() - 1 {
            for &index in &indices[ends[row]..ends[row + 1]] {
                match index.to_usize() {
                    Some(i) if i < columns && i <= u32::MAX as usize => columns_of.push(i as u32),
                    _ => {
                        return Err(Error::SparseRow { row, problem: "column index out of range" });
                    }
                }
            }
        }
        Self::from_parts(ends, columns_of, values, columns)
    }

    /// Takes arrays that already have Mercer's own integer types, without copying the values.
    ///
    /// ```
    /// use mercer::data::Sparse;
    /// // (5, 0), (0, 0) and (0, 6)
    /// let rows = Sparse::from_parts(vec![0, 1, 1, 2], vec![0, 1], vec![5.0, 6.0], 2)?;
    /// assert_eq!((rows.rows(), rows.stored()), (3, 2));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Sparse::new`].
    pub fn from_parts(
        offsets: impl Into<Cow<'a, [usize]>>,
        indices: impl Into<Cow<'a, [u32]>>,
        values: impl Into<Cow<'a, [f64]>>,
        columns: usize,
    ) -> Result<Self> {
        let (offsets, mut indices, mut values) = (offsets.into(), indices.into(), values.into());
        let rows = offsets.len().saturating_sub(1);
        let well_formed = offsets.first() == Some(&0)
            && offsets.last() == Some(&values.len())
            && offsets.windows(2).all(|w| w[0] <= w[1]);
        if !well_formed || indices.len() != values.len() {
            return Err(Error::SparseRow {
                row: 0,
                problem: "row offsets, columns and values do not fit together",
            });
        }
        for row in 0..rows {
            let range = offsets[row]..offsets[row + 1];
            if !indices[range.clone()].windows(2).all(|w| w[0] < w[1]) {
                sort_row(&mut indices.to_mut()[range.clone()], &mut values.to_mut()[range.clone()]);
                if !indices[range.clone()].windows(2).all(|w| w[0] < w[1]) {
                    return Err(Error::SparseRow { row, problem: "a column index stands twice" });
                }
            }
            if indices[range.clone()].last().is_some_and(|&i| i as usize >= columns) {
                return Err(Error::SparseRow { row, problem: "column index out of range" });
            }
            for at in range {
                if !values[at].is_finite() {
                    return Err(Error::NonFinite { row, column: indices[at] as usize, value: values[at] });
                }
            }
        }
        Ok(Sparse { offsets, indices, values, columns })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Columns and values of one row.
    ///
    /// # Panics
    /// If there is none at this position.
    pub fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.offsets[i]..self.offsets[i + 1];
        (&self.indices[range.clone()], &self.values[range])
    }

    /// Number of stored values.
    pub fn stored(&self) -> usize {
        self.values.len()
    }

    /// The three arrays: offsets, column indices, values.
    pub fn parts(&self) -> (&[usize], &[u32], &[f64]) {
        (&self.offsets, &self.indices, &self.values)
    }

    /// Copies of the rows at these positions.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn select(&self, positions: &[usize]) -> Sparse<'static> {
        let mut offsets = Vec::with_capacity(positions.len() + 1);
        let (mut indices, mut values) = (Vec::new(), Vec::new());
        offsets.push(0);
        for &i in positions {
            let (columns, row) = self.row(i);
            indices.extend_from_slice(columns);
            values.extend_from_slice(row);
            offsets.push(indices.len());
        }
        Sparse {
            offsets: Cow::Owned(offsets),
            indices: Cow::Owned(indices),
            values: Cow::Owned(values),
            columns: self.columns,
        }
    }

    /// The same rows in a space of more (or as many) columns.
    ///
    /// ```
    /// use mercer::data::Sparse;
    /// let rows = Sparse::new(&[0, 1], &[2], vec![1.0], 3)?;
    /// assert_eq!(rows.clone().with_columns(10)?.columns(), 10);
    /// assert!(rows.with_columns(2).is_err());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SparseRow`] if a stored column would lie outside.
    pub fn with_columns(mut self, columns: usize) -> Result<Self> {
        if columns < self.columns {
            for row in 0..self.rows() {
                if self.row(row).0.last().is_some_and(|&i| i as usize >= columns) {
                    return Err(Error::SparseRow { row, problem: "column index out of range" });
                }
            }
        }
        self.columns = columns;
        Ok(self)
    }
}

fn sort_row(indices: &mut [u32], values: &mut [f64]) {
    let mut order: Vec<(u32, f64)> = indices.iter().copied().zip(values.iter().copied()).collect();
    order.sort_by_key(|&(i, _)| i);
    for (at, (i, v)) in order.into_iter().enumerate() {
        indices[at] = i;
        values[at] = v;
    }
}
