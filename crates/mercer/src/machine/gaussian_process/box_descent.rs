//! The least value of a smooth function in a box, by limited-memory quasi-Newton steps.
//!
//! Variables at a bound that the gradient pushes against stay there; the others take a step of L-BFGS, cut off at the bounds and
//! halved until the function falls by enough. (J. Nocedal, S. Wright: Numerical optimization, algorithms 7.4 and 7.5; D. Bertsekas:
//! Projected Newton methods, SIAM J. Control Optim. 20 (1982).)

use crate::error::Result;

/// Pairs of steps and changes of the gradient that are kept.
const MEMORY: usize = 10;
/// Share of the fall that the slope promises which is enough.
const ENOUGH: f64 = 1e-4;
/// Halvings after which a direction is given up.
const MOST_HALVINGS: usize = 30;

/// When it is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DescentSettings {
    pub max_iterations: usize,
    /// Largest entry of the projected gradient at a minimum.
    pub gradient: f64,
    /// Relative fall of the function below which nothing more is to be gained.
    pub fall: f64,
}

/// Where it ended.
#[derive(Clone, Debug)]
pub(crate) struct Descended {
    pub point: Vec<f64>,
    pub value: f64,
    pub evaluations: usize,
    pub converged: bool,
}

/// A value and its gradient; `None` where the function is not defined.
pub(crate) type Valued = Option<(f64, Vec<f64>)>;

pub(crate) fn descend(
    start: &[f64],
    bounds: &[(f64, f64)],
    settings: &DescentSettings,
    function: &mut dyn FnMut(&[f64]) -> Result<Valued>,
) -> Result<Option<Descended>> {
    let inside = |x: f64, i: usize| x.clamp(bounds[i].0, bounds[i].1);
    let mut point: Vec<f64> = start.iter().enumerate().map(|(i, &x)| inside(x, i)).collect();
    let Some((mut value, mut gradient)) = function(&point)? else { return Ok(None) };
    let mut evaluations = 1;
    let mut steps: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
    for _ in 0..settings.max_iterations {
        let is_free = |i: usize| {
            !(point[i] <= bounds[i].0 && gradient[i] > 0.0 || point[i] >= bounds[i].1 && gradient[i] < 0.0)
        };
        let free: Vec<bool> = (0..point.len()).map(is_free).collect();
        let largest = (0..point.len()).filter(|&i| free[i]).fold(0.0f64, |m, i| m.max(gradient[i].abs()));
        if largest <= settings.gradient {
            return Ok(Some(Descended { point, value, evaluations, converged: true }));
        }
        let mut direction = direction(&gradient, &free, &steps);
        if dot(&direction, &gradient) >= 0.0 {
            steps.clear();
            direction = gradient.iter().zip(&free).map(|(g, free)| if *free { -g } else { 0.0 }).collect();
        }
        // A first step of length 1 at most: nothing is known about the scale yet.
        let length = dot(&direction, &direction).sqrt();
        let mut share = if steps.is_empty() { 1.0 / length.max(1.0) } else { 1.0 };
        let mut found = None;
        for _ in 0..MOST_HALVINGS {
            let next: Vec<f64> =
                (0..point.len()).map(|i| inside(point[i] + share * direction[i], i)).collect();
            let promised: f64 = (0..point.len()).map(|i| gradient[i] * (next[i] - point[i])).sum();
            evaluations += 1;
            if let Some((lower, slope)) = function(&next)?
                && lower <= value + ENOUGH * promised
            {
                found = Some((next, lower, slope));
                break;
            }
            share *= 0.5;
        }
        let Some((next, lower, slope)) = found else {
            if steps.is_empty() {
                return Ok(Some(Descended { point, value, evaluations, converged: false }));
            }
            // What was learned about the curvature may be what is wrong.
            steps.clear();
            continue;
        };
        let step: Vec<f64> = next.iter().zip(&point).map(|(a, b)| a - b).collect();
        let change: Vec<f64> = slope.iter().zip(&gradient).map(|(a, b)| a - b).collect();
        if dot(&step, &change) > f64::EPSILON * dot(&change, &change) {
            if steps.len() == MEMORY {
                steps.remove(0);
            }
            steps.push((step, change));
        }
        let fall = (value - lower) / value.abs().max(lower.abs()).max(1.0);
        (point, value, gradient) = (next, lower, slope);
        if fall <= settings.fall {
            return Ok(Some(Descended { point, value, evaluations, converged: true }));
        }
    }
    Ok(Some(Descended { point, value, evaluations, converged: false }))
}

