//! Models of structured items as documents: strings, trees, graphs and records in the header, the values of series as an array.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::document::{Document, Numbers, wrong};
use super::kept::{Stored, StoredPrecision};
use super::model_file::{encoded, no_classifier, write_bytes};
use super::{Answer, AnyModel, ModelCard, ModelFormat, SavedModel};
use crate::data::{Items, Series, StructureKind, Structures};
use crate::error::Result;
use crate::gram::{PairwiseLayout, StructureKernel};
use crate::kernel::StructureExpression;
use crate::machine::Kept;

/// The part of a header that all machines share.
#[derive(Serialize, Deserialize)]
pub(super) struct StructuresHeader {
    /// As people write it.
    kernel: String,
    /// With what was learned from the training items.
    expression: StructureExpression,
    precision: StoredPrecision,
    layout: PairwiseLayout,
    items: StoredItems,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredItems {
    /// All but time series.
    Plain(Structures),
    /// Channels and length of each; the values are the array `items.values`, one series after the other.
    Series(Vec<(usize, usize)>),
}

impl Stored for StructureKernel {
    type Kept = Structures;
    type Header = StructuresHeader;

    fn store(kept: &Kept<Self, Structures>, arrays: &mut Vec<(String, Numbers)>) -> StructuresHeader {
        let items = match &kept.items {
            Structures::Series(series) => {
                let values = series.iter().flat_map(Series::values).copied().collect();
                arrays.push(("items.values".into(), Numbers::F64(values)));
                StoredItems::Series(series.iter().map(|one| (one.channels(), one.len())).collect())
            }
            items => StoredItems::Plain(items.clone()),
        };
        StructuresHeader {
            kernel: kept.kernel.to_string(),
            expression: kept.kernel.expression().clone(),
            precision: kept.precision.into(),
            layout: kept.layout.clone(),
            items,
        }
    }

    fn load(header: StructuresHeader, document: &mut Document) -> Result<Kept<Self, Structures>> {
        let kernel = StructureKernel::new(header.expression)?;
        let items = match header.items {
            StoredItems::Plain(items) => items,
            StoredItems::Series(shapes) => {
                Structures::Series(series(&shapes, &document.take_f64("items.values")?)?)
            }
        };
        items.check_kind(kernel.expression().kind())?;
        if let (Structures::Records(records), Some(schema)) = (&items, kernel.expression().columns()?) {
            for record in records {
                schema.record(record.cells().to_vec())?;
            }
        }
        // What only training can fill in, or items that the kernel is not defined on, show in any value.
        if !items.is_empty() {
            kernel.expression().eval_diagonal(items.get(0))?;
        }
        Ok(Kept { kernel, layout: header.layout, precision: header.precision.into(), items, threads: 0 })
    }
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

/// Refuses a document whose parts do not fit each other.
pub(super) fn check(saved: &SavedModel<StructureKernel, Structures>, kind: StructureKind) -> Result<()> {
    let found = saved.model.support_items().kind();
    if found != kind {
        return Err(wrong(format!("the header says {kind}, and the support items are {found}")));
    }
    if saved.card.columns != 0 || saved.scaling.is_some() || saved.schema.is_some() {
        return Err(wrong(format!("a scaling, a schema or columns, which {kind} do not have")));
    }
    Ok(())
}

impl SavedModel<StructureKernel, Structures> {
    /// Joins the two.
    pub fn of_structures(model: AnyModel<StructureKernel, Structures>, card: ModelCard) -> Self {
        SavedModel { model, scaling: None, card, schema: None }
    }

    /// The model as the bytes of a file.
    pub fn to_bytes(&self, format: ModelFormat) -> Vec<u8> {
        encoded(self, Some(self.model.support_items().kind()), format)
    }

    /// Writes the model to a file, all or nothing.
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File).
    pub fn save(&self, path: &Path, format: ModelFormat) -> Result<()> {
        write_bytes(path, &self.to_bytes(format))
    }
}

impl AnyModel<StructureKernel, Structures> {
    /// The kernel with all that was learned from the training items.
    ///
    /// # Panics
    /// For a linear machine, which has no kernel: no function makes one of structured items.
    pub fn kernel(&self) -> &StructureKernel {
        &self.kept().expect("machines of structured items have a kernel").kernel
    }

    /// The support items.
    ///
    /// # Panics
    /// As [`kernel`](AnyModel::kernel).
    pub fn support_items(&self) -> &Structures {
        &self.kept().expect("machines of structured items have support items").items
    }

    /// Scores: for each item one per class; the highest is predicted.
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) if it is no classifier; items that the kernel is not defined on.
    pub fn class_scores(&self, items: &Structures) -> Result<Vec<f64>> {
        match self {
            AnyModel::Svc(model) => model.scores(items),
            AnyModel::Classes(model) => model.scores(items),
            AnyModel::Matrix(model) if model.answer() == Answer::Classes => model.values(items),
            _ => Err(no_classifier()),
        }
    }
}

impl ModelCard {
    /// A card for these training items, with everything else at its default.
    pub fn of_structures(items: &Structures) -> Self {
        ModelCard {
            mercer: env!("CARGO_PKG_VERSION").to_string(),
            rows: items.len() as u64,
            columns: 0,
            data_checksum: items.checksum(),
            feature_names: None,
            target_name: None,
            cost: 1.0,
            stop: String::new(),
            instruction_set: String::new(),
            notes: Default::default(),
        }
    }
}
