//! Kernel PCA: against scikit-learn, against the definition in feature space, and under strain.

use super::matrix_data::{distance, wine};
use mercer::Error;
use mercer::data::{Items, Random, Vectors};
use mercer::gram::Pairwise;
use mercer::kernel::Expression;
use mercer::linalg::{LeadingSettings, Matrix};
use mercer::machine::{KernelPca, KernelPcaParams};
use mercer_testkit::fixture;
use serde::Deserialize;

fn machine(kernel: &str) -> KernelPcaParams<Expression> {
    KernelPca::params(kernel.parse().unwrap())
}

fn first(rows: &Vectors<'static>, range: std::ops::Range<usize>) -> Vectors<'static> {
    rows.select(&range.collect::<Vec<_>>())
}

fn cloud(n: usize, columns: usize) -> Vectors<'static> {
    let mut random = Random::new(6);
    let rows: Vec<Vec<f64>> =
        (0..n).map(|_| (0..columns).map(|c| random.normal() / (c + 1) as f64).collect()).collect();
    Vectors::from_rows(&rows).unwrap()
}

#[test]
fn scikit_learn_finds_the_same() {
    #[derive(Deserialize)]
    struct Case {
        kernel: String,
        rows: usize,
        values: Vec<f64>,
        training: Vec<f64>,
        new: Vec<f64>,
    }
    #[derive(Deserialize)]
    struct PreImages {
        gamma: f64,
        alpha: f64,
        rows: Vec<f64>,
    }
    #[derive(Deserialize)]
    struct Fixture {
        components: Vec<Case>,
        pre_images: PreImages,
    }
    let rows = wine();
    let answers: Fixture = fixture::read("matrix_machines.json");
    for case in answers.components {
        let k = case.values.len();
        let (known, new) = (first(&rows, 0..case.rows), first(&rows, case.rows..case.rows + 6));
        let model = machine(&case.kernel).components(k).check().unwrap().fit(&known).unwrap();
        for (a, b) in model.fit().values.iter().zip(&case.values) {
            assert!((a / b - 1.0).abs() < 1e-9, "{}: {a} {b}", case.kernel);
        }
        let training = model.transform(&first(&rows, 0..4)).unwrap();
        let expected = Matrix::new(case.training, 4, k).unwrap();
        assert!(distance(&training, &expected) < 1e-8, "{}", case.kernel);
        let found = model.transform(&new).unwrap();
        assert!(distance(&found, &Matrix::new(case.new, 6, k).unwrap()) < 1e-8, "{}", case.kernel);
        // What is known of the training rows without the kernel is the same.
        assert!(distance(&model.training(), &model.transform(&known).unwrap()) < 1e-9, "{}", case.kernel);
    }
    let case = answers.pre_images;
    let kernel = format!("gaussian(gamma={})", case.gamma);
    let model = machine(&kernel).components(5).check().unwrap().fit(&first(&rows, 0..120)).unwrap();
    let scores = model.transform(&first(&rows, 120..123)).unwrap();
    let found = model.learn_pre_images(case.alpha).unwrap().rows(&scores).unwrap();
    assert!(distance(&found, &Matrix::new(case.rows, 3, 13).unwrap()) < 1e-6);
}

#[test]
fn components_of_the_linear_kernel_are_those_of_the_covariance() {
    let rows = cloud(60, 3);
    let model = machine("linear").check().unwrap().fit(&rows).unwrap();
    // Three columns: rank 3, though 60 components could be asked for.
    assert_eq!(model.components(), 3);
    let points: Vec<Vec<f64>> = (0..60).map(|i| rows.get(i).to_dense(3)).collect();
    let mean: Vec<f64> = (0..3).map(|c| points.iter().map(|p| p[c]).sum::<f64>() / 60.0).collect();
    let covariance = Matrix::from_fn(3, 3, |a, b| {
        points.iter().map(|p| (p[a] - mean[a]) * (p[b] - mean[b])).sum::<f64>() / 60.0
    });
    let expected = mercer::linalg::SymmetricEigen::new(&covariance).unwrap();
    for (k, variance) in model.variances().iter().enumerate() {
        assert!((variance - expected.values()[2 - k]).abs() < 1e-12, "{k}");
    }
    assert!((model.explained_ratios().iter().sum::<f64>() - 1.0).abs() < 1e-12);
    // With all components nothing is left of any row; with one, what is off the line.
    let new = Vectors::from_rows(&[[0.3, -0.2, 0.9], [5.0, 4.0, -3.0]]).unwrap();
    assert!(model.reconstruction_errors(&new).unwrap().iter().all(|e| *e < 1e-10));
    let one = machine("linear").components(1).check().unwrap().fit(&rows).unwrap();
    let direction = expected.vector(2);
    for (error, point) in
        one.reconstruction_errors(&new).unwrap().iter().zip([[0.3, -0.2, 0.9], [5.0, 4.0, -3.0]])
    {
        let off: Vec<f64> = point.iter().zip(&mean).map(|(a, b)| a - b).collect();
        let along: f64 = off.iter().zip(direction).map(|(a, b)| a * b).sum();
        let expected = off.iter().map(|v| v * v).sum::<f64>() - along * along;
        assert!((error - expected).abs() < 1e-10, "{error} {expected}");
    }
}

