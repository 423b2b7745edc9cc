//! What every machine can be told about how to compute, as opposed to what.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::gram::{Plan, Precision};
use crate::resources::{InstructionSet, Workers, default_budget};
use crate::solver::Settings;

/// How a machine is trained: accuracy, limits, precision, threads and memory.
///
/// ```
/// use mercer::machine::FitOptions;
/// let options = FitOptions { threads: 1, ..FitOptions::default() };
/// assert!(options.memory > 0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FitOptions {
    /// When the solver stops, and its limits.
    pub solver: Settings,
    /// Precision of kernel values; default `Auto`.
    pub precision: Precision,
    /// Threads; 0, the default, means as many as the process may use. The result does not depend on it.
    pub threads: usize,
    /// Bytes for cached rows of the Gram matrix; default [`default_budget`]. The result does not depend on it. A
    /// [`Method`](crate::solver::Method) that stores K may take so many for it.
    pub memory: u64,
    /// Vector instructions; `None`, the default, means what `MERCER_SIMD` says or else the strongest there are.
    pub instruction_set: Option<InstructionSet>,
}

impl Default for FitOptions {
    fn default() -> Self {
        FitOptions {
            solver: Settings::default(),
            precision: Precision::Auto,
            threads: 0,
            memory: default_budget(),
            instruction_set: None,
        }
    }
}

impl FitOptions {
    /// What the solver is told: its settings, and the memory that a method which stores K may take.
    pub(super) fn settings(&self) -> Settings {
        Settings { memory: self.memory, ..self.solver.clone() }
    }

    /// How values are computed for a training set of `n` items.
    ///
    /// # Errors
    /// An instruction set that is asked for and not there.
    pub fn plan(&self, n: usize) -> Result<Plan> {
        Ok(Plan {
            precision: self.precision.resolve(n),
            workers: Arc::new(Workers::checked(self.threads)?),
            level: match self.instruction_set {
                Some(level) => InstructionSet::parse(level.name())?,
                None => InstructionSet::from_environment()?,
            },
            cache_bytes: self.memory,
            interrupt: self.solver.interrupt.clone(),
        })
    }
}

/// So many bytes are taken for coefficients whatever the memory that is left to rows of K.
const ALWAYS: u64 = 16 << 20;

/// Refuses coefficients of very many classes if there is not the memory for them.
pub(super) fn check_classes(what: &'static str, needed: u64, memory: u64) -> Result<()> {
    let allowed = memory.max(ALWAYS);
    match needed <= allowed {
        true => Ok(()),
        false => {
            let instead =
                "allow more memory, or join classes (where they are numbers, a regression needs none)";
            Err(Error::Budget { what, needed, allowed, instead })
        }
    }
}

/// The setters that every machine's parameters share; `$options` is the field that holds the [`FitOptions`].
macro_rules! fit_options {
    ($options:ident) => {
        /// Largest violation of the optimality conditions that counts as solved; default 1e-3.
        pub fn tolerance(mut self, tolerance: f64) -> Self {
            self.$options.solver.stop = Stop::KktGap(tolerance);
            self
        }

        /// Stops on the relative duality gap (P − D)/max(|P|, |D|) instead.
        pub fn duality_gap(mut self, relative: f64) -> Self {
            self.$options.solver.stop = Stop::DualityGap(relative);
            self
        }

        /// Most steps of the solver, over all sub-problems each.
        pub fn max_iterations(mut self, steps: u64) -> Self {
            self.$options.solver.max_iterations = steps;
            self
        }

        /// Most wall time for the whole fit.
        pub fn max_time(mut self, time: Duration) -> Self {
            self.$options.solver.max_time = Some(time);
            self
        }

        /// Who may end the fit at once, without a model.
        ///
        /// ```
        /// use mercer::data::{Labels, Vectors};
        /// use mercer::kernel::Expression;
        /// use mercer::machine::Svc;
        /// use mercer::resources::Interrupt;
        /// let interrupt = Interrupt::new();
        /// let machine = Svc::params("linear".parse::<Expression>()?).interrupt(&interrupt).check()?;
        /// let (rows, labels) = (Vectors::from_rows(&[[0.0], [1.0]])?, Labels::from_text(["a", "b"]));
        /// assert!(machine.fit(&rows, &labels).is_ok());
        /// interrupt.raise();
        /// assert!(matches!(machine.fit(&rows, &labels), Err(mercer::Error::Interrupted)));
        /// # Ok::<(), mercer::Error>(())
        /// ```
        pub fn interrupt(mut self, interrupt: &Interrupt) -> Self {
            self.$options.solver.interrupt = Some(interrupt.clone());
            self
        }

        /// The method that solves the dual problem; default [`Method::Decomposition`], the fastest.
        ///
        /// ```
        /// use mercer::kernel::Expression;
        /// use mercer::machine::Svc;
        /// use mercer::solver::Method;
        /// let machine = Svc::params("linear".parse::<Expression>()?).solver_method(Method::Smo).check()?;
        /// assert_eq!(machine.options().solver.method, Method::Smo);
        /// # Ok::<(), mercer::Error>(())
        /// ```
        pub fn solver_method(mut self, method: Method) -> Self {
            self.$options.solver.method = method;
            self
        }

        /// Precision of kernel values.
        pub fn precision(mut self, precision: Precision) -> Self {
            self.$options.precision = precision;
            self
        }

        /// Threads; 0 means as many as there are.
        pub fn threads(mut self, threads: usize) -> Self {
            self.$options.threads = threads;
            self
        }

        /// Bytes for cached rows of the Gram matrix, and for K where the method of the solver stores it.
        pub fn memory(mut self, bytes: u64) -> Self {
            self.$options.memory = bytes;
            self
        }

        /// Vector instructions to use.
        pub fn instruction_set(mut self, level: InstructionSet) -> Self {
            self.$options.instruction_set = Some(level);
            self
        }

        /// All of the above at once.
        pub fn options(mut self, options: FitOptions) -> Self {
            self.$options = options;
            self
        }
    };
}
pub(crate) use fit_options;
