//! What is to be learned: class labels and real targets.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::error::{Error, Result};

/// Class labels of any spelling, numbered in a fixed order.
///
/// `classes` are sorted: numerically if all are numbers, otherwise as text. `codes[i]` is the position of
/// row `i`'s class among them.
///
/// ```
/// use mercer::data::Labels;
/// let labels = Labels::from_text(["10", "9", "10"]);
/// assert_eq!(labels.classes(), ["9", "10"]);
/// assert_eq!(labels.codes(), [1, 0, 1]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Labels {
    classes: Vec<String>,
    codes: Vec<u32>,
}

impl Labels {
    /// Numbers the classes of labels given as text.
    pub fn from_text<S: AsRef<str>>(labels: impl IntoIterator<Item = S>) -> Self {
        let mut interner = Interner::default();
        labels.into_iter().for_each(|label| interner.push(label.as_ref()));
        interner.finish()
    }

    /// Numbers the classes of numeric labels; `1.0` is spelled `1`.
    ///
    /// ```
    /// use mercer::data::Labels;
    /// let labels = Labels::from_numbers(&[1.0, -1.0, 1.0])?;
    /// assert_eq!((labels.classes(), labels.counts()), (&["-1".into(), "1".into()][..], vec![1, 2]));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Entry`] for a label that is not finite.
    pub fn from_numbers(labels: &[f64]) -> Result<Self> {
        if let Some(index) = labels.iter().position(|v| !v.is_finite()) {
            return Err(Error::Entry {
                what: "label",
                index,
                value: labels[index],
                expected: "a finite number",
            });
        }
        // -0 and 0 are one class.
        Ok(Self::from_text(labels.iter().map(|v| (v + 0.0).to_string())))
    }

    /// Takes codes into a given list of classes, which may name classes that no row has.
    ///
    /// ```
    /// use mercer::data::Labels;
    /// let labels = Labels::from_codes(vec!["no".into(), "yes".into()], vec![1, 1])?;
    /// assert_eq!(labels.text(0), "yes");
    /// assert!(Labels::from_codes(vec!["no".into()], vec![1]).is_err());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Entry`] for a code without a class.
    pub fn from_codes(classes: Vec<String>, codes: Vec<u32>) -> Result<Self> {
        if let Some(index) = codes.iter().position(|&c| c as usize >= classes.len()) {
            return Err(Error::Entry {
                what: "label",
                index,
                value: f64::from(codes[index]),
                expected: "the number of a class",
            });
        }
        Ok(Labels { classes, codes })
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The classes in order.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// For each row the position of its class.
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// The label of row `i` as text.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn text(&self, i: usize) -> &str {
        &self.classes[self.codes[i] as usize]
    }

    /// Number of rows of each class.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.classes.len()];
        for &c in &self.codes {
            counts[c as usize] += 1;
        }
        counts
    }

    /// The labels at these positions; the list of classes stays as it is. Panics if there is no such position.
    ///
    /// ```
    /// use mercer::data::Labels;
    /// let labels = Labels::from_text(["a", "b", "a"]).select(&[1]);
    /// assert_eq!((labels.text(0), labels.classes().len()), ("b", 2));
    /// ```
    pub fn select(&self, positions: &[usize]) -> Labels {
        Labels { classes: self.classes.clone(), codes: positions.iter().map(|&i| self.codes[i]).collect() }
    }
}

/// Numbers labels as they come, each distinct one kept once.
#[derive(Default)]
pub(crate) struct Interner {
    classes: Vec<String>,
    codes: Vec<u32>,
    seen: HashMap<String, u32>,
}

impl Interner {
    /// Takes the label of the next row.
    pub(crate) fn push(&mut self, label: &str) {
        let code = match self.seen.get(label) {
            Some(&code) => code,
            None => {
                let code = self.classes.len() as u32;
                self.seen.insert(label.to_string(), code);
                self.classes.push(label.to_string());
                code
            }
        };
        self.codes.push(code);
    }

    /// The labels with their classes in the fixed order.
    pub(crate) fn finish(self) -> Labels {
        let Interner { classes, codes, .. } = self;
        let order = order_of_names(&classes);
        let mut rank = vec![0u32; order.len()];
        for (position, &class) in order.iter().enumerate() {
            rank[class] = position as u32;
        }
        Labels {
            classes: order.iter().map(|&c| classes[c].clone()).collect(),
            codes: codes.into_iter().map(|c| rank[c as usize]).collect(),
        }
    }
}

/// The order in which names are listed: numerically if all are numbers, otherwise as text.
pub(crate) fn order_of_names(names: &[String]) -> Vec<usize> {
    let numbers: Option<Vec<f64>> =
        names.iter().map(|name| name.parse::<f64>().ok().filter(|value| value.is_finite())).collect();
    let mut order: Vec<usize> = (0..names.len()).collect();
    match numbers {
        Some(numbers) => {
            order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]).then(names[a].cmp(&names[b])))
        }
        None => order.sort_by(|&a, &b| names[a].cmp(&names[b])),
    }
    order
}

