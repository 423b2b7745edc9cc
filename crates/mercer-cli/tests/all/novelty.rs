//! Rows that are unlike the others: train, predict, evaluate and inspect, and what is refused.

use serde_json::Value;

use crate::{Run, data, files, mercer, mercer_fed};

fn json(run: &Run) -> Value {
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error} in\n{}", run.stdout))
}

#[test]
fn a_detector_is_trained_used_measured_and_inspected() {
    let folder = tempfile::tempdir().unwrap();
    let ionosphere = data("ionosphere.csv");
    let train = ["train", &ionosphere, "--task", "novelty", "--region", "sphere", "-o", "n.mercer"];
    let run = mercer(folder.path(), &train);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for part in [
        "labels          bad 126, good 225: not learned, only compared with",
        "region          the smallest sphere, at most a share nu = 0.1 of the rows outside",
        "radius",
        "false alarms    at most",
        "with a confidence of 95 %, which says nothing for so few rows (slack 0.",
        "on new rows     expect",
        "called novel    bad ",
        "AUC             0.",
        "bad looking more novel than good",
        "outside         ",
        "status          converged",
    ] {
        assert!(run.stdout.contains(part), "{part} is missing in\n{}", run.stdout);
    }
    assert!(!run.stdout.contains("\ncost "), "{}", run.stdout);

    let run = mercer(folder.path(), &["predict", "n.mercer", &ionosphere, "--scores"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let mut lines = run.stdout.lines();
    assert_eq!(lines.next(), Some("prediction,score"));
    let mut novel = 0;
    for line in lines {
        let (word, score) = line.split_once(',').unwrap();
        let score: f64 = score.parse().unwrap();
        assert!(if word == "novel" { score < 0.0 } else { word == "known" && score > -0.01 }, "{line}");
        novel += usize::from(word == "novel");
    }
    assert!((20..=36).contains(&novel), "{novel}");
    assert!(run.stderr.contains(&format!("novel ({novel} of 351)")), "{}", run.stderr);

    let found = json(&mercer(folder.path(), &["evaluate", "n.mercer", &ionosphere, "--json"]));
    assert_eq!((found["novel"].as_u64(), found["rows"].as_u64()), (Some(novel as u64), Some(351)));
    let run = mercer(folder.path(), &["evaluate", "n.mercer", &ionosphere]);
    assert!(run.stdout.contains("called novel    bad "), "{}", run.stdout);

    let shown = json(&mercer(folder.path(), &["inspect", "n.mercer", "--json"]));
    assert_eq!((&shown["task"], &shown["region"]), (&Value::from("novelty"), &Value::from("sphere")));
    let bound = &shown["false_positive_bound"];
    let sum: f64 = ["slack", "complexity", "confidence"].iter().map(|t| bound[t].as_f64().unwrap()).sum();
    assert!((bound["total"].as_f64().unwrap() - sum).abs() < 1e-12);
    let run = mercer(folder.path(), &["inspect", "n.mercer"]);
    assert!(run.stdout.contains("novelty detector") && run.stdout.contains("radius"), "{}", run.stdout);
}

#[test]
fn labels_are_optional_and_shares_can_be_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String =
        (0..100).map(|i| format!("{},{}\n", (i * 37 % 101) as f64 / 10.0, (i * 53 % 89) as f64)).collect();
    std::fs::write(folder.path().join("t.csv"), rows).unwrap();
    let fixed = ["train", "t.csv", "--label", "none", "--task", "novelty", "--force", "--json"];
    for region in ["centre", "sphere", "hyperplane"] {
        let more = ["--contamination", "0.2", "--region", region];
        let found = json(&mercer(folder.path(), &[&fixed[..], &more].concat()));
        assert_eq!(
            (found["outside"].as_u64(), &found["shape"]),
            (Some(20), &Value::from("100 rows x 2 columns"))
        );
        assert_eq!(found["false_positive_bound"].is_null(), region == "hyperplane");
        let run =
            mercer_fed(folder.path(), &["predict", "t.mercer", "-", "--style", "libsvm"], "5,40\n900,40\n");
        assert_eq!((run.code, run.stdout.as_str()), (0, "1\n-1\n"), "{region}: {}", run.stderr);
    }
    // No more than a share of nu of the training rows is outside.
    let found = json(&mercer(folder.path(), &[&fixed[..], &["--nu", "0.3"]].concat()));
    assert!((15..=30).contains(&found["outside"].as_u64().unwrap()), "{found}");
    let run =
        mercer(folder.path(), &["evaluate", "--cv", "4", "t.csv", "--label", "none", "--task", "novelty"]);
    assert!(run.stdout.contains("% of rows like these to be called novel"), "{}", run.stdout);
}

#[test]
fn slack_outside_a_region_costs_in_proportion_by_its_square_or_is_not_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let heart = data("heart_scale");
    let fixed = ["train", &heart, "--task", "novelty", "--test", "none", "--force", "-o", "n.mercer"];
    let train = |more: &[&str]| mercer(folder.path(), &[&fixed[..], more].concat());
    for region in ["sphere", "hyperplane"] {
        let scores = |more: &[&str]| -> (Value, Vec<f64>) {
            let found =
                json(&train(&[&["--region", region, "--tolerance", "1e-6", "--json"], more].concat()));
            let run = mercer(folder.path(), &["predict", "n.mercer", &heart, "--scores"]);
            let score = |line: &str| line.split(',').next_back().unwrap().parse().unwrap();
            (found, run.stdout.lines().skip(1).map(score).collect())
        };
        // C = 1/(νℓ), and there are 270 rows.
        let cost = (1.0 / (0.2 * 270.0)).to_string();
        let (found, by_cost) = scores(&["--slack", "linear", "--cost", &cost]);
        assert_eq!(found["softness"]["cost"].as_f64(), cost.parse().ok(), "{found}");
        let (_, by_share) = scores(&["--nu", "0.2"]);
        assert_eq!(by_cost.len(), 270);
        let nearest = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(nearest(&by_cost, &by_share) < 1e-5, "{region}");
        let (found, by_square) = scores(&["--slack", "quadratic", "--cost", "0.5"]);
        assert_eq!(found["softness"]["quadratic"], 0.5, "{found}");
        assert!(found["outside"].as_u64() > Some(0) && nearest(&by_cost, &by_square) > 1e-3, "{found}");
        let (found, hard) = scores(&["--slack", "none"]);
        assert_eq!((&found["softness"], found["outside"].as_u64()), (&"hard".into(), Some(0)), "{found}");
        assert!(hard.iter().all(|score| *score >= 0.0));
        // No coefficient can reach a bound above 1, however far above.
        for more in [["--slack", "linear", "--cost", "1e9"].as_slice(), &["--nu", "1e-9"]] {
            let (found, same) = scores(more);
            assert!(nearest(&hard, &same) < 1e-5, "{region} {more:?}: {found}");
        }
    }
    // A cost that is too low for so many rows.
    let run = train(&["--slack", "linear", "--cost", "0.001"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("cost = 0.001: these data allow no number below 0.0037"), "{}", run.stderr);
}

#[test]
fn what_a_detector_has_no_use_for_is_bad_usage() {
    let folder = tempfile::tempdir().unwrap();
    let wine = data("wine.csv");
    for (arguments, parts) in [
        (&["--cost", "1"][..], ["--cost", "--task novelty"]),
        (&["--loss", "huber"], ["--loss", "--task novelty"]),
        (&["--region", "centre", "--nu", "0.1"], ["--nu", "--region centre"]),
        (&["--region", "centre", "--slack", "none"], ["--slack", "--region centre"]),
        (&["--slack", "none", "--nu", "0.1"], ["--nu", "--slack none"]),
        (&["--slack", "none", "--cost", "1"], ["--cost", "--slack none"]),
        (&["--slack", "quadratic"], ["--slack quadratic", "needs a --cost"]),
        (&["--slack", "linear", "--cost", "-1"], ["cost = -1", "above 0"]),
        (&["--nu", "0"], ["nu", "0"]),
        (&["--contamination", "1"], ["contamination", "1"]),
        (&["-o", "m.model", "--region", "sphere"], ["LIBSVM", "sphere"]),
    ] {
        let fixed = ["train", &wine, "--task", "novelty"];
        let output: &[&str] = if arguments.contains(&"-o") { &[] } else { &["-o", "m.mercer"] };
        let run = mercer(folder.path(), &[&fixed, output, arguments].concat());
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stderr);
        parts
            .iter()
            .for_each(|part| assert!(run.stderr.contains(part), "{part} is missing in {}", run.stderr));
    }
    assert!(files(folder.path()).is_empty());
}

