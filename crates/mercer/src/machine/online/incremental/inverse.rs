//! The inverse of the matrix that ties the coefficients on the margin and the offset to each other, kept up to date.

/// R = [0 1ᵀ; 1 K]⁻¹ over the items on the margin, the offset first.
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

    /// The first item on the margin, with its k(x, x).
    pub fn start(&mut self, own: f64) {
        self.values = vec![-own, 1.0, 1.0, 0.0];
        self.size = 2;
    }

    /// One more item on the margin: how the offset and the others follow its coefficient, −R (1, k(x, ·)), and the curvature
    /// k(x, x) − (1, k)ᵀ R (1, k) of the objective on that way. O(size²).
    pub fn expand(&mut self, follow: &[f64], curvature: f64) {
        let mut beta = follow.to_vec();
        beta.push(1.0);
        let (old, size) = (std::mem::take(&mut self.values), self.size);
        self.size += 1;
        self.values.reserve(self.size * self.size);
        for (i, b) in beta.iter().enumerate() {
            let factor = b / curvature;
            if i < size {
                let row = &old[i * size..][..size];
                self.values.extend(row.iter().zip(&beta).map(|(r, b)| r + factor * b));
                self.values.push(factor);
            } else {
                self.values.extend(beta.iter().map(|b| factor * b));
            }
        }
    }

    /// The item at this position of the margin leaves it. O(size²).
    pub fn contract(&mut self, position: usize) {
        let (k, size) = (position + 1, self.size);
        if size == 2 {
            *self = Bordered::default();
            return;
        }
        let old = std::mem::take(&mut self.values);
        let gone = &old[k * size..][..size];
        let pivot = gone[k];
        self.size -= 1;
        self.values.reserve(self.size * self.size);
        for (i, row) in old.chunks_exact(size).enumerate() {
            if i == k {
                continue;
            }
            let factor = row[k] / pivot;
            let without = |part: std::ops::Range<usize>| {
                row[part.clone()].iter().zip(&gone[part]).map(move |(r, g)| r - factor * g)
            };
            self.values.extend(without(0..k).chain(without(k + 1..size)));
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
        let k = |i: usize, j: usize| {
            let nugget = if i == j { 0.1 } else { 0.0 };
            (-(points[i] - points[j]).powi(2)).exp() + nugget
        };
        let (mut inverse, mut margin) = (Bordered::default(), Vec::new());
        for step in [0, 1, 2, 3, 4, -2, 5, -1, 6, 7, -5, -1, 8, 9, 10, -3, 11_i32] {
            if step >= 0 {
                let new = step as usize;
                if margin.is_empty() {
                    inverse.start(k(new, new));
                } else {
                    let column: Vec<f64> =
                        std::iter::once(1.0).chain(margin.iter().map(|&i| k(i, new))).collect();
                    let follow: Vec<f64> = inverse.times(&column).iter().map(|v| -v).collect();
                    let curvature = k(new, new) + column.iter().zip(&follow).map(|(c, b)| c * b).sum::<f64>();
                    inverse.expand(&follow, curvature);
                }
                margin.push(new);
            } else {
                let position = (-step - 1) as usize;
                inverse.contract(position);
                margin.remove(position);
            }
            for (column, &j) in margin.iter().enumerate() {
                let of: Vec<f64> = std::iter::once(1.0).chain(margin.iter().map(|&i| k(i, j))).collect();
                for (row, value) in inverse.times(&of).iter().enumerate() {
                    let expected = if row == column + 1 { 1.0 } else { 0.0 };
                    assert!((value - expected).abs() < 1e-9, "step {step}: {value} at {row}, {column}");
                }
            }
        }
    }
}
