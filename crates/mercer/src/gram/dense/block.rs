//! The two verbs over packed items.

use std::ops::Range;
use std::sync::Arc;

use crate::data::{Real, Vectors};
use crate::error::{Error, Result};
use crate::gram::dense::distances::Distances;
use crate::gram::dense::panels::Panels;
use crate::gram::finite::{always_finite, check_row};
use crate::gram::preparation::Preparation;
use crate::gram::simd::{Element, Ending, Guard, Job, Sink, Term, Unit, ordered_sum, self_values};
use crate::gram::{Block, Columns, Evaluation};
use crate::kernel::vector::Epilogue;
use crate::resources::Workers;

/// Packed rows and columns, and how their entries are computed.
#[derive(Clone, Debug)]
pub(super) struct Dense<E> {
    pub(super) rows: Arc<Panels<E>>,
    columns: Arc<Panels<E>>,
    pub(super) unit: Unit,
    term: Term,
    ending: Ending<E>,
    guard: Guard<E>,
    /// Values need not be looked at: they are known to be finite.
    finite: bool,
}

/// Steps of work (entries × columns of the data, and some for the ending) that are worth a second thread.
pub(super) const WORTH: usize = 1 << 20;
/// Steps of one piece of work: small enough that threads end at about the same time.
const PIECE: usize = 2 << 20;
/// Bytes of rows that are packed into tiles at once.
const ROWS_AT_ONCE: usize = 1 << 20;

