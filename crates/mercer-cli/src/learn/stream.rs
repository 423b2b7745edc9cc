//! Examples from a stream, line by line: each is there as soon as its line is.

use std::io::BufRead;

use mercer::data::{Row, parse_number};
use mercer::{Error, Result};
use serde_json::Value;

use crate::arguments::StreamArgument;

/// One line.
pub struct Example {
    pub values: Values,
    /// None where the line has no label: it is to be predicted only.
    pub label: Option<String>,
    /// From 1.
    pub line: u64,
}

pub enum Values {
    Dense(Vec<f64>),
    Sparse(Vec<u32>, Vec<f64>),
}

impl Values {
    pub fn row(&self) -> Row<'_> {
        match self {
            Values::Dense(values) => Row::Dense64(values),
            Values::Sparse(indices, values) => Row::Sparse { indices, values },
        }
    }
}

/// Lines in one of three formats.
pub struct Stream<R> {
    source: R,
    format: StreamArgument,
    /// The label's column as the user named it.
    wanted: Option<String>,
    /// Which field it is, in a table.
    label_at: Option<usize>,
    /// Names of the features, if there are any.
    names: Option<Vec<String>>,
    label_name: Option<String>,
    line: u64,
    text: String,
    /// The first line is data and has been read already.
    ahead: bool,
}

/// Longer lines are a mistake, and would take the memory that a stream must not take.
const LONGEST_LINE: u64 = 64 << 20;

/// What JSON objects may call their label.
const LABELS: [&str; 3] = ["label", "target", "y"];

