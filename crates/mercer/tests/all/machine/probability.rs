//! Probabilities of classes.

use mercer::data::{Items, Labels, Random, Vectors};
use mercer::kernel::Expression;
use mercer::machine::probability::{Held, Sigmoid};
use mercer::machine::{Decision, Probability, Slack, Svc, SvcParams};
use mercer::solver::Control;

use super::small_set;

const KINDS: [Probability; 3] = [Probability::Consistent, Probability::Platt, Probability::Isotonic];

fn machine(kernel: &str, kind: Probability) -> SvcParams<Expression> {
    Svc::params(kernel.parse().unwrap()).probability(kind)
}

/// Shift of the decision values, whether b is free, a and b.
const SIGMOIDS: [(f64, bool, f64, f64); 3] =
    [(0.0, true, -1.1052242, 0.1630684), (3.0, true, -1.1052242, 3.4787410), (0.0, false, -1.0878301, 0.0)];

/// a and b of scikit-learn 1.9.1's sigmoid calibration and, where it has none (b = 0), of scipy's BFGS on the same loss.
#[test]
fn the_sigmoid_is_that_of_others() {
    let decisions = [-2.1, -1.3, -0.8, -0.4, -0.1, 0.0, 0.2, 0.3, 0.7, 1.1, 1.9, 2.5];
    let positive = [0, 0, 0, 1, 0, 0, 1, 0, 1, 1, 1, 1];
    let rows = |shift: f64| -> Vec<Held> {
        let row = |(f, y): (f64, i32)| Held { decision: f + shift, positive: y == 1, weight: 1.0 };
        decisions.into_iter().zip(positive).map(row).collect()
    };
    for (shift, free, a, b) in SIGMOIDS {
        let found = Sigmoid::fit(&rows(shift), free);
        assert!((found.slope - a).abs() < 1e-6 && (found.shift - b).abs() < 1e-6, "{found:?} {a} {b}");
    }
}

#[test]
fn the_predicted_class_is_the_most_probable() {
    for (set, kernel) in
        [("heart_scale", "gaussian(gamma=0.05)"), ("iris.csv", "gaussian(gamma=0.5)"), ("wine.csv", "linear")]
    {
        let (rows, labels) = small_set(set);
        for kind in KINDS {
            for decision in [Decision::Votes, Decision::Graph] {
                let model = machine(kernel, kind).decision(decision).max_iterations(100_000).check().unwrap();
                let model = model.fit(&rows, &labels).unwrap();
                let k = model.classes().len();
                let p = model.probabilities(&rows).unwrap();
                let predicted = model.predict(&rows).unwrap();
                assert!(p.iter().all(|p| (0.0..=1.0).contains(p)));
                for (row, of_row) in p.chunks_exact(k).enumerate() {
                    assert!((of_row.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                    let most = of_row.iter().copied().fold(0.0, f64::max);
                    if kind != Probability::Platt {
                        assert_eq!(of_row[predicted[row]], most, "{set} {kind} row {row}: {of_row:?}");
                        assert!(of_row.iter().enumerate().all(|(c, &p)| p <= 0.5 || c == predicted[row]));
                    }
                }
                // Better than knowing how frequent the classes are.
                let loss: f64 = (0..rows.len())
                    .map(|row| {
                        let name = labels.text(row);
                        let class = model.classes().iter().position(|class| class == name).unwrap();
                        -p[row * k + class].ln()
                    })
                    .sum::<f64>()
                    / rows.len() as f64;
                let prior: f64 = labels
                    .counts()
                    .iter()
                    .map(|&n| n as f64 / rows.len() as f64)
                    .map(|share| -share * share.ln())
                    .sum();
                assert!(loss < 0.8 * prior, "{set} {kind}: {loss} {prior}");
            }
        }
    }
}

/// Where the boundary is not where both classes are equally probable, the consistent probabilities are Platt's but for values between the two.
#[test]
fn consistent_probabilities_are_the_nearest_to_platts() {
    let mut random = Random::new(5);
    let points: Vec<[f64; 1]> =
        (0..400).map(|at| [random.normal() + if at % 10 == 0 { 1.5 } else { 0.0 }]).collect();
    let labels = Labels::from_text((0..400).map(|at| if at % 10 == 0 { "b" } else { "a" }));
    let rows = Vectors::from_rows(&points).unwrap();
    // A weight of 5 moves the boundary to where the rare class has less than ½ without it.
    let weights: Vec<f64> = (0..400).map(|at| if at % 10 == 0 { 5.0 } else { 1.0 }).collect();
    let fit = |kind| {
        machine("gaussian(gamma=0.1)", kind).check().unwrap().fit_weighted(&rows, &labels, &weights).unwrap()
    };
    let (consistent, platt) = (fit(Probability::Consistent), fit(Probability::Platt));
    let decisions = consistent.decision_values(&rows).unwrap();
    let (found, free) = (consistent.probabilities(&rows).unwrap(), platt.probabilities(&rows).unwrap());
    for (row, decision) in decisions.iter().enumerate() {
        let (p, q) = (found[2 * row + 1], free[2 * row + 1]);
        assert_eq!(p > 0.5, *decision > 0.0, "row {row}: {p} at {decision}");
        let nearest = if *decision > 0.0 { q.max(0.5) } else { q.min(0.5) };
        assert!((p - nearest).abs() < 1e-15, "row {row}: {p} {q} at {decision}");
    }
}

#[test]
fn probabilities_are_near_those_the_data_were_drawn_from() {
    let mut random = Random::new(21);
    let points: Vec<[f64; 1]> = (0..600).map(|_| [2.0 * random.normal()]).collect();
    let truth = |x: f64| 1.0 / (1.0 + (-1.5 * x).exp());
    let labels =
        Labels::from_text(points.iter().map(|p| if random.uniform() < truth(p[0]) { "1" } else { "0" }));
    let rows = Vectors::from_rows(&points).unwrap();
    for (kind, most) in KINDS.into_iter().zip([0.05, 0.05, 0.08]) {
        let model = machine("linear", kind).check().unwrap().fit(&rows, &labels).unwrap();
        let p = model.probabilities(&rows).unwrap();
        let error: f64 =
            points.iter().enumerate().map(|(i, x)| (p[2 * i + 1] - truth(x[0])).abs()).sum::<f64>() / 600.0;
        assert!(error < most, "{kind}: {error}");
    }
}

#[test]
fn threads_do_not_matter_and_rows_without_weight_neither() {
    let (rows, labels) = small_set("heart_scale");
    let params = machine("gaussian(gamma=0.05)", Probability::Platt);
    let weights: Vec<f64> = (0..rows.len()).map(|i| f64::from(u8::from(i % 7 != 0))).collect();
    let p = |threads: usize| {
        let machine = params.clone().threads(threads).check().unwrap();
        machine.fit_weighted(&rows, &labels, &weights).unwrap().probabilities(&rows).unwrap()
    };
    assert_eq!(p(1), p(3));
    let machine = params.tolerance(1e-9).check().unwrap();
    let kept: Vec<usize> = (0..rows.len()).filter(|i| i % 7 != 0).collect();
    let weighted = machine.fit_weighted(&rows, &labels, &weights).unwrap().probabilities(&rows).unwrap();
    let without =
        machine.fit(&rows.select(&kept), &labels.select(&kept)).unwrap().probabilities(&rows).unwrap();
    // The folds are others, for there are fewer rows to be dealt out; what is learned is nearly the same.
    let worst = weighted.iter().zip(&without).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst < 0.1, "{worst}");
}

#[test]
fn what_cannot_be_is_said() {
    let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0]]).unwrap();
    let labels = Labels::from_text(["a", "a", "b"]);
    let plain = Svc::params("linear".parse::<Expression>().unwrap());
    let model = plain.clone().check().unwrap().fit(&rows, &labels).unwrap();
    assert!(model.probabilities(&rows).unwrap_err().to_string().contains("no probabilities"));
    // The only row of a class is never held out: the others tell what there is to tell.
    for kind in [Probability::Consistent, Probability::Platt, Probability::Isotonic] {
        let model = plain.clone().probability(kind).check().unwrap().fit(&rows, &labels).unwrap();
        let p = model.probabilities(&rows).unwrap();
        assert!(p.chunks_exact(2).all(|p| (p[0] + p[1] - 1.0).abs() < 1e-12 && p[0] >= 0.0 && p[1] >= 0.0));
    }
    // A training that is interrupted has none.
    let (rows, labels) = small_set("heart_scale");
    let machine = machine_of("gaussian(gamma=0.05)");
    let model = machine.fit_observed(&rows, &labels, None, &|_| Control::Cancel).unwrap();
    assert!(model.pairs().calibration.is_none());
}

