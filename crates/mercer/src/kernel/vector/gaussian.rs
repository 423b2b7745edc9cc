//! The Gaussian kernel, in all its spellings.

use serde::{Deserialize, Serialize};

use crate::data::Vectors;
use crate::error::{Error, Result};
use crate::kernel::syntax::{Number, list};
use crate::kernel::vector::{Epilogue, Form, Gamma, Measure, VectorKernel, vector_kernel};
use crate::kernel::{Expression, Parameter, check};

/// The Gaussian kernel (radial basis function, squared exponential).
///
/// k(x, z) = a · exp(−γ |x − z|²) with γ = 1/(2σ²) = 1/(2ℓ²); a is 1 unless an amplitude is given, the
/// σ_f² of Gaussian processes. With one length scale per column (automatic relevance determination)
/// k(x, z) = a · exp(−½ Σₖ (xₖ − zₖ)² / ℓₖ²).
///
/// Written `gaussian(gamma=0.5)`, `gaussian(sigma=1)`, `gaussian(length_scale=1, amplitude=2)` or
/// `gaussian(length_scale=[1, 0.5])`; `gaussian` alone is `gaussian(gamma=scale)`. O(columns) per pair.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::{Kernel, vector::Gaussian};
/// let (x, z) = (Row::Dense64(&[1.0, 2.0]), Row::Dense64(&[2.0, 1.0]));
/// assert_eq!(Gaussian::gamma(0.5)?.eval(&x, &z), (-1.0f64).exp());
/// assert_eq!(Gaussian::sigma(1.0)?.eval(&x, &z), (-1.0f64).exp());
/// assert_eq!(Gaussian::length_scale(1.0)?.amplitude(2.0)?.eval(&x, &z), 2.0 * (-1.0f64).exp());
/// assert_eq!(Gaussian::length_scales(vec![1.0, 0.5])?.eval(&x, &z), (-2.5f64).exp());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gaussian {
    width: Width,
    #[serde(default, deserialize_with = "check::serde_with::optional_positive")]
    amplitude: Option<f64>,
}

/// How the width of a [`Gaussian`] kernel is written.
///
/// ```
/// use mercer::kernel::vector::{Gaussian, Width};
/// assert_eq!(Gaussian::new(Width::Sigma(2.0))?, Gaussian::sigma(2.0)?);
/// assert!(Gaussian::new(Width::LengthScale(-1.0)).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Width {
    /// exp(−γ |x − z|²)
    Gamma(Gamma),
    /// exp(−|x − z|² / (2σ²))
    Sigma(#[serde(deserialize_with = "check::serde_with::length")] f64),
    /// exp(−|x − z|² / (2ℓ²))
    LengthScale(#[serde(deserialize_with = "check::serde_with::length")] f64),
    /// exp(−½ Σₖ (xₖ − zₖ)² / ℓₖ²)
    LengthScales(#[serde(deserialize_with = "check::serde_with::lengths")] Vec<f64>),
}

impl Gaussian {
    /// exp(−γ |x − z|²) with γ a number above 0 or a rule.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn gamma(gamma: impl Into<Gamma>) -> Result<Self> {
        Gaussian::new(Width::Gamma(gamma.into()))
    }

    /// exp(−|x − z|² / (2σ²)) with σ above 0.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn sigma(sigma: f64) -> Result<Self> {
        Gaussian::new(Width::Sigma(sigma))
    }

    /// exp(−|x − z|² / (2ℓ²)) with ℓ above 0.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn length_scale(length_scale: f64) -> Result<Self> {
        Gaussian::new(Width::LengthScale(length_scale))
    }

    /// exp(−½ Σₖ (xₖ − zₖ)² / ℓₖ²) with one ℓ above 0 per column.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::Parameter`].
    pub fn length_scales(length_scales: Vec<f64>) -> Result<Self> {
        Gaussian::new(Width::LengthScales(length_scales))
    }

    /// With a width in any spelling.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::Parameter`].
    pub fn new(width: Width) -> Result<Self> {
        match &width {
            Width::Gamma(gamma) => {
                gamma.checked()?;
            }
            Width::Sigma(sigma) => {
                check::length("sigma", *sigma)?;
            }
            Width::LengthScale(length) => {
                check::length("length_scale", *length)?;
            }
            Width::LengthScales(lengths) if lengths.is_empty() => {
                return Err(Error::Empty { what: "length scales" });
            }
            Width::LengthScales(lengths) => {
                for &length in lengths {
                    check::length("length_scale", length)?;
                }
            }
        }
        Ok(Gaussian { width, amplitude: None })
    }

    /// The same kernel multiplied by an amplitude above 0.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn amplitude(mut self, amplitude: f64) -> Result<Self> {
        self.amplitude = Some(check::positive("amplitude", amplitude)?);
        Ok(self)
    }

    /// The width as it was written.
    pub fn width(&self) -> &Width {
        &self.width
    }
}

