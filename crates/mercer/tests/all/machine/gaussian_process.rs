//! Gaussian processes: against scikit-learn, against differences of the likelihood, and what they promise.

use super::matrix_data::{distance, miles, target_matrix};
use super::small_set;
use mercer::Error;
use mercer::data::{Items, Labels, Random, Vectors};
use mercer::gram::{Pairwise, Plan};
use mercer::kernel::Expression;
use mercer::linalg::Matrix;
use mercer::machine::{
    Differentiable, GaussianProcess, GaussianProcessParams, LaplaceClassifier, Learning, Ridge,
};
use mercer_testkit::fixture;
use serde::Deserialize;

fn process(kernel: &str) -> GaussianProcessParams<Expression> {
    GaussianProcess::params(kernel.parse().unwrap())
}

fn near(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < tolerance * b.abs().max(1.0), "{what}: {a} {b}");
    }
}

#[derive(Deserialize)]
struct Case {
    kernel: String,
    rows: usize,
    likelihood: f64,
    gradient: Vec<f64>,
    mean: Vec<f64>,
    deviation: Vec<f64>,
    covariance: Vec<f64>,
}
#[derive(Deserialize)]
struct Fitted {
    rows: usize,
    likelihood: f64,
}
#[derive(Deserialize)]
struct Classes {
    kernel: String,
    rows: usize,
    likelihood: f64,
    gradient: Vec<f64>,
    probabilities: Vec<f64>,
}
#[derive(Deserialize)]
struct Fixture {
    processes: Vec<Case>,
    fitted_process: Fitted,
    classes: Classes,
}

fn answers() -> Fixture {
    fixture::read("matrix_machines.json")
}

/// Derivatives with respect to logarithms.
fn logarithmic(kernel: &Expression, gradient: &[f64]) -> Vec<f64> {
    kernel.parameters().iter().zip(gradient).map(|(p, g)| p.value * g).collect()
}

#[test]
fn scikit_learn_finds_the_same_likelihood_gradient_mean_and_variance() {
    let (rows, y) = miles();
    for case in answers().processes {
        let first: Vec<usize> = (0..case.rows).collect();
        let (items, targets) = (rows.select(&first), target_matrix(&y[..case.rows]));
        let machine = process(&case.kernel).noise(1e-6).normalise_targets(true).check().unwrap();
        let found = machine.log_likelihood(&items, &targets, None).unwrap();
        near(&[found.value], &[case.likelihood], 1e-7, &case.kernel);
        near(&logarithmic(machine.kernel(), &found.gradient), &case.gradient, 1e-5, &case.kernel);
        let model = machine.fit_many(&items, &targets, None).unwrap();
        near(&[model.report().likelihood], &[case.likelihood], 1e-7, &case.kernel);
        let shifted: Vec<Vec<f64>> =
            (0..6).map(|i| items.get(i).to_dense(7).iter().map(|v| v + 0.1).collect()).collect();
        let new = Vectors::from_rows(&shifted).unwrap();
        let said = model.predict_with_variance(&new).unwrap();
        near(said.mean.values(), &case.mean, 1e-6, &case.kernel);
        assert_eq!(said.mean.values(), model.predict(&new).unwrap());
        let deviations: Vec<f64> = said.variance.values().iter().map(|v| v.sqrt()).collect();
        near(&deviations, &case.deviation, 1e-5, &case.kernel);
        let scale = model.normalisation().1[0].powi(2);
        let covariance = model.covariance(&new.select(&[0, 1, 2])).unwrap();
        let covariance: Vec<f64> = covariance.values().iter().map(|v| scale * v).collect();
        near(&covariance, &case.covariance, 1e-5, &case.kernel);
    }
}

