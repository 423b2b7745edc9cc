//! `mercer label`

use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use mercer::data::{
    Contents, Items, LabelColumn, ReadOptions, Row, Scaling, ScalingKind, Vectors, read_file,
    write_atomically,
};
use mercer::kernel::Expression;
use mercer::machine::online::{ActiveLearner, IncrementalSvc, Query, RowMemory};
use mercer::{Error, Result};

use crate::arguments::{LabelArguments, QueryArgument, ReadingArguments};
use crate::failure::Failure;
use crate::print::{note, plural};
use crate::{precomputed, remarks};

/// The dual objective grew by less than this share in so many answers: the rest would teach little.
const SETTLED: (usize, f64) = (10, 1e-3);

pub fn run(arguments: &LabelArguments) -> std::result::Result<(), Failure> {
    let [first, second] = &arguments.classes[..] else {
        let what = "--classes: two classes can be told apart by questions, no more and no fewer".into();
        return Err(Failure::Usage(Error::Unsupported { what }));
    };
    if first == second
        || arguments.classes.iter().any(|class| class.contains([',', '"', '\n']) || class.is_empty())
    {
        let what = "--classes: two different words without commas and quotes".into();
        return Err(Failure::Usage(Error::Unsupported { what }));
    }
    if arguments.reading.label.is_some() {
        let what = "--label: the pool has no labels yet; --ignore leaves a column out".into();
        return Err(Failure::Usage(Error::Unsupported { what }));
    }
    let kernel: Expression = arguments.kernel.parse().map_err(Failure::Usage)?;
    let output = arguments.output.clone().unwrap_or_else(|| beside(&arguments.pool));
    let pool = Pool::read(&arguments.pool, &arguments.reading)?;
    let items: Vec<Row<'_>> = (0..pool.rows.len()).map(|row| pool.rows.get(row)).collect();
    let memory = RowMemory::new(kernel.resolve(&pool.rows)?)?;
    let query = match arguments.query {
        QueryArgument::Nearest => Query::Nearest,
        QueryArgument::Band => Query::Band,
        QueryArgument::Random => Query::Random,
    };
    let machine = IncrementalSvc::new(memory, arguments.cost).map_err(Failure::Usage)?;
    let mut learner = ActiveLearner::new(machine, query, arguments.seed);
    let sign = |class: &str| if class == second { 1.0 } else { -1.0 };
    for (row, class) in earlier(&output, &pool, &arguments.classes)? {
        learner.answer(row, items[row], sign(&class)).map_err(|error| error.in_file(&output))?;
    }
    Ok(dialogue(arguments, &pool, &items, &mut learner, &output)?)
}

