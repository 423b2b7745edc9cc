//! Threads as an argument: a pool that is only started when a loop is worth it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::error::{Error, Result};
use crate::resources::Interrupt;

/// A number of threads that loops may use.
///
/// The pool belongs to the caller (one per fit, so that it survives a fork) and is started by the first
/// loop that is worth it; small problems never pay for it. Work is cut into chunks whose size does not
/// depend on the number of threads and chunk results are returned in order, so that the outcome is the same
/// bits for any number.
///
/// ```
/// use mercer::resources::Workers;
/// let workers = Workers::new(2);
/// let squares = workers.map(5, true, |i| i * i);
/// assert_eq!(squares, [0, 1, 4, 9, 16]);
/// ```
#[derive(Debug, Default)]
pub struct Workers {
    threads: usize,
    pool: OnceLock<Option<rayon::ThreadPool>>,
    interrupt: Option<Interrupt>,
}

impl Workers {
    /// More threads than any machine has use for.
    pub const MOST: usize = 1024;

    /// Up to `threads` threads, 0 meaning as many as the process may use, if the number makes sense.
    ///
    /// ```
    /// use mercer::resources::Workers;
    /// assert_eq!(Workers::checked(3)?.threads(), 3);
    /// assert!(Workers::checked(1_000_000).is_err());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] for more than [`Workers::MOST`].
    pub fn checked(threads: usize) -> Result<Self> {
        if threads > Self::MOST {
            let expected = "at most 1024, or 0 for as many as there are";
            return Err(Error::Parameter { name: "threads", value: threads as f64, expected });
        }
        Ok(Self::new(threads))
    }

