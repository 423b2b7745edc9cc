//! Arbitrary bytes never panic, and what is written reads back bit for bit.

use mercer::data::{
    Dense, Format, Header, Items, LabelColumn, Labels, Missing, ReadOptions, Row, Sparse, Table, Targets,
    Vectors, Words,
};
use mercer::data::{read_from, write_to};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed};

/// The same cases on every run.
pub(super) fn config(cases: u32) -> Config {
    Config {
        cases,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(20_260_000),
        failure_persistence: None,
        ..Config::default()
    }
}

fn all_options() -> Vec<ReadOptions> {
    let formats =
        [None, Some(Format::Libsvm), Some(Format::Csv), Some(Format::Tsv), Some(Format::Semicolons)];
    let headers = [Header::Auto, Header::Present, Header::Absent];
    let labels =
        [LabelColumn::default(), LabelColumn::Absent, LabelColumn::At(1), LabelColumn::Name("a".into())];
    let mut all = Vec::new();
    for format in formats {
        for header in headers {
            for label in labels.clone() {
                all.push(ReadOptions {
                    format,
                    header,
                    label: label.clone(),
                    max_columns: Some(9),
                    ..ReadOptions::default()
                });
                for missing in [Missing::Refuse, Missing::Drop, Missing::Mean] {
                    all.push(ReadOptions {
                        format,
                        header,
                        label: label.clone(),
                        words: Words::Encode,
                        missing: Some(missing),
                        ..ReadOptions::default()
                    });
                }
            }
        }
    }
    all
}

/// Reading may refuse, but whatever it accepts fits together.
fn read_with_all_options(bytes: &[u8]) {
    for options in all_options() {
        if let Ok(contents) = read_from(bytes, &options)
            && let Ok(table) = contents.table()
        {
            table.check().unwrap();
            assert!(table.rows() > 0);
            let Some(schema) = table.schema else { continue };
            schema.check().unwrap();
            // Whatever was read is read alike by what was learned about it.
            let label = match options.label {
                LabelColumn::Absent => LabelColumn::Absent,
                _ => LabelColumn::Auto,
            };
            let mut names: Vec<_> = schema
                .features
                .iter()
                .map(|f| f.name.clone())
                .chain([schema.label_name.clone()])
                .flatten()
                .collect();
            names.sort();
            let ambiguous = names.windows(2).any(|pair| pair[0] == pair[1]);
            let again = ReadOptions { label, schema: Some(schema), max_columns: None, ..options };
            match read_from(bytes, &again) {
                Ok(again) => {
                    let again = again.table().unwrap();
                    assert_eq!((again.vectors, again.targets), (table.vectors, table.targets));
                    assert_eq!(again.remarks.unseen, 0);
                }
                Err(error) => assert!(ambiguous, "{error}"),
            }
        }
    }
}

/// Pieces that files are made of, so that nonsense gets past the first byte.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let usual: Vec<&'static [u8]> = vec![
        b"1",
        b"-1",
        b"0",
        b"2.5",
        b"1e999",
        b"nan",
        b"inf",
        b" ",
        b"\t",
        b",",
        b";",
        b"\n",
        b"\r\n",
        b"\r",
        b"\"",
        b"\"\"",
        b":",
        b"1:",
        b"0:",
        b"2:3",
        b"qid:",
        b"qid:4",
        b"#",
        b"a",
        b"label",
        b"?",
        b"NA",
        b"\xff",
        b"\xc3",
        b"\xc3\xa9",
        b"\0",
        b"\xEF\xBB\xBF",
        b"\x1f\x8b\x08",
        b"4294967295:1",
        b"+",
        b".",
    ];
    prop_oneof![
        8 => proptest::sample::select(usual).prop_map(<[u8]>::to_vec),
        1 => proptest::collection::vec(any::<u8>(), 1..4),
    ]
}

/// Any finite f64, with the peculiar ones often.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        3 => any::<f64>().prop_filter("finite", |v| v.is_finite()),
        2 => (-100i32..100).prop_map(f64::from),
        2 => proptest::sample::select(vec![
            0.0, -0.0, 5e-324, -5e-324, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 0.1, 1e16, 1e15, 1e-5, 9.999e-6,
            9007199254740993.0,
        ]),
        1 => any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |v| v.is_finite()),
    ]
}

fn dense(rows: usize, columns: usize) -> impl Strategy<Value = Vectors<'static>> {
    proptest::collection::vec(number(), rows * columns)
        .prop_map(move |values| Dense::new(values, rows, columns).unwrap().into())
}

fn sparse(rows: usize, columns: usize) -> impl Strategy<Value = Vectors<'static>> {
    let entry = proptest::option::weighted(0.3, number());
    proptest::collection::vec(entry, rows * columns).prop_map(move |entries| {
        let (mut offsets, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        for (at, entry) in entries.into_iter().enumerate() {
            // A positive zero is what is not stored.
            if let Some(value) = entry.filter(|v| v.to_bits() != 0) {
                indices.push((at % columns) as u32);
                values.push(value);
            }
            if at % columns == columns - 1 {
                offsets.push(values.len());
            }
        }
        Sparse::from_parts(offsets, indices, values, columns).unwrap().into()
    })
}

/// Labels of which the first is a word; numbers among them are spelled as reading spells them.
fn words(rows: usize, word: &'static str) -> impl Strategy<Value = Targets> {
    let is_word = |w: &String| w.parse::<f64>().is_err();
    let word = prop_oneof![word.prop_filter("a word", is_word), (0..3u8).prop_map(|n| n.to_string()),];
    proptest::collection::vec(word, rows).prop_map(|mut words| {
        words[0] = "first".into();
        Targets::Words(Labels::from_text(words))
    })
}

