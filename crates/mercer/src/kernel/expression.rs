//! The closed family of kernels on numeric rows that can be printed, parsed and stored.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::data::{Items, Row, Vectors, check_weights};
use crate::error::{Error, Result};
use crate::kernel::combine::{Centre, Columns, Normalise, Power, Product, Scale, Sum};
use crate::kernel::vector::{
    AdditiveChi2, Anova, Chi2, Cosine, Exponential, Form, Gaussian, Intersection, Laplacian, Linear, Matern,
    Periodic, Polynomial, RationalQuadratic, Sigmoid, VectorKernel, Width,
};
use crate::kernel::{Constant, Definiteness, Kernel, Parameter, White, check};

/// A kernel on numeric rows: one of the kernels of Mercer, or a combination of them.
///
/// It prints as it was written and parses back to an equal value. What waits for data (`gamma=scale`, the
/// reference rows of `centre`) is filled in by [`resolve`](Expression::resolve); until then values are NaN.
///
/// ```text
/// expression = term { ("+" | "-") term }
/// term       = power { "*" power }          numbers among the powers are multiplied into one factor
/// power      = primary [ "^" whole number ]
/// primary    = number | "(" expression ")" | name [ "(" arguments ")" ]
/// ```
///
/// The names are those of the structs of [`kernel::vector`](crate::kernel::vector) in small letters, and
/// `constant`, `white`, `normalise(k)`, `centre(k)`, `columns(0:3, k)`. O(values of all parts) per pair.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::{Expression, vector::{Gaussian, Linear}};
/// let kernel = 0.5 * Gaussian::gamma(0.1)? + Linear;
/// assert_eq!(kernel.to_string(), "0.5 * gaussian(gamma=0.1) + linear");
/// assert_eq!(kernel, "0.5 * rbf(gamma=0.1) + linear".parse()?);
///
/// let rows = Vectors::from_rows(&[[0.0], [2.0]])?;
/// let resolved = "gaussian".parse::<Expression>()?.resolve(&rows)?;
/// assert_eq!(resolved.to_string(), "gaussian(gamma=1)");
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Expression {
    /// `linear`
    Linear(Linear),
    /// `polynomial(degree=3, gamma=1, constant=1)`
    Polynomial(Polynomial),
    /// `gaussian(gamma=0.5)`
    Gaussian(Gaussian),
    /// `laplacian(gamma=0.5)`
    Laplacian(Laplacian),
    /// `exponential(length_scale=1)`
    Exponential(Exponential),
    /// `matern(nu=1.5, length_scale=1)`
    Matern(Matern),
    /// `rational_quadratic(alpha=1, length_scale=1)`
    RationalQuadratic(RationalQuadratic),
    /// `periodic(period=1, length_scale=1)`
    Periodic(Periodic),
    /// `sigmoid(gamma=1, constant=0)`
    Sigmoid(Sigmoid),
    /// `cosine`
    Cosine(Cosine),
    /// `chi2(gamma=1)`
    Chi2(Chi2),
    /// `additive_chi2`
    AdditiveChi2(AdditiveChi2),
    /// `intersection`
    Intersection(Intersection),
    /// `anova(degree=2)`
    Anova(Anova),
    /// `constant(1)`
    Constant(Constant),
    /// `white(0.1)`
    White(White),
    /// `a + b`
    Sum(Sum),
    /// `a * b`
    Product(Product),
    /// `0.5 * k`
    Scale(Scale),
    /// `k ^ 2`
    Power(Power),
    /// `normalise(k)`
    Normalise(Normalise),
    /// `centre(k)`
    Centre(Centre),
    /// `columns(0:3, k)`
    Columns(Columns),
}

impl Expression {
    /// The kernel on numeric rows that this is, if it has a form: it is no combination, `anova`, `constant` or `white`.
    pub fn as_vector_kernel(&self) -> Option<&dyn VectorKernel> {
        Some(match self {
            Expression::Linear(k) => k,
            Expression::Polynomial(k) => k,
            Expression::Gaussian(k) => k,
            Expression::Laplacian(k) => k,
            Expression::Exponential(k) => k,
            Expression::Matern(k) => k,
            Expression::RationalQuadratic(k) => k,
            Expression::Periodic(k) => k,
            Expression::Sigmoid(k) => k,
            Expression::Cosine(k) => k,
            Expression::Chi2(k) => k,
            Expression::AdditiveChi2(k) => k,
            Expression::Intersection(k) => k,
            Expression::Anova(_)
            | Expression::Constant(_)
            | Expression::White(_)
            | Expression::Sum(_)
            | Expression::Product(_)
            | Expression::Scale(_)
            | Expression::Power(_)
            | Expression::Normalise(_)
            | Expression::Centre(_)
            | Expression::Columns(_) => return None,
        })
    }

