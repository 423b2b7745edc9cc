//! Metrics by name: scikit-learn's values (stored by tools/reference/metrics.py), laws, and what is refused.

use std::collections::BTreeMap;

use mercer::Error;
use mercer::data::Labels;
use mercer::evaluation::{Comparison, Metric, Needs, Predicted, Truth};
use mercer_testkit::random::Random;
use serde::Deserialize;

#[derive(Deserialize)]
struct Fixture {
    classes: Vec<OfClasses>,
    numbers: Vec<OfNumbers>,
}

#[derive(Clone, Deserialize)]
struct OfClasses {
    name: String,
    classes: Vec<String>,
    truth: Vec<u32>,
    scores: Vec<f64>,
    probabilities: Vec<f64>,
    weights: Option<Vec<f64>>,
    values: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
struct OfNumbers {
    name: String,
    truth: Vec<f64>,
    predicted: Vec<f64>,
    weights: Option<Vec<f64>>,
    values: BTreeMap<String, f64>,
}

impl OfClasses {
    fn labels(&self) -> Labels {
        Labels::from_codes(self.classes.clone(), self.truth.clone()).unwrap()
    }

    fn predicted(&self) -> Predicted<'_> {
        let probabilities = Some(&self.probabilities[..]);
        Predicted::Classes { classes: &self.classes, scores: &self.scores, probabilities }
    }

    /// Some of the rows, without weights.
    fn rows(&self, rows: &[usize]) -> OfClasses {
        let k = self.classes.len();
        let of = |numbers: &[f64]| rows.iter().flat_map(|&row| numbers[row * k..][..k].to_vec()).collect();
        OfClasses {
            truth: rows.iter().map(|&row| self.truth[row]).collect(),
            scores: of(&self.scores),
            probabilities: of(&self.probabilities),
            weights: None,
            ..self.clone()
        }
    }
}

fn fixture() -> Fixture {
    serde_json::from_str(include_str!("../../fixtures/metrics.json")).unwrap()
}

