//! Weights of rows of the machines that factorise K: a row of weight w is w rows, one of weight 0 is none.

use mercer::Error;
use mercer::data::{Collection, Items, Labels, Random, Vectors};
use mercer::gram::CollectionKernel;
use mercer::kernel::Expression;
use mercer::linalg::Matrix;
use mercer::machine::{
    FisherDiscriminant, GaussianProcess, GaussianProcessParams, KernelKMeans, LaplaceClassifier,
    LaplaceParams, LeastSquaresSvc, OrdinalSvm, RankSvm, RbfNetwork, RelevanceMachine, Ridge, RowKMeans,
};
use mercer::resources::Workers;

const ROWS: usize = 40;

fn kernel(text: &str) -> Expression {
    text.parse().unwrap()
}

/// Rows of two columns, the targets of each, and weights from 0 to 3.
fn data() -> (Vectors<'static>, Vec<f64>, Vec<f64>) {
    let mut random = Random::new(11);
    let points: Vec<[f64; 2]> = (0..ROWS).map(|_| [4.0 * random.uniform(), 4.0 * random.uniform()]).collect();
    let targets = points.iter().map(|p| p[0].sin() + 0.5 * p[1] + 0.2 * random.normal()).collect();
    let weights = (0..ROWS).map(|i| (i * 7 % 4) as f64).collect();
    (Vectors::from_rows(&points).unwrap(), targets, weights)
}

/// Each row as often as its weight says.
fn repeated(weights: &[f64]) -> Vec<usize> {
    (0..weights.len()).flat_map(|i| std::iter::repeat_n(i, weights[i] as usize)).collect()
}

fn fractions() -> Vec<f64> {
    (0..ROWS).map(|i| [0.0, 0.3, 1.0, 2.7][i % 4]).collect()
}

/// Targets of two outputs, of these rows.
fn outputs(targets: &[f64], rows: &[usize]) -> Matrix {
    Matrix::from_fn(
        rows.len(),
        2,
        |i, o| if o == 0 { targets[rows[i]] } else { 1.0 - targets[rows[i]].powi(2) },
    )
}

fn labels(targets: &[f64], classes: usize) -> Labels {
    let mut sorted = targets.to_vec();
    sorted.sort_by(f64::total_cmp);
    let code = |y: &f64| (0..classes).rev().find(|c| *y >= sorted[c * ROWS / classes]).unwrap_or(0);
    let names = ["low", "middle", "top"];
    Labels::from_text(targets.iter().map(|y| names[code(y)]))
}

fn near(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{what}: {a} {b}");
    }
}

fn all() -> Vec<usize> {
    (0..ROWS).collect()
}

const COVARIANCE: &str = "gaussian(length_scale=[0.7, 1.5], amplitude=2) + 0.5 * white(0.2)";

fn process(text: &str) -> GaussianProcessParams<Expression> {
    GaussianProcess::params(kernel(text)).noise(0.01).normalise_targets(true)
}

#[test]
fn gaussian_process_takes_whole_weights_for_repeated_rows() {
    let (rows, targets, weights) = data();
    let copies = repeated(&weights);
    let (copied, of_copied) = (rows.select(&copies), outputs(&targets, &copies));
    for (what, params) in [("exact", process(COVARIANCE)), ("of low rank", process(COVARIANCE).rank(9))] {
        let machine = params.check().unwrap();
        let weighted = machine.fit_many(&rows, &outputs(&targets, &all()), Some(&weights)).unwrap();
        let by_copies = machine.fit_many(&copied, &of_copied, None).unwrap();
        let (a, b) =
            (weighted.predict_with_variance(&rows).unwrap(), by_copies.predict_with_variance(&rows).unwrap());
        near(a.mean.values(), b.mean.values(), 1e-7, what);
        near(a.variance.values(), b.variance.values(), 1e-7, what);
        near(&[weighted.report().likelihood], &[by_copies.report().likelihood], 1e-7, what);
        // Rows of weight 0 are not kept.
        assert!(weighted.kept().items.len() <= weights.iter().filter(|w| **w > 0.0).count());
    }
    let machine = process(COVARIANCE).check().unwrap();
    let weighted = machine.log_likelihood(&rows, &outputs(&targets, &all()), Some(&weights)).unwrap();
    let by_copies = machine.log_likelihood(&copied, &of_copied, None).unwrap();
    near(&[weighted.value], &[by_copies.value], 1e-8, "likelihood");
    near(&weighted.gradient, &by_copies.gradient, 1e-6, "gradient");
}