/// Asks until there is nothing to ask, or nobody to answer.
fn dialogue(
    arguments: &LabelArguments,
    pool: &Pool,
    items: &[Row<'_>],
    learner: &mut ActiveLearner<RowMemory>,
    output: &Path,
) -> Result<()> {
    let classes = &arguments.classes;
    note(format!(
        "1 = {}, 2 = {} (or the words themselves), u takes the last answer back, q ends; {} has all answers",
        classes[0],
        classes[1],
        output.display()
    ));
    let mut lines = std::io::stdin().lock().lines();
    let mut told = false;
    let mut question = learner.ask(items)?;
    while let Some(row) = question {
        let done = learner.asked().len();
        if learner.has_settled(SETTLED.0, SETTLED.1) && !told {
            note("The last answers have hardly changed the machine: the rest may not be worth asking.");
            told = true;
        }
        note(format!("\nrow {} ({} labelled)\n{}", row + 1, plural(done as u64, "row"), pool.shown(row)));
        let _ = write!(std::io::stderr(), "> ");
        let Some(line) = lines.next().transpose()? else { break };
        match line.trim() {
            "q" if !classes.contains(&"q".into()) => break,
            "u" if !classes.contains(&"u".into()) => {
                match learner.undo()? {
                    Some(row) => question = Some(row),
                    None => note("There is no answer to take back."),
                }
                write_answers(pool, &learner.asked(), classes, output)?;
                continue;
            }
            word => {
                let Some(class) = answer(word, classes) else {
                    note(format!("`{word}` is none of 1, 2, {}, {}, u and q", classes[0], classes[1]));
                    continue;
                };
                learner.answer(row, items[row], if class == 1 { 1.0 } else { -1.0 })?;
                write_answers(pool, &learner.asked(), classes, output)?;
            }
        }
        question = learner.ask(items)?;
    }
    let inside = if learner.has_both() { learner.band(items)? } else { items.len() - learner.asked().len() };
    note(format!(
        "\n{} in {}; {} without a label within the margin",
        plural(learner.asked().len() as u64, "labelled row"),
        output.display(),
        plural(inside as u64, "row")
    ));
    Ok(())
}

fn answer(word: &str, classes: &[String]) -> Option<usize> {
    classes.iter().position(|class| class == word).or(match word {
        "1" => Some(0),
        "2" => Some(1),
        _ => None,
    })
}

/// The items, as they are compared and as they are shown.
struct Pool {
    rows: Vectors<'static>,
    names: Option<String>,
    lines: Vec<String>,
}

impl Pool {
    fn read(path: &Path, reading: &ReadingArguments) -> Result<Self> {
        let options = ReadOptions { label: LabelColumn::Absent, ..reading.options() };
        let Contents::Table(table) = read_file(path, &options)? else {
            return Err(precomputed::kernel_values(path));
        };
        remarks::tell(&table.remarks);
        let scaling =
            Scaling::fit(ScalingKind::Standardise, &table.vectors).map_err(|error| error.in_file(path))?;
        let rows = scaling.apply(&table.vectors).map_err(|error| error.in_file(path))?;
        let text = fs::read_to_string(path).map_err(|source| Error::file(path, source))?;
        let mut lines: Vec<String> = text
            .trim_start_matches('\u{feff}')
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(str::to_string)
            .collect();
        // One more line than rows holds the names.
        let names = (lines.len() == rows.len() + 1).then(|| lines.remove(0));
        if lines.len() != rows.len() {
            let what = format!("{}: every row must be one line, to be shown and written", path.display());
            return Err(Error::Unsupported { what });
        }
        Ok(Pool { rows, names, lines })
    }

    /// A row with the names of its fields, where that is easily done.
    fn shown(&self, row: usize) -> String {
        let line = &self.lines[row];
        match &self.names {
            Some(names) if !line.contains('"') && names.split(',').count() == line.split(',').count() => {
                let pairs = names.split(',').zip(line.split(','));
                pairs.map(|(name, value)| format!("  {name}: {value}")).collect::<Vec<_>>().join("\n")
            }
            _ => format!("  {line}"),
        }
    }
}

/// Number, line and label of each answered row, in the order of the answers.
fn write_answers(pool: &Pool, asked: &[(usize, f64)], classes: &[String], output: &Path) -> Result<()> {
    write_atomically(output, |out| {
        if let Some(names) = &pool.names {
            writeln!(out, "row,{names},label")?;
        }
        for &(row, sign) in asked {
            writeln!(out, "{},{},{}", row + 1, pool.lines[row], classes[usize::from(sign > 0.0)])?;
        }
        Ok(())
    })
}

/// The answers of an earlier time.
fn earlier(output: &Path, pool: &Pool, classes: &[String]) -> Result<Vec<(usize, String)>> {
    let text = match fs::read_to_string(output) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::file(output, error)),
    };
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for (at, line) in text.lines().enumerate().skip(usize::from(pool.names.is_some())) {
        let wrong =
            |problem: String| Error::Parse { line: at as u64 + 1, column: 1, problem }.in_file(output);
        let parts = line.split_once(',').and_then(|(row, rest)| Some((row, rest.rsplit_once(',')?)));
        let Some((row, (own, label))) = parts else {
            return Err(wrong("this is no line of labelled rows: row number, row, label".into()));
        };
        let row = row.parse::<usize>().ok().and_then(|row| row.checked_sub(1));
        let Some(row) = row.filter(|&row| pool.lines.as_slice().get(row).is_some_and(|line| line == own))
        else {
            return Err(wrong("the row is not the one of this number in the pool".into()));
        };
        if !classes.iter().any(|class| class == label) {
            return Err(wrong(format!("the label `{label}` is none of the classes")));
        }
        if !seen.insert(row) {
            return Err(wrong(format!("row {} stands twice", row + 1)));
        }
        found.push((row, label.to_string()));
    }
    Ok(found)
}

/// `pool.csv` gives `pool.labelled.csv`.
fn beside(pool: &Path) -> PathBuf {
    pool.with_extension("labelled.csv")
}
