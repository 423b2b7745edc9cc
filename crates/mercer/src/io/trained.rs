//! Trained machines of any kind, on any items that can be stored.

use std::sync::LazyLock;

use super::kept::KeptItems;
use super::{Answer, MatrixModel};
use crate::data::{Collection, ItemKind, Vectors};
use crate::error::{Error, Result};
use crate::gram::{CollectionKernel, Precision};
use crate::kernel::Expression;
use crate::kernel::vector::Linear;
use crate::machine::{ClassModel, LinearModel, LinearSvrModel, NoveltyModel, SvcModel, SvrModel};
use crate::solver::Status;

/// A trained model of any kind, as the faces handle it: on numeric rows, or with another kernel on other items.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there are few of them at a time")]
pub enum TrainedMachine {
    /// A support vector classifier.
    Svc(SvcModel<CollectionKernel, Collection<'static>>),
    /// A support vector regression.
    Svr(SvrModel<CollectionKernel, Collection<'static>>),
    /// A novelty detector.
    Novelty(NoveltyModel<CollectionKernel, Collection<'static>>),
    /// A joint support vector machine of all classes.
    Classes(ClassModel<CollectionKernel, Collection<'static>>),
    /// A linear classifier, which has weights of features in place of support items.
    Linear(LinearModel),
    /// A linear regression, likewise.
    LinearRegression(LinearSvrModel),
    /// A machine that factorises K.
    Matrix(MatrixModel),
}

/// What linear machines answer when they are asked for their kernel and their support items.
static LINEAR: LazyLock<CollectionKernel> = LazyLock::new(|| Expression::from(Linear).into());
static NO_ITEMS: LazyLock<Collection<'static>> = LazyLock::new(|| {
    let none: [[f64; 0]; 0] = [];
    Vectors::from_rows(&none).expect("no rows").into()
});

impl TrainedMachine {
    /// The kernel with every automatic parameter filled in; the linear one of linear machines.
    pub fn kernel(&self) -> &CollectionKernel {
        self.kept().map_or(&LINEAR, |kept| &kept.kernel)
    }

    /// The support items; none for linear machines.
    pub fn support_items(&self) -> &Collection<'static> {
        self.kept().map_or(&NO_ITEMS, |kept| &kept.items)
    }

    /// What its items are.
    pub fn item_kind(&self) -> ItemKind {
        self.kernel().expression().kind()
    }

    /// Scores: for each item one per class; the highest is predicted.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if it is no classifier; items that the kernel is not defined on.
    pub fn class_scores(&self, items: &Collection<'_>) -> Result<Vec<f64>> {
        match self {
            TrainedMachine::Svc(model) => model.scores(items),
            TrainedMachine::Classes(model) => model.scores(items),
            TrainedMachine::Linear(model) => model.scores(items.rows()?),
            TrainedMachine::Matrix(model) if model.answer() == Answer::Classes => model.values(items),
            TrainedMachine::Matrix(_)
            | TrainedMachine::Svr(_)
            | TrainedMachine::Novelty(_)
            | TrainedMachine::LinearRegression(_) => Err(no_classifier()),
        }
    }

    /// Columns of the rows that it takes; 0 for other items.
    pub fn columns(&self) -> usize {
        match self {
            TrainedMachine::Linear(model) => model.functions().columns,
            TrainedMachine::LinearRegression(model) => model.functions().columns,
            _ => self.support_items().rows().map_or(0, Vectors::columns),
        }
    }

    /// The classifier of pairs.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if it is another machine.
    pub fn classifier(&self) -> Result<&SvcModel<CollectionKernel, Collection<'static>>> {
        match self {
            TrainedMachine::Svc(model) => Ok(model),
            TrainedMachine::Svr(_) | TrainedMachine::Novelty(_) | TrainedMachine::LinearRegression(_) => {
                Err(no_classifier())
            }
            TrainedMachine::Matrix(model) if model.answer() != Answer::Classes => Err(no_classifier()),
            TrainedMachine::Classes(_) | TrainedMachine::Linear(_) | TrainedMachine::Matrix(_) => {
                let what = "the model has one function per class, and not one per pair of classes".into();
                Err(Error::Unsupported { what })
            }
        }
    }

    /// What it keeps of its training items; nothing for linear machines.
    pub fn kept(&self) -> Option<&KeptItems> {
        match self {
            TrainedMachine::Svc(model) => Some(model.kept()),
            TrainedMachine::Svr(model) => Some(model.kept()),
            TrainedMachine::Novelty(model) => Some(model.kept()),
            TrainedMachine::Classes(model) => Some(model.kept()),
            TrainedMachine::Matrix(model) => Some(model.kept()),
            TrainedMachine::Linear(_) | TrainedMachine::LinearRegression(_) => None,
        }
    }

