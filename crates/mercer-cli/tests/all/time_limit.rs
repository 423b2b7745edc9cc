//! Limits of time: every command that learns ends in time, with something worth having.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::mercer;

/// Rows of two numbers, a level and a class: a checkerboard with some noise.
fn checkerboard(rows: usize) -> String {
    let mut state = 1u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / (1u64 << 24) as f64
    };
    let mut text = String::from("x,z,level,kind\n");
    for _ in 0..rows {
        let (x, z, noise) = (draw(), draw(), draw());
        let is_up = ((6.0 * x) as u32 + (6.0 * z) as u32).is_multiple_of(2);
        let kind = if is_up != (noise < 0.05) { "up" } else { "down" };
        writeln!(text, "{x},{z},{},{kind}", (3.0 * x) as u32).unwrap();
    }
    text
}

fn run(folder: &Path, arguments: &[&str]) -> (String, Duration) {
    let begun = Instant::now();
    let run = mercer(folder, arguments);
    assert_eq!(run.code, 0, "{arguments:?}: {}{}", run.stdout, run.stderr);
    (run.stdout, begun.elapsed())
}

#[test]
fn folds_share_the_time_equally() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("many.csv"), checkerboard(40_000)).unwrap();
    let words = [
        &["evaluate", "many.csv", "--ignore", "level", "--cv", "5", "--time-limit", "8", "--json"][..],
        &["--kernel", "gaussian(gamma=6)", "--cost", "5"],
    ]
    .concat();
    let (text, took) = run(folder.path(), &words);
    let found: Value = serde_json::from_str(&text).unwrap();
    let each: Vec<f64> =
        found["test"]["folds"].as_array().unwrap().iter().map(|fold| fold.as_f64().unwrap()).collect();
    // Half of the rows are of each class; what is left of noise is 5 %.
    assert_eq!(each.len(), 5);
    assert!(each.iter().all(|&accuracy| accuracy > 0.8), "{each:?}");
    // Generous: other tests may be running on the same processor.
    assert!(took < Duration::from_secs(30), "{took:?}");
}

#[test]
fn every_machine_ends_in_time_and_learns_from_as_many_rows_as_there_is_time_for() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("some.csv"), checkerboard(4000)).unwrap();
    let machines = [
        "ridge",
        "gp",
        "lssvm",
        "fisher",
        "rvm",
        "pls",
        "bayes-point",
        "ordinal",
        "rbf-network",
        "sphere-slab",
    ];
    for machine in machines {
        let mut words =
            vec!["train", "some.csv", "--machine", machine, "--time-limit", "2", "-o", "m.mercer"];
        words.extend(["--force", "--memory", "1000"]);
        if matches!(machine, "ridge" | "pls" | "ordinal") {
            words.extend(["--label", "level", "--ignore", "kind"]);
        }
        let (text, took) = run(folder.path(), &words);
        assert!(text.contains("on new rows"), "{machine}: {text}");
        assert!(took < Duration::from_secs(20), "{machine}: {took:?}");
    }
    for words in
        [&["cluster", "--clusters", "3"][..], &["cluster", "--clusters", "3", "--spectral"], &["reduce"]]
    {
        let words = [words, &["some.csv", "--time-limit", "2", "-o", "m.mercer", "--force"]].concat();
        let (_, took) = run(folder.path(), &words);
        assert!(took < Duration::from_secs(20), "{words:?}: {took:?}");
    }
    let words =
        ["rank", "some.csv", "--label", "level", "--ignore", "kind", "--time-limit", "2", "-o", "r.mercer"];
    assert!(run(folder.path(), &words).1 < Duration::from_secs(20));
}

#[test]
fn a_search_ends_in_time_with_what_it_found() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("many.csv"), checkerboard(20_000)).unwrap();
    let words = ["tune", "many.csv", "--ignore", "level", "--time-limit", "5", "--json"];
    let (text, took) = run(folder.path(), &words);
    let found: Value = serde_json::from_str(&text).unwrap();
    assert!(found["best"]["mean"].as_f64().unwrap() > 0.75, "{}", found["best"]);
    assert!(took < Duration::from_secs(25), "{took:?}");
    let words = ["train", "many.csv", "--ignore", "level", "--tune", "--time-limit", "12", "-o", "m.mercer"];
    let (text, took) = run(folder.path(), &words);
    assert!(text.contains("on new rows") && took < Duration::from_secs(40), "{took:?}: {text}");
}

