//! The radial basis function network: Gaussian bumps about the means of clusters, and a linear read-out.
//!
//! ```text
//! hⱼ(x) = exp(−‖x − cⱼ‖²/(2σⱼ²)),   f(x) = Σ wⱼhⱼ(x) + b,   min Σ (y − f(x))² + λ‖w‖²
//! ```
//!
//! c are the means of k-means, σⱼ² the mean squared distance of a cluster from its mean. It is what support vector machines
//! with the Gaussian kernel were first compared with, and here for the same purpose. (J. Moody, C. Darken: Fast learning in networks of
//! locally-tuned processing units, Neural Computation 1 (1989); B. Schölkopf et al.: Comparing support vector machines with Gaussian
//! kernels to radial basis function classifiers, IEEE Trans. Signal Processing 45 (1997).)

use super::expansion::check_finite;
use super::fisher::check_weighted_labels;
use super::k_means::RowKMeans;
use super::kept::Kept;
use super::one_against_one::winner;
use super::whole::{MatrixOptions, bytes_of_outputs, matrix_options};
use crate::data::{Items, Labels, Sparse, Vectors};
use crate::error::{Error, Result};
use crate::gram::{Block, BulkKernel, Columns, Plan, Precision, WithLayout};
use crate::kernel::Expression;
use crate::kernel::vector::Gaussian;
use crate::linalg::{Cholesky, Matrix};
use crate::resources::{InstructionSet, Interrupt, Workers};

/// Bumps need no means that are accurate to the last row: the rounds until nothing moves would grow with the rows.
const MEANS_TOLERANCE: f64 = 3e-4;

/// Parameters of the network, not yet checked.
#[derive(Clone, Debug)]
pub struct RbfNetworkParams {
    units: usize,
    lambda: f64,
    restarts: usize,
    seed: u64,
    options: MatrixOptions,
}

/// The network with checked parameters, ready to be trained.
///
/// ```
/// use mercer::data::{Labels, Vectors};
/// use mercer::machine::RbfNetwork;
/// let rows = Vectors::from_rows(&[[0.0, 0.1], [1.0, 0.9], [0.1, 1.0], [0.9, 0.0], [0.1, 0.0], [0.0, 0.9]])?;
/// let labels = Labels::from_text(["same", "same", "other", "other", "same", "other"]);
/// let model = RbfNetwork::params(4).check()?.fit_classes(&rows, &labels, None)?;
/// assert_eq!(model.predict_labels(&rows)?, ["same", "same", "other", "other", "same", "other"]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RbfNetwork {
    units: usize,
    lambda: f64,
    restarts: usize,
    seed: u64,
    options: MatrixOptions,
}

/// A trained network.
///
/// The bumps are powers of one Gaussian kernel, which is as wide as the widest of them: with σ the largest width,
/// hⱼ(x) = k(x, cⱼ)^(σ²/σⱼ²). So a network keeps a kernel and items as all other machines do.
#[derive(Clone, Debug)]
pub struct RbfNetworkModel<K: WithLayout = Expression, I = Vectors<'static>> {
    classes: Vec<String>,
    kept: Kept<K, I>,
    widths: Vec<f64>,
    weights: Matrix,
}

impl RbfNetwork {
    /// Parameters with their defaults: so many bumps, λ = 1e-6, the best of ten starts of k-means.
    pub fn params(units: usize) -> RbfNetworkParams {
        RbfNetworkParams { units, lambda: 1e-6, restarts: 9, seed: 0, options: MatrixOptions::default() }
    }

