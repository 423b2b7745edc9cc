//! Bringing features to a common size before a kernel compares them.

mod undo;

use serde::{Deserialize, Serialize};

use crate::data::{Dense, Items, Real, Sparse, Vectors, check_weights};
use crate::error::{Error, Result};

/// What a scaling does to the numbers.
///
/// The kinds that shift ([`Standardise`](Self::Standardise), [`MinMax`](Self::MinMax)) would fill in the zeros
/// of sparse rows and refuse them; the others leave zeros zero and take any rows.
///
/// ```
/// use mercer::data::{Scaling, ScalingKind, Vectors};
/// let rows = Vectors::from_rows(&[[2.0], [4.0], [6.0]])?;
/// let scaled = |kind| Scaling::fit(kind, &rows)?.apply(&rows);
/// assert_eq!(scaled(ScalingKind::SYMMETRIC_RANGE)?, Vectors::from_rows(&[[-1.0], [0.0], [1.0]])?);
/// assert_eq!(scaled(ScalingKind::UnitNorm)?, Vectors::from_rows(&[[1.0], [1.0], [1.0]])?);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum ScalingKind {
    /// Each column gets mean 0 and (population) variance 1: (x − mean) / deviation.
    Standardise,
    /// Each column is stretched over [low, high].
    MinMax {
        /// What the least value becomes.
        low: f64,
        /// What the greatest value becomes.
        high: f64,
    },
    /// Each column is divided by its standard deviation, without a shift.
    Deviation,
    /// Each column is divided by its greatest absolute value.
    MaxAbs,
    /// Each row is divided by its Euclidean norm; rows of zeros stay as they are.
    UnitNorm,
}

impl ScalingKind {
    /// Stretching over [0, 1].
    pub const UNIT_RANGE: ScalingKind = ScalingKind::MinMax { low: 0.0, high: 1.0 };

    /// Stretching over [-1, 1], as LIBSVM's `svm-scale` does.
    pub const SYMMETRIC_RANGE: ScalingKind = ScalingKind::MinMax { low: -1.0, high: 1.0 };

    fn check(self) -> Result<()> {
        match self {
            ScalingKind::MinMax { low, high } if !(low < high && (high - low).is_finite()) => {
                Err(Error::Parameter { name: "high", value: high, expected: "a finite number above low" })
            }
            _ => Ok(()),
        }
    }

    /// Refuses rows whose zeros would be filled in.
    fn check_rows(self, rows: &Vectors) -> Result<()> {
        let instead = match self {
            ScalingKind::Standardise => ScalingKind::Deviation,
            ScalingKind::MinMax { .. } => ScalingKind::MaxAbs,
            _ => return Ok(()),
        };
        if !matches!(rows, Vectors::Sparse(_)) {
            return Ok(());
        }
        Err(Error::Unsupported {
            what: format!(
                "{self} shifts and would fill in the zeros of sparse rows: use {instead}, or dense rows"
            ),
        })
    }
}

impl std::fmt::Display for ScalingKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ScalingKind::Standardise => f.write_str("standardise (mean 0, variance 1)"),
            ScalingKind::Deviation => f.write_str("deviation (variance 1, zeros stay)"),
            ScalingKind::MinMax { low, high } => write!(f, "min-max ({low} to {high})"),
            ScalingKind::MaxAbs => f.write_str("max-abs (largest size 1, zeros stay)"),
            ScalingKind::UnitNorm => f.write_str("unit norm (rows of length 1)"),
        }
    }
}

/// A scaling learned from training rows, to be applied to them and to all rows that follow.
///
/// Column `j` becomes `low + (high − low)·(x − centre[j]) / width[j]`, where `low` and `high` are 0 and 1 unless
/// the kind is [`ScalingKind::MinMax`]. A column that is constant in the training rows has width 1, so it is
/// shifted (if the kind shifts) but not stretched.
///
/// ```
/// use mercer::data::{Scaling, ScalingKind, Vectors};
/// let rows = Vectors::from_rows(&[[1.0, 5.0], [3.0, 5.0]])?;
/// let scaling = Scaling::fit(ScalingKind::Standardise, &rows)?;
/// assert_eq!(scaling.apply(&rows)?, Vectors::from_rows(&[[-1.0, 0.0], [1.0, 0.0]])?);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Scaling {
    kind: ScalingKind,
    columns: usize,
    /// The columns that `width` speaks of, ascending; `None` means all. The others have width 1.
    which: Option<Vec<u32>>,
    /// Empty where nothing is shifted.
    centre: Vec<f64>,
    /// Empty for [`ScalingKind::UnitNorm`].
    width: Vec<f64>,
}

