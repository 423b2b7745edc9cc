//! `mercer demo`: what Mercer makes of the small sets that it comes with.

use std::time::Instant;

use mercer::data::{ReadOptions, ScalingKind, Split, Vectors, read_from};
use mercer::evaluation::{Costs, GRID, Recipe};
use mercer::machine::Svc;
use mercer::solver::Control;
use mercer::{Result, kernel::Expression};

use crate::print::{count, number, time, to_stdout};

/// Name, contents, and what is asked of it.
const SETS: [(&str, &[u8], &str); 5] = [
    ("iris", include_bytes!("../../../data/iris.csv"), "which of three flowers?"),
    ("wine", include_bytes!("../../../data/wine.csv"), "which of three cultivars?"),
    ("heart", include_bytes!("../../../data/heart_scale"), "is the heart ill?"),
    ("ionosphere", include_bytes!("../../../data/ionosphere.csv"), "did the radar see something?"),
    ("ionosphere", include_bytes!("../../../data/ionosphere.csv"), "the same by a sum of two kernels"),
];

const COMBINED: &str = "gaussian(gamma=median) + 0.1 * linear";

pub fn run() -> Result<()> {
    let begun = Instant::now();
    to_stdout(|out| {
        writeln!(
            out,
            "{:<12}{:>6} {:>8} {:>8} {:>7}  {:<16}{:>5}{:>9}{:>10}  ",
            "set", "rows", "columns", "classes", "cost", "on new rows", "SV", "gap", "time"
        )?;
        for (at, (name, contents, question)) in SETS.into_iter().enumerate() {
            let formula = if at + 1 == SETS.len() { COMBINED } else { "gaussian(gamma=median)" };
            writeln!(out, "{}", line(name, contents, question, formula)?)?;
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

fn line(name: &str, contents: &[u8], question: &str, formula: &str) -> Result<String> {
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
    let go_on = |_: &_| Control::Continue;
    let learned = recipe.learn(&table.vectors, &labels, None, &go_on)?;
    let splits = Split::stratified(&labels, 5, recipe.seed)?;
    let test = recipe.assess(&table.vectors, &labels, None, &splits, &go_on)?;
    let pairs = learned.model.pairs();
    let gap = pairs.reports.iter().filter_map(|report| report.relative_gap()).fold(0.0, f64::max);
    Ok(format!(
        "{name:<12}{:>6} {:>8} {:>8} {:>7}  {:<16}{:>5}{:>9}{:>10}  {question}",
        count(table.rows() as u64),
        table.vectors.columns(),
        labels.classes().len(),
        number(learned.choice.map_or(1.0, |choice| choice.cost)),
        format!("{:.1} % ± {:.1}", 100.0 * test.accuracy(), 100.0 * test.standard_error()),
        pairs.support.len(),
        number(gap),
        time(begun.elapsed().as_secs_f64()),
    ))
}