    /// Trains a regression on rows and targets, one row per row and one column per output, with a weight per row if there are any: a row
    /// of weight w counts as w rows, in k-means, in the widths and in the read-out. O(n · units²) beside k-means.
    ///
    /// # Errors
    /// Fewer rows with a weight above 0 than bumps, targets of another number or not finite, weights that are negative or all 0.
    pub fn fit(
        &self,
        rows: &Vectors<'_>,
        targets: &Matrix,
        weights: Option<&[f64]>,
    ) -> Result<RbfNetworkModel> {
        let n = rows.len();
        if targets.rows() != n {
            return Err(Error::Shape { what: "targets (one per row)", expected: n, found: targets.rows() });
        }
        let m = targets.columns();
        if let Some(at) = targets.values().iter().position(|y| !y.is_finite()) {
            let (what, expected) = ("target", "a finite number");
            return Err(Error::Entry { what, index: at / m, value: targets.values()[at], expected });
        }
        let (units, workers) = (self.units, self.options.workers()?);
        let is_sparse = matches!(rows, Vectors::Sparse(_));
        // The means of the best start, of this one and in their order, or the first two in the model and as panels; and a row per thread.
        let copies = (units as u64).saturating_mul(if is_sparse { 3 } else { 4 });
        let needed = copies.saturating_add(workers.threads() as u64).saturating_mul(rows.columns() as u64);
        let instead = "allow more memory, or take fewer bumps or columns";
        let options = self.options.beside("the means of the bumps", needed.saturating_mul(8), instead)?;
        // What the bumps say, twice, and centred; targets, and what is left of them.
        let needed = bytes_of_outputs(3, n, units).saturating_add(bytes_of_outputs(2, n, m));
        options.check_bytes(
            "the values of all bumps and outputs",
            needed,
            "allow more memory, or take fewer bumps or outputs",
        )?;
        let (clusters, restarts, seed) = (units, self.restarts, self.seed);
        let k_means = RowKMeans { clusters, restarts, max_rounds: 300, tolerance: MEANS_TOLERANCE, seed };
        let clusters = k_means.fit(rows, weights, &workers)?;
        let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
        let (mut sums, mut masses) = (vec![0.0; units], vec![0.0; units]);
        for (i, (&c, squared)) in clusters.clusters.iter().zip(&clusters.squared).enumerate() {
            sums[c] += weight(i) * squared;
            masses[c] += weight(i);
        }
        let mut widths: Vec<f64> = (0..units).map(|c| (sums[c] / masses[c]).sqrt()).collect();
        // A cluster of equal rows has no width of its own: that of the others, or of any.
        let known: Vec<f64> = widths.iter().copied().filter(|w| *w > 0.0).collect();
        let usual = if known.is_empty() { 1.0 } else { known.iter().sum::<f64>() / known.len() as f64 };
        widths.iter_mut().filter(|w| **w == 0.0).for_each(|w| *w = usual);
        let none = Matrix::zeros(0, units + 1);
        // Means of sparse rows are sparse.
        let items = if is_sparse { sparse(&clusters.centers)? } else { dense(&clusters.centers)? };
        drop(clusters);
        let mut model =
            RbfNetworkModel::of_items(Vec::new(), items, widths, none)?.with_threads(self.options.threads);
        model.weights = self.read_out(&model.bumps(rows)?, targets, weights)?;
        Ok(model.with_threads(0))
    }

    /// Trains a classifier on rows and labels, with weights if there are any: a regression on signs, one output per class.
    ///
    /// # Errors
    /// As [`RbfNetwork::fit`]; labels of another number or of one class, weights that are all 0 in a class.
    pub fn fit_classes(
        &self,
        rows: &Vectors<'_>,
        labels: &Labels,
        weights: Option<&[f64]>,
    ) -> Result<RbfNetworkModel> {
        let n = rows.len();
        check_weighted_labels(n, labels, weights)?;
        let classes = labels.classes().to_vec();
        let needed = bytes_of_outputs(2, n, classes.len());
        let instead = "allow more memory, or take fewer rows or classes";
        self.options.check_bytes("the targets of all classes", needed, instead)?;
        let sign = |i: usize, c: usize| if labels.codes()[i] as usize == c { 1.0 } else { -1.0 };
        let model = self.fit(rows, &Matrix::from_fn(n, classes.len(), sign), weights)?;
        Ok(RbfNetworkModel { classes, ..model })
    }

    /// Ridge regression on the bumps, with an offset that costs nothing.
    fn read_out(&self, bumps: &Matrix, targets: &Matrix, weights: Option<&[f64]>) -> Result<Matrix> {
        let (n, units, m) = (bumps.rows(), bumps.columns(), targets.columns());
        let workers = self.options.workers()?;
        let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
        let total = (0..n).map(weight).sum::<f64>();
        let mean = |of: &Matrix, j: usize| (0..n).map(|i| weight(i) * of[(i, j)]).sum::<f64>() / total;
        let means: Vec<f64> = (0..units).map(|j| mean(bumps, j)).collect();
        let target_means: Vec<f64> = (0..m).map(|o| mean(targets, o)).collect();
        let centred = Matrix::from_fn(units, n, |j, i| weight(i).sqrt() * (bumps[(i, j)] - means[j]));
        let mut inner = centred.times_transposed(&centred, &workers)?;
        (0..units).for_each(|j| inner[(j, j)] += self.lambda);
        let (factor, _) = Cholesky::with_jitter(inner, &workers)?;
        let right = Matrix::from_fn(m, n, |o, i| weight(i).sqrt() * (targets[(i, o)] - target_means[o]));
        let mut weights = right.times_transposed(&centred, &workers)?;
        factor.solve_rows(&mut weights, &workers)?;
        let offset =
            |o: usize| target_means[o] - weights.row(o).iter().zip(&means).map(|(w, m)| w * m).sum::<f64>();
        Ok(Matrix::from_fn(m, units + 1, |o, j| if j < units { weights[(o, j)] } else { offset(o) }))
    }
}

