//! Joint machines of all classes: against an interior-point program, against LIBLINEAR and kernlab, against the
//! machine of two classes, and their promises.

use mercer::data::{Items, Labels, Random, Scaling, ScalingKind, Vectors};
use mercer::gram::{Precision, PrecomputedGram};
use mercer::kernel::Expression;
use mercer::machine::{ClassModel, ClassWeights, Joint, JointSvc, JointSvcParams, Report, Svc};
use mercer::solver::{Control, Status};
use mercer_testkit::fixture;
use mercer_testkit::general_qp::{Equation, minimise};
use serde::Deserialize;

use super::small_set;

type Model = ClassModel<Expression, Vectors<'static>>;

/// The machine, and whether it has offsets.
pub(super) const MACHINES: [(Joint, bool); 3] =
    [(Joint::WestonWatkins, true), (Joint::WestonWatkins, false), (Joint::CrammerSinger, false)];

pub(super) fn params(kernel: &str, (machine, offset): (Joint, bool)) -> JointSvcParams<Expression> {
    JointSvc::params(kernel.parse().unwrap()).machine(machine).offset(offset).threads(1)
}

fn standardised(name: &str) -> (Vectors<'static>, Labels) {
    let (rows, labels) = small_set(name);
    let scaling = Scaling::fit(ScalingKind::Standardise, &rows).unwrap();
    (scaling.apply(&rows).unwrap(), labels)
}

fn report(model: &Model) -> &Report {
    &model.reports()[0]
}

/// Clouds in the plane, some of which overlap.
fn clouds(n: usize, classes: usize, seed: u64) -> (Vectors<'static>, Labels) {
    let mut random = Random::new(seed);
    let names: Vec<String> = (0..n).map(|i| format!("c{}", i % classes)).collect();
    let mut point = |i: usize| {
        let angle = (i % classes) as f64 * 2.4;
        [1.5 * angle.cos() + random.normal(), 1.5 * angle.sin() + random.normal()]
    };
    (Vectors::from_rows(&(0..n).map(&mut point).collect::<Vec<_>>()).unwrap(), Labels::from_text(names))
}

/// K in double precision, by the definition.
pub(super) fn gram(kernel: impl Fn(&[f64], &[f64]) -> f64, rows: &Vectors<'_>) -> Vec<f64> {
    let rows: Vec<Vec<f64>> = (0..rows.len()).map(|i| rows.get(i).to_dense(rows.columns())).collect();
    rows.iter().flat_map(|x| rows.iter().map(|z| kernel(x, z)).collect::<Vec<_>>()).collect()
}

pub(super) fn linear(x: &[f64], z: &[f64]) -> f64 {
    x.iter().zip(z).map(|(a, b)| a * b).sum()
}

pub(super) fn gaussian(gamma: f64) -> impl Fn(&[f64], &[f64]) -> f64 {
    move |x, z| (-gamma * x.iter().zip(z).map(|(a, b)| (a - b) * (a - b)).sum::<f64>()).exp()
}

/// The minimum of the dual in τ, k variables per item, as it stands in the papers.
fn oracle(gram: &[f64], class: &[usize], k: usize, costs: &[f64], (machine, offset): (Joint, bool)) -> f64 {
    let n = class.len();
    let mut quadratic = Vec::new();
    for i in 0..n {
        for j in i..n {
            (0..k).for_each(|c| quadratic.push((i * k + c, j * k + c, gram[i * n + j])));
        }
    }
    let (mut p, mut lower, mut upper) = (vec![0.0; n * k], vec![0.0; n * k], vec![0.0; n * k]);
    let mut equations: Vec<Equation> = Vec::new();
    for i in 0..n {
        p[i * k + class[i]] = -machine.margin();
        for c in 0..k {
            (lower[i * k + c], upper[i * k + c]) = match (machine, c == class[i]) {
                (Joint::WestonWatkins, true) => (f64::NEG_INFINITY, f64::INFINITY),
                (Joint::WestonWatkins, false) => (-costs[i], 0.0),
                (Joint::CrammerSinger, true) => (f64::NEG_INFINITY, costs[i]),
                (Joint::CrammerSinger, false) => (f64::NEG_INFINITY, 0.0),
            };
        }
        equations.push(Equation { terms: (0..k).map(|c| (i * k + c, 1.0)).collect(), right: 0.0 });
    }
    if offset {
        // The last follows from the others.
        for c in 0..k - 1 {
            equations.push(Equation { terms: (0..n).map(|i| (i * k + c, 1.0)).collect(), right: 0.0 });
        }
    }
    -minimise(&quadratic, &p, (&lower, &upper), &equations).0
}

