//! A recipe for detectors: labels have no part in it, and shares are those of a naive loop.

use mercer::data::{Examples, Items, Labels, ScalingKind, Vectors};
use mercer::evaluation::{Aside, Detector, Recipe};
use mercer::machine::{Novelty, Region, Softness};
use mercer::solver::Control;

use super::overlapping;

fn recipe(region: Region, contamination: Option<f64>) -> Recipe<Detector> {
    let machine =
        Novelty::params("gaussian(gamma=median)".parse().unwrap()).region(region).softness(Softness::Nu(0.2));
    let scaling = Some(ScalingKind::Standardise);
    Recipe { scaling, ..Recipe::new(Detector { contamination, ..Detector::new(machine) }) }
}

fn go_on(_: &mercer::machine::FitProgress) -> Control {
    Control::Continue
}

#[test]
fn shares_are_those_of_a_naive_loop_and_labels_change_nothing() {
    let (rows, labels) = overlapping(120, 1);
    let (kinds, unknown) = (Aside(labels.clone()), Aside::unknown(120));
    for region in [Region::Centre, Region::Sphere, Region::Hyperplane] {
        let recipe = recipe(region, None);
        let examples = Examples::new(&rows, &kinds);
        let splits = examples.folds(4, 3).unwrap();
        assert_eq!(splits, Examples::new(&rows, &unknown).folds(4, 3).unwrap());
        let test = recipe.assess(examples, &splits, &go_on).unwrap().outcome;
        let mut novel = [0, 0];
        for split in &splits {
            let learned = recipe.learn(examples.select(&split.train).view(), &go_on).unwrap();
            let found = learned.model.is_novel(&learned.prepare(&rows.select(&split.test)).unwrap()).unwrap();
            for (&row, found) in split.test.iter().zip(found) {
                novel[labels.codes()[row] as usize] += usize::from(found);
            }
        }
        assert_eq!([test.kinds[0].novel, test.kinds[1].novel], novel);
        assert_eq!((test.rows(), test.folds.len()), (120, 4));
        let blind = recipe.assess(Examples::new(&rows, &unknown), &splits, &go_on).unwrap().outcome;
        assert_eq!((blind.share(), blind.auc), (test.share(), None));
    }
}

#[test]
fn the_border_moves_until_the_share_is_met() {
    let (rows, _) = overlapping(200, 2);
    let unknown = Aside::unknown(200);
    for share in [0.0, 0.1, 0.35] {
        let learned =
            recipe(Region::Sphere, Some(share)).learn(Examples::new(&rows, &unknown), &go_on).unwrap();
        let outside = learned.model.is_novel(&learned.prepare(&rows).unwrap()).unwrap();
        assert_eq!(outside.iter().filter(|&&novel| novel).count(), (200.0 * share) as usize);
    }
}

#[test]
fn groups_of_one_label_are_no_hindrance() {
    let rows = Vectors::from_rows(&(0..40).map(|i| [f64::from(i % 7)]).collect::<Vec<_>>()).unwrap();
    let groups: Vec<u64> = (0..40).map(|i| i / 20).collect();
    let kinds = Aside(Labels::from_text((0..40).map(|i| if i < 20 { "a" } else { "b" })));
    let examples = Examples { groups: Some(&groups), ..Examples::new(&rows, &kinds) };
    let test = recipe(Region::Sphere, None).assess(examples, &examples.folds(2, 0).unwrap(), &go_on);
    assert_eq!(test.unwrap().outcome.rows(), 40);
}
