//! Kernels made of the same sums, against what each of them computes by itself.

use std::sync::Arc;

use mercer::Error;
use mercer::data::{Dense, Items, Sparse, Vectors};
use mercer::gram::{Block, BulkKernel, Columns, Gram, Plan, Precision, Room, Sums};
use mercer::kernel::Expression;
use mercer::resources::Workers;
use mercer_testkit::random::Random;

use super::PRECISIONS;

const KERNELS: [&str; 12] = [
    "gaussian(gamma=0.001)",
    "gaussian(gamma=20)",
    "2.5 * gaussian(length_scale=1.5)",
    "laplacian(gamma=0.3)",
    "matern(nu=1.5, length_scale=2)",
    "rational_quadratic(alpha=1.5, length_scale=2)",
    "polynomial(degree=3, gamma=0.1, constant=1)",
    "linear + gaussian(gamma=0.1) * polynomial(degree=2)",
    "(linear + constant(2))^2 + white(0.5)",
    "columns(0:3, gaussian(gamma=0.2)) + columns([3, 4], linear)",
    "sigmoid(gamma=0.01, constant=0.2)",
    "3 * (linear * gaussian(gamma=0.1))",
];

fn rows(n: usize, columns: usize) -> Vectors<'static> {
    let mut random = Random::new(5);
    let value = |random: &mut Random| if random.uniform() < 0.7 { 0.0 } else { random.normal() + 0.3 };
    let values: Vec<f64> = (0..n * columns).map(|_| value(&mut random)).collect();
    Dense::new(values, n, columns).unwrap().into()
}

