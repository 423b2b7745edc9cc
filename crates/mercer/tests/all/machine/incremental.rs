//! The exact incremental machine where rounding is large, and with weights of examples.

use mercer::Error;
use mercer::data::{Labels, Row, Vectors};
use mercer::kernel::Expression;
use mercer::machine::Svc;
use mercer::machine::online::{IncrementalSvc, RowMemory};
use mercer::solver::Status;
use mercer_testkit::qp::{QpProblem, QpStatus};
use mercer_testkit::random::Random;

fn machine(kernel: &str, cost: f64) -> IncrementalSvc<RowMemory> {
    IncrementalSvc::new(RowMemory::new(kernel.parse().unwrap()).unwrap(), cost).unwrap()
}

/// Rows of whole numbers times a scale, with labels that nothing separates.
fn whole_numbers(seed: u64, scale: f64) -> (Vec<Vec<f64>>, Vec<f64>) {
    let mut random = Random::new(seed);
    let (n, columns, values) = (20 + random.below(41), 2 + random.below(2), 3 + random.below(8));
    let mut row = || (0..columns).map(|_| scale * random.below(values) as f64).collect();
    let rows: Vec<Vec<f64>> = (0..n).map(|_| row()).collect();
    let signs = (0..n).map(|_| random.sign()).collect();
    (rows, signs)
}

fn fitted(rows: &[Vec<f64>], signs: &[f64], cost: f64) -> IncrementalSvc<RowMemory> {
    let mut found = machine("linear", cost);
    for (row, &sign) in rows.iter().zip(signs) {
        found.add(Row::Dense64(row), sign).unwrap();
    }
    found
}

fn hinge(machine: &IncrementalSvc<RowMemory>, rows: &[Vec<f64>], signs: &[f64]) -> f64 {
    let value = |row: &Vec<f64>| machine.value(Row::Dense64(row)).unwrap();
    rows.iter().zip(signs).map(|(row, y)| (1.0 - y * value(row)).max(0.0)).sum()
}

/// Whole numbers, as they are and in thousandths, at costs up to 1e6: the conditions hold within 1e-8 (values of f are sums of terms up to 1e15),
/// the objective is the oracle's, and no batch solver is needed.
#[test]
fn unscaled_whole_numbers_are_solved_at_any_cost() {
    for scale in [1.0, 1e3] {
        for cost in [1.0, 100.0, 1e4, 1e6] {
            for seed in 0..60 {
                let (rows, signs) = whole_numbers(seed, scale);
                let case = format!("scale {scale}, C {cost}, seed {seed}");
                let found = fitted(&rows, &signs, cost);
                assert_eq!(found.status(), Status::Converged, "{case}");
                let violation = found.violation().unwrap();
                assert!(violation < 1e-8, "{case}: {violation}");
                let certificate = found.certificate();
                assert!(certificate.relative_gap() < 1e-6, "{case}: {certificate:?}");
                assert_eq!(found.refits(), 0, "{case}");

                // In units of 1: the same problem, with C larger by the square of the scale.
                let unit: Vec<Vec<f64>> =
                    rows.iter().map(|row| row.iter().map(|x| x / scale).collect()).collect();
                let dot = |x: &[f64], z: &[f64]| x.iter().zip(z).map(|(a, b)| a * b).sum::<f64>();
                let kernel: Vec<f64> =
                    unit.iter().flat_map(|x| unit.iter().map(move |z| dot(x, z))).collect();
                let linear: Vec<f64> = signs.iter().map(|y| -y).collect();
                let (lower, upper) = QpProblem::class_box(&signs, &vec![cost * scale * scale; signs.len()]);
                let problem = QpProblem::new(&kernel, &linear, &lower, &upper);
                // Beyond, the oracle has no digits of its own.
                if cost * scale * scale <= 1e4 && seed < 20 {
                    let solution = QpProblem { group_sum: &[0.0], ..problem }.solve();
                    assert_eq!(solution.status, QpStatus::Solved, "{case}");
                    let (dual, expected) = (found.objective() * scale * scale, -solution.objective);
                    assert!((dual - expected).abs() < 1e-6 * expected.abs(), "{case}: {dual} {expected}");
                }
            }
        }
    }
}

/// Beside a large C the size of w does not matter: the loss is the least there is, whatever the unit of the features.
#[test]
fn the_loss_does_not_depend_on_the_unit_of_the_features() {
    for seed in 0..60 {
        let (rows, signs) = whole_numbers(seed, 1.0);
        let thousandths: Vec<Vec<f64>> =
            rows.iter().map(|row| row.iter().map(|x| 1e3 * x).collect()).collect();
        let expected = hinge(&fitted(&rows, &signs, 1e7), &rows, &signs);
        for cost in [1e5, 1e6, 1e7] {
            let found = hinge(&fitted(&thousandths, &signs, cost), &thousandths, &signs);
            assert!((found - expected).abs() < 1e-4 * expected, "seed {seed}, C {cost}: {found} {expected}");
        }
    }
}

