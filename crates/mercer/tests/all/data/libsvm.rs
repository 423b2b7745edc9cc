//! The LIBSVM reader: what it takes and what it refuses.

use mercer::Error;
use mercer::data::{Format, Items, ReadOptions, Row, Targets, Vectors};

use super::{assert_refused, read};

fn libsvm() -> ReadOptions {
    ReadOptions { format: Some(Format::Libsvm), ..ReadOptions::default() }
}

#[test]
fn rows_comments_and_empty_rows() {
    let text = "# a file\n+1 1:0.5 3:-2e3 # first\r\n\n   \n-1\n1.5\t2:7\t\n2 5:0";
    let table = read(text, &libsvm()).unwrap().table().unwrap();
    assert_eq!(table.targets, Targets::Numbers(vec![1.0, -1.0, 1.5, 2.0]));
    assert_eq!(table.vectors.columns(), 5);
    assert_eq!(table.vectors.get(0), Row::Sparse { indices: &[0, 2], values: &[0.5, -2000.0] });
    assert_eq!(table.vectors.get(1), Row::Sparse { indices: &[], values: &[] });
    assert_eq!(table.vectors.get(2), Row::Sparse { indices: &[1], values: &[7.0] });
    // An explicit zero counts as a column and takes no room.
    assert_eq!(table.vectors.get(3), Row::Sparse { indices: &[], values: &[] });
    assert_eq!(table.groups, None);
}

#[test]
fn groups() {
    let table = read("2 qid:7 1:1\n0 qid:18446744073709551615\n", &libsvm()).unwrap().table().unwrap();
    assert_eq!(table.groups, Some(vec![7, u64::MAX]));
}

#[test]
fn labels_may_be_words_and_numbers_among_them_are_spelled_shortly() {
    let table = read("1.0 1:1\nspam 1:2\n+1 1:3\n-0 1:1\ngrün\n", &libsvm()).unwrap().table().unwrap();
    let labels = table.targets.labels().unwrap();
    assert_eq!(labels.classes(), ["0", "1", "grün", "spam"]);
    assert_eq!(labels.codes(), [1, 3, 1, 0, 2]);
}

#[test]
fn the_number_of_columns_can_be_asked_for() {
    let table = read("1 3:1\n", &libsvm().columns(10)).unwrap().table().unwrap();
    assert_eq!(table.vectors.columns(), 10);
    assert_refused(b"1 3:1\n1 2:5 11:1\n", &libsvm().columns(10), (2, 7), "at most 10");
    assert!(read("1 10:1\n", &libsvm().columns(10)).is_ok());
}

#[test]
fn the_greatest_index_there_is() {
    let table = read(format!("1 {}:1", u32::MAX - 1), &libsvm()).unwrap().table().unwrap();
    assert_eq!(table.vectors.columns(), u32::MAX as usize - 1);
}

#[test]
fn precomputed_kernels_are_recognised() {
    let text = "1 0:1 1:4 2:-0.5\n-1 0:2 1:-0.5 2:9\n";
    let kernel = read(text, &ReadOptions::default()).unwrap().precomputed().unwrap();
    assert_eq!(kernel.numbers, [1, 2]);
    assert_eq!(kernel.matrix.values(), [4.0, -0.5, -0.5, 9.0]);
    assert_eq!(kernel.targets, Targets::Numbers(vec![1.0, -1.0]));
    assert!(matches!(read(text, &libsvm()).unwrap().table(), Err(Error::Unsupported { .. })));
    assert!(matches!(read("1 1:1", &libsvm()).unwrap().precomputed(), Err(Error::Unsupported { .. })));
    let few = read(text, &libsvm().columns(3));
    assert!(matches!(few, Err(Error::Shape { expected: 3, found: 2, .. })));
}

#[test]
fn a_row_may_have_many_features() {
    let mut text = String::from("1");
    for index in 1..=200_000 {
        text.push_str(&format!(" {index}:0.25"));
    }
    let table = read(text, &ReadOptions::default()).unwrap().table().unwrap();
    assert_eq!(table.vectors.stored(), 200_000);
}

#[test]
fn a_file_without_rows_is_refused() {
    for text in ["", "\n\n", "# nothing\n", "\u{feff}"] {
        assert!(matches!(read(text, &libsvm()), Err(Error::Empty { what: "rows" })), "{text:?}");
    }
}

