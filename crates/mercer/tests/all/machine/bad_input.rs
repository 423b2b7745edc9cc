//! Every refusal names what is wrong and where.

use std::time::Duration;

use mercer::Error;
use mercer::data::{Dense, Labels, Sparse, Vectors};
use mercer::kernel::Expression;
use mercer::machine::{JointSvc, LinearSvc, Svc, SvcParams};
use mercer::resources::Interrupt;
use mercer::solver::{Method, Status};

fn params() -> SvcParams<Expression> {
    Svc::params("gaussian(gamma=1)".parse().unwrap())
}

fn rows() -> Vectors<'static> {
    Vectors::from_rows(&[[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]).unwrap()
}

fn labels() -> Labels {
    Labels::from_text(["a", "b", "a"])
}

#[test]
fn parameters() {
    let cases: [(&str, SvcParams<Expression>); 9] = [
        ("cost = 0", params().cost(0.0)),
        ("cost = -1", params().cost(-1.0)),
        ("cost = NaN", params().cost(f64::NAN)),
        ("cost = inf", params().cost(f64::INFINITY)),
        ("threads = 100000", params().threads(100_000)),
        ("tolerance = 0", params().tolerance(0.0)),
        ("tolerance = NaN", params().tolerance(f64::NAN)),
        ("duality gap = -1", params().duality_gap(-1.0)),
        ("tolerance = inf", params().tolerance(f64::INFINITY)),
    ];
    for (expected, params) in cases {
        let message = params.check().unwrap_err().to_string();
        assert!(message.starts_with(expected), "{expected}: {message}");
    }
}

#[test]
fn data() {
    let fit = |rows: &Vectors<'_>, labels: &Labels| {
        params().check().unwrap().fit(rows, labels).map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(fit(&rows(), &Labels::from_text(["a", "b"])), "labels (one per row): expected 3, found 2");
    assert!(fit(&rows(), &Labels::from_text(["a", "a", "a"])).contains("the one label a"));
    let none = Vectors::from(Dense::new(Vec::<f64>::new(), 0, 2).unwrap());
    assert_eq!(fit(&none, &Labels::from_text(Vec::<String>::new())), "no rows");

    let message = Dense::new(vec![1.0, 2.0, 3.0, f64::INFINITY], 2, 2).unwrap_err().to_string();
    assert_eq!(message, "row 1, column 1: inf is not a finite number");
    let message = Dense::new(vec![1.0f32, f32::NAN], 1, 2).unwrap_err().to_string();
    assert_eq!(message, "row 0, column 1: NaN is not a finite number");
    let message = Sparse::new(&[0i32, 1], &[5i32], vec![f64::NAN], 9).unwrap_err().to_string();
    assert_eq!(message, "row 0, column 5: NaN is not a finite number");
    assert!(Dense::new(vec![1.0; 5], 2, 2).is_err());
    assert!(Sparse::new(&[0i32, 2], &[3i32, 3], vec![1.0, 1.0], 9).is_err());
    assert!(Sparse::new(&[0i32, 1], &[9i32], vec![1.0], 9).is_err());
    assert!(Sparse::new(&[0i32, 1], &[-1i32], vec![1.0], 9).is_err());
    assert!(Sparse::new(&[0i64, 2, 1], &[0i64], vec![1.0], 9).is_err());
}

