//! Kernels on structured items that are expressions, in bulk.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::data::{Graph, Record, RecordSchema, Series, Structures, Tree};
use crate::error::{Error, Result};
use crate::gram::{
    BulkKernel, Compound, Digested, Gram, Mapped, PairwiseLayout, Plan, SymmetricGram, WithLayout,
};
use crate::kernel::structure::{Column, OnColumn};
use crate::kernel::structure::{Leaf, Node, structure_kernels};
use crate::kernel::{Definiteness, DigestKernel, Normalised, StructureExpression};

/// A kernel on strings, trees, graphs, time series or records, ready to give Gram matrices.
///
/// It is its [`StructureExpression`], and prints, parses and is stored as that. Each part keeps its own fast path, see
/// [`Compound`]; a kernel at unit length scales what it lists or remembers of an item, so that it costs no more than the kernel
/// itself.
///
/// ```
/// use mercer::data::{Labels, Structures};
/// use mercer::gram::StructureKernel;
/// use mercer::machine::Svc;
/// let words = Structures::Strings(["gattaca", "gatgat", "ccacca", "cacacc"].map(String::from).to_vec());
/// let labels = Labels::from_text(["g", "g", "c", "c"]);
/// let kernel: StructureKernel = "normalised(spectrum(k=2))".parse()?;
/// let model = Svc::params(kernel).cost(10.0).check()?.fit(&words, &labels)?;
/// assert_eq!(model.predict_labels(&Structures::Strings(vec!["gatta".into()]))?, ["g"]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "StructureExpression", into = "StructureExpression")]
pub struct StructureKernel {
    expression: StructureExpression,
    computed: Computed,
}

#[derive(Clone, Debug)]
enum Computed {
    Strings(Compound<String>),
    Trees(Compound<Tree>),
    Graphs(Compound<Graph>),
    Series(Compound<Series>),
    Records(Compound<Record>),
}

impl StructureKernel {
    /// This kernel.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for columns that cannot be computed.
    pub fn new(expression: StructureExpression) -> Result<Self> {
        let computed = computed(&expression)?;
        Ok(StructureKernel { expression, computed })
    }

    /// The expression.
    pub fn expression(&self) -> &StructureExpression {
        &self.expression
    }
}

impl PartialEq for StructureKernel {
    fn eq(&self, other: &Self) -> bool {
        self.expression == other.expression
    }
}

impl fmt::Display for StructureKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expression.fmt(f)
    }
}

impl FromStr for StructureKernel {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        StructureKernel::new(text.parse()?)
    }
}

impl TryFrom<StructureExpression> for StructureKernel {
    type Error = Error;

    fn try_from(expression: StructureExpression) -> Result<Self> {
        StructureKernel::new(expression)
    }
}

impl From<StructureKernel> for StructureExpression {
    fn from(kernel: StructureKernel) -> Self {
        kernel.expression
    }
}

/// The Gram matrices of a part, if it is on items of type `T`; `unit` asks for unit length.
trait Leaves: Clone + Send + Sync + Sized + 'static {
    fn leaf(leaf: &Leaf, unit: bool) -> Result<Compound<Self>>;

    fn column(_: &Column, _: Option<&RecordSchema>, _: bool) -> Result<Compound<Self>> {
        Err(of_another_kind())
    }
}

fn of_another_kind() -> Error {
    Error::Unsupported { what: "kernels on items of different kinds cannot be joined".into() }
}

macro_rules! bulk {
    (FeatureMap, $kernel:ident, $view:ty) => {
        Compound::new(Mapped::<_, $view>::new($kernel))
    };
    (DigestKernel, $kernel:ident, $view:ty) => {
        Compound::new(Digested::<_, $view>::new($kernel))
    };
}

macro_rules! leaves {
    ($($kind:ident, $item:ident, $view:ty { $($kernel:ident by $by:ident),* $(,)? })*) => {
        $(impl Leaves for $item {
            fn leaf(leaf: &Leaf, unit: bool) -> Result<Compound<Self>> {
                Ok(match leaf {
                    $(
                        Leaf::$kernel(kernel) if unit => {
                            let kernel = Normalised::new(kernel.clone());
                            bulk!($by, kernel, $view)
                        }
                        Leaf::$kernel(kernel) => {
                            let kernel = kernel.clone();
                            bulk!($by, kernel, $view)
                        }
                    )*
                    _ => return Err(of_another_kind()),
                })
            }
        })*

        fn computed(expression: &StructureExpression) -> Result<Computed> {
            use crate::data::StructureKind;
            let schema = expression.columns()?;
            let (root, schema) = (expression.root(), schema.as_ref());
            Ok(match expression.kind() {
                $(StructureKind::$kind => Computed::$kind(compound(root, schema)?),)*
                StructureKind::Records => Computed::Records(compound(root, schema)?),
            })
        }
    };
}
structure_kernels!(leaves);