#[test]
fn derivatives_of_every_kernel_are_those_of_differences() {
    let mut random = Random::new(2);
    let points: Vec<[f64; 3]> = (0..70).map(|_| [(); 3].map(|()| random.uniform())).collect();
    let dense = Vectors::from_rows(&points).unwrap();
    let mut weights = Matrix::from_fn(70, 70, |_, _| random.normal());
    for i in 0..70 {
        for j in 0..i {
            weights[(i, j)] = weights[(j, i)];
        }
    }
    let plan = Plan::new().unwrap();
    for text in [
        "linear",
        "0.7 * linear + constant(0.3)",
        "polynomial(degree=3, gamma=0.8, constant=0.4)",
        "gaussian(gamma=0.9)",
        "gaussian(sigma=0.6)",
        "gaussian(length_scale=0.7)",
        "gaussian(length_scale=[0.5, 1.5, 0.8], amplitude=2)",
        "laplacian(gamma=0.6)",
        "exponential(length_scale=0.8)",
        "matern(nu=0.5, length_scale=0.9)",
        "matern(nu=1.5, length_scale=0.9)",
        "matern(nu=2.5, length_scale=0.9)",
        "rational_quadratic(alpha=0.6, length_scale=0.8)",
        "periodic(period=0.7, length_scale=1.2)",
        "sigmoid(gamma=0.5, constant=0.2)",
        "chi2(gamma=0.9)",
        "cosine * gaussian(gamma=0.4)",
        "intersection + white(0.3)",
        "(gaussian(gamma=0.4) + 0.5 * linear) ^ 3",
        "2 * matern(nu=1.5, length_scale=1) * periodic(period=1.3, length_scale=0.9) + white(0.1)",
        "columns(0:2, gaussian(length_scale=[0.5, 0.9])) * columns(2:3, linear)",
    ] {
        let kernel: Expression = text.parse().unwrap();
        let gradient = kernel.weighted_gradient(&dense, &weights, &plan).unwrap();
        let parameters = kernel.parameters();
        assert_eq!(gradient.len(), parameters.len());
        let total = |values: &[f64]| -> f64 {
            let kernel = kernel.with_parameters(values).unwrap();
            let value = |i: usize, j: usize| {
                use mercer::kernel::Kernel;
                // White noise is for an item with itself.
                match i == j {
                    true => kernel.eval_diagonal(&dense.get(i)),
                    false => kernel.eval(&dense.get(i), &dense.get(j)),
                }
            };
            (0..70)
                .flat_map(|i| (0..70).map(move |j| (i, j)))
                .map(|(i, j)| weights[(i, j)] * value(i, j))
                .sum()
        };
        for p in 0..parameters.len() {
            let step = 1e-5 * parameters[p].value;
            let mut values: Vec<f64> = parameters.iter().map(|p| p.value).collect();
            values[p] += step;
            let above = total(&values);
            values[p] -= 2.0 * step;
            let expected = (above - total(&values)) / (2.0 * step);
            let scale = expected.abs().max(1.0);
            assert!((gradient[p] - expected).abs() < 2e-6 * scale, "{text}, {p}: {} {expected}", gradient[p]);
        }
    }
    let unknown: Expression = "normalise(gaussian(gamma=1) + linear)".parse().unwrap();
    let refused = unknown.weighted_gradient(&dense, &weights, &plan);
    assert!(matches!(refused, Err(Error::Unsupported { .. })));
    let refused = unknown.weighted_gradient(&dense, &Matrix::zeros(2, 2), &plan);
    assert!(matches!(refused, Err(Error::Shape { expected: 70, found: 2, .. })));
}

#[test]
fn learning_finds_at_least_the_likelihood_that_scikit_learn_finds() {
    let expected = answers().fitted_process;
    let (rows, y) = miles();
    let first: Vec<usize> = (0..expected.rows).collect();
    let (items, targets) = (rows.select(&first), target_matrix(&y[..expected.rows]));
    let kernel = "1 * gaussian(length_scale=[1, 1, 1, 1, 1, 1, 1]) + white(0.1)";
    let learning = Learning { restarts: 2, ..Learning::default() };
    let machine = process(kernel).normalise_targets(true).learning(learning).check().unwrap();
    let model = machine.fit_learned(&items, &targets, None).unwrap();
    let report = model.report();
    assert!(report.likelihood > expected.likelihood - 1e-3, "{} {}", report.likelihood, expected.likelihood);
    let learned = report.learned.as_ref().unwrap();
    assert!(learned.converged && learned.ends.len() == 3 && learned.evaluations > 3);
    let best = learned.ends.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
    assert!((best - report.likelihood).abs() < 1e-9);
    // Where it ended, the gradient is 0 or pushes against a bound.
    let found = GaussianProcess::params(model.kept().kernel.clone()).normalise_targets(true).check().unwrap();
    let gradient = found.log_likelihood(&items, &targets, None).unwrap().gradient;
    for (p, g) in found.kernel().parameters().iter().zip(logarithmic(found.kernel(), &gradient)) {
        let at_bound = p.value <= 1.0001 * p.lower && g < 0.0 || p.value >= 0.9999 * p.upper && g > 0.0;
        assert!(at_bound || g.abs() < 0.1, "{}: {} {g}", p.name, p.value);
    }
}

