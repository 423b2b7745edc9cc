//! Rows with their constant feature, and the two things that coordinate descent does with one: ⟨w, x⟩ and w += s·x.

use crate::data::{Items, Row, Vectors};
use crate::linalg::in_lanes;

/// Training rows x̃ = (x, c), where c is the constant feature, if there is one.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    vectors: &'a Vectors<'a>,
    constant: Option<f64>,
}

impl<'a> Rows<'a> {
    pub fn new(vectors: &'a Vectors<'a>, constant: Option<f64>) -> Self {
        Rows { vectors, constant }
    }

    pub fn len(&self) -> usize {
        self.vectors.len()
    }

    /// Number of features, the constant one included.
    pub fn width(&self) -> usize {
        self.vectors.columns() + usize::from(self.constant.is_some())
    }

    /// Stored values, the constant ones included.
    pub fn stored(&self) -> usize {
        self.vectors.stored() + if self.constant.is_some() { self.len() } else { 0 }
    }

    /// ⟨w, x̃⟩
    pub fn dot(&self, i: usize, w: &[f64]) -> f64 {
        let (own, last) = w.split_at(self.vectors.columns());
        let sum = dot(self.vectors.get(i), own);
        match (self.constant, last) {
            (Some(constant), [last]) => sum + constant * last,
            _ => sum,
        }
    }

    /// w += s x̃
    pub fn add(&self, i: usize, s: f64, w: &mut [f64]) {
        let (own, last) = w.split_at_mut(self.vectors.columns());
        match self.vectors.get(i) {
            Row::Dense64(row) => own.iter_mut().zip(row).for_each(|(w, x)| *w += s * x),
            Row::Dense32(row) => own.iter_mut().zip(row).for_each(|(w, x)| *w += s * f64::from(*x)),
            Row::Sparse { indices, values } => {
                indices.iter().zip(values).for_each(|(&k, x)| own[k as usize] += s * x);
            }
            row => row.for_each(|k, x| own[k] += s * x),
        }
        if let (Some(constant), [last]) = (self.constant, last) {
            *last += s * constant;
        }
    }

    /// ‖x̃‖²
    pub fn squared_norm(&self, i: usize) -> f64 {
        let mut sum = self.constant.map_or(0.0, |constant| constant * constant);
        self.vectors.get(i).for_each(|_, x| sum += x * x);
        sum
    }

    /// Σ βᵢ x̃ᵢ
    pub fn combine(&self, beta: &[f64]) -> Vec<f64> {
        let mut w = vec![0.0; self.width()];
        for (i, &b) in beta.iter().enumerate().filter(|(_, b)| **b != 0.0) {
            self.add(i, b, &mut w);
        }
        w
    }

    /// Calls `visit(column, value)` for each stored entry of x̃, in ascending order of columns.
    pub fn for_each(&self, i: usize, mut visit: impl FnMut(usize, f64)) {
        self.vectors.get(i).for_each(&mut visit);
        if let Some(constant) = self.constant {
            visit(self.vectors.columns(), constant);
        }
    }

    /// The weights of the features proper, and b = c·(weight of the constant one).
    pub fn split(&self, w: &[f64]) -> (Vec<f64>, f64) {
        let (own, last) = w.split_at(self.vectors.columns());
        (own.to_vec(), self.constant.map_or(0.0, |constant| constant * last[0]))
    }
}

/// ⟨w, x⟩, always summed in the same order.
pub(super) fn dot(row: Row<'_>, w: &[f64]) -> f64 {
    match row {
        Row::Dense64(row) => in_lanes(row, w, |x| x),
        Row::Dense32(row) => in_lanes(row, w, f64::from),
        Row::Sparse { indices, values } => indices.iter().zip(values).map(|(&k, x)| w[k as usize] * x).sum(),
        row => in_lanes(&row.to_dense(w.len()), w, |x| x),
    }
}
