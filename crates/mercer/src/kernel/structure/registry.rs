//! Every kernel on structured items that can be called by name.

use crate::data::ItemKind;
use crate::error::Result;
use crate::kernel::structure::{
    Leaf, StructureExpression, generative, graphs, logic, series, sets, strings, trees,
};
use crate::kernel::syntax::arguments::Arguments;
use crate::kernel::syntax::lex::problem;
use crate::kernel::syntax::registry::{KERNELS, nearest, shortened};
use crate::linalg::Mending;

/// A kernel as the parser knows it.
pub(super) struct Entry {
    /// The name that is printed.
    pub(super) name: &'static str,
    pub(super) kind: ItemKind,
    /// k(x, z)
    pub(super) formula: &'static str,
    /// Other names that are understood.
    pub(super) aliases: &'static [&'static str],
    /// Names of its parameters.
    pub(super) parameters: &'static [&'static str],
    /// Texts that show it; the law tests run on them.
    pub(super) examples: &'static [&'static str],
    /// Takes its parameters and makes the kernel.
    pub(super) build: fn(&mut Arguments) -> Result<Leaf>,
}

/// A kernel on structured items that can be called by name, in words.
///
/// ```
/// use mercer::data::ItemKind;
/// use mercer::kernel::StructureDescription;
/// let wl = StructureDescription::all().find(|kernel| kernel.name == "wl").unwrap();
/// assert_eq!((wl.kind, wl.parameters[0]), (ItemKind::Graphs, "h"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StructureDescription {
    /// Its name.
    pub name: &'static str,
    /// What it compares.
    pub kind: ItemKind,
    /// Other names that are understood.
    pub aliases: &'static [&'static str],
    /// k(x, z)
    pub formula: &'static str,
    /// Names of its parameters.
    pub parameters: &'static [&'static str],
    /// How it may be written.
    pub example: &'static str,
}

fn entries() -> impl Iterator<Item = &'static Entry> + Clone {
    let of_kinds =
        strings::KERNELS.iter().chain(trees::KERNELS).chain(graphs::KERNELS).chain(series::KERNELS);
    of_kinds.chain(sets::KERNELS).chain(logic::KERNELS).chain(generative::KERNELS)
}

/// Columns of records are no kernels by themselves.
const COLUMN: StructureDescription = StructureDescription {
    name: "column",
    kind: ItemKind::Records,
    aliases: &[],
    formula: "k of the values of one column: a kernel on rows, equality, or a kernel on strings",
    parameters: &["name"],
    example: "column(\"age\", gaussian(gamma=1)) * column(\"job\", equality)",
};

impl StructureDescription {
    /// All kernels, in a fixed order.
    pub fn all() -> impl Iterator<Item = StructureDescription> {
        let described = |entry: &'static Entry| StructureDescription {
            name: entry.name,
            kind: entry.kind,
            aliases: entry.aliases,
            formula: entry.formula,
            parameters: entry.parameters,
            example: entry.examples.first().copied().unwrap_or(entry.name),
        };
        entries().map(described).chain([COLUMN])
    }
}

/// What a name stands for.
pub(super) enum Found {
    Kernel(&'static Entry),
    Normalised,
    Mended(Mending),
    Tokens,
    Column,
}

impl Found {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Found::Kernel(entry) => entry.name,
            Found::Normalised => "normalised",
            Found::Mended(Mending::Shift) => "shifted",
            Found::Mended(Mending::Clip) => "clipped",
            Found::Tokens => "tokens",
            Found::Column => "column",
        }
    }
}

/// What says that kernel values are looked up.
pub(super) const PRECOMPUTED: &str = "precomputed";

const NORMALISED: [&str; 4] = ["normalised", "normalise", "normalized", "normalize"];
/// What stands around a kernel on structured items and on nothing else.
const AROUND: [&str; 3] = ["shifted", "clipped", "tokens"];

