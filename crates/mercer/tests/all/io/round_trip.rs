//! Save, load, predict: the same bits.

use mercer::data::{Dense, Labels, ScalingKind, Sparse, Vectors};
use mercer::io::{Model, ModelCard, ModelFormat};
use mercer::machine::{Decision, Probability, Scale, Slack, Svc};
use mercer_testkit::synthetic;

use super::{classifier, decisions, trained};
use crate::machine::small_set;

const FORMATS: [ModelFormat; 2] = [ModelFormat::Binary, ModelFormat::Json];

fn assert_round_trip(saved: &Model, rows: &Vectors<'_>, what: &str) {
    for format in FORMATS {
        let loaded = Model::from_bytes(&saved.to_bytes(format)).unwrap();
        let bits = |model: &Model| decisions(model, rows).iter().map(|f| f.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(saved), bits(&loaded), "{what}, {format:?}");
        let mut pairs = classifier(saved).pairs().clone();
        // The time that it took is not kept.
        pairs.reports.iter_mut().for_each(|report| report.seconds = 0.0);
        assert_eq!(&pairs, classifier(&loaded).pairs(), "{what}, {format:?}");
        assert_eq!(saved.card, loaded.card, "{what}, {format:?}");
        assert_eq!(saved.scaling, loaded.scaling, "{what}, {format:?}");
        assert_eq!(saved.to_bytes(format), loaded.to_bytes(format), "{what}, {format:?}: saved again");
    }
}

#[test]
fn probabilities_and_the_way_to_decide() {
    let (rows, labels) = small_set("iris.csv");
    for kind in [Probability::Consistent, Probability::Platt, Probability::Isotonic] {
        let params = Svc::params("gaussian(gamma=0.5)".parse().unwrap()).probability(kind);
        let model = params.decision(Decision::Graph).check().unwrap().fit(&rows, &labels).unwrap();
        let expected = model.probabilities(&rows).unwrap();
        let saved = Model::new(model, None, ModelCard::of(&rows));
        assert_round_trip(&saved, &rows, "with probabilities");
        for format in FORMATS {
            let loaded = Model::from_bytes(&saved.to_bytes(format)).unwrap();
            assert_eq!(classifier(&loaded).probabilities(&(&rows).into()).unwrap(), expected);
        }
    }
}

#[test]
fn every_form_of_margin() {
    let (rows, labels) = small_set("iris.csv");
    for (slack, scale, offset) in [
        (Slack::Quadratic, Scale::Functional, false),
        (Slack::Quadratic, Scale::Geometric, true),
        (Slack::Nu { nu: 0.2 }, Scale::Functional, true),
        (Slack::Nu { nu: 0.2 }, Scale::Geometric, true),
        (Slack::None, Scale::Functional, true),
        (Slack::None, Scale::Geometric, true),
        (Slack::None, Scale::Functional, false),
    ] {
        let params = Svc::params("gaussian(gamma=5)".parse().unwrap()).slack(slack).scale(scale);
        let model = params.offset(offset).check().unwrap().fit(&rows, &labels).unwrap();
        let saved = Model::new(model, None, ModelCard::of(&rows));
        assert_round_trip(&saved, &rows, &format!("{slack:?} {scale:?} offset {offset}"));
    }
}

#[test]
fn every_form_of_rows() {
    let sample = synthetic::two_gaussians(80, 40, 2.0, 5);
    let flat: Vec<f64> = sample.rows.iter().flatten().copied().collect();
    let labels = Labels::from_numbers(&sample.labels).unwrap();
    let dense: Vectors = Dense::new(flat.clone(), 80, 40).unwrap().into();
    let single: Vectors =
        Dense::new(flat.iter().map(|&v| v as f32).collect::<Vec<f32>>(), 80, 40).unwrap().into();
    assert_round_trip(&trained("gaussian(gamma=0.02)", &dense, &labels, None), &dense, "dense");
    assert_round_trip(&trained("gaussian(gamma=0.02)", &single, &labels, None), &single, "single precision");
    let sample = synthetic::sparse_rows(80, 300, 0.05, 6);
    let labels = Labels::from_numbers(&sample.labels).unwrap();
    let sparse: Vectors =
        Sparse::new(&sample.offsets, &sample.indices, sample.values.clone(), sample.columns).unwrap().into();
    assert_round_trip(&trained("gaussian(gamma=0.1)", &sparse, &labels, None), &sparse, "sparse");
    assert_round_trip(
        &trained("linear", &sparse, &labels, Some(ScalingKind::MaxAbs)),
        &sparse,
        "sparse, scaled",
    );
}

#[test]
fn every_kind_of_kernel() {
    let (rows, labels) = small_set("iris.csv");
    for kernel in [
        "linear",
        "polynomial(degree=3, gamma=0.1, constant=1)",
        "gaussian(sigma=0.7)",
        "gaussian(length_scale=[1, 2, 3, 4], amplitude=0.3)",
        "0.5 * laplacian(gamma=scale) + matern(nu=1.5, length_scale=2) * cosine",
        "centre(gaussian) + 0.1 * normalise(polynomial(degree=2))",
        "columns(0:2, gaussian) + columns([2, 3], linear)",
        "sigmoid(gamma=0.01, constant=-0.1)",
        "gaussian(gamma=0.5) + white(0.1)",
        "anova(degree=2, gamma=0.5)",
        "columns(0:3, anova(degree=2)) + 0.5 * linear",
    ] {
        assert_round_trip(&trained(kernel, &rows, &labels, None), &rows, kernel);
        assert_round_trip(&trained(kernel, &rows, &labels, Some(ScalingKind::Standardise)), &rows, kernel);
    }
}

#[test]
fn files_are_whole_or_not_there() {
    let (rows, labels) = small_set("wine.csv");
    let saved = trained("gaussian", &rows, &labels, Some(ScalingKind::Standardise));
    let folder = tempfile::tempdir().unwrap();
    for (name, format) in [("w.mercer", ModelFormat::Binary), ("w.json", ModelFormat::Json)] {
        let path = folder.path().join(name);
        assert_eq!(ModelFormat::of(&path), format);
        saved.save(&path, format).unwrap();
        let loaded = Model::load(&path).unwrap();
        assert_eq!(decisions(&saved, &rows), decisions(&loaded, &rows));
    }
    let nowhere = folder.path().join("no/such/folder/w.mercer");
    assert!(saved.save(&nowhere, ModelFormat::Binary).unwrap_err().to_string().contains("w.mercer"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}
