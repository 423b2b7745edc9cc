//! Every kind of classifier through train, predict, evaluate and inspect.

use super::{data, mercer};

/// Runs the four commands; the model's summary and what evaluate says, as JSON.
fn whole_way(flags: &[&str], file: &str) -> (serde_json::Value, serde_json::Value) {
    let folder = tempfile::tempdir().unwrap();
    let file = data(file);
    let train = [&["train", &file, "-o", "m.mercer", "--test", "none", "--json"], flags].concat();
    let run = mercer(folder.path(), &train);
    assert_eq!(run.code, 0, "{flags:?}: {}", run.stderr);
    let summary: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(summary["status"], "Converged", "{flags:?}");
    let run = mercer(folder.path(), &["predict", "m.mercer", &file, "--scores"]);
    assert_eq!(run.code, 0, "{flags:?}: {}", run.stderr);
    assert!(run.stdout.starts_with("prediction,score "), "{}", &run.stdout[..60]);
    let run = mercer(folder.path(), &["evaluate", "m.mercer", &file, "--json"]);
    assert_eq!(run.code, 0, "{flags:?}: {}", run.stderr);
    let measured = serde_json::from_str(&run.stdout).unwrap();
    let run = mercer(folder.path(), &["inspect", "m.mercer"]);
    assert!(run.code == 0 && run.stdout.contains("converged"), "{flags:?}: {}{}", run.stdout, run.stderr);
    (summary, measured)
}

#[test]
fn every_formulation_learns() {
    for flags in [
        &["--slack", "quadratic"][..],
        &["--slack", "quadratic", "--unit-length"],
        &["--slack", "nu", "--nu", "0.1"],
        &["--slack", "nu", "--nu", "0.1", "--unit-length"],
        &["--slack", "none"],
        &["--slack", "hard", "--unit-length"],
        &["--no-offset"],
        &["--multiclass", "graph"],
        &["--multiclass", "one-against-rest"],
        &["--multiclass", "one-against-rest", "--slack", "nu"],
        &["--multiclass", "weston-watkins"],
        &["--multiclass", "crammer-singer"],
    ] {
        let (summary, measured) = whole_way(flags, "wine.csv");
        assert!(measured["accuracy"].as_f64().unwrap() > 0.97, "{flags:?}: {measured}");
        assert_eq!(summary["task"], "classify");
    }
}

