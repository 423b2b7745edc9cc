//! What is said of trained models, against numbers computed from their rows.

use std::path::Path;

use mercer::data::{Items, Labels, Vectors};
use mercer::evaluation::bounds::{
    Applicable, Bound, HardMargin, Hyperplane, Quantity, SoftMargin, SquaredSlack, Theorem, Wishes,
    of_detector, of_pairs, of_regression,
};
use mercer::io::{Model, ModelCard, ModelFormat, TrainedMachine};
use mercer::kernel::Expression;
use mercer::machine::{
    ClassWeights, Loss, Novelty, Region, Scale, Slack, Softness, Svc, SvcModel, SvcParams, Svr,
};
use mercer_testkit::random::Random;

type Classifier = SvcModel<Expression, Vectors<'static>>;

fn params(kernel: &str) -> SvcParams<Expression> {
    Svc::params(kernel.parse::<Expression>().unwrap()).tolerance(1e-8)
}

/// Two classes that overlap, `apart` from each other in units of their spread.
fn classes(n: usize, apart: f64, seed: u64) -> (Vectors<'static>, Labels, Vec<f64>) {
    let mut random = Random::new(seed);
    let y: Vec<f64> = (0..n).map(|_| random.sign()).collect();
    let rows: Vec<[f64; 2]> =
        y.iter().map(|y| [0.5 * y * apart + random.normal() + 0.7, random.normal()]).collect();
    (Vectors::from_rows(&rows).unwrap(), Labels::from_numbers(&y).unwrap(), y)
}

fn told(model: &Classifier, wishes: &Wishes) -> Applicable {
    of_pairs(model.pairs(), wishes).unwrap().remove(0)
}

fn named<'a>(all: &'a Applicable, name: &str) -> &'a Bound {
    all.bounds.iter().find(|bound| bound.name == name).unwrap_or_else(|| {
        let names: Vec<&str> = all.bounds.iter().map(|bound| bound.name).collect();
        panic!("no {name} in {names:?}, refused: {:?}", all.refused)
    })
}

fn because<'a>(all: &'a Applicable, theorem: &str) -> &'a str {
    let refusal = all.refused.iter().find(|refusal| refusal.theorem == theorem);
    &refusal.unwrap_or_else(|| panic!("{theorem} is not refused: {:?}", all.refused)).because
}

/// γ, b, tr(K), R², Σξ and Σξ² of a linear model at ‖w‖ = 1, from its rows.
fn measured(model: &Classifier, rows: &Vectors<'_>, y: &[f64]) -> (Hyperplane, f64, f64) {
    let mut w = vec![0.0; rows.columns()];
    for (i, beta) in model.pairs().pair(0, 1) {
        model.support_items().get(i).for_each(|column, x| w[column] += beta * x);
    }
    let length = w.iter().map(|w| w * w).sum::<f64>().sqrt();
    let geometric = (length - 1.0).abs() < 1e-6;
    let margin = if geometric { model.pairs().reports[0].margin } else { 1.0 / length };
    let offset = model.pairs().offsets[0] / length;
    let squares: Vec<f64> = (0..rows.len())
        .map(|i| {
            let mut square = 0.0;
            rows.get(i).for_each(|_, x| square += x * x);
            square
        })
        .collect();
    let values = model.decision_values(rows).unwrap();
    let slacks = || values.iter().zip(y).map(|(f, y)| (margin - y * f / length).max(0.0));
    let plane = Hyperplane {
        rows: rows.len(),
        trace: squares.iter().sum(),
        squared_radius: squares.iter().copied().fold(0.0, f64::max),
        margin,
        offset: Some(offset),
    };
    (plane, slacks().sum(), slacks().map(|xi| xi * xi).sum())
}

fn close(found: f64, expected: f64, what: &str) {
    assert!(
        (found - expected).abs() < 1e-4 * expected.abs().max(1e-3),
        "{what}: {found}, expected {expected}"
    );
}

