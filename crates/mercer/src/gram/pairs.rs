//! Any kernel on any items: one call per pair.

use std::borrow::Borrow;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::gram::tiles::{Tile, accumulate_by_tiles, fill_by_tiles};
use crate::gram::{Block, ColumnView, Columns, Gram, Plan, Precision, SymmetricGram};
use crate::kernel::Kernel;
use crate::resources::{InstructionSet, Interrupt, Workers};

/// Pairs that are computed by one task. Few, because the cost of one pair is not known.
const TILE: (usize, usize) = (4, 16);

/// Pairs from which several threads are worth it.
const WORTH_THREADS: usize = 256;

/// k(i, j) of two positions.
type Pairs<'a> = dyn Fn(usize, usize) -> Result<f64> + Send + Sync + 'a;

/// Values of an arbitrary kernel, computed pair by pair.
///
/// With training items on both sides k is only ever called with the earlier item first, and once per item
/// for the diagonal: the matrix is symmetric to the bit even if rounding in k is not. In single precision
/// every value is rounded as soon as it is computed.
///
/// ```
/// use mercer::gram::{PairsGram, Plan, SymmetricGram};
/// let words = ["kernel", "margin", "kernels"];
/// let common_letters =
///     |a: &str, b: &str| ('a'..='z').filter(|c| a.contains(*c) && b.contains(*c)).count() as f64;
/// let gram = PairsGram::symmetric(&words, &common_letters, &Plan::new()?)?;
/// assert_eq!(gram.diagonal(), [5.0, 6.0, 6.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
pub struct PairsGram<'a> {
    pairs: Box<Pairs<'a>>,
    shape: (usize, usize),
    /// K[i, i] of a symmetric matrix; empty otherwise.
    diagonal: Vec<f64>,
    symmetric: bool,
    precision: Precision,
    level: InstructionSet,
    workers: Arc<Workers>,
    /// Looked at for every pair: one may take milliseconds.
    interrupt: Option<Interrupt>,
}

impl<'a> PairsGram<'a> {
    /// K of training items with themselves. Calls the kernel once per item, for the diagonal.
    ///
    /// `T` is what the collection holds and `X` what the kernel compares: `String`s meet a kernel on `str`.
    ///
    /// # Errors
    /// [`Error::KernelValue`] for a value that is not finite (in the working precision), and what the
    /// kernel itself returns.
    pub fn symmetric<T, X, K>(items: &'a [T], kernel: &'a K, plan: &Plan) -> Result<Self>
    where
        T: Borrow<X> + Sync,
        X: ?Sized,
        K: Kernel<X>,
    {
        PairsGram::symmetric_by(
            items.len(),
            |i, j| kernel.try_eval(items[i].borrow(), items[j].borrow()),
            |i| kernel.try_eval_diagonal(items[i].borrow()),
            plan,
        )
    }

