//! A column of numbers.

use serde::{Deserialize, Serialize};

use crate::data::{Cell, CellKind, Record, RecordSchema, Row, Vectors};
use crate::error::Result;
use crate::kernel::record::algebra::record_operators;
use crate::kernel::{Definiteness, DigestKernel, Expression, Kernel, kernel_by_digests};

/// Records compared by a column of numbers.
///
/// k(x, z) = k₁(x_c, z_c), where k₁ sees rows of one column. What waits for data in it (`gamma=scale`) is learned from the
/// column. Costs what k₁ costs.
///
/// ```
/// use mercer::data::{Cell, CellKind, RecordSchema};
/// use mercer::kernel::{Kernel, record::Number, vector::Linear};
/// let schema = RecordSchema::new([("age", CellKind::Number)])?;
/// let kernel = Number::new(&schema, "age", Linear)?;
/// let record = |age| schema.record(vec![Cell::Number(age)]);
/// assert_eq!(kernel.eval(&record(3.0)?, &record(7.0)?), 21.0);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Number {
    name: String,
    position: usize,
    kernel: Expression,
}

impl Number {
    /// The column of this name, compared by this kernel.
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) if there is no such column of numbers.
    pub fn new(schema: &RecordSchema, name: &str, kernel: impl Into<Expression>) -> Result<Self> {
        let position = schema.position(name, CellKind::Number)?;
        Ok(Number { name: name.into(), position, kernel: kernel.into() })
    }

    /// The name of the column.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The kernel on its numbers.
    pub fn kernel(&self) -> &Expression {
        &self.kernel
    }

    fn value(&self, record: &Record) -> Result<f64> {
        super::cell(record, (&self.name, self.position), CellKind::Number, |cell| match cell {
            Cell::Number(value) => Some(value),
            _ => None,
        })
        .copied()
    }
}

impl DigestKernel<Record> for Number {
    /// The number.
    type Digest = f64;

    fn digest(&self, record: &Record) -> Result<f64> {
        let value = self.value(record)?;
        self.kernel.check(&Vectors::from_rows(&[[value]])?)?;
        Ok(value)
    }

    fn compare(&self, x: &f64, z: &f64) -> f64 {
        self.kernel.eval(&Row::Dense64(&[*x]), &Row::Dense64(&[*z]))
    }

    fn compare_self(&self, x: &f64) -> f64 {
        self.kernel.eval_diagonal(&Row::Dense64(&[*x]))
    }

    fn learn(&self, records: &[&Record], weights: Option<&[f64]>) -> Result<Self> {
        let rows: Vec<[f64; 1]> =
            records.iter().map(|record| self.value(record).map(|value| [value])).collect::<Result<_>>()?;
        let kernel = self.kernel.resolve_weighted(&Vectors::from_rows(&rows)?, weights)?;
        Ok(Number { kernel, ..self.clone() })
    }

    fn definiteness(&self) -> Definiteness {
        self.kernel.definiteness()
    }
}

kernel_by_digests!(Number, Record);
record_operators!(Number);