#[test]
fn soft_margins_are_told_from_their_slacks() {
    let (rows, labels, y) = classes(300, 3.0, 1);
    let wishes = Wishes::default();
    for (slack, scale, cost, name) in [
        (Slack::Linear, Scale::Functional, 0.05, "1-norm soft margin"),
        (Slack::Linear, Scale::Geometric, 0.006, "1-norm soft margin"),
        (Slack::Nu { nu: 0.3 }, Scale::Functional, 1.0, "nu soft margin"),
        (Slack::Nu { nu: 0.3 }, Scale::Geometric, 1.0, "nu soft margin"),
    ] {
        let machine = params("linear").slack(slack).scale(scale).cost(cost).check().unwrap();
        let model = machine.fit(&rows, &labels).unwrap();
        let all = told(&model, &wishes);
        let (plane, slack_sum, _) = measured(&model, &rows, &y);
        let Hyperplane { rows: l, trace, margin, .. } = plane;
        let case = format!("{slack:?} {scale:?}");
        // The dual forms of the texts are (7.8) without regard to the offset.
        let printed = SoftMargin { rows: l, trace, margin, slack_sum }.bound(0.05).unwrap();
        close(named(&all, name).value, printed.value, &case);
        close(named(&all, name).terms[0].value, printed.terms[0].value, &case);
        let folded = plane.folded();
        let slack_sum = slack_sum * folded.margin / margin;
        let whole = SoftMargin { rows: l, trace: folded.trace, margin: folded.margin, slack_sum }
            .bound(0.05)
            .unwrap();
        close(named(&all, "margin and slack").value, whole.value, &case);
        assert!(whole.value > printed.value);
        assert_eq!(all.facts[0].value, 300.0);
    }
}

#[test]
fn the_2_norm_machine_is_told_by_the_diagonal_and_by_squared_slacks() {
    let (rows, labels, y) = classes(300, 3.0, 2);
    for scale in [Scale::Functional, Scale::Geometric] {
        let cost = 0.02;
        let machine = params("linear").slack(Slack::Quadratic).scale(scale).cost(cost).check().unwrap();
        let model = machine.fit(&rows, &labels).unwrap();
        let all = told(&model, &Wishes::default());
        let (plane, _, slack_squares) = measured(&model, &rows, &y);
        let folded = plane.folded();
        let slack_squares = slack_squares * (folded.margin / plane.margin).powi(2);
        let (l, trace, margin) = (plane.rows, folded.trace, folded.margin);
        let expected = SquaredSlack { rows: l, trace, margin, slack_squares }.bound(0.05).unwrap().value;
        close(named(&all, "margin and squared slack").value, expected, "(7.13)");
        // μ = 1/C: the hard margin with tr(K) + ℓ/C and γ*² = ‖w‖² + ‖α‖²/C at Σα = 1, which here is the smaller one.
        let alpha: Vec<f64> = model.pairs().pair(0, 1).map(|(_, beta)| beta.abs()).collect();
        let sum: f64 = alpha.iter().sum();
        let squares = alpha.iter().map(|a| (a / sum).powi(2)).sum::<f64>();
        let norm = match scale {
            Scale::Functional => 1.0 / plane.margin,
            Scale::Geometric => 1.0,
        };
        let gamma = ((norm / sum).powi(2) + squares / cost).sqrt();
        let (complexity, slack) = (
            |factor: f64, trace: f64| factor * trace.sqrt() / (300.0 * gamma),
            squares / (cost * cost * 300.0 * gamma.powi(4)),
        );
        let smaller = (slack + complexity(8.0, plane.trace)).min(complexity(4.0, plane.trace + 300.0 / cost));
        let bound = named(&all, "2-norm soft margin");
        close(bound.value, smaller + 3.0 * (80f64.ln() / 600.0).sqrt(), "7.38");
    }
}