    /// The numbers of the training rows that the support items were, in their order; none for linear machines and for
    /// those that factorise K, most of which keep all rows.
    pub fn support_rows(&self) -> &[usize] {
        match self {
            TrainedMachine::Svc(model) => &model.pairs().support,
            TrainedMachine::Svr(model) => &model.expansion().support,
            TrainedMachine::Novelty(model) => &model.expansion().support,
            TrainedMachine::Classes(model) => &model.functions().support,
            TrainedMachine::Linear(_) | TrainedMachine::LinearRegression(_) | TrainedMachine::Matrix(_) => {
                &[]
            }
        }
    }

    /// The classes that the machine tells apart.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if it is no classifier.
    pub fn classes(&self) -> Result<&[String]> {
        match self {
            TrainedMachine::Svc(model) => Ok(model.classes()),
            TrainedMachine::Classes(model) => Ok(model.classes()),
            TrainedMachine::Linear(model) => Ok(model.classes()),
            TrainedMachine::Matrix(model) => model.classes().ok_or_else(no_classifier),
            TrainedMachine::Svr(_) | TrainedMachine::Novelty(_) | TrainedMachine::LinearRegression(_) => {
                Err(no_classifier())
            }
        }
    }

    /// Precision of kernel values, the same in training and prediction.
    pub fn precision(&self) -> Precision {
        match self {
            TrainedMachine::Svc(model) => model.precision(),
            TrainedMachine::Svr(model) => model.kept().precision,
            TrainedMachine::Novelty(model) => model.kept().precision,
            TrainedMachine::Classes(model) => model.kept().precision,
            TrainedMachine::Matrix(model) => model.kept().precision,
            TrainedMachine::Linear(_) | TrainedMachine::LinearRegression(_) => Precision::F64,
        }
    }

    /// How the training ended, `Converged` if all its problems are solved; `None` where that is not known (a model of
    /// another program), or where no problem had to be solved.
    pub fn status(&self) -> Option<Status> {
        match self {
            TrainedMachine::Svc(model) => model.status(),
            TrainedMachine::Svr(model) => model.report().map(|report| report.status),
            TrainedMachine::Novelty(model) => model.report().map(|report| report.status),
            TrainedMachine::Classes(model) => model.status(),
            TrainedMachine::Linear(model) => model.status(),
            TrainedMachine::LinearRegression(model) => model.report().map(|report| report.status),
            TrainedMachine::Matrix(_) => None,
        }
    }

    /// The same model, whose training rows are known by other numbers: row i is number `numbers[i]` of a larger set.
    ///
    /// # Panics
    /// If there is no number for the row of a support item.
    pub fn renumbered(self, numbers: &[usize]) -> Self {
        match self {
            TrainedMachine::Svc(model) => TrainedMachine::Svc(model.renumbered(numbers)),
            TrainedMachine::Svr(model) => TrainedMachine::Svr(model.renumbered(numbers)),
            TrainedMachine::Novelty(model) => TrainedMachine::Novelty(model.renumbered(numbers)),
            TrainedMachine::Classes(model) => TrainedMachine::Classes(model.renumbered(numbers)),
            other @ (TrainedMachine::Linear(_)
            | TrainedMachine::LinearRegression(_)
            | TrainedMachine::Matrix(_)) => other,
        }
    }

    /// The same model with so many threads for predictions; 0, the default, means as many as there are.
    pub fn with_threads(self, threads: usize) -> Self {
        match self {
            TrainedMachine::Svc(model) => TrainedMachine::Svc(model.with_threads(threads)),
            TrainedMachine::Svr(model) => TrainedMachine::Svr(model.with_threads(threads)),
            TrainedMachine::Novelty(model) => TrainedMachine::Novelty(model.with_threads(threads)),
            TrainedMachine::Classes(model) => TrainedMachine::Classes(model.with_threads(threads)),
            TrainedMachine::Matrix(model) => TrainedMachine::Matrix(model.with_threads(threads)),
            linear @ (TrainedMachine::Linear(_) | TrainedMachine::LinearRegression(_)) => linear,
        }
    }
}

pub(super) fn no_classifier() -> Error {
    Error::Unsupported { what: "the model is no classifier: there is no use for it here yet".into() }
}
