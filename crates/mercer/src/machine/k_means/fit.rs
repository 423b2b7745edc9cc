//! Training of kernel k-means, and what it gives.

use super::KernelKMeans;
use super::start::{Counts, drawn, nearest};
use crate::data::{Items, Random};
use crate::error::{Error, Result};
use crate::gram::{
    BulkKernel, Columns, Combinations, Interruptible, Precision, PrecomputedGram, SymmetricGram, WithLayout,
};
use crate::machine::Functions;
use crate::machine::kept::Kept;
use crate::machine::whole::{bytes, whole};
use crate::resources::Workers;

/// Clusters of the items of a Gram matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct KMeansFit {
    /// The cluster of each item, numbered in the order of their first items.
    pub clusters: Vec<usize>,
    /// Items of each cluster; none is empty.
    pub sizes: Vec<usize>,
    /// Clusters with a mean of their own: fewer than all where there are fewer different items than clusters, as equal items are then in
    /// different ones.
    pub distinct: usize,
    /// Σ w‖φ(xᵢ) − m(cluster of i)‖²
    pub inertia: f64,
    /// Rounds of the best start.
    pub rounds: usize,
    /// Whether the best start ended because nothing moved any more.
    pub converged: bool,
    /// The sum of squares after each round of the best start.
    pub history: Vec<f64>,
    /// −2 mean k(x, c) + mean k(c, c) for each cluster c: the squared distance from its mean, less k(x, x).
    pub functions: Functions,
}

/// Clusters with the items that they are made of.
#[derive(Clone, Debug)]
pub struct KernelKMeansModel<K: WithLayout, I> {
    kept: Kept<K, I>,
    fit: KMeansFit,
}

