//! Novelty detectors.

use std::time::Instant;

use mercer::gram::CollectionKernel;
use mercer::machine::{Kept, Novelty, NoveltyModel, NoveltyParams, Region, Softness};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::errors::raised;
use crate::model::Model;
use crate::options::Options;
use crate::rows::Rows;
use crate::watch::watched;

/// A detector as it was asked for.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Detector {
    /// None for kernel values instead of features.
    kernel: Option<String>,
    /// "hyperplane", "sphere" or "centre".
    region: String,
    /// "nu", "cost", "squared" or "hard".
    softness: String,
    /// ν, C, or nothing.
    parameter: f64,
}

/// Trains a detector on items, or on a kernel matrix.
#[pyfunction]
#[pyo3(signature = (rows, weights, machine, options, earlier=None))]
pub fn fit_detector(
    py: Python<'_>,
    rows: Rows<'_>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    machine: Detector,
    options: Options,
    earlier: Option<&Model>,
) -> PyResult<Model> {
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
                let model = machine.fit_observed(&*items, weights, earlier, observer)?;
                Ok(Model::new(model, &items, options.threads, begun))
            })
        }
        None => {
            let (values, n) = rows.square()?;
            let params = machine.params(()).options(fit_options);
            watched(py, name, |observer, interrupt| {
                let begun = Instant::now();
                let gram = options.gram(values, n, interrupt)?;
                let fit = params.interrupt(interrupt).check()?.fit_gram(&gram, weights, false, observer)?;
                let kept = Kept::of_kernel_values(&fit.expansion.support, n)?;
                let (region, softness) = (machine.region(), machine.softness());
                let report = Some(fit.report);
                let model =
                    NoveltyModel::from_parts(kept, region, softness, fit.expansion, report, fit.found);
                Ok(Model::of_kernel_values(model, n, options.threads, begun))
            })
        }
    }
}

impl Detector {
    fn params<K>(&self, kernel: K) -> NoveltyParams<K> {
        Novelty::params(kernel).region(self.region()).softness(self.softness())
    }

    fn region(&self) -> Region {
        match self.region.as_str() {
            "sphere" => Region::Sphere,
            "centre" => Region::Centre,
            _ => Region::Hyperplane,
        }
    }

    fn softness(&self) -> Softness {
        match self.softness.as_str() {
            "cost" => Softness::Cost(self.parameter),
            "squared" => Softness::Quadratic(self.parameter),
            "hard" => Softness::Hard,
            _ => Softness::Nu(self.parameter),
        }
    }
}