#[test]
fn a_search_for_some_components_finds_those_of_the_whole_matrix() {
    let rows = cloud(400, 5);
    let kernel = "gaussian(gamma=0.1)";
    let whole = machine(kernel).components(150).check().unwrap().fit(&rows).unwrap();
    let some = machine(kernel).components(7).check().unwrap().fit(&rows).unwrap();
    // Without the memory for K it is computed anew for each product.
    let again = machine(kernel).components(7).memory(400 * 400 * 8).check().unwrap().fit(&rows).unwrap();
    assert!(whole.fit().iterations == 0 && some.fit().iterations > 0 && some.fit().held && !again.fit().held);
    for model in [&some, &again] {
        for k in 0..7 {
            let (a, b) = (model.fit().values[k], whole.fit().values[k]);
            assert!((a / b - 1.0).abs() < 1e-9, "{k}: {a} {b}");
        }
        let (a, b) = (model.transform(&rows).unwrap(), whole.transform(&rows).unwrap());
        let b = Matrix::from_fn(400, 7, |i, k| b[(i, k)]);
        assert!(distance(&a, &b) < 1e-7);
    }
    let all = machine(kernel).memory(1000).check().unwrap().fit(&rows);
    assert!(matches!(all, Err(Error::Budget { .. })));
}

#[test]
fn the_same_bits_for_any_number_of_threads() {
    let rows = cloud(900, 4);
    let fit = |threads| {
        let model = machine("gaussian(gamma=0.1)")
            .components(5)
            .threads(threads)
            .check()
            .unwrap()
            .fit(&rows)
            .unwrap();
        let components = model.clone().with_threads(threads).transform(&rows).unwrap();
        (model.fit().values.clone(), model.fit().vectors.clone(), components)
    };
    assert!(fit(1) == fit(3));
}

#[test]
fn strain_and_bad_input() {
    let rows = cloud(10, 2);
    // A constant kernel has one point in feature space, and no direction; nor have rows that are all the same.
    let same = Vectors::from_rows(&[[1.1]; 300]).unwrap();
    for (kernel, items) in
        [("constant(2)", &rows), ("gaussian(gamma=1)", &same), ("polynomial(degree=3)", &same)]
    {
        let model = machine(kernel).components(2).check().unwrap().fit(items).unwrap();
        assert_eq!(model.components(), 0, "{kernel}");
        assert_eq!(model.transform(items).unwrap().columns(), 0);
        assert!(model.reconstruction_errors(items).unwrap().iter().all(|e| *e < 1e-12));
    }
    // Every row twice: the rank is half.
    let twice: Vec<usize> = (0..20).map(|i| i / 2).collect();
    let model =
        machine("gaussian(gamma=1)").components(15).check().unwrap().fit(&rows.select(&twice)).unwrap();
    assert_eq!(model.components(), 9);
    // Values below 0 are no variances.
    let sigmoid = machine("sigmoid(gamma=1, constant=-1)").check().unwrap().fit(&rows);
    assert!(matches!(sigmoid, Err(Error::Indefinite { smallest, .. }) if smallest < 0.0));
    assert!(matches!(
        machine("linear").components(0).check(),
        Err(Error::Parameter { name: "components", .. })
    ));
    assert!(matches!(
        machine("linear").check().unwrap().fit(&rows.select(&[])),
        Err(Error::Empty { what: "rows" })
    ));
    let model = machine("linear").check().unwrap().fit(&rows).unwrap();
    assert!(model.transform(&cloud(3, 5)).is_err());
    assert_eq!(model.transform(&rows.select(&[])).unwrap().rows(), 0);
    assert!(model.reconstruction_errors(&rows.select(&[])).unwrap().is_empty());
    assert!(matches!(model.denoise(&rows, 10), Err(Error::Unsupported { .. })));
    let words: Vec<String> = ["a", "bb", "ccc"].map(String::from).to_vec();
    let lengths = Pairwise::<_, str>::new(|a: &str, b: &str| (a.len() * b.len()) as f64);
    let model = KernelPca::params(lengths).check().unwrap().fit(&words).unwrap();
    let along = model.transform(&vec!["dddd".to_string()]).unwrap();
    assert!((along[(0, 0)].abs() - 2.0).abs() < 1e-10);
}

