//! A number times a Gram matrix.

use crate::error::{Error, Result};
use crate::gram::{Block, Columns, Gram, Precision, SymmetricGram};

/// Rows that are held at a time when a block must be scaled before it is rounded.
const ROWS: usize = 16;

/// factor · K, with the inner matrix's own fast sums: the factor goes to the weights.
///
/// A value is rounded to the working precision after it is scaled; a weighted sum adds (w · factor) · k, in
/// which that rounding does not occur. Whatever keeps rows must be inside, not outside.
pub(crate) struct ScaledGram<G> {
    inner: G,
    factor: f64,
    diagonal: Vec<f64>,
}

impl<G: Gram> ScaledGram<G> {
    pub(crate) fn new(inner: G, factor: f64) -> Self {
        ScaledGram { inner, factor, diagonal: Vec::new() }
    }

    fn scaled(&self, value: f64) -> f64 {
        self.inner.precision().round(self.factor * value)
    }
}

impl<G: SymmetricGram> ScaledGram<G> {
    pub(crate) fn symmetric(inner: G, factor: f64) -> Result<Self> {
        let mut gram = ScaledGram::new(inner, factor);
        gram.diagonal = gram.inner.diagonal().iter().map(|&value| gram.scaled(value)).collect();
        if let Some(at) = gram.diagonal.iter().position(|v| !v.is_finite()) {
            return Err(Error::KernelValue { row: at, column: at, value: gram.diagonal[at] });
        }
        Ok(gram)
    }
}

impl<G: Gram> Gram for ScaledGram<G> {
    fn shape(&self) -> (usize, usize) {
        self.inner.shape()
    }

    fn precision(&self) -> Precision {
        self.inner.precision()
    }

    fn fill(&self, rows: &[usize], columns: Columns<'_>, mut out: Block<'_>) -> Result<()> {
        let width = columns.len();
        if width == 0 {
            return Ok(());
        }
        let mut held = vec![0.0; ROWS.min(rows.len()) * width];
        for (at, part) in rows.chunks(ROWS).enumerate() {
            let held = &mut held[..part.len() * width];
            self.inner.fill(part, columns.slice(0..width), Block::F64 { values: held, stride: width })?;
            held.iter_mut().for_each(|v| *v = self.scaled(*v));
            if let Some(bad) = held.iter().position(|v| !v.is_finite()) {
                let (row, column) = (part[bad / width], columns.at(bad % width));
                return Err(Error::KernelValue { row, column, value: held[bad] });
            }
            for (r, row) in held.chunks(width).enumerate() {
                out.write_row(at * ROWS + r, row, &Columns::Range(0..width));
            }
        }
        Ok(())
    }

    fn accumulate(&self, rows: &[usize], weights: &[f64], columns: Columns<'_>, f: &mut [f64]) -> Result<()> {
        let weights: Vec<f64> = weights.iter().map(|w| w * self.factor).collect();
        self.inner.accumulate(rows, &weights, columns, f)
    }

    fn restrict(&self, columns: &[usize]) -> Result<Box<dyn Gram + '_>> {
        Ok(Box::new(ScaledGram::new(self.inner.restrict(columns)?, self.factor)))
    }
}

impl<G: SymmetricGram> SymmetricGram for ScaledGram<G> {
    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }
}
