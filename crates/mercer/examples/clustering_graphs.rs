//! Clusters graphs that nobody has named: rings, stars and ladders of different sizes. What a kernel counts in them, small neighbourhoods
//! that two graphs have in common, is enough.
//!
//! `cargo run --release -p mercer --example clustering_graphs` (in Python: `crates/mercer-python/examples/clustering_graphs.py`)

use mercer::data::{Collection, Graph};
use mercer::gram::CollectionKernel;
use mercer::machine::{KernelKMeans, SpectralClustering};

/// All nodes have the same label: shapes are what is left.
fn plain(nodes: usize, edges: Vec<(usize, usize)>) -> mercer::Result<Graph> {
    Graph::undirected(nodes, &edges)?.with_node_labels(vec!["o"; nodes])
}

fn ring(n: usize) -> mercer::Result<Graph> {
    plain(n, (0..n).map(|i| (i, (i + 1) % n)).collect())
}

fn star(n: usize) -> mercer::Result<Graph> {
    plain(n, (1..n).map(|i| (0, i)).collect())
}

fn ladder(n: usize) -> mercer::Result<Graph> {
    let rungs = (0..n).map(|i| (2 * i, 2 * i + 1));
    let sides = (1..n).flat_map(|i| [(2 * i - 2, 2 * i), (2 * i - 1, 2 * i + 1)]);
    plain(2 * n, rungs.chain(sides).collect())
}

fn main() -> mercer::Result<()> {
    let mut graphs = Vec::new();
    for size in 5..13 {
        graphs.extend([ring(size)?, star(size)?, ladder(size)?]);
    }
    let graphs = Collection::Graphs(graphs);
    let kernel: CollectionKernel = "normalised(wl(h=2))".parse()?;

    let means = KernelKMeans::params(kernel.clone(), 3).check()?.fit(&graphs)?;
    println!("k-means:  {:?}", means.fit().clusters);
    let spectral = SpectralClustering::params(kernel, 3).check()?.fit(&graphs)?;
    println!("spectral: {:?}", spectral.clusters());
    // Graphs that were not there find their place.
    let new = Collection::Graphs(vec![ring(40)?, star(40)?, ladder(40)?]);
    println!("larger ones: {:?}", means.predict(&new)?);
    Ok(())
}
