//! Spectral clustering: items are near where many short steps lead from one to the other.
//!
//! ```text
//! N = D^(−½) K D^(−½),   D = diag(row sums of K),   N V = V Λ for the k largest λ
//! item i lies at row i of V, brought to length 1; k-means finds the clusters there
//! ```
//!
//! New items: with d(x) = Σ k(x, xᵢ) the entries of V go on as Σ k(x, xᵢ) vᵢ / (λ √(d(x) dᵢ)) (Nyström), which at a training item is
//! its own row. (A. Ng, M. Jordan, Y. Weiss: On spectral clustering, NIPS 2001; Y. Bengio et al.: Out-of-sample extensions,
//! NIPS 2003.)

use super::expansion::check_finite;
use super::k_means::KernelKMeans;
use super::kept::Kept;
use super::leading::{MORE, Search};
use super::whole::{MatrixOptions, bytes, matrix_options, trained, whole};
use super::{Functions, KMeansFit};
use crate::data::{Items, Vectors};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, Columns, Combinations, SymmetricGram, WithLayout};
use crate::kernel::Expression;
use crate::kernel::vector::Linear;
use crate::linalg::{Matrix, SymmetricEigen};
use crate::resources::{InstructionSet, Interrupt, Workers};

/// Up to so many items all eigenvalues are computed: it takes no longer.
const FEW: usize = 200;
/// Matrices of n² numbers that it takes to compute all eigenvalues.
const ALL: u64 = 6;
/// Products of K with a block of vectors after which a search takes longer than to compute all eigenvalues.
const WORTH_SEARCHING: usize = 100;

/// Parameters of spectral clustering, not yet checked.
#[derive(Clone, Debug)]
pub struct SpectralClusteringParams<K> {
    kernel: K,
    clusters: usize,
    components: Option<usize>,
    restarts: usize,
    seed: u64,
    options: MatrixOptions,
}

/// Spectral clustering with checked parameters, ready to be trained.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::Expression;
/// use mercer::machine::SpectralClustering;
/// // Two rings, one in the other: no mean tells them apart.
/// let ring = |r: f64| (0..20).map(move |i| [r * (0.314 * f64::from(i)).cos(), r * (0.314 * f64::from(i)).sin()]);
/// let rows = Vectors::from_rows(&ring(1.0).chain(ring(4.0)).collect::<Vec<_>>())?;
/// let machine = SpectralClustering::params("gaussian(gamma=1)".parse::<Expression>()?, 2).check()?;
/// let model = machine.fit(&rows)?;
/// assert!(model.clusters()[..20].iter().all(|c| *c == 0) && model.clusters()[20..].iter().all(|c| *c == 1));
/// assert_eq!(model.predict(&Vectors::from_rows(&[[0.0, 0.9], [4.1, 0.0]])?)?, [0, 1]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SpectralClustering<K> {
    kernel: K,
    clusters: usize,
    components: Option<usize>,
    restarts: usize,
    seed: u64,
    options: MatrixOptions,
}

/// Clusters of the items of a Gram matrix, and where the items lie.
#[derive(Clone, Debug)]
pub struct SpectralFit {
    /// The largest eigenvalues of N, one per component: 1 is the largest of all, and so are as many as there are parts without connection.
    pub values: Vec<f64>,
    /// Where the items lie: one row each, of length 1.
    pub embedding: Matrix,
    /// Clusters of these rows.
    pub k_means: KMeansFit,
    /// Σ k(x, xᵢ) vᵢ / (λ √dᵢ) for each eigenvector; √d(x) is the same for all, and lengths are 1.
    pub functions: Functions,
    /// The means of the clusters where the items lie: one row each.
    pub centres: Matrix,
}

/// Clusters with the items that they are made of.
#[derive(Clone, Debug)]
pub struct SpectralModel<K: WithLayout, I> {
    kept: Kept<K, I>,
    fit: SpectralFit,
}

