//! Asking for the labels that teach most.
//!
//! Only support vectors decide where the boundary runs, so that other labels need not be asked for. A point within the margin band always
//! changes the machine, whatever its label is, and the nearest to the boundary does so most (Campbell, *An introduction to kernel
//! methods*, section 2.6).

use std::collections::BTreeSet;

use super::incremental::IncrementalSvc;
use super::memory::Memory;
use super::query::Query;
use crate::error::{Error, Result};
use crate::resources::Interrupt;

/// A pool of items, some of which have a label, and the support vector machine of those.
///
/// Two classes have one machine, in which the later one is +1; with more, every class has a machine of its own that tells it from the rest, and the
/// largest value wins. A machine is an [`IncrementalSvc`]: an answer is added to it exactly, and one that was a mistake is taken back exactly. To choose costs a
/// kernel value for each pair of a support item and an item without a label.
///
/// ```
/// use mercer::machine::online::{ActiveLearner, IncrementalSvc, Query, Remembered};
/// let machine = IncrementalSvc::new(Remembered::new(|x: &f64, z: &f64| x * z), 1000.0)?;
/// let points: Vec<f64> = (0..100).map(f64::from).collect();
/// let pool: Vec<&f64> = points.iter().collect();
/// let mut learner = ActiveLearner::new(machine, Query::Nearest, 1);
/// // The boundary at 41.5 is found as by halving, with far fewer questions than there are points.
/// while learner.band(&pool)? > 0 || !learner.has_boundary() {
///     let Some(item) = learner.ask(&pool)? else { break };
///     learner.answer(item, pool[item], usize::from(points[item] > 41.5))?;
/// }
/// assert!(learner.asked().len() < 20);
/// assert_eq!((learner.predict(&41.0)?, learner.predict(&42.0)?), (0, 1));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ActiveLearner<M> {
    machines: Vec<IncrementalSvc<M>>,
    classes: usize,
    query: Query,
    seed: u64,
    answers: Vec<Given>,
    /// Items that are not asked about.
    passed: BTreeSet<usize>,
    /// The dual objective after each answer.
    objectives: Vec<f64>,
}

/// An answer.
#[derive(Clone, Debug)]
struct Given {
    item: usize,
    class: usize,
    /// Its number in each machine.
    ids: Vec<u64>,
}

impl<M: Memory + Clone> ActiveLearner<M> {
    /// A learner of two classes without answers, with an empty machine. Draws are by the seed and the number of answers, so that one who is given the
    /// same answers again asks the same next.
    pub fn new(machine: IncrementalSvc<M>, query: Query, seed: u64) -> Self {
        let (machines, answers, passed, objectives) =
            (vec![machine], Vec::new(), BTreeSet::new(), Vec::new());
        ActiveLearner { machines, classes: 2, query, seed, answers, passed, objectives }
    }

    /// A learner of so many classes, each machine of which is like this empty one.
    ///
    /// ```
    /// use mercer::machine::online::{ActiveLearner, IncrementalSvc, Query, Remembered};
    /// let kernel = |x: &f64, z: &f64| (-(x - z) * (x - z)).exp();
    /// let machine = IncrementalSvc::new(Remembered::new(kernel), 10.0)?;
    /// let mut learner = ActiveLearner::of_classes(machine, 3, Query::Uncertain, 1)?;
    /// for (item, x) in [0.0, 3.0, 6.0].iter().enumerate() {
    ///     learner.answer(item, x, item)?;
    /// }
    /// assert_eq!((learner.predict(&0.5)?, learner.predict(&3.5)?, learner.predict(&7.0)?), (0, 1, 2));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] for fewer than two classes.
    pub fn of_classes(machine: IncrementalSvc<M>, classes: usize, query: Query, seed: u64) -> Result<Self> {
        if classes < 2 {
            return Err(Error::Parameter { name: "classes", value: classes as f64, expected: "2 or more" });
        }
        let machines = if classes == 2 { vec![machine] } else { vec![machine; classes] };
        let (answers, passed, objectives) = (Vec::new(), BTreeSet::new(), Vec::new());
        Ok(ActiveLearner { machines, classes, query, seed, answers, passed, objectives })
    }

