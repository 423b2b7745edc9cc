//! Linear machines, which have weights of features and no kernel.

use std::time::{Duration, Instant};

use mercer::data::{Collection, Labels};
use mercer::machine::{ClassWeights, LinearObjective, LinearOptions, LinearSvc, LinearSvr, TubeLoss};
use mercer::solver::Stop;
use mercer::{Error, Result};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::errors::raised;
use crate::model::Model;
use crate::rows::Rows;
use crate::watch::watched;

/// A linear machine as it was asked for.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Linear {
    cost: f64,
    /// "hinge", "squared_hinge", "l1", "crammer_singer", "epsilon_insensitive" or "squared_epsilon_insensitive".
    objective: String,
    /// ε
    tube: f64,
    /// The size of the constant feature; none for no intercept.
    intercept: Option<f64>,
    tolerance: f64,
    max_epochs: u64,
    max_time: Option<f64>,
    seed: u64,
    threads: usize,
    /// How lines of progress begin; none means that there are none.
    name: Option<String>,
}

impl Linear {
    fn options(&self) -> Result<LinearOptions> {
        let max_time = self.max_time.map(|seconds| {
            let (name, expected) = ("max_time", "a number of seconds");
            Duration::try_from_secs_f64(seconds).map_err(|_| Error::Parameter {
                name,
                value: seconds,
                expected,
            })
        });
        Ok(LinearOptions {
            stop: Stop::KktGap(self.tolerance),
            max_epochs: self.max_epochs,
            max_time: max_time.transpose()?,
            seed: self.seed,
            threads: self.threads,
            ..LinearOptions::default()
        })
    }
}

/// Trains a linear classifier. `factors` are those of the classes.
#[pyfunction]
pub fn fit_linear_classifier(
    py: Python<'_>,
    rows: Rows<'_>,
    codes: PyReadonlyArray1<'_, u32>,
    classes: Vec<String>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    factors: Vec<f64>,
    machine: Linear,
) -> PyResult<Model> {
    let factors = ClassWeights::Given(classes.iter().cloned().zip(factors).collect());
    let labels = Labels::from_codes(classes, codes.as_slice()?.to_vec()).map_err(raised)?;
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let given = rows.vectors()?;
    watched(py, machine.name.as_deref(), |observer, interrupt| {
        let begun = Instant::now();
        let objective = match machine.objective.as_str() {
            "hinge" => LinearObjective::Hinge,
            "l1" => LinearObjective::SparseSquaredHinge,
            "crammer_singer" => LinearObjective::CrammerSinger,
            _ => LinearObjective::SquaredHinge,
        };
        let params = LinearSvc::params().cost(machine.cost).objective(objective).options(machine.options()?);
        let params = params.class_weights(factors);
        let params = match machine.intercept {
            Some(size) => params.intercept(true).intercept_scaling(size),
            None => params.intercept(false),
        };
        let model =
            params.interrupt(interrupt).check()?.fit_observed(&given, &labels, weights, None, observer)?;
        Ok(Model::new(model, &Collection::from(&given), machine.threads, begun))
    })
}

/// Trains a linear regression.
#[pyfunction]
pub fn fit_linear_regression(
    py: Python<'_>,
    rows: Rows<'_>,
    targets: PyReadonlyArray1<'_, f64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    machine: Linear,
) -> PyResult<Model> {
    let targets = targets.as_slice()?;
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let given = rows.vectors()?;
    watched(py, machine.name.as_deref(), |observer, interrupt| {
        let begun = Instant::now();
        let loss = match machine.objective.as_str() {
            "squared_epsilon_insensitive" => TubeLoss::Squared { tube: machine.tube },
            _ => TubeLoss::Linear { tube: machine.tube },
        };
        let params = LinearSvr::params().cost(machine.cost).loss(loss).options(machine.options()?);
        let params = match machine.intercept {
            Some(size) => params.intercept(true).intercept_scaling(size),
            None => params.intercept(false),
        };
        let model =
            params.interrupt(interrupt).check()?.fit_observed(&given, targets, weights, None, observer)?;
        Ok(Model::new(model, &Collection::from(&given), machine.threads, begun))
    })
}
