//! Data for machines that factorise K.

use mercer::data::{Scaling, ScalingKind, Targets, Vectors, read_file};
use mercer::linalg::Matrix;
use mercer_testkit::fixture;

/// Standardised features of a small set with numbers for targets.
fn standardised(name: &str) -> (Vectors<'static>, Targets) {
    let table = read_file(fixture::data(name), &Default::default()).unwrap().table().unwrap();
    let scaling = Scaling::fit(ScalingKind::Standardise, &table.vectors).unwrap();
    (scaling.apply(&table.vectors).unwrap(), table.targets)
}

/// Miles per gallon.
pub fn miles() -> (Vectors<'static>, Vec<f64>) {
    let (rows, Targets::Numbers(targets)) = standardised("auto_mpg.csv") else { panic!() };
    (rows, targets)
}

/// Wine of three kinds, which are not told.
pub fn wine() -> Vectors<'static> {
    standardised("wine.csv").0
}

/// One output.
pub fn target_matrix(targets: &[f64]) -> Matrix {
    Matrix::new(targets.to_vec(), targets.len(), 1).unwrap()
}

/// The largest difference of two matrices.
pub fn distance(a: &Matrix, b: &Matrix) -> f64 {
    assert_eq!((a.rows(), a.columns()), (b.rows(), b.columns()));
    a.values().iter().zip(b.values()).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}
