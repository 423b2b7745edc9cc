//! Peak memory of a whole training, measured from outside.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Peak resident size in bytes while `mercer` runs; `None` where the system does not tell.
fn peak(folder: &Path, arguments: &[&str]) -> Option<u64> {
    let (peak, code) = peak_and_code(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}");
    peak
}

/// The same, and the exit code; what it writes to the standard error goes to `errors.txt`.
fn peak_and_code(folder: &Path, arguments: &[&str]) -> (Option<u64>, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mercer"))
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(std::fs::File::create(folder.join("errors.txt")).unwrap())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    loop {
        // VmHWM only grows, so that the last look before the end is the peak.
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with("VmHWM:")).map(str::to_string);
        peak =
            line.and_then(|l| l.split_whitespace().nth(1)?.parse::<u64>().ok()).map(|kib| kib << 10).or(peak);
        if let Some(status) = child.try_wait().unwrap() {
            return (peak, status.code());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// 3000 rows, whose kernel matrix takes 72 MB: with 20 MB every machine ends within them and what the process itself takes, or says
/// in a sentence that it cannot.
#[test]
fn no_machine_takes_more_than_its_memory() {
    const LIMIT: u64 = 20 << 20;
    const PROCESS: u64 = 20 << 20;
    let folder = tempfile::tempdir().unwrap();
    let (mut classes, mut numbers, mut levels) =
        ("a,b,c,t\n".to_string(), "a,b,c,t\n".to_string(), "a,b,c,t\n".to_string());
    for i in 0..3000 {
        let [x, y, z] = [0.37, 0.73, 1.31].map(|step| 3.0 * (f64::from(i) * step).sin());
        let target = x + y * z;
        let row = format!("{x:.4},{y:.4},{z:.4}");
        classes += &format!("{row},{}\n", if target > 0.0 { "p" } else { "q" });
        numbers += &format!("{row},{target:.4}\n");
        levels += &format!("{row},{}\n", (target + 3.0).clamp(0.0, 5.0) as u32);
    }
    for (name, text) in [("classes.csv", classes), ("numbers.csv", numbers), ("levels.csv", levels)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let shared = ["-o", "m.mercer", "--force", "-q", "--memory", "20", "--threads", "1"];
    let table: [&[&str]; 17] = [
        &["train", "classes.csv", "--cost", "1", "--test", "none"],
        &["train", "numbers.csv", "--cost", "1", "--test", "none"],
        &["train", "levels.csv", "--multiclass", "crammer-singer", "--cost", "1", "--test", "none"],
        &["train", "levels.csv", "--multiclass", "weston-watkins", "--cost", "1", "--test", "none"],
        &["train", "classes.csv", "--machine", "lssvm"],
        &["train", "numbers.csv", "--machine", "ridge"],
        &["train", "numbers.csv", "--machine", "gp", "--rank", "50"],
        &["train", "numbers.csv", "--machine", "rvm", "--rank", "50"],
        &["train", "classes.csv", "--machine", "bayes-point"],
        &["train", "classes.csv", "--machine", "fisher"],
        &["train", "levels.csv", "--machine", "ordinal"],
        &["train", "numbers.csv", "--machine", "pls"],
        &["train", "numbers.csv", "--machine", "sphere-slab"],
        &["train", "classes.csv", "--machine", "rbf-network"],
        &["reduce", "numbers.csv"],
        &["cluster", "numbers.csv", "--clusters", "3", "--starts", "1"],
        &["rank", "levels.csv"],
    ];
    for words in table {
        let kernel: &[&str] =
            if words.contains(&"rbf-network") { &[] } else { &["--kernel", "gaussian(gamma=0.5)"] };
        let (peak, code) = peak_and_code(folder.path(), &[words, kernel, &shared].concat());
        let errors = std::fs::read_to_string(folder.path().join("errors.txt")).unwrap();
        assert!(
            code == Some(0) || (code == Some(1) && errors.contains("the budget allows")),
            "{words:?}: {errors}"
        );
        if let Some(bytes) = peak {
            assert!(bytes < LIMIT + PROCESS, "{words:?}: {} MB", bytes >> 20);
        }
    }
}

/// The same with a thousand classes, with classes of which each keeps a matrix of its own, and with columns of which few have a value.
#[test]
fn many_classes_and_columns_take_no_more_than_the_memory() {
    const LIMIT: u64 = 20 << 20;
    const PROCESS: u64 = 20 << 20;
    let folder = tempfile::tempdir().unwrap();
    let row =
        |i: usize| [0.37, 0.73, 1.31].map(|step| format!("{:.4}", 3.0 * (i as f64 * step).sin())).join(",");
    let table = |rows: usize, classes: usize| -> String {
        (0..rows).map(|i| format!("{},c{}\n", row(i), i * 7 % classes)).collect()
    };
    std::fs::write(folder.path().join("many.csv"), table(3000, 1000)).unwrap();
    std::fs::write(folder.path().join("six.csv"), table(900, 6)).unwrap();
    let far: String = (0..40).map(|i| format!("{} 1:{i} 300000:{}\n", i % 2, i % 3)).collect();
    std::fs::write(folder.path().join("far.svm"), far).unwrap();
    let shared = ["-o", "m.mercer", "--force", "-q", "--memory", "20", "--threads", "1", "--test", "none"];
    let gaussian: &[&str] = &["--kernel", "gaussian(gamma=0.5)"];
    let table: [(&[&str], &[&str], Option<&str>); 9] = [
        (
            &["many.csv", "--machine", "lssvm", "--cost", "1"],
            gaussian,
            Some("the targets and coefficients of all"),
        ),
        (&["many.csv", "--machine", "lssvm"], gaussian, Some("the outputs of all values of lambda")),
        (&["many.csv", "--machine", "fisher"], gaussian, Some("the coordinates of all items")),
        (&["many.csv", "--machine", "bayes-point"], gaussian, Some("the coefficients of all classes")),
        (&["many.csv", "--cost", "1"], gaussian, Some("one problem for each pair of classes")),
        (
            &["many.csv", "--cost", "1", "--multiclass", "one-against-rest"],
            gaussian,
            Some("one problem for each"),
        ),
        (
            &["many.csv", "--cost", "1", "--multiclass", "crammer-singer"],
            gaussian,
            Some("a coefficient for each row"),
        ),
        (&["six.csv", "--machine", "gp", "--cost", "1"], gaussian, None),
        (&["far.svm", "--machine", "rbf-network", "--bumps", "2", "--starts", "1"], &[], None),
    ];
    for (words, kernel, refused) in table {
        let (peak, code) = peak_and_code(folder.path(), &[&["train"], words, kernel, &shared].concat());
        let errors = std::fs::read_to_string(folder.path().join("errors.txt")).unwrap();
        match refused {
            Some(what) => assert!(
                code == Some(1) && errors.contains(what) && errors.contains("the budget allows"),
                "{words:?}: {errors}"
            ),
            None => assert_eq!(code, Some(0), "{words:?}: {errors}"),
        }
        if let Some(bytes) = peak {
            assert!(bytes < LIMIT + PROCESS, "{words:?}: {} MB", bytes >> 20);
        }
    }
}

/// A table of 100 000 columns: 3.2 MB of numbers, which were 500 MB of JSON values when the model was written.
#[test]
fn columns_by_the_hundred_thousand_take_little_beside_their_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let row = |i: usize| (0..100_000).map(|j| format!("{},", (i * 7 + j) % 10)).collect::<String>();
    let text: String = (0..4).map(|i| format!("{}{}\n", row(i), ["a", "b"][i % 2])).collect();
    std::fs::write(folder.path().join("wide.csv"), text).unwrap();
    let train = ["train", "wide.csv", "--kernel", "linear", "--cost", "1", "--test", "none", "-q", "--force"];
    let predict = ["predict", "wide.mercer", "wide.csv", "-o", "out.csv"];
    for words in [&train[..], &predict] {
        if let Some(bytes) = peak(folder.path(), &[words, &["--threads", "1"]].concat()) {
            assert!(bytes < 120 << 20, "{words:?}: {} MB", bytes >> 20);
        }
    }
}

#[test]
fn a9a_stays_within_its_budget() {
    let Ok(folder) = std::env::var("MERCER_DATA") else {
        println!("skipped: MERCER_DATA is not set");
        return;
    };
    let a9a = Path::new(&folder).join("a9a/a9a.gz");
    let scratch = tempfile::tempdir().unwrap();
    let run = |extra: &[&str]| {
        let mut arguments = vec![
            "train",
            a9a.to_str().unwrap(),
            "-o",
            "a.mercer",
            "--force",
            "--kernel",
            "gaussian(gamma=0.05)",
        ];
        arguments.extend(extra);
        peak(scratch.path(), &arguments)
    };
    // 451 592 stored values of 12 bytes: the data are 6 MB.
    if let Some(bytes) = run(&[]) {
        assert!(bytes < (1 << 30) + (6 << 20), "{} MB", bytes >> 20);
    }
    if let Some(bytes) = run(&["--memory", "200"]) {
        assert!(bytes < 600 << 20, "{} MB with 200 MB for rows", bytes >> 20);
    }
}

#[test]
fn empty_columns_take_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("far.svm"), "1 1:2 1000000000:1\n-1 1:1\n1 1000000000:4\n-1 7:1\n")
        .unwrap();
    for scale in ["none", "max-abs", "deviation"] {
        let arguments = ["train", "far.svm", "--force", "--scale", scale, "--threads", "1"];
        if let Some(bytes) = peak(folder.path(), &arguments) {
            assert!(bytes < 100 << 20, "{scale}: {} MB", bytes >> 20);
        }
    }
}

