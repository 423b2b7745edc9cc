//! Files of graphs: what they mean, what is refused where, and that nothing in them makes a reader panic.

use std::fs;
use std::path::Path;

use mercer::data::{
    EdgeListOptions, Graph, GraphLabel, GraphmlOptions, Random, Targets, ThirdColumn, read_edge_list,
    read_edge_list_from, read_graphml, read_graphml_from, read_tu,
};
use mercer_testkit::fixture;
use mercer_testkit::graphs::{Kind, random};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};

/// The same cases on every run.
fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config {
        cases,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(20_260_001),
        failure_persistence: None,
        ..Config::default()
    })
}

/// Writes the files of a set called S.
fn write_set(folder: &Path, files: &[(&str, &str)]) {
    for (part, text) in files {
        fs::write(folder.join(format!("S_{part}.txt")), text).unwrap();
    }
}

/// Graphs in the layout of the collection, both ways of an edge one after the other.
fn tu_files(graphs: &[Graph]) -> Vec<(&'static str, String)> {
    let (mut edges, mut indicator, mut targets) = (String::new(), String::new(), String::new());
    let (mut node_labels, mut edge_labels, mut attributes) = (String::new(), String::new(), String::new());
    let mut before = 1;
    for (number, graph) in graphs.iter().enumerate() {
        targets += &format!("{}\n", number % 2);
        for node in 0..graph.nodes() {
            indicator += &format!("{}\n", number + 1);
            node_labels += &format!("{}\n", graph.node_label(node).unwrap());
            let values: Vec<String> =
                graph.node_attributes(node).unwrap().iter().map(f64::to_string).collect();
            attributes += &format!("{}\n", values.join(", "));
        }
        for edge in 0..graph.edges() {
            let (from, to) = graph.ends(edge);
            let both = [(from, to), (to, from)];
            for (from, to) in if from == to { &both[..1] } else { &both } {
                edges += &format!("{}, {}\n", before + from, before + to);
                edge_labels += &format!("{}\n", graph.edge_label(edge).unwrap());
            }
        }
        before += graph.nodes();
    }
    vec![
        ("A", edges),
        ("graph_indicator", indicator),
        ("graph_labels", targets),
        ("node_labels", node_labels),
        ("edge_labels", edge_labels),
        ("node_attributes", attributes),
    ]
}

#[test]
fn sets_that_are_written_read_back() {
    let mut draw = Random::new(31);
    let kind = Kind { multiple: true, labelled: true, ..Kind::default() };
    let graphs: Vec<Graph> = (0..20).map(|i| random(&mut draw, 1 + i % 6, i, kind)).collect();
    let folder = tempfile::tempdir().unwrap();
    for (part, text) in tu_files(&graphs) {
        write_set(folder.path(), &[(part, &text)]);
    }
    let set = read_tu(folder.path()).unwrap();
    assert_eq!(set.targets, Targets::Numbers((0..20).map(|i| f64::from(i % 2)).collect()));
    assert_eq!(set.graphs.len(), graphs.len());
    for (found, expected) in set.graphs.iter().zip(&graphs) {
        assert_eq!(found, expected);
    }
}

#[test]
fn sets_may_be_directed_and_have_little_else() {
    let folder = tempfile::tempdir().unwrap();
    // Nodes need not be in the order of graphs; graph 3 has none.
    write_set(folder.path(), &[("A", "1,3\n3, 1\n2,2\n\n"), ("graph_indicator", "1\n2\n1\n4\n")]);
    let set = read_tu(folder.path()).unwrap();
    assert_eq!(set.targets, Targets::Missing);
    let shapes: Vec<_> = set.graphs.iter().map(|graph| (graph.nodes(), graph.edges())).collect();
    assert_eq!(shapes, [(2, 1), (1, 1), (0, 0), (1, 0)]);
    assert!(!set.graphs[0].is_directed());
    // The labels of both ways differ, so that they are two edges.
    write_set(folder.path(), &[("edge_labels", "1\n2\n1\n"), ("graph_labels", "a\nb\na\nb\n")]);
    let set = read_tu(folder.path()).unwrap();
    assert!(set.graphs.iter().all(Graph::is_directed) && set.graphs[0].edges() == 2);
    assert_eq!(set.targets.labels().unwrap().classes(), ["a", "b"]);
}

