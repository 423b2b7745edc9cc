//! Sparse models for rows with columns that no training row had.

use super::AnyModel;
use crate::data::Vectors;
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, Plan};
use crate::kernel::Expression;
use crate::machine::{
    ClassModel, Kept, LinearFunctions, LinearModel, LinearSvrModel, NoveltyModel, SvcModel, SvrModel,
};

impl AnyModel {
    /// The same model for rows of so many columns, of which its own are the first.
    ///
    /// A file of sparse rows tells no width: a column that no support vector has may not be in the model's file at all.
    /// In further columns support items are 0, so those of a new row count in its norm and distances and in nothing
    /// else.
    ///
    /// ```
    /// # use mercer::data::{Labels, Sparse, Vectors};
    /// # use mercer::io::AnyModel;
    /// # use mercer::kernel::Expression;
    /// # use mercer::machine::Svc;
    /// let rows = Vectors::from(Sparse::from_parts(vec![0, 0, 1], vec![0], vec![1.0], 1)?);
    /// let machine = Svc::params("gaussian(gamma=1)".parse::<Expression>()?).check()?;
    /// let model = AnyModel::Svc(machine.fit(&rows, &Labels::from_text(["no", "yes"]))?);
    /// let far = Vectors::from(Sparse::from_parts(vec![0, 2], vec![0, 5], vec![1.0, 9.0], 6)?);
    /// assert!(model.class_scores(&far).is_err());
    /// // So far away no kernel value is left.
    /// assert!(model.wider(6)?.class_scores(&far)?[1].abs() < 1e-9);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// Dense support items, which have just their own columns; a machine that factorises K.
    pub fn wider(&self, columns: usize) -> Result<AnyModel> {
        Ok(match self {
            AnyModel::Svc(model) => {
                AnyModel::Svc(SvcModel::from_parts(wide(model.kept(), columns)?, model.pairs().clone()))
            }
            AnyModel::Svr(model) => {
                let (kept, expansion) = (wide(model.kept(), columns)?, model.expansion().clone());
                let report = model.report().cloned();
                let wide = SvrModel::from_parts(kept, model.loss(), model.tube(), expansion, report);
                AnyModel::Svr(wide.with_sample(model.sample().cloned()))
            }
            AnyModel::Novelty(model) => {
                let (kept, expansion) = (wide(model.kept(), columns)?, model.expansion().clone());
                let (region, softness, report) = (model.region(), model.softness(), model.report().cloned());
                let wide =
                    NoveltyModel::from_parts(kept, region, softness, expansion, report, *model.found());
                AnyModel::Novelty(wide.with_slack(model.slack()))
            }
            AnyModel::Classes(model) => {
                let (functions, reports) = (model.functions().clone(), model.reports().to_vec());
                AnyModel::Classes(ClassModel::from_parts(
                    wide(model.kept(), columns)?,
                    model.machine(),
                    functions,
                    reports,
                ))
            }
            AnyModel::Linear(model) => {
                let functions = padded(model.functions(), columns);
                let (classes, objective) = (model.classes().to_vec(), model.objective());
                let reports = model.reports().to_vec();
                let wide = LinearModel::from_parts(classes, objective, functions, reports)?;
                AnyModel::Linear(wide.with_samples(model.samples().to_vec()))
            }
            AnyModel::LinearRegression(model) => {
                let functions = padded(model.functions(), columns);
                let wide = LinearSvrModel::from_parts(model.loss(), functions, model.report().cloned())?;
                AnyModel::LinearRegression(wide.with_sample(model.sample().cloned()))
            }
            AnyModel::Matrix(_) => {
                let what = "a machine that factorises K takes rows with the columns of its training".into();
                return Err(Error::Unsupported { what });
            }
        })
    }
}

fn wide(
    kept: &Kept<Expression, Vectors<'static>>,
    columns: usize,
) -> Result<Kept<Expression, Vectors<'static>>> {
    let mut kept = kept.clone();
    if let Vectors::Sparse(items) = kept.items {
        kept.items = Vectors::Sparse(items.with_columns(columns)?);
        let plan = Plan { precision: kept.precision, ..Plan::new()? };
        kept.layout = BulkKernel::<Vectors<'_>>::layout(&kept.kernel, &kept.items, &plan)?;
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
