//! Asking for the labels that teach most.
//!
//! Only support vectors decide where the boundary runs, so that other labels need not be asked for. A point within the margin band always
//! changes the machine, whatever its label is, and the nearest to the boundary does so most (Campbell, *An introduction to kernel
//! methods*, section 2.6).

use super::incremental::IncrementalSvc;
use super::memory::Memory;
use crate::data::Random;
use crate::error::{Error, Result};

/// Which item is asked about next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Query {
    /// The one nearest to the boundary: the smallest |f(x)|.
    #[default]
    Nearest,
    /// One within the margin band, |f(x)| < 1, drawn at random; the nearest if there is none.
    Band,
    /// Any, drawn at random: what the others are to be compared with.
    Random,
}

/// A pool of items, some of which have a label of ±1, and the support vector machine of those.
///
/// The machine is an [`IncrementalSvc`]: an answer is added to it exactly, and one that was a mistake is taken back exactly. To choose costs a
/// kernel value for each pair of a support item and an item without a label.
///
/// ```
/// use mercer::machine::online::{ActiveLearner, IncrementalSvc, Query, Remembered};
/// let machine = IncrementalSvc::new(Remembered::new(|x: &f64, z: &f64| x * z), 1000.0)?;
/// let points: Vec<f64> = (0..100).map(f64::from).collect();
/// let pool: Vec<&f64> = points.iter().collect();
/// let mut learner = ActiveLearner::new(machine, Query::Nearest, 1);
/// // The boundary at 41.5 is found as by halving, with far fewer questions than there are points.
/// while learner.band(&pool)? > 0 || !learner.has_both() {
///     let Some(item) = learner.ask(&pool)? else { break };
///     learner.answer(item, pool[item], if points[item] > 41.5 { 1.0 } else { -1.0 })?;
/// }
/// assert!(learner.asked().len() < 20);
/// assert!(learner.machine().value(&41.0)? < 0.0 && learner.machine().value(&42.0)? > 0.0);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ActiveLearner<M> {
    machine: IncrementalSvc<M>,
    query: Query,
    seed: u64,
    /// Items in the order of the answers, their numbers in the machine and their labels.
    answers: Vec<(usize, u64, f64)>,
    /// The dual objective after each answer.
    objectives: Vec<f64>,
}

impl<M: Memory> ActiveLearner<M> {
    /// A learner without answers, with an empty machine. Draws are by the seed and the number of answers, so that one who is given the same
    /// answers again asks the same next.
    pub fn new(machine: IncrementalSvc<M>, query: Query, seed: u64) -> Self {
        ActiveLearner { machine, query, seed, answers: Vec::new(), objectives: Vec::new() }
    }

    /// The machine of all answers.
    pub fn machine(&self) -> &IncrementalSvc<M> {
        &self.machine
    }

    /// Items with an answer, in the order in which they were answered, and their labels.
    pub fn asked(&self) -> Vec<(usize, f64)> {
        self.answers.iter().map(|&(item, _, label)| (item, label)).collect()
    }

    /// Whether both classes were seen. Before that, any item is asked about: there is no boundary yet.
    pub fn has_both(&self) -> bool {
        [1.0, -1.0].iter().all(|side| self.answers.iter().any(|(_, _, label)| label == side))
    }

    /// The item to ask about next, a position in the pool; none if all have an answer. The pool is the same at every call.
    ///
    /// # Errors
    /// An item that the kernel is not defined on.
    pub fn ask(&self, pool: &[M::Item<'_>]) -> Result<Option<usize>> {
        let open = self.open(pool.len());
        if open.is_empty() {
            return Ok(None);
        }
        if self.query == Query::Random || !self.has_both() {
            return Ok(Some(open[self.draw(open.len())]));
        }
        let mut values = Vec::with_capacity(open.len());
        for &item in &open {
            values.push((item, self.machine.value(pool[item])?.abs()));
        }
        if self.query == Query::Band {
            let inside: Vec<usize> =
                values.iter().filter(|(_, value)| *value < 1.0).map(|&(item, _)| item).collect();
            if !inside.is_empty() {
                return Ok(Some(inside[self.draw(inside.len())]));
            }
        }
        Ok(values.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).map(|(item, _)| item))
    }

    /// Tells the label of an item of the pool, ±1.
    ///
    /// # Errors
    /// [`Error::Entry`] for another label, or an item that has one.
    pub fn answer(&mut self, item: usize, view: M::Item<'_>, label: f64) -> Result<()> {
        if self.answers.iter().any(|&(other, ..)| other == item) {
            let expected = "an item without a label";
            return Err(Error::Entry { what: "item", index: item, value: label, expected });
        }
        let id = self.machine.add(view, label)?;
        self.answers.push((item, id, label));
        self.objectives.push(self.machine.objective());
        Ok(())
    }

    /// Takes the last answer back, and says whose it was.
    ///
    /// # Errors
    /// As [`IncrementalSvc::remove`].
    pub fn undo(&mut self) -> Result<Option<usize>> {
        let Some((item, id, _)) = self.answers.pop() else { return Ok(None) };
        self.objectives.pop();
        self.machine.remove(id)?;
        Ok(Some(item))
    }

    /// Items of the pool without an answer that lie within the margin band: without noise, when there are none the rest of the labels would change
    /// nothing that the machine believes; with noise, a validation set should agree.
    ///
    /// # Errors
    /// As [`ActiveLearner::ask`].
    pub fn band(&self, pool: &[M::Item<'_>]) -> Result<usize> {
        let mut inside = 0;
        for item in self.open(pool.len()) {
            inside += usize::from(self.machine.value(pool[item])?.abs() < 1.0);
        }
        Ok(inside)
    }

    /// The dual objective after each answer: it grows with every answer that changes the machine, and stays where one does not.
    pub fn objectives(&self) -> &[f64] {
        &self.objectives
    }

    /// Whether the dual objective grew by no more than a share `tolerance` in the last `rounds` answers: the stopping rule for labels without
    /// noise.
    pub fn has_settled(&self, rounds: usize, tolerance: f64) -> bool {
        let n = self.objectives.len();
        if rounds == 0 || n <= rounds || !self.has_both() {
            return false;
        }
        let (before, now) = (self.objectives[n - 1 - rounds], self.objectives[n - 1]);
        now - before <= tolerance * now.abs()
    }

    fn draw(&self, below: usize) -> usize {
        Random::new(self.seed.wrapping_mul(0x9e37_79b9).wrapping_add(self.answers.len() as u64)).below(below)
    }

    fn open(&self, items: usize) -> Vec<usize> {
        let mut answered = vec![false; items];
        for &(item, ..) in &self.answers {
            if let Some(slot) = answered.get_mut(item) {
                *slot = true;
            }
        }
        (0..items).filter(|&item| !answered[item]).collect()
    }
}
