//! Single precision where it suffices, double where it does not, and certificates that are true either way.

use mercer::data::{Labels, Vectors};
use mercer::gram::Precision;
use mercer::kernel::Expression;
use mercer::machine::{Svc, SvcModel};
use mercer::solver::{Certificate, Status};
use mercer_testkit::synthetic;

type Model = SvcModel<Expression, Vectors<'static>>;

fn fit(kernel: &str, cost: f64, rows: &[Vec<f64>], labels: &[f64], precision: Precision) -> Model {
    let machine = Svc::params(kernel.parse::<Expression>().unwrap()).cost(cost).precision(precision);
    let labels = Labels::from_numbers(labels).unwrap();
    machine.check().unwrap().fit(&Vectors::from_rows(rows).unwrap(), &labels).unwrap()
}

fn certificate(model: &Model) -> Certificate {
    model.pairs().reports[0].certificate
}

/// The two intervals must have the optimum in common.
fn assert_overlap(a: Certificate, b: Certificate, what: &str) {
    assert!(a.dual <= b.primal && b.dual <= a.primal, "{what}: {a:?} and {b:?}");
}

#[test]
fn plain_data_stay_in_single_precision_with_the_certificate_of_double() {
    let sample = synthetic::two_gaussians(2500, 5, 1.5, 7);
    for kernel in ["gaussian(gamma=0.2)", "linear", "polynomial(degree=2, gamma=0.2, constant=1)"] {
        let model = fit(kernel, 1.0, &sample.rows, &sample.labels, Precision::Auto);
        let double = fit(kernel, 1.0, &sample.rows, &sample.labels, Precision::F64);
        assert_eq!(model.precision(), Precision::F32, "{kernel}");
        assert_eq!(model.status(), Some(Status::Converged), "{kernel}");
        assert!(certificate(&model).relative_gap() < 1e-3, "{kernel}: {:?}", certificate(&model));
        assert_overlap(certificate(&model), certificate(&double), kernel);
    }
}

#[test]
fn rows_far_from_the_origin_are_computed_in_double_precision() {
    let mut sample = synthetic::two_gaussians(2500, 5, 1.5, 7);
    sample.rows.iter_mut().flatten().for_each(|v| *v += 1e4);
    let model = fit("linear", 1.0, &sample.rows, &sample.labels, Precision::Auto);
    assert_eq!(model.precision(), Precision::F64);
    assert_eq!(model.status(), Some(Status::Converged));
    // Asked for, single precision must own up.
    let single = fit("linear", 1.0, &sample.rows, &sample.labels, Precision::F32);
    assert_eq!(single.status(), Some(Status::NumericalLimit));
    assert_overlap(certificate(&single), certificate(&model), "linear");
    assert!(certificate(&single).relative_gap() > 1e-2, "{:?}", certificate(&single));
}

#[test]
fn a_gaussian_so_wide_that_all_values_are_nearly_1_is_computed_in_double_precision() {
    let sample = synthetic::two_gaussians(2500, 3, 1.5, 8);
    let model = fit("gaussian(gamma=1e-7)", 1.0, &sample.rows, &sample.labels, Precision::Auto);
    assert_eq!(model.precision(), Precision::F64);
}

#[test]
fn a_large_cost_is_solved_in_double_precision() {
    let sample = synthetic::checkerboard(2500, 2, 9);
    // Labels turned so that the classes overlap and many coefficients are at their bound.
    let labels: Vec<f64> =
        sample.labels.iter().enumerate().map(|(i, y)| if i % 10 == 0 { -y } else { *y }).collect();
    let model = fit("gaussian(gamma=2)", 1e4, &sample.rows, &labels, Precision::Auto);
    assert_eq!(model.precision(), Precision::F64);
    assert_eq!(model.status(), Some(Status::Converged));
    let report = &model.pairs().reports[0];
    assert!(report.certificate.relative_gap() < 1e-4, "{:?}", report.certificate);
    let single = fit("gaussian(gamma=2)", 1e4, &sample.rows, &labels, Precision::F32);
    assert_overlap(certificate(&single), certificate(&model), "costly");
}

#[test]
fn a_tolerance_beyond_single_precision_ends_there_and_is_reached_in_double() {
    let sample = synthetic::two_gaussians(2500, 5, 1.5, 10);
    let labels = Labels::from_numbers(&sample.labels).unwrap();
    let rows = Vectors::from_rows(&sample.rows).unwrap();
    let fit = |precision| {
        let machine = Svc::params("linear".parse::<Expression>().unwrap());
        machine.tolerance(1e-7).precision(precision).check().unwrap().fit(&rows, &labels).unwrap()
    };
    assert_eq!(fit(Precision::F32).status(), Some(Status::NumericalLimit));
    let model = fit(Precision::Auto);
    assert_eq!((model.precision(), model.status()), (Precision::F64, Some(Status::Converged)));
    assert!(certificate(&model).kkt_gap <= 1.01e-7);
}
