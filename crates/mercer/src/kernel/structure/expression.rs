//! The closed family of kernels on structured items that can be printed, parsed and stored.

use serde::{Deserialize, Serialize};

use crate::data::{Collection, Item, ItemKind, RecordSchema};
use crate::error::{Error, Result};
use crate::kernel::combine::Normalise;
use crate::kernel::structure::{Column, Leaf};
use crate::kernel::{Expression, Kernel, check};
use crate::linalg::Mending;

/// A kernel on strings, trees, graphs, time series or records: one of the kernels of Mercer, or a combination of them.
///
/// It prints as it was written and parses back to an equal value. Kernels on items of one kind are added, multiplied with each other
/// and with numbers of at least 0, and brought to unit length.
///
/// ```text
/// expression = term { "+" term }
/// term       = primary { "*" primary }      numbers among the primaries are multiplied into one factor
/// primary    = number | "(" expression ")" | name [ "(" arguments ")" ] | "normalised(" expression ")"
///            | "column(" "name in quotes" "," kernel ")" | "tokens(" expression ")"
/// mended     = "shifted(" expression ")" | "clipped(" expression ")"      around all of it, or not at all
/// ```
///
/// Names are those of [`StructureDescription::all`](crate::kernel::StructureDescription::all); a dash in a name is as good as an
/// underscore. On records a kernel is made of columns: `column("age", gaussian)` compares numbers by any kernel on rows,
/// `column("job", equality)` words, and `column("note", bag_of_words)` texts by a kernel on strings that lists its features. What
/// waits for training items (weights of words, an alphabet, a median) is filled in by [`learn`](StructureExpression::learn).
///
/// Within `tokens(…)` the symbols of a string are what stands between white space, not its characters: `tokens(spectrum(k=2))` counts
/// pairs of words that follow each other.
///
/// [`CollectionKernel`](crate::gram::CollectionKernel) computes Gram matrices of it. O(values of all parts) per pair.
///
/// ```
/// use mercer::kernel::StructureExpression;
/// use mercer::kernel::string::{Spectrum, Subsequences};
/// let kernel = StructureExpression::from(Spectrum::new(3)?).normalised();
/// let kernel = kernel.plus(StructureExpression::from(Subsequences::new(2, 0.5)?).scaled(0.1)?)?;
/// assert_eq!(kernel.to_string(), "normalised(spectrum(k=3)) + 0.1 * subsequence(k=2, decay=0.5)");
/// assert_eq!(kernel, kernel.to_string().parse()?);
///
/// let error = "wl(h=3) + spectrum(k=2)".parse::<StructureExpression>().unwrap_err();
/// assert_eq!(error.to_string(), "kernel expression, character 11: spectrum compares strings, and what stands before it graphs");
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Node", into = "Node")]
pub struct StructureExpression {
    root: Node,
    kind: ItemKind,
}

/// A part of an expression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Node {
    /// A kernel on rows of numbers, combinations included; only as the root or right below a mending.
    Rows(Expression),
    /// Values that are looked up.
    Precomputed,
    Kernel(Leaf),
    Column(Column),
    /// A kernel on strings whose symbols are tokens.
    Tokens(Leaf),
    Sum(Vec<Node>),
    Product(Vec<Node>),
    Scale(f64, Box<Node>),
    Normalise(Box<Node>),
    /// Only as the root.
    Mend(Mending, Box<Node>),
}

impl StructureExpression {
    pub(super) fn of(leaf: Leaf) -> Self {
        StructureExpression { kind: leaf.kind(), root: Node::Kernel(leaf) }
    }

    /// The kernel on rows of numbers that it is, without its mending.
    pub fn on_rows(&self) -> Option<&Expression> {
        match &self.root {
            Node::Rows(kernel) => Some(kernel),
            Node::Mend(_, node) => match &**node {
                Node::Rows(kernel) => Some(kernel),
                _ => None,
            },
            _ => None,
        }
    }

