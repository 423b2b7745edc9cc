//! Kernels on sets against their definitions.

use mercer::data::{Items, Row, Sparse, Vectors};
use mercer::gram::{BulkKernel, Pairwise, Plan};
use mercer::kernel::set::{BestMatch, MultisetIntersection, SetSum};
use mercer::kernel::vector::{Gaussian, Linear};
use mercer::kernel::{
    Definiteness, DigestKernel, Expression, FeatureMap, Kernel, Verdict, White, check_mercer,
};
use mercer_testkit::laws;
use mercer_testkit::random::Random;

use super::kernel;

fn sets(seed: u64, count: usize) -> Vec<Vectors<'static>> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|i| {
            let rows: Vec<[f64; 2]> = (0..i % 6).map(|_| [random.normal(), random.normal()]).collect();
            Vectors::from_rows(&rows).unwrap()
        })
        .collect()
}

/// All values of a kernel between the rows of two sets.
fn block(base: &Expression, x: &Vectors<'_>, z: &Vectors<'_>) -> Vec<Vec<f64>> {
    (0..x.len()).map(|a| (0..z.len()).map(|b| base.eval(&x.get(a), &z.get(b))).collect()).collect()
}

#[test]
fn sums_and_matches_are_what_they_are_defined_to_be() {
    let all = sets(1, 14);
    for base in ["linear", "gaussian(gamma=0.3)", "linear + 0.5 * laplacian(gamma=1)"].map(kernel) {
        let (sum, matching) = (SetSum::new(base.clone()).unwrap(), BestMatch::new(base.clone()).unwrap());
        for x in &all {
            for z in &all {
                let values = block(&base, x, z);
                let total: f64 = values.iter().flatten().sum();
                assert!((sum.eval(x, z) - total).abs() <= 1e-12 * total.abs().max(1.0));
                let pairs = (x.len() * z.len()) as f64;
                let mean = if pairs == 0.0 { 0.0 } else { total / pairs };
                assert!((sum.clone().mean().eval(x, z) - mean).abs() <= 1e-12 * mean.abs().max(1.0));
                let rows: f64 = values.iter().map(|row| row.iter().copied().fold(f64::MIN, f64::max)).sum();
                let best = |b: usize| values.iter().map(|row| row[b]).fold(f64::MIN, f64::max);
                let columns: f64 = (0..z.len()).map(best).sum();
                let expected = (rows / x.len() as f64 + columns / z.len() as f64) / 2.0;
                let expected = if pairs == 0.0 { 0.0 } else { expected };
                assert!((matching.eval(x, z) - expected).abs() <= 1e-12 * expected.abs().max(1.0));
            }
        }
        laws::all_on_items("sum", &sum, &all);
        laws::all_on_items("mean", &sum.clone().mean(), &all);
        laws::symmetry("match", &laws::OnItems(&matching), &all);
        laws::finite("match", &laws::OnItems(&matching), &all);
    }
}

