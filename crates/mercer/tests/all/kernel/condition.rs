//! Mercer's condition on samples.

use mercer::Error;
use mercer::data::Vectors;
use mercer::kernel::{Verdict, check_mercer};
use mercer::linalg::{Cholesky, Matrix, SymmetricEigen, symmetric_eigenvalues};

use super::{histograms, kernel};

#[test]
fn kernels_pass_and_others_are_refuted() {
    let rows = Vectors::from_rows(&histograms()).unwrap();
    let verdict = |text: &str| kernel(text).check_mercer(&rows, 100, 0).unwrap().verdict;
    assert_eq!(verdict("gaussian"), Verdict::PositiveSemiDefinite);
    assert_eq!(verdict("centre(linear) + white(0.1)"), Verdict::PositiveSemiDefinite);
    assert!(matches!(verdict("-1 * gaussian"), Verdict::Indefinite { .. }));
    assert!(matches!(verdict("sigmoid(gamma=1, constant=-2)"), Verdict::Indefinite { .. }));
    assert!(matches!(verdict("constant(-1)"), Verdict::Indefinite { .. }));
}

#[test]
fn the_three_eigenvalues_of_a_known_matrix() {
    // Distances are no kernel: on 0, 1, 2 they have the eigenvalues 1 ± √3 and −2.
    let points = vec![0.0f64, 1.0, 2.0];
    let distance = |x: &&f64, z: &&f64| (*x - *z).abs();
    let report = check_mercer(&distance, &points, 10, 0).unwrap();
    assert!((report.smallest_eigenvalue + 2.0).abs() < 1e-14);
    assert!((report.largest_eigenvalue - (1.0 + 3f64.sqrt())).abs() < 1e-14);
    assert!(report.to_string().starts_with("not positive semi-definite"), "{report}");
    assert!(report.to_string().ends_with("(all 3 items compared)"), "{report}");
}

#[test]
fn the_worst_asymmetry_is_named() {
    let points = vec![0.0f64, 1.0, 5.0];
    let report = check_mercer(&|x: &&f64, z: &&f64| *x - *z, &points, 10, 0).unwrap();
    assert_eq!(report.verdict, Verdict::NotSymmetric { row: 0, column: 2, value: -5.0, mirrored: 5.0 });
    assert_eq!(report.largest_asymmetry, 10.0);
    assert!(report.to_string().contains("k(item 0, item 2) = -5 but k(item 2, item 0) = 5"), "{report}");
}

#[test]
fn samples_follow_the_seed() {
    let points: Vec<f64> = (0..1000).map(f64::from).collect();
    let product = |x: &&f64, z: &&f64| *x * *z;
    let [a, b, c] = [1, 1, 2].map(|seed| check_mercer(&product, &points, 20, seed).unwrap());
    assert_eq!(a, b);
    assert_ne!(a.largest_eigenvalue, c.largest_eigenvalue);
    assert_eq!((a.sample, a.items), (20, 1000));
    assert!(a.to_string().contains("a sample of 20 of 1000 items"), "{a}");
    assert!(a.to_string().contains("can refute a kernel, not prove it"), "{a}");
}

#[test]
fn what_cannot_be_checked() {
    let none: Vec<f64> = vec![];
    let constant = |_: &&f64, _: &&f64| 1.0;
    assert!(matches!(check_mercer(&constant, &none, 10, 0), Err(Error::Empty { .. })));
    assert!(matches!(check_mercer(&constant, &vec![1.0], 0, 0), Err(Error::Empty { .. })));
    let broken = |x: &&f64, z: &&f64| if **x > **z { f64::NAN } else { 1.0 };
    let error = check_mercer(&broken, &vec![0.0, 1.0], 10, 0);
    assert!(matches!(error, Err(Error::KernelValue { row: 1, column: 0, .. })));
}

#[test]
fn decompositions_reproduce_the_matrix() {
    let n = 40;
    let root = Matrix::from_fn(n, n, |i, j| ((i * 7 + j * 13) as f64).sin());
    let a = Matrix::from_fn(n, n, |i, j| {
        root.row(i).iter().zip(root.row(j)).map(|(x, y)| x * y).sum::<f64>() + if i == j { 0.5 } else { 0.0 }
    });
    let eigen = SymmetricEigen::new(&a).unwrap();
    let factor = Cholesky::new(&a).unwrap();
    for i in 0..n {
        for j in 0..n {
            let spectral: f64 =
                (0..n).map(|k| eigen.values()[k] * eigen.vector(k)[i] * eigen.vector(k)[j]).sum();
            let squared: f64 = (0..n).map(|k| factor.lower(i, k) * factor.lower(j, k)).sum();
            assert!((spectral - a[(i, j)]).abs() < 1e-11, "{i} {j}");
            assert!((squared - a[(i, j)]).abs() < 1e-11, "{i} {j}");
        }
    }
    assert!(eigen.values().windows(2).all(|w| w[0] <= w[1]));
    let alone = symmetric_eigenvalues(&a).unwrap();
    assert!(alone.iter().zip(eigen.values()).all(|(a, b)| (a - b).abs() < 1e-11));
    let logs: f64 = alone.iter().map(|v| v.ln()).sum();
    assert!((factor.log_determinant() - logs).abs() < 1e-9);
    let mut b: Vec<f64> = (0..n).map(|i| a.row(i).iter().sum()).collect();
    factor.solve(&mut b).unwrap();
    assert!(b.iter().all(|x| (x - 1.0).abs() < 1e-9));
}

#[test]
fn cholesky_names_the_pivot_that_fails() {
    let matrix = Matrix::new(vec![1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 2.0, 3.0], 3, 3).unwrap();
    assert!(matches!(Cholesky::new(&matrix), Err(Error::Pivot { index: 2 })));
    assert!(matches!(Cholesky::new(&Matrix::zeros(2, 3)), Err(Error::Shape { .. })));
    let nan = Matrix::new(vec![1.0, f64::NAN, 0.0, 1.0], 2, 2).unwrap();
    assert!(matches!(symmetric_eigenvalues(&nan), Err(Error::NonFinite { row: 0, column: 1, .. })));
    assert!(Matrix::new(vec![1.0], 1, 2).is_err());
    assert!(symmetric_eigenvalues(&Matrix::zeros(0, 0)).unwrap().is_empty());
}
