//! What a rate of detections costs in false alarms.

use serde_json::Value;

use crate::{data, mercer};

fn curve(words: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = data("pima_diabetes.csv");
    let run = mercer(folder.path(), &[&["curve", &path, "--cost", "1", "--json"], words].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

fn rates(found: &Value) -> Vec<(f64, f64)> {
    let points = found["curve"]["points"].as_array().unwrap().iter();
    points.map(|p| (p["detections"].as_f64().unwrap(), p["false_alarms"].as_f64().unwrap())).collect()
}

#[test]
fn the_flags_it_advises_are_those_of_train() {
    let found = curve(&["--ratios", "0.5,1,2,4", "--detect", "0.85"]);
    assert_eq!(
        (found["curve"]["positive"].as_str(), found["wanted"]["ratio"].as_f64()),
        (Some("pos"), Some(4.0))
    );
    let flags = found["wanted"]["flags"].as_str().unwrap();
    assert_eq!(flags, "--cost 1 --class-weight 'pos=2' --class-weight 'neg=0.5'");
    let folder = tempfile::tempdir().unwrap();
    let flags: Vec<String> = flags.split(' ').map(|word| word.trim_matches('\'').to_string()).collect();
    let path = data("pima_diabetes.csv");
    let mut words = vec!["train", &path, "-o", "p.mercer", "-q"];
    words.extend(flags.iter().map(String::as_str));
    let run = mercer(folder.path(), &words);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn either_class_may_be_the_one_to_detect() {
    let (later, earlier) =
        (curve(&["--ratios", "0.5,2,8"]), curve(&["--ratios", "0.125,0.5,2", "--positive", "neg"]));
    let mut turned: Vec<(f64, f64)> = rates(&earlier).into_iter().map(|(d, f)| (1.0 - f, 1.0 - d)).collect();
    turned.reverse();
    for (a, b) in rates(&later).into_iter().zip(turned) {
        assert!((a.0 - b.0).abs() < 1e-12 && (a.1 - b.1).abs() < 1e-12);
    }
}

#[test]
fn the_table_marks_the_front_and_refusals_are_plain() {
    let folder = tempfile::tempdir().unwrap();
    let path = data("pima_diabetes.csv");
    let run = mercer(folder.path(), &["curve", &path, "--cost", "1", "--ratios", "1,4", "--detect", "0.999"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for part in ["to detect", "pos", "false alarms", "%  *", "no ratio detects 99.9 %"] {
        assert!(run.stdout.contains(part), "{part} is missing in\n{}", run.stdout);
    }
    for (words, code, part) in [
        (&["--positive", "ill"][..], 2, "no row has this label"),
        (&["--detect", "2"], 2, "a share, from 0 to 1"),
        (&["--ratios", "0"], 2, "finite numbers above 0"),
        (&["--class-weight", "balanced"], 2, "cannot be given"),
    ] {
        let run = mercer(folder.path(), &[&["curve", &path], words].concat());
        assert_eq!(run.code, code, "{}", run.stderr);
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
    let run = mercer(folder.path(), &["curve", &data("wine.csv"), "--cost", "1"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("classes of a curve of costs: expected 2, found 3"), "{}", run.stderr);
}

#[test]
fn a_share_in_place_of_a_cost_is_advised_as_such_and_ratios_without_it_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = data("pima_diabetes.csv");
    let words = ["curve", &path, "--slack", "nu", "--nu", "0.4", "--kernel", "gaussian(gamma=0.05)"];
    let run = mercer(folder.path(), &[&words[..], &["--ratios", "1,2,64", "--detect", "0.1"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    for part in [
        "a share nu takes the place of costs",
        "left out        64",
        "--kernel 'gaussian(gamma=0.05)' --slack nu --nu 0.4 --class-weight",
    ] {
        assert!(run.stdout.contains(part), "{part} is missing in\n{}", run.stdout);
    }
}