/// Rows of six numbers, with a checkerboard in two of them, a level and a class, of which one in seven is wrong: more than any machine
/// learns in some seconds.
fn hard(rows: usize) -> String {
    let mut state = 7u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / (1u64 << 24) as f64
    };
    let mut text = String::from("a,b,c,d,e,f,level,kind\n");
    for _ in 0..rows {
        let v: Vec<f64> = (0..6).map(|_| draw()).collect();
        let is_up = ((6.0 * v[0]) as u32 + (6.0 * v[1]) as u32).is_multiple_of(2);
        let kind = if is_up != (draw() < 0.15) { "up" } else { "down" };
        let level = (3.0 * v[0]) as u32 + u32::from(draw() < 0.1);
        let v: Vec<String> = v.iter().map(|x| format!("{x:.4}")).collect();
        writeln!(text, "{},{level},{kind}", v.join(",")).unwrap();
    }
    text
}

/// Files for trainings that take far longer than any limit here.
fn hard_files(folder: &Path) {
    let text = hard(60_000);
    fs::write(folder.join("hard.csv"), &text).unwrap();
    let (names, rows) = text.split_once('\n').unwrap();
    let (one, other) = rows.split_at(rows.match_indices('\n').nth(29_999).unwrap().0 + 1);
    fs::write(folder.join("one.csv"), format!("{names}\n{one}")).unwrap();
    fs::write(folder.join("other.csv"), format!("{names}\n{other}")).unwrap();
}

/// Classes of `hard.csv`, and its levels.
const KIND: [&str; 3] = ["hard.csv", "--ignore", "level"];
const LEVEL: [&str; 5] = ["hard.csv", "--label", "level", "--ignore", "kind"];
const OUTPUT: [&str; 3] = ["-o", "m.mercer", "--force"];

/// Every command takes nearly all of the time that it is given, and not much more.
fn uses_its_time(commands: &[(&[&str], &[&str], &[&str])], limit: f64, (least, most): (f64, f64)) {
    let folder = tempfile::tempdir().unwrap();
    hard_files(folder.path());
    let mut missed = Vec::new();
    for (command, data, more) in commands {
        let limit_text = limit.to_string();
        let words = [*command, *data, *more, &["--time-limit", &limit_text]].concat();
        let took = run(folder.path(), &words).1.as_secs_f64();
        eprintln!("{took:6.2} s: {words:?}");
        if !(least * limit..=most * limit).contains(&took) {
            missed.push(format!("{took:.2} s: {words:?}"));
        }
    }
    assert!(missed.is_empty(), "limit {limit} s: {missed:#?}");
}

#[test]
fn a_limit_of_time_is_used_and_kept() {
    let commands: [(&[&str], &[&str], &[&str]); 7] = [
        (&["train", "--test", "none"], &KIND, &OUTPUT),
        (&["train", "--machine", "lssvm"], &KIND, &OUTPUT),
        (&["evaluate", "--cv", "5"], &KIND, &[]),
        (&["tune"], &KIND, &[]),
        (&["cluster", "--clusters", "5"], &KIND, &OUTPUT),
        (&["clean"], &KIND, &[]),
        (&["compare", "one.csv", "other.csv"], &["--label", "kind"], &[]),
    ];
    uses_its_time(&commands, 6.0, (0.6, 1.5));
}

#[test]
#[ignore = "minutes, and a machine that does nothing else: ./check --full"]
fn a_limit_of_time_is_used_and_kept_by_every_command() {
    let mut commands: Vec<(&[&str], &[&str], &[&str])> = vec![
        (&["train", "--test", "none"], &KIND, &OUTPUT),
        (&["train"], &KIND, &OUTPUT),
        (&["train", "--tune"], &KIND, &OUTPUT),
        (&["evaluate", "--cv", "5"], &KIND, &[]),
        (&["tune"], &KIND, &[]),
        (&["cluster", "--clusters", "5"], &KIND, &OUTPUT),
        (&["cluster", "--spectral", "--clusters", "5"], &KIND, &OUTPUT),
        (&["clean"], &KIND, &[]),
        (&["compare", "one.csv", "other.csv"], &["--label", "kind"], &[]),
    ];
    let classifiers: [&[&str]; 5] = [
        &["train", "--machine", "lssvm"],
        &["train", "--machine", "gp"],
        &["train", "--machine", "rvm"],
        &["train", "--machine", "bayes-point"],
        &["train", "--machine", "rbf-network"],
    ];
    commands.extend(classifiers.map(|command| (command, &KIND[..], &OUTPUT[..])));
    let regressions: [&[&str]; 2] = [&["train", "--machine", "ridge"], &["train", "--machine", "pls"]];
    commands.extend(regressions.map(|command| (command, &LEVEL[..], &OUTPUT[..])));
    uses_its_time(&commands, 15.0, (0.8, 1.2));
}

