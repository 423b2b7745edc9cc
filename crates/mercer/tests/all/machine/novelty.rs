//! Novelty detection: against brute force, scikit-learn, its primal problems, and what ν promises.

use mercer::Error;
use mercer::data::{Items, Random, Scaling, ScalingKind, Vectors};
use mercer::gram::Precision;
use mercer::kernel::Expression;
use mercer::machine::{Novelty, NoveltyModel, NoveltyParams, Region, Softness};
use mercer::solver::{Control, Status};
use mercer_testkit::fixture;
use serde::Deserialize;

type Model = NoveltyModel<Expression, Vectors<'static>>;

fn detector(kernel: &str, region: Region, softness: Softness) -> NoveltyParams<Expression> {
    let kernel = kernel.parse().unwrap();
    Novelty::params(kernel).region(region).softness(softness).tolerance(1e-8).precision(Precision::F64)
}

fn cloud(n: usize, seed: u64) -> (Vec<[f64; 2]>, Vectors<'static>) {
    let mut random = Random::new(seed);
    let points: Vec<[f64; 2]> = (0..n).map(|_| [random.normal(), 0.5 * random.normal() + 1.0]).collect();
    let rows = Vectors::from_rows(&points).unwrap();
    (points, rows)
}

/// The smallest circle: through two points as a diameter, or through three, whichever holds all.
fn smallest_circle(points: &[[f64; 2]]) -> ([f64; 2], f64) {
    let distance = |a: [f64; 2], b: [f64; 2]| ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
    let mut best = ([0.0; 2], f64::INFINITY);
    let mut consider = |centre: [f64; 2], radius: f64| {
        if radius < best.1 && points.iter().all(|&p| distance(p, centre) <= radius * (1.0 + 1e-12)) {
            best = (centre, radius);
        }
    };
    for (i, &a) in points.iter().enumerate() {
        for (j, &b) in points[..i].iter().enumerate() {
            consider([(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0], distance(a, b) / 2.0);
            for &c in &points[..j] {
                let d = 2.0 * (a[0] * (b[1] - c[1]) + b[0] * (c[1] - a[1]) + c[0] * (a[1] - b[1]));
                let [sa, sb, sc] = [a, b, c].map(|p| p[0] * p[0] + p[1] * p[1]);
                let x = (sa * (b[1] - c[1]) + sb * (c[1] - a[1]) + sc * (a[1] - b[1])) / d;
                let y = (sa * (c[0] - b[0]) + sb * (a[0] - c[0]) + sc * (b[0] - a[0])) / d;
                if d.abs() > 1e-12 {
                    consider([x, y], distance(a, [x, y]));
                }
            }
        }
    }
    best
}

#[test]
fn the_smallest_sphere_is_the_smallest_circle_in_the_plane() {
    for seed in 0..8 {
        let (points, rows) = cloud(30, seed);
        let model = detector("linear", Region::Sphere, Softness::Hard).check().unwrap().fit(&rows).unwrap();
        let (centre, radius) = smallest_circle(&points);
        assert!((model.radius().unwrap() - radius).abs() < 1e-6, "{:?} {radius}", model.radius());
        let expansion = model.expansion();
        for axis in 0..2 {
            let found: f64 = expansion
                .support
                .iter()
                .zip(&expansion.coefficients)
                .map(|(&i, a)| a * points[i][axis])
                .sum();
            assert!((found - centre[axis]).abs() < 1e-5, "{found} {}", centre[axis]);
        }
        // Points on the surface are not novel.
        assert!(model.is_novel(&rows).unwrap().iter().all(|novel| !novel));
        let bound = model.false_positive_bound(0.5, 0.05).unwrap();
        assert_eq!(bound.slack, model.found().slack_sum / (0.5 * 30.0));
        assert!(model.found().slack_sum < 1e-6);
    }
}

/// scikit-learn's coefficients sum up to νℓ.
#[test]
fn scikit_learn_finds_the_same_hyperplane() {
    #[derive(Deserialize)]
    struct Case {
        nu: f64,
        kernel: String,
        threshold: f64,
        support: usize,
        decisions: Vec<f64>,
    }
    #[derive(Deserialize)]
    struct Fixture {
        one_class: Vec<Case>,
    }
    let path = fixture::data("auto_mpg.csv");
    let table = mercer::data::read_file(path, &Default::default()).unwrap().table().unwrap();
    let scaling = Scaling::fit(ScalingKind::Standardise, &table.vectors).unwrap();
    let rows = scaling.apply(&table.vectors).unwrap();
    for case in fixture::read::<Fixture>("machines.json").one_class {
        let machine = detector(&case.kernel, Region::Hyperplane, Softness::Nu(case.nu)).check().unwrap();
        let model = machine.fit(&rows).unwrap();
        let scale = case.nu * rows.len() as f64;
        let threshold = scale * model.found().threshold;
        assert!((threshold / case.threshold - 1.0).abs() < 2e-5, "{threshold} {}", case.threshold);
        assert!(model.expansion().support.len().abs_diff(case.support) <= 1);
        let scores = model.scores(&rows.select(&[0, 1, 2, 3])).unwrap();
        for (score, expected) in scores.iter().zip(case.decisions) {
            assert!((scale * score - expected).abs() < 2e-5 * case.threshold, "{score} {expected}");
        }
    }
}

const SOFT: [Softness; 4] =
    [Softness::Cost(0.05), Softness::Nu(0.2), Softness::Quadratic(0.3), Softness::Hard];

/// The primal objective, from scores alone, meets the dual.
#[test]
fn primal_and_dual_meet() {
    let (_, rows) = cloud(90, 20);
    for kernel in ["gaussian(gamma=0.6)", "polynomial(degree=2, gamma=1, constant=1)"] {
        for region in [Region::Sphere, Region::Hyperplane] {
            for softness in SOFT {
                let model = detector(kernel, region, softness).check().unwrap().fit(&rows).unwrap();
                let report = model.report().unwrap();
                assert_eq!(report.status, Status::Converged);
                assert!(report.relative_gap().unwrap() < 1e-5, "{region:?} {softness:?}: {report:?}");
                let slack: Vec<f64> = model.scores(&rows).unwrap().iter().map(|s| (-s).max(0.0)).collect();
                let (sum, squares) = (slack.iter().sum::<f64>(), slack.iter().map(|s| s * s).sum::<f64>());
                let found = model.found();
                assert!((sum - found.slack_sum).abs() < 1e-6 * (1.0 + sum));
                let (base, half) = match region {
                    Region::Hyperplane => (0.5 * found.squared_norm - found.threshold, 0.5),
                    _ => (found.threshold, 1.0),
                };
                let loss = match softness {
                    Softness::Hard => 0.0,
                    Softness::Cost(c) => c * sum,
                    Softness::Nu(nu) => sum / (nu * 90.0),
                    Softness::Quadratic(c) => half * c * squares,
                };
                let scale = match softness {
                    Softness::Nu(nu) => nu * 90.0,
                    Softness::Cost(c) => 1.0 / c,
                    _ => 90.0,
                };
                // The problem that is solved is s² times that of the hyperplane, s²/2 times that of the sphere.
                let dual = report.certificate.dual / (scale * scale) / if half == 0.5 { 1.0 } else { 0.5 };
                let primal = base + loss;
                assert!(
                    (primal - dual).abs() < 1e-5 * (1.0 + dual.abs()),
                    "{region:?} {softness:?}: {primal} {dual}"
                );
            }
        }
    }
}

#[test]
fn sphere_and_hyperplane_agree_where_all_items_are_equally_long() {
    let (_, rows) = cloud(120, 21);
    let (_, new) = cloud(200, 22);
    for nu in [0.05, 0.3] {
        let fit = |region| -> Model {
            detector("gaussian(gamma=0.6)", region, Softness::Nu(nu)).check().unwrap().fit(&rows).unwrap()
        };
        let (sphere, plane) = (fit(Region::Sphere), fit(Region::Hyperplane));
        // Distances are 1 − 2⟨c, φ(x)⟩ + ‖c‖², so that scores differ by a factor of two.
        for (a, b) in sphere.scores(&new).unwrap().iter().zip(plane.scores(&new).unwrap()) {
            assert!((a - 2.0 * b).abs() < 1e-7, "{a} {b}");
        }
    }
}

#[test]
fn nu_bounds_what_is_outside_and_what_supports() {
    for seed in 0..5 {
        let (_, rows) = cloud(100, 30 + seed);
        for region in [Region::Sphere, Region::Hyperplane] {
            for nu in [0.05, 0.25, 0.6, 1.0] {
                let model = detector("gaussian(gamma=0.6)", region, Softness::Nu(nu)).check().unwrap();
                let model = model.fit(&rows).unwrap();
                let outside = model.is_novel(&rows).unwrap().iter().filter(|novel| **novel).count() as f64;
                assert!(outside <= nu * 100.0 + 1e-9, "{region:?} {nu}: {outside}");
                assert!(model.expansion().support.len() as f64 >= nu * 100.0 - 1e-9, "{region:?} {nu}");
                let sum: f64 = model.expansion().coefficients.iter().sum();
                assert!((sum - 1.0).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn whole_weights_are_repeated_rows() {
    let (_, rows) = cloud(50, 40);
    let weights: Vec<f64> = (0..50).map(|i| (i % 3) as f64).collect();
    let repeated: Vec<usize> = (0..50).flat_map(|i| vec![i; i % 3]).collect();
    for region in [Region::Centre, Region::Sphere, Region::Hyperplane] {
        for softness in SOFT {
            let machine = detector("gaussian(gamma=0.6)", region, softness).check().unwrap();
            let weighted = machine.fit_observed(&rows, Some(&weights), None, &|_| Control::Continue).unwrap();
            let plain = machine.fit(&rows.select(&repeated)).unwrap();
            for (a, b) in weighted.scores(&rows).unwrap().iter().zip(plain.scores(&rows).unwrap()) {
                assert!((a - b).abs() < 1e-5, "{region:?} {softness:?}: {a} {b}");
            }
        }
    }
}

#[test]
fn the_sphere_about_the_mean_reaches_to_the_farthest_item() {
    let (points, rows) = cloud(40, 50);
    let model = detector("linear", Region::Centre, Softness::Hard).check().unwrap().fit(&rows).unwrap();
    let mean = [0, 1].map(|axis| points.iter().map(|p| p[axis]).sum::<f64>() / 40.0);
    let farthest = points
        .iter()
        .map(|p| ((p[0] - mean[0]).powi(2) + (p[1] - mean[1]).powi(2)).sqrt())
        .fold(0.0, f64::max);
    assert!((model.radius().unwrap() - farthest).abs() < 1e-12);
    let smallest = detector("linear", Region::Sphere, Softness::Hard).check().unwrap().fit(&rows).unwrap();
    assert!(smallest.radius().unwrap() < farthest);
}

#[test]
fn thresholds_move_after_training() {
    let (_, rows) = cloud(200, 60);
    let model = detector("gaussian(gamma=0.6)", Region::Sphere, Softness::Nu(0.1)).check().unwrap();
    let model = model.fit(&rows).unwrap();
    for share in [0.0, 0.05, 0.3] {
        let moved = model.clone().with_contamination(&rows, None, share).unwrap();
        let outside = moved.is_novel(&rows).unwrap().iter().filter(|novel| **novel).count();
        assert!(outside.abs_diff((share * 200.0) as usize) <= 1, "{share}: {outside}");
    }
    // By weight: every other row counts, and those twice.
    let weights: Vec<f64> = (0..200).map(|row| f64::from(row % 2 * 2)).collect();
    let moved = model.clone().with_contamination(&rows, Some(&weights), 0.29).unwrap();
    let outside = moved.is_novel(&rows).unwrap();
    assert_eq!(outside.iter().skip(1).step_by(2).filter(|novel| **novel).count(), 29);
    assert!(model.clone().with_contamination(&rows, Some(&weights[1..]), 0.1).is_err());
    assert!(model.clone().with_contamination(&rows, None, 1.0).is_err());
    let [before, after] =
        [0.0, 0.25].map(|gamma| model.clone().with_slack(gamma).scores(&rows.select(&[3])).unwrap()[0]);
    assert!((after - before - 0.25).abs() < 1e-12);
    // Corollary 7.14: with this γ the bound is p plus its last term.
    let found = model.found();
    let gamma = mercer::machine::FalsePositiveBound::gamma_for(0.1, found.slack_sum, 1.0, found.items);
    let bound = model.false_positive_bound(gamma, 0.05).unwrap();
    assert!((bound.total() - bound.confidence - 0.1).abs() < 1e-12);
}

#[test]
fn what_makes_no_sense_is_refused_and_an_earlier_fit_is_a_head_start() {
    let (_, rows) = cloud(400, 70);
    for softness in
        [Softness::Nu(0.0), Softness::Nu(1.1), Softness::Cost(-1.0), Softness::Quadratic(f64::NAN)]
    {
        assert!(matches!(detector("linear", Region::Sphere, softness).check(), Err(Error::Parameter { .. })));
    }
    // So low a cost that all coefficients at their bounds do not sum up to 1.
    let machine = detector("linear", Region::Sphere, Softness::Cost(0.001)).check().unwrap();
    let refused = machine.fit(&rows).unwrap_err();
    assert!(matches!(refused, Error::Interval { name: "cost", low: 0.0025, .. }), "{refused:?}");
    assert_eq!(refused.to_string(), "cost = 0.001: these data allow no number below 0.0025");
    let go_on = |_: &_| Control::Continue;
    let first = detector("gaussian(gamma=0.6)", Region::Hyperplane, Softness::Nu(0.1)).check().unwrap();
    let first = first.fit(&rows).unwrap();
    let again = detector("gaussian(gamma=0.6)", Region::Hyperplane, Softness::Nu(0.1)).check().unwrap();
    let again = again.fit_observed(&rows, None, Some(first.expansion()), &go_on).unwrap();
    assert!(again.report().unwrap().iterations < first.report().unwrap().iterations);
}

#[test]
fn a_very_large_cost_and_a_very_small_nu_are_the_hard_region() {
    let (_, rows) = cloud(80, 90);
    let (_, new) = cloud(100, 91);
    for region in [Region::Sphere, Region::Hyperplane] {
        let fit = |softness, weights: Option<&[f64]>| -> Model {
            let machine = detector("gaussian(gamma=0.6)", region, softness).check().unwrap();
            machine.fit_observed(&rows, weights, None, &|_| Control::Continue).unwrap()
        };
        let hard = fit(Softness::Hard, None);
        assert!(hard.expansion().support.len() > 2);
        let tiny = [1e-9; 80];
        for (softness, weights) in [
            (Softness::Cost(2.0), None),
            (Softness::Cost(1e9), None),
            (Softness::Cost(1e300), None),
            (Softness::Nu(1e-9), None),
            (Softness::Nu(1e-300), None),
            (Softness::Cost(1e12), Some(&tiny[..])),
            (Softness::Nu(1e-9), Some(&tiny[..])),
        ] {
            let soft = fit(softness, weights);
            assert_eq!(soft.report().unwrap().status, Status::Converged);
            let sum: f64 = soft.expansion().coefficients.iter().sum();
            assert!((sum - 1.0).abs() < 1e-9, "{region:?} {softness:?}: {sum}");
            for (a, b) in hard.scores(&new).unwrap().iter().zip(soft.scores(&new).unwrap()) {
                assert!((a - b).abs() < 1e-6, "{region:?} {softness:?} {weights:?}: {a} {b}");
            }
        }
    }
}

#[test]
fn a_stopped_fit_is_taken_up_again() {
    let (_, rows) = cloud(300, 80);
    for region in [Region::Sphere, Region::Hyperplane] {
        for softness in SOFT {
            let params = detector("gaussian(gamma=2)", region, softness);
            let machine = params.clone().check().unwrap();
            let whole = machine.fit(&rows).unwrap();
            let stopped = params.max_iterations(5).check().unwrap().fit(&rows).unwrap();
            assert_eq!(stopped.report().unwrap().status, Status::IterationLimit, "{region:?} {softness:?}");
            let sum: f64 = stopped.expansion().coefficients.iter().sum();
            assert!((sum - 1.0).abs() < 1e-9, "{region:?} {softness:?}: {sum}");
            let earlier = Some(stopped.expansion());
            let resumed = machine.fit_observed(&rows, None, earlier, &|_| Control::Continue).unwrap();
            assert_eq!(resumed.report().unwrap().status, Status::Converged);
            let [whole, resumed] = [whole, resumed].map(|model| model.report().unwrap().certificate.dual);
            assert!((resumed / whole - 1.0).abs() < 1e-6, "{region:?} {softness:?}: {resumed} {whole}");
        }
    }
}

/// Rows about a point, in some unit.
fn gaussian_rows(unit: f64, centre: f64) -> Vectors<'static> {
    let mut random = Random::new(0);
    let points: Vec<[f64; 3]> = (0..100)
        .map(|_| [random.normal(), random.normal(), random.normal()].map(|x| unit * (centre + x)))
        .collect();
    Vectors::from_rows(&points).unwrap()
}

#[test]
fn a_region_does_not_depend_on_the_unit_of_the_features() {
    for centre in [0.0, 10.0] {
        for region in [Region::Sphere, Region::Hyperplane] {
            let fit = |unit: f64, tolerance: f64| -> Model {
                let machine = Novelty::params("linear".parse().unwrap()).region(region);
                machine.tolerance(tolerance).check().unwrap().fit(&gaussian_rows(unit, centre)).unwrap()
            };
            let exact = fit(1.0, 1e-9);
            for unit in [1.0, 1e-3, 1e-6, 1e3, 1e6] {
                let model = fit(unit, 1e-3);
                let close = |found: f64, expected: f64| {
                    (found / unit.powi(2) - expected).abs() < 1e-2 * (expected.abs() + 1e-3)
                };
                let (found, expected) = (model.found(), exact.found());
                assert!(close(found.threshold, expected.threshold), "{region:?} {unit:e} {centre}");
                assert!(model.edge() < 1e-2 * unit.powi(2) * (1.0 + centre * centre), "{region:?} {unit:e}");
                let report = model.report().unwrap();
                let gap = report.relative_gap().unwrap();
                assert!(report.status != Status::Converged || gap <= 0.01, "{region:?} {unit:e}: {report:?}");
                if region == Region::Sphere {
                    assert_eq!(report.status, Status::Converged);
                }
            }
        }
    }
}

/// The primal objective for the threshold by which items are judged is the one that is certified.
#[test]
fn the_gap_is_that_of_the_threshold_that_the_model_uses() {
    for (kernel, unit) in [("linear", 1e-3), ("linear", 1.0), ("gaussian(gamma=0.3)", 1.0)] {
        let rows = gaussian_rows(unit, 1.0);
        for region in [Region::Sphere, Region::Hyperplane] {
            for (nu, tolerance) in [(0.1, 1e-3), (0.1, 1e-1), (0.4, 1e-6)] {
                let machine = Novelty::params(kernel.parse::<Expression>().unwrap());
                let machine = machine.region(region).softness(Softness::Nu(nu)).tolerance(tolerance);
                let model = machine.check().unwrap().fit(&rows).unwrap();
                let scores = model.scores(&rows).unwrap();
                let slack: f64 = scores.iter().map(|score| (-score).max(0.0)).sum();
                let (found, sum) = (model.found(), nu * 100.0);
                let primal = match region {
                    Region::Hyperplane => {
                        0.5 * found.squared_norm - (found.threshold - model.edge()) + slack / sum
                    }
                    _ => 0.5 * (found.threshold + model.edge() + slack / sum),
                };
                let certificate = model.report().unwrap().certificate;
                let certified = certificate.primal / (sum * sum);
                let size = primal.abs().max(found.largest_squared_norm);
                assert!(
                    (certified - primal).abs() < 1e-9 * size,
                    "{kernel} {region:?}: {certified} {primal}"
                );
            }
        }
    }
}

/// With less than one row's worth of slack a single row can carry all of v; it lies on the border, whichever row it is.
#[test]
fn a_single_support_item_is_on_the_border() {
    let rows = Vectors::from_rows(&[[1.0], [2.0], [3.0], [4.0]]).unwrap();
    for softness in [Softness::Nu(0.1), Softness::Nu(1e-9), Softness::Hard] {
        let model = detector("linear", Region::Hyperplane, softness).check().unwrap().fit(&rows).unwrap();
        let scores = model.scores(&rows).unwrap();
        for (score, expected) in scores.iter().zip([0.0, 1.0, 2.0, 3.0]) {
            assert!((score - expected).abs() < 1e-6, "{softness:?} {scores:?}");
        }
        assert_eq!(model.is_novel(&rows).unwrap(), [false; 4]);
    }
    // By the definition: the primal objective of the threshold that the model uses, at the cost that nu stands for.
    let (points, _) = cloud(60, 3);
    let away: Vec<[f64; 2]> = points.iter().map(|[x, y]| [x + 5.0, y + 5.0]).collect();
    let rows = Vectors::from_rows(&away).unwrap();
    for nu in [1e-3, 5e-3, 0.012, 0.03] {
        let model =
            detector("linear", Region::Hyperplane, Softness::Nu(nu)).check().unwrap().fit(&rows).unwrap();
        let (found, certificate) = (model.found(), model.report().unwrap().certificate);
        let slack: f64 = model.scores(&rows).unwrap().iter().map(|score| (-score).max(0.0)).sum();
        let primal = 0.5 * found.squared_norm - (found.threshold - model.edge()) + slack / (60.0 * nu);
        let dual = -0.5 * found.squared_norm;
        assert!(primal - dual < 1e-6 * found.squared_norm, "nu = {nu}: {primal} {dual}");
        assert!(certificate.relative_gap() < 1e-6);
    }
}

/// Where the origin lies among the items the optimum of a hyperplane is 0, and no gap is small beside it: what counts is the size of the kernel's values.
#[test]
fn an_optimum_of_zero_has_a_gap_in_units_of_the_kernel() {
    let mut random = Random::new(6);
    let points: Vec<[f64; 2]> = (0..200).map(|_| [random.normal(), random.normal()]).collect();
    for unit in [1e-3, 1.0, 1e3] {
        let scaled: Vec<[f64; 2]> = points.iter().map(|x| x.map(|value| unit * value)).collect();
        let rows = Vectors::from_rows(&scaled).unwrap();
        for nu in [0.02, 0.1, 0.5] {
            let machine = Novelty::params("linear".parse::<Expression>().unwrap());
            let machine = machine.region(Region::Hyperplane).softness(Softness::Nu(nu));
            let model = machine.check().unwrap().fit(&rows).unwrap();
            let report = model.report().unwrap();
            assert_eq!(report.status, Status::Converged, "unit {unit}, nu {nu}: {report:?}");
            let (certificate, gap) = (report.certificate, report.relative_gap().unwrap());
            assert!(gap <= 0.01, "unit {unit}, nu {nu}: {gap}");
            // The bounds of the optimum are true, and the optimum is 0.
            assert!(certificate.dual <= 1e-12 * unit * unit && certificate.primal >= -1e-12 * unit * unit);
            assert!(certificate.primal.abs().max(certificate.dual.abs()) < certificate.scale);
            assert!((gap - certificate.duality_gap() / certificate.scale).abs() < 1e-15);
            // ½ · k · (νn)²/n with k = ½‖x − z‖² of two rows, which is about 2 ln 2 in the median.
            let expected = 0.5 * 200.0 * nu * nu * unit * unit * 2.0 * std::f64::consts::LN_2;
            let ratio = certificate.scale / expected;
            assert!((0.5..2.0).contains(&ratio), "unit {unit}, nu {nu}: {ratio}");
        }
    }
    // Where the optimum is not 0 nothing has changed: the objectives are larger than the scale.
    for kernel in ["gaussian(gamma=0.3)", "gaussian(gamma=30)", "linear"] {
        for region in [Region::Hyperplane, Region::Sphere] {
            let away: Vec<[f64; 2]> = points.iter().map(|x| x.map(|value| value + 5.0)).collect();
            let rows = Vectors::from_rows(&away).unwrap();
            let model = detector(kernel, region, Softness::Nu(0.2)).check().unwrap().fit(&rows).unwrap();
            let certificate = model.report().unwrap().certificate;
            let size = certificate.primal.abs().max(certificate.dual.abs());
            assert!(size > certificate.scale, "{kernel} {region:?}: {certificate:?}");
        }
    }
}
