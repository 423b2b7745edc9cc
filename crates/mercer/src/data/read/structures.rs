//! Files of structured items: what is read follows from what a kernel compares, and from the file.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use super::graph_files::{graphs_of, is_graph, read_graph_files};
use super::header::HeaderGuess;
use super::number;
use super::options::{Column, Format, Header, LabelColumn};
use super::problem::{error_at_byte, not_text};
use super::quote::Quote;
use super::series::{SeriesLabel, is_missing, read_series_rows, read_ts};
use super::strings::{
    FastaLabel, StringColumns, TextColumns, column_names, read_columns, read_fasta, read_lines,
    read_string_table,
};
use super::structure_source::StructureSource;
use super::trees::{TreeFormat, parse_trees};
use super::tu::read_tu;
use crate::data::{
    Cell, CellKind, Collection, ItemKind, Items, Labels, Record, RecordSchema, TargetList, Targets, Tree,
    check_weights,
};
use crate::error::{Error, Result};

/// How files of structured items are read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StructureOptions {
    /// The column of a table that holds the strings or the trees; if it is not named, the first one that is not the label.
    pub text: Option<Column>,
    /// The label column of a table.
    pub label: LabelColumn,
    /// Whether the first line of a table holds names.
    pub header: Header,
    /// The format of a table, if it shall not be told from the content.
    pub format: Option<Format>,
    /// Whether fields of a table may be quoted; `None` means as is usual for the format ([`Quote::usual`]).
    pub quote: Option<Quote>,
    /// The columns that records have.
    pub columns: Option<RecordSchema>,
    /// The column of a table that holds the weights of the items.
    pub weight: Option<Column>,
    /// The column of a table that says which items belong together.
    pub group: Option<Column>,
    /// Whether records without one of their numbers are left out; if not, they are refused.
    pub drop_missing: bool,
}

/// Structured items, and what is to be learned about them.
#[derive(Clone, Debug, PartialEq)]
pub struct StructureTable {
    /// The items.
    pub items: Collection<'static>,
    /// One target per item, or none.
    pub targets: Targets,
    /// The weight of each item, where a column of weights was asked for.
    pub weights: Option<Vec<f64>>,
    /// The group of each item, where a column of groups was asked for.
    pub groups: Option<Vec<u64>>,
    /// Rows that were left out since a number is missing, from 0.
    pub dropped: Vec<usize>,
    /// What the columns of the strings or trees and of the labels are called, where they stand in a table that has names.
    pub text_name: Option<String>,
    /// See `text_name`.
    pub label_name: Option<String>,
    /// What was decided about a first line of a table that could be names or data.
    pub header: Option<HeaderGuess>,
}

impl StructureTable {
    fn new(items: Collection<'static>, targets: Targets) -> Self {
        let (weights, groups, text_name, label_name) = (None, None, None, None);
        let (dropped, header) = (Vec::new(), None);
        StructureTable { items, targets, weights, groups, dropped, text_name, label_name, header }
    }
}

/// Reads a file of items of a kind, plain or compressed with gzip; a folder in the layout of TU Dortmund for graphs.
///
/// | items | files |
/// |---|---|
/// | strings | FASTA (begins with `>`; the label after the last `\|` of a header, or in a word `label=…`); lines of text (`.txt`); a table |
/// | trees | brackets or Newick, without labels (with the label `root`, that of the root is taken away and is the label); a table |
/// | graphs | a folder in the layout of TU Dortmund; a folder of lists of edges (`.edges`, `.edgelist`) or GraphML, in folders named after their labels if they have such; one such file, without labels |
/// | series | `.ts`; a table with a series in each row |
/// | records | a table with named columns |
///
/// Weights and groups are columns of a table of strings, trees or records.
///
/// ```
/// use mercer::data::{Items, ItemKind, StructureOptions, read_structures};
/// # let path = std::env::temp_dir().join(format!("mercer-structures-{}.csv", std::process::id()));
/// std::fs::write(&path, "sequence,label\ngattaca,+\nccacca,-\n")?;
/// let table = read_structures(&path, ItemKind::Strings, &StructureOptions::default())?;
/// assert_eq!((table.items.len(), table.targets.labels()?.text(0)), (2, "+"));
/// let error = read_structures(&path, ItemKind::Graphs, &StructureOptions::default()).unwrap_err();
/// assert!(error.to_string().contains("graphs are read from a folder in the layout of TU Dortmund"));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::File`] if the file cannot be read, [`Error::InFile`] if its content cannot be used, or is of another kind.
pub fn read_structures(
    path: impl AsRef<Path>,
    kind: ItemKind,
    options: &StructureOptions,
) -> Result<StructureTable> {
    StructureSource::open(path, kind)?.read(kind, options)
}

