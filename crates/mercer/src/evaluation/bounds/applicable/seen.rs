//! Functions of which only their values at the training rows are known: linear machines and ridge regressions.

use super::classifier::{FOLDED, FOUND};
use super::regression::{Learned, of_learned};
use super::{Applicable, RADIUS, Wishes};
use crate::error::{Error, Result};
use crate::evaluation::bounds::{Grid, HardMargin, SoftMargin, SquaredSlack};
use crate::machine::{MarginSample, RegressionSample, ResidualSample};

/// What the theorems say about a hyperplane of two classes that was found by whatever means: 7.22 if all rows are right, (7.8) about
/// the sum of the slacks and (7.13) about their squares. `margins` are y f(x) of the training rows, `diagonal` their ‖φ(x)‖² and `norm` ‖w‖,
/// all with what stands for the offset: a linear machine whose offset is the weight of a constant feature has it in them. Slack is what
/// is missing from a margin of 1. O(n log n).
///
/// ```
/// use mercer::evaluation::bounds::{Wishes, of_margins};
/// // 2000 rows at ±1 on the line, and w = 1: the hard margin is 4/√2000 + 3 √(ln 40/4000).
/// let told = of_margins("no against yes", &[1.0; 2000], &[1.0; 2000], 1.0, &Wishes::default())?;
/// assert_eq!(told.bounds[0].name, "hard margin");
/// assert!((told.bounds[0].value - 0.180_547).abs() < 1e-4);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// Wishes that make no sense; [`Error::Shape`] unless there is one of everything per row.
pub fn of_margins(
    of: &str,
    margins: &[f64],
    diagonal: &[f64],
    norm: f64,
    wishes: &Wishes,
) -> Result<Applicable> {
    one_each(margins.len(), diagonal.len())?;
    let sample = MarginSample::of(margins, diagonal, norm);
    of_margin_sample(of, sample.as_ref(), wishes)
}

/// As [`of_margins`], by what was kept of the rows; none of it means that there is no margin.
pub(crate) fn of_margin_sample(
    of: &str,
    sample: Option<&MarginSample>,
    wishes: &Wishes,
) -> Result<Applicable> {
    wishes.check()?;
    let Some(sample) = sample else {
        return Ok(Applicable::nothing(of, "w is 0 or not finite: there is no margin"));
    };
    let MarginSample { rows, trace, largest_squared_norm: squared_radius, slack_sum, slack_squares, .. } =
        *sample;
    let gamma = 1.0 / sample.norm;
    let least = sample.margins.first().copied().unwrap_or(f64::NEG_INFINITY);
    let mut all = Applicable::new(of);
    for (name, value) in [
        ("rows", rows as f64),
        ("margin", gamma),
        ("R²", squared_radius),
        ("trace of K", trace),
        ("sum of slacks", slack_sum),
        ("sum of squared slacks", slack_squares),
    ] {
        all.fact(name, value);
    }
    all.margins = sample.margins.clone();
    // One that could have been fixed before, if there are choices.
    let fixed = |margin: f64| match wishes.choices {
        1 => Ok(margin),
        choices => Grid::new(squared_radius.sqrt(), choices)?.at_most(margin).ok_or(Error::Parameter {
            name: "margin",
            value: margin,
            expected: "one of the choices, which end at R/1000",
        }),
    };
    let notes: Vec<&str> =
        [RADIUS, FOLDED].into_iter().chain((wishes.choices == 1).then_some(FOUND)).collect();
    match least > 0.0 {
        true => {
            let bound = fixed(least).and_then(|margin| wishes.apply(&HardMargin { rows, trace, margin }));
            all.list("Theorem 7.22", bound, &notes);
        }
        false => all.refuse(
            "Theorem 7.22",
            "it is about classes that are separated, and some rows are on the wrong side",
        ),
    }
    let bound = fixed(gamma);
    let soft = bound.and_then(|margin| wishes.apply(&SoftMargin { rows, trace, margin, slack_sum }));
    all.list("inequality (7.8)", soft, &notes);
    let squared =
        fixed(gamma).and_then(|margin| wishes.apply(&SquaredSlack { rows, trace, margin, slack_squares }));
    all.list("inequality (7.13)", squared, &notes);
    Ok(all)
}

/// What the theorems say about a regression that was found by whatever means, as [`of_regression`](super::of_regression). `residuals` are
/// y − f(x), `diagonal` ‖φ(x)‖² and `norm` ‖w‖, with what stands for the offset. O(n).
///
/// ```
/// use mercer::evaluation::bounds::{Wishes, of_residuals};
/// let x: Vec<f64> = (0..1000).map(|i| f64::from(i) / 500.0 - 1.0).collect();
/// let diagonal: Vec<f64> = x.iter().map(|x| x * x).collect();
/// let wishes = Wishes { gamma: Some(2.0), ..Wishes::default() };
/// let told = of_residuals("f", (&x, &[0.0; 1000]), &diagonal, 1.0, 0.0, &wishes)?;
/// // ‖w‖ = 1 and tr(K) = Σx² ≈ 333: 4 · 18.3/(1000 · 2) + 3 √(ln 40/2000)
/// assert!((told.bounds[0].value - 0.165_36).abs() < 1e-3);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// Wishes that make no sense; [`Error::Shape`] unless there is one of everything per row.
pub fn of_residuals(
    of: &str,
    (targets, residuals): (&[f64], &[f64]),
    diagonal: &[f64],
    norm: f64,
    tube: f64,
    wishes: &Wishes,
) -> Result<Applicable> {
    wishes.check()?;
    one_each(targets.len(), diagonal.len())?;
    one_each(targets.len(), residuals.len())?;
    let sample = RegressionSample::of(targets, residuals, tube, false, diagonal);
    let sample = sample.map(|sample| ResidualSample { norm, offset: 0.0, convex: true, sample });
    of_residual_sample(of, sample.as_ref(), tube, wishes)
}

/// As [`of_residuals`], by what was kept of the rows; none of it means that it could not be summed up.
pub(crate) fn of_residual_sample(
    of: &str,
    sample: Option<&ResidualSample>,
    tube: f64,
    wishes: &Wishes,
) -> Result<Applicable> {
    wishes.check()?;
    match sample {
        Some(&ResidualSample { norm, offset, convex, ref sample }) => {
            let learned = Learned { norm, tube, offset, support: None, convex };
            of_learned(of, sample, &learned, wishes)
        }
        None => Ok(Applicable::nothing(of, "sums of numbers as large as these overflow")),
    }
}

fn one_each(expected: usize, found: usize) -> Result<()> {
    match (expected, found) {
        (0, _) => Err(Error::Empty { what: "rows" }),
        _ if expected == found => Ok(()),
        _ => Err(Error::Shape { what: "numbers of the rows (one per row)", expected, found }),
    }
}
