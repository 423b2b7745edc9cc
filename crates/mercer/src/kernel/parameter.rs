//! Named numbers of a kernel, as a search or an optimiser sees them.

/// One continuous parameter of a kernel: its name, value, and where a search should look for it.
///
/// Exponents (`degree`, `^`) and Matérn's ν choose another function and are not parameters in this sense.
///
/// ```
/// use mercer::kernel::Expression;
/// let kernel: Expression = "2 * gaussian(gamma=0.5) + linear".parse()?;
/// let names: Vec<String> = kernel.parameters().into_iter().map(|p| p.name).collect();
/// assert_eq!(names, ["terms[0].factor", "terms[0].kernel.gamma"]);
/// assert_eq!(kernel.with_parameters(&[3.0, 0.25])?.to_string(), "3 * gaussian(gamma=0.25) + linear");
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Where it stands in the expression, for example `terms[0].kernel.gamma`.
    pub name: String,
    /// Its value; NaN while it waits for data (`gamma=scale`).
    pub value: f64,
    /// Lower end of the interval that a search should try.
    pub lower: f64,
    /// Upper end of the interval that a search should try.
    pub upper: f64,
    /// Whether a search should step on a logarithmic scale.
    pub log_scale: bool,
}

impl Parameter {
    /// A parameter that is above 0 and searched on a logarithmic scale from 1e-5 to 1e5.
    pub fn positive(name: impl Into<String>, value: f64) -> Self {
        Parameter { name: name.into(), value, lower: 1e-5, upper: 1e5, log_scale: true }
    }

    /// A parameter that is searched between two ends in equal steps.
    pub fn between(name: impl Into<String>, value: f64, lower: f64, upper: f64) -> Self {
        Parameter { name: name.into(), value, lower, upper, log_scale: false }
    }
}
