//! Every machine by every solver that can: one answer.

use mercer::data::{Items, Scaling, ScalingKind, Targets, Vectors, read_file};
use mercer::kernel::Expression;
use mercer::machine::{Loss, Novelty, Region, Report, Scale, Slack, Softness, Svc, Svr};
use mercer::solver::{Method, Status};
use mercer_testkit::fixture;

use super::small_set;

const TOLERANCE: f64 = 1e-6;

fn kernel() -> Expression {
    "gaussian(gamma=0.2)".parse().unwrap()
}

fn standardised(rows: &Vectors<'_>) -> Vectors<'static> {
    Scaling::fit(ScalingKind::Standardise, rows).unwrap().apply(rows).unwrap()
}

/// Methods other than the default; the adatron only where there is no offset.
fn others(offset: bool) -> impl Iterator<Item = Method> {
    Method::ALL.into_iter().skip(1).filter(move |&method| !offset || method != Method::Adatron)
}

fn close(what: &str, found: f64, expected: f64) {
    let off = (found - expected).abs() / expected.abs();
    assert!(off < 1e-6, "{what}: {found} against {expected}, off by {off:e}");
}

#[test]
fn classifiers() {
    let (rows, labels) = small_set("iris.csv");
    let rows = standardised(&rows);
    for (slack, offset) in
        [(Slack::Linear, true), (Slack::Linear, false), (Slack::Quadratic, true), (Slack::Quadratic, false)]
    {
        let fit = |method: Method| {
            let params = Svc::params(kernel()).cost(3.0).slack(slack).offset(offset).tolerance(TOLERANCE);
            params.solver_method(method).check().unwrap().fit(&rows, &labels).unwrap()
        };
        let main = fit(Method::Decomposition);
        for method in others(offset) {
            let model = fit(method);
            for (report, expected) in model.pairs().reports.iter().zip(&main.pairs().reports) {
                let name = format!("{method}, {slack:?}, offset {offset}");
                assert_eq!(report.status, Status::Converged, "{name}");
                close(&name, report.certificate.dual, expected.certificate.dual);
            }
            assert_eq!(model.predict(&rows).unwrap(), main.predict(&rows).unwrap(), "{method}");
        }
    }
}

#[test]
fn margins_of_other_forms() {
    let (rows, labels) = small_set("ionosphere.csv");
    let rows = standardised(&rows);
    for (slack, scale, offset) in [
        (Slack::Nu { nu: 0.3 }, Scale::Functional, true),
        (Slack::Nu { nu: 0.3 }, Scale::Geometric, true),
        (Slack::None, Scale::Functional, true),
        (Slack::None, Scale::Geometric, true),
        (Slack::None, Scale::Functional, false),
        (Slack::Quadratic, Scale::Geometric, true),
    ] {
        let fit = |method: Method| {
            let params = Svc::params(kernel()).cost(2.0).slack(slack).scale(scale).offset(offset);
            let machine = params.tolerance(1e-5).solver_method(method).check().unwrap();
            machine.fit(&rows, &labels).unwrap().pairs().reports[0].clone()
        };
        let main = fit(Method::Decomposition);
        for method in others(offset) {
            let (name, report) = (format!("{method}, {slack:?}, {scale:?}, offset {offset}"), fit(method));
            assert_eq!(report.status, Status::Converged, "{name}: {:?}", report.certificate);
            let off = (report.certificate.dual / main.certificate.dual - 1.0).abs();
            assert!(off < 1e-5, "{name}: {:?} {:?}", report.certificate, main.certificate);
        }
    }
}

#[test]
fn a_variable_that_is_free_by_a_hair_is_not_put_onto_its_bound() {
    // Interior points have to tell the one from the other; a wrong guess costs the last digits.
    let (rows, labels) = small_set("ionosphere.csv");
    let rows = standardised(&rows);
    let kernel: Expression = "gaussian(gamma=scale)".parse().unwrap();
    for method in [Method::InteriorPoint, Method::Chunking] {
        let machine = Svc::params(kernel.clone()).cost(3.0).tolerance(1e-6).solver_method(method);
        let model = machine.check().unwrap().fit(&rows, &labels).unwrap();
        let report = &model.pairs().reports[0];
        assert_eq!(report.status, Status::Converged, "{method}: {:?}", report.certificate);
        assert!(report.certificate.relative_gap() < 1e-7, "{method}: {:?}", report.certificate);
    }
}

#[test]
fn regression() {
    let table = read_file(fixture::data("auto_mpg.csv"), &Default::default()).unwrap().table().unwrap();
    let Targets::Numbers(targets) = table.targets else { panic!("numbers") };
    let some: Vec<usize> = (0..targets.len()).step_by(3).collect();
    let rows = standardised(&table.vectors.select(&some));
    let targets: Vec<f64> = some.iter().map(|&i| targets[i]).collect();
    for (loss, offset) in [
        (Loss::Linear { tube: 1.0 }, true),
        (Loss::Linear { tube: 1.0 }, false),
        (Loss::Quadratic { tube: 1.0 }, true),
        (Loss::Quadratic { tube: 0.0 }, true),
        (Loss::Huber { width: 2.0 }, false),
        (Loss::Quantile { level: 0.8 }, true),
        (Loss::Nu { nu: 0.4 }, true),
    ] {
        let fit = |method: Method| {
            let params = Svr::params(kernel()).cost(2.0).loss(loss).offset(offset).tolerance(TOLERANCE);
            params.solver_method(method).check().unwrap().fit(&rows, &targets).unwrap()
        };
        let main = fit(Method::Decomposition);
        for method in others(offset) {
            let model = fit(method);
            same(&format!("{method}, {loss:?}"), model.report(), main.report());
            let (found, expected) = (model.predict(&rows).unwrap(), main.predict(&rows).unwrap());
            for (found, expected) in found.iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-3, "{method}, {loss:?}: {found} against {expected}");
            }
        }
    }
}

