//! Models of a caller's own types (a kernel on rows and rows) beside those of a collection of rows: fitted either way, converted, saved
//! and loaded, they are the same to the bit.

use mercer::data::{Collection, ColumnMajor, Dense, Examples, Items, Labels, Random, Sparse, Split, Vectors};
use mercer::evaluation::Metric;
use mercer::evaluation::search::{Cell, Grid, Search, Watch};
use mercer::gram::{BulkKernel, CollectionKernel, Precision};
use mercer::io::{MatrixModel, Model, ModelCard, ModelFormat, TrainedMachine};
use mercer::kernel::Expression;
use mercer::linalg::Matrix;
use mercer::machine::{
    BayesPointMachine, Decision, FisherDiscriminant, FitOptions, GaussianProcess, Joint, JointSvc, KernelCca,
    KernelKMeans, KernelPca, KernelPls, LaplaceClassifier, LeastSquaresSvc, LinearObjective, LinearSvc,
    LinearSvr, Loss, Novelty, OrdinalSvm, PairMachines, Probability, RankSvm, RbfNetwork, Region,
    RelevanceMachine, Ridge, Slack, Softness, SpectralClustering, SphereAndSlab, Svc, SvcModel, SvcParams,
    Svr, TubeLoss,
};
use mercer::solver::Control;
use mercer_testkit::synthetic;

const OLD: usize = 26;
const ALL: usize = 33;
const COLUMNS: usize = 3;

/// A machine that was trained, and what it said about new rows before it was converted.
struct Fitted {
    name: &'static str,
    said: Vec<u64>,
    machine: TrainedMachine,
}

fn bits(values: Vec<f64>) -> Vec<u64> {
    assert!(!values.is_empty() && values.iter().all(|value| value.is_finite()), "{values:?}");
    values.into_iter().map(f64::to_bits).collect()
}

fn fitted<M: Into<TrainedMachine>>(name: &'static str, model: M, said: impl Fn(&M) -> Vec<f64>) -> Fitted {
    Fitted { name, said: bits(said(&model)), machine: model.into() }
}

fn matrix<M: Into<MatrixModel>>(name: &'static str, model: M, said: impl Fn(&M) -> Vec<f64>) -> Fitted {
    Fitted { name, said: bits(said(&model)), machine: model.into().into() }
}

fn whole(matrix: Matrix) -> Vec<f64> {
    matrix.values().to_vec()
}

/// What [`fitted`] and [`matrix`] were told, asked of the machine.
fn answers(machine: &TrainedMachine, new: &Collection<'_>) -> Vec<u64> {
    bits(match machine {
        TrainedMachine::Svc(model) => match model.pairs().calibration {
            Some(_) => [model.decision_values(new).unwrap(), model.probabilities(new).unwrap()].concat(),
            None => model.decision_values(new).unwrap(),
        },
        TrainedMachine::Svr(model) => model.predict(new).unwrap(),
        TrainedMachine::Novelty(model) => model.scores(new).unwrap(),
        TrainedMachine::Classes(model) => model.scores(new).unwrap(),
        TrainedMachine::Linear(model) => model.decision_values(new.rows().unwrap()).unwrap(),
        TrainedMachine::LinearRegression(model) => model.predict(new.rows().unwrap()).unwrap(),
        TrainedMachine::Matrix(model) => match model {
            MatrixModel::Ridge(model) => model.predict(new).unwrap(),
            MatrixModel::GaussianProcess(model) => {
                let found = model.predict_with_variance(new).unwrap();
                [whole(found.mean), whole(found.variance)].concat()
            }
            MatrixModel::LeastSquares(model) => model.decision(new).unwrap(),
            MatrixModel::Laplace(model) => whole(model.probabilities(new).unwrap()),
            MatrixModel::Fisher(model) => model.scores(new).unwrap(),
            MatrixModel::Pca(model) => whole(model.transform(new).unwrap()),
            MatrixModel::View(model) => whole(model.transform(new).unwrap()),
            MatrixModel::KMeans(model) => model.nearness(new).unwrap(),
            MatrixModel::Pls(model) => model.predict(new).unwrap(),
            MatrixModel::Rank(model) => model.predict(new).unwrap(),
            MatrixModel::Ordinal(model) => model.levels(new).unwrap(),
            MatrixModel::Relevance(model) => model.predict(new).unwrap(),
            MatrixModel::BayesPoint(model) => model.predict(new).unwrap(),
            MatrixModel::Spectral(model) => model.distances(new).unwrap(),
            MatrixModel::Slab(model) => model.scores(new).unwrap(),
            MatrixModel::Network(model) => model.predict(new).unwrap(),
        },
    })
}

