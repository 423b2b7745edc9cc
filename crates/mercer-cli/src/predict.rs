//! `mercer predict`

use std::io::Write;
use std::path::Path;

use mercer::data::{ItemKind, Remarks, Table, Targets, write_atomically};
use mercer::evaluation::ErrorSums;
use mercer::io::{Answer, MatrixModel, TrainedMachine};
use mercer::machine::one_against_one::{highest as winner_of, winner};
use mercer::{Error, Result};
use serde_json::{Value, json};

use crate::arguments::{MissingArgument, PredictArguments, StyleArgument};
use crate::beside::{Beside, own_width};
use crate::failure::Failure;
use crate::load::load;
use crate::others::Ranked;
use crate::precomputed::is_precomputed;
use crate::prediction::Prediction;
use crate::print::{count, note, rounded, to_stdout};
use crate::{matrix, output, pre_images, remarks, source};

/// What rows outside and inside the region of a novelty detector are called.
const NOVEL: &str = "novel";
const KNOWN: &str = "known";

pub fn run(arguments: &PredictArguments, json: bool) -> std::result::Result<(), Failure> {
    let file = arguments.output.as_deref().filter(|path| !source::is_standard(path));
    if let Some(path) = file {
        output::check(path, arguments.force, &[&arguments.model, &arguments.data.data])?;
    }
    let usage = |what: &str| Err(Failure::Usage(Error::Unsupported { what: what.into() }));
    if arguments.data.reading.missing == Some(MissingArgument::Drop) {
        return usage("--missing drop: every row gets a prediction; refuse or mean can be said");
    }
    if arguments.probabilities && arguments.style == StyleArgument::Libsvm && arguments.scores {
        return usage("--style libsvm has room for --scores or --probabilities, not for both");
    }
    let (data, reading) = (&arguments.data.data, &arguments.data.reading);
    let saved = load(&arguments.model)?;
    if arguments.pre_images {
        if saved.machine.item_kind() != ItemKind::Rows {
            return usage(
                "--pre-images is for principal components of rows of numbers: other items are not put together of parts",
            );
        }
        return pre_images::run(arguments, &saved, file, json);
    }
    let beside = Beside::asked(arguments, &saved.machine)?;
    if beside == Beside::Error && is_precomputed(&saved) {
        return usage(
            "--scores: how far a row is from the plane takes k(x, x), which kernel values do not tell",
        );
    }
    let prediction = Prediction::new(&saved, data, reading, arguments.threads)?.with(beside);
    write(arguments, &prediction, file, json)
}

/// Writes what a model says about all rows of a file.
fn write(
    arguments: &PredictArguments,
    prediction: &Prediction<'_>,
    file: Option<&Path>,
    json: bool,
) -> std::result::Result<(), Failure> {
    if own_width(&prediction.model) == 0 {
        let what = "the model has no component, so that there is nothing to say about a row".into();
        return Err(Error::Unsupported { what }.into());
    }
    let mut tally = Tally::new(&prediction.model);
    let mut all = |out: &mut dyn Write| -> Result<()> {
        let mut lines = Lines::new(arguments, json, &prediction.model);
        let mut begun = false;
        // Nothing is written before there is an answer: the first rows may be refused.
        prediction.each(|table, scores| {
            if !std::mem::replace(&mut begun, true) {
                lines.begin(out)?;
            }
            tally.add(prediction, table, scores)?;
            scores.chunks_exact(prediction.width()).try_for_each(|scores| lines.row(out, scores))
        })?;
        if !begun {
            lines.begin(out)?;
        }
        lines.end(out, &tally)
    };
    let outcome = match file {
        Some(path) => write_atomically(path, |out| all(out)),
        None => to_stdout(all),
    };
    if prediction.observer.is_interrupted() {
        return Err(Failure::Interrupted);
    }
    outcome?;
    tally.tell();
    Ok(())
}

/// Scores of rows, and what they should be in the order of.
#[derive(Default)]
struct Order {
    scores: Vec<f64>,
    relevance: Vec<f64>,
    queries: Vec<u64>,
}

