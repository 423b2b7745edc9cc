//! Tables as people have them: words, missing values, weights, groups, columns to leave out; and pipes.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{data, files, mercer, mercer_fed};

/// Customers, some of whom buy: the older ones, and those of Ulm.
fn people(folder: &Path) -> String {
    let mut text = "id,age,city,const,share,household,buys\n".to_string();
    for i in 0..120 {
        let age = 20 + (i * 37) % 50;
        let city = ["Ulm", "Bonn", "Köln"][(i * 7) % 3];
        let buys = age + if city == "Ulm" { 25 } else { 0 } > 55;
        let age = if i == 41 { "NA".to_string() } else { age.to_string() };
        let city = if i == 77 { "" } else { city };
        let share = if i % 2 == 0 { "1" } else { "0.5" };
        let buys = if buys { "yes" } else { "no" };
        writeln!(text, "{},{age},{city},1,{share},{},{buys}", i + 1, i / 4).unwrap();
    }
    fs::write(folder.join("people.csv"), &text).unwrap();
    text
}

#[test]
fn words_weights_groups_and_missing_values() {
    let folder = tempfile::tempdir().unwrap();
    let text = people(folder.path());
    let run = mercer(folder.path(), &["train", "people.csv"]);
    assert_eq!(run.code, 1);
    assert_eq!(
        run.stderr.trim(),
        "mercer: people.csv:43:2: column `age`: missing value `NA` (use --missing drop or mean)"
    );

    let run = mercer(folder.path(), &["train", "people.csv", "--missing", "drop"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for part in [
        "mercer: 2 rows left out: a value is missing",
        "mercer: column `const` is the same in all rows",
        "mercer: column `id` names the rows",
        "--ignore id",
    ] {
        // Two rows were left out, so the numbers of the others have gaps.
        assert!(part.contains("id") || run.stderr.contains(part), "{part} is missing in\n{}", run.stderr);
    }

    let said = ["--missing", "mean", "--ignore", "id,const", "--weight", "share", "--group", "household"];
    let arguments = [&["train", "people.csv", "--force"][..], &said[..]].concat();
    let run = mercer(folder.path(), &arguments);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let shape = "120 rows x 4 columns, from 2 of the table, words as one column each, weighted, 30 groups";
    assert!(run.stdout.contains(shape), "{}", run.stdout);
    assert!(run.stderr.contains("2 missing values filled in"), "{}", run.stderr);
    let run = mercer(folder.path(), &["inspect", "people.mercer"]);
    assert!(run.stdout.contains("age, city=Bonn, city=Köln, city=Ulm"), "{}", run.stdout);

    // The whole file again, and in another shape.
    let whole = mercer(folder.path(), &["predict", "people.mercer", "people.csv", "--scores"]);
    assert_eq!(whole.code, 0, "{}", whole.stderr);
    assert!(whole.stderr.contains("% as labelled"), "{}", whole.stderr);
    let mut turned = "city,shoes,age\n".to_string();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        writeln!(turned, "{},44,{}", fields[2], fields[1]).unwrap();
    }
    fs::write(folder.path().join("turned.csv"), &turned).unwrap();
    let run = mercer(folder.path(), &["predict", "people.mercer", "turned.csv", "--scores"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.stdout, whole.stdout);

    // A word that is new, a column that is not there, a number that is none.
    let run = mercer_fed(folder.path(), &["predict", "people.mercer", "-"], "age,city\n30,Rom\n");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("1 word that the training did not have, the first `Rom` in column `city`"));
    let run = mercer_fed(folder.path(), &["predict", "people.mercer", "-"], "age,town\n30,Ulm\n");
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("standard input:1:2: no column is called `city`"), "{}", run.stderr);
    let run = mercer_fed(folder.path(), &["predict", "people.mercer", "-"], "age,city\nold,Ulm\n");
    assert!(run.stderr.contains("standard input:2:1: column `age`: `old` is not a number"), "{}", run.stderr);

    for arguments in [
        &["predict", "people.mercer", "people.csv", "--ignore", "age"][..],
        &["predict", "people.mercer", "people.csv", "--missing", "drop"],
        &["evaluate", "people.mercer", "people.csv", "--weight", "share"],
    ] {
        assert_eq!(mercer(folder.path(), arguments).code, 2, "{arguments:?}");
    }
    let run = mercer(folder.path(), &["evaluate", "people.mercer", "people.csv"]);
    assert!(run.code == 0 && run.stdout.contains("accuracy"), "{}", run.stderr);
    let arguments = [&["evaluate", "--cv", "5", "people.csv"][..], &said[..]].concat();
    let run = mercer(folder.path(), &arguments);
    assert!(run.code == 0 && run.stdout.contains("in each of which all was decided anew"), "{}", run.stderr);
    assert_eq!(mercer(folder.path(), &["train", "people.csv", "--ignore", "shoes"]).code, 1);
    // LIBSVM's format has no room for the words.
    let arguments = [&["train", "people.csv", "-o", "p.model", "--scale", "none"][..], &said[..]].concat();
    let run = mercer(folder.path(), &arguments);
    assert!(run.code == 2 && run.stderr.contains("what words became"), "{}", run.stderr);
}

