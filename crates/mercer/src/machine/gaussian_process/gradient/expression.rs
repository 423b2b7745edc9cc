//! The chain rule over an expression, some rows of the matrix at a time.
//!
//! Every node is given ∂L/∂(its values), adds ∂L/∂θ of its own parameters, and hands on to its parts: reverse differentiation.

use super::leaf::Leaf;
use crate::data::{Items, Vectors};
use crate::error::{Error, Result};
use crate::gram::Plan;
use crate::kernel::Expression;
use crate::kernel::vector::power;
use crate::linalg::Matrix;

/// Rows that one task handles: a constant, so that sums are cut alike for any number of threads.
const STRIP: usize = 32;

/// Some rows against all columns from the first of them on: the rest of the matrix is its mirror image.
#[derive(Clone, Copy)]
pub(super) struct Strip {
    pub first: usize,
    pub rows: usize,
    /// Of the whole matrix.
    pub n: usize,
}

impl Strip {
    pub fn columns(&self) -> usize {
        self.n - self.first
    }

    pub fn len(&self) -> usize {
        self.rows * self.columns()
    }
}

/// An expression on given rows.
enum Node {
    Leaf(Box<Leaf>),
    Constant(f64),
    /// None where it is not to be seen.
    White(Option<f64>),
    Sum(Vec<Node>),
    Product(Vec<Node>),
    Scale(f64, Box<Node>),
    Power(u32, Box<Node>),
}

pub(super) fn weighted_gradient(
    kernel: &Expression,
    items: &Vectors<'_>,
    weights: &Matrix,
    plan: &Plan,
) -> Result<Vec<f64>> {
    let n = items.len();
    let node = Node::new(kernel, items, None, plan)?;
    let count = kernel.parameters().len();
    let parts = plan.workers.map(n.div_ceil(STRIP), n > 256, |task| -> Result<Vec<f64>> {
        let first = task * STRIP;
        let strip = Strip { first, rows: STRIP.min(n - first), n };
        // What is right of the square on the diagonal stands for its mirror image too.
        let mut adjoint = Vec::with_capacity(strip.len());
        for i in first..first + strip.rows {
            let twice = |j: usize| if j < first + strip.rows { 1.0 } else { 2.0 };
            adjoint.extend(weights.row(i)[first..].iter().enumerate().map(|(j, w)| twice(first + j) * w));
        }
        let mut gradient = vec![0.0; count];
        node.push(strip, &adjoint, &mut &mut gradient[..])?;
        Ok(gradient)
    });
    let mut total = vec![0.0; count];
    for part in parts {
        total.iter_mut().zip(part?).for_each(|(sum, part)| *sum += part);
    }
    Ok(total)
}

/// Item by item: what the diagonal has with its noise, less what it has without.
pub(super) fn noise_gradient(
    kernel: &Expression,
    items: &Vectors<'_>,
    weights: &[f64],
    plan: &Plan,
) -> Result<Vec<f64>> {
    let mut total = vec![0.0; kernel.parameters().len()];
    if !kernel.has_white_noise() {
        return Ok(total);
    }
    let mut node = Node::new(kernel, items, None, plan)?;
    for sign in [1.0, -1.0] {
        for (i, weight) in weights.iter().enumerate() {
            // A matrix of one value: row i against column i.
            let strip = Strip { first: i, rows: 1, n: i + 1 };
            node.push(strip, &[sign * weight], &mut &mut total[..])?;
        }
        node.silence();
    }
    Ok(total)
}

impl Node {
    /// Takes the noise away, and its part in the gradient.
    fn silence(&mut self) {
        match self {
            Node::White(noise) => *noise = None,
            Node::Leaf(_) | Node::Constant(_) => {}
            Node::Sum(parts) | Node::Product(parts) => parts.iter_mut().for_each(Node::silence),
            Node::Scale(_, part) | Node::Power(_, part) => part.silence(),
        }
    }

    fn new(kernel: &Expression, items: &Vectors<'_>, subset: Option<&[usize]>, plan: &Plan) -> Result<Self> {
        if kernel.as_vector_kernel().is_some() {
            return Ok(Node::Leaf(Box::new(Leaf::new(kernel, items, subset, plan)?)));
        }
        let each = kernel.children().iter().map(|child| Node::new(child, items, subset, plan));
        let parts = || each.collect::<Result<Vec<_>>>();
        let part = || Node::new(&kernel.children()[0], items, subset, plan).map(Box::new);
        Ok(match kernel {
            Expression::Constant(k) => Node::Constant(k.value()),
            Expression::White(k) => Node::White(Some(k.noise())),
            Expression::Sum(_) => Node::Sum(parts()?),
            Expression::Product(_) => Node::Product(parts()?),
            Expression::Scale(k) => Node::Scale(k.factor(), part()?),
            Expression::Power(k) => Node::Power(k.exponent(), part()?),
            Expression::Columns(k) => {
                return Node::new(k.kernel(), items, Some(&k.selection().within(subset)), plan);
            }
            other => {
                let what =
                    format!("the parameters of {other} cannot be learned: its derivatives are not known");
                return Err(Error::Unsupported { what });
            }
        })
    }

