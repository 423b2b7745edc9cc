//! Novelty detectors.

use super::{Applicable, RADIUS, UNKNOWN, Wishes};
use crate::error::Result;
use crate::evaluation::bounds::{Bound, FalsePositives, Grid};
use crate::gram::WithLayout;
use crate::machine::{Found, NoveltyModel, Region, Softness};

const THEOREM: &str = "Theorems 7.5, 7.9 and 7.12";

/// What the theorems say about a sphere: how often a row like those of the training lies outside of it. O(1).
///
/// If the region was made larger after training, by [`NoveltyModel::with_slack`], that is the γ of the first bound. Beside it, or
/// if it was not, stands Corollary 7.14: the γ for which slack and complexity are the share ν, or the share that is wished for.
/// For more than one choice this γ is one of a [`Grid`] that ends at 4R², beyond which no row lies.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::evaluation::bounds::{Wishes, of_detector};
/// use mercer::kernel::Expression;
/// use mercer::machine::{Novelty, Region, Softness};
/// let rows: Vec<[f64; 1]> = (0..10_000).map(|i| [f64::from(i % 3) - 1.0]).collect();
/// let machine = Novelty::params("linear".parse::<Expression>()?).region(Region::Sphere).softness(Softness::Hard);
/// let model = machine.check()?.fit(&Vectors::from_rows(&rows)?)?;
/// let told = of_detector(&model, &Wishes { gamma: Some(0.5), ..Wishes::default() })?;
/// // 6R²/(γ√ℓ) = 0.12 and 3 √(ln 40/20 000)
/// assert!((told.bounds[0].value - 0.160_743).abs() < 1e-4);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// Wishes that make no sense.
pub fn of_detector<K: WithLayout, I>(model: &NoveltyModel<K, I>, wishes: &Wishes) -> Result<Applicable> {
    wishes.check()?;
    let of = "region";
    let Found { threshold, slack_sum, largest_squared_norm: squared_radius, items, .. } = *model.found();
    if model.region() != Region::Centre && model.report().is_none() {
        return Ok(Applicable::nothing(of, UNKNOWN));
    }
    let mut all = Applicable::new(of);
    for (name, value) in [
        ("rows", items),
        ("R²", squared_radius),
        (if model.region() == Region::Hyperplane { "threshold" } else { "squared radius" }, threshold),
        ("sum of slacks", slack_sum),
        ("support vectors", model.expansion().support.len() as f64),
    ] {
        all.fact(name, value);
    }
    if model.region() == Region::Hyperplane {
        all.refuse(
            THEOREM,
            "they are about spheres (which find the same rows novel if all k(x, x) are the same)",
        );
        return Ok(all);
    }
    if model.report().is_some_and(|report| !report.convex) {
        let because =
            "the kernel is not known to be positive semi-definite, so there may be no feature space";
        all.refuse(THEOREM, because);
        return Ok(all);
    }
    let theorem = FalsePositives { items, squared_radius, slack_sum, gamma: 1.0 };
    let mut given = |gamma: f64, notes: &[&str]| {
        let bound = wishes.apply(&FalsePositives { gamma, ..theorem });
        all.list(THEOREM, bound.map(|bound| beyond_all(bound, model.found(), gamma)), notes);
    };
    if let Some(gamma) = wishes.gamma {
        given(gamma, &[RADIUS]);
        return Ok(all);
    }
    if model.slack() > 0.0 {
        given(model.slack(), &["gamma is what the region was made larger by", RADIUS]);
    }
    let share = match model.softness() {
        Softness::Nu(nu) if model.region() != Region::Centre => nu,
        _ => wishes.share,
    };
    let found =
        "gamma was found for the share, the theorem asks for one that was fixed: choices say how many were";
    let notes: &[&str] = if wishes.choices == 1 { &[found, RADIUS] } else { &[RADIUS] };
    let bound = theorem.gamma_for(share).and_then(|wanted| {
        let gamma = match wishes.choices {
            1 => wanted.gamma,
            // Where all choices are too small for the share, the largest comes nearest.
            k => Grid::new(4.0 * squared_radius, k)?.at_least(wanted.gamma).unwrap_or(4.0 * squared_radius),
        };
        let bound = wishes.apply(&FalsePositives { gamma, ..theorem })?;
        Ok(Bound { name: "false positives by share", ..beyond_all(bound, model.found(), gamma) })
    });
    all.list("Corollary 7.14", bound, notes);
    Ok(all)
}

/// Says so if no row can lie outside of the larger sphere.
fn beyond_all(bound: Bound, found: &Found, gamma: f64) -> Bound {
    // No row is farther from the centre than this: R from the origin, and the centre in between.
    let farthest = (found.largest_squared_norm.sqrt() + found.squared_norm.max(0.0).sqrt()).powi(2);
    match found.threshold + gamma >= farthest {
        true => Bound { trivial: 0.0, ..bound }
            .noted("a sphere so large holds the whole ball of radius R: nothing is ever outside of it"),
        false => bound,
    }
}
