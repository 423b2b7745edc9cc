//! The one way in which weighted rows are added up.
//!
//! f[c] is a chain of fused multiply–adds in the order of the rows. Values that were kept (a precomputed
//! matrix, a cache) go through [`add_row`]; values that die in registers go through the same chain, so that
//! the sums have the same bits.

use crate::gram::value::gather;
use crate::gram::{Columns, Value};
use crate::resources::InstructionSet;

/// Columns that are gathered at a time: small enough for the stack and the first-level cache.
const GATHERED: usize = 512;

/// f[c] += weight · row[columns[c]] for a whole row of kept values.
pub(crate) fn add_row<T: Value>(
    level: InstructionSet,
    weight: f64,
    row: &[T],
    columns: &Columns<'_>,
    f: &mut [f64],
) {
    match columns {
        Columns::Range(range) => T::add_weighted(level, weight, &row[range.clone()], f),
        Columns::List(_) => {
            let mut gathered = [T::default(); GATHERED];
            for (i, f) in f.chunks_mut(GATHERED).enumerate() {
                let part = columns.slice(i * GATHERED..i * GATHERED + f.len());
                gather(row, &part, &mut gathered[..f.len()], |v| v);
                T::add_weighted(level, weight, &gathered[..f.len()], f);
            }
        }
    }
}
