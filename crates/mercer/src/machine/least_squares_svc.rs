//! The least-squares support vector machine: ridge regression on signs.
//!
//! ```text
//! min over w, b   ½‖w‖² + (C/2) Σ ξᵢ²   subject to   yᵢ(⟨w, φ(xᵢ)⟩ + b) = 1 − ξᵢ
//! ```
//!
//! As yᵢ = ±1, ξᵢ² = (yᵢ − f(xᵢ))²: ridge regression with an offset and λ = 1/C. Of more than two classes each is told from the rest.
//! (J. A. K. Suykens, J. Vandewalle: Least squares support vector machine classifiers, Neural Processing Letters 9 (1999).)

use super::fisher::check_weighted_labels;
use crate::data::{Items, Labels};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, WithLayout};
use crate::linalg::Matrix;
use crate::machine::{Kept, MatrixOptions, Ridge, RidgeModel};

/// Parameters of the least-squares machine, not yet checked.
#[derive(Clone, Debug)]
pub struct LeastSquaresSvcParams<K> {
    kernel: K,
    cost: f64,
    left_out: bool,
    options: MatrixOptions,
}

/// The least-squares machine with checked parameters, ready to be trained.
///
/// ```
/// use mercer::data::{Labels, Vectors};
/// use mercer::kernel::Expression;
/// use mercer::machine::LeastSquaresSvc;
/// let rows = Vectors::from_rows(&[[-2.0], [-1.0], [1.0], [2.0]])?;
/// let labels = Labels::from_text(["no", "no", "yes", "yes"]);
/// let machine = LeastSquaresSvc::params("linear".parse::<Expression>()?).cost(1.0).check()?;
/// let model = machine.fit(&rows, &labels)?;
/// // w = Σxy / (Σx² + 1/C) = 6/11, and b = 0 by symmetry.
/// assert!((model.decision(&Vectors::from_rows(&[[1.0]])?)?[0] - 6.0 / 11.0).abs() < 1e-12);
/// assert_eq!(model.predict(&rows)?, [0, 0, 1, 1]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct LeastSquaresSvc<K> {
    ridge: Ridge<K>,
}

impl<K> LeastSquaresSvc<K> {
    /// Parameters with their defaults: C = 1.
    pub fn params(kernel: K) -> LeastSquaresSvcParams<K> {
        LeastSquaresSvcParams { kernel, cost: 1.0, left_out: false, options: MatrixOptions::default() }
    }

    /// Trains on items and their labels. As costly as [`Ridge::fit_many`], whatever the number of classes is.
    ///
    /// # Errors
    /// As [`Ridge::fit_many`]; [`Error::OneClass`], [`Error::Shape`] for labels of another number.
    pub fn fit<I: Items>(&self, items: &I, labels: &Labels) -> Result<LeastSquaresModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        self.fit_weighted(items, labels, None)
    }

    /// The same with a weight per item, if there are any: an item of weight w counts as w items, one of weight 0 as none.
    ///
    /// ```
    /// use mercer::data::{Labels, Vectors};
    /// use mercer::kernel::Expression;
    /// use mercer::machine::LeastSquaresSvc;
    /// let rows = Vectors::from_rows(&[[-1.0], [0.0], [1.0]])?;
    /// let labels = Labels::from_text(["no", "no", "yes"]);
    /// let machine = LeastSquaresSvc::params("linear".parse::<Expression>()?).check()?;
    /// let model = machine.fit_weighted(&rows, &labels, Some(&[1.0, 0.0, 1.0]))?;
    /// assert_eq!(model.predict(&Vectors::from_rows(&[[0.1]])?)?, [1]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`LeastSquaresSvc::fit`]; weights that are negative, or all 0 in a class.
    pub fn fit_weighted<I: Items>(
        &self,
        items: &I,
        labels: &Labels,
        weights: Option<&[f64]>,
    ) -> Result<LeastSquaresModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        let n = items.len();
        check_weighted_labels(n, labels, weights)?;
        let classes = labels.classes();
        // One function is enough for two: it is positive for the later.
        let first = if classes.len() == 2 { 1 } else { 0 };
        self.ridge.check_outputs(n, classes.len() - first)?;
        let sign = |i: usize, o: usize| if labels.codes()[i] as usize == o + first { 1.0 } else { -1.0 };
        let targets = Matrix::from_fn(n, classes.len() - first, sign);
        let ridge = self.ridge.fit_many(items, &targets, weights)?;
        Ok(LeastSquaresModel { classes: classes.to_vec(), ridge })
    }
}

