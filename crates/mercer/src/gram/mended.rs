//! What training items decide of a kernel that is shifted or clipped.

use std::fmt;
use std::sync::Arc;

use crate::data::{Collection, Item, Items, Row};
use crate::error::{Error, Result};
use crate::gram::combined::{CombinedGram, Part};
use crate::gram::{
    Block, CachedGram, Columns, Gram, Interruptible, PairsGram, PairwiseLayout, Plan, Precision,
    SymmetricGram, whole,
};
use crate::linalg::{Matrix, Mending, SymmetricEigen};
use crate::resources::{Workers, default_budget};

/// New items whose kernel values with all training items are held at a time.
const BATCH: usize = 256;

/// Matrices of n² numbers: K, its eigenvectors, what the decomposition needs, and the coordinates.
const MATRICES: u64 = 4;

/// How the matrix of a kernel's training items was made positive semi-definite; prints as what was done.
///
/// With K = V diag(λ) Vᵀ of the n training items T: a shift adds s = max(0, −λ_min) where an item meets itself. Clipping gives
/// every item the coordinates φ(x) = Λ₊^(−½) V₊ᵀ k(x, T), so that φ(x)ᵀφ(z) is V₊Λ₊V₊ᵀ on T. Eigenvalues within n ε λ_max
/// of 0 are rounding, and count as 0.
///
/// O(n³) time and O(n²) memory to learn; after clipping a new item takes n kernel values and O(n²) time.
///
/// ```
/// use mercer::data::{Series, Collection};
/// use mercer::gram::{BulkKernel, CollectionKernel};
/// let series = [[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
/// let series = series.map(|values| Series::new(values.to_vec(), 1)).into_iter().collect::<mercer::Result<Vec<_>>>()?;
/// let kernel: CollectionKernel = "clipped(dtw(gamma=0.2))".parse()?;
/// let kernel = kernel.resolve(&Collection::Series(series), None)?;
/// assert_eq!(kernel.learned_mending().unwrap().items(), 5);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedMending {
    pub(crate) least: f64,
    pub(crate) negative: usize,
    pub(crate) found: Found,
}

/// What kernel values need to know of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Found {
    Shift { items: usize, shift: f64 },
    Clip(Clipped),
}

/// Training items and their coordinates.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Clipped {
    pub(crate) items: Collection<'static>,
    /// A row per item, a column for each eigenvalue above 0: V₊Λ₊^½.
    pub(crate) coordinates: Matrix,
    /// The diagonal of Λ₊.
    pub(crate) eigenvalues: Vec<f64>,
}

impl LearnedMending {
    /// From the training items and their matrix, in double precision; the plan says how much memory there is.
    pub(super) fn learn<'a>(
        mending: Mending,
        items: &Collection<'_>,
        plan: &Plan,
        gram: impl FnOnce(&Plan) -> Result<Box<dyn SymmetricGram + 'a>>,
    ) -> Result<Self> {
        let n = items.len();
        let needed = MATRICES.saturating_mul(8).saturating_mul(n as u64).saturating_mul(n as u64);
        if needed > plan.cache_bytes {
            let (what, instead) =
                ("mending the matrix of all items", "learn from fewer items, or allow more memory");
            return Err(Error::Budget { what, needed, allowed: plan.cache_bytes, instead });
        }
        let plan = in_double(plan);
        let matrix = whole(&Interruptible::new(gram(&plan)?, plan.interrupt.clone()))?;
        let eigen = SymmetricEigen::heard(matrix, &Workers::serial().ended_by(plan.interrupt.as_ref()))?;
        let values = eigen.values();
        let largest = values.iter().fold(0.0f64, |most, value| most.max(value.abs()));
        let rounding = n as f64 * f64::EPSILON * largest;
        let least = values.first().copied().unwrap_or(0.0);
        let negative = values.iter().filter(|&&value| value < -rounding).count();
        let found = match mending {
            Mending::Shift => Found::Shift { items: n, shift: if negative > 0 { -least } else { 0.0 } },
            Mending::Clip => {
                let kept: Vec<usize> = (0..n).filter(|&j| values[j] > rounding).collect();
                let coordinate = |i: usize, j: usize| values[kept[j]].sqrt() * eigen.vector(kept[j])[i];
                Found::Clip(Clipped {
                    items: items.select(&(0..n).collect::<Vec<_>>()),
                    coordinates: Matrix::from_fn(n, kept.len(), coordinate),
                    eigenvalues: kept.iter().map(|&j| values[j]).collect(),
                })
            }
        };
        Ok(LearnedMending { least, negative, found })
    }

    /// Number of training items.
    pub fn items(&self) -> usize {
        match &self.found {
            Found::Shift { items, .. } => *items,
            Found::Clip(clipped) => clipped.items.len(),
        }
    }

    /// The training items, where values depend on them: after clipping.
    pub(crate) fn known_items(&self) -> Option<&Collection<'static>> {
        match &self.found {
            Found::Shift { .. } => None,
            Found::Clip(clipped) => Some(&clipped.items),
        }
    }

    /// The smallest eigenvalue of their matrix before.
    pub fn smallest_eigenvalue(&self) -> f64 {
        self.least
    }

    /// How many eigenvalues were below 0; if none, nothing was changed but by rounding.
    pub fn negative(&self) -> usize {
        self.negative
    }

    /// What was done.
    pub fn mending(&self) -> Mending {
        match self.found {
            Found::Shift { .. } => Mending::Shift,
            Found::Clip(_) => Mending::Clip,
        }
    }
}

