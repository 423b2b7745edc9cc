//! Every shape of the problem against clarabel.

use mercer::solver::{DualProblem, Groups, Settings, Status, Stop};
use mercer_testkit::qp::{QpProblem, QpStatus, repeat_items};

use mercer_testkit::random::Random;

use super::{cloud, run};

struct Case {
    name: &'static str,
    build: fn(&[f64], &mut Random) -> DualProblem,
}

const INF: f64 = f64::INFINITY;

const CASES: &[Case] = &[
    Case { name: "soft margin", build: |y, _| boxed(y, 2.0, Groups::One { sum: 0.0 }) },
    Case { name: "soft margin, large cost", build: |y, _| boxed(y, 1000.0, Groups::One { sum: 0.0 }) },
    Case {
        name: "soft margin, cost per row, some zero",
        build: |y, random| {
            let mut problem = boxed(y, 1.0, Groups::One { sum: 0.0 });
            for i in 0..y.len() {
                let cost = if i % 7 == 0 { 0.0 } else { 5.0 * random.uniform() };
                problem.lower[i] *= cost;
                problem.upper[i] *= cost;
            }
            problem
        },
    },
    Case { name: "no offset", build: |y, _| boxed(y, 2.0, Groups::None) },
    Case {
        name: "2-norm soft margin",
        build: |y, _| {
            let mut problem = boxed(y, INF, Groups::One { sum: 0.0 });
            problem.diagonal = vec![0.5; y.len()];
            problem
        },
    },
    Case {
        name: "2-norm without offset, diagonal per row",
        build: |y, random| {
            let mut problem = boxed(y, INF, Groups::None);
            problem.diagonal = y.iter().map(|_| 0.1 + random.uniform()).collect();
            problem
        },
    },
    Case {
        name: "epsilon regression",
        build: |y, random| {
            let n = y.len();
            let targets: Vec<f64> = y.iter().map(|y| y + 0.3 * random.normal()).collect();
            let mut problem =
                DualProblem::new(targets.iter().map(|t| -t).collect(), vec![-3.0; n], vec![3.0; n]);
            problem.insensitivity = vec![0.2; n];
            problem.groups = Groups::One { sum: 0.0 };
            problem
        },
    },
    Case {
        name: "quadratic regression without offset",
        build: |y, random| {
            let n = y.len();
            let targets: Vec<f64> = y.iter().map(|y| y + 0.3 * random.normal()).collect();
            let mut problem =
                DualProblem::new(targets.iter().map(|t| -t).collect(), vec![-INF; n], vec![INF; n]);
            problem.insensitivity = vec![0.1; n];
            problem.diagonal = vec![0.25; n];
            problem
        },
    },
    Case {
        name: "one class",
        build: |y, _| {
            let n = y.len();
            let mut problem = DualProblem::new(vec![0.0; n], vec![0.0; n], vec![1.0; n]);
            problem.groups = Groups::One { sum: 0.3 * n as f64 };
            problem
        },
    },
    Case {
        name: "nu classification",
        build: |y, _| {
            let n = y.len();
            let mut problem = boxed(y, 1.0, Groups::None);
            problem.linear = vec![0.0; n];
            let half = 0.2 * n as f64;
            problem.groups =
                Groups::Two { of: y.iter().map(|&y| u8::from(y < 0.0)).collect(), sums: [half, -half] };
            problem
        },
    },
    Case {
        name: "nu regression, two variables per row",
        build: |y, random| {
            let n = y.len();
            let targets: Vec<f64> = y.iter().map(|y| y + 0.3 * random.normal()).collect();
            let mut linear: Vec<f64> = targets.iter().map(|t| -t).collect();
            linear.extend_from_within(..);
            let mut lower = vec![0.0; n];
            lower.extend(vec![-2.0; n]);
            let mut upper = vec![2.0; n];
            upper.extend(vec![0.0; n]);
            let mut problem = DualProblem::new(linear, lower, upper);
            problem.item = (0..n).chain(0..n).collect();
            let half = 0.25 * n as f64;
            problem.groups =
                Groups::Two { of: (0..2 * n).map(|i| u8::from(i >= n)).collect(), sums: [half, -half] };
            problem
        },
    },
];

fn boxed(y: &[f64], cost: f64, groups: Groups) -> DualProblem {
    let (lower, upper) = y.iter().map(|&y| if y > 0.0 { (0.0, cost) } else { (-cost, 0.0) }).unzip();
    let mut problem = DualProblem::new(y.iter().map(|y| -y).collect(), lower, upper);
    problem.groups = groups;
    problem
}

#[test]
fn objectives_agree_with_an_interior_point_method() {
    for (seed, overlap) in [(1, 0.6), (2, 1.5)] {
        let n = 90;
        let cloud = cloud(n, overlap, 0.7, seed);
        for case in CASES {
            let problem = (case.build)(&cloud.labels, &mut Random::new(77));
            let items: Vec<usize> = (0..problem.len()).map(|i| problem.item(i)).collect();
            let kernel = repeat_items(&cloud.kernel, n, &items);
            let (group, sums): (Option<&[u8]>, Vec<f64>) = match &problem.groups {
                Groups::None => (None, vec![]),
                Groups::One { sum } => (None, vec![*sum]),
                Groups::Two { of, sums } => (Some(of), sums.to_vec()),
            };
            let mut oracle = QpProblem::new(&kernel, &problem.linear, &problem.lower, &problem.upper);
            oracle.diagonal = &problem.diagonal;
            oracle.insensitivity = &problem.insensitivity;
            oracle.group = group;
            oracle.group_sum = &sums;
            let expected = oracle.solve();
            assert_eq!(expected.status, QpStatus::Solved, "{}", case.name);

            // The whole problem at once, and by working sets of a few members.
            for working_set in [2048, 24, 8] {
                let settings = Settings { stop: Stop::KktGap(1e-8), working_set, ..Settings::default() };
                let solution = run(&cloud.gram(), &problem, &settings);
                let name = format!("{}, overlap {overlap}, working set {working_set}", case.name);
                assert_eq!(solution.status, Status::Converged, "{name}");
                let objective = -solution.certificate.dual;
                let off = (objective - expected.objective).abs() / expected.objective.abs().max(1e-3);
                assert!(off < 1e-7, "{name}: {objective} against {}, off by {off:e}", expected.objective);
                assert!(solution.certificate.relative_gap() < 1e-6, "{name}: {:?}", solution.certificate);
                for i in 0..problem.len() {
                    let b = solution.coefficients[i];
                    assert!(problem.lower[i] <= b && b <= problem.upper[i], "{name}: β[{i}] = {b}");
                }
                for g in 0..problem.groups.count() {
                    let sum: f64 = (0..problem.len())
                        .filter(|&i| problem.groups.of(i) == g)
                        .map(|i| solution.coefficients[i])
                        .sum();
                    assert!((sum - problem.groups.sum(g)).abs() < 1e-9, "{name}: group {g} sums to {sum}");
                }
            }
        }
    }
}
