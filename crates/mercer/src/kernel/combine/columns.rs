//! A kernel that looks at some columns only.

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};

use crate::data::{ColumnMajor, Dense, Real, Row, Sparse, Vectors};
use crate::error::{Error, Result};
use crate::kernel::{Expression, Kernel};

/// A kernel on a subset of the columns.
///
/// k(x, z) = k₁(x_S, z_S), where x_S has the selected columns in the order of the selection. Columns count
/// from 0. A column that a row has not counts as 0; [`Expression::check`] refuses such rows.
///
/// Written `columns(0:3, k)` for columns 0, 1 and 2, or `columns([0, 2, 5], k)`. Here O(selected columns) per
/// pair for copies of the rows, besides what k₁ costs.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::{Kernel, combine::{Columns, Selection}, vector::Linear};
/// let kernel = Columns::new(Selection::list(vec![2, 0])?, Linear);
/// assert_eq!(kernel.eval(&Row::Dense64(&[1.0, 9.0, 2.0]), &Row::Dense64(&[3.0, 9.0, 4.0])), 11.0);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Columns {
    pub(crate) selection: Selection,
    pub(crate) kernel: Box<Expression>,
}

impl Columns {
    /// The kernel on these columns.
    pub fn new(selection: Selection, kernel: impl Into<Expression>) -> Self {
        Columns { selection, kernel: Box::new(kernel.into()) }
    }

    /// The columns.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// The kernel on them.
    pub fn kernel(&self) -> &Expression {
        &self.kernel
    }
}

impl<'a> Kernel<Row<'a>> for Columns {
    fn eval(&self, x: &Row<'a>, z: &Row<'a>) -> f64 {
        self.selection.with_row(x, |x| self.selection.with_row(z, |z| self.kernel.eval(x, z)))
    }

    fn eval_diagonal(&self, x: &Row<'a>) -> f64 {
        self.selection.with_row(x, |x| self.kernel.eval_diagonal(x))
    }
}

/// A choice of columns, counted from 0: one or more, none twice.
///
/// ```
/// use mercer::data::{Items, Row, Vectors};
/// use mercer::kernel::combine::Selection;
/// let rows = Vectors::from_rows(&[[1.0, 2.0, 3.0]])?;
/// assert_eq!(Selection::range(1, 3)?.project(&rows)?.get(0), Row::Dense64(&[2.0, 3.0]));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Selection {
    chosen: Chosen,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Chosen {
    Range { start: usize, end: usize },
    List(Vec<usize>),
}

impl Selection {
    /// Columns `start`, …, `end − 1`.
    ///
    /// # Errors
    /// [`Error::Empty`] if there are none.
    pub fn range(start: usize, end: usize) -> Result<Self> {
        if start >= end {
            return Err(Error::Empty { what: "columns in the range" });
        }
        Ok(Selection { chosen: Chosen::Range { start, end } })
    }

    /// These columns in this order.
    ///
    /// ```
    /// use mercer::kernel::combine::Selection;
    /// assert_eq!(Selection::list(vec![4, 1])?.at(1), 1);
    /// assert!(Selection::list(vec![4, 4]).is_err());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`], or [`Error::Entry`] if a column stands twice.
    pub fn list(columns: Vec<usize>) -> Result<Self> {
        if columns.is_empty() {
            return Err(Error::Empty { what: "columns in the list" });
        }
        let mut order: Vec<usize> = (0..columns.len()).collect();
        order.sort_by_key(|&i| (columns[i], i));
        if let Some(pair) = order.windows(2).find(|p| columns[p[0]] == columns[p[1]]) {
            return Err(Error::Entry {
                what: "column list, entry",
                index: pair[1],
                value: columns[pair[1]] as f64,
                expected: "a column that is not in the list yet",
            });
        }
        Ok(Selection { chosen: Chosen::List(columns) })
    }

    /// Number of selected columns.
    pub fn count(&self) -> usize {
        match &self.chosen {
            Chosen::Range { start, end } => end - start,
            Chosen::List(columns) => columns.len(),
        }
    }

    /// The column at position `i` of the selection.
    ///
    /// # Panics
    /// If the selection is a list and has no such position.
    pub fn at(&self, i: usize) -> usize {
        match &self.chosen {
            Chosen::Range { start, .. } => start + i,
            Chosen::List(columns) => columns[i],
        }
    }

    /// The selected columns as the data count them, where `outer` are the columns that are seen at all.
    pub(crate) fn within(&self, outer: Option<&[usize]>) -> Vec<usize> {
        (0..self.count()).map(|i| outer.map_or(self.at(i), |outer| outer[self.at(i)])).collect()
    }