#[test]
fn learned_kernels_of_weighted_rows_are_those_of_repeated_ones() {
    let (rows, targets, weights) = data();
    let copies = repeated(&weights);
    let (copied, of_copied) = (rows.select(&copies), outputs(&targets, &copies));
    let machine = process("1 * gaussian(length_scale=1) + white(0.1)").check().unwrap();
    let weighted = machine.fit_learned(&rows, &outputs(&targets, &all()), Some(&weights)).unwrap();
    let by_copies = machine.fit_learned(&copied, &of_copied, None).unwrap();
    let values = |kernel: &Expression| kernel.parameters().iter().map(|p| p.value).collect::<Vec<f64>>();
    near(&values(&weighted.kept().kernel), &values(&by_copies.kept().kernel), 1e-3, "parameters");

    let two = labels(&targets, 2);
    let machine = LaplaceClassifier::params(kernel("3 * gaussian(length_scale=1)")).check().unwrap();
    let weighted = machine.fit_learned(&rows, &two, Some(&weights)).unwrap();
    let by_copies = machine.fit_learned(&copied, &two.select(&copies), None).unwrap();
    let first = |model: &mercer::machine::LaplaceModel<Expression, Vectors<'static>>| {
        values(model.kernels().next().unwrap())
    };
    near(&first(&weighted), &first(&by_copies), 1e-3, "parameters for classes");

    // Kernels without derivatives: their size and the noise.
    let words: Vec<String> = (0..ROWS).map(|i| "ab".repeat(i % 5) + &"cd".repeat(i % 7)).collect();
    let scaled = |kernel: &CollectionKernel, by: f64| format!("{by} * ({kernel})").parse();
    let strings = |rows: &[usize]| Collection::Strings(rows.iter().map(|&i| words[i].clone()).collect());
    let machine =
        GaussianProcess::params("spectrum(k=2)".parse::<CollectionKernel>().unwrap()).check().unwrap();
    let weighted =
        machine.fit_scaled(&strings(&all()), &outputs(&targets, &all()), Some(&weights), &scaled).unwrap();
    let by_copies = machine.fit_scaled(&strings(&copies), &of_copied, None, &scaled).unwrap();
    near(&[weighted.noise()], &[by_copies.noise()], 1e-4, "noise");
    let new = strings(&all());
    near(&weighted.predict(&new).unwrap(), &by_copies.predict(&new).unwrap(), 1e-4, "strings");
    let machine =
        LaplaceClassifier::params("spectrum(k=2)".parse::<CollectionKernel>().unwrap()).check().unwrap();
    let weighted = machine.fit_scaled(&strings(&all()), &two, Some(&weights), &scaled).unwrap();
    let by_copies = machine.fit_scaled(&strings(&copies), &two.select(&copies), None, &scaled).unwrap();
    near(&weighted.likelihoods(), &by_copies.likelihoods(), 1e-6, "likelihood of strings");
}

#[test]
fn mean_of_a_weighted_process_is_weighted_ridge_regression() {
    let (rows, targets, _) = data();
    let (fractions, column) = (fractions(), Matrix::new(targets.clone(), ROWS, 1).unwrap());
    let process = GaussianProcess::params(kernel("gaussian(gamma=0.5)")).noise(0.3).check().unwrap();
    let found = process.fit_many(&rows, &column, Some(&fractions)).unwrap().predict(&rows).unwrap();
    let ridge = Ridge::params(kernel("gaussian(gamma=0.5)")).lambda(0.3).check().unwrap();
    let expected = ridge.fit_many(&rows, &column, Some(&fractions)).unwrap().predict(&rows).unwrap();
    near(&found, &expected, 1e-9, "mean");
}

#[test]
fn gradient_of_a_weighted_likelihood_is_that_of_differences() {
    let (rows, targets, _) = data();
    let (fractions, targets) = (fractions(), outputs(&targets, &all()));
    let begun = kernel(COVARIANCE);
    let at = |kernel: Expression| {
        let machine = GaussianProcess::params(kernel).noise(0.05).check().unwrap();
        machine.log_likelihood(&rows, &targets, Some(&fractions)).unwrap()
    };
    let values: Vec<f64> = begun.parameters().iter().map(|p| p.value).collect();
    let gradient = at(begun.clone()).gradient;
    for (p, slope) in gradient.iter().enumerate() {
        let moved = |by: f64| {
            let mut values = values.clone();
            values[p] += by;
            at(begun.with_parameters(&values).unwrap()).value
        };
        let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        near(&[*slope], &[difference], 1e-5, &begun.parameters()[p].name);
    }
}

