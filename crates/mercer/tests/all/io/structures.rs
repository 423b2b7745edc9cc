//! Models of structured items: what is loaded predicts what was saved, to the bit.

use mercer::data::{Collection, ItemKind, Items, Labels, Vectors};
use mercer::gram::CollectionKernel;
use mercer::io::{Document, Model, ModelCard, ModelFormat, TrainedMachine, binary, json};
use mercer::kernel::StructureExpression;
use mercer::machine::{Joint, JointSvc, Novelty, Region, Svc, Svr};
use mercer_testkit::structures::{items, items_for, target};

/// One model of every machine that there is, on items of a kind.
fn trained(kernel: &StructureExpression, items: &Collection) -> Vec<Model> {
    let labels = Labels::from_text((0..items.len()).map(|i| target(i).0));
    let numbers: Vec<f64> = (0..items.len()).map(|i| target(i).1).collect();
    let kernel = || CollectionKernel::new(kernel.clone()).unwrap();
    let joint = JointSvc::params(kernel()).machine(Joint::CrammerSinger).check().unwrap();
    let sphere = Novelty::params(kernel()).region(Region::Sphere).check().unwrap();
    let models = vec![
        TrainedMachine::from(Svc::params(kernel()).cost(5.0).check().unwrap().fit(items, &labels).unwrap()),
        TrainedMachine::from(Svr::params(kernel()).check().unwrap().fit(items, &numbers).unwrap()),
        TrainedMachine::from(Novelty::params(kernel()).check().unwrap().fit(items).unwrap()),
        TrainedMachine::from(sphere.fit(items).unwrap()),
        TrainedMachine::from(joint.fit(items, &labels).unwrap()),
    ];
    models.into_iter().map(|model| Model::new(model, None, ModelCard::of_items(items))).collect()
}

fn said(saved: &Model, items: &Collection) -> Vec<u64> {
    let values = match &saved.machine {
        TrainedMachine::Svc(model) => model.decision_values(items),
        TrainedMachine::Svr(model) => model.predict(items),
        TrainedMachine::Novelty(model) => model.scores(items),
        TrainedMachine::Classes(model) => model.scores(items),
        TrainedMachine::Matrix(model) => model.values(items),
        TrainedMachine::Linear(_) | TrainedMachine::LinearRegression(_) => {
            panic!("no machine of structured items")
        }
    };
    values.unwrap().into_iter().map(f64::to_bits).collect()
}

#[test]
fn what_is_loaded_predicts_what_was_saved() {
    let rows = Vectors::from_rows(&[[0.5, 1.0]]).unwrap().into();
    for kernel in [
        "normalised(spectrum(k=2))",
        "normalised(bag_of_words(tfidf=true, n=2, unit=characters))",
        "mismatch(k=2, m=1) + 0.5 * normalised(weighted_degree(degree=3))",
        "normalised(subset_tree(decay=0.4))",
        "normalised(wl(h=2)) + normalised(shortest_path(width=0.5))",
        "global_alignment(sigma=median)",
        "normalised(tokens(spectrum(k=1))) + tokens(all_subsequences)",
        "shifted(dtw(gamma=median))",
        "clipped(dtw(gamma=0.02))",
        "clipped(normalised(spectrum(k=2)))",
        "column(\"age\", gaussian(gamma=median)) * column(\"job\", equality) + column(\"note\", bag_of_words)",
    ] {
        let kernel: StructureExpression = kernel.parse().unwrap();
        let (old, new) = (items_for(&kernel, 14), items_for(&kernel, 20).select(&[14, 15, 16, 17, 18, 19]));
        for saved in trained(&kernel, &old) {
            let before = said(&saved, &new);
            for format in [ModelFormat::Binary, ModelFormat::Json] {
                let bytes = saved.to_bytes(format);
                let after = Model::from_bytes(&bytes).unwrap();
                assert_eq!(said(&after, &new), before, "{kernel}, {format:?}");
                assert_eq!(after.machine.kernel(), saved.machine.kernel());
                assert_eq!(after.machine.support_items(), saved.machine.support_items());
                assert_eq!(after.card, saved.card);
                assert_eq!(after.to_bytes(format), bytes, "{kernel}, {format:?}");
                // Who wants rows of numbers is told.
                let error = after.prepare(&rows).unwrap_err().to_string();
                assert_eq!(
                    error,
                    format!("the model is one of {}, and the items are rows of numbers", kernel.kind())
                );
            }
        }
    }
}

