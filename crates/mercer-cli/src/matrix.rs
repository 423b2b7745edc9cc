//! Machines that factorise the kernel matrix, in words.

use mercer::io::{Answer, MatrixModel, TrainedMachine};
use mercer::machine::{LearnedKernel, RidgeMethod, RidgeReport};
use mercer::solver::Status;
use serde_json::{Value, json};

use crate::print::{Page, count, number, plural};

/// An eigenvalue up to this is 0 but for rounding, where the largest is 1.
const NOTHING: f64 = 1e-10;
/// Values that are told at most.
const SHOWN: usize = 8;

/// What it learned to do, as the command line calls it.
pub fn task(model: &MatrixModel) -> &'static str {
    match model.answer() {
        Answer::Numbers => "regress",
        Answer::Classes => "classify",
        Answer::Components => "reduce",
        Answer::Clusters => "cluster",
        Answer::Novelty => "novelty",
    }
}

/// The columns of a table of its answers, where these are not one prediction per row.
pub fn columns(model: &TrainedMachine) -> Option<Vec<String>> {
    let TrainedMachine::Matrix(model) = model else { return None };
    let numbered = |name: &str| (1..=model.width()).map(|k| format!("{name} {k}")).collect();
    match model.answer() {
        Answer::Components => Some(numbered("component")),
        Answer::Numbers if model.width() > 1 => Some(numbered("output")),
        Answer::Clusters => Some(vec!["cluster".into()]),
        Answer::Numbers | Answer::Classes | Answer::Novelty => None,
    }
}

/// The kernel of each class, where classes have learned kernels of their own.
pub fn kernels(model: &TrainedMachine) -> Vec<(String, String)> {
    let TrainedMachine::Matrix(MatrixModel::Laplace(model)) = model else { return Vec::new() };
    if model.learned().flatten().next().is_none() || model.classes().len() == 2 {
        return Vec::new();
    }
    let kernels = model.kernels().map(ToString::to_string);
    model.classes().iter().cloned().zip(kernels).collect()
}

/// What only this kind of machine has.
pub fn own_lines(page: &mut Page, model: &MatrixModel) {
    match model {
        MatrixModel::GaussianProcess(model) => {
            // Where it is in the kernel, what is left here only keeps the matrix from being singular.
            if model.report().learned.is_none() || model.noise() > NOTHING {
                page.line("noise", number(model.noise()));
            }
            page.line("log likelihood", number(model.report().likelihood));
            if let Some(low) = &model.report().low_rank {
                let told =
                    format!("made of {} items, which leave out {:.1e} of tr K", low.rank, low.left_out);
                page.line("low rank", told);
            }
            learned(page, model.report().learned.as_ref());
        }
        MatrixModel::Laplace(model) => {
            page.line("log likelihood", list(&model.likelihoods()));
            let left: Vec<String> = model
                .low_rank()
                .flatten()
                .map(|low| format!("{} ({:.1e})", low.rank, low.left_out))
                .collect();
            if !left.is_empty() {
                let told = format!("items (and the share of tr K that they leave out): {}", left.join(", "));
                page.line("low rank", told);
            }
            let all: Vec<&LearnedKernel> = model.learned().flatten().collect();
            let mut together = all.first().map(|first| (*first).clone());
            if let Some(together) = &mut together {
                // Of several classes each parameter is named once.
                together.at_bounds = all.iter().flat_map(|learned| learned.at_bounds.clone()).collect();
                together.at_bounds.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
                together.at_bounds.dedup();
                together.converged = all.iter().all(|learned| learned.converged);
            }
            learned(page, together.as_ref());
        }
        MatrixModel::Fisher(model) => page.line("ratios", list(model.ratios())),
        MatrixModel::Pca(model) => {
            let shares: Vec<f64> = model.explained_ratios().iter().map(|share| 100.0 * share).collect();
            page.line("components", model.components().to_string());
            page.line("explained (%)", list(&shares));
        }
        MatrixModel::View(view) => {
            page.line("components", view.view().functions.outputs().to_string());
            if view.view().left_out > 0.0 {
                page.line("left out", format!("{:.1e} of tr K", view.view().left_out));
            }
        }
        MatrixModel::KMeans(model) => {
            let sizes: Vec<f64> = model.fit().sizes.iter().map(|&size| size as f64).collect();
            page.line("clusters", format!("of {} rows", list(&sizes)));
            page.line("inertia", number(model.fit().inertia));
            fewer_items(page, model.fit().distinct, sizes.len());
        }
        MatrixModel::Pls(model) => {
            let shares: Vec<f64> = model.report().explained.iter().map(|share| 100.0 * share).collect();
            page.line("explained (%)", list(&shares));
        }
        MatrixModel::Rank(model) => {
            let report = model.report();
            let share = 100.0 * report.swapped as f64 / report.pairs.max(1) as f64;
            page.line("pairs", format!("{}, {share:.2} % of them swapped", count(report.pairs)));
        }
        MatrixModel::Ordinal(model) => {
            page.line("levels", list(&model.report().levels));
            page.line("thresholds", list(&model.report().thresholds));
        }
        MatrixModel::Relevance(model) => {
            let (relevant, all) = (model.report().relevant.len() as u64, model.report().candidates as u64);
            let among = if all == 0 { String::new() } else { format!(", chosen from {}", count(all)) };
            page.line("relevant items", format!("{}{among}", count(relevant)));
            if model.report().classes.is_empty() {
                page.line("noise", number(model.report().noise));
            }
            page.line("log likelihood", list(&model.report().likelihoods));
        }
        MatrixModel::BayesPoint(model) => {
            let report = model.report();
            let all = report.perceptrons * model.functions().outputs();
            let early = all - report.ended.unwrap_or(all).min(all);
            let early = if early == 0 { String::new() } else { format!("; {early} ran out of rounds") };
            page.line("perceptrons", format!("{} of {all} get every row right{early}", report.consistent));
            page.line("agreement", format!("cosine {}", number(report.agreement)));
        }
        MatrixModel::Spectral(model) => {
            let sizes: Vec<f64> = model.fit().k_means.sizes.iter().map(|&size| size as f64).collect();
            page.line("clusters", format!("of {} rows", list(&sizes)));
            page.line("eigenvalues", list(&model.fit().values));
            let groups = model.fit().values.iter().filter(|value| value.abs() > NOTHING).count();
            fewer_items(page, groups.min(model.fit().k_means.distinct), sizes.len());
        }
        MatrixModel::Slab(model) => {
            page.line("sphere", format!("of radius {}", number(model.sphere().radius().unwrap_or(0.0))));
            let (components, thickness) = (model.plane().components(), number(model.thickness()));
            page.line("slab", format!("about {components} components, squared thickness {thickness}"));
        }
        MatrixModel::Network(model) => page.line("bumps", format!("of widths {}", list(model.widths()))),
        MatrixModel::Ridge(_) | MatrixModel::LeastSquares(_) => {}
    }
}

