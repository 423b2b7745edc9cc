//! A trained novelty detector.

use serde::{Deserialize, Serialize};

use super::{FalsePositiveBound, Region, Softness};
use crate::data::{Items, check_weights};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, WithLayout};
use crate::machine::kept::Kept;
use crate::machine::{Expansion, Report};

/// What the item on the surface is kept inside by, relative to the scores: they are rounded.
const NUDGE: f64 = 1e-14;

/// What sums of weights may be off by, relative to them.
const ROUNDING: f64 = 1e-12;

/// A trained novelty detector: kernel, support items, coefficients (their sum is 1), region and certificate.
///
/// Its answer for an item does not depend on what else is looked at with it, nor on threads.
#[derive(Clone, Debug)]
pub struct NoveltyModel<K: WithLayout, I> {
    kept: Kept<K, I>,
    region: Region,
    softness: Softness,
    expansion: Expansion,
    report: Option<Report>,
    found: Found,
    /// Added to the threshold: γ for spheres.
    slack: f64,
}

/// Numbers that describe a region.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// ‖c‖² or ‖w‖², for v = Σ αᵢ φ(xᵢ).
    pub squared_norm: f64,
    /// r² of a sphere, ρ of a hyperplane.
    pub threshold: f64,
    /// ‖ξ‖₁: by how much training items lie outside, in all.
    pub slack_sum: f64,
    /// R²: the largest k(x, x) among the training items.
    pub largest_squared_norm: f64,
    /// ℓ: training items, or the sum of their weights.
    pub items: f64,
}

impl<K: WithLayout, I> NoveltyModel<K, I> {
    /// The same model with something else in place of what it keeps.
    pub(crate) fn map_kept<L: WithLayout, J>(
        self,
        change: &impl Fn(Kept<K, I>) -> Result<Kept<L, J>>,
    ) -> Result<NoveltyModel<L, J>> {
        let NoveltyModel { kept, region, softness, expansion, report, found, slack } = self;
        Ok(NoveltyModel { kept: change(kept)?, region, softness, expansion, report, found, slack })
    }

    /// Puts a model together from its parts, as the readers of model files do.
    pub fn from_parts(
        kept: Kept<K, I>,
        region: Region,
        softness: Softness,
        expansion: Expansion,
        report: Option<Report>,
        found: Found,
    ) -> Self {
        NoveltyModel { kept, region, softness, expansion, report, found, slack: 0.0 }
    }

