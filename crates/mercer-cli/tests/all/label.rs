//! `mercer label`: questions, answers, second thoughts, and going on another day.

use std::fs;

use crate::{files, mercer, mercer_fed};

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
    assert!(text.starts_with("name,x,label\n"), "{text}");
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let x: usize = fields[1].parse().unwrap();
        assert_eq!(fields[0], format!("n{x}"));
        assert_eq!(fields[2], if x > 24 { "high" } else { "low" }, "{line}");
    }
    // Both sides of the boundary were found.
    assert!(text.contains(",24,low") && text.contains(",25,high"), "{text}");

    // A wrong answer, taken back, leaves what was there; words that are no answer are asked again.
    let (_, told) = session(folder.path(), "1\nu\nperhaps\nq\n");
    assert!(told.contains("`perhaps` is none of 1, 2, low, high, u, s and q"), "{told}");
    assert_eq!(fs::read_to_string(folder.path().join("pool.labelled.csv")).unwrap(), text);
    assert_eq!(files(folder.path()), ["pool.csv", "pool.labelled.csv"]);

    // What was written is what is trained on, and the model knows the pool.
    let words = ["train", "pool.labelled.csv", "-o", "m.mercer", "--ignore", "name", "--kernel", "linear"];
    let run = mercer(folder.path(), &[&words[..], &["--cost", "1000"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = mercer(folder.path(), &["predict", "m.mercer", "pool.csv"]);
    assert_eq!((run.code, run.stdout.matches("low").count()), (0, 25), "{}", run.stderr);
}

/// The last answer can be taken back too, at once and another day; a label in the pool is pointed out.
#[test]
fn the_last_answer_of_all_is_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p.tsv"), "x\tlabel\n1\t0\n9\t1\n").unwrap();
    let words = ["label", "p.tsv", "--classes", "low,high"];
    let run = mercer_fed(folder.path(), &words, "low\nlow\nu\nhigh\nq\n");
    assert!(run.code == 0 && run.stderr.contains("Every row has an answer"), "{}", run.stderr);
    assert!(run.stderr.contains("--ignore label leaves it out"), "{}", run.stderr);
    let written = || fs::read_to_string(folder.path().join("p.labelled.tsv")).unwrap();
    let highs = |text: String| text.matches("high").count();
    assert_eq!((written().lines().count(), highs(written())), (3, 1), "{}", written());
    assert_eq!(mercer_fed(folder.path(), &words, "u\nq\n").code, 0);
    assert_eq!((written().lines().count(), highs(written())), (2, 0), "{}", written());
}

#[test]
fn classes_that_are_numbers_are_answered_by_name() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("pool.csv"), "a,b\n1,2\n3,4\n5,6\n").unwrap();
    let run =
        mercer_fed(folder.path(), &["label", "pool.csv", "--classes", "0,1", "-o", "o.csv"], "1\n2\n0\nq\n");
    assert!(run.stderr.starts_with("0, 1, u takes"), "{}", run.stderr);
    assert!(run.stderr.contains("`2` is none of 0, 1, u, s and q"), "{}", run.stderr);
    let text = fs::read_to_string(folder.path().join("o.csv")).unwrap();
    let labels: Vec<&str> = text.lines().skip(1).map(|line| line.rsplit(',').next().unwrap()).collect();
    assert_eq!(labels, ["1", "0"]);
    for classes in ["u,q", "a,s"] {
        let run = mercer_fed(folder.path(), &["label", "pool.csv", "--classes", classes], "");
        assert!(run.code == 2 && run.stderr.contains("cannot be a class"), "{}", run.stderr);
    }
}

