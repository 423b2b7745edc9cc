//! Packed items that come and go, to be compared with one new item at a time.

use std::sync::Arc;

use crate::data::Row;
use crate::error::Result;
use crate::gram::preparation::Preparation;
use crate::gram::simd::{Ending, Guard, Job, Sink, Term, Unit, self_values};
use crate::gram::{Evaluation, Precision};
use crate::kernel::vector::{Epilogue, Form};
use crate::resources::{InstructionSet, Workers};

/// Items of a kernel with a form in panels, as a [`DenseGram`](super::DenseGram) packs them, in double precision and with distances by
/// differences. A new item takes the next slot; when one goes, the last takes its slot.
///
/// Panels may have more columns than the items: zeros on both sides add an exact 0 to every sum, so that no bit depends on it.
#[derive(Clone, Debug)]
pub(crate) struct GrowingPanels {
    unit: Unit,
    term: Term,
    ending: Ending<f64>,
    guard: Guard<f64>,
    preparation: Preparation,
    /// Whether the numbers of a dense row are taken as they are.
    plain: bool,
    /// Whether the ending asks for norms.
    normed: bool,
    /// `[panel][depth][slot]`, filled up with zeros.
    values: Vec<f64>,
    norms: Vec<f64>,
    count: usize,
    depth: usize,
    width: usize,
}

impl GrowingPanels {
    /// No items yet; values are multiplied by `factor`.
    ///
    /// # Errors
    /// [`Error::InstructionSet`](crate::Error::InstructionSet) if the processor lacks the level.
    pub fn new(factor: f64, form: &Form, level: InstructionSet) -> Result<Self> {
        let workers = Arc::new(Workers::serial());
        let precision = Precision::F64;
        let evaluation = Evaluation { form, factor, subset: None, precision, level, workers: &workers };
        let unit = evaluation.unit()?;
        Self::with_unit(&evaluation, unit)
    }

    fn with_unit(evaluation: &Evaluation<'_>, unit: Unit) -> Result<Self> {
        let form = evaluation.form;
        let preparation = Preparation::new(evaluation, &[], 1, 1)?;
        Ok(GrowingPanels {
            unit,
            term: Term::of(form.measure, false),
            ending: Ending::new(form.epilogue, evaluation.factor),
            guard: Guard::new(1, form.epilogue, evaluation.factor),
            plain: preparation.changes_nothing(),
            preparation,
            normed: form.epilogue == Epilogue::Cosine,
            values: Vec::new(),
            norms: Vec::new(),
            count: 0,
            depth: 1,
            width: <f64 as crate::gram::simd::Element>::tile(unit).1,
        })
    }

    /// Adds an item whose columns are at most so many.
    pub fn push(&mut self, row: Row<'_>, columns: usize) {
        if columns > self.depth {
            *self = self.widened(columns);
        }
        let (width, depth, slot) = (self.width, self.depth, self.count);
        if slot.is_multiple_of(width) {
            self.values.resize(self.values.len() + width * depth, 0.0);
            self.norms.resize(self.norms.len() + width, 0.0);
        }
        let (mut whole, mut prepared) = (Vec::new(), Vec::new());
        self.prepare(&row, &mut whole, &mut prepared);
        self.norms[slot] = self.norm(&prepared);
        let panel = &mut self.values[slot / width * width * depth..][..width * depth];
        for (place, value) in panel.iter_mut().skip(slot % width).step_by(width).zip(prepared) {
            *place = value;
        }
        self.count += 1;
    }

    /// Bytes that the panels take with one more item of at most so many columns.
    pub fn bytes_with(&self, columns: usize) -> u64 {
        let items = (self.count + 1).next_multiple_of(self.width) as u64;
        items * (self.depth.max(columns) as u64 + 1) * size_of::<f64>() as u64
    }

    /// Drops an item; the last one takes its slot.
    pub fn swap_remove(&mut self, slot: usize) {
        assert!(slot < self.count, "slot {slot} of {}", self.count);
        let (width, depth, last) = (self.width, self.depth, self.count - 1);
        let start = |slot: usize| slot / width * width * depth + slot % width;
        for k in 0..depth {
            self.values[start(slot) + k * width] = self.values[start(last) + k * width];
            self.values[start(last) + k * width] = 0.0;
        }
        self.norms[slot] = self.norms[last];
        self.norms[last] = 0.0;
        self.count = last;
        let panels = last.div_ceil(width);
        self.values.truncate(panels * width * depth);
        self.norms.truncate(panels * width);
    }

    /// k(z, x) for the items z of all slots, in place of what `values` held; x has at most so many columns. O(items · columns).
    pub fn compare(&self, row: Row<'_>, columns: usize, values: &mut Vec<f64>) {
        if self.count == 0 {
            return values.clear();
        }
        if columns > self.depth {
            // Columns that none of the items has: there is no room for what they add to a sum.
            return self.widened(columns).compare(row, columns, values);
        }
        values.resize(self.count, 0.0);
        match row {
            Row::Dense64(x) if self.plain && x.len() == self.depth => self.run(x, values),
            other => {
                let (mut whole, mut prepared) = (Vec::new(), Vec::new());
                self.prepare(&other, &mut whole, &mut prepared);
                self.run(&prepared, values);
            }
        }
    }

