//! One variable of the dual: min over v in [L, U] of g·(v − β) + ½h(v − β)² + ε|v|, where g is the slope at β.

use crate::solver::DualProblem;

/// What bounds a variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    pub lower: f64,
    pub upper: f64,
    /// ε
    pub tube: f64,
}

impl Variable {
    pub fn of(problem: &DualProblem, i: usize) -> Self {
        Variable { lower: problem.lower[i], upper: problem.upper[i], tube: problem.insensitivity(i) }
    }

    /// The best v; where h = 0 it is a bound, or β if nothing is to be gained.
    pub fn best(&self, beta: f64, g: f64, h: f64) -> f64 {
        // h·v + (g − h·β) + ε·sign(v) = 0
        let pull = h * beta - g;
        let v = if pull > self.tube {
            if h > 0.0 { (pull - self.tube) / h } else { f64::INFINITY }
        } else if pull < -self.tube {
            if h > 0.0 { (pull + self.tube) / h } else { f64::NEG_INFINITY }
        } else if h > 0.0 || self.tube > 0.0 {
            0.0
        } else {
            beta
        };
        v.clamp(self.lower, self.upper)
    }

    /// The slope where β can still go down it, otherwise 0.
    pub fn projected_slope(&self, beta: f64, g: f64) -> f64 {
        let (right, left) = self.slopes(beta, g);
        if right < 0.0 && beta < self.upper {
            right
        } else if left > 0.0 && beta > self.lower {
            left
        } else {
            0.0
        }
    }

    /// Whether β is where it would stay even if slopes changed by `width`.
    pub fn is_settled(&self, beta: f64, g: f64, width: f64) -> bool {
        let (right, left) = self.slopes(beta, g);
        (beta == self.upper || right > width) && (beta == self.lower || left < -width)
    }

    /// Whether a small change of the slope moves β.
    pub fn is_free(&self, beta: f64) -> bool {
        beta > self.lower && beta < self.upper && (self.tube == 0.0 || beta != 0.0)
    }

    /// β, kept within its bounds and, where there is a tube, on its side of 0.
    pub fn keep(&self, old: f64, beta: f64) -> f64 {
        let (mut lower, mut upper) = (self.lower, self.upper);
        if self.tube > 0.0 {
            if old > 0.0 { lower = lower.max(0.0) } else { upper = upper.min(0.0) }
        }
        beta.clamp(lower, upper)
    }

    /// The slopes to the right and to the left, which differ where the tube makes a kink.
    fn slopes(&self, beta: f64, g: f64) -> (f64, f64) {
        let right = g + if beta >= 0.0 { self.tube } else { -self.tube };
        let left = g + if beta > 0.0 { self.tube } else { -self.tube };
        (right, left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_value_has_no_slope_left() {
        let variable = Variable { lower: -1.0, upper: 2.0, tube: 0.5 };
        for step in -80..=80 {
            let g = f64::from(step) * 0.1;
            for (beta, h) in [(0.0, 1.0), (-1.0, 0.7), (0.4, 2.0)] {
                let v = variable.best(beta, g, h);
                let slope = variable.projected_slope(v, g + h * (v - beta));
                assert!(slope.abs() < 1e-12, "{beta} {g} {h}: {v}, {slope}");
            }
        }
    }

    #[test]
    fn a_variable_without_curvature_goes_to_its_bound() {
        let variable = Variable { lower: -1.0, upper: 2.0, tube: 0.0 };
        assert_eq!([-1.0, 0.0, 1.0].map(|g| variable.best(0.3, g, 0.0)), [2.0, 0.3, -1.0]);
    }
}
