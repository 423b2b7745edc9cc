//! Kernels on structured items, of what was written.

use std::str::FromStr;

use crate::data::ItemKind;
use crate::error::{Error, Result};
use crate::kernel::structure::registry::{self, Entry, Found, PRECOMPUTED, is_mending};
use crate::kernel::structure::{Column, ColumnKernel, Node, kind_of};
use crate::kernel::syntax::arguments::Arguments;
use crate::kernel::syntax::lex::problem;
use crate::kernel::syntax::parse::{at, parse};
use crate::kernel::syntax::tree::{Part, Written};
use crate::kernel::{Expression, StructureExpression};

impl FromStr for StructureExpression {
    type Err = Error;

    /// Reads an expression; [`Error::Expression`] says at which character it could not be understood.
    fn from_str(text: &str) -> Result<Self> {
        StructureExpression::read(parse(text)?)
    }
}

impl StructureExpression {
    pub(crate) fn read(written: Written) -> Result<Self> {
        let position = written.position;
        // `equality` is a kernel in `column(…)` alone, which the reader of structured kernels says.
        let is_known = |name: &str| super::kind_of(name).is_some() || name.eq_ignore_ascii_case("equality");
        let is_structured = |names: Vec<(&str, usize)>| names.iter().any(|(name, _)| is_known(name));
        if !is_structured(written.names()) {
            return at(position, read_on_rows(written));
        }
        let mut reader = Reader { kind: None, tokens: false };
        let root = reader.node(written)?;
        at(position, StructureExpression::try_from(root))
    }
}

/// A kernel on rows of numbers, which may be mended.
fn read_on_rows(written: Written) -> Result<StructureExpression> {
    let Written { position, part } = written;
    match part {
        Part::Call(name, given) if name.eq_ignore_ascii_case(PRECOMPUTED) && given.is_empty() => {
            Ok(StructureExpression::precomputed())
        }
        Part::Call(name, given) if is_mending(&name) => {
            let found = registry::find(&name, position)?;
            let Found::Mended(mending) = found else { return problem(position, "a kernel is needed") };
            let mut arguments = Arguments::new(found.name(), position, given);
            let inner = Expression::read(arguments.written("sigmoid")?)?;
            arguments.finish(&[])?;
            StructureExpression::from(inner).mended(mending)
        }
        part => Expression::read(Written { position, part }).map(StructureExpression::from),
    }
}

/// Remembers what the kernels before compare.
struct Reader {
    kind: Option<ItemKind>,
    /// Whether symbols are tokens, within `tokens(…)`.
    tokens: bool,
}

impl Reader {
    fn node(&mut self, written: Written) -> Result<Node> {
        let Written { position, part } = written;
        Ok(match part {
            Part::Sum(parts) => Node::Sum(self.all(parts)?),
            Part::Product(parts) => Node::Product(self.all(parts)?),
            Part::Scale(factor, part) => {
                if factor.is_nan() || factor < 0.0 {
                    let what = format!("the factor {factor} is negative: the sum would be no kernel");
                    return problem(position, what);
                }
                Node::Scale(factor, Box::new(self.node(*part)?))
            }
            Part::Power(..) => {
                return problem(position, "powers are for kernels on rows of numbers: write k * k");
            }
            Part::Constant(value) => {
                return problem(position, format!("{value} alone is no kernel: numbers multiply one, 2 * k"));
            }
            Part::Call(name, given) => {
                let found = registry::find(&name, position)?;
                let mut arguments = Arguments::new(found.name(), position, given);
                let node = match found {
                    Found::Kernel(entry) => {
                        self.meet(entry.kind, entry.name, position)?;
                        let leaf = (entry.build)(&mut arguments).map_err(|error| as_written(error, entry));
                        let leaf = at(position, leaf)?;
                        arguments.finish(entry.parameters)?;
                        if self.tokens {
                            at(position, leaf.check_tokens())?;
                            return Ok(Node::Tokens(leaf));
                        }
                        return Ok(Node::Kernel(leaf));
                    }
                    Found::Normalised => {
                        Node::Normalise(Box::new(self.node(arguments.written("spectrum(k=3)")?)?))
                    }
                    Found::Mended(mending) => {
                        let inner = Box::new(self.node(arguments.written("dtw")?)?);
                        Node::Mend(mending, inner)
                    }
                    Found::Tokens => {
                        let outer = std::mem::replace(&mut self.tokens, true);
                        let inner = self.node(arguments.written("spectrum(k=2)")?)?;
                        self.tokens = outer;
                        inner
                    }
                    Found::Column => {
                        self.meet(ItemKind::Records, "column", position)?;
                        Node::Column(column(&mut arguments, position)?)
                    }
                };
                arguments.finish(&[])?;
                node
            }
        })
    }

    fn all(&mut self, parts: Vec<Written>) -> Result<Vec<Node>> {
        parts.into_iter().map(|part| self.node(part)).collect()
    }

    fn meet(&mut self, kind: ItemKind, name: &str, position: usize) -> Result<()> {
        match *self.kind.get_or_insert(kind) {
            before if before == kind => Ok(()),
            before => {
                problem(position, format!("{name} compares {kind}, and what stands before it {before}"))
            }
        }
    }
}

/// What constructors call otherwise than it is written.
const WRITTEN: [(&str, &str); 6] = [
    ("length", "k"),
    ("longest", "k"),
    ("longest", "n"),
    ("mismatches", "m"),
    ("size", "k"),
    ("iterations", "h"),
];

/// The error with the parameter by the name that it is written by.
fn as_written(error: Error, entry: &Entry) -> Error {
    let written = |name: &str| {
        let of = |(own, written): &&(&str, &str)| *own == name && entry.parameters.contains(written);
        WRITTEN.iter().find(of).map(|(_, written)| *written)
    };
    match error {
        Error::Parameter { name, value, expected } if !entry.parameters.contains(&name) => {
            Error::Parameter { name: written(name).unwrap_or(name), value, expected }
        }
        other => other,
    }
}

/// `column("age", gaussian)`
fn column(arguments: &mut Arguments, position: usize) -> Result<Column> {
    let Some(name) = arguments.text("name")? else {
        return problem(position, "column: first the name of a column in quotes, column(\"age\", gaussian)");
    };
    let written = arguments.written("\"age\", gaussian")?;
    let kernel = match &written.part {
        Part::Call(word, given) if word.eq_ignore_ascii_case("equality") => match given.is_empty() {
            true => ColumnKernel::Equality,
            false => return problem(written.position, "equality takes no parameters"),
        },
        _ => {
            let (inner, kinds) = (written.position, written.names());
            let structured =
                kinds.iter().find_map(|(name, place)| Some((kind_of(name)?, name.to_string(), *place)));
            match structured {
                None => ColumnKernel::Number(Expression::read(written)?),
                Some((ItemKind::Strings, ..)) => {
                    let mut reader = Reader { kind: Some(ItemKind::Strings), tokens: false };
                    at(inner, ColumnKernel::text(reader.node(written)?))?
                }
                Some((kind, name, place)) => {
                    let what = format!("{name} compares {kind}: a column holds numbers, words or text");
                    return problem(place, what);
                }
            }
        }
    };
    let column = Column { name, kernel };
    at(position, column.check())?;
    Ok(column)
}
