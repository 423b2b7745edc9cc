//! Searches among kernels on structured items, graphs in files of their own, and series with holes.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::mercer;
use crate::structures::{csv, write};

fn told(folder: &Path, words: &[&str]) -> Value {
    let run = mercer(folder, &[words, &["--json"]].concat());
    assert_eq!(run.code, 0, "{words:?}: {}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

/// Slow and fast waves.
fn waves(count: usize) -> String {
    (0..count).fold("@univariate true\n@classLabel true slow fast\n@data\n".to_string(), |mut text, i| {
        let (rate, class) = if i % 2 == 0 { (0.4, "slow") } else { (1.3, "fast") };
        let value = |t: usize| format!("{:.3}", (rate * t as f64 + i as f64 / 7.0).sin());
        let values: Vec<String> = (0..8 + i % 3).map(value).collect();
        let _ = writeln!(text, "{}:{class}", values.join(","));
        text
    })
}

#[test]
fn widths_are_tried_refined_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "w.ts", &waves(24));
    let tune = ["tune", "w.ts", "--kernel", "global_alignment(sigma=median)"];
    let found = told(folder, &[&tune[..], &["--costs", "1,10", "--refine", "1"]].concat());
    let kernels = found["table"]["kernels"].as_array().unwrap().len();
    // Five multiples of the median; then the best, a smaller and a larger width.
    assert_eq!(kernels, 8, "{found}");
    assert_eq!(found["table"]["cells"].as_array().unwrap().len(), 5 * 2 + 3 * 3);
    assert!(found["best"]["mean"].as_f64().unwrap() > 0.9, "{found}");
    let drawn = told(folder, &[&tune[..], &["--random", "3"]].concat());
    assert_eq!(drawn["table"]["cells"].as_array().unwrap().len(), 9);
    // A kernel without a width is drawn once, with as many costs.
    write(folder, "s.csv", &csv(30));
    let drawn = told(folder, &["tune", "s.csv", "--kernel", "spectrum(k=2)", "--random", "4"]);
    assert_eq!(drawn["table"]["cells"].as_array().unwrap().len(), 4);
    let curves = told(
        folder,
        &[
            "tune",
            "s.csv",
            "--kernel",
            "spectrum(k=2)",
            "--costs",
            "1",
            "--learning-curve",
            "--validation-curve",
        ],
    );
    assert_eq!(curves["learning_curve"].as_array().unwrap().len(), 5);
    assert_eq!(curves["validation_curve"]["by_kernel"].as_array().unwrap().len(), 1);
}

#[test]
fn a_search_is_nested_or_goes_by_a_criterion() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "s.csv", &csv(30));
    let tune = ["tune", "s.csv", "--kernels", "spectrum(k=1); normalised(spectrum(k=2))", "--costs", "0.1,1"];
    let nested = told(folder, &[&tune[..], &["--nested", "3"]].concat());
    assert_eq!(nested["nested"]["folds"].as_array().unwrap().len(), 3);
    assert!(nested["outer"][0]["mean"].as_f64().unwrap() > 0.8, "{nested}");
    let run = mercer(folder, &[&tune[..], &["--nested", "3", "-o", "nested.csv"]].concat());
    let kept = std::fs::read_to_string(folder.join("nested.csv")).unwrap();
    assert_eq!(kept.lines().count(), 4, "{kept}");
    assert!(run.stdout.contains("worth on new items") && !run.stdout.contains("scaling"), "{}", run.stdout);
    // Every setting is trained once; the one of the least leave-one-out error is told.
    let by = told(folder, &[&tune[..], &["--criterion", "leave-one-out"]].concat());
    let cells = by["table"]["cells"].as_array().unwrap();
    let least = cells.iter().map(|cell| cell["values"][0][0].as_f64().unwrap()).fold(1.0, f64::min);
    assert_eq!((cells.len(), by["best"]["value"].as_f64().unwrap()), (4, least));
    let shares =
        told(folder, &["tune", "s.csv", "--kernel", "spectrum(k=2)", "--slack", "nu", "--nus", "0.1,0.3"]);
    assert!(shares["best"]["cost"].is_null() && shares["best"]["nu"].as_f64().unwrap() < 0.4, "{shares}");
    // Numbers are held out too, and widths of loss are in their unit.
    let counted =
        crate::structures::strings(30).iter().fold("sequence,label\n".to_string(), |text, (s, _)| {
            text + &format!("{s},{}\n", 10 * s.matches('a').count() + 3 * s.matches('g').count())
        });
    write(folder, "n.csv", &counted);
    let numbers =
        told(folder, &["tune", "n.csv", "--kernel", "spectrum(k=1)", "--task", "regress", "--nested", "3"]);
    assert!(numbers["outer"][0]["mean"].as_f64().unwrap() > 0.9, "{numbers}");
}

