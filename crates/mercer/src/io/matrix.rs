//! Machines that factorise K as documents.
//!
//! All of them are functions over kept items and some numbers of their own. A factor of K is not stored but computed again from the
//! same values, which gives the same bits and a file that grows with the number of items and not with its square.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::document::{Document, Numbers, wrong};
use super::kept::{self, KeptHeader};
use super::svc::check_names;
use super::{MatrixModel, matrix_parts};
use crate::data::Collection;
use crate::error::Result;
use crate::gram::CollectionKernel;
use crate::linalg::Matrix;
use crate::machine::{
    BayesPointModel, CcaView, FisherModel, FunctionModel, Functions, GaussianProcessModel,
    GaussianProcessReport, KMeansFit, Kept, KernelKMeansModel, KernelPcaFit, KernelPcaModel, LaplaceModel,
    LaplacePart, LearnedKernel, LeastSquaresModel, LowRankReport, OrdinalModel, OrdinalReport,
    RelevanceModel, RelevanceReport, ResidualSample, RidgeFit, RidgeModel, RidgeReport, View,
};

pub(super) type Arrays = Vec<(String, Numbers)>;
pub(super) type Written = (String, Value, Arrays);

/// The kinds of machine, as they stand in the header.
const RIDGE: &str = "ridge";
const PROCESS: &str = "gaussian_process";
const LEAST_SQUARES: &str = "least_squares_svc";
const LAPLACE: &str = "laplace";
const FISHER: &str = "fisher";
pub(super) const PCA: &str = "kernel_pca";
const VIEW: &str = "cca_view";
const K_MEANS: &str = "kernel_k_means";
const PLS: &str = "kernel_pls";
const RANK: &str = "rank_svm";
const ORDINAL: &str = "ordinal_svm";
const RELEVANCE: &str = "relevance";
const BAYES_POINT: &str = "bayes_point";

#[derive(Serialize, Deserialize)]
struct Header<H, T> {
    #[serde(flatten)]
    kept: H,
    /// What only this machine has.
    own: T,
}

/// What classifiers by ridge regression have; no classes for the regression itself.
#[derive(Serialize, Deserialize)]
struct RidgeOwn {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    classes: Vec<String>,
    report: RidgeReport,
    left_out: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    samples: Vec<ResidualSample>,
}

#[derive(Serialize, Deserialize)]
struct ProcessOwn {
    report: GaussianProcessReport,
    /// Whether items have weights.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    weighted: bool,
}

