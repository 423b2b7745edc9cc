//! Graph kernels by their definitions: slow, and nothing shared with the code that is tested.

use mercer::data::Graph;

/// Pairs of nodes with the same label.
pub fn vertex_histogram(x: &Graph, z: &Graph) -> f64 {
    pairs(x.nodes(), z.nodes()).filter(|&(u, v)| x.node_label(u) == z.node_label(v)).count() as f64
}

/// Pairs of edges with the same label, and with the same labels of their ends if those count.
pub fn edge_histogram(x: &Graph, z: &Graph, ends: bool) -> f64 {
    let same = |&(e, f): &(usize, usize)| {
        let ((a, b), (c, d)) = (x.ends(e), z.ends(f));
        let like = |u, v| x.node_label(u) == z.node_label(v);
        let both_ways = !x.is_directed() && !z.is_directed();
        let ends_fit = like(a, c) && like(b, d) || both_ways && like(a, d) && like(b, c);
        x.edge_label(e) == z.edge_label(f) && (!ends || ends_fit)
    };
    pairs(x.edges(), z.edges()).filter(same).count() as f64
}

/// Pairs of nodes whose trees of walks are the same, over all depths up to `depth`.
pub fn weisfeiler_lehman(x: &Graph, z: &Graph, depth: u32, edge_labels: bool) -> f64 {
    alike(x, z, depth, edge_labels).iter().flatten().sum::<u32>().into()
}

/// The best matching of nodes, a pair being worth the number of depths at which their trees are the same.
pub fn optimal_assignment(x: &Graph, z: &Graph, depth: u32) -> f64 {
    let (x, z) = if x.nodes() <= z.nodes() { (x, z) } else { (z, x) };
    let worth = alike(x, z, depth, false);
    // best[set]: the nodes 0, 1, … of x matched with the nodes of z in the set
    let mut best = vec![0u32; 1 << z.nodes()];
    for set in 1usize..1 << z.nodes() {
        let matched = set.count_ones() as usize;
        if matched <= x.nodes() {
            let partners = (0..z.nodes()).filter(|v| set >> v & 1 == 1);
            best[set] = partners.map(|v| best[set ^ (1 << v)] + worth[matched - 1][v]).max().unwrap_or(0);
        }
    }
    let full = (0..best.len()).filter(|set| set.count_ones() as usize == x.nodes());
    full.map(|set| best[set]).max().unwrap_or(0).into()
}

/// At how many depths each pair of nodes has the same tree, written out in full.
fn alike(x: &Graph, z: &Graph, depth: u32, edge_labels: bool) -> Vec<Vec<u32>> {
    let trees = |graph: &Graph, node| -> Vec<String> {
        (0..=depth).map(|depth| tree(graph, node, depth, edge_labels)).collect()
    };
    let of = |graph: &Graph| (0..graph.nodes()).map(|node| trees(graph, node)).collect::<Vec<_>>();
    let (xs, zs) = (of(x), of(z));
    let same = |a: &[String], b: &[String]| a.iter().zip(b).filter(|(a, b)| a == b).count() as u32;
    xs.iter().map(|a| zs.iter().map(|b| same(a, b)).collect()).collect()
}

fn tree(graph: &Graph, node: usize, depth: u32, edge_labels: bool) -> String {
    if depth == 0 {
        return format!("{:?}", graph.node_label(node));
    }
    let mut around: Vec<String> = graph
        .arcs(node)
        .map(|(to, edge)| {
            let label = graph.edge_label(edge).filter(|_| edge_labels);
            format!("{label:?}:{}", tree(graph, to, depth - 1, edge_labels))
        })
        .collect();
    around.sort();
    format!("<{} {around:?}>", tree(graph, node, depth - 1, edge_labels))
}

/// Quadruples of nodes with the same labels and the same distance, by Floyd and Warshall; lengths in multiples of `width`.
pub fn shortest_path(x: &Graph, z: &Graph, labels: bool, width: Option<f64>) -> f64 {
    let (dx, dz) = (distances(x, width), distances(z, width));
    let like = |u, v| !labels || x.node_label(u) == z.node_label(v);
    let mut count = 0;
    for (a, b) in pairs(x.nodes(), x.nodes()).filter(|(a, b)| a != b) {
        for (c, d) in pairs(z.nodes(), z.nodes()).filter(|(c, d)| c != d) {
            let same = dx[a][b].is_finite() && dx[a][b] == dz[c][d];
            count += u64::from(same && like(a, c) && like(b, d));
        }
    }
    count as f64
}

