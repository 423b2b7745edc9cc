//! Examples from a stream, line by line: each is there as soon as its line is.

use std::io::Read;
use std::time::Duration;

use mercer::data::{Row, parse_number};
use mercer::io::SavedLearner;
use mercer::{Error, Result};

use super::json_line::{self, Field};
use super::lines::{Arrival, Lines};
use crate::arguments::StreamArgument;

/// One line.
pub struct Example {
    pub values: Values,
    /// None where the line has no label: it is to be predicted only.
    pub label: Option<String>,
    /// From 1, and so is the field of the label.
    pub line: u64,
    pub label_column: u64,
}

pub enum Values {
    Dense(Vec<f64>),
    Sparse(Vec<u32>, Vec<f64>),
}

impl Values {
    /// Bytes that the numbers take.
    pub fn bytes(&self) -> u64 {
        match self {
            Values::Dense(values) => values.len() as u64 * 8,
            Values::Sparse(indices, _) => indices.len() as u64 * 12,
        }
    }

    pub fn row(&self) -> Row<'_> {
        match self {
            Values::Dense(values) => Row::Dense64(values),
            Values::Sparse(indices, values) => Row::Sparse { indices, values },
        }
    }
}

/// What comes next.
pub enum Next {
    Example(Example),
    /// Nothing yet.
    Nothing,
    End,
}

/// What lines may be at most.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Bytes of a line.
    pub length: usize,
    /// Columns, if that was said.
    pub columns: Option<u32>,
}

impl Limits {
    fn columns(self, format: StreamArgument) -> usize {
        // Sparse rows take no more memory than they have values, whatever their columns.
        let most = if format == StreamArgument::Libsvm { 1 << 24 } else { 1 << 20 };
        self.columns.unwrap_or(most) as usize
    }
}

/// Lines in one of several formats.
pub struct Stream {
    lines: Lines,
    limits: Limits,
    format: StreamArgument,
    /// The label's column as the user named it, or the model that goes on.
    wanted: Option<String>,
    /// Which field of a table it is, and how many there are.
    label_at: Option<usize>,
    fields: usize,
    /// Names of the features, if there are any.
    names: Option<Vec<String>>,
    label_name: Option<String>,
    /// The first line is data and has arrived already.
    ahead: bool,
}

/// What JSON objects may call their label.
const LABELS: [&str; 3] = ["label", "target", "y"];

/// Nobody sits this long before a stream that has not begun.
const LONG: Duration = Duration::from_secs(3600);

impl Stream {
    /// Looks at the first line to tell what the lines are. A model that goes on knows its label. `skip` gets what is wrong with lines before the
    /// first that can be read, and says whether they are passed over.
    pub fn new(
        source: impl Read + Send + 'static,
        format: Option<StreamArgument>,
        label: Option<&str>,
        model: Option<&SavedLearner>,
        limits: Limits,
        mut skip: impl FnMut(Error) -> Result<()>,
    ) -> Result<Self> {
        let mut stream = Stream {
            lines: Lines::new(source, limits.length),
            limits,
            format: format.unwrap_or(StreamArgument::Csv),
            wanted: label.map(str::to_string),
            label_at: None,
            fields: 0,
            names: None,
            label_name: None,
            ahead: false,
        };
        loop {
            let first = match stream.lines.advance() {
                Ok(Arrival::End) => return Ok(stream),
                Ok(Arrival::Nothing) => {
                    stream.wait(LONG)?;
                    continue;
                }
                Ok(Arrival::Line) => stream.lines.text().map(|text| !text.trim().is_empty()),
                Err(error) => Err(error),
            };
            match first {
                Ok(true) => break,
                Ok(false) => {}
                Err(error) => skip(error)?,
            }
        }
        stream.ahead = true;
        if format.is_none() {
            stream.format = StreamArgument::told_by(stream.lines.text()?);
        }
        match stream.format {
            StreamArgument::Libsvm if label.is_some() => {
                let what = "--label: LIBSVM's lines begin with their label".into();
                return Err(Error::Unsupported { what });
            }
            StreamArgument::Libsvm => {}
            StreamArgument::Jsonl => {
                let of_model = || model.and_then(|model| model.label_name.clone());
                stream.wanted = stream.wanted.take().or_else(of_model);
            }
            _ => stream.begin_table(model)?,
        }
        Ok(stream)
    }

