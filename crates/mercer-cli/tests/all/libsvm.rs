//! LIBSVM's own commands, and against LIBSVM itself where it is installed.

use std::path::Path;
use std::process::Command;

use crate::{data, files, mercer};

#[test]
fn training_prints_what_libsvm_prints() {
    let folder = tempfile::tempdir().unwrap();
    let run = mercer(folder.path(), &["svm-train", &data("heart_scale"), "h.model"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    // LIBSVM 3.3x: nu = 0.431029, obj = -100.877288, rho = 0.424462, nSV = 132, nBSV = 107.
    let find = |name: &str| -> f64 {
        let rest = run
            .stdout
            .split(&format!("{name} = "))
            .nth(1)
            .unwrap_or_else(|| panic!("{name} in {}", run.stdout));
        rest.split([',', '\n']).next().unwrap().parse().unwrap()
    };
    assert!((find("nu") - 0.431029).abs() < 1e-4, "{}", run.stdout);
    assert!((find("obj") + 100.877288).abs() < 1e-3, "{}", run.stdout);
    assert!((find("rho") - 0.424462).abs() < 1e-3, "{}", run.stdout);
    assert_eq!((find("nSV"), find("nBSV"), find("Total nSV")), (132.0, 107.0, 132.0));

    let run = mercer(folder.path(), &["svm-predict", &data("heart_scale"), "h.model", "out"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "Accuracy = 86.6667% (234/270) (classification)\n"));
    let out = std::fs::read_to_string(folder.path().join("out")).unwrap();
    assert_eq!(out.lines().count(), 270);
    assert!(out.lines().all(|line| line == "1" || line == "-1"));
    let run = mercer(folder.path(), &["svm-train", "-v", "5", "-q", &data("heart_scale")]);
    let share: f64 = run
        .stdout
        .trim()
        .strip_prefix("Cross Validation Accuracy = ")
        .unwrap()
        .trim_end_matches('%')
        .parse()
        .unwrap();
    assert!((77.0..90.0).contains(&share), "{}", run.stdout);
    assert_eq!(files(folder.path()), ["h.model", "out"]);
}

#[test]
fn scaling_is_kept_and_restored() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a"), "+1 1:2 2:10 4:3\n-1 1:4 3:1 4:3\n").unwrap();
    std::fs::write(folder.path().join("b"), "-1 1:3 2:20\n").unwrap();
    let run = mercer(folder.path(), &["svm-scale", "-l", "0", "-s", "ranges", "a"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.stdout, "1 2:1 \n-1 1:1 3:1 \n");
    let kept = std::fs::read_to_string(folder.path().join("ranges")).unwrap();
    assert_eq!(kept, "x\n0 1\n1 2 4\n2 0 10\n3 0 1\n");
    let run = mercer(folder.path(), &["svm-scale", "-r", "ranges", "b"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "-1 1:0.5 2:2 \n"), "{}", run.stderr);
    let run = mercer(folder.path(), &["svm-scale", "-y", "-1", "1", "a"]);
    assert!(run.stdout.starts_with("1 1:-1 2:1 3:-1 "), "{}", run.stdout);
    std::fs::write(folder.path().join("sparse"), "1 1:2\n-1 2:3\n").unwrap();
    let run = mercer(folder.path(), &["svm-scale", "sparse"]);
    assert!(run.stderr.contains("WARNING: original #nonzeros 2"), "{}", run.stderr);
}

#[test]
fn files_that_are_read_are_not_written_to() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(data("heart_scale"), folder.path().join("h")).unwrap();
    assert_eq!(mercer(folder.path(), &["svm-train", "-q", "h", "h.model"]).code, 0);
    let before = std::fs::read(folder.path().join("h")).unwrap();
    for arguments in [
        &["svm-train", "h", "h"][..],
        &["svm-predict", "h", "h.model", "h"],
        &["svm-predict", "h", "h.model", "h.model"],
        &["svm-scale", "-s", "./h", "h"],
    ] {
        let run = mercer(folder.path(), arguments);
        assert_eq!(run.code, 1, "{arguments:?}");
        assert!(run.stderr.contains("this file is read"), "{}", run.stderr);
    }
    assert_eq!(std::fs::read(folder.path().join("h")).unwrap(), before);
    // As LIBSVM does, a model that is there is replaced.
    assert_eq!(mercer(folder.path(), &["svm-train", "-q", "h", "h.model"]).code, 0);
}

#[test]
fn wrong_words_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let heart = data("heart_scale");
    for (arguments, part) in [
        (&["svm-train", "-z", "1", &heart][..], "Unknown option"),
        (&["svm-train", "-c"], "-c needs a value"),
        (&["svm-train", "-c", "x", &heart], "-c x"),
        (&["svm-train", "-s", "3", "-b", "1", &heart], "-b 1 is for"),
        (&["svm-train", "-b", "2", &heart], "-b 2: 0 or 1"),
        (&["svm-train", "-s", "7", &heart], "no such machine"),
        (&["svm-train", "-v", "1", &heart], "n must >= 2"),
        (&["svm-train"], "which files"),
        (&["svm-predict", &heart], "which files"),
        (&["svm-scale", "-l", "2", &heart], "inconsistent"),
    ] {
        let run = mercer(folder.path(), arguments);
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(
            run.stderr.contains(part) && run.stderr.contains("Usage: svm-"),
            "{arguments:?}: {}",
            run.stderr
        );
    }
    let run = mercer(folder.path(), &["svm-train", "-s", "4", "-n", "2", &heart]);
    assert!(run.code == 2 && run.stderr.contains("nu = 2: expected"), "{}", run.stderr);
    let run = mercer(folder.path(), &["svm-train", "nowhere"]);
    assert_eq!(run.code, 1);
    assert!(files(folder.path()).is_empty());
}

