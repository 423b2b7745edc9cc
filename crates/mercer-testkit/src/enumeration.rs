//! Probabilities of hidden Markov models, by going through everything that may have happened.

/// p(x) = Σ over all paths of states, for the densities of each state at each time.
pub fn hidden_markov(start: &[f64], transition: &[f64], densities: &[Vec<f64>]) -> f64 {
    fn go(t: usize, state: usize, start: &[f64], transition: &[f64], densities: &[Vec<f64>]) -> f64 {
        let here = densities[t][state];
        if t + 1 == densities.len() {
            return here;
        }
        let next =
            |s: usize| transition[state * start.len() + s] * go(t + 1, s, start, transition, densities);
        here * (0..start.len()).map(next).sum::<f64>()
    }
    if densities.is_empty() {
        return 1.0;
    }
    (0..start.len()).map(|s| start[s] * go(0, s, start, transition, densities)).sum()
}

/// p(x, z) of the pair hidden Markov model with probabilities of pairs and letters, δ and τ: the sum over all sets of events.
pub fn pair_hidden_markov(
    x: &[usize],
    z: &[usize],
    pairs: &dyn Fn(usize, usize) -> f64,
    letters: &[f64],
    gap: f64,
    end: f64,
) -> f64 {
    // Ways to go on from prefixes of i and j letters after an event, or from the start.
    fn go(
        (i, j): (usize, usize),
        (x, z): (&[usize], &[usize]),
        pairs: &dyn Fn(usize, usize) -> f64,
        run: &dyn Fn(&[usize]) -> f64,
        end: f64,
    ) -> f64 {
        let mut sum = end * run(&x[i..]) * run(&z[j..]);
        for k in i..x.len() {
            for l in j..z.len() {
                let event = (1.0 - end) * run(&x[i..k]) * run(&z[j..l]) * pairs(x[k], z[l]);
                sum += event * go((k + 1, l + 1), (x, z), pairs, run, end);
            }
        }
        sum
    }
    let run = |own: &[usize]| (1.0 - gap) * own.iter().map(|&a| gap * letters[a]).product::<f64>();
    go((0, 0), (x, z), pairs, &run, end)
}
