//! A file of each format version stays readable for ever, and gives the decision values it gave when written.
//!
//! `MERCER_WRITE_GOLDEN=1 cargo test -p mercer --test all golden` writes the files of a new version.

use std::fs;
use std::path::{Path, PathBuf};

use mercer::data::ScalingKind;
use mercer::io::{Model, ModelFormat, binary, json};

use super::{decisions, trained};
use crate::machine::small_set;

const KERNEL: &str = "centre(gaussian(gamma=0.2)) + 0.5 * linear";

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/model").join(name)
}

#[test]
fn files_of_every_version_can_be_read() {
    let (rows, labels) = small_set("iris.csv");
    if std::env::var_os("MERCER_WRITE_GOLDEN").is_some() {
        let saved = trained(KERNEL, &rows, &labels, Some(ScalingKind::Standardise));
        fs::create_dir_all(path("")).unwrap();
        let files = [
            (format!("v{}.mercer", binary::VERSION), ModelFormat::Binary),
            (format!("v{}.json", json::VERSION), ModelFormat::Json),
        ];
        // Files that are there stay as they are: only those of a new version are written.
        for (name, format) in files.iter().filter(|(name, _)| !path(name).exists()) {
            fs::write(path(name), saved.to_bytes(*format)).unwrap();
        }
        let version = binary::VERSION.max(json::VERSION);
        let values: Vec<String> = decisions(&saved, &rows).iter().map(|f| f.to_string()).collect();
        fs::write(path(&format!("v{version}.decisions.txt")), values.join("\n") + "\n").unwrap();
    }
    for version in 1..=binary::VERSION.max(json::VERSION) {
        let expected: Vec<f64> = fs::read_to_string(path(&format!("v{version}.decisions.txt")))
            .unwrap()
            .lines()
            .map(|line| line.parse().unwrap())
            .collect();
        assert_eq!(expected.len(), 450);
        let binary = (version <= binary::VERSION).then(|| format!("v{version}.mercer"));
        let json = (version <= json::VERSION).then(|| format!("v{version}.json"));
        for name in binary.into_iter().chain(json) {
            let loaded = Model::load(&path(&name)).unwrap();
            let found = decisions(&loaded, &rows);
            assert_eq!(found.len(), expected.len(), "{name}");
            // Another instruction set may round differently.
            for (f, e) in found.iter().zip(&expected) {
                assert!((f - e).abs() < 1e-9 * e.abs().max(1.0), "{name}: {f} {e}");
            }
        }
    }
}
