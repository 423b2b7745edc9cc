//! A curve of costs: warm starts and the shared Gram matrix change nothing but the effort.

use mercer::Error;
use mercer::data::{Examples, Items, Labels, Scaling, ScalingKind, Split, Vectors};
use mercer::evaluation::{CostCurve, CostPoint, RATIOS, cost_curve};
use mercer::kernel::Expression;
use mercer::machine::{ClassWeights, Slack, Svc, SvcParams};
use mercer::solver::Status;

use super::overlapping;
use crate::machine::small_set;

fn machine() -> SvcParams<Expression> {
    Svc::params("gaussian(gamma=0.3)".parse().unwrap()).tolerance(1e-6)
}

fn curve_of(
    machine: &SvcParams<Expression>,
    (rows, labels): &(Vectors<'_>, Labels),
    ratios: &[f64],
) -> CostCurve {
    cost_curve(machine, Examples::new(rows, labels), ratios, 9, &|| false).unwrap()
}

fn pima() -> (Vectors<'static>, Labels) {
    let (rows, labels) = small_set("pima_diabetes.csv");
    (Scaling::fit(ScalingKind::Standardise, &rows).unwrap().apply(&rows).unwrap(), labels)
}

/// Each fold and ratio trained by itself, on the rows of the fold alone.
fn naive(machine: &SvcParams<Expression>, (rows, labels): &(Vectors<'_>, Labels), ratio: f64) -> (f64, f64) {
    let given =
        vec![("later".to_string(), f64::sqrt(ratio)), ("earlier".to_string(), 1.0 / f64::sqrt(ratio))];
    let machine = machine.clone().class_weights(ClassWeights::Given(given)).check().unwrap();
    let (mut taken, mut all) = ([0.0; 2], [0.0; 2]);
    for split in Split::stratified(labels, 5, 9).unwrap() {
        let model = machine.fit(&rows.select(&split.train), &labels.select(&split.train)).unwrap();
        for (row, class) in split.test.iter().zip(model.predict_labels(&rows.select(&split.test)).unwrap()) {
            let side = usize::from(labels.text(*row) == "later");
            all[side] += 1.0;
            taken[side] += f64::from(u8::from(class == "later"));
        }
    }
    (taken[1] / all[1], taken[0] / all[0])
}

#[test]
fn every_point_is_as_if_each_fold_were_trained_by_itself() {
    let set = overlapping(150, 1);
    for slack in [Slack::Linear, Slack::Quadratic, Slack::Nu { nu: 0.2 }] {
        let machine = machine().cost(2.0).slack(slack);
        let curve = curve_of(&machine, &set, &[4.0, 0.5, 1.0, 2.0]);
        assert_eq!((&curve.positive[..], &curve.negative[..], curve.rows), ("later", "earlier", 150));
        assert_eq!(curve.points.iter().map(|point| point.ratio).collect::<Vec<_>>(), [0.5, 1.0, 2.0, 4.0]);
        for point in &curve.points {
            assert_eq!(point.status, Status::Converged);
            let found = (point.detections, point.false_alarms);
            assert_eq!(found, naive(&machine, &set, point.ratio), "{slack:?}, ratio {}", point.ratio);
            let (above, below) = point.costs;
            let mean = if matches!(slack, Slack::Nu { .. }) { 1.0 } else { 2.0 };
            assert!(
                (above / below / point.ratio - 1.0).abs() < 1e-12
                    && ((above * below).sqrt() / mean - 1.0).abs() < 1e-12
            );
        }
    }
}

#[test]
fn detections_and_false_alarms_grow_with_the_ratio() {
    let set = pima();
    for slack in [Slack::Linear, Slack::Quadratic] {
        let machine = Svc::params("gaussian(gamma=scale)".parse().unwrap()).slack(slack);
        let curve = curve_of(&machine, &set, &RATIOS);
        assert_eq!((curve.points.len(), &curve.positive[..]), (13, "pos"));
        for pair in curve.points.windows(2) {
            // A few of 268 and of 500 rows may go the other way.
            assert!(pair[1].detections >= pair[0].detections - 0.02, "{slack:?}: {pair:?}");
            assert!(pair[1].false_alarms >= pair[0].false_alarms - 0.02, "{slack:?}: {pair:?}");
        }
        assert!(curve.points[0].detections < 0.2 && curve.points[12].detections > 0.95, "{curve:?}");
        assert!(curve.area() > 0.8 && curve.area() < 0.9, "{}", curve.area());
    }
}

#[test]
fn warm_starts_spare_steps() {
    let set = pima();
    let machine = Svc::params("gaussian(gamma=scale)".parse().unwrap()).cost(10.0);
    let steps =
        |ratios: &[f64]| curve_of(&machine, &set, ratios).points.iter().map(|p| p.iterations).sum::<u64>();
    let warm = steps(&RATIOS);
    let cold: u64 = RATIOS.iter().map(|&ratio| steps(&[ratio])).sum();
    assert!(4 * warm < 3 * cold, "{warm} steps instead of {cold}");
}

#[test]
fn the_front_holds_what_no_other_point_beats() {
    let curve = curve_of(&machine().cost(30.0), &overlapping(300, 2), &RATIOS);
    let beats = |a: &CostPoint, b: &CostPoint| {
        let rates = |point: &CostPoint| (point.detections, point.false_alarms);
        a.detections >= b.detections && a.false_alarms <= b.false_alarms && rates(a) != rates(b)
    };
    let front = curve.front();
    assert!(front.len() > 3 && front.len() <= 13);
    for point in &curve.points {
        let beaten = curve.points.iter().any(|other| beats(other, point));
        let held = front
            .iter()
            .any(|one| (one.detections, one.false_alarms) == (point.detections, point.false_alarms));
        assert_eq!(held, !beaten, "{point:?}");
    }
    assert!(front.windows(2).all(|pair| {
        pair[0].false_alarms < pair[1].false_alarms && pair[0].detections < pair[1].detections
    }));
    for share in [0.0, 0.3, 0.5, 0.8, 0.95] {
        let enough = curve.points.iter().filter(|point| point.detections >= share);
        let fewest = enough.map(|point| point.false_alarms).min_by(f64::total_cmp);
        assert_eq!(curve.at_detection(share).map(|point| point.false_alarms), fewest);
    }
    assert_eq!(curve.at_detection(1.1), None);
}

#[test]
fn the_area_is_that_of_the_convex_hull() {
    let point = |ratio: f64, false_alarms: f64, detections: f64| {
        let costs = (ratio.sqrt(), 1.0 / ratio.sqrt());
        CostPoint {
            ratio,
            costs,
            detections,
            false_alarms,
            status: Status::Converged,
            iterations: 0,
            rows_computed: 0,
        }
    };
    let curve = |points: Vec<CostPoint>| {
        let (positive, negative) = ("b".to_string(), "a".to_string());
        CostCurve { positive, negative, points, left_out: Vec::new(), rows: 0 }
    };
    assert_eq!(curve(Vec::new()).area(), 0.5);
    assert_eq!(curve(vec![point(1.0, 0.0, 1.0)]).area(), 1.0);
    // (0.25, 0.25) lies below the diagonal, (0.25, 0.75) makes triangles with it.
    let three = curve(vec![point(0.5, 0.25, 0.25), point(1.0, 0.25, 0.75), point(2.0, 0.5, 0.75)]);
    assert_eq!((three.area(), three.front().len()), (0.75, 1));
    // A point that nothing beats may lie below the hull.
    let dent = curve(vec![point(0.5, 0.0, 0.5), point(1.0, 0.25, 0.5625), point(2.0, 0.5, 1.0)]);
    assert_eq!((dent.area(), dent.front().len()), (0.875, 3));
    let turned = dent.clone().reversed();
    assert_eq!(
        (&turned.positive[..], turned.points[0].ratio, turned.points[0].false_alarms),
        ("a", 0.5, 0.0)
    );
    assert_eq!((turned.area(), turned.clone().reversed()), (dent.area(), dent));
}

#[test]
fn threads_change_nothing() {
    let set = overlapping(300, 3);
    let curve = |threads| curve_of(&machine().threads(threads), &set, &[0.2, 1.0, 5.0]);
    assert_eq!(curve(1), curve(2));
}

#[test]
fn ratios_that_a_share_cannot_have_are_left_out() {
    // A third of the rows are of the later class: at 1/16 they have 1/33 of the cost, and a share is twice that at most.
    let set = overlapping(150, 1);
    let curve = curve_of(&machine().slack(Slack::Nu { nu: 0.2 }), &set, &[0.0625, 0.25, 1.0, 64.0]);
    assert_eq!(curve.left_out, [0.0625, 64.0]);
    assert_eq!(curve.points.iter().map(|point| point.ratio).collect::<Vec<_>>(), [0.25, 1.0]);
    let examples = Examples::new(&set.0, &set.1);
    let none = cost_curve(&machine().slack(Slack::Nu { nu: 0.9 }), examples, &[1.0], 0, &|| false);
    assert!(matches!(none, Err(Error::Interval { name: "nu", .. })));
}

#[test]
fn what_has_no_curve_is_refused() {
    let (rows, labels) = overlapping(30, 4);
    let try_it = |machine: &SvcParams<Expression>, labels: &Labels, ratios: &[f64]| {
        cost_curve(machine, Examples::new(&rows, labels), ratios, 0, &|| false).unwrap_err()
    };
    assert!(matches!(try_it(&machine(), &labels, &[]), Error::Empty { what: "ratios of costs" }));
    for ratio in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = try_it(&machine(), &labels, &[1.0, ratio]);
        assert!(matches!(error, Error::Entry { what: "ratio of costs", index: 1, .. }), "{error}");
    }
    let three = Labels::from_text((0..30).map(|i| ["a", "b", "c"][i % 3]));
    assert!(matches!(try_it(&machine(), &three, &RATIOS), Error::Shape { expected: 2, found: 3, .. }));
    let one = Labels::from_text((0..30).map(|_| "a"));
    assert!(matches!(try_it(&machine(), &one, &RATIOS), Error::OneClass { .. }));
    let lonely = Labels::from_text((0..30).map(|i| if i == 7 { "b" } else { "a" }));
    assert!(matches!(try_it(&machine(), &lonely, &RATIOS), Error::FewRows { rows: 1, .. }));
    let hard = machine().slack(Slack::None);
    assert!(matches!(try_it(&hard, &labels, &RATIOS), Error::Unsupported { .. }));
    assert!(matches!(try_it(&machine().cost(-1.0), &labels, &RATIOS), Error::Parameter { name: "cost", .. }));
}

#[test]
fn a_cancelled_curve_has_what_was_finished() {
    let (rows, labels) = overlapping(100, 5);
    let curve = cost_curve(&machine(), Examples::new(&rows, &labels), &RATIOS, 0, &|| true).unwrap();
    assert!(curve.points.is_empty() && curve.front().is_empty());
}
