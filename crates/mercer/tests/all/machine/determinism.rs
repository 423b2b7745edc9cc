//! The same bits for any number of threads, any memory, any batch.

use mercer::data::{Items, Labels, Sparse, Vectors};
use mercer::gram::Precision;
use mercer::kernel::Expression;
use mercer::machine::{Svc, SvcModel};
use mercer_testkit::synthetic;

use super::small_set;

type Model = SvcModel<Expression, Vectors<'static>>;

fn fit(kernel: &str, rows: &Vectors<'_>, labels: &Labels, threads: usize, memory: u64) -> Model {
    let machine = Svc::params(kernel.parse::<Expression>().unwrap())
        .cost(10.0)
        .precision(Precision::F32)
        .threads(threads)
        .memory(memory)
        .check()
        .unwrap();
    machine.fit(rows, labels).unwrap().with_threads(threads)
}

fn assert_same(a: &Model, b: &Model, what: &str) {
    assert_eq!(a.pairs().support, b.pairs().support, "{what}");
    let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&a.pairs().coefficients), bits(&b.pairs().coefficients), "{what}");
    assert_eq!(bits(&a.pairs().offsets), bits(&b.pairs().offsets), "{what}");
}

fn sets() -> Vec<(&'static str, Vectors<'static>, Labels)> {
    // Large enough for several working sets and for shrinking.
    let checkerboard = synthetic::checkerboard(6000, 4, 1);
    let wide = synthetic::two_gaussians(3000, 60, 2.0, 2);
    let sparse = synthetic::sparse_rows(3000, 500, 0.02, 3);
    let as_vectors = |sample: &synthetic::Sample| Vectors::from_rows(&sample.rows).unwrap();
    let numbers = |labels: &[f64]| Labels::from_numbers(labels).unwrap();
    vec![
        ("gaussian(gamma=8)", as_vectors(&checkerboard), numbers(&checkerboard.labels)),
        ("gaussian(gamma=0.01) + 0.1 * linear", as_vectors(&wide), numbers(&wide.labels)),
        (
            "gaussian(gamma=0.05)",
            Sparse::new(&sparse.offsets, &sparse.indices, sparse.values.clone(), sparse.columns)
                .unwrap()
                .into(),
            numbers(&sparse.labels),
        ),
    ]
}

#[test]
fn threads_and_memory_do_not_change_a_bit() {
    for (kernel, rows, labels) in sets() {
        let reference = fit(kernel, &rows, &labels, 1, 50 << 20);
        for (threads, memory) in [(2, 50 << 20), (1, 4 << 30), (4, 1 << 20), (2, 0)] {
            let other = fit(kernel, &rows, &labels, threads, memory);
            assert_same(&reference, &other, &format!("{kernel}, {threads} threads, {memory} bytes"));
        }
    }
}

#[test]
fn many_classes_on_many_threads() {
    let (rows, labels) = small_set("iris.csv");
    assert_same(&fit("gaussian", &rows, &labels, 1, 0), &fit("gaussian", &rows, &labels, 3, 1 << 20), "iris");
}

#[test]
fn batches_do_not_change_a_prediction() {
    for (kernel, rows, labels) in sets() {
        let model = fit(kernel, &rows, &labels, 2, 50 << 20);
        let first: Vec<usize> = (0..300).collect();
        let whole = model.decision_values(&rows.select(&first)).unwrap();
        let everything = model.decision_values(&rows).unwrap();
        for i in first {
            let alone = model.decision_values(&rows.select(&[i])).unwrap();
            assert_eq!(alone[0].to_bits(), whole[i].to_bits(), "{kernel}: row {i} alone");
            assert_eq!(everything[i].to_bits(), whole[i].to_bits(), "{kernel}: row {i} among all");
        }
    }
    let (rows, labels) = small_set("iris.csv");
    let model = fit("gaussian", &rows, &labels, 2, 1 << 20);
    let whole = model.decision_values(&rows).unwrap();
    for i in 0..rows.len() {
        let alone = model.decision_values(&rows.select(&[i])).unwrap();
        assert_eq!(alone, whole[i * 3..][..3], "row {i}");
    }
}

#[test]
fn training_values_are_predicted_values() {
    // What the solver saw is what the model says, to rounding in double precision.
    let (rows, labels) = small_set("heart_scale");
    let model = Svc::params("gaussian(gamma=0.1)".parse::<Expression>().unwrap())
        .precision(Precision::F64)
        .check()
        .unwrap()
        .fit(&rows, &labels)
        .unwrap();
    let decisions = model.decision_values(&rows).unwrap();
    for &(row, slack) in &model.slacks()[0] {
        let y = if labels.codes()[row] == 1 { 1.0 } else { -1.0 };
        assert!((1.0 - y * decisions[row] - slack).abs() < 1e-9, "row {row}");
    }
}
