//! Leaving out without training again is the same as training again.

use mercer::data::{Items, Labels, Vectors};
use mercer::evaluation::estimates::{LeaveOneOut, Means, Solved, leave_one_out, leave_one_out_errors};
use mercer::gram::PrecomputedGram;
use mercer::kernel::Expression;
use mercer::machine::{ClassWeights, Slack, Svc, SvcParams};
use mercer::solver::{Control, Status};

use super::{cases, gram_of};
use crate::evaluation::overlapping;

/// The decision value of each row by a machine that is trained on the others.
fn naive(
    machine: &SvcParams<Expression>,
    (rows, labels): &(Vectors<'static>, Labels),
    weights: Option<&[f64]>,
) -> Vec<f64> {
    let machine = machine.clone().check().unwrap();
    let leave = |i: usize| {
        let others: Vec<usize> = (0..rows.len()).filter(|&j| j != i).collect();
        let weights: Vec<f64> = others.iter().map(|&j| weights.map_or(1.0, |w| w[j])).collect();
        let model = machine.fit_weighted(&rows.select(&others), &labels.select(&others), &weights).unwrap();
        model.decision_values(&rows.select(&[i])).unwrap()[0]
    };
    (0..rows.len()).map(leave).collect()
}

fn sign(labels: &Labels, i: usize) -> f64 {
    if labels.codes()[i] == 1 { 1.0 } else { -1.0 }
}

/// The same errors, and the same values.
fn compare(name: &str, found: &LeaveOneOut, expected: &[f64], labels: &Labels) {
    assert_eq!(found.rows.len(), expected.len(), "{name}");
    for (i, (row, expected)) in found.rows.iter().zip(expected).enumerate() {
        assert_eq!(row.row, i);
        assert_eq!(row.is_error, sign(labels, i) * expected <= 0.0, "{name}, row {i}: {row:?}, {expected}");
        if let Some(value) = row.value {
            let difference = (value - expected).abs();
            assert!(difference < 1e-5 * expected.abs().max(1.0), "{name}, row {i}: {row:?}, {expected}");
        }
    }
}

#[test]
fn it_is_as_if_each_row_were_left_out_by_itself() {
    let mut means = [0; 4];
    for case in cases() {
        let set = case.set();
        let gram = gram_of(&set.0, case.kernel);
        let machine = case.machine();
        let solved = Solved::new(&machine.clone().check().unwrap(), &gram, &set.1, None).unwrap();
        let expected = naive(&machine, &set, None);
        let values = leave_one_out(&solved).unwrap();
        assert!(values.rows.iter().all(|row| row.value.is_some()));
        compare(&case.name(), &values, &expected, &set.1);
        let errors = leave_one_out_errors(&solved).unwrap();
        compare(&case.name(), &errors, &expected, &set.1);
        assert_eq!(values.error(), errors.error());
        assert_eq!((values.status, errors.status), (Status::Converged, Status::Converged));
        println!(
            "{}: error {:.3}, {} unchanged, {} by formula, {} refits, {} proofs",
            case.name(),
            errors.error(),
            values.count(Means::Unchanged),
            values.count(Means::Formula),
            values.count(Means::Refit),
            errors.count(Means::Proof),
        );
        for (sum, (from, kind)) in means.iter_mut().zip([
            (&values, Means::Unchanged),
            (&values, Means::Formula),
            (&values, Means::Refit),
            (&errors, Means::Proof),
        ]) {
            *sum += from.count(kind);
        }
    }
    // Every way was taken.
    assert!(means.iter().all(|&count| count > 50), "{means:?}");
}

#[test]
fn rows_have_costs_of_their_own() {
    let set = overlapping(90, 3);
    let weights: Vec<f64> = (0..90).map(|i| [0.5, 1.0, 3.0][i % 3]).collect();
    for slack in [Slack::Linear, Slack::Quadratic] {
        for offset in [true, false] {
            let given = ClassWeights::Given(vec![("later".to_string(), 2.0)]);
            let machine = Svc::params("gaussian(gamma=0.1)".parse().unwrap()).cost(1.5).slack(slack);
            let machine = machine.offset(offset).class_weights(given).tolerance(1e-9);
            let gram = gram_of(&set.0, "gaussian(gamma=0.1)");
            let solved =
                Solved::new(&machine.clone().check().unwrap(), &gram, &set.1, Some(&weights)).unwrap();
            let expected = naive(&machine, &set, Some(&weights));
            compare("weighted", &leave_one_out(&solved).unwrap(), &expected, &set.1);
            compare("weighted", &leave_one_out_errors(&solved).unwrap(), &expected, &set.1);
        }
    }
}

#[test]
fn rows_without_weight_take_no_part() {
    let (rows, labels) = overlapping(60, 4);
    let weights: Vec<f64> = (0..60).map(|i| if i < 20 { 0.0 } else { 1.0 }).collect();
    let machine = Svc::params(()).tolerance(1e-9).check().unwrap();
    let gram = gram_of(&rows, "gaussian(gamma=0.1)");
    let all = leave_one_out(&Solved::new(&machine, &gram, &labels, Some(&weights)).unwrap()).unwrap();
    let kept: Vec<usize> = (20..60).collect();
    let gram = gram_of(&rows.select(&kept), "gaussian(gamma=0.1)");
    let few = leave_one_out(&Solved::new(&machine, &gram, &labels.select(&kept), None).unwrap()).unwrap();
    assert_eq!(all.rows.len(), 40);
    for (a, b) in all.rows.iter().zip(&few.rows) {
        assert_eq!((a.row, a.is_error), (b.row + 20, b.is_error));
        assert!((a.value.unwrap() - b.value.unwrap()).abs() < 1e-6);
    }
}

/// Points on the line.
fn line(x: &[f64]) -> (Vectors<'static>, PrecomputedGram<'static>) {
    let rows: Vec<[f64; 1]> = x.iter().map(|&x| [x]).collect();
    let values: Vec<f64> = x.iter().flat_map(|a| x.iter().map(move |b| a * b)).collect();
    (Vectors::from_rows(&rows).unwrap(), PrecomputedGram::symmetric(values, x.len()).unwrap())
}

#[test]
fn where_no_support_vector_is_on_the_margin_the_offset_moves() {
    // ±1 are at their bound, ±600 beyond the margin: the latter are the ends of the interval of offsets.
    let (rows, gram) = line(&[-600.0, -1.0, 1.0, 600.0]);
    let labels = Labels::from_text(["no", "no", "yes", "yes"]);
    let machine = Svc::params("linear".parse::<Expression>().unwrap()).cost(1e-3).tolerance(1e-9);
    let solved = Solved::new(&machine.clone().check().unwrap(), &gram, &labels, None).unwrap();
    assert!((0..4).all(|i| !solved.is_free(i)) && solved.is_support(1) && !solved.is_support(3));
    let expected = naive(&machine, &(rows, labels.clone()), None);
    compare("no free ones", &leave_one_out(&solved).unwrap(), &expected, &labels);
    assert!((expected[3] - solved.decision(3)).abs() > 0.1);
}

#[test]
fn all_at_their_bounds_is_no_hindrance() {
    let set = overlapping(60, 6);
    let machine = Svc::params("gaussian(gamma=0.1)".parse().unwrap()).cost(1e-3).tolerance(1e-10);
    let gram = gram_of(&set.0, "gaussian(gamma=0.1)");
    let solved = Solved::new(&machine.clone().check().unwrap(), &gram, &set.1, None).unwrap();
    compare("small cost", &leave_one_out(&solved).unwrap(), &naive(&machine, &set, None), &set.1);
}

#[test]
fn rows_that_stand_there_twice_replace_each_other() {
    let (rows, labels) = overlapping(40, 7);
    let twice: Vec<usize> = (0..80).map(|i| i % 40).collect();
    let set = (rows.select(&twice), labels.select(&twice));
    for slack in [Slack::Linear, Slack::Quadratic] {
        let machine = Svc::params("gaussian(gamma=0.2)".parse().unwrap()).slack(slack).tolerance(1e-9);
        let gram = gram_of(&set.0, "gaussian(gamma=0.2)");
        let solved = Solved::new(&machine.clone().check().unwrap(), &gram, &set.1, None).unwrap();
        compare("twice", &leave_one_out(&solved).unwrap(), &naive(&machine, &set, None), &set.1);
    }
}

#[test]
fn the_only_row_of_a_class_is_an_error() {
    let (_, gram) = line(&[-2.0, -1.0, 1.0]);
    let labels = Labels::from_text(["no", "no", "yes"]);
    let solved = Solved::new(&Svc::params(()).check().unwrap(), &gram, &labels, None).unwrap();
    for found in [leave_one_out(&solved).unwrap(), leave_one_out_errors(&solved).unwrap()] {
        let row = &found.rows[2];
        assert_eq!((row.is_error, row.value, row.means), (true, Some(-1.0), Means::Alone));
    }
}

#[test]
fn a_limit_is_told() {
    let (rows, labels) = overlapping(90, 9);
    let gram = gram_of(&rows, "gaussian(gamma=0.1)");
    let machine = Svc::params(()).cost(10.0).max_iterations(3).check().unwrap();
    let found = leave_one_out(&Solved::new(&machine, &gram, &labels, None).unwrap()).unwrap();
    assert_eq!(found.status, Status::IterationLimit);
}

#[test]
fn an_indefinite_kernel_is_left_to_the_solver() {
    let set = overlapping(60, 8);
    let kernel = "sigmoid(gamma=0.5, constant=1)";
    let gram = gram_of(&set.0, kernel);
    let machine = Svc::params(()).cost(0.5).check().unwrap();
    let found = leave_one_out(&Solved::new(&machine, &gram, &set.1, None).unwrap()).unwrap();
    assert!(found.rows.iter().all(|row| row.value.unwrap().is_finite()));
}

#[test]
fn the_full_machine_is_the_one_that_is_fitted() {
    for case in cases() {
        let (rows, labels) = case.set();
        let gram = gram_of(&rows, case.kernel);
        let machine = case.machine().check().unwrap();
        let solved = Solved::new(&machine, &gram, &labels, None).unwrap();
        let fit = machine.with_kernel(()).fit_gram(&gram, &labels, None, true, &|_| Control::Continue);
        let pairs = fit.unwrap().pairs;
        let decisions =
            pairs.decisions(&gram, &pairs.support, &mercer::resources::Workers::serial()).unwrap();
        for (i, expected) in decisions.iter().enumerate() {
            let found = solved.decision(i);
            assert!((found - expected).abs() < 1e-5 * expected.abs().max(1.0), "{}: {i}", case.name());
        }
    }
}

#[test]
fn without_memory_for_the_formula_it_trains_again() {
    let set = overlapping(80, 2);
    let machine = |memory: u64| Svc::params(()).tolerance(1e-9).memory(memory).check().unwrap();
    let gram = gram_of(&set.0, "gaussian(gamma=0.5)");
    let found =
        |memory: u64| leave_one_out(&Solved::new(&machine(memory), &gram, &set.1, None).unwrap()).unwrap();
    let (plenty, little) = (found(1 << 24), found(100));
    assert!(plenty.count(Means::Formula) > 0 && little.count(Means::Formula) == 0);
    assert_eq!(plenty.count(Means::Unchanged), little.count(Means::Unchanged));
    for (a, b) in plenty.rows.iter().zip(&little.rows) {
        assert!((a.value.unwrap() - b.value.unwrap()).abs() < 1e-5);
    }
}
