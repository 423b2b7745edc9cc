//! The map of a search, on the page, on the terminal while it grows, and as a file.

use std::fmt::Display;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

use mercer::data::write_atomically;
use mercer::evaluation::search::{Cell, Look, Measure, Table as Cells};
use serde_json::json;
use terminal_size::terminal_size_of;

use crate::failure::Failure;
use crate::print::{is_lively, rounded, to_stdout};
use crate::source;

/// The table as a file: JSON, or comma-separated values, which standard output gets too.
pub fn keep<K: Display, M: Measure>(cells: &Cells<K, M>, path: &Path) -> Result<(), Failure> {
    let csv = cells.to_csv()?;
    keep_text(path, |is_json| if is_json { format!("{:#}\n", json!(cells)) } else { csv })
}

/// A file whose name says whether it is JSON.
pub fn keep_text(path: &Path, text: impl FnOnce(bool) -> String) -> Result<(), Failure> {
    let text = text(path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json")));
    if source::is_standard(path) {
        return Ok(to_stdout(|out| Ok(out.write_all(text.as_bytes())?))?);
    }
    Ok(write_atomically(path, |file| Ok(file.write_all(text.as_bytes())?))?)
}

/// The grid that the search began with.
pub fn first<K: Clone, M: Measure>(cells: &Cells<K, M>, count: usize) -> Cells<K, M> {
    let mut grid = cells.clone();
    grid.cells.truncate(count);
    grid.kernels.truncate(grid.cells.last().map_or(0, |cell| cell.kernel + 1));
    grid
}

/// Means of the first metric, or values of the criterion: a line per kernel, a column per cost or share, `*` at the best, brackets around what was given up or missed what is wanted.
pub fn map<K: Display, M: Measure>(cells: &Cells<K, M>) -> Vec<String> {
    let best = cells.ranked().first().copied();
    let per_kernel = cells.cells.len() / cells.kernels.len().max(1);
    let names: Vec<String> = cells.kernels.iter().map(K::to_string).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).clamp(4, 48);
    let mut lines = Vec::new();
    let first = cells.cells.iter().take(per_kernel);
    let beside = |cell: &Cell| cell.cost.or(cell.nu).map_or_else(String::new, |value| rounded(value, 3));
    let columns = first.map(|cell| format!("{:>9}", beside(cell))).collect::<String>();
    let name = if cells.cells.iter().any(|cell| cell.nu.is_some()) { "nu" } else { "C" };
    if cells.cells.iter().any(|cell| cell.cost.or(cell.nu).is_some()) {
        lines.push(format!("{name:width$}{columns}"));
    }
    for (kernel, of_kernel) in cells.cells.chunks(per_kernel.max(1)).enumerate() {
        let shown = of_kernel.iter().enumerate().map(|(at, cell)| {
            let mean = cell.summary(0).map(|summary| short(summary.mean)).unwrap_or_default();
            let text = match cell.look {
                Look::Nearest if best == Some(kernel * per_kernel + at) => format!("({mean})*"),
                _ if best == Some(kernel * per_kernel + at) => format!("{mean}*"),
                Look::GivenUp | Look::Missed | Look::Nearest if !mean.is_empty() => format!("({mean})"),
                _ => mean,
            };
            format!("{text:>9}")
        });
        let name: String = names[kernel].chars().take(width).collect();
        lines.push(format!("{name:width$}{}", shown.collect::<String>()));
    }
    lines
}

/// What a terminal has room for: a line that is broken, or one that has left the top, could not be written over.
fn fitting(lines: Vec<String>) -> Vec<String> {
    let (width, height) =
        terminal_size_of(std::io::stderr()).map_or((80, 24), |(w, h)| (w.0.into(), h.0.into()));
    cut(lines, width, height)
}

fn cut(mut lines: Vec<String>, width: usize, height: usize) -> Vec<String> {
    lines.truncate(height.saturating_sub(1).max(1));
    lines.into_iter().map(|line| line.chars().take(width).collect()).collect()
}

/// Four digits behind the point, as far as a column has room for them.
fn short(value: f64) -> String {
    if value.abs() < 100.0 { format!("{value:.4}") } else { rounded(value, 4) }
}

/// The map on a terminal while it grows.
pub struct Live {
    lively: bool,
    /// Lines that are there, to be written over.
    lines: Mutex<usize>,
}

impl Live {
    pub fn new(quiet: bool) -> Self {
        Live { lively: !quiet && is_lively(&std::io::stderr()), lines: Mutex::new(0) }
    }

    pub fn show<K: Display, M: Measure>(&self, cells: &Cells<K, M>) {
        if !self.lively {
            return;
        }
        self.clear();
        let lines = fitting(map(cells));
        let _ = writeln!(std::io::stderr(), "{}", lines.join("\n"));
        *self.lines.lock().unwrap_or_else(|broken| broken.into_inner()) = lines.len();
    }

    pub fn clear(&self) {
        let mut lines = self.lines.lock().unwrap_or_else(|broken| broken.into_inner());
        if *lines > 0 {
            let _ = write!(std::io::stderr(), "\x1b[{}A\x1b[J", *lines);
            *lines = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_map_is_cut_to_the_terminal() {
        let lines = vec!["abcdef".to_string(), "γδε".to_string(), "x".to_string()];
        assert_eq!(cut(lines.clone(), 2, 3), ["ab", "γδ"]);
        assert_eq!(cut(lines.clone(), 80, 24), lines);
        assert_eq!(cut(lines, 3, 0), ["abc"]);
    }
}
