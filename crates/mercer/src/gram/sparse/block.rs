//! The two verbs over sparse items.

use std::ops::Range;
use std::sync::Arc;

use crate::data::{Real, Vectors};
use crate::error::Result;
use crate::gram::combinations::Cut;
use crate::gram::finite::{always_finite, check_row};
use crate::gram::preparation::Preparation;
use crate::gram::simd::{
    Element, Ending, Guard, Mix, Norms, Unit, Values, axpy_with, finish_all, group_width,
};
use crate::gram::sparse::rows::{Rows, renumber};
use crate::gram::sparse::scratch::{Scratch, meet, own_norms, scratch, spread};
use crate::gram::{Block, Columns, Combinations, Evaluation};
use crate::kernel::vector::{Epilogue, Measure};
use crate::resources::Workers;

/// Prepared rows and columns, and how their entries are computed.
#[derive(Clone, Debug)]
pub(super) struct Csr<E> {
    rows: Arc<Rows<E>>,
    columns: Arc<Rows<E>>,
    /// Of items that are compared with each other: the entries that two items or more share a column of, if that spares much. All
    /// others add an exact 0 to every inner product but that of an item with itself.
    common: Option<Arc<Rows<E>>>,
    /// Number of different columns of the data that occur.
    places: usize,
    unit: Unit,
    measure: Measure,
    ending: Ending<E>,
    guard: Guard<E>,
    /// Values need not be looked at: they are known to be finite.
    finite: bool,
}

/// Other items that meet a group at a time: their sums stay in the first-level cache.
const AT_ONCE: usize = 96;
/// Most columns of one piece of work, and products that are worth a second thread.
const PIECE: usize = 1024;
const WORTH: usize = 1 << 19;

