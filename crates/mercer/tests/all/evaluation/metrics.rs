//! Metrics against their definitions, computed the slow way.

use mercer::data::Labels;
use mercer::evaluation::{Confusion, average_precision, best_threshold, roc_auc};
use mercer_testkit::random::Random;

/// Scores with ties, and who is of the class.
fn random_ranking(random: &mut Random) -> (Vec<f64>, Vec<bool>) {
    let n = 2 + random.below(60);
    let scores: Vec<f64> = (0..n).map(|_| (8.0 * random.normal()).round() / 4.0).collect();
    let mut positive: Vec<bool> = scores.iter().map(|s| s + 2.0 * random.normal() > 0.0).collect();
    (positive[0], positive[1]) = (true, false);
    (scores, positive)
}

#[test]
fn areas_are_those_of_the_definitions() {
    let mut random = Random::new(5);
    for case in 0..200 {
        let (scores, positive) = random_ranking(&mut random);
        let mut weights = vec![1.0; scores.len()];
        if case % 2 == 1 {
            // The first two rows stand for both kinds.
            weights[2..].iter_mut().for_each(|weight| *weight = random.below(4) as f64 / 2.0);
        }
        let given = (case % 2 == 1).then_some(&weights[..]);
        let (mut won, mut pairs) = (0.0, 0.0);
        for i in (0..scores.len()).filter(|&i| positive[i]) {
            for j in (0..scores.len()).filter(|&j| !positive[j]) {
                let weight = weights[i] * weights[j];
                pairs += weight;
                won += weight
                    * if scores[i] > scores[j] {
                        1.0
                    } else {
                        f64::from(u8::from(scores[i] == scores[j])) / 2.0
                    };
            }
        }
        assert!((roc_auc(&scores, &positive, given).unwrap().unwrap() - won / pairs).abs() < 1e-12);

        // Precision at the threshold of each row of the class, which counts all rows of its score.
        let own = || (0..scores.len()).filter(|&i| positive[i] && weights[i] > 0.0);
        let total: f64 = own().map(|i| weights[i]).sum();
        let at = |threshold: f64| {
            let above = (0..scores.len()).filter(|&i| scores[i] >= threshold);
            let add = |(found, seen), i: usize| {
                (found + weights[i] * f64::from(u8::from(positive[i])), seen + weights[i])
            };
            let (found, seen) = above.fold((0.0, 0.0), add);
            found / seen
        };
        let area: f64 = own().map(|i| weights[i] * at(scores[i]) / total).sum();
        assert!((average_precision(&scores, &positive, given).unwrap().unwrap() - area).abs() < 1e-12);
    }
}

#[test]
fn the_best_threshold_is_the_best_of_all() {
    let mut random = Random::new(6);
    for _ in 0..200 {
        let (scores, positive) = random_ranking(&mut random);
        let right =
            |threshold: f64| (0..scores.len()).filter(|&i| (scores[i] > threshold) == positive[i]).count();
        let best = best_threshold(&scores, &positive).unwrap();
        assert_eq!(best.right, right(best.score), "{best:?}");
        let most = scores.iter().flat_map(|s| [s - 1e-6, s + 1e-6, 0.0]).map(right).max().unwrap();
        assert_eq!(best.right, most);
    }
}

#[test]
fn the_table_of_two_classes_gives_the_usual_numbers() {
    // 40 found, 10 missed, 5 false alarms, 45 rightly left alone.
    let (mut truth, mut predicted) = (Vec::new(), Vec::new());
    for (t, p, n) in [("yes", "yes", 40), ("yes", "no", 10), ("no", "yes", 5), ("no", "no", 45)] {
        truth.extend(vec![t; n]);
        predicted.extend(vec![p; n]);
    }
    let table = Confusion::new(&Labels::from_text(truth), predicted).unwrap();
    let yes = 1;
    assert_eq!(table.classes()[yes], "yes");
    assert_eq!((table.rows(), table.right(), table.accuracy()), (100, 85, 0.85));
    assert_eq!(table.recall(yes), Some(0.8));
    assert_eq!(table.precision(yes), Some(40.0 / 45.0));
    assert_eq!(table.f1(yes), Some(80.0 / 95.0));
    assert!((table.balanced_accuracy() - 0.85).abs() < 1e-12);
    let matthews = (40.0 * 45.0 - 10.0 * 5.0) / (50.0f64 * 50.0 * 45.0 * 55.0).sqrt();
    assert!((table.matthews() - matthews).abs() < 1e-12);
}

#[test]
fn classes_that_are_missing_do_not_count() {
    let truth = Labels::from_codes(vec!["a".into(), "b".into(), "never".into()], vec![0, 0, 1]).unwrap();
    let table = Confusion::new(&truth, ["a", "b", "b"]).unwrap();
    assert_eq!(table.recall(2), None);
    assert_eq!(table.f1(2), None);
    assert_eq!(table.balanced_accuracy(), 0.75);
    // A prediction that no row has is a class of its own.
    let table = Confusion::new(&truth, ["a", "stranger", "b"]).unwrap();
    assert_eq!(table.classes().len(), 4);
    assert_eq!((table.count(0, 3), table.right()), (1, 2));
    assert!(Confusion::new(&truth, ["a"]).is_err());
}

#[test]
fn lengths_that_do_not_fit_are_refused() {
    use mercer::Error;
    use mercer::evaluation::{brier, log_loss};
    let (scores, positive) = ([0.1, 0.2], [true, false, true]);
    assert!(matches!(roc_auc(&scores, &positive, None), Err(Error::Shape { expected: 3, found: 2, .. })));
    assert!(average_precision(&scores, &positive, None).is_err());
    assert!(best_threshold(&scores, &positive).is_err());
    let weights = Some(&[1.0][..]);
    assert!(matches!(roc_auc(&scores, &positive[..2], weights), Err(Error::Shape { found: 1, .. })));
    let truth = mercer::data::Labels::from_text(["no", "yes"]);
    let classes = ["no".to_string(), "yes".to_string()];
    assert!(log_loss(&truth, &classes, &[0.5, 0.5], None).is_err());
    assert!(brier(&truth, &classes, &[0.5; 4], weights).is_err());
}
