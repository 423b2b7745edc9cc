//! A file that holds an on-line learner or a model.

use std::io::Read;
use std::path::Path;

use super::document;
use super::model_bytes::{is_libsvm, read_model_bytes, read_model_file};
use super::{Model, SavedLearner};
use crate::error::Result;

/// What a model file holds, where an on-line learner is kept as such: it can go on learning. [`Model`] makes a model of it.
///
/// ```
/// use mercer::io::{LearnerOrModel, ModelFormat, read_libsvm_model};
/// let text = "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 -1\nnr_sv 1 1\nSV\n1 1:1\n-1 1:-1\n";
/// assert!(matches!(LearnerOrModel::from_bytes(text.as_bytes())?, LearnerOrModel::Model(_)));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum LearnerOrModel {
    /// An on-line learner, which is more than the model that it is now.
    Learner(Box<SavedLearner>),
    /// A model.
    Model(Box<Model>),
}

impl LearnerOrModel {
    /// The learner or model that these bytes hold, in a format of Mercer or of LIBSVM.
    ///
    /// # Errors
    /// As [`SavedLearner::from_bytes`] and [`Model::from_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let model = |model| LearnerOrModel::Model(Box::new(model));
        if is_libsvm(bytes) {
            return Model::from_bytes(bytes).map(model);
        }
        let (document, is_complete) = document::decode(bytes)?;
        match SavedLearner::is_one(&document) {
            true => SavedLearner::from_document(document)
                .map(|learner| LearnerOrModel::Learner(Box::new(learner))),
            false => Model::from_document(document, is_complete).map(model),
        }
    }

    /// Reads a stream once, so that it may be a pipe.
    ///
    /// # Errors
    /// As [`LearnerOrModel::from_bytes`] and [`read_model_bytes`].
    pub fn read(source: impl Read) -> Result<Self> {
        Self::from_bytes(&read_model_bytes(source)?)
    }

    /// Reads a file once.
    ///
    /// # Errors
    /// As [`LearnerOrModel::from_bytes`] and [`read_model_file`], with the name of the file.
    pub fn load(path: &Path) -> Result<Self> {
        Self::from_bytes(&read_model_file(path)?).map_err(|error| error.in_file(path))
    }
}