impl<K> SpectralClustering<K> {
    /// Parameters with their defaults: the best of ten starts of k-means.
    pub fn params(kernel: K, clusters: usize) -> SpectralClusteringParams<K> {
        let options = MatrixOptions::default();
        SpectralClusteringParams { kernel, clusters, components: None, restarts: 9, seed: 0, options }
    }

    /// Finds clusters of items. O(n²k) per step of the search for eigenvalues, and 8n² bytes where the memory allows it; else K is
    /// computed anew for each step.
    ///
    /// # Errors
    /// Fewer items than clusters, a kernel that is not defined on them; [`Error::Entry`] for an item whose kernel values do not sum to
    /// more than 0.
    pub fn fit<I: Items>(&self, items: &I) -> Result<SpectralModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        let n = items.len();
        let plan =
            self.options.plan(if bytes(1, n) <= self.options.memory { 0 } else { self.options.memory })?;
        let (kept, fit) = trained(&self.kernel, (items, None), &plan, |gram| {
            Ok(((0..n).collect(), self.fit_gram_with(gram, &plan.workers)?))
        })?;
        Ok(SpectralModel { kept, fit })
    }

    /// Finds clusters of the items of a Gram matrix.
    ///
    /// # Errors
    /// As [`SpectralClustering::fit`].
    pub fn fit_gram(&self, gram: &dyn SymmetricGram) -> Result<SpectralFit> {
        self.fit_gram_with(gram, &self.options.workers()?)
    }

    fn fit_gram_with(&self, gram: &dyn SymmetricGram, workers: &Workers) -> Result<SpectralFit> {
        let (n, k) = (gram.shape().0, self.components.unwrap_or(self.clusters));
        for (what, expected) in
            [("rows (one per cluster at least)", self.clusters), ("rows (one per component at least)", k)]
        {
            if n < expected {
                return Err(Error::Shape { what, expected, found: n });
            }
        }
        // Few items are decomposed whole where the memory allows it, many for lack of another way.
        let all = 3 * (k + MORE) > n || n <= FEW && bytes(ALL, n) <= self.options.memory;
        if all {
            let instead = "allow more memory, or ask for fewer clusters";
            self.options.check_memory("the eigenvalues of K", ALL, n, instead)?;
        }
        let mut steps = Steps::new(gram, all || bytes(1, n) <= self.options.memory)?;
        let search = Search {
            seed: self.seed,
            worth_searching: WORTH_SEARCHING,
            instead: "allow more memory, or take a wider kernel (a smaller gamma) or fewer clusters",
            ..Search::new(k, n, ALL, self.options.memory)
        };
        let found = if all { None } else { search.run(n, &|block| steps.times(block, workers), workers)? };
        let (values, vectors) = match (found, steps.matrix.take()) {
            (Some(found), _) => (found.values().to_vec(), found.vectors().clone()),
            (None, Some(matrix)) => {
                let eigen = SymmetricEigen::heard(matrix, workers)?;
                let values = (0..k).map(|j| eigen.values()[n - 1 - j]).collect();
                (values, Matrix::from_fn(k, n, |j, i| eigen.vector(n - 1 - j)[i]))
            }
            (None, None) => {
                return Err(Error::NoConvergence { what: "the search for the largest eigenvalues" });
            }
        };
        if let Some(value) = values.iter().find(|value| **value <= 0.0) {
            return Err(Error::Undefined {
                what: format!("{} clusters by {k} components", self.clusters),
                why: format!("an eigenvalue that is needed is {value:e}, and should be above 0"),
            });
        }
        let mut embedding = vectors.transposed();
        embedding.values_mut().chunks_mut(k).for_each(to_length_one);
        let points: Vec<&[f64]> = (0..n).map(|i| embedding.row(i)).collect();
        let means = KernelKMeans::params(Expression::from(Linear), self.clusters)
            .restarts(self.restarts)
            .seed(self.seed)
            .options(self.options.clone())
            .check()?;
        let k_means = means.fit(&Vectors::from_rows(&points)?)?.fit().clone();
        let mut centres = Matrix::zeros(self.clusters, k);
        for (i, &c) in k_means.clusters.iter().enumerate() {
            for j in 0..k {
                centres[(c, j)] += embedding[(i, j)] / k_means.sizes[c] as f64;
            }
        }
        let coefficient = |i: usize, j: usize| vectors[(j, i)] / (values[j] * steps.degrees[i].sqrt());
        let coefficients = Matrix::from_fn(n, k, coefficient).values().to_vec();
        let functions = Functions { coefficients, offsets: vec![0.0; k] };
        Ok(SpectralFit { values, embedding, k_means, functions, centres })
    }
}

