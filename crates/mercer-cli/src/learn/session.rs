//! A learner at work.

use std::collections::HashMap;
use std::io::{BufWriter, Write};
use std::time::{Duration, Instant};

use mercer::data::Row;
use mercer::io::{ModelFormat, SavedLearner};
use mercer::machine::online::{Answer, Memory, Tally};
use mercer::{Error, Result};
use serde_json::{Value, json};

use super::begin;
use super::stream::{Example, Next, Stream, Values};
use super::told;
use crate::arguments::LearnArguments;
use crate::print::{Page, count, note, plural, rounded, show_json};
use crate::progress::Observer;

/// How long a stream is waited for between two looks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

pub struct Session<'a> {
    arguments: &'a LearnArguments,
    /// Options about a new learner that were said.
    given: &'a [String],
    observer: Observer,
    out: BufWriter<std::io::Stdout>,
    /// Examples that decide about a learner that has not begun, and before which of them bad lines stand.
    first: Vec<Example>,
    gaps: Vec<usize>,
    /// Bytes of the first examples.
    held: u64,
    at_work: Option<AtWork>,
    /// Examples that are still to be left out.
    skip: u64,
    /// Lines without a label, and lines that were passed over.
    unlabelled: u64,
    bad: u64,
    /// Whether it was said why nothing is written.
    warned: bool,
    started: Instant,
    /// When the model was written last.
    last: Instant,
}

/// The learner, once there is one.
struct AtWork {
    saved: SavedLearner,
    places: HashMap<String, usize>,
    before: Tally,
    written: Tally,
    changed: bool,
}

impl AtWork {
    fn new(saved: SavedLearner) -> Self {
        let classes = saved.learner.classes().iter().cloned();
        let places = classes.enumerate().map(|(at, name)| (name, at)).collect();
        let tally = saved.learner.tally();
        AtWork { saved, places, before: tally, written: tally, changed: tally.examples == 0 }
    }
}

impl<'a> Session<'a> {
    /// `bad` lines stand before the first that could be read.
    pub fn new(arguments: &'a LearnArguments, given: &'a [String], bad: usize) -> Self {
        Session {
            arguments,
            given,
            // From now on Ctrl-C ends the stream, not the program.
            observer: Observer::new(true, 0.0),
            out: BufWriter::new(std::io::stdout()),
            first: Vec::new(),
            gaps: vec![0; bad],
            held: 0,
            at_work: None,
            skip: 0,
            unlabelled: 0,
            bad: bad as u64,
            warned: false,
            started: Instant::now(),
            last: Instant::now(),
        }
    }

    pub fn is_interrupted(&self) -> bool {
        self.observer.is_interrupted()
    }

    /// Goes on with a model, or begins one, and learns what comes.
    pub fn run(&mut self, model: Option<SavedLearner>, stream: &mut Stream) -> Result<()> {
        if let Some(mut saved) = model {
            saved.learner.limit_memory(self.memory());
            std::mem::take(&mut self.gaps).iter().try_for_each(|_| self.leave_gap())?;
            stream.expect_names(saved.feature_names.as_deref())?;
            self.skip = if self.arguments.skip_seen { saved.learner.tally().examples } else { 0 };
            self.at_work = Some(AtWork::new(saved));
        }
        let outcome = self.follow(stream);
        if self.at_work.is_none() {
            // Few as they are, they are all that there is. Where they are too few, what ended the stream matters more.
            match self.begin(stream) {
                Err(error) => return outcome.and(Err(error)),
                Ok(()) => return outcome,
            }
        }
        outcome
    }

