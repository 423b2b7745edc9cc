//! Rows of a Gram matrix kept for the next time they are asked for.

mod rows;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Result;
use crate::gram::weighted::add_row;
use crate::gram::{Block, Columns, Gram, Interruptible, Plan, Precision, SymmetricGram, Value};
use crate::resources::{InstructionSet, Workers};
use rows::{Budget, Chain, RowCache};

/// Rows that are computed by one call of the inner matrix: at most, and at least.
const BATCH: (usize, usize) = (32, 4);

/// Bytes that a batch should not exceed.
const BATCH_BYTES: usize = 16 << 20;

/// Columns that one task of a parallel sum handles.
const CHUNK: usize = 4096;

/// Values from which a sum is worth several threads.
const WORTH_THREADS: usize = 1 << 18;

/// A Gram matrix that keeps whole rows of another one, least recently used ones given up first.
///
/// Memory is taken row by row up to the budget and then recycled. Results have the same bits for every
/// budget, 0 included: a kept row is what the inner matrix computes, added up in the same order. No lock is
/// held while values are computed or added.
///
/// ```
/// use mercer::gram::{CachedGram, Columns, Gram, Plan, PrecomputedGram};
/// let gram = PrecomputedGram::symmetric(vec![2.0, 1.0, 1.0, 3.0], 2)?;
/// let cached = CachedGram::new(&gram, &Plan { cache_bytes: 1 << 20, ..Plan::new()? })?;
/// for _ in 0..3 {
///     cached.accumulate(&[1], &[0.5], Columns::Range(0..2), &mut [0.0; 2])?;
/// }
/// assert_eq!((cached.statistics().computed, cached.statistics().hits), (1, 2));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Debug)]
pub struct CachedGram<'a, G: Gram> {
    inner: Interruptible<G>,
    store: Store<'a>,
    counters: Arc<Counters>,
    level: InstructionSet,
    workers: Arc<Workers>,
}

/// What a cache has done so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheStatistics {
    /// Rows computed by the inner matrix, kept or not.
    pub computed: u64,
    /// Rows that were there when they were asked for.
    pub hits: u64,
    /// Bytes of the rows kept now.
    pub bytes: u64,
}

#[derive(Debug, Default)]
struct Counters {
    computed: AtomicU64,
    hits: AtomicU64,
}

/// Rows in the precision of the inner matrix.
#[derive(Debug)]
enum Store<'a> {
    F32(Chain<'a, f32>),
    F64(Chain<'a, f64>),
}

impl<G: Gram> CachedGram<'_, G> {
    /// Keeps rows of `inner` in up to `plan.cache_bytes` bytes. The plan's vector instructions must be those
    /// of the inner matrix, or sums of kept rows would be rounded otherwise than its own.
    ///
    /// # Errors
    /// [`Error::InstructionSet`](crate::Error::InstructionSet) if the processor lacks them.
    pub fn new(inner: G, plan: &Plan) -> Result<Self> {
        plan.check()?;
        let columns = inner.shape().1;
        let budget = Arc::new(Budget::new(plan.cache_bytes));
        let store = match inner.precision() {
            Precision::F32 => Store::F32(Chain::new(RowCache::new(columns, budget))),
            _ => Store::F64(Chain::new(RowCache::new(columns, budget))),
        };
        Ok(CachedGram {
            inner: Interruptible::new(inner, plan.interrupt.clone()),
            store,
            counters: Arc::default(),
            level: plan.level,
            workers: Arc::clone(&plan.workers),
        })
    }

    /// What the cache has done so far, restrictions of this matrix included.
    pub fn statistics(&self) -> CacheStatistics {
        CacheStatistics {
            computed: self.counters.computed.load(Ordering::Relaxed),
            hits: self.counters.hits.load(Ordering::Relaxed),
            bytes: match &self.store {
                Store::F32(chain) => chain.bytes(),
                Store::F64(chain) => chain.bytes(),
            },
        }
    }

    /// The matrix whose rows are kept.
    pub fn inner(&self) -> &G {
        self.inner.inner()
    }

    fn count(&self, computed: usize, hits: usize) {
        self.counters.computed.fetch_add(computed as u64, Ordering::Relaxed);
        self.counters.hits.fetch_add(hits as u64, Ordering::Relaxed);
    }

    fn fill_from<T: Value>(
        &self,
        chain: &Chain<'_, T>,
        rows: &[usize],
        columns: Columns<'_>,
        mut out: Block<'_>,
    ) -> Result<()> {
        if columns.is_empty() {
            return Ok(());
        }
        let kept = chain.look_up(rows);
        self.count(0, kept.iter().flatten().count());
        for (start, end) in runs(&kept) {
            match &kept[start] {
                Some(row) => out.write_row(start, row, &columns),
                None => {
                    self.inner.fill(&rows[start..end], columns.clone(), out.below(start))?;
                }
            }
        }
        Ok(())
    }

    /// Rows are taken in batches; of each batch what is not there is computed in one go, and then all are added in
    /// order. `keep_at` is the moment of a sum over all columns, whose rows are worth keeping as far as the budget goes.
    fn accumulate_from<T: Value>(
        &self,
        chain: &Chain<'_, T>,
        rows: &[usize],
        weights: &[f64],
        columns: &Columns<'_>,
        keep_at: Option<u64>,
        f: &mut [f64],
    ) -> Result<()> {
        let n = f.len();
        let size = (BATCH_BYTES / (n * size_of::<T>()).max(1)).clamp(BATCH.1, BATCH.0);
        let mut batch: Vec<T> = Vec::new();
        for (rows, weights) in rows.chunks(size).zip(weights.chunks(size)) {
            self.inner.check()?;
            let kept = chain.look_up(rows);
            let mut missing: Vec<usize> =
                rows.iter().zip(&kept).filter(|(_, kept)| kept.is_none()).map(|(&row, _)| row).collect();
            let hits = rows.len() - missing.len();
            missing.sort_unstable();
            missing.dedup();
            self.count(missing.len(), hits);
            let keep_at = keep_at.filter(|&now| chain.room(now, missing.len()) >= missing.len());
            if hits == 0 && keep_at.is_none() {
                // Rows that nobody keeps are added while their values are in registers.
                self.inner.accumulate(rows, weights, columns.clone(), f)?;
                continue;
            }
            if batch.len() < missing.len() * n {
                batch.resize(missing.len() * n, T::default());
            }
            if !missing.is_empty() {
                self.inner.fill(&missing, columns.clone(), T::block(&mut batch, n))?;
            }
            // Kept rows have all columns, computed ones those that are asked for.
            let sources: Vec<(&[T], bool)> = rows
                .iter()
                .zip(&kept)
                .map(|(row, kept)| match kept {
                    Some(kept) => (&kept[..], true),
                    None => (&batch[missing.partition_point(|m| m < row) * n..][..n], false),
                })
                .collect();
            self.workers.for_each_chunk(f, CHUNK, rows.len() * n >= WORTH_THREADS, |start, f| {
                let part = start..start + f.len();
                for (&(row, is_whole), &weight) in sources.iter().zip(weights) {
                    let columns =
                        if is_whole { columns.slice(part.clone()) } else { Columns::Range(part.clone()) };
                    add_row(self.level, weight, row, &columns, f);
                }
            });
            if let Some(now) = keep_at {
                for (&row, values) in missing.iter().zip(batch.chunks(n.max(1))) {
                    chain.keep(now, row, values);
                }
            }
        }
        Ok(())
    }

    fn verb<T: Value>(
        &self,
        chain: &Chain<'_, T>,
        rows: &[usize],
        weights: &[f64],
        columns: Columns<'_>,
        f: &mut [f64],
    ) -> Result<()> {
        if chain.is_idle() {
            self.count(rows.len(), 0);
            return self.inner.accumulate(rows, weights, columns, f);
        }
        let is_whole = matches!(&columns, Columns::Range(range) if *range == (0..self.inner.shape().1));
        let keep_at = is_whole.then(|| chain.begin());
        self.accumulate_from(chain, rows, weights, &columns, keep_at, f)
    }
}