impl RbfNetworkParams {
    /// λ: what a unit of ‖w‖² costs; default 1e-6.
    pub fn lambda(mut self, lambda: f64) -> Self {
        self.lambda = lambda;
        self
    }

    /// Starts of k-means beyond the first, the best of which counts; default 9.
    pub fn restarts(mut self, restarts: usize) -> Self {
        self.restarts = restarts;
        self
    }

    /// Seed of the starts.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    matrix_options!(options);

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the name and value of the first that makes no sense.
    pub fn check(self) -> Result<RbfNetwork> {
        let RbfNetworkParams { units, lambda, restarts, seed, options } = self;
        if units == 0 {
            return Err(Error::Parameter { name: "units", value: 0.0, expected: "at least 1" });
        }
        if !(lambda >= 0.0 && lambda.is_finite()) {
            let expected = "a finite number of at least 0";
            return Err(Error::Parameter { name: "lambda", value: lambda, expected });
        }
        Workers::checked(options.threads)?;
        Ok(RbfNetwork { units, lambda, restarts, seed, options })
    }
}

impl RbfNetworkModel {
    /// A network of these bumps: middles (one row each) and widths, and a read-out with one row per output, a weight for each bump and
    /// last the offset. Classes are those of the outputs, none for a regression.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::linalg::Matrix;
    /// use mercer::machine::RbfNetworkModel;
    /// let weights = Matrix::new(vec![2.0, 1.0], 1, 2)?;
    /// let model = RbfNetworkModel::new(Vec::new(), &Matrix::new(vec![3.0], 1, 1)?, vec![0.5], weights)?;
    /// let found = model.predict(&Vectors::from_rows(&[[3.0], [4.0]])?)?;
    /// assert!((found[0] - 3.0).abs() < 1e-15 && (found[1] - 1.0 - 2.0 * (-2.0f64).exp()).abs() < 1e-15);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`RbfNetworkModel::from_parts`].
    pub fn new(classes: Vec<String>, centres: &Matrix, widths: Vec<f64>, weights: Matrix) -> Result<Self> {
        Self::of_items(classes, dense(centres)?, widths, weights)
    }

    /// The same, whose middles are these rows.
    fn of_items(
        classes: Vec<String>,
        items: Vectors<'static>,
        widths: Vec<f64>,
        weights: Matrix,
    ) -> Result<Self> {
        check_widths(&widths)?;
        let widest = widths.iter().copied().fold(0.0, f64::max);
        let kernel = Expression::from(Gaussian::sigma(widest)?);
        let precision = Precision::F64;
        let layout = kernel.layout(&items, &Plan { precision, ..Plan::new()? })?;
        Self::from_parts(classes, Kept { kernel, layout, precision, items, threads: 0 }, widths, weights)
    }

    /// The middles of the bumps, one row each.
    pub fn centres(&self) -> Matrix {
        let (items, columns) = (&self.kept.items, self.kept.items.columns());
        let rows: Vec<Vec<f64>> = (0..items.len()).map(|c| items.get(c).to_dense(columns)).collect();
        Matrix::from_fn(rows.len(), columns, |c, j| rows[c][j])
    }
}

impl<K: WithLayout, I> RbfNetworkModel<K, I> {
    /// The same model with something else in place of what it keeps.
    pub(crate) fn map_kept<L: WithLayout, J>(
        self,
        change: &impl Fn(Kept<K, I>) -> Result<Kept<L, J>>,
    ) -> Result<RbfNetworkModel<L, J>> {
        let RbfNetworkModel { classes, kept, widths, weights } = self;
        Ok(RbfNetworkModel { classes, kept: change(kept)?, widths, weights })
    }

