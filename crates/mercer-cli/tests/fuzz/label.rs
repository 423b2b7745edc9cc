//! Dialogues of `mercer label`, and the file that they go on from.

use std::fs;

use crate::{corpus, run, texts};

const WORDS: [&str; 6] = ["label", "pool.csv", "--classes", "low,high", "-o", "labelled.csv"];
const WAYS: [&[&str]; 4] =
    [&["--ignore", "name"], &["--query", "uncertain"], &["--batch", "2", "--stop"], &["--kernel", "linear"]];

#[test]
fn answers() {
    let choices = WAYS.len() * corpus::POOLS.len();
    texts("answers", choices, &corpus::of(&corpus::ANSWERS), |folder, choice, input| {
        let (way, pool) = (WAYS[choice % WAYS.len()], corpus::POOLS[choice / WAYS.len()]);
        fs::write(folder.join("pool.csv"), pool).unwrap();
        let words = [&WORDS[..], way].concat();
        let first = run(folder, &words, input);
        let written = fs::read(folder.join("labelled.csv")).ok();
        // Another day, without an answer: nothing changes.
        let second = run(folder, &words, b"");
        if first.code == 0 {
            assert_eq!(second.code, 0, "{}", second.stderr);
        }
        assert!(fs::read(folder.join("labelled.csv")).ok() == written, "{}", second.stderr);
    });
}

#[test]
fn labelled_rows() {
    texts("labelled rows", WAYS.len(), &corpus::of(&corpus::LABELLED), |folder, way, input| {
        fs::write(folder.join("pool.csv"), corpus::POOLS[0]).unwrap();
        fs::write(folder.join("labelled.csv"), input).unwrap();
        let words = [&WORDS[..], WAYS[way]].concat();
        let resumed = run(folder, &words, b"low\nhigh\nq\n");
        let written = fs::read(folder.join("labelled.csv")).unwrap();
        match resumed.code {
            0 => assert_eq!(run(folder, &words, b"").code, 0, "what was written is read again"),
            _ => assert!(written == input, "a file that is refused was changed: {}", resumed.stderr),
        }
    });
}

#[test]
fn pools() {
    texts("pools", WAYS.len(), &corpus::of(&corpus::POOLS), |folder, way, input| {
        fs::write(folder.join("pool.csv"), input).unwrap();
        let words = [&WORDS[..], WAYS[way]].concat();
        let first = run(folder, &words, b"low\nhigh\nlow\nq\n");
        let written = fs::read(folder.join("labelled.csv")).ok();
        let second = run(folder, &words, b"");
        if first.code == 0 {
            assert_eq!(second.code, 0, "{}", second.stderr);
        }
        assert!(fs::read(folder.join("labelled.csv")).ok() == written, "{}", second.stderr);
        assert!(fs::read(folder.join("pool.csv")).unwrap() == input, "the pool was changed");
    });
}
