//! Models of fewer terms, with the error stated.

use mercer::data::{Collection, Items as _};
use mercer::gram::CollectionKernel;
use mercer::io::{self, KERNEL_VALUES, MatrixModel, TrainedMachine};
use mercer::machine::{
    BayesPointModel, Expansion, Functions, Kept, LeastSquaresModel, OrdinalModel, PairMachines, PlsModel,
    PlsReport, RankModel, ReducedSet, RidgeFit, RidgeModel, SvcModel, SvrModel,
};
use mercer::{Error, Result};
use pyo3::prelude::*;

use crate::model::Model;
use crate::saved::Machine;
use crate::watch::watched;

/// Which of its items a smaller model has, and ‖w − w'‖ and ‖w‖ of each of its functions.
type Told = (Vec<usize>, Vec<f64>, Vec<f64>);

/// A model of at most so many terms.
#[pyfunction]
pub fn reduce_model(py: Python<'_>, model: PyRef<'_, Model>, count: usize) -> PyResult<(Model, Told)> {
    let saved = model.saved();
    let (saved, told) = watched(py, None, |_, _| reduced(saved, count))?;
    Ok((Model::of(saved), told))
}

/// The same of a machine that factorises K.
#[pyfunction]
pub fn reduce_machine(
    py: Python<'_>,
    machine: PyRef<'_, Machine>,
    count: usize,
) -> PyResult<(Machine, Told)> {
    let saved = &machine.saved;
    let (saved, told) = watched(py, None, |_, _| reduced(saved, count))?;
    Ok((Machine { saved }, told))
}

fn reduced(saved: &io::Model, count: usize) -> Result<(io::Model, Told)> {
    if saved.card.notes.contains_key(KERNEL_VALUES) {
        return Err(unsupported("kernel values: those of the items with each other are not kept"));
    }
    let (machine, told) = smaller(&saved.machine, count)?;
    Ok((io::Model { machine, ..saved.clone() }, told))
}

fn smaller(machine: &TrainedMachine, count: usize) -> Result<(TrainedMachine, Told)> {
    match machine {
        TrainedMachine::Svr(model) => {
            let Expansion { support, coefficients, offset } = model.expansion().clone();
            let functions = Functions { coefficients, offsets: vec![offset] };
            let (kept, functions, told) = in_order(model.kept(), &functions, count)?;
            let support = told.0.iter().map(|&at| support[at]).collect();
            let expansion = Expansion { support, coefficients: functions.coefficients, offset };
            // What is known of the training is about all terms.
            let model = SvrModel::from_parts(kept, model.loss(), model.tube(), expansion, None);
            Ok((TrainedMachine::Svr(model), told))
        }
        TrainedMachine::Svc(model) if model.classes().len() == 2 => {
            let pairs = model.pairs().clone();
            let functions =
                Functions { coefficients: pairs.coefficients.clone(), offsets: pairs.offsets.clone() };
            let (kept, functions, told) = in_order(model.kept(), &functions, count)?;
            let earlier = told.0.iter().filter(|&&at| at < pairs.starts[1]).count();
            let pairs = PairMachines {
                support: told.0.iter().map(|&at| pairs.support[at]).collect(),
                starts: vec![0, earlier, told.0.len()],
                coefficients: functions.coefficients,
                reports: Vec::new(),
                ..pairs
            };
            Ok((TrainedMachine::Svc(SvcModel::from_parts(kept, pairs)), told))
        }
        TrainedMachine::Svc(_) => {
            Err(unsupported("several classes, each pair of which has items of its own"))
        }
        TrainedMachine::Matrix(model) => {
            let (model, told) = smaller_machine(model, count)?;
            Ok((TrainedMachine::Matrix(model), told))
        }
        _ => Err(unsupported("such a machine")),
    }
}

/// What is kept of the items that it was trained on.
type KeptItems = Kept<CollectionKernel, Collection<'static>>;
type Ridge = RidgeModel<CollectionKernel, Collection<'static>>;

fn smaller_machine(model: &MatrixModel, count: usize) -> Result<(MatrixModel, Told)> {
    let of = |functions: &Functions| in_order(model.kept(), functions, count);
    let ridge = |model: &Ridge| -> Result<(Ridge, Told)> {
        let (kept, functions, told) = of(model.functions())?;
        let fit = RidgeFit { functions, report: model.report().clone(), left_out: None };
        Ok((RidgeModel::from_parts(kept, fit)?, told))
    };
    Ok(match model {
        MatrixModel::Ridge(model) => {
            let (model, told) = ridge(model)?;
            (MatrixModel::Ridge(model), told)
        }
        MatrixModel::LeastSquares(model) => {
            let (smaller, told) = ridge(model.ridge())?;
            let model = LeastSquaresModel::from_parts(model.classes().to_vec(), smaller)?;
            (MatrixModel::LeastSquares(model), told)
        }
        MatrixModel::Pls(model) => {
            let (kept, functions, told) = of(model.functions())?;
            // Directions are made of all items.
            let report = PlsReport { scores: None, ..model.report().clone() };
            (MatrixModel::Pls(PlsModel::from_parts(kept, functions, report)?), told)
        }
        MatrixModel::Rank(model) => {
            let (kept, functions, told) = of(model.functions())?;
            (MatrixModel::Rank(RankModel::from_parts(kept, functions, model.report().clone())?), told)
        }
        MatrixModel::Ordinal(model) => {
            let (kept, functions, told) = of(model.functions())?;
            (MatrixModel::Ordinal(OrdinalModel::from_parts(kept, functions, model.report().clone())?), told)
        }
        MatrixModel::BayesPoint(model) => {
            let (kept, functions, told) = of(model.functions())?;
            let model = BayesPointModel::from_parts(kept, functions, model.report().clone())?;
            (MatrixModel::BayesPoint(model), told)
        }
        other => return Err(unsupported(other.name())),
    })
}

/// The smaller functions, with their items in the order in which the model has them.
fn in_order(kept: &KeptItems, functions: &Functions, count: usize) -> Result<(KeptItems, Functions, Told)> {
    let found = ReducedSet::of(kept, functions, count)?;
    let m = functions.outputs();
    let mut order: Vec<usize> = (0..found.chosen.len()).collect();
    order.sort_unstable_by_key(|&at| found.chosen[at]);
    let chosen: Vec<usize> = order.iter().map(|&at| found.chosen[at]).collect();
    let of = |&at: &usize| found.functions.coefficients[at * m..(at + 1) * m].iter().copied();
    let coefficients = order.iter().flat_map(of).collect();
    let functions = Functions { coefficients, offsets: found.functions.offsets.clone() };
    let kept = Kept { items: kept.items.select(&chosen), ..found.kept };
    Ok((kept, functions, (chosen, found.errors, found.norms)))
}

fn unsupported(what: &str) -> Error {
    Error::Unsupported { what: format!("there is no reduced set of {what}") }
}
