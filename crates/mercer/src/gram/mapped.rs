//! Kernels with explicit features in bulk: items become sparse rows.

use std::borrow::Borrow;
use std::marker::PhantomData;

use crate::data::{Sparse, Vectors};
use crate::error::{Error, Result};
use crate::gram::cache::kept;
use crate::gram::dictionary::Dictionary;
use crate::gram::expression::CHEAP_STORED;
use crate::gram::tokens::Independent;
use crate::gram::{
    BulkKernel, Evaluation, Gram, PairwiseLayout, Plan, SparseGram, SymmetricGram, WithLayout,
};
use crate::kernel::vector::{Epilogue, Form, Measure};
use crate::kernel::{Definiteness, FeatureMap, gathered};

/// A kernel that lists the features of items of type `X`, with Gram matrices at the speed of sparse rows.
///
/// K[i, j] = Σ φ_f(xᵢ) φ_f(xⱼ). The features of the training items are listed once, in parallel, and numbered in the order
/// of their names; new items are compared by the features that the kept items have, since others cannot matter. (What
/// they add to the length of an item is seen by [`Normalised`](crate::kernel::Normalised).) Works on every `Vec<T>` whose
/// items can be seen as `X`. O(features of all items) memory, O(features of both items) per value; rows of many features
/// are kept within the plan's budget. To resolve it is to [`learn`](FeatureMap::learn).
///
/// ```
/// use mercer::gram::{BulkKernel, Columns, Mapped, Plan};
/// use mercer::kernel::string::Spectrum;
/// let words: Vec<String> = ["banana", "ananas"].map(String::from).to_vec();
/// let kernel = Mapped::<_, str>::new(Spectrum::new(2)?);
/// let plan = Plan::new()?;
/// let layout = kernel.layout(&words, &plan)?;
/// // ba, an, na: 1 + 4 + 4; an, na, as: 4 + 4 + 1
/// assert_eq!(kernel.symmetric(&words, &layout, &plan)?.diagonal(), [9.0, 9.0]);
///
/// let (new, mut f) = (vec!["nab".to_string()], [0.0]);
/// kernel.cross(&words, &new, &layout, &plan)?.accumulate(&[0], &[1.0], Columns::Range(0..1), &mut f)?;
/// assert_eq!(f, [2.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Debug)]
pub struct Mapped<K, X: ?Sized> {
    kernel: K,
    maps: PhantomData<fn(&X)>,
}

/// The features of an item.
type Listed<F> = Vec<(F, f64)>;

impl<K: FeatureMap<X>, X: ?Sized> Mapped<K, X> {
    /// This kernel.
    pub fn new(kernel: K) -> Self {
        Mapped { kernel, maps: PhantomData }
    }

    /// The kernel.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }

    /// The features of items in ascending order, each of them once.
    fn features<T: Borrow<X> + Sync>(&self, items: &[T], plan: &Plan) -> Result<Vec<Listed<K::Feature>>> {
        let listed = plan.workers.map(items.len(), items.len() > 1, |i| {
            self.kernel.features(items[i].borrow()).map(gathered).map_err(|error| of_item(i, error))
        });
        listed.into_iter().collect()
    }
}

/// Says which item it was.
pub(super) fn of_item(index: usize, error: Error) -> Error {
    Error::Item { index, source: Box::new(error) }
}

// Derived, it would ask `X` to be cloned.
impl<K: Clone, X: ?Sized> Clone for Mapped<K, X> {
    fn clone(&self) -> Self {
        Mapped { kernel: self.kernel.clone(), maps: PhantomData }
    }
}

impl<K, X: ?Sized> WithLayout for Mapped<K, X> {
    type Layout = PairwiseLayout;
}

const INNER_PRODUCT: Form = Form { measure: Measure::Dot, epilogue: Epilogue::Identity, scales: None };

fn evaluation<'a>(layout: &PairwiseLayout, plan: &'a Plan) -> Evaluation<'a> {
    Evaluation {
        form: &INNER_PRODUCT,
        factor: 1.0,
        subset: None,
        precision: layout.precision(),
        level: plan.level,
        workers: &plan.workers,
    }
}

impl<T, X, K> BulkKernel<Vec<T>> for Mapped<K, X>
where
    T: Borrow<X> + Clone + Send + Sync + 'static,
    X: ?Sized,
    K: FeatureMap<X>,
{
    fn resolve(&self, items: &Vec<T>, weights: Option<&[f64]>) -> Result<Self> {
        let items: Vec<&X> = items.iter().map(Borrow::borrow).collect();
        Ok(Mapped::new(self.kernel.learn(&items, weights)?))
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
        Definiteness::Guaranteed
    }
}

impl<T, X, K> Independent<T> for Mapped<K, X>
where
    T: Borrow<X> + Sync,
    X: ?Sized,
    K: FeatureMap<X>,
{
    fn gram_of<'a>(
        &'a self,
        items: &[T],
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn SymmetricGram + 'a>> {
        let features = self.features(items, plan)?;
        let (_, rows): (_, Sparse<'static>) = Dictionary::of(&features)?;
        drop(features);
        let cheap = rows.stored() <= CHEAP_STORED * rows.rows();
        let gram = SparseGram::symmetric(&Vectors::Sparse(rows), &evaluation(layout, plan))?;
        kept(gram, cheap, plan)
    }

    fn gram_between<'a>(
        &'a self,
        rows: &[T],
        columns: &[T],
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn Gram + 'a>> {
        let (kept, new) = (self.features(rows, plan)?, self.features(columns, plan)?);
        let (dictionary, rows) = Dictionary::of(&kept)?;
        let (rows, columns) = (Vectors::Sparse(rows), Vectors::Sparse(dictionary.rows(&new)?));
        Ok(Box::new(SparseGram::cross(&rows, &columns, &evaluation(layout, plan))?))
    }

    fn is_definite(&self) -> Definiteness {
        Definiteness::Guaranteed
    }
}
