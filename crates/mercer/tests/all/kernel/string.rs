//! String kernels against their definitions, worked values and laws.

use mercer::data::Random;
use mercer::error::Result;
use mercer::gram::{
    Block, BulkKernel, Columns, Digested, Mapped, PairwiseLayout, Plan, Precision, WithLayout,
};
use mercer::kernel::string::{
    AllSubsequences, Blended, FixedSubsequences, Gappy, LocalAlignment, LocalityImproved, Mismatch, Sequence,
    Spectrum, Subsequences, Substitution, WeightedDegree,
};
use mercer::kernel::{Definiteness, DigestKernel, FeatureMap, Kernel, Normalised};
use mercer_testkit::{laws, strings};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Strings of few different symbols: empty, of one symbol, repeated, with characters of two bytes and more.
fn strings(longest: usize) -> Vec<String> {
    let mut random = Random::new(11);
    let mut strings: Vec<String> =
        ["", "a", "é", "aaaa", "abab", "aaaa", "x€é", "ba"].map(String::from).to_vec();
    for i in 0..16 {
        let length = if i < 4 { longest } else { random.below(longest + 1) };
        strings.push((0..length).map(|_| ['a', 'b', 'c', 'é'][random.below(4)]).collect());
    }
    strings
}

fn close(found: f64, expected: f64, context: impl std::fmt::Debug) {
    let size = expected.abs().max(1e-12);
    assert!((found - expected).abs() <= 1e-12 * size, "{context:?}: {found} {expected}");
}

/// The kernel is what `expected` says for every pair, as `str`, and as its characters taken for tokens.
fn check_values<K: Kernel<str> + Kernel<[u32]>>(kernel: &K, expected: impl Fn(&[u32], &[u32]) -> f64) {
    let strings = strings(9);
    for x in &strings {
        for z in &strings {
            let tokens = (x.symbols(), z.symbols());
            let value = expected(&tokens.0, &tokens.1);
            close(kernel.eval(&x[..], &z[..]), value, (x, z));
            close(kernel.eval(&tokens.0[..], &tokens.1[..]), value, (x, z));
        }
    }
}

/// All laws, alone and in bulk, raw and at unit length; and what is written is read again.
fn check_laws<K, B>(name: &str, kernel: &K, bulk: &B)
where
    K: Kernel<str> + Clone + PartialEq + std::fmt::Debug + Serialize + DeserializeOwned,
    B: BulkKernel<Vec<String>> + WithLayout<Layout = PairwiseLayout>,
{
    let strings = strings(14);
    let of_items = |x: &&String, z: &&String| kernel.eval(&x[..], &z[..]);
    if bulk.definiteness() == Definiteness::Guaranteed {
        laws::all(name, &of_items, &strings);
        let normalised = Normalised::new(kernel.clone());
        let unit = |x: &&String, z: &&String| normalised.eval(&x[..], &z[..]);
        laws::all(&format!("{name} at unit length"), &unit, &strings);
        for x in &strings {
            let own = kernel.eval(&x[..], &x[..]);
            assert_eq!(normalised.eval_diagonal(&x[..]), if own == 0.0 { 0.0 } else { 1.0 }, "{name}: {x}");
        }
    } else {
        laws::finite(name, &of_items, &strings);
        laws::symmetry(name, &of_items, &strings);
    }
    laws::diagonal(name, &of_items, &strings);
    let plan = Plan { precision: Precision::F64, ..Plan::new().unwrap() };
    let layout = bulk.layout(&strings, &plan).unwrap();
    laws::bulk_equals_single(name, &of_items, &strings, 1e-12, |rows, columns| {
        let gram = bulk.symmetric(&strings, &layout, &plan).unwrap();
        let mut values = vec![0.0; rows.len() * columns.len()];
        let block = Block::F64 { values: &mut values, stride: columns.len() };
        gram.fill(rows, Columns::List(columns), block).unwrap();
        values
    });
    let text = serde_json::to_string(kernel).unwrap();
    let read: K = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {text}: {error}"));
    assert_eq!(&read, kernel);
    assert_eq!(read.eval("abab", "aabb"), kernel.eval("abab", "aabb"));
}

