//! Kernel Fisher discriminant: directions along which classes are far apart and close in themselves.
//!
//! ```text
//! max over w   wᵀBw / wᵀ((1 − τ)S + τI)w
//! B = Σ (n_c/n) m_c m_cᵀ,   S = mean of (φ(x) − m_c)(φ(x) − m_c)ᵀ,   with class means m_c about the mean of all
//! ```
//!
//! There are at most as many such directions as classes less one. Coordinates of feature space are those of a pivoted Cholesky
//! factorisation, as in [`KernelCca`](crate::machine::KernelCca). New items go to the class whose mean is nearest along the directions.
//! (S. Mika et al.: Fisher discriminant analysis with kernels, NNSP 1999; G. Baudat, F. Anouar: Generalized discriminant
//! analysis using a kernel approach, Neural Computation 12 (2000).)

use super::cca::{CcaView, Coordinates, View};
use super::kept::Kept;
use super::whole::{MatrixOptions, matrix_options};
use crate::data::{Items, Labels, check_weights};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, Plan, Precision, SymmetricGram, WithLayout};
use crate::linalg::{Cholesky, Matrix, SymmetricEigen};
use crate::resources::{InstructionSet, Interrupt, Workers};

/// A direction whose ratio is below this share of the largest tells nothing but rounding.
const NOTHING: f64 = 1e-12;
/// So does one below this, whatever the largest is: the square of what rounding makes of means that are the same.
const LEAST: f64 = 1e-24;

/// Parameters of the discriminant, not yet checked.
#[derive(Clone, Debug)]
pub struct FisherParams<K> {
    kernel: K,
    regularisation: f64,
    rank: usize,
    options: MatrixOptions,
}

/// The discriminant with checked parameters, ready to be trained.
///
/// ```
/// use mercer::data::{Labels, Vectors};
/// use mercer::kernel::Expression;
/// use mercer::machine::FisherDiscriminant;
/// // The inner ones against the outer ones.
/// let rows = Vectors::from_rows(&[[-3.0], [-2.5], [-0.5], [0.0], [0.5], [2.5], [3.0]])?;
/// let labels = Labels::from_text(["out", "out", "in", "in", "in", "out", "out"]);
/// let kernel: Expression = "polynomial(degree=2, gamma=1, constant=1)".parse()?;
/// let model = FisherDiscriminant::params(kernel).regularisation(1e-3).check()?.fit(&rows, &labels)?;
/// assert_eq!(model.predict(&Vectors::from_rows(&[[-4.0], [0.1]])?)?, [1, 0]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FisherDiscriminant<K> {
    kernel: K,
    regularisation: f64,
    rank: usize,
    options: MatrixOptions,
}

/// A trained discriminant.
#[derive(Clone, Debug)]
pub struct FisherModel<K: WithLayout, I> {
    classes: Vec<String>,
    ratios: Vec<f64>,
    /// One row per class, one column per direction.
    means: Matrix,
    view: CcaView<K, I>,
}

impl<K> FisherDiscriminant<K> {
    /// Parameters with their defaults: τ = 0.1, coordinates of at most 500 dimensions.
    pub fn params(kernel: K) -> FisherParams<K> {
        FisherParams { kernel, regularisation: 0.1, rank: 500, options: MatrixOptions::default() }
    }

