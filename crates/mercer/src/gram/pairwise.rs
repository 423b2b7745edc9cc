//! Any kernel as a kernel in bulk: one call per pair, rows kept.

use std::borrow::Borrow;
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use crate::data::{Items, Row, Vectors};
use crate::error::Result;
use crate::gram::{BulkKernel, CachedGram, Gram, PairsGram, Plan, Precision, SymmetricGram, WithLayout};
use crate::kernel::{Definiteness, Kernel};

/// Any kernel on items of type `X`, evaluated pair by pair: closures, callables, kernels on strings or graphs.
///
/// Works on every `Vec<T>` whose items can be seen as `X` (`Vec<String>` for a kernel on `str`), and with
/// `X = Row` on [`Vectors`]. Rows are kept within the plan's budget.
///
/// ```
/// use mercer::gram::{BulkKernel, Pairwise, Plan};
/// let words: Vec<String> = ["kernel", "margin"].map(String::from).to_vec();
/// let kernel = Pairwise::<_, str>::new(|a: &str, b: &str| (a.len() * b.len()) as f64);
/// let plan = Plan::new()?;
/// let layout = kernel.layout(&words, &plan)?;
/// assert_eq!(kernel.symmetric(&words, &layout, &plan)?.diagonal(), [36.0, 36.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Debug)]
pub struct Pairwise<K, X: ?Sized> {
    kernel: K,
    definiteness: Definiteness,
    compares: PhantomData<fn(&X)>,
}

/// What [`Pairwise`] and the other kernels on items of any type decide at training: in which precision values are kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairwiseLayout {
    precision: Precision,
}

impl<K: Kernel<X>, X: ?Sized> Pairwise<K, X> {
    /// This kernel, of which nothing is known.
    pub fn new(kernel: K) -> Self {
        Pairwise { kernel, definiteness: Definiteness::NotGuaranteed, compares: PhantomData }
    }

    /// The same kernel, said to be positive semi-definite (or not).
    pub fn with_definiteness(mut self, definiteness: Definiteness) -> Self {
        self.definiteness = definiteness;
        self
    }

    /// The kernel.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }
}

// Derived, it would ask `X` to be cloned.
impl<K: Clone, X: ?Sized> Clone for Pairwise<K, X> {
    fn clone(&self) -> Self {
        Pairwise { kernel: self.kernel.clone(), definiteness: self.definiteness, compares: PhantomData }
    }
}

impl<K, X: ?Sized> WithLayout for Pairwise<K, X> {
    type Layout = PairwiseLayout;
}

impl PairwiseLayout {
    pub(super) fn new(items: usize, plan: &Plan) -> Self {
        PairwiseLayout { precision: plan.precision.resolve(items) }
    }

    pub(super) fn precision(&self) -> Precision {
        self.precision
    }

    pub(super) fn plan(&self, plan: &Plan) -> Plan {
        Plan { precision: self.precision, ..plan.clone() }
    }
}

impl<T, X, K> BulkKernel<Vec<T>> for Pairwise<K, X>
where
    T: Borrow<X> + Clone + Send + Sync + 'static,
    X: ?Sized,
    K: Kernel<X> + Clone,
{
    fn resolve(&self, _: &Vec<T>, _: Option<&[f64]>) -> Result<Self> {
        Ok(self.clone())
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
        let gram = PairsGram::symmetric(items, &self.kernel, &layout.plan(plan))?;
        Ok(Box::new(CachedGram::new(gram, plan)?))
    }

    fn cross<'a>(
        &'a self,
        rows: &'a Vec<T>,
        columns: &'a Vec<T>,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn Gram + 'a>> {
        Ok(Box::new(PairsGram::cross(rows, columns, &self.kernel, &layout.plan(plan))?))
    }

    fn definiteness(&self) -> Definiteness {
        self.definiteness
    }
}

impl<'v, K> BulkKernel<Vectors<'v>> for Pairwise<K, Row<'static>>
where
    K: for<'r> Kernel<Row<'r>> + Clone,
{
    fn resolve(&self, _: &Vectors<'v>, _: Option<&[f64]>) -> Result<Self> {
        Ok(self.clone())
    }

    fn layout(&self, items: &Vectors<'v>, plan: &Plan) -> Result<PairwiseLayout> {
        Ok(PairwiseLayout::new(items.len(), plan))
    }

    fn symmetric<'a>(
        &'a self,
        items: &'a Vectors<'v>,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn SymmetricGram + 'a>> {
        let gram = PairsGram::symmetric_by(
            items.len(),
            |i, j| self.kernel.try_eval(&items.get(i), &items.get(j)),
            |i| self.kernel.try_eval_diagonal(&items.get(i)),
            &layout.plan(plan),
        )?;
        Ok(Box::new(CachedGram::new(gram, plan)?))
    }

    fn cross<'a>(
        &'a self,
        rows: &'a Vectors<'static>,
        columns: &'a Vectors<'v>,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn Gram + 'a>> {
        let pair = |r, c| self.kernel.try_eval(&rows.get(r), &columns.get(c));
        let gram = PairsGram::cross_by((rows.len(), columns.len()), pair, rows.len(), &layout.plan(plan))?;
        Ok(Box::new(gram))
    }

    fn definiteness(&self) -> Definiteness {
        self.definiteness
    }
}
