//! How to compute, as opposed to what.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use mercer::gram::{Interruptible, Precision, PrecomputedGram};
use mercer::machine::FitOptions;
use mercer::resources::{InstructionSet, Interrupt, Workers};
use mercer::solver::{Settings, Stop};
use mercer::{Error, Result};
use pyo3::prelude::*;

/// What every estimator can be told about it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Options {
    tolerance: f64,
    /// Steps of the solver; none means no limit.
    max_iterations: Option<u64>,
    /// Seconds.
    max_time: Option<f64>,
    /// Bytes.
    memory: u64,
    pub threads: usize,
    /// "auto", "single" or "double".
    precision: String,
    /// How lines of progress begin; none means that there are none.
    pub name: Option<String>,
}

impl Options {
    pub fn fit_options(&self) -> Result<FitOptions> {
        let max_time = self.max_time.map(|seconds| {
            Duration::try_from_secs_f64(seconds).map_err(|_| Error::Parameter {
                name: "max_time",
                value: seconds,
                expected: "a number of seconds",
            })
        });
        Ok(FitOptions {
            solver: Settings {
                stop: Stop::KktGap(self.tolerance),
                max_iterations: self.max_iterations.unwrap_or(u64::MAX),
                max_time: max_time.transpose()?,
                ..Settings::default()
            },
            precision: match self.precision.as_str() {
                "single" => Precision::F32,
                "double" => Precision::F64,
                _ => Precision::Auto,
            },
            threads: self.threads,
            memory: self.memory,
            instruction_set: None,
        })
    }

    /// A kernel matrix that is summed by as many threads as may be used.
    pub fn gram<'a>(
        &self,
        values: Cow<'a, [f64]>,
        rows: usize,
        interrupt: &Interrupt,
    ) -> Result<Interruptible<PrecomputedGram<'a, f64>>> {
        let (level, workers) =
            (InstructionSet::from_environment()?, Arc::new(Workers::checked(self.threads)?));
        let gram = PrecomputedGram::symmetric(values, rows)?.with_resources(level, workers)?;
        Ok(Interruptible::new(gram, Some(interrupt.clone())))
    }
}