/// The same from a stream, plain or compressed with gzip: what files are told by their names is told by the content alone, so that
/// lines of text are a table of one column, and Newick and graphs cannot be read.
///
/// ```
/// use mercer::data::{Items, ItemKind, StructureOptions, read_structures_from};
/// let text = "@univariate true\n@classLabel true up down\n@data\n1,2,3:up\n3,1:down\n";
/// let table = read_structures_from(text.as_bytes(), ItemKind::Series, &StructureOptions::default())?;
/// assert_eq!(table.items.len(), 2);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`read_structures`], without the name of a file.
pub fn read_structures_from(
    source: impl Read,
    kind: ItemKind,
    options: &StructureOptions,
) -> Result<StructureTable> {
    StructureSource::of_stream(source)?.read(kind, options)
}

/// The items of a source.
pub(super) fn read(
    source: &StructureSource,
    kind: ItemKind,
    options: &StructureOptions,
) -> Result<StructureTable> {
    if source.is_folder() && kind != ItemKind::Graphs {
        let what = format!("this is a folder, and {kind} are read from a file");
        return Err(Error::Unsupported { what });
    }
    let named = |column: &Option<Column>| matches!(column, Some(Column::Name(_)));
    let options = &match options.header {
        // Who asks for a column by its name says that there are names.
        Header::Auto if named(&options.weight) || named(&options.group) => {
            StructureOptions { header: Header::Present, ..options.clone() }
        }
        _ => options.clone(),
    };
    let table = match kind {
        ItemKind::Rows | ItemKind::KernelValues => {
            let what = format!("{kind} are read as a table");
            return Err(Error::Unsupported { what });
        }
        ItemKind::Graphs => graphs(source)?,
        ItemKind::Strings => strings(source, options)?,
        ItemKind::Trees => trees(source, options)?,
        ItemKind::Series => series(source, options)?,
        ItemKind::Records => records(source, options)?,
    };
    let table = with_names(table, source, kind, options)?;
    with_columns(table, source, kind, options)
}

/// The same items with the names of their columns, if they stand in a table that has names.
fn with_names(
    table: StructureTable,
    source: &StructureSource,
    kind: ItemKind,
    options: &StructureOptions,
) -> Result<StructureTable> {
    let head = source.head();
    if !is_table(kind, &source.name, head, options) {
        return Ok(table);
    }
    let mut columns = columns(options, head);
    if kind == ItemKind::Records {
        columns.header = Header::Present;
    }
    let (text_name, label_name) = column_names(&source.text[..], &columns)?;
    let text_name = text_name.filter(|_| kind != ItemKind::Records);
    Ok(StructureTable { text_name, label_name, ..table })
}

/// The columns of a table of strings or trees that begins so. One of a single column has no labels.
fn columns(options: &StructureOptions, head: &[u8]) -> StringColumns {
    let first = Column::At(usize::from(options.label == LabelColumn::At(0)));
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let is_single = !line.iter().any(|byte| b",\t;".contains(byte));
    StringColumns {
        text: options.text.clone().unwrap_or(first),
        label: match options.label {
            LabelColumn::Auto if is_single => LabelColumn::Absent,
            ref label => label.clone(),
        },
        header: options.header,
        format: options.format,
        quote: options.quote,
    }
}

/// Whether a file of these items is a table, as its name and its first bytes tell.
fn is_table(kind: ItemKind, name: &str, head: &[u8], options: &StructureOptions) -> bool {
    match kind {
        ItemKind::Records => true,
        ItemKind::Rows | ItemKind::KernelValues | ItemKind::Graphs | ItemKind::Series => false,
        ItemKind::Trees => !is_newick(name) && head.first() != Some(&b'('),
        ItemKind::Strings => {
            let is_lines = name.ends_with(".txt")
                && options.text.is_none()
                && matches!(options.label, LabelColumn::Auto | LabelColumn::Absent);
            !is_lines && head.first() != Some(&b'>')
        }
    }
}

fn is_newick(name: &str) -> bool {
    name.ends_with(".nwk") || name.ends_with(".newick") || name.ends_with(".tre")
}

