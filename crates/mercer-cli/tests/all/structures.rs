//! Strings, trees, graphs, time series and records: each from its file to a model, predictions, a test and a tuning.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::{data, mercer, mercer_fed};

/// Strings of a and c against strings of g and t.
pub fn strings(count: usize) -> Vec<(String, &'static str)> {
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

pub fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    name.to_string()
}

pub fn csv(count: usize) -> String {
    strings(count).iter().fold("sequence,label\n".to_string(), |mut text, (string, label)| {
        let _ = writeln!(text, "{string},{label}");
        text
    })
}

/// Trains with a kernel, and asks the model in all ways there are.
fn all_commands(folder: &Path, data: &str, kernel: &str, more: &[&str]) -> String {
    let run =
        mercer(folder, &[&["train", data, "--kernel", kernel, "-o", "m.mercer", "--force"], more].concat());
    assert_eq!(run.code, 0, "{data}: {}", run.stderr);
    assert!(run.stdout.contains("kernel") && run.stdout.contains("support vectors"), "{}", run.stdout);
    let told = run.stdout;
    let run = mercer(folder, &["inspect", "m.mercer"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    // The model remembers where the labels and the items were.
    let run = mercer(folder, &["predict", "m.mercer", data, "--scores"]);
    assert_eq!(run.code, 0, "{data}: {}", run.stderr);
    assert!(run.stderr.contains("% as labelled"), "{}", run.stderr);
    let lines = run.stdout.lines().count();
    let run = mercer(folder, &["evaluate", "m.mercer", data, "--json"]);
    assert_eq!(run.code, 0, "{data}: {}", run.stderr);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(found["rows"].as_u64().unwrap() as usize + 1, lines);
    assert!(found["accuracy"].as_f64().unwrap() > 0.9, "{data}: {found}");
    // The same model in JSON says the same.
    let words = ["train", data, "--kernel", kernel, "-o", "m.json", "--force", "--quiet"];
    assert_eq!(mercer(folder, &[&words[..], more].concat()).code, 0);
    let predicted = |model: &str| mercer(folder, &["predict", model, data, "--scores"]);
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
fn sets_pictures_logic_and_generative_models() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (mut pixels, mut bits, mut formulae) =
        (String::new(), "text,label\n".to_string(), "text,label\n".to_string());
    for i in 0..24usize {
        let class = ["a", "b"][i % 2];
        // A bright pixel somewhere in the first or in the last of three lines of four.
        let at = if i % 2 == 0 { i % 3 } else { 8 + i % 3 };
        let picture: Vec<String> = (0..12)
            .map(|k| format!("{:.2}", f64::from(u8::from(k == at)) + 0.01 * (k * i % 7) as f64))
            .collect();
        let _ = writeln!(pixels, "{},{class}", picture.join(","));
        let _ = writeln!(bits, "{}{:04b},{class}", i % 2, i % 13);
        let rest = ["q or r", "q -> r", "not (q and r)", "r"][i % 4];
        let _ = writeln!(formulae, "{}p and ({rest}),{class}", ["", "not "][i % 2]);
    }
    write(folder, "p.csv", &pixels);
    all_commands(folder, "p.csv", "jittered(gaussian(gamma=0.5), width=4, rotations=[-5, 5])", &[]);
    write(folder, "b.csv", &bits);
    all_commands(folder, "b.csv", "conjunctions(size=2)", &["--text", "text"]);
    all_commands(folder, "b.csv", "dnf(monotone=true)", &["--text", "text"]);
    write(folder, "f.csv", &formulae);
    all_commands(folder, "f.csv", "common-models", &[]);
    write(folder, "s.csv", &csv(40));
    all_commands(folder, "s.csv", "pair-hmm(gap=0.1, mutation=0.2)", &["--text", "sequence", "--cost", "1"]);
    all_commands(
        folder,
        "s.csv",
        "normalised(fisher-hmm(states=2))",
        &["--text", "sequence", "--cost", "10"],
    );
    let series = (0..24usize).fold(String::new(), |mut text, i| {
        let (shift, class) = ([0.0, 3.0][i % 2], ["a", "b"][i % 2]);
        let values: Vec<String> =
            (0..5 + i % 3).map(|t| format!("{:.2}", shift + (t * i % 5) as f64 / 5.0)).collect();
        let _ = writeln!(text, "{}:{class}", values.join(","));
        text
    });
    write(folder, "x.ts", &format!("@univariate true\n@classLabel true a b\n@data\n{series}"));
    all_commands(folder, "x.ts", "set-sum(gaussian(gamma=0.5), mean=true)", &[]);
    all_commands(folder, "x.ts", "best-match(gaussian(gamma=0.5))", &[]);
    all_commands(folder, "x.ts", "normalised(fisher-mixture(components=2))", &[]);
}

/// Scores that a model gives to the items of a file.
fn scores(folder: &Path, model: &str, data: &str) -> Vec<f64> {
    let run = mercer(folder, &["predict", model, data, "--scores", "--label", "label"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let last = |line: &str| line.rsplit(',').next().unwrap().parse::<f64>().unwrap();
    run.stdout.lines().skip(1).map(last).collect()
}

#[test]
fn items_have_weights_and_groups() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // Items without weight are as if they were not there.
    let (mut weighted, mut fewer) = ("sequence,w,label\n".to_string(), "sequence,w,label\n".to_string());
    for (i, (string, label)) in strings(40).into_iter().enumerate() {
        let line = format!("{string},{},{label}\n", if i < 30 { 2.0 } else { 0.0 });
        fewer += if i < 30 { &line } else { "" };
        weighted += &line;
    }
    write(folder, "w.csv", &weighted);
    write(folder, "f.csv", &fewer);
    let train = |data: &str, model: &str| {
        let words = ["--kernel", "spectrum(k=2)", "--cost", "0.01", "--weight", "w", "--label", "label"];
        let more = ["--tolerance", "1e-8", "--test", "none", "-o", model];
        let run = mercer(folder, &[&["train", data], &words[..], &more[..]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    assert!(train("w.csv", "w.mercer").contains("40 strings, weighted (10 with the weight 0)"));
    train("f.csv", "f.mercer");
    for (a, b) in scores(folder, "w.mercer", "w.csv").into_iter().zip(scores(folder, "f.mercer", "w.csv")) {
        assert!((a - b).abs() < 1e-5, "{a} and {b}");
    }

    // Each string stands there twice, with a label that has nothing to do with it: who may look at the twin knows it.
    let mut state = 3u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize
    };
    let mut twins = "sequence,pair,label\n".to_string();
    for pair in 0..30 {
        let string: String = (0..14).map(|_| ['a', 'c', 'g', 't'][next() % 4]).collect();
        let label = ["+", "-"][next() % 2];
        twins += &format!("{string},p{pair},{label}\n{string},p{pair},{label}\n");
    }
    write(folder, "t.csv", &twins);
    let accuracy = |more: &[&str]| {
        let words = ["evaluate", "--cv", "5", "t.csv", "--kernel", "spectrum(k=5)", "--cost", "10", "--json"];
        let run = mercer(folder, &[&words[..], &["--label", "label"], more].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let found: Value = serde_json::from_str(&run.stdout).unwrap();
        found["test"]["mean"].as_f64().unwrap()
    };
    assert!(accuracy(&[]) > 0.8 && accuracy(&["--group", "pair"]) < 0.75);
    let tune =
        ["tune", "t.csv", "--kernel", "spectrum(k=5)", "--label", "label", "--group", "pair", "--json"];
    let run = mercer(folder, &[&tune[..], &["--costs", "1,10"]].concat());
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(found["best"]["mean"].as_f64().unwrap() < 0.75, "{found}");

    for (words, part) in [
        (vec!["w.csv", "--weight", "sequence"], "the weight"),
        (vec!["w.csv", "--weight", "height"], "there is no column `height`"),
    ] {
        let words =
            [&["train"], &words[..], &["--kernel", "spectrum(k=2)", "--label", "label", "--force"]].concat();
        let run = mercer(folder, &words);
        assert!(run.code == 1 && run.stderr.contains(part), "{words:?}: {} {}", run.code, run.stderr);
    }
    write(folder, "s.fa", ">P1 | a\nacgt\n>P2 | b\ntgca\n");
    let run = mercer(folder, &["train", "s.fa", "--kernel", "spectrum(k=2)", "--weight", "w"]);
    assert!(run.stderr.contains("weights and groups are columns of a table"), "{}", run.stderr);
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
    write(folder, "t.csv", "tree,label\n(S x),a\n(S,b\n");
    for (words, code, part) in [
        (vec!["train", "s.csv", "--kernel", "wl(h=3)"], 1, "s.csv: graphs are read from a folder"),
        (
            vec!["train", ".", "--kernel", "spectrum(k=3)"],
            1,
            "this is a folder, and strings are read from a file",
        ),
        (vec!["train", "none.csv", "--kernel", "spectrum(k=3)"], 1, "none.csv"),
        (vec!["train", "s.csv", "--kernel", "spectrum(k=0)"], 2, "k = 0"),
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
        (
            vec!["train", "-", "--kernel", "wl(h=1)", "-o", "x.mercer"],
            1,
            "standard input: graphs are read from a folder",
        ),
        (
            vec!["train", "s.csv", "--kernel", "spectrum(k=3)", "--missing", "drop"],
            2,
            "--missing is for rows",
        ),
        (
            vec!["train", "bad.csv", "--kernel", "column(\"age\", linear)", "--missing", "mean"],
            2,
            "records are left out, --missing drop",
        ),
        (
            vec!["train", "s.csv", "--kernel", "normalised(shifted(spectrum(k=2)))"],
            2,
            "around the whole kernel",
        ),
        (vec!["tune", "s.csv", "--kernels", "spectrum(k=3); wl(h=1)"], 2, "wl(h=1) compares graphs"),
        // Items are counted from 1.
        (vec!["train", "t.csv", "--kernel", "subset_tree"], 1, "item 2 of the file: "),
        (vec!["clean", "s.csv", "--kernel", "spectrum(k=3)", "--unscaled"], 2, "--unscaled is for rows"),
        (vec!["kernel", "spectrum(k=3)", "--data", "s.csv", "--words", "1"], 2, "--words is for rows"),
        (vec!["kernel", "wl(h=1)", "--between", "a", "b"], 2, "graphs cannot be written on the command line"),
        (vec!["tune", "s.csv", "--kernel", "spectrum(k=3)", "--outside", "0.1"], 2, "--outside is for"),
        (vec!["tune", "s.csv", "--kernel", "spectrum(k=3)", "--criterion", "bounds"], 2, "bounds"),
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

#[test]
fn a_model_remembers_where_the_label_was() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // The label stands first, so that without it the strings would be looked for there.
    let rows = strings(30).into_iter().fold(String::new(), |mut text, (string, label)| {
        let _ = writeln!(text, "{label}\t{string}");
        text
    });
    write(folder, "s.tsv", &rows);
    let train = ["train", "s.tsv", "--label", "1", "--kernel", "spectrum(k=2)", "-o", "s.mercer", "--quiet"];
    assert_eq!(mercer(folder, &train).code, 0);
    let run = mercer(folder, &["predict", "s.mercer", "s.tsv"]);
    assert!(run.code == 0 && run.stderr.contains("100.00 % as labelled"), "{} {}", run.stdout, run.stderr);
    // A file need not have the label.
    let bare = strings(30).iter().map(|(string, _)| format!("{string}\n")).collect::<String>();
    write(folder, "bare.tsv", &bare);
    let other = mercer(folder, &["predict", "s.mercer", "bare.tsv"]);
    assert_eq!((other.code, &other.stdout), (0, &run.stdout), "{}", other.stderr);

    let trees = (0..24).fold(String::new(), |mut text, i| {
        let (root, verb) = if i % 2 == 0 { ("1", "saw") } else { ("2", "ate") };
        let _ = writeln!(text, "({root} (NP x{}) (VP (V {verb}) (NP y)))", i % 3);
        text
    });
    write(folder, "t.ptb", &trees);
    let kernel = "normalised(subset_tree(decay=0.4))";
    let train = ["train", "t.ptb", "--label", "root", "--kernel", kernel, "-o", "t.mercer", "--quiet"];
    assert_eq!(mercer(folder, &train).code, 0);
    let [alone, told] = [&[][..], &["--label", "root"]]
        .map(|more| mercer(folder, &[&["predict", "t.mercer", "t.ptb", "--scores"], more].concat()));
    assert_eq!((alone.code, &alone.stdout), (0, &told.stdout), "{}", alone.stderr);
    assert!(alone.stderr.contains("100.00 % as labelled"), "{}", alone.stderr);
    assert_eq!(mercer(folder, &["evaluate", "t.mercer", "t.ptb"]).code, 0);
}

#[test]
fn insights_and_gram_matrices_of_items() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // One label is wrong.
    let wrong = csv(40).replacen(",+\n", ",-\n", 1);
    write(folder, "s.csv", &wrong);
    let run = mercer(folder, &["clean", "s.csv", "--kernel", "normalised(spectrum(k=2))", "--json"]);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((run.code, found["suspects"][0]["row"].as_u64()), (0, Some(1)), "{}", run.stderr);
    let run = mercer(
        folder,
        &["prototypes", "s.csv", "--kernel", "spectrum(k=2)", "--count", "2", "--per-class", "--json"],
    );
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(found["prototypes"].as_array().unwrap().len(), 4, "{}", run.stderr);
    let run =
        mercer(folder, &["curve", "s.csv", "--kernel", "normalised(spectrum(k=2))", "--ratios", "0.5,1,2"]);
    assert!(run.code == 0 && run.stdout.contains("40 strings"), "{} {}", run.stdout, run.stderr);

    // k(x, z) of two strings, and the matrix of all.
    let run = mercer(folder, &["kernel", "spectrum(k=2)", "--between", "banana", "ananas"]);
    assert_eq!((run.code, run.stdout.trim()), (0, "8"), "{}", run.stderr);
    let run = mercer(folder, &["kernel", "dtw(gamma=0.5)", "--between", "0,1", "0,0,3"]);
    assert_eq!((run.code, run.stdout.trim()), (0, (-2.0f64).exp().to_string().as_str()), "{}", run.stderr);
    write(folder, "few.csv", "sequence,label\nbanana,a\nananas,b\n");
    let run = mercer(folder, &["kernel", "spectrum(k=2)", "--data", "few.csv"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "9,8\n8,9\n"), "{}", run.stderr);
    let run = mercer(folder, &["kernel", "spectrum(k=2)", "--data", "s.csv", "--check"]);
    assert!(run.code == 0 && run.stdout.contains("40 of 40"), "{} {}", run.stdout, run.stderr);
    let run = mercer(folder, &["kernel", "wl(h=2)"]);
    assert!(run.code == 0 && run.stdout.contains("graphs"), "{} {}", run.stdout, run.stderr);

    // The contributions are those of the same string, written or taken from the file.
    assert_eq!(mercer(folder, &["train", "s.csv", "--kernel", "spectrum(k=2)", "--quiet"]).code, 0);
    let first = &strings(1)[0].0;
    let [written, taken] =
        [vec!["explain", "s.mercer", first], vec!["explain", "s.mercer", "1", "--data", "s.csv"]]
            .map(|words| mercer(folder, &words));
    assert_eq!((written.code, &written.stdout), (0, &taken.stdout), "{} {}", written.stderr, taken.stderr);
    assert!(taken.stdout.contains("decision value"), "{}", taken.stdout);
    let run = mercer(folder, &["explain", "s.mercer", "41", "--data", "s.csv"]);
    assert!(run.code == 1 && run.stderr.contains("there is no row 41: the file has 40"), "{}", run.stderr);
}

#[test]
fn items_are_read_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "s.csv", &csv(20));
    let kernel = ["--kernel", "spectrum(k=2)", "--cost", "1", "--test", "none"];
    let run = mercer(folder, &[&["train", "s.csv", "-o", "a.mercer"], &kernel[..]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = mercer_fed(folder, &[&["train", "-", "-o", "b.mercer"], &kernel[..]].concat(), &csv(20));
    assert!(
        run.code == 0 && run.stdout.contains("standard input: 20 strings"),
        "{}{}",
        run.stdout,
        run.stderr
    );
    let file = mercer(folder, &["predict", "a.mercer", "s.csv"]);
    let piped = mercer_fed(folder, &["predict", "b.mercer", "-"], &csv(20));
    assert_eq!((piped.code, piped.stdout), (0, file.stdout), "{}", piped.stderr);
    // Whether there are labels is found out by reading twice.
    let unlabelled = "gattaca\nacca\n";
    let piped = mercer_fed(folder, &["predict", "b.mercer", "-", "--label", "none"], unlabelled);
    // And the name of the column.
    assert_eq!(piped.stdout.lines().count(), 3, "{}{}", piped.stdout, piped.stderr);
}

#[test]
fn series_that_are_filled_up_are_as_long_as_their_values() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let rows = |padded: bool| {
        (0..16).fold(String::new(), |mut text, i| {
            let values: Vec<String> =
                (0..2 + i % 3).map(|t| (((i % 2) + t) as f64 * 0.5).to_string()).collect();
            let padding = if padded { ",".repeat(4 - values.len()) } else { String::new() };
            let _ = writeln!(text, "{}{padding},{}", values.join(","), ["a", "b"][i % 2]);
            text
        })
    };
    write(folder, "padded.csv", &rows(true));
    write(folder, "ragged.csv", &rows(false));
    let train = |data: &str, model: &str| {
        let options = ["--kernel", "global_alignment(sigma=1)", "--cost", "1", "--test", "none", "-q"];
        let run = mercer(folder, &[&["train", data, "-o", model], &options[..]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        mercer(folder, &["predict", model, data, "--scores"]).stdout
    };
    assert_eq!(train("padded.csv", "p.mercer"), train("ragged.csv", "r.mercer"));
}

#[test]
fn records_without_a_number_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (mut holes, mut whole) = ("age,job,weight,label\n".to_string(), "age,job,weight,label\n".to_string());
    for i in 0..20 {
        let row = format!("{},{},{},{}", i % 5, ["1", "2.0"][i % 2], 1 + i % 3, ["a", "b"][i % 2]);
        if i % 7 == 3 {
            let _ = writeln!(holes, "{},{}", ["", "NA", "?"][i % 3], row.split_once(',').unwrap().1);
        } else {
            let _ = writeln!(holes, "{row}");
            let _ = writeln!(whole, "{row}");
        }
    }
    write(folder, "holes.csv", &holes);
    write(folder, "whole.csv", &whole);
    let kernel = "column(\"age\", gaussian(gamma=1)) + column(\"job\", equality)";
    let options = ["--kernel", kernel, "--cost", "1", "--weight", "weight", "--test", "none"];
    let run = mercer(folder, &[&["train", "holes.csv", "-o", "h.mercer"], &options[..]].concat());
    assert!(
        run.code == 1 && run.stderr.contains("row 4, column `age`: the number is missing"),
        "{}",
        run.stderr
    );
    let run = mercer(
        folder,
        &[&["train", "holes.csv", "-o", "h.mercer", "--missing", "drop"], &options[..]].concat(),
    );
    assert!(run.code == 0 && run.stderr.contains("3 rows left out: a value is missing"), "{}", run.stderr);
    assert!(run.stdout.contains("17 records"), "{}", run.stdout);
    let run = mercer(folder, &[&["train", "whole.csv", "-o", "w.mercer"], &options[..]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let said = |model: &str, data: &str| mercer(folder, &["predict", model, data, "--scores"]).stdout;
    assert_eq!(said("h.mercer", "whole.csv"), said("w.mercer", "whole.csv"));
    // 1 and 1.0 are one word.
    write(folder, "fractions.csv", &whole.replace(",1,", ",1.0,").replace(",2.0,", ",2,"));
    assert_eq!(said("w.mercer", "fractions.csv"), said("w.mercer", "whole.csv"));
}

#[test]
fn kernels_are_mended_and_it_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut state = 5u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 40) as f64 / f64::from(1 << 23) - 1.0
    };
    let text = (0..30).fold(String::new(), |mut text, i| {
        let values: Vec<String> = (0..3 + i % 6).map(|_| format!("{:.3}", next())).collect();
        let _ = writeln!(text, "{},{}", values.join(","), ["a", "b"][i % 2]);
        text
    });
    write(folder, "x.csv", &text);
    let train = |kernel: &str, model: &str| {
        let run = mercer(
            folder,
            &["train", "x.csv", "--kernel", kernel, "--cost", "1", "--test", "none", "-o", model],
        );
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    assert!(train("dtw(gamma=0.1)", "n.mercer").contains("not claimed"));
    let shifted = train("shifted(dtw(gamma=0.1))", "s.mercer");
    assert!(shifted.contains("shifted by 0.") && shifted.contains("of the objective at most"), "{shifted}");
    let clipped = train("clipped(dtw(gamma=0.1))", "c.mercer");
    assert!(clipped.contains(" of 30 eigenvalues, most negative -0."), "{clipped}");
    let run = mercer(folder, &["inspect", "c.mercer"]);
    assert!(run.stdout.contains(" of 30 eigenvalues, most negative -0."), "{}", run.stdout);
    assert_eq!(mercer(folder, &["predict", "c.mercer", "x.csv"]).stdout.lines().count(), 31);
    // What is 0 for all items teaches nothing.
    write(folder, "s.csv", &csv(12));
    let run = mercer(
        folder,
        &["train", "s.csv", "--kernel", "fixed_subsequences(k=60)", "--cost", "1", "-o", "z.mercer"],
    );
    assert!(run.stderr.contains("the kernel is 0 for all items"), "{}{}", run.stdout, run.stderr);
}

/// Columns are found by the names that they had, asked for or not; files without names have them where they usually stand.
#[test]
fn columns_are_found_again_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(data("promoters.csv")).unwrap();
    let write = |name: &str, line: &dyn Fn(usize, &str, &str) -> String| {
        let lines = text.lines().enumerate().map(|(at, whole)| {
            let (sequence, label) = whole.split_once(',').unwrap();
            line(at, sequence, label) + "\n"
        });
        std::fs::write(folder.path().join(name), lines.collect::<String>()).unwrap();
    };
    write("plain.csv", &|_, sequence, label| format!("{sequence},{label}"));
    write("id.csv", &|at, sequence, label| match at {
        0 => format!("id,{sequence},{label}"),
        at => format!("g{at},{sequence},{label}"),
    });
    write("swapped.csv", &|_, sequence, label| format!("{label},{sequence}"));
    let bare: String = text.lines().skip(1).map(|line| format!("{line}\n")).collect();
    std::fs::write(folder.path().join("bare.csv"), bare).unwrap();
    let words = [
        "train",
        "plain.csv",
        "--kernel",
        "normalised(spectrum(k=3))",
        "--cost",
        "1",
        "--test",
        "none",
        "-q",
    ];
    for machine in [&[][..], &["--machine", "lssvm"]] {
        let run = mercer(folder.path(), &[&words[..], machine, &["-o", "m.mercer", "--force"]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let told: Vec<String> = ["plain.csv", "id.csv", "swapped.csv", "bare.csv"]
            .map(|file| {
                let run = mercer(folder.path(), &["evaluate", "m.mercer", file, "--json"]);
                assert_eq!(run.code, 0, "{file}: {}", run.stderr);
                let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
                told["accuracy"].to_string()
            })
            .to_vec();
        assert!(told.iter().all(|accuracy| *accuracy == told[0]), "{told:?}");
    }
    // A word over a column of numbers is its name.
    let rows = (0..30).map(|i| format!("{}c,{}\n", "ga".repeat(i), i as f64 / 4.0)).collect::<String>();
    std::fs::write(folder.path().join("numbers.csv"), format!("seq,value\n{rows}")).unwrap();
    let words =
        ["train", "numbers.csv", "--kernel", "spectrum(k=2)", "--cost", "1", "--test", "none", "--json"];
    let run = mercer(folder.path(), &words);
    assert!(run.code == 0 && run.stdout.contains("\"30 strings\""), "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("\"regress\""), "{}", run.stdout);
    // Check is about kernels, not about what is made of them.
    let run =
        mercer(folder.path(), &["kernel", "clipped(spectrum(k=2))", "--data", "numbers.csv", "--check"]);
    assert!(run.code == 2 && run.stderr.contains("check the kernel within"), "{}", run.stderr);
}