    /// A factor and a form with k(x, z) = factor · form(x, z), for kernels on numeric rows and multiples of
    /// them; `None` for all other combinations.
    ///
    /// ```
    /// use mercer::kernel::Expression;
    /// use mercer::kernel::vector::Measure;
    /// let (factor, form) = "3 * linear".parse::<Expression>()?.form().unwrap();
    /// assert_eq!((factor, form.measure), (3.0, Measure::Dot));
    /// assert!("linear + cosine".parse::<Expression>()?.form().is_none());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn form(&self) -> Option<(f64, Form)> {
        match self {
            Expression::Scale(scale) => {
                scale.kernel().form().map(|(factor, form)| (scale.factor() * factor, form))
            }
            kernel => kernel.as_vector_kernel().map(|k| (k.factor(), k.form())),
        }
    }

    /// The kernels it is made of, in the order they are written.
    ///
    /// ```
    /// use mercer::kernel::Expression;
    /// let kernel: Expression = "linear + 2 * cosine".parse()?;
    /// let parts: Vec<String> = kernel.children().iter().map(|part| part.to_string()).collect();
    /// assert_eq!(parts, ["linear", "2 * cosine"]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn children(&self) -> &[Expression] {
        match self {
            Expression::Sum(k) => k.terms(),
            Expression::Product(k) => k.factors(),
            Expression::Scale(k) => std::slice::from_ref(k.kernel()),
            Expression::Power(k) => std::slice::from_ref(k.kernel()),
            Expression::Normalise(k) => std::slice::from_ref(k.kernel()),
            Expression::Centre(k) => std::slice::from_ref(k.kernel()),
            Expression::Columns(k) => std::slice::from_ref(k.kernel()),
            _ => &[],
        }
    }

    /// The same combination of other kernels, or the same kernel if it is no combination.
    pub(super) fn map_children(
        &self,
        mut map: impl FnMut(&Expression) -> Result<Expression>,
    ) -> Result<Expression> {
        let mut one = |kernel: &Expression| map(kernel).map(Box::new);
        Ok(match self {
            Expression::Sum(k) => {
                Expression::Sum(Sum { terms: k.terms().iter().map(map).collect::<Result<_>>()? })
            }
            Expression::Product(k) => {
                Expression::Product(Product { factors: k.factors().iter().map(map).collect::<Result<_>>()? })
            }
            Expression::Scale(k) => Expression::Scale(Scale { factor: k.factor, kernel: one(&k.kernel)? }),
            Expression::Power(k) => {
                Expression::Power(Power { exponent: k.exponent, kernel: one(&k.kernel)? })
            }
            Expression::Normalise(k) => Expression::Normalise(Normalise { kernel: one(&k.kernel)? }),
            Expression::Centre(k) => {
                Expression::Centre(Centre::new(map(&k.kernel)?).with_reference(k.reference().cloned()))
            }
            Expression::Columns(k) => {
                Expression::Columns(Columns { selection: k.selection.clone(), kernel: one(&k.kernel)? })
            }
            kernel => kernel.clone(),
        })
    }

    /// Whether nothing waits for data any more.
    pub fn is_resolved(&self) -> bool {
        self.as_vector_kernel().is_none_or(|k| k.is_resolved())
            && !matches!(self, Expression::Centre(k) if k.reference().is_none())
            && !matches!(self, Expression::Anova(k) if !k.is_resolved())
            && self.children().iter().all(Expression::is_resolved)
    }

    /// Fills in what waits for data: rules such as `gamma=scale` become numbers, and `centre` gets a copy of
    /// the rows. What is already known stays, so that to resolve twice is to resolve once.
    ///
    /// O(rows · columns), and what the rules of [`Gamma`](crate::kernel::vector::Gamma) cost.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::kernel::Expression;
    /// let kernel: Expression = "gaussian(gamma=auto)".parse()?;
    /// let rows = Vectors::from_rows(&[[1.0, 2.0], [3.0, 4.0]])?;
    /// assert!(!kernel.is_resolved());
    /// assert_eq!(kernel.resolve(&rows)?.to_string(), "gaussian(gamma=0.5)");
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`check`](Expression::check); [`Error::Empty`] if something waits for data and there are no
    /// rows; [`Error::Parameter`] if the data give no usable number.
    pub fn resolve(&self, rows: &Vectors<'_>) -> Result<Expression> {
        self.resolve_weighted(rows, None)
    }

    /// The same where a row of weight w counts as w rows. The mean of `centre` is that of all rows, whatever they weigh.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::kernel::Expression;
    /// let kernel: Expression = "gaussian(gamma=median)".parse()?;
    /// let weighted = kernel.resolve_weighted(&Vectors::from_rows(&[[0.0], [1.0], [5.0]])?, Some(&[1.0, 2.0, 3.0]))?;
    /// let repeated = kernel.resolve(&Vectors::from_rows(&[[0.0], [1.0], [1.0], [5.0], [5.0], [5.0]])?)?;
    /// assert_eq!(weighted, repeated);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`resolve`](Expression::resolve), and those of [`check_weights`].
    pub fn resolve_weighted(&self, rows: &Vectors<'_>, weights: Option<&[f64]>) -> Result<Expression> {
        self.check(rows)?;
        if let Some(weights) = weights {
            check_weights(weights, rows.len())?;
        }
        self.fill_in(rows, weights)
    }

    fn fill_in(&self, rows: &Vectors<'_>, weights: Option<&[f64]>) -> Result<Expression> {
        match self {
            kernel if kernel.is_resolved() => Ok(kernel.clone()),
            Expression::Anova(k) => k.resolve(rows).map(Expression::from),
            Expression::Columns(k) => {
                let selected = k.selection().project(rows)?;
                self.map_children(|child| child.fill_in(&selected, weights))
            }
            Expression::Centre(k) => {
                let reference = match k.reference() {
                    Some(reference) => Arc::clone(reference),
                    None if rows.is_empty() => return Err(Error::Empty { what: "rows" }),
                    None => Arc::new(rows.select(&(0..rows.len()).collect::<Vec<_>>())),
                };
                Ok(Centre::new(k.kernel().fill_in(rows, weights)?).with_reference(Some(reference)).into())
            }
            kernel => match kernel.as_vector_kernel() {
                Some(base) => base.resolve(rows, weights),
                None => kernel.map_children(|child| child.fill_in(rows, weights)),
            },
        }
    }

    /// Refuses rows that the kernel is not defined on: before training and before every prediction.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::kernel::Expression;
    /// let kernel: Expression = "intersection".parse()?;
    /// kernel.check(&Vectors::from_rows(&[[0.0, 2.0]])?)?;
    /// assert!(kernel.check(&Vectors::from_rows(&[[0.0, -2.0]])?).is_err());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Negative`] with the first place for kernels on histograms, [`Error::Shape`] for columns that
    /// do not fit, [`Error::Parameter`] for a factor that is not finite.
    pub fn check(&self, rows: &Vectors<'_>) -> Result<()> {
        match self {
            Expression::Columns(k) => {
                k.selection().check(rows)?;
                // Most kernels take any rows, and need no copy to be asked.
                if k.kernel().is_choosy() {
                    return k.kernel().check(&k.selection().project(rows)?).map_err(|error| match error {
                        // The kernel counts the columns it sees, the user those of the data.
                        Error::Negative { row, column, value, kernel } => {
                            Error::Negative { row, column: k.selection().at(column), value, kernel }
                        }
                        other => other,
                    });
                }
                return Ok(());
            }
            Expression::Anova(k) => k.check(rows)?,
            Expression::Scale(k) => {
                check::finite("factor", k.factor())?;
            }
            Expression::Centre(k) => {
                if let Some(reference) = k.reference()
                    && reference.columns() != rows.columns()
                {
                    return Err(Error::Shape {
                        what: "columns of the rows (as many as the rows that the kernel is centred on)",
                        expected: reference.columns(),
                        found: rows.columns(),
                    });
                }
            }
            _ => {}
        }
        if let Some(base) = self.as_vector_kernel() {
            base.check(rows)?;
        }
        self.children().iter().try_for_each(|child| child.check(rows))
    }

    /// The name of a kernel in it that is defined on values of at least 0 only, if there is one.
    ///
    /// ```
    /// use mercer::kernel::Expression;
    /// let kernel: Expression = "0.5 * chi2(gamma=1) + linear".parse()?;
    /// assert_eq!(kernel.needs_non_negative(), Some("chi2"));
    /// assert_eq!("gaussian".parse::<Expression>()?.needs_non_negative(), None);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn needs_non_negative(&self) -> Option<&'static str> {
        match self {
            Expression::Chi2(_) => Some("chi2"),
            Expression::AdditiveChi2(_) => Some("additive_chi2"),
            Expression::Intersection(_) => Some("intersection"),
            kernel => kernel.children().iter().find_map(Expression::needs_non_negative),
        }
    }

    /// Whether there is something in it that [`check`](Expression::check) could refuse.
    pub(crate) fn is_choosy(&self) -> bool {
        let own = match self {
            Expression::Gaussian(k) => matches!(k.width(), Width::LengthScales(_)),
            Expression::Scale(k) => !k.factor().is_finite(),
            Expression::Centre(k) => k.reference().is_some(),
            Expression::Chi2(_) | Expression::AdditiveChi2(_) => true,
            Expression::Intersection(_) | Expression::Columns(_) | Expression::Anova(_) => true,
            _ => false,
        };
        own || self.children().iter().any(Expression::is_choosy)
    }

    /// Whether every Gram matrix is positive semi-definite by construction.
    pub fn definiteness(&self) -> Definiteness {
        let own = match self {
            Expression::Constant(k) => k.definiteness(),
            Expression::Scale(k) => Definiteness::when(k.factor() >= 0.0),
            kernel => kernel.as_vector_kernel().map_or(Definiteness::Guaranteed, |k| k.definiteness()),
        };
        self.children().iter().fold(own, |all, child| all.and(child.definiteness()))
    }

    /// Whether `white` stands somewhere in it, so that the diagonal of a training Gram matrix is not k(x, x)
    /// as [`eval`](Kernel::eval) gives it.
    pub fn has_white_noise(&self) -> bool {
        matches!(self, Expression::White(_)) || self.children().iter().any(Expression::has_white_noise)
    }

    /// All continuous parameters, each with a name that says where it stands.
    pub fn parameters(&self) -> Vec<Parameter> {
        let mut parameters = self.own_parameters();
        for (i, child) in self.children().iter().enumerate() {
            let place = match self {
                Expression::Sum(_) => format!("terms[{i}]"),
                Expression::Product(_) => format!("factors[{i}]"),
                _ => "kernel".to_string(),
            };
            parameters.extend(
                child
                    .parameters()
                    .into_iter()
                    .map(|p| Parameter { name: format!("{place}.{}", p.name), ..p }),
            );
        }
        parameters
    }

    fn own_parameters(&self) -> Vec<Parameter> {
        match self {
            Expression::Anova(k) => k.parameters(),
            Expression::Constant(k) => k.parameters(),
            Expression::White(k) => k.parameters(),
            Expression::Scale(k) => vec![Parameter::positive("factor", k.factor())],
            kernel => kernel.as_vector_kernel().map_or_else(Vec::new, |k| k.parameters()),
        }
    }

    /// The same kernel with other values of its parameters, in the order of
    /// [`parameters`](Expression::parameters); NaN leaves one as it is.
    ///
    /// # Errors
    /// [`Error::Shape`] for another number of values, [`Error::Parameter`] for a value out of range.
    pub fn with_parameters(&self, values: &[f64]) -> Result<Expression> {
        check::count(self.parameters().len(), values.len())?;
        let mut rest = values;
        self.take_parameters(&mut rest)
    }

    fn take_parameters(&self, values: &mut &[f64]) -> Result<Expression> {
        let (own, rest) = values.split_at(self.own_parameters().len());
        *values = rest;
        match self {
            Expression::Anova(k) => k.with_parameters(own).map(Expression::from),
            Expression::Constant(k) => Ok(Constant::new(check::or(own[0], k.value()))?.into()),
            Expression::White(k) => Ok(White::new(check::or(own[0], k.noise()))?.into()),
            Expression::Scale(k) => {
                let factor = check::finite("factor", check::or(own[0], k.factor()))?;
                Ok(factor * k.kernel().take_parameters(values)?)
            }
            kernel => match kernel.as_vector_kernel() {
                Some(base) => base.with_parameters(own),
                None => kernel.map_children(|child| child.take_parameters(values)),
            },
        }
    }
}

