//! The derivatives of one kernel on numeric rows: a function g of a sum s over the columns.
//!
//! Every parameter is a power of what it sets: the rate of g, say, is 1/(2ℓ²). So ∂ ln rate/∂ ln ℓ is a whole number, which is found by
//! doubling ℓ, and the kernels need not be gone through one by one.

use std::sync::Arc;

use super::expression::Strip;
use crate::data::{Items, Vectors};
use crate::error::{Error, Result};
use crate::gram::{Block, Columns, Evaluation, Gram as _, Plan, Precision, VectorGram};
use crate::kernel::Expression;
use crate::kernel::vector::{Epilogue, Form, Measure, power};
use crate::resources::Workers;

/// A kernel with the sums s of all pairs of rows.
pub(super) struct Leaf {
    sums: VectorGram,
    /// Without a parameter values are asked for, not sums.
    epilogue: Epilogue,
    factor: f64,
    form: Form,
    parameters: Vec<Slot>,
    /// The columns that the kernel sees, scaled, one after the other; where a parameter is about single columns.
    columns: Vec<Vec<f64>>,
}

/// A parameter: its value, and what it is about.
struct Slot {
    value: f64,
    about: About,
}

/// What a parameter sets, with the exponents of its power.
#[derive(Clone, Copy)]
enum About {
    Factor,
    /// The rate (or γ) of g, and α of a rational quadratic.
    Function {
        rate: f64,
        alpha: f64,
    },
    Constant,
    Column(usize),
    Period,
}

/// g and its derivatives at one s.
struct Slopes {
    value: f64,
    by_sum: f64,
    by_log_rate: f64,
    by_log_alpha: f64,
    by_constant: f64,
}

impl Leaf {
    pub fn new(
        kernel: &Expression,
        items: &Vectors<'_>,
        subset: Option<&[usize]>,
        plan: &Plan,
    ) -> Result<Self> {
        let unknown = || Error::Unsupported { what: format!("the parameters of {kernel} cannot be learned") };
        let (factor, form) = kernel.form().ok_or_else(unknown)?;
        let slots = kernel.parameters();
        let mut parameters = Vec::with_capacity(slots.len());
        for (p, parameter) in slots.iter().enumerate() {
            let about = match parameter.name.as_str() {
                "constant" => About::Constant,
                "period" => About::Period,
                "amplitude" => About::Factor,
                name => match name.strip_prefix("length_scale[").and_then(|rest| rest.strip_suffix(']')) {
                    Some(column) => About::Column(column.parse().map_err(|_| unknown())?),
                    None => {
                        let mut values = vec![f64::NAN; slots.len()];
                        values[p] = 2.0 * parameter.value;
                        let (_, doubled) = kernel.with_parameters(&values)?.form().ok_or_else(unknown)?;
                        exponents(form.epilogue, doubled.epilogue).ok_or_else(unknown)?
                    }
                },
            };
            parameters.push(Slot { value: parameter.value, about });
        }
        let single = |slot: &Slot| matches!(slot.about, About::Column(_) | About::Period);
        let columns = match parameters.iter().any(single) {
            true => columns(items, subset, form.scales.as_deref()),
            false => Vec::new(),
        };
        let (epilogue, factor, shown) = match parameters.is_empty() {
            true => (Epilogue::Identity, 1.0, (form.clone(), factor)),
            false => (form.epilogue, factor, (Form { epilogue: Epilogue::Identity, ..form.clone() }, 1.0)),
        };
        // Strips are shared out among the threads, so that each of them is computed by one.
        let evaluation = Evaluation {
            form: &shown.0,
            factor: shown.1,
            subset,
            precision: Precision::F64,
            level: plan.level,
            workers: &Arc::new(Workers::serial()),
        };
        let sums = VectorGram::symmetric(items, &evaluation)?;
        Ok(Leaf { sums, epilogue, factor, form, parameters, columns })
    }

    pub fn parameters(&self) -> usize {
        self.parameters.len()
    }

