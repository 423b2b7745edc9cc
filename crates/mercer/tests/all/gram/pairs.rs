use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mercer::Error;
use mercer::data::{Items, Row, Vectors};
use mercer::gram::{BulkKernel, Columns, Gram, PairsGram, Pairwise, Plan, Precision, SymmetricGram};
use mercer::kernel::{Definiteness, Fallible};
use mercer::resources::Workers;

use super::contract::{assert_bits, check_contract, check_symmetric, whole};

fn plan(precision: Precision, threads: usize) -> Plan {
    Plan { precision, workers: Arc::new(Workers::new(threads)), ..Plan::new().unwrap() }
}

fn words(n: usize) -> Vec<String> {
    (0..n).map(|i| format!("{:b}-{}", i * 37 % 101, "ab".repeat(i % 5))).collect()
}

/// Not symmetric in its last bits, as kernels written by hand often are.
fn sloppy(a: &str, b: &str) -> f64 {
    let weight = |s: &str| s.bytes().map(|c| 1.0 / f64::from(c)).sum::<f64>();
    (weight(a) * 1.1 + 0.3) * weight(b) + if a < b { 1e-16 } else { 0.0 }
}

#[test]
fn both_verbs_keep_the_contract_in_both_precisions_for_any_number_of_threads() {
    let (items, new) = (words(45), words(23));
    for precision in [Precision::F64, Precision::F32] {
        let one = whole(&PairsGram::symmetric(&items, &sloppy, &plan(precision, 1)).unwrap());
        for threads in [1, 2, 4] {
            let gram = PairsGram::symmetric(&items, &sloppy, &plan(precision, threads)).unwrap();
            assert_eq!(gram.precision(), precision);
            check_symmetric(&gram);
            assert_bits(&whole(&gram), &one, "threads");
            check_contract(&PairsGram::cross(&items, &new, &sloppy, &plan(precision, threads)).unwrap());
        }
    }
}

#[test]
fn values_are_those_of_the_kernel() {
    let items = words(12);
    let gram = PairsGram::symmetric(&items, &sloppy, &plan(Precision::F64, 2)).unwrap();
    let values = whole(&gram);
    for i in 0..12 {
        for j in i..12 {
            assert_eq!(values[i * 12 + j], sloppy(&items[i], &items[j]));
        }
    }
}

#[test]
fn a_square_block_calls_the_kernel_once_per_pair() {
    let calls = AtomicUsize::new(0);
    let counting = |a: &f64, b: &f64| {
        calls.fetch_add(1, Ordering::Relaxed);
        a * b
    };
    let items: Vec<f64> = (0..20).map(f64::from).collect();
    let gram = PairsGram::symmetric(&items, &counting, &plan(Precision::F64, 2)).unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 20);
    whole(&gram);
    assert_eq!(calls.load(Ordering::Relaxed), 20 + 190);
}

#[test]
fn the_error_of_a_kernel_is_passed_on_and_the_first_one_wins() {
    let items: Vec<usize> = (0..40).collect();
    for threads in [1, 4] {
        let failing = Fallible(|&a: &usize, &b: &usize| match a.max(b) {
            30.. if a != b => Err(format!("no value for {a} and {b}")),
            _ => Ok(1.0),
        });
        let gram = PairsGram::symmetric(&items, &failing, &plan(Precision::F64, threads)).unwrap();
        let mut f = vec![0.0; 40];
        let error = gram.accumulate(&[3, 4], &[1.0, 1.0], Columns::Range(0..40), &mut f).unwrap_err();
        assert!(matches!(error, Error::Callable(_)));
        assert_eq!(error.to_string(), "the kernel failed: no value for 3 and 30");
    }
}

#[test]
fn a_value_that_is_no_number_is_an_error_with_its_place() {
    let items = vec![1.0, 2.0, 3.0];
    let kernel = |a: &f64, b: &f64| if a + b == 5.0 { f64::NAN } else { a * b };
    let gram = PairsGram::symmetric(&items, &kernel, &plan(Precision::F64, 1)).unwrap();
    let mut f = vec![0.0; 3];
    let error = gram.accumulate(&[2], &[1.0], Columns::Range(0..3), &mut f).unwrap_err();
    assert!(matches!(error, Error::KernelValue { row: 2, column: 1, value } if value.is_nan()));
    // On the diagonal it is found at once; in single precision the range is smaller.
    let huge = |a: &f64, b: &f64| a * b * 1e40;
    assert!(PairsGram::symmetric(&items, &huge, &plan(Precision::F64, 1)).is_ok());
    let error = PairsGram::symmetric(&items, &huge, &plan(Precision::F32, 1)).unwrap_err();
    assert!(matches!(error, Error::KernelValue { row: 0, column: 0, .. }));
}

#[test]
fn strings_meet_a_kernel_on_str_in_bulk() {
    let items = words(30);
    let kernel = Pairwise::<_, str>::new(sloppy).with_definiteness(Definiteness::Guaranteed);
    let plan = plan(Precision::Auto, 2);
    let kernel = kernel.resolve(&items, None).unwrap();
    let layout = kernel.layout(&items, &plan).unwrap();
    check_symmetric(&*kernel.symmetric(&items, &layout, &plan).unwrap());
    let support = Items::select(&items, &[3, 7, 9]);
    let cross = kernel.cross(&support, &items, &layout, &plan).unwrap();
    assert_eq!(cross.shape(), (3, 30));
    check_contract(&*cross);
    assert_eq!(BulkKernel::<Vec<String>>::definiteness(&kernel), Definiteness::Guaranteed);
}

#[test]
fn numeric_rows_meet_any_function_of_rows() {
    let rows = Vectors::from_rows(&[[1.0, 2.0], [0.5, -1.0], [0.0, 3.0]]).unwrap();
    let first = |x: &Row<'_>, z: &Row<'_>| x.to_dense(1)[0] * z.to_dense(1)[0];
    let kernel = Pairwise::<_, Row<'static>>::new(first);
    let plan = plan(Precision::F64, 1);
    let layout = kernel.layout(&rows, &plan).unwrap();
    assert_eq!(kernel.symmetric(&rows, &layout, &plan).unwrap().diagonal(), [1.0, 0.25, 0.0]);
    let new = Vectors::from_rows(&[[4.0, 0.0]]).unwrap();
    assert_eq!(whole(&*kernel.cross(&rows, &new, &layout, &plan).unwrap()), [4.0, 2.0, 0.0]);
}