/// Runs a program, or says that it is not there.
fn installed(folder: &Path, program: &str, arguments: &[&str]) -> Option<String> {
    match Command::new(program).args(arguments).current_dir(folder).output() {
        Ok(output) => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(_) => {
            eprintln!("skipped: {program} is not installed");
            None
        }
    }
}

#[test]
fn models_and_scalings_are_exchanged_with_libsvm() {
    let folder = tempfile::tempdir().unwrap();
    let heart = data("heart_scale");
    for options in [
        &["-c", "2"][..],
        &["-t", "0"],
        &["-t", "1", "-r", "1", "-d", "2"],
        &["-c", "4", "-w1", "3"],
        &["-s", "1", "-n", "0.6"],
    ] {
        let with = |program: &[&str], files: &[&str]| -> Vec<String> {
            program.iter().chain(options).chain(files).map(|s| s.to_string()).collect()
        };
        let theirs = with(&[], &[&heart, "theirs.model"]);
        let theirs: Vec<&str> = theirs.iter().map(String::as_str).collect();
        let Some(printed) = installed(folder.path(), "svm-train", &theirs) else { return };
        let ours = with(&["svm-train"], &[&heart, "ours.model"]);
        let ours: Vec<&str> = ours.iter().map(String::as_str).collect();
        let run = mercer(folder.path(), &ours);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let objective = |text: &str| -> f64 {
            text.split("obj = ").nth(1).unwrap().split(',').next().unwrap().parse().unwrap()
        };
        let (a, b) = (objective(&run.stdout), objective(&printed));
        assert!((a - b).abs() < 1e-3 * b.abs(), "{options:?}: {a} {b}");
        // Each predicts with the model of the other.
        let theirs = installed(folder.path(), "svm-predict", &[&heart, "ours.model", "a"]).unwrap();
        let ours = mercer(folder.path(), &["svm-predict", &heart, "ours.model", "b"]);
        assert_eq!(theirs, ours.stdout);
        let ours = mercer(folder.path(), &["svm-predict", &heart, "theirs.model", "c"]);
        let theirs = installed(folder.path(), "svm-predict", &[&heart, "theirs.model", "d"]).unwrap();
        assert_eq!(theirs, ours.stdout);
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!((read("a"), read("c")), (read("b"), read("d")));
    }
    let theirs = installed(folder.path(), "svm-scale", &["-l", "0", "-s", "r1", &heart]).unwrap();
    let ours = mercer(folder.path(), &["svm-scale", "-l", "0", "-s", "r2", &heart]);
    assert_eq!(theirs, ours.stdout);
}