#[test]
fn the_mean_is_that_of_ridge_regression() {
    let (rows, y) = miles();
    let (rows, y) = (rows.select(&(0..80).collect::<Vec<_>>()), &y[..80]);
    let kernel: Expression = "gaussian(gamma=0.2)".parse().unwrap();
    let model = GaussianProcess::params(kernel.clone()).noise(0.3).check().unwrap().fit(&rows, y).unwrap();
    let ridge = Ridge::params(kernel).lambda(0.3).check().unwrap().fit(&rows, y).unwrap();
    near(&model.predict(&rows).unwrap(), &ridge.predict(&rows).unwrap(), 1e-12, "ridge");
    // Several outputs are several processes with one covariance.
    let two = Matrix::from_fn(80, 2, |i, o| if o == 0 { y[i] } else { y[i].cos() });
    let machine = process("gaussian(gamma=0.2)").noise(0.3).normalise_targets(true).check().unwrap();
    let both = machine.fit_many(&rows, &two, None).unwrap();
    let one = machine.fit(&rows, y).unwrap();
    let (a, b) = (both.predict_with_variance(&rows).unwrap(), one.predict_with_variance(&rows).unwrap());
    let first = |m: &Matrix| (0..80).map(|i| m[(i, 0)]).collect::<Vec<_>>();
    near(&first(&a.mean), &first(&b.mean), 1e-10, "means");
    near(&first(&a.variance), &first(&b.variance), 1e-10, "variances");
}

#[test]
fn samples_have_the_moments_of_the_process() {
    let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0], [4.0]]).unwrap();
    let new = Vectors::from_rows(&[[0.5], [1.0], [9.0]]).unwrap();
    let machine = process("2 * gaussian(gamma=0.5)").noise(0.01).normalise_targets(true).check().unwrap();
    let model = machine.fit(&rows, &[1.0, 3.0, 2.0, 5.0]).unwrap();
    let count = 20_000;
    let moments = |drawn: &Matrix, i: usize, j: usize| {
        let mean = |i: usize| (0..count).map(|s| drawn[(s, i)]).sum::<f64>() / count as f64;
        let (a, b) = (mean(i), mean(j));
        (a, (0..count).map(|s| (drawn[(s, i)] - a) * (drawn[(s, j)] - b)).sum::<f64>() / count as f64)
    };
    let drawn = model.sample(&new, count, 3).unwrap();
    let (means, covariance) = (model.predict(&new).unwrap(), model.covariance(&new).unwrap());
    let scale = model.normalisation().1[0].powi(2);
    let prior = machine.sample_prior(&new, count, 4).unwrap();
    for i in 0..3 {
        for j in 0..3 {
            let (mean, product) = moments(&drawn, i, j);
            assert!((mean - means[i]).abs() < 0.08, "{i}: {mean} {}", means[i]);
            assert!((product - scale * covariance[(i, j)]).abs() < 0.15, "{i} {j}: {product}");
            let points: [f64; 3] = [0.5, 1.0, 9.0];
            let expected = 2.0 * (-0.5 * (points[i] - points[j]).powi(2)).exp();
            let (mean, product) = moments(&prior, i, j);
            assert!(mean.abs() < 0.05 && (product - expected).abs() < 0.1, "{i} {j}: {mean} {product}");
        }
    }
    assert_eq!(model.sample(&new, 2, 3).unwrap(), model.sample(&new, 2, 3).unwrap());
    assert_eq!(model.sample(&new.select(&[]), 2, 3).unwrap().columns(), 0);
}

