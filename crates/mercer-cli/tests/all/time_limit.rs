//! Limits of time: every command that learns ends in time, with something worth having.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::mercer;

/// Rows of two numbers, a level and a class: a checkerboard with some noise.
fn checkerboard(rows: usize) -> String {
    let mut state = 1u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / (1u64 << 24) as f64
    };
    let mut text = String::from("x,z,level,kind\n");
    for _ in 0..rows {
        let (x, z, noise) = (draw(), draw(), draw());
        let is_up = ((6.0 * x) as u32 + (6.0 * z) as u32).is_multiple_of(2);
        let kind = if is_up != (noise < 0.05) { "up" } else { "down" };
        writeln!(text, "{x},{z},{},{kind}", (3.0 * x) as u32).unwrap();
    }
    text
}

fn run(folder: &Path, arguments: &[&str]) -> (String, Duration) {
    let begun = Instant::now();
    let run = mercer(folder, arguments);
    assert_eq!(run.code, 0, "{arguments:?}: {}{}", run.stdout, run.stderr);
    (run.stdout, begun.elapsed())
}

#[test]
fn folds_share_the_time_equally() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("many.csv"), checkerboard(40_000)).unwrap();
    let words = [
        &["evaluate", "many.csv", "--ignore", "level", "--cv", "5", "--time-limit", "8", "--json"][..],
        &["--kernel", "gaussian(gamma=6)", "--cost", "5"],
    ]
    .concat();
    let (text, took) = run(folder.path(), &words);
    let found: Value = serde_json::from_str(&text).unwrap();
    let each: Vec<f64> =
        found["test"]["folds"].as_array().unwrap().iter().map(|fold| fold.as_f64().unwrap()).collect();
    // Half of the rows are of each class; what is left of noise is 5 %.
    assert_eq!(each.len(), 5);
    assert!(each.iter().all(|&accuracy| accuracy > 0.8), "{each:?}");
    // Generous: other tests may be running on the same processor.
    assert!(took < Duration::from_secs(30), "{took:?}");
}

#[test]
fn every_machine_ends_in_time_and_learns_from_as_many_rows_as_there_is_time_for() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("some.csv"), checkerboard(4000)).unwrap();
    let machines = [
        "ridge",
        "gp",
        "lssvm",
        "fisher",
        "rvm",
        "pls",
        "bayes-point",
        "ordinal",
        "rbf-network",
        "sphere-slab",
    ];
    for machine in machines {
        let mut words =
            vec!["train", "some.csv", "--machine", machine, "--time-limit", "2", "-o", "m.mercer"];
        words.extend(["--force", "--memory", "1000"]);
        if matches!(machine, "ridge" | "pls" | "ordinal") {
            words.extend(["--label", "level", "--ignore", "kind"]);
        }
        let (text, took) = run(folder.path(), &words);
        assert!(text.contains("on new rows"), "{machine}: {text}");
        assert!(took < Duration::from_secs(20), "{machine}: {took:?}");
    }
    for words in
        [&["cluster", "--clusters", "3"][..], &["cluster", "--clusters", "3", "--spectral"], &["reduce"]]
    {
        let words = [words, &["some.csv", "--time-limit", "2", "-o", "m.mercer", "--force"]].concat();
        let (_, took) = run(folder.path(), &words);
        assert!(took < Duration::from_secs(20), "{words:?}: {took:?}");
    }
    let words =
        ["rank", "some.csv", "--label", "level", "--ignore", "kind", "--time-limit", "2", "-o", "r.mercer"];
    assert!(run(folder.path(), &words).1 < Duration::from_secs(20));
}

#[test]
fn a_search_ends_in_time_with_what_it_found() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("many.csv"), checkerboard(20_000)).unwrap();
    let words = ["tune", "many.csv", "--ignore", "level", "--time-limit", "5", "--json"];
    let (text, took) = run(folder.path(), &words);
    let found: Value = serde_json::from_str(&text).unwrap();
    assert!(found["best"]["mean"].as_f64().unwrap() > 0.75, "{}", found["best"]);
    assert!(took < Duration::from_secs(25), "{took:?}");
    let words = ["train", "many.csv", "--ignore", "level", "--tune", "--time-limit", "12", "-o", "m.mercer"];
    let (text, took) = run(folder.path(), &words);
    assert!(text.contains("on new rows") && took < Duration::from_secs(40), "{took:?}: {text}");
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_a_test_in_folds_and_a_clustering_at_once() {
    if crate::ignores_interrupts() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("many.csv"), checkerboard(12_000)).unwrap();
    let slow = [
        &["evaluate", "many.csv", "--ignore", "level", "--cv", "50", "--cost", "1000"][..],
        &["cluster", "many.csv", "--clusters", "20", "--memory", "3000", "--starts", "200"],
    ];
    for words in slow {
        let child = std::process::Command::new(env!("CARGO_BIN_EXE_mercer"))
            .current_dir(folder.path())
            .args(words)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(2500));
        let id = child.id().to_string();
        let begun = Instant::now();
        assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{words:?}");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains("interrupted"), "{words:?}: {text}");
        // A second on a machine that does nothing else.
        assert!(begun.elapsed() < Duration::from_secs(6), "{words:?}: {:?}", begun.elapsed());
    }
}