/// The target column of a file: words, numbers, or nothing.
///
/// ```
/// use mercer::data::{Labels, Targets};
/// let targets = Targets::Numbers(vec![1.0, -1.0, 1.0]);
/// assert_eq!(targets.labels()?.classes(), ["-1", "1"]);
/// assert_eq!(Targets::Words(Labels::from_text(["b", "a"])).rows(), Some(2));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Targets {
    /// Every label is a number (it may still name a class).
    Numbers(Vec<f64>),
    /// At least one label is a word: each distinct one is kept once.
    Words(Labels),
    /// The file has no targets.
    Missing,
}

impl Targets {
    /// Number of rows, where there are targets.
    pub fn rows(&self) -> Option<usize> {
        match self {
            Targets::Numbers(numbers) => Some(numbers.len()),
            Targets::Words(labels) => Some(labels.len()),
            Targets::Missing => None,
        }
    }

    /// Reads the targets as numbers.
    ///
    /// ```
    /// use mercer::data::{Labels, Targets};
    /// assert_eq!(Targets::Numbers(vec![1.5, 2.0]).numbers()?, [1.5, 2.0]);
    /// let error = Targets::Words(Labels::from_text(["1.5", "tall"])).numbers().unwrap_err();
    /// assert_eq!(error.to_string(), "target of row 2: `tall` is not a number");
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] if there are none, [`Error::WordTarget`] with the first that is a word.
    pub fn numbers(&self) -> Result<&[f64]> {
        match self {
            Targets::Numbers(numbers) => Ok(numbers),
            Targets::Words(labels) => {
                let is_word = |&row: &usize| labels.text(row).parse::<f64>().is_err();
                let row = (0..labels.len()).find(is_word).unwrap_or(0);
                Err(Error::WordTarget { row, word: labels.text(row).to_string() })
            }
            Targets::Missing => Err(Error::Empty { what: "targets" }),
        }
    }

    /// Reads the targets as classes.
    ///
    /// # Errors
    /// [`Error::Empty`] if there are none.
    pub fn labels(&self) -> Result<Labels> {
        match self {
            Targets::Numbers(numbers) => Labels::from_numbers(numbers),
            Targets::Words(labels) => Ok(labels.clone()),
            Targets::Missing => Err(Error::Empty { what: "labels" }),
        }
    }
}

/// One target per item, of the kind that a machine learns: classes ([`Labels`]) or numbers.
///
/// ```
/// use mercer::data::{Labels, TargetList};
/// let labels = Labels::from_text(["a", "b", "a"]);
/// assert!(labels.suffice(&[0, 1]) && !labels.suffice(&[0, 2]));
/// assert_eq!(TargetList::select(&vec![0.5, 1.5], &[1]), [1.5]);
/// ```
pub trait TargetList: Clone + Sync {
    /// How many there are.
    fn count(&self) -> usize;

    /// Those at these positions.
    fn select(&self, positions: &[usize]) -> Self;

    /// The classes of which every division of the rows is to have its share.
    fn strata(&self) -> Cow<'_, Labels>;

    /// Whether there is something to learn from these rows alone.
    fn suffice(&self, rows: &[usize]) -> bool;

    /// How unlike two of them are: the square of the difference of numbers; 1 for different classes, else 0.
    fn unlike(&self, one: usize, other: usize) -> f64;
}

impl TargetList for Labels {
    fn count(&self) -> usize {
        self.len()
    }

    fn select(&self, positions: &[usize]) -> Self {
        Labels::select(self, positions)
    }

    fn strata(&self) -> Cow<'_, Labels> {
        Cow::Borrowed(self)
    }

    /// Two classes or more.
    fn suffice(&self, rows: &[usize]) -> bool {
        rows.iter().any(|&row| self.codes[row] != self.codes[rows[0]])
    }

    fn unlike(&self, one: usize, other: usize) -> f64 {
        f64::from(self.codes[one] != self.codes[other])
    }
}

impl TargetList for Vec<f64> {
    fn count(&self) -> usize {
        self.len()
    }

    fn select(&self, positions: &[usize]) -> Self {
        positions.iter().map(|&i| self[i]).collect()
    }

    /// All rows are of one kind.
    fn strata(&self) -> Cow<'_, Labels> {
        Cow::Owned(Labels { classes: vec![String::new()], codes: vec![0; self.len()] })
    }

    /// Two different numbers.
    fn suffice(&self, rows: &[usize]) -> bool {
        rows.iter().any(|&row| self[row] != self[rows[0]])
    }

    fn unlike(&self, one: usize, other: usize) -> f64 {
        (self[one] - self[other]).powi(2)
    }
}

/// Checks weights of rows: as many as rows, finite, not negative, and not all zero.
///
/// ```
/// use mercer::data::check_weights;
/// check_weights(&[1.0, 0.0, 2.5], 3)?;
/// assert!(check_weights(&[1.0, -1.0], 2).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`], [`Error::Entry`] or [`Error::Empty`].
pub fn check_weights(weights: &[f64], rows: usize) -> Result<()> {
    if weights.len() != rows {
        return Err(Error::Shape { what: "weights (one per row)", expected: rows, found: weights.len() });
    }
    if let Some(index) = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
        return Err(Error::Entry {
            what: "weight",
            index,
            value: weights[index],
            expected: "a finite number of at least 0",
        });
    }
    if weights.iter().all(|&w| w == 0.0) {
        return Err(Error::Empty { what: "rows with a weight above 0" });
    }
    Ok(())
}
