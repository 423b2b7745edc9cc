//! Training of kernel PCA.

use super::{KernelPca, KernelPcaModel};
use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, Precision, SymmetricGram};
use crate::linalg::Matrix;
use crate::machine::Functions;
use crate::machine::centred::Centred;
use crate::machine::kept::Kept;
use crate::machine::leading::{MORE, Search};
use crate::machine::whole::bytes;
use crate::resources::Workers;

/// Matrices of the size of K that are held where all eigenvalues are computed.
const ALL: u64 = 5;
/// Up to so many items all eigenvalues are computed: it takes no longer.
const FEW: usize = 200;
/// An eigenvalue below this share of the largest (or of the mean of the diagonal), for each item, is 0 but for rounding.
const ZERO: f64 = 1e-14;

/// What a training on a Gram matrix gives: everything but the items.
#[derive(Clone, Debug)]
pub struct KernelPcaFit {
    /// λ of each component, the largest first.
    pub values: Vec<f64>,
    /// Orthonormal eigenvectors, one per row; the entry with the largest size is positive.
    pub vectors: Matrix,
    /// The components, and after them the mean of k(xᵢ, x) over the items.
    pub functions: Functions,
    /// tr K̃: the sum of all eigenvalues.
    pub trace: f64,
    /// The mean of all values of K.
    pub mean: f64,
    /// Products of K with blocks of vectors that the search for eigenvalues took; 0 if all were computed, from the beginning or
    /// because the search did not converge.
    pub iterations: usize,
    /// Whether K was held; if not, it was computed anew for each product.
    pub held: bool,
}

impl<K> KernelPca<K> {
    /// Finds the components of items.
    ///
    /// For k components of n items O(n²k) per step of the search for eigenvalues, and 8n² bytes where the memory allows it; else K is
    /// computed anew for each step. All components take O(n³) time and 40n² bytes.
    ///
    /// # Errors
    /// No rows, a kernel that is not defined on them, [`Error::Indefinite`] if a negative eigenvalue is found, [`Error::Budget`]
    /// also where the search does not converge and there is not the memory for all eigenvalues.
    pub fn fit<I: Items>(&self, items: &I) -> Result<KernelPcaModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        if items.is_empty() {
            return Err(Error::Empty { what: "rows" });
        }
        let cache = if bytes(1, items.len()) <= self.options.memory { 0 } else { self.options.memory };
        let plan = self.options.plan(cache)?;
        let roomy = self.options.plan(self.options.memory)?;
        let kernel = BulkKernel::<I>::resolve_by(&self.kernel, items, None, &roomy)?;
        let layout = BulkKernel::<I>::layout(&kernel, items, &plan)?;
        let fit = {
            let gram = BulkKernel::<I>::symmetric(&kernel, items, &layout, &plan)?;
            self.fit_gram_with(&*gram, &plan.workers)?
        };
        let all: Vec<usize> = (0..items.len()).collect();
        let kept = Kept { items: items.select(&all), kernel, layout, precision: Precision::F64, threads: 0 };
        Ok(KernelPcaModel::new(kept, fit))
    }

    /// Finds the components of a Gram matrix.
    ///
    /// ```
    /// use mercer::gram::PrecomputedGram;
    /// use mercer::machine::KernelPca;
    /// // The inner products of −1, 0 and 1.
    /// let gram = PrecomputedGram::symmetric(vec![1.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0], 3)?;
    /// let fit = KernelPca::params(()).check()?.fit_gram(&gram)?;
    /// assert!(fit.values.len() == 1 && (fit.values[0] - 2.0).abs() < 1e-12);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`KernelPca::fit`].
    pub fn fit_gram(&self, gram: &dyn SymmetricGram) -> Result<KernelPcaFit> {
        if gram.shape().0 == 0 {
            return Err(Error::Empty { what: "rows" });
        }
        self.fit_gram_with(gram, &self.options.workers()?)
    }

    fn fit_gram_with(&self, gram: &dyn SymmetricGram, workers: &Workers) -> Result<KernelPcaFit> {
        let n = gram.shape().0;
        let wanted = self.components.unwrap_or(n).min(n);
        // Few items are decomposed whole where the memory allows it, many for lack of another way.
        let all = 3 * (wanted + MORE) > n || n <= FEW && bytes(ALL, n) <= self.options.memory;
        let held = all || bytes(1, n) <= self.options.memory;
        if all {
            let instead = "allow more memory, or ask for fewer components";
            self.options.check_memory("the eigenvalues of K", ALL, n, instead)?;
        }
        let mut centred = Centred::new(gram, held)?;
        let search = Search {
            seed: self.seed,
            settings: self.leading,
            ..Search::new(wanted, n, ALL, self.options.memory)
        };
        let found =
            if all { None } else { search.run(n, &|block| centred.times(block, workers), workers)? };
        let (values, vectors, iterations) = match found {
            None => centred.whole(wanted, workers)?,
            Some(found) => {
                let largest = found.values().first().copied().unwrap_or(0.0);
                centred.check_quotients(found.least_quotient(), largest)?;
                (found.values().to_vec(), found.vectors().clone(), found.iterations())
            }
        };
        // Beside the values that were centred, what is left of equal ones is rounding.
        let size = gram.diagonal().iter().map(|k| k.abs()).sum::<f64>() / n as f64;
        let largest = values.first().copied().unwrap_or(0.0).max(size);
        let rank = values.iter().take_while(|value| **value > ZERO * n as f64 * largest).count();
        let mut vectors = Matrix::new(vectors.values()[..rank * n].to_vec(), rank, n)?;
        vectors.values_mut().chunks_mut(n).for_each(orient);
        let m = rank + 1;
        let mut functions = Functions { coefficients: vec![1.0 / n as f64; n * m], offsets: vec![0.0; m] };
        for k in 0..rank {
            let root = values[k].sqrt();
            for (i, v) in vectors.row(k).iter().enumerate() {
                functions.coefficients[i * m + k] = v / root;
                functions.offsets[k] -= v / root * centred.means[i];
            }
        }
        let (trace, mean) = (centred.trace, centred.mean);
        Ok(KernelPcaFit {
            values: values[..rank].to_vec(),
            vectors,
            functions,
            trace,
            mean,
            iterations,
            held,
        })
    }
}

/// Makes an eigenvector sum to 0, as it does but for rounding, and its largest entry positive, of equals the first.
fn orient(vector: &mut [f64]) {
    let mean = vector.iter().sum::<f64>() / vector.len() as f64;
    let largest =
        (0..vector.len()).fold(0, |best, i| if vector[i].abs() > vector[best].abs() { i } else { best });
    let sign = if vector[largest] < 0.0 { -1.0 } else { 1.0 };
    vector.iter_mut().for_each(|v| *v = sign * (*v - mean));
}
