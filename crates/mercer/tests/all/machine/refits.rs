//! The exact incremental machine, where rounding leaves a change to the batch solver.

use mercer::data::{Labels, Random, Row, Vectors};
use mercer::kernel::Expression;
use mercer::machine::Svc;
use mercer::machine::online::{IncrementalSvc, RowMemory};

/// Whole numbers a thousand times as large at C = 1e6: values of f are sums of numbers of 1e12, so that the conditions cannot be
/// met as exactly as an update needs.
#[test]
fn what_rounding_keeps_from_an_exact_update_is_trained_by_the_batch_solver() {
    let mut random = Random::new(5);
    let cost = 1e6;
    let mut machine = IncrementalSvc::new(RowMemory::new("linear".parse().unwrap()).unwrap(), cost).unwrap();
    let (mut rows, mut labels, mut ids) = (Vec::new(), Vec::new(), Vec::new());
    let mut refits = Vec::new();
    for i in 0..40 {
        let row = [1e3 * random.normal().round(), 1e3 * random.normal().round()];
        let label = if random.normal() > 0.0 { 1.0 } else { -1.0 };
        ids.push(machine.add(Row::Dense64(&row), label).unwrap());
        rows.push(row);
        labels.push(label);
        if i % 5 == 4 {
            machine.remove(ids.remove(0)).unwrap();
            rows.remove(0);
            labels.remove(0);
        }
        if machine.refits() > refits.len() as u64 {
            refits.push(i);
            assert!(machine.violation().unwrap() < 1e-2);
            assert!(machine.coefficients().iter().all(|beta| beta.abs() <= cost));
            compare_with_batch(&machine, &rows, &labels);
        }
    }
    assert!(!refits.is_empty(), "no change was left to the batch solver");
    compare_with_batch(&machine, &rows, &labels);
}

/// The dual objective and the decision values of the batch machine.
fn compare_with_batch(machine: &IncrementalSvc<RowMemory>, rows: &[[f64; 2]], labels: &[f64]) {
    let items = Vectors::from_rows(rows).unwrap();
    let classes = Labels::from_numbers(labels).unwrap();
    let batch = Svc::params("linear".parse::<Expression>().unwrap()).cost(machine.cost()).tolerance(1e-6);
    let batch = batch.check().unwrap().fit(&items, &classes).unwrap();
    let certificate = batch.pairs().reports[0].certificate;
    let objective = machine.objective();
    assert!(objective <= certificate.primal * (1.0 + 1e-6), "{objective} and {certificate:?}");
    assert!(objective >= certificate.dual * (1.0 - 1e-6), "{objective} and {certificate:?}");
}