#[test]
fn the_hard_margin_has_all_theorems_about_consistent_machines() {
    // Four points at distances 1 and 2 from the line x₁ = 1, repeated: R² = 9 + 1.
    let points: Vec<[f64; 2]> = [[0.0, 1.0], [-1.0, 0.0], [2.0, 0.0], [3.0, 1.0]].repeat(500);
    let y: Vec<f64> = [-1.0, -1.0, 1.0, 1.0].repeat(500);
    let (rows, labels) = (Vectors::from_rows(&points).unwrap(), Labels::from_numbers(&y).unwrap());
    let model = params("linear").slack(Slack::None).check().unwrap().fit(&rows, &labels).unwrap();
    let all = told(&model, &Wishes::default());
    // tr(K) = 500·(1 + 1 + 4 + 10); the nearest points are (0, 1) and (2, 0), 5^½ apart.
    let (trace, margin) = (8000.0, 0.5 * 5f64.sqrt());
    let expected = HardMargin { rows: 2000, trace, margin }.bound(0.05).unwrap().value;
    close(named(&all, "hard margin").value, expected, "7.22");
    let (plane, _, _) = measured(&model, &rows, &y);
    close(plane.margin, margin, "margin");
    let folded = plane.folded();
    let whole =
        HardMargin { rows: 2000, trace: folded.trace, margin: folded.margin }.bound(0.05).unwrap().value;
    close(named(&all, "margin and slack").value, whole, "(7.8)");
    let ratio = folded.squared_radius / folded.margin.powi(2);
    close(named(&all, "perceptron updates").value, ratio, "7.53");
    close(named(&all, "perceptron margin").value, (ratio * 2000f64.ln() + 20_000f64.ln()) / 1000.0, "7.55");
    let d = model.pairs().reports[0].support as f64;
    let compressed = (d * (2000.0 * std::f64::consts::E / d).ln() + 40_000f64.ln()) / (2000.0 - d);
    close(named(&all, "support vectors").value, compressed, "7.56");
    assert_eq!(named(&all, "leave one out").value, d / 2000.0);
    assert_eq!(named(&all, "leave one out").quantity, Quantity::ExpectedError);
    // log₂(emγ/(4R)) and log₂(128mR²/γ²), which say nothing for so few rows.
    let logarithms =
        (2000.0 * std::f64::consts::E / (4.0 * ratio.sqrt())).log2() * (256_000.0 * ratio).log2();
    let fat = named(&all, "fat shattering");
    close(fat.value, (64.0 * ratio * logarithms + 80f64.log2()) / 1000.0, "5.2");
    assert!(fat.is_vacuous());
    let few = params("linear").slack(Slack::None).check().unwrap();
    let few = few.fit(&rows.select(&[0, 1, 2, 3]), &labels.select(&[0, 1, 2, 3])).unwrap();
    assert!(because(&told(&few, &Wishes::default()), "Theorem 5.2").contains("64R²/γ²"));
    // Orders of magnitude are told as what they are.
    let order = named(&all, "order of slack");
    assert!(order.constant == Some(1.0) && order.notes[0].contains("constant"));
    let third = told(&model, &Wishes { constant: 3.0, ..Wishes::default() });
    close(named(&third, "order of slack").value, 3.0 * order.value, "c");
    assert_eq!(all.margins.len(), 7);
    close(all.margins[0], margin, "least margin");
}

#[test]
fn choices_make_every_bound_larger_and_margins_fixed() {
    let (rows, labels, _) = classes(400, 3.0, 3);
    let model = params("linear").cost(0.01).check().unwrap().fit(&rows, &labels).unwrap();
    let (one, many) =
        (told(&model, &Wishes::default()), told(&model, &Wishes { choices: 100, ..Wishes::default() }));
    for bound in &one.bounds {
        let other = named(&many, bound.name);
        match bound.confidence {
            Some(_) => assert!(other.value > bound.value, "{}", bound.name),
            None => assert_eq!(other.value, bound.value),
        }
    }
    // 7 % at most between two of a hundred margins over three powers of ten, and ln 100 under the root.
    let (before, after) = (named(&one, "margin and slack"), named(&many, "margin and slack"));
    for at in 0..2 {
        let ratio = after.terms[at].value / before.terms[at].value;
        assert!((1.0..1.0724).contains(&ratio), "{ratio}");
    }
    assert!(before.notes.iter().any(|note| note.contains("choices")));
    assert!(!after.notes.iter().any(|note| note.contains("choices")));
}

#[test]
fn many_classes_have_a_list_for_each_pair() {
    let (rows, labels) = crate::machine::small_set("iris.csv");
    let model = params("gaussian(gamma=0.2)").cost(10.0).check().unwrap().fit(&rows, &labels).unwrap();
    let all = of_pairs(model.pairs(), &Wishes::default()).unwrap();
    assert_eq!(all.len(), 3);
    for (list, report) in all.iter().zip(&model.pairs().reports) {
        assert!(list.of.contains(" against "), "{}", list.of);
        assert_eq!((list.facts[0].value, list.facts[2].value), (100.0, 1.0));
        assert_eq!(report.sample.as_ref().unwrap().trace, 100.0);
        assert_eq!(named(list, "leave one out").value, report.support as f64 / 100.0);
    }
}

