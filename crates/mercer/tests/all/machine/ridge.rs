//! Kernel ridge regression and the least-squares machine: against scikit-learn, against refits without a row, and under strain.

use super::matrix_data::{distance, miles, target_matrix};
use mercer::Error;
use mercer::data::{Items, Labels, Random, Vectors};
use mercer::evaluation::estimates::leave_one_out_ridge;
use mercer::gram::{Pairwise, PrecomputedGram};
use mercer::kernel::Expression;
use mercer::linalg::{ConjugateSettings, Matrix};
use mercer::machine::{LeastSquaresSvc, MatrixOptions, Ridge, RidgeMethod, RidgeParams};
use mercer_testkit::fixture;
use serde::Deserialize;

fn machine(kernel: &str) -> RidgeParams<Expression> {
    Ridge::params(kernel.parse().unwrap())
}

/// A wave with noise in two outputs, and weights some of which are 0.
fn wave(n: usize) -> (Vectors<'static>, Matrix, Vec<f64>) {
    let mut random = Random::new(5);
    let points: Vec<[f64; 2]> = (0..n).map(|_| [3.0 * random.uniform(), random.normal()]).collect();
    let targets = Matrix::from_fn(n, 2, |i, o| (2.0 * points[i][o]).sin() + 0.1 * random.normal() + 3.0);
    let weights = (0..n).map(|i| (i % 4) as f64).collect();
    (Vectors::from_rows(&points).unwrap(), targets, weights)
}

#[test]
fn scikit_learn_finds_the_same() {
    #[derive(Deserialize)]
    struct Case {
        kernel: String,
        lambda: f64,
        weighted: bool,
        coefficients: Vec<f64>,
        predictions: Vec<f64>,
    }
    #[derive(Deserialize)]
    struct Fixture {
        ridge: Vec<Case>,
    }
    let (rows, y) = miles();
    let targets = Matrix::from_fn(y.len(), 2, |i, o| if o == 0 { y[i] } else { y[i].sin() });
    let weights: Vec<f64> = (0..y.len()).map(|i| 1.0 + (i % 3) as f64).collect();
    let cases = fixture::read::<Fixture>("matrix_machines.json").ridge;
    assert_eq!(cases.len(), 3);
    for case in cases {
        let weights = case.weighted.then_some(&weights[..]);
        let model = machine(&case.kernel).lambda(case.lambda).check().unwrap();
        let model = model.fit_many(&rows, &targets, weights).unwrap();
        let found = &model.functions().coefficients[..case.coefficients.len()];
        for (a, b) in found.iter().zip(&case.coefficients) {
            assert!((a - b).abs() < 1e-7 * b.abs().max(1.0), "{}: {a} {b}", case.kernel);
        }
        let found = model.predict(&rows.select(&[0, 1, 2, 3, 4, 5])).unwrap();
        for (a, b) in found.iter().zip(&case.predictions) {
            assert!((a - b).abs() < 1e-8 * b.abs().max(1.0), "{}: {a} {b}", case.kernel);
        }
        assert_eq!((model.report().method, model.report().jitter), (RidgeMethod::Cholesky, 0.0));
    }
}

#[test]
fn the_gradient_of_the_objective_is_zero() {
    let (rows, targets, weights) = wave(60);
    for offset in [false, true] {
        let model = machine("gaussian(gamma=0.7)").lambdas(vec![0.3, 2.0]).offset(offset).check().unwrap();
        let model = model.fit_many(&rows, &targets, Some(&weights)).unwrap();
        let f = model.predict(&rows).unwrap();
        for (o, lambda) in [(0, 0.3), (1, 2.0)] {
            // ∂/∂f: wᵢ(f(xᵢ) − yᵢ) + λβᵢ = 0, and with respect to b Σ wᵢ(f(xᵢ) − yᵢ) = 0.
            let mut sum = 0.0;
            for i in 0..60 {
                let pull = weights[i] * (targets[(i, o)] - f[2 * i + o]);
                let beta = model.functions().coefficients[2 * i + o];
                assert!((pull - lambda * beta).abs() < 1e-10, "{offset} {i}: {pull} {beta}");
                sum += pull;
            }
            assert!(!offset || sum.abs() < 1e-9, "{sum}");
        }
    }
}