    /// Up to `threads` threads; 0 means as many as the process may use.
    pub fn new(threads: usize) -> Self {
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        };
        Workers { threads, pool: OnceLock::new(), interrupt: Interrupt::current() }
    }

    /// The same threads, whose work somebody may end: long loops of linear algebra look up between their pieces.
    ///
    /// ```
    /// use mercer::resources::{Interrupt, Workers};
    /// let interrupt = Interrupt::new();
    /// let workers = Workers::new(2).ended_by(Some(&interrupt));
    /// assert!(workers.check().is_ok());
    /// interrupt.raise();
    /// assert!(matches!(workers.check(), Err(mercer::Error::Interrupted)));
    /// ```
    pub fn ended_by(mut self, interrupt: Option<&Interrupt>) -> Self {
        self.interrupt = interrupt.cloned().or(self.interrupt);
        self
    }

    /// Who may end the work.
    pub fn interrupt(&self) -> Option<&Interrupt> {
        self.interrupt.as_ref()
    }

    /// Looks up.
    ///
    /// # Errors
    /// [`Error::Interrupted`] once the work is to end.
    pub fn check(&self) -> Result<()> {
        self.interrupt.as_ref().map_or(Ok(()), Interrupt::check)
    }

    /// Cuts `data` into chunks as [`for_each_chunk`](Workers::for_each_chunk) does, and looks up before each: once the work is to end no
    /// further one is begun.
    ///
    /// ```
    /// use mercer::resources::{Interrupt, Workers};
    /// let interrupt = Interrupt::new();
    /// let workers = Workers::serial().ended_by(Some(&interrupt));
    /// let mut data = [0; 4];
    /// let ended = workers.try_each_chunk(&mut data, 2, false, |_, chunk| {
    ///     chunk.fill(1);
    ///     interrupt.raise();
    /// });
    /// assert!(ended.is_err());
    /// assert_eq!(data, [1, 1, 0, 0]);
    /// ```
    ///
    /// # Errors
    /// [`Error::Interrupted`] if some chunk may have been left out.
    pub fn try_each_chunk<T: Send>(
        &self,
        data: &mut [T],
        size: usize,
        worth: bool,
        f: impl Fn(usize, &mut [T]) + Sync,
    ) -> Result<()> {
        self.for_each_chunk(data, size, worth, |start, chunk| {
            if self.check().is_ok() {
                f(start, chunk);
            }
        });
        self.check()
    }

    /// The calling thread alone.
    pub fn serial() -> Self {
        Workers::new(1)
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// `f(0), …, f(tasks − 1)` in this order; on several threads if it is `worth` it.
    pub fn map<R: Send>(&self, tasks: usize, worth: bool, f: impl Fn(usize) -> R + Sync) -> Vec<R> {
        match self.pool(worth && tasks > 1) {
            Some(pool) => {
                let slots: Vec<Mutex<Option<R>>> = (0..tasks).map(|_| Mutex::new(None)).collect();
                each(pool, tasks, &|task| {
                    let result = f(task);
                    *slots[task].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
                });
                let taken =
                    |slot: Mutex<Option<R>>| slot.into_inner().unwrap_or_else(PoisonError::into_inner);
                slots.into_iter().filter_map(taken).collect()
            }
            None => (0..tasks).map(f).collect(),
        }
    }

    /// The same for few tasks that may take very different times.
    ///
    /// ```
    /// use mercer::resources::Workers;
    /// assert_eq!(Workers::new(2).map_one_by_one(4, |task| task * task), [0, 1, 4, 9]);
    /// ```
    pub fn map_one_by_one<R: Send>(&self, tasks: usize, f: impl Fn(usize) -> R + Sync) -> Vec<R> {
        self.map(tasks, true, f)
    }

    /// Cuts `data` into chunks of `size` and calls `f(start, chunk)` for each; on several threads if it is
    /// `worth` it. The chunks are returned to no one: `f` writes into them.
    ///
    /// ```
    /// use mercer::resources::Workers;
    /// let mut data = [0; 5];
    /// Workers::new(2).for_each_chunk(&mut data, 2, true, |start, chunk| chunk.fill(start));
    /// assert_eq!(data, [0, 0, 2, 2, 4]);
    /// ```
    pub fn for_each_chunk<T: Send>(
        &self,
        data: &mut [T],
        size: usize,
        worth: bool,
        f: impl Fn(usize, &mut [T]) + Sync,
    ) {
        let size = size.max(1);
        match self.pool(worth && data.len() > size) {
            Some(pool) => {
                let chunks: Vec<Mutex<&mut [T]>> = data.chunks_mut(size).map(Mutex::new).collect();
                each(pool, chunks.len(), &|i| {
                    f(i * size, &mut chunks[i].lock().unwrap_or_else(PoisonError::into_inner));
                });
            }
            None => data.chunks_mut(size).enumerate().for_each(|(i, chunk)| f(i * size, chunk)),
        }
    }

    fn pool(&self, worth: bool) -> Option<&rayon::ThreadPool> {
        if !worth || self.threads < 2 {
            return None;
        }
        // If the system refuses threads the work is done by the caller: slower, the same bits.
        self.pool
            .get_or_init(|| rayon::ThreadPoolBuilder::new().num_threads(self.threads).build().ok())
            .as_ref()
    }
}

/// Calls `f(0), …, f(tasks − 1)`: each thread takes the next task when it is done with one.
///
/// There is one job per thread and not one per task, because a thread that waits inside a task (for a pool of its own) takes up jobs of this
/// pool meanwhile: its stack grows with the number of jobs. What is called is an object, so that the machinery of the pool is compiled
/// once and not for every loop of the library: that was a third of all its code.
fn each(pool: &rayon::ThreadPool, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let task = next.fetch_add(1, Ordering::Relaxed);
            if task >= tasks {
                return;
            }
            f(task);
        }
    };
    pool.scope(|scope| (0..pool.current_num_threads().min(tasks)).for_each(|_| scope.spawn(|_| work())));
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        static DEPTH: Cell<usize> = const { Cell::new(0) };
    }

    #[test]
    fn tasks_that_use_threads_of_their_own_do_not_pile_up() {
        let (outer, inner) = (Workers::new(2), Workers::new(2));
        let depths = outer.map(5000, true, |task| {
            let depth = DEPTH.get() + 1;
            DEPTH.set(depth);
            let mut values = [0; 64];
            inner.for_each_chunk(&mut values, 1, true, |start, chunk| chunk.fill(start + task));
            DEPTH.set(depth - 1);
            assert_eq!(values.iter().sum::<usize>(), 63 * 32 + 64 * task);
            depth
        });
        // One task at work, and in each thread at most one job of the pool beside it.
        assert!(depths.iter().all(|&depth| depth <= 2), "{:?}", depths.iter().max());
    }
}
