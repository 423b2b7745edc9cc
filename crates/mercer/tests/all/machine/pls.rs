//! Kernel partial least squares: against scikit-learn's, against ordinary least squares, and without K in memory.

use super::matrix_data::{miles, target_matrix};
use mercer::Error;
use mercer::data::{Items, Random, Vectors};
use mercer::gram::PrecomputedGram;
use mercer::kernel::Expression;
use mercer::linalg::{Cholesky, Matrix};
use mercer::machine::{KernelPls, KernelPlsParams};

fn machine(kernel: &str, components: usize) -> KernelPlsParams<Expression> {
    KernelPls::params(kernel.parse().unwrap()).components(components)
}

#[test]
fn with_a_linear_kernel_it_is_that_of_scikit_learn() {
    let stored: serde_json::Value = mercer_testkit::fixture::read("other_machines.json");
    let (rows, targets) = miles();
    for case in stored["pls"].as_array().unwrap() {
        let components = case["components"].as_u64().unwrap() as usize;
        let both = case["outputs"].as_u64().unwrap() == 2;
        let n = rows.len();
        let targets = match both {
            true => Matrix::from_fn(n, 2, |i, o| if o == 0 { targets[i] } else { 1000.0 / targets[i] }),
            false => target_matrix(&targets),
        };
        let model = machine("linear", components).check().unwrap().fit(&rows, &targets).unwrap();
        let found = model.predict(&rows).unwrap();
        let expected: Vec<f64> =
            case["predicted"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
        for (at, expected) in expected.iter().enumerate() {
            assert!((found[at] - expected).abs() < 1e-6, "{components}: {at} {} {expected}", found[at]);
        }
    }
}

#[test]
fn all_components_are_least_squares() {
    let (rows, targets) = miles();
    let (n, d) = (rows.len(), rows.columns());
    let model = machine("linear", 50).check().unwrap().fit(&rows, &target_matrix(&targets)).unwrap();
    // Columns have mean 0: normal equations without the offset.
    let points: Vec<Vec<f64>> = (0..n).map(|i| rows.get(i).to_dense(d)).collect();
    let mean = targets.iter().sum::<f64>() / n as f64;
    let inner = Matrix::from_fn(d, d, |a, b| points.iter().map(|p| p[a] * p[b]).sum());
    let mut w: Vec<f64> = (0..d).map(|a| (0..n).map(|i| points[i][a] * (targets[i] - mean)).sum()).collect();
    Cholesky::new(&inner).unwrap().solve(&mut w).unwrap();
    let found = model.predict(&rows).unwrap();
    for i in 0..n {
        let expected = mean + points[i].iter().zip(&w).map(|(x, w)| x * w).sum::<f64>();
        assert!((found[i] - expected).abs() < 1e-6, "{i}");
    }
    assert!(model.report().components <= d);
    assert!(model.report().explained.windows(2).all(|pair| pair[0] <= pair[1] + 1e-12));
}

#[test]
fn scores_are_orthonormal_and_regressed_upon() {
    let (rows, targets) = miles();
    let n = rows.len();
    let model =
        machine("gaussian(gamma=0.1)", 4).check().unwrap().fit(&rows, &target_matrix(&targets)).unwrap();
    let scores = model.report().scores.clone().unwrap();
    let values = model.kept().compare(&rows, |gram, workers| scores.values(gram, workers)).unwrap();
    let t = Matrix::new(values, n, 4).unwrap();
    let along = |a: usize, y: &dyn Fn(usize) -> f64| (0..n).map(|i| t[(i, a)] * y(i)).sum::<f64>();
    for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))) {
        let expected = f64::from(u8::from(a == b));
        assert!((along(a, &|i| t[(i, b)]) - expected).abs() < 1e-9, "{a} {b}");
    }
    let mean = targets.iter().sum::<f64>() / n as f64;
    let shares: Vec<f64> = (0..4).map(|a| along(a, &|i| targets[i])).collect();
    for (i, found) in model.predict(&rows).unwrap().into_iter().enumerate() {
        let expected = mean + (0..4).map(|a| shares[a] * t[(i, a)]).sum::<f64>();
        assert!((found - expected).abs() < 1e-8, "{i}: {found} {expected}");
    }
}

