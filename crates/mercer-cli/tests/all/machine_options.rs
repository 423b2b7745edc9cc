//! What can be said about machines that factorise the kernel matrix.

use crate::{data, mercer};

fn told(run: &crate::Run) -> serde_json::Value {
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn each_machine_has_its_own_options() {
    let folder = tempfile::tempdir().unwrap();
    let (mpg, iris) = (data("auto_mpg.csv"), data("iris.csv"));
    let train = |file: &str, more: &[&str]| {
        mercer(folder.path(), &[&["train", file, "-o", "m.mercer", "--force", "--json"][..], more].concat())
    };
    let network = told(&train(&mpg, &["--machine", "rbf-network", "--bumps", "7", "--starts", "2"]));
    assert_eq!(network["widths"].as_array().unwrap().len(), 7);
    let pls = told(&train(&mpg, &["--machine", "pls", "--components", "3"]));
    assert_eq!(pls["report"]["components"], 3);
    let slab = told(&train(&iris, &["--machine", "sphere-slab", "--components", "3", "--nu", "0.4"]));
    assert_eq!(slab["components"], 3);
    let novel = told(&mercer(folder.path(), &["predict", "m.mercer", &iris, "--json"]));
    let share = novel["novel"].as_f64().unwrap() / 150.0;
    assert!(share > 0.15 && share <= 0.4, "{share}");
    let points = told(&train(&iris, &["--machine", "bayes-point", "--perceptrons", "9"]));
    assert_eq!(points["report"]["perceptrons"], 9);
    let low = told(&train(&mpg, &["--machine", "gp", "--rank", "20", "--starts", "2"]));
    assert_eq!(low["report"]["low_rank"]["rank"], 20);
    assert_eq!(low["report"]["learned"]["ends"].as_array().unwrap().len(), 2);
    // More of the share of ‖w‖² and the ratios fall.
    let ratio = |share: &str| {
        told(&train(&iris, &["--machine", "fisher", "--regularisation", share]))["ratios"][0]
            .as_f64()
            .unwrap()
    };
    assert!(ratio("0.001") > 2.0 * ratio("0.5"));

    for (more, word) in [
        (&["--machine", "ridge", "--bumps", "3"][..], "--bumps does not go with --machine ridge"),
        (&["--machine", "gp", "--no-offset"], "--no-offset does not go with --machine gp"),
        (&["--machine", "gp", "--cost", "1", "--starts", "3"], "--starts does not go with --cost"),
        (
            &["--machine", "bayes-point", "--weight", "weight"],
            "--weight does not go with --machine bayes-point",
        ),
        (&["--machine", "rbf-network", "--bumps", "1000"], "1000"),
        (&["--machine", "pls", "--components", "0"], "at least 1"),
        (&["--bumps", "3"], "--machine"),
    ] {
        let run = train(&mpg, more);
        assert_ne!(run.code, 0, "{more:?}");
        assert!(run.stderr.contains(word), "{more:?}: {}", run.stderr);
    }
}

#[test]
fn ridges_take_weights_and_may_be_without_an_offset() {
    let folder = tempfile::tempdir().unwrap();
    // A row of weight 2 is a row that stands twice.
    let row = |i: i32| format!("{},{}", f64::from(i) / 3.0, (f64::from(i) * 1.7).sin() + 2.0);
    let weighted: String = (0..12).map(|i| format!("{},{}\n", row(i), 1 + i % 2)).collect();
    let twice: String = (0..12).map(|i| format!("{}\n", row(i)).repeat(1 + (i % 2) as usize)).collect();
    std::fs::write(folder.path().join("w.csv"), format!("x,y,w\n{weighted}")).unwrap();
    std::fs::write(folder.path().join("t.csv"), format!("x,y\n{twice}")).unwrap();
    std::fs::write(folder.path().join("new.csv"), "x,y\n0.5,0\n90,0\n").unwrap();
    let predicted = |file: &str, more: &[&str]| -> Vec<f64> {
        let base = ["train", file, "--machine", "ridge", "--kernel", "gaussian(gamma=0.5)", "--cost", "3"];
        let out = ["--scale", "none", "--label", "y", "--task", "regress", "-o", "m.mercer", "--force"];
        let run = mercer(folder.path(), &[&base[..], &out, more].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let run = mercer(folder.path(), &["predict", "m.mercer", "new.csv", "--label", "y"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout.lines().skip(1).map(|line| line.parse().unwrap()).collect()
    };
    for more in [&[][..], &["--no-offset"]] {
        let a = predicted("w.csv", &[&["--weight", "w"][..], more].concat());
        let b = predicted("t.csv", more);
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-9), "{a:?} {b:?}");
        // Far from all rows there is the offset alone.
        assert_eq!(a[1].abs() < 1e-9, !more.is_empty(), "{a:?}");
    }
    // The cost is chosen with the weights.
    let run = mercer(
        folder.path(),
        &["train", "w.csv", "--machine", "ridge", "--label", "y", "--weight", "w", "--task", "regress"],
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("by leave-one-out") && run.stdout.contains("not tested"), "{}", run.stdout);
}

#[test]
fn fewer_components_than_were_asked_for_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let iris = data("iris.csv");
    let run = mercer(
        folder.path(),
        &["reduce", &iris, "--kernel", "linear", "--components", "9", "-o", "p.mercer"],
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("than the 9 components that were asked for"), "{}", run.stdout);
    let run = mercer(
        folder.path(),
        &["reduce", &iris, "--kernel", "linear", "--components", "4", "-o", "q.mercer"],
    );
    assert!(!run.stdout.contains("asked for"), "{}", run.stdout);
    // How far rows are from the plane: the last component of four is what three leave out.
    let run = mercer(
        folder.path(),
        &["reduce", &iris, "--kernel", "linear", "--components", "3", "-o", "r.mercer"],
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    let all = mercer(folder.path(), &["predict", "q.mercer", &iris]);
    let some = mercer(folder.path(), &["predict", "r.mercer", &iris, "--scores"]);
    assert!(some.stdout.starts_with("component 1,component 2,component 3,error\n"), "{}", some.stdout);
    for (all, some) in all.stdout.lines().zip(some.stdout.lines()).skip(1) {
        let last = |line: &str| line.rsplit(',').next().unwrap().parse::<f64>().unwrap();
        assert!((last(all).powi(2) - last(some)).abs() < 1e-9, "{all} {some}");
    }
}

#[test]
fn what_has_not_converged_is_told_and_refused_under_strict() {
    let folder = tempfile::tempdir().unwrap();
    // Equal rows of both classes: with so little softness no perceptron comes to its end.
    let rows: String =
        (0..30).map(|i| format!("{},{}\n", i / 2, if i % 2 == 0 { "a" } else { "b" })).collect();
    std::fs::write(folder.path().join("both.csv"), format!("x,y\n{rows}")).unwrap();
    let train = ["train", "both.csv", "--machine", "bayes-point", "--cost", "1e12", "--perceptrons", "2"];
    let more = ["--test", "none", "-o", "m.mercer", "--force"];
    let run = mercer(folder.path(), &[&train[..], &more].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("ended early"), "{}", run.stderr);
    let run = mercer(folder.path(), &[&train[..], &more, &["--strict"]].concat());
    assert_eq!(run.code, 3, "{}", run.stderr);
}

#[test]
fn equal_items_in_different_clusters_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = (0..12).map(|i| format!("{},1\n", i % 2)).collect();
    std::fs::write(folder.path().join("two.csv"), format!("a,b\n{rows}")).unwrap();
    for (clusters, kernel, different) in
        [("3", "gaussian(gamma=1)", Some(2)), ("2", "gaussian(gamma=1)", None), ("3", "constant(1)", Some(1))]
    {
        for way in [&[][..], &["--spectral"]] {
            let cluster =
                ["cluster", "two.csv", "--label", "none", "--clusters", clusters, "--kernel", kernel];
            let run = mercer(folder.path(), &[&cluster[..], &["-o", "c.mercer", "--force"], way].concat());
            assert_eq!(run.code, 0, "{}", run.stderr);
            let shown = mercer(folder.path(), &["inspect", "c.mercer"]);
            for text in [&run.stdout, &shown.stdout] {
                let said = different.map(|count| format!("{count} of {clusters} are different"));
                match said {
                    Some(said) => assert!(text.contains(&said), "{kernel} {way:?}: {text}"),
                    None => assert!(!text.contains("fewer different items"), "{kernel} {way:?}: {text}"),
                }
            }
        }
    }
    let run = mercer(folder.path(), &["cluster", "two.csv", "--label", "none", "--clusters", "13"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("two.csv") && run.stderr.contains("13"), "{}", run.stderr);
}

#[test]
fn targets_of_the_wrong_kind_are_told_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let (iris, mpg) = (data("iris.csv"), data("auto_mpg.csv"));
    for machine in ["ridge", "pls", "ordinal"] {
        let run = mercer(folder.path(), &["train", &iris, "--machine", machine, "-o", "m.mercer"]);
        assert_eq!(run.code, 1, "{machine}");
        assert!(
            run.stderr.contains("is not a number") && run.stderr.contains("learn classes"),
            "{}",
            run.stderr
        );
        assert!(!run.stderr.contains("--task classify"), "{}", run.stderr);
    }
    let run = mercer(folder.path(), &["rank", &iris, "-o", "m.mercer"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("row 1") && run.stderr.contains("column"), "{}", run.stderr);
    let run =
        mercer(folder.path(), &["train", &mpg, "--machine", "fisher", "--test", "none", "-o", "m.mercer"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("different numbers are taken for classes"), "{}", run.stderr);
    let run = mercer(folder.path(), &["predict", "m.mercer", &mpg, "--std"]);
    assert!(run.stderr.contains("does not go with a kernel Fisher discriminant"), "{}", run.stderr);
}

#[test]
fn rows_are_found_again_from_their_components() {
    let folder = tempfile::tempdir().unwrap();
    // Points of a circle, in units of their own, and points beside it.
    let circle = |radius: fn(i32) -> f64| -> String {
        let row = |i: i32| {
            let (r, t) = (radius(i), f64::from(i) * 0.157);
            format!("{},{}\n", 100.0 + 10.0 * r * t.cos(), 5.0 + r * t.sin())
        };
        format!("x,y\n{}", (0..40).map(row).collect::<String>())
    };
    std::fs::write(folder.path().join("circle.csv"), circle(|_| 1.0)).unwrap();
    std::fs::write(folder.path().join("noisy.csv"), circle(|i| if i % 2 == 0 { 1.15 } else { 0.85 }))
        .unwrap();
    let radii = |kernel: &str, components: &str| -> Vec<f64> {
        let reduce =
            ["reduce", "circle.csv", "--label", "none", "--kernel", kernel, "--components", components];
        let run = mercer(folder.path(), &[&reduce[..], &["-o", "p.mercer", "--force"]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let run =
            mercer(folder.path(), &["predict", "p.mercer", "noisy.csv", "--label", "none", "--pre-images"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.starts_with("x,y\n"), "{}", run.stdout);
        let radius = |line: &str| {
            let (x, y) = line.split_once(',').unwrap();
            ((x.parse::<f64>().unwrap() - 100.0) / 10.0).hypot(y.parse::<f64>().unwrap() - 5.0)
        };
        run.stdout.lines().skip(1).map(radius).collect()
    };
    let found = radii("gaussian(gamma=0.3)", "6");
    assert!(found.len() == 40 && found.iter().all(|r| (r - 1.0).abs() < 0.06), "{found:?}");
    // Two components of a plane leave nothing out.
    let found = radii("linear", "2");
    for (i, r) in found.iter().enumerate() {
        assert!((r - if i % 2 == 0 { 1.15 } else { 0.85 }).abs() < 1e-3, "{found:?}");
    }
    let iris = data("iris.csv");
    let train = ["train", &iris, "--machine", "lssvm", "--test", "none", "-o", "l.mercer"];
    assert_eq!(mercer(folder.path(), &train).code, 0);
    let run = mercer(folder.path(), &["predict", "l.mercer", &iris, "--pre-images"]);
    assert_eq!(run.code, 2, "{}", run.stdout);
}
