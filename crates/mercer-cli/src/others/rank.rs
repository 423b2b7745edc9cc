//! `mercer rank`: which items of a query come first.

use std::path::{Path, PathBuf};

use mercer::data::{Structures, Vectors};
use mercer::evaluation::{kendall_tau, mean_average_precision, ndcg};
use mercer::io::{AnyModel, MatrixModel, SavedModel};
use mercer::machine::RankSvm;
use mercer::{Error, Result};
use serde_json::{Map, Value, json};

use super::kind::{Kind, Source};
use super::{Named, finish, kernel, place};
use crate::arguments::{RankArguments, ReadingArguments, ScaleArgument, TableArguments};
use crate::failure::Failure;
use crate::print::{Page, plural, show_json};
use crate::source;

/// Places that NDCG looks at.
const PLACES: [usize; 2] = [5, 10];

pub fn run(arguments: &RankArguments, json: bool) -> std::result::Result<(), Failure> {
    match kernel(&arguments.kernel)? {
        Named::Rows(kernel) => ranked::<Vectors<'static>>(arguments, kernel, json),
        Named::Structures(kernel) => ranked::<Structures>(arguments, kernel, json),
    }
}

fn ranked<I: Kind>(
    arguments: &RankArguments,
    kernel: I::Kernel,
    json: bool,
) -> std::result::Result<(), Failure> {
    let (data, plain) = (&arguments.data, &arguments.plain);
    let inputs: Vec<&Path> =
        std::iter::once(&data.data).chain(&arguments.test).map(PathBuf::as_path).collect();
    let path = place(arguments.output.as_deref(), &inputs, plain.force)?;
    if arguments.table.weight.is_some() {
        let what = "--weight does not go with rank: pairs have no weights".into();
        return Err(Failure::Usage(Error::Unsupported { what }));
    }
    let machine = RankSvm::params(kernel.clone())
        .cost(arguments.cost)
        .options(plain.options())
        .check()
        .map_err(Failure::Usage)?;
    let from = Source {
        path: &data.data,
        reading: &data.reading,
        table: Some(&arguments.table),
        unlabelled: false,
        scale: plain.scale,
        quiet: plain.quiet || json,
    };
    let read = I::read(&kernel, &from)?;
    let named = |error: Error| error.in_file(source::name(&data.data));
    let targets = read.targets.numbers().map_err(named)?;
    let queries = read.groups.as_deref();
    let model = machine.fit(&read.items, targets, queries).map_err(named)?;
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
    more.line("items", format!("{} in {queries_in_words}", read.shape));
    let saved = I::saved(&read, MatrixModel::Rank(model), plain.seed)?;
    if let Some(test) = &arguments.test {
        measure::<I>(&saved, &Source { path: test, ..from }, &mut more, &mut told)?;
    }
    finish::<I>(&saved, &data.data, &path, (plain.quiet, json), &more, told)
}

/// `mercer evaluate` of a model that ranks: how well the order of these items is told.
pub fn evaluate<I: Kind>(
    saved: &SavedModel<I::Kernel, I>,
    (path, data): (&Path, &Path),
    (reading, table): (&ReadingArguments, &TableArguments),
    (quiet, json): (bool, bool),
) -> std::result::Result<(), Failure> {
    let from = Source {
        path: data,
        reading,
        table: Some(table),
        unlabelled: false,
        scale: ScaleArgument::Auto,
        quiet: quiet || json,
    };
    let (mut page, mut told) = (Page::default(), Map::new());
    page.line("model", path.display());
    told.insert("model".into(), json!(path));
    told.insert("data".into(), json!(data));
    measure::<I>(saved, &from, &mut page, &mut told)?;
    if json {
        show_json(&Value::Object(told))?;
    } else if !quiet {
        page.show()?;
    }
    Ok(())
}

/// How well the order of other items is told.
fn measure<I: Kind>(
    saved: &SavedModel<I::Kernel, I>,
    from: &Source<'_>,
    page: &mut Page,
    told: &mut Map<String, Value>,
) -> Result<()> {
    let named = |error: Error| error.in_file(source::name(from.path));
    let test = I::test(saved, from)?;
    let scores = match &saved.model {
        AnyModel::Matrix(model) => model.values(&test.items).map_err(named)?,
        _ => Vec::new(),
    };
    let (relevance, queries) = (test.targets.numbers().map_err(named)?, test.groups.as_deref());
    let shown = |value: Option<f64>| value.map_or("not defined".to_string(), |value| format!("{value:.4}"));
    page.line("tested on", format!("{}: {} rows", source::name(from.path).display(), test.items.len()));
    for places in PLACES {
        let value = ndcg(&scores, relevance, queries, Some(places)).map_err(named)?;
        page.line(&format!("NDCG@{places}"), shown(value));
        told.insert(format!("ndcg_{places}"), json!(value));
    }
    let value = mean_average_precision(&scores, relevance, queries).map_err(named)?;
    page.line("MAP", shown(value));
    told.insert("map".into(), json!(value));
    let value = kendall_tau(&scores, relevance, queries).map_err(named)?;
    page.line("Kendall's tau", shown(value));
    told.insert("kendall_tau".into(), json!(value));
    Ok(())
}
