//! What is decided about a file that could be read otherwise: its first line, its quotes, its targets; and models that were edited.

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use crate::{data, mercer, mercer_fed};

#[test]
fn a_first_line_that_is_data_is_not_lost_and_what_was_decided_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let convert = |text: &str, more: &[&str]| {
        mercer_fed(folder.path(), &[&["convert", "-", "--to", "libsvm"], more].concat(), text)
    };
    let run = convert("5,6,y\n1,2,x\n3,4,y\n5,6,x\n", &[]);
    assert_eq!((run.stdout.lines().count(), &run.stderr[..]), (4, ""));
    let text = "5,6,class\n1,2,x\n3,4,z\n";
    let run = convert(text, &[]);
    assert_eq!(run.stdout.lines().count(), 3);
    assert_eq!(
        run.stderr.trim(),
        "mercer: the first line is read as data: `5` in column 1 is a number, as are those below it (--header yes reads it as names)"
    );
    let run = convert(text, &["--header", "yes"]);
    assert_eq!((run.stdout.lines().count(), &run.stderr[..]), (2, ""));
    for (text, note) in [
        ("color,size,label\nred,big,a\nblue,small,b\n", "as names: `label` is a name of label columns"),
        ("country,2019,2020,kind\nDE,4,2,a\nFR,1,7,b\n", "as names: from `2019` on its numbers count up"),
        ("2019,2020,price\n1,2,3\n", "as names: `price` in column 3 stands above numbers"),
        ("5,6,q\n1,2,x\n3,4,x\n", "as data: `5` in column 1 is a number"),
    ] {
        let run = convert(text, &[]);
        assert!(run.stderr.contains(note), "{text:?}: {}", run.stderr);
    }
    fs::write(folder.path().join("s.csv"), "sequence,+\ngatt,+\ncacc,-\ngata,+\nccac,-\n").unwrap();
    let train = ["train", "s.csv", "--kernel", "spectrum(k=2)", "--cost", "1", "--test", "none", "--force"];
    let run = mercer(folder.path(), &train);
    assert!(run.stderr.contains("as data: `+` is found again in column 2"), "{}", run.stderr);
    let run = convert("color,size,kind\nred,big,a\nblue,small,b\n", &[]);
    assert!(
        run.stderr.contains("read as names: none of its words is found again in its column (--header no")
    );
    // A model without names asks about the first line of other tables likewise.
    let rows: String = (0..40).map(|i| format!("{},{},{}\n", i % 7, i, ["y", "x"][i / 20])).collect();
    fs::write(folder.path().join("rows.csv"), format!("5,6,y\n{rows}")).unwrap();
    let run = mercer(folder.path(), &["train", "rows.csv", "--quiet"]);
    assert_eq!((run.code, &run.stderr[..]), (0, ""));
    let run = mercer(folder.path(), &["predict", "rows.mercer", "rows.csv"]);
    assert_eq!(run.stdout.lines().count(), 42, "{}", run.stderr);
}

#[test]
fn quotes_are_taken_as_the_model_took_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let spam: String = (0..30)
        .map(|i| {
            if i % 2 == 0 { format!("spam\t\"win {i} now\" call\n") } else { format!("ham\t\"see you {i}\n") }
        })
        .collect();
    fs::write(path("sms.tsv"), &spam).unwrap();
    let train = ["train", "sms.tsv", "--label", "1", "--kernel", "spectrum(k=3)", "--quiet"];
    assert_eq!(mercer(folder.path(), &train).code, 0);
    let run = mercer(folder.path(), &["predict", "sms.mercer", "sms.tsv"]);
    assert_eq!(run.stdout.lines().count(), 31, "{}", run.stderr);
    let run = mercer(folder.path(), &["predict", "sms.mercer", "sms.tsv", "--quote", "\""]);
    let place = "sms.tsv:1:2: unescaped quote in a TSV field (use --quote none)";
    assert!(run.code == 1 && run.stderr.contains(place), "{}", run.stderr);

    // What was said for the training holds for the files to come.
    fs::write(path("sms.csv"), spam.replace('\t', ",")).unwrap();
    let run = mercer(folder.path(), &[&["train", "sms.csv", "-o", "csv.mercer"], &train[2..]].concat());
    let place = "sms.csv:1:2: unescaped quote in a CSV field (use --quote none)";
    assert!(run.code == 1 && run.stderr.contains(place), "{}", run.stderr);
    let train = [&["train", "sms.csv", "-o", "csv.mercer", "--quote", "none"], &train[2..]].concat();
    let run = mercer(folder.path(), &train);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = mercer(folder.path(), &["predict", "csv.mercer", "sms.csv"]);
    assert_eq!((run.code, run.stdout.lines().count()), (0, 31), "{}", run.stderr);

    let rows: String = (0..30).map(|i| format!("{i},{}\n", ["\"a", "b\" c"][i / 15])).collect();
    fs::write(path("rows.csv"), format!("x,kind\n{rows}")).unwrap();
    assert_eq!(mercer(folder.path(), &["train", "rows.csv", "--quote", "none", "--quiet"]).code, 0);
    let run = mercer(folder.path(), &["predict", "rows.mercer", "rows.csv"]);
    assert_eq!((run.code, run.stdout.lines().count()), (0, 31), "{}", run.stderr);
    // A table between tabs that is quoted after all.
    let run =
        mercer_fed(folder.path(), &["convert", "-", "--to", "csv"], "\"a\"\t\"kind\"\n1\t\"p\"\n2\t\"q\"\n");
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn many_whole_numbers_are_regression_targets_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = "x,z,rings\n".to_string();
    for i in 0..240u32 {
        let (x, z) = (i.wrapping_mul(2_654_435_761) >> 22, i % 28);
        writeln!(text, "{x},{z},{z}").unwrap();
    }
    fs::write(folder.path().join("rings.csv"), text).unwrap();
    let told = "mercer: column `rings` has 28 different whole numbers: regression targets (--task classify learns classes)";
    for command in [
        &["train", "rings.csv", "-o", "m.mercer", "--cost", "10", "--test", "none"][..],
        &["train", "rings.csv", "-o", "gp.mercer", "--machine", "gp", "--test", "none"],
        &["train", "rings.csv", "-o", "rvm.mercer", "--machine", "rvm", "--test", "none"],
        &["tune", "rings.csv", "--costs", "1,10"],
        &["evaluate", "--cv", "2", "rings.csv", "--cost", "10"],
    ] {
        let run = mercer(folder.path(), command);
        assert_eq!(run.code, 0, "{command:?}: {}", run.stderr);
        assert!(run.stderr.contains(told), "{command:?}: {}", run.stderr);
        assert!(!run.stdout.contains("28 in all"), "{command:?}: {}", run.stdout);
    }
    let words = ["train", "rings.csv", "-o", "c.mercer", "--cost", "10", "--test", "none", "--task"];
    let run = mercer(folder.path(), &[&words[..], &["classify"]].concat());
    assert!(run.code == 0 && !run.stderr.contains("regression"), "{}", run.stderr);
    assert!(run.stdout.contains("28 in all"), "{}", run.stdout);
    let run = mercer(folder.path(), &[&words[..], &["regress", "--force"]].concat());
    assert!(run.code == 0 && !run.stderr.contains("regression targets"), "{}", run.stderr);
}

