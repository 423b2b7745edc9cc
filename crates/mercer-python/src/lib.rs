//! `mercer._mercer`: what the Python package asks of the engine.
//!
//! Python checks what it is given as scikit-learn does and keeps the manners of an estimator; everything that is
//! computed is computed by the library, without the interpreter's lock.

mod active_learner;
mod bounds;
mod classifier;
mod detector;
mod errors;
mod grams;
mod graphs;
mod images;
mod incremental;
mod insight;
mod items;
mod laplace;
mod linear;
mod losses;
mod machines;
mod made;
mod matrix;
mod mending;
mod model;
mod network;
mod online;
mod options;
mod process;
mod ranking;
mod reduced;
mod regression;
mod rows;
mod saved;
mod scores;
mod search;
mod told;
mod two_sample;
mod values;
mod watch;

use pyo3::prelude::*;

#[pymodule]
fn _mercer(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<model::Model>()?;
    module.add_function(wrap_pyfunction!(model::files::load, module)?)?;
    module.add_class::<items::Items>()?;
    module.add_function(wrap_pyfunction!(items::kernel_items, module)?)?;
    module.add_function(wrap_pyfunction!(items::kernel_columns, module)?)?;
    module.add_class::<mending::Mended>()?;
    module.add_function(wrap_pyfunction!(mending::mend, module)?)?;
    module.add_function(wrap_pyfunction!(images::virtual_examples, module)?)?;
    module.add_function(wrap_pyfunction!(scores::mixture_scores, module)?)?;
    module.add_function(wrap_pyfunction!(scores::series_markov_scores, module)?)?;
    module.add_function(wrap_pyfunction!(scores::string_markov_scores, module)?)?;
    module.add_function(wrap_pyfunction!(classifier::fit_classifier, module)?)?;
    module.add_function(wrap_pyfunction!(regression::fit_regression, module)?)?;
    module.add_function(wrap_pyfunction!(detector::fit_detector, module)?)?;
    module.add_function(wrap_pyfunction!(linear::fit_linear_classifier, module)?)?;
    module.add_function(wrap_pyfunction!(linear::fit_linear_regression, module)?)?;
    module.add_class::<process::Process>()?;
    module.add_class::<values::LearnedKernel>()?;
    module.add_class::<laplace::ProcessClasses>()?;
    module.add_function(wrap_pyfunction!(laplace::fit_process_classes, module)?)?;
    module.add_function(wrap_pyfunction!(matrix::fit_ridge, module)?)?;
    module.add_function(wrap_pyfunction!(bounds::bounds_of_residuals, module)?)?;
    module.add_function(wrap_pyfunction!(matrix::ridge_path, module)?)?;
    module.add_function(wrap_pyfunction!(matrix::fit_components, module)?)?;
    module.add_function(wrap_pyfunction!(process::fit_process, module)?)?;
    module.add_function(wrap_pyfunction!(matrix::expand, module)?)?;
    module.add_function(wrap_pyfunction!(process::sample_prior, module)?)?;
    module.add_function(wrap_pyfunction!(process::process_likelihood, module)?)?;
    module.add_function(wrap_pyfunction!(laplace::classes_likelihood, module)?)?;
    module.add_function(wrap_pyfunction!(machines::fit_least_squares, module)?)?;
    module.add_function(wrap_pyfunction!(machines::fit_fisher, module)?)?;
    module.add_function(wrap_pyfunction!(machines::fit_pls, module)?)?;
    module.add_function(wrap_pyfunction!(machines::fit_ranking, module)?)?;
    module.add_class::<saved::Machine>()?;
    module.add_function(wrap_pyfunction!(machines::machine_of, module)?)?;
    module.add_function(wrap_pyfunction!(machines::fit_levels, module)?)?;
    module.add_function(wrap_pyfunction!(machines::fit_relevance, module)?)?;
    module.add_function(wrap_pyfunction!(machines::fit_bayes_point, module)?)?;
    module.add_function(wrap_pyfunction!(machines::fit_slab, module)?)?;
    module.add_function(wrap_pyfunction!(machines::fit_k_means, module)?)?;
    module.add_function(wrap_pyfunction!(machines::fit_spectral, module)?)?;
    module.add_function(wrap_pyfunction!(machines::fit_views, module)?)?;
    module.add_function(wrap_pyfunction!(network::fit_network, module)?)?;
    module.add_function(wrap_pyfunction!(search::search_by_criterion, module)?)?;
    module.add_function(wrap_pyfunction!(search::costs_for_classes, module)?)?;
    module.add_function(wrap_pyfunction!(search::shares_for_classes, module)?)?;
    module.add_function(wrap_pyfunction!(search::costs_for_numbers, module)?)?;
    module.add_function(wrap_pyfunction!(search::hopeless, module)?)?;
    module.add_function(wrap_pyfunction!(search::search_classifier, module)?)?;
    module.add_function(wrap_pyfunction!(search::search_regression, module)?)?;
    module.add_function(wrap_pyfunction!(search::judge_regression, module)?)?;
    module.add_class::<online::OnlineLearner>()?;
    module.add_class::<watch::Interruption>()?;
    module.add_class::<incremental::Incremental>()?;
    module.add_class::<active_learner::Questions>()?;
    module.add_function(wrap_pyfunction!(incremental::expansion_model, module)?)?;
    module.add_function(wrap_pyfunction!(insight::suspects, module)?)?;
    module.add_function(wrap_pyfunction!(insight::prototypes, module)?)?;
    module.add_function(wrap_pyfunction!(insight::explain, module)?)?;
    module.add_function(wrap_pyfunction!(losses::losses, module)?)?;
    module.add_function(wrap_pyfunction!(losses::loss_at, module)?)?;
    module.add_function(wrap_pyfunction!(ranking::ranking_score, module)?)?;
    module.add_function(wrap_pyfunction!(reduced::reduce_machine, module)?)?;
    module.add_function(wrap_pyfunction!(reduced::reduce_model, module)?)?;
    module.add_function(wrap_pyfunction!(two_sample::two_sample_test, module)?)?;
    module.add_function(wrap_pyfunction!(values::kernel_parameters, module)?)?;
    module.add_function(wrap_pyfunction!(values::kernel_with_parameters, module)?)?;
    module.add_function(wrap_pyfunction!(values::check_kernel, module)?)?;
    module.add_function(wrap_pyfunction!(values::resolve_kernel, module)?)?;
    module.add_function(wrap_pyfunction!(values::gram, module)?)?;
    module.add_function(wrap_pyfunction!(values::own_values, module)?)?;
    Ok(())
}