#[test]
fn strain_and_bad_input() {
    // The same row twice without noise: a jitter, which is told.
    let rows = Vectors::from_rows(&[[0.0], [0.0], [1.0]]).unwrap();
    let model =
        process("gaussian(gamma=1)").noise(0.0).check().unwrap().fit(&rows, &[1.0, 1.0, 2.0]).unwrap();
    assert!(model.report().jitter > 0.0 && (model.predict(&rows).unwrap()[1] - 1.0).abs() < 1e-6);
    // Targets that are all the same have no spread to be divided by.
    let same =
        process("gaussian(gamma=1)").normalise_targets(true).check().unwrap().fit(&rows, &[3.0; 3]).unwrap();
    assert!((same.predict(&Vectors::from_rows(&[[50.0]]).unwrap()).unwrap()[0] - 3.0).abs() < 1e-9);

    let refused = |params: GaussianProcessParams<Expression>, targets: &Matrix| {
        params.check().and_then(|machine| machine.fit_many(&rows, targets, None)).unwrap_err().to_string()
    };
    let fine = Matrix::zeros(3, 1);
    assert_eq!(
        refused(process("linear").noise(-1.0), &fine),
        "noise = -1: expected a finite number of at least 0"
    );
    assert_eq!(
        refused(process("linear"), &Matrix::zeros(2, 1)),
        "targets (one per row): expected 3, found 2"
    );
    assert_eq!(refused(process("linear"), &Matrix::zeros(3, 0)), "no outputs");
    let holes = Matrix::from_fn(3, 1, |i, _| if i == 1 { f64::INFINITY } else { 0.0 });
    assert_eq!(refused(process("linear"), &holes), "target 1: inf, expected a finite number");
    assert!(refused(process("linear").memory(10), &fine).starts_with("a Gaussian process needs"));
    let none = process("linear").check().unwrap().fit(&rows.select(&[]), &[]);
    assert!(matches!(none, Err(Error::Empty { what: "rows" })));
    let negative = process("-1 * gaussian(gamma=1)").noise(2.0).check().unwrap();
    assert!(matches!(negative.fit_learned(&rows, &fine, None), Err(Error::Parameter { .. })));

    // Any kernel on any items, with its parameters as they are.
    let words: Vec<String> = ["a", "bb", "ccc"].map(String::from).to_vec();
    let lengths =
        Pairwise::<_, str>::new(|a: &str, b: &str| (-0.1 * (a.len() as f64 - b.len() as f64).powi(2)).exp());
    let model = GaussianProcess::params(lengths).check().unwrap().fit(&words, &[1.0, 2.0, 3.0]).unwrap();
    assert!((model.predict(&words).unwrap()[2] - 3.0).abs() < 1e-6);
}

#[test]
fn the_same_bits_for_any_number_of_threads() {
    let (rows, y) = miles();
    let fit = |threads| {
        let learning = Learning { max_iterations: 3, ..Learning::default() };
        let machine =
            process("1 * gaussian(length_scale=2) + white(0.1)").normalise_targets(true).threads(threads);
        let model =
            machine.learning(learning).check().unwrap().fit_learned(&rows, &target_matrix(&y), None).unwrap();
        let said = model.clone().with_threads(threads).predict_with_variance(&rows).unwrap();
        (model.report().clone(), model.functions().clone(), said)
    };
    assert!(fit(1) == fit(3));
}

#[test]
fn scikit_learn_finds_the_same_probabilities() {
    let case = answers().classes;
    let (rows, labels) = small_set("heart_scale");
    let first: Vec<usize> = (0..case.rows).collect();
    let (items, known) = (rows.select(&first), labels.select(&first));
    let machine = LaplaceClassifier::params(case.kernel.parse::<Expression>().unwrap()).check().unwrap();
    let found = machine.log_likelihood(&items, &known, None).unwrap();
    near(&[found.value], &[case.likelihood], 1e-8, "likelihood");
    let kernel: Expression = case.kernel.parse().unwrap();
    near(&logarithmic(&kernel, &found.gradient), &case.gradient, 1e-6, "gradient");
    let model = machine.fit(&items, &known).unwrap();
    near(&model.likelihoods(), &[case.likelihood], 1e-8, "likelihood");
    let new: Vec<usize> = (case.rows..case.rows + 10).collect();
    let said = model.probabilities(&rows.select(&new)).unwrap();
    // Its mean of the sigmoid is an approximation by five error functions.
    for (i, expected) in case.probabilities.iter().enumerate() {
        assert!((said[(i, 1)] - expected).abs() < 1e-3, "{i}: {} {expected}", said[(i, 1)]);
        assert!((said[(i, 0)] + said[(i, 1)] - 1.0).abs() < 1e-12);
    }
    let learned = machine.fit_learned(&items, &known, None).unwrap();
    assert!(learned.likelihoods()[0] > case.likelihood + 1.0);
    assert!(learned.learned().all(|l| l.unwrap().converged));
}

