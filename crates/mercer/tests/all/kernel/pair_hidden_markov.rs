//! The kernel of pair hidden Markov models: against enumeration of all events, and the laws.

use mercer::kernel::generative::{Alphabet, PairHiddenMarkov, PairParameters};
use mercer::kernel::{DigestKernel, Kernel};
use mercer_testkit::{enumeration, laws};

use super::generative::close;

fn pair_parameters() -> PairParameters {
    // p = Σ_c π(c) e(a | c) e(b | c)
    let hidden = [(0.5, [0.7, 0.2, 0.1]), (0.3, [0.1, 0.8, 0.1]), (0.2, [0.2, 0.2, 0.6])];
    let mut pairs = vec![0.0; 9];
    for (share, letters) in hidden {
        for a in 0..3 {
            for b in 0..3 {
                pairs[3 * a + b] += share * (letters[a] * letters[b]);
            }
        }
    }
    PairParameters::new(Alphabet::of(["abc"]).unwrap(), pairs, vec![0.2, 0.5, 0.3], 0.3, 0.15).unwrap()
}

const STRINGS: [&str; 10] = ["", "a", "b", "ab", "ba", "abc", "cabb", "aaaa", "bcab", "ccabc"];

#[test]
fn the_pair_kernel_sums_over_all_sets_of_events() {
    let parameters = pair_parameters();
    let alphabet = parameters.alphabet().clone();
    let kernel = PairHiddenMarkov::of(parameters.clone()).normalised(false);
    let exact = |x: &str, z: &str| {
        let (x, z) = (alphabet.codes(x).unwrap(), alphabet.codes(z).unwrap());
        let pair = |a: usize, b: usize| parameters.pairs()[3 * a + b];
        enumeration::pair_hidden_markov(&x, &z, &pair, parameters.background(), 0.3, 0.15)
    };
    for x in STRINGS {
        for z in STRINGS {
            let (expected, found) = (exact(x, z), kernel.eval(x, z));
            assert!((found - expected).abs() < 1e-13 * expected, "{x:?} {z:?}: {found:e} {expected:e}");
            let log = kernel.log(x, z).unwrap();
            assert!((log - expected.ln()).abs() < 1e-12, "{x:?} {z:?}");
            let normalised = kernel.clone().normalised(true).eval(x, z);
            let expected = expected / (exact(x, x) * exact(z, z)).sqrt();
            assert!((normalised - expected).abs() < 1e-12, "{x:?} {z:?}: {normalised} {expected}");
        }
    }
    // It is a distribution on pairs of strings: all pairs of up to five letters hold most of what lies there.
    let short = PairParameters::new(Alphabet::of(["a"]).unwrap(), vec![1.0], vec![1.0], 0.1, 0.6).unwrap();
    let short = PairHiddenMarkov::of(short).normalised(false);
    let total: f64 = (0..60)
        .flat_map(|n| (0..60).map(move |m| (n, m)))
        .map(|(n, m)| short.eval(&"a".repeat(n), &"a".repeat(m)))
        .sum();
    assert!((total - 1.0).abs() < 1e-9, "{total}");
}

#[test]
fn the_pair_kernel_obeys_the_laws_and_takes_long_strings() {
    let strings: Vec<&str> = STRINGS.to_vec();
    for kernel in [
        PairHiddenMarkov::of(pair_parameters()),
        PairHiddenMarkov::of(pair_parameters()).normalised(false),
        PairHiddenMarkov::new(0.2, 0.1).unwrap().learn(&strings, None).unwrap(),
    ] {
        laws::all("pair", &|x: &&&str, z: &&&str| kernel.eval(x, z), &strings);
    }
    let kernel = PairHiddenMarkov::of(pair_parameters());
    let (x, z) = ("abcab".repeat(300), "abcb".repeat(350));
    let (value, log) = (kernel.eval(&x, &z), kernel.log(&x, &z).unwrap());
    assert!(log.is_finite() && log < -2000.0 && value >= 0.0, "{value} {log}");
    let norms = 0.5 * (kernel.log(&x, &x).unwrap() + kernel.log(&z, &z).unwrap());
    assert!((value.ln() - (log - norms)).abs() < 1e-8);
    assert!((kernel.eval(&x, &x) - 1.0).abs() < 1e-9);
}

#[test]
fn pair_parameters_are_learned_from_strings() {
    let kernel = PairHiddenMarkov::new(0.25, 0.4).unwrap().learn(&["aab", "b"], Some(&[1.0, 2.0])).unwrap();
    let parameters = kernel.parameters().unwrap();
    // Letters a, a, b, b, b and one more that is half of each.
    assert_eq!(parameters.background(), [2.5 / 6.0, 3.5 / 6.0]);
    let (a, b) = (2.5 / 6.0, 3.5 / 6.0);
    close(
        "pairs",
        parameters.pairs(),
        &[0.6 * a + 0.4 * a * a, 0.4 * a * b, 0.4 * a * b, 0.6 * b + 0.4 * b * b],
        1e-15,
    );
    // The mean length 5/3 would need 1 event: (5/3 − 1/3) / (4/3).
    assert!((parameters.end() - 0.5).abs() < 1e-15);
    let long = PairHiddenMarkov::new(0.25, 0.4).unwrap().learn(&["abababababa"], None).unwrap();
    assert!(
        (long.parameters().unwrap().end() - 1.0 / (1.0 + (11.0 - 1.0 / 3.0) / (4.0 / 3.0))).abs() < 1e-15
    );
}
