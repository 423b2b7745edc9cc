//! Pairs of items with different targets in the same query, which are counted and summed and never written down.
//!
//! With the items of a query in the order of f, those that an item is compared with (f above its own less 1, or below its own plus 1) only
//! become more along the order. A tree of sums over the ranks of targets holds them, and tells those with lower or higher
//! targets in O(log n) (Fenwick).

use crate::data::check_weights;
use crate::error::{Error, Result};

/// Which items are to come before which.
///
/// ```
/// use mercer::machine::Preferences;
/// let preferences = Preferences::new(&[2.0, 1.0, 1.0, 5.0], Some(&[0, 0, 0, 1]))?;
/// assert_eq!(preferences.pairs(), 2);
/// assert_eq!(preferences.swapped(&[0.5, 0.7, 0.1, 0.0]), 1);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Preferences {
    /// Items of each query.
    queries: Vec<Vec<usize>>,
    /// The rank of each item's target among those of its query, from 0.
    ranks: Vec<usize>,
    weights: Option<Vec<f64>>,
    pairs: u64,
}

/// Values of f, and the items of each query in their order.
pub(super) struct Active {
    f: Vec<f64>,
    /// For each query its items from the smallest value on.
    orders: Vec<Vec<usize>>,
}

/// For each item how many active pairs it is in, by the weights of the others, and sums over the others of these pairs.
struct Sums {
    /// As the one with the higher target.
    above: Vec<(f64, f64)>,
    /// As the one with the lower target.
    below: Vec<(f64, f64)>,
}

impl Preferences {
    /// Items with a higher target come before those with a lower one of the same query; all are of one query if none are given.
    ///
    /// # Errors
    /// No targets, targets that are not finite, queries of another number; [`Error::Undefined`] if no two targets of a query differ.
    pub fn new(targets: &[f64], queries: Option<&[u64]>) -> Result<Self> {
        Self::weighted(targets, queries, None)
    }

    /// The same with a weight per item, if there are any: a pair has the product of both, as an item of weight w stands for w items. Items
    /// of weight 0 are in no pair.
    ///
    /// ```
    /// use mercer::machine::Preferences;
    /// let preferences = Preferences::weighted(&[2.0, 1.0, 3.0], None, Some(&[0.5, 4.0, 0.0]))?;
    /// assert_eq!(preferences.pairs(), 1);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Preferences::new`]; weights that are negative or all 0.
    pub fn weighted(targets: &[f64], queries: Option<&[u64]>, weights: Option<&[f64]>) -> Result<Self> {
        let n = targets.len();
        if n == 0 {
            return Err(Error::Empty { what: "rows" });
        }
        if let Some(index) = targets.iter().position(|y| !y.is_finite()) {
            let (what, expected) = ("target", "a finite number");
            return Err(Error::Entry { what, index, value: targets[index], expected });
        }
        if let Some(queries) = queries.filter(|queries| queries.len() != n) {
            let what = "queries (one per row)";
            return Err(Error::Shape { what, expected: n, found: queries.len() });
        }
        if let Some(weights) = weights {
            check_weights(weights, n)?;
        }
        let counts = |i: &usize| weights.is_none_or(|weights| weights[*i] > 0.0);
        let mut order: Vec<usize> = (0..n).filter(counts).collect();
        let query = |i: usize| queries.map_or(0, |queries| queries[i]);
        order.sort_by_key(|&i| query(i));
        let groups: Vec<Vec<usize>> =
            order.chunk_by(|&a, &b| query(a) == query(b)).map(<[usize]>::to_vec).collect();
        let mut ranks = vec![0; n];
        let mut pairs = 0;
        for group in &groups {
            let mut sorted = group.clone();
            sorted.sort_by(|&a, &b| targets[a].total_cmp(&targets[b]));
            let (mut rank, mut below) = (0, 0u64);
            for run in sorted.chunk_by(|&a, &b| targets[a] == targets[b]) {
                run.iter().for_each(|&i| ranks[i] = rank);
                pairs += below * run.len() as u64;
                below += run.len() as u64;
                rank += 1;
            }
        }
        if pairs == 0 {
            return Err(Error::Undefined {
                what: "an order".into(),
                why: "no two rows of a query have different targets".into(),
            });
        }
        Ok(Preferences { queries: groups, ranks, weights: weights.map(<[f64]>::to_vec), pairs })
    }

    fn weight(&self, i: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[i])
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Pairs that values put in the wrong order, or at the same place. O(n log n).
    ///
    /// # Panics
    /// Unless there is one value per item.
    pub fn swapped(&self, values: &[f64]) -> u64 {
        assert_eq!(values.len(), self.ranks.len(), "one value for each item");
        let mut swapped = 0.0;
        for items in &self.queries {
            let mut order = items.clone();
            order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
            let mut tree = Tree::new(items.len());
            for run in order.chunk_by(|&a, &b| values[a] == values[b]) {
                run.iter().for_each(|&i| tree.add(self.ranks[i], 1.0, 0.0));
                for &i in run {
                    swapped += tree.total.0 - tree.up_to(self.ranks[i] + 1).0;
                }
            }
        }
        swapped as u64
    }

