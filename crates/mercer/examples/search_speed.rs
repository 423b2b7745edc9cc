//! How long a grid search takes: ten widths × ten costs in five folds, for a table of numbers with labels.
//!
//! ```text
//! cargo run --release --example search_speed -- FILE.csv [ROWS]
//! ```

use std::time::Instant;

use mercer::data::{Examples, Items, ReadOptions, Scaling, ScalingKind, Split, Splitting, read_file};
use mercer::evaluation::Metric;
use mercer::evaluation::search::{Grid, Search, Watch};
use mercer::kernel::Expression;
use mercer::machine::Svc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("the name of a file is wanted")?;
    let table = read_file(std::path::Path::new(&file), &ReadOptions::default())?.table()?;
    let labels = table.targets.labels()?;
    let most = arguments.next().map_or(Ok(labels.len()), |rows| rows.parse())?;
    let sample = Split::sample(&labels, most, 0)?;
    let (rows, labels) = (table.vectors.select(&sample), labels.select(&sample));
    let rows = Scaling::fit(ScalingKind::Standardise, &rows)?.apply(&rows)?;
    let (n, d) = (rows.len(), rows.columns());

    let steps = |from: f64, to: f64| (0..10).map(move |k| from * (to / from).powf(f64::from(k) / 9.0));
    let kernels = steps(0.01, 100.0).map(|width| format!("gaussian(gamma={})", width / d as f64).parse());
    let grid = Grid {
        kernels: kernels.collect::<Result<Vec<Expression>, _>>()?,
        costs: steps(0.1, 1000.0).collect(),
    };
    let machine = Svc::params(grid.kernels[0].clone()).memory(2 << 30);
    let splits = "stratified:5".parse::<Splitting>()?.splits(n, Some(&labels), None, 0)?;
    let metrics = vec![Metric::Accuracy];
    for (name, search) in [
        ("default", Search::new(metrics.clone())),
        ("exhaustive", Search { exhaustive: true, ..Search::new(metrics.clone()) }),
        ("exact", Search::exact(metrics)),
    ] {
        let begun = Instant::now();
        let found = search.cross_validate(
            &machine,
            &grid,
            Examples::new(&rows, &labels),
            &splits,
            Watch::nobody(),
        )?;
        let seconds = begun.elapsed().as_secs_f64();
        let training: f64 = found.cells.iter().map(|cell| cell.seconds).sum();
        let best = found.best().ok_or("no cell was tried to the end")?;
        println!(
            "{name}: {n} rows x {d} columns, {seconds:.2} s ({training:.2} s of solving); best {} with C = {:.3}: {:.4}",
            found.kernels[best.kernel],
            best.cost.unwrap_or(f64::NAN),
            best.summary(0)?.mean
        );
    }
    Ok(())
}