#[test]
fn refusals_name_the_place() {
    let long = [b"1 1:1\n2 1:".as_slice(), &[b'7'; 5000]].concat();
    let cases: [(&[u8], (u64, u64), &str); 34] = [
        (b"1 2:1 1:1\n", (1, 7), "index 1 after 2"),
        (b"1 1:1\n1 2:1 2:1\n", (2, 7), "index 2 stands twice"),
        (b"1 1:1\n1 0:1 1:1\n", (2, 3), "index 0"),
        (b"1\n1 0:1 1:1\n", (2, 3), "index 0"),
        (b"1 1:1 0:1\n", (1, 7), "index 0"),
        (b"1 4294967295:1\n", (1, 3), "more than 4294967294"),
        (b"1 99999999999999999999999:1\n", (1, 3), "more than 4294967294"),
        (b"1,2 1:1\n", (1, 1), "several labels"),
        (b"1:1 2:1\n", (1, 1), "where the label should stand"),
        (b"nan 1:1\n", (1, 1), "not a finite number"),
        (b" -inf 1:1\n", (1, 2), "not a finite number"),
        (b"1e999 1:1\n", (1, 1), "too large"),
        (b"1 1:nan\n", (1, 5), "not a finite number"),
        (b"1 1:1 2:inf\n", (1, 9), "not a finite number"),
        (b"1 1:-Infinity\n", (1, 5), "not a finite number"),
        (b"1 1:1e999\n", (1, 5), "too large"),
        (b"1 1:-1e400 2:1\n", (1, 5), "too large"),
        (b"1 1:1x\n", (1, 5), "`1x` is not a number"),
        (b"1 1:0x10\n", (1, 5), "is not a number"),
        (b"1 1:1 garbage\n", (1, 7), "`garbage` is not index:value"),
        (b"1 1:1 2\n", (1, 7), "`2` is not index:value"),
        (b"1 1:\n", (1, 5), "no value"),
        (b"1 1: 2\n", (1, 5), "no value"),
        (b"1 :2\n", (1, 3), "`:2` is not index:value"),
        (b"1 -1:2\n", (1, 3), "is not index:value"),
        (b"1 1.5:2\n", (1, 3), "is not index:value"),
        (b"1 1:1 qid:3\n", (1, 7), "right after the label"),
        (b"1 qid:-3 1:1\n", (1, 3), "whole number"),
        (b"1 qid:1 1:1\n1 1:1\n", (2, 3), "no qid"),
        (b"1 1:1\n1 qid:1 1:1\n", (2, 3), "the rows before have none"),
        (b"\xff\xfe1 1:1\n", (1, 1), "0xFF is not UTF-8"),
        (b"1 1:1\n1 1:2\x80 2:1\n", (2, 6), "0x80 is not UTF-8"),
        (b"1 1:1 # caf\xe9\n", (1, 12), "0xE9 is not UTF-8"),
        (&long, (2, 5), "at most 4096"),
    ];
    for (text, place, words) in cases {
        assert_refused(text, &libsvm(), place, words);
    }
}

#[test]
fn refusals_in_precomputed_files_name_the_place() {
    let cases: [(&str, (u64, u64), &str); 7] = [
        ("1 0:1 1:1\n1 1:1\n", (2, 3), "does not start with 0:"),
        ("1 0:1 1:1\n1\n", (2, 2), "does not start with 0:"),
        ("1 0:1.5 1:1\n", (1, 5), "not the number of a row"),
        ("1 0:-1 1:1\n", (1, 5), "not the number of a row"),
        ("1 0:1 2:1\n", (1, 7), "index 2, expected 1"),
        ("1 0:1 1:1 2:1\n1 0:2 1:1\n", (2, 10), "1 kernel values, but the first row has 2"),
        ("1 0:1 1:1 1:1\n", (1, 11), "index 1, expected 2"),
    ];
    for (text, place, words) in cases {
        assert_refused(text.as_bytes(), &libsvm(), place, words);
    }
}

#[test]
fn sparse_rows_come_from_libsvm_files() {
    let table = read("a 1:1\nb 2:1\n", &ReadOptions::default()).unwrap().table().unwrap();
    assert!(matches!(table.vectors, Vectors::Sparse(_)));
}

#[test]
fn a_misspelt_first_entry_does_not_make_a_table() {
    let long = [&[b'x'; 10 << 20][..], b" 1:1\n"].concat();
    let cases: [(&[u8], (u64, u64), &str); 6] = [
        (b"1 -1:1\n", (1, 3), "`-1:1` is not index:value"),
        (b"1 1:\n", (1, 5), "no value"),
        (b"1 :1\n", (1, 3), "`:1` is not index:value"),
        (b"1 1.5:1\n", (1, 3), "`1.5:1` is not index:value"),
        (b"# note\n1 1:x\n", (2, 5), "`x` is not a number"),
        (&long, (1, 1), "at most 4096 are read"),
    ];
    for (text, place, words) in cases {
        assert_refused(text, &ReadOptions::default(), place, words);
    }
}

#[test]
fn rows_may_be_empty_but_not_all_of_them() {
    let table = read("1\n-1 3:1\n1\n", &ReadOptions::default()).unwrap().table().unwrap();
    assert_eq!((table.rows(), table.vectors.columns()), (3, 3));
    assert!(matches!(read("1\n-1\n", &libsvm()), Err(Error::Empty { .. })));
    // A model says how many columns there are.
    let table = read("1\n-1\n", &libsvm().columns(4)).unwrap().table().unwrap();
    assert_eq!(table.vectors.columns(), 4);
}

#[test]
fn lines_that_end_in_cr_alone_are_refused() {
    assert_refused(b"1 1:1\r-1 2:1\r", &libsvm(), (1, 6), "CR alone");
    assert_refused(b"1 1:1\r-1 2:1\r", &ReadOptions::default(), (1, 6), "CR alone");
    assert_refused(b"a,b,y\r1,2,3\r", &ReadOptions::default(), (1, 6), "CR alone");
    // One line whose LF is cut off.
    assert_eq!(read("1 1:1 \r", &libsvm()).unwrap().table().unwrap().rows(), 1);
}