/// Probabilities: LIBSVM reads ours and says the same, and the other way round.
#[test]
fn probabilities_are_exchanged_with_libsvm() {
    let folder = tempfile::tempdir().unwrap();
    let heart = data("heart_scale");
    let run = mercer(folder.path(), &["svm-train", "-b", "1", &heart, "ours.model"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = mercer(folder.path(), &["svm-predict", "-b", "1", &heart, "ours.model", "a"]);
    assert!(run.code == 0 && run.stdout.contains("Accuracy = "), "{}", run.stderr);
    // For each row the probabilities of 1 and -1, wherever they stand.
    let read = |name: &str| -> Vec<[f64; 2]> {
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        let mut lines = text.lines();
        let flip = match lines.next().unwrap() {
            "labels 1 -1" => false,
            "labels -1 1" => true,
            other => panic!("{other}"),
        };
        lines
            .map(|line| {
                let words: Vec<f64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
                if flip { [words[2], words[1]] } else { [words[1], words[2]] }
            })
            .collect()
    };
    let close = |a: &[[f64; 2]], b: &[[f64; 2]]| {
        a.len() == b.len() && a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-4)
    };
    assert_eq!(read("a").len(), 270);
    if installed(folder.path(), "svm-train", &["-b", "1", &heart, "theirs.model"]).is_none() {
        return;
    }
    for model in ["ours.model", "theirs.model"] {
        installed(folder.path(), "svm-predict", &["-b", "1", &heart, model, "theirs"]).unwrap();
        assert_eq!(mercer(folder.path(), &["svm-predict", "-b", "1", &heart, model, "ours"]).code, 0);
        assert!(close(&read("ours"), &read("theirs")), "{model}");
    }
}

/// The order of labels is that of their first appearance, and the one in which probabilities are written.
#[test]
fn labels_stand_in_the_order_of_libsvm() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let row = |i: usize| {
        let class = [2, 1, 3][i * i % 7 % 3];
        format!(
            "{class} 1:{} 2:{}\n",
            (i * 37 % 101) as f64 / 50.0 + class as f64,
            (i * 53 % 89) as f64 / 40.0
        )
    };
    let rows: String = (0..120).map(row).collect();
    std::fs::write(folder.path().join("three"), rows).unwrap();
    for options in [&["-b", "1"][..], &["-b", "1", "-s", "1", "-n", "0.3"]] {
        let train = [&["svm-train", "-q"], options, &["three", "ours.model"]].concat();
        let run = mercer(folder.path(), &train);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let kind = if options.len() > 2 { "svm_type nu_svc\n" } else { "svm_type c_svc\n" };
        assert!(read("ours.model").starts_with(kind) && read("ours.model").contains("\nlabel 2 1 3\n"));
        assert_eq!(mercer(folder.path(), &["svm-predict", "-b", "1", "three", "ours.model", "ours"]).code, 0);
        assert!(read("ours").starts_with("labels 2 1 3\n"));
        // LIBSVM reads it and says the same, and so do we of its own model; it couples pairs less accurately.
        let theirs = [&["-q"], options, &["three", "theirs.model"]].concat();
        if installed(folder.path(), "svm-train", &theirs).is_none() {
            continue;
        }
        for model in ["ours.model", "theirs.model"] {
            installed(folder.path(), "svm-predict", &["-b", "1", "three", model, "theirs"]).unwrap();
            let run = mercer(folder.path(), &["svm-predict", "-b", "1", "three", model, "ours"]);
            assert_eq!(run.code, 0, "{}", run.stderr);
            let (ours, theirs) = (read("ours"), read("theirs"));
            assert_eq!(ours.lines().next(), theirs.lines().next());
            for (a, b) in ours.lines().zip(theirs.lines()).skip(1) {
                let close = |(a, b): (&str, &str)| {
                    (a.parse::<f64>().unwrap() - b.parse::<f64>().unwrap()).abs() < 5e-3
                };
                assert!(a.split(' ').zip(b.split(' ')).all(close), "{model}: {a} against {b}");
            }
        }
    }
    // The model is what lacks probabilities, not the data.
    assert_eq!(mercer(folder.path(), &["svm-train", "-q", "three", "plain.model"]).code, 0);
    let run = mercer(folder.path(), &["svm-predict", "-b", "1", "three", "plain.model", "p"]);
    assert!(run.code == 1 && run.stderr.contains("plain.model: the model has no prob"), "{}", run.stderr);
}

