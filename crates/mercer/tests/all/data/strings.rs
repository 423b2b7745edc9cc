//! FASTA, lines and tables of strings.

use mercer::data::{
    Column, FastaLabel, Format, Header, HeaderReason, LabelColumn, Quote, StringColumns, Strings, Targets,
    read_fasta, read_lines, read_string_table,
};
use mercer::{Error, Result};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed};

fn config(cases: u32) -> Config {
    Config {
        cases,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(20_260_001),
        failure_persistence: None,
        ..Config::default()
    }
}

fn fasta(text: &str, label: &FastaLabel) -> Result<Strings> {
    read_fasta(text.as_bytes(), label)
}

#[test]
fn fasta_of_several_lines() {
    let text = "; a comment\n\n>P1 first protein\r\nMKV LLA\r\nAG*\r\n\n>P2\nGG\n";
    let data = fasta(text, &FastaLabel::Absent).unwrap();
    assert_eq!(data.strings, ["MKVLLAAG", "GG"]);
    assert_eq!(data.names, ["P1", "P2"]);
    assert_eq!(data.targets, Targets::Missing);
}

#[test]
fn labels_in_headers() {
    let text = ">P1|kinase|of the liver class=1\nMKV\n>P2|other|class=2\nGG\n";
    let labels = |label: FastaLabel| fasta(text, &label).unwrap().targets;
    let at = labels(FastaLabel::At { separator: '|', position: 1 });
    assert_eq!(at.labels().unwrap().classes(), ["kinase", "other"]);
    let last = labels(FastaLabel::Last { separator: '=' });
    assert_eq!(last.numbers().unwrap(), [1.0, 2.0]);
    let text = text.replace("|class", " class");
    let key = fasta(&text, &FastaLabel::Key("class".into())).unwrap();
    assert_eq!(key.targets.numbers().unwrap(), [1.0, 2.0]);
}

#[test]
fn labels_in_another_file() {
    let data = || fasta(">P1\nMKV\n>P2\nGG\n", &FastaLabel::Absent).unwrap();
    let labelled = data().with_labels("P2,b\nP1,a\nP9,c\n".as_bytes()).unwrap();
    assert_eq!(
        (labelled.targets.labels().unwrap().text(0), labelled.targets.labels().unwrap().text(1)),
        ("a", "b")
    );
    let message = |table: &str| data().with_labels(table.as_bytes()).unwrap_err().to_string();
    assert_eq!(message("P1,a\n"), "string 2, `P2`: no label is given for it");
    assert_eq!(message("P1,a\nP2,b,c\n"), "line 2, column 1: 3 fields: expected a name and a label");
    assert_eq!(message("P1,a\nP1,b\n"), "line 2, column 1: the name `P1` stands twice");
}

#[test]
fn fasta_that_is_refused() {
    let last = FastaLabel::Last { separator: '|' };
    let cases: [(&str, &FastaLabel, &str); 8] = [
        ("", &last, "no records"),
        ("MKV\n", &last, "line 1, column 1: symbols before the first header (`>name`)"),
        (">\nMKV\n", &last, "line 1, column 2: a header without a name"),
        ("> P1\nMKV\n", &last, "line 1, column 2: a header without a name"),
        (">P1 kinase\nMKV\n", &last, "line 1, column 2: a header without a label"),
        (">P1 |\nMKV\n", &last, "line 1, column 2: a header without a label"),
        (">P1 |a\n\n>P2 |b\nGG\n", &last, "line 1, column 1: a record without symbols"),
        (">P1 |a\nMK\u{e9}\n", &last, "line 2, column 3: byte 0xC3 is no symbol"),
    ];
    for (text, label, expected) in cases {
        assert_eq!(fasta(text, label).unwrap_err().to_string(), expected, "{text:?}");
    }
    let error = read_fasta(&b">P\xFF\nMKV\n"[..], &last).unwrap_err().to_string();
    assert_eq!(error, "line 1, column 3: byte 0xFF is not UTF-8 text");
}

#[test]
fn lines_of_text() {
    let data = read_lines("naïve\r\n\n two  words ".as_bytes()).unwrap();
    assert_eq!(data.strings, ["naïve", "", " two  words "]);
    assert_eq!(read_lines(&b""[..]).unwrap_err().to_string(), "no lines");
    assert_eq!(
        read_lines(&b"a\nb\xFFc\n"[..]).unwrap_err().to_string(),
        "line 2, column 2: byte 0xFF is not UTF-8 text"
    );
}