fn laplace() -> LaplaceParams<Expression> {
    LaplaceClassifier::params(kernel("4 * gaussian(length_scale=1.2)"))
}

#[test]
fn laplace_classifier_takes_whole_weights_for_repeated_rows() {
    let (rows, targets, weights) = data();
    let copies = repeated(&weights);
    let copied = rows.select(&copies);
    for classes in [2, 3] {
        let labels = labels(&targets, classes);
        for (what, params) in [("exact", laplace()), ("of low rank", laplace().rank(8))] {
            let machine = params.check().unwrap();
            let weighted = machine.fit_weighted(&rows, &labels, Some(&weights)).unwrap();
            let by_copies = machine.fit(&copied, &labels.select(&copies)).unwrap();
            let (a, b) = (weighted.probabilities(&rows).unwrap(), by_copies.probabilities(&rows).unwrap());
            near(a.values(), b.values(), 1e-6, what);
            near(&weighted.likelihoods(), &by_copies.likelihoods(), 1e-8, what);
        }
    }
    let labels = labels(&targets, 2);
    let machine = laplace().check().unwrap();
    let weighted = machine.log_likelihood(&rows, &labels, Some(&weights)).unwrap();
    let by_copies = machine.log_likelihood(&copied, &labels.select(&copies), None).unwrap();
    near(&[weighted.value], &[by_copies.value], 1e-8, "likelihood");
    near(&weighted.gradient, &by_copies.gradient, 1e-5, "gradient");
}

#[test]
fn classifiers_take_whole_weights_for_repeated_rows() {
    let (rows, targets, weights) = data();
    let copies = repeated(&weights);
    let copied = rows.select(&copies);
    for classes in [2, 3] {
        let labels = labels(&targets, classes);
        let of_copied = labels.select(&copies);
        for rank in [500, 7] {
            let machine =
                FisherDiscriminant::params(kernel("gaussian(gamma=0.5)")).rank(rank).check().unwrap();
            let weighted = machine.fit_weighted(&rows, &labels, Some(&weights)).unwrap();
            let by_copies = machine.fit(&copied, &of_copied).unwrap();
            near(weighted.ratios(), by_copies.ratios(), 1e-7, "ratios");
            near(&weighted.scores(&rows).unwrap(), &by_copies.scores(&rows).unwrap(), 1e-5, "Fisher");
        }
        let machine = RelevanceMachine::params(kernel("gaussian(gamma=0.5)")).check().unwrap();
        let weighted = machine.fit_classes(&rows, &labels, Some(&weights)).unwrap();
        let by_copies = machine.fit_classes(&copied, &of_copied, None).unwrap();
        near(&weighted.report().likelihoods, &by_copies.report().likelihoods, 1e-6, "relevance");
        near(&weighted.predict(&rows).unwrap(), &by_copies.predict(&rows).unwrap(), 1e-3, "relevance");
        let machine = LeastSquaresSvc::params(kernel("gaussian(gamma=0.5)")).check().unwrap();
        let weighted = machine.fit_weighted(&rows, &labels, Some(&weights)).unwrap();
        let by_copies = machine.fit(&copied, &of_copied).unwrap();
        near(&weighted.decision(&rows).unwrap(), &by_copies.decision(&rows).unwrap(), 1e-8, "LSSVC");
    }
}

#[test]
fn relevance_regression_takes_whole_weights_for_repeated_rows() {
    let (rows, targets, weights) = data();
    let copies = repeated(&weights);
    let of_copied: Vec<f64> = copies.iter().map(|&i| targets[i]).collect();
    for rank in [None, Some(12)] {
        let machine = RelevanceMachine::params(kernel("gaussian(gamma=0.5)"));
        let machine = rank.into_iter().fold(machine, |machine, rank| machine.rank(rank)).check().unwrap();
        let weighted = machine.fit_weighted(&rows, &targets, Some(&weights)).unwrap();
        let by_copies = machine.fit(&rows.select(&copies), &of_copied).unwrap();
        let (a, b) = (weighted.report(), by_copies.report());
        near(&[a.noise, a.likelihoods[0]], &[b.noise, b.likelihoods[0]], 1e-5, "noise and likelihood");
        near(&weighted.predict(&rows).unwrap(), &by_copies.predict(&rows).unwrap(), 1e-4, "relevance");
        near(&weighted.variances(&rows).unwrap(), &by_copies.variances(&rows).unwrap(), 1e-4, "variances");
        assert!(a.relevant.iter().all(|&row| weights[row] > 0.0));
    }
}

