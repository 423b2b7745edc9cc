//! Leave-one-out predictions of regressions against training without the row.

use mercer::data::{Items, ReadOptions, Scaling, ScalingKind, Vectors, read_file};
use mercer::error::Error;
use mercer::evaluation::estimates::{leave_one_out_regression, leave_one_out_ridge};
use mercer::gram::PrecomputedGram;
use mercer::kernel::Expression;
use mercer::machine::{Loss, Svr};
use mercer::solver::Control;
use mercer_testkit::fixture;

use super::gram_of;

const KERNEL: &str = "gaussian(gamma=0.1)";

/// Every third car, standardised.
fn cars() -> (Vectors<'static>, Vec<f64>) {
    let table = read_file(fixture::data("auto_mpg.csv"), &ReadOptions::default()).unwrap().table().unwrap();
    let some: Vec<usize> = (0..table.vectors.len()).step_by(3).collect();
    let rows = table.vectors.select(&some);
    let targets = table.targets.numbers().unwrap();
    let targets = some.iter().map(|&i| (targets[i] - 23.0) / 8.0).collect();
    (Scaling::fit(ScalingKind::Standardise, &rows).unwrap().apply(&rows).unwrap(), targets)
}

#[test]
fn support_vector_regression() {
    let (rows, targets) = cars();
    let gram = gram_of(&rows, KERNEL);
    let weights: Vec<f64> = (0..rows.len()).map(|i| [1.0, 2.0, 0.5, 0.0][(i / 5) % 4]).collect();
    for (loss, offset) in [
        (Loss::Linear { tube: 0.2 }, true),
        (Loss::Linear { tube: 0.1 }, false),
        (Loss::Quadratic { tube: 0.1 }, true),
        (Loss::Quadratic { tube: 0.0 }, true),
        (Loss::Huber { width: 0.3 }, true),
        (Loss::Quantile { level: 0.7 }, true),
    ] {
        let params = Svr::params(KERNEL.parse::<Expression>().unwrap()).cost(3.0).loss(loss).offset(offset);
        let machine = params.tolerance(1e-9).check().unwrap();
        let found = leave_one_out_regression(&machine, &gram, &targets, Some(&weights)).unwrap();
        assert_eq!(found.len(), targets.len());
        for i in 0..targets.len() {
            let others: Vec<usize> = (0..targets.len()).filter(|&j| j != i).collect();
            let pick = |values: &[f64]| others.iter().map(|&j| values[j]).collect::<Vec<f64>>();
            let (kept, weights) = (pick(&targets), pick(&weights));
            let go_on = |_: &_| Control::Continue;
            let model = machine.fit_observed(&rows.select(&others), &kept, Some(&weights), None, &go_on);
            let expected = model.unwrap().predict(&rows.select(&[i])).unwrap()[0];
            assert!((found[i] - expected).abs() < 2e-6, "{loss}, row {i}: {} {expected}", found[i]);
        }
    }
}

#[test]
fn a_tube_that_is_found_is_refused() {
    let (rows, targets) = cars();
    let machine = Svr::params(()).loss(Loss::Nu { nu: 0.3 }).check().unwrap();
    let refused = leave_one_out_regression(&machine, &gram_of(&rows, KERNEL), &targets, None);
    assert!(matches!(refused, Err(Error::Unsupported { .. })));
}

/// Solves Ax = b by elimination.
fn eliminate(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for c in 0..n {
        let pivot = (c..n).max_by(|&i, &j| a[i][c].abs().total_cmp(&a[j][c].abs())).unwrap();
        a.swap(c, pivot);
        b.swap(c, pivot);
        for r in c + 1..n {
            let factor = a[r][c] / a[c][c];
            for k in c..n {
                a[r][k] -= factor * a[c][k];
            }
            b[r] -= factor * b[c];
        }
    }
    for c in (0..n).rev() {
        for k in c + 1..n {
            b[c] -= a[c][k] * b[k];
        }
        b[c] /= a[c][c];
    }
    b
}

#[test]
fn ridge_regression_in_closed_form() {
    let (rows, targets) = cars();
    let n = 60;
    let rows = rows.select(&(0..n).collect::<Vec<_>>());
    let gram = gram_of(&rows, KERNEL);
    let value = |i: usize, j: usize| gram.values()[i * n + j];
    for offset in [false, true] {
        for lambda in [0.01, 1.0] {
            let found = leave_one_out_ridge(&gram, &targets[..n], lambda, offset, 1 << 24).unwrap();
            for i in 0..n {
                let others: Vec<usize> = (0..n).filter(|&j| j != i).collect();
                let size = n - 1 + usize::from(offset);
                let mut matrix = vec![vec![0.0; size]; size];
                for (r, &j) in others.iter().enumerate() {
                    for (c, &k) in others.iter().enumerate() {
                        matrix[r][c] = value(j, k) + if j == k { lambda } else { 0.0 };
                    }
                    if offset {
                        matrix[r][n - 1] = 1.0;
                        matrix[n - 1][r] = 1.0;
                    }
                }
                let mut right: Vec<f64> = others.iter().map(|&j| targets[j]).collect();
                right.resize(size, 0.0);
                let solution = eliminate(matrix, right);
                let expected = others.iter().zip(&solution).map(|(&j, a)| a * value(i, j)).sum::<f64>()
                    + if offset { solution[n - 1] } else { 0.0 };
                assert!((found[i] - expected).abs() < 1e-9, "{offset} {lambda}: {} {expected}", found[i]);
            }
        }
    }
}

#[test]
fn a_ridge_regression_that_makes_no_sense_is_refused() {
    let gram = PrecomputedGram::symmetric(vec![1.0, 0.0, 0.0, 1.0], 2).unwrap();
    let ridge = |targets: &[f64], lambda: f64, memory: u64| {
        leave_one_out_ridge(&gram, targets, lambda, true, memory).unwrap_err()
    };
    assert!(matches!(ridge(&[1.0], 1.0, 1 << 20), Error::Shape { expected: 2, found: 1, .. }));
    assert!(matches!(ridge(&[1.0, f64::NAN], 1.0, 1 << 20), Error::Entry { index: 1, .. }));
    for lambda in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(ridge(&[1.0, 2.0], lambda, 1 << 20), Error::Parameter { name: "lambda", .. }));
    }
    let error = ridge(&[1.0, 2.0], 1.0, 100);
    assert!(matches!(error, Error::Budget { needed: 128, allowed: 100, .. }), "{error}");
    let one = PrecomputedGram::symmetric(vec![1.0], 1).unwrap();
    assert!(leave_one_out_ridge(&one, &[1.0], 1.0, true, 1 << 20).is_err());
    assert_eq!(leave_one_out_ridge(&one, &[1.0], 1.0, false, 1 << 20).unwrap(), [0.0]);
    let indefinite = PrecomputedGram::symmetric(vec![1.0, 5.0, 5.0, 1.0], 2).unwrap();
    let refused = leave_one_out_ridge(&indefinite, &[1.0, 2.0], 0.1, false, 1 << 20);
    assert!(matches!(refused, Err(Error::Pivot { .. })));
}
