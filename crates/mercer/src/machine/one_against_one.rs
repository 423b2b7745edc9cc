//! Many classes by one machine for each pair of them.
//!
//! With k classes there are k(k−1)/2 pairs (a, b), a < b, in the order (0,1), (0,2), …, (1,2), …. The decision
//! value of a pair is positive where it speaks for the **later** class b, as the one machine of a two-class
//! problem does. Every pair gives its winner a vote.
//!
//! The score of a class is its votes plus s/(3(|s| + 1)), where s sums the decision values for and against it:
//! less than ⅓ either way, so that it only decides between equal votes. The class of the highest score is
//! predicted; if scores are equal, the first. A value of exactly 0 is for the later of two classes, as in LIBSVM, but a vote
//! for the earlier of more, as in scikit-learn's `decision_function`; [`most_votes`] counts as LIBSVM does.
//!
//! A decision graph ([`Decision::Graph`]; Platt, Cristianini & Shawe-Taylor 2000) asks k − 1 of the pairs only: of the
//! classes that are left the first and the last are compared, and the loser leaves. The score of a class is the step at
//! which it left, plus s/(3(|s| + 1)) with the decision value s that spoke for it in that step.

use serde::{Deserialize, Serialize};

/// How pairs decide between classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// Every pair has a vote.
    #[default]
    Votes,
    /// The same, but of classes with equally many votes the first wins, however sure the pairs are: as LIBSVM and scikit-learn predict.
    FirstVotes,
    /// The loser of a pair leaves, until one class is left: the directed acyclic graph of Platt et al.
    Graph,
}

/// The pairs (a, b) of `classes` classes in their fixed order.
///
/// ```
/// use mercer::machine::one_against_one::pairs;
/// assert_eq!(pairs(3).collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2)]);
/// ```
pub fn pairs(classes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..classes).flat_map(move |a| (a + 1..classes).map(move |b| (a, b)))
}

/// Scores of the classes from the decision values of all pairs.
///
/// ```
/// use mercer::machine::one_against_one::scores;
/// // Pairs (0,1), (0,2), (1,2): class 2 wins twice, class 0 once.
/// let scores = scores(3, &[-1.0, 0.5, 2.0]);
/// assert!(scores[2] > scores[0] && scores[0] > scores[1]);
/// ```
pub fn scores(classes: usize, decisions: &[f64]) -> Vec<f64> {
    let mut votes = vec![0.0; classes];
    let mut confidence = vec![0.0; classes];
    for ((a, b), &d) in pairs(classes).zip(decisions) {
        votes[if d > 0.0 { b } else { a }] += 1.0;
        confidence[b] += d;
        confidence[a] -= d;
    }
    votes.iter().zip(&confidence).map(|(v, s): (&f64, &f64)| v + s / (3.0 * (s.abs() + 1.0))).collect()
}

/// The same scores, of which the class with the most votes, and of equals the first, has the highest: it changes places with the one
/// that had it.
///
/// ```
/// use mercer::machine::one_against_one::{first_scores, most_votes, scores, winner};
/// // A cycle: 1 beats 0, 0 beats 2, 2 beats 1.
/// let decisions = [0.1, -3.0, 9.0];
/// assert_eq!(winner(&scores(3, &decisions)), 2);
/// assert_eq!(winner(&first_scores(3, &decisions)), most_votes(3, &decisions));
/// ```
pub fn first_scores(classes: usize, decisions: &[f64]) -> Vec<f64> {
    let mut scores = scores(classes, decisions);
    let most = highest(&scores);
    scores.swap(most, most_votes(classes, decisions));
    scores
}

/// Scores of the classes by a decision graph.
///
/// ```
/// use mercer::machine::one_against_one::graph_scores;
/// // 0 against 2: 2 wins. 1 against 2: 1 wins, though it would have lost to 0.
/// let scores = graph_scores(3, &[-1.0, 0.5, -2.0]);
/// assert!(scores[1] > scores[2] && scores[2] > scores[0]);
/// ```
///
/// # Panics
/// If there is no class, or not a decision value for each pair.
pub fn graph_scores(classes: usize, decisions: &[f64]) -> Vec<f64> {
    let number = |a: usize, b: usize| a * (2 * classes - a - 1) / 2 + (b - a - 1);
    let bounded = |s: f64| s / (3.0 * (s.abs() + 1.0));
    let mut scores = vec![0.0; classes];
    let (mut first, mut last) = (0, classes - 1);
    while first < last {
        let step = (classes - 1 - (last - first)) as f64;
        let d = decisions[number(first, last)];
        let (loser, winner) = if d >= 0.0 { (first, last) } else { (last, first) };
        scores[loser] = step - bounded(d.abs());
        scores[winner] = step + 1.0 + bounded(d.abs());
        if d >= 0.0 { first += 1 } else { last -= 1 }
    }
    scores
}

/// The class with the most votes, of equals the first: LIBSVM's answer, which does not ask how sure the pairs are.
///
/// ```
/// use mercer::machine::one_against_one::most_votes;
/// // A cycle: 1 beats 0, 0 beats 2, 2 beats 1.
/// assert_eq!(most_votes(3, &[0.1, -3.0, 9.0]), 0);
/// assert_eq!(most_votes(2, &[0.0]), 1);
/// ```
///
/// # Panics
/// If there is no class.
pub fn most_votes(classes: usize, decisions: &[f64]) -> usize {
    let mut votes = vec![0.0; classes];
    for ((a, b), &d) in pairs(classes).zip(decisions) {
        votes[if d >= 0.0 { b } else { a }] += 1.0;
    }
    highest(&votes)
}

/// The class that scores speak for: that of the highest; of equals the first, but the later of two, as a value of 0 does.
///
/// ```
/// use mercer::machine::one_against_one::winner;
/// assert_eq!(winner(&[0.1, 2.0, 2.0]), 1);
/// assert_eq!(winner(&[-0.0, 0.0]), 1);
/// ```
pub fn winner(scores: &[f64]) -> usize {
    match scores {
        [earlier, later] => usize::from(later >= earlier),
        _ => highest(scores),
    }
}

/// Position of the highest value; the first of equals.
///
/// ```
/// assert_eq!(mercer::machine::one_against_one::highest(&[2.0, 2.0]), 0);
/// ```
pub fn highest(values: &[f64]) -> usize {
    let mut best = 0;
    for (position, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = position;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidence_never_outweighs_a_vote() {
        // Class 0 has 1 vote with huge confidence, class 1 has 2 votes by a hair.
        let s = scores(3, &[1e-9, -1e9, -1e-9]);
        assert!(s[1] > s[0] && s[1] > s[2]);
        assert_eq!(winner(&s), 1);
    }

    #[test]
    fn equal_votes_are_decided_by_confidence() {
        // A cycle: 1 beats 0, 0 beats 2, 2 beats 1.
        let s = scores(3, &[0.1, -3.0, 0.2]);
        assert_eq!(winner(&s), 0);
    }

    #[test]
    fn what_a_value_of_exactly_0_means() {
        assert_eq!(winner(&[-0.0, 0.0]), 1);
        assert_eq!(most_votes(3, &[0.0, 0.0, 0.0]), 2);
        assert_eq!(winner(&graph_scores(3, &[0.0, 0.0, 0.0])), 2);
        assert_eq!(winner(&scores(3, &[0.0, 0.0, 0.0])), 0);
    }

    #[test]
    fn pairs_come_in_order() {
        assert_eq!(pairs(4).collect::<Vec<_>>(), [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
    }
}