fn check_features<K>(name: &str, kernel: &K)
where
    K: Kernel<str> + FeatureMap<str> + Clone + PartialEq + std::fmt::Debug + Serialize + DeserializeOwned,
{
    check_laws(name, kernel, &Mapped::<_, str>::new(kernel.clone()));
}

fn check_digests<K>(name: &str, kernel: &K)
where
    K: Kernel<str> + DigestKernel<str> + Clone + PartialEq + std::fmt::Debug + Serialize + DeserializeOwned,
{
    check_laws(name, kernel, &Digested::<_, str>::new(kernel.clone()));
}

#[test]
fn spectrum() {
    for length in [1, 2, 3, 20] {
        let kernel = Spectrum::new(length).unwrap();
        check_values(&kernel, |x, z| {
            strings::inner_product(&strings::substrings(x, length), &strings::substrings(z, length))
        });
        check_features("spectrum", &kernel);
    }
    assert!(Spectrum::new(0).is_err());
    assert!(serde_json::from_str::<Spectrum>("{\"length\":0}").is_err());
    // A character of two bytes is one symbol of a string and two of its bytes.
    let kernel = Spectrum::new(2).unwrap();
    assert_eq!(kernel.eval("éa", "éb"), 0.0);
    assert_eq!(kernel.eval("éa".as_bytes(), "éb".as_bytes()), 1.0);
}

/// Names of substrings tell apart what differs, whichever form they are kept in.
#[test]
fn long_substrings() {
    let tokens: Vec<u32> = (0..40).map(|i| [0, 1, 127, 128, 16384, u32::MAX][i % 6]).collect();
    for length in 1..40 {
        let kernel = Spectrum::new(length).unwrap();
        for z in [&tokens[..], &tokens[1..], &tokens[..39]] {
            let [a, b] = [&tokens[..], z].map(|x| strings::substrings(x, length));
            assert_eq!(kernel.eval(&tokens[..], z), strings::inner_product(&a, &b), "{length}");
        }
        for (substring, _) in kernel.features(&tokens[..]).unwrap() {
            assert_eq!(substring.symbols().len(), length);
        }
    }
    assert_eq!(Spectrum::new(2).unwrap().eval(&[0u32, 0, 0][..], &[0u32, 0][..]), 2.0);
}

#[test]
fn blended() {
    let kernel = Blended::with_weights(vec![0.5, 0.0, 2.0]).unwrap();
    check_values(&kernel, |x, z| {
        [(1, 0.5), (3, 2.0)]
            .map(|(d, w)| w * strings::inner_product(&strings::substrings(x, d), &strings::substrings(z, d)))
            .iter()
            .sum()
    });
    check_features("blended", &kernel);
    check_features("blended", &Blended::decaying(4, 0.7).unwrap());
    assert_eq!(Blended::decaying(2, 0.5).unwrap().weights(), [0.25, 0.0625]);
    assert_eq!(Blended::new(3).unwrap().longest(), 3);
    let error = Blended::with_weights(vec![1.0, -1.0]).unwrap_err().to_string();
    assert_eq!(error, "weight of length 2: -1, expected a finite number of at least 0");
    assert!(Blended::new(0).is_err() && Blended::with_weights(vec![]).is_err());
    assert!(serde_json::from_str::<Blended>("{\"weights\":[-1]}").is_err());
}

#[test]
fn mismatch() {
    for (length, most) in [(1, 0), (2, 1), (3, 1), (4, 2)] {
        // The alphabet lacks a symbol of the strings and has one that they lack.
        let kernel = Mismatch::new(length, most).unwrap().with_alphabet("abéz").unwrap();
        let alphabet: Vec<u32> = "abéz".symbols();
        check_values(&kernel, |x, z| {
            let features = |x| strings::mismatches(x, length, most, &alphabet);
            strings::inner_product(&features(x), &features(z))
        });
        check_features("mismatch", &kernel);
    }
    let spectrum = Spectrum::new(3).unwrap();
    let kernel = Mismatch::new(3, 0).unwrap().with_alphabet("ab").unwrap();
    assert_eq!(kernel.eval("abab", "babab"), spectrum.eval("abab", "babab"));
}

