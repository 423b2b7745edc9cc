//! A memory of numeric rows that is fast: sums over columns run along the slots.

use super::memory::{Memory, finite};
use crate::data::{Dense, Row, Sparse, Vectors};
use crate::error::{Error, Result};
use crate::gram::GrowingPanels;
use crate::kernel::vector::Measure;
use crate::kernel::{Expression, Kernel};
use crate::resources::InstructionSet;

/// Rows of more columns are compared one by one: that many columns of mostly zeros would be slower, and take more memory.
const WIDEST: usize = 4096;

/// A memory of numeric rows, dense or sparse.
///
/// A kernel that is a function of a sum over columns, and multiples of one, is computed for all slots at once, in the register tiles of
/// [Gram matrices](crate::gram) and with the instructions that [`InstructionSet::from_environment`] names: the bits of a value depend on these,
/// the kernel and the two rows alone. Any other expression is evaluated pair by pair.
///
/// O(remembered rows · columns) for each new row, and as many numbers of memory; where rows have more than 4096 columns, O(stored values).
/// Dense rows must have one number of columns; sparse ones may bring new columns at any time.
///
/// ```
/// use mercer::data::Row;
/// use mercer::machine::online::{Memory, RowMemory};
/// let mut memory = RowMemory::new("gaussian(gamma=0.5)".parse()?)?;
/// memory.remember(Row::Dense64(&[0.0, 1.0]))?;
/// let mut values = Vec::new();
/// memory.compare(Row::Dense64(&[2.0, 1.0]), &mut values)?;
/// assert!((values[0] - (-2.0f64).exp()).abs() < 1e-15);
/// assert!(memory.compare(Row::Dense64(&[2.0]), &mut values).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RowMemory {
    kernel: Expression,
    /// One for each column that the kernel weighs; none if it weighs all alike.
    scales: Option<usize>,
    /// k(x, x), if it is the same for all rows.
    own: Option<f64>,
    /// Columns of dense rows, once there was one.
    columns: Option<usize>,
    rows: Vec<OwnRow>,
    /// The same rows again, if the kernel has a form and none of them is too wide.
    packed: Option<GrowingPanels>,
    /// Panels without rows, if the kernel has a form.
    empty: Option<GrowingPanels>,
    /// How many rows are too wide.
    wide: usize,
    /// Bytes of the rows, and how many rows and panels may take.
    stored: u64,
    allowed: u64,
}

#[derive(Clone, Debug)]
enum OwnRow {
    Dense(Vec<f64>),
    Sparse(Vec<u32>, Vec<f64>),
}

impl OwnRow {
    fn of(row: Row<'_>) -> Self {
        match row {
            Row::Sparse { indices, values } => OwnRow::Sparse(indices.to_vec(), values.to_vec()),
            dense => OwnRow::Dense(dense.to_dense(dense.columns().unwrap_or(0))),
        }
    }

    fn view(&self) -> Row<'_> {
        match self {
            OwnRow::Dense(values) => Row::Dense64(values),
            OwnRow::Sparse(indices, values) => Row::Sparse { indices, values },
        }
    }

    fn columns(&self) -> usize {
        width(self.view())
    }

    fn is_wide(&self) -> bool {
        self.columns() > WIDEST
    }
}

/// Bytes that a row takes.
fn bytes(row: Row<'_>) -> u64 {
    let numbers = match row {
        Row::Sparse { indices, .. } => indices.len() * 12,
        dense => dense.columns().unwrap_or(0) * 8,
    };
    (numbers + size_of::<OwnRow>()) as u64
}

/// Columns that panels need for a row. Sparse rows bring new columns again and again: room is made for twice as many.
fn room(row: Row<'_>, scales: Option<usize>) -> usize {
    let columns = width(row);
    let room = if row.columns().is_some() { columns } else { columns.next_power_of_two() };
    scales.map_or(room, |scales| room.min(scales))
}

/// The columns of a row; of a sparse one, up to the last that is stored.
fn width(row: Row<'_>) -> usize {
    match row {
        Row::Sparse { indices, .. } => indices.last().map_or(0, |&last| last as usize + 1),
        dense => dense.columns().unwrap_or(0),
    }
}