#[test]
fn training_tunes_first() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "w.ts", &waves(24));
    let words = ["train", "w.ts", "--kernel", "global_alignment(sigma=median)", "--tune", "-o", "w.mercer"];
    let run = mercer(folder, &words);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("tried") && run.stdout.contains("a little too good"), "{}", run.stdout);
    let found = told(folder, &["evaluate", "w.mercer", "w.ts"]);
    assert!(found["accuracy"].as_f64().unwrap() > 0.9, "{found}");
}

#[test]
fn graphs_stand_in_files_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for i in 0..8usize {
        // Paths and rings of three to six nodes, with names of their own.
        let nodes = 3 + i / 2;
        let edge = |u: usize, v: usize| format!("n{u} n{v}\n");
        let mut text: String = (1..nodes).map(|v| edge(v - 1, v)).collect();
        let class = if i % 2 == 0 { "path" } else { "ring" };
        if class == "ring" {
            text += &edge(nodes - 1, 0);
        }
        write(folder, &format!("g/{class}/{i}.edges"), &text);
    }
    let train = [
        "train",
        "g",
        "--kernel",
        "normalised(wl(h=2))",
        "--cost",
        "100",
        "--test",
        "none",
        "-o",
        "g.mercer",
    ];
    let run = mercer(folder, &train);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("8 graphs") && run.stdout.contains("path"), "{}", run.stdout);
    assert_eq!(told(folder, &["evaluate", "g.mercer", "g"])["accuracy"].as_f64().unwrap(), 1.0);
    let run = mercer(folder, &["predict", "g.mercer", "g/ring/1.edges"]);
    assert_eq!((run.code, run.stdout.lines().nth(1)), (0, Some("ring")), "{}", run.stderr);
    // In the folder itself they have no labels; both at once would be a riddle.
    write(folder, "h/a.edges", "x y\n");
    let run = mercer(folder, &["predict", "g.mercer", "h"]);
    assert_eq!((run.code, run.stdout.lines().count()), (0, 2), "{}", run.stderr);
    write(folder, "h/ring/b.edges", "x y\n");
    let run = mercer(folder, &["predict", "g.mercer", "h"]);
    assert!(run.code == 1 && run.stderr.contains("not in both"), "{}", run.stderr);
}

#[test]
fn series_with_holes_are_refused_without_advice_that_does_not_hold() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "x.ts", "@univariate true\n@classLabel true a b\n@data\n1,?,3:a\n1,2,3:b\n");
    let run = mercer(folder, &["train", "x.ts", "--kernel", "global_alignment(sigma=1)"]);
    assert!(run.code == 1 && run.stderr.contains("the value `?` is missing"), "{}", run.stderr);
    assert!(run.stderr.contains("x.ts:4:3") && !run.stderr.contains("--missing"), "{}", run.stderr);
}

#[test]
fn kernels_learn_in_every_fold_and_regions_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "s.csv", &csv(40));
    let kernel = "normalised(bag_of_words(tfidf=true, unit=characters, n=2))";
    let found = told(folder, &["tune", "s.csv", "--kernel", kernel, "--costs", "1,10", "--per-fold"]);
    assert!(found["best"]["mean"].as_f64().unwrap() > 0.9, "{found}");
    // Every setting in every fold.
    assert!(
        found["table"]["cells"].as_array().unwrap().iter().all(|cell| cell["look"] == "exact"),
        "{found}"
    );

    let kernels = "normalised(spectrum(k=1)); normalised(spectrum(k=2)); normalised(spectrum(k=3))";
    let tune = ["tune", "s.csv", "--kernels", kernels, "--task", "novelty", "--nu", "0.2"];
    let found = told(folder, &tune);
    let cells = found["table"]["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 3, "{found}");
    let mean = |cell: &Value, at: usize| {
        let values: Vec<f64> =
            cell["values"][at].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    // Support vectors first, then the share outside: of those near the wanted one the fewest support vectors.
    let near = |cell: &&Value| (mean(cell, 1) - 0.2).abs() <= 2.0 * (0.2f64 * 0.8 / 40.0).sqrt();
    let fewest = cells.iter().filter(near).map(|cell| mean(cell, 0)).fold(f64::INFINITY, f64::min);
    if fewest.is_finite() {
        assert_eq!(found["best"]["support_vectors"].as_f64().unwrap(), fewest, "{found}");
    } else {
        assert_eq!(found["best"]["look"], "nearest", "{found}");
    }
    let run = mercer(folder, &tune);
    assert!(
        run.code == 0 && run.stdout.contains("of the items held out in turn"),
        "{} {}",
        run.stdout,
        run.stderr
    );
    let run = mercer(folder, &[&tune[..], &["--refine", "1"]].concat());
    assert!(run.code == 2 && run.stderr.contains("--refine has no meaning for regions"), "{}", run.stderr);
}
