//! Kernels on structured items in bulk: features as sparse rows, digests compared, compounds of both.

use std::sync::Arc;

use mercer::data::Labels;
use mercer::gram::{
    BulkKernel, Compound, Digested, Mapped, Pairwise, PairwiseLayout, Plan, Precision, WithLayout,
};
use mercer::kernel::string::{Blended, Spectrum, Subsequences};
use mercer::kernel::{Definiteness, DigestKernel, FeatureMap, Kernel, Normalised};
use mercer::machine::Svc;
use mercer::resources::Workers;
use mercer::{Error, Result};
use mercer_testkit::random::Random;

use super::contract::{assert_bits, check_contract, check_symmetric, whole};

/// Random words, some of them empty, short or repeated.
fn words(seed: u64, count: usize, longest: usize) -> Vec<String> {
    let mut random = Random::new(seed);
    let mut words: Vec<String> = (0..count)
        .map(|_| (0..random.below(longest + 1)).map(|_| ['a', 'b', 'c', 'é'][random.below(4)]).collect())
        .collect();
    words[0] = String::new();
    words[1] = "a".into();
    words[3] = words[2].clone();
    words
}

fn plan(precision: Precision, threads: usize, cache_bytes: u64) -> Plan {
    Plan { precision, workers: Arc::new(Workers::new(threads)), cache_bytes, ..Plan::new().unwrap() }
}

/// Every way of asking gives the same bits, and they are near those of single pairs.
fn check<K>(kernel: &K, single: impl Fn(&str, &str) -> f64)
where
    K: BulkKernel<Vec<String>> + WithLayout<Layout = PairwiseLayout>,
{
    let items = words(1, 40, 30);
    let new = words(2, 25, 60);
    for precision in [Precision::F64, Precision::F32] {
        let first = plan(precision, 1, 0);
        let layout = kernel.layout(&items, &first).unwrap();
        let gram = kernel.symmetric(&items, &layout, &first).unwrap();
        check_symmetric(&*gram);
        let values = whole(&*gram);
        let between = kernel.cross(&items, &new, &layout, &first).unwrap();
        check_contract(&*between);
        let new_values = whole(&*between);
        let tolerance = if precision == Precision::F64 { 1e-13 } else { 1e-6 };
        for (columns, values) in [(&items, &values), (&new, &new_values)] {
            for (i, x) in items.iter().enumerate() {
                for (j, z) in columns.iter().enumerate() {
                    let expected = single(x, z);
                    let size = (single(x, x) * single(z, z)).sqrt();
                    let found = values[i * columns.len() + j];
                    assert!((found - expected).abs() <= tolerance * size, "{x:?} {z:?}: {found} {expected}");
                }
            }
        }
        for other in [plan(precision, 3, 0), plan(precision, 2, 1 << 20)] {
            assert_bits(&whole(&*kernel.symmetric(&items, &layout, &other).unwrap()), &values, "symmetric");
            let between = kernel.cross(&items, &new, &layout, &other).unwrap();
            assert_bits(&whole(&*between), &new_values, "cross");
        }
        // What the kept items are, and what else is in the batch, makes no difference.
        let some: Vec<usize> = (0..items.len()).step_by(3).collect();
        let kept: Vec<String> = some.iter().map(|&i| items[i].clone()).collect();
        for (j, word) in new.iter().enumerate() {
            let batch = vec![word.clone()];
            let column = whole(&*kernel.cross(&kept, &batch, &layout, &first).unwrap());
            let expected: Vec<f64> = some.iter().map(|&i| new_values[i * new.len() + j]).collect();
            assert_bits(&column, &expected, "one new item");
        }
        // Training items as new ones have the values of training.
        assert_bits(
            &whole(&*kernel.cross(&items, &items, &layout, &first).unwrap()),
            &values,
            "as new items",
        );
    }
}

