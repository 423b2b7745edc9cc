use std::sync::Arc;

use mercer::Error;
use mercer::gram::{PrecomputedGram, SymmetricGram};
use mercer::resources::{InstructionSet, Workers};

use super::contract::{assert_bits, check_contract, check_symmetric, whole};

fn matrix(n: usize) -> Vec<f64> {
    (0..n * n).map(|at| (-0.01 * ((at / n) as f64 - (at % n) as f64).powi(2)).exp()).collect()
}

#[test]
fn a_square_matrix_keeps_the_contract() {
    let values = matrix(37);
    check_symmetric(&PrecomputedGram::symmetric(&values, 37).unwrap());
    let single: Vec<f32> = values.iter().map(|&v| v as f32).collect();
    check_symmetric(&PrecomputedGram::symmetric(single, 37).unwrap());
}

#[test]
fn a_rectangular_matrix_keeps_the_contract() {
    check_contract(&PrecomputedGram::rectangular(matrix(20), 10, 40).unwrap());
    let empty = PrecomputedGram::rectangular(Vec::<f64>::new(), 3, 0).unwrap();
    assert!(whole(&empty).is_empty());
    assert!(empty.diagonal().is_empty());
}

#[test]
fn the_number_of_threads_does_not_show() {
    use mercer::gram::{Columns, Gram};
    let n = 600;
    let values: Vec<f64> = (0..n * 10000).map(|at| (at as f64).sin()).collect();
    let rows: Vec<usize> = (0..n).collect();
    let weights: Vec<f64> = rows.iter().map(|&i| (i as f64).cos()).collect();
    let sums = |threads| {
        let gram = PrecomputedGram::rectangular(&values, n, 10000)
            .unwrap()
            .with_resources(InstructionSet::strongest(), Arc::new(Workers::new(threads)))
            .unwrap();
        let mut f = vec![0.0; 10000];
        gram.accumulate(&rows, &weights, Columns::Range(0..10000), &mut f).unwrap();
        f
    };
    let one = sums(1);
    for threads in [2, 4] {
        assert_bits(&sums(threads), &one, "threads");
    }
}

#[test]
fn rounding_is_forgiven_and_averaged() {
    let gram = PrecomputedGram::symmetric(vec![1.0, 0.5, 0.5 + 1e-7, 1.0], 2).unwrap();
    check_symmetric(&gram);
    assert!((whole(&gram)[1] - 0.50000005).abs() < 1e-12);
    // An entry that is nearly 0 is compared with the diagonal.
    assert!(PrecomputedGram::symmetric(vec![1.0, 1e-9, -1e-9, 1.0], 2).is_ok());
}

#[test]
fn refusals_name_the_place() {
    let refused = |values: Vec<f64>, n| PrecomputedGram::symmetric(values, n).unwrap_err();
    assert!(matches!(refused(vec![], 0), Error::Empty { .. }));
    assert!(matches!(refused(vec![1.0; 3], 2), Error::Shape { expected: 4, found: 3, .. }));
    assert!(matches!(refused(vec![1.0; 3], usize::MAX), Error::Shape { .. }));
    assert!(matches!(
        refused(vec![1.0, 0.0, f64::NAN, 1.0], 2),
        Error::KernelValue { row: 1, column: 0, value } if value.is_nan()
    ));
    assert!(matches!(
        refused(vec![1.0, 0.5, 0.25, 1.0], 2),
        Error::Asymmetric { row: 0, column: 1, value, mirrored } if value == 0.5 && mirrored == 0.25
    ));
}
