//! The methods of the textbooks against the main solver, the definition of optimality, and their limits.

use std::time::Duration;

use mercer::gram::PrecomputedGram;
use mercer::solver::{Control, DualProblem, Groups, Method, Settings, Status, Stop, solve};
use mercer_testkit::fixture::data;
use mercer_testkit::kkt;
use mercer_testkit::qp::{QpProblem, repeat_items};
use mercer_testkit::table::Table;

use super::{cloud, run};

const INF: f64 = f64::INFINITY;

/// Rows of a data set, standardised, with the Gaussian kernel matrix.
struct Set {
    labels: Vec<f64>,
    kernel: Vec<f64>,
}

impl Set {
    /// Some rows of a file; the label is ±1 by its being `positive`, or else the number that it is.
    fn read(name: &str, rows: usize, positive: Option<&str>) -> Set {
        let table = Table::read(&data(name));
        let step = table.rows.len() / rows;
        let chosen: Vec<usize> = (0..rows).map(|k| k * step).collect();
        let columns = table.rows[0].len();
        let mut points: Vec<Vec<f64>> = chosen.iter().map(|&i| table.rows[i].clone()).collect();
        for c in 0..columns {
            let mean = points.iter().map(|p| p[c]).sum::<f64>() / rows as f64;
            let variance = points.iter().map(|p| (p[c] - mean).powi(2)).sum::<f64>() / rows as f64;
            let deviation = if variance > 0.0 { variance.sqrt() } else { 1.0 };
            points.iter_mut().for_each(|p| p[c] = (p[c] - mean) / deviation);
        }
        let gamma = 1.0 / columns as f64;
        let mut kernel = Vec::with_capacity(rows * rows);
        for x in &points {
            for z in &points {
                let squared: f64 = x.iter().zip(z).map(|(a, b)| (a - b).powi(2)).sum();
                kernel.push((-gamma * squared).exp());
            }
        }
        let label = |i: &usize| match positive {
            Some(positive) => f64::from(i8::from(table.labels[*i] == positive)) * 2.0 - 1.0,
            None => table.labels[*i].parse().unwrap(),
        };
        Set { labels: chosen.iter().map(label).collect(), kernel }
    }

    fn gram(&self) -> PrecomputedGram<'_> {
        PrecomputedGram::symmetric(&self.kernel[..], self.labels.len()).unwrap()
    }
}

fn classifier(labels: &[f64], cost: f64, groups: Groups) -> DualProblem {
    let (lower, upper) = labels.iter().map(|&y| if y > 0.0 { (0.0, cost) } else { (-cost, 0.0) }).unzip();
    let mut problem = DualProblem::new(labels.iter().map(|y| -y).collect(), lower, upper);
    problem.groups = groups;
    problem
}

fn regression(labels: &[f64], bound: f64, tube: f64, groups: Groups) -> DualProblem {
    let n = labels.len();
    let mut problem = DualProblem::new(labels.iter().map(|y| -y).collect(), vec![-bound; n], vec![bound; n]);
    problem.insensitivity = vec![tube; n];
    problem.groups = groups;
    problem
}

struct Case {
    name: &'static str,
    numbers: bool,
    build: fn(&[f64]) -> DualProblem,
}

const OFFSET: Groups = Groups::One { sum: 0.0 };

