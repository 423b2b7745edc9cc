//! Files of kernel values in place of features.

use std::fmt::Write;
use std::fs;

use mercer::data::{Items, ReadOptions, Targets, Vectors, read_file};

use crate::{data, files, mercer};

/// `heart_scale` as kernel values of the linear kernel with the rows at `columns`, for the rows at `rows`.
fn kernel_values(rows: &[usize], columns: &[usize]) -> String {
    let table = read_file(data("heart_scale"), &ReadOptions::default()).unwrap().table().unwrap();
    let Targets::Numbers(targets) = &table.targets else { panic!() };
    let dense = |i: usize| table.vectors.get(i).to_dense(Vectors::columns(&table.vectors));
    let mut text = String::new();
    for (at, &i) in rows.iter().enumerate() {
        write!(text, "{} 0:{}", targets[i], at + 1).unwrap();
        for (number, &j) in columns.iter().enumerate() {
            let product: f64 = dense(i).iter().zip(dense(j)).map(|(a, b)| a * b).sum();
            write!(text, " {}:{product}", number + 1).unwrap();
        }
        text.push('\n');
    }
    text
}

#[test]
fn kernel_values_give_the_model_that_the_kernel_gives() {
    let folder = tempfile::tempdir().unwrap();
    let (train, test): (Vec<usize>, Vec<usize>) = ((0..200).collect(), (200..270).collect());
    fs::write(folder.path().join("k.svm"), kernel_values(&train, &train)).unwrap();
    fs::write(folder.path().join("new.svm"), kernel_values(&test, &train)).unwrap();
    let text = fs::read_to_string(data("heart_scale")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    fs::write(folder.path().join("h.svm"), lines[..200].join("\n")).unwrap();
    fs::write(folder.path().join("h.new.svm"), lines[200..].join("\n")).unwrap();

    let run = mercer(folder.path(), &["train", "k.svm", "--kernel", "precomputed", "--tolerance", "1e-6"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("kernel values of 200 items"), "{}", run.stdout);
    assert!(run.stdout.contains("kernel          precomputed"), "{}", run.stdout);
    let run = mercer(folder.path(), &["inspect", "k.mercer"]);
    assert!(run.stdout.contains("kernel          precomputed"), "{}", run.stdout);
    let run = mercer(
        folder.path(),
        &["train", "h.svm", "--kernel", "linear", "--tolerance", "1e-6", "--cost", "1"],
    );
    assert_eq!(run.code, 0, "{}", run.stderr);

    let scores = |model: &str, rows: &str| -> Vec<f64> {
        let run = mercer(folder.path(), &["predict", model, rows, "--scores"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout.lines().skip(1).map(|line| line.split(',').nth(2).unwrap().parse().unwrap()).collect()
    };
    let (found, expected) = (scores("k.mercer", "new.svm"), scores("h.mercer", "h.new.svm"));
    assert_eq!(found.len(), 70);
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-4, "{found} {expected}");
    }
}

#[test]
fn rows_may_be_some_of_a_larger_matrix_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    let all: Vec<usize> = (0..60).collect();
    let text = kernel_values(&all, &all);
    let lines: Vec<&str> = text.lines().rev().step_by(2).collect();
    fs::write(folder.path().join("k.svm"), lines.join("\n")).unwrap();
    let run = mercer(folder.path(), &["train", "k.svm", "--kernel", "precomputed"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    fs::write(folder.path().join("new.svm"), text).unwrap();
    let run = mercer(folder.path(), &["predict", "k.mercer", "new.svm"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("of 60"), "{}", run.stderr);
}

#[test]
fn what_does_not_fit_is_refused_with_a_way_forward() {
    let folder = tempfile::tempdir().unwrap();
    let all: Vec<usize> = (0..10).collect();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("k.svm", &kernel_values(&all, &all));
    write("number.svm", "1 0:1 1:1 2:0\n-1 0:7 1:0 2:1\n");
    write("skew.svm", "1 0:1 1:1 2:0\n-1 0:2 1:5 2:1\n");
    let heart = data("heart_scale");
    for (arguments, expected) in [
        (&["train", "k.svm"][..], "say --kernel precomputed"),
        (&["train", &heart, "--kernel", "precomputed", "-o", "m.mercer"], "holds features"),
        (&["train", "k.svm", "--kernel", "precomputed", "--scale", "max-abs"], "--scale is for features"),
        (&["train", "k.svm", "--kernel", "precomputed", "-o", "k.model"], ".mercer or .json"),
        (&["train", "number.svm", "--kernel", "precomputed"], "serial number (0:number) of row 2: 7"),
        (
            &["train", "skew.svm", "--kernel", "precomputed"],
            "skew.svm: not symmetric: the rows with 0:1 and 0:2 give 0 and 5",
        ),
    ] {
        let run = mercer(folder.path(), arguments);
        let is_usage = arguments.contains(&"--scale") || arguments.contains(&"k.model");
        assert_eq!(run.code, if is_usage { 2 } else { 1 }, "{arguments:?}");
        assert!(run.stderr.contains(expected), "{arguments:?}: {}", run.stderr);
    }
    assert_eq!(files(folder.path()), ["k.svm", "number.svm", "skew.svm"]);

    assert_eq!(mercer(folder.path(), &["train", "k.svm", "--kernel", "precomputed"]).code, 0);
    assert_eq!(mercer(folder.path(), &["train", &heart, "-o", "h.mercer"]).code, 0);
    let run = mercer(folder.path(), &["predict", "h.mercer", "k.svm"]);
    assert_eq!(run.code, 1);
    let run = mercer(folder.path(), &["predict", "k.mercer", &heart]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("column") || run.stderr.contains("features"), "{}", run.stderr);
}
