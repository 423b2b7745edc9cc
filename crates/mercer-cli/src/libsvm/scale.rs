//! `svm-scale`

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use mercer::Error;
use mercer::data::{
    Contents, Format, Items, ReadOptions, Table, Targets, open, read_file, read_text, write_atomically,
};
use mercer::resources::default_budget;

use super::number::general;
use super::{number, split, usage};
use crate::failure::Failure;
use crate::output;
use crate::print::{note, to_stdout};

const USAGE: &str = "Usage: svm-scale [options] data_filename
options:
-l lower : x scaling lower limit (default -1)
-u upper : x scaling upper limit (default +1)
-y y_lower y_upper : y scaling limits (default: no y scaling)
-s save_filename : save scaling parameters to save_filename
-r restore_filename : restore scaling parameters from restore_filename";

/// More columns than rows of text could be written for.
const MOST_COLUMNS: usize = 1 << 26;

/// An interval that is mapped to another.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    low: f64,
    high: f64,
}

impl Range {
    /// Where a value of `self` lies in `target`; the ends to the bit.
    fn map(self, value: f64, target: Range) -> f64 {
        if value == self.low {
            target.low
        } else if value == self.high {
            target.high
        } else {
            target.low + (target.high - target.low) * (value - self.low) / (self.high - self.low)
        }
    }

    fn widen(&mut self, value: f64) {
        self.low = self.low.min(value);
        self.high = self.high.max(value);
    }

    const NONE: Range = Range { low: f64::INFINITY, high: f64::NEG_INFINITY };
}

/// What the columns, and perhaps the labels, are mapped from and to.
struct Scaling {
    target: Range,
    /// From column 1 on.
    columns: Vec<Range>,
    labels: Option<(Range, Range)>,
}

pub fn run(words: &[String]) -> Result<(), Failure> {
    // The one option with two values.
    let mut words = words.to_vec();
    let mut label_target = None;
    if let Some(at) = words.iter().position(|word| word == "-y") {
        let [_, low, high] = words.as_slice().get(at..at + 3).unwrap_or_default() else {
            return Err(usage("-y needs two values", USAGE));
        };
        label_target = Some(Range { low: number("-y", low, USAGE)?, high: number("-y", high, USAGE)? });
        words.drain(at..at + 3);
    }
    let (given, files) = split(&words, &[], USAGE)?;
    let mut target = Range { low: -1.0, high: 1.0 };
    let (mut save, mut restore) = (None, None);
    for (option, value) in given {
        match option {
            "-l" => target.low = number(option, value, USAGE)?,
            "-u" => target.high = number(option, value, USAGE)?,
            "-s" => save = Some(value),
            "-r" => restore = Some(value),
            _ => return Err(usage(format!("Unknown option: {option}"), USAGE)),
        }
    }
    if save.is_some() && restore.is_some() {
        return Err(usage("cannot use -r and -s simultaneously", USAGE));
    }
    let proper = |range: &Range| range.high > range.low;
    if !proper(&target) || !label_target.as_ref().is_none_or(proper) {
        return Err(usage("inconsistent lower/upper specification", USAGE));
    }
    let [data] = files else { return Err(usage("which file?", USAGE)) };
    let options = ReadOptions { format: Some(Format::Libsvm), ..ReadOptions::default() };
    let Contents::Table(table) = read_file(data, &options)? else {
        let what = "the file holds kernel values, not features".to_string();
        return Err(Error::Unsupported { what }.in_file(data).into());
    };
    let needed = 40 * table.vectors.columns() as u64;
    if needed > default_budget() {
        let (what, instead) =
            ("a range for every index", "use mercer scale, which keeps only those that occur");
        return Err(Error::Budget { what, needed, allowed: default_budget(), instead }.in_file(data).into());
    }
    let mut scaling = learn(&table, target, label_target);
    if let Some(path) = restore {
        scaling = scaling.restored(path, data)?;
    }
    if let Some(path) = save {
        output::check(Path::new(path), true, &[Path::new(data)])?;
        write_atomically(path, |out| scaling.save(out))?;
    }
    let (before, after) = (written_values(data)?, to_stdout_counting(&table, &scaling)?);
    if after > before {
        note(format!(
            "WARNING: original #nonzeros {before}\n       > new      #nonzeros {after}\n\
             If feature values are non-negative and sparse, use -l 0 rather than the default -l -1"
        ));
    }
    Ok(())
}

/// How many values stand in the file, zeros that are written included.
fn written_values(data: &str) -> mercer::Result<usize> {
    let mut count = 0;
    for line in BufReader::new(open(Path::new(data))?).lines() {
        let line = line?;
        let values = line.split('#').next().unwrap_or_default().split_whitespace().skip(1);
        count += values.filter(|word| word.contains(':') && !word.starts_with("qid:")).count();
    }
    Ok(count)
}