impl<R: BufRead> Stream<R> {
    /// Looks at the first line to tell what the lines are.
    pub fn new(source: R, format: Option<StreamArgument>, label: Option<&str>) -> Result<Self> {
        let mut stream = Stream {
            source,
            format: format.unwrap_or(StreamArgument::Csv),
            wanted: label.map(str::to_string),
            label_at: None,
            names: None,
            label_name: None,
            line: 0,
            text: String::new(),
            ahead: false,
        };
        if !stream.read_line()? {
            return Ok(stream);
        }
        stream.ahead = true;
        if format.is_none() {
            stream.format = told_by(&stream.text);
        }
        match stream.format {
            StreamArgument::Csv => stream.begin_table()?,
            StreamArgument::Libsvm if label.is_some() => {
                let what = "--label: LIBSVM's lines begin with their label".into();
                return Err(Error::Unsupported { what });
            }
            StreamArgument::Libsvm | StreamArgument::Jsonl => {}
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

    /// Features must be called so, as those were that the model has learned from.
    pub fn expect_names(&mut self, names: Option<&[String]>) -> Result<()> {
        if let (Some(expected), Some(found)) = (names, &self.names)
            && expected != found
        {
            let place = (0..expected.len().max(found.len())).find(|&at| expected.get(at) != found.get(at));
            let at = place.unwrap_or(0);
            let word = |names: &[String]| names.get(at).map_or("nothing".into(), |name| format!("`{name}`"));
            let problem = format!(
                "column {} is {}, the model has learned {} there",
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

    /// The next example.
    pub fn next(&mut self) -> Result<Option<Example>> {
        loop {
            if !std::mem::take(&mut self.ahead) && !self.read_line()? {
                return Ok(None);
            }
            if self.text.trim_ascii().is_empty()
                || (self.format == StreamArgument::Libsvm && self.text.starts_with('#'))
            {
                continue;
            }
            let (values, label) = match self.format {
                StreamArgument::Csv => self.table_row()?,
                StreamArgument::Libsvm => self.libsvm_row()?,
                StreamArgument::Jsonl => self.json_row()?,
            };
            return Ok(Some(Example { values, label, line: self.line }));
        }
    }

    fn read_line(&mut self) -> Result<bool> {
        self.text.clear();
        let mut limited = std::io::Read::take(&mut self.source, LONGEST_LINE);
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        let count = limited.read_until(b'\n', &mut bytes)?;
        self.line += u64::from(count > 0);
        self.text =
            String::from_utf8(bytes).map_err(|_| self.problem(0, "this is no text in UTF-8".into()))?;
        if count as u64 == LONGEST_LINE {
            return Err(self.problem(0, format!("a line of more than {LONGEST_LINE} bytes")));
        }
        if self.line == 1 && self.text.starts_with('\u{feff}') {
            self.text.remove(0);
        }
        let end = self.text.trim_end_matches(['\n', '\r']).len();
        self.text.truncate(end);
        Ok(count > 0)
    }

    fn problem(&self, field: usize, problem: String) -> Error {
        Error::Parse { line: self.line.max(1), column: field as u64 + 1, problem }
    }

    /// Where the label stands, and whether the first line holds names.
    fn begin_table(&mut self) -> Result<()> {
        let fields = self.fields()?;
        let by_number = self.wanted.as_deref().and_then(|word| word.parse::<usize>().ok());
        let named = self.wanted.as_deref().and_then(|word| fields.iter().position(|field| field == word));
        let label_at = match (&self.wanted, named, by_number) {
            (None, ..) => fields.len() - 1,
            (Some(_), Some(at), _) => at,
            (Some(_), None, Some(number)) if (1..=fields.len()).contains(&number) => number - 1,
            (Some(word), ..) => {
                return Err(self.problem(0, format!("there is no column `{word}` in the first line")));
            }
        };
        self.label_at = Some(label_at);
        let is_name = |(at, field): (usize, &String)| at != label_at && field.parse::<f64>().is_err();
        if named.is_some() || fields.iter().enumerate().any(is_name) {
            self.label_name = Some(fields[label_at].clone());
            let mut names = fields;
            names.remove(label_at);
            self.names = Some(names);
            self.ahead = false;
        }
        Ok(())
    }

    /// The fields of the line, quotes taken off.
    fn fields(&self) -> Result<Vec<String>> {
        let mut fields = Vec::new();
        let mut rest = self.text.as_str();
        loop {
            let trimmed = rest.trim_start();
            if let Some(mut inside) = trimmed.strip_prefix('"') {
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
                rest = inside.trim_start();
                match rest.strip_prefix(',') {
                    Some(more) => rest = more,
                    None if rest.is_empty() => return Ok(fields),
                    None => {
                        let words = "text between a closing quote and the comma".into();
                        return Err(self.problem(fields.len() - 1, words));
                    }
                }
            } else {
                match rest.split_once(',') {
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

    fn table_row(&self) -> Result<(Values, Option<String>)> {
        let label_at = self.label_at.unwrap_or(0);
        let mut label = None;
        let mut values = Vec::with_capacity(self.names.as_ref().map_or(8, Vec::len));
        if self.text.contains('"') {
            for (at, field) in self.fields()?.iter().enumerate() {
                self.take_field(at, field, label_at, &mut values, &mut label)?;
            }
        } else {
            // White space beyond ASCII is none that tables have, and slow to look for.
            for (at, field) in self.text.split(',').enumerate() {
                self.take_field(at, field.trim_ascii(), label_at, &mut values, &mut label)?;
            }
        }
        if let Some(names) = &self.names
            && names.len() != values.len()
        {
            let problem = format!("{} features, and the first line names {}", values.len(), names.len());
            return Err(self.problem(values.len(), problem));
        }
        Ok((Values::Dense(values), label))
    }

    fn take_field(
        &self,
        at: usize,
        field: &str,
        label_at: usize,
        values: &mut Vec<f64>,
        label: &mut Option<String>,
    ) -> Result<()> {
        if at == label_at {
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

    fn libsvm_row(&self) -> Result<(Values, Option<String>)> {
        let mut words = self.text.split_ascii_whitespace().enumerate().peekable();
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
        let object: serde_json::Map<String, Value> = serde_json::from_str(&self.text).map_err(|problem| {
            self.problem(problem.column().saturating_sub(1), format!("no JSON object: {problem}"))
        })?;
        let mut object = object;
        let name = match &self.wanted {
            Some(name) => Some(name.clone()),
            None => LABELS.iter().find(|name| object.contains_key(**name)).map(|name| name.to_string()),
        };
        let label = match name.as_deref().and_then(|name| object.remove(name)) {
            None | Some(Value::Null) => None,
            Some(Value::String(word)) => Some(word),
            Some(other @ (Value::Number(_) | Value::Bool(_))) => Some(other.to_string()),
            Some(other) => return Err(self.problem(0, format!("{other} is no label"))),
        };
        self.label_name = self.label_name.take().or(name);
        let number = |name: &str, value: &Value| {
            let problem = || self.problem(0, format!("{name}: {value} is not a number"));
            value.as_f64().ok_or_else(problem)
        };
        if let Some(Value::Array(list)) = object.get("x").or(object.get("features")) {
            let values: Result<Vec<f64>> = list.iter().map(|value| number("x", value)).collect();
            return Ok((Values::Dense(values?), label));
        }
        let names: Vec<String> = object.keys().cloned().collect();
        if let Some(expected) = &self.names
            && *expected != names
        {
            let missing = expected.iter().find(|name| !names.contains(name));
            let words = match missing {
                Some(name) => format!("`{name}` is missing"),
                None => "there are names that other lines do not have".into(),
            };
            return Err(self.problem(0, words));
        }
        let values: Result<Vec<f64>> = object.iter().map(|(name, value)| number(name, value)).collect();
        let values = values?;
        self.names = Some(names);
        Ok((Values::Dense(values), label))
    }
}

fn told_by(line: &str) -> StreamArgument {
    let trimmed = line.trim_start();
    if trimmed.starts_with('{') {
        return StreamArgument::Jsonl;
    }
    let pair = |word: &str| word.split_once(':').is_some_and(|(index, _)| index.parse::<u32>().is_ok());
    match !trimmed.contains(',') && trimmed.split_ascii_whitespace().any(pair) {
        true => StreamArgument::Libsvm,
        false => StreamArgument::Csv,
    }
}
