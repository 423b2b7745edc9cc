//! Kernels that prepare items once, in bulk: one comparison per pair, rows kept.

use std::borrow::Borrow;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::gram::mapped::of_item;
use crate::gram::tokens::Independent;
use crate::gram::{BulkKernel, CachedGram, Gram, PairsGram, PairwiseLayout, Plan, SymmetricGram, WithLayout};
use crate::kernel::{Definiteness, DigestKernel};

/// A kernel that prepares items of type `X` once and compares what it has prepared.
///
/// Digests are made in parallel, once per item and matrix, and compared pair by pair; rows are kept within the plan's
/// budget. Works on every `Vec<T>` whose items can be seen as `X`. To resolve it is to [`learn`](DigestKernel::learn).
/// [`Normalised`](crate::kernel::Normalised) is computed from k(x, x) of each digest.
///
/// ```
/// use mercer::gram::{BulkKernel, Digested, Plan};
/// use mercer::kernel::string::Subsequences;
/// let words: Vec<String> = ["cat", "car"].map(String::from).to_vec();
/// let kernel = Digested::<_, str>::new(Subsequences::new(2, 0.5)?);
/// let plan = Plan::new()?;
/// let layout = kernel.layout(&words, &plan)?;
/// assert_eq!(kernel.symmetric(&words, &layout, &plan)?.diagonal(), [0.140625, 0.140625]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Debug)]
pub struct Digested<K, X: ?Sized> {
    kernel: K,
    digests: PhantomData<fn(&X)>,
}

impl<K: DigestKernel<X>, X: ?Sized> Digested<K, X> {
    /// This kernel.
    pub fn new(kernel: K) -> Self {
        Digested { kernel, digests: PhantomData }
    }

    /// The kernel.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }

    /// Says what to do about a value that is too large, where the kernel knows.
    fn within(&self, row: usize, column: usize, value: f64) -> Result<f64> {
        match self.kernel.beyond() {
            Some(instead) if value == f64::INFINITY => Err(Error::KernelOverflow { row, column, instead }),
            _ => Ok(value),
        }
    }

    fn digests<T: Borrow<X> + Sync>(&self, items: &[T], plan: &Plan) -> Result<Vec<K::Digest>> {
        let digests = plan.workers.map(items.len(), items.len() > 1, |i| {
            self.kernel.digest(items[i].borrow()).map_err(|error| of_item(i, error))
        });
        digests.into_iter().collect()
    }
}

// Derived, it would ask `X` to be cloned.
impl<K: Clone, X: ?Sized> Clone for Digested<K, X> {
    fn clone(&self) -> Self {
        Digested { kernel: self.kernel.clone(), digests: PhantomData }
    }
}

impl<K, X: ?Sized> WithLayout for Digested<K, X> {
    type Layout = PairwiseLayout;
}

impl<T, X, K> BulkKernel<Vec<T>> for Digested<K, X>
where
    T: Borrow<X> + Clone + Send + Sync + 'static,
    X: ?Sized,
    K: DigestKernel<X>,
{
    fn resolve(&self, items: &Vec<T>, weights: Option<&[f64]>) -> Result<Self> {
        let items: Vec<&X> = items.iter().map(Borrow::borrow).collect();
        Ok(Digested::new(self.kernel.learn(&items, weights)?))
    }

    fn layout(&self, items: &Vec<T>, plan: &Plan) -> Result<PairwiseLayout> {
        Ok(PairwiseLayout::new(items.len(), plan))
    }

    fn symmetric<'a>(
        &'a self,
        items: &'a Vec<T>,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn SymmetricGram + 'a>> {
        self.gram_of(items, layout, plan)
    }

    fn cross<'a>(
        &'a self,
        rows: &'a Vec<T>,
        columns: &'a Vec<T>,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn Gram + 'a>> {
        self.gram_between(rows, columns, layout, plan)
    }

    fn definiteness(&self) -> Definiteness {
        self.kernel.definiteness()
    }
}

impl<T, X, K> Independent<T> for Digested<K, X>
where
    T: Borrow<X> + Sync,
    X: ?Sized,
    K: DigestKernel<X>,
{
    fn gram_of<'a>(
        &'a self,
        items: &[T],
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn SymmetricGram + 'a>> {
        let digests = Arc::new(self.digests(items, plan)?);
        let own = Arc::clone(&digests);
        let gram = PairsGram::symmetric_by(
            items.len(),
            move |i, j| self.within(i, j, self.kernel.compare(&digests[i], &digests[j])),
            move |i| self.within(i, i, self.kernel.compare_self(&own[i])),
            &layout.plan(plan),
        )?;
        Ok(Box::new(CachedGram::new(gram, plan)?))
    }

    fn gram_between<'a>(
        &'a self,
        rows: &[T],
        columns: &[T],
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn Gram + 'a>> {
        let shape = (rows.len(), columns.len());
        let (rows, columns) = (self.digests(rows, plan)?, self.digests(columns, plan)?);
        let pair = move |r: usize, c: usize| self.within(r, c, self.kernel.compare(&rows[r], &columns[c]));
        Ok(Box::new(PairsGram::cross_by(shape, pair, shape.0, &layout.plan(plan))?))
    }

    fn is_definite(&self) -> Definiteness {
        self.kernel.definiteness()
    }
}
