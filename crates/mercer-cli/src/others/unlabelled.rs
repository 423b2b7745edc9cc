//! `mercer reduce` and `mercer cluster`: what is learned without labels.

use std::path::Path;

use mercer::data::{ReadOptions, Vectors};
use mercer::io::MatrixModel;
use mercer::kernel::Expression;
use mercer::machine::{KernelKMeans, KernelPca};
use serde_json::Map;

use super::{finish, kernel, place, prepared, words};
use crate::arguments::{ClusterArguments, DataArguments, PlainArguments, ReduceArguments};
use crate::failure::Failure;
use crate::print::Page;

/// Labels are not needed, and left out where there are any.
fn reading(data: &DataArguments) -> ReadOptions {
    ReadOptions { unlabelled: true, ..data.reading.options() }
}

/// Finds principal components.
pub fn reduce(arguments: &ReduceArguments, json: bool) -> Result<(), Failure> {
    let (plain, kernel) = (&arguments.plain, kernel(&arguments.kernel)?);
    let machine = KernelPca::params(kernel.clone())
        .components(arguments.components)
        .seed(plain.seed)
        .options(plain.options())
        .check()
        .map_err(Failure::Usage)?;
    let fit = |rows: &Vectors<'static>| Ok(MatrixModel::Pca(machine.fit(rows)?));
    learn(&arguments.data, arguments.output.as_deref(), plain, &kernel, json, fit)
}

/// Finds clusters.
pub fn cluster(arguments: &ClusterArguments, json: bool) -> Result<(), Failure> {
    let (plain, kernel) = (&arguments.plain, kernel(&arguments.kernel)?);
    let machine = KernelKMeans::params(kernel.clone(), arguments.clusters)
        .restarts(arguments.starts.saturating_sub(1))
        .seed(plain.seed)
        .options(plain.options())
        .check()
        .map_err(Failure::Usage)?;
    let fit = |rows: &Vectors<'static>| Ok(MatrixModel::KMeans(machine.fit(rows)?));
    learn(&arguments.data, arguments.output.as_deref(), plain, &kernel, json, fit)
}

/// Reads rows without labels, learns from them, and writes and shows what was found.
fn learn(
    data: &DataArguments,
    output: Option<&Path>,
    plain: &PlainArguments,
    kernel: &Expression,
    json: bool,
    fit: impl FnOnce(&Vectors<'static>) -> mercer::Result<MatrixModel>,
) -> Result<(), Failure> {
    let path = place(output, &data.data, plain.force)?;
    let read = prepared(&data.data, &reading(data), plain.scale, kernel, plain.quiet || json)?;
    let model = fit(&read.rows)?;
    let mut more = Page::default();
    more.line("rows", words(&read.rows));
    let saved = read.saved(model, plain.seed)?;
    finish(&saved, &data.data, &path, (plain.quiet, json), &more, Map::new())
}
