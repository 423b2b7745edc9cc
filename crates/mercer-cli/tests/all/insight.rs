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
    assert_eq!(told["predicted"], "setosa");
    let run = mercer(folder.path(), &["explain", "m.mercer", "5.1,3.5,1.4,0.2"]);
    assert!(run.stdout.starts_with("predicted: setosa\n"), "{}", run.stdout);
    assert!(run.stdout.contains("setosa rather than versicolor"), "{}", run.stdout);
    // The same row of the file, with its label, and by its number.
    for more in [&["5.1,3.5,1.4,0.2,setosa"][..], &["1", "--data", &iris]] {
        let again = mercer(folder.path(), &[&["explain", "m.mercer"], more].concat());
        assert_eq!(again.stdout, run.stdout, "{}", again.stderr);
    }
    let run = mercer(folder.path(), &["explain", "m.mercer", "151", "--data", &iris]);
    assert!(run.code == 1 && run.stderr.contains("there is no row 151: the file has 150"), "{}", run.stderr);
    for (row, words) in [("5.1,x,1.4,0.2", "column 2"), ("5.1,3.5,1.4,nan", "column 4"), ("5.1", "column")] {
        let run = mercer(folder.path(), &["explain", "m.mercer", row]);
        assert!(run.code != 0 && run.stderr.contains(words), "{}", run.stderr);
    }
    let run = mercer(folder.path(), &["explain", "m.mercer", "5.1,3.5,1.4,nan", "--missing", "mean"]);
    assert!(run.stdout.starts_with("predicted: setosa\n"), "{}{}", run.stdout, run.stderr);
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

