//! Widths of kernels on structured items, as a search sees them.

use super::expression::Node;
use super::{Leaf, StructureExpression};
use crate::error::{Error, Result};
use crate::kernel::Parameter;
use crate::kernel::series::{Comparison, DynamicTimeWarping, GlobalAlignment, Width};

impl StructureExpression {
    /// The continuous parameters that a search may step over, from left to right: widths of kernels on time series, or the multiples of a
    /// median that they are. Lengths, rounds and other whole numbers make another kernel and are not among them.
    ///
    /// ```
    /// use mercer::kernel::StructureExpression;
    /// let kernel: StructureExpression = "global_alignment(sigma=median) + 2 * dtw(gamma=0.5)".parse()?;
    /// let found: Vec<(String, f64)> = kernel.parameters().into_iter().map(|p| (p.name, p.value)).collect();
    /// assert_eq!(found, [("global_alignment.median".to_string(), 1.0), ("dtw.gamma".to_string(), 0.5)]);
    /// let other = kernel.with_parameters(&[0.3, 0.1])?;
    /// assert_eq!(other.to_string(), "global_alignment(median=0.3) + 2 * dtw(gamma=0.1)");
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn parameters(&self) -> Vec<Parameter> {
        if let Some(kernel) = self.on_rows() {
            return kernel.parameters();
        }
        let mut found = Vec::new();
        self.root().visit(&mut |leaf| found.extend(parameter(leaf)));
        found
    }

    /// The same kernel with other values of [`parameters`](StructureExpression::parameters).
    ///
    /// # Errors
    /// [`Error::Shape`] for another number of values, [`Error::Parameter`] for one that makes no sense.
    pub fn with_parameters(&self, values: &[f64]) -> Result<Self> {
        if let Some(kernel) = self.on_rows() {
            let kernel = StructureExpression::from(kernel.with_parameters(values)?);
            return self.mending().map_or(Ok(kernel.clone()), |mending| kernel.mended(mending));
        }
        let expected = self.parameters().len();
        if values.len() != expected {
            return Err(Error::Shape { what: "parameters of the kernel", expected, found: values.len() });
        }
        let mut values = values.iter().copied();
        let mut change = |leaf: &Leaf| match width(leaf) {
            Some(old) => {
                // As many values as widths, in the same order.
                let value = values.next().unwrap_or_default();
                with_width(leaf, old, value)
            }
            None => Ok(leaf.clone()),
        };
        StructureExpression::try_from(self.root().map(&mut change)?)
    }

    /// Whether a width waits for the median of the training items.
    pub fn waits_for_median(&self) -> bool {
        let mut waits = false;
        self.root().visit(&mut |leaf| waits |= matches!(width(leaf), Some(Width::Median(_))));
        waits
    }
}

impl Node {
    /// All kernels from left to right.
    fn visit(&self, see: &mut impl FnMut(&Leaf)) {
        match self {
            Node::Kernel(leaf) => see(leaf),
            Node::Rows(_) | Node::Precomputed | Node::Column(_) | Node::Tokens(_) => {}
            Node::Sum(nodes) | Node::Product(nodes) => nodes.iter().for_each(|node| node.visit(see)),
            Node::Scale(_, node) | Node::Normalise(node) | Node::Mend(_, node) => node.visit(see),
        }
    }

    /// The same of other kernels.
    fn map(&self, change: &mut impl FnMut(&Leaf) -> Result<Leaf>) -> Result<Node> {
        let mut all = |nodes: &[Node]| nodes.iter().map(|node| node.map(change)).collect::<Result<Vec<_>>>();
        Ok(match self {
            Node::Kernel(leaf) => Node::Kernel(change(leaf)?),
            Node::Rows(_) | Node::Precomputed | Node::Column(_) | Node::Tokens(_) => self.clone(),
            Node::Sum(nodes) => Node::Sum(all(nodes)?),
            Node::Product(nodes) => Node::Product(all(nodes)?),
            Node::Scale(factor, node) => Node::Scale(*factor, Box::new(node.map(change)?)),
            Node::Normalise(node) => Node::Normalise(Box::new(node.map(change)?)),
            Node::Mend(mending, node) => Node::Mend(*mending, Box::new(node.map(change)?)),
        })
    }
}

fn width(leaf: &Leaf) -> Option<Width> {
    match leaf {
        Leaf::GlobalAlignment(kernel) => Some(kernel.width()),
        Leaf::DynamicTimeWarping(kernel) => Some(kernel.rate()),
        Leaf::Autocorrelation(kernel) => match kernel.compared_by() {
            Comparison::Gaussian(width) => Some(width),
            Comparison::Product => None,
        },
        _ => None,
    }
}

fn parameter(leaf: &Leaf) -> Option<Parameter> {
    let (name, of) = (leaf.call().0, width(leaf)?);
    let (own, value) = match of {
        Width::Median(multiple) => ("median", multiple),
        Width::Value(value) if matches!(leaf, Leaf::DynamicTimeWarping(_)) => ("gamma", value),
        Width::Value(value) => ("sigma", value),
    };
    Some(Parameter::positive(format!("{name}.{own}"), value))
}

/// The kernel with another width, or another multiple of the median where it was one.
fn with_width(leaf: &Leaf, old: Width, value: f64) -> Result<Leaf> {
    let width = match old {
        Width::Value(_) => Width::Value(value),
        Width::Median(_) => Width::Median(value),
    };
    Ok(match leaf {
        Leaf::GlobalAlignment(kernel) => {
            let other = match width {
                Width::Value(sigma) => GlobalAlignment::sigma(sigma)?,
                Width::Median(multiple) => GlobalAlignment::median(multiple)?,
            };
            let other = other.normalised(kernel.is_normalised());
            Leaf::GlobalAlignment(match kernel.band_width() {
                Some(band) => other.band(band)?,
                None => other,
            })
        }
        Leaf::DynamicTimeWarping(kernel) => {
            let other = match width {
                Width::Value(gamma) => DynamicTimeWarping::gamma(gamma)?,
                Width::Median(multiple) => DynamicTimeWarping::median(multiple)?,
            };
            Leaf::DynamicTimeWarping(match kernel.band_radius() {
                Some(radius) => other.radius(radius),
                None => other,
            })
        }
        Leaf::Autocorrelation(kernel) => {
            Leaf::Autocorrelation(kernel.clone().comparison(Comparison::Gaussian(width))?)
        }
        other => other.clone(),
    })
}