#[test]
fn an_alphabet_is_learned_or_missing() {
    let kernel = Mismatch::new(2, 1).unwrap();
    assert!(kernel.eval("ab", "ab").is_nan());
    assert!(kernel.try_eval("ab", "ab").unwrap_err().to_string().contains("no alphabet yet"));
    let learned = FeatureMap::<str>::learn(&kernel, &["ba", "", "cb"], None).unwrap();
    assert_eq!(learned.alphabet(), Some(&"abc".symbols()[..]));
    // Once is for ever.
    assert_eq!(FeatureMap::<str>::learn(&learned, &["xyz"], None).unwrap(), learned);
    assert!(FeatureMap::<str>::learn(&kernel, &[""], None).is_err());
    let items: Vec<String> = ["ba", "cb"].map(String::from).to_vec();
    let bulk = Mapped::<_, str>::new(kernel.clone()).resolve(&items, None).unwrap();
    assert_eq!(bulk.kernel(), &learned);
    for (length, most) in [(0, 0), (2, 2), (1, 3)] {
        assert!(Mismatch::new(length, most).is_err());
    }
    let many: Vec<u32> = (0..300).collect();
    let error = Mismatch::new(12, 6).unwrap().with_alphabet(&many[..]).unwrap_err().to_string();
    assert!(error.contains("at most a million"), "{error}");
}

#[test]
fn subsequences() {
    for (length, decay) in [(1, 0.5), (2, 0.5), (3, 0.9), (4, 1.0), (5, 0.3)] {
        let kernel = Subsequences::new(length, decay).unwrap();
        check_values(&kernel, |x, z| {
            let weight = |at: &[usize]| {
                if at.len() == length { f64::powi(decay, strings::span(at) as i32) } else { 0.0 }
            };
            strings::inner_product(&strings::subsequences(x, weight), &strings::subsequences(z, weight))
        });
        check_digests("subsequences", &kernel);
    }
    // Worked in Lodhi et al., section 3: "car" and "cat" with λ⁴, and 2 λ⁴ + λ⁶ with themselves.
    let kernel = Normalised::new(Subsequences::new(2, 0.5).unwrap());
    close(kernel.eval("car", "cat"), 1.0 / (2.0 + 0.25), "car, cat");
    assert!(Subsequences::new(0, 0.5).is_err() && Subsequences::new(2, 0.0).is_err());
    assert!(Subsequences::new(2, f64::NAN).is_err());
}

#[test]
fn gappy() {
    for (length, span, decay) in [(1, 1, 0.5), (2, 4, 0.5), (3, 3, 0.7), (3, 6, 1.0), (2, 100, 0.8)] {
        let kernel = Gappy::new(length, span, decay).unwrap();
        check_values(&kernel, |x, z| {
            let weight = |at: &[usize]| {
                let room = strings::span(at);
                if at.len() == length && room <= span { f64::powi(decay, room as i32) } else { 0.0 }
            };
            strings::inner_product(&strings::subsequences(x, weight), &strings::subsequences(z, weight))
        });
        check_features("gappy", &kernel);
    }
    assert!(Gappy::new(3, 2, 0.5).is_err() && Gappy::new(0, 2, 0.5).is_err());
    assert!(Gappy::new(20, 60, 0.5).is_err());
}

/// What the window leaves out is small where the window is wide: the two forms meet.
#[test]
fn gappy_tends_to_all_gaps() {
    let mut random = Random::new(3);
    let mut draw = |n| -> Vec<u32> { (0..n).map(|_| random.below(4) as u32).collect() };
    let (x, z) = (draw(60), draw(70));
    let exact = Subsequences::new(3, 0.4).unwrap().eval(&x[..], &z[..]);
    let mut last = f64::INFINITY;
    for span in [3, 6, 12, 24] {
        let error = (exact - Gappy::new(3, span, 0.4).unwrap().eval(&x[..], &z[..])) / exact;
        assert!(error >= -1e-14 && error <= last, "{span}: {error}");
        last = error;
    }
    assert!(last < 1e-6, "{last}");
}

