//! Small problems with known answers.

use super::*;

const N: usize = 40;

/// Inner products of points on a plane: rank 2, the hardest there is for steps by pairs.
fn plane() -> (Matrix, Vec<f64>) {
    let point = |i: usize| {
        let t = i as f64;
        ((t * 0.7).sin() + 0.3 * (t * 2.9).cos(), (t * 1.3).cos())
    };
    let quadratic = Matrix::from_fn(N, N, |i, j| {
        let ((a, b), (c, d)) = (point(i), point(j));
        a * c + b * d
    });
    let labels = (0..N).map(|i| if point(i).0 + 0.4 * (i as f64 * 5.1).sin() > 0.0 { 1.0 } else { -1.0 });
    (quadratic, labels.collect())
}

/// Solves from β = 0 and returns β with the gap of its optimality conditions.
fn solve(
    linear: &[f64],
    lower: &[f64],
    upper: &[f64],
    insensitivity: f64,
    groups: usize,
    start: &[f64],
) -> (Vec<f64>, f64) {
    let (quadratic, _) = plane();
    let gradient: Vec<f64> = (0..N)
        .map(|i| linear[i] + quadratic.row(i).iter().zip(start).map(|(q, b)| q * b).sum::<f64>())
        .collect();
    let group: Vec<u8> = (0..N).map(|i| (groups == 2 && i % 2 == 1) as u8).collect();
    let insensitivity = vec![insensitivity; N];
    let tolerance = 1e-5;
    let endgame = InteriorPoint {
        quadratic: &quadratic,
        gradient: &gradient,
        beta: start,
        lower,
        upper,
        insensitivity: &insensitivity,
        diagonal: &vec![0.0; start.len()],
        equations: &Equations::groups(groups, &group),
        tolerance,
    };
    let found = endgame.solve(&mut |_| false).expect("a better point");
    let (b, g) = (&found.beta, &found.gradient);
    let mut gap = 0.0f64;
    for of in 0..groups.max(1) {
        let members = || (0..N).filter(|&i| groups < 2 || usize::from(group[i]) == of);
        let rest = if groups == 0 { 0.0 } else { f64::INFINITY };
        let up = members()
            .filter(|&i| b[i] < upper[i])
            .map(|i| g[i] + if b[i] < 0.0 { -insensitivity[i] } else { insensitivity[i] })
            .fold(rest, f64::min);
        let low = members()
            .filter(|&i| b[i] > lower[i])
            .map(|i| g[i] + if b[i] > 0.0 { insensitivity[i] } else { -insensitivity[i] })
            .fold(-rest, f64::max);
        gap = gap.max(low - up);
        let moved: f64 = members().map(|i| b[i] - start[i]).sum();
        assert!(groups == 0 || moved.abs() < 1e-9 * (1.0 + b.iter().map(|b| b.abs()).sum::<f64>()));
    }
    assert!((0..N).all(|i| lower[i] <= b[i] && b[i] <= upper[i]));
    (found.beta, gap)
}

#[test]
fn every_shape_of_the_problem_is_solved_whatever_the_size_of_the_box() {
    let (_, labels) = plane();
    let linear: Vec<f64> = labels.iter().map(|y| -y).collect();
    for cost in [1.0, 1e3, 1e6] {
        let upper: Vec<f64> = labels.iter().map(|y| if *y > 0.0 { cost } else { 0.0 }).collect();
        let lower: Vec<f64> = labels.iter().map(|y| if *y < 0.0 { -cost } else { 0.0 }).collect();
        for groups in [0, 1, 2] {
            let (_, gap) = solve(&linear, &lower, &upper, 0.0, groups, &[0.0; N]);
            assert!(gap <= 1e-5, "classes, cost {cost}, {groups} sums: {gap:e}");
            let (beta, gap) = solve(&linear, &[-cost; N], &[cost; N], 0.3, groups, &[0.0; N]);
            assert!(gap <= 1e-5, "regression, cost {cost}, {groups} sums: {gap:e}");
            assert!(beta.contains(&0.0), "no point inside the tube");
        }
        let (_, gap) = solve(&[0.0; N], &[0.0; N], &[1.0; N], 0.0, 1, &[0.3; N]);
        assert!(gap <= 1e-5, "one class: {gap:e}");
    }
}

#[test]
fn it_can_be_stopped() {
    let (quadratic, labels) = plane();
    let gradient: Vec<f64> = labels.iter().map(|y| -y).collect();
    let endgame = InteriorPoint {
        quadratic: &quadratic,
        gradient: &gradient,
        beta: &[0.0; N],
        lower: &[-1.0; N],
        upper: &[1.0; N],
        insensitivity: &[0.0; N],
        diagonal: &[0.0; N],
        equations: &Equations::groups(1, &[0; N]),
        tolerance: 1e-3,
    };
    assert!(endgame.solve(&mut |_| true).is_none());
}
