//! Machines that factorise K: what is loaded says the same, to the bit, about rows and about strings.

use mercer::data::{Collection, Items, Labels, Random, Vectors};
use mercer::gram::CollectionKernel;
use mercer::io::{MatrixModel, Model, ModelCard, ModelFormat, TrainedMachine};
use mercer::kernel::Expression;
use mercer::linalg::Matrix;
use mercer::machine::{
    BayesPointMachine, FisherDiscriminant, GaussianProcess, KernelCca, KernelKMeans, KernelPca, KernelPls,
    LaplaceClassifier, LeastSquaresSvc, OrdinalSvm, RankSvm, RbfNetwork, RelevanceMachine, Ridge,
    SpectralClustering, SphereAndSlab,
};

/// A model of each machine.
fn machines(
    kernel: &CollectionKernel,
    items: &Collection<'static>,
    labels: &Labels,
    other: &Labels,
) -> Vec<MatrixModel> {
    let n = items.len();
    let targets = Matrix::from_fn(n, 2, |i, o| ((i * (o + 2)) as f64).sin());
    let one: Vec<f64> = (0..n).map(|i| targets[(i, 0)]).collect();
    let k = || kernel.clone();
    let ridge = Ridge::params(k()).lambda(0.1).offset(true);
    let process = GaussianProcess::params(k()).noise(0.2).normalise_targets(true).check().unwrap();
    let least = LeastSquaresSvc::params(k()).cost(3.0).leave_one_out(true).check().unwrap();
    let laplace = LaplaceClassifier::params(k()).check().unwrap();
    let fisher = FisherDiscriminant::params(k()).check().unwrap();
    let bayes = BayesPointMachine::params(k()).perceptrons(5).softness(1.0).check().unwrap();
    let levels: Vec<f64> = (0..n).map(|i| (i % 3) as f64).collect();
    let cca = KernelCca::params().components(2).check().unwrap();
    vec![
        MatrixModel::Ridge(ridge.clone().check().unwrap().fit(items, &one).unwrap()),
        MatrixModel::Ridge(
            ridge.leave_one_out(true).check().unwrap().fit_many(items, &targets, None).unwrap(),
        ),
        MatrixModel::GaussianProcess(process.fit_many(items, &targets, None).unwrap()),
        MatrixModel::LeastSquares(least.fit(items, labels).unwrap()),
        MatrixModel::LeastSquares(least.fit(items, other).unwrap()),
        MatrixModel::Laplace(laplace.fit(items, labels).unwrap()),
        MatrixModel::Laplace(laplace.fit(items, other).unwrap()),
        MatrixModel::Fisher(fisher.fit(items, other).unwrap()),
        MatrixModel::Pca(KernelPca::params(k()).components(3).check().unwrap().fit(items).unwrap()),
        MatrixModel::View(cca.fit_two((kernel, items), (kernel, items)).unwrap().1.0),
        MatrixModel::KMeans(KernelKMeans::params(k(), 3).check().unwrap().fit(items).unwrap()),
        MatrixModel::Pls(KernelPls::params(k()).components(2).check().unwrap().fit(items, &targets).unwrap()),
        MatrixModel::Rank(RankSvm::params(k()).check().unwrap().fit(items, &one, None).unwrap()),
        MatrixModel::Ordinal(OrdinalSvm::params(k()).check().unwrap().fit(items, &levels).unwrap()),
        MatrixModel::Relevance(RelevanceMachine::params(k()).check().unwrap().fit(items, &one).unwrap()),
        MatrixModel::Relevance(
            RelevanceMachine::params(k()).check().unwrap().fit_classes(items, other, None).unwrap(),
        ),
        MatrixModel::BayesPoint(bayes.fit(items, labels).unwrap()),
        MatrixModel::BayesPoint(bayes.fit(items, other).unwrap()),
        MatrixModel::Slab(SphereAndSlab::params(k()).check().unwrap().fit(items).unwrap()),
    ]
}

/// Labels of two and of three classes.
fn labels(n: usize) -> (Labels, Labels) {
    let name = |k: usize| Labels::from_text((0..n).map(|i| ["a", "b", "c"][(i * i + i / 3) % k]));
    (name(2), name(3))
}

