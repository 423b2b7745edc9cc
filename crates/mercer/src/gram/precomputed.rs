//! A Gram matrix that the user has computed.

use std::borrow::Cow;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::gram::bulk::check_level;
use crate::gram::held::BEHIND;
use crate::gram::weighted::add_row;
use crate::gram::{Block, ColumnView, Columns, Gram, Held, Precision, SymmetricGram, Value};
use crate::resources::{InstructionSet, Interrupt, Workers};

/// Largest difference of two mirrored entries, relative to the larger of |K[i, j]|, |K[j, i]| and
/// √|K[i, i] K[j, j]|, that is taken for rounding.
const SYMMETRY_TOLERANCE: f64 = 1e-5;

/// Entries from which a loop is worth several threads.
const WORTH_THREADS: usize = 1 << 18;

/// Values that are looked at between two looks at who may end the work.
const PIECE: usize = 1 << 20;

/// Columns that one task of a parallel sum handles: a constant, so that the work is cut alike for any
/// number of threads.
const CHUNK: usize = 4096;

/// Values of K held as a matrix, borrowed or owned, in double or single precision.
///
/// ```
/// use mercer::gram::{Columns, Gram, PrecomputedGram, SymmetricGram};
/// let gram = PrecomputedGram::symmetric(vec![2.0, 1.0, 1.0, 3.0], 2)?;
/// assert_eq!(gram.diagonal(), [2.0, 3.0]);
/// let mut f = [0.0; 2];
/// gram.accumulate(&[0, 1], &[1.0, -1.0], Columns::Range(0..2), &mut f)?;
/// assert_eq!(f, [1.0, -2.0]);
///
/// let error = PrecomputedGram::symmetric(vec![2.0, 1.0, 5.0, 3.0], 2).unwrap_err();
/// assert_eq!(error.to_string(), "not symmetric: entry (0, 1) is 1 and entry (1, 0) is 5");
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PrecomputedGram<'a, T: Value = f64> {
    values: Cow<'a, [T]>,
    rows: usize,
    columns: usize,
    /// Empty unless the matrix was given as a symmetric one.
    diagonal: Vec<f64>,
    level: InstructionSet,
    workers: Arc<Workers>,
}

impl<'a, T: Value> PrecomputedGram<'a, T> {
    /// Takes the n × n values of a training set, row after row.
    ///
    /// Entries (i, j) and (j, i) that differ by rounding (up to 1e-5 of the larger of |K\[i, j\]|, |K\[j, i\]|
    /// and √|K\[i, i\] K\[j, j\]|) are both replaced by their mean, so that the matrix is symmetric to the
    /// bit; a matrix that already is stays borrowed. O(n²).
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::Shape`], [`Error::KernelValue`] with the place of the first NaN or
    /// infinity, [`Error::Asymmetric`] with the place of a larger difference.
    pub fn symmetric(values: impl Into<Cow<'a, [T]>>, n: usize) -> Result<Self> {
        if n == 0 {
            return Err(Error::Empty { what: "rows of the kernel matrix" });
        }
        let mut gram = Self::rectangular(values, n, n)?;
        symmetrise(&mut gram.values, n)?;
        gram.diagonal = (0..n).map(|i| gram.values[i * n + i].to_f64()).collect();
        Ok(gram)
    }

    /// Takes `rows × columns` values, row after row: training (support) items down, new items across.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::KernelValue`]; [`Error::InstructionSet`] if `MERCER_SIMD` asks for what
    /// the processor lacks.
    pub fn rectangular(values: impl Into<Cow<'a, [T]>>, rows: usize, columns: usize) -> Result<Self> {
        let values = values.into();
        let expected = rows.saturating_mul(columns);
        if values.len() != expected {
            let what = "values of the kernel matrix (rows × columns)";
            return Err(Error::Shape { what, expected, found: values.len() });
        }
        for (number, piece) in values.chunks(PIECE).enumerate() {
            Interrupt::checkpoint()?;
            if let Some(at) = piece.iter().position(|v| !v.to_f64().is_finite()) {
                let (value, at) = (piece[at].to_f64(), number * PIECE + at);
                return Err(Error::KernelValue { row: at / columns, column: at % columns, value });
            }
        }
        Ok(PrecomputedGram {
            values,
            rows,
            columns,
            diagonal: Vec::new(),
            level: InstructionSet::from_environment()?,
            workers: Arc::new(Workers::serial()),
        })
    }

    /// How many numbers values that are [`trusted`](Self::trusted) have to be, those behind them included.
    pub(in crate::gram) fn room_for(rows: usize, columns: usize) -> usize {
        rows * columns + BEHIND
    }

    /// Values that come from another Gram matrix, and are what they should be.
    pub(in crate::gram) fn trusted(
        values: &'a [T],
        rows: usize,
        columns: usize,
        level: InstructionSet,
    ) -> Self {
        let (values, diagonal, workers) = (Cow::Borrowed(values), Vec::new(), Arc::new(Workers::serial()));
        PrecomputedGram { values, rows, columns, diagonal, level, workers }
    }

    /// The same, symmetric with this diagonal.
    pub(in crate::gram) fn with_diagonal(self, diagonal: Vec<f64>) -> Self {
        PrecomputedGram { diagonal, ..self }
    }

    /// The same matrix, with its sums made on this level of vector instructions and by these threads.
    ///
    /// # Errors
    /// [`Error::InstructionSet`] if the processor lacks the level.
    pub fn with_resources(mut self, level: InstructionSet, workers: Arc<Workers>) -> Result<Self> {
        check_level(level)?;
        self.level = level;
        self.workers = workers;
        Ok(self)
    }

    /// All values, row after row.
    pub fn values(&self) -> &[T] {
        &self.values[..self.rows * self.columns]
    }

    fn row(&self, i: usize) -> &[T] {
        assert!(i < self.rows, "row {i} of {}", self.rows);
        &self.values[i * self.columns..][..self.columns]
    }
}

