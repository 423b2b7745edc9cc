//! `--weight` of the machines of `train --machine` and of `rank`.

use crate::mercer;

/// A row of weight 2 stands twice in the other table, one of weight 0 does not.
#[test]
fn weights_of_rows_are_repeated_rows() {
    let folder = tempfile::tempdir().unwrap();
    let (mut weighted, mut repeated) = (String::from("a,b,w,y\n"), String::from("a,b,y\n"));
    for i in 0..60 {
        let (a, b, w) = (f64::from(i % 10) / 2.0, f64::from(i * 7 % 11) / 3.0, i * 5 % 3);
        // A row of no weight is far off.
        let level = if w == 0 { 9 - i % 2 * 9 } else { (a + b > 3.0) as i32 + (a + b > 5.0) as i32 };
        weighted += &format!("{a},{b},{w},{level}\n");
        repeated += &format!("{a},{b},{level}\n").repeat(w as usize);
    }
    for (name, text) in [("w.csv", &weighted), ("r.csv", &repeated)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let learn = |command: &[&str], file: &str, more: &[&str]| -> Vec<f64> {
        let arguments = [command, &[file, "--scale", "none", "-o", "m.mercer", "--force"], more].concat();
        let run = mercer(folder.path(), &arguments);
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
        let run = mercer(folder.path(), &["predict", "m.mercer", "r.csv"]);
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
        run.stdout.lines().filter_map(|line| line.split(',').next()?.parse().ok()).collect()
    };
    let gamma = ["--kernel", "gaussian(gamma=0.3)"];
    for (machine, more) in [
        ("ridge", &[gamma[0], gamma[1], "--cost", "2"][..]),
        ("gp", &[gamma[0], gamma[1], "--cost", "20", "--task", "regress"]),
        ("rvm", &[gamma[0], gamma[1], "--task", "regress"]),
        ("ordinal", &[gamma[0], gamma[1], "--cost", "2"]),
        ("rbf-network", &["--bumps", "6", "--starts", "40", "--task", "regress"]),
    ] {
        let command = ["train", "--machine", machine, "--test", "none"];
        let found = learn(&command, "w.csv", &[more, &["--weight", "w"]].concat());
        let expected = learn(&command, "r.csv", more);
        assert_eq!(found.len(), repeated.lines().count() - 1, "{machine}");
        assert_eq!(found.len(), expected.len(), "{machine}");
        for (a, b) in found.iter().zip(&expected) {
            assert!((a - b).abs() < 1e-3, "{machine}: {a} {b}");
        }
    }
    let rank = ["--kernel", gamma[1], "--cost", "2"];
    let found = learn(&["rank"], "w.csv", &[&rank[..], &["--weight", "w"]].concat());
    for (a, b) in found.iter().zip(learn(&["rank"], "r.csv", &rank)) {
        assert!((a - b).abs() < 1e-3, "rank: {a} {b}");
    }
    // Words for classes: a class of which no row counts is refused with its name.
    let words = weighted.replace(",9\n", ",far\n").replace(",0\n", ",near\n");
    std::fs::write(folder.path().join("c.csv"), words).unwrap();
    for machine in ["fisher", "gp", "rvm", "lssvm", "rbf-network"] {
        let command = ["train", "--machine", machine, "c.csv", "--weight", "w", "--task", "classify"];
        let run = mercer(folder.path(), &[&command[..], &["--test", "none", "-o", "c.mercer"]].concat());
        assert_ne!(run.code, 0, "{machine}");
        assert!(run.stderr.contains("far"), "{machine}: {}", run.stderr);
    }
}
