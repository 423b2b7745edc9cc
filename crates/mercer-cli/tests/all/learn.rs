//! `mercer learn`: streams in three formats, and checkpoints.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use mercer::data::Random;
use mercer::io::SavedLearner;
use serde_json::Value;

use crate::{files, mercer, mercer_fed};

/// Two clouds that overlap a little, as a table.
pub fn table(rows: usize, seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = String::from("a,b,c,class\n");
    for _ in 0..rows {
        let red = random.uniform() < 0.5;
        let shift = if red { 1.0 } else { -1.0 };
        let (a, b) = (100.0 + 10.0 * (shift + random.normal()), shift * 0.5 + random.normal());
        text += &format!("{a:.4},{b:.4},{:.4},{}\n", random.normal(), if red { "red" } else { "blue" });
    }
    text
}

pub const QUICK: [&str; 4] = ["--budget", "50", "--first", "100"];

fn learn(folder: &Path, input: &str, options: &[&str]) -> crate::Run {
    mercer_fed(folder, &[&["learn", "m.mercer"], options].concat(), input)
}

#[test]
fn a_stream_in_two_halves_is_learned_as_in_one() {
    let folder = tempfile::tempdir().unwrap();
    let text = table(3000, 1);
    let lines: Vec<&str> = text.lines().collect();
    let whole = learn(folder.path(), &text, &QUICK);
    assert_eq!(whole.code, 0, "{}", whole.stderr);
    assert!(whole.stdout.contains("new examples    3 000"), "{}", whole.stdout);
    let bytes = fs::read(folder.path().join("m.mercer")).unwrap();

    fs::remove_file(folder.path().join("m.mercer")).unwrap();
    let half = |range: std::ops::Range<usize>| format!("{}\n{}\n", lines[0], lines[range].join("\n"));
    assert_eq!(learn(folder.path(), &half(1..1501), &QUICK).code, 0);
    // The model is what it is: other options than those that it was begun with are refused.
    let refused = learn(folder.path(), &half(1501..3001), &["--budget", "60"]);
    assert_eq!(refused.code, 2);
    let words = "--budget 60: the model is there already and was begun with --budget 50";
    assert!(refused.stderr.contains(words), "{}", refused.stderr);
    // The same command goes on, with and without them, and with what else can be asked for.
    let begun = fs::read(folder.path().join("m.mercer")).unwrap();
    let defaults = ["--task", "classes"];
    for options in
        [&QUICK[..], &["--checkpoint-every", "7"], &["--rule", "passive-aggressive", "--budget", "50"]]
    {
        fs::write(folder.path().join("m.mercer"), &begun).unwrap();
        let second = learn(folder.path(), &half(1501..3001), options);
        assert_eq!(second.code, 0, "{options:?}: {}", second.stderr);
        assert_eq!(fs::read(folder.path().join("m.mercer")).unwrap(), bytes, "{options:?}");
    }
    assert_eq!(learn(folder.path(), &half(1501..3001), &defaults).code, 2);
    // The same from the beginning, leaving out what was seen, learns nothing more.
    let again = learn(folder.path(), &text, &["--skip-seen"]);
    assert!(again.stdout.contains("new examples    0"), "{}", again.stdout);
    assert_eq!(fs::read(folder.path().join("m.mercer")).unwrap(), bytes);
    assert_eq!(files(folder.path()), ["m.mercer"]);
}

#[test]
fn formats_do_not_matter_and_mistakes_are_few() {
    let folder = tempfile::tempdir().unwrap();
    let text = table(2000, 2);
    let mut found = Vec::new();
    let rows = || text.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let libsvm: String = rows().map(|r| format!("{} 1:{} 2:{} 3:{}\n", r[3], r[0], r[1], r[2])).collect();
    let jsonl: String = rows()
        .map(|r| format!("{{\"a\":{},\"b\":{},\"c\":{},\"class\":\"{}\"}}\n", r[0], r[1], r[2], r[3]))
        .collect();
    let arrays: String =
        rows().map(|r| format!("{{\"x\":[{},{},{}],\"label\":\"{}\"}}\n", r[0], r[1], r[2], r[3])).collect();
    let no_header: String = text.lines().skip(1).map(|line| format!("{line}\n")).collect();
    let kernel = ["--kernel", "gaussian(gamma=0.005)", "--scale", "none", "--json"];
    for (name, input, label) in [
        ("csv", &text, Some("class")),
        ("no names", &no_header, None),
        ("libsvm", &libsvm, None),
        ("jsonl", &jsonl, Some("class")),
        ("arrays", &arrays, None),
    ] {
        let model = format!("{}.mercer", name.replace(' ', ""));
        let mut words = vec!["learn", &model];
        words.extend(kernel);
        words.extend(label.iter().flat_map(|label| ["--label", label]));
        let run = mercer_fed(folder.path(), &words, input);
        assert_eq!(run.code, 0, "{name}: {}", run.stderr);
        let told: Value = serde_json::from_str(&run.stdout).unwrap();
        found.push((name, told["mistakes"].as_u64().unwrap(), told["loss"].as_f64().unwrap()));
    }
    for (name, mistakes, loss) in &found {
        assert_eq!((mistakes, loss), (&found[0].1, &found[0].2), "{name}");
        assert!(*mistakes < 600, "{name}: {mistakes}");
    }
}

