//! Generalisation bounds as dictionaries of Python.

use mercer::evaluation::bounds::{self, Applicable, Quantity, Wishes, of_residuals};
use mercer::io::TrainedMachine;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::raised;

/// A dictionary for every bound that applies, and one with `value=None` for every theorem that says nothing.
pub fn told<'py>(
    py: Python<'py>,
    model: &TrainedMachine,
    delta: f64,
    choices: usize,
    gamma: Option<f64>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let wishes = Wishes { delta, choices, gamma, ..Wishes::default() };
    listed(py, model.bounds(&wishes).map_err(raised)?)
}

/// What theorems promise about a regression, by targets, residuals and ‖φ(x)‖² of the training rows and ‖w‖.
#[pyfunction]
#[pyo3(signature = (of, targets, residuals, diagonal, norm, tube, delta, choices, gamma))]
#[allow(clippy::too_many_arguments)]
pub fn bounds_of_residuals<'py>(
    py: Python<'py>,
    of: &str,
    targets: PyReadonlyArray1<'_, f64>,
    residuals: PyReadonlyArray1<'_, f64>,
    diagonal: PyReadonlyArray1<'_, f64>,
    norm: f64,
    tube: f64,
    delta: f64,
    choices: usize,
    gamma: Option<f64>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let wishes = Wishes { delta, choices, gamma, ..Wishes::default() };
    let given = (targets.as_slice()?, residuals.as_slice()?);
    let list = of_residuals(of, given, diagonal.as_slice()?, norm, tube, &wishes);
    listed(py, vec![list.map_err(raised)?])
}

fn listed(py: Python<'_>, lists: Vec<Applicable>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let mut all = Vec::new();
    for list in lists {
        for bound in &list.bounds {
            let found = PyDict::new(py);
            found.set_item("of", &list.of)?;
            found.set_item("theorem", bound.theorem)?;
            found.set_item("value", bound.value)?;
            found.set_item("name", bound.name)?;
            fill(&found, bound)?;
            all.push(found);
        }
        for refusal in &list.refused {
            let found = PyDict::new(py);
            found.set_item("of", &list.of)?;
            found.set_item("theorem", refusal.theorem)?;
            found.set_item("value", py.None())?;
            found.set_item("because", &refusal.because)?;
            all.push(found);
        }
    }
    Ok(all)
}

/// What only a bound has.
fn fill(found: &Bound<'_, PyDict>, bound: &bounds::Bound) -> PyResult<()> {
    let (quantity, gamma) = match bound.quantity {
        Quantity::Error => ("error", None),
        Quantity::ExpectedError => ("expected error", None),
        Quantity::PerceptronError => ("perceptron error", None),
        Quantity::PerceptronUpdates => ("perceptron updates", None),
        Quantity::FalsePositives { gamma } => ("false positives", Some(gamma)),
        Quantity::Miss { gamma } => ("miss", Some(gamma)),
        Quantity::SquaredError => ("squared error", None),
    };
    let terms = PyDict::new(found.py());
    for term in &bound.terms {
        terms.set_item(term.name, term.value)?;
    }
    found.set_item("quantity", quantity)?;
    found.set_item("gamma", gamma)?;
    found.set_item("confidence", bound.confidence)?;
    found.set_item("terms", terms)?;
    found.set_item("vacuous", bound.is_vacuous())?;
    found.set_item("constant", bound.constant)?;
    found.set_item("advice", bound.advice())?;
    found.set_item("notes", &bound.notes)
}
