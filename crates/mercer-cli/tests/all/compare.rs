//! The two-sample test from the command line.

use crate::mercer;

#[test]
fn samples_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let value = |i: i32, k: i32| (f64::from(i * (12 + k)) * 0.618).sin();
    let sample = |from: i32, shift: f64| -> String {
        let rows: String =
            (from..from + 40).map(|i| format!("{},{}\n", value(i, 1) + shift, value(i, 2))).collect();
        format!("a,b\n{rows}")
    };
    for (name, from, shift) in [("one.csv", 0, 0.0), ("same.csv", 40, 0.0), ("other.csv", 80, 0.8)] {
        std::fs::write(folder.path().join(name), sample(from, shift)).unwrap();
    }
    let compare = |other: &str, more: &[&str]| {
        let run = mercer(
            folder.path(),
            &[&["compare", "one.csv", other, "--label", "none", "--json"], more].concat(),
        );
        assert_eq!(run.code, 0, "{}", run.stderr);
        serde_json::from_str::<serde_json::Value>(&run.stdout).unwrap()
    };
    let (same, other) = (compare("same.csv", &[]), compare("other.csv", &[]));
    assert!(same["p_value"].as_f64().unwrap() > 0.1, "{same}");
    assert!(other["p_value"].as_f64().unwrap() <= 0.002 && other["mmd2"].as_f64().unwrap() > 0.05, "{other}");
    // With the linear kernel it is the squared distance of the means.
    let linear = compare("other.csv", &["--kernel", "linear", "--scale", "none"]);
    let mean =
        |from: i32, shift: f64, k: i32| (from..from + 40).map(|i| value(i, k)).sum::<f64>() / 40.0 + shift;
    let expected =
        (mean(0, 0.0, 1) - mean(80, 0.8, 1)).powi(2) + (mean(0, 0.0, 2) - mean(80, 0.0, 2)).powi(2);
    assert!((linear["mmd2_biased"].as_f64().unwrap() - expected).abs() < 1e-9, "{linear}");
    // The same within little memory, and for any number of threads.
    let small = compare("other.csv", &["--memory", "0", "--threads", "1"]);
    assert_eq!((small["held"].as_bool(), &small["p_value"]), (Some(false), &other["p_value"]));
    assert_eq!(compare("same.csv", &["--threads", "1"]), compare("same.csv", &["--threads", "2"]));
    let run = mercer(folder.path(), &["compare", "one.csv", "other.csv", "--label", "none"]);
    assert!(
        run.stdout.contains("p-value") && run.stdout.contains("different distributions"),
        "{}",
        run.stdout
    );

    // Strings.
    let words = |letter: &str| -> String {
        (0..30).map(|i| format!("{}{letter}\n", "ab".repeat(i % 4 + 1))).collect()
    };
    std::fs::write(folder.path().join("x.txt"), words("x")).unwrap();
    std::fs::write(folder.path().join("y.txt"), words("y")).unwrap();
    let kernel = ["--kernel", "normalised(spectrum(k=2))"];
    for (other, code) in [("x.txt", false), ("y.txt", true)] {
        let run = mercer(
            folder.path(),
            &[&["compare", "x.txt", other, "--label", "none", "--json"][..], &kernel].concat(),
        );
        assert_eq!(run.code, 0, "{}", run.stderr);
        let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(told["p_value"].as_f64().unwrap() < 0.01, code, "{told}");
    }
    std::fs::write(folder.path().join("lacks.csv"), "a,c\n1,2\n3,2\n").unwrap();
    assert_eq!(mercer(folder.path(), &["compare", "one.csv", "lacks.csv", "--label", "none"]).code, 1);
}

#[test]
fn words_of_both_files_count() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, words: &[&str]| {
        let row = |i: usize| format!("{},{}\n", words[i % words.len()], (i as f64 * 0.618).sin());
        let rows: String = (0..40).map(row).collect();
        std::fs::write(folder.path().join(name), format!("c,x\n{rows}")).unwrap();
    };
    write("p.csv", &["p"]);
    write("pr.csv", &["p", "r"]);
    write("rt.csv", &["r", "t"]);
    let compare = |one: &str, other: &str, more: &[&str]| {
        mercer(folder.path(), &[&["compare", one, other, "--label", "none"], more].concat())
    };
    let statistic = |one: &str, other: &str, more: &[&str]| {
        let run = compare(one, other, &[&["--json"], more].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        serde_json::from_str::<serde_json::Value>(&run.stdout).unwrap()["mmd2_biased"].as_f64().unwrap()
    };
    let (there, back) = (statistic("p.csv", "pr.csv", &[]), statistic("pr.csv", "p.csv", &[]));
    assert!((there - back).abs() < 1e-12 && there > 0.01, "{there} {back}");
    // The squared distance of the means: p is 1 and 1/2, r is 0 and 1/2.
    let linear = statistic("p.csv", "pr.csv", &["--kernel", "linear", "--scale", "none"]);
    assert!((linear - 0.5).abs() < 1e-9, "{linear}");
    let run = compare("p.csv", "pr.csv", &[]);
    assert!(run.stderr.is_empty(), "{}", run.stderr);
    let run = compare("p.csv", "rt.csv", &[]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    for part in ["column `c`", "p.csv has no `r`", "rt.csv has, which has no `p`"] {
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
    assert!(!run.stderr.contains("training"), "{}", run.stderr);
    assert_eq!(compare("p.csv", "rt.csv", &["--ignore", "c"]).code, 0);
}
