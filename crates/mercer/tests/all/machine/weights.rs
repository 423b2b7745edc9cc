//! Weights of rows and classes.

use mercer::Error;
use mercer::data::{Items, Labels, Vectors};
use mercer::kernel::Expression;
use mercer::machine::{ClassWeights, Svc};

use super::small_set;

fn machine(class_weights: ClassWeights) -> Svc<Expression> {
    let kernel: Expression = "gaussian(gamma=0.2)".parse().unwrap();
    Svc::params(kernel).cost(2.0).tolerance(1e-9).class_weights(class_weights).check().unwrap()
}

#[test]
fn whole_weights_are_repeated_rows() {
    for set in ["heart_scale", "iris.csv"] {
        let (rows, labels) = small_set(set);
        let weights: Vec<f64> = (0..rows.len()).map(|i| (i * 7 % 4) as f64).collect();
        let repeated: Vec<usize> =
            (0..rows.len()).flat_map(|i| std::iter::repeat_n(i, weights[i] as usize)).collect();
        let weighted = machine(ClassWeights::Equal).fit_weighted(&rows, &labels, &weights).unwrap();
        let copied =
            machine(ClassWeights::Equal).fit(&rows.select(&repeated), &labels.select(&repeated)).unwrap();
        let (a, b) = (weighted.decision_values(&rows).unwrap(), copied.decision_values(&rows).unwrap());
        for (a, b) in a.iter().zip(&b) {
            assert!((a - b).abs() < 1e-6, "{set}: {a} {b}");
        }
    }
}

#[test]
fn class_weights_are_row_weights_by_class() {
    let (rows, labels) = small_set("iris.csv");
    let factors = [0.5, 2.0, 3.0];
    let given = labels.classes().iter().cloned().zip(factors).collect();
    let by_class = machine(ClassWeights::Given(given)).fit(&rows, &labels).unwrap();
    let weights: Vec<f64> = labels.codes().iter().map(|&c| factors[c as usize]).collect();
    let by_row = machine(ClassWeights::Equal).fit_weighted(&rows, &labels, &weights).unwrap();
    assert_eq!(by_class.decision_values(&rows).unwrap(), by_row.decision_values(&rows).unwrap());
}

#[test]
fn weights_that_leave_a_class_without_mass_are_refused() {
    let (rows, labels) = small_set("iris.csv");
    let weights: Vec<f64> = labels.codes().iter().map(|&c| if c == 1 { 0.0 } else { 1.0 }).collect();
    match machine(ClassWeights::Equal).fit_weighted(&rows, &labels, &weights) {
        Err(Error::ClassWithoutWeight { label }) => assert_eq!(label, labels.classes()[1]),
        other => panic!("{:?}", other.map(|_| ())),
    }
    let given = ClassWeights::Given(vec![(labels.classes()[2].clone(), 0.0)]);
    assert!(matches!(machine(given).fit(&rows, &labels), Err(Error::ClassWithoutWeight { .. })));
    let unknown = ClassWeights::Given(vec![("tulip".into(), 1.0)]);
    assert!(matches!(machine(unknown).fit(&rows, &labels), Err(Error::UnknownClass { .. })));
}

#[test]
fn balanced_classes_have_equal_mass() {
    let rows = Vectors::from_rows(&[[0.0], [0.1], [0.2], [3.0]]).unwrap();
    let labels = Labels::from_text(["many", "many", "many", "few"]);
    let factors = ClassWeights::Balanced.factors(&labels, None).unwrap();
    let mass: Vec<f64> = factors.iter().zip(labels.counts()).map(|(f, n)| f * n as f64).collect();
    assert_eq!(mass[0], mass[1]);
    assert!(machine(ClassWeights::Balanced).fit(&rows, &labels).is_ok());
}
