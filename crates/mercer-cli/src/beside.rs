//! What a row can get beside its answer: probabilities, a standard deviation, how far it is from what was seen.

use mercer::data::{Collection, Items};
use mercer::gram::CollectionKernel;
use mercer::io::{Answer, MatrixModel, TrainedMachine};
use mercer::linalg::Matrix;
use mercer::machine::SvcModel;
use mercer::{Error, Result};

use crate::arguments::PredictArguments;
use crate::failure::Failure;
use crate::model;

/// What is asked for beside the answer; its numbers stand behind those of the answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    Nothing,
    /// One for each class.
    Probabilities,
    /// That of a new target, noise included, for each output.
    Deviation,
    /// The squared distance from the plane of principal components.
    Error,
    /// The values of functions that are drawn at all rows together.
    Samples {
        count: usize,
        seed: u64,
    },
}

/// Most rows that functions are drawn at: the covariance of all of them is computed.
const MOST_DRAWN: usize = 4000;

impl Beside {
    /// What the options of `predict` ask of a model; refuses what it does not have.
    pub fn asked(arguments: &PredictArguments, model: &TrainedMachine) -> std::result::Result<Self, Failure> {
        let usage = |what: String| Err(Failure::Usage(Error::Unsupported { what }));
        if arguments.std {
            return match model {
                TrainedMachine::Matrix(MatrixModel::GaussianProcess(_)) => Ok(Beside::Deviation),
                TrainedMachine::Matrix(MatrixModel::Relevance(found))
                    if found.report().classes.is_empty() =>
                {
                    Ok(Beside::Deviation)
                }
                _ => usage(format!(
                    "--std does not go with {}: Gaussian processes and relevance vectors of numbers have one",
                    model::a_kind(model)
                )),
            };
        }
        if let Some(count) = arguments.samples {
            return match model {
                TrainedMachine::Matrix(MatrixModel::GaussianProcess(process)) if process.outputs() == 1 => {
                    Ok(Beside::Samples { count, seed: arguments.seed })
                }
                _ => usage(format!(
                    "--samples does not go with {}: functions are drawn from Gaussian processes of numbers",
                    model::a_kind(model)
                )),
            };
        }
        if arguments.probabilities {
            check_probabilities(model)?;
            return Ok(Beside::Probabilities);
        }
        let answer = match model {
            TrainedMachine::Svr(_) | TrainedMachine::LinearRegression(_) => Answer::Numbers,
            TrainedMachine::Matrix(MatrixModel::Pca(_)) if arguments.scores => return Ok(Beside::Error),
            TrainedMachine::Matrix(model) => model.answer(),
            _ => return Ok(Beside::Nothing),
        };
        match (arguments.scores, answer) {
            (false, _) | (true, Answer::Classes | Answer::Novelty) => Ok(Beside::Nothing),
            (true, Answer::Numbers) => usage(
                "--scores is for classes, novelty and principal components: numbers are all that there is \
                 (--std adds a standard deviation to those of a Gaussian process)"
                    .into(),
            ),
            (true, _) => usage(
                "--scores is for classes, novelty and principal components: other predictions are all that there is"
                    .into(),
            ),
        }
    }

    /// Probabilities, if the model has them.
    pub fn probabilities_of(model: &TrainedMachine) -> Self {
        if check_probabilities(model).is_ok() { Beside::Probabilities } else { Beside::Nothing }
    }

    /// Numbers that a row gets from a model, these included.
    pub fn width(self, model: &TrainedMachine) -> usize {
        let own = own_width(model);
        match self {
            Beside::Nothing => own,
            Beside::Probabilities | Beside::Deviation => 2 * own,
            Beside::Error => own + 1,
            Beside::Samples { count, .. } => own + count,
        }
    }

    /// Rows that are looked at together, usually so many.
    pub fn at_once(self, usual: usize) -> usize {
        // One more than there may be tells that there are too many.
        if matches!(self, Beside::Samples { .. }) { MOST_DRAWN + 1 } else { usual }
    }