#[test]
fn fixed_subsequences() {
    for length in [1, 2, 4] {
        let kernel = FixedSubsequences::new(length).unwrap();
        check_values(&kernel, |x, z| {
            let weight = |at: &[usize]| f64::from(at.len() == length);
            strings::inner_product(&strings::subsequences(x, weight), &strings::subsequences(z, weight))
        });
        check_digests("fixed subsequences", &kernel);
    }
}

/// ln C(n, k)
fn log_binomial(n: usize, k: usize) -> f64 {
    (1..=k).map(|i| ((n - k + i) as f64 / i as f64).ln()).sum()
}

#[test]
fn all_subsequences_at_unit_length_are_within_range() {
    // k(aⁿ, aᵐ) = Σ C(n, i) C(m, i) = C(n + m, n).
    let lengths = [300usize, 1500, 2000, 3];
    let strings: Vec<String> = lengths.iter().map(|&n| "a".repeat(n)).collect();
    let kernel = Digested::<_, str>::new(Normalised::new(AllSubsequences::new()));
    let plan = Plan::new().unwrap();
    let layout = kernel.layout(&strings, &plan).unwrap();
    let gram = kernel.symmetric(&strings, &layout, &plan).unwrap();
    assert_eq!(gram.diagonal(), [1.0; 4]);
    for (i, &n) in lengths.iter().enumerate() {
        let mut row = vec![0.0; 4];
        gram.accumulate(&[i], &[1.0], Columns::Range(0..4), &mut row).unwrap();
        for (&m, value) in lengths.iter().zip(row) {
            let log = log_binomial(n + m, n) - 0.5 * (log_binomial(2 * n, n) + log_binomial(2 * m, m));
            assert!((value - log.exp()).abs() <= 1e-10, "{n} and {m}: {value} and {}", log.exp());
        }
    }
    // Blocks that meet the other way round: what is small in one row is large in the end.
    let (x, z) = ("a".repeat(900) + &"b".repeat(900), "b".repeat(900) + &"a".repeat(900));
    let long = vec![x.clone() + "cc", x, z];
    let gram = kernel.symmetric(&long, &layout, &plan).unwrap();
    let mut row = vec![0.0; 3];
    gram.accumulate(&[0], &[1.0], Columns::Range(0..3), &mut row).unwrap();
    // The two c's alone are 1 + 2² + 1 = 6 times as many ways.
    assert!((row[1] - 1.0 / 6f64.sqrt()).abs() < 1e-10, "{row:?}");
    assert!(row[2] >= 0.0 && row[2] < 1e-100);
}

#[test]
fn all_subsequences() {
    for decay in [1.0, 0.5, 1.5] {
        let kernel = AllSubsequences::decaying(decay).unwrap();
        check_values(&kernel, |x, z| {
            let weight = |at: &[usize]| f64::powi(decay, at.len() as i32);
            strings::inner_product(&strings::subsequences(x, weight), &strings::subsequences(z, weight))
        });
        check_digests("all subsequences", &kernel);
    }
    // Σ C(n, i)² = C(2n, n)
    assert_eq!(AllSubsequences::new().eval("aaaaa", "aaaaa"), 252.0);
    // Beyond what a number can hold: an error, not an infinity.
    let long = vec!["a".repeat(600), "b".into()];
    let bulk = Digested::<_, str>::new(AllSubsequences::new());
    let plan = Plan::new().unwrap();
    let layout = bulk.layout(&long, &plan).unwrap();
    let error = bulk.symmetric(&long, &layout, &plan).map(|_| ()).unwrap_err().to_string();
    assert_eq!(
        error,
        "kernel value of items 0 and 0 is beyond what a number can hold: \
         bring it to unit length, normalised(k), or let subsequences decay"
    );
}