#[test]
fn what_cannot_be_said_is_said_to_be_so() {
    let (rows, labels, _) = classes(60, 2.0, 4);
    let weighted = params("linear").class_weights(ClassWeights::Balanced).check().unwrap();
    let all = told(&weighted.fit(&rows, &labels).unwrap(), &Wishes::default());
    assert!(because(&all, "Theorem 7.30").contains("different"), "{:?}", all.refused);
    assert!(named(&all, "margin and slack").value > 0.0);
    assert!(because(&all, "Theorem 5.2").contains("all training rows right"));

    let stopped = params("linear").max_iterations(1).check().unwrap().fit(&rows, &labels).unwrap();
    let all = told(&stopped, &Wishes::default());
    for theorem in ["Theorem 7.30", "Theorem 7.56", "Remark 7.57"] {
        assert!(because(&all, theorem).contains("converged"));
    }

    let nu = params("linear").slack(Slack::Nu { nu: 0.5 }).check().unwrap().fit(&rows, &labels).unwrap();
    assert!(because(&told(&nu, &Wishes::default()), "Theorem 7.56").contains("nu"));

    let indefinite = params("sigmoid(gamma=0.1, constant=0)").check().unwrap().fit(&rows, &labels).unwrap();
    let all = told(&indefinite, &Wishes::default());
    assert!(because(&all, "all about margins").contains("positive semi-definite"));
    assert!(of_pairs(indefinite.pairs(), &Wishes { delta: 2.0, ..Wishes::default() }).is_err());

    // A file from before the numbers were kept.
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/model/v1.json");
    let all = Model::load(&old).unwrap().machine.bounds(&Wishes::default()).unwrap();
    assert_eq!(all.len(), 3);
    assert!(
        all.iter()
            .all(|list| list.bounds.is_empty() && because(list, "all").contains("train the model again"))
    );
}

#[test]
fn files_keep_what_bounds_need() {
    let (rows, labels, y) = classes(80, 3.0, 5);
    let kernel: Expression = "gaussian(gamma=0.1)".parse().unwrap();
    let models = [
        TrainedMachine::from(Svc::params(kernel.clone()).check().unwrap().fit(&rows, &labels).unwrap()),
        TrainedMachine::from(Svr::params(kernel.clone()).check().unwrap().fit(&rows, &y).unwrap()),
        TrainedMachine::from(
            Novelty::params(kernel.clone()).region(Region::Sphere).check().unwrap().fit(&rows).unwrap(),
        ),
    ];
    for model in models {
        let before = model.bounds(&Wishes::default()).unwrap();
        assert!(!before[0].bounds.is_empty());
        for format in [ModelFormat::Binary, ModelFormat::Json] {
            let saved = Model::new(model.clone(), None, ModelCard::of(&rows));
            let loaded = Model::from_bytes(&saved.to_bytes(format)).unwrap();
            assert_eq!(loaded.machine.bounds(&Wishes::default()).unwrap(), before);
        }
    }
}

#[test]
fn regressions_are_told_from_their_residuals() {
    let mut random = Random::new(6);
    let points: Vec<[f64; 2]> = (0..400).map(|_| [random.between(-1.0, 1.0), random.normal()]).collect();
    let targets: Vec<f64> = points.iter().map(|x| 1.0 + 0.5 * x[0] + 0.2 * random.normal()).collect();
    let rows = Vectors::from_rows(&points).unwrap();
    for loss in [Loss::Linear { tube: 0.1 }, Loss::Quadratic { tube: 0.1 }, Loss::Nu { nu: 0.4 }] {
        let machine = Svr::params("linear".parse::<Expression>().unwrap()).loss(loss).tolerance(1e-8);
        let model = machine.check().unwrap().fit(&rows, &targets).unwrap();
        let all = of_regression(&model, &Wishes::default()).unwrap();
        let residuals = model.residuals();
        let tube = model.tube();
        let slack: f64 = residuals.iter().map(|r| (r.abs() - tube).max(0.0)).sum();
        let squares: Vec<f64> = points.iter().map(|x| x[0] * x[0] + x[1] * x[1]).collect();
        let squared_radius = squares.iter().copied().fold(0.0, f64::max);
        // The offset as one more weight: κ + R², ‖w‖² + b²/R².
        let trace = squares.iter().sum::<f64>() + 400.0 * squared_radius;
        let offset = model.expansion().offset;
        let norm = (model.report().unwrap().norm.powi(2) + offset * offset / squared_radius).sqrt();
        let bound = named(&all, "tolerance");
        let Quantity::Miss { gamma } = bound.quantity else { panic!("{bound:?}") };
        close(gamma, tube + (slack + 4.0 * norm * trace.sqrt()) / 40.0, "gamma");
        close(bound.value, 0.1 + 3.0 * (40f64.ln() / 800.0).sqrt(), "7.49");
        let bound = named(&all, "squared error");
        let radius = (2.0 * squared_radius).sqrt();
        let largest = targets.iter().fold(0.0f64, |most, y| most.max(y.abs()));
        let reach = radius * norm.max(largest / radius);
        let lengths = (reach / radius) * trace.sqrt() + targets.iter().map(|y| y * y).sum::<f64>().sqrt();
        let mean = residuals.iter().map(|r| r * r).sum::<f64>() / 400.0;
        let luck = 12.0 * reach * reach * (40f64.ln() / 800.0).sqrt();
        close(bound.value, mean + 16.0 * reach * lengths / 400.0 + luck, "7.39");
        close(bound.trivial, 4.0 * reach * reach, "what is known anyway");
        assert!(named(&all, "order of misses").constant.is_some());
        let wanted = of_regression(&model, &Wishes { gamma: Some(tube), ..Wishes::default() }).unwrap();
        assert!(because(&wanted, "Theorem 7.49").contains("larger than the tube"));
    }
}