impl Order {
    /// How well the order is told; nothing if no row says what it should be.
    fn measured(&self) -> Option<Ranked> {
        let queries = (self.queries.len() == self.scores.len()).then_some(&self.queries[..]);
        (!self.scores.is_empty()).then(|| Ranked::new(&self.scores, &self.relevance, queries).ok())?
    }
}

/// How predictions compare with what the file says, and what else was noticed.
struct Tally {
    rows: usize,
    compared: Compared,
    remarks: Remarks,
}

enum Compared {
    Classes {
        labelled: usize,
        right: usize,
    },
    Numbers(ErrorSums),
    /// Relevances are to be put into order, not to be met.
    Order(Order),
    Novel(usize),
    /// Components and clusters: no label tells where an item should lie.
    Nothing,
}

impl Tally {
    fn new(model: &TrainedMachine) -> Self {
        let compared = match model {
            TrainedMachine::Svc(_) | TrainedMachine::Classes(_) | TrainedMachine::Linear(_) => {
                Compared::Classes { labelled: 0, right: 0 }
            }
            TrainedMachine::Svr(_) | TrainedMachine::LinearRegression(_) => {
                Compared::Numbers(ErrorSums::default())
            }
            TrainedMachine::Novelty(_) => Compared::Novel(0),
            TrainedMachine::Matrix(MatrixModel::Rank(_)) => Compared::Order(Order::default()),
            TrainedMachine::Matrix(model) => match model.answer() {
                Answer::Classes => Compared::Classes { labelled: 0, right: 0 },
                Answer::Numbers if model.width() == 1 => Compared::Numbers(ErrorSums::default()),
                Answer::Novelty => Compared::Novel(0),
                _ => Compared::Nothing,
            },
        };
        Tally { rows: 0, compared, remarks: Remarks::default() }
    }

    fn add(&mut self, prediction: &Prediction<'_>, table: &Table<'_>, scores: &[f64]) -> Result<()> {
        self.rows += table.rows();
        remarks::join(&mut self.remarks, &table.remarks);
        match (&prediction.model, &mut self.compared, &table.targets) {
            (model, Compared::Classes { labelled, right }, targets) if targets.rows().is_some() => {
                let (labels, classes) = (targets.labels()?, model.classes()?);
                let predicted = scores
                    .chunks_exact(prediction.width())
                    .map(|of_row| &classes[winner(&of_row[..classes.len()])]);
                *labelled += labels.len();
                *right += predicted.enumerate().filter(|(row, class)| *class == labels.text(*row)).count();
            }
            (_, Compared::Numbers(sums), Targets::Numbers(targets)) => {
                let predicted = scores.chunks_exact(prediction.width()).map(|of_row| of_row[0]);
                targets.iter().zip(predicted).for_each(|(&target, predicted)| sums.add(target, predicted));
            }
            (_, Compared::Order(order), Targets::Numbers(relevance)) => {
                order.scores.extend_from_slice(scores);
                order.relevance.extend_from_slice(relevance);
                order.queries.extend(table.groups.iter().flatten());
            }
            (TrainedMachine::Novelty(model), Compared::Novel(novel), _) => {
                *novel += scores.iter().filter(|&&score| model.is_outside(score)).count();
            }
            (_, Compared::Novel(novel), _) => {
                *novel += scores.iter().filter(|&&score| score < 0.0).count();
            }
            // There is nothing to compare with.
            _ => {}
        }
        Ok(())
    }

    fn tell(&self) {
        remarks::tell(&self.remarks);
        match &self.compared {
            Compared::Nothing => {}
            Compared::Order(order) => order.measured().iter().for_each(|measured| note(measured.words())),
            Compared::Classes { labelled: 0, .. } | Compared::Numbers(ErrorSums { rows: 0, .. }) => {}
            Compared::Classes { labelled, right } => {
                let share = 100.0 * *right as f64 / *labelled as f64;
                note(format!("{share:.2} % as labelled ({right} of {labelled})"));
            }
            Compared::Numbers(sums) => {
                let explained = sums.r_squared().map_or(String::new(), |value| format!(", R² {value:.4}"));
                note(format!(
                    "RMSE {}, MAE {}{explained} ({} rows with a target)",
                    rounded(sums.root_mean_squared(), 4),
                    rounded(sums.mean_absolute(), 4),
                    count(sums.rows)
                ));
            }
            Compared::Novel(novel) => {
                let share = 100.0 * *novel as f64 / self.rows.max(1) as f64;
                note(format!("{share:.2} % {NOVEL} ({novel} of {})", self.rows));
            }
        }
    }