#[test]
fn novelty() {
    let (rows, _) = small_set("iris.csv");
    let rows = standardised(&rows);
    for (region, softness) in [
        (Region::Hyperplane, Softness::Nu(0.1)),
        (Region::Sphere, Softness::Nu(0.3)),
        (Region::Sphere, Softness::Hard),
        (Region::Hyperplane, Softness::Quadratic(2.0)),
        (Region::Sphere, Softness::Cost(0.05)),
        (Region::Sphere, Softness::Quadratic(2.0)),
        (Region::Hyperplane, Softness::Hard),
    ] {
        let fit = |method: Method| {
            let params = Novelty::params(kernel()).region(region).softness(softness).tolerance(TOLERANCE);
            params.solver_method(method).check().unwrap().fit(&rows).unwrap()
        };
        let main = fit(Method::Decomposition);
        for method in others(true) {
            same(&format!("{method}, {region:?}, {softness:?}"), fit(method).report(), main.report());
        }
    }
}

fn same(name: &str, found: Option<&Report>, expected: Option<&Report>) {
    let (found, expected) = (found.unwrap(), expected.unwrap());
    assert_eq!(found.status, Status::Converged, "{name}: {:?}", found.certificate);
    close(name, found.certificate.dual, expected.certificate.dual);
}

#[test]
fn the_memory_of_a_machine_bounds_what_a_solver_may_store() {
    let (rows, labels) = small_set("iris.csv");
    let machine = Svc::params(kernel()).solver_method(Method::InteriorPoint).memory(10_000).check().unwrap();
    let error = machine.fit(&rows, &labels).unwrap_err().to_string();
    // Two classes of 50 rows: 3 × 100 × 100 × 8 bytes.
    assert!(error.contains("needs 240000 bytes and the budget allows 10000"), "{error}");
}

#[test]
fn an_offset_is_too_much_for_the_adatron() {
    let (rows, labels) = small_set("iris.csv");
    let machine = Svc::params(kernel()).solver_method(Method::Adatron).check().unwrap();
    let error = machine.fit(&rows, &labels).unwrap_err().to_string();
    assert!(error.contains("train without offset, or use smo"), "{error}");
}
