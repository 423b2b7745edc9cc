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
const MANY: usize = 4000;
const PILOTS: [usize; 2] = [16, 8];

/// A model, and the items that it was trained on if not on all.
pub type InTime<T> = (T, Option<Vec<usize>>);

/// How a training is done.
pub struct Within<'a> {
    /// What samples are drawn from.
    pub seed: u64,
    pub deadline: Option<Instant>,
    pub options: &'a MatrixOptions,
    pub quiet: bool,
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
        let Some(deadline) = self.deadline else {
            let mut timed = |rows: usize| -> Result<f64> {
                let sample = Split::sample(&strata, rows, self.seed)?;
                let begun = Instant::now();
                fit(&items.select(&sample), &sample, by(told.clone()))?;
                Ok(begun.elapsed().as_secs_f64())
            };
            let expected = match n >= MANY && !self.quiet {
                // A sample that cannot be learned from says nothing about all items.
                true => PILOTS.map(|part| timed(n / part).ok()),
                false => [None; 2],
            };
            let _waiting = Waiting::new(self.quiet, whole(expected));
            return Ok((fit(items, &all, by(told))?, None));
        };
        let _waiting = Waiting::new(self.quiet, Some(deadline.saturating_duration_since(Instant::now())));
        let mut is_first = true;
        let Grown { model, rows } = fit_growing(&strata, FIRST, self.seed, deadline, |rows, end| {
            // Few items are learned from whatever the time: there is always something to show.
            let options = by(if is_first { told.clone() } else { told.until(end) });
            is_first = false;
            let model = match rows.len() == n {
                true => fit(items, &all, options)?,
                false => fit(&items.select(rows), rows, options)?,
            };
            Ok(GrowingStep { model, complete: true, later: Duration::ZERO })
        })?;
        Ok((model, rows))
    }
}

/// The time of a training on all items, from those of the pilots: t ~ nᵖ.
fn whole(pilots: [Option<f64>; 2]) -> Option<Duration> {
    let ([Some(small), Some(large)], [most, few]) = (pilots, PILOTS) else { return None };
    let exponent = ((large / small).ln() / (most as f64 / few as f64).ln()).clamp(1.0, 4.0);
    Duration::try_from_secs_f64(large * (few as f64).powf(exponent)).ok()
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
        // t = n³
        let told = whole([Some(1.0), Some(8.0)]).unwrap();
        assert!((told.as_secs_f64() - 4096.0).abs() < 1e-6, "{told:?}");
        assert_eq!(whole([None, Some(8.0)]), None);
    }
}