/// A table with a column of weights, every other of them 0, and a label column with gaps.
fn weighted_table() -> String {
    let row = |i: u32| {
        let label = ["x", "y", ""][(i % 3) as usize];
        format!("{},{},{},{label}\n", f64::from(i * 37 % 101) / 10.0, i * 53 % 89, i % 2 * 2)
    };
    "a,b,w,kind\n".to_string() + &(0..100).map(row).collect::<String>()
}

#[test]
fn rows_without_weight_do_not_count_and_labels_may_be_missing() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), weighted_table()).unwrap();
    let train = ["train", "t.csv", "--force", "--weight", "w", "--contamination", "0.2"];
    for region in ["centre", "sphere", "hyperplane"] {
        let found = json(&mercer(folder.path(), &[&train[..], &["--region", region, "--json"]].concat()));
        let outside = (found["outside"].as_u64(), found["outside_share"].as_f64());
        assert_eq!(outside, (Some(10), Some(0.2)), "{region}");
        let tested = found["test"]["kinds"][0].clone();
        assert_eq!((tested["rows"].as_u64(), tested["weight"].as_f64()), (Some(50), Some(100.0)));
    }
    let run = mercer(folder.path(), &[&train[..], &["--region", "sphere"]].concat());
    for line in [
        "weighted (50 with the weight 0)",
        "outside         10 of the 50 rows with a weight (20.0 % of the weight)",
        "in feature space, its square ",
        "than before it was moved",
    ] {
        assert!(run.stdout.contains(line), "{line} is missing in {}", run.stdout);
    }
    // Whoever learns classes needs a label for each row.
    let run = mercer(folder.path(), &["train", "t.csv", "--weight", "w", "-o", "c.mercer"]);
    assert!(run.code == 1 && run.stderr.contains("missing label"), "{}", run.stderr);
}
