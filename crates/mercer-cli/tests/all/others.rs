//! Machines that factorise the kernel matrix, from the command line.

use crate::{data, files, mercer};

#[test]
fn other_machines_are_trained_tested_and_used() {
    let folder = tempfile::tempdir().unwrap();
    for (machine, file, word) in [
        ("ridge", "auto_mpg.csv", "by leave-one-out"),
        ("rbf-network", "auto_mpg.csv", "bumps"),
        ("rbf-network", "iris.csv", "bumps"),
        ("gp", "auto_mpg.csv", "log likelihood"),
        ("rvm", "auto_mpg.csv", "relevant items"),
        ("pls", "auto_mpg.csv", "explained"),
        ("ordinal", "iris_levels.csv", "thresholds"),
        ("ordinal", "iris_levels.csv", "of its least value, relatively"),
        ("lssvm", "iris.csv", "by leave-one-out"),
        ("fisher", "iris.csv", "ratios"),
        ("rvm", "iris.csv", "relevant items"),
        ("bayes-point", "iris.csv", "perceptrons"),
        ("gp", "iris.csv", "log likelihood"),
    ] {
        let path = match file {
            "iris_levels.csv" => {
                let text = std::fs::read_to_string(data("iris.csv")).unwrap();
                let mut names: Vec<String> = Vec::new();
                let levels: Vec<String> = text
                    .lines()
                    .skip(1)
                    .map(|line| {
                        let (rest, name) = line.rsplit_once(',').unwrap();
                        let known = names.iter().position(|n| n == name).unwrap_or_else(|| {
                            names.push(name.to_string());
                            names.len() - 1
                        });
                        format!("{rest},{known}")
                    })
                    .collect();
                let path = folder.path().join(file);
                std::fs::write(&path, format!("a,b,c,d,level\n{}\n", levels.join("\n"))).unwrap();
                path.to_str().unwrap().to_string()
            }
            file => data(file),
        };
        let arguments = ["train", &path, "--machine", machine, "-o", "m.mercer", "--force"];
        let run = mercer(folder.path(), &arguments);
        assert_eq!(run.code, 0, "{machine}: {}", run.stderr);
        assert!(run.stdout.contains(word), "{machine}: {}", run.stdout);
        assert!(run.stdout.contains("on new rows"), "{machine}: {}", run.stdout);
        let shown = mercer(folder.path(), &["inspect", "m.mercer"]);
        assert_eq!(shown.code, 0, "{machine}: {}", shown.stderr);
        let told = mercer(folder.path(), &["evaluate", "m.mercer", &path]);
        assert_eq!(told.code, 0, "{machine}: {}", told.stderr);
        let predicted = mercer(folder.path(), &["predict", "m.mercer", &path]);
        assert_eq!(predicted.code, 0, "{machine}: {}", predicted.stderr);
        let rows = std::fs::read_to_string(&path).unwrap().lines().count();
        assert_eq!(predicted.stdout.lines().count(), rows, "{machine}");
        // Most are near.
        match file {
            "auto_mpg.csv" => {
                // A network of twenty bumps is a baseline.
                let enough: &[&str] = match machine {
                    "rbf-network" => &["R² 0.7", "R² 0.8", "R² 0.9"],
                    _ => &["R² 0.8", "R² 0.9"],
                };
                let near = enough.iter().any(|near| predicted.stderr.contains(near));
                assert!(near, "{machine}: {}", predicted.stderr);
            }
            "iris.csv" => assert!(predicted.stderr.contains("9") && predicted.stderr.contains("as labelled")),
            _ => {}
        }
    }
}

