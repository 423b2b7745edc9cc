//! Kernel expressions in bulk, against one pair at a time.

use std::sync::Arc;

use mercer::Error;
use mercer::data::{Dense, Items, Sparse, Vectors};
use mercer::gram::{BulkKernel, Plan, Precision, SymmetricGram, VectorLayout};
use mercer::kernel::{Expression, Kernel};
use mercer::resources::Workers;
use mercer_testkit::laws;
use mercer_testkit::random::Random;

use super::contract::{assert_bits, check_contract, check_symmetric, whole};

fn plan(precision: Precision, threads: usize, cache_bytes: u64) -> Plan {
    let workers = Arc::new(Workers::new(threads));
    Plan { precision, workers, cache_bytes, ..Plan::new().unwrap() }
}

/// Rows of at least 0 with zeros among them, so that every kernel takes them.
fn rows(n: usize, columns: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    (0..n * columns).map(|_| (random.uniform() - 0.3).max(0.0)).collect()
}

fn dense(n: usize, columns: usize, seed: u64) -> Vectors<'static> {
    Dense::new(rows(n, columns, seed), n, columns).unwrap().into()
}

fn sparse(n: usize, columns: usize, seed: u64) -> Vectors<'static> {
    let values = rows(n, columns, seed);
    let (mut offsets, mut indices, mut stored) = (vec![0usize], Vec::new(), Vec::new());
    for row in values.chunks(columns) {
        // Few enough that they stay sparse.
        for (k, &v) in row.iter().enumerate().filter(|(k, v)| **v != 0.0 && k % 5 == 0) {
            indices.push(k as u32);
            stored.push(v);
        }
        offsets.push(stored.len());
    }
    Sparse::from_parts(offsets, indices, stored, columns).unwrap().into()
}

fn train(text: &str, items: &Vectors<'_>, plan: &Plan) -> (Expression, VectorLayout) {
    let kernel = text.parse::<Expression>().unwrap().resolve(items).unwrap();
    let layout = kernel.layout(items, plan).unwrap();
    (kernel, layout)
}

fn cross_values(
    kernel: &Expression,
    (rows, columns): (&Vectors<'static>, &Vectors<'_>),
    layout: &VectorLayout,
    plan: &Plan,
) -> Vec<f64> {
    whole(&*kernel.cross(rows, columns, layout, plan).unwrap())
}

/// Single kernels, and combinations of every kind.
const EXPRESSIONS: [&str; 12] = [
    "gaussian(gamma=0.5)",
    "linear + gaussian(gamma=0.2) + constant(0.5)",
    "linear * gaussian(gamma=0.2)",
    "2.5 * laplacian(gamma=0.3) + 0.5 * polynomial(degree=2)",
    "(linear + 1) ^ 3",
    "normalise(linear + gaussian(gamma=1))",
    "centre(gaussian(gamma=0.3))",
    "normalise(centre(linear + gaussian(gamma=0.7) + white(0.1)))",
    "columns([3, 1, 0], gaussian(gamma=0.4)) + columns(1:4, linear)",
    "columns(1:5, centre(linear) * columns([2, 0], laplacian(gamma=1)) + cosine)",
    "linear + white(0.25)",
    "normalise(linear + white(0.25)) * gaussian(gamma=0.1)",
];

