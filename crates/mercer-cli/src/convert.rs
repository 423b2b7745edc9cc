//! `mercer convert` and `mercer scale`: from one data file to another.

use std::path::Path;

use mercer::data::{Contents, Format, Remarks, Scaling, Table, write_file, write_to};
use mercer::{Error, Result};

use crate::arguments::{ConvertArguments, DataArguments, FormatArgument, ScaleCommandArguments};
use crate::failure::Failure;
use crate::precomputed::kernel_values;
use crate::print::{note, shape, show_json, to_stdout};
use crate::{output, remarks, source};

pub fn run(arguments: &ConvertArguments, json: bool) -> std::result::Result<(), Failure> {
    let output = Output::new(arguments.output.as_deref(), arguments.to);
    output.check(arguments.force, &arguments.data)?;
    let table = read(&arguments.data)?;
    output.write(&table)?;
    Ok(output.tell(&table, None, json)?)
}

/// Scales the columns as they ask for it, or as others were scaled.
pub fn scale(arguments: &ScaleCommandArguments, json: bool) -> std::result::Result<(), Failure> {
    let output = Output::new(arguments.output.as_deref(), arguments.to);
    output.check(arguments.force, &arguments.data)?;
    if let Some(path) = &arguments.save {
        output::check(path, arguments.force, &[&arguments.data.data])?;
    }
    let mut table = read(&arguments.data)?;
    let scaling = match &arguments.like {
        Some(path) => load(path)?,
        None => {
            let is_sparse = matches!(table.vectors, mercer::data::Vectors::Sparse(_));
            match arguments.kind.kind(is_sparse, None)? {
                Some(kind) => {
                    Scaling::fit(kind, &table.vectors).map_err(|e| e.in_file(&arguments.data.data))?
                }
                None => {
                    let what = "sparse rows are left as they are unless --kind max-abs, deviation or unit-norm is said";
                    return Err(Failure::Usage(Error::Unsupported { what: what.into() }));
                }
            }
        }
    };
    table.vectors = scaling.apply(&table.vectors).map_err(|error| error.in_file(&arguments.data.data))?;
    if let Some(path) = &arguments.save {
        save(&scaling, path)?;
    }
    output.write(&table)?;
    Ok(output.tell(&table, Some(&scaling), json)?)
}

fn read(data: &DataArguments) -> Result<Table<'static>> {
    match source::read(&data.data, &data.reading.options())? {
        Contents::Table(table) => {
            remarks::tell(&Remarks { doubtful: Vec::new(), ..table.remarks.clone() });
            Ok(table)
        }
        Contents::Precomputed(_) => Err(kernel_values(&source::name(&data.data))),
    }
}

/// Where data go, and in which format.
struct Output<'a> {
    file: Option<&'a Path>,
    format: Format,
}

impl<'a> Output<'a> {
    /// In the format asked for, or the one that the name suggests: tables for .csv and .tsv, else LIBSVM's.
    fn new(output: Option<&'a Path>, to: Option<FormatArgument>) -> Self {
        let file = output.filter(|path| !source::is_standard(path));
        let suggested = match file.and_then(Path::extension).and_then(|extension| extension.to_str()) {
            Some("csv") => Format::Csv,
            Some("tsv") => Format::Tsv,
            _ => Format::Libsvm,
        };
        Output { file, format: to.map_or(suggested, Format::from) }
    }

    fn check(&self, force: bool, data: &DataArguments) -> Result<()> {
        self.file.map_or(Ok(()), |path| output::check(path, force, &[&data.data]))
    }

    fn write(&self, table: &Table<'_>) -> Result<()> {
        match self.file {
            Some(path) => write_file(path, table, self.format).map_err(|error| error.in_file(path)),
            None => to_stdout(|mut out| write_to(&mut out, table, self.format)),
        }
    }

    /// What was done: where the data are, there is no room for words.
    fn tell(&self, table: &Table<'_>, scaling: Option<&Scaling>, json: bool) -> Result<()> {
        let kind = scaling.map(|scaling| scaling.kind().to_string());
        if !json {
            if let Some(kind) = kind {
                note(format!("{} by {kind}", shape(&table.vectors)));
            }
            return Ok(());
        }
        let summary = serde_json::json!({
            "output": self.file,
            "rows": table.rows(),
            "columns": table.vectors.columns(),
            "scaling": kind,
        });
        match self.file {
            Some(_) => show_json(&summary),
            None => {
                note(format!("{summary:#}"));
                Ok(())
            }
        }
    }
}

fn save(scaling: &Scaling, path: &Path) -> Result<()> {
    let text = serde_json::to_string_pretty(scaling)
        .map_err(|error| Error::Unsupported { what: format!("the scaling cannot be written: {error}") })?;
    mercer::data::write_atomically(path, |out| Ok(std::io::Write::write_all(out, text.as_bytes())?))
}

fn load(path: &Path) -> Result<Scaling> {
    let text = std::fs::read_to_string(path).map_err(|source| Error::file(path, source))?;
    serde_json::from_str(&text)
        .map_err(|error| Error::Unsupported { what: format!("not a scaling: {error}") }.in_file(path))
}