#[test]
fn many_classes_are_told_from_each_other() {
    let (rows, labels) = small_set("iris.csv");
    let machine = LaplaceClassifier::params("10 * gaussian(gamma=0.5)".parse::<Expression>().unwrap());
    let machine = machine.check().unwrap();
    let model = machine.fit(&rows, &labels).unwrap();
    let said = model.probabilities(&rows).unwrap();
    assert!((0..150).all(|i| (said.row(i).iter().sum::<f64>() - 1.0).abs() < 1e-12));
    let right =
        model.predict(&rows).unwrap().iter().zip(labels.codes()).filter(|(a, b)| **a == **b as usize).count();
    assert!(right >= 144, "{right}");
    // Each function is that of its class against the rest.
    let rest = Labels::from_text((0..150).map(|i| if labels.codes()[i] == 2 { "z" } else { "a" }));
    let alone = machine.fit(&rows, &rest).unwrap();
    assert!((alone.likelihoods()[0] - model.likelihoods()[2]).abs() < 1e-9);
    assert!(matches!(machine.log_likelihood(&rows, &labels, None), Err(Error::Unsupported { .. })));
    let one = Labels::from_text(["a"; 150]);
    assert!(matches!(machine.fit(&rows, &one), Err(Error::OneClass { .. })));
    let small =
        LaplaceClassifier::params("linear".parse::<Expression>().unwrap()).memory(10).check().unwrap();
    assert!(matches!(small.fit(&rows, &labels), Err(Error::Budget { .. })));
    assert!(distance(&said, &model.probabilities(&rows).unwrap()) == 0.0);
}

#[test]
fn a_process_of_full_rank_is_the_exact_one() {
    let (rows, y) = miles();
    let few = rows.select(&(0..60).collect::<Vec<_>>());
    let new = rows.select(&(60..80).collect::<Vec<_>>());
    for kernel in ["2 * gaussian(length_scale=3)", "2 * gaussian(length_scale=3) + white(0.2)"] {
        let machine = process(kernel).noise(0.1).normalise_targets(true);
        let exact = machine.clone().check().unwrap().fit(&few, &y[..60]).unwrap();
        assert!(exact.report().low_rank.is_none());
        // 59 of 60 leave out next to nothing of this kernel.
        let low = machine.rank(59).check().unwrap().fit(&few, &y[..60]).unwrap();
        let told = low.report().low_rank.unwrap();
        assert!(told.rank <= 59 && told.left_out < 1e-4, "{told:?}");
        let (a, b) = (exact.predict_with_variance(&new).unwrap(), low.predict_with_variance(&new).unwrap());
        near(b.mean.values(), a.mean.values(), 1e-3, kernel);
        near(b.variance.values(), a.variance.values(), 1e-2, kernel);
        near(&[low.report().likelihood], &[exact.report().likelihood], 1e-3, kernel);
        let (a, b) = (exact.covariance(&new).unwrap(), low.covariance(&new).unwrap());
        near(b.values(), a.values(), 1e-2, kernel);
    }
}

