//! Saving and loading whole models.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::document::{self, Document, required, wrong};
use super::kept::Stored;
use super::model_bytes;
use super::{
    Answer, MatrixModel, ModelCard, binary, class_model, expansion, json, linear, matrix, online,
    read_libsvm_model, structures, svc,
};
use crate::data::{Items, Scaling, Schema, StructureKind, Structures, Vectors, write_atomically};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, Precision, StructureKernel, WithLayout};
use crate::kernel::Expression;
use crate::kernel::vector::Linear;
use crate::machine::{ClassModel, Kept, LinearModel, LinearSvrModel, NoveltyModel, SvcModel, SvrModel};
use crate::solver::Status;

/// A trained model of any kind, as the faces handle it: on numeric rows, or with another kernel on other items.
#[derive(Clone, Debug)]
pub enum AnyModel<K: WithLayout = Expression, I = Vectors<'static>> {
    /// A support vector classifier.
    Svc(SvcModel<K, I>),
    /// A support vector regression.
    Svr(SvrModel<K, I>),
    /// A novelty detector.
    Novelty(NoveltyModel<K, I>),
    /// A joint support vector machine of all classes.
    Classes(ClassModel<K, I>),
    /// A linear classifier, which has weights of features in place of support items.
    Linear(LinearModel),
    /// A linear regression, likewise.
    LinearRegression(LinearSvrModel),
    /// A machine that factorises K.
    Matrix(MatrixModel<K, I>),
}

/// What linear machines answer when they are asked for their kernel and their support items.
static LINEAR: LazyLock<Expression> = LazyLock::new(|| Expression::from(Linear));
static NO_ITEMS: LazyLock<Vectors<'static>> = LazyLock::new(|| {
    let none: [[f64; 0]; 0] = [];
    Vectors::from_rows(&none).expect("no rows")
});

impl AnyModel {
    /// The kernel with every automatic parameter filled in.
    pub fn kernel(&self) -> &Expression {
        self.kept().map_or(&LINEAR, |kept| &kept.kernel)
    }

    /// The support items; none for linear machines.
    pub fn support_items(&self) -> &Vectors<'static> {
        self.kept().map_or(&NO_ITEMS, |kept| &kept.items)
    }

    /// Scores: for each row one per class; the highest is predicted.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if it is no classifier; rows that the kernel is not defined on.
    pub fn class_scores(&self, rows: &Vectors<'_>) -> Result<Vec<f64>> {
        match self {
            AnyModel::Svc(model) => model.scores(rows),
            AnyModel::Classes(model) => model.scores(rows),
            AnyModel::Linear(model) => model.scores(rows),
            AnyModel::Matrix(model) if model.answer() == Answer::Classes => model.values(rows),
            AnyModel::Matrix(_) | AnyModel::Svr(_) | AnyModel::Novelty(_) | AnyModel::LinearRegression(_) => {
                Err(no_classifier())
            }
        }
    }

    /// Columns of the rows that it takes.
    pub fn columns(&self) -> usize {
        match self {
            AnyModel::Linear(model) => model.functions().columns,
            AnyModel::LinearRegression(model) => model.functions().columns,
            _ => self.support_items().columns(),
        }
    }

    /// The classifier of pairs.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if it is another machine.
    pub fn classifier(&self) -> Result<&SvcModel<Expression, Vectors<'static>>> {
        match self {
            AnyModel::Svc(model) => Ok(model),
            AnyModel::Svr(_) | AnyModel::Novelty(_) | AnyModel::LinearRegression(_) => Err(no_classifier()),
            AnyModel::Matrix(model) if model.answer() != Answer::Classes => Err(no_classifier()),
            AnyModel::Classes(_) | AnyModel::Linear(_) | AnyModel::Matrix(_) => {
                let what = "the model has one function per class, and not one per pair of classes".into();
                Err(Error::Unsupported { what })
            }
        }
    }
}

impl<K: WithLayout, I> AnyModel<K, I> {
    /// What it keeps of its training items; nothing for linear machines.
    pub fn kept(&self) -> Option<&Kept<K, I>> {
        match self {
            AnyModel::Svc(model) => Some(model.kept()),
            AnyModel::Svr(model) => Some(model.kept()),
            AnyModel::Novelty(model) => Some(model.kept()),
            AnyModel::Classes(model) => Some(model.kept()),
            AnyModel::Matrix(model) => Some(model.kept()),
            AnyModel::Linear(_) | AnyModel::LinearRegression(_) => None,
        }
    }

