//! Model files: save, load, and exchange with LIBSVM.
//!
//! A [`Model`] is a model with what belongs to it: the scaling of its features and a [`ModelCard`] that
//! says where it comes from. It is written as one [binary file](binary) or as plain [JSON](json), both with a
//! checksum.

pub mod binary;
mod bounds;
mod card;
mod class_model;
mod compressed;
mod convert;
mod document;
mod expansion;
mod explain;
mod frozen;
pub mod json;
mod kept;
mod learner_or_model;
mod libsvm_model;
mod libsvm_writer;
mod linear;
mod matrix;
mod matrix_model;
mod matrix_parts;
mod model;
mod model_bytes;
mod online;
mod scaling_file;
mod stored_items;
mod svc;
mod trained;
mod vectors;
mod wider;

pub use card::{KERNEL_VALUES, LABEL_ORDER, LIBSVM_RHO, ModelCard};
pub use compressed::Compressed;
pub use document::{Document, Numbers};
pub use explain::Explanation;
pub use learner_or_model::LearnerOrModel;
pub use libsvm_model::read_libsvm_model;
pub use libsvm_writer::{check_libsvm_model, write_libsvm_model};
pub use matrix_model::{Answer, MatrixModel};
pub use model::{Model, ModelFormat};
pub use model_bytes::{read_model_bytes, read_model_file};
pub use online::SavedLearner;
pub use scaling_file::SavedScaling;
pub use trained::TrainedMachine;
