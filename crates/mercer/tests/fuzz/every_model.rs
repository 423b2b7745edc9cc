//! A small model of every kind that a file can hold.

use mercer::data::{Collection, ItemKind, Items, Labels, Random, Scaling, ScalingKind, Series, Vectors};
use mercer::gram::CollectionKernel;
use mercer::io::{MatrixModel, Model, ModelCard, TrainedMachine};
use mercer::kernel::Expression;
use mercer::linalg::Matrix;
use mercer::machine::{
    BayesPointMachine, Decision, FisherDiscriminant, GaussianProcess, Joint, JointSvc, KernelCca,
    KernelKMeans, KernelPca, KernelPls, LaplaceClassifier, LeastSquaresSvc, LinearObjective, LinearSvc,
    LinearSvr, Loss, Novelty, OrdinalSvm, Probability, RankSvm, RbfNetwork, Region, RelevanceMachine, Ridge,
    Slack, Softness, SpectralClustering, SphereAndSlab, Svc, Svr, TubeLoss,
};
use mercer::solver::Control;

const ROWS: usize = 12;

fn rows() -> Vectors<'static> {
    let mut random = Random::new(3);
    let rows: Vec<[f64; 3]> = (0..ROWS).map(|_| std::array::from_fn(|_| random.normal())).collect();
    Vectors::from_rows(&rows).unwrap()
}

fn labels(classes: usize) -> Labels {
    Labels::from_text((0..ROWS).map(|row| format!("{}", row % classes)))
}

fn targets() -> Vec<f64> {
    (0..ROWS).map(|row| (row as f64).sin()).collect()
}

