//! Images that are moved a little.

use mercer::data::{Distortion, VirtualExamples};
use numpy::{PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::errors::raised;
use crate::matrix::array;
use crate::rows::dense;

/// Rows of pixels, and the image that each was made of.
type Copies<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<i64>>);

/// Each image followed by its distorted copies, and the image that each row was made of.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn virtual_examples<'py>(
    py: Python<'py>,
    images: PyReadonlyArray2<'_, f64>,
    height: usize,
    width: usize,
    shifts: usize,
    rotations: Vec<f64>,
    zooms: Vec<f64>,
    background: f64,
) -> PyResult<Copies<'py>> {
    let turns = rotations.into_iter().map(|degrees| Distortion::Rotation { degrees });
    let zooms = zooms.into_iter().map(|factor| Distortion::Zoom { factor });
    let rows = dense(&images).map_err(raised)?;
    let made = VirtualExamples::new(height, width)
        .and_then(|copies| copies.on_background(background)?.with_shifts(shifts))
        .and_then(|copies| turns.chain(zooms).try_fold(copies, VirtualExamples::with))
        .and_then(|copies| copies.extend(&rows));
    let (all, origin) = made.map_err(raised)?;
    let n = origin.len();
    let mut values = Vec::with_capacity(n * height * width);
    for row in 0..n {
        values.extend(mercer::data::Items::get(&all, row).to_dense(height * width));
    }
    let origin = origin.into_iter().map(|image| image as i64).collect();
    Ok((array(py, values, n, height * width)?, PyArray1::from_vec(py, origin)))
}
