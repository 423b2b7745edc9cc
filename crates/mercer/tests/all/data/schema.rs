//! Real tables: words, missing values, weights, groups, columns to ignore, and tables that are read like others.

use mercer::Error;
use mercer::data::{
    Column, Contents, Doubt, Items, LabelColumn, Missing, ReadOptions, Table, Targets, Vectors, Words,
    read_chunks,
};
use mercer::error::Remedy;

use super::{assert_refused, read};

fn encoding() -> ReadOptions {
    ReadOptions { words: Words::Encode, ..ReadOptions::default() }
}

fn name(text: &str) -> Column {
    Column::Name(text.into())
}

#[track_caller]
fn table(text: &str, options: &ReadOptions) -> Table<'static> {
    read(text, options).unwrap().table().unwrap()
}

fn rows(table: &Table) -> Vec<Vec<f64>> {
    (0..table.rows()).map(|i| table.vectors.get(i).to_dense(table.vectors.columns())).collect()
}

/// Options that read a table as the one before was read.
fn like(table: &Table) -> ReadOptions {
    ReadOptions { schema: table.schema.clone(), ..ReadOptions::default() }
}

const PEOPLE: &str = "age,city,kind\n30,Ulm,a\n40,Bonn,b\n50,Ulm,a\n60,Köln,b\n";

#[test]
fn a_column_of_words_becomes_one_feature_per_word() {
    let people = table(PEOPLE, &encoding());
    assert_eq!(people.feature_names.as_ref().unwrap(), &["age", "city=Bonn", "city=Köln", "city=Ulm"]);
    assert_eq!(
        rows(&people),
        [[30., 0., 0., 1.], [40., 1., 0., 0.], [50., 0., 0., 1.], [60., 0., 1., 0.]].map(Vec::from)
    );
    assert_eq!(people.schema.as_ref().unwrap().origin(2), Some(1));
    // Without the option it stays an error with a place.
    assert_refused(
        PEOPLE.as_bytes(),
        &ReadOptions::default(),
        (2, 2),
        "column `city`: `Ulm` is not a number",
    );
}

#[test]
fn numbers_among_words_are_words_and_words_among_numbers_an_error() {
    let mixed = table("a,y\nlow,0\n1.0,1\nhigh,0\nlow,1\n1,0\nlow,0\n", &encoding());
    assert_eq!(mixed.feature_names.unwrap(), ["a=1", "a=high", "a=low"]);
    assert_refused(
        b"a,y\n1,0\n2,1\n3x,0\n4,1\n",
        &encoding(),
        (4, 1),
        "column `a`: `3x` is not a number, but most of its column are",
    );
    let codes = ReadOptions { word_columns: vec![name("a")], ..ReadOptions::default() };
    let codes = table("a,y\n10,0\n9,1\n10.0,0\n", &codes);
    assert_eq!(codes.feature_names.as_ref().unwrap(), &["a=9", "a=10"]);
    assert_eq!(rows(&codes), [[0., 1.], [1., 0.], [0., 1.]].map(Vec::from));
}

#[test]
fn words_that_no_row_shares_are_refused_and_an_all_word_table_is_told_by_what_recurs() {
    let many: String = (0..150).map(|i| format!("name{i},{i},{}\n", i % 2)).collect();
    let problem = "150 different words in 150 rows";
    assert_refused(format!("who,x,y\n{many}").as_bytes(), &encoding(), (1, 1), problem);
    let error = read(format!("who,x,y\n{many}").as_bytes(), &encoding()).unwrap_err();
    assert_eq!((error.code(), error.remedy()), ("parse", Some(Remedy::Ignore)));
    let error = error.in_file("who.csv");
    assert_eq!((error.code(), error.remedy()), ("parse", Some(Remedy::Ignore)));
    assert!(error.to_string().starts_with("who.csv:1:1: column `who`: 150 different"), "{error}");
    // A word that stands in its column again is no name.
    let words = table("x,a,p\nx,b,q\nx,a,p\n", &encoding());
    assert_eq!((words.rows(), words.remarks.header.unwrap().is_header), (3, false));
    // So far below it is found too late.
    let far: String = (0..40_000).map(|i| if i < 39_999 { "x,b,q\n" } else { "w,a,p\n" }).collect();
    assert_refused(format!("w,a,p\n{far}").as_bytes(), &encoding(), (1, 1), "reads like all others");
    let said = ReadOptions { header: mercer::data::Header::Absent, ..encoding() };
    assert_eq!(table("x,a,p\nx,b,q\nx,a,p\n", &said).rows(), 3);
}

