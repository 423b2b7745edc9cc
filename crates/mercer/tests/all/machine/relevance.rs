//! The relevance vector machine: its likelihood against the definition, and that nothing is left to be gained.

use super::small_set;
use mercer::Error;
use mercer::data::{Items, Labels, Random, Vectors};
use mercer::kernel::{Expression, Kernel};
use mercer::linalg::{Cholesky, Matrix};
use mercer::machine::{RelevanceMachine, RelevanceMachineParams};

fn machine(kernel: &str) -> RelevanceMachineParams<Expression> {
    RelevanceMachine::params(kernel.parse().unwrap())
}

fn sinc(n: usize, noise: f64) -> (Vectors<'static>, Vec<f64>) {
    let mut random = Random::new(7);
    let points: Vec<[f64; 1]> = (0..n).map(|i| [20.0 * i as f64 / (n - 1) as f64 - 10.0]).collect();
    let value = |x: f64| if x == 0.0 { 1.0 } else { x.sin() / x };
    let targets = points.iter().map(|p| value(p[0]) + noise * random.normal()).collect();
    (Vectors::from_rows(&points).unwrap(), targets)
}

/// log N(t; 0, I/β + ΦA⁻¹Φᵀ)
fn evidence(phi: &[Vec<f64>], alpha: &[f64], noise: f64, targets: &[f64]) -> f64 {
    let n = targets.len();
    let covariance = Matrix::from_fn(n, n, |i, j| {
        let sum: f64 = phi.iter().zip(alpha).map(|(phi, a)| phi[i] * phi[j] / a).sum();
        sum + if i == j { noise } else { 0.0 }
    });
    let factor = Cholesky::new(&covariance).unwrap();
    let mut solved = targets.to_vec();
    factor.solve(&mut solved).unwrap();
    let fit: f64 = solved.iter().zip(targets).map(|(s, t)| s * t).sum();
    -0.5 * (fit + factor.log_determinant() + n as f64 * std::f64::consts::TAU.ln())
}

#[test]
fn the_evidence_is_largest_where_it_ends() {
    let (rows, targets) = sinc(100, 0.1);
    let n = 100;
    let kernel: Expression = "gaussian(gamma=0.1)".parse().unwrap();
    let model = machine("gaussian(gamma=0.1)").tolerance(1e-4).check().unwrap().fit(&rows, &targets).unwrap();
    let report = model.report();
    assert!(report.converged && report.relevant.len() < 12, "{:?}", report.relevant);
    assert!((report.noise.sqrt() - 0.1).abs() < 0.02, "{}", report.noise);
    // α of each weight from its covariance: at the end αΣ = 1 − αμ²... that is α = (1 − αΣ)/μ².
    let width = report.relevant.len() + 1;
    let mut phi: Vec<Vec<f64>> = Vec::new();
    for at in 0..n {
        phi.push((0..n).map(|i| kernel.eval(&rows.get(i), &rows.get(at))).collect());
    }
    phi.push(vec![1.0; n]);
    let mut weights = model.functions().coefficients.clone();
    weights.push(model.functions().offsets[0]);
    let mut used: Vec<usize> = report.relevant.clone();
    used.push(n);
    let (mut own, mut alpha) = (Vec::new(), Vec::new());
    for (at, &c) in used.iter().enumerate() {
        let variance = report.covariance[at * width + at];
        if variance > 0.0 {
            own.push(phi[c].clone());
            alpha.push(1.0 / (weights[at] * weights[at] + variance));
        }
    }
    let best = evidence(&own, &alpha, report.noise, &targets);
    assert!((best - report.likelihoods[0]).abs() < 1e-3, "{best} {}", report.likelihoods[0]);
    // Neither another precision nor another noise is better, and no other item is worth its while.
    for at in 0..alpha.len() {
        for factor in [0.5, 0.9, 1.1, 2.0] {
            let mut other = alpha.clone();
            other[at] *= factor;
            assert!(evidence(&own, &other, report.noise, &targets) < best + 1e-4);
        }
    }
    for factor in [0.8, 0.95, 1.05, 1.25] {
        assert!(evidence(&own, &alpha, factor * report.noise, &targets) < best + 1e-4);
    }
    for c in (0..n).step_by(5).filter(|c| !report.relevant.contains(c)) {
        let mut more = own.clone();
        more.push(phi[c].clone());
        for precision in [0.1, 1.0, 10.0, 100.0] {
            let mut other = alpha.clone();
            other.push(precision);
            assert!(evidence(&more, &other, report.noise, &targets) < best + 1e-3, "{c}");
        }
    }
}

