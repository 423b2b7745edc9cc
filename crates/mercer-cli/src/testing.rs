//! How a model is tested on rows that had no part in it, and how that is told.

use std::time::Duration;

use mercer::evaluation::{Assessment, Confusion, Method, Testing};

use crate::arguments::TestArgument;
use crate::print::{Page, count};

/// Up to so many rows a test in folds takes little time.
const FEW_ROWS: usize = 2_000;
/// Up to so many the model is trained again on all of them after the test.
const MANY_ROWS: usize = 20_000;
/// Classes of which the whole table is shown.
const MOST_CLASSES: usize = 12;

/// What was asked for, or what the number of rows suggests.
pub fn decide(asked: TestArgument, folds: usize, rows: usize, limited: bool, quiet: bool) -> Testing {
    let refit = rows <= MANY_ROWS && !limited;
    match asked {
        TestArgument::None => Testing::None,
        // Nobody would read it.
        TestArgument::Auto if quiet => Testing::None,
        TestArgument::Auto if rows <= FEW_ROWS => Testing::Folds(folds),
        TestArgument::Auto | TestArgument::HeldOut => Testing::HeldOut { refit },
        TestArgument::Folds => Testing::Folds(folds),
    }
}

/// The share of the time limit that the choice of the cost may take.
pub fn choice_time(limit: Option<Duration>) -> Option<Duration> {
    limit.map(|limit| limit / 6)
}

/// What to expect, in a line.
pub fn in_words(test: &Assessment) -> String {
    let error = 100.0 * test.standard_error();
    let how = match test.method {
        Method::Folds(folds) => format!("{folds} folds, in each of which all was decided anew without it"),
        Method::HeldOut { learned, tested } => {
            format!("learned from {} rows, tested on {} others", count(learned as u64), count(tested as u64))
        }
    };
    format!("{:.1} % right, ± {error:.1} ({how})", 100.0 * test.accuracy())
}

/// What to expect, and what was taken for what.
pub fn show(page: &mut Page, test: &Assessment) {
    page.line("on new rows", format!("expect {}", in_words(test)));
    let table = &test.confusion;
    let mut more = vec![
        format!("balanced accuracy {:.1} %", 100.0 * table.balanced_accuracy()),
        format!("Matthews {:.3}", table.matthews()),
    ];
    if let Some(auc) = test.auc {
        more.push(format!("AUC {auc:.3}"));
    }
    page.line("", more.join(", "));
    confusion(page, table);
}

/// The table of what was taken for what; only the worst of it for many classes.
pub fn confusion(page: &mut Page, table: &Confusion) {
    let classes = table.classes();
    let k = classes.len();
    if k > MOST_CLASSES {
        let mut pairs: Vec<(usize, usize)> = (0..k)
            .flat_map(|t| (0..k).map(move |p| (t, p)))
            .filter(|&(t, p)| t != p && table.count(t, p) > 0)
            .collect();
        pairs.sort_by_key(|&(t, p)| (std::cmp::Reverse(table.count(t, p)), t, p));
        let worst: Vec<String> = pairs
            .iter()
            .take(5)
            .map(|&(t, p)| format!("{} as {} {}", classes[t], classes[p], count(table.count(t, p) as u64)))
            .collect();
        page.line("mistaken most", if worst.is_empty() { "none".to_string() } else { worst.join(", ") });
        return;
    }
    let name = |c: usize| shortened(&classes[c]);
    let widest = (0..k).map(|c| name(c).chars().count()).max().unwrap_or(0);
    let cells: Vec<Vec<String>> =
        (0..k).map(|t| (0..k).map(|p| count(table.count(t, p) as u64)).collect()).collect();
    let width = |p: usize| {
        (0..k).map(|t| cells[t][p].chars().count()).max().unwrap_or(0).max(name(p).chars().count()) + 2
    };
    let head: String = (0..k).map(|p| format!("{:>1$}", name(p), width(p))).collect();
    page.line("predicted as", format!("{:widest$}{head}", ""));
    for (t, row) in cells.iter().enumerate() {
        let numbers: String =
            row.iter().enumerate().map(|(p, cell)| format!("{cell:>0$}", width(p))).collect();
        page.line("", format!("{:<widest$}{numbers}", name(t)));
    }
}

/// A class name that leaves room for others.
fn shortened(name: &str) -> String {
    const MOST: usize = 16;
    match name.chars().count() {
        0..=MOST => name.to_string(),
        _ => name.chars().take(MOST - 1).chain(['…']).collect(),
    }
}
