//! Fuzzing: valid inputs that are changed at random, from seeds that are counted up from 1, so that every run tries the same ones, as many as
//! there is time for: `MERCER_FUZZ_SECONDS` for each fuzzer, 1 if it is not set. A failure prints its seed; `MERCER_FUZZ_SEED` tries that one alone.

mod mutation;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mercer::data::Random;

pub use mutation::mutated;

/// Nothing that is this small takes so long, even on a busy machine without optimization.
const LONGEST: Duration = Duration::from_secs(30);

/// Memory that an input took.
pub trait Meter {
    /// Begins to count for the input of this seed.
    fn begin(&self, seed: u64);

    /// Says what is wrong with what was counted for an input of so many bytes.
    fn end(&self, length: usize) -> Option<String>;
}

/// Nobody counts.
impl Meter for () {
    fn begin(&self, _: u64) {}

    fn end(&self, _: usize) -> Option<String> {
        None
    }
}

/// Runs `check` on what `draw` makes of one seed after the other. It must return: no panic, no hang, no more memory than the meter allows.
pub fn fuzz(
    name: &str,
    meter: impl Meter,
    mut draw: impl FnMut(&mut Random) -> Vec<u8>,
    check: impl Fn(&[u8]),
) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<f64>().ok());
    let only = number("MERCER_FUZZ_SEED").map(|seed| seed as u64);
    let seconds = Duration::from_secs_f64(number("MERCER_FUZZ_SECONDS").unwrap_or(1.0));
    let begun = Instant::now();
    let watch = Watch::new(name);
    let mut seed = only.unwrap_or(1);
    // One at least, however little time there is.
    loop {
        let input = draw(&mut Random::new(seed));
        let shown = || {
            let part = &input[..input.len().min(2000)];
            let more = if part.len() < input.len() { "… and more" } else { "" };
            format!("{name}: MERCER_FUZZ_SEED={seed}, {} bytes: {}{more}", input.len(), part.escape_ascii())
        };
        watch.begin(seed);
        meter.begin(seed);
        let started = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| check(&input)));
        let (taken, excess) = (started.elapsed(), meter.end(input.len()));
        watch.end();
        assert!(outcome.is_ok(), "panic: {}", shown());
        assert!(excess.is_none(), "{}: {}", excess.unwrap_or_default(), shown());
        assert!(taken < LONGEST, "{taken:?}: {}", shown());
        seed += 1;
        if only.is_some() || begun.elapsed() >= seconds {
            break;
        }
    }
    eprintln!("{name}: {} inputs", seed - only.unwrap_or(1));
}

/// Ends the process if an input is at work for much too long, and says which.
struct Watch(Arc<AtomicU64>);

const IDLE: u64 = u64::MAX;
const GONE: u64 = u64::MAX - 1;

impl Watch {
    fn new(name: &str) -> Self {
        let current = Arc::new(AtomicU64::new(IDLE));
        let (watched, name) = (current.clone(), name.to_string());
        std::thread::spawn(move || {
            let (mut last, mut since) = (IDLE, Instant::now());
            loop {
                std::thread::sleep(Duration::from_millis(200));
                let now = watched.load(Ordering::Relaxed);
                if now == GONE {
                    return;
                }
                if now != last {
                    (last, since) = (now, Instant::now());
                } else if now != IDLE && since.elapsed() > 4 * LONGEST {
                    eprintln!("{name}: MERCER_FUZZ_SEED={now} hangs");
                    std::process::abort();
                }
            }
        });
        Watch(current)
    }

    fn begin(&self, seed: u64) {
        self.0.store(seed, Ordering::Relaxed);
    }

    fn end(&self) {
        self.0.store(IDLE, Ordering::Relaxed);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.store(GONE, Ordering::Relaxed);
    }
}
