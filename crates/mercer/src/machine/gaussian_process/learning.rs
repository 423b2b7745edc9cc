//! Parameters of kernels, learned from a likelihood.

use serde::{Deserialize, Serialize};

use super::Differentiable;
use super::box_descent::{DescentSettings, Valued, descend};
use crate::data::{Items, Random};
use crate::error::{Error, Result};
use crate::kernel::Parameter;
use crate::machine::whole::bytes;

/// How the parameters of a kernel are learned: by quasi-Newton steps on the logarithms of those that are above 0, from where they stand
/// and from points that are drawn between the bounds of the parameters.
///
/// ```
/// use mercer::machine::Learning;
/// let learning = Learning { restarts: 4, ..Learning::default() };
/// assert_eq!((learning.seed, learning.max_iterations), (0, 200));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Learning {
    /// Further starts from random points; the best end counts. Default 0.
    pub restarts: usize,
    /// Seed of the random points.
    pub seed: u64,
    /// Most steps from each start; default 200.
    pub max_iterations: usize,
}

impl Default for Learning {
    fn default() -> Self {
        Learning { restarts: 0, seed: 0, max_iterations: 200 }
    }
}

/// A parameter that is nearer to its bound than this share of the way between both, as the descent sees it, is at it.
const BOUND: f64 = 1e-6;

/// How the learning of parameters went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearnedKernel {
    /// The log-likelihood that each start ended with; `None` where it was not defined.
    pub ends: Vec<Option<f64>>,
    /// Evaluations of likelihood and gradient, in all.
    pub evaluations: usize,
    /// The rows that parameters were learned from, drawn at random, where the memory or the rank does not allow all.
    #[serde(default)]
    pub rows: Option<usize>,
    /// Whether the best start ended at a point where the gradient is 0, up to the bounds, or nothing more was to be gained.
    pub converged: bool,
    /// Parameters that ended at a bound, so that a better value may lie beyond: what each is called, and the bound.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub at_bounds: Vec<(String, f64)>,
}

/// The positions of so many of n rows, drawn at random, in order.
pub(super) fn drawn(count: usize, n: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    Random::new(seed).shuffle(&mut order);
    order.truncate(count);
    order.sort_unstable();
    order
}

/// How many rows there is the memory to learn from, with so many matrices of their number.
pub(super) fn learnable(memory: u64, matrices: u64, n: usize) -> usize {
    let fits = |rows: usize| bytes(matrices, rows) <= memory;
    (0..usize::BITS).rev().fold(0, |rows, bit| {
        let more = rows | 1usize.checked_shl(bit).unwrap_or(0);
        if more <= n && fits(more) { more } else { rows }
    })
}

/// A value and its gradient.
pub(super) type Sloped = (f64, Vec<f64>);

/// The kernel with the largest `likelihood`.
pub(super) fn learn<K, I>(
    kernel: &K,
    learning: &Learning,
    likelihood: &mut dyn FnMut(&K) -> Result<Sloped>,
) -> Result<(K, LearnedKernel)>
where
    I: Items,
    K: Differentiable<I>,
{
    let parameters = kernel.parameters();
    for parameter in &parameters {
        let fine = if parameter.log_scale { parameter.value > 0.0 } else { !parameter.value.is_nan() };
        if !fine {
            let expected = "a number above 0, to be learned on a logarithmic scale";
            return Err(Error::Parameter {
                name: "parameter of the kernel",
                value: parameter.value,
                expected,
            });
        }
    }
    let bounds: Vec<(f64, f64)> = parameters.iter().map(|p| (inner(p, p.lower), inner(p, p.upper))).collect();
    let settings = DescentSettings { max_iterations: learning.max_iterations, gradient: 1e-5, fall: 2.2e-9 };
    let with = |point: &[f64]| -> Result<K> {
        let values: Vec<f64> = parameters.iter().zip(point).map(|(p, &u)| outer(p, u)).collect();
        kernel.with_parameters(&values)
    };
    let mut random = Random::new(learning.seed);
    let (ends, at_bounds) = (Vec::new(), Vec::new());
    let mut report = LearnedKernel { ends, evaluations: 0, rows: None, converged: false, at_bounds };
    let mut best: Option<(f64, Vec<f64>)> = None;
    for start in 0..=learning.restarts {
        let from: Vec<f64> = match start {
            0 => parameters.iter().map(|p| inner(p, p.value)).collect(),
            _ => bounds.iter().map(|(low, high)| low + (high - low) * random.uniform()).collect(),
        };
        let mut function = |point: &[f64]| -> Result<Valued> {
            let kernel = with(point)?;
            match likelihood(&kernel) {
                Ok((value, gradient)) if value.is_finite() => {
                    let slope = |(p, (g, &u)): (&Parameter, (&f64, &f64))| {
                        if p.log_scale { -g * outer(p, u) } else { -g }
                    };
                    let gradient = parameters.iter().zip(gradient.iter().zip(point)).map(slope).collect();
                    Ok(Some((-value, gradient)))
                }
                // Parameters with which K is singular are no good ones.
                Ok(_) | Err(Error::Pivot { .. } | Error::NonFinite { .. } | Error::KernelValue { .. }) => {
                    Ok(None)
                }
                Err(error) => Err(error),
            }
        };
        let end = descend(&from, &bounds, &settings, &mut function)?;
        report.ends.push(end.as_ref().map(|end| -end.value));
        if let Some(end) = end {
            report.evaluations += end.evaluations;
            if best.as_ref().is_none_or(|(value, _)| end.value < *value) {
                best = Some((end.value, end.point));
                report.converged = end.converged;
            }
        }
    }
    match best {
        Some((_, point)) => {
            for ((parameter, &end), (low, high)) in parameters.iter().zip(&point).zip(&bounds) {
                let near = BOUND * (high - low);
                for (bound, value) in [(low, parameter.lower), (high, parameter.upper)] {
                    // Some bounds are so wide that nothing is near them.
                    if near.is_finite() && (end - bound).abs() <= near {
                        report.at_bounds.push((parameter.name.clone(), value));
                    }
                }
            }
            Ok((with(&point)?, report))
        }
        None => Err(Error::Undefined {
            what: "the likelihood of the kernel".into(),
            why: "K is not positive definite at any of the points that learning began with".into(),
        }),
    }
}

/// A value as the descent sees it.
fn inner(parameter: &Parameter, value: f64) -> f64 {
    if parameter.log_scale { value.ln() } else { value }
}

fn outer(parameter: &Parameter, value: f64) -> f64 {
    if parameter.log_scale { value.exp() } else { value }
}
