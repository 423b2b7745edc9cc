//! Models of fewer terms: near the old ones by what they say, also when they come from a file.

use mercer::Error;
use mercer::data::{Collection, Labels, Vectors};
use mercer::io::{MatrixModel, Model, ModelCard, ModelFormat, TrainedMachine};
use mercer::kernel::Expression;
use mercer::machine::{GaussianProcess, JointSvc, LeastSquaresSvc, Novelty, Svc, Svr};

fn rows() -> Vectors<'static> {
    let point = |i: usize| [(i as f64 * 0.7).sin() * 2.0, (i as f64 * 1.3).cos() * 2.0];
    Vectors::from_rows(&(0..80).map(point).collect::<Vec<_>>()).unwrap()
}

fn labels(classes: usize) -> Labels {
    Labels::from_text((0..80).map(|i| {
        let angle = (i as f64 * 0.7).sin() + 0.5 * (i as f64 * 1.3).cos();
        (((angle + 1.5) / 3.0 * classes as f64) as usize).min(classes - 1).to_string()
    }))
}

fn kernel() -> Expression {
    "gaussian(gamma=0.5)".parse().unwrap()
}

/// All functions of a model at these rows.
fn values(model: &TrainedMachine, rows: &Vectors<'static>) -> Vec<f64> {
    let items = &Collection::from(rows);
    match model {
        TrainedMachine::Svc(model) => model.decision_values(items).unwrap(),
        TrainedMachine::Classes(model) => model.scores(items).unwrap(),
        TrainedMachine::Svr(model) => model.predict(items).unwrap(),
        TrainedMachine::Matrix(MatrixModel::LeastSquares(model)) => model.decision(items).unwrap(),
        _ => panic!("another machine"),
    }
}

#[test]
fn values_are_as_near_as_is_said() {
    let rows = rows();
    let targets: Vec<f64> = (0..80).map(|i| (i as f64 * 0.7).sin()).collect();
    let models = [
        TrainedMachine::from(
            Svc::params(kernel()).cost(5.0).check().unwrap().fit(&rows, &labels(2)).unwrap(),
        ),
        TrainedMachine::from(Svr::params(kernel()).cost(5.0).check().unwrap().fit(&rows, &targets).unwrap()),
        TrainedMachine::from(
            JointSvc::params(kernel()).cost(5.0).check().unwrap().fit(&rows, &labels(3)).unwrap(),
        ),
        TrainedMachine::from(MatrixModel::from(
            LeastSquaresSvc::params(kernel()).check().unwrap().fit(&rows, &labels(3)).unwrap(),
        )),
    ];
    for model in models {
        let small = model.compressed(6).unwrap();
        assert!(small.after <= 6 && small.before > small.after, "{} {}", small.before, small.after);
        let saved = Model::new(small.model.clone(), None, ModelCard::of(&rows));
        for format in [ModelFormat::Binary, ModelFormat::Json] {
            let loaded = Model::from_bytes(&saved.to_bytes(format)).unwrap();
            assert_eq!(values(&loaded.machine, &rows), values(&small.model, &rows));
        }
        let (exact, near) = (values(&model, &rows), values(&small.model, &rows));
        let m = small.errors.len();
        for (at, (a, b)) in exact.iter().zip(&near).enumerate() {
            // k(x, x) = 1
            assert!((a - b).abs() <= small.errors[at % m] + 1e-6, "{a} {b} {:?}", small.errors);
        }
        // All terms tell all.
        let all = model.compressed(80).unwrap();
        assert!(
            all.errors.iter().zip(&all.norms).all(|(error, norm)| *error < 1e-3 * norm),
            "{:?}",
            all.errors
        );
    }
}

#[test]
fn what_is_no_sum_of_kernel_values_is_refused() {
    let rows = rows();
    let targets: Vec<f64> = (0..80).map(|i| i as f64).collect();
    let process = GaussianProcess::params(kernel()).noise(0.1).check().unwrap().fit(&rows, &targets).unwrap();
    for model in [
        TrainedMachine::from(MatrixModel::from(process)),
        TrainedMachine::from(Novelty::params(kernel()).check().unwrap().fit(&rows).unwrap()),
        TrainedMachine::from(
            Svc::params(kernel()).cost(5.0).check().unwrap().fit(&rows, &labels(3)).unwrap(),
        ),
    ] {
        let refused = model.compressed(5).unwrap_err();
        assert!(
            matches!(&refused, Error::Unsupported { what } if what.contains("cannot be compressed")),
            "{refused}"
        );
    }
}

#[test]
fn a_kernel_that_may_be_indefinite_is_refused() {
    let rows = rows();
    for kernel in ["sigmoid(gamma=5)", "gaussian(gamma=0.5) + sigmoid(gamma=0.01)"] {
        let kernel: Expression = kernel.parse().unwrap();
        let model = Svc::params(kernel).cost(5.0).check().unwrap().fit(&rows, &labels(2)).unwrap();
        let refused = TrainedMachine::from(model).compressed(5).unwrap_err();
        assert!(
            matches!(&refused, Error::Unsupported { what } if what.contains("positive semi-definite")),
            "{refused}"
        );
    }
}
