//! Machines that factorise the kernel matrix: `mercer train --machine`, `reduce`, `cluster`, `correlate` and `rank`.

mod correlate;
mod rank;
mod train;
mod unlabelled;

pub use correlate::run as correlate;
pub use rank::run as rank;
pub use train::run as train;
pub use unlabelled::{cluster, reduce};

use std::path::{Path, PathBuf};

use mercer::data::{Contents, Items, ReadOptions, Scaling, Table, Vectors};
use mercer::io::{AnyModel, MatrixModel, ModelCard, SavedModel};
use mercer::kernel::{AnyExpression, Expression};
use mercer::machine::MatrixOptions;
use mercer::resources::InstructionSet;
use mercer::{Error, Result};
use serde_json::{Map, Value, json};

use crate::arguments::{PlainArguments, ScaleArgument};
use crate::failure::Failure;
use crate::print::{Page, shape, show_json};
use crate::{model, output, precomputed, remarks, source};

/// Rows that were read and scaled.
struct Prepared {
    table: Table<'static>,
    scaling: Option<Scaling>,
    rows: Vectors<'static>,
}

/// The kernel on rows that a text names.
fn kernel(text: &str) -> std::result::Result<Expression, Failure> {
    let refuse = |what: String| Failure::Usage(Error::Unsupported { what });
    if text.trim() == precomputed::NAME {
        return Err(refuse("--kernel precomputed: this machine needs rows on the command line".into()));
    }
    match text.parse::<AnyExpression>().map_err(Failure::Usage)? {
        AnyExpression::Rows(kernel) => Ok(kernel),
        AnyExpression::Structures(kernel) => Err(refuse(format!(
            "the kernel {kernel} compares {}: on the command line this machine takes rows of numbers (from Rust and \
             Python it takes others too)",
            kernel.kind()
        ))),
    }
}

/// Reads rows and scales them.
fn prepared(
    path: &Path,
    options: &ReadOptions,
    scale: ScaleArgument,
    kernel: &Expression,
    quiet: bool,
) -> std::result::Result<Prepared, Failure> {
    let named = |error: Error| error.in_file(source::name(path));
    let Contents::Table(table) = source::read(path, options)? else {
        return Err(precomputed::kernel_values(&source::name(path)).into());
    };
    if !quiet {
        remarks::tell(&table.remarks);
    }
    if table.rows() == 0 {
        return Err(named(Error::Empty { what: "rows" }).into());
    }
    let is_sparse = matches!(table.vectors, Vectors::Sparse(_));
    let kind = scale.kind(is_sparse, kernel.needs_non_negative()).map_err(Failure::Usage)?;
    let scaling = kind.map(|kind| Scaling::fit(kind, &table.vectors)).transpose().map_err(named)?;
    let rows = match &scaling {
        Some(scaling) => scaling.apply(&table.vectors).map_err(named)?,
        None => table.vectors.clone(),
    };
    Ok(Prepared { table, scaling, rows })
}

/// Where the model goes, which is checked before the work begins.
fn place(given: Option<&Path>, data: &Path, force: bool) -> std::result::Result<PathBuf, Failure> {
    let path = match given {
        Some(path) => path.to_path_buf(),
        None if source::is_standard(data) => {
            let what = "data from standard input have no name for the model to take: say -o FILE".into();
            return Err(Failure::Usage(Error::Unsupported { what }));
        }
        None => output::beside(data),
    };
    if path.extension().is_some_and(|ending| ending == "model") {
        let what = "LIBSVM's format holds support vector machines only: let the name end in .mercer or .json";
        return Err(Failure::Usage(Error::Unsupported { what: what.into() }.in_file(&path)));
    }
    if !source::is_standard(&path) {
        output::check(&path, force, &[data])?;
    }
    Ok(path)
}

fn options(threads: usize, memory: Option<u64>) -> MatrixOptions {
    let usual = MatrixOptions::default();
    MatrixOptions { threads, memory: memory.map_or(usual.memory, |mb| mb.saturating_mul(1 << 20)), ..usual }
}

impl PlainArguments {
    fn options(&self) -> MatrixOptions {
        options(self.threads, self.memory)
    }
}

impl Prepared {
    /// The model with what belongs to it.
    fn saved(&self, model: MatrixModel, seed: u64) -> Result<SavedModel> {
        let table = &self.table;
        let mut card = ModelCard::of(&table.vectors);
        card.feature_names = table.feature_names.clone();
        card.target_name = table.target_name.clone();
        card.instruction_set = InstructionSet::from_environment()?.name().to_string();
        card.notes.insert("seed".into(), seed.to_string());
        let saved = SavedModel::new(AnyModel::Matrix(model), self.scaling.clone(), card);
        Ok(saved.with_schema(table.schema.as_deref().cloned()))
    }
}

/// Saves a model and says what it is; `more` are lines of its own, `told` the same for programs.
fn finish(
    saved: &SavedModel,
    data: &Path,
    path: &Path,
    (quiet, json): (bool, bool),
    more: &Page,
    told: Map<String, Value>,
) -> std::result::Result<(), Failure> {
    output::save(saved, path)?;
    let rows = usize::try_from(saved.card.rows).unwrap_or(usize::MAX);
    if json {
        let mut summary = json!({
            "data": data,
            "rows": rows,
            "machine": model::kind(&saved.model),
            "task": model::task(&saved.model),
            "kernel": saved.model.kernel().to_string(),
            "scaling": saved.scaling.as_ref().map(|scaling| scaling.kind().to_string()),
            "model": path,
        });
        if let Some(map) = summary.as_object_mut() {
            map.extend(model::own_json(&saved.model));
            map.extend(told);
        }
        return Ok(show_json(&summary)?);
    }
    if quiet || source::is_standard(path) {
        return Ok(());
    }
    let mut page = Page::default();
    page.line("data", format!("{}: {} rows", source::name(data).display(), rows));
    page.line("machine", model::kind(&saved.model));
    page.line("scaling", saved.scaling.as_ref().map_or("none".to_string(), |s| s.kind().to_string()));
    page.line("kernel", saved.model.kernel());
    model::own_lines(&mut page, &saved.model);
    model::certificate(&mut page, &saved.model);
    page.append(more);
    page.line("model", path.display());
    Ok(page.show()?)
}

/// Some of the rows.
fn some(rows: &Vectors<'_>, positions: &[usize]) -> Vectors<'static> {
    rows.select(positions)
}

/// The data in words.
fn words(rows: &Vectors<'_>) -> String {
    shape(rows)
}
