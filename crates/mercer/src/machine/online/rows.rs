//! A memory of numeric rows that is fast: sums over columns run along the slots.

use super::memory::{Memory, finite};
use super::packed::Packed;
use crate::data::{Dense, Row, Sparse, Vectors};
use crate::error::{Error, Result};
use crate::kernel::vector::Form;
use crate::kernel::{Expression, Kernel};

/// Rows of more columns are compared one by one: that many columns of mostly zeros would be slower, and take more memory.
const WIDEST: usize = 4096;

/// A memory of numeric rows, dense or sparse.
///
/// A kernel that is a function of a sum over columns, and multiples of one, is computed for all slots at once: the values of a column lie
/// next to each other, so that the processor's vectors serve without any code of their own. The bits are those of the kernel's
/// definition. Any other expression is evaluated pair by pair.
///
/// O(remembered rows · columns) for each new row, and as many numbers of memory. Dense rows must have one number of columns; sparse
/// ones may bring new columns at any time.
///
/// ```
/// use mercer::data::Row;
/// use mercer::machine::online::{Memory, RowMemory};
/// let mut memory = RowMemory::new("gaussian(gamma=0.5)".parse()?)?;
/// memory.remember(Row::Dense64(&[0.0, 1.0]))?;
/// let mut values = Vec::new();
/// memory.compare(Row::Dense64(&[2.0, 1.0]), &mut values)?;
/// assert_eq!(values, [(-2.0f64).exp()]);
/// assert!(memory.compare(Row::Dense64(&[2.0]), &mut values).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RowMemory {
    kernel: Expression,
    form: Option<(f64, Form)>,
    /// Columns of dense rows, once there was one.
    columns: Option<usize>,
    rows: Vec<OwnRow>,
    /// The same rows again, if the kernel has a form and they are not too wide.
    packed: Option<Packed>,
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
        match self {
            OwnRow::Dense(values) => values.len(),
            OwnRow::Sparse(indices, _) => indices.last().map_or(0, |&last| last as usize + 1),
        }
    }
}

impl RowMemory {
    /// An empty memory.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a kernel with parameters that training data would have to fill in (a stream has none), and for one with
    /// white noise, which knows training rows only.
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
        let form = kernel.form();
        let packed = form.is_some().then(Packed::default);
        Ok(RowMemory { kernel, form, columns: None, rows: Vec::new(), packed })
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
        if self.kernel.is_choosy() {
            let columns = self.columns.or(row.columns()).unwrap_or_else(|| OwnRow::of(row).columns());
            self.kernel.check(&Vectors::from_rows(&[row.to_dense(columns)])?)?;
        }
        Ok(())
    }

    fn compare_checked(&self, row: Row<'_>, values: &mut Vec<f64>) -> Result<()> {
        match (&self.packed, &self.form) {
            (Some(packed), Some((factor, form))) => packed.compare(row, *factor, form, values),
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
        finite(self.kernel.eval_diagonal(&row), here, here)
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
        self.columns = self.columns.or(row.columns());
        let own = OwnRow::of(row);
        if own.columns() > WIDEST {
            self.packed = None;
        }
        if let (Some(packed), Some((_, form))) = (&mut self.packed, &self.form) {
            packed.push(row, own.columns(), form);
        }
        self.rows.push(own);
        Ok(())
    }

    fn forget(&mut self, slot: usize) {
        self.rows.swap_remove(slot);
        if let Some(packed) = &mut self.packed {
            packed.swap_remove(slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Random;

    /// Every kernel with a form, on dense and sparse rows that come and go: the bits of the definition.
    #[test]
    fn all_slots_at_once_are_the_values_of_single_pairs() {
        let kernels = [
            "linear",
            "2 * polynomial(degree=3, gamma=0.5, constant=1)",
            "gaussian(gamma=0.3)",
            "laplacian(gamma=0.3)",
            "matern(nu=1.5, length_scale=2)",
            "cosine",
            "chi2(gamma=0.2)",
            "intersection",
            "gaussian(length_scale=[1, 2, 3, 4, 5])",
        ];
        for text in kernels {
            let kernel: Expression = text.parse().unwrap();
            let mut memory = RowMemory::new(kernel.clone()).unwrap();
            assert!(memory.packed.is_some(), "{text}");
            let mut random = Random::new(5);
            let mut kept: Vec<Vec<f64>> = Vec::new();
            for step in 0..60 {
                let row: Vec<f64> =
                    (0..5).map(|_| if random.below(3) == 0 { 0.0 } else { random.uniform() }).collect();
                let stored: Vec<u32> = (0..5).filter(|&k| row[k as usize] != 0.0).collect();
                let values: Vec<f64> = stored.iter().map(|&k| row[k as usize]).collect();
                let view = match step % 2 {
                    0 => Row::Dense64(&row),
                    _ => Row::Sparse { indices: &stored, values: &values },
                };
                let mut found = Vec::new();
                memory.compare(view, &mut found).unwrap();
                let expected: Vec<f64> =
                    kept.iter().map(|z| kernel.eval(&Row::Dense64(z), &Row::Dense64(&row))).collect();
                assert_eq!(found, expected, "{text} at {step}");
                memory.remember(view).unwrap();
                kept.push(row.clone());
                if step % 4 == 3 {
                    let slot = random.below(kept.len());
                    memory.forget(slot);
                    kept.swap_remove(slot);
                }
            }
        }
    }

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
    }
}
