//! Some columns of a Gram matrix, by looking them up.

use std::ops::Range;

use crate::error::Result;
use crate::gram::{Block, Columns, Combinations, Gram, Precision};
use crate::resources::Workers;

/// The rows of another Gram matrix with some of its columns only: what [`Gram::restrict`] gives where
/// there is nothing to lay out anew.
///
/// ```
/// use mercer::gram::{Columns, ColumnView, Gram, PrecomputedGram};
/// let gram = PrecomputedGram::rectangular(vec![1.0, 2.0, 3.0], 1, 3)?;
/// let view = ColumnView::new(&gram, vec![2, 0]);
/// let mut f = [0.0; 2];
/// view.accumulate(&[0], &[10.0], Columns::Range(0..2), &mut f)?;
/// assert_eq!(f, [30.0, 10.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone)]
pub struct ColumnView<'a> {
    inner: &'a dyn Gram,
    columns: Vec<usize>,
    /// Places of columns that follow each other in the inner matrix; none if such runs are short.
    runs: Vec<Range<usize>>,
}

/// Runs of columns are worth going by if they are as long as this on average.
const WORTHWHILE: usize = 32;

impl<'a> ColumnView<'a> {
    /// These columns of `inner`, in this order.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn new(inner: &'a dyn Gram, columns: Vec<usize>) -> Self {
        let there = inner.shape().1;
        assert!(columns.iter().all(|&c| c < there), "columns of a view of {there}");
        let mut runs: Vec<Range<usize>> = Vec::new();
        for run in columns.chunk_by(|a, b| a + 1 == *b) {
            let start = runs.last().map_or(0, |last| last.end);
            runs.push(start..start + run.len());
        }
        if runs.len() * WORTHWHILE > columns.len() {
            runs.clear();
        }
        ColumnView { inner, columns, runs }
    }

    /// Calls `visit` with the columns of the inner matrix that these columns are.
    fn translate<R>(&self, columns: &Columns<'_>, visit: impl FnOnce(Columns<'_>) -> R) -> R {
        match columns {
            Columns::Range(range) => visit(Columns::List(&self.columns[range.clone()])),
            Columns::List(list) => {
                let list: Vec<usize> = list.iter().map(|&c| self.columns[c]).collect();
                visit(Columns::List(&list))
            }
        }
    }
}

impl std::fmt::Debug for ColumnView<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ColumnView").field("shape", &self.shape()).finish_non_exhaustive()
    }
}

impl Gram for ColumnView<'_> {
    fn shape(&self) -> (usize, usize) {
        (self.inner.shape().0, self.columns.len())
    }

    fn precision(&self) -> Precision {
        self.inner.precision()
    }

    fn fill(&self, rows: &[usize], columns: Columns<'_>, out: Block<'_>) -> Result<()> {
        self.translate(&columns, |columns| self.inner.fill(rows, columns, out))
    }

    fn accumulate(&self, rows: &[usize], weights: &[f64], columns: Columns<'_>, f: &mut [f64]) -> Result<()> {
        let Columns::Range(wanted) = &columns else {
            return self.translate(&columns, |columns| self.inner.accumulate(rows, weights, columns, f));
        };
        if self.runs.is_empty() {
            return self.translate(&columns, |columns| self.inner.accumulate(rows, weights, columns, f));
        }
        let first = self.runs.partition_point(|run| run.end <= wanted.start);
        for run in self.runs[first..].iter().take_while(|run| run.start < wanted.end) {
            let (start, end) = (run.start.max(wanted.start), run.end.min(wanted.end));
            let there = self.columns[start]..self.columns[start] + (end - start);
            let f = &mut f[start - wanted.start..end - wanted.start];
            self.inner.accumulate(rows, weights, Columns::Range(there), f)?;
        }
        Ok(())
    }

    fn combine(
        &self,
        rows: &[usize],
        sums: &Combinations,
        columns: Columns<'_>,
        f: &mut [f64],
        workers: &Workers,
    ) -> Result<()> {
        self.translate(&columns, |columns| self.inner.combine(rows, sums, columns, f, workers))
    }

    fn restrict(&self, columns: &[usize]) -> Result<Box<dyn Gram + '_>> {
        let columns = columns.iter().map(|&c| self.columns[c]).collect();
        Ok(Box::new(ColumnView::new(self.inner, columns)))
    }
}