    fn follow(&mut self, stream: &mut Stream) -> Result<()> {
        let seconds = Duration::try_from_secs_f64(self.arguments.checkpoint_seconds).unwrap_or(Duration::MAX);
        while !self.is_interrupted() {
            let step = match stream.next() {
                Ok(Next::Example(example)) if self.at_work.is_none() => {
                    self.held += example.values.bytes();
                    self.first.push(example);
                    // Copies of them are made where the learner begins.
                    let is_full = self.held > self.memory() / 4;
                    match is_full || self.first.len() as u64 >= self.arguments.learner.first {
                        true => self.begin(stream),
                        false => Ok(()),
                    }
                }
                Ok(Next::Example(example)) => self.one(example),
                Ok(Next::End) => return Ok(()),
                Ok(Next::Nothing) => {
                    // Somebody may wait for the answers before the next question.
                    self.out.flush()?;
                    stream.wait(
                        seconds.saturating_sub(self.last.elapsed()).clamp(Duration::from_millis(1), LOOK),
                    )
                }
                Err(error) => Err(error),
            };
            self.passed_over(step)?;
            if self.last.elapsed() >= seconds {
                match self.at_work.is_some() {
                    true => self.checkpoint()?,
                    // Perhaps there are examples enough; if not, more will come.
                    false => {
                        if begin::is_clear(&self.arguments.learner, &self.first) {
                            let begun = self.begin(stream);
                            if self.at_work.is_some() {
                                begun?;
                            }
                        } else if !std::mem::replace(&mut self.warned, true) {
                            note(format!(
                                "mercer: nothing is written before {} have come, or the stream ends: --task says whether labels are \
                                 classes or numbers, and --classes which there are",
                                plural(self.arguments.learner.first, "example")
                            ));
                        }
                        self.last = Instant::now();
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes a learner of the first examples, which are predicted and learned only now.
    fn begin(&mut self, stream: &mut Stream) -> Result<()> {
        let mut saved = begin::learner(&self.arguments.learner, self.given, stream, &self.first)?;
        saved.learner.limit_memory(self.memory());
        stream.expect_names(saved.feature_names.as_deref())?;
        self.at_work = Some(AtWork::new(saved));
        let mut gaps = std::mem::take(&mut self.gaps).into_iter().peekable();
        for (at, example) in std::mem::take(&mut self.first).into_iter().enumerate() {
            while gaps.next_if_eq(&at).is_some() {
                self.leave_gap()?;
            }
            let step = self.one(example);
            self.passed_over(step)?;
        }
        gaps.try_for_each(|_| self.leave_gap())
    }

    fn leave_gap(&mut self) -> Result<()> {
        if self.arguments.predictions {
            writeln!(self.out)?;
        }
        Ok(())
    }

    /// Bytes that remembered examples may take.
    fn memory(&self) -> u64 {
        self.arguments.memory.saturating_mul(1 << 20)
    }

    /// A bad line is counted, if it may be; answers keep standing beside their lines.
    fn passed_over(&mut self, step: Result<()>) -> Result<()> {
        match step {
            Err(Error::Parse { .. }) if self.arguments.skip_bad => {
                self.bad += 1;
                match self.at_work.is_some() {
                    true => self.leave_gap(),
                    false => {
                        self.gaps.push(self.first.len());
                        Ok(())
                    }
                }
            }
            other => other,
        }
    }

    fn one(&mut self, mut example: Example) -> Result<()> {
        let Some(work) = &mut self.at_work else { return Ok(()) };
        let (line, column) = (example.line, example.label_column);
        scale(&work.saved, &mut example.values, line)?;
        let row = example.values.row();
        let answer = match &example.label {
            Some(label) => {
                let truth = truth(work, label).map_err(|problem| Error::Parse { line, column, problem })?;
                let named = |error| match error {
                    Error::Entry { what: "target", value, expected, .. } => {
                        Error::Parse { line, column, problem: format!("{value}, expected {expected}") }
                    }
                    other => in_line(other, line),
                };
                if self.skip > 0 {
                    // A line that could not be learned was not counted, and is a bad line again.
                    check_example(&work.saved, row, truth).map_err(named)?;
                    self.skip -= 1;
                    return Ok(());
                }
                let answer = work.saved.learner.learn(row, truth).map_err(named)?;
                work.changed = true;
                answer
            }
            None => {
                self.unlabelled += 1;
                work.saved.learner.predict(row).map_err(|error| in_line(error, line))?
            }
        };
        if self.arguments.predictions {
            match answer {
                Answer::Class(class) => writeln!(self.out, "{}", work.saved.learner.classes()[class])?,
                Answer::Number(number) => writeln!(self.out, "{number}")?,
            }
        }
        let since = work.saved.learner.tally().examples - work.written.examples;
        if since >= self.arguments.checkpoint_every { self.checkpoint() } else { Ok(()) }
    }

    /// Writes the model, all or nothing, and says how it goes.
    fn checkpoint(&mut self) -> Result<()> {
        // Even if nobody takes the answers any more, what was learned is kept.
        let flushed = self.out.flush();
        self.last = Instant::now();
        let Some(work) = &mut self.at_work else { return Ok(flushed?) };
        let tally = work.saved.learner.tally();
        if std::mem::take(&mut work.changed) {
            work.saved.save(&self.arguments.model, ModelFormat::of(&self.arguments.model))?;
            if !self.arguments.quiet {
                note(progress(work, tally));
            }
        }
        work.written = tally;
        Ok(flushed?)
    }

    /// Writes what was learned; nothing if that is nothing.
    pub fn end(&mut self) -> Result<()> {
        let has_learned =
            |work: &AtWork| work.saved.learner.tally().examples > 0 || self.arguments.model.exists();
        match self.at_work.as_ref().is_some_and(has_learned) {
            true => self.checkpoint(),
            false => Ok(self.out.flush()?),
        }
    }

    /// Examples that the model has seen and this stream has not, though it should begin where the other did.
    pub fn tell_shortness(&self) {
        if self.skip > 0 && !self.is_interrupted() {
            note(format!(
                "mercer: --skip-seen: the stream ends {} before the last that the model has seen: is it the same one?",
                plural(self.skip, "example")
            ));
        }
    }

    pub fn tell(&self, json: bool) -> Result<()> {
        let Some(AtWork { saved, before, .. }) = &self.at_work else { return Ok(()) };
        let new = saved.learner.tally().examples - before.examples;
        let seconds = self.started.elapsed().as_secs_f64();
        if json {
            let mut told = told::values(saved, &self.arguments.model);
            let own = json!({
                "new_examples": new,
                "unlabelled": self.unlabelled,
                "bad_lines": self.bad,
                "seconds": seconds,
                "peak_memory": peak_memory(),
            });
            if let (Some(told), Value::Object(own)) = (told.as_object_mut(), own) {
                told.extend(own);
            }
            return show_json(&told);
        }
        let mut page = Page::default();
        page.line("model", self.arguments.model.display());
        told::lines(&mut page, saved);
        page.line("new examples", count(new));
        if self.unlabelled > 0 {
            page.line("only predicted", plural(self.unlabelled, "line") + " without a label");
        }
        if self.bad > 0 {
            page.line("passed over", plural(self.bad, "line") + " that could not be read or learned");
        }
        if new > 0 {
            let speed = count((new as f64 / seconds.max(1e-9)) as u64);
            page.line("speed", format!("{speed} examples a second"));
        }
        if let Some(bytes) = peak_memory() {
            page.line("memory", format!("{} MB at most", count(bytes >> 20)));
        }
        page.show()
    }
}

fn scale(saved: &SavedLearner, values: &mut Values, line: u64) -> Result<()> {
    let (Some(scaling), Values::Dense(row)) = (&saved.scaling, values) else { return Ok(()) };
    if row.len() != scaling.columns() {
        let problem = format!("{} features, and the model has learned {}", row.len(), scaling.columns());
        return Err(Error::Parse { line, column: 1, problem });
    }
    for ((value, centre), width) in row.iter_mut().zip(scaling.centre()).zip(scaling.width()) {
        *value = (*value - centre) / width;
    }
    Ok(())
}

fn truth(work: &AtWork, label: &str) -> std::result::Result<Answer, String> {
    if work.places.is_empty() {
        return label.parse().map(Answer::Number).map_err(|_| format!("the label `{label}` is not a number"));
    }
    // Numbers may be written in several ways.
    let place = work.places.get(label).or_else(|| work.places.get(&begin::plain(label)?));
    place.map(|&class| Answer::Class(class)).ok_or_else(|| {
        let known = work.saved.learner.classes().join(", ");
        let numbers =
            if begin::plain(label).is_some() { ", --task numbers learns them as numbers" } else { "" };
        format!(
            "the class `{label}` is new; the learner knows {known} (--classes names all at first{numbers})"
        )
    })
}

/// Refuses an example that no learner like this one learns, whatever it has seen.
fn check_example(saved: &SavedLearner, row: Row<'_>, truth: Answer) -> Result<()> {
    let machine = &saved.learner.machines()[0];
    machine.function().memory().own_value(row)?;
    match truth {
        Answer::Class(_) => Ok(()),
        Answer::Number(target) => machine.rule().judge(0.0, target).map(|_| ()),
    }
}

fn in_line(error: Error, line: u64) -> Error {
    match error {
        named if named.code() == "parse" => named,
        other => Error::Parse { line, column: 1, problem: other.to_string() },
    }
}

fn progress(work: &AtWork, tally: Tally) -> String {
    let recent = tally.examples - work.written.examples;
    let share = |part: u64, all: u64| 100.0 * part as f64 / all.max(1) as f64;
    let now = match work.saved.learner.classes().is_empty() {
        true => String::new(),
        false => format!(
            ", {:.2} % mistakes ({:.2} % of the last {})",
            share(tally.mistakes, tally.examples),
            share(tally.mistakes - work.written.mistakes, recent),
            count(recent)
        ),
    };
    let loss = rounded(tally.loss / tally.examples.max(1) as f64, 4);
    format!("{} examples{now}, mean loss {loss}", count(tally.examples))
}

/// The most memory that the process had, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}
