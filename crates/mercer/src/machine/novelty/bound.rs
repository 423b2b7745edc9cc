//! How often an item like those of the training is taken for novel, at most.

/// The false-positive bound of Theorems 7.5, 7.9 and 7.12 of Shawe-Taylor & Cristianini, term by term.
///
/// With probability 1 − δ over training sets of ℓ items, an item drawn as they were lies outside the sphere whose
/// squared radius is r² + γ with a probability of at most
///
/// ```text
/// ‖ξ‖₁/(γℓ)  +  6R²/(γ√ℓ)  +  3 √(ln(2/δ)/(2ℓ))
/// ```
///
/// where R is the radius of a ball about the origin that holds all items there can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FalsePositiveBound {
    /// ‖ξ‖₁/(γℓ): items that are outside already.
    pub slack: f64,
    /// 6R²/(γ√ℓ): how much the region could have been fitted to chance.
    pub complexity: f64,
    /// 3√(ln(2/δ)/(2ℓ)): bad luck of the sample.
    pub confidence: f64,
}

impl FalsePositiveBound {
    /// The three terms.
    ///
    /// ```
    /// use mercer::machine::FalsePositiveBound;
    /// let bound = FalsePositiveBound::new(2.0, 1.0, 400.0, 0.5, 0.05);
    /// assert_eq!((bound.slack, bound.complexity), (0.01, 0.6));
    /// assert!((bound.total() - 0.8137).abs() < 1e-3);
    /// ```
    pub fn new(slack_sum: f64, largest_squared_norm: f64, items: f64, gamma: f64, delta: f64) -> Self {
        FalsePositiveBound {
            slack: slack_sum / (gamma * items),
            complexity: 6.0 * largest_squared_norm / (gamma * items.sqrt()),
            confidence: 3.0 * ((2.0 / delta).ln() / (2.0 * items)).sqrt(),
        }
    }

    /// Their sum; a bound above 1 says nothing.
    pub fn total(&self) -> f64 {
        self.slack + self.complexity + self.confidence
    }

    /// γ for which slack and complexity sum up to p (Corollary 7.14, where ν = p gives the smallest sphere).
    pub fn gamma_for(p: f64, slack_sum: f64, largest_squared_norm: f64, items: f64) -> f64 {
        (slack_sum / items + 6.0 * largest_squared_norm / items.sqrt()) / p
    }
}
