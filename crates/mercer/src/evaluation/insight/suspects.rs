//! Labels that look wrong.
//!
//! A row whose label is wrong is contradicted by its neighbours once it has no say itself: machines that were trained without it put it
//! deep into another class. A machine that was trained with it shows it too, by a coefficient at its bound and a large slack, but less
//! clearly, since it has bent towards the row.

use std::time::{Duration, Instant};

use crate::data::{Items, Labels, Split};
use crate::error::{Error, Result};
use crate::evaluation::{GrowingStep, fit_growing};
use crate::gram::BulkKernel;
use crate::machine::{Svc, SvcModel};
use crate::resources::Interrupt;
use crate::solver::{Control, Status};

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
    let found = suspects_until(machine, items, labels, options, None, &mut |_, _| ())?;
    match found.done == found.trainings {
        true => Ok(found.ranked),
        false => Err(Error::Interrupted),
    }
}

/// A ranking of labels that may have ended early.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspects {
    /// The rows that were held out at least once, the most suspicious first.
    pub ranked: Vec<Suspect>,
    /// Trainings that are complete, of `trainings`.
    pub done: usize,
    /// folds · times + 1.
    pub trainings: usize,
    /// The fewest rows that a training took, if the time was not enough for all.
    pub rows: Option<usize>,
}

/// The same with a deadline: the trainings share the time equally and take random samples of the rows where it is not enough for
/// all ([`fit_growing`]). After each training `seen` is told how many are complete, of how many. Work that is interrupted
/// ([`Interrupt::scope`](crate::resources::Interrupt::scope)) gives the rows that were held out until then.
///
/// ```
/// use mercer::data::{Labels, Vectors};
/// use mercer::evaluation::insight::{SuspectOptions, suspects_until};
/// use mercer::kernel::Expression;
/// use mercer::machine::Svc;
/// use mercer::resources::Interrupt;
/// let rows = Vectors::from_rows(&(0..40).map(|i| [f64::from(i)]).collect::<Vec<_>>())?;
/// let labels = Labels::from_text((0..40).map(|i| if i < 20 { "low" } else { "high" }));
/// let machine = Svc::params("linear".parse::<Expression>()?).check()?;
/// let (interrupt, options) = (Interrupt::new(), SuspectOptions::default());
/// let mut seen = |done: usize, _: usize| if done == 3 { interrupt.raise() };
/// let found = interrupt.scope(|| suspects_until(&machine, &rows, &labels, &options, None, &mut seen))?;
/// // One training on all rows, and two parts of four rows that were held out.
/// assert_eq!((found.done, found.trainings, found.ranked.len()), (3, 31, 8));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`suspects`]; [`Error::Interrupted`] before the first part was held out.
pub fn suspects_until<K, I>(
    machine: &Svc<K>,
    items: &I,
    labels: &Labels,
    options: &SuspectOptions,
    deadline: Option<Instant>,
    seen: &mut dyn FnMut(usize, usize),
) -> Result<Suspects>
where
    I: Items,
    K: BulkKernel<I> + BulkKernel<I::Owned>,
    I::Owned: Items<Owned = I::Owned>,
{
    let (n, classes) = (items.len(), labels.classes().len());
    let splits = Split::repeated(n, Some(labels), options.folds, options.times, options.seed)?;
    let trainings = splits.len() + 1;
    let mut fewest: Option<usize> = None;
    // A model of these rows, or of a sample of them, and the rows that it was trained on.
    let mut fit = |rows: &[usize], done: usize| {
        let (model, some) =
            in_time(machine, items, labels, rows, share(deadline, trainings - done), options.seed)?;
        if let Some(some) = &some {
            fewest = Some(fewest.map_or(some.len(), |fewest| fewest.min(some.len())));
        }
        Ok::<_, Error>((model, some))
    };
    let all: Vec<usize> = (0..n).collect();
    let (whole, of_whole) = fit(&all, 0)?;
    let mut done = 1;
    seen(done, trainings);
    let (mut sums, mut times) = (vec![0.0; n * classes], vec![0_usize; n]);
    for (at, split) in splits.iter().enumerate() {
        let missing = || format!("part {} of {}", at % options.folds + 1, options.folds);
        let mut held_out = || -> Result<(Vec<usize>, Vec<f64>)> {
            Interrupt::checkpoint()?;
            // A class that the others do not have is not among the model's.
            let counts = labels.select(&split.train).counts();
            let places: Vec<usize> = (0..classes).filter(|&class| counts[class] > 0).collect();
            // The machine of one class is the constant of that class: w = 0, b = ±1, no slack.
            if places.len() == 1 {
                return Ok((places, vec![1.0; split.test.len()]));
            }
            let fitted = fit(&split.train, done).map_err(|error: Error| error.without(missing()));
            let (model, _) = fitted?;
            let scores = model.scores(&items.select(&split.test))?;
            let known = |class: &usize| model.classes().contains(&labels.classes()[*class]);
            Ok((places.into_iter().filter(known).collect(), scores))
        };
        let (places, scores) = match held_out() {
            Err(error) if done > 1 && error.code() == "interrupted" => break,
            found => found?,
        };
        let absent: Vec<usize> = (0..classes).filter(|class| !places.contains(class)).collect();
        for (&row, scores) in split.test.iter().zip(scores.chunks_exact(places.len())) {
            let own = &mut sums[row * classes..][..classes];
            times[row] += 1;
            for (&class, score) in places.iter().zip(scores) {
                own[class] += score;
            }
            // It would lose against every other: below the lowest by a vote, or by 2 y f(x) of the constant.
            let lowest = scores.iter().copied().fold(f64::INFINITY, f64::min);
            let below = if places.len() == 1 { 2.0 } else { 1.0 };
            for &class in &absent {
                own[class] += lowest - below;
            }
        }
        done += 1;
        seen(done, trainings);
    }
    let mut ranked: Vec<Suspect> = (0..n)
        .map(|row| {
            let (scores, given) = (&sums[row * classes..][..classes], labels.codes()[row] as usize);
            let others = (0..classes).filter(|&class| class != given);
            let suggested = others.max_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap_or(given);
            let margin = (scores[given] - scores[suggested]) / times[row].max(1) as f64;
            Suspect { row, given, suggested, margin, weight: 0.0, slack: 0.0 }
        })
        .collect();
    let row_of = |at: usize| of_whole.as_ref().map_or(at, |rows| rows[at]);
    let pairs = whole.pairs();
    let of_item = classes - 1;
    for (&at, coefficients) in pairs.support.iter().zip(pairs.coefficients.chunks_exact(of_item)) {
        ranked[row_of(at)].weight = coefficients.iter().map(|beta| beta.abs()).sum();
    }
    for &(at, slack) in whole.slacks().iter().flatten() {
        let suspect = &mut ranked[row_of(at)];
        suspect.slack = suspect.slack.max(slack);
    }
    ranked.retain(|suspect| times[suspect.row] > 0);
    ranked.sort_by(|a, b| a.margin.total_cmp(&b.margin).then(a.row.cmp(&b.row)));
    Ok(Suspects { ranked, done, trainings, rows: fewest })
}