/// What the faces ask of any machine.
fn of_the_faces(machine: &TrainedMachine, new: &Collection<'_>) -> (Option<Vec<f64>>, Option<Vec<f64>>) {
    let values = match machine {
        TrainedMachine::Matrix(model) => Some(model.values(new).unwrap()),
        _ => None,
    };
    (machine.class_scores(new).ok(), values)
}

fn labels(count: usize, classes: usize) -> Labels {
    Labels::from_text((0..count).map(|i| ["a", "b", "c"][(i * i + i / 3) % classes]))
}

fn targets(count: usize) -> Vec<f64> {
    (0..count).map(|i| (i as f64).sin()).collect()
}

/// Every machine with a kernel, on whatever items.
macro_rules! machines_with_a_kernel {
    ($kernel:expr, $old:expr, $new:expr, $precision:expr) => {{
        let (kernel, old, new) = ($kernel, $old, $new);
        let options = FitOptions { precision: $precision, ..FitOptions::default() };
        let k = || kernel.clone();
        let (two, three, one) = (labels(OLD, 2), labels(OLD, 3), targets(OLD));
        let many = Matrix::from_fn(OLD, 2, |i, o| ((i * (o + 2)) as f64).sin());
        let levels: Vec<f64> = (0..OLD).map(|i| (i % 3) as f64).collect();
        let mut all = Vec::new();
        let svc = || Svc::params(k()).cost(2.0).options(options.clone());
        for (name, params, labels) in [
            ("svc", svc(), &two),
            ("svc of three classes", svc().decision(Decision::Graph), &three),
            ("squared slack", svc().slack(Slack::Quadratic), &three),
            ("nu", svc().slack(Slack::Nu { nu: 0.3 }), &two),
        ] {
            let model = params.check().unwrap().fit(old, labels).unwrap();
            all.push(fitted(name, model, |model| model.decision_values(new).unwrap()));
        }
        for (name, kind) in [
            ("consistent", Probability::Consistent),
            ("Platt", Probability::Platt),
            ("isotonic", Probability::Isotonic),
        ] {
            let model = svc().probability(kind).check().unwrap().fit(old, &three).unwrap();
            all.push(fitted(name, model, |model| {
                [model.decision_values(new).unwrap(), model.probabilities(new).unwrap()].concat()
            }));
        }
        let rest = svc().check().unwrap();
        let rest = rest.fit_one_against_rest(old, &three, None, None, &|_| Control::Continue).unwrap();
        all.push(fitted("one against rest", rest, |model| model.scores(new).unwrap()));
        for (name, joint) in
            [("Crammer & Singer", Joint::CrammerSinger), ("Weston & Watkins", Joint::WestonWatkins)]
        {
            let params = JointSvc::params(k()).machine(joint).options(options.clone());
            let model = params.check().unwrap().fit(old, &three).unwrap();
            all.push(fitted(name, model, |model| model.scores(new).unwrap()));
        }
        for (name, loss) in [
            ("tube", Loss::Linear { tube: 0.1 }),
            ("squared tube", Loss::Quadratic { tube: 0.1 }),
            ("Huber", Loss::Huber { width: 0.3 }),
            ("quantile", Loss::Quantile { level: 0.8 }),
            ("nu-regression", Loss::Nu { nu: 0.4 }),
        ] {
            let params = Svr::params(k()).loss(loss).options(options.clone());
            let model = params.check().unwrap().fit(old, &one).unwrap();
            all.push(fitted(name, model, |model| model.predict(new).unwrap()));
        }
        for (name, region, softness) in [
            ("half-space", Region::Hyperplane, Softness::Nu(0.3)),
            ("sphere", Region::Sphere, Softness::Quadratic(2.0)),
            ("mean", Region::Centre, Softness::Hard),
        ] {
            let params = Novelty::params(k()).region(region).softness(softness).options(options.clone());
            let model = params.check().unwrap().fit(old).unwrap();
            all.push(fitted(name, model, |model| model.scores(new).unwrap()));
        }
        let ridge = Ridge::params(k()).lambda(0.1).offset(true).leave_one_out(true).check().unwrap();
        let process = GaussianProcess::params(k()).noise(0.2).normalise_targets(true).check().unwrap();
        let least = LeastSquaresSvc::params(k()).cost(3.0).check().unwrap();
        let laplace = LaplaceClassifier::params(k()).check().unwrap();
        let fisher = FisherDiscriminant::params(k()).check().unwrap();
        let pca = KernelPca::params(k()).components(3).check().unwrap();
        let means = KernelKMeans::params(k(), 3).check().unwrap();
        let pls = KernelPls::params(k()).components(2).check().unwrap();
        let ranking = RankSvm::params(k()).check().unwrap();
        let ordinal = OrdinalSvm::params(k()).check().unwrap();
        let relevance = RelevanceMachine::params(k()).check().unwrap();
        let bayes = BayesPointMachine::params(k()).perceptrons(3).softness(1.0).check().unwrap();
        let slab = SphereAndSlab::params(k()).check().unwrap();
        let spectral = SpectralClustering::params(k(), 3).check().unwrap();
        let cca = KernelCca::params().components(2).check().unwrap();
        let (first, second) = cca.fit_two((&k(), old), (&k(), old)).unwrap().1;
        all.push(matrix("ridge", ridge.fit_many(old, &many, None).unwrap(), |m| m.predict(new).unwrap()));
        all.push(matrix("Gaussian process", process.fit_many(old, &many, None).unwrap(), |model| {
            let found = model.predict_with_variance(new).unwrap();
            [whole(found.mean), whole(found.variance)].concat()
        }));
        all.push(matrix("least squares", least.fit(old, &two).unwrap(), |m| m.decision(new).unwrap()));
        all.push(matrix("least squares of three", least.fit(old, &three).unwrap(), |m| {
            m.decision(new).unwrap()
        }));
        all.push(matrix("Laplace", laplace.fit(old, &two).unwrap(), |m| {
            whole(m.probabilities(new).unwrap())
        }));
        all.push(matrix("Laplace of three", laplace.fit(old, &three).unwrap(), |m| {
            whole(m.probabilities(new).unwrap())
        }));
        all.push(matrix("Fisher discriminant", fisher.fit(old, &three).unwrap(), |m| m.scores(new).unwrap()));
        all.push(matrix("components", pca.fit(old).unwrap(), |m| whole(m.transform(new).unwrap())));
        all.push(matrix("first view", first, |m| whole(m.transform(new).unwrap())));
        all.push(matrix("second view", second, |m| whole(m.transform(new).unwrap())));
        all.push(matrix("means", means.fit(old).unwrap(), |m| m.nearness(new).unwrap()));
        all.push(matrix("partial least squares", pls.fit(old, &many).unwrap(), |m| m.predict(new).unwrap()));
        all.push(matrix("ranking", ranking.fit(old, &one, None).unwrap(), |m| m.predict(new).unwrap()));
        all.push(matrix("levels", ordinal.fit(old, &levels).unwrap(), |m| m.levels(new).unwrap()));
        all.push(matrix("relevance", relevance.fit(old, &one).unwrap(), |m| m.predict(new).unwrap()));
        all.push(matrix("relevance of classes", relevance.fit_classes(old, &three, None).unwrap(), |m| {
            m.predict(new).unwrap()
        }));
        all.push(matrix("Bayes point", bayes.fit(old, &two).unwrap(), |m| m.predict(new).unwrap()));
        all.push(matrix("Bayes point of three", bayes.fit(old, &three).unwrap(), |m| {
            m.predict(new).unwrap()
        }));
        all.push(matrix("sphere and slab", slab.fit(old).unwrap(), |m| m.scores(new).unwrap()));
        all.push(matrix("spectral", spectral.fit(old).unwrap(), |m| m.distances(new).unwrap()));
        all
    }};
}

