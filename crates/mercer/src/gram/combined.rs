//! Sums, products and other combinations of Gram matrices, tile by tile.

mod part;

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::gram::tiles::{Tile, accumulate_by_tiles, fill_by_tiles};
use crate::gram::{Block, Columns, Gram, Plan, Precision, SymmetricGram};
use crate::resources::{InstructionSet, Workers};
pub(crate) use part::{Part, Side};

/// Rows and columns of a tile: a handful of tiles in double precision fit the second-level cache.
const TILE: (usize, usize) = (16, 512);

/// Values from which several threads are worth it.
const WORTH_THREADS: usize = 1 << 14;

/// A combination of Gram matrices over the same items.
///
/// Every part is computed in the working precision by its own fast path; parts are combined in double
/// precision, entry by entry in the order of the expression, and the result is rounded once to the working
/// precision. An entry therefore has the same bits in whatever tile it is computed.
pub(crate) struct CombinedGram<'a> {
    part: Part<'a>,
    shape: (usize, usize),
    /// Columns as the whole matrix counts them; `None` when they are all there.
    kept: Option<Vec<usize>>,
    /// Whether entry (i, i) compares an item with itself and that makes a difference.
    minds_own: bool,
    diagonal: Vec<f64>,
    precision: Precision,
    level: InstructionSet,
    workers: Arc<Workers>,
}

impl<'a> CombinedGram<'a> {
    /// Items with themselves.
    pub(crate) fn symmetric(part: Part<'a>, n: usize, precision: Precision, plan: &Plan) -> Result<Self> {
        let minds_own = part.minds_own();
        let mut gram = CombinedGram { minds_own, ..Self::cross(part, (n, n), precision, plan) };
        let diagonal = gram.workers.map(n, n >= WORTH_THREADS, |i| {
            let mut value = [0.0];
            gram.tile(Tile { rows: &[i], columns: &Columns::Range(i..i + 1), out: &mut value })
                .map(|()| value[0])
        });
        gram.diagonal = diagonal.into_iter().collect::<Result<_>>()?;
        Ok(gram)
    }

    /// Row items against other column items.
    pub(crate) fn cross(part: Part<'a>, shape: (usize, usize), precision: Precision, plan: &Plan) -> Self {
        CombinedGram {
            part,
            shape,
            kept: None,
            minds_own: false,
            diagonal: Vec::new(),
            precision,
            level: plan.level,
            workers: Arc::clone(&plan.workers),
        }
    }

    fn tile(&self, tile: Tile<'_>) -> Result<()> {
        let width = tile.columns.len();
        let original = |c: usize| match &self.kept {
            Some(kept) => kept[tile.columns.at(c)],
            None => tile.columns.at(c),
        };
        // Places where an item meets itself: noise is added and lengths are 1 there.
        let mut own = Vec::new();
        if self.minds_own {
            for (r, &row) in tile.rows.iter().enumerate() {
                own.extend((0..width).filter(|&c| original(c) == row).map(|c| r * width + c));
            }
        }
        self.part.fill(tile.rows, tile.columns, &own, tile.out)?;
        for (at, value) in tile.out.iter_mut().enumerate() {
            *value = self.precision.round(*value);
            if !value.is_finite() {
                let (row, column) = (tile.rows[at / width], original(at % width));
                return Err(Error::KernelValue { row, column, value: *value });
            }
        }
        Ok(())
    }
}

impl Gram for CombinedGram<'_> {
    fn shape(&self) -> (usize, usize) {
        self.shape
    }

    fn precision(&self) -> Precision {
        self.precision
    }

    fn fill(&self, rows: &[usize], columns: Columns<'_>, out: Block<'_>) -> Result<()> {
        let worth = rows.len() * columns.len() >= WORTH_THREADS;
        fill_by_tiles(&self.workers, worth, TILE, rows, &columns, out, |tile| self.tile(tile))
    }

    fn accumulate(&self, rows: &[usize], weights: &[f64], columns: Columns<'_>, f: &mut [f64]) -> Result<()> {
        let worth = rows.len() * columns.len() >= WORTH_THREADS;
        let means = (&self.workers, self.level);
        accumulate_by_tiles(means, worth, TILE, (rows, weights), &columns, f, |tile| self.tile(tile))
    }

    fn restrict(&self, columns: &[usize]) -> Result<Box<dyn Gram + '_>> {
        let original = |&c: &usize| self.kept.as_ref().map_or(c, |kept| kept[c]);
        Ok(Box::new(CombinedGram {
            part: self.part.restrict(columns)?,
            shape: (self.shape.0, columns.len()),
            kept: Some(columns.iter().map(original).collect()),
            minds_own: self.minds_own,
            diagonal: Vec::new(),
            precision: self.precision,
            level: self.level,
            workers: Arc::clone(&self.workers),
        }))
    }
}

impl SymmetricGram for CombinedGram<'_> {
    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }
}