#[test]
fn an_interior_point_method_finds_the_same_optimum() {
    let cases: [(&str, &str, f64, f64); 4] = [
        ("iris.csv", "gaussian(gamma=0.5)", 0.5, 1.0),
        ("iris.csv", "linear", 0.0, 10.0),
        ("wine.csv", "gaussian(gamma=0.1)", 0.1, 10.0),
        ("wine.csv", "linear", 0.0, 0.05),
    ];
    for (name, kernel, gamma, cost) in cases {
        let (rows, labels) = standardised(name);
        let some: Vec<usize> = (0..rows.len()).step_by(if rows.len() > 150 { 2 } else { 1 }).collect();
        let (rows, labels) = (rows.select(&some), labels.select(&some));
        let k = if gamma > 0.0 { gram(gaussian(gamma), &rows) } else { gram(linear, &rows) };
        let class: Vec<usize> = labels.codes().iter().map(|&code| code as usize).collect();
        let weights = ClassWeights::Given(vec![(labels.classes()[1].clone(), 2.0)]);
        let costs: Vec<f64> = class.iter().map(|&c| if c == 1 { 2.0 * cost } else { cost }).collect();
        for machine in MACHINES {
            let expected = oracle(&k, &class, 3, &costs, machine);
            let params = params(kernel, machine).cost(cost).class_weights(weights.clone());
            let model = params.duality_gap(1e-7).check().unwrap().fit(&rows, &labels).unwrap();
            let report = report(&model);
            let certificate = report.certificate;
            assert_eq!(report.status, Status::Converged, "{name} {kernel} {machine:?}");
            let near = |value: f64| (value - expected).abs() < 3e-7 * expected;
            assert!(
                near(certificate.primal) && near(certificate.dual),
                "{name} {machine:?}: {certificate:?}, {expected}"
            );
            // The interval of the certificate holds the optimum.
            assert!(
                certificate.dual <= expected * (1.0 + 1e-8) && expected <= certificate.primal * (1.0 + 1e-8)
            );
            assert_promises(&model, &rows, &labels, cost);
        }
    }
}

/// The coefficients of an item, and with offsets those of a class, sum to 0; the primal objective is that of the scores.
fn assert_promises(model: &Model, rows: &Vectors<'_>, labels: &Labels, cost: f64) {
    let (functions, k) = (model.functions(), model.classes().len());
    for tau in functions.coefficients.chunks_exact(k) {
        assert!(tau.iter().sum::<f64>().abs() < 1e-9 * cost);
    }
    let has_offsets = functions.offsets.iter().any(|&b| b != 0.0);
    if has_offsets {
        for c in 0..k {
            let sum: f64 = functions.coefficients.iter().skip(c).step_by(k).sum();
            assert!(sum.abs() < 1e-9 * cost, "class {c}: {sum}");
        }
    }
    let scores = model.scores(rows).unwrap();
    let winners = scores.chunks_exact(k).map(mercer::machine::one_against_one::winner);
    assert!(winners.eq(model.predict(rows).unwrap()));
    assert_eq!(scores.len(), labels.len() * k);
}

#[test]
fn liblinear_finds_the_same_weights() {
    #[derive(Deserialize)]
    struct Case {
        file: String,
        standardised: bool,
        cost: f64,
        objective: f64,
        correct: usize,
        weights: Vec<Vec<f64>>,
    }
    #[derive(Deserialize)]
    struct Fixture {
        cases: Vec<Case>,
    }
    for case in fixture::read::<Fixture>("joint/linear.json").cases {
        let (rows, labels) = if case.standardised { standardised(&case.file) } else { small_set(&case.file) };
        let params = params("linear", (Joint::CrammerSinger, false)).cost(case.cost).duality_gap(1e-9);
        let model = params.check().unwrap().fit(&rows, &labels).unwrap();
        let certificate = report(&model).certificate;
        assert!(
            (certificate.primal / case.objective - 1.0).abs() < 1e-6,
            "{certificate:?} {}",
            case.objective
        );
        // The weights are unique, and the scores at the unit vectors are theirs.
        let columns = rows.columns();
        let unit = |j: usize| (0..columns).map(|c| f64::from(u8::from(c == j))).collect::<Vec<_>>();
        let scores =
            model.scores(&Vectors::from_rows(&(0..columns).map(unit).collect::<Vec<_>>()).unwrap()).unwrap();
        for (c, weights) in case.weights.iter().enumerate() {
            for (j, weight) in weights.iter().enumerate() {
                let found = scores[j * case.weights.len() + c];
                assert!((found - weight).abs() < 1e-3, "{} {c} {j}: {found} {weight}", case.file);
            }
        }
        let codes = labels.codes();
        let right =
            model.predict(&rows).unwrap().iter().zip(codes).filter(|(a, b)| **a == **b as usize).count();
        assert!(right.abs_diff(case.correct) <= 1, "{right} {}", case.correct);
    }
}

