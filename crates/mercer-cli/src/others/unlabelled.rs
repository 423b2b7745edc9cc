//! `mercer reduce` and `mercer cluster`: what is learned without labels.

use mercer::Error;
use mercer::data::Items;
use mercer::gram::CollectionKernel;
use mercer::io::MatrixModel;
use mercer::machine::{KernelKMeans, KernelPca, SpectralClustering};
use serde_json::{Map, json};

use super::in_time::{failure, tell};
use super::items::{self, Source};
use super::{fewer, finish, kernel, place};
use crate::arguments::{ClusterArguments, DataArguments, PlainArguments, ReduceArguments};
use crate::failure::Failure;
use crate::parameters::named_values;
use crate::print::Page;
use crate::source;

/// Labels are not needed, and left out where there are any.
fn reading<'a>(data: &'a DataArguments, plain: &PlainArguments, json: bool) -> Source<'a> {
    Source {
        path: &data.data,
        reading: &data.reading,
        table: None,
        unlabelled: true,
        scale: plain.scale,
        quiet: plain.quiet || json,
    }
}

/// Finds principal components.
pub fn reduce(arguments: &ReduceArguments, json: bool) -> Result<(), Failure> {
    reduced(arguments, kernel(&arguments.kernel)?, json)
}

fn reduced(arguments: &ReduceArguments, kernel: CollectionKernel, json: bool) -> Result<(), Failure> {
    let (data, plain) = (&arguments.data, &arguments.plain);
    let path = place(arguments.output.as_deref(), &[&data.data], plain.force)?;
    let machine = KernelPca::params(kernel.clone())
        .components(arguments.components)
        .seed(plain.seed)
        .options(plain.options());
    machine.clone().check().map_err(Failure::Usage)?;
    let (deadline, options) = (plain.deadline()?, plain.options());
    let read = items::read(&kernel, &reading(data, plain, json))?;
    let named = |error: Error| error.in_file(source::name(&data.data));
    let trained = plain
        .within(deadline, &options, json)
        .fit(&read.items, None, |items, _, options| machine.clone().options(options).check()?.fit(items));
    let (model, rows) = trained.map_err(|error| failure(error).in_file(source::name(&data.data)))?;
    let model = MatrixModel::Pca(model);
    if model.width() == 0 {
        let (what, why) = ("a principal component".into(), "all items are the same in feature space".into());
        return Err(named(Error::Undefined { what, why }).into());
    }
    let mut more = Page::default();
    more.line("items", &read.shape);
    tell(&mut more, rows.as_deref(), read.items.len());
    fewer(&mut more, arguments.components, model.width(), "the rows span no more in feature space");
    let mut saved = read.saved(model, plain.seed)?;
    saved.card.parameters =
        named_values([("n_components", json!(arguments.components)), ("random_state", json!(plain.seed))]);
    finish(saved, &data.data, &path, plain.manner(json), &more, Map::new())
}

/// Finds clusters.
pub fn cluster(arguments: &ClusterArguments, json: bool) -> Result<(), Failure> {
    clustered(arguments, kernel(&arguments.kernel)?, json)
}

fn clustered(arguments: &ClusterArguments, kernel: CollectionKernel, json: bool) -> Result<(), Failure> {
    let (data, plain) = (&arguments.data, &arguments.plain);
    let path = place(arguments.output.as_deref(), &[&data.data], plain.force)?;
    let restarts = arguments.starts.saturating_sub(1);
    // Both are checked before the data are read, which may take long.
    let means = KernelKMeans::params(kernel.clone(), arguments.clusters)
        .restarts(restarts)
        .seed(plain.seed)
        .options(plain.options());
    let spectral = SpectralClustering::params(kernel.clone(), arguments.clusters)
        .restarts(restarts)
        .seed(plain.seed)
        .options(plain.options());
    means.clone().check().map_err(Failure::Usage)?;
    spectral.clone().check().map_err(Failure::Usage)?;
    let (deadline, options) = (plain.deadline()?, plain.options());
    let read = items::read(&kernel, &reading(data, plain, json))?;
    let trained = plain.within(deadline, &options, json).fit(&read.items, None, |items, _, options| {
        Ok(match arguments.spectral {
            true => MatrixModel::Spectral(spectral.clone().options(options).check()?.fit(items)?),
            false => MatrixModel::KMeans(means.clone().options(options).check()?.fit(items)?),
        })
    });
    let (model, rows) = trained.map_err(|error| failure(error).in_file(source::name(&data.data)))?;
    let mut more = Page::default();
    more.line("items", &read.shape);
    tell(&mut more, rows.as_deref(), read.items.len());
    let mut saved = read.saved(model, plain.seed)?;
    saved.card.parameters = named_values([
        ("n_clusters", json!(arguments.clusters)),
        ("n_init", json!(arguments.starts)),
        ("random_state", json!(plain.seed)),
    ]);
    finish(saved, &data.data, &path, plain.manner(json), &more, Map::new())
}