    /// Finds the directions. O(n · rank²) time and O(n · rank) memory.
    ///
    /// # Errors
    /// No rows, labels of another number or of one class, a kernel that is not defined on the items; [`Error::Undefined`] if
    /// all items, or the means of all classes, are the same in feature space.
    pub fn fit<I: Items>(&self, items: &I, labels: &Labels) -> Result<FisherModel<K, I::Owned>>
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
    /// use mercer::machine::FisherDiscriminant;
    /// let rows = Vectors::from_rows(&[[-1.0], [1.0], [0.5]])?;
    /// let labels = Labels::from_text(["no", "yes", "no"]);
    /// let machine = FisherDiscriminant::params("linear".parse::<Expression>()?).check()?;
    /// let model = machine.fit_weighted(&rows, &labels, Some(&[1.0, 1.0, 0.0]))?;
    /// assert_eq!(model.predict(&rows)?, [0, 1, 1]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`FisherDiscriminant::fit`]; weights that are negative, or all 0 in a class.
    pub fn fit_weighted<I: Items>(
        &self,
        items: &I,
        labels: &Labels,
        weights: Option<&[f64]>,
    ) -> Result<FisherModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        check_weighted_labels(items.len(), labels, weights)?;
        let plan = self.options.plan(self.options.memory)?;
        let kernel = BulkKernel::<I>::resolve_by(&self.kernel, items, weights, &plan)?;
        let layout = BulkKernel::<I>::layout(&kernel, items, &plan)?;
        // Every row of the kernel matrix is asked for once.
        let plan = Plan { cache_bytes: 0, ..plan };
        let (ratios, means, view) = {
            let gram = BulkKernel::<I>::symmetric(&kernel, items, &layout, &plan)?;
            self.directions(&*gram, labels, weights, &plan.workers)?
        };
        let kept =
            Kept { items: items.select(&view.pivots), kernel, layout, precision: Precision::F64, threads: 0 };
        Ok(FisherModel { classes: labels.classes().to_vec(), ratios, means, view: CcaView::new(kept, view) })
    }

    /// Finds the directions from a Gram matrix, with a weight per item if there are any: the ratio of each, the means of the classes along
    /// them (one row per class), and the functions.
    ///
    /// ```
    /// use mercer::data::Labels;
    /// use mercer::gram::PrecomputedGram;
    /// use mercer::machine::FisherDiscriminant;
    /// // The inner products of −1 and 1.
    /// let gram = PrecomputedGram::symmetric(vec![1.0, -1.0, -1.0, 1.0], 2)?;
    /// let machine = FisherDiscriminant::params(()).regularisation(1.0).check()?;
    /// let (ratios, means, _) = machine.fit_gram(&gram, &Labels::from_text(["a", "b"]), None)?;
    /// assert!((ratios[0] - 1.0).abs() < 1e-12 && (means[(0, 0)] + means[(1, 0)]).abs() < 1e-12);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`FisherDiscriminant::fit_weighted`].
    pub fn fit_gram(
        &self,
        gram: &dyn SymmetricGram,
        labels: &Labels,
        weights: Option<&[f64]>,
    ) -> Result<(Vec<f64>, Matrix, View)> {
        check_weighted_labels(gram.shape().0, labels, weights)?;
        self.directions(gram, labels, weights, &self.options.workers()?)
    }

    /// The ratio of each direction, the means of the classes along them, and the functions.
    fn directions(
        &self,
        gram: &dyn SymmetricGram,
        labels: &Labels,
        weights: Option<&[f64]>,
        workers: &Workers,
    ) -> Result<(Vec<f64>, Matrix, View)> {
        // Coordinates, and what the product of blocks of them takes beside them.
        let most = (self.rank.min(labels.len()) as u64).saturating_mul(8);
        let classes = labels.classes().len() as u64;
        // The means of the classes, their products, and the eigenvectors of these with what finding them takes.
        let of_classes = classes
            .saturating_mul(4 * most)
            .saturating_add(classes.saturating_mul(classes).saturating_mul(8 * 5));
        let needed = most
            .saturating_mul(labels.len() as u64)
            .saturating_add(most.saturating_mul(3 * self.rank as u64))
            .saturating_add(of_classes);
        self.options.check_bytes(
            "the coordinates of all items",
            needed,
            "allow more memory, a smaller rank or fewer classes",
        )?;
        let mut coordinates = Coordinates::new(gram, weights, self.rank, 1e-12)?;
        let (n, rank, counts) = (labels.len(), coordinates.rank(), masses(labels, weights));
        let (classes, total) = (counts.len(), counts.iter().sum::<f64>());
        let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
        let mut means = Matrix::zeros(classes, rank);
        let within = coordinates.centred_mut();
        for k in 0..rank {
            let row = &mut within.values_mut()[k * n..(k + 1) * n];
            for (i, (value, &c)) in row.iter().zip(labels.codes()).enumerate() {
                means[(c as usize, k)] += weight(i) * value / counts[c as usize];
            }
            for (i, (value, &c)) in row.iter_mut().zip(labels.codes()).enumerate() {
                *value = weight(i).sqrt() * (*value - means[(c as usize, k)]);
            }
        }
        let mut scatter = within.times_transposed(within, workers)?;
        scatter.values_mut().iter_mut().for_each(|s| *s *= (1.0 - self.regularisation) / total);
        (0..rank).for_each(|k| scatter[(k, k)] += self.regularisation);
        let (factor, _) = Cholesky::with_jitter(scatter, workers)?;
        // With rows √(n_c/n) L⁻¹m_c the matrix L⁻¹BL⁻ᵀ is MᵀM, and MMᵀ has as few rows as there are classes.
        let share = |c: usize| (counts[c] / total).sqrt();
        let mut turned = Matrix::from_fn(classes, rank, |c, k| share(c) * means[(c, k)]);
        factor.forward_rows(&mut turned, workers)?;
        let eigen = SymmetricEigen::new(&turned.times_transposed(&turned, workers)?)?;
        let largest = eigen.values().last().copied().unwrap_or(0.0);
        let found: Vec<usize> = (0..classes)
            .rev()
            .filter(|&k| eigen.values()[k] > (NOTHING * largest).max(LEAST))
            .take(classes - 1)
            .collect();
        if found.is_empty() {
            return Err(Error::Undefined {
                what: "a direction between the classes".into(),
                why: "their means are the same in feature space".into(),
            });
        }
        let chosen = Matrix::from_fn(found.len(), classes, |d, c| {
            eigen.vector(found[d])[c] / eigen.values()[found[d]].sqrt()
        });
        let mut directions = chosen.times(&turned, workers)?;
        factor.backward_rows(&mut directions, workers)?;
        let ratios = found.iter().map(|&k| eigen.values()[k]).collect();
        let means = means.times_transposed(&directions, workers)?;
        Ok((ratios, means, coordinates.view(&directions)))
    }
}

