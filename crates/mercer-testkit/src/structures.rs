//! A few items of every kind, in two classes that alternate, for tests that must not forget a kind.

use mercer::data::{
    Cell, CellKind, Collection, Graph, ItemKind, KernelRow, Record, RecordSchema, Series, Vectors,
};
use mercer::kernel::StructureExpression;

use crate::random::Random;

/// The class, and the number, of item i.
pub fn target(i: usize) -> (&'static str, f64) {
    if i.is_multiple_of(2) { ("even", i as f64 / 10.0) } else { ("odd", 1.0 + i as f64 / 10.0) }
}

/// So many items that a kernel compares; records have the columns that it names, strings are what it reads them as, and pictures have
/// one size.
pub fn items_for(kernel: &StructureExpression, count: usize) -> Collection<'static> {
    let (text, mut random) = (kernel.to_string(), Random::new(11));
    if text.contains("conjunctions") || text.contains("dnf") {
        // The first variable is the class.
        let mut bits = |i: usize| {
            let first = if i.is_multiple_of(2) { "0" } else { "1" };
            (0..5).fold(first.to_string(), |bits, _| bits + ["0", "1"][random.below(2)])
        };
        return Collection::Strings((0..count).map(&mut bits).collect());
    }
    if text.contains("common_models") {
        let formula = |i: usize| {
            let rest = ["q or r", "q -> r", "not (q and r)", "r"][i % 4];
            if i.is_multiple_of(2) { format!("p and ({rest})") } else { format!("not p and ({rest})") }
        };
        return Collection::Strings((0..count).map(formula).collect());
    }
    if text.contains("jittered") {
        let mut picture = |i: usize| {
            let mut pixels: Vec<f64> = (0..6).map(|_| 0.1 * random.normal()).collect();
            pixels[if i.is_multiple_of(2) { 0 } else { 5 }] += 2.0;
            Series::new(pixels, 2).expect("finite values")
        };
        return Collection::Series((0..count).map(&mut picture).collect());
    }
    let all = items(kernel.kind(), count);
    let (Collection::Records(records), Ok(Some(schema))) = (&all, kernel.columns()) else { return all };
    let place = |name: &str| COLUMNS.iter().position(|(other, _)| *other == name).expect("a column");
    let cells = |record: &Record| {
        schema.columns().iter().map(|(name, _)| record.cells()[place(name)].clone()).collect::<Vec<_>>()
    };
    Collection::Records(
        records.iter().map(|record| schema.record(cells(record)).expect("a record")).collect(),
    )
}

/// The columns of records.
const COLUMNS: [(&str, CellKind); 3] =
    [("age", CellKind::Number), ("job", CellKind::Category), ("note", CellKind::Text)];

/// So many items. Those of the two classes differ in what they are made of; strings have the letters a, c, g and t, one of the
/// first few is empty; graphs have labels and weights, one of them has one node; series have two channels and many lengths.
pub fn items(kind: ItemKind, count: usize) -> Collection<'static> {
    let mut random = Random::new(7);
    match kind {
        ItemKind::Rows => {
            let mut row = |i: usize| {
                let side = if i.is_multiple_of(2) { 1.0 } else { -1.0 };
                [side + 0.5 * random.normal(), random.normal(), if i.is_multiple_of(3) { 0.0 } else { side }]
            };
            let rows: Vec<[f64; 3]> = (0..count).map(&mut row).collect();
            Vectors::from_rows(&rows).expect("finite values").into()
        }
        ItemKind::KernelValues => {
            let row = |i: usize| [target(i).1, if i.is_multiple_of(2) { 1.0 } else { -1.0 }];
            let near = |(a, b): ([f64; 2], [f64; 2])| (-(a[0] - b[0]).powi(2) - (a[1] - b[1]).powi(2)).exp();
            let values = (0..count * count).map(|at| near((row(at / count), row(at % count)))).collect();
            let columns: Vec<usize> = (0..count).collect();
            Collection::KernelValues(KernelRow::training(values, &columns).expect("a value for each pair"))
        }
        ItemKind::Strings => Collection::Strings((0..count).map(|i| string(&mut random, i)).collect()),
        ItemKind::Trees => {
            let tree = |i: usize| {
                let (verb, noun) = if i.is_multiple_of(2) { ("saw", "dog") } else { ("ate", "fish") };
                let adjective = ["", " (A old)", " (A small)"][i % 3];
                let text =
                    format!("(S (NP (D the) (N {noun})) (VP (V {verb}) (NP (D a){adjective} (N {noun}))))");
                text.parse().expect("a tree")
            };
            Collection::Trees((0..count).map(tree).collect())
        }
        ItemKind::Graphs => Collection::Graphs((0..count).map(|i| graph(&mut random, i)).collect()),
        ItemKind::Series => {
            let mut series = |i: usize| {
                let (length, rate) = (3 + i % 5, if i.is_multiple_of(2) { 0.5 } else { 1.4 });
                let mut value =
                    |t: usize, shift: f64| (rate * t as f64 + shift).sin() + 0.1 * random.normal();
                let values = (0..length).flat_map(|t| [value(t, 0.0), value(t, 1.0)]).collect();
                Series::new(values, 2).expect("finite values")
            };
            Collection::Series((0..count).map(&mut series).collect())
        }
        ItemKind::Records => {
            let columns = [("age", CellKind::Number), ("job", CellKind::Category), ("note", CellKind::Text)];
            let schema = RecordSchema::new(columns).expect("three columns");
            let mut record = |i: usize| {
                let job = if i.is_multiple_of(2) { "baker" } else { "smith" };
                let note = ["bakes fine bread", "works iron", "bread and iron", ""][i % 4];
                let age = 30.0 + 5.0 * random.normal();
                let cells = vec![Cell::Number(age), Cell::Category(job.into()), Cell::Text(note.into())];
                schema.record(cells).expect("a record")
            };
            Collection::Records((0..count).map(&mut record).collect())
        }
    }
}

fn string(random: &mut Random, i: usize) -> String {
    if i == 3 {
        return String::new();
    }
    let letters = if i.is_multiple_of(2) { ['a', 'c', 'a', 'g'] } else { ['t', 'g', 't', 'c'] };
    (0..5 + i % 4).map(|_| letters[random.below(4)]).collect()
}

fn graph(random: &mut Random, i: usize) -> Graph {
    let nodes = if i == 2 { 1 } else { 3 + i % 4 };
    let mut edges: Vec<(usize, usize)> = (1..nodes).map(|node| (random.below(node), node)).collect();
    if i % 2 == 1 && nodes > 2 {
        edges.push((0, nodes - 1));
    }
    let labels = (0..nodes).map(|node| if (node + i).is_multiple_of(3) { "N" } else { "C" });
    let weights = edges.iter().map(|_| 1.0 + random.uniform()).collect();
    let kinds: Vec<i64> = edges.iter().map(|_| random.below(2) as i64).collect();
    let graph = Graph::undirected(nodes, &edges).and_then(|graph| graph.with_node_labels(labels));
    graph
        .and_then(|graph| graph.with_edge_labels(kinds))
        .and_then(|graph| graph.with_edge_weights(weights))
        .expect("a graph")
}
