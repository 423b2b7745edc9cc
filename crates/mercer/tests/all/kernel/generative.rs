//! Generative models and their kernels: against enumeration, numeric derivatives, scikit-learn and hmmlearn (stored by
//! tools/reference/generative.py), and the laws.

use mercer::Error;
use mercer::data::Series;
use mercer::kernel::generative::{
    Alphabet, CovarianceKind, Covariances, Emission, Fisher, FisherForm, GaussianEmission, GaussianMixture,
    Generative, HiddenMarkov, HiddenMarkovTraining, MixtureTraining, PairHiddenMarkov, PairParameters,
    SeriesMarkov, StringMarkov, SymbolEmission,
};
use mercer::kernel::{DigestKernel, Kernel};
use mercer::linalg::{Matrix, symmetric_eigenvalues};
use mercer_testkit::enumeration;
use mercer_testkit::random::Random;
use serde::Deserialize;

#[derive(Deserialize)]
struct Fixture {
    iterations: usize,
    mixtures: Vec<MixtureCase>,
    symbols: SymbolCase,
    gaussian: GaussianCase,
}

#[derive(Deserialize)]
struct MixtureCase {
    kind: String,
    points: Vec<Vec<f64>>,
    start: MixtureStart,
    weights: Vec<f64>,
    means: Vec<f64>,
    covariances: Vec<f64>,
    log_likelihood: f64,
}

#[derive(Deserialize)]
struct MixtureStart {
    weights: Vec<f64>,
    means: Vec<f64>,
}

#[derive(Deserialize)]
struct SymbolCase {
    strings: Vec<String>,
    first: Chain,
    end: Chain,
}

#[derive(Deserialize)]
struct GaussianCase {
    series: Vec<Vec<Vec<f64>>>,
    first: Chain,
    end: Chain,
}

#[derive(Deserialize)]
struct Chain {
    start: Vec<f64>,
    transition: Vec<f64>,
    #[serde(default)]
    emission: Vec<f64>,
    #[serde(default)]
    means: Vec<f64>,
    #[serde(default)]
    variances: Vec<f64>,
    log_likelihoods: Vec<f64>,
}

fn fixture() -> Fixture {
    serde_json::from_str(include_str!("../../fixtures/generative.json")).unwrap()
}

pub(super) fn close(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (k, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{what} {k}: {a} and {b}");
    }
}

fn series_of(times: &[Vec<f64>]) -> Series {
    Series::new(times.concat(), times[0].len()).unwrap()
}

fn random_series(lengths: &[usize], channels: usize, seed: u64) -> Vec<Series> {
    let mut random = Random::new(seed);
    lengths
        .iter()
        .map(|&n| Series::new((0..n * channels).map(|_| random.normal()).collect(), channels).unwrap())
        .collect()
}

fn string_model() -> StringMarkov {
    let table = vec![0.5, 0.3, 0.2, 0.1, 0.2, 0.7, 0.25, 0.5, 0.25];
    let emission = SymbolEmission::new(Alphabet::of(["abc"]).unwrap(), table).unwrap();
    HiddenMarkov::new(vec![0.5, 0.2, 0.3], vec![0.6, 0.3, 0.1, 0.2, 0.5, 0.3, 0.1, 0.1, 0.8], emission)
        .unwrap()
}

fn series_model() -> SeriesMarkov {
    let emission = GaussianEmission::new(vec![0.0, 1.0, -1.0, 0.5], vec![1.0, 0.5, 2.0, 0.7], 2).unwrap();
    HiddenMarkov::new(vec![0.4, 0.6], vec![0.7, 0.3, 0.4, 0.6], emission).unwrap()
}