#[derive(Serialize, Deserialize)]
struct FisherOwn {
    classes: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct PcaOwn {
    iterations: usize,
    held: bool,
}

#[derive(Serialize, Deserialize)]
pub(super) struct KMeansOwn {
    rounds: usize,
    converged: bool,
    /// All of them where nothing is said.
    #[serde(default)]
    distinct: Option<usize>,
}

/// A classifier of several parts keeps its items in each.
#[derive(Serialize, Deserialize)]
struct LaplaceHeader<H> {
    classes: Vec<String>,
    parts: Vec<Header<H, Option<LearnedKernel>>>,
    /// Of each part, if it is of low rank.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    low_rank: Vec<LowRankReport>,
}

/// Kind of machine, header and arrays.
pub(super) fn store(model: &MatrixModel) -> Written {
    match model {
        MatrixModel::Ridge(model) => ridge(RIDGE, model, Vec::new()),
        MatrixModel::LeastSquares(model) => ridge(LEAST_SQUARES, model.ridge(), model.classes().to_vec()),
        MatrixModel::GaussianProcess(model) => {
            let mut arrays = functions(model.functions());
            let (centre, scale) = model.normalisation();
            arrays.push(("centre".into(), Numbers::F64(centre.to_vec())));
            arrays.push(("scale".into(), Numbers::F64(scale.to_vec())));
            arrays.push(("noise".into(), Numbers::F64(vec![model.noise()])));
            if let Some(weights) = model.weights() {
                arrays.push(("weights".into(), Numbers::F64(weights.to_vec())));
            }
            if let Some((root, gain)) = model.low_rank_factors() {
                arrays.push(("root".into(), Numbers::F64(root.values().to_vec())));
                arrays.push(("gain".into(), Numbers::F64(gain.values().to_vec())));
            }
            let own = ProcessOwn { report: model.report().clone(), weighted: model.weights().is_some() };
            written(PROCESS, model.kept(), own, arrays)
        }
        MatrixModel::Laplace(model) => laplace(model),
        MatrixModel::Fisher(model) => {
            let mut arrays = view(model.view().view());
            arrays.push(("ratios".into(), Numbers::F64(model.ratios().to_vec())));
            arrays.push(("means".into(), Numbers::F64(model.means().values().to_vec())));
            let own = FisherOwn { classes: model.classes().to_vec() };
            written(FISHER, model.view().kept(), own, arrays)
        }
        MatrixModel::Pca(model) => components(model),
        MatrixModel::Pls(model) => with_report(PLS, model),
        MatrixModel::Rank(model) => with_report(RANK, model),
        MatrixModel::Ordinal(model) => with_report(ORDINAL, model),
        MatrixModel::Relevance(model) => with_report(RELEVANCE, model),
        MatrixModel::BayesPoint(model) => with_report(BAYES_POINT, model),
        MatrixModel::View(model) => written(VIEW, model.kept(), (), view(model.view())),
        MatrixModel::Spectral(model) => matrix_parts::store_spectral(model),
        MatrixModel::Slab(model) => matrix_parts::store_slab(model),
        MatrixModel::Network(model) => matrix_parts::store_network(model),
        MatrixModel::KMeans(model) => {
            let (own, arrays) = k_means(model.fit());
            written(K_MEANS, model.kept(), own, arrays)
        }
    }
}

/// The machine that a document holds, if the name is one's.
pub(super) fn load(name: &str, header: Value, document: &mut Document) -> Result<Option<MatrixModel>> {
    Ok(Some(match name {
        RIDGE => MatrixModel::Ridge(load_ridge(header, document)?.0),
        LEAST_SQUARES => {
            let (model, classes) = load_ridge(header, document)?;
            check_names(&classes)?;
            MatrixModel::LeastSquares(LeastSquaresModel::from_parts(classes, model)?)
        }
        PROCESS => {
            let (kept, own) = read::<ProcessOwn>(header, document)?;
            let functions = take_functions(document)?;
            let normalisation = (document.take_f64("centre")?, document.take_f64("scale")?);
            let [noise] = numbers(document, "noise")?;
            let factors = match own.report.low_rank {
                Some(_) => {
                    let rank = items_of(&kept);
                    let mut factor = |name| Matrix::new(document.take_f64(name)?, rank, rank);
                    Some((factor("root")?, factor("gain")?))
                }
                None => None,
            };
            let weights = if own.weighted { Some(document.take_f64("weights")?) } else { None };
            let (noise, report) = ((noise, weights), own.report);
            let model =
                GaussianProcessModel::from_parts(kept, noise, functions, normalisation, report, factors)?;
            MatrixModel::GaussianProcess(model)
        }
        LAPLACE => MatrixModel::Laplace(load_laplace(header, document)?),
        FISHER => {
            let (kept, own) = read::<FisherOwn>(header, document)?;
            let view = CcaView::from_parts(kept, take_view(document)?)?;
            let (ratios, means) = (document.take_f64("ratios")?, document.take_f64("means")?);
            let means = Matrix::new(means, own.classes.len(), ratios.len())?;
            check_names(&own.classes)?;
            MatrixModel::Fisher(FisherModel::from_parts(own.classes, ratios, means, view)?)
        }
        PCA => {
            let (kept, own) = read::<PcaOwn>(header, document)?;
            let functions = take_functions(document)?;
            let values = document.take_f64("eigenvalues")?;
            let items = items_of(&kept);
            let vectors = Matrix::new(document.take_f64("eigenvectors")?, values.len(), items)?;
            let [trace, mean] = numbers(document, "trace_and_mean")?;
            let PcaOwn { iterations, held } = own;
            let fit = KernelPcaFit { values, vectors, functions, trace, mean, iterations, held };
            MatrixModel::Pca(KernelPcaModel::from_parts(kept, fit)?)
        }
        VIEW => {
            let (kept, ()) = read::<()>(header, document)?;
            MatrixModel::View(CcaView::from_parts(kept, take_view(document)?)?)
        }
        K_MEANS => {
            let (kept, own) = read::<KMeansOwn>(header, document)?;
            MatrixModel::KMeans(KernelKMeansModel::from_parts(kept, load_k_means(own, document)?)?)
        }
        PLS => MatrixModel::Pls(load_report(header, document)?),
        RANK => MatrixModel::Rank(single(load_report(header, document)?)?),
        ORDINAL => {
            let model: OrdinalModel<CollectionKernel, Collection<'static>> =
                single(load_report(header, document)?)?;
            let OrdinalReport { levels, thresholds, .. } = model.report();
            if levels.len() != thresholds.len() + 1 {
                let (levels, thresholds) = (levels.len(), thresholds.len());
                return Err(wrong(format!("{thresholds} thresholds between {levels} levels")));
            }
            MatrixModel::Ordinal(model)
        }
        RELEVANCE => {
            let model: RelevanceModel<CollectionKernel, Collection<'static>> = load_report(header, document)?;
            let RelevanceReport { classes, relevant, covariance, .. } = model.report();
            check_names(classes)?;
            let width = relevant.len() + 1;
            let expected = if classes.is_empty() { width * width } else { 0 };
            if covariance.len() != expected || relevant.len() != items_of(model.kept()) {
                return Err(wrong("relevant items, their covariance and what is kept do not agree".into()));
            }
            check_functions(classes, model.functions())?;
            MatrixModel::Relevance(model)
        }
        BAYES_POINT => {
            let model: BayesPointModel<CollectionKernel, Collection<'static>> =
                load_report(header, document)?;
            let classes = &model.report().classes;
            check_names(classes)?;
            if classes.len() < 2 {
                return Err(wrong(format!("{} classes", classes.len())));
            }
            check_functions(classes, model.functions())?;
            MatrixModel::BayesPoint(model)
        }
        matrix_parts::SPECTRAL => MatrixModel::Spectral(matrix_parts::load_spectral(header, document)?),
        matrix_parts::SLAB => MatrixModel::Slab(matrix_parts::load_slab(header, document)?),
        matrix_parts::NETWORK => MatrixModel::Network(matrix_parts::load_network(header, document)?),
        _ => return Ok(None),
    }))
}

pub(super) fn written<T: Serialize>(
    name: &str,
    kept: &Kept<CollectionKernel, Collection<'static>>,
    own: T,
    mut arrays: Arrays,
) -> Written {
    let header = Header { kept: kept::store(kept, &mut arrays), own };
    (name.to_string(), serde_json::to_value(header).expect("a header of plain values"), arrays)
}

pub(super) fn read<T: DeserializeOwned>(
    header: Value,
    document: &mut Document,
) -> Result<(Kept<CollectionKernel, Collection<'static>>, T)> {
    let Header::<KeptHeader, T> { kept, own } = parsed(header)?;
    Ok((kept::load(kept, document)?, own))
}

pub(super) fn parsed<T: DeserializeOwned>(header: Value) -> Result<T> {
    serde_json::from_value(header).map_err(|problem| wrong(format!("the header: {problem}")))
}

/// Principal components.
pub(super) fn components(model: &KernelPcaModel<CollectionKernel, Collection<'static>>) -> Written {
    let fit = model.fit();
    let mut arrays = functions(&fit.functions);
    arrays.push(("eigenvalues".into(), Numbers::F64(fit.values.clone())));
    arrays.push(("eigenvectors".into(), Numbers::F64(fit.vectors.values().to_vec())));
    arrays.push(("trace_and_mean".into(), Numbers::F64(vec![fit.trace, fit.mean])));
    written(PCA, model.kept(), PcaOwn { iterations: fit.iterations, held: fit.held }, arrays)
}

/// Functions and a report, which the header has.
fn with_report<R: Serialize>(
    name: &str,
    model: &FunctionModel<CollectionKernel, Collection<'static>, R>,
) -> Written {
    written(name, model.kept(), model.report(), functions(model.functions()))
}

fn load_report<R: DeserializeOwned>(
    header: Value,
    document: &mut Document,
) -> Result<FunctionModel<CollectionKernel, Collection<'static>, R>> {
    let (kept, report) = read::<R>(header, document)?;
    FunctionModel::from_parts(kept, take_functions(document)?, report)
}