    pub fn format(&self) -> StreamArgument {
        self.format
    }

    /// Names of the features; of JSON they are known after the first example.
    pub fn names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }

    pub fn label_name(&self) -> Option<&str> {
        self.label_name.as_deref()
    }

    /// Which field of a table the label is.
    pub fn label_at(&self) -> Option<usize> {
        self.label_at
    }

    /// Features must be called so, as those were that the model has learned from.
    pub fn expect_names(&mut self, names: Option<&[String]>) -> Result<()> {
        if let (Some(expected), Some(found)) = (names, &self.names)
            && expected != found
        {
            let place = (0..expected.len().max(found.len())).find(|&at| expected.get(at) != found.get(at));
            let at = place.unwrap_or(0);
            let word = |names: &[String]| names.get(at).map_or("nothing".into(), |name| format!("`{name}`"));
            let problem = format!(
                "feature {} is {}, the model has learned {} there",
                at + 1,
                word(found),
                word(expected)
            );
            return Err(self.problem(at, problem));
        }
        if self.names.is_none() {
            self.names = names.map(<[String]>::to_vec);
        }
        Ok(())
    }

    /// Waits until more has come, or for so long.
    pub fn wait(&mut self, most: Duration) -> Result<()> {
        self.lines.wait(most)
    }

    /// The next example, if it is there.
    pub fn next(&mut self) -> Result<Next> {
        loop {
            if !std::mem::take(&mut self.ahead) {
                match self.lines.advance()? {
                    Arrival::Line => {}
                    Arrival::Nothing => return Ok(Next::Nothing),
                    Arrival::End => return Ok(Next::End),
                }
            }
            let text = self.lines.text()?;
            if text.trim_ascii().is_empty()
                || (self.format == StreamArgument::Libsvm && text.starts_with('#'))
            {
                continue;
            }
            let (values, label) = match self.format {
                StreamArgument::Libsvm => self.libsvm_row(text)?,
                StreamArgument::Jsonl => self.json_row()?,
                _ => self.table_row(text)?,
            };
            let label_column = self.label_at.unwrap_or(0) as u64 + 1;
            return Ok(Next::Example(Example { values, label, line: self.lines.number(), label_column }));
        }
    }

    fn problem(&self, field: usize, problem: String) -> Error {
        Error::Parse { line: self.lines.number().max(1), column: field as u64 + 1, problem }
    }

    /// Refuses more features than there may be.
    fn check_columns(&self, field: usize, columns: usize) -> Result<()> {
        let most = self.limits.columns(self.format);
        match columns <= most {
            true => Ok(()),
            false => {
                Err(self.problem(field, format!("column {columns}: there may be {most} (--max-columns)")))
            }
        }
    }

    /// Where the label stands, and whether the first line holds names.
    fn begin_table(&mut self, model: Option<&SavedLearner>) -> Result<()> {
        let fields = self.fields(self.lines.text()?)?;
        if fields.len() < 2 {
            let words = "a single field: features and a label stand between commas, tabs or semicolons";
            return Err(self.problem(0, words.into()));
        }
        let is_word = |field: &String| !field.is_empty() && field.parse::<f64>().is_err();
        let has_words = fields.iter().any(is_word);
        let by_number = self.wanted.as_deref().and_then(|word| word.parse::<usize>().ok());
        let by_number = by_number.filter(|number| (1..=fields.len()).contains(number));
        // In a line of numbers a number is a place, whatever stands there.
        let is_place = by_number.is_some() && !has_words;
        let place = |word: &str| fields.iter().position(|field| field == word);
        let named = self.wanted.as_deref().filter(|_| !is_place).and_then(place);
        let of_model = model.and_then(|model| model.label_name.as_deref()).and_then(place);
        let (mut names_label, columns) = (named.is_some(), model.and_then(features));
        let label_at = match (&self.wanted, named, by_number) {
            (Some(_), Some(at), _) => Some(at),
            (Some(_), None, Some(number)) => Some(number - 1),
            (Some(word), None, None) => {
                return Err(self.problem(0, format!("there is no column `{word}` in the first line")));
            }
            (None, ..) if of_model.is_some() => {
                names_label = true;
                of_model
            }
            // Nothing but features, as many as the model knows.
            (None, ..) if columns == Some(fields.len()) => None,
            (None, ..) => {
                let known = model.and_then(|model| model.label_at).filter(|&at| at < fields.len());
                Some(known.unwrap_or(fields.len() - 1))
            }
        };
        let is_name = |(at, field): (usize, &String)| Some(at) != label_at && is_word(field);
        let has_names = names_label || fields.iter().enumerate().any(is_name);
        if let (false, Some(known), Some(at)) = (has_names, model.and_then(|model| model.label_at), label_at)
            && known != at
        {
            let problem = format!("--label: the model has learned the label of column {}", known + 1);
            return Err(self.problem(at, problem));
        }
        (self.label_at, self.fields) = (label_at, fields.len());
        if has_names {
            let mut names = fields;
            self.label_name = label_at.map(|at| names.remove(at));
            self.names = Some(names);
            self.ahead = false;
        }
        Ok(())
    }

    /// Whether fields may be quoted: those between tabs are not.
    fn is_quoted(&self) -> bool {
        self.format != StreamArgument::Tsv
    }

    /// The fields of the line, quotes taken off.
    fn fields(&self, text: &str) -> Result<Vec<String>> {
        let delimiter = self.format.delimiter().unwrap_or(',');
        let mut fields = Vec::new();
        let mut rest = text;
        loop {
            self.check_columns(fields.len(), fields.len())?;
            // A tab is white space too.
            let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() && c != delimiter);
            if let Some(mut inside) = trimmed.strip_prefix('"').filter(|_| self.is_quoted()) {
                let mut field = String::new();
                loop {
                    let Some(end) = inside.find('"') else {
                        return Err(
                            self.problem(fields.len(), "a quoted field that does not end on its line".into())
                        );
                    };
                    field.push_str(&inside[..end]);
                    inside = &inside[end + 1..];
                    match inside.strip_prefix('"') {
                        Some(more) => {
                            field.push('"');
                            inside = more;
                        }
                        None => break,
                    }
                }
                fields.push(field);
                rest = inside.trim_start_matches(|c: char| c.is_whitespace() && c != delimiter);
                match rest.strip_prefix(delimiter) {
                    Some(more) => rest = more,
                    None if rest.is_empty() => return Ok(fields),
                    None => {
                        let words = "text between a closing quote and the next field".into();
                        return Err(self.problem(fields.len() - 1, words));
                    }
                }
            } else {
                match rest.split_once(delimiter) {
                    Some((field, more)) => {
                        fields.push(field.trim().to_string());
                        rest = more;
                    }
                    None => {
                        fields.push(rest.trim().to_string());
                        return Ok(fields);
                    }
                }
            }
        }
    }

    fn table_row(&self, text: &str) -> Result<(Values, Option<String>)> {
        let delimiter = self.format.delimiter().unwrap_or(',');
        let mut label = None;
        let mut values = Vec::with_capacity(self.fields);
        let mut count = 0;
        if self.is_quoted() && text.contains('"') {
            for field in self.fields(text)? {
                self.take_field(count, &field, &mut values, &mut label)?;
                count += 1;
            }
        } else {
            // White space beyond ASCII is none that tables have, and slow to look for.
            for field in text.split(delimiter) {
                if count > self.fields {
                    break;
                }
                self.take_field(count, field.trim_ascii(), &mut values, &mut label)?;
                count += 1;
            }
        }
        if count != self.fields {
            let is_last = self.label_at == Some(self.fields - 1);
            let hint = match is_last && count + 1 == self.fields {
                true => " (where there is no label, its field is empty)",
                false => "",
            };
            let or_more = if count > self.fields { " or more" } else { "" };
            let problem = format!("{count}{or_more} fields, and the first line has {}{hint}", self.fields);
            return Err(self.problem(count.min(self.fields), problem));
        }
        Ok((Values::Dense(values), label))
    }

    fn take_field(
        &self,
        at: usize,
        field: &str,
        values: &mut Vec<f64>,
        label: &mut Option<String>,
    ) -> Result<()> {
        if Some(at) == self.label_at {
            *label = (!field.is_empty()).then(|| field.to_string());
        } else {
            values.push(self.number(at, field)?);
        }
        Ok(())
    }

    fn number(&self, at: usize, text: &str) -> Result<f64> {
        match parse_number(text) {
            Ok(value) => Ok(value),
            Err(_) if text.is_empty() => Err(self.problem(at, "a number is missing".into())),
            Err(problem) => Err(self.problem(at, problem)),
        }
    }

    fn libsvm_row(&self, text: &str) -> Result<(Values, Option<String>)> {
        let mut words = text.split_ascii_whitespace().enumerate().peekable();
        let label = words.next_if(|(_, word)| !word.contains(':')).map(|(_, word)| word.to_string());
        let (mut indices, mut values) = (Vec::new(), Vec::new());
        for (at, word) in words {
            let Some((index, value)) = word.split_once(':') else {
                return Err(self.problem(at, format!("`{word}` is not index:value")));
            };
            let column = match index.parse::<u32>() {
                Ok(index) if index >= 1 => index - 1,
                _ => return Err(self.problem(at, format!("`{index}` is no index: they begin with 1"))),
            };
            if indices.last().is_some_and(|&last| last >= column) {
                return Err(self.problem(at, format!("index {index} stands after a larger one, or twice")));
            }
            self.check_columns(at, column as usize + 1)?;
            let value = self.number(at, value)?;
            if value != 0.0 {
                indices.push(column);
                values.push(value);
            }
        }
        Ok((Values::Sparse(indices, values), label))
    }

    /// `{"label": …, "x": [numbers]}`, or one number for each other name.
    fn json_row(&mut self) -> Result<(Values, Option<String>)> {
        let read = json_line::read(self.lines.text()?);
        let mut object = read.map_err(|(at, problem)| self.problem(at, problem))?;
        let name = match &self.wanted {
            Some(name) => Some(name.clone()),
            None => LABELS.iter().find(|name| object.contains_key(**name)).map(|name| name.to_string()),
        };
        let label = match name.as_deref().and_then(|name| object.remove(name)) {
            None | Some(Field::Null) => None,
            Some(Field::Text(word)) => Some(word),
            Some(other @ (Field::Number(..) | Field::Bool(_))) => Some(other.shown()),
            Some(other) => return Err(self.problem(0, format!("{} is no label", other.shown()))),
        };
        self.label_name = self.label_name.take().or(name);
        let rows = ["x", "features"].into_iter().find(|name| object.contains_key(*name));
        let rows = rows.filter(|name| matches!(object[*name], Field::List(_)));
        if let Some(Field::List(list)) = rows.and_then(|name| object.remove(name)) {
            self.check_columns(0, list.len())?;
            let number = |(at, value): (usize, Option<f64>)| {
                value.ok_or_else(|| self.problem(0, format!("x: element {} is not a number", at + 1)))
            };
            let values: Result<Vec<f64>> = list.into_iter().enumerate().map(number).collect();
            return Ok((Values::Dense(values?), label));
        }
        self.check_columns(0, object.len())?;
        if let Some(expected) = &self.names
            && !expected.iter().eq(object.keys())
        {
            let missing = expected.iter().find(|name| !object.contains_key(*name));
            let words = match missing {
                Some(name) => format!("`{name}` is missing"),
                None => "there are names that other lines do not have".into(),
            };
            return Err(self.problem(0, words));
        }
        let number = |(name, value): (&String, &Field)| match value {
            Field::Number(number, _) => Ok(*number),
            other => Err(self.problem(0, format!("{name}: {} is not a number", other.shown()))),
        };
        let values = object.iter().map(number).collect::<Result<Vec<f64>>>()?;
        if self.names.is_none() {
            self.names = Some(object.into_keys().collect());
        }
        Ok((Values::Dense(values), label))
    }
}

/// How many features a model has learned from, if any.
fn features(model: &SavedLearner) -> Option<usize> {
    model.learner.machines().iter().find_map(|machine| machine.function().memory().columns())
}
