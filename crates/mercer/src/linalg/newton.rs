//! The least value of a smooth convex function, by Newton's method with products alone.

use crate::error::{Error, Result};

/// A step is shortened by this until the value falls by a share of what the slope promises.
const SHORTER: f64 = 0.5;
const SHARE: f64 = 1e-4;
/// The residual of each inner system, as a share of the gradient.
const FORCING: f64 = 0.1;

/// A convex function with a gradient that is known, and products of its second derivative with vectors.
pub trait Smooth {
    /// What is computed once per point.
    type Point;

    /// What is known at x.
    ///
    /// # Errors
    /// Those of the function.
    fn at(&self, x: &[f64]) -> Result<Self::Point>;

    /// f(x)
    fn value(&self, point: &Self::Point) -> f64;

    /// ∇f(x)
    ///
    /// # Errors
    /// Those of the function.
    fn gradient(&self, point: &Self::Point) -> Result<Vec<f64>>;

    /// ∇²f(x)v
    ///
    /// # Errors
    /// Those of the function.
    fn curved(&self, point: &Self::Point, v: &[f64]) -> Result<Vec<f64>>;
}

/// Where Newton's method ended.
///
/// ```
/// use mercer::Result;
/// use mercer::linalg::{NewtonEnd, Smooth};
/// // (x − 3)²
/// struct Parabola;
/// impl Smooth for Parabola {
///     type Point = f64;
///     fn at(&self, x: &[f64]) -> Result<f64> { Ok(x[0]) }
///     fn value(&self, x: &f64) -> f64 { (x - 3.0) * (x - 3.0) }
///     fn gradient(&self, x: &f64) -> Result<Vec<f64>> { Ok(vec![2.0 * (x - 3.0)]) }
///     fn curved(&self, _: &f64, v: &[f64]) -> Result<Vec<f64>> { Ok(vec![2.0 * v[0]]) }
/// }
/// let end = NewtonEnd::of(&Parabola, vec![0.0], 1e-9, 10)?;
/// assert!(end.converged && (end.x[0] - 3.0).abs() < 1e-12);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NewtonEnd {
    /// The point.
    pub x: Vec<f64>,
    /// f there.
    pub value: f64,
    /// ‖∇f‖ there.
    pub gradient: f64,
    /// Steps that were taken.
    pub steps: usize,
    /// Whether the gradient is at most the tolerance times what it was at the start.
    pub converged: bool,
}

impl NewtonEnd {
    /// Goes from a start to where ‖∇f‖ is at most `tolerance` times what it was at the start, or as far as `most` steps lead.
    ///
    /// Each step solves ∇²f d = −∇f by conjugate gradients, as far as it pays, and is shortened until f falls (R. S. Dembo,
    /// T. Steihaug: Truncated-Newton algorithms, Mathematical Programming 26 (1983)).
    ///
    /// # Errors
    /// Those of the function; [`Error::NoConvergence`] where it is not finite.
    pub fn of<F: Smooth>(function: &F, start: Vec<f64>, tolerance: f64, most: usize) -> Result<Self> {
        let mut x = start;
        let mut point = function.at(&x)?;
        let mut value = function.value(&point);
        let mut gradient = function.gradient(&point)?;
        let limit = tolerance * norm(&gradient);
        if !(value.is_finite() && limit.is_finite()) {
            return Err(Error::NoConvergence { what: "Newton's method" });
        }
        let mut steps = 0;
        while norm(&gradient) > limit && steps < most {
            if !value.is_finite() {
                return Err(Error::NoConvergence { what: "Newton's method" });
            }
            let direction = direction(function, &point, &gradient)?;
            let slope = dot(&gradient, &direction);
            let mut length = 1.0;
            let next = loop {
                let tried: Vec<f64> = x.iter().zip(&direction).map(|(x, d)| x + length * d).collect();
                let at = function.at(&tried)?;
                let found = function.value(&at);
                if found <= value + SHARE * length * slope {
                    break Some((tried, at, found));
                }
                length *= SHORTER;
                if length < 1e-10 {
                    break None;
                }
            };
            // Rounding hides what is left to be gained.
            let Some(next) = next else { break };
            (x, point, value) = next;
            gradient = function.gradient(&point)?;
            steps += 1;
        }
        let size = norm(&gradient);
        Ok(NewtonEnd { x, value, gradient: size, steps, converged: size <= limit })
    }
}

/// About −(∇²f)⁻¹∇f, by conjugate gradients from 0.
fn direction<F: Smooth>(function: &F, point: &F::Point, gradient: &[f64]) -> Result<Vec<f64>> {
    let mut d = vec![0.0; gradient.len()];
    let mut residual: Vec<f64> = gradient.iter().map(|g| -g).collect();
    let mut along = residual.clone();
    let mut size = dot(&residual, &residual);
    // The nearer to the end, the more exact: steps are then quadratic.
    let enough = size * FORCING.min(size.sqrt().sqrt()).powi(2);
    for _ in 0..gradient.len().max(10) {
        if size <= enough {
            break;
        }
        let image = function.curved(point, &along)?;
        let curvature = dot(&along, &image);
        if curvature <= f64::EPSILON * dot(&along, &along) {
            break;
        }
        let length = size / curvature;
        d.iter_mut().zip(&along).for_each(|(d, a)| *d += length * a);
        residual.iter_mut().zip(&image).for_each(|(r, i)| *r -= length * i);
        let next = dot(&residual, &residual);
        along.iter_mut().zip(&residual).for_each(|(a, r)| *a = r + next / size * *a);
        size = next;
    }
    // Nothing curved was found: downhill.
    if d.iter().all(|d| *d == 0.0) {
        d.iter_mut().zip(gradient).for_each(|(d, g)| *d = -g);
    }
    Ok(d)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}
