//! From the tree of an expression to a tree of Gram matrices.

use std::sync::Arc;

use crate::data::{Items, Row, Vectors};
use crate::error::{Error, Result};
use crate::gram::cache::kept;
use crate::gram::combined::{CombinedGram, Part, Side};
use crate::gram::expression::layout::Node;
use crate::gram::{
    Columns, Evaluation, Gram, Layout, PairsGram, Plan, Precision, SymmetricGram, VectorGram, VectorPlan,
};
use crate::kernel::combine::Selection;
use crate::kernel::vector::{Form, power};
use crate::kernel::{Expression, Kernel};
use crate::resources::Workers;

/// Up to so many columns of dense rows, or numbers stored per sparse row, a row of K is computed as fast as memory
/// for it is found, filled and read again: measured with 54 columns, and with 11 and 14 numbers per row.
const CHEAP_COLUMNS: usize = 64;
pub(in crate::gram) const CHEAP_STORED: usize = 32;

/// The items of rows and columns.
#[derive(Clone, Copy)]
pub(super) enum Sides<'a> {
    /// The same items, and entry (i, i) is an item with itself.
    Same(&'a Vectors<'a>),
    Two(&'a Vectors<'a>, &'a Vectors<'a>),
}

impl<'a> Sides<'a> {
    /// One number per item, computed once where both sides are the same.
    fn side(self, mut numbers: impl FnMut(&Vectors<'_>) -> Result<Vec<f64>>) -> Result<Side> {
        Ok(match self {
            Sides::Same(items) => {
                let rows = numbers(items)?;
                Side { columns: rows.clone(), rows }
            }
            Sides::Two(rows, columns) => Side { rows: numbers(rows)?, columns: numbers(columns)? },
        })
    }
}

/// A single kernel on some columns, with a factor.
struct Single<'a> {
    factor: f64,
    form: Form,
    subset: Option<Vec<usize>>,
    plan: &'a VectorPlan,
}

pub(super) struct Builder<'p> {
    precision: Precision,
    plan: &'p Plan,
}

impl<'p> Builder<'p> {
    pub(super) fn new(precision: Precision, plan: &'p Plan) -> Self {
        Builder { precision, plan }
    }

