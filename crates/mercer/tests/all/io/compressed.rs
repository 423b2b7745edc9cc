//! Models of fewer terms: near the old ones by what they say, also when they come from a file.

use mercer::Error;
use mercer::data::{Labels, Vectors};
use mercer::io::{AnyModel, MatrixModel, ModelCard, ModelFormat, SavedModel};
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
fn values(model: &AnyModel, rows: &Vectors<'static>) -> Vec<f64> {
    match model {
        AnyModel::Svc(model) => model.decision_values(rows).unwrap(),
        AnyModel::Classes(model) => model.scores(rows).unwrap(),
        AnyModel::Svr(model) => model.predict(rows).unwrap(),
        AnyModel::Matrix(MatrixModel::LeastSquares(model)) => model.decision(rows).unwrap(),
        _ => panic!("another machine"),
    }
}

#[test]
fn values_are_as_near_as_is_said() {
    let rows = rows();
    let targets: Vec<f64> = (0..80).map(|i| (i as f64 * 0.7).sin()).collect();
    let models = [
        AnyModel::Svc(Svc::params(kernel()).cost(5.0).check().unwrap().fit(&rows, &labels(2)).unwrap()),
        AnyModel::Svr(Svr::params(kernel()).cost(5.0).check().unwrap().fit(&rows, &targets).unwrap()),
        AnyModel::Classes(
            JointSvc::params(kernel()).cost(5.0).check().unwrap().fit(&rows, &labels(3)).unwrap(),
        ),
        AnyModel::Matrix(MatrixModel::LeastSquares(
            LeastSquaresSvc::params(kernel()).check().unwrap().fit(&rows, &labels(3)).unwrap(),
        )),
    ];
    for model in models {
        let small = model.compressed(6).unwrap();
        assert!(small.after <= 6 && small.before > small.after, "{} {}", small.before, small.after);
        let saved = SavedModel::new(small.model.clone(), None, ModelCard::of(&rows));
        for format in [ModelFormat::Binary, ModelFormat::Json] {
            let loaded = SavedModel::from_bytes(&saved.to_bytes(format)).unwrap();
            assert_eq!(values(&loaded.model, &rows), values(&small.model, &rows));
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
        AnyModel::Matrix(MatrixModel::GaussianProcess(process)),
        AnyModel::Novelty(Novelty::params(kernel()).check().unwrap().fit(&rows).unwrap()),
        AnyModel::Svc(Svc::params(kernel()).cost(5.0).check().unwrap().fit(&rows, &labels(3)).unwrap()),
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
        let refused = AnyModel::Svc(model).compressed(5).unwrap_err();
        assert!(
            matches!(&refused, Error::Unsupported { what } if what.contains("positive semi-definite")),
            "{refused}"
        );
    }
}