    /// A network from what it keeps: a kernel as wide as the widest bump with the middles of all, their widths, and the read-out.
    ///
    /// # Errors
    /// [`Error::Shape`] or [`Error::Entry`] for parts that do not fit together.
    pub fn from_parts(
        classes: Vec<String>,
        kept: Kept<K, I>,
        widths: Vec<f64>,
        weights: Matrix,
    ) -> Result<Self>
    where
        I: Items,
    {
        check_widths(&widths)?;
        let units = kept.items.len();
        let mut expected = vec![
            ("widths (one per bump)", units, widths.len()),
            ("weights of an output (one per bump, and an offset)", units + 1, weights.columns()),
        ];
        if !classes.is_empty() {
            expected.push(("outputs (one per class)", classes.len(), weights.rows()));
        }
        for (what, expected, found) in expected {
            if expected != found {
                return Err(Error::Shape { what, expected, found });
            }
        }
        check_finite("weight", weights.values())?;
        Ok(RbfNetworkModel { classes, kept, widths, weights })
    }

    /// The same model with so many threads for predictions; 0, the default, means as many as there are.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.kept.threads = threads;
        self
    }

    /// The classes; none for a regression.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The kernel of the widest bump, and the middles of all.
    pub fn kept(&self) -> &Kept<K, I> {
        &self.kept
    }

    /// σ of each bump.
    pub fn widths(&self) -> &[f64] {
        &self.widths
    }

    /// The read-out: one row per output, a weight for each bump and last the offset.
    pub fn weights(&self) -> &Matrix {
        &self.weights
    }

    /// What the bumps say about rows: one row each, one column per bump.
    ///
    /// # Errors
    /// [`Error::Shape`] for rows with another number of columns.
    pub fn bumps<J: Items<Owned = I>>(&self, rows: &J) -> Result<Matrix>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let (n, units) = (rows.len(), self.widths.len());
        if n == 0 {
            return Ok(Matrix::zeros(0, units));
        }
        let widest = self.widths.iter().copied().fold(0.0, f64::max);
        let powers: Vec<f64> = self.widths.iter().map(|w| (widest / w).powi(2)).collect();
        let mut values = vec![0.0; units * n];
        self.kept.compare(rows, |gram, _| {
            let all: Vec<usize> = (0..units).collect();
            gram.fill(&all, Columns::Range(0..n), Block::F64 { values: &mut values, stride: n })
        })?;
        Ok(Matrix::from_fn(n, units, |i, c| values[c * n + i].powf(powers[c])))
    }

    /// For each row the values of all outputs; one per class for a classifier. O(units · columns) per row.
    ///
    /// # Errors
    /// As [`RbfNetworkModel::bumps`].
    pub fn predict<J: Items<Owned = I>>(&self, rows: &J) -> Result<Vec<f64>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let bumps = self.bumps(rows)?;
        let units = self.widths.len();
        let value = |i: usize, o: usize| {
            let (row, weights) = (bumps.row(i), self.weights.row(o));
            weights[units] + row.iter().zip(weights).map(|(h, w)| h * w).sum::<f64>()
        };
        Ok(Matrix::from_fn(rows.len(), self.weights.rows(), value).into_values())
    }

    /// The class of each row.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a regression; as [`RbfNetworkModel::bumps`].
    pub fn predict_labels<J: Items<Owned = I>>(&self, rows: &J) -> Result<Vec<&str>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        if self.classes.is_empty() {
            return Err(Error::Unsupported { what: "a regression has no classes".into() });
        }
        let scores = self.predict(rows)?;
        Ok(scores.chunks(self.classes.len()).map(|of_row| self.classes[winner(of_row)].as_str()).collect())
    }
}

/// Rows with all their values.
fn dense(rows: &Matrix) -> Result<Vectors<'static>> {
    Vectors::from_rows(&(0..rows.rows()).map(|i| rows.row(i)).collect::<Vec<_>>())
}

/// Rows with the values that are not 0.
fn sparse(rows: &Matrix) -> Result<Vectors<'static>> {
    let (mut ends, mut positions, mut values) = (vec![0], Vec::new(), Vec::new());
    for i in 0..rows.rows() {
        for (j, &value) in rows.row(i).iter().enumerate().filter(|(_, value)| **value != 0.0) {
            positions.push(u32::try_from(j).unwrap_or(u32::MAX));
            values.push(value);
        }
        ends.push(values.len());
    }
    Ok(Vectors::from(Sparse::from_parts(ends, positions, values, rows.columns())?))
}

fn check_widths(widths: &[f64]) -> Result<()> {
    if widths.is_empty() {
        return Err(Error::Empty { what: "bumps" });
    }
    match widths.iter().position(|w| !(*w > 0.0 && w.is_finite())) {
        Some(index) => {
            let (what, expected) = ("width of bump", "a finite number above 0");
            Err(Error::Entry { what, index, value: widths[index], expected })
        }
        None => Ok(()),
    }
}
