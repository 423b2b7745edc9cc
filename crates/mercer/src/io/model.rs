//! A model as a face handles it: loads, saves and asks.

use std::borrow::Cow;
use std::io::{Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::card::KERNEL_VALUES;
use super::convert::as_collection;
use super::document::{self, Document, required, wrong};
use super::{
    MatrixModel, ModelCard, TrainedMachine, binary, class_model, expansion, json, linear, matrix,
    model_bytes, online, read_libsvm_model, svc,
};
use crate::data::{Collection, ItemKind, Items, KernelRow, Scaling, Schema, Vectors, write_atomically};
use crate::error::{Error, Result};
use crate::machine::Kept;

/// How a model file is written; reading tells by itself.
///
/// ```
/// use std::path::Path;
/// use mercer::io::ModelFormat;
/// assert_eq!(ModelFormat::of(Path::new("iris.json")), ModelFormat::Json);
/// assert_eq!(ModelFormat::of(Path::new("iris.mercer")), ModelFormat::Binary);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModelFormat {
    /// [Binary](binary), with checksum.
    #[default]
    Binary,
    /// [Plain JSON](json).
    Json,
}

impl ModelFormat {
    /// JSON for paths that end in `.json`, binary for all others.
    pub fn of(path: &Path) -> Self {
        if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json")) {
            ModelFormat::Json
        } else {
            ModelFormat::Binary
        }
    }
}

/// A trained machine together with the scaling of its features and its card: what a model file holds, whatever the machine and its
/// items are.
///
/// ```
/// # use mercer::data::{Collection, Labels, Scaling, ScalingKind, Vectors};
/// # use mercer::io::{Model, ModelCard, ModelFormat};
/// # use mercer::kernel::Expression;
/// # use mercer::machine::Svc;
/// let rows = Vectors::from_rows(&[[0.0, 10.0], [1.0, 11.0], [0.0, 11.0], [1.0, 10.0]])?;
/// let labels = Labels::from_text(["same", "same", "other", "other"]);
/// let scaling = Scaling::fit(ScalingKind::Standardise, &rows)?;
/// let scaled = scaling.apply(&rows)?;
/// let trained = Svc::params("gaussian(gamma=1)".parse::<Expression>()?).cost(10.0).check()?.fit(&scaled, &labels)?;
/// let items = Collection::from(&rows);
/// let model = Model::new(trained, Some(scaling), ModelCard::of(&rows));
///
/// // Raw rows go in: the scaling travels with the model.
/// let bytes = model.to_bytes(ModelFormat::Binary);
/// let loaded = Model::from_bytes(&bytes)?;
/// let predicted = loaded.machine.classifier()?.predict_labels(&*loaded.prepare(&items)?)?;
/// assert_eq!(predicted, ["same", "same", "other", "other"]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    /// The trained machine.
    pub machine: TrainedMachine,
    /// What is done to rows before the machine sees them; items other than rows have none.
    pub scaling: Option<Scaling>,
    /// Where it comes from.
    pub card: ModelCard,
    /// How tables are read for it, if it was trained on one.
    pub schema: Option<Schema>,
}

/// The header of a document: everything that is not an array.
#[derive(Deserialize)]
struct Header {
    card: ModelCard,
    machine: String,
    model: Value,
    #[serde(deserialize_with = "required")]
    scaling: Option<Scaling>,
    #[serde(default)]
    schema: Option<Schema>,
    /// What its items are; rows of numbers if nothing is said.
    #[serde(default)]
    structures: Option<ItemKind>,
}

/// The same, of a model that is written.
#[derive(Serialize)]
struct HeaderOf<'a> {
    card: &'a ModelCard,
    machine: String,
    model: Value,
    scaling: &'a Option<Scaling>,
    schema: &'a Option<Schema>,
    structures: Option<ItemKind>,
}

/// The name of the machine, wherever else the header is about.
#[derive(Deserialize)]
struct MachineName {
    machine: String,
}

/// Members of the header that first versions of the formats leave out where there is nothing to be said.
const LEFT_OUT: [&str; 2] = ["structures", "schema"];

impl Model {
    /// Joins the three.
    pub fn new(machine: impl Into<TrainedMachine>, scaling: Option<Scaling>, card: ModelCard) -> Self {
        Model { machine: machine.into(), scaling, card, schema: None }
    }

    /// The same, for tables that look like this.
    pub fn with_schema(mut self, schema: Option<Schema>) -> Self {
        self.schema = schema;
        self
    }

