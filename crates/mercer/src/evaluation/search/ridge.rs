//! Ridge regression in a search.

use std::time::Instant;

use super::{Answer, Candidate, HeldOut, Said};
use crate::error::Result;
use crate::evaluation::{Parameters, Truth};
use crate::linalg::Matrix;
use crate::machine::{FitOptions, FitProgress, RidgeParams};
use crate::resources::Workers;
use crate::solver::Control;

/// Kernel ridge regression as a machine that can be searched. A cost C is λ = 1/(2C): what a squared residual costs, where half of
/// ‖f‖² costs 1, as in a regression by support vectors with that loss. All costs of a fold are found from one decomposition of K.
///
/// ```
/// use mercer::data::{Examples, Split, Vectors};
/// use mercer::evaluation::Metric;
/// use mercer::evaluation::search::{Grid, RidgeCandidate, Search, Watch};
/// use mercer::kernel::Expression;
/// use mercer::machine::{FitOptions, Ridge};
/// let rows = Vectors::from_rows(&(0..60).map(|i| [f64::from(i) / 10.0]).collect::<Vec<_>>())?;
/// let targets: Vec<f64> = (0..60).map(|i| (f64::from(i) / 10.0).sin()).collect();
/// let machine = Ridge::params("linear".parse::<Expression>()?).offset(true);
/// let kernels = ["gaussian(gamma=0.0001)", "gaussian(gamma=1)"].map(|text| text.parse::<Expression>());
/// let grid = Grid { kernels: kernels.into_iter().collect::<Result<_, _>>()?, costs: vec![0.01, 100.0] };
/// let candidate = RidgeCandidate::new(machine, FitOptions::default());
/// let (examples, splits) = (Examples::new(&rows, &targets), Split::folds(60, 4, 0)?);
/// let table = Search::new(vec![Metric::R2]).cross_validate(&candidate, &grid, examples, &splits, Watch::nobody())?;
/// let best = table.best().unwrap();
/// assert_eq!((best.kernel, best.cost), (1, Some(100.0)));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RidgeCandidate<K> {
    machine: RidgeParams<K>,
    options: FitOptions,
}

impl<K> RidgeCandidate<K> {
    /// The machine with another λ and kernel in every cell. Of the options threads, memory and instruction set count, and the
    /// precision in which kernel values are kept.
    pub fn new(machine: RidgeParams<K>, options: FitOptions) -> Self {
        RidgeCandidate { machine, options }
    }
}

impl<K: Clone + Sync> Parameters for RidgeCandidate<K> {
    type Targets = Vec<f64>;

    fn fit_options(&self) -> &FitOptions {
        &self.options
    }

    fn with_options(self, options: FitOptions) -> Self {
        RidgeCandidate { options, ..self }
    }
}

impl<K: Clone + Sync> Candidate for RidgeCandidate<K> {
    type Kernel = K;
    type Left = ();

    fn with_kernel(self, kernel: K) -> Self {
        RidgeCandidate { machine: self.machine.kernel(kernel), ..self }
    }

    fn say(
        &self,
        costs: &[f64],
        rows: &HeldOut<'_, Vec<f64>>,
        _control: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Vec<Answer<()>>> {
        let HeldOut { gram, cross, targets, weights, .. } = *rows;
        let begun = Instant::now();
        let machine = self.machine.clone().threads(1).check()?;
        let targets = Matrix::new(targets.clone(), targets.len(), 1)?;
        let lambdas: Vec<f64> = costs.iter().map(|cost| 0.5 / cost).collect();
        let path = machine.path(gram, &targets, Some(weights), &lambdas)?;
        let seconds = begun.elapsed().as_secs_f64() / costs.len() as f64;
        path.points()
            .iter()
            .map(|point| {
                let said = Said::Numbers(point.functions.values(cross, &Workers::serial())?);
                Ok(Answer { said, seconds, converged: true, left: () })
            })
            .collect()
    }

    fn truth(targets: &Vec<f64>) -> Truth<'_> {
        Truth::Numbers(targets)
    }
}
