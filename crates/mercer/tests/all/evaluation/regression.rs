//! A recipe for numbers: the same folds, costs and limits as for classes, judged by residuals.

use mercer::Error;
use mercer::data::{Examples, Items, ScalingKind, Split, Vectors};
use mercer::evaluation::{Costs, Errors, GRID, Method, Recipe, Regression, Testing, choose_cost, spread};
use mercer::kernel::Expression;
use mercer::machine::{Loss, Svr, SvrParams};
use mercer::solver::Control;
use mercer_testkit::random::Random;

/// A wave with noise, in units of `scale`.
fn wave(n: usize, seed: u64, scale: f64) -> (Vectors<'static>, Vec<f64>) {
    let mut random = Random::new(seed);
    let rows: Vec<[f64; 2]> = (0..n).map(|_| [3.0 * random.normal(), random.normal()]).collect();
    let targets = rows.iter().map(|r| scale * (r[0].sin() + 0.3 * r[1] + 0.1 * random.normal())).collect();
    (Vectors::from_rows(&rows).unwrap(), targets)
}

fn machine(loss: Loss) -> SvrParams<Expression> {
    Svr::params("gaussian(gamma=0.5)".parse().unwrap()).loss(loss)
}

fn automatic() -> Recipe<Regression<Expression>> {
    let machine =
        Regression { loss_in_spreads: true, ..Regression::new(machine(Loss::Linear { tube: 0.1 })) };
    let (scaling, costs) = (Some(ScalingKind::Standardise), Costs::Among(GRID.to_vec()));
    Recipe { scaling, costs, ..Recipe::new(machine) }
}

fn go_on(_: &mercer::machine::FitProgress) -> Control {
    Control::Continue
}

#[test]
fn costs_are_judged_as_if_each_fold_were_trained_by_itself() {
    let (rows, targets) = wave(120, 1, 1.0);
    type Judge = fn(f64) -> f64;
    let square: Judge = |r| r * r;
    let pinball: Judge = |r| if r > 0.0 { 0.9 * r } else { -0.1 * r };
    let huber: Judge = |r| if r.abs() <= 0.2 { 0.5 * r * r } else { 0.2 * (r.abs() - 0.1) };
    for (loss, judge) in [
        (Loss::Linear { tube: 0.1 }, square),
        (Loss::Quadratic { tube: 0.0 }, square),
        (Loss::Nu { nu: 0.4 }, square),
        (Loss::Quantile { level: 0.9 }, pinball),
        (Loss::Huber { width: 0.2 }, huber),
    ] {
        let params = machine(loss).tolerance(1e-6);
        let learner = Regression::new(params.clone());
        let choice =
            choose_cost(&learner, Examples::new(&rows, &targets), &[0.5, 8.0], 9, &|| false).unwrap();
        for tried in &choice.tried {
            let machine = params.clone().cost(tried.cost).check().unwrap();
            for (fold, split) in Split::folds(120, 5, 9).unwrap().iter().enumerate() {
                let of = |rows: &[usize]| rows.iter().map(|&row| targets[row]).collect::<Vec<_>>();
                let model = machine.fit(&rows.select(&split.train), &of(&split.train)).unwrap();
                let predicted = model.predict(&rows.select(&split.test)).unwrap();
                let losses = of(&split.test).iter().zip(&predicted).map(|(y, f)| judge(y - f)).sum::<f64>();
                let naive = losses / split.test.len() as f64;
                assert!((tried.folds[fold] - naive).abs() < 1e-4 * naive, "{loss}, C = {}", tried.cost);
            }
        }
        let means: Vec<f64> = choice.tried.iter().map(|tried| tried.mean()).collect();
        assert_eq!(choice.cost, if means[1] < means[0] { 8.0 } else { 0.5 });
    }
}

#[test]
fn a_choice_does_not_depend_on_threads() {
    let (rows, targets) = wave(400, 2, 50.0);
    let learn = |threads| {
        let mut recipe = automatic();
        recipe.machine.machine = recipe.machine.machine.threads(threads);
        let test = recipe.assess(
            Examples::new(&rows, &targets),
            &Examples::new(&rows, &targets).folds(3, 5).unwrap(),
            &go_on,
        );
        (recipe.learn(Examples::new(&rows, &targets), &go_on).unwrap().choice, test.unwrap())
    };
    assert_eq!(learn(1), learn(2));
}

#[test]
fn a_recipe_does_the_same_in_any_unit() {
    let (rows, targets) = wave(150, 3, 1.0);
    let large: Vec<f64> = targets.iter().map(|y| 4096.0 * y).collect();
    let learned = automatic().learn(Examples::new(&rows, &targets), &go_on).unwrap();
    let scaled = automatic().learn(Examples::new(&rows, &large), &go_on).unwrap();
    // A power of two changes no digit.
    assert_eq!(scaled.choice.as_ref().unwrap().cost, 4096.0 * learned.choice.as_ref().unwrap().cost);
    assert_eq!(scaled.model.tube(), 4096.0 * learned.model.tube());
    assert_eq!(learned.model.tube(), 0.1 * spread(&targets, None));
    let (a, b) = (learned.predict(&rows).unwrap(), scaled.predict(&rows).unwrap());
    assert!(a.iter().zip(&b).all(|(a, b)| (4096.0 * a - b).abs() <= 1e-9 * b.abs()));
}

