//! Sums, products, multiples and normalised forms of kernels on the same items.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::gram::combined::{CombinedGram, Part, Side};
use crate::gram::{BulkKernel, CachedGram, Gram, PairwiseLayout, Plan, SymmetricGram, WithLayout};
use crate::kernel::Definiteness;

/// Kernels on items of type `T`, put together: what [`Expression`](crate::kernel::Expression) is to numeric rows.
///
/// Any of [`Mapped`](crate::gram::Mapped), [`Digested`](crate::gram::Digested) and [`Pairwise`](crate::gram::Pairwise),
/// multiplied by numbers of at least 0, added, multiplied with each other, at unit length. Each part keeps its own fast
/// path; blocks are put together in double precision. Rows are kept within the plan's budget.
///
/// ```
/// use mercer::gram::{BulkKernel, Compound, Digested, Mapped, Plan};
/// use mercer::kernel::string::{Spectrum, Subsequences};
/// let pairs = Compound::<String>::new(Mapped::<_, str>::new(Spectrum::new(2)?));
/// let gaps = Compound::new(Digested::<_, str>::new(Subsequences::new(2, 0.5)?));
/// let kernel = pairs.plus(gaps.scaled(10.0)?);
///
/// let words: Vec<String> = ["cat", "car"].map(String::from).to_vec();
/// let plan = Plan::new()?;
/// let layout = kernel.layout(&words, &plan)?;
/// assert_eq!(kernel.symmetric(&words, &layout, &plan)?.diagonal(), [3.40625, 3.40625]);
/// # Ok::<(), mercer::Error>(())
/// ```
pub struct Compound<T> {
    root: Node<T>,
}

enum Node<T> {
    Kernel(Arc<dyn Component<T>>),
    Sum(Vec<Node<T>>),
    Product(Vec<Node<T>>),
    Scale(f64, Box<Node<T>>),
    Normalise(Box<Node<T>>),
}

impl<T: Clone + Send + Sync + 'static> Compound<T> {
    /// One kernel.
    pub fn new<K>(kernel: K) -> Self
    where
        K: BulkKernel<Vec<T>> + WithLayout<Layout = PairwiseLayout> + 'static,
    {
        Compound { root: Node::Kernel(Arc::new(kernel)) }
    }

    /// k(x, z) + k'(x, z)
    #[must_use]
    pub fn plus(self, other: Compound<T>) -> Self {
        Compound { root: Node::Sum(vec![self.root, other.root]) }
    }

    /// k(x, z) · k'(x, z)
    #[must_use]
    pub fn times(self, other: Compound<T>) -> Self {
        Compound { root: Node::Product(vec![self.root, other.root]) }
    }

    /// factor · k(x, z)
    ///
    /// # Errors
    /// [`Error::Parameter`] unless the factor is a finite number of at least 0.
    pub fn scaled(self, factor: f64) -> Result<Self> {
        if !(factor.is_finite() && factor >= 0.0) {
            let expected = "a finite number of at least 0";
            return Err(Error::Parameter { name: "factor", value: factor, expected });
        }
        Ok(Compound { root: Node::Scale(factor, Box::new(self.root)) })
    }

    /// k(x, z) / √(k(x, x) k(z, z)), see [`Normalised`](crate::kernel::Normalised).
    #[must_use]
    pub fn normalised(self) -> Self {
        Compound { root: Node::Normalise(Box::new(self.root)) }
    }
}

impl<T> Clone for Compound<T> {
    fn clone(&self) -> Self {
        Compound { root: self.root.clone() }
    }
}

impl<T> std::fmt::Debug for Compound<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Compound").field("kernels", &self.root.leaves()).finish_non_exhaustive()
    }
}

impl<T> WithLayout for Compound<T> {
    type Layout = PairwiseLayout;
}