    /// The same model with so many threads for predictions; 0, the default, means as many as there are.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.machine = self.machine.with_threads(threads);
        self
    }

    /// Items as the machine wants them: of its kind and, if they are rows, with its columns, scaled.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for items of another kind, [`Error::Shape`] for rows with another number of columns than the training
    /// set had.
    pub fn prepare<'a, 'c>(&self, items: &'a Collection<'c>) -> Result<Cow<'a, Collection<'c>>> {
        let kind = self.machine.item_kind();
        if items.kind() != kind {
            let what = format!("the model is one of {kind}, and the items are {}", items.kind());
            return Err(Error::Unsupported { what });
        }
        Ok(match items {
            Collection::Rows(rows) => match self.prepare_rows(rows)? {
                Some(scaled) => Cow::Owned(scaled.into()),
                None => Cow::Borrowed(items),
            },
            items => Cow::Borrowed(items),
        })
    }

    /// Rows, scaled; none where they need not be.
    fn prepare_rows(&self, rows: &Vectors<'_>) -> Result<Option<Vectors<'static>>> {
        let expected = usize::try_from(self.card.columns).unwrap_or(usize::MAX);
        if rows.columns() != expected {
            let what = "columns (as in the training set)";
            return Err(Error::Shape { what, expected, found: rows.columns() });
        }
        self.scaling.as_ref().map(|scaling| scaling.apply(rows)).transpose()
    }

    /// A model that was trained on kernel values as it is stored: the same functions over unit vectors, each of which picks the value with
    /// one training item out of a row of as many values as the card has columns. Other models are as they were.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a machine that must know k(x, x) of a new item.
    pub fn over_unit_vectors(mut self) -> Result<Self> {
        if self.machine.item_kind() != ItemKind::KernelValues {
            return Ok(self);
        }
        if let TrainedMachine::Matrix(
            MatrixModel::GaussianProcess(_)
            | MatrixModel::Laplace(_)
            | MatrixModel::View(_)
            | MatrixModel::Slab(_)
            | MatrixModel::Network(_),
        ) = &self.machine
        {
            let what = "this machine needs more of an item than its kernel values with the training items";
            return Err(Error::Unsupported { what: what.into() });
        }
        let columns = usize::try_from(self.card.columns).unwrap_or(usize::MAX);
        self.machine = self.machine.map_kept(&|kept| {
            let Collection::KernelValues(rows) = &kept.items else { return Ok(kept) };
            let places: Vec<usize> = rows.iter().filter_map(KernelRow::column).collect();
            as_collection(Kept::of_kernel_values(&places, columns)?)
        })?;
        self.card.notes.insert(KERNEL_VALUES.into(), "rows are kernel values with the training items".into());
        Ok(self)
    }

    /// The model as the bytes of a file.
    pub fn to_bytes(&self, format: ModelFormat) -> Vec<u8> {
        let (machine, model, arrays) = match &self.machine {
            TrainedMachine::Svc(model) => svc::store(model),
            TrainedMachine::Svr(model) => expansion::store_regression(model),
            TrainedMachine::Novelty(model) => expansion::store_novelty(model),
            TrainedMachine::Classes(model) => class_model::store(model),
            TrainedMachine::Linear(model) => linear::store_classes(model),
            TrainedMachine::LinearRegression(model) => linear::store_numbers(model),
            TrainedMachine::Matrix(model) => matrix::store(model),
        };
        let kind = self.machine.item_kind();
        let structures = (kind != ItemKind::Rows).then_some(kind);
        let Model { card, scaling, schema, .. } = self;
        let header = HeaderOf { card, machine, model, scaling, schema, structures };
        match format {
            // A schema of very many columns would take a hundred times its size as JSON values.
            ModelFormat::Binary => binary::encode_parts(&header, &arrays),
            ModelFormat::Json => {
                let header = serde_json::to_value(header).expect("a header of plain values");
                json::encode(&Document { header, arrays })
            }
        }
    }

    /// The model that these bytes hold, in either format of Mercer or in LIBSVM's; of an on-line learner, what it believes now
    /// ([`SavedLearner::model`](super::SavedLearner::model)).
    ///
    /// # Errors
    /// [`Error::ModelFile`] and others for bytes that are damaged, of another kind, or make no sense.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        if model_bytes::is_libsvm(bytes) {
            return read_libsvm_model(bytes);
        }
        // Without JSON values in between, which take far more memory.
        if let Some(MachineName { machine }) = binary::peek(bytes)
            && bytes.starts_with(&binary::MAGIC)
            && machine != online::NAME
        {
            let (header, arrays) = binary::decode_parts(bytes)?;
            return Self::from_header(header, Document { header: Value::Null, arrays }, false);
        }
        let (document, is_complete) = document::decode(bytes)?;
        Self::from_document(document, is_complete)
    }

    /// The model of a document; in one that is complete no member of the header is missing.
    pub(super) fn from_document(mut document: Document, is_complete: bool) -> Result<Self> {
        if online::SavedLearner::is_one(&document) {
            return online::SavedLearner::from_document(document)?.model();
        }
        let header = std::mem::take(&mut document.header);
        if let Some(name) = LEFT_OUT.iter().find(|name| is_complete && header.get(**name).is_none()) {
            return Err(wrong(format!("the header: missing field `{name}`")));
        }
        let header =
            serde_json::from_value(header).map_err(|problem| wrong(format!("the header: {problem}")))?;
        Self::from_header(header, document, is_complete)
    }

    /// The model of a header and the arrays of a document.
    fn from_header(header: Header, mut document: Document, is_complete: bool) -> Result<Self> {
        let Header { card, machine, model, scaling, schema, structures } = header;
        if is_complete && machine == svc::NAME && model.get(svc::DECISION).is_none() {
            return Err(wrong(format!("the header: missing field `{}`", svc::DECISION)));
        }
        let machine = match machine.as_str() {
            svc::NAME => TrainedMachine::Svc(svc::load(model, &mut document)?),
            expansion::REGRESSION => TrainedMachine::Svr(expansion::load_regression(model, &mut document)?),
            expansion::NOVELTY => TrainedMachine::Novelty(expansion::load_novelty(model, &mut document)?),
            class_model::NAME => TrainedMachine::Classes(class_model::load(model, &mut document)?),
            linear::CLASSES => TrainedMachine::Linear(linear::load_classes(model, &mut document)?),
            linear::NUMBERS => TrainedMachine::LinearRegression(linear::load_numbers(model, &mut document)?),
            name => match matrix::load(name, model, &mut document)? {
                Some(model) => TrainedMachine::Matrix(model),
                None => return Err(wrong(format!("a machine of the kind {name:?} is not known"))),
            },
        };
        let saved = Model { machine, scaling, card, schema };
        saved.check(structures.unwrap_or(ItemKind::Rows))?;
        Ok(saved)
    }

    /// Writes the model to a file, all or nothing.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn save(&self, path: &Path, format: ModelFormat) -> Result<()> {
        let bytes = self.to_bytes(format);
        write_atomically(path, |out| Ok(out.write_all(&bytes)?))
    }

    /// Reads a model from a file.
    ///
    /// # Errors
    /// As [`Model::from_bytes`], with the name of the file.
    pub fn load(path: &Path) -> Result<Self> {
        Self::from_bytes(&model_bytes::read_model_file(path)?).map_err(|error| error.in_file(path))
    }

    /// Reads a model from a stream, once: a pipe will do.
    ///
    /// # Errors
    /// As [`Model::from_bytes`]; [`Error::Budget`] for a stream of more bytes than half of the memory, [`Error::Io`].
    pub fn read(source: impl Read) -> Result<Self> {
        Self::from_bytes(&model_bytes::read_model_bytes(source)?)
    }

    /// Refuses parts that do not fit each other.
    fn check(&self, kind: ItemKind) -> Result<()> {
        let found = self.machine.item_kind();
        if found != kind {
            return Err(wrong(format!("the header says {kind}, and the support items are {found}")));
        }
        if kind != ItemKind::Rows {
            let has_columns = self.card.columns != 0 && kind != ItemKind::KernelValues;
            return match has_columns || self.scaling.is_some() || self.schema.is_some() {
                true => Err(wrong(format!("a scaling, a schema or columns, which {kind} do not have"))),
                false => Ok(()),
            };
        }
        let columns = self.machine.columns() as u64;
        if columns != self.card.columns {
            return Err(wrong(format!("a model of {columns} columns, the card says {}", self.card.columns)));
        }
        if let Some(scaling) = &self.scaling
            && scaling.columns() as u64 != columns
        {
            return Err(wrong(format!("a scaling of {} columns for items of {columns}", scaling.columns())));
        }
        if let Some(schema) = &self.schema {
            schema.check()?;
            if schema.columns() as u64 != columns {
                return Err(wrong(format!(
                    "a schema of {} columns for items of {columns}",
                    schema.columns()
                )));
            }
        }
        Ok(())
    }
}

impl ModelCard {
    /// A card for these training rows, with everything else at its default.
    pub fn of(rows: &Vectors<'_>) -> Self {
        Self::of_items(&rows.into())
    }

    /// The same for items of any kind.
    pub fn of_items(items: &Collection<'_>) -> Self {
        ModelCard {
            mercer: env!("CARGO_PKG_VERSION").to_string(),
            rows: items.len() as u64,
            columns: items.rows().map_or(0, Vectors::columns) as u64,
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
