//! On-line learners as files: all that is needed to go on as if there had been no break.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::document::{self, Document, Numbers, required, wrong};
use super::vectors::{self, VectorsHeader};
use super::{ModelFormat, binary, json, model_bytes};
use crate::data::{Scaling, write_checked};
use crate::error::{Error, Result};
use crate::kernel::Expression;
use crate::machine::online::{Online, OnlineState, RowMemory, Several, Tally};

/// What files call it.
pub(super) const NAME: &str = "online";

/// An on-line learner of numeric rows with what belongs to it: a checkpoint.
///
/// ```
/// use mercer::data::Row;
/// use mercer::io::{ModelFormat, SavedLearner};
/// use mercer::machine::online::{Answer, Online, RowMemory, Rule, Several};
/// let machine = || Online::params(RowMemory::new("gaussian(gamma=1)".parse()?)?, Rule::Perceptron).check();
/// let learner = Several::of_classes(vec!["no".into(), "yes".into()], machine)?;
/// let mut saved = SavedLearner::new(learner);
/// saved.learner.learn(Row::Dense64(&[0.0, 1.0]), Answer::Class(1))?;
///
/// let mut resumed = SavedLearner::from_bytes(&saved.to_bytes(ModelFormat::Binary)?)?;
/// assert_eq!(resumed.learner.tally(), saved.learner.tally());
/// let next = Row::Dense64(&[0.5, 0.5]);
/// assert_eq!(resumed.learner.learn(next, Answer::Class(0))?, saved.learner.learn(next, Answer::Class(0))?);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SavedLearner {
    /// The learner.
    pub learner: Several<RowMemory>,
    /// What is done to dense rows before it sees them.
    pub scaling: Option<Scaling>,
    /// Names of the columns, if the stream has them.
    pub feature_names: Option<Vec<String>>,
    /// Name of the label, if the stream has it.
    pub label_name: Option<String>,
    /// Which field of a table the label is, from 0.
    pub label_at: Option<usize>,
    /// What another program notes for itself.
    pub note: Option<String>,
    /// The options that it was begun with, and their values: whoever goes on with it can see whether the same was asked for.
    pub options: Option<BTreeMap<String, String>>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    machine: String,
    kernel: String,
    classes: Vec<String>,
    tally: Tally,
    #[serde(deserialize_with = "required")]
    scaling: Option<Scaling>,
    #[serde(deserialize_with = "required")]
    feature_names: Option<Vec<String>>,
    #[serde(deserialize_with = "required")]
    label_name: Option<String>,
    #[serde(default)]
    label_at: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    options: Option<BTreeMap<String, String>>,
    machines: Vec<One>,
}

#[derive(Serialize, Deserialize)]
struct One {
    #[serde(deserialize_with = "required")]
    columns: Option<u64>,
    items: VectorsHeader,
    state: OnlineState,
}

impl SavedLearner {
    /// A learner of rows as they are, about whose names nothing is known.
    pub fn new(learner: Several<RowMemory>) -> Self {
        let (scaling, feature_names, label_name, label_at) = (None, None, None, None);
        SavedLearner { learner, scaling, feature_names, label_name, label_at, note: None, options: None }
    }

    /// The learner as the bytes of a file.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a kernel that keeps rows of its own (`centre`).
    pub fn to_bytes(&self, format: ModelFormat) -> Result<Vec<u8>> {
        let kernel = self.learner.machines()[0].function().memory().kernel();
        if kernel.references().iter().flatten().next().is_some() {
            let what = format!("{kernel} keeps rows of its own: an on-line learner with it cannot be saved");
            return Err(Error::Unsupported { what });
        }
        let (mut arrays, mut machines) = (Vec::new(), Vec::new());
        for (at, machine) in self.learner.machines().iter().enumerate() {
            let (memory, state) = (machine.function().memory(), machine.state());
            let items = vectors::store(&memory.rows()?, &format!("{at}.items"), &mut arrays);
            let function = &state.function;
            arrays.push((format!("{at}.coefficients"), Numbers::F64(function.coefficients.clone())));
            arrays.push((format!("{at}.delayed"), Numbers::F64(function.delayed.clone())));
            arrays.push((format!("{at}.ids"), Numbers::U64(function.ids.clone())));
            arrays.push((format!("{at}.born"), Numbers::U64(function.born.clone())));
            machines.push(One { columns: memory.columns().map(|count| count as u64), items, state });
        }
        let header = Header {
            machine: NAME.into(),
            kernel: kernel.to_string(),
            classes: self.learner.classes().to_vec(),
            tally: self.learner.tally(),
            scaling: self.scaling.clone(),
            feature_names: self.feature_names.clone(),
            label_name: self.label_name.clone(),
            label_at: self.label_at.map(|at| at as u64),
            note: self.note.clone(),
            options: self.options.clone(),
            machines,
        };
        let header = serde_json::to_value(header).expect("a header of plain values");
        let document = Document { header, arrays };
        Ok(match format {
            ModelFormat::Binary => binary::encode(&document),
            ModelFormat::Json => json::encode(&document),
        })
    }