fn targets(rows: usize, word: &'static str) -> impl Strategy<Value = Targets> {
    prop_oneof![proptest::collection::vec(number(), rows).prop_map(Targets::Numbers), words(rows, word),]
}

fn libsvm_table() -> impl Strategy<Value = Table<'static>> {
    (1..6usize, 1..6usize).prop_flat_map(|(rows, columns)| {
        let groups = proptest::option::of(proptest::collection::vec(any::<u64>(), rows));
        (sparse(rows, columns), targets(rows, "[a-zé+;?\"'(_-]{1,5}"), groups).prop_map(
            |(vectors, targets, groups)| {
                let mut table = Table::new(vectors, targets).unwrap();
                table.groups = groups;
                table
            },
        )
    })
}

fn csv_table() -> impl Strategy<Value = Table<'static>> {
    (1..6usize, 1..6usize).prop_flat_map(|(rows, columns)| {
        let name = "[a-z é,;\t\"\r\n?#:0-9]{0,6}";
        let targets = prop_oneof![
            4 => targets(rows, "[a-z é,;\t\"\r\n?#:]{1,6}|NA|\\?|null"),
            1 => Just(Targets::Missing),
        ];
        let names = proptest::option::of((proptest::collection::vec(name, columns), name));
        (dense(rows, columns), targets, names).prop_map(|(vectors, targets, names)| {
            let mut table = Table::new(vectors, targets).unwrap();
            if let Some((features, target)) = names {
                table.feature_names = Some(features);
                table.target_name = table.targets.rows().map(|_| target);
            }
            table
        })
    })
}

/// Equal to the last bit: the sign of zeros counts.
fn assert_same(found: &Table, expected: &Table) {
    assert_eq!(found, expected);
    for i in 0..expected.rows() {
        let columns = expected.vectors.columns();
        let bits = |row: Row| row.to_dense(columns).iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(found.vectors.get(i)), bits(expected.vectors.get(i)));
    }
    if let (Targets::Numbers(a), Targets::Numbers(b)) = (&found.targets, &expected.targets) {
        assert!(a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits()));
    }
}

fn written(table: &Table, format: Format) -> Vec<u8> {
    let mut out = Vec::new();
    write_to(&mut out, table, format).unwrap();
    out
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        read_with_all_options(&bytes);
    }

    #[test]
    fn heaps_of_pieces_never_panic(pieces in proptest::collection::vec(piece(), 0..60)) {
        read_with_all_options(&pieces.concat());
    }

    #[test]
    fn damaged_files_never_panic(
        table in prop_oneof![libsvm_table(), csv_table()],
        format in proptest::sample::select(vec![Format::Libsvm, Format::Csv, Format::Semicolons]),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3u8), 1..6),
    ) {
        let mut bytes = Vec::new();
        // What a format refuses to hold is still damaged up to where it got.
        let _ = write_to(&mut bytes, &table, format);
        for (place, byte, how) in damage {
            if bytes.is_empty() {
                break;
            }
            let at = place.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => drop(bytes.remove(at)),
            }
        }
        read_with_all_options(&bytes);
    }

    #[test]
    fn libsvm_files_come_back(table in libsvm_table()) {
        let options = ReadOptions { format: Some(Format::Libsvm), ..ReadOptions::default() };
        let options = options.columns(table.vectors.columns());
        let found = read_from(&written(&table, Format::Libsvm)[..], &options).unwrap().table().unwrap();
        assert_same(&found, &table);
    }

    #[test]
    fn tables_come_back(
        table in csv_table(),
        format in proptest::sample::select(vec![Format::Csv, Format::Tsv, Format::Semicolons]),
    ) {
        let options = ReadOptions {
            format: Some(format),
            header: if table.feature_names.is_some() { Header::Present } else { Header::Absent },
            label: match table.targets {
                Targets::Missing => LabelColumn::Absent,
                _ => LabelColumn::default(),
            },
            ..ReadOptions::default()
        };
        let mut out = Vec::new();
        if let Err(error) = write_to(&mut out, &table, format) {
            // Without quotes, some words cannot be told from what stands around them.
            assert!(format == Format::Tsv && matches!(error, mercer::Error::Unsupported { .. }), "{error}");
            let awkward = |word: &str| {
                word.trim_matches([' ', '\t', '\r', '\n']) != word || word.contains(['\t', '\n'])
                    || ["NA", "?", "null"].contains(&word)
            };
            let names = table.feature_names.iter().flatten().chain(&table.target_name);
            let classes = table.targets.labels().map(|labels| labels.classes().to_vec()).unwrap_or_default();
            assert!(names.chain(&classes).any(|word| awkward(word)), "{error}");
            return Ok(());
        }
        let mut found = read_from(&out[..], &options).unwrap().table().unwrap();
        found.remarks.header = None;
        assert_eq!(found.schema.take().unwrap().columns(), table.vectors.columns());
        found.remarks.doubtful.clear();
        assert_same(&found, &table);
    }

    #[test]
    fn sparse_rows_through_a_table_are_the_same_numbers(rows in sparse(4, 5)) {
        let table = Table::new(rows, Targets::Missing).unwrap();
        let options = ReadOptions { label: LabelColumn::Absent, ..ReadOptions::default() };
        let found = read_from(&written(&table, Format::Csv)[..], &options).unwrap().table().unwrap();
        assert_eq!(found.vectors, table.vectors.to_dense().unwrap());
    }
}