    /// For programs.
    fn json(&self) -> Value {
        match &self.compared {
            Compared::Classes { labelled, right } => {
                json!({ "as_labelled": (*labelled > 0).then_some(right) })
            }
            Compared::Numbers(sums) if sums.rows == 0 => json!({}),
            Compared::Numbers(sums) => json!({
                "rmse": sums.root_mean_squared(),
                "mae": sums.mean_absolute(),
                "r_squared": sums.r_squared(),
            }),
            Compared::Novel(novel) => json!({ "novel": novel }),
            Compared::Order(order) => order.measured().map_or(json!({}), |measured| measured.json()),
            Compared::Nothing => json!({}),
        }
    }
}

/// Predictions as they are written.
struct Lines<'a> {
    model: &'a TrainedMachine,
    style: StyleArgument,
    scores: bool,
    probabilities: bool,
    std: bool,
    samples: Option<usize>,
    json: bool,
    first: bool,
}

impl<'a> Lines<'a> {
    fn new(arguments: &PredictArguments, json: bool, model: &'a TrainedMachine) -> Self {
        let PredictArguments { style, scores, probabilities, std, samples, .. } = *arguments;
        Lines { model, style, scores, probabilities, std, samples, json, first: true }
    }

    fn begin(&self, out: &mut dyn Write) -> Result<()> {
        if self.json {
            return match self.model.classes() {
                Ok(classes) => Ok(write!(out, "{{\"classes\": {},\n\"predictions\": [", json!(classes))?),
                Err(_) => Ok(write!(out, "{{\"predictions\": [")?),
            };
        }
        match (self.style, self.model.classes()) {
            (StyleArgument::Libsvm, Ok(classes)) if self.scores || self.probabilities => {
                writeln!(out, "labels {}", classes.join(" "))?;
            }
            (StyleArgument::Libsvm, _) => {}
            (StyleArgument::Csv, _) if matrix::columns(self.model).is_some() => {
                let mut columns = matrix::columns(self.model).unwrap_or_default();
                match (self.std, self.scores) {
                    (true, _) => columns.extend((1..=columns.len()).map(|output| format!("std {output}"))),
                    (_, true) => columns.push("error".into()),
                    _ => {}
                }
                writeln!(out, "{}", columns.join(","))?;
            }
            (StyleArgument::Csv, classes) => {
                write!(out, "prediction")?;
                match classes {
                    Ok(classes) => {
                        for (what, shown) in [("score", self.scores), ("probability", self.probabilities)] {
                            for class in classes.iter().filter(|_| shown) {
                                write!(out, ",{}", field(&format!("{what} {class}")))?;
                            }
                        }
                    }
                    Err(_) if self.scores => write!(out, ",score")?,
                    Err(_) if self.std => write!(out, ",std")?,
                    Err(_) => (1..=self.samples.unwrap_or(0)).try_for_each(|s| write!(out, ",sample {s}"))?,
                }
                writeln!(out)?;
            }
        }
        Ok(())
    }

