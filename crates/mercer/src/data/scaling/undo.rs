//! The way back from scaled rows.

use super::{Scaling, ScalingKind};
use crate::data::{Dense, Items, Vectors};
use crate::error::{Error, Result};

impl Scaling {
    /// Rows as they were before they were scaled: column `j` becomes `centre[j] + width[j]·(z − low)/(high − low)`. The rows are dense.
    ///
    /// ```
    /// use mercer::data::{Scaling, ScalingKind, Vectors};
    /// let rows = Vectors::from_rows(&[[1.0, 5.0], [3.0, 9.0]])?;
    /// for kind in [ScalingKind::Standardise, ScalingKind::MinMax { low: -1.0, high: 1.0 }, ScalingKind::MaxAbs] {
    ///     let scaling = Scaling::fit(kind, &rows)?;
    ///     assert_eq!(scaling.undo(&scaling.apply(&rows)?)?, rows);
    /// }
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] for another number of columns than learned, [`Error::Unsupported`] for unit norm, which forgets the lengths of rows.
    pub fn undo(&self, rows: &Vectors<'_>) -> Result<Vectors<'static>> {
        if rows.columns() != self.columns {
            let what = "columns (as the scaling was learned from)";
            return Err(Error::Shape { what, expected: self.columns, found: rows.columns() });
        }
        let (low, high) = match self.kind {
            ScalingKind::UnitNorm => {
                let what = "rows that were scaled to unit norm have lost their lengths".into();
                return Err(Error::Unsupported { what });
            }
            ScalingKind::MinMax { low, high } => (low, high),
            _ => (0.0, 1.0),
        };
        let centre = |column: usize| if self.centre.is_empty() { 0.0 } else { self.centre[column] };
        let before = |(column, value): (usize, f64)| {
            centre(column) + self.width_of(column) * ((value - low) / (high - low))
        };
        let row = |i: usize| rows.get(i).to_dense(self.columns).into_iter().enumerate().map(before);
        let values: Vec<f64> = (0..rows.len()).flat_map(row).collect();
        Ok(Dense::new(values, rows.len(), self.columns)?.into())
    }
}
