//! Made-up data whose difficulty is known: the same for the same arguments, on every machine.
//!
//! Rows come as plain vectors, labels as ±1, so that any crate can build its own types from them.

use crate::random::Random;

/// Dense rows with a label each.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Rows of equal length.
    pub rows: Vec<Vec<f64>>,
    /// +1 or −1 for each row.
    pub labels: Vec<f64>,
}

impl Sample {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// All values of `kernel` between rows, row after row.
    pub fn kernel_matrix(&self, kernel: impl Fn(&[f64], &[f64]) -> f64) -> Vec<f64> {
        self.rows.iter().flat_map(|x| self.rows.iter().map(|z| kernel(x, z)).collect::<Vec<_>>()).collect()
    }

    fn from_pairs(pairs: Vec<(Vec<f64>, f64)>) -> Self {
        let (rows, labels) = pairs.into_iter().unzip();
        Sample { rows, labels }
    }
}

/// Compressed sparse rows with a label each.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseSample {
    /// Where each row begins in `indices` and `values`, and the end of the last one.
    pub offsets: Vec<usize>,
    /// Columns, ascending within a row.
    pub indices: Vec<u32>,
    /// Values, none of them 0.
    pub values: Vec<f64>,
    /// Number of columns.
    pub columns: usize,
    /// +1 or −1 for each row.
    pub labels: Vec<f64>,
}

impl SparseSample {
    /// The same rows with their zeros.
    pub fn to_dense(&self) -> Sample {
        let rows = self
            .offsets
            .windows(2)
            .map(|ends| {
                let mut row = vec![0.0; self.columns];
                for at in ends[0]..ends[1] {
                    row[self.indices[at] as usize] = self.values[at];
                }
                row
            })
            .collect();
        Sample { rows, labels: self.labels.clone() }
    }
}

/// Two round clouds of unit width in `columns` dimensions, their centres `distance` apart along the first axis.
///
/// Labels alternate, beginning with +1 (centre +distance/2).
pub fn two_gaussians(rows: usize, columns: usize, distance: f64, seed: u64) -> Sample {
    let mut random = Random::new(seed);
    Sample::from_pairs(
        (0..rows)
            .map(|i| {
                let label = if i % 2 == 0 { 1.0 } else { -1.0 };
                let mut row: Vec<f64> = (0..columns).map(|_| random.normal()).collect();
                row[0] += label * distance / 2.0;
                (row, label)
            })
            .collect(),
    )
}

/// Points of the unit square, labelled by the colour of their field on a `fields` × `fields` board; 2 is XOR.
pub fn checkerboard(rows: usize, fields: usize, seed: u64) -> Sample {
    let mut random = Random::new(seed);
    Sample::from_pairs(
        (0..rows)
            .map(|_| {
                let row = vec![random.uniform(), random.uniform()];
                let field = |v: f64| (v * fields as f64) as usize;
                let label = if (field(row[0]) + field(row[1])) % 2 == 0 { 1.0 } else { -1.0 };
                (row, label)
            })
            .collect(),
    )
}

/// All 2ᵇⁱᵗˢ corners of the cube {−1, 1}ᵇⁱᵗˢ, labelled by the product of their coordinates.
///
/// No hyperplane does better than chance, a polynomial kernel of degree `bits` separates it.
pub fn parity(bits: usize) -> Sample {
    Sample::from_pairs(
        (0..1usize << bits)
            .map(|corner| {
                let row: Vec<f64> =
                    (0..bits).map(|b| if corner >> b & 1 == 1 { 1.0 } else { -1.0 }).collect();
                let label = row.iter().product();
                (row, label)
            })
            .collect(),
    )
}

/// Circles around the origin of radius 1 (label +1) and 2 (label −1), alternating, with normal noise.
pub fn rings(rows: usize, noise: f64, seed: u64) -> Sample {
    let mut random = Random::new(seed);
    Sample::from_pairs(
        (0..rows)
            .map(|i| {
                let (label, radius) = if i % 2 == 0 { (1.0, 1.0) } else { (-1.0, 2.0) };
                let direction = direction(&mut random);
                (direction.iter().map(|v| radius * v + noise * random.normal()).collect(), label)
            })
            .collect(),
    )
}

/// A random unit vector of the plane, without sine and cosine.
fn direction(random: &mut Random) -> [f64; 2] {
    loop {
        let (x, y) = (random.between(-1.0, 1.0), random.between(-1.0, 1.0));
        let length = (x * x + y * y).sqrt();
        if (0.1..1.0).contains(&length) {
            return [x / length, y / length];
        }
    }
}

