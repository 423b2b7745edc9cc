//! Models of every machine and kind of item, as they were written before rows and other items had one type: they load, and say what they
//! said.
//!
//! Each model of the fixture is the text of a JSON file of version 2, with new items and its values there.

use mercer::data::{Collection, Items, Vectors};
use mercer::io::{Model, ModelFormat, TrainedMachine};
use mercer_testkit::fixture;
use serde::Deserialize;

#[derive(Deserialize)]
struct Written {
    models: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    items: NewItems,
    values: Vec<f64>,
    model: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum NewItems {
    Rows { rows: Vec<Vec<f64>> },
    Others(Collection<'static>),
}

fn said(machine: &TrainedMachine, items: &Collection<'_>) -> mercer::Result<Vec<f64>> {
    match machine {
        TrainedMachine::Svc(model) => model.decision_values(items),
        TrainedMachine::Svr(model) => model.predict(items),
        TrainedMachine::Novelty(model) => model.scores(items),
        TrainedMachine::Classes(model) => model.scores(items),
        TrainedMachine::Linear(model) => model.scores(items.rows()?),
        TrainedMachine::LinearRegression(model) => model.predict(items.rows()?),
        TrainedMachine::Matrix(model) => model.values(items),
    }
}

#[test]
fn models_that_were_written_earlier_say_what_they_said() {
    let written: Written = fixture::read("model/earlier.json");
    assert_eq!(written.models.len(), 62);
    for Case { name, items, values, model: text } in written.models {
        let items: Collection<'static> = match items {
            NewItems::Rows { rows } => Vectors::from_rows(&rows).unwrap().into(),
            NewItems::Others(items) => items,
        };
        let model = Model::from_bytes(text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(model.machine.item_kind(), items.kind(), "{name}");
        let found = said(&model.machine, &model.prepare(&items).unwrap()).unwrap();
        assert_eq!(found.len(), values.len(), "{name}");
        assert!(!items.is_empty() && values.iter().all(|value| value.is_finite()), "{name}");
        // Another instruction set may round differently.
        for (f, e) in found.iter().zip(&values) {
            assert!((f - e).abs() <= 1e-9 * e.abs().max(1.0), "{name}: {f} and {e}");
        }
        // What is written today is what was written then.
        let renewed = String::from_utf8(model.to_bytes(ModelFormat::Json)).unwrap();
        assert_eq!(renewed, text, "{name}");
        let again = Model::from_bytes(&model.to_bytes(ModelFormat::Binary)).unwrap();
        assert_eq!(said(&again.machine, &items).unwrap(), found, "{name}");
    }
}
