//! k-means of rows in their own space, whose means can be written down: no kernel values are needed.

use super::start::{Counts, drawn, nearest};
use crate::data::{Items, Random, Vectors};
use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::resources::Workers;

/// Rows that a thread compares at a time.
const ROWS_AT_ONCE: usize = 256;
/// Below so many differences of numbers threads cost more than they save.
const WORTH_THREADS: usize = 1 << 16;

/// Clusters of rows about their means.
#[derive(Clone, Debug, PartialEq)]
pub struct RowClusters {
    /// The mean of each cluster, one per row.
    pub centers: Matrix,
    /// The cluster of each row, numbered in the order of their first rows.
    pub clusters: Vec<usize>,
    /// Rows of each cluster; none is empty.
    pub sizes: Vec<usize>,
    /// The squared distance of each row from the mean of its cluster.
    pub squared: Vec<f64>,
    /// Σ w times them: what k-means minimizes.
    pub inertia: f64,
    /// Whether the best start ended because nothing moved any more, or a round was worth no more than the tolerance.
    pub converged: bool,
}

/// k-means of rows (Lloyd) from the best of several starts of k-means++: what [`KernelKMeans`](super::KernelKMeans) finds with the linear
/// kernel, in O(rows · clusters · columns) per round, and with no kernel values.
#[derive(Clone, Debug)]
pub struct RowKMeans {
    /// Number of clusters, at least 1.
    pub clusters: usize,
    /// Starts beyond the first, the best of which counts.
    pub restarts: usize,
    /// Most rounds of each start.
    pub max_rounds: usize,
    /// A start ends once a round lowers the sum of squares by at most so much of it, or nothing moves. With 0 only the latter counts, which
    /// takes the more rounds the more rows there are.
    pub tolerance: f64,
    /// Seed of the starts.
    pub seed: u64,
}

impl RowKMeans {
    /// Clusters rows, with a weight per row if there are any: a row of weight w counts as w rows. A row of weight 0 has a cluster, the
    /// nearest, and no part in its mean.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::machine::RowKMeans;
    /// use mercer::resources::Workers;
    /// let rows = Vectors::from_rows(&[[0.0], [2.0], [10.0], [14.0]])?;
    /// let k_means = RowKMeans { clusters: 2, restarts: 9, max_rounds: 300, tolerance: 0.0, seed: 0 };
    /// let found = k_means.fit(&rows, None, &Workers::serial())?;
    /// assert_eq!(found.centers.values(), [1.0, 12.0]);
    /// assert_eq!((found.clusters, found.inertia), (vec![0, 0, 1, 1], 10.0));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] for no clusters, [`Error::Shape`] for fewer rows (with a weight above 0) than clusters, weights that are
    /// negative or all 0, [`Error::Interrupted`].
    pub fn fit(&self, rows: &Vectors<'_>, weights: Option<&[f64]>, workers: &Workers) -> Result<RowClusters> {
        let (counts, k) = (Counts(weights), self.clusters);
        if k == 0 {
            return Err(Error::Parameter { name: "clusters", value: 0.0, expected: "at least 1" });
        }
        counts.check(rows.len(), k)?;
        let rows = &*rows.row_major();
        let mut random = Random::new(self.seed);
        let mut best: Option<RowClusters> = None;
        for _ in 0..=self.restarts {
            let start = self.plus_plus(rows, counts, &mut random, workers)?;
            let found = self.rounds(rows, counts, start, workers)?;
            if best.as_ref().is_none_or(|best| found.inertia < best.inertia) {
                best = Some(found);
            }
        }
        best.ok_or(Error::Empty { what: "starts" })
    }

    /// k-means++: each center is a row that is drawn with a probability in proportion to its squared distance from the nearest before.
    fn plus_plus(
        &self,
        rows: &Vectors<'_>,
        counts: Counts<'_>,
        random: &mut Random,
        workers: &Workers,
    ) -> Result<Vec<usize>> {
        let n = rows.len();
        let (mut clusters, mut closest) = (vec![0; n], vec![f64::INFINITY; n]);
        for cluster in 0..self.clusters {
            let center = rows.get(drawn(&closest, counts.0, cluster == 0, random)).to_dense(rows.columns());
            let centers = Matrix::new(center, 1, rows.columns())?;
            for (i, place) in places(rows, &centers, &vec![0; n], workers)?.iter().enumerate() {
                if place.squared < closest[i] {
                    (closest[i], clusters[i]) = (place.squared, cluster);
                }
            }
        }
        Ok(clusters)
    }

