//! `mercer convert` and `mercer scale`: from one data file to another.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use mercer::data::{
    Contents, Format, ReadOptions, Remarks, Scaling, Table, write_atomically, write_file, write_to,
};
use mercer::io::json::renew_checksum;
use mercer::io::{ModelFormat, SavedScaling};
use mercer::{Error, Result};

use crate::arguments::{ConvertArguments, DataArguments, FormatArgument, ScaleCommandArguments};
use crate::failure::Failure;
use crate::precomputed::kernel_values;
use crate::print::{note, shape, show_json, to_stdout};
use crate::{load, output, remarks, source};

pub fn run(arguments: &ConvertArguments, json: bool) -> std::result::Result<(), Failure> {
    if arguments.renew_checksum {
        return Ok(renew(&arguments.data.data, arguments.output.as_deref(), arguments.force, json)?);
    }
    let output = Output::new(arguments.output.as_deref(), arguments.to);
    output.check(arguments.force, &arguments.data)?;
    let table = read(&arguments.data, arguments.data.reading.options())?;
    output.write(&table)?;
    Ok(output.tell(&table, None, json)?)
}

/// Accepts a model that was edited by hand.
fn renew(model: &Path, output: Option<&Path>, force: bool, json: bool) -> Result<()> {
    let output = output.filter(|path| !source::is_standard(path));
    if let Some(path) = output {
        output::check(path, force, &[model])?;
    }
    let bytes = load::bytes(model)?;
    let format = match output.and_then(Path::extension) {
        Some(extension) if extension == "mercer" => ModelFormat::Binary,
        _ => ModelFormat::Json,
    };
    let renewed = renew_checksum(&bytes, format).map_err(|error| error.in_file(source::name(model)))?;
    match output {
        None => to_stdout(|out| Ok(out.write_all(&renewed)?)),
        Some(path) => {
            write_atomically(path, |out| Ok(out.write_all(&renewed)?))?;
            match json {
                true => show_json(&serde_json::json!({ "output": path })),
                false => Ok(()),
            }
        }
    }
}

/// Scales the columns as they ask for it, or as others were scaled.
pub fn scale(arguments: &ScaleCommandArguments, json: bool) -> std::result::Result<(), Failure> {
    let output = Output::new(arguments.output.as_deref(), arguments.to);
    let read_too: Vec<&Path> = arguments.like.iter().map(|path| path.as_path()).collect();
    let inputs = [&[arguments.data.data.as_path()], &read_too[..]].concat();
    if let Some(path) = output.file {
        output::check(path, arguments.force, &inputs)?;
    }
    if let Some(path) = &arguments.save {
        if source::is_standard(path) || output.file == Some(path) {
            let what = "--save keeps the scaling in a file of its own".into();
            return Err(Failure::Usage(Error::Unsupported { what }));
        }
        output::check(path, arguments.force, &inputs)?;
    }
    let reading = arguments.data.reading.options();
    let (mut table, scaling) = match &arguments.like {
        Some(path) => {
            let kept = SavedScaling::load(path)?;
            let columns = kept.scaling.columns();
            let options = ReadOptions { schema: kept.schema.map(Arc::new), ..reading.columns(columns) };
            (read(&arguments.data, options)?, kept.scaling)
        }
        None => {
            let table = read(&arguments.data, reading)?;
            let is_sparse = matches!(table.vectors, mercer::data::Vectors::Sparse(_));
            let Some(kind) = arguments.kind.kind(is_sparse, None)? else {
                let what = match is_sparse {
                    true => {
                        "sparse rows are left as they are unless --kind max-abs, deviation or unit-norm is said"
                    }
                    false => "--kind none: there is nothing to be done",
                };
                return Err(Failure::Usage(Error::Unsupported { what: what.into() }));
            };
            let scaling = Scaling::fit(kind, &table.vectors).map_err(|e| e.in_file(&arguments.data.data))?;
            (table, scaling)
        }
    };
    table.vectors = scaling.apply(&table.vectors).map_err(|error| error.in_file(&arguments.data.data))?;
    if let Some(path) = &arguments.save {
        let schema = table.schema.as_deref().cloned();
        SavedScaling { scaling: scaling.clone(), schema }.save(path)?;
    }
    output.write(&table)?;
    Ok(output.tell(&table, Some(&scaling), json)?)
}

fn read(data: &DataArguments, options: ReadOptions) -> Result<Table<'static>> {
    match source::read(&data.data, &options)? {
        Contents::Table(table) => {
            remarks::tell(&Remarks { doubtful: Vec::new(), ..table.remarks.clone() });
            Ok(table)
        }
        Contents::Precomputed(_) => Err(kernel_values(&source::name(&data.data))),
    }
}

/// Columns of the widest table that is written.
const WIDEST_TABLE: usize = 1 << 20;

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
        let columns = table.vectors.columns();
        if self.format != Format::Libsvm && columns > WIDEST_TABLE {
            let what =
                format!("a table of {columns} columns is not written: LIBSVM's format leaves zeros out");
            return Err(Error::Unsupported { what });
        }
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
