//! Which classes were taken for which.

use serde::Serialize;

use crate::data::Labels;
use crate::error::{Error, Result};

/// How often rows of each class were predicted to be of each class.
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
pub struct Confusion {
    classes: Vec<String>,
    /// `counts[truth · k + predicted]`
    counts: Vec<usize>,
}

impl Confusion {
    /// An empty table of these classes.
    pub fn empty(classes: Vec<String>) -> Self {
        let counts = vec![0; classes.len() * classes.len()];
        Confusion { classes, counts }
    }

    /// Counts predictions by name; a name that no row has gets a class of its own.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one prediction for each row.
    pub fn new<'a>(truth: &Labels, predicted: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        let predicted: Vec<&str> = predicted.into_iter().collect();
        if predicted.len() != truth.len() {
            return Err(Error::Shape { what: "predictions", expected: truth.len(), found: predicted.len() });
        }
        let mut classes = truth.classes().to_vec();
        for name in &predicted {
            if !classes.iter().any(|class| class == name) {
                classes.push((*name).to_string());
            }
        }
        let mut table = Confusion::empty(classes);
        for (row, name) in predicted.into_iter().enumerate() {
            table.add(truth.codes()[row] as usize, table.position(name));
        }
        Ok(table)
    }

    /// Counts one more row.
    pub fn add(&mut self, truth: usize, predicted: usize) {
        let k = self.classes.len();
        self.counts[truth * k + predicted] += 1;
    }

    /// Adds the counts of another table of the same classes; panics if it has another number of them.
    pub fn merge(&mut self, other: &Confusion) {
        assert_eq!(self.counts.len(), other.counts.len(), "tables of the same classes");
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
    }

    fn position(&self, name: &str) -> usize {
        self.classes.iter().position(|class| class == name).unwrap_or_default()
    }

    /// The classes.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// Rows of class `truth` that were predicted to be of class `predicted`.
    pub fn count(&self, truth: usize, predicted: usize) -> usize {
        self.counts[truth * self.classes.len() + predicted]
    }

    /// Rows of this class.
    pub fn rows_of(&self, class: usize) -> usize {
        (0..self.classes.len()).map(|predicted| self.count(class, predicted)).sum()
    }

    /// Rows predicted to be of this class.
    pub fn predicted_as(&self, class: usize) -> usize {
        (0..self.classes.len()).map(|truth| self.count(truth, class)).sum()
    }

    /// All rows.
    pub fn rows(&self) -> usize {
        self.counts.iter().sum()
    }

    /// Rows predicted as they are.
    pub fn right(&self) -> usize {
        (0..self.classes.len()).map(|class| self.count(class, class)).sum()
    }

    /// The share of rows predicted as they are; NaN without rows.
    pub fn accuracy(&self) -> f64 {
        self.right() as f64 / self.rows() as f64
    }

    /// Of the rows of a class, the share found; `None` if there are none.
    pub fn recall(&self, class: usize) -> Option<f64> {
        share(self.count(class, class), self.rows_of(class))
    }

    /// Of the rows predicted to be of a class, the share that is; `None` if there are none.
    pub fn precision(&self, class: usize) -> Option<f64> {
        share(self.count(class, class), self.predicted_as(class))
    }

    /// F₁ = 2·precision·recall/(precision + recall) = 2·right/(rows of the class + rows predicted to be); `None` if
    /// the class neither occurs nor is predicted.
    pub fn f1(&self, class: usize) -> Option<f64> {
        share(2 * self.count(class, class), self.rows_of(class) + self.predicted_as(class))
    }

    /// The mean of F₁ over the classes that occur or are predicted.
    pub fn macro_f1(&self) -> f64 {
        mean((0..self.classes.len()).filter_map(|class| self.f1(class)))
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
        let (n, right) = (self.rows() as f64, self.right() as f64);
        let classes = 0..self.classes.len();
        let (mut both, mut truth, mut predicted) = (0.0, 0.0, 0.0);
        for class in classes {
            let (t, p) = (self.rows_of(class) as f64, self.predicted_as(class) as f64);
            both += t * p;
            truth += t * t;
            predicted += p * p;
        }
        let spread = ((n * n - predicted) * (n * n - truth)).sqrt();
        if spread > 0.0 { (right * n - both) / spread } else { 0.0 }
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0usize), |(sum, count), number| (sum + number, count + 1));
    sum / count as f64
}
