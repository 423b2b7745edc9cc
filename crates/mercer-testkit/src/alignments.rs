//! All alignments of two sequences, one by one: what kernels on time series and strings sum over.

use mercer::data::Series;

/// Calls `visit` with every path from (0, 0) to (n − 1, m − 1) in steps (1, 0), (0, 1) and (1, 1).
pub fn for_each_alignment(n: usize, m: usize, visit: &mut impl FnMut(&[(usize, usize)])) {
    fn go(n: usize, m: usize, path: &mut Vec<(usize, usize)>, visit: &mut impl FnMut(&[(usize, usize)])) {
        let &(i, j) = path.last().expect("a path starts somewhere");
        if (i, j) == (n - 1, m - 1) {
            visit(path);
            return;
        }
        for (di, dj) in [(1, 0), (0, 1), (1, 1)] {
            if i + di < n && j + dj < m {
                path.push((i + di, j + dj));
                go(n, m, path, visit);
                path.pop();
            }
        }
    }
    go(n, m, &mut vec![(0, 0)], visit);
}

/// |xᵢ − zⱼ|²
fn squared_distance(x: &Series, i: usize, z: &Series, j: usize) -> f64 {
    x.at(i).iter().zip(z.at(j)).map(|(a, b)| (a - b).powi(2)).sum()
}

/// The global alignment kernel by its definition, not normalised.
pub fn global_alignment(x: &Series, z: &Series, sigma: f64, band: Option<f64>) -> f64 {
    let mut sum = 0.0;
    for_each_alignment(x.len(), z.len(), &mut |path| {
        let mut product = 1.0;
        for &(i, j) in path {
            let triangle = band.map_or(1.0, |band| (1.0 - i.abs_diff(j) as f64 / band).max(0.0));
            let g = triangle * (-squared_distance(x, i, z, j) / (2.0 * sigma * sigma)).exp();
            product *= g / (2.0 - g);
        }
        sum += product;
    });
    sum
}

/// The squared distance of dynamic time warping by its definition.
pub fn dynamic_time_warping(x: &Series, z: &Series, radius: Option<usize>) -> f64 {
    let (x, z) = if x.len() <= z.len() { (x, z) } else { (z, x) };
    let radius = radius.unwrap_or(z.len()) as isize;
    let slack = (z.len() - x.len()) as isize;
    let mut best = f64::INFINITY;
    for_each_alignment(x.len(), z.len(), &mut |path| {
        let allowed = |&(i, j): &(usize, usize)| {
            let ahead = j as isize - i as isize;
            (-radius..=slack + radius).contains(&ahead)
        };
        if path.iter().all(allowed) {
            best = best.min(path.iter().map(|&(i, j)| squared_distance(x, i, z, j)).sum());
        }
    });
    best
}