/// Refuses labels of another number or of one class, weights that make no sense, and a class whose items all have the weight 0.
pub(super) fn check_weighted_labels(n: usize, labels: &Labels, weights: Option<&[f64]>) -> Result<()> {
    check_labels(n, labels)?;
    let Some(weights) = weights else { return Ok(()) };
    check_weights(weights, n)?;
    match masses(labels, Some(weights))
        .iter()
        .zip(labels.counts())
        .position(|(mass, n)| *mass == 0.0 && n > 0)
    {
        Some(class) => Err(Error::ClassWithoutWeight { label: labels.classes()[class].clone() }),
        None => Ok(()),
    }
}

/// The sum of the weights of each class.
fn masses(labels: &Labels, weights: Option<&[f64]>) -> Vec<f64> {
    let mut masses = vec![0.0; labels.classes().len()];
    for (i, &c) in labels.codes().iter().enumerate() {
        masses[c as usize] += weights.map_or(1.0, |weights| weights[i]);
    }
    masses
}

/// Refuses labels of another number, or of one class.
pub(super) fn check_labels(n: usize, labels: &Labels) -> Result<()> {
    if n == 0 {
        return Err(Error::Empty { what: "rows" });
    }
    if labels.len() != n {
        return Err(Error::Shape { what: "labels (one per row)", expected: n, found: labels.len() });
    }
    match labels.counts().iter().filter(|count| **count > 0).count() {
        0 | 1 => Err(Error::OneClass { label: labels.text(0).to_string() }),
        _ => Ok(()),
    }
}

impl<K> FisherParams<K> {
    /// τ between 0 and 1; default 0.1.
    pub fn regularisation(mut self, share: f64) -> Self {
        self.regularisation = share;
        self
    }

