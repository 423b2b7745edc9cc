//! Models of fewer terms, and the table of losses.

use crate::{data, mercer};

#[test]
fn a_smaller_model_says_nearly_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (heart, promoters) = (data("heart_scale"), data("promoters.csv"));
    let cases = [
        (heart.as_str(), &["--cost", "1"][..]),
        (promoters.as_str(), &["--machine", "lssvm", "--cost", "1", "--kernel", "normalised(spectrum(k=3))"]),
    ];
    for (file, more) in cases {
        let train = ["train", file, "--test", "none", "-o", "m.mercer", "--force", "-q"];
        assert_eq!(mercer(folder.path(), &[&train[..], more].concat()).code, 0);
        let run = mercer(
            folder.path(),
            &["compress", "m.mercer", "--terms", "40", "-o", "s.mercer", "--force", "--json"],
        );
        assert_eq!(run.code, 0, "{}", run.stderr);
        let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(told["after"], 40);
        let error = told["errors"][0].as_f64().unwrap();
        let scores = |model: &str| -> Vec<f64> {
            let run = mercer(folder.path(), &["predict", model, file, "--scores"]);
            assert_eq!(run.code, 0, "{}", run.stderr);
            run.stdout.lines().skip(1).map(|line| line.split(',').nth(2).unwrap().parse().unwrap()).collect()
        };
        // k(x, x) = 1
        for (a, b) in scores("m.mercer").iter().zip(scores("s.mercer")) {
            assert!((a - b).abs() <= error + 1e-6, "{a} {b} {error}");
        }
        let shown = mercer(folder.path(), &["inspect", "s.mercer"]);
        assert!(shown.stdout.contains("compressed") && shown.stdout.contains("terms"), "{}", shown.stdout);
    }
    let run = mercer(folder.path(), &["compress", "m.mercer", "--terms", "40", "-o", "m.mercer", "--force"]);
    assert_ne!(run.code, 0, "a file that is read is not written to");
    let run = mercer(folder.path(), &["compress", "m.mercer", "--terms", "0", "-o", "x.mercer"]);
    assert_eq!(run.code, 2);
}

#[test]
fn a_kernel_that_may_be_indefinite_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let heart = data("heart_scale");
    let train = ["train", heart.as_str(), "--kernel", "sigmoid(gamma=5)", "--cost", "1", "--test", "none"];
    assert_eq!(mercer(folder.path(), &[&train[..], &["-o", "m.mercer", "-q"]].concat()).code, 0);
    let run = mercer(folder.path(), &["compress", "m.mercer", "--terms", "3", "-o", "s.mercer"]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(run.stderr.contains("positive semi-definite"), "{}", run.stderr);
    assert!(!folder.path().join("s.mercer").exists());
}

#[test]
fn losses_are_told_against_the_margin() {
    let folder = tempfile::tempdir().unwrap();
    let run = mercer(folder.path(), &["losses", "--from", "-1", "--to", "2", "--step", "1", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let of = |name: &str| -> Vec<f64> {
        told["losses"][name].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
    };
    assert_eq!(of("zero-one"), [1.0, 1.0, 0.0, 0.0]);
    assert_eq!(of("hinge"), [2.0, 1.0, 0.0, 0.0]);
    assert_eq!(of("squared hinge"), [4.0, 1.0, 0.0, 0.0]);
    assert_eq!(of("squared"), [4.0, 1.0, 0.0, 1.0]);
    assert_eq!(of("pinball"), [1.0, 0.5, 0.0, 0.5]);
    assert!(
        (of("logistic")[1] - 2f64.ln()).abs() < 1e-12 && (of("exponential")[0] - 1f64.exp()).abs() < 1e-12
    );
    let run = mercer(folder.path(), &["losses"]);
    assert_eq!((run.code, run.stdout.lines().count()), (0, 10), "{}", run.stdout);
    assert!(run.stdout.contains("squared hinge") && run.stdout.contains("Huber"), "{}", run.stdout);
    for bad in [["--step", "0"], ["--to", "-9"], ["--level", "2"]] {
        assert_eq!(mercer(folder.path(), &[&["losses"][..], &bad].concat()).code, 2, "{bad:?}");
    }
}