impl<T: Clone + Send + Sync + 'static> BulkKernel<Vec<T>> for Compound<T> {
    fn resolve(&self, items: &Vec<T>, weights: Option<&[f64]>) -> Result<Self> {
        Ok(Compound { root: self.root.try_map(&|kernel| kernel.resolved(items, weights))? })
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
        if let Node::Kernel(kernel) = &self.root {
            return kernel.gram(items, layout, plan);
        }
        let part = Parts { layout, plan: &without_cache(plan) }.symmetric(&self.root, items)?;
        let gram = CombinedGram::symmetric(part, items.len(), layout.precision(), plan)?;
        Ok(Box::new(CachedGram::new(gram, plan)?))
    }

    fn cross<'a>(
        &'a self,
        rows: &'a Vec<T>,
        columns: &'a Vec<T>,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn Gram + 'a>> {
        if let Node::Kernel(kernel) = &self.root {
            return kernel.gram_between(rows, columns, layout, plan);
        }
        let part = Parts { layout, plan: &without_cache(plan) }.cross(&self.root, rows, columns)?;
        Ok(Box::new(CombinedGram::cross(part, (rows.len(), columns.len()), layout.precision(), plan)))
    }

    fn definiteness(&self) -> Definiteness {
        self.root.definiteness()
    }
}

/// A kernel of whatever type on a `Vec<T>`.
#[expect(clippy::ptr_arg, reason = "kernels in bulk are defined on the collection")]
trait Component<T>: Send + Sync {
    fn resolved(&self, items: &Vec<T>, weights: Option<&[f64]>) -> Result<Arc<dyn Component<T>>>;

    fn gram<'a>(
        &'a self,
        items: &'a Vec<T>,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn SymmetricGram + 'a>>;

    fn gram_between<'a>(
        &'a self,
        rows: &'a Vec<T>,
        columns: &'a Vec<T>,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn Gram + 'a>>;

    fn is_definite(&self) -> Definiteness;
}

impl<T, K> Component<T> for K
where
    T: Clone + Send + Sync + 'static,
    K: BulkKernel<Vec<T>> + WithLayout<Layout = PairwiseLayout> + 'static,
{
    fn resolved(&self, items: &Vec<T>, weights: Option<&[f64]>) -> Result<Arc<dyn Component<T>>> {
        Ok(Arc::new(self.resolve(items, weights)?))
    }

    fn gram<'a>(
        &'a self,
        items: &'a Vec<T>,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn SymmetricGram + 'a>> {
        self.symmetric(items, layout, plan)
    }

    fn gram_between<'a>(
        &'a self,
        rows: &'a Vec<T>,
        columns: &'a Vec<T>,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn Gram + 'a>> {
        self.cross(rows, columns, layout, plan)
    }

    fn is_definite(&self) -> Definiteness {
        self.definiteness()
    }
}

/// Rows are kept of the whole, not of its parts.
fn without_cache(plan: &Plan) -> Plan {
    Plan { cache_bytes: 0, ..plan.clone() }
}

/// Puts the Gram matrices of the parts together.
struct Parts<'p> {
    layout: &'p PairwiseLayout,
    plan: &'p Plan,
}