#[test]
fn numbers_levels_and_three_classes() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random::new(4);
    let points: Vec<f64> = (0..1500).map(|_| 6.0 * random.uniform()).collect();
    let lines = |label: &dyn Fn(f64) -> String| -> String {
        points.iter().map(|&x| format!("{x},{}\n", label(x))).collect()
    };
    let number = lines(&|x| x.sin().to_string());
    let three = lines(&|x| ["low", "middle", "high"][(x / 2.0) as usize].to_string());
    let level = lines(&|x| ((x / 2.0) as usize + 1).to_string());
    for (input, options, least) in [
        (&number, &["--tube", "0.05", "--cost", "10"][..], 0.2),
        (&three, &["--rule", "perceptron"], 0.15),
        (&level, &["--levels", "3"], 0.3),
    ] {
        let _ = fs::remove_file(folder.path().join("m.mercer"));
        let run = learn(folder.path(), input, &[options, &["--json"]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let told: Value = serde_json::from_str(&run.stdout).unwrap();
        let mean = told["loss"].as_f64().unwrap() / 1500.0;
        assert!(mean < least, "{options:?}: {mean}");
    }
    // Lines without a label are predicted, and nothing is learned.
    let before = fs::read(folder.path().join("m.mercer")).unwrap();
    let run = learn(folder.path(), "1,\n5,\n", &["--predictions", "-q"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "1\n3\n"), "{}", run.stderr);
    assert_eq!(fs::read(folder.path().join("m.mercer")).unwrap(), before);
}

#[test]
fn what_cannot_be_read_is_named_and_what_was_learned_stays() {
    let folder = tempfile::tempdir().unwrap();
    let text = table(300, 3);
    let bad = learn(folder.path(), &format!("{text}1,2,x,red\n"), &QUICK);
    assert_eq!(bad.code, 1);
    assert!(bad.stderr.contains("line 302, column 3: `x` is not a number"), "{}", bad.stderr);
    assert_eq!(SavedLearner::load(&folder.path().join("m.mercer")).unwrap().learner.tally().examples, 300);
    let lines = |last: &str| format!("a,b,c,class\n{last}\n");
    for (input, words) in [
        (lines("1,2,3,green"), "line 2, column 4: the class `green` is new; the learner knows blue, red"),
        (lines("1,2"), "2 fields, and the first line has 4"),
        (lines("1,2,3"), "3 fields, and the first line has 4 (where there is no label, its field is empty)"),
        (lines("1,,3,red"), "line 2, column 2: a number is missing"),
        ("a,z,c,class\n1,2,3,red\n".into(), "feature 2 is `z`, the model has learned `b` there"),
    ] {
        let run = learn(folder.path(), &input, &[]);
        assert_eq!(run.code, 1);
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
    fs::write(folder.path().join("other.mercer"), b"something else").unwrap();
    assert_eq!(mercer_fed(folder.path(), &["learn", "other.mercer"], &text).code, 1);
    assert_eq!(mercer_fed(folder.path(), &["learn", "new.mercer"], "").code, 1);

    // The first examples are learned, however few, before the line that cannot be read is told; of nothing there is no model.
    let bad = mercer_fed(folder.path(), &["learn", "few.mercer"], "a,label\n1,x\n2,y\nz,x\n");
    assert!(bad.code == 1 && bad.stderr.contains("line 4, column 1: `z` is not a number"), "{}", bad.stderr);
    assert_eq!(SavedLearner::load(&folder.path().join("few.mercer")).unwrap().learner.tally().examples, 2);
    let words = ["learn", "none.mercer", "--task", "numbers"];
    let bad = mercer_fed(folder.path(), &words, "a,label\n1,x\n2,y\n");
    assert!(bad.stderr.contains("line 2, column 2: the label `x` is not a number"), "{}", bad.stderr);
    assert!(!folder.path().join("none.mercer").exists());
    // Or bad lines are passed over, and counted.
    let words = ["learn", "rest.mercer", "--skip-bad", "--json"];
    let run = mercer_fed(folder.path(), &words, "a,label\n1,x\n2,y\nz,x\n3\n4,y\n5,\n");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(
        (&told["examples"], &told["bad_lines"], &told["unlabelled"]),
        (&3.into(), &2.into(), &1.into())
    );
}

#[test]
fn options_that_would_not_be_looked_at_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let text = table(100, 8);
    for (options, words) in [
        (&["--tube", "3"][..], "--tube: it is for numbers"),
        (&["--rule", "perceptron", "--cost", "5"], "--cost: the perceptron has none"),
        (&["--classes", "red,blue,red"], "--classes has red twice"),
        (&["--classes", "red"], "--classes: there must be two at least"),
        (&["--budget", "0", "--project"], "--project: nothing leaves without a budget"),
        (&["--first", "0"], "--first: one example at least"),
    ] {
        let run = learn(folder.path(), &text, options);
        assert!(run.code != 0 && run.stderr.contains(words), "{options:?}: {}", run.stderr);
    }
    let sorted = learn(folder.path(), "1,no\n2,no\n3,yes\n", &["--first", "2"]);
    let words =
        "the one label no among the first 2 examples: --classes names all of them, or --first waits for more";
    assert!(sorted.code == 1 && sorted.stderr.contains(words), "{}", sorted.stderr);
    assert!(files(folder.path()).is_empty());
}

/// Targets that would leave the range of numbers end the stream, or are counted; the checkpoint loads.
#[test]
fn targets_that_are_too_large_are_bad_lines() {
    let folder = tempfile::tempdir().unwrap();
    let text = "1,1e308\n2,-1e308\n3,0.5\n4,1e308\n5,0.25\n";
    let bad = learn(folder.path(), text, &["--task", "numbers", "--cost", "1e300"]);
    assert_eq!(bad.code, 1, "{}", bad.stderr);
    let place = bad.stderr.split_once("line 1, column 2: ").map(|(_, rest)| rest);
    let value = place.and_then(|rest| rest.split(',').next()).and_then(|value| value.parse().ok());
    assert_eq!(value, Some(1e308), "{}", bad.stderr);
    assert!(bad.stderr.contains("expected a number of at most 1e150 in size"), "{}", bad.stderr);
    let run = learn(folder.path(), text, &["--task", "numbers", "--cost", "1e300", "--skip-bad", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&told["examples"], &told["bad_lines"]), (&2.into(), &3.into()));
    let saved = SavedLearner::load(&folder.path().join("m.mercer")).unwrap();
    assert!(saved.learner.tally().loss.is_finite());
    assert_eq!(mercer(folder.path(), &["inspect", "m.mercer"]).code, 0);
}

/// Lines with huge indices, too many columns or no end are bad lines and cost no memory.
#[test]
fn lines_are_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let long = "x".repeat(40_000);
    let text =
        format!("1 1:1\n-1 2:1\n1 4294967295:1\n{long}\n1 1:0.5 20000000:1\n-1 2:0.5 16000000:1\n1 1:0.75\n");
    for kernel in ["linear", "gaussian(gamma=1)", "gaussian", "intersection", "linear + 0.5 * cosine"] {
        let _ = fs::remove_file(folder.path().join("m.mercer"));
        let words = ["--max-line-length", "10000", "--kernel", kernel, "--json"];
        let run = learn(folder.path(), &text, &[&words[..], &["--skip-bad"]].concat());
        assert_eq!(run.code, 0, "{kernel}: {}", run.stderr);
        let told: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!((&told["examples"], &told["bad_lines"]), (&4.into(), &3.into()), "{kernel}");
        if let Some(peak) = told["peak_memory"].as_u64() {
            assert!(peak < 200 << 20, "{kernel}: {peak}");
        }
        let again = learn(folder.path(), "1 1:1\n", &words);
        assert_eq!(again.code, 0, "{kernel}: {}", again.stderr);
    }
    for (input, options, words) in [
        (
            "1 1:1\n-1 2:1\n1 4294967295:1\n",
            &["--first", "2"][..],
            "line 3, column 2: column 4294967295: there may be 16777216",
        ),
        (
            "1 1:1\n-1 9:1\n",
            &["--max-columns", "8"],
            "line 2, column 2: column 9: there may be 8 (--max-columns)",
        ),
        ("1,2,3,x\n", &["--max-columns", "2"], "there may be 2 (--max-columns)"),
        ("{\"x\": [1, 2, 3], \"y\": \"a\"}\n", &["--max-columns", "2"], "column 3: there may be 2"),
        (
            "1 1:1\n-1 2:1\n1 3:123456789\n",
            &["--max-line-length", "8"],
            "line 3, column 1: a line of more than 8 bytes",
        ),
    ] {
        let _ = fs::remove_file(folder.path().join("m.mercer"));
        let run = learn(folder.path(), input, options);
        assert!(run.code == 1 && run.stderr.contains(words), "{options:?}: {}", run.stderr);
    }
    // The first line may be the bad one.
    let _ = fs::remove_file(folder.path().join("m.mercer"));
    let words = ["--max-line-length", "100", "--skip-bad", "--predictions", "-q"];
    let run = learn(folder.path(), &format!("{long}\n1,a\n5,b\n"), &words);
    assert_eq!(
        (run.code, run.stdout.lines().count(), run.stdout.lines().next()),
        (0, 3, Some("")),
        "{}",
        run.stderr
    );
}

