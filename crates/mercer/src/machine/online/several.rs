//! One on-line machine for two classes or for numbers, or one for each of several classes.

use super::learner::{Online, Tally};
use super::memory::Memory;
use super::passes::{PassLimits, Passes};
use super::rows::RowMemory;
use crate::error::{Error, Result};

/// A stream's learner: answers are numbers, levels, or classes of which there may be more than two.
///
/// Two classes have one machine, in which the later one is +1. With more, every class has a machine of its own that tells it from the rest, and
/// the largest value wins; an example then costs as much as one in each of them.
///
/// ```
/// use mercer::machine::online::{Answer, Online, Remembered, Rule, Several};
/// let machine = || Online::params(Remembered::new(|x: &f64, z: &f64| (-(x - z) * (x - z)).exp()), Rule::Perceptron).check();
/// let classes = ["low", "middle", "high"].map(String::from).to_vec();
/// let mut learner = Several::of_classes(classes, machine)?;
/// for (x, class) in [(0.0, 0), (3.0, 1), (6.0, 2), (0.5, 0), (3.5, 1), (6.5, 2)] {
///     learner.learn(&x, Answer::Class(class))?;
/// }
/// assert_eq!(learner.predict(&5.8)?, Answer::Class(2));
/// assert_eq!(learner.tally().examples, 6);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Several<M> {
    machines: Vec<Online<M>>,
    classes: Vec<String>,
    tally: Tally,
}

/// What is predicted, or true.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    /// The position of a class.
    Class(usize),
    /// A number or a level.
    Number(f64),
}

impl<M: Memory> Several<M> {
    /// A learner of numbers or levels.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a rule that tells classes apart.
    pub fn of_numbers(machine: Online<M>) -> Result<Self> {
        Self::resume(vec![machine], Vec::new(), Tally::default())
    }

    /// A learner of these classes, with as many machines as they need.
    ///
    /// # Errors
    /// [`Error::OneClass`], [`Error::Empty`], those of `machine`, and [`Error::Unsupported`] for a rule that tells no classes apart.
    pub fn of_classes(classes: Vec<String>, machine: impl Fn() -> Result<Online<M>>) -> Result<Self> {
        let machines = (0..needed(&classes)).map(|_| machine()).collect::<Result<_>>()?;
        Self::resume(machines, classes, Tally::default())
    }

    /// Goes on where a learner was.
    ///
    /// # Errors
    /// As the others, and [`Error::Shape`] for another number of machines.
    pub fn resume(machines: Vec<Online<M>>, classes: Vec<String>, tally: Tally) -> Result<Self> {
        if let [label] = &classes[..] {
            return Err(Error::OneClass { label: label.clone() });
        }
        if machines.len() != needed(&classes) {
            let what = "machines (as many as the classes need)";
            return Err(Error::Shape { what, expected: needed(&classes), found: machines.len() });
        }
        if machines.iter().any(|machine| machine.rule().is_classifier() == classes.is_empty()) {
            let what =
                "classes need a perceptron or a passive-aggressive machine, and numbers another one".into();
            return Err(Error::Unsupported { what });
        }
        Ok(Several { machines, classes, tally })
    }

    /// The machines.
    pub fn machines(&self) -> &[Online<M>] {
        &self.machines
    }

    /// The classes; none for numbers.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// Examples, mistakes, updates and losses so far. Of more than two classes the loss is the number of mistakes.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// The answer for an item: by the mean of all functions that there were where machines keep it, by the last ones else.
    ///
    /// # Errors
    /// An item that the kernel is not defined on.
    pub fn predict(&self, item: M::Item<'_>) -> Result<Answer> {
        Ok(self.decide(&self.values(item)?))
    }

    /// Predicts, and learns from the truth. The answer is that of before.
    ///
    /// # Errors
    /// As [`Online::learn`]; [`Error::Entry`] for a truth of another kind.
    pub fn learn(&mut self, item: M::Item<'_>, truth: Answer) -> Result<Answer> {
        self.learn_weighted(item, truth, 1.0)
    }

    /// The same for an example of this weight.
    ///
    /// # Errors
    /// As [`Several::learn`] and [`Online::learn_weighted`].
    pub fn learn_weighted(&mut self, item: M::Item<'_>, truth: Answer, weight: f64) -> Result<Answer> {
        let target = self.target(truth)?;
        if let [machine] = &mut self.machines[..] {
            let target = if self.classes.is_empty() { target } else { 2.0 * target - 1.0 };
            let outcome = machine.learn_weighted(item, target, weight)?;
            self.tally = machine.tally();
            return Ok(self.answer(outcome.prediction));
        }
        let mut rounds = Vec::with_capacity(self.machines.len());
        for class in 0..self.machines.len() {
            let sign = if class as f64 == target { 1.0 } else { -1.0 };
            match self.machines[class].plan(item, (sign, weight), None) {
                Ok(round) => rounds.push(round),
                Err(error) => {
                    // All machines learn, or none.
                    self.machines.iter_mut().zip(rounds).for_each(|(machine, round)| machine.withdraw(round));
                    return Err(error);
                }
            }
        }
        let (mut values, mut updated) = (Vec::with_capacity(rounds.len()), false);
        for (machine, round) in self.machines.iter_mut().zip(rounds) {
            let outcome = machine.finish(round);
            values.push(outcome.value);
            updated |= outcome.updated;
        }
        let answer = Answer::Class(largest(&values));
        let mistake = answer != truth;
        self.tally.examples += 1;
        self.tally.mistakes += u64::from(mistake);
        self.tally.updates += u64::from(updated);
        self.tally.loss += weight * f64::from(u8::from(mistake));
        if updated {
            self.tally.weight += weight;
            self.tally.squared_weight += weight * weight;
        }
        self.tally.squared_radius =
            self.machines.iter().map(|machine| machine.tally().squared_radius).fold(0.0, f64::max);
        Ok(answer)
    }

