//! `mercer tune --nested`: what a search is worth on rows that it has not seen.

use std::fmt::Display;
use std::time::Instant;

use mercer::Error;
use mercer::data::{Examples, Items as _, TargetList, Vectors};
use mercer::evaluation::Metric;
use mercer::evaluation::search::{Candidate, Inner, Nested, Table as Cells, Watch};
use mercer::kernel::Expression;
use serde_json::json;

use super::Tuning;
use super::found::{About, Best};
use super::shown::{Live, keep_text};
use crate::failure::Failure;
use crate::print::{count, rounded, show_json, time};
use crate::progress::{Ending, Observer, deadline};
use crate::recipe::time_limit;
use crate::source;

impl Tuning<'_> {
    /// Searches without each part of the rows, and tests there; `adapted` is the machine for some targets, and the unit of
    /// its costs.
    pub(super) fn nested<M>(
        self,
        targets: &M::Targets,
        usual: Metric,
        adapted: impl Fn(&M::Targets, Option<&[f64]>) -> mercer::Result<(M, f64)>,
    ) -> Result<Best, Failure>
    where
        M: Candidate<Kernel = Expression>,
        M::Targets: TargetList,
    {
        let arguments = self.arguments;
        let in_file = |error: Error| error.in_file(source::name(&arguments.data.data));
        let (weights, groups) = (self.table.weights.as_deref(), self.table.groups.as_deref());
        let n = self.table.vectors.len();
        let rows = self.table.vectors.select(&(0..n).collect::<Vec<_>>());
        let examples = Examples { items: &rows, targets, weights, groups };
        let seed = arguments.recipe.seed;
        let outer = self.outer.as_ref().map(|outer| outer.splits(n, Some(&targets.strata()), groups, seed));
        let outer = outer.transpose().map_err(in_file)?.unwrap_or_default();
        let metrics = if self.metrics.is_empty() { vec![usual] } else { self.metrics.clone() };
        let observer =
            Observer::new(true, arguments.recipe.tolerance).until(deadline(time_limit(&arguments.recipe)?));
        let live = Live::new(arguments.quiet || self.json);
        let seen = |cells: &Cells<Expression>| live.show(cells);
        let watch = Watch { cancelled: &|| observer.is_over(), seen: &seen };
        // All that is decided is decided without the rows of the part.
        let inner = |part: Examples<'_, Vectors<'static>, M::Targets>, train: &[usize]| {
            let (machine, unit) = adapted(part.targets, part.weights)?;
            let (items, grid) = self.settings.on(self.table, train, Some((part.targets, unit)))?;
            Ok(Inner { machine, items, grid, splits: self.folds(part)? })
        };
        let begun = Instant::now();
        let found = self.how(metrics).nested(examples, &outer, inner, watch).map_err(in_file)?;
        let seconds = begun.elapsed().as_secs_f64();
        live.clear();
        self.about().end_nested(&found, outer.len(), seconds, observer.ending())
    }
}

impl About<'_> {
    /// Keeps and tells what a search is worth on what it has not seen; what it found last.
    pub fn end_nested<K: Display>(
        &self,
        found: &Nested<K>,
        outer: usize,
        seconds: f64,
        ending: Ending,
    ) -> Result<Best, Failure> {
        if let Some(path) = &self.arguments.output {
            keep_text(path, |is_json| if is_json { format!("{:#}\n", json!(found)) } else { to_csv(found) })?;
        }
        let Some(last) = found.folds.last() else {
            return Err(ending.without_result(&format!("the first part of the {} was tested", self.items)));
        };
        ending.tell();
        self.tell_nested(found, outer, seconds)?;
        let (kernel, among) = (last.kernel.to_string(), found.folds.len());
        let best = Best { kernel, cost: last.cost, nu: last.nu, among };
        ending.of(best)
    }

    fn tell_nested<K: Display>(&self, found: &Nested<K>, outer: usize, seconds: f64) -> Result<(), Failure> {
        let (summary, inner) = (found.summary(0)?, found.inner()?);
        if self.json {
            let summaries = (0..found.metrics.len()).map(|metric| found.summary(metric));
            let summaries = summaries.collect::<mercer::Result<Vec<_>>>()?;
            show_json(&json!({
                "data": self.arguments.data.data,
                "nested": found,
                "outer": summaries,
                "inner": inner,
                "seconds": seconds,
                "scaling": self.scaling,
            }))?;
            return Ok(());
        }
        if self.arguments.quiet {
            return Ok(());
        }
        let mut page = self.page();
        let (done, outer) = (count(found.folds.len() as u64), count(outer as u64));
        page.line(
            "searched",
            format!("without each of {outer} parts in turn, {done} done, {}", time(seconds)),
        );
        page.line("part", format!("{:>12} {:>12}   found without it", "in the search", "on the part"));
        for (at, fold) in found.folds.iter().enumerate() {
            let beside = [("cost", fold.cost), ("nu", fold.nu)].into_iter();
            let beside = beside.filter_map(|(name, value)| Some(format!(", {name} {}", rounded(value?, 4))));
            let beside: String = beside.collect();
            let (inner, tested) = (rounded(fold.inner.mean, 4), rounded(fold.outer[0], 4));
            page.line(
                &format!("  {}", at + 1),
                format!("{inner:>13} {tested:>12}   {}{beside}", fold.kernel),
            );
        }
        let error = |error: Option<f64>| error.map(|e| format!(" ± {}", rounded(e, 2))).unwrap_or_default();
        let metric = &found.metrics[0];
        page.line("in the search", format!("{metric}: {}, too good: it was chosen", rounded(inner.mean, 4)));
        for (at, metric) in found.metrics.iter().enumerate().skip(1) {
            let other = found.summary(at)?;
            page.line("", format!("{metric}: {}{}", rounded(other.mean, 4), error(other.standard_error)));
        }
        let honest = format!("{metric}: {}{}", rounded(summary.mean, 4), error(summary.standard_error));
        page.line("honest", format!("{honest}, what a search like this is worth on new {}", self.items));
        self.tell_scaling(&mut page, "anew for each part");
        page.show()?;
        Ok(())
    }
}

/// Comma-separated values: a line for each part of the rows.
fn to_csv<K: Display>(found: &Nested<K>) -> String {
    let mut text = String::from("part,kernel,cost,nu,in_search");
    found.metrics.iter().for_each(|metric| text += &format!(",{metric}"));
    text.push('\n');
    for (at, fold) in found.folds.iter().enumerate() {
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        let (cost, nu, inner) = (number(fold.cost), number(fold.nu), fold.inner.mean);
        let kernel = fold.kernel.to_string().replace('"', "\"\"");
        text += &format!("{},\"{kernel}\",{cost},{nu},{inner}", at + 1);
        fold.outer.iter().for_each(|value| text += &format!(",{value}"));
        text.push('\n');
    }
    text
}
