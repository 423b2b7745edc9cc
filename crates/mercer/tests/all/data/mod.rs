//! Data files and what is done to their numbers.

mod column_major;
mod formula;
mod graph;
mod graph_files;
mod libsvm;
mod open;
mod properties;
mod real_files;
mod scaling;
mod schema;
mod series;
mod strings;
mod table;
mod targets;
mod tree;
mod write;

use mercer::data::{Contents, ReadOptions, read_from};
use mercer::{Error, Result};

/// Reads text with a given format and otherwise the usual options.
fn read(text: impl AsRef<[u8]>, options: &ReadOptions) -> Result<Contents> {
    read_from(text.as_ref(), options)
}

/// Checks that reading fails at this place with these words.
#[track_caller]
fn assert_refused(text: &[u8], options: &ReadOptions, place: (u64, u64), words: &str) {
    let shown = String::from_utf8_lossy(&text[..text.len().min(100)]).into_owned();
    let outcome = match read(text, options) {
        Err(Error::Settled { source, .. }) => Err(*source),
        outcome => outcome,
    };
    match outcome {
        Err(Error::Parse { line, column, problem }) => {
            assert_eq!((line, column), place, "{shown:?}: {problem}");
            assert!(problem.contains(words), "{shown:?}: {problem:?} does not say {words:?}");
        }
        other => panic!("{shown:?}: {other:?}"),
    }
}