#[test]
fn missing_values_are_refused_dropped_or_filled_in() {
    let text = "n,w,y\n1,red,a\n?,red,b\n3,,b\n5,blue,a\n6,blue,NA\n";
    assert_refused(text.as_bytes(), &encoding(), (3, 1), "column `n`: missing value `?`");
    assert_eq!(read(text.as_bytes(), &encoding()).unwrap_err().remedy(), Some(Remedy::Missing));

    let dropped = table(text, &ReadOptions { missing: Some(Missing::Drop), ..encoding() });
    assert_eq!(rows(&dropped), [[1., 0., 1.], [5., 1., 0.]].map(Vec::from));
    assert_eq!(dropped.targets.labels().unwrap().classes(), ["a"]);
    assert_eq!(dropped.remarks.dropped, [1, 2, 4]);
    assert_eq!(dropped.remarks.numbers(2).unwrap(), [0, 3]);

    // A label cannot be filled in.
    let mean = ReadOptions { missing: Some(Missing::Mean), ..encoding() };
    assert_refused(text.as_bytes(), &mean, (6, 3), "column `y`: missing label `NA`");
    let filled = table(&text.replace("NA", "a"), &mean);
    // The mean of 1, 3, 5, 6 and the shares of two words that stand twice each.
    assert_eq!(rows(&filled)[1], [3.75, 0.0, 1.0]);
    assert_eq!(rows(&filled)[2], [3.0, 0.5, 0.5]);
    assert_eq!(filled.remarks.filled, 2);
    // What was learned fills in what is missing later.
    let later = table("n,w\nNA,green\n", &like(&filled));
    assert_eq!(rows(&later), [[3.75, 0.0, 0.0]].map(Vec::from));
    assert!(matches!(read("n,w,y\n,,\n?,?,?\n", &mean), Err(Error::InFile { .. } | Error::Parse { .. })));
    assert!(read("n,w,y\n,1,a\n?,2,b\n", &mean).unwrap_err().to_string().contains("`n` has no value"));
}

#[test]
fn weights_groups_and_ignored_columns_are_no_features() {
    let text = "id,weight,plot,x,y\n1,0.5,north,7,a\n2,2,south,8,b\n3,0,north,9,a\n";
    let options = ReadOptions {
        ignore: vec![Column::At(0)],
        weight: Some(name("weight")),
        group: Some(name("plot")),
        ..encoding()
    };
    let read_so = table(text, &options);
    assert_eq!(read_so.feature_names.as_ref().unwrap(), &["x"]);
    assert_eq!(read_so.weights.as_ref().unwrap(), &[0.5, 2.0, 0.0]);
    assert_eq!(read_so.groups.as_ref().unwrap(), &[0, 1, 0]);
    // Later the same columns are left alone again, whether they are there or not.
    for later in ["x\n5\n", "plot,x,y\nnorth,5,a\n", "id,weight,plot,x,y\n1,-3,?,5,a\n"] {
        assert_eq!(rows(&table(later, &like(&read_so))), [[5.0]].map(Vec::from), "{later}");
    }
    let wrong = text.replace("0.5", "-0.5");
    assert_refused(wrong.as_bytes(), &options, (2, 2), "column `weight`: -0.5 is no weight");
    let twice = ReadOptions { weight: Some(name("y")), ..encoding() };
    assert_refused(text.as_bytes(), &twice, (1, 5), "already has another use");
    let libsvm = ReadOptions { weight: Some(Column::At(0)), ..encoding() };
    assert!(matches!(read("1 1:2\n", &libsvm), Err(Error::Unsupported { .. })));
}

