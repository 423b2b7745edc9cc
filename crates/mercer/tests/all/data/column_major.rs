//! A matrix that lies column by column gives the same bits as its rows do.

use mercer::Error;
use mercer::data::{ColumnMajor, Dense, Items, Labels, Scaling, ScalingKind, Vectors};
use mercer::gram::Precision;
use mercer::io::{Model, ModelCard, ModelFormat, TrainedMachine};
use mercer::kernel::{Expression, Kernel};
use mercer::machine::{LinearSvc, LinearSvr, Svc};
use mercer_testkit::synthetic;

/// The same numbers by rows and by columns, in double or single precision, and labels for them.
fn both(single: bool) -> (Vectors<'static>, Vectors<'static>, Labels) {
    let sample = synthetic::two_gaussians(90, 7, 2.0, 5);
    // Not negative, so that the kernels on histograms take them.
    let rows: Vec<Vec<f64>> = sample.rows.iter().map(|row| row.iter().map(|v| v.abs()).collect()).collect();
    let by_rows: Vec<f64> = rows.iter().flatten().copied().collect();
    let by_columns: Vec<f64> = (0..7).flat_map(|k| rows.iter().map(move |row| row[k])).collect();
    let labels = Labels::from_numbers(&sample.labels).unwrap();
    let narrow = |values: &[f64]| values.iter().map(|&v| v as f32).collect::<Vec<_>>();
    if single {
        let rows = Dense::new(narrow(&by_rows), 90, 7).unwrap().into();
        (rows, ColumnMajor::new(narrow(&by_columns), 90, 7).unwrap().into(), labels)
    } else {
        (
            Dense::new(by_rows, 90, 7).unwrap().into(),
            ColumnMajor::new(by_columns, 90, 7).unwrap().into(),
            labels,
        )
    }
}

const KERNELS: [&str; 8] = [
    "linear",
    "gaussian(gamma=0.3)",
    "chi2(gamma=0.3)",
    "cosine",
    "columns(1:4, gaussian(gamma=0.5)) + columns([6, 0], linear)",
    "anova(degree=2)",
    "periodic(length_scale=1, period=2)",
    "normalise(polynomial(degree=2, gamma=1, constant=1)) * laplacian(gamma=0.1)",
];

#[test]
fn kernel_machines_see_no_difference() {
    for (single, precision) in [(false, Precision::F64), (true, Precision::F64), (false, Precision::F32)] {
        let (rows, columns, labels) = both(single);
        for text in KERNELS {
            let kernel: Expression = text.parse().unwrap();
            for i in 0..5 {
                assert_eq!(
                    kernel.eval(&rows.get(i), &rows.get(i + 1)).to_bits(),
                    kernel.eval(&columns.get(i), &columns.get(i + 1)).to_bits(),
                    "{text}"
                );
            }
            let machine = Svc::params(kernel).precision(precision).check().unwrap();
            let by_rows = machine.fit(&rows, &labels).unwrap();
            let by_columns = machine.fit(&columns, &labels).unwrap();
            let expected = by_rows.decision_values(&rows).unwrap();
            assert_eq!(by_columns.decision_values(&columns).unwrap(), expected, "{text}");
            assert_eq!(by_rows.decision_values(&columns).unwrap(), expected, "{text}");
        }
    }
}

#[test]
fn linear_machines_and_scalings_see_no_difference() {
    for single in [false, true] {
        let (rows, columns, labels) = both(single);
        let machine = LinearSvc::params().check().unwrap();
        let expected = machine.fit(&rows, &labels).unwrap().decision_values(&rows).unwrap();
        assert_eq!(machine.fit(&columns, &labels).unwrap().decision_values(&columns).unwrap(), expected);
        let targets: Vec<f64> = (0..90).map(|i| rows.get(i).value(0).unwrap()).collect();
        let machine = LinearSvr::params().check().unwrap();
        let expected = machine.fit(&rows, &targets).unwrap().predict(&rows).unwrap();
        assert_eq!(machine.fit(&columns, &targets).unwrap().predict(&columns).unwrap(), expected);
        for kind in [ScalingKind::Standardise, ScalingKind::UNIT_RANGE, ScalingKind::UnitNorm] {
            let expected = Scaling::fit(kind, &rows).unwrap().apply(&rows).unwrap();
            assert_eq!(Scaling::fit(kind, &columns).unwrap().apply(&columns).unwrap(), expected);
        }
        assert_eq!(rows.mean_and_variance(None), columns.mean_and_variance(None));
        assert_eq!(columns.to_dense().unwrap(), rows.to_dense().unwrap());
    }
}

#[test]
fn a_model_learned_from_columns_is_saved_as_any_other() {
    let (_, columns, labels) = both(false);
    let machine = Svc::params("gaussian(gamma=0.3)".parse::<Expression>().unwrap()).check().unwrap();
    let model = machine.fit(&columns, &labels).unwrap();
    let expected = model.decision_values(&columns).unwrap();
    let saved = Model::new(model, None, ModelCard::of(&columns));
    let TrainedMachine::Svc(loaded) =
        Model::from_bytes(&saved.to_bytes(ModelFormat::Binary)).unwrap().machine
    else {
        panic!("another machine was loaded");
    };
    assert_eq!(loaded.decision_values(&(&columns).into()).unwrap(), expected);
}

#[test]
fn the_place_of_a_bad_value_is_its_row_and_column() {
    let mut values = vec![0.0; 6];
    values[4] = f64::INFINITY;
    let error = ColumnMajor::new(values, 3, 2).unwrap_err();
    assert!(matches!(error, Error::NonFinite { row: 1, column: 1, .. }), "{error:?}");
    let error = ColumnMajor::new(vec![0.0; 5], 3, 2).unwrap_err();
    assert!(matches!(error, Error::Shape { expected: 6, found: 5, .. }), "{error:?}");
    assert_eq!(ColumnMajor::<f64>::new(vec![], 3, 0).unwrap().row(2).len(), 0);
    assert_eq!(ColumnMajor::<f64>::new(vec![], 0, 3).unwrap().rows(), 0);
}
