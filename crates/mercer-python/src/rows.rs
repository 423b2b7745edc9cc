//! Rows as numpy and scipy hold them, seen by the library where they are.

use std::borrow::Cow;

use mercer::Result;
use mercer::data::{Collection, ColumnMajor, Dense, Real, Sparse, Vectors};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::items::Items;

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
    /// A view of them. What lies neither row by row nor column by column (a slice of another matrix) is copied once.
    pub fn vectors(&self) -> PyResult<Result<Vectors<'_>>> {
        Ok(match self {
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
        })
    }

    /// The structured items, if they are such.
    pub fn structures(&self) -> Option<&Collection> {
        match self {
            Rows::Items(items) => Some(&items.structures),
            _ => None,
        }
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
