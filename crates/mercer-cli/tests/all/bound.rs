//! What theorems promise about a model.

use serde_json::Value;

use crate::{Run, data, mercer};

fn json(run: &Run) -> Value {
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error} in\n{}", run.stdout))
}

/// Two groups of rows far apart, so that few rows promise something.
fn table(n: usize) -> String {
    let row = |i: usize| {
        let (y, wave) = ((i % 2) as f64, (i * 37 % 101) as f64 / 101.0);
        format!("{},{},{}\n", 10.0 * y + wave, wave, ["low", "high"][i % 2])
    };
    "a,b,kind\n".to_string() + &(0..n).map(row).collect::<String>()
}

#[test]
fn a_classifier_is_told_by_its_margin_slacks_and_support_vectors() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), table(2000)).unwrap();
    let train = ["train", "t.csv", "--slack", "none", "--kernel", "linear", "--test", "none", "-q"];
    let run = mercer(folder.path(), &train);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = mercer(folder.path(), &["bound", "t.mercer"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for part in [
        "confidence      95 %, if rows are drawn independently",
        "of              high against low",
        "rows 2000, margin ",
        "margins         ",
        "hard margin: a new row is wrong with a probability of at most 0.",
        "complexity 0.",
        "by Shawe-Taylor & Cristianini, Theorems 7.22 and 7.27 (1)",
        "smaller by a larger margin",
        "notes           (1) as the text has it",
        "if the constant were 1",
        "compares models and promises nothing",
        "fat shattering: a new row is wrong with a probability of at most ",
        "which says nothing",
        "best            support vectors, 0.0",
    ] {
        assert!(run.stdout.contains(part), "{part} is missing in\n{}", run.stdout);
    }
    let found = json(&mercer(folder.path(), &["bound", "t.mercer", "--json"]));
    let of = &found["bounds_of"][0];
    assert_eq!((&of["of"], &of["best"]), (&Value::from("high against low"), &Value::from("support vectors")));
    for bound in of["bounds"].as_array().unwrap() {
        let terms: f64 =
            bound["terms"].as_array().unwrap().iter().map(|t| t["value"].as_f64().unwrap()).sum();
        assert!((terms - bound["value"].as_f64().unwrap()).abs() < 1e-9 * terms.max(1.0), "{bound}");
        assert!(bound["vacuous"].is_boolean() && !bound["advice"].as_str().unwrap().is_empty(), "{bound}");
    }
    assert_eq!(of["margins"].as_array().unwrap().len(), found["margin_shares"].as_array().unwrap().len());
    // Choices and a smaller delta cost.
    let value = |words: &[&str]| {
        let found = json(&mercer(folder.path(), &[&["bound", "t.mercer", "--json"], words].concat()));
        found["bounds_of"][0]["bounds"][0]["value"].as_f64().unwrap()
    };
    let plain = value(&[]);
    assert!(value(&["--choices", "100"]) > plain && value(&["--delta", "0.001"]) > plain);
    assert!(value(&["--delta", "0.5"]) < plain);
}

#[test]
fn every_kind_of_model_has_its_list_or_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let (mpg, wine, heart) = (data("auto_mpg.csv"), data("wine.csv"), data("heart_scale"));
    let quick = ["--test", "none", "--cost", "1", "-q"];
    for (words, parts) in [
        (
            &["train", &mpg, "-o", "m.mercer"][..],
            ["a new target is missed by more than", "an expected squared error of at most"],
        ),
        (&["train", &wine, "-o", "m.mercer"], ["of              class_0 against class_2", "rows 107"]),
        (
            &["train", &wine, "--multiclass", "crammer-singer", "-o", "m.mercer"],
            ["not applicable  all:", "machines of two classes"],
        ),
        (
            &["train", &mpg, "--machine", "ridge", "-o", "m.mercer"],
            ["of              ridge regression", "a new target is missed by more than"],
        ),
        (
            &["train", &heart, "--scale", "none", "-o", "m.model"],
            ["not applicable  all:", "files in LIBSVM's format"],
        ),
    ] {
        let run = mercer(folder.path(), &[words, &quick, &["--force"]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let file = words[words.len() - 1];
        let run = mercer(folder.path(), &["bound", file]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        parts
            .iter()
            .for_each(|part| assert!(run.stdout.contains(part), "{part} is missing in\n{}", run.stdout));
    }
    let train = [
        "train", &heart, "--task", "novelty", "--region", "sphere", "--test", "none", "-q", "-o", "n.mercer",
    ];
    assert_eq!(mercer(folder.path(), &train).code, 0);
    let run = mercer(folder.path(), &["bound", "n.mercer"]);
    for part in ["lies beyond a squared radius larger by", "Theorems 7.5, 7.9 and 7.12"] {
        assert!(run.stdout.contains(part), "{part} is missing in\n{}", run.stdout);
    }
}

#[test]
fn what_makes_no_sense_is_bad_usage() {
    let folder = tempfile::tempdir().unwrap();
    for (words, part) in [
        (["--delta", "0"], "delta = 0: expected a probability above 0 and below 1"),
        (["--delta", "-1"], "delta = -1"),
        (["--choices", "0"], "choices = 0: expected 1 or more"),
        (["--constant", "-2"], "constant = -2"),
        (["--gamma", "0"], "gamma = 0"),
        (["--share", "2"], "share = 2"),
    ] {
        let run = mercer(folder.path(), &["bound", "none.mercer", words[0], words[1]]);
        assert_eq!(run.code, 2, "{words:?}: {}", run.stderr);
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
    let run = mercer(folder.path(), &["bound", "none.mercer"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
}
