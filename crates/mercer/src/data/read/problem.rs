//! How pieces of a file are shown in messages, and where they stand.

use crate::error::Error;

/// The start of a piece of text, safe to print: short, one line, no control characters.
#[cold]
pub(in crate::data) fn excerpt(token: &[u8]) -> String {
    const SHOWN: usize = 40;
    let text = String::from_utf8_lossy(&token[..token.len().min(4 * SHOWN)]);
    let mut shown: String =
        text.chars().take(SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if token.len() > shown.len() {
        shown.push('…');
    }
    shown
}

/// Where (bytes from 0) and why a piece is not UTF-8 text; `None` if it is.
pub(super) fn not_text(token: &[u8]) -> Option<(usize, String)> {
    let at = std::str::from_utf8(token).err()?.valid_up_to();
    Some((at, format!("byte 0x{:02X} is not UTF-8 text", token[at])))
}

/// An error at a byte of a text, by its line and column.
#[cold]
pub(in crate::data) fn error_at_byte(text: &[u8], at: usize, problem: impl Into<String>) -> Error {
    let before = &text[..at.min(text.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    Error::Parse { line, column: (before.len() - start) as u64 + 1, problem: problem.into() }
}
