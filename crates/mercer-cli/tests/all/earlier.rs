//! `mercer train --from`: a training that goes on from an earlier model.

use std::path::Path;

use serde_json::Value;

use super::{Run, data, mercer};

fn json(run: &Run) -> Value {
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

fn train(folder: &Path, words: &[&str]) -> Value {
    json(&mercer(folder, &[&["train", "--json", "--force"], words].concat()))
}

/// Steps of all problems, and their dual objectives.
fn solved(summary: &Value) -> (u64, Vec<f64>) {
    let reports = summary["reports"].as_array().unwrap();
    let steps = reports.iter().map(|report| report["iterations"].as_u64().unwrap()).sum();
    (steps, reports.iter().map(|report| report["certificate"]["dual"].as_f64().unwrap()).collect())
}

#[test]
fn every_machine_that_was_stopped_goes_on_and_ends_where_it_would_have_ended() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (pima, wine, mpg) = (data("pima_diabetes.csv"), data("wine.csv"), data("auto_mpg.csv"));
    let cases: [(&str, &[&str]); 16] = [
        (&pima, &["--cost", "10"]),
        (&pima, &["--cost", "10", "--class-weight", "balanced", "--no-offset"]),
        (&pima, &["--cost", "10", "--slack", "quadratic", "--unit-length"]),
        (&pima, &["--slack", "nu", "--nu", "0.5"]),
        (&wine, &["--cost", "3", "--multiclass", "graph", "--kernel", "polynomial(degree=2)"]),
        (&wine, &["--cost", "3", "--multiclass", "one-against-rest", "--scale", "min-max"]),
        (&wine, &["--cost", "3", "--multiclass", "weston-watkins"]),
        (&wine, &["--cost", "3", "--multiclass", "crammer-singer", "--no-offset"]),
        (&mpg, &["--cost", "30"]),
        (&mpg, &["--cost", "30", "--loss", "quadratic", "--tube", "0.5"]),
        (&mpg, &["--cost", "3", "--loss", "huber"]),
        (&mpg, &["--cost", "30", "--level", "0.8"]),
        (&mpg, &["--cost", "30", "--loss", "nu", "--nu", "0.3"]),
        (&pima, &["--task", "novelty", "--nu", "0.3", "--contamination", "0.2"]),
        (&pima, &["--region", "sphere", "--slack", "linear", "--cost", "0.01"]),
        (&pima, &["--region", "sphere", "--slack", "quadratic", "--cost", "2"]),
    ];
    for (file, machine) in cases {
        let missing: &[&str] = if file == mpg { &["--missing", "drop"] } else { &[] };
        let train =
            |more: &[&str]| train(folder, &[&[file, "--test", "none", "--tolerance", "1e-5"], more].concat());
        let whole = train(&[machine, missing, &["-o", "whole.mercer"]].concat());
        let (steps, objective) = solved(&whole);
        let most = (steps / objective.len() as u64 / 2).max(1).to_string();
        let limit = ["-o", "stopped.mercer", "--max-iterations", &most];
        let stopped = train(&[machine, missing, &limit].concat());
        assert_eq!(stopped["status"], "IterationLimit", "{machine:?}: {stopped}");
        let from = [missing, &["--from", "stopped.mercer", "-o", "resumed.mercer"]].concat();
        let resumed = train(&from);
        assert_eq!(resumed["status"], "Converged", "{machine:?}");
        for same in ["kernel", "scaling", "cost", "task", "softness", "region", "loss", "tube"] {
            let is_found = same == "tube" && whole["loss"]["nu"].is_object();
            assert!(resumed[same] == whole[same] || is_found, "{machine:?} {same}: {resumed}");
        }
        for name in ["formulation", "scale", "offset", "class weights", "contamination"] {
            assert_eq!(resumed["notes"][name], whole["notes"][name], "{machine:?} {name}");
        }
        let (fewer, reached) = solved(&resumed);
        assert!(fewer < steps, "{machine:?}: {fewer} steps against {steps}");
        for (a, b) in reached.iter().zip(&objective) {
            assert!((a - b).abs() <= 1e-4 * b.abs(), "{machine:?}: {a} against {b}");
        }
        // From the solution itself next to nothing is left to do.
        let again = train(&[missing, &["--from", "whole.mercer", "-o", "again.mercer"]].concat());
        assert!(solved(&again).0 <= steps / 10, "{machine:?}: {} of {steps}", solved(&again).0);
    }
}

