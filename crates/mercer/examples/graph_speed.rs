//! Seconds per Gram matrix of graphs: `cargo run --release -p mercer --example graph_speed FOLDER [threads]`.
//!
//! FOLDER holds a set in the layout of the TU Dortmund collection. Prints the time to list the features (or to digest the
//! graphs) and the time to all values, the best of five runs each.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use mercer::data::{Graph, Sparse, Vectors, read_tu};
use mercer::gram::{Block, Columns, Evaluation, Gram, Precision, VectorGram};
use mercer::kernel::graph::{
    EdgeHistogram, Graphlets, OptimalAssignment, Preserved, Propagation, RandomWalk, ShortestPath,
    VertexHistogram, WeisfeilerLehman,
};
use mercer::kernel::vector::{Epilogue, Form, Measure};
use mercer::kernel::{DigestKernel, FeatureMap, gathered};
use mercer::resources::{InstructionSet, Workers};

fn main() -> mercer::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next() else {
        println!("usage: graph_speed FOLDER [threads]");
        return Ok(());
    };
    let workers = Arc::new(Workers::new(arguments.next().and_then(|word| word.parse().ok()).unwrap_or(0)));
    let start = Instant::now();
    let graphs = read_tu(folder)?.graphs;
    println!(
        "{} graphs read in {:.3} s; {} threads",
        graphs.len(),
        start.elapsed().as_secs_f64(),
        workers.threads()
    );
    println!("{:<24} {:>9} {:>9} {:>9}", "", "features", "prepare s", "values s");
    mapped("vertex histogram", &VertexHistogram, &graphs, &workers)?;
    mapped("edge histogram", &EdgeHistogram::new().with_ends(true), &graphs, &workers)?;
    mapped("Weisfeiler–Lehman, 3", &WeisfeilerLehman::new(3)?, &graphs, &workers)?;
    mapped("shortest path", &ShortestPath::new(), &graphs, &workers)?;
    mapped("random walk", &RandomWalk::new(0.001)?, &graphs, &workers)?;
    mapped("graphlets, 4", &Graphlets::new(4)?.with_disconnected(true), &graphs, &workers)?;
    mapped("propagation, 3", &Propagation::new(3, 1e-3, Preserved::TotalVariation, 1)?, &graphs, &workers)?;
    assigned(&OptimalAssignment::new(3)?, &graphs, &workers)
}

/// Features of all graphs become sparse rows, whose inner products are the values.
fn mapped<K: FeatureMap<Graph>>(
    name: &str,
    kernel: &K,
    graphs: &[Graph],
    workers: &Arc<Workers>,
) -> mercer::Result<()> {
    let n = graphs.len();
    let form = Form { measure: Measure::Dot, epilogue: Epilogue::Identity, scales: None };
    let level = InstructionSet::from_environment()?;
    let evaluation =
        Evaluation { form: &form, factor: 1.0, subset: None, precision: Precision::F64, level, workers };
    let rows: Vec<usize> = (0..n).collect();
    let (mut prepare, mut compare, mut columns) = (f64::INFINITY, f64::INFINITY, 0);
    for _ in 0..5 {
        let start = Instant::now();
        let listed = workers.map(n, true, |i| kernel.features(&graphs[i]).map(gathered));
        let listed = listed.into_iter().collect::<mercer::Result<Vec<_>>>()?;
        let mut names: Vec<&K::Feature> = listed.iter().flatten().map(|(feature, _)| feature).collect();
        names.sort_unstable();
        names.dedup();
        columns = names.len();
        let (mut offsets, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        for features in &listed {
            for (feature, value) in features {
                indices.push(names.binary_search(&feature).unwrap_or(0) as u32);
                values.push(*value);
            }
            offsets.push(values.len());
        }
        let items = Vectors::Sparse(Sparse::from_parts(offsets, indices, values, columns)?);
        let gram = VectorGram::symmetric(&items, &evaluation)?;
        prepare = prepare.min(start.elapsed().as_secs_f64());

        let start = Instant::now();
        let mut values = vec![0.0; n * n];
        gram.fill(&rows, Columns::Range(0..n), Block::F64 { values: &mut values, stride: n })?;
        compare = compare.min(start.elapsed().as_secs_f64());
    }
    println!("{name:<24} {columns:>9} {prepare:>9.4} {compare:>9.4}");
    Ok(())
}

/// Digests are compared pair by pair.
fn assigned(kernel: &OptimalAssignment, graphs: &[Graph], workers: &Workers) -> mercer::Result<()> {
    let n = graphs.len();
    let (mut prepare, mut compare, mut names) = (f64::INFINITY, f64::INFINITY, 0);
    for _ in 0..5 {
        let start = Instant::now();
        let digests = workers.map(n, true, |i| kernel.digest(&graphs[i]));
        let digests = digests.into_iter().collect::<mercer::Result<Vec<_>>>()?;
        names = digests.iter().flatten().map(|&(name, _)| name).collect::<BTreeSet<_>>().len();
        prepare = prepare.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let mut values = vec![0.0; n * n];
        workers.for_each_chunk(&mut values, n, true, |start, row| {
            let x = &digests[start / n];
            row.iter_mut().zip(&digests).for_each(|(value, z)| *value = kernel.compare(x, z));
        });
        compare = compare.min(start.elapsed().as_secs_f64());
    }
    println!("{:<24} {names:>9} {prepare:>9.4} {compare:>9.4}", "optimal assignment, 3");
    Ok(())
}