    /// Most dimensions of the coordinates; default 500.
    pub fn rank(mut self, most: usize) -> Self {
        self.rank = most;
        self
    }

    matrix_options!(options);

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the name and value of the first that makes no sense.
    pub fn check(self) -> Result<FisherDiscriminant<K>> {
        let FisherParams { kernel, regularisation, rank, options } = self;
        if !(0.0..=1.0).contains(&regularisation) {
            let expected = "a number between 0 and 1";
            return Err(Error::Parameter { name: "regularisation", value: regularisation, expected });
        }
        if rank == 0 {
            return Err(Error::Parameter { name: "rank", value: 0.0, expected: "at least 1" });
        }
        Workers::checked(options.threads)?;
        Ok(FisherDiscriminant { kernel, regularisation, rank, options })
    }
}

impl<K: WithLayout, I> FisherModel<K, I> {
    /// The same model with something else in place of what it keeps.
    pub(crate) fn map_kept<L: WithLayout, J>(
        self,
        change: &impl Fn(Kept<K, I>) -> Result<Kept<L, J>>,
    ) -> Result<FisherModel<L, J>> {
        let FisherModel { classes, ratios, means, view } = self;
        Ok(FisherModel { classes, ratios, means, view: view.map_kept(change)? })
    }

    /// Joins the parts, for example from a file: a ratio for each direction, the means of the classes (one row each) and the functions.
    ///
    /// # Errors
    /// Parts that do not fit together.
    pub fn from_parts(
        classes: Vec<String>,
        ratios: Vec<f64>,
        means: Matrix,
        view: CcaView<K, I>,
    ) -> Result<Self> {
        let directions = view.view().functions.outputs();
        for (what, expected, found) in [
            ("ratios (one per direction)", directions, ratios.len()),
            ("means (one per class)", classes.len().max(2), means.rows()),
            ("entries of means (one per direction)", directions, means.columns()),
        ] {
            if expected != found {
                return Err(Error::Shape { what, expected, found });
            }
        }
        Ok(FisherModel { classes, ratios, means, view })
    }

    /// Threads for predictions; 0, the default, means as many as there are.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.view = self.view.with_threads(threads);
        self
    }

    /// The classes, in order.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// wᵀBw / wᵀ((1 − τ)S + τI)w of each direction, the largest first.
    pub fn ratios(&self) -> &[f64] {
        &self.ratios
    }

    /// The means of the classes along the directions: one row per class.
    pub fn means(&self) -> &Matrix {
        &self.means
    }

    /// The functions that the directions are.
    pub fn view(&self) -> &CcaView<K, I> {
        &self.view
    }

    /// Where items lie along the directions, one row each.
    ///
    /// # Errors
    /// Items that the kernel is not defined on, such as rows with another number of columns.
    pub fn transform<J: Items<Owned = I>>(&self, items: &J) -> Result<Matrix>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        self.view.transform(items)
    }

    /// The number of the class whose mean is nearest along the directions, of equals the first.
    ///
    /// # Errors
    /// As [`FisherModel::transform`].
    pub fn predict<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<usize>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let k = self.classes.len();
        let highest = |row: &[f64]| (1..k).fold(0, |best, c| if row[c] > row[best] { c } else { best });
        Ok(self.scores(items)?.chunks(k).map(highest).collect())
    }

    /// For each item and class the squared distance from the mean of the class along the directions, times −1: the highest is
    /// predicted.
    ///
    /// # Errors
    /// As [`FisherModel::transform`].
    pub fn scores<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<f64>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let along = self.transform(items)?;
        let score = |i: usize, c: usize| -> f64 {
            -along.row(i).iter().zip(self.means.row(c)).map(|(a, b)| (a - b) * (a - b)).sum::<f64>()
        };
        Ok((0..items.len())
            .flat_map(|i| (0..self.classes.len()).map(move |c| (i, c)))
            .map(|(i, c)| score(i, c))
            .collect())
    }
}