impl RowMemory {
    /// An empty memory.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a kernel with parameters that training data would have to fill in (a stream has none), and for one with
    /// white noise, which knows training rows only; [`Error::InstructionSet`].
    pub fn new(kernel: Expression) -> Result<Self> {
        if !kernel.is_resolved() {
            let what = format!(
                "{kernel} waits for training data: on-line machines need all numbers said, or resolve it first"
            );
            return Err(Error::Unsupported { what });
        }
        if kernel.has_white_noise() {
            let what = format!("{kernel}: white noise has no meaning for rows that come one by one");
            return Err(Error::Unsupported { what });
        }
        let (mut packed, mut scales, mut own) = (None, None, None);
        if let Some((factor, form)) = kernel.form() {
            scales = form.scales.as_ref().map(Vec::len);
            // A row is at distance 0 from itself.
            let is_distance =
                !matches!(form.measure, Measure::Dot | Measure::Minimum | Measure::ChiSquareSimilarity);
            own = is_distance.then(|| factor * form.epilogue.apply(0.0, 0.0, 0.0));
            packed = Some(GrowingPanels::new(factor, &form, InstructionSet::from_environment()?)?);
        }
        let empty = packed.clone();
        let (columns, rows, wide, stored) = (None, Vec::new(), 0, 0);
        Ok(RowMemory { kernel, scales, own, columns, rows, packed, empty, wide, stored, allowed: u64::MAX })
    }

    /// How many bytes the rows may take; default as many as there are. [`Memory::remember`] refuses a row for which this is not enough.
    pub fn limit(mut self, bytes: u64) -> Self {
        self.set_limit(bytes);
        self
    }

    /// The same for a memory that is in use.
    pub fn set_limit(&mut self, bytes: u64) {
        self.allowed = bytes;
    }

    /// A memory that holds these rows, in their order; as [`RowMemory::rows`] gave them.
    ///
    /// # Errors
    /// As [`RowMemory::new`], and rows that the kernel is not defined on.
    pub fn with_rows(kernel: Expression, rows: &Vectors<'_>, columns: Option<usize>) -> Result<Self> {
        use crate::data::Items;
        let mut memory = RowMemory::new(kernel)?;
        memory.columns = columns;
        for i in 0..rows.len() {
            memory
                .remember(rows.get(i))
                .map_err(|source| Error::Item { index: i, source: Box::new(source) })?;
        }
        Ok(memory)
    }

    /// The kernel.
    pub fn kernel(&self) -> &Expression {
        &self.kernel
    }

    /// The number of columns that dense rows must have, once there was one.
    pub fn columns(&self) -> Option<usize> {
        self.columns
    }

    /// A copy of the remembered rows, slot by slot: sparse if one of them is.
    ///
    /// # Errors
    /// None that a memory which was filled by [`Memory::remember`] could have.
    pub fn rows(&self) -> Result<Vectors<'static>> {
        let widest = self.rows.iter().map(OwnRow::columns).max().unwrap_or(0);
        let columns = self.columns.unwrap_or(0).max(widest);
        if self.rows.iter().all(|row| matches!(row, OwnRow::Dense(_))) {
            let values = self.rows.iter().flat_map(|row| row.view().to_dense(columns)).collect::<Vec<_>>();
            return Ok(Dense::new(values, self.rows.len(), columns)?.into());
        }
        let (mut offsets, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        for row in &self.rows {
            row.view().for_each(|column, value| {
                indices.push(column as u32);
                values.push(value);
            });
            offsets.push(values.len());
        }
        Ok(Sparse::from_parts(offsets, indices, values, columns)?.into())
    }

    /// Refuses rows that the kernel is not defined on.
    fn check(&self, row: Row<'_>) -> Result<()> {
        if let (Some(expected), Some(found)) = (self.columns, row.columns())
            && expected != found
        {
            return Err(Error::Shape { what: "columns (as in the rows before)", expected, found });
        }
        let mut wrong = None;
        row.for_each(|column, value| {
            if !value.is_finite() && wrong.is_none() {
                wrong = Some(Error::NonFinite { row: 0, column, value });
            }
        });
        if let Some(error) = wrong {
            return Err(error);
        }
        if let Some(expected) = self.scales
            && width(row) > expected
        {
            let what = "columns (one for each scale of the kernel)";
            return Err(Error::Shape { what, expected, found: width(row) });
        }
        if self.kernel.is_choosy() {
            let columns = self.columns.or(self.scales).unwrap_or(0).max(width(row));
            let single: Vectors<'_> = match row {
                Row::Sparse { indices, values } => {
                    Sparse::from_parts(vec![0, values.len()], indices.to_vec(), values.to_vec(), columns)?
                        .into()
                }
                dense => Vectors::from_rows(&[dense.to_dense(columns)])?,
            };
            self.kernel.check(&single)?;
        }
        Ok(())
    }

    fn compare_checked(&self, row: Row<'_>, values: &mut Vec<f64>) -> Result<()> {
        match &self.packed {
            Some(packed) if width(row) <= WIDEST => packed.compare(row, width(row), values),
            _ => {
                values.clear();
                values.extend(self.rows.iter().map(|other| self.kernel.eval(&other.view(), &row)));
            }
        }
        match values.iter().position(|value| !value.is_finite()) {
            Some(slot) => finite(values[slot], slot, self.rows.len()).map(|_| ()),
            None => Ok(()),
        }
    }
}

