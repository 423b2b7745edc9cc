//! Which scaling is chosen, and what is said where it does not fit.

use std::fs;

use crate::{data, mercer};

#[test]
fn kernels_on_values_of_at_least_0_get_a_scaling_that_keeps_them_so() {
    let folder = tempfile::tempdir().unwrap();
    let wine = data("wine.csv");
    for kernel in ["chi2", "additive_chi2", "intersection", "0.5 * columns(0:3, chi2) + linear"] {
        let run = mercer(folder.path(), &["train", &wine, "-o", "w.mercer", "--force", "--kernel", kernel]);
        assert_eq!(run.code, 0, "{kernel}: {}", run.stderr);
        assert!(run.stdout.contains("scaling         max-abs"), "{}", run.stdout);
        assert!(run.stdout.contains("needs values of at least 0"), "{}", run.stdout);
        assert_eq!(mercer(folder.path(), &["predict", "w.mercer", &wine]).code, 0);

        let run = mercer(
            folder.path(),
            &["train", &wine, "-o", "x.mercer", "--kernel", kernel, "--scale", "standard"],
        );
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains("--scale standardise makes values negative"), "{}", run.stderr);
    }
}

#[test]
fn a_negative_value_is_named_as_the_file_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("t.csv", "kind,width,height\n\nx,1,2\ny,30,-40\nx,2,3\n");
    write("t.svm", "1 1:1\n# note\n-1 2:1 7:-4 9:1\n");
    write("good.csv", "kind,width,height\nx,1,20\ny,30,40\nx,2,30\n");
    let train = |file: &str, kernel: &str, more: &[&str]| {
        let arguments = [&["train", file, "--kernel", kernel, "-o", "m.mercer", "--force"], more].concat();
        mercer(folder.path(), &arguments)
    };
    let run = train("t.csv", "chi2", &["--label", "kind"]);
    assert!(run.stderr.contains("t.csv:4:3: column `height`: -40, but chi2 needs"), "{}", run.stderr);
    // Columns of the data, not of what the kernel sees.
    let run = train("t.csv", "columns([1], intersection)", &["--label", "1"]);
    assert!(run.stderr.contains("t.csv:4:3: column `height`: -40, but intersection"), "{}", run.stderr);
    let run = train("t.svm", "chi2", &[]);
    assert!(run.stderr.contains("t.svm:3:8: index 7: -4, but chi2 needs"), "{}", run.stderr);

    // Below the range that was learned.
    assert_eq!(train("good.csv", "chi2", &["--label", "kind", "--scale", "min-max"]).code, 0);
    write("low.csv", "kind,width,height\nx,1,10\n");
    let run = mercer(folder.path(), &["predict", "m.mercer", "low.csv", "--label", "kind"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("low.csv:2:3: column `height`: 10 is scaled to -0.5 by min-max"),
        "{}",
        run.stderr
    );
    // Without labels, columns are counted without them.
    write("low.csv", "width,height\n1,10\n");
    let run = mercer(folder.path(), &["predict", "m.mercer", "low.csv"]);
    assert!(run.stderr.contains("low.csv:2:2: column `height`: 10 is scaled"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_twice_is_counted_in_rows() {
    let folder = tempfile::tempdir().unwrap();
    let command = format!(
        "printf '1,2,x\\n3,-4,y\\n' | {} train /dev/stdin --kernel chi2 -o m.mercer",
        env!("CARGO_BIN_EXE_mercer")
    );
    let run =
        std::process::Command::new("sh").args(["-c", &command]).current_dir(folder.path()).output().unwrap();
    let stderr = String::from_utf8(run.stderr).unwrap();
    assert!(stderr.contains("/dev/stdin: row 2, column 2: -4, but chi2 needs"), "{stderr}");
}

#[test]
fn scalings_that_do_not_fit_sparse_rows_are_refused_in_plain_words() {
    let folder = tempfile::tempdir().unwrap();
    let run = mercer(folder.path(), &["train", &data("heart_scale"), "-o", "m.mercer", "--scale", "min-max"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("min-max (0 to 1)") && run.stderr.contains("max-abs"), "{}", run.stderr);
    let run =
        mercer(folder.path(), &["train", &data("heart_scale"), "-o", "m.mercer", "--scale", "deviation"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
}
