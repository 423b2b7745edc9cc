//! Kernels on time series against tslearn, stored by tools/reference/series.py.

use std::collections::BTreeMap;

use mercer::data::Series;
use mercer::kernel::series::{DynamicTimeWarping, GlobalAlignment, Width};
use mercer::kernel::{DigestKernel, Kernel};
use serde::Deserialize;

type Values = Vec<Vec<f64>>;

#[derive(Deserialize)]
struct Fixture {
    cases: Vec<Case>,
    median: Median,
}

#[derive(Deserialize)]
struct Case {
    series: Vec<Vec<Vec<f64>>>,
    normalised: BTreeMap<String, Values>,
    plain: BTreeMap<String, Values>,
    dtw: Values,
    dtw_radius: BTreeMap<String, Values>,
}

#[derive(Deserialize)]
struct Median {
    series: Vec<Vec<f64>>,
    sigma: f64,
}

fn fixture() -> Fixture {
    serde_json::from_str(include_str!("../../fixtures/series.json")).unwrap()
}

fn agree(name: &str, series: &[Series], expected: &Values, value: impl Fn(&Series, &Series) -> f64) {
    for (i, row) in expected.iter().enumerate() {
        for (j, &expected) in row.iter().enumerate() {
            let found = value(&series[i], &series[j]);
            assert!(
                (found - expected).abs() <= 1e-10 * expected.abs().max(1e-3),
                "{name} at {i}, {j}: {found}, tslearn {expected}"
            );
        }
    }
}

#[test]
fn values_agree() {
    for case in fixture().cases {
        let series: Vec<Series> = case
            .series
            .iter()
            .map(|times| Series::new(times.iter().flatten().copied().collect(), times[0].len()).unwrap())
            .collect();
        for (sigma, expected) in &case.normalised {
            let kernel = GlobalAlignment::sigma(sigma.parse().unwrap()).unwrap();
            agree(&format!("gak {sigma}"), &series, expected, |x, z| kernel.eval(x, z));
        }
        for (sigma, expected) in &case.plain {
            let kernel = GlobalAlignment::sigma(sigma.parse().unwrap()).unwrap().normalised(false);
            agree(&format!("plain gak {sigma}"), &series, expected, |x, z| kernel.eval(x, z));
        }
        let kernel = DynamicTimeWarping::gamma(1.0).unwrap();
        agree("dtw", &series, &case.dtw, |x, z| kernel.distance(x, z).unwrap());
        for (radius, expected) in &case.dtw_radius {
            let kernel = kernel.clone().radius(radius.parse().unwrap());
            agree(&format!("dtw {radius}"), &series, expected, |x, z| kernel.distance(x, z).unwrap());
        }
    }
}

#[test]
fn the_median_width_of_series_of_equal_length_agrees() {
    let median = fixture().median;
    let series: Vec<Series> =
        median.series.into_iter().map(|values| Series::univariate(values).unwrap()).collect();
    let items: Vec<&Series> = series.iter().collect();
    let learned = GlobalAlignment::median(1.0).unwrap().learn(&items, None).unwrap();
    assert!(
        matches!(learned.width(), Width::Value(sigma) if (sigma - median.sigma).abs() < 1e-12),
        "{learned:?}"
    );
}