#[test]
fn probabilities_are_trained_told_and_measured() {
    for kind in ["--probabilities", "--probabilities=platt", "--probabilities=isotonic"] {
        let (summary, measured) = whole_way(&[kind], "wine.csv");
        assert!(summary["probabilities"].is_string(), "{summary}");
        let loss = measured["log_loss"].as_f64().unwrap();
        assert!(loss < 0.4, "{kind}: {loss}");
    }
    let folder = tempfile::tempdir().unwrap();
    let (heart, rows) = (data("heart_scale"), 270);
    let run = mercer(folder.path(), &["train", &heart, "-o", "m", "--test", "none", "--probabilities", "-q"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = mercer(folder.path(), &["predict", "m", &heart, "--probabilities"]);
    let mut lines = run.stdout.lines();
    assert_eq!(lines.next().unwrap(), "prediction,probability -1,probability 1");
    for line in lines.clone() {
        let words: Vec<f64> = line.split(',').map(|word| word.parse().unwrap()).collect();
        assert!((words[1] + words[2] - 1.0).abs() < 1e-9);
        assert_eq!(words[0] > 0.0, words[2] > 0.5, "{line}");
    }
    assert_eq!(lines.count(), rows);
    let run = mercer(folder.path(), &["predict", "m", &heart, "--probabilities", "--scores", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(told["predictions"][0]["probabilities"].as_array().unwrap().len(), 2);
    assert_eq!(told["predictions"][0]["scores"].as_array().unwrap().len(), 2);
    // A model that has none says how to get one that has.
    let run = mercer(folder.path(), &["train", &heart, "-o", "n", "--test", "none", "-q"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = mercer(folder.path(), &["predict", "n", &heart, "--probabilities"]);
    assert!(run.code == 1 && run.stderr.contains("mercer train --probabilities"), "{}", run.stderr);
}

#[test]
fn what_does_not_go_together_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (heart, mpg) = (data("heart_scale"), data("auto_mpg.csv"));
    for (flags, parts) in [
        (&[&heart[..], "--slack", "nu", "--cost", "2"][..], ["--cost", "--slack nu"]),
        (&[&heart, "--slack", "none", "--nu", "0.1"], ["--nu", "--slack none"]),
        (&[&heart, "--unit-length"], ["--unit-length", "--slack linear"]),
        (&[&heart, "--slack", "nu", "--nu", "2"], ["nu = 2", "at most 1"]),
        (&[&heart, "--no-offset", "--slack", "nu"], ["nu", "offset"]),
        (
            &[&heart, "--multiclass", "one-against-rest", "--probabilities"],
            ["--probabilities", "one-against-rest"],
        ),
        (&[&heart, "--multiclass", "crammer-singer", "--slack", "nu"], ["--slack", "crammer-singer"]),
        (&[&mpg, "--task", "regress", "--slack", "nu"], ["--slack", "--task classify"]),
        (&[&mpg, "--task", "regress", "--probabilities"], ["--probabilities", "--task classify"]),
        (&[&heart, "--task", "novelty", "--no-offset"], ["--no-offset", "--task novelty"]),
    ] {
        let run = mercer(folder.path(), &[&["train", "-o", "m"], flags].concat());
        assert_eq!(run.code, 2, "{flags:?}: {}", run.stderr);
        assert!(parts.iter().all(|part| run.stderr.contains(part)), "{flags:?}: {}", run.stderr);
    }
    for (flags, parts) in [
        (&[&heart, "--solver", "adatron"][..], ["--solver adatron", "--no-offset"]),
        (&[&heart, "--test", "none", "--folds", "3"], ["--folds", "--test none"]),
        (&[&heart, "--class-weight", "1=-2"], ["--class-weight 1=-2", "at least 0, found -2"]),
        (&[&heart, "--class-weight", "1"], ["--class-weight 1", "LABEL=FACTOR"]),
    ] {
        let run = mercer(folder.path(), &[&["train", "-o", "m"], flags].concat());
        assert_eq!(run.code, 2, "{flags:?}: {}", run.stderr);
        assert!(parts.iter().all(|part| run.stderr.contains(part)), "{flags:?}: {}", run.stderr);
    }
    // What only the data show.
    let run = mercer(folder.path(), &["train", &heart, "-o", "m", "--slack", "none", "--kernel", "linear"]);
    assert!(
        run.code == 1 && run.stderr.contains("the classes -1 and 1 cannot be separated"),
        "{}",
        run.stderr
    );
    let run = mercer(folder.path(), &["train", &heart, "-o", "m", "--slack", "nu", "--nu", "0.95"]);
    assert!(run.code == 1 && run.stderr.contains("at most 0.8888"), "{}", run.stderr);
}

#[test]
fn a_share_that_a_fold_does_not_allow_is_told_as_that_of_the_fold() {
    let folder = tempfile::tempdir().unwrap();
    let ionosphere = data("ionosphere.csv");
    let train = ["train", &ionosphere, "-o", "i.mercer", "--force", "--slack", "nu", "--nu"];
    let run = mercer(folder.path(), &[&train[..], &["0.72"]].concat());
    assert!(run.code == 1 && run.stderr.contains("csv: nu = 0.72: these data allow"), "{}", run.stderr);
    let run = mercer(folder.path(), &[&train[..], &["0.7175"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("not tested: without fold "), "{}", run.stdout);
    assert!(run.stdout.contains(" of 5: nu = 0.7175: these data allow"), "{}", run.stdout);
}

#[test]
fn what_a_model_or_a_class_cannot_give_is_told_in_its_terms() {
    let folder = tempfile::tempdir().unwrap();
    let (mpg, wine) = (data("auto_mpg.csv"), data("wine.csv"));
    assert_eq!(mercer(folder.path(), &["train", &mpg, "-q", "--cost", "1", "-o", "r.mercer"]).code, 0);
    let run = mercer(folder.path(), &["predict", "r.mercer", &mpg, "--probabilities"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("regression: it is for classifiers"), "{}", run.stderr);
    // Nothing is printed before there is an answer.
    let run = mercer(folder.path(), &["predict", "r.mercer", &wine]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{}", run.stderr);

    let row = |i: usize| {
        format!("{},{},{}\n", i * 37 % 101, i * 53 % 89, ["x", "y", "rare"][(i % 2).max(i / 39 * 2)])
    };
    std::fs::write(folder.path().join("t.csv"), (0..40).map(row).collect::<String>()).unwrap();
    // The only row of a class is never held out for probabilities.
    let run = mercer(folder.path(), &["train", "t.csv", "--probabilities", "-o", "t.mercer"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = mercer(folder.path(), &["predict", "t.mercer", "t.csv", "--probabilities"]);
    assert!(run.code == 0 && run.stdout.contains("rare"), "{}", run.stderr);
}
