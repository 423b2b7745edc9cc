//! Whether fields of a table may be quoted.

use serde::{Deserialize, Serialize};

use super::options::Format;

/// Whether the fields of a table may stand in quotes.
///
/// ```
/// use mercer::data::{Format, Quote, ReadOptions, read_from};
/// assert_eq!((Quote::usual(Format::Csv), Quote::usual(Format::Tsv)), (Quote::Double, Quote::None));
/// let label = |quote| {
///     let options = ReadOptions { quote, ..ReadOptions::default() };
///     let table = read_from("1\t\"a\"\n2\tb\n".as_bytes(), &options)?.table()?;
///     Ok::<_, mercer::Error>(table.targets.labels()?.text(0).to_string())
/// };
/// assert_eq!(label(None)?, "\"a\"");
/// assert_eq!(label(Some(Quote::Double))?, "a");
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quote {
    /// They may not: a quote is a character like others.
    None,
    /// A field that begins with `"` ends with the next `"` that is not doubled, as in RFC 4180; it may hold delimiters
    /// and line ends.
    Double,
}

impl Quote {
    /// What a format does unless an option decides: tables between tabs are not quoted, others are.
    pub fn usual(format: Format) -> Self {
        if format == Format::Tsv { Quote::None } else { Quote::Double }
    }
}

/// How records of a table are taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    pub delimiter: u8,
    pub quote: Quote,
}

impl Dialect {
    /// The dialect of a table; `None` for LIBSVM's format.
    pub fn of(format: Format, quote: Option<Quote>) -> Option<Self> {
        let delimiter = format.delimiter()?;
        Some(Dialect { delimiter, quote: quote.unwrap_or_else(|| Quote::usual(format)) })
    }

    /// Whether fields may be quoted.
    pub fn is_quoted(self) -> bool {
        self.quote == Quote::Double
    }

    /// What a table of this kind is called.
    pub fn name(self) -> &'static str {
        if self.delimiter == b'\t' { "TSV" } else { "CSV" }
    }
}

/// Whether a field stands in quotes that were not taken off.
pub(super) fn keeps_quotes(text: &[u8]) -> bool {
    text.len() > 1 && text[0] == b'"' && text[text.len() - 1] == b'"'
}
