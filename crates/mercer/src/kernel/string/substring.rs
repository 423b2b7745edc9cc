//! Names of substrings, small where they are short.

use std::fmt;

/// A few symbols in a row, as the name of a feature.
///
/// Symbols are kept as variable-length integers, seven bits to a byte; up to 15 bytes need no memory of their own, which
/// is enough for most substrings that are counted.
///
/// ```
/// use mercer::kernel::string::Substring;
/// let name = Substring::new(&[71, 65, 233]);
/// assert_eq!(name.symbols(), [71, 65, 233]);
/// assert_eq!(name.to_string(), "GAé");
/// assert_ne!(name, Substring::new(&[71, 65]));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Substring(Bytes);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Bytes {
    /// The last byte says how many of the others count.
    Short([u8; SHORT + 1]),
    Long(Box<[u8]>),
}

const SHORT: usize = 15;

impl Substring {
    /// These symbols.
    pub fn new(symbols: &[u32]) -> Self {
        let mut short = [0; SHORT + 1];
        let mut used = 0;
        let fits = symbols.iter().all(|&symbol| {
            let mut rest = symbol;
            loop {
                if used == SHORT {
                    return false;
                }
                let more = rest > 0x7f;
                short[used] = (rest & 0x7f) as u8 | if more { 0x80 } else { 0 };
                used += 1;
                rest >>= 7;
                if !more {
                    return true;
                }
            }
        });
        if fits {
            short[SHORT] = used as u8;
            return Substring(Bytes::Short(short));
        }
        let mut long = Vec::with_capacity(symbols.len());
        for &symbol in symbols {
            let mut rest = symbol;
            while rest > 0x7f {
                long.push((rest & 0x7f) as u8 | 0x80);
                rest >>= 7;
            }
            long.push(rest as u8);
        }
        Substring(Bytes::Long(long.into()))
    }

    /// The symbols.
    pub fn symbols(&self) -> Vec<u32> {
        let bytes = match &self.0 {
            Bytes::Short(bytes) => &bytes[..usize::from(bytes[SHORT])],
            Bytes::Long(bytes) => bytes,
        };
        let mut symbols = Vec::with_capacity(bytes.len());
        let (mut symbol, mut shift) = (0, 0);
        for &byte in bytes {
            symbol |= u32::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                symbols.push(symbol);
                (symbol, shift) = (0, 0);
            }
        }
        symbols
    }
}

/// Symbols that are characters as such, others as numbers in angle brackets.
impl fmt::Display for Substring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for symbol in self.symbols() {
            match char::from_u32(symbol).filter(|c| !c.is_control()) {
                Some(character) => write!(f, "{character}")?,
                None => write!(f, "<{symbol}>")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Substring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Substring({self})")
    }
}
