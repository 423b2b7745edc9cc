//! Damaged and hostile model files: an error, never a panic, never a model that is not the one saved.

use std::sync::OnceLock;

use mercer::io::{Document, Model, ModelFormat, Numbers, binary, json, read_libsvm_model};
use mercer_testkit::fixture;
use proptest::prelude::*;

use super::{decisions, trained};
use crate::machine::small_set;

fn good(format: ModelFormat) -> &'static [u8] {
    static BINARY: OnceLock<Vec<u8>> = OnceLock::new();
    static JSON: OnceLock<Vec<u8>> = OnceLock::new();
    let cell = if format == ModelFormat::Binary { &BINARY } else { &JSON };
    cell.get_or_init(|| {
        let (rows, labels) = small_set("iris.csv");
        trained("gaussian(gamma=0.5)", &rows, &labels, None).to_bytes(format)
    })
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let bytes = good(ModelFormat::Binary);
    for length in (0..bytes.len()).step_by(7).chain(bytes.len() - 80..bytes.len()) {
        assert!(Model::from_bytes(&bytes[..length]).is_err(), "{length} of {} bytes", bytes.len());
    }
    let text = good(ModelFormat::Json);
    for length in (0..text.len() - 2).step_by(101) {
        assert!(Model::from_bytes(&text[..length]).is_err(), "{length} of {} bytes", text.len());
    }
}

#[test]
fn a_flipped_bit_anywhere_is_noticed() {
    let bytes = good(ModelFormat::Binary);
    for at in (0..bytes.len()).step_by(11) {
        let mut flipped = bytes.to_vec();
        flipped[at] ^= 1 << (at % 8);
        assert!(Model::from_bytes(&flipped).is_err(), "byte {at}");
    }
}

#[test]
fn lengths_beyond_the_file_do_not_allocate() {
    // A header that announces 2⁶⁰ numbers, with checksums that are right.
    let mut document = binary::decode(good(ModelFormat::Binary)).unwrap();
    document.arrays.push(("huge".into(), Numbers::F64(vec![1.0])));
    let bytes = binary::encode(&document);
    let header = u64::from_le_bytes(bytes[16..24].try_into().unwrap()) as usize;
    let text = String::from_utf8(bytes[24..24 + header].to_vec()).unwrap();
    let needle = "\"name\":\"huge\",\"type\":\"f64\",\"length\":1";
    assert!(text.contains(needle), "{text}");
    let text = text.replace(needle, "\"name\":\"huge\",\"type\":\"f64\",\"length\":1152921504606846976");
    let mut forged = bytes[..12].to_vec();
    forged.extend(crc32fast::hash(text.as_bytes()).to_le_bytes());
    forged.extend((text.len() as u64).to_le_bytes());
    forged.extend(text.as_bytes());
    forged.extend(&bytes[24 + header..bytes.len() - 4]);
    let checksum = crc32fast::hash(&forged);
    forged.extend(checksum.to_le_bytes());
    let message = Model::from_bytes(&forged).unwrap_err().to_string();
    assert!(message.contains("does not fit"), "{message}");
}

/// Changes one part of a good document; its checksums are made anew, so that only the checks of meaning can help.
#[test]
fn documents_that_make_no_sense_are_refused() {
    type Spoil = fn(&mut Document);
    let cases: [(&str, Spoil); 13] = [
        ("support", |d| d.arrays.retain(|(name, _)| name != "support")),
        ("class", |d| set(d, "starts", Numbers::U64(vec![0, 9, 3, 200]))),
        ("starts", |d| set(d, "starts", Numbers::U64(vec![0]))),
        ("offsets", |d| set(d, "offsets", Numbers::F64(vec![0.0]))),
        ("offset", |d| set(d, "offsets", Numbers::F64(vec![f64::NAN; 3]))),
        ("coefficients", |d| set(d, "coefficients", Numbers::F64(vec![]))),
        ("items.values", |d| set(d, "items.values", Numbers::U32(vec![1]))),
        ("matrix", |d| set(d, "items.values", Numbers::F64(vec![1.0]))),
        ("kernel", |d| d.header["model"]["kernel"] = "gausian".into()),
        ("training", |d| d.header["model"]["kernel"] = "gaussian".into()),
        ("classes", |d| d.header["model"]["classes"] = serde_json::json!([])),
        ("\"a\" stands twice", |d| d.header["model"]["classes"] = serde_json::json!(["a", "b", "a"])),
        ("machine", |d| d.header["machine"] = "svm".into()),
    ];
    for (part, spoil) in cases {
        let mut document = binary::decode(good(ModelFormat::Binary)).unwrap();
        spoil(&mut document);
        for bytes in [binary::encode(&document), json::encode(&document)] {
            let message = Model::from_bytes(&bytes).unwrap_err().to_string();
            assert!(message.contains(part), "{part}: {message}");
        }
    }
}

fn set(document: &mut Document, name: &str, numbers: Numbers) {
    document.arrays.iter_mut().find(|(n, _)| n == name).unwrap().1 = numbers;
}

#[test]
fn a_later_version_is_named() {
    let mut bytes = good(ModelFormat::Binary).to_vec();
    bytes[8] = 99;
    let message = Model::from_bytes(&bytes).unwrap_err().to_string();
    assert!(message.contains("format version 99"), "{message}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, rng_seed: prop::test_runner::RngSeed::Fixed(7), ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = Model::from_bytes(&bytes);
        let _ = read_libsvm_model(&bytes[..]);
        let mut framed = binary::MAGIC.to_vec();
        framed.extend(&bytes);
        let _ = Model::from_bytes(&framed);
    }

    #[test]
    fn changed_json_never_panics(at in 0usize..20_000, byte in any::<u8>()) {
        let mut text = good(ModelFormat::Json).to_vec();
        let at = at % text.len();
        text[at] = byte;
        if let Ok(model) = Model::from_bytes(&text) {
            // A digit may have become another: still a model that can be used or refuses.
            let (rows, _) = small_set("iris.csv");
            if let Ok(rows) = model.prepare(&rows.into()) {
                let _ = super::classifier(&model).decision_values(&rows);
            }
        }
    }

    #[test]
    fn changed_libsvm_models_never_panic(at in 0usize..20_000, byte in any::<u8>(), cut in 0usize..20_000) {
        let mut text = std::fs::read(fixture::path("libsvm_model/iris.model")).unwrap();
        let at = at % text.len();
        text[at] = byte;
        text.truncate(cut.max(at + 1));
        let _ = read_libsvm_model(&text[..]);
    }
}

#[test]
fn the_good_file_is_good() {
    let (rows, _) = small_set("iris.csv");
    let a = Model::from_bytes(good(ModelFormat::Binary)).unwrap();
    let b = Model::from_bytes(good(ModelFormat::Json)).unwrap();
    assert_eq!(decisions(&a, &rows), decisions(&b, &rows));
}