#[test]
fn features_in_bulk() {
    let kernel = Blended::with_weights(vec![0.3, 0.0, 0.7, 1.1]).unwrap();
    check(&Mapped::<_, str>::new(kernel.clone()), |x, z| kernel.eval(x, z));
}

#[test]
fn digests_in_bulk() {
    let kernel = Subsequences::new(3, 0.6).unwrap();
    check(&Digested::<_, str>::new(kernel), |x, z| kernel.eval(x, z));
}

#[test]
fn features_at_unit_length() {
    let kernel = Normalised::new(Blended::new(3).unwrap());
    check(&Mapped::<_, str>::new(kernel.clone()), |x, z| kernel.eval(x, z));
}

/// Where an item meets itself the value is 1 to the bit, which a comparison with an equal item need not give.
#[test]
fn digests_at_unit_length() {
    let kernel = Digested::<_, str>::new(Normalised::new(Subsequences::new(2, 0.7).unwrap()));
    let items = words(1, 30, 20);
    let plan = plan(Precision::F64, 2, 1 << 20);
    let gram = kernel.symmetric(&items, &kernel.layout(&items, &plan).unwrap(), &plan).unwrap();
    check_symmetric(&*gram);
    for (word, &value) in items.iter().zip(gram.diagonal()) {
        assert_eq!(value, if word.chars().count() < 2 { 0.0 } else { 1.0 }, "{word:?}");
    }
}

#[test]
fn compounds_in_bulk() {
    let (pairs, gaps) = (Spectrum::new(2).unwrap(), Subsequences::new(2, 0.5).unwrap());
    let mapped = || Compound::<String>::new(Mapped::<_, str>::new(pairs));
    let digested = || Compound::<String>::new(Digested::<_, str>::new(gaps));
    let sum = mapped().scaled(0.25).unwrap().plus(digested());
    check(&sum, |x, z| 0.25 * pairs.eval(x, z) + gaps.eval(x, z));
    check(&mapped().times(digested()), |x, z| pairs.eval(x, z) * gaps.eval(x, z));
    assert_eq!(BulkKernel::<Vec<String>>::definiteness(&sum), Definiteness::Guaranteed);
    assert!(mapped().scaled(-1.0).is_err());
    let unit = sum.clone().normalised();
    let items = words(4, 20, 12);
    let plan = plan(Precision::F64, 1, 0);
    let layout = unit.layout(&items, &plan).unwrap();
    let gram = unit.symmetric(&items, &layout, &plan).unwrap();
    check_symmetric(&*gram);
    let (values, raw) = (whole(&*gram), whole(&*sum.symmetric(&items, &layout, &plan).unwrap()));
    let new = whole(&*unit.cross(&items, &items, &layout, &plan).unwrap());
    for i in 0..20 {
        for j in 0..20 {
            let length = (raw[i * 20 + i] * raw[j * 20 + j]).sqrt();
            let expected = if length == 0.0 { 0.0 } else { raw[i * 20 + j] / length };
            assert!((values[i * 20 + j] - expected).abs() < 1e-14);
            assert!((new[i * 20 + j] - expected).abs() < 1e-14);
        }
    }
}

/// A feature that no kept item has adds nothing to the value, but it adds to the length.
#[test]
fn unknown_features_count_in_the_length() {
    let kernel = Mapped::<_, str>::new(Normalised::new(Spectrum::new(1).unwrap()));
    let (kept, new) = (vec!["ab".to_string()], vec!["abxy".to_string(), "xy".into(), String::new()]);
    let plan = plan(Precision::F64, 1, 0);
    let layout = kernel.layout(&kept, &plan).unwrap();
    let values = whole(&*kernel.cross(&kept, &new, &layout, &plan).unwrap());
    assert!((values[0] - 2.0 / (2.0f64.sqrt() * 2.0)).abs() < 1e-15);
    assert_eq!(&values[1..], [0.0, 0.0]);
}

/// Refuses an empty item, and has a feature that is infinite for "x".
#[derive(Clone)]
struct Fussy;