impl<K> LeastSquaresSvcParams<K> {
    /// C: what a unit of squared slack costs; default 1.
    pub fn cost(mut self, cost: f64) -> Self {
        self.cost = cost;
        self
    }

    /// Whether decision values of each item without it are computed too, in closed form; default false.
    pub fn leave_one_out(mut self, wanted: bool) -> Self {
        self.left_out = wanted;
        self
    }

    /// Threads, memory and instructions.
    pub fn options(mut self, options: MatrixOptions) -> Self {
        self.options = options;
        self
    }

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the name and value of the first that makes no sense.
    pub fn check(self) -> Result<LeastSquaresSvc<K>> {
        let LeastSquaresSvcParams { kernel, cost, left_out, options } = self;
        if !(cost > 0.0 && cost.is_finite()) {
            return Err(Error::Parameter { name: "cost", value: cost, expected: "a finite number above 0" });
        }
        let ridge = Ridge::params(kernel).lambda(1.0 / cost).offset(true).leave_one_out(left_out);
        Ok(LeastSquaresSvc { ridge: ridge.options(options).check()? })
    }
}

/// A trained least-squares machine.
#[derive(Clone, Debug)]
pub struct LeastSquaresModel<K: WithLayout, I> {
    classes: Vec<String>,
    ridge: RidgeModel<K, I>,
}

impl<K: WithLayout, I> LeastSquaresModel<K, I> {
    /// The same model with something else in place of what it keeps.
    pub(crate) fn map_kept<L: WithLayout, J>(
        self,
        change: &impl Fn(Kept<K, I>) -> Result<Kept<L, J>>,
    ) -> Result<LeastSquaresModel<L, J>> {
        Ok(LeastSquaresModel { classes: self.classes, ridge: self.ridge.map_kept(change)? })
    }

    /// A regression on the signs of these classes, for example from a file.
    ///
    /// # Errors
    /// [`Error::Shape`] for another number of functions than the classes need.
    pub fn from_parts(classes: Vec<String>, ridge: RidgeModel<K, I>) -> Result<Self> {
        let expected = if classes.len() == 2 { 1 } else { classes.len() };
        let found = ridge.functions().outputs();
        if expected != found || classes.len() < 2 {
            return Err(Error::Shape { what: "functions (one per class, one for two)", expected, found });
        }
        Ok(LeastSquaresModel { classes, ridge })
    }

    /// Threads for predictions; 0, the default, means as many as there are.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.ridge = self.ridge.with_threads(threads);
        self
    }

    /// The classes, in order.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The regression on signs that it is: one output for two classes, else one per class.
    pub fn ridge(&self) -> &RidgeModel<K, I> {
        &self.ridge
    }

    /// Decision values: of two classes one per item, positive for the later; else for each item one per class.
    ///
    /// # Errors
    /// As [`RidgeModel::predict`].
    pub fn decision<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<f64>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        self.ridge.predict(items)
    }

    /// The number of the class of each item; of equal decision values the later of two, the first of many.
    ///
    /// # Errors
    /// As [`RidgeModel::predict`].
    pub fn predict<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<usize>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        Ok(classes_of(&self.decision(items)?, self.classes.len()))
    }

    /// The number of the class of each training item by the functions that were trained without it, if they were asked for.
    ///
    /// ```
    /// use mercer::data::{Labels, Vectors};
    /// use mercer::kernel::Expression;
    /// use mercer::machine::LeastSquaresSvc;
    /// let rows = Vectors::from_rows(&[[-2.0], [-1.0], [1.0], [2.0]])?;
    /// let labels = Labels::from_text(["no", "no", "yes", "yes"]);
    /// let machine = LeastSquaresSvc::params("linear".parse::<Expression>()?).leave_one_out(true).check()?;
    /// assert_eq!(machine.fit(&rows, &labels)?.left_out().unwrap(), [0, 0, 1, 1]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn left_out(&self) -> Option<Vec<usize>> {
        self.ridge.left_out().map(|values| classes_of(values.values(), self.classes.len()))
    }
}

fn classes_of(values: &[f64], classes: usize) -> Vec<usize> {
    match classes {
        2 => values.iter().map(|value| usize::from(*value >= 0.0)).collect(),
        k => values
            .chunks(k)
            .map(|scores| (0..k).fold(0, |best, c| if scores[c] > scores[best] { c } else { best }))
            .collect(),
    }
}
