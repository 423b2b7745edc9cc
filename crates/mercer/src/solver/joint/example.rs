//! One example: its slopes, its bounds, and how far it is from optimal by itself.

use super::Joint;

/// How an example stands: its coefficients τ, and the values f of the functions at it.
///
/// With α_c = −τ_c ≥ 0 for the other classes c ≠ y and τ_y = Σ α_c, the slope of the objective where α_c grows is
/// s_c = f_y + b_y − f_c − b_c − m, and s_y = 0.
#[derive(Clone, Copy)]
pub(crate) struct Example<'a> {
    pub machine: Joint,
    /// y
    pub class: usize,
    /// C
    pub cost: f64,
    pub tau: &'a [f64],
    pub f: &'a [f64],
    /// b, one per class.
    pub offsets: &'a [f64],
}

impl<'a> Example<'a> {
    /// The other classes.
    pub fn others(self) -> impl Iterator<Item = usize> + use<'a> {
        let own = self.class;
        (0..self.tau.len()).filter(move |&c| c != own)
    }

    /// s_c: negative where the margin is missed.
    #[inline]
    pub fn slope(self, c: usize) -> f64 {
        let own = self.f[self.class] + self.offsets[self.class];
        own - (self.f[c] + self.offsets[c]) - self.machine.margin()
    }

    /// Whether τ_c can grow, that is α_c can fall; for y of Crammer and Singer, whether the sum of all α can grow.
    fn can_fall(self, c: usize) -> bool {
        self.tau[c] < 0.0
    }

    fn has_room(self) -> bool {
        self.tau[self.class] < self.cost
    }

    /// By how much the optimality conditions of this example alone are violated.
    ///
    /// Weston & Watkins: s_c ≥ 0 where α_c can grow, s_c ≤ 0 where it can fall. Crammer & Singer: no class that can
    /// give weight (y, of slope 0, while their sum is below C) has a greater slope than any other.
    pub fn violation(self) -> f64 {
        match self.machine {
            Joint::WestonWatkins => {
                let mut worst = 0.0f64;
                for c in self.others() {
                    let slope = self.slope(c);
                    if -self.tau[c] < self.cost {
                        worst = worst.max(-slope);
                    }
                    if self.can_fall(c) {
                        worst = worst.max(slope);
                    }
                }
                worst
            }
            Joint::CrammerSinger => {
                let mut lowest = 0.0f64;
                let mut giving = if self.has_room() { 0.0 } else { f64::NEG_INFINITY };
                for c in self.others() {
                    let slope = self.slope(c);
                    lowest = lowest.min(slope);
                    if self.can_fall(c) {
                        giving = giving.max(slope);
                    }
                }
                (giving - lowest).max(0.0)
            }
        }
    }

    /// Whether some coefficient is between its bounds.
    pub fn is_free(self) -> bool {
        match self.machine {
            Joint::WestonWatkins => self.others().any(|c| self.can_fall(c) && -self.tau[c] < self.cost),
            Joint::CrammerSinger => self.giving().nth(1).is_some(),
        }
    }

    /// Whether every coefficient is at a bound that it would leave only if slopes changed by `width`.
    pub fn is_settled(self, width: f64) -> bool {
        match self.machine {
            Joint::WestonWatkins => {
                self.others().all(|c| match (self.can_fall(c), -self.tau[c] < self.cost) {
                    (true, true) => false,
                    (true, false) => self.slope(c) < -width,
                    (false, true) => self.slope(c) > width,
                    (false, false) => true,
                })
            }
            Joint::CrammerSinger => {
                let mut giving = self.giving();
                let Some(only) = giving.next() else { return true };
                let slope = |c| if c == self.class { 0.0 } else { self.slope(c) };
                let rest = (0..self.tau.len()).filter(|&c| c != only);
                giving.next().is_none()
                    && rest.fold(f64::INFINITY, |least, c| least.min(slope(c))) > slope(only) + width
            }
        }
    }

    /// Crammer & Singer: the classes that can give weight to others.
    fn giving(self) -> impl Iterator<Item = usize> + use<'a> {
        let movable = move |c: usize| if c == self.class { self.has_room() } else { self.can_fall(c) };
        (0..self.tau.len()).filter(move |&c| movable(c))
    }

    /// What the example adds to the duality gap, where each slope may be wrong by `error`: Σ α_c s_c + C · loss, which
    /// is never negative.
    pub fn gap(self, error: f64) -> f64 {
        let (mut linear, mut sum, mut largest) = (0.0, 0.0, 0.0f64);
        for c in self.others() {
            let slope = self.slope(c);
            let missed = (error - slope).max(0.0);
            linear -= self.tau[c] * (slope + error);
            sum += missed;
            largest = largest.max(missed);
        }
        let loss = match self.machine {
            Joint::WestonWatkins => sum,
            Joint::CrammerSinger => largest,
        };
        // Where nothing is lost, an infinite cost costs nothing.
        (linear + if loss > 0.0 { self.cost * loss } else { 0.0 }).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(machine: Joint, tau: &'static [f64], f: &'static [f64]) -> Example<'static> {
        Example { machine, class: 0, cost: 1.0, tau, f, offsets: &[0.0; 3] }
    }

    #[test]
    fn what_can_move_and_should_is_a_violation() {
        // Slopes −2, −1 and −1, 0 (margins 2 and 1).
        let f: &[f64] = &[1.0, 1.0, 0.0];
        assert_eq!(example(Joint::WestonWatkins, &[0.0, 0.0, 0.0], f).violation(), 2.0);
        assert_eq!(example(Joint::WestonWatkins, &[1.0, -1.0, 0.0], f).violation(), 1.0);
        assert_eq!(example(Joint::CrammerSinger, &[0.0, 0.0, 0.0], f).violation(), 1.0);
        // All weight is where it belongs.
        assert_eq!(example(Joint::CrammerSinger, &[1.0, -1.0, 0.0], f).violation(), 0.0);
        assert!(example(Joint::CrammerSinger, &[1.0, -1.0, 0.0], f).is_settled(0.9));
        // It should go from class 2 to class 1.
        assert_eq!(example(Joint::CrammerSinger, &[1.0, 0.0, -1.0], f).violation(), 1.0);
        assert!(!example(Joint::CrammerSinger, &[1.0, -0.5, -0.5], f).is_settled(0.0));
    }

    #[test]
    fn the_gap_is_zero_where_the_conditions_hold() {
        let f: &[f64] = &[1.0, 1.0, 0.0];
        assert_eq!(example(Joint::CrammerSinger, &[1.0, -1.0, 0.0], f).gap(0.0), 0.0);
        assert_eq!(example(Joint::WestonWatkins, &[2.0, -1.0, -1.0], f).gap(0.0), 0.0);
        assert_eq!(example(Joint::WestonWatkins, &[0.0, 0.0, 0.0], f).gap(0.0), 3.0);
        assert_eq!(example(Joint::CrammerSinger, &[0.0, 0.0, 0.0], f).gap(0.5), 1.5);
    }
}
