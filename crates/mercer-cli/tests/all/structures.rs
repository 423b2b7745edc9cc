//! Strings, trees, graphs, time series and records: each from its file to a model, predictions, a test and a tuning.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::mercer;

/// Strings of a and c against strings of g and t.
fn strings(count: usize) -> Vec<(String, &'static str)> {
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize
    };
    let mut string = |i: usize| {
        let (letters, label) = if i.is_multiple_of(2) { ("aacg", "+") } else { ("ttgc", "-") };
        let letters: Vec<char> = letters.chars().collect();
        ((0..12).map(|_| letters[next() % 4]).collect(), label)
    };
    (0..count).map(&mut string).collect()
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    name.to_string()
}

fn csv(count: usize) -> String {
    strings(count).iter().fold("sequence,label\n".to_string(), |mut text, (string, label)| {
        let _ = writeln!(text, "{string},{label}");
        text
    })
}

/// Trains with a kernel, and asks the model in all ways there are.
fn all_commands(folder: &Path, data: &str, kernel: &str, more: &[&str]) -> String {
    let reading: Vec<&str> = more.iter().copied().take(2).collect();
    let run =
        mercer(folder, &[&["train", data, "--kernel", kernel, "-o", "m.mercer", "--force"], more].concat());
    assert_eq!(run.code, 0, "{data}: {}", run.stderr);
    assert!(run.stdout.contains("kernel") && run.stdout.contains("support vectors"), "{}", run.stdout);
    let told = run.stdout;
    let run = mercer(folder, &["inspect", "m.mercer"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = mercer(folder, &[&["predict", "m.mercer", data, "--scores"], &reading[..]].concat());
    assert_eq!(run.code, 0, "{data}: {}", run.stderr);
    assert!(run.stderr.contains("% as labelled"), "{}", run.stderr);
    let lines = run.stdout.lines().count();
    let run = mercer(folder, &[&["evaluate", "m.mercer", data, "--json"], &reading[..]].concat());
    assert_eq!(run.code, 0, "{data}: {}", run.stderr);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(found["rows"].as_u64().unwrap() as usize + 1, lines);
    assert!(found["accuracy"].as_f64().unwrap() > 0.9, "{data}: {found}");
    // The same model in JSON says the same.
    let words = ["train", data, "--kernel", kernel, "-o", "m.json", "--force", "--quiet"];
    assert_eq!(mercer(folder, &[&words[..], more].concat()).code, 0);
    let predicted =
        |model: &str| mercer(folder, &[&["predict", model, data, "--scores"], &reading[..]].concat());
    assert_eq!(predicted("m.json").stdout, predicted("m.mercer").stdout);
    told
}

#[test]
fn strings_in_tables_fasta_and_lines() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "s.csv", &csv(40));
    let told = all_commands(folder, "s.csv", "normalised(spectrum(k=2))", &[]);
    assert!(told.contains("40 strings") && told.contains("on new items"), "{told}");
    let tsv = strings(40).iter().fold(String::new(), |text, (s, l)| text + &format!("{l}\t{s}\n"));
    write(folder, "s.tsv", &tsv);
    all_commands(folder, "s.tsv", "bag-of-words(tfidf=true, n=2, unit=characters)", &["--label", "1"]);
    let fasta = strings(40)
        .iter()
        .enumerate()
        .fold(String::new(), |text, (i, (s, l))| text + &format!(">P{i} | {l}\n{s}\n"));
    write(folder, "s.fa", &fasta);
    all_commands(folder, "s.fa", "subsequence(k=2, decay=0.5)", &[]);
    // Lines have no labels: what is unlike the others can still be learned.
    write(folder, "s.txt", &strings(20).iter().map(|(s, _)| format!("{s}\n")).collect::<String>());
    let run = mercer(
        folder,
        &["train", "s.txt", "--kernel", "spectrum(k=2)", "--task", "novelty", "-o", "n.mercer"],
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = mercer(folder, &["predict", "n.mercer", "s.txt"]);
    assert!(run.stderr.contains("% novel"), "{}", run.stderr);
    assert_eq!(run.stdout.lines().count(), 21);
}

#[test]
fn trees_graphs_series_and_records() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (mut trees, mut roots, mut series, mut records) = (
        "tree,label\n".to_string(),
        String::new(),
        "@univariate true\n@classLabel true a b\n@data\n".to_string(),
        "age,job,note,label\n".to_string(),
    );
    let (mut edges, mut of_node, mut node_labels, mut labels) = Default::default();
    let add = |text: &mut String, line: String| text.push_str(&(line + "\n"));
    for i in 0..24usize {
        let (verb, class) = if i % 2 == 0 { ("saw", "a") } else { ("ate", "b") };
        let tree = format!("(S (NP it) (VP (V {verb}) (NP x{})))", i % 3);
        add(&mut trees, format!("{tree},{class}"));
        add(&mut roots, tree.replacen("S", class, 1));
        let rate = if i % 2 == 0 { 0.4 } else { 1.3 };
        let values: Vec<String> =
            (0..8 + i % 3).map(|t| format!("{:.3}", (rate * t as f64 + i as f64 / 20.0).sin())).collect();
        add(&mut series, format!("{}:{class}", values.join(",")));
        add(
            &mut records,
            format!("{},{},{},{class}", 20 + i, ["baker", "smith"][i % 2], ["bread", "iron"][i % 2]),
        );
        // A path of three nodes, or a triangle.
        let first = 3 * i + 1;
        let mut pairs = vec![(first, first + 1), (first + 1, first + 2)];
        if i % 2 == 1 {
            pairs.push((first, first + 2));
        }
        for (u, v) in pairs {
            add(&mut edges, format!("{u}, {v}\n{v}, {u}"));
        }
        add(&mut of_node, format!("{0}\n{0}\n{0}", i + 1));
        add(&mut node_labels, format!("1\n{}\n1", 1 + i % 3));
        add(&mut labels, class.to_string());
    }
    write(folder, "t.csv", &trees);
    all_commands(folder, "t.csv", "normalised(subset-tree(decay=0.4))", &[]);
    write(folder, "t.ptb", &roots);
    all_commands(folder, "t.ptb", "subtree(decay=1)", &["--label", "root"]);
    write(folder, "g/TOY_A.txt", &edges);
    write(folder, "g/TOY_graph_indicator.txt", &of_node);
    write(folder, "g/TOY_node_labels.txt", &node_labels);
    write(folder, "g/TOY_graph_labels.txt", &labels);
    all_commands(folder, "g", "wl(h=2)", &[]);
    write(folder, "x.ts", &series);
    all_commands(folder, "x.ts", "global-alignment(sigma=median)", &[]);
    write(folder, "r.csv", &records);
    let kernel = "column(\"age\", gaussian) * column(\"job\", equality) + column(\"note\", bag_of_words)";
    all_commands(folder, "r.csv", kernel, &[]);
}