/// Changes the document of a good model.
fn changed(kernel: &str, change: impl FnOnce(&mut Document)) -> String {
    let kernel: StructureExpression = kernel.parse().unwrap();
    let saved = trained(&kernel, &items_for(&kernel, 10)).remove(0);
    let mut document = json::decode(&saved.to_bytes(ModelFormat::Json)).unwrap();
    change(&mut document);
    let outcome = Model::from_bytes(&binary::encode(&document));
    outcome.map(|_| ()).unwrap_err().to_string()
}

#[test]
fn hostile_files_are_refused() {
    let series = "global_alignment(sigma=1)";
    for (kernel, what, part) in [
        ("spectrum(k=2)", "kind", "the header says graphs, and the support items are strings"),
        ("spectrum(k=2)", "kernel", "the kernel compares trees, and the items are strings"),
        ("spectrum(k=2)", "length", "expected a whole number of at least 1"),
        ("spectrum(k=2)", "fewer", ""),
        ("spectrum(k=2)", "columns", "which strings do not have"),
        ("wl(h=1)", "edge", "expected the number of a node"),
        (series, "values", "does not fit its values"),
        (series, "more", "belong to none"),
        ("bag_of_words(tfidf=true)", "forget", "no weights of terms yet"),
        ("shifted(dtw(gamma=1))", "unmended", "what was done to its values is not said"),
        ("shifted(dtw(gamma=1))", "unshifted", "the kernel is shifted by -1"),
        ("clipped(dtw(gamma=1))", "coordinates", "values of the matrix"),
        ("column(\"age\", linear) + column(\"job\", equality)", "cells", "values of the record"),
    ] {
        let told = changed(kernel, |document| {
            let model = &mut document.header["model"];
            match what {
                "kind" => document.header["structures"] = "graphs".into(),
                "kernel" => {
                    model["expression"] = serde_json::json!({"kernel": {"subset_tree": {"decay": 0.4}}})
                }
                "length" => model["expression"]["kernel"]["spectrum"]["length"] = 0.into(),
                "fewer" => model["items"]["plain"]["strings"] = serde_json::json!(["a"]),
                "columns" => document.header["card"]["columns"] = 3.into(),
                "edge" => model["items"]["plain"]["graphs"][0]["edges"] = serde_json::json!([[0, 99]]),
                "values" => model["items"]["series"][0] = serde_json::json!([2, 1_000_000_007u64]),
                "more" => model["items"]["series"][0] = serde_json::json!([2, 1]),
                "forget" => model["expression"]["kernel"]["tf_idf"]["weights"] = serde_json::Value::Null,
                "unmended" => drop(model.as_object_mut().unwrap().remove("mended")),
                "unshifted" => model["mended"]["shift"]["shift"] = (-1.0).into(),
                "coordinates" => {
                    let at = document.arrays.iter().position(|(name, _)| name == "mended.coordinates");
                    document.arrays[at.unwrap()].1 = mercer::io::Numbers::F64(vec![1.0]);
                }
                "cells" => model["items"]["plain"]["records"][0] = serde_json::json!([{"number": 1.0}]),
                _ => unreachable!(),
            }
        });
        assert!(told.contains(part), "{kernel}, {what}: {told}");
    }
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let kernel: StructureExpression = "wl(h=1)".parse().unwrap();
    let bytes = trained(&kernel, &items(ItemKind::Graphs, 8)).remove(0).to_bytes(ModelFormat::Binary);
    for length in (0..bytes.len()).step_by(13) {
        assert!(Model::from_bytes(&bytes[..length]).is_err(), "{length} of {}", bytes.len());
    }
}