    /// Goes over a set of examples until nothing changes, or a limit is met; see [`Online::fit`]. Of more than two classes each machine
    /// goes over it by itself, and the tally counts what all of them do.
    ///
    /// ```
    /// use mercer::machine::online::{Answer, Online, PassLimits, Remembered, Rule, Several};
    /// let kernel = |x: &f64, z: &f64| (-(x - z) * (x - z)).exp();
    /// let classes = ["low", "high"].map(String::from).to_vec();
    /// let mut learner = Several::of_classes(classes, || Online::params(Remembered::new(kernel), Rule::Perceptron).check())?;
    /// let truths = [0, 0, 1, 1].map(Answer::Class);
    /// let found = learner.fit(&[&0.0, &1.0, &2.0, &3.0], &truths, &PassLimits::default())?;
    /// assert!(found[0].settled);
    /// assert_eq!(learner.predict(&2.1)?, Answer::Class(1));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Online::fit`] and [`Several::learn`].
    pub fn fit(
        &mut self,
        items: &[M::Item<'_>],
        truths: &[Answer],
        limits: &PassLimits,
    ) -> Result<Vec<Passes>> {
        self.fit_weighted(items, truths, None, limits)
    }

    /// The same with a weight for each example; see [`Online::fit_weighted`].
    ///
    /// # Errors
    /// As [`Online::fit_weighted`] and [`Several::learn`].
    pub fn fit_weighted(
        &mut self,
        items: &[M::Item<'_>],
        truths: &[Answer],
        weights: Option<&[f64]>,
        limits: &PassLimits,
    ) -> Result<Vec<Passes>> {
        let targets = truths.iter().map(|&truth| self.target(truth)).collect::<Result<Vec<f64>>>()?;
        if let [machine] = &mut self.machines[..] {
            let signs = |target: &f64| if self.classes.is_empty() { *target } else { 2.0 * target - 1.0 };
            let found = machine.fit_weighted(
                items,
                &targets.iter().map(signs).collect::<Vec<_>>(),
                weights,
                limits,
            )?;
            self.tally = machine.tally();
            return Ok(vec![found]);
        }
        let mut found = Vec::with_capacity(self.machines.len());
        self.tally = Tally::default();
        for (class, machine) in self.machines.iter_mut().enumerate() {
            let sign = |target: &f64| if *target == class as f64 { 1.0 } else { -1.0 };
            let signs: Vec<f64> = targets.iter().map(sign).collect();
            found.push(machine.fit_weighted(items, &signs, weights, limits)?);
            self.tally.join(&machine.tally());
        }
        Ok(found)
    }

    /// The values of the functions (of their means, where those are kept): one, or one for each of more than two classes.
    ///
    /// # Errors
    /// As [`Several::predict`].
    pub fn values(&self, item: M::Item<'_>) -> Result<Vec<f64>> {
        let value = |machine: &Online<M>| match machine.function().state().averaging {
            true => machine.function().averaged_value(item),
            false => machine.function().value(item),
        };
        self.machines.iter().map(value).collect()
    }

    /// A truth as a number: the place of a class, or the number itself.
    fn target(&self, truth: Answer) -> Result<f64> {
        match truth {
            Answer::Class(class) if class < self.classes.len() => Ok(class as f64),
            Answer::Number(number) if self.classes.is_empty() => Ok(number),
            Answer::Class(class) => Err(of_other_kind(class as f64)),
            Answer::Number(number) => Err(of_other_kind(number)),
        }
    }

    /// The answer where the functions have these values.
    pub fn decide(&self, values: &[f64]) -> Answer {
        match (&self.machines[..], values) {
            ([machine], [value]) => self.answer(machine.rule().prediction(*value)),
            _ => Answer::Class(largest(values)),
        }
    }

    fn answer(&self, prediction: f64) -> Answer {
        match self.classes.is_empty() {
            true => Answer::Number(prediction),
            false => Answer::Class(usize::from(prediction > 0.0)),
        }
    }
}

impl Several<RowMemory> {
    /// How many bytes the rows of all machines may take, each machine its part; a row for which this is not enough is refused
    /// ([`Error::Budget`]) and not learned.
    pub fn limit_memory(&mut self, bytes: u64) {
        let each = bytes / self.machines.len() as u64;
        self.machines.iter_mut().for_each(|machine| machine.function.memory_mut().set_limit(each));
    }
}

fn needed(classes: &[String]) -> usize {
    if classes.len() <= 2 { 1 } else { classes.len() }
}

/// The first of the largest.
fn largest(values: &[f64]) -> usize {
    (0..values.len()).rev().max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0)
}

fn of_other_kind(value: f64) -> Error {
    Error::Entry { what: "target", index: 0, value, expected: "one of the kind that the machine learns" }
}
