//! `mercer demo`: what Mercer makes of the small sets that it comes with.

use std::time::Instant;

use mercer::data::{Examples, ReadOptions, ScalingKind, Vectors, read_from};
use mercer::evaluation::{Costs, GRID, Recipe, Tested, Testing};
use mercer::kernel::Expression;
use mercer::machine::Svc;
use mercer::solver::Control;
use mercer::{Error, Result};

use crate::print::{count, number, show_json, time, to_stdout};

/// Name, contents, and what is asked of it.
const SETS: [(&str, &[u8], &str); 5] = [
    ("iris", include_bytes!("../../../data/iris.csv"), "which of three flowers?"),
    ("wine", include_bytes!("../../../data/wine.csv"), "which of three cultivars?"),
    ("heart", include_bytes!("../../../data/heart_scale"), "is the heart ill?"),
    ("ionosphere", include_bytes!("../../../data/ionosphere.csv"), "did the radar see something?"),
    ("ionosphere", include_bytes!("../../../data/ionosphere.csv"), "the same by a sum of two kernels"),
];

const COMBINED: &str = "gaussian(gamma=median) + 0.1 * linear";

pub fn run(json: bool) -> Result<()> {
    let begun = Instant::now();
    let formula = |at: usize| if at + 1 == SETS.len() { COMBINED } else { "gaussian(gamma=median)" };
    if json {
        let shown: Vec<Shown> =
            SETS.iter().enumerate().map(|(at, set)| show(set, formula(at))).collect::<Result<_>>()?;
        return show_json(&serde_json::json!({ "sets": shown, "seconds": begun.elapsed().as_secs_f64() }));
    }
    to_stdout(|out| {
        writeln!(
            out,
            "{:<12}{:>6} {:>8} {:>8} {:>7}  {:<16}{:>5}{:>9}{:>10}  ",
            "set", "rows", "columns", "classes", "cost", "on new rows", "SV", "gap", "time"
        )?;
        for (at, set) in SETS.iter().enumerate() {
            let shown = show(set, formula(at))?;
            writeln!(
                out,
                "{:<12}{:>6} {:>8} {:>8} {:>7}  {:<16}{:>5}{:>9}{:>10}  {}",
                shown.set,
                count(shown.rows as u64),
                shown.columns,
                shown.classes,
                number(shown.cost),
                format!("{:.1} % ± {:.1}", 100.0 * shown.accuracy, 100.0 * shown.standard_error),
                shown.support_vectors,
                number(shown.duality_gap),
                time(shown.seconds),
                shown.question
            )?;
            out.flush()?;
        }
        writeln!(
            out,
            "\nEvery cost was chosen by cross-validation, every score comes from folds that had no part in that,\n\
             and every gap is the certified distance from the best solution. All of it took {}.\n\
             The same for your own data: mercer train FILE",
            time(begun.elapsed().as_secs_f64())
        )?;
        Ok(())
    })
}

/// What came of one set.
#[derive(serde::Serialize)]
struct Shown {
    set: &'static str,
    question: &'static str,
    kernel: String,
    rows: usize,
    columns: usize,
    classes: usize,
    cost: f64,
    accuracy: f64,
    standard_error: f64,
    support_vectors: usize,
    duality_gap: f64,
    seconds: f64,
}

fn show(&(set, contents, question): &(&'static str, &[u8], &'static str), formula: &str) -> Result<Shown> {
    let begun = Instant::now();
    let table = read_from(contents, &ReadOptions::default())?.table()?;
    let labels = table.targets.labels()?;
    let recipe = Recipe {
        scaling: match table.vectors {
            Vectors::Sparse(_) => None,
            _ => Some(ScalingKind::Standardise),
        },
        costs: Costs::Among(GRID.to_vec()),
        ..Recipe::new(Svc::params(formula.parse::<Expression>()?))
    };
    let examples = Examples::new(&table.vectors, &labels);
    let Tested { learned, test, .. } =
        recipe.learn_and_test(examples, Testing::Folds(5), None, &|_| Control::Continue)?;
    let test = test.map_err(|what| Error::Unsupported { what })?;
    let pairs = learned.model.pairs();
    Ok(Shown {
        set,
        question,
        kernel: learned.model.kernel().to_string(),
        rows: table.rows(),
        columns: table.vectors.columns(),
        classes: labels.classes().len(),
        cost: learned.choice.map_or(1.0, |choice| choice.cost),
        accuracy: test.outcome.accuracy(),
        standard_error: test.outcome.standard_error(),
        support_vectors: pairs.support.len(),
        duality_gap: pairs.reports.iter().filter_map(|report| report.relative_gap()).fold(0.0, f64::max),
        seconds: begun.elapsed().as_secs_f64(),
    })
}