/// Rows keep the numbers that they have in the file, though some are left out.
#[test]
fn rows_that_are_left_out_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(data("iris.csv")).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    lines[10] = lines[10].replace("setosa", "virginica");
    for _ in 0..3 {
        lines.insert(1, "5.0,,1.3,0.2,setosa".into());
    }
    fs::write(folder.path().join("t.csv"), lines.join("\n") + "\n").unwrap();
    let run = mercer(folder.path(), &["clean", "t.csv", "--missing", "drop", "--json", "-o", "ranked.csv"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(told["suspects"][0]["row"], 13, "{told}");
    let ranked = fs::read_to_string(folder.path().join("ranked.csv")).unwrap();
    assert!(ranked.lines().nth(1).unwrap().starts_with("1,13,virginica,setosa"), "{ranked}");
    let row = |words: &[&str]| {
        let run = mercer(folder.path(), &[&["prototypes"], words, &["--count", "1", "--json"]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let told: Value = serde_json::from_str(&run.stdout).unwrap();
        told["prototypes"][0]["row"].as_u64().unwrap()
    };
    assert_eq!(row(&["t.csv", "--missing", "drop"]), row(&[&data("iris.csv")]) + 3);
    // Few rows have as many parts as there are.
    fs::write(folder.path().join("few.csv"), "1,a\n2,a\n8,b\n9,b\n7,b\n").unwrap();
    assert_eq!(mercer(folder.path(), &["clean", "few.csv"]).code, 0);
}

#[test]
fn regions_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let iris = data("iris.csv");
    for region in ["hyperplane", "sphere"] {
        let words =
            ["train", &iris, "--task", "novelty", "--region", region, "--force", "-q", "-o", "n.mercer"];
        let run = mercer(folder.path(), &words);
        assert_eq!(run.code, 0, "{}", run.stderr);
        for (row, predicted) in [("5.8,3.0,4.3,1.3", "inside"), ("9,9,9,9", "outside")] {
            let run = mercer(folder.path(), &["explain", "n.mercer", row, "--json", "--top", "1000"]);
            assert_eq!(run.code, 0, "{}", run.stderr);
            let told: Value = serde_json::from_str(&run.stdout).unwrap();
            assert_eq!(told["predicted"], predicted, "{region}: {told}");
            let function = &told["functions"][0];
            let terms = ["for_above", "for_below"].map(|side| function[side].as_array().unwrap());
            let sum: f64 = terms.iter().copied().flatten().map(|t| t["contribution"].as_f64().unwrap()).sum();
            let (value, offset) = (function["value"].as_f64().unwrap(), function["offset"].as_f64().unwrap());
            assert!(
                (sum + offset - value).abs() < 1e-9 && (value > 0.0) == (predicted == "inside"),
                "{told}"
            );
        }
    }
}

#[test]
fn rows_are_explained_as_they_stand_in_the_data() {
    let folder = tempfile::tempdir().unwrap();
    // Words.
    let mut text = String::from("colour,size,label\n");
    for at in 0..20 {
        let (colour, label) = if at % 2 == 0 { ("red", "ripe") } else { ("green", "raw") };
        text += &format!("{colour},{at},{label}\n");
    }
    fs::write(folder.path().join("fruit.csv"), text).unwrap();
    let run = mercer(folder.path(), &["train", "fruit.csv", "-o", "m.mercer", "--kernel", "linear"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for row in ["red,3", "red,3,ripe"] {
        let run = mercer(folder.path(), &["explain", "m.mercer", row]);
        assert!(run.stdout.starts_with("predicted: ripe\n"), "{row}: {}{}", run.stdout, run.stderr);
    }
    // LIBSVM's entries, with a label and without.
    fs::write(folder.path().join("rows"), "+1 1:2\n+1 1:3\n-1 2:2\n-1 2:3\n").unwrap();
    let run = mercer(folder.path(), &["train", "rows", "-o", "s.mercer", "--kernel", "linear"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for row in ["1:2.5", "-1 1:2.5", "1:2 2:0.5"] {
        let run = mercer(folder.path(), &["explain", "s.mercer", row, "--json"]);
        let told: Value = serde_json::from_str(&run.stdout).unwrap_or_default();
        assert_eq!(told["predicted"], "1", "{row}: {}", run.stderr);
    }
}

#[test]
fn structured_items_are_told_about_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::from("label,text\n");
    for at in 0..12 {
        // Number 5 has the wrong label.
        let (motif, label) = if at % 2 == 0 { ("gattaca", "g") } else { ("ccacca", "c") };
        let label = if at == 4 { "c" } else { label };
        text += &format!("{label},{motif}{}\n", "acgt".repeat(1 + at % 3));
    }
    fs::write(folder.path().join("words.csv"), text).unwrap();
    let kernel = ["--kernel", "spectrum(k=3)", "--label", "label", "--text", "text"];
    let run =
        mercer(folder.path(), &[&["clean", "words.csv", "--json", "--folds", "4"], &kernel[..]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(
        (&told["suspects"][0]["row"], &told["suspects"][0]["rather"]),
        (&5.into(), &"g".into()),
        "{told}"
    );
    let words = ["prototypes", "words.csv", "--count", "1", "--per-class", "--json"];
    let run = mercer(folder.path(), &[&words, &kernel[..]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(told["prototypes"].as_array().unwrap().len(), 2, "{told}");
    let run = mercer(folder.path(), &[&["train", "words.csv", "-o", "m.mercer"], &kernel[..]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    for more in [&["gattacaacgt"][..], &["1", "--data", "words.csv"]] {
        let run = mercer(folder.path(), &[&["explain", "m.mercer"], more].concat());
        assert!(run.stdout.starts_with("predicted: g\n"), "{}{}", run.stdout, run.stderr);
    }
    for (words, said) in [
        (&["clean", "words.csv", "--unscaled"][..], "--unscaled is for rows of numbers"),
        (&["prototypes", "words.csv", "--words", "text"], "--words is for rows of numbers"),
    ] {
        let run = mercer(folder.path(), &[words, &kernel[..]].concat());
        assert!(run.code == 2 && run.stderr.contains(said), "{}", run.stderr);
    }
    let run = mercer(folder.path(), &["clean", &data("iris.csv"), "--text", "1"]);
    assert!(run.code == 2 && run.stderr.contains("--text is for kernels on strings"), "{}", run.stderr);
}

#[test]
fn measurements_have_no_wrong_classes() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = (0..60).map(|at| format!("{at},{}\n", f64::from(at) / 7.0)).collect();
    fs::write(folder.path().join("numbers.csv"), format!("x,y\n{rows}")).unwrap();
    let run = mercer(folder.path(), &["clean", "numbers.csv"]);
    assert!(run.code == 1 && run.stderr.contains("look like measurements"), "{}{}", run.stdout, run.stderr);
    let run = mercer(folder.path(), &["clean", "numbers.csv", "--task", "regress"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    let rows: String = (0..30).map(|at| format!("{at},{}\n", 0.5 * f64::from(at % 15))).collect();
    fs::write(folder.path().join("levels.csv"), format!("x,y\n{rows}")).unwrap();
    let run = mercer(folder.path(), &["clean", "levels.csv", "--task", "classify"]);
    assert!(run.code == 0 && run.stdout.contains("of 30 labels"), "{}", run.stderr);
}

#[test]
fn the_only_row_of_a_class_is_contradicted() {
    let folder = tempfile::tempdir().unwrap();
    for classes in [1, 2] {
        let rows: String = (0..40)
            .map(|at| {
                let label = if at == 17 {
                    "rare"
                } else if at % (classes + 1) == 1 {
                    "b"
                } else {
                    "a"
                };
                let label = if classes == 1 && at != 17 { "a" } else { label };
                format!("{at},{},{label}\n", (at * 7) % 11)
            })
            .collect();
        fs::write(folder.path().join("rare.csv"), format!("x,y,label\n{rows}")).unwrap();
        let run = mercer(folder.path(), &["clean", "rare.csv", "--json"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let told: Value = serde_json::from_str(&run.stdout).unwrap();
        let all = told["suspects"].as_array().unwrap();
        let rare = all.iter().find(|one| one["row"] == 18).unwrap();
        assert!(rare["margin"].as_f64().unwrap() <= -1.0, "{rare}");
        assert_ne!(rare["rather"], "rare");
        assert!(all.iter().all(|one| one["rather"] != "rare" || one["margin"].as_f64().unwrap() > 0.0));
        if classes == 1 {
            assert_eq!((&all[0]["row"], &all[0]["margin"]), (&18.into(), &(-2.0).into()));
        }
    }
}
