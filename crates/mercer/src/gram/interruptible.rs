//! A Gram matrix that looks up from its work.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::error::Result;
use crate::gram::{Block, Columns, Combinations, Gram, Held, Precision, SymmetricGram};
use crate::resources::{Interrupt, Workers};

/// Kernel values of the first piece. What one costs is not known: a walk on two graphs takes milliseconds, a product nanoseconds.
const FIRST_PIECE: usize = 1 << 8;
/// Pieces that take less than the first grow, those that take more than the second are halved.
const MOMENT: (Duration, Duration) = (Duration::from_millis(12), Duration::from_millis(36));
/// The most by which a piece grows at a time.
const GROWTH: u32 = 8;

/// A Gram matrix whose verbs end with [`Error::Interrupted`](crate::Error::Interrupted) as soon as somebody says so, however
/// many rows they were asked for.
///
/// A verb over many rows is done in pieces that take some ten milliseconds each. That the clock decides about them cannot be
/// seen in a result: rows are added in their order, wherever it is cut.
///
/// ```
/// use mercer::gram::{Columns, Gram, Interruptible, PrecomputedGram};
/// use mercer::resources::Interrupt;
/// let interrupt = Interrupt::new();
/// let gram = PrecomputedGram::symmetric(vec![1.0, 2.0, 2.0, 5.0], 2)?;
/// let gram = Interruptible::new(gram, Some(interrupt.clone()));
/// let mut f = [0.0; 2];
/// gram.accumulate(&[0, 1], &[1.0, 1.0], Columns::Range(0..2), &mut f)?;
/// assert_eq!(f, [3.0, 7.0]);
/// interrupt.raise();
/// assert!(gram.accumulate(&[0], &[1.0], Columns::Range(0..2), &mut f).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Debug)]
pub struct Interruptible<G> {
    gram: G,
    interrupt: Option<Interrupt>,
    /// Kernel values per piece; parts of the matrix learn from each other what a value costs.
    piece: Arc<AtomicUsize>,
}

impl<G: Gram> Interruptible<G> {
    /// The matrix, and who may end its work; nobody if there is none.
    pub fn new(gram: G, interrupt: Option<Interrupt>) -> Self {
        Interruptible { gram, interrupt, piece: Arc::new(AtomicUsize::new(FIRST_PIECE)) }
    }

    /// The matrix itself.
    pub fn inner(&self) -> &G {
        &self.gram
    }

    /// Looks up.
    pub(super) fn check(&self) -> Result<()> {
        self.interrupt.as_ref().map_or(Ok(()), Interrupt::check)
    }

    /// The same columns of the matrix, interrupted by the same word.
    pub(super) fn restricted(&self, columns: &[usize]) -> Result<Interruptible<Box<dyn Gram + '_>>> {
        self.check()?;
        let (interrupt, piece) = (self.interrupt.clone(), Arc::clone(&self.piece));
        Ok(Interruptible { gram: self.gram.restrict(columns)?, interrupt, piece })
    }

    /// Goes through `count` rows, or columns, of `width` values each; `work` is told from which to which.
    fn in_pieces(
        &self,
        count: usize,
        width: usize,
        mut work: impl FnMut(usize, usize) -> Result<()>,
    ) -> Result<()> {
        let Some(interrupt) = &self.interrupt else { return work(0, count) };
        let mut start = 0;
        loop {
            interrupt.check()?;
            let values = self.piece.load(Ordering::Relaxed);
            let end = (start + (values / width.max(1)).max(1)).min(count);
            let begun = Instant::now();
            work(start, end)?;
            let took = begun.elapsed();
            if end == count {
                return Ok(());
            }
            if took < MOMENT.0 {
                let growth =
                    (1..=GROWTH.ilog2()).rev().map(|k| 1 << k).find(|&growth| took * growth <= MOMENT.1);
                self.piece.store(values.saturating_mul(growth.unwrap_or(1) as usize), Ordering::Relaxed);
            } else if took > MOMENT.1 {
                self.piece.store((values / 2).max(1), Ordering::Relaxed);
            }
            start = end;
        }
    }
}

impl<G: Gram> Gram for Interruptible<G> {
    fn shape(&self) -> (usize, usize) {
        self.gram.shape()
    }

    fn precision(&self) -> Precision {
        self.gram.precision()
    }

    fn fill(&self, rows: &[usize], columns: Columns<'_>, mut out: Block<'_>) -> Result<()> {
        if columns.is_empty() {
            return Ok(());
        }
        self.in_pieces(rows.len(), columns.len(), |start, end| {
            if start == end {
                return Ok(());
            }
            self.gram.fill(&rows[start..end], columns.clone(), out.below(start))
        })
    }

    fn accumulate(&self, rows: &[usize], weights: &[f64], columns: Columns<'_>, f: &mut [f64]) -> Result<()> {
        self.in_pieces(rows.len(), columns.len(), |start, end| {
            self.gram.accumulate(&rows[start..end], &weights[start..end], columns.clone(), f)
        })
    }

    /// In pieces of columns: a sum may be over any of the rows.
    fn combine(
        &self,
        rows: &[usize],
        sums: &Combinations,
        columns: Columns<'_>,
        f: &mut [f64],
        workers: &Workers,
    ) -> Result<()> {
        let m = sums.len();
        self.in_pieces(columns.len(), rows.len(), |start, end| {
            self.gram.combine(rows, sums, columns.slice(start..end), &mut f[start * m..end * m], workers)
        })
    }

    fn restrict(&self, columns: &[usize]) -> Result<Box<dyn Gram + '_>> {
        Ok(Box::new(self.restricted(columns)?))
    }
}

impl<G: SymmetricGram> SymmetricGram for Interruptible<G> {
    fn diagonal(&self) -> &[f64] {
        self.gram.diagonal()
    }

    fn held(&self) -> Option<Held<'_>> {
        self.gram.held()
    }
}