    pub(super) fn evaluation<'e>(
        &'e self,
        form: &'e Form,
        factor: f64,
        subset: Option<&'e [usize]>,
    ) -> Evaluation<'e> {
        Evaluation {
            form,
            factor,
            subset,
            precision: self.precision,
            level: self.plan.level,
            workers: &self.plan.workers,
        }
    }

    /// K of items with themselves; rows are kept where they are expensive.
    pub(super) fn symmetric(
        &self,
        kernel: &Expression,
        node: &Node,
        items: &Vectors<'_>,
    ) -> Result<Box<dyn SymmetricGram + 'static>> {
        if let Some(single) = single(kernel, node, None)? {
            let Single { factor, form, subset, plan } = single;
            let evaluation = self.evaluation(&form, factor, subset.as_deref());
            let gram = VectorGram::symmetric_with(items, &evaluation, plan)?;
            let cheap = is_cheap(plan, items, subset.map_or(items.columns(), |subset| subset.len()));
            return kept(gram, cheap, self.plan);
        }
        let part = self.part(kernel, node, Sides::Same(items), None)?;
        let cheap = match part.leaves() {
            0 => true,
            1 => node.leaf().is_some_and(|plan| is_cheap(plan, items, items.columns())),
            _ => false,
        };
        let gram = CombinedGram::symmetric(part, items.len(), self.precision, self.plan)?;
        kept(gram, cheap, self.plan)
    }

    /// K of rows against columns; nothing is kept.
    pub(super) fn cross(
        &self,
        kernel: &Expression,
        node: &Node,
        sides: Sides<'_>,
    ) -> Result<Box<dyn Gram + 'static>> {
        let (rows, columns) = match sides {
            Sides::Same(items) => (items, items),
            Sides::Two(rows, columns) => (rows, columns),
        };
        if let Some(Single { factor, form, subset, plan }) = single(kernel, node, None)? {
            let evaluation = self.evaluation(&form, factor, subset.as_deref());
            return Ok(Box::new(VectorGram::cross(rows, columns, &evaluation, plan)?));
        }
        let part = self.part(kernel, node, Sides::Two(rows, columns), None)?;
        let shape = (rows.len(), columns.len());
        Ok(Box::new(CombinedGram::cross(part, shape, self.precision, self.plan)))
    }

    fn part(
        &self,
        kernel: &Expression,
        node: &Node,
        sides: Sides<'_>,
        subset: Option<&[usize]>,
    ) -> Result<Part<'static>> {
        if let Some(Single { factor, form, subset, plan }) = single(kernel, node, subset)? {
            let evaluation = self.evaluation(&form, 1.0, subset.as_deref());
            let gram = match sides {
                Sides::Same(items) => VectorGram::symmetric_with(items, &evaluation, plan)?,
                Sides::Two(rows, columns) => VectorGram::cross(rows, columns, &evaluation, plan)?,
            };
            return Ok(Part::Leaf { gram: Box::new(gram), factor });
        }
        let child = || -> Result<Part<'static>> {
            let (kernel, node) = only_child(kernel, node)?;
            self.part(kernel, node, sides, subset)
        };
        let children = || -> Result<Vec<Part<'static>>> {
            pairs(kernel, node)?.map(|(kernel, node)| self.part(kernel, node, sides, subset)).collect()
        };
        Ok(match kernel {
            Expression::Anova(k) => Part::Leaf { gram: Box::new(self.pairs(k, sides, subset)?), factor: 1.0 },
            Expression::Constant(k) => Part::Constant(k.value()),
            Expression::White(k) => Part::White(k.noise()),
            Expression::Sum(_) => Part::Sum(children()?),
            Expression::Product(_) => Part::Product(children()?),
            Expression::Scale(k) => Part::Scale(k.factor(), Box::new(child()?)),
            Expression::Power(k) => Part::Power(k.exponent(), Box::new(child()?)),
            Expression::Columns(k) => {
                let (kernel, node) = only_child(kernel, node)?;
                if !has_centre(kernel) {
                    return self.part(kernel, node, sides, Some(&k.selection().within(subset)));
                }
                // The reference rows of `centre` have the selected columns only: so must the items.
                match sides {
                    Sides::Same(items) => {
                        let items = select(k.selection(), items, subset)?;
                        self.part(kernel, node, Sides::Same(&items), None)?
                    }
                    Sides::Two(rows, columns) => {
                        let rows = select(k.selection(), rows, subset)?;
                        let columns = select(k.selection(), columns, subset)?;
                        self.part(kernel, node, Sides::Two(&rows, &columns), None)?
                    }
                }
            }
            Expression::Normalise(k) => {
                let (_, inner) = only_child(kernel, node)?;
                let lengths = sides.side(|items| {
                    let squares = self.diagonal(k.kernel(), inner, items, subset)?;
                    Ok(squares.into_iter().map(f64::sqrt).collect())
                })?;
                Part::Normalise(Box::new(child()?), lengths)
            }
            Expression::Centre(k) => {
                let (Node::Centre(centring), Some(reference)) = (node, k.reference()) else {
                    return Err(mismatch(kernel));
                };
                let means = sides.side(|items| match &centring.means {
                    Some(means) if same(items, reference) => Ok(means.to_vec()),
                    _ => self.means(k.kernel(), &centring.child, reference, items),
                })?;
                let part = Box::new(self.part(k.kernel(), &centring.child, sides, subset)?);
                Part::Centre { part, means, grand_mean: centring.grand_mean }
            }
            kernel => return Err(mismatch(kernel)),
        })
    }

    /// A kernel without a form, pair by pair. Threads are shared out above, where parts are put together.
    fn pairs<K>(&self, kernel: &K, sides: Sides<'_>, subset: Option<&[usize]>) -> Result<PairsGram<'static>>
    where
        K: for<'r> Kernel<Row<'r>> + Clone + 'static,
    {
        let plan =
            Plan { precision: self.precision, workers: Arc::new(Workers::serial()), ..self.plan.clone() };
        let kernel = kernel.clone();
        let seen = |items: &Vectors<'_>| match subset {
            Some(subset) => Selection::list(subset.to_vec())?.project(items),
            None => Ok(items.select(&(0..items.len()).collect::<Vec<_>>())),
        };
        match sides {
            Sides::Same(items) => {
                let items = Arc::new(seen(items)?);
                let (all, again) = (Arc::clone(&items), kernel.clone());
                PairsGram::symmetric_by(
                    all.len(),
                    move |i, j| Ok(kernel.eval(&items.get(i), &items.get(j))),
                    |i| Ok(again.eval_diagonal(&all.get(i))),
                    &plan,
                )
            }
            Sides::Two(rows, columns) => {
                let (rows, columns) = (seen(rows)?, seen(columns)?);
                let shape = (rows.len(), columns.len());
                PairsGram::cross_by(
                    shape,
                    move |r, c| Ok(kernel.eval(&rows.get(r), &columns.get(c))),
                    shape.0,
                    &plan,
                )
            }
        }
    }

    /// μ: the mean of k(r, x) over the reference rows, for each item x. The sum is made in the order of the
    /// reference rows, so that an item has the same mean in whatever batch it comes.
    pub(super) fn means(
        &self,
        kernel: &Expression,
        node: &Node,
        reference: &Vectors<'_>,
        items: &Vectors<'_>,
    ) -> Result<Vec<f64>> {
        let gram = self.cross(kernel, node, Sides::Two(reference, items))?;
        let rows: Vec<usize> = (0..reference.len()).collect();
        let mut sums = vec![0.0; items.len()];
        gram.accumulate(&rows, &vec![1.0; rows.len()], Columns::Range(0..items.len()), &mut sums)?;
        sums.iter_mut().for_each(|sum| *sum /= rows.len() as f64);
        Ok(sums)
    }

    /// k(x, x) of each item, in double precision and with white noise.
    fn diagonal(
        &self,
        kernel: &Expression,
        node: &Node,
        items: &Vectors<'_>,
        subset: Option<&[usize]>,
    ) -> Result<Vec<f64>> {
        if !has_centre(kernel) {
            let selected = match subset {
                Some(subset) => &Selection::list(subset.to_vec())?.project(items)?,
                None => items,
            };
            return Ok((0..selected.len()).map(|i| kernel.eval_diagonal(&selected.get(i))).collect());
        }
        // Here there is no subset: columns above a `centre` are selected in the items themselves.
        let mut children = pairs(kernel, node)?;
        let mut next = || match children.next() {
            Some((kernel, node)) => self.diagonal(kernel, node, items, None),
            None => Err(mismatch(kernel)),
        };
        Ok(match kernel {
            Expression::Sum(k) => {
                let mut total = next()?;
                for _ in 1..k.terms().len() {
                    total.iter_mut().zip(next()?).for_each(|(a, b)| *a += b);
                }
                total
            }
            Expression::Product(k) => {
                let mut total = next()?;
                for _ in 1..k.factors().len() {
                    total.iter_mut().zip(next()?).for_each(|(a, b)| *a *= b);
                }
                total
            }
            Expression::Scale(k) => next()?.into_iter().map(|v| k.factor() * v).collect(),
            Expression::Power(k) => next()?.into_iter().map(|v| power(v, k.exponent())).collect(),
            Expression::Normalise(_) => {
                let unit = |v: f64| if v == 0.0 { 0.0 } else { v.sqrt() / v.sqrt() };
                next()?.into_iter().map(unit).collect()
            }
            Expression::Columns(k) => {
                let (inner, node) = only_child(kernel, node)?;
                self.diagonal(inner, node, &k.selection().project(items)?, None)?
            }
            Expression::Centre(k) => {
                let (Node::Centre(centring), Some(reference)) = (node, k.reference()) else {
                    return Err(mismatch(kernel));
                };
                let means = self.means(k.kernel(), &centring.child, reference, items)?;
                let own = next()?;
                own.iter().zip(means).map(|(v, m)| v - (m + m) + centring.grand_mean).collect()
            }
            kernel => return Err(mismatch(kernel)),
        })
    }
}

