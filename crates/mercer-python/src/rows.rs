//! Rows as numpy and scipy hold them, seen by the library where they are.

use std::borrow::Cow;

use mercer::Result;
use mercer::data::{Collection, ColumnMajor, Dense, Items as _, Real, Sparse, Vectors};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::raised;
use crate::items::Items;
use crate::watch::watched;

/// Dense rows of either precision, the four parts (data, indices, indptr, columns) of compressed rows, or structured items.
#[derive(FromPyObject)]
pub enum Rows<'py> {
    Items(PyRef<'py, Items>),
    Dense64(PyReadonlyArray2<'py, f64>),
    Dense32(PyReadonlyArray2<'py, f32>),
    Sparse(PyReadonlyArray1<'py, f64>, Indices<'py>, Indices<'py>, usize),
}

/// scipy's indices come in two widths.
#[derive(FromPyObject)]
pub enum Indices<'py> {
    Narrow(PyReadonlyArray1<'py, i32>),
    Wide(PyReadonlyArray1<'py, i64>),
}

impl Rows<'_> {
    /// A view of items of any kind. Rows that lie neither row by row nor column by column (a slice of another matrix) are copied once.
    pub fn items(&self) -> PyResult<Cow<'_, Collection<'_>>> {
        Ok(match self {
            Rows::Items(items) => Cow::Borrowed(&items.items),
            rows => Cow::Owned(rows.vectors()?.into()),
        })
    }

    /// The same, where no array of Python's has to stay for them: rows are copied, with the interpreter free.
    pub fn owned_items(&self, py: Python<'_>) -> PyResult<Cow<'_, Collection<'static>>> {
        Ok(match self {
            Rows::Items(items) => Cow::Borrowed(&items.items),
            rows => {
                let rows = rows.vectors()?;
                Cow::Owned(
                    watched(py, None, |_, _| Ok(rows.select(&(0..rows.len()).collect::<Vec<_>>())))?.into(),
                )
            }
        })
    }

    /// A view of rows of numbers, where nothing else will do.
    pub fn vectors(&self) -> PyResult<Vectors<'_>> {
        match self {
            Rows::Items(_) => return Err(no_rows()),
            Rows::Dense64(array) => dense(array),
            Rows::Dense32(array) => dense(array),
            Rows::Sparse(values, indices, offsets, columns) => {
                let (values, columns) = (values.as_slice()?, *columns);
                match (offsets, indices) {
                    (Indices::Narrow(o), Indices::Narrow(i)) => {
                        Sparse::new(o.as_slice()?, i.as_slice()?, values, columns)
                    }
                    (Indices::Narrow(o), Indices::Wide(i)) => {
                        Sparse::new(o.as_slice()?, i.as_slice()?, values, columns)
                    }
                    (Indices::Wide(o), Indices::Narrow(i)) => {
                        Sparse::new(o.as_slice()?, i.as_slice()?, values, columns)
                    }
                    (Indices::Wide(o), Indices::Wide(i)) => {
                        Sparse::new(o.as_slice()?, i.as_slice()?, values, columns)
                    }
                }
                .map(Vectors::from)
            }
        }
        .map_err(raised)
    }

    /// The values of a square kernel matrix, row after row, and how many rows it has. They are copied only if they are of
    /// single precision or do not lie in memory so.
    pub fn square(&self) -> PyResult<(Cow<'_, [f64]>, usize)> {
        match self {
            Rows::Dense64(array) => {
                let view = array.as_array();
                let values = match array.as_slice() {
                    Ok(values) if view.is_standard_layout() => Cow::Borrowed(values),
                    _ => array.py().detach(|| view.iter().copied().collect()),
                };
                Ok((values, view.nrows()))
            }
            Rows::Dense32(array) => {
                let view = array.as_array();
                let values = array.py().detach(|| view.iter().map(|&value| f64::from(value)).collect());
                Ok((values, view.nrows()))
            }
            Rows::Items(_) => Err(no_rows()),
            Rows::Sparse(..) => Err(PyTypeError::new_err("a kernel matrix has to be dense")),
        }
    }
}

fn no_rows() -> PyErr {
    PyTypeError::new_err("rows of numbers are needed here, not structured items")
}

/// A view of a matrix, or a copy if its values do not lie one after the other.
pub fn dense<'a, T>(array: &'a PyReadonlyArray2<'_, T>) -> Result<Vectors<'a>>
where
    T: Real + numpy::Element,
    Vectors<'a>: From<Dense<'a, T>> + From<ColumnMajor<'a, T>>,
{
    let view = array.as_array();
    let (rows, columns) = view.dim();
    Ok(match array.as_slice() {
        Ok(values) if view.is_standard_layout() => Dense::new(values, rows, columns)?.into(),
        // Fortran's order: one after the other too, but column by column.
        Ok(values) => ColumnMajor::new(values, rows, columns)?.into(),
        Err(_) => Dense::new(view.iter().copied().collect::<Vec<_>>(), rows, columns)?.into(),
    })
}
