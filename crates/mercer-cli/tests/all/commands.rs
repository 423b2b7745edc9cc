//! The smaller commands.

use crate::{data, files, mercer};

#[test]
fn kernels_are_listed_and_evaluated() {
    let folder = tempfile::tempdir().unwrap();
    let run = mercer(folder.path(), &["kernel"]);
    assert_eq!(run.code, 0);
    for name in ["linear", "gaussian", "matern", "intersection", "exp(−gamma |x − z|²)"] {
        assert!(run.stdout.contains(name), "{}", run.stdout);
    }
    let run = mercer(folder.path(), &["kernel", "gaussian(gamma=0.5)", "--between", "1,2", "1,4"]);
    assert_eq!((run.code, run.stdout.trim().parse::<f64>().unwrap()), (0, (-2.0f64).exp()));
    let run = mercer(folder.path(), &["kernel", "linear", "--between", "-1,2", "3,-4"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "-11\n"), "{}", run.stderr);
    for arguments in
        [["kernel", "linear", "--between", "1,2", "1"], ["kernel", "linear", "--between", "1,x", "1,2"]]
    {
        let run = mercer(folder.path(), &arguments);
        assert_eq!(run.code, 2, "{}", run.stderr);
    }
}

#[test]
fn gram_matrices_are_written_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("d.csv"), "a,b,label\n1,2,x\n3,4,y\n0,1,x\n").unwrap();
    let run = mercer(folder.path(), &["kernel", "linear", "--data", "d.csv"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "5,11,2\n11,25,4\n2,4,1\n"), "{}", run.stderr);
    let run = mercer(folder.path(), &["kernel", "linear", "--data", "d.csv", "--gram", "k.csv"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(folder.path().join("k.csv")).unwrap(), "5,11,2\n11,25,4\n2,4,1\n");
    let run = mercer(folder.path(), &["kernel", "linear", "--data", "d.csv", "--gram", "k.csv"]);
    assert_eq!(run.code, 1, "an existing file is kept");
    let run = mercer(folder.path(), &["kernel", "gaussian(gamma=1)", "--data", &data("wine.csv"), "--check"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("178 of 178") && run.stdout.contains("verdict"), "{}", run.stdout);
}

#[test]
fn formats_are_converted_there_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let heart = data("heart_scale");
    assert_eq!(mercer(folder.path(), &["convert", &heart, "-o", "h.csv"]).code, 0);
    assert_eq!(mercer(folder.path(), &["convert", "h.csv", "-o", "h.libsvm"]).code, 0);
    assert_eq!(mercer(folder.path(), &["convert", "h.libsvm", "-o", "h2.csv"]).code, 0);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("h.csv"), read("h2.csv"));
    assert_eq!(read("h.csv").lines().count(), 270);
    let run = mercer(folder.path(), &["convert", "h.csv"]);
    assert_eq!(run.stdout, read("h.libsvm"));
    assert_eq!(files(folder.path()), ["h.csv", "h.libsvm", "h2.csv"]);
}

#[test]
fn a_scaling_is_kept_and_used_again() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.csv"), "x,y,label\n0,10,no\n2,30,yes\n").unwrap();
    std::fs::write(folder.path().join("b.csv"), "x,y,label\n1,50,no\n").unwrap();
    let run = mercer(
        folder.path(),
        &["scale", "a.csv", "-o", "a2.csv", "--kind", "min-max", "--save", "scaling.json"],
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(
        std::fs::read_to_string(folder.path().join("a2.csv")).unwrap(),
        "x,y,label\n0,0,no\n1,1,yes\n"
    );
    let run = mercer(folder.path(), &["scale", "b.csv", "--like", "scaling.json", "--to", "csv"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "x,y,label\n0.5,2,no\n"), "{}", run.stderr);
    std::fs::write(folder.path().join("broken.json"), "{}").unwrap();
    let run = mercer(folder.path(), &["scale", "b.csv", "--like", "broken.json"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("broken.json"), "{}", run.stderr);
}

#[test]
fn shells_learn_to_complete() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let run = mercer(folder.path(), &["completions", shell]);
        assert_eq!(run.code, 0);
        assert!(run.stdout.contains("evaluate"), "{shell}");
    }
}

#[test]
fn the_demo_shows_all_its_sets() {
    let folder = tempfile::tempdir().unwrap();
    let run = mercer(folder.path(), &["demo"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for part in ["iris", "wine", "heart", "ionosphere", "mercer train FILE"] {
        assert!(run.stdout.contains(part), "{}", run.stdout);
    }
    assert!(files(folder.path()).is_empty());
}

#[test]
fn every_command_helps() {
    let folder = tempfile::tempdir().unwrap();
    for command in ["train", "predict", "evaluate", "inspect", "convert", "scale", "kernel", "completions"] {
        let run = mercer(folder.path(), &[command, "--help"]);
        assert_eq!(run.code, 0);
        assert!(run.stdout.contains("Example"), "{command}:\n{}", run.stdout);
    }
    let run = mercer(folder.path(), &["inspekt", "x"]);
    assert!(run.code == 2 && run.stderr.contains("inspect"), "{}", run.stderr);
}