#[test]
fn weighted_degree() {
    for shift in [0, 1, 3, 100] {
        for weights in [vec![1.0], vec![0.5, 0.25, 2.0]] {
            let kernel = WeightedDegree::with_weights(weights.clone()).unwrap().with_shift(shift);
            check_values(&kernel, |x, z| {
                let weight = |s: usize| match s {
                    0 => 1.0,
                    s if s <= shift => 0.5 / (s + 1) as f64,
                    _ => 0.0,
                };
                strings::weighted_degree(x, z, &weights, weight)
            });
            check_digests("weighted degree", &kernel);
        }
    }
    let kernel = WeightedDegree::new(3).unwrap();
    assert_eq!(kernel.weights(), [2.0 * 3.0 / 12.0, 2.0 * 2.0 / 12.0, 2.0 / 12.0]);
    assert_eq!((kernel.degree(), kernel.shift()), (3, 0));
    assert!(WeightedDegree::new(0).is_err());
}

#[test]
fn locality_improved() {
    for (reach, local, degree) in [(0, 1, 1), (1, 2, 1), (2, 3, 2)] {
        let kernel = LocalityImproved::new(reach, local, degree).unwrap();
        check_values(&kernel, |x, z| {
            let n = x.len().min(z.len());
            let mut sum = 0.0;
            for p in reach..n.saturating_sub(reach) {
                let mut window = 0.0;
                for q in p - reach..=p + reach {
                    let weight = (reach + 1 - q.abs_diff(p)) as f64 / ((reach + 1) * (reach + 1)) as f64;
                    window += if x[q] == z[q] { weight } else { 0.0 };
                }
                sum += f64::powi(window, local as i32);
            }
            f64::powi(sum, degree as i32)
        });
        check_digests("locality improved", &kernel);
    }
    assert!(LocalityImproved::new(2, 0, 1).is_err() && LocalityImproved::new(2, 1, 0).is_err());
}

fn table() -> Substitution {
    Substitution::identity("abcxé€", 2.0, -1.5).unwrap()
}

#[test]
fn local_alignment() {
    let strings = ["", "a", "ab", "abca", "éaab", "bbbbb", "xa€ba"];
    for (open, extend, beta) in [(3.0, 1.0, 0.5), (1.0, 1.0, 1.0), (0.0, 0.0, 0.2), (5.0, 0.5, 2.0)] {
        let kernel = LocalAlignment::new(table(), open, extend, beta).unwrap();
        let sum = |x: &str, z: &str| {
            let (a, b): (Vec<char>, Vec<char>) = (x.chars().collect(), z.chars().collect());
            let mut sum = 0.0;
            strings::alignments(a.len(), b.len(), &mut |pairs| {
                let scores: f64 = pairs.iter().map(|&(i, j)| table().score(a[i], b[j]).unwrap()).sum();
                sum += (beta * (scores - strings::gap_cost(pairs, open, extend))).exp();
            });
            sum
        };
        let unit = LocalAlignment::exponential(table(), open, extend, beta).unwrap();
        for x in strings {
            for z in strings {
                close(kernel.eval(x, z), sum(x, z).ln() / beta, (x, z, open, extend, beta));
                close(unit.eval(x, z), sum(x, z) / (sum(x, x) * sum(z, z)).sqrt(), (x, z));
            }
        }
        check_digests("local alignment", &kernel);
        check_digests("local alignment at unit length", &unit);
        assert_eq!(DigestKernel::<str>::definiteness(&kernel), Definiteness::NotGuaranteed);
        assert_eq!(DigestKernel::<str>::definiteness(&unit), Definiteness::Guaranteed);
    }
}

/// Two parts that fit well but stand in opposite order: neither may be lost beside the other, however large the sums are.
#[test]
fn alignments_beyond_the_range_of_numbers() {
    let table = Substitution::identity("abc", 10.0, -10.0).unwrap();
    let kernel = LocalAlignment::new(table, 1e4, 1e4, 1.0).unwrap();
    let (first, second) = ("ab".repeat(100), "ac".repeat(200));
    // The longer part alone gives e^4000, and comes last in one of the strings.
    let (x, z) = (format!("{first}{second}"), format!("{second}{first}"));
    let value = kernel.eval(&x[..], &z[..]);
    assert!((4000.0..4001.0).contains(&value), "{value}");
    assert_eq!(kernel.eval(&z[..], &x[..]), value);
    let unit =
        LocalAlignment::exponential(Substitution::identity("abc", 10.0, -10.0).unwrap(), 1e4, 1e4, 1.0);
    assert_eq!(unit.as_ref().unwrap().eval_diagonal(&x[..]), 1.0);
    assert!((unit.unwrap().eval(&x[..], &x[..]) - 1.0).abs() < 1e-9);
}

