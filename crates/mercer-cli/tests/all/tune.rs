//! Kernels and costs tried by cross-validation.

use serde_json::Value;

use crate::{data, mercer};

#[test]
fn what_it_advises_can_be_trained_and_the_table_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = data("ionosphere.csv");
    let run = mercer(folder.path(), &["tune", &path, "--json", "-o", "table.csv"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(found["best"]["mean"].as_f64().unwrap() > 0.92, "{found}");
    let cells = found["table"]["cells"].as_array().unwrap();
    let table = std::fs::read_to_string(folder.path().join("table.csv")).unwrap();
    assert_eq!(table.lines().count(), cells.len() + 1);
    assert!(table.starts_with("kernel,cost,accuracy_mean"), "{table}");
    let costs = ["tune", &path, "--kernels", "linear", "--costs", "1,10", "-o", "-", "--quiet"];
    assert!(mercer(folder.path(), &costs).stdout.starts_with("kernel,cost,accuracy_mean"));
    assert!(!folder.path().join("-").exists());

    let advice = found["advice"].as_str().unwrap().replace(&path, "DATA");
    let mut words: Vec<String> =
        advice.split(' ').skip(1).map(|word| word.trim_matches('\'').to_string()).collect();
    words[1] = path;
    words.extend(["-o".into(), "m.mercer".into(), "--quiet".into()]);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    assert_eq!(mercer(folder.path(), &words).code, 0);
}

#[test]
fn exhaustive_tries_everything_and_the_map_is_the_same_for_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = data("pima_diabetes.csv");
    let words = [
        "tune",
        &path,
        "--kernels",
        "linear; gaussian(gamma=0.1)",
        "--costs",
        "0.1,1,10",
        "--metrics",
        "f1,accuracy",
    ];
    let map = |more: &[&str]| {
        let run = mercer(folder.path(), &[&words[..], more].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout.lines().filter(|line| !line.starts_with("tried")).map(str::to_string).collect::<Vec<_>>()
    };
    let all = map(&["--exhaustive", "--threads", "1"]);
    assert!(!all.iter().any(|line| line.contains("(0.")), "{all:?}");
    assert!(all.iter().any(|line| line.starts_with("best") && line.contains("f1")), "{all:?}");
    assert_eq!(all, map(&["--exhaustive", "--threads", "2"]));
    assert_eq!(map(&["--threads", "1"]), map(&["--threads", "2"]));
}

#[test]
fn advice_names_what_else_was_said_and_kernels_on_histograms_get_rows_that_they_take() {
    let folder = tempfile::tempdir().unwrap();
    let path = data("wine.csv");
    let words = ["tune", &path, "--costs", "1,10", "--slack", "quadratic", "--threads", "1"];
    let run = mercer(folder.path(), &[&words[..], &["--kernels", "linear; chi2(gamma=0.5)"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains(" --slack quadratic\n"), "{}", run.stdout);
    assert!(
        run.stdout.lines().any(|line| line.starts_with("scaling") && line.contains("max-abs")),
        "{}",
        run.stdout
    );
}

#[test]
fn groups_are_kept_together_whatever_the_parts() {
    let folder = tempfile::tempdir().unwrap();
    // Copies of twenty points whose labels mean nothing: who has seen one knows its copies.
    let mut text = String::from("g,x,y,label\n");
    for i in 0..120 {
        let g = i % 20;
        let label = if (g * 7919) % 13 < 6 { "a" } else { "b" };
        text += &format!("{g},{},{},{label}\n", (g * 37) % 101, (g * 53) % 97);
    }
    std::fs::write(folder.path().join("copies.csv"), text).unwrap();
    let words =
        ["tune", "copies.csv", "--group", "g", "--kernels", "gaussian(gamma=10)", "--costs", "10", "--json"];
    let honest = |more: &[&str], path: &[&str]| {
        let run = mercer(folder.path(), &[&words[..], more].concat());
        assert_eq!(run.code, 0, "{more:?}: {}", run.stderr);
        let found: Value = serde_json::from_str(&run.stdout).unwrap();
        path.iter().fold(&found, |value, name| &value[*name]).as_f64().unwrap()
    };
    for splits in [&[][..], &["--splits", "4"], &["--splits", "stratified:4"]] {
        assert!(honest(splits, &["best", "mean"]) < 0.8, "{splits:?}");
    }
    let nested = mercer(folder.path(), &[&words[..], &["--nested", "4"]].concat());
    let nested: Value = serde_json::from_str(&nested.stdout).unwrap();
    assert!(nested["outer"][0]["mean"].as_f64().unwrap() < 0.8, "{nested}");
    for refused in [&["--splits", "repeated:4x2"][..], &["--splits", "loo"], &["--criterion", "span"]] {
        let run = mercer(folder.path(), &[&words[..], refused].concat());
        assert_eq!(run.code, 2, "{refused:?}");
        assert!(run.stderr.contains("--group"), "{}", run.stderr);
    }
    // What is advised says the group too.
    let run = mercer(folder.path(), &words[..8]);
    assert!(run.stdout.contains("--group g\n"), "{}", run.stdout);
}

#[test]
fn quantiles_are_tuned_by_their_loss() {
    let folder = tempfile::tempdir().unwrap();
    let path = data("auto_mpg.csv");
    let words = ["tune", &path, "--loss", "quantile", "--level", "0.9", "--costs", "1,10", "--json"];
    let run = mercer(folder.path(), &words);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(found["table"]["metrics"][0].as_str().unwrap().starts_with("pinball"), "{found}");
    let advice = found["advice"].as_str().unwrap();
    assert!(advice.contains("--loss quantile") && advice.contains("--level 0.9"), "{advice}");
}

#[test]
fn regions_with_a_cost_and_about_a_centre_can_be_tuned() {
    let folder = tempfile::tempdir().unwrap();
    let path = data("ionosphere.csv");
    let sphere = ["--region", "sphere", "--slack", "linear", "--costs", "0.02,0.1", "--outside", "0.1"];
    for words in [&sphere[..], &["--region", "centre"]] {
        let run = mercer(
            folder.path(),
            &[&["tune", &path, "--task", "novelty", "--kernels", "gaussian"], words].concat(),
        );
        assert_eq!(run.code, 0, "{words:?}: {}", run.stderr);
        let advice = run.stdout.lines().find(|line| line.starts_with("advice")).unwrap();
        assert!(!advice.contains("--nu"), "{advice}");
    }
}

#[test]
fn shares_are_tried_in_place_of_costs() {
    let folder = tempfile::tempdir().unwrap();
    let path = data("ionosphere.csv");
    let words = ["tune", &path, "--slack", "nu", "--kernels", "gaussian(gamma=0.05)", "--json"];
    let run = mercer(folder.path(), &words);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    // A third of the rows is of one class, so that shares from 0.01 to 0.6 are possible.
    assert_eq!(found["table"]["cells"].as_array().unwrap().len(), 10, "{found}");
    let nu = found["best"]["nu"].as_f64().unwrap();
    assert!(found["best"]["cost"].is_null() && found["best"]["mean"].as_f64().unwrap() > 0.92, "{found}");
    assert!(found["advice"].as_str().unwrap().contains(&format!("--nu {nu} --slack nu")), "{found}");

    let told = mercer(folder.path(), &[&words[..], &["--nus", "0.1,0.3", "--nested", "3"]].concat());
    assert_eq!(told.code, 0, "{}", told.stderr);
    let told: Value = serde_json::from_str(&told.stdout).unwrap();
    assert!([0.1, 0.3].contains(&told["nested"]["folds"][0]["nu"].as_f64().unwrap()), "{told}");
    let training = ["train", &path, "--tune", "--slack", "nu", "-o", "m.mercer", "--quiet"];
    assert_eq!(mercer(folder.path(), &training).code, 0);
}

#[test]
fn numbers_are_tuned_by_what_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let path = data("auto_mpg.csv");
    let run = mercer(folder.path(), &["tune", &path, "--costs", "0.1,1,10", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(found["best"]["mean"].as_f64().unwrap() > 0.85, "{found}");
    assert_eq!(found["table"]["metrics"][0], "r2");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = data("iris.csv");
    for (words, expected) in [
        (&["--costs", "0"][..], "costs = 0"),
        (&["--kernels", "lin"], "unknown kernel"),
        (&["--metrics", "nonsense"], "no metric is called"),
        (&["--splits", "1"], "folds = 1"),
        (&["--cost", "1"], "told by --costs"),
        (&["--probabilities=consistent"], "--metrics log_loss"),
        (&["--metrics", "log_loss"], "say --probabilities"),
        (&["--costs", "1,2,1"], "--costs has 1 twice"),
        (&["--costs", "-1"], "costs = -1"),
        (&["--kernels", "linear;linear"], "--kernels has linear twice"),
        (&["--multiclass", "one-against-rest", "--criterion", "bound"], "one-against-rest take an estimate"),
        (&["--multiclass", "crammer-singer", "--criterion", "span"], "machines of two classes each"),
        (&["--task", "novelty", "--nus", "0.1,0.2"], "say --outside"),
        (&["--task", "novelty", "--nus", "-0.1"], "nu = -0.1"),
        (&["--task", "novelty", "--metrics", "accuracy"], "--metrics has no meaning"),
        (&["--task", "novelty", "--outside", "2"], "outside = 2"),
        (&["--task", "novelty", "--contamination", "0.1"], "--contamination"),
        (&["--outside", "0.1"], "--task novelty"),
        (&["--label", "sepal_length_cm", "--ignore", "label", "--nus", "0.1"], "--nus is for"),
        (&["--nus", "0.1"], "--nus is for"),
        (&["--slack", "nu", "--costs", "0.1"], "--costs is for"),
        (&["--slack", "none", "--costs", "0.1"], "--costs is for"),
        (&["--criterion", "alignment", "--costs", "0.1"], "--costs has no meaning"),
        (&["--task", "novelty", "--costs", "0.1"], "--costs is for"),
        (&["--task", "novelty", "--region", "centre", "--nus", "0.1"], "--nus has no meaning"),
        (&["--halving", "--exhaustive"], "--halving"),
        (&["--kernel", "precomputed"], "features"),
    ] {
        let run = mercer(folder.path(), &[&["tune", &path], words].concat());
        assert_ne!(run.code, 0, "{words:?}");
        assert!(run.stderr.contains(expected), "{words:?}: {}", run.stderr);
    }
}

#[test]
fn all_ways_to_many_classes_probabilities_and_limits() {
    let folder = tempfile::tempdir().unwrap();
    let path = data("iris.csv");
    let words = ["tune", &path, "--kernels", "gaussian(gamma=0.2)", "--costs", "1, 10", "--splits", "3"];
    let run_with = |words: &[&str], more: &[&str]| {
        let run = mercer(folder.path(), &[words, more].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    let run = |more: &[&str]| run_with(&words, more);
    for way in ["one-against-rest", "crammer-singer", "graph"] {
        let shown = run(&["--multiclass", way]);
        assert!(shown.contains(&format!("--multiclass {way}")), "{shown}");
    }
    let shown = run(&["--metrics", "log_loss,accuracy", "--probabilities=consistent"]);
    assert!(shown.contains("log_loss: 0.") && shown.contains("--probabilities=consistent"), "{shown}");
    let shown = run(&["--max-iterations", "1"]);
    assert!(shown.contains("ended by --max-iterations"), "{shown}");
    assert!(run_with(&words[..6], &["--criterion", "span"]).contains("the mean over pairs of classes"));
}

#[test]
fn random_settings_halving_and_refinement() {
    let folder = tempfile::tempdir().unwrap();
    let path = data("pima_diabetes.csv");
    let found = |more: &[&str]| -> Value {
        let run = mercer(folder.path(), &[&["tune", &path, "--json", "--threads", "2"], more].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        serde_json::from_str(&run.stdout).unwrap()
    };
    let cells = |found: &Value| found["table"]["cells"].as_array().unwrap().len();
    let mean = |found: &Value| found["best"]["mean"].as_f64().unwrap();
    let (one, other) = (found(&["--random", "4"]), found(&["--random", "4", "--seed", "9"]));
    assert_eq!((cells(&one), cells(&other)), (16, 16));
    assert_ne!(one["table"]["kernels"], other["table"]["kernels"]);
    let coarse = found(&["--kernels", "gaussian(gamma=0.001)", "--costs", "1"]);
    let fine = found(&["--kernels", "gaussian(gamma=0.001)", "--costs", "1", "--refine", "4"]);
    assert!(cells(&fine) > cells(&coarse) && mean(&fine) >= mean(&coarse), "{fine}");
    assert!(mean(&found(&["--halving"])) > 0.75);

    let run = mercer(folder.path(), &["tune", &path, "--costs", "1", "--refine", "2"]);
    assert!(run.stdout.contains("refined"), "{}", run.stdout);
    let run = mercer(folder.path(), &["tune", &path, "--random", "0"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("random"), "{}", run.stderr);
}

#[test]
fn a_training_can_tune_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = data("ionosphere.csv");
    let run = mercer(folder.path(), &["tune", &path, "--json"]);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    let run = mercer(folder.path(), &["train", &path, "--tune", "-o", "m.json", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let trained: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&trained["kernel"], &trained["cost"]), (&found["best"]["kernel"], &found["best"]["cost"]));
    let run = mercer(folder.path(), &["train", &path, "--tune", "-o", "m.json", "--force"]);
    assert!(run.stdout.contains("settings in 5 folds") && run.stdout.contains("too good"), "{}", run.stdout);
    assert!(!run.stdout.contains("advice"), "{}", run.stdout);
    // What a bound is told for the best of the settings is that of all of them.
    let run = mercer(folder.path(), &["bound", "m.json", "--json"]);
    let told: Value = serde_json::from_str(&run.stdout).unwrap();
    let tried = found["table"]["cells"].as_array().unwrap().len();
    assert_eq!(told["choices"], tried, "{told}");
    assert_eq!(mercer(folder.path(), &["bound", "m.json", "--share", "0.1"]).code, 2);
    for wrong in [&["--cost", "1"][..], &["--from", "m.json"]] {
        let words = [&["train", &path, "--tune", "--force", "-o", "m.json"], wrong].concat();
        assert_eq!(mercer(folder.path(), &words).code, 2, "{wrong:?}");
    }
}

#[test]
fn a_learning_curve_of_the_best_setting() {
    let folder = tempfile::tempdir().unwrap();
    let path = data("ionosphere.csv");
    let words = ["tune", &path, "--kernels", "gaussian(gamma=0.08)", "--costs", "2", "--learning-curve"];
    let run = mercer(folder.path(), &[&words[..], &["--json"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    let curve = found["learning_curve"].as_array().unwrap();
    let mean = |cell: &Value| {
        let values = cell["values"][0].as_array().unwrap();
        values.iter().map(|value| value.as_f64().unwrap()).sum::<f64>() / values.len() as f64
    };
    let rows: Vec<f64> = curve.iter().map(|point| point["rows"].as_f64().unwrap()).collect();
    assert!(rows.len() == 5 && rows.windows(2).all(|pair| pair[0] < pair[1]), "{rows:?}");
    // All rows are those of the search; with a tenth of them it does worse, and better on its own than on others.
    assert!((mean(&curve[4]["held_out"]) - found["best"]["mean"].as_f64().unwrap()).abs() < 1e-12);
    assert!(mean(&curve[0]["held_out"]) < mean(&curve[4]["held_out"]) - 0.03, "{curve:?}");
    assert!(curve.iter().all(|point| mean(&point["own"]) > mean(&point["held_out"])));
    let run = mercer(folder.path(), &words);
    assert!(run.stdout.contains("learning from"), "{}", run.stdout);
}

#[test]
fn a_validation_curve_through_the_best_setting() {
    let folder = tempfile::tempdir().unwrap();
    let path = data("ionosphere.csv");
    let words = [
        "tune",
        &path,
        "--kernels",
        "gaussian(gamma=0.08); linear",
        "--costs",
        "0.1,2",
        "--validation-curve",
    ];
    let run = mercer(folder.path(), &[&words[..], &["--json"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    let curve = &found["validation_curve"];
    assert_eq!(curve["by_cost"][1]["held_out"]["cost"], 2.0);
    assert_eq!(curve["by_kernel"][1]["own"]["kernel"], 1);
    let run = mercer(folder.path(), &words);
    assert!(run.stdout.contains("by cost") && run.stdout.contains("by kernel"), "{}", run.stdout);
}

#[test]
fn detectors_are_tuned_without_labels() {
    let folder = tempfile::tempdir().unwrap();
    let path = data("ionosphere.csv");
    let words =
        ["tune", &path, "--task", "novelty", "--nus", "0.05, 0.1", "--outside", "0.1", "-o", "table.csv"];
    let run = mercer(folder.path(), &[&words[..], &["--json"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert!((found["best"]["outside"].as_f64().unwrap() - 0.1).abs() < 0.05, "{found}");
    assert!(found["advice"].as_str().unwrap().contains("--nu "), "{found}");
    let table = std::fs::read_to_string(folder.path().join("table.csv")).unwrap();
    assert_eq!(table.lines().count(), 19, "{table}");
    assert!(table.contains(",missed,"), "{table}");
    let run = mercer(folder.path(), &[&words[..], &["--force"]].concat());
    assert!(run.stdout.contains("of the rows held out in turn"), "{}", run.stdout);
}

#[test]
fn a_criterion_needs_no_held_out_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = data("ionosphere.csv");
    let words = ["tune", &path, "--kernels", "gaussian(gamma=0.01); gaussian(gamma=0.1)", "--costs", "1,10"];
    let found = |more: &[&str]| -> Value {
        let run = mercer(folder.path(), &[&words[..], &["--json"], more].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        serde_json::from_str(&run.stdout).unwrap()
    };
    let span = found(&["--criterion", "span", "-o", "table.csv"]);
    let cells = span["table"]["cells"].as_array().unwrap();
    let values: Vec<f64> = cells.iter().map(|cell| cell["values"][0][0].as_f64().unwrap()).collect();
    let best = span["best"]["value"].as_f64().unwrap();
    assert!(values.len() == 4 && values.iter().all(|&value| value >= best) && values.contains(&best));
    assert!(best < 0.12, "{span}");
    assert_eq!((&span["criterion"], &span["held_out"]), (&Value::from("span"), &Value::from(0)));
    let table = std::fs::read_to_string(folder.path().join("table.csv")).unwrap();
    assert!(table.starts_with("kernel,cost,span_mean,span_std,folds"), "{table}");
    // Alignments know no cost: `mercer train` is left to choose it.
    let run = mercer(folder.path(), &[&words[..4], &["--criterion", "centred-alignment", "--json"]].concat());
    let aligned: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(aligned["table"]["cells"].as_array().unwrap().len(), 2);
    assert!(!aligned["advice"].as_str().unwrap().contains("--cost"), "{aligned}");
    let one = mercer(folder.path(), &[&words[..], &["--criterion", "xi-alpha", "--refine", "2"]].concat());
    assert!(
        one.stdout.contains("none of the rows was held out") && one.stdout.contains("refined"),
        "{}",
        one.stdout
    );

    // A share is chosen by its bound.
    let words = ["tune", &path, "--slack", "nu", "--criterion", "bound", "--kernels", "gaussian(gamma=0.01)"];
    let run = mercer(folder.path(), &[&words[..], &["--nus", "0.05,0.3,0.6", "--json"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let shares: Value = serde_json::from_str(&run.stdout).unwrap();
    let nu = shares["best"]["nu"].as_f64().unwrap();
    assert!(shares["advice"].as_str().unwrap().contains(&format!("--nu {nu} --slack nu")), "{shares}");
    let train = ["train", &path, "--kernel", "gaussian(gamma=0.01)", "--slack", "nu", "-o", "m.mercer", "-q"];
    assert_eq!(mercer(folder.path(), &[&train[..], &["--nu", &nu.to_string()]].concat()).code, 0);
    let run = mercer(folder.path(), &["bound", "m.mercer", "--choices", "3", "--json"]);
    let told: Value = serde_json::from_str(&run.stdout).unwrap();
    let text = told.to_string();
    let digits = &shares["best"]["value"].as_f64().unwrap().to_string()[..5];
    assert!(text.contains(digits), "{digits} in {text}");
    let run = mercer(folder.path(), &words);
    assert!(run.code == 0 && run.stdout.lines().any(|line| line.starts_with("nu ")), "{}", run.stdout);
}

#[test]
fn a_criterion_refuses_what_is_about_folds() {
    let folder = tempfile::tempdir().unwrap();
    let (path, numbers) = (data("ionosphere.csv"), data("auto_mpg.csv"));
    for (words, expected) in [
        (&["--criterion", "spam"][..], "leave-one-out, span, span-bound, opper-winther, xi-alpha"),
        (&["--criterion", "span", "--splits", "5"], "--splits"),
        (&["--criterion", "span", "--metrics", "f1"], "--metrics"),
        (&["--criterion", "span", "--halving"], "--halving"),
        (&["--criterion", "span", "--exhaustive"], "--exhaustive"),
        (&["--criterion", "span", "--learning-curve"], "--learning-curve"),
        (&["--criterion", "span", "--nested", "5"], "--nested"),
        (&["--criterion", "bound", "--refine", "2"], "--refine"),
        (&["--criterion", "span", "--nus", "0.1"], "--nus"),
        (&["--criterion", "span", "--slack", "nu"], "nu"),
        (&["--nus", "0.1"], "--slack nu"),
        (&["--nested", "5", "--refine", "2"], "--refine"),
        (&["--nested", "0"], "folds = 0"),
    ] {
        let run = mercer(folder.path(), &[&["tune", &path], words].concat());
        assert_ne!(run.code, 0, "{words:?}");
        assert!(run.stderr.contains(expected), "{words:?}: {}", run.stderr);
    }
    let run = mercer(folder.path(), &["tune", &numbers, "--criterion", "span"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("--criterion span is about the margin of classes"), "{}", run.stderr);
    let run = mercer(folder.path(), &["tune", &numbers, "--splits", "leave-one-out", "--costs", "1"]);
    assert!(run.stderr.contains("r2 is undefined: it is about a single row"), "{}", run.stderr);
    let run = mercer(folder.path(), &["tune", &path, "--kernels", "linear;gausian(gamma=1)"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("kernel 2 of the 2 in --kernels"), "{}", run.stderr);
}

#[test]
fn numbers_are_compared_by_leave_one_out_and_classes_against_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let numbers = data("auto_mpg.csv");
    let words = ["tune", &numbers, "--kernels", "linear;gaussian(gamma=0.1)", "--costs", "1,10"];
    let run = mercer(folder.path(), &[&words[..], &["--criterion", "leave-one-out", "--json"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(told["best"]["kernel"], "gaussian(gamma=0.1)");
    assert!((told["best"]["value"].as_f64().unwrap() - 6.869).abs() < 0.01, "{told}");
    let wine = data("wine.csv");
    let words = ["tune", &wine, "--kernels", "linear", "--costs", "1", "--criterion", "leave-one-out"];
    let run = mercer(folder.path(), &[&words[..], &["--multiclass", "one-against-rest"]].concat());
    assert!(run.stdout.contains("the mean over the classes against the rest"), "{}", run.stdout);
}

#[test]
fn folds_can_be_scaled_by_their_own_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = data("wine.csv");
    let tune = |more: &[&str]| {
        let run = mercer(folder.path(), &[&["tune", &path, "--costs", "0.1,1", "--json"], more].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let found: Value = serde_json::from_str(&run.stdout).unwrap();
        found["table"]["cells"].as_array().unwrap().iter().map(|cell| cell["values"].to_string()).collect()
    };
    let (shared, own): (Vec<String>, Vec<String>) = (tune(&["--exhaustive"]), tune(&["--per-fold"]));
    assert_eq!(own, tune(&["--per-fold", "--threads", "1"]));
    assert_eq!(shared.len(), own.len());
    // A few rows at the boundary are told apart by what their fold was scaled by.
    assert_ne!(shared, own);
    let run = mercer(folder.path(), &["tune", &path, "--per-fold"]);
    assert!(run.stdout.contains("it and widths were found anew in every fold"), "{}", run.stdout);
    let run = mercer(folder.path(), &["tune", &path, "--per-fold", "--halving"]);
    assert!(run.code == 2 && run.stderr.contains("--halving"), "{}", run.stderr);
}

#[test]
fn nested_folds_tell_what_a_search_is_worth() {
    let folder = tempfile::tempdir().unwrap();
    for (set, metric, least) in [("ionosphere.csv", "accuracy", 0.9), ("auto_mpg.csv", "r2", 0.8)] {
        let path = data(set);
        let words = ["tune", &path, "--nested", "3", "--costs", "1,10", "--threads", "2"];
        let run = mercer(folder.path(), &[&words[..], &["--json"]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let found: Value = serde_json::from_str(&run.stdout).unwrap();
        let folds = found["nested"]["folds"].as_array().unwrap();
        let mean = folds.iter().map(|fold| fold["outer"][0].as_f64().unwrap()).sum::<f64>() / 3.0;
        assert_eq!((folds.len(), &found["nested"]["metrics"][0]), (3, &Value::from(metric)));
        assert!(
            (mean - found["outer"][0]["mean"].as_f64().unwrap()).abs() < 1e-12 && mean > least,
            "{found}"
        );
        let run = mercer(folder.path(), &[&words[..], &["-o", "nested.csv", "--force"]].concat());
        assert!(run.stdout.contains("worth on new rows"), "{}", run.stdout);
        let kept = std::fs::read_to_string(folder.path().join("nested.csv")).unwrap();
        let lines: Vec<&str> = kept.lines().collect();
        assert_eq!((lines.len(), lines[0]), (4, &*format!("part,kernel,cost,nu,in_search,{metric}")));
        let last: f64 = lines[3].rsplit(',').next().unwrap().parse().unwrap();
        assert_eq!(last, folds[2]["outer"][0].as_f64().unwrap());
        // It does not depend on the number of threads.
        let one = mercer(folder.path(), &[&words[..6], &["--threads", "1", "--json"]].concat());
        let one: Value = serde_json::from_str(&one.stdout).unwrap();
        assert_eq!(one["nested"], found["nested"]);
    }
}
