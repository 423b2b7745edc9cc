//! Methods that know a matrix by its products: against the direct ones.

use super::{distance, gaussian_matrix, plus_diagonal};
use mercer::Error;
use mercer::data::Random;
use mercer::linalg::{
    Cholesky, ConjugateGradient, ConjugateSettings, LeadingEigen, LeadingSettings, Matrix, PivotedCholesky,
    SymmetricEigen,
};
use mercer::resources::Workers;

fn leading(matrix: &Matrix, count: usize, threads: usize) -> mercer::Result<LeadingEigen> {
    let workers = Workers::new(threads);
    let mut random = Random::new(1);
    let start = Matrix::from_fn((count + 10).min(matrix.rows()), matrix.rows(), |_, _| random.normal());
    let multiply = |block: &Matrix| block.times(matrix, &workers);
    LeadingEigen::new(start, count, &LeadingSettings::default(), &multiply, &workers)
}

#[test]
fn the_largest_eigenvalues_are_those_of_the_whole_decomposition() {
    let centred = {
        let k = gaussian_matrix(400, 0.2, 7);
        let means: Vec<f64> = (0..400).map(|i| k.row(i).iter().sum::<f64>() / 400.0).collect();
        let mean = means.iter().sum::<f64>() / 400.0;
        Matrix::from_fn(400, 400, |i, j| k[(i, j)] - means[i] - means[j] + mean)
    };
    // Of slow decay, indefinite, small, and of low rank.
    let mut random = Random::new(3);
    let spread = Matrix::from_fn(60, 60, |i, j| if i == j { 1.0 + 0.01 * i as f64 } else { 0.0 });
    let noise = Matrix::from_fn(80, 80, |_, _| random.normal());
    let indefinite = Matrix::from_fn(80, 80, |i, j| noise[(i, j)] + noise[(j, i)]);
    let low_rank = Matrix::from_fn(50, 50, |i, j| 1.0 + (i * j) as f64 / 100.0);
    for (name, matrix, count) in [
        ("centred", &centred, 12),
        ("narrow", &gaussian_matrix(300, 50.0, 2), 5),
        ("spread", &spread, 4),
        ("indefinite", &indefinite, 6),
        ("low rank", &low_rank, 7),
        ("all", &gaussian_matrix(9, 0.5, 3), 9),
    ] {
        let n = matrix.rows();
        let whole = SymmetricEigen::new(matrix).unwrap();
        let found = leading(matrix, count, 2).unwrap();
        let scale = whole.values().iter().fold(0.0f64, |most, v| most.max(v.abs()));
        for i in 0..count {
            let expected = whole.values()[n - 1 - i];
            assert!((found.values()[i] - expected).abs() < 1e-9 * scale, "{name} {i}: {expected}");
            assert!(found.residuals()[i] <= 1e-10 * scale);
        }
        let v = found.vectors();
        let workers = Workers::serial();
        let one = plus_diagonal(Matrix::zeros(count, count), 1.0);
        assert!(distance(&v.times_transposed(v, &workers).unwrap(), &one) < 1e-10, "{name}");
        // The residuals are what they say.
        let images = v.times(matrix, &workers).unwrap();
        for i in 0..count {
            let residual =
                images.row(i).iter().zip(v.row(i)).map(|(a, b)| (a - found.values()[i] * b).powi(2));
            assert!((residual.sum::<f64>().sqrt() - found.residuals()[i]).abs() < 1e-12 * scale, "{name}");
        }
    }
}

#[test]
fn eigenvalues_that_occur_several_times_are_all_found() {
    let matrix = Matrix::from_fn(100, 100, |i, j| match i == j {
        true if i % 10 == 0 => 5.0,
        true => 1.0 / (i + 1) as f64,
        false => 0.0,
    });
    let found = leading(&matrix, 11, 1).unwrap();
    assert!(found.values()[..10].iter().all(|v| (v - 5.0).abs() < 1e-9), "{:?}", found.values());
    assert!((found.values()[10] - 0.5).abs() < 1e-9);
}

#[test]
fn leading_eigenvalues_have_the_same_bits_for_any_number_of_threads() {
    let matrix = gaussian_matrix(1100, 0.2, 7);
    let (one, three) = (leading(&matrix, 6, 1).unwrap(), leading(&matrix, 6, 3).unwrap());
    assert!(one.values() == three.values() && one.vectors() == three.vectors());
}

