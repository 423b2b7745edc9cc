//! How good a model is, and what to expect of one.

use crate::{data, files, mercer};

#[test]
fn a_model_is_measured_on_labelled_data() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        mercer(folder.path(), &["train", &data("ionosphere.csv"), "-o", "i.mercer", "--cost", "2", "-q"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    let run = mercer(folder.path(), &["evaluate", "i.mercer", &data("ionosphere.csv")]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for part in ["accuracy", "balanced", "F1", "Matthews", "AUC", "PR-AUC", "predicted as", "of 351)"] {
        assert!(run.stdout.contains(part), "{part} is missing in\n{}", run.stdout);
    }
    let run = mercer(folder.path(), &["evaluate", "i.mercer", &data("ionosphere.csv"), "--json"]);
    let found: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let counts: Vec<u64> =
        found["confusion"]["counts"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    assert_eq!(counts.iter().sum::<u64>(), 351);
    assert_eq!(found["accuracy"].as_f64().unwrap(), (counts[0] + counts[3]) as f64 / 351.0);
    assert!(found["auc"].as_f64().unwrap() > 0.95);
}

#[test]
fn folds_tell_what_to_expect() {
    let folder = tempfile::tempdir().unwrap();
    let run = mercer(folder.path(), &["evaluate", "--cv", "4", &data("wine.csv")]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains("4 folds, in each of which all was decided anew without it"),
        "{}",
        run.stdout
    );
    let share: f64 = run.stdout.split("expect ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(share > 93.0, "{}", run.stdout);
    assert!(files(folder.path()).is_empty());
}

#[test]
fn what_makes_no_sense_is_bad_usage() {
    let folder = tempfile::tempdir().unwrap();
    let wine = data("wine.csv");
    for arguments in [
        &["evaluate", &wine][..],
        &["evaluate", "--cv", "4", "model", &wine],
        &["evaluate", "--cv", "1", &wine],
        &["evaluate", "--cv", "3", &wine, "--cost", "-1"],
        &["train", &wine, "--kernel", "gausian"],
        &["train", &wine, "--cost", "0"],
        &["trian", &wine],
    ] {
        let run = mercer(folder.path(), arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stderr);
        assert!(!run.stderr.is_empty() && run.stdout.is_empty());
    }
    assert!(files(folder.path()).is_empty());
}

#[test]
fn a_model_that_has_learned_takes_no_options_for_learning() {
    let folder = tempfile::tempdir().unwrap();
    let wine = data("wine.csv");
    assert_eq!(mercer(folder.path(), &["train", &wine, "-q", "--cost", "1", "-o", "w.mercer"]).code, 0);
    for option in [&["--cost", "3"][..], &["--kernel", "linear"], &["--task", "auto"], &["--no-offset"]] {
        let run = mercer(folder.path(), &[&["evaluate", "w.mercer", &wine], option].concat());
        assert_eq!(run.code, 2, "{option:?}: {}", run.stderr);
        assert!(run.stderr.contains(&format!("{} is for learning", option[0])), "{}", run.stderr);
    }
    assert_eq!(mercer(folder.path(), &["evaluate", "w.mercer", &wine, "--threads", "1"]).code, 0);
}
