//! The machines, each with a parameter.

use std::time::Duration;

use mercer::data::{Items, Labels, Row};
use mercer::kernel::Expression;
use mercer::linalg::Matrix;
use mercer::machine::online::{
    ActiveLearner, Budget, IncrementalSvc, Online, Query, RowMemory, Rule, Several,
};
use mercer::machine::{
    BayesPointMachine, FisherDiscriminant, GaussianProcess, Joint, JointSvc, KernelCca, KernelKMeans,
    KernelPca, KernelPls, LaplaceClassifier, LeastSquaresSvc, LinearSvc, LinearSvr, Loss, MatrixOptions,
    Novelty, OrdinalSvm, RankSvm, RbfNetwork, ReducedSet, Region, RelevanceMachine, Report, Ridge, Slack,
    Softness, SpectralClustering, SphereAndSlab, Svc, Svr, TwoSampleTest,
};
use mercer::solver::Status;

use super::Data;

/// A training ends, whatever the data are.
const LIMIT: Duration = Duration::from_millis(300);

/// What a fit gives: numbers that it predicts, and how it says that it went.
#[derive(Default)]
pub struct Found {
    pub values: Vec<f64>,
    pub reports: Vec<(Status, Option<f64>)>,
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

pub type Trial = fn(&Data, Expression, f64) -> mercer::Result<Found>;

/// Machines with a parameter each: its usual value is 1 but for those that say otherwise.
pub fn machines() -> Vec<(&'static str, f64, Trial)> {
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
    fn online(data: &Data, kernel: Expression, rule: Rule, budget: Budget) -> mercer::Result<Found> {
        let memory = RowMemory::new(kernel.resolve(&data.rows)?)?;
        let is_class = matches!(rule, Rule::Perceptron | Rule::PassiveAggressive { .. });
        let mut machine = Online::params(memory, rule).budget(budget).check()?;
        for row in 0..data.rows.len() {
            let target = if is_class { sign(&data.labels, row) } else { data.targets[row] };
            machine.learn(data.rows.get(row), target)?;
        }
        let values: mercer::Result<Vec<f64>> =
            (0..data.rows.len()).map(|row| machine.predict(data.rows.get(row))).collect();
        Ok(Found::of(values?))
    }
    fn sign(labels: &Labels, row: usize) -> f64 {
        if labels.codes()[row] == 0 { -1.0 } else { 1.0 }
    }
    fn incremental(data: &Data, kernel: Expression, cost: f64) -> mercer::Result<IncrementalSvc<RowMemory>> {
        IncrementalSvc::new(RowMemory::new(kernel.resolve(&data.rows)?)?, cost)
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
        ("KernelCca", 0.1, |d, k, p| {
            let machine = KernelCca::params().components(1).regularisation(p).check()?;
            let (_, (first, second)) = machine.fit_two((&k, &d.rows), (&k, &d.rows))?;
            Ok(Found::of([first.transform(&d.rows)?.values(), second.transform(&d.rows)?.values()].concat()))
        }),
        ("ReducedSet", 1.0, |d, k, p| {
            let model = Ridge::params(k).lambda(p).check()?.fit(&d.rows, &d.targets)?;
            let small = ReducedSet::of(model.kept(), model.functions(), 2)?;
            Ok(Found::of([small.predict(&d.rows)?, small.errors, small.norms].concat()))
        }),
        ("IncrementalSvc", 1.0, |d, k, p| {
            let mut machine = incremental(d, k, p)?;
            for row in 0..d.rows.len() {
                machine.add(d.rows.get(row), sign(&d.labels, row))?;
            }
            if let &[first, ..] = machine.ids() {
                machine.remove(first)?;
            }
            let values: mercer::Result<Vec<f64>> =
                (0..d.rows.len()).map(|row| machine.value(d.rows.get(row))).collect();
            Ok(Found::of([values?, vec![machine.objective(), machine.violation()?]].concat()))
        }),
        ("ActiveLearner", 1.0, |d, k, p| {
            let mut learner = ActiveLearner::new(incremental(d, k, p)?, Query::Mixed, 1);
            let pool: Vec<Row<'_>> = (0..d.rows.len()).map(|row| d.rows.get(row)).collect();
            while let Some(item) = learner.ask(&pool)? {
                learner.answer(item, pool[item], d.labels.codes()[item] as usize)?;
            }
            learner.undo()?;
            let mut values = learner.objectives().to_vec();
            for item in &pool {
                values.extend(learner.values(*item)?);
            }
            Ok(Found::of(values))
        }),
        ("perceptron", 1.0, |d, k, _| online(d, k, Rule::Perceptron, Budget::Unlimited)),
        ("passive-aggressive", 1.0, |d, k, p| {
            let rule = Rule::PassiveAggressive { slack: Slack::Linear, cost: p };
            online(d, k, rule, Budget::Remove { items: 3 })
        }),
        ("passive-aggressive, quadratic slack", 1.0, |d, k, p| {
            let rule = Rule::PassiveAggressive { slack: Slack::Quadratic, cost: p };
            online(d, k, rule, Budget::Project { items: 3 })
        }),
        ("on-line regression", 1.0, |d, k, p| {
            let rule = Rule::Regression { tube: 0.1, slack: Slack::Linear, cost: p };
            online(d, k, rule, Budget::Unlimited)
        }),
        ("on-line regression without slack", 0.1, |d, k, p| {
            let rule = Rule::Regression { tube: p, slack: Slack::None, cost: 1.0 };
            online(d, k, rule, Budget::Project { items: 3 })
        }),
        ("PRank", 1.0, |d, k, _| {
            let levels =
                Data { targets: (0..d.targets.len()).map(|i| (i % 3 + 1) as f64).collect(), ..d.clone() };
            online(&levels, k, Rule::ranking(3), Budget::Unlimited)
        }),
        ("on-line, three classes", 1.0, |d, k, p| {
            let classes = ["a", "b", "c"].map(String::from).to_vec();
            let rule = || Rule::PassiveAggressive { slack: Slack::Linear, cost: p };
            let memory = || RowMemory::new(k.resolve(&d.rows)?);
            let machine = || Online::params(memory()?, rule()).check();
            let mut several = Several::of_classes(classes, machine)?;
            let mut values = Vec::new();
            for row in 0..d.rows.len() {
                several.learn(d.rows.get(row), mercer::machine::online::Answer::Class(row % 3))?;
                values.extend(several.values(d.rows.get(row))?);
            }
            Ok(Found::of(values))
        }),
        ("TwoSampleTest", 1.0, |d, k, _| {
            let options = MatrixOptions::default();
            TwoSampleTest::new(&k, &d.rows, d.rows.len() / 2, 20, 0, &options).map(|_| Found::default())
        }),
    ]
}
