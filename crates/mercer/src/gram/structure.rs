//! Kernels on structured items that are expressions, in bulk.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::data::{Graph, Items, Record, RecordSchema, Series, Structures, Tree};
use crate::error::{Error, Result};
use crate::gram::mended::{self, Clipped, Found};
use crate::gram::tokens::Tokens;
use crate::gram::{
    BulkKernel, Compound, Digested, Gram, LearnedMending, Mapped, PairwiseLayout, Plan, SymmetricGram,
    WithLayout,
};
use crate::kernel::string::in_order;
use crate::kernel::structure::{Column, OnColumn};
use crate::kernel::structure::{Leaf, Node, letters, structure_kernels, token_kernels, within};
use crate::kernel::{Definiteness, DigestKernel, Normalised, StructureExpression};
use crate::linalg::Matrix;

/// A kernel on strings, trees, graphs, time series or records, ready to give Gram matrices.
///
/// It is its [`StructureExpression`], and prints and parses as that; one that is [mended](StructureExpression::mended) also knows what
/// the training items decided, once it is resolved. Each part keeps its own fast path, see
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
#[derive(Clone, Debug)]
pub struct StructureKernel {
    expression: StructureExpression,
    /// Without the mending.
    computed: Computed,
    mended: Option<Arc<LearnedMending>>,
}

#[derive(Clone, Debug)]
enum Computed {
    Strings(Compound<String>),
    Trees(Compound<Tree>),
    Graphs(Compound<Graph>),
    Series(Compound<Series>),
    Records(Compound<Record>),
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

impl StructureKernel {
    /// This kernel.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for columns that cannot be computed.
    pub fn new(expression: StructureExpression) -> Result<Self> {
        let computed = computed(&expression)?;
        Ok(StructureKernel { expression, computed, mended: None })
    }

    /// The expression.
    pub fn expression(&self) -> &StructureExpression {
        &self.expression
    }

    /// What was done to make the matrix of the training items positive semi-definite; `None` for a kernel that is not mended, or not
    /// resolved yet.
    pub fn learned_mending(&self) -> Option<&LearnedMending> {
        self.mended.as_deref()
    }

    /// The same kernel with what was learned of its mending; the two must be of the same kind.
    pub(crate) fn with_mending(self, learned: LearnedMending) -> Self {
        StructureKernel { mended: Some(Arc::new(learned)), ..self }
    }

    /// What was learned, if the kernel is one that is mended.
    fn mended(&self) -> Result<Option<&Found>> {
        match (&self.mended, self.expression.mending()) {
            (Some(learned), _) => Ok(Some(&learned.found)),
            (None, None) => Ok(None),
            (None, Some(_)) => {
                let what = format!("{} waits for training items", self.expression);
                Err(Error::Unsupported { what })
            }
        }
    }

    /// The coordinates of items in a kernel that is clipped.
    fn coordinates(&self, clipped: &Clipped, items: &Structures, plan: &Plan) -> Result<Matrix> {
        let (known, double) = (&clipped.items, &mended::in_double(plan));
        items.check_kind(known.kind())?;
        let layout = PairwiseLayout::new(known.len(), double);
        clipped.coordinates(items, plan, |others, values| {
            mended::fill_all(self.cross_unmended(known, others, &layout, double)?, double, values)
        })
    }

    fn symmetric_unmended<'a>(
        &'a self,
        items: &'a Structures,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn SymmetricGram + 'a>> {
        with_items!(self, items => symmetric(items, layout, plan))
    }

    fn cross_unmended<'a>(
        &'a self,
        rows: &'a Structures,
        columns: &'a Structures,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn Gram + 'a>> {
        with_items!(self, rows, columns => cross(rows, columns, layout, plan))
    }
}

impl PartialEq for StructureKernel {
    fn eq(&self, other: &Self) -> bool {
        self.expression == other.expression && self.mended == other.mended
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

/// As its expression; model files keep what was learned beside it.
impl Serialize for StructureKernel {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.expression.serialize(serializer)
    }
}

/// The Gram matrices of a part, if it is on items of type `T`; `unit` asks for unit length.
trait Leaves: Clone + Send + Sync + Sized + 'static {
    fn leaf(leaf: &Leaf, unit: bool) -> Result<Compound<Self>>;

    fn column(_: &Column, _: Option<&RecordSchema>, _: bool) -> Result<Compound<Self>> {
        Err(of_another_kind())
    }

