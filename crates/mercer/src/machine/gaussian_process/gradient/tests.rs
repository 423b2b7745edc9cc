//! A kernel on a collection of rows learns what the kernel on the rows does.

use super::*;
use crate::data::{Labels, Random};
use crate::machine::{GaussianProcess, LaplaceClassifier};

const KERNEL: &str = "1 * gaussian(length_scale=2) + white(0.1)";

fn rows() -> Vectors<'static> {
    let mut random = Random::new(5);
    let rows: Vec<[f64; 3]> = (0..30).map(|_| std::array::from_fn(|_| random.uniform())).collect();
    Vectors::from_rows(&rows).unwrap()
}

/// Learning on a collection of rows is learning on rows, to the bit.
#[test]
fn a_process_learns_its_kernel_as_on_rows() {
    let (rows, weights) = (rows(), (0..30).map(|i| f64::from(i % 4)).collect::<Vec<_>>());
    let targets = Matrix::from_fn(30, 2, |i, o| ((i + o) as f64).sin());
    let of_rows = GaussianProcess::params(KERNEL.parse::<Expression>().unwrap()).check().unwrap();
    let of_items = GaussianProcess::params(KERNEL.parse::<CollectionKernel>().unwrap()).check().unwrap();
    let items = Collection::from(&rows);
    for weights in [None, Some(&weights[..])] {
        let expected = of_rows.fit_learned(&rows, &targets, weights).unwrap();
        let found = of_items.fit_learned(&items, &targets, weights).unwrap();
        assert_eq!(found.kept().kernel.expression().on_rows(), Some(&expected.kept().kernel));
        assert_ne!(expected.kept().kernel, of_rows.kernel().clone());
        assert_eq!(found.functions().coefficients, expected.functions().coefficients);
        assert_eq!(found.predict(&items).unwrap(), expected.predict(&rows).unwrap());
        let expected = of_rows.log_likelihood(&rows, &targets, weights).unwrap();
        let found = of_items.log_likelihood(&items, &targets, weights).unwrap();
        assert_eq!((found.value, found.gradient), (expected.value, expected.gradient));
    }
}

#[test]
fn a_process_of_classes_learns_its_kernel_as_on_rows() {
    let rows = rows();
    let labels = Labels::from_text((0..30).map(|i| ["no", "yes"][usize::from(i % 3 == 0)]));
    let of_rows = LaplaceClassifier::params(KERNEL.parse::<Expression>().unwrap()).check().unwrap();
    let of_items = LaplaceClassifier::params(KERNEL.parse::<CollectionKernel>().unwrap()).check().unwrap();
    let items = Collection::from(&rows);
    let expected = of_rows.fit_learned(&rows, &labels, None).unwrap();
    let found = of_items.fit_learned(&items, &labels, None).unwrap();
    assert_eq!(found.probabilities(&items).unwrap(), expected.probabilities(&rows).unwrap());
}

#[test]
fn kernels_on_other_items_and_those_that_are_clipped_have_nothing_that_is_learned() {
    let words = Collection::Strings(["ab", "abc", "cab"].map(String::from).to_vec());
    let rows = Collection::from(rows());
    let few = rows.range(0..3);
    let cases = [("spectrum(k=2)", &words), ("clipped(gaussian(gamma=1))", &few)];
    for (kernel, items) in cases {
        let kernel: CollectionKernel = kernel.parse().unwrap();
        let plan = Plan::new().unwrap();
        assert!(Differentiable::<Collection<'_>>::parameters(&kernel).is_empty());
        assert_eq!(Differentiable::<Collection<'_>>::with_parameters(&kernel, &[]).unwrap(), kernel);
        let error = Differentiable::<Collection<'_>>::with_parameters(&kernel, &[1.0]).unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }), "{error}");
        let error = kernel.weighted_gradient(items, &Matrix::zeros(3, 3), &plan).unwrap_err();
        assert_eq!(error.to_string(), format!("the derivatives of {kernel} are not known"));
        assert!(kernel.noise_gradient(items, &[1.0; 3], &plan).is_err());
    }
    let kernel: CollectionKernel = KERNEL.parse().unwrap();
    let error = kernel.weighted_gradient(&words, &Matrix::zeros(3, 3), &Plan::new().unwrap()).unwrap_err();
    assert!(matches!(error, Error::Unsupported { .. }), "{error}");
}