    /// K of row items (training or support) against column items (new).
    ///
    /// # Errors
    /// [`Error::InstructionSet`] if the processor lacks the plan's; the verbs have those of
    /// [`PairsGram::symmetric`].
    pub fn cross<T, X, K>(rows: &'a [T], columns: &'a [T], kernel: &'a K, plan: &Plan) -> Result<Self>
    where
        T: Borrow<X> + Sync,
        X: ?Sized,
        K: Kernel<X>,
    {
        PairsGram::cross_by(
            (rows.len(), columns.len()),
            |r, c| kernel.try_eval(rows[r].borrow(), columns[c].borrow()),
            rows.len(),
            plan,
        )
    }

    /// A symmetric matrix from functions of positions: `pair(i, j)` for i < j and `own(i)` for i = j.
    ///
    /// # Errors
    /// As [`PairsGram::symmetric`].
    pub fn symmetric_by(
        n: usize,
        pair: impl Fn(usize, usize) -> Result<f64> + Send + Sync + 'a,
        own: impl Fn(usize) -> Result<f64> + Send + Sync,
        plan: &Plan,
    ) -> Result<Self> {
        let mut gram = PairsGram::cross_by((n, n), pair, n, plan)?;
        let values = gram.workers.map(n, n >= WORTH_THREADS, |i| {
            gram.go_on()?;
            gram.rounded(i, i, own(i)?)
        });
        gram.diagonal = values.into_iter().collect::<Result<_>>()?;
        gram.symmetric = true;
        Ok(gram)
    }

    /// A rectangular matrix from a function of row and column; `training` items decide
    /// [`Precision::Auto`].
    ///
    /// # Errors
    /// [`Error::InstructionSet`] if the processor lacks the plan's; the verbs have those of
    /// [`PairsGram::symmetric`].
    pub fn cross_by(
        shape: (usize, usize),
        pair: impl Fn(usize, usize) -> Result<f64> + Send + Sync + 'a,
        training: usize,
        plan: &Plan,
    ) -> Result<Self> {
        plan.check()?;
        Ok(PairsGram {
            pairs: Box::new(pair),
            shape,
            diagonal: Vec::new(),
            symmetric: false,
            precision: plan.precision.resolve(training),
            level: plan.level,
            workers: Arc::clone(&plan.workers),
            interrupt: plan.interrupt.clone(),
        })
    }

    fn go_on(&self) -> Result<()> {
        self.interrupt.as_ref().map_or(Ok(()), Interrupt::check)
    }

    fn value(&self, row: usize, column: usize) -> Result<f64> {
        self.go_on()?;
        if !self.symmetric {
            return self.rounded(row, column, (self.pairs)(row, column)?);
        }
        if row == column {
            return Ok(self.diagonal[row]);
        }
        self.rounded(row, column, (self.pairs)(row.min(column), row.max(column))?)
    }

    fn rounded(&self, row: usize, column: usize, value: f64) -> Result<f64> {
        let value = self.precision.round(value);
        if value.is_finite() { Ok(value) } else { Err(Error::KernelValue { row, column, value }) }
    }

    fn tile(&self, rows: &[usize], columns: &Columns<'_>, out: &mut [f64]) -> Result<()> {
        let width = columns.len();
        for (r, &row) in rows.iter().enumerate() {
            for c in 0..width {
                out[r * width + c] = self.value(row, columns.at(c))?;
            }
        }
        Ok(())
    }

    /// A block of items with themselves: every pair once. In waves, so that memory stays bounded.
    fn fill_square(&self, items: &[usize], mut out: Block<'_>) -> Result<()> {
        const WAVE: usize = 1 << 16;
        let n = items.len();
        let pairs: Vec<(usize, usize)> = (0..n).flat_map(|r| (r..n).map(move |c| (r, c))).collect();
        for wave in pairs.chunks(WAVE) {
            let size = TILE.0 * TILE.1;
            let parts = self.workers.map(wave.len().div_ceil(size), wave.len() >= WORTH_THREADS, |t| {
                let part = &wave[t * size..wave.len().min((t + 1) * size)];
                part.iter().map(|&(r, c)| self.value(items[r], items[c])).collect::<Result<Vec<f64>>>()
            });
            for (part, places) in parts.into_iter().zip(wave.chunks(size)) {
                for (value, &(r, c)) in part?.into_iter().zip(places) {
                    out.set(r, c, value);
                    out.set(c, r, value);
                }
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for PairsGram<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PairsGram")
            .field("shape", &self.shape)
            .field("precision", &self.precision)
            .finish_non_exhaustive()
    }
}

impl Gram for PairsGram<'_> {
    fn shape(&self) -> (usize, usize) {
        self.shape
    }

    fn precision(&self) -> Precision {
        self.precision
    }

    fn fill(&self, rows: &[usize], columns: Columns<'_>, out: Block<'_>) -> Result<()> {
        let square = self.symmetric
            && rows.len() == columns.len()
            && rows.iter().enumerate().all(|(i, &r)| r == columns.at(i));
        if square {
            return self.fill_square(rows, out);
        }
        let worth = rows.len() * columns.len() >= WORTH_THREADS;
        fill_by_tiles(&self.workers, worth, TILE, rows, &columns, out, |Tile { rows, columns, out }| {
            self.tile(rows, columns, out)
        })
    }

    fn accumulate(&self, rows: &[usize], weights: &[f64], columns: Columns<'_>, f: &mut [f64]) -> Result<()> {
        let worth = rows.len() * columns.len() >= WORTH_THREADS;
        accumulate_by_tiles(
            (&self.workers, self.level),
            worth,
            TILE,
            (rows, weights),
            &columns,
            f,
            |Tile { rows, columns, out }| self.tile(rows, columns, out),
        )
    }

    fn restrict(&self, columns: &[usize]) -> Result<Box<dyn Gram + '_>> {
        Ok(Box::new(ColumnView::new(self, columns.to_vec())))
    }
}

impl SymmetricGram for PairsGram<'_> {
    /// Empty for a matrix that is not of training items with themselves.
    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }
}