#[test]
fn rows_come_back_from_their_components() {
    let rows = cloud(80, 2);
    let model = machine("gaussian(gamma=0.3)").components(40).check().unwrap().fit(&rows).unwrap();
    // With so many components the projection of a training row is its image, and a fixed point.
    let found = model.denoise(&rows.select(&[3, 7]), 2000).unwrap();
    for (r, i) in [3, 7].into_iter().enumerate() {
        for c in 0..2 {
            assert!((found[(r, c)] - rows.get(i).to_dense(2)[c]).abs() < 1e-3);
        }
    }
    // Where no row is near, the row stays.
    let far = Vectors::from_rows(&[[1e6, 1e6]]).unwrap();
    assert_eq!(model.denoise(&far, 10).unwrap().values(), [1e6, 1e6]);
}

/// K = QDQᵀ with eigenvalues from 10 down to the given one, about the mean of the items.
fn with_smallest(n: usize, smallest: f64) -> mercer::gram::PrecomputedGram<'static> {
    let mut random = Random::new(3);
    let mut rows: Vec<Vec<f64>> = vec![vec![1.0; n]];
    rows.extend((1..n).map(|_| (0..n).map(|_| random.normal()).collect::<Vec<f64>>()));
    for i in 0..n {
        for j in 0..i {
            let share: f64 = rows[i].iter().zip(&rows[j]).map(|(a, b)| a * b).sum();
            let other = rows[j].clone();
            rows[i].iter_mut().zip(other).for_each(|(a, b)| *a -= share * b);
        }
        let size = rows[i].iter().map(|v| v * v).sum::<f64>().sqrt();
        rows[i].iter_mut().for_each(|v| *v /= size);
    }
    let value = |k: usize| if k + 1 == n { smallest } else { 10.0 / (k * k) as f64 };
    let entry = |i: usize, j: usize| (1..n).map(|k| value(k) * rows[k][i] * rows[k][j]).sum::<f64>();
    let values: Vec<f64> = (0..n * n).map(|at| entry((at / n).min(at % n), (at / n).max(at % n))).collect();
    mercer::gram::PrecomputedGram::symmetric(values, n).unwrap()
}

#[test]
fn a_matrix_that_is_not_positive_semidefinite_is_refused() {
    for (n, components) in [(12, 3), (300, 3), (300, 300)] {
        let machine = KernelPca::params(()).components(components).check().unwrap();
        assert!(machine.fit_gram(&with_smallest(n, 0.0)).is_ok(), "{n} {components}");
        let error = machine.fit_gram(&with_smallest(n, -5.0)).unwrap_err();
        assert!(
            matches!(error, Error::Indefinite { smallest, largest } if smallest < -1.0 && (largest - 10.0).abs() < 1e-6),
            "{n} {components}: {error}"
        );
        // What rounding explains is none of it.
        assert!(machine.fit_gram(&with_smallest(n, -1e-9)).is_ok());
    }
}

#[test]
fn a_search_that_does_not_converge_becomes_a_decomposition() {
    let rows = cloud(300, 4);
    let kernel = "gaussian(gamma=20)";
    let one_step = LeadingSettings { max_iterations: 1, ..LeadingSettings::default() };
    let few = machine(kernel).components(4).leading(one_step);
    let found = few.clone().check().unwrap().fit(&rows).unwrap();
    // All components need all eigenvalues.
    let all = KernelPca::params(kernel.parse::<Expression>().unwrap()).check().unwrap().fit(&rows).unwrap();
    let (found, all) = (found.fit(), all.fit());
    assert_eq!(found.iterations, 0, "all eigenvalues were computed");
    assert_eq!(found.values.len(), 4);
    for (a, b) in found.values.iter().zip(&all.values) {
        assert!((a - b).abs() < 1e-10 * b, "{a} and {b}");
    }
    // Five matrices of 300 rows and 256 numbers for each row take 4.2 MB: one matrix fits, five do not.
    let error = few.memory(1_000_000).check().unwrap().fit(&rows).unwrap_err();
    assert!(matches!(error, Error::Budget { needed: 4_214_400, allowed: 1_000_000, .. }), "{error}");
}
