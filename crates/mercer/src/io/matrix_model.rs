//! Models of machines that factorise K, as the faces handle them.

use super::kept::KeptItems;
use crate::data::Collection;
use crate::error::Result;
use crate::gram::CollectionKernel;
use crate::machine::{
    BayesPointModel, CcaView, FisherModel, GaussianProcessModel, KernelKMeansModel, KernelPcaModel,
    LaplaceModel, LeastSquaresModel, OrdinalModel, PlsModel, RankModel, RbfNetworkModel, RelevanceModel,
    RidgeModel, SpectralModel, SphereAndSlabModel,
};

/// A trained machine that factorises K, of any kind. Its answers are numbers: [`MatrixModel::values`] gives them and
/// [`MatrixModel::answer`] says what they mean.
///
/// ```
/// use mercer::data::{Collection, Vectors};
/// use mercer::io::{Answer, MatrixModel, Model, ModelCard, ModelFormat, TrainedMachine};
/// use mercer::kernel::Expression;
/// use mercer::machine::Ridge;
/// let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0]])?;
/// let machine = Ridge::params("linear".parse::<Expression>()?).lambda(1.0).check()?;
/// let model = MatrixModel::from(machine.fit(&rows, &[0.0, 1.0, 2.0])?);
/// let items = Collection::from(&rows);
/// assert_eq!((model.answer(), model.width()), (Answer::Numbers, 1));
/// let expected = model.values(&items)?;
/// let saved = Model::new(model, None, ModelCard::of(&rows));
/// let loaded = Model::from_bytes(&saved.to_bytes(ModelFormat::Binary))?;
/// let TrainedMachine::Matrix(again) = loaded.machine else { panic!("another machine") };
/// assert_eq!(again.values(&items)?, expected);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there are few of them at a time")]
pub enum MatrixModel {
    /// Ridge regression.
    Ridge(RidgeModel<CollectionKernel, Collection<'static>>),
    /// Gaussian process regression.
    GaussianProcess(GaussianProcessModel<CollectionKernel, Collection<'static>>),
    /// The least-squares support vector machine.
    LeastSquares(LeastSquaresModel<CollectionKernel, Collection<'static>>),
    /// Gaussian process classification.
    Laplace(LaplaceModel<CollectionKernel, Collection<'static>>),
    /// The Fisher discriminant.
    Fisher(FisherModel<CollectionKernel, Collection<'static>>),
    /// Principal components.
    Pca(KernelPcaModel<CollectionKernel, Collection<'static>>),
    /// One view of canonical correlations. Views may be of different kinds, so that each is a model of its own.
    View(CcaView<CollectionKernel, Collection<'static>>),
    /// Clusters about means.
    KMeans(KernelKMeansModel<CollectionKernel, Collection<'static>>),
    /// Partial least squares.
    Pls(PlsModel<CollectionKernel, Collection<'static>>),
    /// A ranking: larger for what comes first.
    Rank(RankModel<CollectionKernel, Collection<'static>>),
    /// Levels that have an order.
    Ordinal(OrdinalModel<CollectionKernel, Collection<'static>>),
    /// Relevance vectors, of numbers or of classes.
    Relevance(RelevanceModel<CollectionKernel, Collection<'static>>),
    /// The Bayes point.
    BayesPoint(BayesPointModel<CollectionKernel, Collection<'static>>),
    /// Spectral clusters.
    Spectral(SpectralModel<CollectionKernel, Collection<'static>>),
    /// A novelty detector: a sphere that is cut by a slab.
    Slab(SphereAndSlabModel<CollectionKernel, Collection<'static>>),
    /// Radial basis functions with a linear read-out, of numbers or of classes.
    Network(RbfNetworkModel<CollectionKernel, Collection<'static>>),
}

/// What the values of a [`MatrixModel`] mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// One number per output: what is predicted.
    Numbers,
    /// One score per class: the highest is predicted.
    Classes,
    /// One number per component: where an item lies.
    Components,
    /// One score per cluster: the highest is that of the nearest.
    Clusters,
    /// One score: below 0 for what is novel.
    Novelty,
}

impl MatrixModel {
    /// What its values mean.
    pub fn answer(&self) -> Answer {
        match self {
            MatrixModel::Ridge(_) | MatrixModel::GaussianProcess(_) | MatrixModel::Pls(_) => Answer::Numbers,
            MatrixModel::Rank(_) | MatrixModel::Ordinal(_) => Answer::Numbers,
            MatrixModel::Relevance(model) if model.report().classes.is_empty() => Answer::Numbers,
            MatrixModel::LeastSquares(_) | MatrixModel::Laplace(_) | MatrixModel::Fisher(_) => {
                Answer::Classes
            }
            MatrixModel::Relevance(_) | MatrixModel::BayesPoint(_) => Answer::Classes,
            MatrixModel::Pca(_) | MatrixModel::View(_) => Answer::Components,
            MatrixModel::KMeans(_) | MatrixModel::Spectral(_) => Answer::Clusters,
            MatrixModel::Slab(_) => Answer::Novelty,
            MatrixModel::Network(model) if model.classes().is_empty() => Answer::Numbers,
            MatrixModel::Network(_) => Answer::Classes,
        }
    }

    /// What kind of machine it is.
    pub fn name(&self) -> &'static str {
        match self {
            MatrixModel::Ridge(_) => "kernel ridge regression",
            MatrixModel::GaussianProcess(_) => "Gaussian process regression",
            MatrixModel::LeastSquares(_) => "least-squares support vector machine",
            MatrixModel::Laplace(_) => "Gaussian process classifier",
            MatrixModel::Fisher(_) => "kernel Fisher discriminant",
            MatrixModel::Pca(_) => "kernel principal components",
            MatrixModel::View(_) => "a view of kernel canonical correlations",
            MatrixModel::KMeans(_) => "kernel k-means",
            MatrixModel::Pls(_) => "kernel partial least squares",
            MatrixModel::Rank(_) => "ranking support vector machine",
            MatrixModel::Ordinal(_) => "ordinal support vector machine",
            MatrixModel::Relevance(_) => "relevance vector machine",
            MatrixModel::BayesPoint(_) => "Bayes point machine",
            MatrixModel::Spectral(_) => "spectral clustering",
            MatrixModel::Slab(_) => "sphere and slab",
            MatrixModel::Network(_) => "radial basis function network",
        }
    }

    /// What it keeps of its training items.
    pub fn kept(&self) -> &KeptItems {
        match self {
            MatrixModel::Ridge(model) => model.kept(),
            MatrixModel::GaussianProcess(model) => model.kept(),
            MatrixModel::LeastSquares(model) => model.ridge().kept(),
            MatrixModel::Laplace(model) => model.kept(),
            MatrixModel::Fisher(model) => model.view().kept(),
            MatrixModel::Pca(model) => model.kept(),
            MatrixModel::View(view) => view.kept(),
            MatrixModel::KMeans(model) => model.kept(),
            MatrixModel::Pls(model) => model.kept(),
            MatrixModel::Rank(model) => model.kept(),
            MatrixModel::Ordinal(model) => model.kept(),
            MatrixModel::Relevance(model) => model.kept(),
            MatrixModel::BayesPoint(model) => model.kept(),
            MatrixModel::Spectral(model) => model.kept(),
            // The plane keeps all items, the sphere some of them.
            MatrixModel::Slab(model) => model.plane().kept(),
            MatrixModel::Network(model) => model.kept(),
        }
    }

    /// The same model with so many threads; 0, the default, means as many as there are.
    pub fn with_threads(self, threads: usize) -> Self {
        match self {
            MatrixModel::Ridge(model) => MatrixModel::Ridge(model.with_threads(threads)),
            MatrixModel::GaussianProcess(model) => MatrixModel::GaussianProcess(model.with_threads(threads)),
            MatrixModel::LeastSquares(model) => MatrixModel::LeastSquares(model.with_threads(threads)),
            MatrixModel::Laplace(model) => MatrixModel::Laplace(model.with_threads(threads)),
            MatrixModel::Fisher(model) => MatrixModel::Fisher(model.with_threads(threads)),
            MatrixModel::Pca(model) => MatrixModel::Pca(model.with_threads(threads)),
            MatrixModel::View(view) => MatrixModel::View(view.with_threads(threads)),
            MatrixModel::KMeans(model) => MatrixModel::KMeans(model.with_threads(threads)),
            MatrixModel::Pls(model) => MatrixModel::Pls(model.with_threads(threads)),
            MatrixModel::Rank(model) => MatrixModel::Rank(model.with_threads(threads)),
            MatrixModel::Ordinal(model) => MatrixModel::Ordinal(model.with_threads(threads)),
            MatrixModel::Relevance(model) => MatrixModel::Relevance(model.with_threads(threads)),
            MatrixModel::BayesPoint(model) => MatrixModel::BayesPoint(model.with_threads(threads)),
            MatrixModel::Spectral(model) => MatrixModel::Spectral(model.with_threads(threads)),
            MatrixModel::Slab(model) => MatrixModel::Slab(model.with_threads(threads)),
            MatrixModel::Network(model) => MatrixModel::Network(model.with_threads(threads)),
        }
    }

    /// The classes that it tells apart, if it does.
    pub fn classes(&self) -> Option<&[String]> {
        match self {
            MatrixModel::LeastSquares(model) => Some(model.classes()),
            MatrixModel::Laplace(model) => Some(model.classes()),
            MatrixModel::Fisher(model) => Some(model.classes()),
            MatrixModel::Relevance(model) if !model.report().classes.is_empty() => {
                Some(&model.report().classes)
            }
            MatrixModel::BayesPoint(model) => Some(&model.report().classes),
            MatrixModel::Network(model) if !model.classes().is_empty() => Some(model.classes()),
            _ => None,
        }
    }

    /// Values that an item gets.
    pub fn width(&self) -> usize {
        match self {
            MatrixModel::Ridge(model) => model.functions().outputs(),
            MatrixModel::GaussianProcess(model) => model.outputs(),
            MatrixModel::Pca(model) => model.components(),
            MatrixModel::View(view) => view.view().functions.outputs(),
            MatrixModel::KMeans(model) => model.fit().sizes.len(),
            MatrixModel::Pls(model) => model.functions().outputs(),
            MatrixModel::Rank(_) | MatrixModel::Ordinal(_) | MatrixModel::Slab(_) => 1,
            MatrixModel::Spectral(model) => model.fit().centres.rows(),
            MatrixModel::Network(model) => model.weights().rows(),
            MatrixModel::LeastSquares(_) | MatrixModel::Laplace(_) | MatrixModel::Fisher(_) => {
                self.classes().map_or(0, <[String]>::len)
            }
            MatrixModel::Relevance(_) | MatrixModel::BayesPoint(_) => {
                self.classes().map_or(1, <[String]>::len)
            }
        }
    }

    /// The answers: [`width`](MatrixModel::width) numbers for each item.
    ///
    /// # Errors
    /// Items that the kernel is not defined on, such as rows with another number of columns.
    pub fn values(&self, items: &Collection<'_>) -> Result<Vec<f64>> {
        // One decision value is a score for the later of two classes and against the earlier.
        let both = |values: Vec<f64>| values.iter().flat_map(|value| [-value, *value]).collect();
        match self {
            MatrixModel::Ridge(model) => model.predict(items),
            MatrixModel::GaussianProcess(model) => model.predict(items),
            MatrixModel::LeastSquares(model) if model.classes().len() == 2 => model.decision(items).map(both),
            MatrixModel::LeastSquares(model) => model.decision(items),
            MatrixModel::Laplace(model) => Ok(model.probabilities(items)?.values().to_vec()),
            MatrixModel::Fisher(model) => model.scores(items),
            MatrixModel::Pca(model) => Ok(model.transform(items)?.values().to_vec()),
            MatrixModel::View(view) => Ok(view.transform(items)?.values().to_vec()),
            MatrixModel::KMeans(model) => Ok(model.nearness(items)?.iter().map(|value| -value).collect()),
            MatrixModel::Pls(model) => model.predict(items),
            MatrixModel::Rank(model) => model.predict(items),
            MatrixModel::Ordinal(model) => model.levels(items),
            MatrixModel::Relevance(model) if model.report().classes.len() == 2 => {
                model.predict(items).map(both)
            }
            MatrixModel::Relevance(model) => model.predict(items),
            MatrixModel::BayesPoint(model) if model.report().classes.len() == 2 => {
                model.predict(items).map(both)
            }
            MatrixModel::BayesPoint(model) => model.predict(items),
            MatrixModel::Spectral(model) => Ok(model.distances(items)?.iter().map(|value| -value).collect()),
            MatrixModel::Slab(model) => model.scores(items),
            MatrixModel::Network(model) => model.predict(items),
        }
    }
}