#[test]
fn alignment_refuses_what_has_no_scores() {
    let kernel = LocalAlignment::new(Substitution::blosum62(), 11.0, 1.0, 0.5).unwrap();
    let error = kernel.try_eval("MKV", "MK1").unwrap_err().to_string();
    assert_eq!(error, "symbol 3 is '1', which has no scores");
    assert!(kernel.eval("MKV", "MK1").is_nan());
    assert_eq!(kernel.eval("mkv", "MKV"), kernel.eval("MKV", "MKV"));
    let error = kernel.try_eval(&[u32::MAX][..], &[77u32][..]).unwrap_err().to_string();
    assert_eq!(error, "symbol 1 is 4294967295, which has no scores");
    for (open, extend, beta) in [(-1.0, 1.0, 1.0), (1.0, f64::NAN, 1.0), (1.0, 1.0, 0.0), (1.0, 1.0, 100.0)] {
        assert!(LocalAlignment::new(Substitution::blosum62(), open, extend, beta).is_err());
    }
}

#[test]
fn tables_of_scores() {
    // Values that are printed everywhere.
    let [blosum62, blosum50, pam250] =
        [Substitution::blosum62(), Substitution::blosum50(), Substitution::pam250()];
    assert_eq!(
        [('W', 'W'), ('C', 'C'), ('A', 'S'), ('*', '*')].map(|(a, b)| blosum62.score(a, b)),
        [Some(11.0), Some(9.0), Some(1.0), Some(1.0)]
    );
    assert_eq!((blosum50.score('W', 'W'), blosum50.score('H', 'Y')), (Some(15.0), Some(2.0)));
    assert_eq!((pam250.score('W', 'W'), pam250.score('F', 'Y')), (Some(17.0), Some(7.0)));
    for table in [&blosum62, &blosum50, &pam250] {
        assert_eq!(table.letters().len(), 24);
        let read: Substitution = serde_json::from_str(&serde_json::to_string(table).unwrap()).unwrap();
        assert_eq!(&read, table);
    }
    let wrong: [(&str, &str); 6] = [
        ("", "no letters"),
        ("A B\nA 1 2\nB 2", "line 3, column 1: 1 scores, but there are 2 letters"),
        ("A B\nA 1 x\nB 2 1", "line 2, column 3: `x` is not a number"),
        ("A B\nB 1 2\nA 2 1", "line 2, column 1: the row of 'B' stands where another letter's should"),
        ("A B\nA 1 2\nB 3 1", "not symmetric: entry (0, 1) is 2 and entry (1, 0) is 3"),
        ("A BC\nA 1 2\nB 3 1", "line 1, column 2: `BC` is not a single letter"),
    ];
    for (text, expected) in wrong {
        assert_eq!(Substitution::parse(text).unwrap_err().to_string(), expected);
    }
    assert!(Substitution::parse("A A\nA 1 1\nA 1 1").is_err());
    assert!(Substitution::parse("A B\nA 1 1").is_err());
}

/// Bytes of a string are the string, where all characters are of one byte.
#[test]
fn bytes_are_characters_of_one_byte() -> Result<()> {
    let (x, z) = ("gattaca", "tacataca");
    let spectrum = Spectrum::new(3)?;
    assert_eq!(spectrum.eval(x.as_bytes(), z.as_bytes()), spectrum.eval(x, z));
    let gaps = Subsequences::new(3, 0.5)?;
    assert_eq!(gaps.eval(x.as_bytes(), z.as_bytes()), gaps.eval(x, z));
    Ok(())
}
