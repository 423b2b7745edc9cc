//! `svm-predict`

use std::io::Write;
use std::path::Path;

use mercer::Error;
use mercer::data::{Contents, Format, Items, ReadOptions, Targets, read_file, write_atomically};
use mercer::io::AnyModel;

use super::number::general;
use super::{number, split, usage};
use crate::failure::Failure;
use crate::load::load;
use crate::output;
use crate::print::to_stdout;

const USAGE: &str = "Usage: svm-predict [options] test_file model_file output_file
options:
-b probability_estimates : 0 is what there is so far (default 0)
-q : print nothing";

pub fn run(words: &[String]) -> Result<(), Failure> {
    let (given, files) = split(words, &["-q"], USAGE)?;
    let mut quiet = false;
    for (option, value) in given {
        match option {
            "-q" => quiet = true,
            "-b" if number::<i64>(option, value, USAGE)? == 0 => {}
            "-b" => return Err(usage("-b 1: probabilities are not there yet", USAGE)),
            _ => return Err(usage(format!("Unknown option: {option}"), USAGE)),
        }
    }
    let [data, model, output] = files else { return Err(usage("which files?", USAGE)) };
    output::check(Path::new(output), true, &[Path::new(data), Path::new(model)])?;
    let saved = load(Path::new(model))?;
    let columns = usize::try_from(saved.card.columns).unwrap_or(usize::MAX);
    let options = ReadOptions { format: Some(Format::Libsvm), ..ReadOptions::default() }.columns(columns);
    let Contents::Table(table) = read_file(data, &options)? else {
        let what = "the file holds kernel values: use mercer predict".to_string();
        return Err(Error::Unsupported { what }.in_file(data).into());
    };
    let AnyModel::Svc(model) = &saved.model;
    let rows = saved.prepare(&table.vectors)?;
    let predicted = model.predict_labels(&rows).map_err(|error| error.in_file(data))?;
    write_atomically(output, |out| predicted.iter().try_for_each(|label| Ok(writeln!(out, "{label}")?)))?;
    if quiet || matches!(table.targets, Targets::Missing) {
        return Ok(());
    }
    let labels = table.targets.labels()?;
    let right = predicted.iter().enumerate().filter(|(row, label)| **label == labels.text(*row)).count();
    let share = general(100.0 * right as f64 / rows.len() as f64, 6);
    Ok(to_stdout(|out| Ok(writeln!(out, "Accuracy = {share}% ({right}/{}) (classification)", rows.len())?))?)
}