/// Predictions stream: a file many times as large takes no more memory.
#[test]
fn predictions_of_a_large_file_take_no_more_memory() {
    let folder = tempfile::tempdir().unwrap();
    let row = |i: usize| format!("{},{},{}\n", i % 97, i * i % 89, ["a", "b"][i % 97 / 49]);
    let write = |name: &str, rows: usize| {
        std::fs::write(folder.path().join(name), (0..rows).map(row).collect::<String>()).unwrap();
    };
    write("small.csv", 300);
    write("large.csv", 1_500_000);
    assert!(peak(folder.path(), &["train", "small.csv", "--quiet"]).is_some_and(|bytes| bytes > 0));
    let arguments = ["predict", "small.mercer", "large.csv", "-o", "out.csv", "--threads", "1"];
    if let Some(bytes) = peak(folder.path(), &arguments) {
        // The rows alone would be 24 MB, their scores as much again.
        assert!(bytes < 20 << 20, "{} MB", bytes >> 20);
    }
    let written = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
    assert_eq!(written.lines().count(), 1_500_001);
}

#[test]
fn a_discriminant_stays_within_its_budget() {
    let scratch = tempfile::tempdir().unwrap();
    let mut state = 7u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / (1u64 << 24) as f64
    };
    let rows: String = (0..8000).map(|i| format!("{},{},{},{}\n", draw(), draw(), draw(), i % 2)).collect();
    std::fs::write(scratch.path().join("many.csv"), rows).unwrap();
    let train = |memory: &'static str| {
        let words = ["train", "many.csv", "--task", "classify", "--gamma", "30", "--machine", "fisher"];
        [&words[..], &["--test", "none", "--force", "-q", "-o", "f.mercer", "--memory", memory]].concat()
    };
    // Coordinates of 500 dimensions take 32 MB, and all that is not made of them some twenty.
    if let Some(bytes) = peak(scratch.path(), &train("40")) {
        assert!(bytes < 80 << 20, "{} MB with 40 MB", bytes >> 20);
    }
    let run = crate::mercer(scratch.path(), &train("20"));
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("the coordinates of all items needs"), "{}", run.stderr);
}