impl<E: Element> Dense<E> {
    /// Packs rows, and columns if they are other items.
    pub fn pack(
        rows: (&Vectors<'_>, &Preparation),
        columns: Option<(&Vectors<'_>, &Preparation)>,
        evaluation: &Evaluation<'_>,
        distances: &Distances,
        unit: Unit,
    ) -> Result<Self> {
        let (form, workers) = (evaluation.form, evaluation.workers);
        let depth = rows.1.depth();
        let own_norms = form.epilogue == Epilogue::Cosine;
        let rows = Arc::new(Panels::pack(rows.0, rows.1, unit, own_norms, workers)?);
        let columns = match columns {
            Some((items, preparation)) => {
                Arc::new(Panels::pack(items, preparation, unit, own_norms, workers)?)
            }
            None => Arc::clone(&rows),
        };
        let norm = rows.largest_norm().max(columns.largest_norm());
        Ok(Dense {
            finite: always_finite::<E>(form, evaluation.factor, norm, depth),
            rows,
            columns,
            unit,
            term: Term::of(form.measure, distances.inner_products),
            ending: Ending::new(form.epilogue, evaluation.factor),
            guard: Guard::new(depth, form.epilogue, evaluation.factor),
        })
    }

    pub(super) fn columns(&self) -> &Arc<Panels<E>> {
        &self.columns
    }

    pub fn shape(&self) -> (usize, usize) {
        (self.rows.count(), self.columns.count())
    }

    /// The same rows with some of the columns.
    pub fn restrict(&self, columns: &[usize]) -> Self {
        Dense { columns: Arc::new(self.columns.gather(columns.iter().copied())), ..self.clone() }
    }

    /// Values of the row items with themselves.
    pub fn diagonal(&self) -> Result<Vec<f64>> {
        let (items, unit) = (&self.rows, self.unit);
        let values = self_values(unit, self.term, self.ending, items.values(), items.depth(), items.norms());
        let values = &values[..items.count()];
        for (i, value) in values.iter().enumerate() {
            check_row(&[*value], i, |_| i)?;
        }
        Ok(values.iter().map(|v| v.to_f64()).collect())
    }

    pub fn fill(
        &self,
        rows: &[usize],
        columns: Columns<'_>,
        out: Block<'_>,
        workers: &Workers,
    ) -> Result<()> {
        match out {
            Block::F32 { values, stride } => {
                self.fill_with(rows, columns, values, stride, workers, |rows| Sink::F32(rows))
            }
            Block::F64 { values, stride } => {
                self.fill_with(rows, columns, values, stride, workers, |rows| Sink::F64(rows))
            }
        }
    }

    fn fill_with<T: Real>(
        &self,
        rows: &[usize],
        columns: Columns<'_>,
        values: &mut [T],
        stride: usize,
        workers: &Workers,
        sink: impl for<'a, 'b> Fn(&'b mut [&'a mut [T]]) -> Sink<'a, 'b> + Sync,
    ) -> Result<()> {
        let width = columns.len();
        if rows.is_empty() || width == 0 {
            return Ok(());
        }
        assert!(values.len() >= (rows.len() - 1) * stride + width && (rows.len() == 1 || stride >= width));
        let (panels, range) = self.gathered(&columns);
        let panels = panels.as_ref().unwrap_or(&self.columns);
        let mut tiles = Tiles::default();
        for (part, items) in rows.chunks(self.rows_at_once()).enumerate() {
            let first = part * self.rows_at_once();
            self.pack_rows(items, &mut tiles);
            let mut slices: Vec<&mut [T]> = values[first * stride..]
                .chunks_mut(stride.max(width))
                .take(items.len())
                .map(|row| &mut row[..width])
                .collect();
            let pieces = self.pieces(items.len(), &range, panels.width());
            let worth = self.steps(items.len(), width) > WORTH;
            if !worth || pieces.len() < 2 || workers.threads() < 2 {
                self.job(tiles.all(), panels, range.clone(), sink(&mut slices)).run();
                continue;
            }
            // Cut the rows where the pieces end: each piece then owns its part of every row.
            let mut parts: Vec<(Range<usize>, Vec<&mut [T]>)> =
                pieces.iter().map(|piece| (piece.clone(), Vec::with_capacity(items.len()))).collect();
            for mut row in slices {
                for (piece, rows) in &mut parts {
                    let (part, rest) = row.split_at_mut(piece.len());
                    rows.push(part);
                    row = rest;
                }
            }
            workers.for_each_chunk(&mut parts, 1, true, |_, part| {
                for (piece, rows) in part {
                    self.job(tiles.all(), panels, piece.clone(), sink(rows)).run();
                }
            });
        }
        if !self.finite {
            for (r, &row) in rows.iter().enumerate() {
                check_row(&values[r * stride..][..width], row, |c| columns.at(c))?;
            }
        }
        Ok(())
    }

    pub fn accumulate(
        &self,
        rows: &[usize],
        weights: &[f64],
        columns: Columns<'_>,
        f: &mut [f64],
        workers: &Workers,
    ) -> Result<()> {
        assert!(rows.len() == weights.len() && f.len() == columns.len());
        if rows.is_empty() || columns.is_empty() {
            return Ok(());
        }
        if self.few(rows, &columns) {
            let values = self.fill_swapped(rows, &columns, workers)?;
            for (f, values) in f.iter_mut().zip(values.chunks(rows.len())) {
                *f = ordered_sum(self.unit, *f, weights, values);
            }
            return Ok(());
        }
        let (panels, range) = self.gathered(&columns);
        let panels = panels.as_ref().unwrap_or(&self.columns);
        let mut tiles = Tiles::default();
        let at_once = self.rows_at_once();
        for (items, weights) in rows.chunks(at_once).zip(weights.chunks(at_once)) {
            self.pack_rows(items, &mut tiles);
            let worth = self.steps(items.len(), f.len()) > WORTH;
            let piece = self.piece(items.len(), panels.width());
            // The first piece ends where a panel does; `for_each_chunk` cuts equal ones.
            let head = (range.start.next_multiple_of(panels.width()) - range.start).min(f.len());
            let (head, body) = f.split_at_mut(head);
            let run = |start: usize, f: &mut [f64]| {
                let columns = start..start + f.len();
                self.job(tiles.all(), panels, columns, Sink::Sums { weights, f }).run();
            };
            run(range.start, head);
            let start = range.start + head.len();
            workers.for_each_chunk(body, piece, worth, |at, f| run(start + at, f));
        }
        self.check_sums(rows, &columns, f, workers)
    }

    /// Few columns (a single item to predict, say) would leave most lanes idle …
    pub(super) fn few(&self, rows: &[usize], columns: &Columns<'_>) -> bool {
        4 * columns.len() <= self.columns.width() && rows.len() >= 4 * self.columns.width()
    }

    /// … so rows and columns change places, which a symmetric function does not notice: `[column][row]`.
    pub(super) fn fill_swapped(
        &self,
        rows: &[usize],
        columns: &Columns<'_>,
        workers: &Workers,
    ) -> Result<Vec<f64>> {
        let swapped =
            Dense { rows: Arc::clone(&self.columns), columns: Arc::clone(&self.rows), ..self.clone() };
        let items: Vec<usize> = (0..columns.len()).map(|c| columns.at(c)).collect();
        let neighbours = rows.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        let others = match neighbours {
            true => Columns::Range(rows[0]..rows[0] + rows.len()),
            false => Columns::List(rows),
        };
        let mut values = vec![0.0; items.len() * rows.len()];
        let out = Block::F64 { values: &mut values, stride: rows.len() };
        swapped.fill(&items, others, out, workers).map_err(|error| match error {
            Error::KernelValue { row, column, value } => {
                Error::KernelValue { row: column, column: row, value }
            }
            other => other,
        })?;
        Ok(values)
    }

    /// Looks for the value that made a sum infinite, if one may have.
    pub(super) fn check_sums(
        &self,
        rows: &[usize],
        columns: &Columns<'_>,
        f: &[f64],
        workers: &Workers,
    ) -> Result<()> {
        if !self.finite && f.iter().any(|v| !v.is_finite()) {
            let mut values = vec![0.0; columns.len()];
            for &row in rows {
                let out = Block::F64 { values: &mut values, stride: columns.len() };
                self.fill(&[row], columns.clone(), out, workers)?;
            }
        }
        Ok(())
    }

    /// Panels in which the columns are neighbours (`None`: they are already), and where they are.
    pub(super) fn gathered(&self, columns: &Columns<'_>) -> (Option<Arc<Panels<E>>>, Range<usize>) {
        match columns {
            Columns::Range(range) => {
                assert!(range.end <= self.columns.count());
                (None, range.clone())
            }
            Columns::List(list) => (Some(Arc::new(self.columns.gather(list.iter().copied()))), 0..list.len()),
        }
    }

    pub(super) fn pack_rows(&self, items: &[usize], tiles: &mut Tiles<E>) {
        (tiles.count, tiles.depth) = (items.len(), self.rows.depth());
        tiles.one_row = items.len() <= 2;
        let height = if tiles.one_row { 1 } else { E::tile(self.unit).0 };
        self.rows.tiles(items, height, &mut tiles.values, &mut tiles.norms);
    }

    pub(super) fn job<'a, 'b>(
        &self,
        tiles: TileView<'b, E>,
        panels: &'b Panels<E>,
        columns: Range<usize>,
        sink: Sink<'a, 'b>,
    ) -> Job<'a, 'b, E> {
        Job {
            unit: self.unit,
            term: self.term,
            ending: self.ending,
            guard: self.guard,
            depth: panels.depth(),
            count: tiles.count,
            rows: tiles.values,
            one_row: tiles.one_row,
            row_norms: tiles.norms,
            panels: panels.values(),
            column_norms: panels.norms(),
            columns,
            sink,
        }
    }

    pub(super) fn steps(&self, rows: usize, columns: usize) -> usize {
        rows.saturating_mul(columns).saturating_mul(self.rows.depth() + 16)
    }

    fn rows_at_once(&self) -> usize {
        let height = E::tile(self.unit).0;
        let bytes = self.rows.depth() * size_of::<E>();
        (ROWS_AT_ONCE / bytes).next_multiple_of(height).max(8 * height)
    }

    /// Columns of one piece of work; whole panels.
    pub(super) fn piece(&self, rows: usize, width: usize) -> usize {
        let columns = PIECE / (rows.max(1) * (self.rows.depth() + 16));
        columns.clamp(4 * width, 1 << 14).next_multiple_of(width)
    }

    fn pieces(&self, rows: usize, range: &Range<usize>, width: usize) -> Vec<Range<usize>> {
        let piece = self.piece(rows, width);
        let mut pieces = Vec::new();
        let mut start = range.start;
        while start < range.end {
            let end = ((start / width * width) + piece).min(range.end);
            pieces.push(start..end);
            start = end;
        }
        pieces
    }
}

/// Rows packed into tiles.
#[derive(Default)]
pub(super) struct Tiles<E> {
    values: Vec<E>,
    norms: Vec<E>,
    count: usize,
    depth: usize,
    pub(super) one_row: bool,
}

/// Some of them.
#[derive(Clone, Copy)]
pub(super) struct TileView<'a, E> {
    values: &'a [E],
    norms: &'a [E],
    count: usize,
    one_row: bool,
}

impl<E> Tiles<E> {
    pub(super) fn all(&self) -> TileView<'_, E> {
        self.some(0..self.count)
    }

    /// The first of these rows must begin a tile.
    pub(super) fn some(&self, rows: Range<usize>) -> TileView<'_, E> {
        TileView {
            values: &self.values[rows.start * self.depth..],
            norms: &self.norms[rows.start..],
            count: rows.len(),
            one_row: self.one_row,
        }
    }
}