#[test]
fn a_model_that_was_edited_is_refused_until_its_checksum_is_renewed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    assert_eq!(mercer(folder.path(), &["train", &data("iris.csv"), "-o", "m.json", "--quiet"]).code, 0);
    let mut model: Value = serde_json::from_slice(&fs::read(path("m.json")).unwrap()).unwrap();
    let scaling = model["model"].as_object_mut().unwrap().remove("scaling").unwrap();
    fs::write(path("edited.json"), model.to_string()).unwrap();
    let run = mercer(folder.path(), &["predict", "edited.json", &data("iris.csv")]);
    let words = "the file was edited or damaged (after an edit, `mercer convert --renew-checksum FILE -o NEW_FILE` makes it valid)";
    assert!(run.code == 1 && run.stderr.contains(words), "{}", run.stderr);
    let renew =
        |name: &str| mercer(folder.path(), &["convert", "--renew-checksum", "edited.json", "-o", name]);
    let run = renew("renewed.json");
    assert!(run.code == 1 && run.stderr.contains("missing field `scaling`"), "{}", run.stderr);
    assert!(!path("renewed.json").exists());
    // An edit that makes sense.
    model["model"]["scaling"] = scaling;
    model["model"]["card"]["notes"]["edited"] = "by hand".into();
    fs::write(path("edited.json"), serde_json::to_string_pretty(&model).unwrap()).unwrap();
    assert_eq!(mercer(folder.path(), &["inspect", "edited.json"]).code, 1);
    for name in ["renewed.json", "renewed.mercer"] {
        let run = renew(name);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let run = mercer(folder.path(), &["predict", name, &data("iris.csv")]);
        assert_eq!(run.stdout, mercer(folder.path(), &["predict", "m.json", &data("iris.csv")]).stdout);
    }
    assert_ne!(renew("renewed.json").code, 0);
}

#[test]
fn a_scaling_that_was_edited_is_refused_until_its_checksum_is_renewed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let run = mercer(folder.path(), &["scale", &data("iris.csv"), "-o", "s.csv", "--save", "s.json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let kept: Value = serde_json::from_slice(&fs::read(path("s.json")).unwrap()).unwrap();
    let apply = |file: &str| {
        mercer(folder.path(), &["scale", &data("iris.csv"), "-o", "t.csv", "--force", "--like", file])
    };
    assert_eq!(apply("s.json").code, 0);
    assert_eq!(fs::read(path("s.csv")).unwrap(), fs::read(path("t.csv")).unwrap());
    for field in ["format", "version", "checksum", "scaling", "schema"] {
        let mut kept = kept.clone();
        kept.as_object_mut().unwrap().remove(field).unwrap();
        fs::write(path("less.json"), kept.to_string()).unwrap();
        let run = apply("less.json");
        assert!(
            run.code == 1 && run.stderr.contains("missing") && run.stderr.contains(field),
            "{}",
            run.stderr
        );
    }
    // An edit of a number.
    let text = fs::read_to_string(path("s.json")).unwrap();
    let number = text.split_inclusive('\n').find(|line| line.trim().starts_with("5.84")).unwrap().to_string();
    fs::write(path("edited.json"), text.replace(&number, "5.5,\n")).unwrap();
    let run = apply("edited.json");
    let words = "the file was edited or damaged (after an edit, `mercer convert --renew-checksum FILE -o NEW_FILE` makes it valid)";
    assert!(run.code == 1 && run.stderr.contains(words), "{}", run.stderr);
    let run = mercer(folder.path(), &["convert", "--renew-checksum", "edited.json", "-o", "renewed.json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(apply("renewed.json").code, 0);
    assert_ne!(fs::read(path("s.csv")).unwrap(), fs::read(path("t.csv")).unwrap());
    // A file of an earlier version has neither format nor checksum.
    let mut bare = kept.clone();
    for field in ["format", "version", "checksum"] {
        bare.as_object_mut().unwrap().remove(field);
    }
    fs::write(path("bare.json"), bare.to_string()).unwrap();
    assert_eq!(apply("bare.json").code, 0);
}