#[test]
fn every_example_agrees_with_single_pairs() {
    let single: Vec<f32> = rows(17, 3, 3).into_iter().map(|v| v as f32).collect();
    let forms: [Vectors<'static>; 3] =
        [dense(17, 3, 3), Dense::new(single, 17, 3).unwrap().into(), sparse(17, 3, 3)];
    for items in forms {
        for example in Expression::examples() {
            let kernel = example.resolve(&items).unwrap();
            for (precision, tolerance) in [(Precision::F64, 1e-11), (Precision::F32, 2e-5)] {
                let plan = plan(precision, 1, 1 << 16);
                let layout = kernel.layout(&items, &plan).unwrap();
                laws::bulk_equals_single(&kernel.to_string(), &kernel, &items, tolerance, |rows, columns| {
                    let (rows, columns) = (items.select(rows), items.select(columns));
                    cross_values(&kernel, (&rows, &columns), &layout, &plan)
                });
            }
        }
    }
}

#[test]
fn training_matrices_agree_with_single_pairs_and_have_the_noise_on_the_diagonal_alone() {
    for text in EXPRESSIONS {
        for items in [dense(23, 6, 1), sparse(23, 6, 1), dense(19, 40, 2), sparse(19, 40, 2)] {
            for (precision, tolerance) in [(Precision::F64, 1e-11), (Precision::F32, 2e-5)] {
                let plan = plan(precision, 2, 1 << 12);
                let (kernel, layout) = train(text, &items, &plan);
                let gram = kernel.symmetric(&items, &layout, &plan).unwrap();
                let (n, values) = (items.len(), whole(&*gram));
                for i in 0..n {
                    for j in 0..n {
                        let (x, z) = (items.get(i), items.get(j));
                        let expected = if i == j { kernel.eval_diagonal(&x) } else { kernel.eval(&x, &z) };
                        let size = expected.abs().max(kernel.eval_diagonal(&x).abs()).max(1.0);
                        let found = values[i * n + j];
                        assert!(
                            (found - expected).abs() <= tolerance * size,
                            "{text} {precision:?} {i} {j}: {found} {expected}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn the_contract_holds_for_combinations() {
    for text in EXPRESSIONS {
        for items in [dense(33, 6, 1), sparse(29, 40, 2)] {
            for precision in [Precision::F64, Precision::F32] {
                let plan = plan(precision, 2, 1 << 12);
                let (kernel, layout) = train(text, &items, &plan);
                assert_eq!(layout.precision(), precision);
                check_symmetric(&*kernel.symmetric(&items, &layout, &plan).unwrap());
                let support = items.select(&[2, 3, 5, 7, 11, 13, 17, 19]);
                check_contract(&*kernel.cross(&support, &items, &layout, &plan).unwrap());
            }
        }
    }
}

#[test]
fn threads_and_budgets_do_not_show() {
    let items = dense(150, 40, 9);
    for text in EXPRESSIONS {
        let (kernel, layout) = train(text, &items, &plan(Precision::F32, 1, 0));
        let sums = |threads, budget| {
            let plan = plan(Precision::F32, threads, budget);
            let gram = kernel.symmetric(&items, &layout, &plan).unwrap();
            let rows: Vec<usize> = (0..150).rev().chain(0..150).collect();
            let weights: Vec<f64> = (0..300).map(|i| (f64::from(i)).cos()).collect();
            let mut f = vec![0.0; 150];
            gram.accumulate(&rows, &weights, mercer::gram::Columns::Range(0..150), &mut f).unwrap();
            f
        };
        let expected = sums(1, 0);
        for (threads, budget) in [(1, 1 << 20), (2, 10_000), (4, 40_000), (4, 0)] {
            assert_bits(&sums(threads, budget), &expected, text);
        }
    }
}

#[test]
fn prediction_has_the_bits_of_training() {
    for text in EXPRESSIONS {
        for items in [dense(20, 6, 4), sparse(20, 40, 4)] {
            let plan = plan(Precision::F32, 1, 0);
            let (kernel, layout) = train(text, &items, &plan);
            let training = whole(&*kernel.symmetric(&items, &layout, &plan).unwrap());
            // A stored layout is as good as the original.
            let layout = serde_json::from_str(&serde_json::to_string(&layout).unwrap()).unwrap();
            let all = items.select(&(0..20).collect::<Vec<_>>());
            let one = items.select(&[7]);
            let again = cross_values(&kernel, (&all, &one), &layout, &plan);
            for i in (0..20).filter(|&i| i != 7) {
                assert_eq!(again[i].to_bits(), training[i * 20 + 7].to_bits(), "{text} {i}");
            }
        }
    }
}

#[test]
fn normalised_items_have_length_one_and_centred_rows_sum_to_zero() {
    let items = dense(31, 6, 5);
    for precision in [Precision::F64, Precision::F32] {
        let plan = plan(precision, 1, 0);
        let (kernel, layout) = train("normalise(linear + polynomial(degree=2))", &items, &plan);
        assert!(kernel.symmetric(&items, &layout, &plan).unwrap().diagonal().iter().all(|&v| v == 1.0));
        let (kernel, layout) = train("centre(linear + gaussian(gamma=1))", &items, &plan);
        let values = whole(&*kernel.symmetric(&items, &layout, &plan).unwrap());
        for row in values.chunks(31) {
            assert!(row.iter().sum::<f64>().abs() < 1e-5, "{}", row.iter().sum::<f64>());
        }
        // H K H, written out.
        let (plain, layout) = train("linear + gaussian(gamma=1)", &items, &plan);
        let k = whole(&*plain.symmetric(&items, &layout, &plan).unwrap());
        let mean = |i: usize| k[i * 31..][..31].iter().sum::<f64>() / 31.0;
        let grand = (0..31).map(mean).sum::<f64>() / 31.0;
        for i in 0..31 {
            for j in 0..31 {
                let expected = k[i * 31 + j] - mean(i) - mean(j) + grand;
                assert!((values[i * 31 + j] - expected).abs() < 1e-6);
            }
        }
    }
}

#[test]
fn white_noise_is_not_predicted() {
    let items = dense(9, 4, 6);
    let plan = plan(Precision::F64, 1, 0);
    let (noisy, layout) = train("gaussian(gamma=1) + white(0.5)", &items, &plan);
    let training = noisy.symmetric(&items, &layout, &plan).unwrap();
    assert!(training.diagonal().iter().all(|&v| v == 1.5));
    let restricted = training.restrict(&[4, 2]).unwrap();
    assert_eq!((whole(&*restricted)[4 * 2], whole(&*restricted)[2 * 2 + 1]), (1.5, 1.5));
    let cross = cross_values(&noisy, (&items, &items), &layout, &plan);
    assert!((0..9).all(|i| cross[i * 9 + i] == 1.0));
}

#[test]
fn dense_and_sparse_rows_agree() {
    let items = sparse(15, 30, 7);
    let values: Vec<f64> = (0..15).flat_map(|i| items.get(i).to_dense(30)).collect();
    let same: Vectors<'_> = Dense::new(values, 15, 30).unwrap().into();
    for text in EXPRESSIONS {
        let plan = plan(Precision::F64, 1, 0);
        let (on_sparse, sparse_layout) = train(text, &items, &plan);
        let (on_dense, dense_layout) = train(text, &same, &plan);
        let a = whole(&*on_sparse.symmetric(&items, &sparse_layout, &plan).unwrap());
        let b = whole(&*on_dense.symmetric(&same, &dense_layout, &plan).unwrap());
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= 1e-10 * b.abs().max(1.0)), "{text}");
        // Rows of the other kind may come at prediction.
        let mixed = cross_values(&on_sparse, (&items, &same), &sparse_layout, &plan);
        let plain = cross_values(&on_sparse, (&items, &items), &sparse_layout, &plan);
        assert_bits(&mixed, &plain, text);
    }
}

#[test]
fn new_rows_must_have_the_columns_of_training() {
    let items = sparse(8, 6, 8);
    let plan = plan(Precision::F64, 1, 0);
    let (kernel, layout) = train("linear + gaussian(gamma=1)", &items, &plan);
    for found in [5, 7] {
        let new = dense(3, found, 1);
        let error = kernel.cross(&items, &new, &layout, &plan).err().unwrap();
        assert!(
            matches!(error, Error::Shape { expected: 6, found: f, what } if f == found && what.contains("columns"))
        );
    }
    let wider = sparse(3, 7, 1);
    assert!(matches!(kernel.cross(&items, &wider, &layout, &plan).err(), Some(Error::Shape { .. })));
    let narrow = sparse(3, 4, 1);
    let found = cross_values(&kernel, (&items, &narrow), &layout, &plan);
    let expected = kernel.eval(&items.get(2), &narrow.get(1));
    assert!((found[2 * 3 + 1] - expected).abs() < 1e-12);
    let empty = Vectors::from_rows::<[f64; 0]>(&[]).unwrap();
    assert_eq!(kernel.cross(&items, &empty, &layout, &plan).unwrap().shape(), (8, 0));
}

#[test]
fn what_cannot_be_is_refused() {
    let items = dense(5, 3, 1);
    let plan = plan(Precision::F64, 1, 0);
    let waiting: Expression = "gaussian + centre(linear)".parse().unwrap();
    assert!(matches!(waiting.layout(&items, &plan), Err(Error::Unsupported { .. })));
    let (kernel, _) = train("linear + cosine", &items, &plan);
    let (_, other) = train("linear", &items, &plan);
    assert!(matches!(kernel.symmetric(&items, &other, &plan).err(), Some(Error::Unsupported { .. })));
    // Squared lengths below 0: the value is no number, and the error names the items.
    let (kernel, layout) = train("normalise(-1 * linear)", &items, &plan);
    let error = kernel.symmetric(&items, &layout, &plan).err().unwrap();
    assert!(matches!(error, Error::KernelValue { row: 0, column: 0, .. }));
    // Kernels on histograms refuse new rows below 0.
    let (kernel, layout) = train("chi2(gamma=1) + linear", &items, &plan);
    let negative = Vectors::from_rows(&[[1.0, -1.0, 0.0]]).unwrap();
    let error = kernel.cross(&items, &negative, &layout, &plan).err().unwrap();
    assert!(matches!(error, Error::Negative { row: 0, column: 1, .. }));
}

#[test]
fn a_multiple_of_a_kernel_is_scaled_in_both_verbs() {
    for items in [dense(12, 3, 2), dense(19, 40, 2), sparse(19, 40, 2)] {
        for text in
            ["0.3 * gaussian(gamma=1)", "0.7 * linear", "-1.7 * cosine", "0.3 * columns([0, 2], gaussian)"]
        {
            for (precision, tolerance) in [(Precision::F64, 1e-12), (Precision::F32, 1e-5)] {
                let plan = plan(precision, 1, 0);
                let (kernel, layout) = train(text, &items, &plan);
                let gram = kernel.symmetric(&items, &layout, &plan).unwrap();
                check_symmetric(&*gram);
                let n = items.len();
                for (at, value) in whole(&*gram).into_iter().enumerate() {
                    let expected = kernel.eval(&items.get(at / n), &items.get(at % n));
                    assert!(
                        (value - expected).abs() < tolerance * expected.abs().max(1.0),
                        "{text}: {value} {expected}"
                    );
                }
            }
        }
    }
}