/// kernlab's machines with a Gaussian kernel; the offsets of its Weston & Watkins are the weight of a constant.
#[test]
fn kernlab_finds_the_same_functions() {
    #[derive(Deserialize)]
    struct Case {
        file: String,
        r#type: String,
        gamma: f64,
        constant: f64,
        cost: f64,
        primal: f64,
        dual: f64,
        scores: Vec<f64>,
    }
    #[derive(Deserialize)]
    struct Fixture {
        cases: Vec<Case>,
    }
    for case in fixture::read::<Fixture>("joint/gaussian.json").cases {
        let machine = match case.r#type.as_str() {
            "kbb-svc" => Joint::WestonWatkins,
            "spoc-svc" => Joint::CrammerSinger,
            other => panic!("{other}"),
        };
        let (rows, labels) = standardised(&case.file);
        let kernel = match case.constant {
            0.0 => format!("gaussian(gamma={})", case.gamma),
            constant => format!("gaussian(gamma={}) + constant({constant})", case.gamma),
        };
        let params = params(&kernel, (machine, false)).cost(case.cost).duality_gap(1e-9);
        let model = params.check().unwrap().fit(&rows, &labels).unwrap();
        let certificate = report(&model).certificate;
        // Both enclose the optimum, kernlab a little less closely.
        let what = format!("{} {} C = {}", case.file, case.r#type, case.cost);
        assert!(
            case.dual <= certificate.primal && certificate.dual <= case.primal,
            "{what}: {certificate:?}"
        );
        assert!((certificate.primal / case.primal - 1.0).abs() < 5e-6, "{what}: {certificate:?}");
        let some: Vec<usize> = (0..rows.len()).step_by(10).collect();
        let scores = model.scores(&rows.select(&some)).unwrap();
        assert_eq!(scores.len(), case.scores.len());
        for (found, expected) in scores.iter().zip(&case.scores) {
            assert!((found - expected).abs() < 1e-3, "{what}: {found} {expected}");
        }
    }
}

/// With two classes w₀ = −w₁, so that ½Σ‖w‖² = ‖w₁‖²; f₁ − f₀ = 2 f with the function f of the ordinary machine and the
/// margin 2 is ‖w‖² + 2C Σ max(0, 1 − y f): twice its objective at the same cost. For Crammer and Singer's margin of 1,
/// f₁ − f₀ = f gives ¼‖w‖² + C Σ max(0, 1 − y f): half of it at twice the cost.
#[test]
fn two_classes_are_the_ordinary_machine() {
    let (rows, labels) = small_set("heart_scale");
    for machine in MACHINES {
        let (factor, cost, scale) = match machine.0 {
            Joint::WestonWatkins => (2.0, 1.0, 2.0),
            Joint::CrammerSinger => (0.5, 2.0, 1.0),
        };
        let kernel = "gaussian(gamma=0.1)";
        let ordinary = Svc::params(kernel.parse::<Expression>().unwrap()).cost(cost).offset(machine.1);
        let ordinary = ordinary.tolerance(1e-7).check().unwrap().fit(&rows, &labels).unwrap();
        let joint = params(kernel, machine).tolerance(1e-7).check().unwrap().fit(&rows, &labels).unwrap();
        let (a, b) = (ordinary.pairs().reports[0].certificate.primal, report(&joint).certificate.primal);
        assert!((factor * a - b).abs() < 1e-6 * b, "{machine:?}: {a} {b}");
        let scores = joint.scores(&rows).unwrap();
        for (f, scores) in ordinary.decision_values(&rows).unwrap().iter().zip(scores.chunks_exact(2)) {
            assert!((scale * f - (scores[1] - scores[0])).abs() < 1e-4, "{machine:?}: {f} {scores:?}");
        }
    }
}

