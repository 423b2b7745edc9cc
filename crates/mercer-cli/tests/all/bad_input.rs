//! Bad input: one line that says what and where, exit code 1 (2 for bad usage), and no file left behind.

use std::fs;

use crate::{data, files, mercer};

struct Case {
    name: &'static str,
    content: &'static [u8],
    expected: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case { name: "empty.csv", content: b"", expected: &["empty.csv", "no "] },
    Case { name: "one_class.csv", content: b"a,b,label\n1,2,x\n3,4,x\n", expected: &["the one label x"] },
    Case { name: "missing.csv", content: b"a,b,label\n1,2,x\n3,,y\n", expected: &["missing.csv:3:", "b"] },
    Case { name: "word.csv", content: b"a,b,label\n1,2,x\n3,tall,y\n", expected: &["word.csv:3:", "tall"] },
    Case { name: "nan.csv", content: b"a,b,label\n1,nan,x\n3,4,y\n", expected: &["nan.csv:2:"] },
    Case { name: "inf.csv", content: b"a,b,label\n1,inf,x\n3,4,y\n", expected: &["inf.csv:2:", "inf"] },
    Case { name: "ragged.csv", content: b"a,b,label\n1,2,x\n3,4,5,y\n", expected: &["ragged.csv:3:"] },
    Case { name: "zero.svm", content: b"1 1:2 2:1\n-1 0:1 3:1\n", expected: &["zero.svm:2:"] },
    Case { name: "falling.svm", content: b"1 1:2 2:1\n-1 3:1 2:1\n", expected: &["falling.svm:2:"] },
    Case { name: "value.svm", content: b"1 1:2 2:1\n-1 3:x\n", expected: &["value.svm:2:"] },
    Case { name: "first.svm", content: b"1 -1:1\n-1 2:1\n", expected: &["first.svm:1:3:", "`-1:1`"] },
    Case { name: "labels.csv", content: b"1\n-1\n", expected: &["labels.csv:1:1:", "no feature columns"] },
    Case { name: "mac.csv", content: b"a,b,y\r1,2,x\r3,4,y\r", expected: &["mac.csv:1:6:", "CR"] },
    Case { name: "bytes.svm", content: b"1 1:2 2:1\n-1 \xff\xfe:1\n", expected: &["bytes.svm:2:"] },
];

#[test]
fn data_files() {
    for case in CASES {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(case.name), case.content).unwrap();
        let run = mercer(folder.path(), &["train", case.name]);
        assert_eq!(run.code, 1, "{}: {}{}", case.name, run.stdout, run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{}: {}", case.name, run.stderr);
        for part in case.expected {
            assert!(run.stderr.contains(part), "{}: {part} is missing in {}", case.name, run.stderr);
        }
        assert_eq!(files(folder.path()), [case.name], "nothing is left behind");
    }
}

#[test]
fn labels_alone_are_no_data() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("labels.svm"), "1\n-1\n1\n").unwrap();
    let run = mercer(folder.path(), &["train", "labels.svm", "--format", "libsvm"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("labels.svm: no index:value in any row"), "{}", run.stderr);
}

#[test]
fn a_line_without_end() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("long.svm"), [b"1 1:2\n-1 1:".as_slice(), &[b'7'; 100_000]].concat())
        .unwrap();
    let run = mercer(folder.path(), &["train", "long.svm"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("long.svm:2:") && run.stderr.len() < 500, "{}", run.stderr);
}

#[test]
fn parameters() {
    let folder = tempfile::tempdir().unwrap();
    let heart = data("heart_scale");
    for (arguments, expected) in [
        (&["--cost", "-1"][..], "cost = -1"),
        (&["--cost", "nan"], "cost = NaN"),
        (&["--kernel", "gausian"], "gaussian"),
        (&["--kernel", "gaussian(gamma=-1)"], "gamma"),
        (&["--tolerance", "0"], "tolerance = 0"),
        (&["--class-weight", "2=1"], "label 2"),
        (&["--class-weight", "1"], "LABEL=FACTOR"),
        (&["--time-limit", "-3"], "time-limit = -3"),
        (&["--time-limit", "1e300"], "from 0 to 1e9"),
        (
            &["--class-weight", "balanced", "--class-weight", "1=3"],
            "balanced sets the factors of all classes",
        ),
        (&["--kernel", "polynomial(degree=1e9)"], "in digits, of at most 4294967295"),
        (&["--kernel", "gaussian(gamma=1, sigma=2)"], "sigma besides gamma"),
        (&["--kernel", "-1*linearr"], "did you mean linear"),
        (&["--scale", "min-max"], "use max-abs"),
    ] {
        let mut all = vec!["train", &heart, "-o", "m.mercer"];
        all.extend(arguments);
        let run = mercer(folder.path(), &all);
        assert_ne!(run.code, 0, "{arguments:?}");
        assert!(run.stderr.contains(expected), "{arguments:?}: {}", run.stderr);
        assert!(files(folder.path()).is_empty(), "{arguments:?}");
    }
    for (label, expected) in
        [("6", "no column 6"), ("-6", "no column 6 from the end"), ("-9223372036854775808", "no column")]
    {
        let run = mercer(folder.path(), &["train", &data("iris.csv"), "-o", "m.mercer", "--label", label]);
        assert_eq!(run.code, 1, "{label}");
        assert!(run.stderr.contains(expected), "{label}: {}", run.stderr);
    }
    assert_eq!(mercer(folder.path(), &["train"]).code, 2);
    assert_eq!(mercer(folder.path(), &["tarin", "x"]).code, 2);
}

#[test]
fn model_files() {
    let folder = tempfile::tempdir().unwrap();
    let heart = data("heart_scale");
    assert_eq!(mercer(folder.path(), &["train", &heart, "-o", "m.mercer"]).code, 0);
    let good = fs::read(folder.path().join("m.mercer")).unwrap();
    let check = |name: &str, bytes: &[u8]| {
        fs::write(folder.path().join("bad.mercer"), bytes).unwrap();
        let run = mercer(folder.path(), &["predict", "bad.mercer", &heart, "-o", "p.csv"]);
        assert_eq!(run.code, 1, "{name}");
        assert!(run.stderr.contains("bad.mercer"), "{name}: {}", run.stderr);
        assert!(!folder.path().join("p.csv").exists(), "{name}");
    };
    check("empty", b"");
    check("other", b"not a model at all");
    check("cut", &good[..good.len() / 2]);
    let mut flipped = good.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 4;
    check("flipped", &flipped);

    // An existing model is not lost by accident.
    let run = mercer(folder.path(), &["train", &heart, "-o", "m.mercer"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("--force"), "{}", run.stderr);
    assert_eq!(fs::read(folder.path().join("m.mercer")).unwrap(), good);

    // Another number of columns.
    let run = mercer(folder.path(), &["predict", "m.mercer", &data("iris.csv")]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("5 fields, but the training had 14 (13 without labels)"), "{}", run.stderr);
    let run = mercer(folder.path(), &["predict", "absent.mercer", &heart]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("absent.mercer"), "{}", run.stderr);
}
