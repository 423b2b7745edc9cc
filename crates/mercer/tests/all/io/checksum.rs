//! Files in JSON that people have edited: refused until their checksum is renewed.

use mercer::data::{Collection, Labels, Row, ScalingKind};
use mercer::gram::CollectionKernel;
use mercer::io::{MatrixModel, Model, ModelCard, ModelFormat, SavedLearner, json};
use mercer::kernel::Expression;
use mercer::machine::online::{Answer, Online, RowMemory, Rule, Several};
use mercer::machine::{Ridge, Svc};
use serde_json::Value;

use super::{decisions, trained};
use crate::machine::small_set;

/// A file of every kind that is written as JSON: a classifier, a machine that factorizes K, a model of strings and a learner.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let (rows, labels) = small_set("iris.csv");
    let saved = trained("gaussian(gamma=0.2)", &rows, &labels, Some(ScalingKind::Standardise));
    let numbers: Vec<f64> = labels.codes().iter().map(|&code| f64::from(code)).collect();
    let kernel = || "gaussian(gamma=0.2)".parse::<Expression>().unwrap();
    let ridge = Ridge::params(kernel()).check().unwrap().fit(&rows, &numbers).unwrap();
    let ridge = MatrixModel::from(ridge);
    let words = Collection::Strings(["gattaca", "gatgat", "ccacca", "cacacc"].map(String::from).to_vec());
    let kinds = Labels::from_text(["g", "g", "c", "c"]);
    let strings = "spectrum(k=2)".parse::<CollectionKernel>().unwrap();
    let strings = Svc::params(strings).check().unwrap().fit(&words, &kinds).unwrap();
    let machine = || Online::params(RowMemory::new(kernel())?, Rule::Perceptron).check();
    let mut learner =
        SavedLearner::new(Several::of_classes(vec!["no".into(), "yes".into()], machine).unwrap());
    learner.learner.learn(Row::Dense64(&[0.0, 1.0]), Answer::Class(1)).unwrap();
    let format = ModelFormat::Json;
    vec![
        ("svc", saved.to_bytes(format)),
        ("ridge", Model::new(ridge, None, ModelCard::of(&rows)).to_bytes(format)),
        ("strings", Model::new(strings, None, ModelCard::of_items(&words)).to_bytes(format)),
        ("learner", learner.to_bytes(format).unwrap()),
    ]
}

fn edited(bytes: &[u8], edit: impl Fn(&mut Value)) -> Vec<u8> {
    let mut value: Value = serde_json::from_slice(bytes).unwrap();
    edit(&mut value);
    serde_json::to_vec(&value).unwrap()
}

/// What somebody did to a file.
type Edit = fn(&mut Value);

fn refusal(bytes: &[u8]) -> String {
    Model::from_bytes(bytes).unwrap_err().to_string()
}

#[test]
fn an_edited_file_is_refused_until_its_checksum_is_renewed() {
    for (name, bytes) in files() {
        assert!(Model::from_bytes(&bytes).is_ok(), "{name}");
        // A number, a member that is gone, one more, and the checksum itself.
        let edits: [(&str, Edit); 4] = [
            ("edited or damaged", |file| {
                let arrays = file["arrays"].as_object_mut().unwrap();
                let values = arrays.values_mut().find_map(|array| match array["type"] == "f64" {
                    true => array["values"].as_array_mut().unwrap().first_mut(),
                    false => None,
                });
                *values.unwrap() = 0.123.into();
            }),
            ("edited or damaged", |file| drop(file["model"].as_object_mut().unwrap().remove("scaling"))),
            ("edited or damaged", |file| file["model"]["more"] = 1.into()),
            ("missing", |file| drop(file.as_object_mut().unwrap().remove("checksum"))),
        ];
        for (words, edit) in edits {
            let message = refusal(&edited(&bytes, edit));
            assert!(
                message.contains(words) && message.contains("mercer convert --renew-checksum"),
                "{message}"
            );
        }
        let renewed = json::renew_checksum(&edited(&bytes, edits[0].1), ModelFormat::Json).unwrap();
        assert!(Model::from_bytes(&renewed).is_ok(), "{name}");
        assert_ne!(renewed, bytes, "{name}");
        let binary = json::renew_checksum(&edited(&bytes, edits[0].1), ModelFormat::Binary).unwrap();
        assert!(Model::from_bytes(&binary).is_ok(), "{name}");
        // What is not there stays missing.
        for member in ["scaling", "schema", "structures", "card"] {
            if name == "learner" && member != "scaling" {
                continue;
            }
            let without = edited(&bytes, |file| drop(file["model"].as_object_mut().unwrap().remove(member)));
            let message = json::renew_checksum(&without, ModelFormat::Json).unwrap_err().to_string();
            assert!(message.contains(&format!("missing field `{member}`")), "{name}: {message}");
        }
    }
}

#[test]
fn the_checksum_is_that_of_the_content_and_not_of_its_spelling() {
    let (rows, _) = small_set("iris.csv");
    let (_, bytes) = files().swap_remove(0);
    let value: Value = serde_json::from_slice(&bytes).unwrap();
    let expected = decisions(&Model::from_bytes(&bytes).unwrap(), &rows);
    // Other layout, and other spellings of the same numbers.
    let pretty = serde_json::to_string_pretty(&value).unwrap();
    for text in [pretty.replace(".0,", ","), pretty.replace(".0\n", ".00\n"), pretty] {
        assert_eq!(decisions(&Model::from_bytes(text.as_bytes()).unwrap(), &rows), expected);
    }
}

#[test]
fn files_of_the_first_version_have_no_checksum_and_must_be_complete() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/model/v1.json");
    let bytes = std::fs::read(path).unwrap();
    assert!(Model::from_bytes(&bytes).is_ok());
    for member in ["scaling", "card", "machine", "model"] {
        let without = edited(&bytes, |file| drop(file["model"].as_object_mut().unwrap().remove(member)));
        let message = refusal(&without);
        assert!(message.contains(&format!("missing field `{member}`")), "{message}");
    }
    let renewed = json::renew_checksum(&bytes, ModelFormat::Json).unwrap();
    assert!(Model::from_bytes(&renewed).is_ok());
    // A checksum is not got rid of by another version.
    let older = edited(&renewed, |file| file["version"] = 1.into());
    assert!(refusal(&older).contains("the version was edited"));
}