#[test]
fn sets_that_do_not_fit_are_refused_at_their_place() {
    let good = [("A", "1, 2\n2, 1\n"), ("graph_indicator", "1\n1\n2\n"), ("graph_labels", "1\n-1\n")];
    let cases: [(&str, &str, &str); 15] = [
        ("A", "1, 2\n2, 4\n", "S_A.txt:2:2: node 4, but there are 3 nodes"),
        ("A", "18446744073709551615, 1\n", "S_A.txt:1:1: node 18446744073709551615, but there are 3 nodes"),
        (
            "A",
            "1, 99999999999999999999999\n",
            "S_A.txt:1:2: `99999999999999999999999` is not a whole number of",
        ),
        ("A", "1, 2\n2, 3\n", "S_A.txt:2:1: an edge from graph 1 to graph 2"),
        ("A", "1, 2\n0, 1\n", "S_A.txt:2:1: `0` is not a whole number of at least 1"),
        ("A", "1 2\n", "S_A.txt:1:1: `1 2` is not a whole number of at least 1"),
        ("A", "1\n", "S_A.txt:1:2: `1`: expected two nodes, `1, 2`"),
        ("A", "1, 2, 3\n", "S_A.txt:1:3: `1, 2, 3`: expected two nodes"),
        ("A", "1, 2\n\n2, 1\n", "S_A.txt:2:1: an empty line"),
        ("graph_indicator", "1\n1\n3\n", "S_graph_indicator.txt:3:1: graph 3, but there are 2 graphs"),
        ("graph_labels", "1\n\u{0}1\nnan\n", "S_graph_labels.txt:3:1: `nan` is not a finite number"),
        ("node_labels", "1\n2\n", "S_node_labels.txt: lines (one for each): expected 3, found 2"),
        ("node_attributes", "1,2\n3\n4,5\n", "S_node_attributes.txt:2:1: 1 attributes, but 2 before"),
        ("edge_attributes", "1\nx\n", "S_edge_attributes.txt:2:1: `x` is not a number"),
        ("edge_labels", "1\n", "S_edge_labels.txt: lines (one for each): expected 2, found 1"),
    ];
    for (part, text, expected) in cases {
        let folder = tempfile::tempdir().unwrap();
        write_set(folder.path(), &good);
        assert!(read_tu(folder.path()).is_ok());
        write_set(folder.path(), &[(part, text)]);
        let error = read_tu(folder.path()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}, not {expected}");
    }
    let folder = tempfile::tempdir().unwrap();
    let error = read_tu(folder.path()).unwrap_err().to_string();
    assert!(
        error.ends_with("no file ends in _A.txt, .edges, .edgelist or .graphml (or that and .gz)"),
        "{error}"
    );
    write_set(folder.path(), &[("A", "1, 1\n"), ("graph_indicator", "18446744073709551615\n")]);
    let error = read_tu(folder.path()).unwrap_err().to_string();
    assert!(error.ends_with("1:1: graph 18446744073709551615, but there are only 1 nodes"), "{error}");
    assert!(read_tu("/no/such/folder").is_err());
}

#[test]
fn known_sets_have_their_known_shape() {
    for (name, graphs, nodes, edges, classes, attributes) in [
        ("graphs_MUTAG", 188, 3371, 3721, [63, 125], 0),
        ("graphs_PROTEINS", 1113, 43471, 81044, [663, 450], 1),
    ] {
        let Some(folder) = fixture::large_data(name) else { return };
        let set = read_tu(folder).unwrap();
        assert_eq!(set.graphs.len(), graphs);
        assert_eq!(set.graphs.iter().map(Graph::nodes).sum::<usize>(), nodes);
        assert_eq!(set.graphs.iter().map(Graph::edges).sum::<usize>(), edges);
        assert_eq!(set.targets.labels().unwrap().counts(), classes);
        assert!(set.graphs.iter().all(|graph| graph.node_labels().is_some() && !graph.is_directed()));
        assert!(set.graphs.iter().all(|graph| graph.attributes_per_node() == attributes));
        assert!(set.graphs.iter().all(|graph| graph.edge_labels().is_some() == (attributes == 0)));
    }
}