    /// The learner that these bytes hold.
    ///
    /// # Errors
    /// [`Error::ModelFile`] and others for bytes that are damaged, of another kind, or make no sense.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::from_document(document::decode(bytes)?.0)
    }

    /// Whether a document is that of a learner.
    pub(super) fn is_one(document: &Document) -> bool {
        document.header.get("machine").and_then(|name| name.as_str()) == Some(NAME)
    }

    /// The learner of a document.
    pub(super) fn from_document(mut document: Document) -> Result<Self> {
        if !Self::is_one(&document) {
            return Err(wrong("this is no on-line learner: only those can go on learning".into()));
        }
        let value = std::mem::take(&mut document.header);
        let header: Header =
            serde_json::from_value(value).map_err(|problem| wrong(format!("the header: {problem}")))?;
        let kernel: Expression = header.kernel.parse()?;
        let mut machines = Vec::new();
        for (at, mut one) in header.machines.into_iter().enumerate() {
            let rows = vectors::load(&one.items, &format!("{at}.items"), &mut document)?;
            let columns = one.columns.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
            let memory = RowMemory::with_rows(kernel.clone(), &rows, columns)?;
            one.state.function.coefficients = document.take_f64(&format!("{at}.coefficients"))?;
            one.state.function.delayed = document.take_f64(&format!("{at}.delayed"))?;
            one.state.function.ids = take_numbers(&mut document, &format!("{at}.ids"))?;
            one.state.function.born = take_numbers(&mut document, &format!("{at}.born"))?;
            machines.push(Online::resume(memory, one.state)?);
        }
        let Header { classes, tally, scaling, feature_names, label_name, label_at, note, options, .. } =
            header;
        let learner = Several::resume(machines, classes, tally)?;
        let label_at = label_at.and_then(|at| usize::try_from(at).ok());
        Ok(SavedLearner { learner, scaling, feature_names, label_name, label_at, note, options })
    }

    /// Writes a checkpoint, all or nothing: it is read back, and replaces what stood there only if the same learner comes out.
    ///
    /// # Errors
    /// As [`SavedLearner::to_bytes`] and [`SavedLearner::from_bytes`], [`Error::Unsupported`] for a name that ends in `.model`, and
    /// [`Error::File`]. What stood there stays then.
    pub fn save(&self, path: &Path, format: ModelFormat) -> Result<()> {
        Self::check_name(path)?;
        write_checked(path, &self.to_bytes(format)?, |bytes| {
            match Self::from_bytes(bytes)?.to_bytes(format)? == bytes {
                true => Ok(()),
                false => Err(wrong("the learner would not come back as it is".into())),
            }
        })
    }

    /// Refuses a name that says LIBSVM's format, which has no learners.
    ///
    /// # Errors
    /// [`Error::Unsupported`].
    pub fn check_name(path: &Path) -> Result<()> {
        match path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("model")) {
            true => {
                let what = "LIBSVM's format (.model) holds support vector machines only: let the name end in .mercer or .json";
                Err(Error::Unsupported { what: what.into() })
            }
            false => Ok(()),
        }
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// As [`SavedLearner::from_bytes`], with the name of the file.
    pub fn load(path: &Path) -> Result<Self> {
        Self::from_bytes(&model_bytes::read_model_file(path)?).map_err(|error| error.in_file(path))
    }
}

fn take_numbers(document: &mut Document, name: &str) -> Result<Vec<u64>> {
    match document.take(name)? {
        Numbers::U64(values) => Ok(values),
        _ => Err(wrong(format!("the array {name:?} is not of type u64"))),
    }
}
