//! Models of fewer terms.

use super::kept::KeptItems;
use super::{MatrixModel, TrainedMachine};
use crate::data::{Collection, Items};
use crate::error::{Error, Result};
use crate::gram::CollectionKernel;
use crate::machine::{
    ClassFunctions, ClassModel, Expansion, FunctionModel, Functions, Kept, LeastSquaresModel, PairMachines,
    ReducedSet, RidgeFit, RidgeModel, SvcModel, SvrModel,
};

/// A model of fewer terms, and what it gave away.
#[derive(Clone, Debug)]
pub struct Compressed {
    /// The smaller model. It does not know how it was trained, and has no certificate.
    pub model: TrainedMachine,
    /// Terms before.
    pub before: usize,
    /// Terms that are left: as many as were asked for, or fewer if these tell all.
    pub after: usize,
    /// ‖w − w'‖ of each function: at x its value is at most that times √k(x, x) away.
    pub errors: Vec<f64>,
    /// ‖w‖ of each function.
    pub norms: Vec<f64>,
}

impl TrainedMachine {
    /// The model with at most so many terms in place of its support items, or of all training items: the functions that are nearest in
    /// feature space, as far as [`ReducedSet`] finds them. O(n²) kernel values and 8n² bytes for n terms.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::io::{TrainedMachine, MatrixModel};
    /// use mercer::kernel::Expression;
    /// use mercer::machine::Ridge;
    /// let rows = Vectors::from_rows(&(0..50).map(|i| [f64::from(i) / 10.0]).collect::<Vec<_>>())?;
    /// let targets: Vec<f64> = (0..50).map(|i| (f64::from(i) / 10.0).sin()).collect();
    /// let machine = Ridge::params("gaussian(gamma=0.5)".parse::<Expression>()?).lambda(0.01).check()?;
    /// let model = MatrixModel::from(machine.fit(&rows, &targets)?);
    /// let items = rows.into();
    /// let small = TrainedMachine::Matrix(model.clone()).compressed(10)?;
    /// assert_eq!((small.before, small.after), (50, 10));
    /// let TrainedMachine::Matrix(again) = small.model else { panic!("another machine") };
    /// // k(x, x) = 1
    /// let apart = model.values(&items)?.iter().zip(again.values(&items)?).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    /// assert!(apart <= small.errors[0] + 1e-9 && small.errors[0] < 0.01 * small.norms[0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a model that is no sum of kernel values alone (a Gaussian process knows variances, a region its
    /// radius), or of more than two classes that are told apart in pairs; those of [`ReducedSet::of`].
    pub fn compressed(&self, terms: usize) -> Result<Compressed> {
        match self {
            TrainedMachine::Svc(model) if model.classes().len() == 2 => {
                let pairs = model.pairs();
                let functions =
                    Functions { coefficients: pairs.coefficients.clone(), offsets: pairs.offsets.clone() };
                let small = Small::of(model.kept(), &functions, terms)?;
                // Items of the earlier class stand first.
                let first = small.chosen.partition_point(|&at| at < pairs.starts[1]);
                let pairs = PairMachines {
                    support: small.chosen.iter().map(|&at| pairs.support[at]).collect(),
                    starts: vec![0, first, small.chosen.len()],
                    coefficients: small.functions.coefficients.clone(),
                    reports: Vec::new(),
                    ..pairs.clone()
                };
                Ok(small.with(|kept, _| TrainedMachine::Svc(SvcModel::from_parts(kept, pairs))))
            }
            TrainedMachine::Classes(model) => {
                let known = model.functions();
                let functions =
                    Functions { coefficients: known.coefficients.clone(), offsets: known.offsets.clone() };
                let small = Small::of(model.kept(), &functions, terms)?;
                let functions = ClassFunctions {
                    support: small.chosen.iter().map(|&at| known.support[at]).collect(),
                    coefficients: small.functions.coefficients.clone(),
                    ..known.clone()
                };
                let machine = model.machine();
                Ok(small.with(|kept, _| {
                    TrainedMachine::Classes(ClassModel::from_parts(kept, machine, functions, Vec::new()))
                }))
            }
            TrainedMachine::Svr(model) => {
                let known = model.expansion();
                let functions =
                    Functions { coefficients: known.coefficients.clone(), offsets: vec![known.offset] };
                let small = Small::of(model.kept(), &functions, terms)?;
                let expansion = Expansion {
                    support: small.chosen.iter().map(|&at| known.support[at]).collect(),
                    coefficients: small.functions.coefficients.clone(),
                    offset: known.offset,
                };
                let (loss, tube) = (model.loss(), model.tube());
                Ok(small.with(|kept, _| {
                    TrainedMachine::Svr(SvrModel::from_parts(kept, loss, tube, expansion, None))
                }))
            }
            TrainedMachine::Matrix(model) => compressed_matrix(model, terms),
            _ => Err(unfit(&self.what())),
        }
    }

