//! What a machine found on a Gram matrix, before it is joined with the items.

use mercer::Result;
use mercer::data::Collection;
use mercer::gram::CollectionKernel;
use mercer::io::MatrixModel;
use mercer::linalg::Matrix;
use mercer::machine::{
    BayesPointModel, BayesPointReport, CcaView, FisherModel, Functions, KMeansFit, Kept, KernelKMeansModel,
    KernelPcaFit, KernelPcaModel, LeastSquaresModel, OrdinalModel, OrdinalReport, PlsModel, PlsReport,
    RankModel, RankReport, RelevanceModel, RelevanceReport, RidgeFit, RidgeModel, SpectralFit, SpectralModel,
    View,
};

/// What a machine found on a Gram matrix: everything but the items.
pub enum Made {
    Ridge(RidgeFit),
    /// Ridge regression on the signs of these classes.
    LeastSquares(RidgeFit, Vec<String>),
    /// Classes, ratios, means along the directions, and the directions.
    Fisher(Vec<String>, Vec<f64>, Matrix, View),
    Components(KernelPcaFit),
    View(View),
    Pls(Functions, PlsReport),
    Rank(Vec<usize>, Functions, RankReport),
    Ordinal(Vec<usize>, Functions, OrdinalReport),
    Relevance(Functions, RelevanceReport),
    BayesPoint(Functions, BayesPointReport),
    KMeans(KMeansFit),
    Spectral(SpectralFit),
}

impl Made {
    /// The training items that are needed, of n.
    pub fn positions(&self, n: usize) -> Vec<usize> {
        match self {
            Made::Fisher(_, _, _, view) | Made::View(view) => view.pivots.clone(),
            Made::Rank(positions, ..) | Made::Ordinal(positions, ..) => positions.clone(),
            Made::Relevance(_, report) => report.relevant.clone(),
            _ => (0..n).collect(),
        }
    }

    /// The model with what it keeps of the items.
    pub fn model(self, kept: Kept<CollectionKernel, Collection<'static>>) -> Result<MatrixModel> {
        Ok(match self {
            Made::Ridge(fit) => MatrixModel::Ridge(RidgeModel::from_parts(kept, fit)?),
            Made::LeastSquares(fit, classes) => {
                let ridge = RidgeModel::from_parts(kept, fit)?;
                MatrixModel::LeastSquares(LeastSquaresModel::from_parts(classes, ridge)?)
            }
            Made::Fisher(classes, ratios, means, view) => {
                let view = CcaView::from_parts(kept, view)?;
                MatrixModel::Fisher(FisherModel::from_parts(classes, ratios, means, view)?)
            }
            Made::Components(fit) => MatrixModel::Pca(KernelPcaModel::from_parts(kept, fit)?),
            Made::View(view) => MatrixModel::View(CcaView::from_parts(kept, view)?),
            Made::Pls(functions, report) => MatrixModel::Pls(PlsModel::from_parts(kept, functions, report)?),
            Made::Rank(_, functions, report) => {
                MatrixModel::Rank(RankModel::from_parts(kept, functions, report)?)
            }
            Made::Ordinal(_, functions, report) => {
                MatrixModel::Ordinal(OrdinalModel::from_parts(kept, functions, report)?)
            }
            Made::Relevance(functions, report) => {
                MatrixModel::Relevance(RelevanceModel::from_parts(kept, functions, report)?)
            }
            Made::BayesPoint(functions, report) => {
                MatrixModel::BayesPoint(BayesPointModel::from_parts(kept, functions, report)?)
            }
            Made::KMeans(fit) => MatrixModel::KMeans(KernelKMeansModel::from_parts(kept, fit)?),
            Made::Spectral(fit) => MatrixModel::Spectral(SpectralModel::from_parts(kept, fit)?),
        })
    }
}
