//! How the best setting does with fewer rows, and how its neighbours do on new rows and on their own.

use std::fmt::Display;

use mercer::evaluation::search::{Cell, CurvePoint, ValidationPoint};

use crate::failure::Failure;
use crate::print::{Page, number, rounded};

/// Curves that were asked for; others are empty.
#[derive(Default)]
pub struct Curves {
    /// With ever more rows to learn from.
    pub learning: Vec<CurvePoint>,
    /// With the best kernel.
    pub by_cost: Vec<ValidationPoint>,
    /// With the best cost.
    pub by_kernel: Vec<ValidationPoint>,
}

impl Curves {
    /// A line for each point.
    pub fn show<K: Display>(&self, page: &mut Page, kernels: &[K]) -> Result<(), Failure> {
        let learning =
            self.learning.iter().map(|point| (format!("{:.0}", point.rows), &point.held_out, &point.own));
        table(page, "learning from", "rows", learning.collect())?;
        let cost = |cell: &Cell| cell.cost.or(cell.nu).map_or_else(String::new, number);
        let by_share = self.by_cost.iter().any(|point| point.held_out.nu.is_some());
        let by_cost = self.by_cost.iter().map(|point| (cost(&point.held_out), &point.held_out, &point.own));
        let (title, name) = if by_share { ("by share", "nu") } else { ("by cost", "C") };
        table(page, title, name, by_cost.collect())?;
        let kernel = |cell: &Cell| kernels[cell.kernel].to_string();
        let by_kernel =
            self.by_kernel.iter().map(|point| (kernel(&point.held_out), &point.held_out, &point.own));
        table(page, "by kernel", "", by_kernel.collect())
    }
}

/// Points by name, on new rows and on their own; nothing if there are none.
fn table(
    page: &mut Page,
    title: &str,
    name: &str,
    points: Vec<(String, &Cell, &Cell)>,
) -> Result<(), Failure> {
    let Some(width) = points.iter().map(|(name, ..)| name.chars().count()).max() else { return Ok(()) };
    let width = width.max(8);
    page.line(title, format!("{name:>width$} {:>12} {:>12}", "on new rows", "on its own"));
    for (name, held_out, own) in points {
        let mean = |cell: &Cell| cell.summary(0).map(|summary| rounded(summary.mean, 4));
        page.line("", format!("{name:>width$} {:>12} {:>12}", mean(held_out)?, mean(own)?));
    }
    Ok(())
}