    fn row(&mut self, out: &mut dyn Write, scores: &[f64]) -> Result<()> {
        if self.json {
            let comma = if std::mem::take(&mut self.first) { "" } else { "," };
            let row = match (self.model, self.scores) {
                (_, shown) if self.model.classes().is_ok() && (shown || self.probabilities) => {
                    let mut row = json!({ "class": self.word(scores) });
                    if shown {
                        row["scores"] = json!(self.scores_of(scores));
                    }
                    if self.probabilities {
                        row["probabilities"] = json!(self.beside(scores));
                    }
                    row
                }
                (TrainedMachine::Novelty(_), true) => {
                    json!({ "class": self.word(scores), "score": scores[0] })
                }
                (TrainedMachine::Svr(_) | TrainedMachine::LinearRegression(_), _) => json!(scores[0]),
                (_, _) if self.samples.is_some() => {
                    json!({ "prediction": scores[0], "samples": self.beside(scores) })
                }
                (_, _) if self.std => {
                    let (mean, std) = (self.scores_of(scores), self.beside(scores));
                    match mean {
                        [mean] => json!({ "prediction": mean, "std": std[0] }),
                        _ => json!({ "prediction": mean, "std": std }),
                    }
                }
                (TrainedMachine::Matrix(MatrixModel::Pca(_)), true) => {
                    json!({ "components": self.scores_of(scores), "error": self.beside(scores)[0] })
                }
                (TrainedMachine::Matrix(model), shown) if model.answer() == Answer::Novelty => match shown {
                    true => json!({ "class": self.word(scores), "score": scores[0] }),
                    false => json!(self.word(scores)),
                },
                (TrainedMachine::Matrix(model), _)
                    if model.answer() == Answer::Numbers && scores.len() == 1 =>
                {
                    json!(scores[0])
                }
                (TrainedMachine::Matrix(model), _) if model.classes().is_none() => match model.answer() {
                    Answer::Clusters => json!(winner_of(scores) + 1),
                    _ => json!(scores),
                },
                _ => json!(self.word(scores)),
            };
            return Ok(write!(out, "{comma}\n{row}")?);
        }
        let (text, between) = match self.style {
            StyleArgument::Csv if self.model.classes().is_err() => (self.word(scores), ','),
            StyleArgument::Csv => (field(&self.word(scores)), ','),
            StyleArgument::Libsvm => (self.word(scores), ' '),
        };
        write!(out, "{text}")?;
        // Components and numbers are the answer itself.
        let is_answer = matches!(self.model, TrainedMachine::Matrix(model) if
            matches!(model.answer(), Answer::Components | Answer::Numbers));
        let shown = if self.scores && !is_answer { self.scores_of(scores) } else { &[] };
        shown.iter().chain(self.beside(scores)).try_for_each(|score| write!(out, "{between}{score}"))?;
        Ok(writeln!(out)?)
    }

    /// What the answer of a row is made of, without what stands behind it.
    fn scores_of<'s>(&self, of_row: &'s [f64]) -> &'s [f64] {
        &of_row[..own_width(self.model)]
    }

    fn beside<'s>(&self, of_row: &'s [f64]) -> &'s [f64] {
        &of_row[own_width(self.model)..]
    }

    /// The answer for a row.
    fn word(&self, scores: &[f64]) -> String {
        match self.model {
            TrainedMachine::Svc(model) => model.classes()[winner(self.scores_of(scores))].clone(),
            TrainedMachine::Classes(model) => model.classes()[winner(scores)].clone(),
            TrainedMachine::Linear(model) => model.classes()[winner(scores)].clone(),
            TrainedMachine::Svr(_) | TrainedMachine::LinearRegression(_) => scores[0].to_string(),
            TrainedMachine::Matrix(model) => match (model.answer(), model.classes()) {
                (Answer::Classes, Some(classes)) => classes[winner(self.scores_of(scores))].clone(),
                (Answer::Clusters, _) => (winner_of(scores) + 1).to_string(),
                (Answer::Novelty, _) => self.novel_or_known(scores[0] < 0.0),
                _ => {
                    let between = if self.style == StyleArgument::Csv { "," } else { " " };
                    self.scores_of(scores).iter().map(f64::to_string).collect::<Vec<_>>().join(between)
                }
            },
            TrainedMachine::Novelty(model) => self.novel_or_known(model.is_outside(scores[0])),
        }
    }

    fn novel_or_known(&self, is_novel: bool) -> String {
        let (novel, known) = match self.style {
            StyleArgument::Libsvm if !self.json => ("-1", "1"),
            _ => (NOVEL, KNOWN),
        };
        if is_novel { novel } else { known }.to_string()
    }

    fn end(&self, out: &mut dyn Write, tally: &Tally) -> Result<()> {
        if self.json {
            let mut end = json!({
                "rows": tally.rows,
                "unseen_words": tally.remarks.unseen,
                "filled_in": tally.remarks.filled,
            });
            if let (Some(end), Value::Object(more)) = (end.as_object_mut(), tally.json()) {
                end.extend(more);
            }
            // All of it but the brace that opens it.
            writeln!(out, "\n],\n{}", &end.to_string()[1..])?;
        }
        Ok(())
    }
}

/// A field of a table, quoted where it has to be.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}
