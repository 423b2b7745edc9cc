//! Work that somebody else may end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Result};

/// A word that ends work at once: whoever has a copy can say it, from any thread, and what hears of it returns
/// [`Error::Interrupted`] instead of a result.
///
/// An observer that cancels gets the best model so far, which takes a last pass over the rows. This is for those who want
/// none: it is heard within some hundredths of a second, whatever is being done.
///
/// ```
/// use mercer::resources::Interrupt;
/// let interrupt = Interrupt::new();
/// let elsewhere = interrupt.clone();
/// std::thread::spawn(move || elsewhere.raise()).join().unwrap();
/// assert!(interrupt.is_raised());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// One that nobody has raised.
    pub fn new() -> Self {
        Interrupt::default()
    }

    /// Ends the work. It cannot be taken back.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work is to end.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// [`Error::Interrupted`] once the work is to end.
    pub(crate) fn check(&self) -> Result<()> {
        if self.is_raised() { Err(Error::Interrupted) } else { Ok(()) }
    }
}

/// Two are the same if whoever raises one raises the other.
impl PartialEq for Interrupt {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
