//! Models of a caller's own types as the ones that are stored: of rows of numbers, or of a collection.

use super::{MatrixModel, TrainedMachine};
use crate::data::{Collection, Vectors};
use crate::error::Result;
use crate::gram::CollectionKernel;
use crate::kernel::Expression;
use crate::machine::{
    BayesPointModel, CcaView, ClassModel, FisherModel, GaussianProcessModel, Kept, KernelKMeansModel,
    KernelPcaModel, LaplaceModel, LeastSquaresModel, LinearModel, LinearSvrModel, NoveltyModel, OrdinalModel,
    PlsModel, RankModel, RbfNetworkModel, RelevanceModel, RidgeModel, SpectralModel, SphereAndSlabModel,
    SvcModel, SvrModel,
};

use super::kept::KeptItems;

fn as_collection(kept: Kept<Expression, Vectors<'static>>) -> Result<KeptItems> {
    Ok(kept.into())
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
