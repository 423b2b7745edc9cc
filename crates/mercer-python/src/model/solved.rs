//! What the training of a model has found, and what is told of it.

use mercer::io::{AnyModel, LoadedModel};
use mercer::machine::{Expansion, PairMachines, Report};
use mercer::solver::Certificate;

use super::Model;

/// What is told of each problem that was solved.
pub(super) struct Ended {
    pub certificate: Certificate,
    pub convex: bool,
    pub iterations: u64,
}

impl Model {
    /// The machines of pairs, if it has such.
    pub fn pairs(&self) -> Option<&PairMachines> {
        of!(self, model => match model {
            AnyModel::Svc(model) => Some(model.pairs()),
            _ => None,
        })
    }

    /// The one function that it is, if it is one.
    pub fn expansion(&self) -> Option<&Expansion> {
        of!(self, model => match model {
            AnyModel::Svr(model) => Some(model.expansion()),
            AnyModel::Novelty(model) => Some(model.expansion()),
            _ => None,
        })
    }

    pub(super) fn ended(&self) -> Vec<Ended> {
        let one = |report: &Report| Ended {
            certificate: report.certificate,
            convex: report.convex,
            iterations: report.iterations,
        };
        of!(self, model => match model {
            AnyModel::Svc(model) => {
                let reports = model.pairs().reports.iter();
                let of_pair = |report: &mercer::machine::PairReport| Ended {
                    certificate: report.certificate,
                    convex: report.convex,
                    iterations: report.iterations,
                };
                reports.map(of_pair).collect()
            }
            AnyModel::Svr(model) => model.report().into_iter().map(one).collect(),
            AnyModel::Novelty(model) => model.report().into_iter().map(one).collect(),
            AnyModel::Classes(model) => model.reports().iter().map(one).collect(),
            AnyModel::Linear(model) => model.reports().iter().map(one).collect(),
            AnyModel::LinearRegression(model) => model.report().into_iter().map(one).collect(),
            AnyModel::Matrix(_) => Vec::new(),
        })
    }
}