impl Scaling {
    /// Learns a scaling from rows.
    ///
    /// ```
    /// use mercer::data::{Scaling, ScalingKind, Vectors};
    /// let rows = Vectors::from_rows(&[[1.0, -8.0], [2.0, 4.0]])?;
    /// assert_eq!(Scaling::fit(ScalingKind::MaxAbs, &rows)?.width(), [2.0, 8.0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] without rows, [`Error::Parameter`] for an interval that is none,
    /// [`Error::Unsupported`] for sparse rows and a kind that shifts, [`Error::Entry`] for a column whose range
    /// is beyond the largest f64.
    pub fn fit(kind: ScalingKind, rows: &Vectors) -> Result<Self> {
        Scaling::fit_weighted(kind, rows, None)
    }

    /// The same where a row of weight w counts as w rows, and one without weight not at all.
    ///
    /// ```
    /// use mercer::data::{Scaling, ScalingKind, Vectors};
    /// let weighted = Vectors::from_rows(&[[1.0], [4.0], [9.0]])?;
    /// let repeated = Vectors::from_rows(&[[1.0], [4.0], [4.0], [4.0]])?;
    /// let kind = ScalingKind::Standardise;
    /// assert_eq!(
    ///     Scaling::fit_weighted(kind, &weighted, Some(&[1.0, 3.0, 0.0]))?,
    ///     Scaling::fit(kind, &repeated)?
    /// );
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`fit`](Scaling::fit); [`Error::Shape`] for another number of weights than of rows, [`Error::Entry`] for one that
    /// is negative or not finite, [`Error::Empty`] if all are 0.
    pub fn fit_weighted(kind: ScalingKind, rows: &Vectors, weights: Option<&[f64]>) -> Result<Self> {
        kind.check()?;
        if let Some(weights) = weights {
            check_weights(weights, rows.len())?;
        }
        kind.check_rows(rows)?;
        if rows.is_empty() {
            return Err(Error::Empty { what: "rows" });
        }
        let columns = rows.columns();
        let (which, narrow) = match rows {
            Vectors::Sparse(rows) if kind != ScalingKind::UnitNorm && is_mostly_empty(rows) => {
                let (which, narrow) = without_empty_columns(rows)?;
                (Some(which), Some(Vectors::from(narrow)))
            }
            _ => (None, None),
        };
        let (centre, width) = centres_and_widths(kind, narrow.as_ref().unwrap_or(rows), weights);
        if let Some(index) = width.iter().position(|width: &f64| !width.is_finite()) {
            return Err(Error::Entry {
                what: "range of column",
                index: which.as_ref().map_or(index, |which| which[index] as usize),
                value: width[index],
                expected: "a finite number",
            });
        }
        Ok(Scaling { kind, columns, which, centre, width })
    }

    /// The scaled rows, in the form (f64, f32, sparse) that the rows have.
    ///
    /// ```
    /// use mercer::data::{Scaling, ScalingKind, Vectors};
    /// let scaling = Scaling::fit(ScalingKind::UNIT_RANGE, &Vectors::from_rows(&[[1.0], [3.0]])?)?;
    /// // New rows are scaled as the old ones were, beyond the range if need be.
    /// assert_eq!(scaling.apply(&Vectors::from_rows(&[[2.0], [5.0]])?)?, Vectors::from_rows(&[[0.5], [2.0]])?);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] for another number of columns than learned, [`Error::Unsupported`] for sparse rows and a
    /// kind that shifts, [`Error::NonFinite`] if a scaled value is beyond the largest number.
    pub fn apply(&self, rows: &Vectors) -> Result<Vectors<'static>> {
        self.kind.check_rows(rows)?;
        if rows.columns() != self.columns {
            return Err(Error::Shape {
                what: "columns (as the scaling was learned from)",
                expected: self.columns,
                found: rows.columns(),
            });
        }
        Ok(match rows {
            Vectors::Dense64(_) | Vectors::Columns64(_) => self.dense(rows, |value| value)?.into(),
            Vectors::Dense32(_) | Vectors::Columns32(_) => self.dense(rows, |value| value as f32)?.into(),
            Vectors::Sparse(rows) => self.sparse(rows)?.into(),
        })
    }

    /// What was asked for.
    pub fn kind(&self) -> ScalingKind {
        self.kind
    }

    /// Number of columns learned from.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// What is subtracted from each column; empty where nothing is.
    pub fn centre(&self) -> &[f64] {
        &self.centre
    }

    /// What each column is divided by; empty if rows are scaled, not columns.
    ///
    /// For sparse rows with far more columns than stored values, these are the widths of
    /// [`stored_columns`](Self::stored_columns) alone, and all others are 1.
    pub fn width(&self) -> &[f64] {
        &self.width
    }

    /// The columns that [`width`](Self::width) speaks of, ascending; `None` means all.
    ///
    /// ```
    /// use mercer::data::{Scaling, ScalingKind, Sparse};
    /// // One value in a column far out: memory goes with the values, not with the columns.
    /// let rows = Sparse::new(&[0, 1], &[999_999_999], vec![4.0], 1_000_000_000)?.into();
    /// let scaling = Scaling::fit(ScalingKind::MaxAbs, &rows)?;
    /// assert_eq!(scaling.stored_columns(), Some(&[999_999_999][..]));
    /// assert_eq!(scaling.width(), [4.0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn stored_columns(&self) -> Option<&[u32]> {
        self.which.as_deref()
    }

    /// What a column is divided by.
    #[inline(always)]
    fn width_of(&self, column: usize) -> f64 {
        match &self.which {
            None => self.width[column],
            Some(which) => {
                which.binary_search_by_key(&column, |&at| at as usize).map_or(1.0, |at| self.width[at])
            }
        }
    }

    fn dense<T: Real>(&self, rows: &Vectors<'_>, narrow: impl Fn(f64) -> T) -> Result<Dense<'static, T>> {
        let (mut row, mut scaled) = (Vec::new(), Vec::with_capacity(rows.stored()));
        for i in 0..rows.len() {
            row.clear();
            rows.get(i).for_each(|_, value| row.push(value));
            let norm = self.norm(row.iter().copied());
            let values = row.iter().enumerate();
            scaled.extend(values.map(|(column, &value)| narrow(self.value(column, value, norm))));
        }
        Dense::new(scaled, rows.len(), rows.columns())
    }

    fn sparse(&self, rows: &Sparse) -> Result<Sparse<'static>> {
        let (offsets, indices, _) = rows.parts();
        let mut scaled = Vec::with_capacity(rows.stored());
        for i in 0..rows.rows() {
            let (columns, values) = rows.row(i);
            let norm = self.norm(values.iter().copied());
            let row = columns.iter().zip(values);
            scaled.extend(row.map(|(&column, &value)| self.value(column as usize, value, norm)));
        }
        Sparse::from_parts(offsets.to_vec(), indices.to_vec(), scaled, rows.columns())
    }

    /// The norm of a row as (unit, norm in that unit); only asked for where rows are scaled.
    fn norm(&self, row: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
        if self.kind != ScalingKind::UnitNorm {
            return (1.0, 1.0);
        }
        // Taking the greatest value for unit keeps the squares from overflowing and from vanishing.
        let unit = or_one(row.clone().fold(0.0, |most: f64, value| most.max(value.abs())));
        (unit, or_one(row.map(|value| (value / unit).powi(2)).sum::<f64>().sqrt()))
    }

    #[inline(always)]
    fn value(&self, column: usize, value: f64, (unit, norm): (f64, f64)) -> f64 {
        match self.kind {
            ScalingKind::UnitNorm => value / unit / norm,
            ScalingKind::MaxAbs | ScalingKind::Deviation => value / self.width_of(column),
            ScalingKind::Standardise => (value - self.centre[column]) / self.width[column],
            // Dividing first makes the ends of the training range come out exact.
            ScalingKind::MinMax { low, high } => {
                low + (high - low) * ((value - self.centre[column]) / self.width[column])
            }
        }
    }
}

