//! Sums that are beyond what an f64 can hold.

/// What can be summed and weighted, none of it negative.
pub(super) trait Amount: Copy {
    const ZERO: Self;
    const ONE: Self;

    fn plus(self, other: Self) -> Self;

    fn times(self, weight: f64) -> Self;
}

impl Amount for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;

    #[inline(always)]
    fn plus(self, other: f64) -> f64 {
        self + other
    }

    #[inline(always)]
    fn times(self, weight: f64) -> f64 {
        weight * self
    }
}

/// 2⁵¹²
const UNIT: f64 = 1.340_780_792_994_259_7e154;

/// mantissa · 2^(512 units): as exact as an f64, and never too large. As long as sums grow a mantissa of more than no unit is 1 at least, so that
/// what is two units smaller is of no account.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wide {
    mantissa: f64,
    units: u32,
}

impl Amount for Wide {
    const ZERO: Wide = Wide { mantissa: 0.0, units: 0 };
    const ONE: Wide = Wide { mantissa: 1.0, units: 0 };

    fn plus(self, other: Wide) -> Wide {
        let (more, less) = if self.units >= other.units { (self, other) } else { (other, self) };
        let smaller = match more.units - less.units {
            0 => less.mantissa,
            1 => less.mantissa / UNIT,
            2 => less.mantissa / UNIT / UNIT,
            _ => 0.0,
        };
        let mantissa = more.mantissa + smaller;
        match mantissa >= UNIT {
            true => Wide { mantissa: mantissa / UNIT, units: more.units + 1 },
            false => Wide { mantissa, units: more.units },
        }
    }

    fn times(self, weight: f64) -> Wide {
        Wide { mantissa: weight * self.mantissa, units: self.units }
    }
}

impl Wide {
    pub(super) fn ln(self) -> f64 {
        self.mantissa.ln() + 512.0 * f64::from(self.units) * std::f64::consts::LN_2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_have_their_logarithms() {
        assert_eq!(UNIT, 2.0f64.powi(512));
        let mut sum = Wide::ONE;
        for power in 1..5000u32 {
            sum = sum.plus(sum);
            let expected = f64::from(power) * std::f64::consts::LN_2;
            assert!((sum.ln() - expected).abs() <= 1e-12 * expected, "{power}");
        }
        assert_eq!(sum.plus(Wide::ONE), sum);
        assert_eq!(Wide::ZERO.plus(sum.times(0.5)).ln(), sum.times(0.5).ln());
    }
}