/// Machines with a kernel, on any items.
fn with_a_kernel(kernel: &CollectionKernel, items: &Collection<'static>) -> Vec<TrainedMachine> {
    let (two, three, one) = (labels(2), labels(3), targets());
    let many = Matrix::from_fn(ROWS, 2, |i, o| ((i * (o + 2)) as f64).sin());
    let levels: Vec<f64> = (0..ROWS).map(|i| (i % 3) as f64).collect();
    let k = || kernel.clone();
    let svc = |slack| Svc::params(k()).slack(slack);
    let fitted = |machine: mercer::machine::SvcParams<CollectionKernel>, labels: &Labels| {
        TrainedMachine::Svc(machine.check().unwrap().fit(items, labels).unwrap())
    };
    let mut models = vec![
        fitted(svc(Slack::Linear), &two),
        fitted(svc(Slack::Quadratic), &three),
        fitted(svc(Slack::Nu { nu: 0.3 }), &two),
        fitted(svc(Slack::Linear).decision(Decision::Graph), &three),
    ];
    for kind in [Probability::Consistent, Probability::Platt, Probability::Isotonic] {
        models.push(fitted(svc(Slack::Linear).probability(kind), &three));
    }
    let rest = svc(Slack::Linear).check().unwrap();
    let go_on = |_: &_| Control::Continue;
    models
        .push(TrainedMachine::Classes(rest.fit_one_against_rest(items, &three, None, None, &go_on).unwrap()));
    for machine in [Joint::CrammerSinger, Joint::WestonWatkins] {
        let joint = JointSvc::params(k()).machine(machine).check().unwrap();
        models.push(TrainedMachine::from(joint.fit(items, &three).unwrap()));
    }
    for loss in [
        Loss::Linear { tube: 0.1 },
        Loss::Quadratic { tube: 0.1 },
        Loss::Huber { width: 0.3 },
        Loss::Quantile { level: 0.8 },
        Loss::Nu { nu: 0.4 },
    ] {
        models.push(TrainedMachine::from(
            Svr::params(k()).loss(loss).check().unwrap().fit(items, &one).unwrap(),
        ));
    }
    for (region, softness) in [
        (Region::Hyperplane, Softness::Nu(0.3)),
        (Region::Sphere, Softness::Quadratic(2.0)),
        (Region::Centre, Softness::Hard),
    ] {
        let machine = Novelty::params(k()).region(region).softness(softness).check().unwrap();
        models.push(TrainedMachine::from(machine.fit(items).unwrap()));
    }
    let ridge = Ridge::params(k()).lambda(0.1).offset(true).leave_one_out(true).check().unwrap();
    let process = GaussianProcess::params(k()).noise(0.2).normalise_targets(true).check().unwrap();
    let least = LeastSquaresSvc::params(k()).cost(3.0).leave_one_out(true).check().unwrap();
    let laplace = LaplaceClassifier::params(k()).check().unwrap();
    let fisher = FisherDiscriminant::params(k()).check().unwrap();
    let bayes = BayesPointMachine::params(k()).perceptrons(3).softness(1.0).check().unwrap();
    let relevance = RelevanceMachine::params(k()).check().unwrap();
    let cca = KernelCca::params().components(2).check().unwrap();
    let matrix = [
        MatrixModel::Ridge(ridge.fit_many(items, &many, None).unwrap()),
        MatrixModel::GaussianProcess(process.fit_many(items, &many, None).unwrap()),
        MatrixModel::LeastSquares(least.fit(items, &two).unwrap()),
        MatrixModel::LeastSquares(least.fit(items, &three).unwrap()),
        MatrixModel::Laplace(laplace.fit(items, &two).unwrap()),
        MatrixModel::Laplace(laplace.fit(items, &three).unwrap()),
        MatrixModel::Fisher(fisher.fit(items, &three).unwrap()),
        MatrixModel::Pca(KernelPca::params(k()).components(3).check().unwrap().fit(items).unwrap()),
        MatrixModel::View(cca.fit_two((kernel, items), (kernel, items)).unwrap().1.0),
        MatrixModel::KMeans(KernelKMeans::params(k(), 3).check().unwrap().fit(items).unwrap()),
        MatrixModel::Pls(KernelPls::params(k()).components(2).check().unwrap().fit(items, &many).unwrap()),
        MatrixModel::Rank(RankSvm::params(k()).check().unwrap().fit(items, &one, None).unwrap()),
        MatrixModel::Ordinal(OrdinalSvm::params(k()).check().unwrap().fit(items, &levels).unwrap()),
        MatrixModel::Relevance(relevance.fit(items, &one).unwrap()),
        MatrixModel::Relevance(relevance.fit_classes(items, &two, None).unwrap()),
        MatrixModel::Relevance(relevance.fit_classes(items, &three, None).unwrap()),
        MatrixModel::BayesPoint(bayes.fit(items, &two).unwrap()),
        MatrixModel::BayesPoint(bayes.fit(items, &three).unwrap()),
        MatrixModel::Spectral(SpectralClustering::params(k(), 3).check().unwrap().fit(items).unwrap()),
        MatrixModel::Slab(SphereAndSlab::params(k()).check().unwrap().fit(items).unwrap()),
    ];
    models.extend(matrix.map(TrainedMachine::Matrix));
    models
}

/// On rows of numbers.
pub fn of_rows() -> Vec<Model> {
    let rows = rows();
    let kernel: CollectionKernel = "gaussian(gamma=0.5)".parse().unwrap();
    let many = Matrix::from_fn(ROWS, 2, |i, o| ((i * (o + 2)) as f64).sin());
    let mut models = with_a_kernel(&kernel, &rows.clone().into());
    for objective in [
        LinearObjective::Hinge,
        LinearObjective::SquaredHinge,
        LinearObjective::SparseSquaredHinge,
        LinearObjective::CrammerSinger,
    ] {
        let machine = LinearSvc::params().objective(objective).check().unwrap();
        models.push(TrainedMachine::Linear(machine.fit(&rows, &labels(3)).unwrap()));
    }
    for loss in [TubeLoss::Linear { tube: 0.1 }, TubeLoss::Squared { tube: 0.0 }] {
        let machine = LinearSvr::params().loss(loss).check().unwrap();
        models.push(TrainedMachine::LinearRegression(machine.fit(&rows, &targets()).unwrap()));
    }
    let network = RbfNetwork::params(4).check().unwrap();
    models.push(MatrixModel::from(network.fit(&rows, &many, None).unwrap()).into());
    models.push(MatrixModel::from(network.fit_classes(&rows, &labels(3), None).unwrap()).into());
    models.push(models[0].compressed(3).unwrap().model);
    // A kernel that remembers its training rows.
    let centred: Expression = "centre(linear) + gaussian(gamma=0.5)".parse().unwrap();
    let svc = Svc::params(centred).check().unwrap();
    models.push(TrainedMachine::from(svc.fit(&rows, &labels(2)).unwrap()));
    let scaling = Scaling::fit(ScalingKind::Standardise, &rows).unwrap();
    let saved = |(at, model): (usize, TrainedMachine)| {
        Model::new(model, (at == 0).then(|| scaling.clone()), ModelCard::of(&rows))
    };
    models.into_iter().enumerate().map(saved).collect()
}

