//! `mercer correlate`: what two views of the same things have in common.

use std::path::{Path, PathBuf};

use mercer::Error;
use mercer::data::{Collection, ItemKind, Items};
use mercer::evaluation::{retrieval, view_correlations};
use mercer::gram::CollectionKernel;
use mercer::io::{MatrixModel, Model, TrainedMachine};
use mercer::linalg::Matrix;
use mercer::machine::{CcaView, KernelCca};
use serde_json::{Value, json};

use super::in_time::{failure, tell};
use super::items::{self, Prepared, Source};
use super::{fewer, kernel, place};
use crate::arguments::{CorrelateArguments, ReadingArguments};
use crate::failure::Failure;
use crate::parameters::{Parameters, named_values};
use crate::print::{Page, plural, show_json};
use crate::{matrix, output, source};

/// How many of the nearest a counterpart may be among.
const PLACES: [usize; 2] = [1, 5];

pub fn run(arguments: &CorrelateArguments, json: bool) -> Result<(), Failure> {
    let usage = |what: &str| Err(Failure::Usage(Error::Unsupported { what: what.into() }));
    let first = kernel(&arguments.kernel)?;
    let second = match &arguments.other_kernel {
        Some(text) => kernel(text)?,
        None => first.clone(),
    };
    let has_text = matches!(second.expression().kind(), ItemKind::Strings | ItemKind::Trees);
    if arguments.other_text.is_some() && !has_text {
        let kind = second.expression().kind();
        return usage(&format!(
            "--other-text names a column of strings or trees: the kernel of the other view compares {kind}"
        ));
    }
    let files = Files::new(arguments);
    if files.data[0] == files.data[1] && arguments.other_text.is_none() && arguments.other_kernel.is_none() {
        return usage("both views are the same: give another file, --other-text or --other-kernel");
    }
    if [&first, &second].iter().any(|kernel| kernel.expression().kind() == ItemKind::KernelValues) {
        return usage("--kernel precomputed does not go with correlate: give it the items of both views");
    }
    correlated(arguments, &files, &first, &second, json)
}

