//! Register tiles: R rows by two vectors of columns, summed over all columns of the data, finished, and
//! stored or added up without leaving the registers.
//!
//! Each entry has an accumulator of its own and runs through the columns of the data in order: its bits
//! depend on nothing but the two items.

use std::ops::Range;

use crate::gram::simd::dispatch::{Unit, Work};
use crate::gram::simd::ending::{Ending, Finish, Guard, Identity};
use crate::gram::simd::portable::{from_array, to_array};
use crate::gram::simd::term::{self, Step, Term};
use crate::gram::simd::vector::{Element, Vector};

/// Bytes of packed rows, and of panels, that are worked on together: both fit a second-level cache.
const NEAR: usize = 192 << 10;

/// Where the values of a job go.
pub(in crate::gram) enum Sink<'a, 'b> {
    /// Row r of the job into the r-th slice.
    F32(&'b mut [&'a mut [f32]]),
    /// The same in double precision.
    F64(&'b mut [&'a mut [f64]]),
    /// f[c] += weights[r] · K[r, c], in the order of rows.
    Sums { weights: &'b [f64], f: &'b mut [f64] },
}

/// A block of entries to be computed.
pub(in crate::gram) struct Job<'a, 'b, E> {
    pub unit: Unit,
    pub term: Term,
    pub ending: Ending<E>,
    pub guard: Guard<E>,
    /// Columns of the data, one at least.
    pub depth: usize,
    /// Number of rows.
    pub count: usize,
    /// Tiles of rows, `[tile][depth][rows of a tile]`; the last one filled up with zeros.
    pub rows: &'b [E],
    /// Whether tiles have one row instead of the unit's number.
    pub one_row: bool,
    /// Squared norms of the rows, filled up likewise.
    pub row_norms: &'b [E],
    /// `[panel][depth][columns of a tile]`, filled up with zeros.
    pub panels: &'b [E],
    /// Squared norms of the columns, filled up likewise.
    pub column_norms: &'b [E],
    /// The columns to compute, as positions in the panels.
    pub columns: Range<usize>,
    pub sink: Sink<'a, 'b>,
}

impl<E: Element> Job<'_, '_, E> {
    /// Computes the block.
    pub fn run(self) {
        if self.count == 0 || self.columns.is_empty() {
            return;
        }
        self.check();
        let ending = self.ending;
        match (self.term, ending.decay()) {
            (Term::Dot, _) if ending.is_identity() => self.with(term::Dot, Identity),
            (Term::Dot, _) => self.with(term::Dot, ending),
            (Term::SquaredDifference, Some(decay)) => self.with(term::SquaredDifference, decay),
            (Term::SquaredDifference, None) => self.with(term::SquaredDifference, ending),
            (Term::DistanceByDot, Some(decay)) => self.with(term::DistanceByDot, decay),
            (Term::DistanceByDot, None) => self.with(term::DistanceByDot, ending),
            (Term::AbsoluteDifference, _) => self.with(term::AbsoluteDifference, ending),
            (Term::ChiSquareDistance, _) => self.with(term::ChiSquareDistance, ending),
            (Term::ChiSquareSimilarity, _) => self.with(term::ChiSquareSimilarity, ending),
            (Term::Minimum, _) => self.with(term::Minimum, ending),
            (Term::SineSquared, _) => self.with(term::SineSquared, ending),
        }
    }

    fn with<S: Step, F: Finish<E>>(self, step: S, finish: F) {
        E::dispatch(self.unit, self.one_row, Tiles { job: self, _step: step, finish });
    }

    /// Rows and columns of a tile.
    fn tile(&self) -> (usize, usize) {
        let (rows, columns) = E::tile(self.unit);
        (if self.one_row { 1 } else { rows }, columns)
    }

    /// All that the unchecked loads and stores of the tiles rely on.
    fn check(&self) {
        let (tile_rows, tile_columns) = self.tile();
        let rows = self.count.next_multiple_of(tile_rows);
        let columns = self.columns.end.next_multiple_of(tile_columns);
        assert!(self.depth > 0);
        assert!(rows.checked_mul(self.depth).is_some_and(|n| n <= self.rows.len()));
        assert!(columns.checked_mul(self.depth).is_some_and(|n| n <= self.panels.len()));
        assert!(rows <= self.row_norms.len() && columns <= self.column_norms.len());
        let width = self.columns.len();
        match &self.sink {
            Sink::F32(out) => assert!(out.len() == self.count && out.iter().all(|row| row.len() == width)),
            Sink::F64(out) => assert!(out.len() == self.count && out.iter().all(|row| row.len() == width)),
            Sink::Sums { weights, f } => assert!(weights.len() == self.count && f.len() == width),
        }
    }
}