/// A symmetric matrix whose rows are kept, unless they are as cheap to compute.
pub(super) fn kept<'a, G: SymmetricGram + 'a>(
    gram: G,
    cheap: bool,
    plan: &Plan,
) -> Result<Box<dyn SymmetricGram + 'a>> {
    Ok(match cheap {
        true => Box::new(Interruptible::new(gram, plan.interrupt.clone())),
        false => Box::new(CachedGram::new(gram, plan)?),
    })
}

/// Neighbouring rows that are all missing are one run, every kept row is a run of its own.
fn runs<T>(kept: &[Option<Arc<Vec<T>>>]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, row) in kept.iter().enumerate() {
        match runs.last_mut() {
            Some((start, end)) if row.is_none() && kept[*start].is_none() => *end = at + 1,
            _ => runs.push((at, at + 1)),
        }
    }
    runs
}

impl<G: Gram> Gram for CachedGram<'_, G> {
    fn shape(&self) -> (usize, usize) {
        self.inner.shape()
    }

    fn precision(&self) -> Precision {
        self.inner.precision()
    }

    fn fill(&self, rows: &[usize], columns: Columns<'_>, out: Block<'_>) -> Result<()> {
        match &self.store {
            Store::F32(chain) => self.fill_from(chain, rows, columns, out),
            Store::F64(chain) => self.fill_from(chain, rows, columns, out),
        }
    }

    fn accumulate(&self, rows: &[usize], weights: &[f64], columns: Columns<'_>, f: &mut [f64]) -> Result<()> {
        match &self.store {
            Store::F32(chain) => self.verb(chain, rows, weights, columns, f),
            Store::F64(chain) => self.verb(chain, rows, weights, columns, f),
        }
    }

    /// The kept rows come along. Both matrices share the budget; where it does not reach, rows of this one
    /// are given up first.
    fn restrict(&self, columns: &[usize]) -> Result<Box<dyn Gram + '_>> {
        Ok(Box::new(CachedGram {
            inner: self.inner.restricted(columns)?,
            store: match &self.store {
                Store::F32(chain) => Store::F32(chain.restrict(columns)),
                Store::F64(chain) => Store::F64(chain.restrict(columns)),
            },
            counters: Arc::clone(&self.counters),
            level: self.level,
            workers: Arc::clone(&self.workers),
        }))
    }
}

impl<G: SymmetricGram> SymmetricGram for CachedGram<'_, G> {
    fn diagonal(&self) -> &[f64] {
        self.inner.diagonal()
    }
}
