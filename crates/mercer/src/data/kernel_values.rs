//! Items that are known by nothing but their kernel values with the items of a training set.

use std::sync::Arc;

use crate::error::{Error, Result};

/// The kernel values of one item with the training items.
///
/// ```
/// use mercer::data::KernelRow;
/// // Two training items with themselves, and another item with both.
/// let training = KernelRow::training(vec![2.0, 1.0, 1.0, 3.0], &[0, 1])?;
/// let new = KernelRow::new(vec![0.5, 0.25], 2)?;
/// assert_eq!(training[0].value(&training[1]), 1.0);
/// assert_eq!(training[1].value(&new[0]), 0.25);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct KernelRow {
    /// Of all items of a set, row after row: of training items with themselves, of others with every column.
    values: Arc<Vec<f64>>,
    width: usize,
    row: usize,
    /// Of a training item, its column among the values of other items.
    column: Option<usize>,
}

impl KernelRow {
    /// Training items, from their values with each other, row after row, and the column that each has among the values of other items.
    ///
    /// # Errors
    /// [`Error::Shape`] for another number of values.
    pub fn training(values: Vec<f64>, columns: &[usize]) -> Result<Vec<KernelRow>> {
        let n = columns.len();
        let (expected, found) = (n * n, values.len());
        if found != expected {
            return Err(Error::Shape { what: "kernel values (one per pair of items)", expected, found });
        }
        let values = Arc::new(values);
        let row =
            |(row, &column)| KernelRow { values: Arc::clone(&values), width: n, row, column: Some(column) };
        Ok(columns.iter().enumerate().map(row).collect())
    }

    /// Other items, from their values with every column, row after row.
    ///
    /// # Errors
    /// [`Error::Shape`] for values that make no whole rows.
    pub fn new(values: Vec<f64>, width: usize) -> Result<Vec<KernelRow>> {
        let rows = values.len() / width.max(1);
        let (expected, found) = (rows * width, values.len());
        if found != expected {
            return Err(Error::Shape { what: "kernel values (one per column and row)", expected, found });
        }
        let values = Arc::new(values);
        Ok((0..rows).map(|row| KernelRow { values: Arc::clone(&values), width, row, column: None }).collect())
    }

    /// Training items as a model keeps them: only their columns among the values of other items.
    pub(crate) fn kept(columns: &[usize]) -> Vec<KernelRow> {
        let values = Arc::new(Vec::new());
        let row =
            |(row, &column)| KernelRow { values: Arc::clone(&values), width: 0, row, column: Some(column) };
        columns.iter().enumerate().map(row).collect()
    }

    /// The column of a training item among the values of other items.
    pub fn column(&self) -> Option<usize> {
        self.column
    }

    fn at(&self, place: usize) -> f64 {
        if place < self.width { self.values[self.row * self.width + place] } else { f64::NAN }
    }

    /// The value of this item with another; NaN of two that are not of the training, and beyond the columns that there are: nobody knows it.
    pub fn value(&self, other: &KernelRow) -> f64 {
        match (self.column, other.column) {
            (Some(_), Some(_)) => other.at(self.row),
            (Some(column), None) => other.at(column),
            (None, Some(column)) => self.at(column),
            (None, None) => f64::NAN,
        }
    }
}
