//! Expressions as text, with the fewest parentheses that parse back to an equal value.

use std::fmt::{Display, Formatter, Result};

use super::registry::PRECOMPUTED;
use crate::kernel::StructureExpression;
use crate::kernel::structure::{Column, ColumnKernel, Leaf, Node};
use crate::kernel::syntax::{Number, write_call};
use crate::linalg::Mending;

/// Text in quotes, as the parser reads it.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

impl Display for StructureExpression {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.root().fmt(f)
    }
}

impl Display for Leaf {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (name, parameters) = self.call();
        write_call(f, name, &parameters)
    }
}

impl Display for Column {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "column({}, ", quoted(&self.name))?;
        match &self.kernel {
            ColumnKernel::Number(kernel) => write!(f, "{kernel})"),
            ColumnKernel::Equality => write!(f, "equality)"),
            ColumnKernel::Text(leaf, false) => write!(f, "{leaf})"),
            ColumnKernel::Text(leaf, true) => write!(f, "normalised({leaf}))"),
        }
    }
}

/// An operand of `*`.
fn factor(f: &mut Formatter<'_>, node: &Node) -> Result {
    match node {
        Node::Sum(_) | Node::Product(_) | Node::Scale(..) => write!(f, "({node})"),
        _ => node.fmt(f),
    }
}

impl Display for Node {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Node::Rows(kernel) => kernel.fmt(f),
            Node::Precomputed => f.write_str(PRECOMPUTED),
            Node::Kernel(leaf) => leaf.fmt(f),
            Node::Column(column) => column.fmt(f),
            Node::Tokens(leaf) => write!(f, "tokens({leaf})"),
            Node::Normalise(node) => write!(f, "normalised({node})"),
            Node::Mend(Mending::Shift, node) => write!(f, "shifted({node})"),
            Node::Mend(Mending::Clip, node) => write!(f, "clipped({node})"),
            Node::Sum(terms) => {
                for (i, term) in terms.iter().enumerate() {
                    f.write_str(if i > 0 { " + " } else { "" })?;
                    match term {
                        Node::Sum(_) => write!(f, "({term})")?,
                        _ => term.fmt(f)?,
                    }
                }
                Ok(())
            }
            Node::Product(factors) => {
                for (i, node) in factors.iter().enumerate() {
                    f.write_str(if i > 0 { " * " } else { "" })?;
                    factor(f, node)?;
                }
                Ok(())
            }
            Node::Scale(number, node) => {
                write!(f, "{} * ", Number(*number))?;
                match &**node {
                    Node::Product(_) => node.fmt(f),
                    node => factor(f, node),
                }
            }
        }
    }
}
