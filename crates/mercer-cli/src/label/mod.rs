//! `mercer label`

mod pool;

use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use mercer::data::{Items, Row, Vectors, check_writable};
use mercer::kernel::Expression;
use mercer::machine::online::{ActiveLearner, IncrementalSvc, Query, RowMemory};
use mercer::{Error, Result};
use serde_json::json;

use crate::arguments::{LabelArguments, MissingArgument, QueryArgument};
use crate::failure::Failure;
use crate::learn::remove_left_over;
use crate::print::{note, plural, show_json};
use pool::Pool;

/// The dual objective grew by less than this share in so many answers: the rest would teach little.
const SETTLED: (usize, f64) = (10, 1e-3);

/// What is no answer: commands of the dialogue.
const COMMANDS: [&str; 3] = ["u", "s", "q"];

pub fn run(arguments: &LabelArguments, json: bool) -> std::result::Result<(), Failure> {
    let usage = |what: &str| Err(Failure::Usage(Error::Unsupported { what: what.into() }));
    let classes = &arguments.classes;
    if classes.len() < 2 {
        return usage("--classes: two at least are needed to be told apart");
    }
    let is_bad =
        |class: &String| class.contains([',', '"', '\n', '\r']) || class.trim() != class || class.is_empty();
    if classes.iter().enumerate().any(|(at, class)| is_bad(class) || classes[..at].contains(class)) {
        return usage("--classes: the classes must be different words, without commas and quotes");
    }
    if let Some(class) = classes.iter().find(|class| COMMANDS.contains(&class.as_str())) {
        return usage(&format!(
            "--classes: `{class}` cannot be a class: u takes an answer back, s skips a row and q ends"
        ));
    }
    if arguments.reading.missing == Some(MissingArgument::Drop) {
        return usage("--missing drop: any row of the pool may be asked about; refuse or mean can be said");
    }
    if arguments.batch == 0 {
        return usage("--batch: one question at least is asked at a time");
    }
    if !(0.0..=1.0).contains(&arguments.diversity) {
        return usage("--diversity: a number from 0 to 1");
    }
    if !(0.0..=1.0).contains(&arguments.accept) {
        return usage("--accept: a share from 0 to 1");
    }
    let kernel: Expression = arguments.kernel.parse().map_err(Failure::Usage)?;
    let output = arguments.output.clone().unwrap_or_else(|| beside(&arguments.pool));
    let reading = arguments.reading.reading();
    let pool = Pool::read(&arguments.pool, &reading)?;
    if let Some(class) = classes.iter().find(|class| class.contains(pool.delimiter)) {
        return usage(&format!("--classes: `{class}` has in it what stands between two fields of the pool"));
    }
    let validation = match &arguments.validation {
        Some(path) => Some(pool.labelled(path, &reading, classes)?),
        None => None,
    };
    let items: Vec<Row<'_>> = (0..pool.rows.len()).map(|row| pool.rows.get(row)).collect();
    let memory = RowMemory::new(kernel.resolve(&pool.rows)?)?;
    let query = match arguments.query {
        QueryArgument::Mixed => Query::Mixed,
        QueryArgument::Nearest => Query::Nearest,
        QueryArgument::Band => Query::Band,
        QueryArgument::Uncertain => Query::Uncertain,
        QueryArgument::Random => Query::Random,
    };
    let machine = IncrementalSvc::new(memory, arguments.cost).map_err(Failure::Usage)?;
    let mut learner = ActiveLearner::of_classes(machine, classes.len(), query, arguments.seed)?;
    for (row, class) in pool.earlier(&output, classes)? {
        learner.answer(row, items[row], class).map_err(|error| error.in_file(&output))?;
    }
    remove_left_over(&output);
    // Nobody answers for nothing.
    check_writable(&output)?;
    let skipped = Vec::new();
    let mut dialogue = Dialogue { arguments, pool: &pool, items: &items, learner, skipped, output: &output };
    Ok(dialogue.run(validation.as_ref(), json)?)
}

/// Questions and answers.
struct Dialogue<'a> {
    arguments: &'a LabelArguments,
    pool: &'a Pool,
    items: &'a [Row<'a>],
    learner: ActiveLearner<RowMemory>,
    /// Rows that were skipped, and how many answers there were before each.
    skipped: Vec<(usize, usize)>,
    output: &'a Path,
}