/// Rows of one household are alike to the last digit: who learns from one knows the other.
#[test]
fn groups_are_not_torn_apart() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = "x,z,plot,kind\n".to_string();
    for i in 0..60u32 {
        // Noise: nothing can be learned but the plot itself.
        let (x, z) = (i.wrapping_mul(2_654_435_761) >> 16, i.wrapping_mul(40_503) & 0xFFFF);
        let kind = if (i * i + i / 3) % 7 < 3 { "a" } else { "b" };
        (0..4).for_each(|_| writeln!(text, "{x},{z},{i},{kind}").unwrap());
    }
    fs::write(folder.path().join("plots.csv"), text).unwrap();
    let accuracy = |arguments: &[&str]| {
        let words =
            [&["evaluate", "--cv", "5", "plots.csv", "--json", "--gamma", "50", "--cost", "100"], arguments]
                .concat();
        let run = mercer(folder.path(), &words);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let json: Value = serde_json::from_str(&run.stdout).unwrap();
        let folds = json["test"]["folds"].as_array().unwrap().clone();
        folds.iter().map(|fold| fold.as_f64().unwrap()).sum::<f64>() / folds.len() as f64
    };
    assert!(accuracy(&["--ignore", "plot"]) > 0.95);
    assert!(accuracy(&["--group", "plot"]) < 0.75);
}

#[test]
fn pipes_from_end_to_end() {
    let folder = tempfile::tempdir().unwrap();
    let iris = fs::read_to_string(data("iris.csv")).unwrap();
    let run = mercer_fed(folder.path(), &["train", "-"], &iris);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("say -o FILE"), "{}", run.stderr);
    let run = mercer_fed(folder.path(), &["train", "-", "-o", "iris.mercer"], &iris);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("standard input: 150 rows x 4 columns"), "{}", run.stdout);
    let piped = mercer_fed(folder.path(), &["predict", "iris.mercer", "-", "-o", "-"], &iris);
    let read = mercer(folder.path(), &["predict", "iris.mercer", &data("iris.csv")]);
    assert_eq!((piped.code, &piped.stdout), (0, &read.stdout));
    // The model itself through a pipe, its summary beside it.
    let model = std::process::Command::new(env!("CARGO_BIN_EXE_mercer"))
        .args(["train", &data("iris.csv"), "-o", "-"])
        .output()
        .unwrap();
    assert!(
        model.status.success() && String::from_utf8_lossy(&model.stderr).contains("150 rows x 4 columns")
    );
    fs::write(folder.path().join("iris.mercer"), &model.stdout).unwrap();
    let again = mercer(folder.path(), &["predict", "iris.mercer", &data("iris.csv")]);
    assert_eq!(again.stdout, read.stdout);
    let run = mercer_fed(folder.path(), &["convert", "-", "--to", "libsvm"], "a,y\n1,p\n2,q\n");
    assert_eq!(run.stdout, "p 1:1\nq 1:2\n");
    assert_eq!(files(folder.path()), ["iris.mercer"]);
}