impl<K> KernelKMeans<K> {
    /// Finds clusters of items. O(n²) per round, and 8n² bytes where the memory allows it; else K is computed anew for each round.
    ///
    /// # Errors
    /// Fewer items than clusters, a kernel that is not defined on them.
    pub fn fit<I: Items>(&self, items: &I) -> Result<KernelKMeansModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        self.fit_weighted(items, None)
    }

    /// The same with a weight per item, if there are any: an item of weight w counts as w items. An item of weight 0 has a cluster, the
    /// nearest, and no part in its mean.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::kernel::Expression;
    /// use mercer::machine::KernelKMeans;
    /// let rows = Vectors::from_rows(&[[0.0], [3.0], [10.0], [99.0]])?;
    /// let machine = KernelKMeans::params("linear".parse::<Expression>()?, 2).check()?;
    /// let model = machine.fit_weighted(&rows, Some(&[2.0, 1.0, 1.0, 0.0]))?;
    /// assert_eq!(model.fit().clusters, [0, 0, 1, 1]);
    /// // About 1 and 10.
    /// assert!((model.fit().inertia - (2.0 * 1.0 + 4.0)).abs() < 1e-12);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`KernelKMeans::fit`]; weights that are negative, and fewer items with a weight above 0 than clusters.
    pub fn fit_weighted<I: Items>(
        &self,
        items: &I,
        weights: Option<&[f64]>,
    ) -> Result<KernelKMeansModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        let n = items.len();
        let holds = bytes(1, n) <= self.options.memory;
        let plan = self.options.plan(if holds { 0 } else { self.options.memory })?;
        let roomy = self.options.plan(self.options.memory)?;
        let kernel = BulkKernel::<I>::resolve_by(&self.kernel, items, weights, &roomy)?;
        let layout = BulkKernel::<I>::layout(&kernel, items, &plan)?;
        let fit = {
            let gram = BulkKernel::<I>::symmetric(&kernel, items, &layout, &plan)?;
            match holds && n > 0 {
                true => {
                    let values = whole(&*gram)?;
                    let held = PrecomputedGram::symmetric(values.values(), n)?;
                    self.fit_gram(&held.with_resources(plan.level, plan.workers.clone())?, weights)?
                }
                false => self.fit_gram(&*gram, weights)?,
            }
        };
        let all: Vec<usize> = (0..n).collect();
        let kept = Kept { items: items.select(&all), kernel, layout, precision: Precision::F64, threads: 0 };
        Ok(KernelKMeansModel { kept, fit })
    }

    /// Finds clusters of the items of a Gram matrix, with a weight per item if there are any.
    ///
    /// # Errors
    /// As [`KernelKMeans::fit_weighted`].
    pub fn fit_gram(&self, gram: &dyn SymmetricGram, weights: Option<&[f64]>) -> Result<KMeansFit> {
        let counts = Counts(weights);
        counts.check(gram.shape().0, self.clusters)?;
        let workers = self.options.workers()?;
        let gram = &Interruptible::new(gram, self.options.interrupt.clone());
        let mut random = Random::new(self.seed);
        let mut best: Option<KMeansFit> = None;
        for _ in 0..=self.restarts {
            let start = self.plus_plus(gram, counts, &mut random)?;
            let fit = self.rounds(gram, counts, start, &workers)?;
            if best.as_ref().is_none_or(|best| fit.inertia < best.inertia) {
                best = Some(fit);
            }
        }
        best.ok_or(Error::Empty { what: "starts" })
    }

    /// k-means++: each centre is an item that is drawn with a probability in proportion to its squared distance from the nearest
    /// centre before.
    fn plus_plus(
        &self,
        gram: &dyn SymmetricGram,
        counts: Counts<'_>,
        random: &mut Random,
    ) -> Result<Vec<usize>> {
        let (n, own) = (gram.shape().0, gram.diagonal());
        let mut clusters = vec![0; n];
        let mut closest = vec![f64::INFINITY; n];
        for cluster in 0..self.clusters {
            let centre = drawn(&closest, counts.0, cluster == 0, random);
            let mut values = vec![0.0; n];
            gram.accumulate(&[centre], &[1.0], Columns::Range(0..n), &mut values)?;
            for i in 0..n {
                let squared = (own[i] - 2.0 * values[i] + own[centre]).max(0.0);
                if squared < closest[i] {
                    (closest[i], clusters[i]) = (squared, cluster);
                }
            }
        }
        Ok(clusters)
    }

    /// Lloyd's rounds.
    fn rounds(
        &self,
        gram: &dyn SymmetricGram,
        counts: Counts<'_>,
        mut clusters: Vec<usize>,
        workers: &Workers,
    ) -> Result<KMeansFit> {
        let (n, k) = (gram.shape().0, self.clusters);
        let mut history: Vec<f64> = Vec::new();
        let mut converged = false;
        let mut squared = self.distances(gram, counts, &mut clusters, workers)?;
        let inertia = |squared: &[f64], clusters: &[usize]| -> f64 {
            (0..n).map(|i| counts.of(i) * squared[i * k + clusters[i]]).sum()
        };
        while history.len() < self.max_rounds {
            history.push(inertia(&squared, &clusters));
            let next: Vec<usize> =
                clusters.iter().zip(squared.chunks(k)).map(|(&c, row)| nearest(row, c)).collect();
            if next == clusters {
                converged = true;
                break;
            }
            clusters = next;
            squared = self.distances(gram, counts, &mut clusters, workers)?;
        }
        let inertia = inertia(&squared, &clusters);
        let distinct = distinct(&squared, &clusters, counts, gram.diagonal());
        let clusters = numbered(&clusters, counts, k);
        let mut sizes = vec![0; k];
        clusters.iter().for_each(|&c| sizes[c] += 1);
        let masses = counts.masses(&clusters, k);
        let mut coefficients = vec![0.0; n * k];
        clusters
            .iter()
            .enumerate()
            .for_each(|(i, &c)| coefficients[i * k + c] = -2.0 * counts.of(i) / masses[c].0);
        let offsets = self.within(gram, &clusters, counts, workers)?;
        let functions = Functions { coefficients, offsets };
        let rounds = history.len();
        Ok(KMeansFit { clusters, sizes, distinct, inertia, rounds, converged, history, functions })
    }

    /// Squared distances of all items from all means. An empty cluster is first given the item that is farthest from its own mean.
    fn distances(
        &self,
        gram: &dyn SymmetricGram,
        counts: Counts<'_>,
        clusters: &mut [usize],
        workers: &Workers,
    ) -> Result<Vec<f64>> {
        let (n, k) = (gram.shape().0, self.clusters);
        loop {
            let masses = counts.masses(clusters, k);
            let mut squared = sums(gram, clusters, counts, k, workers)?;
            let mut within = vec![0.0; k];
            for i in 0..n {
                within[clusters[i]] += counts.of(i) * squared[i * k + clusters[i]];
            }
            let own = gram.diagonal();
            for (i, row) in squared.chunks_mut(k).enumerate() {
                for (c, value) in row.iter_mut().enumerate() {
                    let size = if masses[c].1 > 0 { masses[c].0 } else { 1.0 };
                    *value = (own[i] - 2.0 * *value / size + within[c] / (size * size)).max(0.0);
                }
            }
            let Some(empty) = masses.iter().position(|&(_, size)| size == 0) else { return Ok(squared) };
            let distance = |i: usize| squared[i * k + clusters[i]];
            let movable = (0..n).filter(|&i| counts.of(i) > 0.0 && masses[clusters[i]].1 > 1);
            let farthest = movable.reduce(|best, i| if distance(i) > distance(best) { i } else { best });
            // There are at least as many items as clusters, so that one can move.
            if let Some(item) = farthest {
                clusters[item] = empty;
            }
        }
    }

    /// mean k(c, c) of each cluster.
    fn within(
        &self,
        gram: &dyn SymmetricGram,
        clusters: &[usize],
        counts: Counts<'_>,
        workers: &Workers,
    ) -> Result<Vec<f64>> {
        let k = self.clusters;
        let values = sums(gram, clusters, counts, k, workers)?;
        let mut within = vec![0.0; k];
        clusters.iter().enumerate().for_each(|(i, &c)| within[c] += counts.of(i) * values[i * k + c]);
        let masses = counts.masses(clusters, k);
        Ok(within.iter().zip(masses).map(|(sum, (mass, _))| sum / (mass * mass)).collect())
    }
}

