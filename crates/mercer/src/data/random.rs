//! A small seeded random generator, the same on every machine: xoshiro256++ seeded by SplitMix64.
//!
//! D. Blackman, S. Vigna: Scrambled linear pseudorandom number generators, ACM TOMS 47 (2021).

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// A stream of random numbers that a seed determines; not for secrets.
///
/// It can be saved and goes on where it was.
///
/// ```
/// use mercer::data::Random;
/// let mut order: Vec<usize> = (0..5).collect();
/// Random::new(7).shuffle(&mut order);
/// let mut again: Vec<usize> = (0..5).collect();
/// Random::new(7).shuffle(&mut again);
/// assert_eq!(order, again);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "[u64; 4]", into = "[u64; 4]")]
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// The stream of this seed.
    pub fn new(seed: u64) -> Self {
        let mut mix = seed;
        Random { state: std::array::from_fn(|_| split_mix(&mut mix)) }
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let shifted = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= shifted;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A number from [0, 1), a multiple of 2⁻⁵³.
    ///
    /// ```
    /// use mercer::data::Random;
    /// let mut random = Random::new(1);
    /// assert!((0..100).all(|_| (0.0..1.0).contains(&random.uniform())));
    /// ```
    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A whole number below `bound`, each equally likely; 0 if the bound is 0.
    ///
    /// ```
    /// use mercer::data::Random;
    /// let mut random = Random::new(1);
    /// assert!((0..100).all(|_| random.below(6) < 6));
    /// ```
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 {
            return 0;
        }
        // Lemire's method: the few products that would favour small results are drawn again.
        let bound = bound as u64;
        let unfair = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.next_u64()) * u128::from(bound);
            if product as u64 >= unfair {
                return (product >> 64) as usize;
            }
        }
    }

    /// A draw from the normal distribution of mean 0 and variance 1 (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// Puts the elements into random order, each order equally likely.
    pub fn shuffle<T>(&mut self, elements: &mut [T]) {
        for last in (1..elements.len()).rev() {
            elements.swap(last, self.below(last + 1));
        }
    }
}

/// SplitMix64 spreads seeds that differ in one bit over all states.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl TryFrom<[u64; 4]> for Random {
    type Error = Error;

    /// Takes a saved state; all zero is the one state that yields nothing but zeros.
    fn try_from(state: [u64; 4]) -> Result<Self, Error> {
        if state == [0; 4] { Err(Error::Empty { what: "random state" }) } else { Ok(Random { state }) }
    }
}

impl From<Random> for [u64; 4] {
    fn from(random: Random) -> Self {
        random.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers() {
        let mut mix = 1_234_567;
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(std::array::from_fn(|_| split_mix(&mut mix)), expected);

        let mut random = Random::try_from([1, 2, 3, 4]).unwrap();
        let expected = [
            41_943_041,
            58_720_359,
            3_588_806_011_781_223,
            3_591_011_842_654_386,
            9_228_616_714_210_784_205,
            9_973_669_472_204_895_162,
            14_011_001_112_246_962_877,
            12_406_186_145_184_390_807,
            15_849_039_046_786_891_736,
            10_450_023_813_501_588_000,
        ];
        assert_eq!(std::array::from_fn(|_| random.next_u64()), expected);
    }

    #[test]
    fn draws_have_the_moments_of_their_distribution() {
        let mut random = Random::new(3);
        let count = 100_000;
        let moments = |draws: &[f64]| {
            let mean = draws.iter().sum::<f64>() / count as f64;
            (mean, draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count as f64)
        };
        let (mean, variance) = moments(&(0..count).map(|_| random.uniform()).collect::<Vec<_>>());
        assert!((mean - 0.5).abs() < 0.005 && (variance - 1.0 / 12.0).abs() < 0.002, "{mean} {variance}");
        let (mean, variance) = moments(&(0..count).map(|_| random.normal()).collect::<Vec<_>>());
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
    }

    #[test]
    fn every_order_of_three_is_equally_likely() {
        let mut random = Random::new(11);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut order = [0, 1, 2];
            random.shuffle(&mut order);
            *counts.entry(order).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
    }

    #[test]
    fn a_saved_stream_goes_on_where_it_was() {
        let mut random = Random::new(5);
        random.next_u64();
        let saved = serde_json::to_string(&random).unwrap();
        let mut loaded: Random = serde_json::from_str(&saved).unwrap();
        assert_eq!(loaded.next_u64(), random.next_u64());
        assert!(serde_json::from_str::<Random>("[0,0,0,0]").is_err());
    }
}
