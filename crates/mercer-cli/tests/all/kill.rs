//! Programs that are killed at random moments: nothing half-written is left where a file is expected, and what goes on ends as if nothing had
//! happened.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use mercer::data::Random;
use mercer::io::{Model, SavedLearner};
use serde_json::Value;

use crate::learn::{QUICK, table};
use crate::{files, mercer, mercer_fed};

/// Killed at random moments, the model always loads, has lost no more than the interval, and ends as if nothing had happened.
fn killed(times: usize, rows: usize, options: &[&str]) {
    killed_on(times, rows, &table(rows, 5), options);
}

fn killed_on(times: usize, rows: usize, text: &str, options: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let stream = folder.path().join("stream.csv");
    fs::write(&stream, text).unwrap();
    // One command, as a supervisor starts it again and again.
    let arguments =
        [&["learn", "m.mercer", "--checkpoint-every", "500", "--skip-seen", "-q"][..], options].concat();
    let start = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mercer"));
        command.args(&arguments).current_dir(folder.path());
        command.stdin(fs::File::open(&stream).unwrap()).stdout(Stdio::null()).spawn().unwrap()
    };
    let model = folder.path().join("m.mercer");
    assert!(start().wait().unwrap().success());
    let whole = fs::read(&model).unwrap();
    fs::remove_file(&model).unwrap();
    let (mut random, mut seen) = (Random::new(9), 0);
    for kill in 0..times {
        let mut child = start();
        std::thread::sleep(Duration::from_millis(2 + random.below(60) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        if model.exists() {
            let loaded = SavedLearner::load(&model).unwrap();
            let now = loaded.learner.tally().examples;
            assert!(
                now >= seen && (now.is_multiple_of(500) || now == rows as u64),
                "kill {kill}: {now} after {seen}"
            );
            seen = now;
        }
    }
    assert!(start().wait().unwrap().success());
    assert_eq!(fs::read(&model).unwrap(), whole);
    assert_eq!(files(folder.path()), ["m.mercer", "stream.csv"]);
}

#[test]
fn it_survives_being_killed() {
    killed(5, 20_000, &QUICK);
}

/// Projections, averages and several machines are resumed as they were.
#[test]
fn every_learner_survives_being_killed() {
    killed(3, 6000, &["--budget", "20", "--first", "100", "--project", "--average", "--rule", "perceptron"]);
    killed(
        3,
        6000,
        &["--budget", "30", "--first", "100", "--classes", "red,blue,green", "--kernel", "linear"],
    );
}

#[test]
#[ignore = "fifty times"]
fn it_survives_being_killed_fifty_times() {
    killed(50, 200_000, &QUICK);
    killed(
        20,
        30_000,
        &["--budget", "20", "--first", "100", "--project", "--average", "--rule", "perceptron"],
    );
}

/// Learners that keep every example, and those of numbers, of levels and of JSON.
#[test]
fn exact_learners_survive_being_killed() {
    killed(4, 3000, &["--budget", "0", "--first", "100", "--kernel", "gaussian(gamma=0.05)"]);
    killed(3, 2000, &["--budget", "0", "--first", "100", "--average", "--rule", "perceptron"]);
    let mut random = Random::new(6);
    let points: Vec<(f64, f64)> = (0..2500).map(|_| (6.0 * random.uniform(), random.normal())).collect();
    let lines =
        |line: &dyn Fn(f64, f64) -> String| points.iter().map(|&(x, z)| line(x, z)).collect::<String>();
    let numbers = lines(&|x, z| format!("{x},{z},{}\n", x.sin() + 0.1 * z));
    killed_on(4, 2500, &numbers, &["--budget", "0", "--first", "50", "--task", "numbers"]);
    let levels = lines(&|x, z| format!("{x},{z},{}\n", (x / 2.0) as usize + 1));
    killed_on(3, 2500, &levels, &["--budget", "0", "--first", "50", "--levels", "3"]);
    let json = lines(&|x, z| format!("{{\"x\": {x}, \"z\": {z}, \"label\": {}}}\n", x.sin()));
    killed_on(3, 2500, &json, &["--budget", "40", "--project", "--first", "50", "--task", "numbers"]);
}

/// Lines that could not be learned were not counted, and are not taken for seen ones when the same command starts again.
#[test]
fn bad_lines_are_bad_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.mercer");
    for (text, options) in [
        ("1,2,a\n3,4,b\n1,1,a\n5,5,c\n1,2\n2,2,a\n4,4,b\n9,9,x,y\n4,5,b\n", &["--first", "3"][..]),
        ("1,2,0.5\n3,4,1\n5,5,1e200\n2,2,0.25\n2,2,word\n4,4,2\n", &["--first", "2", "--task", "numbers"]),
        ("1,2,1\n3,4,2\n5,5,7\n2,2,1.5\n4,4,2\n1,1,1\n", &["--first", "2", "--levels", "2"]),
    ] {
        let _ = fs::remove_file(&path);
        let words = [&["--skip-bad", "--skip-seen", "--json"], options].concat();
        let first = mercer_fed(folder.path(), &[&["learn", "m.mercer"], &words[..]].concat(), text);
        assert_eq!(first.code, 0, "{}", first.stderr);
        let bytes = fs::read(&path).unwrap();
        let again = mercer_fed(folder.path(), &[&["learn", "m.mercer"], &words[..]].concat(), text);
        assert_eq!(again.code, 0, "{}", again.stderr);
        let [first, again] = [&first, &again].map(|run| serde_json::from_str::<Value>(&run.stdout).unwrap());
        assert_eq!(
            (&again["new_examples"], &again["bad_lines"]),
            (&Value::from(0), &first["bad_lines"]),
            "{text}"
        );
        assert!(first["bad_lines"].as_u64() >= Some(2), "{first}");
        assert_eq!(fs::read(&path).unwrap(), bytes, "{text}");
    }
}

