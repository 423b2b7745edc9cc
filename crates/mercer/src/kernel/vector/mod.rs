//! Kernels on numeric rows.

mod form;

pub use form::{Epilogue, Form, Measure, power};
