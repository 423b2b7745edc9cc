//! Gaussian processes from the command line: how sure they are, and what they learn.

use std::path::Path;

use crate::{data, mercer};

/// A column of a table.
fn column(text: &str, name: &str) -> Vec<f64> {
    let mut lines = text.lines();
    let at = lines.next().unwrap().split(',').position(|field| field == name).unwrap();
    lines.map(|line| line.split(',').nth(at).unwrap().parse().unwrap()).collect()
}

fn wave(folder: &Path) {
    let rows: String = (0..60)
        .map(|i| {
            let x = f64::from(i) * 0.1;
            format!("{x},{}\n", 3.0 * x.sin() + 0.2 * (f64::from(i * 7919 % 101) / 50.0 - 1.0))
        })
        .collect();
    std::fs::write(folder.join("wave.csv"), format!("x,y\n{rows}")).unwrap();
    std::fs::write(folder.join("new.csv"), "x,y\n3,0\n50,0\n").unwrap();
}

#[test]
fn standard_deviations_are_told_with_the_noise() {
    let folder = tempfile::tempdir().unwrap();
    wave(folder.path());
    // The closed form for one row: K = k(x, x) + noise, variance k(z, z) − k(z, x)²/K + noise, in the unit of targets of variance 1.
    std::fs::write(folder.path().join("two.csv"), "x,y\n0,-3\n1,5\n").unwrap();
    let train = ["train", "two.csv", "--machine", "gp", "--kernel", "gaussian(gamma=1)", "--cost", "2"];
    let more = ["--task", "regress", "--scale", "none", "-o", "two.mercer"];
    let run = mercer(folder.path(), &[&train[..], &more[..]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = mercer(folder.path(), &["predict", "two.mercer", "new.csv", "--std"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found = column(&run.stdout, "std");
    let (k, far) = ((-1f64).exp(), 50.0);
    let gaussian = |x: f64, z: f64| (-(x - z) * (x - z)).exp();
    let expected = |z: f64| {
        let (a, b) = (gaussian(z, 0.0), gaussian(z, 1.0));
        let (own, det) = (1.5, 1.5 * 1.5 - k * k);
        let known = (own * (a * a + b * b) - 2.0 * k * a * b) / det;
        4.0 * (1.0 - known + 0.5f64).sqrt()
    };
    assert!((found[0] - expected(3.0)).abs() < 1e-9 && (found[1] - expected(far)).abs() < 1e-9, "{found:?}");

    // A noise that is learned is in it too: about that of the wave where rows are, and more far away.
    let run = mercer(folder.path(), &["train", "wave.csv", "--machine", "gp", "-o", "wave.mercer"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = mercer(folder.path(), &["predict", "wave.mercer", "new.csv", "--std"]);
    let found = column(&run.stdout, "std");
    assert!(found[0] > 0.05 && found[0] < 0.4 && found[1] > 1.0, "{found:?}");
    let plain = mercer(folder.path(), &["predict", "wave.mercer", "new.csv"]);
    assert_eq!(column(&plain.stdout, "prediction"), column(&run.stdout, "prediction"));
    let run = mercer(folder.path(), &["predict", "wave.mercer", "new.csv", "--std", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(told["predictions"][1]["std"].as_f64(), Some(found[1]));
    let refused = mercer(folder.path(), &["predict", "wave.mercer", "new.csv", "--scores"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("--std"), "{}", refused.stderr);

    // Relevance vectors have one, ridge regression has none.
    for (machine, code) in [("rvm", 0), ("ridge", 2)] {
        let train = ["train", "wave.csv", "--machine", machine, "-o", "m.mercer", "--force"];
        assert_eq!(mercer(folder.path(), &train).code, 0);
        let run = mercer(folder.path(), &["predict", "m.mercer", "new.csv", "--std"]);
        assert_eq!(run.code, code, "{machine}: {}", run.stderr);
    }
}

#[test]
fn processes_of_strings_learn_factor_and_noise() {
    let folder = tempfile::tempdir().unwrap();
    let kernel = ["--kernel", "normalised(spectrum(k=3))", "-o", "m.mercer", "--force"];
    let promoters = data("promoters.csv");
    let run = mercer(folder.path(), &[&["train", &promoters, "--machine", "gp"][..], &kernel].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("the factor of the kernel"), "{}", run.stdout);
    assert!(run.stdout.contains("* normalised(spectrum(k=3))"), "{}", run.stdout);
    let told = mercer(folder.path(), &["evaluate", "m.mercer", &promoters]);
    assert!(told.stdout.contains("log loss") && told.stdout.contains("AUC"), "{}", told.stdout);
    // With a cost nothing is learned.
    let more = ["--machine", "gp", "--cost", "1"];
    let run = mercer(folder.path(), &[&["train", &promoters][..], &more, &kernel].concat());
    assert!(!run.stdout.contains("the factor of the kernel"), "{}", run.stdout);
    let refused = mercer(
        folder.path(),
        &[&["train", &promoters, "--machine", "gp", "--starts", "2"][..], &kernel].concat(),
    );
    assert_eq!(refused.code, 2);
}

#[test]
fn bounds_that_are_met_and_kernels_of_classes_are_told() {
    let folder = tempfile::tempdir().unwrap();
    // Without noise its variance falls to where it may fall.
    let rows: String =
        (0..40).map(|i| format!("{},{}\n", f64::from(i) * 0.2, (f64::from(i) * 0.2).sin())).collect();
    std::fs::write(folder.path().join("sine.csv"), format!("x,y\n{rows}")).unwrap();
    let run = mercer(folder.path(), &["train", "sine.csv", "--machine", "gp", "-o", "m.mercer"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("at its bound") && run.stdout.contains("beyond"), "{}", run.stdout);
    let shown = mercer(folder.path(), &["inspect", "m.mercer"]);
    assert!(shown.stdout.contains("at its bound"), "{}", shown.stdout);

    let iris = data("iris.csv");
    let run = mercer(folder.path(), &["train", &iris, "--machine", "gp", "-o", "i.mercer"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let shown = mercer(folder.path(), &["inspect", "i.mercer"]);
    for text in [&run.stdout, &shown.stdout] {
        assert_eq!(text.matches("* gaussian(").count(), 3, "{text}");
    }
    let run = mercer(folder.path(), &["predict", "i.mercer", &iris, "--probabilities"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let first = run.stdout.lines().nth(1).unwrap();
    let sum: f64 = first.split(',').skip(1).map(|field| field.parse::<f64>().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-12, "{first}");
    let told = mercer(folder.path(), &["evaluate", "i.mercer", &iris, "--json"]);
    let told: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
    assert!(told["log_loss"].as_f64().unwrap() < 0.5, "{told}");
}

#[test]
fn functions_are_drawn_from_a_process() {
    let folder = tempfile::tempdir().unwrap();
    wave(folder.path());
    let train = ["train", "wave.csv", "--machine", "gp", "--kernel", "gaussian(gamma=1)", "--cost", "20"];
    let run = mercer(folder.path(), &[&train[..], &["--scale", "none", "-o", "m.mercer"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let predict = ["predict", "m.mercer", "new.csv", "--samples", "400", "--seed", "3", "--json"];
    let run = mercer(folder.path(), &predict);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.stdout, mercer(folder.path(), &predict).stdout);
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let sure = mercer(folder.path(), &["predict", "m.mercer", "new.csv", "--std"]);
    let (mean, noisy) = (column(&sure.stdout, "prediction"), column(&sure.stdout, "std"));
    // The noise that is a parameter is no part of a function: 1/20 of the variance of the targets.
    let targets = column(&std::fs::read_to_string(folder.path().join("wave.csv")).unwrap(), "y");
    let average = targets.iter().sum::<f64>() / 60.0;
    let noise = targets.iter().map(|y| (y - average).powi(2)).sum::<f64>() / 60.0 / 20.0;
    for row in 0..2 {
        let drawn: Vec<f64> = told["predictions"][row]["samples"]
            .as_array()
            .unwrap()
            .iter()
            .map(|value| value.as_f64().unwrap())
            .collect();
        let deviation = (noisy[row].powi(2) - noise).sqrt();
        let of_drawn = drawn.iter().sum::<f64>() / 400.0;
        let spread = (drawn.iter().map(|v| (v - of_drawn).powi(2)).sum::<f64>() / 399.0).sqrt();
        assert!((of_drawn - mean[row]).abs() < 0.2 * deviation, "{of_drawn} {} {deviation}", mean[row]);
        assert!((spread / deviation - 1.0).abs() < 0.15, "{spread} {deviation}");
    }
    let run = mercer(folder.path(), &["predict", "m.mercer", "new.csv", "--samples", "2"]);
    assert!(run.stdout.starts_with("prediction,sample 1,sample 2\n"), "{}", run.stdout);
    let run = mercer(folder.path(), &["predict", "m.mercer", "new.csv", "--seed", "2"]);
    assert_eq!(run.code, 2, "{}", run.stdout);
}

#[test]
fn functions_are_drawn_from_a_kernel() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("x.csv"), "x\n0\n0.001\n50\n").unwrap();
    let base = ["kernel", "4 * gaussian(gamma=1)", "--data", "x.csv", "--label", "none", "--draw"];
    let run = mercer(folder.path(), &[&base[..], &["500", "--json"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let samples = told["samples"].as_array().unwrap();
    let at = |s: &serde_json::Value, i: usize| s[i].as_f64().unwrap();
    let mean = |f: &dyn Fn(&serde_json::Value) -> f64| samples.iter().map(f).sum::<f64>() / 500.0;
    // k(x, x) = 4, neighbours go together, and rows that are far from each other do not.
    assert!((mean(&|s| at(s, 0).powi(2)) - 4.0).abs() < 0.8 && mean(&|s| at(s, 0) * at(s, 2)).abs() < 0.6);
    assert!(samples.iter().all(|s| (at(s, 0) - at(s, 1)).abs() < 0.05));
    let run = mercer(folder.path(), &[&base[..], &["2", "--seed", "1"]].concat());
    assert!(
        run.stdout.starts_with("sample 1,sample 2\n") && run.stdout.lines().count() == 4,
        "{}",
        run.stdout
    );
}
