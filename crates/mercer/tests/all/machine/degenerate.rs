//! Every machine on data with nothing to learn from, or numbers at the ends of their range: no panic, no hang, nothing that is not
//! finite, and no status that contradicts the certificate beside it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use mercer::data::{Dense, Items, Labels, Vectors};
use mercer::kernel::Expression;
use mercer::linalg::Matrix;
use mercer::machine::{
    BayesPointMachine, FisherDiscriminant, GaussianProcess, Joint, JointSvc, KernelKMeans, KernelPca,
    KernelPls, LaplaceClassifier, LeastSquaresSvc, LinearSvc, LinearSvr, Loss, MatrixOptions, Novelty,
    OrdinalSvm, RankSvm, RbfNetwork, Region, RelevanceMachine, Report, Ridge, Slack, Softness,
    SpectralClustering, SphereAndSlab, Svc, Svr, TwoSampleTest,
};
use mercer::solver::Status;

const KERNELS: [&str; 4] =
    ["linear", "gaussian(gamma=1)", "polynomial(degree=2, gamma=1, constant=1)", "laplacian(gamma=0.5)"];

/// No fit of a few rows takes longer, on a machine that does other things too.
const LONGEST: Duration = Duration::from_secs(10);
const LIMIT: Duration = Duration::from_millis(300);

/// Rows, classes and targets.
struct Data {
    name: &'static str,
    rows: Vectors<'static>,
    labels: Labels,
    targets: Vec<f64>,
}

fn data(name: &'static str, rows: &[[f64; 2]], targets: impl Fn(usize) -> f64) -> Data {
    let n = rows.len();
    let labels = Labels::from_text((0..n).map(|i| if i % 3 == 0 { "a" } else { "b" }));
    let flat: Vec<f64> = rows.concat();
    let rows = Vectors::from(Dense::new(flat, n, 2).unwrap());
    Data { name, rows, labels, targets: (0..n).map(targets).collect() }
}

fn all_data() -> Vec<Data> {
    let usual: Vec<[f64; 2]> = (0..9).map(|i| [(i % 4) as f64 - 1.5, (i * i % 7) as f64]).collect();
    let times = |by: f64| usual.iter().map(|row| row.map(|x| x * by)).collect::<Vec<_>>();
    let count = |i: usize| i as f64;
    let columns = Dense::new(Vec::<f64>::new(), 6, 0).map(Vectors::from);
    let mut all = vec![
        data("no rows", &[], count),
        data("one row", &usual[..1], count),
        data("all rows equal", &[[1.0, 2.0]; 6], count),
        data("zeros", &[[0.0; 2]; 6], |_| 0.0),
        data("rows of 1e300", &times(1e300), count),
        data("rows of 1e-300", &times(1e-300), count),
        data("targets of 1e300", &usual, |i| i as f64 * 1e300),
        data("targets of 1e-300", &usual, |i| i as f64 * 1e-300),
        data("one target", &usual, |_| 3.0),
    ];
    if let Ok(rows) = columns {
        all.push(Data { rows, ..data("no columns", &[[0.0; 2]; 6], count) });
    }
    let one = Labels::from_text(["a"; 9]);
    all.push(Data { labels: one, ..data("one class", &usual, count) });
    all
}

/// What a fit gives: numbers that it predicts, and how it says that it went.
#[derive(Default)]
struct Found {
    values: Vec<f64>,
    reports: Vec<(Status, Option<f64>)>,
}

impl Found {
    fn of(values: Vec<f64>) -> Self {
        Found { values, reports: Vec::new() }
    }

    fn with<'a>(mut self, reports: impl IntoIterator<Item = &'a Report>) -> Self {
        self.reports.extend(reports.into_iter().map(|report| (report.status, report.relative_gap())));
        self
    }
}

fn codes(codes: Vec<usize>) -> Found {
    Found::of(codes.into_iter().map(|code| code as f64).collect())
}

type Trial = fn(&Data, Expression, f64) -> mercer::Result<Found>;

