//! What models of machines that factorise K have beside their functions, by name.

use mercer::io::MatrixModel;
use mercer::machine::{RidgeMethod, RidgeReport};

fn flag(value: bool) -> Vec<f64> {
    vec![f64::from(u8::from(value))]
}

fn numbers(values: &[usize]) -> Vec<f64> {
    values.iter().map(|&value| value as f64).collect()
}

fn of_ridge(report: &RidgeReport) -> Vec<(&'static str, Vec<f64>)> {
    vec![
        ("jitter", vec![report.jitter]),
        ("converged", flag(report.converged)),
        ("iterative", flag(report.method == RidgeMethod::ConjugateGradient)),
        ("mixed", flag(report.method == RidgeMethod::Mixed)),
    ]
}

/// What a model has beside its functions, by name.
pub fn told(model: &MatrixModel) -> Vec<(&'static str, Vec<f64>)> {
    match model {
        MatrixModel::Ridge(model) => of_ridge(model.report()),
        MatrixModel::LeastSquares(model) => of_ridge(model.ridge().report()),
        MatrixModel::Fisher(model) => {
            vec![("ratios", model.ratios().to_vec()), ("means", model.means().values().to_vec())]
        }
        MatrixModel::Pca(model) => {
            let fit = model.fit();
            vec![
                ("values", fit.values.clone()),
                ("vectors", fit.vectors.values().to_vec()),
                ("trace", vec![fit.trace]),
                ("mean", vec![fit.mean]),
            ]
        }
        MatrixModel::View(view) => vec![("left_out", vec![view.view().left_out])],
        MatrixModel::Pls(model) => vec![("explained", model.report().explained.clone())],
        MatrixModel::Rank(model) => {
            let report = model.report();
            vec![
                ("pairs", vec![report.pairs as f64]),
                ("swapped", vec![report.swapped as f64]),
                ("gap", vec![report.gap / report.objective.abs().max(f64::MIN_POSITIVE)]),
                ("steps", vec![report.steps as f64]),
                ("converged", flag(report.converged)),
            ]
        }
        MatrixModel::Ordinal(model) => {
            let report = model.report();
            vec![
                ("levels", report.levels.clone()),
                ("thresholds", report.thresholds.clone()),
                (
                    "gap",
                    vec![
                        report
                            .gap
                            .map_or(f64::NAN, |gap| gap / report.objective.abs().max(f64::MIN_POSITIVE)),
                    ],
                ),
                ("steps", vec![report.steps as f64]),
                ("converged", flag(report.converged)),
            ]
        }
        MatrixModel::Relevance(model) => {
            let report = model.report();
            vec![
                ("relevant", numbers(&report.relevant)),
                ("candidates", vec![report.candidates as f64]),
                ("likelihoods", report.likelihoods.clone()),
                ("noise", vec![report.noise]),
                ("covariance", report.covariance.clone()),
                ("steps", vec![report.steps as f64]),
                ("converged", flag(report.converged)),
            ]
        }
        MatrixModel::BayesPoint(model) => {
            let report = model.report();
            let ended = report.ended.map_or(Vec::new(), |ended| vec![ended as f64]);
            vec![
                ("consistent", vec![report.consistent as f64]),
                ("ended", ended),
                ("perceptrons", vec![(report.perceptrons * model.functions().outputs()) as f64]),
                ("agreement", vec![report.agreement]),
            ]
        }
        MatrixModel::KMeans(model) => {
            let fit = model.fit();
            vec![
                ("clusters", numbers(&fit.clusters)),
                ("inertia", vec![fit.inertia]),
                ("rounds", vec![fit.rounds as f64]),
                ("converged", flag(fit.converged)),
            ]
        }
        MatrixModel::Spectral(model) => {
            let fit = model.fit();
            vec![
                ("clusters", numbers(&fit.k_means.clusters)),
                ("values", fit.values.clone()),
                ("centres", fit.centres.values().to_vec()),
            ]
        }
        MatrixModel::Slab(model) => vec![
            ("thickness", vec![model.thickness()]),
            ("radius", model.sphere().radius().into_iter().collect()),
            ("components", vec![model.plane().components() as f64]),
        ],
        MatrixModel::Network(model) => {
            vec![("widths", model.widths().to_vec()), ("weights", model.weights().values().to_vec())]
        }
        MatrixModel::GaussianProcess(_) | MatrixModel::Laplace(_) => Vec::new(),
    }
}
