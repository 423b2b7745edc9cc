//! `mercer correlate`: what two views of the same things have in common.

use std::path::{Path, PathBuf};

use mercer::Error;
use mercer::data::{Structures, Vectors};
use mercer::io::MatrixModel;
use mercer::machine::{CcaView, KernelCca};
use serde_json::json;

use super::kind::{Kind, Prepared, Source};
use super::{Named, kernel, place};
use crate::arguments::CorrelateArguments;
use crate::failure::Failure;
use crate::print::{Page, number, show_json};
use crate::source;

type Rows = Vectors<'static>;

pub fn run(arguments: &CorrelateArguments, json: bool) -> Result<(), Failure> {
    let first = kernel(&arguments.kernel)?;
    let second = match &arguments.other_kernel {
        Some(text) => kernel(text)?,
        None => first.clone(),
    };
    match (first, second) {
        (Named::Rows(a), Named::Rows(b)) => correlated::<Rows, Rows>(arguments, &a, &b, json),
        (Named::Rows(a), Named::Structures(b)) => correlated::<Rows, Structures>(arguments, &a, &b, json),
        (Named::Structures(a), Named::Rows(b)) => correlated::<Structures, Rows>(arguments, &a, &b, json),
        (Named::Structures(a), Named::Structures(b)) => {
            correlated::<Structures, Structures>(arguments, &a, &b, json)
        }
    }
}

fn correlated<I: Kind, J: Kind>(
    arguments: &CorrelateArguments,
    first: &I::Kernel,
    second: &J::Kernel,
    json: bool,
) -> Result<(), Failure> {
    let (data, plain) = (&arguments.data, &arguments.plain);
    let machine = KernelCca::params()
        .components(arguments.components)
        .regularisation(arguments.regularisation)
        .options(plain.options())
        .check()
        .map_err(Failure::Usage)?;
    let inputs = [&data.data, &arguments.other];
    let mut paths = Vec::new();
    for (at, input) in inputs.iter().enumerate() {
        // Its own input first, which it may be named by.
        let read = [input.as_path(), inputs[1 - at].as_path()];
        paths.push(place(arguments.output.as_slice().get(at).map(PathBuf::as_path), &read, plain.force)?);
    }
    if paths[0] == paths[1] {
        let what = "both models would go to the same file: say -o FIRST SECOND".into();
        return Err(Failure::Usage(Error::Unsupported { what }));
    }
    let from = |path| Source {
        path,
        reading: &data.reading,
        table: None,
        unlabelled: true,
        scale: plain.scale,
        quiet: plain.quiet || json,
    };
    let mut one = I::read(first, &from(&data.data))?;
    let mut other = J::read(second, &from(&arguments.other))?;
    pair(&mut one, &mut other).map_err(|error| error.in_file(source::name(&arguments.other)))?;
    let (fit, (a, b)) = machine.fit_two((first, &one.items), (second, &other.items))?;
    let correlations: Vec<String> = fit.correlations.iter().map(|c| c.to_string()).collect();
    let note = correlations.join(", ");
    keep(&one, a, &note, plain.seed, &paths[0])?;
    keep(&other, b, &note, plain.seed, &paths[1])?;
    if json {
        return Ok(show_json(&json!({
            "data": inputs,
            "rows": one.items.len(),
            "correlations": fit.correlations,
            "left_out": fit.views.iter().map(|view| view.left_out).collect::<Vec<_>>(),
            "models": paths,
        }))?);
    }
    if plain.quiet {
        return Ok(());
    }
    let mut page = Page::default();
    for (shape, path) in [(&one.shape, &data.data), (&other.shape, &arguments.other)] {
        page.line("view", format!("{}: {shape}", source::name(path).display()));
    }
    if !one.remarks.dropped.is_empty() || !other.remarks.dropped.is_empty() {
        page.line("pairs", format!("{} rows, of which nothing is missing in either view", one.items.len()));
    }
    let shown: Vec<String> = fit.correlations.iter().map(|&c| number(c)).collect();
    page.line("correlations", format!("{} (on these rows; on new ones expect less)", shown.join(", ")));
    page.line("models", format!("{} and {}", paths[0].display(), paths[1].display()));
    Ok(page.show()?)
}

/// A row that is left out of one view is left out of the other.
fn pair<I: Kind, J: Kind>(one: &mut Prepared<I>, other: &mut Prepared<J>) -> mercer::Result<()> {
    let rows = |items: usize, dropped: &[usize]| {
        (0..items + dropped.len()).filter(|row| !dropped.contains(row)).collect::<Vec<usize>>()
    };
    let (dropped, of_other) = (&one.remarks.dropped, &other.remarks.dropped);
    let (expected, found) = (one.items.len() + dropped.len(), other.items.len() + of_other.len());
    if expected != found {
        return Err(Error::Shape { what: "rows (as many as of the first view)", expected, found });
    }
    if dropped == of_other {
        return Ok(());
    }
    let places = |rows: Vec<usize>, others: &[usize]| {
        (0..rows.len()).filter(|&at| !others.contains(&rows[at])).collect::<Vec<usize>>()
    };
    let here = places(rows(one.items.len(), dropped), of_other);
    let there = places(rows(other.items.len(), of_other), dropped);
    if here.is_empty() {
        return Err(Error::Empty { what: "rows with both views" });
    }
    one.items = one.items.select(&here);
    other.items = other.items.select(&there);
    Ok(())
}

/// Saves one view.
fn keep<I: Kind>(
    read: &Prepared<I>,
    view: CcaView<I::Kernel, I>,
    correlations: &str,
    seed: u64,
    path: &Path,
) -> mercer::Result<()> {
    let mut saved = I::saved(read, MatrixModel::View(view), seed)?;
    saved.card.notes.insert("correlations".into(), correlations.to_string());
    saved.card.rows = read.items.len() as u64;
    I::write(&saved, path)
}