#[test]
fn predictions_as_libsvm_writes_them_and_as_json() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(mercer(folder.path(), &["train", &data("iris.csv"), "-o", "m", "--quiet"]).code, 0);
    let table = mercer(folder.path(), &["predict", "m", &data("iris.csv"), "--scores"]).stdout;
    let style = |extra: &[&str]| {
        let iris = data("iris.csv");
        let words = [&["predict", "m", &iris, "--style", "libsvm"], extra].concat();
        mercer(folder.path(), &words).stdout
    };
    let labels: Vec<&str> = table.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(style(&[]).lines().collect::<Vec<_>>(), labels);
    let scores = style(&["--scores"]);
    assert_eq!(scores.lines().count(), 151);
    assert!(scores.starts_with("labels setosa versicolor virginica\nsetosa "), "{}", &scores[..80]);

    let json: Value =
        serde_json::from_str(&mercer(folder.path(), &["predict", "m", &data("iris.csv"), "--json"]).stdout)
            .unwrap();
    assert_eq!(json["rows"], 150);
    let classes: Vec<&str> =
        json["predictions"].as_array().unwrap().iter().map(|p| p.as_str().unwrap()).collect();
    assert_eq!(classes, labels);
}

#[test]
fn every_command_speaks_json() {
    let folder = tempfile::tempdir().unwrap();
    let wine = data("wine.csv");
    for arguments in [
        &["train", &wine, "-o", "w.mercer", "--json"][..],
        &["predict", "w.mercer", &wine, "--json", "--scores"],
        &["evaluate", "w.mercer", &wine, "--json"],
        &["evaluate", "--cv", "3", &wine, "--json"],
        &["inspect", "w.mercer", "--json"],
        &["convert", &wine, "-o", "w.svm", "--json"],
        &["scale", &wine, "-o", "w.csv", "--json"],
        &["kernel", "--json"],
        &["kernel", "linear", "--json"],
        &["kernel", "linear", "--between", "1,2", "3,4", "--json"],
        &["kernel", "linear", "--data", &wine, "--check", "--json"],
        &["kernel", "linear", "--data", &wine, "--json"],
        &["demo", "--json"],
    ] {
        let run = mercer(folder.path(), arguments);
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
        let parsed: Result<Value, _> = serde_json::from_str(&run.stdout);
        assert!(parsed.is_ok(), "{arguments:?}: {}", run.stdout);
    }
}

#[test]
fn nothing_is_coloured_where_nobody_sees_it() {
    let folder = tempfile::tempdir().unwrap();
    let run = mercer(folder.path(), &["train", &data("iris.csv"), "-o", "m"]);
    assert!(!run.stdout.contains('\u{1b}') && !run.stderr.contains('\u{1b}'));
    let run = mercer(folder.path(), &["train", "absent.csv"]);
    assert!(run.stderr.starts_with("mercer: absent.csv"), "{}", run.stderr);
}