fn to_length_one(row: &mut [f64]) {
    let size = row.iter().map(|v| v * v).sum::<f64>().sqrt();
    if size > 0.0 {
        row.iter_mut().for_each(|v| *v /= size);
    }
}

/// N, held or not.
struct Steps<'a> {
    gram: &'a dyn SymmetricGram,
    matrix: Option<Matrix>,
    degrees: Vec<f64>,
}

impl<'a> Steps<'a> {
    fn new(gram: &'a dyn SymmetricGram, held: bool) -> Result<Self> {
        let n = gram.shape().0;
        let mut matrix = if held { Some(whole(gram)?) } else { None };
        let degrees: Vec<f64> = match &matrix {
            Some(matrix) => (0..n).map(|i| matrix.row(i).iter().sum()).collect(),
            None => {
                let rows: Vec<usize> = (0..n).collect();
                let mut sums = vec![0.0; n];
                gram.accumulate(&rows, &vec![1.0; n], Columns::Range(0..n), &mut sums)?;
                sums
            }
        };
        if let Some(index) = degrees.iter().position(|d| !(*d > 0.0 && d.is_finite())) {
            let (what, expected) = ("the sum of the kernel values of item", "a finite number above 0");
            return Err(Error::Entry { what, index, value: degrees[index], expected });
        }
        if let Some(matrix) = &mut matrix {
            for (i, row) in matrix.values_mut().chunks_mut(n).enumerate() {
                Interrupt::checkpoint()?;
                row.iter_mut().zip(&degrees).for_each(|(v, d)| *v /= (d * degrees[i]).sqrt());
            }
        }
        Ok(Steps { gram, matrix, degrees })
    }

    /// N times each row.
    fn times(&self, block: &Matrix, workers: &Workers) -> Result<Matrix> {
        if let Some(matrix) = &self.matrix {
            return Ok(matrix.times_transposed(block, workers)?.transposed());
        }
        let (m, n) = (block.rows(), block.columns());
        let mut sums = Combinations::new();
        for o in 0..m {
            sums.push(block.row(o).iter().zip(&self.degrees).map(|(v, d)| v / d.sqrt()).enumerate());
        }
        let rows: Vec<usize> = (0..n).collect();
        let mut products = vec![0.0; n * m];
        self.gram.combine(&rows, &sums, Columns::Range(0..n), &mut products, workers)?;
        Ok(Matrix::from_fn(m, n, |o, i| products[i * m + o] / self.degrees[i].sqrt()))
    }
}

impl<K> SpectralClusteringParams<K> {
    /// Number of eigenvectors that items are placed by; by default that of the clusters.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::kernel::Expression;
    /// use mercer::machine::SpectralClustering;
    /// let rows = Vectors::from_rows(&[[0.0], [0.1], [5.0], [5.1], [9.0], [9.1]])?;
    /// let machine = SpectralClustering::params("gaussian(gamma=1)".parse::<Expression>()?, 2).components(3).check()?;
    /// assert_eq!(machine.fit(&rows)?.fit().values.len(), 3);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn components(mut self, count: usize) -> Self {
        self.components = Some(count);
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
    pub fn check(self) -> Result<SpectralClustering<K>> {
        let SpectralClusteringParams { kernel, clusters, components, restarts, seed, options } = self;
        for (name, value) in [("clusters", clusters), ("components", components.unwrap_or(1))] {
            if value == 0 {
                return Err(Error::Parameter { name, value: 0.0, expected: "at least 1" });
            }
        }
        Workers::checked(options.threads)?;
        Ok(SpectralClustering { kernel, clusters, components, restarts, seed, options })
    }
}

