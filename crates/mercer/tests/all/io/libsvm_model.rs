//! LIBSVM's model files in both directions.

use std::fs::File;
use std::io::BufReader;

use mercer::data::{Collection, Items, Labels, ScalingKind, Vectors};
use mercer::io::{Model, ModelCard, TrainedMachine, read_libsvm_model, write_libsvm_model};
use mercer::machine::one_against_one::pairs;
use mercer::machine::{Probability, Svc};
use mercer_testkit::fixture::{self, LibsvmModels};

use super::{classifier, decisions, trained};
use crate::machine::{small_set, source_rows};

#[test]
fn models_of_libsvm_predict_as_libsvm_does() {
    let fixture: LibsvmModels = fixture::read("libsvm_model/predictions.json");
    let mut read = 0;
    for expected in &fixture.models {
        let path = fixture::path(&format!("libsvm_model/{}", expected.file));
        let saved = read_libsvm_model(BufReader::new(File::open(path).unwrap()));
        let saved = saved.unwrap();
        if !matches!(expected.svm_type.as_str(), "c_svc" | "nu_svc") {
            let (rows, _) = source_rows(&expected.data).unwrap();
            let items = rows.into();
            let found = match &saved.machine {
                TrainedMachine::Svr(model) => model.predict(&items).unwrap(),
                TrainedMachine::Novelty(model) => {
                    let side = |score: &f64| if *score > 0.0 { 1.0 } else { -1.0 };
                    model.scores(&items).unwrap().iter().map(side).collect()
                }
                _ => panic!("{} is no classifier", expected.file),
            };
            for (f, expected) in found.iter().zip(&expected.predictions) {
                assert!((f - expected).abs() < 1e-5 * expected.abs().max(1.0), "{f} {expected}");
            }
            read += 1;
            continue;
        }
        let model = classifier(&saved);
        let rows = Collection::from(source_rows(&expected.data).unwrap().0);
        let found = model.decision_values(&rows).unwrap();
        let label = expected.label.as_ref().unwrap();
        let k = label.len();
        // LIBSVM's pair (a, b) of its own label order, positive for a; Mercer's (c, d) of sorted classes, positive for d.
        let place = |l: i64| model.classes().iter().position(|c| c.parse::<i64>().unwrap() == l).unwrap();
        let pair_number = |c: usize, d: usize| pairs(k).position(|p| p == (c.min(d), c.max(d))).unwrap();
        for (i, of_row) in expected.decisions.iter().enumerate() {
            for ((a, b), value) in pairs(k).zip(of_row) {
                let (c, d) = (place(label[a]), place(label[b]));
                let mine = found[i * (k * (k - 1) / 2) + pair_number(c, d)];
                let mine = if c > d { mine } else { -mine };
                assert!(
                    (mine - value).abs() < 1e-5 * value.abs().max(1.0),
                    "{}: {mine} {value}",
                    expected.file
                );
            }
        }
        let predicted = model.predict_labels(&rows).unwrap();
        let same = (0..rows.len())
            .filter(|&i| predicted[i].parse::<f64>().unwrap() == expected.predictions[i])
            .count();
        assert_eq!(same, rows.len(), "{}", expected.file);
        if let Some(probabilities) = &expected.probabilities {
            let found = model.probabilities(&rows).unwrap();
            // LIBSVM is content with probabilities of many classes to within 0.005/k.
            let near = if k == 2 { 1e-6 } else { 5e-3 };
            for (of_row, expected) in found.chunks_exact(k).zip(probabilities) {
                for (&l, expected) in label.iter().zip(expected) {
                    assert!((of_row[place(l)] - expected).abs() < near, "{of_row:?} {expected}");
                }
            }
        }
        read += 1;
    }
    assert!(read >= 6, "{read}");
}

#[test]
fn what_is_written_is_read_back_to_the_same_values() {
    let (rows, _) = small_set("iris.csv");
    let codes: Vec<f64> = (0..150).map(|i| f64::from(i / 50)).collect();
    let labels = mercer::data::Labels::from_numbers(&codes).unwrap();
    for kernel in [
        "linear",
        "gaussian(gamma=0.3)",
        "gaussian(sigma=1.3)",
        "polynomial(degree=3, gamma=0.1, constant=1)",
        "sigmoid(gamma=0.01, constant=-0.2)",
    ] {
        let saved = trained(kernel, &rows, &labels, None);
        let mut text = Vec::new();
        write_libsvm_model(&saved, &mut text).unwrap();
        let loaded = read_libsvm_model(&text[..]).unwrap();
        assert!(text.starts_with(b"svm_type c_svc\nkernel_type "), "{kernel}");
        for (a, b) in decisions(&saved, &rows).iter().zip(&decisions(&loaded, &rows)) {
            assert!((a - b).abs() < 1e-10 * a.abs().max(1.0), "{kernel}: {a} {b}");
        }
    }
}

#[test]
fn what_the_format_cannot_hold_is_refused() {
    let (rows, labels) = small_set("iris.csv");
    let refuse = |kernel: &str, scaling: Option<ScalingKind>, rows: &Vectors<'_>| {
        let saved = trained(kernel, rows, &labels, scaling);
        write_libsvm_model(&saved, &mut Vec::new()).unwrap_err().to_string()
    };
    assert!(refuse("linear", Some(ScalingKind::Standardise), &rows).contains("scaling"));
    assert!(refuse("linear", None, &rows).contains("setosa"), "class names that are no whole numbers");
    let (heart, labels) = small_set("heart_scale");
    let saved = trained("laplacian(gamma=0.1)", &heart, &labels, None);
    let message = write_libsvm_model(&saved, &mut Vec::new()).unwrap_err().to_string();
    assert!(message.contains("laplacian"), "{message}");
}

#[test]
fn probabilities_go_there_and_back() {
    for (set, kernel) in [("heart_scale", "gaussian(gamma=0.1)"), ("wine.csv", "gaussian(gamma=0.001)")] {
        let (rows, labels) = small_set(set);
        let labels = Labels::from_text(labels.codes().iter().map(|code| (7 * code + 1).to_string()));
        let params = Svc::params(kernel.parse().unwrap()).probability(Probability::Platt);
        let model = params.check().unwrap().fit(&rows, &labels).unwrap();
        let expected = model.probabilities(&rows).unwrap();
        let saved = Model::new(model, None, ModelCard::of(&rows));
        let mut bytes = Vec::new();
        write_libsvm_model(&saved, &mut bytes).unwrap();
        let loaded = read_libsvm_model(&bytes[..]).unwrap();
        let found = classifier(&loaded).probabilities(&rows.into()).unwrap();
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-9));
        // Fewer sigmoids than pairs, or one without its other half, are noticed.
        let text = String::from_utf8(bytes).unwrap();
        let cut: String =
            text.lines().filter(|line| !line.starts_with("probB")).map(|l| format!("{l}\n")).collect();
        assert!(read_libsvm_model(cut.as_bytes()).unwrap_err().to_string().contains("probA"));
    }
}

#[test]
fn models_of_kernel_values_are_refused_by_name() {
    let text = "svm_type c_svc\nkernel_type precomputed\nnr_class 2\ntotal_sv 2\nrho 0.1\nlabel 1 -1\nnr_sv 1 1\nSV\n\
                1 0:1\n-1 0:2\n";
    let error = read_libsvm_model(text.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("kernel_type precomputed"), "{error}");
}
