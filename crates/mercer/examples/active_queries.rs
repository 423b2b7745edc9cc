//! The ways of asking for labels, compared on real data sets: how often rows that were kept back are wrong while labels come in.
//!
//! ```text
//! cargo run --release --example active_queries -- [FOLDER [SAMPLINGS [LABELS]]]
//! ```
//!
//! FOLDER holds a folder for each set (`$MERCER_DATA`, if nothing else is given). Of each sampling at most 300 rows are the pool and at most 500 the test;
//! the machine is that of `mercer label` at its defaults. A line for each set: the error on test rows in percent, the mean over all numbers of labels from
//! 10 on and over all samplings (20 samplings and 60 labels, if nothing else is given), for each way; then the mean over the sets.

use mercer::Result;
use mercer::data::{Items, Random, Row, Scaling, ScalingKind, read_file};
use mercer::kernel::Expression;
use mercer::machine::online::{ActiveLearner, IncrementalSvc, Query, RowMemory};

const SETS: [&str; 10] = [
    "ionosphere/ionosphere.csv",
    "sonar/sonar.csv",
    "pima_diabetes/pima_diabetes.csv",
    "breast_cancer_wdbc/breast_cancer_wdbc.csv",
    "banana/banana.csv",
    "heart/heart_scale",
    "fourclass/fourclass_scale",
    "spam/spam.csv.gz",
    "vehicle/vehicle.csv",
    "wine/wine.csv",
];

const QUERIES: [Query; 5] = [Query::Mixed, Query::Nearest, Query::Band, Query::Uncertain, Query::Random];

/// Labels from which on errors count.
const FIRST: usize = 10;

fn errors(path: &str, samplings: u64, labels: usize) -> Result<[f64; 5]> {
    let table = read_file(path, &Default::default())?.table()?;
    // Sparse rows keep their zeros.
    let kind = if path.ends_with(".csv") || path.ends_with(".gz") {
        ScalingKind::Standardise
    } else {
        ScalingKind::Deviation
    };
    let rows = Scaling::fit(kind, &table.vectors)?.apply(&table.vectors)?;
    let codes = table.targets.labels()?;
    let classes = codes.classes().len();
    let mut found = [0.0; 5];
    for sampling in 0..samplings {
        let mut order: Vec<usize> = (0..rows.len()).collect();
        Random::new(sampling).shuffle(&mut order);
        let split = 300.min(order.len() / 2);
        let (pool, test) = (&order[..split], &order[split..order.len().min(split + 500)]);
        let kernel: Expression = "gaussian".parse::<Expression>()?.resolve(&rows)?;
        let items: Vec<Row<'_>> = pool.iter().map(|&row| rows.get(row)).collect();
        for (found, query) in found.iter_mut().zip(QUERIES) {
            let machine = IncrementalSvc::new(RowMemory::new(kernel.clone())?, 10.0)?;
            let mut learner = ActiveLearner::of_classes(machine, classes, query, sampling)?;
            for answers in 1..=labels {
                let Some(item) = learner.ask(&items)? else { break };
                learner.answer(item, items[item], codes.codes()[pool[item]] as usize)?;
                if answers < FIRST {
                    continue;
                }
                let mut wrong = 0;
                for &row in test {
                    wrong += usize::from(learner.predict(rows.get(row))? != codes.codes()[row] as usize);
                }
                *found +=
                    100.0 * wrong as f64 / test.len() as f64 / (labels - FIRST + 1) as f64 / samplings as f64;
            }
        }
    }
    Ok(found)
}

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().or_else(|| std::env::var("MERCER_DATA").ok()).unwrap_or_else(|| "data".into());
    let samplings: u64 = words.next().and_then(|word| word.parse().ok()).unwrap_or(20);
    let labels: usize = words.next().and_then(|word| word.parse().ok()).unwrap_or(60);
    println!(
        "{:<20} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "set", "mixed", "nearest", "band", "uncertain", "random"
    );
    let line = |name: &str, values: &[f64; 5]| {
        let values: String = values.iter().map(|value| format!(" {value:>9.2}")).collect();
        println!("{name:<20}{values}");
    };
    let (mut total, mut better) = ([0.0; 5], [0; 5]);
    for set in SETS {
        let found = errors(&format!("{folder}/{set}"), samplings, labels)?;
        line(set.split('/').next().unwrap_or(set), &found);
        for way in 0..5 {
            total[way] += found[way] / SETS.len() as f64;
            better[way] += usize::from(found[way] < found[4]);
        }
    }
    line("mean", &total);
    let better: String = better[..4].iter().map(|better| format!(" {better:>9}")).collect();
    println!("better than random  {better}");
    Ok(())
}