/// −Hg on the free variables, where H is the approximation of the inverse Hessian.
fn direction(gradient: &[f64], free: &[bool], steps: &[(Vec<f64>, Vec<f64>)]) -> Vec<f64> {
    let masked = |v: &[f64]| -> Vec<f64> {
        v.iter().zip(free).map(|(v, free)| if *free { *v } else { 0.0 }).collect()
    };
    let mut q = masked(gradient);
    let pairs: Vec<(Vec<f64>, Vec<f64>)> = steps
        .iter()
        .map(|(s, y)| (masked(s), masked(y)))
        .filter(|(s, y)| dot(s, y) > f64::EPSILON * dot(y, y))
        .collect();
    let mut shares = Vec::with_capacity(pairs.len());
    for (s, y) in pairs.iter().rev() {
        let share = dot(s, &q) / dot(s, y);
        q.iter_mut().zip(y).for_each(|(q, y)| *q -= share * y);
        shares.push(share);
    }
    if let Some((s, y)) = pairs.last() {
        let scale = dot(s, y) / dot(y, y);
        q.iter_mut().for_each(|q| *q *= scale);
    }
    for ((s, y), share) in pairs.iter().zip(shares.iter().rev()) {
        let back = dot(y, &q) / dot(s, y);
        q.iter_mut().zip(s).for_each(|(q, s)| *q += (share - back) * s);
    }
    q.iter_mut().for_each(|q| *q = -*q);
    q
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIGHT: DescentSettings = DescentSettings { max_iterations: 500, gradient: 1e-9, fall: 0.0 };

    /// Rosenbrock's valley.
    fn valley(x: &[f64]) -> Result<Valued> {
        let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
        Ok(Some((a * a + 100.0 * b * b, vec![-2.0 * a - 400.0 * x[0] * b, 200.0 * b])))
    }

    #[test]
    fn the_bottom_of_a_valley_is_found() {
        let wide = [(-10.0, 10.0); 2];
        let found = descend(&[-1.2, 1.0], &wide, &TIGHT, &mut valley).unwrap().unwrap();
        assert!(
            found.converged && (found.point[0] - 1.0).abs() < 1e-8 && (found.point[1] - 1.0).abs() < 1e-8
        );
        assert!(found.evaluations < 100, "{}", found.evaluations);
    }

    #[test]
    fn a_bound_holds_and_the_rest_goes_on() {
        // With x ≤ ½ the least is at x = ½, y = ¼.
        let found = descend(&[-1.2, 1.0], &[(-2.0, 0.5), (-10.0, 10.0)], &TIGHT, &mut valley);
        let found = found.unwrap().unwrap();
        assert!(found.converged && found.point[0] == 0.5 && (found.point[1] - 0.25).abs() < 1e-8);
    }

    #[test]
    fn where_it_is_not_defined_it_does_not_go() {
        let mut logarithm = |x: &[f64]| Ok((x[0] > 0.0).then(|| (x[0] - x[0].ln(), vec![1.0 - 1.0 / x[0]])));
        let found = descend(&[5.0], &[(-100.0, 100.0)], &TIGHT, &mut logarithm).unwrap().unwrap();
        assert!((found.point[0] - 1.0).abs() < 1e-8);
        assert!(descend(&[-5.0], &[(-100.0, 100.0)], &TIGHT, &mut logarithm).unwrap().is_none());
    }
}