#[test]
fn machines_on_rows_are_stored() {
    let mut random = Random::new(5);
    let points: Vec<[f64; 2]> = (0..40).map(|_| [random.normal(), random.normal()]).collect();
    let rows = Vectors::from_rows(&points).unwrap();
    let new = Vectors::from_rows(&[[0.3, -0.1], [2.0, 2.0], [9.0, -9.0]]).unwrap().into();
    let kernel: CollectionKernel = "gaussian(gamma=0.7) + centre(linear)".parse().unwrap();
    let (two, three) = labels(40);
    let mut models = machines(&kernel, &rows.clone().into(), &two, &three);
    let network = RbfNetwork::params(5).check().unwrap();
    let targets = Matrix::from_fn(40, 2, |i, o| points[i][o].sin());
    models.push(network.fit(&rows, &targets, None).unwrap().into());
    models.push(network.fit_classes(&rows, &three, None).unwrap().into());
    // Sums of values of this kernel may be negative, which clusters by steps cannot be made of.
    let near: Expression = "gaussian(gamma=0.7)".parse().unwrap();
    let spectral = SpectralClustering::params(near, 3).check().unwrap();
    models.push(spectral.fit(&rows).unwrap().into());
    for model in models {
        let name = model.name();
        let expected = model.values(&new).unwrap();
        assert_eq!(expected.len(), 3 * model.width(), "{name}");
        let saved = Model::new(model, None, ModelCard::of(&rows));
        for format in [ModelFormat::Binary, ModelFormat::Json] {
            let bytes = saved.to_bytes(format);
            let loaded = Model::from_bytes(&bytes).unwrap();
            let TrainedMachine::Matrix(again) = &loaded.machine else { panic!("{name}") };
            assert_eq!(again.values(&new).unwrap(), expected, "{name}");
            assert_eq!(loaded.to_bytes(format), bytes, "{name}");
            assert_eq!((again.name(), again.classes()), (name, saved.machine.classes().ok()));
            // Damage is an error or another model, never a panic.
            for at in (0..bytes.len() - 2).step_by(bytes.len() / 30) {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1;
                let _ = Model::from_bytes(&damaged);
                assert!(Model::from_bytes(&bytes[..at]).is_err(), "{name}");
            }
        }
    }
}

#[test]
fn variances_of_a_loaded_process_are_the_same() {
    let rows = Vectors::from_rows(&(0..25).map(|i| [f64::from(i) / 5.0]).collect::<Vec<_>>()).unwrap();
    let targets: Vec<f64> = (0..25).map(|i| (f64::from(i) / 5.0).cos()).collect();
    // Rows stand twice and there is no noise: a jitter is needed, and found again.
    let twice = Vectors::from_rows(&(0..25).map(|i| [f64::from(i / 2)]).collect::<Vec<_>>()).unwrap();
    let weights: Vec<f64> = (0..25).map(|i| [0.0, 0.5, 2.0][i % 3]).collect();
    let column = Matrix::new(targets, 25, 1).unwrap();
    for (rows, noise, weights) in [(&rows, 0.1, None), (&twice, 0.0, None), (&rows, 0.1, Some(&weights[..]))]
    {
        let text = if weights.is_some() { "gaussian(gamma=0.5) + white(0.3)" } else { "gaussian(gamma=0.5)" };
        let machine =
            GaussianProcess::params(text.parse::<Expression>().unwrap()).noise(noise).check().unwrap();
        let model = machine.fit_many(rows, &column, weights).unwrap();
        assert_eq!(model.report().jitter > 0.0, noise == 0.0);
        let said = model.predict_with_variance(rows).unwrap();
        let any = MatrixModel::from(model);
        let bytes = Model::new(any, None, ModelCard::of(rows)).to_bytes(ModelFormat::Binary);
        let TrainedMachine::Matrix(MatrixModel::GaussianProcess(again)) =
            Model::from_bytes(&bytes).unwrap().machine
        else {
            panic!()
        };
        assert_eq!(again.predict_with_variance(&rows.into()).unwrap(), said);
    }
}

#[test]
fn machines_on_strings_are_stored() {
    let mut random = Random::new(8);
    let words: Vec<String> =
        (0..24).map(|_| (0..9).map(|_| ['g', 'a', 't', 'c'][random.below(4)]).collect()).collect();
    let items = Collection::Strings(words);
    let new = Collection::Strings(vec!["gattaca".into(), "tttt".into()]);
    let kernel: CollectionKernel = "normalised(spectrum(k=2))".parse().unwrap();
    let (two, three) = labels(24);
    let mut models = machines(&kernel, &items, &two, &three);
    let spectral = SpectralClustering::params(kernel.clone(), 3).check().unwrap();
    models.push(MatrixModel::Spectral(spectral.fit(&items).unwrap()));
    for model in models {
        let name = model.name();
        let expected = model.values(&new).unwrap();
        let saved = Model::new(model, None, ModelCard::of_items(&items));
        let bytes = saved.to_bytes(ModelFormat::Binary);
        let loaded = Model::from_bytes(&bytes).unwrap();
        let TrainedMachine::Matrix(again) = &loaded.machine else { panic!() };
        assert_eq!(again.values(&new).unwrap(), expected, "{name}");
    }
}
