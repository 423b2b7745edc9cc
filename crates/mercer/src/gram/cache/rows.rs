//! Which rows are kept, and within how many bytes.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::gram::Value;

/// Bytes that a matrix and its restrictions may keep together.
#[derive(Debug)]
pub(super) struct Budget {
    limit: u64,
    used: AtomicU64,
}

impl Budget {
    pub(super) fn new(limit: u64) -> Self {
        Budget { limit, used: AtomicU64::new(0) }
    }

    /// Takes these bytes if they are to be had.
    fn take(&self, bytes: u64) -> bool {
        let more = |used: u64| used.checked_add(bytes).filter(|&sum| sum <= self.limit);
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
    }

    fn give_back(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// Rows of one matrix in the order of their last use.
#[derive(Debug)]
pub(super) struct RowCache<T> {
    columns: usize,
    budget: Arc<Budget>,
    /// Counts uses; the greater, the more recent.
    clock: u64,
    rows: HashMap<usize, Kept<T>>,
    by_use: BTreeMap<u64, usize>,
}

#[derive(Debug)]
struct Kept<T> {
    /// Shared with whoever is adding it up just now, so that giving it up needs no waiting.
    values: Arc<Vec<T>>,
    last_use: u64,
}

impl<T: Value> RowCache<T> {
    pub(super) fn new(columns: usize, budget: Arc<Budget>) -> Self {
        RowCache { columns, budget, clock: 0, rows: HashMap::new(), by_use: BTreeMap::new() }
    }

    fn bytes_per_row(&self) -> u64 {
        (self.columns * size_of::<T>()).max(1) as u64
    }

    fn touch(&mut self, row: usize) -> Option<Arc<Vec<T>>> {
        let kept = self.rows.get_mut(&row)?;
        self.by_use.remove(&kept.last_use);
        self.clock += 1;
        kept.last_use = self.clock;
        self.by_use.insert(self.clock, row);
        Some(Arc::clone(&kept.values))
    }

    /// Rows whose last use was at or before `until`.
    fn older(&self, until: u64) -> usize {
        self.by_use.range(..=until).count()
    }

    /// Gives up the row that was not used for longest, if that was at or before `until`.
    fn evict(&mut self, until: u64) -> Option<Arc<Vec<T>>> {
        let (&last_use, &row) = self.by_use.first_key_value()?;
        if last_use > until {
            return None;
        }
        self.by_use.remove(&last_use);
        let kept = self.rows.remove(&row)?;
        self.budget.give_back(self.bytes_per_row());
        Some(kept.values)
    }

    /// Puts in a row for which bytes have been taken.
    fn insert(&mut self, row: usize, values: Vec<T>) {
        self.clock += 1;
        let kept = Kept { values: Arc::new(values), last_use: self.clock };
        if let Some(old) = self.rows.insert(row, kept) {
            // Two threads computed the same row.
            self.by_use.remove(&old.last_use);
            self.budget.give_back(self.bytes_per_row());
        }
        self.by_use.insert(self.clock, row);
    }
}

impl<T> Drop for RowCache<T> {
    fn drop(&mut self) {
        self.budget.give_back(self.rows.len() as u64 * (self.columns * size_of::<T>()).max(1) as u64);
    }
}

/// The rows of a matrix, and those of the wider matrices that it is a restriction of.
///
/// Locks are taken one at a time (never one inside another) and never while values are computed.
#[derive(Debug)]
pub(super) struct Chain<'a, T> {
    own: Mutex<RowCache<T>>,
    /// Widest first: their rows are given up before our own.
    wider: Vec<&'a Mutex<RowCache<T>>>,
    budget: Arc<Budget>,
    bytes_per_row: u64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic elsewhere cannot leave a cache half changed in a way that matters: rows are whole or absent.
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl<'a, T: Value> Chain<'a, T> {
    pub(super) fn new(own: RowCache<T>) -> Self {
        let (budget, bytes_per_row) = (Arc::clone(&own.budget), own.bytes_per_row());
        Chain { own: Mutex::new(own), wider: Vec::new(), budget, bytes_per_row }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.budget.used.load(Ordering::Relaxed)
    }

    /// Whether not even one row can be kept.
    pub(super) fn is_idle(&self) -> bool {
        self.bytes_per_row > self.budget.limit
    }

    /// The present moment: rows used from now on are not given up for the sake of rows of the same call.
    pub(super) fn begin(&self) -> u64 {
        lock(&self.own).clock
    }

    /// The kept ones among these rows.
    pub(super) fn look_up(&self, rows: &[usize]) -> Vec<Option<Arc<Vec<T>>>> {
        if self.is_idle() {
            return vec![None; rows.len()];
        }
        let mut own = lock(&self.own);
        rows.iter().map(|&row| own.touch(row)).collect()
    }

    /// How many of `wanted` more rows could be kept without giving up one that was used since `now`.
    pub(super) fn room(&self, now: u64, wanted: usize) -> usize {
        let free = self.budget.limit.saturating_sub(self.bytes()) / self.bytes_per_row;
        let free = usize::try_from(free).unwrap_or(usize::MAX);
        if free >= wanted {
            return wanted;
        }
        // A row of a wider matrix is at least as large as one of ours.
        let wider: usize = self.wider.iter().map(|wide| lock(wide).rows.len()).sum();
        (free + wider + lock(&self.own).older(now)).min(wanted)
    }

    /// Keeps a copy of a row if there is room.
    pub(super) fn keep(&self, now: u64, row: usize, values: &[T]) {
        let mut recycled = None;
        while !self.budget.take(self.bytes_per_row) {
            let wide = self.wider.iter().find_map(|wide| lock(wide).evict(u64::MAX));
            match wide.or_else(|| lock(&self.own).evict(now)) {
                Some(values) => recycled = Arc::try_unwrap(values).ok(),
                None => return,
            }
        }
        // Memory that was touched before is much cheaper than fresh memory.
        let mut copy: Vec<T> = recycled.filter(|old| old.capacity() == values.len()).unwrap_or_default();
        copy.clear();
        copy.extend_from_slice(values);
        lock(&self.own).insert(row, copy);
    }

    /// The kept rows with some of their columns only. Rows of the wider matrix make room where they must.
    pub(super) fn restrict<'b>(&'b self, columns: &[usize]) -> Chain<'b, T>
    where
        'a: 'b,
    {
        let mut narrow = RowCache::new(columns.len(), Arc::clone(&self.budget));
        let oldest_first: Vec<usize> = lock(&self.own).by_use.values().copied().collect();
        'rows: for row in oldest_first {
            let values = lock(&self.own).rows.get(&row).map(|kept| Arc::clone(&kept.values));
            let Some(values) = values else { continue };
            while !self.budget.take(narrow.bytes_per_row()) {
                if lock(&self.own).evict(u64::MAX).is_none() {
                    break 'rows;
                }
            }
            narrow.insert(row, columns.iter().map(|&c| values[c]).collect());
        }
        let mut wider: Vec<&'b Mutex<RowCache<T>>> = self.wider.clone();
        wider.push(&self.own);
        Chain { wider, ..Chain::new(narrow) }
    }
}