fn names(entry: &'static Entry) -> impl Iterator<Item = &'static str> {
    [entry.name].into_iter().chain(entry.aliases.iter().copied())
}

/// Whether a name stands around kernels on structured items.
pub(crate) fn is_around(name: &str) -> bool {
    AROUND.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// What a name or alias stands for, in any case of letters; or an error that suggests the nearest name.
pub(super) fn find(name: &str, position: usize) -> Result<Found> {
    let lower = name.to_ascii_lowercase();
    if let Some(entry) = entries().find(|&entry| names(entry).any(|known| known == lower)) {
        return Ok(Found::Kernel(entry));
    }
    if NORMALISED.contains(&lower.as_str()) {
        return Ok(Found::Normalised);
    }
    match lower.as_str() {
        "shifted" => return Ok(Found::Mended(Mending::Shift)),
        "clipped" => return Ok(Found::Mended(Mending::Clip)),
        "tokens" => return Ok(Found::Tokens),
        "column" => return Ok(Found::Column),
        _ => {}
    }
    if lower == "equality" {
        return problem(position, "equality compares the words of a column: column(\"job\", equality)");
    }
    if KERNELS.iter().any(|entry| entry.name == lower || entry.aliases.contains(&lower.as_str())) {
        let what =
            format!("{lower} is a kernel on rows of numbers: it cannot be joined with one on other items");
        return problem(position, what);
    }
    let known = entries().flat_map(names).chain(["normalised", "column"]).chain(AROUND);
    let hint = match nearest(&lower, known) {
        Some(near) => format!("did you mean {near}?"),
        None => {
            let known: Vec<&str> = entries().map(|entry| entry.name).collect();
            format!("known are {}", known.join(", "))
        }
    };
    problem(position, format!("unknown kernel {}: {hint}", shortened(name)))
}

/// Whether a name stands for a way to make a matrix positive semi-definite.
pub(super) fn is_mending(name: &str) -> bool {
    ["shifted", "clipped"].iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// All names that are understood.
pub(crate) fn all_names() -> impl Iterator<Item = &'static str> {
    entries().flat_map(names).chain(AROUND)
}

/// The name of each kernel, without its aliases.
pub(crate) fn own_names() -> impl Iterator<Item = &'static str> {
    entries().map(|entry| entry.name).chain(AROUND)
}

/// What a kernel of this name compares; `None` for names that belong to rows of numbers, or to both.
pub(crate) fn kind_of(name: &str) -> Option<ItemKind> {
    let lower = name.to_ascii_lowercase();
    if lower == COLUMN.name {
        return Some(ItemKind::Records);
    }
    entries().find(|&entry| names(entry).any(|known| known == lower)).map(|entry| entry.kind)
}

/// Whether a name of such a kernel, or its beginning up to an underscore, is this.
pub(crate) fn is_begun(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let begins = |known: &str| {
        known.strip_prefix(lower.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    entries().flat_map(names).any(begins)
}

/// Combinations that are written with operators, one or two for each kind.
const COMBINATIONS: [&str; 10] = [
    "0.5 * spectrum(k=2) + normalised(subsequence(k=2, decay=0.5))",
    "2 * spectrum(k=2) * (blended(k=2) + weighted_degree(degree=2))",
    "normalised(tokens(spectrum(k=1))) + 0.5 * tokens(subsequence(k=1, decay=0.5))",
    "normalised(tokens(all_subsequences) + tokens(blended(k=2)))",
    "normalised(subset_tree(decay=0.4) + 3 * subtree(decay=1))",
    "normalised(wl(h=1)) * normalised(shortest_path)",
    "normalised(vertex_histogram + graphlets(k=3))",
    "0.25 * global_alignment(sigma=1) + autocorrelation(lags=2)",
    "column(\"age\", gaussian(gamma=0.01)) * column(\"job\", equality) + 0.5 * column(\"note\", normalised(bag_of_words))",
    "normalised(column(\"age\", linear) + column(\"note\", spectrum(k=2)))",
];

impl StructureExpression {
    /// One or more instances of every kernel and combination that there is, for tests that must not forget any. Those on records
    /// have a number `age`, a word `job` and a text `note`.
    ///
    /// ```
    /// use mercer::kernel::StructureExpression;
    /// assert!(StructureExpression::examples().iter().any(|kernel| kernel.to_string() == "shortest_path"));
    /// ```
    pub fn examples() -> Vec<StructureExpression> {
        entries()
            .flat_map(|entry| entry.examples)
            .chain(&COMBINATIONS)
            .filter_map(|text| text.parse().ok())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_parses_and_prints_as_it_is_written() {
        for entry in entries() {
            assert!(!entry.examples.is_empty(), "{}", entry.name);
            for &text in entry.examples {
                let kernel: StructureExpression = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
                assert_eq!(kernel.to_string(), text);
                assert_eq!(kernel.kind(), entry.kind, "{text}");
                let dashed = text.replace(entry.name, &entry.name.replace('_', "-"));
                assert_eq!(dashed.parse::<StructureExpression>().unwrap(), kernel, "{dashed}");
            }
        }
        for text in COMBINATIONS {
            let kernel: StructureExpression = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(kernel.to_string(), text);
        }
    }

    #[test]
    fn names_are_told_from_those_on_rows() {
        for entry in entries() {
            assert!(names(entry).all(|name| KERNELS.iter().all(|row| row.name != name)), "{}", entry.name);
        }
    }
}
