//! Numbers to be met: train, predict, evaluate and inspect, and what is refused.

use serde_json::Value;

use crate::{Run, data, files, mercer, mercer_fed};

fn json(run: &Run) -> Value {
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error} in\n{}", run.stdout))
}

/// A noisy line: x, y and a target.
fn table(rows: usize) -> String {
    let row = |i: usize| {
        let (x, z) = ((i * 37 % 101) as f64 / 10.0, (i * 53 % 89) as f64 / 20.0);
        format!("{x},{z},{}\n", 100.0 + 3.0 * x - z + (i * 29 % 7) as f64 / 10.0)
    };
    "x,z,height\n".to_string() + &(0..rows).map(row).collect::<String>()
}

#[test]
fn numbers_are_learned_predicted_measured_and_inspected() {
    let folder = tempfile::tempdir().unwrap();
    let mpg = data("auto_mpg.csv");
    let run = mercer(folder.path(), &["train", &mpg, "-o", "a.mercer"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for part in [
        "targets         mean 23.44",
        "kernel          gaussian",
        "the best of",
        "RMSE",
        "loss            linear outside a tube of",
        "on new rows     expect an RMSE of",
        "MAE",
        "R² 0.8",
        "residuals       quantiles 5 % -",
        "status          converged",
        "duality gap",
    ] {
        assert!(run.stdout.contains(part), "{part} is missing in\n{}", run.stdout);
    }

    let run = mercer(folder.path(), &["predict", "a.mercer", &mpg]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let numbers: Vec<f64> = run.stdout.lines().skip(1).map(|line| line.parse().unwrap()).collect();
    assert_eq!((run.stdout.lines().next(), numbers.len()), (Some("prediction"), 392));
    assert!(run.stderr.contains("RMSE ") && run.stderr.contains("R² 0."), "{}", run.stderr);

    let found = json(&mercer(folder.path(), &["predict", "a.mercer", &mpg, "--json"]));
    assert_eq!(found["predictions"].as_array().unwrap().len(), 392);
    assert_eq!(found["predictions"][7].as_f64().unwrap(), numbers[7]);

    let run = mercer(folder.path(), &["evaluate", "a.mercer", &mpg]);
    for part in ["targets", "RMSE", "MAE", "median error", "R²", "bias", "residuals"] {
        assert!(run.stdout.contains(part), "{part} is missing in\n{}", run.stdout);
    }
    let measured = json(&mercer(folder.path(), &["evaluate", "a.mercer", &mpg, "--json"]));
    let root = measured["root_mean_squared"].as_f64().unwrap();
    assert!((root - found["rmse"].as_f64().unwrap()).abs() < 1e-9);
    assert!(measured["r_squared"].as_f64().unwrap() > 0.85, "{measured}");

    let run = mercer(folder.path(), &["inspect", "a.mercer"]);
    for part in
        ["support vector regression", "loss            linear", "cost", "leans on        rows", "expected"]
    {
        assert!(run.stdout.contains(part), "{part} is missing in\n{}", run.stdout);
    }
    let shown = json(&mercer(folder.path(), &["inspect", "a.mercer", "--json"]));
    assert_eq!(shown["task"], "regress");
    assert_eq!(shown["loss"]["linear"]["tube"], shown["tube"]);
}

#[test]
fn every_loss_can_be_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), table(120)).unwrap();
    let train = |more: &[&str]| {
        let fixed = ["train", "t.csv", "-o", "m.json", "--force", "--json"];
        json(&mercer(folder.path(), &[&fixed, more].concat()))
    };
    let found = train(&["--loss", "quadratic", "--tube", "0.25"]);
    assert_eq!((found["tube"].as_f64(), &found["task"]), (Some(0.25), &Value::from("regress")));
    assert!(train(&["--loss", "huber"])["loss"]["huber"]["width"].as_f64().unwrap() > 1.0);
    assert_eq!(train(&["--loss", "huber", "--width", "0.5"])["loss"]["huber"]["width"], 0.5);
    assert!(train(&["--loss", "nu", "--nu", "0.3"])["tube"].as_f64().unwrap() > 0.0);
    assert_eq!(train(&["--cost", "7"])["cost"], 7.0);
    // About nine in ten targets are below the upper decile, on rows that were not learned from.
    let found = train(&["--loss", "quantile", "--level", "0.9"]);
    let below = found["test"]["below"].as_f64().unwrap();
    assert!((0.75..=1.0).contains(&below), "{below}");
    assert_eq!(found["test"]["folds"].as_array().unwrap().len(), 5);
}