    fn what(&self) -> String {
        match self {
            TrainedMachine::Svc(_) => {
                "a classifier of more than two classes in pairs (one against the rest can be)".into()
            }
            TrainedMachine::Novelty(_) => "a novelty detector".into(),
            TrainedMachine::Matrix(model) => format!("a model of {}", model.name()),
            _ => "a linear model, which has no terms,".into(),
        }
    }
}

fn unfit(what: &str) -> Error {
    Error::Unsupported { what: format!("{what} cannot be compressed") }
}

fn compressed_matrix(model: &MatrixModel, terms: usize) -> Result<Compressed> {
    fn again<R: Clone>(
        model: &FunctionModel<CollectionKernel, Collection<'static>, R>,
        terms: usize,
        made: impl FnOnce(FunctionModel<CollectionKernel, Collection<'static>, R>) -> MatrixModel,
    ) -> Result<Compressed> {
        let small = Small::of(model.kept(), model.functions(), terms)?;
        small.try_with(|kept, functions| {
            let model = FunctionModel::from_parts(kept, functions, model.report().clone())?;
            Ok(TrainedMachine::Matrix(made(model)))
        })
    }
    let ridge = |kept, functions, model: &RidgeModel<CollectionKernel, Collection<'static>>| {
        RidgeModel::from_parts(kept, RidgeFit { functions, report: model.report().clone(), left_out: None })
    };
    match model {
        MatrixModel::Ridge(model) => {
            Small::of(model.kept(), model.functions(), terms)?.try_with(|kept, functions| {
                Ok(TrainedMachine::Matrix(MatrixModel::Ridge(ridge(kept, functions, model)?)))
            })
        }
        MatrixModel::LeastSquares(model) => {
            let known = model.ridge();
            Small::of(known.kept(), known.functions(), terms)?.try_with(|kept, functions| {
                let ridge = ridge(kept, functions, known)?;
                let model = LeastSquaresModel::from_parts(model.classes().to_vec(), ridge)?;
                Ok(TrainedMachine::Matrix(MatrixModel::LeastSquares(model)))
            })
        }
        MatrixModel::Pls(model) => again(model, terms, MatrixModel::Pls),
        MatrixModel::Rank(model) => again(model, terms, MatrixModel::Rank),
        MatrixModel::Ordinal(model) => again(model, terms, MatrixModel::Ordinal),
        MatrixModel::BayesPoint(model) => again(model, terms, MatrixModel::BayesPoint),
        _ => Err(unfit(&format!("a model of {}", model.name()))),
    }
}

/// A reduced set whose items are in their old order.
struct Small {
    kept: KeptItems,
    functions: Functions,
    chosen: Vec<usize>,
    before: usize,
    errors: Vec<f64>,
    norms: Vec<f64>,
}

impl Small {
    fn of(kept: &KeptItems, functions: &Functions, terms: usize) -> Result<Self> {
        let ReducedSet { kept: few, functions, chosen, errors, norms } =
            ReducedSet::of(kept, functions, terms)?;
        let mut order: Vec<usize> = (0..chosen.len()).collect();
        order.sort_by_key(|&at| chosen[at]);
        let m = functions.outputs();
        let coefficients =
            order.iter().flat_map(|&at| functions.coefficients[at * m..(at + 1) * m].to_vec()).collect();
        Ok(Small {
            kept: Kept { items: few.items.select(&order), ..few },
            functions: Functions { coefficients, offsets: functions.offsets },
            chosen: order.iter().map(|&at| chosen[at]).collect(),
            before: kept.items.len(),
            errors,
            norms,
        })
    }

    fn with(self, made: impl FnOnce(KeptItems, Functions) -> TrainedMachine) -> Compressed {
        let Small { kept, functions, chosen, before, errors, norms } = self;
        Compressed { model: made(kept, functions), before, after: chosen.len(), errors, norms }
    }

    fn try_with(
        self,
        made: impl FnOnce(KeptItems, Functions) -> Result<TrainedMachine>,
    ) -> Result<Compressed> {
        let Small { kept, functions, chosen, before, errors, norms } = self;
        Ok(Compressed { model: made(kept, functions)?, before, after: chosen.len(), errors, norms })
    }
}