    /// The name of a kernel in it that is defined on values of at least 0 only, if there is one.
    pub fn needs_non_negative(&self) -> Option<&'static str> {
        self.on_rows().and_then(Expression::needs_non_negative)
    }

    /// Values that are looked up, written `precomputed`: items are rows of kernel values.
    ///
    /// ```
    /// use mercer::data::ItemKind;
    /// use mercer::kernel::StructureExpression;
    /// assert_eq!("precomputed".parse::<StructureExpression>()?, StructureExpression::precomputed());
    /// assert_eq!(StructureExpression::precomputed().kind(), ItemKind::KernelValues);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn precomputed() -> Self {
        StructureExpression { root: Node::Precomputed, kind: ItemKind::KernelValues }
    }

    /// What it compares.
    pub fn kind(&self) -> ItemKind {
        self.kind
    }

    pub(crate) fn root(&self) -> &Node {
        &self.root
    }

    /// k(x, z) + k'(x, z)
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a kernel on items of another kind, or on the same column taken for something else.
    pub fn plus(self, other: StructureExpression) -> Result<Self> {
        self.joined(other, |root, other| match (root, other) {
            (Node::Rows(kernel), Node::Rows(other)) => Node::Rows(kernel + other),
            (root, other) => Node::summed(root, other),
        })
    }

    /// k(x, z) · k'(x, z)
    ///
    /// # Errors
    /// As [`StructureExpression::plus`].
    pub fn times(self, other: StructureExpression) -> Result<Self> {
        self.joined(other, |root, other| match (root, other) {
            (Node::Rows(kernel), Node::Rows(other)) => Node::Rows(kernel * other),
            (root, other) => Node::multiplied(root, other),
        })
    }

    fn joined(self, other: StructureExpression, join: impl FnOnce(Node, Node) -> Node) -> Result<Self> {
        if other.kind != self.kind {
            let what = format!("{other} compares {}, and what it is joined with {}", other.kind, self.kind);
            return Err(Error::Unsupported { what });
        }
        StructureExpression::try_from(join(self.root, other.root))
    }

    /// factor · k(x, z)
    ///
    /// # Errors
    /// [`Error::Parameter`] unless the factor is a finite number of at least 0.
    pub fn scaled(self, factor: f64) -> Result<Self> {
        check::non_negative("factor", factor)?;
        StructureExpression::try_from(match self.root {
            Node::Rows(kernel) => Node::Rows(factor * kernel),
            root => Node::Scale(factor, Box::new(root)),
        })
    }

    /// k(x, z) / √(k(x, x) k(z, z)), see [`Normalised`](crate::kernel::Normalised).
    #[must_use]
    pub fn normalised(self) -> Self {
        let root = match self.root {
            Node::Rows(kernel) => Node::Rows(Normalise::new(kernel).into()),
            root => Node::Normalise(Box::new(root)),
        };
        StructureExpression { root, ..self }
    }

    /// The kernel made positive semi-definite on the items that it is trained on, for one that is not (`dtw`, `best_match`, `jittered`).
    ///
    /// [`Mending::Shift`] adds s = max(0, −λ_min) to the diagonal of the training matrix; k(x, z) of a new item x stays. What is left of an
    /// indefinite kernel is exact, at the price of a kernel that pays more attention to each training item itself.
    /// [`Mending::Clip`] sets the eigenvalues below 0 to 0. With K = V diag(λ) Vᵀ of the training items T, and V₊, Λ₊ the part above 0,
    /// every item has the coordinates φ(x) = Λ₊^(−½) V₊ᵀ k(x, T), and the kernel is φ(x)ᵀφ(z): the clipped matrix on T, and positive
    /// semi-definite on all items. [`CollectionKernel`](crate::gram::CollectionKernel) finds both when it is
    /// [resolved](crate::gram::BulkKernel::resolve), in O(n³) time and O(n²) memory.
    ///
    /// ```
    /// use mercer::kernel::StructureExpression;
    /// use mercer::linalg::Mending;
    /// let kernel: StructureExpression = "dtw(gamma=0.5)".parse()?;
    /// let kernel = kernel.mended(Mending::Clip)?;
    /// assert_eq!(kernel.to_string(), "clipped(dtw(gamma=0.5))");
    /// assert_eq!(kernel.mending(), Some(Mending::Clip));
    /// assert!(kernel.mended(Mending::Shift).is_err());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] for one that is mended already.
    pub fn mended(self, mending: Mending) -> Result<Self> {
        StructureExpression::try_from(Node::Mend(mending, Box::new(self.root)))
    }

    /// The kernel without its mending.
    pub(crate) fn unmended(&self) -> StructureExpression {
        let root = match &self.root {
            Node::Mend(_, node) => (**node).clone(),
            node => node.clone(),
        };
        StructureExpression { root, kind: self.kind }
    }

    /// How it is made positive semi-definite, if it is.
    pub fn mending(&self) -> Option<Mending> {
        match self.root {
            Node::Mend(mending, _) => Some(mending),
            _ => None,
        }
    }

    /// The columns that records must have: their names, and what they hold. `None` for kernels on other items.
    ///
    /// ```
    /// use mercer::data::CellKind;
    /// use mercer::kernel::StructureExpression;
    /// let kernel: StructureExpression = "column(\"age\", gaussian(gamma=1)) * column(\"job\", equality)".parse()?;
    /// let schema = kernel.columns()?.unwrap();
    /// assert_eq!(schema.columns()[1], ("job".to_string(), CellKind::Category));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] if a column is taken for two things.
    pub fn columns(&self) -> Result<Option<RecordSchema>> {
        let mut columns = Vec::new();
        self.root.list_columns(&mut columns);
        if columns.is_empty() { Ok(None) } else { RecordSchema::new(columns).map(Some) }
    }

    /// The kernel with what the training items decide filled in; an item of weight w counts as w items. To learn twice is to learn
    /// once.
    ///
    /// # Errors
    /// Items of another kind, or that it cannot be learned from.
    pub fn learn(&self, items: &Collection, weights: Option<&[f64]>) -> Result<Self> {
        items.check_kind(self.kind)?;
        let schema = self.columns()?;
        let root = self.root.learn(items, weights, schema.as_ref())?;
        Ok(StructureExpression { root, kind: self.kind })
    }

    /// k(x, z) of two items. A Gram matrix looks at each item once; this looks at them each time.
    ///
    /// # Errors
    /// Items that it is not defined on; [`Error::Unsupported`] for a kernel that is clipped, which two items alone do not decide.
    pub fn eval(&self, x: Item<'_>, z: Item<'_>) -> Result<f64> {
        self.root.eval(x, z, self.columns()?.as_ref())
    }

    /// k(x, x)
    ///
    /// # Errors
    /// As [`StructureExpression::eval`].
    pub fn eval_diagonal(&self, x: Item<'_>) -> Result<f64> {
        self.root.eval_diagonal(x, self.columns()?.as_ref())
    }
}

