//! Gram matrices, block by block: all that solvers and predictors ever see of data and kernels.
//!
//! Two verbs: [`Gram::fill`] writes a block of values, [`Gram::accumulate`] adds a weighted sum of rows
//! to a vector without keeping the values; [`Gram::combine`] is the second one for several sums at once.

mod bulk;
mod cache;
mod collection;
mod combinations;
mod combined;
mod compound;
pub mod dense;
mod dictionary;
mod digested;
mod evaluation;
mod expression;
mod finite;
mod forward;
mod held;
mod interruptible;
mod mapped;
mod mended;
mod pairs;
mod pairwise;
mod precomputed;
mod preparation;
mod room;
pub mod simd;
pub mod sparse;
mod sums;
mod tiles;
mod tokens;
mod value;
mod vector;
mod view;
mod weighted;
mod whole;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::resources::Workers;

pub use bulk::{BulkKernel, Plan, WithLayout};
pub use cache::{CacheStatistics, CachedGram};
pub use collection::{CollectionKernel, CollectionLayout};
pub use combinations::Combinations;
pub use compound::Compound;
pub(crate) use dense::GrowingPanels;
pub use dense::{DenseGram, Distances};
pub use digested::Digested;
pub use evaluation::Evaluation;
pub use expression::VectorLayout;
pub use held::{Held, hold, hold_between};
pub use interruptible::Interruptible;
pub use mapped::Mapped;
pub use mended::LearnedMending;
pub(crate) use mended::{Clipped, Found};
pub use pairs::PairsGram;
pub use pairwise::{Pairwise, PairwiseLayout};
pub use precomputed::PrecomputedGram;
pub use room::Room;
pub(crate) use room::Rooms;
pub use sparse::SparseGram;
pub use sums::Sums;
pub use value::Value;
pub use vector::{Layout, VectorGram, VectorPlan};
pub use view::ColumnView;
pub(crate) use whole::upper;
pub use whole::whole;

/// In which precision values of K are computed and kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// [`Precision::F64`] for up to 2048 items, [`Precision::F32`] above; a machine that trains goes on in
    /// [`Precision::F64`] where that turns out not to be enough.
    #[default]
    Auto,
    /// Single precision: half the memory, twice the speed, entries true to about 1e-7.
    F32,
    /// Double precision.
    F64,
}

impl Precision {
    /// Decides `Auto` for a training set of `n` items.
    pub fn resolve(self, n: usize) -> Precision {
        match self {
            Precision::Auto if n <= 2048 => Precision::F64,
            Precision::Auto => Precision::F32,
            fixed => fixed,
        }
    }
}

/// Which columns a verb is about.
#[derive(Clone, Debug)]
pub enum Columns<'a> {
    /// Neighbouring columns.
    Range(Range<usize>),
    /// Any columns, in any order.
    List(&'a [usize]),
}

impl Columns<'_> {
    /// Number of columns.
    pub fn len(&self) -> usize {
        match self {
            Columns::Range(range) => range.len(),
            Columns::List(list) => list.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The `i`-th of them.
    ///
    /// # Panics
    /// If a list has none.
    pub fn at(&self, i: usize) -> usize {
        match self {
            Columns::Range(range) => range.start + i,
            Columns::List(list) => list[i],
        }
    }

    /// The `part`-th to last of them as columns of their own.
    ///
    /// # Panics
    /// If these columns are a list and the part is not within it.
    pub fn slice(&self, part: Range<usize>) -> Columns<'_> {
        match self {
            Columns::Range(range) => Columns::Range(range.start + part.start..range.start + part.end),
            Columns::List(list) => Columns::List(&list[part]),
        }
    }
}

/// Where a block of values is written: row `r` of the block begins at `r * stride`.
#[derive(Debug)]
pub enum Block<'a> {
    /// Values in single precision.
    F32 {
        /// At least `(rows − 1) · stride + columns` values.
        values: &'a mut [f32],
        /// Distance between the beginnings of neighbouring rows.
        stride: usize,
    },
    /// Values in double precision.
    F64 {
        /// At least `(rows − 1) · stride + columns` values.
        values: &'a mut [f64],
        /// Distance between the beginnings of neighbouring rows.
        stride: usize,
    },
}

/// A rectangular matrix of kernel values K[r, c] = k(row item r, column item c) that is never held as a whole.
///
/// **Value contract.** The bits of an entry depend on the two items, the precision and the instruction set
/// alone: not on the verb, the shape of the block, the number of threads or the state of a cache; and a
/// square Gram matrix is symmetric to the bit.
pub trait Gram: Sync {
    /// Rows and columns.
    fn shape(&self) -> (usize, usize);

    /// [`Precision::F32`] or [`Precision::F64`]: how values are computed. A block of the other kind gets them converted.
    fn precision(&self) -> Precision;

    /// Verb 1: writes the values of these rows and columns.
    ///
    /// # Errors
    /// A kernel of the user may fail or return a number that is not finite.
    fn fill(&self, rows: &[usize], columns: Columns<'_>, out: Block<'_>) -> Result<()>;

    /// Verb 2: `f[c] += Σᵣ weights[r] · K[rows[r], columns[c]]`, added in the order of `rows`, in double precision.
    ///
    /// # Errors
    /// As [`Gram::fill`].
    fn accumulate(&self, rows: &[usize], weights: &[f64], columns: Columns<'_>, f: &mut [f64]) -> Result<()>;

    /// Verb 2 for several sums of the same rows: `f[c · m + s] += Σ weight · K[rows[r], columns[c]]` over the terms
    /// (r, weight) of the s-th of m sums, in their order. Every value is computed once, whatever m is.
    ///
    /// # Errors
    /// As [`Gram::fill`].
    fn combine(
        &self,
        rows: &[usize],
        sums: &Combinations,
        columns: Columns<'_>,
        f: &mut [f64],
        workers: &Workers,
    ) -> Result<()> {
        combinations::combine_by_fill(self, rows, sums, &columns, f, workers)
    }

    /// The same rows with these columns only, laid out so that both verbs run at full speed.
    ///
    /// # Errors
    /// As [`Gram::fill`].
    fn restrict(&self, columns: &[usize]) -> Result<Box<dyn Gram + '_>>;
}

/// The square Gram matrix of a training set.
pub trait SymmetricGram: Gram {
    /// K[i, i], the same numbers that [`Gram::fill`] writes there.
    fn diagonal(&self) -> &[f64];

    /// All values, if they are in memory.
    fn held(&self) -> Option<Held<'_>> {
        None
    }

    /// max |K[i, i]|, which bounds every value of a positive semi-definite matrix.
    fn largest(&self) -> f64 {
        self.diagonal().iter().fold(0.0, |most, k| most.max(k.abs()))
    }
}