impl Memory for RowMemory {
    type Item<'a> = Row<'a>;

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn own_value(&self, row: Row<'_>) -> Result<f64> {
        self.check(row)?;
        let here = self.rows.len();
        finite(self.own.unwrap_or_else(|| self.kernel.eval_diagonal(&row)), here, here)
    }

    fn own_value_at(&self, slot: usize) -> Result<f64> {
        let own = self.own.unwrap_or_else(|| self.kernel.eval_diagonal(&self.rows[slot].view()));
        finite(own, slot, slot)
    }

    fn compare(&self, row: Row<'_>, values: &mut Vec<f64>) -> Result<()> {
        self.check(row)?;
        self.compare_checked(row, values)
    }

    fn compare_own(&self, slot: usize, values: &mut Vec<f64>) -> Result<()> {
        self.compare_checked(self.rows[slot].view(), values)
    }

    fn remember(&mut self, row: Row<'_>) -> Result<()> {
        self.check(row)?;
        let is_wide = width(row) > WIDEST;
        let panels = match &self.packed {
            Some(packed) if !is_wide => packed.bytes_with(room(row, self.scales)),
            _ => 0,
        };
        let needed = self.stored + bytes(row) + panels;
        if needed > self.allowed {
            let (what, allowed) = ("remembering one more row", self.allowed);
            return Err(Error::Budget {
                what,
                needed,
                allowed,
                instead: "a smaller budget of rows, or more memory",
            });
        }
        self.columns = self.columns.or(row.columns());
        if is_wide {
            self.wide += 1;
            self.packed = None;
        }
        if let Some(packed) = &mut self.packed {
            packed.push(row, room(row, self.scales));
        }
        self.stored += bytes(row);
        self.rows.push(OwnRow::of(row));
        Ok(())
    }

    fn forget(&mut self, slot: usize) {
        let row = self.rows.swap_remove(slot);
        self.stored -= bytes(row.view());
        if let Some(packed) = &mut self.packed {
            packed.swap_remove(slot);
        }
        if row.is_wide() {
            self.wide -= 1;
            if self.wide == 0 {
                // Values depend on the rows that are remembered, not on those that once were.
                self.packed = self.empty.clone();
                for row in &self.rows {
                    let row = row.view();
                    self.packed.iter_mut().for_each(|packed| packed.push(row, room(row, self.scales)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_rows_and_combinations_are_compared_one_by_one() {
        let wide = Row::Sparse { indices: &[3, 70_000], values: &[1.0, 2.0] };
        for text in ["linear", "linear + 0 * cosine"] {
            let mut memory = RowMemory::new(text.parse().unwrap()).unwrap();
            memory.remember(wide).unwrap();
            memory.remember(Row::Sparse { indices: &[3], values: &[2.0] }).unwrap();
            assert!(memory.packed.is_none());
            let mut values = Vec::new();
            memory.compare(wide, &mut values).unwrap();
            assert_eq!(values, [5.0, 2.0], "{text}");
        }
    }

    #[test]
    fn rows_that_do_not_fit_are_refused() {
        assert!(RowMemory::new("gaussian".parse().unwrap()).is_err());
        assert!(RowMemory::new("linear + white(0.1)".parse().unwrap()).is_err());
        let mut memory = RowMemory::new("intersection".parse().unwrap()).unwrap();
        memory.remember(Row::Dense64(&[1.0, 2.0])).unwrap();
        for (row, words) in [
            (&[1.0][..], "columns (as in the rows before): expected 2, found 1"),
            (&[1.0, -2.0], "row 0, column 1: -2, but intersection needs values of at least 0"),
            (&[f64::NAN, 0.0], "row 0, column 0: NaN is not a finite number"),
        ] {
            assert_eq!(memory.remember(Row::Dense64(row)).unwrap_err().to_string(), words);
        }
        let memory = RowMemory::new("gaussian(length_scale=[1, 2])".parse().unwrap()).unwrap();
        let wide = Row::Sparse { indices: &[2], values: &[1.0] };
        let words = "columns (one for each scale of the kernel): expected 2, found 3";
        assert_eq!(memory.own_value(wide).unwrap_err().to_string(), words);
    }
}