#[test]
fn what_does_not_apply_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let iris = data("iris.csv");
    for (more, word) in [
        (&["--machine", "ridge", "--nu", "0.1"][..], "--nu does not go with --machine ridge"),
        (&["--machine", "fisher", "--task", "regress"], "--machine fisher does not learn numbers"),
        (&["--machine", "gp", "--task", "novelty"], "--machine gp does not find what is novel"),
        (&["--machine", "sphere-slab", "--task", "classify"], "--machine sphere-slab does not learn classes"),
        (&["--machine", "gp", "--kernel", "precomputed"], "needs more of an item"),
        (&["--machine", "sphere-slab", "--kernel", "precomputed"], "needs more of an item"),
        (
            &["--machine", "lssvm", "--kernel", "spectrum(k=3)", "--scale", "min-max"],
            "is for rows of numbers",
        ),
        (&["--machine", "lssvm", "-o", "m.model"], "LIBSVM's format"),
        (&["--machine", "lssvm", "--tune"], "--tune does not go with"),
        (&["--machine", "bayes-point", "--weight", "1"], "--weight does not go with --machine bayes-point"),
        (&["--machine", "pls", "--weight", "1"], "--weight does not go with --machine pls"),
    ] {
        let mut arguments = vec!["train", iris.as_str()];
        arguments.extend(more);
        let run = mercer(folder.path(), &arguments);
        assert_eq!(run.code, 2, "{more:?}: {}", run.stderr);
        assert!(run.stderr.contains(word), "{more:?}: {}", run.stderr);
    }
    assert!(files(folder.path()).is_empty());
}

