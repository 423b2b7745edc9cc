//! What kernel values in single precision do to a fit, measured against double precision on a sample.
//!
//! Half the bytes make training about twice as fast, and for most kernels and data single precision changes
//! nothing that matters. Where it does – inner products of rows far from the origin, a width far above the
//! distances, a very large C – the automatic choice must notice, and a certificate must not claim more than holds.

use super::attempt::Decides;
use crate::data::{Items, Random};
use crate::error::Result;
use crate::gram::{Block, BulkKernel, Columns, Plan};

/// Error of a kernel value, relative to the spread of the items in feature space, that single precision may have.
const LARGEST_SHARE: f64 = 1e-5;

/// A sum of errors that is so many times the tolerance would certainly be noticed afterwards.
const FAR_BEYOND: f64 = 10.0;

/// Whether it makes sense to try single precision, by the values of K among a sample of items.
///
/// Their errors must be small against half the mean squared distance of two items in feature space,
/// ½(k(x,x) + k(z,z)) − k(x,z): a common part of all values says nothing about the items. And a sum of n of
/// them with coefficients up to `cost`, which grows like cost·√n, must not be far beyond `tolerance`.
pub(super) fn single_suffices<K, I>(
    kernel: &K,
    items: &I,
    single: (&K::Layout, &Plan),
    double: (&K::Layout, &Plan),
    (cost, tolerance): (f64, f64),
) -> Result<bool>
where
    I: Items,
    K: BulkKernel<I> + BulkKernel<I::Owned>,
{
    let sample = sample(items.len(), 64);
    let m = sample.len();
    let some = items.select(&sample);
    let all: Vec<usize> = (0..m).collect();
    let values = |(layout, plan): (&K::Layout, &Plan)| -> Result<Vec<f64>> {
        let mut values = vec![0.0; m * m];
        let gram = BulkKernel::<I::Owned>::symmetric(kernel, &some, layout, &uncached(plan))?;
        gram.fill(&all, Columns::Range(0..m), Block::F64 { values: &mut values, stride: m })?;
        Ok(values)
    };
    let (single, double) = (values(single)?, values(double)?);
    let (mut error, mut spread) = (0.0f64, 0.0);
    for i in 0..m {
        for j in 0..m {
            error = error.max((single[i * m + j] - double[i * m + j]).abs());
            spread += 0.5 * (double[i * m + i] + double[j * m + j]) - double[i * m + j];
        }
    }
    let sum = error * cost * (items.len() as f64).sqrt();
    Ok(error <= LARGEST_SHARE * (spread / (m * m) as f64).abs() && sum <= FAR_BEYOND * tolerance)
}

/// The largest difference between the decision values that training saw and those in double precision, over a
/// sample of the training items and all functions. `seen(row, function)` is `None` if the row has no part in it.
///
/// At most one kernel value is computed for every 64 of the training.
pub(super) fn decision_error<K, I>(
    kernel: &K,
    items: &I,
    machine: &impl Decides,
    seen: &dyn Fn(usize, usize) -> Option<f64>,
    double: (&K::Layout, &Plan),
) -> Result<f64>
where
    I: Items,
    K: BulkKernel<I> + BulkKernel<I::Owned>,
{
    let sample = sample(items.len(), (items.len() / 64).clamp(16, 512));
    let (layout, plan) = double;
    // Support items and sample as one collection: a kernel may treat an item and its copy differently.
    let mut rows = machine.support().to_vec();
    rows.extend(&sample);
    rows.sort_unstable();
    rows.dedup();
    let place = |row: &usize| rows.binary_search(row).unwrap_or_default();
    let some = items.select(&rows);
    let gram = BulkKernel::<I::Owned>::symmetric(kernel, &some, layout, &uncached(plan))?;
    let columns: Vec<usize> = sample.iter().map(place).collect();
    let support: Vec<usize> = machine.support().iter().map(place).collect();
    let decisions = machine.decisions(&*gram.restrict(&columns)?, &support, &plan.workers)?;
    let mut error = 0.0f64;
    for (&row, decisions) in sample.iter().zip(decisions.chunks_exact(machine.outputs())) {
        for (output, decision) in decisions.iter().enumerate() {
            if let Some(seen) = seen(row, output) {
                error = error.max((seen - decision).abs());
            }
        }
    }
    Ok(error)
}

/// The plan, for values that are used once.
fn uncached(plan: &Plan) -> Plan {
    Plan { cache_bytes: 0, ..plan.clone() }
}

/// Some of n positions in ascending order, always the same ones.
fn sample(n: usize, size: usize) -> Vec<usize> {
    if n <= size {
        return (0..n).collect();
    }
    let mut random = Random::new(0);
    let mut chosen: Vec<usize> = (0..size).map(|_| random.below(n)).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}
