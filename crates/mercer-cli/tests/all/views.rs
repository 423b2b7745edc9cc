//! Two views of the same things: tests on others, and two columns of one file.

use crate::mercer;

#[test]
fn views_are_tested_on_other_things() {
    let folder = tempfile::tempdir().unwrap();
    // What both views see, and what each sees alone.
    let shared = |i: usize, k: usize| ((i * (13 + 6 * k) + 3 * k + 1) as f64 * 0.618).sin();
    let view = |rows: std::ops::Range<usize>, turn: f64, own: usize| -> String {
        let row = |i: usize| {
            let (a, b) = (shared(i, 0), shared(i, 1));
            format!("{},{},{}\n", a + turn * b, b - turn * a, shared(i, own))
        };
        format!("a,b,c\n{}", rows.map(row).collect::<String>())
    };
    for (name, rows, turn, own) in [
        ("one.csv", 0..80, 0.0, 5),
        ("two.csv", 0..80, 0.7, 9),
        ("new_one.csv", 80..120, 0.0, 5),
        ("new_two.csv", 80..120, 0.7, 9),
    ] {
        std::fs::write(folder.path().join(name), view(rows, turn, own)).unwrap();
    }
    let base = ["correlate", "one.csv", "two.csv", "--label", "none", "--kernel", "linear"];
    let more = ["--regularisation", "1e-6", "--test", "new_one.csv", "new_two.csv", "--force"];
    let out = ["-o", "one.mercer", "two.mercer"];
    let run = mercer(folder.path(), &[&base[..], &more, &out, &["--json"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let test = &told["test"];
    assert_eq!(test["rows"], 40);
    for k in 0..2 {
        assert!(test["correlations"][k].as_f64().unwrap() > 0.999, "{test}");
    }
    for way in ["first_to_second", "second_to_first"] {
        assert_eq!(
            (test[way]["top_1"].as_f64(), test[way]["top_5"].as_f64()),
            (Some(1.0), Some(1.0)),
            "{test}"
        );
    }
    // A model says all of them, with all their digits.
    let shown = mercer(folder.path(), &["inspect", "one.mercer", "--json"]);
    let shown: serde_json::Value = serde_json::from_str(&shown.stdout).unwrap();
    let noted: Vec<f64> = shown["card"]["notes"]["correlations"]
        .as_str()
        .unwrap()
        .split(", ")
        .map(|c| c.parse().unwrap())
        .collect();
    assert_eq!(serde_json::json!(noted), told["correlations"]);
    // The same from the models that were saved.
    let component = |model: &str, file: &str| -> Vec<f64> {
        let run = mercer(folder.path(), &["predict", model, file, "--label", "none"]);
        run.stdout.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap()).collect()
    };
    let (a, b) = (component("one.mercer", "new_one.csv"), component("two.mercer", "new_two.csv"));
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let product = |a: &[f64], b: &[f64]| -> f64 {
        let (of_a, of_b) = (mean(a), mean(b));
        a.iter().zip(b).map(|(x, y)| (x - of_a) * (y - of_b)).sum()
    };
    let expected = product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt();
    assert!((test["correlations"][0].as_f64().unwrap() - expected).abs() < 1e-9);
    let run = mercer(folder.path(), &[&base[..], &more, &out].concat());
    assert!(run.stdout.contains("100.0 % within 1, 100.0 % within 5"), "{}", run.stdout);
    // As many rows in both.
    std::fs::write(folder.path().join("few.csv"), view(80..90, 0.7, 9)).unwrap();
    let run =
        mercer(folder.path(), &[&base[..], &out, &["--test", "new_one.csv", "few.csv", "--force"]].concat());
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(run.stderr.contains("few.csv"), "{}", run.stderr);
}

#[test]
fn two_columns_of_one_file_are_views() {
    let folder = tempfile::tempdir().unwrap();
    let words = |i: usize| {
        let (a, b) = (i % 7, i * 5 % 11);
        ("ab".repeat(a) + &"cd".repeat(b), "uv".repeat(a) + &"wx".repeat(b))
    };
    let table = |rows: std::ops::Range<usize>| -> String {
        let lines: String = rows.map(words).map(|(en, de)| format!("{en}.\t{de}.\n")).collect();
        format!("en\tde\n{lines}")
    };
    std::fs::write(folder.path().join("pairs.tsv"), table(0..50)).unwrap();
    std::fs::write(folder.path().join("new.tsv"), table(50..77)).unwrap();
    let base =
        ["correlate", "pairs.tsv", "--text", "en", "--kernel", "spectrum(k=2)", "--regularisation", "1e-4"];
    let out = ["-o", "en.mercer", "de.mercer", "--header", "yes"];
    let run = mercer(
        folder.path(),
        &[&base[..], &["--other-text", "de", "--test", "new.tsv", "--json"], &out].concat(),
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(told["test"]["correlations"][0].as_f64().unwrap() > 0.99, "{told}");
    assert!(told["test"]["first_to_second"]["top_1"].as_f64().unwrap() > 0.9, "{told}");
    for model in ["en.mercer", "de.mercer"] {
        let run = mercer(folder.path(), &["predict", model, "new.tsv", "--header", "yes"]);
        assert_eq!((run.code, run.stdout.lines().count()), (0, 28), "{model}: {}", run.stderr);
    }
    let same = mercer(folder.path(), &[&base[..], &out].concat());
    assert_eq!(same.code, 2);
    assert!(same.stderr.contains("both views are the same"), "{}", same.stderr);
    // Columns of numbers are views by their kernels.
    let rows: String = (0..30).map(|i| format!("{i},{},{}\n", i * i % 17, 2 * i + 1)).collect();
    std::fs::write(folder.path().join("n.csv"), format!("a,b,c\n{rows}")).unwrap();
    let kernels = ["--kernel", "columns(0:2, linear)", "--other-kernel", "columns(2:3, linear)"];
    let more = [
        "--label",
        "none",
        "--components",
        "1",
        "--regularisation",
        "0",
        "-o",
        "x.mercer",
        "y.mercer",
        "--json",
    ];
    let run = mercer(folder.path(), &[&["correlate", "n.csv"][..], &kernels, &more].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert!((told["correlations"][0].as_f64().unwrap() - 1.0).abs() < 1e-9, "{told}");
}
