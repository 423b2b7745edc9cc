//! Machines that factorise K and machines that learn one example after the other, for the table of `structures.rs`.
//!
//! Linear machines and networks of radial basis functions are not here: by their definitions they are of rows of numbers.

use mercer::Error;
use mercer::data::{Items, Labels};
use mercer::gram::BulkKernel;
use mercer::linalg::Matrix;
use mercer::machine::online::{IncrementalSvc, Online, Remembered, Rule};
use mercer::machine::{
    BayesPointMachine, FisherDiscriminant, GaussianProcess, KernelCca, KernelKMeans, KernelPca, KernelPls,
    LaplaceClassifier, LeastSquaresSvc, MatrixOptions, OrdinalSvm, RankSvm, RelevanceMachine, Ridge, Slack,
    SpectralClustering, SphereAndSlab,
};
use mercer_testkit::structures::target;

use super::structures::{Told, bits};

fn places(places: Vec<usize>) -> Told {
    places.into_iter().map(|place| place as u64).collect()
}

/// Machines that see all of K, trained on the same items.
pub fn matrix_machines<K, I>(kernel: &K, old: &I, new: &I, threads: usize) -> Vec<(&'static str, Told)>
where
    I: Items<Owned = I>,
    K: BulkKernel<I>,
{
    let k = || kernel.clone();
    let options = MatrixOptions { threads, ..MatrixOptions::default() };
    let labels = Labels::from_text((0..old.len()).map(|i| target(i).0));
    let numbers: Vec<f64> = (0..old.len()).map(|i| target(i).1).collect();
    let levels: Vec<f64> = (0..old.len()).map(|i| 1.0 + (i % 3) as f64).collect();
    let column = Matrix::new(numbers.clone(), numbers.len(), 1).unwrap();
    let whole = |matrix: Matrix| bits(matrix.values().to_vec());
    let ridge = Ridge::params(k()).lambda(0.1).options(options.clone()).check().unwrap();
    let process = GaussianProcess::params(k()).noise(0.1).options(options.clone()).check().unwrap();
    let laplace = LaplaceClassifier::params(k()).options(options.clone()).check().unwrap();
    let least = LeastSquaresSvc::params(k()).cost(2.0).options(options.clone()).check().unwrap();
    let fisher = FisherDiscriminant::params(k()).options(options.clone()).check().unwrap();
    let pca = KernelPca::params(k()).components(2).options(options.clone()).check().unwrap();
    let means = KernelKMeans::params(k(), 2).seed(1).options(options.clone()).check().unwrap();
    let spectral = SpectralClustering::params(k(), 2).seed(1).options(options.clone()).check().unwrap();
    let pls = KernelPls::params(k()).components(2).options(options.clone()).check().unwrap();
    let ranking = RankSvm::params(k()).options(options.clone()).check().unwrap();
    let ordinal = OrdinalSvm::params(k()).options(options.clone()).check().unwrap();
    let relevance = RelevanceMachine::params(k()).options(options.clone()).check().unwrap();
    let bayes = BayesPointMachine::params(k()).seed(2).options(options.clone()).check().unwrap();
    let slab = SphereAndSlab::params(k()).components(2).threads(threads).check().unwrap();
    let cca = KernelCca::params().components(1).regularisation(0.1).options(options).check().unwrap();
    let (_, (first, _)) = cca.fit_two((&k(), old), (&k(), old)).unwrap();
    // An item that is like no other, not even like itself, belongs to no cluster.
    let of_spectral = match spectral.fit(old) {
        Err(Error::Entry { what: "the sum of the kernel values of item", .. }) => Vec::new(),
        clusters => places(clusters.unwrap().predict(new).unwrap()),
    };
    let novel = slab.fit(old).unwrap().is_novel(new).unwrap();
    vec![
        ("ridge", bits(ridge.fit(old, &numbers).unwrap().predict(new).unwrap())),
        ("Gaussian process", bits(process.fit(old, &numbers).unwrap().predict(new).unwrap())),
        ("Laplace", whole(laplace.fit(old, &labels).unwrap().probabilities(new).unwrap())),
        ("least squares", bits(least.fit(old, &labels).unwrap().decision(new).unwrap())),
        ("Fisher discriminant", bits(fisher.fit(old, &labels).unwrap().scores(new).unwrap())),
        ("components", whole(pca.fit(old).unwrap().transform(new).unwrap())),
        ("means", places(means.fit(old).unwrap().predict(new).unwrap())),
        ("spectral", of_spectral),
        ("partial least squares", bits(pls.fit(old, &column).unwrap().predict(new).unwrap())),
        ("ranking", bits(ranking.fit(old, &numbers, None).unwrap().predict(new).unwrap())),
        ("levels", bits(ordinal.fit(old, &levels).unwrap().predict(new).unwrap())),
        ("relevance", bits(relevance.fit(old, &numbers).unwrap().predict(new).unwrap())),
        (
            "relevance of classes",
            bits(relevance.fit_classes(old, &labels, None).unwrap().predict(new).unwrap()),
        ),
        ("Bayes point", bits(bayes.fit(old, &labels).unwrap().predict(new).unwrap())),
        ("sphere and slab", novel.into_iter().map(u64::from).collect()),
        ("views", whole(first.transform(new).unwrap())),
    ]
}

/// Machines that see one item after the other: items 0 to `old` are learned from, those behind them are asked about.
pub fn learn_on_line(
    value: impl Fn(usize, usize) -> f64 + Clone + Send + Sync + 'static,
    (old, all): (usize, usize),
) {
    let memory = || {
        let value = value.clone();
        Remembered::<_, usize>::new(move |x: &usize, z: &usize| value(*x, *z))
    };
    let sign = |i: usize| if target(i).0 == target(0).0 { 1.0 } else { -1.0 };
    let soft = Slack::Linear;
    let levels = |i: usize| 1.0 + (i % 3) as f64;
    for rule in [
        Rule::Perceptron,
        Rule::PassiveAggressive { slack: soft, cost: 1.0 },
        Rule::Regression { tube: 0.05, slack: soft, cost: 1.0 },
        Rule::Ranking { thresholds: vec![0.0, 0.0] },
    ] {
        let mut machine = Online::params(memory(), rule.clone()).check().unwrap();
        for i in 0..old {
            let truth = match rule {
                Rule::Regression { .. } => target(i).1,
                Rule::Ranking { .. } => levels(i),
                _ => sign(i),
            };
            machine.learn(&i, truth).unwrap();
        }
        assert!((old..all).all(|i| machine.predict(&i).unwrap().is_finite()), "{rule:?}");
    }
    let mut machine = IncrementalSvc::new(memory(), 1.0).unwrap();
    for i in 0..old {
        machine.add(&i, sign(i)).unwrap();
    }
    assert!(machine.violation().unwrap() < 1e-6);
    assert!((old..all).all(|i| machine.value(&i).unwrap().is_finite()));
}
