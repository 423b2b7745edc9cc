//! Costs to try, from how noisy the targets are, and shares, from how rare classes are.

use crate::data::{Examples, Items, Labels, Selected, Split, TargetList};
use crate::error::{Error, Result};
use crate::evaluation::trials::values_of_pairs;
use crate::gram::{BulkKernel, Plan};

/// Rows that are looked at, at most.
const MOST_ROWS: usize = 500;
/// The factor from a cost to the next.
const FACTOR: f64 = 4.0;
/// Costs either way of the middle.
const EITHER_WAY: i32 = 3;
/// Most costs between the middles of several kernels.
const MOST_BETWEEN: i32 = 20;
/// Less noise than this is taken for this: the targets of some hundred rows cannot tell it well.
const LEAST_NOISE: f64 = 1.0 / 16.0;

/// Shares to try, as far as the classes allow them.
const SHARES: [f64; 12] = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
/// A little less than every pair of classes allows, so that the rows of a fold do too.
const OF_LARGEST: f64 = 0.95;

/// Shares ν that are worth trying with these classes, at least one: from 0.01 to 0.8, as far as every pair of classes allows them. ν is at
/// most twice the share of the smaller class. O(ℓ).
///
/// ```
/// use mercer::data::Labels;
/// use mercer::evaluation::search::usual_shares;
/// let classes = |rare: usize| Labels::from_text((0..1000).map(|i| if i < rare { "rare" } else { "usual" }));
/// assert_eq!(usual_shares(&classes(500)).len(), 12);
/// assert_eq!(usual_shares(&classes(100)), [0.01, 0.02, 0.05, 0.1, 0.15]);
/// assert_eq!(usual_shares(&classes(1)), [0.001]);
/// ```
pub fn usual_shares(labels: &Labels) -> Vec<f64> {
    let counts = labels.counts().into_iter().filter(|&count| count > 0);
    let (least, most) = counts.fold((usize::MAX, 0), |(least, most), n| (least.min(n), most.max(n)));
    let largest = 2.0 * least as f64 / (least.saturating_add(most)) as f64;
    let allowed: Vec<f64> = SHARES.into_iter().filter(|&share| share < OF_LARGEST * largest).collect();
    if allowed.is_empty() { vec![0.5 * largest] } else { allowed }
}

/// Costs that are worth trying with these kernels, from the noise of the targets: C₀ = 1/(R²ρ), and three to either side of it by
/// factors of four.
///
/// R² is the mean squared distance of the rows from their centre in the feature space, so that multiples of a kernel are tried with the
/// same machines. ρ, from 0 to 1, is the share of noise: how unlike the targets of nearest neighbours are, over how unlike those of any
/// two rows are; (y − y′)² for numbers, 0 or 1 for classes. With numbers of variance 1 it is the variance of the noise, and 1/ρ is what
/// multiplies the squared residuals in the posterior of a Gaussian process, against ½‖f‖². So the noisier the targets, the smaller the
/// costs. (For classes, Cover and Hart: a share of labels η that is wrong makes the nearest neighbour wrong 2η(1 − η) times.) Numbers are
/// taken in units of their standard deviation: multiply the costs by it.
///
/// With several kernels the costs reach from the least of them towards the largest, by twenty more at most. O(m²) kernel values and bytes for each, of m rows, 500 at
/// most, drawn by the seed.
///
/// ```
/// use mercer::data::{Examples, Labels, Random, Vectors};
/// use mercer::evaluation::search::usual_costs;
/// use mercer::gram::Plan;
/// use mercer::kernel::Expression;
/// let mut random = Random::new(3);
/// let points: Vec<[f64; 2]> = (0..200).map(|_| [random.normal(), random.normal()]).collect();
/// let rows = Vectors::from_rows(&points)?;
/// let kernel = ["gaussian(gamma=median)".parse::<Expression>()?];
/// let clean = Labels::from_text(points.iter().map(|p| if p[0] > 0.0 { "right" } else { "left" }));
/// let noise = Labels::from_text((0..200).map(|_| if random.uniform() < 0.5 { "heads" } else { "tails" }));
/// let most = |labels| Ok::<_, mercer::Error>(usual_costs(&kernel, Examples::new(&rows, labels), 0, &Plan::new()?)?[6]);
/// assert!(most(&clean)? > 3.0 * most(&noise)?);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Empty`] without kernels or rows; those of the kernels.
pub fn usual_costs<K, I, Y>(
    kernels: &[K],
    examples: Examples<'_, I, Y>,
    seed: u64,
    plan: &Plan,
) -> Result<Vec<f64>>
where
    I: Items,
    K: BulkKernel<I::Owned>,
    Y: TargetList,
{
    examples.check()?;
    let rows = Split::sample(&examples.targets.strata(), MOST_ROWS, seed)?;
    let Selected { items, targets, weights, .. } = examples.select(&rows);
    let weights = weights.unwrap_or_else(|| vec![1.0; items.len()]);
    let middle = |kernel: &K| -> Result<f64> {
        let kernel = kernel.resolve(&items, Some(&weights))?;
        Ok(middle_of(&values_of_pairs(&kernel, &items, plan)?, &targets, &weights))
    };
    let middles = kernels.iter().map(middle).collect::<Result<Vec<f64>>>()?;
    let least = middles.iter().copied().fold(f64::INFINITY, f64::min);
    let most = middles.iter().copied().fold(0.0, f64::max);
    if middles.is_empty() {
        return Err(Error::Empty { what: "kernels to find costs for" });
    }
    // As many steps as it takes from the least one to the largest, which is none for one kernel.
    let between = (((most / least).ln() / FACTOR.ln()).ceil() as i32).min(MOST_BETWEEN);
    Ok((-EITHER_WAY..=EITHER_WAY + between).map(|step| readable(least * FACTOR.powi(step))).collect())
}

