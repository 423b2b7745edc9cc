//! A column of categories.

use serde::{Deserialize, Serialize};

use crate::data::{Cell, CellKind, Record, RecordSchema};
use crate::error::Result;
use crate::kernel::record::algebra::record_operators;
use crate::kernel::{DigestKernel, kernel_by_digests};

/// Records compared by a column of categories: the same or not.
///
/// k(x, z) = 1 if x_c = z_c, otherwise 0. A category that training has not seen is like itself only. O(1) per pair.
///
/// ```
/// use mercer::data::{Cell, CellKind, RecordSchema};
/// use mercer::kernel::{Kernel, record::Category};
/// let schema = RecordSchema::new([("job", CellKind::Category)])?;
/// let kernel = Category::new(&schema, "job")?;
/// let record = |job: &str| schema.record(vec![Cell::Category(job.into())]);
/// assert_eq!(kernel.eval(&record("baker")?, &record("baker")?), 1.0);
/// assert_eq!(kernel.eval(&record("baker")?, &record("smith")?), 0.0);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Category {
    name: String,
    position: usize,
}

impl Category {
    /// The column of this name.
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) if there is no such column of categories.
    pub fn new(schema: &RecordSchema, name: &str) -> Result<Self> {
        Ok(Category { name: name.into(), position: schema.position(name, CellKind::Category)? })
    }

    /// The name of the column.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl DigestKernel<Record> for Category {
    /// The category.
    type Digest = String;

    fn digest(&self, record: &Record) -> Result<String> {
        let word = super::cell(record, (&self.name, self.position), CellKind::Category, |cell| match cell {
            Cell::Category(word) => Some(word),
            _ => None,
        });
        word.cloned()
    }

    fn compare(&self, x: &String, z: &String) -> f64 {
        f64::from(x == z)
    }
}

kernel_by_digests!(Category, Record);
record_operators!(Category);
