//! `mercer rank`: which items of a query come first.

use std::path::{Path, PathBuf};

use mercer::data::Items;
use mercer::evaluation::{kendall_tau, mean_average_precision, ndcg};
use mercer::gram::CollectionKernel;
use mercer::io::{MatrixModel, Model, TrainedMachine};
use mercer::machine::RankSvm;
use mercer::{Error, Result};
use serde_json::{Map, Value, json};

use super::in_time::{failure, tell};
use super::items::{self, Source};
use super::{finish, kernel, place};
use crate::arguments::{RankArguments, ReadingArguments, ScaleArgument, TableArguments};
use crate::failure::Failure;
use crate::parameters::named_values;
use crate::print::{Page, plural, show_json};
use crate::source;
use crate::task::numbers;

/// Places that NDCG looks at.
const PLACES: [usize; 2] = [5, 10];

pub fn run(arguments: &RankArguments, json: bool) -> std::result::Result<(), Failure> {
    ranked(arguments, kernel(&arguments.kernel)?, json)
}

fn ranked(
    arguments: &RankArguments,
    kernel: CollectionKernel,
    json: bool,
) -> std::result::Result<(), Failure> {
    let (data, plain) = (&arguments.data, &arguments.plain);
    let inputs: Vec<&Path> =
        std::iter::once(&data.data).chain(&arguments.test).map(PathBuf::as_path).collect();
    let path = place(arguments.output.as_deref(), &inputs, plain.force)?;
    let machine = RankSvm::params(kernel.clone()).cost(arguments.cost).options(plain.options());
    machine.clone().check().map_err(Failure::Usage)?;
    let (deadline, options) = (plain.deadline()?, plain.options());
    let from = Source {
        path: &data.data,
        reading: &data.reading,
        table: Some(&arguments.table),
        unlabelled: false,
        scale: plain.scale,
        quiet: plain.quiet || json,
    };
    let read = items::read(&kernel, &from)?;
    let named = |error: Error| error.in_file(source::name(&data.data));
    let column = read.target_name.as_deref();
    let targets = numbers(&read.targets, column, &read.remarks, "").map_err(named)?;
    let queries = read.groups.as_deref();
    let trained = plain.within(deadline, &options, json).fit(&read.items, None, |items, rows, options| {
        let targets: Vec<f64> = rows.iter().map(|&row| targets[row]).collect();
        let queries = queries.map(|all| rows.iter().map(|&row| all[row]).collect::<Vec<u64>>());
        let weights: Option<Vec<f64>> =
            read.weights.as_ref().map(|all| rows.iter().map(|&row| all[row]).collect());
        let machine = machine.clone().options(options).check()?;
        machine.fit_weighted(items, &targets, queries.as_deref(), weights.as_deref())
    });
    let (model, rows) = trained.map_err(|error| failure(error).in_file(source::name(&data.data)))?;
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
    tell(&mut more, rows.as_deref(), read.items.len());
    let mut saved = read.saved(MatrixModel::Rank(model), plain.seed)?;
    saved.card.cost = arguments.cost;
    saved.card.parameters = named_values([("C", json!(arguments.cost))]);
    if let Some(test) = &arguments.test {
        measure(&saved, &Source { path: test, ..from }, &mut more, &mut told)?;
    }
    finish(saved, &data.data, &path, plain.manner(json), &more, told)
}

/// `mercer evaluate` of a model that ranks: how well the order of these items is told.
pub fn evaluate(
    saved: &Model,
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
    measure(saved, &from, &mut page, &mut told)?;
    if json {
        show_json(&Value::Object(told))?;
    } else if !quiet {
        page.show()?;
    }
    Ok(())
}

/// How well the order of other items is told.
fn measure(saved: &Model, from: &Source<'_>, page: &mut Page, told: &mut Map<String, Value>) -> Result<()> {
    let named = |error: Error| error.in_file(source::name(from.path));
    let test = items::test(saved, from)?;
    let scores = match &saved.machine {
        TrainedMachine::Matrix(model) => model.values(&test.items).map_err(named)?,
        _ => Vec::new(),
    };
    let (relevance, queries) = (test.targets.numbers().map_err(named)?, test.groups.as_deref());
    page.line("tested on", format!("{}: {} rows", source::name(from.path).display(), test.items.len()));
    let measured = Ranked::new(&scores, relevance, queries).map_err(named)?;
    measured.named().iter().for_each(|(name, value)| page.line(name, shown(*value)));
    if let Value::Object(measured) = measured.json() {
        told.extend(measured);
    }
    Ok(())
}

/// How well an order is told, the mean over queries.
pub struct Ranked {
    ndcg: [Option<f64>; 2],
    map: Option<f64>,
    tau: Option<f64>,
}

impl Ranked {
    pub fn new(scores: &[f64], relevance: &[f64], queries: Option<&[u64]>) -> Result<Self> {
        let [few, more] = PLACES;
        Ok(Ranked {
            ndcg: [
                ndcg(scores, relevance, queries, Some(few))?,
                ndcg(scores, relevance, queries, Some(more))?,
            ],
            map: mean_average_precision(scores, relevance, queries)?,
            tau: kendall_tau(scores, relevance, queries)?,
        })
    }

    fn named(&self) -> [(String, Option<f64>); 4] {
        [
            (format!("NDCG@{}", PLACES[0]), self.ndcg[0]),
            (format!("NDCG@{}", PLACES[1]), self.ndcg[1]),
            ("MAP".into(), self.map),
            ("Kendall's tau".into(), self.tau),
        ]
    }

    pub fn words(&self) -> String {
        self.named()
            .iter()
            .map(|(name, value)| format!("{name} {}", shown(*value)))
            .collect::<Vec<_>>()
            .join(", ")
    }

    pub fn json(&self) -> Value {
        let Ranked { ndcg: [few, more], map, tau } = self;
        json!({ "ndcg_5": few, "ndcg_10": more, "map": map, "kendall_tau": tau })
    }
}

fn shown(value: Option<f64>) -> String {
    value.map_or("not defined".to_string(), |value| format!("{value:.4}"))
}