/// A job whose term and ending are known at compile time.
struct Tiles<'a, 'b, E, S, F> {
    job: Job<'a, 'b, E>,
    _step: S,
    finish: F,
}

impl<E: Element, S: Step, F: Finish<E>> Work<E> for Tiles<'_, '_, E, S, F> {
    #[inline(always)]
    fn run<V: Vector<Element = E>, const R: usize>(mut self) {
        let width = 2 * V::LANES;
        // `check` went by the unit's shape: this is the same one.
        assert!(self.job.tile() == (R, width));
        let tiles = self.job.count.div_ceil(R);
        let panels = self.job.columns.start / width..self.job.columns.end.div_ceil(width);
        let bytes = self.job.depth.max(1) * size_of::<E>();
        let (near_tiles, near_panels) = ((NEAR / (bytes * R)).max(1), (NEAR / (bytes * width)).max(1));
        // Sums stay with a panel, so that f is at hand; rows that are written stay with a tile of rows, so
        // that they are written in order.
        let by_panel = matches!(self.job.sink, Sink::Sums { .. });
        for first_panel in panels.clone().step_by(near_panels) {
            let last_panel = (first_panel + near_panels).min(panels.end);
            for first_tile in (0..tiles).step_by(near_tiles) {
                let last_tile = (first_tile + near_tiles).min(tiles);
                let (mut tile, mut panel) = (first_tile, first_panel);
                loop {
                    // SAFETY: both exist, and `check` has seen to it that their numbers do.
                    unsafe { self.tile::<V, R>(tile, panel) };
                    if by_panel {
                        tile += 1;
                        if tile == last_tile {
                            (tile, panel) = (first_tile, panel + 1);
                            if panel == last_panel {
                                break;
                            }
                        }
                    } else {
                        panel += 1;
                        if panel == last_panel {
                            (tile, panel) = (tile + 1, first_panel);
                            if tile == last_tile {
                                break;
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Stores the rows of a tile; only a panel that is not wholly wanted takes a detour.
macro_rules! write_rows {
    ($out:expr, $store:ident, $first:expr, $live:expr, $values:expr, $start:expr, $inside:expr) => {{
        let out = &mut $out[$first..][..$live];
        for r in 0..R {
            if r < $live {
                let row = &mut out[r][$start..][..$inside.len()];
                if $inside.len() == 2 * V::LANES {
                    // SAFETY: the row has two vectors of numbers.
                    unsafe {
                        $values[r][0].$store(row.as_mut_ptr());
                        $values[r][1].$store(row.as_mut_ptr().add(V::LANES));
                    }
                } else {
                    let mut edge = [Default::default(); 32];
                    // SAFETY: 32 numbers are at least two vectors.
                    unsafe {
                        $values[r][0].$store(edge.as_mut_ptr());
                        $values[r][1].$store(edge.as_mut_ptr().add(V::LANES));
                    }
                    row.copy_from_slice(&edge[$inside.clone()]);
                }
            }
        }
    }};
}

impl<E: Element, S: Step, F: Finish<E>> Tiles<'_, '_, E, S, F> {
    /// # Safety
    /// The tile and the panel exist in a job that passed its check.
    #[inline(always)]
    unsafe fn tile<V: Vector<Element = E>, const R: usize>(&mut self, tile: usize, panel: usize) {
        let width = 2 * V::LANES;
        let (finish, guard, depth) = (self.finish, self.job.guard, self.job.depth);
        // SAFETY: see above.
        let (x, z, norms_x, norms_z) = unsafe {
            (
                self.job.rows.as_ptr().add(tile * R * depth),
                self.job.panels.as_ptr().add(panel * width * depth),
                self.job.row_norms.as_ptr().add(tile * R),
                self.job.column_norms.as_ptr().add(panel * width),
            )
        };
        let live = (self.job.count - tile * R).min(R);

        // SAFETY: `depth` rows of R and of two vectors lie there.
        let sums = unsafe { sums::<V, S, R>(x, z, depth) };

        let pair = Pair { x, z, norms_x, norms_z, depth, guard, finish };
        // In memory from here on: all registers are for the sums above, and one body serves every row.
        let mut values = sums;
        for r in 0..live {
            // SAFETY: r is a row of the tile, 0 and 1 are the halves of the panel.
            values[r] = unsafe {
                [pair.value::<V, S, R>(values[r][0], r, 0), pair.value::<V, S, R>(values[r][1], r, 1)]
            };
        }

        let columns = &self.job.columns;
        let lanes = columns.start.max(panel * width)..columns.end.min((panel + 1) * width);
        let start = lanes.start - columns.start;
        let inside = lanes.start - panel * width..lanes.end - panel * width;
        let whole = inside.len() == width;
        match &mut self.job.sink {
            Sink::Sums { weights, f } => {
                let weights = &weights[tile * R..][..live];
                let f = &mut f[start..][..lanes.len()];
                let mut edge = [0.0f64; 32];
                if !whole {
                    edge[inside.clone()].copy_from_slice(f);
                }
                let at = if whole { f.as_mut_ptr() } else { edge.as_mut_ptr() };
                // SAFETY: `at` has two vectors of numbers: a whole panel's, or the 32 of the edge.
                unsafe {
                    let mut low = V::load_sum(at);
                    let mut high = V::load_sum(at.add(V::LANES));
                    for r in 0..R {
                        if r < live {
                            low = values[r][0].add_to_sum(weights[r], low);
                            high = values[r][1].add_to_sum(weights[r], high);
                        }
                    }
                    V::store_sum(low, at);
                    V::store_sum(high, at.add(V::LANES));
                }
                if !whole {
                    f.copy_from_slice(&edge[inside]);
                }
            }
            Sink::F32(out) => write_rows!(out, store_f32, tile * R, live, values, start, inside),
            Sink::F64(out) => write_rows!(out, store_f64, tile * R, live, values, start, inside),
        }
    }
}

/// A tile of rows and a panel, with what turns their sums into values.
struct Pair<E, F> {
    x: *const E,
    z: *const E,
    norms_x: *const E,
    norms_z: *const E,
    depth: usize,
    guard: Guard<E>,
    finish: F,
}

impl<E: Element, F: Finish<E>> Pair<E, F> {
    /// # Safety
    /// Row `r` of the tile and this half of the panel can be read, and their norms.
    // Not a closure: those cannot be forced inline, and a call would leave the vector instructions behind.
    #[inline(always)]
    unsafe fn value<V: Vector<Element = E>, S: Step, const R: usize>(
        &self,
        sum: V,
        r: usize,
        half: usize,
    ) -> V {
        // SAFETY: the caller vouches for them.
        let (norm_x, norm_z) =
            unsafe { (V::splat(*self.norms_x.add(r)), V::load(self.norms_z.add(half * V::LANES))) };
        if !S::DISTANCE_BY_DOT {
            return self.finish.finish(sum, norm_x, norm_z);
        }
        let norms = norm_x.add(norm_z);
        let mut distance = sum.fma(V::constant(-2.0), norms).max(V::constant(0.0));
        let mut first = true;
        loop {
            let value = self.finish.finish(distance, norm_x, norm_z);
            if !first {
                return value;
            }
            let refused = self.guard.refused(norms, self.guard.doubt(norms), distance, value);
            if refused == 0 {
                return value;
            }
            first = false;
            let mut lanes = to_array(distance);
            // SAFETY: the caller vouches for the row and the lanes.
            unsafe {
                let x = Strided(self.x.add(r), R);
                let z = Strided(self.z.add(half * V::LANES), 2 * V::LANES);
                by_differences(refused, x, z, self.depth, &mut lanes);
            }
            distance = from_array(&lanes);
        }
    }
}

/// The sums of one tile.
///
/// # Safety
/// `depth` times R numbers at `x`, and two vectors at `z`, can be read; `depth` is not 0.
#[inline(always)]
unsafe fn sums<V: Vector, S: Step, const R: usize>(
    x: *const V::Element,
    z: *const V::Element,
    depth: usize,
) -> [[V; 2]; R] {
    let mut sums = [[V::constant(0.0); 2]; R];
    let mut k = 0;
    // Not a loop that may be passed by: the sums would be cleared in memory for that case.
    loop {
        // SAFETY: k < depth.
        unsafe {
            let low = V::load(z.add(k * 2 * V::LANES));
            let high = V::load(z.add(k * 2 * V::LANES + V::LANES));
            for r in 0..R {
                let x = V::splat(*x.add(k * R + r));
                sums[r] = [S::step(x, low, sums[r][0]), S::step(x, high, sums[r][1])];
            }
        }
        k += 1;
        if k >= depth {
            return sums;
        }
    }
}

/// Numbers with a fixed distance between neighbours.
#[derive(Clone, Copy)]
struct Strided<E>(*const E, usize);

/// Writes the squared distance of `x` to the items in these lanes, formed by differences in double precision.
///
/// # Safety
/// `depth` numbers at `x`, and at `z` for each lane, can be read.
#[cold]
#[inline(never)]
unsafe fn by_differences<E: Element>(
    lanes: u32,
    x: Strided<E>,
    z: Strided<E>,
    depth: usize,
    distances: &mut [E; 16],
) {
    for lane in 0..16 {
        if lanes >> lane & 1 == 1 {
            let mut sum = 0.0;
            for k in 0..depth {
                // SAFETY: k < depth, and the caller vouches for the lane.
                let (x, z) = unsafe { (*x.0.add(k * x.1), *z.0.add(k * z.1 + lane)) };
                let difference = x.to_f64() - z.to_f64();
                sum += difference * difference;
            }
            distances[lane] = E::from_f64(sum);
        }
    }
}

/// k(x, x) of every item of the panels (and of the zeros that fill them up), with the bits that tiles give.
///
/// `norms` are the squared norms of the items, filled up likewise.
pub(in crate::gram) fn self_values<E: Element>(
    unit: Unit,
    term: Term,
    ending: Ending<E>,
    panels: &[E],
    depth: usize,
    norms: &[E],
) -> Vec<E> {
    let (_, width) = E::tile(unit);
    assert!(norms.len().is_multiple_of(width) && panels.len() >= norms.len() * depth);
    let mut values = norms.to_vec();
    let values_of = |values: &mut Vec<E>| match term {
        Term::Dot => E::dispatch(unit, true, Own { panels, depth, ending, values, _step: term::Dot }),
        Term::Minimum => E::dispatch(unit, true, Own { panels, depth, ending, values, _step: term::Minimum }),
        Term::ChiSquareSimilarity => {
            E::dispatch(unit, true, Own { panels, depth, ending, values, _step: term::ChiSquareSimilarity });
        }
        // Of the others, all distances, an item's sum with itself is 0 (for the one by inner products, the
        // guard sees to that).
        _ => E::dispatch(unit, true, Own { panels, depth: 0, ending, values, _step: term::Dot }),
    };
    values_of(&mut values);
    values
}

struct Own<'a, E, S> {
    panels: &'a [E],
    depth: usize,
    ending: Ending<E>,
    /// Norms on entry.
    values: &'a mut Vec<E>,
    _step: S,
}

impl<E: Element, S: Step> Work<E> for Own<'_, E, S> {
    #[inline(always)]
    fn run<V: Vector<Element = E>, const R: usize>(self) {
        let width = 2 * V::LANES;
        assert!(self.values.len().is_multiple_of(width));
        assert!(self.panels.len() >= self.values.len() * self.depth);
        for at in (0..self.values.len()).step_by(V::LANES) {
            let mut sum = V::constant(0.0);
            // SAFETY: the panels have as many items as there are values, each `depth` numbers.
            unsafe {
                let start = self.panels.as_ptr().add(at / width * width * self.depth + at % width);
                for k in 0..self.depth {
                    let x = V::load(start.add(k * width));
                    sum = S::step(x, x, sum);
                }
                let norm = V::load(self.values.as_ptr().add(at));
                let value = self.ending.finish(sum, norm, norm);
                value.store(self.values.as_mut_ptr().add(at));
            }
        }
    }
}
