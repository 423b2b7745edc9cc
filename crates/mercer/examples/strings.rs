//! Learns from strings through a kernel of one's own: common words of three letters, counted with multiplicity.
//!
//! `cargo run --release -p mercer --example strings`

use std::collections::HashMap;

use mercer::data::Labels;
use mercer::gram::Pairwise;
use mercer::kernel::Definiteness;
use mercer::machine::Svc;

/// An inner product of counts, so positive semi-definite.
fn common_words(x: &str, z: &str) -> f64 {
    let mut counts: HashMap<&[u8], f64> = HashMap::new();
    for word in x.as_bytes().windows(3) {
        *counts.entry(word).or_default() += 1.0;
    }
    z.as_bytes().windows(3).filter_map(|word| counts.get(word)).sum()
}

fn main() -> mercer::Result<()> {
    let text = std::fs::read_to_string("data/promoters.csv")
        .map_err(|e| mercer::Error::file("data/promoters.csv", e))?;
    let (sequences, labels): (Vec<String>, Vec<String>) = text
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(','))
        .map(|(sequence, label)| (sequence.to_string(), label.to_string()))
        .unzip();
    // Every other sequence is held out.
    let half =
        |all: &[String], part: usize| all.iter().skip(part).step_by(2).cloned().collect::<Vec<String>>();
    let (train, test) = (half(&sequences, 0), half(&sequences, 1));
    let (known, hidden) = (half(&labels, 0), half(&labels, 1));

    let kernel = Pairwise::<_, str>::new(common_words).with_definiteness(Definiteness::Guaranteed);
    let model = Svc::params(kernel).cost(1.0).check()?.fit(&train, &Labels::from_text(&known))?;
    let predicted = model.predict_labels(&test)?;
    let right = predicted.iter().zip(&hidden).filter(|(p, h)| **p == h.as_str()).count();
    println!("{} sequences, {} support vectors", train.len(), model.support_items().len());
    println!("{right} of {} held-out sequences right", test.len());
    Ok(())
}
