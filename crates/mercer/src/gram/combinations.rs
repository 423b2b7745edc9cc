//! Several weighted sums of the same rows.

use std::ops::Range;

use crate::error::Result;
use crate::gram::simd::{Plain, widest};
use crate::gram::{Block, Columns, Gram};
use crate::resources::Workers;

/// Weighted sums Σ weight · K[row, ·], each over some of the rows that [`Gram::combine`] is given.
///
/// ```
/// use mercer::gram::{Columns, Combinations, Gram, PrecomputedGram};
/// use mercer::resources::Workers;
/// let gram = PrecomputedGram::rectangular(vec![1.0, 2.0, 3.0, 4.0], 2, 2)?;
/// let mut sums = Combinations::new();
/// sums.push([(0, 10.0)]);
/// sums.push([(0, 1.0), (1, -1.0)]);
/// let mut f = [0.0; 4];
/// gram.combine(&[0, 1], &sums, Columns::Range(0..2), &mut f, &Workers::serial())?;
/// // Both sums of the first column, then both of the second.
/// assert_eq!(f, [10.0, -2.0, 20.0, -2.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Combinations {
    /// Terms `offsets[s]..offsets[s + 1]` belong to sum s.
    offsets: Vec<usize>,
    /// Position of each term's row among the rows, ascending within a sum, and its weight.
    rows: Vec<usize>,
    weights: Vec<f64>,
}

/// The terms of one sum that lie in a block of rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cut {
    pub sum: usize,
    pub terms: Range<usize>,
}

impl Combinations {
    /// No sums yet.
    pub fn new() -> Self {
        Combinations { offsets: vec![0], rows: Vec::new(), weights: Vec::new() }
    }

    /// One sum over all rows.
    pub(crate) fn of_all(weights: &[f64]) -> Self {
        Combinations {
            offsets: vec![0, weights.len()],
            rows: (0..weights.len()).collect(),
            weights: weights.to_vec(),
        }
    }

    /// Adds a sum of (position of the row, weight).
    ///
    /// # Panics
    /// If the positions do not ascend.
    pub fn push(&mut self, terms: impl IntoIterator<Item = (usize, f64)>) {
        let first = self.rows.len();
        for (row, weight) in terms {
            assert!(self.rows[first..].last().is_none_or(|&last| last < row), "rows in ascending order");
            self.rows.push(row);
            self.weights.push(weight);
        }
        self.offsets.push(self.rows.len());
    }

    /// Number of sums.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Positions of rows and weights of one sum.
    ///
    /// # Panics
    /// If there is no such sum.
    pub fn terms(&self, sum: usize) -> (&[usize], &[f64]) {
        let range = self.offsets[sum]..self.offsets[sum + 1];
        (&self.rows[range.clone()], &self.weights[range])
    }

    /// Positions of rows and weights of all sums, as [`Cut`]s refer to them.
    pub(crate) fn all_terms(&self) -> (&[usize], &[f64]) {
        (&self.rows, &self.weights)
    }

    /// What lies in these rows.
    pub(crate) fn cut(&self, rows: &Range<usize>) -> Vec<Cut> {
        let of_sum = |sum: usize| {
            let (positions, first) = (self.terms(sum).0, self.offsets[sum]);
            let [start, end] =
                [rows.start, rows.end].map(|row| first + positions.partition_point(|&r| r < row));
            Cut { sum, terms: start..end }
        };
        (0..self.len()).map(of_sum).filter(|cut| !cut.terms.is_empty()).collect()
    }
}

/// Columns whose kernel values are held at a time.
const BATCH: usize = 256;

/// [`Gram::combine`] by way of [`Gram::fill`].
pub(super) fn combine_by_fill<G: Gram + ?Sized>(
    gram: &G,
    rows: &[usize],
    sums: &Combinations,
    columns: &Columns<'_>,
    f: &mut [f64],
    workers: &Workers,
) -> Result<()> {
    let batches = columns.len().div_ceil(BATCH);
    let parts = workers.map(batches, rows.len() * columns.len() > 1 << 16, |batch| -> Result<Vec<f64>> {
        let range = batch * BATCH..((batch + 1) * BATCH).min(columns.len());
        let width = range.len();
        let mut values = vec![0.0f64; rows.len() * width];
        gram.fill(rows, columns.slice(range), Block::F64 { values: &mut values, stride: width })?;
        let mut results = vec![0.0; width * sums.len()];
        for (sum, result) in results.chunks_mut(width).enumerate() {
            let (positions, weights) = sums.terms(sum);
            for (&row, &factor) in positions.iter().zip(weights) {
                widest(AddMultiple { factor, values: &values[row * width..][..width], sum: result });
            }
        }
        Ok(results)
    });
    for (part, f) in parts.into_iter().zip(f.chunks_mut(BATCH * sums.len())) {
        let part = part?;
        let width = f.len() / sums.len();
        for (column, f) in f.chunks_mut(sums.len()).enumerate() {
            f.iter_mut().enumerate().for_each(|(sum, f)| *f += part[sum * width + column]);
        }
    }
    Ok(())
}

/// sum += factor · values
struct AddMultiple<'a> {
    factor: f64,
    values: &'a [f64],
    sum: &'a mut [f64],
}

impl Plain for AddMultiple<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (sum, value) in self.sum.iter_mut().zip(self.values) {
            *sum += self.factor * value;
        }
    }
}
