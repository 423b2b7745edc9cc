//! The shared Gram matrix changes nothing, and tests see nothing of what they test.

use mercer::Error;
use mercer::data::{Examples, Items, Labels, ScalingKind, Split, Vectors};
use mercer::evaluation::{Costs, GRID, Method, Recipe, choose_cost};
use mercer::kernel::Expression;
use mercer::machine::{Svc, SvcParams};
use mercer::solver::Control;

use super::overlapping;

fn machine(kernel: &str) -> SvcParams<Expression> {
    Svc::params(kernel.parse().unwrap())
}

#[test]
fn costs_are_judged_as_if_each_fold_were_trained_by_itself() {
    let (rows, labels) = overlapping(150, 1);
    let params = machine("gaussian(gamma=0.3)");
    let choice = choose_cost(&params, Examples::new(&rows, &labels), &[0.5, 8.0], 9, &|| false).unwrap();
    let splits = Split::stratified(&labels, 5, 9).unwrap();
    for tried in &choice.tried {
        let machine = params.clone().cost(tried.cost).check().unwrap();
        for (fold, split) in splits.iter().enumerate() {
            let model = machine.fit(&rows.select(&split.train), &labels.select(&split.train)).unwrap();
            let predicted = model.predict_labels(&rows.select(&split.test)).unwrap();
            let right =
                predicted.iter().zip(&split.test).filter(|(p, row)| **p == labels.text(**row)).count();
            assert_eq!(tried.folds[fold], right as f64 / split.test.len() as f64, "C = {}", tried.cost);
        }
    }
    let means: Vec<f64> = choice.tried.iter().map(|tried| tried.mean()).collect();
    assert_eq!(choice.cost, if means[1] > means[0] { 8.0 } else { 0.5 });
}

#[test]
fn a_choice_does_not_depend_on_threads_and_samples_many_rows() {
    let (rows, labels) = overlapping(3500, 2);
    let choose = |threads| {
        let params = machine("gaussian(gamma=median)").threads(threads);
        choose_cost(&params, Examples::new(&rows, &labels), &[0.1, 1.0], 0, &|| false).unwrap()
    };
    let choice = choose(1);
    assert_eq!(choice, choose(2));
    assert_eq!((choice.rows, choice.tried[0].folds.len()), (3000, 3));
}

#[test]
fn what_cannot_be_chosen_is_an_error() {
    let (rows, _) = overlapping(10, 3);
    let alone = Labels::from_text((0..10).map(|i| i.to_string()));
    let outcome = choose_cost(&machine("linear"), Examples::new(&rows, &alone), &GRID, 0, &|| false);
    assert!(matches!(outcome, Err(Error::Parameter { name: "rows of the largest class", .. })));
    // One that is alone among others is never tested, and always learned from.
    let lonely = Labels::from_text((0..10).map(|i| if i == 4 { "one" } else { "nine" }));
    assert_eq!(
        choose_cost(&machine("linear"), Examples::new(&rows, &lonely), &GRID, 0, &|| false).unwrap().rows,
        10
    );
    let (rows, labels) = overlapping(20, 3);
    assert!(choose_cost(&machine("linear"), Examples::new(&rows, &labels), &[], 0, &|| false).is_err());
    assert!(choose_cost(&machine("linear"), Examples::new(&rows, &labels), &[-1.0], 0, &|| false).is_err());
}

#[test]
fn a_test_does_not_see_the_labels_it_tests() {
    // Labels of the rows to be tested are all wrong: whoever had seen them would do better than chance.
    let (rows, labels) = overlapping(200, 4);
    let split = Split::stratified(&labels, 2, 0).unwrap().swap_remove(0);
    let mut codes = labels.codes().to_vec();
    split.test.iter().for_each(|&row| codes[row] = 1 - codes[row]);
    let flipped = Labels::from_codes(labels.classes().to_vec(), codes).unwrap();
    let recipe = Recipe {
        scaling: Some(ScalingKind::Standardise),
        costs: Costs::Among(GRID.to_vec()),
        ..Recipe::new(machine("gaussian(gamma=median)"))
    };
    let go_on = |_: &_| Control::Continue;
    let splits = [split.clone()];
    let honest = recipe.assess(Examples::new(&rows, &labels), &splits, &go_on).unwrap();
    let fooled = recipe.assess(Examples::new(&rows, &flipped), &splits, &go_on).unwrap();
    assert_eq!(honest.outcome.confusion.right() + fooled.outcome.confusion.right(), split.test.len());
    assert_eq!(honest.method, Method::HeldOut { learned: 100, tested: 100 });
    assert!((honest.outcome.auc.unwrap() + fooled.outcome.auc.unwrap() - 1.0).abs() < 1e-12);
}