#[test]
fn the_forward_algorithm_sums_over_all_paths() {
    let model = string_model();
    for text in ["", "a", "cab", "abcabc", "cccccccc"] {
        let densities = model.emission().log_densities(text).unwrap();
        let densities: Vec<Vec<f64>> =
            densities.chunks(3).map(|row| row.iter().map(|d| d.exp()).collect()).collect();
        let expected = enumeration::hidden_markov(model.start(), model.transition(), &densities);
        let found = model.log_likelihood(text).unwrap().exp();
        assert!((found - expected).abs() < 1e-13 * expected, "{text}: {found} {expected}");
    }
    let model = series_model();
    for item in random_series(&[1, 2, 6], 2, 4) {
        let densities = model.emission().log_densities(&item).unwrap();
        let densities: Vec<Vec<f64>> =
            densities.chunks(2).map(|row| row.iter().map(|d| d.exp()).collect()).collect();
        let expected = enumeration::hidden_markov(model.start(), model.transition(), &densities);
        let found = model.log_likelihood(&item).unwrap().exp();
        assert!((found - expected).abs() < 1e-13 * expected, "{found} {expected}");
    }
    // Long items neither underflow nor overflow.
    let long = "abc".repeat(1000);
    let log = string_model().log_likelihood(&long).unwrap();
    assert!(log.is_finite() && log < -2000.0);
}

/// (f(θ + h) − f(θ − h)) / 2h for each parameter.
fn derivatives(parameters: usize, h: f64, f: impl Fn(usize, f64) -> f64) -> Vec<f64> {
    (0..parameters).map(|k| (f(k, h) - f(k, -h)) / (2.0 * h)).collect()
}

/// Rows of probabilities with the logit of one entry moved.
fn moved_logit(table: &[f64], columns: usize, at: usize, by: f64) -> Vec<f64> {
    let mut table = table.to_vec();
    table[at] *= by.exp();
    let row = &mut table[at / columns * columns..][..columns];
    let sum: f64 = row.iter().sum();
    row.iter_mut().for_each(|p| *p /= sum);
    table
}

fn moved(values: &[f64], at: usize, by: f64) -> Vec<f64> {
    let mut values = values.to_vec();
    values[at] += by;
    values
}

#[test]
fn fisher_scores_are_the_derivatives_of_the_log_likelihood() {
    let model = string_model();
    let emission = model.emission();
    for text in ["", "a", "abca", "ccabbacabcab"] {
        let expected = derivatives(21, 1e-5, |k, h| {
            let (mut start, mut transition) = (model.start().to_vec(), model.transition().to_vec());
            let mut table = emission.probabilities().to_vec();
            match k {
                0..3 => start = moved_logit(&start, 3, k, h),
                3..12 => transition = moved_logit(&transition, 3, k - 3, h),
                _ => table = moved_logit(&table, 3, k - 12, h),
            }
            let emission = SymbolEmission::new(emission.alphabet().clone(), table).unwrap();
            HiddenMarkov::new(start, transition, emission).unwrap().log_likelihood(text).unwrap()
        });
        close(text, &model.score(text).unwrap(), &expected, 1e-8);
    }

    let model = series_model();
    let emission = model.emission();
    for item in random_series(&[1, 2, 15], 2, 9) {
        let expected = derivatives(14, 1e-5, |k, h| {
            let (mut start, mut transition) = (model.start().to_vec(), model.transition().to_vec());
            let (mut means, mut variances) = (emission.means().to_vec(), emission.variances().to_vec());
            match k {
                0..2 => start = moved_logit(&start, 2, k, h),
                2..6 => transition = moved_logit(&transition, 2, k - 2, h),
                6..10 => means = moved(&means, k - 6, h),
                _ => variances = moved(&variances, k - 10, h),
            }
            let emission = GaussianEmission::new(means, variances, 2).unwrap();
            HiddenMarkov::new(start, transition, emission).unwrap().log_likelihood(&item).unwrap()
        });
        close("series", &model.score(&item).unwrap(), &expected, 1e-7);
    }

    let (weights, means) = (vec![0.3, 0.7], vec![0.0, 1.0, -1.0, 0.5]);
    let variances = vec![1.0, 0.5, 2.0, 0.7];
    let matrices = vec![1.0, 0.3, 0.3, 0.5, 2.0, -0.4, -0.4, 0.7];
    let diagonal = |weights: Vec<f64>, means, variances| {
        GaussianMixture::new(weights, means, Covariances::Diagonal(variances)).unwrap()
    };
    let full = |weights: Vec<f64>, means, matrices| {
        GaussianMixture::new(weights, means, Covariances::Full(matrices)).unwrap()
    };
    for item in random_series(&[1, 12], 2, 10) {
        let expected = derivatives(10, 1e-5, |k, h| {
            let model = match k {
                0..2 => diagonal(moved_logit(&weights, 2, k, h), means.clone(), variances.clone()),
                2..6 => diagonal(weights.clone(), moved(&means, k - 2, h), variances.clone()),
                _ => diagonal(weights.clone(), means.clone(), moved(&variances, k - 6, h)),
            };
            model.log_likelihood(&item).unwrap()
        });
        let model = diagonal(weights.clone(), means.clone(), variances.clone());
        close("diagonal", &model.score(&item).unwrap(), &expected, 1e-7);

        // On and below the diagonal of each matrix, an entry off the diagonal with its mirror.
        let places: [&[usize]; 6] = [&[0], &[1, 2], &[3], &[4], &[5, 6], &[7]];
        let expected = derivatives(12, 1e-5, |k, h| {
            let model = match k {
                0..2 => full(moved_logit(&weights, 2, k, h), means.clone(), matrices.clone()),
                2..6 => full(weights.clone(), moved(&means, k - 2, h), matrices.clone()),
                _ => {
                    let entries = places[k - 6].iter().fold(matrices.clone(), |m, &at| moved(&m, at, h));
                    full(weights.clone(), means.clone(), entries)
                }
            };
            model.log_likelihood(&item).unwrap()
        });
        let model = full(weights.clone(), means.clone(), matrices.clone());
        close("full", &model.score(&item).unwrap(), &expected, 1e-7);
    }
}

