//! Kernel methods with certificates: any learner × any kernel × any data.
//!
//! A learner sees data only through kernel values. So the library is a row of rooms, and data walks through
//! them once, left to right:
//!
//! ```text
//! data ──▶ kernel ──▶ gram ──▶ solver ──▶ machine ──▶ evaluation ──▶ io
//! items    k(x, z)    blocks   one QP     learners     choices and     model files
//! labels   algebra    of K                and models   honest tests
//! ```
//!
//! Train a classifier, see how far from optimal it can be, and use it:
//!
//! ```
//! use mercer::data::{Labels, Vectors};
//! use mercer::kernel::Expression;
//! use mercer::machine::Svc;
//!
//! let rows = Vectors::from_rows(&[[0.0, 0.1], [0.2, 0.0], [1.0, 1.1], [0.9, 1.0]])?;
//! let labels = Labels::from_text(["low", "low", "high", "high"]);
//! let kernel: Expression = "0.5 * gaussian(gamma=2) + linear".parse()?;
//! let model = Svc::params(kernel).cost(10.0).check()?.fit(&rows, &labels)?;
//!
//! let report = &model.pairs().reports[0];
//! assert!(report.relative_gap().unwrap() < 1e-3);
//! let new = Vectors::from_rows(&[[0.95, 0.9]])?;
//! assert_eq!(model.predict_labels(&new)?, ["high"]);
//! # Ok::<(), mercer::Error>(())
//! ```
//!
//! Results are the same bits for any number of threads, any cache size and any batch, on one instruction set.

pub mod data;
pub mod error;
pub mod evaluation;
pub mod gram;
pub mod io;
pub mod kernel;
pub mod linalg;
pub mod machine;
pub mod resources;
pub mod solver;

pub use error::{Error, Result};

/// The programs in the README are compiled with the doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
