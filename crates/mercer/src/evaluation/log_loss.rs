//! How much probabilities are surprised by the truth.

use crate::data::Labels;

/// A probability of 0 that turns out to be true is taken for this.
const LEAST: f64 = 1e-15;

/// The mean of −ln p over the rows, p the probability of the true class; rows of a class that has none count as p = 0.
///
/// `probabilities` has for each row one per class of `classes`. O(n). Lower is better; knowing only how frequent k equal
/// classes are gives ln k.
///
/// ```
/// use mercer::data::Labels;
/// use mercer::evaluation::log_loss;
/// let truth = Labels::from_text(["no", "yes"]);
/// let loss = log_loss(&truth, &["no".into(), "yes".into()], &[0.5, 0.5, 0.25, 0.75]);
/// assert!((loss - (2f64.ln() + (4f64 / 3.0).ln()) / 2.0).abs() < 1e-12);
/// ```
pub fn log_loss(truth: &Labels, classes: &[String], probabilities: &[f64]) -> f64 {
    let place: Vec<Option<usize>> =
        truth.classes().iter().map(|name| classes.iter().position(|class| class == name)).collect();
    let of_row = |(&code, of_row): (&u32, &[f64])| {
        let p = place[code as usize].map_or(0.0, |class| of_row[class]);
        -p.max(LEAST).ln()
    };
    let rows = truth.codes().iter().zip(probabilities.chunks_exact(classes.len().max(1)));
    rows.map(of_row).sum::<f64>() / truth.len() as f64
}