/// A child that is killed where a test fails.
struct Killed(Child);

impl Killed {
    fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Sessions of `mercer label` that are killed after some answers, at any moment: the file has whole lines of what was answered, and the
/// sessions together ask and write what one session does.
#[test]
fn labels_survive_being_killed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pool.labelled.csv");
    let mut random = Random::new(7);
    let mut pool = String::from("x,z\n");
    let points: Vec<(f64, f64)> = (0..60).map(|_| (random.normal(), random.normal())).collect();
    points.iter().for_each(|(x, z)| pool += &format!("{x:.3},{z:.3}\n"));
    fs::write(folder.path().join("pool.csv"), pool).unwrap();
    let class = |row: usize| if points[row].0 + points[row].1 * points[row].1 > 0.5 { "high" } else { "low" };
    let answered = || fs::read_to_string(&path).map_or(0, |text| text.lines().count().saturating_sub(1));
    // Answers questions until there are so many labels, and kills the program a moment after the last answer.
    let session = |until: usize, moment: Duration| {
        let child = Command::new(env!("CARGO_BIN_EXE_mercer"))
            .args(["label", "pool.csv", "--classes", "low,high"])
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut child = Killed(child);
        let mut stdin = child.0.stdin.take().unwrap();
        let questions = BufReader::new(child.0.stderr.take().unwrap()).lines();
        let mut left = until - answered();
        for line in questions.map(Result::unwrap) {
            let Some(row) = line.strip_prefix("row ").and_then(|rest| rest.split(' ').next()) else {
                continue;
            };
            writeln!(stdin, "{}", class(row.parse::<usize>().unwrap() - 1)).unwrap();
            left -= 1;
            if left == 0 {
                break;
            }
        }
        std::thread::sleep(moment);
        child.kill();
    };
    // In one session, up to the end of its input.
    session(40, Duration::from_secs(2));
    let whole = fs::read_to_string(&path).unwrap();
    assert_eq!(whole.lines().count(), 41, "{whole}");
    fs::remove_file(&path).unwrap();
    let mut sessions = 0;
    while answered() < 40 {
        sessions += 1;
        assert!(sessions < 400, "no session gets anywhere");
        let before = answered();
        session((before + 1 + random.below(6)).min(40), Duration::from_micros(random.below(20_000) as u64));
        if path.exists() {
            let text = fs::read_to_string(&path).unwrap();
            assert!(whole.starts_with(&text) && text.ends_with('\n'), "{text}");
            assert!(answered() >= before, "answers were lost");
        }
    }
    assert!(sessions > 5);
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
    // The next one removes what a write that was killed has left.
    let words = ["label", "pool.csv", "--classes", "low,high"];
    assert_eq!(mercer_fed(folder.path(), &words, "q\n").code, 0);
    assert_eq!(files(folder.path()), ["pool.csv", "pool.labelled.csv"]);
}

