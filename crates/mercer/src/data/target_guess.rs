//! Classes or numbers: what targets look like where nobody has said what is to be learned.

use crate::data::Targets;

/// Different whole numbers from which on they are regression targets.
const MANY_WHOLE: usize = 21;
/// The same for numbers that are not all whole.
const MANY_FRACTIONS: usize = 21;
/// Fewer different numbers are classes in any case.
const FEW: usize = 10;

/// What targets look like.
///
/// | targets | task |
/// |---|---|
/// | words | classification |
/// | up to 10 different numbers | classification |
/// | more than 20 different numbers | regression |
/// | 11 to 20, most rows with one of their own | regression |
/// | 11 to 20 whole numbers of at least 0, frequent in the middle and rare at an end like counts | regression |
/// | other 11 to 20 | classification |
///
/// ```
/// use mercer::data::{Targets, TargetReason};
/// let rings = Targets::Numbers((0..280).map(|i| f64::from(i % 28)).collect());
/// let guess = rings.guess();
/// assert!(guess.is_regression && guess.reason == TargetReason::ManyNumbers);
/// assert_eq!(guess.to_string(), "28 different whole numbers");
///
/// let digits = Targets::Numbers((0..100).map(|i| f64::from(i % 10)).collect());
/// assert!(!digits.guess().is_regression);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetGuess {
    /// Whether they are numbers to be met; otherwise they are names of classes.
    pub is_regression: bool,
    /// Why.
    pub reason: TargetReason,
    /// How many different ones there are.
    pub different: usize,
    /// Whether all are whole numbers.
    pub whole: bool,
}

/// Why targets look like classes or like numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetReason {
    /// They are words, or there are none.
    Words,
    /// Few different numbers, which come again and again.
    FewNumbers,
    /// Many different numbers.
    ManyNumbers,
    /// Most rows have a number of their own.
    HardlyRepeated,
    /// Whole numbers that are as frequent as counts are.
    Counts,
}

impl std::fmt::Display for TargetGuess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let different = self.different;
        match (self.reason, self.whole) {
            (TargetReason::Words, _) => write!(f, "words"),
            (TargetReason::Counts, _) => {
                write!(f, "{different} different whole numbers, as frequent as counts")
            }
            (_, true) => write!(f, "{different} different whole numbers"),
            (_, false) => write!(f, "{different} different numbers"),
        }
    }
}

impl Targets {
    /// Whether these are names of classes or numbers to be met, if nobody says so. O(n log n).
    pub fn guess(&self) -> TargetGuess {
        let Targets::Numbers(numbers) = self else {
            let different = match self {
                Targets::Words(labels) => labels.classes().len(),
                _ => 0,
            };
            return TargetGuess {
                is_regression: false,
                reason: TargetReason::Words,
                different,
                whole: false,
            };
        };
        let counts = counts(numbers);
        let different = counts.len();
        let whole = numbers.iter().all(|number| number.fract() == 0.0);
        let many = if whole { MANY_WHOLE } else { MANY_FRACTIONS };
        let reason = if different >= many {
            TargetReason::ManyNumbers
        } else if different <= FEW {
            TargetReason::FewNumbers
        } else if 2 * different > numbers.len() {
            TargetReason::HardlyRepeated
        } else if whole && look_like_counts(&counts) {
            TargetReason::Counts
        } else {
            TargetReason::FewNumbers
        };
        TargetGuess { is_regression: reason != TargetReason::FewNumbers, reason, different, whole }
    }
}

/// The different numbers in order, and how often each stands there.
fn counts(numbers: &[f64]) -> Vec<(f64, usize)> {
    // -0 and 0 are one.
    let mut sorted: Vec<f64> = numbers.iter().map(|number| number + 0.0).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let mut counts: Vec<(f64, usize)> = Vec::new();
    for number in sorted {
        match counts.last_mut() {
            Some((last, count)) if *last == number => *count += 1,
            _ => counts.push((number, 1)),
        }
    }
    counts
}

/// Whether whole numbers are as frequent as counts are: none below 0, rising to one peak and falling from it but for a tenth of the
/// rows, and four times as frequent at the peak as at an end.
fn look_like_counts(counts: &[(f64, usize)]) -> bool {
    let of = |at: usize| counts[at].1;
    let Some(peak) = (0..counts.len()).max_by_key(|&at| of(at)) else { return false };
    let against = |before: usize, after: usize| of(before).saturating_sub(of(after));
    let rising: usize = (1..=peak).map(|at| against(at - 1, at)).sum();
    let falling: usize = (peak + 1..counts.len()).map(|at| against(at, at - 1)).sum();
    let rows: usize = counts.iter().map(|(_, count)| count).sum();
    let rarest_end = of(0).min(of(counts.len() - 1));
    counts[0].0 >= 0.0 && 10 * (rising + falling) <= rows && of(peak) >= 4 * rarest_end
}