#[test]
fn tables_of_strings() {
    let read = |text: &str, columns: &StringColumns| read_string_table(text.as_bytes(), columns);
    let usual = StringColumns::default();
    let data = read("text,label\n\"a \"\"b\"\"\nc\",yes\nd,no\n", &usual).unwrap();
    assert_eq!(data.strings, ["a \"b\"\nc", "d"]);
    assert_eq!(data.targets.labels().unwrap().classes(), ["no", "yes"]);
    // Without names, with tabs.
    let data = read("GATTACA\t1\nTACA, G\t-1\n", &usual).unwrap();
    assert_eq!(
        (data.strings, data.targets),
        (vec!["GATTACA".into(), "TACA, G".into()], Targets::Numbers(vec![1.0, -1.0]))
    );
    let unlabelled = StringColumns { label: LabelColumn::Absent, text: Column::FromEnd(0), ..usual.clone() };
    assert_eq!(read("1,a\n2,b\n", &unlabelled).unwrap().targets, Targets::Missing);
    // Longer than any number or word may be.
    let long = "x".repeat(10_000);
    assert_eq!(read(&format!("\"{long}\",1\n"), &usual).unwrap().strings, [long]);

    let name = |name: &str| StringColumns { text: Column::Name(name.into()), ..usual.clone() };
    let header = StringColumns { header: Header::Present, ..usual.clone() };
    let far = StringColumns { text: Column::At(7), ..usual.clone() };
    let libsvm = StringColumns { format: Some(Format::Libsvm), ..usual.clone() };
    let cases: [(&str, &StringColumns, &str); 8] = [
        ("", &usual, "no rows"),
        ("a,b\n", &header, "no rows"),
        ("a,b\nc\n", &usual, "line 2, column 1: 1 fields, but line 1 has 2"),
        ("a,b\nc,\n", &usual, "line 2, column 2: missing label"),
        ("a,b\nc,d\n", &name("text"), "line 1, column 1: there is no column `text`"),
        ("a,b\nc,d\n", &far, "line 1, column 1: a column was asked for that is not there: there are 2"),
        ("a\nb\n", &usual, "line 1, column 1: the column of the strings is also that of the labels"),
        (
            "\"a,b\n",
            &usual,
            "line 1, column 1: the quote that opens this field is never closed (use --quote none to read quotes as they are)",
        ),
    ];
    for (text, columns, expected) in cases {
        assert_eq!(read(text, columns).unwrap_err().to_string(), expected, "{text:?}");
    }
    let many = format!("a,b\n\"c{},d\n", "\n".repeat(20_000));
    let problem = "line 2, column 1: the quote that opens this field is not closed within 10000 lines (use --quote none to read quotes as they are)";
    assert_eq!(read(&many, &usual).unwrap_err().to_string(), problem);
    assert!(matches!(read("a,b\n", &libsvm), Err(Error::Unsupported { .. })));
}

#[test]
fn first_lines_of_tables_of_strings() {
    use HeaderReason::{LabelName, Number, OnlyLabel, Recurs, TextName};
    let cases: [(&str, usize, Option<HeaderReason>); 15] = [
        ("sequence,label\ngatt,+\ncca,-\n", 2, None),
        ("sequence,+\ngatt,+\ncca,-\n", 3, Some(Recurs)),
        ("sequence,kind\ngatt,+\ncca,-\n", 2, Some(TextName)),
        ("sequence,potency\ngatt,1\ncca,2\n", 2, None),
        ("text,class\ngatt,+\ncca,-\n", 2, None),
        ("sequence,5\ngatt,1\ncca,2\n", 3, Some(Number)),
        ("text,y\nmore,x\ntext,y\n", 3, Some(Recurs)),
        ("smiles,y\nCC,1\nCO,0\n", 2, None),
        ("smiles,potency\nCC,1\nCO,0\n", 2, None),
        ("smiles,label\nCC,a\nCO,b\n", 2, Some(LabelName)),
        ("CCC,y\nCC,n\nCO,y\n", 3, None),
        ("CCC,Target\nCC,n\nCO,Target\n", 3, None),
        ("smiles,activity\nCC,low\nCO,high\n", 3, Some(OnlyLabel)),
        ("CCC,high\nCC,low\nCO,high\n", 3, None),
        ("CC\t1\nCO\t0\n", 2, None),
    ];
    for (text, rows, reason) in cases {
        let data = read_string_table(text.as_bytes(), &StringColumns::default()).unwrap();
        assert_eq!((data.strings.len(), data.targets.rows()), (rows, Some(rows)), "{text:?}");
        assert_eq!(data.header.map(|guess| guess.reason), reason, "{text:?}");
    }
}