/// The same for programs.
pub fn own_json(model: &MatrixModel) -> Value {
    match model {
        MatrixModel::Ridge(model) => json!({ "report": model.report() }),
        MatrixModel::LeastSquares(model) => json!({ "report": model.ridge().report() }),
        MatrixModel::GaussianProcess(model) => json!({ "noise": model.noise(), "report": model.report() }),
        MatrixModel::Laplace(model) => json!({
            "log_likelihoods": model.likelihoods(),
            "learned": model.learned().collect::<Vec<_>>(),
        }),
        MatrixModel::Fisher(model) => json!({ "ratios": model.ratios() }),
        MatrixModel::Pca(model) => json!({ "explained": model.explained_ratios() }),
        MatrixModel::View(view) => {
            json!({ "components": view.view().functions.outputs(), "left_out": view.view().left_out })
        }
        MatrixModel::KMeans(model) => {
            let fit = model.fit();
            json!({ "sizes": fit.sizes, "distinct": fit.distinct, "inertia": fit.inertia, "converged": fit.converged })
        }
        MatrixModel::Pls(model) => {
            let report = model.report();
            json!({ "report": { "components": report.components, "explained": report.explained } })
        }
        MatrixModel::Rank(model) => json!({ "report": model.report() }),
        MatrixModel::Ordinal(model) => json!({ "report": model.report() }),
        MatrixModel::Relevance(model) => json!({ "report": model.report() }),
        MatrixModel::BayesPoint(model) => json!({ "report": model.report() }),
        MatrixModel::Spectral(model) => {
            let fit = model.fit();
            json!({ "sizes": fit.k_means.sizes, "eigenvalues": fit.values, "converged": fit.k_means.converged })
        }
        MatrixModel::Slab(model) => json!({
            "radius": model.sphere().radius(),
            "components": model.plane().components(),
            "thickness": model.thickness(),
        }),
        MatrixModel::Network(model) => json!({ "widths": model.widths() }),
    }
}

