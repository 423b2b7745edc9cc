//! Which classes were taken for which.

use std::iter::Sum;
use std::ops::AddAssign;

use serde::Serialize;

use crate::data::{Labels, check_weights};
use crate::error::{Error, Result};
use crate::machine::one_against_one::winner;

/// How often rows of each class were predicted to be of each class; or, with weights, what those rows weigh
/// ([`Confusion::weighted`]).
///
/// ```
/// use mercer::data::Labels;
/// use mercer::evaluation::Confusion;
/// let truth = Labels::from_text(["cat", "cat", "dog", "dog", "dog"]);
/// let table = Confusion::new(&truth, ["cat", "dog", "dog", "dog", "cat"])?;
/// assert_eq!(table.count(0, 1), 1); // one cat was taken for a dog
/// assert_eq!(table.accuracy(), 0.6);
/// assert_eq!(table.recall(1), Some(2.0 / 3.0));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Confusion<C = usize> {
    classes: Vec<String>,
    /// `counts[truth · k + predicted]`
    counts: Vec<C>,
}

/// What is counted: rows, or their weights.
pub trait Count: Copy + Default + AddAssign + Sum {
    /// The number.
    fn number(self) -> f64;
}

impl Count for usize {
    fn number(self) -> f64 {
        self as f64
    }
}

impl Count for f64 {
    fn number(self) -> f64 {
        self
    }
}

/// A share of rows that says how well one class is told from the others.
///
/// ```
/// use mercer::data::Labels;
/// use mercer::evaluation::{Confusion, Rate};
/// let table = Confusion::new(&Labels::from_text(["a", "b", "b"]), ["b", "b", "a"])?;
/// assert_eq!((table.rate(Rate::Precision, 1), table.rate(Rate::Recall, 1)), (Some(0.5), Some(0.5)));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// Of the rows predicted to be of the class, the share that is.
    Precision,
    /// Of the rows of the class, the share found.
    Recall,
    /// 2·precision·recall/(precision + recall) = 2·right/(rows of the class + rows predicted to be).
    F1,
}

impl Confusion {
    /// An empty table of these classes.
    pub fn empty(classes: Vec<String>) -> Self {
        Confusion::of(classes)
    }

    /// Counts predictions by name; a name that no row has gets a class of its own.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one prediction for each row.
    pub fn new<'a>(truth: &Labels, predicted: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        Confusion::of_names(truth, predicted, |_| 1)
    }

    /// Counts one more row.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn add(&mut self, truth: usize, predicted: usize) {
        self.put(truth, predicted, 1);
    }
}

impl Confusion<f64> {
    /// Adds up the weights of rows; for the rest as [`Confusion::new`].
    ///
    /// ```
    /// use mercer::data::Labels;
    /// use mercer::evaluation::Confusion;
    /// let truth = Labels::from_text(["cat", "dog", "dog"]);
    /// let table = Confusion::weighted(&truth, ["cat", "dog", "cat"], &[1.0, 0.5, 2.5])?;
    /// assert_eq!((table.rows(), table.accuracy()), (4.0, 0.375));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one prediction for each row, and those of [`check_weights`].
    pub fn weighted<'a>(
        truth: &Labels,
        predicted: impl IntoIterator<Item = &'a str>,
        weights: &[f64],
    ) -> Result<Self> {
        check_weights(weights, truth.len())?;
        Confusion::of_names(truth, predicted, |row| weights[row])
    }
}

impl<C: Count> Confusion<C> {
    fn of(classes: Vec<String>) -> Self {
        let counts = vec![C::default(); classes.len() * classes.len()];
        Confusion { classes, counts }
    }

