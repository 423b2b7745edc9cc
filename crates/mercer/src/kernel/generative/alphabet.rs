//! The symbols that strings are made of.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// An alphabet: the characters that a model of strings knows, in ascending order.
///
/// ```
/// use mercer::kernel::generative::Alphabet;
/// let alphabet = Alphabet::of(["gattaca"])?;
/// assert_eq!(alphabet.symbols(), ['a', 'c', 'g', 't']);
/// assert_eq!(alphabet.codes("tag")?, [3, 0, 2]);
/// assert!(alphabet.codes("tax").unwrap_err().to_string().contains("character 3, `x`, is not in"));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<char>", into = "Vec<char>")]
pub struct Alphabet {
    symbols: Vec<char>,
}

impl Alphabet {
    /// These characters, in ascending order.
    ///
    /// # Errors
    /// [`Error::Empty`] without any, [`Error::Unsupported`] if one is named twice.
    pub fn new(mut symbols: Vec<char>) -> Result<Self> {
        symbols.sort_unstable();
        if let Some(pair) = symbols.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::Unsupported { what: format!("the alphabet names `{}` twice", pair[0]) });
        }
        if symbols.is_empty() {
            return Err(Error::Empty { what: "symbols of the alphabet" });
        }
        Ok(Alphabet { symbols })
    }

    /// The characters of some strings.
    ///
    /// # Errors
    /// [`Error::Empty`] if they have none.
    pub fn of<'a>(strings: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        let found: std::collections::BTreeSet<char> = strings.into_iter().flat_map(str::chars).collect();
        Alphabet::new(found.into_iter().collect())
    }

    /// The characters, in ascending order.
    pub fn symbols(&self) -> &[char] {
        &self.symbols
    }

    /// How many there are, at least 1.
    pub fn size(&self) -> usize {
        self.symbols.len()
    }

    /// The position of each character of a string.
    ///
    /// # Errors
    /// [`Error::Undefined`] with the first character that is not in the alphabet.
    pub fn codes(&self, string: &str) -> Result<Vec<usize>> {
        let code = |(at, symbol): (usize, char)| {
            self.symbols.binary_search(&symbol).map_err(|_| Error::Undefined {
                what: "the kernel of this string".into(),
                why: format!("character {}, `{symbol}`, is not in the alphabet of the model", at + 1),
            })
        };
        string.chars().enumerate().map(code).collect()
    }
}

impl TryFrom<Vec<char>> for Alphabet {
    type Error = Error;

    fn try_from(symbols: Vec<char>) -> Result<Self> {
        Alphabet::new(symbols)
    }
}

impl From<Alphabet> for Vec<char> {
    fn from(alphabet: Alphabet) -> Self {
        alphabet.symbols
    }
}
