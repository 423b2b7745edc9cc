//! Trainings that end in time, on growing samples of the items if there is a limit, and say how long they will take if there is none.

use std::time::{Duration, Instant};

use mercer::data::{Items, Labels, Split};
use mercer::evaluation::{GrowingStep, Grown, fit_growing};
use mercer::machine::MatrixOptions;
use mercer::{Error, Result};

use crate::failure::Failure;
use crate::print::{Page, count};
use crate::progress::{Ending, Waiting, interrupt};

/// Items of the first sample.
const FIRST: usize = 200;
/// From so many items on a training may take long, so that smaller ones are timed first: on these fractions of the items.
const MANY: usize = 400;
const PILOTS: [usize; 3] = [16, 8, 4];
/// Seconds from which on a training is worth the last of them, and the fraction of it that this may take.
const WORTH_ANOTHER: f64 = 0.3;
const ANOTHER: f64 = 0.2;
/// Most of these machines factorize K, in n³ operations, whatever small samples suggest.
const LEAST_EXPONENT: f64 = 3.0;

/// A model, and the items that it was trained on if not on all.
pub type InTime<T> = (T, Option<Vec<usize>>);

/// How a training is done.
pub struct Within<'a> {
    /// What samples are drawn from.
    pub seed: u64,
    pub deadline: Option<Instant>,
    pub options: &'a MatrixOptions,
    pub quiet: bool,
    /// What the work is called while it goes on.
    pub doing: &'static str,
}

impl Within<'_> {
    /// What `fit` makes of all items, or under a limit of time of as many as it is enough for, drawn with the proportions of the
    /// classes. The options say who may end a training.
    pub fn fit<I: Items<Owned = I>, T>(
        &self,
        items: &I,
        classes: Option<&Labels>,
        mut fit: impl FnMut(&I, &[usize], MatrixOptions) -> Result<T>,
    ) -> Result<InTime<T>> {
        let n = items.len();
        let told = interrupt();
        let by = |interrupt| MatrixOptions { interrupt: Some(interrupt), ..self.options.clone() };
        let all: Vec<usize> = (0..n).collect();
        let strata = match classes {
            Some(labels) => labels.clone(),
            None => Labels::from_codes(vec!["items".into()], vec![0; n])?,
        };
        let waiting = Waiting::new(self.quiet, self.doing);
        let Some(deadline) = self.deadline else {
            if n >= MANY && !self.quiet {
                let mut timed = |part: usize| -> Option<f64> {
                    let sample = Split::sample(&strata, n / part, self.seed).ok()?;
                    let begun = Instant::now();
                    // A sample that cannot be learned from says nothing about all items.
                    fit(&items.select(&sample), &sample, by(told.clone())).ok()?;
                    Some(begun.elapsed().as_secs_f64())
                };
                if let Some(expected) = whole(&mut timed) {
                    waiting.expect(expected);
                }
            }
            return Ok((fit(items, &all, by(told))?, None));
        };
        waiting.expect(deadline.saturating_duration_since(Instant::now()));
        let mut is_first = true;
        let step = |rows: &[usize], end| {
            // Few items are learned from whatever the time: there is always something to show.
            let options = by(if is_first { told.clone() } else { told.until(end) });
            is_first = false;
            let model = match rows.len() == n {
                true => fit(items, &all, options)?,
                false => fit(&items.select(rows), rows, options)?,
            };
            Ok(GrowingStep { model, complete: true, later: Duration::ZERO })
        };
        // Of a training that is cut short nothing is left to judge.
        let Grown { model, rows } = fit_growing(&strata, FIRST, self.seed, deadline, step, None)?;
        Ok((model, rows))
    }
}

/// The time of a training on all items, by those on a sixteenth and an eighth of them, t ~ nᵖ; and on a fourth where all will take
/// long and that takes little of it.
fn whole(timed: &mut dyn FnMut(usize) -> Option<f64>) -> Option<Duration> {
    let expected = |small: f64, large: f64, part: usize| {
        let exponent = (large / small).log2().clamp(LEAST_EXPONENT, 4.0);
        (large * (part as f64).powf(exponent), large * 2.0_f64.powf(exponent))
    };
    let [most, fewer, few] = PILOTS;
    let (small, large) = (timed(most)?, timed(fewer)?);
    let (mut all, next) = expected(small, large, fewer);
    if all > WORTH_ANOTHER && next < ANOTHER * all {
        let larger = timed(few)?;
        all = expected(large, larger, few).0;
    }
    Duration::try_from_secs_f64(all).ok()
}

/// A failure, which an interrupt is not one of the data.
pub fn failure(error: Error) -> Failure {
    match error {
        Error::Interrupted => Ending::Interrupt.without_result("the training was complete: nothing is saved"),
        error => Failure::Data(error),
    }
}

/// Says how many items there was time for.
pub fn tell(page: &mut Page, rows: Option<&[usize]>, all: usize) {
    if let Some(rows) = rows {
        let (some, all) = (count(rows.len() as u64), count(all as u64));
        page.line("time limit", format!("there was time for {some} of {all} items, drawn at random"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_all_items_is_told_by_those_of_some() {
        // t = n³ / 512: a fourth is worth its time.
        let mut asked = Vec::new();
        let mut cubic = |part: usize| {
            asked.push(part);
            Some((16.0 / part as f64).powi(3))
        };
        let told = whole(&mut cubic).unwrap();
        assert!((told.as_secs_f64() - 4096.0).abs() < 1e-6, "{told:?}");
        assert_eq!(asked, [16, 8, 4]);
        // Short ones are not.
        let told = whole(&mut |part| (part > 4).then(|| 1e-5 * (16.0 / part as f64).powi(3))).unwrap();
        assert!((told.as_secs_f64() - 0.04096).abs() < 1e-9, "{told:?}");
        assert_eq!(whole(&mut |part| (part == 8).then_some(8.0)), None);
    }
}