#[test]
fn the_same_seed_gives_the_same_words_for_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), table(150)).unwrap();
    let train = |threads: &str| {
        let arguments = ["train", "t.csv", "-o", "m.mercer", "--force", "--json", "--threads", threads];
        let found = json(&mercer(folder.path(), &arguments));
        (found["test"].clone(), found["choice"].clone())
    };
    assert_eq!(train("1"), train("2"));
}

#[test]
fn folds_weights_and_groups_are_for_numbers_too() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = table(90)
        .lines()
        .enumerate()
        .map(|(i, line)| match i {
            0 => format!("w,g,{line}\n"),
            _ => format!("{},{},{line}\n", if i % 3 == 0 { 0 } else { 1 }, i % 9),
        })
        .collect();
    std::fs::write(folder.path().join("t.csv"), rows).unwrap();
    let run =
        mercer(folder.path(), &["evaluate", "--cv", "3", "t.csv", "--weight", "w", "--group", "g", "--json"]);
    let found = json(&run);
    // Rows without weight are not tested.
    assert_eq!(found["test"]["rows"], 60);
    let run = mercer(folder.path(), &["evaluate", "--cv", "4", "t.csv", "--ignore", "w,g"]);
    assert!(run.stdout.contains("4 folds") && run.stdout.contains("folds           RMSE"), "{}", run.stdout);
}

#[test]
fn a_table_without_targets_can_be_predicted() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), table(80)).unwrap();
    assert_eq!(mercer(folder.path(), &["train", "t.csv", "-q"]).code, 0);
    let run = mercer_fed(folder.path(), &["predict", "t.mercer", "-"], "z,x\n2,5\n");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stderr);
    let number: f64 = run.stdout.lines().nth(1).unwrap().parse().unwrap();
    assert!((number - 113.3).abs() < 1.0, "{number}");
    let run = mercer(folder.path(), &["predict", "t.mercer", "t.csv", "--scores"]);
    assert!(run.code == 2 && run.stderr.contains("--scores"), "{}", run.stderr);
}

#[test]
fn targets_that_cannot_be_met_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("words.csv", "x,height\n1,2.5\n2,tall\n3,4\n");
    write("same.csv", "x,height\n1,5\n2,5\n3,5\n");
    write("infinite.csv", "x,height\n1,5\n2,inf\n3,5\n");
    for (file, parts) in [
        ("words.csv", &["words.csv", "row 2", "column `height`", "`tall`"][..]),
        ("same.csv", &["same.csv", "all targets are 5"]),
        ("infinite.csv", &["infinite.csv:3:2", "inf"]),
    ] {
        let run = mercer(folder.path(), &["train", file, "--task", "regress"]);
        assert_eq!(run.code, 1, "{}", run.stderr);
        parts
            .iter()
            .for_each(|part| assert!(run.stderr.contains(part), "{part} is missing in {}", run.stderr));
    }
    write("huge.csv", "x,height\n1,5\n2,7\n3,1e200\n");
    write("tiny.csv", "x,height\n1,1e-200\n2,3e-200\n3,2e-200\n");
    let huge = mercer(folder.path(), &["train", "huge.csv", "--task", "regress"]);
    assert!(huge.stderr.contains("row 3, column `height`: a target of 1e200, expected"), "{}", huge.stderr);
    let tiny = mercer(folder.path(), &["train", "tiny.csv", "--task", "regress"]);
    assert!(
        tiny.stderr.contains("spread of the targets = ") && tiny.stderr.contains("e-201"),
        "{}",
        tiny.stderr
    );
    assert_eq!((huge.code, tiny.code), (1, 1));
    assert_eq!(files(folder.path()).len(), 5);
}

