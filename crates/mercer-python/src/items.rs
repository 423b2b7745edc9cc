//! Strings, trees, graphs, time series and records, made of what Python holds them in, and items of all kinds as Python sees them.

use mercer::data::{Cell, CellKind, Collection, GraphLabel, ItemKind, Items as _, Series, Vectors};
use mercer::kernel::StructureExpression;
use mercer::resources::Interrupt;
use mercer::{Error, Result};
use numpy::ndarray::ArrayView2;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::raised;
use crate::watch::watched;

/// Structured items of one kind.
#[pyclass(frozen, module = "mercer._mercer")]
pub struct Items {
    pub items: Collection<'static>,
}

/// A column of records.
#[derive(FromPyObject)]
enum ColumnValues {
    Numbers(Vec<f64>),
    Words(Vec<String>),
}

/// Makes something of each, with the interpreter free and until Ctrl-C; an error says which item it was.
fn each<T: Send, S: Send>(
    py: Python<'_>,
    all: Vec<T>,
    make: impl Fn(T) -> Result<S> + Sync,
) -> PyResult<Vec<S>> {
    watched(py, None, |_, _| {
        let of = |(index, one)| {
            Interrupt::checkpoint()?;
            make(one).map_err(|error| Error::Item { index, source: Box::new(error) })
        };
        all.into_iter().enumerate().map(of).collect()
    })
}

#[pymethods]
impl Items {
    /// Strings and texts.
    #[staticmethod]
    fn strings(strings: Vec<String>) -> Self {
        Items { items: Collection::Strings(strings) }
    }

    /// Trees in brackets.
    #[staticmethod]
    fn trees(py: Python<'_>, texts: Vec<String>) -> PyResult<Self> {
        Ok(Items { items: Collection::Trees(each(py, texts, |text| text.parse())?) })
    }

    /// Graphs as pairs of edges and labels; `parts` takes apart what is no such pair.
    #[staticmethod]
    fn graphs(graphs: &Bound<'_, PyAny>, parts: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Items { items: Collection::Graphs(crate::graphs::graphs(graphs, parts)?) })
    }

    /// Time series: a row for each time, a column for each channel.
    #[staticmethod]
    fn series(py: Python<'_>, series: Vec<PyReadonlyArray2<'_, f64>>) -> PyResult<Self> {
        let views: Vec<ArrayView2<'_, f64>> = series.iter().map(|values| values.as_array()).collect();
        let one = |view: ArrayView2<'_, f64>| Series::new(view.iter().copied().collect(), view.ncols());
        Ok(Items { items: Collection::Series(each(py, views, one)?) })
    }

    /// Records with the columns that a kernel names, column by column.
    #[staticmethod]
    fn records(py: Python<'_>, kernel: &str, columns: Vec<ColumnValues>, rows: usize) -> PyResult<Self> {
        let schema =
            kernel.parse::<StructureExpression>().and_then(|kernel| kernel.columns()).map_err(raised)?;
        let Some(schema) = schema else { return Err(PyTypeError::new_err("the kernel compares no records")) };
        let cell = |column: &ColumnValues, kind: CellKind, row: usize| match (column, kind) {
            (ColumnValues::Numbers(values), CellKind::Number) => Cell::Number(values[row]),
            (ColumnValues::Numbers(values), _) => Cell::Category(values[row].to_string()),
            (ColumnValues::Words(words), CellKind::Text) => Cell::Text(words[row].clone()),
            (ColumnValues::Words(words), _) => Cell::Category(words[row].clone()),
        };
        let record = |row: usize| {
            let cells =
                columns.iter().zip(schema.columns()).map(|(column, (_, kind))| cell(column, *kind, row));
            schema.record(cells.collect())
        };
        Ok(Items { items: Collection::Records(each(py, (0..rows).collect(), record)?) })
    }

    fn __len__(&self) -> usize {
        self.items.len()
    }
}

