//! Trees and the text they come in.

use mercer::Error;
use mercer::data::{Tree, TreeBuilder, TreeFormat, format_trees, parse_trees, read_trees};
use proptest::prelude::*;

use super::properties::config;

#[track_caller]
fn assert_refused(format: TreeFormat, text: &str, place: (u64, u64), words: &str) {
    match parse_trees(text, format) {
        Err(Error::Parse { line, column, problem }) => {
            assert_eq!((line, column), place, "{text:?}: {problem}");
            assert!(problem.contains(words), "{text:?}: {problem:?} does not say {words:?}");
        }
        other => panic!("{text:?}: {other:?}"),
    }
}

fn newick(text: &str) -> Tree {
    parse_trees(text, TreeFormat::Newick).unwrap().remove(0)
}

/// Labels by depth: `S>NP>she` is one path.
fn shape(tree: &Tree) -> Vec<(usize, &str)> {
    let (mut shape, mut ends) = (Vec::new(), Vec::new());
    for node in 0..tree.nodes() {
        while ends.last() == Some(&node) {
            ends.pop();
        }
        shape.push((ends.len(), tree.label(node)));
        ends.push(node + tree.size(node));
    }
    shape
}

#[test]
fn brackets() {
    for (text, expected) in [
        ("(A)", vec![(0, "A")]),
        ("(A b)", vec![(0, "A"), (1, "b")]),
        (" ( A\n\tb ) ", vec![(0, "A"), (1, "b")]),
        ("(A (b))", vec![(0, "A"), (1, "b")]),
        ("((S a) )", vec![(0, ""), (1, "S"), (2, "a")]),
        ("()", vec![(0, "")]),
        ("(A () b)", vec![(0, "A"), (1, ""), (1, "b")]),
        (r"(A \( \)\\ 1\/2 a\ b)", vec![(0, "A"), (1, "("), (1, r")\"), (1, r"1\/2"), (1, "a b")]),
        ("(NP Ελλάδα 's)", vec![(0, "NP"), (1, "Ελλάδα"), (1, "'s")]),
    ] {
        let tree: Tree = text.parse().unwrap();
        assert_eq!(shape(&tree), expected, "{text}");
        assert_eq!(tree.to_string().parse::<Tree>().unwrap(), tree, "{text} as {tree}");
    }
    assert!(parse_trees(" \n", TreeFormat::Brackets).unwrap().is_empty());
    assert!(matches!("".parse::<Tree>(), Err(Error::Empty { .. })));
    assert!(matches!("(a)(b)".parse::<Tree>(), Err(Error::Shape { found: 2, .. })));
}

#[test]
fn brackets_that_are_no_trees() {
    let refused = |text, place, words| assert_refused(TreeFormat::Brackets, text, place, words);
    refused("(A (B c)", (1, 1), "never closed");
    refused("(A b)\n  (C (D e)", (2, 3), "never closed");
    refused("(A b))", (1, 6), "never opened");
    refused("(A b)\nword (C d)", (2, 1), "expected `(`, found `word`");
    refused(&format!("x{}", "y".repeat(100)), (1, 1), "…`");
}

#[test]
fn newick_trees() {
    for (text, expected) in [
        ("A;", vec![(0, "A")]),
        ("(A,B)C;", vec![(0, "C"), (1, "A"), (1, "B")]),
        ("(,);", vec![(0, ""), (1, ""), (1, "")]),
        ("((a,b)c,(d)e)f", vec![(0, "f"), (1, "c"), (2, "a"), (2, "b"), (1, "e"), (2, "d")]),
        (
            "('it''s [not] a comment',Homo_sapiens)'';",
            vec![(0, ""), (1, "it's [not] a comment"), (1, "Homo_sapiens")],
        ),
        ("[a [nested] comment] ( A [x] , B ) ; [end]", vec![(0, ""), (1, "A"), (1, "B")]),
    ] {
        let trees = parse_trees(text, TreeFormat::Newick).unwrap();
        assert_eq!(trees.len(), 1, "{text}");
        assert_eq!(shape(&trees[0]), expected, "{text}");
    }
    let tree = newick("(A:0.1,B:-2e-3,C)D : [comment] 3;");
    let lengths: Vec<Option<f64>> = (0..4).map(|node| tree.length(node)).collect();
    assert_eq!(lengths, [Some(3.0), Some(0.1), Some(-0.002), None]);
    assert_eq!(parse_trees("a;\nb;\n(c,d);", TreeFormat::Newick).unwrap().len(), 3);
    assert_eq!(format_trees(&[tree], TreeFormat::Newick), "(A:0.1,B:-0.002,C)D:3.0;\n");
}

#[test]
fn newick_that_is_no_tree() {
    let refused = |text, place, words| assert_refused(TreeFormat::Newick, text, place, words);
    refused("(A,B;", (1, 1), "never closed");
    refused("(A,\n(B,C;", (2, 1), "never closed");
    refused("A,B;", (1, 2), "outside of brackets");
    refused("(A)B)C;", (1, 5), "never opened");
    refused("(A)B C;", (1, 6), "a comma or a semicolon is missing");
    refused("A(B);", (1, 2), "opens after the name");
    refused("A:1:2;", (1, 4), "a second length");
    refused("A:x;", (1, 3), "`x` is not a length");
    refused("A:inf;", (1, 3), "`inf` is not a length");
    refused("A:;", (1, 3), "`` is not a length");
    refused("A;;", (1, 3), "no tree");
    refused("A [b [c] d;", (1, 3), "this comment is never closed");
    refused("A ]", (1, 3), "this comment was never opened");
    refused("'A''B;", (1, 1), "this quote is never closed");
}

#[test]
fn depth_is_no_danger() {
    let depth = 1_000_000;
    let text = format!("{}x{}", "(a ".repeat(depth), ")".repeat(depth));
    let tree: Tree = text.parse().unwrap();
    assert_eq!((tree.nodes(), tree.depth()), (depth + 1, depth));
    assert_eq!(tree.to_string(), text);
    assert_refused(TreeFormat::Brackets, &text[..3 * depth], (1, 3 * depth as u64 - 2), "never closed");
    let text = format!("{}x{};\n", "(".repeat(depth), ")".repeat(depth));
    let tree = newick(&text);
    assert_eq!(tree.depth(), depth);
    assert_eq!(format_trees(&[tree], TreeFormat::Newick), text);
    assert_refused(TreeFormat::Newick, &"(".repeat(depth), (1, depth as u64), "never closed");
    assert_refused(TreeFormat::Newick, &"[".repeat(depth), (1, depth as u64), "never closed");
}

#[test]
fn files_of_trees() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trees.ptb");
    std::fs::write(&path, "(A b)\n(C d\n").unwrap();
    let error = read_trees(&path, TreeFormat::Brackets).unwrap_err().to_string();
    assert!(error.ends_with("trees.ptb:2:1: this bracket is never closed"), "{error}");
    std::fs::write(&path, b"(A b)\n(C \xff)\n").unwrap();
    let error = read_trees(&path, TreeFormat::Brackets).unwrap_err().to_string();
    assert!(error.ends_with("trees.ptb:2:4: byte 0xFF is not UTF-8 text"), "{error}");
    assert!(matches!(read_trees(folder.path().join("none"), TreeFormat::Newick), Err(Error::File { .. })));
}

#[test]
fn builders_refuse_what_is_no_tree() {
    assert!(matches!(TreeBuilder::new().finish(), Err(Error::Empty { .. })));
    assert!(TreeBuilder::new().close().is_err());
    let mut builder = TreeBuilder::new();
    builder.open("a").unwrap();
    assert!(builder.clone().finish().is_err());
    assert!(matches!(builder.set_length(0, f64::NAN), Err(Error::Entry { index: 0, .. })));
    builder.close().unwrap();
    assert!(builder.open("b").is_err());
    assert_eq!(builder.finish().unwrap().to_string(), "(a)");
}

#[test]
fn files_cannot_hold_what_is_no_tree() {
    let good = r#"{"names":["b","a"],"labels":[1,0,1],"sizes":[3,1,1]}"#;
    assert_eq!(serde_json::from_str::<Tree>(good).unwrap(), "(a b a)".parse::<Tree>().unwrap());
    for bad in [
        r#"{"names":[],"labels":[],"sizes":[]}"#,
        r#"{"names":["a"],"labels":[0,0],"sizes":[2]}"#,
        r#"{"names":["a"],"labels":[0,0],"sizes":[1,1]}"#,
        r#"{"names":["a"],"labels":[0,0],"sizes":[3,1]}"#,
        r#"{"names":["a"],"labels":[0,0,0],"sizes":[3,2,2]}"#,
        r#"{"names":["a"],"labels":[0,0],"sizes":[2,0]}"#,
        r#"{"names":["a"],"labels":[0,1],"sizes":[2,1]}"#,
        r#"{"names":["a"],"labels":[0,0],"sizes":[2,1],"lengths":[1.0]}"#,
        r#"{"names":["a"],"labels":[0,0],"sizes":[2,4294967295]}"#,
    ] {
        assert!(serde_json::from_str::<Tree>(bad).is_err(), "{bad}");
    }
}

/// Trees of all shapes, with labels that formats have trouble with, and lengths.
fn any_tree() -> impl Strategy<Value = Tree> {
    let label = prop_oneof![3 => "[ab]{0,2}", 1 => r#"[ ()\[\]\\'",:;_\n\tä]{0,4}"#, 1 => any::<String>()];
    let length = prop_oneof![2 => Just(None), 1 => (-1e3..1e3f64).prop_map(Some), 1 => (-1e300..1e300f64).prop_map(Some)];
    proptest::collection::vec((label, 0..3usize, length), 1..30).prop_map(|nodes| {
        let mut builder = TreeBuilder::new();
        for (i, (label, closed, length)) in nodes.into_iter().enumerate() {
            for _ in 0..closed {
                if i > 0 && builder.depth() > 1 {
                    builder.close().unwrap();
                }
            }
            let node = builder.open(&label).unwrap();
            if let Some(length) = length {
                builder.set_length(node, length).unwrap();
            }
        }
        while builder.depth() > 0 {
            builder.close().unwrap();
        }
        builder.finish().unwrap()
    })
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn what_is_written_reads_back(trees in proptest::collection::vec(any_tree(), 0..4)) {
        let newick = format_trees(&trees, TreeFormat::Newick);
        prop_assert_eq!(&parse_trees(&newick, TreeFormat::Newick).unwrap(), &trees, "{}", newick);
        let brackets = format_trees(&trees, TreeFormat::Brackets);
        let read = parse_trees(&brackets, TreeFormat::Brackets).unwrap();
        prop_assert_eq!(format_trees(&read, TreeFormat::Brackets), brackets.as_str());
        for (read, tree) in read.iter().zip(&trees) {
            prop_assert_eq!(shape(read), shape(tree), "{}", brackets);
        }
        prop_assert_eq!(read.len(), trees.len());
        let json = serde_json::to_string(&trees).unwrap();
        prop_assert_eq!(serde_json::from_str::<Vec<Tree>>(&json).unwrap(), trees);
    }

    #[test]
    fn no_text_is_too_strange(text in r#"[()\[\]\\',:;a0.e \n-]{0,40}"#) {
        for format in [TreeFormat::Brackets, TreeFormat::Newick] {
            if let Ok(trees) = parse_trees(&text, format) {
                let written = format_trees(&trees, format);
                prop_assert_eq!(parse_trees(&written, format).unwrap(), trees, "{} as {}", text, written);
            }
        }
    }
}
