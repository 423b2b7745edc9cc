//! On-line machines on a set of examples that are visited again and again.

use super::learner::Online;
use super::memory::Memory;
use crate::data::check_weights;
use crate::error::{Error, Result};
use crate::resources::Interrupt;

/// When visiting ends.
///
/// ```
/// use mercer::machine::online::PassLimits;
/// let limits = PassLimits { passes: 50, ..PassLimits::default() };
/// assert_eq!(limits.tolerance, 1e-9);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassLimits {
    /// Most passes over all examples; default 1000. Data that cannot be separated end here.
    pub passes: u64,
    /// A pass in which no step changes w by more than this, ‖δφ(x)‖ ≤ tolerance, is the last; default 1e-9. Of no use to the perceptron,
    /// whose steps do not become smaller: it ends with a pass without mistakes.
    pub tolerance: f64,
}

impl Default for PassLimits {
    fn default() -> Self {
        PassLimits { passes: 1000, tolerance: 1e-9 }
    }
}

/// How a set was learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passes {
    /// Passes over all examples, the last of which changed nothing if `settled`.
    pub passes: u64,
    /// Steps, in all passes.
    pub updates: u64,
    /// Whether the last pass found nothing to do; otherwise the limit came first.
    pub settled: bool,
    /// R² = max k(x, x) + r, about the origin of the space that the machine works in.
    pub squared_radius: f64,
    /// γ = min y f(x)/‖w‖ in that space, of a classifier that separates the examples. The perceptron has made R²/γ² updates at most
    /// (Novikoff); see [`Updates`](crate::evaluation::bounds::Updates).
    pub margin: Option<f64>,
}

impl<M: Memory> Online<M> {
    /// Goes over a set of examples until nothing changes, or a limit is met: the perceptron becomes that of Table 5.2, the
    /// passive–aggressive rule the kernel adatron (Algorithm 7.59), regression Algorithm 7.61. The limits of the last two are support vector
    /// machines without offset, or with a penalised one in homogeneous coordinates.
    ///
    /// O(examples · remembered items) kernel values per pass. The tally goes on counting. To go on from another call, give the same examples in the
    /// same order; examples of [`learn`](Online::learn) are taken for those of the same number.
    ///
    /// ```
    /// use mercer::evaluation::bounds::Updates;
    /// use mercer::machine::online::{Online, PassLimits, Remembered, Rule};
    /// // AND on the corners of the square, the bias step R² = 2 of the table.
    /// let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
    /// let memory = Remembered::new(|x: &[f64; 2], z: &[f64; 2]| x[0] * z[0] + x[1] * z[1]);
    /// let mut machine = Online::params(memory, Rule::Perceptron).bias_step(2.0).check()?;
    /// let items: Vec<&[f64; 2]> = corners.iter().collect();
    /// let found = machine.fit(&items, &[-1.0, -1.0, -1.0, 1.0], &PassLimits::default())?;
    /// assert!(found.settled);
    ///
    /// let novikoff = Updates { squared_radius: found.squared_radius, margin: found.margin.unwrap(), bias: false };
    /// assert!((found.updates as f64) <= novikoff.bound()?.value);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] for another number of targets, [`Error::Empty`] for no examples, [`Error::Item`] with the example that is wrong.
    pub fn fit(&mut self, items: &[M::Item<'_>], targets: &[f64], limits: &PassLimits) -> Result<Passes> {
        self.fit_weighted(items, targets, None, limits)
    }

    /// The same with a weight for each example: see [`Rule`](super::Rule). Of weights between a and c the perceptron has made R²/γ² · c/a updates at most.
    ///
    /// ```
    /// use mercer::machine::Slack;
    /// use mercer::machine::online::{Online, PassLimits, Remembered, Rule};
    /// let rule = Rule::PassiveAggressive { slack: Slack::Linear, cost: 0.3 };
    /// let machine = || Online::params(Remembered::new(|x: &f64, z: &f64| x * z), rule.clone()).homogeneous().check();
    /// let limits = PassLimits { passes: 100_000, tolerance: 1e-14 };
    /// let (mut weighted, mut repeated) = (machine()?, machine()?);
    /// weighted.fit_weighted(&[&1.0, &2.0, &4.0], &[-1.0, 1.0, -1.0], Some(&[1.0, 2.0, 0.0]), &limits)?;
    /// repeated.fit(&[&1.0, &2.0, &2.0], &[-1.0, 1.0, 1.0], &limits)?;
    /// assert!((weighted.function().value(&1.5)? - repeated.function().value(&1.5)?).abs() < 1e-9);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Online::fit`] and [`Online::learn_weighted`]; [`Error::Shape`] for another number of weights, [`Error::Empty`] if all are 0.
    pub fn fit_weighted(
        &mut self,
        items: &[M::Item<'_>],
        targets: &[f64],
        weights: Option<&[f64]>,
        limits: &PassLimits,
    ) -> Result<Passes> {
        if items.is_empty() {
            return Err(Error::Empty { what: "examples" });
        }
        if items.len() != targets.len() {
            let what = "targets (one per example)";
            return Err(Error::Shape { what, expected: items.len(), found: targets.len() });
        }
        if let Some(weights) = weights {
            check_weights(weights, items.len())?;
        }
        let weight = |index: usize| weights.map_or(1.0, |weights| weights[index]);
        let in_item = |index: usize| move |source: Error| Error::Item { index, source: Box::new(source) };
        let mut squared_radius = 0.0f64;
        for (index, &item) in items.iter().enumerate() {
            Interrupt::checkpoint()?;
            let own = self.function.memory().own_value(item).map_err(in_item(index))?;
            if weight(index) > 0.0 {
                squared_radius = squared_radius.max(own + self.function.state().constant);
            }
        }
        let mut found = Passes { passes: 0, updates: 0, settled: false, squared_radius, margin: None };
        while !found.settled && found.passes < limits.passes {
            let before = found.updates;
            let mut largest = 0.0f64;
            for (index, (&item, &target)) in items.iter().zip(targets).enumerate() {
                Interrupt::checkpoint()?;
                let old = self.coefficient(index as u64);
                let outcome =
                    self.round(item, (target, weight(index)), Some(index as u64)).map_err(in_item(index))?;
                if outcome.updated {
                    found.updates += 1;
                    largest = largest.max((self.coefficient(index as u64) - old).abs());
                }
            }
            found.passes += 1;
            found.settled = found.updates == before || largest * squared_radius.sqrt() <= limits.tolerance;
        }
        if self.rule.is_classifier() {
            found.margin = self.margin(items, targets, weight)?;
        }
        Ok(found)
    }

    fn coefficient(&self, id: u64) -> f64 {
        self.function.slot_of(id).map_or(0.0, |slot| self.function.coefficients()[slot])
    }

    /// min y f(x)/‖w‖ over the examples of a weight, if it is above 0.
    fn margin(
        &self,
        items: &[M::Item<'_>],
        targets: &[f64],
        weight: impl Fn(usize) -> f64,
    ) -> Result<Option<f64>> {
        let mut least = f64::INFINITY;
        for (index, (&item, &target)) in items.iter().zip(targets).enumerate() {
            Interrupt::checkpoint()?;
            if weight(index) == 0.0 {
                continue;
            }
            least = least.min(target * self.function.value(item)?);
        }
        let length = self.function.squared_norm()?.sqrt();
        Ok((least > 0.0 && length > 0.0).then(|| least / length))
    }
}
