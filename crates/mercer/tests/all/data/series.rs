//! Time series and the files they come in.

use std::fmt::Write as _;

use mercer::Error;
use mercer::data::{Series, SeriesLabel, Targets, read_series_file, read_series_rows, read_ts};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config {
        cases,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(20_260_000),
        failure_persistence: None,
        ..Config::default()
    })
}

#[test]
fn series_are_checked() {
    assert!(matches!(Series::univariate(vec![]), Err(Error::Empty { .. })));
    assert!(matches!(Series::new(vec![1.0], 0), Err(Error::Empty { .. })));
    assert!(matches!(Series::new(vec![1.0, 2.0, 3.0], 2), Err(Error::Shape { expected: 4, found: 3, .. })));
    assert!(matches!(
        Series::new(vec![1.0, 2.0, 3.0, f64::INFINITY], 2),
        Err(Error::NonFinite { row: 1, column: 1, .. })
    ));
    let ragged = Series::from_channels(&[vec![1.0, 2.0], vec![1.0]]);
    assert!(matches!(ragged, Err(Error::Shape { expected: 2, found: 1, .. })));
    assert!(matches!(Series::from_channels::<Vec<f64>>(&[]), Err(Error::Empty { .. })));
    assert!(matches!(Series::from_channels(&[Vec::new()]), Err(Error::Empty { .. })));
}

#[test]
fn what_a_ts_file_says_is_read() {
    let text = "\u{feff}# comment\r\n@problemName Walks\r\n@timeStamps false\r\n@missing false\r\n@univariate false\r\n\
                @dimensions 2\r\n@equalLength false\r\n@classLabel true a b\r\n\r\n@data\r\n\
                1, 2,3 : 4,5,6 : a\r\n# another\r\n-1e3:.5:b\r\n";
    let table = read_ts(text.as_bytes()).unwrap();
    assert_eq!(table.series[0].values(), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    assert_eq!(table.series[1].values(), [-1000.0, 0.5]);
    assert_eq!(table.targets.labels().unwrap().codes(), [0, 1]);
    let regression = read_ts("@targetLabel true\n@data\n1,2:0.5\n3,4:1.5".as_bytes()).unwrap();
    assert_eq!(regression.targets, Targets::Numbers(vec![0.5, 1.5]));
    let none = read_ts("@classLabel false\n@data\n1,2\n".as_bytes()).unwrap();
    assert_eq!(none.targets, Targets::Missing);
}

#[test]
fn refusals_of_ts_files_name_line_and_column() {
    let cases = [
        ("", "no line `@data`"),
        ("@data\n", "no time series"),
        ("1,2:a\n", "line 1, column 1: a header line starts with `@`"),
        ("@timestamps true\n@data\n", "line 1, column 1: @timestamps true"),
        ("@missing perhaps\n@data\n", "line 1, column 1: @missing: expected true or false"),
        ("@dimensions 0\n@data\n", "expected a whole number above 0"),
        (
            "@univariate true\n@dimensions 3\n@data\n",
            "line 2, column 1: 3 channels, but an earlier line says 1",
        ),
        ("@classLabel true a\n@targetLabel true\n@data\n", "a second kind of labels"),
        (
            "@data\n1,?,3\n",
            "line 2, column 3: the value `?` is missing, and series are compared as a whole: fill it in",
        ),
        (
            "@data\n1,NaN\n",
            "line 2, column 3: the value `NaN` is missing, and series are compared as a whole: fill it in",
        ),
        (
            "@data\n1,,3\n",
            "line 2, column 3: the value `` is missing, and series are compared as a whole: fill it in",
        ),
        (
            "@data\n1,2:\n",
            "line 2, column 5: the value `` is missing, and series are compared as a whole: fill it in",
        ),
        ("@data\n1,x\n", "line 2, column 3: `x` is not a number"),
        ("@data\n1,inf\n", "line 2, column 3: `inf` is not a finite number"),
        ("@data\n(0,1),(1,2)\n", "a value with a time stamp"),
        ("@data\n1,2:3\n", "channel 2 has 1 values, but channel 1 of this series has 2"),
        ("@data\n1,2:3,4\n5,6\n", "line 3, column 1: 1 channels where 2 were expected"),
        (
            "@equalLength true\n@data\n1,2\n1\n",
            "line 4, column 1: a series of length 1 among series of equal length 2",
        ),
        ("@classLabel true a b\n@data\n1,2:c\n", "line 3, column 5: `c` is none of the classes"),
        ("@classLabel true a b\n@data\n1,2\n", "line 3, column 1: no `:` before the label"),
        ("@classLabel true a b\n@data\n1,2:\n", "no label after the last `:`"),
        ("@targetLabel true\n@data\n1,2:tall\n", "line 3, column 5: `tall` is not a number"),
    ];
    for (text, expected) in cases {
        let error = read_ts(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected), "{text:?}: {error}");
    }
    let error = read_ts(&b"@data\n1,\xff\n"[..]).unwrap_err().to_string();
    assert_eq!(error, "line 2, column 3: byte 0xFF is not UTF-8 text");
}