#[test]
fn the_unit_of_the_targets_does_not_matter() {
    let (rows, targets) = sinc(80, 0.1);
    // About 3, so that there is an offset.
    let targets: Vec<f64> = targets.iter().map(|y| y + 3.0).collect();
    let machine = machine("gaussian(gamma=0.1)").check().unwrap();
    let model = machine.fit(&rows, &targets).unwrap();
    let (values, variances) = (model.predict(&rows).unwrap(), model.variances(&rows).unwrap());
    assert!(values.iter().zip(&targets).all(|(f, y)| (f - y).abs() < 0.4));
    for unit in [1e-100, 1e-20, 1e-8, 1e7, 1e100] {
        let scaled: Vec<f64> = targets.iter().map(|y| unit * y).collect();
        let other = machine.fit(&rows, &scaled).unwrap();
        assert_eq!(other.report().relevant, model.report().relevant, "{unit}");
        let near = |a: f64, b: f64| (a - b).abs() < 1e-5 * b.abs();
        for (found, expected) in other.predict(&rows).unwrap().iter().zip(&values) {
            assert!(near(*found, unit * expected), "{unit}: {found} {expected}");
        }
        for (found, expected) in other.variances(&rows).unwrap().iter().zip(&variances) {
            assert!(near(*found, unit * unit * expected), "{unit}: {found} {expected}");
        }
        // A density is one per unit.
        let expected = model.report().likelihoods[0] - 80.0 * unit.ln();
        assert!((other.report().likelihoods[0] - expected).abs() < 1e-6 * expected.abs(), "{unit}");
    }
    for same in [0.0, 0.1, -3e9] {
        let constant = machine.fit(&rows, &[same; 80]).unwrap();
        let found = constant.predict(&rows).unwrap();
        assert!(found.iter().all(|f| (f - same).abs() <= 1e-3 * same.abs()), "{same} {found:?}");
    }
    let refused = machine.fit(&rows, &[&targets[..79], &[-1e200]].concat()).unwrap_err();
    assert!(matches!(refused, Error::Entry { what: "target", index: 79, .. }), "{refused}");
}

#[test]
fn variances_are_those_of_the_weights() {
    let (rows, targets) = sinc(60, 0.05);
    let model = machine("gaussian(gamma=0.1)").check().unwrap().fit(&rows, &targets).unwrap();
    let variances = model.variances(&rows).unwrap();
    // More than the noise everywhere, and not much more where there are items.
    let noise = model.report().noise;
    assert!(variances.iter().all(|v| *v >= noise));
    assert!(variances[30] < 3.0 * noise, "{} {noise}", variances[30]);
    assert!(model.probabilities(&rows).is_err());
}

#[test]
fn classes_are_told_apart_by_few_items() {
    let (rows, labels) = small_set("iris.csv");
    let model = machine("gaussian(gamma=0.3)").check().unwrap().fit_classes(&rows, &labels, None).unwrap();
    let probabilities = model.probabilities(&rows).unwrap();
    let right = (0..150)
        .filter(|&i| {
            let row = probabilities.row(i);
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let best = (0..3).fold(0, |best, c| if row[c] > row[best] { c } else { best });
            best == labels.codes()[i] as usize
        })
        .count();
    assert!(right >= 144, "{right}");
    assert!(model.report().relevant.len() < 30, "{}", model.report().relevant.len());
    assert!(model.variances(&rows).is_err());
    // At the mode of two classes the slope of the likelihood is that of the prior: Σ (t − p)φ = αw, so that both have one sign.
    let two: Vec<usize> = (50..150).collect();
    let (rows, labels) =
        (rows.select(&two), Labels::from_text(two.iter().map(|&i| labels.text(i).to_string())));
    let model = machine("gaussian(gamma=0.3)").check().unwrap().fit_classes(&rows, &labels, None).unwrap();
    let p = model.probabilities(&rows).unwrap();
    let kernel: Expression = "gaussian(gamma=0.3)".parse().unwrap();
    for (at, &c) in model.report().relevant.iter().enumerate() {
        let slope: f64 = (0..100)
            .map(|i| {
                let t = f64::from(labels.codes()[i]);
                (t - p[(i, 1)]) * kernel.eval(&rows.get(i), &rows.get(c))
            })
            .sum();
        let weight = model.functions().coefficients[at];
        assert!(slope * weight > 0.0, "{c}: {slope} {weight}");
    }
}

