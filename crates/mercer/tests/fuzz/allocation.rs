//! An allocator that counts what the current thread holds.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
    static SEED: Cell<u64> = const { Cell::new(0) };
}

/// No input of a few kilobytes has a use for more at once.
const MOST_AT_ONCE: usize = 8 << 30;

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

fn count(change: isize) {
    // A thread that ends has no counters any more.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + change);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(held.get())));
    });
}

/// Says which input is to blame before the process is aborted for want of memory.
fn is_too_much(size: usize) -> bool {
    if size > MOST_AT_ONCE {
        let seed = SEED.try_with(Cell::get).unwrap_or(0);
        eprintln!("MERCER_FUZZ_SEED={seed} asks for {size} bytes at once");
    }
    size > MOST_AT_ONCE
}

// SAFETY: every call is passed on to the system's allocator as it is, or refused with a null pointer.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_too_much(layout.size()) {
            return std::ptr::null_mut();
        }
        count(layout.size() as isize);
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_too_much(layout.size()) {
            return std::ptr::null_mut();
        }
        count(layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if is_too_much(size) {
            return std::ptr::null_mut();
        }
        count(size as isize - layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Begins to count for the input of this seed.
pub fn begin(seed: u64) {
    SEED.set(seed);
    HELD.set(0);
    PEAK.set(0);
}

/// The most bytes that this thread held beyond those that it had at the beginning.
pub fn end() -> usize {
    PEAK.get().max(0) as usize
}
