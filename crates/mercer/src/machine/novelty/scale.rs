//! The size of kernel values, as far as a region depends on it: what a tolerance is relative to.
//!
//! A region does not change its shape where all kernel values are multiplied by a number, and a sphere does not change where the
//! items are moved in feature space. So the unit is half the squared distance ½‖φ(x) − φ(z)‖² of two items: half of what it is
//! between most of them, over a sample of pairs.

use crate::data::Items;
use crate::error::Result;
use crate::gram::{Block, BulkKernel, Columns, Plan, Precision, SymmetricGram};

/// Items that are looked at; the same ones for the same items.
const SAMPLE: usize = 32;

/// Below this part of k(x, x) a squared distance is rounding.
const ROUNDING: f64 = 1e-14;

/// The unit for items with these weights.
pub(super) fn of_items<K, I>(kernel: &K, items: &I, weights: &[f64], plan: &Plan) -> Result<f64>
where
    I: Items,
    K: BulkKernel<I> + BulkKernel<I::Owned>,
{
    let sample = sample(weights);
    let plan = Plan { precision: Precision::F64, cache_bytes: 0, ..plan.clone() };
    let layout = BulkKernel::<I>::layout(kernel, items, &plan)?;
    let some = items.select(&sample);
    let gram = BulkKernel::<I::Owned>::symmetric(kernel, &some, &layout, &plan)?;
    let all: Vec<usize> = (0..sample.len()).collect();
    among(&*gram, &all)
}

/// The unit for the items of a Gram matrix.
pub(super) fn of_gram(gram: &dyn SymmetricGram, weights: &[f64]) -> Result<f64> {
    among(gram, &sample(weights))
}

/// Positions of items that count, evenly spread.
fn sample(weights: &[f64]) -> Vec<usize> {
    let counted: Vec<usize> = (0..weights.len()).filter(|&i| weights[i] > 0.0).collect();
    let size = counted.len().min(SAMPLE);
    (0..size).map(|at| counted[at * counted.len() / size]).collect()
}

/// The unit, from the values among some items.
fn among(gram: &dyn SymmetricGram, some: &[usize]) -> Result<f64> {
    let m = some.len();
    let mut values = vec![0.0; m * m];
    gram.fill(some, Columns::List(some), Block::F64 { values: &mut values, stride: m })?;
    let own: Vec<f64> = (0..m).map(|i| values[i * m + i].abs()).collect();
    let pairs = (0..m).flat_map(|i| (0..i).map(move |j| (i, j)));
    let halves: Vec<f64> = pairs
        .map(|(i, j)| 0.5 * (values[i * m + i] + values[j * m + j]) - values[i * m + j])
        .map(|half| half.max(0.0))
        .collect();
    let size = typical(&own);
    let found = Some(typical(&halves)).filter(|half| *half > ROUNDING * size).unwrap_or(size);
    // Of no size at all, or beyond all numbers: nothing is relative to it.
    Ok(if found > 0.0 && found.is_finite() { found } else { 1.0 })
}

/// The median, or the mean where most are 0.
fn typical(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    if sorted.is_empty() {
        return 0.0;
    }
    let median = sorted[(sorted.len() - 1) / 2];
    if median > 0.0 { median } else { sorted.iter().sum::<f64>() / sorted.len() as f64 }
}
