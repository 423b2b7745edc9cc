//! The reader of tables: what it takes and what it refuses.

use mercer::Error;
use mercer::data::{
    Doubt, Format, Header, HeaderReason, LabelColumn, Quote, ReadOptions, Table, Targets, Vectors, Words,
};

use super::{assert_refused, read};

fn csv() -> ReadOptions {
    ReadOptions { format: Some(Format::Csv), ..ReadOptions::default() }
}

fn with(header: Header, label: LabelColumn) -> ReadOptions {
    ReadOptions { header, label, ..csv() }
}

#[track_caller]
fn table(text: impl AsRef<[u8]>, options: &ReadOptions) -> Table<'static> {
    read(text, options).unwrap().table().unwrap()
}

fn values(table: &Table) -> Vec<f64> {
    match &table.vectors {
        Vectors::Dense64(rows) => rows.values().to_vec(),
        other => panic!("{other:?}"),
    }
}

fn names<'a>(table: &'a Table) -> Vec<&'a str> {
    table.feature_names.iter().flatten().map(String::as_str).collect()
}

#[test]
fn a_table_with_names_and_words() {
    let text = "\u{feff}width, height ,kind\r\n1,2.5,small\r\n\r\n-3e2,+.5,\"very, \"\"very\"\"\nlarge\"\r\n";
    let table = table(text, &ReadOptions::default());
    assert_eq!(values(&table), [1.0, 2.5, -300.0, 0.5]);
    assert_eq!(names(&table), ["width", "height"]);
    assert_eq!(table.target_name.as_deref(), Some("kind"));
    let labels = table.targets.labels().unwrap();
    assert_eq!((labels.text(0), labels.text(1)), ("small", "very, \"very\"\nlarge"));
}

#[test]
fn every_delimiter_is_recognised() {
    for delimiter in [",", "\t", ";"] {
        let text = "a|b|y\n1|2|3\n4|5|6\n".replace('|', delimiter);
        let table = table(text, &ReadOptions::default());
        assert_eq!(values(&table), [1.0, 2.0, 4.0, 5.0]);
        assert_eq!(table.targets, Targets::Numbers(vec![3.0, 6.0]));
    }
}

#[test]
fn headers_are_told_from_data() {
    let cases: [(&str, bool); 9] = [
        ("a,b,label\n1,2,x\n", true),
        ("1,2,x\n1,2,y\n", false),
        ("1,2,3\n1,2,3\n", false),
        ("0,1,label\n5,6,1\n", true),
        ("0,1,Target\n5,6,1\n", true),
        ("\"a\",\"b\",\"c\"\n1,2,3\n", true),
        (",b,c\n1,2,3\n", true),
        ("a,b,3\n1,2,3\n", true),
        ("1,2,\"3\"\n1,2,3\n", false),
    ];
    for (text, expected) in cases {
        let table = table(text, &csv());
        assert_eq!(table.feature_names.is_some(), expected, "{text:?}");
        assert_eq!(table.rows(), if expected { 1 } else { 2 }, "{text:?}");
    }
    // A word among numbers is a mistake to be shown, not a header to be thrown away.
    assert_refused(b"1,x,2\n3,4,5\n", &csv(), (1, 2), "`x` is not a number");
    assert_refused(b"1,NA,2\n3,4,5\n", &csv(), (1, 2), "missing value `NA`");
    assert_refused(b"?,,2\n3,4,5\n", &csv(), (1, 1), "missing value `?`");
}

#[test]
fn the_header_can_be_said() {
    let text = "1,2,3\n4,5,6\n";
    assert_eq!(names(&table(text, &with(Header::Present, LabelColumn::default()))), ["1", "2"]);
    assert_eq!(table(text, &with(Header::Absent, LabelColumn::default())).rows(), 2);
    assert_refused(b"a,b,c\n1,2,3\n", &with(Header::Absent, LabelColumn::default()), (1, 1), "`a` is not");
}