    fn sums(&self, strip: Strip) -> Result<Vec<f64>> {
        let mut values = vec![0.0; strip.len()];
        let rows: Vec<usize> = (strip.first..strip.first + strip.rows).collect();
        let block = Block::F64 { values: &mut values, stride: strip.columns() };
        self.sums.fill(&rows, Columns::Range(strip.first..strip.n), block)?;
        Ok(values)
    }

    pub fn values(&self, strip: Strip) -> Result<Vec<f64>> {
        let mut values = self.sums(strip)?;
        values.iter_mut().for_each(|s| *s = self.factor * self.epilogue.apply(*s, 0.0, 0.0));
        Ok(values)
    }

    pub fn push(&self, strip: Strip, adjoint: &[f64], gradient: &mut [f64]) -> Result<()> {
        if self.parameters.is_empty() {
            return Ok(());
        }
        let mut sums = self.sums(strip)?;
        // Σ adjoint · ∂k/∂…, of what all pairs have in common.
        let (mut value, mut rate, mut alpha, mut constant) = (0.0, 0.0, 0.0, 0.0);
        for (s, a) in sums.iter_mut().zip(adjoint) {
            let slopes = slopes(self.epilogue, *s);
            value += a * slopes.value;
            rate += a * slopes.by_log_rate;
            alpha += a * slopes.by_log_alpha;
            constant += a * slopes.by_constant;
            *s = a * slopes.by_sum;
        }
        for (slot, gradient) in self.parameters.iter().zip(gradient) {
            *gradient += match slot.about {
                About::Factor => value * self.factor / slot.value,
                About::Function { rate: r, alpha: a } => self.factor * (r * rate + a * alpha) / slot.value,
                About::Constant => self.factor * constant,
                About::Column(k) => -self.factor * self.by_log_scale(k, strip, &sums) / slot.value,
                About::Period => self.factor * self.by_log_period(strip, &sums) / slot.value,
            };
        }
        Ok(())
    }

    /// Σ slope · ∂s/∂ ln scale of one column: s is of degree 2 in it.
    fn by_log_scale(&self, k: usize, strip: Strip, slopes: &[f64]) -> f64 {
        let column = &self.columns[k][strip.first..strip.n];
        let mut total = 0.0;
        for (r, slopes) in slopes.chunks(strip.columns()).enumerate() {
            total += weighted_squares(column[r], column, slopes);
        }
        2.0 * total
    }

    /// Σ slope · ∂s/∂ ln period, with s = Σ sin²(π(x − z)/period).
    fn by_log_period(&self, strip: Strip, slopes: &[f64]) -> f64 {
        let Measure::SineSquared { period } = self.form.measure else { return 0.0 };
        let mut total = 0.0;
        for column in &self.columns {
            let column = &column[strip.first..strip.n];
            for (r, slopes) in slopes.chunks(strip.columns()).enumerate() {
                for (z, slope) in column.iter().zip(slopes) {
                    let angle = std::f64::consts::PI * (column[r] - z) / period;
                    total -= slope * angle * (2.0 * angle).sin();
                }
            }
        }
        total
    }
}