#[test]
fn whole_weights_are_repeated_rows() {
    let (rows, labels) = clouds(60, 4, 1);
    let weights: Vec<f64> = (0..60).map(|i| (i % 3) as f64).collect();
    let repeated: Vec<usize> = (0..60).flat_map(|i| vec![i; i % 3]).collect();
    for machine in MACHINES {
        let machine = params("gaussian(gamma=0.4)", machine).cost(2.0).duality_gap(1e-9).check().unwrap();
        let weighted = machine.fit_weighted(&rows, &labels, &weights).unwrap();
        let longer = machine.fit(&rows.select(&repeated), &labels.select(&repeated)).unwrap();
        let (a, b) = (report(&weighted).certificate.primal, report(&longer).certificate.primal);
        assert!((a - b).abs() < 1e-8 * b, "{a} {b}");
        let (a, b) = (weighted.scores(&rows).unwrap(), longer.scores(&rows).unwrap());
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-3));
    }
}

#[test]
fn a_stopped_training_goes_on_to_the_same_optimum() {
    let (rows, labels) = clouds(300, 5, 2);
    for machine in MACHINES {
        let params = params("gaussian(gamma=0.5)", machine).cost(5.0).duality_gap(1e-6);
        let whole = params.clone().check().unwrap().fit(&rows, &labels).unwrap();
        let limited = params.clone().max_iterations(200).check().unwrap();
        let stopped = limited.fit(&rows, &labels).unwrap();
        assert_eq!(report(&stopped).status, Status::IterationLimit);
        // Stopped early it is feasible all the same, and what it claims holds.
        assert_promises(&stopped, &rows, &labels, 5.0);
        let optimum = report(&whole).certificate.primal;
        assert!(
            report(&stopped).certificate.dual <= optimum && optimum <= report(&stopped).certificate.primal
        );
        let go_on = |_: &_| Control::Continue;
        let fit = params.clone().check().unwrap();
        let resumed = fit.fit_observed(&rows, &labels, None, Some(stopped.functions()), &go_on).unwrap();
        assert!((report(&resumed).certificate.primal - optimum).abs() < 3e-6 * optimum);
        // From the optimum there is nothing left to do; from that of another cost there is.
        let again = fit.fit_observed(&rows, &labels, None, Some(resumed.functions()), &go_on).unwrap();
        assert!(report(&again).iterations <= 5, "{}", report(&again).iterations);
        let cheaper = params.clone().cost(1.0).check().unwrap();
        let from = cheaper.fit_observed(&rows, &labels, None, Some(whole.functions()), &go_on).unwrap();
        let fresh = cheaper.fit(&rows, &labels).unwrap();
        let (a, b) = (report(&from).certificate.primal, report(&fresh).certificate.primal);
        assert!((a - b).abs() < 3e-6 * b);
    }
    let observer = |_: &_| Control::Cancel;
    let machine = params("linear", MACHINES[0]).check().unwrap();
    let model = machine.fit_observed(&rows, &labels, None, None, &observer).unwrap();
    assert_eq!(model.status(), Some(Status::Cancelled));
}

#[test]
fn threads_do_not_matter() {
    let (rows, labels) = clouds(1500, 5, 3);
    for machine in MACHINES {
        let fit = |threads| {
            let machine = params("gaussian(gamma=2)", machine).threads(threads).cost(3.0).check().unwrap();
            machine.fit(&rows, &labels).unwrap().functions().clone()
        };
        let one = fit(1);
        assert!([2, 4].map(fit).iter().all(|other| *other == one), "{machine:?}");
    }
}

#[test]
fn putting_examples_aside_changes_nothing_that_matters() {
    let (rows, labels) = clouds(1500, 3, 4);
    for machine in MACHINES {
        let fit = |shrinking| {
            let params = params("gaussian(gamma=1)", machine).cost(0.5);
            let mut options = params.fit_options().clone();
            options.solver.shrinking = shrinking;
            let model = params.options(options).check().unwrap().fit(&rows, &labels).unwrap();
            assert_eq!(report(&model).status, Status::Converged);
            report(&model).certificate
        };
        let (with, without) = (fit(true), fit(false));
        assert!(with.kkt_gap <= 1e-3 && without.kkt_gap <= 1e-3);
        assert!(with.relative_gap() < 2e-3, "{with:?}");
        assert!((with.primal - without.primal).abs() < 2e-3 * with.primal);
    }
}