#[test]
fn the_label_column_can_be_said() {
    let text = "a,b,c\n1,2,3\n4,5,6\n";
    let cases: [(LabelColumn, &[&str], &[f64]); 6] = [
        (LabelColumn::default(), &["a", "b"], &[3.0, 6.0]),
        (LabelColumn::Name("b".into()), &["a", "c"], &[2.0, 5.0]),
        (LabelColumn::At(0), &["b", "c"], &[1.0, 4.0]),
        (LabelColumn::FromEnd(1), &["a", "c"], &[2.0, 5.0]),
        (LabelColumn::FromEnd(2), &["b", "c"], &[1.0, 4.0]),
        (LabelColumn::Absent, &["a", "b", "c"], &[]),
    ];
    for (label, features, targets) in cases {
        let table = table(text, &with(Header::Auto, label.clone()));
        assert_eq!(names(&table), features, "{label:?}");
        match table.targets {
            Targets::Numbers(found) => assert_eq!(found, targets, "{label:?}"),
            other => assert!(other == Targets::Missing && targets.is_empty(), "{label:?}"),
        }
    }
    let none = |label| with(Header::Auto, label);
    assert_refused(text.as_bytes(), &none(LabelColumn::At(3)), (1, 3), "no column 4 for the label");
    assert_refused(text.as_bytes(), &none(LabelColumn::FromEnd(3)), (1, 3), "no column 4 from the end");
    assert_refused(text.as_bytes(), &none(LabelColumn::Name("d".into())), (1, 3), "`a`, `b`, `c`");
    assert_refused(b"a,a\n1,2\n", &none(LabelColumn::Name("a".into())), (1, 2), "second column");
    let absent = with(Header::Absent, LabelColumn::Name("a".into()));
    assert_refused(text.as_bytes(), &absent, (1, 3), "needs a header");
}

