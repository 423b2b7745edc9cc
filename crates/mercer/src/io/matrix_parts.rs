//! Machines that are made of others, as documents: spectral clusters, a sphere with a slab, and the network of radial basis functions.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::MatrixModel;
use super::document::{Document, Numbers, wrong};
use super::expansion;
use super::matrix::{self, Arrays, KMeansOwn, Written, as_part, part_of};
use super::svc::check_names;
use crate::data::Collection;
use crate::error::Result;
use crate::gram::CollectionKernel;
use crate::linalg::Matrix;
use crate::machine::{RbfNetworkModel, SpectralFit, SpectralModel, SphereAndSlabModel};

/// The kinds of machine, as they stand in the header.
pub(super) const SPECTRAL: &str = "spectral";
pub(super) const SLAB: &str = "sphere_and_slab";
pub(super) const NETWORK: &str = "rbf_network";

/// What the names of the arrays of a part begin with.
const MEANS: &str = "k_means.";
const SPHERE: &str = "sphere.";
const PLANE: &str = "plane.";

#[derive(Serialize, Deserialize)]
struct SlabHeader {
    sphere: Value,
    plane: Value,
}

#[derive(Serialize, Deserialize)]
struct NetworkOwn {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    classes: Vec<String>,
}

pub(super) fn store_spectral(model: &SpectralModel<CollectionKernel, Collection<'static>>) -> Written {
    let fit = model.fit();
    let (own, means) = matrix::k_means(&fit.k_means);
    let mut arrays = matrix::functions(&fit.functions);
    arrays.push(("eigenvalues".into(), Numbers::F64(fit.values.clone())));
    arrays.push(("places".into(), Numbers::F64(fit.embedding.values().to_vec())));
    arrays.push(("centres".into(), Numbers::F64(fit.centres.values().to_vec())));
    arrays.extend(as_part(MEANS, means));
    matrix::written(SPECTRAL, model.kept(), own, arrays)
}

pub(super) fn load_spectral(
    header: Value,
    document: &mut Document,
) -> Result<SpectralModel<CollectionKernel, Collection<'static>>> {
    let (kept, own) = matrix::read::<KMeansOwn>(header, document)?;
    let functions = matrix::take_functions(document)?;
    let values = document.take_f64("eigenvalues")?;
    let k_means = matrix::load_k_means(own, &mut part_of(document, MEANS))?;
    let items = k_means.clusters.len();
    let embedding = Matrix::new(document.take_f64("places")?, items, values.len())?;
    let centres = Matrix::new(document.take_f64("centres")?, k_means.sizes.len(), values.len())?;
    SpectralModel::from_parts(kept, SpectralFit { values, embedding, k_means, functions, centres })
}

pub(super) fn store_slab(model: &SphereAndSlabModel<CollectionKernel, Collection<'static>>) -> Written {
    let (_, sphere, of_sphere) = expansion::store_novelty(model.sphere());
    let (_, plane, of_plane) = matrix::components(model.plane());
    let mut arrays: Arrays = as_part(SPHERE, of_sphere);
    arrays.extend(as_part(PLANE, of_plane));
    arrays.push(("thickness".into(), Numbers::F64(vec![model.thickness()])));
    let header = SlabHeader { sphere, plane };
    (SLAB.into(), serde_json::to_value(header).expect("a header of plain values"), arrays)
}

pub(super) fn load_slab(
    header: Value,
    document: &mut Document,
) -> Result<SphereAndSlabModel<CollectionKernel, Collection<'static>>> {
    let SlabHeader { sphere, plane } = matrix::parsed(header)?;
    let sphere = expansion::load_novelty(sphere, &mut part_of(document, SPHERE))?;
    let plane = match matrix::load(matrix::PCA, plane, &mut part_of(document, PLANE))? {
        Some(MatrixModel::Pca(plane)) => plane,
        _ => return Err(wrong("a slab about something that is no plane".into())),
    };
    let [thickness] = matrix::numbers(document, "thickness")?;
    SphereAndSlabModel::from_parts(sphere, plane, thickness)
}

pub(super) fn store_network(model: &RbfNetworkModel<CollectionKernel, Collection<'static>>) -> Written {
    let arrays = vec![
        ("widths".to_string(), Numbers::F64(model.widths().to_vec())),
        ("weights".to_string(), Numbers::F64(model.weights().values().to_vec())),
    ];
    matrix::written(NETWORK, model.kept(), NetworkOwn { classes: model.classes().to_vec() }, arrays)
}

pub(super) fn load_network(
    header: Value,
    document: &mut Document,
) -> Result<RbfNetworkModel<CollectionKernel, Collection<'static>>> {
    let (kept, NetworkOwn { classes }) = matrix::read::<NetworkOwn>(header, document)?;
    check_names(&classes)?;
    let widths = document.take_f64("widths")?;
    let weights = document.take_f64("weights")?;
    let outputs = weights.len() / (widths.len() + 1);
    if outputs == 0 {
        return Err(wrong("no functions".into()));
    }
    let weights = Matrix::new(weights, outputs, widths.len() + 1)?;
    RbfNetworkModel::from_parts(classes, kept, widths, weights)
}