/// Makes mirrored entries equal to the bit, or says which ones differ by more than rounding.
fn symmetrise<T: Value>(values: &mut Cow<'_, [T]>, n: usize) -> Result<()> {
    // Squares of 64 × 64 entries keep both triangles in the cache.
    const TILE: usize = 64;
    for (top, left) in
        (0..n).step_by(TILE).flat_map(|top| (top..n).step_by(TILE).map(move |left| (top, left)))
    {
        if left == top {
            Interrupt::checkpoint()?;
        }
        for i in top..n.min(top + TILE) {
            for j in left.max(i + 1)..n.min(left + TILE) {
                let (upper, lower) = (values[i * n + j], values[j * n + i]);
                if upper == lower {
                    continue;
                }
                let (a, b) = (upper.to_f64(), lower.to_f64());
                let own = (values[i * n + i].to_f64() * values[j * n + j].to_f64()).abs().sqrt();
                if (a - b).abs() > SYMMETRY_TOLERANCE * a.abs().max(b.abs()).max(own) {
                    return Err(Error::Asymmetric { row: i, column: j, value: a, mirrored: b });
                }
                let mean = T::from_f64(a + 0.5 * (b - a));
                let values = values.to_mut();
                values[i * n + j] = mean;
                values[j * n + i] = mean;
            }
        }
    }
    Ok(())
}

impl<T: Value> Gram for PrecomputedGram<'_, T> {
    fn shape(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    fn precision(&self) -> Precision {
        T::PRECISION
    }

    fn fill(&self, rows: &[usize], columns: Columns<'_>, mut out: Block<'_>) -> Result<()> {
        for (r, &i) in rows.iter().enumerate() {
            out.write_row(r, self.row(i), &columns);
        }
        Ok(())
    }

    fn accumulate(&self, rows: &[usize], weights: &[f64], columns: Columns<'_>, f: &mut [f64]) -> Result<()> {
        let worth = rows.len() * f.len() >= WORTH_THREADS;
        self.workers.for_each_chunk(f, CHUNK, worth, |start, f| {
            let part = columns.slice(start..start + f.len());
            for (&i, &weight) in rows.iter().zip(weights) {
                add_row(self.level, weight, self.row(i), &part, f);
            }
        });
        Ok(())
    }

    /// A view: a copy of half of a large matrix would cost more than it saves.
    fn restrict(&self, columns: &[usize]) -> Result<Box<dyn Gram + '_>> {
        Ok(Box::new(ColumnView::new(self, columns.to_vec())))
    }
}

impl<T: Value> SymmetricGram for PrecomputedGram<'_, T> {
    /// Empty for a matrix made by [`PrecomputedGram::rectangular`], which has none.
    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    fn held(&self) -> Option<Held<'_>> {
        Some(T::held(&self.values))
    }
}