/// Items as Python sees them: rows as a matrix or (data, indices, indptr, columns); a list of strings, trees in brackets, arrays of times
/// and channels, (edges, labels) of graphs, or lists of values.
pub fn to_python<'py>(py: Python<'py>, items: &Collection<'_>) -> PyResult<Bound<'py, PyAny>> {
    let label = |label: &GraphLabel| -> PyResult<Bound<'py, PyAny>> {
        Ok(match label {
            GraphLabel::Number(number) => number.into_pyobject(py)?.into_any(),
            GraphLabel::Word(word) => word.into_pyobject(py)?.into_any(),
        })
    };
    match items {
        Collection::Rows(rows) => rows_to_python(py, rows),
        Collection::KernelValues(_) => {
            Err(raised(Error::Unsupported { what: "kernel values stand for items that nobody keeps".into() }))
        }
        Collection::Strings(texts) => listed(py, texts, |text| Ok(text.into_pyobject(py)?.into_any())),
        Collection::Trees(trees) => {
            listed(py, trees, |tree| Ok(tree.to_string().into_pyobject(py)?.into_any()))
        }
        Collection::Series(series) => listed(py, series, |series| {
            let shape = [series.len(), series.channels()];
            Ok(PyArray1::from_slice(py, series.values()).reshape(shape)?.into_any())
        }),
        Collection::Graphs(graphs) => listed(py, graphs, |graph| {
            let edges: Vec<(usize, usize)> = (0..graph.edges()).map(|edge| graph.ends(edge)).collect();
            let labels = graph.node_labels().unwrap_or_default().iter().map(label);
            Ok((edges, labels.collect::<PyResult<Vec<_>>>()?).into_pyobject(py)?.into_any())
        }),
        Collection::Records(records) => listed(py, records, |record| {
            let value = |cell: &Cell| -> PyResult<Bound<'py, PyAny>> {
                Ok(match cell {
                    Cell::Number(number) => number.into_pyobject(py)?.into_any(),
                    Cell::Category(text) | Cell::Text(text) => text.into_pyobject(py)?.into_any(),
                })
            };
            let cells = record.cells().iter().map(value).collect::<PyResult<Vec<_>>>()?;
            Ok(cells.into_pyobject(py)?.into_any())
        }),
    }
}

fn listed<'py, T>(
    py: Python<'py>,
    items: &[T],
    one: impl Fn(&T) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(items.iter().map(one).collect::<PyResult<Vec<_>>>()?.into_pyobject(py)?.into_any())
}

/// Rows: a matrix, or (data, indices, indptr, columns).
fn rows_to_python<'py>(py: Python<'py>, items: &Vectors<'_>) -> PyResult<Bound<'py, PyAny>> {
    let shape = [items.len(), items.columns()];
    Ok(match &*items.row_major() {
        Vectors::Columns64(_) | Vectors::Columns32(_) => unreachable!("they have been put in rows"),
        Vectors::Dense64(rows) => PyArray1::from_slice(py, rows.values()).reshape(shape)?.into_any(),
        Vectors::Dense32(rows) => PyArray1::from_slice(py, rows.values()).reshape(shape)?.into_any(),
        Vectors::Sparse(rows) => {
            let (offsets, indices, values) = rows.parts();
            let parts = (
                PyArray1::from_slice(py, values),
                PyArray1::from_iter(py, indices.iter().map(|&i| i as i32)),
                PyArray1::from_iter(py, offsets.iter().map(|&i| i as i32)),
                items.columns(),
            );
            parts.into_pyobject(py)?.into_any()
        }
    })
}

/// What a kernel compares: "rows", "strings", "trees", "graphs", "time series" or "records".
#[pyfunction]
pub fn kernel_items(kernel: &str) -> PyResult<String> {
    Ok(match kernel.parse::<StructureExpression>().map_err(raised)?.kind() {
        ItemKind::Rows => "rows".into(),
        kind => kind.to_string(),
    })
}

/// The columns of records that a kernel names, and what they hold: "numbers", "categories" or "text".
#[pyfunction]
pub fn kernel_columns(kernel: &str) -> PyResult<Vec<(String, String)>> {
    let schema = kernel.parse::<StructureExpression>().and_then(|kernel| kernel.columns()).map_err(raised)?;
    let columns = schema.as_ref().map_or(&[][..], |schema| schema.columns());
    Ok(columns.iter().map(|(name, kind)| (name.clone(), kind.to_string())).collect())
}
