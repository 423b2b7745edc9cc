//! The sides of variables that an interior-point method moves.

/// One side of a variable.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub variable: usize,
    pub low: f64,
    pub high: f64,
    /// ±ε
    pub slope: f64,
    pub x: f64,
    /// Multiplier of the lower bound; 0 where there is none.
    pub z: f64,
    /// Multiplier of the upper bound.
    pub w: f64,
}

/// A Newton step of one part.
#[derive(Clone, Copy, Default)]
pub(super) struct Step {
    pub x: f64,
    pub z: f64,
    pub w: f64,
}

impl Part {
    pub fn below(&self) -> f64 {
        self.x - self.low
    }

    pub fn above(&self) -> f64 {
        self.high - self.x
    }

    pub fn is_inside(&self) -> bool {
        self.below() > 0.0 && self.above() > 0.0
    }

    /// z(x − l) + w(u − x)
    pub fn complementarity(&self) -> f64 {
        let side = |multiplier: f64, room: f64| if multiplier > 0.0 { multiplier * room } else { 0.0 };
        side(self.z, self.below()) + side(self.w, self.above())
    }

    pub fn theta(&self) -> f64 {
        self.z / self.below() + self.w / self.above()
    }

    /// The bounds that there are.
    pub fn sides(&self) -> usize {
        usize::from(self.low.is_finite()) + usize::from(self.high.is_finite())
    }

    /// How far one can go along the step and keep everything positive.
    pub fn longest(&self, step: &Step) -> f64 {
        let limit = |value: f64, change: f64| if change < 0.0 { -value / change } else { f64::INFINITY };
        limit(self.below(), step.x)
            .min(limit(self.above(), -step.x))
            .min(if self.low.is_finite() { limit(self.z, step.z) } else { f64::INFINITY })
            .min(if self.high.is_finite() { limit(self.w, step.w) } else { f64::INFINITY })
    }

    pub fn moved(&self, step: &Step, length: f64) -> Part {
        Part {
            x: self.x + length * step.x,
            z: self.z + length * step.z,
            w: self.w + length * step.w,
            ..*self
        }
    }
}

/// How far all parts can go along their steps.
pub(super) fn longest(parts: &[Part], steps: &[Step]) -> f64 {
    parts.iter().zip(steps).map(|(part, step)| part.longest(step)).fold(f64::INFINITY, f64::min)
}