/// A time limit on many rows: a model of as many of them as there is time for, and a word on the rest.
#[test]
fn a_time_limit_on_many_rows_takes_some_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::new();
    let mut state = 1u64;
    for _ in 0..60_000 {
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / (1u64 << 24) as f64
        };
        let (x, z, noise) = (draw(), draw(), draw());
        let label = if (7.0 * x).sin() + (9.0 * z).cos() + noise > 0.9 { "up" } else { "down" };
        writeln!(text, "{x},{z},{label}").unwrap();
    }
    fs::write(folder.path().join("many.csv"), text).unwrap();
    let begun = std::time::Instant::now();
    let run = mercer(folder.path(), &["train", "many.csv", "--cost", "1000", "--time-limit", "3"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    // Generous: another test may be running on the same processor.
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
    if run.stdout.contains("time limit") {
        assert!(run.stdout.contains("of 60 000 rows, drawn at random"), "{}", run.stdout);
        assert!(run.stderr.contains("more --time-limit"), "{}", run.stderr);
        let arguments = ["train", "many.csv", "--cost", "1000", "--time-limit", "3", "--strict", "--force"];
        assert_eq!(mercer(folder.path(), &arguments).code, 3);
    } else {
        assert!(run.stdout.contains("status          converged"), "{}", run.stdout);
    }
}

#[test]
fn a_scaling_knows_its_columns() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.csv"), "x,y,kind\n1,100,p\n3,300,q\n5,200,p\n").unwrap();
    fs::write(path("turned.csv"), "y,x,kind\n100,1,p\n300,3,q\n200,5,p\n").unwrap();
    let run = mercer(folder.path(), &["scale", "a.csv", "-o", "s.csv", "--save", "s.json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = mercer(folder.path(), &["scale", "turned.csv", "-o", "t.csv", "--like", "s.json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(fs::read(path("s.csv")).unwrap(), fs::read(path("t.csv")).unwrap());
    // What is read is not written to, and two outputs are two files.
    for arguments in [
        &["scale", "a.csv", "--like", "s.json", "-o", "s.json", "--force"][..],
        &["scale", "a.csv", "-o", "both.json", "--save", "both.json"],
        &["scale", "a.csv", "--save", "-"],
    ] {
        assert_ne!(mercer(folder.path(), arguments).code, 0, "{arguments:?}");
    }
}

#[test]
fn what_training_knew_is_remembered() {
    let folder = tempfile::tempdir().unwrap();
    // Words alone, without names: the first line is a row then and now.
    let words: String =
        (0..30).map(|i| format!("{},{},{}\n", ["u", "v"][i % 2], ["s", "t"][i / 15], i % 2)).collect();
    fs::write(folder.path().join("words.csv"), words).unwrap();
    let run = mercer(folder.path(), &["train", "words.csv", "--header", "no", "--quiet"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = mercer(folder.path(), &["predict", "words.mercer", "words.csv"]);
    assert_eq!(run.stdout.lines().count(), 31, "{}", run.stderr);

    // Rows keep their numbers when others are dropped.
    let mut text = "x,kind\n".to_string();
    for i in 0..40 {
        let x = if i % 4 == 1 { "?".to_string() } else { i.to_string() };
        writeln!(text, "{x},{}", if i == 30 { "odd" } else { "even" }).unwrap();
    }
    fs::write(folder.path().join("gaps.csv"), text).unwrap();
    let run = mercer(folder.path(), &["train", "gaps.csv", "--missing", "drop", "--quiet"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = mercer(folder.path(), &["inspect", "gaps.mercer"]);
    assert!(run.stdout.contains("31 (odd)"), "{}", run.stdout);

    // A label that is not known yet is no obstacle to a prediction.
    let run = mercer_fed(folder.path(), &["predict", "gaps.mercer", "-"], "x,kind\n7,\n8,?\n");
    assert_eq!((run.code, run.stdout.lines().count()), (0, 3), "{}", run.stderr);
    let run = mercer_fed(folder.path(), &["evaluate", "gaps.mercer", "-"], "x,kind\n7,\n8,?\n");
    assert!(run.code == 1 && run.stderr.contains("no labels to compare with"), "{}", run.stderr);

    fs::write(folder.path().join("twice.csv"), "a,a,y\n1,2,p\n3,4,q\n").unwrap();
    let run = mercer(folder.path(), &["train", "twice.csv"]);
    assert!(run.code == 1 && run.stderr.contains("two columns are called `a`"), "{}", run.stderr);
}

#[test]
fn limits_hold_for_all_folds_together_and_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        mercer(folder.path(), &["evaluate", "--cv", "5", &data("ionosphere.csv"), "--max-iterations", "2"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("5 of 5 models had not converged"), "{}", run.stderr);
    for arguments in [&["--folds", "1"][..], &["--class-weight", "good=-2"], &["--gamma", "-1"]] {
        let ionosphere = data("ionosphere.csv");
        let words = [&["train", &ionosphere, "-o", "m"], arguments].concat();
        assert_eq!(mercer(folder.path(), &words).code, 2, "{arguments:?}");
    }
    // The same training gives the same file.
    let train = |name: &str| {
        assert_eq!(mercer(folder.path(), &["train", &data("iris.csv"), "-o", name, "--quiet"]).code, 0);
        fs::read(folder.path().join(name)).unwrap()
    };
    assert!(train("a.mercer") == train("b.mercer"));
}
