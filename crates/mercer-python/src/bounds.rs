//! Generalisation bounds as dictionaries of Python.

use mercer::Result;
use mercer::evaluation::bounds::{self, Quantity, Wishes};
use mercer::gram::WithLayout;
use mercer::io::AnyModel;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::raised;

/// A dictionary for every bound that applies, and one with `value=None` for every theorem that says nothing.
pub fn told<'py, K: WithLayout, I>(
    py: Python<'py>,
    model: &AnyModel<K, I>,
    delta: f64,
    choices: usize,
    gamma: Option<f64>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let wishes = Wishes { delta, choices, gamma, ..Wishes::default() };
    let lists: Result<_> = model.bounds(&wishes);
    let mut all = Vec::new();
    for list in lists.map_err(raised)? {
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