#[test]
fn threads_change_nothing() {
    let (rows, targets) = sinc(80, 0.1);
    let fit = |threads| {
        let machine = machine("gaussian(gamma=0.1)").threads(threads).check().unwrap();
        machine.fit(&rows, &targets).unwrap().functions().clone()
    };
    assert_eq!(fit(1), fit(3));
}

#[test]
fn bad_and_simple_input() {
    let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0]]).unwrap();
    // Nothing to be learned but the constant.
    let flat = machine("gaussian(gamma=1)").check().unwrap().fit(&rows, &[4.0; 3]).unwrap();
    assert!(flat.predict(&rows).unwrap().iter().all(|f| (f - 4.0).abs() < 1e-2));
    let short = machine("linear").check().unwrap().fit(&rows, &[1.0]);
    assert!(matches!(short, Err(Error::Shape { expected: 3, found: 1, .. })));
    let nan = machine("linear").check().unwrap().fit(&rows, &[1.0, f64::NAN, 1.0]);
    assert!(matches!(nan, Err(Error::Entry { what: "target", index: 1, .. })));
    let one = machine("linear").check().unwrap().fit_classes(&rows, &Labels::from_text(["a"; 3]), None);
    assert!(matches!(one, Err(Error::OneClass { .. })));
    let tight = machine("linear").memory(10).check().unwrap().fit(&rows, &[1.0, 2.0, 3.0]);
    assert!(matches!(tight, Err(Error::Budget { .. })));
    assert!(matches!(
        machine("linear").tolerance(0.0).check(),
        Err(Error::Parameter { name: "tolerance", .. })
    ));
}

#[test]
fn few_candidates_do_where_all_do_not_fit() {
    let (rows, y) = sinc(200, 0.05);
    let all = machine("gaussian(gamma=0.3)").check().unwrap().fit(&rows, &y).unwrap();
    assert_eq!(all.report().candidates, 200);
    // The pivots that half of a matrix has room for.
    let small = machine("gaussian(gamma=0.3)").memory(200 * 200 * 8).check().unwrap().fit(&rows, &y).unwrap();
    assert!(small.report().candidates < 60, "{}", small.report().candidates);
    assert!(small.report().relevant.iter().all(|&item| item < 200));
    for (a, b) in all.predict(&rows).unwrap().iter().zip(small.predict(&rows).unwrap()) {
        assert!((a - b).abs() < 0.05, "{a} {b}");
    }
    assert!(small.variances(&rows).unwrap().iter().all(|v| *v > 0.0));
    let none = machine("gaussian(gamma=0.3)").memory(100).check().unwrap().fit(&rows, &y);
    assert!(matches!(none, Err(Error::Budget { .. })));
    assert!(matches!(machine("linear").rank(0).check(), Err(Error::Parameter { name: "rank", .. })));
}

#[test]
fn equal_items_are_relevant_once() {
    let kernel: Expression = "gaussian(gamma=0.5)".parse().unwrap();
    let machine = RelevanceMachine::params(kernel).check().unwrap();
    let rows = Vectors::from_rows(&[[1.0, 2.0]; 6]).unwrap();
    // The prior draws the mean of targets that vary towards 0.
    for (targets, near) in [(vec![3.0; 6], 1e-6), (vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0], 0.2)] {
        let model = machine.fit(&rows, &targets).unwrap();
        let mean = targets.iter().sum::<f64>() / 6.0;
        assert!(model.report().relevant.len() <= 1 && model.report().converged, "{:?}", model.report());
        let said = model.predict(&rows).unwrap()[0];
        assert!((said - mean).abs() < near * mean, "{said} {mean}");
    }
}