    /// Threads for scores; 0, the default, means as many as there are.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.kept.threads = threads;
        self
    }

    /// The same model, whose training items are known by other numbers: item i is number `numbers[i]` of a larger set.
    ///
    /// # Panics
    /// If there is no number for a support item.
    pub fn renumbered(mut self, numbers: &[usize]) -> Self {
        self.expansion.support.iter_mut().for_each(|item| *item = numbers[*item]);
        self
    }

    /// A region that is larger by γ: the squared radius is r² + γ, the threshold of a hyperplane ρ − γ.
    pub fn with_slack(mut self, gamma: f64) -> Self {
        self.slack = gamma;
        self
    }

    /// A region that leaves about this share of the given items, or of their weight, outside.
    ///
    /// # Errors
    /// No items, a share that is not between 0 and 1, weights that make no sense, or items that the kernel is not defined on.
    pub fn with_contamination<J: Items<Owned = I>>(
        mut self,
        items: &J,
        weights: Option<&[f64]>,
        share: f64,
    ) -> Result<Self>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        if !(0.0..1.0).contains(&share) {
            let expected = "a share, at least 0 and below 1";
            return Err(Error::Parameter { name: "contamination", value: share, expected });
        }
        if items.is_empty() {
            return Err(Error::Empty { what: "rows" });
        }
        if let Some(weights) = weights {
            check_weights(weights, items.len())?;
        }
        self.slack = 0.0;
        let weight = |item: usize| weights.map_or(1.0, |weights| weights[item]);
        let scored = self.scores(items)?.into_iter().enumerate().map(|(item, score)| (score, weight(item)));
        let mut scored: Vec<(f64, f64)> = scored.filter(|(_, weight)| *weight > 0.0).collect();
        scored.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let all: f64 = scored.iter().map(|(_, weight)| weight).sum();
        // As much as there is room for outside, to the rounding of sums; the first that is not gets the score 0.
        let room = share * all * (1.0 + ROUNDING);
        let mut outside = 0.0;
        let first = scored.iter().position(|(_, weight)| {
            outside += weight;
            outside > room
        });
        let size = self.found.largest_squared_norm + self.found.threshold.abs();
        self.slack = NUDGE * size - scored[first.unwrap_or(scored.len() - 1)].0;
        Ok(self)
    }

    /// Kernel, layout, precision and support items.
    pub fn kept(&self) -> &Kept<K, I> {
        &self.kept
    }

    /// The shape of the region.
    pub fn region(&self) -> Region {
        self.region
    }

    /// How items may lie outside.
    pub fn softness(&self) -> Softness {
        self.softness
    }

    /// The centre of a sphere, or the normal of a hyperplane, as Σ αᵢ φ(xᵢ) with Σα = 1.
    pub fn expansion(&self) -> &Expansion {
        &self.expansion
    }

    /// How the training went; `None` where no problem was solved.
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// Numbers that describe the region.
    pub fn found(&self) -> &Found {
        &self.found
    }

    /// What was added to the region after training.
    pub fn slack(&self) -> f64 {
        self.slack
    }

    /// r, for spheres, without what [`NoveltyModel::with_slack`] adds; 0 where r² = [`Found::threshold`] is negative
    /// (see [`Softness::Quadratic`]), so that nothing is inside.
    pub fn radius(&self) -> Option<f64> {
        (self.region != Region::Hyperplane).then(|| self.found.threshold.max(0.0).sqrt())
    }

    /// How often an item like those of the training is taken for novel, at most, if the region is enlarged by `gamma`;
    /// for spheres. R is taken from the training items.
    pub fn false_positive_bound(&self, gamma: f64, delta: f64) -> Option<FalsePositiveBound> {
        let Found { slack_sum, largest_squared_norm, items, .. } = self.found;
        (self.region != Region::Hyperplane)
            .then(|| FalsePositiveBound::new(slack_sum, largest_squared_norm, items, gamma, delta))
    }

    /// Scores: positive inside and on the surface, negative outside.
    ///
    /// For spheres r² + γ − ‖φ(x) − c‖², for hyperplanes ⟨w, φ(x)⟩ − ρ + γ, with the γ of [`NoveltyModel::edge`].
    ///
    /// # Errors
    /// Items that the kernel is not defined on, such as rows with another number of columns.
    pub fn scores<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<f64>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let values = self.kept.values(&self.expansion, items)?;
        let Found { squared_norm, threshold, .. } = self.found;
        if self.region == Region::Hyperplane {
            return Ok(values.iter().map(|value| value - threshold + self.edge()).collect());
        }
        if items.is_empty() {
            return Ok(values);
        }
        let diagonal = self.kept.diagonal(items)?;
        let distance = |(value, own): (&f64, f64)| own - 2.0 * value + squared_norm;
        Ok(values.iter().zip(diagonal).map(|pair| threshold + self.edge() - distance(pair)).collect())
    }

    /// Whether each item lies outside: its score is negative.
    ///
    /// # Errors
    /// As [`NoveltyModel::scores`].
    pub fn is_novel<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<bool>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        Ok(self.scores(items)?.iter().map(|&score| self.is_outside(score)).collect())
    }

    /// Whether an item with this score is novel.
    pub fn is_outside(&self, score: f64) -> bool {
        score < 0.0
    }

    /// What the region is larger by: what was added to it, and the accuracy of the solver, so that support items on the
    /// surface are inside.
    pub fn edge(&self) -> f64 {
        self.slack + self.tolerance()
    }

    /// What the coefficients sum up to in LIBSVM's files: νℓ where ν was given.
    pub fn scale(&self) -> f64 {
        self.softness.sum_of_weights(self.found.items)
    }

    /// What the scores of support items on the surface may be off by.
    fn tolerance(&self) -> f64 {
        let sum = self.softness.scale(self.found.items);
        let gap = self.report.as_ref().map_or(0.0, |report| report.certificate.kkt_gap);
        tolerance(gap / sum, self.found.largest_squared_norm, self.found.threshold)
    }
}

/// What scores on the surface may be off by: twice the KKT gap of coefficients that sum to 1, and the rounding of scores.
pub(super) fn tolerance(gap: f64, largest_squared_norm: f64, threshold: f64) -> f64 {
    2.0 * gap + 1e-12 * (largest_squared_norm + threshold.abs())
}