/// Trainings that go on from a partial model and are killed leave that model, or the whole one.
#[test]
#[cfg(unix)]
fn partial_models_survive_being_killed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("rows.csv"), table(2500, 3)).unwrap();
    let model = folder.path().join("m.mercer");
    let same = ["train", "rows.csv", "--test", "none", "--force", "--json", "--tolerance", "1e-6"];
    let begin = ["--cost", "300", "--kernel", "gaussian(gamma=0.3)", "--keep-partial"];
    let summary = |words: &[&str]| -> Value {
        let run = mercer(folder.path(), words);
        assert_eq!(run.code, 0, "{}", run.stderr);
        serde_json::from_str(&run.stdout).unwrap()
    };
    let whole = summary(&[&same[..], &begin, &["-o", "whole.mercer"]].concat());
    assert_eq!(whole["status"], "Converged");
    let start = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mercer"));
        command.args(words).current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    };
    // From the first step on: interrupts keep what was reached, and a kill keeps nothing, or all.
    let half = (whole["reports"][0]["iterations"].as_u64().unwrap() / 2).max(1).to_string();
    summary(&[&same[..], &begin, &["-o", "m.mercer", "--max-iterations", &half]].concat());
    let partial = fs::read(&model).unwrap();
    let from = [&same[..], &["--from", "m.mercer", "-o", "m.mercer", "--keep-partial"]].concat();
    let mut random = Random::new(11);
    let mut kept = 0;
    for _ in 0..12 {
        let mut child = start(&from);
        std::thread::sleep(Duration::from_millis(random.below(400) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = fs::read(&model).unwrap();
        let loaded = Model::load(&model).unwrap();
        if now == partial {
            kept += 1;
        } else {
            assert_eq!(loaded.machine.status(), Some(mercer::solver::Status::Converged));
            fs::write(&model, &partial).unwrap();
        }
    }
    assert!(kept > 0, "no training was killed before its end");
    if !crate::ignores_interrupts() {
        // An interrupt writes a model that is whole and no worse than the one it began with, or none.
        for _ in 0..3 {
            let mut child = start(&from);
            std::thread::sleep(Duration::from_millis(random.below(400) as u64));
            interrupt(&child);
            child.wait().unwrap();
            Model::load(&model).unwrap();
        }
    }
    let resumed = summary(&from);
    assert_eq!(resumed["status"], "Converged");
    let objective = |summary: &Value| summary["reports"][0]["certificate"]["dual"].as_f64().unwrap();
    let (a, b) = (objective(&resumed), objective(&whole));
    assert!((a - b).abs() <= 1e-5 * b.abs(), "{a} against {b}");
    for name in ["m.mercer", "whole.mercer"] {
        let out = format!("{name}.csv");
        assert_eq!(mercer(folder.path(), &["predict", name, "rows.csv", "-o", &out]).code, 0);
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let (a, b) = (read("m.mercer.csv"), read("whole.mercer.csv"));
    let different = a.lines().zip(b.lines()).filter(|(a, b)| a != b).count();
    // Rows on the border, to the tolerance of the training.
    assert!(a.lines().count() == b.lines().count() && different <= 3, "{different} predictions differ");
}

#[cfg(unix)]
fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    // It may have ended already.
    let _ = sent;
}