/// Σⱼ weightⱼ (x − zⱼ)², in eight sums side by side.
fn weighted_squares(x: f64, column: &[f64], weights: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (columns, weight_chunks) = (column.chunks_exact(8), weights.chunks_exact(8));
    let rest: f64 =
        columns.remainder().iter().zip(weight_chunks.remainder()).map(|(z, w)| w * (x - z) * (x - z)).sum();
    for (z, w) in columns.zip(weight_chunks) {
        for lane in 0..8 {
            let difference = x - z[lane];
            sums[lane] += w[lane] * difference * difference;
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// The columns that a kernel sees, scaled as it scales them.
fn columns(items: &Vectors<'_>, subset: Option<&[usize]>, scales: Option<&[f64]>) -> Vec<Vec<f64>> {
    let seen: Vec<usize> = subset.map_or_else(|| (0..items.columns()).collect(), <[usize]>::to_vec);
    let mut columns = vec![vec![0.0; items.len()]; seen.len()];
    for i in 0..items.len() {
        let row = items.get(i).to_dense(items.columns());
        for (position, &k) in seen.iter().enumerate() {
            columns[position][i] = row[k] * scales.map_or(1.0, |scales| scales[position]);
        }
    }
    columns
}

/// By which powers a function changed when a parameter was doubled.
fn exponents(before: Epilogue, after: Epilogue) -> Option<About> {
    let power = |before: f64, after: f64| (after / before).log2().round();
    let (rate, alpha) = match (before, after) {
        (Epilogue::Polynomial { gamma: a, .. }, Epilogue::Polynomial { gamma: b, .. })
        | (Epilogue::Tanh { gamma: a, .. }, Epilogue::Tanh { gamma: b, .. })
        | (Epilogue::Exponential { rate: a }, Epilogue::Exponential { rate: b })
        | (Epilogue::ExponentialRoot { rate: a }, Epilogue::ExponentialRoot { rate: b })
        | (Epilogue::Matern32 { rate: a }, Epilogue::Matern32 { rate: b })
        | (Epilogue::Matern52 { rate: a }, Epilogue::Matern52 { rate: b }) => (power(a, b), 0.0),
        (
            Epilogue::RationalQuadratic { rate: a, alpha: before },
            Epilogue::RationalQuadratic { rate: b, alpha: after },
        ) => (power(a, b), power(before, after)),
        _ => return None,
    };
    Some(About::Function { rate, alpha })
}

fn slopes(epilogue: Epilogue, s: f64) -> Slopes {
    let none = Slopes { value: 0.0, by_sum: 0.0, by_log_rate: 0.0, by_log_alpha: 0.0, by_constant: 0.0 };
    match epilogue {
        Epilogue::Identity | Epilogue::Cosine => Slopes { value: s, by_sum: 1.0, ..none },
        Epilogue::Polynomial { gamma, constant, degree } => {
            let base = gamma * s + constant;
            let slope = if degree == 0 { 0.0 } else { f64::from(degree) * power(base, degree - 1) };
            let value = power(base, degree);
            Slopes {
                value,
                by_sum: slope * gamma,
                by_log_rate: slope * gamma * s,
                by_constant: slope,
                ..none
            }
        }
        Epilogue::Exponential { rate } => {
            let value = (-rate * s).exp();
            Slopes { value, by_sum: -rate * value, by_log_rate: -rate * s * value, ..none }
        }
        Epilogue::ExponentialRoot { rate } => {
            let r = rate * s.sqrt();
            let value = (-r).exp();
            // At s = 0 there is no slope in s; no column is about it.
            let by_sum = if s > 0.0 { -0.5 * r * value / s } else { 0.0 };
            Slopes { value, by_sum, by_log_rate: -r * value, ..none }
        }
        Epilogue::Matern32 { rate } => {
            let r = rate * s.sqrt();
            let e = (-r).exp();
            let (by_sum, by_log_rate) = (-0.5 * rate * rate * e, -r * r * e);
            Slopes { value: (1.0 + r) * e, by_sum, by_log_rate, ..none }
        }
        Epilogue::Matern52 { rate } => {
            let r = rate * s.sqrt();
            let e = (-r).exp();
            let by_sum = -rate * rate * (1.0 + r) * e / 6.0;
            let by_log_rate = -r * r * (1.0 + r) * e / 3.0;
            Slopes { value: (1.0 + r + r * r / 3.0) * e, by_sum, by_log_rate, ..none }
        }
        Epilogue::RationalQuadratic { rate, alpha } => {
            let base = 1.0 + rate * s;
            let value = base.powf(-alpha);
            let slope = -alpha * value / base;
            let by_log_alpha = -alpha * base.ln() * value;
            Slopes { value, by_sum: slope * rate, by_log_rate: slope * rate * s, by_log_alpha, ..none }
        }
        Epilogue::Tanh { gamma, constant } => {
            let value = (gamma * s + constant).tanh();
            let slope = 1.0 - value * value;
            Slopes {
                value,
                by_sum: slope * gamma,
                by_log_rate: slope * gamma * s,
                by_constant: slope,
                ..none
            }
        }
    }
}