    /// The same on strings of tokens.
    fn tokens(_: &Leaf, _: bool) -> Result<Compound<Self>> {
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

macro_rules! bulk_of_tokens {
    (FeatureMap, $kernel:ident) => {
        Compound::new(Tokens::new(Mapped::<_, [u32]>::new($kernel), in_order))
    };
    (DigestKernel, $kernel:ident) => {
        Compound::new(Tokens::new(Digested::<_, [u32]>::new($kernel), |rank| rank))
    };
}

macro_rules! compound_of_tokens {
    ($($kernel:ident by $by:ident),* $(,)?) => {
        fn compound_of_tokens(leaf: &Leaf, unit: bool) -> Result<Compound<String>> {
            Ok(match leaf {
                $(
                    Leaf::$kernel(kernel) if unit => {
                        let kernel = Normalised::new(kernel.clone());
                        bulk_of_tokens!($by, kernel)
                    }
                    Leaf::$kernel(kernel) => {
                        let kernel = kernel.clone();
                        bulk_of_tokens!($by, kernel)
                    }
                )*
                leaf => return Err(letters(leaf)),
            })
        }
    };
}
token_kernels!(compound_of_tokens);

/// Strings alone are made of tokens.
macro_rules! tokens {
    (Strings) => {
        fn tokens(leaf: &Leaf, unit: bool) -> Result<Compound<Self>> {
            compound_of_tokens(leaf, unit)
        }
    };
    ($other:ident) => {};
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

            tokens!($kind);
        })*

        fn computed(expression: &StructureExpression) -> Result<Computed> {
            use crate::data::StructureKind;
            let schema = expression.columns()?;
            let schema = schema.as_ref();
            let root = match expression.root() {
                Node::Mend(_, node) => node,
                node => node,
            };
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
        Node::Tokens(leaf) => T::tokens(leaf, false),
        Node::Sum(nodes) => joined(nodes, Compound::plus),
        Node::Product(nodes) => joined(nodes, Compound::times),
        Node::Scale(factor, node) => compound::<T>(node, schema)?.scaled(*factor),
        Node::Normalise(node) => match &**node {
            Node::Kernel(leaf) => T::leaf(leaf, true),
            Node::Column(column) => T::column(column, schema, true),
            Node::Tokens(leaf) => T::tokens(leaf, true),
            node => Ok(compound::<T>(node, schema)?.normalised()),
        },
        Node::Mend(..) => Err(within()),
    }
}

impl WithLayout for StructureKernel {
    type Layout = PairwiseLayout;
}

impl BulkKernel<Structures> for StructureKernel {
    fn resolve(&self, items: &Structures, weights: Option<&[f64]>) -> Result<Self> {
        self.resolve_by(items, weights, &Plan::new()?)
    }

    fn resolve_by(&self, items: &Structures, weights: Option<&[f64]>, plan: &Plan) -> Result<Self> {
        if self.mended.is_some() {
            items.check_kind(self.expression.kind())?;
            return Ok(self.clone());
        }
        let kernel = StructureKernel::new(self.expression.learn(items, weights)?)?;
        let Some(mending) = kernel.expression.mending() else { return Ok(kernel) };
        let learned = LearnedMending::learn(mending, items, plan, |plan| {
            kernel.symmetric_unmended(items, &PairwiseLayout::new(items.len(), plan), plan)
        })?;
        Ok(kernel.with_mending(learned))
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
        match self.mended()? {
            Some(Found::Shift { shift, .. }) if *shift > 0.0 => {
                let uncached = Plan { cache_bytes: 0, ..plan.clone() };
                mended::shifted(self.symmetric_unmended(items, layout, &uncached)?, *shift, plan)
            }
            Some(Found::Clip(clipped)) => {
                Clipped::symmetric(self.coordinates(clipped, items, plan)?, layout, plan)
            }
            None | Some(Found::Shift { .. }) => self.symmetric_unmended(items, layout, plan),
        }
    }

    fn cross<'a>(
        &'a self,
        rows: &'a Structures,
        columns: &'a Structures,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn Gram + 'a>> {
        match self.mended()? {
            None | Some(Found::Shift { .. }) => self.cross_unmended(rows, columns, layout, plan),
            Some(Found::Clip(clipped)) => {
                let (rows, columns) =
                    (self.coordinates(clipped, rows, plan)?, self.coordinates(clipped, columns, plan)?);
                Clipped::cross(rows, columns, layout, plan)
            }
        }
    }

    /// A kernel that is mended is positive semi-definite on the items that it was resolved with, and after clipping on all.
    fn definiteness(&self) -> Definiteness {
        if self.expression.mending().is_some() {
            return Definiteness::Guaranteed;
        }
        match &self.computed {
            Computed::Strings(kernel) => kernel.definiteness(),
            Computed::Trees(kernel) => kernel.definiteness(),
            Computed::Graphs(kernel) => kernel.definiteness(),
            Computed::Series(kernel) => kernel.definiteness(),
            Computed::Records(kernel) => kernel.definiteness(),
        }
    }
}