/// The same items with their weights and groups, if these were asked for: they are read by themselves.
fn with_columns(
    table: StructureTable,
    source: &StructureSource,
    kind: ItemKind,
    options: &StructureOptions,
) -> Result<StructureTable> {
    let wanted: Vec<Column> = options.weight.iter().chain(&options.group).cloned().collect();
    if wanted.is_empty() {
        return Ok(table);
    }
    let head = source.head();
    if !is_table(kind, &source.name, head, options) {
        let what = format!("weights and groups are columns of a table, and these {kind} do not stand in one");
        return Err(Error::Unsupported { what });
    }
    let mut read = read_columns(&source.text[..], &wanted, &columns(options, head))?.columns;
    for column in &mut read {
        let mut rows = 0..;
        column.retain(|_| rows.next().is_some_and(|row| table.dropped.binary_search(&row).is_err()));
    }
    let groups = options.group.as_ref().and_then(|_| read.pop()).map(|words| {
        let mut numbers = HashMap::new();
        let mut number = |word: String| {
            let next = numbers.len() as u64;
            *numbers.entry(word).or_insert(next)
        };
        words.into_iter().map(&mut number).collect()
    });
    let weight = |(row, text): (usize, &String)| {
        number::parse(text.trim().as_bytes()).map_err(|_| Error::Unsupported {
            what: format!("row {}: the weight `{text}` is not a number", row + 1),
        })
    };
    let weights = read.pop().map(|words| words.iter().enumerate().map(weight).collect::<Result<Vec<_>>>());
    let weights = weights.transpose()?;
    if let Some(weights) = &weights {
        check_weights(weights, table.items.len())?;
    }
    Ok(StructureTable { weights, groups, ..table })
}

fn strings(source: &StructureSource, options: &StructureOptions) -> Result<StructureTable> {
    let (head, text) = (source.head(), &source.text[..]);
    let read = if head.first() == Some(&b'>') {
        let header = String::from_utf8_lossy(head.split(|&byte| byte == b'\n').next().unwrap_or_default());
        let key = |key: &str| header.split_whitespace().any(|word| word.starts_with(&format!("{key}=")));
        let label = match &options.label {
            LabelColumn::Absent => FastaLabel::Absent,
            LabelColumn::Name(name) => FastaLabel::Key(name.clone()),
            _ if header.contains('|') => FastaLabel::Last { separator: '|' },
            _ if key("label") => FastaLabel::Key("label".into()),
            _ => FastaLabel::Absent,
        };
        read_fasta(text, &label)?
    } else if is_table(ItemKind::Strings, &source.name, head, options) {
        read_string_table(text, &columns(options, head))?
    } else {
        read_lines(text)?
    };
    let header = read.header;
    Ok(StructureTable { header, ..StructureTable::new(Collection::Strings(read.strings), read.targets) })
}

fn trees(source: &StructureSource, options: &StructureOptions) -> Result<StructureTable> {
    let head = source.head();
    if is_table(ItemKind::Trees, &source.name, head, options) {
        let read = read_string_table(&source.text[..], &columns(options, head))?;
        let parse = |(row, text): (usize, &String)| {
            text.parse::<Tree>().map_err(|error| Error::Item { index: row, source: Box::new(error) })
        };
        let trees = read.strings.iter().enumerate().map(parse).collect::<Result<Vec<_>>>()?;
        let header = read.header;
        return Ok(StructureTable { header, ..StructureTable::new(Collection::Trees(trees), read.targets) });
    }
    let text = std::str::from_utf8(&source.text).map_err(|_| {
        let (at, problem) = not_text(&source.text).unwrap_or_default();
        error_at_byte(&source.text, at, problem)
    })?;
    let trees =
        parse_trees(text, if is_newick(&source.name) { TreeFormat::Newick } else { TreeFormat::Brackets })?;
    match &options.label {
        LabelColumn::Name(name) if name == "root" => {
            let labels = Labels::from_text(trees.iter().map(|tree| tree.label(0).to_string()));
            let unnamed = |tree: &Tree| {
                tree.relabelled(|tree, node| if node == 0 { String::new() } else { tree.label(node).into() })
            };
            let trees = trees.iter().map(unnamed).collect::<Result<Vec<_>>>()?;
            Ok(StructureTable::new(Collection::Trees(trees), Targets::Words(labels)))
        }
        LabelColumn::Auto | LabelColumn::Absent => {
            Ok(StructureTable::new(Collection::Trees(trees), Targets::Missing))
        }
        _ => {
            let what =
                "trees in brackets have no columns: their label can be `root`, or they stand in a table";
            Err(Error::Unsupported { what: what.into() })
        }
    }
}

