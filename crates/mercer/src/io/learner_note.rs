//! What a program notes about a learner in its file, for itself.

use serde_json::Value;

use super::{SavedLearner, binary, json};
use crate::error::{Error, Result};

/// What the note is called in the header.
const NOTE: &str = "note";

impl SavedLearner {
    /// The bytes of a learner's file with a note in them, which readers that do not look for it pass over.
    ///
    /// ```
    /// use mercer::io::{ModelFormat, SavedLearner};
    /// use mercer::machine::online::{Online, RowMemory, Rule, Several};
    /// # let machine = || Online::params(RowMemory::new("linear".parse()?)?, Rule::Perceptron).check();
    /// # let learner = Several::of_classes(vec!["no".into(), "yes".into()], machine)?;
    /// # let saved = SavedLearner { learner, scaling: None, feature_names: None, label_name: None };
    /// let bytes = SavedLearner::noted(&saved.to_bytes(ModelFormat::Binary)?, "from the laboratory")?;
    /// assert_eq!(SavedLearner::note(&bytes)?.as_deref(), Some("from the laboratory"));
    /// assert_eq!(SavedLearner::from_bytes(&bytes)?.learner.classes(), ["no", "yes"]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ModelFile`] for bytes that are damaged.
    pub fn noted(bytes: &[u8], note: &str) -> Result<Vec<u8>> {
        let is_json = is_json(bytes);
        let mut document = if is_json { json::decode(bytes)? } else { binary::decode(bytes)? };
        match &mut document.header {
            Value::Object(header) => header.insert(NOTE.into(), note.into()),
            _ => return Err(Error::Unsupported { what: "the header is no object".into() }),
        };
        Ok(if is_json { json::encode(&document) } else { binary::encode(&document) })
    }

    /// The note in the bytes of a learner's file, if there is one.
    ///
    /// # Errors
    /// [`Error::ModelFile`] for bytes that are damaged.
    pub fn note(bytes: &[u8]) -> Result<Option<String>> {
        let document = if is_json(bytes) { json::decode(bytes)? } else { binary::decode(bytes)? };
        Ok(document.header.get(NOTE).and_then(Value::as_str).map(str::to_string))
    }
}

fn is_json(bytes: &[u8]) -> bool {
    bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}