impl fmt::Display for LearnedMending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, least) = (self.items(), self.least);
        match &self.found {
            _ if self.negative == 0 => write!(f, "no eigenvalue of {n} below 0: nothing to mend"),
            Found::Shift { shift, .. } => write!(f, "shifted by {shift:.4}: least eigenvalue {least:.4}"),
            Found::Clip(_) => {
                write!(f, "clipped {} of {n} eigenvalues, most negative {least:.4}", self.negative)
            }
        }
    }
}

/// Values are computed in double precision, whatever becomes of them.
pub(super) fn in_double(plan: &Plan) -> Plan {
    Plan { precision: Precision::F64, cache_bytes: 0, ..plan.clone() }
}

/// K of items with themselves, with more on its diagonal.
pub(super) fn shifted<'a>(
    gram: Box<dyn SymmetricGram + 'a>,
    shift: f64,
    plan: &Plan,
) -> Result<Box<dyn SymmetricGram + 'a>> {
    let (n, precision) = (gram.shape().0, gram.precision());
    let part = Part::Sum(vec![Part::Leaf { gram, factor: 1.0 }, Part::White(shift)]);
    Ok(Box::new(CachedGram::new(CombinedGram::symmetric(part, n, precision, plan)?, plan)?))
}

impl Clipped {
    /// The coordinates of items, a row for each; `compare` gives kernel values of the training items (rows) with others.
    ///
    /// A training item has the coordinates that it was given, so that a value depends on the two items alone.
    pub(super) fn coordinates(
        &self,
        items: &Collection<'_>,
        plan: &Plan,
        compare: impl Fn(&Collection<'static>, &mut [f64]) -> Result<()>,
    ) -> Result<Matrix> {
        let width = self.eigenvalues.len();
        let needed = 8 * (items.len() as u64).saturating_mul(width as u64);
        let allowed = plan.cache_bytes.max(default_budget());
        if needed > allowed {
            let (what, instead) = ("the coordinates of all items", "ask about fewer items at a time");
            return Err(Error::Budget { what, needed, allowed, instead });
        }
        let n = self.items.len();
        let known = plan.workers.map(items.len(), items.len() > 1, |i| {
            (0..n).find(|&at| is_same(self.items.get(at), items.get(i)))
        });
        let mut all = Matrix::zeros(items.len(), width);
        let place = |i: usize| i * width..(i + 1) * width;
        for (i, at) in known.iter().enumerate() {
            if let Some(at) = at {
                all.values_mut()[place(i)].copy_from_slice(self.coordinates.row(*at));
            }
        }
        let new: Vec<usize> = (0..items.len()).filter(|&i| known[i].is_none()).collect();
        for batch in new.chunks(BATCH) {
            let mut values = vec![0.0; n * batch.len()];
            compare(&items.select(batch), &mut values)?;
            let found = plan.workers.map(batch.len(), batch.len() > 1, |b| {
                let mut sums = vec![0.0; width];
                for (row, own) in values.chunks(batch.len()).enumerate() {
                    let coordinates = self.coordinates.row(row);
                    sums.iter_mut().zip(coordinates).for_each(|(sum, c)| *sum += c * own[b]);
                }
                sums.iter_mut().zip(&self.eigenvalues).for_each(|(sum, value)| *sum /= value);
                sums
            });
            for (&i, found) in batch.iter().zip(found) {
                all.values_mut()[place(i)].copy_from_slice(&found);
            }
        }
        Ok(all)
    }

    /// K of items with themselves, by their coordinates.
    pub(super) fn symmetric<'a>(
        coordinates: Matrix,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn SymmetricGram + 'a>> {
        let coordinates = Arc::new(coordinates);
        let own = Arc::clone(&coordinates);
        let gram = PairsGram::symmetric_by(
            coordinates.rows(),
            move |i, j| Ok(dot(coordinates.row(i), coordinates.row(j))),
            move |i| Ok(dot(own.row(i), own.row(i))),
            &layout.plan(plan),
        )?;
        Ok(Box::new(CachedGram::new(gram, plan)?))
    }

    /// K of kept items against new ones, by their coordinates.
    pub(super) fn cross<'a>(
        rows: Matrix,
        columns: Matrix,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn Gram + 'a>> {
        let shape = (rows.rows(), columns.rows());
        let pair = move |r: usize, c: usize| Ok(dot(rows.row(r), columns.row(c)));
        Ok(Box::new(PairsGram::cross_by(shape, pair, shape.0, &layout.plan(plan))?))
    }
}

/// All values of a matrix, row after row, with an ear for whoever may end it.
pub(super) fn fill_all<'a>(gram: Box<dyn Gram + 'a>, plan: &Plan, values: &mut [f64]) -> Result<()> {
    let (n, m) = gram.shape();
    let all: Vec<usize> = (0..n).collect();
    let out = Block::F64 { values, stride: m };
    Interruptible::new(gram, plan.interrupt.clone()).fill(&all, Columns::Range(0..m), out)
}

/// Whether two items are the same; rows are by their numbers, in whatever form they are stored.
fn is_same(a: Item<'_>, b: Item<'_>) -> bool {
    match (a, b) {
        (Item::Row(a), Item::Row(b)) => a == b || is_same_row(a, b),
        (a, b) => a == b,
    }
}

fn is_same_row(a: Row<'_>, b: Row<'_>) -> bool {
    match (a, b) {
        // Unequal already.
        (Row::Dense64(_), Row::Dense64(_)) | (Row::Dense32(_), Row::Dense32(_)) => false,
        (Row::Sparse { indices, values }, Row::Sparse { indices: others, values: other_values }) => {
            let here = indices.iter().zip(values).filter(|(_, value)| **value != 0.0);
            here.eq(others.iter().zip(other_values).filter(|(_, value)| **value != 0.0))
        }
        (a, b) => {
            let columns = a.columns().max(b.columns()).unwrap_or(0);
            (0..columns).all(|k| a.value(k) == b.value(k))
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
