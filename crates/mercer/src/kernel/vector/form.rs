//! The common form of all vector kernels: a sum over columns, then a function of that sum.
//!
//! k(x, z) = g(s, |x|², |z|²) with s = Σₖ φ(xₖ, zₖ). The sum φ is a [`Measure`], the function g an
//! [`Epilogue`]. Written once in this form, a kernel serves single pairs, dense blocks in f32 and f64 on
//! every instruction set, and sparse rows.

use crate::data::Row;

/// φ: what is summed over the columns. All are symmetric and have φ(0, 0) = 0, so that sparse rows only
/// visit stored columns.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::vector::Measure;
/// let (x, z) = (Row::Dense64(&[1.0, 2.0]), Row::Dense64(&[3.0, 5.0]));
/// assert_eq!(Measure::Dot.sum(&x, &z, None), 13.0);
/// assert_eq!(Measure::Manhattan.sum(&x, &z, None), 5.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// xz: the inner product ⟨x, z⟩.
    Dot,
    /// (x − z)²: the squared Euclidean distance.
    SquaredDistance,
    /// |x − z|: the Manhattan distance.
    Manhattan,
    /// (x − z)² / (x + z), 0 where both are 0: the χ² distance of histograms.
    ChiSquareDistance,
    /// 2xz / (x + z), 0 where both are 0: the additive χ² similarity of histograms.
    ChiSquareSimilarity,
    /// min(x, z): the intersection of histograms.
    Minimum,
    /// sin²(π (x − z) / period).
    SineSquared {
        /// Distance after which the values repeat.
        period: f64,
    },
}

impl Measure {
    /// φ of two numbers, by its definition.
    pub fn term(self, x: f64, z: f64) -> f64 {
        match self {
            Measure::Dot => x * z,
            Measure::SquaredDistance => (x - z) * (x - z),
            Measure::Manhattan => (x - z).abs(),
            Measure::ChiSquareDistance if x + z == 0.0 => 0.0,
            Measure::ChiSquareDistance => (x - z) * (x - z) / (x + z),
            Measure::ChiSquareSimilarity if x + z == 0.0 => 0.0,
            Measure::ChiSquareSimilarity => 2.0 * x * z / (x + z),
            Measure::Minimum => x.min(z),
            Measure::SineSquared { period } => {
                let s = (std::f64::consts::PI * (x - z) / period).sin();
                s * s
            }
        }
    }

    /// Σ φ over two rows of any form; column k is first multiplied by `scales[k]` if given.
    ///
    /// O(columns), or O(stored entries) when both are sparse. A column beyond the scales makes the sum NaN.
    pub fn sum(self, x: &Row<'_>, z: &Row<'_>, scales: Option<&[f64]>) -> f64 {
        let scale = |k: usize| scales.map_or(1.0, |s| s.get(k).copied().unwrap_or(f64::NAN));
        let mut total = 0.0;
        for_each_pair(x, z, |k, a, b| total += self.term(a * scale(k), b * scale(k)));
        total
    }
}

/// Visits the union of the stored columns of two rows.
pub(super) fn for_each_pair(x: &Row<'_>, z: &Row<'_>, mut visit: impl FnMut(usize, f64, f64)) {
    let (mut i, mut j) = (0, 0);
    loop {
        match (entry(x, i), entry(z, j)) {
            (Some((k, a)), Some((l, b))) if k == l => {
                visit(k, a, b);
                i += 1;
                j += 1;
            }
            (Some((k, a)), Some((l, _))) if k < l => {
                visit(k, a, 0.0);
                i += 1;
            }
            (_, Some((l, b))) => {
                visit(l, 0.0, b);
                j += 1;
            }
            (Some((k, a)), None) => {
                visit(k, a, 0.0);
                i += 1;
            }
            (None, None) => return,
        }
    }
}

fn entry(row: &Row<'_>, at: usize) -> Option<(usize, f64)> {
    match row {
        Row::Dense64(values) => values.get(at).map(|&v| (at, v)),
        Row::Dense32(values) => values.get(at).map(|&v| (at, f64::from(v))),
        Row::Strided64(values) => values.get(at).map(|v| (at, v)),
        Row::Strided32(values) => values.get(at).map(|v| (at, f64::from(v))),
        Row::Sparse { indices, values } => indices.get(at).map(|&k| (k as usize, values[at])),
    }
}