/// Where no digits are left at all the machine says so: it never says that it has converged where its conditions are violated.
#[test]
fn a_status_does_not_contradict_the_conditions() {
    let mut limited = 0;
    for seed in 0..40 {
        let (rows, signs) = whole_numbers(seed, 1e3);
        // Numbers with digits that their products do not have.
        let rows: Vec<Vec<f64>> =
            rows.iter().map(|row| row.iter().map(|x| x * 1.1 + 0.1 * x.sqrt()).collect()).collect();
        for cost in [1e6, 1e9, 1e12] {
            let mut found = machine("linear", cost);
            let added =
                rows.iter().zip(&signs).try_for_each(|(x, &y)| found.add(Row::Dense64(x), y).map(|_| ()));
            match added {
                Ok(()) if found.status() == Status::Converged => {
                    // Σβ = 0 holds within the rounding of coefficients as large as C.
                    let worst = found.violation().unwrap();
                    assert!(worst < 1e-3 + 1e-12 * cost, "C {cost}, seed {seed}: {worst}");
                }
                Ok(()) => {
                    assert_eq!(found.status(), Status::NumericalLimit);
                    limited += 1;
                }
                Err(Error::NoConvergence { .. }) => limited += 1,
                Err(error) => panic!("C {cost}, seed {seed}: {error}"),
            }
        }
    }
    assert!(limited > 0, "no machine was at the limit");
}

/// Whole weights are repeated rows, and any weights are those of the batch solver, after every example that comes or goes.
#[test]
fn weights_are_those_of_the_batch_solver() {
    for (seed, kernel) in
        [(1, "gaussian(gamma=0.3)"), (2, "linear"), (3, "gaussian(gamma=0.3)"), (4, "linear")]
    {
        let mut random = Random::new(seed);
        let points: Vec<[f64; 2]> = (0..40).map(|_| [random.between(-2.0, 2.0), random.normal()]).collect();
        let signs: Vec<f64> = points.iter().map(|x| (x[0] + 0.8 * random.normal()).signum()).collect();
        let weights: Vec<f64> = match seed {
            1 | 2 => (0..40).map(|i| f64::from(i * 7 % 4)).collect(),
            _ => (0..40).map(|i| if i % 5 == 0 { 0.0 } else { 3.0 * random.uniform() }).collect(),
        };
        let (mut weighted, mut repeated) = (machine(kernel, 0.7), machine(kernel, 0.7));
        let mut copies = Vec::new();
        for ((point, &sign), &weight) in points.iter().zip(&signs).zip(&weights) {
            weighted.add_weighted(Row::Dense64(point), sign, weight).unwrap();
            if seed < 3 {
                let add = |_| repeated.add(Row::Dense64(point), sign).unwrap();
                copies.push((0..weight as usize).map(add).collect::<Vec<u64>>());
            }
        }
        let check = |weighted: &IncrementalSvc<RowMemory>, repeated: &IncrementalSvc<RowMemory>| {
            let violation = weighted.violation().unwrap();
            assert!(violation < 1e-8, "{kernel}, {}: {violation}", weighted.len());
            let present: Vec<usize> = weighted.ids().iter().map(|&id| id as usize).collect();
            let rows = Vectors::from_rows(&present.iter().map(|&i| points[i]).collect::<Vec<_>>()).unwrap();
            let some: Vec<f64> = present.iter().map(|&i| weights[i]).collect();
            assert_eq!(weighted.weights(), some);
            let text = |&i: &usize| if signs[i] > 0.0 { "b" } else { "a" };
            let labels = Labels::from_text(present.iter().map(text));
            let svc = Svc::params(kernel.parse::<Expression>().unwrap()).cost(0.7).tolerance(1e-9);
            let batch = svc.check().unwrap().fit_weighted(&rows, &labels, &some).unwrap();
            let expected = batch.decision_values(&Vectors::from_rows(&points).unwrap()).unwrap();
            for (point, expected) in points.iter().zip(expected) {
                let found = weighted.value(Row::Dense64(point)).unwrap();
                assert!((found - expected).abs() < 1e-6, "{kernel}: {found} {expected}");
                if seed < 3 {
                    let found = repeated.value(Row::Dense64(point)).unwrap();
                    assert!((found - expected).abs() < 1e-6, "{kernel}, repeated: {found} {expected}");
                }
            }
            let bound = |(beta, weight): (&f64, &f64)| beta.abs() <= 0.7 * weight;
            assert!(weighted.coefficients().iter().zip(weighted.weights()).all(bound));
        };
        check(&weighted, &repeated);
        let all = weighted.left_out_values().unwrap();
        for id in [3, 5, 11, 17, 20, 30, 39] {
            let slot = weighted.ids().iter().position(|&other| other == id).unwrap();
            if weighted.len() == 40 {
                let mut without = weighted.clone();
                without.remove(id).unwrap();
                let found = without.value(Row::Dense64(&points[id as usize])).unwrap();
                assert!((found - all[slot]).abs() < 1e-9);
            }
            weighted.remove(id).unwrap();
            if seed < 3 {
                copies[id as usize].iter().for_each(|&copy| repeated.remove(copy).unwrap());
            }
            check(&weighted, &repeated);
        }
    }
}

#[test]
fn weights_that_make_no_sense_are_refused() {
    let mut found = machine("linear", 10.0);
    for weight in [-1.0, f64::NAN, f64::INFINITY, 1e12] {
        let refused = found.add_weighted(Row::Dense64(&[1.0]), 1.0, weight);
        assert!(matches!(refused, Err(Error::Entry { what: "weight", .. })), "{weight}");
    }
    assert!(found.is_empty());
    // A weight of 0 is an example without influence.
    for (x, y, weight) in [(1.0, 1.0, 1.0), (-1.0, -1.0, 1.0), (5.0, -1.0, 0.0)] {
        found.add_weighted(Row::Dense64(&[x]), y, weight).unwrap();
    }
    assert!((found.value(Row::Dense64(&[2.0])).unwrap() - 2.0).abs() < 1e-9);
    assert_eq!(found.coefficients()[2], 0.0);
}