/// Rows that a training is not divided into steps for, under a deadline.
const FEW_ROWS: usize = 1000;
/// The fraction of its share that a training may take: predictions come after it.
const TRAINING: f64 = 0.8;

/// When the next of so many trainings has to end.
fn share(deadline: Option<Instant>, trainings: usize) -> Option<Instant> {
    let left = deadline?.saturating_duration_since(Instant::now());
    Some(Instant::now() + left.div_f64(trainings.max(1) as f64).mul_f64(TRAINING))
}

/// A model, and the rows it was learned from where these are a sample.
type InTime<K, I> = (SvcModel<K, <I as Items>::Owned>, Option<Vec<usize>>);

/// A model of these rows; of a sample of them, which is named, if it has to end before they are all learned from.
fn in_time<K, I>(
    machine: &Svc<K>,
    items: &I,
    labels: &Labels,
    rows: &[usize],
    end: Option<Instant>,
    seed: u64,
) -> Result<InTime<K, I>>
where
    I: Items,
    K: BulkKernel<I> + BulkKernel<I::Owned>,
    I::Owned: Items<Owned = I::Owned>,
{
    let is_whole = rows.len() == items.len();
    let Some(end) = end else {
        return Ok(match is_whole {
            true => (machine.fit(items, labels)?, None),
            false => (machine.fit(&items.select(rows), &labels.select(rows))?, None),
        });
    };
    let strata = labels.select(rows);
    let step = |some: &[usize], end| {
        let part: Vec<usize> = some.iter().map(|&at| rows[at]).collect();
        let watch = |_: &_| if Instant::now() >= end { Control::Cancel } else { Control::Continue };
        let model = machine.fit_observed(&items.select(&part), &labels.select(&part), None, &watch)?;
        let complete = model.status() != Some(Status::Cancelled);
        Ok(GrowingStep { model, complete, later: Duration::ZERO })
    };
    let mut judge = |cut: &SvcModel<_, _>, complete: &SvcModel<_, _>, unseen: &[usize]| {
        let part: Vec<usize> = unseen.iter().map(|&at| rows[at]).collect();
        let (held_out, truth) = (items.select(&part), labels.select(&part));
        let right = |model: &SvcModel<_, _>| -> Result<usize> {
            let predicted = model.predict(&held_out)?;
            let is_right =
                |&(&class, &code): &(&usize, &u32)| model.classes()[class] == truth.classes()[code as usize];
            Ok(predicted.iter().zip(truth.codes()).filter(is_right).count())
        };
        Ok(right(cut)? >= right(complete)?)
    };
    let grown = fit_growing(&strata, FEW_ROWS, seed, end, step, Some(&mut judge))?;
    let some = grown.rows.map(|some| some.iter().map(|&at| rows[at]).collect());
    Ok((grown.model, some))
}
