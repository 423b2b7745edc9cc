//! What the theory says must come out.

use mercer::data::{Items, Labels, Vectors};
use mercer::kernel::Expression;
use mercer::machine::{Svc, SvcModel};
use mercer_testkit::random::Random;

type Model = SvcModel<Expression, Vectors<'static>>;

fn fit(kernel: &str, cost: f64, rows: &Vectors<'_>, labels: &Labels) -> Model {
    let machine =
        Svc::params(kernel.parse::<Expression>().unwrap()).cost(cost).tolerance(1e-9).check().unwrap();
    machine.fit(rows, labels).unwrap()
}

/// w of a linear binary model.
fn direction(model: &Model) -> Vec<f64> {
    let items = model.support_items();
    let mut w = vec![0.0; items.columns()];
    for (i, beta) in model.pairs().pair(0, 1) {
        items.get(i).for_each(|k, x| w[k] += beta * x);
    }
    w
}

#[test]
fn the_three_point_example() {
    // The first point lies on the margin but does not support it.
    let rows = Vectors::from_rows(&[[1.0, 2.0], [-1.0, 2.0], [-1.0, -2.0]]).unwrap();
    let labels = Labels::from_numbers(&[-1.0, -1.0, 1.0]).unwrap();
    let model = fit("linear", 1e6, &rows, &labels);
    let mut alpha = [0.0; 3];
    for (i, beta) in model.pairs().pair(0, 1) {
        alpha[model.pairs().support[i]] = beta.abs();
    }
    for (found, expected) in alpha.iter().zip([0.0, 0.125, 0.125]) {
        assert!((found - expected).abs() < 1e-9, "{alpha:?}");
    }
    let w = direction(&model);
    assert!(w[0].abs() < 1e-9 && (w[1] + 0.5).abs() < 1e-9, "{w:?}");
    assert!((model.pairs().reports[0].margin - 2.0).abs() < 1e-8);
}

#[test]
fn removing_what_does_not_support_changes_nothing() {
    let mut random = Random::new(11);
    let points: Vec<[f64; 2]> = (0..120).map(|_| [random.normal(), random.normal()]).collect();
    let labels: Vec<f64> =
        points.iter().map(|p| if p[0] + 0.3 * p[1] * p[1] > 0.4 { 1.0 } else { -1.0 }).collect();
    let rows = Vectors::from_rows(&points).unwrap();
    let labels = Labels::from_numbers(&labels).unwrap();
    for kernel in ["gaussian(gamma=0.5)", "polynomial(degree=2, gamma=1, constant=1)"] {
        let all = fit(kernel, 5.0, &rows, &labels);
        let mut kept = all.pairs().support.clone();
        assert!(kept.len() < 120);
        kept.sort_unstable();
        let fewer = fit(kernel, 5.0, &rows.select(&kept), &labels.select(&kept));
        let (a, b) = (all.decision_values(&rows).unwrap(), fewer.decision_values(&rows).unwrap());
        for (a, b) in a.iter().zip(&b) {
            assert!((a - b).abs() < 1e-6, "{kernel}: {a} {b}");
        }
    }
}

#[test]
fn the_hyperplane_bisects_the_shortest_segment_between_the_hulls() {
    for seed in 0..20 {
        let mut random = Random::new(100 + seed);
        let shift = 3.0 + random.uniform();
        let points: Vec<[f64; 2]> = (0..30)
            .map(|i| [random.normal() + if i % 2 == 0 { shift } else { -shift }, random.normal()])
            .collect();
        let y: Vec<f64> = (0..30).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let (nearest, p, q) = shortest_segment(&points, &y);
        if nearest < 0.1 {
            continue;
        }
        let rows = Vectors::from_rows(&points).unwrap();
        let model = fit("linear", 1e7, &rows, &Labels::from_numbers(&y).unwrap());
        // The middle of the segment lies on the hyperplane, the segment is parallel to w, and the margin is half its length.
        let middle = Vectors::from_rows(&[[(p[0] + q[0]) / 2.0, (p[1] + q[1]) / 2.0]]).unwrap();
        let at_middle = model.decision_values(&middle).unwrap()[0];
        assert!(at_middle.abs() < 1e-5, "seed {seed}: {at_middle}");
        let w = direction(&model);
        let segment = [p[0] - q[0], p[1] - q[1]];
        let cross = (w[0] * segment[1] - w[1] * segment[0]) / (w[0].hypot(w[1]) * nearest);
        assert!(cross.abs() < 1e-5, "seed {seed}: {cross}");
        let margin = model.pairs().reports[0].margin;
        assert!((margin - nearest / 2.0).abs() < 1e-6 * nearest, "seed {seed}: {margin} {nearest}");
    }
}

/// The shortest segment between the convex hulls of two separable classes in the plane, by trying all pairs of
/// edges: its end points lie on a vertex of one hull and an edge (or vertex) of the other.
fn shortest_segment(points: &[[f64; 2]], y: &[f64]) -> (f64, [f64; 2], [f64; 2]) {
    let of = |sign: f64| -> Vec<[f64; 2]> {
        points.iter().zip(y).filter(|(_, y)| **y == sign).map(|(p, _)| *p).collect()
    };
    let (positive, negative) = (of(1.0), of(-1.0));
    let mut best = (f64::INFINITY, [0.0; 2], [0.0; 2]);
    let mut consider = |p: [f64; 2], q: [f64; 2]| {
        let length = (p[0] - q[0]).hypot(p[1] - q[1]);
        if length < best.0 {
            best = (length, p, q);
        }
    };
    for (vertices, others, flipped) in [(&positive, &negative, false), (&negative, &positive, true)] {
        for &p in vertices.iter() {
            for a in others.iter() {
                for b in others.iter() {
                    let edge = [b[0] - a[0], b[1] - a[1]];
                    let square = edge[0] * edge[0] + edge[1] * edge[1];
                    let t = if square == 0.0 {
                        0.0
                    } else {
                        (((p[0] - a[0]) * edge[0] + (p[1] - a[1]) * edge[1]) / square).clamp(0.0, 1.0)
                    };
                    let q = [a[0] + t * edge[0], a[1] + t * edge[1]];
                    if flipped { consider(q, p) } else { consider(p, q) }
                }
            }
        }
    }
    best
}

#[test]
fn parity_is_separated_by_the_right_kernels_and_no_line() {
    for bits in 2..=6u32 {
        let points: Vec<Vec<f64>> = (0..1u32 << bits)
            .map(|word| (0..bits).map(|b| if word >> b & 1 == 1 { 1.0 } else { -1.0 }).collect())
            .collect();
        let y: Vec<f64> =
            (0..1u32 << bits).map(|word| if word.count_ones() % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let rows = Vectors::from_rows(&points).unwrap();
        let labels = Labels::from_numbers(&y).unwrap();
        let right = |kernel: &str| {
            let predicted = fit(kernel, 1e4, &rows, &labels).predict(&rows).unwrap();
            predicted.iter().zip(labels.codes()).filter(|(p, c)| **p == **c as usize).count()
        };
        // n-parity is a product of n coordinates: it needs degree n, and the quadratic kernel does it for XOR.
        assert_eq!(
            right(&format!("polynomial(degree={bits}, gamma=1, constant=1)")),
            points.len(),
            "{bits} bits"
        );
        assert_eq!(right("gaussian(gamma=1)"), points.len(), "{bits} bits");
        assert!(right("linear") < points.len(), "{bits} bits");
    }
}
