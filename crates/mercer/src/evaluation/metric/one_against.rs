//! Rankings of many classes, as averages of rankings of two.

use super::ranking::area_under_roc;
use crate::machine::one_against_one::pairs;

/// Scores of rows, one per class, the rows' classes and what they weigh.
pub(super) struct Ranked<'a> {
    /// `scores[row · k + class]`
    pub scores: &'a [f64],
    pub truth: &'a [usize],
    pub classes: usize,
    pub weights: Option<&'a [f64]>,
}

/// An area under some curve, from scores, who is of the class, and weights.
type Area = fn(&[f64], &[bool], Option<&[f64]>) -> Option<f64>;

impl Ranked<'_> {
    /// A class that no row is of; where there is one, the averages are `None`.
    pub fn without_rows(&self) -> Option<usize> {
        (0..self.classes).find(|&class| self.weight(|truth| truth == class) == 0.0)
    }

    /// The mean over the classes of an area with that class against all others; `weighted`: each as often as it occurs.
    /// O(k n log n).
    pub fn one_against_rest(&self, area: Area, weighted: bool) -> Option<f64> {
        let (mut sum, mut all) = (0.0, 0.0);
        for class in 0..self.classes {
            let positive: Vec<bool> = self.truth.iter().map(|&truth| truth == class).collect();
            let of_class = area(&self.column(class, |_| true), &positive, self.weights)?;
            let share = if weighted { self.weight(|truth| truth == class) } else { 1.0 };
            sum += share * of_class;
            all += share;
        }
        Some(sum / all)
    }

    /// The mean over the pairs of classes of the area under the ROC curve among the rows of the pair, for either of them
    /// by its own scores (Hand & Till 2001); `weighted`: each as often as rows of the pair occur. O(k n log n + k² n).
    pub fn one_against_one(&self, weighted: bool) -> Option<f64> {
        let (mut sum, mut all) = (0.0, 0.0);
        for (a, b) in pairs(self.classes) {
            let of_pair = |truth: usize| truth == a || truth == b;
            let kept = |row: &usize| of_pair(self.truth[*row]);
            let rows: Vec<usize> = (0..self.truth.len()).filter(kept).collect();
            let weights: Option<Vec<f64>> =
                self.weights.map(|weights| rows.iter().map(|&row| weights[row]).collect());
            let area = |class: usize| {
                let positive: Vec<bool> = rows.iter().map(|&row| self.truth[row] == class).collect();
                area_under_roc(&self.column(class, of_pair), &positive, weights.as_deref())
            };
            let share = if weighted { self.weight(of_pair) } else { 1.0 };
            sum += share * 0.5 * (area(a)? + area(b)?);
            all += share;
        }
        Some(sum / all)
    }

    /// The scores of one class, for rows of some classes.
    fn column(&self, class: usize, kept: impl Fn(usize) -> bool) -> Vec<f64> {
        let rows = self.scores.chunks_exact(self.classes).zip(self.truth);
        rows.filter(|(_, truth)| kept(**truth)).map(|(of_row, _)| of_row[class]).collect()
    }

    /// What the rows of some classes weigh.
    fn weight(&self, kept: impl Fn(usize) -> bool) -> f64 {
        let weight = |row: usize| self.weights.map_or(1.0, |weights| weights[row]);
        (0..self.truth.len()).filter(|&row| kept(self.truth[row])).map(weight).sum()
    }
}
