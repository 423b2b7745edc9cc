//! Which flowers are unlike setosa? A region around one kind of iris, tried on the two others.
//!
//! `cargo run --release --example novelty`

use mercer::data::{Items, ReadOptions, read_file};
use mercer::kernel::Expression;
use mercer::machine::{Novelty, Region, Softness};

fn main() -> mercer::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/iris.csv");
    let table = read_file(path, &ReadOptions::default())?.table()?;
    let labels = table.targets.labels()?;
    let of = |class: &str| -> Vec<usize> { (0..labels.len()).filter(|&i| labels.text(i) == class).collect() };
    let known = table.vectors.select(&of("setosa"));
    let kernel: Expression = "gaussian(gamma=0.5)".parse()?;
    for (region, softness) in [
        // As large as it takes: its softness has no meaning.
        (Region::Centre, Softness::Hard),
        (Region::Sphere, Softness::Hard),
        (Region::Sphere, Softness::Nu(0.1)),
        // C = 1/(νℓ) is another way to say ν, and there are 50 rows.
        (Region::Sphere, Softness::Cost(0.2)),
        (Region::Sphere, Softness::Quadratic(1.0)),
        (Region::Hyperplane, Softness::Nu(0.1)),
        (Region::Hyperplane, Softness::Quadratic(1.0)),
    ] {
        let machine = Novelty::params(kernel.clone()).region(region).softness(softness).check()?;
        let model = machine.fit(&known)?;
        let share = |class: &str| -> mercer::Result<f64> {
            let novel = model.is_novel(&table.vectors.select(&of(class)))?;
            Ok(100.0 * novel.iter().filter(|novel| **novel).count() as f64 / novel.len() as f64)
        };
        println!(
            "{region:?}, {softness:?}: novel are {:.0} % of setosa, {:.0} % of versicolor, {:.0} % of virginica",
            share("setosa")?,
            share("versicolor")?,
            share("virginica")?
        );
    }
    Ok(())
}
