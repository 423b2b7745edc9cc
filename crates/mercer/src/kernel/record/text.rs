//! A column of text.

use serde::{Deserialize, Serialize};

use crate::data::{Cell, CellKind, Record, RecordSchema};
use crate::error::Result;
use crate::kernel::record::algebra::record_operators;
use crate::kernel::{DigestKernel, FeatureMap, Kernel, gathered, gathered_product};

/// Records compared by a column of text, by any kernel on text that has features.
///
/// k(x, z) = k₁(x_c, z_c). What k₁ learns from training items (weights of words) it learns from the column. O(features of both)
/// per pair.
///
/// ```
/// use mercer::Result;
/// use mercer::data::{Cell, CellKind, RecordSchema};
/// use mercer::kernel::{FeatureMap, Kernel, record::Text};
/// #[derive(Clone)]
/// struct Words;
/// impl FeatureMap<str> for Words {
///     type Feature = String;
///     fn features(&self, text: &str) -> Result<Vec<(String, f64)>> {
///         Ok(text.split_whitespace().map(|word| (word.to_string(), 1.0)).collect())
///     }
/// }
/// let schema = RecordSchema::new([("remark", CellKind::Text)])?;
/// let kernel = Text::new(&schema, "remark", Words)?;
/// let record = |text: &str| schema.record(vec![Cell::Text(text.into())]);
/// assert_eq!(kernel.eval(&record("to be or not to be")?, &record("to be")?), 4.0);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Text<K> {
    name: String,
    position: usize,
    kernel: K,
}

impl<K> Text<K> {
    /// The column of this name, compared by this kernel.
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) if there is no such column of text.
    pub fn new(schema: &RecordSchema, name: &str, kernel: K) -> Result<Self> {
        Ok(Text { name: name.into(), position: schema.position(name, CellKind::Text)?, kernel })
    }

    /// The name of the column.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The kernel on its text.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }

    fn text<'r>(&self, record: &'r Record) -> Result<&'r str> {
        super::cell(record, (&self.name, self.position), CellKind::Text, |cell| match cell {
            Cell::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }
}

impl<K: FeatureMap<str>> DigestKernel<Record> for Text<K> {
    /// The features, ascending, each of them once.
    type Digest = Vec<(K::Feature, f64)>;

    fn digest(&self, record: &Record) -> Result<Self::Digest> {
        Ok(gathered(self.kernel.features(self.text(record)?)?))
    }

    fn compare(&self, x: &Self::Digest, z: &Self::Digest) -> f64 {
        gathered_product(x, z)
    }

    fn learn(&self, records: &[&Record], weights: Option<&[f64]>) -> Result<Self> {
        let texts: Vec<&str> = records.iter().map(|record| self.text(record)).collect::<Result<_>>()?;
        Ok(Text { kernel: self.kernel.learn(&texts, weights)?, name: self.name.clone(), ..*self })
    }
}

impl<K: FeatureMap<str>> Kernel<Record> for Text<K> {
    fn eval(&self, x: &Record, z: &Record) -> f64 {
        self.try_eval(x, z).unwrap_or(f64::NAN)
    }

    fn try_eval(&self, x: &Record, z: &Record) -> Result<f64> {
        crate::kernel::eval_digests(self, x, z)
    }

    fn try_eval_diagonal(&self, x: &Record) -> Result<f64> {
        self.try_eval(x, x)
    }
}

record_operators!(Text<K>);
