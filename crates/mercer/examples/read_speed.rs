//! Reads data files and prints how many megabytes of text per second that is.
//!
//! `cargo run --release -p mercer --example read_speed -- FILE…`

use std::io::{Read, copy, sink};
use std::time::Instant;

use mercer::data::{Contents, ReadOptions, open, read_file};

fn main() -> Result<(), mercer::Error> {
    for path in std::env::args().skip(1) {
        let start = Instant::now();
        let bytes = copy(&mut open(&path)?.take(u64::MAX), &mut sink())?;
        let unpacking = start.elapsed().as_secs_f64();

        let mut best = f64::INFINITY;
        let mut shape = String::new();
        for _ in 0..3 {
            let start = Instant::now();
            let contents = read_file(&path, &ReadOptions::default())?;
            best = best.min(start.elapsed().as_secs_f64());
            shape = match &contents {
                Contents::Table(t) => format!("{} x {}", t.rows(), t.vectors.columns()),
                Contents::Precomputed(k) => format!("kernel {} x {}", k.matrix.rows(), k.matrix.columns()),
            };
        }
        let megabytes = bytes as f64 / 1e6;
        println!(
            "{path}: {shape}, {megabytes:.1} MB of text in {best:.3} s = {:.0} MB/s (the stream alone {:.0} MB/s)",
            megabytes / best,
            megabytes / unpacking
        );
    }
    Ok(())
}
