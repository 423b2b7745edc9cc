//! `mercer learn`

mod begin;
mod stream;
pub mod told;

use std::collections::HashMap;
use std::io::{BufRead, BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use mercer::data::check_writable;
use mercer::io::{ModelFormat, SavedLearner};
use mercer::machine::online::{Answer, Tally};
use mercer::{Error, Result};
use serde_json::{Value, json};

use crate::arguments::LearnArguments;
use crate::failure::Failure;
use crate::print::{Page, count, note, rounded, show_json};
use stream::{Example, Stream, Values};

pub fn run(arguments: &LearnArguments, given: &[String], json: bool) -> std::result::Result<(), Failure> {
    let usage = |what: String| Err(Failure::Usage(Error::Unsupported { what }));
    if arguments.checkpoint_every == 0
        || arguments.checkpoint_seconds.is_nan()
        || arguments.checkpoint_seconds <= 0.0
    {
        return usage("--checkpoint-every and --checkpoint-seconds must be above 0".into());
    }
    if json && arguments.predictions {
        return usage(
            "--predictions and --json both go to standard output: one of them can be asked for".into(),
        );
    }
    check_writable(&arguments.model)?;
    let exists = arguments.model.exists();
    if exists && !given.is_empty() {
        let (options, path) = (given.join(", "), arguments.model.display());
        return usage(format!("{options}: {path} is there already and goes on as it is"));
    }
    remove_left_over(&arguments.model);
    let input = std::io::stdin().lock();
    let mut stream = Stream::new(input, arguments.format, arguments.label.as_deref())?;
    let (saved, first) = match exists {
        true => (SavedLearner::load(&arguments.model)?, Vec::new()),
        false => begin(arguments, &mut stream)?,
    };
    stream.expect_names(saved.feature_names.as_deref())?;
    let mut session = Session::new(arguments, saved);
    // What was learned before a line that cannot be read is kept.
    let outcome = session.learn(first, &mut stream);
    session.checkpoint()?;
    outcome?;
    if !arguments.quiet {
        session.tell(json)?;
    }
    Ok(())
}

/// A new learner, and the examples that it was made from: they are predicted and learned afterwards.
fn begin(
    arguments: &LearnArguments,
    stream: &mut Stream<impl BufRead>,
) -> Result<(SavedLearner, Vec<Example>)> {
    // No more than may be lost: before there is a learner there is no checkpoint.
    let most = arguments.learner.first.min(arguments.checkpoint_every).max(1);
    let mut first = Vec::new();
    while (first.len() as u64) < most {
        match stream.next()? {
            Some(example) => first.push(example),
            None => break,
        }
    }
    let saved =
        begin::learner(&arguments.learner, stream.format(), &first, stream.names(), stream.label_name())?;
    Ok((saved, first))
}

/// A learner at work.
struct Session<'a> {
    arguments: &'a LearnArguments,
    saved: SavedLearner,
    places: HashMap<String, usize>,
    /// Examples that are still to be left out.
    skip: u64,
    before: Tally,
    written: Tally,
    started: Instant,
    last: Instant,
    changed: bool,
}

impl<'a> Session<'a> {
    fn new(arguments: &'a LearnArguments, saved: SavedLearner) -> Self {
        let classes = saved.learner.classes().iter().cloned();
        let places = classes.enumerate().map(|(at, name)| (name, at)).collect();
        let tally = saved.learner.tally();
        Session {
            arguments,
            saved,
            places,
            skip: if arguments.skip_seen { tally.examples } else { 0 },
            before: tally,
            written: tally,
            started: Instant::now(),
            last: Instant::now(),
            changed: tally.examples == 0,
        }
    }

    fn learn(&mut self, first: Vec<Example>, stream: &mut Stream<impl BufRead>) -> Result<()> {
        // Flushed at every line that a person may wait for would be slow; a pipe gets them in blocks.
        let mut out = BufWriter::new(std::io::stdout().lock());
        for example in first {
            self.one(example, &mut out)?;
        }
        while let Some(example) = stream.next()? {
            self.one(example, &mut out)?;
        }
        Ok(out.flush()?)
    }