    /// The numbers of the training rows that the support items were, in their order; none for linear machines and for
    /// those that factorise K, most of which keep all rows.
    pub fn support_rows(&self) -> &[usize] {
        match self {
            AnyModel::Svc(model) => &model.pairs().support,
            AnyModel::Svr(model) => &model.expansion().support,
            AnyModel::Novelty(model) => &model.expansion().support,
            AnyModel::Classes(model) => &model.functions().support,
            AnyModel::Linear(_) | AnyModel::LinearRegression(_) | AnyModel::Matrix(_) => &[],
        }
    }

    /// The classes that the machine tells apart.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if it is no classifier.
    pub fn classes(&self) -> Result<&[String]> {
        match self {
            AnyModel::Svc(model) => Ok(model.classes()),
            AnyModel::Classes(model) => Ok(model.classes()),
            AnyModel::Linear(model) => Ok(model.classes()),
            AnyModel::Matrix(model) => model.classes().ok_or_else(no_classifier),
            AnyModel::Svr(_) | AnyModel::Novelty(_) | AnyModel::LinearRegression(_) => Err(no_classifier()),
        }
    }

    /// Precision of kernel values, the same in training and prediction.
    pub fn precision(&self) -> Precision {
        match self {
            AnyModel::Svc(model) => model.precision(),
            AnyModel::Svr(model) => model.kept().precision,
            AnyModel::Novelty(model) => model.kept().precision,
            AnyModel::Classes(model) => model.kept().precision,
            AnyModel::Matrix(model) => model.kept().precision,
            AnyModel::Linear(_) | AnyModel::LinearRegression(_) => Precision::F64,
        }
    }

    /// How the training ended, `Converged` if all its problems are solved; `None` where that is not known (a model of
    /// another program), or where no problem had to be solved.
    pub fn status(&self) -> Option<Status> {
        match self {
            AnyModel::Svc(model) => model.status(),
            AnyModel::Svr(model) => model.report().map(|report| report.status),
            AnyModel::Novelty(model) => model.report().map(|report| report.status),
            AnyModel::Classes(model) => model.status(),
            AnyModel::Linear(model) => model.status(),
            AnyModel::LinearRegression(model) => model.report().map(|report| report.status),
            AnyModel::Matrix(_) => None,
        }
    }

    /// The same model, whose training rows are known by other numbers: row i is number `numbers[i]` of a larger set.
    ///
    /// # Panics
    /// If there is no number for the row of a support item.
    pub fn renumbered(self, numbers: &[usize]) -> Self {
        match self {
            AnyModel::Svc(model) => AnyModel::Svc(model.renumbered(numbers)),
            AnyModel::Svr(model) => AnyModel::Svr(model.renumbered(numbers)),
            AnyModel::Novelty(model) => AnyModel::Novelty(model.renumbered(numbers)),
            AnyModel::Classes(model) => AnyModel::Classes(model.renumbered(numbers)),
            other @ (AnyModel::Linear(_) | AnyModel::LinearRegression(_) | AnyModel::Matrix(_)) => other,
        }
    }

    /// The same model with so many threads for predictions; 0, the default, means as many as there are.
    pub fn with_threads(self, threads: usize) -> Self {
        match self {
            AnyModel::Svc(model) => AnyModel::Svc(model.with_threads(threads)),
            AnyModel::Svr(model) => AnyModel::Svr(model.with_threads(threads)),
            AnyModel::Novelty(model) => AnyModel::Novelty(model.with_threads(threads)),
            AnyModel::Classes(model) => AnyModel::Classes(model.with_threads(threads)),
            AnyModel::Matrix(model) => AnyModel::Matrix(model.with_threads(threads)),
            linear @ (AnyModel::Linear(_) | AnyModel::LinearRegression(_)) => linear,
        }
    }
}

pub(super) fn no_classifier() -> Error {
    Error::Unsupported { what: "the model is no classifier: there is no use for it here yet".into() }
}

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

/// A model together with the scaling of its features and its card.
///
/// ```
/// # use mercer::data::{Labels, Scaling, ScalingKind, Vectors};
/// # use mercer::io::{AnyModel, ModelCard, ModelFormat, SavedModel, data_checksum};
/// # use mercer::kernel::Expression;
/// # use mercer::machine::Svc;
/// let rows = Vectors::from_rows(&[[0.0, 10.0], [1.0, 11.0], [0.0, 11.0], [1.0, 10.0]])?;
/// let labels = Labels::from_text(["same", "same", "other", "other"]);
/// let scaling = Scaling::fit(ScalingKind::Standardise, &rows)?;
/// let scaled = scaling.apply(&rows)?;
/// let model = Svc::params("gaussian(gamma=1)".parse::<Expression>()?).cost(10.0).check()?.fit(&scaled, &labels)?;
/// let saved = SavedModel::new(AnyModel::Svc(model), Some(scaling), ModelCard::of(&rows));
///
/// // Raw rows go in: the scaling travels with the model.
/// let bytes = saved.to_bytes(ModelFormat::Binary);
/// let loaded = SavedModel::from_bytes(&bytes)?;
/// let predicted = loaded.model.classifier()?.predict_labels(&loaded.prepare(&rows)?)?;
/// assert_eq!(predicted, ["same", "same", "other", "other"]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SavedModel<K: WithLayout = Expression, I = Vectors<'static>> {
    /// The model.
    pub model: AnyModel<K, I>,
    /// What is done to rows before the model sees them.
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
    structures: Option<StructureKind>,
}

