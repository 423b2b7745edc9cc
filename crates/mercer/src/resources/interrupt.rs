//! Work that somebody else, or a deadline, may end.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::error::{Error, Result};

/// A word that ends work at once: whoever has a copy can say it, from any thread, and what hears of it returns
/// [`Error::Interrupted`] instead of a result.
///
/// An observer that cancels gets the best model so far, which takes a last pass over the rows. This is for those who want
/// none: it is heard within some hundredths of a second, whatever is being done. A copy may have a deadline,
/// see [`Interrupt::until`].
///
/// ```
/// use mercer::resources::Interrupt;
/// let interrupt = Interrupt::new();
/// let elsewhere = interrupt.clone();
/// std::thread::spawn(move || elsewhere.raise()).join().unwrap();
/// assert!(interrupt.is_raised());
/// ```
///
/// Options of machines name it. What has no options, such as a prediction, hears of the one in whose [`scope`](Interrupt::scope) its
/// thread works.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    raised: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

thread_local! {
    /// The interrupt in whose scope this thread works.
    static CURRENT: RefCell<Option<Interrupt>> = const { RefCell::new(None) };
}

/// Ends a scope, also if the work in it panics.
struct Scope(Option<Interrupt>);

impl Drop for Scope {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

impl Interrupt {
    /// One that nobody has raised.
    pub fn new() -> Self {
        Interrupt::default()
    }

    /// A copy that is raised at the deadline too, or at its own one if that is earlier.
    ///
    /// ```
    /// use std::time::Instant;
    /// use mercer::resources::Interrupt;
    /// let interrupt = Interrupt::new();
    /// assert!(interrupt.until(Instant::now()).is_raised());
    /// assert!(!interrupt.is_raised());
    /// ```
    pub fn until(&self, deadline: Instant) -> Self {
        let deadline = self.deadline.map_or(deadline, |own| own.min(deadline));
        Interrupt { raised: Arc::clone(&self.raised), deadline: Some(deadline) }
    }

    /// Ends the work. It cannot be taken back.
    pub fn raise(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// Whether the work is to end.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Does work of this thread that may be ended: it is the default of all options that are made meanwhile, and predictions and long
    /// loops look at it.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::evaluation::insight::prototypes;
    /// use mercer::kernel::Expression;
    /// use mercer::resources::Interrupt;
    /// let interrupt = Interrupt::new();
    /// let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0]])?;
    /// let work = || prototypes(&"gaussian(gamma=1)".parse::<Expression>()?, &rows, 1);
    /// assert!(interrupt.scope(work).is_ok());
    /// interrupt.raise();
    /// assert!(matches!(interrupt.scope(work), Err(mercer::Error::Interrupted)));
    /// assert!(work().is_ok());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn scope<T>(&self, work: impl FnOnce() -> T) -> T {
        let _scope = Scope(CURRENT.replace(Some(self.clone())));
        work()
    }

    /// The interrupt in whose scope this thread works, if there is one.
    pub fn current() -> Option<Interrupt> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Looks up from a long loop.
    ///
    /// # Errors
    /// [`Error::Interrupted`] once the work in whose scope this thread is has to end.
    pub fn checkpoint() -> Result<()> {
        CURRENT.with_borrow(|current| current.as_ref().map_or(Ok(()), Interrupt::check))
    }

    /// [`Error::Interrupted`] once the work is to end.
    pub(crate) fn check(&self) -> Result<()> {
        if self.is_raised() { Err(Error::Interrupted) } else { Ok(()) }
    }
}

/// One that is raised by setting a flag, as handlers of signals do.
impl From<Arc<AtomicBool>> for Interrupt {
    fn from(raised: Arc<AtomicBool>) -> Self {
        Interrupt { raised, deadline: None }
    }
}

/// Two are the same if whoever raises one raises the other, and both end at the same time.
impl PartialEq for Interrupt {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.raised, &other.raised) && self.deadline == other.deadline
    }
}