impl Parts<'_> {
    fn symmetric<'a, T>(&self, node: &'a Node<T>, items: &'a Vec<T>) -> Result<Part<'a>> {
        let each = |nodes: &'a [Node<T>]| {
            nodes.iter().map(|node| self.symmetric(node, items)).collect::<Result<Vec<_>>>()
        };
        Ok(match node {
            Node::Kernel(kernel) => {
                let gram: Box<dyn Gram + 'a> = kernel.gram(items, self.layout, self.plan)?;
                Part::Leaf { gram, factor: 1.0 }
            }
            Node::Sum(nodes) => Part::Sum(each(nodes)?),
            Node::Product(nodes) => Part::Product(each(nodes)?),
            Node::Scale(factor, node) => Part::Scale(*factor, Box::new(self.symmetric(node, items)?)),
            Node::Normalise(node) => {
                let rows = self.lengths(node, items)?;
                let side = Side { columns: rows.clone(), rows };
                Part::Normalise(Box::new(self.symmetric(node, items)?), side)
            }
        })
    }

    fn cross<'a, T>(&self, node: &'a Node<T>, rows: &'a Vec<T>, columns: &'a Vec<T>) -> Result<Part<'a>> {
        let each = |nodes: &'a [Node<T>]| {
            nodes.iter().map(|node| self.cross(node, rows, columns)).collect::<Result<Vec<_>>>()
        };
        Ok(match node {
            Node::Kernel(kernel) => {
                Part::Leaf { gram: kernel.gram_between(rows, columns, self.layout, self.plan)?, factor: 1.0 }
            }
            Node::Sum(nodes) => Part::Sum(each(nodes)?),
            Node::Product(nodes) => Part::Product(each(nodes)?),
            Node::Scale(factor, node) => Part::Scale(*factor, Box::new(self.cross(node, rows, columns)?)),
            Node::Normalise(node) => {
                let side = Side { rows: self.lengths(node, rows)?, columns: self.lengths(node, columns)? };
                Part::Normalise(Box::new(self.cross(node, rows, columns)?), side)
            }
        })
    }

    /// √k(x, x) of each item.
    fn lengths<T>(&self, node: &Node<T>, items: &Vec<T>) -> Result<Vec<f64>> {
        Ok(self.diagonal(node, items)?.into_iter().map(f64::sqrt).collect())
    }

    /// k(x, x) of each item.
    fn diagonal<T>(&self, node: &Node<T>, items: &Vec<T>) -> Result<Vec<f64>> {
        let fold = |nodes: &[Node<T>], combine: fn(f64, f64) -> f64| -> Result<Vec<f64>> {
            let mut parts = nodes.iter().map(|node| self.diagonal(node, items));
            let mut total = parts.next().unwrap_or_else(|| Ok(Vec::new()))?;
            for part in parts {
                total.iter_mut().zip(part?).for_each(|(a, b)| *a = combine(*a, b));
            }
            Ok(total)
        };
        Ok(match node {
            Node::Kernel(kernel) => kernel.gram(items, self.layout, self.plan)?.diagonal().to_vec(),
            Node::Sum(nodes) => fold(nodes, |a, b| a + b)?,
            Node::Product(nodes) => fold(nodes, |a, b| a * b)?,
            Node::Scale(factor, node) => {
                self.diagonal(node, items)?.into_iter().map(|v| factor * v).collect()
            }
            Node::Normalise(node) => {
                // The root of a negative square is NaN, and stays.
                let unit = |length: f64| if length > 0.0 { 1.0 } else { length };
                self.lengths(node, items)?.into_iter().map(unit).collect()
            }
        })
    }
}

impl<T> Node<T> {
    /// The same tree of other kernels.
    fn try_map(
        &self,
        change: &impl Fn(&Arc<dyn Component<T>>) -> Result<Arc<dyn Component<T>>>,
    ) -> Result<Self> {
        let each =
            |nodes: &[Node<T>]| nodes.iter().map(|node| node.try_map(change)).collect::<Result<Vec<_>>>();
        Ok(match self {
            Node::Kernel(kernel) => Node::Kernel(change(kernel)?),
            Node::Sum(nodes) => Node::Sum(each(nodes)?),
            Node::Product(nodes) => Node::Product(each(nodes)?),
            Node::Scale(factor, node) => Node::Scale(*factor, Box::new(node.try_map(change)?)),
            Node::Normalise(node) => Node::Normalise(Box::new(node.try_map(change)?)),
        })
    }

    fn leaves(&self) -> usize {
        match self {
            Node::Kernel(_) => 1,
            Node::Sum(nodes) | Node::Product(nodes) => nodes.iter().map(Node::leaves).sum(),
            Node::Scale(_, node) | Node::Normalise(node) => node.leaves(),
        }
    }

    /// Sums and products of kernels are kernels.
    fn definiteness(&self) -> Definiteness {
        match self {
            Node::Kernel(kernel) => kernel.is_definite(),
            Node::Sum(nodes) | Node::Product(nodes) => {
                nodes.iter().map(Node::definiteness).fold(Definiteness::Guaranteed, Definiteness::and)
            }
            Node::Scale(_, node) | Node::Normalise(node) => node.definiteness(),
        }
    }
}

impl<T> Clone for Node<T> {
    fn clone(&self) -> Self {
        match self {
            Node::Kernel(kernel) => Node::Kernel(Arc::clone(kernel)),
            Node::Sum(nodes) => Node::Sum(nodes.clone()),
            Node::Product(nodes) => Node::Product(nodes.clone()),
            Node::Scale(factor, node) => Node::Scale(*factor, node.clone()),
            Node::Normalise(node) => Node::Normalise(node.clone()),
        }
    }
}