/// Strings of four letters.
pub fn strings() -> Collection<'static> {
    let mut random = Random::new(8);
    let word = |_| (0..9).map(|_| ['g', 'a', 't', 'c'][random.below(4)]).collect();
    Collection::Strings((0..ROWS).map(word).collect())
}

pub fn all() -> Vec<Model> {
    let items = strings();
    let kernel: CollectionKernel = "normalised(spectrum(k=2))".parse().unwrap();
    let of_items =
        |model: TrainedMachine, items: &Collection<'_>| Model::new(model, None, ModelCard::of_items(items));
    let strings = with_a_kernel(&kernel, &items).into_iter().map(|model| of_items(model, &items));
    // Kernels that correct their matrix, and remember how.
    let series =
        (0..ROWS).map(|row| Series::univariate((0..5).map(|t| ((row * t) as f64).sin()).collect()).unwrap());
    let series = Collection::Series(series.collect());
    let corrected = [
        ("clipped(dtw(gamma=0.5))", series),
        ("clipped(sigmoid(gamma=0.5))", rows().into()),
        ("shifted(sigmoid(gamma=0.5))", rows().into()),
    ];
    let corrected = corrected.map(|(kernel, items)| {
        let svc = Svc::params(kernel.parse::<CollectionKernel>().unwrap()).check().unwrap();
        of_items(svc.fit(&items, &labels(2)).unwrap().into(), &items)
    });
    of_rows().into_iter().chain(strings).chain(corrected).collect()
}

/// Everything that can be asked of a model answers, whatever it was read from.
pub fn use_model(loaded: Model) {
    let items = match loaded.machine.item_kind() {
        ItemKind::Rows if loaded.card.columns > 100 => return,
        ItemKind::Rows => Vectors::from_rows(&[vec![0.25; loaded.card.columns as usize]]).unwrap().into(),
        ItemKind::Series => Collection::Series(vec![Series::univariate(vec![0.5, 1.0]).unwrap()]),
        // Items of another kind than the kernel's are an error.
        _ => Collection::Strings(vec!["gattaca".into(), String::new()]),
    };
    let _ = loaded.machine.class_scores(&items);
    let Ok(items) = loaded.prepare(&items) else { return };
    let items = &*items;
    match &loaded.machine {
        TrainedMachine::Svc(model) => {
            let _ = model.predict_labels(items);
            let _ = model.probabilities(items);
        }
        TrainedMachine::Svr(model) => drop(model.predict(items)),
        TrainedMachine::Novelty(model) => drop(model.scores(items)),
        TrainedMachine::Classes(model) => drop(model.scores(items)),
        TrainedMachine::Linear(model) => drop(items.rows().and_then(|rows| model.scores(rows))),
        TrainedMachine::LinearRegression(model) => drop(items.rows().and_then(|rows| model.predict(rows))),
        TrainedMachine::Matrix(model) => {
            let n = items.len();
            if let Ok(values) = model.values(items) {
                assert_eq!(values.len(), n * model.width());
            }
            match model {
                MatrixModel::GaussianProcess(model) => drop(model.predict_with_variance(items)),
                MatrixModel::Ordinal(model) => drop(model.predict(items)),
                _ => {}
            }
        }
    }
}