/// Examples for which there is no room are bad lines too; what was learned stays.
#[test]
fn memory_of_a_stream_is_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random::new(13);
    let row =
        |random: &mut Random| -> String { (0..400).map(|_| format!("{:.3},", random.normal())).collect() };
    let text: String = (0..1500).map(|at| format!("{}{}\n", row(&mut random), ["a", "b"][at % 2])).collect();
    let words = ["--budget", "0", "--memory", "2", "--first", "50", "--kernel", "gaussian(gamma=1)"];
    let bad = learn(folder.path(), &text, &words);
    assert!(bad.code == 1 && bad.stderr.contains("remembering one more row needs"), "{}", bad.stderr);
    let saved = SavedLearner::load(&folder.path().join("m.mercer")).unwrap();
    assert!(saved.learner.tally().examples > 100);
    let more = learn(folder.path(), &text, &[&words[..], &["--skip-bad", "--json"]].concat());
    assert_eq!(more.code, 0, "{}", more.stderr);
    let told: Value = serde_json::from_str(&more.stdout).unwrap();
    assert!(told["bad_lines"].as_u64().unwrap() > 1000, "{told}");
}

/// Numbers are classes however they are written, as in all other commands.
#[test]
fn signs_and_zeros_make_no_other_classes() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random::new(11);
    let mut text = String::new();
    for at in 0..400 {
        let sign = if random.uniform() < 0.5 { 1.0 } else { -1.0 };
        let word = match (sign > 0.0, at % 3) {
            (true, 0) => "+1",
            (true, 1) => "1",
            (true, _) => "1.0",
            (false, _) => "-1",
        };
        text += &format!("{word} 1:{} 2:{}\n", sign + 0.5 * random.normal(), random.normal());
    }
    let run = learn(folder.path(), &text, &["--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(told["classes"], serde_json::json!(["-1", "1"]));
    fs::write(folder.path().join("rows.svm"), &text).unwrap();
    let measured = mercer(folder.path(), &["evaluate", "m.mercer", "rows.svm", "--json"]);
    let measured: Value = serde_json::from_str(&measured.stdout).unwrap();
    assert!(measured["accuracy"].as_f64().unwrap() > 0.9, "{measured}");
}

/// A model that goes on knows which column its label is, whatever stands between the fields.
#[test]
fn labels_are_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let text = table(600, 9);
    let turned: String = text
        .lines()
        .map(|line| {
            let (row, label) = line.rsplit_once(',').unwrap();
            format!("{label},{row}\n")
        })
        .collect();
    let half = |text: &str, first: usize, last: usize, names: bool| -> String {
        let head = text.lines().take(usize::from(names));
        let body = text.lines().skip(1 + first).take(last - first);
        head.chain(body).map(|line| format!("{line}\n")).collect()
    };
    let mut found = Vec::new();
    for (name, label, names, delimiter) in [
        ("named", "class", true, ","),
        ("placed", "1", false, ","),
        ("tabs", "1", true, "\t"),
        ("semi", "class", true, ";"),
    ] {
        let text = turned.replace(',', delimiter);
        let model = format!("{name}.mercer");
        let begin = ["learn", &model, "--label", label, "--first", "100"];
        let begun = mercer_fed(folder.path(), &begin, &half(&text, 0, 300, names));
        assert_eq!(begun.code, 0, "{name}: {}", begun.stderr);
        let more = mercer_fed(folder.path(), &["learn", &model, "--json"], &half(&text, 300, 600, names));
        assert_eq!(more.code, 0, "{name}: {}", more.stderr);
        let told: Value = serde_json::from_str(&more.stdout).unwrap();
        assert_eq!(told["examples"], 600, "{name}");
        found.push((told["mistakes"].clone(), told["loss"].clone()));
    }
    assert!(found.iter().all(|one| *one == found[0]), "{found:?}");
    // Nothing but features, as many as were learned: all of them are only predicted.
    let rows: String =
        text.lines().skip(1).take(5).map(|line| format!("{}\n", line.rsplit_once(',').unwrap().0)).collect();
    let asked = mercer_fed(folder.path(), &["learn", "placed.mercer", "--predictions", "-q"], &rows);
    assert!(asked.code == 0 && asked.stdout.lines().count() == 5, "{}", asked.stderr);

    // In a line of numbers a number is a place, even if it stands in the line; JSON has its label by name.
    let numbers: String = (0..50).map(|at| format!("{},{at}\n", (at + 1) % 2)).collect();
    let run = mercer_fed(folder.path(), &["learn", "numbers.mercer", "--label", "1", "--json"], &numbers);
    let told: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&told["examples"], &told["feature_names"]), (&50.into(), &Value::Null));
    let other = mercer_fed(folder.path(), &["learn", "numbers.mercer", "--label", "2"], &numbers);
    assert!(other.stderr.contains("the model has learned the label of column 1"), "{}", other.stderr);
    let objects: String = (0..50).map(|at| format!("{{\"kind\":{},\"a\":{at}}}\n", at % 2)).collect();
    assert_eq!(mercer_fed(folder.path(), &["learn", "o.mercer", "--label", "kind"], &objects).code, 0);
    assert_eq!(mercer_fed(folder.path(), &["learn", "o.mercer"], &objects).code, 0);
    let single = mercer_fed(folder.path(), &["learn", "single.mercer"], "red\nblue\n");
    assert!(single.code == 1 && single.stderr.contains("a single field"), "{}", single.stderr);
}

