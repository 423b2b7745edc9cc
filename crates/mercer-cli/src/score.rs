//! How well a model does on rows that it was trained on.

use std::time::Instant;

use mercer::Result;
use mercer::data::{Items, Labels, Random, Vectors};
use mercer::kernel::Expression;
use mercer::machine::SvcModel;

use crate::print::count;

/// Most rows that are looked at: enough for a percentage of two digits.
const MOST_ROWS: usize = 10_000;

/// Rows that are looked at however many support vectors there are.
const FEWEST_ROWS: usize = 1_000;

/// Kernel values that the answer may cost, about a second's work: little beside the training of so large a model.
const MOST_VALUES: usize = 1 << 28;

/// Rows between two looks at the clock.
const CHUNK: usize = 1_000;

/// Rows predicted as they are labelled.
pub struct Score {
    right: usize,
    seen: usize,
    all: usize,
}

/// Predicts the training rows, or a random sample of many, until the deadline.
pub fn score(
    model: &SvcModel<Expression, Vectors<'static>>,
    rows: &Vectors<'_>,
    labels: &Labels,
    deadline: Option<Instant>,
) -> Result<Score> {
    let support = model.support_items().len().max(1);
    let sample = sample(rows.len(), (MOST_VALUES / support).clamp(FEWEST_ROWS, MOST_ROWS));
    let mut score = Score { right: 0, seen: 0, all: rows.len() };
    let chunk = if deadline.is_some() { CHUNK } else { MOST_ROWS };
    for part in sample.chunks(chunk) {
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            break;
        }
        let predicted = model.predict_labels(&rows.select(part))?;
        score.right +=
            predicted.iter().zip(part).filter(|(label, row)| **label == labels.text(**row)).count();
        score.seen += part.len();
    }
    Ok(score)
}

/// At most so many of the rows; the same ones each time.
fn sample(rows: usize, most: usize) -> Vec<usize> {
    let mut sample: Vec<usize> = (0..rows).collect();
    // In random order even if all are taken, since a deadline may end the count early.
    Random::new(0).shuffle(&mut sample);
    sample.truncate(most);
    sample
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.seen == 0 {
            return f.write_str("not counted: the time limit is used up");
        }
        let share = 100.0 * self.right as f64 / self.seen as f64;
        let (right, seen) = (count(self.right as u64), count(self.seen as u64));
        let drawn = if self.seen < self.all { " drawn at random" } else { "" };
        write!(f, "{share:.2} % right ({right} of {seen}{drawn}); on new rows expect less")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_without_repetition_and_repeatable() {
        let mut drawn = sample(5000, 1000);
        assert_eq!(drawn, sample(5000, 1000));
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn.len(), 1000);
        assert_eq!(sample(3, 1000).len(), 3);
    }

    #[test]
    fn a_score_says_what_it_was_counted_on() {
        let text = |right, seen, all| Score { right, seen, all }.to_string();
        assert_eq!(text(3, 4, 4), "75.00 % right (3 of 4); on new rows expect less");
        assert_eq!(
            text(750, 1000, 50_000),
            "75.00 % right (750 of 1 000 drawn at random); on new rows expect less"
        );
        assert_eq!(text(0, 0, 4), "not counted: the time limit is used up");
    }
}
