//! Collections of structured items: strings, trees, graphs, time series, records.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::data::{Graph, Items, Record, Series, Tree};
use crate::error::{Error, Result};

/// What kind of item a kernel compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StructureKind {
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
}

impl StructureKind {
    /// All kinds, in a fixed order.
    pub const ALL: [StructureKind; 5] = [
        StructureKind::Strings,
        StructureKind::Trees,
        StructureKind::Graphs,
        StructureKind::Series,
        StructureKind::Records,
    ];
}

impl fmt::Display for StructureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StructureKind::Strings => "strings",
            StructureKind::Trees => "trees",
            StructureKind::Graphs => "graphs",
            StructureKind::Series => "time series",
            StructureKind::Records => "records",
        })
    }
}

/// Structured items of one kind, as a learner and a model hold them.
///
/// What [`Vectors`](crate::data::Vectors) are to rows of numbers: the closed family of collections that can be stored, and that
/// [`StructureKernel`](crate::gram::StructureKernel) compares.
///
/// ```
/// use mercer::data::{Items, StructureKind, Structures};
/// let words = Structures::Strings(vec!["kernel".into(), "margin".into()]);
/// assert_eq!((words.len(), words.kind()), (2, StructureKind::Strings));
/// assert_eq!(words.select(&[1]), Structures::Strings(vec!["margin".into()]));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Structures {
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
}

/// One item of [`Structures`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Structure<'a> {
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
}

impl Structures {
    /// What they are.
    pub fn kind(&self) -> StructureKind {
        match self {
            Structures::Strings(_) => StructureKind::Strings,
            Structures::Trees(_) => StructureKind::Trees,
            Structures::Graphs(_) => StructureKind::Graphs,
            Structures::Series(_) => StructureKind::Series,
            Structures::Records(_) => StructureKind::Records,
        }
    }

    /// Refuses items of another kind than a kernel compares.
    ///
    /// # Errors
    /// [`Error::Unsupported`].
    pub fn check_kind(&self, expected: StructureKind) -> Result<()> {
        let found = self.kind();
        if found == expected {
            return Ok(());
        }
        Err(Error::Unsupported { what: format!("the kernel compares {expected}, and the items are {found}") })
    }

    /// The items of both, one after the other.
    ///
    /// ```
    /// use mercer::data::{Items, Structures};
    /// let (a, b) = (Structures::Strings(vec!["ab".into()]), Structures::Strings(vec!["cd".into()]));
    /// assert_eq!(a.followed_by(b)?.len(), 2);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] for items of different kinds.
    pub fn followed_by(self, others: Structures) -> Result<Structures> {
        use Structures::{Graphs, Records, Series, Strings, Trees};
        Ok(match (self, others) {
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

    /// A checksum (64 bits, hexadecimal) of all items, to tell whether two collections are the same. O(size of the items).
    pub fn checksum(&self) -> String {
        // FNV-1a over the items as they stand in a model file.
        let text = serde_json::to_vec(self).unwrap_or_default();
        let hash = text
            .iter()
            .fold(0xcbf2_9ce4_8422_2325_u64, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
        format!("{hash:016x}")
    }
}

impl Items for Structures {
    type Item<'a> = Structure<'a>;
    type Owned = Structures;

    fn len(&self) -> usize {
        match self {
            Structures::Strings(items) => items.len(),
            Structures::Trees(items) => items.len(),
            Structures::Graphs(items) => items.len(),
            Structures::Series(items) => items.len(),
            Structures::Records(items) => items.len(),
        }
    }

    fn get(&self, i: usize) -> Structure<'_> {
        match self {
            Structures::Strings(items) => Structure::String(&items[i]),
            Structures::Trees(items) => Structure::Tree(&items[i]),
            Structures::Graphs(items) => Structure::Graph(&items[i]),
            Structures::Series(items) => Structure::Series(&items[i]),
            Structures::Records(items) => Structure::Record(&items[i]),
        }
    }

    fn select(&self, positions: &[usize]) -> Structures {
        match self {
            Structures::Strings(items) => Structures::Strings(items.select(positions)),
            Structures::Trees(items) => Structures::Trees(items.select(positions)),
            Structures::Graphs(items) => Structures::Graphs(items.select(positions)),
            Structures::Series(items) => Structures::Series(items.select(positions)),
            Structures::Records(items) => Structures::Records(items.select(positions)),
        }
    }
}

macro_rules! from_items {
    ($($item:ident: $kind:ident),*) => {$(
        impl From<Vec<$item>> for Structures {
            fn from(items: Vec<$item>) -> Self {
                Structures::$kind(items)
            }
        }
    )*};
}
from_items!(String: Strings, Tree: Trees, Graph: Graphs, Series: Series, Record: Records);
