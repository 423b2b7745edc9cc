//! Kernels on strings of tokens, against the same kernels on numbered tokens.

use std::collections::HashMap;

use mercer::data::{Collection, Item, Items, Labels};
use mercer::gram::{BulkKernel, CollectionKernel, Plan, Precision};
use mercer::kernel::string::{
    AllSubsequences, Blended, FixedSubsequences, Gappy, LocalityImproved, Spectrum, Subsequences,
    WeightedDegree,
};
use mercer::kernel::{Kernel, StructureExpression};
use mercer::machine::Svc;
use mercer_testkit::random::Random;

use super::{assert_same_bits, whole};

/// Texts of tokens that are not in the order of their letters when they are numbered as they come.
fn texts(count: usize) -> Vec<String> {
    let mut random = Random::new(5);
    let text = |i: usize| {
        let tokens =
            (0..3 + i % 5).map(|_| format!("{}é{}", ["w", "a", "42"][random.below(3)], random.below(90)));
        let tokens: Vec<String> = tokens.collect();
        tokens.join(["  ", "\t", " \n"][i % 3])
    };
    (0..count).map(text).collect()
}

/// Numbers in the order in which tokens come.
fn numbered(texts: &[String]) -> Vec<Vec<u32>> {
    let mut known: HashMap<&str, u32> = HashMap::new();
    let mut number = |token| {
        let next = known.len() as u32;
        *known.entry(token).or_insert(next)
    };
    texts.iter().map(|text| text.split_whitespace().map(&mut number).collect()).collect()
}

fn symmetric(kernel: &str, items: &Collection) -> Vec<f64> {
    let kernel: CollectionKernel = kernel.parse().unwrap_or_else(|error| panic!("{kernel}: {error}"));
    let plan = Plan { precision: Precision::F64, ..Plan::new().unwrap() };
    let layout = kernel.layout(items, &plan).unwrap();
    whole(&*kernel.symmetric(items, &layout, &plan).unwrap())
}

#[test]
fn tokens_are_symbols() {
    let texts = texts(20);
    let (ids, items) = (numbered(&texts), Collection::Strings(texts));
    type OnIds = Box<dyn Fn(&[u32], &[u32]) -> f64>;
    fn on_ids(kernel: impl Kernel<[u32]> + 'static) -> OnIds {
        Box::new(move |x, z| kernel.eval(x, z))
    }
    let cases: [(&str, OnIds); 8] = [
        ("spectrum(k=2)", on_ids(Spectrum::new(2).unwrap())),
        ("blended(k=2)", on_ids(Blended::new(2).unwrap())),
        ("gappy(k=2, span=3, decay=0.7)", on_ids(Gappy::new(2, 3, 0.7).unwrap())),
        ("subsequence(k=2, decay=0.7)", on_ids(Subsequences::new(2, 0.7).unwrap())),
        ("fixed_subsequences(k=2)", on_ids(FixedSubsequences::new(2).unwrap())),
        ("all_subsequences(decay=0.9)", on_ids(AllSubsequences::decaying(0.9).unwrap())),
        ("weighted_degree(degree=2)", on_ids(WeightedDegree::new(2).unwrap())),
        ("locality_improved(reach=1)", on_ids(LocalityImproved::new(1, 4, 1).unwrap())),
    ];
    for (text, naive) in cases {
        let found = symmetric(&format!("tokens({text})"), &items);
        for (i, x) in ids.iter().enumerate() {
            for (j, z) in ids.iter().enumerate() {
                let (value, expected) = (found[i * 20 + j], naive(x, z));
                assert!(
                    (value - expected).abs() <= 1e-12 * expected.abs().max(1.0),
                    "{text}: {value} and {expected}"
                );
            }
        }
    }
    let pairs =
        symmetric("tokens(spectrum(k=2))", &vec!["the cat the".to_string(), "a the  cat".into()].into());
    assert_eq!(pairs, [2.0, 1.0, 1.0, 2.0]);
}

#[test]
fn a_value_has_the_same_bits_among_other_items() {
    let items = Collection::Strings(texts(200));
    let kernel = "normalised(tokens(gappy(k=2, span=3, decay=0.7))) + tokens(subsequence(k=2, decay=0.3))";
    let all = symmetric(kernel, &items);
    let some = [190, 3, 77, 12, 150];
    let few = symmetric(kernel, &items.select(&some));
    let expected: Vec<f64> = some.iter().flat_map(|&i| some.map(|j| all[i * 200 + j])).collect();
    assert_same_bits(&few, &expected, &kernel);
}

#[test]
fn machines_learn_from_tokens() {
    let told = ["red fox runs", "red dog runs", "blue fox sits", "blue dog sits"].map(String::from);
    let labels = Labels::from_text(["r", "r", "s", "s"]);
    let kernel: CollectionKernel = "normalised(tokens(spectrum(k=1)))".parse().unwrap();
    let model = Svc::params(kernel).cost(10.0).check().unwrap().fit(&told.to_vec().into(), &labels).unwrap();
    // A word that nobody knows makes a text longer, and nothing else.
    let new: Collection = vec!["a zebra runs".to_string(), "sits".into()].into();
    assert_eq!(model.predict_labels(&new).unwrap(), ["r", "s"]);
}

#[test]
fn kernels_that_need_letters_are_refused() {
    let kernel = |text: &str| text.parse::<StructureExpression>();
    assert_eq!(
        kernel("tokens(normalised(spectrum(k=2)) + 2 * blended(k=2))").unwrap().to_string(),
        "normalised(tokens(spectrum(k=2))) + 2 * tokens(blended(k=2))"
    );
    for (text, part) in [
        ("tokens(mismatch(k=2, m=1))", "character 8: mismatch does not take tokens"),
        ("tokens(bag_of_words)", "bag_of_words does not take tokens: spectrum, blended"),
        ("tokens(wl(h=1))", "wl does not take tokens"),
    ] {
        let error = kernel(text).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    let (x, z) = (Item::String("a b"), Item::String("b a b"));
    assert_eq!(kernel("tokens(spectrum(k=2))").unwrap().eval(x, z).unwrap(), 1.0);
    assert_eq!(kernel("tokens(spectrum(k=1))").unwrap().eval_diagonal(z).unwrap(), 5.0);
}