/// Clusters with a mean that no earlier one has: an item that lies at both means, but for rounding, tells that they are the same.
fn distinct(squared: &[f64], clusters: &[usize], counts: Counts<'_>, own: &[f64]) -> usize {
    let k = squared.len() / clusters.len().max(1);
    let nothing = 1e-12 * own.iter().map(|value| value.abs()).sum::<f64>() / own.len().max(1) as f64;
    let at = |i: usize, c: usize| squared[i * k + c] <= nothing;
    let is_new = |c: usize| {
        let first = (0..clusters.len()).find(|&i| clusters[i] == c && counts.of(i) > 0.0);
        first.is_none_or(|i| !(at(i, c) && (0..c).any(|earlier| at(i, earlier))))
    };
    (0..k).filter(|&c| is_new(c)).count()
}

/// Σ w k(x, c) of each item and cluster.
fn sums(
    gram: &dyn SymmetricGram,
    clusters: &[usize],
    counts: Counts<'_>,
    k: usize,
    workers: &Workers,
) -> Result<Vec<f64>> {
    let n = clusters.len();
    let rows: Vec<usize> = (0..n).collect();
    let mut members = Combinations::new();
    for c in 0..k {
        let of_cluster = |i: &usize| clusters[*i] == c && counts.of(*i) > 0.0;
        members.push((0..n).filter(of_cluster).map(|i| (i, counts.of(i))));
    }
    let mut sums = vec![0.0; n * k];
    gram.combine(&rows, &members, Columns::Range(0..n), &mut sums, workers)?;
    Ok(sums)
}

/// The same clusters in the order of their first items with a weight above 0: no cluster is without one.
fn numbered(clusters: &[usize], counts: Counts<'_>, k: usize) -> Vec<usize> {
    let mut numbers = vec![usize::MAX; k];
    let mut next = 0;
    for (i, &c) in clusters.iter().enumerate() {
        if numbers[c] == usize::MAX && counts.of(i) > 0.0 {
            (numbers[c], next) = (next, next + 1);
        }
    }
    clusters.iter().map(|&c| numbers[c]).collect()
}

impl<K: WithLayout, I> KernelKMeansModel<K, I> {
    /// The same model with something else in place of what it keeps.
    pub(crate) fn map_kept<L: WithLayout, J>(
        self,
        change: &impl Fn(Kept<K, I>) -> Result<Kept<L, J>>,
    ) -> Result<KernelKMeansModel<L, J>> {
        Ok(KernelKMeansModel { kept: change(self.kept)?, fit: self.fit })
    }

    /// Joins what was kept and what was learned, for example from a file.
    ///
    /// # Errors
    /// Parts that do not fit together.
    pub fn from_parts(kept: Kept<K, I>, fit: KMeansFit) -> Result<Self>
    where
        I: Items,
    {
        fit.functions.check(&kept.items)?;
        let k = fit.sizes.len();
        if fit.functions.outputs() != k {
            let found = fit.functions.outputs();
            return Err(Error::Shape { what: "functions (one per cluster)", expected: k, found });
        }
        if let Some(index) = fit.clusters.iter().position(|&cluster| cluster >= k) {
            let value = fit.clusters[index] as f64;
            return Err(Error::Entry { what: "cluster", index, value, expected: "the number of a cluster" });
        }
        Ok(KernelKMeansModel { kept, fit })
    }

    /// Threads for new items; 0, the default, means as many as there are.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.kept.threads = threads;
        self
    }

    /// The clusters of the training items.
    pub fn fit(&self) -> &KMeansFit {
        &self.fit
    }

    /// Kernel, layout, precision and training items.
    pub fn kept(&self) -> &Kept<K, I> {
        &self.kept
    }

    /// The cluster whose mean is nearest, of equals the first. O(n) kernel values per item.
    ///
    /// # Errors
    /// Items that the kernel is not defined on, such as rows with another number of columns.
    pub fn predict<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<usize>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let values = self.nearness(items)?;
        let nearest =
            |row: &[f64]| (0..row.len()).fold(0, |best, c| if row[c] < row[best] { c } else { best });
        Ok(values.chunks(self.fit.sizes.len()).map(nearest).collect())
    }

    /// For each item and cluster the squared distance from its mean, less k(x, x).
    ///
    /// # Errors
    /// As [`KernelKMeansModel::predict`].
    pub fn nearness<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<f64>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        if items.is_empty() {
            return Ok(Vec::new());
        }
        self.kept.compare(items, |gram, workers| self.fit.functions.values(gram, workers))
    }
}
