//! Weighted points of training items, and where expectation maximisation starts among them.

use crate::data::{Random, Series};
use crate::error::{Error, Result};

/// Points with weights, seen in place.
pub(super) struct Points<'a> {
    /// Those of a weight above 0.
    pub(super) rows: Vec<&'a [f64]>,
    pub(super) weights: Vec<f64>,
    pub(super) channels: usize,
}

impl<'a> Points<'a> {
    /// All times of all series, each with the weight of its series.
    pub(super) fn of_series(items: &[&'a Series], weights: &[f64]) -> Result<Self> {
        Series::common_channels(items.iter().copied())?;
        let rows =
            items.iter().zip(weights).flat_map(|(item, &weight)| item.times().map(move |row| (row, weight)));
        Points::new(rows)
    }

    /// Points of one length.
    pub(super) fn new(points: impl Iterator<Item = (&'a [f64], f64)>) -> Result<Self> {
        let (rows, weights): (Vec<&[f64]>, Vec<f64>) = points.filter(|(_, weight)| *weight > 0.0).unzip();
        let channels = rows.first().map_or(0, |row| row.len());
        if channels == 0 {
            return Err(Error::Empty { what: "values of the points" });
        }
        for (row, point) in rows.iter().enumerate() {
            if point.len() != channels {
                let what = "values of a point (as many as the first has)";
                return Err(Error::Shape { what, expected: channels, found: point.len() });
            }
            if let Some(column) = point.iter().position(|v| !v.is_finite()) {
                return Err(Error::NonFinite { row, column, value: point[column] });
            }
        }
        Ok(Points { rows, weights, channels })
    }

    pub(super) fn mass(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// The variance of each channel.
    pub(super) fn variances(&self) -> Vec<f64> {
        let mass = self.mass();
        (0..self.channels)
            .map(|c| {
                let sum = |f: &dyn Fn(f64) -> f64| {
                    self.rows.iter().zip(&self.weights).map(|(row, w)| w * f(row[c])).sum::<f64>() / mass
                };
                let mean = sum(&|v| v);
                sum(&|v| (v - mean) * (v - mean))
            })
            .collect()
    }

    /// The mean of the variances of the channels; 1 where all points are the same.
    pub(super) fn mean_variance(&self) -> f64 {
        let mean = self.variances().iter().sum::<f64>() / self.channels as f64;
        if mean > 0.0 { mean } else { 1.0 }
    }

    /// Points far from each other, one after the other: each is drawn with a probability that grows with the square of its distance
    /// from those before (k-means++). Where there are fewer different points than asked for, some come more than once.
    pub(super) fn spread(&self, count: usize, random: &mut Random) -> Vec<f64> {
        let mut chosen = Vec::with_capacity(count * self.channels);
        let mut shares = self.weights.clone();
        let mut nearest = vec![f64::INFINITY; self.rows.len()];
        for _ in 0..count {
            let row = self.rows[draw(&shares, random)];
            chosen.extend_from_slice(row);
            for (k, other) in self.rows.iter().enumerate() {
                nearest[k] = nearest[k].min(squared_distance(row, other));
                shares[k] = self.weights[k] * nearest[k];
            }
        }
        chosen
    }

    /// The number of the nearest of some centres, for each point.
    pub(super) fn nearest(&self, centres: &[f64]) -> Vec<usize> {
        let nearest = |row: &&[f64]| {
            let distances = centres.chunks(self.channels).map(|centre| squared_distance(row, centre));
            distances.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(k, _)| k)
        };
        self.rows.iter().map(nearest).collect()
    }
}

pub(super) fn squared_distance(x: &[f64], z: &[f64]) -> f64 {
    x.iter().zip(z).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// A position with a probability in proportion to its share; any if all shares are 0.
fn draw(shares: &[f64], random: &mut Random) -> usize {
    let all: f64 = shares.iter().sum();
    if !(all > 0.0 && all.is_finite()) {
        return random.below(shares.len());
    }
    let mut rest = random.uniform() * all;
    for (k, &share) in shares.iter().enumerate() {
        rest -= share;
        if rest < 0.0 && share > 0.0 {
            return k;
        }
    }
    shares.iter().rposition(|&share| share > 0.0).unwrap_or(0)
}