/// Every formulation of the machines.
const CASES: &[Case] = &[
    Case { name: "1-norm", numbers: false, build: |y| classifier(y, 2.0, OFFSET) },
    Case { name: "1-norm, large cost", numbers: false, build: |y| classifier(y, 100.0, OFFSET) },
    Case { name: "1-norm, no offset", numbers: false, build: |y| classifier(y, 2.0, Groups::None) },
    Case {
        name: "2-norm",
        numbers: false,
        build: |y| DualProblem { diagonal: vec![0.5; y.len()], ..classifier(y, INF, OFFSET) },
    },
    Case {
        name: "2-norm, no offset",
        numbers: false,
        build: |y| DualProblem { diagonal: vec![0.5; y.len()], ..classifier(y, INF, Groups::None) },
    },
    Case { name: "hard margin, no offset", numbers: false, build: |y| classifier(y, INF, Groups::None) },
    Case { name: "linear tube", numbers: true, build: |y| regression(y, 3.0, 1.0, OFFSET) },
    Case { name: "linear tube, no offset", numbers: true, build: |y| regression(y, 3.0, 1.0, Groups::None) },
    Case {
        name: "quadratic tube",
        numbers: true,
        build: |y| DualProblem { diagonal: vec![0.2; y.len()], ..regression(y, INF, 0.5, OFFSET) },
    },
    Case {
        name: "quadratic tube, no offset",
        numbers: true,
        build: |y| DualProblem { diagonal: vec![0.2; y.len()], ..regression(y, INF, 0.5, Groups::None) },
    },
    Case {
        name: "least squares: no bound at all",
        numbers: true,
        build: |y| DualProblem { diagonal: vec![0.2; y.len()], ..regression(y, INF, 0.0, OFFSET) },
    },
    Case {
        name: "one class",
        numbers: false,
        build: |y| {
            let n = y.len();
            let mut problem = DualProblem::new(vec![0.0; n], vec![0.0; n], vec![1.0; n]);
            problem.groups = Groups::One { sum: 0.2 * n as f64 };
            problem
        },
    },
    Case {
        name: "nu classification",
        numbers: false,
        build: |y| {
            let half = 0.15 * y.len() as f64;
            DualProblem {
                linear: vec![0.0; y.len()],
                groups: Groups::Two {
                    of: y.iter().map(|&y| u8::from(y < 0.0)).collect(),
                    sums: [half, -half],
                },
                ..classifier(y, 1.0, Groups::None)
            }
        },
    },
    Case {
        name: "nu regression, two variables per row",
        numbers: true,
        build: |y| {
            let n = y.len();
            let half = 0.5 * n as f64;
            let linear = y.iter().chain(y).map(|y| -y).collect();
            let side = |low: f64, high: f64| [vec![low; n], vec![high; n]].concat();
            let mut problem = DualProblem::new(linear, side(0.0, -2.0), side(2.0, 0.0));
            problem.item = (0..n).chain(0..n).collect();
            problem.groups =
                Groups::Two { of: (0..2 * n).map(|i| u8::from(i >= n)).collect(), sums: [half, -half] };
            problem
        },
    },
];

const REFERENCES: [Method; 4] = [Method::Smo, Method::Adatron, Method::Chunking, Method::InteriorPoint];

/// What a method cannot do: the adatron where the sum is prescribed.
fn refuses(method: Method, problem: &DualProblem) -> bool {
    method == Method::Adatron && problem.groups != Groups::None
}

#[test]
fn every_formulation_is_solved_as_by_the_main_solver() {
    let classes = [Set::read("heart_scale", 120, Some("+1")), Set::read("ionosphere.csv", 100, Some("good"))];
    let numbers = [Set::read("auto_mpg.csv", 110, None)];
    for case in CASES {
        for set in if case.numbers { &numbers[..] } else { &classes[..] } {
            let problem = (case.build)(&set.labels);
            let expected =
                run(&set.gram(), &problem, &Settings { stop: Stop::KktGap(1e-8), ..Settings::default() });
            assert_eq!(expected.status, Status::Converged, "{}", case.name);
            for method in REFERENCES.into_iter().filter(|method| !refuses(*method, &problem)) {
                agrees(method, case.name, set, &problem, expected.certificate.dual);
            }
        }
    }
}