impl Default for Gaussian {
    /// `gaussian(gamma=scale)`
    fn default() -> Self {
        Gaussian { width: Width::Gamma(Gamma::Scale), amplitude: None }
    }
}

impl VectorKernel for Gaussian {
    fn name(&self) -> &'static str {
        "gaussian"
    }

    fn form(&self) -> Form {
        let (rate, scales) = match &self.width {
            Width::Gamma(gamma) => (gamma.value(), None),
            Width::Sigma(length) | Width::LengthScale(length) => (0.5 / (length * length), None),
            Width::LengthScales(lengths) => (0.5, Some(lengths.iter().map(|l| 1.0 / l).collect())),
        };
        Form { measure: Measure::SquaredDistance, epilogue: Epilogue::Exponential { rate }, scales }
    }

    fn factor(&self) -> f64 {
        self.amplitude.unwrap_or(1.0)
    }

    fn arguments(&self) -> Vec<(&'static str, String)> {
        let mut arguments = vec![match &self.width {
            Width::Gamma(gamma) => ("gamma", gamma.to_string()),
            Width::Sigma(sigma) => ("sigma", Number(*sigma).to_string()),
            Width::LengthScale(length) => ("length_scale", Number(*length).to_string()),
            Width::LengthScales(lengths) => ("length_scale", list(lengths.iter().map(|&l| Number(l)))),
        }];
        if let Some(amplitude) = self.amplitude {
            arguments.push(("amplitude", Number(amplitude).to_string()));
        }
        arguments
    }

    fn parameters(&self) -> Vec<Parameter> {
        let mut parameters = match &self.width {
            Width::Gamma(gamma) => vec![Parameter::positive("gamma", gamma.value())],
            Width::Sigma(sigma) => vec![Parameter::positive("sigma", *sigma)],
            Width::LengthScale(length) => vec![Parameter::positive("length_scale", *length)],
            Width::LengthScales(lengths) => {
                let name = |k| format!("length_scale[{k}]");
                lengths.iter().enumerate().map(|(k, &l)| Parameter::positive(name(k), l)).collect()
            }
        };
        parameters.extend(self.amplitude.map(|a| Parameter::positive("amplitude", a)));
        parameters
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Expression> {
        check::count(self.parameters().len(), values.len())?;
        let mut values = values.iter().copied();
        let mut next = |old: f64| values.next().map_or(old, |value| check::or(value, old));
        let width = match &self.width {
            Width::Gamma(gamma) => Width::Gamma(gamma.with_value(next(gamma.value()))?),
            Width::Sigma(sigma) => Width::Sigma(next(*sigma)),
            Width::LengthScale(length) => Width::LengthScale(next(*length)),
            Width::LengthScales(lengths) => Width::LengthScales(lengths.iter().map(|&l| next(l)).collect()),
        };
        let kernel = Gaussian::new(width)?;
        match self.amplitude {
            Some(amplitude) => Ok(kernel.amplitude(next(amplitude))?.into()),
            None => Ok(kernel.into()),
        }
    }

    fn is_resolved(&self) -> bool {
        !matches!(&self.width, Width::Gamma(gamma) if !gamma.is_resolved())
    }

    fn resolve(&self, rows: &Vectors<'_>, weights: Option<&[f64]>) -> Result<Expression> {
        let mut kernel = self.clone();
        if let Width::Gamma(gamma) = self.width {
            kernel.width =
                Width::Gamma(Gamma::Value(gamma.resolve(rows, weights, Measure::SquaredDistance)?));
        }
        Ok(kernel.into())
    }

    fn check(&self, rows: &Vectors<'_>) -> Result<()> {
        match &self.width {
            Width::LengthScales(lengths) if lengths.len() != rows.columns() => Err(Error::Shape {
                what: "length scales of gaussian (one per column)",
                expected: rows.columns(),
                found: lengths.len(),
            }),
            _ => Ok(()),
        }
    }
}

vector_kernel!(Gaussian);
