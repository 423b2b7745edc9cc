//! Rows column by column, so that a sum over columns is computed for all rows at once.

use crate::data::Row;
use crate::kernel::vector::{Epilogue, Form, Measure};

/// `values[column * capacity + slot]`, multiplied by the scales of the kernel's form.
#[derive(Clone, Debug, Default)]
pub(super) struct Packed {
    values: Vec<f64>,
    columns: usize,
    capacity: usize,
    count: usize,
    /// Squared norms, where the kernel asks for them.
    norms: Vec<f64>,
}

impl Packed {
    /// Adds a row, which may have columns that no row had before.
    pub fn push(&mut self, row: Row<'_>, columns: usize, form: &Form) {
        if columns > self.columns {
            self.columns = columns;
            self.values.resize(self.columns * self.capacity, 0.0);
        }
        if self.count == self.capacity {
            self.grow();
        }
        let (slot, capacity) = (self.count, self.capacity);
        for column in self.values.chunks_exact_mut(capacity) {
            column[slot] = 0.0;
        }
        row.for_each(|column, value| {
            self.values[column * capacity + slot] = scaled(form, column, value);
        });
        self.norms.push(squared_norm(&row, form));
        self.count += 1;
    }

    /// Drops a row; the last one takes its place.
    pub fn swap_remove(&mut self, slot: usize) {
        let last = self.count - 1;
        for column in self.values.chunks_exact_mut(self.capacity) {
            column[slot] = column[last];
        }
        self.norms.swap_remove(slot);
        self.count = last;
    }

    /// factor · g(Σ φ(x, z)) for all rows z.
    pub fn compare(&self, row: Row<'_>, factor: f64, form: &Form, sums: &mut Vec<f64>) {
        sums.clear();
        sums.resize(self.count, 0.0);
        match row {
            Row::Dense64(values) if values.len() >= self.columns => self.add_up(values, form, sums),
            other => {
                // A sparse row may have columns that no remembered one has, and the other way round.
                let columns = other.columns().unwrap_or_else(|| widest(&other));
                self.add_up(&other.to_dense(columns.max(self.columns)), form, sums);
            }
        }
        let own = squared_norm(&row, form);
        for (sum, &norm) in sums.iter_mut().zip(&self.norms) {
            *sum = form.epilogue.apply(*sum, norm, own);
        }
        if factor != 1.0 {
            sums.iter_mut().for_each(|value| *value *= factor);
        }
    }

    fn add_up(&self, x: &[f64], form: &Form, sums: &mut [f64]) {
        const NONE: &[f64] = &[];
        for (column, &value) in x.iter().enumerate() {
            let value = scaled(form, column, value);
            // Of a column that no remembered row has, all have 0.
            let z = match column < self.columns {
                true => &self.values[column * self.capacity..][..self.count],
                false => NONE,
            };
            // The measure is asked outside of the loop over slots, so that the loop has no branch.
            match form.measure {
                Measure::Dot => add(sums, z, |z| value * z),
                Measure::SquaredDistance => add(sums, z, |z| (value - z) * (value - z)),
                Measure::Manhattan => add(sums, z, |z| (value - z).abs()),
                Measure::Minimum => add(sums, z, |z| value.min(z)),
                measure => add(sums, z, |z| measure.term(value, z)),
            }
        }
    }

    fn grow(&mut self) {
        let capacity = (2 * self.capacity).max(8);
        let mut values = vec![0.0; self.columns * capacity];
        if self.capacity > 0 {
            for (to, from) in values.chunks_exact_mut(capacity).zip(self.values.chunks_exact(self.capacity)) {
                to[..self.capacity].copy_from_slice(from);
            }
        }
        self.values = values;
        self.capacity = capacity;
    }
}

fn add(sums: &mut [f64], z: &[f64], term: impl Fn(f64) -> f64) {
    if z.is_empty() {
        let of_zero = term(0.0);
        sums.iter_mut().for_each(|sum| *sum += of_zero);
    } else {
        sums.iter_mut().zip(z).for_each(|(sum, &z)| *sum += term(z));
    }
}

fn scaled(form: &Form, column: usize, value: f64) -> f64 {
    match &form.scales {
        None => value,
        // A column without a scale makes the value NaN, as it does in the definition.
        Some(scales) => value * scales.get(column).copied().unwrap_or(f64::NAN),
    }
}

fn squared_norm(row: &Row<'_>, form: &Form) -> f64 {
    match form.epilogue {
        Epilogue::Cosine => Measure::Dot.sum(row, row, form.scales.as_deref()),
        _ => 0.0,
    }
}

fn widest(row: &Row<'_>) -> usize {
    let mut columns = 0;
    row.for_each(|column, _| columns = column + 1);
    columns
}
