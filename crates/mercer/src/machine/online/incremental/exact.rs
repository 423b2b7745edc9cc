//! Coefficients and sums in twice the precision: what f is made of may be far larger than f.
//!
//! At a large cost the terms βᵢ k(xᵢ, x) are as large as C k(x, x) and cancel each other, so that a plain sum loses the digits that the conditions of
//! optimality are about, and so do coefficients that are rounded. Here every product and every sum keeps what rounding takes from it (T. Ogita,
//! S. M. Rump, S. Oishi: Accurate sum and dot product, SIAM J. Sci. Comput. 26 (2005)).

/// Sums, each as a number and what rounding has taken from it.
pub(super) struct Sums {
    values: Vec<f64>,
    lost: Vec<f64>,
}

impl Sums {
    /// Sums that begin with these values.
    pub fn starting_at(values: Vec<f64>) -> Self {
        let lost = vec![0.0; values.len()];
        Sums { values, lost }
    }

    /// Adds the multiple of a row, number by number.
    pub fn add(&mut self, factor: f64, row: &[f64]) {
        for ((value, lost), k) in self.values.iter_mut().zip(&mut self.lost).zip(row) {
            add(value, lost, factor, *k);
        }
    }

    /// The sums, rounded once.
    pub fn rounded(self) -> Vec<f64> {
        self.values.iter().zip(&self.lost).map(|(value, lost)| value + lost).collect()
    }
}

/// Coefficients, each as a number and what it lacks of the true one.
#[derive(Clone, Debug, Default)]
pub(super) struct Coefficients {
    pub rounded: Vec<f64>,
    lacking: Vec<f64>,
}

impl Coefficients {
    /// Coefficients that are numbers.
    pub fn of(rounded: Vec<f64>) -> Self {
        let lacking = vec![0.0; rounded.len()];
        Coefficients { rounded, lacking }
    }

    pub fn push(&mut self, value: f64) {
        self.rounded.push(value);
        self.lacking.push(0.0);
    }

    pub fn swap_remove(&mut self, slot: usize) {
        self.rounded.swap_remove(slot);
        self.lacking.swap_remove(slot);
    }

    pub fn set(&mut self, slot: usize, value: f64) {
        (self.rounded[slot], self.lacking[slot]) = (value, 0.0);
    }

    /// Moves a coefficient, but not out of its bounds.
    pub fn shift(&mut self, slot: usize, step: f64, lower: f64, upper: f64) {
        let (sum, lost) = two_sum(self.rounded[slot], step);
        (self.rounded[slot], self.lacking[slot]) = two_sum(sum, lost + self.lacking[slot]);
        if self.way_to(slot, lower) > 0.0 {
            self.set(slot, lower);
        } else if self.way_to(slot, upper) < 0.0 {
            self.set(slot, upper);
        }
    }

    /// How far it is from a coefficient to this number.
    pub fn way_to(&self, slot: usize, number: f64) -> f64 {
        (number - self.rounded[slot]) - self.lacking[slot]
    }

    /// start + Σ βᵢ kᵢ, rounded once.
    pub fn value(&self, start: f64, row: &[f64]) -> f64 {
        let (mut value, mut lost) = (start, 0.0);
        for (beta, k) in self.rounded.iter().chain(&self.lacking).zip(row.iter().chain(row)) {
            add(&mut value, &mut lost, *beta, *k);
        }
        value + lost
    }

    /// Σ βᵢ, rounded once.
    pub fn sum(&self) -> f64 {
        let (mut value, mut lost) = (0.0, 0.0);
        for beta in self.rounded.iter().chain(&self.lacking) {
            add(&mut value, &mut lost, *beta, 1.0);
        }
        value + lost
    }

    /// Adds the multiple of a row that this coefficient stands for.
    pub fn add_to(&self, sums: &mut Sums, slot: usize, row: &[f64]) {
        for part in [self.rounded[slot], self.lacking[slot]] {
            if part != 0.0 {
                sums.add(part, row);
            }
        }
    }
}

fn add(value: &mut f64, lost: &mut f64, a: f64, b: f64) {
    let product = a * b;
    let of_product = a.mul_add(b, -product);
    let (sum, of_sum) = two_sum(*value, product);
    *value = sum;
    *lost += of_product + of_sum;
}

/// A sum and what rounding takes from it.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let rest = sum - a;
    (sum, (a - (sum - rest)) + (b - rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cancels_leaves_the_rest() {
        let (a, b) = ([1e20, 3.0, -1e20, 1.0 + f64::EPSILON], [1.0, 0.125, 1.0, 1.0 - f64::EPSILON]);
        assert_eq!(Coefficients::of(a.to_vec()).value(-0.375, &b), 1.0);
        let mut sums = Sums::starting_at(vec![0.25, -0.375]);
        for (a, b) in a.iter().zip(&b) {
            sums.add(*a, &[*b, *b]);
        }
        assert_eq!(sums.rounded(), [1.625, 1.0]);
    }

    #[test]
    fn coefficients_keep_what_they_lack() {
        let mut beta = Coefficients::of(vec![1e6, -3.0]);
        for _ in 0..10 {
            beta.shift(0, 1e-12, 0.0, 2e6);
        }
        assert_eq!(beta.rounded[0], 1e6);
        assert!((beta.way_to(0, 1e6) + 1e-11).abs() < 1e-25);
        assert!((beta.value(-1e14, &[1e8, 0.0]) - 1e-3).abs() < 1e-16);
        assert!((beta.sum() - 999_997.0 - 1e-11).abs() < 1e-9);
        // Out of bounds by less than the digits of the bound is out of bounds.
        beta.shift(0, 1e-12, 0.0, 1e6);
        assert_eq!((beta.rounded[0], beta.way_to(0, 1e6)), (1e6, 0.0));
        beta.shift(0, 2e6, f64::NEG_INFINITY, 2e6);
        assert_eq!((beta.rounded[0], beta.way_to(0, 2e6)), (2e6, 0.0));
    }
}
