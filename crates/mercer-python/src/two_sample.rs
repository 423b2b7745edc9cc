//! Do two samples come from the same distribution?

use mercer::machine::TwoSampleTest;
use pyo3::prelude::*;

use crate::grams::on_weighted_gram;
use crate::matrix::Means;
use crate::rows::Rows;

/// The statistic without and with bias, and the p-value, of the first so many items against the others.
#[pyfunction]
pub fn two_sample_test(
    py: Python<'_>,
    rows: Rows<'_>,
    kernel: Option<&str>,
    first: usize,
    permutations: usize,
    seed: u64,
    means: Means,
) -> PyResult<(f64, f64, f64)> {
    let (_, test) = on_weighted_gram(py, &rows, (None, true), kernel, &means, |gram, options| {
        TwoSampleTest::of_gram(gram, first, permutations, seed, &options)
    })?;
    Ok((test.statistic, test.biased, test.p_value))
}
