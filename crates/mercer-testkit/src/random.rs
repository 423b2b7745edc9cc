//! A small seeded generator for test data: the same numbers on every machine and in every version.

/// SplitMix64: one 64-bit word of state, every seed good.
///
/// ```
/// use mercer_testkit::random::Random;
/// assert_eq!(Random::new(0).word(), 0xe220a8397b1dcdaf);
/// ```
///
/// # References
/// Steele, Lea & Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The generator of this seed.
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    /// 64 random bits.
    pub fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1), a multiple of 2⁻⁵³.
    pub fn uniform(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// An integer in 0..bound, by remainder: biased by no more than bound / 2⁶⁴.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }

    /// Nearly normal, mean 0 and variance 1: a sum of twelve uniform numbers, which needs no logarithm and so
    /// has the same bits everywhere. Never beyond ±6.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }

    /// +1 or −1.
    pub fn sign(&mut self) -> f64 {
        if self.word() >> 63 == 0 { 1.0 } else { -1.0 }
    }

    /// Brings a slice into random order.
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for i in (1..values.len()).rev() {
            values.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_published_generator() {
        let mut random = Random::new(1234567);
        let words: Vec<u64> = (0..3).map(|_| random.word()).collect();
        assert_eq!(words, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn moments_are_right() {
        let mut random = Random::new(7);
        let n = 100_000;
        let values: Vec<f64> = (0..n).map(|_| random.normal()).collect();
        let mean = values.iter().sum::<f64>() / n as f64;
        let variance = values.iter().map(|v| v * v).sum::<f64>() / n as f64 - mean * mean;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
    }

    #[test]
    fn a_shuffle_keeps_every_value() {
        let mut values: Vec<usize> = (0..50).collect();
        Random::new(3).shuffle(&mut values);
        assert_ne!(values, (0..50).collect::<Vec<_>>());
        values.sort_unstable();
        assert_eq!(values, (0..50).collect::<Vec<_>>());
    }
}