/// Regression and the one-class machine against LIBSVM, each predicting with the model of the other.
#[test]
fn machines_of_one_function_are_exchanged_with_libsvm() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let run = mercer(folder.path(), &["scale", &data("auto_mpg.csv"), "-o", "mpg", "--kind", "min-max"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for options in [
        &["-s", "3", "-c", "10", "-p", "0.5"][..],
        &["-s", "4", "-c", "5", "-n", "0.3"],
        &["-s", "2", "-n", "0.2"],
    ] {
        let ours = [&["svm-train"], options, &["mpg", "ours.model"]].concat();
        let run = mercer(folder.path(), &ours);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let again = mercer(folder.path(), &["svm-predict", "mpg", "ours.model", "a"]);
        assert_eq!(again.code, 0, "{}", again.stderr);
        let validated = mercer(folder.path(), &[&["svm-train", "-v", "5"], options, &["mpg"]].concat());
        assert!(validated.stdout.starts_with("Cross Validation "), "{}", validated.stdout);

        let theirs = [options, &["mpg", "theirs.model"]].concat();
        let Some(printed) = installed(folder.path(), "svm-train", &theirs) else { continue };
        let number = |text: &str, name: &str| -> Option<f64> {
            let rest = text.split(&format!("{name} = ")).nth(1)?;
            rest.split([',', '\n', ' ', '%']).next()?.parse().ok()
        };
        for name in ["obj", "rho", "nu", "epsilon", "nSV"] {
            let (a, b) = (number(&run.stdout, name), number(&printed, name));
            assert_eq!(a.is_some(), b.is_some(), "{name}: {} {printed}", run.stdout);
            let (Some(a), Some(b)) = (a, b) else { continue };
            assert!((a - b).abs() < 0.02 * b.abs(), "{options:?} {name}: {a} {b}");
            assert!(name != "obj" || (a - b).abs() < 1e-3 * b.abs(), "{options:?}: {a} {b}");
        }
        let read = |name: &str| -> Vec<f64> {
            std::fs::read_to_string(path(name)).unwrap().lines().map(|line| line.parse().unwrap()).collect()
        };
        installed(folder.path(), "svm-predict", &["mpg", "ours.model", "b"]).unwrap();
        let close =
            |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-4 * b.abs().max(1.0));
        assert!(close(&read("a"), &read("b")), "{options:?}");
        let theirs = installed(folder.path(), "svm-predict", &["mpg", "theirs.model", "c"]).unwrap();
        let ours = mercer(folder.path(), &["svm-predict", "mpg", "theirs.model", "d"]);
        assert!(close(&read("c"), &read("d")), "{options:?}");
        for name in ["Mean squared error", "Squared correlation coefficient", "Accuracy"] {
            let (a, b) = (number(&ours.stdout, name), number(&theirs, name));
            assert_eq!(a.is_some(), b.is_some(), "{} {theirs}", ours.stdout);
            assert!(
                a.zip(b).is_none_or(|(a, b)| (a - b).abs() < 1e-3 * b.abs().max(1.0)),
                "{} {theirs}",
                ours.stdout
            );
        }
    }
}