    fn one(&mut self, mut example: Example, out: &mut impl Write) -> Result<()> {
        if self.skip > 0 && example.label.is_some() {
            self.skip -= 1;
            return Ok(());
        }
        let line = example.line;
        let in_line = |error: Error| match error {
            named @ Error::Parse { .. } => named,
            other => Error::Parse { line, column: 1, problem: other.to_string() },
        };
        self.scale(&mut example.values, line)?;
        let row = example.values.row();
        let answer = match &example.label {
            Some(label) => {
                let truth = self.truth(label, line)?;
                self.changed = true;
                self.saved.learner.learn(row, truth).map_err(in_line)?
            }
            None => self.saved.learner.predict(row).map_err(in_line)?,
        };
        if self.arguments.predictions {
            match answer {
                Answer::Class(class) => writeln!(out, "{}", self.saved.learner.classes()[class])?,
                Answer::Number(number) => writeln!(out, "{number}")?,
            }
        }
        let since = self.saved.learner.tally().examples - self.written.examples;
        let seconds = Duration::try_from_secs_f64(self.arguments.checkpoint_seconds).unwrap_or(Duration::MAX);
        if since >= self.arguments.checkpoint_every || (since > 0 && self.last.elapsed() >= seconds) {
            out.flush()?;
            self.checkpoint()?;
        }
        Ok(())
    }

    fn scale(&self, values: &mut Values, line: u64) -> Result<()> {
        let (Some(scaling), Values::Dense(row)) = (&self.saved.scaling, values) else { return Ok(()) };
        if row.len() != scaling.columns() {
            let problem = format!("{} features, and the model has learned {}", row.len(), scaling.columns());
            return Err(Error::Parse { line, column: 1, problem });
        }
        for ((value, centre), width) in row.iter_mut().zip(scaling.centre()).zip(scaling.width()) {
            *value = (*value - centre) / width;
        }
        Ok(())
    }

    fn truth(&self, label: &str, line: u64) -> Result<Answer> {
        if self.places.is_empty() {
            let problem =
                || Error::Parse { line, column: 1, problem: format!("the label `{label}` is not a number") };
            return label.parse().map(Answer::Number).map_err(|_| problem());
        }
        match self.places.get(label) {
            Some(&class) => Ok(Answer::Class(class)),
            None => {
                let known = self.saved.learner.classes().join(", ");
                let problem = format!(
                    "the class `{label}` is new; the learner knows {known} (--classes names all at first)"
                );
                Err(Error::Parse { line, column: 1, problem })
            }
        }
    }

    /// Writes the model, all or nothing, and says how it goes.
    fn checkpoint(&mut self) -> Result<()> {
        let tally = self.saved.learner.tally();
        if std::mem::take(&mut self.changed) {
            self.saved.save(&self.arguments.model, ModelFormat::of(&self.arguments.model))?;
            if !self.arguments.quiet {
                note(self.progress(tally));
            }
        }
        (self.written, self.last) = (tally, Instant::now());
        Ok(())
    }

    fn progress(&self, tally: Tally) -> String {
        let recent = tally.examples - self.written.examples;
        let share = |part: u64, all: u64| 100.0 * part as f64 / all.max(1) as f64;
        let now = match self.saved.learner.classes().is_empty() {
            true => String::new(),
            false => format!(
                ", {:.2} % mistakes ({:.2} % of the last {})",
                share(tally.mistakes, tally.examples),
                share(tally.mistakes - self.written.mistakes, recent),
                count(recent)
            ),
        };
        let loss = rounded(tally.loss / tally.examples.max(1) as f64, 4);
        format!("{} examples{now}, mean loss {loss}", count(tally.examples))
    }

    fn tell(&self, json: bool) -> Result<()> {
        let new = self.saved.learner.tally().examples - self.before.examples;
        let seconds = self.started.elapsed().as_secs_f64();
        let mut told = told::values(&self.saved, &self.arguments.model);
        if json {
            let own = json!({ "new_examples": new, "seconds": seconds, "peak_memory": peak_memory() });
            if let (Some(told), Value::Object(own)) = (told.as_object_mut(), own) {
                told.extend(own);
            }
            return show_json(&told);
        }
        let mut page = Page::default();
        page.line("model", self.arguments.model.display());
        told::lines(&mut page, &self.saved);
        page.line("new examples", count(new));
        page.line("speed", format!("{} examples a second", count((new as f64 / seconds.max(1e-9)) as u64)));
        if let Some(bytes) = peak_memory() {
            page.line("memory", format!("{} MB at most", count(bytes >> 20)));
        }
        page.show()
    }
}

/// The most memory that the process had, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

/// Removes what checkpoints that were killed while they were written have left beside the model, if their process is gone.
pub fn remove_left_over(model: &Path) {
    let (Some(name), Some(folder)) = (model.file_name().and_then(|name| name.to_str()), model.parent())
    else {
        return;
    };
    if !Path::new("/proc/self").exists() {
        return;
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let found = entry.file_name();
        let process = found
            .to_str()
            .and_then(|found| found.strip_prefix(&format!(".{name}."))?.strip_suffix(".tmp"))
            .and_then(|rest| rest.split_once('.'))
            .filter(|(process, number)| [process, number].iter().all(|word| word.parse::<u64>().is_ok()));
        if let Some((process, _)) = process
            && !Path::new("/proc").join(process).exists()
        {
            // Whoever cannot remove it leaves it.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}