#[test]
fn weights() {
    let fit = |weights: &[f64]| {
        params()
            .check()
            .unwrap()
            .fit_weighted(&rows(), &labels(), weights)
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    assert!(fit(&[1.0, 1.0]).starts_with("weights (one per row): expected 3"));
    assert!(fit(&[1.0, -1.0, 1.0]).starts_with("weight 1: -1"));
    assert!(fit(&[1.0, 1.0, f64::NAN]).starts_with("weight 2: NaN"));
    assert_eq!(fit(&[0.0, 0.0, 0.0]), "no rows with a weight above 0");
    assert!(fit(&[1.0, 0.0, 1.0]).starts_with("class b has no weight"));
}

#[test]
fn a_model_refuses_rows_of_another_dimension() {
    let model = params().check().unwrap().fit(&rows(), &labels()).unwrap();
    for other in [
        Vectors::from_rows(&[[1.0]]).unwrap(),
        Vectors::from_rows(&[[1.0, 2.0, 3.0]]).unwrap(),
        Sparse::new(&[0i32, 1], &[2i32], vec![1.0], 3).unwrap().into(),
    ] {
        let message = model.predict(&other).unwrap_err().to_string();
        assert!(message.contains("columns") && message.contains('2'), "{message}");
    }
    // Sparse rows that use no more columns than the model are fine, and so is no row at all.
    let narrow: Vectors = Sparse::new(&[0i32, 1], &[0i32], vec![1.0], 1).unwrap().into();
    assert_eq!(model.predict(&narrow).unwrap().len(), 1);
    let none = Vectors::from(Dense::new(Vec::<f64>::new(), 0, 2).unwrap());
    assert_eq!(model.predict(&none).unwrap().len(), 0);
}

#[test]
fn limits_are_a_status_and_the_model_still_predicts() {
    let (rows, labels) = super::small_set("iris.csv");
    let machine = |params: SvcParams<Expression>| params.cost(100.0).check().unwrap();
    let stopped = machine(params().max_iterations(1)).fit(&rows, &labels).unwrap();
    assert_eq!(stopped.status(), Some(Status::IterationLimit));
    assert_eq!(stopped.predict(&rows).unwrap().len(), 150);
    let stopped = machine(params().max_time(Duration::ZERO)).fit(&rows, &labels).unwrap();
    assert_eq!(stopped.status(), Some(Status::TimeLimit));
    let cancel = |_: &mercer::machine::FitProgress| mercer::solver::Control::Cancel;
    let stopped = machine(params()).fit_observed(&rows, &labels, None, &cancel).unwrap();
    assert_eq!(stopped.status(), Some(Status::Cancelled));
}

#[test]
fn an_interrupted_fit_has_no_model() {
    let (rows, labels) = super::small_set("iris.csv");
    for method in [Method::Decomposition, Method::Smo, Method::Chunking, Method::InteriorPoint] {
        let interrupt = Interrupt::new();
        let machine = params().cost(100.0).solver_method(method).interrupt(&interrupt).check().unwrap();
        assert_eq!(machine.fit(&rows, &labels).unwrap().status(), Some(Status::Converged));
        // Said while it is being solved.
        let observer = |_: &mercer::machine::FitProgress| {
            interrupt.raise();
            mercer::solver::Control::Continue
        };
        let found = machine.fit_observed(&rows, &labels, None, &observer);
        assert!(matches!(found, Err(Error::Interrupted)), "{method:?}");
    }
    let interrupt = Interrupt::new();
    interrupt.raise();
    let kernel: Expression = "gaussian(gamma=1)".parse().unwrap();
    let joint = JointSvc::params(kernel).interrupt(&interrupt).check().unwrap();
    assert!(matches!(joint.fit(&rows, &labels), Err(Error::Interrupted)));
    let linear = LinearSvc::params().interrupt(&interrupt).check().unwrap();
    assert!(matches!(linear.fit(&rows, &labels), Err(Error::Interrupted)));
}

#[test]
fn kernels_that_overflow_are_noticed() {
    let fit = |rows: &[[f64; 1]]| {
        let machine = Svc::params("polynomial(degree=3, gamma=1, constant=1)".parse::<Expression>().unwrap());
        let rows = Vectors::from_rows(rows).unwrap();
        machine.check().unwrap().fit(&rows, &labels()).map(|_| ()).unwrap_err().to_string()
    };
    let message = fit(&[[1e60], [-1e60], [1.0]]);
    assert!(message.contains("kernel value of items 0 and 0"), "{message}");
    let message = fit(&[[1e200], [-1e200], [1.0]]);
    assert!(message.contains("too large"), "{message}");
    // Numbers themselves, but their products are not.
    let message = fit(&[[1e27], [-1e27], [1.0]]);
    assert!(message.contains("largest k(x, x)"), "{message}");
}
