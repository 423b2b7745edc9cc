//! Labels that look wrong.
//!
//! A row whose label is wrong is contradicted by its neighbours once it has no say itself: machines that were trained without it put it
//! deep into another class. A machine that was trained with it shows it too, by a coefficient at its bound and a large slack, but less
//! clearly, since it has bent towards the row.

use crate::data::{Items, Labels, Split};
use crate::error::{Error, Result};
use crate::gram::BulkKernel;
use crate::machine::Svc;

/// How rows are held out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuspectOptions {
    /// Parts of the rows that are held out in turn; default 10.
    pub folds: usize,
    /// How often, each time in other parts; default 3.
    pub times: usize,
    /// What the parts are drawn from; default 0.
    pub seed: u64,
}

impl Default for SuspectOptions {
    fn default() -> Self {
        SuspectOptions { folds: 10, times: 3, seed: 0 }
    }
}

/// What is known about the label of one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Suspect {
    /// The row.
    pub row: usize,
    /// The class that it is said to have.
    pub given: usize,
    /// The class that machines which have not seen it give it, or the best of the others if they agree with the label.
    pub suggested: usize,
    /// The score of its own class less that of the best other one, the mean over machines that have not seen it: below 0 if the label is contradicted. Of two
    /// classes it is 2 y f(x).
    pub margin: f64,
    /// Σ|β| of a machine that was trained on all rows: how much the row is needed to explain its own label.
    pub weight: f64,
    /// The largest slack of the row in that machine; above 1 if the machine could not learn the label.
    pub slack: f64,
}

/// All rows, those whose label is contradicted most first. A row that is the only one of its class is contradicted by machines that have never seen the
/// class: they give it to another one.
///
/// folds · times + 1 trainings. The cost of the machine should be one that allows slack: a machine that learns every label by heart is
/// wrong about the neighbours of a wrong one too.
///
/// ```
/// use mercer::data::{Labels, Vectors};
/// use mercer::evaluation::insight::{SuspectOptions, suspects};
/// use mercer::kernel::Expression;
/// use mercer::machine::Svc;
/// let rows = Vectors::from_rows(&(0..40).map(|i| [f64::from(i)]).collect::<Vec<_>>())?;
/// // Row 7 should be low.
/// let labels = Labels::from_text((0..40).map(|i| if i < 20 && i != 7 { "low" } else { "high" }));
/// let machine = Svc::params("linear".parse::<Expression>()?).check()?;
/// let ranked = suspects(&machine, &rows, &labels, &SuspectOptions::default())?;
/// assert_eq!(ranked[0].row, 7);
/// assert!(ranked[0].margin < 0.0 && ranked[0].slack > 1.0);
/// assert_eq!(labels.classes()[ranked[0].suggested], "low");
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Without`] where the rest of the rows cannot be learned from; those of the machine.
pub fn suspects<K, I>(
    machine: &Svc<K>,
    items: &I,
    labels: &Labels,
    options: &SuspectOptions,
) -> Result<Vec<Suspect>>
where
    I: Items,
    K: BulkKernel<I> + BulkKernel<I::Owned>,
    I::Owned: Items<Owned = I::Owned>,
{
    let (n, classes) = (items.len(), labels.classes().len());
    let whole = machine.fit(items, labels)?;
    let splits = Split::repeated(n, Some(labels), options.folds, options.times, options.seed)?;
    let mut sums = vec![0.0; n * classes];
    for (at, split) in splits.iter().enumerate() {
        let missing = || format!("part {} of {}", at % options.folds + 1, options.folds);
        let known = labels.select(&split.train);
        // A class that the others do not have is not among the model's.
        let counts = known.counts();
        let places: Vec<usize> = (0..classes).filter(|&class| counts[class] > 0).collect();
        let scores = match places.len() {
            // The machine of one class is the constant of that class: w = 0, b = ±1, no slack.
            1 => vec![1.0; split.test.len()],
            _ => {
                let model = machine
                    .fit(&items.select(&split.train), &known)
                    .map_err(|error: Error| error.without(missing()))?;
                model.scores(&items.select(&split.test))?
            }
        };
        let absent: Vec<usize> = (0..classes).filter(|class| !places.contains(class)).collect();
        for (&row, scores) in split.test.iter().zip(scores.chunks_exact(places.len())) {
            let own = &mut sums[row * classes..][..classes];
            for (&class, score) in places.iter().zip(scores) {
                own[class] += score / options.times as f64;
            }
            // It would lose against every other: below the lowest by a vote, or by 2 y f(x) of the constant.
            let lowest = scores.iter().copied().fold(f64::INFINITY, f64::min);
            let below = if places.len() == 1 { 2.0 } else { 1.0 };
            for &class in &absent {
                own[class] += (lowest - below) / options.times as f64;
            }
        }
    }
    let mut ranked: Vec<Suspect> = (0..n)
        .map(|row| {
            let (scores, given) = (&sums[row * classes..][..classes], labels.codes()[row] as usize);
            let others = (0..classes).filter(|&class| class != given);
            let suggested = others.max_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap_or(given);
            let margin = scores[given] - scores[suggested];
            Suspect { row, given, suggested, margin, weight: 0.0, slack: 0.0 }
        })
        .collect();
    let pairs = whole.pairs();
    let of_item = classes - 1;
    for (&row, coefficients) in pairs.support.iter().zip(pairs.coefficients.chunks_exact(of_item)) {
        ranked[row].weight = coefficients.iter().map(|beta| beta.abs()).sum();
    }
    for &(row, slack) in whole.slacks().iter().flatten() {
        ranked[row].slack = ranked[row].slack.max(slack);
    }
    ranked.sort_by(|a, b| a.margin.total_cmp(&b.margin).then(a.row.cmp(&b.row)));
    Ok(ranked)
}