fn sparse(rows: &Vectors<'_>) -> Vectors<'static> {
    let (mut offsets, mut indices, mut values) = (vec![0usize], Vec::new(), Vec::new());
    for i in 0..rows.len() {
        rows.get(i).for_each(|column, value| {
            if value != 0.0 {
                indices.push(column as u32);
                values.push(value);
            }
        });
        offsets.push(values.len());
    }
    Sparse::from_parts(offsets, indices, values, rows.columns()).unwrap().into()
}

fn all(gram: &dyn Gram) -> Vec<f64> {
    let n = gram.shape().0;
    let mut values = vec![0.0; n * n];
    let out = Block::F64 { values: &mut values, stride: n };
    gram.fill(&(0..n).collect::<Vec<_>>(), Columns::Range(0..n), out).unwrap();
    values
}

#[test]
fn values_are_those_that_each_kernel_computes_by_itself() {
    for columns in [5, 40] {
        let dense = rows(61, columns);
        for (rows, precision) in
            [&dense, &sparse(&dense)].into_iter().flat_map(|r| PRECISIONS.map(|p| (r, p)))
        {
            let plan = Plan { precision, ..Plan::new().unwrap() };
            let (mut sums, mut room) = (Sums::new(1 << 30), Room::default());
            for text in KERNELS {
                let kernel: Expression = text.parse().unwrap();
                assert!(kernel.add_sums(rows, &plan, &mut sums).unwrap(), "{text}");
                let layout = kernel.layout(rows, &plan).unwrap();
                let wanted = all(&*kernel.symmetric(rows, &layout, &plan).unwrap());
                let everything: Vec<usize> = (0..rows.len()).collect();
                let gram = kernel.of_sums(&sums, &everything, &everything, &plan, &mut room).unwrap();
                assert_eq!(gram.precision(), precision);
                let found = all(&*gram);
                let n = rows.len();
                for (at, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
                    let near = if precision == Precision::F32 { 2e-6 } else { 1e-13 };
                    let size = gram.diagonal()[at / n].max(gram.diagonal()[at % n]).max(1.0);
                    assert!((found - wanted).abs() <= near * size, "{text}: {found} is not {wanted}");
                }
                // Symmetric to the bit, and the diagonal is that of the matrix.
                assert!((0..n * n).all(|at| found[at] == found[at % n * n + at / n]), "{text}");
                assert!((0..n).all(|i| found[i * n + i] == gram.diagonal()[i]), "{text}");
                // A part has the same bits.
                let (some, others): (Vec<usize>, Vec<usize>) = (0..n).partition(|i| !(20..33).contains(i));
                let mut room = Room::default();
                let part = kernel.of_sums(&sums, &some, &others, &plan, &mut room).unwrap();
                let mut values = vec![0.0; some.len() * others.len()];
                let block = Block::F64 { values: &mut values, stride: others.len() };
                let rows: Vec<usize> = (0..some.len()).collect();
                part.fill(&rows, Columns::Range(0..others.len()), block).unwrap();
                let there = |at: usize| found[some[at / others.len()] * n + others[at % others.len()]];
                assert!(values.iter().enumerate().all(|(at, &value)| value == there(at)), "{text}");
                assert!(part.diagonal().is_empty());
            }
            // Squared distances of all columns and of three, inner products of all and of two, sums of differences.
            assert_eq!(sums.len(), 5);
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let rows = rows(300, 7);
    let values = |threads: usize| {
        let plan = Plan { workers: Arc::new(Workers::new(threads)), ..Plan::new().unwrap() };
        let kernel: Expression = "linear + gaussian(gamma=0.1)".parse().unwrap();
        let (mut sums, mut room) = (Sums::new(1 << 30), Room::default());
        kernel.add_sums(&rows, &plan, &mut sums).unwrap();
        let everything: Vec<usize> = (0..rows.len()).collect();
        all(&*kernel.of_sums(&sums, &everything, &everything, &plan, &mut room).unwrap())
    };
    assert_eq!(values(1), values(3));
}

#[test]
fn kernels_that_need_more_than_sums_say_so() {
    let (rows, plan) = (rows(10, 3), Plan::new().unwrap());
    let mut sums = Sums::new(1 << 20);
    for text in ["cosine", "normalise(linear)", "anova(degree=2)", "linear + cosine"] {
        let kernel: Expression = text.parse().unwrap();
        let kernel = kernel.resolve(&rows).unwrap();
        assert!(!kernel.add_sums(&rows, &plan, &mut sums).unwrap(), "{text}");
    }
    let linear: Expression = "linear".parse().unwrap();
    let error = linear.of_sums(&Sums::new(0), &[0], &[0], &plan, &mut Room::default()).err();
    assert!(matches!(error, Some(Error::Unsupported { .. })), "{error:?}");
    // Sums are those of the same items.
    assert!(linear.add_sums(&rows, &plan, &mut sums).unwrap());
    let fewer = rows.select(&[0, 1]);
    assert!(matches!(linear.add_sums(&fewer, &plan, &mut sums), Err(Error::Shape { .. })));
}

#[test]
fn memory_is_kept_to_and_values_beyond_all_numbers_are_refused() {
    let (rows, plan) = (rows(10, 3), Plan { precision: Precision::F64, ..Plan::new().unwrap() });
    let (linear, gaussian): (Expression, Expression) =
        ("linear".parse().unwrap(), "gaussian(gamma=1)".parse().unwrap());
    let mut sums = Sums::new(8 * 100 + 799);
    assert!(linear.add_sums(&rows, &plan, &mut sums).unwrap());
    assert!(!gaussian.add_sums(&rows, &plan, &mut sums).unwrap());
    assert!(linear.add_sums(&rows, &plan, &mut sums).unwrap());
    assert_eq!(sums.left(), 799);
    let large: Vectors<'_> = Dense::new(vec![1e60, 1.0], 2, 1).unwrap().into();
    let power: Expression = "polynomial(degree=7)".parse().unwrap();
    let mut sums = Sums::new(1 << 20);
    assert!(power.add_sums(&large, &plan, &mut sums).unwrap());
    let error = power.of_sums(&sums, &[0, 1], &[0, 1], &plan, &mut Room::default()).err();
    assert!(matches!(error, Some(Error::KernelValue { row: 0, column: 0, .. })), "{error:?}");
}
