//! Training of kernel CCA.

use super::KernelCca;
use super::view::{CcaView, Coordinates, View};
use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, Precision, SymmetricGram};
use crate::linalg::{Cholesky, Matrix, SymmetricEigen};
use crate::machine::kept::Kept;
use crate::resources::Workers;

/// What was found, without the items.
#[derive(Clone, Debug)]
pub struct KernelCcaFit {
    /// The correlation of each component over the training items, the mean over all pairs of views.
    pub correlations: Vec<f64>,
    /// One per view, in their order.
    pub views: Vec<View>,
}

impl KernelCca {
    /// Finds what two views of the same things have in common: item i of the one belongs to item i of the other. They may be of
    /// different kinds. O(n · rank²) time and O(n · rank) memory.
    ///
    /// # Errors
    /// No items, different numbers of them, kernels that are not defined on them; [`Error::Undefined`] if a view is the same for
    /// all items; [`Error::Pivot`] for τ = 0 and coordinates that depend on each other.
    #[allow(clippy::type_complexity)]
    pub fn fit_two<K, I, L, J>(
        &self,
        first: (&K, &I),
        second: (&L, &J),
    ) -> Result<(KernelCcaFit, (CcaView<K, I::Owned>, CcaView<L, J::Owned>))>
    where
        I: Items,
        J: Items,
        K: BulkKernel<I> + BulkKernel<I::Owned>,
        L: BulkKernel<J> + BulkKernel<J::Owned>,
    {
        let plan = self.options.plan(self.options.memory / 2)?;
        let kernel = BulkKernel::<I>::resolve_by(first.0, first.1, None, &plan)?;
        let other = BulkKernel::<J>::resolve_by(second.0, second.1, None, &plan)?;
        let layout = BulkKernel::<I>::layout(&kernel, first.1, &plan)?;
        let other_layout = BulkKernel::<J>::layout(&other, second.1, &plan)?;
        let fit = {
            let gram = BulkKernel::<I>::symmetric(&kernel, first.1, &layout, &plan)?;
            let other_gram = BulkKernel::<J>::symmetric(&other, second.1, &other_layout, &plan)?;
            self.fit_grams(&[&*gram, &*other_gram])?
        };
        let precision = Precision::F64;
        let items = first.1.select(&fit.views[0].pivots);
        let kept = Kept { kernel, layout, precision, items, threads: 0 };
        let items = second.1.select(&fit.views[1].pivots);
        let other = Kept { kernel: other, layout: other_layout, precision, items, threads: 0 };
        let views = (CcaView::new(kept, fit.views[0].clone()), CcaView::new(other, fit.views[1].clone()));
        Ok((fit, views))
    }

    /// Finds what two or more views of the same things have in common, each of them given by its Gram matrix.
    ///
    /// ```
    /// use mercer::gram::PrecomputedGram;
    /// use mercer::machine::KernelCca;
    /// // A view and the same view again.
    /// let gram = PrecomputedGram::symmetric(vec![1.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0], 3)?;
    /// let machine = KernelCca::params().components(1).regularisation(0.0).check()?;
    /// let fit = machine.fit_grams(&[&gram, &gram, &gram])?;
    /// assert!((fit.correlations[0] - 1.0).abs() < 1e-12);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`KernelCca::fit_two`].
    pub fn fit_grams(&self, grams: &[&dyn SymmetricGram]) -> Result<KernelCcaFit> {
        let n = grams.first().map_or(0, |gram| gram.shape().0);
        if grams.len() < 2 {
            return Err(Error::Shape { what: "views (two at least)", expected: 2, found: grams.len() });
        }
        if n == 0 {
            return Err(Error::Empty { what: "items" });
        }
        let workers = self.options.workers()?;
        let mut views = Vec::with_capacity(grams.len());
        for gram in grams {
            if gram.shape().0 != n {
                let what = "items of a view (as many as of the first)";
                return Err(Error::Shape { what, expected: n, found: gram.shape().0 });
            }
            views.push(Coordinates::new(*gram, None, self.rank, self.precision)?);
        }
        let turned = self.whitened(&views, &workers)?;
        let starts: Vec<usize> = views
            .iter()
            .scan(0, |next, view| {
                let start = *next;
                *next += view.rank();
                Some(start)
            })
            .collect();
        let size: usize = views.iter().map(Coordinates::rank).sum();
        let instead = "allow a smaller rank";
        self.options.check_memory("the covariances of all coordinates", 5, size, instead)?;
        let of = |at: usize| starts.partition_point(|start| *start <= at) - 1;
        // Covariances of different views; those of a view with itself are 1 by construction and tell nothing.
        let products: Vec<Vec<Matrix>> = turned
            .iter()
            .map(|a| turned.iter().map(|b| a.1.times_transposed(&b.1, &workers)).collect::<Result<_>>())
            .collect::<Result<_>>()?;
        let covariances = Matrix::from_fn(size, size, |i, j| {
            let (a, b) = (of(i), of(j));
            if a == b { 0.0 } else { products[a][b][(i - starts[a], j - starts[b])] / n as f64 }
        });
        let eigen = SymmetricEigen::heard(covariances, &workers)?;
        // Coordinates that are centred have one dimension less than there are items, at most.
        let most = views.iter().map(Coordinates::rank).min().unwrap_or(0).min(n - 1);
        let count = self.components.min(most);
        let mut scores: Vec<Matrix> = Vec::new();
        let mut found = Vec::new();
        for (v, view) in views.iter().enumerate() {
            // w = L⁻ᵀu, brought to a common length by the number of views.
            let mut directions = Matrix::from_fn(count, view.rank(), |k, i| {
                eigen.vector(size - 1 - k)[starts[v] + i] * (grams.len() as f64).sqrt()
            });
            turned[v].0.backward_rows(&mut directions, &workers)?;
            scores.push(directions.times(view.centred(), &workers)?);
            found.push(view.view(&directions));
        }
        let correlations = (0..count).map(|k| mean_correlation(&scores, k)).collect();
        Ok(KernelCcaFit { correlations, views: found })
    }

    /// For each view the factor of (1 − τ)C + τI, and L⁻¹ times the coordinates.
    fn whitened(&self, views: &[Coordinates], workers: &Workers) -> Result<Vec<(Cholesky, Matrix)>> {
        let mut turned = Vec::with_capacity(views.len());
        for view in views {
            let coordinates = view.centred();
            let n = coordinates.columns() as f64;
            let mut covariance = coordinates.times_transposed(coordinates, workers)?;
            covariance.values_mut().iter_mut().for_each(|c| *c *= (1.0 - self.regularisation) / n);
            (0..view.rank()).for_each(|i| covariance[(i, i)] += self.regularisation);
            let (factor, _) = Cholesky::with_jitter(covariance, workers)?;
            let mut by_item = coordinates.transposed();
            factor.forward_rows(&mut by_item, workers)?;
            turned.push((factor, by_item.transposed()));
        }
        Ok(turned)
    }
}

/// The correlation of one component, the mean over all pairs of views; 0 where a view has no variance along it.
fn mean_correlation(scores: &[Matrix], k: usize) -> f64 {
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (mut total, mut pairs) = (0.0, 0.0);
    for a in 0..scores.len() {
        for b in 0..a {
            let (x, y) = (scores[a].row(k), scores[b].row(k));
            let size = (product(x, x) * product(y, y)).sqrt();
            total += if size > 0.0 { (product(x, y) / size).clamp(-1.0, 1.0) } else { 0.0 };
            pairs += 1.0;
        }
    }
    total / pairs
}