#[test]
fn single_precision_is_certified_too() {
    let (rows, labels) = clouds(400, 4, 5);
    for machine in MACHINES {
        let fit = |precision| {
            let params = params("gaussian(gamma=0.5)", machine).cost(2.0).precision(precision);
            params.check().unwrap().fit(&rows, &labels).unwrap()
        };
        let (single, double) = (fit(Precision::F32), fit(Precision::F64));
        let (a, b) = (report(&single).certificate, report(&double).certificate);
        assert_eq!((single.kept().precision, report(&single).status), (Precision::F32, Status::Converged));
        // Both intervals hold the optimum.
        assert!(a.dual <= b.primal && b.dual <= a.primal, "{a:?} {b:?}");
        assert!((a.primal - b.primal).abs() < 2e-3 * b.primal);
    }
}

#[test]
fn a_gram_matrix_is_enough() {
    let (rows, labels) = clouds(90, 3, 6);
    let gram = PrecomputedGram::symmetric(gram(linear, &rows), 90).unwrap();
    for machine in MACHINES {
        let of_items =
            params("linear", machine).duality_gap(1e-7).check().unwrap().fit(&rows, &labels).unwrap();
        let (joint, offset) = machine;
        let machine = JointSvc::params(()).machine(joint).offset(offset).duality_gap(1e-7).check().unwrap();
        let fit = machine.fit_gram(&gram, &labels, None, true, &|_| Control::Continue).unwrap();
        let (a, b) = (fit.report.certificate.primal, report(&of_items).certificate.primal);
        assert!((a - b).abs() < 1e-6 * b);
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let (rows, labels) = clouds(12, 3, 7);
    for machine in MACHINES {
        let fit = |labels: &Labels, weights: &[f64]| {
            let machine = params("linear", machine).check().unwrap();
            machine.fit_weighted(&rows, labels, weights).map(|_| ()).unwrap_err().to_string()
        };
        assert!(fit(&Labels::from_text(["a"; 12]), &[1.0; 12]).contains("the one label a"));
        assert_eq!(
            fit(&Labels::from_text(["a", "b"]), &[1.0; 12]),
            "labels (one per row): expected 12, found 2"
        );
        assert!(fit(&labels, &[1.0; 3]).contains("expected 12, found 3"));
        assert!(fit(&labels, &[-1.0; 12]).contains("weight 0: -1"));
        let without: Vec<f64> = (0..12).map(|i| f64::from(u8::from(i % 3 != 1))).collect();
        assert!(fit(&labels, &without).contains("class c1 has no weight"));
        for (cost, expected) in [(0.0, "cost = 0"), (f64::NAN, "cost = NaN"), (f64::INFINITY, "cost = inf")] {
            let message = params("linear", machine).cost(cost).check().unwrap_err().to_string();
            assert!(message.starts_with(expected), "{message}");
        }
        // A cost that no number can hold is refused, one beyond reason ends.
        let absurd = params("linear", machine).cost(1e308).check().unwrap();
        assert!(absurd.fit_weighted(&rows, &labels, &[10.0; 12]).is_err());
        let huge = params("gaussian(gamma=1)", machine).cost(1e200).max_iterations(10_000).check().unwrap();
        let _ = huge.fit(&rows, &labels);
    }
    let message = params("linear", (Joint::CrammerSinger, true)).check().unwrap_err().to_string();
    assert!(message.starts_with("offset"), "{message}");
    let (longer, names) = clouds(30, 3, 8);
    let earlier = params("linear", MACHINES[0]).check().unwrap().fit(&longer, &names).unwrap();
    let machine = params("linear", MACHINES[0]).check().unwrap();
    let resumed =
        machine.fit_observed(&rows, &labels, None, Some(earlier.functions()), &|_| Control::Continue);
    assert!(resumed.map(|_| ()).unwrap_err().to_string().contains("support row of the earlier fit"));
}

/// 4435 rows of 36 columns, six classes; where the data are there.
#[test]
fn satellite_images_in_a_reasonable_time() {
    let Some(path) = fixture::large_data("satimage/satimage_train.csv.gz") else { return };
    let table = mercer::data::read_file(path, &Default::default()).unwrap().table().unwrap();
    let labels = table.targets.labels().unwrap();
    let rows = Scaling::fit(ScalingKind::Standardise, &table.vectors).unwrap().apply(&table.vectors).unwrap();
    for machine in MACHINES {
        let params = params("gaussian(gamma=0.1)", machine).cost(10.0).threads(0);
        let model = params.check().unwrap().fit(&rows, &labels).unwrap();
        let Report { status, certificate, support, iterations, rows_computed, seconds, .. } = *report(&model);
        println!(
            "{machine:?}: {status}, {certificate:?}, {support} support, {iterations} steps, {rows_computed} rows, {seconds:.1} s"
        );
        assert_eq!(status, Status::Converged);
        assert!(certificate.relative_gap() < 1e-2);
    }
}