#[test]
fn mixtures_go_the_way_of_scikit_learn() {
    let fixture = fixture();
    for case in &fixture.mixtures {
        let points: Vec<&[f64]> = case.points.iter().map(Vec::as_slice).collect();
        let covariances = match case.kind.as_str() {
            "diag" => Covariances::Diagonal(vec![1.0; 6]),
            _ => Covariances::Full([1.0, 0.0, 0.0, 1.0].repeat(3)),
        };
        let first =
            GaussianMixture::new(case.start.weights.clone(), case.start.means.clone(), covariances).unwrap();
        let training = MixtureTraining::new(3).unwrap().iterations(fixture.iterations);
        let training = training.tolerance(0.0).unwrap().with_variance_floor(1e-12).unwrap();
        let (model, logs) = first.expectation_maximisation(&points, None, &training).unwrap();
        assert_eq!(logs.len(), fixture.iterations + 1);
        close("weights", model.weights(), &case.weights, 1e-9);
        close("means", model.means(), &case.means, 1e-9);
        let (Covariances::Diagonal(found) | Covariances::Full(found)) = model.covariances();
        close("covariances", found, &case.covariances, 1e-9);
        close("log-likelihood", &logs[fixture.iterations..], &[case.log_likelihood], 1e-10);
    }
}