/// The files of both views, which may be one, and how they are read.
struct Files<'a> {
    data: [&'a Path; 2],
    /// Those of a test, if there is one.
    test: Option<[&'a Path; 2]>,
    readings: [ReadingArguments; 2],
}

impl<'a> Files<'a> {
    fn new(arguments: &'a CorrelateArguments) -> Self {
        let data = &arguments.data;
        let other = arguments.other.as_ref().unwrap_or(&data.data);
        let mut readings = [data.reading.clone(), data.reading.clone()];
        if arguments.other_text.is_some() {
            readings[1].text.clone_from(&arguments.other_text);
        }
        let test = match &arguments.test[..] {
            [both] => Some([both.as_path(), both.as_path()]),
            [first, second] => Some([first.as_path(), second.as_path()]),
            _ => None,
        };
        Files { data: [&data.data, other], test, readings }
    }
}

fn correlated(
    arguments: &CorrelateArguments,
    files: &Files<'_>,
    first: &CollectionKernel,
    second: &CollectionKernel,
    json: bool,
) -> Result<(), Failure> {
    let plain = &arguments.plain;
    let machine = KernelCca::params()
        .components(arguments.components)
        .regularisation(arguments.regularisation)
        .options(plain.options());
    let machine = match arguments.rank {
        Some(rank) => machine.rank(rank),
        None => machine,
    };
    machine.clone().check().map_err(Failure::Usage)?;
    let (deadline, options) = (plain.deadline()?, plain.options());
    let paths = places(arguments, files)?;
    let from = |view: usize, path| Source {
        path,
        reading: &files.readings[view],
        table: None,
        unlabelled: true,
        scale: plain.scale,
        quiet: plain.quiet || json,
    };
    let mut one = items::read(first, &from(0, files.data[0]))?;
    let mut other = items::read(second, &from(1, files.data[1]))?;
    let dropped = (one.remarks.dropped.clone(), other.remarks.dropped.clone());
    pair((&mut one.items, &dropped.0), (&mut other.items, &dropped.1))
        .map_err(|error| error.in_file(source::name(files.data[1])))?;
    let trained = plain.within(deadline, &options, json).fit(&one.items, None, |items, rows, options| {
        let machine = machine.clone().options(options).check()?;
        machine.fit_two((first, items), (second, &other.items.select(rows)))
    });
    let ((fit, (a, b)), rows) = trained.map_err(failure)?;
    // All of them with all digits: the Python package reads them.
    let note = fit.correlations.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
    let mut parameters = named_values([
        ("n_components", json!(arguments.components)),
        ("regularisation", json!(arguments.regularisation)),
    ]);
    parameters.extend(arguments.rank.map(|rank| ("rank".to_string(), json!(rank))));
    let a = keep(&one, a, (&note, &parameters), plain.seed, &paths[0])?;
    let b = keep(&other, b, (&note, &parameters), plain.seed, &paths[1])?;
    let tested = match files.test {
        Some(test) => Some(tested(&a, &b, &from(0, test[0]), &from(1, test[1]), &fit.correlations)?),
        None => None,
    };
    if json {
        return Ok(show_json(&json!({
            "data": files.data,
            "rows": one.items.len(),
            "correlations": fit.correlations,
            "left_out": fit.views.iter().map(|view| view.left_out).collect::<Vec<_>>(),
            "test": tested.as_ref().map(Tested::json),
            "models": paths,
        }))?);
    }
    if plain.quiet {
        return Ok(());
    }
    let mut page = Page::default();
    for (shape, path) in [(&one.shape, files.data[0]), (&other.shape, files.data[1])] {
        page.line("view", format!("{}: {shape}", source::name(path).display()));
    }
    tell(&mut page, rows.as_deref(), one.items.len());
    page.line(
        "correlations",
        format!("{} (on these rows; on new ones expect less)", matrix::list(&fit.correlations)),
    );
    fewer(&mut page, arguments.components, fit.correlations.len(), "a view has no more dimensions");
    if let Some(tested) = &tested {
        tested.lines(&mut page);
    }
    page.line("models", format!("{} and {}", paths[0].display(), paths[1].display()));
    Ok(page.show()?)
}

/// Where the two models go.
fn places(arguments: &CorrelateArguments, files: &Files<'_>) -> Result<[PathBuf; 2], Failure> {
    let place_of = |at: usize| {
        // Its own input first, which it may be named by.
        let mut read = vec![files.data[at], files.data[1 - at]];
        read.extend(files.test.iter().flatten());
        place(arguments.output.as_slice().get(at).map(PathBuf::as_path), &read, arguments.plain.force)
    };
    let paths = [place_of(0)?, place_of(1)?];
    if paths[0] == paths[1] {
        let what = "both models would go to the same file: say -o FIRST SECOND".into();
        return Err(Failure::Usage(Error::Unsupported { what }));
    }
    Ok(paths)
}

/// What both views say about other things.
struct Tested {
    rows: usize,
    correlations: Vec<Option<f64>>,
    /// Of the first view, the share whose counterpart in the other is among the nearest; and the other way.
    found: [Vec<f64>; 2],
}

fn tested(
    first: &Model,
    second: &Model,
    from: &Source<'_>,
    from_other: &Source<'_>,
    correlations: &[f64],
) -> Result<Tested, Failure> {
    let (mut one, mut other) = (items::test(first, from)?, items::test(second, from_other)?);
    let named = |error: Error| error.in_file(source::name(from_other.path));
    pair((&mut one.items, &one.dropped), (&mut other.items, &other.dropped)).map_err(named)?;
    let (a, b) = (components(first, &one.items)?, components(second, &other.items)?);
    // Components that went together in the training say more.
    let weights: Vec<f64> = correlations.iter().map(|c| c * c).collect();
    let found = [retrieval(&a, &b, &weights, &PLACES).map_err(named)?, retrieval(&b, &a, &weights, &PLACES)?];
    Ok(Tested { rows: a.rows(), correlations: view_correlations(&a, &b)?, found })
}

fn components(saved: &Model, items: &Collection<'static>) -> mercer::Result<Matrix> {
    match &saved.machine {
        TrainedMachine::Matrix(model) => Matrix::new(model.values(items)?, items.len(), model.width()),
        _ => Err(Error::Unsupported { what: "a view is a machine that factorises K".into() }),
    }
}

impl Tested {
    fn lines(&self, page: &mut Page) {
        let shown = self.correlations.iter().map(|c| c.unwrap_or(f64::NAN)).collect::<Vec<_>>();
        page.line("on new rows", format!("{}: {}", plural(self.rows as u64, "row"), matrix::list(&shown)));
        for (name, found) in [("first to second", &self.found[0]), ("second to first", &self.found[1])] {
            let shares: Vec<String> = PLACES
                .iter()
                .zip(found)
                .map(|(places, share)| format!("{:.1} % within {places}", 100.0 * share))
                .collect();
            page.line(name, format!("the counterpart comes {}", shares.join(", ")));
        }
    }

    fn json(&self) -> Value {
        json!({
            "rows": self.rows,
            "correlations": self.correlations,
            "first_to_second": { "top_1": self.found[0][0], "top_5": self.found[0][1] },
            "second_to_first": { "top_1": self.found[1][0], "top_5": self.found[1][1] },
        })
    }
}

/// A row that is left out of one view is left out of the other.
fn pair(
    one: (&mut Collection<'static>, &[usize]),
    other: (&mut Collection<'static>, &[usize]),
) -> mercer::Result<()> {
    let rows = |items: usize, dropped: &[usize]| {
        (0..items + dropped.len()).filter(|row| !dropped.contains(row)).collect::<Vec<usize>>()
    };
    let (dropped, of_other) = (one.1, other.1);
    let (expected, found) = (one.0.len() + dropped.len(), other.0.len() + of_other.len());
    if expected != found {
        return Err(Error::Shape { what: "rows (as many as of the first view)", expected, found });
    }
    if dropped == of_other {
        return Ok(());
    }
    let places = |rows: Vec<usize>, others: &[usize]| {
        (0..rows.len()).filter(|&at| !others.contains(&rows[at])).collect::<Vec<usize>>()
    };
    let here = places(rows(one.0.len(), dropped), of_other);
    let there = places(rows(other.0.len(), of_other), dropped);
    if here.is_empty() {
        return Err(Error::Empty { what: "rows with both views" });
    }
    *one.0 = one.0.select(&here);
    *other.0 = other.0.select(&there);
    Ok(())
}

/// Saves one view.
fn keep(
    read: &Prepared,
    view: CcaView<CollectionKernel, Collection<'static>>,
    (correlations, parameters): (&str, &Parameters),
    seed: u64,
    path: &Path,
) -> mercer::Result<Model> {
    let mut saved = read.saved(MatrixModel::View(view), seed)?;
    saved.card.notes.insert("correlations".into(), correlations.to_string());
    saved.card.parameters = parameters.clone();
    saved.card.rows = read.items.len() as u64;
    output::save(&saved, path)?;
    Ok(saved)
}