#[test]
fn rows_of_any_length_are_series() {
    let read = |text: &str, label| read_series_rows(text.as_bytes(), label);
    let table = read("t0,t1,t2,label\n1,2,3,up\n\n4,down\n", SeriesLabel::Last).unwrap();
    assert_eq!((table.series[0].len(), table.series[1].len()), (3, 1));
    assert_eq!(table.targets.labels().unwrap().classes(), ["down", "up"]);
    let table = read("1\t0.5\t0.25\n-1\t3\n", SeriesLabel::First).unwrap();
    assert_eq!(table.series[0].values(), [0.5, 0.25]);
    assert_eq!(table.targets, Targets::Numbers(vec![1.0, -1.0]));
    // Rows that are filled up to the longest.
    let table = read("1,2,3,up\n4,,,down\n5,6,,up\n", SeriesLabel::Last).unwrap();
    assert_eq!(table.series.iter().map(|one| one.len()).collect::<Vec<_>>(), [3, 1, 2]);
    assert_eq!(read("a\t1\t\n", SeriesLabel::First).unwrap().series[0].values(), [1.0]);
    let table = read("1;2\n3\n", SeriesLabel::Absent).unwrap();
    assert_eq!((table.series.len(), table.targets), (2, Targets::Missing));
    for (text, label, expected) in [
        ("", SeriesLabel::Last, "no time series"),
        ("t0,label\n", SeriesLabel::Last, "no time series"),
        (
            "1,?,a\n",
            SeriesLabel::Last,
            "line 1, column 2: the value `?` is missing, and series are compared as a whole: fill it in",
        ),
        (
            "1,2,a\n1,NA,b\n",
            SeriesLabel::Last,
            "line 2, column 2: the value `NA` is missing, and series are compared as a whole: fill it in",
        ),
        (
            "a\t\t1\n",
            SeriesLabel::First,
            "line 1, column 2: the value `` is missing, and series are compared as a whole: fill it in",
        ),
        ("1,2,a\n1,x,b\n", SeriesLabel::Last, "line 2, column 2: `x` is not a number"),
        ("1,2,a\nb\n", SeriesLabel::Last, "line 2, column 1: a label without values"),
        ("1,2,\n", SeriesLabel::Last, "line 1, column 3: no label"),
    ] {
        let error = read(text, label).unwrap_err().to_string();
        assert!(error.contains(expected), "{text:?}: {error}");
    }
}

#[test]
fn what_is_written_is_read_back() {
    let series = (1usize..4).prop_flat_map(|channels| {
        let one = (1usize..6).prop_flat_map(move |length| {
            prop::collection::vec(-1e6f64..1e6, length * channels)
                .prop_map(move |values| Series::new(values, channels).unwrap())
        });
        prop::collection::vec(one, 1..6)
    });
    runner(100)
        .run(&series, |series| {
            let mut text = String::from("@classLabel true x y\n@data\n");
            for (i, item) in series.iter().enumerate() {
                for c in 0..item.channels() {
                    let values: Vec<String> = item.channel(c).map(|v| v.to_string()).collect();
                    write!(text, "{}:", values.join(",")).unwrap();
                }
                writeln!(text, "{}", ["x", "y"][i % 2]).unwrap();
            }
            let table = read_ts(text.as_bytes()).unwrap();
            prop_assert_eq!(&table.series, &series);
            prop_assert_eq!(table.targets.rows(), Some(series.len()));
            Ok(())
        })
        .unwrap();
}

#[test]
fn nothing_makes_a_reader_panic() {
    let pieces = prop::collection::vec(
        prop::sample::select(vec![
            "@data\n",
            "@classLabel true a b\n",
            "@dimensions 2\n",
            "@univariate true\n",
            "@equalLength true\n",
            "1",
            "2.5",
            ",",
            ":",
            "\n",
            "a",
            "?",
            "(",
            " ",
            "\t",
            ";",
            "nan",
            "#",
            "@",
            "\u{fffd}",
            "-",
            "1e999",
        ]),
        0..25,
    );
    runner(3000)
        .run(&pieces, |pieces| {
            let texts = [pieces.concat(), format!("@data\n{}", pieces.concat())];
            for text in texts {
                let tables = [
                    read_ts(text.as_bytes()),
                    read_series_rows(text.as_bytes(), SeriesLabel::Last),
                    read_series_rows(text.as_bytes(), SeriesLabel::First),
                    read_series_rows(text.as_bytes(), SeriesLabel::Absent),
                ];
                for table in tables.into_iter().flatten() {
                    prop_assert!(!table.series.is_empty());
                    prop_assert!(Series::common_channels(&table.series).is_ok());
                    prop_assert!(table.targets.rows().is_none_or(|rows| rows == table.series.len()));
                }
            }
            Ok(())
        })
        .unwrap();
    runner(500)
        .run(&prop::collection::vec(any::<u8>(), 0..60), |bytes| {
            let _ = read_ts(bytes.as_slice());
            let _ = read_ts([&b"@data\n"[..], &bytes].concat().as_slice());
            let _ = read_series_rows(bytes.as_slice(), SeriesLabel::Last);
            Ok(())
        })
        .unwrap();
}

#[test]
fn archives_are_read() {
    let Ok(folder) = std::env::var("MERCER_DATA") else {
        println!("skipped: MERCER_DATA names no folder");
        return;
    };
    let vowels = read_series_file(format!("{folder}/ts_JapaneseVowels/JapaneseVowels_TRAIN.ts.gz")).unwrap();
    assert_eq!((vowels.series.len(), vowels.series[0].channels(), vowels.series[0].len()), (270, 12, 20));
    assert_eq!(vowels.series[0].at(0)[..2], [1.860936, -0.207383]);
    assert_eq!(vowels.targets.labels().unwrap().counts(), [30; 9]);
    let lengths: Vec<usize> = vowels.series.iter().map(Series::len).collect();
    assert_eq!((lengths.iter().min(), lengths.iter().max()), (Some(&7), Some(&26)));
    let coffee = read_series_file(format!("{folder}/ts_Coffee/Coffee_TRAIN.csv")).unwrap();
    assert_eq!((coffee.series.len(), coffee.series[0].len()), (28, 286));
    assert_eq!(coffee.targets.labels().unwrap().classes().len(), 2);
}