#[test]
fn columns_that_no_support_vector_has_are_still_part_of_a_row() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    std::fs::write(place.join("train"), "1 1:1 2:0.5\n-1 1:-1\n1 1:2\n-1 1:-2 2:0.1\n").unwrap();
    std::fs::write(place.join("test"), "1 1:1 7:0.5\n-1 1:-0.2 3:1\n").unwrap();
    for kernel in ["0", "2"] {
        let run = mercer(place, &["svm-train", "-q", "-t", kernel, "-g", "0.5", "train", "m.model"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let run = mercer(place, &["svm-predict", "test", "m.model", "ours"]);
        assert_eq!((run.code, &run.stdout[..14]), (0, "Accuracy = 100"), "{}", run.stderr);
        if installed(place, "svm-predict", &["test", "m.model", "theirs"]).is_some() {
            let read = |name: &str| std::fs::read_to_string(place.join(name)).unwrap();
            assert_eq!(read("ours"), read("theirs"));
        }
    }
}

#[test]
fn consistent_probabilities_are_not_passed_off_as_platts() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["train", &data("heart_scale"), "--cost", "1", "--test", "none", "-o", "h.model"];
    let run = mercer(folder.path(), &[&words[..], &["--probabilities"]].concat());
    assert!(run.code != 0 && run.stderr.contains("platt"), "{}", run.stderr);
    let run = mercer(folder.path(), &[&words[..], &["--probabilities=platt"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
}

/// LIBSVM's answers, ties between votes and decisions on the border included: one model file, the same predictions to the letter; the same
/// data, the same machine.
#[test]
fn answers_are_those_of_libsvm() {
    let text = include_str!("../fixtures/libsvm.json");
    let fixture: serde_json::Value = serde_json::from_str(text).unwrap();
    for case in fixture["cases"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = |file: &str| folder.path().join(file);
        std::fs::write(path("data"), case["data"].as_str().unwrap()).unwrap();
        std::fs::write(path("theirs.model"), case["model"].as_str().unwrap()).unwrap();
        let expected: Vec<f64> =
            case["predictions"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
        let predicted = |model: &str| -> Vec<f64> {
            let run = mercer(folder.path(), &["svm-predict", "data", model, "out"]);
            assert_eq!(run.code, 0, "{name}: {}", run.stderr);
            let out = std::fs::read_to_string(path("out")).unwrap();
            out.lines().map(|line| line.parse().unwrap()).collect()
        };
        let options: Vec<&str> =
            case["options"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
        let is_regression = options[1] == "3";
        for (row, (found, expected)) in predicted("theirs.model").iter().zip(&expected).enumerate() {
            let same = if is_regression { (found - expected).abs() < 1e-9 } else { found == expected };
            assert!(same, "{name}, row {row}: {found} for {expected}");
        }
        let words = [&["svm-train", "-q", "-e", "1e-6"][..], &options, &["data", "ours.model"]].concat();
        let run = mercer(folder.path(), &words);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{name}");
        let head = |file: &str| -> Vec<String> {
            let text = std::fs::read_to_string(path(file)).unwrap();
            let kept = ["svm_type", "kernel_type", "degree", "nr_class", "label"];
            text.lines()
                .filter(|line| kept.iter().any(|key| line.starts_with(key)))
                .map(|line| line.trim_end().to_string())
                .collect()
        };
        assert_eq!(head("ours.model"), head("theirs.model"), "{name}");
        let values = case["decisions"].as_array().unwrap();
        for (row, (found, expected)) in predicted("ours.model").iter().zip(&expected).enumerate() {
            let values: Vec<f64> =
                values[row].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
            // Two trainings to a tolerance: what lies on the border may fall on either side.
            let on_border = !is_regression && values.iter().any(|value| value.abs() < 1e-4);
            let same = if is_regression { (found - expected).abs() < 1e-4 } else { found == expected };
            assert!(same || on_border, "{name}, row {row}: {found} for {expected}, {values:?}");
        }
    }
}

/// Columns of the data that a file of ranges does not name are left out, and said.
#[test]
fn columns_that_were_never_scaled_are_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ranges"), "x\n-1 1\n2 0 10\n").unwrap();
    std::fs::write(folder.path().join("a"), "1 1:1 2:5 3:2\n-1 1:1 2:10 4:7\n").unwrap();
    let run = mercer(folder.path(), &["svm-scale", "-r", "ranges", "a"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "1 \n-1 2:1 \n"), "{}", run.stderr);
    let warning = |index: usize| {
        format!(
            "WARNING: feature index {index} appeared in file a was not seen in the scaling factor file ranges. The feature is scaled to 0."
        )
    };
    // The first column has one value only, and would be left out anyway.
    assert_eq!(run.stderr.lines().collect::<Vec<_>>(), [warning(3), warning(4)]);
}

/// Printed rows, files of ranges and warnings of `svm-scale`, to the letter: what one file learns another restores.
#[test]
fn scaling_is_that_of_libsvm() {
    let text = include_str!("../fixtures/svm_scale.json");
    let fixture: serde_json::Value = serde_json::from_str(text).unwrap();
    for (number, case) in fixture["cases"].as_array().unwrap().iter().enumerate() {
        let text = |name: &str| case[name].as_str().unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("first"), text("first")).unwrap();
        std::fs::write(folder.path().join("second"), text("second")).unwrap();
        let options: Vec<&str> =
            case["options"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
        let check = |words: &[&str], expected: &serde_json::Value| {
            let run = mercer(folder.path(), words);
            let expected = |name: &str| expected[name].as_str().unwrap();
            assert_eq!((run.code, run.stdout.as_str()), (0, expected("stdout")), "{number}: {words:?}");
            assert_eq!(run.stderr, expected("stderr"), "{number}: {words:?}");
        };
        check(&[&["svm-scale"][..], &options, &["-s", "ranges", "first"]].concat(), &case["saved"]);
        let ranges = std::fs::read_to_string(folder.path().join("ranges")).unwrap();
        assert_eq!(ranges, text("ranges"), "{number}");
        check(&["svm-scale", "-r", "ranges", "second"], &case["restored"]);
    }
}

/// Of classes with equally many votes the first of the training file wins, in cross-validation as in `svm-predict`.
#[test]
fn cross_validation_breaks_ties_as_libsvm_does() {
    let folder = tempfile::tempdir().unwrap();
    // Left out, a row is where each of three classes wins one pair.
    let rows = "1 1:4 2:4\n1 1:4 2:2\n1 1:1 2:4\n2 1:3 2:2\n2 1:2 2:1\n1 1:3 2:3\n2 1:2 2:3\n3 1:2 2:3\n3 1:2 2:1\n\
                1 1:4 2:3\n3 1:3 2:3\n";
    std::fs::write(folder.path().join("train"), rows).unwrap();
    let n = rows.lines().count();
    let run = mercer(folder.path(), &["svm-train", "-q", "-t", "0", "-e", "1e-6", "-v", "11", "train"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    // What svm-train and svm-predict say of each row, one after the other.
    let lines: Vec<&str> = rows.lines().collect();
    let mut right = 0;
    for row in 0..n {
        let rest: String = (0..n).filter(|&at| at != row).map(|at| format!("{}\n", lines[at])).collect();
        std::fs::write(folder.path().join("rest"), rest).unwrap();
        std::fs::write(folder.path().join("one"), format!("{}\n", lines[row])).unwrap();
        for words in [
            &["svm-train", "-q", "-t", "0", "-e", "1e-6", "rest", "model"][..],
            &["svm-predict", "-q", "one", "model", "out"],
        ] {
            let run = mercer(folder.path(), words);
            assert_eq!(run.code, 0, "{}", run.stderr);
        }
        let out = std::fs::read_to_string(folder.path().join("out")).unwrap();
        right += usize::from(lines[row].starts_with(out.trim()));
    }
    let accuracy: f64 = run.stdout.trim().trim_end_matches('%').rsplit(' ').next().unwrap().parse().unwrap();
    assert!((accuracy - 100.0 * right as f64 / n as f64).abs() < 1e-3, "{accuracy}: {right} of {n}");
}
