//! The radial basis function network: Gaussian bumps about the means of clusters, and a linear read-out.
//!
//! ```text
//! hⱼ(x) = exp(−‖x − cⱼ‖²/(2σⱼ²)),   f(x) = Σ wⱼhⱼ(x) + b,   min Σ (y − f(x))² + λ‖w‖²
//! ```
//!
//! c are the means of k-means, σⱼ² the mean squared distance of a cluster from its mean, per column. It is what support vector machines
//! with the Gaussian kernel were first compared with, and here for the same purpose. (J. Moody, C. Darken: Fast learning in networks of
//! locally-tuned processing units, Neural Computation 1 (1989); B. Schölkopf et al.: Comparing support vector machines with Gaussian
//! kernels to radial basis function classifiers, IEEE Trans. Signal Processing 45 (1997).)

use super::fisher::check_labels;
use super::k_means::KernelKMeans;
use super::one_against_one::winner;
use super::whole::{MatrixOptions, matrix_options};
use crate::data::{Items, Labels, Vectors};
use crate::error::{Error, Result};
use crate::kernel::Expression;
use crate::kernel::vector::Linear;
use crate::linalg::{Cholesky, Matrix};
use crate::resources::{InstructionSet, Interrupt, Workers};

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
/// let model = RbfNetwork::params(4).check()?.fit_classes(&rows, &labels)?;
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
#[derive(Clone, Debug, PartialEq)]
pub struct RbfNetworkModel {
    /// The classes; none for a regression.
    pub classes: Vec<String>,
    /// The middles of the bumps, one row each.
    pub centres: Matrix,
    /// σ of each bump.
    pub widths: Vec<f64>,
    /// The read-out: one row per output, a weight for each bump and last the offset.
    pub weights: Matrix,
}

impl RbfNetwork {
    /// Parameters with their defaults: so many bumps, λ = 1e-6, the best of ten starts of k-means.
    pub fn params(units: usize) -> RbfNetworkParams {
        RbfNetworkParams { units, lambda: 1e-6, restarts: 9, seed: 0, options: MatrixOptions::default() }
    }

    /// Trains a regression on rows and targets, one row per row and one column per output. O(n · units²) beside k-means.
    ///
    /// # Errors
    /// Fewer rows than bumps, targets of another number or not finite.
    pub fn fit(&self, rows: &Vectors<'_>, targets: &Matrix) -> Result<RbfNetworkModel> {
        let n = rows.len();
        if targets.rows() != n {
            return Err(Error::Shape { what: "targets (one per row)", expected: n, found: targets.rows() });
        }
        let m = targets.columns();
        if let Some(at) = targets.values().iter().position(|y| !y.is_finite()) {
            let (what, expected) = ("target", "a finite number");
            return Err(Error::Entry { what, index: at / m, value: targets.values()[at], expected });
        }
        let k_means = KernelKMeans::params(Expression::from(Linear), self.units)
            .restarts(self.restarts)
            .seed(self.seed)
            .options(self.options.clone())
            .check()?
            .fit(rows)?;
        let clusters = k_means.fit();
        let (columns, units) = (rows.columns(), self.units);
        let mut centres = Matrix::zeros(units, columns);
        let points: Vec<Vec<f64>> = (0..n).map(|i| rows.get(i).to_dense(columns)).collect();
        for (point, &c) in points.iter().zip(&clusters.clusters) {
            for (j, value) in point.iter().enumerate() {
                centres[(c, j)] += value / clusters.sizes[c] as f64;
            }
        }
        let mut sums = vec![0.0; units];
        for (point, &c) in points.iter().zip(&clusters.clusters) {
            sums[c] += squared(point, centres.row(c));
        }
        let size = |c: usize| (clusters.sizes[c] * columns.max(1)) as f64;
        let mut widths: Vec<f64> = (0..units).map(|c| (sums[c] / size(c)).sqrt()).collect();
        // A cluster of equal rows has no width of its own: that of the others, or of any.
        let known: Vec<f64> = widths.iter().copied().filter(|w| *w > 0.0).collect();
        let usual = if known.is_empty() { 1.0 } else { known.iter().sum::<f64>() / known.len() as f64 };
        widths.iter_mut().filter(|w| **w == 0.0).for_each(|w| *w = usual);
        let mut model =
            RbfNetworkModel { classes: Vec::new(), centres, widths, weights: Matrix::zeros(0, 0) };
        model.weights = self.read_out(&model.bumps(rows)?, targets)?;
        Ok(model)
    }