/// Whether arrays over all columns would be larger than the rows themselves.
fn is_mostly_empty(rows: &Sparse) -> bool {
    rows.columns() > rows.stored().saturating_add(rows.rows()).saturating_add(1 << 16)
}

/// The columns that have values, and the rows with these columns only.
fn without_empty_columns(rows: &Sparse) -> Result<(Vec<u32>, Sparse<'static>)> {
    let (offsets, indices, values) = rows.parts();
    let mut which = indices.to_vec();
    which.sort_unstable();
    which.dedup();
    // Every index is found: the list was made of them.
    let place = |index: &u32| which.binary_search(index).unwrap_or(0) as u32;
    let narrow: Vec<u32> = indices.iter().map(place).collect();
    let columns = which.len();
    Ok((which, Sparse::from_parts(offsets.to_vec(), narrow, values.to_vec(), columns)?))
}

/// What is subtracted from each column, and what it is divided by.
fn centres_and_widths(kind: ScalingKind, rows: &Vectors, weights: Option<&[f64]>) -> (Vec<f64>, Vec<f64>) {
    let ranges = || Ranges::of(rows, weights);
    match kind {
        ScalingKind::UnitNorm => (Vec::new(), Vec::new()),
        ScalingKind::MaxAbs => (Vec::new(), ranges().sizes().map(or_one).collect()),
        ScalingKind::MinMax { .. } => {
            let ranges = ranges();
            let width = ranges.low.iter().zip(&ranges.high).map(|(low, high)| or_one(high - low)).collect();
            (ranges.low, width)
        }
        ScalingKind::Standardise => means_and_deviations(rows, weights, &ranges()),
        ScalingKind::Deviation => (Vec::new(), means_and_deviations(rows, weights, &ranges()).1),
    }
}

