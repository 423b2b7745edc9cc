//! Linear machines: save, load, predict; the same bits, and no nonsense.

use mercer::data::Vectors;
use mercer::io::{
    Document, Model, ModelCard, ModelFormat, Numbers, TrainedMachine, binary, write_libsvm_model,
};
use mercer::machine::{LinearObjective, LinearSvc, LinearSvr, TubeLoss};

use crate::machine::small_set;

fn classifier(objective: LinearObjective) -> (Vectors<'static>, Model) {
    let (rows, labels) = small_set("iris.csv");
    let model = LinearSvc::params().objective(objective).check().unwrap().fit(&rows, &labels).unwrap();
    let saved = Model::new(model, None, ModelCard::of(&rows));
    (rows, saved)
}

#[test]
fn classifiers_that_are_loaded_say_the_same() {
    for objective in [
        LinearObjective::Hinge,
        LinearObjective::SquaredHinge,
        LinearObjective::SparseSquaredHinge,
        LinearObjective::CrammerSinger,
    ] {
        let (rows, saved) = classifier(objective);
        let expected = saved.machine.class_scores(&(&rows).into()).unwrap();
        for format in [ModelFormat::Binary, ModelFormat::Json] {
            let bytes = saved.to_bytes(format);
            let loaded = Model::from_bytes(&bytes).unwrap();
            let TrainedMachine::Linear(model) = &loaded.machine else { panic!() };
            assert_eq!(model.scores(&rows).unwrap(), expected);
            assert_eq!((model.objective(), model.classes().len()), (objective, 3));
            assert_eq!(loaded.machine.status(), saved.machine.status());
            assert_eq!(loaded.to_bytes(format), bytes);
            for at in (0..bytes.len() - 2).step_by(bytes.len() / 40) {
                assert!(Model::from_bytes(&bytes[..at]).is_err());
            }
        }
        let message = write_libsvm_model(&saved, &mut Vec::new()).unwrap_err().to_string();
        assert!(message.contains("linear machine"), "{message}");
        assert!(saved.machine.classifier().is_err());
        assert_eq!(saved.machine.kernel().to_string(), "linear");
    }
}

#[test]
fn regressions_that_are_loaded_say_the_same() {
    let rows = Vectors::from_rows(&[[0.0, 1.0], [1.0, 0.0], [2.0, 5.0]]).unwrap();
    for loss in [TubeLoss::Linear { tube: 0.1 }, TubeLoss::Squared { tube: 0.0 }] {
        let machine = LinearSvr::params().loss(loss).check().unwrap();
        let model = machine.fit(&rows, &[1.0, -1.0, 0.5]).unwrap();
        let expected = model.predict(&rows).unwrap();
        let saved = Model::new(model, None, ModelCard::of(&rows));
        for format in [ModelFormat::Binary, ModelFormat::Json] {
            let bytes = saved.to_bytes(format);
            let loaded = Model::from_bytes(&bytes).unwrap();
            let TrainedMachine::LinearRegression(model) = &loaded.machine else { panic!() };
            assert_eq!((model.predict(&rows).unwrap(), model.loss()), (expected.clone(), loss));
            assert_eq!(loaded.to_bytes(format), bytes);
        }
        assert!(saved.machine.classes().is_err());
    }
}

#[test]
fn documents_that_make_no_sense_are_refused() {
    type Spoil = fn(&mut Document);
    let cases: [(&str, Spoil); 7] = [
        ("\"weights\" is missing", |d| d.arrays.retain(|(name, _)| name != "weights")),
        ("weights", |d| set(d, "weights", Numbers::F64(vec![1.0; 5]))),
        ("weight 1", |d| set(d, "weights", Numbers::F64([[1.0, f64::NAN]; 6].concat()))),
        ("weights", |d| set(d, "intercepts", Numbers::F64(vec![0.0]))),
        ("functions", |d| d.header["model"]["classes"] = serde_json::json!(["a", "b"])),
        ("\"a\" stands twice", |d| d.header["model"]["classes"] = serde_json::json!(["a", "b", "a"])),
        ("header", |d| d.header["model"]["objective"] = "something".into()),
    ];
    let (_, saved) = classifier(LinearObjective::SquaredHinge);
    for (part, spoil) in cases {
        let mut document = binary::decode(&saved.to_bytes(ModelFormat::Binary)).unwrap();
        spoil(&mut document);
        let message = Model::from_bytes(&binary::encode(&document)).unwrap_err().to_string();
        assert!(message.contains(part), "{part}: {message}");
    }
}

fn set(document: &mut Document, name: &str, numbers: Numbers) {
    let array = document.arrays.iter_mut().find(|(n, _)| n == name).unwrap();
    array.1 = numbers;
}
