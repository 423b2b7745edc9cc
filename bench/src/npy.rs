//! Arrays as NumPy saves them.

use std::error::Error;
use std::path::Path;

/// The numbers of a little-endian `.npy` file of f64 or i64 in C order, with its shape.
pub fn read<T: Number>(path: &Path) -> Result<(Vec<T>, Vec<usize>), Box<dyn Error>> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let wrong = |what: &str| format!("{}: {what}", path.display());
    if bytes.len() < 10 || &bytes[..6] != b"\x93NUMPY" || bytes[6] != 1 {
        return Err(wrong("not a version 1 .npy file").into());
    }
    let end = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = std::str::from_utf8(bytes.get(10..end).ok_or_else(|| wrong("cut short"))?)?;
    if !header.contains(T::DESCRIPTION) || !header.contains("'fortran_order': False") {
        return Err(wrong(&format!("expected {} in C order, found {header}", T::DESCRIPTION)).into());
    }
    let shape = header.split('(').nth(1).and_then(|rest| rest.split(')').next()).unwrap_or("");
    let shape: Vec<usize> = shape
        .split(',')
        .filter(|s| !s.trim().is_empty())
        .map(|s| s.trim().parse())
        .collect::<Result<_, _>>()?;
    let (words, rest) = bytes[end..].as_chunks::<8>();
    if !rest.is_empty() || words.len() != shape.iter().product::<usize>() {
        return Err(wrong("length and shape disagree").into());
    }
    Ok((words.iter().map(|word| T::from_bytes(*word)).collect(), shape))
}

/// Numbers of eight bytes.
pub trait Number {
    /// As the header of a file calls them.
    const DESCRIPTION: &'static str;
    fn from_bytes(bytes: [u8; 8]) -> Self;
}

impl Number for f64 {
    const DESCRIPTION: &'static str = "'<f8'";
    fn from_bytes(bytes: [u8; 8]) -> f64 {
        f64::from_le_bytes(bytes)
    }
}

impl Number for i64 {
    const DESCRIPTION: &'static str = "'<i8'";
    fn from_bytes(bytes: [u8; 8]) -> i64 {
        i64::from_le_bytes(bytes)
    }
}