/// Refuses more than one function.
fn single<R>(
    model: FunctionModel<CollectionKernel, Collection<'static>, R>,
) -> Result<FunctionModel<CollectionKernel, Collection<'static>, R>> {
    match model.functions().outputs() {
        1 => Ok(model),
        more => Err(wrong(format!("{more} functions in place of one"))),
    }
}

/// Refuses another number of functions than classes need: one for a regression and for two.
fn check_functions(classes: &[String], functions: &Functions) -> Result<()> {
    let expected = if classes.len() <= 2 { 1 } else { classes.len() };
    match functions.outputs() == expected {
        true => Ok(()),
        false => Err(wrong(format!("{} functions for {} classes", functions.outputs(), classes.len()))),
    }
}

fn items_of(kept: &Kept<CollectionKernel, Collection<'static>>) -> usize {
    crate::data::Items::len(&kept.items)
}

pub(super) fn positions(values: &[usize]) -> Numbers {
    Numbers::U64(values.iter().map(|&value| value as u64).collect())
}

/// So many numbers, all of them finite.
pub(super) fn numbers<const N: usize>(document: &mut Document, name: &str) -> Result<[f64; N]> {
    let found = document.take_f64(name)?;
    match <[f64; N]>::try_from(found) {
        Ok(numbers) if numbers.iter().all(|number| number.is_finite()) => Ok(numbers),
        _ => Err(wrong(format!("the array {name:?} should have {N} finite numbers"))),
    }
}