impl<K: WithLayout, I> SpectralModel<K, I> {
    /// The same model with something else in place of what it keeps.
    pub(crate) fn map_kept<L: WithLayout, J>(
        self,
        change: &impl Fn(Kept<K, I>) -> Result<Kept<L, J>>,
    ) -> Result<SpectralModel<L, J>> {
        Ok(SpectralModel { kept: change(self.kept)?, fit: self.fit })
    }

    /// Clusters from their parts.
    ///
    /// # Errors
    /// [`Error::Shape`] or [`Error::Entry`] for parts that do not fit together.
    pub fn from_parts(kept: Kept<K, I>, fit: SpectralFit) -> Result<Self>
    where
        I: Items,
    {
        fit.functions.check(&kept.items)?;
        let (n, k) = (kept.items.len(), fit.values.len());
        for (what, expected, found) in [
            ("functions (one per eigenvalue)", k, fit.functions.outputs()),
            ("columns of the centres (one per eigenvalue)", k, fit.centres.columns()),
            ("centres (one per cluster)", fit.k_means.sizes.len(), fit.centres.rows()),
            ("places (one per item)", n, fit.embedding.rows()),
            ("columns of the places (one per eigenvalue)", k, fit.embedding.columns()),
            ("clusters of items (one each)", n, fit.k_means.clusters.len()),
        ] {
            if expected != found {
                return Err(Error::Shape { what, expected, found });
            }
        }
        for (what, values) in [
            ("eigenvalue", &fit.values[..]),
            ("centre", fit.centres.values()),
            ("place", fit.embedding.values()),
        ] {
            check_finite(what, values)?;
        }
        Ok(SpectralModel { kept, fit })
    }

    /// The same model with so many threads for predictions; 0, the default, means as many as there are.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.kept.threads = threads;
        self
    }

    /// Kernel, layout, precision and training items.
    pub fn kept(&self) -> &Kept<K, I> {
        &self.kept
    }

    /// Eigenvalues, where the items lie, and the clusters there.
    pub fn fit(&self) -> &SpectralFit {
        &self.fit
    }

    /// The cluster of each training item, numbered in the order of their first items.
    pub fn clusters(&self) -> &[usize] {
        &self.fit.k_means.clusters
    }

    /// Where items lie among the clusters, one row of length 1 each; 0 for an item that is like none of the training.
    ///
    /// # Errors
    /// Items that the kernel is not defined on, such as rows with another number of columns.
    pub fn transform<J: Items<Owned = I>>(&self, items: &J) -> Result<Matrix>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let k = self.fit.values.len();
        if items.is_empty() {
            return Ok(Matrix::zeros(0, k));
        }
        let mut values =
            self.kept.compare(items, |gram, workers| self.fit.functions.values(gram, workers))?;
        values.chunks_mut(k).for_each(to_length_one);
        Matrix::new(values, items.len(), k)
    }

    /// For each item and cluster the squared distance from its mean, where the items lie.
    ///
    /// # Errors
    /// As [`SpectralModel::transform`].
    pub fn distances<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<f64>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let at = self.transform(items)?;
        let squared = |i: usize, c: usize| -> f64 {
            at.row(i).iter().zip(self.fit.centres.row(c)).map(|(a, b)| (a - b) * (a - b)).sum()
        };
        Ok(Matrix::from_fn(items.len(), self.fit.centres.rows(), squared).into_values())
    }

    /// The cluster whose mean is nearest, of equals the first. O(n) kernel values per item.
    ///
    /// # Errors
    /// As [`SpectralModel::transform`].
    pub fn predict<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<usize>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let k = self.fit.centres.rows();
        let nearest = |far: &[f64]| (1..k).fold(0, |best, c| if far[c] < far[best] { c } else { best });
        Ok(self.distances(items)?.chunks(k.max(1)).map(nearest).collect())
    }
}
