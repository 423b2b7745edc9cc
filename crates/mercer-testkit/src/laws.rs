//! Laws that every kernel obeys, as assertions that any test can run.
//!
//! Each takes a kernel and a collection of items and panics with the two items that break the law. `name`
//! stands in front of the message.
//!
//! ```
//! use mercer_testkit::laws;
//! let words = vec!["kernel", "margin", "slack"];
//! let same_length = |x: &&&str, z: &&&str| f64::from(x.len() == z.len());
//! laws::all("same length", &same_length, &words);
//! ```

use mercer::data::Items;
use mercer::kernel::{Kernel, Verdict, check_mercer};

/// Rounding that a law forgives, relative to the size of the values.
const TOLERANCE: f64 = 1e-12;

/// All laws that hold for a positive semi-definite kernel.
pub fn all<'a, I: Items, K: Kernel<I::Item<'a>>>(name: &str, kernel: &K, items: &'a I) {
    finite(name, kernel, items);
    symmetry(name, kernel, items);
    diagonal(name, kernel, items);
    cauchy_schwarz(name, kernel, items);
    positive_semi_definite(name, kernel, items);
}

/// All laws, for a kernel on whatever a `Vec` holds.
pub fn all_on_items<X: Clone + Send + Sync + 'static, K: Kernel<X>>(name: &str, kernel: &K, items: &Vec<X>) {
    all(name, &OnItems(kernel), items);
}

/// A kernel on items of type `X` as one on views of them.
pub struct OnItems<'k, K>(
    /// The kernel.
    pub &'k K,
);

impl<X, K: Kernel<X>> Kernel<&X> for OnItems<'_, K> {
    fn eval(&self, x: &&X, z: &&X) -> f64 {
        self.0.eval(x, z)
    }

    fn eval_diagonal(&self, x: &&X) -> f64 {
        self.0.eval_diagonal(x)
    }
}

/// k(x, z) is a finite number.
pub fn finite<'a, I: Items, K: Kernel<I::Item<'a>>>(name: &str, kernel: &K, items: &'a I) {
    pairs(items, |i, j, x, z| {
        let value = kernel.eval(x, z);
        assert!(value.is_finite(), "{name}: k({i}, {j}) = {value}");
    });
}

/// k(x, z) = k(z, x), to the bit.
pub fn symmetry<'a, I: Items, K: Kernel<I::Item<'a>>>(name: &str, kernel: &K, items: &'a I) {
    pairs(items, |i, j, x, z| {
        let (value, mirrored) = (kernel.eval(x, z), kernel.eval(z, x));
        assert!(
            value.to_bits() == mirrored.to_bits() || value == mirrored,
            "{name}: k({i}, {j}) = {value}, but k({j}, {i}) = {mirrored}"
        );
    });
}

/// The diagonal is k(x, x). Kernels with white noise, whose diagonal has the noise on top, are exempt.
pub fn diagonal<'a, I: Items, K: Kernel<I::Item<'a>>>(name: &str, kernel: &K, items: &'a I) {
    for i in 0..items.len() {
        let x = items.get(i);
        let (diagonal, value) = (kernel.eval_diagonal(&x), kernel.eval(&x, &x));
        assert!(
            close(diagonal, value, value.abs().max(1.0)),
            "{name}: the diagonal at {i} is {diagonal}, but k({i}, {i}) = {value}"
        );
    }
}

/// k(x, z)² ≤ k(x, x) k(z, z): what every inner product obeys.
pub fn cauchy_schwarz<'a, I: Items, K: Kernel<I::Item<'a>>>(name: &str, kernel: &K, items: &'a I) {
    pairs(items, |i, j, x, z| {
        let bound = kernel.eval_diagonal(x).sqrt() * kernel.eval_diagonal(z).sqrt();
        let value = kernel.eval(x, z);
        assert!(
            value.abs() <= bound + 1e-9 * bound.max(1e-6),
            "{name}: |k({i}, {j})| = {} is above √(k({i}, {i}) k({j}, {j})) = {bound}",
            value.abs()
        );
    });
}

/// The Gram matrix of the items has no eigenvalue below 0.
pub fn positive_semi_definite<'a, I: Items, K: Kernel<I::Item<'a>>>(name: &str, kernel: &K, items: &'a I) {
    let report = check_mercer(kernel, items, usize::MAX, 0).expect("values are finite");
    assert_eq!(report.verdict, Verdict::PositiveSemiDefinite, "{name}: {report}");
}

/// What is computed in bulk is what is computed one by one: `bulk(rows, columns)` returns the block of values
/// of these items, row after row, and every value must be within `tolerance` of k(x, z), relative to
/// max(|k(x, z)|, √(k(x, x) k(z, z))). Items with the same position count as different observations.
pub fn bulk_equals_single<'a, I: Items, K: Kernel<I::Item<'a>>>(
    name: &str,
    kernel: &K,
    items: &'a I,
    tolerance: f64,
    bulk: impl FnOnce(&[usize], &[usize]) -> Vec<f64>,
) {
    // Backwards, so that a block that ignores its positions is found out.
    let rows: Vec<usize> = (0..items.len()).rev().collect();
    let columns: Vec<usize> = (0..items.len()).step_by(2).collect();
    let block = bulk(&rows, &columns);
    assert_eq!(block.len(), rows.len() * columns.len(), "{name}: size of the block");
    for (r, &i) in rows.iter().enumerate() {
        for (c, &j) in columns.iter().enumerate() {
            let (x, z) = (items.get(i), items.get(j));
            let (single, found) = (kernel.eval(&x, &z), block[r * columns.len() + c]);
            let size = (kernel.eval_diagonal(&x) * kernel.eval_diagonal(&z)).abs().sqrt().max(single.abs());
            assert!(
                (single - found).abs() <= tolerance * size.max(f64::MIN_POSITIVE),
                "{name}: k({i}, {j}) is {single} alone and {found} in bulk"
            );
        }
    }
}

fn close(a: f64, b: f64, size: f64) -> bool {
    a == b || (a - b).abs() <= TOLERANCE * size
}

fn pairs<'a, I: Items>(items: &'a I, mut law: impl FnMut(usize, usize, &I::Item<'a>, &I::Item<'a>)) {
    let views: Vec<I::Item<'a>> = (0..items.len()).map(|i| items.get(i)).collect();
    for i in 0..views.len() {
        for j in 0..views.len() {
            law(i, j, &views[i], &views[j]);
        }
    }
}