fn metric(name: &str) -> Metric {
    name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn near(found: f64, expected: f64, what: &str) {
    let tolerance = 1e-12 * expected.abs().max(1.0);
    assert!((found - expected).abs() <= tolerance, "{what}: {found}, expected {expected}");
}

#[test]
fn values_are_those_of_scikit_learn() {
    let Fixture { classes, numbers } = fixture();
    let mut compared = BTreeMap::new();
    for case in &classes {
        let labels = case.labels();
        let comparison =
            Comparison::new(case.predicted(), Truth::Classes(&labels), case.weights.as_deref()).unwrap();
        for (name, &expected) in &case.values {
            near(comparison.value(&metric(name)).unwrap(), expected, &format!("{}, {name}", case.name));
            *compared.entry(metric(name).name()).or_insert(0) += 1;
        }
    }
    for case in &numbers {
        let (predicted, truth) = (Predicted::Numbers(&case.predicted), Truth::Numbers(&case.truth));
        for (name, &expected) in &case.values {
            let found = metric(name).value(predicted, truth, case.weights.as_deref()).unwrap();
            near(found, expected, &format!("{}, {name}", case.name));
            *compared.entry(metric(name).name()).or_insert(0) += 1;
        }
    }
    // It has them all but the one for regions.
    for metric in Metric::ALL {
        assert!(compared.contains_key(metric.name()) || metric == Metric::Outside, "{metric}");
    }
}

#[test]
fn weights_count_as_if_rows_stood_there_so_often() {
    let mut random = Random::new(31);
    let Fixture { classes, numbers } = fixture();
    let agree = |weighted: &Comparison<'_>, often: &Comparison<'_>, needs: &dyn Fn(Needs) -> bool| {
        let mut defined = 0;
        for metric in Metric::ALL.into_iter().filter(|metric| needs(metric.needs())) {
            match (weighted.value(&metric), often.value(&metric)) {
                (Ok(a), Ok(b)) => {
                    near(a, b, &metric.to_string());
                    defined += 1;
                }
                (Err(Error::Undefined { .. }), Err(Error::Undefined { .. })) => {}
                (a, b) => panic!("{metric}: {a:?} and {b:?}"),
            }
        }
        defined
    };
    for case in &classes {
        let n = case.truth.len();
        let weights: Vec<f64> = (0..n).map(|i| if i < 4 { 1.0 } else { random.below(4) as f64 }).collect();
        let rows: Vec<usize> = (0..n).flat_map(|row| vec![row; weights[row] as usize]).collect();
        let often = case.rows(&rows);
        let (labels, often_labels) = (case.labels(), often.labels());
        let one = Comparison::new(case.predicted(), Truth::Classes(&labels), Some(&weights)).unwrap();
        let other = Comparison::new(often.predicted(), Truth::Classes(&often_labels), None).unwrap();
        let defined = agree(&one, &other, &|needs| {
            matches!(needs, Needs::Classes | Needs::Scores | Needs::Probabilities)
        });
        assert!(defined >= 15, "{}: {defined}", case.name);
    }
    for case in &numbers {
        let n = case.truth.len();
        let weights: Vec<f64> = (0..n).map(|_| random.below(4) as f64).collect();
        let rows: Vec<usize> = (0..n).flat_map(|row| vec![row; weights[row] as usize]).collect();
        let of = |numbers: &[f64]| -> Vec<f64> { rows.iter().map(|&row| numbers[row]).collect() };
        let (truth, predicted) = (of(&case.truth), of(&case.predicted));
        let one =
            Comparison::new(Predicted::Numbers(&case.predicted), Truth::Numbers(&case.truth), Some(&weights));
        let other = Comparison::new(Predicted::Numbers(&predicted), Truth::Numbers(&truth), None);
        assert_eq!(agree(&one.unwrap(), &other.unwrap(), &|needs| needs == Needs::Numbers), 10);
    }
}

#[test]
fn averages_over_two_classes_that_mirror_each_other_are_those_of_one() {
    let case = &fixture().classes[0];
    let labels = case.labels();
    let mirrored: Vec<f64> = case.scores.chunks_exact(2).flat_map(|of_row| [-of_row[1], of_row[1]]).collect();
    let predicted = Predicted::Classes { classes: &case.classes, scores: &mirrored, probabilities: None };
    let comparison = Comparison::new(predicted, Truth::Classes(&labels), None).unwrap();
    let value = |name: &str| comparison.value(&metric(name)).unwrap();
    near(value("top_k(1)"), value("accuracy"), "top_k(1)");
    assert_eq!(value("top_k(2)"), 1.0);
    for name in ["roc_auc_ovr", "roc_auc_ovo", "roc_auc_ovr_weighted", "roc_auc_ovo_weighted"] {
        near(value(name), value("roc_auc"), name);
    }
    for name in ["precision_micro", "recall_micro", "f1_micro", "recall_weighted"] {
        near(value(name), value("accuracy"), name);
    }
    near(value("recall_macro"), value("balanced_accuracy"), "recall_macro");
}

#[test]
fn the_first_of_equal_scores_is_predicted() {
    let truth = Labels::from_text(["a", "b", "c"]);
    let scores = [0.0; 9];
    let predicted = Predicted::Classes { classes: truth.classes(), scores: &scores, probabilities: None };
    let comparison = Comparison::new(predicted, Truth::Classes(&truth), None).unwrap();
    for (name, expected) in [("accuracy", 1.0), ("top_k(1)", 1.0), ("top_k(2)", 2.0), ("top_k(3)", 3.0)] {
        near(comparison.value(&metric(name)).unwrap(), expected / 3.0, name);
    }
    assert_eq!(comparison.value(&metric("roc_auc_ovo")).unwrap(), 0.5);
}

/// A test of two classes with scores for the later one, as given.
fn two_classes(truth: &[u32], later: &[f64], metric: &str, weights: Option<&[f64]>) -> Result<f64, Error> {
    let classes = vec!["no".to_string(), "yes".to_string()];
    let truth = Labels::from_codes(classes.clone(), truth.to_vec()).unwrap();
    let scores: Vec<f64> = later.iter().flat_map(|&score| [-score, score]).collect();
    let predicted = Predicted::Classes { classes: &classes, scores: &scores, probabilities: None };
    metric.parse::<Metric>().unwrap().value(predicted, Truth::Classes(&truth), weights)
}

#[test]
fn what_the_rows_leave_undefined_is_said_to_be() {
    let undefined = |outcome: Result<f64, Error>, why: &str| match outcome {
        Err(error @ Error::Undefined { .. }) => assert!(error.to_string().contains(why), "{error}"),
        other => panic!("{other:?}, expected {why}"),
    };
    // No row is of the later class, and none is predicted to be.
    for name in ["recall", "f1", "average_precision"] {
        undefined(two_classes(&[0, 0], &[-1.0, -2.0], name, None), "class yes has no rows");
    }
    for truth in [[0, 0], [1, 1]] {
        undefined(two_classes(&truth, &[-1.0, 2.0], "roc_auc", None), "all rows are of one class");
        undefined(two_classes(&truth, &[-1.0, 2.0], "roc_auc_ovr", None), "has no rows");
        undefined(two_classes(&truth, &[-1.0, 2.0], "roc_auc_ovo_weighted", None), "has no rows");
    }
    // Rows without weight are no rows.
    let weights = Some(&[1.0, 0.0, 1.0][..]);
    undefined(two_classes(&[0, 1, 0], &[-1.0, 2.0, 3.0], "roc_auc", weights), "one class");
    undefined(two_classes(&[0, 1, 0], &[-1.0, 2.0, 3.0], "recall", weights), "class yes has no rows");
    undefined(two_classes(&[1, 1], &[1.0, 2.0], "cohen_kappa", None), "all rows are of one class");
    // What the predictions leave undefined is nought.
    assert_eq!(two_classes(&[0, 1], &[-1.0, -2.0], "precision", None).unwrap(), 0.0);
    assert_eq!(two_classes(&[0, 1], &[-1.0, -2.0], "f1", None).unwrap(), 0.0);
    assert_eq!(two_classes(&[0, 1], &[-1.0, -2.0], "matthews_corrcoef", None).unwrap(), 0.0);
    assert_eq!(two_classes(&[0, 0], &[1.0, -2.0], "f1", None).unwrap(), 0.0);

    let of_numbers = |name: &str, truth: &[f64], predicted: &[f64], weights: Option<&[f64]>| {
        metric(name).value(Predicted::Numbers(predicted), Truth::Numbers(truth), weights)
    };
    for name in ["r2", "explained_variance"] {
        undefined(of_numbers(name, &[2.0, 2.0], &[2.0, 3.0], None), "all targets are the same");
        undefined(of_numbers(name, &[2.0], &[2.0], None), "it is about a single row, which has no variance");
        undefined(of_numbers(name, &[2.0, 3.0], &[2.0, 3.0], Some(&[1.0, 0.0])), "all targets are the same");
    }
    let percentage = "mean_absolute_percentage_error";
    undefined(of_numbers(percentage, &[0.0, 2.0], &[1.0, 2.0], None), "a target is 0");
    assert_eq!(of_numbers(percentage, &[0.0, 2.0], &[1.0, 1.0], Some(&[0.0, 1.0])).unwrap(), 0.5);
    undefined(of_numbers("mean_squared_error", &[0.0], &[1e200], None), "overflow");
}

#[test]
fn classes_that_the_model_does_not_know_are_wrong_and_have_no_ranking() {
    let truth = Labels::from_text(["a", "b", "z"]);
    let classes = ["a".to_string(), "b".to_string()];
    let (scores, probabilities) = ([1.0, 0.0, 0.0, 1.0, 1.0, 0.0], [1.0, 0.0, 0.5, 0.5, 0.5, 0.5]);
    let predicted =
        Predicted::Classes { classes: &classes, scores: &scores, probabilities: Some(&probabilities) };
    let comparison = Comparison::new(predicted, Truth::Classes(&truth), None).unwrap();
    let value = |name: &str| comparison.value(&metric(name));
    near(value("accuracy").unwrap(), 2.0 / 3.0, "accuracy");
    near(value("balanced_accuracy").unwrap(), 2.0 / 3.0, "balanced_accuracy");
    near(value("top_k(2)").unwrap(), 2.0 / 3.0, "top_k(2)");
    near(value("log_loss").unwrap(), (2f64.ln() - f64::EPSILON.ln()) / 3.0, "log_loss");
    // Three classes: 0, ½ and ¼ + ¼ + 1.
    near(value("brier").unwrap(), 2.0 / 3.0, "brier");
    for name in ["precision", "recall", "f1", "roc_auc", "roc_auc_ovr", "roc_auc_ovo", "average_precision"] {
        assert!(matches!(value(name), Err(Error::Undefined { .. })), "{name}");
    }
    let text = value("f1").unwrap_err().to_string();
    assert_eq!(
        text,
        "f1 is undefined: it is for two classes, and there are 3; take f1_macro, f1_micro or f1_weighted"
    );
    // Without weight they are no matter.
    let weights = Some(&[1.0, 1.0, 0.0][..]);
    let comparison = Comparison::new(predicted, Truth::Classes(&truth), weights).unwrap();
    assert_eq!(comparison.value(&metric("f1")).unwrap(), 1.0);
    near(comparison.value(&metric("brier")).unwrap(), 0.125, "brier");
    // Names decide, not the order of the classes; the later is the model's.
    let classes = ["b".to_string(), "a".to_string()];
    let predicted = Predicted::Classes { classes: &classes, scores: &scores, probabilities: None };
    let comparison = Comparison::new(predicted, Truth::Classes(&truth), weights).unwrap();
    assert_eq!(comparison.value(&metric("accuracy")).unwrap(), 0.0);
    assert_eq!(comparison.value(&metric("roc_auc")).unwrap(), 0.0);
}

#[test]
fn shares_outside_are_compared_with_what_was_asked_for() {
    let outside = [true, false, false, false];
    let value = |nu, weights| {
        Metric::Outside.value(Predicted::Novelty { outside: &outside, nu }, Truth::Unknown, weights)
    };
    near(value(0.1, None).unwrap(), 0.15, "outside");
    near(value(0.5, None).unwrap(), 0.25, "outside");
    near(value(0.5, Some(&[3.0, 1.0, 0.0, 0.0][..])).unwrap(), 0.25, "outside");
    for nu in [-0.1, 1.1, f64::NAN] {
        assert!(matches!(value(nu, None), Err(Error::Parameter { name: "nu", .. })));
    }
    let nothing = Predicted::Novelty { outside: &[], nu: 0.1 };
    assert!(matches!(Metric::Outside.value(nothing, Truth::Unknown, None), Err(Error::Empty { .. })));
}

fn refused(predicted: Predicted<'_>, truth: Truth<'_>, weights: Option<&[f64]>) -> Error {
    Comparison::new(predicted, truth, weights).unwrap_err()
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let truth = Labels::from_text(["a", "b"]);
    let numbers = [1.0, 2.0];
    fn of<'a>(truth: &'a Labels, scores: &'a [f64], probabilities: Option<&'a [f64]>) -> Predicted<'a> {
        Predicted::Classes { classes: truth.classes(), scores, probabilities }
    }
    let good = &[1.0, 0.0, 0.0, 1.0][..];

    let error = refused(of(&truth, &good[..3], None), Truth::Classes(&truth), None);
    assert!(matches!(error, Error::Shape { expected: 4, found: 3, .. }), "{error}");
    let error = refused(of(&truth, good, Some(&good[..2])), Truth::Classes(&truth), None);
    assert!(matches!(error, Error::Shape { expected: 4, found: 2, .. }), "{error}");
    for bad in [f64::NAN, f64::INFINITY] {
        let scores = [1.0, bad, 0.0, 1.0];
        let error = refused(of(&truth, &scores, None), Truth::Classes(&truth), None);
        assert!(matches!(error, Error::Entry { what: "score", index: 1, .. }), "{error}");
    }
    for bad in [f64::NAN, -0.1, 1.1] {
        let probabilities = [1.0, 0.0, bad, 1.0];
        let error = refused(of(&truth, good, Some(&probabilities)), Truth::Classes(&truth), None);
        assert!(matches!(error, Error::Entry { what: "probability", index: 2, .. }), "{error}");
    }
    let nobody = Predicted::Classes { classes: &[], scores: &[], probabilities: None };
    assert!(matches!(refused(nobody, Truth::Classes(&truth), None), Error::Empty { what: "classes" }));
    let empty = Labels::from_codes(truth.classes().to_vec(), vec![]).unwrap();
    assert!(matches!(refused(of(&truth, &[], None), Truth::Classes(&empty), None), Error::Empty { .. }));

    for (truth, guess) in
        [([1.0, f64::NAN], numbers), (numbers, [1.0, f64::INFINITY]), ([1.0, 1e200], numbers)]
    {
        let error = refused(Predicted::Numbers(&guess), Truth::Numbers(&truth), None);
        assert!(matches!(error, Error::Entry { index: 1, .. }), "{error}");
    }
    let error = refused(Predicted::Numbers(&numbers[..1]), Truth::Numbers(&numbers), None);
    assert!(matches!(error, Error::Shape { .. }), "{error}");
    assert!(matches!(refused(Predicted::Numbers(&[]), Truth::Numbers(&[]), None), Error::Empty { .. }));

    for weights in [&[1.0][..], &[0.0, 0.0], &[1.0, -1.0], &[1.0, f64::NAN]] {
        let region = Predicted::Novelty { outside: &[true, false], nu: 0.1 };
        refused(of(&truth, good, None), Truth::Classes(&truth), Some(weights));
        refused(Predicted::Numbers(&numbers), Truth::Numbers(&numbers), Some(weights));
        refused(region, Truth::Unknown, Some(weights));
    }
    for (predicted, truth) in [
        (of(&truth, good, None), Truth::Numbers(&numbers)),
        (of(&truth, good, None), Truth::Unknown),
        (Predicted::Numbers(&numbers), Truth::Classes(&truth)),
        (Predicted::Numbers(&numbers), Truth::Unknown),
    ] {
        assert!(matches!(refused(predicted, truth, None), Error::Unsupported { .. }));
    }
}

