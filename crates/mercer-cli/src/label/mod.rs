//! `mercer label`

mod pool;

use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use mercer::data::{Items, Row, Vectors};
use mercer::kernel::Expression;
use mercer::machine::online::{ActiveLearner, IncrementalSvc, Query, RowMemory};
use mercer::{Error, Result};

use crate::arguments::{LabelArguments, QueryArgument};
use crate::failure::Failure;
use crate::print::{note, plural};
use pool::Pool;

/// The dual objective grew by less than this share in so many answers: the rest would teach little.
const SETTLED: (usize, f64) = (10, 1e-3);

pub fn run(arguments: &LabelArguments) -> std::result::Result<(), Failure> {
    let usage = |what: &str| Err(Failure::Usage(Error::Unsupported { what: what.into() }));
    let classes = &arguments.classes;
    if classes.len() < 2 {
        return usage("--classes: two at least are needed to be told apart");
    }
    let is_bad = |class: &String| class.contains([',', '"', '\n']) || class.is_empty();
    if classes.iter().enumerate().any(|(at, class)| is_bad(class) || classes[..at].contains(class)) {
        return usage("--classes: different words without commas and quotes");
    }
    if arguments.reading.label.is_some() {
        return usage("--label: the pool has no labels yet; --ignore leaves a column out");
    }
    if arguments.batch == 0 {
        return usage("--batch: one question at least is asked at a time");
    }
    if !(0.0..=1.0).contains(&arguments.accept) {
        return usage("--accept: a share from 0 to 1");
    }
    let kernel: Expression = arguments.kernel.parse().map_err(Failure::Usage)?;
    let output = arguments.output.clone().unwrap_or_else(|| beside(&arguments.pool));
    let pool = Pool::read(&arguments.pool, &arguments.reading)?;
    let validation = match &arguments.validation {
        Some(path) => Some(pool.labelled(path, &arguments.reading, classes)?),
        None => None,
    };
    let items: Vec<Row<'_>> = (0..pool.rows.len()).map(|row| pool.rows.get(row)).collect();
    let memory = RowMemory::new(kernel.resolve(&pool.rows)?)?;
    let query = match arguments.query {
        QueryArgument::Nearest => Query::Nearest,
        QueryArgument::Band => Query::Band,
        QueryArgument::Uncertain => Query::Uncertain,
        QueryArgument::Random => Query::Random,
    };
    let machine = IncrementalSvc::new(memory, arguments.cost).map_err(Failure::Usage)?;
    let mut learner = ActiveLearner::of_classes(machine, classes.len(), query, arguments.seed)?;
    // A diversity that makes no sense is told before anybody has answered.
    learner.ask_some(&[], 1, arguments.diversity).map_err(Failure::Usage)?;
    for (row, class) in pool.earlier(&output, classes)? {
        learner.answer(row, items[row], class).map_err(|error| error.in_file(&output))?;
    }
    let mut dialogue = Dialogue { arguments, pool: &pool, items: &items, learner, output: &output };
    Ok(dialogue.run(validation.as_ref())?)
}

/// Questions and answers.
struct Dialogue<'a> {
    arguments: &'a LabelArguments,
    pool: &'a Pool,
    items: &'a [Row<'a>],
    learner: ActiveLearner<RowMemory>,
    output: &'a Path,
}

impl Dialogue<'_> {
    /// Asks until there is nothing to ask, nobody to answer, or nothing more to learn.
    fn run(&mut self, validation: Option<&(Vectors<'static>, Vec<usize>)>) -> Result<()> {
        let classes = &self.arguments.classes;
        let keys: Vec<String> =
            classes.iter().enumerate().map(|(at, class)| format!("{} = {class}", at + 1)).collect();
        note(format!(
            "{} (or the words themselves), u takes the last answer back, q ends; {} has all answers",
            keys.join(", "),
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
            let Some(&row) = questions.front() else { break };
            let done = plural(self.learner.asked().len() as u64, "row");
            note(format!("\nrow {} ({done} labelled)\n{}", row + 1, self.pool.shown(row)));
            let _ = write!(std::io::stderr(), "> ");
            let Some(line) = lines.next().transpose()? else { break };
            let is_free = |word: &str| !classes.iter().any(|class| class == word);
            match line.trim() {
                "q" if is_free("q") => break,
                "u" if is_free("u") => match self.learner.undo()? {
                    Some(row) => {
                        questions.push_front(row);
                        self.write()?;
                    }
                    None => note("There is no answer to take back."),
                },
                word => match answer(word, classes) {
                    Some(class) => {
                        self.learner.answer(row, self.items[row], class)?;
                        questions.pop_front();
                        self.write()?;
                    }
                    None => {
                        let numbers: Vec<String> = (1..=classes.len()).map(|at| at.to_string()).collect();
                        let (numbers, words) = (numbers.join(", "), classes.join(", "));
                        note(format!("`{word}` is none of {numbers}, {words}, u and q"));
                    }
                },
            }
        }
        self.tell(&known)
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

    fn tell(&self, known: &[(Row<'_>, usize)]) -> Result<()> {
        let (learner, asked) = (&self.learner, self.learner.asked().len());
        let inside = match learner.has_boundary() {
            true => learner.band(self.items)?,
            false => self.items.len() - asked,
        };
        note(format!(
            "\n{} in {}; {} without a label within the margin",
            plural(asked as u64, "labelled row"),
            self.output.display(),
            plural(inside as u64, "row")
        ));
        if !known.is_empty() && learner.has_boundary() {
            let error = 100.0 * learner.error(known)?;
            note(format!(
                "{error:.2} % of {} with known classes are wrong",
                plural(known.len() as u64, "row")
            ));
        }
        Ok(())
    }
}

fn answer(word: &str, classes: &[String]) -> Option<usize> {
    let by_number = || word.parse::<usize>().ok()?.checked_sub(1).filter(|&at| at < classes.len());
    classes.iter().position(|class| class == word).or_else(by_number)
}

/// `pool.csv` gives `pool.labelled.csv`.
fn beside(pool: &Path) -> PathBuf {
    pool.with_extension("labelled.csv")
}
