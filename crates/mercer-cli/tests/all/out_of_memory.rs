//! What would take more memory than there is ends with a sentence, and what never ends is not waited for.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::{Run, data, mercer};

#[test]
fn an_index_that_is_far_out_asks_the_budget() {
    let folder = tempfile::tempdir().unwrap();
    let text: String = (0..60).map(|i| format!("{} 1:{i} 4294967294:1\n", i % 2)).collect();
    fs::write(folder.path().join("far.txt"), text).unwrap();
    let words = ["train", "far.txt", "--machine", "rbf-network", "--bumps", "2", "-o", "m.mercer"];
    let run = mercer(folder.path(), &words);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("the means of the bumps needs"), "{}", run.stderr);
}

#[test]
fn a_degree_beyond_the_columns_is_no_reason_to_allocate_it() {
    let folder = tempfile::tempdir().unwrap();
    let kernel = "1 + linear + anova(degree=1000000000)";
    let words =
        ["train", &data("iris.csv"), "--kernel", kernel, "--cost", "1", "--test", "none", "-o", "m.mercer"];
    let run = mercer(folder.path(), &words);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
#[cfg(target_os = "linux")]
fn a_table_of_too_many_columns_asks_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let row = "1,".repeat(300_000);
    fs::write(folder.path().join("wide.csv"), format!("{row}a\n{row}b\n")).unwrap();
    let run = limited(folder.path(), 200_000, &["train", "wide.csv", "--threads", "1", "-o", "m.mercer"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("a table of so many columns needs 153600512 bytes"), "{}", run.stderr);
}

/// A pipe that a thread writes these bytes to.
#[cfg(target_os = "linux")]
fn pipe(folder: &Path, name: &str, bytes: Vec<u8>) -> std::thread::JoinHandle<()> {
    let pipe = folder.join(name);
    let _ = fs::remove_file(&pipe);
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // Who reads may have enough before the end.
    std::thread::spawn(move || drop(fs::write(pipe, bytes)))
}

/// The same with so much memory, in kilobytes.
#[cfg(target_os = "linux")]
fn limited(folder: &Path, kilobytes: u64, words: &[&str]) -> Run {
    let program = env!("CARGO_BIN_EXE_mercer");
    let line = format!("ulimit -v {kilobytes}; exec \"{program}\" {}", words.join(" "));
    Run::of(Command::new("sh").args(["-c", &line]).current_dir(folder).output().unwrap())
}

#[test]
#[cfg(target_os = "linux")]
fn every_reader_of_models_takes_a_pipe_and_refuses_what_never_ends() {
    let folder = tempfile::tempdir().unwrap();
    let iris = data("iris.csv");
    let words = ["train", &iris, "--cost", "1", "--test", "none", "-o"];
    for name in ["m.mercer", "m.json"] {
        assert_eq!(mercer(folder.path(), &[&words[..], &[name]].concat()).code, 0);
    }
    fs::write(folder.path().join("n.txt"), "1 1:5 2:3\n-1 1:1 2:0.5\n".repeat(10)).unwrap();
    let words = ["train", "n.txt", "--cost", "1", "--test", "none", "--scale", "none", "-o", "m.model"];
    assert_eq!(mercer(folder.path(), &words).code, 0);
    let rows = fs::read_to_string(&iris).unwrap();
    fs::write(folder.path().join("two.csv"), rows.lines().take(3).collect::<Vec<_>>().join("\n")).unwrap();
    fs::write(folder.path().join("two.txt"), "1 1:5 2:3\n-1 1:1\n").unwrap();
    assert_eq!(mercer(folder.path(), &["scale", &iris, "-o", "s.csv", "--save", "s.json"]).code, 0);
    let readers: [(&str, &[&str]); 9] = [
        ("m.mercer", &["inspect", "MODEL"]),
        ("m.model", &["inspect", "MODEL"]),
        ("m.mercer", &["predict", "MODEL", "two.csv"]),
        ("m.mercer", &["evaluate", "MODEL", &iris]),
        ("m.model", &["svm-predict", "two.txt", "MODEL", "out"]),
        ("m.json", &["convert", "--renew-checksum", "MODEL", "-o", "renewed.json", "--force"]),
        ("m.model", &["compress", "MODEL", "--terms", "1", "-o", "less.mercer", "--force"]),
        ("m.mercer", &["explain", "MODEL", "5.1,3.5,1.4,0.2"]),
        ("s.json", &["scale", "two.csv", "--like", "MODEL", "-o", "t.csv", "--force"]),
    ];
    for (file, words) in readers {
        let with = |name: &str| -> Vec<String> {
            words
                .iter()
                .map(|word| if *word == "MODEL" { name.to_string() } else { word.to_string() })
                .collect()
        };
        let run =
            |name: &str| mercer(folder.path(), &with(name).iter().map(String::as_str).collect::<Vec<_>>());
        let writer = pipe(folder.path(), "pipe", fs::read(folder.path().join(file)).unwrap());
        let found = run("pipe");
        assert_eq!(found.code, 0, "{words:?}: {}", found.stderr);
        writer.join().unwrap();
        let begun = Instant::now();
        let found = run("/dev/zero");
        assert_eq!(found.code, 1, "{words:?}: {}", found.stderr);
        assert!(
            found.stderr.contains("/dev/zero: ") && found.stderr.contains("not a "),
            "{words:?}: {}",
            found.stderr
        );
        assert!(begun.elapsed() < Duration::from_secs(5), "{words:?}: {:?}", begun.elapsed());
    }
    // A model's first bytes, and no end.
    let endless = "(printf 'svm_type c_svc\\n'; cat /dev/zero) | \"$0\" inspect -";
    let line = format!("ulimit -v 2000000; {endless}");
    let output = Command::new("sh").args(["-c", &line, env!("CARGO_BIN_EXE_mercer")]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && text.contains("the model needs"), "{text}");
}

#[test]
#[cfg(target_os = "linux")]
fn structured_items_may_come_from_a_pipe_and_have_an_end() {
    let folder = tempfile::tempdir().unwrap();
    let text: String =
        (0..30).map(|i| format!("{},{}\n", ["gatt", "ccac"][i % 2], ["+", "-"][i % 2])).collect();
    let text = format!("sequence,label\n{text}");
    let kernel = ["--kernel", "spectrum(k=2)"];
    let train = ["train", "pipe", "--cost", "1", "--test", "none", "-o", "m.mercer", "--force"];
    let writer = pipe(folder.path(), "pipe", text.clone().into_bytes());
    let run = mercer(folder.path(), &[&train[..], &kernel].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    writer.join().unwrap();
    // Its columns are looked for in several ways.
    for text in [text.clone(), text.replace("sequence,label\n", "")] {
        let writer = pipe(folder.path(), "pipe", text.into_bytes());
        let run = mercer(folder.path(), &["predict", "m.mercer", "pipe"]);
        assert_eq!((run.code, run.stdout.lines().count()), (0, 31), "{}", run.stderr);
        writer.join().unwrap();
    }
    let trees = (0..20).map(|i| format!("({} (a b) (c d))\n", ["s", "t"][i % 2])).collect::<String>();
    let series = (0..20).map(|i| format!("{i},2,3,{}\n", ["up", "down"][i % 2])).collect::<String>();
    for (text, kernel, more) in
        [(trees, "subtree", &["--label", "root"][..]), (series, "global_alignment", &[])]
    {
        let writer = pipe(folder.path(), "pipe", text.into_bytes());
        let run = mercer(folder.path(), &[&train[..], &["--kernel", kernel], more].concat());
        assert_eq!(run.code, 0, "{kernel}: {}", run.stderr);
        writer.join().unwrap();
    }

    let words = ["train", "/dev/zero", "--kernel", "'spectrum(k=2)'", "-o", "z.mercer"];
    let begun = Instant::now();
    let run = limited(folder.path(), 2_000_000, &words);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("a line of more than 268435456 bytes"), "{}", run.stderr);
    let line =
        format!("ulimit -v 1500000; yes gatt,+ | \"$0\" {}", words.join(" ").replace("/dev/zero", "-"));
    let output = Command::new("sh")
        .args(["-c", &line, env!("CARGO_BIN_EXE_mercer")])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.code() == Some(1) && text.contains("half of the memory that is available"),
        "{text}"
    );
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
}
