//! Numbers and lines as people read them, and the one way out to the terminal.

use std::fmt::Write as _;
use std::io::{BufWriter, ErrorKind, IsTerminal, Write};

use mercer::data::{Items, Vectors};
use mercer::{Error, Result};

/// Writes to standard output, and notices when that fails; nothing else in the program does.
///
/// A reader that has seen enough and closed the pipe (`mercer … | head`) is no error.
pub fn to_stdout(write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    // Dropped unflushed, a full disk would go unnoticed.
    match write(&mut out).and_then(|()| Ok(out.flush()?)) {
        Err(Error::Io(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(Error::Io(error)) => Err(Error::file("standard output", error)),
        outcome => outcome,
    }
}

/// A message on standard error; where it cannot be written there is nobody to tell.
pub fn note(message: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{message}");
}

/// Whether colours can be seen and are wanted there: on a terminal, unless NO_COLOR is set.
fn in_colour(stream: &impl IsTerminal) -> bool {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    is_lively(stream) && !unwanted
}

/// Whether it is a terminal that can do more than print.
pub fn is_lively(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("TERM").is_none_or(|value| value != "dumb")
}

/// A word that calls for attention on standard error.
pub fn warning(word: &str) -> String {
    if in_colour(&std::io::stderr()) { format!("\x1b[1;31m{word}\x1b[0m") } else { word.to_string() }
}

/// What a command says on standard output, line by line.
#[derive(Default)]
pub struct Page(String);

impl Page {
    /// `name            value`
    pub fn line(&mut self, name: &str, value: impl std::fmt::Display) {
        // Writing to a string cannot fail.
        let name = format!("{name:<16}");
        let _ = match in_colour(&std::io::stdout()) {
            true => writeln!(self.0, "\x1b[1m{name}\x1b[0m{value}"),
            false => writeln!(self.0, "{name}{value}"),
        };
    }

    /// The lines of another page.
    pub fn append(&mut self, other: &Page) {
        self.0.push_str(&other.0);
    }

    /// All lines.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Shows all lines.
    pub fn show(&self) -> Result<()> {
        to_stdout(|out| Ok(out.write_all(self.0.as_bytes())?))
    }
}

/// Something for programs to read, on standard output.
pub fn show_json(value: &serde_json::Value) -> Result<()> {
    to_stdout(|out| Ok(writeln!(out, "{value:#}")?))
}

/// `1 234 567`
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// `1 row`, `1 234 rows`
pub fn plural(n: u64, what: &str) -> String {
    match (n, what.strip_suffix('y')) {
        (1, _) => format!("1 {what}"),
        (_, Some(stem)) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{} {stem}ies", count(n)),
        _ => format!("{} {what}s", count(n)),
    }
}

/// Six digits at most, in the shorter notation.
pub fn number(x: f64) -> String {
    // -0 is 0.
    let x = x + 0.0;
    if x == 0.0 || (1e-4..1e6).contains(&x.abs()) {
        let text = format!("{x:.*}", 6usize.saturating_sub(x.abs().max(1.0).log10() as usize + 1));
        let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        text.to_string()
    } else {
        format!("{x:.2e}")
    }
}

/// So many digits that tell something, in the shorter notation.
pub fn rounded(x: f64, digits: usize) -> String {
    let text = format!("{x:.*e}", digits - 1);
    number(text.parse().unwrap_or(x))
}

/// Seconds, or milliseconds where those say more.
pub fn time(seconds: f64) -> String {
    if seconds < 1.0 { format!("{:.1} ms", 1000.0 * seconds) } else { format!("{seconds:.2} s") }
}

/// A long time, in the unit that says most.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.0} h", s / 3600.0),
    }
}

/// Rows, columns and form.
pub fn shape(rows: &Vectors<'_>) -> String {
    let (n, d) = (plural(rows.len() as u64, "row"), plural(rows.columns() as u64, "column"));
    match rows {
        Vectors::Sparse(sparse) => {
            let cells = (rows.len() * rows.columns()).max(1);
            let share = 100.0 * sparse.stored() as f64 / cells as f64;
            format!("{n} x {d}, sparse ({share:.2} % stored)")
        }
        _ => format!("{n} x {d}"),
    }
}

/// Classes and their numbers of rows; the first and the last of many.
pub fn classes(names: &[String], counts: &[usize]) -> String {
    let all: Vec<String> =
        names.iter().zip(counts).map(|(name, &n)| format!("{name} {}", count(n as u64))).collect();
    some_of(&all)
}

/// All of a few words, or the first and the last of many.
pub fn some_of(words: &[String]) -> String {
    const MOST: usize = 12;
    match words {
        [first @ .., last] if words.len() > MOST => {
            format!("{} … {last} ({} in all)", first[..MOST - 2].join(", "), count(words.len() as u64))
        }
        words => words.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(count(1234567), "1 234 567");
        assert_eq!(count(12), "12");
        assert_eq!([plural(1, "row"), plural(1234, "row")], ["1 row", "1 234 rows"]);
        assert_eq!(number(0.0), "0");
        assert_eq!(number(-0.0), "0");
        assert_eq!(number(123.456789), "123.457");
        assert_eq!(number(100.0), "100");
        assert_eq!(number(0.001), "0.001");
        assert_eq!(number(1.5e-7), "1.50e-7");
        assert_eq!(number(123456.0), "123456");
        assert_eq!(rounded(2.63676, 3), "2.64");
        assert_eq!(rounded(-123456.0, 2), "-120000");
        assert_eq!(rounded(f64::NAN, 2), "NaN");
        assert_eq!(time(0.00123), "1.2 ms");
        assert_eq!(time(12.345), "12.35 s");
    }
}
