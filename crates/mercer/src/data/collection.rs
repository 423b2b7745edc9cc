//! The closed family of collections that can be stored, read and named: rows of numbers, strings, trees, graphs, time series, records.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::data::{Graph, Items, KernelRow, Record, Row, Series, Tree, Vectors};
use crate::error::{Error, Result};

/// What kind of item a kernel compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    /// Rows of numbers.
    Rows,
    /// Strings and texts.
    Strings,
    /// Ordered labelled trees.
    Trees,
    /// Graphs.
    Graphs,
    /// Time series.
    Series,
    /// Records of mixed columns.
    Records,
    /// Kernel values with the items of a training set.
    KernelValues,
}

impl ItemKind {
    /// All kinds, in a fixed order.
    pub const ALL: [ItemKind; 7] = [
        ItemKind::Rows,
        ItemKind::Strings,
        ItemKind::Trees,
        ItemKind::Graphs,
        ItemKind::Series,
        ItemKind::Records,
        ItemKind::KernelValues,
    ];
}

impl fmt::Display for ItemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ItemKind::Rows => "rows of numbers",
            ItemKind::Strings => "strings",
            ItemKind::Trees => "trees",
            ItemKind::Graphs => "graphs",
            ItemKind::Series => "time series",
            ItemKind::Records => "records",
            ItemKind::KernelValues => "kernel values",
        })
    }
}

/// Items of one kind, as a learner and a model hold them: what a file, the command line or Python can hand to a kernel.
///
/// Rows of numbers may be borrowed; all other items are owned. [`CollectionKernel`](crate::gram::CollectionKernel) compares them.
///
/// ```
/// use mercer::data::{Collection, ItemKind, Items, Vectors};
/// let words = Collection::Strings(vec!["kernel".into(), "margin".into()]);
/// assert_eq!((words.len(), words.kind()), (2, ItemKind::Strings));
/// assert_eq!(words.select(&[1]), Collection::Strings(vec!["margin".into()]));
/// assert_eq!(Collection::from(Vectors::from_rows(&[[0.0, 1.0]])?).rows()?.columns(), 2);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Collection<'a> {
    /// Rows of numbers; model files store them as arrays.
    #[serde(skip)]
    Rows(Vectors<'a>),
    /// Strings and texts.
    Strings(Vec<String>),
    /// Trees.
    Trees(Vec<Tree>),
    /// Graphs.
    Graphs(Vec<Graph>),
    /// Time series.
    Series(Vec<Series>),
    /// Records that all have the same columns.
    Records(Vec<Record>),
    /// What is known by its kernel values with the items of a training set; model files store which of these items it is.
    #[serde(skip)]
    KernelValues(Vec<KernelRow>),
}

