//! The writers: refusals, and files that are whole or not there.

use std::fs;
use std::io::{self, Write};

use mercer::Error;
use mercer::data::{Dense, Format, Labels, Sparse, Table, Targets, Vectors};
use mercer::data::{check_writable, write_atomically, write_file, write_to};

fn written(table: &Table, format: Format) -> mercer::Result<String> {
    let mut out = Vec::new();
    write_to(&mut out, table, format)?;
    Ok(String::from_utf8(out).unwrap())
}

fn rows() -> Vectors<'static> {
    Sparse::new(&[0i64, 2, 2], &[0i64, 2], vec![0.5, -0.0], 4).unwrap().into()
}

#[test]
fn the_text_is_what_people_expect() {
    let mut table = Table::new(rows(), Targets::Numbers(vec![1.0, -1.0])).unwrap();
    assert_eq!(written(&table, Format::Libsvm).unwrap(), "1 1:0.5 3:-0\n-1\n");
    assert_eq!(written(&table, Format::Csv).unwrap(), "0.5,0,-0,0,1\n0,0,0,0,-1\n");
    table.feature_names = Some(["a", "b c", "d\"e", ""].map(String::from).to_vec());
    let header = written(&table, Format::Semicolons).unwrap();
    assert_eq!(header.lines().next(), Some("a;\"b c\";\"d\"\"e\";\"\";label"));
    // Between tabs nothing is quoted, and nothing needs to be.
    let header = written(&table, Format::Tsv).unwrap();
    assert_eq!(header.lines().next(), Some("a\tb c\td\"e\t\tlabel"));
    table.groups = Some(vec![3, 4]);
    assert_eq!(written(&table, Format::Libsvm).unwrap(), "1 qid:3 1:0.5 3:-0\n-1 qid:4\n");
    assert!(matches!(written(&table, Format::Csv), Err(Error::Unsupported { .. })));

    let single: Vectors = Dense::new(vec![0.1f32], 1, 1).unwrap().into();
    let single = Table::new(single, Targets::Missing).unwrap();
    // The f64 that the f32 is, not a shorter one that is another number.
    assert_eq!(written(&single, Format::Libsvm).unwrap(), "0 1:0.10000000149011612\n");
    assert_eq!(written(&single, Format::Csv).unwrap(), "0.10000000149011612\n");
}

#[test]
fn what_a_format_cannot_hold_is_refused() {
    for word in ["", "a b", "a,b", "a:b", "a#b", "a\nb", "nan", "-inf"] {
        let table = Table::new(rows(), Targets::Words(Labels::from_text([word, "x"]))).unwrap();
        assert!(matches!(written(&table, Format::Libsvm), Err(Error::Unsupported { .. })), "{word:?}");
    }
    for word in ["", "nan", "inf"] {
        let table = Table::new(rows(), Targets::Words(Labels::from_text([word, "x"]))).unwrap();
        assert!(matches!(written(&table, Format::Csv), Err(Error::Unsupported { .. })), "{word:?}");
    }
    for word in ["", "nan", "inf", "NA", "a\tb", "a\nb", " a", "a "] {
        let table = Table::new(rows(), Targets::Words(Labels::from_text([word, "x"]))).unwrap();
        assert!(matches!(written(&table, Format::Tsv), Err(Error::Unsupported { .. })), "{word:?}");
    }
    let targets = Targets::Numbers(vec![1.0, f64::NAN]);
    assert!(matches!(Table::new(rows(), targets.clone()), Err(Error::Entry { index: 1, .. })));
    // The fields are open, so that the writers check as well.
    let table = Table { targets, ..Table::new(rows(), Targets::Missing).unwrap() };
    for format in [Format::Libsvm, Format::Csv] {
        assert!(matches!(written(&table, format), Err(Error::Entry { index: 1, .. })));
    }
    assert!(matches!(Table::new(rows(), Targets::Numbers(vec![1.0])), Err(Error::Shape { .. })));
}

#[test]
fn what_could_not_be_written_is_known_before() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("model");
    check_writable(&file).unwrap();
    fs::write(&file, "old").unwrap();
    check_writable(&file).unwrap();
    for wrong in [folder.path().to_path_buf(), folder.path().join("no/model"), folder.path().join("new/")] {
        assert!(matches!(check_writable(&wrong), Err(Error::File { .. })), "{wrong:?}");
    }
    assert_eq!(fs::read(&file).unwrap(), b"old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn failure_leaves_no_file_and_success_only_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.txt");
    let listing = || fs::read_dir(folder.path()).unwrap().map(|f| f.unwrap().file_name()).collect::<Vec<_>>();

    let full = |out: &mut io::BufWriter<fs::File>| {
        out.write_all(&[b'x'; 100_000])?;
        Err(io::Error::from(io::ErrorKind::StorageFull).into())
    };
    let error = write_atomically(&path, full).unwrap_err();
    assert!(matches!(&error, Error::File { path: named, .. } if *named == path), "{error:?}");
    assert!(listing().is_empty());

    let table = Table::new(rows(), Targets::Missing).unwrap();
    write_file(&path, &table, Format::Libsvm).unwrap();
    assert_eq!(listing(), ["out.txt"]);
    write_atomically(&path, full).unwrap_err();
    assert_eq!(fs::read_to_string(&path).unwrap(), "0 1:0.5 3:-0\n0\n");
    assert_eq!(listing(), ["out.txt"]);

    let panicked = std::panic::catch_unwind(|| write_atomically(&path, |_| panic!("on purpose")));
    assert!(panicked.is_err());
    assert_eq!(listing(), ["out.txt"]);

    for bad in [folder.path().join("no/such/folder"), folder.path().to_path_buf(), "/".into()] {
        assert!(write_file(&bad, &table, Format::Csv).is_err(), "{}", bad.display());
    }
    assert_eq!(listing(), ["out.txt"]);
}

#[cfg(unix)]
#[test]
fn links_are_followed_permissions_kept_and_devices_written_to() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("real"), folder.path().join("link"));
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&path, &link).unwrap();
    write_atomically(&link, |out| Ok(out.write_all(b"new")?)).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);

    write_atomically("/dev/null", |out| Ok(out.write_all(b"gone")?)).unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}