#[test]
fn a_recipe_is_followed_in_every_fold() {
    let (rows, labels) = overlapping(120, 5);
    let recipe = Recipe {
        scaling: Some(ScalingKind::Standardise),
        ..Recipe::new(machine("gaussian(gamma=scale)").cost(2.0))
    };
    let splits = Split::stratified(&labels, 4, 1).unwrap();
    let test = recipe.assess(Examples::new(&rows, &labels), &splits, &|_| Control::Continue).unwrap();
    let mut right = 0;
    for split in &splits {
        let learned = recipe
            .learn(Examples::new(&rows, &labels).select(&split.train).view(), &|_| Control::Continue)
            .unwrap();
        let predicted = learned.predict(&rows.select(&split.test)).unwrap();
        right += predicted.iter().zip(&split.test).filter(|(p, row)| **p == labels.text(**row)).count();
    }
    assert_eq!((test.outcome.confusion.right(), test.outcome.confusion.rows()), (right, 120));
    assert_eq!((test.method, test.outcome.folds.len()), (Method::Folds(4), 4));
    assert!(test.outcome.standard_error() > 0.0 && test.outcome.standard_error() < 0.1);
}

#[test]
fn rows_of_weight_nought_have_no_part() {
    let (rows, labels) = overlapping(100, 6);
    // The second half says the opposite, without weight.
    let codes: Vec<u32> =
        labels.codes().iter().enumerate().map(|(i, &c)| if i < 50 { c } else { 1 - c }).collect();
    let confused = Labels::from_codes(labels.classes().to_vec(), codes).unwrap();
    let weights: Vec<f64> = (0..100).map(|i| if i < 50 { 1.0 } else { 0.0 }).collect();
    let recipe = Recipe::new(machine("gaussian(gamma=0.1)"));
    let half: Vec<usize> = (0..50).collect();
    let a = recipe
        .learn(Examples { weights: Some(&weights), ..Examples::new(&rows, &confused) }, &|_| {
            Control::Continue
        })
        .unwrap();
    let b = recipe.learn(Examples::new(&rows, &labels).select(&half).view(), &|_| Control::Continue).unwrap();
    let new = Vectors::from_rows(&[[0.5, 1.0, 0.0], [2.0, -3.0, 1.0]]).unwrap();
    let (a, b) = (a.scores(&new).unwrap(), b.scores(&new).unwrap());
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-2), "{a:?} {b:?}");
}

#[test]
fn a_test_in_folds_that_is_cancelled_tells_of_the_folds_that_are_complete() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let (rows, labels) = overlapping(300, 5);
    let examples = Examples::new(&rows, &labels);
    let splits = examples.folds(5, 0).unwrap();
    let recipe = Recipe::new(machine("gaussian(gamma=0.3)"));
    let whole = recipe.assess(examples, &splits, &|_| Control::Continue).unwrap();
    assert_eq!(whole.method, Method::Folds(5));
    // Between folds the observer is asked before there is a gap.
    let asked = AtomicUsize::new(0);
    let third = |progress: &mercer::machine::FitProgress| {
        let is_between = progress.progress.kkt_gap.is_infinite();
        match is_between && asked.fetch_add(1, Ordering::Relaxed) + 1 >= 3 {
            true => Control::Cancel,
            false => Control::Continue,
        }
    };
    let part = recipe.assess(examples, &splits, &third).unwrap();
    assert_eq!(part.method, Method::Folds(2));
    let never = recipe.assess(examples, &splits, &|_| Control::Cancel);
    assert!(matches!(never, Err(Error::Interrupted)), "{never:?}");
}
