//! Several weighted sums at once: blocks of values small enough to stay at hand are put to all their uses.

use std::ops::Range;

use crate::error::Result;
use crate::gram::dense::block::{Dense, Tiles, WORTH};
use crate::gram::dense::panels::Panels;
use crate::gram::simd::{Element, Mix, Sink, ordered_sum};
use crate::gram::{Columns, Combinations};
use crate::resources::Workers;

/// Bytes of rows, and of columns, that meet before others do: both fit a second-level cache.
const NEAR: usize = 192 << 10;
/// Most rows of a block: with as many values as a panel has columns, they fit a first-level cache.
const MOST_ROWS: usize = 192;

/// A block of rows and the parts of the sums that lie in it.
struct RowBlock {
    rows: Range<usize>,
    cuts: Vec<crate::gram::combinations::Cut>,
}

/// What does not change from one piece of the columns to the next.
struct Job<'a, E> {
    dense: &'a Dense<E>,
    sums: &'a Combinations,
    tiles: Tiles<E>,
    blocks: Vec<RowBlock>,
    /// Rows of the largest block.
    height: usize,
    panels: &'a Panels<E>,
    /// Panels that meet a block of rows one after the other.
    near_panels: usize,
}

impl<E: Element> Dense<E> {
    /// [`Gram::combine`](crate::gram::Gram::combine)
    pub fn combine(
        &self,
        rows: &[usize],
        sums: &Combinations,
        columns: Columns<'_>,
        f: &mut [f64],
        workers: &Workers,
    ) -> Result<()> {
        let m = sums.len();
        assert!(f.len() == columns.len() * m);
        if rows.is_empty() || f.is_empty() {
            return Ok(());
        }
        if self.few(rows, &columns) {
            let values = self.fill_swapped(rows, &columns, workers)?;
            let mut of_sum = Vec::new();
            for (f, values) in f.chunks_mut(m).zip(values.chunks(rows.len())) {
                for (sum, f) in f.iter_mut().enumerate() {
                    let (positions, weights) = sums.terms(sum);
                    of_sum.clear();
                    of_sum.extend(positions.iter().map(|&r| values[r]));
                    *f = ordered_sum(self.unit, *f, weights, &of_sum);
                }
            }
            return Ok(());
        }
        let (panels, range) = self.gathered(&columns);
        let panels = panels.as_ref().unwrap_or(self.columns());
        let mut tiles = Tiles::default();
        self.pack_rows(rows, &mut tiles);
        let tile = if tiles.one_row { 1 } else { E::tile(self.unit).0 };
        let bytes = panels.depth() * size_of::<E>();
        let height = (NEAR / bytes).clamp(8 * tile, MOST_ROWS).next_multiple_of(tile);
        let blocks = (0..rows.len()).step_by(height).map(|start| {
            let rows = start..(start + height).min(rows.len());
            RowBlock { cuts: sums.cut(&rows), rows }
        });
        let job = Job {
            dense: self,
            sums,
            tiles,
            blocks: blocks.collect(),
            height,
            panels,
            near_panels: (NEAR / (bytes * panels.width())).max(1),
        };
        let worth = self.steps(rows.len(), columns.len()) > WORTH;
        let piece = self.piece(rows.len(), panels.width());
        workers.for_each_chunk(f, piece * m, worth, |start, f| job.run(range.start + start / m, f));
        self.check_sums(rows, &columns, f, workers)
    }
}

impl<E: Element> Job<'_, E> {
    /// All sums of the columns from `start` on.
    fn run(&self, start: usize, f: &mut [f64]) {
        let (m, width) = (self.sums.len(), self.panels.width());
        let end = start + f.len() / m;
        let mut values = vec![0.0; self.height * width];
        // `[panel][sum][column of the panel]`
        let panels = self.near_panels.min(end.div_ceil(width) - start / width);
        let mut totals = vec![0.0; panels * m * width];
        let mut at = start;
        while at < end {
            let first = at / width;
            let columns = at..((first + panels) * width).min(end);
            let f = &mut f[(at - start) * m..][..columns.len() * m];
            let place =
                |column: usize, sum: usize| ((column / width - first) * m + sum) * width + column % width;
            for (column, f) in columns.clone().zip(f.chunks(m)) {
                f.iter().enumerate().for_each(|(sum, &f)| totals[place(column, sum)] = f);
            }
            for block in &self.blocks {
                for (panel, totals) in totals.chunks_mut(m * width).enumerate() {
                    let begin = (first + panel) * width;
                    let lanes = begin.max(columns.start)..(begin + width).min(columns.end);
                    if !lanes.is_empty() {
                        self.meet(block, lanes, &mut values, totals);
                    }
                }
            }
            for (column, f) in columns.clone().zip(f.chunks_mut(m)) {
                f.iter_mut().enumerate().for_each(|(sum, f)| *f = totals[place(column, sum)]);
            }
            at = columns.end;
        }
    }

    /// A block of rows and the columns of one panel.
    fn meet(&self, block: &RowBlock, lanes: Range<usize>, values: &mut [f64], totals: &mut [f64]) {
        let width = self.panels.width();
        let inside = lanes.start % width..lanes.start % width + lanes.len();
        let rows = values.chunks_mut(width).take(block.rows.len());
        let mut out: Vec<&mut [f64]> = rows.map(|row| &mut row[inside.clone()]).collect();
        self.dense.job(self.tiles.some(block.rows.clone()), self.panels, lanes, Sink::F64(&mut out)).run();
        Mix {
            unit: self.dense.unit,
            width,
            values,
            first: block.rows.start,
            sums: self.sums,
            cuts: &block.cuts,
            f: totals,
        }
        .run();
    }
}
