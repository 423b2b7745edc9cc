//! What a whole table says about its columns: means, words, and which of them will hardly be of use.

use std::collections::HashSet;

use super::layout::Layout;
use super::quote::keeps_quotes;
use super::words::WordColumn;
use crate::data::{Doubt, Feature, FeatureValues, Missing, Quote, Schema};
use crate::error::{Error, Result};
use crate::resources::default_budget;

/// Rows below which nothing is said about columns.
const FEWEST_ROWS: usize = 10;

pub(super) struct Summary {
    pub schema: Schema,
    /// Cells whose words are numbered as the schema lists them.
    pub cells: Vec<f64>,
    pub doubtful: Vec<Doubt>,
}

/// Learns the schema of a table from its cells.
pub(super) fn summarise(
    layout: &Layout,
    missing: Missing,
    quote: Option<Quote>,
    mut cells: Vec<f64>,
    words: Vec<Option<Box<WordColumn>>>,
    rows: usize,
) -> Result<Summary> {
    let width = layout.features.len();
    let name = |column: usize| layout.names.as_ref().map(|names| names[column].clone());
    let means = means(&cells, width);
    let mut features = Vec::with_capacity(width);
    let mut doubtful = Vec::new();
    for (f, words) in words.into_iter().enumerate() {
        let position = layout.features[f];
        let values = match words {
            None => FeatureValues::Numbers { mean: means[f] },
            Some(words) => levels(*words, cells[f..].iter_mut().step_by(width)),
        };
        let feature = Feature { position, name: name(position), values };
        let no_value = match &feature.values {
            FeatureValues::Numbers { mean } => mean.is_nan(),
            FeatureValues::Words { levels, .. } => levels.is_empty(),
        };
        if no_value {
            let what = format!("column `{}` has no value in any row: ignore it", feature.title());
            return Err(Error::Unsupported { what });
        }
        let column = || cells[f..].iter().step_by(width).copied();
        if rows >= FEWEST_ROWS {
            doubtful.extend(doubt(&feature, column, rows));
        }
        features.push(feature);
    }
    let label = layout.label();
    let label_name = label.and_then(name);
    let schema = Schema { width: layout.width(), label, label_name, features, missing, quote };
    if schema.has_words() {
        let (needed, allowed) = ((rows as u64).saturating_mul(8 * schema.columns() as u64), default_budget());
        if needed > allowed {
            let (what, instead) = ("one feature per word", "ignore columns with many different words");
            return Err(Error::Budget { what, needed, allowed, instead });
        }
    }
    Ok(Summary { schema, cells, doubtful })
}

/// The mean of each column over the cells that have a value; NaN where none has.
fn means(cells: &[f64], width: usize) -> Vec<f64> {
    let (mut sums, mut counts) = (vec![0.0; width], vec![0u64; width]);
    for row in cells.chunks_exact(width) {
        for ((sum, count), &cell) in sums.iter_mut().zip(&mut counts).zip(row) {
            if !cell.is_nan() {
                // Divided beforehand, sums of the largest numbers stay finite.
                *sum += cell * 2f64.powi(-40);
                *count += 1;
            }
        }
    }
    sums.iter().zip(&counts).map(|(sum, &count)| sum / count as f64 * 2f64.powi(40)).collect()
}

/// The words of a column in order with their shares; its cells are numbered anew.
fn levels<'c>(words: WordColumn, cells: impl Iterator<Item = &'c mut f64>) -> FeatureValues {
    let (levels, place) = words.finish();
    let mut counts = vec![0u64; levels.len()];
    for cell in cells.filter(|cell| !cell.is_nan()) {
        let level = place[*cell as usize];
        counts[level as usize] += 1;
        *cell = f64::from(level);
    }
    let known: u64 = counts.iter().sum();
    let shares = counts.iter().map(|&count| count as f64 / known.max(1) as f64).collect();
    FeatureValues::Words { levels, shares }
}

/// Why a column will hardly be of use, if it looks so.
fn doubt<C: Iterator<Item = f64>>(feature: &Feature, column: impl Fn() -> C, rows: usize) -> Option<Doubt> {
    let first = column().next()?;
    if column().all(|cell| cell.to_bits() == first.to_bits()) {
        return Some(Doubt::Constant(feature.title()));
    }
    if let FeatureValues::Words { levels, .. } = &feature.values
        && levels.iter().all(|level| keeps_quotes(level.as_bytes()))
    {
        return Some(Doubt::Quoted(feature.title()));
    }
    let identifies = match &feature.values {
        FeatureValues::Words { levels, .. } => levels.len() == rows,
        FeatureValues::Numbers { .. } => counts_rows(column, rows),
    };
    identifies.then(|| Doubt::Identifier(feature.title()))
}

/// Whether a column is whole numbers in a row, in any order.
fn counts_rows<C: Iterator<Item = f64>>(column: impl Fn() -> C, rows: usize) -> bool {
    let mut seen = HashSet::new();
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for cell in column() {
        if cell.is_nan() || cell.fract() != 0.0 || !seen.insert(cell.to_bits()) {
            return false;
        }
        (least, most) = (least.min(cell), most.max(cell));
    }
    most - least == (rows - 1) as f64
}
