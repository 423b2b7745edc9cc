//! Where results go: nothing is lost by accident, nothing is trained in vain, and a failure is told.

use std::fs;
use std::process::{Command, Stdio};

use crate::{data, files, mercer};

#[test]
fn predictions_replace_a_file_only_when_asked_to() {
    let folder = tempfile::tempdir().unwrap();
    let heart = data("heart_scale");
    assert_eq!(mercer(folder.path(), &["train", &heart, "-o", "m.mercer"]).code, 0);
    fs::write(folder.path().join("p.csv"), "precious").unwrap();
    let run = mercer(folder.path(), &["predict", "m.mercer", &heart, "-o", "p.csv"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("p.csv exists already") && run.stderr.contains("--force"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(folder.path().join("p.csv")).unwrap(), "precious");
    let run = mercer(folder.path(), &["predict", "m.mercer", &heart, "-o", "p.csv", "--force"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(fs::read_to_string(folder.path().join("p.csv")).unwrap().starts_with("prediction\n"));
}

#[test]
fn an_input_is_never_the_output() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::copy(data("heart_scale"), path("heart")).unwrap();
    assert_eq!(mercer(folder.path(), &["train", "heart", "-o", "m.mercer"]).code, 0);
    #[cfg(unix)]
    std::os::unix::fs::symlink("heart", path("link")).unwrap();
    #[cfg(not(unix))]
    fs::copy(path("heart"), path("link")).unwrap();
    let (heart, model) = (fs::read(path("heart")).unwrap(), fs::read(path("m.mercer")).unwrap());
    for arguments in [
        &["predict", "m.mercer", "heart", "--force", "-o", "heart"][..],
        &["predict", "m.mercer", "heart", "--force", "-o", "./m.mercer"],
        #[cfg(unix)]
        &["predict", "m.mercer", "heart", "--force", "-o", "link"],
        &["train", "heart", "--force", "-o", "heart"],
    ] {
        let run = mercer(folder.path(), arguments);
        assert_eq!(run.code, 1, "{arguments:?}");
        assert!(run.stderr.contains("this file is read"), "{arguments:?}: {}", run.stderr);
    }
    assert_eq!(fs::read(path("heart")).unwrap(), heart);
    assert_eq!(fs::read(path("m.mercer")).unwrap(), model);
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_the_data_are_read() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("folder")).unwrap();
    // The data are not there either: whoever complains about the output has not looked at them.
    for (output, force) in [("absent/m.mercer", false), ("folder", false), ("folder", true), ("new/", false)]
    {
        let mut arguments = vec!["train", "no-data.csv", "-o", output];
        arguments.extend(force.then_some("--force"));
        let run = mercer(folder.path(), &arguments);
        assert_eq!(run.code, 1, "{output}");
        assert!(run.stderr.contains(output) && !run.stderr.contains("no-data"), "{output}: {}", run.stderr);
    }
    assert_eq!(files(folder.path()), ["folder"]);
}

#[cfg(unix)]
#[test]
fn a_folder_without_write_permission_is_refused_before_the_data_are_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let locked = folder.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(locked.join("probe"), "").is_ok() {
        println!("skipped: this user may write anywhere");
        return;
    }
    let run = mercer(folder.path(), &["train", "no-data.csv", "-o", "locked/m.mercer"]);
    assert!(run.stderr.contains("locked/m.mercer") && !run.stderr.contains("no-data"), "{}", run.stderr);
}

#[test]
fn a_model_that_its_format_cannot_hold_is_refused_before_training() {
    let folder = tempfile::tempdir().unwrap();
    let (iris, heart) = (data("iris.csv"), data("heart_scale"));
    for (arguments, expected) in [
        (&["train", &iris, "-o", "i.model"][..], "--scale none"),
        (&["train", &iris, "-o", "i.model", "--scale", "none"], "setosa"),
        (&["train", &heart, "-o", "i.model", "--kernel", "laplacian"], "laplacian"),
    ] {
        // Training would complain about the weight: it has not come to that.
        let arguments = [arguments, &["--class-weight", "nobody=1"]].concat();
        let run = mercer(folder.path(), &arguments);
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.stderr.contains(expected) && run.stderr.contains("i.model"), "{}", run.stderr);
        assert!(files(folder.path()).is_empty());
    }
}

/// Runs `mercer` with its standard output (and error) on a pipe that nobody reads.
fn unread(folder: &std::path::Path, arguments: &[&str]) -> (i32, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mercer"))
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    (output.status.code().unwrap_or(-1), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = tempfile::tempdir().unwrap();
    let heart = data("heart_scale");
    for arguments in [
        &["train", &heart, "-o", "m.mercer"][..],
        &["inspect", "m.mercer"],
        &["predict", "m.mercer", &heart, "--scores"],
        &["--help"],
    ] {
        let (code, stderr) = unread(folder.path(), arguments);
        assert_eq!(code, 0, "{arguments:?}: {stderr}");
        assert!(!stderr.contains("panic") && !stderr.contains("pipe"), "{arguments:?}: {stderr}");
    }
    assert_eq!(files(folder.path()), ["m.mercer"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let heart = data("heart_scale");
    let full = || Stdio::from(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    let run = |arguments: &[&str], also_errors: bool| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mercer"));
        command.args(arguments).current_dir(folder.path()).stdout(full()).stderr(Stdio::piped());
        if also_errors {
            command.stderr(full());
        }
        let output = command.spawn().unwrap().wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for arguments in [
        &["train", &heart, "-o", "m.mercer"][..],
        &["inspect", "m.mercer"],
        &["predict", "m.mercer", &heart, "--scores"],
        &["--help"],
    ] {
        let (code, stderr) = run(arguments, false);
        assert_eq!(code, Some(1), "{arguments:?}: {stderr}");
        assert!(stderr.starts_with("mercer: standard output: "), "{arguments:?}: {stderr}");
    }
    // With nowhere to complain to, the exit code is all there is.
    assert_eq!(run(&["inspect", "m.mercer"], true).0, Some(1));
}
