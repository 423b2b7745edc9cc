//! What every trained machine keeps, as a document: kernel, layout, precision and support items.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::document::{Document, Numbers, wrong};
use super::stored_items::{self, StoredMending, parsed};
use super::vectors::{self, VectorsHeader};
use crate::data::{Collection, Items};
use crate::error::Result;
use crate::gram::{
    CollectionKernel, CollectionLayout, LearnedMending, PairwiseLayout, Precision, VectorLayout,
};
use crate::kernel::{Expression, StructureExpression};
use crate::machine::Kept;

/// What a model of any kind keeps.
pub(super) type KeptItems = Kept<CollectionKernel, Collection<'static>>;

/// The part of a header that all machines share. Of a kernel on rows the formula and the reference rows say everything; of others
/// the expression holds what was learned from the training items.
#[derive(Serialize, Deserialize)]
pub(super) struct KeptHeader {
    /// As people write it.
    kernel: String,
    /// Reference rows of `centre(…)`, in the order in which they stand in the kernel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    references: Option<Vec<VectorsHeader>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expression: Option<StructureExpression>,
    precision: StoredPrecision,
    layout: Value,
    items: Value,
    /// What the training items decided of a kernel that is shifted or clipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mended: Option<StoredMending>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum StoredPrecision {
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

/// The header; arrays of numbers are added to those of the machine.
pub(super) fn store(kept: &KeptItems, arrays: &mut Vec<(String, Numbers)>) -> KeptHeader {
    let expression = kept.kernel.expression();
    let items = stored_items::store(&kept.items, arrays);
    let references = expression.on_rows().map(|kernel| {
        let references = kernel.references();
        let references = references.iter().flatten().enumerate();
        references.map(|(at, rows)| vectors::store(rows, &format!("reference.{at}"), arrays)).collect()
    });
    KeptHeader {
        kernel: kept.kernel.to_string(),
        expression: references.is_none().then(|| expression.clone()),
        references,
        precision: kept.precision.into(),
        layout: match &kept.layout {
            CollectionLayout::Rows(layout) => serde_json::to_value(layout),
            CollectionLayout::Pairs(layout) => serde_json::to_value(layout),
        }
        .expect("a header of plain values"),
        items,
        mended: kept.kernel.learned_mending().map(|learned| StoredMending::of(learned, arrays)),
    }
}

/// What a document says was kept.
pub(super) fn load(header: KeptHeader, document: &mut Document) -> Result<KeptItems> {
    let expression = match header.expression {
        Some(expression) => expression,
        None => on_rows(&header.kernel, header.references, document)?,
    };
    let items = stored_items::load(header.items, &expression, document)?;
    let mended = header.mended.map(|stored| stored.load(&expression, document)).transpose()?;
    if mended.as_ref().map(LearnedMending::mending) != expression.mending() {
        return Err(wrong(format!("{expression}, and what was done to its values is not said")));
    }
    if let (Some(known), Collection::Rows(rows)) =
        (mended.as_ref().and_then(LearnedMending::known_items), &items)
        && known.rows()?.columns() != rows.columns()
    {
        let (found, columns) = (known.rows()?.columns(), rows.columns());
        return Err(wrong(format!(
            "a kernel that was clipped on rows of {found} columns, for rows of {columns}"
        )));
    }
    let is_laid_out = expression.mending() != Some(crate::linalg::Mending::Clip);
    let layout = match (&items, expression.on_rows()) {
        (Collection::Rows(rows), Some(kernel)) => {
            kernel.check(rows)?;
            match is_laid_out {
                true => CollectionLayout::Rows(layout_of_rows(header.layout, rows.columns())?),
                false => CollectionLayout::Pairs(parsed::<PairwiseLayout>(header.layout)?),
            }
        }
        (items, _) => {
            // What only training can fill in, or items that the kernel is not defined on, show in any value.
            if !items.is_empty() {
                expression.unmended().eval_diagonal(items.get(0))?;
            }
            CollectionLayout::Pairs(parsed(header.layout)?)
        }
    };
    let kernel = CollectionKernel::new(expression)?;
    let kernel = match mended {
        Some(learned) => kernel.with_mending(learned),
        None => kernel,
    };
    Ok(Kept { kernel, layout, precision: header.precision.into(), items, threads: 0 })
}

/// A kernel on rows of numbers, with its reference rows.
fn on_rows(
    formula: &str,
    references: Option<Vec<VectorsHeader>>,
    document: &mut Document,
) -> Result<StructureExpression> {
    let expression: StructureExpression = formula.parse()?;
    let (Some(kernel), Some(references)) = (expression.on_rows(), references) else {
        return Err(wrong("the header: missing field `references`".into()));
    };
    let mut rows = Vec::new();
    for (at, reference) in references.iter().enumerate() {
        rows.push(Some(Arc::new(vectors::load(reference, &format!("reference.{at}"), document)?)));
    }
    let kernel: Expression = kernel.clone().with_references(rows)?;
    if !kernel.is_resolved() {
        return Err(wrong(format!("the kernel {kernel} has parameters that only training can fill in")));
    }
    let unmended = StructureExpression::from(kernel);
    match expression.mending() {
        Some(mending) => unmended.mended(mending),
        None => Ok(unmended),
    }
}

fn layout_of_rows(layout: Value, columns: usize) -> Result<VectorLayout> {
    let layout: VectorLayout = parsed(layout)?;
    if layout.columns() != columns {
        let found = layout.columns();
        return Err(wrong(format!("a layout of {found} columns for items of {columns}")));
    }
    Ok(layout)
}