/// Solves and compares the objective, the optimality conditions by definition, and the certificate.
fn agrees(method: Method, name: &str, set: &Set, problem: &DualProblem, dual: f64) {
    let name = format!("{method}: {name}, {} rows", set.labels.len());
    let tolerance = 1e-5;
    let settings = Settings { method, stop: Stop::KktGap(tolerance), ..Settings::default() };
    let begun = std::time::Instant::now();
    let solution = run(&set.gram(), problem, &settings);
    println!(
        "{name}: {} steps, {} rounds, {:?}",
        solution.iterations,
        solution.outer_iterations,
        begun.elapsed()
    );
    assert_eq!(solution.status, Status::Converged, "{name}: {:?}", solution.certificate);
    let off = (solution.certificate.dual - dual).abs() / dual.abs();
    assert!(off < 1e-5, "{name}: {} against {dual}, off by {off:e}", solution.certificate.dual);
    assert!(solution.certificate.primal >= dual - 1e-9 * dual.abs(), "{name}: {:?}", solution.certificate);

    let items: Vec<usize> = (0..problem.len()).map(|i| problem.item(i)).collect();
    let kernel = repeat_items(&set.kernel, set.labels.len(), &items);
    let (group, sums): (Option<&[u8]>, Vec<f64>) = match &problem.groups {
        Groups::None => (None, vec![]),
        Groups::One { sum } => (None, vec![*sum]),
        Groups::Two { of, sums } => (Some(of), sums.to_vec()),
    };
    let mut definition = QpProblem::new(&kernel, &problem.linear, &problem.lower, &problem.upper);
    definition.diagonal = &problem.diagonal;
    definition.insensitivity = &problem.insensitivity;
    definition.group = group;
    definition.group_sum = &sums;
    let report = kkt::check(&definition, &solution.coefficients, 0.0);
    assert_eq!(report.box_violation, 0.0, "{name}");
    assert!(report.sum_violation < 1e-9, "{name}: {report:?}");
    assert!(report.gap <= 1.001 * tolerance, "{name}: {report:?}");
    let objective = definition.objective(&solution.coefficients);
    assert!((objective + solution.certificate.dual).abs() < 1e-9 * dual.abs(), "{name}: {objective}");
}

#[test]
fn the_duality_gap_can_be_what_stops_them() {
    let cloud = cloud(120, 1.0, 0.5, 5);
    for method in REFERENCES {
        let mut problem = cloud.classifier(10.0);
        if method == Method::Adatron {
            problem.groups = Groups::None;
        }
        for relative in [1e-2, 1e-6] {
            let settings = Settings { method, stop: Stop::DualityGap(relative), ..Settings::default() };
            let solution = run(&cloud.gram(), &problem, &settings);
            assert_eq!(solution.status, Status::Converged, "{method}");
            let found = solution.certificate.relative_gap();
            assert!(found <= relative, "{method}: {found:e} where {relative:e} was asked for");
        }
    }
}

#[test]
fn limits_are_heeded_and_what_was_reached_is_feasible_and_can_be_resumed() {
    let cloud = cloud(200, 1.0, 0.5, 6);
    for method in REFERENCES {
        let mut problem = cloud.classifier(20.0);
        if method == Method::Adatron {
            problem.groups = Groups::None;
        }
        let settings = Settings { method, stop: Stop::KktGap(1e-5), ..Settings::default() };
        let whole = run(&cloud.gram(), &problem, &settings);
        assert_eq!(whole.status, Status::Converged, "{method}");

        let limit = if matches!(method, Method::Smo | Method::Adatron) { 40 } else { 6 };
        let limited = Settings { max_iterations: limit, ..settings.clone() };
        let part = run(&cloud.gram(), &problem, &limited);
        assert_eq!((part.status, part.iterations), (Status::IterationLimit, limit), "{method}");
        assert!(part.certificate.dual > 0.0, "{method}: {:?}", part.certificate);
        assert!(part.certificate.dual < whole.certificate.dual, "{method}: {:?}", part.certificate);
        assert!(part.certificate.primal >= whole.certificate.dual, "{method}: {:?}", part.certificate);
        if problem.groups != Groups::None {
            assert!(part.coefficients.iter().sum::<f64>().abs() < 1e-9, "{method}");
        }

        problem.start = part.coefficients;
        let resumed = run(&cloud.gram(), &problem, &settings);
        assert_eq!(resumed.status, Status::Converged, "{method}");
        let off = (resumed.certificate.dual - whole.certificate.dual).abs() / whole.certificate.dual;
        assert!(off < 1e-6, "{method}: {off:e}");

        problem.start = resumed.coefficients;
        assert_eq!(run(&cloud.gram(), &problem, &settings).iterations, 0, "{method}: its own warm start");

        problem.start.clear();
        let hurried = Settings { max_time: Some(Duration::ZERO), ..settings };
        let start = run(&cloud.gram(), &problem, &hurried);
        assert_eq!(start.status, Status::TimeLimit, "{method}");
        assert!(start.coefficients.iter().all(|&b| b == 0.0), "{method}");
    }
}

