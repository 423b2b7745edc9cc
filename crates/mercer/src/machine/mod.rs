//! Learners: parameters → checked → fit → model.

mod attempt;
mod bayes_point;
mod cca;
mod centred;
mod class_functions;
mod class_model;
mod class_weights;
mod expansion;
mod fisher;
pub mod formulation;
mod function_model;
mod functions;
mod gaussian_process;
mod joint;
mod k_means;
mod kept;
mod leading;
mod least_squares_svc;
mod linear;
mod loss_function;
mod median;
mod novelty;
pub mod one_against_one;
pub mod online;
mod options;
mod pair_machines;
mod pca;
mod pls;
pub mod probability;
mod ranking;
mod rbf_network;
mod reduced_set;
mod relevance;
mod ridge;
mod rounding;
mod sample;
mod slab;
mod spectral;
mod svc;
mod svr;
mod two_sample;
mod whole;

pub use bayes_point::{BayesPointMachine, BayesPointMachineParams, BayesPointModel, BayesPointReport};
pub use cca::{CcaView, KernelCca, KernelCcaFit, KernelCcaParams, View};
pub use class_functions::ClassFunctions;
pub use class_model::{ClassModel, Multiclass};
pub use class_weights::ClassWeights;
pub use expansion::{Expansion, Report};
pub use fisher::{FisherDiscriminant, FisherModel, FisherParams};
pub use formulation::{Scale, Slack};
pub use function_model::FunctionModel;
pub use functions::Functions;
pub use gaussian_process::{
    Differentiable, GaussianProcess, GaussianProcessModel, GaussianProcessParams, GaussianProcessReport,
    LaplaceClassifier, LaplaceModel, LaplaceParams, LaplacePart, LearnedKernel, Learning, LogLikelihood,
    LowRankReport, UncertainValues,
};
pub use joint::{Joint, JointFit, JointSvc, JointSvcParams};
pub use k_means::{KMeansFit, KernelKMeans, KernelKMeansModel, KernelKMeansParams, RowClusters, RowKMeans};
pub use kept::Kept;
pub use least_squares_svc::{LeastSquaresModel, LeastSquaresSvc, LeastSquaresSvcParams};
pub use linear::{
    LinearFunctions, LinearModel, LinearObjective, LinearOptions, LinearSvc, LinearSvcParams, LinearSvr,
    LinearSvrModel, LinearSvrParams, TubeLoss,
};
pub use loss_function::LossFunction;
pub use novelty::{
    FalsePositiveBound, Found, Novelty, NoveltyFit, NoveltyModel, NoveltyParams, Region, Softness,
};
pub use one_against_one::Decision;
pub use options::FitOptions;
pub use pair_machines::{PairMachines, PairReport};
pub use pca::{KernelPca, KernelPcaFit, KernelPcaModel, KernelPcaParams, PreImages};
pub use pls::{KernelPls, KernelPlsParams, PlsModel, PlsReport};
pub use probability::Probability;
pub use ranking::{
    OrdinalModel, OrdinalReport, OrdinalSvm, OrdinalSvmParams, Preferences, RankModel, RankReport, RankSvm,
    RankSvmParams, order_of,
};
pub use rbf_network::{RbfNetwork, RbfNetworkModel, RbfNetworkParams};
pub use reduced_set::ReducedSet;
pub use relevance::{RelevanceMachine, RelevanceMachineParams, RelevanceModel, RelevanceReport};
pub use ridge::{PathPoint, Ridge, RidgeFit, RidgeMethod, RidgeModel, RidgeParams, RidgePath, RidgeReport};
pub use sample::{MARGIN_SHARES, MarginSample, PairSample, RegressionSample, ResidualSample};
pub use slab::{SphereAndSlab, SphereAndSlabModel, SphereAndSlabParams};
pub use spectral::{SpectralClustering, SpectralClusteringParams, SpectralFit, SpectralModel};
pub use svc::{FitProgress, RestFit, Svc, SvcFit, SvcModel, SvcParams};
pub use svr::{Loss, Svr, SvrFit, SvrModel, SvrParams};
pub use two_sample::TwoSampleTest;
pub use whole::MatrixOptions;
