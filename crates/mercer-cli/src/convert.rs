//! `mercer convert` and `mercer scale`: from one data file to another.

use std::path::Path;

use mercer::data::{Contents, Format, Scaling, Table, read_file, write_file, write_to};
use mercer::{Error, Result};

use crate::arguments::{ConvertArguments, DataArguments, FormatArgument, ScaleCommandArguments};
use crate::failure::Failure;
use crate::output;
use crate::precomputed::kernel_values;
use crate::print::{note, shape, to_stdout};

pub fn run(arguments: &ConvertArguments) -> std::result::Result<(), Failure> {
    check(arguments.output.as_deref(), arguments.force, &arguments.data)?;
    let table = read(&arguments.data)?;
    Ok(write(&table, arguments.output.as_deref(), arguments.to)?)
}

/// Scales the columns as they ask for it, or as others were scaled.
pub fn scale(arguments: &ScaleCommandArguments) -> std::result::Result<(), Failure> {
    check(arguments.output.as_deref(), arguments.force, &arguments.data)?;
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
    note(format!("{} by {}", shape(&table.vectors), scaling.kind()));
    Ok(write(&table, arguments.output.as_deref(), arguments.to)?)
}

fn check(output: Option<&Path>, force: bool, data: &DataArguments) -> Result<()> {
    output.map_or(Ok(()), |path| output::check(path, force, &[&data.data]))
}

fn read(data: &DataArguments) -> Result<Table<'static>> {
    match read_file(&data.data, &data.reading.options())? {
        Contents::Table(table) => Ok(table),
        Contents::Precomputed(_) => Err(kernel_values(&data.data)),
    }
}

/// Writes in the format asked for, or the one that the name suggests: tables for .csv and .tsv, else LIBSVM's.
fn write(table: &Table<'_>, output: Option<&Path>, to: Option<FormatArgument>) -> Result<()> {
    let suggested = match output.and_then(Path::extension).and_then(|extension| extension.to_str()) {
        Some("csv") => Format::Csv,
        Some("tsv") => Format::Tsv,
        _ => Format::Libsvm,
    };
    let format = to.map_or(suggested, Format::from);
    match output {
        Some(path) => write_file(path, table, format).map_err(|error| error.in_file(path)),
        None => to_stdout(|mut out| write_to(&mut out, table, format)),
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