#[test]
fn another_cost_begins_with_the_earlier_one_and_what_was_said_may_be_said_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let pima = data("pima_diabetes.csv");
    let first = ["train", &pima, "--gamma", "median", "--cost", "1", "--test", "none", "-o", "one.mercer"];
    assert_eq!(mercer(folder, &first).code, 0);
    let next = ["train", &pima, "--gamma", "median", "--cost", "2", "--scale", "standardise"];
    let run = mercer(folder, &[&next[..], &["--from", "one.mercer", "-o", "two.mercer"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    for word in ["one.mercer: ", "support vectors to begin with", "cost            2\n", "not tested"] {
        assert!(run.stdout.contains(word), "{word}: {}", run.stdout);
    }
    let cold = train(folder, &[&pima, "--cost", "2", "--test", "none", "-o", "cold.mercer"]);
    let warm = train(folder, &[&pima, "--from", "one.mercer", "--cost", "2", "-o", "warm.mercer"]);
    assert!(solved(&warm).0 < solved(&cold).0);
    let (a, b) = (solved(&warm).1[0], solved(&cold).1[0]);
    assert!((a - b).abs() < 1e-3 * b.abs(), "{a} {b}");
    let predict = |model: &str| mercer(folder, &["predict", model, &pima]).stdout;
    assert_eq!(predict("warm.mercer"), predict("two.mercer"));
}

#[test]
fn another_machine_or_other_rows_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (pima, wine, iris) = (data("pima_diabetes.csv"), data("wine.csv"), data("iris.csv"));
    for (file, model) in [(&pima, "p.mercer"), (&wine, "w.mercer")] {
        train(folder, &[file, "--cost", "1", "--test", "none", "-o", model]);
    }
    let text = std::fs::read_to_string(&pima).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let write = |name: &str, lines: &[&str]| std::fs::write(folder.join(name), lines.join("\n")).unwrap();
    write("few.csv", &lines[..100]);
    let mut swapped = lines.clone();
    swapped[1..].reverse();
    write("swapped.csv", &swapped);
    let renamed: Vec<String> = lines.iter().map(|line| line.replace("pos", "yes")).collect();
    write("renamed.csv", &renamed.iter().map(String::as_str).collect::<Vec<_>>());
    let more: Vec<&str> = lines.iter().copied().chain(lines[1..50].iter().copied()).collect();
    write("more.csv", &more);
    let heart = data("heart_scale");
    train(folder, &[&heart, "--cost", "1", "--scale", "none", "--test", "none", "-o", "h.model"]);
    let cases: [(&[&str], i32, &str); 14] = [
        (
            &[&pima, "--from", "p.mercer", "--slack", "quadratic"],
            2,
            "--slack: the model of --from has another",
        ),
        (
            &[&wine, "--from", "w.mercer", "--multiclass", "graph"],
            2,
            "--multiclass: the model of --from has another",
        ),
        (&[&pima, "--from", "p.mercer", "--task", "regress"], 2, "the model of --from is a classifier"),
        (&[&pima, "--from", "p.mercer", "--region", "sphere"], 2, "the model of --from is a classifier"),
        (
            &[&pima, "--from", "p.mercer", "--kernel", "linear"],
            2,
            "--kernel linear: the model of --from has gaussian",
        ),
        (&[&pima, "--from", "p.mercer", "--gamma", "7"], 2, "which is kept"),
        (
            &[&pima, "--from", "p.mercer", "--scale", "none"],
            2,
            "--scale: the model of --from has another scaling",
        ),
        (
            &[&pima, "--from", "p.mercer", "--no-offset"],
            2,
            "--no-offset: the model of --from was trained without it",
        ),
        (&[&pima, "--from", "p.mercer", "--test", "folds"], 2, "--from does not go with a test"),
        (&["few.csv", "--from", "p.mercer"], 1, "is not among the 99 rows"),
        (&["swapped.csv", "--from", "p.mercer"], 1, "is not the one that the model of --from was trained on"),
        (
            &["renamed.csv", "--from", "p.mercer"],
            1,
            "the model of --from tells neg, pos apart, and these rows are neg, yes",
        ),
        (&[&iris, "--from", "p.mercer"], 1, "the columns are not those"),
        (&[&heart, "--from", "h.model"], 1, "does not tell how it was trained"),
    ];
    for (words, code, message) in cases {
        let run = mercer(folder, &[&["train", "-o", "new.mercer"], words].concat());
        assert_eq!((run.code, run.stderr.contains(message)), (code, true), "{words:?}: {}", run.stderr);
        assert!(!folder.join("new.mercer").exists());
    }
    // Rows that came later begin with nothing.
    let warm = train(folder, &["more.csv", "--from", "p.mercer", "-o", "new.mercer"]);
    let cold_words =
        ["more.csv", "--kernel", warm["kernel"].as_str().unwrap(), "--cost", "1", "--test", "none"];
    let cold = train(folder, &[&cold_words[..], &["-o", "cold.mercer"]].concat());
    assert_eq!(warm["status"], "Converged");
    let (a, b) = (solved(&warm).1[0], solved(&cold).1[0]);
    assert!((a - b).abs() < 0.02 * b.abs(), "{a} {b}");
}
