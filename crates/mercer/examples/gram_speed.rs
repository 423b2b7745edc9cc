//! How many kernel values per second: `cargo run --release -p mercer --example gram_speed [threads [case]]`.
//!
//! Prints billions of entries per second of Gaussian Gram blocks, for both verbs and both precisions.

use std::sync::Arc;
use std::time::Instant;

use mercer::data::{Dense, Random, Sparse, Vectors};
use mercer::gram::{Block, Columns, Evaluation, Gram, Precision, VectorGram};
use mercer::kernel::vector::{Epilogue, Form, Measure};
use mercer::resources::{InstructionSet, Workers};

fn main() -> mercer::Result<()> {
    let level = InstructionSet::from_environment()?;
    println!("level {}; 10⁹ entries per second of a Gaussian kernel", level.name());
    println!("{:>6} {:>9} {:>7} {:>7} {:>10}", "d", "precision", "threads", "fill", "accumulate");
    let threads: Vec<usize> = match std::env::args().nth(1).and_then(|word| word.parse().ok()) {
        Some(count) => vec![count],
        None => vec![1, 2],
    };
    let case = std::env::args().nth(2);
    let wanted = |name: &str| case.as_ref().is_none_or(|case| case == name);
    let mut random = Random::new(1);
    for d in [2, 8, 16, 32, 64, 128, 256, 784] {
        if !wanted(&d.to_string()) {
            continue;
        }
        let values: Vec<f64> = (0..ITEMS * d).map(|_| random.normal()).collect();
        let rows = Vectors::Dense64(Dense::new(values, ITEMS, d)?);
        measure(&d.to_string(), &rows, 1.0 / d as f64, level, &threads)?;
    }
    for (name, columns, stored) in [("a9a", 123, 14), ("text", 20_000, 80)] {
        if wanted(name) {
            measure(name, &sparse(&mut random, columns, stored)?, 0.05, level, &threads)?;
        }
    }
    Ok(())
}

const ITEMS: usize = 8192;
const ROWS: usize = 240;

fn measure(
    name: &str,
    items: &Vectors<'_>,
    rate: f64,
    level: InstructionSet,
    threads: &[usize],
) -> mercer::Result<()> {
    let form =
        Form { measure: Measure::SquaredDistance, epilogue: Epilogue::Exponential { rate }, scales: None };
    let rows: Vec<usize> = (0..ROWS).map(|r| r * 31 % ITEMS).collect();
    let weights = vec![0.5; ROWS];
    for precision in [Precision::F32, Precision::F64] {
        for &threads in threads {
            let workers = Arc::new(Workers::new(threads));
            let evaluation =
                Evaluation { form: &form, factor: 1.0, subset: None, precision, level, workers: &workers };
            let gram = VectorGram::symmetric(items, &evaluation)?;
            let mut f = vec![0.0; ITEMS];
            let (mut single, mut double) = (vec![0.0f32; ROWS * ITEMS], vec![0.0f64; ROWS * ITEMS]);
            let fill = rate_of(|| {
                let out = match precision {
                    Precision::F64 => Block::F64 { values: &mut double, stride: ITEMS },
                    _ => Block::F32 { values: &mut single, stride: ITEMS },
                };
                gram.fill(&rows, Columns::Range(0..ITEMS), out)
            })?;
            let accumulate = rate_of(|| gram.accumulate(&rows, &weights, Columns::Range(0..ITEMS), &mut f))?;
            println!("{name:>6} {precision:>9?} {threads:>7} {fill:>7.3} {accumulate:>10.3}");
        }
    }
    Ok(())
}

/// The best of a few runs: other programs only ever make it slower.
fn rate_of(mut run: impl FnMut() -> mercer::Result<()>) -> mercer::Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..12 {
        let start = Instant::now();
        run()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(ROWS as f64 * ITEMS as f64 / best * 1e-9)
}

/// Rows with about `stored` ones each, the first columns more often.
fn sparse(random: &mut Random, columns: usize, stored: usize) -> mercer::Result<Vectors<'static>> {
    let (mut offsets, mut indices) = (vec![0usize], Vec::new());
    for _ in 0..ITEMS {
        let mut row: Vec<u32> =
            (0..stored).map(|_| (random.uniform().powi(2) * columns as f64) as u32).collect();
        row.sort_unstable();
        row.dedup();
        indices.extend(row);
        offsets.push(indices.len());
    }
    let values = vec![1.0; indices.len()];
    Ok(Vectors::Sparse(Sparse::from_parts(offsets, indices, values, columns)?))
}