/// The same rows in every form, a third of their numbers 0.
fn forms() -> Vec<(&'static str, Vectors<'static>)> {
    let mut random = Random::new(23);
    let mut one = || match random.below(3) {
        0 => 0.0,
        _ => (64.0 * random.normal()).round() / 64.0,
    };
    let rows: Vec<[f64; COLUMNS]> = (0..ALL).map(|_| std::array::from_fn(|_| one())).collect();
    let flat: Vec<f64> = rows.iter().flatten().copied().collect();
    let single: Vec<f32> = flat.iter().map(|&value| value as f32).collect();
    let columns: Vec<f64> = (0..COLUMNS).flat_map(|k| rows.iter().map(move |row| row[k])).collect();
    let (mut ends, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in &rows {
        for (k, &value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            indices.push(k as u32);
            values.push(value);
        }
        ends.push(values.len());
    }
    vec![
        ("double", Dense::new(flat, ALL, COLUMNS).unwrap().into()),
        ("single", Dense::new(single, ALL, COLUMNS).unwrap().into()),
        ("columns", ColumnMajor::new(columns, ALL, COLUMNS).unwrap().into()),
        ("sparse", Sparse::from_parts(ends, indices, values, COLUMNS).unwrap().into()),
    ]
}

fn parts(rows: &Vectors<'static>) -> (Vectors<'static>, Vectors<'static>) {
    (rows.select(&(0..OLD).collect::<Vec<_>>()), rows.select(&(OLD..ALL).collect::<Vec<_>>()))
}

/// The converted machine, and what a file holds of it, say what the typed model said.
fn assert_the_same(fitted: &Fitted, card: &ModelCard, new: &Collection<'_>, what: &str) {
    let what = format!("{what}, {}", fitted.name);
    assert_eq!(answers(&fitted.machine, new), fitted.said, "{what}: converted");
    let saved = Model::new(fitted.machine.clone(), None, card.clone());
    for format in [ModelFormat::Binary, ModelFormat::Json] {
        let bytes = saved.to_bytes(format);
        let loaded = Model::from_bytes(&bytes).unwrap_or_else(|error| panic!("{what}, {format:?}: {error}"));
        let prepared = loaded.prepare(new).unwrap();
        assert_eq!(answers(&loaded.machine, &prepared), fitted.said, "{what}, {format:?}");
        assert_eq!(
            of_the_faces(&loaded.machine, &prepared),
            of_the_faces(&fitted.machine, new),
            "{what}, {format:?}"
        );
        assert_eq!(loaded.to_bytes(format), bytes, "{what}, {format:?}: saved again");
    }
}

#[test]
fn every_machine_is_the_same_however_it_was_fitted() {
    for text in [
        "gaussian(gamma=scale) + 0.5 * laplacian(gamma=0.3)",
        "gaussian(gamma=0.7) * polynomial(degree=2, gamma=0.5, constant=1) + centre(linear)",
    ] {
        let (typed, named): (Expression, CollectionKernel) = (text.parse().unwrap(), text.parse().unwrap());
        for (form, rows) in forms() {
            let (old, new) = parts(&rows);
            let (old_items, new_items) = (Collection::from(old.clone()), Collection::from(new.clone()));
            let card = ModelCard::of(&old);
            assert_eq!(card, ModelCard::of_items(&old_items));
            for precision in [Precision::F64, Precision::F32] {
                let what = format!("{text}, {form}, {precision:?}");
                let on_rows = machines_with_a_kernel!(&typed, &old, &new, precision);
                let on_items = machines_with_a_kernel!(&named, &old_items, &new_items, precision);
                assert_eq!((on_rows.len(), on_items.len()), (38, 38), "{what}");
                for (a, b) in on_rows.iter().zip(&on_items) {
                    assert_eq!((a.name, &a.said), (b.name, &b.said), "{what}");
                    // Coefficients, objectives, layouts and support items: all that a file holds.
                    let file = |machine: &TrainedMachine| {
                        let model = Model::new(machine.clone(), None, card.clone());
                        String::from_utf8(model.to_bytes(ModelFormat::Json)).unwrap()
                    };
                    assert_eq!(file(&a.machine), file(&b.machine), "{what}, {}", a.name);
                    assert_the_same(a, &card, &new_items, &what);
                }
            }
        }
    }
}

#[test]
fn a_machine_of_rows_becomes_a_typed_model_again() {
    let (old, new) = parts(&forms()[0].1);
    let (items, new_items) = (Collection::from(old.clone()), Collection::from(new.clone()));
    let named = |text: &str| Svc::params(text.parse::<CollectionKernel>().unwrap()).check().unwrap();
    let model = named("gaussian(gamma=scale) + centre(linear)").fit(&items, &labels(OLD, 3)).unwrap();
    let typed: SvcModel<Expression, Vectors<'static>> = model.clone().try_into().unwrap();
    assert_eq!(typed.decision_values(&new).unwrap(), model.decision_values(&new_items).unwrap());
    assert_eq!(typed.pairs(), model.pairs());
    assert_eq!(Some(&typed.kept().kernel), model.kept().kernel.expression().on_rows());
    // A clipped kernel knows its training rows, and an expression on rows does not.
    let clipped = named("clipped(sigmoid(gamma=0.5, constant=0))").fit(&items, &labels(OLD, 2)).unwrap();
    let words = mercer_testkit::structures::items(mercer::data::ItemKind::Strings, OLD);
    let words = named("spectrum(k=2)").fit(&words, &labels(OLD, 2)).unwrap();
    for (model, kernel) in [(clipped, "clipped(sigmoid(gamma=0.5, constant=0))"), (words, "spectrum(k=2)")] {
        let error = SvcModel::<Expression, Vectors<'static>>::try_from(model).unwrap_err().to_string();
        assert_eq!(error, format!("{kernel} is no kernel on rows of numbers alone"));
    }
}

#[test]
fn machines_of_rows_alone_are_converted() {
    for (form, rows) in forms() {
        let (old, new) = parts(&rows);
        let (one, three) = (targets(OLD), labels(OLD, 3));
        let many = Matrix::from_fn(OLD, 2, |i, o| ((i * (o + 2)) as f64).sin());
        let mut all = Vec::new();
        for objective in [
            LinearObjective::Hinge,
            LinearObjective::SquaredHinge,
            LinearObjective::SparseSquaredHinge,
            LinearObjective::CrammerSinger,
        ] {
            let machine = LinearSvc::params().objective(objective).check().unwrap();
            let model = machine.fit(&old, &three).unwrap();
            all.push(fitted("linear", model, |model| model.decision_values(&new).unwrap()));
        }
        for loss in [TubeLoss::Linear { tube: 0.1 }, TubeLoss::Squared { tube: 0.0 }] {
            let model = LinearSvr::params().loss(loss).check().unwrap().fit(&old, &one).unwrap();
            all.push(fitted("linear regression", model, |model| model.predict(&new).unwrap()));
        }
        if form != "sparse" {
            let network = RbfNetwork::params(4).check().unwrap();
            let numbers = network.fit(&old, &many, None).unwrap();
            all.push(matrix("network", numbers, |model| model.predict(&new).unwrap()));
            let classes = network.fit_classes(&old, &three, None).unwrap();
            all.push(matrix("network of classes", classes, |model| model.predict(&new).unwrap()));
        }
        for fitted in &all {
            assert_the_same(fitted, &ModelCard::of(&old), &(&new).into(), form);
        }
    }
}

/// Everything of a training but its time.
fn without_times(pairs: &PairMachines) -> PairMachines {
    let mut pairs = pairs.clone();
    pairs.reports.iter_mut().for_each(|report| report.seconds = 0.0);
    pairs
}

#[test]
fn many_rows_take_the_same_way_in_single_precision() {
    let sample = synthetic::two_gaussians(2300, 6, 1.5, 7);
    let rows = Vectors::from_rows(&sample.rows).unwrap();
    let labels = Labels::from_numbers(&sample.labels).unwrap();
    let text = "gaussian(gamma=median)";
    let typed =
        Svc::params(text.parse::<Expression>().unwrap()).check().unwrap().fit(&rows, &labels).unwrap();
    let named = Svc::params(text.parse::<CollectionKernel>().unwrap()).check().unwrap();
    let items = Collection::from(&rows);
    let named = named.fit(&items, &labels).unwrap();
    assert_eq!((typed.precision(), named.precision()), (Precision::F32, Precision::F32));
    assert_eq!(without_times(typed.pairs()), without_times(named.pairs()));
    assert_eq!(typed.decision_values(&rows).unwrap(), named.decision_values(&items).unwrap());
}

#[test]
fn a_search_gives_the_same_cells() {
    fn cells<K, I>(kernels: [&str; 3], items: &I) -> Vec<Cell>
    where
        K: BulkKernel<I> + std::str::FromStr<Err = mercer::Error>,
        I: Items<Owned = I>,
        SvcParams<K>: mercer::evaluation::search::Candidate<Kernel = K, Targets = Labels>,
    {
        let labels = labels(items.len(), 3);
        let splits = Split::stratified(&labels, 3, 9).unwrap();
        let kernels = kernels.map(|text| text.parse::<K>().unwrap()).to_vec();
        let machine = Svc::params(kernels[0].clone());
        let grid = Grid { kernels, costs: vec![0.5, 2.0, 8.0] };
        let watch = Watch { cancelled: &|| false, seen: &|_| () };
        let search = Search::new(vec![Metric::Accuracy]);
        let table = search.cross_validate(&machine, &grid, Examples::new(items, &labels), &splits, watch);
        table.unwrap().cells.into_iter().map(|cell| Cell { seconds: 0.0, ..cell }).collect()
    }
    // Two widths share their sums, and the third is a sum of such parts.
    let kernels = ["gaussian(gamma=0.3)", "gaussian(gamma=median)", "linear + gaussian(gamma=2) * cosine"];
    for (form, rows) in forms() {
        let rows = rows.select(&(0..ALL).collect::<Vec<_>>());
        let items = Collection::from(rows.clone());
        let (typed, named) =
            (cells::<Expression, _>(kernels, &rows), cells::<CollectionKernel, _>(kernels, &items));
        assert_eq!(typed, named, "{form}");
        assert_eq!(typed.len(), 9);
    }
}