fn labels() -> EdgeListOptions {
    EdgeListOptions { directed: true, third: ThirdColumn::Label }
}

#[test]
fn lists_of_edges() {
    let text = "% a comment\n\n99999999999999999999 b,single\r\nb\tc  double\n";
    let named = read_edge_list_from(text.as_bytes(), &labels()).unwrap();
    assert_eq!(named.names, ["99999999999999999999", "b", "c"]);
    assert!(named.graph.is_directed());
    assert_eq!(named.graph.edge_labels().unwrap(), [GraphLabel::from("single"), "double".into()]);
    let empty = read_edge_list_from(&b""[..], &EdgeListOptions::default()).unwrap();
    assert_eq!((empty.graph.nodes(), empty.names.len()), (0, 0));

    let refused = [
        ("a b 1\nc d x\n", "line 2, column 3: `x` is not a number"),
        ("a b -1\n", "line 1, column 3: a weight of -1: expected at least 0"),
        ("a b inf\n", "line 1, column 3: `inf` is not a finite number"),
        ("a b\nc d 1\n", "line 2, column 3: a third column, but the edges before have none"),
        ("a b 1 2\n", "line 1, column 4: more than three columns"),
        (",\n", "line 1, column 1: no name of a node"),
    ];
    for (text, expected) in refused {
        let error = read_edge_list_from(text.as_bytes(), &EdgeListOptions::default()).unwrap_err();
        assert_eq!(error.to_string(), expected, "{text}");
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), "a b\nc d 1\n").unwrap();
    let error = read_edge_list(file.path(), &EdgeListOptions::default()).unwrap_err().to_string();
    assert!(error.contains(":2:3: a third column"), "{error}");
}

const DOCUMENT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="k0" for="node" attr.name="label" attr.type="string"/>
  <key id="k1" for="all" attr.name="size" attr.type="double"><default>2</default></key>
  <key id="k2" for="edge" attr.name="weight" attr.type="double"/>
  <key id="k3" for="node" attr.name="comment" attr.type="string"/>
  <graph id="G" edgedefault="directed">
    <edge source="a" target="b"><data key="k2">0.5</data></edge>
    <node id="a"><data key="k0">C &amp; H</data><data key="k3">left out</data></node>
    <node id="b"><data key="k0">7</data><data key="k1">-1</data></node>
  </graph>
  <graph edgedefault="undirected"/>
</graphml>
"#;

#[test]
fn documents_of_graphml() {
    let graphs = read_graphml_from(DOCUMENT.as_bytes(), &GraphmlOptions::default()).unwrap();
    assert_eq!(graphs.len(), 2);
    let graph = &graphs[0].graph;
    assert!(graph.is_directed() && graph.has_arc(0, 1) && graph.edge_weight(0) == 0.5);
    assert_eq!(graph.node_labels().unwrap(), [GraphLabel::from("C & H"), GraphLabel::from(7)]);
    assert_eq!([0, 1].map(|v| graph.node_attributes(v).unwrap()[0]), [2.0, -1.0]);
    assert_eq!(graph.edge_attributes(0), Some(&[2.0][..]));
    assert_eq!(graphs[1].graph.nodes(), 0);
    let options = GraphmlOptions { edge_weight: "size".into(), ..GraphmlOptions::default() };
    let graph = &read_graphml_from(DOCUMENT.as_bytes(), &options).unwrap()[0].graph;
    assert_eq!((graph.edge_weight(0), graph.edge_attributes(0)), (2.0, Some(&[0.5][..])));
}