#[test]
fn leave_one_out_is_what_refits_without_the_row_say() {
    let (rows, targets, weights) = wave(40);
    for offset in [false, true] {
        for weights in [None, Some(&weights[..])] {
            let machine = machine("gaussian(gamma=0.7)").lambda(0.2).offset(offset).leave_one_out(true);
            let machine = machine.check().unwrap();
            let model = machine.fit_many(&rows, &targets, weights).unwrap();
            let left_out = model.left_out().unwrap();
            for i in 0..40 {
                let others: Vec<usize> = (0..40).filter(|&j| j != i).collect();
                let of_others = Matrix::from_fn(39, 2, |r, o| targets[(others[r], o)]);
                let weights: Option<Vec<f64>> = weights.map(|w| others.iter().map(|&j| w[j]).collect());
                let without =
                    machine.fit_many(&rows.select(&others), &of_others, weights.as_deref()).unwrap();
                let said = without.predict(&rows.select(&[i])).unwrap();
                for o in 0..2 {
                    assert!((said[o] - left_out[(i, o)]).abs() < 1e-9, "{offset} {i} {o}");
                }
            }
        }
    }
    // And what the estimate of the evaluation says.
    let values = whole_gaussian(&rows, 0.7);
    let gram = PrecomputedGram::symmetric(values, 40).unwrap();
    let first: Vec<f64> = (0..40).map(|i| targets[(i, 0)]).collect();
    let expected = leave_one_out_ridge(&gram, &first, 0.2, true, 1 << 20).unwrap();
    let fit = Ridge::params(()).lambda(0.2).offset(true).leave_one_out(true).check().unwrap();
    let found = fit.fit_gram(&gram, &target_matrix(&first), None).unwrap().left_out.unwrap();
    assert!(found.values().iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-10));
}

fn whole_gaussian(rows: &Vectors<'_>, gamma: f64) -> Vec<f64> {
    let points: Vec<Vec<f64>> = (0..rows.len()).map(|i| rows.get(i).to_dense(2)).collect();
    let squared = |x: &[f64], z: &[f64]| x.iter().zip(z).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
    points.iter().flat_map(|x| points.iter().map(|z| (-gamma * squared(x, z)).exp())).collect()
}

#[test]
fn a_path_is_one_training_for_each_lambda() {
    let (rows, targets, weights) = wave(50);
    let gram = PrecomputedGram::symmetric(whole_gaussian(&rows, 0.7), 50).unwrap();
    let lambdas = [1e-3, 0.1, 10.0];
    for offset in [false, true] {
        for weights in [None, Some(&weights[..])] {
            let machine = Ridge::params(()).offset(offset).check().unwrap();
            let path = machine.path(&gram, &targets, weights, &lambdas).unwrap();
            for (point, &lambda) in path.points().iter().zip(&lambdas) {
                let alone =
                    Ridge::params(()).lambda(lambda).offset(offset).leave_one_out(true).check().unwrap();
                let alone = alone.fit_gram(&gram, &targets, weights).unwrap();
                let pairs = point.functions.coefficients.iter().zip(&alone.functions.coefficients);
                assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-7), "{lambda}");
                assert!(distance(&point.left_out, &alone.left_out.unwrap()) < 1e-8, "{lambda}");
                assert!((point.functions.offsets[1] - alone.functions.offsets[1]).abs() < 1e-9);
            }
            let least = path.points().iter().map(|p| p.left_out_error).fold(f64::INFINITY, f64::min);
            assert_eq!(path.best().left_out_error, least);
        }
    }
}

#[test]
fn conjugate_gradients_find_what_the_factorisation_finds() {
    let (rows, targets, weights) = wave(300);
    for offset in [false, true] {
        let exact = machine("gaussian(gamma=0.7)").lambda(0.1).offset(offset);
        let settings = ConjugateSettings { tolerance: 1e-12, max_iterations: 3000 };
        let steps = exact.clone().method(RidgeMethod::ConjugateGradient).conjugate(settings);
        let exact = exact.check().unwrap().fit_many(&rows, &targets, Some(&weights)).unwrap();
        let steps = steps.check().unwrap().fit_many(&rows, &targets, Some(&weights)).unwrap();
        let report = steps.report();
        assert!(report.converged && report.iterations > 0 && report.residual <= 1e-12, "{report:?}");
        for (a, b) in exact.predict(&rows).unwrap().iter().zip(steps.predict(&rows).unwrap()) {
            assert!((a - b).abs() < 1e-8, "{offset}: {a} {b}");
        }
    }
}

