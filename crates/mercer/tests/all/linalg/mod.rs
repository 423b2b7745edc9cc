//! Factorisations against their definitions, for sizes that take several blocks, and the same bits for any number of threads.

mod iterative;

use mercer::Error;
use mercer::data::Random;
use mercer::linalg::{Cholesky, Matrix};
use mercer::resources::Workers;

/// Values of a Gaussian kernel of so many random points of the plane.
pub fn gaussian_matrix(n: usize, gamma: f64, seed: u64) -> Matrix {
    let mut random = Random::new(seed);
    let points: Vec<[f64; 2]> = (0..n).map(|_| [random.normal(), random.normal()]).collect();
    Matrix::from_fn(n, n, |i, j| {
        let squared: f64 = points[i].iter().zip(&points[j]).map(|(a, b)| (a - b) * (a - b)).sum();
        (-gamma * squared).exp()
    })
}

pub fn plus_diagonal(mut matrix: Matrix, shift: f64) -> Matrix {
    (0..matrix.rows()).for_each(|i| matrix[(i, i)] += shift);
    matrix
}

/// The largest difference of two matrices.
pub fn distance(a: &Matrix, b: &Matrix) -> f64 {
    assert_eq!((a.rows(), a.columns()), (b.rows(), b.columns()));
    a.values().iter().zip(b.values()).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

/// LLᵀ, entry by entry.
fn squared(factor: &Cholesky) -> Matrix {
    let n = factor.size();
    let lower = Matrix::from_fn(n, n, |i, j| factor.lower(i, j));
    assert!((0..n).all(|i| (i + 1..n).all(|j| lower[(i, j)] == 0.0)));
    Matrix::from_fn(n, n, |i, j| lower.row(i).iter().zip(lower.row(j)).map(|(a, b)| a * b).sum())
}

#[test]
fn cholesky_of_any_size_is_a_root_and_solves() {
    let workers = Workers::new(2);
    for n in [1, 2, 255, 256, 257, 700] {
        let matrix = plus_diagonal(gaussian_matrix(n, 0.5, 3), 0.1);
        let factor = Cholesky::in_place(matrix.clone(), &workers).unwrap();
        assert!(distance(&squared(&factor), &matrix) < 1e-13, "{n}");

        let mut random = Random::new(4);
        let rows = Matrix::from_fn(3, n, |_, _| random.normal());
        let mut solved = rows.clone();
        factor.solve_rows(&mut solved, &workers).unwrap();
        assert!(distance(&solved.times(&matrix, &workers).unwrap(), &rows) < 1e-10, "{n}");
        let mut one = rows.row(1).to_vec();
        factor.solve(&mut one).unwrap();
        assert!(one.iter().zip(solved.row(1)).all(|(a, b)| (a - b).abs() < 1e-9), "{n}");

        let mut half = rows.clone();
        factor.forward_rows(&mut half, &workers).unwrap();
        let length: f64 = half.row(0).iter().map(|v| v * v).sum();
        let expected: f64 = rows.row(0).iter().zip(solved.row(0)).map(|(a, b)| a * b).sum();
        assert!((length / expected - 1.0).abs() < 1e-10, "{n}: {length} {expected}");

        let inverse = factor.inverse(&workers).unwrap();
        let one = plus_diagonal(Matrix::zeros(n, n), 1.0);
        assert!(distance(&inverse.times(&matrix, &workers).unwrap(), &one) < 1e-10, "{n}");
        assert!((0..n).all(|i| (0..i).all(|j| inverse[(i, j)] == inverse[(j, i)])));
        for (i, diagonal) in factor.inverse_diagonal(&workers).unwrap().iter().enumerate() {
            assert!((diagonal - inverse[(i, i)]).abs() < 1e-12, "{n}, {i}");
        }
    }
}

#[test]
fn cholesky_has_the_same_bits_for_any_number_of_threads() {
    let matrix = plus_diagonal(gaussian_matrix(900, 0.5, 3), 0.01);
    let bits = |threads: usize| {
        let workers = Workers::new(threads);
        let factor = Cholesky::in_place(matrix.clone(), &workers).unwrap();
        let mut rows = gaussian_matrix(900, 2.0, 5);
        factor.solve_rows(&mut rows, &workers).unwrap();
        let lower: Vec<f64> =
            (0..900).flat_map(|i| (0..=i).map(move |j| (i, j))).map(|(i, j)| factor.lower(i, j)).collect();
        (lower, rows, factor.inverse(&workers).unwrap(), factor.inverse_diagonal(&workers).unwrap())
    };
    assert!(bits(1) == bits(3));
}

#[test]
fn the_first_bad_pivot_is_named() {
    let mut matrix = plus_diagonal(Matrix::zeros(600, 600), 1.0);
    matrix[(300, 300)] = -1.0;
    matrix[(500, 500)] = -1.0;
    assert!(matches!(Cholesky::new(&matrix), Err(Error::Pivot { index: 300 })));
    // No jitter of 1e-6 makes up for that.
    assert!(matches!(Cholesky::with_jitter(matrix, &Workers::serial()), Err(Error::Pivot { index: 300 })));
    assert!(matches!(Cholesky::new(&Matrix::zeros(2, 3)), Err(Error::Shape { .. })));
    let infinite = Matrix::new(vec![1.0, 0.0, 0.0, f64::INFINITY], 2, 2).unwrap();
    assert!(matches!(Cholesky::new(&infinite), Err(Error::NonFinite { row: 1, column: 1, .. })));
}

#[test]
fn a_jitter_makes_a_singular_matrix_definite_and_is_told() {
    let workers = Workers::new(2);
    // Rank 2, and several blocks are done before it fails for want of rank.
    let matrix = Matrix::from_fn(600, 600, |i, j| 1.0 + (i as f64 / 600.0) * (j as f64 / 600.0));
    let (factor, jitter) = Cholesky::with_jitter(matrix.clone(), &workers).unwrap();
    assert!(jitter > 0.0 && jitter < 1e-9, "{jitter}");
    assert!(distance(&squared(&factor), &plus_diagonal(matrix, jitter)) < 1e-12);
    // A definite one is left alone.
    let definite = plus_diagonal(gaussian_matrix(300, 0.5, 3), 0.1);
    assert_eq!(Cholesky::with_jitter(definite, &workers).unwrap().1, 0.0);
}

#[test]
fn products_are_sums_of_products() {
    let workers = Workers::new(2);
    let mut random = Random::new(8);
    let a = Matrix::from_fn(300, 70, |_, _| random.normal());
    let b = Matrix::from_fn(70, 90, |_, _| random.normal());
    let expected = Matrix::from_fn(300, 90, |i, j| (0..70).map(|k| a[(i, k)] * b[(k, j)]).sum());
    let found = a.times(&b, &workers).unwrap();
    assert!(distance(&found, &expected) < 1e-12);
    assert!(distance(&a.times_transposed(&b.transposed(), &workers).unwrap(), &expected) < 1e-12);
    assert_eq!(a.times(&b, &Workers::serial()).unwrap(), found);
    assert!(matches!(a.times(&a, &workers), Err(Error::Shape { expected: 70, found: 300, .. })));
}