#[test]
fn blanks_around_fields_and_quoted_numbers_are_fine() {
    let table = table(" 1 ,\t2,\"x\" \n \"3\" , 4 ,x\n", &csv());
    assert_eq!(values(&table), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(table.targets.labels().unwrap().classes(), ["x"]);
}

#[test]
fn a_label_may_be_called_na_if_it_is_quoted() {
    let table = table("1,\"NA\"\n2,\"?\"\n", &csv());
    assert_eq!(table.targets.labels().unwrap().classes(), ["?", "NA"]);
}

#[test]
fn the_number_of_columns_is_checked() {
    let text = "1,2,3\n";
    assert!(read(text, &csv().columns(2)).is_ok());
    for (asked, options) in [(3, csv().columns(3)), (1, csv().columns(1))] {
        match read(text, &options) {
            Err(Error::Shape { expected, found: 2, .. }) => assert_eq!(expected, asked),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn tables_without_rows_or_features_are_refused() {
    for text in ["", "\n \n", "a,b,label\n", "\u{feff}\n"] {
        assert!(matches!(read(text, &csv()), Err(Error::Empty { what: "rows" })), "{text:?}");
    }
    assert_refused(b"\n1\n2\n", &csv(), (2, 1), "`1` is one field: no feature columns");
    let unlabelled = with(Header::Auto, LabelColumn::Absent);
    assert_eq!(values(&table("1\n2\n", &unlabelled)), [1.0, 2.0]);
}

#[test]
fn refusals_name_the_place() {
    let long = [b"a,b,c\n1,".as_slice(), &[b'7'; 5000], b",3\n"].concat();
    let long_word = [b"a,b,c\n1,2,".as_slice(), &[b'w'; 5000], b"\n"].concat();
    let open = [b"a,b,c\n1,\"".as_slice(), &[b'\n'; 9000]].concat();
    let cases: [(&[u8], (u64, u64), &str); 29] = [
        (b"a,b,c\n1,2,3\n1,,3\n", (3, 2), "column `b`: missing value"),
        (b"a,b,c\n1,?,3\n", (2, 2), "column `b`: missing value `?`"),
        (b"a,b,c\nNA,2,3\n", (2, 1), "column `a`: missing value `NA`"),
        (b"a,b,c\n1,NaN,3\n", (2, 2), "missing value `NaN`"),
        (b"a,b,c\n1,null,3\n", (2, 2), "missing value `null`"),
        (b"a,b,c\n1,\"\",3\n", (2, 2), "missing value"),
        (b"a,b,c\n1,2,\n", (2, 3), "column `c`: missing label"),
        (b"a,b,c\n1,2,?\n", (2, 3), "missing label `?`"),
        (b"a,b,c\n1,2,\"\"\n", (2, 3), "missing label"),
        (b"a,b,c\n1,two,3\n", (2, 2), "column `b`: `two` is not a number"),
        (b"a,b,c\n1,\"two\",3\n", (2, 2), "column `b`: `two` is not a number"),
        (b"a,b,c\n1,2 3,3\n", (2, 2), "`2 3` is not a number"),
        (b"a,b,c\n\n1,2\n", (3, 3), "2 fields, but line 1 has 3"),
        (b"a,b,c\n1,2,3,4\n", (2, 4), "4 fields, but line 1 has 3"),
        (b"a,b,c\n1,2,3,\n", (2, 4), "4 fields"),
        (b"a,b,c\n\"1\",2\n", (2, 3), "2 fields"),
        (b"a,b,c\n1,inf,3\n", (2, 2), "`inf` is not a finite number"),
        (b"a,b,c\n1,-Infinity,3\n", (2, 2), "not a finite number"),
        (b"a,b,c\n1,2,inf\n", (2, 3), "not a finite number"),
        (b"a,b,c\n1,1e999,3\n", (2, 2), "too large"),
        (b"a,b,c\n1,2,1e999\n", (2, 3), "too large"),
        (b"a,b,c\n1,\"2\"x,3\n", (2, 2), "unescaped quote in a CSV field (use --quote none)"),
        (b"a,b,c\n1,2,\"x\n", (2, 3), "is never closed (use --quote none"),
        (b"a,b,c\n1,2,\"x\ny\"\n1,z,\"x\ny\"\n", (4, 2), "`z` is not a number"),
        (b"a,b,c\n1,\xff,3\n", (2, 2), "0xFF is not UTF-8"),
        (b"a,\xe9,c\n1,2,3\n", (1, 2), "0xE9 is not UTF-8"),
        (&long, (2, 2), "at most 4096"),
        (&long_word, (2, 3), "at most 4096"),
        (&open, (2, 2), "not closed within 4096 bytes"),
    ];
    for (text, place, words) in cases {
        assert_refused(text, &csv(), place, words);
    }
    // The same without names.
    assert_refused(b"1,2,a\n1,x,b\n", &csv(), (2, 2), "`x` is not a number");
    assert_refused(b"1,2,a\xff\n", &csv(), (1, 3), "0xFF is not UTF-8");
}

#[test]
fn a_first_line_that_may_be_data_is_data_and_what_was_decided_is_kept() {
    use HeaderReason::{AboveNumbers, CountsUp, LabelName, NothingRecurs, Number, Recurs};
    let cases: [(&str, bool, Option<HeaderReason>); 30] = [
        // Labels that are called as columns of labels are.
        ("5,6,y\n1,2,x\n3,4,y\n5,6,x\n", false, None),
        ("5,6,target\n1,2,decoy\n3,4,target\n", false, None),
        ("5,6,Class\n1,2,x\n3,4,z\n", false, Some(Number)),
        ("1.5,label\n2,x\n3,x\n", false, Some(Number)),
        // A word where all others are numbers is none of them.
        ("5,6,label\n1,2,0\n3,4,1\n", true, None),
        ("0,1,label\n5,6,a\n7,8,b\n", true, Some(LabelName)),
        ("1,2,3,y\n5,6,7,a\n7,8,9,b\n", true, Some(LabelName)),
        ("country,2019,2020,label\nDE,1.5,2.5,a\nFR,1,2,b\n", true, Some(LabelName)),
        ("country,2019,2020,kind\nDE,1.5,2.5,a\nFR,1,2,b\n", true, Some(CountsUp)),
        ("country,2019,2020,kind\nDE,1.5,2.5,a\nFR,1,2,kind\n", false, None),
        ("DE,2019,2020,kind\nDE,1.5,2.5,a\nFR,1,2,b\n", false, Some(Recurs)),
        ("red,5,6,a\nblue,6,7,b\n", false, Some(Number)),
        ("red,5,a\nblue,6,b\n", false, Some(Number)),
        ("5,6,q\n1,2,x\n3,4,x\n", false, Some(Number)),
        ("2019,2020,price\n1,2,3\n", true, Some(AboveNumbers)),
        ("country,2019,price\nDE,2,3\n", true, Some(AboveNumbers)),
        ("a,b,3\n1,2,3\n", true, None),
        ("a,b,kind\n1,2,kind\n1,3,x\n", true, None),
        ("color,size,kind\nred,1,a\nblue,2,b\n", true, None),
        ("color,size,price\nred,big,1\nblue,small,2\n", true, None),
        (",b,c\n1,2,3\n", true, None),
        // Words alone.
        ("color,size,kind\nred,big,a\nblue,small,b\n", true, Some(NothingRecurs)),
        ("color,size,label\nred,big,a\nblue,small,b\n", true, Some(LabelName)),
        ("red,small,a\nred,big,b\nblue,small,a\n", false, Some(Recurs)),
        ("red,big,label\nblue,small,label\n", false, Some(Recurs)),
        ("red,big,0\nblue,small,1\n", false, Some(Number)),
        ("a,b,label\n", true, None),
        ("1,2,3\n4,5,6\n", false, None),
        ("1,2,x\n", false, None),
        ("1,2,y\n", false, None),
    ];
    for (text, is_header, reason) in cases {
        let options = ReadOptions { words: Words::Encode, ..csv() };
        let found = match read(text, &options) {
            Ok(contents) => contents.table().unwrap(),
            Err(error) => {
                assert!(is_header && text.lines().count() == 1, "{text:?}: {error}");
                continue;
            }
        };
        let lines = text.lines().count();
        assert_eq!(found.rows(), lines - usize::from(is_header), "{text:?}");
        assert_eq!(found.remarks.header.as_ref().map(|guess| guess.reason), reason, "{text:?}");
        assert!(found.remarks.header.is_none_or(|guess| guess.is_header == is_header), "{text:?}");
        // An option decides, and a table that is read alike is read alike.
        for (header, is_header) in [(Header::Present, true), (Header::Absent, false)] {
            let said = read(text, &ReadOptions { header, ..options.clone() });
            if let Ok(table) = said.and_then(|contents| contents.table()) {
                assert_eq!(table.rows(), lines - usize::from(is_header), "{text:?}");
                assert_eq!(table.remarks.header, None);
            }
        }
    }
    // What is far below has no part in it, and a wide table takes no longer than a narrow one.
    let wide: String = (0..20_000).map(|_| "w,").collect::<String>() + "label\n";
    let numbers: String = (0..20_000).map(|_| "1,").collect::<String>() + "x\n";
    assert_eq!(table(format!("{wide}{numbers}{numbers}"), &csv()).rows(), 2);
}

#[test]
fn a_table_without_names_is_read_as_the_one_that_it_is_like() {
    let rows = table("5,6,y\n1,2,x\n3,4,y\n", &csv());
    let like = ReadOptions { schema: rows.schema.clone(), ..ReadOptions::default() };
    assert_eq!(table("7,8,y\n1,2,x\n9,9,x\n", &like).rows(), 3);
    assert_eq!(table("7,8\n1,2\n", &like).rows(), 2);
}

#[test]
fn between_tabs_quotes_are_characters_like_others() {
    let words = ReadOptions { words: Words::Encode, ..ReadOptions::default() };
    let text = "size\tkind\n1\t\"a\n2\t\"b\" c\n3\td\"\n";
    let found = table(text, &words);
    assert_eq!(found.targets.labels().unwrap().classes(), ["\"a", "\"b\" c", "d\""]);
    // A table that is quoted after all says so, or is told to be.
    let quoted = "\"size\"\t\"kind\"\n1\t\"a\"\n2\t\"b\"\n";
    let found = table(quoted, &words);
    assert_eq!(names(&found), ["\"size\""]);
    assert_eq!(found.remarks.doubtful, [Doubt::Quoted("\"kind\"".into())]);
    let double = ReadOptions { quote: Some(Quote::Double), ..words.clone() };
    let found = table(quoted, &double);
    assert_eq!((names(&found), found.remarks.doubtful.len()), (vec!["size"], 0));
    assert_eq!(found.targets.labels().unwrap().classes(), ["a", "b"]);
    for options in [words.clone(), ReadOptions::default()] {
        let hint = "`\"1\"` is not a number (--quote double takes its quotes off)";
        assert_refused(b"a\tb\n\"1\"\tx\n\"2\"\ty\n", &options, (2, 1), hint);
    }
    // Other tables with quotes that are none, and what is learned about it.
    let none = ReadOptions { quote: Some(Quote::None), ..words.clone() };
    let found = table("size,kind\n1,\"a\n2,b\"\n", &none);
    assert_eq!(found.targets.labels().unwrap().classes(), ["\"a", "b\""]);
    assert_eq!(found.schema.as_ref().unwrap().quote, Some(Quote::None));
    let like = ReadOptions { schema: found.schema, ..ReadOptions::default() };
    assert_eq!(table("size,kind\n5,\"a\n6,\"a\n", &like).rows(), 2);
    assert!(!serde_json::to_string(&*table("1,2\n", &csv()).schema.unwrap()).unwrap().contains("quote"));
}

#[test]
fn a_quote_that_is_not_closed_is_named_where_it_was_opened() {
    let lines: String = (0..200).map(|i| format!("{i},x\n")).collect();
    let text = format!("a,b\n1,x\n2,\"x\n{lines}7,\"y\"\n");
    let problem = "unescaped quote in a CSV field (use --quote none): the quote that is opened here is closed on line 204, with text after it";
    assert_refused(text.as_bytes(), &csv(), (3, 2), problem);
    let text = format!("a,b\n1,x\n2,\"x\n{lines}");
    assert_refused(text.as_bytes(), &csv(), (3, 2), "the quote that opens this field is never closed");
    // Empty lines are few bytes.
    let text = format!("a,b\n1,x\n2,\"x{}\"\n", "\n".repeat(3000));
    assert!(read(text, &csv()).is_ok());
}
