//! `mercer correlate`: what two views of the same things have in common.

use std::path::PathBuf;

use mercer::Error;
use mercer::data::{Items, ReadOptions};
use mercer::io::MatrixModel;
use mercer::machine::KernelCca;
use serde_json::json;

use super::{kernel, place, prepared, words};
use crate::arguments::CorrelateArguments;
use crate::failure::Failure;
use crate::print::{Page, number, show_json};
use crate::{output, source};

pub fn run(arguments: &CorrelateArguments, json: bool) -> Result<(), Failure> {
    let (data, plain) = (&arguments.data, &arguments.plain);
    let first = kernel(&arguments.kernel)?;
    let second = match &arguments.other_kernel {
        Some(text) => kernel(text)?,
        None => first.clone(),
    };
    let machine = KernelCca::params()
        .components(arguments.components)
        .regularisation(arguments.regularisation)
        .options(plain.options())
        .check()
        .map_err(Failure::Usage)?;
    let inputs = [&data.data, &arguments.other];
    let mut paths = Vec::new();
    for (at, input) in inputs.iter().enumerate() {
        paths.push(place(arguments.output.as_slice().get(at).map(PathBuf::as_path), input, plain.force)?);
    }
    if paths[0] == paths[1] {
        let what = "both models would go to the same file: say -o FIRST SECOND".into();
        return Err(Failure::Usage(Error::Unsupported { what }));
    }
    let reading = ReadOptions { unlabelled: true, ..data.reading.options() };
    let quiet = plain.quiet || json;
    let one = prepared(&data.data, &reading, plain.scale, &first, quiet)?;
    let other = prepared(&arguments.other, &reading, plain.scale, &second, quiet)?;
    if one.rows.len() != other.rows.len() {
        let (expected, found) = (one.rows.len(), other.rows.len());
        let error = Error::Shape { what: "rows (as many as of the first view)", expected, found };
        return Err(error.in_file(source::name(&arguments.other)).into());
    }
    let (fit, (a, b)) = machine.fit_two((&first, &one.rows), (&second, &other.rows))?;
    let correlations: Vec<String> = fit.correlations.iter().map(|c| c.to_string()).collect();
    for ((read, view), path) in [(&one, a), (&other, b)].into_iter().zip(&paths) {
        let mut saved = read.saved(MatrixModel::View(view), plain.seed)?;
        saved.card.notes.insert("correlations".into(), correlations.join(", "));
        output::save(&saved, path)?;
    }
    if json {
        return Ok(show_json(&json!({
            "data": inputs,
            "rows": one.rows.len(),
            "correlations": fit.correlations,
            "left_out": fit.views.iter().map(|view| view.left_out).collect::<Vec<_>>(),
            "models": paths,
        }))?);
    }
    if plain.quiet {
        return Ok(());
    }
    let mut page = Page::default();
    for (read, path) in [(&one, &data.data), (&other, &arguments.other)] {
        page.line("view", format!("{}: {}", source::name(path).display(), words(&read.rows)));
    }
    let shown: Vec<String> = fit.correlations.iter().map(|&c| number(c)).collect();
    page.line("correlations", format!("{} (on these rows; on new ones expect less)", shown.join(", ")));
    page.line("models", format!("{} and {}", paths[0].display(), paths[1].display()));
    Ok(page.show()?)
}