/// The width of a constant column is 1.
fn or_one(width: f64) -> f64 {
    if width == 0.0 { 1.0 } else { width }
}

/// The least and the greatest value of each column, absent zeros included.
struct Ranges {
    low: Vec<f64>,
    high: Vec<f64>,
}

impl Ranges {
    fn of(rows: &Vectors, weights: Option<&[f64]>) -> Self {
        let columns = rows.columns();
        let (mut low, mut high) = (vec![f64::INFINITY; columns], vec![f64::NEG_INFINITY; columns]);
        let mut stored = vec![0usize; columns];
        let mut counted = 0;
        for i in (0..rows.len()).filter(|&i| weights.is_none_or(|weights| weights[i] > 0.0)) {
            counted += 1;
            rows.get(i).for_each(|column, value| {
                low[column] = low[column].min(value);
                high[column] = high[column].max(value);
                stored[column] += 1;
            });
        }
        for column in 0..columns {
            if stored[column] < counted {
                low[column] = low[column].min(0.0);
                high[column] = high[column].max(0.0);
            }
        }
        Ranges { low, high }
    }

    /// The greatest absolute value of each column.
    fn sizes(&self) -> impl Iterator<Item = f64> {
        self.low.iter().zip(&self.high).map(|(low, high)| high.max(-low))
    }
}

