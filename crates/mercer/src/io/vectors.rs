//! Numeric rows as named arrays of a document.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::document::{Document, Numbers, wrong};
use crate::data::{Dense, Items, Sparse, Vectors};
use crate::error::Result;

/// The form and shape of stored rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct VectorsHeader {
    form: VectorsForm,
    rows: u64,
    columns: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum VectorsForm {
    Dense64,
    Dense32,
    Sparse,
}

/// Adds the arrays of these rows under names that begin with `prefix`.
pub(super) fn store(rows: &Vectors<'_>, prefix: &str, arrays: &mut Vec<(String, Numbers)>) -> VectorsHeader {
    let mut push = |name: &str, numbers| arrays.push((format!("{prefix}.{name}"), numbers));
    let form = match &*rows.row_major() {
        Vectors::Dense64(dense) => {
            push("values", Numbers::F64(dense.values().to_vec()));
            VectorsForm::Dense64
        }
        Vectors::Dense32(dense) => {
            push("values", Numbers::F32(dense.values().to_vec()));
            VectorsForm::Dense32
        }
        Vectors::Columns64(_) | Vectors::Columns32(_) => unreachable!("they have been put in rows"),
        Vectors::Sparse(sparse) => {
            let (offsets, indices, values) = sparse.parts();
            push("offsets", Numbers::U64(offsets.iter().map(|&o| o as u64).collect()));
            push("indices", Numbers::U32(indices.to_vec()));
            push("values", Numbers::F64(values.to_vec()));
            VectorsForm::Sparse
        }
    };
    VectorsHeader { form, rows: rows.len() as u64, columns: rows.columns() as u64 }
}

/// Takes the arrays out again.
pub(super) fn load(
    header: &VectorsHeader,
    prefix: &str,
    document: &mut Document,
) -> Result<Vectors<'static>> {
    let count = |value: u64| usize::try_from(value).map_err(|_| wrong(format!("{value} is out of range")));
    let (rows, columns) = (count(header.rows)?, count(header.columns)?);
    let values = document.take(&format!("{prefix}.values"))?;
    let vectors = match (header.form, values) {
        (VectorsForm::Dense64, Numbers::F64(values)) => Dense::new(Cow::Owned(values), rows, columns)?.into(),
        (VectorsForm::Dense32, Numbers::F32(values)) => Dense::new(Cow::Owned(values), rows, columns)?.into(),
        (VectorsForm::Sparse, Numbers::F64(values)) => {
            let offsets = document.take_positions(&format!("{prefix}.offsets"))?;
            let Numbers::U32(indices) = document.take(&format!("{prefix}.indices"))? else {
                return Err(wrong(format!("the array \"{prefix}.indices\" is not of type u32")));
            };
            if offsets.len() != rows + 1 {
                return Err(wrong(format!("{} offsets for {rows} rows", offsets.len())));
            }
            Sparse::from_parts(offsets, indices, values, columns)?.into()
        }
        _ => return Err(wrong(format!("the array \"{prefix}.values\" is of another type than the rows"))),
    };
    Ok(vectors)
}
