//! The items to be labelled, and the file of answers.

use std::collections::{HashMap, VecDeque};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use mercer::data::{
    Contents, Format, Items, LabelColumn, Quote, ReadOptions, Scaling, ScalingKind, Schema, Vectors,
    read_file, read_from, read_text, write_atomically,
};
use mercer::{Error, Result};

use crate::arguments::ReadingArguments;
use crate::print::note;
use crate::{precomputed, remarks};

/// What the column of answers may be called: the first that the pool does not have.
const LABEL_NAMES: [&str; 3] = ["label", "class", "answer"];

/// The items, as they are compared and as they are shown.
pub struct Pool {
    pub rows: Vectors<'static>,
    scaling: Scaling,
    schema: Option<Arc<Schema>>,
    /// What stands between two fields.
    pub delimiter: char,
    is_quoted: bool,
    names: Option<String>,
    lines: Vec<String>,
}

impl Pool {
    pub fn read(path: &Path, reading: &ReadingArguments) -> Result<Self> {
        let refused = |what: &str| Error::Unsupported { what: what.into() }.in_file(path);
        let text = read_text(path)?;
        let format = reading.format.map_or_else(|| Format::of(text.as_bytes()), Format::from);
        let Some(delimiter) = format.delimiter() else {
            return Err(refused(
                "lines of LIBSVM's format begin with a label: a pool without labels is a table",
            ));
        };
        let options = ReadOptions { label: LabelColumn::Absent, format: Some(format), ..reading.options() };
        let is_quoted = options.quote.unwrap_or_else(|| Quote::usual(format)) == Quote::Double;
        let Contents::Table(table) =
            read_from(text.as_bytes(), &options).map_err(|error| error.in_file(path))?
        else {
            return Err(precomputed::kernel_values(path));
        };
        remarks::tell(&table.remarks);
        let scaling =
            Scaling::fit(ScalingKind::Standardise, &table.vectors).map_err(|error| error.in_file(path))?;
        let rows = scaling.apply(&table.vectors).map_err(|error| error.in_file(path))?;
        let mut lines: Vec<String> = text
            .trim_start_matches('\u{feff}')
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(str::to_string)
            .collect();
        // One more line than rows holds the names.
        let names = (lines.len() == rows.len() + 1).then(|| lines.remove(0));
        if lines.len() != rows.len() {
            return Err(refused("every row must be one line, to be shown and written"));
        }
        let named = names.iter().flat_map(|names| fields(names, delimiter.into()));
        let ignored = |name: &String| reading.ignore.contains(name);
        if let Some(name) =
            named.into_iter().find(|name| LABEL_NAMES.contains(&name.as_str()) && !ignored(name))
        {
            note(format!(
                "mercer: the column `{name}` of the pool is taken for a feature: --ignore {name} leaves it out"
            ));
        }
        Ok(Pool { rows, scaling, schema: table.schema, delimiter: delimiter.into(), is_quoted, names, lines })
    }