#[test]
fn metrics_judge_what_they_are_for() {
    let truth = Labels::from_text(["a", "b"]);
    let (scores, numbers, outside) = ([1.0, 0.0, 0.0, 1.0], [1.0, 2.0], [true, false]);
    let probabilities = Some(&scores[..]);
    let classes = Predicted::Classes { classes: truth.classes(), scores: &scores, probabilities };
    let classes = Comparison::new(classes, Truth::Classes(&truth), None).unwrap();
    let numbers = Comparison::new(Predicted::Numbers(&numbers), Truth::Numbers(&numbers), None).unwrap();
    let region = Predicted::Novelty { outside: &outside, nu: 0.5 };
    let region = Comparison::new(region, Truth::Unknown, None).unwrap();
    for metric in Metric::ALL {
        let fits = match metric.needs() {
            Needs::Classes | Needs::Scores | Needs::Probabilities => 0,
            Needs::Numbers => 1,
            Needs::Region => 2,
        };
        for (at, comparison) in [&classes, &numbers, &region].into_iter().enumerate() {
            let outcome = comparison.value(&metric);
            match at == fits {
                true => {
                    // These predictions are perfect, or nearly so: nothing is better.
                    let value = outcome.unwrap();
                    let best = if metric.larger_is_better() { 1.0 } else { 0.0 };
                    assert!((value - best).abs() < 1e-15, "{metric}: {value}");
                    assert_ne!(metric.is_better(value - 0.1, value), metric.larger_is_better(), "{metric}");
                }
                false => assert!(matches!(outcome, Err(Error::Unsupported { .. })), "{metric}"),
            }
        }
    }
    // Probabilities cannot be judged where there are none.
    let bare = Predicted::Classes { classes: truth.classes(), scores: &scores, probabilities: None };
    for metric in [Metric::LogLoss, Metric::Brier] {
        let outcome = metric.value(bare, Truth::Classes(&truth), None);
        assert!(matches!(outcome, Err(Error::Unsupported { .. })), "{metric}");
    }
    for metric in [Metric::TopK(0), Metric::Pinball { level: f64::NAN }, Metric::Huber { width: 0.0 }] {
        assert!(matches!(numbers.value(&metric), Err(Error::Parameter { .. })), "{metric}");
    }
}