/// What is shown of a training, and the estimates in it: when they were shown and the seconds left.
fn estimates(text: &str) -> Vec<(f64, f64)> {
    let read = |line: &str| {
        let (before, rest) = line.split_once(" s, about ")?;
        let elapsed = before.rsplit([' ', ':']).next()?.parse().ok()?;
        Some((elapsed, rest.split_once(" s left")?.0.parse().ok()?))
    };
    text.lines().filter_map(read).collect()
}

#[test]
fn trainings_of_few_rows_show_how_long_they_take() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("few.csv"), hard(1200)).unwrap();
    let commands: [&[&str]; 3] = [
        &["train", "few.csv", "--ignore", "level", "--machine", "gp", "--test", "none", "-o", "m.mercer"],
        &["cluster", "few.csv", "--ignore", "level", "--clusters", "8", "--starts", "30", "-o", "c.mercer"],
        &["clean", "few.csv", "--ignore", "level", "--cost", "50"],
    ];
    for words in commands {
        let begun = Instant::now();
        let run = mercer(folder.path(), words);
        let took = begun.elapsed().as_secs_f64();
        assert_eq!(run.code, 0, "{words:?}: {}", run.stderr);
        eprintln!("{took:.2} s: {words:?}: {}", run.stderr);
        // A machine that is fast enough has nothing to show.
        if took > 4.0 {
            let shown = estimates(&run.stderr);
            assert!(!shown.is_empty(), "{took} s: {words:?}: {}", run.stderr);
            for (elapsed, left) in shown {
                let ratio = (elapsed + left) / took;
                assert!((0.25..4.0).contains(&ratio), "{ratio}, {took} s: {words:?}: {}", run.stderr);
            }
        }
    }
}

/// Sends an interrupt to a run after some time: what it said, and how long it took to end.
#[cfg(unix)]
fn interrupted(folder: &Path, words: &[&str], after: Duration) -> (crate::Run, Duration) {
    let child = std::process::Command::new(env!("CARGO_BIN_EXE_mercer"))
        .current_dir(folder)
        .args(words)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(after);
    let id = child.id().to_string();
    let begun = Instant::now();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    (crate::Run::of(child.wait_with_output().unwrap()), begun.elapsed())
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_every_command_at_once_with_what_was_found() {
    if crate::ignores_interrupts() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    hard_files(folder.path());
    fs::write(folder.path().join("some.csv"), hard(9000)).unwrap();
    let some = ["some.csv", "--ignore", "level"];
    let few = ["few.csv", "--ignore", "level"];
    let matrix = ["-o", "m.mercer", "--memory", "3000"];
    // What is on standard output then: nothing of a training that is not complete.
    type Case<'a> = (&'a [&'a str], &'a [&'a str], &'a [&'a str], &'a str);
    let commands: [Case; 14] = [
        (&["train", "--cost", "1000"], &["one.csv", "--ignore", "level"], &OUTPUT, ""),
        (&["train", "--machine", "lssvm"], &some, &matrix, ""),
        (&["train", "--machine", "gp"], &some, &matrix, ""),
        (&["train", "--machine", "rvm"], &some, &matrix, ""),
        (&["train", "--machine", "bayes-point"], &some, &matrix, ""),
        (&["evaluate", "--cv", "500", "--cost", "10"], &few, &[], "folds"),
        (&["tune"], &KIND, &["--exhaustive"], ""),
        (&["cluster", "--clusters", "9", "--starts", "9000"], &some, &matrix, ""),
        (&["reduce", "--components", "400"], &some, &matrix, ""),
        (&["rank", "--cost", "1000"], &LEVEL, &OUTPUT, ""),
        (&["curve", "--cost", "100"], &KIND, &[], ""),
        (&["clean", "--cost", "1"], &few, &["--times", "500"], "contradicted"),
        (&["compare", "one.csv", "other.csv"], &["--label", "kind"], &[], ""),
        (&["prototypes"], &KIND[..1], &[], ""),
    ];
    fs::write(folder.path().join("few.csv"), hard(1000)).unwrap();
    for (command, data, more, shown) in commands {
        let words = [command, data, more].concat();
        let (run, took) = interrupted(folder.path(), &words, Duration::from_millis(2000));
        eprintln!("{took:?}: {words:?}: {}", run.stderr);
        assert_eq!(run.code, 130, "{words:?}: {}", run.stderr);
        assert!(run.stderr.contains("interrupted"), "{words:?}: {}", run.stderr);
        assert!(run.stdout.contains(shown), "{words:?}: {}", run.stdout);
        // A second on a machine that does nothing else.
        assert!(took < Duration::from_secs(4), "{words:?}: {took:?}");
    }
}