#[test]
fn what_does_not_fit_into_memory_is_solved_in_steps_or_refused() {
    let (rows, targets, _) = wave(300);
    let small = machine("gaussian(gamma=0.7)").memory(300 * 300 * 8);
    let model = small.clone().check().unwrap().fit_many(&rows, &targets, None).unwrap();
    assert_eq!(model.report().method, RidgeMethod::ConjugateGradient);
    assert!(model.report().converged);
    let exact = small.clone().method(RidgeMethod::Cholesky).check().unwrap();
    assert!(matches!(exact.fit_many(&rows, &targets, None), Err(Error::Budget { .. })));
    let left_out = small.leave_one_out(true).check().unwrap();
    assert!(matches!(left_out.fit_many(&rows, &targets, None), Err(Error::Budget { .. })));
    let gram = PrecomputedGram::symmetric(vec![1.0], 1).unwrap();
    let path = Ridge::params(()).memory(1).check().unwrap();
    assert!(matches!(path.path(&gram, &target_matrix(&[1.0]), None, &[1.0]), Err(Error::Budget { .. })));
}

#[test]
fn outputs_ask_the_memory_beside_the_matrix() {
    let (rows, _, _) = wave(300);
    let targets = |m: usize| Matrix::from_fn(300, m, |i, o| (i as f64 * (0.1 + 0.01 * o as f64)).sin());
    // K and what its factorisation takes, and 4 copies of 8 bytes for each item and output; refining takes 8 more.
    let (matrix, outputs) = (300 * 300 * 8 + 300 * 8 * 256, 300 * 8 * (4 * 99 + 8 * 63));
    let fit = |memory: u64, m: usize, method: RidgeMethod| {
        let machine = machine("gaussian(gamma=0.7)").memory(memory).method(method).check().unwrap();
        machine.fit_many(&rows, &targets(m), None)
    };
    assert!(fit(matrix, 1, RidgeMethod::Cholesky).is_ok());
    assert!(matches!(fit(matrix, 100, RidgeMethod::Cholesky), Err(Error::Budget { .. })));
    assert!(fit(matrix + outputs, 100, RidgeMethod::Cholesky).is_ok());
    match fit(outputs - 1, 100, RidgeMethod::Automatic) {
        Err(Error::Budget { what, needed, allowed, .. }) => {
            assert_eq!(what, "the targets and coefficients of all outputs");
            assert_eq!((needed, allowed), (outputs, outputs - 1));
        }
        other => panic!("{:?}", other.map(|_| ())),
    }
    // Their number changes nothing about each, though some are refined at a time.
    let many = fit(1 << 30, 100, RidgeMethod::Mixed).unwrap();
    let exact = fit(1 << 30, 100, RidgeMethod::Cholesky).unwrap();
    assert_eq!(many.report().method, RidgeMethod::Mixed);
    for (a, b) in many.predict(&rows).unwrap().iter().zip(exact.predict(&rows).unwrap()) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }
}

#[test]
fn a_share_of_values_below_0_is_no_penalty() {
    let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0]]).unwrap();
    let machine = machine("sigmoid(gamma=1, constant=-9)").check().unwrap();
    let found = machine.path_of(&rows, &target_matrix(&[1.0, 2.0, 4.0]), None, &[0.1]);
    assert!(matches!(found, Err(Error::Pivot { index: 0 })));
}

#[test]
fn singular_matrices_get_a_jitter_that_is_told() {
    // The same row many times, a constant kernel, and no penalty.
    let rows = Vectors::from_rows(&[[1.0], [1.0], [1.0], [2.0]]).unwrap();
    let model =
        machine("constant(1)").lambda(0.0).check().unwrap().fit(&rows, &[1.0, 2.0, 3.0, 2.0]).unwrap();
    assert!(model.report().jitter > 0.0 && model.report().jitter < 1e-6);
    // The best constant is the mean.
    assert!((model.predict(&rows).unwrap()[0] - 2.0).abs() < 1e-4);
    let indefinite = machine("sigmoid(gamma=1, constant=-3)").lambda(0.0).check().unwrap();
    assert!(matches!(indefinite.fit(&rows, &[1.0, 2.0, 3.0, 2.0]), Err(Error::Pivot { .. })));
}

#[test]
fn any_kernel_on_any_items() {
    let words: Vec<String> = ["a", "bb", "ccc", "dddd"].map(String::from).to_vec();
    let lengths = Pairwise::<_, str>::new(|a: &str, b: &str| (a.len() * b.len()) as f64);
    let model =
        Ridge::params(lengths).lambda(1e-9).check().unwrap().fit(&words, &[2.0, 4.0, 6.0, 8.0]).unwrap();
    assert!((model.predict(&vec!["seven77".to_string()]).unwrap()[0] - 14.0).abs() < 1e-5);
}

