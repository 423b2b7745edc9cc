//! What training decides for prediction.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::data::{Items, Vectors};
use crate::error::{Error, Result};
use crate::gram::expression::builder::{Builder, has_centre, select};
use crate::gram::{Plan, Precision, VectorPlan};
use crate::kernel::Expression;

/// What is decided once for an [`Expression`] and its training rows, and kept with a model: number of
/// columns, precision, for each kernel in it whether rows are dense or sparse and where distances are
/// measured from, and the means that `centre` subtracts.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::gram::{BulkKernel, Plan, VectorLayout};
/// use mercer::kernel::Expression;
/// let rows = Vectors::from_rows(&[[0.0, 1.0], [2.0, 0.0]])?;
/// let layout = "linear".parse::<Expression>()?.layout(&rows, &Plan::new()?)?;
/// let text = serde_json::to_string(&layout).unwrap();
/// assert_eq!(serde_json::from_str::<VectorLayout>(&text).unwrap(), layout);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VectorLayout {
    columns: usize,
    precision: Precision,
    root: Node,
}

/// The layout of a node of the expression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Node {
    /// A kernel, or a multiple of one.
    Leaf(VectorPlan),
    /// `centre`
    Centre(Centring),
    /// Any other combination.
    Inner(Vec<Node>),
}

/// What `centre` subtracts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Centring {
    pub(super) child: Box<Node>,
    /// g
    pub(super) grand_mean: f64,
    /// μ of the reference rows, while they are at hand: training uses them again.
    #[serde(skip)]
    pub(super) means: Option<Arc<Vec<f64>>>,
}

impl PartialEq for Centring {
    fn eq(&self, other: &Self) -> bool {
        self.child == other.child && self.grand_mean == other.grand_mean
    }
}

impl VectorLayout {
    pub(super) fn decide(kernel: &Expression, items: &Vectors<'_>, plan: &Plan) -> Result<Self> {
        plan.check()?;
        let precision = plan.precision.resolve(items.len());
        let root = node(kernel, items, None, &Builder::new(precision, plan))?;
        Ok(VectorLayout { columns: items.columns(), precision, root })
    }

    /// Number of columns of the training rows.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// [`Precision::F32`] or [`Precision::F64`].
    pub fn precision(&self) -> Precision {
        self.precision
    }

    pub(super) fn root(&self) -> &Node {
        &self.root
    }
}

fn node(
    kernel: &Expression,
    items: &Vectors<'_>,
    subset: Option<&[usize]>,
    builder: &Builder<'_>,
) -> Result<Node> {
    if let Some((_, form)) = kernel.form() {
        return Ok(Node::Leaf(VectorPlan::decide(items, &builder.evaluation(&form, 1.0, subset))?));
    }
    Ok(match kernel {
        Expression::Columns(k) if has_centre(k.kernel()) => {
            Node::Inner(vec![node(k.kernel(), &select(k.selection(), items, subset)?, None, builder)?])
        }
        Expression::Columns(k) => {
            let subset = k.selection().within(subset);
            Node::Inner(vec![node(k.kernel(), items, Some(&subset), builder)?])
        }
        Expression::Centre(k) => {
            let Some(reference) = k.reference() else {
                return Err(Error::Unsupported { what: format!("{kernel} has no reference rows yet") });
            };
            let child = Box::new(node(k.kernel(), items, subset, builder)?);
            let means = builder.means(k.kernel(), &child, reference, reference)?;
            let grand_mean = means.iter().sum::<f64>() / means.len().max(1) as f64;
            Node::Centre(Centring { child, grand_mean, means: Some(Arc::new(means)) })
        }
        kernel => {
            let children = kernel.children().iter().map(|child| node(child, items, subset, builder));
            Node::Inner(children.collect::<Result<_>>()?)
        }
    })
}