fn machine_of(kernel: &str) -> Svc<Expression> {
    machine(kernel, Probability::Consistent).slack(Slack::Nu { nu: 0.4 }).check().unwrap()
}

#[test]
fn a_graph_asks_fewer_pairs_and_mostly_agrees() {
    let (rows, labels) = small_set("wine.csv");
    let params = Svc::params("linear".parse::<Expression>().unwrap());
    let votes = params.clone().check().unwrap().fit(&rows, &labels).unwrap();
    let graph = params.decision(Decision::Graph).check().unwrap().fit(&rows, &labels).unwrap();
    assert_eq!(votes.decision_values(&rows).unwrap(), graph.decision_values(&rows).unwrap());
    // The walk through the graph, written down for three classes.
    let decisions = graph.decision_values(&rows).unwrap();
    let walk: Vec<usize> = decisions
        .chunks_exact(3)
        .map(|d| match (d[1] > 0.0, d[0] > 0.0, d[2] > 0.0) {
            (false, false, _) => 0,
            (false, true, _) => 1,
            (true, _, false) => 1,
            (true, _, true) => 2,
        })
        .collect();
    assert_eq!(graph.predict(&rows).unwrap(), walk);
    let same = votes.predict(&rows).unwrap().iter().zip(&walk).filter(|(a, b)| a == b).count();
    assert!(same >= rows.len() - 2);
}

#[test]
fn of_two_halves_the_predicted_class_has_the_larger() {
    use mercer::machine::probability::{Calibration, Isotonic, Map};
    let flat = Map::Isotonic(Isotonic { decisions: vec![-1.0, 1.0], probabilities: vec![0.5, 0.5] });
    let steep = Map::Sigmoid(Sigmoid { slope: -1.0, shift: 0.0 });
    for (kind, map) in [(Probability::Isotonic, flat), (Probability::Consistent, steep)] {
        let calibration = Calibration { kind, maps: vec![map] };
        for (decision, predicted) in [(1e-30, 1), (-1e-30, 0)] {
            let p = calibration.probabilities(2, &[decision], predicted);
            assert_eq!(mercer::machine::one_against_one::highest(&p), predicted, "{kind}: {p:?}");
        }
    }
}