/// Machines with a parameter each: its usual value is 1 but for those that say otherwise.
fn machines() -> Vec<(&'static str, f64, Trial)> {
    fn svc(data: &Data, kernel: Expression, cost: f64, slack: Slack) -> mercer::Result<Found> {
        let machine = Svc::params(kernel).cost(cost).slack(slack).max_time(LIMIT).check()?;
        let model = machine.fit(&data.rows, &data.labels)?;
        let mut found = Found::of(model.decision_values(&data.rows)?);
        let reports = &model.pairs().reports;
        found.reports = reports.iter().map(|report| (report.status, report.relative_gap())).collect();
        Ok(found)
    }
    fn joint(data: &Data, kernel: Expression, cost: f64, machine: Joint) -> mercer::Result<Found> {
        let params = JointSvc::params(kernel).machine(machine).cost(cost).max_time(LIMIT);
        let model = params.check()?.fit(&data.rows, &data.labels)?;
        Ok(Found::of(model.scores(&data.rows)?).with(model.reports()))
    }
    fn svr(data: &Data, kernel: Expression, cost: f64, loss: Loss) -> mercer::Result<Found> {
        let machine = Svr::params(kernel).cost(cost).loss(loss).max_time(LIMIT).check()?;
        let model = machine.fit(&data.rows, &data.targets)?;
        Ok(Found::of(model.predict(&data.rows)?).with(model.report()))
    }
    fn novelty(data: &Data, kernel: Expression, region: Region, soft: Softness) -> mercer::Result<Found> {
        let machine = Novelty::params(kernel).region(region).softness(soft).max_time(LIMIT).check()?;
        let model = machine.fit(&data.rows)?;
        Ok(Found::of(model.scores(&data.rows)?).with(model.report()))
    }
    fn column(data: &Data) -> mercer::Result<Matrix> {
        Matrix::new(data.targets.clone(), data.targets.len(), 1)
    }
    vec![
        ("Svc, linear slack", 1.0, |d, k, p| svc(d, k, p, Slack::Linear)),
        ("Svc, quadratic slack", 1.0, |d, k, p| svc(d, k, p, Slack::Quadratic)),
        ("Svc, nu", 0.2, |d, k, p| svc(d, k, 1.0, Slack::Nu { nu: p })),
        ("Svc, hard margin", 1.0, |d, k, p| svc(d, k, p, Slack::None)),
        ("Svc, one against the rest", 1.0, |d, k, p| {
            let machine = Svc::params(k).cost(p).max_time(LIMIT).check()?;
            let go_on = |_: &_| mercer::solver::Control::Continue;
            let model = machine.fit_one_against_rest(&d.rows, &d.labels, None, None, &go_on)?;
            Ok(Found::of(model.scores(&d.rows)?).with(model.reports()))
        }),
        ("Crammer and Singer", 1.0, |d, k, p| joint(d, k, p, Joint::CrammerSinger)),
        ("Weston and Watkins", 1.0, |d, k, p| joint(d, k, p, Joint::WestonWatkins)),
        ("Svr, linear loss", 1.0, |d, k, p| svr(d, k, p, Loss::default())),
        ("Svr, quadratic loss", 1.0, |d, k, p| svr(d, k, p, Loss::Quadratic { tube: 0.1 })),
        ("Svr, Huber", 1.0, |d, k, p| svr(d, k, 1.0, Loss::Huber { width: p })),
        ("Svr, quantile", 0.3, |d, k, p| svr(d, k, 1.0, Loss::Quantile { level: p })),
        ("Svr, nu", 0.5, |d, k, p| svr(d, k, 1.0, Loss::Nu { nu: p })),
        ("one-class hyperplane", 0.3, |d, k, p| novelty(d, k, Region::Hyperplane, Softness::Nu(p))),
        ("smallest sphere", 0.3, |d, k, p| novelty(d, k, Region::Sphere, Softness::Nu(p))),
        ("hard sphere", 1.0, |d, k, _| novelty(d, k, Region::Sphere, Softness::Hard)),
        ("quadratic sphere", 1.0, |d, k, p| novelty(d, k, Region::Sphere, Softness::Quadratic(p))),
        ("centre of mass", 1.0, |d, k, _| novelty(d, k, Region::Centre, Softness::Hard)),
        ("LinearSvc", 1.0, |d, _, p| {
            let machine = LinearSvc::params().cost(p).max_time(LIMIT).check()?;
            let model = machine.fit(&d.rows, &d.labels)?;
            Ok(Found::of(model.decision_values(&d.rows)?).with(model.reports()))
        }),
        ("LinearSvr", 1.0, |d, _, p| {
            let machine = LinearSvr::params().cost(p).max_time(LIMIT).check()?;
            let model = machine.fit(&d.rows, &d.targets)?;
            Ok(Found::of(model.predict(&d.rows)?).with(model.report()))
        }),
        ("Ridge", 1.0, |d, k, p| {
            Ok(Found::of(Ridge::params(k).lambda(p).check()?.fit(&d.rows, &d.targets)?.predict(&d.rows)?))
        }),
        ("GaussianProcess", 1.0, |d, k, p| {
            let model = GaussianProcess::params(k)
                .noise(p)
                .normalise_targets(true)
                .check()?
                .fit(&d.rows, &d.targets)?;
            let said = model.predict_with_variance(&d.rows)?;
            Ok(Found::of([said.mean.values(), said.variance.values(), &[model.report().likelihood]].concat()))
        }),
        ("LaplaceClassifier", 1.0, |d, k, _| {
            let model = LaplaceClassifier::params(k).check()?.fit(&d.rows, &d.labels)?;
            Ok(Found::of(model.probabilities(&d.rows)?.values().to_vec()))
        }),
        ("LeastSquaresSvc", 1.0, |d, k, p| {
            let machine = LeastSquaresSvc::params(k).cost(p).check()?;
            Ok(Found::of(machine.fit(&d.rows, &d.labels)?.decision(&d.rows)?))
        }),
        ("KernelPca", 1.0, |d, k, _| {
            let model = KernelPca::params(k).components(2).check()?.fit(&d.rows)?;
            Ok(Found::of(model.transform(&d.rows)?.values().to_vec()))
        }),
        ("KernelPls", 1.0, |d, k, _| {
            let model = KernelPls::params(k).components(2).check()?.fit(&d.rows, &column(d)?)?;
            Ok(Found::of(model.predict(&d.rows)?))
        }),
        ("RankSvm", 1.0, |d, k, p| {
            let model = RankSvm::params(k).cost(p).check()?.fit(&d.rows, &d.targets, None)?;
            Ok(Found::of(model.predict(&d.rows)?))
        }),
        ("OrdinalSvm", 1.0, |d, k, p| {
            let model = OrdinalSvm::params(k).cost(p).check()?.fit(&d.rows, &d.targets)?;
            Ok(Found::of(model.predict(&d.rows)?))
        }),
        ("RelevanceMachine", 1.0, |d, k, _| {
            let model = RelevanceMachine::params(k).check()?.fit(&d.rows, &d.targets)?;
            Ok(Found::of(model.predict(&d.rows)?))
        }),
        ("RelevanceMachine for classes", 1.0, |d, k, _| {
            let model = RelevanceMachine::params(k).check()?.fit_classes(&d.rows, &d.labels, None)?;
            Ok(Found::of(model.predict(&d.rows)?))
        }),
        ("BayesPointMachine", 1.0, |d, k, p| {
            let model =
                BayesPointMachine::params(k).softness(p).perceptrons(5).check()?.fit(&d.rows, &d.labels)?;
            Ok(Found::of(model.predict(&d.rows)?))
        }),
        ("FisherDiscriminant", 1.0, |d, k, _| {
            let model = FisherDiscriminant::params(k).check()?.fit(&d.rows, &d.labels)?;
            Ok(Found::of(model.scores(&d.rows)?))
        }),
        ("KernelKMeans", 1.0, |d, k, _| {
            Ok(codes(KernelKMeans::params(k, 2).check()?.fit(&d.rows)?.predict(&d.rows)?))
        }),
        ("SpectralClustering", 1.0, |d, k, _| {
            let model = SpectralClustering::params(k, 2).check()?.fit(&d.rows)?;
            Ok(Found::of(model.transform(&d.rows)?.values().to_vec()))
        }),
        ("SphereAndSlab", 0.1, |d, k, p| {
            let model = SphereAndSlab::params(k).components(1).outside(p).check()?.fit(&d.rows)?;
            Ok(Found::of(model.scores(&d.rows)?))
        }),
        ("RbfNetwork", 1e-3, |d, _, p| {
            let model = RbfNetwork::params(2).lambda(p).check()?.fit(&d.rows, &column(d)?, None)?;
            Ok(Found::of(model.predict(&d.rows)?))
        }),
        ("TwoSampleTest", 1.0, |d, k, _| {
            let options = MatrixOptions::default();
            TwoSampleTest::new(&k, &d.rows, d.rows.len() / 2, 20, 0, &options).map(|_| Found::default())
        }),
    ]
}