pub(super) fn functions(functions: &Functions) -> Arrays {
    vec![
        ("coefficients".into(), Numbers::F64(functions.coefficients.clone())),
        ("offsets".into(), Numbers::F64(functions.offsets.clone())),
    ]
}

pub(super) fn take_functions(document: &mut Document) -> Result<Functions> {
    let coefficients = document.take_f64("coefficients")?;
    let offsets = document.take_f64("offsets")?;
    if offsets.is_empty() {
        return Err(wrong("no functions".into()));
    }
    Ok(Functions { coefficients, offsets })
}

fn view(view: &View) -> Arrays {
    let mut arrays = functions(&view.functions);
    arrays.push(("pivots".into(), positions(&view.pivots)));
    arrays.push(("left_out".into(), Numbers::F64(vec![view.left_out])));
    arrays
}

fn take_view(document: &mut Document) -> Result<View> {
    let functions = take_functions(document)?;
    let pivots = document.take_positions("pivots")?;
    let [left_out] = numbers(document, "left_out")?;
    Ok(View { pivots, functions, left_out })
}

fn ridge(
    name: &str,
    model: &RidgeModel<CollectionKernel, Collection<'static>>,
    classes: Vec<String>,
) -> Written {
    let mut arrays = functions(model.functions());
    if let Some(left_out) = model.left_out() {
        arrays.push(("left_out".into(), Numbers::F64(left_out.values().to_vec())));
    }
    let own = RidgeOwn {
        classes,
        report: model.report().clone(),
        left_out: model.left_out().is_some(),
        samples: model.samples().to_vec(),
    };
    written(name, model.kept(), own, arrays)
}