    /// A row with the names of its fields.
    pub fn shown(&self, row: usize) -> String {
        let values = self.fields(&self.lines[row]);
        let names = self.names.as_ref().map(|names| self.fields(names));
        match names.filter(|names| names.len() == values.len()) {
            Some(names) => {
                let pairs = names.iter().zip(&values);
                pairs.map(|(name, value)| format!("  {name}: {value}")).collect::<Vec<_>>().join("\n")
            }
            None => format!("  {}", values.join(&format!("{} ", self.delimiter))),
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

    /// The fields of a line, quotes taken off where fields may be quoted.
    fn fields(&self, line: &str) -> Vec<String> {
        match self.is_quoted {
            true => fields(line, self.delimiter),
            false => line.split(self.delimiter).map(|field| field.trim().to_string()).collect(),
        }
    }

    /// The line of names with that of the label behind them.
    fn header(&self) -> Option<String> {
        let names = self.names.as_ref()?;
        let own = self.fields(names);
        let label = LABEL_NAMES.iter().find(|name| own.iter().all(|own| own != *name));
        Some(format!("{names}{}{}", self.delimiter, label.unwrap_or(&LABEL_NAMES[0])))
    }

    /// Each answered row as it stands in the pool, and its label behind it, in the order of the answers.
    pub fn write_answers(&self, asked: &[(usize, usize)], classes: &[String], output: &Path) -> Result<()> {
        write_atomically(output, |out| {
            if let Some(header) = self.header() {
                writeln!(out, "{header}")?;
            }
            for &(row, class) in asked {
                writeln!(out, "{}{}{}", self.lines[row], self.delimiter, classes[class])?;
            }
            Ok(())
        })
    }

    /// The answers of an earlier time: rows and the places of their classes. A line belongs to the row of the pool that is the same, and of equal ones to the
    /// first that has no answer yet.
    pub fn earlier(&self, output: &Path, classes: &[String]) -> Result<Vec<(usize, usize)>> {
        let text = match read_text(output) {
            Err(Error::File { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Vec::new());
            }
            text => text?,
        };
        let wrong = |at: usize, problem: String| {
            Error::Parse { line: at as u64 + 1, column: 1, problem }.in_file(output)
        };
        let mut lines = text.lines().enumerate();
        let numbered = || {
            "the file has a column of row numbers in front, as earlier versions wrote it: take that column away, or name another file"
                .to_string()
        };
        if let Some(header) = self.header()
            && let Some((at, line)) = lines.next()
            && line != header
        {
            let problem = match line.strip_prefix("row,") {
                Some(rest) if rest == header => numbered(),
                _ => format!(
                    "the first line is `{line}`, expected that of the pool with the label behind it, `{header}`"
                ),
            };
            return Err(wrong(at, problem));
        }
        let mut open: HashMap<&str, VecDeque<usize>> = HashMap::new();
        for (row, line) in self.lines.iter().enumerate() {
            open.entry(line).or_default().push_back(row);
        }
        let mut found = Vec::new();
        for (at, line) in lines {
            let Some((own, label)) = line.rsplit_once(self.delimiter) else {
                return Err(wrong(
                    at,
                    "this is no line of labelled rows: the row, and its label behind it".into(),
                ));
            };
            let Some(row) = open.get_mut(own).and_then(VecDeque::pop_front) else {
                let unnumbered =
                    own.split_once(self.delimiter).filter(|(number, _)| number.parse::<u64>().is_ok());
                return Err(wrong(
                    at,
                    match (open.contains_key(own), unnumbered) {
                        (true, _) => format!("`{own}` stands here more often than in the pool"),
                        (false, Some((_, rest))) if open.contains_key(rest) => numbered(),
                        _ => format!("no row of the pool is `{own}`"),
                    },
                ));
            };
            let Some(class) = classes.iter().position(|class| class == label) else {
                return Err(wrong(at, format!("the label `{label}` is none of the classes")));
            };
            found.push((row, class));
        }
        Ok(found)
    }
}

/// The fields of a line, quotes taken off.
fn fields(line: &str, delimiter: char) -> Vec<String> {
    let (mut all, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            // Two quotes within quotes are one.
            '"' if quoted && characters.next_if_eq(&'"').is_some() => field.push('"'),
            '"' if quoted => quoted = false,
            '"' if field.trim().is_empty() => {
                field.clear();
                quoted = true;
            }
            one if one == delimiter && !quoted => all.push(std::mem::take(&mut field).trim().to_string()),
            one => field.push(one),
        }
    }
    all.push(field.trim().to_string());
    all
}

#[cfg(test)]
mod tests {
    use super::fields;

    #[test]
    fn fields_lose_their_quotes() {
        assert_eq!(fields(r#"A1, "Smith, J ""x""" ,1"#, ','), ["A1", r#"Smith, J "x""#, "1"]);
        assert_eq!(fields("a;b,5;", ';'), ["a", "b,5", ""]);
        assert_eq!(fields(r#"5" pipe,2"#, ','), [r#"5" pipe"#, "2"]);
    }
}
