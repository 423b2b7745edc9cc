//! Fuzzers of everything that reads data.

use std::io::Write;

use mercer::data::{
    CellKind, Contents, EdgeListOptions, FastaLabel, Format, GraphmlOptions, Header, ItemKind, Items,
    LabelColumn, Random, ReadOptions, RecordSchema, Schema, SeriesLabel, StringColumns, StructureOptions,
    ThirdColumn, TreeFormat, Words, parse_number, parse_trees, read_edge_list_from, read_fasta, read_from,
    read_graphml_from, read_lines, read_series_rows, read_string_table, read_structures_from, read_ts,
    read_tu,
};

use crate::corpus;
use crate::fuzz;
use mercer_testkit::fuzz::mutated;

/// Runs a reader on changed texts of a corpus.
fn texts(name: &str, corpus: &[&str], check: impl Fn(&[u8])) {
    let corpus = corpus::of(corpus);
    fuzz(name, |random: &mut Random| mutated(random, &corpus), check);
}

/// What is read can be used: as many targets as rows, rows that hold their columns.
fn use_contents(contents: Contents) {
    match contents {
        Contents::Table(table) => {
            let rows = table.vectors.len();
            if let Ok(labels) = table.targets.labels() {
                assert_eq!(labels.len(), rows);
            }
            let mut last = 0;
            (0..rows.min(20))
                .for_each(|row| table.vectors.get(row).for_each(|column, _| last = last.max(column + 1)));
            assert!(last <= table.vectors.columns());
        }
        Contents::Precomputed(values) => assert_eq!(values.numbers.len(), values.matrix.rows()),
    }
}

#[test]
fn tables() {
    texts("tables", &corpus::TABLES, |input| {
        for header in [Header::Auto, Header::Present, Header::Absent] {
            let options = ReadOptions { header, ..ReadOptions::default() };
            let _ = read_from(input, &options).map(use_contents);
        }
        for format in [Format::Csv, Format::Tsv, Format::Semicolons] {
            let options =
                ReadOptions { format: Some(format), label: LabelColumn::Absent, ..ReadOptions::default() };
            let _ = read_from(input, &options).map(use_contents);
        }
        let _ = read_from(input, &ReadOptions { words: Words::Encode, ..ReadOptions::default() })
            .map(use_contents);
    });
}

#[test]
fn libsvm() {
    texts("libsvm", &corpus::LIBSVM, |input| {
        let _ = read_from(input, &ReadOptions::default()).map(use_contents);
        let options =
            ReadOptions { format: Some(Format::Libsvm), max_columns: Some(50), ..ReadOptions::default() };
        let _ = read_from(input, &options).map(use_contents);
    });
}

#[test]
fn precomputed() {
    texts("precomputed", &corpus::PRECOMPUTED, |input| {
        let _ = read_from(input, &ReadOptions::default()).map(use_contents);
    });
}

#[test]
fn gzip() {
    let packed = |text: &&str| {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        out.write_all(text.as_bytes()).unwrap();
        out.finish().unwrap()
    };
    let corpus: Vec<Vec<u8>> = corpus::TABLES.iter().chain(&corpus::LIBSVM).map(packed).collect();
    fuzz(
        "gzip",
        |random| mutated(random, &corpus),
        |input| {
            let _ = read_from(input, &ReadOptions::default()).map(use_contents);
        },
    );
}

#[test]
fn graphml() {
    texts("graphml", &corpus::GRAPHML, |input| {
        let _ = read_graphml_from(input, &GraphmlOptions::default());
    });
}

#[test]
fn edge_lists() {
    texts("edge lists", &corpus::EDGES, |input| {
        for third in [ThirdColumn::Weight, ThirdColumn::Label] {
            let _ =
                read_edge_list_from(input, &EdgeListOptions { directed: third == ThirdColumn::Label, third });
        }
    });
}

#[test]
fn graph_folders() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("G");
    std::fs::create_dir(&path).unwrap();
    let texts: Vec<&str> = corpus::FOLDER.iter().map(|(_, text)| *text).collect();
    let corpus = corpus::of(&texts);
    // The first byte says which of the files has changed.
    let draw = |random: &mut Random| {
        let which = random.below(corpus::FOLDER.len());
        let mut input = vec![which as u8];
        input.extend(mutated(random, &corpus));
        input
    };
    fuzz("graph folders", draw, |input| {
        for (at, (name, text)) in corpus::FOLDER.iter().enumerate() {
            let content = if at == input[0] as usize { &input[1..] } else { text.as_bytes() };
            std::fs::write(path.join(name), content).unwrap();
        }
        let _ = read_tu(&path);
    });
}

#[test]
fn trees() {
    texts("trees", &corpus::TREES, |input| {
        let text = String::from_utf8_lossy(input);
        for format in [TreeFormat::Brackets, TreeFormat::Newick] {
            let _ = parse_trees(&text, format);
        }
        let _ = read_structures_from(input, ItemKind::Trees, &StructureOptions::default());
    });
}

#[test]
fn series() {
    texts("series", &corpus::SERIES, |input| {
        let _ = read_ts(input);
        for label in [SeriesLabel::First, SeriesLabel::Last, SeriesLabel::Absent] {
            let _ = read_series_rows(input, label);
        }
        let _ = read_structures_from(input, ItemKind::Series, &StructureOptions::default());
    });
}

#[test]
fn strings() {
    texts("strings", &corpus::STRINGS, |input| {
        let _ = read_fasta(input, &FastaLabel::Last { separator: '|' });
        let _ = read_lines(input);
        let _ = read_string_table(input, &StringColumns::default());
        let _ = read_structures_from(input, ItemKind::Strings, &StructureOptions::default());
    });
}

#[test]
fn records() {
    texts("records", &corpus::RECORDS, |input| {
        for drop_missing in [false, true] {
            let kinds = [("age", CellKind::Number), ("color", CellKind::Category), ("set", CellKind::Text)];
            let columns = Some(RecordSchema::new(kinds).unwrap());
            let options = StructureOptions { drop_missing, columns, ..StructureOptions::default() };
            let _ = read_structures_from(input, ItemKind::Records, &options);
        }
    });
}

#[test]
fn numbers() {
    texts("numbers", &["0", "-1.5e-7", "1e308", "+.5", "4294967296", "nan"], |input| {
        if let Ok(text) = std::str::from_utf8(input)
            && let Ok(number) = parse_number(text)
        {
            assert!(number.is_finite());
        }
    });
}

/// How a table is read, as model files hold it.
#[test]
fn schema() {
    let options = |words| ReadOptions { words, ..ReadOptions::default() };
    let made = corpus::TABLES.iter().filter_map(|text| {
        let table = read_from(text.as_bytes(), &options(Words::Encode)).ok()?.table().ok()?;
        serde_json::to_vec(table.schema.as_deref()?).ok()
    });
    let corpus: Vec<Vec<u8>> = made.collect();
    assert!(corpus.len() > 2);
    fuzz(
        "schema",
        |random| mutated(random, &corpus),
        |input| {
            if let Ok(schema) = serde_json::from_slice::<Schema>(input)
                && schema.check().is_ok()
                && schema.columns() < 1000
            {
                let options = ReadOptions { schema: Some(schema.into()), ..ReadOptions::default() };
                for text in corpus::TABLES {
                    let _ = read_from(text.as_bytes(), &options).map(use_contents);
                }
            }
        },
    );
}
