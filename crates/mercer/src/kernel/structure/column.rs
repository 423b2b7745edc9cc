//! Kernels on one column of records.

use serde::{Deserialize, Serialize};

use crate::data::{CellKind, Collection, Item, Record, RecordSchema};
use crate::error::{Error, Result};
use crate::kernel::record::{Category, Number, Text};
use crate::kernel::structure::{Leaf, Node, structure_kernels};
use crate::kernel::{DigestKernel, Expression, FeatureMap, Kernel, Normalised};

/// `column("age", gaussian)`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) kernel: ColumnKernel,
}

/// How the values of a column are compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ColumnKernel {
    Number(Expression),
    Equality,
    /// A kernel on strings, at unit length or not.
    Text(Leaf, bool),
}

impl ColumnKernel {
    /// What the column holds.
    pub(crate) fn kind(&self) -> CellKind {
        match self {
            ColumnKernel::Number(_) => CellKind::Number,
            ColumnKernel::Equality => CellKind::Category,
            ColumnKernel::Text(..) => CellKind::Text,
        }
    }

    /// A text column, if the kernel is one that can be asked about it.
    pub(super) fn text(node: Node) -> Result<ColumnKernel> {
        let kernel = match node {
            Node::Kernel(leaf) => Some(ColumnKernel::Text(leaf, false)),
            Node::Normalise(node) => match *node {
                Node::Kernel(leaf) => Some(ColumnKernel::Text(leaf, true)),
                _ => None,
            },
            _ => None,
        };
        kernel.ok_or_else(|| Error::Unsupported {
            what: "a column of text takes one kernel on strings, normalised or not: sums are written outside"
                .into(),
        })
    }
}

/// What can be done with a column, whatever its kernel is.
pub(crate) trait OnColumn {
    type Out;

    fn with<K>(self, kernel: K) -> Result<Self::Out>
    where
        K: DigestKernel<Record> + Kernel<Record> + 'static;
}

macro_rules! text_columns {
    (Strings, $one:ident, $view:ty { $($kernel:ident by $by:ident),* $(,)? } $($others:tt)*) => {
        /// Calls `then` with the kernel on a text column.
        fn on_text<F: OnColumn>(
            schema: &RecordSchema,
            name: &str,
            leaf: &Leaf,
            unit: bool,
            then: F,
        ) -> Result<F::Out> {
            match leaf {
                $(Leaf::$kernel(kernel) => on_text!($by, kernel, unit, schema, name, then),)*
                _ => Err(by_features()),
            }
        }

        fn learned_text(column: &Column, leaf: &Leaf, unit: bool, texts: &[&str], weights: Option<&[f64]>) -> Result<Column> {
            let learned = match leaf {
                $(Leaf::$kernel(kernel) => Leaf::$kernel($by::<str>::learn(kernel, texts, weights)?),)*
                _ => return Err(by_features()),
            };
            Ok(Column { name: column.name.clone(), kernel: ColumnKernel::Text(learned, unit) })
        }

        fn lists_features(leaf: &Leaf) -> bool {
            match leaf {
                $(Leaf::$kernel(_) => stringify!($by) == "FeatureMap",)*
                _ => false,
            }
        }
    };
}

macro_rules! on_text {
    (FeatureMap, $kernel:ident, $unit:ident, $schema:ident, $name:ident, $then:ident) => {
        match $unit {
            true => $then.with(Text::new($schema, $name, Normalised::new($kernel.clone()))?),
            false => $then.with(Text::new($schema, $name, $kernel.clone())?),
        }
    };
    (DigestKernel, $kernel:ident, $unit:ident, $schema:ident, $name:ident, $then:ident) => {{
        let _ = $kernel;
        Err(by_features())
    }};
}
structure_kernels!(text_columns);

fn by_features() -> Error {
    let what = "a column of text takes a kernel on strings that lists its features: spectrum, blended, mismatch, gappy, \
                multiset or bag_of_words";
    Error::Unsupported { what: what.into() }
}

impl Column {
    /// Refuses what cannot be stored or computed.
    pub(super) fn check(&self) -> Result<()> {
        match &self.kernel {
            ColumnKernel::Number(kernel) if !kernel.references().is_empty() => {
                let what =
                    format!("column {:?}: centre needs all rows, and has no place in a column", self.name);
                Err(Error::Unsupported { what })
            }
            ColumnKernel::Text(leaf, _) if !lists_features(leaf) => Err(by_features()),
            _ => Ok(()),
        }
    }

    /// Calls `then` with the kernel on records that it is.
    pub(crate) fn on<F: OnColumn>(&self, schema: &RecordSchema, then: F) -> Result<F::Out> {
        match &self.kernel {
            ColumnKernel::Number(kernel) => then.with(Number::new(schema, &self.name, kernel.clone())?),
            ColumnKernel::Equality => then.with(Category::new(schema, &self.name)?),
            ColumnKernel::Text(leaf, unit) => on_text(schema, &self.name, leaf, *unit, then),
        }
    }

    pub(super) fn learn(
        &self,
        items: &Collection,
        weights: Option<&[f64]>,
        schema: Option<&RecordSchema>,
    ) -> Result<Column> {
        let (Collection::Records(records), Some(schema)) = (items, schema) else { return Ok(self.clone()) };
        let all: Vec<&Record> = records.iter().collect();
        Ok(match &self.kernel {
            ColumnKernel::Number(kernel) => {
                let number = Number::new(schema, &self.name, kernel.clone())?.learn(&all, weights)?;
                Column { name: self.name.clone(), kernel: ColumnKernel::Number(number.kernel().clone()) }
            }
            ColumnKernel::Equality => self.clone(),
            ColumnKernel::Text(leaf, unit) => {
                let position = schema.position(&self.name, CellKind::Text)?;
                let text = |record: &&Record| match record.cells().get(position) {
                    Some(crate::data::Cell::Text(text)) => Ok(text.clone()),
                    _ => Err(Error::Unsupported { what: format!("column `{}` holds no text", self.name) }),
                };
                let texts: Vec<String> = all.iter().map(text).collect::<Result<_>>()?;
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                learned_text(self, leaf, *unit, &texts, weights)?
            }
        })
    }

    pub(super) fn eval(&self, x: Item<'_>, z: Item<'_>, schema: Option<&RecordSchema>) -> Result<f64> {
        let (Item::Record(x), Item::Record(z), Some(schema)) = (x, z, schema) else {
            return Ok(f64::NAN);
        };
        self.on(schema, Eval(x, z))
    }
}

struct Eval<'a>(&'a Record, &'a Record);

impl OnColumn for Eval<'_> {
    type Out = f64;

    fn with<K: DigestKernel<Record> + Kernel<Record>>(self, kernel: K) -> Result<f64> {
        kernel.try_eval(self.0, self.1)
    }
}