/// One item of a [`Collection`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item<'a> {
    /// A row of numbers.
    Row(Row<'a>),
    /// A string or a text.
    String(&'a str),
    /// A tree.
    Tree(&'a Tree),
    /// A graph.
    Graph(&'a Graph),
    /// A time series.
    Series(&'a Series),
    /// A record.
    Record(&'a Record),
    /// Kernel values with the items of a training set.
    KernelRow(&'a KernelRow),
}

impl<'a> Collection<'a> {
    /// What they are.
    pub fn kind(&self) -> ItemKind {
        match self {
            Collection::Rows(_) => ItemKind::Rows,
            Collection::Strings(_) => ItemKind::Strings,
            Collection::Trees(_) => ItemKind::Trees,
            Collection::Graphs(_) => ItemKind::Graphs,
            Collection::Series(_) => ItemKind::Series,
            Collection::Records(_) => ItemKind::Records,
            Collection::KernelValues(_) => ItemKind::KernelValues,
        }
    }

    /// Refuses items of another kind than a kernel compares.
    ///
    /// # Errors
    /// [`Error::Unsupported`].
    pub fn check_kind(&self, expected: ItemKind) -> Result<()> {
        let found = self.kind();
        if found == expected {
            return Ok(());
        }
        Err(Error::Unsupported { what: format!("the kernel compares {expected}, and the items are {found}") })
    }

    /// The rows of numbers.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for items of another kind.
    pub fn rows(&self) -> Result<&Vectors<'a>> {
        match self {
            Collection::Rows(rows) => Ok(rows),
            items => Err(Error::Unsupported {
                what: format!("needs rows of numbers, and the items are {}", items.kind()),
            }),
        }
    }

    /// The rows of numbers, taken out.
    ///
    /// # Errors
    /// As [`Collection::rows`].
    pub fn into_rows(self) -> Result<Vectors<'a>> {
        self.rows()?;
        match self {
            Collection::Rows(rows) => Ok(rows),
            _ => unreachable!("they are rows"),
        }
    }

    /// The items of a range; rows of numbers that lie row by row are not copied.
    ///
    /// ```
    /// use mercer::data::{Collection, Items};
    /// let words = Collection::Strings(["ab", "cd", "ef"].map(String::from).to_vec());
    /// assert_eq!(words.range(1..3), words.select(&[1, 2]));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the range is not within the items.
    pub fn range(&self, items: Range<usize>) -> Collection<'_> {
        match self {
            Collection::Rows(rows) => Collection::Rows(rows.range(items)),
            others => others.select(&items.collect::<Vec<_>>()),
        }
    }

    /// The items of both, one after the other.
    ///
    /// ```
    /// use mercer::data::{Items, Collection};
    /// let (a, b) = (Collection::Strings(vec!["ab".into()]), Collection::Strings(vec!["cd".into()]));
    /// assert_eq!(a.followed_by(b)?.len(), 2);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] for items of different kinds.
    pub fn followed_by(self, others: Collection<'_>) -> Result<Collection<'static>> {
        use Collection::{Graphs, Records, Rows, Series, Strings, Trees};
        Ok(match (self, others) {
            (Rows(a), Rows(b)) => Rows(Vectors::stacked(&[&a, &b])?),
            (Strings(a), Strings(b)) => Strings([a, b].concat()),
            (Trees(a), Trees(b)) => Trees([a, b].concat()),
            (Graphs(a), Graphs(b)) => Graphs([a, b].concat()),
            (Series(a), Series(b)) => Series([a, b].concat()),
            (Records(a), Records(b)) => Records([a, b].concat()),
            (a, b) => {
                let what = format!("{} and {} are items of different kinds", a.kind(), b.kind());
                return Err(Error::Unsupported { what });
            }
        })
    }
}

impl Items for Collection<'_> {
    type Item<'b>
        = Item<'b>
    where
        Self: 'b;
    type Owned = Collection<'static>;

    fn len(&self) -> usize {
        match self {
            Collection::Rows(rows) => rows.len(),
            Collection::Strings(items) => items.len(),
            Collection::Trees(items) => items.len(),
            Collection::Graphs(items) => items.len(),
            Collection::Series(items) => items.len(),
            Collection::Records(items) => items.len(),
            Collection::KernelValues(items) => items.len(),
        }
    }

    fn get(&self, i: usize) -> Item<'_> {
        match self {
            Collection::Rows(rows) => Item::Row(rows.get(i)),
            Collection::Strings(items) => Item::String(&items[i]),
            Collection::Trees(items) => Item::Tree(&items[i]),
            Collection::Graphs(items) => Item::Graph(&items[i]),
            Collection::Series(items) => Item::Series(&items[i]),
            Collection::Records(items) => Item::Record(&items[i]),
            Collection::KernelValues(items) => Item::KernelRow(&items[i]),
        }
    }

    fn select(&self, positions: &[usize]) -> Collection<'static> {
        match self {
            Collection::Rows(rows) => Collection::Rows(rows.select(positions)),
            Collection::Strings(items) => Collection::Strings(items.select(positions)),
            Collection::Trees(items) => Collection::Trees(items.select(positions)),
            Collection::Graphs(items) => Collection::Graphs(items.select(positions)),
            Collection::Series(items) => Collection::Series(items.select(positions)),
            Collection::Records(items) => Collection::Records(items.select(positions)),
            Collection::KernelValues(items) => Collection::KernelValues(items.select(positions)),
        }
    }
}

macro_rules! from_items {
    ($($item:ident: $kind:ident),*) => {$(
        impl From<Vec<$item>> for Collection<'_> {
            fn from(items: Vec<$item>) -> Self {
                Collection::$kind(items)
            }
        }
    )*};
}
from_items!(
    String: Strings, Tree: Trees, Graph: Graphs, Series: Series, Record: Records, KernelRow: KernelValues
);

impl<'a> From<Vectors<'a>> for Collection<'a> {
    fn from(rows: Vectors<'a>) -> Self {
        Collection::Rows(rows)
    }
}

/// A view: nothing is copied.
impl<'a> From<&'a Vectors<'_>> for Collection<'a> {
    fn from(rows: &'a Vectors<'_>) -> Self {
        Collection::Rows(rows.view())
    }
}