#[test]
fn documents_that_do_not_fit_are_refused_at_their_place() {
    let cases = [
        (r#"target="b""#, r#"target="z""#, "line 8, column 1: an edge of node `z`, which is not there"),
        (r#"id="b""#, r#"id="a""#, "line 10, column 18: two nodes have the id `a`"),
        ("<data key=\"k0\">7</data>", "", "not all nodes have a label, and there is no default"),
        ("0.5", "half", "`half` is not a number"),
        ("0.5", "-0.5", "a weight of -0.5: expected at least 0"),
        (r#"edgedefault="directed""#, "", "line 7, column 18: <graph> without edgedefault"),
        ("key=\"k3\"", "key=\"k9\"", "data of key `k9`, which no <key> declares"),
        ("<data key=\"k3\">left out</data>", "<port name=\"p\"/>", "<port> is not read here"),
        ("</graphml>", "", "the file ends within <graphml>"),
        (r#"id="k1""#, r#"id="k0""#, "two keys have the id `k0`"),
        ("graphml", "html", "expected <graphml>"),
    ];
    for (part, with, expected) in cases {
        assert!(DOCUMENT.contains(part));
        let text = DOCUMENT.replace(part, with);
        let error = read_graphml_from(text.as_bytes(), &GraphmlOptions::default()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}, not {expected}");
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), "<graphml>\n</graph>").unwrap();
    let error = read_graphml(file.path(), &GraphmlOptions::default()).unwrap_err().to_string();
    let expected = ":2:1: not well-formed XML: expected `</graphml>`, but `</graph>` was found";
    assert!(error.ends_with(expected), "{error}");
}

#[test]
fn nonsense_never_panics() {
    let lists = proptest::collection::vec(
        proptest::sample::select(vec![
            "1",
            "2",
            ",",
            " ",
            "\n",
            "-1",
            "x",
            "0.5",
            "1e999",
            "nan",
            "9999999999",
            "#",
            "\0",
            "é",
            "\r\n",
        ]),
        0..30,
    );
    let folder = tempfile::tempdir().unwrap();
    let parts = ["A", "graph_indicator", "graph_labels", "node_labels", "edge_labels", "node_attributes"];
    let file = (proptest::sample::select(parts.to_vec()), lists);
    runner(1000)
        .run(&file, |(part, pieces)| {
            let text = pieces.concat();
            let good = [("A", "1, 2\n2, 1\n"), ("graph_indicator", "1\n1\n2\n"), ("graph_labels", "1\n-1\n")];
            write_set(folder.path(), &good);
            write_set(folder.path(), &[(part, &text)]);
            if let Ok(set) = read_tu(folder.path()) {
                prop_assert!(set.graphs.iter().map(Graph::nodes).sum::<usize>() <= 30);
            }
            fs::remove_file(folder.path().join(format!("S_{part}.txt"))).unwrap();
            for options in [labels(), EdgeListOptions::default()] {
                if let Ok(named) = read_edge_list_from(text.as_bytes(), &options) {
                    prop_assert_eq!(named.graph.nodes(), named.names.len());
                }
            }
            Ok(())
        })
        .unwrap();
    // Documents with pieces taken out, doubled and put in.
    let damage = (
        0..DOCUMENT.len(),
        0..40usize,
        proptest::sample::select(vec![
            "", "<", ">", "/>", "\"", "&", "<a>", "</node>", "<!--", "]]>", "\u{0}",
        ]),
    );
    runner(2000)
        .run(&damage, |(at, length, with)| {
            let bytes = DOCUMENT.as_bytes();
            let text = [&bytes[..at], with.as_bytes(), &bytes[(at + length).min(bytes.len())..]].concat();
            if let Ok(graphs) = read_graphml_from(&text[..], &GraphmlOptions::default()) {
                prop_assert!(graphs.iter().all(|named| named.graph.nodes() == named.names.len()));
            }
            Ok(())
        })
        .unwrap();
    runner(500)
        .run(&proptest::collection::vec(any::<u8>(), 0..60), |bytes| {
            _ = read_graphml_from(&bytes[..], &GraphmlOptions::default());
            _ = read_edge_list_from(&bytes[..], &EdgeListOptions::default());
            Ok(())
        })
        .unwrap();
}

#[test]
fn graphml_takes_time_in_proportion_to_its_length() {
    let attributes: String = (0..200_000).map(|i| format!(" a{i}=\"\"")).collect();
    let keys: String = (0..50_000)
        .map(|i| format!("<key id=\"k{i}\" for=\"node\" attr.name=\"n{i}\" attr.type=\"string\"/>"))
        .collect();
    let text = format!(
        "<graphml>{keys}<graph edgedefault=\"undirected\"{attributes}><node id=\"a\"/><node id=\"b\"/></graph></graphml>"
    );
    let begun = std::time::Instant::now();
    let graphs = read_graphml_from(text.as_bytes(), &GraphmlOptions::default()).unwrap();
    assert_eq!(graphs[0].names, ["a", "b"]);
    // It took minutes where every name was compared with all before it.
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}