    fn run(&self, x: &[f64], values: &mut [f64]) {
        Job {
            unit: self.unit,
            term: self.term,
            ending: self.ending,
            guard: self.guard,
            depth: self.depth,
            count: 1,
            rows: x,
            one_row: true,
            row_norms: &[self.norm(x)],
            panels: &self.values,
            column_norms: &self.norms,
            columns: 0..self.count,
            sink: Sink::F64(&mut [values]),
        }
        .run();
    }

    fn prepare(&self, row: &Row<'_>, whole: &mut Vec<f64>, prepared: &mut Vec<f64>) {
        self.preparation.dense(row, whole, prepared);
        prepared.resize(self.depth, 0.0);
    }

    /// The squared norm with the bits that tiles give, so that an item's cosine with itself is 1.
    fn norm(&self, prepared: &[f64]) -> f64 {
        if !self.normed {
            return 0.0;
        }
        let mut panel = vec![0.0; self.width * self.depth];
        for (place, value) in panel.iter_mut().step_by(self.width).zip(prepared) {
            *place = *value;
        }
        let norms = vec![0.0; self.width];
        self_values(self.unit, Term::Dot, Ending::identity(), &panel, self.depth, &norms)[0]
    }

    /// The same items with room for more columns.
    fn widened(&self, depth: usize) -> Self {
        let (before, after) = (self.width * self.depth, self.width * depth);
        let mut values = Vec::with_capacity(self.values.len() / before * after);
        for panel in self.values.chunks_exact(before) {
            values.extend_from_slice(panel);
            values.resize(values.len() + after - before, 0.0);
        }
        let preparation = self.preparation.with_columns(depth);
        GrowingPanels { values, depth, preparation, norms: self.norms.clone(), ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Random;
    use crate::kernel::{Expression, Kernel};

    /// Every kernel with a form on every instruction set, dense and sparse rows that come and go.
    #[test]
    fn all_slots_at_once_are_the_values_of_single_pairs() {
        let kernels = [
            "linear",
            "2 * polynomial(degree=3, gamma=0.5, constant=1)",
            "gaussian(gamma=0.3)",
            "laplacian(gamma=0.3)",
            "matern(nu=1.5, length_scale=2)",
            "cosine",
            "chi2(gamma=0.2)",
            "intersection",
            "periodic(period=0.7, length_scale=1)",
            "gaussian(length_scale=[1, 2, 3, 4, 5])",
        ];
        let mut units: Vec<Unit> = InstructionSet::ALL.into_iter().filter_map(Unit::new).collect();
        units.push(Unit::wide());
        for (text, &unit) in kernels.iter().flat_map(|text| units.iter().map(move |unit| (text, unit))) {
            let kernel: Expression = text.parse().unwrap();
            let (factor, form) = kernel.form().unwrap();
            let workers = Arc::new(Workers::serial());
            let level = InstructionSet::Scalar;
            let evaluation = Evaluation {
                form: &form,
                factor,
                subset: None,
                precision: Precision::F64,
                level,
                workers: &workers,
            };
            let mut panels = GrowingPanels::with_unit(&evaluation, unit).unwrap();
            let (mut random, mut kept) = (Random::new(5), Vec::<Vec<f64>>::new());
            let mut found = Vec::new();
            for step in 0..80 {
                // The first ones have fewer columns.
                let filled = if step < 3 { 2 } else { 5 };
                let number = |random: &mut Random| 0.1 + random.uniform();
                let row: Vec<f64> = (0..5)
                    .map(|k| if k >= filled || random.below(3) == 0 { 0.0 } else { number(&mut random) })
                    .collect();
                let stored: Vec<u32> = (0..5).filter(|&k| row[k as usize] != 0.0).collect();
                let values: Vec<f64> = stored.iter().map(|&k| row[k as usize]).collect();
                let sparse = Row::Sparse { indices: &stored, values: &values };
                let columns = stored.last().map_or(0, |&last| last as usize + 1);
                panels.compare(sparse, columns, &mut found);
                for (slot, z) in kept.iter().enumerate() {
                    let expected = kernel.eval(&Row::Dense64(z), &Row::Dense64(&row));
                    let near = (found[slot] - expected).abs() <= 1e-13 * expected.abs().max(1.0);
                    assert!(near, "{text} at {step}: {} for {expected}", found[slot]);
                }
                assert_eq!(found.len(), kept.len());
                // How wide it is, and how it is written, makes no difference to a bit.
                let mut again = Vec::new();
                panels.compare(Row::Dense64(&row), 5, &mut again);
                assert_eq!(found, again, "{text} at {step}");
                panels.push(sparse, columns);
                kept.push(row.clone());
                if step % 4 == 3 {
                    let slot = random.below(kept.len());
                    panels.swap_remove(slot);
                    kept.swap_remove(slot);
                }
            }
        }
    }
}