#[test]
fn orders_take_whole_weights_for_repeated_rows() {
    let (rows, targets, weights) = data();
    let copies = repeated(&weights);
    let copied = rows.select(&copies);
    let levels: Vec<f64> = targets.iter().map(|y| y.round()).collect();
    let of = |values: &[f64]| -> Vec<f64> { copies.iter().map(|&i| values[i]).collect() };
    let machine = OrdinalSvm::params(kernel("gaussian(gamma=0.5)")).tolerance(1e-9).check().unwrap();
    let weighted = machine.fit_weighted(&rows, &levels, Some(&weights)).unwrap();
    let by_copies = machine.fit(&copied, &of(&levels)).unwrap();
    let (a, b) = (weighted.report(), by_copies.report());
    assert_eq!(a.levels, b.levels);
    assert!(a.converged && a.gap.unwrap() <= 1e-8 * a.objective, "{a:?}");
    near(&[a.objective], &[b.objective], 1e-7, "objective");
    let above = |values: Vec<f64>, bounds: &[f64]| values.iter().map(|f| f - bounds[0]).collect::<Vec<f64>>();
    let found = above(weighted.predict(&rows).unwrap(), &a.thresholds);
    near(&found, &above(by_copies.predict(&rows).unwrap(), &b.thresholds), 1e-5, "levels");

    let queries: Vec<u64> = (0..ROWS as u64).map(|i| i % 3).collect();
    let of_queries: Vec<u64> = copies.iter().map(|&i| queries[i]).collect();
    let machine = RankSvm::params(kernel("gaussian(gamma=0.5)")).tolerance(1e-9).check().unwrap();
    let weighted = machine.fit_weighted(&rows, &levels, Some(&queries), Some(&weights)).unwrap();
    let by_copies = machine.fit(&copied, &of(&levels), Some(&of_queries)).unwrap();
    near(&[weighted.report().objective], &[by_copies.report().objective], 1e-7, "objective");
    near(&weighted.predict(&rows).unwrap(), &by_copies.predict(&rows).unwrap(), 1e-5, "ranking");
}

#[test]
fn fractional_weights_of_pairs_are_products() {
    // Two pairs of one column: ½w² + C Σ wᵢwⱼ max(0, 1 − w d)² is least at w = C Σ wᵢwⱼ d/(½ + C Σ wᵢwⱼ d²).
    let rows = Vectors::from_rows(&[[0.5], [0.0], [0.25]]).unwrap();
    let (targets, queries, weights) = ([1.0, 0.0, 0.0], [0, 0, 0], [0.5, 0.4, 3.0]);
    let machine = RankSvm::params(kernel("linear")).cost(0.7).tolerance(1e-12).check().unwrap();
    let model = machine.fit_weighted(&rows, &targets, Some(&queries), Some(&weights)).unwrap();
    let pairs = [(0.5 * 0.4, 0.5), (0.5 * 3.0, 0.25)];
    let (sum, squares) =
        pairs.iter().fold((0.0, 0.0), |(sum, squares), (w, d)| (sum + w * d, squares + w * d * d));
    let slope = 0.7 * sum / (0.5 + 0.7 * squares);
    let values = model.predict(&rows).unwrap();
    near(&[values[0] - values[1]], &[0.5 * slope], 1e-9, "slope");
}