#[test]
fn a_constant_is_a_regression_too() {
    let rows = Vectors::from_rows(&[[1.0], [-1.0], [0.5], [0.0]]).unwrap();
    let machine = Svr::params("linear".parse::<Expression>().unwrap());
    let model = machine.check().unwrap().fit(&rows, &[3.0, 3.0, 3.0, 3.0]).unwrap();
    let all = of_regression(&model, &Wishes::default()).unwrap();
    // All of w is b/R = 3: κ + R² has the trace 2.25 + 4.
    let Quantity::Miss { gamma } = named(&all, "tolerance").quantity else { panic!() };
    let b = model.expansion().offset;
    close(gamma, 0.1 + 4.0 * b * 6.25f64.sqrt() / 0.4, "gamma");
}

#[test]
fn regions_are_told_by_what_they_found() {
    let (rows, _, _) = classes(500, 1.0, 7);
    let machine = |region: Region, softness: Softness| {
        let params = Novelty::params("gaussian(gamma=0.05)".parse::<Expression>().unwrap());
        params.region(region).softness(softness).check().unwrap().fit(&rows).unwrap()
    };
    let wishes = Wishes::default();
    let soft = machine(Region::Sphere, Softness::Nu(0.2));
    let all = of_detector(&soft, &wishes).unwrap();
    let bound = named(&all, "false positives by share");
    let luck = 3.0 * (40f64.ln() / 1000.0).sqrt();
    // Corollary 7.14 with p = ν.
    close(bound.value, 0.2 + luck, "ν");
    let Quantity::FalsePositives { gamma } = bound.quantity else { panic!() };
    let found = soft.found();
    close(gamma, (found.slack_sum / 500.0 + 6.0 / 500f64.sqrt()) / 0.2, "gamma");
    // Of few rows it takes so large a sphere that it holds everything, which is said.
    let params =
        Novelty::params("gaussian(gamma=0.05)".parse::<Expression>().unwrap()).region(Region::Sphere);
    let few = params.check().unwrap().fit(&rows.select(&(0..20).collect::<Vec<_>>())).unwrap();
    let whole = |bound: &Bound| bound.notes.iter().any(|note| note.contains("whole ball"));
    assert!(!whole(bound) && whole(&of_detector(&few, &wishes).unwrap().bounds[0]));
    // A region that was made larger is told as it is.
    let all = of_detector(&soft.clone().with_slack(0.5), &wishes).unwrap();
    let bound = named(&all, "false positives");
    close(bound.value, soft.false_positive_bound(0.5, 0.05).unwrap().total(), "7.12");
    assert_eq!(all.bounds.len(), 2);
    let asked = of_detector(&soft, &Wishes { gamma: Some(0.25), ..wishes }).unwrap();
    close(asked.bounds[0].value, soft.false_positive_bound(0.25, 0.05).unwrap().total(), "asked");
    let centre = of_detector(&machine(Region::Centre, Softness::Hard), &wishes).unwrap();
    close(named(&centre, "false positives by share").value, 0.1 + luck, "centre");
    let many = of_detector(&soft, &Wishes { choices: 50, ..wishes }).unwrap();
    let Quantity::FalsePositives { gamma: fixed } = many.bounds[0].quantity else { panic!() };
    // 4R² is the largest of the choices.
    assert!(fixed >= gamma.min(4.0) && fixed <= 4.0, "{fixed} {gamma}");
    let plane = of_detector(&machine(Region::Hyperplane, Softness::Nu(0.2)), &wishes).unwrap();
    assert!(plane.bounds.is_empty() && plane.refused[0].because.contains("spheres"));
}
