//! Kernels on a [`Collection`] that are expressions, in bulk.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

use crate::data::{Collection, Graph, Items, KernelRow, Record, RecordSchema, Series, Tree, Vectors};
use crate::error::{Error, Result};
use crate::gram::mended::{self, Clipped, Found};
use crate::gram::tokens::Tokens;
use crate::gram::{
    BulkKernel, Compound, Digested, Gram, LearnedMending, Mapped, Pairwise, PairwiseLayout, Plan, Room, Sums,
    SymmetricGram, VectorLayout, WithLayout,
};
use crate::kernel::string::in_order;
use crate::kernel::structure::{Column, OnColumn};
use crate::kernel::structure::{Leaf, Node, letters, structure_kernels, token_kernels, within};
use crate::kernel::{Definiteness, DigestKernel, Expression, Kernel, Normalised, StructureExpression};
use crate::linalg::{Matrix, Mending};

/// A kernel on rows of numbers, strings, trees, graphs, time series or records, ready to give Gram matrices.
///
/// It is its [`StructureExpression`], and prints and parses as that; one that is [mended](StructureExpression::mended) also knows what
/// the training items decided, once it is resolved. Each part keeps its own fast path, see
/// [`Compound`]; a kernel at unit length scales what it lists or remembers of an item, so that it costs no more than the kernel
/// itself.
///
/// ```
/// use mercer::data::{Labels, Collection};
/// use mercer::gram::CollectionKernel;
/// use mercer::machine::Svc;
/// let words = Collection::Strings(["gattaca", "gatgat", "ccacca", "cacacc"].map(String::from).to_vec());
/// let labels = Labels::from_text(["g", "g", "c", "c"]);
/// let kernel: CollectionKernel = "normalised(spectrum(k=2))".parse()?;
/// let model = Svc::params(kernel).cost(10.0).check()?.fit(&words, &labels)?;
/// assert_eq!(model.predict_labels(&Collection::Strings(vec!["gatta".into()]))?, ["g"]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CollectionKernel {
    expression: StructureExpression,
    /// Without the mending.
    computed: Computed,
    mended: Option<Arc<LearnedMending>>,
}

#[derive(Clone, Debug)]
enum Computed {
    Rows(Expression),
    Precomputed(Pairwise<LookUp, KernelRow>),
    Strings(Compound<String>),
    Trees(Compound<Tree>),
    Graphs(Compound<Graph>),
    Series(Compound<Series>),
    Records(Compound<Record>),
}

/// Calls a method of the compound with the items that it compares.
macro_rules! with_items {
    ($kernel:ident, $($items:ident),+ => $call:ident($($argument:expr),*), $layout:ident: $given:expr) => {
        match (&$kernel.computed, $($items),+) {
            (Computed::Rows(kernel), $(Collection::Rows($items)),+) => {
                let $layout = $given.of_rows()?;
                kernel.$call($($argument),*)
            }
            (computed, $($items),+) => {
                let $layout = $given.of_pairs()?;
                with_structured!($kernel, computed, $($items),+ => $call($($argument),*))
            }
        }
    };
}

macro_rules! with_structured {
    ($kernel:ident, $computed:ident, $($items:ident),+ => $call:ident($($argument:expr),*)) => {
        match ($computed, $($items),+) {
            (Computed::Precomputed(kernel), $(Collection::KernelValues($items)),+) => kernel.$call($($argument),*),
            (Computed::Strings(kernel), $(Collection::Strings($items)),+) => kernel.$call($($argument),*),
            (Computed::Trees(kernel), $(Collection::Trees($items)),+) => kernel.$call($($argument),*),
            (Computed::Graphs(kernel), $(Collection::Graphs($items)),+) => kernel.$call($($argument),*),
            (Computed::Series(kernel), $(Collection::Series($items)),+) => kernel.$call($($argument),*),
            (Computed::Records(kernel), $(Collection::Records($items)),+) => kernel.$call($($argument),*),
            _ => {
                $($items.check_kind($kernel.expression.kind())?;)+
                Err(of_another_kind())
            }
        }
    };
}

