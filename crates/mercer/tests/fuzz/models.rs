//! Fuzzers of model files: bytes that are changed, and documents that are changed and sealed again with valid checksums.

use mercer::data::{Random, Row};
use mercer::io::{
    Document, Model, ModelFormat, Numbers, SavedLearner, binary, json, read_libsvm_model, write_libsvm_model,
};
use mercer::machine::Slack;
use mercer::machine::online::{Answer, Budget, Online, RowMemory, Rule, Several};
use serde_json::Value;

use crate::every_model::{self, use_model};
use crate::fuzz;
use mercer_testkit::fuzz::mutated;

fn learners() -> Vec<SavedLearner> {
    let machine = |rule: Rule, budget| {
        let memory = RowMemory::new("gaussian(gamma=0.5)".parse()?)?;
        Online::params(memory, rule).homogeneous().budget(budget).check()
    };
    let slack = Slack::Linear;
    let classes = |k: usize| (0..k).map(|class| format!("c{class}")).collect::<Vec<_>>();
    let found = [
        Several::of_classes(classes(2), || machine(Rule::Perceptron, Budget::Unlimited)),
        Several::of_classes(classes(3), || {
            machine(Rule::PassiveAggressive { slack, cost: 1.0 }, Budget::Remove { items: 5 })
        }),
        machine(Rule::Regression { tube: 0.1, slack, cost: 1.0 }, Budget::Project { items: 5 })
            .and_then(Several::of_numbers),
        machine(Rule::ranking(3), Budget::Unlimited).and_then(Several::of_numbers),
    ];
    let mut random = Random::new(4);
    let mut learned = Vec::new();
    for learner in found {
        let mut saved = SavedLearner::new(learner.unwrap());
        for at in 0..20 {
            let truth = match saved.learner.classes().len() {
                0 => Answer::Number(f64::from(at % 3 + 1)),
                k => Answer::Class(at as usize % k),
            };
            saved.learner.learn(Row::Dense64(&[random.normal(), random.normal()]), truth).unwrap();
        }
        learned.push(saved);
    }
    learned
}

fn read(input: &[u8]) {
    if let Ok(loaded) = Model::from_bytes(input) {
        use_model(loaded);
    }
    if let Ok(mut saved) = SavedLearner::from_bytes(input) {
        let columns = saved.learner.machines()[0].function().memory().columns().unwrap_or(2).min(100);
        let truth = if saved.learner.classes().is_empty() { Answer::Number(1.0) } else { Answer::Class(0) };
        let before = saved.to_bytes(ModelFormat::Binary).unwrap();
        match saved.learner.learn(Row::Dense64(&vec![0.5; columns]), truth) {
            // What was learned can be read again.
            Ok(_) => drop(SavedLearner::from_bytes(&saved.to_bytes(ModelFormat::Binary).unwrap()).unwrap()),
            Err(_) => assert!(
                saved.to_bytes(ModelFormat::Binary).unwrap() == before,
                "an error has changed the learner"
            ),
        }
    }
}

fn all(format: ModelFormat) -> Vec<Vec<u8>> {
    let models = every_model::all().into_iter().map(|model| model.to_bytes(format));
    models.chain(learners().into_iter().map(|learner| learner.to_bytes(format).unwrap())).collect()
}

#[test]
fn bytes_of_models() {
    let corpus = [all(ModelFormat::Binary), all(ModelFormat::Json)].concat();
    fuzz("bytes of models", |random| mutated(random, &corpus), read);
}

/// Changes somewhere in a header or an array, with checksums that are right.
#[test]
fn documents_of_models() {
    let corpus: Vec<Document> =
        all(ModelFormat::Json).iter().map(|bytes| json::decode(bytes).unwrap()).collect();
    let draw = |random: &mut Random| {
        let mut document = corpus[random.below(corpus.len())].clone();
        for _ in 0..1 + random.below(3) {
            change(random, &mut document);
        }
        if random.below(2) == 0 { binary::encode(&document) } else { json::encode(&document) }
    };
    fuzz("documents of models", draw, read);
}

fn change(random: &mut Random, document: &mut Document) {
    if random.below(2) == 0 || document.arrays.is_empty() {
        return change_value(random, &mut document.header);
    }
    let at = random.below(document.arrays.len());
    if random.below(8) == 0 {
        document.arrays.remove(at);
        return;
    }
    fn one<T: Clone>(random: &mut Random, values: &mut Vec<T>, new: T) {
        let at = random.below(values.len() + 1);
        match random.below(4) {
            0 => values.truncate(at),
            1 => values.insert(at, new),
            _ if at < values.len() => values[at] = new,
            _ => values.push(new),
        }
    }
    let (real, whole) = (odd_real(random), odd_whole(random));
    match &mut document.arrays[at].1 {
        Numbers::F64(values) => one(random, values, real),
        Numbers::F32(values) => one(random, values, real as f32),
        Numbers::U32(values) => one(random, values, whole as u32),
        Numbers::U64(values) => one(random, values, whole),
    }
}

fn odd_real(random: &mut Random) -> f64 {
    [0.0, -1.0, 1e308, -1e308, 1e-320, f64::NAN, f64::INFINITY, 0.5, 1e16][random.below(9)]
}

fn odd_whole(random: &mut Random) -> u64 {
    [0, 1, 2, 5, 100, 1 << 20, 1 << 31, u64::from(u32::MAX), 1 << 53, u64::MAX][random.below(10)]
}

fn change_value(random: &mut Random, value: &mut Value) {
    match value {
        Value::Object(members) if !members.is_empty() && random.below(12) > 0 => {
            let name = members.keys().nth(random.below(members.len())).cloned().unwrap_or_default();
            match random.below(20) {
                0 => drop(members.remove(&name)),
                _ => members.get_mut(&name).into_iter().for_each(|member| change_value(random, member)),
            }
        }
        Value::Array(items) if !items.is_empty() && random.below(12) > 0 => {
            let at = random.below(items.len());
            match random.below(10) {
                0 => drop(items.remove(at)),
                1 => items.push(items[at].clone()),
                _ => change_value(random, &mut items[at]),
            }
        }
        other => {
            *other = match random.below(7) {
                0 => Value::Null,
                1 => Value::from(odd_whole(random)),
                2 => Value::from(odd_real(random)),
                3 => Value::from(
                    ["", "linear", "gaussian", "svc", "remove", "polynomial(degree=4000000000)"]
                        [random.below(6)],
                ),
                4 => Value::from(Vec::<f64>::new()),
                5 => Value::from(random.below(2) == 0),
                _ => Value::from(-1),
            }
        }
    }
}

#[test]
fn libsvm_models() {
    let written = every_model::of_rows().into_iter().filter_map(|model| {
        let mut bytes = Vec::new();
        let model = Model { scaling: None, ..model };
        write_libsvm_model(&model, &mut bytes).ok().map(|()| bytes)
    });
    let corpus: Vec<Vec<u8>> = written.collect();
    assert!(corpus.len() >= 3);
    fuzz(
        "LIBSVM models",
        |random| mutated(random, &corpus),
        |input| {
            if let Ok(saved) = read_libsvm_model(input) {
                use_model(saved);
            }
        },
    );
}