    fn of_names<'a>(
        truth: &Labels,
        predicted: impl IntoIterator<Item = &'a str>,
        count: impl Fn(usize) -> C,
    ) -> Result<Self> {
        let predicted: Vec<&str> = predicted.into_iter().collect();
        if predicted.len() != truth.len() {
            return Err(Error::Shape { what: "predictions", expected: truth.len(), found: predicted.len() });
        }
        let (classes, places) = with_names(truth.classes(), predicted);
        let mut table = Confusion::of(classes);
        for (row, (&truth, predicted)) in truth.codes().iter().zip(places).enumerate() {
            table.put(truth as usize, predicted, count(row));
        }
        Ok(table)
    }

    /// Takes the class of the highest score of each row, of which there is one for each of `classes`.
    pub(crate) fn of_scores(
        truth: &Labels,
        classes: &[String],
        scores: &[f64],
        count: impl Fn(usize) -> C,
    ) -> Self {
        Confusion::of_places(truth, classes, scores.chunks_exact(classes.len()).map(winner), count)
    }

    /// Takes the class of each row by its place among `classes`.
    pub(super) fn of_places(
        truth: &Labels,
        classes: &[String],
        predicted: impl Iterator<Item = usize>,
        count: impl Fn(usize) -> C,
    ) -> Self {
        let (all, places) = with_names(truth.classes(), classes.iter().map(String::as_str));
        let mut table = Confusion::of(all);
        for (row, (predicted, &truth)) in predicted.zip(truth.codes()).enumerate() {
            table.put(truth as usize, places[predicted], count(row));
        }
        table
    }

    fn put(&mut self, truth: usize, predicted: usize, count: C) {
        let k = self.classes.len();
        assert!(predicted < k, "class {predicted} of {k}");
        self.counts[truth * k + predicted] += count;
    }

    /// Adds the counts of another table of the same classes.
    ///
    /// # Panics
    /// If it has another number of them.
    pub fn merge(&mut self, other: &Confusion<C>) {
        assert_eq!(self.counts.len(), other.counts.len(), "tables of the same classes");
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += *more);
    }

    /// The classes.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// Rows of class `truth` that were predicted to be of class `predicted`.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn count(&self, truth: usize, predicted: usize) -> C {
        assert!(predicted < self.classes.len(), "class {predicted} of {}", self.classes.len());
        self.counts[truth * self.classes.len() + predicted]
    }

    /// Rows of this class.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn rows_of(&self, class: usize) -> C {
        (0..self.classes.len()).map(|predicted| self.count(class, predicted)).sum()
    }

    /// Rows predicted to be of this class.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn predicted_as(&self, class: usize) -> C {
        (0..self.classes.len()).map(|truth| self.count(truth, class)).sum()
    }

    /// All rows.
    pub fn rows(&self) -> C {
        self.counts.iter().copied().sum()
    }

    /// Rows predicted as they are.
    pub fn right(&self) -> C {
        (0..self.classes.len()).map(|class| self.count(class, class)).sum()
    }

    /// The share of rows predicted as they are; NaN without rows.
    pub fn accuracy(&self) -> f64 {
        self.right().number() / self.rows().number()
    }

    /// Of the rows of a class, the share found; `None` if there are none.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn recall(&self, class: usize) -> Option<f64> {
        self.rate(Rate::Recall, class)
    }

    /// Of the rows predicted to be of a class, the share that is; `None` if there are none.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn precision(&self, class: usize) -> Option<f64> {
        self.rate(Rate::Precision, class)
    }

    /// F₁ = 2·precision·recall/(precision + recall) = 2·right/(rows of the class + rows predicted to be); `None` if
    /// the class neither occurs nor is predicted.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn f1(&self, class: usize) -> Option<f64> {
        self.rate(Rate::F1, class)
    }

    /// The rate of one class; `None` where it would be 0/0.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn rate(&self, rate: Rate, class: usize) -> Option<f64> {
        let (part, whole) = self.parts(rate, class);
        (whole > 0.0).then(|| part / whole)
    }

    /// What the rate is a quotient of.
    fn parts(&self, rate: Rate, class: usize) -> (f64, f64) {
        let right = self.count(class, class).number();
        let (rows, predicted) = (self.rows_of(class).number(), self.predicted_as(class).number());
        match rate {
            Rate::Precision => (right, predicted),
            Rate::Recall => (right, rows),
            Rate::F1 => (2.0 * right, rows + predicted),
        }
    }

    /// The classes that occur or are predicted.
    fn seen(&self) -> impl Iterator<Item = usize> {
        let is_seen = |class: &usize| self.parts(Rate::F1, *class).1 > 0.0;
        (0..self.classes.len()).filter(is_seen)
    }

    /// The mean of a rate over the classes that occur or are predicted; 0/0 counts as 0. NaN without rows.
    ///
    /// ```
    /// use mercer::data::Labels;
    /// use mercer::evaluation::{Confusion, Rate};
    /// let truth = Labels::from_text(["a", "a", "b", "c"]);
    /// let table = Confusion::new(&truth, ["a", "b", "b", "b"])?;
    /// // Nothing is predicted to be c.
    /// assert_eq!(table.macro_average(Rate::Precision), (1.0 + 1.0 / 3.0 + 0.0) / 3.0);
    /// assert_eq!(table.micro_average(Rate::Precision), 0.5);
    /// assert_eq!(table.weighted_average(Rate::Recall), 0.5);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn macro_average(&self, rate: Rate) -> f64 {
        mean(self.seen().map(|class| self.rate(rate, class).unwrap_or(0.0)))
    }

    /// Σ part / Σ whole of a rate over all classes: for each of the three the accuracy. NaN without rows.
    pub fn micro_average(&self, rate: Rate) -> f64 {
        let add = |sums: (f64, f64), (part, whole): (f64, f64)| (sums.0 + part, sums.1 + whole);
        let (part, whole) = self.seen().map(|class| self.parts(rate, class)).fold((0.0, 0.0), add);
        part / whole
    }

    /// The mean of a rate over the classes, each as often as it occurs; 0/0 counts as 0. NaN without rows.
    pub fn weighted_average(&self, rate: Rate) -> f64 {
        let of_class = |class| self.rows_of(class).number() * self.rate(rate, class).unwrap_or(0.0);
        self.seen().map(of_class).sum::<f64>() / self.rows().number()
    }

    /// The mean of F₁ over the classes that occur or are predicted.
    pub fn macro_f1(&self) -> f64 {
        self.macro_average(Rate::F1)
    }

    /// The mean of the recalls of the classes that occur: what accuracy would be if all were equally frequent.
    pub fn balanced_accuracy(&self) -> f64 {
        mean((0..self.classes.len()).filter_map(|class| self.recall(class)))
    }

    /// Matthews' correlation of truth and prediction, for any number of classes (Gorodkin 2004); 0 if either is
    /// constant.
    ///
    /// ```
    /// use mercer::data::Labels;
    /// use mercer::evaluation::Confusion;
    /// let truth = Labels::from_text(["a", "a", "b", "b"]);
    /// assert_eq!(Confusion::new(&truth, ["a", "a", "b", "b"])?.matthews(), 1.0);
    /// assert_eq!(Confusion::new(&truth, ["a", "a", "a", "a"])?.matthews(), 0.0);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn matthews(&self) -> f64 {
        let (n, right) = (self.rows().number(), self.right().number());
        let (both, truth, predicted) = self.products();
        let spread = ((n * n - predicted) * (n * n - truth)).sqrt();
        if spread > 0.0 { (right * n - both) / spread } else { 0.0 }
    }

    /// Cohen's κ = (o − e)/(1 − e): o is the accuracy, and e what it would be if the predictions had nothing to do with
    /// the truth. `None` if truth and prediction are the same constant.
    ///
    /// ```
    /// use mercer::data::Labels;
    /// use mercer::evaluation::Confusion;
    /// let truth = Labels::from_text(["a", "a", "b", "b"]);
    /// assert_eq!(Confusion::new(&truth, ["a", "a", "b", "a"])?.kappa(), Some(0.5));
    /// assert_eq!(Confusion::new(&truth, ["a", "a", "a", "a"])?.kappa(), Some(0.0));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn kappa(&self) -> Option<f64> {
        let (n, right) = (self.rows().number(), self.right().number());
        let (both, _, _) = self.products();
        let most = n * n - both;
        (most > 0.0).then(|| (right * n - both) / most)
    }

    /// Σ t·p, Σ t² and Σ p², over the classes, of which t rows are and p rows are predicted.
    fn products(&self) -> (f64, f64, f64) {
        let (mut both, mut truth, mut predicted) = (0.0, 0.0, 0.0);
        for class in 0..self.classes.len() {
            let (t, p) = (self.rows_of(class).number(), self.predicted_as(class).number());
            both += t * p;
            truth += t * t;
            predicted += p * p;
        }
        (both, truth, predicted)
    }
}

/// The classes with those names that are not among them behind, and the place of each name.
fn with_names<'a>(classes: &[String], names: impl IntoIterator<Item = &'a str>) -> (Vec<String>, Vec<usize>) {
    let mut all = classes.to_vec();
    let mut place = |name: &str| {
        all.iter().position(|class| class == name).unwrap_or_else(|| {
            all.push(name.to_string());
            all.len() - 1
        })
    };
    let places = names.into_iter().map(&mut place).collect();
    (all, places)
}

fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0usize), |(sum, count), number| (sum + number, count + 1));
    sum / count as f64
}