impl Leaves for Record {
    fn leaf(_: &Leaf, _: bool) -> Result<Compound<Self>> {
        Err(of_another_kind())
    }

    fn column(column: &Column, schema: Option<&RecordSchema>, unit: bool) -> Result<Compound<Self>> {
        let schema = schema.ok_or_else(of_another_kind)?;
        column.on(schema, Bulk { unit })
    }
}

struct Bulk {
    unit: bool,
}

impl OnColumn for Bulk {
    type Out = Compound<Record>;

    fn with<K: DigestKernel<Record> + 'static>(self, kernel: K) -> Result<Compound<Record>> {
        Ok(match self.unit {
            true => Compound::new(Digested::<_, Record>::new(Normalised::new(kernel))),
            false => Compound::new(Digested::<_, Record>::new(kernel)),
        })
    }
}

fn compound<T: Leaves>(node: &Node, schema: Option<&RecordSchema>) -> Result<Compound<T>> {
    let joined = |nodes: &[Node], join: fn(Compound<T>, Compound<T>) -> Compound<T>| {
        let mut parts = nodes.iter().map(|node| compound(node, schema));
        let first = parts.next().ok_or_else(of_another_kind)??;
        parts.try_fold(first, |all, part| Ok(join(all, part?)))
    };
    match node {
        Node::Kernel(leaf) => T::leaf(leaf, false),
        Node::Column(column) => T::column(column, schema, false),
        Node::Sum(nodes) => joined(nodes, Compound::plus),
        Node::Product(nodes) => joined(nodes, Compound::times),
        Node::Scale(factor, node) => compound::<T>(node, schema)?.scaled(*factor),
        Node::Normalise(node) => match &**node {
            Node::Kernel(leaf) => T::leaf(leaf, true),
            Node::Column(column) => T::column(column, schema, true),
            node => Ok(compound::<T>(node, schema)?.normalised()),
        },
    }
}

impl WithLayout for StructureKernel {
    type Layout = PairwiseLayout;
}

/// Calls a method of the compound with the items that it compares.
macro_rules! with_items {
    ($kernel:ident, $($items:ident),+ => $call:ident($($argument:expr),*)) => {
        match (&$kernel.computed, $($items),+) {
            (Computed::Strings(kernel), $(Structures::Strings($items)),+) => kernel.$call($($argument),*),
            (Computed::Trees(kernel), $(Structures::Trees($items)),+) => kernel.$call($($argument),*),
            (Computed::Graphs(kernel), $(Structures::Graphs($items)),+) => kernel.$call($($argument),*),
            (Computed::Series(kernel), $(Structures::Series($items)),+) => kernel.$call($($argument),*),
            (Computed::Records(kernel), $(Structures::Records($items)),+) => kernel.$call($($argument),*),
            _ => {
                $($items.check_kind($kernel.expression.kind())?;)+
                Err(of_another_kind())
            }
        }
    };
}

impl BulkKernel<Structures> for StructureKernel {
    fn resolve(&self, items: &Structures, weights: Option<&[f64]>) -> Result<Self> {
        StructureKernel::new(self.expression.learn(items, weights)?)
    }

    fn layout(&self, items: &Structures, plan: &Plan) -> Result<PairwiseLayout> {
        with_items!(self, items => layout(items, plan))
    }

    fn symmetric<'a>(
        &'a self,
        items: &'a Structures,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn SymmetricGram + 'a>> {
        with_items!(self, items => symmetric(items, layout, plan))
    }

    fn cross<'a>(
        &'a self,
        rows: &'a Structures,
        columns: &'a Structures,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn Gram + 'a>> {
        with_items!(self, rows, columns => cross(rows, columns, layout, plan))
    }

    fn definiteness(&self) -> Definiteness {
        match &self.computed {
            Computed::Strings(kernel) => kernel.definiteness(),
            Computed::Trees(kernel) => kernel.definiteness(),
            Computed::Graphs(kernel) => kernel.definiteness(),
            Computed::Series(kernel) => kernel.definiteness(),
            Computed::Records(kernel) => kernel.definiteness(),
        }
    }
}
