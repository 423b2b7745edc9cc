//! A 128-bit hash: names for things that are too large to be kept.
//!
//! MurmurHash3 (A. Appleby), the 128-bit variant for 64-bit machines, whose blocks are fed one by one. Among n different
//! things, two have the same name with a probability of about n²/2¹²⁹: less than 10⁻²⁰ for a billion. That is so for data as
//! they come, not for data made by somebody who is out for collisions.

use crate::data::GraphLabel;

/// A hash in the making.
#[derive(Clone, Copy)]
pub(super) struct Hash {
    h1: u64,
    h2: u64,
    length: u64,
}

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

impl Hash {
    /// Hashes of different seeds have nothing to do with each other.
    pub(super) fn new(seed: u64) -> Self {
        Hash { h1: seed, h2: seed, length: 0 }
    }

    /// Takes in one block.
    #[inline]
    pub(super) fn block(mut self, k1: u64, k2: u64) -> Self {
        self.h1 ^= k1.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2);
        self.h1 = self.h1.rotate_left(27).wrapping_add(self.h2).wrapping_mul(5).wrapping_add(0x52dc_e729);
        self.h2 ^= k2.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1);
        self.h2 = self.h2.rotate_left(31).wrapping_add(self.h1).wrapping_mul(5).wrapping_add(0x3849_5ab5);
        self.length += 16;
        self
    }

    /// Takes in another hash.
    #[inline]
    pub(super) fn name(self, name: u128) -> Self {
        self.block(name as u64, (name >> 64) as u64)
    }

    /// Takes in a label, or that there is none.
    pub(super) fn label(self, label: Option<&GraphLabel>) -> Self {
        match label {
            None => self.block(0, 0),
            Some(GraphLabel::Number(number)) => self.block(1, *number as u64),
            Some(GraphLabel::Word(word)) => {
                let bytes = word.as_bytes();
                bytes.chunks(16).fold(self.block(2, bytes.len() as u64), |hash, chunk| {
                    let mut block = [0; 16];
                    block[..chunk.len()].copy_from_slice(chunk);
                    hash.name(u128::from_le_bytes(block))
                })
            }
        }
    }

    /// The name of all that was taken in.
    #[inline]
    pub(super) fn finish(self) -> u128 {
        let (mut h1, mut h2) = (self.h1 ^ self.length, self.h2 ^ self.length);
        h1 = h1.wrapping_add(h2);
        h2 = h2.wrapping_add(h1);
        (h1, h2) = (mixed(h1), mixed(h2));
        h1 = h1.wrapping_add(h2);
        h2 = h2.wrapping_add(h1);
        u128::from(h1) | u128::from(h2) << 64
    }

    /// A number from (0, 1) that is spread evenly.
    pub(super) fn uniform(self) -> f64 {
        ((self.finish() as u64 >> 12) as f64 + 0.5) / (1u64 << 52) as f64
    }
}

#[inline]
fn mixed(mut k: u64) -> u64 {
    k = (k ^ (k >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    k = (k ^ (k >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    k ^ (k >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_hash_as_murmur3_does() {
        // mmh3.hash128 (version 5.3.1) of 16 and of 32 bytes
        let name = |text: &[u8], seed| {
            text.chunks(16)
                .fold(Hash::new(seed), |hash, block| {
                    hash.name(u128::from_le_bytes(block.try_into().unwrap()))
                })
                .finish()
        };
        assert_eq!(name(b"kernel of graphs", 0), 0xd3d15f8136d2b22c655a258ac3c60713);
        assert_eq!(name(b"0123456789abcdefghijklmnopqrstuv", 7), 0xf561e361248dbd1986292589d5c44cf3);
    }

    #[test]
    fn labels_of_different_kinds_have_different_names() {
        let labels =
            [None, Some(GraphLabel::Number(0)), Some("".into()), Some("\0".into()), Some("0".into())];
        let names: std::collections::BTreeSet<u128> =
            labels.iter().map(|label| Hash::new(0).label(label.as_ref()).finish()).collect();
        assert_eq!(names.len(), labels.len());
    }
}
