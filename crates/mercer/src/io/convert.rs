//! Models of a caller's own types as the ones that are stored: of rows of numbers, or of a collection.

use super::{MatrixModel, TrainedMachine};
use crate::data::{Collection, Vectors};
use crate::error::{Error, Result};
use crate::gram::CollectionKernel;
use crate::kernel::Expression;
use crate::machine::{
    BayesPointModel, CcaView, ClassModel, FisherModel, GaussianProcessModel, Kept, KernelKMeansModel,
    KernelPcaModel, LaplaceModel, LeastSquaresModel, LinearModel, LinearSvrModel, NoveltyModel, OrdinalModel,
    PlsModel, RankModel, RbfNetworkModel, RelevanceModel, RidgeModel, SpectralModel, SphereAndSlabModel,
    SvcModel, SvrModel,
};

use super::kept::KeptItems;

pub(super) fn as_collection(kept: Kept<Expression, Vectors<'static>>) -> Result<KeptItems> {
    Ok(kept.into())
}

/// A collection of rows as the rows; of other items there are none.
fn as_rows(kept: KeptItems) -> Result<Kept<Expression, Vectors<'static>>> {
    let Kept { kernel, layout, precision, items, threads } = kept;
    let expression = kernel.expression();
    let kernel = match (expression.on_rows(), expression.mending()) {
        (Some(kernel), None) => kernel.clone(),
        _ => {
            return Err(Error::Unsupported {
                what: format!("{expression} is no kernel on rows of numbers alone"),
            });
        }
    };
    let layout = layout.into_rows()?;
    Ok(Kept { kernel, layout, precision, items: items.into_rows()?, threads })
}

macro_rules! from_models {
    ($($all:ident::$kind:ident($model:ident)),* $(,)?) => {$(
        impl From<$model<CollectionKernel, Collection<'static>>> for $all {
            fn from(model: $model<CollectionKernel, Collection<'static>>) -> Self {
                $all::$kind(model)
            }
        }

        impl From<$model<Expression, Vectors<'static>>> for $all {
            fn from(model: $model<Expression, Vectors<'static>>) -> Self {
                $all::$kind(model.map_kept(&as_collection).expect("rows are a collection"))
            }
        }

        /// Fails for items other than rows of numbers.
        impl TryFrom<$model<CollectionKernel, Collection<'static>>> for $model<Expression, Vectors<'static>> {
            type Error = Error;

            fn try_from(model: $model<CollectionKernel, Collection<'static>>) -> Result<Self> {
                model.map_kept(&as_rows)
            }
        }
    )*};
}
from_models!(
    TrainedMachine::Svc(SvcModel),
    TrainedMachine::Svr(SvrModel),
    TrainedMachine::Novelty(NoveltyModel),
    TrainedMachine::Classes(ClassModel),
    MatrixModel::Ridge(RidgeModel),
    MatrixModel::GaussianProcess(GaussianProcessModel),
    MatrixModel::LeastSquares(LeastSquaresModel),
    MatrixModel::Laplace(LaplaceModel),
    MatrixModel::Fisher(FisherModel),
    MatrixModel::Pca(KernelPcaModel),
    MatrixModel::View(CcaView),
    MatrixModel::KMeans(KernelKMeansModel),
    MatrixModel::Pls(PlsModel),
    MatrixModel::Rank(RankModel),
    MatrixModel::Ordinal(OrdinalModel),
    MatrixModel::Relevance(RelevanceModel),
    MatrixModel::BayesPoint(BayesPointModel),
    MatrixModel::Spectral(SpectralModel),
    MatrixModel::Slab(SphereAndSlabModel),
    MatrixModel::Network(RbfNetworkModel),
);

impl From<LinearModel> for TrainedMachine {
    fn from(model: LinearModel) -> Self {
        TrainedMachine::Linear(model)
    }
}

impl From<LinearSvrModel> for TrainedMachine {
    fn from(model: LinearSvrModel) -> Self {
        TrainedMachine::LinearRegression(model)
    }
}

impl From<MatrixModel> for TrainedMachine {
    fn from(model: MatrixModel) -> Self {
        TrainedMachine::Matrix(model)
    }
}

type Change<'a> = &'a dyn Fn(KeptItems) -> Result<KeptItems>;

impl MatrixModel {
    /// The same model with something else in place of what it keeps.
    fn map_kept(self, change: Change<'_>) -> Result<Self> {
        let change = &change;
        Ok(match self {
            MatrixModel::Ridge(model) => MatrixModel::Ridge(model.map_kept(change)?),
            MatrixModel::GaussianProcess(model) => MatrixModel::GaussianProcess(model.map_kept(change)?),
            MatrixModel::LeastSquares(model) => MatrixModel::LeastSquares(model.map_kept(change)?),
            MatrixModel::Laplace(model) => MatrixModel::Laplace(model.map_kept(change)?),
            MatrixModel::Fisher(model) => MatrixModel::Fisher(model.map_kept(change)?),
            MatrixModel::Pca(model) => MatrixModel::Pca(model.map_kept(change)?),
            MatrixModel::View(model) => MatrixModel::View(model.map_kept(change)?),
            MatrixModel::KMeans(model) => MatrixModel::KMeans(model.map_kept(change)?),
            MatrixModel::Pls(model) => MatrixModel::Pls(model.map_kept(change)?),
            MatrixModel::Rank(model) => MatrixModel::Rank(model.map_kept(change)?),
            MatrixModel::Ordinal(model) => MatrixModel::Ordinal(model.map_kept(change)?),
            MatrixModel::Relevance(model) => MatrixModel::Relevance(model.map_kept(change)?),
            MatrixModel::BayesPoint(model) => MatrixModel::BayesPoint(model.map_kept(change)?),
            MatrixModel::Spectral(model) => MatrixModel::Spectral(model.map_kept(change)?),
            MatrixModel::Slab(model) => MatrixModel::Slab(model.map_kept(change)?),
            MatrixModel::Network(model) => MatrixModel::Network(model.map_kept(change)?),
        })
    }
}

impl TrainedMachine {
    /// The same machine with something else in place of what it keeps; nothing for linear machines.
    pub(super) fn map_kept(self, change: Change<'_>) -> Result<Self> {
        Ok(match self {
            TrainedMachine::Svc(model) => TrainedMachine::Svc(model.map_kept(&change)?),
            TrainedMachine::Svr(model) => TrainedMachine::Svr(model.map_kept(&change)?),
            TrainedMachine::Novelty(model) => TrainedMachine::Novelty(model.map_kept(&change)?),
            TrainedMachine::Classes(model) => TrainedMachine::Classes(model.map_kept(&change)?),
            TrainedMachine::Matrix(model) => TrainedMachine::Matrix(model.map_kept(change)?),
            linear @ (TrainedMachine::Linear(_) | TrainedMachine::LinearRegression(_)) => linear,
        })
    }
}