#[test]
fn names_are_read_as_they_are_printed() {
    for metric in Metric::ALL {
        assert_eq!(metric.to_string().parse::<Metric>().unwrap(), metric);
        assert_eq!(serde_json::to_string(&metric).unwrap(), format!("\"{metric}\""));
        // scikit-learn negates losses, and nothing else.
        let negated = format!("neg_{metric}").parse::<Metric>();
        assert_eq!(negated.ok(), (!metric.larger_is_better()).then_some(metric));
    }
    for (name, expected) in [
        ("neg_log_loss", Metric::LogLoss),
        ("neg_brier_score", Metric::Brier),
        ("top_k_accuracy", Metric::TopK(2)),
        ("top_k( 3 )", Metric::TopK(3)),
        ("neg_mean_absolute_error", Metric::MeanAbsoluteError),
        ("rmse", Metric::RootMeanSquaredError),
        (" pinball(0.9) ", Metric::Pinball { level: 0.9 }),
        ("huber(0.25)", Metric::Huber { width: 0.25 }),
    ] {
        assert_eq!(metric(name), expected);
    }
    for name in
        ["", "accurate", "accuracy(2)", "top_k(", "top_k()", "top_k(1.5)", "pinball(x)", "neg_r2", "f1_later"]
    {
        let outcome = name.parse::<Metric>();
        assert!(matches!(outcome, Err(Error::Unsupported { .. })), "{name}: {outcome:?}");
    }
    for name in ["top_k(0)", "pinball(0)", "pinball(1)", "pinball(NaN)", "huber(-1)", "huber(inf)"] {
        let outcome = name.parse::<Metric>();
        assert!(matches!(outcome, Err(Error::Parameter { .. })), "{name}: {outcome:?}");
    }
}