/// Whether a `centre` stands somewhere in it.
pub(super) fn has_centre(kernel: &Expression) -> bool {
    matches!(kernel, Expression::Centre(_)) || kernel.children().iter().any(has_centre)
}

/// The selected columns of the items that a kernel sees.
pub(super) fn select(
    selection: &Selection,
    items: &Vectors<'_>,
    subset: Option<&[usize]>,
) -> Result<Vectors<'static>> {
    Selection::list(selection.within(subset))?.project(items)
}

/// The kernel, if it is a single one: on some columns, times a number.
fn single<'n>(kernel: &Expression, node: &'n Node, subset: Option<&[usize]>) -> Result<Option<Single<'n>>> {
    if let Some((factor, form)) = kernel.form() {
        let Node::Leaf(plan) = node else { return Err(mismatch(kernel)) };
        return Ok(Some(Single { factor, form, subset: subset.map(<[usize]>::to_vec), plan }));
    }
    Ok(match kernel {
        Expression::Scale(k) => {
            let (inner, node) = only_child(kernel, node)?;
            let scaled = |inner: Single<'n>| Single { factor: k.factor() * inner.factor, ..inner };
            single(inner, node, subset)?.map(scaled)
        }
        Expression::Columns(k) => {
            let (inner, node) = only_child(kernel, node)?;
            single(inner, node, Some(&k.selection().within(subset)))?
        }
        _ => None,
    })
}