/// The same, of a model that is written.
#[derive(Serialize)]
struct HeaderOf<'a> {
    card: &'a ModelCard,
    machine: String,
    model: Value,
    scaling: &'a Option<Scaling>,
    schema: &'a Option<Schema>,
    structures: Option<StructureKind>,
}

/// The name of the machine, wherever else the header is about.
#[derive(Deserialize)]
struct MachineName {
    machine: String,
}

/// Members of the header that first versions of the formats leave out where there is nothing to be said.
const LEFT_OUT: [&str; 2] = ["structures", "schema"];

impl SavedModel {
    /// Joins the three.
    pub fn new(model: AnyModel, scaling: Option<Scaling>, card: ModelCard) -> Self {
        SavedModel { model, scaling, card, schema: None }
    }

    /// The same, for tables that look like this.
    pub fn with_schema(mut self, schema: Option<Schema>) -> Self {
        self.schema = schema;
        self
    }

    /// Checks the number of columns and applies the scaling.
    ///
    /// # Errors
    /// [`Error::Shape`] for rows with another number of columns than the training set had.
    pub fn prepare(&self, rows: &Vectors<'_>) -> Result<Vectors<'static>> {
        let expected = usize::try_from(self.card.columns).unwrap_or(usize::MAX);
        if rows.columns() != expected {
            let what = "columns (as in the training set)";
            return Err(Error::Shape { what, expected, found: rows.columns() });
        }
        match &self.scaling {
            Some(scaling) => scaling.apply(rows),
            None => Ok(rows.select(&(0..rows.len()).collect::<Vec<_>>())),
        }
    }

    /// The model as the bytes of a file.
    pub fn to_bytes(&self, format: ModelFormat) -> Vec<u8> {
        encoded(self, None, format)
    }

    /// The model that these bytes hold, in either format.
    ///
    /// # Errors
    /// [`Error::ModelFile`] and others for bytes that are damaged, of another kind, or make no sense; [`Error::Unsupported`] for a
    /// model of structured items, which [`LoadedModel`] takes too.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        LoadedModel::from_bytes(bytes)?.of_rows()
    }