#[test]
fn the_same_bits_for_any_number_of_threads() {
    let (rows, targets, weights) = wave(700);
    let fit = |threads| {
        let machine = machine("gaussian(gamma=0.7)").lambda(0.1).leave_one_out(true).threads(threads);
        let model = machine.check().unwrap().fit_many(&rows, &targets, Some(&weights)).unwrap();
        let predictions = model.clone().with_threads(threads).predict(&rows).unwrap();
        (model.functions().clone(), model.left_out().unwrap().clone(), predictions)
    };
    assert!(fit(1) == fit(3));
}

#[test]
fn bad_input_is_refused_by_name() {
    let (rows, targets, _) = wave(10);
    let refused = |params: RidgeParams<Expression>, targets: &Matrix, weights: Option<&[f64]>| {
        params.check().and_then(|machine| machine.fit_many(&rows, targets, weights)).unwrap_err().to_string()
    };
    let fine = || machine("linear");
    assert_eq!(
        refused(fine().lambda(-1.0), &targets, None),
        "lambda = -1: expected a finite number of at least 0"
    );
    assert_eq!(
        refused(fine().lambdas(vec![1.0; 3]), &targets, None),
        "values of lambda (one, or one per output): expected 2, found 3"
    );
    assert_eq!(refused(fine().lambdas(vec![]), &targets, None), "no values of lambda");
    assert_eq!(refused(fine(), &Matrix::zeros(9, 1), None), "targets (one per row): expected 10, found 9");
    assert_eq!(refused(fine(), &Matrix::zeros(10, 0), None), "no outputs");
    let mut holes = targets.clone();
    holes[(7, 1)] = f64::NAN;
    assert_eq!(refused(fine(), &holes, None), "target 7: NaN, expected a finite number");
    assert!(refused(fine(), &targets, Some(&[0.0; 10])).contains("weight"));
    assert!(refused(fine().threads(1_000_000), &targets, None).starts_with("threads"));
    let few = ConjugateSettings { tolerance: 0.0, ..ConjugateSettings::default() };
    assert!(refused(fine().conjugate(few), &targets, None).starts_with("tolerance"));
    let both = fine().method(RidgeMethod::ConjugateGradient).leave_one_out(true);
    assert!(refused(both, &targets, None).contains("leave-one-out"));
    let empty = machine("linear").check().unwrap().fit(&rows.select(&[]), &[]);
    assert!(matches!(empty, Err(Error::Empty { what: "rows" })));
}

#[test]
fn the_least_squares_machine_solves_suykens_system() {
    let (rows, _, _) = wave(30);
    let labels = Labels::from_text((0..30).map(|i| if (i * i) % 7 < 3 { "a" } else { "b" }));
    let machine = LeastSquaresSvc::params("gaussian(gamma=0.7)".parse::<Expression>().unwrap());
    let model = machine.cost(5.0).leave_one_out(true).check().unwrap().fit(&rows, &labels).unwrap();
    // [0 yᵀ; y Ω + I/C][b; α] = [0; 1] with Ωᵢⱼ = yᵢyⱼk(xᵢ, xⱼ) and β = yα.
    let k = whole_gaussian(&rows, 0.7);
    let y: Vec<f64> = (0..30).map(|i| if labels.codes()[i] == 1 { 1.0 } else { -1.0 }).collect();
    let functions = model.ridge().functions();
    let alpha: Vec<f64> = functions.coefficients.iter().zip(&y).map(|(b, y)| b * y).collect();
    assert!(alpha.iter().zip(&y).map(|(a, y)| a * y).sum::<f64>().abs() < 1e-10);
    for i in 0..30 {
        let left: f64 = (0..30).map(|j| y[i] * y[j] * k[i * 30 + j] * alpha[j]).sum();
        assert!((left + alpha[i] / 5.0 + y[i] * functions.offsets[0] - 1.0).abs() < 1e-10, "{i}");
    }
    assert_eq!(model.left_out().unwrap().len(), 30);

    let three = Labels::from_text((0..30).map(|i| ["x", "y", "z"][i % 3]));
    let machine = LeastSquaresSvc::params("gaussian(gamma=50)".parse::<Expression>().unwrap());
    let model =
        machine.cost(1000.0).options(MatrixOptions::default()).check().unwrap().fit(&rows, &three).unwrap();
    let expected: Vec<usize> = (0..30).map(|i| i % 3).collect();
    assert_eq!(model.predict(&rows).unwrap(), expected);
    assert_eq!(model.decision(&rows).unwrap().len(), 90);

    let one = Labels::from_text(["a"; 30]);
    let machine = LeastSquaresSvc::params("linear".parse::<Expression>().unwrap()).check().unwrap();
    assert!(matches!(machine.fit(&rows, &one), Err(Error::OneClass { .. })));
    let short = Labels::from_text(["a", "b"]);
    assert!(matches!(machine.fit(&rows, &short), Err(Error::Shape { .. })));
    let costly = LeastSquaresSvc::params("linear".parse::<Expression>().unwrap()).cost(0.0);
    assert!(matches!(costly.check(), Err(Error::Parameter { name: "cost", .. })));
}

