//! A sphere cut by a slab: novelty detection for items that lie near a plane of feature space.
//!
//! ```text
//! known:  inside the sphere,   and   ‖φ(x) − its projection onto the first k principal components‖² ≤ t
//! ```
//!
//! Where items lie near a plane, a sphere holds far more than they do, in all directions across it; the slab about the plane takes that
//! away. t is the quantile of the residuals of the training items that leaves the share δ/2 of them outside, and the sphere has ν = δ/2,
//! so that at most the share δ is outside of both together. (J. Shawe-Taylor, N. Cristianini: Kernel methods for pattern analysis,
//! remark 7.15. The thickness of its theorem 6.14 has constants that make it wider than any data; the quantile is in its place,
//! and promises nothing about new items.)

use super::whole::{MatrixOptions, matrix_options};
use super::{FitOptions, Kept, KernelPca, KernelPcaModel, Novelty, NoveltyModel, Region, Softness};
use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, WithLayout};
use crate::resources::{InstructionSet, Interrupt, Workers};
use crate::solver::Settings;

/// Parameters of the detector, not yet checked.
#[derive(Clone, Debug)]
pub struct SphereAndSlabParams<K> {
    kernel: K,
    components: usize,
    outside: f64,
    options: MatrixOptions,
}

/// The detector with checked parameters, ready to be trained.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::Expression;
/// use mercer::machine::SphereAndSlab;
/// let rows = Vectors::from_rows(&(0..41).map(|i| [f64::from(i - 20) / 20.0, 0.0]).collect::<Vec<_>>())?;
/// let machine = SphereAndSlab::params("linear".parse::<Expression>()?).components(1).check()?;
/// let model = machine.fit(&rows)?;
/// let new = Vectors::from_rows(&[[0.3, 0.0], [0.3, 0.3], [3.0, 0.0]])?;
/// // On the line; in the sphere but beside the line; on the line but outside the sphere.
/// assert_eq!(model.is_novel(&new)?, [false, true, true]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SphereAndSlab<K> {
    kernel: K,
    components: usize,
    outside: f64,
    options: MatrixOptions,
}

/// A trained detector.
#[derive(Clone, Debug)]
pub struct SphereAndSlabModel<K: WithLayout, I> {
    sphere: NoveltyModel<K, I>,
    plane: KernelPcaModel<K, I>,
    thickness: f64,
}

impl<K: Clone> SphereAndSlab<K> {
    /// Parameters with their defaults: two components, the share δ = 0.1 of the training items outside.
    pub fn params(kernel: K) -> SphereAndSlabParams<K> {
        let options = MatrixOptions::default();
        SphereAndSlabParams { kernel, components: 2, outside: 0.1, options }
    }

    /// Trains on items. As costly as [`Novelty::fit`] and [`KernelPca::fit`] together.
    ///
    /// # Errors
    /// As these two.
    pub fn fit<I: Items>(&self, items: &I) -> Result<SphereAndSlabModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        let share = self.outside / 2.0;
        let MatrixOptions { threads, memory, instruction_set, interrupt } = self.options.clone();
        let solver = Settings { interrupt, ..Settings::default() };
        let options = FitOptions { solver, threads, memory, instruction_set, ..FitOptions::default() };
        let sphere = Novelty::params(self.kernel.clone())
            .region(Region::Sphere)
            .softness(Softness::Nu(share))
            .options(options)
            .check()?
            .fit(items)?;
        let plane = KernelPca::params(self.kernel.clone())
            .components(self.components)
            .options(self.options.clone())
            .check()?
            .fit(items)?;
        let mut residuals = plane.reconstruction_errors(items)?;
        residuals.sort_by(f64::total_cmp);
        // At most the share is beyond.
        let beyond = (share * residuals.len() as f64).floor() as usize;
        let edge = residuals[residuals.len() - 1 - beyond.min(residuals.len() - 1)];
        // Residuals of 0 are 0 up to the rounding of what they are differences of.
        let rounding = 1e-12 * plane.fit().trace.max(plane.fit().mean.abs());
        Ok(SphereAndSlabModel { sphere, plane, thickness: edge + rounding })
    }
}

impl<K> SphereAndSlabParams<K> {
    /// k: dimensions of the plane; default 2.
    pub fn components(mut self, count: usize) -> Self {
        self.components = count;
        self
    }

    /// δ: the share of the training items that may be outside; default 0.1.
    pub fn outside(mut self, share: f64) -> Self {
        self.outside = share;
        self
    }

    matrix_options!(options);

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the name and value of the first that makes no sense.
    pub fn check(self) -> Result<SphereAndSlab<K>> {
        let SphereAndSlabParams { kernel, components, outside, options } = self;
        if components == 0 {
            return Err(Error::Parameter { name: "components", value: 0.0, expected: "at least 1" });
        }
        if !(outside > 0.0 && outside < 1.0) {
            let expected = "a number between 0 and 1";
            return Err(Error::Parameter { name: "outside", value: outside, expected });
        }
        Workers::checked(options.threads)?;
        Ok(SphereAndSlab { kernel, components, outside, options })
    }
}

impl<K: WithLayout, I> SphereAndSlabModel<K, I> {
    /// The same model with something else in place of what it keeps.
    pub(crate) fn map_kept<L: WithLayout, J>(
        self,
        change: &impl Fn(Kept<K, I>) -> Result<Kept<L, J>>,
    ) -> Result<SphereAndSlabModel<L, J>> {
        let SphereAndSlabModel { sphere, plane, thickness } = self;
        let (sphere, plane) = (sphere.map_kept(change)?, plane.map_kept(change)?);
        Ok(SphereAndSlabModel { sphere, plane, thickness })
    }

    /// The sphere.
    pub fn sphere(&self) -> &NoveltyModel<K, I> {
        &self.sphere
    }

    /// The components that span the plane.
    pub fn plane(&self) -> &KernelPcaModel<K, I> {
        &self.plane
    }

    /// t: the largest squared distance from the plane that counts as known.
    pub fn thickness(&self) -> f64 {
        self.thickness
    }

    /// A detector from its parts.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a thickness that is none.
    pub fn from_parts(
        sphere: NoveltyModel<K, I>,
        plane: KernelPcaModel<K, I>,
        thickness: f64,
    ) -> Result<Self> {
        if !(thickness >= 0.0 && thickness.is_finite()) {
            let expected = "a finite number of at least 0";
            return Err(Error::Parameter { name: "thickness", value: thickness, expected });
        }
        Ok(SphereAndSlabModel { sphere, plane, thickness })
    }

    /// The same model with so many threads for predictions; 0, the default, means as many as there are.
    pub fn with_threads(self, threads: usize) -> Self {
        let (sphere, plane) = (self.sphere.with_threads(threads), self.plane.with_threads(threads));
        SphereAndSlabModel { sphere, plane, ..self }
    }

    /// Scores: negative outside of the sphere or of the slab. They are squared distances from the nearer of the two surfaces, inside of
    /// both the smaller one.
    ///
    /// # Errors
    /// Items that the kernel is not defined on, such as rows with another number of columns.
    pub fn scores<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<f64>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let beyond = self.plane.reconstruction_errors(items)?;
        let inside = self.sphere.scores(items)?;
        Ok(inside.into_iter().zip(beyond).map(|(inside, far)| inside.min(self.thickness - far)).collect())
    }

    /// Whether items are outside of the sphere or of the slab.
    ///
    /// # Errors
    /// As [`SphereAndSlabModel::scores`].
    pub fn is_novel<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<bool>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        Ok(self.scores(items)?.into_iter().map(|score| score < 0.0).collect())
    }
}