impl Node {
    fn summed(root: Node, other: Node) -> Node {
        match root {
            Node::Sum(mut terms) => {
                terms.push(other);
                Node::Sum(terms)
            }
            root => Node::Sum(vec![root, other]),
        }
    }

    fn multiplied(root: Node, other: Node) -> Node {
        match root {
            Node::Product(mut factors) => {
                factors.push(other);
                Node::Product(factors)
            }
            root => Node::Product(vec![root, other]),
        }
    }

    /// What it compares; an error where parts compare different things, or make no sense.
    fn checked(&self) -> Result<ItemKind> {
        match self {
            Node::Rows(_) => Ok(ItemKind::Rows),
            Node::Precomputed => Ok(ItemKind::KernelValues),
            Node::Kernel(leaf) => Ok(leaf.kind()),
            Node::Column(column) => column.check().map(|()| ItemKind::Records),
            Node::Tokens(leaf) => leaf.check_tokens().map(|()| leaf.kind()),
            Node::Scale(factor, node) => {
                check::non_negative("factor", *factor)?;
                node.checked()
            }
            Node::Normalise(node) => node.checked(),
            Node::Mend(..) => Err(within()),
            Node::Sum(nodes) | Node::Product(nodes) => {
                let [first, _, ..] = &nodes[..] else {
                    return Err(Error::Unsupported {
                        what: "a sum or product needs two kernels or more".into(),
                    });
                };
                let kind = first.checked()?;
                if kind == ItemKind::Rows {
                    return Err(Error::Unsupported {
                        what: "kernels on rows are combined within themselves".into(),
                    });
                }
                for node in nodes {
                    let other = node.checked()?;
                    if other != kind {
                        let what = format!("a kernel on {other} cannot be joined with one on {kind}");
                        return Err(Error::Unsupported { what });
                    }
                }
                Ok(kind)
            }
        }
    }

    fn list_columns(&self, columns: &mut Vec<(String, crate::data::CellKind)>) {
        match self {
            Node::Rows(_) | Node::Precomputed | Node::Kernel(_) | Node::Tokens(_) => {}
            Node::Column(column) => {
                let column = (column.name.clone(), column.kernel.kind());
                if !columns.contains(&column) {
                    columns.push(column);
                }
            }
            Node::Sum(nodes) | Node::Product(nodes) => {
                nodes.iter().for_each(|node| node.list_columns(columns));
            }
            Node::Scale(_, node) | Node::Normalise(node) | Node::Mend(_, node) => node.list_columns(columns),
        }
    }

    fn learn(
        &self,
        items: &Collection,
        weights: Option<&[f64]>,
        schema: Option<&RecordSchema>,
    ) -> Result<Node> {
        let one = |node: &Node| node.learn(items, weights, schema);
        let all = |nodes: &[Node]| nodes.iter().map(one).collect::<Result<Vec<_>>>();
        Ok(match self {
            Node::Rows(kernel) => Node::Rows(kernel.resolve_weighted(items.rows()?, weights)?),
            Node::Precomputed => Node::Precomputed,
            Node::Kernel(leaf) => Node::Kernel(leaf.learn(items, weights)?),
            Node::Column(column) => Node::Column(column.learn(items, weights, schema)?),
            // None of them learns.
            Node::Tokens(leaf) => Node::Tokens(leaf.clone()),
            Node::Sum(nodes) => Node::Sum(all(nodes)?),
            Node::Product(nodes) => Node::Product(all(nodes)?),
            Node::Scale(factor, node) => Node::Scale(*factor, Box::new(one(node)?)),
            Node::Normalise(node) => Node::Normalise(Box::new(one(node)?)),
            Node::Mend(mending, node) => Node::Mend(*mending, Box::new(one(node)?)),
        })
    }

