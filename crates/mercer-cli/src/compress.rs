//! `mercer compress`: a model of fewer terms.

use std::path::Path;

use mercer::Error;
use mercer::io::{Compressed, Model};
use serde_json::json;

use crate::arguments::CompressArguments;
use crate::failure::Failure;
use crate::load::load;
use crate::matrix::list;
use crate::print::{Page, count, number, show_json};
use crate::progress::Timed;
use crate::{output, precomputed};

pub fn run(arguments: &CompressArguments, json: bool) -> Result<(), Failure> {
    let (model, path) = (&arguments.model, &arguments.output);
    output::check(path, arguments.force, &[model])?;
    let timed = Timed::new(arguments.quiet || json, arguments.time_limit)?;
    let failed =
        |error: Error| timed.failure(error, "the terms were chosen: nothing is saved").in_file(model);
    let saved = load(model)?;
    if precomputed::is_precomputed(&saved) {
        let what = "a model of kernel values does not know those of its items with each other".into();
        return Err(Error::Unsupported { what }.in_file(model).into());
    }
    let small = timed.run("choosing terms", |_| saved.machine.compressed(arguments.terms)).map_err(failed)?;
    let told = Told::of(&small);
    output::save(&with(saved, small), path)?;
    told.tell(arguments, path, json)
}

fn with(saved: Model, small: Compressed) -> Model {
    let mut card = saved.card;
    let error = list(&small.errors);
    card.notes.insert("compressed".into(), format!("from {} terms, ‖w − w'‖ = {error}", small.before));
    Model { machine: small.model, card, scaling: saved.scaling, schema: saved.schema }
}

/// What is said about the smaller model.
struct Told {
    before: usize,
    after: usize,
    errors: Vec<f64>,
    norms: Vec<f64>,
}

impl Told {
    fn of(small: &Compressed) -> Self {
        let (errors, norms) = (small.errors.clone(), small.norms.clone());
        Told { before: small.before, after: small.after, errors, norms }
    }

    fn tell(&self, arguments: &CompressArguments, path: &Path, json: bool) -> Result<(), Failure> {
        let Told { before, after, errors, norms } = self;
        if json {
            let told =
                json!({ "model": path, "before": before, "after": after, "errors": errors, "norms": norms });
            return Ok(show_json(&told)?);
        }
        if arguments.quiet {
            return Ok(());
        }
        let mut page = Page::default();
        page.line("terms", format!("{} in place of {}", count(*after as u64), count(*before as u64)));
        let share = errors.iter().zip(norms).map(|(e, n)| if *n > 0.0 { e / n } else { 0.0 });
        let worst = share.fold(0.0, f64::max);
        page.line("‖w − w'‖", format!("{}, {} % of ‖w‖ at most", list(errors), number(100.0 * worst)));
        page.line(
            "",
            "a value at x is at most that times √k(x, x) away; mercer evaluate tells what it is in practice",
        );
        page.line("model", path.display());
        Ok(page.show()?)
    }
}
