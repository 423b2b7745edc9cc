//! Machines with one function per class: save, load, predict; the same bits, and no nonsense.

use mercer::data::{Collection, Vectors};
use mercer::io::{
    Document, Model, ModelCard, ModelFormat, Numbers, TrainedMachine, binary, json, write_libsvm_model,
};
use mercer::kernel::Expression;
use mercer::machine::{Joint, JointSvc, Multiclass, Scale, Slack, Svc};
use mercer::solver::Control;

use crate::machine::small_set;

fn trained(machine: Joint) -> (Vectors<'static>, Model) {
    let (rows, labels) = small_set("iris.csv");
    let kernel: Expression = "gaussian(gamma=0.5) + centre(linear)".parse().unwrap();
    let model = JointSvc::params(kernel).machine(machine).check().unwrap().fit(&rows, &labels).unwrap();
    let saved = Model::new(model, None, ModelCard::of(&rows));
    (rows, saved)
}

#[test]
fn what_is_loaded_says_the_same() {
    for machine in [Joint::WestonWatkins, Joint::CrammerSinger] {
        let (rows, saved) = trained(machine);
        let items = Collection::from(&rows);
        let expected = saved.machine.class_scores(&items).unwrap();
        for format in [ModelFormat::Binary, ModelFormat::Json] {
            let bytes = saved.to_bytes(format);
            let loaded = Model::from_bytes(&bytes).unwrap();
            let TrainedMachine::Classes(model) = &loaded.machine else { panic!() };
            assert_eq!(model.scores(&items).unwrap(), expected);
            assert_eq!((model.machine(), model.classes().len()), (machine.into(), 3));
            assert!(model.reports()[0].relative_gap().is_some());
            assert_eq!(loaded.to_bytes(format), bytes);
            for at in (0..bytes.len() - 2).step_by(bytes.len() / 40) {
                assert!(Model::from_bytes(&bytes[..at]).is_err());
            }
        }
        let message = write_libsvm_model(&saved, &mut Vec::new()).unwrap_err().to_string();
        assert!(message.contains("one function per class"), "{message}");
        assert!(saved.machine.classifier().is_err());
    }
}

#[test]
fn one_against_rest_says_the_same_when_it_is_loaded() {
    let (rows, labels) = small_set("iris.csv");
    for (slack, scale) in [(Slack::Linear, Scale::Functional), (Slack::Quadratic, Scale::Geometric)] {
        let kernel: Expression = "gaussian(gamma=0.5) + centre(linear)".parse().unwrap();
        let machine = Svc::params(kernel).slack(slack).scale(scale).check().unwrap();
        let model = machine.fit_one_against_rest(&rows, &labels, None, None, &|_| Control::Continue).unwrap();
        let (scores, classes) = (model.scores(&rows).unwrap(), model.predict(&rows).unwrap());
        let saved = Model::new(model.clone(), None, ModelCard::of(&rows));
        let items = Collection::from(&rows);
        for format in [ModelFormat::Binary, ModelFormat::Json] {
            let bytes = saved.to_bytes(format);
            let loaded = Model::from_bytes(&bytes).unwrap();
            assert_eq!(loaded.machine.support_rows(), model.functions().support);
            let TrainedMachine::Classes(again) = &loaded.machine else { panic!() };
            assert_eq!(
                (again.scores(&items).unwrap(), again.predict(&items).unwrap()),
                (scores.clone(), classes.clone())
            );
            assert_eq!((again.machine(), again.reports().len()), (Multiclass::OneAgainstRest, 3));
            assert_eq!((again.functions(), again.status()), (model.functions(), model.status()));
            assert_eq!(loaded.to_bytes(format), bytes);
        }
    }
}

#[test]
fn documents_that_make_no_sense_are_refused() {
    type Spoil = fn(&mut Document);
    let cases: [(&str, Spoil); 9] = [
        ("support", |d| d.arrays.retain(|(name, _)| name != "support")),
        ("support items", |d| set(d, "support", Numbers::U64(vec![1]))),
        ("offsets", |d| set(d, "offsets", Numbers::F64(vec![0.0]))),
        ("offset 0", |d| set(d, "offsets", Numbers::F64(vec![f64::NAN; 3]))),
        ("coefficients", |d| set(d, "coefficients", Numbers::F64(vec![1.0; 4]))),
        ("classes", |d| d.header["model"]["classes"] = serde_json::json!([])),
        ("offsets", |d| d.header["model"]["classes"] = serde_json::json!(["a", "b"])),
        ("\"a\" stands twice", |d| d.header["model"]["classes"] = serde_json::json!(["a", "b", "a"])),
        ("header", |d| d.header["model"]["multiclass"] = "somebody".into()),
    ];
    let (_, saved) = trained(Joint::WestonWatkins);
    for (part, spoil) in cases {
        let mut document = binary::decode(&saved.to_bytes(ModelFormat::Binary)).unwrap();
        spoil(&mut document);
        for bytes in [binary::encode(&document), json::encode(&document)] {
            let message = Model::from_bytes(&bytes).unwrap_err().to_string();
            // Two classes for three functions: the coefficients do not fit either.
            let fits = message.contains(part) || part == "offsets" && message.contains("coefficients");
            assert!(fits, "{part}: {message}");
        }
    }
}

fn set(document: &mut Document, name: &str, numbers: Numbers) {
    document.arrays.iter_mut().find(|(n, _)| n == name).unwrap().1 = numbers;
}
