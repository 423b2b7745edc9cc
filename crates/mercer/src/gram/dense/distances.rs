//! How distances between dense items are computed, decided once.

use serde::{Deserialize, Serialize};

use crate::data::{Items, Vectors};
use crate::error::Result;
use crate::gram::preparation::Preparation;
use crate::gram::simd::{Element, Guard};
use crate::gram::{Evaluation, Precision};
use crate::kernel::vector::Measure;

/// Where the origin lies and how squared distances are formed: decided from the training set alone and kept
/// with a model, so that later batches get the same bits.
///
/// Distances do not depend on the origin, their rounding errors do: near the middle of the data they are
/// least. In many dimensions |x|² + |z|² − 2⟨x, z⟩ is used, which is the faster form, and pairs for which it
/// is too inexact are recognised and formed by differences; where those would be many, all are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Distances {
    /// Subtracted from every item (after selection and scaling of columns); empty if nothing is.
    pub centre: Vec<f64>,
    /// |x|² + |z|² − 2⟨x, z⟩ instead of the sum of squared differences.
    pub inner_products: bool,
}

/// Up to so many columns differences are as fast as inner products.
const FEW_COLUMNS: usize = 32;
/// Items of which all pairs are tried.
const SAMPLE: usize = 64;
/// Share of pairs that may be formed by differences one by one: each costs about a hundred others.
const RARE: f64 = 0.005;

impl Distances {
    /// Decides for a training set.
    ///
    /// # Errors
    /// As [`DenseGram::symmetric`](crate::gram::DenseGram::symmetric).
    pub fn decide(rows: &Vectors<'_>, evaluation: &Evaluation<'_>) -> Result<Self> {
        let depth = evaluation.check(rows)?;
        let precision = evaluation.precision.resolve(rows.len());
        let squared = evaluation.form.measure == Measure::SquaredDistance;
        let many = squared && depth > FEW_COLUMNS;
        // Differences in double precision need no help; a moved origin would only blur whole numbers.
        let help = match precision {
            Precision::F64 => many,
            _ => squared || evaluation.form.measure == Measure::Manhattan,
        };
        if !help || rows.is_empty() {
            return Ok(Distances::default());
        }
        let plain = Preparation::new(evaluation, &[], rows.columns(), depth)?;
        let centre = middle(rows, &plain);
        let inner_products = many
            && match precision {
                Precision::F64 => exact_enough::<f64>(rows, evaluation, &plain, &centre),
                _ => exact_enough::<f32>(rows, evaluation, &plain, &centre),
            };
        if precision == Precision::F64 && !inner_products {
            return Ok(Distances::default());
        }
        Ok(Distances { centre, inner_products })
    }

    /// The origin; empty if it was not moved.
    pub fn centre(&self) -> &[f64] {
        &self.centre
    }
}

/// About the mean of each column, but a number with few binary digits: whole numbers, and what was once
/// single precision, can then be moved without rounding.
fn middle(rows: &Vectors<'_>, preparation: &Preparation) -> Vec<f64> {
    let depth = preparation.depth();
    let (mut whole, mut row) = (Vec::new(), Vec::new());
    let mut sums = vec![0.0; depth];
    let mut low = vec![f64::INFINITY; depth];
    let mut high = vec![f64::NEG_INFINITY; depth];
    for i in 0..rows.len() {
        preparation.dense(&rows.get(i), &mut whole, &mut row);
        for k in 0..depth {
            sums[k] += row[k];
            low[k] = row[k].min(low[k]);
            high[k] = row[k].max(high[k]);
        }
    }
    (0..depth)
        .map(|k| {
            let mean = (sums[k] / rows.len() as f64).clamp(low[k], high[k]);
            let spread = high[k] - low[k];
            if spread == 0.0 || !spread.is_finite() {
                return low[k];
            }
            let grid = (spread.log2().floor() - 4.0).exp2();
            let rounded = (mean / grid).round() * grid;
            if rounded.is_finite() { rounded } else { mean }
        })
        .collect()
}

/// Whether few pairs of a sample would have to be formed by differences.
fn exact_enough<E: Element>(
    rows: &Vectors<'_>,
    evaluation: &Evaluation<'_>,
    preparation: &Preparation,
    centre: &[f64],
) -> bool {
    let epilogue = evaluation.form.epilogue;
    let guard = Guard::<E>::new(preparation.depth(), epilogue, 1.0);
    let size = rows.len().min(SAMPLE);
    let mut whole = Vec::new();
    let sample: Vec<(Vec<f64>, f64)> = (0..size)
        .map(|i| {
            let mut row = Vec::new();
            preparation.dense(&rows.get(i * rows.len() / size), &mut whole, &mut row);
            row.iter_mut().zip(centre).for_each(|(v, c)| *v -= c);
            let norm = row.iter().map(|v| v * v).sum();
            (row, norm)
        })
        .collect();
    let mut refused = 0;
    for (i, (x, norm_x)) in sample.iter().enumerate() {
        for (z, norm_z) in &sample[..i] {
            let distance = x.iter().zip(z).map(|(a, b)| (a - b) * (a - b)).sum();
            let value = epilogue.apply(distance, *norm_x, *norm_z);
            refused += usize::from(guard.refuses(norm_x + norm_z, distance, value));
        }
    }
    refused as f64 <= RARE * (size * (size - 1) / 2) as f64
}
