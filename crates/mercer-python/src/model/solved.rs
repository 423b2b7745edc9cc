//! What the training of a model has found, and what is told of it.

use mercer::io::TrainedMachine;
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
        match &self.saved.machine {
            TrainedMachine::Svc(model) => Some(model.pairs()),
            _ => None,
        }
    }

    /// The one function that it is, if it is one.
    pub fn expansion(&self) -> Option<&Expansion> {
        match &self.saved.machine {
            TrainedMachine::Svr(model) => Some(model.expansion()),
            TrainedMachine::Novelty(model) => Some(model.expansion()),
            _ => None,
        }
    }

    pub(super) fn ended(&self) -> Vec<Ended> {
        let one = |report: &Report| Ended {
            certificate: report.certificate,
            convex: report.convex,
            iterations: report.iterations,
        };
        match &self.saved.machine {
            TrainedMachine::Svc(model) => {
                let reports = model.pairs().reports.iter();
                let of_pair = |report: &mercer::machine::PairReport| Ended {
                    certificate: report.certificate,
                    convex: report.convex,
                    iterations: report.iterations,
                };
                reports.map(of_pair).collect()
            }
            TrainedMachine::Svr(model) => model.report().into_iter().map(one).collect(),
            TrainedMachine::Novelty(model) => model.report().into_iter().map(one).collect(),
            TrainedMachine::Classes(model) => model.reports().iter().map(one).collect(),
            TrainedMachine::Linear(model) => model.reports().iter().map(one).collect(),
            TrainedMachine::LinearRegression(model) => model.report().into_iter().map(one).collect(),
            TrainedMachine::Matrix(_) => Vec::new(),
        }
    }
}
