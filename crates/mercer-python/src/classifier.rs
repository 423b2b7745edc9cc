//! Classifiers.

use std::time::Instant;

use mercer::data::{Collection, Labels};
use mercer::gram::{CollectionKernel, SymmetricGram};
use mercer::io::TrainedMachine;
use mercer::machine::{
    ClassModel, Decision, Joint, JointSvc, Kept, Multiclass, PairMachines, Probability, Slack, Svc, SvcModel,
    SvcParams,
};
use mercer::{Error, Result};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::errors::raised;
use crate::model::Model;
use crate::options::Options;
use crate::rows::Rows;
use crate::watch::{Observer, watched};

/// A classifier as it was asked for.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Classifier {
    /// None for kernel values instead of features.
    kernel: Option<String>,
    /// Infinite for a hard margin.
    cost: f64,
    /// "hinge", "squared_hinge" or "nu".
    slack: String,
    nu: f64,
    /// "ovo", "dag", "ovr", "weston-watkins" or "crammer-singer".
    multiclass: String,
    /// "consistent", "platt" or "isotonic".
    probability: Option<String>,
}

/// Trains a classifier on items, or on a kernel matrix.
#[pyfunction]
#[pyo3(signature = (rows, codes, classes, weights, machine, options, earlier=None))]
#[allow(clippy::too_many_arguments)]
pub fn fit_classifier(
    py: Python<'_>,
    rows: Rows<'_>,
    codes: PyReadonlyArray1<'_, u32>,
    classes: Vec<String>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    machine: Classifier,
    options: Options,
    earlier: Option<&Model>,
) -> PyResult<Model> {
    let labels = Labels::from_codes(classes, codes.as_slice()?.to_vec()).map_err(raised)?;
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let name = options.name.as_deref();
    match &machine.kernel {
        Some(kernel) => {
            let kernel: CollectionKernel = kernel.parse().map_err(raised)?;
            let items = rows.items()?;
            let earlier = earlier.and_then(Model::pairs);
            let params = machine.params(kernel).options(options.fit_options().map_err(raised)?);
            watched(py, name, |observer, interrupt| {
                let begun = Instant::now();
                let model =
                    machine.fit(params.interrupt(interrupt), &items, &labels, weights, earlier, observer)?;
                Ok(Model::new(model, &items, options.threads, begun))
            })
        }
        None => {
            let (values, n) = rows.square()?;
            let params = machine.params(()).options(options.fit_options().map_err(raised)?);
            watched(py, name, |observer, interrupt| {
                let begun = Instant::now();
                let gram = options.gram(values, n, interrupt)?;
                let model =
                    machine.fit_values(params.interrupt(interrupt), &gram, &labels, weights, observer)?;
                Ok(Model::of_kernel_values(model, n, options.threads, begun))
            })
        }
    }
}

impl Classifier {
    pub fn params<K>(&self, kernel: K) -> SvcParams<K> {
        let slack = match self.slack.as_str() {
            "nu" => Slack::Nu { nu: self.nu },
            _ if self.cost == f64::INFINITY => Slack::None,
            "squared_hinge" => Slack::Quadratic,
            _ => Slack::Linear,
        };
        let decision = if self.multiclass == "dag" { Decision::Graph } else { Decision::Votes };
        let probability = match self.probability.as_deref() {
            None => None,
            Some("platt") => Some(Probability::Platt),
            Some("isotonic") => Some(Probability::Isotonic),
            Some(_) => Some(Probability::Consistent),
        };
        let cost = if self.cost == f64::INFINITY { 1.0 } else { self.cost };
        Svc::params(kernel).cost(cost).slack(slack).decision(decision).probability(probability)
    }

    /// How it is called.
    pub fn name(&self) -> &str {
        &self.multiclass
    }

    /// Whether pairs of classes vote.
    pub fn is_voted(&self) -> bool {
        self.multiclass == "ovo"
    }

    /// Whether each class is learned against the rest.
    pub fn is_one_against_rest(&self) -> bool {
        self.multiclass == "ovr"
    }

    /// Whether its slack is not that of the hinge loss.
    pub fn has_slack_of_its_own(&self) -> bool {
        self.slack != "hinge"
    }

    pub fn joint(&self) -> Option<Joint> {
        match self.multiclass.as_str() {
            "weston-watkins" => Some(Joint::WestonWatkins),
            "crammer-singer" => Some(Joint::CrammerSinger),
            _ => None,
        }
    }

    fn fit(
        &self,
        params: SvcParams<CollectionKernel>,
        items: &Collection<'_>,
        labels: &Labels,
        weights: Option<&[f64]>,
        earlier: Option<&PairMachines>,
        observer: Observer<'_>,
    ) -> Result<TrainedMachine> {
        if let Some(joint) = self.joint() {
            let machine = self.joint_machine(joint, params)?;
            return Ok(machine.fit_observed(items, labels, weights, None, observer)?.into());
        }
        let machine = params.check()?;
        if self.is_one_against_rest() {
            return Ok(machine.fit_one_against_rest(items, labels, weights, None, observer)?.into());
        }
        let model = match earlier {
            Some(earlier) => machine.fit_from(items, labels, weights, earlier, observer)?,
            None => machine.fit_observed(items, labels, weights, observer)?,
        };
        Ok(model.into())
    }

    fn joint_machine<K: Clone>(&self, joint: Joint, params: SvcParams<K>) -> Result<JointSvc<K>> {
        if self.has_slack_of_its_own() || self.probability.is_some() {
            let what = format!("{} has the hinge loss only, and no probabilities", self.multiclass);
            return Err(Error::Unsupported { what });
        }
        let machine = params.check()?;
        let joint = JointSvc::params(machine.kernel().clone()).machine(joint).cost(self.cost);
        joint.options(machine.options().clone()).check()
    }

    /// On a kernel matrix. Nobody has said that it is positive semi-definite, so no duality gap is claimed.
    fn fit_values(
        &self,
        params: SvcParams<()>,
        gram: &dyn SymmetricGram,
        labels: &Labels,
        weights: Option<&[f64]>,
        observer: Observer<'_>,
    ) -> Result<TrainedMachine> {
        let n = gram.shape().0;
        if let Some(joint) = self.joint() {
            let fit = self.joint_machine(joint, params)?.fit_gram(gram, labels, weights, false, observer)?;
            let kept = Kept::of_kernel_values(&fit.functions.support, n)?;
            let reports = vec![fit.report];
            return Ok(ClassModel::from_parts(kept, joint.into(), fit.functions, reports).into());
        }
        let machine = params.check()?;
        if self.is_one_against_rest() {
            let fit = machine.fit_gram_one_against_rest(gram, labels, weights, false, observer)?;
            let kept = Kept::of_kernel_values(&fit.functions.support, n)?;
            let kind = Multiclass::OneAgainstRest;
            return Ok(ClassModel::from_parts(kept, kind, fit.functions, fit.reports).into());
        }
        let fit = machine.fit_gram(gram, labels, weights, false, observer)?;
        let kept = Kept::of_kernel_values(&fit.pairs.support, n)?;
        Ok(SvcModel::from_parts(kept, fit.pairs).into())
    }
}