#[test]
fn clusters_take_whole_weights_for_repeated_rows() {
    let mut random = Random::new(3);
    let middles = [[0.0, 0.0], [9.0, 1.0], [2.0, 8.0]];
    let points: Vec<[f64; 2]> = (0..ROWS).map(|i| middles[i % 3].map(|m| m + random.normal())).collect();
    let mut weights: Vec<f64> = (0..ROWS).map(|i| (i * 5 % 4) as f64).collect();
    let mut points = points;
    // Far away, and of no weight.
    (points[0], weights[0]) = ([500.0, 500.0], 0.0);
    let rows = Vectors::from_rows(&points).unwrap();
    let copies = repeated(&weights);
    let copied = rows.select(&copies);
    let machine = KernelKMeans::params(kernel("linear"), 3).check().unwrap();
    let weighted = machine.fit_weighted(&rows, Some(&weights)).unwrap();
    let by_copies = machine.fit(&copied).unwrap();
    near(&[weighted.fit().inertia], &[by_copies.fit().inertia], 1e-9, "inertia");
    assert_eq!(weighted.predict(&rows).unwrap(), by_copies.predict(&rows).unwrap());
    assert_eq!(weighted.predict(&rows).unwrap(), weighted.fit().clusters);
    near(&weighted.nearness(&rows).unwrap(), &by_copies.nearness(&rows).unwrap(), 1e-8, "nearness");

    let k_means = RowKMeans { clusters: 3, restarts: 9, max_rounds: 300, tolerance: 0.0, seed: 1 };
    let found = k_means.fit(&rows, Some(&weights), &Workers::serial()).unwrap();
    let expected = k_means.fit(&copied, None, &Workers::serial()).unwrap();
    near(&[found.inertia], &[expected.inertia], 1e-9, "inertia of rows");
    near(found.centers.values(), expected.centers.values(), 1e-9, "centers");

    let targets: Vec<f64> = points.iter().map(|p| p[0] + p[1].sin()).collect();
    let network = RbfNetwork::params(3).lambda(0.1).check().unwrap();
    let weighted = network.fit(&rows, &outputs(&targets, &all()), Some(&weights)).unwrap();
    let by_copies = network.fit(&copied, &outputs(&targets, &copies), None).unwrap();
    near(weighted.widths(), by_copies.widths(), 1e-9, "widths");
    near(&weighted.predict(&rows).unwrap(), &by_copies.predict(&rows).unwrap(), 1e-8, "network");
}

#[test]
fn wrong_weights_are_refused_with_the_row() {
    let (rows, targets, _) = data();
    let (two, matrix) = (labels(&targets, 2), outputs(&targets, &all()));
    let k = || kernel("gaussian(gamma=0.5)");
    type Fit<'a> = Box<dyn Fn(&[f64]) -> Option<Error> + 'a>;
    let fits: Vec<(&str, bool, Fit<'_>)> = vec![
        (
            "gp",
            false,
            Box::new(|w| process(COVARIANCE).check().unwrap().fit_many(&rows, &matrix, Some(w)).err()),
        ),
        ("gpc", true, Box::new(|w| laplace().check().unwrap().fit_weighted(&rows, &two, Some(w)).err())),
        (
            "fisher",
            true,
            Box::new(|w| {
                FisherDiscriminant::params(k()).check().unwrap().fit_weighted(&rows, &two, Some(w)).err()
            }),
        ),
        (
            "rvr",
            false,
            Box::new(|w| {
                RelevanceMachine::params(k()).check().unwrap().fit_weighted(&rows, &targets, Some(w)).err()
            }),
        ),
        (
            "rvc",
            true,
            Box::new(|w| {
                RelevanceMachine::params(k()).check().unwrap().fit_classes(&rows, &two, Some(w)).err()
            }),
        ),
        (
            "k-means",
            false,
            Box::new(|w| KernelKMeans::params(k(), 2).check().unwrap().fit_weighted(&rows, Some(w)).err()),
        ),
        (
            "network",
            false,
            Box::new(|w| RbfNetwork::params(2).check().unwrap().fit(&rows, &matrix, Some(w)).err()),
        ),
        (
            "ordinal",
            false,
            Box::new(|w| {
                OrdinalSvm::params(k()).check().unwrap().fit_weighted(&rows, &targets, Some(w)).err()
            }),
        ),
        (
            "rank",
            false,
            Box::new(|w| {
                RankSvm::params(k()).check().unwrap().fit_weighted(&rows, &targets, None, Some(w)).err()
            }),
        ),
        (
            "lssvm",
            true,
            Box::new(|w| {
                LeastSquaresSvc::params(k()).check().unwrap().fit_weighted(&rows, &two, Some(w)).err()
            }),
        ),
    ];
    let one_class: Vec<f64> = two.codes().iter().map(|&code| f64::from(code)).collect();
    for (what, of_classes, fit) in &fits {
        for wrong in [-1.0, f64::NAN, f64::INFINITY] {
            let mut weights = vec![1.0; ROWS];
            weights[7] = wrong;
            let error = fit(&weights);
            assert!(
                matches!(error, Some(Error::Entry { what: "weight", index: 7, .. })),
                "{what}: {error:?}"
            );
        }
        assert!(matches!(fit(&[1.0, 2.0]), Some(Error::Shape { .. })), "{what}");
        assert!(matches!(fit(&[0.0; ROWS]), Some(Error::Empty { .. })), "{what}");
        if *of_classes {
            assert!(matches!(fit(&one_class), Some(Error::ClassWithoutWeight { .. })), "{what}");
        }
    }
}
