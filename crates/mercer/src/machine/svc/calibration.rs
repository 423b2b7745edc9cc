//! Decision values of rows that had no part in them, for probabilities.

use std::time::{Duration, Instant};

use super::SvcFit;
use super::training::Training;
use crate::data::{Labels, Split};
use crate::error::Result;
use crate::gram::SymmetricGram;
use crate::machine::attempt::fit_gram;
use crate::machine::one_against_one::pairs;
use crate::machine::probability::{Calibration, Held, Probability};
use crate::solver::{Settings, Status};

/// Folds that rows are held out in.
const FOLDS: usize = 5;
/// Of fewer rows than this, twice as many folds: a machine of four fifths of them is not much like that of all.
const FEW: usize = 1000;
/// What the folds are drawn from: they are no choice of the user's, so that the same data give the same model.
const SEED: u64 = 0;

/// The share of a limit of time that is for the model itself.
pub(super) fn for_the_model(limit: Duration) -> Duration {
    limit / 2
}

impl Training<'_> {
    /// Fits probabilities to the decision values that machines trained without a row give it; the machines share the
    /// Gram matrix with the one that was trained with all rows, and begin where it ended.
    ///
    /// The only row of a class is never held out, so little is known of its probability then. `None` where time, or the user's patience, ended before they were done.
    pub fn calibrate(
        &self,
        gram: &dyn SymmetricGram,
        settings: &Settings,
        kind: Probability,
        weights: Option<&[f64]>,
        fit: &SvcFit,
    ) -> Result<Option<Calibration>> {
        let begun = Instant::now();
        let classes = &fit.pairs.classes;
        let class_of_row: Vec<Option<usize>> =
            (0..self.costs.len()).map(|row| self.class(row, classes)).collect();
        let mut counts = vec![0; classes.len()];
        class_of_row.iter().flatten().for_each(|&class| counts[class] += 1);
        let rows: usize = counts.iter().sum();
        let folds = if rows < FEW { 2 * FOLDS } else { FOLDS }.min(rows);
        let mut held: Vec<Vec<Held>> = vec![Vec::new(); pairs(classes.len()).count()];
        let splits = Split::stratified(&self.with_rows_that_count(), folds, SEED)?;
        for (number, split) in splits.iter().enumerate() {
            // Without the only row of a class there would be nothing to learn: it is never held out.
            let is_tested = |row: &usize| class_of_row[*row].is_some_and(|class| counts[class] > 1);
            let test: Vec<usize> = split.test.iter().copied().filter(is_tested).collect();
            if test.is_empty() {
                continue;
            }
            let mut costs = self.costs.to_vec();
            test.iter().for_each(|&row| costs[row] = 0.0);
            let left = settings.max_time.map(|limit| {
                limit.saturating_sub(begun.elapsed()) / u32::try_from(folds - number).unwrap_or(u32::MAX)
            });
            let settings = Settings { max_time: left, ..settings.clone() };
            // A share ν that was chosen for all rows may leave no margin without some: their decision values are 0 then.
            let training = Training { costs: &costs, accepts_no_margin: true, ..*self };
            let part = fit_gram(gram, &settings, Some(&fit.pairs), &training)
                .map_err(|error| error.without(format!("fold {} of {}", number + 1, splits.len())))?;
            let over = |status| matches!(status, Status::TimeLimit | Status::Cancelled);
            if part.pairs.status().is_some_and(over) {
                return Ok(None);
            }
            let decisions =
                part.pairs.decisions(&*gram.restrict(&test)?, &part.pairs.support, self.workers)?;
            for (&row, of_row) in test.iter().zip(decisions.chunks_exact(held.len())) {
                let weight = weights.map_or(1.0, |weights| weights[row]);
                for ((number, (a, b)), &decision) in pairs(classes.len()).enumerate().zip(of_row) {
                    let own = class_of_row[row];
                    if own == Some(a) || own == Some(b) {
                        held[number].push(Held { decision, positive: own == Some(b), weight });
                    }
                }
            }
        }
        Ok(Some(Calibration::fit(kind, &held)))
    }

    /// The class of a row that costs something.
    fn class(&self, row: usize, classes: &[String]) -> Option<usize> {
        let name = self.labels.text(row);
        (self.costs[row] > 0.0).then(|| classes.iter().position(|class| class == name)).flatten()
    }

    /// Labels in which rows that cost nothing are a class of their own, so that the others are dealt out evenly.
    fn with_rows_that_count(&self) -> Labels {
        let name = |row: usize| match self.costs[row] > 0.0 {
            true => format!("={}", self.labels.text(row)),
            false => String::new(),
        };
        Labels::from_text((0..self.costs.len()).map(name))
    }
}
