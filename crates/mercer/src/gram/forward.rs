//! References to Gram matrices, and boxes of them, are Gram matrices.

use crate::error::Result;
use crate::gram::{Block, Columns, Combinations, Gram, Precision, SymmetricGram};
use crate::resources::Workers;

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<G: Gram + ?Sized> Gram for $pointer {
            fn shape(&self) -> (usize, usize) {
                (**self).shape()
            }

            fn precision(&self) -> Precision {
                (**self).precision()
            }

            fn fill(&self, rows: &[usize], columns: Columns<'_>, out: Block<'_>) -> Result<()> {
                (**self).fill(rows, columns, out)
            }

            fn accumulate(
                &self,
                rows: &[usize],
                weights: &[f64],
                columns: Columns<'_>,
                f: &mut [f64],
            ) -> Result<()> {
                (**self).accumulate(rows, weights, columns, f)
            }

            fn combine(
                &self,
                rows: &[usize],
                sums: &Combinations,
                columns: Columns<'_>,
                f: &mut [f64],
                workers: &Workers,
            ) -> Result<()> {
                (**self).combine(rows, sums, columns, f, workers)
            }

            fn restrict(&self, columns: &[usize]) -> Result<Box<dyn Gram + '_>> {
                (**self).restrict(columns)
            }
        }

        impl<G: SymmetricGram + ?Sized> SymmetricGram for $pointer {
            fn diagonal(&self) -> &[f64] {
                (**self).diagonal()
            }
        }
    )*};
}
forward!(&G, Box<G>);