#[test]
fn held_out_rows_are_tested_as_a_naive_loop_would() {
    let (rows, targets) = wave(100, 4, 1.0);
    let recipe = automatic();
    let examples = Examples::new(&rows, &targets);
    let splits = examples.folds(4, 1).unwrap();
    let test = recipe.assess(examples, &splits, &go_on).unwrap();
    let (mut truth, mut predicted) = (Vec::new(), Vec::new());
    for (split, fold) in splits.iter().zip(&test.outcome.folds) {
        let learned = recipe.learn(examples.select(&split.train).view(), &go_on).unwrap();
        let found = learned.predict(&rows.select(&split.test)).unwrap();
        let own: Vec<f64> = split.test.iter().map(|&row| targets[row]).collect();
        assert_eq!(*fold, Errors::new(&own, &found, None).unwrap());
        truth.extend(own);
        predicted.extend(found);
    }
    assert_eq!(test.method, Method::Folds(4));
    let naive = Errors::new(&truth, &predicted, None).unwrap();
    assert!((test.outcome.errors.root_mean_squared - naive.root_mean_squared).abs() < 1e-12);
    assert!(naive.r_squared.unwrap() > 0.8, "{naive:?}");
    let error = test.outcome.standard_error(|fold| fold.root_mean_squared).unwrap();
    assert!(error > 0.0 && error < 0.1);
}

#[test]
fn rows_of_weight_nought_have_no_part() {
    let (rows, mut targets) = wave(120, 5, 1.0);
    targets[60..].iter_mut().for_each(|y| *y *= -100.0);
    let weights: Vec<f64> = (0..120).map(|i| if i < 60 { 1.0 } else { 0.0 }).collect();
    let recipe = Recipe { scaling: None, costs: Costs::Given, ..automatic() };
    let all = Examples { weights: Some(&weights), ..Examples::new(&rows, &targets) };
    let half: Vec<usize> = (0..60).collect();
    let a = recipe.learn(all, &go_on).unwrap();
    let b = recipe.learn(Examples::new(&rows, &targets).select(&half).view(), &go_on).unwrap();
    assert!((a.model.tube() - b.model.tube()).abs() < 1e-12);
    let (a, b) = (a.predict(&rows).unwrap(), b.predict(&rows).unwrap());
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-2));
    // Neither do they count in a test, nor in a choice.
    let test = automatic().assess(all, &all.folds(4, 0).unwrap(), &go_on).unwrap();
    assert_eq!(test.outcome.errors.rows, 60);
    assert!(test.outcome.errors.largest < 3.0, "{:?}", test.outcome.errors);
    let choice = automatic().learn(all, &go_on).unwrap().choice.unwrap();
    assert!(choice.tried.iter().all(|tried| tried.mean() < 3.0), "{choice:?}");
}

#[test]
fn groups_are_tested_together_and_rows_are_set_aside() {
    let (rows, targets) = wave(90, 6, 1.0);
    let groups: Vec<u64> = (0..90).map(|i| i / 10).collect();
    let examples = Examples { groups: Some(&groups), ..Examples::new(&rows, &targets) };
    let testing = Testing::HeldOut { refit: false };
    let tested = automatic().learn_and_test(examples, testing, None, &go_on).unwrap();
    let learned = tested.rows.unwrap();
    assert_eq!(learned.len() + tested.test.unwrap().outcome.errors.rows, 90);
    let kept: Vec<usize> = learned.iter().map(|row| row / 10).collect();
    assert!((0..9).all(|group| [0, 10].contains(&kept.iter().filter(|&&g| g == group).count())));
    // Support rows are known by their numbers among all.
    assert!(tested.learned.model.expansion().support.iter().all(|row| learned.contains(row)));
}

#[test]
fn targets_that_say_nothing_are_refused() {
    let (rows, _) = wave(20, 7, 1.0);
    let learn = |targets: Vec<f64>, weights: Option<&[f64]>| {
        automatic().learn(Examples { weights, ..Examples::new(&rows, &targets) }, &go_on).unwrap_err()
    };
    assert!(matches!(learn(vec![3.0; 20], None), Error::OneTarget { value: 3.0 }));
    let (mut one, mut weights) = (vec![3.0; 20], vec![1.0; 20]);
    (one[0], weights[0]) = (4.0, 0.0);
    assert!(matches!(learn(one, Some(&weights)), Error::OneTarget { value: 3.0 }));
    for bad in [f64::NAN, f64::INFINITY, 1e200] {
        let mut targets: Vec<f64> = (0..20).map(f64::from).collect();
        targets[7] = bad;
        assert!(matches!(learn(targets, None), Error::Entry { what: "target", index: 7, .. }));
    }
    assert!(matches!(learn(vec![1.0, 2.0], None), Error::Shape { expected: 20, found: 2, .. }));
}
