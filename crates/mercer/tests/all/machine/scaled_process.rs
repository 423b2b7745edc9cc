//! Gaussian processes on items whose kernels have no derivatives: their factor and the noise are learned.

use mercer::data::{Collection, Labels};
use mercer::gram::CollectionKernel;
use mercer::linalg::Matrix;
use mercer::machine::{GaussianProcess, LaplaceClassifier};

fn words() -> Vec<String> {
    (0..40).map(|i| "ab".repeat(i % 5) + &"cd".repeat(i * 7 % 6) + "e").collect()
}

fn kernel() -> CollectionKernel {
    "normalised(spectrum(k=2))".parse().unwrap()
}

fn scaled(kernel: &CollectionKernel, by: f64) -> mercer::Result<CollectionKernel> {
    format!("{by} * ({kernel})").parse()
}

#[test]
fn no_factor_and_noise_of_a_grid_are_likelier() {
    let items = Collection::Strings(words());
    let target = |i: usize| (i % 5) as f64 + ((i * 31 % 17) as f64 / 17.0 - 0.5);
    let targets = Matrix::from_fn(40, 1, |i, _| target(i));
    let machine = |kernel| GaussianProcess::params(kernel).normalise_targets(true);
    let learned = machine(kernel()).check().unwrap().fit_scaled(&items, &targets, None, &scaled).unwrap();
    let best = learned.report().likelihood;
    let mut nearest = f64::NEG_INFINITY;
    for factor in (-6..=6).map(|k| 10f64.powf(f64::from(k) / 3.0)) {
        for noise in (-15..=3).map(|k| 10f64.powf(f64::from(k) / 3.0)) {
            let tried = machine(scaled(&kernel(), factor).unwrap()).noise(noise).check().unwrap();
            nearest = nearest.max(tried.fit_many(&items, &targets, None).unwrap().report().likelihood);
        }
    }
    assert!(best >= nearest - 1e-9 && best < nearest + 1.0, "{best} {nearest}");
    let told = learned.report().learned.as_ref().unwrap();
    assert!((told.ends[0].unwrap() - best).abs() < 1e-6 && told.rows.is_none());
}

#[test]
fn a_factor_of_classes_is_the_likeliest_of_a_grid() {
    let items = Collection::Strings(words());
    for classes in [2, 3] {
        let labels = Labels::from_text((0..40).map(|i| (i % 5 * classes / 5).to_string()));
        let machine = LaplaceClassifier::params(kernel()).check().unwrap();
        let learned = machine.fit_scaled(&items, &labels, None, &scaled).unwrap();
        let sum = |values: Vec<f64>| values.iter().sum::<f64>();
        let best = sum(learned.likelihoods());
        for factor in (-4..=8).map(|k| 10f64.powf(f64::from(k) / 2.0)) {
            let tried = LaplaceClassifier::params(scaled(&kernel(), factor).unwrap()).check().unwrap();
            let value = sum(tried.fit(&items, &labels).unwrap().likelihoods());
            assert!(best >= value - 0.05, "{classes}: {factor} {best} {value}");
        }
    }
}

#[test]
fn a_bound_that_is_met_is_told() {
    // Targets that are nothing but noise: the kernel has nothing to explain, and the noise goes to its upper end or the factor falls.
    let items = Collection::Strings(vec!["ab".into(), "ab".into(), "cd".into(), "cd".into()]);
    let targets = Matrix::new(vec![1.0, -1.0, 1.0, -1.0], 4, 1).unwrap();
    let model = GaussianProcess::params(kernel())
        .check()
        .unwrap()
        .fit_scaled(&items, &targets, None, &scaled)
        .unwrap();
    let told = model.report().learned.as_ref().unwrap();
    assert!(!told.at_bounds.is_empty(), "{told:?}");
    let constant = Matrix::zeros(4, 1);
    assert!(
        GaussianProcess::params(kernel())
            .check()
            .unwrap()
            .fit_scaled(&items, &constant, None, &scaled)
            .is_ok()
    );
}
