//! What every trained machine keeps, as a document: kernel, layout, precision and support items.
//!
//! [`Stored`] is what machines need to know of it: [`KeptHeader`] for rows of numbers is here, that of structured items in
//! `structures.rs`.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::document::{Document, Numbers, wrong};
use super::vectors::{self, VectorsHeader};
use crate::data::{Items, Vectors};
use crate::error::Result;
use crate::gram::{Precision, VectorLayout, WithLayout};
use crate::kernel::Expression;
use crate::machine::Kept;

/// A kernel that is stored with the items that it compares.
pub(super) trait Stored: WithLayout + Sized {
    /// The items.
    type Kept: Items;
    /// The part of a header that all machines share.
    type Header: Serialize + DeserializeOwned;

    /// The header; arrays of numbers are added to those of the machine.
    fn store(kept: &Kept<Self, Self::Kept>, arrays: &mut Vec<(String, Numbers)>) -> Self::Header;

    /// What a document says was kept.
    fn load(header: Self::Header, document: &mut Document) -> Result<Kept<Self, Self::Kept>>;
}

impl Stored for Expression {
    type Kept = Vectors<'static>;
    type Header = KeptHeader;

    fn store(kept: &Kept<Self, Self::Kept>, arrays: &mut Vec<(String, Numbers)>) -> KeptHeader {
        store(&kept.kernel, &kept.layout, kept.precision, &kept.items, arrays)
    }

    fn load(header: KeptHeader, document: &mut Document) -> Result<Kept<Self, Self::Kept>> {
        load(header, document)
    }
}

/// The header of rows of numbers.
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
pub(super) enum StoredPrecision {
    F32,
    F64,
}

impl From<Precision> for StoredPrecision {
    fn from(precision: Precision) -> Self {
        match precision {
            Precision::F32 => StoredPrecision::F32,
            _ => StoredPrecision::F64,
        }
    }
}

impl From<StoredPrecision> for Precision {
    fn from(precision: StoredPrecision) -> Self {
        match precision {
            StoredPrecision::F32 => Precision::F32,
            StoredPrecision::F64 => Precision::F64,
        }
    }
}

/// Adds the arrays of support and reference items.
fn store(
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
        precision: precision.into(),
        layout: layout.clone(),
        items,
    }
}

/// What a document says was kept.
fn load(header: KeptHeader, document: &mut Document) -> Result<Kept<Expression, Vectors<'static>>> {
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
    Ok(Kept { kernel, layout: header.layout, precision: header.precision.into(), items, threads: 0 })
}