#[test]
fn the_best_match_is_no_mercer_kernel() {
    // Sets of two points out of a square: a known kind of counterexample.
    let mut random = Random::new(3);
    let base = BestMatch::new(Gaussian::gamma(1.0).unwrap()).unwrap();
    assert_eq!(DigestKernel::<Vectors<'_>>::definiteness(&base), Definiteness::NotGuaranteed);
    let found = (0..200).any(|_| {
        let point = |random: &mut Random| [random.below(3) as f64, random.below(3) as f64];
        let all: Vec<Vectors<'static>> = (0..12)
            .map(|_| {
                Vectors::from_rows(&[point(&mut random), point(&mut random), point(&mut random)]).unwrap()
            })
            .collect();
        check_mercer(&laws::OnItems(&base), &all, usize::MAX, 0).unwrap().verdict
            != Verdict::PositiveSemiDefinite
    });
    assert!(found);
}

#[test]
fn rows_may_be_sparse() {
    let sparse: Vectors = Sparse::from_parts(vec![0, 1, 2], vec![0, 2], vec![2.0, 3.0], 3).unwrap().into();
    let dense = Vectors::from_rows(&[[1.0, 1.0, 1.0]]).unwrap();
    assert_eq!(SetSum::new(Linear).unwrap().eval(&sparse, &dense), 5.0);
}

#[test]
fn sets_that_do_not_fit() {
    let (two, three) =
        (Vectors::from_rows(&[[1.0, 2.0]]).unwrap(), Vectors::from_rows(&[[1.0, 2.0, 3.0]]).unwrap());
    let sum = SetSum::new(Linear).unwrap();
    // Neither knows how many columns there should be: the value shows it, and a Gram matrix refuses it.
    assert!(sum.eval(&two, &three).is_nan());
    let pairwise = Pairwise::<_, Vectors<'static>>::new(sum.clone());
    let (items, plan) = (vec![two.clone(), three.clone()], Plan::new().unwrap());
    let gram = pairwise.symmetric(&items, &pairwise.layout(&items, &plan).unwrap(), &plan).unwrap();
    let mut value = [0.0];
    let out = mercer::gram::Block::F64 { values: &mut value, stride: 1 };
    let error = gram.fill(&[0], mercer::gram::Columns::Range(1..2), out).unwrap_err();
    assert_eq!(error.to_string(), "kernel value of items 0 and 1 is NaN");
    // After learning it knows.
    let learned = DigestKernel::learn(&sum, &[&two], None).unwrap();
    let error = learned.try_eval(&two, &three).unwrap_err().to_string();
    assert_eq!(error, "columns (as in training): expected 2, found 3");
    assert!(DigestKernel::learn(&sum, &[&two, &three], None).is_err());
    // An empty set fits everywhere.
    let empty = Vectors::from_rows::<[f64; 0]>(&[]).unwrap();
    assert_eq!((learned.eval(&empty, &two), learned.eval(&empty, &empty)), (0.0, 0.0));
    let first_column = SetSum::new(kernel("columns(0:1, linear)")).unwrap();
    assert_eq!((first_column.eval(&empty, &two), first_column.eval(&two, &two)), (0.0, 1.0));
    let negative = SetSum::new(kernel("intersection")).unwrap();
    let error = negative.try_eval(&two, &Vectors::from_rows(&[[1.0, -2.0]]).unwrap()).unwrap_err();
    assert!(error.to_string().contains("intersection needs values of at least 0"), "{error}");
    let error = SetSum::new(Linear + White::new(0.5).unwrap()).unwrap_err().to_string();
    assert!(error.starts_with("linear + white(0.5) has noise"), "{error}");
}

#[test]
fn widths_are_learned_from_the_rows_of_all_sets() {
    let all = sets(5, 9);
    let waiting = SetSum::new(kernel("gaussian")).unwrap();
    let error = waiting.try_eval(&all[1], &all[2]).unwrap_err().to_string();
    assert!(error.contains("waits for training data"), "{error}");
    let items: Vec<&Vectors<'static>> = all.iter().collect();
    let learned = DigestKernel::learn(&waiting, &items, None).unwrap();
    let rows = Vectors::stacked(&items).unwrap();
    assert_eq!(*learned.kernel(), kernel("gaussian").resolve(&rows).unwrap());
    let json = serde_json::to_string(&learned).unwrap();
    let read: SetSum = serde_json::from_str(&json).unwrap();
    assert_eq!(read.eval(&all[3], &all[4]), learned.eval(&all[3], &all[4]));
    // A set of weight 2 is there twice.
    let weights: Vec<f64> = (0..all.len()).map(|i| (i % 3) as f64).collect();
    let weighted = DigestKernel::learn(&waiting, &items, Some(&weights)).unwrap();
    let twice: Vec<&Vectors<'static>> =
        items.iter().enumerate().flat_map(|(i, &set)| std::iter::repeat_n(set, i % 3)).collect();
    let Ok(repeated) = DigestKernel::learn(&waiting, &twice, None) else { panic!("sets with rows") };
    let row = Row::Dense64(&[1.0, 0.5]);
    let zero = Row::Dense64(&[0.0, 0.0]);
    assert!((weighted.kernel().eval(&row, &zero) - repeated.kernel().eval(&row, &zero)).abs() < 1e-12);
}

#[test]
fn multisets() {
    let mut random = Random::new(9);
    let all: Vec<Vec<u8>> = (0..30).map(|i| (0..i % 8).map(|_| random.below(5) as u8).collect()).collect();
    let count = |set: &[u8], element: u8| set.iter().filter(|&&other| other == element).count();
    for x in &all {
        for z in &all {
            let expected: usize = (0..5).map(|element| count(x, element).min(count(z, element))).sum();
            assert_eq!(MultisetIntersection.eval(&x[..], &z[..]), expected as f64);
        }
    }
    let on_vectors = |x: &&Vec<u8>, z: &&Vec<u8>| MultisetIntersection.eval(&x[..], &z[..]);
    laws::all("multisets", &on_vectors, &all);
    let features = MultisetIntersection.features(&["b", "a", "b"][..]).unwrap();
    assert_eq!(features, [(("a", 0), 1.0), (("b", 0), 1.0), (("b", 1), 1.0)]);
    let empty: [u8; 0] = [];
    assert_eq!(MultisetIntersection.eval(&empty[..], &[1, 2][..]), 0.0);
}
