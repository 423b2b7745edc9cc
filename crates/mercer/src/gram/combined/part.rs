//! The tree of a combination, with what each node needs to know of its items.

use crate::error::Result;
use crate::gram::{Block, Columns, Gram};
use crate::kernel::vector::power;

/// One number per item of both sides.
#[derive(Clone, Debug, Default)]
pub(crate) struct Side {
    pub(crate) rows: Vec<f64>,
    pub(crate) columns: Vec<f64>,
}

impl Side {
    fn restrict(&self, columns: &[usize]) -> Side {
        Side { rows: self.rows.clone(), columns: columns.iter().map(|&c| self.columns[c]).collect() }
    }
}

/// A node of the tree.
pub(crate) enum Part<'a> {
    Leaf {
        gram: Box<dyn Gram + 'a>,
        factor: f64,
    },
    Constant(f64),
    /// Noise where an item meets itself, 0 elsewhere.
    White(f64),
    Sum(Vec<Part<'a>>),
    Product(Vec<Part<'a>>),
    Scale(f64, Box<Part<'a>>),
    Power(u32, Box<Part<'a>>),
    /// Divided by the lengths √k(x, x) of both items.
    Normalise(Box<Part<'a>>, Side),
    /// k − (μ(x) + μ(z)) + g
    Centre {
        part: Box<Part<'a>>,
        means: Side,
        grand_mean: f64,
    },
}

impl<'a> Part<'a> {
    /// Writes the tile `rows × columns`; `own` are the places where an item meets itself.
    pub(crate) fn fill(
        &self,
        rows: &[usize],
        columns: &Columns<'_>,
        own: &[usize],
        out: &mut [f64],
    ) -> Result<()> {
        let width = columns.len();
        match self {
            Part::Leaf { gram, factor } => {
                let part = columns.slice(0..width);
                gram.fill(rows, part, Block::F64 { values: out, stride: width })?;
                if *factor != 1.0 {
                    out.iter_mut().for_each(|v| *v *= factor);
                }
            }
            Part::Constant(value) => out.fill(*value),
            Part::White(noise) => {
                out.fill(0.0);
                own.iter().for_each(|&at| out[at] = *noise);
            }
            Part::Sum(parts) => self.fold(parts, rows, columns, own, out, |a, b| a + b)?,
            Part::Product(parts) => self.fold(parts, rows, columns, own, out, |a, b| a * b)?,
            Part::Scale(factor, part) => {
                part.fill(rows, columns, own, out)?;
                out.iter_mut().for_each(|v| *v *= factor);
            }
            Part::Power(exponent, part) => {
                part.fill(rows, columns, own, out)?;
                out.iter_mut().for_each(|v| *v = power(*v, *exponent));
            }
            Part::Normalise(part, lengths) => {
                part.fill(rows, columns, own, out)?;
                for (row, out) in rows.iter().zip(out.chunks_mut(width)) {
                    for (c, v) in out.iter_mut().enumerate() {
                        let length = lengths.rows[*row] * lengths.columns[columns.at(c)];
                        *v = if length == 0.0 { 0.0 } else { *v / length };
                    }
                }
                // Rounding would leave it next to 1. The root of a negative square is NaN, and stays.
                for &at in own {
                    if lengths.rows[rows[at / width]] > 0.0 {
                        out[at] = 1.0;
                    }
                }
            }
            Part::Centre { part, means, grand_mean } => {
                part.fill(rows, columns, own, out)?;
                for (row, out) in rows.iter().zip(out.chunks_mut(width)) {
                    for (c, v) in out.iter_mut().enumerate() {
                        // The means are added first, so that the value is symmetric to the bit.
                        *v = *v - (means.rows[*row] + means.columns[columns.at(c)]) + grand_mean;
                    }
                }
            }
        }
        Ok(())
    }

    fn fold(
        &self,
        parts: &[Part<'a>],
        rows: &[usize],
        columns: &Columns<'_>,
        own: &[usize],
        out: &mut [f64],
        combine: impl Fn(f64, f64) -> f64,
    ) -> Result<()> {
        let Some((first, rest)) = parts.split_first() else { return Ok(()) };
        first.fill(rows, columns, own, out)?;
        let mut other = vec![0.0; out.len()];
        for part in rest {
            part.fill(rows, columns, own, &mut other)?;
            out.iter_mut().zip(&other).for_each(|(v, &w)| *v = combine(*v, w));
        }
        Ok(())
    }

    /// The same tree over some of the columns.
    pub(crate) fn restrict(&self, columns: &[usize]) -> Result<Part<'_>> {
        Ok(match self {
            Part::Leaf { gram, factor } => Part::Leaf { gram: gram.restrict(columns)?, factor: *factor },
            Part::Constant(value) => Part::Constant(*value),
            Part::White(noise) => Part::White(*noise),
            Part::Sum(parts) => Part::Sum(restrict_all(parts, columns)?),
            Part::Product(parts) => Part::Product(restrict_all(parts, columns)?),
            Part::Scale(factor, part) => Part::Scale(*factor, Box::new(part.restrict(columns)?)),
            Part::Power(exponent, part) => Part::Power(*exponent, Box::new(part.restrict(columns)?)),
            Part::Normalise(part, lengths) => {
                Part::Normalise(Box::new(part.restrict(columns)?), lengths.restrict(columns))
            }
            Part::Centre { part, means, grand_mean } => Part::Centre {
                part: Box::new(part.restrict(columns)?),
                means: means.restrict(columns),
                grand_mean: *grand_mean,
            },
        })
    }

    /// Whether it matters where an item meets itself.
    pub(crate) fn minds_own(&self) -> bool {
        match self {
            Part::White(_) | Part::Normalise(..) => true,
            Part::Leaf { .. } | Part::Constant(_) => false,
            Part::Sum(parts) | Part::Product(parts) => parts.iter().any(Part::minds_own),
            Part::Scale(_, part) | Part::Power(_, part) => part.minds_own(),
            Part::Centre { part, .. } => part.minds_own(),
        }
    }

    /// Number of leaves.
    pub(crate) fn leaves(&self) -> usize {
        match self {
            Part::Leaf { .. } => 1,
            Part::Constant(_) | Part::White(_) => 0,
            Part::Sum(parts) | Part::Product(parts) => parts.iter().map(Part::leaves).sum(),
            Part::Scale(_, part) | Part::Power(_, part) | Part::Normalise(part, _) => part.leaves(),
            Part::Centre { part, .. } => part.leaves(),
        }
    }
}

fn restrict_all<'b>(parts: &'b [Part<'_>], columns: &[usize]) -> Result<Vec<Part<'b>>> {
    parts.iter().map(|part| part.restrict(columns)).collect()
}
