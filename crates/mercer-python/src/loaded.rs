//! What is done with a model of a file whether its items are rows or structured ones.

use mercer::io::{LoadedModel, ModelCard, ModelFormat, SavedModel};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Where it comes from.
pub fn card(saved: &LoadedModel) -> &ModelCard {
    match saved {
        LoadedModel::Rows(saved) => &saved.card,
        LoadedModel::Structures(saved) => &saved.card,
    }
}

pub fn card_mut(saved: &mut LoadedModel) -> &mut ModelCard {
    match saved {
        LoadedModel::Rows(saved) => &mut saved.card,
        LoadedModel::Structures(saved) => &mut saved.card,
    }
}

/// The same model with so many threads for predictions.
pub fn with_threads(saved: LoadedModel, threads: usize) -> LoadedModel {
    match saved {
        LoadedModel::Rows(saved) => {
            LoadedModel::Rows(SavedModel { model: saved.model.with_threads(threads), ..saved })
        }
        LoadedModel::Structures(saved) => {
            LoadedModel::Structures(SavedModel { model: saved.model.with_threads(threads), ..saved })
        }
    }
}

/// The bytes of its file.
pub fn to_bytes<'py>(py: Python<'py>, saved: &LoadedModel) -> Bound<'py, PyBytes> {
    let bytes = py.detach(|| match saved {
        LoadedModel::Rows(saved) => saved.to_bytes(ModelFormat::Binary),
        LoadedModel::Structures(saved) => saved.to_bytes(ModelFormat::Binary),
    });
    PyBytes::new(py, &bytes)
}
