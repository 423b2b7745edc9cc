//! A number in the middle of others, which is one of them.

/// The lower median; `None` of no numbers. O(n)
pub(super) fn median(mut values: Vec<f64>) -> Option<f64> {
    let middle = values.len().checked_sub(1)? / 2;
    Some(*values.select_nth_unstable_by(middle, f64::total_cmp).1)
}
