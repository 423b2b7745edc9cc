//! Opening files: gzip, errors with the file's name.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use mercer::Error;
use mercer::data::{ReadOptions, read_file, read_from};

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn gzip_is_recognised_by_content_and_may_have_several_members() {
    let bytes = [gzip(b"1 1:1\n-1 "), gzip(b"2:1\n")].concat();
    let table = read_from(&bytes[..], &ReadOptions::default()).unwrap().table().unwrap();
    assert_eq!((table.rows(), table.vectors.columns()), (2, 2));

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no-telling-name");
    std::fs::write(&path, &bytes).unwrap();
    assert_eq!(read_file(&path, &ReadOptions::default()).unwrap().table().unwrap(), table);
}

#[test]
fn damaged_gzip_is_refused_clearly() {
    let text: String = (1..2000).map(|i| format!("1 {i}:{}\n", i * 7919 % 1000)).collect();
    let whole = gzip(text.as_bytes());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gz");
    for length in [3, 9, 10, 11, whole.len() / 2, whole.len() - 8, whole.len() - 1] {
        std::fs::write(&path, &whole[..length]).unwrap();
        let error = read_file(&path, &ReadOptions::default()).unwrap_err();
        assert!(matches!(error, Error::File { .. }), "{length}: {error:?}");
        let shown = error.to_string();
        assert!(shown.contains("a.gz: ") && shown.contains("cut short"), "{length}: {shown}");
    }
    let mut flipped = whole.clone();
    *flipped.last_mut().unwrap() ^= 1;
    *flipped.get_mut(whole.len() - 6).unwrap() ^= 1;
    let error = read_from(&flipped[..], &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("damaged"), "{error}");
}

#[test]
fn errors_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.txt");
    std::fs::write(&path, "1 1:1\n1 2:1 1:x\n").unwrap();
    let error = read_file(&path, &ReadOptions::default()).unwrap_err();
    assert!(matches!(&error, Error::InFile { .. }), "{error:?}");
    assert_eq!(error.to_string(), format!("{}:2:7: index 1 after 2: indices must ascend", path.display()));

    std::fs::write(&path, "").unwrap();
    let error = read_file(&path, &ReadOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), format!("{}: no rows", path.display()));

    for missing in [folder.path().join("none"), folder.path().to_path_buf()] {
        let error = read_file(&missing, &ReadOptions::default()).unwrap_err();
        assert!(matches!(&error, Error::File { path, .. } if *path == missing), "{error:?}");
    }
}