    /// Writes the model to a file, all or nothing.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn save(&self, path: &Path, format: ModelFormat) -> Result<()> {
        write_bytes(path, &self.to_bytes(format))
    }

    /// Reads a model from a file.
    ///
    /// # Errors
    /// As [`SavedModel::from_bytes`], with the name of the file.
    pub fn load(path: &Path) -> Result<Self> {
        LoadedModel::load(path)?.of_rows().map_err(|error| error.in_file(path))
    }

    fn check(&self) -> Result<()> {
        let columns = self.model.columns() as u64;
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

/// A model as the bytes of a file.
pub(super) fn encoded<K: Stored>(
    saved: &SavedModel<K, K::Kept>,
    structures: Option<StructureKind>,
    format: ModelFormat,
) -> Vec<u8> {
    let (machine, model, arrays) = match &saved.model {
        AnyModel::Svc(model) => svc::store(model),
        AnyModel::Svr(model) => expansion::store_regression(model),
        AnyModel::Novelty(model) => expansion::store_novelty(model),
        AnyModel::Classes(model) => class_model::store(model),
        AnyModel::Linear(model) => linear::store_classes(model),
        AnyModel::LinearRegression(model) => linear::store_numbers(model),
        AnyModel::Matrix(model) => matrix::store(model),
    };
    let SavedModel { card, scaling, schema, .. } = saved;
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

pub(super) fn write_bytes(path: &Path, bytes: &[u8]) -> Result<()> {
    write_atomically(path, |out| Ok(out.write_all(bytes)?))
}

/// A model from a file, whatever its items are.
///
/// ```
/// use mercer::data::{Labels, Structures};
/// use mercer::gram::StructureKernel;
/// use mercer::io::{AnyModel, LoadedModel, ModelCard, ModelFormat, SavedModel};
/// use mercer::machine::Svc;
/// let words = Structures::Strings(["gattaca", "gatgat", "ccacca", "cacacc"].map(String::from).to_vec());
/// let labels = Labels::from_text(["g", "g", "c", "c"]);
/// let model = Svc::params("spectrum(k=2)".parse::<StructureKernel>()?).check()?.fit(&words, &labels)?;
/// let saved = SavedModel::of_structures(AnyModel::Svc(model), ModelCard::of_structures(&words));
/// let LoadedModel::Structures(loaded) = LoadedModel::from_bytes(&saved.to_bytes(ModelFormat::Binary))? else {
///     panic!("a model of strings");
/// };
/// assert_eq!(loaded.model.class_scores(&words)?, saved.model.class_scores(&words)?);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum LoadedModel {
    /// Of rows of numbers.
    Rows(SavedModel),
    /// Of strings, trees, graphs, time series or records.
    Structures(SavedModel<StructureKernel, Structures>),
}

impl LoadedModel {
    /// The model that these bytes hold, in either format; of an on-line learner, what it believes now
    /// ([`SavedLearner::model`](super::SavedLearner::model)).
    ///
    /// # Errors
    /// [`Error::ModelFile`] and others for bytes that are damaged, of another kind, or make no sense.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        if model_bytes::is_libsvm(bytes) {
            return read_libsvm_model(bytes).map(LoadedModel::Rows);
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
            return Ok(LoadedModel::Rows(online::SavedLearner::from_document(document)?.model()?));
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
        if let Some(kind) = structures {
            let model = kernel_machine(&machine, model, &mut document)?.ok_or_else(|| unknown(&machine))?;
            let saved = SavedModel { model, scaling, card, schema };
            structures::check(&saved, kind)?;
            return Ok(LoadedModel::Structures(saved));
        }
        let model = match machine.as_str() {
            linear::CLASSES => AnyModel::Linear(linear::load_classes(model, &mut document)?),
            linear::NUMBERS => AnyModel::LinearRegression(linear::load_numbers(model, &mut document)?),
            name => kernel_machine(name, model, &mut document)?.ok_or_else(|| unknown(name))?,
        };
        let saved = SavedModel { model, scaling, card, schema };
        saved.check()?;
        Ok(LoadedModel::Rows(saved))
    }

    /// Reads a model from a file.
    ///
    /// # Errors
    /// As [`LoadedModel::from_bytes`], with the name of the file.
    pub fn load(path: &Path) -> Result<Self> {
        Self::from_bytes(&model_bytes::read_model_file(path)?).map_err(|error| error.in_file(path))
    }

    /// Reads a model from a stream, once: a pipe will do.
    ///
    /// # Errors
    /// As [`LoadedModel::from_bytes`]; [`Error::Budget`] for a stream of more bytes than half of the memory, [`Error::Io`].
    pub fn read(source: impl Read) -> Result<Self> {
        Self::from_bytes(&model_bytes::read_model_bytes(source)?)
    }

    /// The model, if its items are rows of numbers.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if they are not.
    pub fn of_rows(self) -> Result<SavedModel> {
        match self {
            LoadedModel::Rows(saved) => Ok(saved),
            LoadedModel::Structures(saved) => {
                let kind = saved.model.support_items().kind();
                Err(Error::Unsupported {
                    what: format!("the model is one of {kind}, not of rows of numbers"),
                })
            }
        }
    }
}

fn unknown(machine: &str) -> Error {
    wrong(format!("a machine of the kind {machine:?} is not known"))
}

/// A machine with a kernel, if the name is one's.
fn kernel_machine<K>(
    name: &str,
    model: Value,
    document: &mut Document,
) -> Result<Option<AnyModel<K, K::Kept>>>
where
    K: Stored + BulkKernel<<K as Stored>::Kept>,
{
    Ok(Some(match name {
        svc::NAME => AnyModel::Svc(svc::load(model, document)?),
        expansion::REGRESSION => AnyModel::Svr(expansion::load_regression(model, document)?),
        expansion::NOVELTY => AnyModel::Novelty(expansion::load_novelty(model, document)?),
        class_model::NAME => AnyModel::Classes(class_model::load(model, document)?),
        other => return Ok(matrix::load(other, model, document)?.map(AnyModel::Matrix)),
    }))
}

impl ModelCard {
    /// A card for these training rows, with everything else at its default.
    pub fn of(rows: &Vectors<'_>) -> Self {
        ModelCard {
            mercer: env!("CARGO_PKG_VERSION").to_string(),
            rows: rows.len() as u64,
            columns: rows.columns() as u64,
            data_checksum: super::data_checksum(rows),
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
