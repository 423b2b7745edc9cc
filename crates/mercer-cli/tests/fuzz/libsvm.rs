//! Files that LIBSVM's programs exchange: ranges, rows and models.

use std::fs;

use mercer::io::read_libsvm_model;

use crate::{corpus, run, texts};

fn lines(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte == b'\n').count()
}

#[test]
fn ranges() {
    texts("ranges", corpus::SPARSE.len(), &corpus::of(&corpus::RANGES), |folder, data, input| {
        fs::write(folder.join("ranges"), input).unwrap();
        fs::write(folder.join("data"), corpus::SPARSE[data]).unwrap();
        let scaled = run(folder, &["svm-scale", "-r", "ranges", "data"], b"");
        if scaled.code == 0 {
            assert_eq!(lines(&scaled.stdout), lines(corpus::SPARSE[data].as_bytes()));
        }
    });
}

#[test]
fn rows_to_be_scaled() {
    let limits: [&[&str]; 3] = [&[], &["-l", "0", "-u", "2"], &["-y", "0", "1"]];
    texts("rows to be scaled", limits.len(), &corpus::of(&corpus::SPARSE), |folder, limit, input| {
        fs::write(folder.join("data"), input).unwrap();
        let saved = run(folder, &[&["svm-scale", "-s", "ranges"], limits[limit], &["data"]].concat(), b"");
        if saved.code == 0 {
            let restored = run(folder, &["svm-scale", "-r", "ranges", "data"], b"");
            assert_eq!(restored.code, 0, "{}", restored.stderr);
            assert!(restored.stdout == saved.stdout, "the ranges that were saved scale otherwise");
        }
    });
}

#[test]
fn models() {
    texts("models of svm-predict", 2, &corpus::of(&corpus::MODELS), |folder, probabilities, input| {
        fs::write(folder.join("model"), input).unwrap();
        let data = match String::from_utf8_lossy(input).contains("kernel_type precomputed") {
            true => corpus::KERNEL_VALUES,
            false => corpus::SPARSE[0],
        };
        fs::write(folder.join("data"), data).unwrap();
        let b = ["0", "1"][probabilities];
        let predicted = run(folder, &["svm-predict", "-b", b, "data", "model", "out"], b"");
        if predicted.code == 0 {
            let out = fs::read(folder.join("out")).unwrap();
            assert_eq!(lines(&out), lines(data.as_bytes()) + probabilities);
            // One file, one meaning: what the library refuses is not predicted with.
            let is_precomputed = data == corpus::KERNEL_VALUES;
            assert!(is_precomputed || !input.starts_with(b"svm_type ") || read_libsvm_model(input).is_ok());
        } else {
            assert!(!folder.join("out").exists(), "{}", predicted.stderr);
        }
    });
}