    /// Trains a classifier on rows and labels: a regression on signs, one output per class.
    ///
    /// # Errors
    /// As [`RbfNetwork::fit`]; labels of another number or of one class.
    pub fn fit_classes(&self, rows: &Vectors<'_>, labels: &Labels) -> Result<RbfNetworkModel> {
        let n = rows.len();
        check_labels(n, labels)?;
        let classes = labels.classes().to_vec();
        let sign = |i: usize, c: usize| if labels.codes()[i] as usize == c { 1.0 } else { -1.0 };
        let model = self.fit(rows, &Matrix::from_fn(n, classes.len(), sign))?;
        Ok(RbfNetworkModel { classes, ..model })
    }

    /// Ridge regression on the bumps, with an offset that costs nothing.
    fn read_out(&self, bumps: &Matrix, targets: &Matrix) -> Result<Matrix> {
        let (n, units, m) = (bumps.rows(), bumps.columns(), targets.columns());
        let workers = Workers::checked(self.options.threads)?;
        let mean = |of: &Matrix, j: usize| (0..n).map(|i| of[(i, j)]).sum::<f64>() / n as f64;
        let means: Vec<f64> = (0..units).map(|j| mean(bumps, j)).collect();
        let target_means: Vec<f64> = (0..m).map(|o| mean(targets, o)).collect();
        let centred = Matrix::from_fn(units, n, |j, i| bumps[(i, j)] - means[j]);
        let mut inner = centred.times_transposed(&centred, &workers)?;
        (0..units).for_each(|j| inner[(j, j)] += self.lambda);
        let (factor, _) = Cholesky::with_jitter(inner, &workers)?;
        let right = Matrix::from_fn(m, n, |o, i| targets[(i, o)] - target_means[o]);
        let mut weights = right.times_transposed(&centred, &workers)?;
        factor.solve_rows(&mut weights, &workers)?;
        let offset =
            |o: usize| target_means[o] - weights.row(o).iter().zip(&means).map(|(w, m)| w * m).sum::<f64>();
        Ok(Matrix::from_fn(m, units + 1, |o, j| if j < units { weights[(o, j)] } else { offset(o) }))
    }
}

fn squared(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
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
    /// What the bumps say about rows: one row each, one column per bump.
    ///
    /// # Errors
    /// [`Error::Shape`] for rows with another number of columns.
    pub fn bumps(&self, rows: &Vectors<'_>) -> Result<Matrix> {
        let columns = self.centres.columns();
        if rows.columns() != columns {
            let what = "columns (as in the training set)";
            return Err(Error::Shape { what, expected: columns, found: rows.columns() });
        }
        let points: Vec<Vec<f64>> = (0..rows.len()).map(|i| rows.get(i).to_dense(columns)).collect();
        let bump = |i: usize, c: usize| {
            let width = self.widths[c];
            (-squared(&points[i], self.centres.row(c)) / (2.0 * width * width)).exp()
        };
        Ok(Matrix::from_fn(rows.len(), self.widths.len(), bump))
    }

    /// For each row the values of all outputs; one per class for a classifier. O(units · columns) per row.
    ///
    /// # Errors
    /// As [`RbfNetworkModel::bumps`].
    pub fn predict(&self, rows: &Vectors<'_>) -> Result<Vec<f64>> {
        let bumps = self.bumps(rows)?;
        let units = self.widths.len();
        let value = |i: usize, o: usize| {
            let (row, weights) = (bumps.row(i), self.weights.row(o));
            weights[units] + row.iter().zip(weights).map(|(h, w)| h * w).sum::<f64>()
        };
        Ok(Matrix::from_fn(rows.len(), self.weights.rows(), value).values().to_vec())
    }

    /// The class of each row.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a regression; as [`RbfNetworkModel::bumps`].
    pub fn predict_labels(&self, rows: &Vectors<'_>) -> Result<Vec<&str>> {
        if self.classes.is_empty() {
            return Err(Error::Unsupported { what: "a regression has no classes".into() });
        }
        let scores = self.predict(rows)?;
        Ok(scores.chunks(self.classes.len()).map(|of_row| self.classes[winner(of_row)].as_str()).collect())
    }
}