/// A ridge regression and the classes of its signs, if it has such.
type LoadedRidge = (RidgeModel<CollectionKernel, Collection<'static>>, Vec<String>);

fn load_ridge(header: Value, document: &mut Document) -> Result<LoadedRidge> {
    let (kept, own) = read::<RidgeOwn>(header, document)?;
    let functions = take_functions(document)?;
    let left_out = match own.left_out {
        true => {
            let items = items_of(&kept);
            Some(Matrix::new(document.take_f64("left_out")?, items, functions.outputs())?)
        }
        false => None,
    };
    let fit = RidgeFit { functions, report: own.report, left_out };
    Ok((RidgeModel::from_parts(kept, fit)?.with_samples(own.samples), own.classes))
}

fn laplace(model: &LaplaceModel<CollectionKernel, Collection<'static>>) -> Written {
    let (mut parts, mut arrays) = (Vec::new(), Arrays::new());
    let mut reports = Vec::new();
    for (at, (kept, part)) in model.parts().enumerate() {
        let LaplacePart { slope, roots, low_rank, likelihood, learned } = part;
        let mut own = vec![
            ("slope".to_string(), Numbers::F64(slope)),
            ("roots".to_string(), Numbers::F64(roots)),
            ("likelihood".to_string(), Numbers::F64(vec![likelihood])),
        ];
        if let Some((report, root, gain)) = low_rank {
            reports.push(report);
            own.push(("root".to_string(), Numbers::F64(root.into_values())));
            own.push(("gain".to_string(), Numbers::F64(gain.into_values())));
        }
        parts.push(Header { kept: kept::store(kept, &mut own), own: learned });
        arrays.extend(as_part(&prefix(at), own));
    }
    let header = LaplaceHeader { classes: model.classes().to_vec(), parts, low_rank: reports };
    (LAPLACE.into(), serde_json::to_value(header).expect("a header of plain values"), arrays)
}

fn load_laplace(
    header: Value,
    document: &mut Document,
) -> Result<LaplaceModel<CollectionKernel, Collection<'static>>> {
    let header: LaplaceHeader<KeptHeader> = parsed(header)?;
    let mut parts = Vec::new();
    for (at, part) in header.parts.into_iter().enumerate() {
        let mut own = part_of(document, &prefix(at));
        let kept = kept::load(part.kept, &mut own)?;
        let (slope, roots) = (own.take_f64("slope")?, own.take_f64("roots")?);
        let [likelihood] = numbers(&mut own, "likelihood")?;
        let low_rank = match header.low_rank.get(at) {
            Some(&report) => {
                let rank = items_of(&kept);
                let mut factor = |name| Matrix::new(own.take_f64(name)?, rank, rank);
                Some((report, factor("root")?, factor("gain")?))
            }
            None => None,
        };
        parts.push((kept, LaplacePart { slope, roots, low_rank, likelihood, learned: part.own }));
    }
    check_names(&header.classes)?;
    LaplaceModel::from_parts(header.classes, parts)
}

/// The arrays whose names begin so, without that beginning.
pub(super) fn part_of(document: &mut Document, start: &str) -> Document {
    let (own, rest): (Arrays, Arrays) =
        std::mem::take(&mut document.arrays).into_iter().partition(|(name, _)| name.starts_with(start));
    document.arrays = rest;
    let arrays = own.into_iter().map(|(name, numbers)| (name[start.len()..].to_string(), numbers));
    Document { header: Value::Null, arrays: arrays.collect() }
}

/// The same arrays, whose names begin so.
pub(super) fn as_part(start: &str, arrays: Arrays) -> Arrays {
    arrays.into_iter().map(|(name, numbers)| (format!("{start}{name}"), numbers)).collect()
}

/// Clusters about means.
pub(super) fn k_means(fit: &KMeansFit) -> (KMeansOwn, Arrays) {
    let mut arrays = functions(&fit.functions);
    arrays.push(("clusters".into(), positions(&fit.clusters)));
    arrays.push(("history".into(), Numbers::F64(fit.history.clone())));
    arrays.push(("inertia".into(), Numbers::F64(vec![fit.inertia])));
    let KMeansFit { rounds, converged, distinct, .. } = *fit;
    (KMeansOwn { rounds, converged, distinct: Some(distinct) }, arrays)
}

pub(super) fn load_k_means(own: KMeansOwn, document: &mut Document) -> Result<KMeansFit> {
    let functions = take_functions(document)?;
    let clusters = document.take_positions("clusters")?;
    let mut sizes = vec![0; functions.outputs()];
    for &cluster in &clusters {
        match sizes.get_mut(cluster) {
            Some(size) => *size += 1,
            None => return Err(wrong(format!("an item of cluster {cluster}, of which there is none"))),
        }
    }
    let history = document.take_f64("history")?;
    let [inertia] = numbers(document, "inertia")?;
    let KMeansOwn { rounds, converged, distinct } = own;
    let distinct = distinct.unwrap_or(sizes.len());
    Ok(KMeansFit { clusters, sizes, distinct, inertia, rounds, converged, history, functions })
}

/// What the names of the arrays of a part begin with.
fn prefix(part: usize) -> String {
    format!("part.{part}.")
}