#[test]
fn hidden_markov_models_go_the_way_of_hmmlearn() {
    let fixture = fixture();
    let training = HiddenMarkovTraining::new(2).unwrap().iterations(fixture.iterations);
    let training = training.tolerance(0.0).unwrap().with_pseudocount(0.0).unwrap();
    let training = training.with_variance_floor(1e-12).unwrap();

    let case = &fixture.symbols;
    let strings: Vec<&str> = case.strings.iter().map(String::as_str).collect();
    let emission = SymbolEmission::new(Alphabet::of(["abc"]).unwrap(), case.first.emission.clone()).unwrap();
    let first = HiddenMarkov::new(case.first.start.clone(), case.first.transition.clone(), emission).unwrap();
    let logs =
        |model: &StringMarkov| strings.iter().map(|s| model.log_likelihood(s).unwrap()).collect::<Vec<_>>();
    close("first", &logs(&first), &case.first.log_likelihoods, 1e-11);
    let (model, objectives) = first.expectation_maximisation(&strings, None, &training).unwrap();
    assert_eq!(objectives.len(), fixture.iterations + 1);
    close("start", model.start(), &case.end.start, 1e-9);
    close("transition", model.transition(), &case.end.transition, 1e-9);
    close("emission", model.emission().probabilities(), &case.end.emission, 1e-9);
    close("end", &logs(&model), &case.end.log_likelihoods, 1e-9);

    let case = &fixture.gaussian;
    let series: Vec<Series> = case.series.iter().map(|times| series_of(times)).collect();
    let items: Vec<&Series> = series.iter().collect();
    let emission = GaussianEmission::new(case.first.means.clone(), case.first.variances.clone(), 2).unwrap();
    let first = HiddenMarkov::new(case.first.start.clone(), case.first.transition.clone(), emission).unwrap();
    let logs =
        |model: &SeriesMarkov| series.iter().map(|s| model.log_likelihood(s).unwrap()).collect::<Vec<_>>();
    close("first", &logs(&first), &case.first.log_likelihoods, 1e-11);
    let (model, _) = first.expectation_maximisation(&items, None, &training).unwrap();
    close("start", model.start(), &case.end.start, 1e-9);
    close("transition", model.transition(), &case.end.transition, 1e-9);
    close("means", model.emission().means(), &case.end.means, 1e-9);
    close("variances", model.emission().variances(), &case.end.variances, 1e-9);
    close("end", &logs(&model), &case.end.log_likelihoods, 1e-9);
}

/// No step down beyond rounding.
fn never_falls(objectives: &[f64]) {
    for (k, pair) in objectives.windows(2).enumerate() {
        assert!(
            pair[1] >= pair[0] - 1e-10 * pair[0].abs().max(1.0),
            "step {k}: {} then {}",
            pair[0],
            pair[1]
        );
    }
}

#[test]
fn expectation_maximisation_never_falls() {
    let mut random = Random::new(8);
    let strings: Vec<String> =
        (0..12).map(|_| (0..random.below(20)).map(|_| ['a', 'b', 'c'][random.below(3)]).collect()).collect();
    let strings: Vec<&str> = strings.iter().map(String::as_str).collect();
    let series = random_series(&[5, 9, 1, 20], 2, 3);
    let items: Vec<&Series> = series.iter().collect();
    let points: Vec<&[f64]> = series.iter().flat_map(|s| s.times()).collect();
    let weights = [0.5, 2.0, 0.0, 1.5];
    for pseudocount in [0.0, 0.01, 2.0] {
        let training = HiddenMarkovTraining::new(3).unwrap().iterations(60).tolerance(0.0).unwrap();
        let training = training.with_pseudocount(pseudocount).unwrap();
        let (_, objectives) = string_model().expectation_maximisation(&strings, None, &training).unwrap();
        never_falls(&objectives);
        assert!(objectives.len() > 5);
        // A floor that is reached.
        for floor in [1e-6, 0.5] {
            let training = training.clone().with_variance_floor(floor).unwrap();
            let (_, objectives) =
                series_model().expectation_maximisation(&items, Some(&weights), &training).unwrap();
            never_falls(&objectives);
        }
    }
    for kind in [CovarianceKind::Diagonal, CovarianceKind::Full] {
        for floor in [1e-6, 0.5] {
            for seed in 0..5 {
                let training =
                    MixtureTraining::new(3).unwrap().covariances(kind).with_seed(seed).iterations(1);
                let training = training.with_variance_floor(floor).unwrap();
                let first = GaussianMixture::train(&training, &points, None).unwrap();
                let training = training.iterations(100).tolerance(0.0).unwrap();
                let (model, logs) = first.expectation_maximisation(&points, None, &training).unwrap();
                never_falls(&logs);
                let log: f64 = points.iter().map(|p| model.log_likelihood(*p).unwrap()).sum();
                assert!((log - logs[logs.len() - 1]).abs() < 1e-9 * log.abs());
            }
        }
    }
}

