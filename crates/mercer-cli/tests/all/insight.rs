//! `mercer clean`, `mercer prototypes` and `mercer explain`.

use std::fs;

use serde_json::Value;

use crate::{data, mercer};

#[test]
fn wrong_labels_come_first() {
    let folder = tempfile::tempdir().unwrap();
    // Three labels of the wine data are changed.
    let text = fs::read_to_string(data("wine.csv")).unwrap();
    let wrong = |line: usize| match line {
        10 => Some("class_2"),
        100 => Some("class_0"),
        170 => Some("class_1"),
        _ => None,
    };
    let changed: String = text
        .lines()
        .enumerate()
        .map(|(line, text)| match (wrong(line), text.rsplit_once(',')) {
            (Some(label), Some((features, old))) => {
                assert_ne!(label, old);
                format!("{features},{label}\n")
            }
            _ => format!("{text}\n"),
        })
        .collect();
    fs::write(folder.path().join("wine.csv"), changed).unwrap();
    let run = mercer(folder.path(), &["clean", "wine.csv", "-o", "report.csv", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: Value = serde_json::from_str(&run.stdout).unwrap();
    let mut first: Vec<u64> = (0..3).map(|at| told["suspects"][at]["row"].as_u64().unwrap()).collect();
    first.sort_unstable();
    assert_eq!(first, [10, 100, 170]);
    let report = fs::read_to_string(folder.path().join("report.csv")).unwrap();
    assert!(report.starts_with("rank,row,label,rather,margin,slack,weight\n1,"), "{report}");
    assert_eq!(report.lines().count(), 179);
    let run = mercer(folder.path(), &["clean", "wine.csv", "-o", "report.csv"]);
    assert!(run.code == 1 && run.stderr.contains("--force"), "{}", run.stderr);
    let run = mercer(folder.path(), &["clean", "wine.csv", "--top", "2"]);
    assert!(run.stdout.contains("contradicted"), "{}", run.stdout);
}

#[test]
fn a_prediction_is_the_sum_of_what_support_vectors_say() {
    let folder = tempfile::tempdir().unwrap();
    let iris = data("iris.csv");
    let run =
        mercer(folder.path(), &["train", &iris, "-o", "m.mercer", "--kernel", "gaussian", "--cost", "1"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = mercer(folder.path(), &["explain", "m.mercer", "5.1,3.5,1.4,0.2", "--json", "--top", "1000"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: Value = serde_json::from_str(&run.stdout).unwrap();
    let functions = told["functions"].as_array().unwrap();
    assert_eq!(functions.len(), 3);
    for function in functions {
        let sum = |side: &str| -> f64 {
            let terms = function[side].as_array().unwrap().iter();
            terms.map(|term| term["contribution"].as_f64().unwrap()).sum()
        };
        let total = sum("for_above") + sum("for_below") + function["offset"].as_f64().unwrap();
        assert!((total - function["value"].as_f64().unwrap()).abs() < 1e-9);
    }
    let run = mercer(folder.path(), &["explain", "m.mercer", "5.1,3.5,1.4,0.2"]);
    assert!(run.stdout.contains("setosa rather than versicolor"), "{}", run.stdout);
    for (row, words) in
        [("5.1,x,1.4,0.2", "`x` is not a number"), ("5.1", "columns (as in the training set)")]
    {
        let run = mercer(folder.path(), &["explain", "m.mercer", row]);
        assert!(run.code != 0 && run.stderr.contains(words), "{}", run.stderr);
    }
}

#[test]
fn prototypes_stand_for_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let iris = data("iris.csv");
    let words = ["prototypes", &iris, "--count", "3", "--per-class", "--json", "-o", "rows.csv"];
    let run = mercer(folder.path(), &words);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: Value = serde_json::from_str(&run.stdout).unwrap();
    let found = told["prototypes"].as_array().unwrap();
    let labels: Vec<&str> = found.iter().map(|one| one["label"].as_str().unwrap()).collect();
    assert_eq!(labels.len(), 9);
    assert!(labels.chunks(3).all(|three| three.iter().all(|label| *label == three[0])), "{labels:?}");
    // The third brings the mean nearer than the first alone.
    assert!(found[2]["distance"].as_f64().unwrap() < found[0]["distance"].as_f64().unwrap());
    let text = fs::read_to_string(folder.path().join("rows.csv")).unwrap();
    assert!(text.starts_with("rank,row,label,distance\n1,") && text.lines().count() == 10, "{text}");
    let run = mercer(folder.path(), &["prototypes", &iris, "--count", "1"]);
    assert!(run.code == 0 && run.stdout.lines().count() == 2, "{}", run.stdout);
    let run = mercer(folder.path(), &["prototypes", &iris, "--count", "1000"]);
    assert!(run.code == 1 && run.stderr.contains("prototypes"), "{}", run.stderr);
    // One function for each class: each is explained.
    let words = [
        "train",
        &iris,
        "-o",
        "m.mercer",
        "--kernel",
        "gaussian",
        "--cost",
        "1",
        "--multiclass",
        "one-against-rest",
    ];
    let run = mercer(folder.path(), &words);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = mercer(folder.path(), &["explain", "m.mercer", "5.1,3.5,1.4,0.2"]);
    assert!(run.stdout.contains("setosa rather than the rest"), "{}{}", run.stdout, run.stderr);
}
