//! Machines that need all of K at once: their options.

use std::sync::Arc;

use super::kept::Kept;
use crate::data::Items;
use crate::error::{Error, Result};
pub(super) use crate::gram::whole;
use crate::gram::{BulkKernel, Interruptible, Plan, Precision, SymmetricGram};
use crate::linalg::Matrix;
use crate::resources::{InstructionSet, Interrupt, Workers, default_budget};

/// How a machine that factorises K is trained: threads, memory, instructions, and who may end it. Values of K are in double precision.
///
/// ```
/// use mercer::machine::MatrixOptions;
/// let options = MatrixOptions { threads: 1, ..MatrixOptions::default() };
/// assert!(options.memory > 0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixOptions {
    /// Threads; 0, the default, means as many as the process may use. The result does not depend on it.
    pub threads: usize,
    /// Bytes for K and what is made of it; default [`default_budget`].
    pub memory: u64,
    /// Vector instructions; `None`, the default, means what `MERCER_SIMD` says or else the strongest there are.
    pub instruction_set: Option<InstructionSet>,
    /// Who may end the fit, without a model; by default [`Interrupt::current`].
    pub interrupt: Option<Interrupt>,
}

impl Default for MatrixOptions {
    fn default() -> Self {
        MatrixOptions {
            threads: 0,
            memory: default_budget(),
            instruction_set: None,
            interrupt: Interrupt::current(),
        }
    }
}

impl MatrixOptions {
    /// The threads, whose work somebody may end.
    pub(super) fn workers(&self) -> Result<Workers> {
        Ok(Workers::checked(self.threads)?.ended_by(self.interrupt.as_ref()))
    }

    /// How values are computed; so many bytes are for rows that are used again.
    pub(super) fn plan(&self, cache_bytes: u64) -> Result<Plan> {
        Ok(Plan {
            precision: Precision::F64,
            workers: Arc::new(self.workers()?),
            level: match self.instruction_set {
                Some(level) => InstructionSet::parse(level.name())?,
                None => InstructionSet::from_environment()?,
            },
            cache_bytes,
            interrupt: self.interrupt.clone(),
        })
    }

    /// Refuses so many matrices of n² numbers if there is not the memory for them.
    pub(super) fn check_memory(
        &self,
        what: &'static str,
        matrices: u64,
        n: usize,
        instead: &'static str,
    ) -> Result<()> {
        self.check_bytes(what, bytes(matrices, n), instead)
    }

    /// What is left of the memory beside so many bytes, which are refused if there is not the memory for them.
    pub(super) fn beside(&self, what: &'static str, needed: u64, instead: &'static str) -> Result<Self> {
        self.check_bytes(what, needed, instead)?;
        Ok(MatrixOptions { memory: self.memory - needed, ..self.clone() })
    }

    /// Refuses so many bytes if there is not the memory for them.
    pub(super) fn check_bytes(&self, what: &'static str, needed: u64, instead: &'static str) -> Result<()> {
        match needed <= self.memory {
            true => Ok(()),
            false => Err(Error::Budget { what, needed, allowed: self.memory, instead }),
        }
    }
}

/// Bytes of so many copies of one number per item and output, beyond those of one output, which are few beside all else.
pub(super) fn bytes_of_outputs(copies: u64, n: usize, outputs: usize) -> u64 {
    let others = outputs.saturating_sub(1) as u64;
    copies.saturating_mul(8).saturating_mul(n as u64).saturating_mul(others)
}

/// Bytes of so many matrices of n² numbers, and of what their factorisation needs beside them.
pub(super) fn bytes(matrices: u64, n: usize) -> u64 {
    let n = n as u64;
    matrices.saturating_mul(n).saturating_mul(n).saturating_mul(8).saturating_add(n.saturating_mul(8 * 256))
}

/// What `train` makes of the Gram matrix of items, with those of them that it says are needed. An item of weight w counts as w items in
/// what the kernel takes from them.
pub(super) fn trained<K, I, T>(
    kernel: &K,
    (items, weights): (&I, Option<&[f64]>),
    plan: &Plan,
    train: impl FnOnce(&dyn SymmetricGram) -> Result<(Vec<usize>, T)>,
) -> Result<(Kept<K, I::Owned>, T)>
where
    K: BulkKernel<I> + BulkKernel<I::Owned>,
    I: Items,
{
    let roomy = Plan { cache_bytes: plan.cache_bytes.max(default_budget()), ..plan.clone() };
    let kernel = BulkKernel::<I>::resolve_by(kernel, items, weights, &roomy)?;
    let layout = BulkKernel::<I>::layout(&kernel, items, plan)?;
    let (needed, made) = train(&*BulkKernel::<I>::symmetric(&kernel, items, &layout, plan)?)?;
    let items = items.select(&needed);
    Ok((Kept { items, kernel, layout, precision: Precision::F64, threads: 0 }, made))
}

/// All of K of the items that a model keeps, as the training saw it.
pub(super) fn whole_of<K, I>(kept: &Kept<K, I>, what: &'static str) -> Result<Matrix>
where
    K: BulkKernel<I>,
    I: Items,
{
    let options = MatrixOptions { threads: kept.threads, ..MatrixOptions::default() };
    options.check_memory(what, 1, kept.items.len(), "allow more memory")?;
    let plan = options.plan(0)?;
    let gram = kept.kernel.symmetric(&kept.items, &kept.layout, &plan)?;
    whole(&Interruptible::new(gram, plan.interrupt.clone()))
}

/// The setters of [`MatrixOptions`] that machines share; `$options` is the field that holds them.
macro_rules! matrix_options {
    ($options:ident) => {
        /// Threads; 0 means as many as there are.
        pub fn threads(mut self, threads: usize) -> Self {
            self.$options.threads = threads;
            self
        }

        /// Bytes for K and what is made of it.
        pub fn memory(mut self, bytes: u64) -> Self {
            self.$options.memory = bytes;
            self
        }

        /// Vector instructions to use.
        pub fn instruction_set(mut self, level: InstructionSet) -> Self {
            self.$options.instruction_set = Some(level);
            self
        }

        /// Who may end the fit, without a model.
        pub fn interrupt(mut self, interrupt: &Interrupt) -> Self {
            self.$options.interrupt = Some(interrupt.clone());
            self
        }

        /// All of the above at once.
        pub fn options(mut self, options: MatrixOptions) -> Self {
            self.$options = options;
            self
        }
    };
}
pub(crate) use matrix_options;