/// What is wrong with a fit, if anything is.
fn fault(trial: Trial, data: &Data, kernel: &str, parameter: f64) -> Option<String> {
    let begun = Instant::now();
    let kernel: Expression = kernel.parse().unwrap();
    let Ok(found) = catch_unwind(AssertUnwindSafe(|| trial(data, kernel, parameter))) else {
        return Some("panics".into());
    };
    if begun.elapsed() > LONGEST {
        return Some(format!("takes {:?}", begun.elapsed()));
    }
    let found = match found {
        Ok(found) => found,
        Err(error) => return error.to_string().is_empty().then(|| "an error without words".into()),
    };
    if let Some(value) = found.values.iter().find(|value| !value.is_finite()) {
        return Some(format!("predicts {value}"));
    }
    // The tolerance is 1e-3.
    let contradicts = |(status, gap): &&(Status, Option<f64>)| {
        *status == Status::Converged && gap.is_some_and(|gap| gap.is_nan() || gap > 0.01 + 1e-12)
    };
    found.reports.iter().find(contradicts).map(|report| format!("contradicts itself: {report:?}"))
}

#[test]
fn every_machine_survives_degenerate_data() {
    let mut faults = Vec::new();
    let machines = machines();
    for data in all_data() {
        for &(name, usual, trial) in &machines {
            for kernel in KERNELS {
                if let Some(fault) = fault(trial, &data, kernel, usual) {
                    faults.push(format!("{name}, {}, {kernel}: {fault}", data.name));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_machine_survives_absurd_parameters() {
    let mut faults = Vec::new();
    let rows: Vec<[f64; 2]> = (0..9).map(|i| [(i % 4) as f64 - 1.5, (i * i % 7) as f64]).collect();
    let data = data("usual", &rows, |i| (i as f64).sin());
    for (name, _, trial) in machines() {
        for parameter in
            [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, 1e-300, 1e12, 1e15, 1e20, 1e100, 1e300]
        {
            for kernel in &KERNELS[..2] {
                if let Some(fault) = fault(trial, &data, kernel, parameter) {
                    faults.push(format!("{name}, {parameter:e}, {kernel}: {fault}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn a_limit_beyond_all_clocks_is_none() {
    let rows: Vec<[f64; 2]> = (0..9).map(|i| [f64::from(i), f64::from(i * i % 7)]).collect();
    let data = data("usual", &rows, |i| i as f64);
    let three = Labels::from_text((0..9).map(|i| ["a", "b", "c"][i % 3]));
    let kernel = || "gaussian(gamma=1)".parse::<Expression>().unwrap();
    let machine = Svc::params(kernel()).max_time(Duration::MAX).check().unwrap();
    assert_eq!(machine.fit(&data.rows, &three).unwrap().status(), Some(Status::Converged));
    let probable = Svc::params(kernel()).probability(mercer::machine::Probability::Platt);
    assert!(probable.max_time(Duration::MAX).check().unwrap().fit(&data.rows, &data.labels).is_ok());
    let machine = LinearSvc::params().max_time(Duration::MAX).check().unwrap();
    assert!(machine.fit(&data.rows, &three).is_ok());
    let machine = LinearSvr::params().max_time(Duration::MAX).check().unwrap();
    assert!(machine.fit(&data.rows, &data.targets).is_ok());
    let machine = Svr::params(kernel()).max_time(Duration::MAX).check().unwrap();
    assert!(machine.fit(&data.rows, &data.targets).is_ok());
    let machine = JointSvc::params(kernel()).max_time(Duration::MAX).check().unwrap();
    assert!(machine.fit(&data.rows, &three).is_ok());
    let machine = Novelty::params(kernel()).max_time(Duration::MAX).check().unwrap();
    assert!(machine.fit(&data.rows).is_ok());
}
