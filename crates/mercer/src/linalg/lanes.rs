//! Inner products that are always summed in the same order.

/// Σ f(x)w, in eight sums side by side, for which processors have instructions; always in the same order.
pub(crate) fn in_lanes<T: Copy>(row: &[T], w: &[f64], f: impl Fn(T) -> f64) -> f64 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    let (row_whole, w_whole) = (row.chunks_exact(LANES), w.chunks_exact(LANES));
    let rest = row_whole.remainder().iter().zip(w_whole.remainder());
    let rest: f64 = rest.map(|(&x, w)| f(x) * w).sum();
    for (x, w) in row_whole.zip(w_whole) {
        for lane in 0..LANES {
            sums[lane] += f(x[lane]) * w[lane];
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (c + g)) + ((b + f) + (d + h)) + rest
}
