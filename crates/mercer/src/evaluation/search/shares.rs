//! Shares ν in a search, in place of costs.

use super::said::{of_pairs, pairs_or_none};
use super::{Answer, Candidate, HeldOut};
use crate::data::Labels;
use crate::error::Result;
use crate::evaluation::{Parameters, Truth};
use crate::machine::{FitOptions, FitProgress, Slack, SvcParams};
use crate::solver::Control;

/// A classifier by support vectors whose share ν is searched: what a grid has for costs are shares, and so are `nu` of the cells. Every
/// share is learned from the beginning. One that leaves no margin is tried as what it is: a machine that says 0 of every row.
///
/// ```
/// use mercer::data::{Examples, Labels, Random, Split, Vectors};
/// use mercer::evaluation::Metric;
/// use mercer::evaluation::search::{Grid, Search, Shares, Watch};
/// use mercer::kernel::Expression;
/// use mercer::machine::Svc;
/// let mut random = Random::new(7);
/// let points: Vec<[f64; 2]> = (0..90).map(|_| [random.normal(), random.normal()]).collect();
/// let labels = Labels::from_text(points.iter().map(|p| if p[0] * p[1] > 0.0 { "same" } else { "other" }));
/// let (rows, kernel) = (Vectors::from_rows(&points)?, "gaussian(gamma=1)".parse::<Expression>()?);
/// let grid = Grid { kernels: vec![kernel.clone()], costs: vec![0.05, 0.2, 0.6] };
/// let (examples, splits) = (Examples::new(&rows, &labels), Split::folds(90, 3, 0)?);
/// let search = Search::new(vec![Metric::Accuracy]);
/// let table = search.cross_validate(&Shares(Svc::params(kernel)), &grid, examples, &splits, Watch::nobody())?;
/// let best = table.best().unwrap();
/// assert!(best.cost.is_none() && best.nu.unwrap() < 0.5);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shares<K>(pub SvcParams<K>);

impl<K: Clone + Sync> Parameters for Shares<K> {
    type Targets = Labels;

    fn fit_options(&self) -> &FitOptions {
        self.0.fit_options()
    }

    fn with_options(self, options: FitOptions) -> Self {
        Shares(self.0.options(options))
    }
}

impl<K: Clone + Sync> Candidate for Shares<K> {
    type Kernel = K;
    type Left = ();

    fn with_kernel(self, kernel: K) -> Self {
        Shares(self.0.kernel(kernel))
    }

    fn without_probabilities(self) -> Self {
        Shares(self.0.probability(None))
    }

    fn costs_are_shares(&self) -> bool {
        true
    }

    fn say(
        &self,
        shares: &[f64],
        rows: &HeldOut<'_, Labels>,
        control: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Vec<Answer<()>>> {
        let HeldOut { gram, targets, weights, convex, .. } = *rows;
        let answer = |&nu: &f64| {
            let machine = self.0.clone().slack(Slack::Nu { nu }).check()?.with_kernel(());
            let fit = machine.fit_gram(gram, targets, Some(weights), convex, control);
            let Answer { said, seconds, converged, .. } = of_pairs(pairs_or_none(fit, targets)?, rows)?;
            Ok(Answer { said, seconds, converged, left: () })
        };
        shares.iter().map(answer).collect()
    }

    fn truth(labels: &Labels) -> Truth<'_> {
        Truth::Classes(labels)
    }
}
