//! String kernels by their definitions: every part of a string is listed, and parts are compared one by one.
//!
//! Exponential in places: for strings of a dozen symbols.

use std::collections::BTreeMap;

/// Features by name.
pub type Features = BTreeMap<Vec<u32>, f64>;

/// Σ φ_u(x) φ_u(z)
pub fn inner_product(x: &Features, z: &Features) -> f64 {
    x.iter().filter_map(|(u, value)| z.get(u).map(|other| value * other)).sum()
}

/// How often each string of `length` symbols stands in x.
pub fn substrings(x: &[u32], length: usize) -> Features {
    let mut features = Features::new();
    for start in 0..x.len() {
        if start + length <= x.len() {
            *features.entry(x[start..start + length].to_vec()).or_default() += 1.0;
        }
    }
    features
}

/// How many substrings of x differ in `most` symbols at most, for each string of `length` symbols of the alphabet.
pub fn mismatches(x: &[u32], length: usize, most: usize, alphabet: &[u32]) -> Features {
    let mut words = vec![Vec::new()];
    for _ in 0..length {
        words = words
            .iter()
            .flat_map(|word: &Vec<u32>| {
                alphabet.iter().map(move |&symbol| {
                    let mut longer = word.clone();
                    longer.push(symbol);
                    longer
                })
            })
            .collect();
    }
    let mut features = Features::new();
    for word in words {
        let near = |window: &&[u32]| window.iter().zip(&word).filter(|(a, b)| a != b).count() <= most;
        let count = x.windows(length).filter(near).count();
        features.insert(word, count as f64);
    }
    features
}

/// Σ weight(positions) over all ways to choose symbols of x, in their order, that spell a string: for all strings.
///
/// All 2ⁿ choices are gone through.
pub fn subsequences(x: &[u32], weight: impl Fn(&[usize]) -> f64) -> Features {
    assert!(x.len() <= 16, "2ⁿ choices of {} symbols", x.len());
    let mut features = Features::new();
    for choice in 0..1u32 << x.len() {
        let positions: Vec<usize> = (0..x.len()).filter(|i| choice >> i & 1 == 1).collect();
        let word = positions.iter().map(|&i| x[i]).collect();
        *features.entry(word).or_default() += weight(&positions);
    }
    features
}

/// Room that chosen symbols take, from the first to the last.
pub fn span(positions: &[usize]) -> usize {
    match (positions.first(), positions.last()) {
        (Some(first), Some(last)) => last - first + 1,
        _ => 0,
    }
}

/// Σ_d weights[d − 1] Σ_ij shift(|i − j|) 1[the same d symbols from i and from j on]
pub fn weighted_degree(x: &[u32], z: &[u32], weights: &[f64], shift: impl Fn(usize) -> f64) -> f64 {
    let mut sum = 0.0;
    for (before, weight) in weights.iter().enumerate() {
        for (i, a) in x.windows(before + 1).enumerate() {
            for (j, b) in z.windows(before + 1).enumerate() {
                if a == b {
                    sum += weight * shift(i.abs_diff(j));
                }
            }
        }
    }
    sum
}

/// Positions in both strings that are aligned.
pub type Pair = (usize, usize);

/// Calls `visit` with the pairs of aligned positions of every local alignment: all pairs of equally many positions of
/// both strings, in their order.
pub fn alignments(x: usize, z: usize, visit: &mut dyn FnMut(&[Pair])) {
    fn go_on(x: usize, z: usize, pairs: &mut Vec<Pair>, visit: &mut dyn FnMut(&[Pair])) {
        visit(pairs);
        let (first_i, first_j) = pairs.last().map_or((0, 0), |&(i, j)| (i + 1, j + 1));
        for i in first_i..x {
            for j in first_j..z {
                pairs.push((i, j));
                go_on(x, z, pairs, visit);
                pairs.pop();
            }
        }
    }
    go_on(x, z, &mut Vec::new(), visit);
}

/// What the symbols between aligned pairs cost.
pub fn gap_cost(pairs: &[Pair], open: f64, extend: f64) -> f64 {
    let gap = |length: usize| if length == 0 { 0.0 } else { open + extend * (length - 1) as f64 };
    pairs.windows(2).map(|p| gap(p[1].0 - p[0].0 - 1) + gap(p[1].1 - p[0].1 - 1)).sum()
}
