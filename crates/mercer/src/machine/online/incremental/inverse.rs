//! The inverse of the matrix that ties the margin's coefficients and the offset to each other, kept up to date.

/// R = [0 yᵀ; y Q]⁻¹ over the items on the margin, the offset first.
#[derive(Clone, Debug, Default)]
pub(super) struct Bordered {
    /// Row after row.
    values: Vec<f64>,
    /// Items on the margin, and one for the offset; 0 if there are none.
    size: usize,
}

impl Bordered {
    /// R v. O(size²).
    pub fn times(&self, v: &[f64]) -> Vec<f64> {
        let product = |row: &[f64]| row.iter().zip(v).map(|(r, v)| r * v).sum();
        self.values.chunks_exact(self.size.max(1)).map(product).collect()
    }

    /// One more item on the margin: its label, Q with those that are there, and with itself. O(size²).
    pub fn expand(&mut self, y: f64, with_others: &[f64], own: f64) {
        if self.size == 0 {
            self.values = vec![-own, y, y, 0.0];
            self.size = 2;
            return;
        }
        let column: Vec<f64> = std::iter::once(y).chain(with_others.iter().copied()).collect();
        let mut beta: Vec<f64> = self.times(&column).iter().map(|v| -v).collect();
        let gamma = own + column.iter().zip(&beta).map(|(c, b)| c * b).sum::<f64>();
        beta.push(1.0);
        let (old, size) = (std::mem::take(&mut self.values), self.size);
        self.size += 1;
        self.values = (0..self.size * self.size)
            .map(|at| {
                let (i, j) = (at / self.size, at % self.size);
                let before = if i < size && j < size { old[i * size + j] } else { 0.0 };
                before + beta[i] * beta[j] / gamma
            })
            .collect();
    }

    /// The item at this position of the margin leaves it. O(size²).
    pub fn contract(&mut self, position: usize) {
        let (k, size) = (position + 1, self.size);
        if size == 2 {
            *self = Bordered::default();
            return;
        }
        let old = std::mem::take(&mut self.values);
        let pivot = old[k * size + k];
        self.size -= 1;
        self.values.reserve(self.size * self.size);
        for i in (0..size).filter(|&i| i != k) {
            for j in (0..size).filter(|&j| j != k) {
                self.values.push(old[i * size + j] - old[i * size + k] * old[k * size + j] / pivot);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Random;

    /// Items come and go; R times the matrix is always the unit matrix.
    #[test]
    fn it_stays_the_inverse() {
        let mut random = Random::new(3);
        let points: Vec<f64> = (0..12).map(|_| random.normal()).collect();
        let labels: Vec<f64> = (0..12).map(|i| if i % 3 == 0 { 1.0 } else { -1.0 }).collect();
        let q = |i: usize, j: usize| {
            let nugget = if i == j { 0.1 } else { 0.0 };
            labels[i] * labels[j] * (-(points[i] - points[j]).powi(2)).exp() + nugget
        };
        let (mut inverse, mut margin) = (Bordered::default(), Vec::new());
        for step in [0, 1, 2, 3, 4, -2, 5, -1, 6, 7, -5, -1, 8, 9, 10, -3, 11_i32] {
            if step >= 0 {
                let new = step as usize;
                let with: Vec<f64> = margin.iter().map(|&i| q(i, new)).collect();
                inverse.expand(labels[new], &with, q(new, new));
                margin.push(new);
            } else {
                let position = (-step - 1) as usize;
                inverse.contract(position);
                margin.remove(position);
            }
            for (column, &j) in margin.iter().enumerate() {
                let of: Vec<f64> =
                    std::iter::once(labels[j]).chain(margin.iter().map(|&i| q(i, j))).collect();
                for (row, value) in inverse.times(&of).iter().enumerate() {
                    let expected = if row == column + 1 { 1.0 } else { 0.0 };
                    assert!((value - expected).abs() < 1e-9, "step {step}: {value} at {row}, {column}");
                }
            }
        }
    }
}
