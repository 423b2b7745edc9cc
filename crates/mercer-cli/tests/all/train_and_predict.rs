//! The way from a file to predictions.

use crate::{data, files, mercer};

#[test]
fn train_inspect_predict() {
    let folder = tempfile::tempdir().unwrap();
    let run = mercer(folder.path(), &["train", &data("ionosphere.csv"), "-o", "i.mercer"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for part in [
        "351 rows x 34 columns",
        "bad 126, good 225",
        "standardise",
        "gaussian(gamma=",
        "converged",
        "duality gap",
    ] {
        assert!(run.stdout.contains(part), "{part} is missing in\n{}", run.stdout);
    }
    let run = mercer(folder.path(), &["inspect", "i.mercer"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("351 rows x 34 columns, checksum "), "{}", run.stdout);

    let run = mercer(folder.path(), &["predict", "i.mercer", &data("ionosphere.csv"), "--scores"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 352);
    assert_eq!(lines[0], "prediction,score bad,score good");
    for line in &lines[1..] {
        let fields: Vec<&str> = line.split(',').collect();
        let (bad, good): (f64, f64) = (fields[1].parse().unwrap(), fields[2].parse().unwrap());
        assert_eq!(fields[0], if good > bad { "good" } else { "bad" }, "{line}");
    }
    assert!(run.stderr.contains("% as labelled"), "{}", run.stderr);
    assert_eq!(files(folder.path()), ["i.mercer"]);
}

#[test]
fn all_model_formats_predict_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let heart = data("heart_scale");
    let mut outputs = Vec::new();
    for name in ["h.mercer", "h.json", "h.model"] {
        let run = mercer(folder.path(), &["train", &heart, "-o", name, "--gamma", "auto", "--cost", "1"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let run = mercer(folder.path(), &["predict", name, &heart, "--scores"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stderr.contains("86.67 % as labelled (234 of 270)"), "{}", run.stderr);
        outputs.push(run.stdout);
    }
    assert_eq!(outputs[0], outputs[1]);
    for (a, b) in outputs[0].lines().zip(outputs[2].lines()).skip(1) {
        let score = |line: &str| line.split(',').nth(2).unwrap().parse::<f64>().unwrap();
        assert!((score(a) - score(b)).abs() < 1e-9, "{a} {b}");
    }
}

#[test]
fn a_table_without_labels_or_header_can_be_predicted() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("xor.csv"), "0,0,no\n1,1,no\n0,1,yes\n1,0,yes\n").unwrap();
    std::fs::write(folder.path().join("new.csv"), "0,1\n1,1\n").unwrap();
    let run = mercer(folder.path(), &["train", "xor.csv", "--cost", "100", "--kernel", "gaussian(gamma=1)"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(files(folder.path()), ["new.csv", "xor.csv", "xor.mercer"]);
    let run = mercer(folder.path(), &["predict", "xor.mercer", "new.csv"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "prediction\nyes\nno\n"), "{}", run.stderr);
}

#[test]
fn a_limit_is_told_and_the_model_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        mercer(folder.path(), &["train", &data("ionosphere.csv"), "-o", "i.mercer", "--max-iterations", "3"]);
    assert_eq!(run.code, 0);
    assert!(run.stdout.contains("stopped at the iteration limit"), "{}", run.stdout);
    assert!(run.stderr.contains("what it had reached"), "{}", run.stderr);
    assert_eq!(files(folder.path()), ["i.mercer"]);
}

#[test]
fn the_time_limit_covers_the_test() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        mercer(folder.path(), &["train", &data("ionosphere.csv"), "-o", "i.mercer", "--time-limit", "0"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("on new rows     not tested: the time limit is used up"), "{}", run.stdout);
    assert_eq!(files(folder.path()), ["i.mercer"]);
}

#[test]
fn many_rows_are_tested_on_some_that_are_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let rows = |n: usize| -> String {
        (0..n).map(|i| format!("{}{},1,{}\n", if i % 2 == 0 { "-" } else { "" }, i + 1, i % 2 == 0)).collect()
    };
    std::fs::write(folder.path().join("many.csv"), rows(4000)).unwrap();
    std::fs::write(folder.path().join("more.csv"), rows(21_000)).unwrap();
    let arguments = ["--kernel", "linear", "--cost", "1"];
    let run = mercer(folder.path(), &[&["train", "many.csv"], &arguments[..]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("learned from 3 000 rows, tested on 1 000 others"), "{}", run.stdout);
    let run = mercer(folder.path(), &[&["train", "more.csv"], &arguments[..]].concat());
    assert!(run.stdout.contains("learned from 18 900 rows, tested on 2 100 others"), "{}", run.stdout);
    // The model of many rows knows all of them, that of more has left some aside.
    for (model, rows) in [("many.mercer", "4 000 rows"), ("more.mercer", "18 900 rows")] {
        let run = mercer(folder.path(), &["inspect", model]);
        assert!(run.stdout.contains(&format!("trained on      {rows}")), "{}", run.stdout);
    }
}

#[test]
fn the_cost_is_chosen_and_the_score_comes_from_other_folds() {
    let folder = tempfile::tempdir().unwrap();
    let run = mercer(folder.path(), &["train", &data("wine.csv"), "-o", "w.mercer", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(found["choice"]["cost"], found["cost"]);
    assert_eq!(found["test"]["method"]["folds"], 5);
    let shares = found["test"]["folds"].as_array().unwrap();
    assert!(shares.len() == 5 && shares.iter().all(|share| share.as_f64().unwrap() > 0.85), "{shares:?}");
    // The same seed, the same words; another thread count too.
    let again = |threads: &str| {
        let run = mercer(
            folder.path(),
            &["train", &data("wine.csv"), "-o", "w2.mercer", "--force", "--json", "--threads", threads],
        );
        let found: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        (found["test"].clone(), found["choice"].clone())
    };
    assert_eq!(again("1"), (found["test"].clone(), found["choice"].clone()));
    assert_eq!(again("2"), again("1"));
}

#[test]
fn strict_training_must_converge() {
    let folder = tempfile::tempdir().unwrap();
    let train = |more: &[&str]| {
        let wine = data("wine.csv");
        mercer(
            folder.path(),
            &[&["train", &wine, "-o", "w.mercer", "--force", "--cost", "1", "-q"], more].concat(),
        )
    };
    assert_eq!(train(&["--strict"]).code, 0);
    assert_eq!(train(&["--strict", "--max-iterations", "1"]).code, 3);
    assert_eq!(train(&["--max-iterations", "1"]).code, 0);
}

#[test]
fn labels_that_look_like_measurements_are_learned_as_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let rows = |labels: usize| -> String { (0..300).map(|i| format!("{i},{}\n", i % labels)).collect() };
    std::fs::write(folder.path().join("many.csv"), rows(21)).unwrap();
    std::fs::write(folder.path().join("few.csv"), rows(20)).unwrap();
    let task = |file, more: &[&str]| {
        let arguments = [&["train", file, "--force", "--json", "--max-iterations", "1"], more].concat();
        let run = mercer(folder.path(), &arguments);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let found: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        found["task"].as_str().unwrap().to_string()
    };
    assert_eq!(task("many.csv", &[]), "regress");
    assert_eq!(task("few.csv", &[]), "classify");
    // Each task, and the words that used to ask for it.
    for word in ["classify", "classes"] {
        assert_eq!(task("many.csv", &["--task", word, "--test", "none", "--cost", "1"]), "classify");
    }
    for word in ["regress", "numbers"] {
        assert_eq!(task("few.csv", &["--task", word]), "regress");
    }
}

#[test]
fn a_kernel_may_begin_with_a_minus() {
    let folder = tempfile::tempdir().unwrap();
    let heart = data("heart_scale");
    let run = mercer(folder.path(), &["train", &heart, "-o", "m.mercer", "--kernel", "-1*linear + 2*linear"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

/// Rows whose classes have no reason: every one becomes a support vector, which takes long.
fn noise(rows: u64, classes: u64) -> String {
    let row = |i: u64| {
        let number =
            |k: u64| (i.wrapping_mul(6364136223846793005).wrapping_add(k * 1442695040888963407) >> 33) % 1000;
        format!("{},{},class {}\n", number(1), number(2), number(3) % classes)
    };
    (0..rows).map(row).collect()
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_the_training_and_keeps_the_model_if_asked_to() {
    if crate::ignores_interrupts() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("noise.csv"), noise(60_000, 2)).unwrap();
    let interrupted = |words: &[&str], more: &[&str]| {
        let child = std::process::Command::new(env!("CARGO_BIN_EXE_mercer"))
            .current_dir(folder.path())
            .args(words)
            .args(more)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(1500));
        let id = child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        child.wait_with_output().unwrap()
    };
    let long = ["train", "noise.csv", "--cost", "100"];
    let output = interrupted(&long, &[]);
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nothing is saved"));
    assert!(!folder.path().join("noise.mercer").exists());
    let output = interrupted(&long, &["--keep-partial"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("cancelled") && text.contains("not tested: interrupted"), "{text}");
    assert!(folder.path().join("noise.mercer").exists());

    // While the cost is still being chosen there is nothing to keep. This would take minutes.
    let begun = std::time::Instant::now();
    std::fs::write(folder.path().join("classes.csv"), noise(3000, 26)).unwrap();
    let choosing = ["train", "classes.csv", "--multiclass", "crammer-singer", "-o", "slow.mercer"];
    let output = interrupted(&choosing, &["--keep-partial"]);
    assert_eq!(output.status.code(), Some(130));
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("nothing to save"), "{text}");
    assert!(!folder.path().join("slow.mercer").exists());
}

#[test]
fn the_model_does_not_depend_on_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    for (memory, name) in [("0", "a.mercer"), ("1", "b.mercer"), ("500", "c.mercer")] {
        let words = ["train", &data("pima_diabetes.csv"), "--test", "none", "--memory", memory, "-o", name];
        let run = mercer(folder.path(), &words);
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(read("a.mercer") == read("b.mercer") && read("a.mercer") == read("c.mercer"));
}

#[test]
fn a_search_that_the_time_ended_says_so() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("classes.csv"), noise(3000, 26)).unwrap();
    let words =
        ["train", "classes.csv", "--multiclass", "crammer-singer", "--time-limit", "1", "--test", "none"];
    let run = mercer(folder.path(), &[&words[..], &["-o", "m.mercer"]].concat());
    assert!(run.stdout.contains("the time ran out before larger ones were tried"), "{}", run.stdout);
}

#[test]
fn every_solver_that_can_gives_the_same_machine() {
    let folder = tempfile::tempdir().unwrap();
    let heart = data("heart_scale");
    let train = |solver: &str| {
        let arguments = ["train", &heart, "-o", "h.json", "--force", "--gamma", "auto", "--cost", "1"];
        let rest = ["--tolerance", "1e-6", "--test", "none", "--solver", solver];
        mercer(folder.path(), &[&arguments[..], &rest].concat())
    };
    let objective = |solver: &str| {
        let run = train(solver);
        assert_eq!(run.code, 0, "{solver}: {}", run.stderr);
        assert!(run.stdout.contains("converged"), "{solver}: {}", run.stdout);
        let text = std::fs::read_to_string(folder.path().join("h.json")).unwrap();
        let dual = text.split("\"dual\":").nth(1).expect("a certificate");
        dual.trim()
            .split([',', '}', '\n'])
            .next()
            .unwrap()
            .trim_matches('"')
            .parse::<f64>()
            .expect("a number")
    };
    let main = objective("decomposition");
    for solver in ["smo", "chunking", "interior-point"] {
        let found = objective(solver);
        assert!((found - main).abs() < 1e-6 * main, "{solver}: {found} against {main}");
    }
    let run = train("adatron");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--solver adatron does not go with an offset"), "{}", run.stderr);
    let run = train("simplex");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("interior-point"), "{}", run.stderr);
}

#[test]
fn weights_are_repeated_rows_for_scaling_and_width_too() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(data("ionosphere.csv")).unwrap();
    let (mut weighted, mut repeated) = (String::new(), String::new());
    for (i, line) in text.lines().enumerate() {
        let weight = i % 3;
        let first = if i == 0 { "w".to_string() } else { weight.to_string() };
        weighted += &format!("{first},{line}\n");
        repeated += &format!("{line}\n").repeat(if i == 0 { 1 } else { weight });
    }
    std::fs::write(folder.path().join("weighted.csv"), weighted).unwrap();
    std::fs::write(folder.path().join("repeated.csv"), repeated).unwrap();
    let scores = |name: &str, more: &[&str]| {
        let train = [&["train", name, "--cost", "2", "--test", "none", "--tolerance", "1e-8"], more].concat();
        let run = mercer(folder.path(), &train);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let model = name.replace(".csv", ".mercer");
        let run = mercer(folder.path(), &["predict", &model, "repeated.csv", "--scores"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let score = |line: &str| line.split(',').nth(1).unwrap().parse::<f64>().unwrap();
        run.stdout.lines().skip(1).map(score).collect::<Vec<f64>>()
    };
    let (weighted, repeated) = (scores("weighted.csv", &["--weight", "w"]), scores("repeated.csv", &[]));
    assert_eq!(weighted.len(), repeated.len());
    for (a, b) in weighted.iter().zip(&repeated) {
        assert!((a - b).abs() < 1e-5, "{a} {b}");
    }
}

#[test]
fn columns_that_the_training_did_not_have_are_part_of_a_row() {
    let folder = tempfile::tempdir().unwrap();
    let lines = |far: &str| -> String {
        (0..40).map(|i| format!("{} 1:{} 3:1{far}\n", i % 2, i % 2 * 2 + i % 5)).collect()
    };
    std::fs::write(folder.path().join("train.txt"), lines("")).unwrap();
    std::fs::write(folder.path().join("near.txt"), lines("")).unwrap();
    std::fs::write(folder.path().join("far.txt"), lines(" 9:100")).unwrap();
    let predict = |kernel: &str, file: &str| {
        let train = ["train", "train.txt", "--kernel", kernel, "--cost", "1", "-q", "--force"];
        let run = mercer(folder.path(), &train);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let run = mercer(folder.path(), &["predict", "train.mercer", file, "--scores"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run
    };
    // No weight belongs to the column, so a linear function does not see it.
    let (near, far) = (predict("linear", "near.txt"), predict("linear", "far.txt"));
    assert_eq!(near.stdout, far.stdout);
    assert!(
        far.stderr.contains("40 rows with values in columns that the training did not have"),
        "{}",
        far.stderr
    );
    assert!(!near.stderr.contains("did not have"), "{}", near.stderr);
    // A Gaussian is far from everything: all rows get the offset.
    let far = predict("gaussian(gamma=1)", "far.txt");
    let scores: Vec<&str> = far.stdout.lines().skip(1).collect();
    assert!(scores.iter().all(|line| *line == scores[0]), "{}", far.stdout);
    let run = mercer(folder.path(), &["evaluate", "train.mercer", "far.txt"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn numbers_that_hardly_come_again_are_no_classes() {
    let folder = tempfile::tempdir().unwrap();
    let table: String = (0..30)
        .map(|i| if i == 0 { "x,price\n".to_string() } else { format!("{i},{}\n", 1000 + 37 * i) })
        .collect();
    std::fs::write(folder.path().join("t.csv"), table).unwrap();
    let run = mercer(folder.path(), &["train", "t.csv"]);
    assert!(run.code == 0 && run.stdout.contains("targets         mean"), "{}{}", run.stdout, run.stderr);
    let table: String = (0..30).map(|i| format!("{i},{}\n", i % 12)).collect();
    std::fs::write(folder.path().join("c.csv"), table).unwrap();
    let run = mercer(folder.path(), &["train", "c.csv", "--header", "no"]);
    assert!(run.code == 0 && run.stdout.contains("classes         "), "{}{}", run.stdout, run.stderr);
}

#[test]
fn a_cost_that_could_not_be_chosen_is_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), "x,class\n1,a\n2,b\n3,c\n").unwrap();
    let run = mercer(folder.path(), &["train", "t.csv"]);
    assert!(run.code == 0 && run.stdout.contains("cost            1, not chosen"), "{}", run.stdout);
    let run = mercer(folder.path(), &["train", "t.csv", "--slack", "nu", "--nu", "0.5", "--force"]);
    assert!(!run.stdout.contains("cost  "), "{}{}", run.stdout, run.stderr);
}