#[test]
fn parameters_of_other_tasks_and_losses_are_bad_usage() {
    let folder = tempfile::tempdir().unwrap();
    let (mpg, wine) = (data("auto_mpg.csv"), data("wine.csv"));
    for (arguments, parts) in [
        (&[&mpg, "--loss", "huber", "--tube", "1"][..], ["--tube", "--loss huber"]),
        (&[&mpg, "--width", "1", "--tube", "1"], ["--tube", "--width"]),
        (&[&mpg, "--level", "0.5", "--loss", "nu"], ["--level", "--loss nu"]),
        (&[&mpg, "--nu", "0.5"], ["--nu", "regression, which the labels ask for"]),
        (&[&wine, "--nu", "0.5"], ["--nu", "classification, which the labels ask for"]),
        (&[&mpg, "--class-weight", "balanced"], ["--class-weight", "--task classify"]),
        (&[&mpg, "--tube", "1", "--region", "sphere"], ["--region", "--tube"]),
        (&[&mpg, "--tube", "-1"], ["tube", "-1"]),
        (&[&mpg, "--loss", "quantile", "--level", "1.5"], ["level", "1.5"]),
        (&[&wine, "--loss", "huber", "--slack", "nu"], ["--slack", "--loss huber"]),
        (&[&wine, "--task", "classify", "--tube", "1"], ["--tube", "--task classify"]),
        (&[&wine, "--contamination", "0.1", "--cost", "1"], ["--cost", "novelty"]),
    ] {
        let run = mercer(folder.path(), &[&["train", "-o", "m.mercer"], arguments].concat());
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stderr);
        parts
            .iter()
            .for_each(|part| assert!(run.stderr.contains(part), "{part} is missing in {}", run.stderr));
    }
    assert!(files(folder.path()).is_empty());
}

#[test]
fn kernel_values_serve_numbers_too() {
    let folder = tempfile::tempdir().unwrap();
    // K = x z for x = 0, 1, ... 29, and the target 2 x + 1 with a little more.
    let row = |i: usize| {
        let values: String = (0..30).map(|j| format!(" {}:{}", j + 1, i * j)).collect();
        format!("{} 0:{}{values}\n", 2.0 * i as f64 + 1.0 + (i % 2) as f64 / 4.0, i + 1)
    };
    std::fs::write(folder.path().join("k"), (0..30).map(row).collect::<String>()).unwrap();
    let run = mercer(folder.path(), &["train", "k", "--kernel", "precomputed", "--cost", "10"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("on these rows   an RMSE of"), "{}", run.stdout);
    let run = mercer(folder.path(), &["predict", "k.mercer", "k"]);
    let last: f64 = run.stdout.lines().last().unwrap().parse().unwrap();
    assert!((last - 59.25).abs() < 2.0, "{last}");
    let run =
        mercer(folder.path(), &["train", "k", "--kernel", "precomputed", "--task", "novelty", "--force"]);
    assert!(run.code == 2 && run.stderr.contains("needs features"), "{}", run.stderr);
}

/// Rows of which only one has another target than the rest.
fn one_that_differs() -> String {
    let row =
        |i: u32| format!("{},{},{}\n", f64::from(i * 37 % 101) / 10.0, i * 53 % 89, f64::from(i / 29) * 5.5);
    "a,b,height\n".to_string() + &(0..30).map(row).collect::<String>()
}

#[test]
fn a_fold_that_cannot_be_learned_without_is_no_reason_to_learn_nothing() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), one_that_differs()).unwrap();
    let run = mercer(folder.path(), &["train", "t.csv", "--task", "regress", "-o", "m.mercer"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("on new rows     not tested: without fold "), "{}", run.stdout);
    assert!(run.stdout.contains("all targets are 0"), "{}", run.stdout);
    let run = mercer(folder.path(), &["evaluate", "--cv", "5", "t.csv", "--task", "regress"]);
    assert!(run.code == 1 && run.stderr.contains(" of 5: all targets are 0"), "{}", run.stderr);
}

#[test]
fn what_belongs_to_one_task_asks_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let (iris, heart) = (data("iris.csv"), data("heart_scale"));
    for (arguments, line) in [
        (&[&heart, "--tube", "0.2"][..], "loss            linear outside a tube of 0.2"),
        (&[&heart, "--level", "0.9"], "loss            pinball, for the quantile 0.9"),
        (&[&heart, "--width", "0.3"], "loss            Huber, quadratic up to 0.3"),
        (&[&iris, "--region", "sphere"], "region          the smallest sphere"),
        (&[&iris, "--contamination", "0.1"], "outside         15 of the 150 rows given (10.0 %)"),
    ] {
        let fixed = ["train", "-o", "m.mercer", "--force", "--test", "none"];
        let run = mercer(folder.path(), &[&fixed[..], arguments].concat());
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
        assert!(run.stdout.contains(line), "{line} is missing in {}", run.stdout);
    }
    // Words are no numbers, whatever is asked for.
    let run = mercer(folder.path(), &["train", &iris, "-o", "n.mercer", "--tube", "0.2"]);
    assert!(run.code == 1 && run.stderr.contains("is not a number"), "{}", run.stderr);
}
