//! Sparse models for rows with columns that no training row had.

use super::TrainedMachine;
use super::kept::KeptItems;
use crate::data::{Collection, Vectors};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, Plan};
use crate::machine::{LinearFunctions, LinearModel, LinearSvrModel};

impl TrainedMachine {
    /// The same model for rows of so many columns, of which its own are the first.
    ///
    /// A file of sparse rows tells no width: a column that no support vector has may not be in the model's file at all.
    /// In further columns support items are 0, so those of a new row count in its norm and distances and in nothing
    /// else.
    ///
    /// ```
    /// # use mercer::data::{Labels, Sparse, Vectors};
    /// # use mercer::io::TrainedMachine;
    /// # use mercer::kernel::Expression;
    /// # use mercer::machine::Svc;
    /// let rows = Vectors::from(Sparse::from_parts(vec![0, 0, 1], vec![0], vec![1.0], 1)?);
    /// let machine = Svc::params("gaussian(gamma=1)".parse::<Expression>()?).check()?;
    /// let model = TrainedMachine::from(machine.fit(&rows, &Labels::from_text(["no", "yes"]))?);
    /// let far = Vectors::from(Sparse::from_parts(vec![0, 2], vec![0, 5], vec![1.0, 9.0], 6)?);
    /// assert!(model.class_scores(&far.clone().into()).is_err());
    /// // So far away no kernel value is left.
    /// assert!(model.wider(6)?.class_scores(&far.clone().into())?[1].abs() < 1e-9);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// Dense support items, which have just their own columns; a machine that factorises K.
    pub fn wider(&self, columns: usize) -> Result<TrainedMachine> {
        let wide = |kept| wide(kept, columns);
        Ok(match self {
            TrainedMachine::Svc(model) => TrainedMachine::Svc(model.clone().map_kept(&wide)?),
            TrainedMachine::Svr(model) => TrainedMachine::Svr(model.clone().map_kept(&wide)?),
            TrainedMachine::Novelty(model) => TrainedMachine::Novelty(model.clone().map_kept(&wide)?),
            TrainedMachine::Classes(model) => TrainedMachine::Classes(model.clone().map_kept(&wide)?),
            TrainedMachine::Linear(model) => {
                let functions = padded(model.functions(), columns);
                let (classes, objective) = (model.classes().to_vec(), model.objective());
                let reports = model.reports().to_vec();
                let wide = LinearModel::from_parts(classes, objective, functions, reports)?;
                TrainedMachine::Linear(wide.with_samples(model.samples().to_vec()))
            }
            TrainedMachine::LinearRegression(model) => {
                let functions = padded(model.functions(), columns);
                let wide = LinearSvrModel::from_parts(model.loss(), functions, model.report().cloned())?;
                TrainedMachine::LinearRegression(wide.with_sample(model.sample().cloned()))
            }
            TrainedMachine::Matrix(_) => {
                let what = "a machine that factorises K takes rows with the columns of its training".into();
                return Err(Error::Unsupported { what });
            }
        })
    }
}

fn wide(mut kept: KeptItems, columns: usize) -> Result<KeptItems> {
    if let Collection::Rows(Vectors::Sparse(items)) = kept.items {
        kept.items = Vectors::Sparse(items.with_columns(columns)?).into();
        let plan = Plan { precision: kept.precision, ..Plan::new()? };
        kept.layout = kept.kernel.layout(&kept.items, &plan)?;
    }
    Ok(kept)
}

fn padded(functions: &LinearFunctions, columns: usize) -> LinearFunctions {
    let mut weights = Vec::with_capacity(functions.count() * columns);
    for function in 0..functions.count() {
        weights.extend_from_slice(functions.weights_of(function));
        weights.resize((function + 1) * columns, 0.0);
    }
    LinearFunctions { columns, weights, intercepts: functions.intercepts.clone() }
}
