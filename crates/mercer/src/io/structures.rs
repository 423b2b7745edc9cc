//! Models of structured items as documents: strings, trees, graphs and records in the header, the values of series as an array.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::document::{Document, Numbers, wrong};
use super::kept::{Stored, StoredPrecision};
use super::model_file::{encoded, no_classifier, write_bytes};
use super::{Answer, AnyModel, ModelCard, ModelFormat, SavedModel};
use crate::data::{Items, Series, StructureKind, Structures};
use crate::error::Result;
use crate::gram::{Clipped, Found, LearnedMending, PairwiseLayout, StructureKernel};
use crate::kernel::StructureExpression;
use crate::linalg::Matrix;
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
    /// What the training items decided of a kernel that is shifted or clipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mended: Option<StoredMending>,
}

/// Coordinates and eigenvalues of a clipped kernel are the arrays `mended.coordinates` and `mended.eigenvalues`.
#[derive(Serialize, Deserialize)]
struct StoredMending {
    smallest_eigenvalue: f64,
    negative: usize,
    #[serde(flatten)]
    found: StoredFound,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredFound {
    Shift { of: usize, shift: f64 },
    Clip(StoredItems),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredItems {
    /// All but time series.
    Plain(Structures),
    /// Channels and length of each; the values are an array, one series after the other.
    Series(Vec<(usize, usize)>),
}

/// Names of the arrays that the values of series are in.
const VALUES: &str = "items.values";
const MENDED_VALUES: &str = "mended.values";

impl StoredItems {
    fn of(items: &Structures, name: &str, arrays: &mut Vec<(String, Numbers)>) -> Self {
        match items {
            Structures::Series(series) => {
                let values = series.iter().flat_map(Series::values).copied().collect();
                arrays.push((name.into(), Numbers::F64(values)));
                StoredItems::Series(series.iter().map(|one| (one.channels(), one.len())).collect())
            }
            items => StoredItems::Plain(items.clone()),
        }
    }

    /// The items, of the kind and with the columns that the kernel compares.
    fn load(self, name: &str, kernel: &StructureExpression, document: &mut Document) -> Result<Structures> {
        let items = match self {
            StoredItems::Plain(items) => items,
            StoredItems::Series(shapes) => Structures::Series(series(&shapes, &document.take_f64(name)?)?),
        };
        items.check_kind(kernel.kind())?;
        if let (Structures::Records(records), Some(schema)) = (&items, kernel.columns()?) {
            for record in records {
                schema.record(record.cells().to_vec())?;
            }
        }
        Ok(items)
    }
}

impl StoredMending {
    fn of(learned: &LearnedMending, arrays: &mut Vec<(String, Numbers)>) -> Self {
        let found = match &learned.found {
            Found::Shift { items, shift } => StoredFound::Shift { of: *items, shift: *shift },
            Found::Clip(clipped) => {
                let items = StoredItems::of(&clipped.items, MENDED_VALUES, arrays);
                let coordinates = clipped.coordinates.values().to_vec();
                arrays.push(("mended.coordinates".into(), Numbers::F64(coordinates)));
                arrays.push(("mended.eigenvalues".into(), Numbers::F64(clipped.eigenvalues.clone())));
                StoredFound::Clip(items)
            }
        };
        StoredMending { smallest_eigenvalue: learned.least, negative: learned.negative, found }
    }

    fn load(self, kernel: &StructureExpression, document: &mut Document) -> Result<LearnedMending> {
        let found = match self.found {
            StoredFound::Shift { of, shift } => {
                if !(shift.is_finite() && shift >= 0.0) {
                    return Err(wrong(format!("the kernel is shifted by {shift}")));
                }
                Found::Shift { items: of, shift }
            }
            StoredFound::Clip(items) => {
                let items = items.load(MENDED_VALUES, kernel, document)?;
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

impl Stored for StructureKernel {
    type Kept = Structures;
    type Header = StructuresHeader;

    fn store(kept: &Kept<Self, Structures>, arrays: &mut Vec<(String, Numbers)>) -> StructuresHeader {
        let items = StoredItems::of(&kept.items, VALUES, arrays);
        StructuresHeader {
            kernel: kept.kernel.to_string(),
            expression: kept.kernel.expression().clone(),
            precision: kept.precision.into(),
            layout: kept.layout.clone(),
            items,
            mended: kept.kernel.learned_mending().map(|learned| StoredMending::of(learned, arrays)),
        }
    }

    fn load(header: StructuresHeader, document: &mut Document) -> Result<Kept<Self, Structures>> {
        let expression = header.expression;
        let items = header.items.load(VALUES, &expression, document)?;
        // What only training can fill in, or items that the kernel is not defined on, show in any value.
        if !items.is_empty() {
            expression.unmended().eval_diagonal(items.get(0))?;
        }
        let mended = header.mended.map(|stored| stored.load(&expression, document)).transpose()?;
        if mended.as_ref().map(LearnedMending::mending) != expression.mending() {
            return Err(wrong(format!("{expression}, and what was done to its values is not said")));
        }
        let kernel = StructureKernel::new(expression)?;
        let kernel = match mended {
            Some(learned) => kernel.with_mending(learned),
            None => kernel,
        };
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
            parameters: Default::default(),
            notes: Default::default(),
        }
    }
}
