//! `mercer reduce` and `mercer cluster`: what is learned without labels.

use mercer::data::ReadOptions;
use mercer::io::MatrixModel;
use mercer::machine::{KernelKMeans, KernelPca};
use serde_json::Map;

use super::{finish, kernel, place, prepared, words};
use crate::arguments::{ClusterArguments, DataArguments, ReduceArguments};
use crate::failure::Failure;
use crate::print::Page;

/// Labels are not needed, and left out where there are any.
fn reading(data: &DataArguments) -> ReadOptions {
    ReadOptions { unlabelled: true, ..data.reading.options() }
}

/// Finds principal components.
pub fn reduce(arguments: &ReduceArguments, json: bool) -> Result<(), Failure> {
    let (data, plain) = (&arguments.data, &arguments.plain);
    let kernel = kernel(&arguments.kernel)?;
    let path = place(arguments.output.as_deref(), &data.data, plain.force)?;
    let machine = KernelPca::params(kernel.clone())
        .components(arguments.components)
        .seed(plain.seed)
        .options(plain.options())
        .check()
        .map_err(Failure::Usage)?;
    let read = prepared(&data.data, &reading(data), plain.scale, &kernel, plain.quiet || json)?;
    let model = machine.fit(&read.rows)?;
    let mut more = Page::default();
    more.line("rows", words(&read.rows));
    let saved = read.saved(MatrixModel::Pca(model), plain.seed)?;
    finish(&saved, &data.data, &path, (plain.quiet, json), &more, Map::new())
}

/// Finds clusters.
pub fn cluster(arguments: &ClusterArguments, json: bool) -> Result<(), Failure> {
    let (data, plain) = (&arguments.data, &arguments.plain);
    let kernel = kernel(&arguments.kernel)?;
    let path = place(arguments.output.as_deref(), &data.data, plain.force)?;
    let machine = KernelKMeans::params(kernel.clone(), arguments.clusters)
        .restarts(arguments.starts.saturating_sub(1))
        .seed(plain.seed)
        .options(plain.options())
        .check()
        .map_err(Failure::Usage)?;
    let read = prepared(&data.data, &reading(data), plain.scale, &kernel, plain.quiet || json)?;
    let model = machine.fit(&read.rows)?;
    let mut more = Page::default();
    more.line("rows", words(&read.rows));
    let saved = read.saved(MatrixModel::KMeans(model), plain.seed)?;
    finish(&saved, &data.data, &path, (plain.quiet, json), &more, Map::new())
}
