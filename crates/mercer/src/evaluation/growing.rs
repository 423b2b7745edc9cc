//! Training on growing samples of the rows until the time is spent.

use std::time::{Duration, Instant};

use crate::data::{Labels, Split};
use crate::error::{Error, Result};

/// Most that the rows grow in a step that is made to learn what the next one takes.
const PROBE_GROWTH: f64 = 4.0;
/// The least such growth that is worth a step.
const LEAST_PROBE: f64 = 2.0;
/// The fraction of the time left that such a step may take.
const PROBE_SHARE: f64 = 0.12;
/// A step that adds fewer rows is not worth its time.
const LEAST_GROWTH: f64 = 1.2;
/// What the first step may take, however little time there is.
const FIRST_STEP: Duration = Duration::from_millis(200);

/// How a last step is planned.
#[derive(Clone, Copy, Debug)]
struct Boldness {
    /// The fraction of the time left that it is planned to take.
    share: f64,
    /// The least and the largest exponent of t ~ nᵖ that are believed.
    exponents: (f64, f64),
}

/// A step that does not end in time is lost, and may take longer than the ones before suggest.
const CAUTIOUS: Boldness = Boldness { share: 0.85, exponents: (2.0, 4.0) };
/// A step that does not end in time may be worth more than the one before.
const BOLD: Boldness = Boldness { share: 1.0, exponents: (1.0, 4.0) };
/// Rows that nobody has seen, for a judgment: at most, and at least.
const JUDGED: (usize, usize) = (2000, 200);

/// Whether a model whose training was cut short is better than one of fewer rows whose training was not, by rows that neither has
/// seen: (cut short, complete, rows).
pub type Judge<'a, T> = &'a mut dyn FnMut(&T, &T, &[usize]) -> Result<bool>;

/// What a step of [`fit_growing`] has made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrowingStep<T> {
    /// The model.
    pub model: T,
    /// Whether it was trained to the end.
    pub complete: bool,
    /// What is still to be done with such a model within the limit takes about so long: predictions for a test.
    pub later: Duration,
}

/// A model, and the rows that it was trained on.
#[derive(Clone, Debug, PartialEq)]
pub struct Grown<T> {
    /// The model.
    pub model: T,
    /// The rows, if the time was not enough for all.
    pub rows: Option<Vec<usize>>,
}

