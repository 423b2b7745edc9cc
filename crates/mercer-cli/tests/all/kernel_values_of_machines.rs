//! Machines that factorise the kernel matrix learn from kernel values what they learn from items.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use mercer::data::Random;

use crate::mercer;

/// Rows of numbers with a target, as features and as values of the linear kernel with the first thirty.
fn write(folder: &Path) {
    let mut random = Random::new(4);
    let rows: Vec<[f64; 3]> = (0..45).map(|_| [random.normal(), random.normal(), random.normal()]).collect();
    let level = |row: &[f64; 3]| (row[0] - 0.5 * row[1] + 2.5).clamp(0.0, 4.0).floor();
    let product = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let features = |rows: &[[f64; 3]]| -> String {
        let lines = rows
            .iter()
            .enumerate()
            .map(|(i, row)| format!("{} qid:{} 1:{} 2:{} 3:{}\n", level(row), i % 3, row[0], row[1], row[2]));
        lines.collect()
    };
    let values = |some: &[[f64; 3]]| -> String {
        let mut text = String::new();
        for (i, row) in some.iter().enumerate() {
            write!(text, "{} qid:{} 0:{}", level(row), i % 3, i + 1).unwrap();
            for (j, other) in rows[..30].iter().enumerate() {
                write!(text, " {}:{}", j + 1, product(row, other)).unwrap();
            }
            text.push('\n');
        }
        text
    };
    for (name, text) in [
        ("f.svm", features(&rows[..30])),
        ("f.new.svm", features(&rows[30..])),
        ("k.svm", values(&rows[..30])),
        ("k.new.svm", values(&rows[30..])),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
}

fn numbers(text: &str) -> Vec<f64> {
    text.lines().skip(1).flat_map(|line| line.split(',')).filter_map(|cell| cell.parse().ok()).collect()
}

#[test]
fn kernel_values_give_what_items_give() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let cases: [&[&str]; 11] = [
        &["train", "--machine", "ridge", "--task", "regress"],
        &["train", "--machine", "ridge", "--task", "regress", "--cost", "2", "--no-offset"],
        &["train", "--machine", "pls", "--task", "regress", "--components", "2"],
        &["train", "--machine", "ordinal", "--task", "regress"],
        &["train", "--machine", "rvm", "--task", "regress"],
        &["train", "--machine", "lssvm", "--task", "classify"],
        &["train", "--machine", "fisher", "--task", "classify"],
        &["train", "--machine", "bayes-point", "--task", "classify"],
        &["reduce", "--components", "3"],
        &["cluster", "--clusters", "3"],
        &["rank", "--test"],
    ];
    for case in cases {
        let mut answers = Vec::new();
        for (name, kernel) in [("f", "linear"), ("k", "precomputed")] {
            let (file, new, model) =
                (format!("{name}.svm"), format!("{name}.new.svm"), format!("{name}.mercer"));
            let mut arguments = vec![case[0], &file, "--kernel", kernel, "-o", &model, "--force"];
            arguments.extend(&case[1..]);
            if case[0] == "rank" {
                arguments.push(&new);
            }
            let run = mercer(folder.path(), &arguments);
            assert_eq!(run.code, 0, "{case:?} {kernel}: {}", run.stderr);
            assert!(name == "f" || run.stdout.contains("kernel values of 30 items"), "{}", run.stdout);
            let scores: &[&str] = if case.contains(&"classify") { &["--scores"] } else { &[] };
            let run = mercer(folder.path(), &[&["predict", &model, &new][..], scores].concat());
            assert_eq!(run.code, 0, "{case:?} {kernel}: {}", run.stderr);
            answers.push(numbers(&run.stdout));
        }
        assert!(!answers[0].is_empty() && answers[0].len() == answers[1].len(), "{case:?}");
        for (a, b) in answers[0].iter().zip(&answers[1]) {
            assert!((a - b).abs() < 1e-6 * a.abs().max(1.0), "{case:?}: {a} {b}");
        }
    }
    let shown = mercer(folder.path(), &["inspect", "k.mercer"]);
    assert!(shown.stdout.contains("kernel          precomputed"), "{}", shown.stdout);
    for (arguments, word) in [
        (&["reduce", "f.svm", "--kernel", "precomputed"][..], "holds features"),
        (&["reduce", "k.svm"], "say --kernel precomputed"),
        (&["train", "k.svm", "--machine", "gp", "--kernel", "precomputed"], "needs more of an item"),
        (&["reduce", "k.svm", "--kernel", "precomputed", "--scale", "max-abs"], "--scale is for features"),
        (&["correlate", "k.svm", "f.svm", "--kernel", "precomputed"], "does not go with correlate"),
    ] {
        let run = mercer(folder.path(), &[arguments, &["--force"]].concat());
        assert_ne!(run.code, 0, "{arguments:?}");
        assert!(run.stderr.contains(word), "{arguments:?}: {}", run.stderr);
    }
    let run = mercer(folder.path(), &["reduce", "k.svm", "--kernel", "precomputed", "-o", "p.mercer"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = mercer(folder.path(), &["predict", "p.mercer", "k.new.svm", "--scores"]);
    assert_eq!(run.code, 2, "{}", run.stdout);
}