    fn eval(&self, x: Item<'_>, z: Item<'_>, schema: Option<&RecordSchema>) -> Result<f64> {
        let values = |nodes: &[Node]| -> Result<Vec<f64>> {
            nodes.iter().map(|node| node.eval(x, z, schema)).collect()
        };
        Ok(match self {
            Node::Rows(kernel) => match (x, z) {
                (Item::Row(x), Item::Row(z)) => kernel.eval(&x, &z),
                _ => f64::NAN,
            },
            Node::Precomputed => match (x, z) {
                (Item::KernelRow(x), Item::KernelRow(z)) => x.value(z),
                _ => f64::NAN,
            },
            Node::Kernel(leaf) => leaf.eval(x, z)?,
            Node::Column(column) => column.eval(x, z, schema)?,
            Node::Tokens(leaf) => leaf.eval_tokens(x, z)?,
            Node::Sum(nodes) => values(nodes)?.into_iter().sum(),
            Node::Product(nodes) => values(nodes)?.into_iter().product(),
            Node::Scale(factor, node) => factor * node.eval(x, z, schema)?,
            Node::Normalise(node) => match &**node {
                Node::Kernel(leaf) => leaf.eval_unit(x, z)?,
                node => {
                    let own = (node.eval_diagonal(x, schema)?, node.eval_diagonal(z, schema)?);
                    let (a, b) = (own.0.sqrt(), own.1.sqrt());
                    if a == 0.0 || b == 0.0 { 0.0 } else { node.eval(x, z, schema)? / (a * b) }
                }
            },
            Node::Mend(Mending::Shift, node) => node.eval(x, z, schema)?,
            Node::Mend(Mending::Clip, _) => return Err(clipped_alone()),
        })
    }

    fn eval_diagonal(&self, x: Item<'_>, schema: Option<&RecordSchema>) -> Result<f64> {
        let values = |nodes: &[Node]| -> Result<Vec<f64>> {
            nodes.iter().map(|node| node.eval_diagonal(x, schema)).collect()
        };
        Ok(match self {
            Node::Rows(kernel) => match x {
                Item::Row(x) => kernel.eval_diagonal(&x),
                _ => f64::NAN,
            },
            Node::Precomputed => self.eval(x, x, schema)?,
            Node::Kernel(leaf) => leaf.eval_diagonal(x)?,
            Node::Column(column) => column.eval(x, x, schema)?,
            Node::Tokens(leaf) => leaf.eval_tokens(x, x)?,
            Node::Sum(nodes) => values(nodes)?.into_iter().sum(),
            Node::Product(nodes) => values(nodes)?.into_iter().product(),
            Node::Scale(factor, node) => factor * node.eval_diagonal(x, schema)?,
            Node::Normalise(node) => match node.eval_diagonal(x, schema)? {
                0.0 => 0.0,
                f64::INFINITY => self.eval(x, x, schema)?,
                // The root of a negative square is NaN.
                own => own.sqrt() / own.sqrt(),
            },
            Node::Mend(Mending::Shift, node) => node.eval_diagonal(x, schema)?,
            Node::Mend(Mending::Clip, _) => return Err(clipped_alone()),
        })
    }
}

/// Why a kernel that is mended is no part of another.
pub(crate) fn within() -> Error {
    let what =
        "shifted and clipped mend the matrix of all training items: they stand around the whole kernel";
    Error::Unsupported { what: what.into() }
}

fn clipped_alone() -> Error {
    let what = "a clipped kernel is known on training items, not by two items alone";
    Error::Unsupported { what: what.into() }
}

impl TryFrom<Node> for StructureExpression {
    type Error = Error;

    fn try_from(root: Node) -> Result<Self> {
        let kind = match &root {
            Node::Mend(_, node) => node.checked()?,
            node => node.checked()?,
        };
        let expression = StructureExpression { root, kind };
        expression.columns()?;
        Ok(expression)
    }
}

impl From<Expression> for StructureExpression {
    fn from(kernel: Expression) -> Self {
        StructureExpression { root: Node::Rows(kernel), kind: ItemKind::Rows }
    }
}

impl From<StructureExpression> for Node {
    fn from(expression: StructureExpression) -> Self {
        expression.root
    }
}
