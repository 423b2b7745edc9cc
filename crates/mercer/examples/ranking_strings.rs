//! Ranks strings: sequences that begin a gene should come before those that do not. A ranking sees pairs only, and a kernel on strings is all
//! that it needs.
//!
//! `cargo run --release -p mercer --example ranking_strings` (in Python: `crates/mercer-python/examples/ranking_strings.py`)

use mercer::data::Collection;
use mercer::evaluation::{mean_average_precision, ndcg};
use mercer::gram::CollectionKernel;
use mercer::machine::RankSvm;

fn main() -> mercer::Result<()> {
    let text = std::fs::read_to_string("data/promoters.csv")
        .map_err(|e| mercer::Error::file("data/promoters.csv", e))?;
    let rows: Vec<(String, f64)> = text
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(','))
        .map(|(sequence, label)| (sequence.to_string(), f64::from(u8::from(label == "+"))))
        .collect();
    // Every other sequence is held out.
    let half = |part: usize| -> (Collection, Vec<f64>) {
        let (strings, relevance): (Vec<String>, Vec<f64>) =
            rows.iter().skip(part).step_by(2).cloned().unzip();
        (Collection::Strings(strings), relevance)
    };
    let (known, relevance) = half(0);
    let (new, hidden) = half(1);

    let kernel: CollectionKernel = "normalised(spectrum(k=4))".parse()?;
    let model = RankSvm::params(kernel).cost(1.0).check()?.fit(&known, &relevance, None)?;
    let report = model.report();
    println!("{} pairs, {} in the wrong order", report.pairs, report.swapped);
    let scores = model.predict(&new)?;
    let precision = mean_average_precision(&scores, &hidden, None)?.unwrap_or(0.0);
    let gain = ndcg(&scores, &hidden, None, Some(10))?.unwrap_or(0.0);
    println!("held-out sequences: average precision {precision:.3}, NDCG@10 {gain:.3}");
    println!("the first five: {:?}", &model.order(&new)?[..5]);
    Ok(())
}