impl CollectionKernel {
    /// This kernel.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for columns that cannot be computed.
    pub fn new(expression: StructureExpression) -> Result<Self> {
        let computed = computed(&expression)?;
        Ok(CollectionKernel { expression, computed, mended: None })
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
        CollectionKernel { mended: Some(Arc::new(learned)), ..self }
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
    fn coordinates(&self, clipped: &Clipped, items: &Collection<'_>, plan: &Plan) -> Result<Matrix> {
        let (known, double) = (&clipped.items, &mended::in_double(plan));
        items.check_kind(known.kind())?;
        let layout = self.layout_unmended(known, double)?;
        clipped.coordinates(items, plan, |others, values| {
            mended::fill_all(self.cross_unmended(known, others, &layout, double)?, double, values)
        })
    }

    fn symmetric_unmended<'a>(
        &'a self,
        items: &'a Collection<'_>,
        layout: &CollectionLayout,
        plan: &Plan,
    ) -> Result<Box<dyn SymmetricGram + 'a>> {
        with_items!(self, items => symmetric(items, own, plan), own: layout)
    }

    fn layout_unmended(&self, items: &Collection<'_>, plan: &Plan) -> Result<CollectionLayout> {
        match (&self.computed, items) {
            (Computed::Rows(kernel), Collection::Rows(rows)) => {
                kernel.layout(rows, plan).map(CollectionLayout::Rows)
            }
            (_, items) => {
                items.check_kind(self.expression.kind())?;
                Ok(CollectionLayout::Pairs(PairwiseLayout::new(items.len(), plan)))
            }
        }
    }

    fn cross_unmended<'a>(
        &'a self,
        rows: &'a Collection<'static>,
        columns: &'a Collection<'_>,
        layout: &CollectionLayout,
        plan: &Plan,
    ) -> Result<Box<dyn Gram + 'a>> {
        with_items!(self, rows, columns => cross(rows, columns, own, plan), own: layout)
    }
}

impl PartialEq for CollectionKernel {
    fn eq(&self, other: &Self) -> bool {
        self.expression == other.expression && self.mended == other.mended
    }
}

impl fmt::Display for CollectionKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expression.fmt(f)
    }
}

impl FromStr for CollectionKernel {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        CollectionKernel::new(text.parse()?)
    }
}

/// As its expression; model files keep what was learned beside it.
impl Serialize for CollectionKernel {
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
            use crate::data::ItemKind;
            let schema = expression.columns()?;
            let schema = schema.as_ref();
            let root = match expression.root() {
                Node::Mend(_, node) => node,
                node => node,
            };
            Ok(match expression.kind() {
                ItemKind::Rows => match root {
                    Node::Rows(kernel) => Computed::Rows(kernel.clone()),
                    _ => return Err(of_another_kind()),
                },
                ItemKind::KernelValues => Computed::Precomputed(Pairwise::new(LookUp)),
                $(ItemKind::$kind => Computed::$kind(compound(root, schema)?),)*
                ItemKind::Records => Computed::Records(compound(root, schema)?),
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
        Node::Rows(_) | Node::Precomputed => Err(of_another_kind()),
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

/// The kernel whose values are looked up; of two items that are not of the training there is none.
#[derive(Clone, Debug)]
struct LookUp;

impl Kernel<KernelRow> for LookUp {
    fn eval(&self, x: &KernelRow, z: &KernelRow) -> f64 {
        x.value(z)
    }
}

/// What is decided at training: how rows of numbers are laid out, or in which precision the values of other items are kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CollectionLayout {
    /// Rows of numbers.
    Rows(VectorLayout),
    /// All other items, and rows whose kernel is clipped.
    Pairs(PairwiseLayout),
}

impl CollectionLayout {
    fn of_rows(&self) -> Result<&VectorLayout> {
        match self {
            CollectionLayout::Rows(layout) => Ok(layout),
            CollectionLayout::Pairs(_) => Err(other_layout()),
        }
    }

    /// The layout of rows of numbers, taken out.
    pub(crate) fn into_rows(self) -> Result<VectorLayout> {
        match self {
            CollectionLayout::Rows(layout) => Ok(layout),
            CollectionLayout::Pairs(_) => Err(other_layout()),
        }
    }

    fn of_pairs(&self) -> Result<&PairwiseLayout> {
        match self {
            CollectionLayout::Pairs(layout) => Ok(layout),
            CollectionLayout::Rows(_) => Err(other_layout()),
        }
    }
}

fn other_layout() -> Error {
    Error::Unsupported { what: "the layout belongs to a kernel on items of another kind".into() }
}

impl WithLayout for CollectionKernel {
    type Layout = CollectionLayout;
}

impl<'c> BulkKernel<Collection<'c>> for CollectionKernel {
    fn resolve(&self, items: &Collection<'c>, weights: Option<&[f64]>) -> Result<Self> {
        self.resolve_by(items, weights, &Plan::new()?)
    }

    fn resolve_by(&self, items: &Collection<'c>, weights: Option<&[f64]>, plan: &Plan) -> Result<Self> {
        if self.mended.is_some() {
            items.check_kind(self.expression.kind())?;
            return Ok(self.clone());
        }
        let kernel = CollectionKernel::new(self.expression.learn(items, weights)?)?;
        let Some(mending) = kernel.expression.mending() else { return Ok(kernel) };
        let learned = LearnedMending::learn(mending, items, plan, |plan| {
            kernel.symmetric_unmended(items, &kernel.layout_unmended(items, plan)?, plan)
        })?;
        Ok(kernel.with_mending(learned))
    }

    fn layout(&self, items: &Collection<'c>, plan: &Plan) -> Result<CollectionLayout> {
        match self.expression.mending() {
            Some(Mending::Clip) => {
                items.check_kind(self.expression.kind())?;
                Ok(CollectionLayout::Pairs(PairwiseLayout::new(items.len(), plan)))
            }
            _ => self.layout_unmended(items, plan),
        }
    }

    fn symmetric<'a>(
        &'a self,
        items: &'a Collection<'c>,
        layout: &CollectionLayout,
        plan: &Plan,
    ) -> Result<Box<dyn SymmetricGram + 'a>> {
        match self.mended()? {
            Some(Found::Shift { shift, .. }) if *shift > 0.0 => {
                let uncached = Plan { cache_bytes: 0, ..plan.clone() };
                mended::shifted(self.symmetric_unmended(items, layout, &uncached)?, *shift, plan)
            }
            Some(Found::Clip(clipped)) => {
                Clipped::symmetric(self.coordinates(clipped, items, plan)?, layout.of_pairs()?, plan)
            }
            None | Some(Found::Shift { .. }) => self.symmetric_unmended(items, layout, plan),
        }
    }