/// Trains on ever larger random samples of the rows, as many as the time is enough for, and on all of them if it is.
///
/// The solution of a large problem that is stopped early is worth little: most of its coefficients have not been looked at. The
/// solution of a smaller one, on rows drawn at random with the proportions of `strata`, is worth nearly as much as the whole.
/// Small steps show how the time grows with the rows, t ~ nᵖ; the last one takes what is left. `fit` gets the rows of a step
/// (ascending) and when it has to end. A step that could not end (it is incomplete, or returns [`Error::Interrupted`]) gives way
/// to the one before, unless the `judge` prefers it; with a judge the last step is planned to take all of the time, without one it
/// has room. Up to `first` rows there is one step, which takes as long as there is time. The steps before the last take some
/// tenths of the time.
///
/// ```
/// use std::time::{Duration, Instant};
/// use mercer::data::Labels;
/// use mercer::evaluation::{GrowingStep, fit_growing};
/// let strata = Labels::from_text((0..1000).map(|i| if i % 2 == 0 { "even" } else { "odd" }));
/// let deadline = Instant::now() + Duration::from_secs(3600);
/// let fit = |rows: &[usize], _| Ok(GrowingStep { model: rows.len(), complete: true, later: Duration::ZERO });
/// let grown = fit_growing(&strata, 100, 0, deadline, fit, None)?;
/// assert_eq!((grown.model, grown.rows), (1000, None));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// Those of `fit`.
pub fn fit_growing<T>(
    strata: &Labels,
    first: usize,
    seed: u64,
    deadline: Instant,
    mut fit: impl FnMut(&[usize], Instant) -> Result<GrowingStep<T>>,
    mut judge: Option<Judge<'_, T>>,
) -> Result<Grown<T>> {
    let n = strata.len();
    let boldness = if judge.is_some() { BOLD } else { CAUTIOUS };
    let mut best: Option<(T, Vec<usize>)> = None;
    let mut before: Option<Taken> = None;
    let mut count = first.min(n).max(1);
    loop {
        let begun = Instant::now();
        let sample = Split::sample(strata, count, seed)?;
        let end = match &before {
            // What comes afterwards grows with the rows.
            Some(taken) => {
                let later = taken.later * count as f64 / taken.rows;
                deadline.checked_sub(Duration::from_secs_f64(later)).unwrap_or(begun)
            }
            None if count < n => deadline.max(begun + FIRST_STEP),
            None => deadline,
        };
        let GrowingStep { model, complete, later } = match fit(&sample, end) {
            Err(Error::Interrupted) if best.is_some() && Instant::now() >= end => {
                return Ok(best.map(|(model, rows)| Grown { model, rows: Some(rows) }).expect("a model"));
            }
            step => step?,
        };
        let is_whole = sample.len() == n;
        match best.take() {
            Some((smaller, rows)) if !complete => {
                let unseen = unseen(n, &rows, &sample);
                let prefers = match &mut judge {
                    Some(judge) if unseen.len() >= JUDGED.1 => judge(&model, &smaller, &unseen)?,
                    // A smaller problem that was solved is worth more than a larger one that was not.
                    _ => false,
                };
                let (model, rows) = if prefers { (model, sample) } else { (smaller, rows) };
                return Ok(Grown { model, rows: (rows.len() < n).then_some(rows) });
            }
            _ if is_whole => return Ok(Grown { model, rows: None }),
            _ if !complete => return Ok(Grown { model, rows: Some(sample) }),
            _ => {}
        }
        let seconds = begun.elapsed().as_secs_f64().max(1e-6);
        let taken =
            Taken::new(sample.len() as f64, seconds, later.as_secs_f64(), (before.as_ref(), boldness));
        let left = deadline.saturating_duration_since(Instant::now()).as_secs_f64();
        match taken.next(n, left) {
            Some(next) => count = next,
            None => return Ok(Grown { model, rows: Some(sample) }),
        }
        best = Some((model, sample));
        before = Some(taken);
    }
}

/// Rows that are in neither sample (both ascending), spread over all.
fn unseen(n: usize, one: &[usize], other: &[usize]) -> Vec<usize> {
    let is_new = |row: &usize| one.binary_search(row).is_err() && other.binary_search(row).is_err();
    let all: Vec<usize> = (0..n).filter(is_new).collect();
    let most = JUDGED.0.min(all.len());
    (0..most).map(|at| all[at * all.len() / most]).collect()
}

/// What a step took.
struct Taken {
    rows: f64,
    seconds: f64,
    later: f64,
    /// t ~ nᵖ
    exponent: f64,
    boldness: Boldness,
}

impl Taken {
    fn new(rows: f64, seconds: f64, later: f64, (before, boldness): (Option<&Taken>, Boldness)) -> Self {
        let (least, most) = boldness.exponents;
        let exponent = match before {
            Some(before) => (seconds / before.seconds).ln() / (rows / before.rows).ln(),
            None => CAUTIOUS.exponents.0,
        };
        let exponent = if exponent.is_finite() { exponent.clamp(least, most) } else { least };
        Taken { rows, seconds, later, exponent, boldness }
    }

    /// What a step of so many times the rows will take, with what comes after it.
    fn predicted(&self, growth: f64) -> f64 {
        self.seconds * growth.powf(self.exponent) + self.later * growth
    }

