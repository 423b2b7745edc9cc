//! Streams and checkpoints of `mercer learn`.

use std::fs;
use std::path::Path;

use mercer::io::SavedLearner;

use crate::{corpus, run, texts};

/// What bounds a line, and some of the ways to learn.
const LIMITS: [&str; 8] =
    ["-q", "--max-columns", "1000", "--max-line-length", "20000", "--memory", "16", "--first=3"];
const WAYS: [&[&str]; 8] = [
    &[],
    &["--skip-bad"],
    &["--skip-bad", "--predictions", "--budget", "2"],
    &["--skip-bad", "--task", "numbers", "--kernel", "linear"],
    &["--skip-bad", "--format", "jsonl", "--classes", "red,blue"],
    &["--skip-bad", "--format", "libsvm", "--levels", "3"],
    &["--format", "csv", "--label", "1", "--rule", "perceptron"],
    &["--skip-bad", "--format", "tsv", "--project", "--average", "--budget", "2"],
];

fn learn(folder: &Path, way: &[&str], input: &[u8]) -> crate::Run {
    run(folder, &[&["learn", "m.mercer"], &LIMITS[..], way].concat(), input)
}

/// What was learned can be gone on with, and was counted right.
fn check_model(folder: &Path) -> Option<u64> {
    let path = folder.join("m.mercer");
    let names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.iter().all(|name| name == "m.mercer"), "{names:?}");
    path.exists().then(|| SavedLearner::load(&path).unwrap().learner.tally().examples)
}

#[test]
fn lines_of_streams() {
    texts("lines of streams", WAYS.len(), &corpus::of(&corpus::STREAMS), |folder, way, input| {
        let begun = learn(folder, WAYS[way], input);
        let examples = check_model(folder);
        let path = folder.join("m.mercer");
        let before = fs::read(&path).ok();
        // The same stream again, all of which the model has seen, teaches nothing; and it ends the same way.
        let again = learn(folder, &[WAYS[way], &["--skip-seen"]].concat(), input);
        if begun.code == 0 && examples.is_some() {
            assert_eq!(again.code, 0, "{} {}", begun.stderr, again.stderr);
            assert!(fs::read(&path).ok() == before, "examples were learned twice");
        }
        assert!(check_model(folder) >= examples);
    });
}

#[test]
fn checkpoints() {
    let mut corpus = Vec::new();
    for (stream, way) in [(0, 2), (1, 6), (2, 3), (4, 1), (5, 5), (7, 0), (0, 7)] {
        let folder = tempfile::tempdir().unwrap();
        for name in ["m.mercer", "m.json"] {
            let words = [&["learn", name, "-q", "--first=3"], WAYS[way]].concat();
            run(folder.path(), &words, corpus::STREAMS[stream].as_bytes());
            corpus.extend(fs::read(folder.path().join(name)));
        }
    }
    assert!(corpus.len() >= 10, "{}", corpus.len());
    texts("checkpoints", corpus::STREAMS.len(), &corpus, |folder, stream, input| {
        let path = folder.join("m.mercer");
        fs::write(&path, input).unwrap();
        let found = SavedLearner::from_bytes(input).is_ok();
        let going = learn(folder, &["--skip-bad"], corpus::STREAMS[stream].as_bytes());
        match found {
            true => assert!(check_model(folder).is_some()),
            false => {
                assert!(going.code != 0, "{}", going.stderr);
                assert!(fs::read(&path).unwrap() == input, "a file that cannot be read was changed");
            }
        }
    });
}
