//! Items that are known by their kernel values alone.

use mercer::Error;
use mercer::data::{Collection, Dense, Items, KernelRow, Labels, Vectors};
use mercer::gram::CollectionKernel;
use mercer::io::{Model, ModelCard, ModelFormat};
use mercer::kernel::{Expression, Kernel};
use mercer::machine::{Ridge, Svc};
use mercer_testkit::random::Random;

const OLD: usize = 20;
const NEW: usize = 5;

fn rows() -> (Vectors<'static>, Vectors<'static>) {
    let mut random = Random::new(5);
    let rows: Vec<[f64; 2]> = (0..OLD + NEW).map(|_| [random.normal(), random.normal()]).collect();
    (Vectors::from_rows(&rows[..OLD]).unwrap(), Vectors::from_rows(&rows[OLD..]).unwrap())
}

fn gaussian() -> Expression {
    "gaussian(gamma=0.5)".parse().unwrap()
}

/// Values of the rows with the columns, row after row.
fn values(rows: &Vectors<'_>, columns: &Vectors<'_>) -> Vec<f64> {
    let of = |i: usize| (0..columns.len()).map(move |j| gaussian().eval(&rows.get(i), &columns.get(j)));
    (0..rows.len()).flat_map(of).collect()
}

#[test]
fn a_machine_of_kernel_values_is_that_of_the_rows() {
    let (old, new) = rows();
    let labels = Labels::from_text((0..OLD).map(|i| if i * i % 5 < 2 { "a" } else { "b" }));
    let numbers: Vec<f64> = (0..OLD).map(|i| (i as f64).cos()).collect();
    // Other items have a value for each column of a larger set, in which the training items are the even ones.
    let places: Vec<usize> = (0..OLD).map(|i| 2 * i).collect();
    let known = Collection::from(KernelRow::training(values(&old, &old), &places).unwrap());
    let mut wide = vec![f64::NAN; NEW * 2 * OLD];
    for (at, value) in values(&new, &old).into_iter().enumerate() {
        wide[at / OLD * 2 * OLD + places[at % OLD]] = value;
    }
    let asked = Collection::from(KernelRow::new(wide, 2 * OLD).unwrap());
    let kernel: CollectionKernel = "precomputed".parse().unwrap();
    let found = Ridge::params(kernel.clone()).lambda(0.1).check().unwrap().fit(&known, &numbers).unwrap();
    let expected = Ridge::params(gaussian()).lambda(0.1).check().unwrap().fit(&old, &numbers).unwrap();
    let near = |a: Vec<f64>, b: Vec<f64>, within: f64| {
        assert_eq!(a.len(), b.len());
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < within), "{a:?} {b:?}");
    };
    near(found.predict(&asked).unwrap(), expected.predict(&new).unwrap(), 1e-10);
    let found = Svc::params(kernel).tolerance(1e-8).check().unwrap().fit(&known, &labels).unwrap();
    let expected = Svc::params(gaussian()).tolerance(1e-8).check().unwrap().fit(&old, &labels).unwrap();
    near(found.decision_values(&asked).unwrap(), expected.decision_values(&new).unwrap(), 1e-6);
}

#[test]
fn a_model_of_kernel_values_keeps_the_columns_of_its_items_in_a_file() {
    let (old, new) = rows();
    let labels = Labels::from_text((0..OLD).map(|i| if i % 3 == 0 { "a" } else { "b" }));
    let places: Vec<usize> = (0..OLD).rev().collect();
    let known = Collection::from(KernelRow::training(values(&old, &old), &places).unwrap());
    let mut reversed = values(&new, &old);
    reversed.chunks_exact_mut(OLD).for_each(<[f64]>::reverse);
    let asked = Collection::from(KernelRow::new(reversed, OLD).unwrap());
    let kernel: CollectionKernel = "precomputed".parse().unwrap();
    let trained = Svc::params(kernel).check().unwrap().fit(&known, &labels).unwrap();
    let expected = trained.decision_values(&asked).unwrap();
    let model = Model::new(trained, None, ModelCard::of_items(&known));
    for format in [ModelFormat::Binary, ModelFormat::Json] {
        let loaded = Model::from_bytes(&model.to_bytes(format)).unwrap();
        assert_eq!(loaded.machine.classifier().unwrap().decision_values(&asked).unwrap(), expected);
    }
    // The same functions over unit vectors, of rows of as many values.
    let mut model = model;
    model.card.columns = OLD as u64;
    let over_rows = model.over_unit_vectors().unwrap();
    let mut reversed = values(&new, &old);
    reversed.chunks_exact_mut(OLD).for_each(<[f64]>::reverse);
    let asked = Vectors::from(Dense::new(reversed, NEW, OLD).unwrap()).into();
    let found = over_rows.machine.classifier().unwrap().decision_values(&asked).unwrap();
    assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {expected:?}");
}

#[test]
fn columns_that_are_not_there_are_an_error() {
    let (old, new) = rows();
    let numbers: Vec<f64> = (0..OLD).map(|i| (i as f64).cos()).collect();
    let places: Vec<usize> = (0..OLD).collect();
    let known = Collection::from(KernelRow::training(values(&old, &old), &places).unwrap());
    let kernel: CollectionKernel = "precomputed".parse().unwrap();
    let model = Ridge::params(kernel).check().unwrap().fit(&known, &numbers).unwrap();
    // One column too few: the value in the next row is not taken for it.
    let few = values(&new, &old.select(&(0..OLD - 1).collect::<Vec<_>>()));
    let asked = Collection::from(KernelRow::new(few, OLD - 1).unwrap());
    let error = model.predict(&asked).unwrap_err();
    assert!(matches!(error, Error::KernelValue { .. }), "{error}");
    // What two new items have in common nobody knows.
    let two = KernelRow::new(vec![1.0; 2 * OLD], OLD).unwrap();
    assert!(two[0].value(&two[1]).is_nan());
    assert!(KernelRow::new(vec![1.0; 3], 2).is_err() && KernelRow::training(vec![1.0; 3], &[0, 1]).is_err());
}