/// Rows in which each value is present with probability `density`, and then normal; some rows are empty.
///
/// The label is the sign of a random linear function, +1 for an empty row.
pub fn sparse_rows(rows: usize, columns: usize, density: f64, seed: u64) -> SparseSample {
    let mut random = Random::new(seed);
    let direction: Vec<f64> = (0..columns).map(|_| random.normal()).collect();
    let mut sample =
        SparseSample { offsets: vec![0], indices: vec![], values: vec![], columns, labels: vec![] };
    for _ in 0..rows {
        let mut score = 0.0;
        for column in 0..columns {
            if random.uniform() < density {
                let value = loop {
                    let value = random.normal();
                    if value != 0.0 {
                        break value;
                    }
                };
                score += value * direction[column];
                sample.indices.push(column as u32);
                sample.values.push(value);
            }
        }
        sample.offsets.push(sample.indices.len());
        sample.labels.push(if score >= 0.0 { 1.0 } else { -1.0 });
    }
    sample
}

/// Neighbouring rows 2i and 2i + 1 that differ by at most `spread` in each value and have opposite labels.
///
/// With a spread of 0 they are equal: no classifier is right about both, and the kernel matrix is singular.
pub fn contradictory_twins(pairs: usize, columns: usize, spread: f64, seed: u64) -> Sample {
    let mut random = Random::new(seed);
    Sample::from_pairs(
        (0..pairs)
            .flat_map(|_| {
                let row: Vec<f64> = (0..columns).map(|_| random.normal()).collect();
                let twin = row.iter().map(|v| v + random.between(-spread, spread)).collect();
                let label = random.sign();
                [(row, label), (twin, -label)]
            })
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qp::{QpProblem, QpStatus};

    #[test]
    fn the_same_seed_gives_the_same_sample() {
        assert_eq!(two_gaussians(20, 3, 2.0, 5), two_gaussians(20, 3, 2.0, 5));
        assert_ne!(two_gaussians(20, 3, 2.0, 5), two_gaussians(20, 3, 2.0, 6));
        assert_eq!(sparse_rows(20, 30, 0.1, 1), sparse_rows(20, 30, 0.1, 1));
    }

    #[test]
    fn clouds_stand_apart() {
        let sample = two_gaussians(4000, 2, 3.0, 1);
        let means = [1.0, -1.0].map(|side| {
            let of: Vec<f64> = sample
                .rows
                .iter()
                .zip(&sample.labels)
                .filter(|(_, y)| **y == side)
                .map(|(x, _)| x[0])
                .collect();
            of.iter().sum::<f64>() / of.len() as f64
        });
        assert!((means[0] - 1.5).abs() < 0.1 && (means[1] + 1.5).abs() < 0.1, "{means:?}");
    }

    #[test]
    fn a_board_of_two_is_exclusive_or() {
        let sample = checkerboard(200, 2, 9);
        for (x, y) in sample.rows.iter().zip(&sample.labels) {
            assert_eq!(*y > 0.0, (x[0] < 0.5) == (x[1] < 0.5));
        }
    }

    #[test]
    fn circles_have_their_radius() {
        for (x, y) in rings(100, 0.0, 2).rows.iter().zip(rings(100, 0.0, 2).labels) {
            let radius = if y > 0.0 { 1.0 } else { 2.0 };
            assert!((x[0].hypot(x[1]) - radius).abs() < 1e-12);
        }
    }

    #[test]
    fn sparse_rows_are_as_dense_as_asked() {
        let sample = sparse_rows(500, 200, 0.02, 4);
        let filled = sample.values.len() as f64 / (500.0 * 200.0);
        assert!((filled - 0.02).abs() < 0.003, "{filled}");
        assert_eq!(sample.offsets.len(), 501);
        assert!(sample.offsets.windows(2).any(|w| w[0] == w[1]), "an empty row");
        let dense = sample.to_dense();
        let entries: Vec<f64> = dense.rows.concat().into_iter().filter(|&v| v != 0.0).collect();
        assert_eq!(entries, sample.values);
    }

    #[test]
    fn parity_needs_the_full_degree() {
        // Hard margin: without bound for degree 2, with one for degree 3 = bits.
        let sample = parity(3);
        let linear: Vec<f64> = sample.labels.iter().map(|y| -y).collect();
        let (lower, upper) = QpProblem::class_box(&sample.labels, &[f64::INFINITY; 8]);
        for (degree, status) in [(2, QpStatus::Unbounded), (3, QpStatus::Solved)] {
            let kernel = sample
                .kernel_matrix(|x, z| (1.0 + x.iter().zip(z).map(|(a, b)| a * b).sum::<f64>()).powi(degree));
            let problem = QpProblem { group_sum: &[0.0], ..QpProblem::new(&kernel, &linear, &lower, &upper) };
            assert_eq!(problem.solve().status, status, "degree {degree}");
        }
    }

    #[test]
    fn twins_contradict_each_other() {
        let sample = contradictory_twins(10, 4, 0.0, 3);
        for pair in 0..10 {
            assert_eq!(sample.rows[2 * pair], sample.rows[2 * pair + 1]);
            assert_eq!(sample.labels[2 * pair], -sample.labels[2 * pair + 1]);
        }
    }
}