impl<'a> Kernel<Row<'a>> for Expression {
    fn eval(&self, x: &Row<'a>, z: &Row<'a>) -> f64 {
        match self {
            Expression::Anova(k) => k.eval(x, z),
            Expression::Constant(k) => k.eval(x, z),
            Expression::White(k) => k.eval(x, z),
            Expression::Sum(k) => k.eval(x, z),
            Expression::Product(k) => k.eval(x, z),
            Expression::Scale(k) => k.eval(x, z),
            Expression::Power(k) => k.eval(x, z),
            Expression::Normalise(k) => k.eval(x, z),
            Expression::Centre(k) => k.eval(x, z),
            Expression::Columns(k) => k.eval(x, z),
            kernel => kernel.as_vector_kernel().map_or(f64::NAN, |k| k.factor() * k.form().eval(x, z)),
        }
    }

    fn eval_diagonal(&self, x: &Row<'a>) -> f64 {
        match self {
            Expression::White(k) => k.eval_diagonal(x),
            Expression::Sum(k) => k.eval_diagonal(x),
            Expression::Product(k) => k.eval_diagonal(x),
            Expression::Scale(k) => k.eval_diagonal(x),
            Expression::Power(k) => k.eval_diagonal(x),
            Expression::Normalise(k) => k.eval_diagonal(x),
            Expression::Centre(k) => k.eval_diagonal(x),
            Expression::Columns(k) => k.eval_diagonal(x),
            kernel => kernel.eval(x, x),
        }
    }
}