    fn values(&self, strip: Strip) -> Result<Vec<f64>> {
        match self {
            Node::Leaf(leaf) => leaf.values(strip),
            Node::Constant(value) => Ok(vec![*value; strip.len()]),
            Node::White(noise) => {
                let mut values = vec![0.0; strip.len()];
                let noise = noise.unwrap_or(0.0);
                (0..strip.rows).for_each(|r| values[r * strip.columns() + r] = noise);
                Ok(values)
            }
            Node::Sum(parts) => joined(parts, strip, |a, b| a + b),
            Node::Product(parts) => joined(parts, strip, |a, b| a * b),
            Node::Scale(factor, part) => changed(part, strip, |v| factor * v),
            Node::Power(exponent, part) => changed(part, strip, |v| power(v, *exponent)),
        }
    }

    /// Adds to the gradient of this node's parameters, which come first, and takes them off.
    fn push(&self, strip: Strip, adjoint: &[f64], gradient: &mut &mut [f64]) -> Result<()> {
        match self {
            Node::Leaf(leaf) => leaf.push(strip, adjoint, taken(gradient, leaf.parameters())),
            Node::Constant(_) => {
                taken(gradient, 1)[0] += adjoint.iter().sum::<f64>();
                Ok(())
            }
            Node::White(noise) => {
                let (columns, own) = (strip.columns(), taken(gradient, 1));
                if noise.is_some() {
                    own[0] += (0..strip.rows).map(|r| adjoint[r * columns + r]).sum::<f64>();
                }
                Ok(())
            }
            Node::Sum(parts) => parts.iter().try_for_each(|part| part.push(strip, adjoint, gradient)),
            Node::Product(parts) => {
                let values = parts.iter().map(|part| part.values(strip)).collect::<Result<Vec<_>>>()?;
                for (i, part) in parts.iter().enumerate() {
                    let mut handed = adjoint.to_vec();
                    for (_, other) in values.iter().enumerate().filter(|(j, _)| *j != i) {
                        handed.iter_mut().zip(other).for_each(|(a, v)| *a *= v);
                    }
                    part.push(strip, &handed, gradient)?;
                }
                Ok(())
            }
            Node::Scale(factor, part) => {
                let values = part.values(strip)?;
                taken(gradient, 1)[0] += adjoint.iter().zip(values).map(|(a, v)| a * v).sum::<f64>();
                let handed: Vec<f64> = adjoint.iter().map(|a| factor * a).collect();
                part.push(strip, &handed, gradient)
            }
            Node::Power(exponent, part) => {
                let mut handed = part.values(strip)?;
                let slope = |v: f64| match exponent {
                    0 => 0.0,
                    e => f64::from(*e) * power(v, e - 1),
                };
                handed.iter_mut().zip(adjoint).for_each(|(v, a)| *v = a * slope(*v));
                part.push(strip, &handed, gradient)
            }
        }
    }
}

fn joined(parts: &[Node], strip: Strip, join: impl Fn(f64, f64) -> f64) -> Result<Vec<f64>> {
    let mut all: Option<Vec<f64>> = None;
    for part in parts {
        let values = part.values(strip)?;
        match &mut all {
            Some(all) => all.iter_mut().zip(values).for_each(|(a, b)| *a = join(*a, b)),
            None => all = Some(values),
        }
    }
    Ok(all.unwrap_or_else(|| vec![0.0; strip.len()]))
}

fn changed(part: &Node, strip: Strip, change: impl Fn(f64) -> f64) -> Result<Vec<f64>> {
    let mut values = part.values(strip)?;
    values.iter_mut().for_each(|v| *v = change(*v));
    Ok(values)
}

/// The first so many numbers; the others are left.
fn taken<'g>(gradient: &mut &'g mut [f64], count: usize) -> &'g mut [f64] {
    let (own, rest) = std::mem::take(gradient).split_at_mut(count);
    *gradient = rest;
    own
}
