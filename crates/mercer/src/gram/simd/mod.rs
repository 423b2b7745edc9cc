//! Vector instructions.

use crate::data::Real;
use crate::resources::InstructionSet;

/// f += w · values, element by element, rounded as [`Gram::accumulate`](crate::gram::Gram::accumulate) does
/// on this level.
pub fn axpy<T: Real>(level: InstructionSet, weight: f64, values: &[T], f: &mut [f64]) {
    assert_eq!(values.len(), f.len());
    for (f, v) in f.iter_mut().zip(values) {
        *f = match level {
            InstructionSet::Scalar => weight * v.to_f64() + *f,
            _ => weight.mul_add(v.to_f64(), *f),
        };
    }
}
