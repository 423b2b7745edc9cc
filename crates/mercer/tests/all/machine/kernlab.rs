//! Machines that kernlab has too, against its answers (`tools/reference/kernlab.R`).

use mercer::data::{Items, Vectors};
use mercer::kernel::Expression;
use mercer::machine::{KernelCca, KernelKMeans, RelevanceMachine};
use mercer_testkit::fixture;
use serde::Deserialize;

use super::matrix_data::wine;

#[derive(Deserialize)]
struct Answers {
    kcca: Views,
    kkmeans: Clusters,
    rvm: Relevance,
}

/// Values of the functions of two views at the rows, of unit length, one row per component.
#[derive(Deserialize)]
struct Views {
    rows: usize,
    gamma: f64,
    first: Vec<Vec<f64>>,
    second: Vec<Vec<f64>>,
    correlations: Vec<f64>,
}

#[derive(Deserialize)]
struct Clusters {
    gamma: f64,
    inertia: f64,
    clusters: Vec<usize>,
}

#[derive(Deserialize)]
struct Relevance {
    x: Vec<f64>,
    y: Vec<f64>,
    gamma: f64,
    noise: f64,
    fitted: Vec<f64>,
    relevant: Vec<usize>,
}

fn answers() -> Answers {
    fixture::read("kernlab.json")
}

fn gaussian(gamma: f64) -> Expression {
    format!("gaussian(gamma={gamma})").parse().unwrap()
}

/// The first rows of wine, of which the features are standardised over these rows alone, as the script does.
fn first_rows(count: usize, columns: std::ops::Range<usize>) -> Vectors<'static> {
    use mercer::data::{Scaling, ScalingKind, read_file};
    let table = read_file(fixture::data("wine.csv"), &Default::default()).unwrap().table().unwrap();
    let rows = table.vectors.select(&(0..count).collect::<Vec<_>>());
    let rows = Scaling::fit(ScalingKind::Standardise, &rows).unwrap().apply(&rows).unwrap();
    let part: Vec<Vec<f64>> =
        (0..count).map(|i| rows.get(i).to_dense(rows.columns())[columns.clone()].to_vec()).collect();
    Vectors::from_rows(&part).unwrap()
}

#[test]
fn canonical_correlations_are_kernlabs() {
    let Views { rows, gamma, first, second, correlations } = answers().kcca;
    // α'(K² + γK)α is n times variance plus γ/n times ‖w‖²; ours are (1 − τ) and τ of the two.
    let ratio = gamma / rows as f64;
    let machine = KernelCca::params().components(2).regularisation(ratio / (1.0 + ratio)).precision(1e-12);
    let (one, other) = (first_rows(rows, 0..6), first_rows(rows, 6..13));
    let kernel = gaussian(0.1);
    let (fit, (a, b)) = machine.check().unwrap().fit_two((&kernel, &one), (&kernel, &other)).unwrap();
    for (found, expected) in fit.correlations.iter().zip(&correlations) {
        assert!((found - expected).abs() < 1e-4, "{found} {expected}");
    }
    for (values, expected) in [(a.transform(&one).unwrap(), &first), (b.transform(&other).unwrap(), &second)]
    {
        for (k, expected) in expected.iter().enumerate() {
            let own: Vec<f64> = (0..rows).map(|i| values[(i, k)]).collect();
            let length = own.iter().map(|v| v * v).sum::<f64>().sqrt();
            let along: f64 = own.iter().zip(expected).map(|(a, b)| a * b).sum::<f64>() / length;
            assert!(along.abs() > 1.0 - 1e-6, "component {k}: {along}");
        }
    }
}

#[test]
fn clusters_are_as_good_as_kernlabs() {
    let Clusters { gamma, inertia, clusters } = answers().kkmeans;
    let machine = KernelKMeans::params(gaussian(gamma), 3).restarts(19).check().unwrap();
    let fit = machine.fit(&wine()).unwrap().fit().clone();
    assert!(fit.inertia < inertia + 1e-8, "{} {inertia}", fit.inertia);
    assert!((fit.inertia - inertia).abs() < 1e-8 && fit.clusters == clusters, "{} {inertia}", fit.inertia);
}

#[test]
fn relevance_vectors_are_as_few_as_kernlabs() {
    let Relevance { x, y, gamma, noise, fitted, relevant } = answers().rvm;
    let rows = Vectors::from_rows(&x.iter().map(|x| [*x]).collect::<Vec<_>>()).unwrap();
    let machine = RelevanceMachine::params(gaussian(gamma)).offset(false).tolerance(1e-6).check().unwrap();
    let model = machine.fit(&rows, &y).unwrap();
    let report = model.report();
    // Which of two neighbours stands for both is a matter of rounding; how many, how much noise and what is said is not.
    assert!(report.relevant.len().abs_diff(relevant.len()) <= 1, "{:?} {relevant:?}", report.relevant);
    assert!((report.noise / noise - 1.0).abs() < 0.02, "{} {noise}", report.noise);
    let said = model.predict(&rows).unwrap();
    let apart = said.iter().zip(&fitted).fold(0.0f64, |most, (a, b)| most.max((a - b).abs()));
    assert!(apart < 0.2 * noise.sqrt(), "{apart}");
}
