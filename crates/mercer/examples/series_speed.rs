//! How long a Gram matrix of time series takes: `cargo run --release -p mercer --example series_speed [threads]`.
//!
//! Reads JapaneseVowels (270 series of 12 channels, 7 to 29 long) below the folder that `MERCER_DATA` names, and prints the
//! seconds of one run over all pairs: digests, then values.

use std::time::Instant;

use mercer::data::{Series, read_series_file};
use mercer::kernel::DigestKernel;
use mercer::kernel::series::{Autocorrelation, DynamicTimeWarping, GlobalAlignment};
use mercer::resources::Workers;

fn main() -> mercer::Result<()> {
    let Ok(folder) = std::env::var("MERCER_DATA") else {
        println!("MERCER_DATA names no folder with ts_JapaneseVowels");
        return Ok(());
    };
    let threads = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(2);
    let workers = Workers::new(threads);
    let path = format!("{folder}/ts_JapaneseVowels/JapaneseVowels_TRAIN.ts.gz");
    let start = Instant::now();
    let vowels = read_series_file(path)?.series;
    println!("{:<34} {:>9.4} s", "reading", start.elapsed().as_secs_f64());
    let long: Vec<Series> = (0..20)
        .map(|i| Series::univariate((0..2000).map(|t| (0.01 * f64::from(t * (i + 1))).sin()).collect()))
        .collect::<mercer::Result<_>>()?;

    measure("global alignment", &GlobalAlignment::sigma(2.0)?, &vowels, &workers)?;
    measure("global alignment, band 5", &GlobalAlignment::sigma(2.0)?.band(5.0)?, &vowels, &workers)?;
    measure("dynamic time warping", &DynamicTimeWarping::gamma(0.5)?, &vowels, &workers)?;
    measure("autocorrelation, 5 lags", &Autocorrelation::new(5)?, &vowels, &workers)?;
    measure("global alignment, length 2000", &GlobalAlignment::sigma(10.0)?, &long, &workers)?;
    measure("dynamic time warping, length 2000", &DynamicTimeWarping::gamma(0.5)?, &long, &workers)?;
    Ok(())
}

fn measure<K: DigestKernel<Series>>(
    name: &str,
    kernel: &K,
    series: &[Series],
    workers: &Workers,
) -> mercer::Result<()> {
    let start = Instant::now();
    let digests: Vec<K::Digest> = workers
        .map(series.len(), true, |i| kernel.digest(&series[i]))
        .into_iter()
        .collect::<Result<_, _>>()?;
    let rows = workers.map(digests.len(), true, |i| {
        (0..=i).map(|j| kernel.compare(&digests[i], &digests[j])).collect::<Vec<f64>>()
    });
    let seconds = start.elapsed().as_secs_f64();
    let sum: f64 = rows.iter().flatten().sum();
    println!("{name:<34} {seconds:>9.4} s on {} threads; sum of the values {sum:.6}", workers.threads());
    Ok(())
}