#[test]
fn regression_probabilities_cross_validation_and_tuning() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let counted = strings(40).iter().fold("sequence,label\n".to_string(), |text, (s, _)| {
        text + &format!("{s},{}\n", s.matches('a').count() as f64 + 0.3 * s.matches('t').count() as f64)
    });
    write(folder, "n.csv", &counted);
    let run = mercer(
        folder,
        &["train", "n.csv", "--kernel", "spectrum(k=1)", "--task", "regress", "-o", "n.mercer"],
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = mercer(folder, &["evaluate", "n.mercer", "n.csv", "--json"]);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(found["r_squared"].as_f64().unwrap() > 0.95, "{found}");

    write(folder, "s.csv", &csv(40));
    let train =
        ["train", "s.csv", "--kernel", "spectrum(k=2)", "--probabilities", "-o", "p.mercer", "--cost", "1"];
    assert_eq!(mercer(folder, &train).code, 0);
    let run = mercer(folder, &["predict", "p.mercer", "s.csv", "--probabilities"]);
    assert!(run.stdout.starts_with("prediction,probability +,probability -"), "{}", run.stdout);

    let run = mercer(folder, &["evaluate", "--cv", "4", "s.csv", "--kernel", "spectrum(k=2)", "--json"]);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(found["test"]["folds"].as_array().unwrap().len(), 4);
    assert!(found["test"]["mean"].as_f64().unwrap() > 0.8, "{found}");

    let tune = ["tune", "s.csv", "--kernels", "spectrum(k=1); normalised(spectrum(k=2)); mismatch(k=3, m=1)"];
    let run = mercer(folder, &[&tune[..], &["--costs", "0.1,1,10", "--json", "-o", "table.csv"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(found["table"]["cells"].as_array().unwrap().len(), 9);
    assert!(found["advice"].as_str().unwrap().starts_with("mercer train s.csv --kernel '"), "{found}");
    assert_eq!(std::fs::read_to_string(folder.join("table.csv")).unwrap().lines().count(), 10);
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "s.csv", &csv(12));
    write(folder, "bad.csv", "age,label\nold,a\n3,b\n");
    for (words, code, part) in [
        (vec!["train", "s.csv", "--kernel", "wl(h=3)"], 1, "s.csv: graphs are read from a folder"),
        (
            vec!["train", ".", "--kernel", "spectrum(k=3)"],
            1,
            "this is a folder, and strings are read from a file",
        ),
        (vec!["train", "none.csv", "--kernel", "spectrum(k=3)"], 1, "none.csv"),
        (vec!["train", "s.csv", "--kernel", "spectrum(k=0)"], 2, "length = 0"),
        (vec!["train", "s.csv", "--kernel", "spektrum(k=3)"], 2, "did you mean spectrum?"),
        (vec!["train", "s.csv", "--kernel", "spectrum(k=3)", "--scale", "min-max"], 2, "--scale is for rows"),
        (
            vec!["train", "s.csv", "--kernel", "spectrum(k=3)", "-o", "x.model"],
            2,
            "LIBSVM's format holds rows",
        ),
        (
            vec!["train", "s.csv", "--kernel", "spectrum(k=3)", "--text", "protein"],
            1,
            "there is no column `protein`",
        ),
        (
            vec!["train", "bad.csv", "--kernel", "column(\"age\", linear)"],
            1,
            "column `age`: `old` is not a number",
        ),
        (vec!["train", "-", "--kernel", "spectrum(k=3)", "-o", "x.mercer"], 1, "not from standard input"),
        (vec!["tune", "s.csv", "--kernels", "spectrum(k=3); wl(h=1)"], 2, "wl(h=1) compares graphs"),
        (vec!["tune", "s.csv", "--kernel", "spectrum(k=3)", "--refine", "1"], 2, "--refine"),
    ] {
        let run = mercer(folder, &words);
        assert!(run.code == code && run.stderr.contains(part), "{words:?}: {} {}", run.code, run.stderr);
    }
    assert_eq!(mercer(folder, &["train", "s.csv", "--kernel", "spectrum(k=2)", "--quiet"]).code, 0);
    // Theorems are about margins, whatever the items are; an earlier model to go on from is one of rows.
    assert_eq!(mercer(folder, &["bound", "s.mercer"]).code, 0);
    let run = mercer(folder, &["train", "s.csv", "--from", "s.mercer", "-o", "t.mercer"]);
    assert!(run.code != 0 && run.stderr.contains("the model is one of strings"), "{}", run.stderr);
}
