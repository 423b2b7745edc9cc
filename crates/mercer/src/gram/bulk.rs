//! Kernel and collection joined: what a learner needs in order to train on any items with any kernel.

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::{Gram, Precision, Room, Sums, SymmetricGram};
use crate::kernel::Definiteness;
use crate::resources::{InstructionSet, Interrupt, Workers, default_budget};

/// By what means values of K are computed: precision, threads, vector instructions, and memory for rows
/// that are used again.
///
/// None of it but the precision and the instruction set can be seen in a result.
///
/// ```
/// use std::sync::Arc;
/// use mercer::gram::{Plan, Precision};
/// use mercer::resources::Workers;
/// let plan = Plan { precision: Precision::F64, workers: Arc::new(Workers::new(2)), ..Plan::new()? };
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    /// `Auto` is decided by the number of training items, and recorded in the layout.
    pub precision: Precision,
    /// The threads.
    pub workers: Arc<Workers>,
    /// The vector instructions.
    pub level: InstructionSet,
    /// Bytes for kept rows.
    pub cache_bytes: u64,
    /// Who may end the work; by default [`Interrupt::current`].
    pub interrupt: Option<Interrupt>,
}

impl Plan {
    /// Automatic precision, the calling thread alone, the instruction set of the environment, and the
    /// default budget.
    ///
    /// # Errors
    /// [`Error::InstructionSet`](crate::Error::InstructionSet) if `MERCER_SIMD` asks for what the processor
    /// lacks.
    pub fn new() -> Result<Plan> {
        Ok(Plan {
            precision: Precision::Auto,
            workers: Arc::new(Workers::serial()),
            level: InstructionSet::from_environment()?,
            cache_bytes: default_budget(),
            interrupt: Interrupt::current(),
        })
    }

    /// Refuses vector instructions that the processor lacks.
    pub(crate) fn check(&self) -> Result<()> {
        check_level(self.level)
    }
}

/// [`Error::InstructionSet`](crate::Error::InstructionSet) if the processor lacks the level.
pub(crate) fn check_level(level: InstructionSet) -> Result<()> {
    InstructionSet::parse(level.name()).map(|_| ())
}

/// A kernel with something to decide once, from the training items, that prediction must share.
///
/// A trait of its own so that a model can name the type without naming a collection.
pub trait WithLayout {
    /// What is decided: precision, storage, where distances are measured from. A model keeps it.
    type Layout: Clone + std::fmt::Debug + Send + Sync + Serialize + DeserializeOwned + 'static;
}

/// A kernel that can give Gram matrices over a type of collection.
///
/// [`Expression`](crate::kernel::Expression) is one over [`Vectors`](crate::data::Vectors);
/// [`Pairwise`](crate::gram::Pairwise) makes one of any other kernel. Training calls
/// [`resolve`](BulkKernel::resolve), [`layout`](BulkKernel::layout) and
/// [`symmetric`](BulkKernel::symmetric), in this order; prediction calls [`cross`](BulkKernel::cross) with
/// the resolved kernel and the layout of the training.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::gram::{BulkKernel, Columns, Plan};
/// use mercer::kernel::Expression;
/// let plan = Plan::new()?;
/// let rows = Vectors::from_rows(&[[0.0, 1.0], [2.0, 0.0]])?;
/// let kernel = BulkKernel::resolve(&"gaussian + linear".parse::<Expression>()?, &rows, None)?;
/// let layout = kernel.layout(&rows, &plan)?;
/// assert_eq!(kernel.symmetric(&rows, &layout, &plan)?.diagonal(), [2.0, 5.0]);
///
/// let new = Vectors::from_rows(&[[0.0, 1.0]])?;
/// let mut f = [0.0];
/// kernel.cross(&rows, &new, &layout, &plan)?.accumulate(&[0], &[1.0], Columns::Range(0..1), &mut f)?;
/// assert_eq!(f, [2.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
pub trait BulkKernel<I: Items + ?Sized>: WithLayout + Clone + Send + Sync {
    /// Fills in what depends on the training items (automatic widths, reference sets) and checks that the
    /// kernel is defined on them. An item of weight w counts as w items; those without weight are checked like all others.
    /// To resolve twice is to resolve once.
    ///
    /// # Errors
    /// Those of the kernel: parameters without a value, items out of its domain.
    fn resolve(&self, items: &I, weights: Option<&[f64]>) -> Result<Self>;

    /// The same for a kernel that must look at values of itself to decide: by these means, within their memory.
    ///
    /// # Errors
    /// As [`BulkKernel::resolve`], and [`Error::Budget`].
    fn resolve_by(&self, items: &I, weights: Option<&[f64]>, _plan: &Plan) -> Result<Self> {
        self.resolve(items, weights)
    }

    /// Decides how values are computed.
    ///
    /// # Errors
    /// As the verbs of [`Gram`], for kernels that must look at values to decide.
    fn layout(&self, items: &I, plan: &Plan) -> Result<Self::Layout>;

    /// K of items with themselves.
    ///
    /// # Errors
    /// As the verbs of [`Gram`], and [`Error::Shape`](crate::Error::Shape) for items that do not fit the
    /// layout.
    fn symmetric<'a>(
        &'a self,
        items: &'a I,
        layout: &Self::Layout,
        plan: &Plan,
    ) -> Result<Box<dyn SymmetricGram + 'a>>;

    /// K of kept items (rows) against new ones (columns).
    ///
    /// # Errors
    /// As [`BulkKernel::symmetric`].
    fn cross<'a>(
        &'a self,
        rows: &'a I::Owned,
        columns: &'a I,
        layout: &Self::Layout,
        plan: &Plan,
    ) -> Result<Box<dyn Gram + 'a>>;

    /// Adds to `sums` what the values of this kernel are a function of, entry by entry, if they are and it is not there yet; whether
    /// [`of_sums`](BulkKernel::of_sums) can then be asked for them. For whoever needs K of several kernels on the same items.
    ///
    /// # Errors
    /// As [`BulkKernel::symmetric`].
    fn add_sums(&self, _items: &I, _plan: &Plan, _sums: &mut Sums) -> Result<bool> {
        Ok(false)
    }

    /// The values of some rows and columns of K, all held, from sums that this kernel has [added](BulkKernel::add_sums) what it needs
    /// to; with a diagonal where rows and columns are the same. They may differ from those of
    /// [`symmetric`](BulkKernel::symmetric) by rounding.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the sums are not there, [`Error::KernelValue`] for a value that is not finite,
    /// [`Error::InstructionSet`].
    fn of_sums<'r>(
        &self,
        _sums: &Sums,
        _rows: &[usize],
        _columns: &[usize],
        _plan: &Plan,
        _room: &'r mut Room,
    ) -> Result<Box<dyn SymmetricGram + 'r>> {
        Err(Error::Unsupported { what: "this kernel is not a function of sums over columns".into() })
    }

    /// Whether every Gram matrix is positive semi-definite by construction.
    fn definiteness(&self) -> Definiteness;
}
