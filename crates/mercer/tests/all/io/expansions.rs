//! Regression and novelty detection: save, load, predict; the same bits.

use mercer::data::{Collection, Random, Scaling, ScalingKind, Vectors};
use mercer::io::{Model, ModelCard, ModelFormat, TrainedMachine, read_libsvm_model, write_libsvm_model};
use mercer::kernel::Expression;
use mercer::machine::{Loss, Novelty, Region, Softness, Svr};

fn wave() -> (Vectors<'static>, Vec<f64>) {
    let mut random = Random::new(3);
    let points: Vec<[f64; 2]> = (0..80).map(|_| [3.0 * random.uniform(), random.normal()]).collect();
    let targets = points.iter().map(|p| (2.0 * p[0]).sin() + 0.3 * p[1]).collect();
    (Vectors::from_rows(&points).unwrap(), targets)
}

fn outputs(model: &TrainedMachine, items: &Collection<'_>) -> Vec<f64> {
    match model {
        TrainedMachine::Svc(model) => model.decision_values(items).unwrap(),
        TrainedMachine::Svr(model) => model.predict(items).unwrap(),
        TrainedMachine::Novelty(model) => model.scores(items).unwrap(),
        TrainedMachine::Classes(model) => model.scores(items).unwrap(),
        TrainedMachine::Linear(model) => model.scores(items.rows().unwrap()).unwrap(),
        TrainedMachine::LinearRegression(model) => model.predict(items.rows().unwrap()).unwrap(),
        TrainedMachine::Matrix(model) => model.values(items).unwrap(),
    }
}

#[test]
fn what_is_loaded_says_the_same() {
    let (rows, targets) = wave();
    let scaling = Scaling::fit(ScalingKind::Standardise, &rows).unwrap();
    let scaled = scaling.apply(&rows).unwrap();
    let kernel: Expression = "gaussian(gamma=0.7) + centre(linear)".parse().unwrap();
    let mut models = Vec::new();
    for loss in [
        Loss::Linear { tube: 0.1 },
        Loss::Quadratic { tube: 0.1 },
        Loss::Huber { width: 0.3 },
        Loss::Quantile { level: 0.8 },
        Loss::Nu { nu: 0.4 },
    ] {
        let model = Svr::params(kernel.clone()).loss(loss).check().unwrap().fit(&scaled, &targets).unwrap();
        models.push(TrainedMachine::from(model));
    }
    for (region, softness) in [
        (Region::Centre, Softness::Hard),
        (Region::Sphere, Softness::Nu(0.1)),
        (Region::Hyperplane, Softness::Quadratic(2.0)),
        (Region::Sphere, Softness::Quadratic(2.0)),
        (Region::Sphere, Softness::Cost(0.1)),
        (Region::Hyperplane, Softness::Nu(0.2)),
        (Region::Hyperplane, Softness::Hard),
    ] {
        let machine = Novelty::params(kernel.clone()).region(region).softness(softness).check().unwrap();
        models.push(TrainedMachine::from(machine.fit(&scaled).unwrap().with_slack(0.01)));
    }
    let items = Collection::from(&rows);
    for model in models {
        let saved = Model::new(model, Some(scaling.clone()), ModelCard::of(&rows));
        let expected = outputs(&saved.machine, &saved.prepare(&items).unwrap());
        for format in [ModelFormat::Binary, ModelFormat::Json] {
            let bytes = saved.to_bytes(format);
            let loaded = Model::from_bytes(&bytes).unwrap();
            let found = outputs(&loaded.machine, &loaded.prepare(&items).unwrap());
            assert_eq!(found, expected);
            assert_eq!(loaded.to_bytes(format), bytes);
            assert!(loaded.machine.classifier().is_err());
            // Damage is noticed.
            for at in (0..bytes.len() - 2).step_by(bytes.len() / 40) {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1;
                let _ = Model::from_bytes(&damaged);
                assert!(Model::from_bytes(&bytes[..at]).is_err());
            }
        }
    }
}

#[test]
fn libsvm_files_hold_functions_too() {
    let (rows, targets) = wave();
    let kernel: Expression = "gaussian(gamma=0.7)".parse().unwrap();
    let regression = Svr::params(kernel.clone()).check().unwrap().fit(&rows, &targets).unwrap();
    let detector =
        Novelty::params(kernel.clone()).softness(Softness::Nu(0.2)).check().unwrap().fit(&rows).unwrap();
    for (model, machine) in [
        (TrainedMachine::from(regression), "svm_type epsilon_svr\n"),
        (TrainedMachine::from(detector), "svm_type one_class\n"),
    ] {
        let saved = Model::new(model, None, ModelCard::of(&rows));
        let mut text = Vec::new();
        write_libsvm_model(&saved, &mut text).unwrap();
        assert!(text.starts_with(machine.as_bytes()));
        let loaded = read_libsvm_model(&text[..]).unwrap();
        let items = Collection::from(&rows);
        let (a, b) = (outputs(&saved.machine, &items), outputs(&loaded.machine, &items));
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-12), "{machine}");
    }
    let sphere = Novelty::params(kernel).region(Region::Sphere).check().unwrap().fit(&rows).unwrap();
    let saved = Model::new(sphere, None, ModelCard::of(&rows));
    assert!(write_libsvm_model(&saved, &mut Vec::new()).is_err());
    for wrong in [
        "svm_type one_class\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 1\nSV\n-1 1:1\n",
        "svm_type epsilon_svr\nkernel_type linear\nnr_class 3\ntotal_sv 1\nrho 1\nSV\n1 1:1\n",
    ] {
        assert!(read_libsvm_model(wrong.as_bytes()).is_err());
    }
}