/// g: the function of the sum s (and for [`Epilogue::Cosine`] of the squared norms) that gives the value.
///
/// ```
/// use mercer::kernel::vector::Epilogue;
/// let square = Epilogue::Polynomial { gamma: 1.0, constant: 1.0, degree: 2 };
/// assert_eq!(square.apply(2.0, 0.0, 0.0), 9.0);
/// assert_eq!(Epilogue::Cosine.apply(6.0, 4.0, 9.0), 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Epilogue {
    /// s
    Identity,
    /// (γ s + c)^degree
    Polynomial {
        /// γ
        gamma: f64,
        /// c
        constant: f64,
        /// The exponent.
        degree: u32,
    },
    /// exp(−rate · s)
    Exponential {
        /// The rate, above 0.
        rate: f64,
    },
    /// exp(−r), r = rate · √s (Matérn ½)
    ExponentialRoot {
        /// The rate, above 0.
        rate: f64,
    },
    /// (1 + r) exp(−r), r = rate · √s
    Matern32 {
        /// The rate, above 0.
        rate: f64,
    },
    /// (1 + r + r²/3) exp(−r), r = rate · √s
    Matern52 {
        /// The rate, above 0.
        rate: f64,
    },
    /// (1 + rate · s)^(−alpha)
    RationalQuadratic {
        /// 1 / (2 α ℓ²)
        rate: f64,
        /// α
        alpha: f64,
    },
    /// tanh(γ s + c)
    Tanh {
        /// γ
        gamma: f64,
        /// c
        constant: f64,
    },
    /// s / √(|x|² |z|²); 0 if either row is zero
    Cosine,
}

impl Epilogue {
    /// g in double precision, by its definition.
    pub fn apply(self, s: f64, squared_norm_x: f64, squared_norm_z: f64) -> f64 {
        match self {
            Epilogue::Identity => s,
            Epilogue::Polynomial { gamma, constant, degree } => power(gamma * s + constant, degree),
            Epilogue::Exponential { rate } => (-rate * s).exp(),
            Epilogue::ExponentialRoot { rate } => (-rate * s.sqrt()).exp(),
            Epilogue::Matern32 { rate } => {
                let r = rate * s.sqrt();
                (1.0 + r) * (-r).exp()
            }
            Epilogue::Matern52 { rate } => {
                let r = rate * s.sqrt();
                (1.0 + r + r * r / 3.0) * (-r).exp()
            }
            Epilogue::RationalQuadratic { rate, alpha } => (1.0 + rate * s).powf(-alpha),
            Epilogue::Tanh { gamma, constant } => (gamma * s + constant).tanh(),
            Epilogue::Cosine => {
                let norms = squared_norm_x.sqrt() * squared_norm_z.sqrt();
                if norms == 0.0 { 0.0 } else { s / norms }
            }
        }
    }
}

/// base^exponent by repeated squaring.
pub fn power(base: f64, exponent: u32) -> f64 {
    let (mut result, mut square, mut rest) = (1.0, base, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            result *= square;
        }
        square *= square;
        rest >>= 1;
    }
    result
}

/// A vector kernel written as measure, epilogue and column scales.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::vector::{Epilogue, Form, Measure};
/// let form = Form { measure: Measure::Dot, epilogue: Epilogue::Identity, scales: Some(vec![1.0, 10.0]) };
/// let row = Row::Dense64(&[1.0, 1.0]);
/// assert_eq!(form.eval(&row, &row), 101.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// φ
    pub measure: Measure,
    /// g
    pub epilogue: Epilogue,
    /// Factors of the columns (1/ℓₖ of ARD kernels), applied to both items before φ.
    pub scales: Option<Vec<f64>>,
}

impl Form {
    /// k(x, z).
    pub fn eval(&self, x: &Row<'_>, z: &Row<'_>) -> f64 {
        let scales = self.scales.as_deref();
        let s = self.measure.sum(x, z, scales);
        let (xx, zz) = match self.epilogue {
            Epilogue::Cosine => (Measure::Dot.sum(x, x, scales), Measure::Dot.sum(z, z, scales)),
            _ => (0.0, 0.0),
        };
        self.epilogue.apply(s, xx, zz)
    }
}
