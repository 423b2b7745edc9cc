//! The items to be labelled, and the file of answers.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use mercer::data::{
    Contents, Items, LabelColumn, ReadOptions, Scaling, ScalingKind, Schema, Vectors, read_file,
    write_atomically,
};
use mercer::{Error, Result};

use crate::arguments::ReadingArguments;
use crate::{precomputed, remarks};

/// The items, as they are compared and as they are shown.
pub struct Pool {
    pub rows: Vectors<'static>,
    scaling: Scaling,
    schema: Option<Arc<Schema>>,
    names: Option<String>,
    lines: Vec<String>,
}

impl Pool {
    pub fn read(path: &Path, reading: &ReadingArguments) -> Result<Self> {
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
        Ok(Pool { rows, scaling, schema: table.schema, names, lines })
    }

    /// A row with the names of its fields, where that is easily done.
    pub fn shown(&self, row: usize) -> String {
        let line = &self.lines[row];
        match &self.names {
            Some(names) if !line.contains('"') && names.split(',').count() == line.split(',').count() => {
                let pairs = names.split(',').zip(line.split(','));
                pairs.map(|(name, value)| format!("  {name}: {value}")).collect::<Vec<_>>().join("\n")
            }
            _ => format!("  {line}"),
        }
    }

    /// Rows of another file with their classes, scaled as the pool is.
    pub fn labelled(
        &self,
        path: &Path,
        reading: &ReadingArguments,
        classes: &[String],
    ) -> Result<(Vectors<'static>, Vec<usize>)> {
        let options = ReadOptions {
            label: LabelColumn::FromEnd(0),
            schema: self.schema.clone(),
            ignore: Vec::new(),
            ..reading.options()
        };
        let in_file = |error: Error| error.in_file(path);
        let Contents::Table(table) = read_file(path, &options)? else {
            return Err(precomputed::kernel_values(path));
        };
        let labels = table.targets.labels().map_err(in_file)?;
        let place = |row: usize| {
            let label = labels.text(row);
            classes.iter().position(|class| class == label).ok_or_else(|| {
                let problem = format!("the label `{label}` of row {} is none of the classes", row + 1);
                in_file(Error::Unsupported { what: problem })
            })
        };
        let known = (0..labels.len()).map(place).collect::<Result<Vec<usize>>>()?;
        Ok((self.scaling.apply(&table.vectors).map_err(in_file)?, known))
    }

    /// Number, line and label of each answered row, in the order of the answers.
    pub fn write_answers(&self, asked: &[(usize, usize)], classes: &[String], output: &Path) -> Result<()> {
        write_atomically(output, |out| {
            if let Some(names) = &self.names {
                writeln!(out, "row,{names},label")?;
            }
            for &(row, class) in asked {
                writeln!(out, "{},{},{}", row + 1, self.lines[row], classes[class])?;
            }
            Ok(())
        })
    }

    /// The answers of an earlier time: rows and the places of their classes.
    pub fn earlier(&self, output: &Path, classes: &[String]) -> Result<Vec<(usize, usize)>> {
        let text = match fs::read_to_string(output) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Error::file(output, error)),
        };
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        for (at, line) in text.lines().enumerate().skip(usize::from(self.names.is_some())) {
            let wrong =
                |problem: String| Error::Parse { line: at as u64 + 1, column: 1, problem }.in_file(output);
            let parts = line.split_once(',').and_then(|(row, rest)| Some((row, rest.rsplit_once(',')?)));
            let Some((row, (own, label))) = parts else {
                return Err(wrong("this is no line of labelled rows: row number, row, label".into()));
            };
            let row = row.parse::<usize>().ok().and_then(|row| row.checked_sub(1));
            let Some(row) = row.filter(|&row| self.lines.as_slice().get(row).is_some_and(|line| line == own))
            else {
                return Err(wrong("the row is not the one of this number in the pool".into()));
            };
            let Some(class) = classes.iter().position(|class| class == label) else {
                return Err(wrong(format!("the label `{label}` is none of the classes")));
            };
            if !seen.insert(row) {
                return Err(wrong(format!("row {} stands twice", row + 1)));
            }
            found.push((row, class));
        }
        Ok(found)
    }
}
