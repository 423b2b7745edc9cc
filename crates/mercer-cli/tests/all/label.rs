//! `mercer label`: questions, answers, second thoughts, and going on another day.

use std::fs;

use crate::{files, mercer_fed};

/// Points on a line; the boundary is at 24.5.
fn pool() -> String {
    let mut text = String::from("name,x\n");
    for x in 0..50 {
        text += &format!("n{x},{x}\n");
    }
    text
}

/// Answers what is asked, some questions long, and returns the rows that were asked about.
fn session(folder: &std::path::Path, answers: &str) -> (Vec<usize>, String) {
    let words = ["label", "pool.csv", "--classes", "low,high", "--ignore", "name", "--kernel", "linear"];
    let run = mercer_fed(folder, &words, answers);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let asked =
        run.stderr.lines().filter_map(|line| line.strip_prefix("row ")?.split(' ').next()?.parse().ok());
    (asked.collect(), run.stderr)
}

#[test]
fn labels_are_asked_for_taken_back_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("pool.csv"), pool()).unwrap();
    // One answer after the other, each from what was asked.
    let mut asked: Vec<usize> = session(folder.path(), "").0;
    for _ in 0..12 {
        let row = *asked.last().unwrap();
        let word = if row - 1 > 24 { "2\n" } else { "low\n" };
        asked = session(folder.path(), word).0;
        assert_eq!(asked[0], row, "a session begins where the last one ended");
    }
    let text = fs::read_to_string(folder.path().join("pool.labelled.csv")).unwrap();
    assert_eq!(text.lines().count(), 13);
    assert!(text.starts_with("row,name,x,label\n"), "{text}");
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let x: usize = fields[2].parse().unwrap();
        assert_eq!((fields[0], fields[1]), ((x + 1).to_string().as_str(), format!("n{x}").as_str()));
        assert_eq!(fields[3], if x > 24 { "high" } else { "low" }, "{line}");
    }
    // Both sides of the boundary were found.
    assert!(text.contains(",24,low") && text.contains(",25,high"), "{text}");

    // A wrong answer, taken back, leaves what was there; words that are no answer are asked again.
    let (_, told) = session(folder.path(), "1\nu\nperhaps\nq\n");
    assert!(told.contains("`perhaps` is none of 1, 2, low, high, u and q"), "{told}");
    assert_eq!(fs::read_to_string(folder.path().join("pool.labelled.csv")).unwrap(), text);
    assert_eq!(files(folder.path()), ["pool.csv", "pool.labelled.csv"]);
}

#[test]
fn three_classes_batches_and_an_end() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("pool.csv"), pool()).unwrap();
    // Three classes along the line, five rows at a time; the answers come from what was asked.
    let class = |row: usize| 1 + usize::from(row > 17) + usize::from(row > 34);
    let words = ["label", "pool.csv", "--classes", "low,middle,high", "--ignore", "name", "--batch", "5"];
    let more = ["--query", "uncertain", "--diversity", "0.3"];
    let (mut answers, mut asked): (String, Vec<usize>) = (String::new(), Vec::new());
    for _ in 0..4 {
        let _ = fs::remove_file(folder.path().join("pool.labelled.csv"));
        // One more question than answers is always shown: its batch is finished in the next round.
        let run = mercer_fed(folder.path(), &[&words[..], &more].concat(), &answers);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let rows = run.stderr.lines().filter_map(|line| line.strip_prefix("row ")?.split(' ').next());
        asked = rows.map(|row| row.parse().unwrap()).collect();
        answers += &format!("{}\n", class(*asked.last().unwrap()));
    }
    let mut different = asked.clone();
    different.dedup();
    assert_eq!(different, asked, "no row is asked about twice in a row");

    // Rows with known classes tell when to stop.
    let known: String =
        (0..50).map(|x| format!("n{x},{}.25,{}\n", x, if x > 24 { "high" } else { "low" })).collect();
    fs::write(folder.path().join("known.csv"), format!("name,x,label\n{known}")).unwrap();
    let words = ["label", "pool.csv", "--classes", "low,high", "--ignore", "name", "--kernel", "linear"];
    let more = ["--validation", "known.csv", "--stop", "--cost", "1000"];
    let mut answers = String::new();
    for round in 0.. {
        assert!(round < 30, "it does not stop");
        let _ = fs::remove_file(folder.path().join("pool.labelled.csv"));
        let run = mercer_fed(folder.path(), &[&words[..], &more].concat(), &answers);
        assert_eq!(run.code, 0, "{}", run.stderr);
        if run.stderr.contains("No row is left within the margin") {
            assert!(run.stderr.contains("% of 50 rows with known classes are wrong"), "{}", run.stderr);
            break;
        }
        let mut rows = run.stderr.lines().filter_map(|line| line.strip_prefix("row ")?.split(' ').next());
        let last: usize = rows.next_back().unwrap().parse().unwrap();
        answers += if last - 1 > 24 { "high\n" } else { "low\n" };
    }
    let wrong = mercer_fed(folder.path(), &[&words[..], &["--diversity", "2"]].concat(), "");
    assert!(wrong.code == 2 && wrong.stderr.contains("diversity"), "{}", wrong.stderr);
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("pool.csv"), pool()).unwrap();
    let labelled = folder.path().join("pool.labelled.csv");
    for (text, words) in [
        ("row,name,x,label\n1,n1,1,low\n", "pool.labelled.csv:2:1: the row is not the one of this number"),
        ("row,name,x,label\n2,n1,1,middle\n", "the label `middle` is none of the classes"),
        ("row,name,x,label\n2,n1,1,low\n2,n1,1,low\n", "row 2 stands twice"),
        ("row,name,x,label\nlow\n", "this is no line of labelled rows"),
    ] {
        fs::write(&labelled, text).unwrap();
        let run = mercer_fed(folder.path(), &["label", "pool.csv", "--classes", "low,high"], "");
        assert!(run.code == 1 && run.stderr.contains(words), "{}", run.stderr);
    }
    for classes in ["low", "low,low", "low,,high"] {
        let run = mercer_fed(folder.path(), &["label", "pool.csv", "--classes", classes], "");
        assert_eq!(run.code, 2, "{classes}: {}", run.stderr);
    }
}