    /// The answers of a machine that factorises K, and these behind each.
    pub fn values(self, model: &MatrixModel, items: &Collection<'_>) -> Result<Vec<f64>> {
        match (self, model) {
            (Beside::Deviation, MatrixModel::GaussianProcess(model)) => {
                let said = model.predict_with_variance(items)?;
                let (_, scale) = model.normalisation();
                let (n, m) = (items.len(), model.outputs());
                // A `white` in the kernel is in the variance, the noise that is a parameter is not.
                let variance = |i, o: usize| said.variance[(i, o)] + model.noise() * scale[o] * scale[o];
                let deviations = Matrix::from_fn(n, m, |i, o| variance(i, o).sqrt());
                Ok(joined(said.mean.values(), deviations.values(), m, m))
            }
            (Beside::Deviation, MatrixModel::Relevance(model)) => {
                let deviations: Vec<f64> = model.variances(items)?.iter().map(|v| v.sqrt()).collect();
                Ok(joined(&model.predict(items)?, &deviations, 1, 1))
            }
            (Beside::Probabilities, MatrixModel::Laplace(_)) => {
                // They are what it decides by.
                let values = model.values(items)?;
                Ok(joined(&values, &values, model.width(), model.width()))
            }
            (Beside::Probabilities, MatrixModel::Relevance(found)) => {
                let k = model.width();
                Ok(joined(&model.values(items)?, found.probabilities(items)?.values(), k, k))
            }
            (Beside::Samples { count, seed }, MatrixModel::GaussianProcess(process)) => {
                if items.len() > MOST_DRAWN {
                    let what = format!("--samples: functions are drawn at {MOST_DRAWN} rows at most");
                    return Err(Error::Unsupported { what });
                }
                let drawn = process.sample(items, count, seed)?.transposed();
                Ok(joined(&process.predict(items)?, drawn.values(), 1, count))
            }
            (Beside::Error, MatrixModel::Pca(found)) => {
                Ok(joined(&model.values(items)?, &found.reconstruction_errors(items)?, model.width(), 1))
            }
            _ => model.values(items),
        }
    }
}

/// Numbers that a row gets from a model and nothing beside.
pub fn own_width(model: &TrainedMachine) -> usize {
    match model {
        TrainedMachine::Svc(model) => model.classes().len(),
        TrainedMachine::Classes(model) => model.classes().len(),
        TrainedMachine::Linear(model) => model.classes().len(),
        TrainedMachine::Svr(_) | TrainedMachine::Novelty(_) | TrainedMachine::LinearRegression(_) => 1,
        TrainedMachine::Matrix(model) => model.width(),
    }
}

/// Refuses to give probabilities that a model does not have.
fn check_probabilities(model: &TrainedMachine) -> std::result::Result<(), Failure> {
    let what = match model {
        TrainedMachine::Svc(model) if model.pairs().calibration.is_some() => return Ok(()),
        TrainedMachine::Matrix(MatrixModel::Laplace(_)) => return Ok(()),
        TrainedMachine::Matrix(MatrixModel::Relevance(found)) if !found.report().classes.is_empty() => {
            return Ok(());
        }
        TrainedMachine::Svr(_) | TrainedMachine::Novelty(_) => {
            let what = format!("--probabilities does not go with {}", model::a_kind(model));
            return Err(Failure::Usage(Error::Unsupported { what: what + ": it is for classifiers" }));
        }
        TrainedMachine::Matrix(_) => {
            let what = format!("--probabilities does not go with {}", model::a_kind(model));
            return Err(Failure::Usage(Error::Unsupported { what }));
        }
        _ => "the model has no probabilities: mercer train --probabilities makes one that has",
    };
    Err(Error::Unsupported { what: what.into() }.into())
}

/// Scores of items and their probabilities, side by side.
pub fn with_probabilities(
    model: &SvcModel<CollectionKernel, Collection<'static>>,
    decisions: &[f64],
) -> Result<Vec<f64>> {
    let k = model.classes().len();
    let (scores, p) = (model.pairs().scores(decisions), model.pairs().probabilities(decisions)?);
    Ok(joined(&scores, &p, k, k))
}

/// Row by row some numbers of the one and some of the other.
fn joined(one: &[f64], other: &[f64], width: usize, more: usize) -> Vec<f64> {
    let (width, more) = (width.max(1), more.max(1));
    one.chunks_exact(width).zip(other.chunks_exact(more)).flat_map(|(a, b)| [a, b].concat()).collect()
}
