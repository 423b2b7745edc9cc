//! Kernels: symmetric functions k(x, z) that are inner products in some feature space.

pub mod vector;

/// A pure function k(x, z) that compares two items.
///
/// Correct and slow by default: [`eval`](Kernel::eval) is all that must be written. Kernels on numeric rows
/// that have a [`Form`](vector::Form) are evaluated in blocks.
pub trait Kernel<X: ?Sized>: Send + Sync {
    /// k(x, z)
    fn eval(&self, x: &X, z: &X) -> f64;

    /// k(x, x)
    fn eval_diagonal(&self, x: &X) -> f64 {
        self.eval(x, x)
    }
}

/// A closure is a kernel.
impl<X: ?Sized, F: Fn(&X, &X) -> f64 + Send + Sync> Kernel<X> for F {
    fn eval(&self, x: &X, z: &X) -> f64 {
        self(x, z)
    }
}
