//! Gram matrices against scikit-learn's, stored by tools/reference/kernel_values.py.

use mercer::data::{Items, Vectors};
use mercer::kernel::Kernel;
use serde::Deserialize;

use super::kernel;

#[derive(Deserialize)]
struct Fixture {
    rows: Vec<Vec<f64>>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    kernel: String,
    values: Vec<Vec<f64>>,
}

#[test]
fn values_agree() {
    let fixture: Fixture = serde_json::from_str(include_str!("../../fixtures/kernels.json")).unwrap();
    let rows = Vectors::from_rows(&fixture.rows).unwrap();
    assert!(fixture.cases.len() > 20);
    for case in &fixture.cases {
        let kernel = kernel(&case.kernel).resolve(&rows).unwrap();
        for (i, expected) in case.values.iter().enumerate() {
            for (j, &expected) in expected.iter().enumerate() {
                let found = if i == j {
                    kernel.eval_diagonal(&rows.get(i))
                } else {
                    kernel.eval(&rows.get(i), &rows.get(j))
                };
                // scikit-learn finds distances through inner products, hence not to the last digits.
                let tolerance = 1e-12 * expected.abs().max(1.0);
                assert!(
                    (found - expected).abs() <= tolerance,
                    "{} at {i}, {j}: {found}, scikit-learn {expected}",
                    case.kernel
                );
            }
        }
    }
}
