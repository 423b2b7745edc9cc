//! Texts as strings of tokens.

/// Numbers for the tokens of some texts: each is its rank among all of them, in the order of their letters.
///
/// Tokens are what stands between white space. A rank says nothing by itself, but the order of two tokens is the same whatever other
/// texts there are: kernel values that are summed in the order of symbols have the same bits with all training items and with the
/// support items alone.
pub(crate) struct Numbering<'a> {
    /// In ascending order, each once.
    tokens: Vec<&'a str>,
}

impl<'a> Numbering<'a> {
    /// Of all tokens of these texts. O(n log n) for n tokens.
    pub(crate) fn of(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut tokens: Vec<&str> = texts.flat_map(str::split_whitespace).collect();
        tokens.sort_unstable();
        tokens.dedup();
        Numbering { tokens }
    }

    /// The ranks of the tokens of one of the texts.
    pub(crate) fn symbols(&self, text: &str) -> Vec<u32> {
        let rank = |token: &str| self.tokens.binary_search(&token).unwrap_or(self.tokens.len()) as u32;
        text.split_whitespace().map(rank).collect()
    }
}

/// A rank as a symbol whose place among the names of features ([`Substring`](super::Substring)) is that of the rank: they keep seven bits to a
/// byte, the low ones first, so the groups are turned round, and one more bit makes all symbols as long.
pub(crate) fn in_order(rank: u32) -> u32 {
    let group = |g: u32| (rank >> (7 * g)) & 0x7f;
    (0..4).fold(1 << 28, |symbol, g| symbol | group(g) << (7 * (3 - g)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::string::Substring;

    #[test]
    fn names_are_in_the_order_of_ranks() {
        let ranks = [0, 1, 126, 127, 128, 129, 255, 256, 16_383, 16_384, 2_097_151, 2_097_152, (1 << 28) - 1];
        let names = ranks.map(|rank| Substring::new(&[in_order(rank)]));
        assert!(names.is_sorted());
        assert!(names.iter().all(|name| name.symbols().len() == 1));
    }

    #[test]
    fn tokens_are_what_stands_between_white_space() {
        let texts = ["the cat\tthe", " a  cat ", ""];
        let numbering = Numbering::of(texts.into_iter());
        assert_eq!(numbering.symbols(texts[0]), [2, 1, 2]);
        assert_eq!(numbering.symbols(texts[1]), [0, 1]);
        assert!(numbering.symbols(texts[2]).is_empty());
    }
}