fn distances(graph: &Graph, width: Option<f64>) -> Vec<Vec<f64>> {
    let n = graph.nodes();
    let mut d = vec![vec![f64::INFINITY; n]; n];
    for edge in 0..graph.edges() {
        let (from, to) = graph.ends(edge);
        let length = if width.is_some() { graph.edge_weight(edge) } else { 1.0 };
        d[from][to] = d[from][to].min(length);
        if !graph.is_directed() {
            d[to][from] = d[to][from].min(length);
        }
    }
    for k in 0..n {
        for (i, j) in pairs(n, n) {
            d[i][j] = d[i][j].min(d[i][k] + d[k][j]);
        }
    }
    d.iter().map(|row| row.iter().map(|length| (length / width.unwrap_or(1.0)).round()).collect()).collect()
}

/// 1ᵀ(I − λW)⁻¹ 1 over the pairs of nodes with the same label (all pairs if labels do not count), by elimination.
pub fn random_walk(x: &Graph, z: &Graph, decay: f64, labels: bool, edge_labels: bool) -> f64 {
    let like = |&(u, v): &(usize, usize)| !labels || x.node_label(u) == z.node_label(v);
    let nodes: Vec<(usize, usize)> = pairs(x.nodes(), z.nodes()).filter(like).collect();
    let n = nodes.len();
    let mut system = vec![vec![0.0; n + 1]; n];
    for (i, &(u, v)) in nodes.iter().enumerate() {
        system[i][i] = 1.0;
        system[i][n] = 1.0;
        for (j, &(a, b)) in nodes.iter().enumerate() {
            for (_, e) in x.arcs(u).filter(|&(to, _)| to == a) {
                for (_, f) in z.arcs(v).filter(|&(to, _)| to == b) {
                    if !edge_labels || x.edge_label(e) == z.edge_label(f) {
                        system[i][j] -= decay * x.edge_weight(e) * z.edge_weight(f);
                    }
                }
            }
        }
    }
    solve(system).iter().sum()
}

/// Gauss with pivots; the last column is the right-hand side.
fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rows.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs())).unwrap_or(k);
        rows.swap(k, pivot);
        for i in (0..n).filter(|&i| i != k) {
            let factor = rows[i][k] / rows[k][k];
            for j in k..=n {
                let above = rows[k][j];
                rows[i][j] -= factor * above;
            }
        }
    }
    (0..n).map(|i| rows[i][n] / rows[i][i]).collect()
}

/// Pairs of sets of `size` nodes on which the graphs (without directions, loops and parallel edges) are isomorphic, among all
/// sets or the connected ones.
pub fn graphlets(x: &Graph, z: &Graph, size: usize, disconnected: bool) -> f64 {
    let orders = orders(size);
    let of = |graph: &Graph| -> Vec<Vec<Vec<bool>>> {
        let all = subsets(graph.nodes(), size);
        let parts = all.iter().map(|set| part(graph, set));
        parts.filter(|part| disconnected || connected(part)).collect()
    };
    let isomorphic = |a: &Vec<Vec<bool>>, b: &Vec<Vec<bool>>| {
        orders.iter().any(|order| pairs(size, size).all(|(i, j)| a[i][j] == b[order[i]][order[j]]))
    };
    let (xs, zs) = (of(x), of(z));
    xs.iter().map(|a| zs.iter().filter(|b| isomorphic(a, b)).count()).sum::<usize>() as f64
}

fn part(graph: &Graph, set: &[usize]) -> Vec<Vec<bool>> {
    let joined = |u: usize, v: usize| u != v && (graph.has_arc(u, v) || graph.has_arc(v, u));
    set.iter().map(|&u| set.iter().map(|&v| joined(u, v)).collect()).collect()
}

fn connected(part: &[Vec<bool>]) -> bool {
    let mut reached = vec![false; part.len()];
    let mut queue = vec![0];
    while let Some(node) = queue.pop() {
        if !std::mem::replace(&mut reached[node], true) {
            queue.extend((0..part.len()).filter(|&other| part[node][other]));
        }
    }
    reached.iter().all(|&reached| reached)
}

fn subsets(nodes: usize, size: usize) -> Vec<Vec<usize>> {
    let mut sets = vec![vec![]];
    for _ in 0..size {
        let larger = |set: &Vec<usize>| {
            let next = set.last().map_or(0, |last| last + 1);
            (next..nodes).map(|node| [&set[..], &[node]].concat()).collect::<Vec<_>>()
        };
        sets = sets.iter().flat_map(larger).collect();
    }
    sets
}

fn orders(size: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![vec![]];
    for _ in 0..size {
        let longer = |order: &Vec<usize>| {
            let rest = (0..size).filter(|node| !order.contains(node));
            rest.map(|node| [&order[..], &[node]].concat()).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders
}

fn pairs(n: usize, m: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |i| (0..m).map(move |j| (i, j)))
}