impl<E: Element> Csr<E> {
    /// Prepares rows, and columns if they are other items.
    pub fn new(
        rows: (&Vectors<'_>, &Preparation),
        columns: Option<(&Vectors<'_>, &Preparation)>,
        evaluation: &Evaluation<'_>,
        unit: Unit,
    ) -> Result<Self> {
        let form = evaluation.form;
        let depth = rows.1.depth();
        let mut rows = Rows::prepare(rows.0, rows.1)?;
        let mut columns = columns.map(|(items, p)| Rows::prepare(items, p)).transpose()?;
        let places = renumber(&mut rows, columns.as_mut());
        if form.epilogue == Epilogue::Cosine {
            own_norms(&mut rows, places, unit);
            if let Some(columns) = &mut columns {
                own_norms(columns, places, unit);
            }
        }
        let common = if columns.is_none() { rows.common(places).map(Arc::new) } else { None };
        let rows = Arc::new(rows);
        let columns = columns.map_or_else(|| Arc::clone(&rows), Arc::new);
        let norm = rows.largest_norm().max(columns.largest_norm());
        Ok(Csr {
            finite: always_finite::<E>(form, evaluation.factor, norm, depth),
            rows,
            columns,
            common,
            places,
            unit,
            measure: match form.measure {
                // The preparation has divided by the period.
                Measure::SineSquared { .. } => Measure::SineSquared { period: 1.0 },
                measure => measure,
            },
            ending: Ending::new(form.epilogue, evaluation.factor),
            guard: Guard::new(0, form.epilogue, evaluation.factor),
        })
    }

    pub fn shape(&self) -> (usize, usize) {
        (self.rows.count(), self.columns.count())
    }

    /// The same rows with some of the columns.
    pub fn restrict(&self, columns: &[usize]) -> Self {
        // Numbers of columns and of rows are no longer the same.
        Csr { columns: Arc::new(self.columns.gather(columns)), common: None, ..self.clone() }
    }

    /// Values of the row items with themselves.
    pub fn diagonal(&self) -> Result<Vec<f64>> {
        let mut scratch = self.scratch();
        let mut diagonal = Vec::with_capacity(self.rows.count());
        let all: Vec<usize> = (0..self.rows.count()).collect();
        for group in all.chunks(group_width::<E>(self.unit, usize::MAX)) {
            self.spread(&self.rows, group, &mut scratch);
            for (lane, &i) in group.iter().enumerate() {
                self.values(&self.rows, (&self.rows, &self.rows), &[i], &mut scratch);
                let value = scratch.values[lane];
                check_row(&[value], i, |_| i)?;
                diagonal.push(value.to_f64());
            }
        }
        Ok(diagonal)
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
                self.fill_with(rows, columns, values, stride, workers, |v| v.to_f64() as f32)
            }
            Block::F64 { values, stride } => {
                self.fill_with(rows, columns, values, stride, workers, |v| v.to_f64())
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
        convert: impl Fn(E) -> T + Sync,
    ) -> Result<()> {
        let width = columns.len();
        if rows.is_empty() || width == 0 {
            return Ok(());
        }
        assert!(values.len() >= (rows.len() - 1) * stride + width && (rows.len() == 1 || stride >= width));
        let items: Vec<usize> = (0..width).map(|c| columns.at(c)).collect();
        let piece = self.piece(width);
        let mut parts: Vec<(&[usize], Vec<&mut [T]>)> =
            items.chunks(piece).map(|piece| (piece, Vec::with_capacity(rows.len()))).collect();
        for row in values.chunks_mut(stride.max(width)).take(rows.len()) {
            for (part, piece) in parts.iter_mut().zip(row[..width].chunks_mut(piece)) {
                part.1.push(piece);
            }
        }
        workers.for_each_chunk(&mut parts, 1, self.worth(rows.len(), &items), |_, parts| {
            let mut scratch = self.scratch();
            for (items, out) in parts {
                self.fill_piece(rows, items, &mut scratch, |row, first, values| {
                    let out = out[row][first..].iter_mut();
                    out.zip(values).for_each(|(out, &value)| *out = convert(value));
                });
            }
        });
        if !self.finite {
            for (r, &row) in rows.iter().enumerate() {
                check_row(&values[r * stride..][..width], row, |c| items[c])?;
            }
        }
        Ok(())
    }

    /// Calls `visit(position of the row, position of the first column, values)` for pieces of rows.
    fn fill_piece(
        &self,
        rows: &[usize],
        items: &[usize],
        scratch: &mut Scratch<E>,
        mut visit: impl FnMut(usize, usize, &[E]),
    ) {
        if self.spreads_rows(rows.len(), items.len()) {
            let mut turned = [E::default(); AT_ONCE];
            let (spread, stream) = ((&*self.rows, rows), (&*self.columns, items));
            self.each_block(spread, stream, scratch, |group, others, values, width| {
                for (lane, row) in group.enumerate() {
                    let values = values.iter().skip(lane).step_by(width);
                    turned.iter_mut().zip(values).for_each(|(t, &v)| *t = v);
                    visit(row, others.start, &turned[..others.len()]);
                }
            });
        } else {
            let (spread, stream) = ((&*self.columns, items), (&*self.rows, rows));
            self.each_block(spread, stream, scratch, |group, others, values, width| {
                for (row, values) in others.zip(values.chunks(width)) {
                    visit(row, group.start, &values[..group.len()]);
                }
            });
        }
    }

    pub fn accumulate(
        &self,
        rows: &[usize],
        weights: &[f64],
        columns: Columns<'_>,
        f: &mut [f64],
        workers: &Workers,
    ) -> Result<()> {
        assert!(rows.len() == weights.len());
        self.combine(rows, &Combinations::of_all(weights), columns, f, workers)
    }

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
        let items: Vec<usize> = (0..columns.len()).map(|c| columns.at(c)).collect();
        match self.columns.twins().merge(rows.len(), &items, f, m) {
            None => self.combine_items(rows, sums, &items, f, workers),
            Some(merged) => {
                let mut sums_of = vec![0.0; merged.columns.len() * m];
                for (&place, f) in merged.place.iter().zip(f.chunks(m)) {
                    sums_of[place as usize * m..][..m].copy_from_slice(f);
                }
                self.combine_items(rows, sums, &merged.columns, &mut sums_of, workers);
                for (&place, f) in merged.place.iter().zip(f.chunks_mut(m)) {
                    f.copy_from_slice(&sums_of[place as usize * m..][..m]);
                }
            }
        }
        if !self.finite && f.iter().any(|v| !v.is_finite()) {
            let mut values = vec![0.0; columns.len()];
            for &row in rows {
                let out = Block::F64 { values: &mut values, stride: columns.len() };
                self.fill(&[row], columns.clone(), out, workers)?;
            }
        }
        Ok(())
    }

    fn combine_items(
        &self,
        rows: &[usize],
        sums: &Combinations,
        items: &[usize],
        f: &mut [f64],
        workers: &Workers,
    ) {
        let m = sums.len();
        let cuts: Vec<Vec<Cut>> = (0..rows.len())
            .step_by(AT_ONCE)
            .map(|start| sums.cut(&(start..(start + AT_ONCE).min(rows.len()))))
            .collect();
        let worth = self.worth(rows.len(), items);
        workers.for_each_chunk(f, self.piece(items.len()) * m, worth, |start, f| {
            let items = &items[start / m..][..f.len() / m];
            let mut scratch = self.scratch();
            if self.spreads_rows(rows.len(), items.len()) {
                self.combine_by_rows(rows, sums, items, f, &mut scratch);
            } else {
                self.combine_by_columns(rows, (sums, &cuts), items, f, &mut scratch);
            }
        });
    }

    /// With groups of columns spread out their sums stay in registers while the rows stream past.
    fn combine_by_columns(
        &self,
        rows: &[usize],
        (sums, cuts): (&Combinations, &[Vec<Cut>]),
        items: &[usize],
        f: &mut [f64],
        scratch: &mut Scratch<E>,
    ) {
        let m = sums.len();
        // `[sum][lane]`
        let mut totals = Vec::new();
        let (spread, stream) = ((&*self.columns, items), (&*self.rows, rows));
        self.each_block(spread, stream, scratch, |group, others, values, width| {
            let f = &mut f[group.start * m..group.end * m];
            if others.start == 0 {
                totals.clear();
                totals.resize(m * width, 0.0);
                for (lane, f) in f.chunks(m).enumerate() {
                    f.iter().enumerate().for_each(|(sum, &f)| totals[sum * width + lane] = f);
                }
            }
            let cuts = &cuts[others.start / AT_ONCE];
            Mix { unit: self.unit, width, values, first: others.start, sums, cuts, f: &mut totals }.run();
            if others.end == rows.len() {
                for (lane, f) in f.chunks_mut(m).enumerate() {
                    f.iter_mut().enumerate().for_each(|(sum, f)| *f = totals[sum * width + lane]);
                }
            }
        });
    }

    /// Few rows, or few columns: all values first.
    fn combine_by_rows(
        &self,
        rows: &[usize],
        sums: &Combinations,
        items: &[usize],
        f: &mut [f64],
        scratch: &mut Scratch<E>,
    ) {
        let (m, width) = (sums.len(), items.len());
        let mut block = vec![E::default(); rows.len() * width];
        self.fill_piece(rows, items, scratch, |row, first, values| {
            block[row * width + first..][..values.len()].copy_from_slice(values);
        });
        let mut total = vec![0.0; width];
        for sum in 0..m {
            total.iter_mut().zip(f.iter().skip(sum).step_by(m)).for_each(|(t, &f)| *t = f);
            let (positions, weights) = sums.terms(sum);
            for (&row, &weight) in positions.iter().zip(weights) {
                axpy_with(self.unit, weight, &block[row * width..][..width], &mut total);
            }
            f.iter_mut().skip(sum).step_by(m).zip(&total).for_each(|(f, &t)| *f = t);
        }
    }

    /// Whether rows, not columns, are spread out: many idle lanes cost more than few, and for a few rows it does not
    /// pay to spread out all columns.
    fn spreads_rows(&self, rows: usize, columns: usize) -> bool {
        let lanes = group_width::<E>(self.unit, 1);
        rows <= 2 * lanes || columns < lanes && columns < rows
    }

    /// Columns of one piece of work where there are `width` in all: few columns make several pieces too.
    fn piece(&self, width: usize) -> usize {
        let group = group_width::<E>(self.unit, usize::MAX);
        width.div_ceil(4).clamp(AT_ONCE, PIECE).next_multiple_of(group)
    }

    /// Calls `visit(group, others, values, width)` for blocks of values, `[other][lane of the group]` with `width`
    /// lanes; the first items are spread out, group after group, and all of the second stream past each, in order.
    fn each_block(
        &self,
        (spread, items): (&Rows<E>, &[usize]),
        (stream, others): (&Rows<E>, &[usize]),
        scratch: &mut Scratch<E>,
        mut visit: impl FnMut(Range<usize>, Range<usize>, &[E], usize),
    ) {
        let mut is_other = Vec::new();
        if self.common.is_some() {
            is_other.resize(stream.count(), false);
            others.iter().for_each(|&other| is_other[other] = true);
        }
        let mut first = 0;
        while first < items.len() {
            let last = (first + group_width::<E>(self.unit, items.len() - first)).min(items.len());
            let group = &items[first..last];
            let common = self.common.as_deref().filter(|_| !group.iter().any(|&item| is_other[item]));
            self.spread(common.unwrap_or(spread), group, scratch);
            for (part, others) in others.chunks(AT_ONCE).enumerate() {
                self.values(spread, (stream, common.unwrap_or(stream)), others, scratch);
                let range = part * AT_ONCE..part * AT_ONCE + others.len();
                visit(first..last, range, &scratch.values, scratch.width);
            }
            first = last;
        }
    }

    /// Spreads a group of items out.
    fn spread(&self, items: &Rows<E>, group: &[usize], scratch: &mut Scratch<E>) {
        scratch.width = group_width::<E>(self.unit, group.len());
        let width = scratch.width;
        scratch.group.clear();
        scratch.group.extend_from_slice(group);
        for norms in [(&mut scratch.norms, &items.norms), (&mut scratch.doubts, &items.doubts)] {
            norms.0.clear();
            norms.0.extend(group.iter().map(|&i| norms.1[i]));
            norms.0.resize(width, E::default());
        }
        if self.by_products() {
            spread(items, group, width, scratch);
        }
    }

    /// Values of the group, items of `spread`, with these items of `stream`.
    ///
    /// Of the items that stream past, `(all of them, what counts)`.
    fn values(
        &self,
        spread: &Rows<E>,
        (stream, counted): (&Rows<E>, &Rows<E>),
        items: &[usize],
        scratch: &mut Scratch<E>,
    ) {
        let width = scratch.width;
        scratch.values.resize(items.len() * width, E::default());
        if self.by_products() {
            meet(self.unit, counted, items, scratch);
        } else {
            scratch.values.fill(E::default());
            for (t, &item) in items.iter().enumerate() {
                for (lane, &row) in scratch.group.iter().enumerate() {
                    let mut sum = 0.0;
                    spread.merge(row, stream, item, |x, z| sum += self.measure.term(x, z));
                    scratch.values[t * width + lane] = E::from_f64(sum);
                }
            }
        }
        scratch.other_norms.clear();
        scratch.other_norms.extend(items.iter().map(|&i| stream.norms[i]));
        scratch.other_doubts.clear();
        scratch.other_doubts.extend(items.iter().map(|&i| stream.doubts[i]));
        scratch.refused.clear();
        let by_dot = self.measure == Measure::SquaredDistance;
        Values {
            unit: self.unit,
            ending: self.ending,
            guard: by_dot.then_some(self.guard),
            group: Norms { squared: &scratch.norms, doubt: &scratch.doubts },
            others: Norms { squared: &scratch.other_norms, doubt: &scratch.other_doubts },
            sums: &mut scratch.values,
            refused: &mut scratch.refused,
        }
        .run();
        self.form_anew(spread, stream, items, scratch);
    }

    /// Replaces the values whose distance was refused.
    fn form_anew(&self, spread: &Rows<E>, stream: &Rows<E>, items: &[usize], scratch: &mut Scratch<E>) {
        let width = scratch.width;
        // Lanes that only fill up the group have nothing to correct.
        let group = scratch.group.len();
        scratch.refused.retain(|&at| at as usize % width < group);
        if scratch.refused.is_empty() {
            return;
        }
        scratch.anew.clear();
        for &at in &scratch.refused {
            let (t, lane) = (at as usize / width, at as usize % width);
            let mut sum = 0.0;
            spread.merge(scratch.group[lane], stream, items[t], |x, z| sum += (x - z) * (x - z));
            scratch.anew.push(E::from_f64(sum));
        }
        finish_all(self.unit, self.ending, &mut scratch.anew);
        for (&at, &value) in scratch.refused.iter().zip(&scratch.anew) {
            scratch.values[at as usize] = value;
        }
    }

    /// Whether the measure is made of inner products.
    fn by_products(&self) -> bool {
        matches!(self.measure, Measure::Dot | Measure::SquaredDistance)
    }

    fn scratch(&self) -> Scratch<E> {
        scratch(if self.by_products() { self.places } else { 0 })
    }

    fn worth(&self, rows: usize, items: &[usize]) -> bool {
        let stored: usize =
            items.iter().map(|&i| 16 + self.columns.offsets[i + 1] - self.columns.offsets[i]).sum();
        rows.saturating_mul(stored) > WORTH
    }
}
