//! Figure 8 of Campbell's *An introduction to kernel methods*: the majority rule on random bit strings, learned from labels that are asked
//! for and from labels at random.
//!
//! ```text
//! cargo run --release --example active_learning -- [SAMPLINGS] > curves.csv
//! ```
//!
//! Columns: labels, error on 200 test strings (in percent, mean of 100 samplings if nothing else is said) and dual objective, for both ways.

use mercer::Result;
use mercer::data::{Random, Row};
use mercer::machine::online::{ActiveLearner, IncrementalSvc, Query, RowMemory};

const BITS: usize = 20;
const ROWS: usize = 200;

/// A string of ±1 whose majority is no tie, and the majority.
fn string(random: &mut Random) -> (Vec<f64>, f64) {
    loop {
        let bits: Vec<f64> = (0..BITS).map(|_| if random.uniform() < 0.5 { -1.0 } else { 1.0 }).collect();
        let sum: f64 = bits.iter().sum();
        if sum != 0.0 {
            return (bits, sum.signum());
        }
    }
}

fn main() -> Result<()> {
    let samplings: u64 = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(100);
    let mut curves = vec![[0.0; 4]; ROWS];
    for sampling in 0..samplings {
        let mut random = Random::new(sampling);
        let mut draw = || (0..ROWS).map(|_| string(&mut random)).collect::<Vec<_>>();
        let (train, test) = (draw(), draw());
        let pool: Vec<Row<'_>> = train.iter().map(|(bits, _)| Row::Dense64(bits)).collect();
        for (column, query) in [(0, Query::Nearest), (2, Query::Random)] {
            let memory = RowMemory::new("linear".parse()?)?;
            let mut learner = ActiveLearner::new(IncrementalSvc::new(memory, 1000.0)?, query, sampling);
            for curve in &mut curves {
                let Some(item) = learner.ask(&pool)? else { break };
                learner.answer(item, pool[item], usize::from(train[item].1 > 0.0))?;
                let mut wrong = 0;
                for (bits, label) in &test {
                    let value = learner.machines()[0].value(Row::Dense64(bits))?;
                    wrong += u32::from(value * label <= 0.0);
                }
                curve[column] += 100.0 * f64::from(wrong) / ROWS as f64 / samplings as f64;
                curve[column + 1] += learner.machines()[0].objective() / samplings as f64;
            }
        }
    }
    println!("labels,error asked,objective asked,error random,objective random");
    for (labels, [asked, of_asked, random, of_random]) in curves.iter().enumerate() {
        println!("{},{asked:.4},{of_asked:.6},{random:.4},{of_random:.6}", labels + 1);
    }
    Ok(())
}
