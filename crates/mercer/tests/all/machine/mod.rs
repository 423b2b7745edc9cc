//! The soft-margin classifier: against other programs, against theory, and under strain.

mod active;
mod bad_input;
mod cca;
mod degenerate;
mod determinism;
mod few_machines;
mod fisher;
mod formulations;
mod gaussian_process;
mod incremental;
mod interrupted;
mod joint;
mod joint_large_cost;
mod k_means;
mod kernlab;
mod large;
mod large_cost;
mod libsvm;
mod linear;
mod margins;
mod matrix_data;
mod novelty;
mod one_against_rest;
mod online;
mod online_weights;
mod other_machines;
mod pca;
mod pls;
mod precision;
mod precomputed;
mod probability;
mod ranking;
mod regression;
mod relevance;
mod ridge;
mod sample_weights;
mod scaled_process;
mod solvers;
mod strain;
mod structures;
mod theory;
mod two_sample;
mod unscaled;
mod warm_start;
mod weights;

use mercer::data::{Labels, ReadOptions, Vectors, read_file};
use mercer::kernel::Expression;
use mercer_testkit::fixture::{self, KernelSpec, Source};

/// Rows and labels of a small set in `data/`.
pub fn small_set(name: &str) -> (Vectors<'static>, Labels) {
    let table = read_file(fixture::data(name), &ReadOptions::default()).unwrap().table().unwrap();
    let labels = table.targets.labels().unwrap();
    (table.vectors, labels)
}

/// The first rows of the file a fixture was made from: in `data/`, else below `MERCER_DATA` in the folder of its set.
pub fn source_rows(source: &Source) -> Option<(Vectors<'static>, Labels)> {
    use mercer::data::Items;
    let path = match source.file.split(['_', '.']).next() {
        Some(set @ ("a9a" | "usps")) => fixture::large_data(&format!("{set}/{}", source.file))?,
        _ => fixture::data(&source.file),
    };
    let options = ReadOptions::default().columns(source.columns);
    let table = read_file(path, &options).unwrap().table().unwrap();
    let first: Vec<usize> = (0..source.rows).collect();
    let labels = table.targets.labels().unwrap();
    Some((table.vectors.select(&first), labels.select(&first)))
}

/// A fixture's kernel in Mercer's words.
pub fn expression(kernel: &KernelSpec) -> Expression {
    let text = match *kernel {
        KernelSpec::Linear => "linear".to_string(),
        KernelSpec::Polynomial { gamma, coef0, degree } => {
            format!("polynomial(degree={degree}, gamma={gamma}, constant={coef0})")
        }
        KernelSpec::Gaussian { gamma } => format!("gaussian(gamma={gamma})"),
        KernelSpec::Sigmoid { gamma, coef0 } => format!("sigmoid(gamma={gamma}, constant={coef0})"),
        ref other => panic!("{other:?} is not a kernel on rows"),
    };
    text.parse().unwrap()
}
