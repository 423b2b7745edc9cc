//! What offsets ask for: Σᵢ τᵢ_c = 0 for every class c.
//!
//! α of an example of class p for the class q is a flow from p to q, and the constraints say that at every class as much
//! flows in as out. A change of a feasible point is a sum of cycles, so a point is optimal where no cycle has a
//! negative slope: for every pair p → q the [`Edge`] is the cheapest way to send a little more, which is either more from
//! some example of p, or less from some example of q to p. The offsets are the potentials of these costs.

use super::JointProblem;
use super::example::Example;

/// The cheapest way to send a little more from one class to another: τ_p of an example grows and its τ_q falls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The slope of the objective; ∞ if nothing can be sent.
    pub cost: f64,
    /// The example.
    pub example: usize,
}

const NONE: Edge = Edge { cost: f64::INFINITY, example: usize::MAX };

/// The edges of all pairs of classes.
pub(super) struct Edges {
    classes: usize,
    edges: Vec<Edge>,
}

/// The cycle of the least mean cost.
pub(super) struct Cycle {
    /// Its classes, in order; the first follows the last.
    pub classes: Vec<usize>,
    /// The mean cost of its edges.
    pub mean: f64,
}

impl Edges {
    pub fn new(classes: usize) -> Self {
        Edges { classes, edges: vec![NONE; classes * classes] }
    }

    pub fn clear(&mut self) {
        self.edges.fill(NONE);
    }

    /// The edge from p to q.
    pub fn get(&self, p: usize, q: usize) -> Edge {
        self.edges[p * self.classes + q]
    }

    /// Takes account of an example, whose offsets count for nothing.
    pub fn see(&mut self, number: usize, example: Example<'_>) {
        let (p, k) = (example.class, self.classes);
        for q in example.others() {
            let (slope, alpha) = (example.slope(q), -example.tau[q]);
            let more = &mut self.edges[p * k + q];
            if alpha < example.cost && slope < more.cost {
                *more = Edge { cost: slope, example: number };
            }
            let less = &mut self.edges[q * k + p];
            if alpha > 0.0 && -slope < less.cost {
                *less = Edge { cost: -slope, example: number };
            }
        }
    }

    /// The pair of classes whose two edges cost least together, and what they cost.
    pub fn cheapest_pair(&self) -> (f64, usize, usize) {
        let mut best = (f64::INFINITY, 0, 0);
        for p in 0..self.classes {
            for q in p + 1..self.classes {
                let cost = self.get(p, q).cost + self.get(q, p).cost;
                if cost < best.0 {
                    best = (cost, p, q);
                }
            }
        }
        best
    }

    /// The cycle of the least mean cost (Karp 1978); none if there is no cycle. O(k³).
    pub fn cheapest_cycle(&self) -> Option<Cycle> {
        let k = self.classes;
        // least[m·k + v]: the cheapest walk of m edges that ends at v, and the class before v on it.
        let mut least = vec![0.0; (k + 1) * k];
        let mut before = vec![0; (k + 1) * k];
        for m in 1..=k {
            for v in 0..k {
                let (mut best, mut from) = (f64::INFINITY, 0);
                for u in (0..k).filter(|&u| u != v) {
                    let cost = least[(m - 1) * k + u] + self.get(u, v).cost;
                    if cost < best {
                        (best, from) = (cost, u);
                    }
                }
                least[m * k + v] = best;
                before[m * k + v] = from;
            }
        }
        let worst_mean = |v: usize| {
            let mean = |m: usize| (least[k * k + v] - least[m * k + v]) / (k - m) as f64;
            (0..k).map(mean).fold(f64::NEG_INFINITY, f64::max)
        };
        let ends = (0..k).filter(|&v| least[k * k + v] < f64::INFINITY);
        let end = ends.min_by(|&u, &v| worst_mean(u).total_cmp(&worst_mean(v)))?;
        // The walk of k edges to that class passes some class twice; what lies between is the cycle.
        let mut walk = vec![end];
        for m in (1..=k).rev() {
            let class = before[m * k + walk[walk.len() - 1]];
            if let Some(at) = walk.iter().position(|&seen| seen == class) {
                let mut classes = walk.split_off(at);
                classes.reverse();
                let cost = |e: usize| self.get(classes[e], classes[(e + 1) % classes.len()]).cost;
                let mean = (0..classes.len()).map(cost).sum::<f64>() / classes.len() as f64;
                return Some(Cycle { classes, mean });
            }
            walk.push(class);
        }
        None
    }

    /// Offsets b with cost(p → q) + b_p − b_q ≥ −`slack` for all edges, where there are any: those in the middle, with
    /// a mean of 0. O(k³).
    pub fn potentials(&self, slack: f64) -> Vec<f64> {
        let k = self.classes;
        let (mut to, mut from) = (vec![0.0f64; k], vec![0.0f64; k]);
        for _ in 0..k {
            for p in 0..k {
                for q in (0..k).filter(|&q| q != p) {
                    let cost = self.get(p, q).cost + slack;
                    to[q] = to[q].min(to[p] + cost);
                    from[p] = from[p].min(from[q] + cost);
                }
            }
        }
        // The largest and the smallest such potentials; anything between them will do as well.
        let mut offsets: Vec<f64> = to.iter().zip(&from).map(|(to, from)| 0.5 * (to - from)).collect();
        let mean = offsets.iter().sum::<f64>() / k as f64;
        offsets.iter_mut().for_each(|b| *b -= mean);
        offsets
    }
}