    /// The largest growth that so many seconds are enough for.
    fn growth(&self, seconds: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1e6);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.predicted(middle) <= seconds { low = middle } else { high = middle }
        }
        low
    }

    /// Rows of the next step of at most `n`, if the time left is enough for one that is worth it.
    fn next(&self, n: usize, left: f64) -> Option<usize> {
        let whole = n as f64 / self.rows;
        let mut last = self.growth(self.boldness.share * left).min(whole);
        // Of all rows none would be left to judge by, should the time not be enough after all.
        if last >= whole && self.predicted(whole) > CAUTIOUS.share * left {
            last = whole * (n - JUDGED.0.min(n / 5)) as f64 / n as f64;
        }
        let probe = self.growth(PROBE_SHARE * left).min(PROBE_GROWTH);
        let growth = if probe >= LEAST_PROBE && last > LEAST_PROBE * probe { probe } else { last };
        // Fewer rows than that are all there are.
        let is_worth_it = growth >= LEAST_GROWTH || last >= whole;
        is_worth_it.then(|| ((self.rows * growth).round() as usize).clamp(self.rows as usize + 1, n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probes_are_small_and_the_last_step_takes_what_is_left() {
        let first = Taken::new(1000.0, 0.01, 0.0, (None, CAUTIOUS));
        assert_eq!(first.next(1_000_000, 100.0), Some(4000));
        let second = Taken::new(4000.0, 0.16, 0.0, (Some(&first), CAUTIOUS));
        assert!((second.exponent - 2.0).abs() < 1e-9);
        assert_eq!(second.next(1_000_000, 99.0), Some(16_000));
        // Four times as many would take more than 12 % of the time: as many as that is enough for.
        let third = Taken::new(16_000.0, 2.56, 0.0, (Some(&second), CAUTIOUS));
        let probe = third.next(1_000_000, 97.0).unwrap();
        assert!((34_000..34_200).contains(&probe), "{probe}");
        // Another probe would leave too little for the last step, which takes 85 % of what is left.
        let fourth = Taken::new(34_000.0, 11.56, 0.0, (Some(&third), CAUTIOUS));
        let last = fourth.next(1_000_000, 85.0).unwrap();
        assert!((84_500..85_500).contains(&last), "{last}");
        // What comes after it is part of the time.
        let slow = Taken::new(16_000.0, 2.56, 10.0, (Some(&second), CAUTIOUS));
        let fewer = slow.next(1_000_000, 97.0).unwrap();
        assert!((60_000..70_000).contains(&fewer), "{fewer}");
        assert_eq!(third.next(20_000, 97.0), Some(20_000));
        assert_eq!(third.next(1_000_000, 4.0), None);
    }

    #[test]
    fn a_bold_last_step_takes_all_of_the_time_and_leaves_rows_to_judge_by() {
        let first = Taken::new(10_000.0, 1.0, 0.0, (None, BOLD));
        let second = Taken::new(20_000.0, 2.0_f64.powf(1.5), 0.0, (Some(&first), BOLD));
        assert!((second.exponent - 1.5).abs() < 1e-9);
        // 8 = 4^1.5 times as long: 80 000 rows.
        let seconds = 8.0 * second.seconds;
        assert!((79_990..80_010).contains(&second.next(1_000_000, seconds).unwrap()));
        assert_eq!(second.next(79_000, seconds), Some(77_000));
        assert_eq!(second.next(79_000, 2.0 * seconds), Some(79_000));
    }

    /// Steps of n² / 10⁷ seconds as planned; the last one finds that it takes longer, and is cut short.
    fn cut_short(prefers: bool) -> Grown<(usize, bool)> {
        let strata = Labels::from_text(vec!["all"; 100_000]);
        let begun = Instant::now();
        let fit = |rows: &[usize], end: Instant| {
            let complete = rows.len() < 2000;
            let until = begun + Duration::from_millis(if complete { 5 } else { 500 });
            std::thread::sleep(until.min(end).saturating_duration_since(Instant::now()));
            Ok(GrowingStep { model: (rows.len(), complete), complete, later: Duration::ZERO })
        };
        let mut judge = |cut: &(usize, bool), complete: &(usize, bool), unseen: &[usize]| {
            assert!(!cut.1 && complete.1 && cut.0 > complete.0);
            assert!((JUDGED.1..=JUDGED.0).contains(&unseen.len()) && unseen.is_sorted());
            Ok(prefers)
        };
        fit_growing(&strata, 1000, 0, begun + Duration::from_millis(300), fit, Some(&mut judge)).unwrap()
    }

    #[test]
    fn of_a_larger_problem_cut_short_and_a_smaller_one_solved_the_judge_takes_the_better() {
        let (bold, cautious) = (cut_short(true), cut_short(false));
        assert_eq!((cautious.model, cautious.rows.unwrap().len()), ((1000, true), 1000));
        assert!(!bold.model.1 && bold.rows.unwrap().len() == bold.model.0);
        assert_eq!(unseen(10, &[0, 2, 4], &[0, 1, 2, 4, 9]), [3, 5, 6, 7, 8]);
    }
}
