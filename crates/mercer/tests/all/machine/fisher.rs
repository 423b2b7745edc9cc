//! The kernel Fisher discriminant: against Fisher's own, and what its directions promise.

use super::small_set;
use mercer::Error;
use mercer::data::{Items, Labels, Vectors};
use mercer::kernel::Expression;
use mercer::linalg::{Cholesky, Matrix};
use mercer::machine::{FisherDiscriminant, FisherParams};

fn machine(kernel: &str) -> FisherParams<Expression> {
    FisherDiscriminant::params(kernel.parse().unwrap())
}

#[test]
fn with_a_linear_kernel_it_is_fishers() {
    let (rows, labels) = small_set("iris.csv");
    let two: Vec<usize> = (50..150).collect();
    let (rows, labels) =
        (rows.select(&two), Labels::from_text(two.iter().map(|&i| labels.text(i).to_string())));
    let tau = 0.02;
    let model = machine("linear").regularisation(tau).check().unwrap().fit(&rows, &labels).unwrap();
    // w = ((1 − τ)S + τI)⁻¹(m₂ − m₁), up to its length.
    let points: Vec<Vec<f64>> = (0..100).map(|i| rows.get(i).to_dense(4)).collect();
    let mean = |c: u32| -> Vec<f64> {
        let members: Vec<&Vec<f64>> =
            points.iter().zip(labels.codes()).filter(|(_, d)| **d == c).map(|(p, _)| p).collect();
        (0..4).map(|k| members.iter().map(|p| p[k]).sum::<f64>() / members.len() as f64).collect()
    };
    let means = [mean(0), mean(1)];
    let scatter = Matrix::from_fn(4, 4, |a, b| {
        let of = |i: usize| &means[labels.codes()[i] as usize];
        let sum: f64 = (0..100).map(|i| (points[i][a] - of(i)[a]) * (points[i][b] - of(i)[b])).sum();
        (1.0 - tau) * sum / 100.0 + if a == b { tau } else { 0.0 }
    });
    let mut w: Vec<f64> = means[1].iter().zip(&means[0]).map(|(a, b)| a - b).collect();
    let apart = w.clone();
    Cholesky::new(&scatter).unwrap().solve(&mut w).unwrap();
    let along = |p: &[f64]| p.iter().zip(&w).map(|(a, b)| a * b).sum::<f64>();
    let found = model.transform(&rows).unwrap();
    let scale = (found[(1, 0)] - found[(0, 0)]) / (along(&points[1]) - along(&points[0]));
    for i in 0..100 {
        let expected = scale * (along(&points[i]) - along(&points[0])) + found[(0, 0)];
        assert!((found[(i, 0)] - expected).abs() < 1e-8, "{i}");
    }
    // B of two classes of equal size is dd'/4 with d the difference of the means.
    assert!((model.ratios()[0] - 0.25 * along(&apart)).abs() < 1e-9);
    // Each goes to the nearer mean.
    let middle = 0.5 * (along(&means[0]) + along(&means[1]));
    let expected: Vec<usize> = points.iter().map(|p| usize::from(along(p) > middle)).collect();
    assert_eq!(model.predict(&rows).unwrap(), expected);
}

#[test]
fn directions_of_many_classes_are_those_of_largest_ratios() {
    let (rows, labels) = small_set("iris.csv");
    let tau = 0.05;
    let model =
        machine("gaussian(gamma=0.3)").regularisation(tau).check().unwrap().fit(&rows, &labels).unwrap();
    assert_eq!((model.ratios().len(), model.classes().len()), (2, 3));
    assert!(model.ratios()[0] >= model.ratios()[1]);
    let right =
        model.predict(&rows).unwrap().iter().zip(labels.codes()).filter(|(a, b)| **a == **b as usize).count();
    assert!(right >= 145, "{right}");
    // Means and functions agree, and ‖w‖² + variance within add up to 1 as the constraint says.
    let along = model.transform(&rows).unwrap();
    for c in 0..3 {
        for d in 0..2 {
            let members: Vec<usize> = (0..150).filter(|&i| labels.codes()[i] as usize == c).collect();
            let mean = members.iter().map(|&i| along[(i, d)]).sum::<f64>() / members.len() as f64;
            assert!((mean - model.means()[(c, d)]).abs() < 1e-8);
        }
    }
    for d in 0..2 {
        let between: f64 = (0..3).map(|c| model.means()[(c, d)].powi(2) / 3.0).sum();
        assert!((between - model.ratios()[d]).abs() < 1e-8, "{between} {}", model.ratios()[d]);
    }
}

#[test]
fn bad_input_is_refused_by_name() {
    let rows = Vectors::from_rows(&[[0.0], [1.0], [0.0], [1.0]]).unwrap();
    let labels = Labels::from_text(["a", "a", "b", "b"]);
    // The classes have the same mean.
    assert!(matches!(machine("linear").check().unwrap().fit(&rows, &labels), Err(Error::Undefined { .. })));
    let constant = machine("constant(1)").check().unwrap().fit(&rows, &labels);
    assert!(matches!(constant, Err(Error::Undefined { .. })));
    let one = machine("linear").check().unwrap().fit(&rows, &Labels::from_text(["a"; 4]));
    assert!(matches!(one, Err(Error::OneClass { .. })));
    let short = machine("linear").check().unwrap().fit(&rows, &Labels::from_text(["a", "b"]));
    assert!(matches!(short, Err(Error::Shape { expected: 4, found: 2, .. })));
    assert!(matches!(
        machine("linear").regularisation(-1.0).check(),
        Err(Error::Parameter { name: "regularisation", .. })
    ));
    assert!(matches!(machine("linear").rank(0).check(), Err(Error::Parameter { name: "rank", .. })));
}
