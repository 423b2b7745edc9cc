//! Where results go: found out before the work begins, written when it is done.

use std::path::{Path, PathBuf};

use mercer::data::{Scaling, Schema, check_writable, write_atomically};
use mercer::io::{Model, ModelFormat, check_libsvm_model, write_libsvm_model};
use mercer::kernel::Expression;
use mercer::{Error, Result};

use crate::arguments::RegionArgument;
use crate::print::to_stdout;
use crate::source;

/// Refuses an output that cannot be written, that is one of the inputs, or that would replace a file unasked.
pub fn check(output: &Path, force: bool, inputs: &[&Path]) -> Result<()> {
    let refuse = |what: String| Err(Error::Unsupported { what });
    // Links and detours such as ./a and a name the same file.
    if let Ok(place) = output.canonicalize()
        && inputs.iter().any(|input| input.canonicalize().is_ok_and(|input| input == place))
    {
        return refuse(format!("{}: this file is read, it cannot be the output as well", output.display()));
    }
    // A device or a pipe loses nothing by being written to.
    if output.is_file() && !force {
        return refuse(format!("{} exists already: use --force to replace it", output.display()));
    }
    check_writable(output)
}

/// The model file beside the data: `ionosphere.csv.gz` gives `ionosphere.mercer`.
pub fn beside(data: &Path) -> PathBuf {
    let name = data.file_name().unwrap_or(data.as_os_str()).to_string_lossy().into_owned();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let stem = Path::new(name).file_stem().map_or(name.to_string(), |s| s.to_string_lossy().into_owned());
    data.with_file_name(format!("{stem}.mercer"))
}

/// Refuses a model that the format of its file cannot hold.
pub fn check_model(
    path: &Path,
    classes: &[String],
    scaling: Option<&Scaling>,
    schema: Option<&Schema>,
    kernel: &Expression,
) -> Result<()> {
    if !is_libsvm(path) {
        return Ok(());
    }
    if schema.is_some_and(Schema::has_words) {
        let what =
            "LIBSVM's format cannot hold what words became: let the name end in .mercer or .json".into();
        return Err(Error::Unsupported { what }.in_file(path));
    }
    if let Some(scaling) = scaling {
        let what = format!(
            "LIBSVM's format cannot hold the scaling, {}: say --scale none, or let the name end in .mercer or .json",
            scaling.kind()
        );
        return Err(Error::Unsupported { what }.in_file(path));
    }
    check_libsvm_model(classes, scaling, kernel).map_err(|error| error.in_file(path))
}

/// Refuses a region that the format of the file cannot hold.
pub fn check_region(path: &Path, region: Option<RegionArgument>) -> Result<()> {
    match region {
        Some(RegionArgument::Centre | RegionArgument::Sphere) if is_libsvm(path) => {
            let what = "LIBSVM's format cannot hold a sphere: say --region hyperplane, or let the name end in .mercer or .json";
            Err(Error::Unsupported { what: what.into() }.in_file(path))
        }
        _ => Ok(()),
    }
}

/// Writes a model in the format that its name asks for.
pub fn save(saved: &Model, path: &Path) -> Result<()> {
    if source::is_standard(path) {
        let bytes = saved.to_bytes(ModelFormat::Binary);
        return to_stdout(|out| Ok(out.write_all(&bytes)?));
    }
    if is_libsvm(path) {
        write_atomically(path, |out| write_libsvm_model(saved, out))
    } else {
        saved.save(path, ModelFormat::of(path))
    }
}

/// Whether this path asks for LIBSVM's own format.
fn is_libsvm(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "model")
}
