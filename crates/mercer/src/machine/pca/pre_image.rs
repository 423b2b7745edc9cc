//! Rows whose images in feature space are near to given components.
//!
//! Two ways: a ridge regression from the components of the training rows to the rows themselves, which any kernel allows (G. Bakır,
//! J. Weston, B. Schölkopf: Learning to find pre-images, NIPS 2003); and for the Gaussian kernel the fixed-point iteration of
//! S. Mika et al.: Kernel PCA and de-noising in feature spaces, NIPS 1998.

use super::KernelPcaModel;
use crate::data::{Dense, Items, Vectors};
use crate::error::{Error, Result};
use crate::kernel::Expression;
use crate::kernel::vector::{Epilogue, Measure};
use crate::linalg::Matrix;
use crate::machine::{MatrixOptions, Ridge, RidgeModel};

/// The iteration ends when no number moves by more than this share of the largest.
const STILL: f64 = 1e-9;

/// A regression from components to rows.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::Expression;
/// use mercer::machine::KernelPca;
/// let rows = Vectors::from_rows(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])?;
/// let model = KernelPca::params("linear".parse::<Expression>()?).components(1).check()?.fit(&rows)?;
/// let back = model.learn_pre_images(1e-6)?;
/// let found = back.rows(&model.transform(&Vectors::from_rows(&[[3.0, 2.0]])?)?)?;
/// // The foot of the perpendicular on the diagonal, less its mean: lines through the origin have no offset.
/// assert!((found[(0, 0)] - found[(0, 1)]).abs() < 1e-6);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PreImages {
    ridge: RidgeModel<Expression, Vectors<'static>>,
}

impl PreImages {
    /// A row for each row of components.
    ///
    /// # Errors
    /// [`Error::Shape`] for another number of components.
    pub fn rows(&self, components: &Matrix) -> Result<Matrix> {
        let rows = self.ridge.predict(&vectors(components)?)?;
        Matrix::new(rows, components.rows(), self.ridge.functions().outputs())
    }

    /// The regression.
    pub fn ridge(&self) -> &RidgeModel<Expression, Vectors<'static>> {
        &self.ridge
    }
}

fn vectors(matrix: &Matrix) -> Result<Vectors<'static>> {
    Ok(Vectors::from(Dense::new(matrix.values().to_vec(), matrix.rows(), matrix.columns())?))
}

impl KernelPcaModel<Expression, Vectors<'static>> {
    /// Learns to go back: ridge regression with λ from the components of the training rows, compared by the same kernel, to the rows.
    /// O(n³/3) time, 8n² bytes.
    ///
    /// # Errors
    /// [`Error::Parameter`] for λ, [`Error::Budget`]; a kernel that is not defined on components.
    pub fn learn_pre_images(&self, lambda: f64) -> Result<PreImages> {
        self.learn_pre_images_with(lambda, MatrixOptions::default())
    }

    /// The same, with threads and memory as they are told.
    ///
    /// # Errors
    /// As [`learn_pre_images`](Self::learn_pre_images).
    pub fn learn_pre_images_with(&self, lambda: f64, options: MatrixOptions) -> Result<PreImages> {
        let rows = &self.kept().items;
        let columns = rows.columns();
        let dense: Vec<f64> = (0..rows.len()).flat_map(|i| rows.get(i).to_dense(columns)).collect();
        let targets = Matrix::new(dense, rows.len(), columns)?;
        let ridge = Ridge::params(self.kept().kernel.clone()).lambda(lambda).options(options).check()?;
        Ok(PreImages { ridge: ridge.fit_many(&vectors(&self.training())?, &targets, None)? })
    }

    /// Rows whose images are nearest to the projections of these rows onto the components, for the Gaussian kernel: weighted means of
    /// the training rows, z = Σ γᵢk(xᵢ, z)xᵢ / Σ γᵢk(xᵢ, z), from where the rows are. O(n · columns) per row and step.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::kernel::Expression;
    /// use mercer::machine::KernelPca;
    /// let circle: Vec<[f64; 2]> = (0..40).map(|i| (f64::from(i) * 0.157).sin_cos()).map(|(a, b)| [a, b]).collect();
    /// let rows = Vectors::from_rows(&circle)?;
    /// let machine = KernelPca::params("gaussian(gamma=0.5)".parse::<Expression>()?).components(6);
    /// let found = machine.check()?.fit(&rows)?.denoise(&Vectors::from_rows(&[[1.1, 0.0]])?, 100)?;
    /// // Back on the circle.
    /// assert!((found[(0, 0)] - 1.0).abs() < 0.02 && found[(0, 1)].abs() < 0.02);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] for another kernel than one Gaussian of one width; rows with another number of columns.
    pub fn denoise(&self, rows: &Vectors<'_>, max_iterations: usize) -> Result<Matrix> {
        let rate = match self.kept().kernel.form() {
            Some((_, form)) if form.measure == Measure::SquaredDistance && form.scales.is_none() => {
                match form.epilogue {
                    Epilogue::Exponential { rate } => Some(rate),
                    _ => None,
                }
            }
            _ => None,
        };
        let Some(rate) = rate else {
            let what = format!(
                "rows are found by iteration for the Gaussian kernel of one width, not for {}; learn_pre_images serves all",
                self.kept().kernel
            );
            return Err(Error::Unsupported { what });
        };
        let components = self.transform(rows)?;
        let known = &self.kept().items;
        let (n, columns) = (known.len(), known.columns());
        let known: Vec<Vec<f64>> = (0..n).map(|i| known.get(i).to_dense(columns)).collect();
        let (k, m) = (self.components(), self.components() + 1);
        let mut found = Matrix::zeros(rows.len(), columns);
        for r in 0..rows.len() {
            // The projection is Σ γᵢφ(xᵢ), its mean included.
            let along = components.row(r);
            let gamma: Vec<f64> = (0..n)
                .map(|i| {
                    let coefficients = &self.fit().functions.coefficients[i * m..][..k];
                    1.0 / n as f64 + coefficients.iter().zip(along).map(|(a, z)| a * z).sum::<f64>()
                })
                .collect();
            let mut z = rows.get(r).to_dense(columns);
            for _ in 0..max_iterations {
                let (mut total, mut next) = (0.0, vec![0.0; columns]);
                for (x, gamma) in known.iter().zip(&gamma) {
                    let squared: f64 = x.iter().zip(&z).map(|(a, b)| (a - b) * (a - b)).sum();
                    let weight = gamma * (-rate * squared).exp();
                    total += weight;
                    next.iter_mut().zip(x).for_each(|(sum, x)| *sum += weight * x);
                }
                // Far from all rows there is nothing to hold on to: the row stays.
                if total.is_nan() || total <= f64::MIN_POSITIVE {
                    break;
                }
                next.iter_mut().for_each(|v| *v /= total);
                let moved = next.iter().zip(&z).fold(0.0f64, |most, (a, b)| most.max((a - b).abs()));
                let size = next.iter().fold(0.0f64, |most, v| most.max(v.abs()));
                z = next;
                if moved <= STILL * size {
                    break;
                }
            }
            found.values_mut()[r * columns..][..columns].copy_from_slice(&z);
        }
        Ok(found)
    }
}