/// 1/(R²ρ).
fn middle_of<Y: TargetList>(k: &[f64], targets: &Y, weights: &[f64]) -> f64 {
    let n = weights.len();
    let counts: Vec<usize> = (0..n).filter(|&i| weights[i] > 0.0).collect();
    let all: f64 = weights.iter().sum();
    let [mut own, mut mean, mut of_pairs, mut of_nearest, mut pairs] = [0.0; 5];
    for &i in &counts {
        let distance = |j: usize| k[i * n + i] + k[j * n + j] - 2.0 * k[i * n + j];
        let others = || counts.iter().copied().filter(|&j| j != i);
        own += weights[i] * k[i * n + i];
        mean += weights[i] * counts.iter().map(|&j| weights[j] * k[i * n + j]).sum::<f64>();
        of_pairs += weights[i] * others().map(|j| weights[j] * targets.unlike(i, j)).sum::<f64>();
        pairs += weights[i] * others().map(|j| weights[j]).sum::<f64>();
        if let Some(nearest) = others().min_by(|&a, &b| distance(a).total_cmp(&distance(b))) {
            of_nearest += weights[i] * targets.unlike(i, nearest);
        }
    }
    let usable =
        |value: f64, otherwise: f64| if value.is_finite() && value > 0.0 { value } else { otherwise };
    // Rows that are all one, and targets that are all one, leave nothing to learn: any cost will do.
    let radius = usable(own / all - mean / (all * all), 1.0);
    let noise = (of_nearest / all) / usable(of_pairs / pairs, 1.0);
    usable(1.0 / (radius * noise.clamp(LEAST_NOISE, 1.0)), 1.0)
}

/// A number above 0 in two digits.
fn readable(value: f64) -> f64 {
    format!("{value:.1e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Labels, Vectors};
    use crate::kernel::Expression;

    fn middle(kernel: &str, rows: &[[f64; 1]], labels: &[i64]) -> f64 {
        let (rows, labels) = (
            Vectors::from_rows(rows).unwrap(),
            Labels::from_text(labels.iter().map(|label| label.to_string())),
        );
        let kernel = [kernel.parse::<Expression>().unwrap()];
        let costs = usual_costs(&kernel, Examples::new(&rows, &labels), 0, &Plan::new().unwrap()).unwrap();
        assert_eq!(costs.len(), 7);
        costs[3]
    }

    #[test]
    fn the_middle_is_what_it_is_by_hand() {
        // The rows are about a mean of 3. Nearest neighbours are 0–1 and 5–6 (each other's), of which the second pair disagrees: 2 of 4,
        // where 10 of all 12 ordered pairs do.
        let (rows, labels) = ([[0.0], [1.0], [5.0], [6.0]], [1, 1, 2, 3]);
        let pairs = 10.0 / 12.0;
        let variance = (9.0 + 4.0 + 4.0 + 9.0) / 4.0;
        let expected = 1.0 / (variance * (0.5 / pairs));
        assert!((middle("linear", &rows, &labels) / expected - 1.0).abs() < 0.05);
        // A multiple of a kernel with that much less of a cost is the same machine.
        assert!((middle("100 * linear", &rows, &labels) / (expected / 100.0) - 1.0).abs() < 0.05);
    }

    #[test]
    fn constant_kernels_and_single_rows_get_usual_costs() {
        assert!((0.9..=16.0).contains(&middle("constant(1)", &[[0.0], [1.0]], &[1, 2])));
        assert!((0.9..=16.0).contains(&middle("gaussian(gamma=1)", &[[0.0]], &[1])));
    }

    #[test]
    fn several_kernels_share_a_range() {
        let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0], [3.0]]).unwrap();
        let labels = Labels::from_text(["a", "a", "b", "b"]);
        let kernels = ["linear", "0.01 * linear"].map(|kernel| kernel.parse::<Expression>().unwrap());
        let examples = Examples::new(&rows, &labels);
        let plan = Plan::new().unwrap();
        let [one, other, both] = [&kernels[..1], &kernels[1..], &kernels[..]]
            .map(|kernels| usual_costs(kernels, examples, 0, &plan).unwrap());
        assert_eq!(both[0], one[0]);
        assert!(both[both.len() - 1] >= other[6]);
        assert!(usual_costs(&kernels[..0], examples, 0, &plan).is_err());
        let far_apart =
            ["1e300 * linear", "1e-300 * linear"].map(|kernel| kernel.parse::<Expression>().unwrap());
        let costs = usual_costs(&far_apart, examples, 0, &plan).unwrap();
        assert!(costs.len() == 27 && costs.iter().all(|&cost| cost > 0.0 && cost.is_finite()), "{costs:?}");
    }
}