#[test]
fn strings_between_tabs_keep_their_quotes() {
    let text = "ham\t\"Wen u miss someone\" gdeve\nham\t\"never closed\nspam\tsay \"x\"\n";
    let columns =
        StringColumns { text: Column::At(1), label: LabelColumn::At(0), ..StringColumns::default() };
    let data = read_string_table(text.as_bytes(), &columns).unwrap();
    assert_eq!(data.strings, ["\"Wen u miss someone\" gdeve", "\"never closed", "say \"x\""]);
    let double = StringColumns { quote: Some(Quote::Double), ..columns.clone() };
    assert_eq!(
        read_string_table(text.as_bytes(), &double).unwrap_err().to_string(),
        "line 1, column 2: unescaped quote in a TSV field (use --quote none)"
    );
    let data = read_string_table(
        "a,\"b,\n".as_bytes(),
        &StringColumns {
            quote: Some(Quote::None),
            text: Column::At(1),
            label: LabelColumn::At(0),
            ..columns
        },
    );
    assert!(data.is_ok(), "{data:?}");
}

/// Messages of which some begin with a quote that is not closed, or closed within the text.
#[test]
fn all_messages_of_a_real_file_are_read_as_they_are() {
    let Some(folder) = std::env::var_os("MERCER_DATA").map(std::path::PathBuf::from) else {
        println!("skipped: MERCER_DATA does not name a folder with data sets");
        return;
    };
    let path = folder.join("sms_spam/sms_spam.tsv.gz");
    let columns =
        StringColumns { text: Column::At(1), label: LabelColumn::At(0), ..StringColumns::default() };
    let data = read_string_table(std::fs::File::open(&path).unwrap(), &columns).unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut mercer::data::open(&path).unwrap(), &mut text).unwrap();
    let labels = data.targets.labels().unwrap();
    assert_eq!((data.strings.len(), labels.counts()), (5574, vec![4827, 747]));
    for (row, line) in text.lines().enumerate() {
        let (label, message) = line.split_once('\t').unwrap();
        assert_eq!((labels.text(row), &data.strings[row][..]), (label, message.trim()), "{row}");
    }
}

proptest! {
    #![proptest_config(config(300))]

    /// What is written as FASTA in lines of any width is read as it was.
    #[test]
    fn fasta_is_read_as_it_was_written(
        records in prop::collection::vec(("[A-Za-z0-9_.]{1,9}", "[A-Za-z-]{1,90}", "[a-h]{1,5}"), 1..9),
        width in 1usize..40,
        crlf in any::<bool>(),
    ) {
        let end = if crlf { "\r\n" } else { "\n" };
        let mut text = String::new();
        for (name, symbols, label) in &records {
            text += &format!(">{name} some words | {label}{end}");
            for line in symbols.as_bytes().chunks(width) {
                text += &format!("{}{end}", String::from_utf8_lossy(line));
            }
        }
        let data = read_fasta(text.as_bytes(), &FastaLabel::Last { separator: '|' }).unwrap();
        let labels = match &data.targets {
            Targets::Words(labels) => (0..labels.len()).map(|i| labels.text(i).to_string()).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        for (i, (name, symbols, label)) in records.iter().enumerate() {
            prop_assert_eq!((&data.names[i], &data.strings[i], &labels[i]), (name, symbols, label));
        }
    }

    /// Texts with quotes, delimiters and line ends survive a table.
    #[test]
    fn tables_are_read_as_they_were_written(rows in prop::collection::vec(("\\PC*(\n\\PC{0,5})?", -9i32..9), 1..9)) {
        let mut table = String::from("label,text\n");
        for (text, label) in &rows {
            table += &format!("{label},\"{}\"\n", text.replace('"', "\"\""));
        }
        let columns = StringColumns {
            text: Column::Name("text".into()),
            label: LabelColumn::Name("label".into()),
            format: Some(Format::Csv),
            ..StringColumns::default()
        };
        let data = read_string_table(table.as_bytes(), &columns).unwrap();
        let expected: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
        prop_assert_eq!(data.targets, Targets::Numbers(expected));
        prop_assert_eq!(data.strings, rows.into_iter().map(|row| row.0).collect::<Vec<_>>());
    }

    /// Any bytes are read or refused, and what is read fits together.
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'>'), Just(b'\n'), Just(b','), Just(b'"'), Just(b'a')], 0..80)) {
        for label in [FastaLabel::Absent, FastaLabel::Last { separator: ',' }, FastaLabel::Key("a".into()), FastaLabel::At { separator: 'a', position: 1 }] {
            if let Ok(data) = read_fasta(&bytes[..], &label) {
                prop_assert_eq!(data.names.len(), data.strings.len());
                prop_assert!(data.targets.rows().is_none_or(|rows| rows == data.strings.len()));
                let _ = data.with_labels(&bytes[..]);
            }
        }
        let _ = read_lines(&bytes[..]);
        for header in [Header::Auto, Header::Present, Header::Absent] {
            let columns = StringColumns { header, ..StringColumns::default() };
            if let Ok(data) = read_string_table(&bytes[..], &columns) {
                prop_assert_eq!(data.targets.rows(), Some(data.strings.len()));
            }
        }
    }
}