/// Whether its training came to its end; what does not is told, and refused under `--strict`.
pub fn converged(model: &MatrixModel) -> bool {
    match model {
        MatrixModel::GaussianProcess(model) => {
            model.report().learned.as_ref().is_none_or(|learned| learned.converged)
        }
        MatrixModel::Laplace(model) => model.learned().flatten().all(|learned| learned.converged),
        MatrixModel::KMeans(model) => model.fit().converged,
        MatrixModel::Spectral(model) => model.fit().k_means.converged,
        MatrixModel::Rank(model) => model.report().converged,
        MatrixModel::Ordinal(model) => model.report().converged,
        MatrixModel::Relevance(model) => model.report().converged,
        MatrixModel::BayesPoint(model) => {
            let all = model.report().perceptrons * model.functions().outputs();
            model.report().ended.is_none_or(|ended| ended >= all)
        }
        MatrixModel::Slab(model) => {
            model.sphere().report().is_none_or(|report| report.status == Status::Converged)
        }
        MatrixModel::Ridge(_) | MatrixModel::LeastSquares(_) | MatrixModel::Fisher(_) => true,
        MatrixModel::Pca(_) | MatrixModel::View(_) | MatrixModel::Pls(_) | MatrixModel::Network(_) => true,
    }
}

/// How its system was solved.
pub fn certificate(page: &mut Page, model: &MatrixModel) {
    let report = match model {
        MatrixModel::Ridge(model) => model.report(),
        MatrixModel::LeastSquares(model) => model.ridge().report(),
        MatrixModel::KMeans(model) => {
            let fit = model.fit();
            let end = if fit.converged { "nothing moves any more" } else { "ended early" };
            return page.line("certificate", format!("{end} after {}", plural(fit.rounds as u64, "round")));
        }
        MatrixModel::Rank(model) => {
            let report = model.report();
            return near_least(page, (report.gap, report.objective), report.converged);
        }
        MatrixModel::Ordinal(model) => {
            let report = model.report();
            if let Some(gap) = report.gap {
                near_least(page, (gap, report.objective), report.converged);
            }
            return;
        }
        MatrixModel::GaussianProcess(model) => return jitter(page, model.report().jitter),
        _ => return,
    };
    solved(page, report);
}

/// How near an objective is to its least value.
fn near_least(page: &mut Page, (gap, objective): (f64, f64), converged: bool) {
    let gap = gap / objective.abs().max(f64::MIN_POSITIVE);
    let end = if converged { "" } else { "; ended early" };
    page.line(
        "certificate",
        format!("the objective is within {gap:.1e} of its least value, relatively{end}"),
    );
}

/// Says that clusters tell equal items apart.
fn fewer_items(page: &mut Page, distinct: usize, clusters: usize) {
    if distinct < clusters {
        let what = "there are fewer different items than clusters";
        page.line("caution", format!("{what}: {distinct} of {clusters} are different, the rest is chance"));
    }
}

/// What is to be known about the parameters of a kernel that were learned.
fn learned(page: &mut Page, learned: Option<&LearnedKernel>) {
    let Some(learned) = learned else { return };
    if let Some(rows) = learned.rows {
        page.line("learned from", format!("{} of the rows, drawn at random", count(rows as u64)));
    }
    if !learned.converged {
        page.line("learning", "ended early: the likelihood may still rise");
    }
    if !learned.at_bounds.is_empty() {
        let named: Vec<String> =
            learned.at_bounds.iter().map(|(name, bound)| format!("{name} = {}", number(*bound))).collect();
        page.line("at its bound", format!("{}: a better value may lie beyond", named.join(", ")));
    }
}

fn solved(page: &mut Page, report: &RidgeReport) {
    match report.method {
        RidgeMethod::ConjugateGradient => {
            let (steps, residual) = (report.iterations, report.residual);
            page.line("solved", format!("by {steps} steps of conjugate gradients, residual {residual:.1e}"));
        }
        RidgeMethod::Mixed => {
            let (products, residual) = (report.iterations, report.residual);
            let told = format!("by a factor in single precision, refined in double by {products} products");
            page.line("solved", format!("{told}, residual {residual:.1e}"));
        }
        _ => {
            page.line("solved", "by factorisation");
            jitter(page, report.jitter);
        }
    }
}

/// What was added to the diagonal of a singular matrix.
fn jitter(page: &mut Page, added: f64) {
    if added > 0.0 {
        page.line("jitter", format!("{added:.1e}, since the matrix is singular to rounding"));
    }
}

/// The first of some numbers, and how many more there are.
pub fn list(values: &[f64]) -> String {
    let some: Vec<String> = values.iter().take(SHOWN).map(|&value| number(value)).collect();
    match values.len().saturating_sub(SHOWN) {
        0 => some.join(", "),
        more => format!("{} and {more} more", some.join(", ")),
    }
}