#[test]
fn training_is_determined_by_its_seed_and_weights_count_items() {
    let strings = ["abab", "baba", "cc", "ccc", "abc"];
    let training = HiddenMarkovTraining::new(2).unwrap().with_seed(3).restarts(2).unwrap();
    let model = StringMarkov::train(&training, &strings, None).unwrap();
    assert_eq!(StringMarkov::train(&training, &strings, None).unwrap(), model);
    assert_ne!(StringMarkov::train(&training.clone().with_seed(4), &strings, None).unwrap(), model);
    // More starts cannot end lower.
    let total = |model: &StringMarkov| strings.iter().map(|s| model.log_likelihood(s).unwrap()).sum::<f64>();
    let plain = training.clone().with_pseudocount(0.0).unwrap();
    let one = StringMarkov::train(&plain.clone().restarts(1).unwrap(), &strings, None).unwrap();
    let many = StringMarkov::train(&plain.restarts(8).unwrap(), &strings, None).unwrap();
    assert!(total(&many) >= total(&one) - 1e-9);
    // Going on from the same start, a weight of 2 is the item twice.
    let first = string_model();
    let (weighted, _) =
        first.expectation_maximisation(&["abab", "cc"], Some(&[2.0, 1.0]), &training).unwrap();
    let (twice, _) = first.expectation_maximisation(&["abab", "abab", "cc"], None, &training).unwrap();
    // The tolerance is per item, so both stop alike.
    close("transition", weighted.transition(), twice.transition(), 1e-12);
    close("emission", weighted.emission().probabilities(), twice.emission().probabilities(), 1e-12);
}

fn fisher_laws<X: ?Sized, M: Generative<X>>(name: &str, kernel: &Fisher<M>, items: &[&X]) {
    let views: Vec<&X> = items.to_vec();
    let n = views.len();
    let gram = Matrix::from_fn(n, n, |i, j| kernel.eval(views[i], views[j]));
    for i in 0..n {
        for j in 0..n {
            assert_eq!(gram[(i, j)].to_bits(), gram[(j, i)].to_bits(), "{name}");
            let bound = (gram[(i, i)] * gram[(j, j)]).sqrt();
            assert!(gram[(i, j)].abs() <= bound + 1e-9 * bound.max(1e-6), "{name} {i} {j}");
        }
    }
    let eigenvalues = symmetric_eigenvalues(&gram).unwrap();
    assert!(eigenvalues[0] > -1e-9 * eigenvalues[n - 1], "{name}: {eigenvalues:?}");
}

#[test]
fn fisher_kernels_obey_the_laws_and_whitening_is_the_inverse_information() {
    let strings = ["abab", "baba", "cc", "ccc", "abc", "", "bbca", "cab"];
    let kernel = Fisher::<StringMarkov>::train(HiddenMarkovTraining::new(2).unwrap(), FisherForm::Practical);
    let practical = kernel.learn(&strings, None).unwrap();
    fisher_laws("practical", &practical, &strings);
    let scores: Vec<Vec<f64>> =
        strings.iter().map(|s| practical.model().unwrap().score(s).unwrap()).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    assert!((practical.eval("abab", "cc") - dot(&scores[0], &scores[2])).abs() < 1e-12);

    let whitened = Fisher::of(practical.model().unwrap().clone(), FisherForm::Whitened);
    let whitened = whitened.learn(&strings, None).unwrap();
    fisher_laws("whitened", &whitened, &strings);
    // K = U I⁺ Uᵀ with I = UᵀU/n: n times a projection of the rank that was kept.
    let n = strings.len();
    let gram = Matrix::from_fn(n, n, |i, j| whitened.eval(strings[i], strings[j]));
    let eigenvalues = symmetric_eigenvalues(&gram).unwrap();
    let rank = whitened.rank().unwrap();
    assert!(rank > 1 && rank < n, "{rank}");
    for (k, value) in eigenvalues.iter().enumerate() {
        let expected = if k >= n - rank { n as f64 } else { 0.0 };
        assert!((value - expected).abs() < 1e-5 * n as f64, "{k}: {value}, expected {expected}");
    }

    let series = random_series(&[5, 9, 1, 20, 7], 2, 3);
    let items: Vec<&Series> = series.iter().collect();
    for form in [FisherForm::Practical, FisherForm::Whitened] {
        let chain = Fisher::<SeriesMarkov>::train(HiddenMarkovTraining::new(2).unwrap(), form);
        fisher_laws("chain", &chain.learn(&items, None).unwrap(), &items);
        for kind in [CovarianceKind::Diagonal, CovarianceKind::Full] {
            let training = MixtureTraining::new(2).unwrap().covariances(kind);
            let mixture = Fisher::<GaussianMixture>::train(training, form);
            fisher_laws::<Series, _>("mixture", &mixture.learn(&items, None).unwrap(), &items);
        }
    }
}