#[test]
fn what_cannot_be_found_is_refused() {
    let matrix = gaussian_matrix(30, 0.5, 1);
    let workers = Workers::serial();
    let multiply = |block: &Matrix| block.times(&matrix, &workers);
    let settings = LeadingSettings { max_iterations: 1, ..LeadingSettings::default() };
    let start = Matrix::from_fn(3, 30, |i, j| if i == j { 1.0 } else { 0.0 });
    let found = LeadingEigen::new(start.clone(), 3, &settings, &multiply, &workers);
    assert!(matches!(found, Err(Error::NoConvergence { .. })));
    let found = LeadingEigen::new(start, 4, &settings, &multiply, &workers);
    assert!(matches!(found, Err(Error::Shape { expected: 4, found: 3, .. })));
}

#[test]
fn conjugate_gradients_solve_what_cholesky_solves() {
    let workers = Workers::serial();
    let (kernel, shift) = (gaussian_matrix(250, 0.3, 5), 1e-3);
    let matrix = plus_diagonal(kernel.clone(), shift);
    let mut random = Random::new(9);
    let mut right = Matrix::from_fn(3, 250, |_, _| random.normal());
    // A right-hand side that is 0 is solved by 0.
    right.values_mut()[250..500].fill(0.0);
    let mut expected = right.clone();
    Cholesky::new(&matrix).unwrap().solve_rows(&mut expected, &workers).unwrap();
    let multiply = |block: &Matrix| block.times(&matrix, &workers);
    let settings = ConjugateSettings { tolerance: 1e-12, max_iterations: 2000 };
    let plain = ConjugateGradient::new(&right, &multiply, &|_| {}, &settings).unwrap();
    let diagonal: Vec<f64> = (0..250).map(|i| kernel[(i, i)]).collect();
    let root = PivotedCholesky::new(&diagonal, 40, 0.0, |j, out| {
        out.copy_from_slice(kernel.row(j));
        Ok(())
    })
    .unwrap();
    let inverse = root.shifted_inverse(shift).unwrap();
    let quick = ConjugateGradient::new(&right, &multiply, &|r| inverse.apply(r), &settings).unwrap();
    for solved in [&plain, &quick] {
        assert!(solved.is_converged());
        let scale = expected.values().iter().fold(0.0f64, |most, v| most.max(v.abs()));
        assert!(distance(solved.solutions(), &expected) < 1e-8 * scale);
        assert!(solved.solutions().row(1).iter().all(|v| *v == 0.0));
    }
    assert!(3 * quick.iterations() < plain.iterations(), "{} {}", quick.iterations(), plain.iterations());

    let few = ConjugateSettings { max_iterations: 3, ..settings };
    let early = ConjugateGradient::new(&right, &multiply, &|_| {}, &few).unwrap();
    assert!(!early.is_converged() && early.iterations() == 3 && early.residuals()[0] > 1e-12);
    let negative = |block: &Matrix| block.times(&plus_diagonal(Matrix::zeros(250, 250), -1.0), &workers);
    let refused = ConjugateGradient::new(&right, &negative, &|_| {}, &settings);
    assert!(matches!(refused, Err(Error::Pivot { .. })));
}

#[test]
fn pivoted_cholesky_ends_at_the_rank_and_says_what_is_left() {
    let matrix = gaussian_matrix(120, 0.1, 6);
    let diagonal = vec![1.0; 120];
    let column = |j: usize, out: &mut [f64]| {
        out.copy_from_slice(matrix.row(j));
        Ok(())
    };
    let workers = Workers::serial();
    for most in [1, 5, 20, 120] {
        let root = PivotedCholesky::new(&diagonal, most, 1e-13, column).unwrap();
        let factor = root.factor();
        let approximation = factor.transposed().times(factor, &workers).unwrap();
        let left: f64 = (0..120).map(|i| matrix[(i, i)] - approximation[(i, i)]).sum();
        assert!((left - root.left()).abs() < 1e-11, "{most}: {left} {}", root.left());
        // A positive semi-definite remainder has no entry above its trace.
        assert!(distance(&approximation, &matrix) <= root.left() + 1e-11, "{most}");
        assert!(factor.rows() <= most);
    }
    // In numbers of 53 bits a wide kernel in the plane has not nearly full rank.
    assert!(PivotedCholesky::new(&diagonal, 120, 1e-13, column).unwrap().factor().rows() < 100);
    assert!(PivotedCholesky::new(&[1.0, -1.0], 2, 0.0, |_, _| Ok(())).is_err());
    let root = PivotedCholesky::new(&diagonal, 5, 0.0, column).unwrap();
    assert!(matches!(root.shifted_inverse(0.0), Err(Error::Parameter { name: "shift", .. })));
}
