//! Which label is worth asking for.

use super::active::ActiveLearner;
use super::memory::Memory;
use crate::data::Random;
use crate::error::{Error, Result};
use crate::machine::probability::{Held, Sigmoid};

/// Which item is asked about next.
///
/// ```
/// use mercer::machine::online::Query;
/// assert_eq!(Query::default(), Query::Mixed);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Query {
    /// Every third one is any, drawn at random, and the others are the nearest to the boundary: who asks about the boundary alone does not see that
    /// a class lives elsewhere too, and may do worse than who asks about any.
    #[default]
    Mixed,
    /// The one nearest to the boundary: the smallest |f(x)|; of more than two classes, the smallest lead of the best one.
    Nearest,
    /// One within the margin band, |f(x)| < 1, drawn at random; the nearest if there is none.
    Band,
    /// The one whose class is least sure: the largest entropy −Σ p ln p of the probabilities of its classes. They are Platt's sigmoids of the values that
    /// machines give to answered items which they have not seen, so that a boundary which lies too near to one class is noticed.
    Uncertain,
    /// Any, drawn at random: what the others are to be compared with.
    Random,
}

/// One answer of so many is to a question drawn at random, if queries are mixed.
const EXPLORING: usize = 3;

impl<M: Memory + Clone> ActiveLearner<M> {
    /// The item to ask about next, a position in the pool; none if all have an answer. The pool is the same at every call.
    ///
    /// O(support items) kernel values for each item without an answer; with [`Query::Uncertain`], each answer is also left out once.
    ///
    /// # Errors
    /// An item that the kernel is not defined on.
    pub fn ask(&self, pool: &[M::Item<'_>]) -> Result<Option<usize>> {
        Ok(self.ask_some(pool, 1, 0.0)?.first().copied())
    }

    /// Several items to ask about at once: as many as there are without an answer, at most `count`.
    ///
    /// Items that are alike teach the same, so that each is the best of
    ///
    /// ```text
    /// min over x of  (1 − d) u(x) + d max over chosen z of |k(x, z)| / √(k(x, x) k(z, z))
    /// ```
    ///
    /// with the diversity d from 0 to 1 and u the place of x in the order of the [`Query`], from 0 for the first to 1 for the last. (K. Brinker: Incorporating diversity in
    /// active learning with support vector machines, ICML 2003, has |f(x)| for u.) O(count) kernel values more for each item without an answer.
    ///
    /// ```
    /// use mercer::machine::online::{ActiveLearner, IncrementalSvc, Query, Remembered};
    /// let kernel = |x: &f64, z: &f64| (-(x - z) * (x - z)).exp();
    /// let mut learner = ActiveLearner::new(IncrementalSvc::new(Remembered::new(kernel), 10.0)?, Query::Nearest, 1);
    /// let points = [0.0, 10.0, 4.9, 5.0, 5.1, 2.0, 8.0];
    /// let pool: Vec<&f64> = points.iter().collect();
    /// learner.answer(0, pool[0], 0)?;
    /// learner.answer(1, pool[1], 1)?;
    /// // By nearness alone, three that say the same; with diversity, others too.
    /// let near = learner.ask_some(&pool, 3, 0.0)?;
    /// let wide = learner.ask_some(&pool, 3, 0.7)?;
    /// assert!(near.iter().all(|&item| (2..5).contains(&item)));
    /// assert!(wide.contains(&5) || wide.contains(&6));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] for another diversity; as [`ActiveLearner::ask`].
    pub fn ask_some(&self, pool: &[M::Item<'_>], count: usize, diversity: f64) -> Result<Vec<usize>> {
        if !(0.0..=1.0).contains(&diversity) {
            return Err(Error::Parameter {
                name: "diversity",
                value: diversity,
                expected: "a number from 0 to 1",
            });
        }
        let order = self.order(pool)?;
        if diversity == 0.0 || order.len() <= 1 {
            return Ok(order.into_iter().take(count).collect());
        }
        let mut chosen_memory = self.machines()[0].memory().clone();
        while !chosen_memory.is_empty() {
            chosen_memory.forget(chosen_memory.len() - 1);
        }
        let last = (order.len() - 1) as f64;
        let mut own = Vec::with_capacity(order.len());
        for &item in &order {
            self.check_interrupt()?;
            own.push(chosen_memory.own_value(pool[item])?);
        }
        // Of each item: how alike it is to the nearest of those that were chosen.
        let mut alike = vec![0.0f64; order.len()];
        let mut is_open = vec![true; order.len()];
        let (mut chosen, mut values) = (Vec::new(), Vec::new());
        while chosen.len() < count.min(order.len()) {
            let cost = |at: usize| (1.0 - diversity) * at as f64 / last + diversity * alike[at];
            let best =
                (0..order.len()).filter(|&at| is_open[at]).min_by(|&a, &b| cost(a).total_cmp(&cost(b)));
            let Some(best) = best else { break };
            chosen.push(order[best]);
            is_open[best] = false;
            chosen_memory.remember(pool[order[best]])?;
            for at in (0..order.len()).filter(|&at| is_open[at]) {
                self.check_interrupt()?;
                chosen_memory.compare(pool[order[at]], &mut values)?;
                let size = (own[at] * own[best]).abs().sqrt();
                if size > 0.0 {
                    alike[at] = alike[at].max((values[0] / size).abs().min(1.0));
                }
            }
            chosen_memory.forget(0);
        }
        Ok(chosen)
    }

    /// All items without an answer, those that teach most first.
    fn order(&self, pool: &[M::Item<'_>]) -> Result<Vec<usize>> {
        let mut open = self.open(pool.len());
        let explores = self.query() == Query::Mixed && self.answered() % EXPLORING == EXPLORING - 1;
        if self.query() == Query::Random || explores || !self.has_boundary() {
            self.random().shuffle(&mut open);
            return Ok(open);
        }
        let sigmoids = match self.query() {
            Query::Uncertain => self.sigmoids()?,
            _ => Vec::new(),
        };
        let mut ranked = Vec::with_capacity(open.len());
        for item in open {
            self.check_interrupt()?;
            let values = self.values(pool[item])?;
            let key = match self.query() {
                Query::Uncertain => -self.entropy(&values, &sigmoids),
                _ => self.lead(&values),
            };
            ranked.push((item, key));
        }
        // Stable: of equal ones the first of the pool.
        ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
        let inside = ranked.iter().take_while(|(_, lead)| *lead < 1.0).count();
        let mut order: Vec<usize> = ranked.into_iter().map(|(item, _)| item).collect();
        if self.query() == Query::Band {
            self.random().shuffle(&mut order[..inside]);
        }
        Ok(order)
    }

    /// The probability of its class for each machine, from values that are not those of examples it has learned.
    fn sigmoids(&self) -> Result<Vec<Sigmoid>> {
        let one = |machine: &super::IncrementalSvc<M>| {
            let decisions = machine.left_out_values()?;
            let held = decisions.into_iter().zip(machine.labels());
            let held: Vec<Held> = held
                .map(|(decision, &label)| Held { decision, positive: label > 0.0, weight: 1.0 })
                .collect();
            Ok(Sigmoid::fit(&held, true))
        };
        self.machines().iter().map(one).collect()
    }

    /// −Σ p ln p.
    fn entropy(&self, values: &[f64], sigmoids: &[Sigmoid]) -> f64 {
        let mut p: Vec<f64> =
            sigmoids.iter().zip(values).map(|(sigmoid, &value)| sigmoid.probability(value)).collect();
        if let [later] = p[..] {
            p.push(1.0 - later);
        }
        let all: f64 = p.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        p.iter().map(|p| p / all).filter(|&p| p > 0.0).map(|p| -p * p.ln()).sum()
    }

    fn random(&self) -> Random {
        Random::new(self.seed().wrapping_mul(0x9e37_79b9).wrapping_add(self.answered() as u64))
    }
}