#[test]
fn the_observer_sees_the_objective_fall_and_can_cancel() {
    let cloud = cloud(200, 1.0, 0.5, 6);
    for method in REFERENCES {
        let mut problem = cloud.classifier(20.0);
        if method == Method::Adatron {
            problem.groups = Groups::None;
        }
        let settings = Settings { method, stop: Stop::KktGap(1e-6), ..Settings::default() };
        let mut seen = Vec::new();
        let solution = solve(&cloud.gram(), &problem, &settings, &mut |progress| {
            seen.push(progress.objective);
            if seen.len() == 9 { Control::Cancel } else { Control::Continue }
        })
        .unwrap();
        assert_eq!(solution.status, Status::Cancelled, "{method}");
        assert!(seen.windows(2).all(|pair| pair[1] <= pair[0]), "{method}: {seen:?}");
        assert!(seen[8] < seen[0], "{method}: {seen:?}");
        let off = (solution.certificate.dual + seen[8]).abs() / seen[8].abs();
        assert!(off < 1e-9, "{method}: what was reported is what is returned");
    }
}

#[test]
fn an_accuracy_beyond_the_digits_ends_at_the_numerical_limit() {
    let cloud = cloud(60, 1.0, 0.5, 6);
    for method in REFERENCES {
        let mut problem = cloud.classifier(1.0);
        if method == Method::Adatron {
            problem.groups = Groups::None;
        }
        let settings = Settings { method, stop: Stop::KktGap(1e-19), ..Settings::default() };
        let solution = run(&cloud.gram(), &problem, &settings);
        assert_eq!(solution.status, Status::NumericalLimit, "{method}");
        assert!(solution.certificate.kkt_gap < 1e-9, "{method}: {:?}", solution.certificate);
    }
}

#[test]
fn what_cannot_be_done_is_refused() {
    let cloud = cloud(30, 1.0, 0.5, 6);
    let gram = cloud.gram();
    let error = |problem: &DualProblem, settings: &Settings| {
        solve(&gram, problem, settings, &mut |_| Control::Continue).unwrap_err().to_string()
    };
    for method in REFERENCES {
        let settings = Settings { method, ..Settings::default() };
        let mut infeasible = DualProblem::new(vec![0.0; 30], vec![0.0; 30], vec![1.0; 30]);
        infeasible.groups = Groups::One { sum: 31.0 };
        let found = error(&infeasible, &settings);
        assert!(found.contains("must sum to 31, but their bounds allow 0 to 30"), "{method}: {found}");
        let mut malformed = cloud.classifier(1.0);
        malformed.linear[3] = f64::NAN;
        assert!(error(&malformed, &settings).contains("linear term 3"), "{method}");
        let settings = Settings { stop: Stop::KktGap(0.0), ..settings };
        assert!(error(&cloud.classifier(1.0), &settings).contains("tolerance = 0"), "{method}");
    }
    let adatron = Settings { method: Method::Adatron, ..Settings::default() };
    assert!(error(&cloud.classifier(1.0), &adatron).contains("train without offset, or use smo"));
    for method in [Method::InteriorPoint, Method::Chunking] {
        let small = Settings { method, memory: 1000, ..Settings::default() };
        let found = error(&cloud.classifier(1.0), &small);
        assert!(found.contains("needs 21600 bytes and the budget allows 1000"), "{method}: {found}");
    }
}

#[test]
fn a_chunk_holds_the_support_vectors_and_grows_with_them() {
    // More rows than a first chunk takes, and more support vectors too.
    let cloud = cloud(600, 1.5, 0.5, 7);
    let problem = cloud.classifier(1.0);
    let main = run(&cloud.gram(), &problem, &Settings { stop: Stop::KktGap(1e-6), ..Settings::default() });
    assert!(main.support().count() > 256);
    let settings = Settings { method: Method::Chunking, stop: Stop::KktGap(1e-6), ..Settings::default() };
    let solution = run(&cloud.gram(), &problem, &settings);
    assert_eq!(solution.status, Status::Converged);
    assert!(solution.outer_iterations > 2);
    let off = (solution.certificate.dual - main.certificate.dual).abs() / main.certificate.dual;
    assert!(off < 1e-7, "{off:e}");
}