    /// Refuses rows that have not all selected columns.
    ///
    /// # Errors
    /// [`Error::Shape`].
    pub fn check(&self, rows: &Vectors<'_>) -> Result<()> {
        let last = match &self.chosen {
            Chosen::Range { end, .. } => end - 1,
            Chosen::List(columns) => columns.iter().copied().max().unwrap_or(0),
        };
        if last < rows.columns() {
            return Ok(());
        }
        Err(Error::Shape {
            what: "columns of the rows (for the columns that the kernel selects)",
            expected: last.saturating_add(1),
            found: rows.columns(),
        })
    }

    /// Copies of the rows with the selected columns only.
    ///
    /// # Errors
    /// [`Error::Shape`] if the rows have not all of them.
    pub fn project(&self, rows: &Vectors<'_>) -> Result<Vectors<'static>> {
        self.check(rows)?;
        let count = self.count();
        Ok(match rows {
            Vectors::Dense64(m) => {
                Dense::new(self.gather(m.rows(), |i, k| m.row(i)[k]), m.rows(), count)?.into()
            }
            Vectors::Dense32(m) => {
                Dense::new(self.gather(m.rows(), |i, k| m.row(i)[k]), m.rows(), count)?.into()
            }
            Vectors::Columns64(m) => ColumnMajor::new(m.columns_of(self.all()), m.rows(), count)?.into(),
            Vectors::Columns32(m) => ColumnMajor::new(m.columns_of(self.all()), m.rows(), count)?.into(),
            Vectors::Sparse(m) => {
                let (mut offsets, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
                for i in 0..m.rows() {
                    let (row_indices, row_values) = m.row(i);
                    self.gather_sparse(row_indices, row_values, &mut indices, &mut values);
                    offsets.push(indices.len());
                }
                Sparse::from_parts(offsets, indices, values, count)?.into()
            }
        })
    }

    /// The selected columns in their order.
    fn all(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.count()).map(|i| self.at(i))
    }

    fn gather<T>(&self, rows: usize, value: impl Fn(usize, usize) -> T) -> Vec<T> {
        (0..rows).flat_map(|i| self.all().map(move |k| (i, k))).map(|(i, k)| value(i, k)).collect()
    }

    /// The selected columns of a dense row; a range ends where the row ends.
    fn dense<T: Real>(&self, columns: usize, value: impl Fn(usize) -> Option<T>) -> Vec<T> {
        match &self.chosen {
            Chosen::Range { start, end } => (*start..columns.min(*end)).filter_map(value).collect(),
            Chosen::List(columns) => columns.iter().map(|&k| value(k).unwrap_or_default()).collect(),
        }
    }

    /// Appends the selected entries of a sparse row, in ascending order of their new columns.
    fn gather_sparse(&self, indices: &[u32], values: &[f64], to: &mut Vec<u32>, out: &mut Vec<f64>) {
        match &self.chosen {
            Chosen::Range { start, end } => {
                let from = indices.partition_point(|&k| (k as usize) < *start);
                let until = indices.partition_point(|&k| (k as usize) < *end);
                to.extend(indices[from..until].iter().map(|&k| (k as usize - start) as u32));
                out.extend_from_slice(&values[from..until]);
            }
            Chosen::List(columns) => {
                for (new, &k) in columns.iter().enumerate() {
                    let found = u32::try_from(k).ok().and_then(|k| indices.binary_search(&k).ok());
                    if let Some(at) = found {
                        to.push(new as u32);
                        out.push(values[at]);
                    }
                }
            }
        }
    }

    fn with_row<R>(&self, row: &Row<'_>, then: impl FnOnce(&Row<'_>) -> R) -> R {
        match *row {
            Row::Dense64(row) => then(&Row::Dense64(&self.dense(row.len(), |k| row.get(k).copied()))),
            Row::Dense32(row) => then(&Row::Dense32(&self.dense(row.len(), |k| row.get(k).copied()))),
            Row::Strided64(row) => then(&Row::Dense64(&self.dense(row.len(), |k| row.get(k)))),
            Row::Strided32(row) => then(&Row::Dense32(&self.dense(row.len(), |k| row.get(k)))),
            Row::Sparse { indices, values } => {
                let (mut to, mut out) = (Vec::new(), Vec::new());
                self.gather_sparse(indices, values, &mut to, &mut out);
                then(&Row::Sparse { indices: &to, values: &out })
            }
        }
    }
}

impl std::fmt::Display for Selection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.chosen {
            Chosen::Range { start, end } => write!(f, "{start}:{end}"),
            Chosen::List(columns) => f.write_str(&crate::kernel::syntax::list(columns.iter())),
        }
    }
}

impl<'de> Deserialize<'de> for Selection {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match Chosen::deserialize(from)? {
            Chosen::Range { start, end } => Selection::range(start, end),
            Chosen::List(columns) => Selection::list(columns),
        }
        .map_err(D::Error::custom)
    }
}