    fn cross<'a>(
        &'a self,
        rows: &'a Collection<'static>,
        columns: &'a Collection<'c>,
        layout: &CollectionLayout,
        plan: &Plan,
    ) -> Result<Box<dyn Gram + 'a>> {
        match self.mended()? {
            None | Some(Found::Shift { .. }) => self.cross_unmended(rows, columns, layout, plan),
            Some(Found::Clip(clipped)) => {
                let (rows, columns) =
                    (self.coordinates(clipped, rows, plan)?, self.coordinates(clipped, columns, plan)?);
                Clipped::cross(rows, columns, layout.of_pairs()?, plan)
            }
        }
    }

    fn add_sums(&self, items: &Collection<'c>, plan: &Plan, sums: &mut Sums) -> Result<bool> {
        match (&self.computed, items) {
            (Computed::Rows(kernel), Collection::Rows(rows)) if self.mended()?.is_none() => {
                kernel.add_sums(rows, plan, sums)
            }
            _ => Ok(false),
        }
    }

    fn of_sums<'r>(
        &self,
        sums: &Sums,
        rows: &[usize],
        columns: &[usize],
        plan: &Plan,
        room: &'r mut Room,
    ) -> Result<Box<dyn SymmetricGram + 'r>> {
        match &self.computed {
            Computed::Rows(kernel) => {
                BulkKernel::<Vectors<'_>>::of_sums(kernel, sums, rows, columns, plan, room)
            }
            _ => {
                Err(Error::Unsupported { what: "this kernel is not a function of sums over columns".into() })
            }
        }
    }

    /// A kernel that is mended is positive semi-definite on the items that it was resolved with, and after clipping on all.
    fn definiteness(&self) -> Definiteness {
        if self.expression.mending().is_some() {
            return Definiteness::Guaranteed;
        }
        match &self.computed {
            Computed::Rows(kernel) => kernel.definiteness(),
            Computed::Precomputed(kernel) => BulkKernel::<Vec<KernelRow>>::definiteness(kernel),
            Computed::Strings(kernel) => kernel.definiteness(),
            Computed::Trees(kernel) => kernel.definiteness(),
            Computed::Graphs(kernel) => kernel.definiteness(),
            Computed::Series(kernel) => kernel.definiteness(),
            Computed::Records(kernel) => kernel.definiteness(),
        }
    }
}

impl From<Expression> for CollectionKernel {
    /// A kernel on rows of numbers.
    fn from(kernel: Expression) -> Self {
        CollectionKernel { computed: Computed::Rows(kernel.clone()), expression: kernel.into(), mended: None }
    }
}