impl Dialogue<'_> {
    /// Asks until there is nothing to ask, nobody to answer, or nothing more to learn.
    fn run(&mut self, validation: Option<&(Vectors<'static>, Vec<usize>)>, json: bool) -> Result<()> {
        let classes = &self.arguments.classes;
        let keys = match has_numbers(classes) {
            true => {
                let keys = classes.iter().enumerate().map(|(at, class)| format!("{} = {class}", at + 1));
                keys.collect::<Vec<_>>().join(", ") + " (or the words themselves)"
            }
            false => classes.join(", "),
        };
        note(format!(
            "{keys}, u takes the last answer back, s skips the row for now, q ends; {} has all answers",
            self.output.display()
        ));
        let known: Vec<(Row<'_>, usize)> = validation
            .map(|(rows, classes)| (0..rows.len()).map(|row| (rows.get(row), classes[row])).collect())
            .unwrap_or_default();
        let mut lines = std::io::stdin().lock().lines();
        let mut told = false;
        let mut questions = VecDeque::new();
        loop {
            if questions.is_empty() {
                if !told && self.is_enough(&known)? {
                    told = true;
                    if self.arguments.stop {
                        break;
                    }
                }
                let (batch, diversity) = (self.arguments.batch, self.arguments.diversity);
                questions.extend(self.learner.ask_some(self.items, batch, diversity)?);
            }
            let Some(&row) = questions.front() else {
                if self.learner.asked().is_empty() {
                    break;
                }
                note("\nEvery row has an answer: u takes the last one back, anything else ends.");
                match lines.next().transpose()?.as_deref().map(str::trim) {
                    Some("u") => questions.extend(self.undo()?),
                    _ => break,
                }
                continue;
            };
            let done = plural(self.learner.asked().len() as u64, "row");
            note(format!("\nrow {} ({done} labelled)\n{}", row + 1, self.pool.shown(row)));
            let _ = write!(std::io::stderr(), "> ");
            let Some(line) = lines.next().transpose()? else { break };
            match line.trim() {
                "q" => break,
                "u" => match self.undo()? {
                    Some(row) => questions.push_front(row),
                    None => note("There is no answer to take back."),
                },
                "s" => {
                    self.learner.pass_over(row);
                    self.skipped.push((row, self.learner.asked().len()));
                    questions.pop_front();
                }
                word => match answer(word, classes) {
                    Some(class) => {
                        self.learner.answer(row, self.items[row], class)?;
                        questions.pop_front();
                        self.write()?;
                    }
                    None => {
                        let numbers = (1..=classes.len()).filter(|_| has_numbers(classes));
                        let all: Vec<String> =
                            numbers.map(|at| at.to_string()).chain(classes.iter().cloned()).collect();
                        note(format!("`{word}` is none of {}, u, s and q", all.join(", ")));
                    }
                },
            }
        }
        self.tell(&known, json)
    }

    /// Takes back what was said last, be it an answer or that there is none; the row that it was about.
    fn undo(&mut self) -> Result<Option<usize>> {
        let answers = self.learner.asked().len();
        if let Some((row, _)) = self.skipped.pop_if(|(_, before)| *before == answers) {
            self.learner.take_up(row);
            return Ok(Some(row));
        }
        let row = self.learner.undo()?;
        if row.is_some() {
            self.write()?;
        }
        Ok(row)
    }

    /// Whether the rest may not be worth asking: nothing is left within the margin and rows with known classes are right, or, where there are none
    /// such, the last answers have changed little.
    fn is_enough(&self, known: &[(Row<'_>, usize)]) -> Result<bool> {
        if known.is_empty() {
            let is_settled = self.learner.has_settled(SETTLED.0, SETTLED.1);
            if is_settled {
                note("The last answers have hardly changed the machine: the rest may not be worth asking.");
            }
            return Ok(is_settled);
        }
        let is_done = self.learner.has_emptied(self.items, known, self.arguments.accept)?;
        if is_done {
            note(
                "No row is left within the margin, and the rows with known classes are right: the rest may not be worth asking.",
            );
        }
        Ok(is_done)
    }

    fn write(&self) -> Result<()> {
        self.pool.write_answers(&self.learner.asked(), &self.arguments.classes, self.output)
    }

    fn tell(&self, known: &[(Row<'_>, usize)], json: bool) -> Result<()> {
        let (learner, asked) = (&self.learner, self.learner.asked());
        let inside = match learner.has_boundary() {
            true => learner.band(self.items)?,
            false => self.items.len() - asked.len() - self.skipped.len(),
        };
        let wrong = match !known.is_empty() && learner.has_boundary() {
            true => Some(learner.error(known)?),
            false => None,
        };
        if json {
            let classes = self.arguments.classes.iter().enumerate();
            let counts: serde_json::Map<String, serde_json::Value> = classes
                .map(|(at, class)| (class.clone(), asked.iter().filter(|(_, own)| *own == at).count().into()))
                .collect();
            return show_json(&json!({
                "output": self.output.display().to_string(),
                "rows": self.items.len(),
                "labelled": asked.len(),
                "classes": counts,
                "skipped": self.skipped.iter().map(|(row, _)| row + 1).collect::<Vec<_>>(),
                "within_margin": inside,
                "wrong": wrong,
            }));
        }
        let skipped = match self.skipped.len() {
            0 => String::new(),
            some => format!(", {some} skipped"),
        };
        note(format!(
            "\n{} in {}{skipped}; {} without a label within the margin",
            plural(asked.len() as u64, "labelled row"),
            self.output.display(),
            plural(inside as u64, "row")
        ));
        if let Some(wrong) = wrong {
            let of_all = plural(known.len() as u64, "row");
            note(format!("{:.2} % of {of_all} with known classes are wrong", 100.0 * wrong));
        }
        Ok(())
    }
}

/// Whether classes can be answered by their number: not if one of them looks like a number itself.
fn has_numbers(classes: &[String]) -> bool {
    classes.iter().all(|class| class.parse::<f64>().is_err())
}

fn answer(word: &str, classes: &[String]) -> Option<usize> {
    let by_number = || {
        let number = word.parse::<usize>().ok().filter(|_| has_numbers(classes))?;
        number.checked_sub(1).filter(|&at| at < classes.len())
    };
    classes.iter().position(|class| class == word).or_else(by_number)
}

/// `pool.csv` and `pool.csv.gz` give `pool.labelled.csv`, `pool.tsv` gives `pool.labelled.tsv`.
fn beside(pool: &Path) -> PathBuf {
    let plain = if pool.extension().is_some_and(|end| end == "gz") {
        pool.with_extension("")
    } else {
        pool.to_path_buf()
    };
    match plain.extension().is_some_and(|end| end == "tsv") {
        true => plain.with_extension("labelled.tsv"),
        false => plain.with_extension("labelled.csv"),
    }
}