    /// The machines of all answers: one for two classes, otherwise one for each class.
    pub fn machines(&self) -> &[IncrementalSvc<M>] {
        &self.machines
    }

    /// Who may end a question or an answer, besides the one in whose [scope](Interrupt::scope) the thread works: it returns [`Error::Interrupted`] then.
    pub fn set_interrupt(&mut self, interrupt: Option<&Interrupt>) {
        self.machines.iter_mut().for_each(|machine| machine.set_interrupt(interrupt));
    }

    /// How it asks.
    pub fn query(&self) -> Query {
        self.query
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    pub(super) fn answered(&self) -> usize {
        self.answers.len()
    }

    /// Items with an answer, in the order in which they were answered, and their classes.
    pub fn asked(&self) -> Vec<(usize, usize)> {
        self.answers.iter().map(|given| (given.item, given.class)).collect()
    }

    /// Whether two classes or more were seen. Before that, any item is asked about: there is no boundary yet.
    pub fn has_boundary(&self) -> bool {
        self.answers.iter().any(|given| given.class != self.answers[0].class)
    }

    /// f(x) of each machine.
    ///
    /// # Errors
    /// An item that the kernel is not defined on.
    pub fn values(&self, item: M::Item<'_>) -> Result<Vec<f64>> {
        self.machines.iter().map(|machine| machine.value(item)).collect()
    }

    /// The class of an item, by the machines of the answers so far.
    ///
    /// # Errors
    /// As [`ActiveLearner::values`].
    pub fn predict(&self, item: M::Item<'_>) -> Result<usize> {
        let values = self.values(item)?;
        if let [value] = values[..] {
            return Ok(usize::from(value > 0.0));
        }
        // The first of the largest, of classes that were seen.
        let seen = (0..values.len()).rev().filter(|&class| self.has_seen(class));
        Ok(seen.max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0))
    }

    /// Half of what the best class is ahead of the next: of two classes |f(x)|.
    pub(super) fn lead(&self, values: &[f64]) -> f64 {
        if let [value] = values {
            return value.abs();
        }
        let (mut best, mut next) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        for class in (0..values.len()).filter(|&class| self.has_seen(class)) {
            let value = values[class];
            if value > best {
                (best, next) = (value, best);
            } else {
                next = next.max(value);
            }
        }
        0.5 * (best - next)
    }

    fn has_seen(&self, class: usize) -> bool {
        self.answers.iter().any(|given| given.class == class)
    }

    /// Tells the class of an item of the pool.
    ///
    /// # Errors
    /// [`Error::Entry`] for another class, [`Error::Unsupported`] for an item that has one.
    pub fn answer(&mut self, item: usize, view: M::Item<'_>, class: usize) -> Result<()> {
        let wrong = |expected| Error::Entry { what: "item", index: item, value: class as f64, expected };
        if class >= self.classes {
            return Err(wrong("one of the classes"));
        }
        if self.answers.iter().any(|given| given.item == item) {
            let what =
                format!("item {item} has an answer already: answers are taken back before others are given");
            return Err(Error::Unsupported { what });
        }
        let mut ids = Vec::with_capacity(self.machines.len());
        let single = self.machines.len() == 1;
        let before: Vec<usize> = self.machines.iter().map(IncrementalSvc::len).collect();
        for (of, machine) in self.machines.iter_mut().enumerate() {
            let is_own = if single { class == 1 } else { class == of };
            match machine.add(view, if is_own { 1.0 } else { -1.0 }) {
                Ok(id) => ids.push(id),
                Err(error) => {
                    self.take_back(&before)?;
                    return Err(error);
                }
            }
        }
        self.answers.push(Given { item, class, ids });
        self.objectives.push(self.machines.iter().map(IncrementalSvc::objective).sum());
        Ok(())
    }

    /// Removes what machines have beyond these numbers of examples, which is the last one or nothing.
    fn take_back(&mut self, before: &[usize]) -> Result<()> {
        self.set_interrupt(None);
        // It must end, whoever has interrupted the answer.
        Interrupt::new().scope(|| {
            for (machine, &before) in self.machines.iter_mut().zip(before) {
                if machine.len() > before {
                    let last = machine.ids().iter().copied().max().unwrap_or(0);
                    machine.remove(last)?;
                }
            }
            Ok(())
        })
    }