/// Lessens flows until as much flows into every class as out of it. τ_y is not looked at.
pub(super) fn balance(problem: &JointProblem, tau: &mut [f64]) {
    let k = problem.classes;
    let mut flow = vec![0.0; k * k];
    for (&p, tau) in problem.class.iter().zip(tau.chunks_exact(k)) {
        (0..k).filter(|&q| q != p).for_each(|q| flow[p * k + q] -= tau[q]);
    }
    let total: f64 = flow.iter().sum();
    let given = flow.clone();
    let excess = |flow: &[f64], p: usize| (0..k).map(|q| flow[p * k + q] - flow[q * k + p]).sum::<f64>();
    let nothing = 1e-14 * total;
    // Every path that is taken away empties an edge or settles a class: k² + k of them are enough.
    for _ in 0..k * (k + 1) {
        let Some(p) = (0..k).find(|&p| excess(&flow, p) > nothing) else { break };
        let Some(path) = path(&flow, k, p, |q| excess(&flow, q) < 0.0) else { break };
        let end = path[path.len() - 1];
        let edges = || path.windows(2).map(|edge| edge[0] * k + edge[1]);
        let most = excess(&flow, p).min(-excess(&flow, end));
        let amount = edges().map(|edge| flow[edge]).fold(most, f64::min);
        edges().for_each(|edge| flow[edge] -= amount);
    }
    // Should rounding have left something over, nothing at all is balanced for certain.
    let done = (0..k).all(|p| excess(&flow, p).abs() <= 1e-12 * total);
    for (&p, tau) in problem.class.iter().zip(tau.chunks_exact_mut(k)) {
        for q in (0..k).filter(|&q| q != p) {
            let (now, before) = (flow[p * k + q], given[p * k + q]);
            tau[q] *= if !done {
                0.0
            } else if now == before {
                1.0
            } else {
                now / before
            };
        }
    }
}

/// The classes on a shortest way along positive flows from `start` to one that `is_end`.
fn path(flow: &[f64], k: usize, start: usize, is_end: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
    let mut before = vec![usize::MAX; k];
    before[start] = start;
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(p) = queue.pop_front() {
        if is_end(p) {
            let mut path = vec![p];
            while path[path.len() - 1] != start {
                path.push(before[path[path.len() - 1]]);
            }
            path.reverse();
            return Some(path);
        }
        for q in 0..k {
            if flow[p * k + q] > 0.0 && before[q] == usize::MAX {
                before[q] = p;
                queue.push_back(q);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Joint;

    fn edges(classes: usize, costs: &[(usize, usize, f64)]) -> Edges {
        let mut edges = Edges::new(classes);
        for &(p, q, cost) in costs {
            edges.edges[p * classes + q] = Edge { cost, example: 0 };
        }
        edges
    }

    #[test]
    fn a_cycle_of_three_is_found_where_no_pair_is_negative() {
        let costs =
            [(0, 1, 1.0), (1, 0, 1.0), (1, 2, -3.0), (2, 1, 4.0), (2, 0, -1.0), (0, 2, 2.0), (3, 0, -9.0)];
        let edges = edges(4, &costs);
        assert!(edges.cheapest_pair().0 >= 0.0);
        let cycle = edges.cheapest_cycle().unwrap();
        assert_eq!((cycle.classes.len(), cycle.mean), (3, -1.0));
        let at = cycle.classes.iter().position(|&c| c == 0).unwrap();
        assert_eq!([1, 2].map(|step| cycle.classes[(at + step) % 3]), [1, 2]);
        // With so much slack there are potentials, without there are none.
        let holds = |slack: f64| {
            let b = edges.potentials(slack);
            costs.iter().all(|&(p, q, cost)| cost + b[p] - b[q] >= -slack - 1e-12)
        };
        assert!(holds(1.0) && !holds(0.9));
    }

    #[test]
    fn flows_are_lessened_to_a_circulation() {
        let mut random = crate::solver::joint::tests::numbers(3);
        for classes in 2..6 {
            let class: Vec<usize> = (0..20).map(|i| i % classes).collect();
            let mut problem = JointProblem::new(Joint::WestonWatkins, classes, class, vec![1.0; 20]);
            problem.offset = true;
            problem.start = (0..20 * classes).map(|_| -random()).collect();
            let tau = problem.feasible_start();
            for c in 0..classes {
                let sum: f64 = tau.iter().skip(c).step_by(classes).sum();
                assert!(sum.abs() < 1e-12, "class {c}: {sum}");
            }
            assert!(tau.iter().map(|t| t.abs()).sum::<f64>() > 1.0);
            problem.start = tau.clone();
            let again = problem.feasible_start();
            assert!(tau.iter().zip(&again).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }
}