#[test]
fn beyond_the_memory_a_process_is_of_low_rank() {
    let mut random = Random::new(3);
    let points: Vec<[f64; 1]> = (0..600).map(|_| [6.0 * random.uniform()]).collect();
    let y: Vec<f64> = points.iter().map(|x| x[0].sin() + 0.1 * random.normal()).collect();
    let rows = Vectors::from_rows(&points).unwrap();
    let memory = 600 * 600 * 4;
    let machine = process("1 * gaussian(length_scale=2) + white(0.1)").memory(memory);
    let fit = |threads: usize| {
        let machine = machine.clone().threads(threads).check().unwrap();
        machine.fit_learned(&rows, &target_matrix(&y), None).unwrap()
    };
    let model = fit(1);
    let (low, learned) = (model.report().low_rank.unwrap(), model.report().learned.clone().unwrap());
    assert!(low.rank < 100 && low.left_out < 1e-6, "{low:?}");
    assert!(learned.rows.unwrap() < 600);
    let new = Vectors::from_rows(&[[1.0], [4.0]]).unwrap();
    let said = model.predict_with_variance(&new).unwrap();
    for (i, x) in [1.0f64, 4.0].iter().enumerate() {
        assert!((said.mean[(i, 0)] - x.sin()).abs() < 0.05, "{said:?}");
        // The noise, and a little.
        assert!((said.variance[(i, 0)] - 0.01).abs() < 0.004, "{said:?}");
    }
    assert_eq!(model.functions(), fit(2).functions());
    let none = process("gaussian").memory(100).check().unwrap().fit(&rows, &y);
    assert!(matches!(none, Err(Error::Budget { .. })));
    assert!(matches!(process("gaussian").rank(0).check(), Err(Error::Parameter { name: "rank", .. })));
}

#[test]
fn a_classifier_of_full_rank_is_the_exact_one() {
    let (rows, labels) = small_set("iris.csv");
    let machine = LaplaceClassifier::params("4 * gaussian(length_scale=1)".parse::<Expression>().unwrap());
    let exact = machine.clone().check().unwrap().fit(&rows, &labels).unwrap();
    assert!(exact.low_rank().all(|low| low.is_none()));
    let full = machine.clone().rank(149).check().unwrap().fit(&rows, &labels).unwrap();
    let (a, b) = (exact.probabilities(&rows).unwrap(), full.probabilities(&rows).unwrap());
    near(b.values(), a.values(), 1e-4, "probabilities");
    near(&full.likelihoods(), &exact.likelihoods(), 1e-4, "likelihoods");
    let low = machine.clone().rank(20).check().unwrap().fit(&rows, &labels).unwrap();
    assert!(low.low_rank().all(|low| low.unwrap().rank == 20));
    let agreed = low
        .predict(&rows)
        .unwrap()
        .iter()
        .zip(exact.predict(&rows).unwrap())
        .filter(|(a, b)| **a == *b)
        .count();
    assert!(agreed >= 145, "{agreed}");
    let small = machine.memory(150 * 150 * 8).check().unwrap().fit_learned(&rows, &labels, None).unwrap();
    assert!(small.low_rank().all(|low| low.is_some()) && small.learned().all(|l| l.unwrap().rows.is_some()));
}

#[test]
fn normalized_targets_may_be_of_any_size() {
    let rows = mercer::data::Vectors::from_rows(&(0..8).map(|i| [f64::from(i)]).collect::<Vec<_>>()).unwrap();
    let fit = |unit: f64| {
        let targets: Vec<f64> = (0..8).map(|i| (f64::from(i)).sin() * unit).collect();
        let kernel = "gaussian(gamma=0.5)".parse::<mercer::kernel::Expression>().unwrap();
        let machine = mercer::machine::GaussianProcess::params(kernel).noise(0.01).normalise_targets(true);
        machine.check().unwrap().fit(&rows, &targets).unwrap()
    };
    let one = fit(1.0);
    let expected = one.predict(&rows).unwrap();
    for unit in [1e153, 1e154, 1e200, 1e300, 1.7e308, 1e-160, 1e-300] {
        let model = fit(unit);
        assert!((model.report().likelihood - one.report().likelihood).abs() < 1e-8, "{unit:e}");
        let found = model.predict_with_variance(&rows).unwrap();
        let close = |(a, b): (&f64, &f64)| (a / unit - b).abs() < 1e-9;
        assert!(found.mean.values().iter().zip(&expected).all(close), "{unit:e}");
        assert!(found.variance.values().iter().all(|variance| variance.is_finite()), "{unit:e}");
    }
}