#[test]
fn whitening_does_not_depend_on_units() {
    let series = random_series(&[5, 9, 3, 20, 7, 6, 8, 4, 11], 1, 3);
    let learned = |scale: f64, offset: f64| {
        let items: Vec<Series> = series
            .iter()
            .map(|s| Series::univariate(s.values().iter().map(|v| scale * v + offset).collect()).unwrap())
            .collect();
        let variances = Covariances::Diagonal(vec![1.5 * scale * scale]);
        let model = GaussianMixture::new(vec![1.0], vec![0.2 * scale + offset], variances).unwrap();
        let kernel = Fisher::of(model, FisherForm::Whitened);
        (kernel.learn(&items.iter().collect::<Vec<_>>(), None).unwrap(), items)
    };
    let ((one, x), (two, z)) = (learned(1.0, 0.0), learned(30.0, 7.0));
    for i in 0..series.len() {
        for j in 0..series.len() {
            let (a, b) = (one.eval(&x[i], &x[j]), two.eval(&z[i], &z[j]));
            assert!((a - b).abs() < 1e-6, "{i} {j}: {a} {b}");
        }
    }
}

#[test]
fn refusals_name_what_is_wrong() {
    assert!(matches!(HiddenMarkovTraining::new(0), Err(Error::Parameter { name: "states", .. })));
    assert!(matches!(MixtureTraining::new(0), Err(Error::Parameter { name: "components", .. })));
    assert!(PairHiddenMarkov::new(0.0, 0.5).is_err() && PairHiddenMarkov::new(0.5, 1.0).is_err());
    let alphabet = || Alphabet::of(["ab"]).unwrap();
    let bad = [
        PairParameters::new(alphabet(), vec![0.5, 0.5], vec![0.5, 0.5], 0.1, 0.1),
        PairParameters::new(alphabet(), vec![0.4, 0.2, 0.0, 0.4], vec![0.5, 0.5], 0.1, 0.1),
        PairParameters::new(alphabet(), vec![0.5, 0.0, 0.0, 0.5], vec![1.0, 0.0], 0.1, 0.1),
        PairParameters::new(alphabet(), vec![0.5, 0.0, 0.0, 0.5], vec![0.5, 0.5], 0.1, 1.0),
        PairParameters::new(alphabet(), vec![0.5, 0.0, 0.0, f64::NAN], vec![0.5, 0.5], 0.1, 0.1),
    ];
    assert!(bad.iter().all(Result::is_err), "{bad:?}");
    let untrained =
        Fisher::<StringMarkov>::train(HiddenMarkovTraining::new(2).unwrap(), FisherForm::Practical);
    assert!(matches!(untrained.try_eval("a", "b"), Err(Error::Undefined { .. })));
    assert!(matches!(
        PairHiddenMarkov::new(0.1, 0.1).unwrap().try_eval("a", "b"),
        Err(Error::Undefined { .. })
    ));
    let learned = untrained.learn(&["ab", "ba"], None).unwrap();
    let error = learned.try_eval("ab", "abx").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the kernel of this string is undefined: character 3, `x`, is not in the alphabet of the model"
    );
    assert!(learned.eval("ab", "abx").is_nan());
    assert!(untrained.learn(&[], None).is_err() && untrained.learn(&["", ""], None).is_err());
    assert!(untrained.learn(&["ab"], Some(&[1.0, 1.0])).is_err());
    let series = [Series::univariate(vec![1.0]).unwrap(), Series::new(vec![1.0, 2.0], 2).unwrap()];
    let items: Vec<&Series> = series.iter().collect();
    assert!(matches!(
        SeriesMarkov::train(&HiddenMarkovTraining::new(1).unwrap(), &items, None),
        Err(Error::Shape { .. })
    ));
    assert!(matches!(series_model().log_likelihood(&series[0]), Err(Error::Shape { .. })));
    // A constant series can be learned from.
    let constant = Series::univariate(vec![3.0; 5]).unwrap();
    let model = SeriesMarkov::train(&HiddenMarkovTraining::new(2).unwrap(), &[&constant], None).unwrap();
    assert!(model.log_likelihood(&constant).unwrap().is_finite());
    let ragged: [&[f64]; 2] = [&[1.0], &[1.0, 2.0]];
    assert!(GaussianMixture::train(&MixtureTraining::new(1).unwrap(), &ragged, None).is_err());
    let infinite: [&[f64]; 2] = [&[1.0], &[f64::NAN]];
    assert!(GaussianMixture::train(&MixtureTraining::new(1).unwrap(), &infinite, None).is_err());
    assert!(matches!(
        GaussianMixture::new(vec![1.0], vec![0.0, 0.0], Covariances::Full(vec![1.0, 2.0, 2.0, 1.0])),
        Err(Error::Pivot { .. })
    ));
    assert!(HiddenMarkov::new(vec![0.5, 0.6], vec![0.5; 4], series_model().emission().clone()).is_err());
}

