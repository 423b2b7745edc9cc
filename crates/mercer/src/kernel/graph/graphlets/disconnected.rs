//! The numbers of subgraphs that are not connected, from those of the connected ones.
//!
//! Let D have a component P, and let R be the rest of it. Every pair of a part P and a part R of a graph is a cover of some
//! subgraph H by two sets of nodes, so that c_P c_R = Σ_H c_H · (covers of H by a P and an R). Of the subgraphs H of as many
//! nodes as D, all but D itself have fewer components, and all others have fewer nodes: c_D follows from what is known.

use std::sync::OnceLock;

use super::class::{Classes, MOST, component};

/// One such equation: c_D = (c_P c_R − Σ covers · c_H) / multiplicity.
struct Equation {
    whole: u16,
    parts: [(usize, u16); 2],
    multiplicity: i128,
    others: Vec<(usize, u16, i128)>,
}

/// `counts[s][mask]` for all classes of up to `size` nodes, given those of the connected ones.
pub(super) fn complete(connected: &[Vec<u64>], size: usize) -> Vec<Vec<i128>> {
    // n⁵/24 is within reach of 128 bits for every graph that there may be.
    let mut counts: Vec<Vec<i128>> =
        connected.iter().map(|of_size| of_size.iter().map(|&count| i128::from(count)).collect()).collect();
    for s in 2..=size {
        for equation in &equations()[s] {
            let [p, r] = equation.parts.map(|(size, mask)| counts[size][usize::from(mask)]);
            let covered: i128 = equation
                .others
                .iter()
                .map(|&(size, mask, covers)| covers * counts[size][usize::from(mask)])
                .sum();
            counts[s][usize::from(equation.whole)] = (p * r - covered) / equation.multiplicity;
        }
    }
    counts
}

/// The equations of each size, by ascending number of components.
fn equations() -> &'static [Vec<Equation>; MOST + 1] {
    static EQUATIONS: OnceLock<[Vec<Equation>; MOST + 1]> = OnceLock::new();
    EQUATIONS.get_or_init(|| {
        let classes = Classes::all();
        std::array::from_fn(|size| {
            let mut wholes: Vec<(usize, u16)> =
                classes.of_size(size).map(|mask| (classes.components(size, mask), mask)).collect();
            wholes.sort_unstable();
            wholes.retain(|&(components, _)| components > 1);
            wholes.into_iter().map(|(_, whole)| equation(classes, size, whole)).collect()
        })
    })
}

fn equation(classes: &Classes, size: usize, whole: u16) -> Equation {
    let part = component(size, whole, 0);
    let rest = ((1u8 << size) - 1) & !part;
    let parts = [part, rest].map(|nodes| (nodes.count_ones() as usize, classes.part(size, whole, nodes)));
    let larger = parts[0].0.max(parts[1].0);
    let others = (larger..=size)
        .flat_map(|s| classes.of_size(s).map(move |mask| (s, mask)))
        .filter(|&other| other != (size, whole))
        .map(|(s, mask)| (s, mask, covers(classes, s, mask, parts)))
        .filter(|&(.., covers)| covers > 0)
        .collect();
    Equation { whole, parts, multiplicity: covers(classes, size, whole, parts), others }
}

/// In how many ways a graph is covered by one set of nodes on which it is the first part and one on which it is the second.
fn covers(classes: &Classes, size: usize, mask: u16, parts: [(usize, u16); 2]) -> i128 {
    let all = (1u8 << size) - 1;
    let [firsts, seconds] = parts.map(|(nodes, class)| {
        (1..=all)
            .filter(|set| set.count_ones() as usize == nodes && classes.part(size, mask, *set) == class)
            .collect::<Vec<u8>>()
    });
    firsts.iter().map(|a| seconds.iter().filter(|&b| a | b == all).count() as i128).sum()
}