/// Who waits for an answer before the next question gets it; what was learned is written while nothing comes, and at Ctrl-C.
#[test]
fn answers_and_checkpoints_do_not_wait_for_more() {
    let folder = tempfile::tempdir().unwrap();
    let text = table(200, 10);
    let lines: Vec<&str> = text.lines().collect();
    let arguments =
        ["learn", "m.mercer", "--predictions", "-q", "--first", "100", "--checkpoint-seconds", "0.2"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_mercer"))
        .args(arguments)
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut questions = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    // Fewer than --first: the time is what begins.
    writeln!(questions, "{}", lines[..51].join("\n")).unwrap();
    for _ in 0..50 {
        answers.next().unwrap().unwrap();
    }
    for line in &lines[51..101] {
        writeln!(questions, "{line}").unwrap();
        let answer = answers.next().unwrap().unwrap();
        assert!(["red", "blue"].contains(&answer.as_str()), "{answer}");
    }
    let model = folder.path().join("m.mercer");
    let examples = || SavedLearner::load(&model).map_or(0, |saved| saved.learner.tally().examples);
    let patience = Instant::now();
    while examples() < 100 {
        assert!(patience.elapsed() < Duration::from_secs(60), "{} were written", examples());
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(questions);
    assert!(child.wait().unwrap().success());

    // An end by Ctrl-C keeps all.
    if crate::ignores_interrupts() {
        return;
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_mercer"))
        .args(["learn", "m.mercer", "--predictions"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut questions = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    writeln!(questions, "{}", lines[101..121].join("\n")).unwrap();
    for _ in 0..20 {
        answers.next().unwrap().unwrap();
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(examples(), 120);
}

/// Whatever ends it, what was learned is kept; and nobody else learns meanwhile.
#[test]
fn an_end_from_outside_keeps_what_was_learned() {
    let folder = tempfile::tempdir().unwrap();
    let text = table(400, 9);
    let lines: Vec<&str> = text.lines().collect();
    let begin = || {
        Command::new(env!("CARGO_BIN_EXE_mercer"))
            .args(["learn", "m.mercer", "--predictions", "-q", "--first", "100"])
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let mut child = begin();
    let mut questions = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    writeln!(questions, "{}", lines[..201].join("\n")).unwrap();
    for _ in 0..200 {
        answers.next().unwrap().unwrap();
    }
    let other = mercer_fed(folder.path(), &["learn", "m.mercer"], &text);
    assert!(
        other.code == 1 && other.stderr.contains("another `mercer learn` is at work"),
        "{}",
        other.stderr
    );
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(143));
    let model = folder.path().join("m.mercer");
    assert_eq!(SavedLearner::load(&model).unwrap().learner.tally().examples, 200);
    // Nobody takes the answers any more.
    fs::remove_file(&model).unwrap();
    let mut child = begin();
    drop(child.stdout.take());
    let mut questions = child.stdin.take().unwrap();
    writeln!(questions, "{}", lines.join("\n")).unwrap();
    drop(questions);
    assert!(!child.wait().unwrap().success());
    assert!(SavedLearner::load(&model).unwrap().learner.tally().examples >= 100);
    assert_eq!(files(folder.path()), ["m.mercer"]);
    // A stream that has less than the model has seen is another one.
    let short = mercer_fed(folder.path(), &["learn", "m.mercer", "--skip-seen"], &lines[..20].join("\n"));
    assert!(short.code == 0 && short.stderr.contains("is it the same one?"), "{}", short.stderr);
}

#[test]
fn numbers_with_fractions_are_no_classes() {
    let folder = tempfile::tempdir().unwrap();
    let run = learn(folder.path(), "a,b,target\n1,2,1.5\n3,4,2.25\n5,6,3.1\n7,8,2.5\n", &[]);
    assert!(run.code == 0 && !run.stdout.contains("classes"), "{}{}", run.stdout, run.stderr);
    fs::remove_file(folder.path().join("m.mercer")).unwrap();
    let whole: String = (0..400).map(|i| format!("{},{}\n", i % 7, i % 20 + i / 300)).collect();
    let run = learn(folder.path(), &whole, &["--first", "100"]);
    assert!(run.code == 1 && run.stderr.contains("--task numbers learns them as numbers"), "{}", run.stderr);
    // A bad line has an empty answer, so that answers stand beside their lines.
    fs::remove_file(folder.path().join("m.mercer")).unwrap();
    let run = learn(folder.path(), "1,x\n9,y\nbad,x\n1,\n", &["--predictions", "-q", "--skip-bad"]);
    assert_eq!((run.code, run.stdout.lines().nth(2)), (0, Some("")), "{}", run.stdout);
    assert_eq!(run.stdout.lines().count(), 4, "{}", run.stdout);
}

/// Other commands take a learner for the model that it is now.
#[test]
fn what_was_learned_can_be_asked() {
    let folder = tempfile::tempdir().unwrap();
    let text = table(600, 6);
    fs::write(folder.path().join("rows.csv"), &text).unwrap();
    let perceptron = ["--rule", "perceptron", "--budget", "0", "--first", "100"];
    assert_eq!(learn(folder.path(), &text, &perceptron).code, 0);
    // The same answers as from the stream, where lines without labels are predicted.
    let unlabelled: String = text
        .lines()
        .map(|line| format!("{},\n", line.rsplit_once(',').unwrap().0))
        .collect::<String>()
        .replacen("a,b,c,", "a,b,c,class", 1);
    let streamed = learn(folder.path(), &unlabelled, &["--predictions", "-q"]);
    assert_eq!(streamed.code, 0, "{}", streamed.stderr);
    let asked = mercer(folder.path(), &["predict", "m.mercer", "rows.csv"]);
    assert_eq!(asked.code, 0, "{}", asked.stderr);
    assert_eq!(asked.stdout.strip_prefix("prediction\n").unwrap(), streamed.stdout);
    let measured = mercer(folder.path(), &["evaluate", "m.mercer", "rows.csv", "--json"]);
    assert_eq!(measured.code, 0, "{}", measured.stderr);
    let measured: Value = serde_json::from_str(&measured.stdout).unwrap();
    assert_eq!(measured["rows"], 600);
    let explained = mercer(folder.path(), &["explain", "m.mercer", "110,0.5,0"]);
    assert!(explained.code == 0 && explained.stdout.contains("for red"), "{}", explained.stderr);
    // Its story, with Novikoff's bound beside the number of updates.
    let shown = mercer(folder.path(), &["inspect", "m.mercer"]);
    assert!(shown.stdout.contains("the perceptron's rule"), "{}", shown.stdout);
    assert!(shown.stdout.contains("Novikoff"), "{}", shown.stdout);
    let shown = mercer(folder.path(), &["inspect", "m.mercer", "--json"]);
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    let (updates, radius) = (shown["updates"].as_f64().unwrap(), shown["squared_radius"].as_f64().unwrap());
    assert!(updates > 0.0 && (radius - 2.0).abs() < 1e-12, "{shown}");
    assert!((shown["largest_margin"].as_f64().unwrap() - (radius / updates).sqrt()).abs() < 1e-12);

    // An average answers as one, from the stream and from the file, and goes on as if there had been no break.
    fs::remove_file(folder.path().join("m.mercer")).unwrap();
    let average = ["--rule", "perceptron", "--average", "--budget", "30", "--first", "100", "--project"];
    let refused = learn(folder.path(), &text, &average[..7]);
    assert!(refused.code == 2 && refused.stderr.contains("--project keeps it there"), "{}", refused.stderr);
    assert_eq!(learn(folder.path(), &text, &average).code, 0);
    let streamed = learn(folder.path(), &unlabelled, &["--predictions", "-q"]);
    let asked = mercer(folder.path(), &["predict", "m.mercer", "rows.csv"]);
    assert_eq!(asked.stdout.strip_prefix("prediction\n").unwrap(), streamed.stdout);
    let shown = mercer(folder.path(), &["inspect", "m.mercer"]);
    assert!(shown.stdout.contains("the perceptron's rule, averaged over all examples"), "{}", shown.stdout);
    let whole = fs::read(folder.path().join("m.mercer")).unwrap();
    fs::remove_file(folder.path().join("m.mercer")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(learn(folder.path(), &lines[..300].join("\n"), &average).code, 0);
    assert_eq!(learn(folder.path(), &text, &["--skip-seen"]).code, 0);
    assert_eq!(fs::read(folder.path().join("m.mercer")).unwrap(), whole);

    // Levels are asked as classes, numbers as numbers, three classes as they are.
    let mut random = Random::new(7);
    let points: Vec<f64> = (0..400).map(|_| 6.0 * random.uniform()).collect();
    let lines = |label: &dyn Fn(f64) -> String| -> String {
        points.iter().map(|&x| format!("{x},{}\n", label(x))).collect()
    };
    for (input, options) in [
        (lines(&|x| x.sin().to_string()), &["--cost", "10"][..]),
        (lines(&|x| ["low", "middle", "high"][(x / 2.0) as usize].to_string()), &[]),
        (lines(&|x| ((x / 2.0) as usize + 1).to_string()), &["--levels", "3"]),
    ] {
        fs::remove_file(folder.path().join("m.mercer")).unwrap();
        assert_eq!(learn(folder.path(), &input, options).code, 0);
        let unlabelled: String = points.iter().map(|x| format!("{x},\n")).collect();
        let streamed = learn(folder.path(), &unlabelled, &["--predictions", "-q"]);
        fs::write(folder.path().join("rows.csv"), &input).unwrap();
        let asked = mercer(folder.path(), &["predict", "m.mercer", "rows.csv"]);
        assert_eq!(asked.code, 0, "{}", asked.stderr);
        let answers = asked.stdout.lines().skip(1).zip(streamed.stdout.lines());
        assert_eq!(asked.stdout.lines().count(), 401);
        for (asked, streamed) in answers {
            match (asked.parse::<f64>(), streamed.parse::<f64>()) {
                (Ok(a), Ok(b)) => assert!((a - b).abs() < 1e-9, "{options:?}: {a} {b}"),
                _ => assert_eq!(asked, streamed, "{options:?}"),
            }
        }
    }
}