#[test]
fn two_precisions_give_the_solution_of_one() {
    let (rows, targets, weights) = wave(700);
    for (offset, lambda) in [(false, 0.1), (true, 1e-3)] {
        let exact = machine("gaussian(gamma=0.7)").lambda(lambda).offset(offset);
        let fit = |machine: RidgeParams<Expression>| {
            machine.check().unwrap().fit_many(&rows, &targets, Some(&weights)).unwrap()
        };
        let mixed = |threads| fit(exact.clone().method(RidgeMethod::Mixed).threads(threads));
        let (one, two, exact) = (mixed(1), mixed(2), fit(exact.clone().method(RidgeMethod::Cholesky)));
        assert_eq!(one.report().method, RidgeMethod::Mixed);
        assert!(one.report().residual < 1e-12 && one.report().iterations > 1, "{:?}", one.report());
        // Threads change no bit.
        assert_eq!(one.functions(), two.functions());
        let expected = &exact.functions().coefficients;
        let largest = expected.iter().fold(0f64, |m, b| m.max(b.abs()));
        for (a, b) in one.functions().coefficients.iter().zip(expected) {
            assert!((a - b).abs() < 1e-12 / lambda * largest, "{a} {b}");
        }
    }
}

#[test]
fn where_single_precision_is_not_enough_the_report_says_so() {
    let (rows, targets, _) = wave(400);
    let hard = machine("gaussian(gamma=0.1)").lambda(1e-12);
    let mixed = hard.clone().method(RidgeMethod::Mixed).check().unwrap();
    let model = mixed.fit_many(&rows, &targets, None).unwrap();
    assert_eq!(model.report().method, RidgeMethod::Cholesky);
    let exact = hard.method(RidgeMethod::Cholesky).check().unwrap().fit_many(&rows, &targets, None).unwrap();
    assert_eq!(model.functions(), exact.functions());
    let both = mixed_with_left_out();
    assert!(matches!(both.fit_many(&rows, &targets, None), Err(Error::Unsupported { .. })));
}

fn mixed_with_left_out() -> Ridge<Expression> {
    machine("linear").method(RidgeMethod::Mixed).leave_one_out(true).check().unwrap()
}

#[test]
fn large_problems_are_solved_in_two_precisions() {
    let (rows, targets, _) = wave(2100);
    let fit = |memory: u64| {
        let machine = machine("gaussian(gamma=0.7)").lambda(0.1).memory(memory).check().unwrap();
        machine.fit_many(&rows, &targets, None).unwrap().report().method
    };
    assert_eq!(fit(1 << 30), RidgeMethod::Mixed);
    // There is room for one matrix only.
    assert_eq!(fit(2100 * 2100 * 12), RidgeMethod::Cholesky);
}

#[test]
fn a_constant_in_all_targets_changes_the_offset_alone() {
    let mut random = Random::new(61);
    let points: Vec<[f64; 1]> = (0..40).map(|_| [6.0 * random.uniform()]).collect();
    let rows = Vectors::from_rows(&points).unwrap();
    // Multiples of 2⁻¹⁰, so that sums with 2⁴² are exact.
    let wave: Vec<f64> = points.iter().map(|p| (1024.0 * p[0].sin()).round() / 1024.0).collect();
    let far = 2f64.powi(42);
    let targets: Vec<f64> = wave.iter().map(|y| y + far).collect();
    let machine = Ridge::params("gaussian(gamma=1)".parse::<Expression>().unwrap()).lambda(1e-6);
    let machine = machine.offset(true).check().unwrap();
    let coefficients =
        |targets: &[f64]| machine.fit(&rows, targets).unwrap().functions().coefficients.clone();
    for (a, b) in coefficients(&wave).iter().zip(coefficients(&targets)) {
        assert!((a - b).abs() < 1e-6 * (1.0 + a.abs()), "{a} {b}");
    }
}