#[test]
fn without_the_memory_for_k_it_finds_the_same() {
    let (rows, targets) = miles();
    let held = machine("gaussian(gamma=0.1)", 5).check().unwrap();
    let not = machine("gaussian(gamma=0.1)", 5).memory(100_000).check().unwrap();
    let targets = target_matrix(&targets);
    let a = held.fit(&rows, &targets).unwrap().predict(&rows).unwrap();
    let b = not.fit(&rows, &targets).unwrap().predict(&rows).unwrap();
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-7));
    let serial = machine("gaussian(gamma=0.1)", 5).threads(1).check().unwrap();
    assert_eq!(serial.fit(&rows, &targets).unwrap().predict(&rows).unwrap(), a);
}

#[test]
fn what_cannot_be_explained_is_left() {
    let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0]]).unwrap();
    // Constant targets, and a constant kernel: the mean, by no component.
    for (kernel, targets) in [("linear", [2.0; 3]), ("constant(1)", [1.0, 2.0, 3.0])] {
        let targets = target_matrix(&targets);
        let model = machine(kernel, 2).check().unwrap().fit(&rows, &targets).unwrap();
        assert_eq!(model.report().components, 0);
        assert_eq!(model.predict(&rows).unwrap(), [2.0; 3]);
    }
    let short = machine("linear", 1).check().unwrap().fit(&rows, &target_matrix(&[1.0]));
    assert!(matches!(short, Err(Error::Shape { expected: 3, found: 1, .. })));
    let wrong = machine("linear", 1).check().unwrap().fit(&rows, &target_matrix(&[1.0, f64::NAN, 0.0]));
    assert!(matches!(wrong, Err(Error::Entry { what: "target", index: 1, .. })));
    assert!(matches!(machine("linear", 0).check(), Err(Error::Parameter { name: "components", .. })));
}

#[test]
fn a_matrix_that_is_not_positive_semidefinite_is_refused() {
    let mut random = Random::new(4);
    let n = 60;
    let mut values = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            values[i * n + j] = random.normal();
            values[j * n + i] = values[i * n + j];
        }
    }
    let gram = PrecomputedGram::symmetric(values, n).unwrap();
    let targets = Matrix::from_fn(n, 1, |i, _| (i as f64).sin());
    let machine = KernelPls::params(()).components(2).check().unwrap();
    let error = machine.fit_gram(&gram, &targets).unwrap_err();
    assert!(
        matches!(error, Error::Indefinite { smallest, largest } if smallest < -1.0 && largest > 1.0),
        "{error}"
    );
}

#[test]
fn what_is_not_positive_semidefinite_is_found_where_targets_do_not_see_it() {
    // K = XXᵀ − 5I, and a target among the columns of X: all of its products with K stay there, where K is positive.
    let mut random = Random::new(4);
    let n = 60;
    let rows: Vec<[f64; 3]> = (0..n).map(|_| [random.normal(), random.normal(), random.normal()]).collect();
    let value = |i: usize, j: usize| -> f64 {
        let product: f64 = rows[i].iter().zip(&rows[j]).map(|(a, b)| a * b).sum();
        product - if i == j { 5.0 } else { 0.0 }
    };
    let values: Vec<f64> = (0..n * n).map(|at| value(at / n, at % n)).collect();
    let gram = PrecomputedGram::symmetric(values, n).unwrap();
    let targets = Matrix::from_fn(n, 1, |i, _| rows[i][0]);
    let machine = KernelPls::params(()).components(2).check().unwrap();
    let error = machine.fit_gram(&gram, &targets).unwrap_err();
    assert!(matches!(error, Error::Indefinite { smallest, .. } if (smallest + 5.0).abs() < 0.1), "{error}");
}