fn graphs(source: &StructureSource) -> Result<StructureTable> {
    let Some(path) = &source.path else { return Err(no_graphs()) };
    if path.is_dir() {
        if let Some((graphs, targets)) = read_graph_files(path)? {
            return Ok(StructureTable::new(Collection::Graphs(graphs), targets));
        }
        let set = read_tu(path)?;
        return Ok(StructureTable::new(Collection::Graphs(set.graphs), set.targets));
    }
    if !is_graph(&source.name) {
        return Err(match path.metadata() {
            Ok(_) => no_graphs(),
            Err(error) => Error::file(path, error),
        });
    }
    Ok(StructureTable::new(Collection::Graphs(graphs_of(path)?), Targets::Missing))
}

fn no_graphs() -> Error {
    let what = "graphs are read from a folder in the layout of TU Dortmund or with a file for each graph, or from a .graphml or \
                .edges file";
    Error::Unsupported { what: what.into() }
}

fn series(source: &StructureSource, options: &StructureOptions) -> Result<StructureTable> {
    // A first line that begins so can be nothing else.
    let name = &source.name;
    let is_ts =
        name.ends_with(".ts") || name.is_empty() && matches!(source.head().first(), Some(b'@' | b'#'));
    let read = if is_ts {
        read_ts(&source.text[..])?
    } else {
        let label = match &options.label {
            LabelColumn::Absent => SeriesLabel::Absent,
            LabelColumn::At(0) => SeriesLabel::First,
            LabelColumn::Auto | LabelColumn::FromEnd(0) => SeriesLabel::Last,
            _ => {
                let what = "the label of a series stands in the first or the last column, or there is none";
                return Err(Error::Unsupported { what: what.into() });
            }
        };
        read_series_rows(&source.text[..], label)?
    };
    Ok(StructureTable::new(Collection::Series(read.series), read.targets))
}

fn records(source: &StructureSource, options: &StructureOptions) -> Result<StructureTable> {
    let drop_missing = options.drop_missing;
    let schema = options.columns.as_ref().ok_or(Error::Empty { what: "columns in the records" })?;
    let wanted: Vec<Column> = schema.columns().iter().map(|(name, _)| Column::Name(name.clone())).collect();
    let options = StringColumns { header: Header::Present, ..columns(options, source.head()) };
    let TextColumns { columns: read, targets, .. } = read_columns(&source.text[..], &wanted, &options)?;
    let rows = read.first().map_or(0, Vec::len);
    let is_hole = |row: usize| {
        let mut cells = read.iter().zip(schema.columns());
        cells
            .any(|(column, (_, kind))| *kind == CellKind::Number && is_missing(column[row].trim().as_bytes()))
    };
    let (dropped, kept): (Vec<usize>, Vec<usize>) = (0..rows).partition(|&row| drop_missing && is_hole(row));
    let record = |row: usize| -> Result<Record> {
        let cell = |(column, (name, kind)): (&Vec<String>, &(String, CellKind))| {
            let text = column[row].clone();
            Ok(match kind {
                CellKind::Category => Cell::Category(text),
                CellKind::Text => Cell::Text(text),
                CellKind::Number => match number::parse(text.trim().as_bytes()) {
                    Ok(value) => Cell::Number(value),
                    Err(_) => {
                        let problem = match is_missing(text.trim().as_bytes()) {
                            true => "the number is missing".to_string(),
                            false => format!("`{text}` is not a number"),
                        };
                        let what = format!("row {}, column `{name}`: {problem}", row + 1);
                        return Err(Error::Unsupported { what });
                    }
                },
            })
        };
        schema.record(read.iter().zip(schema.columns()).map(cell).collect::<Result<_>>()?)
    };
    let records = kept.iter().map(|&row| record(row)).collect::<Result<Vec<_>>>()?;
    let targets = match targets {
        Targets::Numbers(numbers) => Targets::Numbers(TargetList::select(&numbers, &kept)),
        Targets::Words(labels) => Targets::Words(labels.select(&kept)),
        Targets::Missing => Targets::Missing,
    };
    Ok(StructureTable { dropped, ..StructureTable::new(Collection::Records(records), targets) })
}
