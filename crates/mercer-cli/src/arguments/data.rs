//! What can be said about a data file.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mercer::data::{
    Column, Format, Header, LabelColumn, Missing, Quote, ReadOptions, RecordSchema, StructureOptions, Words,
};

/// A data file, and how it is read.
#[derive(Args, Clone)]
pub struct DataArguments {
    /// The data: LIBSVM, CSV or TSV, told by its content; gzip is unpacked; - is standard input. For kernels on strings, trees,
    /// graphs, series and records: FASTA, .txt, a table with a --text column, brackets, Newick, a folder of TU Dortmund, a folder of .edges or .graphml files (in folders
    /// named after their labels), .ts
    pub data: PathBuf,
    #[command(flatten)]
    pub reading: ReadingArguments,
}

/// How a data file is read.
#[derive(Args, Clone, Default)]
pub struct ReadingArguments {
    /// The label column of a table: its name, its number from 1, a negative number from the end, or none if there is no
    /// such column; `root` of trees in brackets, whose root is taken off [default: the last, or as the model was trained]
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub label: Option<String>,
    /// The column of a table that holds the strings, or the trees, of a kernel on such [default: the first that is not the label]
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub text: Option<String>,
    /// Whether the first line of a table holds names; auto: if it cannot be data, with a note where it could be either
    #[arg(long, value_enum, default_value = "auto")]
    pub header: HeaderArgument,
    /// The format, if it shall not be told from the content
    #[arg(long, value_enum)]
    pub format: Option<FormatArgument>,
    /// Whether fields of a table may stand in double quotes ("double" or "\""), or a quote is a character like others ("none")
    /// [default: none for TSV, double for other tables, or as the model was trained]
    #[arg(long, value_enum, hide_possible_values = true, value_name = "none|double")]
    pub quote: Option<QuoteArgument>,
    /// Columns of a table to leave out, by name or number, between commas
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', allow_hyphen_values = true)]
    pub ignore: Vec<String>,
    /// Columns of a table that are words even if they look like numbers, such as codes
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', allow_hyphen_values = true)]
    pub words: Vec<String>,
    /// What is done about missing values: an error, leave out the row, or fill in the mean [default: refuse, or as
    /// the model was trained]
    #[arg(long, value_enum)]
    pub missing: Option<MissingArgument>,
}

/// How a table without labels is read.
#[derive(Args, Clone)]
pub struct PoolArguments {
    /// Whether the first line of the table holds names
    #[arg(long, value_enum, default_value = "auto")]
    pub header: HeaderArgument,
    /// The format, if it shall not be told from the content
    #[arg(long, value_enum)]
    pub format: Option<FormatArgument>,
    /// Whether fields may stand in double quotes [default: none for TSV, double for other tables]
    #[arg(long, value_enum, hide_possible_values = true, value_name = "none|double")]
    pub quote: Option<QuoteArgument>,
    /// Columns to leave out, by name or number, between commas
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', allow_hyphen_values = true)]
    pub ignore: Vec<String>,
    /// Columns that are words even if they look like numbers, such as codes
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', allow_hyphen_values = true)]
    pub words: Vec<String>,
    /// What is done about missing values: an error, or fill in the mean [default: refuse]
    #[arg(long, value_enum, hide_possible_values = true, value_name = "refuse|mean")]
    pub missing: Option<MissingArgument>,
}

impl PoolArguments {
    /// The same as for other tables.
    pub fn reading(&self) -> ReadingArguments {
        let PoolArguments { header, format, quote, ignore, words, missing } = self.clone();
        ReadingArguments { label: None, text: None, header, format, quote, ignore, words, missing }
    }
}

/// Columns of a table that say something about its rows.
#[derive(Args, Clone)]
pub struct TableArguments {
    /// The column of a table that holds the weights of the rows
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub weight: Option<String>,
    /// The column that says which rows belong together: tests never learn from one and ask about another
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub group: Option<String>,
}

/// A name, a number from 1, or a negative number from the end.
fn column(text: &str) -> Column {
    match text.parse::<i64>() {
        Ok(number) if number > 0 => Column::At(number as usize - 1),
        Ok(number) if number < 0 => Column::FromEnd(number.unsigned_abs() as usize - 1),
        _ => Column::Name(text.to_string()),
    }
}

impl ReadingArguments {
    /// How data are read to learn from.
    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            format: self.format.map(Format::from),
            quote: self.quote.map(Quote::from),
            header: match self.header {
                HeaderArgument::Auto => Header::Auto,
                HeaderArgument::Yes => Header::Present,
                HeaderArgument::No => Header::Absent,
            },
            label: self.label.as_deref().map_or_else(LabelColumn::default, |text| match column(text) {
                Column::Name(name) if name == "none" => LabelColumn::Absent,
                Column::Name(name) => LabelColumn::Name(name),
                Column::At(position) => LabelColumn::At(position),
                Column::FromEnd(position) => LabelColumn::FromEnd(position),
            }),
            words: Words::Encode,
            word_columns: self.words.iter().map(|text| column(text)).collect(),
            ignore: self.ignore.iter().map(|text| column(text)).collect(),
            missing: self.missing.map(Missing::from),
            ..ReadOptions::default()
        }
    }
}

impl ReadingArguments {
    /// How files of structured items are read.
    pub fn structures(
        &self,
        columns: Option<RecordSchema>,
        table: Option<&TableArguments>,
    ) -> StructureOptions {
        let ReadOptions { header, label, format, quote, .. } = self.options();
        let beside = |name: fn(&TableArguments) -> &Option<String>| {
            table.and_then(|table| name(table).as_deref()).map(column)
        };
        StructureOptions {
            text: self.text.as_deref().map(column),
            label,
            header,
            format,
            quote,
            columns,
            weight: beside(|table| &table.weight),
            group: beside(|table| &table.group),
            drop_missing: self.missing == Some(MissingArgument::Drop),
        }
    }
}

impl TableArguments {
    /// The same with weights and groups.
    pub fn add_to(&self, options: ReadOptions) -> ReadOptions {
        ReadOptions {
            weight: self.weight.as_deref().map(column),
            group: self.group.as_deref().map(column),
            ..options
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MissingArgument {
    Refuse,
    Drop,
    Mean,
}

impl From<MissingArgument> for Missing {
    fn from(argument: MissingArgument) -> Self {
        match argument {
            MissingArgument::Refuse => Missing::Refuse,
            MissingArgument::Drop => Missing::Drop,
            MissingArgument::Mean => Missing::Mean,
        }
    }
}

#[derive(Clone, Copy, Default, ValueEnum)]
pub enum HeaderArgument {
    #[default]
    Auto,
    Yes,
    No,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum QuoteArgument {
    None,
    #[value(alias = "\"")]
    Double,
}

impl From<QuoteArgument> for Quote {
    fn from(argument: QuoteArgument) -> Self {
        match argument {
            QuoteArgument::None => Quote::None,
            QuoteArgument::Double => Quote::Double,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum FormatArgument {
    Libsvm,
    Csv,
    Tsv,
    Semicolons,
}

impl From<FormatArgument> for Format {
    fn from(argument: FormatArgument) -> Self {
        match argument {
            FormatArgument::Libsvm => Format::Libsvm,
            FormatArgument::Csv => Format::Csv,
            FormatArgument::Tsv => Format::Tsv,
            FormatArgument::Semicolons => Format::Semicolons,
        }
    }
}
