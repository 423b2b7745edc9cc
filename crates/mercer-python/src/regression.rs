//! Regression.

use std::time::Instant;

use mercer::gram::CollectionKernel;
use mercer::machine::{Kept, Loss, Svr, SvrModel, SvrParams};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::errors::raised;
use crate::model::Model;
use crate::options::Options;
use crate::rows::Rows;
use crate::watch::watched;

/// A regression as it was asked for.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Regression {
    /// None for kernel values instead of features.
    kernel: Option<String>,
    cost: f64,
    /// "epsilon_insensitive", "squared_epsilon_insensitive", "huber", "pinball" or "nu".
    loss: String,
    /// ε, the width of Huber's loss, the level of a quantile, or ν.
    parameter: f64,
}

/// Trains a regression on items, or on a kernel matrix.
#[pyfunction]
#[pyo3(signature = (rows, targets, weights, machine, options, earlier=None))]
pub fn fit_regression(
    py: Python<'_>,
    rows: Rows<'_>,
    targets: PyReadonlyArray1<'_, f64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    machine: Regression,
    options: Options,
    earlier: Option<&Model>,
) -> PyResult<Model> {
    let targets = targets.as_slice()?;
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let fit_options = options.fit_options().map_err(raised)?;
    let name = options.name.as_deref();
    match &machine.kernel {
        Some(kernel) => {
            let kernel: CollectionKernel = kernel.parse().map_err(raised)?;
            let items = rows.items()?;
            let earlier = earlier.and_then(Model::expansion);
            let params = machine.params(kernel).options(fit_options);
            watched(py, name, |observer, interrupt| {
                let begun = Instant::now();
                let machine = params.interrupt(interrupt).check()?;
                let model = machine.fit_observed(&*items, targets, weights, earlier, observer)?;
                Ok(Model::new(model, &items, options.threads, begun))
            })
        }
        None => {
            let (values, n) = rows.square()?;
            let params = machine.params(()).options(fit_options);
            watched(py, name, |observer, interrupt| {
                let begun = Instant::now();
                let gram = options.gram(values, n, interrupt)?;
                // Nobody has said that the matrix is positive semi-definite, so no duality gap is claimed.
                let machine = params.interrupt(interrupt).check()?;
                let fit = machine.fit_gram(&gram, targets, weights, false, observer)?;
                let kept = Kept::of_kernel_values(&fit.expansion.support, n)?;
                let model =
                    SvrModel::from_parts(kept, machine.loss(), fit.tube, fit.expansion, Some(fit.report));
                let model = model.with_sample(fit.sample);
                Ok(Model::of_kernel_values(model, n, options.threads, begun))
            })
        }
    }
}

impl Regression {
    pub fn params<K>(&self, kernel: K) -> SvrParams<K> {
        let loss = match self.loss.as_str() {
            "squared_epsilon_insensitive" => Loss::Quadratic { tube: self.parameter },
            "huber" => Loss::Huber { width: self.parameter },
            "pinball" => Loss::Quantile { level: self.parameter },
            "nu" => Loss::Nu { nu: self.parameter },
            _ => Loss::Linear { tube: self.parameter },
        };
        Svr::params(kernel).cost(self.cost).loss(loss)
    }
}
