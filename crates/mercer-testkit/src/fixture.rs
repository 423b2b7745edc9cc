//! What other programs answered: finding the fixtures, and their layout.
//!
//! Fixtures are made by the scripts of `tools/reference`, whose README describes every field and convention. In
//! short: classes are sorted; the sub-problem of classes i < j has y = +1 for class i; its decision value
//! Σ β·k + offset is **positive for class i, the smaller one**, for two classes too. The `libsvm_model` fixtures
//! alone keep LIBSVM's own order and signs.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The path of a fixture such as `svc/heart.json`.
///
/// Looked for in `tests/fixtures` of the crate under test, then in that of the library.
///
/// # Panics
/// If there is no such file.
pub fn path(name: &str) -> PathBuf {
    let own = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let library = workspace().join("crates/mercer");
    own.into_iter()
        .chain([library])
        .map(|root| root.join("tests/fixtures").join(name))
        .find(|path| path.exists())
        .unwrap_or_else(|| panic!("no fixture {name}"))
}

/// Reads a fixture.
///
/// # Panics
/// If it does not exist or has another layout.
pub fn read<T: DeserializeOwned>(name: &str) -> T {
    let path = path(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The path of one of the small data sets in the repository's `data/`.
pub fn data(name: &str) -> PathBuf {
    workspace().join("data").join(name)
}

/// The path of a large data set, such as `usps/usps_train.csv.gz`, below the folder named by the environment
/// variable `MERCER_DATA`; without that variable, prints that the test is skipped and returns `None`.
///
/// # Panics
/// If the variable is set and there is no such file.
pub fn large_data(name: &str) -> Option<PathBuf> {
    let Some(root) = std::env::var_os("MERCER_DATA") else {
        println!("skipped: MERCER_DATA is not set");
        return None;
    };
    let path = Path::new(&root).join(name);
    assert!(path.exists(), "{}: no such file below MERCER_DATA", path.display());
    Some(path)
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A fixture `svc/*.json`: soft-margin classifiers on one data set.
#[derive(Clone, Debug, Deserialize)]
pub struct SvcFixture {
    /// The data that were used.
    pub data: SvcData,
    /// One machine each.
    pub cases: Vec<SvcCase>,
}

impl SvcFixture {
    /// The case of this name.
    ///
    /// # Panics
    /// If there is none.
    pub fn case(&self, name: &str) -> &SvcCase {
        self.cases.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no case {name}"))
    }
}

/// The data of a [`SvcFixture`].
#[derive(Clone, Debug, Deserialize)]
pub struct SvcData {
    /// Class names, sorted; a class is its position here.
    pub classes: Vec<String>,
    /// Training data.
    pub train: Source,
    /// Test data.
    pub test: Option<Source>,
    /// Of the precomputed fixture only: the class of every row of the file.
    #[serde(default)]
    pub codes: Vec<usize>,
    /// Of the precomputed fixture only: row s holds k(s, 0) … k(s, s), over all rows of the file.
    #[serde(default)]
    pub lower_triangle: Vec<Vec<f64>>,
}

/// The first rows of a file.
#[derive(Clone, Debug, Deserialize)]
pub struct Source {
    /// Its name; in the repository's `data/`, or below `MERCER_DATA` in a folder of the data set's name.
    pub file: String,
    /// How many rows from its beginning.
    pub rows: usize,
    /// Number of features (in the whole file).
    pub columns: usize,
}

/// A kernel as the fixtures name it.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(tag = "name", rename_all = "snake_case")]
pub enum KernelSpec {
    /// ⟨x, z⟩.
    Linear,
    /// (γ⟨x, z⟩ + c)^degree.
    Polynomial {
        /// γ.
        gamma: f64,
        /// c.
        coef0: f64,
        /// The exponent.
        degree: i32,
    },
    /// exp(−γ|x − z|²).
    Gaussian {
        /// γ.
        gamma: f64,
    },
    /// tanh(γ⟨x, z⟩ + c); not positive semi-definite.
    Sigmoid {
        /// γ.
        gamma: f64,
        /// c.
        coef0: f64,
    },
    /// The fixture holds the matrix.
    Precomputed,
}

impl KernelSpec {
    /// k(x, z), naively in f64.
    ///
    /// # Panics
    /// For [`KernelSpec::Precomputed`].
    pub fn eval(&self, x: &[f64], z: &[f64]) -> f64 {
        let inner = || x.iter().zip(z).map(|(a, b)| a * b).sum::<f64>();
        match *self {
            KernelSpec::Linear => inner(),
            KernelSpec::Polynomial { gamma, coef0, degree } => (gamma * inner() + coef0).powi(degree),
            KernelSpec::Gaussian { gamma } => {
                (-gamma * x.iter().zip(z).map(|(a, b)| (a - b) * (a - b)).sum::<f64>()).exp()
            }
            KernelSpec::Sigmoid { gamma, coef0 } => (gamma * inner() + coef0).tanh(),
            KernelSpec::Precomputed => panic!("a precomputed kernel has no formula"),
        }
    }
}

/// One trained machine.
#[derive(Clone, Debug, Deserialize)]
pub struct SvcCase {
    /// Name, unique within the fixture.
    pub name: String,
    /// The kernel.
    pub kernel: KernelSpec,
    /// C; the bound of row i is C · class weight · sample weight.
    pub cost: f64,
    /// LIBSVM's stopping tolerance.
    pub tolerance: f64,
    /// One per class.
    pub class_weight: Vec<f64>,
    /// One per training row, or all 1.
    pub sample_weight: Option<Vec<f64>>,
    /// One per pair of classes i < j, sorted by (i, j).
    pub problems: Vec<SvcProblem>,
    /// Distinct training rows that support any sub-problem.
    pub support_vectors: usize,
    /// Answers on the training data.
    pub train: SvcPredictions,
    /// Answers on the test data.
    pub test: Option<SvcPredictions>,
}

impl SvcCase {
    /// The bound Cᵢ of a training row of this class.
    pub fn bound(&self, row: usize, class: usize) -> f64 {
        self.cost * self.class_weight[class] * self.sample_weight.as_ref().map_or(1.0, |w| w[row])
    }
}

/// The sub-problem of two classes: min ½ βᵀKβ − yᵀβ, 0 ≤ yᵢβᵢ ≤ Cᵢ, Σ βᵢ = 0.
///
/// The programs held K in f32: `objective` and the gaps measure their β against K in f64.
#[derive(Clone, Debug, Deserialize)]
pub struct SvcProblem {
    /// The class with y = +1 and positive decision values, the smaller of the two.
    pub positive: usize,
    /// The class with y = −1.
    pub negative: usize,
    /// Rows of the two classes, without those of weight 0.
    pub rows: usize,
    /// Objective of the program's β.
    pub objective: f64,
    /// The objective that LIBSVM printed, with K in f32 and 6 decimals.
    pub objective_printed: Option<f64>,
    /// Largest violation of the optimality conditions by the program's β.
    pub kkt_gap: f64,
    /// Primal minus dual value, where K is positive semi-definite.
    pub duality_gap: Option<f64>,
    /// b of the program (LIBSVM's −rho, in this sign).
    pub offset: f64,
    /// The optimum, from the program's set of free variables by a linear system in f64; good to about 1e-9.
    pub exact_objective: Option<f64>,
    /// b at that optimum.
    pub exact_offset: Option<f64>,
    /// Rows with β ≠ 0.
    pub support_vectors: usize,
    /// Rows with |β| = C.
    pub bounded_support_vectors: usize,
    /// Positions of the rows with β ≠ 0 in the training data; small fixtures only.
    #[serde(default)]
    pub support: Vec<usize>,
    /// Their β.
    #[serde(default)]
    pub coefficients: Vec<f64>,
}

/// Answers on a set of rows.
#[derive(Clone, Debug, Deserialize)]
pub struct SvcPredictions {
    /// How many rows were predicted.
    pub rows: usize,
    /// How many of all rows were right.
    pub correct: usize,
    /// Classes predicted for the first rows.
    pub predictions: Vec<usize>,
    /// Among these, the rows whose vote was tied: LIBSVM then takes the class that its training data name first.
    pub tied_rows: Vec<usize>,
    /// Decision values of the first rows, a column per sub-problem.
    pub decisions: Vec<Vec<f64>>,
}

/// The fixture `libsvm_model/predictions.json`: model files that LIBSVM wrote, and its answers.
#[derive(Clone, Debug, Deserialize)]
pub struct LibsvmModels {
    /// One per model file.
    pub models: Vec<LibsvmModel>,
}

/// A model file and what LIBSVM predicts from it for every row of the data, in LIBSVM's own order and signs.
#[derive(Clone, Debug, Deserialize)]
pub struct LibsvmModel {
    /// Name of the model file, in the fixtures' folder `libsvm_model`.
    pub file: String,
    /// Options of `svm-train`.
    pub options: String,
    /// The data that were trained on and predicted.
    pub data: Source,
    /// The label that LIBSVM was given for the c-th sorted class of the file.
    pub label_of_class: Vec<i64>,
    /// As in the file.
    pub svm_type: String,
    /// As in the file; absent for regression and one-class.
    pub label: Option<Vec<i64>>,
    /// As in the file.
    pub rho: Vec<f64>,
    /// As in the file.
    pub total_sv: usize,
    /// Labels; ±1 for one-class, values for regression.
    pub predictions: Vec<f64>,
    /// A column per pair (label\[a\], label\[b\]), a < b; > 0 means label\[a\].
    pub decisions: Vec<Vec<f64>>,
    /// A column per entry of `label`.
    pub probabilities: Option<Vec<Vec<f64>>>,
    /// The most probable labels.
    pub probability_predictions: Option<Vec<f64>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kkt;
    use crate::qp::{QpProblem, QpStatus};
    use crate::table::Table;

    /// K, y and the bounds of one sub-problem, and the rows it is about.
    fn sub_problem(
        table: &Table,
        codes: &[usize],
        case: &SvcCase,
        p: &SvcProblem,
    ) -> (Vec<f64>, Vec<f64>, Vec<f64>, Vec<usize>) {
        let rows: Vec<usize> = (0..codes.len())
            .filter(|&r| [p.positive, p.negative].contains(&codes[r]) && case.bound(r, codes[r]) > 0.0)
            .collect();
        let kernel = rows
            .iter()
            .flat_map(|&r| rows.iter().map(move |&s| case.kernel.eval(&table.rows[r], &table.rows[s])))
            .collect();
        let labels = rows.iter().map(|&r| if codes[r] == p.positive { 1.0 } else { -1.0 }).collect();
        let bounds = rows.iter().map(|&r| case.bound(r, codes[r])).collect();
        (kernel, labels, bounds, rows)
    }

    /// The oracle, the certificates and the other programs agree, and the conventions are those documented.
    #[test]
    fn the_oracle_finds_the_recorded_optimum() {
        for name in ["heart", "heart_weights", "ionosphere", "iris", "wine"] {
            let fixture: SvcFixture = read(&format!("svc/{name}.json"));
            let table = Table::read(&data(&fixture.data.train.file));
            let codes = table.codes(&fixture.data.classes);
            assert_eq!(table.rows.len(), fixture.data.train.rows);
            for case in &fixture.cases {
                let at = format!("{name} {}", case.name);
                for (column, p) in case.problems.iter().enumerate() {
                    let (kernel, labels, bounds, rows) = sub_problem(&table, &codes, case, p);
                    assert_eq!(rows.len(), p.rows, "{at}");
                    let linear: Vec<f64> = labels.iter().map(|y| -y).collect();
                    let (lower, upper) = QpProblem::class_box(&labels, &bounds);
                    let problem =
                        QpProblem { group_sum: &[0.0], ..QpProblem::new(&kernel, &linear, &lower, &upper) };

                    // The recorded coefficients give the recorded objective, violation and decision values.
                    let mut beta = vec![0.0; rows.len()];
                    for (&row, &value) in p.support.iter().zip(&p.coefficients) {
                        beta[rows.binary_search(&row).unwrap()] = value;
                    }
                    let close = |a: f64, b: f64, tolerance: f64| {
                        assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{at}: {a}, recorded {b}");
                    };
                    close(problem.objective(&beta), p.objective, 1e-9);
                    let report = kkt::check(&problem, &beta, 1e-9);
                    close(report.gap, p.kkt_gap, 1e-7);
                    assert!(report.box_violation < 1e-9 && report.sum_violation < 1e-6, "{at}: {report:?}");
                    let values = problem.kernel_times(&beta);
                    for (i, &row) in rows.iter().enumerate() {
                        close(values[i] + p.offset, case.train.decisions[row][column], 1e-7);
                    }
                    if let Some(gap) = p.duality_gap {
                        close(
                            kkt::soft_margin_duality_gap(&kernel, &labels, &bounds, &beta, p.offset),
                            gap,
                            1e-6,
                        );
                    }

                    // The oracle finds the same optimum.
                    if p.duality_gap.is_none() {
                        continue;
                    }
                    let solution = problem.solve();
                    assert_eq!(solution.status, QpStatus::Solved, "{at}");
                    assert!(solution.objective <= p.objective + 1e-7, "{at}");
                    if let (Some(objective), Some(offset)) = (p.exact_objective, p.exact_offset) {
                        close(solution.objective, objective, 1e-9);
                        close(-solution.multipliers[0], offset, 1e-5);
                    }
                }
            }
        }
    }

    #[test]
    fn the_precomputed_matrix_gives_the_recorded_decisions() {
        let fixture: SvcFixture = read("svc/precomputed.json");
        let data = &fixture.data;
        let k = |s: usize, t: usize| data.lower_triangle[s.max(t)][s.min(t)];
        for case in &fixture.cases {
            let p = &case.problems[0];
            for (part, first) in [(&case.train, 0), (case.test.as_ref().unwrap(), 1)] {
                let mut correct = 0;
                for (r, decision) in part.decisions.iter().enumerate() {
                    let file_row = 2 * r + first;
                    let sum: f64 =
                        p.support.iter().zip(&p.coefficients).map(|(&s, b)| b * k(2 * s, file_row)).sum();
                    assert!((sum + p.offset - decision[0]).abs() < 1e-8, "{} {file_row}", case.name);
                    let class = if decision[0] > 0.0 { p.positive } else { p.negative };
                    assert_eq!(class, part.predictions[r]);
                    correct += usize::from(class == data.codes[file_row]);
                }
                assert_eq!(correct, part.correct);
            }
        }
    }

    #[test]
    fn the_known_answers_for_heart_are_there() {
        let fixture: SvcFixture = read("svc/heart.json");
        let case = fixture.case("default");
        let problem = &case.problems[0];
        assert!((problem.objective + 100.8773).abs() < 1e-4);
        // LIBSVM's rho is 0.4245 for the class +1, which is the larger one.
        assert!((problem.offset - 0.4245).abs() < 1e-4);
        assert_eq!((case.support_vectors, case.train.correct), (132, 234));
    }

    #[test]
    fn every_fixture_can_be_read() {
        for name in ["a9a", "heart", "heart_weights", "ionosphere", "iris", "precomputed", "usps", "wine"] {
            let fixture: SvcFixture = read(&format!("svc/{name}.json"));
            for case in &fixture.cases {
                let k = fixture.data.classes.len();
                assert_eq!(case.problems.len(), k * (k - 1) / 2);
                for part in [Some(&case.train), case.test.as_ref()].into_iter().flatten() {
                    assert_eq!(part.decisions.len(), part.predictions.len());
                    assert!(part.decisions.iter().all(|row| row.len() == case.problems.len()));
                }
            }
        }
        let models: LibsvmModels = read("libsvm_model/predictions.json");
        for model in &models.models {
            assert!(path(&format!("libsvm_model/{}", model.file)).exists());
            assert_eq!(model.predictions.len(), model.data.rows);
        }
    }
}
