//! `mercer rank`: which rows of a query come first.

use std::path::Path;

use mercer::data::{Items, ReadOptions, Table};
use mercer::evaluation::{kendall_tau, mean_average_precision, ndcg};
use mercer::io::{MatrixModel, SavedModel};
use mercer::machine::RankSvm;
use mercer::{Error, Result};
use serde_json::{Map, Value, json};

use super::{finish, kernel, place, prepared, words};
use crate::arguments::RankArguments;
use crate::failure::Failure;
use crate::print::{Page, plural};
use crate::source;

/// Places that NDCG looks at.
const PLACES: [usize; 2] = [5, 10];

pub fn run(arguments: &RankArguments, json: bool) -> std::result::Result<(), Failure> {
    let (data, plain) = (&arguments.data, &arguments.plain);
    let kernel = kernel(&arguments.kernel)?;
    let path = place(arguments.output.as_deref(), &data.data, plain.force)?;
    if arguments.table.weight.is_some() {
        let what = "--weight does not go with rank: pairs have no weights".into();
        return Err(Failure::Usage(Error::Unsupported { what }));
    }
    let machine = RankSvm::params(kernel.clone())
        .cost(arguments.cost)
        .options(plain.options())
        .check()
        .map_err(Failure::Usage)?;
    let reading = arguments.table.add_to(data.reading.options());
    let read = prepared(&data.data, &reading, plain.scale, &kernel, plain.quiet || json)?;
    let named = |error: Error| error.in_file(source::name(&data.data));
    let targets = read.table.targets.numbers().map_err(named)?;
    let queries = read.table.groups.as_deref();
    let model = machine.fit(&read.rows, targets, queries).map_err(named)?;
    let mut more = Page::default();
    let mut told = Map::new();
    let queries_in_words = match queries {
        Some(queries) => {
            let mut all = queries.to_vec();
            all.sort_unstable();
            all.dedup();
            plural(all.len() as u64, "query")
        }
        None => "one query (--group names a column of them)".to_string(),
    };
    more.line("rows", format!("{} in {queries_in_words}", words(&read.rows)));
    let saved = read.saved(MatrixModel::Rank(model), plain.seed)?;
    if let Some(test) = &arguments.test {
        measure(&saved, test, &reading, &mut more, &mut told)?;
    }
    finish(&saved, &data.data, &path, (plain.quiet, json), &more, told)
}

/// How well the order of other rows is told.
fn measure(
    saved: &SavedModel,
    path: &Path,
    reading: &ReadOptions,
    page: &mut Page,
    told: &mut Map<String, Value>,
) -> Result<()> {
    let named = |error: Error| error.in_file(source::name(path));
    let columns = usize::try_from(saved.card.columns).unwrap_or(usize::MAX);
    let schema = saved.schema.clone().map(std::sync::Arc::new);
    let options = ReadOptions { schema, ..reading.clone().columns(columns) };
    let table: Table<'_> = source::read(path, &options)?.table().map_err(named)?;
    let rows = saved.prepare(&table.vectors).map_err(named)?;
    let scores = match &saved.model {
        mercer::io::AnyModel::Matrix(model) => model.values(&rows).map_err(named)?,
        _ => Vec::new(),
    };
    let (relevance, queries) = (table.targets.numbers().map_err(named)?, table.groups.as_deref());
    let shown = |value: Option<f64>| value.map_or("not defined".to_string(), |value| format!("{value:.4}"));
    page.line("tested on", format!("{}: {} rows", source::name(path).display(), rows.len()));
    for places in PLACES {
        let value = ndcg(&scores, relevance, queries, Some(places)).map_err(named)?;
        page.line(&format!("NDCG@{places}"), shown(value));
        told.insert(format!("ndcg_{places}"), json!(value));
    }
    let value = mean_average_precision(&scores, relevance, queries).map_err(named)?;
    page.line("MAP", shown(value));
    told.insert("map".into(), json!(value));
    let value = kendall_tau(&scores, relevance).map_err(named)?;
    page.line("Kendall's tau", shown(value));
    told.insert("kendall_tau".into(), json!(value));
    Ok(())
}