/// Mean and population deviation of each column in two passes, the second correcting the rounding of the first.
///
/// Columns of extreme size are counted in a unit of their own, a power of two, so that neither sums nor squares
/// leave the range of f64.
fn means_and_deviations(rows: &Vectors, weights: Option<&[f64]>, ranges: &Ranges) -> (Vec<f64>, Vec<f64>) {
    let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
    let count: f64 = (0..rows.len()).map(weight).sum();
    let columns = rows.columns();
    let unit: Vec<f64> = ranges.sizes().map(unit_of).collect();
    let mut mean = vec![0.0; columns];
    for i in 0..rows.len() {
        let weight = weight(i);
        rows.get(i).for_each(|column, value| mean[column] += weight * (value / unit[column]));
    }
    mean.iter_mut().for_each(|sum| *sum /= count);

    let (mut squares, mut rest) = (vec![0.0; columns], vec![0.0; columns]);
    let mut absent = vec![count; columns];
    for i in 0..rows.len() {
        let weight = weight(i);
        rows.get(i).for_each(|column, value| {
            let difference = value / unit[column] - mean[column];
            squares[column] += weight * (difference * difference);
            rest[column] += weight * difference;
            absent[column] -= weight;
        });
    }
    let mut deviation = vec![1.0; columns];
    for column in 0..columns {
        let (low, high) = (ranges.low[column], ranges.high[column]);
        if low == high {
            // The mean of equal numbers is that number; their sum divided by their count may not be.
            mean[column] = low;
            continue;
        }
        let zeros = absent[column];
        let squares = squares[column] + zeros * mean[column] * mean[column];
        let rest = rest[column] - zeros * mean[column];
        let variance = (squares - rest * rest / count) / count;
        deviation[column] = or_one(variance.max(0.0).sqrt() * unit[column]);
        mean[column] = (mean[column] + rest / count) * unit[column];
    }
    (mean, deviation)
}

/// A power of two near `size` if its square or its sums may overflow or vanish, otherwise 1.
fn unit_of(size: f64) -> f64 {
    if size == 0.0 || (1e-100..=1e100).contains(&size) {
        return 1.0;
    }
    size.log2().floor().exp2().clamp(f64::MIN_POSITIVE, 2f64.powi(1023))
}

/// The scaling as it is saved; checked on the way back.
#[derive(Serialize, Deserialize)]
struct Stored {
    kind: ScalingKind,
    columns: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stored_columns: Option<Vec<u32>>,
    centre: Vec<f64>,
    width: Vec<f64>,
}

impl From<Scaling> for Stored {
    fn from(Scaling { kind, columns, which, centre, width }: Scaling) -> Self {
        Stored { kind, columns, stored_columns: which, centre, width }
    }
}

impl TryFrom<Stored> for Scaling {
    type Error = Error;

    fn try_from(Stored { kind, columns, stored_columns: which, centre, width }: Stored) -> Result<Self> {
        kind.check()?;
        let shape = |what, expected, found| match expected == found {
            true => Ok(()),
            false => Err(Error::Shape { what, expected, found }),
        };
        let (centres, widths) = match kind {
            ScalingKind::Standardise | ScalingKind::MinMax { .. } => (columns, columns),
            ScalingKind::Deviation | ScalingKind::MaxAbs => (0, which.as_ref().map_or(columns, Vec::len)),
            ScalingKind::UnitNorm => (0, 0),
        };
        shape("centres of the scaling", centres, centre.len())?;
        shape("widths of the scaling", widths, width.len())?;
        if let Some(which) = &which {
            shape("columns of the scaling (one per width)", width.len(), which.len())?;
            let out_of_place =
                |&at: &usize| which[at] as usize >= columns || (at > 0 && which[at] <= which[at - 1]);
            if let Some(index) = (0..which.len()).find(out_of_place) {
                return Err(Error::Entry {
                    what: "column of the scaling, entry",
                    index,
                    value: f64::from(which[index]),
                    expected: "a column beyond the one before it, and below the number of columns",
                });
            }
        }
        let usable = |(index, value): (usize, f64), what, positive: bool| {
            let expected = "a finite number (widths above 0)";
            match value.is_finite() && (!positive || value > 0.0) {
                true => Ok(()),
                false => Err(Error::Entry { what, index, value, expected }),
            }
        };
        centre.iter().copied().enumerate().try_for_each(|entry| usable(entry, "centre", false))?;
        width.iter().copied().enumerate().try_for_each(|entry| usable(entry, "width", true))?;
        Ok(Scaling { kind, columns, which, centre, width })
    }
}