#[test]
fn kernels_are_stored_and_read_back() {
    let strings = ["abab", "baba", "cc", "ccc", "abc"];
    let kernel = Fisher::<StringMarkov>::train(HiddenMarkovTraining::new(2).unwrap(), FisherForm::Whitened);
    let kernel = kernel.learn(&strings, None).unwrap();
    let text = serde_json::to_string(&kernel).unwrap();
    let loaded: Fisher<StringMarkov> = serde_json::from_str(&text).unwrap();
    assert_eq!(loaded, kernel);
    assert_eq!(loaded.eval("abc", "cc").to_bits(), kernel.eval("abc", "cc").to_bits());

    let series = random_series(&[5, 9, 3], 2, 3);
    let items: Vec<&Series> = series.iter().collect();
    let training = MixtureTraining::new(2).unwrap().covariances(CovarianceKind::Full);
    let kernel =
        Fisher::<GaussianMixture>::train(training, FisherForm::Practical).learn(&items, None).unwrap();
    let loaded: Fisher<GaussianMixture> =
        serde_json::from_str(&serde_json::to_string(&kernel).unwrap()).unwrap();
    assert_eq!(loaded, kernel);
    assert_eq!(loaded.eval(items[0], items[1]).to_bits(), kernel.eval(items[0], items[1]).to_bits());

    let kernel = PairHiddenMarkov::new(0.1, 0.2).unwrap().learn(&strings, None).unwrap();
    let text = serde_json::to_string(&kernel).unwrap();
    let loaded: PairHiddenMarkov = serde_json::from_str(&text).unwrap();
    assert_eq!(loaded, kernel);
    assert_eq!(loaded.eval("abc", "cc").to_bits(), kernel.eval("abc", "cc").to_bits());
    assert!(
        serde_json::from_str::<StringMarkov>(
            r#"{"start":[1],"transition":[2],"emission":{"alphabet":["a"],"probabilities":[1]}}"#
        )
        .is_err()
    );
}