fn is_cheap(plan: &VectorPlan, items: &Vectors<'_>, columns: usize) -> bool {
    match (plan.layout, items) {
        (Layout::Dense, _) => columns <= CHEAP_COLUMNS,
        (_, Vectors::Sparse(sparse)) => sparse.stored() <= CHEAP_STORED * items.len(),
        _ => columns <= CHEAP_STORED,
    }
}

fn same(items: &Vectors<'_>, reference: &Vectors<'_>) -> bool {
    items.len() == reference.len() && items == reference
}

impl Node {
    /// The first leaf.
    fn leaf(&self) -> Option<&VectorPlan> {
        match self {
            Node::Leaf(plan) => Some(plan),
            Node::Centre(centring) => centring.child.leaf(),
            Node::Inner(nodes) => nodes.iter().find_map(Node::leaf),
        }
    }
}

/// The parts of a combination with their layouts.
fn pairs<'k, 'n>(
    kernel: &'k Expression,
    node: &'n Node,
) -> Result<impl Iterator<Item = (&'k Expression, &'n Node)>> {
    let nodes = match node {
        Node::Leaf(_) => return Err(mismatch(kernel)),
        Node::Centre(centring) => std::slice::from_ref(&*centring.child),
        Node::Inner(nodes) => nodes,
    };
    if nodes.len() != kernel.children().len() {
        return Err(mismatch(kernel));
    }
    Ok(kernel.children().iter().zip(nodes))
}

fn only_child<'k, 'n>(kernel: &'k Expression, node: &'n Node) -> Result<(&'k Expression, &'n Node)> {
    pairs(kernel, node)?.next().ok_or_else(|| mismatch(kernel))
}

fn mismatch(kernel: &Expression) -> Error {
    Error::Unsupported { what: format!("the layout was made for another kernel than {kernel}") }
}
