//! Machines that factorise the kernel matrix: `mercer train --machine`, `reduce`, `cluster`, `correlate` and `rank`.

mod choice;
mod correlate;
mod fitting;
pub mod in_time;
mod items;
mod rank;
mod train;
mod unlabelled;

pub use correlate::run as correlate;
pub use fitting::{BUMPS, DIRECTIONS};
pub use rank::{Ranked, evaluate as evaluate_ranking, run as rank};
pub use train::run as train;
pub use unlabelled::{cluster, reduce};

use std::path::{Path, PathBuf};
use std::time::Instant;

use mercer::Error;
use mercer::gram::CollectionKernel;
use mercer::io::{Model, TrainedMachine};
use mercer::machine::MatrixOptions;
use serde_json::{Map, Value, json};

use self::in_time::Within;
use crate::arguments::PlainArguments;
use crate::failure::Failure;
use crate::print::{Page, note, plural, show_json};
use crate::recipe::seconds;
use crate::{matrix, model, output, precomputed, progress, source, structures};

/// The fraction of a limit of time that is for training; the rest is for the file and what is told of it.
const TRAINING: f64 = 0.95;

/// The kernel that a text names.
fn kernel(text: &str) -> Result<CollectionKernel, Failure> {
    text.parse().map_err(Failure::Usage)
}

/// Where the model goes, which is checked before the work begins: it takes the place of none of the files that are read, of which the
/// first gives it its name.
fn place(given: Option<&Path>, inputs: &[&Path], force: bool) -> Result<PathBuf, Failure> {
    let data = inputs[0];
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
        output::check(&path, force, inputs)?;
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

    /// How a training is done.
    fn within<'a>(&self, deadline: Option<Instant>, options: &'a MatrixOptions, json: bool) -> Within<'a> {
        Within { seed: self.seed, deadline, options, quiet: self.quiet || json, doing: "training" }
    }

    /// When a training has to end: what comes after it takes some time too.
    fn deadline(&self) -> Result<Option<Instant>, Failure> {
        let limit = seconds(self.time_limit).map_err(Failure::Usage)?;
        Ok(progress::deadline(limit.map(|limit| limit.mul_f64(TRAINING))))
    }
}

/// How a command speaks, and ends.
#[derive(Clone, Copy)]
struct Manner {
    quiet: bool,
    json: bool,
    /// What has not converged is a failure.
    strict: bool,
}

impl PlainArguments {
    fn manner(&self, json: bool) -> Manner {
        Manner { quiet: self.quiet, json, strict: self.strict }
    }
}

/// Says that there are fewer components than were asked for.
fn fewer(page: &mut Page, asked: usize, found: usize, why: &str) {
    if found < asked {
        page.line(
            "fewer",
            format!("than the {} that were asked for: {why}", plural(asked as u64, "component")),
        );
    }
}

/// Saves a model, says what it is and, if it is told to be strict, whether it has converged; `more` are lines of its own, `told` the
/// same for programs.
fn finish(
    saved: Model,
    data: &Path,
    path: &Path,
    manner: Manner,
    more: &Page,
    told: Map<String, Value>,
) -> Result<(), Failure> {
    let saved = saved.over_unit_vectors()?;
    output::save(&saved, path)?;
    tell(&saved, data, path, manner, more, told)?;
    if let TrainedMachine::Matrix(model) = &saved.machine
        && !matrix::converged(model)
    {
        note("mercer: the training ended early; the model is what it had reached");
        if manner.strict {
            return Err(Failure::NotConverged);
        }
    }
    Ok(())
}

fn tell(
    saved: &Model,
    data: &Path,
    path: &Path,
    Manner { quiet, json, .. }: Manner,
    more: &Page,
    told: Map<String, Value>,
) -> Result<(), Failure> {
    let rows = usize::try_from(saved.card.rows).unwrap_or(usize::MAX);
    let kernel = precomputed::kernel_of(saved);
    if json {
        let mut summary = json!({
            "data": data,
            "rows": rows,
            "machine": model::kind(&saved.machine),
            "task": model::task(&saved.machine),
            "kernel": kernel,
            "scaling": saved.scaling.as_ref().map(|scaling| scaling.kind().to_string()),
            "model": path,
        });
        if let Some(map) = summary.as_object_mut() {
            map.extend(model::own_json(&saved.machine));
            map.extend(model::kernels_json(&saved.machine));
            map.extend(told);
        }
        return Ok(show_json(&summary)?);
    }
    if quiet || source::is_standard(path) {
        return Ok(());
    }
    let mut page = Page::default();
    page.line("data", format!("{}: {}", source::name(data).display(), plural(rows as u64, "row")));
    page.line("machine", model::kind(&saved.machine));
    page.line("scaling", saved.scaling.as_ref().map_or("none".to_string(), |s| s.kind().to_string()));
    model::kernel_lines(&mut page, &saved.machine, &kernel);
    if let Some(mended) = saved.card.notes.get(structures::MENDED) {
        page.line(structures::MENDED, mended);
    }
    model::own_lines(&mut page, &saved.machine);
    model::certificate(&mut page, &saved.machine);
    page.append(more);
    page.line("model", path.display());
    Ok(page.show()?)
}
