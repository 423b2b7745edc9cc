//! Platt's sigmoid: p(f) = 1/(1 + exp(a·f + b)).

use serde::{Deserialize, Serialize};

use super::{Held, targets};

/// Newton steps, at most; it takes a handful.
const STEPS: usize = 100;
/// What is added to the second derivatives so that they can be divided by.
const RIDGE: f64 = 1e-12;
/// Step lengths below this change nothing any more.
const LEAST_STEP: f64 = 1e-10;
/// A gradient of this size per row is 0.
const FLAT: f64 = 1e-11;

/// The probability of the later class of a pair as a function of the decision value.
///
/// ```
/// use mercer::machine::probability::Sigmoid;
/// let sigmoid = Sigmoid { slope: -2.0, shift: 0.0 };
/// assert_eq!(sigmoid.probability(0.0), 0.5);
/// assert!(sigmoid.probability(3.0) > 0.99);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sigmoid {
    /// a ≤ 0
    pub slope: f64,
    /// b
    pub shift: f64,
}

impl Sigmoid {
    /// p(f), computed so that nothing overflows.
    pub fn probability(&self, decision: f64) -> f64 {
        logistic(-(self.slope * decision + self.shift))
    }

    /// The most likely sigmoid for decision values of rows that had no part in them; without `shift` it is ½ at 0.
    ///
    /// Minimises the cross-entropy with targets that allow for a row more of each class, by Newton steps with
    /// backtracking (Platt 2000; Lin, Lin & Weng 2007). The problem is convex, so the answer is one and does not depend
    /// on the order of the rows but for rounding. It rises with f: where the rows say otherwise, it is constant.
    ///
    /// ```
    /// use mercer::machine::probability::{Held, Sigmoid};
    /// let rows: Vec<Held> = [(-2.0, false), (-1.0, false), (0.5, false), (-0.5, true), (1.0, true), (2.0, true)]
    ///     .map(|(decision, positive)| Held { decision, positive, weight: 1.0 }).to_vec();
    /// let sigmoid = Sigmoid::fit(&rows, false);
    /// assert!(sigmoid.slope < -0.5 && sigmoid.shift == 0.0);
    /// ```
    pub fn fit(rows: &[Held], shift: bool) -> Self {
        let (high, low) = targets(rows);
        let mass = |positive: bool| -> f64 {
            rows.iter().filter(|row| row.positive == positive).map(|row| row.weight).sum()
        };
        let (above, below) = (mass(true), mass(false));
        let start = if shift { ((below + 1.0) / (above + 1.0)).ln() } else { 0.0 };
        let target = |row: &Held| if row.positive { high } else { low };
        // −Σ w [t ln p + (1 − t) ln(1 − p)] = Σ w [t z + ln(1 + exp(−z))] with z = a f + b.
        let loss = |at: Sigmoid| -> f64 {
            rows.iter()
                .map(|row| {
                    let z = at.slope * row.decision + at.shift;
                    row.weight * (target(row) * z + softplus(-z))
                })
                .sum()
        };
        let mut at = Sigmoid { slope: 0.0, shift: start };
        let mut value = loss(at);
        for _ in 0..STEPS {
            let (mut h11, mut h22, mut h21, mut g1, mut g2) = (RIDGE, RIDGE, 0.0, 0.0, 0.0);
            for row in rows {
                let p = at.probability(row.decision);
                let (f, curve) = (row.decision, row.weight * p * (1.0 - p));
                let slope = row.weight * (target(row) - p);
                h11 += f * f * curve;
                h22 += curve;
                h21 += f * curve;
                g1 += f * slope;
                g2 += slope;
            }
            if !shift {
                (h22, h21, g2) = (1.0, 0.0, 0.0);
            }
            if g1.abs() < FLAT * (above + below) && g2.abs() < FLAT * (above + below) {
                break;
            }
            let determinant = h11 * h22 - h21 * h21;
            let (da, db) = (-(h22 * g1 - h21 * g2) / determinant, -(h11 * g2 - h21 * g1) / determinant);
            let along = g1 * da + g2 * db;
            let mut length = 1.0;
            let next = loop {
                let next = Sigmoid { slope: at.slope + length * da, shift: at.shift + length * db };
                let reached = loss(next);
                if reached < value + 1e-4 * length * along {
                    break Some((next, reached));
                }
                length *= 0.5;
                if length < LEAST_STEP {
                    break None;
                }
            };
            match next {
                Some(better) => (at, value) = better,
                None => break,
            }
        }
        if at.slope > 0.0 { Sigmoid { slope: 0.0, shift: start } } else { at }
    }
}

/// 1/(1 + e⁻ᶻ)
fn logistic(z: f64) -> f64 {
    if z >= 0.0 { 1.0 / (1.0 + (-z).exp()) } else { z.exp() / (1.0 + z.exp()) }
}

/// ln(1 + eᶻ)
fn softplus(z: f64) -> f64 {
    z.max(0.0) + (-z.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(of: &[(f64, bool)]) -> Vec<Held> {
        of.iter().map(|&(decision, positive)| Held { decision, positive, weight: 1.0 }).collect()
    }

    #[test]
    fn the_gradient_vanishes_at_the_answer() {
        let rows =
            rows(&[(-1.5, false), (-0.2, true), (0.1, false), (0.4, true), (2.0, true), (-0.7, false)]);
        for shift in [true, false] {
            let fit = Sigmoid::fit(&rows, shift);
            let (high, low) = targets(&rows);
            let residual = |row: &Held| {
                let target = if row.positive { high } else { low };
                target - fit.probability(row.decision)
            };
            assert!(rows.iter().map(|row| row.decision * residual(row)).sum::<f64>().abs() < 1e-8);
            if shift {
                assert!(rows.iter().map(residual).sum::<f64>().abs() < 1e-8);
            }
        }
    }

    #[test]
    fn weights_are_repeated_rows_but_for_the_prior() {
        let once = rows(&[(-1.0, false), (0.3, true), (0.2, false), (1.0, true)]);
        let weighted: Vec<Held> = once.iter().map(|row| Held { weight: 2.0, ..*row }).collect();
        let twice: Vec<Held> = once.iter().chain(&once).copied().collect();
        let (a, b) = (Sigmoid::fit(&weighted, true), Sigmoid::fit(&twice, true));
        assert!((a.slope - b.slope).abs() < 1e-9 && (a.shift - b.shift).abs() < 1e-9);
    }

    #[test]
    fn a_decision_that_speaks_against_itself_says_nothing() {
        let fit = Sigmoid::fit(&rows(&[(-1.0, true), (1.0, false), (-2.0, true), (2.0, false)]), true);
        assert_eq!(fit.slope, 0.0);
        assert!((fit.probability(5.0) - 0.5).abs() < 1e-12);
        // Far out nothing overflows.
        let steep = Sigmoid { slope: -1e6, shift: 0.0 };
        assert_eq!((steep.probability(1e6), steep.probability(-1e6)), (1.0, 0.0));
    }
}
