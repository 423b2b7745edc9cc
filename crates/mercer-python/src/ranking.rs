//! How well scores put items into the order of their relevance.

use mercer::Error;
use mercer::evaluation::{kendall_tau, mean_average_precision, ndcg};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::watch::watched;

/// "ndcg" of the first `most` items, "map" or "tau", the mean over the queries that it is defined for; none if there are none.
#[pyfunction]
pub fn ranking_score(
    py: Python<'_>,
    what: &str,
    scores: PyReadonlyArray1<'_, f64>,
    relevance: PyReadonlyArray1<'_, f64>,
    queries: Option<PyReadonlyArray1<'_, u64>>,
    most: Option<usize>,
) -> PyResult<Option<f64>> {
    let (scores, relevance) = (scores.as_slice()?, relevance.as_slice()?);
    let queries = queries.as_ref().map(|queries| queries.as_slice()).transpose()?;
    watched(py, None, |_, _| match what {
        "ndcg" => ndcg(scores, relevance, queries, most),
        "map" => mean_average_precision(scores, relevance, queries),
        "tau" => kendall_tau(scores, relevance, queries),
        other => Err(Error::Unsupported { what: format!("no such score of a ranking: {other}") }),
    })
}