    pub(super) fn active(&self, f: Vec<f64>) -> Active {
        let order = |items: &Vec<usize>| {
            let mut order = items.clone();
            order.sort_by(|&a, &b| f[a].total_cmp(&f[b]));
            order
        };
        let orders = self.queries.iter().map(order).collect();
        Active { f, orders }
    }

    /// Sums of `values` over active pairs: those with a difference of f below 1.
    fn sums(&self, active: &Active, values: &[f64]) -> Sums {
        let n = self.ranks.len();
        let (mut above, mut below) = (vec![(0.0, 0.0); n], vec![(0.0, 0.0); n]);
        let f = &active.f;
        let add = |tree: &mut Tree, i: usize| {
            tree.add(self.ranks[i], self.weight(i), self.weight(i) * values[i]);
        };
        for order in &active.orders {
            let size = order.len();
            // Up the order: what is below f + 1 becomes more.
            let (mut tree, mut next) = (Tree::new(size), 0);
            for &j in order {
                while next < size && f[order[next]] - f[j] < 1.0 {
                    add(&mut tree, order[next]);
                    next += 1;
                }
                let lower = tree.up_to(self.ranks[j] + 1);
                below[j] = (tree.total.0 - lower.0, tree.total.1 - lower.1);
            }
            // Down the order: what is above f − 1 becomes more.
            let (mut tree, mut next) = (Tree::new(size), size);
            for &i in order.iter().rev() {
                while next > 0 && f[i] - f[order[next - 1]] < 1.0 {
                    next -= 1;
                    add(&mut tree, order[next]);
                }
                above[i] = tree.up_to(self.ranks[i]);
            }
        }
        Sums { above, below }
    }

    /// Σ wᵢwⱼ(1 − fᵢ + fⱼ)² over active pairs.
    pub(super) fn loss(&self, active: &Active) -> f64 {
        let f = &active.f;
        let squares: Vec<f64> = f.iter().map(|f| f * f).collect();
        let (plain, squared) = (self.sums(active, f), self.sums(active, &squares));
        let of_item = |i: usize| {
            let ((count, sum), (_, squares)) = (plain.above[i], squared.above[i]);
            let short = 1.0 - f[i];
            self.weight(i) * (count * short * short + 2.0 * short * sum + squares)
        };
        (0..f.len()).map(of_item).sum()
    }

    /// Its derivatives with respect to f.
    pub(super) fn slopes(&self, active: &Active) -> Vec<f64> {
        let (f, sums) = (&active.f, self.sums(active, &active.f));
        let slope = |i: usize| {
            let ((above, of_lower), (below, of_higher)) = (sums.above[i], sums.below[i]);
            let (rise, fall) = (above * (1.0 - f[i]) + of_lower, below * (1.0 + f[i]) - of_higher);
            self.weight(i) * (2.0 * fall - 2.0 * rise)
        };
        (0..f.len()).map(slope).collect()
    }

    /// Its second derivative times a vector.
    pub(super) fn curved(&self, active: &Active, v: &[f64]) -> Vec<f64> {
        let sums = self.sums(active, v);
        let of_item = |i: usize| {
            let ((above, of_lower), (below, of_higher)) = (sums.above[i], sums.below[i]);
            self.weight(i) * 2.0 * ((above + below) * v[i] - of_lower - of_higher)
        };
        (0..v.len()).map(of_item).collect()
    }
}

/// Counts and sums by rank, of which those up to a rank are told in O(log n).
struct Tree {
    sums: Vec<(f64, f64)>,
    total: (f64, f64),
}

impl Tree {
    fn new(ranks: usize) -> Self {
        Tree { sums: vec![(0.0, 0.0); ranks + 1], total: (0.0, 0.0) }
    }

    fn add(&mut self, rank: usize, count: f64, value: f64) {
        self.total.0 += count;
        self.total.1 += value;
        let mut at = rank + 1;
        while at < self.sums.len() {
            self.sums[at].0 += count;
            self.sums[at].1 += value;
            at += at & at.wrapping_neg();
        }
    }

    /// Of all ranks below this.
    fn up_to(&self, rank: usize) -> (f64, f64) {
        let (mut at, mut sum) = (rank, (0.0, 0.0));
        while at > 0 {
            sum.0 += self.sums[at].0;
            sum.1 += self.sums[at].1;
            at &= at - 1;
        }
        sum
    }
}