#[test]
fn components_and_clusters_are_found_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let wine = data("wine.csv");
    let run = mercer(folder.path(), &["reduce", &wine, "--components", "3", "-o", "p.mercer"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("explained"), "{}", run.stdout);
    let predicted = mercer(folder.path(), &["predict", "p.mercer", &wine]);
    assert_eq!(predicted.code, 0, "{}", predicted.stderr);
    let mut lines = predicted.stdout.lines();
    assert_eq!(lines.next(), Some("component 1,component 2,component 3"));
    assert!(lines.all(|line| line.split(',').filter(|cell| cell.parse::<f64>().is_ok()).count() == 3));
    let refused = mercer(folder.path(), &["evaluate", "p.mercer", &wine]);
    assert_eq!(refused.code, 1, "{}", refused.stdout);
    assert!(refused.stderr.contains("nothing that labels tell"), "{}", refused.stderr);
    let run = mercer(folder.path(), &["cluster", &wine, "--clusters", "3", "-o", "c.json", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let sizes: u64 = told["sizes"].as_array().unwrap().iter().map(|size| size.as_u64().unwrap()).sum();
    assert_eq!((sizes, told["task"].as_str()), (178, Some("cluster")));
    let refused = mercer(folder.path(), &["predict", "c.json", &wine, "--scores"]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    let predicted = mercer(folder.path(), &["predict", "c.json", &wine]);
    assert_eq!(predicted.code, 0, "{}", predicted.stderr);
    let count = |name: &str| predicted.stdout.lines().filter(|line| *line == name).count() as u64;
    let found: Vec<u64> = ["1", "2", "3"].iter().map(|name| count(name)).collect();
    let told: Vec<u64> =
        told["sizes"].as_array().unwrap().iter().map(|size| size.as_u64().unwrap()).collect();
    assert_eq!(found, told);
}

#[test]
fn views_are_correlated() {
    let folder = tempfile::tempdir().unwrap();
    let (mut a, mut b) = ("x,y\n".to_string(), "u,v\n".to_string());
    for i in 0..40 {
        let t = f64::from(i) * 0.37;
        a += &format!("{},{}\n", t.sin(), (3.1 * t).cos());
        b += &format!("{},{}\n", 2.0 * t.sin() + 0.01 * (7.0 * t).cos(), (5.3 * t).sin());
    }
    std::fs::write(folder.path().join("a.csv"), a).unwrap();
    std::fs::write(folder.path().join("b.csv"), b).unwrap();
    let base =
        ["correlate", "a.csv", "b.csv", "--label", "none", "--kernel", "linear", "--regularisation", "1e-6"];
    let mut arguments = base.to_vec();
    arguments.extend(["-o", "a.mercer", "b.mercer", "--json"]);
    let run = mercer(folder.path(), &arguments);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(told["correlations"][0].as_f64().unwrap() > 0.999, "{}", run.stdout);
    // The first components of both say the same.
    let component = |model: &str, file: &str| -> Vec<f64> {
        let run = mercer(folder.path(), &["predict", model, file, "--label", "none"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap()).collect()
    };
    let (a, b) = (component("a.mercer", "a.csv"), component("b.mercer", "b.csv"));
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 0.1));
    let shown = mercer(folder.path(), &["inspect", "a.mercer"]);
    assert!(shown.stdout.contains("canonical correlations"), "{}", shown.stdout);
    std::fs::write(folder.path().join("c.csv"), "u,v\n1,2\n").unwrap();
    let arguments = ["correlate", "a.csv", "c.csv", "--label", "none"];
    let run = mercer(folder.path(), &[&arguments[..], &["-o", "d.mercer", "e.mercer"]].concat());
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("as many as of the first view"), "{}", run.stderr);
}

#[test]
fn orders_are_learned() {
    let folder = tempfile::tempdir().unwrap();
    let rows = |shift: f64| -> String {
        (0..60)
            .map(|i| {
                let (a, b) = ((f64::from(i) * 1.3 + shift).sin(), (f64::from(i) * 0.7 + shift).cos());
                let relevance = (2.0 + a - b).round();
                format!("{relevance} qid:{} 1:{a} 2:{b}\n", i % 6)
            })
            .collect()
    };
    std::fs::write(folder.path().join("train.svmrank"), rows(0.0)).unwrap();
    std::fs::write(folder.path().join("test.svmrank"), rows(0.4)).unwrap();
    let arguments =
        ["rank", "train.svmrank", "--test", "test.svmrank", "--kernel", "linear", "-o", "r.mercer", "--json"];
    let run = mercer(folder.path(), &arguments);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(told["ndcg_5"].as_f64().unwrap() > 0.95, "{}", run.stdout);
    assert!(told["kendall_tau"].as_f64().unwrap() > 0.7, "{}", run.stdout);
    let predicted = mercer(folder.path(), &["predict", "r.mercer", "test.svmrank"]);
    assert_eq!((predicted.code, predicted.stdout.lines().count()), (0, 61), "{}", predicted.stderr);
    std::fs::write(folder.path().join("flat.csv"), "a,b,label\n1,2,3\n2,1,3\n").unwrap();
    let run = mercer(folder.path(), &["rank", "flat.csv"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("no two rows of a query"), "{}", run.stderr);
}

#[test]
fn structured_items_meet_all_machines() {
    let folder = tempfile::tempdir().unwrap();
    let promoters = data("promoters.csv");
    let kernel = ["--kernel", "normalised(spectrum(k=3))", "-o", "m.mercer", "--force"];
    let mut commands: Vec<Vec<&str>> = ["lssvm", "fisher", "rvm", "bayes-point", "gp", "sphere-slab"]
        .iter()
        .map(|machine| vec!["train", &promoters, "--machine", machine])
        .collect();
    commands.push(vec!["reduce", &promoters, "--components", "3"]);
    commands.push(vec!["cluster", &promoters, "--clusters", "2"]);
    commands.push(vec!["cluster", &promoters, "--clusters", "2", "--spectral"]);
    for command in commands {
        let run = mercer(folder.path(), &[&command[..], &kernel[..]].concat());
        assert_eq!(run.code, 0, "{command:?}: {}", run.stderr);
        assert!(run.stdout.contains("106 strings"), "{command:?}: {}", run.stdout);
        let shown = mercer(folder.path(), &["inspect", "m.mercer"]);
        assert_eq!(shown.code, 0, "{command:?}: {}", shown.stderr);
        let predicted = mercer(folder.path(), &["predict", "m.mercer", &promoters]);
        assert_eq!((predicted.code, predicted.stdout.lines().count()), (0, 107), "{command:?}");
        let told = mercer(folder.path(), &["evaluate", "m.mercer", &promoters]);
        assert_eq!(told.code, i32::from(command[0] != "train"), "{command:?}: {}", told.stderr);
        if let Some(machine) = command.get(3).filter(|_| command[0] == "train" && command[3] != "sphere-slab")
        {
            let share: f64 = told
                .stdout
                .lines()
                .find_map(|line| line.trim().strip_prefix("accuracy")?.trim().split(' ').next()?.parse().ok())
                .unwrap_or_else(|| panic!("{machine}: {}", told.stdout));
            assert!(share > 80.0, "{machine}: {share}");
        }
    }
    let refused = ["train", &promoters, "--machine", "rbf-network"];
    let run = mercer(folder.path(), &[&refused[..], &kernel[..]].concat());
    assert_eq!(run.code, 2, "{}", run.stdout);
    assert!(run.stderr.contains("--kernel does not go with --machine rbf-network"), "{}", run.stderr);
}

#[test]
fn strings_are_ranked_and_correlated() {
    let folder = tempfile::tempdir().unwrap();
    let words = |shift: usize| -> Vec<(String, usize)> {
        (0..40).map(|i| (i * 7 + shift) % 5).map(|a| ("ab".repeat(a) + &"cd".repeat(6 - a), a)).collect()
    };
    for (name, shift) in [("train.csv", 0), ("test.csv", 1)] {
        let rows: String = words(shift).iter().map(|(word, a)| format!("{word},{a}\n")).collect();
        std::fs::write(folder.path().join(name), format!("word,relevance\n{rows}")).unwrap();
    }
    let kernel = ["--kernel", "spectrum(k=2)", "--header", "yes"];
    let rank = ["rank", "train.csv", "--test", "test.csv", "-o", "r.mercer", "--json"];
    let run = mercer(folder.path(), &[&rank[..], &kernel[..]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(told["kendall_tau"].as_f64().unwrap() > 0.99, "{}", run.stdout);
    // Numbers of strings: a ridge regression and a process whose noise is chosen.
    for machine in ["ridge", "gp", "ordinal"] {
        let train = ["train", "train.csv", "--machine", machine, "-o", "m.mercer", "--force"];
        let more = ["--task", "regress"];
        let run = mercer(folder.path(), &[&train[..], &kernel[..], &more[..]].concat());
        assert_eq!(run.code, 0, "{machine}: {}", run.stderr);
        let predicted = mercer(folder.path(), &["predict", "m.mercer", "test.csv", "--header", "yes"]);
        assert!(
            predicted.stderr.contains("R² 0.99") || predicted.stderr.contains("R² 1"),
            "{}",
            predicted.stderr
        );
    }
    // The same words, and how many letters they have: one view of strings, one of numbers.
    let lines: String = words(0).iter().map(|(word, _)| format!("{word}\n")).collect();
    std::fs::write(folder.path().join("words.txt"), lines).unwrap();
    let counts: String = words(0).iter().map(|(_, a)| format!("{a},{}\n", a * a)).collect();
    std::fs::write(folder.path().join("counts.csv"), format!("a,b\n{counts}")).unwrap();
    let correlate = ["correlate", "words.txt", "counts.csv", "--label", "none", "--other-kernel", "linear"];
    let more = ["--regularisation", "1e-6", "-o", "w.mercer", "c.mercer", "--json"];
    let run = mercer(folder.path(), &[&correlate[..], &kernel[..], &more[..]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(told["correlations"][0].as_f64().unwrap() > 0.999, "{}", run.stdout);
    for (model, file) in [("w.mercer", "words.txt"), ("c.mercer", "counts.csv")] {
        let run = mercer(folder.path(), &["predict", model, file, "--label", "none"]);
        assert_eq!((run.code, run.stdout.lines().count()), (0, 41), "{model}: {}", run.stderr);
    }
}

#[test]
fn clusters_by_steps_and_slabs_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let ring = |i: u32| (if i.is_multiple_of(2) { 1.0 } else { 4.0 }, f64::from(i) * 0.21);
    let rows: String =
        (0..120).map(ring).map(|(r, t)| format!("{},{}\n", r * t.cos(), r * t.sin())).collect();
    std::fs::write(folder.path().join("rings.csv"), format!("x,y\n{rows}")).unwrap();
    let cluster =
        ["cluster", "rings.csv", "--label", "none", "--clusters", "2", "--spectral", "--scale", "none"];
    let run =
        mercer(folder.path(), &[&cluster[..], &["--kernel", "gaussian(gamma=4)", "-o", "c.json"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("of 60, 60 rows") && run.stdout.contains("eigenvalues"), "{}", run.stdout);
    let found = mercer(folder.path(), &["predict", "c.json", "rings.csv", "--label", "none"]);
    let found: Vec<&str> = found.stdout.lines().skip(1).collect();
    assert!(found.iter().enumerate().all(|(i, cluster)| *cluster == if i % 2 == 0 { "1" } else { "2" }));

    let line: String = (0..80).map(|i| format!("{},{}\n", f64::from(i) / 40.0 - 1.0, 0.0)).collect();
    std::fs::write(folder.path().join("line.csv"), format!("x,y\n{line}")).unwrap();
    std::fs::write(folder.path().join("new.csv"), "x,y\n0.2,0\n0.2,0.3\n5,0\n").unwrap();
    let train = ["train", "line.csv", "--machine", "sphere-slab", "--label", "none", "--kernel", "linear"];
    let run = mercer(folder.path(), &[&train[..], &["--scale", "none", "-o", "s.mercer"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("slab") && run.stdout.contains("% novel"), "{}", run.stdout);
    let predict = ["predict", "s.mercer", "new.csv", "--label", "none", "--scores"];
    let run = mercer(folder.path(), &predict);
    let words: Vec<&str> = run.stdout.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(words, ["known", "novel", "novel"], "{}", run.stdout);
    assert!(run.stderr.contains("66.67 % novel"), "{}", run.stderr);
}

#[test]
fn rows_that_are_left_out_of_one_view_are_left_out_of_both() {
    let folder = tempfile::tempdir().unwrap();
    let value = |i: usize, k: usize| ((i * (7 + 4 * k) + k) as f64 * 0.7).sin() + 0.3 * i as f64;
    let view = |shift: usize, hole: Option<usize>, out: &[usize]| -> String {
        let row = |i: usize| {
            let second = if hole == Some(i) { String::new() } else { value(i, shift + 1).to_string() };
            format!("{},{second}\n", value(i, shift))
        };
        let rows: String = (0..20).filter(|i| !out.contains(i)).map(row).collect();
        format!("a,b\n{rows}")
    };
    for (name, text) in [
        ("one.csv", view(0, Some(3), &[])),
        ("two.csv", view(2, Some(7), &[])),
        ("one_whole.csv", view(0, None, &[3, 7])),
        ("two_whole.csv", view(2, None, &[3, 7])),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let correlations = |files: [&str; 2]| {
        let more =
            ["--label", "none", "--kernel", "linear", "--regularisation", "0", "--missing", "drop", "--json"];
        let out = ["-o", "a.mercer", "b.mercer", "--force"];
        let run = mercer(folder.path(), &[&["correlate"][..], &files[..], &more[..], &out[..]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(told["rows"], 18, "{}", run.stdout);
        told["correlations"][0].as_f64().unwrap()
    };
    let (holes, whole) =
        (correlations(["one.csv", "two.csv"]), correlations(["one_whole.csv", "two_whole.csv"]));
    assert!((holes - whole).abs() < 1e-9, "{holes} {whole}");
    // Those of a test are told too.
    let test =
        ["correlate", "one_whole.csv", "two_whole.csv", "--test", "one.csv", "two.csv", "--label", "none"];
    let more = ["--kernel", "linear", "--missing", "drop", "-o", "a.mercer", "b.mercer", "--force"];
    let run = mercer(folder.path(), &[&test[..], &more].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.stderr.matches("1 row left out").count(), 2, "{}", run.stderr);
}

#[test]
fn files_that_are_read_are_never_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let text = "a,b,c\n1,2,1\n2,1,2\n3,5,3\n4,4,1\n";
    for name in ["one.csv", "two.csv"] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    for arguments in [
        &["correlate", "one.csv", "two.csv", "-o", "two.csv", "x.mercer", "--force"][..],
        &["correlate", "one.csv", "two.csv", "-o", "x.mercer", "one.csv", "--force"],
        &["rank", "one.csv", "--test", "two.csv", "-o", "two.csv", "--force"],
    ] {
        let run = mercer(folder.path(), arguments);
        assert_ne!(run.code, 0, "{arguments:?}");
        assert!(run.stderr.contains("this file is read"), "{arguments:?}: {}", run.stderr);
        for name in ["one.csv", "two.csv"] {
            assert_eq!(std::fs::read_to_string(folder.path().join(name)).unwrap(), text, "{arguments:?}");
        }
    }
}

#[test]
fn the_order_of_queries_is_measured_query_by_query() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "1 qid:1 1:0.5\n2 qid:1 1:0.7\n1 qid:2 1:3\n0 qid:2 1:1\n2 qid:1 1:0.9\n";
    std::fs::write(folder.path().join("rk.svm"), rows).unwrap();
    let run = mercer(folder.path(), &["rank", "rk.svm", "--test", "rk.svm", "-o", "r.mercer", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let tau = told["kendall_tau"].as_f64().unwrap();
    // Two of three levels are the same in the first query.
    assert!((tau - 0.5 * (1.0 + 2.0 / 6f64.sqrt())).abs() < 1e-12, "{tau}");
    let again = mercer(folder.path(), &["evaluate", "r.mercer", "rk.svm", "--json"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    let measured: serde_json::Value = serde_json::from_str(&again.stdout).unwrap();
    for name in ["ndcg_5", "ndcg_10", "map", "kendall_tau"] {
        assert_eq!(measured[name], told[name], "{name}");
    }
    assert!(measured.get("r_squared").is_none());
    let predicted = mercer(folder.path(), &["predict", "r.mercer", "rk.svm"]);
    assert!(
        predicted.stderr.contains("NDCG@5 1.0000") && !predicted.stderr.contains("RMSE"),
        "{}",
        predicted.stderr
    );
    let large = mercer(folder.path(), &["rank", "rk.svm", "--cost", "1e300", "-o", "x.mercer"]);
    assert_ne!(large.code, 0, "{}", large.stdout);
    assert!(large.stderr.contains("cost"), "{}", large.stderr);
}

#[test]
fn nothing_that_is_said_is_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let iris = data("iris.csv");
    for (arguments, word) in [
        (&["--machine", "fisher", "--cost", "1"][..], "--cost does not go with --machine fisher"),
        (&["--machine", "rvm", "--cost", "1"], "--cost does not go with --machine rvm"),
        (
            &["--machine", "rbf-network", "--kernel", "linear"],
            "--kernel does not go with --machine rbf-network",
        ),
        (&["--machine", "rbf-network", "--gamma", "1"], "--gamma does not go with --machine rbf-network"),
        (&["--machine", "lssvm", "--test", "folds"], "--test folds does not go with --machine lssvm"),
        (&["--machine", "lssvm", "--cost", "0"], "cost"),
    ] {
        let run = mercer(folder.path(), &[&["train", &iris, "-o", "m.mercer"][..], arguments].concat());
        assert_ne!(run.code, 0, "{arguments:?}");
        assert!(run.stderr.contains(word), "{arguments:?}: {}", run.stderr);
    }
    let run = mercer(folder.path(), &["cluster", &iris, "--starts", "0"]);
    assert_ne!(run.code, 0);
    // A kernel that tells nothing apart has no component.
    let run = mercer(folder.path(), &["reduce", &iris, "--kernel", "constant(1)", "-o", "c.mercer"]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(run.stderr.contains("all items are the same in feature space"), "{}", run.stderr);
}

#[test]
fn a_small_memory_is_told_with_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = (0..1200)
        .map(|i| {
            let x = f64::from(i) * 0.005;
            format!("{x},{}\n", x.sin() + 0.05 * f64::from(i * 7919 % 101 - 50) / 50.0)
        })
        .collect();
    std::fs::write(folder.path().join("wave.csv"), format!("x,y\n{rows}")).unwrap();
    for (machine, word) in [("gp", "low rank"), ("rvm", "chosen from")] {
        let arguments =
            ["train", "wave.csv", "--machine", machine, "--memory", "5", "-o", "m.mercer", "--force"];
        let run = mercer(folder.path(), &arguments);
        assert_eq!(run.code, 0, "{machine}: {}", run.stderr);
        assert!(run.stdout.contains(word), "{machine}: {}", run.stdout);
        // A model from a file says the same.
        let told = mercer(folder.path(), &["evaluate", "m.mercer", "wave.csv", "--json"]);
        let told: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
        assert!(told["r_squared"].as_f64().unwrap_or(0.0) > 0.95, "{machine}: {told}");
    }
}
