//! Errors of regressions against numbers by hand, and those that scikit-learn's documentation of `sklearn.metrics` gives.

use mercer::evaluation::{Errors, spread};

const TRUTH: [f64; 6] = [3.0, -0.5, 2.0, 7.0, 4.25, 1.0];
const PREDICTED: [f64; 6] = [2.5, 0.0, 2.0, 8.0, 4.5, -1.0];

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{a} is not {b}");
}

#[test]
fn numbers_by_hand() {
    // Residuals 0.5, -0.5, 0, -1, -0.25, 2.
    let errors = Errors::new(&TRUTH, &PREDICTED, None).unwrap();
    assert_eq!(errors.rows, 6);
    near(errors.mean_squared(), 5.5625 / 6.0);
    near(errors.mean_absolute, 4.25 / 6.0);
    near(errors.median_absolute, 0.5);
    near(errors.largest, 2.0);
    near(errors.bias, 0.75 / 6.0);
    near(errors.below, 4.0 / 6.0);
    near(errors.r_squared.unwrap(), 1.0 - 5.5625 / (81.3125 - 16.75f64.powi(2) / 6.0));
    for (found, expected) in errors.quantiles.iter().zip([-0.875, -0.4375, -0.125, 0.375, 1.625]) {
        near(*found, expected);
    }
}

#[test]
fn numbers_of_scikit_learn() {
    let errors = Errors::new(&[3.0, -0.5, 2.0, 7.0], &[2.5, 0.0, 2.0, 8.0], None).unwrap();
    near(errors.r_squared.unwrap(), 0.9486081370449679);
    near(errors.mean_squared(), 0.375);
    near(errors.root_mean_squared, 0.6123724356957945);
    near(errors.mean_absolute, 0.5);
    near(errors.median_absolute, 0.5);
}

#[test]
fn weights_count_as_if_rows_stood_there_so_often() {
    let weights = [1.0, 2.0, 0.0, 1.0, 3.0, 1.0];
    let often: Vec<usize> = (0..6).flat_map(|i| vec![i; weights[i] as usize]).collect();
    let (truth, predicted): (Vec<f64>, Vec<f64>) = often.iter().map(|&i| (TRUTH[i], PREDICTED[i])).unzip();
    let (a, b) = (
        Errors::new(&TRUTH, &PREDICTED, Some(&weights)).unwrap(),
        Errors::new(&truth, &predicted, None).unwrap(),
    );
    near(a.root_mean_squared, b.root_mean_squared);
    near(a.mean_absolute, b.mean_absolute);
    near(a.r_squared.unwrap(), b.r_squared.unwrap());
    near(a.below, b.below);
    near(a.median_absolute, b.median_absolute);
    near(a.largest, b.largest);
    // Equal weights are none, also where neighbours are interpolated.
    let equal = Errors::new(&TRUTH, &PREDICTED, Some(&[0.3; 6])).unwrap();
    let none = Errors::new(&TRUTH, &PREDICTED, None).unwrap();
    near(equal.median_absolute, none.median_absolute);
    equal.quantiles.iter().zip(none.quantiles).for_each(|(a, b)| near(*a, b));
}

#[test]
fn what_cannot_be_compared_is_refused() {
    assert!(Errors::new(&[], &[], None).is_err());
    assert!(Errors::new(&[1.0], &[1.0, 2.0], None).is_err());
    assert!(Errors::new(&[1.0], &[1.0], Some(&[-1.0])).is_err());
    // One target that is always the same has no variance to explain.
    let errors = Errors::new(&[2.0, 2.0], &[1.0, 2.0], None).unwrap();
    assert_eq!((errors.r_squared, errors.largest), (None, 1.0));
}

#[test]
fn spreads_are_robust_and_never_nought_for_numbers_that_differ() {
    // Quartiles 2.25 and 6.75 of 0 to 9.
    let numbers: Vec<f64> = (0..10).map(f64::from).collect();
    near(spread(&numbers, None), 8.25f64.sqrt());
    let wild: Vec<f64> = (0..9).map(f64::from).chain([1e6]).collect();
    near(spread(&wild, None), 4.5 / 1.348_979_500_392_163_5);
    assert_eq!(spread(&[5.0; 4], None), 0.0);
    assert!(spread(&[0.0, 0.0, 0.0, 0.0, 0.0, 1.0], None) > 0.0);
}