impl FeatureMap<str> for Fussy {
    type Feature = char;

    fn features(&self, item: &str) -> Result<Vec<(char, f64)>> {
        if item.is_empty() {
            return Err(Error::Empty { what: "characters" });
        }
        Ok(item.chars().map(|c| (c, if c == 'x' { f64::INFINITY } else { 1.0 })).collect())
    }
}

impl DigestKernel<str> for Fussy {
    type Digest = String;

    fn digest(&self, item: &str) -> Result<String> {
        if item.is_empty() { Err(Error::Empty { what: "characters" }) } else { Ok(item.to_string()) }
    }

    fn compare(&self, x: &String, z: &String) -> f64 {
        if x == "x" { f64::NAN } else { (x.len() * z.len()) as f64 }
    }
}

#[test]
fn errors_name_the_item() {
    let plan = plan(Precision::F64, 2, 0);
    let items = |words: &[&str]| words.iter().map(|w| w.to_string()).collect::<Vec<_>>();
    let (mapped, digested) = (Mapped::<_, str>::new(Fussy), Digested::<_, str>::new(Fussy));
    let message = |words: &[&str]| {
        let items = items(words);
        let layout = mapped.layout(&items, &plan).unwrap();
        let said = [
            mapped.symmetric(&items, &layout, &plan).map(|_| ()).unwrap_err().to_string(),
            mapped.cross(&items, &items, &layout, &plan).map(|_| ()).unwrap_err().to_string(),
        ];
        assert_eq!(said[0], said[1]);
        said[0].clone()
    };
    assert_eq!(message(&["a", "b", "", "c", ""]), "item 2: no characters");
    assert_eq!(message(&["a", "ax"]), "item 1: a feature has the value inf");
    let bad = items(&["a", ""]);
    let layout = digested.layout(&bad, &plan).unwrap();
    let error = digested.symmetric(&bad, &layout, &plan).map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "item 1: no characters");
    let bad = items(&["a", "x"]);
    let error = digested.symmetric(&bad, &layout, &plan).map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::KernelValue { row: 1, column: 1, .. }), "{error}");
}

#[test]
fn no_items() {
    let kernel = Mapped::<_, str>::new(Spectrum::new(2).unwrap());
    let (none, some) = (Vec::<String>::new(), vec!["abc".to_string()]);
    let plan = plan(Precision::F64, 1, 0);
    let layout = kernel.layout(&some, &plan).unwrap();
    assert_eq!(kernel.symmetric(&none, &layout, &plan).unwrap().shape(), (0, 0));
    assert_eq!(kernel.cross(&some, &none, &layout, &plan).unwrap().shape(), (1, 0));
    assert_eq!(kernel.cross(&none, &some, &layout, &plan).unwrap().shape(), (0, 1));
}

/// A machine that learns in bulk is the one that learns pair by pair, and the same for any number of threads.
#[test]
fn a_machine_learns_from_strings() {
    let (train, test) = (words(5, 60, 12), words(6, 40, 20));
    let labels = Labels::from_text(train.iter().map(|word| if word.contains("ab") { "yes" } else { "no" }));
    let kernel = Normalised::new(Blended::new(2).unwrap());
    let scores = |threads: usize| {
        let machine =
            Svc::params(Mapped::<_, str>::new(kernel.clone())).cost(10.0).tolerance(1e-9).threads(threads);
        machine.check().unwrap().fit(&train, &labels).unwrap().decision_values(&test).unwrap()
    };
    let found = scores(1);
    assert_eq!(scores(3), found);
    let machine = Svc::params(Pairwise::<_, str>::new(kernel.clone())).cost(10.0).tolerance(1e-9);
    let model = machine.check().unwrap().fit(&train, &labels).unwrap();
    for (word, (a, b)) in test.iter().zip(found.iter().zip(model.decision_values(&test).unwrap())) {
        assert!((a - b).abs() < 1e-6, "{word}: {a} {b}");
    }
}
