//! Kernels on records with mixed columns: a kernel for each column that matters, joined by `+` and `*`.
//!
//! A sum finds records alike if some of their columns are, a product if all are. Sums, products and multiples by factors above 0
//! keep positive semi-definiteness.
//!
//! ```
//! use mercer::data::{Cell, CellKind, RecordSchema};
//! use mercer::kernel::Kernel;
//! use mercer::kernel::record::{Category, Number};
//! use mercer::kernel::vector::Gaussian;
//! let schema = RecordSchema::new([("age", CellKind::Number), ("job", CellKind::Category)])?;
//! let (age, job) = (Number::new(&schema, "age", Gaussian::gamma(0.01)?)?, Category::new(&schema, "job")?);
//! let kernel = age.clone() * job.clone() + job;
//! let record = |age: f64, job: &str| schema.record(vec![Cell::Number(age), Cell::Category(job.into())]);
//! assert_eq!(kernel.eval(&record(30.0, "baker")?, &record(30.0, "baker")?), 2.0);
//! assert_eq!(kernel.eval(&record(30.0, "baker")?, &record(30.0, "smith")?), 0.0);
//! # Ok::<(), mercer::Error>(())
//! ```

mod algebra;
mod category;
mod number;
mod text;

pub use algebra::{Multiple, Plus, Times};
pub use category::Category;
pub use number::Number;
pub use text::Text;

use crate::data::{Cell, CellKind, Record};
use crate::error::{Error, Result};

/// The value at a position of a record, if it is of the kind that is expected.
fn cell<'r, T: ?Sized>(
    record: &'r Record,
    (name, position): (&str, usize),
    kind: CellKind,
    get: impl Fn(&'r Cell) -> Option<&'r T>,
) -> Result<&'r T> {
    let found = record.cells().get(position);
    found.and_then(get).ok_or_else(|| Error::Unsupported {
        what: match found {
            Some(other) => format!("column `{name}` holds {kind}, but the record has {} there", other.kind()),
            None => format!("the record ends before column `{name}`"),
        },
    })
}