    /// Lloyd's rounds: rows go to the nearest mean, and means follow.
    fn rounds(
        &self,
        rows: &Vectors<'_>,
        counts: Counts<'_>,
        mut clusters: Vec<usize>,
        workers: &Workers,
    ) -> Result<RowClusters> {
        let (mut centers, mut places) = self.means_and_places(rows, counts, &mut clusters, workers)?;
        let (mut inertia, mut converged) = (inertia_of(&places, counts), false);
        for _ in 0..self.max_rounds {
            let next: Vec<usize> = places.iter().map(|place| place.nearest).collect();
            if next == clusters {
                converged = true;
                break;
            }
            clusters = next;
            // Not two of them at a time.
            drop(centers);
            (centers, places) = self.means_and_places(rows, counts, &mut clusters, workers)?;
            let before = std::mem::replace(&mut inertia, inertia_of(&places, counts));
            if self.tolerance > 0.0 && before - inertia <= self.tolerance * before {
                converged = true;
                break;
            }
        }
        let squared = places.iter().map(|place| place.squared).collect();
        Ok(numbered(&centers, &clusters, counts, squared, converged))
    }

    /// The mean of each cluster, and where rows lie among them. An empty cluster is first given the row that is farthest from its own mean.
    fn means_and_places(
        &self,
        rows: &Vectors<'_>,
        counts: Counts<'_>,
        clusters: &mut [usize],
        workers: &Workers,
    ) -> Result<(Matrix, Vec<Place>)> {
        loop {
            let masses = counts.masses(clusters, self.clusters);
            let mut centers = Matrix::zeros(self.clusters, rows.columns());
            for (i, &c) in clusters.iter().enumerate().filter(|(i, _)| counts.of(*i) > 0.0) {
                rows.get(i).for_each(|j, value| centers[(c, j)] += counts.of(i) * value / masses[c].0);
            }
            let places = places(rows, &centers, clusters, workers)?;
            let Some(empty) = masses.iter().position(|&(_, size)| size == 0) else {
                return Ok((centers, places));
            };
            let distance = |i: usize| places[i].squared;
            let movable = (0..clusters.len()).filter(|&i| counts.of(i) > 0.0 && masses[clusters[i]].1 > 1);
            let farthest = movable.reduce(|best, i| if distance(i) > distance(best) { i } else { best });
            // There are at least as many rows as clusters, so that one can move.
            if let Some(row) = farthest {
                clusters[row] = empty;
            }
        }
    }
}

/// Σ w times the squared distances of rows from their own centers.
fn inertia_of(places: &[Place], counts: Counts<'_>) -> f64 {
    places.iter().enumerate().map(|(i, place)| counts.of(i) * place.squared).sum()
}

/// Where a row lies among the centers.
#[derive(Clone, Copy, Default)]
struct Place {
    /// The nearest center; its own one unless another is nearer.
    nearest: usize,
    /// The squared distance from its own center.
    squared: f64,
}

fn places(rows: &Vectors<'_>, centers: &Matrix, own: &[usize], workers: &Workers) -> Result<Vec<Place>> {
    let (n, k, columns) = (rows.len(), centers.rows(), rows.columns());
    let mut places = vec![Place::default(); n];
    let worth = n.saturating_mul(k).saturating_mul(columns) > WORTH_THREADS;
    workers.try_each_chunk(&mut places, ROWS_AT_ONCE, worth, |start, chunk| {
        let mut squared = vec![0.0; k];
        for (i, place) in (start..).zip(chunk) {
            let row = rows.get(i).to_dense(columns);
            for (c, distance) in squared.iter_mut().enumerate() {
                *distance = row.iter().zip(centers.row(c)).map(|(a, b)| (a - b) * (a - b)).sum();
            }
            *place = Place { nearest: nearest(&squared, own[i]), squared: squared[own[i]] };
        }
    })?;
    Ok(places)
}

/// The same clusters in the order of their first rows with a weight above 0.
fn numbered(
    centers: &Matrix,
    clusters: &[usize],
    counts: Counts<'_>,
    squared: Vec<f64>,
    converged: bool,
) -> RowClusters {
    let k = centers.rows();
    let mut order: Vec<usize> = Vec::with_capacity(k);
    for (i, &c) in clusters.iter().enumerate() {
        if counts.of(i) > 0.0 && !order.contains(&c) {
            order.push(c);
        }
    }
    let mut numbers = vec![0; k];
    order.iter().enumerate().for_each(|(number, &c)| numbers[c] = number);
    let clusters: Vec<usize> = clusters.iter().map(|&c| numbers[c]).collect();
    let mut sizes = vec![0; k];
    clusters.iter().for_each(|&c| sizes[c] += 1);
    let inertia = squared.iter().enumerate().map(|(i, squared)| counts.of(i) * squared).sum();
    let centers = Matrix::from_fn(k, centers.columns(), |c, j| centers[(order[c], j)]);
    RowClusters { centers, clusters, sizes, squared, inertia, converged }
}