#[test]
fn tables_are_read_as_the_training_was() {
    let people = table(PEOPLE, &encoding());
    // In another order, with columns more, without labels.
    let later = table("shoe,city,age\n43,Ulm,33\n38,Rom,22\n", &like(&people));
    assert_eq!(rows(&later), [[33., 0., 0., 1.], [22., 0., 0., 0.]].map(Vec::from));
    assert_eq!(later.targets, Targets::Missing);
    assert_eq!(later.remarks.first_unseen, Some(("city".into(), "Rom".into())));
    assert_refused(b"shoe,age\n43,33\n", &like(&people), (1, 2), "no column is called `city`");
    assert_refused(b"age,city\nold,Ulm\n", &like(&people), (2, 1), "`old` is not a number");

    // A label that is not known yet is no obstacle.
    let open = table("age,city,kind\n30,Ulm,\n40,Bonn,?\n", &like(&people));
    assert_eq!((open.targets, open.remarks.unlabelled), (Targets::Missing, 2));
    // Words without names are as they were: the first line is a row.
    let said = ReadOptions { header: mercer::data::Header::Absent, ..encoding() };
    let words = table("x,a,p\nx,b,q\nx,a,p\n", &said);
    assert_eq!(table("x,b,q\nx,a,p\n", &like(&words)).rows(), 2);
    assert_refused(b"a;y\n1,5;p\n2,25;q\n", &encoding(), (2, 1), "decimal comma");

    // Without names by position: with the label where it was, or without it.
    let first = ReadOptions { label: LabelColumn::At(0), ..ReadOptions::default() };
    let nameless = table("a,1,2\nb,3,4\n", &first);
    assert_eq!(table("b,5,6\n", &like(&nameless)).targets.labels().unwrap().classes(), ["b"]);
    assert_eq!(rows(&table("5,6\n", &like(&nameless))), [[5., 6.]].map(Vec::from));
    assert_refused(
        b"5,6,7,8\n",
        &like(&nameless),
        (1, 4),
        "4 fields, but the training had 3 (2 without labels)",
    );
}

#[test]
fn a_file_in_pieces_is_the_whole_file() {
    let people = table(PEOPLE, &encoding());
    let text: String = "age,city,kind\n".to_string()
        + &(0..25).map(|i| format!("{i},{},{}\n", ["Ulm", "Bonn", "Rom"][i % 3], i % 2)).collect::<String>();
    let whole = table(&text, &like(&people));
    for size in [1, 4, 25, 100] {
        let stream = Box::new(std::io::Cursor::new(text.clone()));
        let mut found = Vec::new();
        let mut unseen = 0;
        for chunk in read_chunks(stream, "people.csv", &like(&people), size).unwrap() {
            let Contents::Table(chunk) = chunk.unwrap() else { panic!() };
            assert!(chunk.rows() <= size);
            unseen += chunk.remarks.unseen;
            found.extend(rows(&chunk));
        }
        assert_eq!((found, unseen), (rows(&whole), whole.remarks.unseen), "{size}");
    }
    // An error comes when its piece does, with its line.
    let broken = Box::new(std::io::Cursor::new(text.replace("\n20,", "\nx,")));
    let outcomes: Vec<_> = read_chunks(broken, "people.csv", &like(&people), 10).unwrap().collect();
    assert_eq!(outcomes.len(), 3);
    let error = outcomes[2].as_ref().unwrap_err().to_string();
    assert!(error.starts_with("people.csv:22:1: column `age`: `x` is not a number"), "{error}");
    // Nothing is known about these columns.
    assert!(read_chunks(Box::new("1,2\n".as_bytes()), "x", &ReadOptions::default(), 10).is_err());
    let empty = read_chunks(Box::new("age,city\n".as_bytes()), "x", &like(&people), 10).unwrap().next();
    assert!(matches!(empty, Some(Err(_))));
}

#[test]
fn columns_that_say_nothing_are_pointed_out() {
    let text: String = "id,same,x,word,y\n".to_string()
        + &(0..20).map(|i| format!("{},1,{},w{i},{}\n", 119 - i, i * 7 % 5, i % 2)).collect::<String>();
    let doubts = table(&text, &encoding()).remarks.doubtful;
    assert_eq!(
        doubts,
        [Doubt::Identifier("id".into()), Doubt::Constant("same".into()), Doubt::Identifier("word".into())]
    );
    assert!(matches!(table("1,2\n1,3\n", &ReadOptions::default()).vectors, Vectors::Dense64(_)));
}