#[test]
fn rows_are_skipped_and_told_about() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("pool.csv"), "a;b\n1;2\n3;4\n3;4\n5;6\n").unwrap();
    let words = ["label", "pool.csv", "--classes", "x,y", "-o", "o.csv", "--json"];
    // Nobody knows any of them; the last is thought about again.
    let run = mercer_fed(folder.path(), &words, "s\ns\ns\ns\n");
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((run.code, told["skipped"].as_array().unwrap().len()), (0, 4), "{}", run.stderr);
    let asked: Vec<&str> = run.stderr.lines().filter(|line| line.starts_with("row ")).collect();
    assert_eq!(asked.len(), 4, "{asked:?}");
    let run = mercer_fed(folder.path(), &words, "s\nu\nx\ny\nx\n");
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((told["labelled"].as_u64(), told["classes"]["y"].as_u64()), (Some(3), Some(1)), "{told}");
    assert_eq!(told["skipped"].as_array().unwrap().len(), 0);
    // The pool's own delimiter; equal lines are taken one after the other.
    let text = fs::read_to_string(folder.path().join("o.csv")).unwrap();
    assert!(text.starts_with("a;b;label\n") && text.matches("3;4;").count() == 2, "{text}");
    let again = mercer_fed(folder.path(), &words, "u\nq\n");
    assert_eq!(again.code, 0, "{}", again.stderr);
    let shorter = fs::read_to_string(folder.path().join("o.csv")).unwrap();
    assert!(text.starts_with(&shorter) && shorter.lines().count() == 3, "{shorter}");
}

#[test]
fn pools_are_unpacked_and_left_overs_removed() {
    let folder = tempfile::tempdir().unwrap();
    let packed = fs::File::create(folder.path().join("pool.csv.gz")).unwrap();
    let mut packed = flate2::write::GzEncoder::new(packed, flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, b"name,x\n\"Smith, \"\"J\"\"\",1\nb,2\n").unwrap();
    packed.finish().unwrap();
    // No process has this number.
    fs::write(folder.path().join(".pool.labelled.csv.4194305.4.tmp"), "half").unwrap();
    let words = ["label", "pool.csv.gz", "--classes", "x,y", "--ignore", "name"];
    let run = mercer_fed(folder.path(), &words, "x\ny\n");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("  name: Smith, \"J\"\n  x: 1"), "{}", run.stderr);
    assert_eq!(files(folder.path()), ["pool.csv.gz", "pool.labelled.csv"]);
    assert_eq!(fs::read_to_string(folder.path().join("pool.labelled.csv")).unwrap().lines().count(), 3);
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
        ("name,x,label\nn1,2,low\n", "pool.labelled.csv:2:1: no row of the pool is `n1,2`"),
        ("name,x,label\nn1,1,middle\n", "the label `middle` is none of the classes"),
        ("name,x,label\nn1,1,low\nn1,1,low\n", "`n1,1` stands here more often than in the pool"),
        ("name,x,label\nlow\n", "this is no line of labelled rows"),
        ("name,y,label\nn1,1,low\n", "expected that of the pool with the label behind it, `name,x,label`"),
        ("row,name,x,label\n2,n1,1,low\n", "a column of row numbers in front, as earlier versions wrote it"),
    ] {
        fs::write(&labelled, text).unwrap();
        let run = mercer_fed(folder.path(), &["label", "pool.csv", "--classes", "low,high"], "");
        assert!(run.code == 1 && run.stderr.contains(words), "{}", run.stderr);
    }
    for classes in ["low", "low,low", "low,,high"] {
        let run = mercer_fed(folder.path(), &["label", "pool.csv", "--classes", classes], "");
        assert_eq!(run.code, 2, "{classes}: {}", run.stderr);
    }
    fs::remove_file(&labelled).unwrap();
    for (more, code, words) in [
        (["--label", "x"], 2, "unexpected argument '--label'"),
        (["--text", "name"], 2, "unexpected argument '--text'"),
        (["--missing", "drop"], 2, "any row of the pool may be asked about"),
        (["-o", "nowhere/o.csv"], 1, "nowhere/o.csv"),
        (["--diversity", "1.5"], 2, "--diversity: a number from 0 to 1"),
    ] {
        let words_given =
            [&["label", "pool.csv", "--classes", "low,high", "--ignore", "name"], &more[..]].concat();
        let run = mercer_fed(folder.path(), &words_given, "1\n");
        assert!(run.code == code && run.stderr.contains(words), "{more:?}: {}", run.stderr);
        assert!(!run.stderr.contains("labelled)"), "nothing is asked: {}", run.stderr);
    }
    fs::write(folder.path().join("rows"), "0 1:1 2:2\n0 1:2\n").unwrap();
    let run = mercer_fed(folder.path(), &["label", "rows", "--classes", "low,high"], "1\n");
    assert!(run.code == 1 && run.stderr.contains("LIBSVM's format begin with a label"), "{}", run.stderr);
}
