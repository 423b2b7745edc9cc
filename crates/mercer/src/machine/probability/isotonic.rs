//! Isotonic calibration: the rising step function that fits best.

use serde::{Deserialize, Serialize};

use super::{Held, targets};
use crate::error::{Error, Result};

/// A function that rises from point to point, straight between them and constant beyond.
///
/// ```
/// use mercer::machine::probability::Isotonic;
/// let map = Isotonic { decisions: vec![-1.0, 1.0], probabilities: vec![0.2, 0.8] };
/// assert_eq!([map.probability(-9.0), map.probability(0.0), map.probability(9.0)], [0.2, 0.5, 0.8]);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Isotonic {
    /// Decision values, ascending.
    pub decisions: Vec<f64>,
    /// Probabilities at them, never falling.
    pub probabilities: Vec<f64>,
}

impl Isotonic {
    /// The best rising fit in least squares by pooling neighbours that fall (Ayer et al. 1955), O(n log n).
    ///
    /// It is held to at most ½ where the other class is predicted (f ≤ 0) and at least ½ where it is not. Targets allow
    /// for a row more of each class, so that no probability is 0 or 1.
    ///
    /// ```
    /// use mercer::machine::probability::{Held, Isotonic};
    /// let rows: Vec<Held> = [(-2.0, false), (-1.0, true), (-0.5, false), (1.0, true), (2.0, true)]
    ///     .map(|(decision, positive)| Held { decision, positive, weight: 1.0 }).to_vec();
    /// let map = Isotonic::fit(&rows);
    /// assert!(map.probability(-0.7) <= 0.5 && map.probability(1.5) > 0.7);
    /// ```
    pub fn fit(rows: &[Held]) -> Self {
        let (high, low) = targets(rows);
        let mut sorted: Vec<&Held> = rows.iter().filter(|row| row.weight > 0.0).collect();
        sorted.sort_by(|a, b| a.decision.total_cmp(&b.decision));
        // Blocks of (first and last decision value, Σ weight·target, Σ weight); equal values are one block.
        let mut blocks: Vec<(f64, f64, f64, f64)> = Vec::new();
        for row in sorted {
            let sum = row.weight * if row.positive { high } else { low };
            match blocks.last_mut().filter(|last| last.1 == row.decision && last.0 == row.decision) {
                Some(last) => (last.2, last.3) = (last.2 + sum, last.3 + row.weight),
                None => blocks.push((row.decision, row.decision, sum, row.weight)),
            }
        }
        let mut pooled: Vec<(f64, f64, f64, f64)> = Vec::new();
        for mut block in blocks {
            while let Some(before) = pooled.pop_if(|before| before.2 * block.3 >= block.2 * before.3) {
                block = (before.0, block.1, before.2 + block.2, before.3 + block.3);
            }
            pooled.push(block);
        }
        let (mut decisions, mut probabilities) = (Vec::new(), Vec::new());
        for (first, last, sum, weight) in pooled {
            decisions.push(first);
            probabilities.push(sum / weight);
            if last > first {
                decisions.push(last);
                probabilities.push(sum / weight);
            }
        }
        Isotonic { decisions, probabilities }
    }

    /// p(f)
    pub fn probability(&self, decision: f64) -> f64 {
        let after = self.decisions.partition_point(|&d| d < decision);
        let p = match (after.checked_sub(1), self.decisions.get(after)) {
            (_, None) => self.probabilities.last().copied().unwrap_or(0.5),
            (None, Some(_)) => self.probabilities[0],
            (Some(before), Some(&right)) => {
                let left = self.decisions[before];
                let share = (decision - left) / (right - left);
                self.probabilities[before] + share * (self.probabilities[after] - self.probabilities[before])
            }
        };
        if decision > 0.0 { p.max(0.5) } else { p.min(0.5) }
    }

    pub(super) fn check(&self) -> Result<()> {
        let (found, expected) = (self.probabilities.len(), self.decisions.len());
        if found != expected || found == 0 {
            return Err(Error::Shape { what: "points of a calibration", expected: expected.max(1), found });
        }
        let falls = |values: &[f64]| {
            let not_after =
                |pair: &[f64]| !matches!(pair[1].partial_cmp(&pair[0]), Some(order) if order.is_ge());
            values.windows(2).position(not_after)
        };
        for (what, values) in
            [("decision value of a calibration", &self.decisions), ("probability", &self.probabilities)]
        {
            if let Some(index) = values.iter().position(|v| !v.is_finite()).or_else(|| falls(values)) {
                let expected = "finite numbers that never fall";
                return Err(Error::Entry { what, index, value: values[index], expected });
            }
        }
        match self.probabilities.iter().position(|p| !(0.0..=1.0).contains(p)) {
            Some(index) => {
                let (what, expected) = ("probability", "a number between 0 and 1");
                Err(Error::Entry { what, index, value: self.probabilities[index], expected })
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pooling_agrees_with_the_minimax_formula() {
        let mut random = crate::data::Random::new(5);
        let rows: Vec<Held> = (0..60)
            .map(|_| {
                let decision = random.normal();
                Held { decision, positive: decision + random.normal() > 0.0, weight: 1.0 + random.uniform() }
            })
            .collect();
        let map = Isotonic::fit(&rows);
        let (high, low) = targets(&rows);
        let mut sorted = rows.clone();
        sorted.sort_by(|a, b| a.decision.total_cmp(&b.decision));
        // ĝ(i) = max over a ≤ i of min over b ≥ i of the mean of targets a..=b.
        let mean = |part: &[Held]| {
            let weight: f64 = part.iter().map(|row| row.weight).sum();
            part.iter().map(|row| row.weight * if row.positive { high } else { low }).sum::<f64>() / weight
        };
        for i in 0..sorted.len() {
            let best = (0..=i)
                .map(|a| (i..sorted.len()).map(|b| mean(&sorted[a..=b])).fold(f64::INFINITY, f64::min))
                .fold(f64::NEG_INFINITY, f64::max);
            let expected = if sorted[i].decision > 0.0 { best.max(0.5) } else { best.min(0.5) };
            assert!((map.probability(sorted[i].decision) - expected).abs() < 1e-12);
        }
        assert!(map.check().is_ok());
    }
}
