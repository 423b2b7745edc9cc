//! What would take more memory than there is ends with a sentence, and what never ends is not waited for.

use std::fs;
use std::process::Command;

use crate::{data, mercer};

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
fn what_never_ends_is_no_model_and_a_pipe_may_be_one() {
    let folder = tempfile::tempdir().unwrap();
    let run = mercer(folder.path(), &["inspect", "/dev/zero"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("not a Mercer model"), "{}", run.stderr);

    let words = ["train", &data("iris.csv"), "--cost", "1", "--test", "none", "-o", "m.mercer"];
    assert_eq!(mercer(folder.path(), &words).code, 0);
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let bytes = fs::read(folder.path().join("m.mercer")).unwrap();
    let writer = {
        let pipe = pipe.clone();
        std::thread::spawn(move || fs::write(pipe, bytes).unwrap())
    };
    let run = mercer(folder.path(), &["inspect", "pipe"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    writer.join().unwrap();
}
