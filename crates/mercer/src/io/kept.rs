//! What every trained machine keeps, as a document: kernel, layout, precision and support items.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::document::{Document, Numbers, wrong};
use super::vectors::{self, VectorsHeader};
use crate::data::Vectors;
use crate::error::Result;
use crate::gram::{Precision, VectorLayout};
use crate::kernel::Expression;
use crate::machine::Kept;

/// The part of a header that all machines share.
#[derive(Serialize, Deserialize)]
pub(super) struct KeptHeader {
    kernel: String,
    /// Reference rows of `centre(…)`, in the order in which they stand in the kernel.
    references: Vec<VectorsHeader>,
    precision: StoredPrecision,
    layout: VectorLayout,
    items: VectorsHeader,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum StoredPrecision {
    F32,
    F64,
}

/// Adds the arrays of support and reference items.
pub(super) fn store(
    kernel: &Expression,
    layout: &VectorLayout,
    precision: Precision,
    items: &Vectors<'_>,
    arrays: &mut Vec<(String, Numbers)>,
) -> KeptHeader {
    let items = vectors::store(items, "items", arrays);
    let references = kernel.references();
    let references = references
        .iter()
        .flatten()
        .enumerate()
        .map(|(at, rows)| vectors::store(rows, &format!("reference.{at}"), arrays))
        .collect();
    KeptHeader {
        kernel: kernel.to_string(),
        references,
        precision: match precision {
            Precision::F32 => StoredPrecision::F32,
            _ => StoredPrecision::F64,
        },
        layout: layout.clone(),
        items,
    }
}

/// What a document says was kept.
pub(super) fn load(
    header: KeptHeader,
    document: &mut Document,
) -> Result<Kept<Expression, Vectors<'static>>> {
    let kernel: Expression = header.kernel.parse()?;
    let mut references = Vec::new();
    for (at, reference) in header.references.iter().enumerate() {
        references.push(Some(Arc::new(vectors::load(reference, &format!("reference.{at}"), document)?)));
    }
    let kernel = kernel.with_references(references)?;
    if !kernel.is_resolved() {
        return Err(wrong(format!("the kernel {kernel} has parameters that only training can fill in")));
    }
    let items = vectors::load(&header.items, "items", document)?;
    if header.layout.columns() != items.columns() {
        let (layout, items) = (header.layout.columns(), items.columns());
        return Err(wrong(format!("a layout of {layout} columns for items of {items}")));
    }
    kernel.check(&items)?;
    let precision = match header.precision {
        StoredPrecision::F32 => Precision::F32,
        StoredPrecision::F64 => Precision::F64,
    };
    Ok(Kept { kernel, layout: header.layout, precision, items, threads: 0 })
}
