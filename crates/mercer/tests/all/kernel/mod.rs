//! The kernels, their algebra and their text.

mod algebra;
mod anova;
mod condition;
mod features;
mod generative;
mod graph;
mod image;
mod laws;
mod logic;
mod named;
mod pair_hidden_markov;
mod parameters;
mod record;
mod resolve;
mod scikit_learn;
mod series;
mod set;
mod storage;
mod string;
mod string_peers;
mod structure;
mod text;
mod tree;
mod tslearn;
mod values;

use mercer::data::{Dense, Sparse, Vectors};
use mercer::kernel::Expression;

/// Reads an expression that is known to be right.
fn kernel(text: &str) -> Expression {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Three columns of values of at least 0, with a zero row, a repeated row and a row of zeros and ones.
fn histograms() -> Vec<[f64; 3]> {
    let mut rows = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.5, 2.0, 0.25], [0.5, 2.0, 0.25]];
    rows.extend((1..12).map(|i| {
        let i = f64::from(i);
        [(i * 0.7).sin().abs(), (i * 1.3).cos().abs() * 2.0, if i as i32 % 3 == 0 { 0.0 } else { i / 5.0 }]
    }));
    rows
}

/// The same rows in double precision, in single precision (rounded) and sparse.
fn three_forms(rows: &[[f64; 3]]) -> [Vectors<'static>; 3] {
    let single: Vec<f32> = rows.iter().flatten().map(|&v| v as f32).collect();
    let (mut offsets, mut indices, mut values) = (vec![0usize], Vec::new(), Vec::new());
    for row in rows {
        for (k, &value) in row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
            indices.push(k as u32);
            values.push(value);
        }
        offsets.push(values.len());
    }
    [
        Vectors::from_rows(rows).unwrap(),
        Dense::new(single, rows.len(), 3).unwrap().into(),
        Sparse::from_parts(offsets, indices, values, 3).unwrap().into(),
    ]
}