    /// Takes the last answer back, and says whose it was.
    ///
    /// # Errors
    /// As [`IncrementalSvc::remove`].
    pub fn undo(&mut self) -> Result<Option<usize>> {
        let Some(given) = self.answers.pop() else { return Ok(None) };
        self.objectives.pop();
        for (machine, id) in self.machines.iter_mut().zip(given.ids) {
            machine.remove(id)?;
        }
        Ok(Some(given.item))
    }

    /// Passes over an item whose class nobody knows: it is not asked about, and not counted in the band, until it is taken up again.
    ///
    /// ```
    /// use mercer::machine::online::{ActiveLearner, IncrementalSvc, Query, Remembered};
    /// let machine = IncrementalSvc::new(Remembered::new(|x: &f64, z: &f64| x * z), 1.0)?;
    /// let mut learner = ActiveLearner::new(machine, Query::Nearest, 1);
    /// learner.pass_over(0);
    /// assert_eq!(learner.ask_some(&[&1.0, &2.0], 2, 0.5)?, [1]);
    /// learner.take_up(0);
    /// assert_eq!(learner.ask_some(&[&1.0, &2.0], 2, 0.5)?.len(), 2);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn pass_over(&mut self, item: usize) {
        self.passed.insert(item);
    }

    /// Asks about an item again that was passed over.
    pub fn take_up(&mut self, item: usize) {
        self.passed.remove(&item);
    }

    /// Items of the pool without an answer that lie within the margin band.
    ///
    /// # Errors
    /// As [`ActiveLearner::values`].
    pub fn band(&self, pool: &[M::Item<'_>]) -> Result<usize> {
        let mut inside = 0;
        for item in self.open(pool.len()) {
            self.check_interrupt()?;
            inside += usize::from(self.lead(&self.values(pool[item])?) < 1.0);
        }
        Ok(inside)
    }

    /// The share of items with known classes that the machines get wrong.
    ///
    /// # Errors
    /// [`Error::Empty`] for none; as [`ActiveLearner::values`].
    pub fn error(&self, validation: &[(M::Item<'_>, usize)]) -> Result<f64> {
        if validation.is_empty() {
            return Err(Error::Empty { what: "items to validate with" });
        }
        let mut wrong = 0usize;
        for &(item, class) in validation {
            wrong += usize::from(self.predict(item)? != class);
        }
        Ok(wrong as f64 / validation.len() as f64)
    }

    /// Whether no item without an answer lies within the margin band, and at most a share `accepted` of items with known classes is wrong: the stopping rule for
    /// labels with noise, where an empty band alone may be that of a machine which has learned the wrong thing.
    ///
    /// # Errors
    /// As [`ActiveLearner::error`].
    pub fn has_emptied(
        &self,
        pool: &[M::Item<'_>],
        validation: &[(M::Item<'_>, usize)],
        accepted: f64,
    ) -> Result<bool> {
        Ok(self.has_boundary() && self.band(pool)? == 0 && self.error(validation)? <= accepted)
    }

    /// The dual objective after each answer: it grows with every answer that changes the machine, and stays where one does not. Of several
    /// machines, their sum.
    pub fn objectives(&self) -> &[f64] {
        &self.objectives
    }

    /// Whether the dual objective grew by no more than a share `tolerance` in the last `rounds` answers: the stopping rule for labels without
    /// noise.
    pub fn has_settled(&self, rounds: usize, tolerance: f64) -> bool {
        let n = self.objectives.len();
        if rounds == 0 || n <= rounds || !self.has_boundary() {
            return false;
        }
        let (before, now) = (self.objectives[n - 1 - rounds], self.objectives[n - 1]);
        now - before <= tolerance * now.abs()
    }

    pub(super) fn check_interrupt(&self) -> Result<()> {
        self.machines[0].check_interrupt()
    }

    pub(super) fn open(&self, items: usize) -> Vec<usize> {
        let mut answered = vec![false; items];
        for given in &self.answers {
            if let Some(slot) = answered.get_mut(given.item) {
                *slot = true;
            }
        }
        (0..items).filter(|item| !answered[*item] && !self.passed.contains(item)).collect()
    }
}
