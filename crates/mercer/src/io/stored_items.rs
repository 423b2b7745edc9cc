//! Items of a collection as part of a document: rows and the values of series as arrays, other items in the header, and of kernel values
//! only which training items they are.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::document::{Document, Numbers, wrong};
use super::vectors::{self, VectorsHeader};
use crate::data::{Collection, Items, KernelRow, Series};
use crate::error::Result;
use crate::gram::{Clipped, Found, LearnedMending};
use crate::kernel::StructureExpression;
use crate::linalg::Matrix;

/// What an array of items is called, and that of the items of a clipped kernel.
const ITEMS: [&str; 2] = ["items", "mended"];

/// All items but rows.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredItems {
    /// All but time series.
    Plain(Collection<'static>),
    /// Of kernel values the column of each item among the values of others.
    KernelValues(Vec<usize>),
    /// Channels and length of each; the values are an array, one series after the other.
    Series(Vec<(usize, usize)>),
}

/// The part of the header that tells of support items.
pub(super) fn store(items: &Collection<'_>, arrays: &mut Vec<(String, Numbers)>) -> Value {
    store_as(ITEMS[0], items, arrays)
}

/// The items, of the kind and with the columns that the kernel compares.
pub(super) fn load(
    header: Value,
    kernel: &StructureExpression,
    document: &mut Document,
) -> Result<Collection<'static>> {
    load_as(ITEMS[0], header, kernel, document)
}

fn store_as(name: &str, items: &Collection<'_>, arrays: &mut Vec<(String, Numbers)>) -> Value {
    let header = match items {
        Collection::Rows(rows) => serde_json::to_value(vectors::store(rows, name, arrays)),
        Collection::Series(series) => {
            let values = series.iter().flat_map(Series::values).copied().collect();
            arrays.push((format!("{name}.values"), Numbers::F64(values)));
            let shapes = series.iter().map(|one| (one.channels(), one.len())).collect();
            serde_json::to_value(StoredItems::Series(shapes))
        }
        Collection::KernelValues(rows) => {
            let columns = rows.iter().filter_map(KernelRow::column).collect();
            serde_json::to_value(StoredItems::KernelValues(columns))
        }
        items => {
            serde_json::to_value(StoredItems::Plain(items.select(&(0..items.len()).collect::<Vec<_>>())))
        }
    };
    header.expect("a header of plain values")
}

fn load_as(
    name: &str,
    header: Value,
    kernel: &StructureExpression,
    document: &mut Document,
) -> Result<Collection<'static>> {
    if kernel.on_rows().is_some() {
        let header: VectorsHeader = parsed(header)?;
        return vectors::load(&header, name, document).map(Collection::Rows);
    }
    let items = match parsed(header)? {
        StoredItems::Plain(items) => items,
        StoredItems::KernelValues(columns) => KernelRow::kept(&columns).into(),
        StoredItems::Series(shapes) => {
            Collection::Series(series(&shapes, &document.take_f64(&format!("{name}.values"))?)?)
        }
    };
    items.check_kind(kernel.kind())?;
    if let (Collection::Records(records), Some(schema)) = (&items, kernel.columns()?) {
        for record in records {
            schema.record(record.cells().to_vec())?;
        }
    }
    Ok(items)
}

pub(super) fn parsed<T: serde::de::DeserializeOwned>(header: Value) -> Result<T> {
    serde_json::from_value(header).map_err(|problem| wrong(format!("the header: {problem}")))
}

fn series(shapes: &[(usize, usize)], values: &[f64]) -> Result<Vec<Series>> {
    let mut rest = values;
    let mut all = Vec::new();
    for &(channels, length) in shapes {
        let size = channels.checked_mul(length).filter(|&size| size <= rest.len());
        let Some(size) = size else {
            return Err(wrong(format!(
                "a series of {channels} channels and {length} times does not fit its values"
            )));
        };
        let (own, others) = rest.split_at(size);
        all.push(Series::new(own.to_vec(), channels)?);
        rest = others;
    }
    match rest.len() {
        0 => Ok(all),
        more => Err(wrong(format!("{more} values of series belong to none"))),
    }
}

/// What the training items decided of a kernel that is shifted or clipped. Coordinates and eigenvalues of a clipped one are the arrays
/// `mended.coordinates` and `mended.eigenvalues`.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredMending {
    smallest_eigenvalue: f64,
    negative: usize,
    #[serde(flatten)]
    found: StoredFound,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredFound {
    Shift { of: usize, shift: f64 },
    Clip(Value),
}

impl StoredMending {
    pub(super) fn of(learned: &LearnedMending, arrays: &mut Vec<(String, Numbers)>) -> Self {
        let found = match &learned.found {
            Found::Shift { items, shift } => StoredFound::Shift { of: *items, shift: *shift },
            Found::Clip(clipped) => {
                let items = store_as(ITEMS[1], &clipped.items, arrays);
                let coordinates = clipped.coordinates.values().to_vec();
                arrays.push(("mended.coordinates".into(), Numbers::F64(coordinates)));
                arrays.push(("mended.eigenvalues".into(), Numbers::F64(clipped.eigenvalues.clone())));
                StoredFound::Clip(items)
            }
        };
        StoredMending { smallest_eigenvalue: learned.least, negative: learned.negative, found }
    }

    pub(super) fn load(
        self,
        kernel: &StructureExpression,
        document: &mut Document,
    ) -> Result<LearnedMending> {
        let found = match self.found {
            StoredFound::Shift { of, shift } => {
                if !(shift.is_finite() && shift >= 0.0) {
                    return Err(wrong(format!("the kernel is shifted by {shift}")));
                }
                Found::Shift { items: of, shift }
            }
            StoredFound::Clip(items) => {
                let items = load_as(ITEMS[1], items, kernel, document)?;
                let eigenvalues = document.take_f64("mended.eigenvalues")?;
                let coordinates = document.take_f64("mended.coordinates")?;
                if !eigenvalues.iter().all(|value| value.is_finite() && *value > 0.0) {
                    return Err(wrong("an eigenvalue that was kept is not above 0".into()));
                }
                if !coordinates.iter().all(|value| value.is_finite()) {
                    return Err(wrong("a coordinate of the clipped kernel is not finite".into()));
                }
                let coordinates = Matrix::new(coordinates, items.len(), eigenvalues.len())?;
                Found::Clip(Clipped { items, coordinates, eigenvalues })
            }
        };
        Ok(LearnedMending { least: self.smallest_eigenvalue, negative: self.negative, found })
    }
}