/// The ranges of all columns, zeros that are not stored included.
fn learn(table: &Table<'_>, target: Range, label_target: Option<Range>) -> Scaling {
    let columns = table.vectors.columns();
    let mut ranges = vec![Range::NONE; columns];
    let mut stored = vec![0usize; columns];
    for row in 0..table.vectors.len() {
        table.vectors.get(row).for_each(|column, value| {
            ranges[column].widen(value);
            stored[column] += 1;
        });
    }
    for (range, stored) in ranges.iter_mut().zip(stored) {
        if stored < table.vectors.len() {
            range.widen(0.0);
        }
    }
    let labels = label_target.map(|target| {
        let mut range = Range::NONE;
        numbers(table).iter().for_each(|&label| range.widen(label));
        (range, target)
    });
    Scaling { target, columns: ranges, labels }
}

fn numbers(table: &Table<'_>) -> Vec<f64> {
    match &table.targets {
        Targets::Numbers(numbers) => numbers.clone(),
        _ => vec![0.0; table.vectors.len()],
    }
}

/// Writes the scaled rows, and says how many numbers they have that are not 0.
fn to_stdout_counting(table: &Table<'_>, scaling: &Scaling) -> mercer::Result<usize> {
    let mut count = 0;
    let labels = numbers(table);
    to_stdout(|out| {
        for (row, &label) in labels.iter().enumerate() {
            let label = scaling.labels.map_or(label, |(range, target)| range.map(label, target));
            write!(out, "{} ", general(label, 17))?;
            let values = table.vectors.get(row).to_dense(scaling.columns.len());
            for (column, (value, range)) in values.into_iter().zip(&scaling.columns).enumerate() {
                // A column with one value says nothing.
                if range.low == range.high {
                    continue;
                }
                let value = range.map(value, scaling.target);
                if value != 0.0 {
                    write!(out, "{}:{} ", column + 1, general(value, 6))?;
                    count += 1;
                }
            }
            writeln!(out)?;
        }
        Ok(())
    })?;
    Ok(count)
}

impl Scaling {
    fn save(&self, out: &mut impl Write) -> mercer::Result<()> {
        let pair = |range: Range| format!("{} {}", general(range.low, 17), general(range.high, 17));
        if let Some((range, target)) = self.labels {
            writeln!(out, "y\n{}\n{}", pair(target), pair(range))?;
        }
        writeln!(out, "x\n{}", pair(self.target))?;
        for (column, &range) in self.columns.iter().enumerate() {
            if range.low != range.high {
                writeln!(out, "{} {}", column + 1, pair(range))?;
            }
        }
        Ok(())
    }

    /// The ranges that a file keeps; columns that it does not name are left out.
    fn restored(&self, path: &str, data: &str) -> mercer::Result<Self> {
        let text = read_text(path)?;
        let problem = |line: usize, problem: &str| {
            Error::Parse { line: line as u64, column: 1, problem: problem.into() }.in_file(path)
        };
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
        let pair = |line: Option<(usize, &str)>| -> mercer::Result<Range> {
            let Some((at, line)) = line else { return Err(problem(0, "the file ends too early")) };
            match finite_numbers(line).as_deref() {
                Some([low, high]) => Ok(Range { low: *low, high: *high }),
                _ => Err(problem(at, "expected two finite numbers")),
            }
        };
        let mut scaling = Scaling { target: self.target, columns: Vec::new(), labels: None };
        let mut head = lines.next();
        if let Some((_, "y")) = head {
            let (target, range) = (pair(lines.next())?, pair(lines.next())?);
            scaling.labels = Some((range, target));
            head = lines.next();
        }
        let Some((_, "x")) = head else {
            return Err(problem(1, "expected a line x or y: not a file of svm-scale"));
        };
        scaling.target = pair(lines.next())?;
        scaling.columns = vec![Range { low: 0.0, high: 0.0 }; self.columns.len()];
        let mut named = HashSet::new();
        for (at, line) in lines.filter(|(_, line)| !line.is_empty()) {
            let Some((column, rest)) = line.split_once(' ') else {
                return Err(problem(at, "expected three numbers"));
            };
            let range = pair(Some((at, rest)))?;
            match column.parse::<usize>() {
                Ok(column) if (1..=MOST_COLUMNS).contains(&column) => {
                    // Columns that these data do not have are 0 in them, and are scaled like any other.
                    if scaling.columns.len() < column {
                        scaling.columns.resize(column, Range { low: 0.0, high: 0.0 });
                    }
                    scaling.columns[column - 1] = range;
                    named.insert(column - 1);
                }
                _ => return Err(problem(at, "expected the number of a column, from 1")),
            }
        }
        for (column, range) in self.columns.iter().enumerate() {
            if range.low != range.high && !named.contains(&column) {
                note(format!(
                    "WARNING: feature index {} appeared in file {data} was not seen in the scaling factor file {path}. \
                     The feature is scaled to 0.",
                    column + 1
                ));
            }
        }
        Ok(scaling)
    }
}

/// The numbers of a line, if all of its words are finite ones.
fn finite_numbers(line: &str) -> Option<Vec<f64>> {
    line.split_whitespace().map(|word| word.parse().ok().filter(|value: &f64| value.is_finite())).collect()
}
